"""The 78 cards, their names, and sets of them.

A card is an integer 0…77: the four suits Pique, Cœur, Carreau, Trèfle of 14 cards
from the As (1, the lowest) to the Roi (14), then the trumps 1…21, then the Excuse.
A set of cards is an integer with one bit a card; `Hand` is that integer with the
manners of a frozen set and the one notation of the project.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import total_ordering
from operator import index
from typing import Final, SupportsIndex

from tarot_sim.arguments import integer, whole_number
from tarot_sim.errors import CardError, HandError
from tarot_sim.notation import (
    RANK_NAMES,
    SUIT_LETTERS,
    SUIT_SYMBOLS,
    TRUMP,
    format_mask,
    parse_number,
    parse_numbers,
    shown,
)
from tarot_sim.notebook import cards_html

PACK: Final = 78  #: cards of the pack

EXCUSE_SUIT: Final = 5  #: the "suit" of the Excuse, which belongs to none

_HONOUR_HALF_POINTS: Final = {14: 9, 13: 7, 12: 5, 11: 3}
_EXCUSE_ID: Final = 77


class Card(int):
    """One card: an integer 0…77 that prints as its name.

    Parameters
    ----------
    card
        Its number, or its name as `parse` reads it.

    Raises
    ------
    CardError
        If there is no such card.

    Examples
    --------
    >>> Card("CC"), Card(77), Card("A21").half_points
    (Card('CC'), Card('EX'), 9)
    """

    __slots__ = ()

    def __new__(cls, card: SupportsIndex | str) -> Card:
        """Return the card with this number or name."""
        number = parse_number(card) if isinstance(card, str) else number_of(card)
        return super().__new__(cls, number)

    @classmethod
    def parse(cls, text: str) -> Card:
        """Return the card named `text`: ``PR``, ``K10``, ``A21``, ``EX``, ``R♠``, ``As de pique``.

        Raises
        ------
        CardError
            If `text` names no card.
        """
        if not isinstance(text, str):
            raise CardError(f"card: expected a name, not {shown(text)}")
        return CARDS[parse_number(text)]

    @property
    def name(self) -> str:
        """Name in the project's notation, suit first."""
        return CARD_NAMES[self]

    @property
    def suit(self) -> int:
        """0…3 for Pique, Cœur, Carreau, Trèfle; 4 for a trump; 5 for the Excuse."""
        return EXCUSE_SUIT if self == _EXCUSE_ID else min(self // 14, TRUMP)

    @property
    def rank(self) -> int:
        """1…14 in a suit, 1…21 for a trump, 0 for the Excuse."""
        if self == _EXCUSE_ID:
            return 0
        return self % 14 + 1 if self < 56 else self - 55

    @property
    def half_points(self) -> int:
        """Value in half points: 9 for a bout or a Roi, 7, 5, 3, else 1."""
        return HALF_POINTS[self]

    @property
    def pretty(self) -> str:
        """Name with the suit's symbol."""
        return SUIT_SYMBOLS[self.suit] + self.name[1:] if self < 56 else self.name

    def __str__(self) -> str:
        return CARD_NAMES[self]

    def _repr_html_(self) -> str:
        return cards_html(self.pretty)

    def __repr__(self) -> str:
        return f"Card({CARD_NAMES[self]!r})"


def number_of(card: SupportsIndex) -> int:
    """Return a card's number as a Python integer, whatever kind of integer it is.

    Raises
    ------
    CardError
        If it is no integer, or none of 0…77.
    """
    try:
        number = index(card)
    except TypeError:
        raise CardError(f"card: {shown(card)} is neither a number nor a name") from None
    if isinstance(card, bool) or not 0 <= number < PACK:
        raise CardError(f"unknown card number {shown(card)}: cards are 0…{PACK - 1}")
    return number


def _names() -> tuple[str, ...]:
    suits = [letter + rank for letter in SUIT_LETTERS for rank in RANK_NAMES]
    return (*suits, *(f"A{rank}" for rank in range(1, 22)), "EX")


CARD_NAMES: Final[tuple[str, ...]] = _names()
CARDS: Final[tuple[Card, ...]] = tuple(map(Card, range(PACK)))
_BY_NAME: Final = {name: card for card, name in zip(CARDS, CARD_NAMES, strict=True)}

PETIT: Final = _BY_NAME["A1"]
VINGT_ET_UN: Final = _BY_NAME["A21"]
EXCUSE: Final = _BY_NAME["EX"]

#: Half points of each card, by its number.
HALF_POINTS: Final[tuple[int, ...]] = tuple(
    9
    if card in (PETIT, VINGT_ET_UN, EXCUSE)
    else _HONOUR_HALF_POINTS.get(card.rank, 1)
    if card < 56
    else 1
    for card in CARDS
)

#: Masks: the whole pack, each suit (then the numbered trumps), the bouts, the Rois.
FULL_MASK: Final = (1 << PACK) - 1
SUIT_MASKS: Final[tuple[int, ...]] = (
    *(((1 << 14) - 1) << 14 * suit for suit in range(4)),
    ((1 << 21) - 1) << 56,
)
BOUTS_MASK: Final = 1 << PETIT | 1 << VINGT_ET_UN | 1 << EXCUSE
ROIS_MASK: Final = sum(1 << 14 * suit + 13 for suit in range(4))
#: Rois, Dames, Cavaliers and Valets.
COURTS_MASK: Final = sum(0b1111 << 14 * suit + 10 for suit in range(4))


def parse_cards(text: str) -> list[Card]:
    """Return the cards named in `text`, in the order they are named.

    Groups (``A:21,EX P:R,D``) and single cards (``A21 EX PR PD``) may be mixed; symbols of
    suits, lower case and English ranks are understood, and names in words (``Pique: Roi, 10``,
    ``As de pique``, ``petit``, ``21 d'atout``).

    Raises
    ------
    CardError
        If a token names no card; the message has the token and its place.

    Examples
    --------
    >>> parse_cards("a:21,ex ♥:K")
    [Card('A21'), Card('EX'), Card('CR')]
    >>> parse_cards("Roi de trèfle, 10♥, l'Excuse")
    [Card('TR'), Card('C10'), Card('EX')]
    """
    return [CARDS[card] for card in parse_numbers(text)]


def mask_of(cards: Iterable[SupportsIndex | str]) -> int:
    """Return the set of `cards`, numbers or names, as an integer with one bit a card.

    Raises
    ------
    CardError
        If a number is none of 0…77, or a name none of a card.
    HandError
        If a card comes twice.
    """
    mask = 0
    for card in cards:
        number = parse_number(card) if isinstance(card, str) else number_of(card)
        if mask >> number & 1:
            raise HandError(f"card {CARD_NAMES[number]} comes twice")
        mask |= 1 << number
    return mask


@total_ordering
class Hand:
    """A set of cards that reads and prints the project's notation.

    Parameters
    ----------
    cards
        Text such as ``"A:21,EX P:R,D"`` (see `parse_cards`), another hand, or cards by their
        numbers or names.
    size
        If given, how many cards there must be.

    Raises
    ------
    CardError
        If a token names no card.
    HandError
        If `cards` are no cards at all, one comes twice, or their number is not `size`.

    Examples
    --------
    >>> hand = Hand("ex a21 ♠:k,q 5")
    >>> print(hand)
    A:21,EX P:R,D,5
    >>> len(hand), hand.half_points, Card.parse("PR") in hand
    (5, 35, True)
    """

    __slots__ = ("mask",)
    mask: int

    def __init__(
        self, cards: str | Hand | Iterable[SupportsIndex | str] = (), *, size: int | None = None
    ) -> None:
        if isinstance(cards, Hand):
            mask = Hand.from_mask(cards.mask).mask
        elif isinstance(cards, str):
            mask = mask_of(parse_numbers(cards))
        elif isinstance(cards, (bytes, bytearray, memoryview)) or not isinstance(cards, Iterable):
            raise HandError(f"cards: expected text or cards, not {shown(cards)}")
        else:
            mask = mask_of(cards)
        if size is not None and mask.bit_count() != integer("size", size):
            raise HandError(f"the hand has {mask.bit_count()} cards, expected {shown(size)}")
        object.__setattr__(self, "mask", mask)

    @classmethod
    def from_mask(cls, mask: SupportsIndex) -> Hand:
        """Return the hand whose cards are the bits of `mask`."""
        bits = index(mask)
        if not 0 <= bits <= FULL_MASK:
            raise HandError("the mask has bits beyond the 78 cards")
        hand = cls.__new__(cls)
        object.__setattr__(hand, "mask", bits)
        return hand

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a Hand is frozen")

    def __reduce__(self) -> tuple[object, tuple[int]]:
        return Hand.from_mask, (self.mask,)

    def __index__(self) -> int:
        return self.mask

    def __iter__(self) -> Iterator[Card]:
        mask = self.mask
        while mask:
            yield CARDS[(mask & -mask).bit_length() - 1]
            mask &= mask - 1

    def __len__(self) -> int:
        return self.mask.bit_count()

    def __bool__(self) -> bool:
        return self.mask != 0

    def __contains__(self, card: object) -> bool:
        if isinstance(card, str):
            card = Card.parse(card)
        try:
            number = index(card)  # type: ignore[arg-type]  # of whatever is asked for
        except TypeError:
            return False
        if isinstance(card, bool):  # an integer, but no card
            return False
        return 0 <= number < PACK and bool(self.mask >> number & 1)

    def __eq__(self, other: object) -> bool:
        return self.mask == other.mask if isinstance(other, Hand) else NotImplemented

    def __lt__(self, other: object) -> bool:
        return self.mask < other.mask if isinstance(other, Hand) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.mask)

    def __or__(self, other: Hand) -> Hand:
        if not isinstance(other, Hand):
            return NotImplemented
        return Hand.from_mask(self.mask | other.mask)

    def __and__(self, other: Hand) -> Hand:
        if not isinstance(other, Hand):
            return NotImplemented
        return Hand.from_mask(self.mask & other.mask)

    def __sub__(self, other: Hand) -> Hand:
        if not isinstance(other, Hand):
            return NotImplemented
        return Hand.from_mask(self.mask & ~other.mask)

    def __str__(self) -> str:
        return format_mask(self.mask)

    def __repr__(self) -> str:
        return f"Hand({format_mask(self.mask)!r})"

    @property
    def pretty(self) -> str:
        """The notation with the suits' symbols."""
        return format_mask(self.mask, pretty=True)

    def _repr_html_(self) -> str:
        return cards_html(self.pretty)

    @property
    def half_points(self) -> int:
        """Sum of the cards' values, in half points."""
        return sum(HALF_POINTS[card] for card in self)

    @property
    def bouts(self) -> int:
        """Number of bouts held."""
        return (self.mask & BOUTS_MASK).bit_count()

    @property
    def trumps(self) -> Hand:
        """The numbered trumps (the Excuse is not one)."""
        return Hand.from_mask(self.mask & SUIT_MASKS[TRUMP])

    def suit(self, suit: int) -> Hand:
        """Return the cards of one suit, 0…3, or the numbered trumps, 4."""
        return Hand.from_mask(self.mask & SUIT_MASKS[whole_number("suit", suit, 0, TRUMP)])

    def is_petit_sec(self) -> bool:
        """Tell whether the only numbered trump is the Petit, without the Excuse."""
        return (self.mask & (SUIT_MASKS[TRUMP] | 1 << EXCUSE)) == 1 << PETIT


FULL_PACK: Final = Hand.from_mask(FULL_MASK)
