"""Calls of the command line: in this process, in one of their own, or on a terminal."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path
from typing import Any, Final, Literal

import pytest

from tarot_sim.cli.__main__ import run

SOURCE: Final = Path(__file__).parents[1] / "src"
#: What sets the language or the colours.
VARIABLES: Final = ("TAROT_SIM_LANG", "LC_ALL", "LC_MESSAGES", "LANG", "NO_COLOR")

#: Hands that may take, by the number of players, and dogs for them.
HANDS: Final = {
    3: "A:21,18,15,13,11,9,6,4,2,EX P:R,D,8,4 C:R,10,5 K:D,9,4,2 T:R,7,3",
    4: "A:21,19,15,12,9,6,3,EX P:R,D,7 C:R,10,5 K:9,4 T:V,8",
    5: "A:21,18,14,11,7,4,EX P:R,D,6 C:10,5 K:9 T:V,8",
}
DOGS: Final = {3: "A:5 P:3 C:9,2 K:8 T:4", 4: "A:4 P:2 C:7,1 K:8 T:4", 5: "A:3 C:9 K:8"}
#: What makes `discard` and `call` quick.
FEW_WORLDS: Final = ("--worlds", 12, "--jobs", 1)


class Answer:
    """Exit code and output of a call in this process."""

    def __init__(self, capsys: pytest.CaptureFixture[str], *arguments: object) -> None:
        self.code = run([str(argument) for argument in arguments])
        self.out, self.err = capsys.readouterr()

    @property
    def json(self) -> Any:
        """The only JSON document of standard output."""
        assert self.code == 0, self.err
        assert self.out.count("\n") == 1
        document = json.loads(self.out)
        assert next(iter(document.items())) == ("schema", 1)
        return document

    def is_error(self, message: str, code: int = 2, *, answered: int = 0) -> None:
        """Assert that this error was printed on one line, after so many lines of answers."""
        assert self.code == code
        assert self.out.count("\n") == answered
        assert self.err.count("\n") == 1
        assert self.err.startswith(f"tarot-sim: error: {message}"), self.err
        assert self.err.endswith("\n")


def discard_of(players: int, *more: object) -> tuple[object, ...]:
    """Return the arguments of a quick question about an écart."""
    table: tuple[object, ...] = ("--players", players)
    if players == 5:
        table += ("--call", "TR")
    return ("discard", HANDS[players], DOGS[players], *FEW_WORLDS, *table, *more)


def call_of(*more: object) -> tuple[object, ...]:
    """Return the arguments of a quick question about a call."""
    return ("call", HANDS[5], *FEW_WORLDS, *more)


def environment(**extra: str) -> dict[str, str]:
    """Return the environment of a call in a process of its own, in English."""
    path = os.pathsep.join(filter(None, (str(SOURCE), os.environ.get("PYTHONPATH"))))
    kept = {name: value for name, value in os.environ.items() if name not in VARIABLES}
    return kept | {"PYTHONPATH": path, "PYTHONIOENCODING": "utf-8"} | extra


def command(*arguments: object) -> list[str]:
    """Return the command line of a call."""
    return [sys.executable, "-m", "tarot_sim.cli", *map(str, arguments)]


def call(*arguments: object, stdin: str = "", **extra: str) -> subprocess.CompletedProcess[str]:
    """Run the command line in a process of its own; `extra` are variables for it."""
    return subprocess.run(
        command(*arguments),
        input=stdin,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
        env=environment(**extra),
    )


def on_terminal(stream: Literal["stdout", "stderr"], *arguments: object, **extra: str) -> str:
    """Return what a call writes to this stream where it is a terminal; the other is dropped."""
    parent, child = pty.openpty()
    process = subprocess.Popen(
        command(*arguments),
        env=environment(TERM="xterm", **extra),
        stdout=child if stream == "stdout" else subprocess.DEVNULL,
        stderr=child if stream == "stderr" else subprocess.DEVNULL,
    )
    os.close(child)
    written = b""
    while True:
        try:
            part = os.read(parent, 65536)
        except OSError:  # the other end has closed
            break
        if not part:
            break
        written += part
    os.close(parent)
    assert process.wait(timeout=60) == 0
    return written.decode()


def run_python(code: str) -> str:
    """Return what some code prints in a process of its own, which must not fail."""
    return subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=True,
        env=environment(),
    ).stdout


def loaded(code: str, *modules: str) -> list[str]:
    """Return which of these modules are loaded after some code, in a process of its own."""
    asked = f"import sys\n{code}\nprint(*({set(modules)} & set(sys.modules)))"
    return sorted(run_python(asked).splitlines()[-1].split())
