"""What people do at a shell: commands in processes of their own, one after the other."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from tarot_sim.cards import Card, Hand
from tarot_sim.deals.deal import Deal
from tarot_sim.worlds.discards import choose_discard
from tests.commands import call, command, environment
from tests.records import played

PLAYERS = pytest.mark.parametrize("players", [3, 4, 5])
HAND = "A:21,19,16,14,11,8,5,1,EX P:R,D,6 C:C,10 K:R,4 T:V,9"


def documents(*arguments: object, stdin: str = "") -> list[dict[str, Any]]:
    """Return the JSON documents that a command prints, one a line."""
    done = call(*arguments, stdin=stdin)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def taken(record: dict[str, Any], taker: int = 0) -> dict[str, Any]:
    """Return the record of a deal after a Garde and its écart."""
    deal = Deal.from_dict(record)
    called = Card.parse("KR") if deal.players == 5 else None
    if called is not None and called in deal.hands[taker]:
        called = Card.parse("PR")
    ecart = choose_discard(deal.hands[taker] | deal.dog, deal.rules, called=called)
    return record | {
        "taker": taker,
        "contract": "garde",
        "called": None if called is None else called.name,
        "discard": str(ecart),
    }


@PLAYERS
def test_from_a_deal_to_its_score(players: int, tmp_path: Path) -> None:
    """Deal, play, replay; the marks of the replay give the same score without cards."""
    dealt = documents("deal", "-n", 3, "--seed", 7, "--players", players)
    finished = [played(Deal.from_dict(taken(record)), n) for n, record in enumerate(dealt)]
    file = tmp_path / "deals.jsonl"
    file.write_text("".join(json.dumps(deal.to_dict()) + "\n" for deal in finished), "utf-8")
    replays = documents("replay", "--jsonl", file)
    assert len(replays) == 3
    for deal, result in zip(finished, replays, strict=True):
        assert sum(result["points"].values()) == 91
        assert sum(result["scores"]) == 0
        assert len(result["tricks"]) == deal.rules.hand_size
        options = [
            f"--{name.replace('_', '-')}={value}"
            for name, value in (
                ("players", players),
                ("contract", deal.contract),
                ("points", result["points"]["attack"]),
                ("bouts", result["bouts"]),
                ("petit_au_bout", result["petit_au_bout"]),
                ("chelem", result["chelem"]),
            )
            if value is not None
        ]
        if players == 5 and deal.associate is None:
            options.append("--alone")
        (score,) = documents("score", "--json", *options)
        assert score["per_defender"] == result["per_defender"]
        assert score["scores"]["taker"] == result["scores"][0]
        assert score["made"] == result["made"]


@PLAYERS
def test_formats_keep_the_score(players: int, tmp_path: Path) -> None:
    (dealt,) = documents("deal", "--seed", 11, "--players", players)
    deal = played(Deal.from_dict(taken(dealt)), 1)
    record = json.dumps(deal.to_dict())
    (expected,) = documents("replay", "--json", "-", stdin=record)
    for name in ("tagged", "tarotclub") if players == 4 else ("tagged",):
        converted = call("convert", "-", "--to", name, stdin=record)
        assert converted.returncode == 0
        file = tmp_path / name
        file.write_text(converted.stdout, "utf-8")
        assert documents("replay", "--json", file) == [expected]
        assert documents("convert", file, "--to", "record") == [deal.to_dict()]


@PLAYERS
def test_playing_by_the_legal_cards(players: int) -> None:
    """A program that knows no rules asks for the legal cards and plays one of them."""
    (record,) = documents("deal", "--seed", 3, "--players", players)
    record = taken(record)
    for ply in range(3):
        (answer,) = documents("legal", "-", "--json", stdin=json.dumps(record))
        assert answer["legal"]
        assert set(answer["legal"]) <= {card.name for card in Hand(answer["hand"])}
        record["plays"].append(answer["legal"][ply % len(answer["legal"])])
        # A card that was played may not be played again.
        again = call("legal", "-", stdin=json.dumps(record | {"plays": record["plays"] * 2}))
        assert again.returncode == 2
        assert f"plays[{ply + 1}]" in again.stderr
    (perft,) = documents("perft", "-", "--depth", 1, "--json", stdin=json.dumps(record))
    (answer,) = documents("legal", "-", "--json", stdin=json.dumps(record))
    assert perft["nodes"] == len(answer["legal"])


@PLAYERS
def test_solving_the_end_of_a_deal(players: int) -> None:
    """The line of the solver, put in the record, is worth what the solver said."""
    (dealt,) = documents("deal", "--seed", 5, "--players", players)
    whole = played(Deal.from_dict(taken(dealt)), 2)
    record = whole.to_dict()
    record["plays"] = record["plays"][: -4 * players]
    stdin = json.dumps(record)
    (solution,) = documents("solve", "-", "--objective", "points", "--line", "--json", stdin=stdin)
    assert solution["exact"]
    assert len(solution["line"]) == 4 * players
    finished = json.dumps(record | {"plays": record["plays"] + solution["line"]})
    (result,) = documents("replay", "--json", "-", stdin=finished)
    assert result["points"]["attack"] == solution["value"]
    (table,) = documents("solve", "-", "--objective", "points", "--all", "--json", stdin=stdin)
    (legal,) = documents("legal", "-", "--json", stdin=stdin)
    assert sorted(table["cards"]) == sorted(legal["legal"])
    assert table["cards"][table["best"]] == solution["value"]
    (verdict,) = documents("solve", "-", "--make", "--json", stdin=stdin)
    assert verdict["make"] == solution["make"]


@PLAYERS
def test_from_a_condition_to_the_chances(players: int) -> None:
    """Strong hands are asked for, and a contract is advised for them; so for weak ones."""
    least = {3: 12, 4: 9, 5: 8}[players]
    for condition, strong in (
        (f"trumps>={least} and bouts>=2 and rois>=1", True),
        (f"trumps<={least - 5} and bouts==0 and rois==0", False),
    ):
        (record,) = documents("deal", "--seed", 2, "--players", players, "--condition", condition)
        hand = record["hands"][0]
        (answer,) = documents(
            "chances", hand, "--players", players, "--worlds", 50, "--method", "fast", "--json"
        )
        assert answer["hand"] == hand
        assert (answer["advice"] != "pass") == strong
        assert (answer["contracts"]["prise"]["p_make"] > 0.5) == strong


def test_chances_do_not_depend_on_the_process_or_the_jobs() -> None:
    options = ("chances", HAND, "--worlds", 200, "--method", "fast", "--json", "--jobs")
    answers = [documents(*options, jobs)[0] | {"seconds": 0} for jobs in (1, 2, -1)]
    assert all(answer == answers[0] for answer in answers)
    other = documents(*options, 1, "--seed", 1)[0]
    assert other["contracts"] != answers[0]["contracts"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["chances", "A22"], "unknown card 'A22'"),
        (["chances", "A21"], "the hand has 1 cards, expected 18"),
        (["deal", "--condition", "trumps>"], "condition: the end at character 8"),
        (["replay", "no-such-file"], "no-such-file: No such file or directory"),
        (["replay", "-"], "record: "),
        (["solve"], "Missing argument 'FILE'"),
        (["score", "--contract", "garde", "--points", "92", "--bouts", "1"], "points: 92"),
        (["nothing"], "no such command 'nothing'"),
    ],
)
def test_bad_input_is_one_line(arguments: list[str], message: str) -> None:
    done = call(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("tarot-sim: error: ")
    assert message in done.stderr


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_stops_the_chances(jobs: int) -> None:
    parent, child = pty.openpty()
    process = subprocess.Popen(
        command("chances", HAND, "--worlds", 1_000_000, "--jobs", jobs),
        stdout=subprocess.PIPE,
        stderr=child,
        env=environment(TERM="xterm"),
    )
    os.close(child)
    seen = b""
    # The bar of progress tells that the work has begun.
    while b"%" not in seen:
        seen += os.read(parent, 65536)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=30)
    with contextlib.suppress(OSError):  # nothing more was written
        seen += os.read(parent, 65536)
    os.close(parent)
    assert process.returncode == 130
    assert out == b""
    assert b"Traceback" not in seen
    assert b"error" not in seen


def test_ctrl_c_keeps_the_deals_that_were_found(tmp_path: Path) -> None:
    output = tmp_path / "deals"
    with output.open("wb") as stream:
        process = subprocess.Popen(
            command("deal", "-n", 1_000_000, "--seed", 1, "--condition", "bouts>=2"),
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
    lines = output.read_text("utf-8").splitlines()
    assert all(Hand(json.loads(line)["hands"][0]).bouts >= 2 for line in lines)
