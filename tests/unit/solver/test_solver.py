"""The search against slow ones, and the promises that it keeps by itself."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tarot_sim._core import Position
from tarot_sim.bench import random_position as bench_position
from tarot_sim.cards import Card, Hand
from tarot_sim.errors import OptionError, PositionError
from tarot_sim.solver._plain import plain_card_values, plain_value
from tarot_sim.solver._solver import DEFAULT_TABLE_BYTES, Objective, Solver
from tarot_sim.solver.limit import Limit
from tests.endings import NEED, family, position_of, random_objective, random_position
from tests.reference import generate, minimax

PLAYERS = pytest.mark.parametrize("players", [3, 4, 5])
SMALL_TABLE = 64 << 10
OBJECTIVES = {minimax.points: Objective(), minimax.margin: Objective(NEED)}

#: Cards a hand that the plain search does in a millisecond or so.
CARDS = {3: (3, 4, 5), 4: (2, 3, 4), 5: (2, 3)}


def exact(solver: Solver, position: Position, objective: Objective) -> int:
    lower, upper, nodes = solver.value(position, objective)
    assert lower == upper
    assert nodes >= 0
    return lower


def positions(rng: Random, players: int, count: int) -> Iterable[Position]:
    return (random_position(rng, players, rng.choice(CARDS[players])) for _ in range(count))


# --- against slow searches ------------------------------------------------------------


@PLAYERS
@pytest.mark.parametrize("options", generate.ALL_OPTIONS, ids=lambda opts: "-".join(opts.values()))
def test_the_oracle_agrees(players: int, options: dict[str, Any]) -> None:
    rng = Random(f"oracle {players} {options}")
    solver = Solver(SMALL_TABLE)
    for number in range(25):
        make = generate.random_small_deal if number % 5 == 0 else generate.random_ending
        camp = generate.any_camp(rng, players) if number % 3 == 0 else None
        start = make(rng, players, 3 if players < 5 else 2, attack=camp, trumps=0.6, **options)
        state, plays = generate.random_mid_trick(rng, start) if number % 2 else (start, [])
        position = position_of(start, plays)
        for meaning, objective in OBJECTIVES.items():
            search = minimax.minimax if number % 10 == 0 else minimax.alpha_beta
            value = search(state, meaning)
            assert exact(solver, position, objective) == value, (start, plays)
            for threshold, answer in ((value, True), (value + 1, False)):
                assert solver.at_least(position, objective, threshold)[0] is answer
                assert Solver(SMALL_TABLE).at_least(position, objective, threshold)[0] is answer


@PLAYERS
def test_plain_search_agrees(players: int) -> None:
    rng = Random(f"plain {players}")
    solver = Solver(SMALL_TABLE)
    for position in positions(rng, players, 1000):
        objective = random_objective(rng)
        assert exact(solver, position, objective) == plain_value(position, objective)


@PLAYERS
def test_plain_search_agrees_in_families(players: int) -> None:
    rng = Random(f"families {players}")
    for _ in range(150):
        solver, objective = Solver(SMALL_TABLE), random_objective(rng)
        for position in family(rng, players, rng.choice(CARDS[players]), 12):
            value = plain_value(position, objective)
            threshold = value + rng.choice((0, 1, -5, 5))
            assert solver.at_least(position, objective, threshold)[0] is (value >= threshold)
            assert exact(solver, position, objective) == value


@PLAYERS
def test_children(players: int) -> None:
    rng = Random(f"children {players}")
    solver = Solver()
    for _ in range(4):
        start = generate.random_ending(rng, players, 8 if players < 5 else 7)
        _, plays = generate.random_mid_trick(rng, start)
        position = position_of(start, plays[: rng.randrange(players)])
        for objective in (*OBJECTIVES.values(), random_objective(rng)):
            value = exact(solver, position, objective)
            children = []
            for card in position.legal_cards():
                position.play(card)
                children.append(exact(solver, position, objective))
                position.undo()
            best = max if position.to_move in position.attack else min
            assert best(children) == value


# --- every card -----------------------------------------------------------------------


@PLAYERS
@pytest.mark.parametrize("cards", [3, 4, 5, 6])
def test_plain_search_agrees_on_every_card(players: int, cards: int) -> None:
    rng = Random(f"cards {players} {cards}")
    solver = Solver(SMALL_TABLE)
    runs = 0
    for _ in range(200 if cards < 5 else 25):
        position = random_position(rng, players, cards)
        for objective in (*OBJECTIVES.values(), random_objective(rng)):
            expected = plain_card_values(position, objective)
            rows, nodes = solver.cards(position, objective)
            assert [(card, value, value) for card, value in sorted(expected.items())] == rows
            assert nodes >= 0
            if not expected:
                continue
            # The same where the position's value is known.
            value = exact(solver, position, objective)
            again, _ = solver.cards(position, objective, lower=value, upper=value)
            assert again == rows
            runs += len(position.equivalent_cards()) < len(rows)
    assert runs > 10


@PLAYERS
def test_a_budget_gives_sound_bounds_of_every_card(players: int) -> None:
    rng = Random(f"budget of cards {players}")
    open_cards = closed = 0
    for _ in range(40):
        position, objective = random_position(rng, players, 6), random_objective(rng)
        expected = {card: low for card, low, _ in Solver().cards(position, objective)[0]}
        for nodes in (0, 1, 30, 400, 1_000_000):
            rows, searched = Solver().cards(position, objective, limit=Limit(nodes=nodes))
            assert searched <= max(1, nodes)
            assert list(expected) == [card for card, _, _ in rows]
            for card, low, high in rows:
                assert low <= expected[card] <= high
                open_cards += low < high
                closed += low == high
                assert nodes < 1_000_000 or low == high
        rows, _ = Solver().cards(position, objective, limit=Limit(seconds=60))
        assert expected == {card: low for card, low, _ in rows}
        assert expected == {card: high for card, _, high in rows}
    assert min(open_cards, closed) > 50


def test_a_budget_of_time_is_that_of_all_cards() -> None:
    position, objective = whole_deal(), Objective(NEED)
    started = time.monotonic()
    rows, nodes = Solver().cards(position, objective, limit=Limit(seconds=0.3))
    # Half a second would do for the check; a busy machine, or sanitizers, take longer.
    assert time.monotonic() - started < 10
    assert nodes > 0
    lower, upper = Solver().bounds(position, objective)
    attacks = position.to_move in position.attack
    assert position.legal_cards() == [card for card, _, _ in rows]
    for _, low, high in rows:
        # No card brings its player more than the position is worth.
        assert high <= upper if attacks else lower <= low
        assert low < high


@PLAYERS
def test_the_card_that_keeps_a_value(players: int) -> None:
    rng = Random(f"keeping {players}")
    solver = Solver(SMALL_TABLE)
    for position in positions(rng, players, 300):
        if position.is_over:
            continue
        objective = random_objective(rng)
        values = plain_card_values(position, objective)
        attacks = position.to_move in position.attack
        value = max(values.values()) if attacks else min(values.values())
        card, _ = solver.keeping_card(position, objective, value if attacks else value + 1)
        assert card is not None
        kept = [other for other, worth in values.items() if worth == value]
        assert card in kept

        def dear(number: int) -> tuple[int, int]:
            return Card(number).half_points, Card(number).rank

        assert dear(card) == min(map(dear, kept))


def test_a_budget_of_the_card_that_keeps_a_value() -> None:
    position, objective = whole_deal(), Objective(NEED)
    assert Solver().keeping_card(position, objective, 0, limit=Limit(nodes=1)) == (None, 1)
    over = Position([0] * 4, attack=[1], leader=0, attack_half_points=60, won=(True, True))
    with pytest.raises(PositionError, match="all cards are played"):
        Solver().keeping_card(over, objective, 0)


# --- the called card ------------------------------------------------------------------


def first_lead(hands: str, called: str) -> Position:
    """Return the first lead of a deal; one table for all of them has to know the ban."""
    return Position(
        list(map(Hand, hands.split(" | "))), attack=[0], leader=0, called=Card.parse(called)
    )


def test_another_called_card_is_another_question() -> None:
    hands = "CC T10 | K5 T5 | C10 K7 | K1 TV | P3 C4"
    solver, objective = Solver(SMALL_TABLE), Objective()
    assert exact(solver, first_lead(hands, "PR"), objective) == 9
    assert exact(solver, first_lead(hands, "CR"), objective) == 0


def test_who_holds_the_called_card_matters() -> None:
    solver, objective = Solver(SMALL_TABLE), Objective()
    without = first_lead("P2 C4 | C6 C1 | PV P9 | P4 C2 | PD C5", "PR")
    holder = first_lead("PR C7 | C10 C9 | P9 P8 | P7 C1 | P1 C2", "PR")
    assert exact(solver, without, objective) == 0
    assert exact(solver, holder, objective) == 13


def test_first_leads_of_one_table() -> None:
    rng = Random("first leads")
    solver, objective = Solver(SMALL_TABLE), Objective()
    for _ in range(300):
        pack = rng.sample(range(28), 15)
        hands = [sum(1 << card for card in pack[3 * seat : 3 * seat + 3]) for seat in range(5)]
        for called in (13, 27, 12, 41):
            position = Position(hands, attack=[0, 1], leader=rng.randrange(5), called=called)
            assert exact(solver, position, objective) == plain_value(position, objective)


# --- the table ------------------------------------------------------------------------


@PLAYERS
def test_a_warm_table_changes_nothing(players: int) -> None:
    rng = Random(f"warm {players}")
    questions = [
        (position, random_objective(rng))
        for _ in range(20)
        for position in family(rng, players, 5 if players < 5 else 4, 4)
    ]
    cold = [exact(Solver(SMALL_TABLE), *question) for question in questions]
    solver = Solver()
    for _ in range(3):
        order = list(range(len(questions)))
        rng.shuffle(order)
        for number in order:
            position, objective = questions[number]
            value = cold[number]
            guess = rng.choice((None, value, value - 7, value + 7, -500, 500))
            assert solver.value(position, objective, guess=guess)[:2] == (value, value)
            known = solver.value(position, objective, lower=value - 3, upper=value + 2)
            assert known[:2] == (value, value)
            assert solver.at_least(position, objective, value)[0] is True
            assert solver.at_least(position, objective, value + 1)[0] is False
    # What is known needs no search, and what is forgotten some.
    position, objective = questions[0]
    known_nodes = solver.value(position, objective, guess=cold[0])[2]
    solver.clear()
    assert solver.value(position, objective, guess=cold[0])[:2] == (cold[0], cold[0])
    assert known_nodes <= Solver().value(position, objective, guess=cold[0])[2]


@PLAYERS
def test_the_memory_changes_nothing(players: int) -> None:
    rng = Random(f"memory {players}")
    solvers = [Solver(size) for size in (1 << 10, 4 << 10, 64 << 10, 64 << 20)]
    for number in range(24):
        cards = (5, 6)[number % 2] if players < 5 else 4
        position, objective = random_position(rng, players, cards), random_objective(rng)
        assert len({exact(solver, position, objective) for solver in solvers}) == 1


def test_the_same_question_visits_the_same_nodes() -> None:
    position, objective = random_position(Random("nodes"), 4, 9), Objective(NEED)
    first, second = Solver(), Solver()
    nodes = first.value(position, objective)
    assert second.value(position, objective) == nodes
    first.clear()
    assert first.value(position, objective) == nodes


def test_the_position_is_not_changed() -> None:
    rng = Random("unchanged")
    for position in positions(rng, 4, 20):
        before = (position.hands, position.trick, position.plays, position.to_move)
        Solver(SMALL_TABLE).value(position, Objective())
        assert (position.hands, position.trick, position.plays, position.to_move) == before


def test_the_memory_is_what_was_asked_for() -> None:
    assert Solver().table_bytes == DEFAULT_TABLE_BYTES
    assert Solver(4096).table_bytes == 4096


# --- several threads ------------------------------------------------------------------


def test_threads_with_a_solver_each() -> None:
    rng = Random("threads")
    questions = [(random_position(rng, 4, 8), random_objective(rng)) for _ in range(40)]

    def answers(start: int) -> list[int]:
        solver = Solver(1 << 20)
        order = [*questions[start:], *questions[:start]]
        values = [exact(solver, *question) for question in order]
        return [*values[len(questions) - start :], *values[: len(questions) - start]]

    expected = answers(0)
    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(answers, (0, 10, 20, 30)):
            assert found == expected


def whole_deal() -> Position:
    """Return a whole deal whose exact value takes hours."""
    return position_of(generate.random_deal(Random("whole 0"), 4))


def test_two_threads_with_one_solver() -> None:
    solver, position, small = Solver(), whole_deal(), random_position(Random(1), 4, 3)
    with ThreadPoolExecutor(1) as pool:
        long = pool.submit(solver.value, position, Objective(NEED), limit=Limit(seconds=0.5))
        while not long.running():
            time.sleep(0.001)
        time.sleep(0.05)
        for refused in (
            lambda: solver.at_least(small, Objective(), 0),
            lambda: solver.value(small, Objective()),
            lambda: solver.cards(small, Objective()),
            lambda: solver.keeping_card(small, Objective(), 0),
            lambda: solver.many([small], Objective()),
            solver.clear,
        ):
            with pytest.raises(RuntimeError, match="at work in another thread; use one a thread"):
                refused()
        lower, upper, nodes = long.result()
    assert lower <= upper
    assert nodes > 0
    # And it works again.
    assert exact(solver, small, Objective()) == plain_value(small, Objective())


# --- budgets --------------------------------------------------------------------------


@PLAYERS
def test_a_budget_of_nodes_gives_sound_bounds(players: int) -> None:
    rng = Random(f"budget {players}")
    solver = Solver()
    open_bounds = open_answers = 0
    for _ in range(40):
        position, objective = random_position(rng, players, 7), random_objective(rng)
        value = exact(Solver(), position, objective)
        for nodes in (0, 1, 7, 50, 300):
            limit = Limit(nodes=nodes)
            lower, upper, searched = solver.value(position, objective, limit=limit)
            assert lower <= value <= upper
            assert searched <= max(1, nodes)
            open_bounds += lower < upper
            for threshold in (value, value + 1):
                answer, searched = solver.at_least(
                    position, objective, threshold, limit=Limit(nodes=nodes)
                )
                assert answer in (None, value >= threshold)
                assert searched <= max(1, nodes)
                open_answers += answer is None
        # What a stopped search leaves in the table is true.
        assert exact(solver, position, objective) == value
    assert open_bounds > 50
    assert open_answers > 50


def test_a_budget_of_time() -> None:
    position, objective = whole_deal(), Objective(NEED)
    started = time.monotonic()
    lower, upper, nodes = Solver().value(position, objective, limit=Limit(seconds=0.2))
    # A second would do for the check; a busy machine, or sanitizers, take longer.
    assert time.monotonic() - started < 10
    assert lower < upper
    assert nodes > 0
    sure = Solver().bounds(position, objective)
    assert sure[0] <= lower
    assert upper <= sure[1]


# --- interruption -----------------------------------------------------------------------

#: Interrupts itself half a second into a search that takes hours.
INTERRUPTED = """
import os, signal, threading, time
from random import Random
import tarot_sim as ts
from tarot_sim.solver._plain import plain_value
from tarot_sim.solver._solver import Objective, Solver
from tests.endings import NEED, random_position as small_position
from tests.unit.solver.test_solver import whole_deal

