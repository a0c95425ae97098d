"""Hostile acts that take more than one argument: what is changed later, elsewhere, or twice."""

from __future__ import annotations

import copy
import gc
import importlib
import json
import pickle
import resource
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from random import Random
from typing import Any, Final

import numpy as np

import tarot_sim as ts
from tarot_sim._core import Position
from tarot_sim.cards import Hand
from tarot_sim.deals.deal import Deal, Poignee
from tarot_sim.estimation._evaluate import Evaluator
from tarot_sim.rules import NEED, Rules
from tarot_sim.solver._plain import plain_card_values, plain_value
from tarot_sim.solver._solver import Objective, Solver
from tarot_sim.solver.limit import Limit
from tarot_sim.solver.objectives import MARGIN, Stakes
from tarot_sim.solver.widths import Widths
from tarot_sim.worlds._counts import chavey_counts, world_counts
from tarot_sim.worlds._discard import take_dogs
from tarot_sim.worlds.batch import Deals
from tarot_sim.worlds.discards import RULE
from tests import records
from tests.endings import position_of
from tests.hostile.honest import HAND, deal, deals, ending, five, game, worlds
from tests.hostile.running import Call, Fault, digest, improper, short
from tests.hostile.values import Boom, boom, liar
from tests.reference import generate

Scene = Callable[[], Fault | None]
SCENES: Final[dict[str, Scene]] = {}


def scene_calls() -> list[Call]:
    """Return the scenes as calls, those with threads too."""
    importlib.import_module("tests.hostile.races")
    return [Call(name, "scene", check, 5.0) for name, check in SCENES.items()]


def scene(family: str) -> Callable[[Scene], Scene]:
    def add(check: Scene) -> Scene:
        SCENES[f"{family}.{check.__name__.strip('_')}()"] = check
        return check

    return add


def same(right: Any, answer: Any) -> Fault | None:
    if right == answer:
        return None
    return Fault("wrong", f"{short(answer)}, not {short(right)}")


def refuses(call: Callable[[], Any]) -> Fault | None:
    """Return a fault unless a call is refused properly."""
    try:
        answer = call()
    except Exception as error:
        return improper(error)
    return Fault("accepted", short(digest(answer)))


# ---------------------------------------------------------------------------
# Objects that are set up twice, or never


@scene("Again")
def position_set_up_badly_again() -> Fault | None:
    position = ending()
    position.play("PD")
    before = digest(position)
    with suppress(Exception):
        position.__init__([1, 2, 4, 8], attack=[0], leader=7)  # type: ignore[misc]
    return same(before, digest(position))


@scene("Again")
def position_set_up_again() -> Fault | None:
    position = ending()
    position.play("PD")
    fresh = five()
    with suppress(TypeError):
        position.__init__(  # type: ignore[misc]
            fresh.hands, attack=fresh.attack, leader=fresh.leader, rules=fresh.rules,
            called=fresh.called, attack_half_points=fresh.attack_half_points,
            attack_bouts=fresh.attack_bouts, won=fresh.won,
        )  # fmt: skip
        return same(digest(fresh), digest(position))
    return None


@scene("Again")
def position_never_set_up() -> Fault | None:
    for name in dir(Position):
        if name.startswith("_") and name not in ("__copy__", "__reduce__", "__repr__"):
            continue
        try:
            member = getattr(Position.__new__(Position), name)
            if callable(member) and name not in ("hand", "play", "perft"):
                member()
        except Exception as error:
            found = improper(error)
            if found is not None:
                return Fault(found.what, f"{name}: {found.more}")
    return None


@scene("Again")
def position_never_set_up_plays() -> Fault | None:
    position = Position.__new__(Position)
    return (
        refuses(lambda: position.play(0))
        or refuses(lambda: position.hand(0))
        or same(1, position.perft(2))
    )


@scene("Again")
def native_objects_are_not_pickled_half() -> Fault | None:
    for made in (Objective(NEED), Solver(1 << 16), Evaluator(1 << 16)):
        try:
            twin = pickle.loads(pickle.dumps(made))
        except Exception as error:
            found = improper(error)
            if found is not None:
                return found
        else:
            if digest(twin) != digest(made):
                return Fault("wrong", f"a pickled {type(made).__name__}")
        with suppress(TypeError):
            copy.copy(made)
    return None


def _set_state(made: Any, state: object) -> None:
    made.__setstate__(state)


@scene("Again")
def native_objects_take_no_state() -> Fault | None:
    for made in (Objective(NEED), Solver(1 << 16), Evaluator(1 << 16)):
        for state in (None, (), {}, b"", [1], {"goal": 1}):
            found = refuses(partial(_set_state, made, state))
            if found is not None:
                return found
    return None


