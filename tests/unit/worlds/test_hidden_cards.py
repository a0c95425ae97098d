"""The laws of the hidden cards against the enumeration of every deal of a small pack."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest

from tarot_sim.cards import Hand
from tarot_sim.worlds.hidden_cards import HiddenCards, unseen
from tests.reference.dealing import is_petit_sec

Places = tuple[tuple[str, ...], ...]

#: Small packs: the cards, hands, cards a hand, cards of the dog. Petit sec is common in them.
PACKS = [
    pytest.param("A:2,1,EX P:R,D,2 C:R,1", 2, 3, 2, id="two hands and a dog"),
    pytest.param("A:21,2,1 P:R,D,2 C:R,5 K:3", 3, 3, 0, id="three hands, the dog seen"),
    pytest.param("A:2,1,EX P:R,2 C:R,1", 3, 2, 1, id="three hands of two"),
    pytest.param("A:1,EX P:R,2 C:R", 4, 1, 1, id="four hands of one"),
    pytest.param("A:3,2,EX P:R,2 C:R,D,1", 2, 3, 2, id="the Petit seen"),
    pytest.param("A:2,1,EX P:R,D,2 C:R,1", 1, 5, 3, id="one hand"),
    pytest.param("A:9,8,7,6,5,1,EX P:R", 2, 3, 2, id="too few suit cards for a Petit sec"),
]
#: A given hand, the dog, both.
POOLS = ((True, False), (False, True), (True, True))
CANCEL = pytest.mark.parametrize("cancel", [False, True], ids=["shuffle", "cancel"])


def every_deal(cards: tuple[str, ...], sizes: list[int]) -> Iterator[Places]:
    """Yield all ways to deal cards to places of these sizes."""
    if not sizes:
        yield ()
        return
    for first in combinations(cards, sizes[0]):
        left = tuple(card for card in cards if card not in first)
        for others in every_deal(left, sizes[1:]):
            yield (first, *others)


def enumerated(hidden: HiddenCards, feature: Callable[[Places], Hashable]) -> dict[Any, Fraction]:
    """Return the law of a feature of the places: the hands, then the dog."""
    names = tuple(card.name for card in hidden.cards)
    sizes = [hidden.hand_size] * hidden.seats + [hidden.dog_size]
    seen: Counter[Hashable] = Counter()
    for places in every_deal(names, sizes):
        if not hidden.cancel or not any(map(is_petit_sec, places[:-1])):
            seen[feature(places)] += 1
    assert hidden.deals == seen.total()
    return {value: Fraction(count, seen.total()) for value, count in seen.items()}


def pooled(
    feature: Callable[[Hand], Hashable], seat: bool, dog: bool
) -> Callable[[Places], Hashable]:
    """Return a feature of the first hand, the dog, or both together."""
    return lambda places: feature(Hand([*places[0] * seat, *places[-1] * dog]))


@CANCEL
@pytest.mark.parametrize(("cards", "seats", "hand", "dog"), PACKS)
class TestEveryDeal:
    @pytest.fixture
    def hidden(self, cards: str, seats: int, hand: int, dog: int, cancel: bool) -> HiddenCards:
        return HiddenCards(Hand(cards), seats, hand, dog, cancel)

    def test_petit_sec(self, hidden: HiddenCards) -> None:
        shuffle = HiddenCards(
            hidden.cards, hidden.seats, hidden.hand_size, hidden.dog_size, cancel=False
        )
        law = enumerated(shuffle, lambda places: is_petit_sec(places[0]))
        assert law.get(True, 0) == Fraction(shuffle.petit_sec_deals, shuffle.all_deals)

    @pytest.mark.parametrize(
        "marked", ["P:R,D,2", "A:3,2,1", "A1", "EX", "PR CR", "A:1,2,EX P:2", "A:2 C:1", ""]
    )
    def test_counts_and_splits(self, hidden: HiddenCards, marked: str) -> None:
        asked = Hand(marked)
        for seat, dog in POOLS:
            counts = enumerated(hidden, pooled(lambda cards: len(cards & asked), seat, dog))
            assert counts == hidden.count(asked, seat=seat, dog=dog)
        splits = enumerated(
            hidden,
            lambda places: tuple(
                sorted((len(Hand(hand) & asked) for hand in places[:-1]), reverse=True)
            ),
        )
        assert splits == hidden.splits(asked)
        assert sorted(splits, reverse=True) == list(hidden.splits(asked))

    def test_points_and_lengths(self, hidden: HiddenCards) -> None:
        for seat, dog in POOLS:
            points = enumerated(hidden, pooled(lambda cards: cards.half_points, seat, dog))
            assert points == hidden.half_points(seat=seat, dog=dog)
            lengths = enumerated(hidden, pooled(suit_lengths, seat, dog))
            assert lengths == hidden.lengths(lambda held: held, seat=seat, dog=dog)


def suit_lengths(cards: Hand) -> tuple[int, ...]:
    return tuple(len(cards.suit(suit)) for suit in range(4))


def test_nothing_is_asked_about() -> None:
    hidden = HiddenCards(Hand("A:2,1,EX P:R,D,2"), 2, 2, 2, cancel=True)
    assert {0: 1} == hidden.count(Hand("PR"))


def test_unseen() -> None:
    assert 78 == len(unseen())
    assert 54 == len(
        unseen(Hand("P:1,2,3,4,5,6,7,8,9,10,V,C,D,R C:1,2,3,4"), Hand("A:1,2,3,4,5,6"))
    )
