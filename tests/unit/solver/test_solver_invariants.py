"""What no answer of a solver depends on; `slow/test_solver_invariants.py` asks for more."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from tarot_sim.bench import random_position as bench_position
from tarot_sim.solver._plain import plain_card_values, plain_value
from tarot_sim.solver._solver import Objective, Solver
from tarot_sim.solver.limit import Limit
from tarot_sim.solver.many import solve_many
from tests.agreement import MARGIN, POINTS, compare, endings
from tests.endings import position_of, random_objective, random_position
from tests.reference import generate, minimax

PLAYERS = pytest.mark.parametrize("players", [3, 4, 5])
CARDS = {3: 5, 4: 5, 5: 4}


@PLAYERS
def test_the_plain_search_is_the_oracle(players: int) -> None:
    rng = Random(f"plain and oracle {players}")
    for number in range(40):
        start = generate.random_ending(rng, players, 3 if players < 5 else 2, trumps=0.6)
        state, plays = generate.random_mid_trick(rng, start) if number % 2 else (start, [])
        position = position_of(start, plays)
        for meaning, objective in ((minimax.points, POINTS), (minimax.margin, MARGIN)):
            assert minimax.alpha_beta(state, meaning) == plain_value(position, objective)
            expected = minimax.card_values(state, meaning)
            values = plain_card_values(position, objective)
            assert expected == {card.name: value for card, value in values.items()}


def test_the_plain_search_at_its_ends() -> None:
    position = random_position(Random("over"), 4, 1)
    while not position.is_over:
        position.play(position.legal_cards()[0])
    assert position.result().attack_half_points == plain_value(position, POINTS)
    assert {} == plain_card_values(position, POINTS)
    position = random_position(Random("ends"), 3, 3)
    objective = Objective((4000, 1000, -1000, -4000), ((4000, -4000, 4000),) * 3)
    best = max if position.to_move in position.attack else min
    values = plain_card_values(position, objective)
    assert best(values.values()) == plain_value(position, objective)
    with pytest.raises(TypeError):
        plain_value(None, objective)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        plain_card_values(position, None)  # type: ignore[arg-type]


@PLAYERS
def test_warm_and_tiny_tables_agree_with_the_plain_search(players: int) -> None:
    rng = Random(f"agreement {players}")
    solvers = [Solver(1 << 10), Solver(64 << 10), Solver()]
    positions = endings(rng, players, CARDS[players], 300)
    seen = compare(rng, solvers, positions, every_card=0.3, score=0.1)
    assert seen["endings"] == 300
    assert min(seen["endings with every card"], seen["scores"]) > 10


@PLAYERS
def test_any_order_of_questions(players: int) -> None:
    rng = Random(f"orders {players}")
    objectives = [POINTS, MARGIN, random_objective(rng)]
    questions = []
    for position in endings(rng, players, CARDS[players] + 1, 60):
        objective = rng.choice(objectives)
        value = Solver(1 << 20).value(position, objective)[0]
        questions += [
            (position, objective, threshold, value >= threshold)
            for threshold in (0, value - 9, value - 1, value, value + 1, value + 9)
        ]
    for size in (1 << 10, 64 << 10, 4 << 20):
        solver = Solver(size)
        rng.shuffle(questions)
        for position, objective, threshold, expected in questions:
            assert expected is solver.at_least(position, objective, threshold)[0]


def test_threads_change_nothing() -> None:
    rng = Random("threads")
    positions = [bench_position(4, 7, seed) for seed in range(20)] + endings(rng, 4, 5, 60)
    expected = solve_many(positions)
    for n_jobs in (2, 3):
        rows = solve_many(positions, n_jobs=n_jobs, table_bytes=1 << 20)
        np.testing.assert_array_equal(expected["lower"], rows["lower"])
        np.testing.assert_array_equal(expected["upper"], rows["upper"])


def test_a_budget_gives_sound_bounds() -> None:
    rng = Random("budgets")
    warm = Solver(1 << 20)
    for seed in range(30):
        position, objective = bench_position(4, 7, seed), random_objective(rng)
        value = Solver().value(position, objective)[0]
        for nodes in (1, 10, 100, 1000):
            for solver in (warm, Solver(4 << 10)):
                lower, upper, _ = solver.value(position, objective, limit=Limit(nodes=nodes))
                assert lower <= value <= upper
