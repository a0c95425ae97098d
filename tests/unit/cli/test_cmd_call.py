"""``tarot-sim call``: JSON, the table and errors."""

from __future__ import annotations

import re

import pytest

from tarot_sim.estimation.calls import rank_calls
from tests.commands import HANDS, Answer, call_of

EXTRA = pytest.mark.parametrize("extra", [[], ["--json"], ["--quiet"]], ids=["", "json", "quiet"])
pytestmark = pytest.mark.usefixtures("few_worlds")


def test_json_of_call(capsys: pytest.CaptureFixture[str]) -> None:
    document = Answer(capsys, *call_of("--json")).json
    assert {"best", "candidates"} <= set(document)
    for row in document["candidates"]:
        assert {"card", "p_make", "mean_score", "se"} <= set(row)
    assert {"PR", "CR", "KR", "TR"} == {row["card"] for row in document["candidates"]}
    assert document["candidates"][0]["card"] == document["best"]
    expected = rank_calls(HANDS[5], worlds=12, n_jobs=1).to_dict()
    assert {"schema": 1} | expected | {"seconds": document["seconds"]} == document


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
    document = Answer(capsys, *call_of("--json")).json
    answer = Answer(capsys, *call_of("--lang", language))
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
