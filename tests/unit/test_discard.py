from __future__ import annotations

from itertools import combinations
from random import Random

import numpy as np
import pytest

from tarot_sim.cards import Card, Hand
from tarot_sim.discard import (
    check_discard,
    choose_discard,
    count_discards,
    discard_candidates,
    iter_discards,
    legal_discard_reason,
    plain_cards,
    shown_trumps,
    trumps_to_discard,
)
from tarot_sim.errors import BidError
from tarot_sim.rules import Rules
from tests.reference.dealing import is_legal_ecart

FOUR = Rules()

#: Case 16: four Rois, 15 trumps, five plain cards.
STUCK = Hand("A:21,20,19,18,17,16,15,14,13,12,11,10,9,8,7 P:R,2,3 C:R,4,5 K:R T:R,6", size=24)


def random_cards(rules: Rules, random: Random) -> Hand:
    """Return a hand and dog; one in four has so many trumps that some must go."""
    size = rules.hand_size + rules.dog_size
    if random.random() < 0.75:
        return Hand(random.sample(range(78), size))
    strong = [*range(56, 78), 13, 27, 41, 55]
    most = min(size, len(strong))
    kept = random.sample(strong, random.randint(most - 4, most))
    plain = [card for card in range(56) if card % 14 != 13]
    return Hand(kept + random.sample(plain, size - len(kept)))


# Case 16: exactly one ordinary trump goes, with all the plain cards, and is shown.
def test_forced_trump() -> None:
    assert 5 == len(plain_cards(STUCK))
    assert 1 == trumps_to_discard(STUCK, FOUR)
    discard = choose_discard(STUCK, FOUR)
    assert Hand("A:7 P:2,3 C:4,5 T:6") == discard
    assert Hand("A:7") == shown_trumps(discard)
    assert 14 == count_discards(STUCK, FOUR)  # every trump but the 21
    assert 14 == len(discard_candidates(STUCK, FOUR, 50, np.random.default_rng(1)))
    assert 5 == len(set(discard_candidates(STUCK, FOUR, 5, np.random.default_rng(1))))
    for refused, reason in (
        ("A:8,7 P:2,3 C:4,5", "A7 is a trump, only 1 trumps may be discarded while T6 is kept"),
        ("A:21 P:2,3 C:4,5 T:6", "A21 is a bout"),
        ("K:R P:2,3 C:4,5 T:6", "KR is a Roi"),
    ):
        assert reason in str(legal_discard_reason(STUCK, Hand(refused), FOUR))


def test_trumps_that_cannot_be_kept_at_any_table() -> None:
    five = Hand("A:21,20,19,18,17,16,15,14,13,12,11,10,9,8,1,EX P:R C:R", size=18)
    assert 3 == trumps_to_discard(five, Rules(players=5))
    assert Hand("A:10,9,8") == choose_discard(five, Rules(players=5))
    assert 13 * 12 * 11 // 6 == count_discards(five, Rules(players=5))
    three = Hand([*range(56, 78), 13, 27, 41, 55, 0, 1, 14, 28], size=30)
    assert 2 == trumps_to_discard(three, Rules(players=3))
    assert Hand("A:3,2 P:2,1 C:1 K:1") == choose_discard(three, Rules(players=3))


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
        discard = list(choose_discard(cards, rules))
        for _ in range(random.randrange(3)):
            discard[random.randrange(len(discard))] = random.choice(list(cards))
        if len(set(discard)) < len(discard):
            continue
        names = [[card.name for card in group] for group in (cards, discard)]
        legal = is_legal_ecart(names[0], names[1], rules.dog_size)
        assert legal == (legal_discard_reason(cards, Hand(discard), rules) is None)
        verdicts[legal] += 1
    assert min(verdicts) > 100


# Case 17: every chooser's écart is legal (the slow tests ask 100,000 hands).
@pytest.mark.parametrize("players", [3, 4, 5])
def test_choices_are_legal(players: int) -> None:
    rules = Rules(players=players)
    random = Random(players)
    rng = np.random.default_rng(players)
    forced = 0
    for number in range(10_000):
        cards = random_cards(rules, random)
        called = Card(random.choice((13, 27, 41, 55))) if players == 5 else None
        assert (
            legal_discard_reason(cards, choose_discard(cards, rules, called=called), rules) is None
        )
        forced += trumps_to_discard(cards, rules) > 0
        if number % 100 == 0:
            candidates = discard_candidates(cards, rules, 12, rng, called=called)
            assert min(12, count_discards(cards, rules)) == len(candidates) == len(set(candidates))
            assert all(legal_discard_reason(cards, one, rules) is None for one in candidates)
    assert forced > 500


def test_choice_voids_and_saves_points() -> None:
    cards = Hand("A:21,20,16,13,9,7,4,1,EX P:R,D,5,4 C:D,10,3 K:C,7,2 T:R,9,5,4,2", size=24)
    assert Hand("C:D,10,3 K:C,7,2") == choose_discard(cards, FOUR)


def test_choice_keeps_the_dame_of_a_roi() -> None:
    cards = Hand("A:21,20,16,13,9,7,4,1,EX P:R,D,5,4,3,2 C:D,10,3 K:C,7 T:R,D,5,4", size=24)
    assert Hand("PD TD") & choose_discard(cards, FOUR) == Hand()


# At five the partner's Roi takes what is led to it: the taker keeps a card of the suit.
def test_choice_keeps_the_called_suit() -> None:
    five = Rules(players=5)
    cards = Hand("A:21,20,16,13,9,7,EX P:10,5,4 C:R,9,8 K:D,V T:9,4,3", size=18)
    for called in ("PR", "KR", "TR"):
        suit = Card.parse(called).suit
        discard = choose_discard(cards, five, called=Card.parse(called))
        assert (cards - discard).suit(suit)
    # A taker who calls a card of the own hand plays alone: the suit is like another.
    assert choose_discard(cards, five) == choose_discard(cards, five, called=Card.parse("CR"))


def test_candidates_are_repeatable_and_start_with_the_rule() -> None:
    first = discard_candidates(CARDS, FOUR, 20, np.random.default_rng(7))
    assert first == discard_candidates(CARDS, FOUR, 20, np.random.default_rng(7))
    assert choose_discard(CARDS, FOUR) == first[0]
    assert 20 == len(set(first))
    with pytest.raises(BidError, match=r"^n: 0"):
        discard_candidates(CARDS, FOUR, 0, np.random.default_rng(7))


def test_too_few_cards() -> None:
    with pytest.raises(BidError, match="fewer than 6 cards"):
        choose_discard(Hand("P:R,D,C A:21,2,1"), FOUR)
