"""Batches of deals, narrow searches and policy play-outs."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tarot_sim._core import RESULT_DTYPE
from tarot_sim.cards import BOUTS_MASK, EXCUSE, Hand
from tarot_sim.errors import OptionError, PositionError
from tarot_sim.estimation._evaluate import Evaluator
from tarot_sim.rules import CONTRACTS, TARGETS, TOTAL_HALF_POINTS, Contract, Rules
from tarot_sim.solver._solver import Objective, Solver
from tarot_sim.solver.limit import Limit
from tarot_sim.solver.widths import ALL_MOVES, Widths
from tarot_sim.worlds._sampler import sample_worlds
from tarot_sim.worlds.batch import Deals
from tarot_sim.worlds.contract_deals import contract_deals
from tests.endings import random_position
from tests.some_deals import some_deals

NEED = np.array([2 * target for target in TARGETS])
POINTS = Objective()
MARGIN = Objective([2 * target for target in TARGETS])
NARROW = Widths(attack_lead=2, attack_reply=1, defence_lead=2, defence_reply=2)

PLAYERS = pytest.mark.parametrize("players", [3, 4, 5])


# --- deals ----------------------------------------------------------------------------


def test_rows_are_taken_as_from_an_array() -> None:
    deals = some_deals(4, "garde_contre")
    assert len(deals) == 30
    for rows in (slice(3, 9), np.array([5, 5, 0]), deals.half_points > 10, slice(0, 0)):
        part = deals[rows]
        assert (part.rules, part.contract) == (deals.rules, "garde_contre")
        for field in ("owners", "attack", "leader", "half_points", "bouts", "called"):
            assert np.array_equal(getattr(part, field), getattr(deals, field)[rows])


def broken(field: str, value: Any) -> Deals:
    return replace(some_deals(4, "garde", 2), **{field: value})


@pytest.mark.parametrize(
    ("message", "field", "value"),
    [
        ("owners: expected an array of uint8", "owners", np.zeros((6, 78), np.int64)),
        ("owners: expected an array of uint8", "owners", np.zeros((6, 77), np.uint8)),
        ("owners: seat 0 does not hold 18 cards", "owners", np.zeros((6, 78), np.uint8)),
        ("attack: expected an array of uint8", "attack", np.ones(6, np.int16)),
        ("attack: expected an array of uint8", "attack", np.ones(5, np.uint8)),
        ("attack: neither nobody nor everybody", "attack", np.zeros(6, np.uint8)),
        ("attack: neither nobody nor everybody", "attack", np.full(6, 15, np.uint8)),
        ("leader: expected an array of uint8", "leader", np.zeros((6, 1), np.uint8)),
        ("leader: seat 4", "leader", np.full(6, 4, np.uint8)),
        ("half_points: expected an array of int16", "half_points", np.zeros(6)),
        ("bouts: expected an array of uint8", "bouts", np.zeros(7, np.uint8)),
        ("called: expected an array of uint8", "called", np.zeros(6, np.int8)),
        ("contract: 'passe' is not one of prise, pousse", "contract", "passe"),
    ],
)
def test_wrong_deals_are_refused(message: str, field: str, value: Any) -> None:
    # A wrong array, or contract, is another fault than deals that cannot be.
    wrong = OptionError if "expected" in message or field == "contract" else PositionError
    with pytest.raises(wrong, match=message):
        broken(field, value)


# --- the policy -----------------------------------------------------------------------


def assert_possible(outcomes: NDArray[np.void], deals: Deals) -> None:
    points, bouts = outcomes["attack_half_points"], outcomes["bouts"]
    assert outcomes.dtype == RESULT_DTYPE
    assert ((deals.half_points <= points + 8) & (points <= TOTAL_HALF_POINTS)).all()
    assert ((bouts >= 0) & (bouts <= 3)).all()
    assert (abs(outcomes["petit_au_bout"]) <= 1).all()
    assert (abs(outcomes["chelem"]) <= 1).all()
    if deals.rules.players == 4:
        assert (points % 2 == 0).all()
    # Neither camp has fewer points than its bouts, of which the Excuse may be paid for.
    least = 9 * bouts.astype(int) - (bouts > 0)
    most = TOTAL_HALF_POINTS - 9 * (3 - bouts.astype(int)) + (bouts < 3)
    assert ((least <= points) & (points <= most)).all()


@PLAYERS
@pytest.mark.parametrize("contract", CONTRACTS)
def test_policy_plays_whole_games(players: int, contract: Contract) -> None:
    deals = some_deals(players, contract, 200)
    outcomes = Evaluator().policy(deals)
    assert outcomes.shape == (600,)
    assert_possible(outcomes, deals)
    makes = (outcomes["attack_half_points"] >= NEED[outcomes["bouts"]]).reshape(3, 200).mean(axis=1)
    # Better hands make more contracts.
    assert makes[0] >= makes[1] >= makes[2]
    assert makes[0] - makes[2] > 0.5


@PLAYERS
def test_policy_is_within_the_double_dummy_bounds(players: int) -> None:
    """No play-out beats what the solver proves of either camp's best play."""
    solver = Solver()
    deals = some_deals(players, "garde", 20)
    outcomes = Evaluator().policy(deals)
    for row, outcome in enumerate(outcomes):
        low, high = solver.bounds(deals.position(row), POINTS)
        assert low <= outcome["attack_half_points"] <= high


