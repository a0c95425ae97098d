"""Random play-outs: one batched call, one thread; every legal card is equally likely."""

from __future__ import annotations

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks.common import PLAYERS, first_position
from tarot_sim import random_playouts

BATCH = 10_000


@pytest.mark.parametrize("players", PLAYERS)
def test_playouts(benchmark: BenchmarkFixture, players: int) -> None:
    position = first_position(players, seed=1)
    generator = np.random.PCG64DXSM(1)
    benchmark.extra_info["cards"] = BATCH * players * position.tricks_left
    outcomes = benchmark(random_playouts, position, BATCH, generator)
    assert BATCH == len(outcomes)
