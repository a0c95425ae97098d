"""From probabilities and expected margins to the distribution of what comes out."""

from __future__ import annotations

from math import pi, sqrt
from typing import TYPE_CHECKING, Final

import numpy as np

from tarot_sim.worlds.logits import logistic, logit

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Points that stand for each side of a deal's margin.
_STEPS: Final = 4
_GRID: Final = (np.arange(_STEPS) + 0.5) / _STEPS


def spread_margins(
    p_make: NDArray[np.float64], margins: NDArray[np.float64], sd: float
) -> NDArray[np.float64]:
    """Spread each deal's margin over what it may be.

    Around the expected margin the true one is taken to be logistic, with the standard
    deviation given; the side of 0 on which it lies has the deal's probability.

    Parameters
    ----------
    p_make
        Shape (n,): probability that each deal is made.
    margins
        Shape (n,): expected half points above the need.
    sd
        Standard deviation of the true margin around the expected one.

    Returns
    -------
    numpy.ndarray
        Shape (n, 8): four margins of 0 or more, each with a quarter of the deal's
        probability to be made, then four below 0, each with a quarter of the rest.
    """
    scale = sd * sqrt(3) / pi
    below = logistic(-margins / scale)  # that the margin is < 0
    above = 1 - below
    made = _quantiles(below[:, None] + above[:, None] * _GRID, margins, scale)
    failed = _quantiles(below[:, None] * _GRID, margins, scale)
    return np.concatenate([np.maximum(made, 0), np.minimum(failed, -1)], axis=1)


def spread_weights(p_make: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the probability of each of `spread_margins`, shape (n, 8)."""
    return np.repeat(np.stack([p_make, 1 - p_make], axis=1), _STEPS, axis=1) / _STEPS


def mean_margins(
    p_make: NDArray[np.float64], margins: NDArray[np.float64], sd: float
) -> NDArray[np.float64]:
    """Return the mean of each deal's `spread_margins`; parameters as there, shape (n,)."""
    means: NDArray[np.float64] = (spread_margins(p_make, margins, sd) * spread_weights(p_make)).sum(
        axis=1
    )
    return means


def quantiles(
    values: NDArray[np.float64], weights: NDArray[np.float64], levels: tuple[float, ...]
) -> tuple[float, ...]:
    """Return weighted quantiles: the least value with at least that much weight up to it.

    Parameters
    ----------
    values, weights
        Arrays of one shape.
    levels
        Each between 0 and 1.
    """
    found = np.quantile(values.ravel(), levels, weights=weights.ravel(), method="inverted_cdf")
    return tuple(found.tolist())


def _quantiles(
    levels: NDArray[np.float64], margins: NDArray[np.float64], scale: float
) -> NDArray[np.float64]:
    """Return quantiles of logistic distributions around margins; shape (n, levels)."""
    return margins[:, None] + scale * logit(levels, 1e-9)
