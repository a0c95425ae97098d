"""Doors to the native code of the bots: what each argument of them may be."""

from __future__ import annotations

from random import Random
from typing import Any, Final

import numpy as np

from tarot_sim.bots._playing import play_deals
from tarot_sim.bots._rollouts import Begun, habit_card, habit_traits
from tarot_sim.bots.habits import habits
from tarot_sim.deals.view import View
from tarot_sim.rules import Rules
from tarot_sim.worlds._assignment import Assignment
from tests.games import random_game
from tests.hostile.honest import BATCH, ROWS, Entry, deals
from tests.hostile.kinds import (
    ANYTHING,
    Kind,
    array,
    flag,
    generator,
    integer,
    kind,
    number,
)


def _weights() -> Any:
    return habits(Rules()).copy()


def _of_seats() -> Any:
    return np.repeat(_weights()[None], 4, axis=0)


def _view() -> View:
    game = random_game(4, Random(1), plays=5)
    assert game.to_move is not None
    return View.of(game, game.to_move)


def _begun() -> Begun:
    # One world three times: in all of them the mover holds the same hand.
    return Begun(deals()[np.zeros(3, np.int64)], 0, [])


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
    "Begun.values": Entry(lambda: _begun().values, {"habits": _HABITS}),
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
    "habit_card": Entry(lambda: habit_card, {"view": kind(_view), "habits": _HABITS}),
    "habit_traits": Entry(lambda: habit_traits, {"view": kind(_view)}),
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
