"""``tarot-sim discard``: JSON, the table, hands and errors."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tarot_sim.cards import Card, Hand
from tarot_sim.cli.ranking import SHOWN
from tarot_sim.estimation.discards import rank_discards
from tarot_sim.rules import Rules
from tests.commands import DOGS, FEW_WORLDS, HANDS, Answer, discard_of, one_decimal

STUCK = ("A:21,20,19,18,17,16,15,14,13,12,11,10 P:R,2 C:R,4 K:R T:R", "A:9,8,7 P:3 C:5 T:6")
EXTRA = pytest.mark.parametrize("extra", [[], ["--json"], ["--quiet"]], ids=["", "json", "quiet"])
pytestmark = pytest.mark.usefixtures("few_worlds")


@pytest.mark.parametrize("players", [3, 4, 5])
def test_json_of_discard(players: int, capsys: pytest.CaptureFixture[str]) -> None:
    document = Answer(capsys, *discard_of(players, "--json")).json
    assert {"best", "candidates"} <= set(document)
    for row in document["candidates"]:
        assert {"discard", "p_make", "mean_score", "se"} <= set(row)
        assert len(Hand(row["discard"])) == Rules(players=players).dog_size
    assert document["candidates"][0]["discard"] == document["best"]
    assert len(document["candidates"]) > SHOWN  # all of them, not those of the table
    expected = rank_discards(
        HANDS[players],
        DOGS[players],
        players=players,
        worlds=12,
        called=Card.parse("TR") if players == 5 else None,
        n_jobs=1,
    ).to_dict()
    assert {"schema": 1} | expected | {"seconds": document["seconds"]} == document


def test_hands_in_any_form(capsys: pytest.CaptureFixture[str]) -> None:
    expected = Answer(capsys, *discard_of(4), "--json").json
    hand = HANDS[4].lower().replace("p:", "♠:")
    dog = " ".join(card.name for card in Hand(DOGS[4]))
    found = Answer(capsys, "discard", hand, dog, *FEW_WORLDS, "--json").json
    assert expected | {"seconds": 0} == found | {"seconds": 0}


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize(
    ("language", "header", "best", "model"),
    [
        (
            "en",
            "écart made 95 % interval score behind error worlds",
            "Discard {}.",
            "double dummy",
        ),
        (
            "fr",
            "écart réussi à 95 % marque retard erreur mondes",
            "Écarter {}.",
            "à cartes découv",
        ),
    ],
)
def test_the_table_of_discard(
    players: int,
    language: str,
    header: str,
    best: str,
    model: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    document = Answer(capsys, *discard_of(players), "--json").json
    answer = Answer(capsys, *discard_of(players), "--lang", language)
    assert 0 == answer.code
    lines = answer.out.splitlines()
    assert max(map(len, lines)) <= 80
    assert [HANDS[players], DOGS[players], ""] == lines[:3]
    assert header.split() == lines[3].split()
    rows = lines[4:-2]
    assert min(SHOWN, len(document["candidates"])) == len(rows)
    for line, row in zip(rows, document["candidates"][: len(rows)], strict=True):
        assert line.startswith(row["discard"] + " ")
        assert f" {one_decimal(100 * row['p_make'], language)} % " in line
        score = round(row["mean_score"])
        assert f" {score:+d} " in line or (score == 0 and " 0 " in line)
        low, high = (100 * limit for limit in row["ci95"])
        assert f" {one_decimal(low, language)} – {one_decimal(high, language)} % " in line
        if row["discard"] == document["best"]:
            assert re.search(rf" {re.escape(f'{score:+d}')} +{row['worlds']}$", line)
        else:
            behind, error = round(row["behind"]), round(row["error_behind"])
            assert re.search(rf" {behind} +± {error} +{row['worlds']}$", line)
    assert ["", best.format(document["best"])] == lines[-2:]
    assert 1 == answer.err.count("\n")
    assert model in answer.err


def test_forced_trumps_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    answer = Answer(capsys, "discard", *STUCK, *FEW_WORLDS)
    rows = answer.out.split("\n\n")[1].splitlines()[1:]
    assert rows
    for line in rows:
        assert re.match(r"A:\d+ P:3,2 C:5,4 T:6 ", line), line


@pytest.mark.parametrize(
    ("message", "arguments"),
    [
        ("unknown card 'A22' at character 1", [HANDS[4].replace("A:21", "A22"), DOGS[4]]),
        ("the hand has 17 cards, expected 18", [HANDS[4].replace("EX", ""), DOGS[4]]),
        ("the hand has 18 cards, expected 24", [HANDS[4], DOGS[4], "--players", 3]),
        ("dog: unknown card 'X' at character", [HANDS[4], DOGS[4].replace("T:4", "T:X")]),
        ("dog: 5 cards, expected 6", [HANDS[4], DOGS[4].replace("T:4", "")]),
        ("dog: card P2 comes twice", [HANDS[4], DOGS[4].replace("T:4", "P2")]),
        ("dog: A21 is in the hand too", [HANDS[4], DOGS[4].replace("A:4", "A:21")]),
        ("--call: no card is called at 4 players", [HANDS[4], DOGS[4], "--call", "PR"]),
        ("--call: name the card", [HANDS[5], DOGS[5], "--players", 5]),
        ("--call: unknown card 'XX'", [HANDS[5], DOGS[5], "--players", 5, "--call", "XX"]),
        ("--dealer: seat 4 is not 0…3", [HANDS[4], DOGS[4], "--dealer", 4]),
        (
            "Invalid value for '--jobs': 0 is neither a number of jobs",
            [HANDS[4], DOGS[4], "--jobs", 0],
        ),
        ("Invalid value for '--worlds': 2", [HANDS[4], DOGS[4], "--worlds", 2]),
        ("Invalid value for '--players': 6", [HANDS[4], DOGS[4], "--players", 6]),
        ("Missing argument 'DOG'", [HANDS[4]]),
        ("Missing argument 'HAND'", []),
    ],
)
@EXTRA
def test_errors_of_discard(
    message: str,
    arguments: list[object],
    extra: list[str],
    capsys: pytest.CaptureFixture[str],
) -> None:
    Answer(capsys, "discard", *arguments, *extra).is_error(message)


# --- the player's own écart -------------------------------------------------------------

OWN = ("C:5 K:9,8 P:7,2 T:4", "C:5,1 K:9,8,4 T:4")


def test_an_own_discard_is_ranked_among_the_others(capsys: pytest.CaptureFixture[str]) -> None:
    plain = Answer(capsys, *discard_of(4), "--json").json
    asked = ("--ecart", OWN[0], "--ecart", OWN[1])
    document = Answer(capsys, *discard_of(4), *asked, "--json").json
    own = [row for row in document["candidates"] if row.get("asked")]
    assert {str(Hand(cards)) for cards in OWN} == {row["discard"] for row in own}
    assert all(row["worlds"] == 12 for row in own)  # judged to the end
    others = {row["discard"]: row for row in document["candidates"] if not row.get("asked")}
    for row in plain["candidates"]:
        if row["discard"] in others:
            for key in ("p_make", "mean_score", "worlds"):
                assert row[key] == others[row["discard"]][key]
    lines = Answer(capsys, *discard_of(4), *asked).out.splitlines()
    for cards in OWN:
        assert [line for line in lines if line.startswith(f"{Hand(cards)} * ")]
    assert "* asked for with --ecart" in lines
    assert max(map(len, lines)) <= 82


def test_an_own_discard_in_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "hands.jsonl"
    line = {"hand": HANDS[4], "dog": DOGS[4], "include": [OWN[0]]}
    path.write_text(json.dumps(line), "utf-8")
    expected = Answer(capsys, *discard_of(4), "--ecart", OWN[0], "--json").json
    found = Answer(capsys, "discard", path, "--jsonl", *FEW_WORLDS).json
    assert expected | {"seconds": 0} == found | {"seconds": 0}


@pytest.mark.parametrize(
    ("cards", "message"),
    [
        ("P:R,2 C:5 K:9,8 T:4", "--ecart: PR is a Roi, which is never discarded"),
        ("C:5 K:9,8", "--ecart: 3 cards, expected 6"),
        ("P:3,2 C:5 K:9,8 T:4", "--ecart: P3 is neither in the hand nor in the dog"),
        ("XX", "--ecart: unknown card 'XX' at character 1"),
    ],
)
def test_an_own_discard_has_to_be_legal(
    cards: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Answer(capsys, *discard_of(4), "--ecart", cards).is_error(message)


def test_an_ecart_without_quotes(capsys: pytest.CaptureFixture[str], few_worlds: None) -> None:
    words = ["P:7,2", "C:10,7,5", "T:8"]
    quoted = Answer(capsys, *discard_of(4, "--ecart", " ".join(words), "--json")).json
    bare = Answer(capsys, *discard_of(4, "--ecart", *words, "--json")).json
    front = ("discard", "--ecart", *words, *discard_of(4, "--json")[1:])
    for found in (bare, Answer(capsys, *front).json):
        assert quoted | {"seconds": 0} == found | {"seconds": 0}
