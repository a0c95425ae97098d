"""Hands of which some cards are known, and uniformly random deals that fit them.

A *pattern* names cards and leaves others open: ``A:21,16,x,x,x,EX P:R,D,x``. A small ``x`` is
a card of its group that the pattern does not name: in a suit one below the Valet (10…1), among
the trumps one from the 2 to the 20. A hand fits if it has the cards that are named and at least
as many small ones as there are ``x``; what a pattern leaves open beyond that may be anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import comb, factorial
from typing import TYPE_CHECKING, Final, TypeAlias

from tarot_sim.cards import EXCUSE, FULL_MASK, PETIT, SUIT_MASKS, Hand, mask_of
from tarot_sim.deals.dealing import Draws, deal_uniform
from tarot_sim.errors import HandError, RecordError, field
from tarot_sim.notation import SUIT_LETTERS, TRUMP, parse_numbers

if TYPE_CHECKING:
    from tarot_sim.deals.dealing import Dealt
    from tarot_sim.rules import Rules

#: The small cards: of each suit, then of the trumps.
SMALL_MASKS: Final[tuple[int, ...]] = (
    *(0x3FF << 14 * suit for suit in range(TRUMP)),
    ((1 << 19) - 1) << PETIT + 1,
)
_GROUPS: Final = range(TRUMP + 1)
_LETTERS: Final = SUIT_LETTERS + "A"
_NOTHING: Final = (0, 0, 0, 0, 0)
_TRUMPS_AND_EXCUSE: Final = SUIT_MASKS[TRUMP] | 1 << EXCUSE


@dataclass(frozen=True, slots=True)
class Pattern:
    """What is known of a hand: cards by name, and numbers of small ones.

    Parameters
    ----------
    named
        The cards that the hand has.
    small
        How many small cards it has at least beside them: of each suit, then of the trumps.

    Raises
    ------
    HandError
        If there are not so many small cards.

    Examples
    --------
    >>> pattern = Pattern.parse("a:21,16,xxx,ex P:R,D,x")
    >>> print(pattern, "has", len(pattern), "cards")
    A:21,16,x,x,x,EX P:R,D,x has 9 cards
    >>> pattern.fits(Hand("A:21,16,12,11,7,2,EX P:R,D,10,3"))
    True
    """

    named: Hand
    small: tuple[int, int, int, int, int] = _NOTHING

    def __post_init__(self) -> None:
        for group in _GROUPS:
            left = (SMALL_MASKS[group] & ~self.named.mask).bit_count()
            if not 0 <= self.small[group] <= left:
                raise HandError(
                    f"{_LETTERS[group]}: {self.small[group]} small cards, there are {left} beside "
                    "those that are named"
                )

    @classmethod
    def parse(cls, text: str) -> Pattern:
        """Return the pattern that `text` means: cards as in a hand, and ``x`` for small ones.

        Raises
        ------
        CardError
            If a token means no card, or an ``x`` no suit; the message has the token and its place.
        HandError
            If a card comes twice, or there are more ``x`` than small cards.
        """
        small: list[int] = []
        named = Hand.from_mask(mask_of(parse_numbers(text, small)))
        p, c, k, t, a = (small.count(group) for group in _GROUPS)
        return cls(named, (p, c, k, t, a))

    @classmethod
    def of(cls, cards: str | Hand | Pattern) -> Pattern:
        """Return the pattern that is given as one, as a hand or as text."""
        if isinstance(cards, Pattern):
            return cards
        return cls(cards) if isinstance(cards, Hand) else cls.parse(cards)

    def __len__(self) -> int:
        return len(self.named) + sum(self.small)

    def __str__(self) -> str:
        """Return the pattern in the project's notation, each ``x`` below the cards named."""
        groups = []
        for group in (TRUMP, *range(TRUMP)):
            cards = str(self.named.suit(group)).partition(":")[2].split(",")
            cards = [*filter(None, cards), *["x"] * self.small[group]]
            if group == TRUMP and EXCUSE in self.named:
                cards.append("EX")
            if cards:
                groups.append(f"{_LETTERS[group]}:{','.join(cards)}")
        return " ".join(groups)

    def fits(self, hand: Hand) -> bool:
        """Tell whether a hand is one of those that are meant."""
        if self.named.mask & ~hand.mask:
            return False
        others = hand.mask & ~self.named.mask
        return all(
            (others & SMALL_MASKS[group]).bit_count() >= self.small[group] for group in _GROUPS
        )


PatternLike: TypeAlias = str | Hand | Pattern


