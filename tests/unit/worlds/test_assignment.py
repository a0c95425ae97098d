"""Cards put in places: every way once, each as likely as any other."""

from __future__ import annotations

from collections import Counter
from itertools import product
from random import Random

import numpy as np
import pytest

from tarot_sim.errors import OptionError
from tarot_sim.worlds._assignment import Assignment
from tests.laws import LEAST_P_VALUE, p_value


def every_way(places: list[int], capacities: list[int]) -> list[tuple[int, ...]]:
    """Return all assignments, by trying them all."""
    found = []
    for chosen in product(range(len(capacities)), repeat=len(places)):
        if all(mask >> place & 1 for mask, place in zip(places, chosen, strict=True)) and all(
            chosen.count(place) == room for place, room in enumerate(capacities)
        ):
            found.append(chosen)
    return found


def random_question(random: Random) -> tuple[list[int], list[int]]:
    """Return the places of seven cards, and what each of three or four places takes."""
    n_places = random.choice([3, 4])
    places = [random.randrange(1, 1 << n_places) for _ in range(7)]
    truth = [random.choice([p for p in range(n_places) if mask >> p & 1]) for mask in places]
    return places, [truth.count(place) for place in range(n_places)]


def assignment(places: list[int], capacities: list[int]) -> Assignment:
    allowed = np.zeros(78, np.uint8)
    allowed[: len(places)] = places
    return Assignment(allowed, capacities)


def test_the_number_of_ways() -> None:
    random = Random(1)
    for _ in range(200):
        places, capacities = random_question(random)
        assert assignment(places, capacities).ways == len(every_way(places, capacities))


def test_each_way_is_as_likely_as_any_other() -> None:
    random = Random(2)
    for number in range(40):
        places, capacities = random_question(random)
        ways = every_way(places, capacities)
        n = 200 * len(ways)
        drawn = assignment(places, capacities).draw(n, np.random.PCG64DXSM(number))
        counts = Counter(map(tuple, drawn[:, :7].tolist()))
        assert set(counts) == set(ways)
        if len(ways) > 1:
            assert p_value(counts, dict.fromkeys(ways, 1 / len(ways))) > LEAST_P_VALUE


def test_a_whole_deal_is_counted() -> None:
    """60 hidden cards to three hands of 18 and a dog of six."""
    allowed = np.zeros(78, np.uint8)
    allowed[:60] = 0b1111
    expected = 1.0
    left = 60
    for room in (18, 18, 18, 6):
        for number in range(room):
            expected = expected * (left - number) / (number + 1)
        left -= room
    assert Assignment(allowed, [18, 18, 18, 6]).ways == pytest.approx(expected, rel=1e-12)


def test_cards_that_are_not_assigned_stay() -> None:
    row = np.arange(78, dtype=np.uint8)
    allowed = np.zeros(78, np.uint8)
    allowed[3] = 1
    drawn = Assignment(allowed, [1]).draw(2, np.random.PCG64DXSM(1), row)
    row[3] = 0
    assert (drawn == row).all()


@pytest.mark.parametrize(
    ("places", "capacities", "message"),
    [
        ([1, 1], [1, 1], "allowed: there is no way"),
        ([1, 2], [1, 2], "capacities: room for 3 cards, there are 2"),
        ([4], [1], "allowed: a place that is not there"),
        ([1], [], "capacities: 0 places"),
        ([1], [1, 0, 0, 0, 0, 0, 0], "capacities: 7 places"),
        ([1], [-1], "capacities: -1 is negative"),
    ],
)
def test_what_cannot_be_is_refused(places: list[int], capacities: list[int], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        assignment(places, capacities)
