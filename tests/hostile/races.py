"""Hostile acts of another thread, while a call is at work."""

from __future__ import annotations

import gc
import pickle
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from random import Random
from typing import Any, Final

import numpy as np

import tarot_sim as ts
from tarot_sim._core import Position
from tarot_sim.cards import Hand
from tarot_sim.estimation._evaluate import Evaluator
from tarot_sim.rules import NEED, Rules
from tarot_sim.solver._plain import plain_card_values, plain_value
from tarot_sim.solver._solver import Objective, Solver
from tarot_sim.solver.limit import Limit
from tarot_sim.solver.objectives import MARGIN
from tarot_sim.solver.widths import Widths
from tarot_sim.worlds._counts import chavey_counts, world_counts
from tarot_sim.worlds._discard import take_dogs
from tarot_sim.worlds.discards import RULE
from tests.endings import position_of
from tests.hostile.honest import HAND, deals, game, match, worlds
from tests.hostile.running import Fault, digest, improper, short
from tests.hostile.scenes import COLUMNS, SCENES, same, scene, write
from tests.reference import generate

#: Seconds that a scene tries to do harm.
_TRIES: Final = 0.4


@contextmanager
def _meanwhile(act: Callable[[], None]) -> Iterator[None]:
    """Let another thread act over and over."""
    done = threading.Event()

    def run() -> None:
        while not done.is_set():
            act()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join(5)


def _long_ending(cards: int = 8) -> Position:
    """Return an ending that takes some milliseconds, whose value changes as it is played."""
    return position_of(generate.random_ending(Random(16), 4, cards))


_EDGE: Final = -30


def _walk(position: Position, plies: int) -> Iterator[Position]:
    """Yield what a position becomes as its first legal cards are played."""
    walker = position.copy()
    yield walker
    for _ in range(plies):
        walker.play(walker.legal_cards()[0])
        yield walker


_PLIES: Final = 6


def _played_on(answer: Callable[[Position], Any], cards: int = 8) -> Fault | None:
    """Ask of a position that another thread plays on and back.

    The answer has to be that of one of the positions that it goes through.
    """
    position = _long_ending(cards)
    right = [digest(answer(stage)) for stage in _walk(position, _PLIES)]

    def play() -> None:
        for _ in range(_PLIES):
            with suppress(Exception):  # it may be locked meanwhile
                position.play(position.legal_cards()[0])
        for _ in range(_PLIES):
            with suppress(Exception):
                position.undo()

    end = time.monotonic() + _TRIES
    with _meanwhile(play):
        while time.monotonic() < end:
            try:
                found = digest(answer(position))
            except Exception as error:
                fault = improper(error, (TypeError, ValueError, RuntimeError))
                if fault is not None:
                    return fault
            else:
                if found not in right:
                    return Fault("wrong", f"{short(found)} is none of {short(right)}")
    return None


def _threads(name: str, answer: Callable[[Position], Any], cards: int = 8) -> None:
    def check() -> Fault | None:
        return _played_on(answer, cards)

    SCENES[f"Threads.{name}()"] = check


_threads("value", lambda position: Solver(1 << 16).value(position, MARGIN)[:2])
_threads(
    "value_with_budget", lambda p: Solver(1 << 16).value(p, MARGIN, limit=Limit(nodes=10**9))[:2]
)
_threads("at_least", lambda position: Solver(1 << 16).at_least(position, MARGIN, _EDGE)[0])
_threads("cards", lambda position: Solver(1 << 16).cards(position, MARGIN)[0])
_threads("many", lambda p: Solver(1 << 16).many([p] * 4, MARGIN)[:1].tolist()[0][:2])
_threads("bounds", lambda position: Solver(1024).bounds(position, MARGIN))
_threads("plain_value", lambda position: plain_value(position, MARGIN), 6)
_threads("plain_card_values", lambda position: plain_card_values(position, MARGIN), 6)
_threads("perft", lambda position: position.perft(8), 6)
_threads("solve", lambda position: ts.solve(position, cards=True, line=True), 8)
_threads("can_make", lambda position: ts.can_make(position, solver=Solver(1 << 16)))
_threads("hands", lambda position: tuple(sorted(hand.mask for hand in position.hands)))
_threads("copy", lambda position: position.copy().perft(4), 6)
_threads("reduce", lambda position: len(pickle.loads(pickle.dumps(position)).hands))


@scene("Threads")
def playouts() -> Fault | None:
    """Every play-out has to be one of a position that there was."""
    position = position_of(generate.random_ending(Random(3), 4, 3))
    right = set()
    for stage in _walk(position, _PLIES):
        rows = ts.random_playouts(stage, 20_000, np.random.PCG64DXSM(1))
        right |= set(rows.tolist())

    def play() -> None:
        for _ in range(_PLIES):
            with suppress(Exception):
                position.play(position.legal_cards()[0])
        for _ in range(_PLIES):
            with suppress(Exception):
                position.undo()

    end = time.monotonic() + _TRIES
    with _meanwhile(play):
        while time.monotonic() < end:
            rows = ts.random_playouts(position, 100_000, np.random.PCG64DXSM(2))
            strange = set(rows.tolist()) - right
            if strange:
                return Fault("wrong", f"{len(strange)} results that no play brings")
    return None


