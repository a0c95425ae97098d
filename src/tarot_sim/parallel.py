"""Calls in threads: the native code works without the GIL.

A pool of the standard library and not joblib's, whose import alone takes longer than many a
question; what is run here stays within one process.

Ctrl-C reaches the main thread only. The calls that are at work in the others are stopped by an
exception that is sent to them; it is raised as soon as they run Python code, which native loops
do every few tens of milliseconds (`_signals.pxd`).
"""

from __future__ import annotations

import os
import threading
from functools import partial
from operator import index
from typing import TYPE_CHECKING, Final, TypeVar

from tarot_sim.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

_A = TypeVar("_A")
_T = TypeVar("_T")

#: Arguments that are asked for ahead of the next result, a thread.
_AHEAD: Final = 2


class Cancelled(BaseException):
    """Raised in a thread whose answer nobody waits for any more."""


def breathe() -> None:
    """Do nothing: where a function of Python begins, an exception sent to the thread is raised."""


def thread_count(n_jobs: int) -> int:
    """Return how many threads `n_jobs` asks for, as joblib counts: −1 for all cores.

    Raises
    ------
    OptionError
        If it is 0, or no integer.

    Examples
    --------
    >>> thread_count(3), thread_count(-1) >= 1, thread_count(-1000)
    (3, True, 1)
    """
    try:
        number = index(None if isinstance(n_jobs, bool) else n_jobs)  # type: ignore[arg-type]
    except TypeError:
        raise OptionError(f"n_jobs: {type(n_jobs).__name__} is no integer") from None
    if number == 0:
        raise OptionError("n_jobs: 0 is neither a number of jobs nor -1 for all cores")
    if number > 0:
        return number
    affinity = getattr(os, "sched_getaffinity", None)
    cores = len(affinity(0)) if affinity is not None else os.cpu_count() or 1
    return max(1, cores + 1 + number)


def in_threads(n_jobs: int, calls: Sequence[Callable[[], _T]]) -> Iterator[_T]:
    """Yield the calls' results in their order, each as soon as it is there.

    Where the caller stops asking, is interrupted, or a call raises, those that have not begun
    are dropped and those at work are stopped.
    """
    threads = min(thread_count(n_jobs), len(calls))
    if threads <= 1:
        for call in calls:
            yield call()
        return
    from concurrent.futures import ThreadPoolExecutor

    pool = ThreadPoolExecutor(threads)
    at_work = _AtWork()
    try:
        for future in [pool.submit(at_work.run, call) for call in calls]:
            yield future.result()
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        at_work.stop()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def in_threads_as_they_come(
    n_jobs: int, arguments: Iterable[_A], call: Callable[[_A], _T]
) -> Iterator[_T]:
    """Yield the results for arguments in their order, each as soon as it is there.

    The arguments are asked for in a thread of their own, a few ahead: where they come one by
    one, through a pipe, no answer waits for the next of them. Otherwise as `in_threads`.
    """
    threads = thread_count(n_jobs)
    if threads <= 1:
        yield from map(call, arguments)
        return
    from concurrent.futures import Future, ThreadPoolExecutor
    from queue import Queue

    pool = ThreadPoolExecutor(threads)
    at_work = _AtWork()
    #: What is asked; at last None, or the error that the arguments ended with.
    asked: Queue[Future[_T] | BaseException | None] = Queue(_AHEAD * threads)

    def read() -> None:
        end = None
        try:
            for argument in arguments:
                asked.put(pool.submit(at_work.run, partial(call, argument)))
        except BaseException as error:  # it is raised where the results are
            end = error
        asked.put(end)

    threading.Thread(target=read, daemon=True).start()
    try:
        while (future := asked.get()) is not None:
            if isinstance(future, BaseException):
                raise future
            yield future.result()
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        at_work.stop()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


class _AtWork:
    """The threads that are in a call, so that it can be stopped."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._threads: set[int] = set()
        self._stopped = False

    def run(self, call: Callable[[], _T]) -> _T:
        own = threading.get_ident()
        try:
            with self._lock:
                if self._stopped:
                    raise Cancelled
                self._threads.add(own)
            return call()
        finally:
            with self._lock:
                self._threads.discard(own)
            # What was sent at the last moment is raised here, not in the pool's own code.
            breathe()

    def stop(self) -> None:
        from ctypes import c_ulong, py_object, pythonapi

        with self._lock:
            self._stopped = True
            for thread in self._threads:
                pythonapi.PyThreadState_SetAsyncExc(c_ulong(thread), py_object(Cancelled))
