"""What the rules allow before the first card: calls, écarts, poignées.

Functions of hands alone; `deal_checks` applies them to a record.
"""

from __future__ import annotations

from typing import Final

from tarot_sim.cards import (
    BOUTS_MASK,
    EXCUSE,
    FULL_MASK,
    ROIS_MASK,
    SUIT_MASKS,
    TRUMP,
    Card,
    Hand,
)
from tarot_sim.errors import BidError, CardError, HandError
from tarot_sim.rules import POIGNEES, Rules

_TRUMPS_MASK: Final = SUIT_MASKS[TRUMP]
_NEVER_DISCARDED: Final = ROIS_MASK | BOUTS_MASK
_PLAIN_MASK: Final = FULL_MASK & ~(_TRUMPS_MASK | _NEVER_DISCARDED)
#: The Rois, the Dames, the Cavaliers, the Valets: what may be called, in this order.
_CALL_LADDER: Final = {
    name: ROIS_MASK >> step for step, name in enumerate(("Roi", "Dame", "Cavalier", "Valet"))
}


def callable_cards(dealt: Hand, rules: Rules) -> Hand:
    """Return the cards that a taker of five may call with the dealt hand.

    Examples
    --------
    >>> print(callable_cards(Hand("PR CR KR TR PD"), Rules(players=5)))
    P:D C:D K:D T:D
    """
    allowed = 0
    for rank in _CALL_LADDER.values():
        allowed = rank if rules.must_call_lower else allowed | rank
        if dealt.mask & rank != rank:
            break
    return Hand.from_mask(allowed)


def check_call(dealt: Hand, called: Card, rules: Rules) -> None:
    """Raise an error unless `called` may be called with the dealt hand.

    Raises
    ------
    BidError
        Names the card and says which rank is to be called.
    """
    allowed = callable_cards(dealt, rules)
    if called in allowed:
        return
    ranks = [name for name, rank in _CALL_LADDER.items() if allowed.mask & rank]
    raise BidError(f"{called} may not be called with this hand, a {' or '.join(ranks)} is")


def trumps_to_discard(pool: Hand, size: int) -> int:
    """Return how many trumps an écart of `size` cards from `pool` has.

    None as long as there are enough plain cards, which are suit cards but the Rois.

    Examples
    --------
    >>> trumps_to_discard(Hand("A:21,20,19,18,17 P:R,D,2"), 3)
    1
    """
    return max(0, size - (pool.mask & _PLAIN_MASK).bit_count())


def check_discard(pool: Hand, discard: Hand, rules: Rules) -> None:
    """Raise an error unless `discard` is a legal écart from hand and dog, `pool`.

    Raises
    ------
    HandError
        If the number of cards is wrong.
    CardError
        If a card may not be discarded; the message names it and the reason.

    Examples
    --------
    >>> check_discard(Hand("A:21,5 P:R,D,2 C:9"), Hand("PD P2 A5"), Rules(players=5))
    Traceback (most recent call last):
    tarot_sim.errors.CardError: A5 is a trump, and there are plain cards enough to discard none
    """
    if len(discard) != rules.dog_size:
        raise HandError(f"{len(discard)} cards, expected {rules.dog_size}")
    for card in discard - pool:
        raise CardError(f"{card} is neither in the taker's hand nor in the dog")
    for card in Hand.from_mask(discard.mask & _NEVER_DISCARDED):
        kind = "Roi" if card.suit < TRUMP else "bout"
        raise CardError(f"{card} is a {kind}, which is never discarded")
    trumps = Hand.from_mask(discard.mask & _TRUMPS_MASK)
    allowed = trumps_to_discard(pool, rules.dog_size)
    if len(trumps) > allowed:
        plain = "there are plain cards enough to discard none"
        few = f"the plain cards leave room for {allowed} only"
        raise CardError(f"{min(trumps)} is a trump, and {few if allowed else plain}")


def can_show(cards: Hand, level: str, rules: Rules) -> bool:
    """Tell whether a poignée of `level` can be shown from `cards`.

    The Excuse completes a poignée only where it certifies that no other trump is held.

    Parameters
    ----------
    cards
        The player's cards; a taker's écart counts as well.

    Examples
    --------
    >>> ten = Hand("A:21,20,19,18,17,16,15,14,13,EX")
    >>> can_show(ten, "simple", Rules()), can_show(ten, "double", Rules())
    (True, False)
    """
    needed = rules.poignee_trumps[list(POIGNEES).index(level)]
    numbered = (cards.mask & _TRUMPS_MASK).bit_count()
    return numbered >= needed or (numbered == needed - 1 and EXCUSE in cards)
