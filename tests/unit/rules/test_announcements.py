from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from tarot_sim.cards import Hand
from tarot_sim.errors import BidError
from tarot_sim.rules import Rules
from tarot_sim.rules.announcements import (
    LEVELS,
    check_poignee,
    chelem_name,
    default_poignee,
    iter_poignees,
    poignee_levels,
    poignee_reason,
    poignee_size,
)
from tarot_sim.rules.scoring import score
from tests.reference.dealing import can_show_poignee, is_legal_poignee

FOUR = Rules()


@pytest.mark.parametrize(
    ("levels", "players", "n_trumps", "has_excuse"),
    [
        ((), 4, 9, False),
        (("simple",), 4, 9, True),
        (("simple",), 4, 12, False),
        (("simple", "double"), 4, 12, True),
        (("simple", "double", "triple"), 4, 15, False),
        ((), 3, 12, False),
        (("simple",), 3, 12, True),
        (("simple", "double", "triple"), 3, 17, True),
        ((), 5, 6, True),
        (("simple",), 5, 8, False),
        (("simple", "double"), 5, 10, True),
        (("simple", "double", "triple"), 5, 13, False),
    ],
)
def test_levels(levels: tuple[str, ...], players: int, n_trumps: int, has_excuse: bool) -> None:
    assert levels == poignee_levels(n_trumps, has_excuse, Rules(players=players))


# Case 18: nine trumps and one from the dog make a poignée, an écart included.
def test_trumps_of_the_dog_count() -> None:
    hand, dog = Hand("A:20,19,18,17,16,15,14,13,12 PR"), Hand("A:2 C:1")
    assert () == poignee_levels(len(hand.trumps), False, FOUR)
    assert ("simple",) == poignee_levels(len((hand | dog).trumps), False, FOUR)
    check_poignee(hand | dog, default_poignee(hand | dog, "simple", FOUR), "simple", FOUR)


# Case 18: the Excuse may not stand in for a trump that is held.
def test_excuse_certifies_that_no_other_trump_is_held() -> None:
    nine = "A:20,19,18,17,16,15,14,13,12"
    shown = Hand(nine + ",EX")
    assert poignee_reason(Hand(nine + ",EX P:R,D"), shown, "simple", FOUR) is None
    assert "poignee: the Excuse may not stand in for A3, which is held" == poignee_reason(
        Hand(nine + ",3,EX P:R,D"), shown, "simple", FOUR
    )


@pytest.mark.parametrize(
    ("reason", "shown"),
    [
        ("A21 is not held", "A:21,20,19,18,17,16,15,14,13,12"),
        ("PR is not a trump", "A:20,19,18,17,16,15,14,13,12 PR"),
        ("9 cards, a simple shows 10", "A:20,19,18,17,16,15,14,13,12"),
        ("11 cards, a simple shows 10", "A:20,19,18,17,16,15,14,13,12,11,2"),
    ],
)
def test_refused(reason: str, shown: str) -> None:
    held = Hand("A:20,19,18,17,16,15,14,13,12,11,2,EX P:R,D")
    with pytest.raises(BidError) as caught:
        check_poignee(held, Hand(shown), "simple", FOUR)
    assert f"poignee: {reason}" == str(caught.value)


def test_what_is_shown_by_default() -> None:
    held = Hand("A:20,19,18,17,16,15,14,13,12,11,1,EX P:R,D")
    assert Hand("A:20,19,18,17,16,15,14,13,12,11") == default_poignee(held, "simple", FOUR)
    with pytest.raises(BidError, match="a double shows 13 trumps, 12 are held"):
        default_poignee(held, "double", FOUR)
    with pytest.raises(BidError, match="'quadruple' is not one of simple, double, triple"):
        poignee_size("quadruple", FOUR)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "trumps", ["2,3,4,5,6,7,EX", "2,3,4,5,6,7,8", "2,3,4,5,6,7,8,EX", "2,3,4,5,6,7,8,9,EX"]
)
def test_enumeration_is_the_predicate(trumps: str) -> None:
    five = Rules(players=5)
    held = Hand(f"A:{trumps} P:R,D")
    legal = {
        Hand(shown)
        for shown in combinations(held, 8)
        if poignee_reason(held, Hand(shown), "simple", five) is None
    }
    found = list(iter_poignees(held, "simple", five))
    assert legal == set(found)
    assert len(found) == len(legal)
    n_trumps = len(held.trumps)
    assert bool(legal) == ("simple" in poignee_levels(n_trumps, "EX" in held, five))


def test_levels_are_the_references() -> None:
    for players in (3, 4, 5):
        for n_trumps in range(22):
            for has_excuse in (False, True):
                expected = tuple(
                    name
                    for level, name in enumerate(LEVELS)
                    if can_show_poignee(players, level, n_trumps, excuse=has_excuse)
                )
                assert expected == poignee_levels(n_trumps, has_excuse, Rules(players=players))


def test_predicate_is_the_references() -> None:
    random = Random(1)
    five = Rules(players=5)
    verdicts = [0, 0]
    for _ in range(5000):
        held = Hand([*random.sample(range(66, 78), random.randint(7, 10)), 0, 13])
        shown = Hand(random.sample(list(held), 8))
        names = [[card.name for card in group] for group in (held, shown)]
        legal = is_legal_poignee(5, 0, names[0], names[1])
        assert legal == (poignee_reason(held, shown, "simple", five) is None)
        verdicts[legal] += 1
    assert min(verdicts) > 50


# Case 12: the defence may win every trick, an announced chelem or none.
@pytest.mark.parametrize(
    ("expected", "swept", "announced"),
    [
        (200, 1, False),
        (400, 1, True),
        (0, 0, False),
        (-200, 0, True),
        (-200, -1, False),
        (-400, -1, True),
    ],
)
def test_chelem(expected: int, swept: int, announced: bool) -> None:
    name = chelem_name(swept, announced)
    plain = score(contract="prise", points=41, bouts=2, check=False)
    assert expected == (
        score(contract="prise", points=41, bouts=2, chelem=name, check=False).per_defender
        - plain.per_defender
    )
