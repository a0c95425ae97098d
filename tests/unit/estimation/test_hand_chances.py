"""Chances of the contracts: what depends on what, and figures that make sense."""

from __future__ import annotations

import json
import sys
import time
from dataclasses import asdict, replace
from functools import cache
from math import hypot, isfinite, sqrt
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tarot_sim.cards import Card, Hand
from tarot_sim.errors import BidError, HandError, RulesError, TarotError
from tarot_sim.estimation.calibration import LOGIT_SHIFT
from tarot_sim.estimation.chunks import CHUNK, FORECASTS, Plan, Trial, draw_worlds, leaders
from tarot_sim.estimation.figures import estimate_makes
from tarot_sim.estimation.hand_chances import (
    DEFAULT_PRECISION,
    EXACT_SECONDS,
    FAST_PRECISION,
    QUANTILES,
    Chances,
    ContractChances,
    chances,
)
from tarot_sim.estimation.intervals import Z95, wilson
from tarot_sim.estimation.judge import METHODS, Judge
from tarot_sim.rules import CONTRACTS, TARGETS, Contract, Rules
from tarot_sim.rules.auction import callable_cards
from tarot_sim.rules.chavey import chavey_count
from tarot_sim.solver._solver import Objective, Solver
from tarot_sim.worlds._counts import chavey_counts
from tarot_sim.worlds.batch import Deals
from tarot_sim.worlds.bidding_model import read_auction, sample_worlds_given
from tarot_sim.worlds.contract_deals import contract_deals

#: Hands that make everything, that are worth a Garde, and that make nothing.
MONSTERS = {
    3: "A:21,20,19,18,17,16,15,14,13,12,11,10,1,EX P:R,D,C C:R,D K:R,D T:R,D,C",
    4: "A:21,20,19,18,17,16,15,14,13,12,1,EX P:R,D C:R K:R T:R,D",
    5: "A:21,20,19,18,17,16,15,14,13,1,EX P:R,D C:R K:R",
}
FAIR = {
    3: "A:21,18,15,13,11,9,6,4,2,EX P:R,D,8,4 C:R,10,5 K:D,9,4,2 T:R,7,3",
    4: "A:21,19,15,12,9,6,3,EX P:R,D,7 C:R,10,5 K:9,4 T:V,8",
    5: "A:21,18,14,11,7,4,EX P:R,D,6 C:10,5 K:9 T:V,8",
}
RUBBISH = {
    3: "A:5,3,2 P:10,9,8,7,6,5,1 C:8,7,6,4,3 K:9,8,6,5 T:V,8,7,6,1",
    4: "A:4,3 P:10,9,8,7,6 C:8,7,6,5,4 K:9,8,7 T:V,8,7",
    5: "A:4,3 P:10,9,8,7 C:8,7,6,4 K:9,8,7 T:V,8",
}
#: Long trumps without a bout or a Roi: a poignée, and contracts that fail.
LONG_TRUMPS = "A:15,14,12,10,9,6,5,4,3,2 P:10,9 C:8,7 K:9,8 T:8,7"
PLAYERS = pytest.mark.parametrize("players", [3, 4, 5])
HANDS = pytest.mark.parametrize(
    "hands", [MONSTERS, FAIR, RUBBISH], ids=["monster", "fair", "rubbish"]
)


@cache
def answer(hand: str, players: int = 4, **options: Any) -> Chances:
    """Return quick chances, once for each question."""
    defaults: dict[str, Any] = {"worlds": 50, "method": "fast", "n_jobs": 1}
    return chances(hand, players=players, **(defaults | options))


def probabilities(result: Chances) -> dict[Contract, float]:
    return {contract: row.p_make for contract, row in result.contracts.items()}


def half_width(row: ContractChances) -> float:
    """Return half of the 95 % interval that the sampling alone leaves."""
    spread = row.p_make * (1 - row.p_make)
    if row.se == 0 or spread == 0:
        return Z95 * row.se
    low, high = wilson(row.p_make, spread / row.se**2)
    return (high - low) / 2


def whole_error(row: ContractChances) -> float:
    """Return the standard error behind the interval, found from its lower end."""
    low = row.ci95[0]
    n = Z95**2 * low * (1 - low) / (row.p_make - low) ** 2
    return sqrt(row.p_make * (1 - row.p_make) / n)


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
    assert 0 < se < 1.15 * paired
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


# --- figures that make sense ----------------------------------------------------------


@PLAYERS
def test_a_monster_makes_everything(players: int) -> None:
    result = answer(MONSTERS[players], players)
    for contract, chance in probabilities(result).items():
        assert chance > (0.9 if contract in ("prise", "garde") else 0.7)
    assert result.advice in ("garde_sans", "garde_contre")
    points = [row.mean_points for row in result.contracts.values()]
    assert min(points) > 45


