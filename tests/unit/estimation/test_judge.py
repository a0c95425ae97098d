"""Judging deals: what a judgement says, and that it hangs on the deal alone."""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tarot_sim.cards import EXCUSE, PETIT, VINGT_ET_UN, Card, Hand
from tarot_sim.estimation.calibration import MADE, MARGINS
from tarot_sim.estimation.judge import (
    METHODS,
    Forecast,
    Judge,
    Judgement,
    Method,
    evidence_of,
    margins_of,
    search_evidence,
)
from tarot_sim.rules import CONTRACTS, TARGETS, Contract, Rules
from tarot_sim.solver._solver import Objective, Solver
from tarot_sim.worlds._counts import FEATURES
from tarot_sim.worlds._sampler import sample_worlds
from tarot_sim.worlds.batch import Deals
from tarot_sim.worlds.contract_deals import contract_deals

#: A strong, a fair and a hopeless hand for each table.
HANDS = {
    3: (
        "A:21,20,19,18,17,16,15,14,13,12,11,1,EX P:R,D,C C:R,D,C K:R,D T:R,D,C",
        "A:20,17,13,9,6,2,1,EX P:R,10,8,3 C:D,C,7,2 K:9,6,5,1 T:V,10,9,4",
        "A:5,3,2 P:10,9,8,7,6,5,1 C:8,7,6,4,3 K:9,8,6,5 T:V,8,7,6,1",
    ),
    4: (
        "A:21,20,19,18,17,16,15,14,13,1,EX P:R,D C:R,D K:R T:R,D",
        "A:20,19,14,8,5 P:R,D,6 C:C,10,4 K:R,4,3 T:V,9,2,1",
        "A:4,3 P:10,9,8,7,6 C:8,7,6,5,4 K:9,8,7 T:V,8,7",
    ),
    5: (
        "A:21,20,19,18,17,16,15,14,1,EX P:R,D C:R,D K:R",
        "A:20,16,12,3,2 P:R,9,6 C:10,4 K:V,3,1 T:D,9",
        "A:4,3 P:10,9,8,7 C:8,7,6,4 K:9,8,7 T:V,8",
    ),
}
CALLED = Card.parse("TR")
EACH = 8
STRONG, FAIR, HOPELESS = (slice(EACH * place, EACH * (place + 1)) for place in range(3))
PLAYERS = pytest.mark.parametrize("players", [3, 4, 5])
EVERY_CONTRACT = pytest.mark.parametrize("contract", CONTRACTS[1:])
EVERY_METHOD = pytest.mark.parametrize("method", list(METHODS))
BOUTS = (PETIT, VINGT_ET_UN, EXCUSE)
MARGIN = Objective([2 * target for target in TARGETS])

Figures = NDArray[np.float64]


@cache
def some_deals(players: int, contract: Contract = "garde") -> Deals:
    """Return deals of each hand, the strong one's first."""
    rules = Rules(players=players)
    worlds = np.concatenate(
        [
            sample_worlds(
                Hand(text, size=rules.hand_size), 0, rules, EACH, np.random.PCG64DXSM([7, number])
            )
            for number, text in enumerate(HANDS[players])
        ]
    )
    leaders = (np.arange(len(worlds)) % players).astype(np.uint8)
    called = CALLED if players == 5 else None
    return contract_deals(worlds, rules, contract, leaders, called=called)


@cache
def judge_of(method: Method) -> Judge:
    return Judge(method)


@cache
def judged(players: int, contract: Contract, method: Method) -> tuple[Forecast, Judgement]:
    deals, judge = some_deals(players, contract), judge_of(method)
    forecast = judge.forecast(deals)
    return forecast, judge.judge(deals, forecast)


def assert_same(one: Forecast | Judgement, two: Forecast | Judgement) -> None:
    assert type(one) is type(two)
    for field in fields(one):
        first, second = getattr(one, field.name), getattr(two, field.name)
        if first.dtype == np.float64:
            # A product of matrices may add up in another order.
            assert first == pytest.approx(second, rel=1e-9, abs=1e-12), field.name
        else:
            assert np.array_equal(first, second), field.name


# --- what is said ---------------------------------------------------------------------


@PLAYERS
@EVERY_CONTRACT
@EVERY_METHOD
def test_before_a_proof_nothing_is_sure(players: int, contract: Contract, method: Method) -> None:
    forecast, judgement = judged(players, contract, method)
    for found in (forecast, judgement):
        assert found.makes.shape == found.margins.shape == found.outcomes.shape == (3 * EACH,)
        assert ((found.makes > 0) & (found.makes < 1)).all()
        assert (abs(found.margins) < 300).all()
        assert set(found.outcomes["bouts"].tolist()) <= {0, 1, 2, 3}
        points = found.outcomes["attack_half_points"]
        assert ((points >= 0) & (points <= 182)).all()


@PLAYERS
@EVERY_METHOD
def test_strong_hands_make_more(players: int, method: Method) -> None:
    for found in judged(players, "garde", method):
        strong, fair, hopeless = (found.makes[part].mean() for part in (STRONG, FAIR, HOPELESS))
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
                assert np.array_equal(found.makes[clear] > 0.5, found.margins[clear] > 0)


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
        assert forecast.makes[rows] == pytest.approx(found.makes, rel=1e-9)
        assert judgement.makes[rows] == pytest.approx(more.makes, rel=1e-9)
        assert judgement.margins[rows] == pytest.approx(more.margins, rel=1e-9)
        assert np.array_equal(forecast.outcomes[rows], found.outcomes)
        assert np.array_equal(judgement.outcomes[rows], more.outcomes)


