"""What is answered: figures that are those of the worlds behind them, and how they are told."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from math import hypot, isfinite, sqrt

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import brentq

from tarot_sim.cards import Hand
from tarot_sim.estimation.answers import QUANTILES, ContractChances
from tarot_sim.estimation.calibration import calibration
from tarot_sim.estimation.chunks import FORECASTS
from tarot_sim.estimation.figures import estimate_p_make, estimate_score
from tarot_sim.estimation.intervals import interval
from tarot_sim.estimation.sample import Sample
from tarot_sim.rules import CONTRACTS, TARGETS
from tarot_sim.rules.chavey import chavey_count
from tests.some_chances import FAIR, MONSTERS, RUBBISH, answer, half_width

#: Long trumps without a bout or a Roi: a poignée, and contracts that fail.
LONG_TRUMPS = "A:15,14,12,10,9,6,5,4,3,2 P:10,9 C:8,7 K:9,8 T:8,7"
PLAYERS = pytest.mark.parametrize("players", [3, 4, 5])
HANDS = pytest.mark.parametrize(
    "hands", [MONSTERS, FAIR, RUBBISH], ids=["monster", "fair", "rubbish"]
)


def whole_error(row: ContractChances) -> float:
    """Return the standard error behind the interval: the one whose interval ends there."""

    def excess(error: float) -> float:
        return row.ci95[0] - interval(row.p_make, error)[0]

    return float(brentq(excess, 1e-9, 1.0, xtol=1e-12))


# --- what an answer holds -------------------------------------------------------------


@PLAYERS
@HANDS
def test_figures_are_possible(players: int, hands: dict[int, str]) -> None:
    result = answer(hands[players], players)
    assert result.hand == Hand(hands[players])
    assert (result.players, result.worlds, result.method) == (players, 50, "fast")
    assert tuple(result.contracts) == CONTRACTS
    for contract, row in result.contracts.items():
        assert 0 <= row.p_make <= 1
        low, high = row.ci95
        assert 0 <= low <= row.p_make <= high <= 1
        assert 0 < high - low < 0.7
        assert 0 < row.se < 0.08
        assert isfinite(row.mean_score)
        assert 0 < row.se_score < 100
        assert 0 <= row.mean_points <= 91
        partner = row.mean_partner
        if partner is None:
            assert players < 5 or result.called in result.hand
            assert row.mean_score == pytest.approx(-(players - 1) * row.mean_defender)
        else:  # two against three, or in some worlds the taker against all
            assert players == 5
            paired = float(result.trials[contract].has_partner.mean())
            others = 4 * row.mean_defender + 2 * paired * partner
            assert row.mean_score == pytest.approx(-others)
        assert len(row.score_quantiles) == len(QUANTILES)
        assert list(row.score_quantiles) == sorted(row.score_quantiles)
        assert 0 <= row.p_loss <= 1
        assert -1 <= row.petit_au_bout <= 1
        assert -1 <= row.chelem <= 1
        assert row.poignee >= 0
        assert row.proved == 0
    prise, garde = result.contracts["prise"], result.contracts["garde"]
    assert (prise.p_make, prise.mean_points) == (garde.p_make, garde.mean_points)
    assert result.forecasts == FORECASTS
    assert result.seconds > 0
    assert (result.called is None) == (players != 5)
    assert (result.pass_score, result.auction, result.dealer) == (None, None, None)


@PLAYERS
@HANDS
def test_advice_is_the_best_score(players: int, hands: dict[int, str]) -> None:
    result = answer(hands[players], players)
    scores = {contract: row.mean_score for contract, row in result.contracts.items()}
    best = max(scores.values())
    if result.advice == "pass":
        assert best <= 0
    else:
        assert scores[result.advice] == best > 0
    decision = result.decision
    assert result.advice == decision.best
    ranked = sorted([0.0, *scores.values()], reverse=True)
    worth = {"pass": 0.0} | scores
    assert ranked[:2] == [worth[decision.best], worth[decision.second]]
    assert ranked[0] - ranked[1] == pytest.approx(decision.gain)


@PLAYERS
@HANDS
def test_the_gain_is_measured_on_the_same_worlds(players: int, hands: dict[int, str]) -> None:
    result = answer(hands[players], players)
    best, second, se = result.decision.best, result.decision.second, result.decision.se
    if best == "pass" or second == "pass":
        # A pass brings 0 for sure, so that only the other's error counts.
        other = second if best == "pass" else best
        assert other != "pass"
        assert result.contracts[other].se_score == pytest.approx(se)
        return
    one, two = (result.trials[contract].scores for contract in (best, second))
    paired = (one - two).std(ddof=1) / sqrt(len(one))
    assert 0 < se < 1.25 * paired
    alone = sqrt(result.contracts[best].se_score ** 2 + result.contracts[second].se_score ** 2)
    assert se < alone


@PLAYERS
def test_the_gain_after_exact_searches(players: int) -> None:
    """Exact searches move the gain and add their luck to it, where they prove something."""
    fast, exact = (answer(FAIR[players], players, method=name) for name in ("cascade", "exact"))
    best, second = exact.decision.best, exact.decision.second
    assert best != "pass"
    assert second != "pass"
    one, two = exact.trials[best], exact.trials[second]
    m = len(one.exact)
    before = fast.contracts[best].mean_score - fast.contracts[second].mean_score
    shift = (one.exact_scores - one.scores[:m] - two.exact_scores + two.scores[:m]).mean()
    assert abs(exact.decision.gain - before) <= abs(shift) + 1e-9
    worth = {name: row.mean_score for name, row in exact.contracts.items()}
    assert worth[best] - worth[second] == pytest.approx(exact.decision.gain)
    assert exact.decision.se >= fast.decision.se * (best == fast.decision.best)
    for contract, row in exact.contracts.items():
        partner = 0.0 if row.mean_partner is None else row.mean_partner
        paired = float(exact.trials[contract].has_partner.mean())
        others = (players - 1) * row.mean_defender + 2 * paired * partner
        assert row.mean_score == pytest.approx(-others)


def test_dictionary() -> None:
    result = answer(FAIR[4])
    record = result.to_dict()
    # The keys that are fixed, then those that were added.
    fixed = ["hand", "players", "method", "worlds", "contracts", "advice", "seconds"]
    assert set(fixed) <= set(record)
    assert set(record) - set(fixed) >= {
        "model", "forecasts", "pass", "decision", "reasons",
        "called", "dealer", "auction", "stopped", "seed",
    }  # fmt: skip
    assert list(record["contracts"]) == list(CONTRACTS)
    for contract, row in record["contracts"].items():
        assert {"p_make", "ci95", "mean_score", "mean_points", "se_score"} <= set(row)
        expected = asdict(result.contracts[contract])
        assert row == expected | {key: list(expected[key]) for key in ("ci95", "score_quantiles")}
    assert (record["hand"], record["players"]) == (FAIR[4], 4)
    assert record["model"] == "double_dummy"
    assert (record["advice"], record["called"], record["seed"]) == (result.advice, None, 0)
    assert (record["pass"], record["auction"], record["dealer"]) == (None, None, None)
    assert record["decision"] == asdict(result.decision)
    assert record["reasons"] == result.reasons.to_dict()
    assert (record["forecasts"], record["stopped"]) == (FORECASTS, "worlds")
    assert json.loads(json.dumps(record, allow_nan=False)) == record
    five = answer(FAIR[5], 5).to_dict()
    assert five["called"] == str(answer(FAIR[5], 5).called)
    assert json.loads(json.dumps(five)) == five


def test_the_reasons_are_those_of_the_hand() -> None:
    for hand in (MONSTERS[4], FAIR[4], RUBBISH[4]):
        reasons = answer(hand).reasons
        assert chavey_count(Hand(hand)) == reasons.chavey
        assert len(Hand(hand) & Hand("A:1,21,EX")) == reasons.bouts
    assert (12, 8, 2) == tuple(
        answer(hand).reasons.trumps for hand in (MONSTERS[4], FAIR[4], RUBBISH[4])
    )
    garde = answer(FAIR[4]).contracts["garde"].p_make
    splits = answer(FAIR[4]).reasons.splits
    assert splits
    for split in splits:
        whole = split.share * split.p_make + (1 - split.share) * split.p_otherwise
        assert garde == pytest.approx(whole, abs=1e-6)


# --- how far off ---------------------------------------------------------------------


def test_the_interval_holds_the_model_error() -> None:
    """The standard error is the sampling's alone; the rest more worlds do not cure."""
    few, many = answer(FAIR[4]), answer(FAIR[4], worlds=200)
    for contract in CONTRACTS:
        floors = []
        for result in (few, many):
            row, p_make = result.contracts[contract], result.trials[contract].p_make
            floors.append(sqrt(whole_error(row) ** 2 - row.se**2))
            # A shift of all logits moves every world by p(1 − p) of it.
            shift = calibration().logit_shift(4, contract)
            assert floors[-1] == pytest.approx(shift * (p_make * (1 - p_make)).mean())
            assert half_width(row) < (row.ci95[1] - row.ci95[0]) / 2
        assert floors[1] > floors[0] / 2  # with four times the worlds


