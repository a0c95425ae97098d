"""The entry point: commands, help, exit codes and errors on one line."""

from __future__ import annotations

import re
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tarot_sim import __version__, messages
from tarot_sim.cli.__main__ import COMMANDS, make_group, run
from tarot_sim.deals.deal import Deal
from tests.commands import Answer, call, command, environment


def test_help_lists_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    answer = Answer(capsys, "--help")
    assert answer.code == 0
    for name in COMMANDS:
        english = messages.text(f"command.{name}")
        assert re.search(rf"^  {name} +{re.escape(english)}$", answer.out, re.MULTILINE)


@pytest.mark.parametrize("name", list(COMMANDS))
def test_help_of_a_command(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    answer = Answer(capsys, name, "-h")
    assert answer.code == 0
    assert answer.out.startswith(f"Usage: tarot-sim {name} ")


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    answer = Answer(capsys, "--version")
    assert answer.code == 0
    assert answer.out == f"tarot-sim {__version__}\n"


def test_group_has_every_command() -> None:
    group = make_group()
    for name in COMMANDS:
        command = group.get_command(None, name)  # type: ignore[arg-type]
        assert command is not None
        assert command.name == name


@pytest.mark.parametrize("name", list(COMMANDS))
def test_french_help(name: str) -> None:
    done = call(name, "--help", TAROT_SIM_LANG="fr")
    assert done.returncode == 0
    assert "Langue de l'affichage." in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_usage(capsys: pytest.CaptureFixture[str]) -> None:
    Answer(capsys, "repla").is_error("no such command 'repla', there are ")
    Answer(capsys, "replay").is_error("Missing argument 'FILE'.")
    Answer(capsys, "--nope").is_error("No such option")
    Answer(capsys, "replay", "--lang", "de", "-").is_error("Invalid value for '--lang': 'de'")
    Answer(capsys, "score", "--contract", "petite").is_error("Invalid value for '--contract'")


def test_nothing_asked(capsys: pytest.CaptureFixture[str]) -> None:
    answer = Answer(capsys)
    assert answer.code == 2
    assert answer.out == ""
    assert "Usage: tarot-sim" in answer.err


def test_failure(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(_deal: Deal) -> None:
        raise OverflowError("too\nmuch")

    monkeypatch.setattr(Deal, "position", fail)
    Answer(capsys, "legal", file).is_error("OverflowError: too much", code=1)
    monkeypatch.setenv("TAROT_SIM_DEBUG", "1")
    with pytest.raises(OverflowError):
        run(["legal", str(file)])


def test_interrupt(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stop(_deal: Deal) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Deal, "position", stop)
    answer = Answer(capsys, "legal", file)
    assert answer.code == 130
    assert answer.err.strip() == ""


def test_ctrl_c(tmp_path: Path) -> None:
    output = tmp_path / "out"
    with output.open("wb") as stream:
        process = subprocess.Popen(
            command("deal", "-n", 100_000_000, "--seed", 1),
            stdout=stream,
            stderr=subprocess.PIPE,
            env=environment(),
        )
        deadline = time.monotonic() + 30
        while not output.stat().st_size and time.monotonic() < deadline:
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert err.strip() == b""
    assert output.read_bytes().endswith(b"\n")


def test_broken_pipe() -> None:
    process = subprocess.Popen(
        command("deal", "-n", 100_000, "--seed", 1),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    )
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.readline().startswith(b'{"schema": 1')
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(timeout=30) == 1


def test_terminal_without_unicode() -> None:
    start = ("score", "--contract", "garde", "--points", "92", "--bouts", "2")
    done = call(*start, PYTHONIOENCODING="latin-1")
    assert done.returncode == 2
    assert done.stderr == "tarot-sim: error: points: 92 is outside 0?91\n"
