"""Calls in threads: the native code works without the GIL.

A pool of the standard library and not joblib's, whose import alone takes longer than many a
question; what is run here stays within one process.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_T = TypeVar("_T")


def thread_count(n_jobs: int) -> int:
    """Return how many threads `n_jobs` asks for, as joblib counts: −1 for all cores.

    Examples
    --------
    >>> thread_count(3), thread_count(-1) >= 1, thread_count(-1000)
    (3, True, 1)
    """
    if n_jobs > 0:
        return n_jobs
    affinity = getattr(os, "sched_getaffinity", None)
    cores = len(affinity(0)) if affinity is not None else os.cpu_count() or 1
    return max(1, cores + 1 + n_jobs)


def in_threads(n_jobs: int, calls: Sequence[Callable[[], _T]]) -> Iterator[_T]:
    """Yield the calls' results in their order, each as soon as it is there.

    Where the caller stops asking, or a call raises, those that have not begun are dropped.
    """
    threads = min(thread_count(n_jobs), len(calls))
    if threads <= 1:
        for call in calls:
            yield call()
        return
    from concurrent.futures import ThreadPoolExecutor

    pool = ThreadPoolExecutor(threads)
    try:
        for future in [pool.submit(call) for call in calls]:
            yield future.result()
    finally:
        pool.shutdown(cancel_futures=True)