def deal_matching(
    rules: Rules,
    draws: Draws,
    hands: Mapping[int, PatternLike],
    dog: PatternLike | None = None,
    dealer: int | None = None,
) -> Dealt:
    """Return a random deal in which hands and dog fit patterns, all such deals equally likely.

    Where a Petit sec is cancelled, it is one of those without. The deal is a function of the
    raw stream; without any pattern it is that of `deal_uniform`.

    Parameters
    ----------
    rules
        The table.
    draws
        Where the random numbers come from.
    hands
        A pattern, a hand or text by seat; seats that are not named hold anything.
    dog
        The same for the dog.
    dealer
        The dealer's seat; drawn if None.

    Returns
    -------
    tuple
        The hands by seat, the dog, the dealer.

    Raises
    ------
    CardError, HandError, RecordError
        If a pattern cannot be read, or no deal fits; the message names hand, card or suit.

    Examples
    --------
    >>> from tarot_sim.rules import Rules
    >>> wanted = {0: "A:21,16,x,x,x,EX P:R,D,x", 2: "C:R"}
    >>> hands, dog, dealer = deal_matching(Rules(), Draws(1), wanted, dog="A:1")
    >>> print(hands[0])
    A:21,19,16,14,6,4,EX P:R,D,10,6,5,4,2 K:5 T:8,4,2
    """
    given = {}
    for seat, cards in sorted(hands.items()):
        if not 0 <= seat < rules.players:
            raise RecordError(f"hands: {seat} is not a seat, they are 0…{rules.players - 1}")
        with field(f"hands[{seat}]"):
            given[seat] = Pattern.of(cards)
    if dog is not None:
        with field("dog"):
            given[rules.players] = Pattern.of(dog)
    given = {place: pattern for place, pattern in given.items() if len(pattern)}
    if not given:
        return deal_uniform(rules, draws, dealer)
    plan = _plan(rules, tuple(given.items()))
    if dealer is None:
        dealer = draws.below(rules.players)
    while True:
        places = [Hand.from_mask(mask) for mask in plan.deal(draws)]
        if rules.petit_sec == "off" or not any(hand.is_petit_sec() for hand in places[:-1]):
            return tuple(places[:-1]), places[-1], dealer


