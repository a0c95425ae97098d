"""French words wherever a name is read, and messages that are true and whole, in both languages."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from tarot_sim.cards import Hand
from tarot_sim.deals import formats
from tarot_sim.deals.deal import Deal
from tarot_sim.errors import CardError
from tarot_sim.messages.errors import translated
from tarot_sim.rules.auction import split_bids
from tests.commands import DOGS, FEW_WORLDS, HANDS, Answer
from tests.records import FOUR, changed

IN_WORDS = (
    "21 d'atout, 19 d'atout, 15 d'atout, 12 d'atout, 9 d'atout, 6 d'atout, 3 d'atout, excuse, "
    "Roi de pique, Dame de pique, 7 de pique, Roi de cœur, 10 de cœur, 5 de cœur, 9 de carreau, "
    "4 de carreau, Valet de trèfle, 8 de trèfle"
)
WAYS = [
    HANDS[4],
    "atouts 21,19,15,12,9,6,3,EX pique Roi,Dame,7 C:R,10,5 K:9,4 T:V,8",
    IN_WORDS,
    "A:21,19,15,12,9,6,3 Excuse R♠ D♠ 7♠ ♥R 10♥ 5♥ 9♦ 4♦ V♣ 8♣",
    "Pique: R D 7 Cœur: R 10 5 Carreau: 9 4 Trèfle: V 8 Atout: 21 19 15 12 9 6 3 Excuse",
]


@pytest.mark.parametrize("written", WAYS)
@pytest.mark.parametrize("quoted", [True, False])
def test_hands(written: str, quoted: bool, capsys: pytest.CaptureFixture[str]) -> None:
    words = [written] if quoted else written.split()
    assert Answer(capsys, "chances", *words, *FEW_WORLDS, "--json").json["hand"] == HANDS[4]


@pytest.mark.parametrize(
    ("written", "bids"),
    [
        ("passe,petite", ["passe", "petite"]),
        ("Passe ; Petite ", ["Passe", "Petite"]),
        ("passe petite", ["passe", "petite"]),
        ("passe garde sans garde contre", ["passe", "garde sans", "garde contre"]),
        ("petite garde passe", ["petite", "garde", "passe"]),
        ("garde sans le chien passe", ["garde sans le chien", "passe"]),
        ("garde_sans pass", ["garde_sans", "pass"]),
        ("", []),
        ("belote passe", ["belote", "passe"]),
    ],
)
def test_bids(written: str, bids: list[str]) -> None:
    assert split_bids(written) == bids


def test_auctions_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    for written in ("passe,petite", "passe petite", "Passe; une Petite"):
        found = Answer(
            capsys, "chances", HANDS[4], *FEW_WORLDS, "--auction", written, "--json"
        ).json
        assert found["auction"] == ["pass", "prise"]


@pytest.mark.parametrize(
    ("arguments", "english", "french"),
    [
        (
            ["--auction", "passe, mise"],
            "--auction, word 2: bid: 'mise' is not one of pass, prise, garde, ",
            "--auction, mot 2 : bid : « mise » n'est pas un nom connu ; il y a : pass, prise",
        ),
        (
            ["--auction", "passe belote"],
            "--auction, word 2: bid: 'belote' is not one of",
            "--auction, mot 2 : bid : « belote » n'est pas un nom connu",
        ),
        (
            ["--auction", "garde petite"],
            "--auction, word 2: bid: 'prise' is not higher than garde",
            "--auction, mot 2 : bid : « prise » n'est pas au-dessus de garde",
        ),
        (
            ["--auction", "p p p p p"],
            "--auction: 5 bids leave nothing to say: 4 players speak once each",
            "--auction : 5 paroles ne laissent rien à dire : 4 joueurs parlent une fois chacun",
        ),
    ],
)
def test_messages_of_bids(
    arguments: list[str], english: str, french: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Answer(capsys, "chances", HANDS[4], *arguments).is_error(english)
    said = Answer(capsys, "chances", HANDS[4], *arguments, "--lang", "fr").err
    assert said.startswith("tarot-sim : erreur : " + french), said
    assert "word" not in said


def test_the_first_of_many_in_french() -> None:
    with pytest.raises(CardError) as caught:
        Hand("A22")
    unknown = str(caught.value)
    for english, french in (
        ("line 1: points: missing (and 1 more)", "ligne 1 : points : manque (et 1 de plus)"),
        ("line 4: dog: 7 cards, expected 6 (and 12 more)", "ligne 4 : dog : 7 cartes, il en"),
        (f"line 2: {unknown} (and 1 more)", "ligne 2 : carte inconnue « A22 » au caractère 1 : "),
    ):
        found = translated(english, "fr")
        assert found.startswith(french)
        assert found.endswith(" de plus)")


def test_a_file_where_a_hand_is_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "hands"
    path.write_text(HANDS[4], encoding="utf-8")
    for command in ("chances", "call", "discard"):
        Answer(capsys, command, path).is_error(f"{path}: a file; --jsonl answers each of its lines")
    assert "c'est un fichier" in Answer(capsys, "chances", path, "--lang", "fr").err


# --- files of hands, one of them bad ----------------------------------------------------


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("command", ["chances", "call", "discard"])
def test_one_bad_line(
    command: str, jobs: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    players = 5 if command == "call" else 4
    good = HANDS[players] + (f" | {DOGS[4]}" if command == "discard" else "")
    lines = f"{good}\nA:22\n\n{json.dumps({'hand': 'PR'})}\n{good}\n"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines.encode())))
    answer = Answer(capsys, command, "-", "--jsonl", "--worlds", 5, "--jobs", jobs)
    documents = [json.loads(line) for line in answer.out.splitlines()]
    assert answer.code == 2
    assert [document.get("line") for document in documents] == [None, 2, 4, None]
    first, last = documents[0], documents[-1]
    assert first | {"seconds": 0} == last | {"seconds": 0}
    assert answer.err.count("\n") == 1
    assert answer.err.startswith("tarot-sim: error: line 2: ")
    assert answer.err.endswith(" (and 1 more)\n")


def test_all_that_is_missing_of_marks(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b'{"contract": "garde"}\n')))
    answer = Answer(capsys, "score", "-", "--jsonl")
    assert json.loads(answer.out)["faults"] == ["points: missing", "bouts: missing"]


# --- the auction of a record ------------------------------------------------------------


def test_the_auction_is_kept() -> None:
    deal = Deal.from_dict(changed(FOUR, auction=["Garde", "passe", "passe", "p"]))
    assert deal.auction == ("garde", "pass", "pass", "pass")
    for name in ("record", "tagged"):
        assert formats.load(formats.dump([deal], name)) == [deal]


@pytest.mark.parametrize(
    ("auction", "message"),
    [
        (["prise", "belote"], "auction[1]: bid: 'belote' is not one of pass, prise"),
        (["garde", "prise"], "auction[1]: bid: 'prise' is not higher than garde"),
        (["pass"] * 5, "auction[4]: bid: 'pass' comes after the auction is over"),
        (["pass", "garde", "pass", "pass"], "taker: 0, but by the auction it is 1"),
        (["garde_sans", "pass", "pass", "pass"], "contract: garde, but by the auction it is"),
        ([7], "auction[0]: expected a string, not a number"),
        ("pass", "auction: expected an array, not a string"),
    ],
)
def test_a_wrong_auction(auction: object, message: str) -> None:
    with pytest.raises(ValueError, match="auction") as caught:
        Deal.from_dict(changed(FOUR, auction=auction))
    assert str(caught.value).startswith(message)
