"""Ctrl-C at random moments in the middle of every long loop and every command."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.interrupts import (
    COMMANDS,
    PYTHON,
    Delay,
    interrupt_command,
    interrupt_python,
    judge,
    moments,
    table,
    write_files,
)

pytestmark = pytest.mark.slow

#: Signals for each piece of work.
SIGNALS = 5


@pytest.fixture(scope="module")
def python_delays() -> Iterator[list[tuple[str, Delay]]]:
    with table("Python") as rows:
        yield rows


@pytest.fixture(scope="module")
def command_delays() -> Iterator[list[tuple[str, Delay]]]:
    with table("Commands") as rows:
        yield rows


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("interrupts")
    write_files(made)
    return made


@pytest.mark.parametrize("name", PYTHON)
def test_python(name: str, python_delays: list[tuple[str, Delay]]) -> None:
    delays = []
    for moment in moments(len(name), SIGNALS, 0.05, 1.5):
        delays.append(interrupt_python(PYTHON[name], moment))
        python_delays.append((name, delays[-1]))
    judge(f"python {name}", delays)


@pytest.mark.parametrize("name", COMMANDS)
def test_commands(name: str, folder: Path, command_delays: list[tuple[str, Delay]]) -> None:
    delays = []
    # It takes some tenths of a second to import what a command needs.
    latest = 1.0 if name == "bench" else 2.0  # which is over soon after
    for moment in moments(len(name), SIGNALS, 0.3, latest):
        delays.append(interrupt_command(COMMANDS[name], folder, moment))
        command_delays.append((name, delays[-1]))
    judge(f"command {name}", delays)