@PLAYERS
def test_a_score_is_off_by_what_its_chance_is_off_by(players: int) -> None:
    """Made and failed differ by the stake, so a chance that is off moves the score by so much."""
    result = answer(FAIR[players], players)
    left = {}
    for contract, row in result.contracts.items():
        sample = result.trials[contract]
        shift = calibration().logit_shift(players, contract)
        chance = shift * (sample.p_make * (1 - sample.p_make)).mean()
        by_chance = chance * sample.stakes(len(sample.p_make)).mean()
        left[contract] = estimate_score(sample).model_error
        # Margins, sweeps and the Petit au bout are off besides.
        assert left[contract] > by_chance > 0
        assert row.error_score == pytest.approx(hypot(row.se_score, left[contract]))
    best, second = result.decision.best, result.decision.second
    assert best != "pass"
    if second == "pass":
        own = left[best]
    elif {best, second} == {"prise", "garde"}:  # the same deals: what is wrong is so for both
        own = abs(left[best] - left[second])
    else:
        own = hypot(left[best], left[second])
    assert result.decision.error == pytest.approx(hypot(result.decision.se, own), rel=0.02)


# --- the same figures, worked out from the samples -------------------------------------


def slow_regression(figures: NDArray[np.float64], sample: Sample) -> float:
    """Return what the line of least squares through the judged worlds says of all."""
    many = sample.controls[:, sample.controls.std(axis=0) > 1e-6]
    few = np.column_stack([np.ones(len(figures)), many[: len(figures)]])
    line = np.linalg.lstsq(few, figures, rcond=None)[0]
    return float(line[0] + many.mean(axis=0) @ line[1:])


