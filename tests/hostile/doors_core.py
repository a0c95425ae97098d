"""Doors to cards, positions and the solver: what each argument of them may be."""

from __future__ import annotations

import operator
from functools import partial
from typing import Final

import tarot_sim as ts
from tarot_sim._core import Position
from tarot_sim.cards import Card, Hand
from tarot_sim.rules import Rules
from tarot_sim.solver._outcomes import outcomes
from tarot_sim.solver._plain import plain_card_values, plain_value
from tarot_sim.solver._solver import Objective, Solver
from tarot_sim.solver._sweep import can_sweep
from tarot_sim.solver.objectives import Stakes
from tests.hostile.honest import (
    FOREVER,
    GOAL,
    LIMIT,
    N_JOBS,
    NODES,
    OBJECTIVE,
    POSITIONS,
    ROWS,
    SECONDS,
    SMALL,
    SOLVER,
    STAKES,
    TABLE,
    TABLE_5,
    TABLE_BYTES,
    Entry,
    ending,
    five,
    names,
    numbers,
)
from tests.hostile.kinds import (
    ANYTHING,
    Same,
    anything,
    card,
    cards,
    flag,
    integer,
    items,
    kind,
    mask,
    position,
    seed,
    text,
)
from tests.hostile.values import lookalike

# ---------------------------------------------------------------------------
# Cards and hands


CARDS: Final[dict[str, Entry]] = {
    "Card": Entry(
        lambda: Card,
        {"value": card(62, lambda one: 0 <= one < 78).but(ANYTHING, "lying int")},
        positional=True,
    ),
    "Card.parse": Entry(lambda: Card.parse, {"text": text("A21")}),
    "parse_cards": Entry(
        lambda: ts.parse_cards, {"text": text("A:21,EX P:R", "empty text")}
    ),
    "Hand": Entry(
        lambda: Hand, {"cards": cards("A:21,20", sized=False), "size": integer(2, 2, 2).optional()}
    ),
    "Hand.from_mask": Entry(lambda: Hand.from_mask, {"mask": integer(3, 0, 2**78 - 1)}),
    "Hand.suit": Entry(lambda: Hand("A:21 P:R C:1").suit, {"suit": integer(2, 0, 4)}),
    "Hand.__contains__": Entry(
        lambda: Hand("A21 C1").__contains__,
        {"card": card(76, lambda _: True).but(ANYTHING, *kind(int).cases)
         .but(Same(lambda: 0), "minus", "2^31", "2^63", "2^64-1", "-2^63-1", "400 digits",
              "float", "half", "nan", "inf", "none", "object")
         .but(ANYTHING, "78", "256", "2^32", "as decimal", "as fraction", "as complex", "as float",
              "as np float", "as array", "as list", "as bytes", "and a half", "as text")},
    ),
    "Hand.__eq__": Entry(
        lambda: lambda other: operator.eq(Hand("A21"), other),
        {"other": anything(lambda: Hand("A20")).also({"lookalike": lambda: lookalike(Hand("A21"))},
                                                     Same(lambda: 0))},
        positional=True,
    ),
    **{
        f"Hand.{name}": Entry(
            partial(partial, function, Hand("A21 A20")),
            {"other": kind(lambda: Hand("A20 A19"))
             .but(ANYTHING, "np int", "np bool", "np float", "np nan", "np void", "0-d", "array",
                  "empty array", "float array", "object array", "text array", "array 2-d")
             .also({"lookalike": lambda: lookalike(Hand("A20"))}).but(ANYTHING, "lying int")},
            positional=True,
        )
        for name, function in {
            "__lt__": operator.lt, "__or__": operator.or_, "__and__": operator.and_,
            "__sub__": operator.sub,
        }.items()
    },
}  # fmt: skip

# ---------------------------------------------------------------------------
# Positions and playouts

_HANDS: Final = items(
    lambda: list(ending().hands),
    [
        ("three", list(ending().hands)[:3]),
        ("two", list(ending().hands)[:2]),
        ("six", [*ending().hands, *ending().hands[:2]]),
        ("one twice", [ending().hands[0]] * 4),
        ("beyond the pack", [1 << 78, *ending().hands[1:]]),
        ("negative", [-1, *ending().hands[1:]]),
        ("as texts", ["A21 PR", "PD P2", "A3 CR", "P1 C2"]),
        ("as lists", [[76, 13], [12, 1], [58, 27], [0, 15]]),
        ("all of the pack", [(1 << 78) - 1] * 4),
        ("no cards", [0, 0, 0, 0]),
        ("lookalikes", [lookalike(hand) for hand in ending().hands]),
    ],
).but(ANYTHING, "no cards", "three")
_PAIR: Final = items(
    lambda: [True, True], [("three", [True] * 3), ("one", [True]), ("dict", {1: 2, 3: 4})]
).but(ANYTHING, *(f"{name} in it" for name in kind(int).cases
                  if name not in ("nested", "recursive", "long list"))).but(
    ANYTHING, "breaking", "dict", "float array", "object array", "array 2-d",
    "bytearray", "memoryview", "np void",
)  # fmt: skip
_ATTACK: Final = numbers([0], 0, 3).but(ANYTHING, "array", "breaking", "0-d in it")