@PLAYERS
def test_rubbish_passes(players: int) -> None:
    result = answer(RUBBISH[players], players)
    assert max(probabilities(result).values()) < 0.2
    assert result.advice == "pass"
    assert max(row.mean_score for row in result.contracts.values()) < 0


@PLAYERS
def test_better_hands_are_worth_more(players: int) -> None:
    results = [answer(hands[players], players) for hands in (RUBBISH, FAIR, MONSTERS)]
    for contract in CONTRACTS:
        chances_of = [result.contracts[contract].p_make for result in results]
        assert chances_of == sorted(chances_of)
        scores = [result.contracts[contract].mean_score for result in results]
        assert scores == sorted(scores)


@PLAYERS
@pytest.mark.parametrize("hands", [FAIR, RUBBISH], ids=["fair", "rubbish"])
def test_the_dog_helps(players: int, hands: dict[int, str]) -> None:
    """Garde ≥ Garde sans ≥ Garde contre: the worlds are the same, the attack has less."""
    prise, garde, sans, contre = probabilities(answer(hands[players], players)).values()
    assert prise == garde
    assert garde >= sans - 0.05
    assert sans >= contre - 0.05
    rows = answer(hands[players], players).contracts
    assert rows["garde_sans"].mean_points > rows["garde_contre"].mean_points


def test_dearer_contracts_have_larger_scores() -> None:
    rows = answer(RUBBISH[4]).contracts
    assert rows["garde"].mean_score == pytest.approx(2 * rows["prise"].mean_score, rel=0.5)
    assert rows["garde_contre"].mean_score < rows["garde_sans"].mean_score < 2 * -60


def test_more_worlds_narrow_the_interval() -> None:
    few, many = answer(FAIR[4]), answer(FAIR[4], worlds=200)
    for contract in CONTRACTS:
        if contract in ("prise", "garde"):  # without the dog the judge's error is most of it
            spans = [high - low for low, high in (r.contracts[contract].ci95 for r in (few, many))]
            assert spans[1] < spans[0]
        assert many.contracts[contract].se < 0.7 * few.contracts[contract].se
        assert many.contracts[contract].se_score < 0.7 * few.contracts[contract].se_score


def test_the_interval_holds_what_the_judgement_is_off_by() -> None:
    """The standard error is the sampling's alone; the rest more worlds do not cure."""
    few, many = answer(FAIR[4]), answer(FAIR[4], worlds=200)
    for contract in CONTRACTS:
        floors = []
        for result in (few, many):
            row, makes = result.contracts[contract], result.trials[contract].makes
            floors.append(sqrt(whole_error(row) ** 2 - row.se**2))
            # A shift of all logits moves every world by p(1 − p) of it.
            shift = LOGIT_SHIFT[4][contract in ("garde_sans", "garde_contre")]
            assert floors[-1] == pytest.approx(shift * (makes * (1 - makes)).mean())
            assert half_width(row) < (row.ci95[1] - row.ci95[0]) / 2
        assert floors[1] > floors[0] / 2  # with four times the worlds


@PLAYERS
def test_a_score_is_off_by_what_its_chance_is_off_by(players: int) -> None:
    """Made and failed differ by the stake, so a chance that is off moves the score by so much."""
    result = answer(FAIR[players], players)
    left = {}
    for contract, row in result.contracts.items():
        trial = result.trials[contract]
        shift = LOGIT_SHIFT[players][contract in ("garde_sans", "garde_contre")]
        chance = shift * (trial.makes * (1 - trial.makes)).mean()
        left[contract] = chance * trial.stakes(len(trial.makes)).mean()
        assert row.error_score == pytest.approx(hypot(row.se_score, left[contract]))
        assert row.error_score > row.se_score
    best, second = result.decision.best, result.decision.second
    assert best != "pass"
    if second == "pass":
        own = left[best]
    elif {best, second} == {"prise", "garde"}:  # the same deals: what is wrong is so for both
        own = abs(left[best] - left[second])
    else:
        own = hypot(left[best], left[second])
    assert result.decision.error == pytest.approx(hypot(result.decision.se, own))


def test_methods_agree() -> None:
    """As far as they say that they are off."""
    fast, cascade = answer(FAIR[4], worlds=100), answer(FAIR[4], worlds=100, method="cascade")
    assert cascade.method == "cascade"
    for contract in CONTRACTS:
        one, two = fast.contracts[contract], cascade.contracts[contract]
        error = sqrt(whole_error(one) ** 2 + whole_error(two) ** 2)
        assert abs(one.p_make - two.p_make) < 3 * error
        assert abs(one.p_make - two.p_make) < 0.2


# --- the same figures, worked out from the trials -------------------------------------


def slow_regression(figures: NDArray[np.float64], trial: Trial) -> float:
    """Return what the line of least squares through the judged worlds says of all."""
    many = trial.forecasts[:, trial.forecasts.std(axis=0) > 1e-6]
    few = np.column_stack([np.ones(len(figures)), many[: len(figures)]])
    line = np.linalg.lstsq(few, figures, rcond=None)[0]
    return float(line[0] + many.mean(axis=0) @ line[1:])


