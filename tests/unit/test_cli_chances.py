"""``tarot-sim chances``: JSON, table, languages and errors."""

from __future__ import annotations

import os
import pty
import re
import subprocess
from collections.abc import Iterator

import pytest

from tarot_sim.chances import chances
from tarot_sim.cli import messages
from tarot_sim.rules import CONTRACTS
from tests.commands import VARIABLES, Answer, command, environment

HAND = "A:21,19,15,12,9,6,3,EX P:R,D,7 C:R,10,5 K:9,4 T:V,8"
HANDS = {
    3: "A:21,18,15,13,11,9,6,4,2,EX P:R,D,8,4 C:R,10,5 K:D,9,4,2 T:R,7,3",
    4: HAND,
    5: "A:21,18,14,11,7,4,EX P:R,D,6 C:10,5 K:9 T:V,8",
}
RUBBISH = "A:4,3 P:10,9,8,7,6 C:8,7,6,5,4 K:9,8,7 T:V,8,7"
PETIT_SEC = "A:1 P:R,D,C,V,10,9,8,7,6,5,4,3,2,1 C:R,D,C"
QUICK = ("--worlds", 50, "--method", "fast", "--jobs", 1)

#: The keys that may not change.
KEYS = {"hand", "players", "method", "worlds", "contracts", "advice", "seconds"}
CONTRACT_KEYS = {"p_make", "ci95", "mean_score", "mean_points", "se_score"}


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    yield
    messages.use("en")


# --- JSON -----------------------------------------------------------------------------


@pytest.mark.parametrize("players", [3, 4, 5])
def test_json(players: int, capsys: pytest.CaptureFixture[str]) -> None:
    options = (*QUICK, "--players", players, "--json")
    answer = Answer(capsys, "chances", HANDS[players], *options)
    document = answer.json
    assert KEYS <= set(document)
    assert list(document["contracts"]) == list(CONTRACTS)
    for row in document["contracts"].values():
        assert CONTRACT_KEYS <= set(row)
        low, high = row["ci95"]
        assert low <= row["p_make"] <= high
    assert document["hand"] == HANDS[players]
    assert (document["players"], document["worlds"], document["method"]) == (players, 50, "fast")
    assert document["advice"] in ("pass", *CONTRACTS)
    assert document["seconds"] >= 0
    assert (document["called"] is None) == (players != 5)
    expected = chances(HANDS[players], players=players, worlds=50, method="fast", n_jobs=1)
    expected_document = {"schema": 1} | expected.to_dict() | {"seconds": document["seconds"]}
    assert document == expected_document


def test_json_says_nothing_else(capsys: pytest.CaptureFixture[str]) -> None:
    for quiet in ([], ["--quiet"], ["-q"]):
        answer = Answer(capsys, "chances", HAND, *QUICK, "--json", *quiet)
        assert answer.json["players"] == 4
        assert answer.err == ""


def test_json_is_not_translated(capsys: pytest.CaptureFixture[str]) -> None:
    english, french = (
        Answer(capsys, "chances", HAND, *QUICK, "--json", "--lang", language).json
        for language in messages.LANGUAGES
    )
    assert english | {"seconds": 0} == french | {"seconds": 0}


def test_options_reach_the_work(capsys: pytest.CaptureFixture[str]) -> None:
    def ask(*options: object, hand: str = HAND) -> dict[str, object]:
        document: dict[str, object] = Answer(capsys, "chances", hand, "--json", *options).json
        return document

    first = ask(*QUICK)
    assert ask(*QUICK, "--seed", 0)["contracts"] == first["contracts"]
    seeded = ask(*QUICK, "--seed", 7)
    assert seeded["seed"] == 7
    assert seeded["contracts"] != first["contracts"]
    dealt = ask(*QUICK, "--dealer", 2)
    assert dealt["dealer"] == 2
    assert dealt["contracts"] != first["contracts"]
    assert ask("--worlds", 50, "--jobs", 2, "--method", "fast")["contracts"] == first["contracts"]
    cascade = ask("--worlds", 50, "--jobs", 1)
    assert cascade["method"] == "cascade"
    assert ask("--time", 0.01, "--method", "fast", "--jobs", 1)["worlds"] in (50, 100, 150, 200)
    few = ask("--precision", 0.2, "--method", "fast", "--jobs", 1)
    assert few["worlds"] == 50
    five = (*QUICK, "--players", 5, "--call")
    assert ask(*five, "kr", hand=HANDS[5])["called"] == "KR"
    assert ask(*QUICK, "--rules", "fft")["worlds"] == 50


