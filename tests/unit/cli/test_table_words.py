"""What a person may type: commands, bids, calls, cards, in French and English."""

from __future__ import annotations

import pytest

from tarot_sim.cards import CARDS, Card, Hand
from tarot_sim.cli.table_words import (
    Puzzled,
    announcement_in,
    bid_in,
    call_in,
    card_in,
    cards_in,
    command_named,
)
from tarot_sim.rules.table import Bid

HAND = list(Hand("A:21,17,7,5,1,EX P:R,D,7 C:10,5 K:V,2"))


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("hint", "hint"), ("Conseil", "hint"), ("undo", "undo"), (" annuler ", "undo"),
        ("last", "last"), ("dernier", "last"), ("pli", "last"), ("score", "score"),
        ("hand", "hand"), ("main", "hand"), ("help", "help"), ("aide", "help"), ("?", "help"),
        ("quit", "quit"), ("QUITTER", "quit"), ("chien", "talon"), ("The dog", "talon"),
        ("suivre", "follow"), ("", None), ("PR", None), ("passe", None), ("21", None),
        ("petit", None), ("é" * 100_000, None),
    ],
)  # fmt: skip
def test_commands(line: str, command: str | None) -> None:
    assert command_named(line) == command


@pytest.mark.parametrize("card", CARDS)
def test_every_card_by_its_names(card: Card) -> None:
    held = list(CARDS)
    for written in (card.name, card.pretty, card.name.lower(), f" {card.name} "):
        assert card_in(written, held, held) == card


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("R♠", "PR"), ("roi de pique", "PR"), ("Roi de Pique", "PR"), ("P:R", "PR"),
        ("PR", "PR"), ("king of spades", "PR"), ("RP", "PR"), ("10♥", "C10"), ("10C", "C10"),
        ("petit", "A1"), ("le petit", "A1"), ("excuse", "EX"), ("l'excuse", "EX"),
        ("21", "A21"), ("17", "A17"), ("12", "A12"), ("a17", "A17"), ("17 d'atout", "A17"),
        ("10", "C10"), ("2", "K2"), ("1", "A1"), ("3", "A3"), ("roi", "PR"), ("valet", "KV"),
    ],
)  # fmt: skip
def test_a_card_in_a_hand(line: str, name: str) -> None:
    assert card_in(line, HAND, HAND).name == name


@pytest.mark.parametrize("card", [card for card in CARDS if card.name != "EX"])
def test_a_suit_and_a_rank_as_two_words(card: Card) -> None:
    held = list(CARDS)
    letter, rank = card.name[0], card.name[1:]
    suit = dict(zip("PCKTA", ("pique", "cœur", "Carreau", "trefle", "atout"), strict=True))[letter]
    for written in (f"{letter} {rank}", f"{rank} {suit}", f"{suit} {rank}", f"le {rank} {suit}"):
        assert card_in(written, held, held) == card


def test_a_number_is_the_legal_card_that_has_it() -> None:
    assert card_in("7", HAND, [Card("P7"), Card("PR")]) == Card("P7")
    assert card_in("7", HAND, [Card("A7"), Card("A17")]) == Card("A7")
    with pytest.raises(Puzzled, match=r'"7": which one, P7, A7\?'):
        card_in("7", HAND, HAND)


@pytest.mark.parametrize(
    "line", ["xyz", "A22", "0", "99", "PR PD", "-1", "\0", "é" * 9999, "P:", "P 15", "P C T", "A R"]
)
def test_no_card(line: str) -> None:
    with pytest.raises(Puzzled) as error:
        card_in(line, HAND, HAND)
    assert len(str(error.value)) < 120
    assert str(error.value).isprintable()


ALL: tuple[Bid, ...] = ("pass", "prise", "garde", "garde_sans", "garde_contre")


@pytest.mark.parametrize(
    ("line", "bid"),
    [
        ("0", "pass"), ("passe", "pass"), ("p", "pass"), ("1", "prise"), ("Petite", "prise"),
        ("2", "garde"), ("garde", "garde"), ("3", "garde_sans"), ("garde sans", "garde_sans"),
        ("Garde contre le chien", "garde_contre"), ("4", "garde_contre"),
    ],
)  # fmt: skip
def test_bids(line: str, bid: Bid) -> None:
    assert bid_in(line, ALL) == bid


def test_bids_that_may_not_be_said() -> None:
    with pytest.raises(Puzzled, match="Prise may not be bid"):
        bid_in("1", ("pass", "garde_sans"))
    for line in ("5", "belote", "PR"):
        with pytest.raises(Puzzled, match="no bid"):
            bid_in(line, ALL)


def test_calls() -> None:
    rois = [Card(name) for name in ("PR", "CR", "KR", "TR")]
    for line in ("2", "CR", "cœur", "coeur", "roi de cœur", "R♥", "hearts"):
        assert call_in(line, rois) == Card("CR")
    for line, message in [
        ("5", "the list has 4"), ("0", "the list"), ("PD", "PD may not be called"),
        ("xyz", "no card"), ("roi", "which one"),
    ]:  # fmt: skip
        with pytest.raises(Puzzled, match=message):
            call_in(line, rois)


def test_cards_of_an_ecart() -> None:
    for line in ("K4 K2 P7 P3 C10 C5", "K:4,2 P:7,3 C:10,5", "k4,k2,p7,p3,c10,c5"):
        assert cards_in(line, 6) == Hand("K:4,2 P:7,3 C:10,5")
    for line, message in [
        ("xyz", "no list"), ("", "no list"), ("K4 K4", "K4"), ("4 2", "no list"),
        ("K4 K2", "The écart has 6 cards, these are 2"),
    ]:  # fmt: skip
        with pytest.raises(Puzzled, match=message):
            cards_in(line, 6)


def test_announcements() -> None:
    offered = ("simple", "double", "chelem")
    for line in ("", "  ", "0", "non", "no", "rien", "aucune"):
        assert announcement_in(line, offered) is None
    answers: list[tuple[str, str]] = [
        ("1", "simple"), ("2", "double"), ("3", "chelem"), ("poignée simple", "simple"),
        ("une double poignée", "double"), ("chelem", "chelem"),
    ]  # fmt: skip
    for line, name in answers:
        assert announcement_in(line, offered) == name
    assert announcement_in("poignée", ("simple",)) == "simple"
    for line in ("4", "triple", "PR", "poignée"):
        with pytest.raises(Puzzled, match="may not be announced"):
            announcement_in(line, offered)


def test_megabytes_are_no_answer() -> None:
    line = "x" * 1_000_000
    assert command_named(line) is None
    with pytest.raises(Puzzled) as error:
        cards_in(line, 6)
    assert len(str(error.value)) < 120
