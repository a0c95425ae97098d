"""What a person may type at the table: commands, bids, cards; in French or English.

What cannot be understood raises `Puzzled`, whose message is one line in the language in use.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from tarot_sim import messages
from tarot_sim.cards import CARDS, EXCUSE, PETIT, Card, Hand
from tarot_sim.errors import TarotError
from tarot_sim.messages import text
from tarot_sim.messages.errors import translated, without_fields
from tarot_sim.notation import card_in_suit, fold, parse_numbers, shown, suit_named
from tarot_sim.rules import CONTRACTS
from tarot_sim.rules.names import BID_NAMES, Names
from tarot_sim.rules.table import Bid

#: Commands, and other words that mean each.
_COMMANDS: Final = Names(
    {
        "hint": "conseil, conseils, advice, advise",
        "follow": "suivre, suis, ok",
        "undo": "annuler, annule, back",
        "last": "dernier, pli, dernier pli, last trick",
        "score": "scores, marque, marques, points",
        "hand": "main, cartes, cards, table",
        "talon": "kitty",
        "help": "aide",
        "quit": "quitter, quitte, exit, fin",
    }
)
#: What announces nothing.
_NOTHING: Final = Names({"no": "non, n, nothing, rien, none, aucune, pass, passe, 0"})
_ANNOUNCED: Final = Names(
    {"simple": "single", "double": "", "triple": "", "chelem": "slam"}, kind="poignee"
)
#: Every bid has its number, whether it is legal or not.
BIDS: Final[tuple[Bid, ...]] = ("pass", *CONTRACTS)
_LONGEST: Final = 400
#: Characters of a line that is not understood, where it is named.
_MOST_SHOWN: Final = 20


class Puzzled(Exception):
    """A line that is not understood; its message says why, in the language in use."""


def command_named(line: str) -> str | None:
    """Return the command that a line names, None if it names none.

    Examples
    --------
    >>> command_named(" Annuler "), command_named("?"), command_named("PR")
    ('undo', 'help', None)
    """
    if line.strip() == "?":
        return "help"
    # A word that makes no difference in names of bids, so that it is none by itself.
    if fold(line.strip()) in ("chien", "le chien", "dog", "the dog"):
        return "talon"
    return _COMMANDS.find(line)


def bid_in(line: str, legal: Sequence[Bid]) -> Bid:
    """Return the legal bid that a line means, by its name or its number in `BIDS`.

    Raises
    ------
    Puzzled
        If it means none, or one that is not legal.
    """
    number = _number(line)
    bid = BID_NAMES.find(line) if number is None else dict(enumerate(BIDS)).get(number)
    if bid is None:
        raise Puzzled(text("play.no_bid", word=_quoted(line)))
    if bid not in legal:
        raise Puzzled(text("play.bid_too_low", bid=name_of_bid(bid)))
    return bid


def name_of_bid(bid: Bid) -> str:
    """Return a bid's name in the language in use."""
    return text("bid.pass" if bid == "pass" else f"contract.{bid}")


def call_in(line: str, options: Sequence[Card]) -> Card:
    """Return the card to call that a line means: its place in the list from 1, its name or suit.

    Raises
    ------
    Puzzled
        If it means none of them.
    """
    number = _number(line)
    if number is not None:
        if 1 <= number <= len(options):
            return options[number - 1]
        raise Puzzled(text("play.no_place", word=_quoted(line), count=len(options)))
    suit = suit_named(fold(line.strip()))
    of_suit = [card for card in options if card.suit == suit]
    card = of_suit[0] if len(of_suit) == 1 else _named_card(line)
    if card is None:
        card = _one_of_rank(line, options)
    if card is None:
        raise Puzzled(text("play.no_call", word=_quoted(line)))
    if card not in options:
        raise Puzzled(text("play.not_callable", card=card))
    return card


