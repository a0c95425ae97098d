"""``tarot-sim discard``: JSON, the table, hands and errors."""

from __future__ import annotations

import re

import pytest

from tarot_sim.cards import Card, Hand
from tarot_sim.cli.ranking import SHOWN
from tarot_sim.estimation.discards import rank_discards
from tarot_sim.rules import Rules
from tests.commands import DOGS, FEW_WORLDS, HANDS, Answer, discard_of

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
        assert f" {100 * row['p_make']:.1f} % " in line
        score = round(row["mean_score"])
        assert f" {score:+d} " in line or (score == 0 and " 0 " in line)
        low, high = (100 * limit for limit in row["ci95"])
        assert f" {low:.1f} – {high:.1f} % " in line
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
    for line in answer.out.splitlines()[4:-2]:
        assert re.match(r"A:\d+ P:3,2 C:5,4 T:6 ", line), line


@pytest.mark.parametrize(
    ("message", "arguments"),
    [
        ("unknown card 'A22' at character 1", [HANDS[4].replace("A:21", "A22"), DOGS[4]]),
        ("the hand has 17 cards, expected 18", [HANDS[4].replace("EX", ""), DOGS[4]]),
        ("the hand has 18 cards, expected 24", [HANDS[4], DOGS[4], "--players", 3]),
        ("unknown card 'X' at character", [HANDS[4], DOGS[4].replace("T:4", "T:X")]),
        ("the hand has 5 cards, expected 6", [HANDS[4], DOGS[4].replace("T:4", "")]),
        ("card P2 comes twice", [HANDS[4], DOGS[4].replace("T:4", "P2")]),
        ("dog: A21 is in the hand too", [HANDS[4], DOGS[4].replace("A:4", "A:21")]),
        ("called: no card is called at 4 players", [HANDS[4], DOGS[4], "--call", "PR"]),
        ("called: name the card", [HANDS[5], DOGS[5], "--players", 5]),
        ("unknown card 'XX'", [HANDS[5], DOGS[5], "--players", 5, "--call", "XX"]),
        ("dealer: seat 4 is not 0…3", [HANDS[4], DOGS[4], "--dealer", 4]),
        ("n_jobs: 0", [HANDS[4], DOGS[4], "--jobs", 0]),
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
