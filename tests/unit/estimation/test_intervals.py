from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import binom, binomtest

from tarot_sim.estimation.intervals import Z95, interval, wilson

PROBABILITIES = st.floats(0, 1)


@given(st.integers(1, 10_000), st.data())
def test_whole_successes_are_scipys(n: int, data: st.DataObject) -> None:
    successes = data.draw(st.integers(0, n))
    expected = binomtest(successes, n).proportion_ci(0.95, method="wilson")
    assert (expected.low, expected.high) == pytest.approx(wilson(successes / n, n), abs=1e-9)


@given(PROBABILITIES, st.floats(1e-3, 1e9))
def test_the_mean_lies_within(mean: float, n: float) -> None:
    low, high = wilson(mean, n)
    assert 0 <= low <= mean <= high <= 1


@given(PROBABILITIES, st.integers(1, 10_000))
def test_more_trials_tell_more(mean: float, n: int) -> None:
    low, high = wilson(mean, n)
    closer_low, closer_high = wilson(mean, 2 * n)
    assert closer_high - closer_low < high - low


@given(PROBABILITIES, st.integers(1, 10_000))
def test_success_and_failure_are_mirrors(mean: float, n: int) -> None:
    low, high = wilson(mean, n)
    assert (1 - high, 1 - low) == pytest.approx(wilson(1 - mean, n), abs=1e-9)


def test_without_trials_nothing_is_known() -> None:
    assert wilson(0.3, 0) == (0, 1)


@pytest.mark.parametrize("mean", [0.0, 0.25, 1.0])
def test_without_a_quantile_there_is_no_width(mean: float) -> None:
    assert (mean, mean) == pytest.approx(wilson(mean, 50, z=0))


def test_the_quantile() -> None:
    assert wilson(0.4, 80) == wilson(0.4, 80, Z95)
    assert wilson(0.4, 80, 2.5)[0] < wilson(0.4, 80)[0]


@pytest.mark.parametrize("n", [50, 100, 800])
@pytest.mark.parametrize("p", [0.05, 0.2, 0.5, 0.9, 0.97])
def test_it_covers_as_often_as_it_says(n: int, p: float) -> None:
    """The exact chance that the interval of n trials holds the probability behind them."""
    covered = 0.0
    for successes in range(n + 1):
        low, high = wilson(successes / n, n)
        if low <= p <= high:
            covered += binom.pmf(successes, n, p)
    assert 0.92 < covered < 0.98


# --- by the standard error --------------------------------------------------------------


@given(st.floats(0.01, 0.99), st.floats(1e-3, 0.2))
def test_it_is_that_of_as_many_trials(p: float, se: float) -> None:
    assume(se <= p * (1 - p))  # of less than a success, or a failure, a trial says nothing
    assert interval(p, se) == pytest.approx(wilson(p, p * (1 - p) / se**2))


@pytest.mark.parametrize("p", [0.0, 0.3, 1.0])
def test_without_an_error_it_has_no_width(p: float) -> None:
    assert (p, p) == interval(p, 0.0)


@pytest.mark.parametrize("p", [0.0, 1.0])
def test_at_the_ends_it_has_the_width_of_the_error(p: float) -> None:
    low, high = interval(p, 0.01)
    assert 0 <= low <= high <= 1
    assert high - low == pytest.approx(0.01 * Z95)


@pytest.mark.parametrize("p", [1e-9, 1e-6, 1e-3, 0.02])
@pytest.mark.parametrize("se", [1e-4, 1e-3, 0.01])
def test_an_error_above_the_chance_leaves_no_wide_interval(p: float, se: float) -> None:
    """Of a figure of any distribution one in forty is beyond √39 standard deviations."""
    low, high = interval(p, se)
    assert 0 <= low <= p < high <= p + 6.25 * se
    mirrored = interval(1 - p, se)
    assert mirrored == pytest.approx((1 - high, 1 - low), abs=1e-12)
    # Where the error is that of some trials the limits are those of Wilson.
    trials = interval(0.02, 0.014)
    assert trials == pytest.approx(wilson(0.02, 100), abs=1e-12)
