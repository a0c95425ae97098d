"""The distribution of what comes out, from probabilities and expected margins."""

from __future__ import annotations

from bisect import bisect_left
from fractions import Fraction
from itertools import accumulate, product
from math import pi, sqrt
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import logistic

from tarot_sim.estimation.calibration import calibration
from tarot_sim.estimation.spread import mean_margins, quantiles, spread_margins, spread_weights

PLAYERS = pytest.mark.parametrize("players", [3, 4, 5])

Figures = NDArray[np.float64]

MAKES = np.array([0.0, 1e-12, 0.01, 0.3, 0.5, 0.9, 1 - 1e-12, 1.0])
MARGINS = np.array([-200.0, -91.0, -20.0, -3.0, -0.5, 0.0, 0.5, 4.0, 30.0, 91.0, 200.0])


def every_pair() -> tuple[Figures, Figures]:
    """Return all probabilities with all margins, likely together or not."""
    pairs = np.array(list(product(MAKES, MARGINS)))
    return pairs[:, 0].copy(), pairs[:, 1].copy()


def slow_margins(margin: float, players: int) -> list[float]:
    """Return the octiles in the middle of the quarters of either side of 0."""
    scale = calibration().margin_sd[players] * sqrt(3) / pi
    law = logistic(margin, scale)
    assert calibration().margin_sd[players] == pytest.approx(law.std())
    below = float(law.cdf(0))
    middles = (0.125, 0.375, 0.625, 0.875)
    made = [float(law.ppf(below + (1 - below) * part)) for part in middles]
    failed = [float(law.ppf(below * part)) for part in middles]
    # A margin is a whole number of half points: what is missing is one at least.
    return [max(0.0, value) for value in made] + [min(-1.0, value) for value in failed]


# --- margins --------------------------------------------------------------------------


@PLAYERS
def test_margins_are_the_quantiles_of_both_sides(players: int) -> None:
    margins = np.linspace(-60, 60, 49)
    found = spread_margins(np.full(49, 0.5), margins, calibration().margin_sd[players])
    assert found.shape == (49, 8)
    for margin, row in zip(margins.tolist(), found.tolist(), strict=True):
        assert slow_margins(margin, players) == pytest.approx(row, abs=1e-3)


@PLAYERS
def test_signs_and_order(players: int) -> None:
    found = spread_margins(*every_pair(), calibration().margin_sd[players])
    assert np.isfinite(found).all()
    assert (found[:, :4] >= 0).all()
    assert (found[:, 4:] <= -1).all()
    assert (np.diff(found[:, :4], axis=1) >= 0).all()
    assert (np.diff(found[:, 4:], axis=1) >= 0).all()
    assert (abs(found) <= 200 + 20 * calibration().margin_sd[players]).all()


@PLAYERS
def test_a_better_deal_has_better_margins(players: int) -> None:
    margins = np.linspace(-80, 80, 200)
    found = spread_margins(np.full(200, 0.4), margins, calibration().margin_sd[players])
    assert (np.diff(found, axis=0) >= -1e-6).all()
    assert (np.diff(found.sum(axis=1)) > 0).all()


@PLAYERS
def test_a_wide_margin_leaves_the_other_side_at_its_edge(players: int) -> None:
    found = spread_margins(
        np.array([0.5, 0.5]), np.array([-200.0, 200.0]), calibration().margin_sd[players]
    )
    assert [0] * 4 == found[0, :4].tolist()
    assert [-1] * 4 == found[1, 4:].tolist()
    assert -200 == pytest.approx(found[0, 4:].mean())
    assert 200 == pytest.approx(found[1, :4].mean())


@PLAYERS
def test_both_sides_of_an_even_deal_are_mirrors(players: int) -> None:
    found = spread_margins(np.array([0.5]), np.zeros(1), calibration().margin_sd[players])[0]
    assert (-found[:3:-1]).tolist() == pytest.approx(np.maximum(found[:4], 1).tolist())


# --- weights --------------------------------------------------------------------------


def test_weights() -> None:
    found = spread_weights(MAKES)
    assert found.shape == (len(MAKES), 8)
    for make, row in zip(MAKES.tolist(), found.tolist(), strict=True):
        assert [make / 4] * 4 + [(1 - make) / 4] * 4 == pytest.approx(row, abs=1e-15)
    assert np.ones(len(MAKES)) == pytest.approx(found.sum(axis=1))
    assert [0.25] * 4 + [0] * 4 == found[-1].tolist()


@PLAYERS
def test_a_deal_is_made_as_often_as_its_probability_says(players: int) -> None:
    """Whatever its margin says."""
    p_make, margins = every_pair()
    weights = spread_weights(p_make)
    won = (weights * (spread_margins(p_make, margins, calibration().margin_sd[players]) >= 0)).sum(
        axis=1
    )
    assert p_make == pytest.approx(won, abs=1e-12)