@PLAYERS
@HANDS
def test_trials_lead_to_the_figures(players: int, hands: dict[int, str]) -> None:
    result = answer(hands[players], players, worlds=150)
    for contract, row in result.contracts.items():
        trial = result.trials[contract]
        assert (contract, players) == (trial.contract, trial.players)
        assert trial.makes.shape == trial.scores.shape == trial.points.shape == (150,)
        assert trial.forecasts.shape == (3 * FORECASTS, 6)
        for figures, found, se in (
            (trial.makes, row.p_make, row.se),
            (trial.scores, row.mean_score, row.se_score),
            (trial.points, row.mean_points, None),
        ):
            plain = float(figures.std(ddof=1)) / sqrt(150)
            mean = float(figures.mean())
            if se is None:  # card points lie between 0 and 91
                mean = min(91.0, max(0.0, mean))
            assert abs(mean - found) <= 4 * plain + 1e-9
            if hands is FAIR and row.p_make < 0.98:
                # A ridge is the difference; where a column hardly changes it counts for more.
                assert slow_regression(figures, trial) == pytest.approx(found, abs=0.5 * plain)
            if se is not None:
                assert 0 < se < 1.5 * plain + 1e-4
        assert trial.petit_au_bout.mean() == pytest.approx(row.petit_au_bout)
        assert trial.chelem.mean() == pytest.approx(row.chelem)
        assert not trial.exact.size
        assert not trial.proved.size


@PLAYERS
def test_points_are_above_the_need_of_the_bouts(players: int) -> None:
    for trial in answer(FAIR[players], players).trials.values():
        need = np.array([TARGETS[bouts] for bouts in trial.bouts])
        assert (2 * (trial.points - need)).tolist() == pytest.approx(trial.margins.tolist())


@PLAYERS
@HANDS
def test_the_spread_of_the_scores(players: int, hands: dict[int, str]) -> None:
    result = answer(hands[players], players, worlds=150)
    for contract, row in result.contracts.items():
        trial = result.trials[contract]
        scores, weights = trial.score_spread()
        assert scores.shape == weights.shape == (150, 8)
        assert weights.min() >= 0
        assert weights.sum(axis=1) == pytest.approx(np.ones(150))
        # Margins are rounded to half points and then, away from zero, to points.
        means = (scores * weights).sum(axis=1)
        worth = (
            trial.shares * {"prise": 1, "garde": 2, "garde_sans": 4, "garde_contre": 6}[contract]
        )
        assert (abs(means - trial.scores) <= 1.01 * worth).all()
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
    for trial in answer(FAIR[players], players).trials.values():
        values, weights = trial.points_spread()
        assert ((values >= 0) * weights).sum(axis=1) == pytest.approx(trial.makes)
        assert (values * 2 == np.rint(values * 2)).all()


def test_a_poignee_is_shown_where_it_pays() -> None:
    """Whoever wins the deal gets it, so that a weak hand keeps it for itself."""
    long_trumps = answer(LONG_TRUMPS)
    for contract in CONTRACTS:
        trial = long_trumps.trials[contract]
        assert (trial.bonus >= 20).all()
        assert trial.makes.mean() < 0.3
        assert not trial.shows_poignee
        assert long_trumps.contracts[contract].poignee == 0
        # Shown it would cost what it brings the defence.
        shown = trial.shares * trial.bonus * (2 * trial.makes - 1)
        assert shown.mean() < -10
        assert replace(trial, bonus=0 * trial.bonus).scores == pytest.approx(trial.scores)
    monster = answer(MONSTERS[4])
    for contract in CONTRACTS:
        trial = monster.trials[contract]
        assert trial.shows_poignee
        gained = trial.scores - replace(trial, bonus=0 * trial.bonus).scores
        assert gained.mean() == pytest.approx(monster.contracts[contract].poignee)
        assert 40 < gained.mean() <= 3 * 40
    # Eight trumps are none, unless the dog brings two more.
    fair = answer(FAIR[4])
    assert 0 < (fair.trials["garde"].bonus > 0).mean() < 1
    assert not fair.trials["garde_sans"].bonus.any()
    assert fair.contracts["garde_sans"].poignee == 0


# --- exact searches -------------------------------------------------------------------

EXACT_HANDS = {3: FAIR[3], 4: FAIR[4], 5: FAIR[5]}
MARGIN = Objective([2 * target for target in TARGETS])