def test_the_hand_in_any_form(capsys: pytest.CaptureFixture[str]) -> None:
    for hand in (HAND.lower(), HAND.replace("P:", "♠:"), HAND.replace("R", "K"), f"  {HAND} "):
        assert Answer(capsys, "chances", hand, *QUICK, "--json").json["hand"] == HAND


# --- for people -----------------------------------------------------------------------


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("language", messages.LANGUAGES)
def test_table(players: int, language: str, capsys: pytest.CaptureFixture[str]) -> None:
    options = (*QUICK, "--players", players, "--lang", language)
    answer = Answer(capsys, "chances", HANDS[players], *options)
    assert answer.code == 0
    lines = answer.out.splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[0] == HANDS[players]
    rows = [line for line in lines if re.match(r"(Prise|Garde|Garde sans|Garde contre) +\d", line)]
    assert len(rows) == 4
    names, expected = ("contract", "Bid: ") if language == "en" else ("contrat", "Enchère : ")
    assert any(line.startswith(names) for line in lines)
    assert lines[-1].startswith(expected)
    # What the figures mean is told apart from them.
    assert answer.err.count("\n") == 1
    assert len(answer.err) <= 81
    assert ("double dummy" if language == "en" else "à cartes découvertes") in answer.err


def test_table_has_the_figures_of_the_json(capsys: pytest.CaptureFixture[str]) -> None:
    document = Answer(capsys, "chances", HAND, *QUICK, "--json").json
    out = Answer(capsys, "chances", HAND, *QUICK).out
    for row in document["contracts"].values():
        assert f"{100 * row['p_make']:.1f} %" in out
        low, high = row["ci95"]
        assert f"{100 * low:.1f} – {100 * high:.1f} %" in out
        assert f"{row['mean_score']:+.0f} " in out
        assert f"{row['mean_points']:.1f}\n" in out


@pytest.mark.parametrize(
    ("language", "advice"), [("en", "Pass: no contract"), ("fr", "Passe : aucun contrat")]
)
def test_rubbish(language: str, advice: str, capsys: pytest.CaptureFixture[str]) -> None:
    answer = Answer(capsys, "chances", RUBBISH, *QUICK, "--lang", language)
    assert answer.out.splitlines()[-1].startswith(advice)
    assert Answer(capsys, "chances", RUBBISH, *QUICK, "--json").json["advice"] == "pass"


def test_the_call_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    five = ("chances", HANDS[5], *QUICK, "--players", 5, "--call")
    assert Answer(capsys, *five, "TR").out.splitlines()[1] == "calling TR"
    assert Answer(capsys, *five, "PR").out.splitlines()[1] == "calling PR: alone"
    assert Answer(capsys, *five, "PR", "--lang", "fr").out.splitlines()[1] == "appel : PR, seul"


def test_quiet_leaves_the_answer(capsys: pytest.CaptureFixture[str]) -> None:
    loud, quiet = (Answer(capsys, "chances", HAND, *QUICK, *extra) for extra in ([], ["--quiet"]))
    assert quiet.err == ""
    assert loud.err != ""
    assert quiet.out == loud.out


