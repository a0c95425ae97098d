"""Hands from arguments, standard input and files of many: one way for all commands."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from tarot_sim.cards import Hand
from tarot_sim.deals.patterns import Pattern
from tests.commands import DOGS, HANDS, Answer, call

CHANCES = ("chances", "--worlds", 50, "--method", "fast")
CALL = ("call", "--worlds", 12)
DISCARD = ("discard", "--worlds", 12)
#: A command, the arguments that ask it of one hand, and the same as one text.
ASKED = [
    (CHANCES, [HANDS[4]], HANDS[4]),
    (CALL, [HANDS[5]], HANDS[5]),
    (DISCARD, [HANDS[4], DOGS[4]], f"{HANDS[4]}\n{DOGS[4]}"),
]
IDS = ["chances", "call", "discard"]
pytestmark = pytest.mark.usefixtures("few_worlds")


def documents(answer: Answer) -> list[dict[str, Any]]:
    """Return the documents of standard output without what differs from call to call."""
    return [json.loads(line) | {"seconds": 0} for line in answer.out.splitlines()]


@pytest.mark.parametrize(("asked", "words", "text"), ASKED, ids=IDS)
def test_standard_input(
    asked: tuple[object, ...],
    words: list[str],
    text: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    expected = documents(Answer(capsys, *asked, *words, "--json"))
    parts = dict(zip(("hand", "dog"), text.split("\n"), strict=False))
    for said in (text, f"\n{text}\n", text.replace("\n", " | "), json.dumps(parts)):
        monkeypatch.setattr("sys.stdin", Stdin(said))
        assert expected == documents(Answer(capsys, *asked, "-", "--json"))


class Stdin:
    """A standard input with this text."""

    def __init__(self, text: str) -> None:
        from io import BytesIO

        self.buffer = BytesIO(text.encode())


def test_a_pipe() -> None:
    done = call(*CALL, "-", "--quiet", "--jobs", 1, stdin=HANDS[5])
    assert (0, "") == (done.returncode, done.stderr)
    assert done.stdout.startswith(HANDS[5] + "\n")


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize(("asked", "words", "text"), ASKED, ids=IDS)
def test_files(
    asked: tuple[object, ...],
    words: list[str],
    text: str,
    jobs: int,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A hand a line in any form; a wrong one has its error in its place."""
    parts: dict[str, object] = dict(zip(("hand", "dog"), words, strict=False))
    plain = text.replace("\n", " | ")
    lines = [
        plain,
        json.dumps(plain),
        "",
        plain.replace("EX", ""),
        json.dumps(parts),
        json.dumps(parts | {"dealer": 2}),
        json.dumps(parts | {"dealler": 2}),
    ]
    path = tmp_path / "hands.jsonl"
    path.write_text("\n".join(lines), "utf-8")
    answer = Answer(capsys, *asked, path, "--jsonl", "--jobs", jobs)
    answer.is_error("line 4: the hand has ", answered=6)
    assert answer.err.endswith(" (and 1 more)\n")
    alone, dealt = (
        documents(Answer(capsys, *asked, *words, "--json", *more))[0]
        for more in ([], ["--dealer", 2])
    )
    found = documents(answer)
    assert [alone, alone, alone, dealt] == [found[0], found[1], found[3], found[4]]
    assert {"schema", "line", "error", "seconds"} == set(found[2]) == set(found[5])
    assert (4, 7) == (found[2]["line"], found[5]["line"])
    assert found[5]["error"].startswith("dealler: unknown field, there are hand, ")