@PLAYERS
def test_proved_worlds_are_what_the_solver_says(players: int) -> None:
    hand, number = FAIR[players], METHODS["exact"].exact_worlds
    called = Card.parse("TR") if players == 5 else None
    result = answer(hand, players, method="exact", called=called)
    rules = Rules(players=players)
    plan = Plan(Hand(hand), rules, 0, "exact", called=called)
    worlds = draw_worlds(plan, FORECASTS, 0, 0)
    first = leaders(plan, 0, FORECASTS)
    solver, forecasts = Solver(), Judge("fast")
    settled = 0
    for contract in CONTRACTS[1:]:
        trial, row = result.trials[contract], result.contracts[contract]
        deals = contract_deals(worlds, rules, contract, first, called=called)
        # These are the worlds of the answer.
        assert forecasts.forecast(deals).makes == pytest.approx(trial.forecasts[:, 0])
        assert trial.exact.shape == trial.proved.shape == (number,)
        assert trial.proved.mean() == pytest.approx(row.proved)
        assert (trial.makes > 0).all()
        assert (trial.makes < 1).all()
        for place in range(number):
            if not trial.proved[place]:
                assert trial.makes[place] == trial.exact[place]
                continue
            makes, _ = solver.at_least(deals.position(place), MARGIN, 0)
            assert makes is not None
            assert makes == (trial.exact[place] == 1)
            assert trial.exact[place] in (0, 1)
            settled += 1
    assert settled >= 3


def share(trial: Trial) -> float:
    """Return how much of the difference that the proofs show is believed.

    As the error of the judge that proofs would cure weighs against the luck of the worlds.
    """
    m = len(trial.exact)
    makes = trial.makes[:m]
    shift = LOGIT_SHIFT[trial.players][trial.contract in ("garde_sans", "garde_contre")]
    judged, exact = (
        shift * (chances * (1 - chances)).mean() for chances in (trial.makes, trial.exact)
    )
    cured = judged - min(judged, exact)
    differences = trial.exact - makes
    luck = max(differences.var(ddof=1), (makes * (1 - makes)).mean()) / m
    return float(min(1.0, judged * cured / (cured**2 + luck)))


def test_exact_searches_correct_the_chance() -> None:
    exact, cascade = (answer(FAIR[4], method=method) for method in ("exact", "cascade"))
    assert exact.method == "exact"
    for contract, row in exact.contracts.items():
        trial = exact.trials[contract]
        # The rest of the work is the same.
        assert np.array_equal(trial.makes, cascade.trials[contract].makes)
        assert np.array_equal(trial.scores, cascade.trials[contract].scores)
        m, before = len(trial.exact), cascade.contracts[contract]
        moved = before.p_make + share(trial) * float((trial.exact - trial.makes[:m]).mean())
        assert min(1.0, max(0.0, moved)) == pytest.approx(row.p_make)
        assert estimate_makes(trial).mean == pytest.approx(moved)
        # Even few proofs do not make the interval wider (but by where its middle lies).
        assert row.ci95[1] - row.ci95[0] < 1.05 * (before.ci95[1] - before.ci95[0])
        assert abs(row.mean_score - before.mean_score) <= abs(
            float((trial.exact_scores - trial.scores[:m]).mean())
        )
        assert -row.mean_score / 3 == pytest.approx(row.mean_defender)
        assert row.se_score > before.se_score
        # Made beats failed by at least 50 points a defender, times three, times the coefficient.
        factor = {"prise": 1, "garde": 2, "garde_sans": 4, "garde_contre": 6}[contract]
        assert (trial.stakes(m) > 3 * factor * 50).all()
        assert float((trial.exact_scores - trial.scores[:m]).mean()) == pytest.approx(
            float((trial.stakes(m) * (trial.exact - trial.makes[:m])).mean()), rel=1e-6, abs=1e-6
        )
    assert any(
        exact.contracts[contract].p_make != cascade.contracts[contract].p_make
        for contract in CONTRACTS
    )


@pytest.mark.parametrize("answers", [0.0, 1.0])
def test_ten_proofs_that_agree_leave_a_doubt(answers: float) -> None:
    """Ten deals that all are made may well come from a chance of nine in ten."""
    trial = answer(FAIR[4]).trials["garde" if answers else "garde_contre"]
    before = estimate_makes(trial)
    assert 0.02 < before.mean < 0.98
    proofs = replace(trial, exact=np.full(10, answers), proved=np.full(10, True))
    found = estimate_makes(proofs)
    assert found.se > 0.005
    assert abs(before.mean - found.mean) < 4 * sqrt(before.se**2 + found.se**2)


def test_exact_answers_do_not_depend_on_the_jobs() -> None:
    expected = answer(MONSTERS[4], worlds=100, method="exact")
    for n_jobs in (2, -1):
        assert expected == answer(MONSTERS[4], worlds=100, method="exact", n_jobs=n_jobs)
    for trial in expected.trials.values():
        assert trial.exact.tolist() == [1.0] * 20


Asked = list[tuple[Contract, NDArray[np.uint8], NDArray[np.uint8]]]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Asked:
    """Return a list that fills with contract, worlds and leaders of the deals judged."""
    calls: Asked = []

    def spy(
        worlds: NDArray[np.uint8],
        rules: Rules,
        contract: Contract,
        leaders: NDArray[np.uint8],
        **more: Any,
    ) -> Deals:
        calls.append((contract, worlds, leaders))
        return contract_deals(worlds, rules, contract, leaders, **more)

    monkeypatch.setattr(sys.modules["tarot_sim.estimation.chunks"], "contract_deals", spy)
    return calls