@PLAYERS
@HANDS
def test_samples_lead_to_the_figures(players: int, hands: dict[int, str]) -> None:
    result = answer(hands[players], players, worlds=150)
    for contract, row in result.contracts.items():
        sample = result.trials[contract]
        assert (contract, players) == (sample.contract, sample.players)
        assert sample.p_make.shape == sample.scores.shape == sample.points.shape == (150,)
        assert sample.controls.shape == (3 * FORECASTS, 6)
        for figures, found, se in (
            (sample.p_make, row.p_make, row.se),
            (sample.scores, row.mean_score, row.se_score),
            (sample.points, row.mean_points, None),
        ):
            plain = float(figures.std(ddof=1)) / sqrt(150)
            mean = float(figures.mean())
            if se is None:  # card points lie between 0 and 91
                mean = min(91.0, max(0.0, mean))
            assert abs(mean - found) <= 4 * plain + 1e-9
            if hands is FAIR and row.p_make < 0.98:
                # A ridge is the difference; where a column hardly changes it counts for more.
                assert slow_regression(figures, sample) == pytest.approx(found, abs=0.5 * plain)
            if se is not None:
                # Where no world has decided, those that might count.
                assert 0 < se < 1.5 * plain + 2e-3
        assert sample.petit_au_bout.mean() == pytest.approx(row.petit_au_bout)
        attack, defence = sample.chelems.mean(axis=0)
        assert (attack, defence) == pytest.approx((row.p_chelem, row.p_chelem_defence))
        assert attack - defence == pytest.approx(row.chelem)
        assert sample.announcing.mean() == pytest.approx(row.announce_gain)
        assert row.announce_chelem is (row.announce_gain > 0)
        assert not sample.exact.size
        assert not sample.proved.size


@PLAYERS
def test_points_are_above_the_need_of_the_bouts(players: int) -> None:
    for sample in answer(FAIR[players], players).trials.values():
        rows = ~sample.chelems.any(axis=1)
        need = np.array([TARGETS[bouts] for bouts in sample.bouts])
        margins = 2 * (sample.points - need)
        assert margins[rows].tolist() == pytest.approx(sample.margins[rows].tolist())


@PLAYERS
@HANDS
def test_the_spread_of_the_scores(players: int, hands: dict[int, str]) -> None:
    result = answer(hands[players], players, worlds=150)
    for contract, row in result.contracts.items():
        sample = result.trials[contract]
        scores, weights = sample.score_spread()
        assert scores.shape == weights.shape == (150, 18)
        assert weights.min() >= 0
        assert weights.sum(axis=1) == pytest.approx(np.ones(150))
        # Margins are rounded to half points and then, away from zero, to points; next to a
        # sweep each of them is cut off there, not only their mean.
        means = (scores * weights).sum(axis=1)
        worth = (
            sample.multipliers
            * {"prise": 1, "garde": 2, "garde_sans": 4, "garde_contre": 6}[contract]
        )
        assert (abs(means - sample.scores) <= 1.5 * worth).all()
        pairs = sorted(zip(scores.ravel().tolist(), weights.ravel().tolist(), strict=True))
        assert sum(weight for score, weight in pairs if score < 0) / 150 == pytest.approx(
            row.p_loss
        )
        for level, value in zip(QUANTILES, row.score_quantiles, strict=True):
            below = sum(weight for score, weight in pairs if score < value) / 150
            upto = sum(weight for score, weight in pairs if score <= value) / 150
            assert below < level + 1e-9
            assert upto > level - 1e-9


