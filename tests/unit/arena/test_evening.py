"""Deals one after the other: the dealer moves on, scores add up, seeds decide everything."""

from __future__ import annotations

from random import Random

import pytest

from tarot_sim.arena.evening import Evening
from tarot_sim.errors import OptionError
from tarot_sim.rules import Rules
from tests.persons import played


def evening(seed: int, **more: int) -> Evening:
    return Evening(Rules(players=5), 2, ["rules"], seed=seed, **more)


def test_the_deal_passes_to_the_right_and_scores_add_up() -> None:
    table, totals, dealers = evening(1, dealer=3), [0] * 5, []
    for number in range(8):
        session = table.next_session()
        dealers.append(session.game.dealer)
        played(session, Random(number))
        table.book(session)
        if session.game.scores is not None:
            totals = [a + b for a, b in zip(totals, session.game.scores, strict=True)]
    assert dealers == [3, 4, 0, 1, 2, 3, 4, 0]
    assert table.totals == tuple(totals)
    assert sum(totals) == 0


def test_the_same_seed_is_the_same_evening() -> None:
    records = []
    for seed in (4, 4, 5):
        table = evening(seed)
        sessions = [table.next_session() for _ in range(3)]
        for session in sessions:
            played(session, Random(0))
        records.append([session.record() for session in sessions])
    assert records[0] == records[1] != records[2]


@pytest.mark.parametrize(
    ("seat", "dealer", "message"),
    [
        (5, None, "seat: 5 is not a seat of 0…4"),
        (-1, None, "seat: -1"),
        (0, 5, "dealer: 5 is not a seat of 0…4"),
    ],
)
def test_seats_that_there_are_not(seat: int, dealer: int | None, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        Evening(Rules(players=5), seat, ["rules"], dealer=dealer)
