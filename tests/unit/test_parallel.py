"""Calls in threads: order, errors, and what is dropped."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from functools import partial

import numpy as np
import pytest

from tarot_sim._core import Position, random_playouts
from tarot_sim.bench import random_position
from tarot_sim.parallel import in_threads, thread_count
from tarot_sim.solver._solver import Solver
from tarot_sim.solver.objectives import MARGIN


def test_counts() -> None:
    cores = len(os.sched_getaffinity(0))
    assert [thread_count(n) for n in (1, 2, 7, -1, -2, -cores, -1000)] == [
        1, 2, 7, cores, max(1, cores - 1), 1, 1,
    ]  # fmt: skip


@pytest.mark.parametrize("n_jobs", [1, 2, 5, -1])
def test_results_come_in_order(n_jobs: int) -> None:
    def late(number: int) -> int:
        time.sleep(0.002 * (number % 3))
        return number

    assert list(in_threads(n_jobs, [partial(late, n) for n in range(20)])) == list(range(20))
    assert list(in_threads(n_jobs, [])) == []


def test_calls_run_at_the_same_time() -> None:
    meeting = threading.Barrier(2, timeout=10)
    assert list(in_threads(2, [meeting.wait, meeting.wait])) in ([0, 1], [1, 0])


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_what_has_not_begun_is_dropped(n_jobs: int) -> None:
    begun: list[int] = []

    def call(number: int) -> int:
        begun.append(number)
        time.sleep(0.01)
        return number

    results = in_threads(n_jobs, [partial(call, n) for n in range(50)])
    assert next(results) == 0
    results.close()  # type: ignore[attr-defined]
    count = len(begun)
    assert count <= 5
    time.sleep(0.05)
    assert len(begun) == count


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_errors_come_through(n_jobs: int) -> None:
    def fail() -> int:
        raise ValueError("this one")

    results = in_threads(n_jobs, [lambda: 1, fail, lambda: 3])
    assert next(results) == 1
    with pytest.raises(ValueError, match="this one"):
        next(results)


@pytest.mark.parametrize(
    "work",
    [
        lambda position: position.perft(60),
        lambda position: Solver().value(position, MARGIN),
        lambda position: random_playouts(position, 200_000_000, np.random.PCG64DXSM(1)),
    ],
    ids=["perft", "search", "play-outs"],
)
def test_native_work_that_nobody_waits_for_is_stopped(work: Callable[[Position], object]) -> None:
    position, begun = random_position(4, 18, 3), threading.Event()

    def endless() -> object:
        begun.set()
        return work(position)

    def fail() -> object:
        begun.wait(10)
        time.sleep(0.05)
        raise ValueError("this one")

    started = time.monotonic()
    with pytest.raises(ValueError, match="this one"):
        list(in_threads(3, [fail, endless, endless]))
    # Minutes without; a busy machine, or sanitizers, take longer than the tenth it needs.
    assert time.monotonic() - started < 20
