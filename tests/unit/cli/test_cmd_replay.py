"""``tarot-sim replay``: JSON, text, files of many deals, other formats."""

from __future__ import annotations

import io
import json
import re
import sys
from pathlib import Path

import pytest

from tarot_sim import messages
from tarot_sim.cli.output import signed
from tarot_sim.deals import formats
from tarot_sim.deals.deal import Deal
from tarot_sim.deals.faults import playable_deal, record_faults, replay_with_faults
from tests.commands import Answer
from tests.golden.refresh import contents
from tests.records import FOUR, changed

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
        answer = Answer(capsys, "replay", "--jsonl", lines)
        answer.is_error(message, answered=len(good))
        documents = list(map(json.loads, answer.out.splitlines()))
        errors = [document["error"] for document in documents if "error" in document]
        assert [documents[2]["error"]] == errors
        assert (3, message) == (documents[2]["line"], f"line 3: {errors[0]}"[: len(message)])


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


# --- faults ---------------------------------------------------------------------------

FAULTY = changed(
    FOUR,
    poignees=[{"seat": 1, "level": "simple"}],
    plays=["PR", "C9", "P5", "C1"],
)


def test_all_faults_are_listed(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The first is the error, the others stand below it, each on a line."""
    file.write_text(json.dumps(FAULTY), "utf-8")
    expected = record_faults(FAULTY)
    assert 3 == len(expected)
    answer = Answer(capsys, "replay", file)
    assert (2, "") == (answer.code, answer.out)
    assert answer.err.splitlines() == [
        f"tarot-sim: error: {expected[0]}",
        *(f"tarot-sim: also: {fault}" for fault in expected[1:]),
    ]
    french = Answer(capsys, "legal", file, "--lang", "fr").err.splitlines()
    assert french[0].startswith("tarot-sim : erreur : poignees[0] : une poignée simple montre 10 ")
    assert french[1].startswith("tarot-sim : aussi : plays[1] : la place 1 ne peut pas jouer C9 : ")
    lines = Answer(capsys, "replay", file, "--jsonl")
    document = json.loads(lines.out)
    assert {
        "schema": 1, "line": 1, "error": expected[0], "faults": list(expected),
    } == document  # fmt: skip


def test_a_deal_with_faults_is_settled(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(json.dumps(FAULTY), "utf-8")
    document = Answer(capsys, "replay", file, "--faults", "--json").json
    expected = replay_with_faults(playable_deal(FAULTY)).to_dict()
    assert expected == document
    assert list(record_faults(FAULTY)) == document["faults"]
    assert document == json.loads(Answer(capsys, "replay", file, "--faults", "--jsonl").out)
    out = Answer(capsys, "replay", file, "--faults").out
    assert out.endswith(
        "against the rules:\n" + "".join(f"  {fault}\n" for fault in document["faults"])
    )
    french = Answer(capsys, "replay", file, "--faults", "--lang", "fr").out
    assert "contre les règles :\n  poignees[0] : une poignée simple montre 10 atouts" in french
    tagged = Answer(capsys, "replay", file, "--json", "--faults", "--rules", "fft").json
    assert tagged["faults"] == document["faults"]


def test_tagged_text_has_faults_too(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    right = CONTENTS["random-4-garde"]["record"]
    text = formats.dump([Deal.from_dict(right)], "tagged")
    file.write_text(re.sub(r"(\[Poignee.*)?\[Leader", "[Leader", text), "utf-8")
    plain = Answer(capsys, "replay", file, "--faults").out
    assert plain.endswith("nothing was against the rules\n")
    file.write_text(text.replace('[Taker "2"]', '[Taker "2"]\n[Poignee "0 triple"]'), "utf-8")
    Answer(capsys, "replay", file).is_error("poignees[0]: a triple shows 15 trumps")
    answer = Answer(capsys, "replay", file, "--faults", "--json").json
    assert 1 == len(answer["faults"])
    assert answer["scores"] != CONTENTS["random-4-garde"]["replay"]["scores"]


def test_what_cannot_be_settled(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(json.dumps(changed(FOUR, plays=["PR", "PR"])), "utf-8")
    Answer(capsys, "replay", file, "--faults").is_error("plays[1]: seat 1 cannot play PR: does not")
    file.write_text(json.dumps(changed(FOUR, contract="belote", dealer=9)), "utf-8")
    answer = Answer(capsys, "replay", file, "--faults")
    assert ["dealer", "contract"] == [line.split(": ")[2] for line in answer.err.splitlines()]
