"""The écart: which cards may be discarded.

Every function takes the taker's hand together with the dog. The number of cards to
discard is the size of the dog.
"""

from __future__ import annotations

from itertools import combinations
from math import comb
from operator import index
from typing import TYPE_CHECKING, Final, SupportsIndex

from tarot_sim.cards import BOUTS_MASK, CARD_NAMES, FULL_MASK, ROIS_MASK, SUIT_MASKS, Hand
from tarot_sim.errors import BidError
from tarot_sim.notation import TRUMP

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tarot_sim.rules import Rules

_TRUMPS_MASK: Final = SUIT_MASKS[TRUMP]
_PLAIN_MASK: Final = FULL_MASK & ~(_TRUMPS_MASK | ROIS_MASK | BOUTS_MASK)
_ORDINARY_TRUMPS_MASK: Final = _TRUMPS_MASK & ~BOUTS_MASK


def plain_cards(cards: SupportsIndex) -> Hand:
    """Return the suit cards other than Rois: those that are discarded before any trump."""
    return Hand.from_mask(index(cards) & _PLAIN_MASK)


def trumps_to_discard(cards: SupportsIndex, rules: Rules) -> int:
    """Return how many trumps the écart must have: 0 unless plain cards are too few.

    Examples
    --------
    >>> from tarot_sim.rules import Rules
    >>> trumps_to_discard(Hand("A:2,3,4,5,6,7,8 P:R,2,3 C:R,4,5,6"), Rules())
    1
    """
    return max(0, rules.dog_size - plain_cards(cards).mask.bit_count())


def legal_discard_reason(cards: SupportsIndex, discard: SupportsIndex, rules: Rules) -> str | None:
    """Return None if `discard` is a legal écart, else why it is not.

    Parameters
    ----------
    cards
        The taker's hand and the dog together.
    discard
        The cards to be discarded.

    Examples
    --------
    >>> from tarot_sim.rules import Rules
    >>> cards = Hand("A:21,20,9,1,EX P:R,D,5,4,3 C:C,10,8 K:R,9,7,6,2 T:V,9,4,3,2,1")
    >>> legal_discard_reason(cards, Hand("C:C,10,8 P:R,D T:1"), Rules())
    'discard: PR is a Roi, which is never discarded'
    """
    held, chosen = index(cards), index(discard)
    strange = chosen & ~held
    if strange:
        return f"discard: {_first(strange)} is neither in the hand nor in the dog"
    size = chosen.bit_count()
    if size != rules.dog_size:
        return f"discard: {size} cards, expected {rules.dog_size}"
    if chosen & ROIS_MASK:
        return f"discard: {_first(chosen & ROIS_MASK)} is a Roi, which is never discarded"
    if chosen & BOUTS_MASK:
        return f"discard: {_first(chosen & BOUTS_MASK)} is a bout, which is never discarded"
    trumps = chosen & _TRUMPS_MASK
    needed = trumps_to_discard(held, rules)
    if trumps.bit_count() > needed:
        allowed = f"only {needed} trumps may" if needed else "no trump may"
        kept = held & _PLAIN_MASK & ~chosen
        return (
            f"discard: {_first(trumps)} is a trump, {allowed} be discarded "
            f"while {_first(kept)} is kept"
        )
    return None


def check_discard(cards: SupportsIndex, discard: SupportsIndex, rules: Rules) -> None:
    """Raise unless `discard` is a legal écart of `cards` (hand and dog together).

    Raises
    ------
    BidError
        With the reason, which names the card.
    """
    reason = legal_discard_reason(cards, discard, rules)
    if reason is not None:
        raise BidError(reason)


def discardable(cards: SupportsIndex, rules: Rules) -> tuple[Hand, Hand]:
    """Return the cards that are in every legal écart, and those that fill it up.

    Parameters
    ----------
    cards
        The taker's hand and the dog together.
    """
    held = index(cards)
    if trumps_to_discard(held, rules):
        return Hand.from_mask(held & _PLAIN_MASK), Hand.from_mask(held & _ORDINARY_TRUMPS_MASK)
    return Hand(), Hand.from_mask(held & _PLAIN_MASK)


def count_discards(cards: SupportsIndex, rules: Rules) -> int:
    """Return the number of legal écarts of `cards` (hand and dog together).

    Examples
    --------
    >>> from tarot_sim.rules import Rules
    >>> count_discards(Hand("A:2,3,4,5,6,7,8 P:R,2,3 C:R,4,5,6"), Rules())
    7
    """
    fixed, free = discardable(cards, rules)
    return comb(len(free), rules.dog_size - len(fixed))


def iter_discards(cards: SupportsIndex, rules: Rules) -> Iterator[Hand]:
    """Yield every legal écart of `cards` (hand and dog together) once."""
    fixed, free = discardable(cards, rules)
    for chosen in combinations(free, rules.dog_size - len(fixed)):
        yield Hand.from_mask(fixed.mask | sum(1 << card for card in chosen))


def shown_trumps(discard: SupportsIndex) -> Hand:
    """Return the cards of an écart that the taker must show to all: its trumps."""
    return Hand.from_mask(index(discard) & _TRUMPS_MASK)


def _first(mask: int) -> str:
    return CARD_NAMES[(mask & -mask).bit_length() - 1]