# --- narrow and full searches ---------------------------------------------------------


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("contract", ["garde", "garde_sans", "garde_contre"])
@pytest.mark.parametrize("objective", [POINTS, MARGIN], ids=["points", "margin"])
def test_full_width_is_exact(players: int, contract: Contract, objective: Objective) -> None:
    """With no list cut the verdict is the solver's, wherever both can finish."""
    nodes = 20_000
    deals = some_deals(players, contract, 4, hands="strong hopeless")
    evaluator, solver = Evaluator(), Solver()
    compared = 0
    thresholds = (-80, -40, 0, 40) if objective is MARGIN else (20, 60, 100, 140)
    answers = set()
    for threshold in thresholds:
        verdicts, counts = evaluator.reaches(deals, objective, threshold, ALL_MOVES, nodes)
        assert set(verdicts.tolist()) <= {-1, 0, 1}
        assert (counts <= nodes + 1).all()
        for row in range(len(deals)):
            solver.clear()
            answer, _ = solver.at_least(
                deals.position(row), objective, threshold, limit=Limit(nodes)
            )
            if answer is not None and verdicts[row] >= 0:
                assert answer == verdicts[row]
                compared += 1
                answers.add(answer)
    assert compared >= 10
    assert answers == {False, True}


def sorted_deals(players: int, n: int) -> Deals:
    """Return deals of a pack in its order but for a few cards: quickly searched."""
    rules, random = Rules(players=players), Random(players)
    places = [seat for seat in range(players) for _ in range(rules.hand_size)]
    pack = [players] * rules.dog_size + places[::-1]
    owners = np.array([pack] * n, np.uint8)
    for row in owners:
        for _ in range(random.randint(0, 3)):
            some, other = random.sample(range(78), 2)
            row[some], row[other] = row[other], row[some]
    return Deals(
        rules,
        owners,
        attack=np.full(n, 1 if players < 5 else 3, np.uint8),
        leader=(np.arange(n) % players).astype(np.uint8),
        half_points=np.zeros(n, np.int16),
        bouts=np.zeros(n, np.uint8),
        called=np.full(n, 255, np.uint8),
    )


@pytest.mark.parametrize("players", [4, 5])
def test_full_width_value_is_exact(players: int) -> None:
    limit = 100_000
    deals = sorted_deals(players, 30)
    guesses = np.full(len(deals), 80, np.int16)
    outcomes, bounds, nodes = Evaluator().values(deals, MARGIN, guesses, ALL_MOVES, limit)
    finished = np.flatnonzero((bounds[:, 0] == bounds[:, 1]) & (nodes < limit))
    assert finished.size >= 4
    for row in finished:
        low, high, _ = Solver().value(deals.position(int(row)), MARGIN)
        assert low == high == bounds[row, 0]
        outcome = outcomes[row]
        assert low == outcome["attack_half_points"] - NEED[outcome["bouts"]]
        # The value is where the verdicts change.
        one = deals[row : row + 1]
        for threshold, answer in ((low, 1), (low + 1, 0)):
            verdict, _ = Evaluator().reaches(one, MARGIN, threshold, ALL_MOVES, limit)
            assert verdict[0] in (answer, -1)