@PLAYERS
@EVERY_METHOD
def test_no_deals_have_no_judgement(players: int, method: Method) -> None:
    none = some_deals(players)[:0]
    assert 0 == len(judge_of(method).forecast(none).makes)
    assert 0 == len(judge_of(method).judge(none).makes)


@PLAYERS
def test_a_forecast_of_some_rows(players: int) -> None:
    forecast, judgement = judged(players, "garde", "fast")
    part = forecast[3:11]
    assert_same(judge_of("fast").forecast(some_deals(players)[3:11]), part)
    found = judge_of("fast").judge(some_deals(players)[3:11], part)
    assert judgement.makes[3:11] == pytest.approx(found.makes, rel=1e-9)


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


@PLAYERS
@EVERY_CONTRACT
def test_there_is_a_weight_for_each_column(players: int, contract: Contract) -> None:
    deals = some_deals(players, contract)
    forecast = judge_of("fast").forecast(deals)
    assert forecast.evidence.shape == (len(deals), len(MADE["forecast"][players]))
    assert forecast.evidence.shape == (len(deals), 20 + players)
    for fitted in (MADE, MARGINS):
        assert {"forecast", "fast", "cascade"} == set(fitted)
        assert {3, 4, 5} == set(fitted["forecast"])
    for effort in METHODS.values():
        few = deals[:2]
        more, outcomes = search_evidence(
            judge_of("fast")._narrow, few, forecast.outcomes[:2], effort
        )
        assert (2,) == outcomes.shape
        assert (2, 3 + 2 * len(effort.thresholds)) == more.shape
        columns = forecast.evidence.shape[1] + more.shape[1]
        assert columns == len(MADE[effort.stage][players]) == len(MARGINS[effort.stage][players])


@PLAYERS
@EVERY_CONTRACT
def test_the_columns_of_the_evidence(players: int, contract: Contract) -> None:
    deals = some_deals(players, contract)
    policy = judge_of("fast").forecast(deals).outcomes
    found = evidence_of(deals, policy, 0)
    trumps = Hand("A:" + ",".join(map(str, range(1, 22))))
    column = FEATURES.index("trumps") - 4 + 1
    for row, evidence in enumerate(found.tolist()):
        owners, attack = deals.owners[row], int(deals.attack[row])
        camp = [c for c in range(78) if owners[c] < players and attack >> owners[c] & 1]
        bouts = int(deals.bouts[row])
        with_all = sum(b in camp or bouts >> bit & 1 for bit, b in enumerate(BOUTS))
        assert 1 == evidence[0]
        assert len(Hand(camp) & trumps) == evidence[column]
        assert [deals.half_points[row], bouts.bit_count()] == evidence[13:15]
        assert 2 * (56, 51, 41, 36)[with_all] == evidence[15]
        leads = [float(deals.leader[row] == seat) for seat in range(1, players)]
        assert [contract == "garde_sans", contract == "garde_contre"] == evidence[16:18]
        assert leads == evidence[18 : 17 + players]
        margin = int(policy["attack_half_points"][row])
        margin -= 2 * (56, 51, 41, 36)[int(policy["bouts"][row])]
        forms = [margin, float(np.tanh(margin / 15)), float(np.tanh(margin / 50))]
        assert forms == pytest.approx(evidence[17 + players :])


@PLAYERS
@EVERY_METHOD
def test_chances_are_the_logistic_of_weighted_evidence(players: int, method: Method) -> None:
    forecast, judgement = judged(players, "garde_sans", method)
    odds = forecast.evidence @ np.array(MADE["forecast"][players])
    assert forecast.margins == pytest.approx(
        forecast.evidence @ np.array(MARGINS["forecast"][players])
    )
    bounded = np.clip(odds, -30, 30)
    assert np.log(forecast.makes / (1 - forecast.makes)) == pytest.approx(bounded, abs=1e-2)
    effort = METHODS[method]
    more, outcomes = search_evidence(
        judge_of(method)._narrow, some_deals(players, "garde_sans"), forecast.outcomes, effort
    )
    assert np.array_equal(judgement.outcomes, outcomes)
    evidence = np.column_stack([forecast.evidence, more])
    assert judgement.margins == pytest.approx(evidence @ np.array(MARGINS[effort.stage][players]))
    # A window never says both yes and no.
    sides = more[:, 3:].reshape(len(more), -1, 2)
    assert set(np.unique(sides).tolist()) <= {0.0, 1.0}
    assert (sides.sum(axis=2) <= 1).all()


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
    before = judge.judge(deals).makes
    exact, proved = judge.prove(deals, before)
    assert proved.dtype == np.bool_
    assert proved.any()
    solver = Solver()
    for row in range(len(deals)):
        if proved[row]:
            makes, _ = solver.at_least(deals.position(row), MARGIN, 0)
            assert makes is not None
            assert float(makes) == exact[row]
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
    makes = judged(4, "garde", method)[1].makes
    exact, proved = judge_of(method).prove(some_deals(4), makes)
    assert makes.tolist() == exact.tolist()
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
        exact, proved = judge_of("exact").prove(deals[rows], judgement.makes[rows])
        for name, makes in (("forecast", forecast.makes), ("cascade", judgement.makes)):
            errors[name] += ((makes[rows] - exact)[proved] ** 2).tolist()
    assert len(errors["forecast"]) >= 15
    assert np.mean(errors["forecast"]) < 0.1
    assert np.mean(errors["cascade"]) < 0.1
