"""The help in French has no English in it, in any command; in English no French."""

from __future__ import annotations

import re

import pytest

from tarot_sim.cli.__main__ import COMMANDS
from tests.commands import Answer, call

#: Words of help that are not French. Names of options, of values and of commands are neither.
ENGLISH = re.compile(
    r"\b(usage:|show|this|exit|default:|required|integer|number|text|file|hand|dog|card|"
    r"cards|bids|name|value|command|args|the|of|and|with|is|are|be|by|to|from|or|not|a hand|"
    r"players|seat|worlds|seconds|print|file is|answer|each|line|repeatable|trumps|honours|"
    r"voids)\b",
    re.IGNORECASE,
)
#: What is written so in any language.
NAMES = re.compile(
    r"--?[a-z][\w-]*|\[[\w|]+\]|tarot-sim \w+|JSON Lines|NO_COLOR|record \(|\w+_\w+"
    r"|\w+:\w+=[\d.]+|, strong,"
    r"|^  (?:chances|discard|call|solve|replay|legal|score|perft|deal|bench|convert|advise)  "
    r"|^  (?:arena|play)  "
)


def help_of(language: str, *command: str) -> str:
    """Return the help as a process of its own prints it: a command is loaded in one language."""
    answer = call(*command, "--help", TAROT_SIM_LANG=language)
    assert (answer.returncode, answer.stderr) == (0, "")
    return answer.stdout


@pytest.mark.parametrize("command", [(), *((name,) for name in COMMANDS)])
def test_no_english_in_french(command: tuple[str, ...]) -> None:
    found = help_of("fr", *command)
    assert found.startswith("Usage : tarot-sim ")
    assert "Afficher ce message." in found
    for line in found.splitlines():
        assert not ENGLISH.search(NAMES.sub(" ", line)), line
        assert len(line) <= 80
    assert "None" not in found


@pytest.mark.parametrize("command", [(), *((name,) for name in COMMANDS)])
def test_english_as_ever(command: tuple[str, ...]) -> None:
    found = help_of("en", *command)
    assert found.startswith("Usage: tarot-sim ")
    assert "Show this message and exit." in found
    assert not re.search(r"défaut|obligatoire|FICHIER|ENTIER|None", found)


def test_extras_in_french() -> None:
    found = " ".join(help_of("fr", "deal").split())
    assert "[défaut : 1 ; x>=0]" in found
    assert "--players ENTIER" in found
    assert "[x>=0 ; obligatoire]" in " ".join(help_of("fr", "perft").split())
    assert "Usage : tarot-sim chances [OPTIONS] MAIN" in help_of("fr", "chances")


@pytest.mark.parametrize(
    ("french", "english"),
    [
        ("atouts>=7 et chien.rois==0", "trumps>=7 and dog.rois==0"),
        ("bouts>=2 ou honneurs>6", "bouts>=2 or honours>6"),
        ("non petit et Cœur>=5", "not petit and C>=5"),
        ("habillés>=6", "honours>=6"),
        ("1.chicanes>=1", "1.voids>=1"),
        ("longueur>=7", "longest>=7"),
        ("vingt_et_un et points>=20,5", "vingtetun and points>=20.5"),
    ],
)
def test_conditions_in_french(
    french: str, english: str, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = (
        Answer(capsys, "deal", "--seed", 7, "--condition", condition).json
        for condition in (french, english)
    )
    assert first == second


def test_features_are_listed_in_french(capsys: pytest.CaptureFixture[str]) -> None:
    answer = Answer(capsys, "deal", "--lang", "fr", "--condition", "belote>1")
    assert answer.code == 2
    assert "il y a atouts, bouts, points, rois, dames, honneurs, chicanes" in answer.err
