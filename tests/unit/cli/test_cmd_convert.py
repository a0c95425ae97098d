"""``tarot-sim convert``: there and back, and what is lost."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tarot_sim.deals import formats
from tarot_sim.deals.deal import Deal
from tarot_sim.rules import Rules
from tests.commands import Answer
from tests.golden.refresh import contents

CONTENTS = contents()


@pytest.mark.parametrize("to", ["record", "tagged"])
def test_all_deals(to: str, lines: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answer = Answer(capsys, "convert", lines, "--to", to)
    assert answer.code == 0
    assert formats.load(answer.out) == formats.load(lines.read_text(encoding="utf-8"))


def test_there_and_back(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    club = tmp_path / "club.json"
    club.write_text(Answer(capsys, "convert", file, "--to", "tarotclub").out, encoding="utf-8")
    assert json.loads(club.read_text(encoding="utf-8"))["version"] == "3"
    back = Answer(capsys, "convert", club, "--to", "record")
    assert json.loads(back.out) == CONTENTS["random-4-garde"]["record"]
    Answer(capsys, "convert", club, "--to", "record", "--from", "tagged").is_error("line 1: ")


def test_losses_are_told(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    deal = replace(Deal.from_dict(CONTENTS["random-4-garde"]["record"]), plays=())
    file.write_text(formats.dump([deal], "record"), encoding="utf-8")
    answer = Answer(capsys, "convert", file, "--to", "tarotclub")
    assert answer.err == "deal 1: TarotClub has no place for taker, contract, discard\n"
    assert Answer(capsys, "convert", file, "--to", "tarotclub", "--quiet").err == ""


@pytest.mark.parametrize("to", ["record", "tagged", "tarotclub"])
def test_json(to: str, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = Answer(capsys, "convert", file, "--to", to, "--json").json
    assert document["format"] == to
    assert len(document["deals"]) == 1
    text = document["deals"][0]
    text = text if to == "tagged" else json.dumps(text)
    assert formats.load(text) == [Deal.from_dict(CONTENTS["random-4-garde"]["record"])]


def test_impossible(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "deal.json"
    path.write_text(json.dumps(CONTENTS["ending"]["record"]), encoding="utf-8")
    Answer(capsys, "convert", path, "--to", "tarotclub").is_error("leader: TarotClub has no")
    Answer(capsys, "convert", path).is_error("Missing option '--to'.")


def test_rules_of_a_record_are_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    deal = replace(Deal.random(rng=1), rules=Rules.fft(4))
    path = tmp_path / "deal.json"
    path.write_text(formats.dump([deal], "record"), encoding="utf-8")
    assert json.loads(Answer(capsys, "convert", path, "--to", "record").out) == deal.to_dict()