# --- what was bid ---------------------------------------------------------------------

BIDS_BEFORE = ("pass", "prise")


def test_an_auction_changes_the_worlds(asked: Asked) -> None:
    """Who has bid holds more than others do."""
    options: dict[str, Any] = {"worlds": 50, "method": "fast", "n_jobs": 1}
    result = chances(FAIR[4], auction=BIDS_BEFORE, **options)
    assert (result.auction, result.dealer) == (BIDS_BEFORE, 1)
    with_bids = next(worlds for contract, worlds, _ in asked if contract == "garde")
    asked.clear()
    without = chances(FAIR[4], dealer=1, **options)
    plain = next(worlds for contract, worlds, _ in asked if contract == "garde")
    counts, before = (chavey_counts(worlds, 4)[:, :, 0] for worlds in (with_bids, plain))
    assert counts[:, 3].mean() > before[:, 3].mean() + 5  # seat 3 has said prise
    assert counts[:, 2].mean() < before[:, 2].mean()  # seat 2 has passed
    assert (counts[:, 0] == before[:, 0]).all()  # the own hand
    assert result.contracts != without.contracts
    assert result.contracts["garde_sans"].p_make < without.contracts["garde_sans"].p_make


def test_the_bids_say_who_deals(asked: Asked) -> None:
    """Without a dealer the player speaks next; with the same dealer nothing changes."""
    for bids, dealer in (((), 3), (("pass",), 2), (("pass",) * 2, 1), (("pass",) * 3, 0)):
        asked.clear()
        found = answer(FAIR[4], auction=bids)
        assert (found.dealer, found.auction) == (dealer, bids)
        assert found == answer(FAIR[4], auction=bids, dealer=dealer)
        for contract, _, first in asked:
            if contract == "garde":
                assert (first == (dealer + 1) % 4).all()
    # No bid yet tells nothing: the same as to know the dealer alone.
    assert answer(FAIR[4], auction=()).contracts == answer(FAIR[4], dealer=3).contracts


def test_bids_in_any_form() -> None:
    expected = answer(RUBBISH[4], auction=("pass", "garde_sans"))
    assert ("pass", "garde_sans") == expected.auction
    for bids in ((" Passe", "GARDE SANS"), ("p", "garde-sans ")):
        assert expected == answer(RUBBISH[4], auction=bids)


@PLAYERS
def test_what_a_pass_is_worth(players: int) -> None:
    """The player speaks last, so that a pass leaves the deal to the bidder before him."""
    bids = ("pass",) * (players - 2) + ("garde",)
    called = Card.parse("TR") if players == 5 else None
    result = answer(FAIR[players], players, auction=bids, called=called)
    assert result.pass_score is not None
    assert result.to_dict()["pass"] == {
        "mean_score": result.pass_score.mean,
        "se_score": result.pass_score.se,
    }
    rules, taker = Rules(players=players), players - 1
    auction = read_auction(bids, rules)
    assert auction.taker == taker
    worlds = sample_worlds_given(Hand(FAIR[players]), 0, auction, 200, np.random.PCG64DXSM(12))
    scores = []
    judge = Judge("fast")
    for world in worlds:
        first = np.array([(auction.dealer + 1) % players], np.uint8)
        call = None
        if players == 5:
            rois = (Card.parse(name) for name in ("PR", "CR", "KR", "TR"))
            call = next(roi for roi in rois if world[roi] != taker)
        deal = contract_deals(world[None], rules, "garde", first, taker=taker, called=call)
        forecast = judge.forecast(deal, taker)
        loss = 2 * (25 * (2 * forecast.makes[0] - 1) + forecast.margins[0] / 2)
        scores.append(loss if deal.attack[0] & 1 else -loss)
    mean, se = np.mean(scores), np.std(scores, ddof=1) / sqrt(len(scores))
    assert abs(mean - result.pass_score.mean) < 4 * sqrt(se**2 + result.pass_score.se**2)
    assert 0.4 * se < result.pass_score.se < 1.1 * se  # twice as many worlds


def test_where_all_pass_nobody_wins() -> None:
    found = answer(FAIR[4], auction=("pass",) * 3).pass_score
    assert found is not None
    assert (0, 0) == (found.mean, found.se)