class _Plan:
    """How to deal so that patterns fit.

    The cards that are not named fall in *rows*: the small cards of a group of which some place
    wants some, and all others. So many ways there are to deal n[r, h] cards of row r to place h:

        product over r of ( size[r]! / product over h of n[r, h]! )

    hence a deal is uniform if the table n is drawn in proportion to that number and then the
    cards are shuffled. Its sums are given: those of a row by the row's size, those of a place by
    its capacity. Tables are drawn as follows, with a positive weight w[h] for each place:

    * the rows of small cards independently of each other, each in proportion to
      (product of w[h]**n[r, h] / n[r, h]!), where n[r, h] is at least the number of ``x``;
    * the row of all others, f[h], is what then fills each place up; the table is kept in
      proportion to (product of w[h]**f[h] / f[h]!), else drawn again.

    A table that is kept so has a chance in proportion to the number of its deals times
    (product of w[h]**capacity[h]), which is the same for all. So the weights do not change the law
    but how often tables are kept; they are chosen such that the places are filled on average.

    Places that want no ``x`` are one place here, a *pool*, whose cards are shuffled in the end.
    Places that are wholly described take theirs first and are no part of the tables.
    """

    def __init__(self, rules: Rules, given: Sequence[tuple[int, Pattern]]) -> None:
        self.sizes = [rules.hand_size] * rules.players + [rules.dog_size]
        self.patterns = [Pattern(Hand())] * (rules.players + 1)
        for place, pattern in given:
            self.patterns[place] = pattern
        self._check()
        self.named = [pattern.named.mask for pattern in self.patterns]
        unnamed = FULL_MASK & ~sum(self.named)
        capacities = [
            size - len(pattern.named)
            for size, pattern in zip(self.sizes, self.patterns, strict=True)
        ]
        wanted = [sum(pattern.small) for pattern in self.patterns]
        places = range(rules.players + 1)
        self.described = [h for h in places if wanted[h] and wanted[h] == capacities[h]]
        self.asked = [h for h in places if 0 < wanted[h] < capacities[h]]
        self.pool = [h for h in places if not wanted[h]]
        self.capacities = capacities
        #: The small cards by group, and how many of them the described places take.
        self.groups: list[list[int]] = [
            list(Hand.from_mask(unnamed & mask)) for mask in SMALL_MASKS
        ]
        taken = [sum(self.patterns[h].small[g] for h in self.described) for g in _GROUPS]
        self.others: list[int] = list(Hand.from_mask(unnamed & ~sum(SMALL_MASKS)))
        #: The groups of which a place that is not wholly described wants some.
        self.bound = [g for g in _GROUPS if any(self.patterns[h].small[g] for h in self.asked)]
        self.filled = [*(capacities[h] for h in self.asked), sum(capacities[h] for h in self.pool)]
        self.least = [[*(self.patterns[h].small[g] for h in self.asked), 0] for g in self.bound]
        self.row_sizes = [len(self.groups[g]) - taken[g] for g in self.bound]
        self.others_size = sum(self.filled) - sum(self.row_sizes)
        if not self.filled[-1]:  # no pool: nothing may fall there
            self.filled.pop()
            for row in self.least:
                row.pop()
        weights = _weights(self.filled, self.least, self.row_sizes, self.others_size)
        self.rows = [
            _Row(size, least, weights)
            for size, least in zip(self.row_sizes, self.least, strict=True)
        ]
        self.weights = weights
        spare = [
            capacity - sum(row[h] for row in self.least) for h, capacity in enumerate(self.filled)
        ]
        self.likeliest = _likeliest(self.others_size, spare, weights)
        if rules.petit_sec == "cancel":
            self._check_petit_sec(rules)

    def deal(self, draws: Draws) -> list[int]:
        """Return the masks of the hands and the dog of a uniformly random deal that fits."""
        table, others = self._table(draws)
        masks = list(self.named)
        counts = dict(zip(self.bound, table, strict=True))
        loose = list(self.others)
        pool: list[int] = []
        for group in _GROUPS:
            cards = draws.shuffled(self.groups[group])
            for place in self.described:
                masks[place] |= _taken(cards, self.patterns[place].small[group])
            if group not in counts:
                loose += cards
                continue
            for place, count in zip(self.asked, counts[group], strict=False):
                masks[place] |= _taken(cards, count)
            pool += cards
        loose = draws.shuffled(loose)
        for place, count in zip(self.asked, others, strict=False):
            masks[place] |= _taken(loose, count)
        pool = draws.shuffled(pool + loose)
        for place in self.pool:
            masks[place] |= _taken(pool, self.capacities[place])
        assert not pool
        return masks

    def _table(self, draws: Draws) -> tuple[list[list[int]], list[int]]:
        """Return how many cards of each bound group, and of all others, the places get."""
        while True:
            rows = [row.draw(draws) for row in self.rows]
            others = [
                capacity - sum(row[h] for row in rows) for h, capacity in enumerate(self.filled)
            ]
            if min(others, default=0) < 0:
                continue
            chance, certain = 1, 1
            for weight, count, likeliest in zip(self.weights, others, self.likeliest, strict=True):
                chance *= weight**count * factorial(likeliest)
                certain *= weight**likeliest * factorial(count)
            if chance == certain or _below(draws, certain) < chance:
                return rows, others

    def _check(self) -> None:
        """Refuse patterns that no deal fits."""
        seen: dict[int, str] = {}
        for place, pattern in enumerate(self.patterns):
            name = self._name(place)
            for card in pattern.named:
                if card in seen:
                    raise HandError(
                        f"{name}: card {card} comes twice, it is in {seen[card]} already"
                    )
                seen[card] = name
            if len(pattern) > self.sizes[place]:
                raise HandError(
                    f"{name}: {len(pattern)} cards, expected {self.sizes[place]} at most"
                )
        # If each group has enough, the small cards that are wanted can be given out, and any
        # cards will do for the rest: no more has to be asked.
        for group in _GROUPS:
            wanted = sum(pattern.small[group] for pattern in self.patterns)
            left = SMALL_MASKS[group].bit_count() - sum(
                (pattern.named.mask & SMALL_MASKS[group]).bit_count() for pattern in self.patterns
            )
            if wanted > left:
                raise HandError(
                    f"{_LETTERS[group]}: the patterns want {wanted} small cards, there are {left} "
                    "beside those that are named"
                )

    def _check_petit_sec(self, rules: Rules) -> None:
        """Refuse patterns which only deals with a Petit sec fit."""
        holder = next((h for h, mask in enumerate(self.named) if mask >> PETIT & 1), None)
        places = range(rules.players + 1) if holder is None else [holder]
        if not any(self._holds_petit_in_company(place, rules.players) for place in places):
            raise HandError("hands: every deal that fits has a Petit sec and is cancelled")

    def _holds_petit_in_company(self, place: int, dog: int) -> bool:
        """Tell whether some deal that fits has the Petit there, and not sec."""
        pattern = self.patterns[place]
        spare = self.sizes[place] - len(pattern) - (PETIT not in pattern.named)
        if spare < 0 or place == dog:
            return spare >= 0
        if pattern.named.mask & _TRUMPS_AND_EXCUSE & ~(1 << PETIT) or pattern.small[TRUMP]:
            return True
        wanted = sum(other.small[TRUMP] for other in self.patterns)
        high = sum(card >= PETIT and card != PETIT for card in self.others)
        return spare > 0 and len(self.groups[TRUMP]) - wanted + high > 0

    def _name(self, place: int) -> str:
        return "dog" if place == len(self.sizes) - 1 else f"hands[{place}]"


#: The same patterns are often dealt many times.
_plan = lru_cache(maxsize=16)(_Plan)


