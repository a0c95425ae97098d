"""Confidence intervals for estimated probabilities."""

from __future__ import annotations

from math import sqrt
from typing import Final

#: Two-sided 95 % quantile of the normal distribution.
Z95: Final = 1.959963984540054
#: However a figure is distributed, it is more than so many standard deviations above its mean in
#: at most one of forty cases, and below it as well: 1 / (1 + k²) = 1/40 (F. P. Cantelli, 1928).
CANTELLI: Final = sqrt(39)


def wilson(mean: float, n: float, z: float = Z95) -> tuple[float, float]:
    """Return the Wilson score interval of a probability estimated by `mean`.

    Written out because `mean` need not be a whole number of successes in `n` trials:
    a world may count with a probability. The variance of such trials is at most that of
    whole ones, so the interval is then on the safe side.

    Parameters
    ----------
    mean
        Mean of n independent trials with values in [0, 1].
    n
        Number of trials.
    z
        Quantile of the normal distribution.

    Returns
    -------
    tuple of float
        Lower and upper limit.

    Examples
    --------
    >>> low, high = wilson(0.5, 100)
    >>> round(low, 4), round(high, 4)
    (0.4038, 0.5962)

    References
    ----------
    E. B. Wilson, Probable inference, the law of succession, and statistical inference,
    JASA 22 (1927).
    """
    if n <= 0:
        return 0.0, 1.0
    spread = z * z / n
    centre = (mean + spread / 2) / (1 + spread)
    half = z / (1 + spread) * sqrt(mean * (1 - mean) / n + spread / (4 * n))
    # At 0 and 1 the limits meet the mean but for rounding.
    return min(mean, max(0.0, centre - half)), max(mean, min(1.0, centre + half))


def interval(p: float, se: float) -> tuple[float, float]:
    """Return the 95 % Wilson interval of a probability with a standard error.

    Where the error is large beside a probability near 0 or 1, that is of next to no trials,
    and says nothing: no limit is further away than it can be for any distribution.

    Parameters
    ----------
    p
        The estimate.
    se
        Its standard error.

    Returns
    -------
    tuple of float
        Lower and upper limit.

    Examples
    --------
    >>> low, high = interval(0.5, 0.05)  # as of 100 trials
    >>> round(low, 3), round(high, 3)
    (0.404, 0.596)
    """
    spread = p * (1 - p)
    if se <= 0 or spread <= 0:
        return max(0.0, p - Z95 * se), min(1.0, p + Z95 * se)
    low, high = wilson(p, spread / se**2)
    return max(low, p - CANTELLI * se), min(high, p + CANTELLI * se)
