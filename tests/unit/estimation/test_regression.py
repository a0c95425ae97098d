"""Estimates are right on average, and as far off as they say."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import isfinite, sqrt

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import linregress

from tarot_sim.estimation.intervals import Z95
from tarot_sim.estimation.regression import Estimate, corrected, regression_estimate

Figures = NDArray[np.float64]
#: Draws n worlds: the figure of each, and its control variates, shape (n, k).
Population = Callable[[np.random.Generator, int], tuple[Figures, Figures]]


# --- worlds whose mean is known -------------------------------------------------------


def close(rng: np.random.Generator, n: int) -> tuple[Figures, Figures]:
    """Draw a figure of mean 3 that three of quite different sizes explain for the most part."""
    controls = rng.normal(size=(n, 3)) * (1, 20, 0.1) + (5, -40, 0)
    explained = (controls[:, 0] - 5) - (controls[:, 1] + 40) / 20 + 5 * controls[:, 2]
    return 3 + explained + rng.normal(scale=0.4, size=n), controls


def unrelated(rng: np.random.Generator, n: int) -> tuple[Figures, Figures]:
    """Draw a figure of mean −1 of which the control variates tell nothing."""
    return rng.normal(-1, 2, n), rng.normal(size=(n, 4))


def made(rng: np.random.Generator, n: int) -> tuple[Figures, Figures]:
    """Draw whether deals are made, with a probability that is the control variate; mean ½."""
    chance = rng.random(n)
    return (rng.random(n) < chance).astype(np.float64), chance[:, None]


def curved(rng: np.random.Generator, n: int) -> tuple[Figures, Figures]:
    """Draw a figure of mean ⅓ whose relation to the control variates is no line.

    One column never changes, and two others are nearly the same.
    """
    x = rng.uniform(-1, 1.5, n)
    second = x + rng.normal(scale=0.01, size=n)
    controls = np.column_stack([x, np.full(n, 7.0), second])
    return np.where(x > 0, x, 0) + 1 / 3 - 0.45 + rng.normal(scale=0.2, size=n), controls


POPULATIONS = pytest.mark.parametrize(
    ("population", "truth"),
    [
        pytest.param(close, 3.0, id="close"),
        pytest.param(unrelated, -1.0, id="unrelated"),
        pytest.param(made, 0.5, id="made"),
        pytest.param(curved, 1 / 3, id="curved"),
    ],
)


def plain(figures: Figures) -> float:
    """Return the standard error of the mean of these figures and nothing else."""
    return float(figures.std(ddof=1)) / sqrt(len(figures))


def simulate(
    one: Callable[[np.random.Generator], tuple[Estimate, Figures]], repetitions: int, seed: int
) -> tuple[Figures, Figures, Figures]:
    """Return the means and errors of many estimates, and what plain means would be off by.

    `one` returns an estimate and the figures that it is the mean of.
    """
    rng = np.random.default_rng(seed)
    found = [one(rng) for _ in range(repetitions)]
    table = np.array(
        [(estimate.mean, estimate.error, plain(figures)) for estimate, figures in found]
    )
    return table[:, 0], table[:, 1], table[:, 2]


def assert_honest(means: Figures, errors: Figures, truth: float) -> None:
    """Assert that estimates are unbiased, and their standard errors and intervals true."""
    n = len(means)
    spread = means.std(ddof=1)
    assert abs(means.mean() - truth) < 4 * spread / sqrt(n)
    assert errors.mean() == pytest.approx(spread, rel=0.15)
    covered = (abs(means - truth) <= Z95 * errors).mean()
    assert 0.91 < covered < 0.98


def as_dict(estimate: Estimate) -> dict[str, float]:
    return {"mean": estimate.mean, "se": estimate.se, "error": estimate.error}


def assert_finite(estimate: Estimate) -> None:
    assert all(isfinite(value) for value in as_dict(estimate).values())
    assert estimate.se >= 0
    assert estimate.model_error >= 0


# --- regression_estimate --------------------------------------------------------------


def regression(
    population: Population, few: int, many: int
) -> Callable[..., tuple[Estimate, Figures]]:
    def one(rng: np.random.Generator) -> tuple[Estimate, Figures]:
        figures, controls = population(rng, many)
        return regression_estimate(figures[:few], controls[:few], controls), figures[:few]

    return one


@POPULATIONS
@pytest.mark.parametrize(("few", "many"), [(40, 1_000), (60, 90)])
def test_regression(population: Population, truth: float, few: int, many: int) -> None:
    means, errors, _ = simulate(regression(population, few, many), 800, few)
    assert_honest(means, errors, truth)


def test_what_is_explained_is_gained() -> None:
    """The error falls to what the control variates leave open, and to that of the many."""
    means, errors, alone = simulate(regression(close, 50, 2_000), 500, 3)
    left, explained = 0.4**2, 1 + 1 + 0.5**2
    assert sqrt((left + explained) / 50) == pytest.approx(alone.mean(), rel=0.03)
    assert sqrt(left / 50 + explained / 2_000) == pytest.approx(means.std(), rel=0.15)
    assert (errors < alone / 2).mean() > 0.99


def test_what_tells_nothing_costs_little() -> None:
    means, errors, alone = simulate(regression(unrelated, 50, 2_000), 500, 4)
    assert alone.mean() == pytest.approx(errors.mean(), rel=0.1)
    assert means.std() < 1.12 * alone.mean()


def test_where_all_worlds_have_the_figure_nothing_is_corrected() -> None:
    figures, controls = close(np.random.default_rng(2), 300)
    found = regression_estimate(figures, controls, controls)
    assert figures.mean() == pytest.approx(found.mean)
    assert plain(figures) == pytest.approx(found.se, rel=0.03)


def test_units_do_not_matter() -> None:
    figures, controls = close(np.random.default_rng(3), 400)
    found = regression_estimate(figures[:50], controls[:50], controls)
    units = controls * (1e-3, 100, -7) + (5, -1e3, 0.1)
    other = regression_estimate(10 * figures[:50] - 2, units[:50], units)
    expected = {"mean": 10 * found.mean - 2, "se": 10 * found.se, "error": 10 * found.error}
    assert expected == pytest.approx(as_dict(other))


def test_a_line_is_followed() -> None:
    """Few worlds that are much better than the many are brought back to them."""
    x = np.linspace(0, 1, 1_001)[:, None]
    figures = 2 + 3 * x[-300:, 0]
    found = regression_estimate(figures, x[-300:], x)
    assert figures.mean() > 4.5
    assert 3.5 == pytest.approx(found.mean, abs=0.05)


def test_far_from_the_few_the_slope_counts() -> None:
    """The error is that of the line of least squares at the mean of the many."""
    rng = np.random.default_rng(8)
    many = np.sort(rng.normal(size=(100_000, 1)), axis=0)
    controls = many[-20_000::100]
    figures = 1 + 2 * controls[:, 0] + rng.normal(size=200)
    found = regression_estimate(figures, controls, many)
    line = linregress(controls[:, 0] - many.mean(), figures)
    assert line.intercept == pytest.approx(found.mean, abs=0.2)
    assert line.intercept_stderr == pytest.approx(found.se, rel=0.05)
    assert found.se > 1.5 / sqrt(200)


def test_many_columns_cost_some_error() -> None:
    """Few worlds, whose means are off by chance in each of many columns."""

    def one(rng: np.random.Generator) -> tuple[Estimate, Figures]:
        figures, controls = unrelated(rng, 600)
        return regression_estimate(figures[:15], controls[:15], controls), figures[:15]

    means, errors, _ = simulate(one, 3_000, 9)
    assert means.mean() == pytest.approx(-1, abs=4 * means.std() / sqrt(3_000))
    # With so few the residuals of worlds left out are on the safe side.
    assert means.std() < errors.mean() < 1.3 * means.std()


def test_columns_that_never_change_are_left_out() -> None:
    figures, controls = close(np.random.default_rng(4), 300)
    constant = np.column_stack([np.full(300, 3.0), controls, np.zeros(300)])
    expected = regression_estimate(figures[:40], controls[:40], controls)
    found = regression_estimate(figures[:40], constant[:40], constant)
    assert as_dict(expected) == pytest.approx(as_dict(found))


@pytest.mark.parametrize("k", [0, 1, 3])
def test_too_few_worlds_for_a_regression(k: int) -> None:
    """With no column, or no more worlds than two above their number, the plain mean stays."""
    rng = np.random.default_rng(5)
    many = rng.normal(size=(50, k))
    for n in range(2, k + 3):
        figures = rng.normal(size=n)
        found = regression_estimate(figures, many[:n], many)
        expected = {"mean": figures.mean(), "se": plain(figures), "error": plain(figures)}
        assert expected == pytest.approx(as_dict(found))


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 6, 7, 12])
def test_few_worlds_give_finite_estimates(n: int) -> None:
    rng = np.random.default_rng(n)
    many = rng.normal(size=(40, 3))
    for figures in (rng.normal(size=n), np.zeros(n), np.ones(n)):
        for columns in (
            many,
            many[:, :1],
            np.column_stack([many, many]),  # each column twice
            np.ones((40, 3)),
            many[:, :0],
        ):
            assert_finite(regression_estimate(figures, columns[:n], columns))
    assert_finite(regression_estimate(rng.normal(size=n), many[:n], many[:n]))


@pytest.mark.parametrize("value", [0.0, 1.0, -7.25])
def test_a_figure_that_never_changes(value: float) -> None:
    many = np.random.default_rng(6).normal(size=(100, 2))
    found = regression_estimate(np.full(20, value), many[:20], many)
    assert {"mean": value, "se": 0, "error": 0} == pytest.approx(as_dict(found), abs=1e-12)


def test_a_column_that_changes_elsewhere_only() -> None:
    """What the few worlds tell nothing of is not corrected for."""
    rng = np.random.default_rng(7)
    many = np.zeros((200, 1))
    many[50:, 0] = rng.normal(5, 1, 150)
    figures = rng.normal(size=50)
    found = regression_estimate(figures, many[:50], many)
    assert_finite(found)
    assert figures.mean() == pytest.approx(found.mean)
    # Nobody knows the slope, so that the error is larger than the plain one.
    assert found.se > plain(figures)


# --- corrected ------------------------------------------------------------------------

#: A prior that says nothing: the mean of low fidelity may be off by anything.
NOTHING = 1e6


def nested_figures(rng: np.random.Generator, n: int) -> tuple[Figures, Figures, Figures]:
    """Draw outcomes, probabilities of them that are a little too high, and control variates.

    The mean of the outcomes is close to 0.5.
    """
    lowest = rng.normal(size=(n, 2))
    chance = 1 / (1 + np.exp(-2 * (lowest @ np.array([0.8, 0.5]) + rng.normal(size=n))))
    high = (rng.random(n) < chance).astype(np.float64)
    return high, np.minimum(chance + 0.05, 1.0), lowest


def test_corrected_after_a_regression() -> None:
    """The few, the more and the many are nested, as in the chances of a contract."""

    def one(rng: np.random.Generator) -> tuple[Estimate, Figures]:
        high, lower, lowest = nested_figures(rng, 1_000)
        found = regression_estimate(lower[:150], lowest[:150], lowest)
        chance = lower[:40]
        expected = chance * (1 - chance)
        return corrected(high[:40], chance, found, expected, NOTHING, 0.0), high[:40]

    means, errors, alone = simulate(one, 800, 1)
    assert_honest(means, errors, 0.5)
    assert (errors < alone).mean() > 0.9


def test_corrected_by_the_mean_difference() -> None:
    high = np.array([1.0, 0.0, 0.0, 1.0])
    low = np.array([0.75, 0.25, 0.5, 0.9])
    found = corrected(high, low, Estimate(0.4, 0.125), low * (1 - low), NOTHING, 0.0)
    assert found.mean == pytest.approx(0.4 - 0.1)
    expected = max((high - low).var(ddof=1), (low * (1 - low)).mean())
    assert found.se == pytest.approx(sqrt(expected / 4 + 0.125**2))


def test_what_is_known_before_weighs_as_well() -> None:
    """Means off by a normal error of known size: a few figures never make it worse."""

    def one(rng: np.random.Generator, prior: float) -> tuple[Estimate, Figures]:
        chance = rng.random(2_000)
        high = (rng.random(2_000) < chance).astype(np.float64)
        off = 0.03 * rng.normal()
        low = chance - off  # all worlds of the hand alike
        mean = Estimate(float(0.5 - off), 0.0)
        few = slice(40)
        expected = chance[few] * (1 - chance[few])
        return corrected(high[few], low[few], mean, expected, prior, 0.0), high[few]

    means, errors, _ = simulate(partial(one, prior=0.03), 800, 3)
    assert_honest(means, errors, 0.5)
    assert (errors < 0.03).all()
    alone, more, _ = simulate(partial(one, prior=NOTHING), 800, 3)
    assert means.std() < 0.6 * alone.std()
    assert (errors < more).all()
    nothing, _, _ = simulate(partial(one, prior=0.0), 800, 3)
    assert means.std() < nothing.std()


def test_high_fidelity_figures_that_share_the_error() -> None:
    """The weight is the one that leaves the least error in all, and never above one."""
    high, low = np.array([1.0, 0.0, 0.0, 1.0]), np.array([0.75, 0.25, 0.5, 0.9])
    mean, expected = Estimate(0.4, 0.0), low * (1 - low)
    luck = max((high - low).var(ddof=1), expected.mean()) / 4
    weights = np.linspace(0, 1, 100_001)
    for prior in (0.0, 0.02, 0.3, 3.0):
        for error in (0.0, prior / 3, prior):
            found = corrected(high, low, mean, expected, prior, error)
            squares = (prior - weights * (prior - error)) ** 2 + weights**2 * luck
            assert found.error == pytest.approx(sqrt(squares.min()), abs=1e-6)
            best = float(weights[squares.argmin()])
            assert found.mean == pytest.approx(0.4 - 0.1 * best, abs=1e-4)
            assert error <= found.model_error + 1e-12 <= prior + 1e-9


def test_where_nothing_is_proved_nothing_is_learnt() -> None:
    low = np.array([0.75, 0.25, 0.5, 0.9])
    found = corrected(low, low, Estimate(0.4, 0.1), low * (1 - low), 0.05, 0.05)
    assert (found.mean, found.se, found.model_error) == (0.4, 0.1, 0.05)
    few = corrected(low[:2], low[:2], Estimate(0.4, 0.1), low[:2], 0.05, 0.01)
    assert (few.mean, few.se, few.model_error) == (0.4, 0.1, 0.05)


def test_outcomes_that_agree_leave_a_doubt() -> None:
    """Ten worlds that all fail are no proof that all worlds do."""
    low = np.full(10, 0.02)
    found = corrected(np.zeros(10), low, Estimate(0.03, 0.0), low * (1 - low), NOTHING, 0.0)
    assert found.mean == pytest.approx(0.01)
    assert found.se == pytest.approx(sqrt(0.02 * 0.98 / 10))


@pytest.mark.parametrize("m", [1, 2, 3, 4, 10])
def test_few_worlds_give_finite_corrections(m: int) -> None:
    rng = np.random.default_rng(m)
    mean = Estimate(0.5, 0.1)
    for figures in (rng.normal(size=m), np.zeros(m), np.ones(m)):
        for low in (rng.normal(size=m), np.zeros(m), np.ones(m), figures):
            expected = np.abs(low)
            for prior in (0.0, 0.01, NOTHING):
                assert_finite(corrected(figures, low, mean, expected, prior, 0.0))
                assert_finite(corrected(figures, low, Estimate(0.0, 0.0), expected, prior, 0.0))


@pytest.mark.parametrize(("mean", "chance"), [(-0.01, 0.0), (0.3, 0.3), (1.01, 1.0)])
def test_a_chance_stays_within_its_limits(mean: float, chance: float) -> None:
    assert chance == Estimate(mean, 0.1).probability


# --- chances near 0 and 1 ---------------------------------------------------------------


@pytest.mark.parametrize("n", [50, 150, 400])
@pytest.mark.parametrize("centre", [-7.0, -5.5, -4.0, 0.0, 2.5, 4.0, 5.5, 7.0])
def test_errors_of_chances_hold_at_the_ends(centre: float, n: int) -> None:
    """Within 1.96 errors of 400 estimates lies the mean, however few worlds decide it."""
    rng = np.random.default_rng(5)
    logits = rng.normal(centre, 2, 40_000)
    forecasts = 1 / (1 + np.exp(-logits))
    judged = 1 / (1 + np.exp(-(logits + rng.normal(0, 1, 40_000))))
    controls = np.column_stack([forecasts, forecasts**2, np.clip(logits, -11.5, 11.5)])
    held, inside, plain = 0, 0, 0
    for _ in range(400):
        many = rng.integers(0, 40_000, 8 * n)
        few, control = judged[many[:n]], controls[many]
        expected = float((control[:, 0] - control[:, 1]).mean())
        found = regression_estimate(few, control[:n], control, expected)
        held += abs(found.mean - judged.mean()) <= 1.96 * found.se
        low, high = found.sampling_ci95
        inside += low <= judged.mean() <= high
        without = regression_estimate(few, control[:n], control)
        assert without.mean == found.mean
        plain += abs(found.mean - judged.mean()) <= 1.96 * without.se
    # Of 400 that hold in 95 of 100 cases less than 92.5 % do once in a hundred times.
    assert held >= 0.925 * 400
    assert inside >= 0.925 * 400
    if abs(centre) == 7:
        assert plain < 0.9 * 400


def test_unmet_worlds_count_less_the_more_were_met() -> None:
    rng = np.random.default_rng(2)
    for n in (5, 20, 200):
        controls, figures = rng.normal(size=(8 * n, 3)), rng.normal(size=n)
        plain = regression_estimate(figures, controls[:n], controls)
        found = regression_estimate(figures, controls[:n], controls, 0.2)
        # As many worlds as the interval of Agresti and Coull adds, and the luck of how many decide.
        more = (0.2 * Z95**2 + 0.3 * sqrt(0.05 * 0.2 * n)) / n**2
        assert more == pytest.approx(found.se**2 - plain.se**2)
