"""What a trial says of itself and beside another."""

from __future__ import annotations

from dataclasses import replace
from math import hypot, sqrt

import numpy as np
import pytest

from tarot_sim.cards import Hand
from tarot_sim.estimation.chunks import Plan, Trial, run_chunk
from tarot_sim.estimation.figures import estimate_gain, estimate_makes, estimate_score
from tarot_sim.rules import CONTRACTS, Contract, Rules

PLAN = Plan(Hand("A:21,19,15,12,9,6,3,EX P:R,D,7 C:R,10,5 K:9,4 T:V,8"), Rules(), 0, "cascade")


@pytest.fixture(scope="module")
def trials() -> dict[Contract, Trial]:
    return run_chunk(PLAN, 0)[0]


def own(trial: Trial) -> float:
    """Return what the judge may be off by, as a score."""
    return estimate_score(trial).own


@pytest.mark.parametrize("correlation", [0.0, 0.5, 0.8, 1.0])
def test_errors_that_go_together_cancel(trials: dict[Contract, Trial], correlation: float) -> None:
    one, two = trials["garde"], trials["garde_sans"]
    gain = estimate_gain(one, two, correlation)
    expected = own(one) ** 2 + own(two) ** 2 - 2 * correlation * own(one) * own(two)
    assert sqrt(expected) == pytest.approx(gain.own)
    plain = estimate_gain(one, two)
    assert (plain.mean, plain.se) == (gain.mean, gain.se)
    assert hypot(own(one), own(two)) == pytest.approx(plain.own)


def test_of_prise_and_garde_the_deals_are_the_same(trials: dict[Contract, Trial]) -> None:
    gain = estimate_gain(trials["garde"], trials["prise"])
    assert own(trials["garde"]) - own(trials["prise"]) == pytest.approx(gain.own)


def test_a_gain_is_near_the_difference_of_the_scores(trials: dict[Contract, Trial]) -> None:
    for first in CONTRACTS:
        one = trials[first]
        assert 0 == estimate_gain(one, one, 1.0).mean == estimate_gain(one, one, 1.0).own
        for second in CONTRACTS:
            two = trials[second]
            gain, back = estimate_gain(one, two), estimate_gain(two, one)
            assert gain.mean == pytest.approx(-back.mean)
            assert gain.se == pytest.approx(back.se)
            difference = estimate_score(one).mean - estimate_score(two).mean
            assert abs(gain.mean - difference) <= gain.se


@pytest.mark.parametrize("correlation", [0.0, 0.5, 0.8, 1.0])
@pytest.mark.parametrize("proved", [0, 1])
def test_proofs_of_one_of_two_never_move_the_gain_the_wrong_way(
    trials: dict[Contract, Trial], correlation: float, proved: int
) -> None:
    """What the errors have in common may be less after proofs than before."""
    one, two = trials["garde"], trials["garde_sans"]
    before = estimate_gain(one, two, correlation)
    one, two = (
        replace(
            trial,
            exact=np.rint(trial.makes[:20]) if place == proved else trial.makes[:20],
            proved=np.full(20, place == proved),
        )
        for place, trial in enumerate((one, two))
    )
    gain = estimate_gain(one, two, correlation)
    moved = float((one.exact_scores - one.scores[:20] - two.exact_scores + two.scores[:20]).mean())
    assert moved != 0
    assert 0 <= (gain.mean - before.mean) / moved <= 1
    assert 0 <= gain.own <= before.own


def test_scores_by_the_number_of_shares(trials: dict[Contract, Trial]) -> None:
    trial = trials["garde"]
    assert 3 * estimate_score(trial, np.full(50, 3.0)).mean == pytest.approx(
        estimate_score(trial).mean
    )


def test_what_is_certain_has_no_error_of_its_own(trials: dict[Contract, Trial]) -> None:
    sure = replace(trials["garde"], makes=np.ones(50))
    assert 0 == estimate_makes(sure).own == estimate_score(sure).own
    assert estimate_makes(trials["garde"]).own > 0.01
