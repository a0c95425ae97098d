"""Options that several commands have: what a command gets, with and without them."""

from __future__ import annotations

import json
from typing import Any

import click
import pytest

from tarot_sim import messages
from tarot_sim.cli.options import (
    dealer_option,
    file_argument,
    jobs_option,
    jsonl_option,
    output_options,
    players_option,
    rules_option,
    seed_option,
)
from tarot_sim.cli.output import Output
from tarot_sim.rules import Rules
from tests.commands import HANDS, Answer


def given(option: Any, *arguments: str) -> dict[str, Any]:
    """Return what a command with this option gets for these arguments."""
    got: dict[str, Any] = {}

    def keep(**values: Any) -> None:
        got.update(values)

    click.command()(option(keep)).main(list(arguments), standalone_mode=False)
    return got


@pytest.mark.parametrize(
    ("option", "arguments", "expected"),
    [
        (players_option, [], {"players": 4}),
        (players_option, ["--players", "5"], {"players": 5}),
        (seed_option(), [], {"seed": 0}),
        (seed_option(), ["--seed", "7"], {"seed": 7}),
        (seed_option(default=None), [], {"seed": None}),
        (seed_option(default=None), ["--seed", "0"], {"seed": 0}),
        (jobs_option, [], {"n_jobs": -1}),
        (jobs_option, ["--jobs", "2"], {"n_jobs": 2}),
        (dealer_option, [], {"dealer": None}),
        (dealer_option, ["--dealer", "0"], {"dealer": 0}),
        (rules_option, [], {"rules": None}),
        (rules_option, ["--rules", "default"], {"rules": Rules()}),
        (rules_option, ["--rules", "fft"], {"rules": Rules.named("fft")}),
        (jsonl_option, [], {"jsonl": False}),
        (jsonl_option, ["--jsonl"], {"jsonl": True}),
        (file_argument, ["-"], {"file": "-"}),
        (output_options, [], {"out": Output()}),
        (output_options, ["--json", "-q"], {"out": Output(json=True, quiet=True)}),
        (output_options, ["--quiet", "--no-color"], {"out": Output(quiet=True)}),
    ],
)
def test_what_a_command_gets(
    option: Any, arguments: list[str], expected: dict[str, object]
) -> None:
    assert expected == given(option, *arguments)


def test_the_language_takes_effect_by_itself() -> None:
    assert {"out": Output()} == given(output_options, "--lang", "fr")
    assert "fr" == messages.language()


@pytest.mark.parametrize(
    ("option", "arguments"),
    [
        (players_option, ["--players", "2"]),
        (seed_option(), ["--seed", "-1"]),
        (rules_option, ["--rules", "house"]),
        (output_options, ["--lang", "de"]),
        (jobs_option, ["--jobs", "all"]),
    ],
)
def test_what_is_refused(option: Any, arguments: list[str]) -> None:
    with pytest.raises(click.BadParameter):
        given(option, *arguments)


@pytest.mark.parametrize(
    "arguments",
    [
        ("chances", HANDS[4], "--worlds", 50, "--method", "fast"),
        ("call", HANDS[5], "--worlds", 3),
    ],
    ids=["chances", "call"],
)
def test_the_same_question_has_the_same_answer(
    arguments: tuple[object, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a seed it is 0, and the JSON says so; only dealing draws a fresh one."""
    plain, seeded = (
        Answer(capsys, *arguments, "--jobs", 1, "--json", *extra).json
        for extra in ([], ["--seed", 0])
    )
    assert 0 == plain["seed"]
    assert plain | {"seconds": 0} == seeded | {"seconds": 0}
    deals = [json.loads(Answer(capsys, "deal", "--quiet").out)["hands"] for _ in range(2)]
    assert deals[0] != deals[1]
