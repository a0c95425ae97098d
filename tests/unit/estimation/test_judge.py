"""Judging deals: what a judgement says, and that it hangs on the deal alone."""

from __future__ import annotations

from functools import cache
from typing import Any, cast

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import expit

from tarot_sim.cards import Hand
from tarot_sim.estimation.calibration import Stage, calibration
from tarot_sim.estimation.judge import (
    EVIDENCE_VERSION,
    METHODS,
    WINDOW_WIDTHS,
    Evidence,
    Forecast,
    Judge,
    Judgement,
    Method,
    evidence_of,
    margins_of,
    search_evidence,
)
from tarot_sim.rules import CONTRACTS, TARGETS, Contract
from tarot_sim.solver._solver import Objective, Solver
from tarot_sim.worlds.batch import Deals
from tests.some_deals import BOUTS
from tests.some_deals import some_deals as every_deal
from tests.some_ends import assert_same as assert_all_same

EACH = 8
STRONG, FAIR, HOPELESS = (slice(EACH * place, EACH * (place + 1)) for place in range(3))
PLAYERS = pytest.mark.parametrize("players", [3, 4, 5])
EVERY_CONTRACT = pytest.mark.parametrize("contract", CONTRACTS[1:])
EVERY_METHOD = pytest.mark.parametrize("method", list(METHODS))
MARGIN = Objective([2 * target for target in TARGETS])

Figures = NDArray[np.float64]


def some_deals(players: int, contract: Contract = "garde") -> Deals:
    """Return deals of each hand, the strong one's first."""
    return every_deal(players, contract, EACH, 7)


@cache
def judge_of(method: Method) -> Judge:
    return Judge(method)


@cache
def judged(players: int, contract: Contract, method: Method) -> tuple[Forecast, Judgement]:
    deals, judge = some_deals(players, contract), judge_of(method)
    forecast = judge.forecast(deals)
    return forecast, judge.judge(deals, forecast)


def assert_same(one: Forecast | Judgement, two: Forecast | Judgement) -> None:
    # A product of matrices may add up in another order.
    assert_all_same(one, two, rtol=1e-9, atol=1e-12)


# --- what is said ---------------------------------------------------------------------


@PLAYERS
@EVERY_CONTRACT
@EVERY_METHOD
def test_before_a_proof_nothing_is_sure(players: int, contract: Contract, method: Method) -> None:
    forecast, judgement = judged(players, contract, method)
    for found in (forecast, judgement):
        assert found.p_make.shape == found.margins.shape == found.outcomes.shape == (3 * EACH,)
        assert ((found.p_make > 0) & (found.p_make < 1)).all()
        assert (abs(found.margins) < 300).all()
        assert set(found.outcomes["bouts"].tolist()) <= {0, 1, 2, 3}
        points = found.outcomes["attack_half_points"]
        assert ((points >= 0) & (points <= 182)).all()


@PLAYERS
@EVERY_METHOD
def test_strong_hands_make_more(players: int, method: Method) -> None:
    for found in judged(players, "garde", method):
        strong, fair, hopeless = (found.p_make[part].mean() for part in (STRONG, FAIR, HOPELESS))
        assert strong > 0.9
        assert hopeless < 0.1
        assert strong > fair > hopeless
        means = [found.margins[part].mean() for part in (STRONG, FAIR, HOPELESS)]
        assert means == sorted(means, reverse=True)


@PLAYERS
@EVERY_METHOD
def test_more_cards_for_the_attack_make_more(players: int, method: Method) -> None:
    """The dog goes to the taker, to his pile, or to the defence's."""
    rows = [judged(players, contract, method)[1] for contract in CONTRACTS[1:]]
    garde, sans, contre = (row.margins.mean() for row in rows)
    assert garde > sans > contre


@PLAYERS
def test_chances_and_margins_agree(players: int) -> None:
    for method in METHODS:
        for contract in CONTRACTS[1:]:
            for found in judged(players, contract, method):
                clear = abs(found.margins) > 50
                assert np.array_equal(found.p_make[clear] > 0.5, found.margins[clear] > 0)


# --- what it hangs on -----------------------------------------------------------------


