"""Bounds without search: sound everywhere, and tight where a camp is sure of its tricks."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from tarot_sim._core import Position
from tarot_sim.cards import Hand
from tarot_sim.solver._plain import plain_value
from tarot_sim.solver._solver import Objective, Solver
from tests.endings import NEED, family, random_objective, random_position

PLAYERS = pytest.mark.parametrize("players", [3, 4, 5])
CARDS = {3: (2, 3, 4, 5), 4: (2, 3, 4), 5: (2, 3)}

SOLVER = Solver(1024)
POINTS, MARGIN = Objective(), Objective(NEED)


def kind(position: Position, objective: Objective) -> str:
    """Return how near the bounds come to the value, which they must hold."""
    lower, upper = SOLVER.bounds(position, objective)
    value = plain_value(position, objective)
    assert lower <= value <= upper, (position.hands, position.leader, position.attack)
    if lower == upper:
        return "both"
    return "lower" if lower == value else "upper" if upper == value else "neither"


@PLAYERS
def test_sound(players: int) -> None:
    rng = Random(f"bounds {players}")
    seen: Counter[str] = Counter()
    for number in range(2500):
        position = random_position(rng, players, rng.choice(CARDS[players]))
        objective = (POINTS, MARGIN, random_objective(rng))[number % 3]
        seen[kind(position, objective)] += 1
    assert min(seen["both"], seen["lower"], seen["upper"], seen["neither"]) > 10, seen


@PLAYERS
def test_sound_in_families(players: int) -> None:
    rng = Random(f"bounds of families {players}")
    seen: Counter[str] = Counter()
    for number in range(150):
        objective = (POINTS, MARGIN, random_objective(rng))[number % 3]
        for position in family(rng, players, rng.choice(CARDS[players]), 8):
            seen[kind(position, objective)] += 1
    assert seen["lower"] + seen["upper"] > 200, seen


def ending(hands: str, attack: int, leader: int) -> Position:
    """Return a position of four players in which both camps have a trick."""
    return Position(
        list(map(Hand, hands.split(" | "))),
        attack=[attack],
        leader=leader,
        won=(True, True),
        attack_half_points=60,
    )


@pytest.mark.parametrize("leader", range(4))
def test_a_hand_of_top_trumps(leader: int) -> None:
    # Seat 0 wins three tricks: its own 11 half points, and three cards of each other hand.
    # Which Roi falls under the 21 does not matter, all of them do in the end.
    hands = "A21 A20 A19 | PR A2 C3 | A3 A4 C5 | K1 K2 K3"
    everything = 11 + 11 + 3 + 3
    attack, defence = ending(hands, 0, leader), ending(hands, 1, leader)
    lower, upper = SOLVER.bounds(attack, POINTS)
    assert upper == 60 + everything == plain_value(attack, POINTS)
    # What follows without search is one card from each other hand a trick, the cheapest.
    assert 60 + 11 + 9 <= lower
    # The same is lost to an attack that another seat is.
    lower, upper = SOLVER.bounds(defence, POINTS)
    assert lower == 60 == plain_value(defence, POINTS)
    assert upper <= 60 + everything - 20


@pytest.mark.parametrize("leader", range(4))
def test_a_petit_is_sure_of_its_trick_only_after_the_other_trumps(leader: int) -> None:
    hands = "A21 A20 A1 | P2 P3 P4 | C2 C3 C4 | K2 K3 K4"
    position = ending(hands, 0, leader)
    lower, upper = SOLVER.bounds(position, POINTS)
    assert 60 + 9 + 1 + 6 <= lower <= 60 + 28 == upper == plain_value(position, POINTS)


def test_exact_where_a_hand_wins_every_trick() -> None:
    for leader in range(4):
        hands = "A21 A20 A19 | P2 P3 P4 | C2 C3 C4 | K2 K3 K4"
        position = ending(hands, 0, leader)
        assert (60 + 9 + 11,) * 2 == SOLVER.bounds(position, POINTS)
        assert (60 - NEED[1] + 20,) * 2 == SOLVER.bounds(position, MARGIN)
        assert (60, 60) == SOLVER.bounds(ending(hands, 1, leader), POINTS)
