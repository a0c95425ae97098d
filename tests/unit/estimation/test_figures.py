"""What a sample says of itself and beside another."""

from __future__ import annotations

from dataclasses import replace
from math import hypot, sqrt

import numpy as np
import pytest

from tarot_sim.cards import Hand
from tarot_sim.estimation.chunks import run_chunk
from tarot_sim.estimation.figures import estimate_gain, estimate_p_make, estimate_score
from tarot_sim.estimation.plan import Plan
from tarot_sim.estimation.sample import Sample
from tarot_sim.rules import CONTRACTS, Contract, Rules
from tests.some_ends import ends_of

PLAN = Plan(Hand("A:21,19,15,12,9,6,3,EX P:R,D,7 C:R,10,5 K:9,4 T:V,8"), Rules(), 0, "cascade")


@pytest.fixture(scope="module")
def samples() -> dict[Contract, Sample]:
    return run_chunk(PLAN, 0).samples


def model_error(sample: Sample) -> float:
    """Return what the judge may be off by, as a score."""
    return estimate_score(sample).model_error


@pytest.mark.parametrize("correlation", [0.0, 0.5, 0.8, 1.0])
def test_errors_that_go_together_cancel(
    samples: dict[Contract, Sample], correlation: float
) -> None:
    one, two = samples["garde"], samples["garde_sans"]
    gain = estimate_gain(one, two, correlation)
    expected = sqrt(
        model_error(one) ** 2
        + model_error(two) ** 2
        - 2 * correlation * model_error(one) * model_error(two)
    )
    # Errors of chances and of the ends go together with their like alone, so somewhat less cancels.
    assert expected <= gain.model_error + 1e-9
    assert gain.model_error == pytest.approx(expected, rel=0.03)
    plain = estimate_gain(one, two)
    assert (plain.mean, plain.se) == (gain.mean, gain.se)
    assert hypot(model_error(one), model_error(two)) == pytest.approx(plain.model_error)


def test_of_prise_and_garde_the_deals_are_the_same(samples: dict[Contract, Sample]) -> None:
    gain = estimate_gain(samples["garde"], samples["prise"])
    assert model_error(samples["garde"]) - model_error(samples["prise"]) == pytest.approx(
        gain.model_error, rel=0.01
    )


def test_a_gain_is_near_the_difference_of_the_scores(samples: dict[Contract, Sample]) -> None:
    for first in CONTRACTS:
        one = samples[first]
        assert 0 == estimate_gain(one, one, 1.0).mean == estimate_gain(one, one, 1.0).model_error
        for second in CONTRACTS:
            two = samples[second]
            gain, back = estimate_gain(one, two), estimate_gain(two, one)
            assert gain.mean == pytest.approx(-back.mean)
            assert gain.se == pytest.approx(back.se)
            difference = estimate_score(one).mean - estimate_score(two).mean
            assert abs(gain.mean - difference) <= gain.se


@pytest.mark.parametrize("correlation", [0.0, 0.5, 0.8, 1.0])
@pytest.mark.parametrize("proved", [0, 1])
def test_proofs_of_one_of_two_never_move_the_gain_the_wrong_way(
    samples: dict[Contract, Sample], correlation: float, proved: int
) -> None:
    """What the errors have in common may be less after proofs than before."""
    one, two = samples["garde"], samples["garde_sans"]
    before = estimate_gain(one, two, correlation)
    one, two = (
        replace(
            sample,
            exact=np.rint(sample.p_make[:20]) if place == proved else sample.p_make[:20],
            proved=np.full(20, place == proved),
        )
        for place, sample in enumerate((one, two))
    )
    gain = estimate_gain(one, two, correlation)
    moved = float((one.exact_scores - one.scores[:20] - two.exact_scores + two.scores[:20]).mean())
    assert moved != 0
    assert 0 <= (gain.mean - before.mean) / moved <= 1
    assert 0 <= gain.model_error <= before.model_error


def test_scores_by_the_multiplier(samples: dict[Contract, Sample]) -> None:
    sample = samples["garde"]
    assert 3 * estimate_score(sample, np.full(50, 3.0)).mean == pytest.approx(
        estimate_score(sample).mean
    )


def test_what_is_certain_has_no_model_error(samples: dict[Contract, Sample]) -> None:
    made = replace(samples["garde"], p_make=np.ones(50))
    assert estimate_p_make(made).model_error == 0
    # By how much it is made is still open, unless every trick is won for sure.
    assert estimate_score(made).model_error > 0.1
    swept = replace(made, ends=ends_of([0] * 50, [1] * 50, [100] * 50))
    assert estimate_score(swept).model_error == 0
    assert estimate_p_make(samples["garde"]).model_error > 0.01