# --- means ----------------------------------------------------------------------------


@PLAYERS
def test_means(players: int) -> None:
    p_make, margins = every_pair()
    found = mean_margins(p_make, margins, calibration().margin_sd[players])
    assert found.shape == p_make.shape
    for make, margin, mean in zip(p_make.tolist(), margins.tolist(), found.tolist(), strict=True):
        assert isinstance(mean, float)
        # Further out the logarithms are cut off, so that numbers stay finite.
        if abs(margin) <= 60:
            sides = slow_margins(margin, players)
            expected = make * sum(sides[:4]) / 4 + (1 - make) * sum(sides[4:]) / 4
            assert expected == pytest.approx(mean, abs=0.02)


@PLAYERS
def test_the_mean_is_the_margin_where_both_agree(players: int) -> None:
    """Few points a side lose little of the tails."""
    margins = np.linspace(-60, 60, 41)
    p_make = logistic.cdf(margins, 0, calibration().margin_sd[players] * sqrt(3) / pi)
    found = mean_margins(p_make, margins, calibration().margin_sd[players])
    assert margins == pytest.approx(found, abs=0.1 * calibration().margin_sd[players])
    assert (np.diff(found) > 0).all()


@PLAYERS
def test_certain_deals(players: int) -> None:
    margins = MARGINS.copy()
    assert (
        mean_margins(np.ones(len(margins)), margins, calibration().margin_sd[players]) >= 0
    ).all()
    assert (
        mean_margins(np.zeros(len(margins)), margins, calibration().margin_sd[players]) <= -1
    ).all()
    even = [
        mean_margins(np.full(1, p), np.zeros(1), calibration().margin_sd[players])[0]
        for p in (0, 0.25, 0.5, 0.75, 1)
    ]
    # The probability mixes the two sides.
    assert np.linspace(even[0], even[4], 5).tolist() == pytest.approx(even)


def test_no_deals() -> None:
    empty = np.empty(0)
    assert spread_margins(empty, empty, 8.0).shape == (0, 8)
    assert spread_weights(empty).shape == (0, 8)
    assert mean_margins(empty, empty, 8.0).shape == (0,)


# --- quantiles ------------------------------------------------------------------------

LEVELS = (0.0, 0.125, 0.25, 0.5, 0.75, 0.875, 1.0)


def slow_quantiles(
    values: list[float], weights: list[int], levels: tuple[float, ...]
) -> list[float]:
    """Return the least values with so much weight up to them, in exact arithmetic.

    A value without any weight is none, at level 0 either.
    """
    pairs = sorted((value, weight) for value, weight in zip(values, weights, strict=True) if weight)
    reached = list(accumulate(weight for _, weight in pairs))
    return [pairs[bisect_left(reached, Fraction(level) * reached[-1])][0] for level in levels]


@pytest.mark.parametrize("shape", [(1, 1), (1, 8), (5, 8), (40, 8)])
def test_quantiles(shape: tuple[int, int]) -> None:
    """Weights are 64ths, whose sums are exact; many values come more than once."""
    rng = Random(sum(shape))
    for _ in range(50):
        size = shape[0] * shape[1]
        values = [rng.randrange(-20, 20) / 4 for _ in range(size)]
        weights = [rng.choice((0, 1, 1, 2, 5, 40)) for _ in range(size)]
        weights[rng.randrange(size)] += 1
        expected = slow_quantiles(values, weights, LEVELS)
        found = quantiles(
            np.array(values).reshape(shape), np.array(weights).reshape(shape) / 64, LEVELS
        )
        assert expected == list(found)


def test_equal_weights_are_an_empirical_distribution() -> None:
    values = np.random.default_rng(1).permutation(np.arange(1.0, 101))
    assert (1.0, 5.0, 50.0, 95.0, 100.0) == quantiles(
        values, np.ones(100), (0.005, 0.05, 0.5, 0.95, 1.0)
    )


def test_levels_come_in_any_order() -> None:
    values, weights = np.array([3.0, 1.0, 2.0]), np.array([1.0, 1.0, 2.0])
    assert (3.0, 1.0, 2.0) == quantiles(values, weights, (1.0, 0.25, 0.5))
    assert () == quantiles(values, weights, ())


def test_one_value_has_all_the_weight() -> None:
    values, weights = np.array([[-5.0, 4.0], [9.0, 7.0]]), np.array([[0.0, 0.0], [0.0, 0.3]])
    assert (7.0, 7.0, 7.0) == quantiles(values, weights, (0.01, 0.5, 1.0))


def test_weights_that_do_not_add_up_exactly() -> None:
    """The last level is the greatest value however the sum was rounded."""
    values = np.arange(1_000.0)
    weights = np.full(1_000, 0.1)
    assert (0.0, 999.0) == quantiles(values, weights, (0.0, 1.0))