@pytest.mark.parametrize(
    ("hand", "bid"),
    [
        (FAIR[4], "prise"),
        (FAIR[4], "garde"),
        (MONSTERS[4], "prise"),
        (RUBBISH[4], "garde_sans"),
        (RUBBISH[4], "garde_contre"),
    ],
)
def test_only_higher_bids_are_advised(hand: str, bid: Contract) -> None:
    assert answer(FAIR[4]).advice == "garde"
    result = answer(hand, auction=(bid,))
    left = CONTRACTS[CONTRACTS.index(bid) + 1 :]
    assert tuple(result.contracts) == CONTRACTS
    assert result.pass_score is not None
    worth = {"pass": result.pass_score.mean}
    worth |= {contract: result.contracts[contract].mean_score for contract in left}
    best, *others = sorted(worth, key=lambda name: -worth[name])
    assert best == result.advice
    if others:
        assert others[0] == result.decision.second
        assert worth[best] - worth[others[0]] == pytest.approx(result.decision.gain)
        assert result.decision.se > 0
    else:
        decision = result.decision
        assert ("pass", 0, 0) == (decision.second, decision.gain, decision.se)


def test_the_gain_over_a_pass_has_the_errors_of_both() -> None:
    result = answer(RUBBISH[4], auction=("prise",))
    assert (result.advice, result.decision.second) == ("pass", "garde")
    assert result.pass_score is not None
    both = sqrt(result.contracts["garde"].se_score ** 2 + result.pass_score.se**2)
    assert both == pytest.approx(result.decision.se)


@pytest.mark.parametrize("players", [3, 5])
def test_auctions_of_other_tables(players: int) -> None:
    called = Card.parse("TR") if players == 5 else None
    options: dict[str, Any] = {"auction": ("pass",), "called": called}
    found = answer(FAIR[players], players, **options)
    assert found.dealer == players - 2
    assert found == answer(FAIR[players], players, **options, n_jobs=2)


@pytest.mark.parametrize(
    ("message", "options"),
    [
        ("auction, word 2: bid: 'gard' is not one of pass, prise", {"auction": ["pass", "gard"]}),
        ("auction, word 1: bid: '' is not one of", {"auction": [""]}),
        ("auction, word 2: bid: 'prise' is not higher than prise", {"auction": ["prise"] * 2}),
        ("auction, word 3: bid: 'prise' is not", {"auction": ["pass", "garde", "prise"]}),
        ("auction: 4 bids leave nothing to say", {"auction": ["pass"] * 4}),
        ("auction, word 5: bid: 'pass' comes after", {"auction": ["pass"] * 5, "dealer": 0}),
        ("dealer: seat 4", {"auction": ["pass"], "dealer": 4}),
    ],
)
def test_wrong_auctions(message: str, options: dict[str, Any]) -> None:
    with pytest.raises(TarotError, match=f"^{message}"):
        chances(FAIR[4], worlds=50, method="fast", n_jobs=1, **options)


# --- what it depends on ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "hand"), [(3, FAIR[3]), (4, FAIR[4]), (5, FAIR[5])], ids=["3", "4", "5"]
)
def test_the_number_of_jobs_changes_nothing(players: int, hand: str) -> None:
    expected = answer(hand, players, worlds=150)
    for n_jobs in (2, -1):
        found = answer(hand, players, worlds=150, n_jobs=n_jobs)
        assert found == expected
        differ = {key for key, value in found.to_dict().items() if value != expected.to_dict()[key]}
        assert differ <= {"seconds"}


def test_seeds() -> None:
    first = answer(FAIR[4], seed=1)
    assert first.seed == 1
    assert first == chances(FAIR[4], worlds=50, method="fast", n_jobs=1, seed=1)
    assert first.contracts != answer(FAIR[4], seed=2).contracts
    assert first.contracts != answer(FAIR[4]).contracts


def test_fewer_worlds_are_the_first_ones() -> None:
    """A mean over 100 worlds is that over the first 50 and those that follow."""
    half, whole = answer(FAIR[4]), answer(FAIR[4], worlds=100)
    for contract in CONTRACTS:
        rest = 2 * whole.contracts[contract].p_make - half.contracts[contract].p_make
        assert -1e-9 <= rest <= 1 + 1e-9


@pytest.mark.parametrize(("asked", "dealt"), [(1, 50), (50, 50), (51, 100), (120, 150)])
def test_worlds_come_in_chunks(asked: int, dealt: int) -> None:
    assert CHUNK == 50
    assert answer(FAIR[4], worlds=asked).worlds == dealt
    assert answer(FAIR[4], worlds=asked).contracts == answer(FAIR[4], worlds=dealt).contracts


def test_the_hand_in_any_form() -> None:
    hand = Hand(FAIR[4])
    assert chances(hand, worlds=50, method="fast", n_jobs=1) == answer(FAIR[4])
    shuffled = " ".join(card.name for card in reversed(list(hand)))
    assert chances(shuffled, worlds=50, method="fast", n_jobs=1) == answer(FAIR[4])


