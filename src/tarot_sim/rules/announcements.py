"""Poignées and chelem: what may be shown or announced, and what came of it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from operator import index
from typing import Final, SupportsIndex, get_args

from tarot_sim.cards import CARD_NAMES, COURTS_MASK, EXCUSE, SUIT_MASKS, Hand
from tarot_sim.errors import BidError
from tarot_sim.notation import TRUMP
from tarot_sim.notation import shown as quoted
from tarot_sim.rules import Rules
from tarot_sim.rules.table import Chelem, MisereKind, PoigneeLevel

#: Levels of a poignée from the lowest.
LEVELS: Final[tuple[PoigneeLevel, ...]] = get_args(PoigneeLevel)

#: Kinds of misère.
MISERES: Final[tuple[MisereKind, ...]] = get_args(MisereKind)
_NUMBERED_MASK: Final = SUIT_MASKS[TRUMP]
_SHOWABLE_MASK: Final = _NUMBERED_MASK | 1 << EXCUSE


def poignee_size(level: PoigneeLevel, rules: Rules) -> int:
    """Return how many cards a poignée of `level` shows.

    Raises
    ------
    BidError
        If there is no such level.
    """
    if level not in LEVELS:
        raise BidError(f"poignee: {quoted(level)} is not one of {', '.join(LEVELS)}")
    return rules.poignee_trumps[LEVELS.index(level)]


def poignee_levels(n_trumps: int, has_excuse: bool, rules: Rules) -> tuple[PoigneeLevel, ...]:
    """Return the poignées that may be shown, the lowest first.

    A level of L cards can be shown with L numbered trumps, or with L − 1 and the
    Excuse, which then certifies that there is no other trump.

    Parameters
    ----------
    n_trumps
        Numbered trumps held, a taker's in the own écart included.
    has_excuse
        Whether the Excuse is held.

    Examples
    --------
    >>> poignee_levels(12, True, Rules())
    ('simple', 'double')
    """
    most = n_trumps + has_excuse
    return tuple(
        level for level, size in zip(LEVELS, rules.poignee_trumps, strict=True) if size <= most
    )


def poignee_reason(
    held: SupportsIndex, shown: SupportsIndex, level: PoigneeLevel, rules: Rules
) -> str | None:
    """Return None if `shown` is a poignée of `level`, else why it is not.

    Parameters
    ----------
    held
        The player's cards; for a taker with the own écart.
    shown
        The cards that are shown.

    Examples
    --------
    >>> held = Hand("A:21,20,19,18,17,16,15,14,13,12,EX PR")
    >>> poignee_reason(held, Hand("A:21,20,19,18,17,16,15,14,13,EX"), "simple", Rules())
    'poignee: the Excuse may not stand in for A12, which is held'
    """
    size = poignee_size(level, rules)
    cards, own = index(shown), index(held)
    if cards & ~own:
        return f"poignee: {_first(cards & ~own)} is not held"
    if cards & ~_SHOWABLE_MASK:
        return f"poignee: {_first(cards & ~_SHOWABLE_MASK)} is not a trump"
    if cards.bit_count() != size:
        return f"poignee: {cards.bit_count()} cards, a {level} shows {size}"
    hidden = own & _NUMBERED_MASK & ~cards
    if cards >> EXCUSE & 1 and hidden:
        return f"poignee: the Excuse may not stand in for {_first(hidden)}, which is held"
    return None


def misere_reason(held: SupportsIndex, kind: MisereKind) -> str | None:
    """Return None if a player may show a misère of this kind, else why they may not.

    Parameters
    ----------
    held
        All that the player has had in hand; for a taker with the dog.
    kind
        ``"trumps"``: neither a numbered trump nor the Excuse. ``"courts"``: no Roi, Dame,
        Cavalier or Valet.

    Examples
    --------
    >>> misere_reason(Hand("A:21 P:10,9"), "courts"), misere_reason(Hand("A:21 P:10"), "trumps")
    (None, 'misere: A21 is held')
    """
    own = index(held) & (_SHOWABLE_MASK if kind == "trumps" else COURTS_MASK)
    return f"misere: {_first(own)} is held" if own else None


def check_poignee(
    held: SupportsIndex, shown: SupportsIndex, level: PoigneeLevel, rules: Rules
) -> None:
    """Raise unless `shown` is a poignée of `level`; see `poignee_reason`.

    Raises
    ------
    BidError
        With the reason, which names the card or the level.
    """
    reason = poignee_reason(held, shown, level, rules)
    if reason is not None:
        raise BidError(reason)


def iter_poignees(held: SupportsIndex, level: PoigneeLevel, rules: Rules) -> Iterator[Hand]:
    """Yield every set of cards that is a poignée of `level`, the highest trumps first.

    Nothing if `level` cannot be shown from the cards `held` (a taker's own écart
    included).
    """
    size = poignee_size(level, rules)
    numbered = list(Hand.from_mask(index(held) & _NUMBERED_MASK))[::-1]
    if len(numbered) == size - 1 and index(held) >> EXCUSE & 1:
        yield Hand([*numbered, EXCUSE])
    for chosen in combinations(numbered, size):
        yield Hand(chosen)


def default_poignee(held: SupportsIndex, level: PoigneeLevel, rules: Rules) -> Hand:
    """Return the poignée of `level` with the highest trumps: it hides the Petit longest.

    Raises
    ------
    BidError
        If `level` cannot be shown.

    Examples
    --------
    >>> print(default_poignee(Hand("A:21,20,19,18,17,16,15,14,13,12,1 PR"), "simple", Rules()))
    A:21,20,19,18,17,16,15,14,13,12
    """
    shown = next(iter_poignees(held, level, rules), None)
    if shown is None:
        trumps = (index(held) & _SHOWABLE_MASK).bit_count()
        raise BidError(
            f"poignee: a {level} shows {poignee_size(level, rules)} trumps, {trumps} are held"
        )
    return shown


def chelem_name(swept: int, announced: bool) -> Chelem | None:
    """Return what came of a chelem, as `tarot_sim.rules.scoring.score` calls it.

    Parameters
    ----------
    swept
        +1 if the attack won every trick, −1 if the defence did, else 0.
    announced
        Whether the taker announced it.

    Examples
    --------
    >>> chelem_name(0, True), chelem_name(0, False)
    ('announced_failed', None)
    """
    if swept > 0:
        return "announced_made" if announced else "made"
    if swept < 0:
        return "announced_by_defence" if announced else "by_defence"
    return "announced_failed" if announced else None


def _first(mask: int) -> str:
    return CARD_NAMES[(mask & -mask).bit_length() - 1]
