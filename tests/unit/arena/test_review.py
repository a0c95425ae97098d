"""What decisions have cost: nothing where the advisor would have done the same, else the truth."""

from __future__ import annotations

from math import sqrt
from random import Random

import pytest

from tarot_sim.arena.review import Review, Verdict, review
from tarot_sim.arena.session import Choice, Session
from tarot_sim.deals.deal import Deal
from tarot_sim.deals.game import Game
from tarot_sim.deals.view import View
from tests.persons import do, played, session_of

TABLES = pytest.mark.parametrize("players", [3, 4, 5])


@TABLES
def test_who_follows_the_hints_loses_nothing(players: int) -> None:
    session = session_of(players, 7)
    while True:
        list(session.advance())
        if session.is_over:
            break
        advice = session.hint()
        if advice.phase == "announce":
            do(session, advice.poignee or ("chelem" if advice.chelem else None))
        else:
            do(session, advice.decision.best)
    found = review(session)
    assert found.verdicts
    assert all(verdict.agrees for verdict in found.verdicts)
    assert (found.lost, found.error) == (0.0, 0.0)
    assert found.worst(3) == ()


@TABLES
def test_who_plays_at_random_loses(players: int) -> None:
    total, error = 0.0, 0.0
    for seed in range(4):
        session = session_of(players, seed)
        played(session, Random(seed))
        found = review(session)
        assert len(found.verdicts) <= len(session.choices)
        for verdict in found.verdicts:
            assert verdict.error >= 0
            assert (verdict.trick is None) == (verdict.choice.turn != "play")
        costs = [verdict.lost for verdict in found.worst(5)]
        assert costs == sorted(costs, reverse=True)
        total, error = total + found.lost, sqrt(error**2 + found.error**2)
    assert total > 5 * error


def test_a_hand_that_wins_everything_should_not_pass() -> None:
    """Independent of any sampling: 17 sure tricks are a chelem or nearly one."""
    record = {
        "players": 4,
        "dealer": 3,
        "hands": [
            "A:21,20,19,18,17,16,15,14,13,12,11,10,9,8,7,EX P:R,D",
            "A:6,5 P:C,V,10,9,8,7,6,5,4,3,2,1 C:1,2,3,4",
            "A:4,3 C:R,D,C,V,10,9,8,7,6,5 K:1,2,3,4,5,6",
            "A:2 K:R,D,C,V,10,9,8,7 T:1,2,3,4,5,6,7,8,9",
        ],
        "dog": "A:1 T:R,D,C,V,10",
    }
    deal = Deal.from_dict(record)
    session = Session(Game(deal.hands, deal.dog, dealer=3), 0, ["rules"])
    list(session.advance())
    session.bid("pass")
    (verdict,) = review(session).verdicts
    assert verdict.better == "garde_contre"
    assert verdict.lost > 500
    assert verdict.lost > 10 * verdict.error


def test_errors_add_in_squares() -> None:
    view = View.of(session_of(4, 1).game, 0)
    verdicts = [Verdict(Choice("bid", view, "pass"), "garde", x, e) for x, e in [(3, 3), (-1, 4)]]
    found = Review(tuple(verdicts))
    assert (found.lost, found.error) == (2.0, 5.0)
    assert found.worst(5) == (verdicts[0],)
