"""The node signature: a change of the search that alters it says so here."""

import pytest

from tarot_sim.bench import SIGNATURE_DEALS, random_position, signature

#: Positions searched on the fixed list; see tarot_sim.bench.
SIGNATURE = 2_161_305


def test_the_same_search_visits_the_same_positions() -> None:
    assert signature() == SIGNATURE


@pytest.mark.parametrize(("players", "cards", "_deals"), SIGNATURE_DEALS)
def test_positions_repeat_and_differ(players: int, cards: int, _deals: int) -> None:
    first, again, other = (random_position(players, cards, seed) for seed in (0, 0, 1))
    assert first.hands == again.hands
    assert first.hands != other.hands
    assert {len(hand) for hand in first.hands} == {cards}


def test_a_whole_deal_begins_under_the_call() -> None:
    position = random_position(5, 15, 3)
    assert position.called is not None
    assert position.won == (False, False)