class _Row:
    """Draws how many cards of one row each place gets.

    In proportion to product of w[h]**n[h] / n[h]!, where n[h] is at least least[h].
    """

    def __init__(self, size: int, least: Sequence[int], weights: Sequence[int]) -> None:
        self.size = size
        #: By place and by the cards that are left for it and for those behind it: the numbers
        #: it may get, each with its weight (the ways to choose the cards and go on with it).
        self.choices: list[list[list[tuple[int, int]]]] = []
        behind = [1] + [0] * size  # behind the last place no card is left
        for low, weight in zip(reversed(least), reversed(weights), strict=True):
            powers = [weight**count for count in range(size + 1)]
            choices = [
                [
                    (count, comb(left, count) * powers[count] * behind[left - count])
                    for count in range(low, left + 1)
                    if behind[left - count]
                ]
                for left in range(size + 1)
            ]
            behind = [sum(ways for _, ways in options) for options in choices]
            self.choices.insert(0, choices)

    def draw(self, draws: Draws) -> list[int]:
        """Return the numbers by place."""
        left, counts = self.size, []
        for choices in self.choices:
            options = choices[left]
            rest = _below(draws, sum(ways for _, ways in options)) if len(options) > 1 else 0
            for count, ways in options:
                if rest < ways:
                    counts.append(count)
                    left -= count
                    break
                rest -= ways
        return counts


#: Weights are integers, the heaviest about so much.
_HEAVIEST: Final = 1 << 20
_ROUNDS: Final = 60
_NEAR: Final = 0.01


def _weights(
    capacities: Sequence[int], least: Sequence[Sequence[int]], sizes: Sequence[int], others: int
) -> list[int]:
    """Return weights of the places with which they are filled on average.

    Any positive weights are right (see `_Plan`). Only sums, products and quotients of floats are
    used, so that they are the same on every machine.
    """
    weights = [float(capacity) for capacity in capacities]
    for _ in range(_ROUNDS):
        whole = sum(weights)
        means = [others * weight / whole for weight in weights]
        for row, size in zip(least, sizes, strict=True):
            for place, mean in enumerate(_row_means(size, row, [w / whole for w in weights])):
                means[place] += mean
        if all(abs(m - c) <= _NEAR * c for m, c in zip(means, capacities, strict=True)):
            break
        weights = [w * c / m for w, c, m in zip(weights, capacities, means, strict=True)]
    heaviest = max(weights, default=1.0)
    return [max(1, int(weight / heaviest * _HEAVIEST)) for weight in weights]


def _row_means(size: int, least: Sequence[int], weights: Sequence[float]) -> Iterator[float]:
    """Yield how many cards of a row each place gets on average."""
    terms = []
    for low, weight in zip(least, weights, strict=True):
        powers = [1.0]
        for count in range(1, size + 1):
            powers.append(powers[-1] * weight / count)
        terms.append([0.0] * low + powers[low:])
    behind = [[1.0] + [0.0] * size]
    for term in reversed(terms):
        behind.append(_convolved(term, behind[-1]))
    before = behind[0]
    for place, term in enumerate(terms):
        rest = _convolved(before, behind[len(terms) - place - 1])
        parts = [term[count] * rest[size - count] for count in range(size + 1)]
        yield sum(count * part for count, part in enumerate(parts)) / sum(parts)
        before = _convolved(before, term)


def _convolved(first: Sequence[float], second: Sequence[float]) -> list[float]:
    return [
        sum(first[i] * second[total - i] for i in range(total + 1)) for total in range(len(first))
    ]


def _likeliest(size: int, most: Sequence[int], weights: Sequence[int]) -> list[int]:
    """Return the numbers, none above `most`, whose product of w**f / f! is greatest.

    One card after the other goes where it multiplies the product by most: the factors w / f of
    a place fall with f, so no other choice of so many factors has a greater product.
    """
    counts = [0] * len(weights)
    for _ in range(size):
        best = None
        for place, weight in enumerate(weights):
            if counts[place] < most[place] and (
                best is None or weight * (counts[best] + 1) > weights[best] * (counts[place] + 1)
            ):
                best = place
        assert best is not None
        counts[best] += 1
    return counts


def _taken(cards: list[int], count: int) -> int:
    """Take so many cards from the end of a list, and return them as a mask."""
    mask = 0
    for _ in range(count):
        mask |= 1 << cards.pop()
    return mask


def _below(draws: Draws, bound: int) -> int:
    """Return a uniform number 0…`bound` − 1, however large the bound is."""
    if bound <= 1 << 64:
        return draws.below(bound)
    bits = bound.bit_length()
    while True:
        number = 0
        for _ in range(-(-bits // 64)):
            number = number << 64 | draws.word()
        number >>= -bits % 64
        if number < bound:
            return number
