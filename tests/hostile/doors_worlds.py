"""Doors to worlds, batches and estimates: what each argument of them may be."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

import numpy as np

import tarot_sim as ts
from tarot_sim.estimation._evaluate import Evaluator
from tarot_sim.worlds._annealing import SHORT_SUITS, TOTALS, anneal_worlds
from tarot_sim.worlds._block import pack_deals
from tarot_sim.worlds._counts import chavey_counts, world_counts
from tarot_sim.worlds._discard import take_dogs
from tarot_sim.worlds.batch import Deals
from tarot_sim.worlds.discards import RULE, DiscardWeights
from tests.hostile.honest import (
    BATCH,
    BITS,
    CAMPS,
    DOG,
    FOREVER,
    GOAL,
    HAND,
    HAND_5,
    N_JOBS,
    PLAIN,
    ROWS,
    SEQUENCE,
    SMALL,
    TABLE,
    TABLE_5,
    TABLE_BYTES,
    TRUMPS,
    WIDTHS,
    WORLDS,
    Entry,
    deals,
    names,
    numbers,
)
from tests.hostile.kinds import (
    ANYTHING,
    Kind,
    anything,
    array,
    card,
    cards,
    flag,
    hand,
    integer,
    items,
    kind,
    number,
    seed,
)
from tests.hostile.values import LONG

# ---------------------------------------------------------------------------
# Worlds and batches


def _rule() -> Any:
    return RULE.array


def _weights(**changed: Any) -> Any:
    return DiscardWeights(**changed).array


def _column(name: str) -> Any:
    return getattr(deals(), name).copy()


def _filled(name: str, value: int) -> Any:
    changed = _column(name)
    changed[:] = value
    return changed


_WEIGHTS: Final = (
    array(_rule)
    .without("float64", "other endian", "bool")  # numpy makes none of a record
    .also(
        {
            "nan in it": lambda: _weights(points=np.nan),
            "inf in it": lambda: _weights(per_suit=(0.0, np.inf, 0.0, 0.0)),
        }
    )
    .but(ANYTHING, "as list", "objects", "lookalike", "no axis")
)
_SOME: Final = cards("A:20,18", sized=False).but(ANYTHING, "array of texts")
_ROWS: Final = (
    kind(lambda: np.array([0, 2]))
    .but(ANYTHING, "empty array", "list", "array", "ellipsis", "list of -1", "tuple")
    .also(
        {"slice": lambda: slice(1, None), "mask": lambda: np.array([True, False, True])}, ANYTHING
    )
    .also(
        {
            "beyond": lambda: np.array([3]),
            "far beyond": lambda: np.array([2**40]),
            "short mask": lambda: np.array([True]),
            "floats": lambda: np.array([0.0]),
        }
    )
)

WORLDS_AND_BATCHES: Final[dict[str, Entry]] = {
    "sample_worlds": Entry(
        lambda: ts.sample_worlds,
        {
            "hand": cards(HAND, sized=True),
            "seat": integer(2, 0, 3),
            "rules": TABLE,
            "n": integer(2, 0, 1000).but(ANYTHING, "2^31"),
            "bit_generator": seed(1),
            "dog": cards(DOG, sized=True).optional(),
        },
        errors=ROWS,
    ),
    "sample_worlds#seed": Entry(
        lambda: partial(ts.sample_worlds, ts.Hand(HAND), 2, ts.Rules(), 2), {"seed": seed(1)}
    ),
    "world_counts": Entry(
        lambda: world_counts,
        {
            "worlds": WORLDS,
            "taker": integer(0, 0, 3),
            "attack": CAMPS,
            "players": integer(4, 4, 5),
            "takes_dog": flag(True),
        },
    ),
    "chavey_counts": Entry(
        lambda: chavey_counts, {"worlds": WORLDS, "players": integer(4, 4, 5)}
    ),
    "take_dogs": Entry(
        lambda: take_dogs,
        {
            "worlds": WORLDS.but(ANYTHING, "place 255", "place 6"),
            "taker": integer(0, 0, 3),
            "players": integer(4, 2, 5),
            "size": integer(6, 1, 6),
            "called": integer(255, 0, 77),
            "weights": _WEIGHTS,
        },
    ),
    "anneal_worlds": Entry(
        lambda: anneal_worlds,
        {
            "worlds": WORLDS,
            "seat": integer(0, 0, 3),
            "players": integer(4, 4, 5),
            "heard": numbers([1, 2], 1, 1).but(ANYTHING, "too short", "0-d in it"),
            "fits": array(lambda: np.ones((2, 2, TOTALS, SHORT_SUITS)))
            .also({"nans": lambda: np.full((2, 2, TOTALS, SHORT_SUITS), np.nan)}, ANYTHING)
            .but(ANYTHING, "as list", "other endian", "objects", "bool", "lookalike", "float64"),
            "steps": numbers([3, 4], 0, 10**6).but(ANYTHING, "lying int in it", "0-d in it"),
            "bit_generator": BITS,
            "petit_sec": flag(True),
            "dog": anything(lambda: None),
        },
    ),
    "odds": Entry(
        lambda: ts.odds,
        {
            "hand": cards(HAND, sized=True).optional(),
            "dog": cards(DOG, sized=True).optional(),
            "players": integer(4, 4, 4).optional(),
            "rules": TABLE.optional(),
        },
    ),
    "Odds": Entry(
        lambda: ts.Odds,
        {name: anything(lambda: None) for name in ("hand", "dog", "rules", "hidden")},
    ),
    "Odds.card": Entry(
        lambda: ts.odds(HAND).card, {"card": card(77, lambda one: 0 <= one < 78)}
    ),
    "Odds.card#called": Entry(
        lambda: partial(ts.odds(HAND_5, players=5).card, 56),
        {"called": card(55, lambda one: one in (13, 27, 41, 55)).optional()},
    ),
    "Odds.split": Entry(lambda: ts.odds(HAND).split, {"cards": _SOME}),
    "Odds.suit": Entry(
        lambda: ts.odds(HAND).suit, {"suit": integer(2, 0, 4).but(ANYTHING, "as text")}
    ),
    "Odds.to_dict": Entry(
        lambda: ts.odds(HAND).to_dict,
        {
            "suits": items(lambda: [0, "C"], [("five", [5]), ("float", [0.0])], empty=True).but(
                ANYTHING, *(f"{name} in it" for name in ("true", "np int", "np bool", "0-d")),
                "index one in it", "true", "text array", "array",
            ),
            "cards": _SOME,
        },
    ),
    "Odds.to_dict#called": Entry(
        lambda: partial(ts.odds(HAND_5, players=5).to_dict, cards="A1"),
        {"called": card(55, lambda one: one in (13, 27, 41, 55)).optional()},
    ),
    "choose_discard": Entry(
        lambda: ts.choose_discard,
        {
            "cards": hand(f"{HAND} {DOG}").but(ANYTHING, "twice"),
            "rules": TABLE,
            "called": card(27, lambda one: 0 <= one < 78, must=False).optional(),
        },
    ),
    "Deals": Entry(
        lambda: Deals,
        {
            "rules": TABLE,
            "owners": array(lambda: deals().owners.copy()).also(
                {
                    "place 255": lambda: _owners(255),
                    "place 5": lambda: _owners(5),
                    "all of one": lambda: np.zeros((3, 78), np.uint8),
                }
            ),
            "attack": array(lambda: deals().attack.copy()).but(ANYTHING, "bool").also(
                {
                    "nobody": lambda: np.zeros(3, np.uint8),
                    "everybody": lambda: np.full(3, 15, np.uint8),
                    "seat 7": lambda: np.full(3, 128, np.uint8),
                }
            ),
            "leader": array(lambda: deals().leader.copy()).but(ANYTHING, "bool").also(
                {
                    "seat 4": lambda: np.full(3, 4, np.uint8),
                    "255": lambda: np.full(3, 255, np.uint8),
                }
            ),
            "half_points": array(lambda: deals().half_points.copy()).also(
                {
                    "32767": lambda: np.full(3, 32767, np.int16),
                    "-32768": lambda: np.full(3, -32768, np.int16),
                    "negative": lambda: np.full(3, -1, np.int16),
                    "183": lambda: np.full(3, 183, np.int16),
                }
            ),
            "bouts": array(lambda: deals().bouts.copy()).but(ANYTHING, "bool").also(
                {"255": lambda: np.full(3, 255, np.uint8), "8": lambda: np.full(3, 8, np.uint8)}
            ),
            "called": array(lambda: deals().called.copy()).also(
                {"78": lambda: np.full(3, 78, np.uint8), "56": lambda: np.full(3, 56, np.uint8),
                 "254": lambda: np.full(3, 254, np.uint8),
                 "at four": lambda: np.full(3, 13, np.uint8)}
            ),
            "contract": names("garde"),
        },
    ),
    "pack_deals": Entry(
        lambda: pack_deals,
        {
            "owners": array(lambda: deals().owners.copy()).also(
                {"place 255": lambda: _owners(255), "place 5": lambda: _owners(5)}
            ),
            **{
                name: array(partial(_column, name))
                .also({"255": partial(_filled, name, 255)})
                .but(ANYTHING, "bool")
                for name in ("attack", "leader", "half_points", "bouts")
            },
            "called": array(partial(_column, "called")).also(
                {"78": partial(_filled, "called", 78)}
            ),
            "players": integer(4, 4, 4),
            "size": integer(18, 18, 18),
        },
    ),
    "Deals.__getitem__": Entry(
        lambda: deals().__getitem__, {"rows": _ROWS}, positional=True, errors=SEQUENCE
    ),
    "Deals.position": Entry(
        lambda: deals().position, {"row": integer(2, -3, 2)}, errors=SEQUENCE
    ),
    "Evaluator": Entry(lambda: Evaluator, {"table_bytes": TABLE_BYTES}),
    "Evaluator.reaches": Entry(
        lambda: Evaluator(1 << 16).reaches,
        {
            "deals": BATCH,
            "objective": GOAL,
            "thresholds": integer(3, -4000, 4000).also(
                {
                    "several": lambda: [0, 3],
                    "none of them": list,
                    "array of them": lambda: np.array([0, 3]),
                }, ANYTHING
            ).also(
                {
                    "floats": lambda: [0.5],
                    "2^16": lambda: [2**16],
                    "texts": lambda: ["0"],
                    "2^16 array": lambda: np.array([2**16]),
                }
            ).but(ANYTHING, *("as list", "as array", "array", "list", "tuple", "generator",
                              "empty array", "dict", "set", "list of -1")),
            "widths": WIDTHS,
            "node_limit": integer(1000, 1, FOREVER),
        },
    ),
    "Evaluator.cards": Entry(
        lambda: Evaluator(1 << 16).cards,
        {
            "position": SMALL,
            "objective": GOAL,
            "widths": WIDTHS,
            "node_limit": integer(1000, 1, FOREVER),
        },
    ),
    "Evaluator.values": Entry(
        lambda: Evaluator(1 << 16).values,
        {
            "deals": BATCH,
            "objective": GOAL,
            "guesses": array(lambda: np.zeros(3, np.int16)).but(
                ANYTHING, "as list", "other endian", "bool"
            ).also({"32767": lambda: np.full(3, 32767, np.int16)})
            .but(ANYTHING, "32767"),
            "widths": WIDTHS,
            "node_limit": integer(1000, 1, FOREVER),
        },
    ),
    "Evaluator.sweeps": Entry(
        lambda: Evaluator(1 << 16).sweeps,
        {
            "deals": BATCH,
            "camp": names("attack"),
            "node_limit": integer(1000, 0, 1_000_000),
            "petit_au_bout": flag(False),
        },
    ),
    "Evaluator.policy": Entry(lambda: Evaluator(1 << 16).policy, {"deals": BATCH}),
}  # fmt: skip


def _owners(place: int) -> Any:
    changed = deals().owners.copy()
    changed[0, 0] = place
    return changed


# ---------------------------------------------------------------------------
# Estimates: dear, so that fewer forms of each are tried

_BIDS: Final = items(
    lambda: ["pass", "prise"],
    [("a name", "pass"), ("too many", ["pass"] * 10), ("long", ["pass"] * LONG)],
    empty=True,
).optional()
_DEALER: Final = integer(1, 0, 3, few=True).optional()
_SEED: Final = integer(1, 0, FOREVER, few=True).but(ANYTHING, "none")


def _few_cards(good: str) -> Kind:
    dear = ("int8 array", "uint16 array", "int16 array", "uint32 array", "int32 array",
            "uint64 array", "strided", "reversed", "big-endian", "object array of it", "read-only",
            "tuple of it", "set of it", "iterator", "np bytes", "its text")  # fmt: skip
    return cards(good, sized=True).without(*dear)


ESTIMATES: Final[dict[str, Entry]] = {
    "chances": Entry(
        lambda: ts.chances,
        {
            "hand": _few_cards(TRUMPS),
            "players": integer(4, 4, 4, few=True).optional(),
            "rules": TABLE.optional(),
            "worlds": integer(50, 1, FOREVER, few=True).optional(),
            "precision": number(0.9, 0.1, 0.99).optional(),
            "seconds": number(0.01, 0, FOREVER).optional(),
            "method": names("fast").optional(),
            "dealer": _DEALER,
            "auction": _BIDS,
            "called": kind(lambda: None).optional(),
            "model": names("double_dummy"),
            "seed": _SEED,
            "n_jobs": N_JOBS,
            "progress": Kind(lambda: None, {name: case for name, case in kind(int).cases.items()
                                            if name in ("object", "class", "function", "text")}),
        },
    ),
    "rank_discards": Entry(
        lambda: ts.rank_discards,
        {
            "hand": _few_cards(TRUMPS),
            "dog": _few_cards(PLAIN),
            "players": integer(4, 4, 4, few=True).optional(),
            "rules": TABLE.optional(),
            "worlds": integer(3, 3, 3, few=True).without("lying int"),
            "dealer": _DEALER,
            "called": kind(lambda: None).optional(),
            "candidates": integer(1, 1, 1000, few=True),
            "include": items(
                lambda: [PLAIN],
                [("a text", PLAIN), ("not there", ["A:21"]), ("numbers", [[0, 1]])],
                empty=True,
            ),
            "model": names("double_dummy"),
            "seed": _SEED,
            "n_jobs": N_JOBS,
        },
    ),
    "rank_calls": Entry(
        lambda: ts.rank_calls,
        {
            "hand": _few_cards(HAND_5),
            "rules": TABLE_5.optional(),
            "worlds": integer(3, 3, 3, few=True).without("lying int"),
            "dealer": integer(1, 0, 4, few=True).optional(),
            "model": names("double_dummy"),
            "seed": _SEED,
            "n_jobs": N_JOBS,
        },
    ),
    **{
        name: Entry(partial(getattr, ts, name), {
            field: anything(lambda: None) for field in getattr(ts, name).__dataclass_fields__
        })
        for name in ("Chances", "ContractChances", "Ranking")
    },
}  # fmt: skip