def card_in(line: str, held: Iterable[Card], legal: Sequence[Card]) -> Card:
    """Return the card that a line means, which may be none that is held or legal.

    A number from 11 is that trump; a lower one is the legal card that has it, if only one has,
    or the trump where no other card that is held has it. A rank alone is read alike.

    Parameters
    ----------
    line
        What was typed.
    held
        The cards held.
    legal
        Those of them that may be played.

    Raises
    ------
    Puzzled
        If it means none, or one of several.

    Examples
    --------
    >>> hand = list(Hand("A:7 P:R,8,7"))
    >>> card_in("roi de pique", hand, hand), card_in("12", hand, hand), card_in("8", hand, hand)
    (Card('PR'), Card('A12'), Card('P8'))
    """
    number = _number(line)
    if number is not None and 11 <= number <= 21:
        return CARDS[PETIT - 1 + number]
    card = _named_card(line)
    if card is None:
        card = _one_of_rank(line, legal)
    if card is None:
        card = _one_of_rank(line, held)
    if card is None and number is not None and 1 <= number <= 10:
        card = CARDS[PETIT - 1 + number]
    if card is None:
        raise Puzzled(text("play.no_card", word=_quoted(line)))
    return card


def cards_in(line: str, expected: int) -> Hand:
    """Return the cards that a line names, in any notation.

    Raises
    ------
    Puzzled
        If a word names no card, a card comes twice, or there are not as many as expected.
    """
    try:
        numbers = parse_numbers(line)
    except TarotError:
        numbers = []
    if not numbers:
        raise Puzzled(text("play.no_cards", word=_quoted(line)))
    try:
        cards = Hand([CARDS[number] for number in numbers])
    except TarotError as error:
        raise Puzzled(said(error)) from None
    if len(cards) != expected:
        raise Puzzled(text("play.count_cards", expected=expected, count=len(cards)))
    return cards


def announcement_in(line: str, offered: Sequence[str]) -> str | None:
    """Return what a line announces of what is offered; None for nothing.

    Raises
    ------
    Puzzled
        If it means something else.
    """
    number = _number(line)
    if not line.strip() or number == 0 or _NOTHING.find(line) is not None:
        return None
    if number is not None and number <= len(offered):
        return offered[number - 1]
    found = _ANNOUNCED.find(line)
    if found is None and fold(line.strip()) in ("poignee", "handful") and len(offered) == 1:
        found = offered[0]
    if found not in offered:
        raise Puzzled(text("play.no_announcement", word=_quoted(line)))
    return found


def said(error: TarotError) -> str:
    """Return an error's message in the language in use, without the field's name."""
    return translated(without_fields(str(error))[1], messages.language())


def _number(line: str) -> int | None:
    word = line.strip()
    return int(word) if word.isascii() and word.isdigit() and len(word) <= 2 else None


def _named_card(line: str) -> Card | None:
    """Return the one card that a line names in full, its suit and rank in either order."""
    word = line.strip()
    if len(word) > _LONGEST:
        return None
    for written in (word, word[-1:] + word[:-1]):
        try:
            cards = parse_numbers(written)
        except TarotError:
            cards = []
        if len(cards) == 1:
            return CARDS[cards[0]]
        # Only letters may change places: "RP", not the words of a name.
        if len(word) > 3 or len(word.split()) > 1:
            break
    return _spaced_card(word)


def _spaced_card(line: str) -> Card | None:
    """Return the card whose suit and rank are two words in either order: "P R", "10 carreau"."""
    words = fold(line.removeprefix("le ").removeprefix("the ")).split()
    if len(words) != 2:
        return None
    # The suit first, as cards are printed: K D is the Dame of Carreau.
    for named, rank in (words, words[::-1]):
        suit = suit_named(named)
        card = None if suit is None else card_in_suit(suit, rank)
        if card is not None:
            return CARDS[card]
    return None


def _one_of_rank(line: str, cards: Iterable[Card]) -> Card | None:
    """Return the only one of some cards that has a rank, written alone.

    Raises
    ------
    Puzzled
        If several have it.
    """
    word = fold(line.strip())
    if len(word) > _LONGEST:
        return None
    found = [
        card
        for card in cards
        if card != EXCUSE and card_in_suit(card.suit, word.removeprefix("le ")) == card
    ]
    if len(found) > 1:
        names = ", ".join(map(str, found))
        raise Puzzled(text("play.which_card", word=_quoted(line), cards=names))
    return found[0] if found else None


def _quoted(line: str) -> str:
    quoted = shown("".join(filter(str.isprintable, " ".join(line.split()))))
    word = quoted[1:-1]
    return text("play.quoted", word=word if len(word) <= _MOST_SHOWN else word[:_MOST_SHOWN] + "…")
