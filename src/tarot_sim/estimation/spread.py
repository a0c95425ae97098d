"""From probabilities and expected margins to the distribution of what comes out."""

from __future__ import annotations

from math import pi, sqrt
from typing import TYPE_CHECKING, Final

import numpy as np

from tarot_sim.estimation.calibration import MARGIN_SD

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Points that stand for each side of a deal's margin.
_STEPS: Final = 4
_GRID: Final = (np.arange(_STEPS) + 0.5) / _STEPS


def spread_margins(
    makes: NDArray[np.float64], margins: NDArray[np.float64], players: int
) -> NDArray[np.float64]:
    """Spread each deal's margin over what it may be.

    Around the expected margin the true one is taken to be logistic, with the standard
    deviation of the fit; the side of 0 on which it lies has the deal's probability.

    Parameters
    ----------
    makes
        Shape (n,): probability that each deal is made.
    margins
        Shape (n,): expected half points above the need.
    players
        Players at the table.

    Returns
    -------
    numpy.ndarray
        Shape (n, 8): four margins of 0 or more, each with a quarter of the deal's
        probability to be made, then four below 0, each with a quarter of the rest.
    """
    scale = MARGIN_SD[players] * sqrt(3) / pi
    below = 1 / (1 + np.exp(np.clip(margins / scale, -30, 30)))  # that the margin is < 0
    above = 1 - below
    made = _quantiles(below[:, None] + above[:, None] * _GRID, margins, scale)
    failed = _quantiles(below[:, None] * _GRID, margins, scale)
    return np.concatenate([np.maximum(made, 0), np.minimum(failed, -1)], axis=1)


def spread_weights(makes: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the probability of each of `spread_margins`, shape (n, 8)."""
    return np.repeat(np.stack([makes, 1 - makes], axis=1), _STEPS, axis=1) / _STEPS


def mean_margins(
    makes: NDArray[np.float64], margins: NDArray[np.float64], players: int
) -> NDArray[np.float64]:
    """Return the mean of each deal's `spread_margins`."""
    means: NDArray[np.float64] = (
        spread_margins(makes, margins, players) * spread_weights(makes)
    ).sum(axis=1)
    return means


def quantiles(
    values: NDArray[np.float64], weights: NDArray[np.float64], levels: tuple[float, ...]
) -> tuple[float, ...]:
    """Return weighted quantiles: the least value with at least that much weight up to it."""
    order = np.argsort(values, axis=None, kind="stable")
    reached = np.cumsum(weights.ravel()[order])
    places = np.searchsorted(reached, np.array(levels) * reached[-1])
    return tuple(float(values.ravel()[order[min(place, len(order) - 1)]]) for place in places)


def _quantiles(
    levels: NDArray[np.float64], margins: NDArray[np.float64], scale: float
) -> NDArray[np.float64]:
    levels = np.clip(levels, 1e-9, 1 - 1e-9)
    result: NDArray[np.float64] = margins[:, None] + scale * np.log(levels / (1 - levels))
    return result
