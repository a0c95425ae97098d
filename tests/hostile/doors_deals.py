"""Doors to rules, scores, deals and games: what each argument of them may be."""

from __future__ import annotations

import operator
from functools import partial
from typing import Final

import numpy as np

import tarot_sim as ts
from tarot_sim.cards import Card, Hand
from tarot_sim.deals.deal import Deal, Poignee
from tarot_sim.deals.game import Game
from tarot_sim.deals.match import Match
from tarot_sim.rules import Rules
from tarot_sim.rules.auction import Auction
from tarot_sim.rules.chavey import chavey_count
from tests import records
from tests.hostile.honest import (
    FOREVER,
    HAND,
    ON_TABLE,
    TABLE,
    Entry,
    deal,
    deal_5,
    ending,
    game,
    match,
    names,
    opened,
    with_place,
    worlds,
)
from tests.hostile.kinds import (
    ANYTHING,
    REFUSED,
    Kind,
    Same,
    anything,
    array,
    card,
    cards,
    flag,
    hand,
    integer,
    items,
    kind,
    mapping,
    mask,
    number,
    seed,
    text,
)
from tests.hostile.values import EMPTY, LONG, NUMBERS, lookalike, not_integers, pretender

# ---------------------------------------------------------------------------
# Rules, scores, auctions

_COUNT: Final = integer(60, 0, FOREVER).but(ANYTHING, "minus", "-2^63-1")
_STORED_SCORE: Final = (
    "target",
    "made",
    "difference",
    "per_defender",
    "taker",
    "partner",
    "defender",
)

#: Integers of other types.
_ONES: Final = ("true in it", "np int in it", "0-d in it", "index one in it")
_ROW_OF_3: Final = items(lambda: [10, 13, 15]).but(ANYTHING, "as tuple", *_ONES)


def bare_game() -> Game:
    """Return a game by house rules in which seat 2, who has no trumps, is to play."""
    hands = [
        "A:21,20,19,18,17,16,15,14,13,12 P:R,D,C,V C:R,D K:R T:R",
        "A:11,10,9,8,7,6 P:10,9 C:C,V,10 K:D,C,V,10 T:D,C,V",
        "P:8,7,6,5,4,3,2,1 C:9,8,7,6,5 K:9,8,7,6,5",
        "A:5,4,3,2,1,EX C:4,3,2,1 K:4,3 T:10,9,8,7,6,5",
    ]
    found = Game(
        [Hand(one) for one in hands], Hand("K:2,1 T:4,3,2,1"), dealer=1, rules=Rules(misere=10)
    )
    for bid in ("garde_sans", "pass", "pass", "pass"):
        found.bid(bid)
    return found