@PLAYERS
def test_the_dealers_right_hand_neighbour_leads(players: int, asked: Asked) -> None:
    called = Card.parse("TR") if players == 5 else None
    for dealer in range(players):
        asked.clear()
        options: dict[str, Any] = {"worlds": 50, "method": "fast", "n_jobs": 1}
        chances(FAIR[players], players=players, dealer=dealer, called=called, **options)
        assert asked
        for _, _, first in asked:
            assert (first == (dealer + 1) % players).all()
    asked.clear()
    chances(FAIR[players], players=players, called=called, worlds=100, method="fast", n_jobs=1)
    counts = np.bincount(np.concatenate([first for _, _, first in asked]), minlength=players)
    assert len(counts) == players
    assert counts.max() - counts.min() <= 6  # all in turn, in each contract and chunk


def test_contracts_have_the_same_worlds_and_no_world_comes_twice(asked: Asked) -> None:
    chances(FAIR[4], worlds=200, method="fast", n_jobs=1)
    by_contract: dict[Contract, list[NDArray[np.uint8]]] = {}
    for contract, worlds, _ in asked:
        by_contract.setdefault(contract, []).append(worlds)
    assert {"garde", "garde_sans", "garde_contre"} == set(by_contract)
    first, *others = (np.concatenate(worlds) for worlds in by_contract.values())
    for other in others:
        assert np.array_equal(first, other)
    assert len(np.unique(first, axis=0)) == len(first) == 4 * FORECASTS


def test_the_dealer_matters() -> None:
    by_dealer = [answer(FAIR[4], dealer=dealer) for dealer in range(4)]
    assert [result.dealer for result in by_dealer] == [0, 1, 2, 3]
    assert answer(FAIR[4]).dealer is None
    assert len({result.contracts["garde"].mean_score for result in by_dealer}) == 4


def test_rules_reach_the_play() -> None:
    fft = chances(FAIR[4], rules=Rules.fft(), worlds=50, method="fast", n_jobs=1)
    assert fft.contracts["garde"].p_make == pytest.approx(
        answer(FAIR[4]).contracts["garde"].p_make, abs=0.1
    )
    assert chances(FAIR[3], rules=Rules(players=3), worlds=50, n_jobs=1).players == 3


# --- stopping -------------------------------------------------------------------------


def test_precision_stops() -> None:
    result = answer(FAIR[4], worlds=5_000, precision=0.02)
    assert result.stopped == "precision"
    assert 100 <= result.worlds < 5_000
    assert result.forecasts == result.worlds // CHUNK * FORECASTS
    assert all(half_width(row) <= 0.02 for row in result.contracts.values())
    assert result == answer(FAIR[4], worlds=5_000, precision=0.02, n_jobs=2)
    # One chunk less would not have done.
    before = answer(FAIR[4], worlds=result.worlds - 50)
    assert any(half_width(row) > 0.02 for row in before.contracts.values())
    # Contracts that are precise after a wave of chunks are left alone.
    assert len({row.worlds for row in result.contracts.values()}) > 1
    for contract, row in result.contracts.items():
        assert row.worlds <= result.worlds
        assert row == answer(FAIR[4], worlds=row.worlds).contracts[contract]


def test_defaults() -> None:
    """Without any limit the precision is one, and the search is neither least nor most."""
    assert DEFAULT_PRECISION == 0.02
    found = chances(RUBBISH[4], n_jobs=1)
    assert (found.method, found.stopped) == ("cascade", "precision")
    assert found == answer(RUBBISH[4], worlds=None, precision=0.02, method="cascade")
    rough = answer(RUBBISH[4], worlds=None, precision=FAST_PRECISION, method=None)
    assert (rough.method, rough.stopped) == ("fast", "precision")
    # A number of worlds is kept to, however precise the figures are before.
    many = answer(RUBBISH[4], worlds=found.worlds + 100, method=None)
    assert (many.worlds, many.stopped) == (found.worlds + 100, "worlds")


def test_with_much_time_worlds_are_searched_exactly() -> None:
    for seconds, method in ((EXACT_SECONDS - 0.1, "cascade"), (EXACT_SECONDS, "exact")):
        found = answer(RUBBISH[4], seconds=seconds, method=None)
        assert (found.method, found.stopped) == (method, "worlds")
    assert answer(RUBBISH[4], seconds=EXACT_SECONDS, method="fast").method == "fast"


def test_precision_does_not_ask_for_more_than_the_worlds() -> None:
    found = answer(FAIR[4], worlds=100, precision=0.001)
    assert (found.worlds, found.stopped) == (100, "worlds")


def test_time_stops() -> None:
    started = time.monotonic()
    result = answer(FAIR[4], worlds=1_000_000, seconds=0.2)
    assert 100 <= result.worlds < 1_000_000
    assert result.stopped == "time"
    assert time.monotonic() - started < 60
    assert result.contracts == answer(FAIR[4], worlds=result.worlds).contracts


def test_progress() -> None:
    seen: list[tuple[int, int]] = []
    for n_jobs in (1, 2):
        seen.clear()
        chances(
            FAIR[4],
            worlds=250,
            method="fast",
            n_jobs=n_jobs,
            progress=lambda done, planned: seen.append((done, planned)),
        )
        assert seen == [(done, 250) for done in (50, 100, 150, 200, 250)]


