"""Means over worlds, from a high-fidelity figure of few worlds and control variates of many.

Where the few worlds happen to be better than the many by the control variates, the mean of the
figure is corrected by what a regression on them explains (W. G. Cochran, *Sampling
Techniques*, 3rd ed., sections 7.1 and 12.9, double sampling for regression). The variance
around it comes from residuals of worlds left out (J. G. MacKinnon and H. White, Some
heteroskedasticity-consistent covariance matrix estimators, J. Econometrics 29 (1985), HC3):
with the plain ones the intervals of small chances were too narrow.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import hypot, sqrt
from typing import TYPE_CHECKING

import numpy as np

from tarot_sim.estimation.intervals import Z95, interval

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Ridge on standardised columns: as if there were so many worlds more without any relation.
_RIDGE = 1.0
# Worlds that are counted in although nobody has met them: the few that decide a chance near 0 or
# 1 are often not among those judged, and the error then looks small just where the estimate is
# off. As many as the interval of A. Agresti and B. Coull adds (Approximate is better than "exact",
# Am. Stat. 52 (1998)).
_UNMET = Z95**2
# How many worlds decide such a chance is itself luck: of m that are expected about √m more or
# fewer are met, each with a variance of about 1/20. So much of it is counted in besides.
_DECISIVE = 0.05
_LUCK_OF_DECISIVE = 0.3
# What is taken to be left of a residual at least, however much its world draws the slopes.
_LEAST_LEFT = 0.1


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean and how far off it may be.

    Attributes
    ----------
    mean
        The estimate.
    se
        Its standard error by the sampling of worlds.
    model_error
        Standard deviation of what the judge of the worlds is off by, for all of them together:
        what is left however many worlds are looked at.
    """

    mean: float
    se: float
    model_error: float = 0.0

    @property
    def error(self) -> float:
        """Standard error by the sampling and by the model together."""
        return hypot(self.se, self.model_error)

    @property
    def probability(self) -> float:
        """The mean as a probability: a regression may leave 0 … 1 by a little."""
        return min(1.0, max(0.0, self.mean))

    @property
    def ci95(self) -> tuple[float, float]:
        """95 % interval of a probability, by the sampling and the model together."""
        return interval(self.probability, self.error)

    @property
    def sampling_ci95(self) -> tuple[float, float]:
        """95 % interval of a probability by the sampling alone: what more worlds narrow."""
        return interval(self.probability, self.se)


def regression_estimate(
    figures: NDArray[np.float64],
    few: NDArray[np.float64],
    many: NDArray[np.float64],
    expected: float = 0.0,
) -> Estimate:
    """Estimate the mean of a figure.

    Parameters
    ----------
    figures
        Shape (n,): the high-fidelity figure of the few worlds.
    few
        Shape (n, k): the control variates of the same worlds.
    many
        Shape (N, k): the control variates of many worlds, the few among them.
    expected
        The variance of the figure in a world of which the control variates are known, as they
        lead to expect it. The error is that of some more worlds with so much, since the few that
        decide a chance near 0 or 1 may not have been met.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(1)
    >>> many = rng.normal(size=(5000, 1))
    >>> figures = 3 + many[:100, 0] + rng.normal(scale=0.1, size=100)
    >>> found = regression_estimate(figures, many[:100], many)
    >>> plain = float(figures.std()) / 10  # the standard error of their mean
    >>> abs(found.mean - 3) < 0.06, found.se < plain / 4
    (True, True)
    """
    n = len(figures)
    mean = float(figures.mean())
    scale = many.std(axis=0)
    columns = scale > 1e-9
    k = int(columns.sum())
    decisive = _LUCK_OF_DECISIVE * sqrt(_DECISIVE * expected * n)
    unmet = (_UNMET * expected + decisive) / n**2
    if n <= k + 2 or k == 0:
        plain = float(figures.var(ddof=1)) if n > 1 else 0.0
        return Estimate(mean, sqrt(plain / n + unmet))
    centre = few[:, columns].mean(axis=0)
    scaled = (few[:, columns] - centre) / scale[columns]
    moments = scaled.T @ scaled + _RIDGE * np.eye(k)
    slopes = np.linalg.solve(moments, scaled.T @ (figures - mean))
    residuals = figures - mean - scaled @ slopes
    shift = (many[:, columns].mean(axis=0) - centre) / scale[columns]
    spread = (many[:, columns] - many[:, columns].mean(axis=0)) / scale[columns]
    # Each world's residual as if the others alone had been fitted: a world that is unlike the
    # others draws the slopes to itself, and its own residual says too little.
    pull = 1 / n + np.einsum("ij,ij->i", scaled, np.linalg.solve(moments, scaled.T).T)
    left = float(((residuals / np.maximum(1 - pull, _LEAST_LEFT)) ** 2).mean())
    # What the slopes themselves are off by, where the few are not like the many.
    leverage = 1 + n * float(shift @ np.linalg.solve(moments, shift))
    explained = float(np.var(spread @ slopes))
    variance = left / n * leverage + explained / len(many) + unmet
    return Estimate(mean + float(shift @ slopes), sqrt(variance))


def corrected(
    high: NDArray[np.float64],
    low: NDArray[np.float64],
    mean: Estimate,
    expected: NDArray[np.float64],
    prior: float,
    error: float,
) -> Estimate:
    """Correct the mean of a low-fidelity figure by a high-fidelity one of some worlds.

    The estimate is moved by the mean difference of the two, as far as that tells
    more than what is known before. The model error is that of a hand as a whole, so the
    high-fidelity figures share it as far as they are not proved: where they differ by nothing
    at all they tell nothing. Where all are proved and agree, that is no proof yet: the luck is
    at least what the low-fidelity figure, if it is true, leads to expect.

    Parameters
    ----------
    high
        Shape (m,): the high-fidelity figures, such as probabilities that are 0 or 1 where
        proved.
    low
        Shape (m,): the low-fidelity ones of the same worlds.
    mean
        The estimate of the low-fidelity figure's mean over all worlds; fewer than three of
        high fidelity leave it as it is.
    expected
        Shape (m,): the variance of each difference that the low-fidelity figure leads to
        expect: of probabilities p(1 − p).
    prior
        Model error of the low-fidelity mean: standard deviation of what it is off by for all
        worlds together.
    error
        Model error of the mean of the high-fidelity figures, at most `prior`: the part that
        they share.

    Returns
    -------
    Estimate
        Its `model_error` is what the correction leaves of `prior`.
    """
    m = len(high)
    if m < 3:
        return replace(mean, model_error=prior)
    differences = high - low
    variance = max(float(differences.var(ddof=1)), float(expected.mean())) / m
    # Moved by a weight w, the mean is off by prior − w cured, and by w of the luck: w makes the
    # sum of the squares least. More than the whole difference is never believed.
    cured = prior - error
    weight = min(1.0, prior * cured / max(cured * cured + variance, 1e-300))
    return Estimate(
        mean.mean + weight * float(differences.mean()),
        hypot(weight * sqrt(variance), mean.se),
        prior - weight * cured,
    )