RULES: Final[dict[str, Entry]] = {
    "Rules": Entry(
        lambda: Rules,
        {
            "players": integer(4, 3, 5),
            "petit_sec": names("cancel"),
            "excuse_last": names("trick_winner"),
            "excuse_no_trick": names("lose"),
            "must_call_lower": kind(lambda: True).but(
                ANYTHING, "true", "np int", "np bool", "0-d", "float", "np float", "decimal",
                "fraction", "eq raises",
            ).but(REFUSED, "float", "np float", "decimal", "fraction"),
            "poignee_bonus": _ROW_OF_3, "poignee_sizes": _ROW_OF_3.but(ANYTHING, *EMPTY),
            "half_points": names("down"),
            "rounding": integer(5, 1, 1).but(ANYTHING, "number text", "as text"),
            "misere": integer(10, 0, 1000).but(ANYTHING, "number text", "as text"),
            "pousse": items(lambda: [1, 2, 4, 8, 16]).but(
                ANYTHING, "as tuple", *EMPTY, *_ONES
            ),
        },
    ),
    "Rules.fft": Entry(lambda: Rules.fft, {"players": integer(4, 3, 5)}),
    "Rules.named": Entry(
        lambda: Rules.named, {"name": names("fft"), "players": integer(4, 3, 5)}
    ),
    "Rules.with_players": Entry(lambda: Rules().with_players, {"players": integer(4, 3, 5)}),
    "Auction": Entry(
        lambda: Auction, {"dealer": integer(3, 0, 3), "rules": TABLE.optional()}
    ),
    "Auction.bid": Entry(lambda: Auction(3).bid, {"bid": names("garde")}),
    "chavey_count": Entry(
        lambda: ts.chavey_count, {"hand": mask(HAND, low=0, high=2**78 - 1)}
    ),
    "chavey_bid": Entry(
        lambda: ts.chavey_bid,
        {"count": _COUNT.also({"count": lambda: chavey_count(Hand(HAND))}, ANYTHING)
         .also({"lookalike": lambda: lookalike(chavey_count(Hand(HAND)))})},
    ),
    "score": Entry(
        lambda: ts.score,
        {
            "players": integer(4, 3, 5),
            "contract": names("garde"),
            "points": number(49, 40, 91).but(ANYTHING, "number text", "np int").also(
                {
                    "comma": lambda: "49,0",
                    "float of it": lambda: 49.0,
                    "int8": lambda: np.int8(49),
                }, ANYTHING
            ).also({"400 digits text": lambda: "9" * 400, "float digits": lambda: "1e1"})
            .but(REFUSED, "true", "np bool", "number text", "inf"),
            "bouts": integer(2, 0, 3),
            "petit_au_bout": names("attack").optional(),
            "poignees": items(lambda: ["simple"], [("a name", "simple"), ("ten", ["triple"] * 10)],
                              empty=True).but(ANYTHING, "as iterator", "generator"),
            "chelem": names("announced_failed").optional(),
            "alone": flag(False),
            "check": flag(True),
            "miseres": items(lambda: ["trumps"], [("a name", "trumps")], empty=True).but(
                ANYTHING, "as iterator", "generator"
            ),
            "rules": kind(lambda: Rules(misere=10)).optional(),
        },
    ),
    "score#unchecked": Entry(
        lambda: lambda **options: ts.score(**options, check=False),
        {
            "contract": names("garde"),
            "points": number(49, -FOREVER, FOREVER).but(ANYTHING, "number text"),
            "bouts": integer(2, 0, 3),
            "players": integer(4, 3, 5),
        },
    ),
    "Score": Entry(lambda: ts.Score, {name: anything(lambda: 1) for name in _STORED_SCORE}),
    "Score.by_seat": Entry(
        lambda: ts.score(contract="garde", points=49, bouts=2).by_seat,
        {
            "players": integer(4, 4, 4),
            "taker_seat": integer(1, 0, 3),
            "partner_seat": kind(lambda: None).optional(),
        },
    ),
    "Score.by_seat#five": Entry(
        lambda: ts.score(players=5, contract="garde", points=49, bouts=2).by_seat,
        {
            "players": integer(5, 5, 5),
            "taker_seat": integer(1, 0, 3),
            "partner_seat": integer(4, 0, 0),
        },
    ),
}  # fmt: skip

# ---------------------------------------------------------------------------
# Deals, games, matches

_RECORD: Final = mapping(lambda: dict(records.FOUR))
_DEAL: Final = (
    kind(deal)
    .also({"lookalike": lambda: lookalike(deal()), "its class": lambda: Deal,
           "its dict": lambda: deal().to_dict()})
    .also(
        {
            "pretender": lambda: pretender(deal()),
            "plays opened": lambda: opened(deal(), plays=(Card(77),)),
        },
        ANYTHING,
    )
)  # fmt: skip


def seat_of(good: int, players: int = 4) -> Kind:
    return integer(good, 0, players - 1)


def _full_hands() -> list[Hand]:
    return list(deal().hands)


