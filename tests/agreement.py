"""What a solver says of an ending, against the plain search."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

import pytest

from tarot_sim._core import Position
from tarot_sim.rules import CONTRACTS
from tarot_sim.solver._plain import plain_card_values, plain_value
from tarot_sim.solver._solver import Objective, Solver
from tarot_sim.solver.objectives import ObjectiveName, Stakes
from tarot_sim.solver.solving import solve, solve_cards
from tests.endings import NEED, family, first_lead, position_of, random_objective, random_position
from tests.reference import generate

POINTS, MARGIN = Objective(), Objective(NEED)


def endings(rng: Random, players: int, cards: int, count: int) -> list[Position]:
    """Return endings: half of them in families, some the first leads under a call."""
    positions: list[Position] = []
    while len(positions) < count:
        kind = rng.random()
        if players == 5 and kind < 0.1:
            state = first_lead(rng, cards)
            plays = generate.random_mid_trick(rng, state)[1] if rng.random() < 0.3 else []
            positions.append(position_of(state, plays))
        elif kind < 0.2:
            positions += family(rng, players, cards, 8)
        else:
            positions.append(random_position(rng, players, cards))
    return positions[:count]


def described(position: Position) -> str:
    """Return what the position can be set up from again."""
    return repr(position.__reduce__()[1])


def ask(rng: Random, solvers: Sequence[Solver], position: Position, objective: Objective) -> int:
    """Ask for the value and for thresholds around it, in any order; return the value."""
    expected = plain_value(position, objective)
    thresholds = [0, *(expected + offset for offset in (-9, -1, 0, 1, 9))]
    questions: list[int | None] = [None, *thresholds]
    rng.shuffle(questions)
    for threshold in questions:
        solver = rng.choice(solvers)
        if threshold is None:
            found = solver.value(position, objective)[:2]
            assert (expected, expected) == found, described(position)
        else:
            answer, _ = solver.at_least(position, objective, threshold)
            assert answer is (expected >= threshold), (threshold, described(position))
    return expected


def ask_cards(
    rng: Random, solvers: Sequence[Solver], position: Position, objective: Objective
) -> int:
    """Ask for the value of every legal card; return how many."""
    expected = plain_card_values(position, objective)
    solver = rng.choice(solvers)
    if objective in (POINTS, MARGIN):
        name: ObjectiveName = "margin" if objective is MARGIN else "points"
        assert expected == solve_cards(position, name, solver=solver), described(position)
        return len(expected)
    for card, value in rng.sample(sorted(expected.items()), len(expected)):
        position.play(card)
        assert (value, value) == solver.value(position, objective)[:2], (card, described(position))
        position.undo()
    return len(expected)


def ask_score(rng: Random, solver: Solver, position: Position) -> None:
    """Ask for the score, which two objectives of the plain search hold from both sides."""
    stakes = Stakes(rng.choice(CONTRACTS), ("simple",) * rng.randint(0, 1), rng.random() < 0.2)
    shares = 2 if len(position.attack) == 2 else position.players - 1
    score = solve(position, "score", stakes=stakes, solver=solver).value
    assert score is not None
    assert score % shares == 0
    for more in (0, 1):
        reached = plain_value(position, stakes.objective(score // shares + more)) >= 0
        assert reached is (more == 0), (stakes, score, described(position))


def compare(
    rng: Random,
    solvers: Sequence[Solver],
    positions: Sequence[Position],
    *,
    every_card: float,
    score: float,
) -> Counter[str]:
    """Ask all questions of many endings; return what was compared.

    Parameters
    ----------
    solvers
        Which of them is asked is random: what each knows is of other endings too.
    every_card, score
        Shares of the endings that are asked for all cards and for the score.
    """
    seen: Counter[str] = Counter()
    objective = MARGIN
    for position in positions:
        # One objective for some endings: only then the tables know some of the answers.
        if rng.random() < 0.2:
            objective = rng.choice((POINTS, MARGIN, *(random_objective(rng) for _ in range(3))))
        ask(rng, solvers, position, objective)
        seen["endings"] += 1
        seen["thresholds"] += 6
        seen["in the middle of a trick"] += bool(position.trick)
        seen["called cards"] += position.called is not None
        if rng.random() < every_card:
            seen["values of cards"] += ask_cards(rng, solvers, position, objective)
            seen["endings with every card"] += 1
        attackers = len(position.attack)
        if rng.random() < score and (attackers == 1 or (position.players, attackers) == (5, 2)):
            ask_score(rng, rng.choice(solvers), position)
            seen["scores"] += 1
    return seen


def report(capsys: pytest.CaptureFixture[str], what: str, seen: Counter[str]) -> None:
    """Print what was compared; the assertions before have stopped at any difference."""
    with capsys.disabled():
        print(f"\n{what}: 0 differences")
        for name, count in seen.items():
            print(f"  {count:7} {name}")