POSITIONS_AND_PLAYOUTS: Final[dict[str, Entry]] = {
    "Position": Entry(
        lambda: Position,
        {
            "hands": _HANDS,
            "attack": _ATTACK,
            "leader": integer(1, 0, 3),
            "rules": TABLE.optional(),
            "called": kind(lambda: None).optional(),
            "attack_half_points": integer(40, 0, 132),
            "attack_bouts": mask("EX A1", low=0, high=0),
            "won": _PAIR,
        },
    ),
    "Position#five": Entry(
        lambda: Position,
        {
            "hands": items(lambda: list(five().hands)),
            "attack": numbers([0, 1], 2, 4).but(ANYTHING, "too short", "array"),
            "leader": integer(4, 0, 4),
            "rules": TABLE_5.optional(),
            "called": card(41, lambda one: 0 <= one < 56).optional(),
        },
    ),
    "Position.hand": Entry(lambda: ending().hand, {"seat": integer(1, 0, 3)}),
    "Position.play": Entry(
        lambda: ending().play, {"card": card(12, lambda one: one in (1, 12))}
    ),
    "Position.perft": Entry(lambda: ending().perft, {"depth": integer(2, 0, FOREVER)}),
    "Position.__lt__": Entry(
        lambda: ending().__lt__,  # type: ignore[operator]  # it is there, and answers nothing
        {"value": anything(ending)},
        positional=True,
    ),
    "Position.__deepcopy__": Entry(
        lambda: ending().__deepcopy__, {"memo": anything(dict)}, positional=True
    ),
    "Position.play_against_the_rules": Entry(
        lambda: ending().play_against_the_rules, {"card": card(12, lambda one: one in (1, 12))}
    ),
    **{
        f"Position.{name}": Entry(
            partial(partial, function, ending()),
            {"value": anything(ending).also({"lookalike": lambda: lookalike(ending())}, ANYTHING)},
            positional=True,
        )
        for name, function in {"__eq__": operator.eq}.items()
    },
    "random_playouts": Entry(
        lambda: ts.random_playouts,
        {
            "position": SMALL,
            "n": integer(3, 0, 1000).but(ANYTHING, "2^31"),
            "bit_generator": seed(1),
        },
        errors=ROWS,
    ),
    "random_playouts#seed": Entry(
        lambda: partial(ts.random_playouts, ending(), 3), {"seed": seed(1)}
    ),
    "Result": Entry(
        lambda: ts.Result,
        {
            name: anything(lambda: 1)
            for name in ("attack_half_points", "bouts", "petit_au_bout", "chelem")
        },
    ),
}  # fmt: skip

# ---------------------------------------------------------------------------
# The solver

_LOWER: Final = integer(-100, -FOREVER, -64).optional()
_UPPER: Final = integer(120, -90, FOREVER).optional()

