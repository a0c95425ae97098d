"""The 78 cards, their names, and sets of them.

A card is an integer 0…77: the four suits Pique, Cœur, Carreau, Trèfle of 14 cards
from the As (1, the lowest) to the Roi (14), then the trumps 1…21, then the Excuse.
A set of cards is an integer with one bit a card; `Hand` is that integer with the
manners of a frozen set and the one notation of the project.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import total_ordering
from typing import Final

from tarot_sim.errors import CardError, HandError

SUIT_LETTERS: Final = "PCKT"
SUIT_SYMBOLS: Final = "♠♥♦♣"
TRUMP: Final = 4  #: the "suit" of the numbered trumps
EXCUSE_SUIT: Final = 5  #: the "suit" of the Excuse, which belongs to none

_RANK_NAMES: Final = ("1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "V", "C", "D", "R")
_RANKS: Final = {name: rank for rank, name in enumerate(_RANK_NAMES, 1)} | {
    "K": 14,  # English names: where a suit has been named they are clear
    "Q": 13,
    "J": 11,
    "A": 1,
}
_SUITS: Final = (
    {letter: suit for suit, letter in enumerate("PCKTA")}
    | {symbol: suit for suit, symbol in enumerate(SUIT_SYMBOLS)}
    | {symbol: suit for suit, symbol in enumerate("♤♡♢♧")}
)
_HONOUR_HALF_POINTS: Final = {14: 9, 13: 7, 12: 5, 11: 3}
_EXCUSE_ID: Final = 77


class Card(int):
    """One card: an integer 0…77 that prints as its name.

    Examples
    --------
    >>> Card.parse("CC"), Card.parse("A21").half_points
    (Card('CC'), 9)
    """

    __slots__ = ()

    @classmethod
    def parse(cls, text: str) -> Card:
        """Return the card named `text`, such as ``PR``, ``K10``, ``A21`` or ``EX``.

        Raises
        ------
        CardError
            If `text` names no card.
        """
        return CARDS[_parse_token(_normal(text.strip()), text, None)]

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

    def __repr__(self) -> str:
        return f"Card({CARD_NAMES[self]!r})"


def _names() -> tuple[str, ...]:
    suits = [letter + rank for letter in SUIT_LETTERS for rank in _RANK_NAMES]
    return (*suits, *(f"A{rank}" for rank in range(1, 22)), "EX")


CARD_NAMES: Final[tuple[str, ...]] = _names()
CARDS: Final[tuple[Card, ...]] = tuple(Card(card) for card in range(78))
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
FULL_MASK: Final = (1 << 78) - 1
SUIT_MASKS: Final[tuple[int, ...]] = (
    *(((1 << 14) - 1) << 14 * suit for suit in range(4)),
    ((1 << 21) - 1) << 56,
)
BOUTS_MASK: Final = 1 << PETIT | 1 << VINGT_ET_UN | 1 << EXCUSE
ROIS_MASK: Final = sum(1 << 14 * suit + 13 for suit in range(4))


def _normal(text: str) -> str:
    return text.upper().replace("\ufe0f", "").replace("\ufe0e", "")


def _parse_rank(suit: int, text: str) -> int | None:
    """Return the card of `suit` with the rank named `text`, or None."""
    if suit == TRUMP:
        if text.isascii() and text.isdigit() and len(text) <= 2 and 1 <= int(text) <= 21:
            return 55 + int(text) if text[0] != "0" else None
        return None
    rank = _RANKS.get(text)
    return None if rank is None else 14 * suit + rank - 1


def _parse_token(token: str, shown: str, where: int | None) -> int:
    """Return the number of the card that one token names, suit first."""
    if token == "EX":
        return int(EXCUSE)
    suit = _SUITS.get(token[:1])
    card = None if suit is None else _parse_rank(suit, token[1:])
    if card is None:
        raise CardError(_unknown(shown, where))
    return card


def _unknown(shown: str, where: int | None) -> str:
    place = "" if where is None else f" at character {where}"
    return (
        f"unknown card {shown!r}{place}: a card is a suit (P C K T, A for trumps) "
        "then a rank (R D C V 10…1, trumps 21…1), or EX"
    )


_TOKEN: Final = re.compile(r"[^\s,;]+")


def _tokens(text: str) -> Iterator[tuple[str, int]]:
    """Yield the tokens of `text` and where each starts, a header ``P:`` apart."""
    for match in _TOKEN.finditer(text):
        token, start = match.group(), match.start() + 1
        while ":" in token:
            header, _, rest = token.partition(":")
            yield header + ":", start
            start += len(header) + 1
            token = rest
        if token:
            yield token, start


def parse_cards(text: str) -> list[Card]:
    """Return the cards named in `text`, in the order they are named.

    Groups (``A:21,EX P:R,D``) and single cards (``A21 EX PR PD``) may be mixed;
    unicode suits, lower case and English ranks are understood.

    Raises
    ------
    CardError
        If a token names no card; the message has the token and its place.

    Examples
    --------
    >>> parse_cards("a:21,ex ♥:K")
    [Card('A21'), Card('EX'), Card('CR')]
    """
    cards: list[Card] = []
    group: int | None = None
    for shown, where in _tokens(text):
        token = _normal(shown)
        if token.endswith(":"):
            group = _SUITS.get(token[:-1])
            if group is None:
                raise CardError(
                    f"unknown suit {shown!r} at character {where}: suits are P C K T, A for trumps"
                )
            continue
        if token in ("-", "—", "–"):  # a void, written out
            continue
        card = None if group is None else _parse_rank(group, token)
        cards.append(CARDS[_parse_token(token, shown, where) if card is None else card])
    return cards


def format_mask(mask: int, *, pretty: bool = False) -> str:
    """Return the set of cards `mask` in the project's notation, trumps first."""
    groups = []
    trumps = [str(rank) for rank in range(21, 0, -1) if mask >> (55 + rank) & 1]
    if mask >> _EXCUSE_ID & 1:
        trumps.append("EX")
    if trumps:
        groups.append("A:" + ",".join(trumps))
    for suit in range(4):
        lane = mask >> 14 * suit & 0x3FFF
        if lane:
            letter = (SUIT_SYMBOLS if pretty else SUIT_LETTERS)[suit]
            ranks = (_RANK_NAMES[rank] for rank in range(13, -1, -1) if lane >> rank & 1)
            groups.append(f"{letter}:" + ",".join(ranks))
    return " ".join(groups)


