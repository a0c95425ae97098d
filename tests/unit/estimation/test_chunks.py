"""Chunks of worlds: what they depend on, how they are joined, and what a trial says."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, replace
from fractions import Fraction
from functools import cache
from threading import Thread
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tarot_sim.cards import BOUTS_MASK, Card, Hand
from tarot_sim.estimation.chunks import (
    CHUNK,
    FORECASTS,
    GROUPS,
    Plan,
    Trial,
    beside,
    bit_generator,
    draw_worlds,
    joined,
    judge_of_thread,
    leaders,
    run_chunk,
    run_trial,
)
from tarot_sim.estimation.judge import METHODS, Judge
from tarot_sim.rules import CONTRACTS, Contract, Rules
from tarot_sim.rules.discard import iter_discards
from tarot_sim.worlds._sampler import sample_worlds
from tarot_sim.worlds.bidding_model import read_auction
from tarot_sim.worlds.contract_deals import contract_deals
from tarot_sim.worlds.discards import choose_discard
from tests.reference.scoring import per_defender, scores

PLAYERS = pytest.mark.parametrize("players", [3, 4, 5])
HANDS = {
    3: Hand("A:20,17,13,9,6,2,1,EX P:R,10,8,3 C:D,C,7,2 K:9,6,5,1 T:V,10,9,4", size=24),
    4: Hand("A:20,19,14,8,5 P:R,D,6 C:C,10,4 K:R,4,3 T:V,9,2,1", size=18),
    5: Hand("A:20,16,12,3,2 P:R,9,6 C:10,4 K:V,3,1 T:D,9", size=15),
}
CALLED = Card.parse("TR")
#: Fields that have a row for each judged world.
JUDGED = (
    "makes", "fitted", "margins", "bouts", "petit_au_bout", "chelem", "shares", "bonus",
)  # fmt: skip


def plan_of(players: int = 4, **more: Any) -> Plan:
    defaults: dict[str, Any] = {"seed": 1, "method": "fast"}
    if players == 5:
        defaults["called"] = CALLED
    return Plan(HANDS[players], Rules(players=players), **(defaults | more))


@cache
def chunk(players: int, number: int = 0) -> tuple[dict[Contract, Trial], NDArray[np.int16]]:
    return run_chunk(plan_of(players), number)


def assert_same(one: Trial, two: Trial) -> None:
    for field in fields(Trial):
        first, second = getattr(one, field.name), getattr(two, field.name)
        assert np.array_equal(first, second), field.name


# --- chunks ---------------------------------------------------------------------------


@PLAYERS
def test_a_chunk(players: int) -> None:
    trials, features = chunk(players)
    assert CONTRACTS == tuple(trials)
    assert (FORECASTS, 16) == features.shape
    for contract, trial in trials.items():
        assert (contract, players) == (trial.contract, trial.players)
        assert trial.forecasts.shape == (FORECASTS, 6)
        assert ((trial.forecasts[:, 0] > 0) & (trial.forecasts[:, 0] < 1)).all()
        # The third figure is a bounded form of the second.
        makes, square, logit, margins, wide, near = trial.forecasts.T
        assert square == pytest.approx(makes**2)
        assert logit == pytest.approx(np.log(makes / (1 - makes)).clip(-11.52, 11.52), abs=1e-2)
        assert wide == pytest.approx(np.tanh(margins / 20))
        assert near == pytest.approx(np.tanh(margins / 8))
        for name in JUDGED:
            assert getattr(trial, name).shape == (CHUNK,), name
        assert trial.exact.shape == trial.proved.shape == (0,)
        assert ((trial.makes > 0) & (trial.makes < 1)).all()
        assert set(trial.bouts.tolist()) <= {0, 1, 2, 3}
        assert set(trial.petit_au_bout.tolist()) <= {-1, 0, 1}
        assert set(trial.chelem.tolist()) <= {-1, 0, 1}
    for name in JUDGED:
        # Prise and Garde lead to the same deals, the others to others.
        assert np.array_equal(getattr(trials["prise"], name), getattr(trials["garde"], name))
    assert not np.array_equal(trials["garde"].makes, trials["garde_sans"].makes)
    assert not np.array_equal(trials["garde_sans"].makes, trials["garde_contre"].makes)


@PLAYERS
def test_a_chunk_depends_on_its_number_alone(players: int) -> None:
    later = run_chunk(plan_of(players), 5)
    again, features = run_chunk(plan_of(players), 0)
    first, first_features = chunk(players)
    for contract in CONTRACTS:
        assert_same(first[contract], again[contract])
        assert not np.array_equal(later[0][contract].makes, again[contract].makes)
    assert np.array_equal(first_features, features)
    other, _ = run_chunk(plan_of(players, seed=4), 0)
    assert not np.array_equal(other["garde"].makes, first["garde"].makes)


def test_fewer_forecasts_are_the_first_ones() -> None:
    few, features = run_chunk(plan_of(), 0, 60)
    many, all_features = chunk(4)
    assert (60, 6) == few["garde"].forecasts.shape
    assert np.array_equal(all_features[:60], features)
    for contract in CONTRACTS:
        assert np.array_equal(many[contract].forecasts[:60], few[contract].forecasts)
        assert np.array_equal(many[contract].makes, few[contract].makes)


def test_features_are_those_of_the_worlds() -> None:
    """The dog is counted, and stands in the taker's hand for the rest."""
    _, features = chunk(4)
    worlds = draw_worlds(plan_of(), FORECASTS, 0, 0)
    for row, world in zip(features.tolist(), worlds, strict=True):
        dog = Hand(np.flatnonzero(world == 4).tolist())
        numbered = [
            len(Hand(np.flatnonzero(world == seat).tolist()) & Hand("A:" + ",".join(NUMBERS)))
            for seat in range(5)
        ]
        assert numbered[4] == row[0]
        assert (dog.mask & BOUTS_MASK).bit_count() == row[1]
        assert dog.half_points == row[2]
        assert len(dog & Hand("PR CR KR TR")) == row[3]
        assert numbered[0] + numbered[4] == row[4]
        assert max(numbered[1:4]) == row[6]


