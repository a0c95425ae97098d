"""``tarot-sim legal``: JSON and text."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.commands import Answer
from tests.golden.refresh import contents

CONTENTS = contents()


def test_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "deal.json"
    record = {
        "players": 4,
        "hands": ["A21 PR", "PD P2", "A3 CR", "P1 C2"],
        "leader": 1,
        "taker": 0,
        "plays": ["PD"],
    }
    path.write_text(json.dumps(record), encoding="utf-8")
    document = Answer(capsys, "legal", path, "--json").json
    assert document["player"] == 2
    assert document["legal"] == ["A3"]
    assert document["hand"] == "A:3 C:R"
    assert document["trick"] == ["PD"]
    out = Answer(capsys, "legal", path).out.splitlines()
    assert out == ["to move: seat 2", "on the table: PD", "hand:  A:3 C:R", "legal: A:3"]


def test_over(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = Answer(capsys, "legal", file, "--json").json
    assert document["player"] is None
    assert document["legal"] == []
    assert Answer(capsys, "legal", file).out == "every card has been played\n"


def test_lines(lines: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answer = Answer(capsys, "legal", lines, "--jsonl")
    assert len(answer.out.splitlines()) == len(CONTENTS)
