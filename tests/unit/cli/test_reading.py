"""Reading deals from files: what is wrong with a file is told in one line."""

from __future__ import annotations

import json
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tarot_sim.cli.output import Output
from tarot_sim.cli.reading import InputError, answer_lines, read_lines, read_text
from tarot_sim.deals.deal import Deal
from tarot_sim.errors import RecordError
from tests.commands import Answer, command, environment
from tests.golden.refresh import contents

CONTENTS = contents()


@pytest.mark.parametrize("name", ["replay", "legal", "perft", "convert"])
@pytest.mark.parametrize("extra", [[], ["--jsonl"]], ids=["", "jsonl"])
def test_files_that_cannot_be_read(
    name: str, extra: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = {"perft": ["--depth", "1"], "convert": ["--to", "record"]}.get(name, [])
    if name == "convert" and extra:
        pytest.skip("convert reads whole files")
    missing = tmp_path / "missing"
    answer = Answer(capsys, name, missing, *options, *extra)
    answer.is_error(f"{missing}: No such file or directory")
    Answer(capsys, name, tmp_path, *options, *extra).is_error(f"{tmp_path}: Is a directory")
    binary = tmp_path / "binary"
    binary.write_bytes(b"\xff\xfe\x00")
    answer = Answer(capsys, name, binary, *options, *extra)
    if extra:
        answer.is_error("line 1: not UTF-8 text", answered=1)
    else:
        answer.is_error(f"{binary}: not UTF-8 text")


def test_a_record_that_is_wrong(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = CONTENTS["random-4-garde"]["record"]
    hands = [*record["hands"][:3], record["hands"][0]]
    file.write_text(json.dumps(record | {"hands": hands}), encoding="utf-8")
    Answer(capsys, "replay", file, "--json").is_error("hands[3]: card ")


def test_several_deals(lines: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answer = Answer(capsys, "replay", lines)
    answer.is_error(f"{lines}: {len(CONTENTS)} deals, expected one (--jsonl answers each line)")


# --- lines ----------------------------------------------------------------------------


def test_lines_are_read_as_they_come(tmp_path: Path) -> None:
    """A byte order mark is dropped; what else is in a line stays in it."""
    path = tmp_path / "lines"
    path.write_bytes("\ufeffone\n\n\u2028 two\x0b\x1c\rthree".encode())
    expected = [(1, b"\xef\xbb\xbfone\n"), (2, b"\n"), (3, "\u2028 two\x0b\x1c\rthree".encode())]
    assert expected == list(read_lines(str(path)))
    seen: list[str] = []

    def ask(line: str) -> dict[str, int]:
        seen.append(line)
        return {}

    answer_lines(str(path), Output(), ask)
    assert ["one\n", "\u2028 two\x0b\x1c\rthree"] == seen


@pytest.mark.parametrize("n_jobs", [1, 3])
def test_a_line_that_is_wrong_has_its_error_in_its_place(
    n_jobs: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "lines"
    path.write_bytes(b"one\n\n\xff\nthree\nfour\n")

    def ask(line: str) -> dict[str, str]:
        if line == "three\n":
            raise RecordError("three: wrong")
        return {"said": line.strip()}

    with pytest.raises(InputError, match=r"^line 3: not UTF-8 text \(and 1 more\)$"):
        answer_lines(str(path), Output(), ask, n_jobs=n_jobs)
    assert [
        {"schema": 1, "said": "one"},
        {"schema": 1, "line": 3, "error": "not UTF-8 text"},
        {"schema": 1, "line": 4, "error": "three: wrong"},
        {"schema": 1, "said": "four"},
    ] == list(map(json.loads, capsys.readouterr().out.splitlines()))


def test_one_line_that_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "lines"
    path.write_text("\n\nx", "utf-8")

    def ask(_line: str) -> dict[str, str]:
        raise RecordError("x: wrong")

    with pytest.raises(InputError, match=r"^line 3: x: wrong$"):
        answer_lines(str(path), Output(quiet=True), ask)


def test_many_jobs_keep_the_order(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Whichever is done first, however many there are, and several at a time."""
    path = tmp_path / "lines"
    path.write_text("".join(f"{number}\n" for number in range(60)), "utf-8")
    busy = threading.Barrier(4)

    def ask(line: str) -> dict[str, int]:
        number = int(line)
        if number < 8:
            busy.wait(timeout=30)
        time.sleep(0.002 * (number % 3))
        return {"number": number}

    answer_lines(str(path), Output(), ask, n_jobs=4)
    lines = capsys.readouterr().out.splitlines()
    assert list(range(60)) == [json.loads(line)["number"] for line in lines]


@pytest.mark.parametrize("n_jobs", [1, 3])
def test_an_error_of_the_program_is_no_error_of_a_line(n_jobs: int, tmp_path: Path) -> None:
    path = tmp_path / "lines"
    path.write_text("1\n" * 20, "utf-8")

    def ask(_line: str) -> dict[str, int]:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        answer_lines(str(path), Output(), ask, n_jobs=n_jobs)


@pytest.mark.parametrize("read", [read_text, lambda file: list(read_lines(file))])
def test_a_file_that_is_not_there(read: Callable[[str], object], tmp_path: Path) -> None:
    for name in (str(tmp_path / "missing"), "null\0byte"):
        with pytest.raises(InputError) as caught:
            read(name)
        assert str(caught.value).startswith(f"{name}: ")


@pytest.mark.parametrize("jobs", [[], ["--jobs", "3"]], ids=["", "jobs"])
def test_each_line_is_answered_before_the_next_is_read(jobs: list[str]) -> None:
    """A program that writes a line gets its answer without closing the pipe."""
    name, key = ("solve", "value") if jobs else ("score", "difference")
    process = subprocess.Popen(
        command(name, "-", "--jsonl", *jobs),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment(PYTHONUNBUFFERED="1"),
    )
    assert process.stdin is not None
    assert process.stdout is not None
    for points, expected in ((41, 0), (49, 8)):
        result = {"contract": "garde", "points": points, "bouts": 2}
        if jobs:
            # The last trick, with the Petit in it, and what lies in the pile.
            ending = {"players": 3, "hands": ["P2", "P3", "P4"], "leader": 0, "taker": 2}
            result = {**ending, "attack_points": points - 1.5, "attack_bouts": ["A1", "EX"]}
        process.stdin.write(json.dumps(result).encode() + b"\n")
        process.stdin.flush()
        assert expected == json.loads(process.stdout.readline())[key]
    process.stdin.close()
    assert b"" == process.stdout.read()
    process.stdout.close()
    assert 0 == process.wait(timeout=30)


def test_ctrl_c_while_several_lines_are_worked_on() -> None:
    """Though a line is waited for, and searches go on in other threads."""
    deal = Deal.random(players=4, rng=5).to_dict() | {"taker": 3, "contract": "garde_sans"}
    process = subprocess.Popen(
        command("solve", "-", "--jsonl", "--jobs", 2),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(PYTHONUNBUFFERED="1"),
    )
    assert process.stdin is not None
    assert process.stdout is not None
    easy = CONTENTS["ending"]["record"]
    process.stdin.write(f"{json.dumps(easy)}\n{json.dumps(deal)}\n{json.dumps(deal)}\n".encode())
    process.stdin.flush()
    assert b'"value"' in process.stdout.readline()
    time.sleep(0.3)
    started = time.monotonic()
    process.send_signal(signal.SIGINT)
    assert 130 == process.wait(timeout=30)
    assert time.monotonic() - started < 10  # a fraction of a second but for a busy machine
    process.communicate()