# --- errors ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("message", "arguments"),
    [
        ("unknown card 'A22' at character 1", [HAND.replace("A:21", "A22")]),
        ("unknown card 'X' at character 34", [HAND.replace("C:R", "C:X")]),
        ("card PR comes twice", [HAND.replace("T:V", "PR")]),
        ("the hand has 17 cards, expected 18", [HAND.replace("EX", "")]),
        ("the hand has 19 cards, expected 18", [HAND + " A1"]),
        ("the hand has 0 cards, expected 18", [""]),
        ("the hand has 18 cards, expected 24", [HAND, "--players", 3]),
        ("the hand has 18 cards, expected 15", [HAND, "--players", 5]),
        ("Invalid value for '--players': 6", [HAND, "--players", 6]),
        ("Invalid value for '--players': 'four'", [HAND, "--players", "four"]),
        ("dealer: seat 4 is not 0…3", [HAND, "--dealer", 4]),
        ("dealer: seat -1 is not 0…3", [HAND, "--dealer", -1]),
        ("the hand is a Petit sec", [PETIT_SEC]),
        ("called: no card is called at 4 players", [HAND, "--call", "PR"]),
        ("called: KD may not be called", [HANDS[5], "--players", 5, "--call", "KD"]),
        ("unknown card 'XX'", [HANDS[5], "--players", 5, "--call", "XX"]),
        ("Invalid value for '--worlds': 0", [HAND, "--worlds", 0]),
        ("precision: 0.0 is not between 0 and 1", [HAND, "--precision", 0]),
        ("precision: nan is not between 0 and 1", [HAND, "--precision", "nan"]),
        ("seconds: -1.0 is not above 0", [HAND, "--time", -1]),
        ("seconds: nan is not above 0", [HAND, "--time", "nan", "--worlds", 1]),
        ("n_jobs: 0", [HAND, "--jobs", 0, "--worlds", 60]),
        ("Invalid value for '--method': 'slow'", [HAND, "--method", "slow"]),
        ("Invalid value for '--rules'", [HAND, "--rules", "house"]),
        ("Missing argument 'HAND'", []),
        ("Got unexpected extra argument (A1)", [HAND, "A1"]),
    ],
)
@pytest.mark.parametrize("extra", [[], ["--json"], ["--quiet"]], ids=["", "json", "quiet"])
def test_errors(
    message: str,
    arguments: list[object],
    extra: list[str],
    capsys: pytest.CaptureFixture[str],
) -> None:
    Answer(capsys, "chances", *arguments, *extra).is_error(message)


def test_a_wrong_hand_is_told_before_numpy_is_loaded() -> None:
    code = (
        "import sys\nfrom tarot_sim.cli.__main__ import run\n"
        "assert run(['chances', 'A21']) == 2\n"
        "print(sorted({'numpy', 'joblib', 'tarot_sim._evaluate'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [command()[0], "-c", code],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
        env=environment(),
    )
    assert done.stdout == "[]\n"


# --- progress -------------------------------------------------------------------------


def errors_on_a_terminal(*extra: str) -> str:
    """Return what is written to a standard error that is a terminal."""
    parent, child = pty.openpty()
    process = subprocess.Popen(
        command("chances", HAND, "--worlds", 200, "--method", "fast", *extra),
        stdout=subprocess.DEVNULL,
        stderr=child,
        env=environment(TERM="xterm"),
    )
    os.close(child)
    written = b""
    while True:
        try:
            part = os.read(parent, 65536)
        except OSError:  # the other end has closed
            break
        if not part:
            break
        written += part
    os.close(parent)
    assert process.wait(timeout=60) == 0
    return written.decode()


def test_progress_is_for_terminals_only(capsys: pytest.CaptureFixture[str]) -> None:
    assert "dealing worlds" in errors_on_a_terminal()
    assert "tirage des mondes" in errors_on_a_terminal("--lang", "fr")
    assert errors_on_a_terminal("--quiet") == ""
    assert "dealing worlds" not in Answer(capsys, "chances", HAND, *QUICK).err