solver, deal, sent = Solver(), whole_deal(), []

def interrupt():
    time.sleep(0.5)
    sent.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)

threading.Thread(target=interrupt, daemon=True).start()
try:
    {call}
except KeyboardInterrupt:
    print(time.monotonic() - sent[0])
small = small_position(Random(1), 4, 4)
assert solver.value(small, Objective(NEED))[0] == plain_value(small, Objective(NEED))
assert ts.solve_many([small])["lower"][0] == plain_value(small, Objective(NEED))
"""


@pytest.mark.parametrize(
    "call",
    [
        "ts.solve(deal, solver=solver)",
        "ts.solve(deal, seconds=1000, solver=solver)",
        "ts.solve_cards(deal, solver=solver)",
        "ts.solve_many([deal] * 3)",
        "ts.solve_many([deal] * 3, seconds=1000)",
    ],
)
def test_ctrl_c_ends_a_search(call: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED.replace("{call}", call)],
        capture_output=True,
        text=True,
        timeout=120,
        cwd=Path(__file__).parents[3],
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    # A busy machine, or sanitizers, take longer than the hundredths of a second it needs.
    assert float(done.stdout) < 5


# --- bad input ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("need", "extra", "message"),
    [
        ((0, 0, 0), ((0,) * 3,) * 3, "objective: expected 4 needs and 3 × 3 extras"),
        ((0,) * 4, ((0,) * 3,) * 2, "objective: expected 4 needs and 3 × 3 extras"),
        ((0,) * 4, ((0,) * 3, (0,) * 2, (0,) * 3), "objective: expected 4 needs and 3 × 3 extras"),
        ((0,) * 4, (0,) * 9, "objective: expected 4 needs and 3 × 3 extras"),
        ((4001, 0, 0, 0), ((0,) * 3,) * 3, "objective: a number is beyond ±4000"),
        ((0,) * 4, (*((0,) * 3,) * 2, (0, 0, -4001)), "objective: a number is beyond ±4000"),
        ((72, 82, 102, 112), ((0,) * 3,) * 3, "objective: the need may not grow with the bouts"),
    ],
)
def test_bad_objectives(need: Any, extra: Any, message: str) -> None:
    with pytest.raises(OptionError) as caught:
        Objective(need, extra)
    assert str(caught.value) == message


@pytest.mark.parametrize("table_bytes", [-1, 0, 1023])
def test_too_small_a_table(table_bytes: int) -> None:
    with pytest.raises(OptionError, match=f"table_bytes: {table_bytes} is less than 1024"):
        Solver(table_bytes)


def test_a_limit_is_a_limit() -> None:
    solver, position = Solver(SMALL_TABLE), random_position(Random(1), 4, 2)
    limit: Any = 100
    for ask in (solver.value, solver.cards):
        with pytest.raises(OptionError, match="limit: 100 is no Limit"):
            ask(position, Objective(), limit=limit)
    for other in (solver.at_least, solver.keeping_card):
        with pytest.raises(OptionError, match="limit: 100 is no Limit"):
            other(position, Objective(), 0, limit=limit)
    with pytest.raises(OptionError, match="limit: 100 is no Limit"):
        solver.many([position], Objective(), limit=limit)
    # No question was begun.
    assert exact(solver, position, Objective()) == plain_value(position, Objective())


def test_bounds_that_contradict_each_other() -> None:
    solver, position = Solver(SMALL_TABLE), random_position(Random(1), 4, 2)
    for ask in (solver.value, solver.cards):
        with pytest.raises(OptionError, match="lower: 3 is above upper, 2"):
            ask(position, Objective(), lower=3, upper=2)


def test_none_is_no_position() -> None:
    solver, position = Solver(SMALL_TABLE), random_position(Random(1), 4, 2)
    where: Any
    what: Any
    for where, what in ((None, Objective()), (position, None)):
        with pytest.raises(TypeError):
            solver.value(where, what)
        with pytest.raises(TypeError):
            solver.at_least(where, what, 0)
        with pytest.raises(TypeError):
            solver.cards(where, what)
        with pytest.raises(TypeError):
            solver.keeping_card(where, what, 0)
        with pytest.raises(TypeError):
            solver.bounds(where, what)
        with pytest.raises(TypeError):
            solver.many([where], what)
    assert exact(solver, position, Objective()) == plain_value(position, Objective())


def test_the_largest_numbers() -> None:
    rng = Random("largest")
    solver = Solver(SMALL_TABLE)
    for position in positions(rng, 4, 40):
        objective = Objective((4000, 1000, -1000, -4000), ((4000, -4000, 4000),) * 3)
        assert exact(solver, position, objective) == plain_value(position, objective)


def test_positions_that_are_over() -> None:
    for won in ((True, True), (True, False), (False, True)):
        position = Position([0] * 4, attack=[1], leader=0, attack_half_points=60, won=won)
        objective = Objective(NEED, ((0, 1, 2), (3, 4, 5), (6, 7, 8)))
        value = 60 - NEED[0] + 4 + won[0] - won[1]
        assert exact(Solver(SMALL_TABLE), position, objective) == value
        assert Solver(SMALL_TABLE).at_least(position, objective, value)[0] is True
        assert Solver(SMALL_TABLE).at_least(position, objective, value + 1)[0] is False


def test_a_budget_closes_in_from_outside() -> None:
    margin = Objective(NEED)
    widths = []
    for seed in range(6):
        low, high, nodes = Solver().value(
            bench_position(4, 18, seed), margin, limit=Limit(nodes=200_000)
        )
        assert nodes <= 200_000
        widths.append(high - low)
    # Without search the bounds are more than 200 half points apart.
    assert sorted(widths)[3] <= 120


def test_a_large_budget_finds_the_value() -> None:
    # Margins on both sides of 0, and windows that the first rounds leave open: the gap
    # has to be halved below 0 as above.
    margin = Objective(NEED)
    for seed in range(50):
        position = bench_position(4, 8, seed)
        value, _, nodes = Solver().value(position, margin)
        low, high, within = Solver().value(position, margin, limit=Limit(nodes=5_000_000))
        assert (value, value) == (low, high)
        assert within < 10 * nodes + 100_000
