"""``tarot-sim advise``: each phase, records with nulls, both languages."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tarot_sim.bots import make
from tarot_sim.deals.view import View
from tests.commands import DOGS, HANDS, Answer
from tests.games import random_game

KEYS = {"player", "phase", "best", "options", "worlds", "bot", "seconds"}
TABLES = pytest.mark.parametrize("players", [3, 4, 5])
FEW = ("--worlds", 4)


def write(path: Path, record: dict[str, Any]) -> str:
    file = path / "deal.json"
    file.write_text(json.dumps(record), "utf-8")
    return str(file)


def begun(players: int, **more: Any) -> dict[str, Any]:
    """Return a record that seat 0 knows, which speaks first."""
    hands: list[str | None] = [HANDS[players], *[None] * (players - 1)]
    return {"players": players, "dealer": players - 1, "hands": hands, "dog": None, **more}


def took(players: int, contract: str = "garde") -> dict[str, Any]:
    return {"taker": 0, "contract": contract, "auction": [contract, *["pass"] * (players - 1)]}


def check(document: dict[str, Any]) -> None:
    assert set(document) >= KEYS
    best, *others = document["options"]
    assert best["option"] == document["best"]
    assert best["behind"] in (0, None)
    for option in (best, *others):
        assert set(option) >= {"option", "p_make", "mean_score", "se", "behind"}
        assert option["p_make"] is None or 0 <= option["p_make"] <= 1


@TABLES
def test_the_bid(players: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write(tmp_path, begun(players, auction=[]))
    document = Answer(capsys, "advise", file, "--json", *FEW).json
    check(document)
    assert (document["phase"], document["player"]) == ("bid", 0)
    bids = {option["option"] for option in document["options"]}
    assert bids == {"pass", "prise", "garde", "garde_sans", "garde_contre"}


def test_the_call(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write(tmp_path, begun(5, **took(5)))
    document = Answer(capsys, "advise", file, "--json", *FEW).json
    check(document)
    assert document["phase"] == "call"
    assert {option["option"] for option in document["options"]} == {"PR", "CR", "KR", "TR"}


@TABLES
def test_the_ecart(players: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = begun(players, **took(players)) | {"dog": DOGS[players]}
    if players == 5:
        record["called"] = "TR"
    document = Answer(capsys, "advise", write(tmp_path, record), "--json", *FEW).json
    check(document)
    assert document["phase"] == "discard"
    assert len(document["options"]) > 1


@TABLES
@pytest.mark.parametrize("seen", [True, False])
def test_the_card(
    players: int, seen: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The same whether the record tells the others' cards or not: they are not looked at."""
    random = Random(players)
    for _ in range(3):
        game = random_game(players, random, plays=2 * players + 1)
        seat = game.to_move
        assert seat is not None
        record = game.to_record()
        if not seen:
            record["hands"] = [h if s == seat else None for s, h in enumerate(record["hands"])]
        document = Answer(capsys, "advise", write(tmp_path, record), "--json", *FEW).json
        check(document)
        assert (document["phase"], document["player"]) == ("play", seat)
        assert document["best"] in [card.name for card in game.legal_cards()]
        assert set(document["cards"]) == {option["option"] for option in document["options"]}
        assert set(document["known"]) >= {"voids", "no_trump_above"}
        expected = make("search:worlds=4", 0)
        expected.announce(View.of(game, seat))
        view = View.of(game, seat)
        assert document["best"] == expected.play(view).best.name


def test_for_people(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write(tmp_path, begun(4, auction=[]))
    english = Answer(capsys, "advise", file, *FEW)
    french = Answer(capsys, "advise", file, *FEW, "--lang", "fr")
    assert english.out.startswith("Seat 0 bids: ")
    assert french.out.startswith("La place 0 annonce : ")
    assert "40 worlds, search:worlds=4, " in english.err


@pytest.mark.parametrize(
    ("record", "options", "message"),
    [
        (begun(4, auction=[]), ("--seat", 1), "hands[1]: missing"),
        (begun(4, auction=[]), ("--bot", "chess"), "--bot: 'chess' is not one of"),
        (begun(4, auction=["pass"]), ("--seat", 0), "seat: it is seat 1's turn, not seat 0's"),
        (begun(4, auction=[]) | {"hands": [None] * 4}, (), "hands[0]: missing"),
        (begun(4, **took(4)) | {"dog": DOGS[4], "plays": ["XX"]}, (), "plays[0]: "),
        ([], (), "expected an object"),
    ],
)
def test_what_is_wrong_is_named(
    record: Any,
    options: tuple[object, ...],
    message: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    Answer(capsys, "advise", write(tmp_path, record), *options).is_error(message)
