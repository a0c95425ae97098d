"""Section 1: the 78 cards, as strings such as ``PR``, ``K10``, ``A21`` and ``EX``."""

from __future__ import annotations

from collections.abc import Iterable

PLAIN_SUITS = ("P", "C", "K", "T")
SUIT_RANKS = ("1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "V", "C", "D", "R")
TRUMP = "A"
EXCUSE = "EX"

#: Every card, in the order by which programs number them from 0 to 77.
DECK: tuple[str, ...] = (
    *(suit + rank for suit in PLAIN_SUITS for rank in SUIT_RANKS),
    *(TRUMP + str(number) for number in range(1, 22)),
    EXCUSE,
)

PETIT = "A1"
BOUTS = ("A1", "A21", "EX")
ROIS = ("PR", "CR", "KR", "TR")


def _suit(card: str) -> str:
    """Return ``P``, ``C``, ``K``, ``T``, or ``A`` for a numbered trump, ``EX`` for the Excuse."""
    return EXCUSE if card == EXCUSE else card[0]


def _rank(card: str) -> int:
    """Return 1…14 in a suit, 1…21 for a trump, 0 for the Excuse, which has no rank."""
    if card == EXCUSE:
        return 0
    if card[0] == TRUMP:
        return int(card[1:])
    return SUIT_RANKS.index(card[1:]) + 1


def _half_points(card: str) -> int:
    if card in BOUTS or card in ROIS:
        return 9
    if card[0] in PLAIN_SUITS:
        return {"D": 7, "C": 5, "V": 3}.get(card[1:], 1)
    return 1


#: Looked up rather than called for: it is what every rule asks about every card.
SUIT: dict[str, str] = {card: _suit(card) for card in DECK}
RANK: dict[str, int] = {card: _rank(card) for card in DECK}
HALF_POINTS: dict[str, int] = {card: _half_points(card) for card in DECK}


def total(cards: Iterable[str]) -> int:
    """Return what `cards` are worth together, in half points."""
    return sum(HALF_POINTS[card] for card in cards)


def bouts(cards: Iterable[str]) -> tuple[str, ...]:
    """Return the bouts among `cards`."""
    return tuple(card for card in cards if card in BOUTS)


def mask(cards: Iterable[str]) -> int:
    """Return `cards` as an integer that has the bit of each card's place in `DECK`."""
    return sum(BIT[card] for card in cards)


#: The bit of each card in `mask`.
BIT: dict[str, int] = {card: 1 << place for place, card in enumerate(DECK)}
