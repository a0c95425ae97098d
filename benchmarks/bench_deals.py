"""Whole deals: dealt at random, read from a record, replayed, scored."""

from __future__ import annotations

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks.common import PLAYERS, played_deal
from tarot_sim import Deal, replay, score
from tarot_sim.deals.dealing import Draws


@pytest.mark.parametrize("players", PLAYERS)
def test_random_deal(benchmark: BenchmarkFixture, players: int) -> None:
    draws = Draws(1)
    assert benchmark(lambda: Deal.random(players=players, rng=draws)).players == players


@pytest.mark.parametrize("players", PLAYERS)
def test_read_record(benchmark: BenchmarkFixture, players: int) -> None:
    """From the parsed JSON to a `Deal` in which every card is checked."""
    deal = played_deal(players, seed=1)
    assert deal == benchmark(Deal.from_dict, deal.to_dict())


@pytest.mark.parametrize("players", PLAYERS)
def test_replay(benchmark: BenchmarkFixture, players: int) -> None:
    deal = played_deal(players, seed=1)
    answer = benchmark(replay, deal)
    assert answer.scores is not None
    assert sum(answer.scores) == 0


def test_score(benchmark: BenchmarkFixture) -> None:
    result = benchmark(
        lambda: score(
            contract="garde", points=49, bouts=2, petit_au_bout="attack", poignees=["simple"]
        )
    )
    assert result.taker == 318
