"""``tarot-sim replay``: JSON, text, files of many deals, other formats."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from tarot_sim import messages
from tarot_sim.cli.output import signed
from tarot_sim.deals import formats
from tarot_sim.deals.deal import Deal
from tests.commands import Answer
from tests.golden.refresh import contents

CONTENTS = contents()


@pytest.mark.parametrize("name", list(CONTENTS))
def test_json(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "deal.json"
    path.write_text(json.dumps(CONTENTS[name]["record"]), encoding="utf-8")
    assert Answer(capsys, "replay", path, "--json").json == CONTENTS[name]["replay"]


@pytest.mark.parametrize("name", list(CONTENTS))
@pytest.mark.parametrize("language", messages.LANGUAGES)
def test_for_people(
    name: str, language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "deal.json"
    path.write_text(json.dumps(CONTENTS[name]["record"]), encoding="utf-8")
    answer = Answer(capsys, "replay", path, "--lang", language)
    assert answer.code == 0
    assert answer.err == ""
    assert max(map(len, answer.out.splitlines())) <= 80
    expected = CONTENTS[name]["replay"]
    shown = [" ".join(trick["cards"]) in answer.out for trick in expected["tricks"]]
    assert all(shown)
    for score in expected["scores"] or ():
        assert signed(score) in answer.out


def test_text(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = Answer(capsys, "replay", file).out.splitlines()
    assert out[0] == "Garde, taker: seat 2"
    assert out[1] == "trick  leader  cards in order of play  winner"
    assert out[-4:-2] == ["attack 29, defence 62", "bouts: 1, needed: 51, down 22"]
    assert out[-2:] == ["seat     0    1     2    3", "score  +94  +94  -282  +94"]


def test_lines(lines: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answer = Answer(capsys, "replay", "--jsonl", lines)
    assert answer.code == 0
    answers = [json.loads(line) for line in answer.out.splitlines()]
    assert answers == [content["replay"] for content in CONTENTS.values()]


def test_bad_line(lines: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = lines.read_text(encoding="utf-8").splitlines()
    for bad, message in (
        ("{}", "line 3: players: missing"),
        ("{", "line 3: record: not JSON"),
        (json.dumps(Deal.random(rng=1).to_dict()), "line 3: taker: missing"),
    ):
        lines.write_text("\n".join([*good[:2], bad, *good[3:]]), encoding="utf-8")
        Answer(capsys, "replay", "--jsonl", lines).is_error(message, answered=2)


def test_standard_input(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for extra in ([], ["--jsonl"]):
        stream = io.TextIOWrapper(io.BytesIO(b"\xef\xbb\xbf" + file.read_bytes()))
        monkeypatch.setattr(sys, "stdin", stream)
        answer = Answer(capsys, "replay", "-", "--json", *extra)
        assert answer.json == CONTENTS["random-4-garde"]["replay"]


@pytest.mark.parametrize("name", ["tarotclub", "tagged"])
def test_other_formats(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    deal = Deal.from_dict(CONTENTS["random-4-garde"]["record"])
    path = tmp_path / "deal"
    path.write_text(formats.dump([deal], name), encoding="utf-8")
    assert Answer(capsys, "replay", path, "--json").json == CONTENTS["random-4-garde"]["replay"]


def test_rules(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "deal.json"
    path.write_text(json.dumps(CONTENTS["excuse-last-own-camp"]["record"]), encoding="utf-8")
    fft = Answer(capsys, "replay", path, "--json", "--rules", "fft").json
    assert fft == CONTENTS["excuse-last-own-camp-fft"]["replay"]