def test_a_partner_is_no_defender() -> None:
    """What is counted of the defence leaves out who holds the called card."""
    _, features = chunk(5)
    worlds = draw_worlds(plan_of(5), FORECASTS, 0, 0)
    numbered = Hand("A:" + ",".join(NUMBERS))
    for row, world in zip(features.tolist(), worlds, strict=True):
        trumps = [
            len(Hand(np.flatnonzero(world == seat).tolist()) & numbered)
            for seat in range(1, 5)
            if seat != world[CALLED]
        ]
        assert max(trumps) == row[6]


NUMBERS = [str(number) for number in range(1, 22)]


def test_a_chunk_with_exact_searches() -> None:
    hand = Hand("A:21,20,19,18,17,16,15,14,13,12,1,EX P:R,D C:R K:R T:R,D", size=18)
    plan = Plan(hand, Rules(), 0, "exact")
    trials, _ = run_chunk(plan, 0)
    cascade, _ = run_chunk(replace(plan, method="cascade"), 0)
    number = METHODS["exact"].exact_worlds
    assert 3 <= number <= CHUNK
    for contract, trial in trials.items():
        assert (number,) == trial.exact.shape == trial.proved.shape
        assert trial.proved.any()
        assert set(trial.exact[trial.proved].tolist()) <= {0.0, 1.0}
        assert np.array_equal(trial.makes, cascade[contract].makes)


# --- what worlds are drawn ------------------------------------------------------------


@PLAYERS
def test_worlds(players: int) -> None:
    plan = plan_of(players)
    worlds = draw_worlds(plan, 100, 0, 0)
    assert (100, 78) == worlds.shape
    assert (worlds[:, list(plan.hand)] == 0).all()
    assert len(np.unique(worlds, axis=0)) == 100
    assert np.array_equal(worlds, draw_worlds(plan, 100, 0, 0))
    for key in ((0, 1), (1,), (1, 0), ()):
        assert not np.array_equal(worlds, draw_worlds(plan, 100, *key))
    expected = sample_worlds(plan.hand, 0, plan.rules, 100, bit_generator(plan.seed, 0, 0))
    assert np.array_equal(expected, worlds)


