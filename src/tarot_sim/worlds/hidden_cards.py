"""How the cards that nobody has shown may lie: exact laws, by counting deals.

All ways to deal the hidden cards are equally likely, but for those that are cancelled: a hand
whose only trump is the Petit, without the Excuse (*Petit sec*). Only one hand of a deal can be
that, so the cancelled deals are counted hand by hand and taken away: nothing is sampled, and
every probability is a fraction.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import comb, factorial, prod
from typing import Final, TypeVar

from tarot_sim.cards import CARDS, FULL_MASK, PETIT, SUIT_MASKS, Hand
from tarot_sim.notation import TRUMP

Key = TypeVar("Key", bound=Hashable)

#: The cards of the four suits; the others are the trumps and the Excuse.
_SUITS_MASK: Final = sum(SUIT_MASKS[:TRUMP])
_PETIT_BIT: Final = 1 << PETIT


@dataclass(frozen=True, slots=True)
class HiddenCards:
    """Cards that go to some hands of one size, and to the dog if that is hidden too.

    Parameters
    ----------
    cards
        The hidden cards, as many as `seats` hands and the dog have.
    seats
        How many hands are hidden.
    hand_size, dog_size
        Cards a hand, and of the dog: 0 where it has been seen.
    cancel
        Whether a deal with a Petit sec in a hidden hand is dealt again.

    Examples
    --------
    Twelve cards, two hands of five: the chance that a given hand has no Pique.

    >>> hidden = HiddenCards(Hand("A:21,20,1 P:R,D,2 C:R,10,9,8,7,6"), 2, 5, 2, cancel=False)
    >>> hidden.count(Hand("P:R,D,2"), seat=True)[0]
    Fraction(7, 44)
    """

    cards: Hand
    seats: int
    hand_size: int
    dog_size: int
    cancel: bool

    def __post_init__(self) -> None:
        assert len(self.cards) == self.seats * self.hand_size + self.dog_size

    @property
    def all_deals(self) -> int:
        """Number of ways to deal the hidden cards, those that are cancelled as well."""
        sizes = [self.hand_size] * self.seats + [self.dog_size]
        return factorial(len(self.cards)) // prod(map(factorial, sizes))

    @property
    def petit_sec_deals(self) -> int:
        """Number of ways in which one given hand is a Petit sec, whatever the rules say."""
        if PETIT not in self.cards or not self.seats:
            return 0
        suits, _ = self._suits_and_trumps()
        left = len(self.cards) - self.hand_size
        sizes = [self.hand_size] * (self.seats - 1) + [self.dog_size]
        others = factorial(left) // prod(map(factorial, sizes))
        return comb(suits, self.hand_size - 1) * others

    @property
    def deals(self) -> int:
        """Number of ways to deal the hidden cards that are played."""
        return self.all_deals - (self.seats * self.petit_sec_deals if self.cancel else 0)

    def total(
        self,
        weight: Callable[[int], int],
        *,
        seat: bool = False,
        dog: bool = False,
        name: Callable[[int], Key],
    ) -> dict[Key, Fraction]:
        """Return the law of a sum over the cards of one given hand, the dog, or both.

        Parameters
        ----------
        weight
            What each card adds to the sum, not negative.
        seat, dog
            Whether the hand and the dog are summed over.
        name
            What a sum is called in the answer: sums of one name are put together.

        Returns
        -------
        dict
            The probability of each name, in the order of the names.
        """
        size = self.hand_size * seat + self.dog_size * dog
        suits = _subsets(self.cards.mask & _SUITS_MASK, weight, size)
        trumps = _subsets(self.cards.mask & ~_SUITS_MASK, weight, size)
        counted = _joined(suits, trumps, size, lambda _: 1)
        deals = _scaled(_renamed(counted, 0, name), self.all_deals)
        if not self.cancel or not self.petit_sec_deals:
            return _law(deals, self.deals)
        n_suits, _ = self._suits_and_trumps()
        trumps = _subsets(self.cards.mask & ~_SUITS_MASK & ~_PETIT_BIT, weight, size)
        rest = self.hand_size - 1
        # The sec hand is one of those not asked about: its other cards are of the suits that
        # are left, whichever trumps the places asked about have.
        cancelled = []
        if self.seats > seat:
            counted = _joined(suits, trumps, size, lambda taken: comb(n_suits - taken, rest))
            cancelled.append((_renamed(counted, 0, name), self.seats - seat))
        # It is the one asked about: it has the Petit, and of the suits among the cards of
        # hand and dog all but the Petit that the hand has.
        if seat:
            counted = _joined(suits, trumps, size - 1, lambda taken: comb(taken, rest))
            cancelled.append((_renamed(counted, weight(PETIT), name), 1))
        for ways, hands in cancelled:
            for key, number in _scaled(ways, hands * self.petit_sec_deals).items():
                deals[key] -= number
        return _law(deals, self.deals)

    def count(self, cards: Hand, *, seat: bool = False, dog: bool = False) -> dict[int, Fraction]:
        """Return the law of how many of `cards` one given hand, the dog, or both have."""
        return self.total(lambda card: card in cards, seat=seat, dog=dog, name=int)

    def half_points(self, *, seat: bool = False, dog: bool = False) -> dict[int, Fraction]:
        """Return the law of what one given hand, the dog, or both are worth, in half points."""
        return self.total(lambda card: CARDS[card].half_points, seat=seat, dog=dog, name=int)

    def lengths(
        self, name: Callable[[tuple[int, ...]], Key], *, seat: bool = False, dog: bool = False
    ) -> dict[Key, Fraction]:
        """Return the law of what `name` makes of the lengths of the four suits."""
        base = 15  # a suit has fourteen cards

        def digits(total: int) -> Key:
            return name(tuple(total // base**suit % base for suit in range(TRUMP)))

        def weight(card: int) -> int:
            return base ** (card // 14) if card < 56 else 0

        return self.total(weight, seat=seat, dog=dog, name=digits)

    def splits(self, cards: Hand) -> dict[tuple[int, ...], Fraction]:
        """Return the law of how `cards` are split among the hidden hands, longest first.

        What the hands do not have is in the dog.

        Examples
        --------
        >>> hidden = HiddenCards(Hand("P:R,D,2 C:R,10,9,8,7,6"), 2, 4, 1, cancel=False)
        >>> for split, chance in hidden.splits(Hand("P:R,D,2")).items():
        ...     print(split, chance)
        (3, 0) 2/21
        (2, 1) 4/7
        (2, 0) 1/7
        (1, 1) 4/21
        """
        marked = cards & self.cards
        deals: dict[tuple[int, ...], int] = defaultdict(int)
        for split, ways in self._hand_splits(len(marked), len(self.cards), self.seats):
            deals[split] += ways
        if self.cancel and self.petit_sec_deals:
            for split, ways in self._petit_sec_splits(marked):
                deals[split] -= self.seats * ways
        return dict(reversed(_law(deals, self.deals).items()))

    def _hand_splits(
        self, marked: int, cards: int, seats: int
    ) -> Iterator[tuple[tuple[int, ...], int]]:
        """Yield how marked cards are split among some hands, longest first, and in how many deals.

        Parameters
        ----------
        marked, cards
            Marked cards, and all the cards that go to these hands and the dog.
        seats
            The hands.
        """
        size = self.hand_size
        for in_dog in range(min(marked, self.dog_size) + 1):
            if cards - marked < self.dog_size - in_dog:
                continue
            dogs = comb(marked, in_dog) * comb(cards - marked, self.dog_size - in_dog)
            for split in _partitions(marked - in_dog, seats, size):
                orders = factorial(seats) // prod(map(factorial, Counter(split).values()))
                # Which of the marked cards and which of the others each hand has.
                ways = factorial(marked - in_dog) // prod(map(factorial, split))
                others = seats * size - (marked - in_dog)
                ways *= factorial(others) // prod(factorial(size - length) for length in split)
                yield split, dogs * orders * ways

    def _petit_sec_splits(self, marked: Hand) -> Iterator[tuple[tuple[int, ...], int]]:
        """Yield the same for the deals in which one given hand is a Petit sec."""
        n_suits, _ = self._suits_and_trumps()
        of_suits = (marked.mask & _SUITS_MASK).bit_count()
        petit = PETIT in marked
        rest = self.hand_size - 1
        for held in range(min(of_suits, rest) + 1):
            ways = comb(of_suits, held) * comb(n_suits - of_suits, rest - held)
            if not ways:
                continue
            for split, deals in self._hand_splits(
                len(marked) - held - petit, len(self.cards) - self.hand_size, self.seats - 1
            ):
                yield tuple(sorted((*split, held + petit), reverse=True)), ways * deals

    def _suits_and_trumps(self) -> tuple[int, int]:
        suits = (self.cards.mask & _SUITS_MASK).bit_count()
        return suits, len(self.cards) - suits


def unseen(*seen: Hand) -> Hand:
    """Return the cards of the pack that are in none of the hands."""
    mask = FULL_MASK
    for hand in seen:
        mask &= ~hand.mask
    return Hand.from_mask(mask)


#: Sets of cards by how many they are, then by the sum of their weights: how many sets.
_Subsets = list[dict[int, int]]


def _subsets(cards: int, weight: Callable[[int], int], most: int) -> _Subsets:
    """Count the sets of at most so many cards by their number and the sum of their weights."""
    kinds = Counter(map(weight, Hand.from_mask(cards)))
    found: _Subsets = [{} for _ in range(most + 1)]
    found[0][0] = 1
    for value, number in kinds.items():
        grown: _Subsets = [defaultdict(int) for _ in range(most + 1)]
        for count, sums in enumerate(found):
            for taken in range(min(number, most - count) + 1):
                ways, more = comb(number, taken), taken * value
                into = grown[count + taken]
                for total, sets in sums.items():
                    into[total + more] += sets * ways
        found = grown
    return found


def _joined(
    suits: _Subsets, trumps: _Subsets, size: int, ways: Callable[[int], int]
) -> dict[int, int]:
    """Count the sets of `size` cards by the sum of their weights.

    `ways` tells how often a set counts, by how many of its cards are of the suits.
    """
    found: dict[int, int] = defaultdict(int)
    for taken in range(size + 1):
        times = ways(taken)
        if times:
            for total, sets in suits[taken].items():
                for more, others in trumps[size - taken].items():
                    found[total + more] += times * sets * others
    return found


def _renamed(ways: dict[int, int], more: int, name: Callable[[int], Key]) -> dict[Key, int]:
    found: dict[Key, int] = defaultdict(int)
    for total, number in ways.items():
        found[name(total + more)] += number
    return found


def _scaled(ways: dict[Key, int], deals: int) -> dict[Key, int]:
    """Return numbers of deals, `deals` in all, in proportion to the numbers of ways."""
    whole = sum(ways.values())
    return {key: number * deals // whole for key, number in ways.items()} if whole else {}


def _law(deals: dict[Key, int], whole: int) -> dict[Key, Fraction]:
    """Return the probabilities, in the order of the keys; what cannot be is left out."""
    return {
        key: Fraction(deals[key], whole)
        for key in sorted(deals)  # type: ignore[type-var]
        if deals[key]
    }


@cache
def _partitions(total: int, parts: int, most: int) -> tuple[tuple[int, ...], ...]:
    """Return the ways to write `total` as so many parts, none above `most`, longest first."""
    if parts == 0:
        return ((),) if total == 0 else ()
    return tuple(
        (first, *others)
        for first in range(min(total, most), -(-total // parts) - 1, -1)
        for others in _partitions(total - first, parts - 1, first)
    )
