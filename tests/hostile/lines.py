"""Hostile command lines, and files that commands read."""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

from tarot_sim.cli.__main__ import run
from tests import records
from tests.hostile.honest import PLAIN, TRUMPS
from tests.hostile.running import LONGEST, Call, Fault
from tests.hostile.texts import Check, replaced
from tests.hostile.values import LONG

_HAND_5: Final = "A:21,16,14,11,8,5,1 P:R,D,6 C:C,10 K:4 T:V,9"
#: Honest command lines with little work; words in capitals stand for files.
LINES: Final[dict[str, list[str]]] = {
    "chances": [TRUMPS, "--worlds", "50", "--precision", "0.9", "--method", "fast", "--jobs", "1"],
    "discard": [TRUMPS, PLAIN, "--worlds", "3", "--jobs", "1"],
    "call": [_HAND_5, "--worlds", "3", "--jobs", "1"],
    "odds": [TRUMPS, "--dog", PLAIN, "--cards", "P:R"],
    "solve": ["FILE", "--nodes", "1000"],
    "replay": ["FILE"],
    "legal": ["FILE"],
    "score": ["--contract", "garde", "--points", "49", "--bouts", "2"],
    "perft": ["FILE", "--depth", "2"],
    "deal": ["-n", "1", "--seed", "1", "--riffles", "3"],
    "bench": [],
    "convert": ["FILE", "--to", "tagged"],
    "advise": ["VIEW", "--bot", "rules"],
    "arena": ["rules", "random", "--deals", "2", "--jobs", "1"],
    "play": ["--bots", "rules", "--seed", "1", "--deals", "1"],
}
#: What is in these files where it is honest: an ending; a deal that one seat sees.
_FILES: Final[dict[str, bytes]] = {
    "FILE": json.dumps(records.ENDING).encode(),
    "VIEW": json.dumps(
        {"players": 4, "dealer": 3, "hands": [TRUMPS, None, None, None], "auction": []}
    ).encode(),
}
#: Values of options.
VALUES: Final[dict[str, str]] = {
    "empty": "", "space": " ", "text": "x", "-1": "-1", "0": "0", "1": "1", "half": "0.5",
    "nan": "nan", "inf": "inf", "-inf": "-inf", "1e9": "1e9", "1e308": "1e308",
    "400 digits": "9" * 400, "5000 digits": "9" * 5000, "2^31": str(2**31), "2^64": str(2**64),
    "long": "é" * LONG, "surrogate": "\udc80", "null": "\0", "--": "--", "-": "-", "arabic": "٣",
    "underscore": "1_0", "hex": "0x10", "comma": "1,5", "card": "A21", "garde": "garde",
    "None": "None", "fft": "fft", "commas": ",,,", "headers": "A:" * 1000, "lines": "a\nb",
}  # fmt: skip
#: Options whose large values only ask for much work.
_MUCH: Final = ("2^31", "2^64", "400 digits", "5000 digits", "1e9")
_WORK: Final = {
    ("deal", "number"): _MUCH,
    ("arena", "deals"): _MUCH,
    ("arena", "precision"): ("0", "1", "half", "comma"),  # more deals until it is reached
    ("advise", "worlds"): (*_MUCH, "1e308"),
    ("advise", "seconds"): (*_MUCH, "1e308"),
}
#: Lines of errors at most.
_MOST_LINES: Final = 100
_ENDING: Final = b'{"players":4,"hands":["A21","PR","A2","CR"],"leader":0,"taker":0,'
#: Files in place of an honest one.
FILES: Final[dict[str, bytes]] = {
    "empty": b"", "binary": bytes(range(256)), "not utf-8": b"\xff\xfe{", "null": b"\0" * 100,
    "bom": b"\xef\xbb\xbf{}", "crlf": b"{\r\n}\r\n", "open": b"{", "nested": b"[" * 100_000,
    "long line": b"x" * LONG, "number": b'{"players": ' + b"9" * 5000 + b"}",
    "1e308": _ENDING + b'"attack_points":1e308}',
    "bout twice": _ENDING + b'"attack_bouts":["EX","EX"]}',
    "bout in the dog": _ENDING + b'"attack_bouts":["EX"],"dog":"EX"}',
    "points of 400 digits": _ENDING + b'"attack_points":' + b"9" * 400 + b"}",
}  # fmt: skip