def test_a_dog_that_is_seen() -> None:
    dog = Hand("A:21,3 P:2 C:V K:8 T:10")
    worlds = draw_worlds(plan_of(dog=dog), 50, 0)
    assert (worlds[:, list(dog)] == 4).all()
    assert ((worlds == 4).sum(axis=1) == 6).all()


def test_an_auction_chooses_the_worlds() -> None:
    rules = Rules()
    auction = read_auction(["garde"], rules)
    trumps = list(Hand("A:" + ",".join(NUMBERS)))
    given, plain = (draw_worlds(plan_of(auction=heard), 200, 0) for heard in (auction, None))
    assert (given[:, list(HANDS[4])] == 0).all()
    bidder = (auction.dealer + 1) % 4
    held = [(worlds[:, trumps] == bidder).sum(axis=1).mean() for worlds in (given, plain)]
    assert held[0] > held[1] + 1


@PLAYERS
def test_leaders(players: int) -> None:
    rules = Rules(players=players)
    for dealer in range(players):
        expected = [(dealer + 1) % players] * 7
        assert expected == leaders(plan_of(players, dealer=dealer), 9, 7).tolist()
        auction = read_auction([], rules, dealer)
        assert expected == leaders(plan_of(players, auction=auction), 0, 7).tolist()
    turns = leaders(plan_of(players), 0, 4 * players)
    assert turns.dtype == np.uint8
    assert list(range(players)) * 4 == turns.tolist()
    assert np.array_equal(turns[3:], leaders(plan_of(players), 3, 4 * players - 3))


def test_an_ecart_that_is_asked_for() -> None:
    plan = plan_of()
    worlds = draw_worlds(plan, 20, 0)
    seats = leaders(plan, 0, 20)
    rule = run_trial(
        replace(plan, discard=lambda cards: choose_discard(cards, plan.rules)),
        worlds, seats, "garde", 20,
    )  # fmt: skip
    default = run_trial(plan, worlds, seats, "garde", 20)
    other = run_trial(
        replace(plan, discard=lambda cards: list(iter_discards(cards, plan.rules))[-1]),
        worlds, seats, "garde", 20,
    )  # fmt: skip
    assert ["prise", "garde"] == list(default)
    assert_same(default["garde"], rule["garde"])
    assert not np.array_equal(default["garde"].makes, other["garde"].makes)


def test_groups_have_every_contract_once() -> None:
    assert CONTRACTS == tuple(name for names in GROUPS.values() for name in names)


def test_each_thread_has_its_judges() -> None:
    mine = [judge_of_thread("fast"), judge_of_thread("cascade")]
    assert judge_of_thread("fast") is mine[0]
    assert ["fast", "cascade"] == [judge.method for judge in mine]
    theirs: list[Judge] = []
    thread = Thread(target=lambda: theirs.append(judge_of_thread("fast")))
    thread.start()
    thread.join()
    assert theirs[0] is not mine[0]


# --- joining --------------------------------------------------------------------------


def numbered_trial(first: int, exact: int, judged: int, forecast: int) -> Trial:
    """Return a trial whose figures are the numbers of its worlds."""
    every = np.arange(first, first + forecast, dtype=np.float64)
    whole = every.astype(np.int64)
    return Trial(
        contract="garde",
        players=4,
        forecasts=np.column_stack([every, every + 0.25, every + 0.5]),
        makes=every[:judged],
        fitted=every[:judged],
        margins=every[:judged],
        bouts=whole[:judged],
        petit_au_bout=whole[:judged],
        chelem=whole[:judged],
        shares=whole[:judged],
        bonus=whole[:judged],
        exact=every[:exact],
        proved=every[:exact] % 2 == 1,
    )