@scene("Again")
def pickles_come_back() -> Fault | None:
    values: list[Any] = [
        ending(), five(), deal(), Hand("A21"), Rules(), Stakes("garde"), Poignee(0, "simple"),
        ts.Condition("trumps>=7"), ts.score(contract="garde", points=49, bouts=2), deals(),
    ]  # fmt: skip
    for value in values:
        found = same(digest(value), digest(pickle.loads(pickle.dumps(value))))
        if found is not None:
            return found
    return None


# ---------------------------------------------------------------------------
# What is over, or nothing


def _over() -> Position:
    position = ending()
    while not position.is_over:
        position.play(position.legal_cards()[0])
    return position


@scene("Nothing")
def finished_position() -> Fault | None:
    position, solver = _over(), Solver(1024)
    margin = position.result().attack_half_points - NEED[position.result().bouts]
    answers = (
        solver.bounds(position, MARGIN), solver.value(position, MARGIN)[:2],
        solver.at_least(position, MARGIN, margin)[0], solver.cards(position, MARGIN)[0],
        solver.many([position], MARGIN).tolist()[0][:2], plain_value(position, MARGIN),
        plain_card_values(position, MARGIN), position.perft(3), ts.solve(position).value,
        len(ts.random_playouts(position, 2, np.random.PCG64DXSM(1))),
    )  # fmt: skip
    right: Any = (
        (margin, margin), (margin, margin), True, [], (margin, margin), margin, {}, 1, margin, 2
    )  # fmt: skip
    return same(right, answers) or refuses(lambda: solver.keeping_card(position, MARGIN, 0))


@scene("Nothing")
def empty_batches() -> Fault | None:
    none = deals()[:0]
    evaluator = Evaluator(1024)
    sizes = (
        len(Solver(1024).many([], MARGIN)), len(ts.solve_many([])),
        len(evaluator.policy(none)),
        len(evaluator.reaches(none, MARGIN, 0, Widths(1, 1, 1, 1), 1)[0]),
        len(evaluator.values(none, MARGIN, np.zeros(0, np.int16), Widths(1, 1, 1, 1), 1)[0]),
        len(chavey_counts(worlds()[:0], 4)),
        len(world_counts(worlds()[:0], 0, np.zeros(0, np.uint8), 4, True)),
        len(take_dogs(worlds()[:0], 0, 4, 6, 255, RULE.array)[0]),
        len(ts.sample_worlds(Hand(HAND), 0, Rules(), 0, np.random.PCG64DXSM(1))),
        len(ts.random_playouts(ending(), 0, np.random.PCG64DXSM(1))),
    )  # fmt: skip
    return same((0,) * len(sizes), sizes)


@scene("Nothing")
def crossed_bounds() -> Fault | None:
    solver = Solver(1 << 16)
    lower, upper = solver.bounds(ending(), MARGIN)
    for low, high in (
        (5, 3),
        (upper + 1, None),
        (None, lower - 1),
        (2**15, 2**15),
        (-(2**31), -200),
    ):
        for method in (solver.value, solver.cards):
            found = refuses(partial(method, ending(), MARGIN, low, high))
            if found is not None:
                return Fault(found.what, f"{method.__name__}({low}, {high}): {found.more}")
    return None


@scene("Nothing")
def budgets_of_nothing() -> Fault | None:
    solver = Solver(1 << 16)
    for limit in (Limit(nodes=0), Limit(seconds=0.0), Limit(nodes=0, seconds=0)):
        low, high, _ = solver.value(ending(), MARGIN, limit=limit)
        if not low <= plain_value(ending(), MARGIN) <= high:
            return Fault("wrong", f"{limit}: {low}, {high}")
    return None


@scene("Nothing")
def smallest_tables() -> Fault | None:
    position = position_of(generate.random_ending(Random(1), 4, 6))
    right = plain_value(position, MARGIN)
    return same((right, right), Solver(1024).value(position, MARGIN)[:2])


@scene("Nothing")
def refused_calls_leave_no_memory_behind() -> Fault | None:
    bad: list[Any] = [ending()] * 20_000 + [1]

    def refused() -> None:
        with suppress(Exception):
            Solver(1 << 20).many(bad, MARGIN)
        with suppress(Exception):
            ts.sample_worlds(Hand(HAND), 0, Rules(), 20_000, None)
        with suppress(Exception):
            ts.random_playouts(ending(), 100_000, None)
        with suppress(Exception):
            Evaluator(1 << 20).reaches(deals(), MARGIN, 0, None, 1)  # type: ignore[arg-type]

    for _ in range(5):
        refused()
    gc.collect()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(40):
        refused()
    more = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    return None if more < 30_000 else Fault("leak", f"{more} KiB")


