"""Ctrl-C in the middle of a few long loops; `tests/slow/test_interrupts.py` tries them all."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.interrupts import (
    COMMANDS,
    KNOWN,
    PYTHON,
    interrupt_command,
    interrupt_python,
    judge,
    write_files,
)

#: One of each kind: a native loop, a search, a pool, a loop in Python; those that are known to
#: be deaf for minutes are left to the slow tests.
FEW = (
    "solve",
    "solve_many, two jobs",
    "chances, two jobs",
    "rank_calls, one job",
    "deals of a rare condition",
    "Solver.cards",
)
FEW_COMMANDS = ("chances", "solve", "replay --jsonl", "deal --condition")


@pytest.mark.parametrize("name", FEW)
def test_python(name: str) -> None:
    judge(f"python {name}", [interrupt_python(PYTHON[name], 0.2)])


@pytest.mark.parametrize("name", FEW_COMMANDS)
def test_commands(name: str, tmp_path: Path) -> None:
    write_files(tmp_path, lines=2000)
    judge(f"command {name}", [interrupt_command(COMMANDS[name], tmp_path, 0.6)])


def test_every_known_one_is_tried() -> None:
    names = {*(f"python {name}" for name in PYTHON), *(f"command {name}" for name in COMMANDS)}
    assert set(KNOWN) <= names