def test_joined_trials_keep_each_world_together() -> None:
    trials = [
        numbered_trial(0, 2, 5, 9),
        numbered_trial(100, 0, 3, 3),
        numbered_trial(200, 4, 4, 10),
        numbered_trial(300, 1, 6, 8),
    ]
    whole = joined(trials)
    assert [0, 1, 200, 201, 202, 203, 300] == whole.exact.tolist()
    assert (whole.exact % 2 == 1).tolist() == whole.proved.tolist()
    rest = [2, 3, 4, 100, 101, 102, 301, 302, 303, 304, 305]
    assert [*whole.exact.tolist(), *rest] == whole.makes.tolist()
    for name in JUDGED:
        assert whole.makes.tolist() == getattr(whole, name).tolist()
    # The judged worlds come first among the forecasts, too.
    assert whole.makes.tolist() == whole.forecasts[: len(whole.makes), 0].tolist()
    every = sorted(number for trial in trials for number in trial.forecasts[:, 0].tolist())
    assert every == sorted(whole.forecasts[:, 0].tolist())
    assert (whole.forecasts[:, 2] - whole.forecasts[:, 0] == 0.5).all()


def test_one_trial_joined_is_itself() -> None:
    for trial in (numbered_trial(7, 3, 5, 9), chunk(5)[0]["garde"]):
        assert_same(trial, joined([trial]))


def test_the_first_worlds_of_a_trial() -> None:
    trial = numbered_trial(0, 4, 8, 20)
    for n in (1, 3, 4, 6, 8):
        first = trial.first(n)
        for name in JUDGED:
            assert list(range(n)) == getattr(first, name).tolist()
        assert list(range(min(n, 4))) == first.exact.tolist()
        assert min(n, 4) == len(first.proved)
        assert np.array_equal(trial.forecasts, first.forecasts)


# --- scores ---------------------------------------------------------------------------


def sure_trial(contract: Contract, players: int, rows: Iterable[tuple[int, ...]]) -> Trial:
    """Return worlds of which all is known: margin, bouts, Petit, chelem, shares, bonus."""
    table = np.array(list(rows))
    margins = table[:, 0].astype(np.float64)
    makes = (margins >= 0).astype(np.float64)
    return Trial(
        contract=contract,
        players=players,
        forecasts=np.column_stack([makes, margins, margins]),
        makes=makes,
        fitted=margins,
        margins=margins,
        bouts=table[:, 1],
        petit_au_bout=table[:, 2],
        chelem=table[:, 3],
        shares=table[:, 4],
        bonus=table[:, 5],
        exact=np.zeros(0),
        proved=np.zeros(0, np.bool_),
    )


def taker_score(
    contract: Contract, players: int, row: tuple[int, ...], partner: bool, shown: bool
) -> int:
    """Return the score of the published rules."""
    margin, bouts, petit, chelem, _, bonus = row
    level = {0: [], 20: ["simple"], 30: ["double"], 40: ["triple"]}[bonus if shown else 0]
    points = (56, 51, 41, 36)[bouts] + Fraction(margin, 2)
    value = per_defender(
        contract, points, bouts, petit_au_bout=petit, chelem=chelem, poignees=level
    )
    return scores(players, value, partner=partner)["taker"]


ROWS = [
    (0, 3, 0, 0), (2, 1, 1, 0), (40, 2, 0, 0), (110, 3, 1, 1), (8, 2, -1, 0),
    (-2, 0, 0, 0), (-24, 1, -1, 0), (-60, 1, 1, 0), (-112, 0, 0, -1),
]  # fmt: skip


