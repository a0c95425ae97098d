"""What no answer of a solver depends on, and how the answers of related positions agree.

Nothing here knows the right answers, so that it reaches further than the plain search.
"""

from __future__ import annotations

from collections import Counter
from random import Random

import numpy as np
import pytest

from tarot_sim._core import Position
from tarot_sim.bench import random_position as bench_position
from tarot_sim.solver._solver import Objective, Solver
from tarot_sim.solver.limit import Limit
from tarot_sim.solver.many import solve_many
from tests.agreement import MARGIN, POINTS, described, endings, report
from tests.endings import random_objective

#: Cards a hand of what is asked at every size of a table.
CARDS = {3: 7, 4: 6, 5: 5}
TABLES = (1 << 10, 4 << 10, 64 << 10, 1 << 20, 64 << 20)

#: After that a window at 12 cards stays open: it is not compared then.
ENOUGH = Limit(nodes=150_000)

PLAYERS = pytest.mark.parametrize("players", [3, 4, 5])


@pytest.mark.slow
@PLAYERS
def test_table_and_order_change_nothing(players: int, capsys: pytest.CaptureFixture[str]) -> None:
    rng = Random(f"invariants {players}")
    objectives = [POINTS, MARGIN, *(random_objective(rng) for _ in range(4))]
    questions = []
    for position in endings(rng, players, CARDS[players], 3000):
        objective = rng.choice(objectives)
        value, upper, _ = Solver(1 << 20).value(position, objective)
        assert value == upper
        questions += [
            (position, objective, value, threshold)
            for threshold in (None, 0, *(value + offset for offset in (-9, -1, 0, 1, 9)))
        ]
    seen: Counter[str] = Counter()
    for size in TABLES:
        solver = Solver(size)
        rng.shuffle(questions)
        for position, objective, value, threshold in questions:
            if threshold is None:
                guess = rng.choice((None, value, value - 30, value + 30))
                found = solver.value(position, objective, guess=guess)[:2]
                assert (value, value) == found, described(position)
            else:
                answer, _ = solver.at_least(position, objective, threshold)
                assert answer is (value >= threshold), (threshold, described(position))
            seen[f"answers from {size >> 10} KiB"] += 1
    report(capsys, f"{players} players, {CARDS[players]} cards, cold and warm", seen)


@pytest.mark.slow
@PLAYERS
def test_threads_change_nothing(players: int, capsys: pytest.CaptureFixture[str]) -> None:
    rng = Random(f"threads {players}")
    positions = [
        bench_position(players, 9 if players < 5 else 7, rng.randrange(10**6)) for _ in range(60)
    ] + endings(rng, players, 6, 400)
    rng.shuffle(positions)
    expected = solve_many(positions)["lower"]
    seen: Counter[str] = Counter()
    for n_jobs in (1, 2, 5):
        rows = solve_many(positions, n_jobs=n_jobs, table_bytes=4 << 20)
        np.testing.assert_array_equal(expected, rows["lower"])
        np.testing.assert_array_equal(expected, rows["upper"])
        for threshold in (-20, 0, 1):
            rows = solve_many(positions, n_jobs=n_jobs, threshold=threshold)
            np.testing.assert_array_equal(expected >= threshold, rows["lower"] >= threshold)
            np.testing.assert_array_equal(expected < threshold, rows["upper"] < threshold)
            seen[f"thresholds of {n_jobs} threads"] += len(positions)
        seen[f"values of {n_jobs} threads"] += len(positions)
    report(capsys, f"{players} players, one thread and several", seen)


def window(
    solver: Solver, position: Position, objective: Objective, threshold: int
) -> tuple[bool | None, bool | None]:
    """Return the answer, and what follows from those of the children; None where open."""
    answer, _ = solver.at_least(position, objective, threshold, limit=ENOUGH)
    children = []
    for card in position.legal_cards():
        position.play(card)
        children.append(solver.at_least(position, objective, threshold, limit=ENOUGH)[0])
        position.undo()
    attacks = position.to_move in position.attack
    if attacks in children:
        return answer, attacks
    return answer, None if None in children else not attacks


@pytest.mark.slow
def test_a_position_is_what_its_children_are(capsys: pytest.CaptureFixture[str]) -> None:
    rng = Random("children of twelve cards")
    seen: Counter[str] = Counter()
    for seed in range(500):
        position = bench_position(4, 12, seed)
        solver = Solver(16 << 20)
        # Down a random line, since most of what goes on is in the middle of a trick.
        for _ in range(rng.randrange(6)):
            position.play(rng.choice(position.legal_cards()))
        objective = rng.choice((POINTS, MARGIN, random_objective(rng)))
        # Thresholds about the value as far as some thousands of nodes tell it.
        lower, upper, _ = solver.value(position, objective, limit=Limit(nodes=20_000))
        middle = (lower + upper) // 2
        for threshold in rng.sample((lower, lower + 1, middle, upper, upper + 1), 5):
            answer, implied = window(solver, position, objective, threshold)
            if answer is None or implied is None:
                seen["windows left open"] += 1
                continue
            assert answer is implied, (seed, position.plays, threshold)
            assert threshold > lower or answer
            assert threshold <= upper or not answer
            seen["windows"] += 1
            seen["windows of the children"] += len(position.legal_cards())
        seen["positions"] += 1
        seen["in the middle of a trick"] += bool(position.trick)
    report(capsys, "4 players, 12 cards, positions and their children", seen)
    assert seen["windows"] > 2000


@pytest.mark.slow
@PLAYERS
def test_a_budget_gives_sound_bounds(players: int, capsys: pytest.CaptureFixture[str]) -> None:
    rng = Random(f"budgets {players}")
    seen: Counter[str] = Counter()
    warm = Solver(1 << 20)
    positions = [bench_position(players, 8, seed) for seed in range(200)]
    for position in [*positions, *endings(rng, players, CARDS[players], 600)]:
        objective = rng.choice((POINTS, MARGIN, random_objective(rng)))
        value, high, _ = Solver().value(position, objective)
        assert value == high
        for nodes in (0, 1, 10, 100, 1000, 10_000):
            for solver in (warm, Solver(4 << 10)):
                lower, upper, searched = solver.value(position, objective, limit=Limit(nodes=nodes))
                assert lower <= value <= upper, (nodes, described(position))
                assert searched <= max(1, nodes)
                seen["bounds"] += 1
                seen["bounds that are open"] += lower < upper
        seen["positions"] += 1
    report(capsys, f"{players} players, budgets of 0 to 10,000 nodes", seen)
    assert seen["bounds that are open"] > 500
