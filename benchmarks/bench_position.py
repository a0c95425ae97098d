"""What a bot in Python pays for each card: legal cards, play and undo."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks.common import PLAYERS, played_deal
from tarot_sim import Position


@pytest.mark.parametrize("method", [Position.legal_mask, Position.legal_cards])
@pytest.mark.parametrize("players", PLAYERS)
def test_legal(
    benchmark: BenchmarkFixture, players: int, method: Callable[[Position], object]
) -> None:
    """In the middle of the first trick, where the duty to follow has to be found."""
    position = played_deal(players, seed=1).position(1)
    assert benchmark(method, position)


@pytest.mark.parametrize("players", PLAYERS)
def test_play_and_undo(benchmark: BenchmarkFixture, players: int) -> None:
    """All cards of a deal, and all taken back."""
    deal = played_deal(players, seed=1)
    position = deal.position(0)
    benchmark.extra_info["cards"] = len(deal.plays)

    def there_and_back() -> None:
        for card in deal.plays:
            position.play(card)
        for _ in deal.plays:
            position.undo()

    benchmark(there_and_back)
    assert position.plays == ()
