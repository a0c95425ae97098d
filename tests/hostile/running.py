"""Hostile calls in processes of their own, so that one that crashes is told from one that errs.

``python -m tests.hostile.running`` reads lines ``FAMILY<tab>FIRST`` and makes the family's calls
from that one on in a fork. It writes a line of JSON before each call, one after it, and how the
fork ended. A call that takes too long is ended by the kernel, whatever the native code does.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import io
import itertools
import json
import os
import re
import resource
import signal
import subprocess
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import numpy as np

from tests.hostile.kinds import ANYTHING, PROPER, REFUSED, Case, Kind, Same
from tests.hostile.known import KNOWN
from tests.hostile.values import Boom

#: Sanitized code is several times slower.
SANITIZED: Final = "asan" in os.environ.get("LD_PRELOAD", "")
#: Seconds of processor, and of the clock, that a call may take.
SECONDS: Final = 2 * (5 if SANITIZED else 1)
PATIENCE: Final = 10 * SECONDS
#: Memory that hostile arguments may ask for.
_MEMORY: Final = 1 << 30
#: The longest text of an error.
LONGEST: Final = 300
#: Items of an iterator that are looked at.
_MOST_ITEMS: Final = 1000
#: Fields that are no part of what an answer says.
_NO_ANSWER: Final = ("seconds", "trials", "_end")
#: Containers in one another that are looked into.
_DEEPEST: Final = 20


@dataclasses.dataclass(frozen=True, slots=True)
class Fault:
    """What went wrong: a word, and more for people."""

    what: str
    more: str = ""


@dataclasses.dataclass(frozen=True, slots=True)
class Call:
    """A call with one hostile argument, or a scene; the check returns what went wrong."""

    where: str
    value: str
    check: Callable[[], Fault | None]
    #: How much more time it may take than others.
    patience: float = 1.0


# ---------------------------------------------------------------------------
# What an answer is


def digest(value: Any, depth: int = 0) -> Any:
    """Return what tells one answer from another, of values that compare by identity too."""
    from tarot_sim._core import Position
    from tarot_sim.cards import Card, Hand
    from tarot_sim.deals.conditions import Condition
    from tarot_sim.deals.game import Game
    from tarot_sim.deals.match import Match
    from tarot_sim.rules.auction import Auction
    from tarot_sim.solver._solver import Objective, Solver

    if depth > _DEEPEST:
        return "deep"
    deeper = functools.partial(digest, depth=depth + 1)
    if value is None or isinstance(value, (bool, bytes)):
        return value
    if isinstance(value, float):
        return float(value)
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, np.generic) and np.ndim(value.item()) == 0:
        return deeper(value.item())
    if isinstance(value, np.ndarray):
        return (value.dtype.str, value.shape, value.tobytes())
    if isinstance(value, int):
        return ("Card" if isinstance(value, Card) else "int", int(value))
    if isinstance(value, Hand):
        return ("Hand", value.mask)
    if isinstance(value, Position):
        if value.rules is None:  # never set up
            return "no position"
        names = (
            "hands", "trick", "plays", "attack", "leader", "to_move", "attack_half_points",
            "attack_bouts", "won", "called", "rules",
        )  # fmt: skip
        return ("Position", *(deeper(getattr(value, name)) for name in names))
    if isinstance(value, Objective):
        return ("Objective", _worth(value))
    if isinstance(value, Solver):
        return ("Solver", value.table_bytes)
    if isinstance(value, Auction):
        return ("Auction", value.dealer, value.history, deeper(value.rules))
    if isinstance(value, Game):
        return ("Game", value.phase, value.auction.history, deeper(value.to_record()))
    if isinstance(value, Match):
        return ("Match", value.dealer, value.played, value.cancelled, value.n_deals)
    if isinstance(value, Condition):
        return ("Condition", value.text, value.players)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = [field.name for field in dataclasses.fields(value)]
        return (
            _own_class(value),
            *(deeper(getattr(value, name)) for name in fields if name not in _NO_ANSWER),
        )
    if isinstance(value, Mapping):
        return ("dict", *((deeper(key), deeper(item)) for key, item in value.items()))
    if isinstance(value, (list, tuple)):
        return ("items", *map(deeper, value[:_MOST_ITEMS]))
    if isinstance(value, Iterator):
        return ("items", *map(deeper, itertools.islice(value, _MOST_ITEMS)))
    return type(value).__name__


def _own_class(value: Any) -> str:
    """Return the name of the class of the package that an object is of."""
    classes = (cls for cls in type(value).__mro__ if cls.__module__.startswith("tarot_sim"))
    return next(classes, type(value)).__name__


def _worth(objective: Any) -> Any:
    """Return what an objective makes of some endings: it cannot be read."""
    from tarot_sim.solver._plain import plain_value
    from tests.hostile.honest import ending

    return plain_value(ending(), objective)


# ---------------------------------------------------------------------------
# The calls


def calls_of(family: str) -> list[Call]:
    """Return the calls of a family in their order."""
    return [call for call in _all_calls() if family_of(call.where) == family]


def families() -> list[str]:
    """Return the names of all families."""
    return list(dict.fromkeys(family_of(call.where) for call in _all_calls()))


def family_of(where: str) -> str:
    """Return the family of a place, the class or function: what runs in one process."""
    return re.split("[(#. ]", where, maxsplit=1)[0]


@functools.cache
def _all_calls() -> tuple[Call, ...]:
    from tests.hostile.entries import ENTRIES
    from tests.hostile.lines import line_calls
    from tests.hostile.scenes import scene_calls
    from tests.hostile.texts import text_calls

    calls = []
    for name, entry in ENTRIES.items():
        calls.append(Call(f"{name}()", "honest", _honest(entry)))
        for argument, kind in entry.kinds.items():
            for value, case in kind.cases.items():
                calls.append(Call(f"{name}({argument})", value, _hostile(entry, argument, case)))
    return (*calls, *scene_calls(), *text_calls(), *line_calls())


def _made(kinds: Mapping[str, Kind]) -> dict[str, Any]:
    return {name: kind.good() for name, kind in kinds.items()}


def _answer(function: Callable[..., Any], arguments: dict[str, Any], positional: bool) -> Any:
    result = function(*arguments.values()) if positional else function(**arguments)
    return (digest(result), digest(_target(function)))


def _target(function: Callable[..., Any]) -> Any:
    target = getattr(function, "__self__", None)
    return None if isinstance(target, type) else target


def _honest(entry: Any) -> Callable[[], Fault | None]:
    def check() -> Fault | None:
        try:
            _answer(entry.make(), _made(entry.kinds), entry.positional)
        except Exception as error:
            return Fault("refused", f"{type(error).__name__}: {error}")
        return None

    return check


def _hostile(entry: Any, argument: str, case: Case) -> Callable[[], Fault | None]:
    def check() -> Fault | None:
        function = entry.make()
        arguments = _made(entry.kinds)
        arguments[argument] = case.make()
        before = digest(_target(function))
        try:
            answer = _answer(function, arguments, entry.positional)
        except BaseException as error:
            return _refused(error, case, entry.errors) or _changed(before, function)
        if case.means == ANYTHING:
            return None
        if case.means == REFUSED:
            return Fault("accepted", short(answer[0]))
        assert isinstance(case.means, Same)
        arguments = _made(entry.kinds)
        arguments[argument] = case.means.honest()
        right = _answer(entry.make(), arguments, entry.positional)
        return (
            None
            if right == answer
            else Fault("wrong", f"{short(answer[0])}, not {short(right[0])}")
        )

    return check


def _refused(error: BaseException, case: Case, errors: tuple[type, ...]) -> Fault | None:
    found = improper(error, errors)
    if found is None and isinstance(case.means, Same) and case.means.must:
        return Fault("refused", f"{type(error).__name__}: {error}"[:200])
    return found


def _changed(before: Any, function: Callable[..., Any]) -> Fault | None:
    after = digest(_target(function))
    return None if before == after else Fault("changed", f"{short(before)} became {short(after)}")


def improper(error: BaseException, allowed: tuple[type, ...] = PROPER) -> Fault | None:
    """Return what is wrong with an error: its type, or a text that is too long."""
    if isinstance(error, Boom):
        return None
    name = type(error).__name__
    if not isinstance(error, allowed):
        return Fault(name, str(error)[:200])
    length = len(str(error))
    return None if length <= LONGEST else Fault("long", f"{name} of {length} characters")


def short(answer: Any) -> str:
    """Return an answer for people."""
    try:
        shown = repr(answer)
    except Exception as error:  # a number of too many digits
        shown = f"<{type(error).__name__}>"
    return shown if len(shown) <= 120 else shown[:117] + "..."


# ---------------------------------------------------------------------------
# In the fork


def _make_calls(family: str, first: int) -> None:
    if not SANITIZED:
        resource.setrlimit(resource.RLIMIT_AS, (_used_memory() + _MEMORY,) * 2)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    warnings.simplefilter("ignore")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)  # a call that reads standard input finds it empty
    sys.stdin = os.fdopen(0, closefd=False)
    for place, call in enumerate(calls_of(family)[first:], first):
        _say({"begin": place, "where": call.where, "value": call.value})
        seconds = known_hang(call) or SECONDS * call.patience
        signal.setitimer(signal.ITIMER_PROF, seconds)
        signal.setitimer(signal.ITIMER_REAL, PATIENCE)
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            try:
                found = call.check()
            except Exception:  # of this module, or of what the check prepares
                found = Fault("crash", traceback.format_exc()[-600:])
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        if found is not None:
            found = Fault(found.what, found.more.encode("ascii", "backslashreplace").decode())
        _say({"end": place, "what": found and found.what, "more": found and found.more})


def known_hang(call: Call) -> float | None:
    """Return how long to wait for a call that is known to take too long."""
    values = KNOWN.get(f"{call.where} hang", "").split("; ")
    return 0.15 * SECONDS if call.value in values else None


def _used_memory() -> int:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[0]) * resource.getpagesize()


def _say(line: dict[str, Any]) -> None:
    os.write(_OUT, json.dumps(line).encode() + b"\n")


_OUT: Final = 1


def _serve() -> None:
    _all_calls()  # all that is imported is imported once
    for line in sys.stdin:
        family, first = line.rstrip("\n").split("\t")
        child = os.fork()
        if child == 0:
            code = 1
            try:
                _make_calls(family, int(first))
                code = 0
            finally:
                os._exit(code)
        _, status, used = os.wait4(child, 0)
        _say({"status": status, "cpu": used.ru_utime + used.ru_stime})


# ---------------------------------------------------------------------------
# Out of it


class Server:
    """The process that makes hostile calls, as its user sees it."""

    def __init__(self) -> None:
        #: Seconds of processor that all calls have taken.
        self.cpu = 0.0
        options = os.environ.get("ASAN_OPTIONS", "")
        limits = ":allocator_may_return_null=1:max_allocation_size_mb=3000:hard_rss_limit_mb=6000"
        # What was freed is kept for a while, which is no leak.
        limits += ":quarantine_size_mb=1"
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.hostile.running"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=None if SANITIZED else subprocess.DEVNULL,
            text=True,
            env=os.environ | {"ASAN_OPTIONS": options + limits, "PYTHONUNBUFFERED": "1"},
        )

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(60)
        self._process.stdout.close()

    def run(self, family: str) -> tuple[int, list[tuple[str, str, Fault]]]:
        """Make a family's calls; return how many, and where, with which value, what went wrong."""
        faults: list[tuple[str, str, Fault]] = []
        first = 0
        while True:
            last, status = self._from(family, first, faults)
            if status == 0:
                return last, faults
            # The call that was running has ended the process: go on behind it.
            first = last

    def _from(
        self, family: str, first: int, faults: list[tuple[str, str, Fault]]
    ) -> tuple[int, int]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{family}\t{first}\n")
        self._process.stdin.flush()
        running, done = ("nothing", "nothing"), first
        for line in self._process.stdout:
            said = json.loads(line)
            if "begin" in said:
                running, done = (said["where"], said["value"]), said["begin"] + 1
            elif "end" in said:
                if said["what"] is not None:
                    faults.append((*running, Fault(said["what"], said["more"])))
            else:
                status = int(said["status"])
                self.cpu += said["cpu"]
                if status:
                    faults.append((*running, _ended(status)))
                return done, status
        raise RuntimeError(f"the process of hostile calls ended at {running}")


def _ended(status: int) -> Fault:
    number = os.WTERMSIG(status)
    if number in (signal.SIGPROF, signal.SIGALRM):
        return Fault("hang", f"more than {SECONDS} s")
    if number:
        return Fault("crash", signal.Signals(number).name)
    return Fault("crash", f"exit code {os.WEXITSTATUS(status)}")


if __name__ == "__main__":
    _serve()