@pytest.mark.parametrize(("players", "partner"), [(3, False), (4, False), (5, True), (5, False)])
@pytest.mark.parametrize("contract", CONTRACTS)
@pytest.mark.parametrize("bonus", [0, 20, 40])
def test_scores_where_all_is_known(
    players: int, partner: bool, contract: Contract, bonus: int
) -> None:
    shares = 2 if partner else players - 1
    rows = [(*row, shares, bonus) for row in ROWS]
    made = [row for row in rows if row[0] >= 0]
    for some, shown in ((made, True), (rows, True), ([row for row in rows if row[0] < 0], False)):
        trial = sure_trial(contract, players, some)
        assert (shown and bonus > 0) == trial.shows_poignee
        expected = [taker_score(contract, players, row, partner, shown) for row in some]
        # At 3 and 5 players a quarter of a point stands for the half points rounded.
        extra = 0.0 if players == 4 else 0.25
        factor = {"prise": 1, "garde": 2, "garde_sans": 4, "garde_contre": 6}[contract]
        rounding = [extra * factor * shares * (1 if row[0] >= 0 else -1) for row in some]
        found = trial.scores - np.array(rounding)
        assert expected == pytest.approx(found.tolist())
        won = [shares * bonus * (1 if row[0] >= 0 else -1) for row in some]
        assert won == pytest.approx(trial.poignees.tolist())


def test_scores_after_an_exact_search() -> None:
    """A world that was thought lost and is made, one the other way round, and one left open."""
    trial = replace(
        sure_trial("garde", 5, [(-60, 2, 0, 0, 2, 20), (60, 2, 1, 0, 4, 20), (60, 2, 0, 0, 2, 20)]),
        exact=np.array([1.0, 0.0, 1.0]), proved=np.array([True, True, False]),
    )  # fmt: skip
    assert trial.shows_poignee
    # Far on the other side of the border the margin is next to it: about 0, or −1 half point.
    made, failed, same = trial.exact_scores.tolist()
    assert 2 * (2 * 25.25 + 20) <= made < 2 * (2 * 30 + 20)
    assert 4 * (-2 * 30 + 20 - 20) < failed <= 4 * (-2 * 25.75 + 20 - 20)
    assert same == pytest.approx(trial.scores[2], abs=0.1)
    changed = [made - trial.scores[0], trial.scores[1] - failed]
    assert changed == pytest.approx(trial.stakes(2).tolist(), abs=0.1)
    hidden = replace(trial, bonus=np.zeros(3, np.int64))
    assert made - 2 * 20 == pytest.approx(hidden.exact_scores[0])


def test_half_points_are_a_quarter_of_a_point_on_average() -> None:
    """Of equally many margins with and without a half point, all rounded away from zero."""
    margins = [*range(100), *range(-100, 0)]
    rows = [(margin, 2, 0, 0, 2, 0) for margin in margins]
    for some in (rows[:100], rows[100:]):
        trial = sure_trial("garde", 3, some)
        expected = np.mean([taker_score("garde", 3, row, False, False) for row in some])
        assert expected == pytest.approx(trial.scores.mean())


@pytest.mark.parametrize("contract", CONTRACTS)
def test_the_spread_where_all_is_known(contract: Contract) -> None:
    """Far from the border the spread is around the margin, and each score a possible one."""
    rows = [(*row, 3, 20) for row in ROWS]
    trial = sure_trial(contract, 4, rows)
    values, weights = trial.score_spread()
    margins, same = trial.points_spread()
    assert (len(rows), 8) == values.shape == weights.shape == margins.shape
    assert np.array_equal(weights, same)
    assert [1.0] * len(rows) == pytest.approx(weights.sum(axis=1).tolist())
    for row, points, found, weight in zip(rows, margins, values, weights, strict=True):
        for margin, score, probability in zip(points, found, weight, strict=True):
            known = (round(2 * margin), *row[1:])
            expected = taker_score(contract, 4, known, False, trial.shows_poignee)
            assert expected == score
            assert (probability > 0) == ((margin >= 0) == (row[0] >= 0))


@PLAYERS
def test_points(players: int) -> None:
    trial = chunk(players)[0]["garde"]
    for bouts, margin, points in zip(trial.bouts, trial.margins, trial.points, strict=True):
        assert (56, 51, 41, 36)[bouts] + margin / 2 == pytest.approx(points)


