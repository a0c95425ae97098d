"""``tarot-sim play``: whole deals by lines of a script, in both languages, and what is kept."""

from __future__ import annotations

import io
import json
import re
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tarot_sim.cli import table
from tarot_sim.deals.deal import Deal
from tests.commands import Answer, call

TABLES = pytest.mark.parametrize("players", [3, 4, 5])
LANGUAGES = pytest.mark.parametrize("language", ["en", "fr"])
QUICK = ("--bots", "rules")
#: What a person may type at any moment, sense and nonsense.
WORDS = (
    "R♠", "roi de pique", "P:R", "petit", "excuse", "21", "17", "5", "R", "hint", "undo", "last",
    "score", "hand", "help", "dog", "0", "1", "2", "3", "", "passe", "conseil", "annuler",
    "dernier", "main", "aide", "xyz", "A99", "P:R,D K4 K3", "é\0", "7 d'atout", "poignée",
    "chelem",
)  # fmt: skip
FOLLOW = ["follow"] * 40


class Typed:
    """Calls the command with lines for its input."""

    def __init__(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
        self._capsys = capsys
        self._monkeypatch = monkeypatch

    def __call__(self, lines: list[str] | bytes, *options: object) -> Answer:
        data = lines if isinstance(lines, bytes) else "".join(f"{x}\n" for x in lines).encode()
        self._monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        bots = () if "--bots" in options else QUICK
        return Answer(self._capsys, "play", "--seed", 1, *bots, *options)


@pytest.fixture
def typed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Typed:
    """Call the command in a folder of its own: names of files are short."""
    monkeypatch.chdir(tmp_path)
    return Typed(capsys, monkeypatch)


def narrow(text: str) -> None:
    assert [line for line in text.splitlines() if len(line) > 80] == []


@TABLES
@LANGUAGES
def test_a_whole_deal(
    players: int, language: str, typed: Typed, capsys: pytest.CaptureFixture[str]
) -> None:
    file = Path("deal.json")
    options = ("--players", players, "--seat", 1, "--seed", players, "--lang", language)
    answer = typed(FOLLOW, *options, "--record", file)
    assert (answer.code, answer.err) == (0, "")
    narrow(answer.out)
    last = {3: 24, 4: 18, 5: 15}[players]
    pli, review, lost = {
        "en": (f"Trick {last} of {last}", "Review: ", "Points lost where you differed: 0.0 ± 0.0."),
        "fr": (
            f"Pli {last} sur {last}",
            "Bilan : ",
            "Points perdus là où vous différez : 0,0 ± 0,0.",
        ),
    }[language]
    for line in (pli, review, lost):
        assert answer.out.count(line) == 1
    replayed = Answer(capsys, "replay", file, "--json").json
    scores = [int(word) for word in re.findall(r"[+-]\d+\b", answer.out.splitlines()[-6])]
    assert sorted(filter(None, replayed["scores"])) == sorted(scores)


@TABLES
@LANGUAGES
def test_whatever_is_typed(players: int, language: str, typed: Typed) -> None:
    """Nonsense gets a line each and the question again; the deal goes on and ends."""
    for seed in range(2):
        random = Random(seed)
        lines = [random.choice(WORDS) for _ in range(150)] + FOLLOW
        file = Path(f"{seed}.json")
        answer = typed(
            lines, "--players", players, "--seed", seed, "--lang", language, "--record", file
        )
        assert (answer.code, answer.err) == (0, "")
        narrow(answer.out)
        assert Deal.from_dict(json.loads(file.read_text())).is_played_out
        for line in re.findall(r"^\? .*", answer.out, re.MULTILINE):
            assert line.isprintable()


def test_reasons_of_refusal(typed: Typed) -> None:
    """A person who tries each of their cards hears of those that are not legal."""
    lines = ["pass"] + [f"{suit}{rank}" for suit in "PCKT" for rank in "123456789RDCV"] * 4
    answer = typed(lines, "--seed", 5)
    refused = set(re.findall(r"may not be played: (.*)", answer.out))
    assert "you must follow suit." in refused
    assert "you cannot follow suit, so you must trump." in refused
    assert "is not in your hand" in answer.out


@LANGUAGES
def test_what_a_player_wants_to_be_told_again(language: str, typed: Typed) -> None:
    """The contract, the called card, the trumps that are out; cards that may go stand marked."""
    options = ("--players", 5, "--seed", 3, "--dealer", 4, "--lang", language)
    lines = ["garde", "1", "hand", *["follow"] * 3, "hand", "score", "quit"]
    answer = typed(lines, *options)
    contract, out, may_go = {
        "en": ("Garde, taker: you; called: [PCKT][RDCV]", "still out", "[cards that may go]"),
        "fr": ("Garde, preneur : vous ; appel : [PCKT][RDCV]", "dehors", "[cartes que l'on"),
    }[language]
    assert len(re.findall(f"^{contract}$", answer.out, re.M)) == 3
    assert answer.out.count(may_go) == 2
    assert re.search(rf"{out}[^\n]*:\n  A:[\d,EX]+", answer.out)
    counts = re.findall(rf"{out} ?: (\d+)\)", answer.out)
    assert len(counts) >= 2
    assert all(0 <= int(count) <= 21 for count in counts)
    narrow(answer.out)


def test_enter_plays_the_only_legal_card(typed: Typed) -> None:
    """And nothing where there are several, or where a bid is asked for."""
    lines = [word for _ in range(60) for word in ("", "follow")]
    straight = typed(FOLLOW, "--seed", 5, "--json").json["deals"][0]["record"]
    answer = typed(lines, "--seed", 5)
    assert typed(lines, "--seed", 5, "--json").json["deals"][0]["record"] == straight
    forced = re.findall(r"^Your card \(Enter: (\S+)\): \n  you[^\n]* (\S+)$", answer.out, re.M)
    assert forced
    assert all(offered == played for offered, played in forced)


def test_bots_as_a_list(typed: Typed) -> None:
    """With commas as repeated; what belongs to a bot stays with it."""
    names = ("random", "search:worlds=3,guard=0", "rules")
    repeated = [word for name in names for word in ("--bots", name)]
    first = typed(FOLLOW, "--json", *repeated).json
    second = typed(FOLLOW, "--json", "--bots", ", ".join(names)).json
    assert first == second
    assert first["bots"] == list(names)


def test_the_same_seed_is_the_same_deal(typed: Typed) -> None:
    first, second = (typed(FOLLOW, "--seed", 9, "--bots", "search:worlds=2") for _ in range(2))
    assert first.out == second.out
    assert typed(FOLLOW, "--seed", 10).out != first.out


def test_undo_has_the_same_deal_go_on(typed: Typed) -> None:
    options = ("--seed", 5, "--json", "--bots", "search:worlds=2")
    straight = typed(FOLLOW, *options).json["deals"][0]
    lines = [word for _ in range(40) for word in ("follow", "undo", "undo", "follow", "follow")]
    assert typed(lines, *options).json["deals"][0] == straight


def test_json(typed: Typed) -> None:
    """One document on standard output, the table's talk on standard error."""
    answer = typed(FOLLOW, "--seed", 5, "--deals", 2, "--json")
    document = answer.json
    assert set(document) == {"schema", "players", "seat", "bots", "seed", "deals", "totals"}
    assert len(document["deals"]) == 2
    scores = [deal["scores"] for deal in document["deals"]]
    assert document["totals"] == [sum(column) for column in zip(*scores, strict=True)]
    for deal in document["deals"]:
        assert Deal.from_dict(deal["record"]).is_played_out
        assert deal["review"]["lost"] == 0
    assert "Trick 18 of 18" in answer.err
    assert "After 2 deals:" in answer.err


def test_all_pass(typed: Typed) -> None:
    """The next dealer deals, and only the deal that is played is kept."""
    for seed in range(40):
        file = Path(f"{seed}.json")
        answer = typed(["pass", *FOLLOW, *FOLLOW], "--seed", seed, "--record", file)
        if "All have passed" in answer.out:
            break
    dealers = re.findall(r"Deal \d+: (?:seat (\d) deals|you deal)", answer.out)
    seats = [int(seat or 0) for seat in dealers]
    assert len(seats) >= 2
    assert seats == [(seats[0] + n) % 4 for n in range(len(seats))]
    (record,) = map(json.loads, file.read_text().splitlines())
    assert record["taker"] is not None


@TABLES
@pytest.mark.parametrize("lines", [0, 1, 2, 4, 9])
@pytest.mark.parametrize("end", ["quit", "quitter", None])
def test_who_leaves_loses_nothing(
    players: int,
    lines: int,
    end: str | None,
    typed: Typed,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = Path("deal.json")
    answer = typed(
        ["4", *FOLLOW][:lines] + ([] if end is None else [end]),
        *("--players", players, "--seed", 2, "--dealer", 0, "--record", file),
    )
    assert (answer.code, answer.err) == (0, "")
    assert "The deal is left where it stands." in answer.out
    record = json.loads(file.read_text("utf-8"))
    assert len(record["auction"]) >= players - 1
    replayed = Answer(capsys, "replay", file)
    assert replayed.code == 0
    assert "the deal is not played out" in replayed.out


def test_ctrl_c(
    typed: Typed, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 130, and the record is there."""
    given = iter(["follow"] * 8)

    def read() -> str:
        line = next(given, None)
        if line is None:
            raise KeyboardInterrupt
        return line

    monkeypatch.setattr(table, "read_line", read)
    file = Path("deal.json")
    assert typed([], "--seed", 5, "--record", file).code == 130
    assert len(json.loads(file.read_text("utf-8"))["plays"]) > 8
    assert Answer(capsys, "replay", file).code == 0


def test_bytes_that_are_no_text(typed: Typed) -> None:
    answer = typed(b"\xff\xfe\n\0\n" + b"x" * 1_000_000 + b"\nfollow\nquit", "--seed", 5)
    assert (answer.code, answer.err) == (0, "")
    narrow(answer.out)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--bots", "belote"), "bot: 'belote' is not one of random, rules, search, strong"),
        (("--bots", "rules:worlds=3"), "bot: rules has no option 'worlds'"),
        (("--bots", "rules", "--bots", "search"), "--bots: 2 names, expected 1 or 3"),
        (("--bots", "rules,search"), "--bots: 2 names, expected 1 or 3"),
        (("--bots", "rules,belote,rules"), "bot: 'belote' is not one of"),
        (("--bots", "rules,"), "--bots: 2 names, expected 1 or 3"),
        (("--bots", "rules,worlds=3"), "bot: 'rules,worlds=3' is not one of"),
        (("--seat", 4), "--seat: 4 is not a seat of 0…3"),
        (("--seat", -1), "Invalid value for '--seat'"),
        (("--dealer", 4), "--dealer: 4 is not a seat of 0…3"),
        (("--deals", 0), "Invalid value for '--deals'"),
        (("--players", 6), "Invalid value for '--players'"),
        (("--record", "-"), "-: a record needs a file, the table is what is printed"),
        (("--record", "nowhere/deal.json"), "nowhere/deal.json: No such file"),
    ],
)
def test_bad_input(options: tuple[Any, ...], message: str, typed: Typed) -> None:
    typed(FOLLOW, *options).is_error(message)
    french = typed(FOLLOW, *options, "--lang", "fr")
    assert french.err.startswith("tarot-sim : erreur : ")
    assert french.err.split(" : erreur : ")[1] != message


def test_in_a_process_of_its_own() -> None:
    """Without a seed one is drawn and told, so that the deal can be played again."""
    first = call("play", "--bots", "rules", stdin="follow\n" * 40)
    seed = re.fullmatch(r"seed (\d+)\n", first.stderr)
    assert seed is not None
    again = call("play", "--bots", "rules", "--seed", seed[1], stdin="follow\n" * 40)
    assert again.stdout == first.stdout
    assert again.stderr == ""