# ---------------------------------------------------------------------------
# What is changed after it was checked


COLUMNS: Final = ("owners", "attack", "leader", "half_points", "bouts", "called")


def _judged(batch: Deals) -> Any:
    evaluator = Evaluator(1 << 16)
    return digest(
        (
            evaluator.policy(batch),
            evaluator.reaches(batch, MARGIN, [0, 20], Widths(2, 2, 2, 1), 1000),
            evaluator.values(
                batch, MARGIN, np.zeros(len(batch), np.int16), Widths(2, 2, 2, 1), 1000
            ),
            world_counts(np.asarray(batch.owners), 0, np.asarray(batch.attack), 4, True),
        )
    )


def _after(change: Callable[[Deals, str], None]) -> Fault | None:
    """Return a fault where a change of a batch's column tells."""
    right = _judged(deals())
    for name in COLUMNS:
        batch = deals()
        try:
            change(batch, name)
        except Exception as error:
            found = improper(error, (TypeError, ValueError, AttributeError))
            if found is not None:
                return found
        try:
            answer = _judged(batch)
        except Exception as error:
            found = improper(error)
            if found is not None:
                return Fault(found.what, f"{name}: {found.more}")
        else:
            if answer != right:
                return Fault("wrong", f"{name} was changed, and the answer with it")
    return None


def write(array: Any) -> None:
    array[...] = 200 if array.dtype == np.uint8 else 32767


@scene("Changed")
def column_written() -> Fault | None:
    return _after(lambda batch, name: write(getattr(batch, name)))


@scene("Changed")
def column_of_zeros() -> Fault | None:
    def change(batch: Deals, name: str) -> None:
        getattr(batch, name)[...] = 0

    return _after(change)


@scene("Changed")
def column_made_writable() -> Fault | None:
    def change(batch: Deals, name: str) -> None:
        getattr(batch, name).setflags(write=True)
        write(getattr(batch, name))

    return _after(change)


@scene("Changed")
def base_of_a_column_written() -> Fault | None:
    def change(batch: Deals, name: str) -> None:
        array = getattr(batch, name)
        while array is not None:
            with suppress(ValueError, TypeError):
                write(array)
            array = getattr(array, "base", None)

    return _after(change)


@scene("Changed")
def argument_of_a_batch_written() -> Fault | None:
    right = _judged(deals())
    for name in COLUMNS:
        given: dict[str, Any] = {column: np.array(getattr(deals(), column)) for column in COLUMNS}
        batch = Deals(rules=Rules(), **given)
        write(given[name])
        try:
            answer = _judged(batch)
        except Exception as error:
            found = improper(error)
            if found is not None:
                return Fault(found.what, f"{name}: {found.more}")
        else:
            if answer != right:
                return Fault("wrong", f"{name} was changed, and the answer with it")
    return None


@scene("Changed")
def rows_of_a_batch_written() -> Fault | None:
    right = _judged(deals()[:2])
    for name in ("owners", "attack", "half_points"):
        batch = deals()
        part = batch[:2]
        with suppress(ValueError):
            getattr(batch, name)[...] = 1
        found = same(right, _judged(part))
        if found is not None:
            return Fault(found.what, f"{name}: {found.more}")
    return None


@scene("Changed")
def shape_of_a_column_changed() -> Fault | None:
    def change(batch: Deals, name: str) -> None:
        array = getattr(batch, name)
        array.resize((1,) * array.ndim, refcheck=False)

    return _after(change)


@scene("Changed")
def type_of_a_column_changed() -> Fault | None:
    def change(batch: Deals, name: str) -> None:
        array = getattr(batch, name)
        array.dtype = np.dtype("i1" if array.dtype == np.uint8 else "u2")

    return _after(change)


@scene("Changed")
def lists_of_a_deal() -> Fault | None:
    source = deal()
    hands, plays, poignees = list(source.hands), list(source.plays), list(source.poignees)
    made = Deal(
        4, 3, hands, source.dog, taker=0, contract="garde", discard=source.discard,  # type: ignore[arg-type]
        plays=plays, poignees=poignees,  # type: ignore[arg-type]
    )  # fmt: skip
    right = digest(made.position())
    hands.reverse()
    plays.clear()
    poignees.append(Poignee(7, "x"))  # type: ignore[arg-type]
    return same(right, digest(made.position())) or same(source, made)


