"""``tarot-sim discard`` and ``tarot-sim call``: JSON, tables, languages and errors."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from tarot_sim import messages
from tarot_sim.cards import Card, Hand
from tarot_sim.cli.ranking import SHOWN
from tarot_sim.estimation import ranking
from tarot_sim.estimation.ranking import rank_calls, rank_discards
from tarot_sim.rules import Rules
from tests.commands import VARIABLES, Answer, loaded

HANDS = {
    3: "A:21,18,15,13,11,9,6,4,2,EX P:R,D,8,4 C:R,10,5 K:D,9,4,2 T:R,7,3",
    4: "A:21,19,15,12,9,6,3,EX P:R,D,7 C:R,10,5 K:9,4 T:V,8",
    5: "A:21,18,14,11,7,4,EX P:R,D,6 C:10,5 K:9 T:V,8",
}
DOGS = {3: "A:5 P:3 C:9,2 K:8 T:4", 4: "A:4 P:2 C:7,1 K:8 T:4", 5: "A:3 C:9 K:8"}
STUCK = ("A:21,20,19,18,17,16,15,14,13,12,11,10 P:R,2 C:R,4 K:R T:R", "A:9,8,7 P:3 C:5 T:6")
QUICK = ("--worlds", 12, "--jobs", 1)
EXTRA = pytest.mark.parametrize("extra", [[], ["--json"], ["--quiet"]], ids=["", "json", "quiet"])


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Speak English, and compare on few worlds."""
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(ranking, "_ROUNDS", ((6, "fast", 6), (8, "cascade", 3)))
    yield
    messages.use("en")


def discard_of(players: int, *more: object) -> tuple[object, ...]:
    """Return the arguments of a quick question about an écart."""
    table: tuple[object, ...] = ("--players", players)
    if players == 5:
        table += ("--call", "TR")
    return ("discard", HANDS[players], DOGS[players], *QUICK, *table, *more)


# --- JSON -----------------------------------------------------------------------------


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


def test_json_of_call(capsys: pytest.CaptureFixture[str]) -> None:
    document = Answer(capsys, "call", HANDS[5], *QUICK, "--json").json
    assert {"best", "candidates"} <= set(document)
    for row in document["candidates"]:
        assert {"card", "p_make", "mean_score", "se"} <= set(row)
    assert {"PR", "CR", "KR", "TR"} == {row["card"] for row in document["candidates"]}
    assert document["candidates"][0]["card"] == document["best"]
    expected = rank_calls(HANDS[5], worlds=12, n_jobs=1).to_dict()
    assert {"schema": 1} | expected | {"seconds": document["seconds"]} == document


