"""What a sample says, with how far off it may be: chance, score, gain of one over another.

Every figure is put together from all fidelities (`tarot_sim.estimation.regression`), and
its error from the luck of the worlds and the judge's model error for this hand.
"""

from __future__ import annotations

from dataclasses import replace
from math import hypot, sqrt
from typing import TYPE_CHECKING

import numpy as np

from tarot_sim.estimation.regression import Estimate, corrected, regression_estimate
from tarot_sim.rules import DOG_CONTRACTS
from tarot_sim.rules.scoring import PETIT_AU_BOUT

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tarot_sim.estimation.sample import Sample


def estimate_p_make(sample: Sample) -> Estimate:
    """Return the probability that a contract is made, from all fidelities."""
    n, m = len(sample.p_make), len(sample.exact)
    # The first two of the controls are the forecast and its square. (In scores the margins leave
    # so much open that no world decides alone.)
    expected = float((sample.controls[:, 0] - sample.controls[:, 1]).mean())
    found = regression_estimate(sample.p_make, sample.controls[:n], sample.controls, expected)
    p_make = sample.p_make[:m]
    return corrected(sample.exact, p_make, found, p_make * (1 - p_make), *_errors(sample))


def _errors(sample: Sample) -> tuple[float, float]:
    """Return the model errors of the mean of `p_make` and of that of `exact`.

    A shift that the logits of all worlds share moves each by p(1 − p) of it, and those
    proved not at all.
    """
    shift = sample.doubts.logit_shift
    judged = shift * float((sample.p_make * (1 - sample.p_make)).mean())
    if not sample.exact.size:
        return judged, judged
    return judged, min(judged, shift * float((sample.exact * (1 - sample.exact)).mean()))


def _ends_error(sample: Sample, per: NDArray[np.float64]) -> float:
    """Return the model error of the mean score by margins, Petit au bout and sweeps.

    Margins of all worlds are off together, and so are the logits of the Petit au bout and of a
    sweep; what is proved is off by nothing.
    """
    off = sample.doubts
    parts = sample.parts(sample.p_make)
    ordinary, attack, defence = sample.losses(parts)
    coefficient, rest = sample.rules.coefficients[sample.contract], parts.weights[:, 2]
    petit = abs(sample.ends.petits)
    losses = (
        coefficient * off.margin / 2 * rest,
        coefficient * PETIT_AU_BOUT * off.petit_logit * petit * (1 - petit) * rest,
        off.sweep_logit
        * sum(
            weight * (1 - weight) * abs(swept - ordinary)
            for weight, swept in zip(parts.weights.T, (attack, defence), strict=False)
        ),
    )
    return hypot(*(float((sample.multipliers / per * loss).mean()) for loss in losses))


def estimate_score(sample: Sample, per: NDArray[np.float64] | None = None) -> Estimate:
    """Return the taker's expected score, from all fidelities.

    Parameters
    ----------
    sample
        The contract and its worlds.
    per
        Shape (n,): what the score of each judged world is divided by; 1 unless given.
    """
    n, m = len(sample.p_make), len(sample.exact)
    per = np.ones(n) if per is None else per
    scores = sample.scores / per
    found = regression_estimate(scores, sample.controls[:n], sample.controls)
    p_make, stakes = sample.p_make[:m], sample.stakes(n) / per
    expected = stakes[:m] ** 2 * p_make * (1 - p_make)
    prior, error = (float(stakes.mean()) * value for value in _errors(sample))
    score = corrected(sample.exact_scores / per[:m], scores[:m], found, expected, prior, error)
    return replace(score, model_error=hypot(score.model_error, _ends_error(sample, per)))


def estimate_gain(one: Sample, two: Sample, correlation: float = 0.0) -> Estimate:
    """Return by how much one sample's expected score is above another's, on the same worlds.

    Parameters
    ----------
    one, two
        Two contracts, or two écarts or calls for one.
    correlation
        Correlation of the two model errors. Prise and Garde lead to the same deals, and so to 1.
    """
    n, m = len(one.p_make), len(one.exact)
    controls = np.column_stack([one.controls, two.controls])
    difference = one.scores - two.scores
    found = regression_estimate(difference, controls[:n], controls)
    p_make, other = one.p_make[:m], two.p_make[:m]
    stakes, other_stakes = one.stakes(n), two.stakes(n)
    first, second = float(stakes.mean()), float(other_stakes.mean())
    stakes, other_stakes = stakes[:m], other_stakes[:m]
    if one.contract != two.contract and {one.contract, two.contract} <= {
        *DOG_CONTRACTS
    }:  # the deals are the same
        correlation = 1.0
        expected = (stakes - other_stakes) ** 2 * p_make * (1 - p_make)
    else:
        expected = stakes**2 * p_make * (1 - p_make) + other_stakes**2 * other * (1 - other)
    prior, error = (
        _error_of_difference(first * value, second * other_value, correlation)
        for value, other_value in zip(_errors(one), _errors(two), strict=True)
    )
    # Proofs of one of the two may leave less in common than there was.
    error = min(prior, error)
    exact = one.exact_scores - two.exact_scores
    gain = corrected(exact, difference[:m], found, expected, prior, error)
    first, second = (_ends_error(sample, np.ones(n)) for sample in (one, two))
    ends = _error_of_difference(first, second, correlation)
    return replace(gain, model_error=hypot(gain.model_error, ends))


def _error_of_difference(one: float, two: float, correlation: float) -> float:
    """Return the error of the difference of two figures with these errors."""
    return hypot(one - two, sqrt(2 * (1 - correlation) * one * two))