_FULL_HANDS: Final = items(
    _full_hands,
    [
        ("three", _full_hands()[:3]),
        ("five", [*_full_hands(), Hand()]),
        ("one twice", [_full_hands()[0]] * 4),
        ("as texts", [str(hand) for hand in _full_hands()]),
        ("as integers", [hand.mask for hand in _full_hands()]),
        ("negative", [-1, *_full_hands()[1:]]),
        ("beyond", [1 << 80, *_full_hands()[1:]]),
        ("lookalikes", [lookalike(hand) for hand in _full_hands()]),
        ("opened", [opened(Hand(), mask=-1), *_full_hands()[1:]]),
    ],
).but(
    ANYTHING,
    "as integers",
    "as texts",
    "as iterator",
    "as object array",
    "as tuple",
    "one twice",
    *(f"{name} in it" for name, number in NUMBERS.items() if 0 <= number < 2**78),
)
_POIGNEES: Final = items(
    lambda: [Poignee(0, "simple")],
    [
        ("seat none", [Poignee(None, "simple")]),  # type: ignore[arg-type]
        ("seat text", [Poignee("0", "simple")]),  # type: ignore[arg-type]
        ("seat half", [Poignee(0.0, "simple")]),  # type: ignore[arg-type]
        ("seat -1", [Poignee(-1, "simple")]),
        ("seat nan", [Poignee(float("nan"), "simple")]),  # type: ignore[arg-type]
        ("level none", [Poignee(0, None)]),  # type: ignore[arg-type]
        ("level list", [Poignee(0, [])]),  # type: ignore[arg-type]
        ("level long", [Poignee(0, "é" * LONG)]),  # type: ignore[arg-type]
        ("a pair", [(0, "simple")]),
    ],
    empty=True,
).but(ANYTHING, "as iterator", "as object array")
_PLAYS: Final = items(
    lambda: [Card.parse("PR"), Card.parse("P10")],
    [
        ("floats", [13.0, 9.0]),
        ("78", [78]),
        ("-1", [-1]),
        ("2^40", [2**40]),
        ("twice", [13, 13]),
        ("not held", [77]),
        ("too many", list(range(78)) * 2),
    ],
    empty=True,
).also({"names": lambda: ["PR", "P10"], "ints": lambda: [13, 9],
        "np": lambda: np.array([13, 9])}, ANYTHING).but(
    ANYTHING, "as iterator", "as object array"
)  # fmt: skip
_PACK: Final = items(
    lambda: list(range(78)),
    [("short", list(range(77))), ("floats", [float(one) for one in range(78)]),
     ("one twice", [0, *range(77)])],
).also({"np": lambda: np.arange(78), "uint8": lambda: np.arange(78, dtype=np.uint8)}, ANYTHING
       ).but(ANYTHING, "as iterator", "minus in it", "true in it", "np int in it", "np bool in it",
             "0-d in it", "index one in it").but(
    REFUSED, "minus in it", "true in it", "np int in it", "np bool in it", "0-d in it",
    "index one in it",
).optional()  # fmt: skip

