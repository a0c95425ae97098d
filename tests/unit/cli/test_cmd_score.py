"""``tarot-sim score``: a result by options, and the lines of a file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.commands import Answer, loaded
from tests.golden.refresh import FOLDER

GARDE = ("score", "--contract", "garde", "--points", "49", "--bouts", "2")


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert Answer(capsys, *GARDE, "--json").json == {
        "schema": 1,
        "target": 41,
        "made": True,
        "difference": 8,
        "per_defender": 66,
        "scores": {"taker": 198, "partner": None, "defender": -66},
    }


def test_everything(capsys: pytest.CaptureFixture[str]) -> None:
    more = ("--players", 5, "--petit-au-bout", "attack", "--poignee", "simple", "--poignee")
    answer = Answer(capsys, *GARDE, *more, "double", "--json").json
    assert answer["per_defender"] == 66 + 50 + 20
    assert answer["scores"] == {"taker": 272, "partner": 136, "defender": -136}
    alone = Answer(capsys, *GARDE, "--players", 5, "--alone", "--json").json
    assert alone["scores"] == {"taker": 264, "partner": None, "defender": -66}
    failed = Answer(capsys, *GARDE, "--chelem", "announced_failed", "--json").json
    assert failed["per_defender"] == 66 - 200


def test_vectors(capsys: pytest.CaptureFixture[str]) -> None:
    vectors = json.loads((FOLDER.parent / "scores.json").read_text(encoding="utf-8"))
    for vector in vectors:
        options = [f"--{name}={vector[name]}" for name in ("players", "contract", "points")]
        options.append(f"--bouts={vector['bouts']}")
        options += [f"--poignee={name}" for name in vector["poignees"]]
        for name in ("petit_au_bout", "chelem"):
            if vector[name] is not None:
                options.append(f"--{name.replace('_', '-')}={vector[name]}")
        if vector["players"] == 5 and "partner" not in vector["scores"]:
            options.append("--alone")
        answer = Answer(capsys, "score", "--json", *options).json
        assert answer["per_defender"] == vector["per_defender"], vector["id"]
        assert vector["scores"].items() <= answer["scores"].items(), vector["id"]


def test_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    out = Answer(capsys, *GARDE).out
    assert out == "needed: 41, made by 8\ntaker +198\neach defender -66\n"
    french = Answer(capsys, "--lang", "fr", *GARDE, "--players", "5").out
    assert french.splitlines()[0] == "il faut 41, fait de 8"
    assert "associé +66" in french


def test_halves(capsys: pytest.CaptureFixture[str]) -> None:
    for points in ("40.5", "40,5"):
        options = ("--contract", "prise", "--points", points, "--bouts", 2, "--players", 3)
        assert Answer(capsys, "score", *options, "--json").json["per_defender"] == -26


def test_impossible(capsys: pytest.CaptureFixture[str]) -> None:
    start = ("score", "--contract", "garde")
    Answer(capsys, *start, "--points", 92, "--bouts", 2).is_error("points: 92 is outside 0…91")
    Answer(capsys, *start, "--points", 49, "--bouts", 4).is_error("bouts: 4 is not one of")
    Answer(capsys, *start, "--points", "x", "--bouts", 2).is_error("points: 'x' is not a numb")
    Answer(capsys, *GARDE, "--alone").is_error("alone: only at 5 players")


def test_imports_nothing_heavy() -> None:
    code = f"from tarot_sim.cli.__main__ import run\nassert run({list(GARDE)}) == 0"
    assert [] == loaded(code, "numpy", "joblib", "rich", "tarot_sim._core")


def test_score_of_json_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    vectors = json.loads((FOLDER.parent / "scores.json").read_text(encoding="utf-8"))
    file = tmp_path / "results.jsonl"
    file.write_text("\n".join(map(json.dumps, vectors)), encoding="utf-8")
    answer = Answer(capsys, "score", file, "--jsonl")
    assert answer.code == 0, answer.err
    answers = [json.loads(line) for line in answer.out.splitlines()]
    assert [vector["per_defender"] for vector in vectors] == [
        answer["per_defender"] for answer in answers
    ]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "line 2: record: not JSON at column "),
        ("[]", "line 2: expected an object"),
        ('{"contract": "garde", "points": 40}', "line 2: bouts: missing"),
        ('{"contract": "garde", "points": 95, "bouts": 2}', "line 2: points: 95 is outside"),
        ('{"hands": []}', "line 2: players: missing"),
        ('{"contract": "garde", "points": 40, "bouts": 2, "points": 4}', "line 2: points: comes"),
        ('{"contract": "garde", "points": NaN, "bouts": 2}', "line 2: record: NaN is no number"),
        ('{"contract": "garde", "points": 49, "bouts": -Infinity}', "line 2: record: -Infinity"),
    ],
)
def test_a_wrong_line_is_named(
    line: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "results.jsonl"
    file.write_text(
        f'{{"contract": "garde", "points": 49, "bouts": 2}}\n{line}\n', encoding="utf-8"
    )
    Answer(capsys, "score", file, "--jsonl").is_error(message, answered=1)