@PLAYERS
def test_one_sided_widths_prove(players: int) -> None:
    """What the attack reaches by some moves it reaches; so for the defence."""
    deals = some_deals(players, "garde_contre", 6)
    evaluator, solver = Evaluator(), Solver()
    proofs = set()
    for threshold in (20, 60, 80, 100, 140):
        made, _ = evaluator.reaches(deals, POINTS, threshold, Widths(1, 1, 255, 255), 20_000)
        failed, _ = evaluator.reaches(deals, POINTS, threshold, Widths(255, 255, 1, 1), 20_000)
        assert not ((made == 1) & (failed == 0)).any()
        for row in np.flatnonzero((made == 1) | (failed == 0)):
            answer, _ = solver.at_least(
                deals.position(int(row)), POINTS, threshold, limit=Limit(200_000)
            )
            if answer is not None:
                assert answer == (made[row] == 1)
                proofs.add(answer)
    assert proofs == {False, True}


@PLAYERS
def test_narrow_values_nearly_agree_with_their_lines(players: int) -> None:
    """Not always: what a narrow search keeps in its table comes from other move lists."""
    deals = some_deals(players, "garde", 30)
    guesses = np.zeros(len(deals), np.int16)
    outcomes, bounds, nodes = Evaluator().values(deals, MARGIN, guesses, Widths(2, 1, 2, 1), 20_000)
    assert_possible(outcomes, deals)
    assert (nodes > 0).all()
    assert (bounds[:, 0] <= bounds[:, 1]).all()
    finished = bounds[:, 0] == bounds[:, 1]
    assert finished.mean() > 0.9
    margins = outcomes["attack_half_points"].astype(int) - NEED[outcomes["bouts"]]
    assert (margins == bounds[:, 0])[finished].mean() > 0.85


def test_the_guess_does_not_matter_where_the_search_ends() -> None:
    deals = some_deals(4, "garde", 15)
    found = []
    for guess in (-60, 0, 60):
        guesses = np.full(len(deals), guess, np.int16)
        found.append(Evaluator().values(deals, MARGIN, guesses, ALL_MOVES, 100_000)[1])
    low = np.max([bounds[:, 0] for bounds in found], axis=0)
    high = np.min([bounds[:, 1] for bounds in found], axis=0)
    # No cut: the bounds of different searches of one deal overlap.
    assert (low <= high).all()
    assert (low == high).sum() > len(deals) // 10


# --- a judgement depends on its deal alone --------------------------------------------


def judged(evaluator: Evaluator, deals: Deals) -> tuple[NDArray[Any], ...]:
    guesses = np.zeros(len(deals), np.int16)
    return (
        evaluator.policy(deals),
        *evaluator.values(deals, MARGIN, guesses, Widths(2, 1, 2, 1), 5_000),
        *evaluator.reaches(deals, MARGIN, 0, NARROW, 3_000),
    )


@PLAYERS
def test_order_and_batches_do_not_matter(players: int) -> None:
    deals = some_deals(players, "garde", 8)
    expected = judged(Evaluator(), deals)
    used = Evaluator()
    judged(used, some_deals(players, "garde_sans", 5, seed=9))
    selections: list[Any] = [
        np.arange(24)[::-1],
        np.random.default_rng(1).permutation(24),
        np.array([7, 7, 3, 7]),
        *(slice(start, start + 5) for start in range(0, 24, 5)),
    ]
    for rows in selections:
        for whole, part in zip(expected, judged(used, deals[rows]), strict=True):
            assert np.array_equal(whole[rows], part)


def test_threads_each_have_their_own() -> None:
    deals = some_deals(4, "garde", 8)
    expected = judged(Evaluator(), deals)
    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(lambda _: judged(Evaluator(), deals), range(4)):
            assert all(map(np.array_equal, expected, found))


def test_one_evaluator_is_not_for_two_threads() -> None:
    """The second is told, whichever it is; neither gets a wrong answer."""
    deals, evaluator = some_deals(4, "garde", 40), Evaluator()
    expected = Evaluator().reaches(deals, MARGIN, 0, NARROW, 20_000)[0]
    refused: list[str] = []
    ready = threading.Barrier(2)

    def work() -> None:
        ready.wait()
        for _ in range(10):
            try:
                found, _ = evaluator.reaches(deals, MARGIN, 0, NARROW, 20_000)
            except RuntimeError as error:
                refused.append(str(error))
            else:
                assert np.array_equal(found, expected)

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(refused) == {"this evaluator is at work in another thread; use one a thread"}
    assert np.array_equal(evaluator.reaches(deals, MARGIN, 0, NARROW, 20_000)[0], expected)


# --- arguments ------------------------------------------------------------------------


