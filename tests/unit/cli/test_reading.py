"""Reading deals from files: what is wrong with a file is told in one line."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tarot_sim.cli.reading import InputError, read_lines, read_text
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
    answer.is_error("line 1: not UTF-8" if extra else f"{binary}: not UTF-8 text")


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
    assert ["one\n", "\n", "\u2028 two\x0b\x1c\rthree"] == list(read_lines(str(path)))


def test_a_line_that_is_not_text_is_named(tmp_path: Path) -> None:
    path = tmp_path / "lines"
    path.write_bytes(b"one\n\xff\nthree\n")
    lines = read_lines(str(path))
    assert "one\n" == next(lines)
    with pytest.raises(RecordError, match=r"^line 2: not UTF-8 text$"):
        next(lines)


@pytest.mark.parametrize("read", [read_text, lambda file: list(read_lines(file))])
def test_a_file_that_is_not_there(read: Callable[[str], object], tmp_path: Path) -> None:
    for name in (str(tmp_path / "missing"), "null\0byte"):
        with pytest.raises(InputError) as caught:
            read(name)
        assert str(caught.value).startswith(f"{name}: ")


def test_each_line_is_answered_before_the_next_is_read() -> None:
    """A program that writes a line gets its answer without closing the pipe."""
    process = subprocess.Popen(
        command("score", "-", "--jsonl"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment(PYTHONUNBUFFERED="1"),
    )
    assert process.stdin is not None
    assert process.stdout is not None
    for points, difference in ((41, 0), (49, 8)):
        result = {"contract": "garde", "points": points, "bouts": 2}
        process.stdin.write(json.dumps(result).encode() + b"\n")
        process.stdin.flush()
        assert difference == json.loads(process.stdout.readline())["difference"]
    process.stdin.close()
    assert b"" == process.stdout.read()
    process.stdout.close()
    assert 0 == process.wait(timeout=30)
