"""Values of options in words, with commas, in powers of ten."""

from __future__ import annotations

from typing import Any

import click
import pytest

from tarot_sim.cli.values import (
    FORMAT_NAMES,
    METHOD_NAMES,
    OBJECTIVE_NAMES,
    PETIT_SEC_NAMES,
    RULES_NAMES,
    Count,
    Decimal,
    Named,
)
from tarot_sim.deals.formats import FORMATS
from tarot_sim.estimation.judge import METHODS
from tarot_sim.rules import Rules
from tarot_sim.rules.names import Names
from tarot_sim.solver.objectives import OBJECTIVES
from tests.commands import DOGS, HANDS, Answer

NAMED = ("--contract", "garde_sans", "--petit-au-bout", "defence", "--poignee", "simple")
WORDS = ("--contract", "Garde sans", "--petit-au-bout", "défense", "--poignee", "Simple")


def test_names_are_those_of_the_library() -> None:
    assert set(FORMATS) == set(FORMAT_NAMES.names)
    assert list(METHODS) == list(METHOD_NAMES.names)
    assert set(OBJECTIVES) == set(OBJECTIVE_NAMES.names)
    for name in RULES_NAMES.names:
        assert isinstance(Rules.named(name), Rules)
    for name in PETIT_SEC_NAMES.names:
        assert name == Rules(petit_sec=name).petit_sec  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("names", "text", "expected"),
    [
        (RULES_NAMES, "FFT", "fft"),
        (RULES_NAMES, "Défaut", "default"),
        (OBJECTIVE_NAMES, "écart", "margin"),
        (OBJECTIVE_NAMES, "Marque", "score"),
        (METHOD_NAMES, "rapide", "fast"),
        (PETIT_SEC_NAMES, "annulé", "cancel"),
        (FORMAT_NAMES, "TarotClub", "tarotclub"),
    ],
)
def test_a_name_in_words(names: Names[str], text: str, expected: str) -> None:
    assert expected == Named(names).convert(text, None, None)
    with pytest.raises(click.BadParameter, match=r"^'belote' is not one of"):
        Named(names).convert("belote", None, None)


@pytest.mark.parametrize(
    ("text", "expected"), [("40,5", 40.5), ("0.02", 0.02), ("3", 3), (2.5, 2.5), ("1e-2", 0.01)]
)
def test_decimals(text: Any, expected: float) -> None:
    assert expected == Decimal().convert(text, None, None)


@pytest.mark.parametrize("text", ["", "1,2,3", "x", "1 2"])
def test_what_is_no_decimal(text: str) -> None:
    with pytest.raises(click.BadParameter):
        Decimal().convert(text, None, None)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("7", 7),
        ("-1", -1),
        ("1e9", 1_000_000_000),
        ("1E3", 1000),
        ("2.5e3", 2500),
        ("2,50e+2", 250),
        ("1e0", 1),
        (7, 7),
    ],
)
def test_counts(text: Any, expected: int) -> None:
    assert expected == Count().convert(text, None, None)


@pytest.mark.parametrize("text", ["1.5", "2.55e1", "1e-3", "1e99", "1e", "e9", "nan", "1e400"])
def test_what_is_no_count(text: str) -> None:
    with pytest.raises(click.BadParameter, match="is not a valid integer"):
        Count().convert(text, None, None)


def test_counts_have_bounds() -> None:
    with pytest.raises(click.BadParameter, match="1000 is not in the range"):
        Count(3, 5).convert("1e3", None, None)


# --- commands ---------------------------------------------------------------------------


def test_a_score_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    result = ("--points", "49", "--bouts", "2", "--json")
    expected = Answer(capsys, "score", *NAMED, *result).json
    assert expected == Answer(capsys, "score", *WORDS, *result).json
    chelem = Answer(
        capsys, "score", "--contract", "petite", "--points", "91", "--bouts", "3",
        "--chelem", "annoncé et fait", "--json",
    )  # fmt: skip
    assert 25 + 55 + 400 == chelem.json["per_defender"]


def test_an_auction_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("chances", HANDS[4], "--worlds", 50, "--method", "rapide", "--jobs", 1, "--json")
    words, names = (
        Answer(capsys, *asked, "--auction", bids).json
        for bids in ("Passe, une petite", "pass,prise")
    )
    assert ["pass", "prise"] == words["auction"]
    assert names | {"seconds": 0} == words | {"seconds": 0}


@pytest.mark.usefixtures("few_worlds")
def test_hands_without_quotes(capsys: pytest.CaptureFixture[str]) -> None:
    for players, asked in (
        (4, ("chances", "--worlds", 50, "--method", "fast")),
        (5, ("call", "--worlds", 12)),
    ):
        hand = HANDS[players]
        quoted, plain = (
            Answer(capsys, *asked, *words, "--jobs", 1, "--json").json
            for words in ([hand], hand.split())
        )
        assert quoted | {"seconds": 0} == plain | {"seconds": 0}


def test_two_hands_need_quotes(capsys: pytest.CaptureFixture[str]) -> None:
    answer = Answer(capsys, "discard", *HANDS[4].split(), *DOGS[4].split())
    answer.is_error('HAND and DOG are two arguments, each in quotes: discard "A:21,19,')