def line_calls() -> Iterator[Call]:
    """Yield all calls with hostile command lines."""
    for name, line in LINES.items():
        if name != "bench":
            yield Call(f"Commands.{name}", "honest", _command([name, *line], honest=True))
        for given, changed in _places(name, line):
            skipped = _WORK.get((name, given), ())
            for value, text in VALUES.items():
                if value not in skipped:
                    check = _command([name, *changed(text)])
                    patience = 3.0 if given == "auction" else 1.0
                    yield Call(f"Commands.{name}({given})", value, check, patience)
        for file, content in FILES.items():
            if "VIEW" in line:
                yield Call(f"Commands.{name}(VIEW)", file, _command([name, *line], content=content))
            if "FILE" in line:
                yield Call(f"Commands.{name}(FILE)", file, _command([name, *line], content=content))
                jsonl = [name, *line, "--jsonl"]
                if any(option.name == "jsonl" for option in _options(name)):
                    yield Call(f"Commands.{name}(--jsonl)", file, _command(jsonl, content=content))
    yield Call("Results.score", "honest", _result(json.dumps(_RESULT)))
    for name, junk in replaced(_RESULT, _RESULT):
        where, _, value = name.partition("=")
        yield Call(f"Results.{where}", value, _result(junk))
    for file, content in FILES.items():
        yield Call("Results.FILE", file, _command(["score", "FILE", "--jsonl"], content=content))
    for value, text in VALUES.items():
        yield Call("Commands.group()", value, _command([text]))
        yield Call("Commands.group(--lang)", value, _command(["--lang", text, "legal", "FILE"]))


#: A line for ``score --jsonl``.
_RESULT: Final[dict[str, Any]] = {
    "players": 4, "contract": "garde", "points": 49, "bouts": 2, "petit_au_bout": "attack",
    "poignees": ["simple"], "chelem": "announced_failed", "alone": False,
}  # fmt: skip


def _result(line: str) -> Check:
    return _command(["score", "FILE", "--jsonl"], content=line.encode())


def _options(name: str) -> list[Any]:
    module = importlib.import_module(f"tarot_sim.cli.cmd_{name}")
    return [
        option for option in module.command.params if not getattr(option, "is_flag", False)
        and option.name != "file"
    ]  # fmt: skip


def _places(name: str, line: list[str]) -> Iterator[tuple[str, Callable[[str], list[str]]]]:
    """Yield what has a value on a command line, and how another one is put there."""
    for option in _options(name):
        if option.name == "words":
            words = next(place for place, word in enumerate(line) if word.startswith("-"))
            for place, given in enumerate(("hand", "dog")[:words]):
                yield given, partial(_at, line, place)
        elif option.name == "bots":
            yield "bots", partial(_at, line, 0)
        elif option.name not in ("plot", "folder", "record"):  # files would be written
            named = [place for place, word in enumerate(line) if word in option.opts]
            yield (
                option.name,
                partial(_at, line if named else [*line, option.opts[0], ""], (*named, -2)[0] + 1),
            )


def _at(line: list[str], place: int, text: str) -> list[str]:
    changed = list(line)
    changed[place] = text
    return changed


def _command(arguments: list[str], *, content: bytes | None = None, honest: bool = False) -> Check:
    def check() -> Fault | None:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "deal.json")
            named = next((word for word in arguments if word in _FILES), "FILE")
            file.write_bytes(_FILES[named] if content is None else content)
            given = [str(file) if argument in _FILES else argument for argument in arguments]
            before, out, err = Path.cwd(), _Stream(), _Stream()
            os.chdir(folder)  # what is written by mistake goes there
            try:
                with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                    code = run(given)
            except SystemExit as error:
                code = error.code if isinstance(error.code, int) else -1
            finally:
                os.chdir(before)
        return _judged(code, out.getvalue(), err.getvalue(), honest, "--jsonl" in given)

    return check


class _Stream(io.StringIO):
    """A stream of texts that has a file's number and bytes, as a terminal has."""

    def fileno(self) -> int:
        return sys.__stdout__.fileno() if sys.__stdout__ is not None else 1


def _judged(code: int, out: str, err: str, honest: bool, jsonl: bool) -> Fault | None:
    if code not in ((0,) if honest else (0, 2)):
        return Fault(f"exit {code}", err[:200])
    if code == 2 and not err.startswith("tarot-sim: error: "):
        return Fault("error", f"not one line that says what is wrong: {err[:200]!r}")
    # All faults of a record are listed; in JSON Lines they stand in the place of the answer.
    if code == 2 and (err.count("\n") > _MOST_LINES or (out and not jsonl)):
        return Fault(
            "lines", f"{err.count(chr(10))} lines of errors, {len(out)} characters of answer"
        )
    longest = max(map(len, err.splitlines()), default=0)
    if longest > LONGEST + len("tarot-sim: error: "):
        return Fault("long", f"a line of {longest} characters")
    if "Traceback" in err:
        return Fault("traceback", err[-200:])
    return None
