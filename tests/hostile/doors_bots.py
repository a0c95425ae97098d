"""Doors to the native code of the bots: what each argument of them may be."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any, Final

import numpy as np

from tarot_sim.bots._playing import play_deals
from tarot_sim.bots._rollouts import Begun, habit_card, habit_traits
from tarot_sim.bots.advising import best_card
from tarot_sim.bots.habits import habits
from tarot_sim.cards import Card, Hand
from tarot_sim.deals.game import Game
from tarot_sim.deals.view import View
from tarot_sim.rules import Rules
from tarot_sim.worlds._assignment import Assignment
from tests.games import random_game
from tests.hostile.honest import BATCH, ROWS, TABLE, Entry, deals, names
from tests.hostile.kinds import (
    ANYTHING,
    Kind,
    array,
    flag,
    generator,
    hand,
    integer,
    items,
    kind,
    number,
    seed,
    text,
)
from tests.hostile.values import EMPTY, lookalike, pretender

#: Eighteen cards, the Roi of Pique and A21 not among them.
_SEEN: Final = "A:20,16,14,11,8,5,1,EX P:D,6,2 C:C,10 K:D,4 T:V,9,1"


def _weights() -> Any:
    return habits(Rules()).copy()


def _of_seats() -> Any:
    return np.repeat(_weights()[None], 4, axis=0)


def _view() -> View:
    game = random_game(4, Random(1), plays=5)
    assert game.to_move is not None
    return View.of(game, game.to_move)


def _game() -> Game:
    return random_game(4, Random(1), plays=5)


def _begun() -> Begun:
    # One world three times: in all of them the mover holds the same hand.
    return Begun(deals()[np.zeros(3, np.int64)], 0, [])


def _opened(**fields: Any) -> Any:
    """Return a view of which a frozen field was changed."""
    opened = replace(_view())
    for name, value in fields.items():
        object.__setattr__(opened, name, value)
    return opened


#: Views: what only looks like one is refused, and what was opened gives an error of a kind.
_VIEW: Final[Kind] = (
    kind(_view)
    .also({"lookalike": lambda: lookalike(_view()), "its class": lambda: View})
    .also({"pretender": lambda: pretender(_view())})
    .also(
        {
            "opened taker": lambda: _opened(taker=200),
            "opened plays": lambda: _opened(plays=(Card("A21"),) * 60),
            "opened called": lambda: _opened(called=99),
            "opened rules": lambda: _opened(rules=None),
        },
    )
    .also({"opened hand": lambda: _opened(hand=Hand("A:21"))}, ANYTHING)
)


def _allowed() -> Any:
    found = np.zeros(78, np.uint8)
    found[:4] = 3
    return found


def _assignment() -> Assignment:
    return Assignment(_allowed(), [2, 2])


_HABITS: Final[Kind] = array(_weights)

BOTS: Final[dict[str, Entry]] = {
    "play_deals": Entry(
        lambda: play_deals,
        {
            "deals": BATCH,
            "taker": array(lambda: np.zeros(3, np.uint8)),
            "habits": array(_of_seats),
            "open_call": array(lambda: np.zeros(3, np.bool_)).optional(),
            "plays": flag(False),
        },
    ),
    "Begun": Entry(
        lambda: Begun,
        {
            "deals": BATCH,
            "taker": integer(0, 0, 3),
            "plays": kind(list).but(ANYTHING, "array", "empty array", "list", "tuple", "generator"),
            "open_call": flag(False),
        },
    ),
    "Begun.values": Entry(
        lambda: _begun().values,
        {
            "habits": _HABITS,
            "cards": kind(list)
            .but(ANYTHING, "array", "empty array", "list", "tuple", "generator")
            .optional(),
            "first": integer(0, 0, 1),
            "last": integer(2, 1, 2).optional(),
        },
    ),
    "Begun.likelihoods": Entry(
        lambda: _begun().likelihoods,
        {
            "habits": _HABITS,
            "seat": integer(0, 0, 3),
            "miss": number(0.5, 0.0, 1.0),
            "near": number(0.5, 0.0, 1.0),
            "within": number(1.0, float("-inf"), float("inf")),
        },
    ),
    "habit_card": Entry(lambda: habit_card, {"view": _VIEW, "habits": _HABITS}),
    "habit_traits": Entry(lambda: habit_traits, {"view": _VIEW}),
    "best_card": Entry(
        lambda: best_card,
        {
            "view": _VIEW,
            "bot": text("rules"),
            "seed": seed(1, few=True),
        },
    ),
    "View": Entry(
        lambda: View,
        {
            "rules": TABLE,
            "seat": integer(1, 0, 3),
            "dealer": integer(1, 1, 1),
            "hand": hand(_SEEN),
            "phase": names("play"),
            "auction": items(lambda: ["garde_sans", "pass", "pass", "pass"], empty=True).but(
                ANYTHING, "as iterator", "as object array"
            ),
            "taker": integer(2, 2, 2),
            "contract": names("garde_sans"),
            "called": kind(lambda: None).optional(),
            "dog": kind(lambda: None).optional(),
            "discard": kind(lambda: None).optional(),
            "shown_trumps": hand("A:2").but(ANYTHING, *EMPTY),
            "chelem": kind(lambda: False).but(ANYTHING, "true"),
            "poignees": items(list, empty=True).but(ANYTHING, "as iterator", "as object array"),
            "plays": items(lambda: [76], empty=True).but(
                ANYTHING,
                "as iterator",
                "as object array",
                "minus in it",
                "true in it",
                "np int in it",
                "0-d in it",
                "index one in it",
                "array",
            ),
        },
    ),
    "View.of": Entry(lambda: View.of, {"game": kind(_game), "seat": integer(1, 0, 3)}),
    "Game.view": Entry(lambda: _game().view, {"seat": integer(1, 0, 3)}),
    "Assignment": Entry(
        lambda: Assignment,
        {"allowed": array(_allowed), "capacities": kind(lambda: [2, 2]).but(ANYTHING)},
    ),
    "Assignment.draw": Entry(
        lambda: _assignment().draw,
        {
            "n": integer(3, 0, float("inf")),
            "bit_generator": generator(lambda: np.random.PCG64DXSM(1)),
            "row": array(lambda: np.zeros(78, np.uint8)).optional(),
        },
        errors=ROWS,
    ),
}
