from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from tarot_sim.cards import Hand
from tarot_sim.errors import BidError
from tarot_sim.rules import Rules
from tarot_sim.rules.discard import (
    check_discard,
    count_discards,
    discardable,
    iter_discards,
    legal_discard_reason,
    plain_cards,
    shown_trumps,
    trumps_to_discard,
)
from tests.ecarts import STUCK, random_cards
from tests.reference.dealing import is_legal_ecart

FOUR = Rules()


# Case 16: exactly one ordinary trump goes, with all the plain cards, and is shown.
def test_forced_trump() -> None:
    assert 5 == len(plain_cards(STUCK))
    assert 1 == trumps_to_discard(STUCK, FOUR)
    discard = Hand("A:7 P:2,3 C:4,5 T:6")
    assert legal_discard_reason(STUCK, discard, FOUR) is None
    assert Hand("A:7") == shown_trumps(discard)
    assert 14 == count_discards(STUCK, FOUR)  # every trump but the 21
    fixed, free = discardable(STUCK, FOUR)
    assert discard - Hand("A:7") == fixed
    assert 14 == len(free)
    for refused, reason in (
        ("A:8,7 P:2,3 C:4,5", "A7 is a trump, only 1 trumps may be discarded while T6 is kept"),
        ("A:21 P:2,3 C:4,5 T:6", "A21 is a bout"),
        ("K:R P:2,3 C:4,5 T:6", "KR is a Roi"),
    ):
        assert reason in str(legal_discard_reason(STUCK, Hand(refused), FOUR))


def test_trumps_that_cannot_be_kept_at_any_table() -> None:
    five = Hand("A:21,20,19,18,17,16,15,14,13,12,11,10,9,8,1,EX P:R C:R", size=18)
    assert 3 == trumps_to_discard(five, Rules(players=5))
    assert 13 * 12 * 11 // 6 == count_discards(five, Rules(players=5))
    three = Hand([*range(56, 78), 13, 27, 41, 55, 0, 1, 14, 28], size=30)
    assert 2 == trumps_to_discard(three, Rules(players=3))


CARDS = Hand("A:21,20,9,1,EX P:R,D,5,4,3 C:C,10,8 K:R,9,7,6,2 T:V,9,4,3,2,1", size=24)


@pytest.mark.parametrize(
    ("reason", "discard"),
    [
        ("PR is a Roi", "C:C,10,8 P:R,D T:1"),
        ("A1 is a bout", "C:C,10,8 P:D A:1 T:1"),
        ("EX is a bout", "C:C,10,8 P:D,5 EX"),
        ("A9 is a trump, no trump may be discarded while P3 is kept", "C:C,10,8 P:D A:9 T:1"),
        ("CR is neither in the hand nor in the dog", "C:R,10,8 P:D T:1,2"),
        ("5 cards, expected 6", "C:C,10,8 P:D T:1"),
        ("7 cards, expected 6", "C:C,10,8 P:D T:1,2,3"),  # case 17
    ],
)
def test_refused(reason: str, discard: str) -> None:
    with pytest.raises(BidError) as caught:
        check_discard(CARDS, Hand(discard), FOUR)
    assert f"discard: {reason}" == str(caught.value)[: len(f"discard: {reason}")]
    assert "\n" not in str(caught.value)


def test_allowed() -> None:
    check_discard(CARDS, Hand("C:C,10,8 P:D T:1,2"), FOUR)
    assert legal_discard_reason(CARDS.mask, Hand("C:C,10,8 P:D T:1,2").mask, FOUR) is None


@pytest.mark.parametrize("players", [3, 4, 5])
def test_enumeration_is_the_predicate(players: int) -> None:
    rules = Rules(players=players)
    random = Random(players)
    # Few enough cards that every subset can be asked.
    for _ in range(20):
        cards = Hand(random.sample(range(50, 78), 9) + random.sample(range(50), 2))
        legal = {
            Hand(chosen)
            for chosen in combinations(cards, rules.dog_size)
            if legal_discard_reason(cards, Hand(chosen), rules) is None
        }
        found = list(iter_discards(cards, rules))
        assert len(found) == len(set(found))
        assert legal == set(found)
        assert len(legal) == count_discards(cards, rules)


@pytest.mark.parametrize("players", [3, 4, 5])
def test_predicate_is_the_references(players: int) -> None:
    rules = Rules(players=players)
    random = Random(players)
    verdicts = [0, 0]
    for _ in range(2000):
        cards = random_cards(rules, random)
        discard = list(next(iter_discards(cards, rules)))
        for _ in range(random.randrange(3)):
            discard[random.randrange(len(discard))] = random.choice(list(cards))
        if len(set(discard)) < len(discard):
            continue
        names = [[card.name for card in group] for group in (cards, discard)]
        legal = is_legal_ecart(names[0], names[1], rules.dog_size)
        assert legal == (legal_discard_reason(cards, Hand(discard), rules) is None)
        verdicts[legal] += 1
    assert min(verdicts) > 100
