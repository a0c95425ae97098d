"""Chunks of worlds: what they depend on, and what is found in them."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from threading import Thread

import numpy as np
import pytest

from tarot_sim.cards import BOUTS_MASK, Hand
from tarot_sim.estimation.chunks import (
    CHUNK,
    FORECASTS,
    GROUPS,
    Chunk,
    forecasts_of,
    judge_of_thread,
    run_chunk,
    sample_contract,
)
from tarot_sim.estimation.judge import METHODS, Judge
from tarot_sim.estimation.plan import Plan, Stream, draw_worlds, leaders
from tarot_sim.estimation.sample import JUDGED
from tarot_sim.rules import CONTRACTS, Contract, Rules
from tarot_sim.rules.discard import iter_discards
from tarot_sim.worlds._counts import COUNTS_DTYPE, world_counts
from tarot_sim.worlds.contract_deals import attack_of, contract_deals
from tarot_sim.worlds.discards import choose_discard
from tests.some_deals import CALLED, plan_of
from tests.some_ends import assert_same

PLAYERS = pytest.mark.parametrize("players", [3, 4, 5])
NUMBERS = [str(number) for number in range(1, 22)]


@cache
def chunk(players: int, number: int = 0) -> Chunk:
    return run_chunk(plan_of(players), number)


# --- chunks ---------------------------------------------------------------------------


@PLAYERS
def test_worlds_are_counted_with_the_dog_where_the_contract_has_it(players: int) -> None:
    plan = plan_of(players)
    worlds = draw_worlds(plan, FORECASTS, Stream.WORLDS, 0)
    attack = attack_of(worlds, plan.rules, 0, plan.called)
    for contracts, takes_dog in ((("garde", "garde_sans"), True), (("garde_contre",), False)):
        expected = world_counts(worlds, 0, attack, players, takes_dog)
        found = run_chunk(plan, 0, contracts=contracts)  # type: ignore[arg-type]
        assert np.array_equal(expected, found.counts)


@PLAYERS
def test_a_chunk(players: int) -> None:
    samples = chunk(players).samples
    assert CONTRACTS == tuple(samples)
    assert (FORECASTS,) == chunk(players).counts.shape
    assert chunk(players).counts.dtype == COUNTS_DTYPE
    for contract, sample in samples.items():
        assert (contract, players) == (sample.contract, sample.players)
        assert sample.controls.shape == (FORECASTS, 6)
        assert ((sample.controls[:, 0] > 0) & (sample.controls[:, 0] < 1)).all()
        # The last two are bounded forms of the margin.
        p_make, square, logit, margins, wide, near = sample.controls.T
        assert square == pytest.approx(p_make**2)
        assert logit == pytest.approx(np.log(p_make / (1 - p_make)).clip(-11.52, 11.52), abs=1e-2)
        assert wide == pytest.approx(np.tanh(margins / 20))
        assert near == pytest.approx(np.tanh(margins / 8))
        for name in {*JUDGED} - {"ends"}:
            assert getattr(sample, name).shape == (CHUNK,), name
        assert sample.ends.petits.shape == sample.chelems.shape[:1] == (CHUNK,)
        assert sample.exact.shape == sample.proved.shape == (0,)
        assert ((sample.p_make > 0) & (sample.p_make < 1)).all()
        assert set(sample.bouts.tolist()) <= {0, 1, 2, 3}
        assert (abs(sample.petit_au_bout) <= 1).all()
        assert ((sample.chelems >= 0) & (sample.chelems <= 1)).all()
        assert (sample.chelems.sum(axis=1) <= 1).all()
    for name in JUDGED:
        # Prise and Garde lead to the same deals, the others to others.
        assert_same(getattr(samples["prise"], name), getattr(samples["garde"], name), name)
    assert not np.array_equal(samples["garde"].p_make, samples["garde_sans"].p_make)
    assert not np.array_equal(samples["garde_sans"].p_make, samples["garde_contre"].p_make)


@PLAYERS
def test_a_chunk_depends_on_its_number_alone(players: int) -> None:
    later = run_chunk(plan_of(players), 5).samples
    again = run_chunk(plan_of(players), 0)
    first = chunk(players)
    for contract in CONTRACTS:
        assert_same(first.samples[contract], again.samples[contract])
        assert not np.array_equal(later[contract].p_make, again.samples[contract].p_make)
    assert np.array_equal(first.counts, again.counts)
    other = run_chunk(plan_of(players, seed=4), 0)
    assert not np.array_equal(other.samples["garde"].p_make, first.samples["garde"].p_make)


def test_fewer_forecasts_are_the_first_ones() -> None:
    part, whole = run_chunk(plan_of(), 0, 60), chunk(4)
    few, many = part.samples, whole.samples
    assert (60, 6) == few["garde"].controls.shape
    assert np.array_equal(whole.counts[:60], part.counts)
    for contract in CONTRACTS:
        assert np.array_equal(many[contract].controls[:60], few[contract].controls)
        assert np.array_equal(many[contract].p_make, few[contract].p_make)


def test_counts_are_those_of_the_worlds() -> None:
    """The dog is counted, and stands in the taker's hand for the rest."""
    counts = chunk(4).counts
    worlds = draw_worlds(plan_of(), FORECASTS, Stream.WORLDS, 0)
    for row, world in zip(counts, worlds, strict=True):
        dog = Hand(np.flatnonzero(world == 4).tolist())
        numbered = [
            len(Hand(np.flatnonzero(world == seat).tolist()) & Hand("A:" + ",".join(NUMBERS)))
            for seat in range(5)
        ]
        assert numbered[4] == row["dog_trumps"]
        assert (dog.mask & BOUTS_MASK).bit_count() == row["dog_bouts"]
        assert dog.half_points == row["dog_half_points"]
        assert len(dog & Hand("PR CR KR TR")) == row["dog_rois"]
        assert numbered[0] + numbered[4] == row["trumps"]
        assert max(numbered[1:4]) == row["longest_defender"]