@PLAYERS
def test_made_and_lost_points_are_as_likely_as_the_contract(players: int) -> None:
    for sample in answer(FAIR[players], players).trials.values():
        values, weights = sample.points_spread()
        assert ((values >= 0) * weights).sum(axis=1) == pytest.approx(sample.p_make)
        assert (values * 2 == np.rint(values * 2)).all()


def test_a_poignee_is_shown_where_it_pays() -> None:
    """Whoever wins the deal gets it, so that a weak hand keeps it for itself."""
    long_trumps = answer(LONG_TRUMPS)
    for contract in CONTRACTS:
        sample = long_trumps.trials[contract]
        assert (sample.bonus >= 20).all()
        assert sample.p_make.mean() < 0.3
        assert not sample.shows_poignee
        assert long_trumps.contracts[contract].poignee == 0
        # Shown it would cost what it brings the defence.
        shown = sample.multipliers * sample.bonus * (2 * sample.p_make - 1)
        assert shown.mean() < -10
        assert replace(sample, bonus=0 * sample.bonus).scores == pytest.approx(sample.scores)
    monster = answer(MONSTERS[4])
    for contract in CONTRACTS:
        sample = monster.trials[contract]
        assert sample.shows_poignee
        gained = sample.scores - replace(sample, bonus=0 * sample.bonus).scores
        assert gained.mean() == pytest.approx(monster.contracts[contract].poignee)
        assert 40 < gained.mean() <= 3 * 40
    # Eight trumps are none, unless the dog brings two more.
    fair = answer(FAIR[4])
    assert 0 < (fair.trials["garde"].bonus > 0).mean() < 1
    assert not fair.trials["garde_sans"].bonus.any()
    assert fair.contracts["garde_sans"].poignee == 0


# --- exact searches -------------------------------------------------------------------


def believed(sample: Sample) -> float:
    """Return how much of the difference that the proofs show is believed.

    Of all shares the one that leaves the least error in all: what the proofs leave of the
    model error, and their luck.
    """
    shift = calibration().logit_shift(sample.players, sample.contract)
    judged, exact = (shift * (p * (1 - p)).mean() for p in (sample.p_make, sample.exact))
    p_make = sample.p_make[: len(sample.exact)]
    luck = max((sample.exact - p_make).var(ddof=1), (p_make * (1 - p_make)).mean())
    shares = np.linspace(0, 1, 200_001)
    left = (1 - shares) * judged + shares * min(judged, exact)
    return float(shares[(left**2 + shares**2 * luck / len(p_make)).argmin()])


def test_exact_searches_correct_the_chance() -> None:
    exact, cascade = (answer(FAIR[4], method=method) for method in ("exact", "cascade"))
    assert exact.method == "exact"
    for contract, row in exact.contracts.items():
        sample = exact.trials[contract]
        # The rest of the work is the same.
        assert np.array_equal(sample.p_make, cascade.trials[contract].p_make)
        assert np.array_equal(sample.scores, cascade.trials[contract].scores)
        m, before = len(sample.exact), cascade.contracts[contract]
        moved = before.p_make + believed(sample) * float((sample.exact - sample.p_make[:m]).mean())
        assert min(1.0, max(0.0, moved)) == pytest.approx(row.p_make, abs=1e-5)
        assert estimate_p_make(sample).mean == pytest.approx(moved, abs=1e-5)
        # Even few proofs do not make the interval wider (but by where its middle lies).
        assert row.ci95[1] - row.ci95[0] < 1.05 * (before.ci95[1] - before.ci95[0])
        assert abs(row.mean_score - before.mean_score) <= abs(
            float((sample.exact_scores - sample.scores[:m]).mean())
        )
        assert -row.mean_score / 3 == pytest.approx(row.mean_defender)
        assert row.se_score > before.se_score
        # Made beats failed by at least 50 points a defender, times three, times the coefficient.
        factor = {"prise": 1, "garde": 2, "garde_sans": 4, "garde_contre": 6}[contract]
        assert (sample.stakes(m) > 3 * factor * 50).all()
        assert float((sample.exact_scores - sample.scores[:m]).mean()) == pytest.approx(
            float((sample.stakes(m) * (sample.exact - sample.p_make[:m])).mean()),
            rel=1e-6,
            abs=1e-6,
        )
    assert any(
        exact.contracts[contract].p_make != cascade.contracts[contract].p_make
        for contract in CONTRACTS
    )