@PLAYERS
@EVERY_CONTRACT
@EVERY_METHOD
def test_a_judgement_is_the_same_again(players: int, contract: Contract, method: Method) -> None:
    """With tables that are warm, and without the forecast handed over."""
    deals, judge = some_deals(players, contract), judge_of(method)
    forecast, judgement = judged(players, contract, method)
    assert_same(forecast, judge.forecast(deals))
    assert_same(judgement, judge.judge(deals))
    assert_same(judgement, judge.judge(deals, forecast))


@pytest.mark.parametrize("method", ["fast", "cascade"])
def test_a_judgement_is_the_same_with_another_judge(method: Method) -> None:
    expected = judged(4, "garde", method)
    judge = Judge(method)
    assert method == judge.method
    assert_same(expected[1], judge.judge(some_deals(4)))
    assert_same(expected[0], judge.forecast(some_deals(4)))


@PLAYERS
@EVERY_METHOD
def test_no_deal_depends_on_its_neighbours(players: int, method: Method) -> None:
    deals, judge = some_deals(players), judge_of(method)
    forecast, judgement = judged(players, "garde", method)
    order = np.random.default_rng(1).permutation(len(deals))
    for rows in (order, order[:5], np.array([3]), np.array([9, 9, 9])):
        some = deals[rows]
        found, more = judge.forecast(some), judge.judge(some)
        assert forecast.p_make[rows] == pytest.approx(found.p_make, rel=1e-9)
        assert judgement.p_make[rows] == pytest.approx(more.p_make, rel=1e-9)
        assert judgement.margins[rows] == pytest.approx(more.margins, rel=1e-9)
        assert np.array_equal(forecast.outcomes[rows], found.outcomes)
        assert np.array_equal(judgement.outcomes[rows], more.outcomes)


@PLAYERS
@EVERY_METHOD
def test_no_deals_have_no_judgement(players: int, method: Method) -> None:
    none = some_deals(players)[:0]
    assert 0 == len(judge_of(method).forecast(none).p_make)
    assert 0 == len(judge_of(method).judge(none).p_make)


@PLAYERS
def test_a_forecast_of_some_rows(players: int) -> None:
    forecast, judgement = judged(players, "garde", "fast")
    part = forecast[3:11]
    assert_same(judge_of("fast").forecast(some_deals(players)[3:11]), part)
    found = judge_of("fast").judge(some_deals(players)[3:11], part)
    assert judgement.p_make[3:11] == pytest.approx(found.p_make, rel=1e-9)


@PLAYERS
@EVERY_CONTRACT
def test_seats_are_named_from_the_taker_on(players: int, contract: Contract) -> None:
    """The same deals, everybody some seats further: only the names change."""
    deals = some_deals(players, contract)
    expected = judged(players, contract, "fast")[0]
    for taker in range(1, players):
        owners = np.where(deals.owners == players, players, (deals.owners + taker) % players)
        attack = [
            sum(1 << (seat + taker) % players for seat in range(players) if mask >> seat & 1)
            for mask in deals.attack.tolist()
        ]
        moved = Deals(
            rules=deals.rules,
            owners=owners.astype(np.uint8),
            attack=np.array(attack, np.uint8),
            leader=((deals.leader + taker) % players).astype(np.uint8),
            half_points=deals.half_points,
            bouts=deals.bouts,
            called=deals.called,
            contract=deals.contract,
        )
        assert_same(expected, judge_of("fast").forecast(moved, taker))


# --- the evidence ---------------------------------------------------------------------


STAGES: tuple[Stage, ...] = ("forecast", "fast", "cascade")


def column(evidence: Evidence, name: str) -> list[float]:
    """Return one column."""
    values: list[float] = evidence.values[:, evidence.names.index(name)].tolist()
    return values


