"""Which cards to discard: the rule, other rules of thumb, and candidates worth comparing.

Every function takes the taker's hand together with the dog.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tarot_sim.arguments import integer
from tarot_sim.cards import Card, Hand
from tarot_sim.errors import OptionError
from tarot_sim.notation import shown
from tarot_sim.rules import checked_rules
from tarot_sim.rules.discard import discardable, trumps_to_discard
from tarot_sim.worlds._discard import WEIGHTS_DTYPE, take_dogs
from tarot_sim.worlds.batch import NO_CALL

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tarot_sim.rules import Rules

#: Where there are at most so many times the candidates that are wanted, all are listed: to draw
#: until the last of them come may take long.
_FEW: Final = 8


@dataclass(frozen=True, slots=True)
class DiscardWeights:
    """What an écart is worth to a rule, in half points.

    The defaults are among the best of eleven weights, each écart judged double dummy on
    common worlds: against half the worth of the shape they bring 1 to 3 points of P at 3 and
    4 players and a third of a point at 5, where the contract is open
    (`benchmarks/RESULTS.md`); still more worth changes nothing.

    Attributes
    ----------
    points
        Weight of the card points put in the écart.
    voids
        Worth of a suit without the Roi in which 0, 1 or 2 losers are left.
    rois
        Worth of a suit with the Roi in which 0, 1 or 2 losers are left (a Dame beside it is no
        loser, and goes last).
    dame
        Cost of discarding a Dame that the Roi protects.
    called_void
        Cost of having no card left of the suit whose Roi the partner was called with.
    per_suit
        Worth of each card discarded, by suit: what makes random rules differ.
    """

    points: float = 1.0
    voids: tuple[float, float, float] = (24.0, 8.0, 2.0)
    rois: tuple[float, float, float] = (12.0, 4.0, 0.0)
    dame: float = 9.0
    called_void: float = 9.0
    per_suit: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)

    @property
    def array(self) -> NDArray[Any]:
        """The weights as one of `WEIGHTS_DTYPE`, shape (1,)."""
        return np.array([astuple(self)], WEIGHTS_DTYPE)


RULE: Final = DiscardWeights()

#: Points count for twice as much. The signature of `tarot_sim.bench` and stored worlds go
#: by this one, whatever becomes of the rule.
EVEN: Final = DiscardWeights(voids=(12.0, 2.0, 0.0), rois=(5.0, 2.0, 0.0), dame=2.0)

#: Other views of the same question: points and shape alike, points at any price, keep the
#: tenaces whole, bare the Rois, leave singletons, shape alone.
OTHER_RULES: Final = (
    EVEN,
    DiscardWeights(voids=(3.0, 1.0, 0.0), rois=(1.0, 0.0, 0.0), dame=4.0),
    DiscardWeights(voids=(12.0, 2.0, 0.0), rois=(-4.0, -2.0, 0.0), dame=14.0),
    DiscardWeights(voids=(10.0, 3.0, 0.0), rois=(14.0, 6.0, 2.0), dame=2.0),
    DiscardWeights(voids=(9.0, 7.0, 3.0), rois=(4.0, 3.0, 1.0), dame=2.0),
    DiscardWeights(points=0.4, voids=(12.0, 2.0, 0.0), rois=(5.0, 2.0, 0.0), dame=2.0),
)


def discard_by(
    weights: DiscardWeights, cards: Hand, rules: Rules, called: Card | None = None
) -> Hand:
    """Return the écart that is worth most by these weights.

    Raises
    ------
    BidError
        If `cards` are too few for an écart.
    """
    world = np.ones((1, 78), np.uint8)  # not the taker's
    world[0, list(cards)] = 0
    call = NO_CALL if called is None else Card(called)
    owners, _ = take_dogs(world, 0, 2, rules.dog_size, call, weights.array)
    return Hand(np.flatnonzero(owners[0] == 2).tolist())


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
    P:5,4 C:C,10 K:9,7
    """
    rules = checked_rules(rules)
    call = None if called is None else Card(called)
    return discard_by(RULE, Hand(cards), rules, call)


def rule_discards(cards: Hand, rules: Rules, *, called: Card | None = None) -> list[Hand]:
    """Return the écart of each rule, `choose_discard`'s first; several may be equal.

    Parameters
    ----------
    cards
        The taker's hand and the dog together.
    called
        Five players: the called card.
    """
    return [discard_by(weights, cards, rules, called) for weights in (RULE, *OTHER_RULES)]


def canonical_discard(discard: Hand, cards: Hand) -> Hand:
    """Return the canonical écart: the one with the lowest cards of those that come to the same.

    Cards of a suit that are worth the same take the same tricks if no other player's lies
    between them.

    Parameters
    ----------
    discard
        A legal écart.
    cards
        The taker's hand and the dog together.

    Examples
    --------
    >>> cards = Hand("A:21,20,16,13,9,7,4,1,EX P:R,D,5,4 C:C,10 K:R,9,8,7 T:D,V,9,4,3")
    >>> print(canonical_discard(Hand("P:5 C:C K:9,8 T:D,4"), cards))
    P:4 C:C K:8,7 T:D,3
    """
    chosen = 0
    for run in _runs(cards):
        gone = len([card for card in run if card in discard])
        chosen |= sum(1 << card for card in run[:gone])
    return Hand.from_mask(chosen)