def test_a_partner_is_no_defender() -> None:
    """What is counted of the defence leaves out who holds the called card."""
    counts = chunk(5).counts
    worlds = draw_worlds(plan_of(5), FORECASTS, Stream.WORLDS, 0)
    numbered = Hand("A:" + ",".join(NUMBERS))
    for row, world in zip(counts, worlds, strict=True):
        trumps = [
            len(Hand(np.flatnonzero(world == seat).tolist()) & numbered)
            for seat in range(1, 5)
            if seat != world[CALLED]
        ]
        assert max(trumps) == row["longest_defender"]


def test_a_chunk_with_exact_searches() -> None:
    hand = Hand("A:21,20,19,18,17,16,15,14,13,12,1,EX P:R,D C:R K:R T:R,D", size=18)
    plan = Plan(hand, Rules(), 0, "exact")
    samples = run_chunk(plan, 0).samples
    cascade = run_chunk(replace(plan, method="cascade"), 0).samples
    number = METHODS["exact"].exact_worlds
    assert 3 <= number <= CHUNK
    for contract, sample in samples.items():
        assert (number,) == sample.exact.shape == sample.proved.shape
        assert sample.proved.any()
        assert set(sample.exact[sample.proved].tolist()) <= {0.0, 1.0}
        assert np.array_equal(sample.p_make, cascade[contract].p_make)


def test_an_ecart_that_is_asked_for() -> None:
    plan = plan_of()
    worlds = draw_worlds(plan, 20, Stream.WORLDS)
    seats = leaders(plan, 0, 20)
    rule = sample_contract(
        replace(plan, discard=lambda cards: choose_discard(cards, plan.rules)),
        worlds, seats, "garde", 20,
    )  # fmt: skip
    default = sample_contract(plan, worlds, seats, "garde", 20)
    other = sample_contract(
        replace(plan, discard=lambda cards: list(iter_discards(cards, plan.rules))[-1]),
        worlds, seats, "garde", 20,
    )  # fmt: skip
    assert ["prise", "garde"] == list(default)
    assert_same(default["garde"], rule["garde"])
    assert not np.array_equal(default["garde"].p_make, other["garde"].p_make)


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


@PLAYERS
def test_multipliers_and_poignees(players: int) -> None:
    """Counted anew from the deals of the chunk."""
    plan = plan_of(players)
    worlds = draw_worlds(plan, FORECASTS, Stream.WORLDS, 0)[:CHUNK]
    seats = leaders(plan, 0, CHUNK)
    trumps = Hand("EX A:" + ",".join(NUMBERS))
    for contract, sample in chunk(players).samples.items():
        deals = contract_deals(worlds, plan.rules, contract, seats, called=plan.called)
        for row in range(CHUNK):
            alone = players < 5 or worlds[row, CALLED] in (0, players)
            assert (players - 1 if alone else 2) == sample.multipliers[row]
            own = deals.owners[row] == 0
            if contract in ("prise", "garde"):
                own |= deals.owners[row] == players  # the écart
            held = len(Hand(np.flatnonzero(own).tolist()) & trumps)
            bonus = 0
            for size, worth in zip(plan.rules.poignee_trumps, (20, 30, 40), strict=True):
                bonus = worth if held >= size else bonus
            assert bonus == sample.bonus[row]
    assert players < 5 or len(set(chunk(5).samples["garde"].multipliers.tolist())) == 2


def test_trumps_in_the_ecart_count_for_a_poignee() -> None:
    """Fifteen trumps, one of which has to go: a triple all the same."""
    hand = Hand("A:21,20,19,18,17,16,15,14,13,12,11,10 P:R,2 C:R,4 K:R T:R")
    plan = Plan(hand, Rules(), 0, "fast", dog=Hand("A:9,8,7 P:3 C:5 T:6"))
    worlds = draw_worlds(plan, CHUNK, Stream.WORLDS)
    worth: dict[Contract, int] = {"garde": 40, "garde_sans": 20}
    for contract, bonus in worth.items():
        samples = sample_contract(plan, worlds, leaders(plan, 0, CHUNK), contract, CHUNK)
        assert {bonus} == set(samples[contract].bonus.tolist())


def test_forecasts_are_joined_where_a_contract_was_asked_for() -> None:
    chunks = [run_chunk(plan_of(), 0, 60), run_chunk(plan_of(), 1, 60, ("garde_sans",))]
    chunks.append(run_chunk(plan_of(), 2, 60))
    assert {"garde_sans"} == set(chunks[1].samples)
    asked: tuple[tuple[Contract, tuple[int, ...]], ...] = (
        ("garde", (0, 2)), ("garde_sans", (0, 1, 2)),
    )  # fmt: skip
    for contract, numbers in asked:
        counts, p_make = forecasts_of(chunks, contract)
        assert (60 * len(numbers),) == counts.shape == p_make.shape
        for place, number in enumerate(numbers):
            rows = slice(60 * place, 60 * place + 60)
            assert np.array_equal(chunks[number].counts, counts[rows])
            sample = chunks[number].samples[contract]
            assert np.array_equal(sample.controls[:, 0], p_make[rows])
