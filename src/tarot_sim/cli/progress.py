"""Showing that long work goes on: one line on standard error, on a terminal only."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import Final

#: Seconds until the line is shown at all, and between two of it.
_PATIENCE: Final = 0.5
_BETWEEN: Final = 0.25
_ERASE: Final = "\r\x1b[K"


@contextmanager
def ticking(line: Callable[[float], str]) -> Iterator[None]:
    """Show a line again and again while work is done, and take it away in the end.

    It is written by a thread of its own, so that native code does not hold it up.

    Parameters
    ----------
    line
        Returns what to show after so many seconds.
    """
    started, done = time.monotonic(), Event()

    def show() -> None:
        shown = False
        while not done.wait(_BETWEEN if shown else _PATIENCE):
            sys.stderr.write(_ERASE + line(time.monotonic() - started))
            sys.stderr.flush()
            shown = True
        if shown:
            sys.stderr.write(_ERASE)
            sys.stderr.flush()

    thread = Thread(target=show, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
