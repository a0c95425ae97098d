"""The écart: which cards may be discarded, and which to discard.

Every function takes the taker's hand together with the dog. The number of cards to
discard is the size of the dog.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from math import comb
from operator import index
from typing import TYPE_CHECKING, Final, SupportsIndex

from tarot_sim.cards import (
    BOUTS_MASK,
    CARD_NAMES,
    FULL_MASK,
    HALF_POINTS,
    ROIS_MASK,
    SUIT_MASKS,
    TRUMP,
    Card,
    Hand,
)
from tarot_sim.errors import BidError

if TYPE_CHECKING:
    import numpy as np

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


def count_discards(cards: SupportsIndex, rules: Rules) -> int:
    """Return the number of legal écarts of `cards` (hand and dog together).

    Examples
    --------
    >>> from tarot_sim.rules import Rules
    >>> count_discards(Hand("A:2,3,4,5,6,7,8 P:R,2,3 C:R,4,5,6"), Rules())
    7
    """
    held = index(cards)
    needed = trumps_to_discard(held, rules)
    if needed:
        return comb((held & _ORDINARY_TRUMPS_MASK).bit_count(), needed)
    return comb((held & _PLAIN_MASK).bit_count(), rules.dog_size)


def iter_discards(cards: SupportsIndex, rules: Rules) -> Iterator[Hand]:
    """Yield every legal écart of `cards` (hand and dog together) once."""
    held = index(cards)
    needed = trumps_to_discard(held, rules)
    fixed = held & _PLAIN_MASK if needed else 0
    free = held & (_ORDINARY_TRUMPS_MASK if needed else _PLAIN_MASK)
    for chosen in combinations(Hand.from_mask(free), needed or rules.dog_size):
        yield Hand.from_mask(fixed | sum(1 << card for card in chosen))


def shown_trumps(discard: SupportsIndex) -> Hand:
    """Return the cards of an écart that the taker must show to all: its trumps."""
    return Hand.from_mask(index(discard) & _TRUMPS_MASK)


def _first(mask: int) -> str:
    return CARD_NAMES[(mask & -mask).bit_length() - 1]


@dataclass(frozen=True, slots=True)
class _Taste:
    """What an écart is worth to a chooser, in half points.

    The defaults were compared with some twenty other weights on hands worth a bid, each
    écart judged double dummy on common worlds. To halve or double the worth of the shape
    changes the margin by less than one half point on average; to ignore it costs about
    two, to keep the honours about five.

    Attributes
    ----------
    points
        Weight of the card points put in the écart.
    voids
        Worth of a suit without the Roi in which 0, 1 or 2 losers are left.
    rois
        The same with the Roi (a Dame beside it is no loser).
    dame
        Cost of discarding a Dame that the Roi protects.
    called_void
        Cost of having no card left of the suit whose Roi the partner was called with.
    per_suit
        Worth of each card discarded, by suit: what makes random choosers differ.
    """

    points: float = 1.0
    voids: tuple[float, float, float] = (12.0, 2.0, 0.0)
    rois: tuple[float, float, float] = (5.0, 2.0, 0.0)
    dame: float = 2.0
    called_void: float = 9.0
    per_suit: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)


_RULE: Final = _Taste()

#: Other views of the same question: void at any price, points at any price, keep the
#: tenaces whole, bare the Rois, leave singletons.
_OTHER_TASTES: Final = (
    _Taste(voids=(24.0, 8.0, 2.0), rois=(12.0, 4.0, 0.0), dame=9.0),
    _Taste(voids=(3.0, 1.0, 0.0), rois=(1.0, 0.0, 0.0), dame=4.0),
    _Taste(rois=(-4.0, -2.0, 0.0), dame=14.0),
    _Taste(voids=(10.0, 3.0, 0.0), rois=(14.0, 6.0, 2.0)),
    _Taste(voids=(9.0, 7.0, 3.0), rois=(4.0, 3.0, 1.0)),
    _Taste(points=0.4),
)

_DAME: Final = 12  # bit of the Dame in a suit's lane
_LANE: Final = 0x3FFF
_HONOURS: Final = (12, 11, 10)


def _suit_choices(
    lane: int, most: int, taste: _Taste, per_card: float, called: bool
) -> tuple[list[float], list[int]]:
    """Return what discarding 0, 1, 2… cards of a suit is worth, and which cards.

    The honours go first, then the pips from below; a Dame that the Roi protects goes
    last. In the suit of a called Roi the partner's Roi protects just as well.
    """
    protected = bool(lane >> 13 or called)
    kept_dame = protected and lane >> _DAME & 1
    order = [bit for bit in _HONOURS if lane >> bit & 1]
    order += [bit for bit in range(10) if lane >> bit & 1]
    if kept_dame:
        order.remove(_DAME)
        order.append(_DAME)
    shape = taste.rois if protected else taste.voids
    losers = len(order) - (1 if kept_dame else 0)
    points, chosen = 0.0, 0
    worths, masks = [shape[losers] if losers < 3 else 0.0], [0]
    for bit in order[:most]:
        chosen |= 1 << bit
        points += taste.points * HALF_POINTS[bit] + per_card
        losers -= 1
        worth = points + (shape[max(losers, 0)] if losers < 3 else 0.0)
        if losers < 0:
            worth -= taste.dame
        worths.append(worth)
        masks.append(chosen)
    if called and not lane >> 13 and len(masks) == len(order) + 1:
        worths[-1] -= taste.called_void + shape[0]
    return worths, masks


def _best_plain(held: int, size: int, taste: _Taste, called_suit: int | None) -> int:
    """Return the `size` plain cards that suit `taste` best: a knapsack over the suits."""
    best: list[tuple[float, int] | None] = [(0.0, 0), *[None] * size]
    for suit in range(4):
        shift = 14 * suit
        lane = held >> shift & _LANE
        worths, masks = _suit_choices(lane, size, taste, taste.per_suit[suit], suit == called_suit)
        after: list[tuple[float, int] | None] = [None] * (size + 1)
        for taken, so_far in enumerate(best):
            if so_far is None:
                continue
            worth, mask = so_far
            for extra in range(min(len(masks), size - taken + 1)):
                total = worth + worths[extra]
                known = after[taken + extra]
                # On a tie the first found stays: equal hands have equal écarts.
                if known is None or total > known[0]:
                    after[taken + extra] = (total, mask | masks[extra] << shift)
        best = after
    final = best[size]
    if final is None:
        raise BidError(f"discard: fewer than {size} cards may be discarded")
    return final[1]


def _called_suit(held: int, called: Card | None) -> int | None:
    """Return the suit in which the partner is known to hold the Roi."""
    if called is None or held >> called & 1 or not ROIS_MASK >> called & 1:
        return None
    return called.suit


def choose_discard(cards: Hand, rules: Rules, *, called: Card | None = None) -> Hand:
    """Return the écart that a fixed rule chooses: the same for the same cards.

    It weighs the card points put in the écart against the shape that is left: voids
    where no Roi is held, Rois left bare or with their Dame, and no void in the suit of
    the partner's Roi. Forced trumps are the lowest.

    Parameters
    ----------
    cards
        The taker's hand and the dog together.
    called
        Five players: the called card.

    Raises
    ------
    BidError
        If `cards` are too few for an écart.

    Examples
    --------
    >>> from tarot_sim.rules import Rules
    >>> cards = Hand("A:21,20,16,13,9,7,4,1,EX P:R,D,5,4 C:C,10 K:R,9,7 T:D,V,9,4,3,2")
    >>> print(choose_discard(cards, Rules()))
    P:D,5,4 C:C,10 T:D
    """
    held = cards.mask
    size = rules.dog_size
    plain = held & _PLAIN_MASK
    needed = size - plain.bit_count()
    if needed < 0:
        return Hand.from_mask(_best_plain(held, size, _RULE, _called_suit(held, called)))
    trumps = list(Hand.from_mask(held & _ORDINARY_TRUMPS_MASK))[:needed]
    if len(trumps) < needed:
        raise BidError(f"discard: fewer than {size} cards may be discarded")
    return Hand.from_mask(plain | sum(1 << card for card in trumps))


def rule_discards(cards: Hand, rules: Rules, *, called: Card | None = None) -> list[Hand]:
    """Return the écart of each fixed rule, `choose_discard`'s first; several may be equal.

    Parameters
    ----------
    cards
        The taker's hand and the dog together.
    called
        Five players: the called card.
    """
    first = choose_discard(cards, rules, called=called)
    if trumps_to_discard(cards, rules):
        return [first] * (1 + len(_OTHER_TASTES))
    suit = _called_suit(cards.mask, called)
    return [
        first,
        *(
            Hand.from_mask(_best_plain(cards.mask, rules.dog_size, taste, suit))
            for taste in _OTHER_TASTES
        ),
    ]


def discard_candidates(
    cards: Hand,
    rules: Rules,
    n: int,
    rng: np.random.Generator,
    *,
    called: Card | None = None,
) -> list[Hand]:
    """Return up to `n` different legal écarts worth comparing, the rule's choice first.

    The choices of several rules come next, then those of choosers with random
    preferences by suit. There are fewer than `n` only if there are not more.

    Parameters
    ----------
    cards
        The taker's hand and the dog together.
    n
        How many are wanted, at least 1.
    rng
        Where the random ones come from.
    called
        Five players: the called card.

    Raises
    ------
    BidError
        If `n` is below 1, or `cards` are too few for an écart.

    Examples
    --------
    >>> import numpy as np
    >>> from tarot_sim.rules import Rules
    >>> cards = Hand("A:21,20,16,13,9,7,4,1,EX P:R,D,5,4 C:C,10 K:R,9,7 T:D,V,9,4,3,2")
    >>> len(discard_candidates(cards, Rules(), 20, np.random.default_rng(1)))
    20
    """
    if n < 1:
        raise BidError(f"n: {n!r} candidates, expected at least 1")
    first = choose_discard(cards, rules, called=called)
    found = {first: None}  # a dict keeps the order in which they come
    possible = count_discards(cards, rules)
    if possible <= n:
        return [first, *(discard for discard in iter_discards(cards, rules) if discard != first)]
    if trumps_to_discard(cards, rules) == 0:
        suit = _called_suit(cards.mask, called)
        random = (
            Hand.from_mask(_best_plain(cards.mask, rules.dog_size, _random_taste(rng), suit))
            for _ in range(3 * n)
        )
        for discard in chain(rule_discards(cards, rules, called=called), random):
            if len(found) == n:
                break
            found[discard] = None
    while len(found) < n:
        found[_random_discard(cards, rules, rng)] = None
    return list(found)[:n]


def neighbours(
    discards: Sequence[Hand],
    cards: Hand,
    rules: Rules,
    n: int,
    rng: np.random.Generator,
    known: Collection[Hand] = (),
) -> list[Hand]:
    """Return up to `n` new legal écarts that differ by one card from one of those given.

    Parameters
    ----------
    discards
        Legal écarts.
    cards
        The taker's hand and the dog together.
    n
        How many are wanted.
    rng
        Chooses among them where there are more.
    known
        Écarts that are not new.
    """
    needed = trumps_to_discard(cards, rules)
    free = Hand.from_mask(cards.mask & (_ORDINARY_TRUMPS_MASK if needed else _PLAIN_MASK))
    found: dict[Hand, None] = {}
    for discard in discards:
        for out in discard & free:
            for instead in free - discard:
                found[Hand.from_mask(discard.mask ^ 1 << out ^ 1 << instead)] = None
    others = [discard for discard in found if discard not in known]
    if len(others) <= n:
        return others
    return [others[place] for place in sorted(rng.random(len(others)).argsort()[:n].tolist())]


def _random_taste(rng: np.random.Generator) -> _Taste:
    """Return a chooser that voids, saves points and likes suits at random."""
    void, single, bare, dame, called_void = (rng.random(5) * (24, 8, 14, 16, 14)).tolist()
    first, second, third, fourth = (8.0 * rng.random(4) - 4.0).tolist()
    return _Taste(
        points=0.3 + float(rng.random()),
        voids=(void, single, single / 4),
        rois=(bare - 3.0, bare / 3 - 1.0, 0.0),
        dame=dame,
        called_void=called_void,
        per_suit=(first, second, third, fourth),
    )


def _random_discard(cards: Hand, rules: Rules, rng: np.random.Generator) -> Hand:
    """Return a legal écart, all of them being equally likely."""
    needed = trumps_to_discard(cards, rules)
    fixed = cards.mask & _PLAIN_MASK if needed else 0
    free = list(Hand.from_mask(cards.mask & (_ORDINARY_TRUMPS_MASK if needed else _PLAIN_MASK)))
    places = rng.random(len(free)).argsort()[: needed or rules.dog_size]
    return Hand.from_mask(fixed | sum(1 << free[place] for place in places.tolist()))
