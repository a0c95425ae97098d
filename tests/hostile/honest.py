"""Honest objects, and the kinds of arguments that several doors share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import numpy as np

import tarot_sim as ts
from tarot_sim._core import Position
from tarot_sim.cards import Hand
from tarot_sim.deals.deal import Deal
from tarot_sim.deals.game import Game
from tarot_sim.deals.match import Match
from tarot_sim.rules import NEED, Rules
from tarot_sim.solver._solver import Objective, Solver
from tarot_sim.solver.limit import Limit
from tarot_sim.solver.objectives import Stakes
from tarot_sim.solver.widths import Widths
from tarot_sim.worlds.batch import Deals
from tarot_sim.worlds.contract_deals import contract_deals
from tests import records
from tests.hostile.kinds import (
    ANYTHING,
    PROPER,
    REFUSED,
    Kind,
    Same,
    array,
    generator,
    integer,
    items,
    kind,
    native,
    number,
    position,
    rules,
    text,
)
from tests.hostile.values import boom, liar, lookalike, pretender

FOREVER: Final = float("inf")
#: What a call raises that asks for more rows than there is memory for.
ROWS: Final = (*PROPER, MemoryError)
#: What an index that is out of range raises.
SEQUENCE: Final = (*PROPER, IndexError)


@dataclass(frozen=True, slots=True)
class Entry:
    """A callable, made afresh for every call, and the kinds of its arguments."""

    make: Callable[[], Callable[..., Any]]
    kinds: dict[str, Kind]
    #: Whether the arguments have no names.
    positional: bool = False
    #: What a wrong argument may raise.
    errors: tuple[type, ...] = PROPER


# ---------------------------------------------------------------------------
# Honest objects


HAND: Final = "A:21,19,16,14,11,8,5,1,EX P:R,D,6 C:C,10 K:R,4 T:V,9"
DOG: Final = "A:3 P:2 C:7,1 K:8 T:4"
HAND_5: Final = "A:21,16,14,11,8,5,1 P:R,D,6 C:C,10 K:4 T:V,9"
#: With a dog of plain cards there is but one écart, and nothing to search.
TRUMPS: Final = "A:21,20,19,18,17,16,15,14,13,12,11,10,1,EX P:R C:R K:R T:R"
PLAIN: Final = "P:2,1 C:2,1 K:1 T:1"


def ending() -> Position:
    """Return two tricks of four players; seat 0 against the others."""
    return Position(
        [Hand("A21 PR"), Hand("PD P2"), Hand("A3 CR"), Hand("P1 C2")],
        attack=[0],
        leader=1,
        won=(True, True),
    )


def five() -> Position:
    """Return a deal of five players before its first card."""
    return deal_5().position()


def deal() -> Deal:
    """Return a Garde of four with a trick on the table."""
    return Deal.from_dict(records.FOUR)


def deal_5() -> Deal:
    """Return a Garde sans of five before its first card."""
    return Deal.from_dict(records.FIVE)


@cache
def _worlds(players: int, n: int) -> Any:
    hand = Hand(HAND if players == 4 else HAND_5)
    return ts.sample_worlds(hand, 0, Rules(players=players), n, np.random.PCG64DXSM(1))


def worlds(players: int = 4, n: int = 3) -> Any:
    """Return worlds as an array of their own."""
    return _worlds(players, n).copy()


def deals(n: int = 3) -> Deals:
    """Return a batch of Gardes."""
    return contract_deals(worlds(n=n), Rules(), "garde", np.zeros(n, np.uint8))


def game(phase: str) -> Game:
    """Return a game of four that has come to `phase`; of five for the call."""
    return _game(phase).copy()


@cache
def _game(phase: str) -> Game:
    if phase == "call":
        record = records.FIVE
        bids = ["pass"] * 3 + ["garde", "pass"]
    else:
        record = records.FOUR
        bids = ["garde", "pass", "pass", "pass"]
    dealt = Deal.from_dict(records.changed(record, plays=[], poignees=[]))
    made = Game(dealt.hands, dealt.dog, dealer=dealt.dealer or 0)
    if phase != "auction":
        for bid in bids:
            made.bid(bid)  # type: ignore[arg-type]
    if phase == "play":
        made.discard(records.FOUR["discard"])
    return made


def match() -> Match:
    """Return a match of two deals, the first of them on the table and played out."""
    made = Match(n_deals=2, rng=1)
    on_table = made.deal()
    for bid in ("garde_sans", "pass", "pass", "pass"):
        on_table.bid(bid)
    while on_table.phase == "play":
        on_table.play(on_table.legal_cards()[0])
    ON_TABLE[:] = [on_table]
    return made


#: The game of the match that was made last.
ON_TABLE: Final[list[Game]] = []


# ---------------------------------------------------------------------------
# Kinds that several entries share


TABLE: Final = rules(Rules)
TABLE_5: Final = rules(lambda: Rules(players=5))
SMALL: Final = position(ending)
GOAL: Final = native(lambda: Objective(NEED))
SOLVER: Final = native(lambda: Solver(1 << 16)).optional()
BITS: Final = generator(lambda: np.random.PCG64DXSM(1))
NODES: Final = integer(1000, 0, FOREVER).optional()
SECONDS: Final = number(5.0, 0, FOREVER).optional()
LIMIT: Final = (
    kind(lambda: Limit(1000, 5.0))
    .also({"lookalike": lambda: lookalike(Limit(1000, 5.0)), "its class": lambda: Limit})
    .also(
        {
            "pretender": lambda: pretender(Limit(1000, 5.0)),
            "subclass": lambda: type("Mine", (Limit,), {})(1000, 5.0),
        },
        Same(lambda: Limit(1000, 5.0)),
    )
    .also(
        {
            "nodes -1": lambda: opened(Limit(), nodes=-1),
            "nodes x": lambda: opened(Limit(), nodes="x"),
            "seconds -1": lambda: opened(Limit(), seconds=-1.0),
            "seconds nan": lambda: opened(Limit(), seconds=float("nan")),
            "seconds x": lambda: opened(Limit(), seconds="x"),
        },
        ANYTHING,
    )
    .optional()
)
WIDTHS: Final = (
    kind(lambda: Widths(2, 2, 2, 1))
    .also({"lookalike": lambda: lookalike(Widths(2, 2, 2, 1)), "its class": lambda: Widths})
    .also({"a tuple": lambda: (2, 2, 2, 1)})
    .also({"pretender": lambda: pretender(Widths(2, 2, 2, 1))}, Same(lambda: Widths(2, 2, 2, 1)))
    .also(
        {
            "0 opened": lambda: opened(Widths(2, 2, 2, 1), attack_lead=0),
            "256 opened": lambda: opened(Widths(2, 2, 2, 1), attack_lead=256),
            "2^40 opened": lambda: opened(Widths(2, 2, 2, 1), attack_lead=2**40),
            "x opened": lambda: opened(Widths(2, 2, 2, 1), attack_lead="x"),
        },
        ANYTHING,
    )
)
STAKES: Final = (
    kind(lambda: Stakes("garde"))
    .also({"lookalike": lambda: lookalike(Stakes("garde")), "its class": lambda: Stakes})
    .also({"pretender": lambda: pretender(Stakes("garde"))}, Same(lambda: Stakes("garde")))
    .also(
        {
            "contract x": lambda: opened(Stakes("garde"), contract="x"),
            "contract raises": lambda: opened(Stakes("garde"), contract=liar(__hash__=boom)),
            "poignees x": lambda: opened(Stakes("garde"), poignees=("x",)),
            "poignees none": lambda: opened(Stakes("garde"), poignees=None),
        }
    )
)
WORLDS: Final = (
    array(worlds)
    .also({"place 255": lambda: with_place(255), "place 6": lambda: with_place(6)})
    .also({"no rows": lambda: worlds()[:0]}, ANYTHING)
)
CAMPS: Final = array(lambda: np.ones(3, np.uint8))
BATCH: Final = (
    kind(deals)
    .also(
        {
            "lookalike": lambda: lookalike(deals()),
            "its class": lambda: Deals,
            "one row": lambda: deals().owners,
            "owner 255 in a lookalike": lambda: liar(
                **columns(deals()) | {"owners": np.full((3, 78), 255, np.uint8)},
                rules=Rules(),
                __len__=lambda _: 3,
            ),
            "more rows than there are": lambda: liar(
                **columns(deals()), rules=Rules(), __len__=lambda _: 1000
            ),
            "seven players": lambda: opened(deals(), rules=liar(
                players=7, hand_size=18, excuse_no_trick="lose", excuse_last="trick_winner"
            )),
        }
    )
    .also(
        {
            "pretender": lambda: pretender(deals()),
            "subclass": lambda: type("Mine", (Deals,), {})(**columns(deals()), rules=Rules()),
            "lying length": lambda: type("Mine", (Deals,), {"__len__": lambda _: 1000})(
                **columns(deals()), rules=Rules()
            ),
            "negative length": lambda: type("Mine", (Deals,), {"__len__": lambda _: -1})(
                **columns(deals()), rules=Rules()
            ),
            "owners opened": lambda: opened(deals(), owners=np.full((3, 78), 200, np.uint8)),
            "owners 0 opened": lambda: opened(deals(), owners=np.zeros((3, 78), np.uint8)),
            "owners none": lambda: opened(deals(), owners=None),
            "owners short": lambda: opened(deals(), owners=deals().owners[:1]),
            "attack short": lambda: opened(deals(), attack=np.ones(1, np.uint8)),
            "leader short": lambda: opened(deals(), leader=np.ones(0, np.uint8)),
            "leader 200": lambda: opened(deals(), leader=np.full(3, 200, np.uint8)),
            "bouts 255 opened": lambda: opened(deals(), bouts=np.full(3, 255, np.uint8)),
            "points opened": lambda: opened(deals(), half_points=np.full(3, 32767, np.int16)),
            "attack 0 opened": lambda: opened(deals(), attack=np.zeros(3, np.uint8)),
            "rules none": lambda: opened(deals(), rules=None),
        },
        Same(deals),
    )
)  # fmt: skip


def opened(frozen: Any, **fields: Any) -> Any:
    for name, value in fields.items():
        object.__setattr__(frozen, name, value)
    return frozen


def columns(batch: Deals) -> dict[str, Any]:
    names = ("owners", "attack", "leader", "half_points", "bouts", "called")
    return {name: getattr(batch, name) for name in names}


def with_place(place: int) -> Any:
    changed = worlds()
    changed[0, 0] = place
    return changed


def names(good: str, *fine: str) -> Kind:
    return (
        text(good, *fine)
        .also(
            {
                "upper": lambda: good.upper() + "X",
                "subclass": lambda: type(
                    "Mine", (str,), {"__eq__": boom, "__hash__": str.__hash__}
                )(good),
            },
            ANYTHING,
        )
        .but(REFUSED, "upper")
    )


def positions_of(good: Callable[[], list[Any]]) -> Kind:
    return items(
        good,
        [
            ("a position", ending()),
            ("lookalike in it", [lookalike(ending()), ending()]),
            ("pretender in it", [ending(), pretender(ending())]),
            ("its class in it", [Position]),
            ("hands in it", [ending().hands]),
            ("lying length", liar(__len__=lambda _: 3, __getitem__=lambda _, __: None)),
            ("growing", _Growing(good())),
            ("shrinking", _Shrinking(good())),
        ],
        empty=True,
    ).but(ANYTHING, "growing", "shrinking")


class _Growing(list[Any]):
    """A list that is longer each time it is asked."""

    def __len__(self) -> int:
        self.append(self[0])
        return super().__len__()


class _Shrinking(list[Any]):
    """A list that loses what it has once it has told how much that is."""

    def __len__(self) -> int:
        length = super().__len__()
        self.clear()
        return length


def numbers(good: list[int], low: int, high: int) -> Kind:
    """Return a sequence of integers, in place of whose first any other number may stand."""
    found = items(
        lambda: list(good),
        [("too short", good[1:]), ("too long", [*good, good[-1]]), ("as text", "0000")],
    )
    fine = {
        f"{name} in it": value
        for name, value in {
            "true": 1,
            "np int": 1,
            "np bool": 1,
            "index one": 1,
            "minus": -1,
        }.items()
        if low <= value <= high
    }
    found = found.also({"int8 array": lambda: np.array(good, np.int16)}, Same(lambda: good))
    found = found.also({"float array of it": lambda: np.array(good, float)})
    found = found.also({"floats": lambda: [float(one) for one in good]})
    found = found.also({"halves": lambda: [one + 0.5 for one in good]})
    found = found.also({"nans": lambda: [float("nan")] * len(good)})
    return found.but(ANYTHING, *fine)


POSITIONS: Final = positions_of(lambda: [ending(), ending()])
OBJECTIVE: Final = names("points")
TABLE_BYTES: Final = integer(1 << 16, 1024, 2**40).without("2^31")
N_JOBS: Final = integer(1, -FOREVER, FOREVER, few=True)