@PLAYERS
@EVERY_CONTRACT
def test_there_is_a_weight_for_each_column(players: int, contract: Contract) -> None:
    deals = some_deals(players, contract)
    forecast = judge_of("fast").forecast(deals)
    assert forecast.evidence.values.shape == (len(deals), 20 + players)
    few, narrow = deals[:2], judge_of("fast")._narrow
    for stage in STAGES:
        evidence = forecast.evidence[:2]
        if stage != "forecast":
            effort = METHODS[stage]
            more, outcomes = search_evidence(narrow, few, forecast.outcomes[:2], effort)
            assert (2,) == outcomes.shape
            assert (2, 3 + 2 * len(effort.thresholds)) == more.values.shape
            evidence |= more
        assert (2, len(evidence.names)) == evidence.values.shape
        assert len(set(evidence.names)) == len(evidence.names)
        weights = calibration().weights(stage, players, evidence.names, EVIDENCE_VERSION)
        for found in (weights.p_make, weights.margin):
            assert (len(evidence.names),) == found.shape


@PLAYERS
@EVERY_CONTRACT
def test_the_columns_of_the_evidence(players: int, contract: Contract) -> None:
    deals = some_deals(players, contract)
    policy = judge_of("fast").forecast(deals).outcomes
    evidence = evidence_of(deals, policy, 0)
    trumps = Hand("A:" + ",".join(map(str, range(1, 22))))
    for row, values in enumerate(evidence.values.tolist()):
        found = dict(zip(evidence.names, values, strict=True))
        owners, attack = deals.owners[row], int(deals.attack[row])
        camp = [c for c in range(78) if owners[c] < players and attack >> owners[c] & 1]
        bouts = int(deals.bouts[row])
        with_all = sum(b in camp or bouts >> bit & 1 for bit, b in enumerate(BOUTS))
        margin = int(policy["attack_half_points"][row])
        margin -= 2 * (56, 51, 41, 36)[int(policy["bouts"][row])]
        expected = {
            "constant": 1,
            "trumps": len(Hand(camp) & trumps),
            "attack_half_points": deals.half_points[row],
            "bouts_before": bouts.bit_count(),
            "need": 2 * (56, 51, 41, 36)[with_all],
            "garde_sans": contract == "garde_sans",
            "garde_contre": contract == "garde_contre",
            **{f"leader_{seat}": deals.leader[row] == seat for seat in range(1, players)},
            "policy_margin": margin,
            "policy_margin_within_15": float(np.tanh(margin / 15)),
            "policy_margin_within_50": float(np.tanh(margin / 50)),
        }
        assert expected == pytest.approx({name: found[name] for name in expected})


@PLAYERS
def test_what_windows_say_has_a_name_by_threshold(players: int) -> None:
    deals = some_deals(players)
    policy = judge_of("fast").forecast(deals).outcomes
    narrow, effort = judge_of("cascade")._narrow, METHODS["cascade"]
    found, outcomes = search_evidence(narrow, deals, policy, effort)
    margins = margins_of(outcomes)
    assert margins.tolist() == column(found, "line_margin")
    assert np.tanh(margins / 15) == pytest.approx(column(found, "line_margin_within_15"))
    for threshold in (0, 8, -8):
        yes, no = column(found, f"at_least_{threshold}"), column(found, f"below_{threshold}")
        answers, _ = narrow.reaches(deals, MARGIN, threshold, WINDOW_WIDTHS, effort.nodes)
        known = answers >= 0
        assert (np.array(yes)[known] == answers[known]).all()
        assert (np.array(no)[known] == 1 - answers[known]).all()
        # A window never says both yes and no.
        assert max(map(sum, zip(yes, no, strict=True))) <= 1


def test_evidence_of_rows_and_of_more_columns() -> None:
    one = Evidence.of({"constant": np.ones(4), "trumps": np.arange(4, dtype=np.int16)})
    two = Evidence.of({"sure": np.array([True, False, True, True])})
    assert ("constant", "trumps", "sure") == (one | two).names
    assert [[1, 2, 1], [1, 3, 1]] == (one | two)[2:].values.tolist()
    assert np.float64 == two.values.dtype