def count_canonical(cards: Hand, rules: Rules) -> int:
    """Return the number of canonical écarts: of which no two come to the same.

    Parameters
    ----------
    cards
        The taker's hand and the dog together.

    Examples
    --------
    >>> from tarot_sim.rules import Rules
    >>> count_canonical(Hand("A:2,3,4,5,6,7,9 P:R,2,3 C:R,4,5,6"), Rules())
    2
    """
    fixed, free = discardable(cards, rules)
    # Ways by the number of cards that are taken from the runs so far.
    ways = [1] + [0] * (rules.dog_size - len(fixed))
    for run in _runs(free):
        ways = [sum(ways[max(0, n - len(run)) : n + 1]) for n in range(len(ways))]
    return ways[-1]


def iter_canonical(cards: Hand, rules: Rules) -> Iterator[Hand]:
    """Yield every legal écart that is canonical, see `canonical_discard`.

    Parameters
    ----------
    cards
        The taker's hand and the dog together.
    """
    fixed, free = discardable(cards, rules)
    runs = _runs(free)

    def chosen(place: int, left: int) -> Iterator[int]:
        if place == len(runs):
            if left == 0:
                yield 0
            return
        for gone in range(min(left, len(runs[place])) + 1):
            mask = sum(1 << card for card in runs[place][:gone])
            for others in chosen(place + 1, left - gone):
                yield mask | others

    for mask in chosen(0, rules.dog_size - len(fixed)):
        yield Hand.from_mask(fixed.mask | mask)


def _runs(cards: Hand) -> list[list[Card]]:
    """Return the cards in runs of neighbours that are worth the same, from below."""
    runs: list[list[Card]] = []
    for card in cards:
        last = runs[-1][-1] if runs else None
        if (
            last is not None
            and card == last + 1
            and card.suit == last.suit
            and card.half_points == last.half_points
        ):
            runs[-1].append(card)
        else:
            runs.append([card])
    return runs


def discard_candidates(
    cards: Hand,
    rules: Rules,
    n: int,
    rng: np.random.Generator,
    *,
    called: Card | None = None,
) -> list[Hand]:
    """Return up to `n` different legal écarts worth comparing, the rule's choice first.

    The choices of the other rules come next, then those of rules with random
    preferences by suit. No two come to the same (`canonical_discard`); there are fewer than `n`
    only if there are not more.

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
    OptionError
        If `n` is below 1.
    BidError
        If `cards` are too few for an écart.

    Examples
    --------
    >>> import numpy as np
    >>> from tarot_sim.rules import Rules
    >>> cards = Hand("A:21,20,16,13,9,7,4,1,EX P:R,D,5,4 C:C,10 K:R,9,7 T:D,V,9,4,3,2")
    >>> len(discard_candidates(cards, Rules(), 20, np.random.default_rng(1)))
    20
    """
    n = integer("n", n)
    if n < 1:
        raise OptionError(f"n: {shown(n)} candidates, expected at least 1")
    # All rules take the lowest of cards that are worth the same: see `canonical_discard`.
    first = choose_discard(cards, rules, called=called)
    found = {first: None}  # a dict keeps the order in which they come
    possible = count_canonical(cards, rules)
    if possible > n and trumps_to_discard(cards, rules) == 0:
        found |= dict.fromkeys(rule_discards(cards, rules, called=called))
        for _ in range(3 * n):
            if len(found) >= n:
                break
            found[discard_by(_random_weights(rng), cards, rules, called)] = None
    if possible <= _FEW * n:
        every = list(iter_canonical(cards, rules))
        order = range(possible) if possible <= n else rng.permutation(possible).tolist()
        found |= dict.fromkeys(every[place] for place in order)
    while len(found) < n and len(found) < possible:
        found[canonical_discard(random_discard(cards, rules, rng), cards)] = None
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
        Legal écarts, with the lowest cards of their kind (`canonical_discard`), as are all below.
    cards
        The taker's hand and the dog together.
    n
        How many are wanted.
    rng
        Chooses among them where there are more.
    known
        Écarts that are not new.
    """
    free = discardable(cards, rules)[1]
    found: dict[Hand, None] = {}
    for discard in discards:
        for out in discard & free:
            for instead in free - discard:
                other = Hand.from_mask(discard.mask ^ 1 << out ^ 1 << instead)
                found[canonical_discard(other, cards)] = None
    others = [discard for discard in found if discard not in known and discard not in discards]
    if len(others) <= n:
        return others
    return [others[place] for place in sorted(rng.random(len(others)).argsort()[:n].tolist())]


def random_discard(cards: Hand, rules: Rules, rng: np.random.Generator) -> Hand:
    """Return a legal écart, all of them being equally likely.

    Parameters
    ----------
    cards
        The taker's hand and the dog together.
    rng
        Draws the cards.
    """
    fixed, free = discardable(cards, rules)
    places = rng.random(len(free)).argsort()[: rules.dog_size - len(fixed)]
    cards_of = list(free)
    return fixed | Hand([cards_of[place] for place in places.tolist()])


def _random_weights(rng: np.random.Generator) -> DiscardWeights:
    """Return a rule that voids, saves points and likes suits at random."""
    void, single, bare, dame, called_void = (rng.random(5) * (24, 8, 14, 16, 14)).tolist()
    first, second, third, fourth = (8.0 * rng.random(4) - 4.0).tolist()
    return DiscardWeights(
        points=0.3 + float(rng.random()),
        voids=(void, single, single / 4),
        rois=(bare - 3.0, bare / 3 - 1.0, 0.0),
        dame=dame,
        called_void=called_void,
        per_suit=(first, second, third, fourth),
    )
