"""The stored worlds of the truth are those that are planned, and cheap proofs agree with them."""

import itertools

import numpy as np
import pytest

from benchmarks.calibration.make_truth import FILES, deals_of, load, planned
from tarot_sim.estimation._evaluate import Evaluator
from tarot_sim.solver.objectives import MARGIN
from tarot_sim.solver.widths import ALL_MOVES
from tarot_sim.worlds.contract_deals import TAKER

#: Positions that a proof may cost.
NODES = 20_000


@pytest.mark.parametrize("name", FILES)
def test_the_first_worlds_are_dealt_again(name: str) -> None:
    asked = FILES[name]
    stored = load(name)
    first = asked.worlds + 1  # into the second hand
    for world, (hand, number, cards, dog, deals) in zip(
        stored[:first], itertools.islice(planned(name), first), strict=True
    ):
        assert (hand, number, cards, dog) == (world.hand, world.number, world.cards, world.dog)
        found = deals_of([world], asked)
        for field in ("owners", "attack", "leader", "half_points", "bouts", "called", "contract"):
            np.testing.assert_array_equal(getattr(found, field), getattr(deals, field))


@pytest.mark.parametrize("name", FILES)
def test_all_are_there_and_their_bounds_make_sense(name: str) -> None:
    asked, worlds = FILES[name], load(name)
    expected = [(hand, number) for hand in asked.hands for number in range(asked.worlds)]
    assert sorted((world.hand, world.number) for world in worlds) == expected
    assert all(world.bounds[0] <= world.bounds[1] for world in worlds)
    assert {world.made for world in worlds} >= {True, False}
    assert all((world.called is not None) == (asked.players == 5) for world in worlds)


@pytest.mark.parametrize("name", FILES)
def test_no_cheap_proof_contradicts_them(name: str) -> None:
    worlds = load(name)
    deals = deals_of(worlds, FILES[name])
    answers, _ = Evaluator(1 << 24).reaches(deals, MARGIN, 0, ALL_MOVES, NODES)
    proved = answers >= 0
    assert proved.mean() > 0.03
    made = np.array([-1 if world.made is None else int(world.made) for world in worlds])
    assert (made[proved] == answers[proved]).all()  # so none of these is open in the file


def test_a_called_card_in_the_dog_leaves_the_taker_alone() -> None:
    worlds = load("five-players")
    deals = deals_of(worlds, FILES["five-players"])
    holders = [int(world.owners[world.called]) for world in worlds if world.called is not None]
    assert TAKER in holders  # who took it up with the dog
    np.testing.assert_array_equal(deals.attack, [1 << TAKER | 1 << seat for seat in holders])
