"""``tarot-sim arena``: JSON, text, a folder that is gone on with, errors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.commands import Answer

QUICK = ("--deals", 12, "--jobs", 1)


@pytest.mark.parametrize("players", [3, 4, 5])
def test_json(players: int, capsys: pytest.CaptureFixture[str]) -> None:
    command = ("arena", "rules", "random", "--players", players, *QUICK, "--json")
    document = Answer(capsys, *command).json
    assert {"players", "deals", "pairs", "ratings", "seconds"} <= set(document)
    assert (document["players"], document["deals"]) == (players, 12)
    (pair,) = document["pairs"]
    assert (pair["a"], pair["b"], pair["deals"]) == ("rules", "random", 12)
    assert pair["mean"] > 0
    assert set(pair["roles"]) <= {"taker", "partner", "defence"}
    best, last = document["ratings"]
    assert (best["bot"], last["bot"]) == ("rules", "random")
    assert best["mean"] - last["mean"] == pytest.approx(pair["mean"])
    again = Answer(capsys, *command).json
    assert again | {"seconds": 0} == document | {"seconds": 0}


def test_three_bots_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    bots = ("rules", "random", "search:worlds=2")
    answer = Answer(capsys, "arena", *bots, "--deals", 2, "--jobs", 1)
    lines = answer.out.splitlines()
    assert sum(" instead of " in line for line in lines) == 3
    assert "points a deal" in answer.out
    assert sum(line.startswith(bots) for line in lines[-3:]) == 3


def test_the_folder_is_gone_on_with(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ("arena", "rules", "random", "--jobs", 1, "--json", "--out", tmp_path)
    Answer(capsys, *command, "--deals", 3)
    (file,) = tmp_path.iterdir()
    before = file.read_text("utf-8")
    Answer(capsys, *command, "--deals", 12)
    after = file.read_text("utf-8")
    assert after.startswith(before)
    rows = [json.loads(line) for line in after.splitlines()[1:]]
    assert [row["number"] for row in rows] == list(range(12))


@pytest.mark.parametrize(
    ("bots", "message"),
    [
        (("rules",), "bots: one bot, expected two or more"),
        (("rules", "rules"), "bots: one is named twice"),
        (("rules", "x"), "bot: 'x' is not one of"),
    ],
)
def test_errors(bots: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    Answer(capsys, "arena", *bots, *QUICK).is_error(message)