def test_no_deals() -> None:
    nothing = some_deals(4, "garde")[:0]
    outcomes, bounds, nodes = Evaluator().values(nothing, MARGIN, np.zeros(0, np.int16), NARROW, 10)
    assert (outcomes.shape, bounds.shape, nodes.shape) == ((0,), (0, 2), (0,))
    assert Evaluator().policy(nothing).shape == (0,)
    assert Evaluator().reaches(nothing, MARGIN, 0, NARROW, 10)[0].shape == (0,)


def test_thresholds_that_no_search_needs() -> None:
    deals = some_deals(4, "garde", 3)
    for threshold, verdict in ((-1, 1), (0, 1), (TOTAL_HALF_POINTS + 1, 0)):
        verdicts, nodes = Evaluator().reaches(deals, POINTS, threshold, NARROW, 1)
        assert (verdicts == verdict).all()
        assert not nodes.any()


def test_a_search_that_is_cut_off_is_open() -> None:
    deals = some_deals(4, "garde", 10, hands="fair")
    verdicts, nodes = Evaluator().reaches(deals, MARGIN, 0, ALL_MOVES, 50)
    assert (verdicts == -1).any()
    assert (nodes <= 51).all()


def test_a_small_table_is_slower_and_right() -> None:
    deals = some_deals(4, "garde", 6, hands="strong")
    small, large = (
        Evaluator(table_bytes).reaches(deals, POINTS, 150, ALL_MOVES, 50_000)[0]
        for table_bytes in (1 << 12, 1 << 22)
    )
    both = (small >= 0) & (large >= 0)
    assert (small[both] == large[both]).all()


def test_errors() -> None:
    deals = some_deals(4, "garde", 1)
    with pytest.raises(OptionError, match="guesses: 2 of them for 3 deals"):
        Evaluator().values(deals, MARGIN, np.zeros(2, np.int16), NARROW, 10)
    with pytest.raises(OptionError, match="table_bytes: 63"):
        Evaluator(63)
    with pytest.raises(TypeError, match="objective"):
        Evaluator().reaches(deals, None, 0, NARROW, 10)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match=r"widths: tuple is no Widths"):
        Evaluator().reaches(deals, MARGIN, 0, (1, 1, 1, 1), 10)  # type: ignore[arg-type]


def test_options_of_the_rules_reach_the_play() -> None:
    """A swept holder of the Excuse keeps it under one option, and loses it under the other."""
    hand = Hand("A:21,20,19,18,17,16,15,14,13,12,11,10,9,8 P:R C:R K:R T:R", size=18)
    worlds = sample_worlds(hand, 0, Rules(), 40, np.random.PCG64DXSM(1))
    leaders = np.zeros(40, np.uint8)
    outcomes = []
    for rules in (Rules(), Rules(excuse_no_trick="keep")):
        deals = contract_deals(worlds, rules, "garde_contre", leaders)
        outcomes.append(Evaluator().policy(deals))
    default, keep = outcomes
    with_defence = (worlds[:, EXCUSE] != 0) & (worlds[:, EXCUSE] != 4)
    swept = (default["chelem"] == 1) & with_defence
    assert swept.any()
    assert (default["bouts"][swept] == 1 + keep["bouts"][swept]).all()
    shift = default["attack_half_points"] - keep["attack_half_points"]
    assert (shift[swept] == 8).all()
    assert Hand.from_mask(BOUTS_MASK) & hand == Hand("A21")


@PLAYERS
def test_cards_of_any_position(players: int) -> None:
    """With all moves they have the values of the exact solver; with few, bounds or numbers."""
    random = Random(players)
    evaluator, solver = Evaluator(1 << 20), Solver(1 << 20)
    for _ in range(60):
        position = random_position(random, players, random.randrange(1, 6))
        exact, _ = solver.cards(position, MARGIN)
        rows, nodes = evaluator.cards(position, MARGIN, ALL_MOVES, 10**9)
        assert rows == exact
        narrow, _ = evaluator.cards(position, MARGIN, NARROW, 10**9)
        assert [row[0] for row in narrow] == [row[0] for row in exact]
        assert all(low == high for _, low, high in narrow)
        few, _ = evaluator.cards(position, MARGIN, ALL_MOVES, 1)
        for (card, low, high), (other, value, _) in zip(few, exact, strict=True):
            assert card == other
            assert low <= value <= high
    assert nodes >= 0


def test_no_cards_of_a_finished_position() -> None:
    position = random_position(Random(1), 4, 1)
    while not position.is_over:
        position.play(position.legal_cards()[0])
    assert Evaluator(1 << 16).cards(position, MARGIN, ALL_MOVES, 10) == ([], 0)