DEALS: Final[dict[str, Entry]] = {
    "Condition": Entry(
        lambda: ts.Condition,
        {"text": text("trumps>=7 and dog.rois==0"), "players": integer(4, 3, 5)},
    ),
    "Condition.__eq__": Entry(
        lambda: lambda other: operator.eq(ts.Condition("trumps>=7"), other),
        {"other": anything(lambda: ts.Condition("trumps>=8")).also(
            {"lookalike": lambda: lookalike(ts.Condition("trumps>=7"))},
            Same(lambda: ts.Condition("trumps>=8")),
        )},
        positional=True,
    ),
    "Condition.holds": Entry(lambda: ts.Condition("trumps>=7").holds, {"deal": _DEAL}),
    "Condition.holds_for": Entry(
        lambda: ts.Condition("trumps>=7").holds_for,
        {"hands": _FULL_HANDS, "dog": mask(records.FOUR["dog"], low=0, high=2**78 - 1)},
    ),
    "Condition.mask": Entry(
        lambda: ts.Condition("trumps>=7").mask,
        {
            "owners": array(worlds)
            .also({"place 255": lambda: with_place(255), "place 5": lambda: with_place(5)})
            .but(ANYTHING, "as list", "other endian", "objects", "float64", "bool", "place 5")
        },
    ),
    "Poignee": Entry(
        lambda: Poignee,
        {
            "seat": anything(lambda: 0),
            "level": anything(lambda: "simple"),
            "cards": anything(lambda: None),
        },
    ),
    "Deal": Entry(
        lambda: Deal,
        {
            "players": integer(4, 4, 4),
            "dealer": seat_of(3),
            "hands": _FULL_HANDS.but(REFUSED, "one twice").but(ANYTHING, "as tuple"),
            "dog": hand(records.FOUR["dog"]),
            "taker": seat_of(0),
            "contract": names("garde"),
            "called": kind(lambda: None).optional(),
            "discard": hand(records.FOUR["discard"]),
            "chelem": flag(False),
            "poignees": _POIGNEES,
            "miseres": items(list, empty=True).but(ANYTHING, "as iterator", "as object array"),
            "auction": items(lambda: ["garde"], empty=True).but(
                ANYTHING, "as iterator", "as object array"
            ),
            "plays": _PLAYS,
            "leader": kind(lambda: None).optional(),
            "partner": kind(lambda: None).optional(),
            "attack_half_points": integer(0, 0, 0),
            "attack_bouts": kind(Hand).but(ANYTHING, *EMPTY),
            "swept": kind(lambda: None).optional(),
            "rules": TABLE,
        },
    ),
    "Deal#ending": Entry(
        lambda: Deal,
        {
            "players": integer(4, 4, 4),
            "dealer": seat_of(1).optional(),
            "hands": items(lambda: list(ending().hands)).but(
                ANYTHING, "as tuple", "as object array"
            ),
            "taker": seat_of(0),
            "contract": names("garde").optional(),
            "leader": seat_of(1),
            "attack_half_points": integer(61, 0, 132),
            "attack_bouts": hand("A1").but(ANYTHING, *EMPTY),
            "swept": names("attack").optional(),
        },
    ),
    "Deal#five": Entry(
        lambda: Deal,
        {
            "players": integer(5, 5, 5),
            "dealer": seat_of(4, 5),
            "hands": items(lambda: list(deal_5().hands)).but(
                ANYTHING, "as tuple", "as object array", "as iterator"
            ),
            "dog": hand(records.FIVE["dog"]),
            "taker": seat_of(0, 5),
            "contract": names("garde_sans").optional(),
            "called": card(41, lambda one: one == 41, must=False).optional(),
        },
    ),
    "Deal.random#seed": Entry(lambda: Deal.random, {"seed": seed(1)}),
    "Deal.random": Entry(
        lambda: Deal.random,
        {
            "players": integer(4, 3, 5).optional(),
            "rng": seed(1),
            "rules": TABLE.optional(),
            "dealer": seat_of(2).optional(),
        },
    ),
    "Deal.physical#seed": Entry(lambda: Deal.physical, {"seed": seed(1)}),
    "Deal.physical": Entry(
        lambda: Deal.physical,
        {
            "players": integer(4, 3, 5).optional(),
            "rng": seed(1),
            "rules": TABLE.optional(),
            "dealer": seat_of(2).optional(),
            "riffles": integer(3, 0, 1000),
            "pack": _PACK,
        },
    ),
    "Deal.from_dict": Entry(lambda: Deal.from_dict, {"data": _RECORD, "rules": TABLE.optional()}),
    "Deal.holder": Entry(
        lambda: deal().holder,
        {"card": card(13, lambda _: True).but(ANYTHING, *kind(int).cases, *not_integers(13),
                                              "78", "256", "2^32")},
    ),
    "Deal.position": Entry(
        lambda: deal().position, {"ply": integer(2, 0, 4).optional()}
    ),
    "Game": Entry(
        lambda: Game,
        {
            "hands": _FULL_HANDS.but(REFUSED, "as texts", "one twice").but(ANYTHING, "as iterator"),
            "dog": mask(records.FOUR["dog"]),
            "dealer": seat_of(3),
            "rules": TABLE.optional(),
        },
    ),
    "Game.bid": Entry(lambda: game("auction").bid, {"bid": names("garde")}),
    "Game.call": Entry(
        lambda: game("call").call, {"card": card(41, lambda one: one in (13, 27, 41, 55))}
    ),
    "Game.discard": Entry(
        lambda: game("discard").discard, {"cards": cards(records.FOUR["discard"], sized=True)}
    ),
    "Game.show_poignee": Entry(
        lambda: game("play").show_poignee,
        {
            "level": names("simple"),
            "cards": cards("A:21,20,19,18,17,16,15,14,13,12", sized=True).optional(),
        },
    ),
    "Game.show_misere": Entry(lambda: bare_game().show_misere, {"kind": names("trumps")}),
    "Game.play": Entry(
        lambda: game("play").play, {"card": card(13, lambda one: one in game("play").hands[0])}
    ),
    "Game.showable": Entry(lambda: game("play").showable, {"seat": seat_of(1)}),
    "Match#seed": Entry(lambda: partial(ts.Match, n_deals=2), {"seed": seed(1)}),
    "Match": Entry(
        lambda: Match,
        {
            "rules": TABLE.optional(),
            "n_deals": integer(2, 1, FOREVER),
            "dealer": seat_of(1),
            "rng": seed(1),
        },
    ),
    "Match.settle": Entry(
        lambda: match().settle,
        {"game": kind(lambda: ON_TABLE[0]).also(
            {
                "another game": lambda: game("auction"),
                "lookalike": lambda: lookalike(game("auction")),
                "never set up": lambda: object.__new__(Game),
            }
        )},
    ),
    "replay": Entry(lambda: ts.replay, {"deal": _DEAL}),
    "Replay": Entry(
        lambda: ts.Replay,
        {
            name: anything(lambda: None)
            for name in (
                "tricks", "attack_half_points", "defence_half_points", "is_over", "bouts", "made",
                "petit_au_bout", "chelem", "score", "scores",
            )
        },
    ),
}  # fmt: skip
