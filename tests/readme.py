"""The commands that the READMEs show, and what they print.

A block marked ``console`` holds commands after ``$`` and their standard output. A line
``…`` stands for lines left out.

Run ``python -m tests.readme`` from the top after a change that is meant to alter an
answer: it writes the answers again, cut where they were cut. For a new command, write
``$ command`` alone, or below it how many lines to keep of its answer: ``3 … 7`` are the
first three and the last seven.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
FILES = (ROOT / "README.md", ROOT / "README.fr.md")
CUT = "…"

_BLOCK = re.compile(r"(?<=^```console\n).*?(?=^```$)", re.MULTILINE | re.DOTALL)
_KEEP = re.compile(r"(\d+) … (\d+)\n?")


class Example(NamedTuple):
    """A command and what is shown of its answer."""

    command: str
    shown: str


def examples(block: str) -> Iterator[Example]:
    """Yield the commands of one block."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        yield Example(command, shown)


def all_examples() -> Iterator[Example]:
    """Yield the commands of every README."""
    for file in FILES:
        for block in _BLOCK.findall(file.read_text(encoding="utf-8")):
            yield from examples(block)


def run(command: str) -> str:
    """Return what a command prints to standard output."""
    environment = os.environ | {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "NO_COLOR": "1",
        "PYTHONIOENCODING": "utf-8",
        "LC_ALL": "C.UTF-8",
        "COLUMNS": "100",
    }
    answer = subprocess.run(
        command, shell=True, cwd=ROOT, env=environment, capture_output=True, timeout=300
    )
    if answer.returncode:
        raise RuntimeError(f"{command}: {answer.stderr.decode()}")
    return answer.stdout.decode()


def kept(shown: str) -> tuple[int, int] | None:
    """Return how many lines are shown before and after a cut; None without a cut."""
    order = _KEEP.fullmatch(shown)
    if order:
        return int(order[1]), int(order[2])
    lines = shown.splitlines()
    if CUT not in lines:
        return None
    return lines.index(CUT), len(lines) - lines.index(CUT) - 1


def cut(answer: str, ends: tuple[int, int] | None) -> str:
    """Return an answer with its middle left out."""
    if ends is None:
        return answer
    lines = answer.splitlines()
    head, tail = ends
    return "\n".join([*lines[:head], CUT, *lines[len(lines) - tail :]]) + "\n"


def refreshed(text: str) -> str:
    """Return a README with the answers of today."""

    def block(match: re.Match[str]) -> str:
        return "".join(
            f"$ {example.command}\n{cut(run(example.command), kept(example.shown))}"
            for example in examples(match.group())
        )

    return _BLOCK.sub(block, text)


if __name__ == "__main__":
    for readme in FILES:
        readme.write_text(refreshed(readme.read_text(encoding="utf-8")), encoding="utf-8")