def test_players_of_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "hands.jsonl"
    lines: list[dict[str, object]] = [{"hand": HANDS[n], "players": n} for n in (3, 4, 5)]
    lines.append({"hand": HANDS[4], "auction": ["passe", "petite"]})
    path.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    found = documents(Answer(capsys, *CHANCES, path, "--jsonl"))
    assert [3, 4, 5, 4] == [document["players"] for document in found]
    assert [None, None, None, ["pass", "prise"]] == [document["auction"] for document in found]


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("{", "record: not JSON at column 2: Expecting property name"),
        ("[]", "expected a hand, or an object with one"),
        ("7", "unknown card '7' at character 1"),
        ('{"players": 4}', "hand: missing"),
        ('{"hand": 7}', "hand: expected a string"),
        ('{"hand": "A1", "players": "4"}', "players: expected an integer"),
        ('{"hand": "A1", "players": true}', "players: expected an integer"),
        ('{"hand": "A1", "players": 6}', "players: 6 is not 3, 4 or 5"),
        ('{"hand": "A1", "auction": [1]}', "auction: expected a string or an array of strings"),
        ('{"hand": "A1", "dog": "A2"}', "dog: unknown field, there are hand, players"),
        ('"A1 | A2"', "2 hands, expected one"),
    ],
)
def test_lines_that_are_wrong(
    line: str, error: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "hands.jsonl"
    path.write_text(line, "utf-8")
    Answer(capsys, *CHANCES, path, "--jsonl").is_error(f"line 1: {error}", answered=1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["chances", "--jsonl"], "Missing argument 'FILE'"),
        (["chances", "--jsonl", "a", "b"], "--jsonl takes one file"),
        (["chances", "--jsonl", "/no/such"], "/no/such: No such file"),
        (["chances", "--jsonl", "-", "--plot", "x.png"], "--plot is for one hand"),
        (["discard", HANDS[4], DOGS[4], "A2"], "HAND and DOG are two arguments, each in quotes"),
        (["discard", HANDS[4], DOGS[4] + " A5"], "dog: 7 cards, expected 6"),
        (["discard", HANDS[4], "P2"], "dog: 1 cards, expected 6"),
        (["discard", HANDS[4], "XX"], "dog: unknown card 'XX' at character 1"),
        (["call", HANDS[4], "--players", 4], "--players: no card is called at 4 players"),
    ],
)
def test_what_is_refused(
    arguments: list[object], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Answer(capsys, *arguments).is_error(message)


def test_hands_are_answered_at_a_time(tmp_path: Path) -> None:
    """With two jobs two lines are worked on: the second begins before the first is done."""
    path = tmp_path / "hands.jsonl"
    path.write_text(f"{HANDS[4]}\n" * 4, "utf-8")
    begun = time.monotonic()
    done = call("chances", path, "--jsonl", "--jobs", 2, "--worlds", 50, "--method", "fast")
    assert 0 == done.returncode, done.stderr
    assert 4 == done.stdout.count("\n")
    assert time.monotonic() - begun < 60


# --- small cards that are not named ---------------------------------------------------

PATTERNS = {
    4: "A:21,16,x,x,x,EX P:R,D,x C:R,x,x K:x,x,x T:x,x,x",
    5: "A:21,16,xxx,EX P:R,D,xx C:xxx K:x T:x",
}


@pytest.mark.parametrize(
    ("asked", "players", "more"), [(CHANCES, 4, ()), (CALL, 5, ()), (DISCARD, 4, (DOGS[4],))]
)
def test_small_cards_are_drawn(
    asked: tuple[object, ...],
    players: int,
    more: tuple[object, ...],
    capsys: pytest.CaptureFixture[str],
) -> None:
    """By the seed, none that is seen; the answer says which, and is that of the whole hand."""
    found = set()
    for seed in range(4):
        options = (*more, "--seed", seed)
        answer = Answer(capsys, *asked, PATTERNS[players], *options, "--json").json
        hand, drawn = Hand(answer["hand"]), Hand(answer["drawn"])
        pattern = Pattern.parse(PATTERNS[players])
        assert str(pattern) == answer["pattern"]
        assert pattern.fits(hand)
        assert hand == pattern.named | drawn
        assert not Hand(str(more[0]) if more else "") & hand
        whole = Answer(capsys, *asked, answer["hand"], *options, "--json").json
        told = {"pattern": answer["pattern"], "drawn": answer["drawn"], "seconds": 0}
        assert whole | told == answer | {"seconds": 0}
        shown = Answer(capsys, *asked, PATTERNS[players], *options, "--lang", "fr")
        assert shown.out.startswith(f"{pattern} : tirées pour x : {drawn} (")
        found.add(drawn)
    assert len(found) > 1


def test_every_small_card_may_be_drawn(capsys: pytest.CaptureFixture[str]) -> None:
    drawn = [
        Hand(Answer(capsys, *CALL, PATTERNS[5], "--seed", seed, "--json").json["drawn"])
        for seed in range(60)
    ]
    hearts = [card for hand in drawn for card in hand.suit(1)]
    assert {card.rank for card in hearts} == set(range(1, 11))
    assert len(hearts) == 180


def test_patterns_that_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for hand, message in (
        ("A:21,x", "the hand has 2 cards, expected 18"),
        ("x", "small card 'x' at character 1: of which suit?"),
        (f"P:{11 * 'x'}", "P: 11 small cards, there are 10"),
    ):
        Answer(capsys, *CHANCES, hand).is_error(message)