SEARCHES: Final[dict[str, Entry]] = {
    "Objective": Entry(
        lambda: Objective,
        {
            "need": numbers([112, 102, 82, 72], 102, 4000).but(ANYTHING, "lying int in it"),
            "extra": items(
                lambda: [[-20] * 3, [0] * 3, [20] * 3],
                [
                    ("flat", [0] * 9),
                    ("two rows", [[0] * 3] * 2),
                    ("short rows", [[0] * 2] * 3),
                    ("4001 in it", [[4001, 0, 0], [0] * 3, [0] * 3]),
                    ("2^64 in it", [[2**64, 0, 0], [0] * 3, [0] * 3]),
                    ("float in it", [[0.0, 0, 0], [0] * 3, [0] * 3]),
                ],
            ),
        },
    ),
    "Solver": Entry(lambda: Solver, {"table_bytes": TABLE_BYTES}),
    "Solver.bounds": Entry(
        lambda: Solver(1 << 16).bounds, {"position": SMALL, "objective": GOAL}
    ),
    "Solver.value": Entry(
        lambda: Solver(1 << 16).value,
        {
            "position": SMALL,
            "objective": GOAL,
            "lower": _LOWER,
            "upper": _UPPER,
            "guess": integer(3, -FOREVER, FOREVER).optional(),
            "limit": LIMIT,
        },
    ),
    "Solver.at_least": Entry(
        lambda: Solver(1 << 16).at_least,
        {
            "position": SMALL,
            "objective": GOAL,
            "threshold": integer(3, -FOREVER, FOREVER),
            "limit": LIMIT,
        },
    ),
    "Solver.cards": Entry(
        lambda: Solver(1 << 16).cards,
        {
            "position": SMALL,
            "objective": GOAL,
            "lower": _LOWER,
            "upper": _UPPER,
            "limit": LIMIT,
        },
    ),
    "Solver.keeping_card": Entry(
        lambda: Solver(1 << 16).keeping_card,
        {
            "position": SMALL,
            "objective": GOAL,
            "threshold": integer(3, -FOREVER, FOREVER),
            "limit": LIMIT,
        },
    ),
    "Solver.many": Entry(
        lambda: Solver(1 << 16).many,
        {
            "positions": POSITIONS,
            "objective": GOAL,
            "threshold": integer(3, -FOREVER, FOREVER).optional(),
            "limit": LIMIT,
        },
    ),
    "can_sweep": Entry(
        lambda: can_sweep,
        {
            "position": SMALL,
            "camp": names("attack"),
            "node_limit": integer(1000, 0, 1_000_000),
            "petit_au_bout": flag(False),
        },
    ),
    "plain_value": Entry(lambda: plain_value, {"position": SMALL, "objective": GOAL}),
    "plain_card_values": Entry(lambda: plain_card_values, {"position": SMALL, "objective": GOAL}),
    "Stakes": Entry(
        lambda: Stakes,
        {
            "contract": names("garde"),
            "poignees": items(lambda: ["simple"], [("a name", "simple")], empty=True).but(
                ANYTHING, "as iterator", "generator"
            ),
            "chelem_announced": flag(False),
            "miseres": items(lambda: ["trumps"], [("a name", "trumps")], empty=True).but(
                ANYTHING, "as iterator", "generator"
            ),
            "rules": kind(lambda: Rules(misere=10)),
        },
    ),
    "Stakes.per_defender": Entry(
        lambda: Stakes("garde").per_defender,
        {
            "margin": integer(10, -FOREVER, FOREVER),
            "petit_au_bout": integer(1, -1, 1),
            "chelem": integer(0, -1, 1),
        },
    ),
    "Stakes.objective": Entry(
        lambda: Stakes("garde").objective, {"threshold": integer(60, -FOREVER, FOREVER)}
    ),
    "solve": Entry(
        lambda: ts.solve,
        {
            "position": SMALL,
            "objective": names("score"),
            "stakes": STAKES,
            "make_only": flag(False),
            "cards": flag(True),
            "line": flag(True),
            "chelem": flag(True),
            "nodes": NODES,
            "seconds": SECONDS,
            "solver": SOLVER,
        },
    ),
    "can_make": Entry(
        lambda: ts.can_make,
        {"position": SMALL, "nodes": NODES, "seconds": SECONDS, "solver": SOLVER},
    ),
    "can_chelem": Entry(
        lambda: ts.can_chelem,
        {
            "position": position(
                lambda: Position(ending().hands, attack=[0], leader=0, won=(True, False))
            ),
            "camp": names("attack"),
            "nodes": NODES,
            "seconds": SECONDS,
            "solver": SOLVER,
        },
    ),
    "outcomes": Entry(lambda: outcomes, {"position": SMALL}),
    "solve_cards": Entry(
        lambda: ts.solve_cards,
        {
            "position": SMALL,
            "objective": names("score"),
            "stakes": STAKES,
            "solver": SOLVER,
        },
    ),
    "solve_many": Entry(
        lambda: ts.solve_many,
        {
            "positions": POSITIONS,
            "objective": OBJECTIVE,
            "threshold": integer(3, -FOREVER, FOREVER).optional(),
            "nodes": NODES,
            "seconds": SECONDS,
            "n_jobs": N_JOBS,
            "table_bytes": TABLE_BYTES,
        },
    ),
    "Solution": Entry(
        lambda: ts.Solution,
        {
            name: anything(lambda: None)
            for name in (
                "objective", "value", "bounds", "make", "best", "cards", "line", "exact",
                "nodes", "seconds", "chelem",
            )
        },
    ),
}  # fmt: skip