@pytest.mark.parametrize("language", messages.LANGUAGES)
def test_json_says_nothing_else(language: str, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (discard_of(4), ("call", HANDS[5], *QUICK)):
        plain = Answer(capsys, *arguments, "--json").json
        answer = Answer(capsys, *arguments, "--json", "--lang", language)
        assert plain | {"seconds": 0} == answer.json | {"seconds": 0}
        assert answer.err == ""


def test_options_reach_the_work(capsys: pytest.CaptureFixture[str]) -> None:
    def ask(*arguments: object) -> dict[str, Any]:
        document: dict[str, Any] = Answer(capsys, *arguments, "--json").json
        return document

    for arguments in (discard_of(4), ("call", HANDS[5], *QUICK)):
        first = ask(*arguments)
        assert first["candidates"] == ask(*arguments, "--seed", 0, "--jobs", 2)["candidates"]
        seeded = ask(*arguments, "--seed", 7)
        assert 7 == seeded["seed"]
        for other in (seeded, ask(*arguments, "--dealer", 2)):
            assert first["candidates"] != other["candidates"]
        more = ask(*arguments, "--worlds", 15)
        assert 15 == more["candidates"][0]["worlds"]
    assert {12} == {row["worlds"] for row in ask("call", HANDS[5], *QUICK)["candidates"]}
    # At five players the call matters; under the rules of the FFT a Dame may be too.
    by_call = [ask(*discard_of(5), "--call", name)["candidates"] for name in ("TR", "PR")]
    assert by_call[0] != by_call[1]
    four_rois = "A:21,20,18,15,12,9,6,EX P:R,4 C:R,8 K:R T:R,2"
    assert 4 == len(ask("call", four_rois, *QUICK)["candidates"])
    assert 5 == len(ask("call", four_rois, *QUICK, "--rules", "fft")["candidates"])


def test_hands_in_any_form(capsys: pytest.CaptureFixture[str]) -> None:
    expected = Answer(capsys, *discard_of(4), "--json").json
    hand = HANDS[4].lower().replace("p:", "♠:")
    dog = " ".join(card.name for card in Hand(DOGS[4]))
    found = Answer(capsys, "discard", hand, dog, *QUICK, "--json").json
    assert expected | {"seconds": 0} == found | {"seconds": 0}


# --- for people -----------------------------------------------------------------------


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


@pytest.mark.parametrize(
    ("language", "header", "best", "model"),
    [
        (
            "en",
            "call made 95 % interval score behind error worlds",
            "Call {}.",
            "double dummy",
        ),
        (
            "fr",
            "appel réussi à 95 % marque retard erreur mondes",
            "Appeler {}.",
            "à cartes découv",
        ),
    ],
)
def test_the_table_of_call(
    language: str,
    header: str,
    best: str,
    model: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    document = Answer(capsys, "call", HANDS[5], *QUICK, "--json").json
    answer = Answer(capsys, "call", HANDS[5], *QUICK, "--lang", language)
    lines = answer.out.splitlines()
    assert [HANDS[5], ""] == lines[:2]
    assert header.split() == lines[2].split()
    rows = lines[3:-2]
    assert [row["card"] for row in document["candidates"]] == [line.split()[0] for line in rows]
    for line, row in zip(rows, document["candidates"], strict=True):
        assert f" {100 * row['p_make']:.1f} % " in line
        low, high = (100 * limit for limit in row["ci95"])
        assert f" {low:.1f} – {high:.1f} % " in line
        if row["card"] != document["best"]:
            behind, error = round(row["behind"]), round(row["error_behind"])
            assert re.search(rf" {behind} +± {error} +{row['worlds']}$", line)
        assert line.endswith(f" {row['worlds']}")
    assert ["", best.format(document["best"])] == lines[-2:]
    assert 1 == answer.err.count("\n")
    assert model in answer.err


def test_forced_trumps_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    answer = Answer(capsys, "discard", *STUCK, *QUICK)
    for line in answer.out.splitlines()[4:-2]:
        assert re.match(r"A:\d+ P:3,2 C:5,4 T:6 ", line), line


def test_quiet_leaves_the_answer(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (discard_of(4), ("call", HANDS[5], *QUICK)):
        loud, quiet = (Answer(capsys, *arguments, *extra) for extra in ([], ["--quiet"]))
        assert "" == quiet.err != loud.err
        assert loud.out == quiet.out


@pytest.mark.parametrize("language", messages.LANGUAGES)
def test_the_help_tells_the_number_of_worlds(
    language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The default that is told is the one that is used."""
    for name in ("discard", "call"):
        answer = Answer(capsys, name, "--help", "--lang", language)
        assert 0 == answer.code
        told = re.search(r"--worlds .*?(\d+) (by default|par défaut)", answer.out, re.DOTALL)
        assert told is not None, answer.out
        assert ranking.DEFAULT_WORLDS == int(told[1])


# --- errors ---------------------------------------------------------------------------


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


@pytest.mark.parametrize(
    ("message", "arguments"),
    [
        ("unknown card 'A22' at character 1", [HANDS[5].replace("A:21", "A22")]),
        ("the hand has 18 cards, expected 15", [HANDS[4]]),
        ("card PD comes twice", [HANDS[5].replace("T:V", "PD T:")]),
        ("dealer: seat 5 is not 0…4", [HANDS[5], "--dealer", 5]),
        ("n_jobs: 0", [HANDS[5], "--jobs", 0]),
        ("Invalid value for '--worlds': 2", [HANDS[5], "--worlds", 2]),
        ("No such option", [HANDS[5], "--players", 4]),
        ("Missing argument 'HAND'", []),
    ],
)
@EXTRA
def test_errors_of_call(
    message: str,
    arguments: list[object],
    extra: list[str],
    capsys: pytest.CaptureFixture[str],
) -> None:
    Answer(capsys, "call", *arguments, *extra).is_error(message)


def test_a_wrong_hand_is_told_before_numpy_is_loaded() -> None:
    code = (
        "from tarot_sim.cli.__main__ import run\n"
        "assert run(['discard', 'A21', 'P2']) == run(['call', 'A21']) == 2"
    )
    assert [] == loaded(code, "numpy", "joblib", "tarot_sim.estimation._evaluate")