@scene("Changed")
def list_of_stakes() -> Fault | None:
    poignees = ["simple"]
    stakes = Stakes("garde", poignees)
    right = stakes.per_defender(10, 0, 0)
    poignees[:] = ["triple"] * 3
    return same(right, stakes.per_defender(10, 0, 0))


@scene("Changed")
def hands_of_a_game() -> Fault | None:
    hands = list(deal().hands)
    made = ts.Game(hands, deal().dog, dealer=3)
    right = digest(made)
    hands.clear()
    return same(right, digest(made))


@scene("Changed")
def record_of_a_game() -> Fault | None:
    made = game("play")
    right = digest(made)
    record = made.to_record()
    record["hands"].clear()
    record["plays"].append("A21")
    with suppress(Exception):
        made.position.play("PR")  # type: ignore[union-attr]  # a copy
    return same(right, digest(made))


@scene("Changed")
def answer_of_a_sampler() -> Fault | None:
    first = worlds()
    first[:] = 0
    return same(3, int(np.count_nonzero(worlds().any(axis=1))))


@scene("Changed")
def numpy_numbers_in_a_deal() -> Fault | None:
    """Whatever an integer's type, the record is JSON and the same."""
    for kind in (np.int8, np.uint8, np.int64, np.uint64):
        source = deal()
        try:
            made = Deal(
                kind(4), kind(3), source.hands, source.dog, taker=kind(0), contract="garde",  # type: ignore[arg-type]
                discard=source.discard, poignees=(Poignee(kind(0), "simple"),),  # type: ignore[arg-type]
            )  # fmt: skip
            text = json.dumps(made.to_dict())
        except Exception as error:
            return Fault("refused", f"{kind.__name__}: {type(error).__name__}: {error}")
        honest = Deal.from_dict(records.changed(records.FOUR, plays=[]))
        if text != json.dumps(honest.to_dict()):
            return Fault("wrong", f"{kind.__name__}: {text[:100]}")
    return None


@scene("Changed")
def numpy_numbers_in_a_score() -> Fault | None:
    right = ts.score(contract="garde", points=49, bouts=2)
    for kind in (np.int8, np.uint8, np.int64, np.uint64):
        try:
            made = ts.score(players=kind(4), contract="garde", points=kind(49), bouts=kind(2))  # type: ignore[arg-type]
        except Exception as error:
            return Fault("refused", f"{kind.__name__}: {type(error).__name__}: {error}")
        if made != right or not all(
            type(value) in (int, bool, type(None)) for value in vars_of(made).values()
        ):
            return Fault("wrong", f"{kind.__name__}: {made}")
    return None


def vars_of(value: Any) -> dict[str, Any]:
    """Return the fields of a dataclass with slots."""
    return {name: getattr(value, name) for name in value.__dataclass_fields__}


@scene("Changed")
def index_that_plays() -> Fault | None:
    """Play a card that plays another one while it is asked for its number."""
    position = ending()

    def play(_: object) -> int:
        position.play("PD")
        return 12

    return refuses(lambda: position.play(liar(__index__=play)))


@scene("Changed")
def index_that_sets_up_again() -> Fault | None:
    """Name a leader that sets the position up again while it is asked for its number."""
    position = ending()
    hands = position.hands
    depth = [0]

    def again(_: object) -> int:
        depth[0] += 1
        if depth[0] == 1:
            position.__init__(five().hands, attack=[0], leader=4)  # type: ignore[misc]
        return 1

    with suppress(TypeError, ValueError):
        position.__init__(hands, attack=[0], leader=liar(__index__=again))  # type: ignore[misc]
    position.play(position.legal_cards()[0])
    return same(True, position.players in (4, 5) and position.perft(4) > 0)


@scene("Changed")
def progress_that_raises() -> Fault | None:
    for n_jobs in (1, 2):
        try:
            ts.chances(HAND, worlds=100, method="fast", n_jobs=n_jobs, progress=boom)
        except Boom:
            continue
        return Fault("accepted", "what progress raises is lost")
    return None


@scene("Changed")
def progress_that_asks_too() -> Fault | None:
    found: list[float] = []

    def ask(_done: int, _most: int) -> None:
        inner = ts.chances(HAND, worlds=50, method="fast", n_jobs=1, seed=2)
        found.append(inner.contracts["garde"].p_make)

    outer = ts.chances(HAND, worlds=50, method="fast", n_jobs=1, progress=ask)
    right = ts.chances(HAND, worlds=50, method="fast", n_jobs=1)
    return same(right.contracts["garde"].p_make, outer.contracts["garde"].p_make)