def mask_of(cards: Iterable[int]) -> int:
    """Return the set of `cards` as an integer with one bit a card.

    Raises
    ------
    CardError
        If a number is none of 0…77.
    HandError
        If a card comes twice.
    """
    mask = 0
    for card in cards:
        if not 0 <= card < 78:
            raise CardError(f"unknown card number {card!r}: cards are 0…77")
        if mask >> card & 1:
            raise HandError(f"card {CARD_NAMES[card]} comes twice")
        mask |= 1 << card
    return mask


@total_ordering
class Hand:
    """A set of cards that reads and prints the project's notation.

    Parameters
    ----------
    cards
        Text such as ``"A:21,EX P:R,D"``, another hand, or an iterable of card numbers.
    size
        If given, how many cards there must be.

    Raises
    ------
    CardError
        If a token names no card.
    HandError
        If a card comes twice, or the number of cards is not `size`.

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

    def __init__(self, cards: str | Hand | Iterable[int] = (), *, size: int | None = None) -> None:
        if isinstance(cards, Hand):
            mask = cards.mask
        else:
            mask = mask_of(parse_cards(cards) if isinstance(cards, str) else cards)
        if size is not None and mask.bit_count() != size:
            raise HandError(f"the hand has {mask.bit_count()} cards, expected {size}")
        object.__setattr__(self, "mask", mask)

    @classmethod
    def from_mask(cls, mask: int) -> Hand:
        """Return the hand whose cards are the bits of `mask`."""
        if not 0 <= mask <= FULL_MASK:
            raise HandError("the mask has bits beyond the 78 cards")
        hand = cls.__new__(cls)
        object.__setattr__(hand, "mask", int(mask))
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
        return isinstance(card, int) and 0 <= card < 78 and bool(self.mask >> card & 1)

    def __eq__(self, other: object) -> bool:
        return self.mask == other.mask if isinstance(other, Hand) else NotImplemented

    def __lt__(self, other: Hand) -> bool:
        return self.mask < other.mask

    def __hash__(self) -> int:
        return hash(self.mask)

    def __or__(self, other: Hand) -> Hand:
        return Hand.from_mask(self.mask | other.mask)

    def __and__(self, other: Hand) -> Hand:
        return Hand.from_mask(self.mask & other.mask)

    def __sub__(self, other: Hand) -> Hand:
        return Hand.from_mask(self.mask & ~other.mask)

    def __str__(self) -> str:
        return format_mask(self.mask)

    def __repr__(self) -> str:
        return f"Hand({format_mask(self.mask)!r})"

    @property
    def pretty(self) -> str:
        """The notation with the suits' symbols."""
        return format_mask(self.mask, pretty=True)

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
        return Hand.from_mask(self.mask & SUIT_MASKS[suit])

    def is_petit_sec(self) -> bool:
        """Tell whether the only numbered trump is the Petit, without the Excuse."""
        return (self.mask & (SUIT_MASKS[TRUMP] | 1 << EXCUSE)) == 1 << PETIT


FULL_PACK: Final = Hand.from_mask(FULL_MASK)
