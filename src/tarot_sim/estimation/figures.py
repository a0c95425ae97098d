"""What a trial says, with how far off it may be: chance, score, and gain of one over another.

Every figure is put together from all levels of search (`tarot_sim.estimation.regression`), and
its error from the luck of the worlds and what the judge may be off by for this hand.
"""

from __future__ import annotations

from math import hypot, sqrt
from typing import TYPE_CHECKING

import numpy as np

from tarot_sim.estimation.calibration import LOGIT_SHIFT
from tarot_sim.estimation.regression import Estimate, corrected, regression_estimate

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tarot_sim.estimation.chunks import Trial


def estimate_makes(trial: Trial) -> Estimate:
    """Return the probability that a contract is made, all levels of search together."""
    n, m = len(trial.makes), len(trial.exact)
    found = regression_estimate(trial.makes, trial.forecasts[:n], trial.forecasts)
    makes = trial.makes[:m]
    return corrected(trial.exact, makes, found, makes * (1 - makes), *_errors(trial))


def _errors(trial: Trial) -> tuple[float, float]:
    """Return how far the mean of the judged chances is off, and that of those searched exactly.

    A shift that the logits of all worlds share moves each by p(1 − p) of it, and those
    proved not at all.
    """
    shift = LOGIT_SHIFT[trial.players][trial.contract in ("garde_sans", "garde_contre")]
    judged = shift * float((trial.makes * (1 - trial.makes)).mean())
    if not trial.exact.size:
        return judged, judged
    return judged, min(judged, shift * float((trial.exact * (1 - trial.exact)).mean()))


def estimate_score(trial: Trial, per: NDArray[np.float64] | None = None) -> Estimate:
    """Return the taker's expected score, all levels of search together.

    Where `per` is given, shape (n,), the score is divided by it in each world.
    """
    n, m = len(trial.makes), len(trial.exact)
    per = np.ones(n) if per is None else per
    scores = trial.scores / per
    found = regression_estimate(scores, trial.forecasts[:n], trial.forecasts)
    makes, stakes = trial.makes[:m], trial.stakes(n) / per
    expected = stakes[:m] ** 2 * makes * (1 - makes)
    prior, error = (float(stakes.mean()) * value for value in _errors(trial))
    return corrected(trial.exact_scores / per[:m], scores[:m], found, expected, prior, error)


def estimate_gain(one: Trial, two: Trial, correlation: float = 0.0) -> Estimate:
    """Return by how much one trial's expected score is above another's, on the same worlds.

    Parameters
    ----------
    one, two
        Two contracts, or two écarts or calls for one.
    correlation
        How what the judge is off by for the one goes together with the same for the other.
        Prise and Garde lead to the same deals, and so to 1.
    """
    n, m = len(one.makes), len(one.exact)
    cheap = np.column_stack([one.forecasts, two.forecasts])
    difference = one.scores - two.scores
    found = regression_estimate(difference, cheap[:n], cheap)
    makes, other = one.makes[:m], two.makes[:m]
    stakes, other_stakes = one.stakes(n), two.stakes(n)
    first, second = float(stakes.mean()), float(other_stakes.mean())
    stakes, other_stakes = stakes[:m], other_stakes[:m]
    if {one.contract, two.contract} == {"prise", "garde"}:  # the deals are the same
        correlation = 1.0
        expected = (stakes - other_stakes) ** 2 * makes * (1 - makes)
    else:
        expected = stakes**2 * makes * (1 - makes) + other_stakes**2 * other * (1 - other)
    prior, error = (
        _error_of_difference(first * value, second * other_value, correlation)
        for value, other_value in zip(_errors(one), _errors(two), strict=True)
    )
    # Proofs of one of the two may leave less in common than there was.
    error = min(prior, error)
    exact = one.exact_scores - two.exact_scores
    return corrected(exact, difference[:m], found, expected, prior, error)


def _error_of_difference(one: float, two: float, correlation: float) -> float:
    """Return the error of the difference of two figures with these errors."""
    return hypot(one - two, sqrt(2 * (1 - correlation) * one * two))
