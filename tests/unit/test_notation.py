"""What is understood as cards, and where it is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tarot_sim.cards import CARD_NAMES, CARDS, Card, Hand, parse_cards
from tarot_sim.errors import CardError
from tarot_sim.notation import format_mask, parse_number, parse_numbers

SUITS = ("pique", "cœur", "carreau", "trèfle")
RANKS = {14: "Roi", 13: "dame", 12: "Cavalier", 11: "VALET", 1: "As"}


def names(text: str) -> str:
    return " ".join(CARD_NAMES[card] for card in parse_numbers(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a:21,ex ♥:K", "A21 EX CR"),
        ("Pique: R D V", "PR PD PV"),
        ("Piques R, D, V Atouts 21 20 petit excuse", "PR PD PV A21 A20 A1 EX"),
        ("Roi de trèfle, As de pique", "TR P1"),
        ("le Roi de TRÈFLE et", None),
        ("R♠ 10♥ ♦D k♣", "PR C10 KD TR"),
        ("l'Excuse le Petit le 21 d'atout", "EX A1 A21"),
        ("21 d\u2019atout", "A21"),
        ("21 atout, atout 20", "A21 A20"),
        ("king of clubs; 21 of trumps; ace of spades", "TR A21 P1"),
        ("P:As,R,D C:D,C", "P1 PR PD CD CC"),
        ("T:R,D,C,10", "TR TD TC T10"),
        ("A:1 P:- C:R", "A1 CR"),
        ("P: R,D  C:10", "PR PD C10"),
        ("♠️:R", "PR"),
        ("", ""),
    ],
)
def test_what_is_understood(text: str, expected: str | None) -> None:
    if expected is None:
        with pytest.raises(CardError, match="unknown card 'et'"):
            names(text)
    else:
        assert expected == names(text)


@pytest.mark.parametrize("card", CARDS)
def test_every_card_has_a_name_in_words(card: Card) -> None:
    if card.suit < 4:
        rank = RANKS.get(card.rank, str(card.rank))
        spoken = [f"{rank} de {SUITS[card.suit]}", f"{card.name[1:]}{'♠♥♦♣'[card.suit]}"]
    elif card.name == "EX":
        spoken = ["Excuse", "l'excuse", "ex"]
    else:
        spoken = [f"{card.rank} d'atout", f"atout {card.rank}", f"{card.rank} atout"]
    for text in (card.name, card.name.lower(), *spoken):
        assert card == parse_number(text), text
        assert [card] == parse_numbers(text), text
        assert card == Card(text) == Card.parse(text)


@given(st.integers(min_value=0, max_value=2**78 - 1))
def test_what_is_printed_is_read(mask: int) -> None:
    for pretty in (False, True):
        assert Hand.from_mask(mask) == Hand(format_mask(mask, pretty=pretty))


@given(st.text(alphabet="PCKTARDV0123456789:,;♠ d'excoi", max_size=40))
def test_any_text_is_cards_or_one_short_line(text: str) -> None:
    fault = ""
    try:
        cards = parse_numbers(text)
    except CardError as error:
        cards, fault = [], str(error)
    assert all(0 <= card < 78 for card in cards)
    assert "\n" not in fault
    assert len(fault) < 300


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("A:21,22", "unknown card '22' at character 6: a card is"),
        ("PR S:R", "unknown suit 'S:' at character 4: suits are P C K T"),
        ("As", "unknown card 'As' at character 1"),
        ("Roi de", "unknown card 'Roi' at character 1"),
        ("x" * 100, f"unknown card '{'x' * 39}…' at character 1"),
        ("A:" * 400_000, "cards: 800000 characters, expected 10000 at most"),
    ],
)
def test_what_is_refused(text: str, message: str) -> None:
    with pytest.raises(CardError) as caught:
        parse_cards(text)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("text", ["", "PR PD", "P:R", "As", "A:21", "x" * 1000, "le"])
def test_one_card_is_one_card(text: str) -> None:
    with pytest.raises(CardError, match="unknown card"):
        parse_number(text)
