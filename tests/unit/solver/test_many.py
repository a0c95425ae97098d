"""solve_many: many positions in one call."""

from random import Random

import numpy as np
import pytest

import tarot_sim as ts
from tarot_sim.errors import OptionError
from tarot_sim.solver._plain import plain_value
from tarot_sim.solver._solver import Objective, Solver
from tests.endings import random_position


def endings(n: int, seed: int = 1) -> list[ts.Position]:
    rng = Random(seed)
    return [random_position(rng, rng.choice([3, 4, 5]), rng.choice([2, 3, 4])) for _ in range(n)]


NEED = Objective([112, 102, 82, 72])


@pytest.mark.parametrize("n_jobs", [1, 2, -1])
def test_values_are_those_of_the_plain_search(n_jobs: int) -> None:
    positions = endings(120)
    rows = ts.solve_many(positions, n_jobs=n_jobs)
    assert [plain_value(position, NEED) for position in positions] == rows["lower"].tolist()
    assert (rows["lower"] == rows["upper"]).all()
    assert rows["exact"].all()


@pytest.mark.parametrize("threshold", [-20, 0, 7])
def test_a_threshold_is_answered(threshold: int) -> None:
    positions = endings(120, seed=2)
    rows = ts.solve_many(positions, threshold=threshold)
    expected = [plain_value(position, NEED) >= threshold for position in positions]
    assert expected == (rows["lower"] >= threshold).tolist()
    assert [not reached for reached in expected] == (rows["upper"] < threshold).tolist()
    assert rows["exact"].all()


def test_points() -> None:
    positions = endings(60, seed=3)
    rows = ts.solve_many(positions, "points")
    assert [plain_value(position, Objective()) for position in positions] == rows["lower"].tolist()


def test_a_budget_leaves_sound_bounds() -> None:
    positions = endings(60, seed=4)
    rows = ts.solve_many(positions, nodes=3)
    for position, row in zip(positions, rows, strict=True):
        assert row["lower"] <= plain_value(position, NEED) <= row["upper"]
    assert not rows["exact"].all()
    assert rows["nodes"].max() <= 3


def test_the_order_of_the_positions_changes_nothing() -> None:
    positions = endings(80, seed=5)
    forward = ts.solve_many(positions)
    backward = ts.solve_many(positions[::-1])
    assert forward["lower"].tolist() == backward["lower"][::-1].tolist()


def test_nothing_and_finished_positions() -> None:
    assert len(ts.solve_many([])) == 0
    position = endings(1)[0]
    while not position.is_over:
        position.play(position.legal_cards()[0])
    row = ts.solve_many([position], "points")[0]
    assert row["lower"] == row["upper"] == position.result().attack_half_points


def test_bad_input() -> None:
    with pytest.raises(OptionError, match="objective: 'score' is not one of points, margin"):
        ts.solve_many([], "score")  # type: ignore[arg-type]
    for foreign in (1, None, object()):
        with pytest.raises(TypeError, match=r"positions\[0\]: .* is no Position"):
            Solver().many([foreign], NEED)  # type: ignore[list-item]
    with pytest.raises(OptionError, match="nodes: -1 is below 0"):
        ts.solve_many(endings(1), nodes=-1)
    with pytest.raises(OptionError, match="seconds: nan"):
        ts.solve_many(endings(1), seconds=float("nan"))
    assert np.isfinite(ts.solve_many(endings(1))["lower"]).all()
