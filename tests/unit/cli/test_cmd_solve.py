"""``tarot-sim solve``: JSON, what people read, budgets, lines and errors."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from tarot_sim.bench import random_position
from tarot_sim.cards import CARDS, Hand
from tarot_sim.cli import cmd_solve, progress
from tarot_sim.cli.output import Output
from tarot_sim.deals.deal import Deal
from tarot_sim.rules.scoring import card_points
from tarot_sim.solver.objectives import OBJECTIVES, Stakes
from tarot_sim.solver.solving import solve
from tests.commands import Answer, call, command, environment
from tests.endings import OPEN_CHELEM
from tests.records import ENDING, changed

#: The keys that may not change, in the documented order.
KEYS = [
    "objective",
    "value",
    "bounds",
    "make",
    "best",
    "cards",
    "line",
    "exact",
    "nodes",
    "seconds",
]

#: The contract is made by two points if PD is led, by five if P2 is.
WHOLE = changed(ENDING, attack_points=33)


def hard_deal() -> dict[str, Any]:
    """Return a whole deal whose exact value takes hours."""
    return Deal.random(players=4, rng=5).to_dict() | {"taker": 3, "contract": "garde_sans"}


def open_chelem() -> dict[str, Any]:
    """Return a whole deal of which no short search tells whether the attack sweeps it."""
    hands = [Hand(hand) for hand in OPEN_CHELEM]
    dog = Hand([card for card in CARDS if not any(card in hand for hand in hands)])
    return {
        "players": 4,
        "dealer": 0,
        "hands": list(OPEN_CHELEM),
        "dog": str(dog),
        "taker": 0,
        "contract": "garde_sans",
    }


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return write(tmp_path, WHOLE)


def write(folder: Path, *records: dict[str, Any]) -> Path:
    path = folder / "deals.json"
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


# --- JSON -----------------------------------------------------------------------------


def test_json(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = Answer(capsys, "solve", file, "--json").json
    assert ["schema", *KEYS] == list(document)
    assert document | {"nodes": 0, "seconds": 0} == {
        "schema": 1,
        "objective": "margin",
        "value": 2,
        "bounds": [2, 2],
        "make": True,
        "best": "PD",
        "cards": None,
        "line": None,
        "exact": True,
        "nodes": 0,
        "seconds": 0,
    }
    assert document["nodes"] > 0
    assert document["seconds"] >= 0


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_json_of_each_objective(
    objective: Any, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ("--objective", objective, "--all", "--line", "--json")
    document = Answer(capsys, "solve", file, *options).json
    expected = solve(
        Deal.from_dict(WHOLE).position(), objective, stakes=Stakes("garde"), cards=True, line=True
    ).to_dict()
    for key in KEYS:
        if key not in ("nodes", "seconds"):
            assert document[key] == expected[key], key
    assert {"points": 43, "margin": 2, "score": 162}[objective] == document["value"]
    assert list(document["cards"]) == ["P2", "PD"]
    assert document["cards"][document["best"]] == document["value"]
    assert len(document["line"]) == 8
    assert document["line"][0] == document["best"]


def test_what_was_shown_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = changed(WHOLE, poignees=[{"seat": 0, "level": "simple"}], chelem=True)
    options = ("--objective", "score", "--json")
    value = Answer(capsys, "solve", write(tmp_path, shown), *options).json["value"]
    # A poignée of 20, and 200 for the chelem that was not made, from three defenders.
    assert 162 + 3 * (20 - 200) == value


def test_make(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for record, made in ((WHOLE, True), (changed(WHOLE, attack_points=30), False)):
        path = write(tmp_path, record)
        document = Answer(capsys, "solve", path, "--make", "--json").json
        assert (document["make"], document["exact"]) == (made, True)
        assert (document["value"], document["best"]) == (None, None)
        low, high = document["bounds"]
        assert low <= high
        out = Answer(capsys, "solve", path, "--make").out
        assert out == ("the contract is made\n" if made else "the contract fails\n")


def test_a_deal_that_is_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path, changed(WHOLE, plays=["PD", "A3", "P1", "PR", "CR", "C2", "A21", "P2"]))
    document = Answer(capsys, "solve", path, "--all", "--line", "--json").json
    assert (document["value"], document["make"], document["best"]) == (2, True, None)
    assert (document["cards"], document["line"], document["nodes"]) == ({}, [], 0)
    assert Answer(capsys, "solve", path, "--all", "--line").code == 0


def test_a_score_has_the_bounds_of_its_margin(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path, hard_deal())
    for budget in (("--nodes", 0), ("--nodes", 2_000), ("--time", 0.2)):
        options = ("--objective", "score", *budget, "--json")
        document = Answer(capsys, "solve", path, *options).json
        low, high = document["bounds"]
        # A Garde sans without a chelem is worth at most so much either way.
        assert -3 * 4 * (25 + 56 + 10) < low < high < 3 * 4 * (25 + 55 + 10)
    found = Answer(capsys, "solve", path, "--objective", "score", "--nodes", 20_000)
    assert re.match(r"taker's score: [+−-]\d+ to [+−-]\d+ \(open\)", found.out)
    winners = Deal.from_dict(
        {
            "players": 4,
            "dealer": 0,
            "hands": [
                "A:21,20,19,18,17,16,15,14,13,12,11,10,9,8,7,6,1,EX",
                "A:5,4 P:R,D,C,V,10,9 C:10,9,8 K:10,9,8,7 T:3,2,1",
                "A:3 P:8,7,6,5 C:R,D,C,V,7,6 K:R,D T:R,D,C,V,10",
                "A:2 P:4,3,2,1 C:5,4,3,2,1 K:C,V,6,5 T:9,8,7,6",
            ],
            "dog": "K:4,3,2,1 T:5,4",
            "taker": 0,
            "contract": "garde_sans",
        }
    ).to_dict()
    proved = Answer(
        capsys, "solve", write(tmp_path, winners),
        "--objective", "score", "--chelem", "--nodes", 0,
    )  # fmt: skip
    assert proved.out.splitlines() == [
        "taker's score: +1680",
        "the contract is made",
        "chelem of the attack: possible",
        "chelem of the defence: impossible",
    ]


def test_chelem(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    # The attack has the Excuse left to lead to the last trick.
    hands = ["A21 EX", "PD P2", "A3 CR", "P1 C2"]
    swept = changed(WHOLE, hands=hands, attack_bouts=[], swept="attack")
    for record, attack in ((swept, True), (WHOLE, False)):
        path = write(tmp_path, record)
        document = Answer(capsys, "solve", path, "--chelem", "--json").json
        assert ["schema", *KEYS, "chelem"] == list(document)
        assert document["chelem"] == {"attack": attack, "defence": False}
        assert document["exact"] is True
        answer = Answer(capsys, "solve", path, "--make", "--chelem").out.splitlines()
        possible = "possible" if attack else "impossible"
        assert answer[1:] == [
            f"chelem of the attack: {possible}",
            "chelem of the defence: impossible",
        ]
    options = ("--make", "--chelem", "--nodes", 1)
    hard = Answer(capsys, "solve", write(tmp_path, hard_deal()), *options, "--json").json
    assert hard["chelem"] == {"attack": False, "defence": False}
    path = write(tmp_path, open_chelem())
    assert Answer(capsys, "solve", path, *options, "--json").json["chelem"] == {
        "attack": None,
        "defence": False,
    }
    answer = Answer(capsys, "solve", path, *options, "--lang", "fr").out.splitlines()
    assert answer[1:] == [
        "chelem de l'attaque : indécis dans ce budget",
        "chelem de la défense : impossible",
    ]


# --- for people -----------------------------------------------------------------------


def test_text(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answer = Answer(capsys, "solve", file, "--all", "--line")
    lines = answer.out.splitlines()
    assert lines[0] == "margin: +2 points"
    assert lines[1] == "the contract is made"
    assert lines[2] == "best card: PD"
    assert [row.split() for row in lines[3:6]] == [["card", "value"], ["P2", "5"], ["PD", "2"]]
    assert lines[6] == "best line: PD A3 P1 PR CR C2 A21 P2"
    assert len(lines) == 7
    assert answer.err.endswith(" s\n")
    assert " nodes, " in answer.err
    quiet = Answer(capsys, "solve", file, "--all", "--line", "--quiet")
    assert (quiet.out, quiet.err) == (answer.out, "")


def test_french(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answer = Answer(capsys, "solve", file, "--all", "--line", "--lang", "fr")
    lines = answer.out.splitlines()
    assert lines[:3] == ["écart au contrat : +2 points", "le contrat passe", "meilleure carte : PD"]
    assert lines[3].split() == ["carte", "valeur"]
    assert lines[6].startswith("meilleure suite : PD A3")
    assert " nœuds, " in answer.err
    options = ("--nodes", 0, "--objective", "points", "--lang", "fr")
    open_lines = Answer(capsys, "solve", file, *options).out.splitlines()
    assert open_lines == [
        "attaque : 39 à 52 points (ouvert)",
        "contrat : indécis dans ce budget",
    ]


@pytest.mark.parametrize(
    ("objective", "line"),
    [
        ("points", "attack: 40.5 points"),
        ("margin", "margin: -0.5 points"),
        ("score", "taker's score: -156"),
    ],
)
def test_half_a_point(
    objective: str, line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = Answer(capsys, "solve", write(tmp_path, ENDING), "--objective", objective)
    assert (answer.code, answer.out.splitlines()[:1]) == (0, [line])


# --- budgets --------------------------------------------------------------------------


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("budget", [("--nodes", 0), ("--nodes", 2000), ("--time", 0.1)])
def test_budgets(
    objective: str,
    budget: tuple[object, ...],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = write(tmp_path, hard_deal())
    options = ("--objective", objective, "--all", "--line", *budget)
    document = Answer(capsys, "solve", path, *options, "--json").json
    assert document["exact"] is False
    for key in ("value", "best", "cards", "line"):
        assert document[key] is None
    low, high = document["bounds"]
    assert low < high
    if "--nodes" in budget:
        assert document["nodes"] <= int(str(budget[1]))
    answer = Answer(capsys, "solve", path, *options)
    assert answer.code == 0
    assert "(open)" in answer.out


def test_a_budget_for_yes_or_no(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path, hard_deal())
    document = Answer(capsys, "solve", path, "--make", "--nodes", 10, "--json").json
    assert (document["make"], document["exact"]) == (None, False)
    out = Answer(capsys, "solve", path, "--make", "--nodes", 10).out
    assert out == "made or not: open within this budget\n"


def test_a_budget_that_suffices(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ("--all", "--line", "--json", "--nodes", 10**6, "--time", 60)
    assert Answer(capsys, "solve", file, *options).json["exact"] is True


# --- many deals -----------------------------------------------------------------------


def test_jsonl(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    records = [changed(WHOLE, attack_points=points) for points in (30, 31, 32, 33, 34)]
    path = write(tmp_path, *records)
    answer = Answer(capsys, "solve", path, "--jsonl", "--objective", "points")
    assert (answer.code, answer.err) == (0, "")
    documents = [json.loads(line) for line in answer.out.splitlines()]
    assert [document["value"] for document in documents] == [40, 41, 42, 43, 44]
    assert [document["make"] for document in documents] == [False, True, True, True, True]
    assert all(["schema", *KEYS] == list(document) for document in documents)


def test_jsonl_names_the_wrong_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path, WHOLE, changed(WHOLE, contract=None), WHOLE)
    answer = Answer(capsys, "solve", path, "--jsonl", "--objective", "score")
    assert answer.code == 2
    first, wrong, third = map(json.loads, answer.out.splitlines())
    assert (first["value"], third["value"]) == (162, 162)
    error = "contract: missing, and the objective is a score"
    assert {"schema": 1, "line": 2, "error": error} == wrong
    assert answer.err == (
        "tarot-sim: error: line 2: contract: missing, and the objective is a score\n"
    )


def test_standard_input() -> None:
    done = call("solve", "-", "--json", stdin=json.dumps(WHOLE))
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["value"] == 2


# --- errors ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "options", "message"),
    [
        ({"contract": None}, ["--objective", "score"], "contract: missing, and the objective is a"),
        ({"taker": None, "contract": None}, [], "taker: missing"),
        ({"hands": ["A21 PR", "PD P2", "A3 CR", "P1"]}, [], "hands"),
        ({"plays": ["CR"]}, [], "plays[0]: seat 1 cannot play CR"),
        ({}, ["--objective", "tricks"], "Invalid value for '--objective': 'tricks'"),
        ({}, ["--nodes", -1], "Invalid value for '--nodes': -1"),
        ({}, ["--time", -1], "Invalid value for '--time': -1.0"),
        ({}, ["--time", "nan"], "--time: nan is no number"),
        ({}, ["extra"], "Got unexpected extra argument (extra)"),
    ],
)
@pytest.mark.parametrize("extra", [[], ["--json"]], ids=["", "json"])
def test_errors(
    changes: dict[str, Any],
    options: list[object],
    message: str,
    extra: list[str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = write(tmp_path, changed(WHOLE, **changes))
    Answer(capsys, "solve", path, *options, *extra).is_error(message)


def test_a_file_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "none.json"
    Answer(capsys, "solve", path).is_error(f"{path}: No such file or directory")


def test_ctrl_c(tmp_path: Path) -> None:
    path = write(tmp_path, WHOLE, hard_deal())
    process = subprocess.Popen(
        command("solve", path, "--jsonl"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    )
    assert process.stdout is not None
    # The first answer says that the second search is about to begin.
    first = process.stdout.readline()
    time.sleep(0.3)
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert json.loads(first)["value"] == card_points(4)
    assert (out, err.strip()) == (b"", b"")


# --- progress ---------------------------------------------------------------------------


def test_work_is_shown_while_it_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In slices of more and more nodes; the answer is that of one search."""
    record = hard_ending(12)
    path = write(tmp_path, record)
    expected = Answer(capsys, "solve", path, "--all", "--json").json
    monkeypatch.setattr(Output, "shows_progress", property(lambda _: True))
    monkeypatch.setattr(progress, "_PATIENCE", 0.0)
    monkeypatch.setattr(progress, "_BETWEEN", 0.001)
    monkeypatch.setattr(cmd_solve, "_FIRST_NODES", 1000)
    answer = Answer(capsys, "solve", path, "--all", "--json")
    found = answer.json
    assert re.search(r"\r\x1b\[Kbetween [?+\d.-]+ and [?+\d.-]+, [\d,]+ nodes, \d+ s\r", answer.err)
    assert answer.err.endswith("\r\x1b[K")
    assert found | {"nodes": 0, "seconds": 0} == expected | {"nodes": 0, "seconds": 0}


@pytest.mark.parametrize(
    "options", [["--quiet"], ["--time", "9"], ["--nodes", "9"], ["--jsonl"]], ids=lambda o: o[0]
)
def test_where_nothing_is_shown(
    options: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setattr(progress, "_PATIENCE", 0.0)
    answer = Answer(capsys, "solve", write(tmp_path, hard_ending(8)), *options)
    assert "\r" not in answer.err


def hard_ending(cards: int) -> dict[str, Any]:
    """Return an ending in which there is something to search."""
    position = random_position(4, cards, 3)
    return {
        "players": 4,
        "hands": [str(hand) for hand in position.hands],
        "leader": position.leader,
        "taker": position.attack[0],
        "attack_points": position.attack_half_points / 2,
        "attack_bouts": [card.name for card in position.attack_bouts],
    }


def test_make_is_a_question_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path, WHOLE)
    for options in (["--all"], ["--line"], ["--all", "--line"]):
        Answer(capsys, "solve", path, "--make", *options).is_error("--make is a question of yes")
    assert 0 == Answer(capsys, "solve", path, "--make", "--chelem").code
