"""What ``discard`` and ``call`` have in common: options, languages, how a ranking is shown."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tarot_sim import messages
from tarot_sim.estimation import ranking
from tests.commands import FEW_WORLDS, Answer, call_of, discard_of, loaded

pytestmark = pytest.mark.usefixtures("few_worlds")


@pytest.mark.parametrize("language", messages.LANGUAGES)
def test_json_says_nothing_else(language: str, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (discard_of(4), call_of()):
        plain = Answer(capsys, *arguments, "--json").json
        answer = Answer(capsys, *arguments, "--json", "--lang", language)
        assert plain | {"seconds": 0} == answer.json | {"seconds": 0}
        assert answer.err == ""


def test_options_reach_the_work(capsys: pytest.CaptureFixture[str]) -> None:
    def ask(*arguments: object) -> dict[str, Any]:
        document: dict[str, Any] = Answer(capsys, *arguments, "--json").json
        return document

    for arguments in (discard_of(4), call_of()):
        first = ask(*arguments)
        assert first["candidates"] == ask(*arguments, "--seed", 0, "--jobs", 2)["candidates"]
        seeded = ask(*arguments, "--seed", 7)
        assert 7 == seeded["seed"]
        for other in (seeded, ask(*arguments, "--dealer", 2)):
            assert first["candidates"] != other["candidates"]
        more = ask(*arguments, "--worlds", 15)
        assert 15 == more["candidates"][0]["worlds"]
    assert {12} == {row["worlds"] for row in ask(*call_of())["candidates"]}
    # At five players the call matters; under the rules of the FFT a Dame may be too.
    by_call = [ask(*discard_of(5), "--call", name)["candidates"] for name in ("TR", "PR")]
    assert by_call[0] != by_call[1]
    four_rois = "A:21,20,18,15,12,9,6,EX P:R,4 C:R,8 K:R T:R,2"
    assert 4 == len(ask("call", four_rois, *FEW_WORLDS)["candidates"])
    assert 5 == len(ask("call", four_rois, *FEW_WORLDS, "--rules", "fft")["candidates"])


def test_quiet_leaves_the_answer(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (discard_of(4), call_of()):
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
        told = re.search(r"--worlds .*?(\d+)\s+(by\s+default|par\s+défaut)", answer.out, re.DOTALL)
        assert told is not None, answer.out
        assert ranking.DEFAULT_WORLDS == int(told[1])


def test_a_wrong_hand_is_told_before_numpy_is_loaded() -> None:
    code = (
        "from tarot_sim.cli.__main__ import run\n"
        "assert run(['discard', 'A21', 'P2']) == run(['call', 'A21']) == 2"
    )
    assert [] == loaded(code, "numpy", "joblib", "tarot_sim.estimation._evaluate")