@scene("Threads")
def objective_set_up_again() -> Fault | None:
    position, goal = _long_ending(), Objective(NEED)
    other = [[0] * 3] * 3
    right = [Solver(1 << 16).value(position, Objective(need))[:2] for need in (NEED, (0,) * 4)]

    def change() -> None:
        with suppress(Exception):
            goal.__init__((0,) * 4, other)  # type: ignore[misc]
            goal.__init__(NEED, other)  # type: ignore[misc]

    end = time.monotonic() + _TRIES
    with _meanwhile(change):
        while time.monotonic() < end:
            found = Solver(1 << 16).value(position, goal)[:2]
            if found not in right:
                return Fault("wrong", f"{found} is none of {right}")
    return None


@scene("Threads")
def one_solver_for_two() -> Fault | None:
    solver, position = Solver(1 << 16), _long_ending()
    right = Solver(1 << 16).value(position, MARGIN)[:2]

    def use() -> None:
        with suppress(RuntimeError):
            solver.clear()
        with suppress(RuntimeError):
            solver.value(position, MARGIN)

    end = time.monotonic() + _TRIES
    with _meanwhile(use):
        while time.monotonic() < end:
            with suppress(RuntimeError):
                found = solver.value(position, MARGIN)[:2]
                if found != right:
                    return Fault("wrong", f"{found}, not {right}")
    return same(right, solver.value(position, MARGIN)[:2])


@scene("Threads")
def one_evaluator_for_two() -> Fault | None:
    evaluator, batch = Evaluator(1 << 16), deals()
    right = digest(evaluator.reaches(batch, MARGIN, 0, Widths(2, 2, 2, 1), 2000))

    def use() -> None:
        with suppress(RuntimeError):
            evaluator.reaches(batch, MARGIN, 0, Widths(2, 2, 2, 1), 2000)

    end = time.monotonic() + _TRIES
    with _meanwhile(use):
        while time.monotonic() < end:
            with suppress(RuntimeError):
                found = digest(evaluator.reaches(batch, MARGIN, 0, Widths(2, 2, 2, 1), 2000))
                if found != right:
                    return Fault("wrong", short(found))
    return None


@scene("Threads")
def solver_set_free() -> Fault | None:
    """Drop the last reference to a solver while it searches."""
    position = _long_ending()
    right = Solver(1 << 16).value(position, MARGIN)[:2]
    held = {"solver": Solver(1 << 16)}

    def drop() -> None:
        held["solver"] = Solver(1 << 16)
        gc.collect(0)

    end = time.monotonic() + _TRIES
    with _meanwhile(drop):
        while time.monotonic() < end:
            found = held["solver"].value(position, MARGIN)[:2]
            if found != right:
                return Fault("wrong", f"{found}, not {right}")
    return None


@scene("Threads")
def one_generator_for_two() -> Fault | None:
    bits = np.random.PCG64DXSM(1)

    def use() -> None:
        bits.random_raw(1000)
        ts.sample_worlds(Hand(HAND), 0, Rules(), 50, bits)

    end = time.monotonic() + _TRIES
    with _meanwhile(use):
        while time.monotonic() < end:
            rows = ts.sample_worlds(Hand(HAND), 0, Rules(), 500, bits)
            if not ((rows == 4).sum(axis=1) == 6).all():
                return Fault("wrong", "a dog of another size")
    return None


def _flipping(count: Callable[[Any], Any], name: str) -> None:
    """Let another thread write places that there are not into worlds that are being read."""

    def check() -> Fault | None:
        rows = np.repeat(worlds(), 20_000, axis=0)
        good = rows.copy()

        def flip() -> None:
            rows[:, 5] = 255
            rows[:, 5] = good[:, 5]

        end = time.monotonic() + 2 * _TRIES
        with _meanwhile(flip):
            while time.monotonic() < end:
                with suppress(TypeError, ValueError):
                    count(rows)
        return None

    SCENES[f"Threads.{name}()"] = check


_CAMPS: Final = np.ones(60_000, np.uint8)
_flipping(lambda rows: chavey_counts(rows, 4), "chavey_counts_of_changing_worlds")
_flipping(lambda rows: world_counts(rows, 0, _CAMPS, 4, True), "world_counts_of_changing_worlds")
_flipping(lambda rows: take_dogs(rows, 0, 4, 6, 255, RULE.array), "take_dogs_of_changing_worlds")


@scene("Threads")
def batch_changed_while_it_is_judged() -> Fault | None:
    batch = deals()[np.zeros(300, np.int64)]
    evaluator = Evaluator(1 << 16)
    good = {name: np.array(getattr(batch, name)) for name in COLUMNS}

    def flip() -> None:
        for name in COLUMNS:
            with suppress(ValueError):
                write(getattr(batch, name))
                getattr(batch, name)[...] = good[name]

    end = time.monotonic() + 2 * _TRIES
    right = digest(Evaluator(1 << 16).policy(deals()[np.zeros(300, np.int64)]))
    with _meanwhile(flip):
        while time.monotonic() < end:
            try:
                found = digest(evaluator.policy(batch))
            except Exception as error:
                fault = improper(error)
                if fault is not None:
                    return fault
            else:
                if found != right:
                    return Fault("wrong", "the answer changes with the columns")
    return None


@scene("Threads")
def games_of_two_threads() -> Fault | None:
    """Look at a game that another thread plays on."""
    table = match()
    made = game("play")

    def play() -> None:
        for name in ("PR", "P10", "P5", "A5"):
            with suppress(Exception):
                made.play(name)

    with _meanwhile(play):
        for _ in range(50):
            sizes = sum(map(len, made.hands)) + len(made.plays)
            if not 72 - 4 <= sizes <= 72 + 4:
                return Fault("wrong", f"{sizes} cards")
    return None if table.dealer == 0 else Fault("wrong", "the dealer")
