"""Errors about input in French: every message has a twin, and calls print it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tarot_sim
from tarot_sim.messages import use
from tarot_sim.messages.errors import translated, without_fields
from tests.commands import HANDS, Answer
from tests.error_templates import constants, templates
from tests.golden.refresh import contents

FILE = Path(tarot_sim.__path__[0]) / "messages" / "errors.fr.json"
GROUPS: dict[str, dict[str, str]] = json.loads(FILE.read_text("utf-8"))
ALL = {english: french for group in GROUPS.values() for english, french in group.items()}
RECORD = contents()["random-4-garde"]["record"]
#: Words that no French message has.
ENGLISH = re.compile(r"\b(the|is|are|not|expected|missing|of|cards|unknown|with|must)\b")


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    yield
    use("en")


# --- the catalogue ----------------------------------------------------------------------


def test_every_message_has_a_french_twin() -> None:
    missing = {english: where for english, where in templates().items() if english not in ALL}
    assert missing == {}


def test_every_french_twin_is_used() -> None:
    unused = [english for english in GROUPS["errors"] if english not in templates()]
    assert unused == []


def test_every_phrase_is_in_the_sources() -> None:
    """Phrases are parts of messages: what a value may be."""
    known = "\n".join([*constants(), *templates()])
    assert [phrase for phrase in GROUPS["phrases"] if phrase not in known] == []


def test_the_catalogue() -> None:
    written = FILE.read_text("utf-8")
    assert written == json.dumps(GROUPS, indent=2, ensure_ascii=False) + "\n"
    assert sum(map(len, GROUPS.values())) == len(ALL)  # no message is in two groups
    for english, french in ALL.items():
        numbered = re.findall(r"\{(\d)\}", french)
        count = english.count("{}")
        assert sorted(numbered) == [str(place) for place in range(count)] or (
            not numbered and french.count("{}") == count
        ), english
        assert not ENGLISH.search(re.sub(r"\(attack, defence\)|Rules|not and", "", french)), french
        # French sets a space before what has two parts.
        assert not re.search(r"[^\s][:;?]", re.sub(r'"[^"]*":?|[A-Z]:x', "", french)), french
        assert without_fields(english)[0] == "", english


# --- translations -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("english", "french"),
    [
        ("hands: 3 hands, expected 4", "hands : 3 mains, il en faut 4"),
        ("line 3: hands[1]: missing", "ligne 3 : hands[1] : manque"),
        (
            "deal 2: plays: 3 cards, there is no ply 4",
            "donne 2 : plays : 3 cartes, il n'y a pas de rang 4",
        ),
        (
            "points: '92,5' is not whole, as it must be at 4 players",
            "points : « 92,5 » n'est pas entier, comme il le faut à 4 joueurs",
        ),
        ("points: 40.3 is not a multiple of 0.5", "points : 40,3 n'est pas un multiple de 0,5"),
        # The last value is itself a message.
        (
            "condition: 'a' at character 3: expected a feature, a number or a parenthesis",
            "condition : « a », au caractère 3 : il faut une grandeur, un nombre ou une parenthèse",
        ),
        (
            "players: expected an integer, not a string",
            "players : il faut un entier, pas une chaîne",
        ),
        # A file may have any name.
        ("/a b: c/d.json: No such file or directory", "/a b: c/d.json : ce fichier n'existe pas"),
        (
            "/a b/c.jsonl: 24 deals, expected one (--jsonl answers each line)",
            "/a b/c.jsonl : 24 donnes, il en faut une (--jsonl répond à chaque ligne)",
        ),
        (
            "--plot: /a/b.xyz: the ending is not one of pdf, png",
            "--plot : /a/b.xyz : l'extension n'est pas connue ; il y a : pdf, png",
        ),
        (
            "auction, word 2: bid: 'x' is not one of pass, prise",
            "auction, mot 2 : bid : « x » n'est pas un nom connu ; il y a : pass, prise",
        ),
        # Of two that fit, the one with more words.
        (
            "hands[0]: 17 cards, expected 18; missing: A21",
            "hands[0] : 17 cartes, il en faut 18 ; il manque : A21",
        ),
        (
            "condition: none of 6,000 deals meets 'x', likely rarer than 1 in 2,000",
            "condition : aucune de 6 000 donnes ne remplit « x », sans doute moins de 1 sur 2 000",
        ),
        # Order of the values.
        (
            "points: 3 contradicts bouts: 1, the attack's bouts alone are worth 4",
            "points : 3 contredit bouts : 1, les bouts de ce camp (attack) valent à eux seuls 4",
        ),
        ("something else entirely", "something else entirely"),
        ("", ""),
    ],
)
def test_translated(english: str, french: str) -> None:
    assert french == translated(english, "fr")
    assert english == translated(english, "en")


@pytest.mark.parametrize("fields", ["", "plays[3]: ", "line 4: hands[1]: "])
def test_every_message_is_found_by_its_words(fields: str) -> None:
    """None is taken for another one that says less."""
    for group in ("errors", "click"):
        for english, french in GROUPS[group].items():
            values = [f"v{place}" for place in range(english.count("{}"))]
            said = fields.replace(": ", " : ").replace("line", "ligne") + french.format(*values)
            message = fields + (english.format(*values) if values else english)
            assert said == translated(message, "fr")


@pytest.mark.parametrize("english", ["x" * 5000, "card " * 800, "{}: {}: " * 300, ": " * 2000])
def test_what_is_long_stays(english: str) -> None:
    assert english == translated(english, "fr")


# --- calls ------------------------------------------------------------------------------

SCORE = ("score", "--contract", "garde", "--points", "49", "--bouts", "2")
HAND = HANDS[4]


@pytest.mark.parametrize(
    ("arguments", "french"),
    [
        (["repla"], "commande inconnue « repla », il y a chances, "),
        (["replay"], "il manque l'argument FICHIER."),
        (["chances"], "il manque l'argument MAIN."),
        (["discard", HAND], "il manque l'argument CHIEN."),
        (["convert", "-"], "il manque l'option « --to » ; au choix : record, tarotclub, tagged"),
        (["score", "--points", "4"], "il manque l'option --contract."),
        (["--nope"], "option inconnue « --nope »."),
        (["replay", "--jsnl", "-"], "option inconnue « --jsnl ». Vouliez-vous dire "),
        (["legal", "-", "--jsonn"], "option inconnue « --jsonn ». Vouliez-vous dire une de : "),
        (["replay", "a", "b"], "argument de trop (b)"),
        (["replay", "a", "b", "c"], "arguments de trop (b c)"),
        (["replay", "a", "--rules"], "l'option « --rules » demande une valeur."),
        (["replay", "a", "--json=1"], "l'option « --json » ne prend pas de valeur."),
        (
            ["chances", HAND, "--players", "2"],
            "valeur incorrecte pour « --players » : 2 n'est pas dans les limites 3<=x<=5.",
        ),
        (
            ["chances", HAND, "--worlds", "x"],
            "valeur incorrecte pour « --worlds » : « x » n'est pas un nombre entier.",
        ),
        (
            ["chances", HAND, "--precision", "x"],
            "valeur incorrecte pour « --precision » : « x » n'est pas un nombre.",
        ),
        (
            ["replay", "--rules", "x", "-"],
            "valeur incorrecte pour « --rules » : « x » n'est pas un nom connu ; il y a : default,",
        ),
        (
            ["chances", HAND, "--plot", "/"],
            "valeur incorrecte pour « --plot » : « / » est un dossier.",
        ),
        (["replay", "/no/such"], "/no/such : ce fichier n'existe pas"),
        (["replay", "/"], "/ : c'est un dossier"),
        (["chances", "A22"], "carte inconnue « A22 » au caractère 1 : une carte est "),
        ([*SCORE, "--alone"], "--alone : seulement à 5 joueurs, ils sont 4"),
        (
            ["deal", "--condition", "bout>=2"],
            "--condition : « bout », au caractère 1 : n'est pas une grandeur",
        ),
    ],
)
def test_calls(arguments: list[str], french: str, capsys: pytest.CaptureFixture[str]) -> None:
    answer = Answer(capsys, "--lang", "fr", *arguments)
    assert (2, "") == (answer.code, answer.out)
    assert answer.err.startswith(f"tarot-sim : erreur : {french}"), answer.err
    assert not ENGLISH.search(answer.err), answer.err


@pytest.mark.parametrize(
    ("change", "french"),
    [
        ({"players": "4"}, "players : il faut un entier, pas une chaîne"),
        ({"hands": RECORD["hands"][:3]}, "hands : 3 mains, il en faut 4"),
        ({"taker": 4}, "taker : 4 n'est pas une place, elles sont 0…3"),
        ({"dealer": None}, "dealer : manque : c'est la place à droite du donneur"),
        ({"dogg": ""}, "dogg : champ inconnu, vouliez-vous dire dog ?"),
    ],
)
def test_records(
    change: dict[str, Any], french: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "deal.json"
    path.write_text(json.dumps(RECORD | change), "utf-8")
    answer = Answer(capsys, "replay", path, "--lang", "fr")
    assert answer.err.startswith(f"tarot-sim : erreur : {french}"), answer.err


def test_a_play_that_is_not_legal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plays = RECORD["plays"][:]
    plays[0], plays[-1] = plays[-1], plays[0]
    path = tmp_path / "deal.json"
    path.write_text(json.dumps(RECORD | {"plays": plays}), "utf-8")
    answer = Answer(capsys, "replay", path, "--lang", "fr")
    assert 2 == answer.code
    assert re.search(
        r"^tarot-sim : erreur : plays\[\d+\] : la place \d ne peut pas jouer ", answer.err
    )
    assert not ENGLISH.search(answer.err), answer.err


def test_errors_in_json_stay_english() -> None:
    """What programs read has one language: only what is printed for people is translated."""
    with pytest.raises(tarot_sim.errors.TarotError, match="expected 4"):
        tarot_sim.Deal.from_dict(RECORD | {"hands": RECORD["hands"][:3]})
