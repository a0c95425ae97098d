"""How often hands of each Chavey count are dealt, by counting all of them.

Nothing is drawn here: a suit's cards are counted by how many there are, what they count and
whether the suit is short, and suits and trumps are put together. Cards are names as of `deck`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import combinations
from math import comb

#: How many cards, what they count without short suits, what short suits count.
Kind = tuple[int, int, int]


def hand_kinds(cards: Iterable[str], size: int) -> Counter[tuple[int, int]]:
    """Return how many hands of this size the cards make, by their count and by short suits."""
    cards = list(cards)
    whole: Counter[Kind] = Counter({(0, 0, 0): 1})
    for suit in "PCKT":
        whole = _together(whole, _subsets([c for c in cards if c[0] == suit], "RDCV", _suit), size)
    trumps = [card for card in cards if card[0] in "AE"]
    named = ("A21", "A20", "A19", "A18", "A17", "A16", "A1", "EX")
    whole = _together(whole, _subsets(trumps, named, _trumps), size)
    return Counter({kind[1:]: ways for kind, ways in whole.items() if kind[0] == size})


def _subsets(
    cards: list[str], telling: Iterable[str], count: Callable[[set[str], int], tuple[int, int]]
) -> Counter[Kind]:
    """Return how many subsets of a suit there are of each kind; only some cards are told apart."""
    names = set(telling)
    named = [card for card in cards if card in names or card[1:] in names]
    others = len(cards) - len(named)
    kinds: Counter[Kind] = Counter()
    for held in _all_subsets(named):
        for more in range(others + 1):
            kinds[(len(held) + more, *count(set(held), len(held) + more))] += comb(others, more)
    return kinds


def _all_subsets(cards: list[str]) -> Iterator[tuple[str, ...]]:
    for size in range(len(cards) + 1):
        yield from combinations(cards, size)


def _suit(held: set[str], length: int) -> tuple[int, int]:
    ranks = {card[1:] for card in held}
    honours = 10 if ranks >= {"R", "D"} else 6 * ("R" in ranks) + 3 * ("D" in ranks)
    long = 0 if length < 5 else {5: 5, 6: 7}.get(length, 9)
    short = {0: 6, 1: 3}.get(length, 0)
    return honours + 2 * ("C" in ranks) + ("V" in ranks) + long, short


def _trumps(held: set[str], length: int) -> tuple[int, int]:
    high = [int(card[1:]) for card in held if card not in ("A1", "EX")]
    neighbours = sum(trump - 1 in high or trump + 1 in high for trump in high)
    bouts = 10 * ("A21" in held) + 8 * ("EX" in held)
    if "A1" in held and length >= 5:
        bouts += {5: 5, 6: 7}.get(length, 9)
    return bouts + 2 * len(high) + neighbours + (2 * length if length >= 5 else 0), 0


def _together(one: Counter[Kind], two: Counter[Kind], size: int) -> Counter[Kind]:
    whole: Counter[Kind] = Counter()
    for (n, total, short), ways in one.items():
        for (more, points, thin), times in two.items():
            if n + more <= size:
                whole[n + more, total + points, short + thin] += ways * times
    return whole
