"""Perft: every legal sequence of a few cards, so the same nodes on every machine."""

from __future__ import annotations

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks.common import PLAYERS, first_position

DEPTH = 7
NODES = {3: 4_322_428, 4: 104_510, 5: 29_637}


@pytest.mark.parametrize("players", PLAYERS)
def test_perft(benchmark: BenchmarkFixture, players: int) -> None:
    position = first_position(players, seed=1)
    benchmark.extra_info["nodes"] = NODES[players]
    assert NODES[players] == benchmark(position.perft, DEPTH)
