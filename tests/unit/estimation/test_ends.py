"""The ends of the scale: sweeps and the Petit au bout, against the solver and kept answers."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from benchmarks.calibration.chelems import FILE, Comparison, compare, plans, read
from tarot_sim.cards import Hand
from tarot_sim.estimation._evaluate import Evaluator
from tarot_sim.estimation.answers import Chances
from tarot_sim.estimation.calls import rank_calls
from tarot_sim.estimation.chunks import run_chunk
from tarot_sim.estimation.discards import rank_discards
from tarot_sim.estimation.ends import (
    PLAUSIBLE,
    Ends,
    evidence_of_ends,
    judge_ends,
    petit_evidence,
    stretched,
)
from tarot_sim.estimation.judge import Judge
from tarot_sim.estimation.plan import Plan
from tarot_sim.estimation.sample import Sample
from tarot_sim.rules import CAMPS, Rules
from tarot_sim.solver._solver import Solver
from tarot_sim.solver.limit import Limit
from tarot_sim.solver.objectives import CHELEM, CHELEM_THRESHOLD, MARGIN, Stakes
from tarot_sim.solver.solving import solve
from tarot_sim.solver.widths import ALL_MOVES
from tarot_sim.worlds.batch import Deals
from tests.some_chances import answer
from tests.some_deals import plan_of, some_deals
from tests.some_ends import FAR, assert_same, ends_of

PLAYERS = pytest.mark.parametrize("players", [3, 4, 5])
#: All winners, with the Petit to be won last; and a hand that wins nothing.
WINNERS = "A:21,20,19,18,17,16,15,14,13,12,11,10,9,8,7,6,1,EX"
NOTHING = "P:R,D,C,V,10,9,8,7,6,5,4,3,2,1 C:4,3,2,1"
HANDS = {
    3: (
        "A:21,20,19,18,17,16,15,14,13,12,11,10,9,8,7,6,5,4,3,2,1,EX P:R,D",
        "P:10,9,8,7,6,5,4,3,2,1 C:10,9,8,7,6,5,4,3,2,1 K:4,3,2,1",
    ),
    4: (WINNERS, NOTHING),
    5: (
        "A:21,20,19,18,17,16,15,14,13,12,11,1,EX P:R,D",
        "P:10,9,8,7,6,5,4,3,2,1 C:5,4,3,2,1",
    ),
}


def deals_of(hand: str, players: int, contract: Any = "garde", n: int = 30) -> Deals:
    """Return worlds of a hand as deals."""
    return some_hand_deals(hand, players, contract, n)


@cache
def some_hand_deals(hand: str, players: int, contract: Any, n: int) -> Deals:
    from tarot_sim.estimation.plan import Stream, draw_worlds, leaders
    from tarot_sim.worlds.contract_deals import contract_deals
    from tests.some_deals import CALLED

    plan = plan_of(players, called=CALLED if players == 5 else None)
    plan = replace(plan, hand=Hand(hand, size=plan.rules.hand_size))
    worlds = draw_worlds(plan, n, Stream.WORLDS, 0)
    return contract_deals(worlds, plan.rules, contract, leaders(plan, 0, n), called=plan.called)


def judged(deals: Deals) -> Ends:
    """Return the ends of deals as the quick judge has them."""
    return Judge("fast").judge(deals).ends


# --- sweeps ---------------------------------------------------------------------------


@PLAYERS
@pytest.mark.parametrize("contract", ["garde", "garde_contre"])
def test_what_is_proved_the_solver_does_not_contradict(players: int, contract: Any) -> None:
    """Zero windows of another search at full width, as far as they come to an end."""
    evaluator, judge, found = Evaluator(1 << 24), Judge("fast"), {True: 0, False: 0}
    for hand in HANDS[players]:
        deals = deals_of(hand, players, contract)
        forecast = judge.forecast(deals)
        judgement = judge.judge(deals, forecast)
        ends = judgement.ends
        assert ((ends.sweeps >= 0) & (ends.sweeps <= 1)).all()
        weaker = evidence_of_ends(deals, [forecast.outcomes, judgement.outcomes])
        for column, camp in enumerate(CAMPS):
            # Of the others a play-out says that they are out of the question, which is no proof.
            asked = weaker[column] <= PLAUSIBLE[players][column]
            rows = np.flatnonzero(asked & np.isin(ends.sweeps[:, column], (0, 1)))[:12]
            if not rows.size:
                continue
            threshold = CHELEM_THRESHOLD[camp]
            reached, _ = evaluator.reaches(deals[rows], CHELEM, threshold, ALL_MOVES, 100_000)
            for row, answer_is in zip(rows, reached, strict=True):
                if answer_is >= 0:
                    swept = bool(answer_is) == (camp == "attack")
                    assert swept == (ends.sweeps[row, column] == 1)
                    found[swept] += 1
    assert found[False] >= (2 if contract == "garde" else 0)
    assert found[True] > 0 or players != 4


@PLAYERS
def test_winners_are_told_as_a_narrow_search_tells_them(players: int) -> None:
    """What all winners do is proved; a defence of few moves cannot upset it either."""
    deals = deals_of(HANDS[players][0], players, "garde_contre")
    rows = np.flatnonzero(judged(deals).sweeps[:, 0] == 1)
    assert len(rows) > 10
    widths = replace(ALL_MOVES, defence_lead=2, defence_reply=2)
    threshold = CHELEM_THRESHOLD["attack"]
    reached, _ = Evaluator(1 << 24).reaches(deals[rows], CHELEM, threshold, widths, 100_000)
    assert not (reached == 0).any()
    assert (reached == 1).mean() > 0.5


@PLAYERS
def test_a_swept_deal_has_the_margin_of_a_sweep(players: int) -> None:
    """Known without a search, and the solver has it by one."""
    deals = deals_of(HANDS[players][0], players)
    ends, seen = judged(deals), 0
    for row in np.flatnonzero(ends.sweeps[:, 0] == 1)[:10]:
        position = deals.position(int(row))
        low, high, _ = Solver(1 << 22).value(position, MARGIN, limit=Limit(100_000))
        assert (
            low <= ends.sweep_margins[row, 0] == high or low == high == ends.sweep_margins[row, 0]
        )
        seen += 1
    assert seen > 0
    for row in range(len(deals)):
        # Between both sweeps' points lie all that is played.
        played = Hand(np.flatnonzero(deals.owners[row] < players).tolist()).half_points
        assert ends.sweep_points[row, 0] - ends.sweep_points[row, 1] == played


@PLAYERS
def test_ordinary_deals_are_not_swept(players: int) -> None:
    """Both camps win what is beyond doubt: no search is spent on them."""
    deals = some_deals(players, hands="fair")
    judge = Judge("fast")
    forecast = judge.forecast(deals)
    judgement = judge.judge(deals, forecast)
    lost, gained = evidence_of_ends(deals, [forecast.outcomes, judgement.outcomes])
    assert (lost >= 0).all()
    assert (gained >= 0).all()
    rows = (lost > PLAUSIBLE[players][0]) & (gained > PLAUSIBLE[players][1])
    assert rows.any()
    assert not judgement.ends.sweeps[rows].any()


def test_an_announced_chelem_is_led_by_the_taker() -> None:
    """Whoever leads, all winners make it; with a void to lead to it hangs on the lead."""
    ends = judged(deals_of(WINNERS, 4))
    assert (ends.led == 1).all()
    assert (ends.sweeps[:, 0] == 1).all()
    assert (ends.sweep_petits[:, 0] == 1).all()
    # The lead decides: A 21 … 12 draw all trumps before the suits are cashed.
    hand = "A:21,20,19,18,17,16,15,14,13,12 P:R,D,C,V C:R,D K:R T:R"
    some = judged(deals_of(hand, 4))
    assert (some.led >= some.sweeps[:, 0] - 0.1).mean() > 0.9


# --- the two hands of a newcomer --------------------------------------------------------


def test_eighteen_winners() -> None:
    found = answer(WINNERS, worlds=100, method=None)
    for contract, row in found.contracts.items():
        assert row.p_chelem > 0.999
        assert row.petit_au_bout > 0.999
        assert row.announce_chelem
        # +400 in place of +200, three times.
        assert row.announce_gain == pytest.approx(600, abs=0.5)
        worth = {"prise": 990, "garde": 1260, "garde_sans": 1800}.get(contract)
        if worth is None:
            assert 2_100 < row.mean_score < 2_300
        else:
            # 3 × (coefficient × (25 + 55 + 10) + 200 + a triple poignée of 40)
            assert row.mean_score == pytest.approx(worth, abs=0.5)
            assert row.error_score < 0.5


def test_eighteen_winners_are_worth_what_the_solver_says() -> None:
    """World by world; the poignée is no part of the play."""
    deals = deals_of(WINNERS, 4, "garde_contre", 20)
    plan = Plan(Hand(WINNERS, size=18), Rules(), 1, "fast")
    exact = []
    for row in range(len(deals)):
        stakes = Stakes("garde_contre", ("triple",))
        found = solve(deals.position(row), "score", stakes=stakes, nodes=100_000)
        assert found.value is not None
        exact.append(found.value)
    sample = run_chunk(plan, 0, contracts=("garde_contre",)).samples["garde_contre"]
    assert np.mean(exact) == pytest.approx(sample.scores.mean(), abs=60)
    assert set(exact) <= set(range(2_000, 2_400))


def test_a_hand_that_wins_nothing() -> None:
    found = answer(NOTHING, worlds=100, method=None)
    assert found.advice == "pass"
    contre = found.contracts["garde_contre"]
    assert contre.p_chelem_defence > 0.98
    # 3 × (6 × (25 + 56 + 10) + 200), less what the dog holds or a Petit that is in it.
    assert -2_238 <= contre.mean_score < -2_150
    assert contre.mean_score - 3 * contre.error_score < -2_200
    garde = found.contracts["garde"]
    assert garde.p_chelem_defence > 0.5
    assert garde.mean_score < -850
    for row in found.contracts.values():
        assert not row.announce_chelem
        assert row.announce_gain == pytest.approx(-600, abs=1)


# --- errors that hold -------------------------------------------------------------------


@cache
def comparisons(players: int) -> list[Comparison]:
    """Compare some of the hands of the benchmark with their kept answers."""
    answers = [read(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
    judge, found = Judge("cascade"), []
    for number, plan in enumerate(plans(players)):
        if number % 3 == 0:
            for contract in ("garde", "garde_contre"):
                some = [
                    row
                    for row in answers
                    if (row.players, row.hand, row.contract) == (players, number, contract)
                ]
                row = compare(plan, contract, some, judge)
                if row is not None:
                    found.append(row)
    return found


@PLAYERS
def test_intervals_hold_exact_scores(players: int) -> None:
    """Ten hands from certain sweeps to hopeless ones, with dogs and auctions."""
    rows = comparisons(players)
    assert len(rows) >= 12
    assert sum(row.holds for row in rows) >= 0.85 * len(rows)
    off = np.array([abs(row.off) for row in rows])
    before = np.array([abs(row.score_before - row.score[0]) for row in rows])
    assert off.mean() < before.mean()
    # Where all is proved nothing is left open.
    sure = [row for row in rows if row.error < 5]
    assert all(abs(row.off) < 15 for row in sure)


def test_intervals_hold_in_nineteen_of_twenty() -> None:
    rows = [row for players in (3, 4, 5) for row in comparisons(players)]
    assert sum(row.holds for row in rows) >= 0.92 * len(rows)


@PLAYERS
def test_chances_of_a_sweep_are_those_of_the_answers(players: int) -> None:
    rows = comparisons(players)
    worlds = np.array([row.worlds for row in rows], np.float64)
    for pairs in ([row.attack_sweeps for row in rows], [row.defence_sweeps for row in rows]):
        true, said = (np.array(column) @ worlds for column in zip(*pairs, strict=True))
        # The worlds that were answered are those that are less in doubt.
        assert said == pytest.approx(true, abs=max(4, 0.25 * float(worlds.sum())))


# --- the Petit au bout --------------------------------------------------------------------


@PLAYERS
def test_who_holds_the_petit(players: int) -> None:
    deals = some_deals(players)
    sides, columns = petit_evidence(deals, np.full(len(deals), 20.0))
    for row in range(len(deals)):
        position = deals.position(row)
        seat = next((s for s, hand in enumerate(position.hands) if 56 in hand), None)
        if seat is None:
            assert sides[row] == 0
            continue
        attacks = seat in position.attack
        assert sides[row] == (1 if attacks else -1)
        assert columns["ahead"][row] == (20 if attacks else -20)
        trumps = [len([card for card in hand if 56 <= card < 77]) for hand in position.hands]
        most = max(
            count for other, count in enumerate(trumps) if (other in position.attack) != attacks
        )
        assert columns["surplus"][row] == max(-4, min(5, trumps[seat] - most))
        assert columns["partner"][row] == (attacks and seat != 0)


@PLAYERS
def test_the_petit_is_won_by_its_holder_alone(players: int) -> None:
    deals = some_deals(players)
    sides, _ = petit_evidence(deals, np.zeros(len(deals)))
    ends = judged(deals)
    assert (abs(ends.petits) < 1).all()
    assert (np.sign(ends.petits) == sides).all()
    assert set(ends.sweep_petits[:, 0].tolist()) <= {0, 1}
    assert set(ends.sweep_petits[:, 1].tolist()) <= {0, -1}


# --- whether to announce ----------------------------------------------------------------


def with_ends(ends: Ends, **more: Any) -> Sample:
    """Return a sample of a Garde with these ends, every world of which is made."""
    n = len(ends.petits)
    sample = run_chunk(plan_of(4), 0).samples["garde"].first(n)
    return replace(sample, ends=ends, p_make=np.ones(n), bonus=np.zeros(n, np.int64), **more)


def test_announcing_is_worth_400_against_200() -> None:
    for chance in (0.0, 0.25, 0.5, 0.9, 1.0):
        ends = replace(
            ends_of([0] * 10, [0] * 10),
            sweeps=np.tile([chance, 0.0], (10, 1)), led=np.full(10, chance),
        )  # fmt: skip
        # 400 p − 200 beside what is scored anyhow, three defenders.
        expected = 3 * (400 * chance - 200)
        assert with_ends(ends).announcing.tolist() == pytest.approx([expected] * 10)


def test_the_lead_of_who_announces_counts() -> None:
    """A chelem that is made if the taker leads, and else fails, is better announced."""
    ends = replace(ends_of([0] * 10, [0] * 10), led=np.ones(10))
    sample = with_ends(ends)
    ordinary, attack, _ = sample.losses(sample.parts(sample.p_make))
    assert sample.announcing.tolist() == pytest.approx((3 * (attack + 200 - ordinary)).tolist())
    assert (sample.announcing > 600).all()


def test_rankings_announce_too() -> None:
    strong = "A:21,20,19,18,17,16,15,14,13,12,11,10,1,EX P:R,D C:R K:R"
    best = rank_discards(strong, "P:2 C:3 K:2 T:4,3,2", worlds=20, candidates=8, n_jobs=1)
    first = best.candidates[0]
    assert first.choice == Hand("P:2 C:3 K:2 T:4,3,2")
    assert first.p_chelem > 0.9
    assert first.announce_chelem
    assert 500 < first.announce_gain <= 600
    # 3 × (2 × (25 + 55 + 10) + 200 + 40), less a few Petits and tricks that are lost.
    assert 1_100 < first.mean_score <= 1_260
    weak = rank_discards(NOTHING, "K:4,3,2 T:4,3,2", worlds=20, candidates=8, n_jobs=1)
    assert weak.candidates[0].p_chelem_defence > 0.9
    # −3 × (2 × (25 + 56 + 10) + 200) with everything lost.
    assert -1_146 <= weak.candidates[0].mean_score < -1_000
    calls = rank_calls(
        "A:21,20,19,18,17,16,15,14,13,12,1,EX P:R,D C:R", worlds=20, n_jobs=1
    ).candidates
    assert calls[0].choice.name == "PR"
    assert calls[0].announce_chelem
    # Alone four times as much, with a partner twice.
    assert calls[0].mean_score > 1.5 * calls[1].mean_score


# --- the arrays ---------------------------------------------------------------------------


def test_parts_put_together_are_the_whole() -> None:
    ends = judged(deals_of(WINNERS, 4))
    assert_same(Ends.concatenate([ends[:7], ends[7:]]), ends)


def test_within_what_is_made() -> None:
    """A sweep of the attack is made, one of the defence failed; the rest is neither."""
    ends = replace(ends_of([0] * 3), sweeps=np.array([[0.9, 0.0], [0.2, 0.3], [0.0, 0.9]]))
    found = ends.within(np.array([0.5, 0.4, 0.6]))
    assert found == pytest.approx(np.array([[0.5, 0, 0.5], [0.2, 0.3, 0.5], [0, 0.4, 0.6]]))


def test_margins_stay_between_both_sweeps() -> None:
    ends = ends_of([0, 0], [1, -1], [110, -100])
    for shape in ((2,), (2, 1)):
        found = ends.inside(np.array([500.0, -500.0]).reshape(shape), 4)
        assert found.ravel().tolist() == [106.0, -96.0]
        assert ends.inside(np.full(shape, 20.0), 4).ravel().tolist() == [20.0, 20.0]
    assert ends.sweep_margins.tolist() == [[110, -FAR], [FAR, -100]]


@PLAYERS
def test_margins_are_stretched_but_keep_their_order(players: int) -> None:
    margins = np.linspace(-130, 130, 200)
    found = stretched(margins, players)
    assert (np.diff(found) > -1e-9).all()
    assert abs(found - margins).max() < 60


def test_judging_needs_no_luck() -> None:
    """The same deals have the same ends, alone and among others."""
    deals = deals_of(NOTHING, 4)
    evaluator = Evaluator(1 << 20)
    outcomes = evaluator.policy(deals)
    margins = np.zeros(len(deals))
    whole = judge_ends(evaluator, deals, [outcomes], margins)
    rows = np.arange(5, 10)
    part = judge_ends(Evaluator(1 << 20), deals[rows], [outcomes[rows]], margins[rows])
    assert_same(part, whole[5:10], rtol=1e-9, atol=1e-12)


def test_chances_tell_of_chelems() -> None:
    found: Chances = answer(WINNERS, worlds=50)
    record = found.to_dict()["contracts"]["garde"]
    assert record["announce_chelem"] is True
    assert record["p_chelem"] == found.contracts["garde"].p_chelem
    assert record["p_chelem_defence"] == 0
    assert record["announce_gain"] == found.contracts["garde"].announce_gain
