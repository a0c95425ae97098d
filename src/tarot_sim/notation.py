"""How cards are written: the one notation that is printed, and all that is understood.

Cards are numbers 0…77 here (see `tarot_sim.cards`). What is read is forgiving: groups and
single cards, symbols, either case, French and English names in words. What is printed is one
form. A token that names no card is refused with its place in the text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from tarot_sim.errors import CardError

SUIT_LETTERS: Final = "PCKT"
SUIT_SYMBOLS: Final = "♠♥♦♣"
TRUMP: Final = 4  #: the "suit" of the numbered trumps
RANK_NAMES: Final = ("1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "V", "C", "D", "R")

_PETIT: Final = 56
_EXCUSE: Final = 77

#: Suits as they may be written, after `fold`: with a rank behind it, or at the head of a group.
_SHORT_SUITS: Final = (
    {letter: suit for suit, letter in enumerate("pckta")}
    | {symbol: suit for suit, symbol in enumerate(SUIT_SYMBOLS)}
    | {symbol: suit for suit, symbol in enumerate("♤♡♢♧")}
)
_SUIT_WORDS: Final = {
    word: suit
    for suit, words in enumerate(
        (
            "pique piques spade spades",
            "coeur coeurs heart hearts",
            "carreau carreaux diamond diamonds",
            "trefle trefles club clubs",
            "atout atouts trump trumps",
        )
    )
    for word in words.split()
}
_SYMBOLS: Final = frozenset(SUIT_SYMBOLS + "♤♡♢♧")

#: Ranks of a suit. The English letters are clear where a suit has been named.
_RANKS: Final = (
    {name.lower(): rank for rank, name in enumerate(RANK_NAMES, 1)}
    | {"k": 14, "q": 13, "j": 11, "a": 1}
    | {"roi": 14, "dame": 13, "cavalier": 12, "valet": 11, "as": 1}
    | {"king": 14, "queen": 13, "knight": 12, "jack": 11, "ace": 1}
)
#: Cards that have a name of their own.
_NAMES: Final = {"ex": _EXCUSE, "excuse": _EXCUSE, "petit": _PETIT}
_ARTICLES: Final = frozenset(("le", "la", "les", "the", "l'"))
_OF: Final = frozenset(("de", "du", "d'", "of"))
_VOIDS: Final = frozenset(("-", "—", "–"))

#: What an error shows of a token at most: a mistake may be a megabyte long.
_MOST_SHOWN: Final = 40
#: More than the whole pack in words needs.
_MOST_CHARACTERS: Final = 10_000


def fold(text: str) -> str:
    """Return text as names are compared: lower case, no accents, one kind of apostrophe.

    Examples
    --------
    >>> fold("Défense"), fold("L'Excuse"), fold("CŒUR")
    ('defense', "l'excuse", 'coeur')
    """
    # An ASCII text, the usual one, is its own decomposition.
    if not text.isascii():
        text = unicodedata.normalize("NFD", text.replace("œ", "oe").replace("Œ", "OE"))
        text = "".join(sign for sign in text if not unicodedata.combining(sign))
        # Symbols of suits may be followed by a choice of their look.
        text = text.replace("\u2019", "'").replace("\ufe0f", "").replace("\ufe0e", "")
    return text.lower()


def shown(value: object) -> str:
    """Return what an error message quotes of some input: not all of a long one.

    Examples
    --------
    >>> shown("A22"), shown(78), shown([1, 2])
    ("'A22'", '78', 'list')
    """
    if isinstance(value, str):
        return repr(value if len(value) <= _MOST_SHOWN else value[: _MOST_SHOWN - 1] + "…")
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, int):
        bits = value.bit_length()  # a long number takes long to write out
        return repr(value) if bits < 4 * _MOST_SHOWN else f"a number of {bits} bits"
    return type(value).__name__


def card_in_suit(suit: int, rank: str) -> int | None:
    """Return the card of `suit` whose rank is written so (after `fold`), or None.

    The Petit and the Excuse have names that need no suit.
    """
    if suit == TRUMP:
        if rank.isascii() and rank.isdigit() and len(rank) <= 2 and 1 <= int(rank) <= 21:
            return _PETIT - 1 + int(rank) if rank[0] != "0" else None
        return None
    number = _RANKS.get(rank)
    return None if number is None else 14 * suit + number - 1


def card_in_token(token: str) -> int | None:
    """Return the card that one token names by itself (after `fold`), or None.

    Suit first (``pr``, ``k10``, ``a21``), a symbol first or last (``♠r``, ``10♥``), or a name.
    """
    named = _NAMES.get(token)
    if named is not None:
        return named
    suit = _SHORT_SUITS.get(token[:1])
    card = None if suit is None else card_in_suit(suit, token[1:])
    if card is None and token[-1:] in _SYMBOLS:
        card = card_in_suit(_SHORT_SUITS[token[-1]], token[:-1])
    return card


class Token(NamedTuple):
    """A word of a text of cards: as it stands there, folded, and where it begins (from 1)."""

    text: str
    word: str
    where: int

    @property
    def is_header(self) -> bool:
        """Whether a group begins: ``P:``."""
        return self.word.endswith(":")


_WORD: Final = re.compile(r"[^\s,;:]+:?|:")
#: Small cards that are not named, perhaps behind their suit.
_SMALL: Final = re.compile(f"([pckta{SUIT_SYMBOLS}♤♡♢♧]?)(x+)")
#: What sticks to the word behind it: ``l'excuse``, ``d'atout``.
_ELIDED: Final = re.compile(r"(?i)([ld]['\u2019])(?=.)")


def tokens(text: str) -> Iterator[Token]:
    """Yield the words of `text`; a header keeps its colon, an elided article is a word."""
    for match in _WORD.finditer(text):
        start, end = match.span()
        elided = _ELIDED.match(text, start, end)
        if elided is not None:
            yield Token(elided[1], elided[1][0].lower() + "'", start + 1)
            start = elided.end()
        word = text[start:end]
        yield Token(word, fold(word), start + 1)


def parse_numbers(text: str, small: list[int] | None = None) -> list[int]:
    """Return the numbers of the cards named in `text`, in the order they are named.

    Parameters
    ----------
    text
        Groups, single cards and names.
    small
        If given, ``x`` (or ``xx``; ``Px`` before any group) is understood as well, a small card
        that is not named, and its suit is added to this list.

    Raises
    ------
    CardError
        If a token names no card; the message has the token and its place.
    """
    text = str.__str__(text)  # a subclass may do anything
    if len(text) > _MOST_CHARACTERS:
        raise CardError(f"cards: {len(text)} characters, expected {_MOST_CHARACTERS} at most")
    words = list(tokens(text))
    cards: list[int] = []
    group: int | None = None
    place = 0
    while place < len(words):
        token = words[place]
        if token.is_header:
            group = suit_named(token.word[:-1])
            if group is None:
                raise CardError(
                    f"unknown suit {shown(token.text)} at character {token.where}: suits are "
                    "P C K T, A for trumps"
                )
            place += 1
            continue
        if token.word in _VOIDS or token.word in _ARTICLES:
            place += 1
            continue
        if small is not None and (unnamed := _SMALL.fullmatch(token.word)) is not None:
            # In a group Kx might as well be a Roi and a small card.
            suit = group if not unnamed[1] else suit_named(unnamed[1]) if group is None else None
            if suit is None:
                raise CardError(
                    f"small card {shown(token.text)} at character {token.where}: of which suit? "
                    "Write P:x"
                )
            small.extend([suit] * len(unnamed[2]))
            place += 1
            continue
        card, taken = _card_at(words, place, group)
        if card is None and token.word in _SUIT_WORDS:
            group = _SUIT_WORDS[token.word]
            place += 1
            continue
        if card is None:
            raise unknown_card(token.text, token.where)
        cards.append(card)
        place += taken
    return cards


def parse_number(text: str) -> int:
    """Return the number of the one card that `text` names.

    Raises
    ------
    CardError
        If it names none.
    """
    text = str.__str__(text)  # a subclass may do anything
    folded = fold(text.strip())
    if (card := card_in_token(folded)) is not None:
        return card
    words = [word for word in tokens(text[:_MOST_CHARACTERS]) if word.word not in _ARTICLES]
    if words and not any(word.is_header for word in words):
        card, taken = _card_at(words, 0, None)
        if card is None and len(words) == 2 and words[0].word in _SUIT_WORDS:
            card, taken = card_in_suit(_SUIT_WORDS[words[0].word], words[1].word), 2
        if card is not None and taken == len(words):
            return card
    raise unknown_card(text, None)


def suit_named(word: str) -> int | None:
    """Return the suit that a word (after `fold`) means: 0…3, 4 for the trumps; else None."""
    suit = _SHORT_SUITS.get(word)
    return _SUIT_WORDS.get(word) if suit is None else suit


def unknown_card(text: str, where: int | None) -> CardError:
    """Return the error for a token that names no card."""
    place = "" if where is None else f" at character {where}"
    return CardError(
        f"unknown card {shown(text)}{place}: a card is a suit (P C K T, A for trumps) "
        "then a rank (R D C V 10…1, trumps 21…1), or EX"
    )


def _card_at(words: Sequence[Token], place: int, group: int | None) -> tuple[int | None, int]:
    """Return the card that begins at a word, and how many words it takes."""
    word = words[place].word
    following = [token.word for token in words[place + 1 : place + 3]]
    # The Roi of Trèfle, 21 of trumps: a rank, then its suit.
    suit: int | None = None
    taken = 1
    if len(following) == 2 and following[0] in _OF:
        suit, taken = suit_named(following[1]), 3
    elif following and word.isdigit() and following[0] in ("atout", "trump"):
        suit, taken = TRUMP, 2
    if suit is not None:
        card = card_in_suit(suit, word)
        if card is not None:
            return card, taken
    if group is not None:
        card = card_in_suit(group, word)
        if card is not None:
            return card, 1
    return card_in_token(word), 1


def format_mask(mask: int, *, pretty: bool = False) -> str:
    """Return the set of cards `mask` in the project's notation, trumps first."""
    groups = []
    trumps = [str(rank) for rank in range(21, 0, -1) if mask >> (_PETIT - 1 + rank) & 1]
    if mask >> _EXCUSE & 1:
        trumps.append("EX")
    if trumps:
        groups.append("A:" + ",".join(trumps))
    for suit in range(4):
        lane = mask >> 14 * suit & 0x3FFF
        if lane:
            letter = (SUIT_SYMBOLS if pretty else SUIT_LETTERS)[suit]
            ranks = (RANK_NAMES[rank] for rank in range(13, -1, -1) if lane >> rank & 1)
            groups.append(f"{letter}:" + ",".join(ranks))
    return " ".join(groups)
