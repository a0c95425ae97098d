"""Cards and hands from Python: whatever kind of integer, never something else."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

from tarot_sim.cards import CARDS, FULL_PACK, Card, Hand, parse_cards
from tarot_sim.errors import CardError, HandError, TarotError

INTEGERS = (np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64)


@pytest.mark.parametrize("kind", INTEGERS)
def test_numpy_integers_are_the_right_cards(kind: type) -> None:
    for card in CARDS:
        assert card == Card(kind(card))
        assert Hand((card,)) == Hand([kind(card)])
        assert kind(card) in Hand((card,))
    assert FULL_PACK == Hand(np.arange(78, dtype=kind))
    assert Hand("A:21,20") == Hand(np.array([76, 75], dtype=kind))


@pytest.mark.parametrize("kind", INTEGERS)
def test_no_other_number_is_a_card(kind: type) -> None:
    for number in {78, 127, np.iinfo(kind).max, np.iinfo(kind).min} - {0}:
        if np.iinfo(kind).min <= number <= np.iinfo(kind).max and number:
            with pytest.raises(CardError, match="unknown card number"):
                Hand([kind(number)])


def test_names_are_cards() -> None:
    assert Hand("A:21,20 P:R") == Hand(["A21", "A20", "Roi de pique"])
    assert Card("A21") is not Card.parse("A20")
    assert repr(Card("EX")) == "Card('EX')"


@pytest.mark.parametrize(
    "cards",
    [b"A:21", bytearray(b"A:21"), memoryview(b"\x01"), 5, None, 1.5, object(), True],
)
def test_what_are_no_cards(cards: Any) -> None:
    with pytest.raises(HandError, match="cards: expected text or cards, not "):
        Hand(cards)


@pytest.mark.parametrize("card", [-1, 78, 2**63, 2**200, True, 1.0, None, b"A21", [5], "A22"])
def test_what_is_no_card(card: Any) -> None:
    for call in (Card, lambda one: Hand([one])):
        with pytest.raises(CardError) as caught:
            call(card)
        assert len(str(caught.value)) < 200


@pytest.mark.parametrize("text", [None, 5, b"A21", 1.5])
def test_parse_reads_names_only(text: Any) -> None:
    with pytest.raises(CardError, match="card: expected a name"):
        Card.parse(text)


def test_a_card_twice() -> None:
    with pytest.raises(HandError, match="card A21 comes twice"):
        Hand([76, np.int64(76)])


def test_a_mask_is_an_integer() -> None:
    assert Hand("P1") == Hand.from_mask(np.int64(1))
    for mask in (-1, 1 << 78):
        with pytest.raises(HandError, match="the mask has bits beyond the 78 cards"):
            Hand.from_mask(mask)


def test_cards_can_be_pickled() -> None:
    for card in CARDS:
        assert card == pickle.loads(pickle.dumps(card))
        assert type(pickle.loads(pickle.dumps(card))) is Card


def test_errors_say_the_place() -> None:
    with pytest.raises(TarotError, match="at character 4"):
        parse_cards("PR XX")