@PLAYERS
def test_shares_and_poignees(players: int) -> None:
    """Counted anew from the deals of the chunk."""
    plan = plan_of(players)
    worlds = draw_worlds(plan, FORECASTS, 0, 0)[:CHUNK]
    seats = leaders(plan, 0, CHUNK)
    trumps = Hand("EX A:" + ",".join(NUMBERS))
    for contract, trial in chunk(players)[0].items():
        deals = contract_deals(worlds, plan.rules, contract, seats, called=plan.called)
        for row in range(CHUNK):
            alone = players < 5 or worlds[row, CALLED] in (0, players)
            assert (players - 1 if alone else 2) == trial.shares[row]
            own = deals.owners[row] == 0
            if contract in ("prise", "garde"):
                own |= deals.owners[row] == players  # the écart
            held = len(Hand(np.flatnonzero(own).tolist()) & trumps)
            bonus = 0
            for size, worth in zip(plan.rules.poignee_trumps, (20, 30, 40), strict=True):
                bonus = worth if held >= size else bonus
            assert bonus == trial.bonus[row]
    assert players < 5 or len(set(chunk(5)[0]["garde"].shares.tolist())) == 2


def test_trumps_in_the_ecart_count_for_a_poignee() -> None:
    """Fifteen trumps, one of which has to go: a triple all the same."""
    hand = Hand("A:21,20,19,18,17,16,15,14,13,12,11,10 P:R,2 C:R,4 K:R T:R")
    plan = Plan(hand, Rules(), 0, "fast", dog=Hand("A:9,8,7 P:3 C:5 T:6"))
    worlds = draw_worlds(plan, CHUNK, 0)
    worth: dict[Contract, int] = {"garde": 40, "garde_sans": 20}
    for contract, bonus in worth.items():
        trials = run_trial(plan, worlds, leaders(plan, 0, CHUNK), contract, CHUNK)
        assert {bonus} == set(trials[contract].bonus.tolist())


# --- beside another taker -------------------------------------------------------------


@PLAYERS
@pytest.mark.parametrize("contract", ["garde", "garde_sans"])
def test_beside_another_taker(players: int, contract: Contract) -> None:
    """World by world, the taker calling the first Roi that he lacks."""
    plan = replace(plan_of(players), called=None)
    taker = players - 1
    worlds = draw_worlds(plan, 40, 8)
    seats = leaders(plan, 0, 40)
    found = beside(plan, worlds, seats, contract, taker)
    judge = Judge("fast")
    factor = {"garde": 2, "garde_sans": 4}[contract]
    partners = 0
    for row, world in enumerate(worlds):
        called = None
        if players == 5:
            rois = [Card.parse(name) for name in ("PR", "CR", "KR", "TR")]
            called = next(roi for roi in rois if world[roi] != taker)
        deal = contract_deals(
            world[None], plan.rules, contract, seats[row : row + 1], taker=taker, called=called
        )
        forecast = judge.forecast(deal, taker)
        base = 25 if players == 4 else 25.25
        loss = factor * (base * (2 * forecast.makes[0] - 1) + forecast.margins[0] / 2)
        helps = called is not None and world[called] == 0
        partners += helps
        assert (loss if helps else -loss) == pytest.approx(found[row])
    assert (partners > 0) == (players == 5)


def test_beside_a_taker_with_four_rois() -> None:
    plan = replace(
        plan_of(5), hand=Hand("A:20,16,12,3,2 P:D,9,6 C:10,4 K:V,3,1 T:D,9"), called=None
    )
    worlds = draw_worlds(plan, 3, 8)
    for roi in ("PR", "CR", "KR", "TR"):
        # The taker gets the Roi for a pip of his.
        card = Card.parse(roi)
        for world in worlds:
            pip = next(c for c in np.flatnonzero(world == 2) if c % 14 < 10 and c < 56)
            world[pip], world[card] = world[card], 2
    found = beside(plan, worlds, leaders(plan, 0, 3), "garde", 2)
    # He calls the Dame of spades, which the player holds: they play together.
    called = Card.parse("PD")
    deals = contract_deals(worlds, plan.rules, "garde", leaders(plan, 0, 3), taker=2, called=called)
    assert (deals.attack == 0b101).all()
    forecast = Judge("fast").forecast(deals, 2)
    loss = 2 * (25.25 * (2 * forecast.makes - 1) + forecast.margins / 2)
    assert loss.tolist() == pytest.approx(found.tolist())