def test_an_error_of_progress_comes_through() -> None:
    def stop(_done: int, _planned: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        chances(FAIR[4], worlds=50, method="fast", n_jobs=1, progress=stop)
    assert chances(FAIR[4], worlds=50, method="fast", n_jobs=1) == answer(FAIR[4])


# --- five players ---------------------------------------------------------------------


def test_the_call_that_is_asked_for() -> None:
    results = {
        card: answer(FAIR[5], 5, called=card)
        for card in callable_cards(Hand(FAIR[5]), Rules(players=5))
    }
    for card, result in results.items():
        assert result.called == card
    scores = {card: result.contracts["garde"].mean_score for card, result in results.items()}
    assert len(set(scores.values())) == len(scores)
    # To play alone, by one's own Roi, makes fewer contracts than with a partner.
    alone = results[Card.parse("PR")].contracts["garde"].p_make
    others = [r.contracts["garde"].p_make for c, r in results.items() if c != Card.parse("PR")]
    assert alone < max(others)


def test_the_best_call_is_one_of_those_allowed() -> None:
    result = answer(FAIR[5], 5)
    assert result.called in callable_cards(result.hand, Rules(players=5))
    assert result == answer(FAIR[5], 5, called=None)
    assert result.contracts == answer(FAIR[5], 5, called=result.called).contracts


def test_four_rois_call_a_dame() -> None:
    hand = "A:21,20,18,15,12,9,6,EX P:R,4 C:R,8 K:R T:R,2"
    called = answer(hand, 5).called
    assert called is not None
    assert called.rank == 13
    with pytest.raises(BidError, match="called: PR may not be called"):
        answer(hand, 5, called=Card.parse("PR"))
    fft = chances(
        hand, rules=Rules.fft(5), called=Card.parse("PR"), worlds=50, method="fast", n_jobs=1
    )
    assert fft.called == Card.parse("PR")


# --- bad input ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("message", "error", "options"),
    [
        ("worlds: 0", RulesError, {"worlds": 0}),
        ("worlds: -5", RulesError, {"worlds": -5}),
        ("precision: 0 is not between", RulesError, {"precision": 0}),
        ("precision: 1 is not between", RulesError, {"precision": 1}),
        ("precision: -0.1", RulesError, {"precision": -0.1}),
        ("precision: nan", RulesError, {"precision": float("nan")}),
        ("seconds: 0", RulesError, {"seconds": 0}),
        ("seconds: -1", RulesError, {"seconds": -1}),
        ("seconds: nan", RulesError, {"seconds": float("nan")}),
        ("n_jobs: 0", RulesError, {"n_jobs": 0}),
        ("seed: -1 is negative", RulesError, {"seed": -1}),
        ("method: 'slow' is not one of fast, cascade, exact", RulesError, {"method": "slow"}),
        ("dealer: seat 4 is not 0…3", RulesError, {"dealer": 4}),
        ("dealer: seat -1", RulesError, {"dealer": -1}),
        ("called: no card is called at 4", BidError, {"called": Card.parse("PR")}),
        ("players: 6", RulesError, {"players": 6}),
        ("players: 4, but the rules are for 3", RulesError, {"rules": Rules(players=3)}),
    ],
)
def test_options(message: str, error: type[TarotError], options: dict[str, Any]) -> None:
    with pytest.raises(error, match=f"^{message}"):
        chances(FAIR[4], **{"players": 4, "worlds": 50, "n_jobs": 1} | options)


@PLAYERS
def test_wrong_hands(players: int) -> None:
    size = Rules(players=players).hand_size
    hand = Hand(FAIR[players])
    with pytest.raises(HandError, match=f"{size - 1} cards, expected {size}"):
        chances(hand - Hand("A21"), players=players, worlds=50)
    with pytest.raises(HandError, match=f"{size + 1} cards, expected {size}"):
        chances(hand | Hand("A1"), players=players, worlds=50)
    with pytest.raises(TarotError, match="unknown card 'A22' at character 1"):
        chances("A22 " + FAIR[players], players=players, worlds=50)
    with pytest.raises(HandError, match="card PR comes twice"):
        chances(FAIR[players] + " PR", players=players, worlds=50)


@PLAYERS
def test_a_petit_sec_is_not_played(players: int) -> None:
    size = Rules(players=players).hand_size
    hand = Hand([56, *range(size - 1)])
    assert hand.is_petit_sec()
    with pytest.raises(HandError, match="Petit sec"):
        chances(hand, players=players, worlds=50, n_jobs=1)
    played = Rules(players=players, petit_sec="off")
    assert chances(hand, rules=played, worlds=50, method="fast", n_jobs=1).advice == "pass"


def test_a_call_that_is_not_allowed() -> None:
    with pytest.raises(BidError, match="called: KD may not be called with this hand"):
        chances(FAIR[5], players=5, called=Card.parse("KD"), worlds=50)
