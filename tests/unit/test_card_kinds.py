"""A card may be any kind of integer, or a name, wherever one is read; nothing else is a card."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from enum import IntEnum
from typing import Any

import numpy as np
import pytest

import tarot_sim as ts
from tarot_sim.errors import TarotError
from tarot_sim.rules.auction import check_call
from tests.commands import DOGS, HANDS

FIVE = ts.Rules(players=5)
TR = ts.Card("TR")
RECORD = {
    "players": 4, "hands": ["A21 TR", "TD T2", "A3 CR", "T1 C2"], "leader": 0, "taker": 0,
    "contract": "garde",
}  # fmt: skip


class Named(IntEnum):
    """The Roi de Trèfle as a program may call it."""

    TR = 55


#: What is the Roi de Trèfle.
KINDS: dict[str, Any] = {
    "Card": TR,
    "int": 55,
    "IntEnum": Named.TR,
    **{name: getattr(np, name)(55) for name in ("int8", "uint8", "int16", "uint32", "int64")},
}
#: What is no card, though some of it is equal to one, or is a number.
NO_CARDS: dict[str, Any] = {
    "True": True, "bool_": np.bool_(True), "bytes": b"TR", "float": 55.0, "float64": np.float64(55),
    "bytearray": bytearray(b"TR"), "list": [55], "-1": -1, "78": 78, "256 + 55": 256 + 55,
    "int64": np.int64(-1), "uint64": np.uint64(2**64 - 1), "nothing": object(),
}  # fmt: skip


def game() -> ts.Game:
    hands = [HANDS[5], "A:20,19,17 P:V,C C:R,D,C K:R,D,C T:D,C,7,6"]
    rest = ts.FULL_PACK - ts.Hand(hands[0]) - ts.Hand(hands[1]) - ts.Hand(DOGS[5])
    others = list(rest)
    dealt = [ts.Hand(others[15 * seat : 15 * seat + 15]) for seat in range(3)]
    begun = ts.Game([*map(ts.Hand, hands), *dealt], ts.Hand(DOGS[5]), dealer=4, rules=FIVE)
    for bid in ("garde_sans", "pass", "pass", "pass", "pass"):
        begun.bid(bid)
    return begun


def called_in_game(card: Any) -> object:
    begun = game()
    begun.call(card)
    return begun.called


def called_in_deal(card: Any) -> object:
    begun = game()
    deal = ts.Deal(5, 4, begun.dealt, ts.Hand(DOGS[5]), taker=0, contract="garde_sans", rules=FIVE)
    return replace(deal, called=card).to_dict()["called"]


def played(card: Any) -> object:
    position = ts.Deal.from_dict(RECORD).position()
    position.play(card)
    return position.undo()


def played_against_the_rules(card: Any) -> object:
    position = ts.Deal.from_dict(RECORD).position()
    position.play_against_the_rules(card)
    return position.undo()


#: Every place where a card is read: what it was read as, or what follows from it.
DOORS: dict[str, Callable[[Any], Any]] = {
    "Card": ts.Card,
    "Hand": lambda card: ts.Hand([card]),
    "Hand of a set": lambda card: ts.Hand({card}),
    "Position.play": played,
    "play_against_the_rules": played_against_the_rules,
    "Game.call": called_in_game,
    "Deal.called": called_in_deal,
    "Deal.plays": lambda card: replace(ts.Deal.from_dict(RECORD), plays=(card,)).to_dict()["plays"],
    "check_call": lambda card: check_call(card, ts.Hand(HANDS[5]), FIVE),
    "chances": lambda card: (
        ts.chances(HANDS[5], players=5, called=card, worlds=50, method="fast", n_jobs=1).called
    ),
    "rank_discards": lambda card: (
        ts.rank_discards(
            HANDS[5], DOGS[5], rules=FIVE, called=card, worlds=3, candidates=2, n_jobs=1
        ).best
    ),
    "choose_discard": lambda card: ts.choose_discard(
        ts.Hand(HANDS[5] + " " + DOGS[5]), FIVE, called=card
    ),
    "Odds.card": lambda card: ts.odds(HANDS[5], players=5).card(card),
    "Odds.card called": lambda card: ts.odds(HANDS[5], players=5).card("A1", called=card),
    "Odds.split": lambda card: ts.odds(HANDS[5], players=5).split([card]),
}


@pytest.mark.parametrize("door", DOORS)
def test_any_kind_of_integer(door: str) -> None:
    expected = DOORS[door]("TR")
    for kind, card in KINDS.items():
        found = DOORS[door](card)
        assert expected == found, kind
        assert repr(expected) == repr(found), kind


@pytest.mark.parametrize("kind", NO_CARDS)
@pytest.mark.parametrize("door", DOORS)
def test_what_is_no_card(door: str, kind: str) -> None:
    if door == "Hand of a set" and kind in ("bytearray", "list"):
        pytest.skip("no set has one")
    with pytest.raises((TarotError, TypeError)):
        DOORS[door](NO_CARDS[kind])


def test_in_a_hand() -> None:
    hand = ts.Hand("P:2 T:R")
    assert all(card in hand for card in KINDS.values())
    assert "TR" in hand
    assert all(card not in hand for card in NO_CARDS.values())


def test_arrays() -> None:
    for kind in (np.int8, np.uint8, np.int64, np.uint64):
        assert ts.Hand("A:21,20 P:1") == ts.Hand(np.array([76, 75, 0], kind))
