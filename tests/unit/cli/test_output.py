"""Writing answers: documents, notes, tables, names of cards, languages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tarot_sim.cli.output import Output, signed
from tarot_sim.deals.deal import Deal
from tests.commands import Answer, call, on_terminal
from tests.golden.refresh import contents

CONTENTS = contents()


def test_document(capsys: pytest.CaptureFixture[str]) -> None:
    Output().document({"a": 1, "schema": 7})
    assert capsys.readouterr().out == '{"schema": 1, "a": 1}\n'


def test_notes_are_talk(capsys: pytest.CaptureFixture[str]) -> None:
    Output().note("busy")
    Output(quiet=True).note("busy")
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", "busy\n")


def test_table(capsys: pytest.CaptureFixture[str]) -> None:
    Output().table(["name", " number"], [["x", "1"], ["longer", "23"]])
    assert capsys.readouterr().out == "name    number\nx            1\nlonger      23\n"


def test_names_of_cards() -> None:
    deal = Deal.from_dict(CONTENTS["random-4-garde"]["record"])
    hand = deal.hands[0]
    assert Output().hand(hand) == str(hand)
    shown = re.sub(r"\x1b\[\d+m", "", Output(pretty=True).hand(hand))
    assert shown == hand.pretty


def test_signed() -> None:
    assert [signed(n) for n in (12, -3, 0)] == ["+12", "-3", "0"]


def test_json_is_not_translated(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answer = Answer(capsys, "replay", file, "--json", "--lang", "fr")
    assert answer.json == CONTENTS["random-4-garde"]["replay"]


@pytest.mark.parametrize("extra", [[], ["--no-color"]], ids=["colour", "plain"])
def test_terminal(file: Path, extra: list[str]) -> None:
    """On a terminal that can show them the suits are symbols."""
    text = on_terminal("stdout", "replay", file, *extra)
    assert ("♠" in text) == (not extra)
    assert ("\x1b[31m♥" in text) == (not extra)


def test_no_color_in_the_environment(file: Path) -> None:
    assert "\x1b" not in on_terminal("stdout", "replay", file, NO_COLOR="1")
    assert "♠" not in on_terminal("stdout", "replay", file, NO_COLOR="1")
    assert "♠" in on_terminal("stdout", "replay", file, NO_COLOR="")


def test_a_pipe_has_no_colours(file: Path) -> None:
    done = call("replay", file, TERM="xterm", FORCE_COLOR="1")
    assert done.returncode == 0
    assert "\x1b" not in done.stdout
    assert "♠" not in done.stdout