@PLAYERS
@EVERY_METHOD
def test_chances_are_the_logistic_of_weighted_evidence(players: int, method: Method) -> None:
    """Whatever the order of the columns is."""
    forecast, judgement = judged(players, "garde_sans", method)
    effort = METHODS[method]
    more, outcomes = search_evidence(
        judge_of(method)._narrow, some_deals(players, "garde_sans"), forecast.outcomes, effort
    )
    assert np.array_equal(judgement.outcomes, outcomes)
    both = (
        (forecast, "forecast", forecast.evidence),
        (
            judgement,
            effort.stage,
            forecast.evidence | more,
        ),
    )
    for found, stage, evidence in both:
        names = tuple(reversed(evidence.names))
        weights = calibration().weights(cast("Stage", stage), players, names, EVIDENCE_VERSION)
        values = evidence.values[:, ::-1]
        assert found.margins == pytest.approx(values @ weights.margin)
        assert found.p_make == pytest.approx(expit(values @ weights.p_make), abs=1e-9)


def test_margins_are_above_the_need() -> None:
    outcomes = np.zeros(4, judged(4, "garde", "fast")[0].outcomes.dtype)
    outcomes["attack_half_points"] = (112, 102, 80, 182)
    outcomes["bouts"] = (0, 1, 2, 3)
    assert [0, 0, -2, 110] == margins_of(outcomes).tolist()


# --- proofs ---------------------------------------------------------------------------


@PLAYERS
@EVERY_CONTRACT
def test_what_is_proved_is_what_the_solver_says(players: int, contract: Contract) -> None:
    """The strong and the hopeless hand's deals, which do not take long."""
    deals = some_deals(players, contract)[np.array([0, 1, 2, -1, -2, -3])]
    judge = judge_of("exact")
    before = judge.judge(deals).p_make
    exact, proved = judge.prove(deals, before)
    assert proved.dtype == np.bool_
    assert proved.any()
    solver = Solver()
    for row in range(len(deals)):
        if proved[row]:
            made, _ = solver.at_least(deals.position(row), MARGIN, 0)
            assert made is not None
            assert float(made) == exact[row]
        else:
            assert before[row] == exact[row]
    again = judge.prove(deals, before)
    assert np.array_equal(exact, again[0])
    assert np.array_equal(proved, again[1])


def test_what_stays_open_keeps_its_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    """With one node for each deal hardly any is settled, and nothing else is 0 or 1."""
    effort = METHODS["exact"]
    deals = some_deals(4)
    before = np.linspace(0.2, 0.8, len(deals))
    few: dict[str, Any] = {name: getattr(effort, name) for name in ("stage", "thresholds", "nodes")}
    monkeypatch.setitem(METHODS, "exact", type(effort)(**few, exact_nodes=1, exact_worlds=10))
    exact, proved = judge_of("exact").prove(deals, before)
    assert not proved.all()
    assert before[~proved].tolist() == exact[~proved].tolist()
    assert set(exact[proved].tolist()) <= {0.0, 1.0}


@pytest.mark.parametrize("method", ["fast", "cascade"])
def test_other_methods_prove_nothing(method: Method) -> None:
    p_make = judged(4, "garde", method)[1].p_make
    exact, proved = judge_of(method).prove(some_deals(4), p_make)
    assert p_make.tolist() == exact.tolist()
    assert not proved.any()


def test_a_proof_of_nothing() -> None:
    for method in METHODS:
        exact, proved = judge_of(method).prove(some_deals(4)[:0], np.zeros(0))
        assert (0, 0) == (len(exact), len(proved))


def test_searches_are_right_more_often_than_a_coin() -> None:
    """Where the exact answer is known, the mean square error is far below a quarter."""
    errors: dict[str, list[float]] = {"forecast": [], "cascade": []}
    for players in (3, 4, 5):
        deals = some_deals(players, "garde_sans")
        forecast, judgement = judged(players, "garde_sans", "exact")
        rows = np.array([0, 1, 2, 3, EACH, EACH + 1, -1, -2, -3, -4])
        exact, proved = judge_of("exact").prove(deals[rows], judgement.p_make[rows])
        for name, p_make in (("forecast", forecast.p_make), ("cascade", judgement.p_make)):
            errors[name] += ((p_make[rows] - exact)[proved] ** 2).tolist()
    assert len(errors["forecast"]) >= 15
    assert np.mean(errors["forecast"]) < 0.1
    assert np.mean(errors["cascade"]) < 0.1
