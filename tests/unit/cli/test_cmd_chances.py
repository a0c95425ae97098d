"""``tarot-sim chances``: JSON, table, languages and errors."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tarot_sim import messages
from tarot_sim.estimation.hand_chances import chances
from tarot_sim.rules import CONTRACTS
from tests.commands import HANDS, Answer, loaded, on_terminal

HAND = HANDS[4]
ALL_BOUTS = "A:21,16,14,11,7,1,EX P:R,1 C:R,6,5,4,3 K:10,7,3 T:2"
RUBBISH = "A:4,3 P:10,9,8,7,6 C:8,7,6,5,4 K:9,8,7 T:V,8,7"
ALL_ROIS = "A:21,18,13,9,7,4 P:R,8,3 C:R,9,6,2 K:R,7 T:R,5,3"
WEAK_FIVE = "A:13,9,4,2 P:10,7,3 C:D,6,2 K:9,8 T:V,5,1"
PETIT_SEC = "A:1 P:R,D,C,V,10,9,8,7,6,5,4,3,2,1 C:R,D,C"
QUICK = ("--worlds", 50, "--method", "fast", "--jobs", 1)

#: The keys that may not change.
KEYS = {"hand", "players", "method", "worlds", "contracts", "advice", "seconds"}
CONTRACT_KEYS = {"p_make", "ci95", "mean_score", "mean_points", "se_score"}


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
    assert cascade["contracts"] != first["contracts"]
    short = ask("--time", 0.01, "--method", "fast", "--jobs", 1)
    assert (short["worlds"], short["stopped"]) == (100, "time")
    few = ask("--precision", 0.2, "--jobs", 1)
    assert (few["worlds"], few["method"], few["stopped"]) == (50, "fast", "precision")
    assert ask(*QUICK)["stopped"] == "worlds"
    five = (*QUICK, "--players", 5, "--call")
    assert ask(*five, "kr", hand=HANDS[5])["called"] == "KR"
    assert ask(*QUICK, "--rules", "fft")["worlds"] == 50


def test_the_method_exact(capsys: pytest.CaptureFixture[str]) -> None:
    options = ("--worlds", 50, "--jobs", 1, "--method", "exact", "--json")
    document = Answer(capsys, "chances", RUBBISH, *options).json
    assert document["method"] == "exact"
    assert all(0 < row["proved"] <= 1 for row in document["contracts"].values())
    expected = chances(RUBBISH, worlds=50, method="exact", n_jobs=1)
    assert {"schema": 1} | expected.to_dict() | {"seconds": document["seconds"]} == document
    plain = Answer(capsys, "chances", RUBBISH, *QUICK, "--json").json
    assert all(row["proved"] == 0 for row in plain["contracts"].values())


def test_the_auction_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    def ask(*options: object) -> dict[str, object]:
        document: dict[str, object] = Answer(
            capsys, "chances", HAND, *QUICK, "--json", *options
        ).json
        return document

    found = ask("--auction", "pass,prise")
    assert (found["auction"], found["dealer"]) == (["pass", "prise"], 1)
    assert found["advice"] != "prise"
    expected = chances(HAND, worlds=50, method="fast", n_jobs=1, auction=["pass", "prise"])
    assert found == {"schema": 1} | expected.to_dict() | {"seconds": found["seconds"]}
    for form in ("Passe, Prise", "p,PRISE", "pass,prise,"):
        assert ask("--auction", form) | {"seconds": 0} == found | {"seconds": 0}
    without = ask()
    assert (without["auction"], without["pass"]) == (None, None)
    assert without["contracts"] != found["contracts"]
    first = ask("--auction", "")
    assert (first["auction"], first["dealer"]) == ([], 3)


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
    # The reasons are indented, and may be longer.
    assert max(len(line) for line in lines if not line.startswith("  ")) <= 80
    assert max(map(len, lines)) <= 100
    assert lines[0] == HANDS[players]
    rows = [line for line in lines if re.match(r"(Prise|Garde|Garde sans|Garde contre) +\d", line)]
    assert len(rows) == 4
    names, bid, held, chavey = {
        "en": ("contract", "Bid: ", "Held: ", "Chavey's count: "),
        "fr": ("contrat", "Enchère : ", "En main : ", "Décompte de Chavey : "),
    }[language]
    for start, count in ((names, 1), (bid, 1), (held, 1), (chavey, int(players == 4))):
        assert count == sum(line.startswith(start) for line in lines), start
    # What the figures mean is told apart from them.
    assert answer.err.count("\n") == 1
    assert len(answer.err) <= 101
    assert ("double dummy" if language == "en" else "cartes sur table") in answer.err
    assert ("all worlds asked for" if language == "en" else "tous les mondes voulus") in answer.err


@pytest.mark.parametrize(
    ("language", "bid", "held", "chavey", "hangs"),
    [
        (
            "en",
            r"Bid: Garde \(\+\d+ on average; \d+ ± \d+ above Prise\)\.",
            "Held: 8 trumps, 2 of the bouts.",
            "Chavey's count: 55, which bids Prise.",
            "A Garde hangs on:",
        ),
        (
            "fr",
            r"Enchère : Garde \(\+\d+ en moyenne ; \d+ ± \d+ de mieux que Prise\)\.",
            "En main : 8 atouts, dont 2 bout(s).",
            "Décompte de Chavey : 55, soit Prise.",
            "Une Garde tient à ceci :",
        ),
    ],
)
def test_what_is_said_below_the_table(
    language: str, bid: str, held: str, chavey: str, hangs: str, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = Answer(capsys, "chances", HAND, *QUICK, "--lang", language)
    lines = answer.out.splitlines()
    place = next(number for number, line in enumerate(lines) if re.fullmatch(bid, line))
    assert ["", held, chavey, hangs] == [lines[place - 1], *lines[place + 1 : place + 4]]
    after = next(n for n, line in enumerate(lines) if line.startswith(("The dog", "Le chien")))
    splits = lines[place + 4 : after]
    document = Answer(capsys, "chances", HAND, *QUICK, "--json").json
    assert len(splits) == len(document["reasons"]["splits"]) > 0
    for line, split in zip(splits, document["reasons"]["splits"], strict=True):
        assert line.startswith("  ")
        shown = [int(number) for number in re.findall(r"(\d+) %", line)]
        figures = (split["share"], split["p_make"], split["p_otherwise"])
        assert [round(100 * figure) for figure in figures] == shown


@pytest.mark.parametrize(
    ("language", "expected", "short"),
    [
        ("en", r"A pass is worth (\S+) ± (\d+) after these bids\.", " above pass)."),
        ("fr", r"Après ces enchères, passer vaut (\S+) ± (\d+)\.", " de mieux que passe)."),
    ],
)
def test_what_a_pass_is_worth(
    language: str, expected: str, short: str, capsys: pytest.CaptureFixture[str]
) -> None:
    options = (HAND, *QUICK, "--auction", "pass,prise")
    document = Answer(capsys, "chances", *options, "--json").json
    lines = Answer(capsys, "chances", *options, "--lang", language).out.splitlines()
    found = [match for line in lines if (match := re.fullmatch(expected, line))]
    assert len(found) == 1
    assert f"{round(document['pass']['mean_score']):+d}" == found[0][1]
    assert f"{document['pass']['se_score']:.0f}" == found[0][2]
    assert "pass" == document["decision"]["second"]
    assert any(line.endswith(short) for line in lines)
    # Without an auction nothing is said of a pass.
    without = Answer(capsys, "chances", HAND, *QUICK, "--lang", language).out.splitlines()
    assert not any(re.fullmatch(expected, line) for line in without)


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", "Nothing may be bid above a Garde contre: a pass is all that is left."),
        ("fr", "Rien ne surenchérit sur une Garde contre : il ne reste qu'à passer."),
    ],
)
def test_where_nothing_may_be_bid(
    language: str, expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    options = (HAND, *QUICK, "--auction", "garde_contre", "--lang", language)
    lines = Answer(capsys, "chances", *options).out.splitlines()
    assert expected in lines
    assert not any("Garde sans" in line or "Prise " in line for line in lines)
    assert {} == Answer(capsys, "chances", *options, "--json").json["contracts"]


def test_only_what_may_be_bid_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    options = (HAND, *QUICK, "--auction", "garde")
    lines = Answer(capsys, "chances", *options).out.splitlines()
    assert not any(line.startswith(("Prise ", "Garde  ")) for line in lines)
    assert any(line.startswith("Garde sans  ") for line in lines)
    assert "A Garde hangs on:" not in lines
    found = Answer(capsys, "chances", *options, "--json").json
    assert ["garde_sans", "garde_contre"] == [*found["contracts"]]
    assert "garde_sans" == found["reasons"]["contract"]


@pytest.mark.parametrize(
    ("options", "english", "french"),
    [
        (("--worlds", 50), "all worlds asked for", "tous les mondes voulus"),
        (("--precision", 0.3), "sampled precisely enough", "tirage assez précis"),
        (("--time", 0.01), "time is up", "temps écoulé"),
    ],
)
def test_what_ended_the_work(
    options: tuple[object, ...], english: str, french: str, capsys: pytest.CaptureFixture[str]
) -> None:
    more = (*options, "--method", "fast", "--jobs", 1, "--lang")
    for language, expected in (("en", english), ("fr", french)):
        err = Answer(capsys, "chances", HAND, *more, language).err
        assert err.endswith(f" s, {expected}\n")


def test_table_has_the_figures_of_the_json(capsys: pytest.CaptureFixture[str]) -> None:
    document = Answer(capsys, "chances", HAND, *QUICK, "--json").json
    out = Answer(capsys, "chances", HAND, *QUICK).out
    for row in document["contracts"].values():
        assert f"{100 * row['p_make']:.1f} %" in out
        low, high = row["ci95"]
        assert f"{100 * low:.1f} – {100 * high:.1f} %" in out
        assert f"{row['mean_score']:+.0f} " in out
        assert f"{row['mean_points']:.1f}\n" in out
        low, *_, high = (f"{quantile:+.0f}" for quantile in row["score_quantiles"])
        assert f" {low} … {high} " in out


#: How the kinds of dogs are told, by language: trumps, bouts, Rois.
DOGS = {
    "en": (
        ["no trump", "one trump", "two trumps", "three trumps or more"],
        ["no bout", "a bout or more"],
        ["no Roi", "a Roi or more"],
    ),
    "fr": (
        ["aucun atout", "un atout", "deux atouts", "3 atouts ou plus"],
        ["aucun bout", "1 bout ou plus"],
        ["aucun Roi", "1 Roi ou plus"],
    ),
}


# Of what the hand holds all of, nothing is said.
@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize(
    ("hand", "bouts", "rois"),
    [(HAND, True, True), (ALL_BOUTS, False, True), (ALL_ROIS, True, False)],
)
def test_what_the_dog_brings(
    hand: str, bouts: bool, rois: bool, language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ("chances", hand, "--worlds", 150, "--method", "fast", "--jobs", 1)
    dogs = Answer(capsys, *asked, "--json").json["reasons"]["dogs"]
    lines = Answer(capsys, *asked, "--lang", language).out.splitlines()
    trumps, of_bouts, of_rois = DOGS[language]
    expected = []
    for key in ("best", "worst"):
        kind = dogs[key]
        parts = [trumps[kind["trumps"]]]
        parts += [of_bouts[kind["bouts"]]] if bouts else []
        parts += [of_rois[kind["rois"]]] if rois else []
        what, share, made = ", ".join(parts), 100 * kind["share"], 100 * kind["p_make"]
        if language == "en":
            expected.append(f"  {key}: {what} ({share:.0f} %): {made:.0f} % made")
        else:
            name = {"best": "au mieux", "worst": "au pire"}[key]
            expected.append(f"  {name} : {what} ({share:.0f} %) : faite à {made:.0f} %")
    assert expected == lines[-2:]
    helps = f"{100 * dogs['helps']:.0f} %"
    assert (
        lines[-3]
        == {
            "en": f"The dog is better than average in {helps} of the deals.",
            "fr": f"Le chien est meilleur que la moyenne dans {helps} des donnes.",
        }[language]
    )


def test_camps(capsys: pytest.CaptureFixture[str]) -> None:
    five = ("chances", HANDS[5], *QUICK, "--players", 5, "--call")
    for hand in (HANDS[5], WEAK_FIVE):
        asked = ("chances", hand, *QUICK, "--players", 5, "--call", "TR")
        document = Answer(capsys, *asked, "--json").json
        assert (document["advice"] == "pass") == (hand == WEAK_FIVE)
        best = "garde" if hand == WEAK_FIVE else document["advice"]
        row, name = document["contracts"][best], best.replace("_", " ").capitalize()
        partner, defender = f"{row['mean_partner']:+.0f}", f"{row['mean_defender']:+.0f}"
        english = f"{name}: the partner wins {partner}, each defender {defender}."
        french = f"{name} : le partenaire marque {partner}, chaque défenseur {defender}."
        assert english in Answer(capsys, *asked).out.splitlines()
        assert french in Answer(capsys, *asked, "--lang", "fr").out.splitlines()
    # Alone there is no partner, nor is there at four.
    assert Answer(capsys, *five, "PR", "--json").json["contracts"][best]["mean_partner"] is None
    assert "partner" not in Answer(capsys, *five, "PR").out
    assert "partner" not in Answer(capsys, "chances", HANDS[4], *QUICK).out


@pytest.mark.parametrize(
    ("language", "advice"), [("en", "Pass: no bid"), ("fr", "Passe : aucune enchère")]
)
def test_rubbish(language: str, advice: str, capsys: pytest.CaptureFixture[str]) -> None:
    answer = Answer(capsys, "chances", RUBBISH, *QUICK, "--lang", language)
    lines = answer.out.splitlines()
    assert sum(line.startswith(advice) for line in lines) == 1
    # Nothing moves a chance that is next to none.
    assert not any(line.endswith((" on:", "ceci :")) for line in lines)
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


# --- pictures -------------------------------------------------------------------------


def test_plots(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    png, svg = tmp_path / "chances.png", tmp_path / "chances.svg"
    for path in (png, svg):
        answer = Answer(capsys, "chances", HAND, *QUICK, "--plot", path)
        assert answer.code == 0, answer.err
        assert answer.out == Answer(capsys, "chances", HAND, *QUICK).out
    assert png.read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
    assert "<svg" in svg.read_text(encoding="utf-8")
    with_json = Answer(capsys, "chances", HAND, *QUICK, "--json", "--plot", png)
    assert with_json.json["players"] == 4


@pytest.mark.parametrize("extra", [[], ["--json"], ["--quiet"]], ids=["", "json", "quiet"])
def test_a_file_that_cannot_be_drawn(
    tmp_path: Path, extra: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("chances.xyz", "nowhere/chances.png"):
        path = tmp_path / name
        Answer(capsys, "chances", HAND, *QUICK, "--plot", path, *extra).is_error("--plot: ")
        assert not path.exists()
    answer = Answer(capsys, "chances", HAND, *QUICK, "--plot", tmp_path, *extra)
    answer.is_error("Invalid value for '--plot'")


# --- errors ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("message", "arguments"),
    [
        ("unknown card 'A22' at character 1", [HAND.replace("A:21", "A22")]),
        ("unknown card 'Z' at character 34", [HAND.replace("C:R", "C:Z")]),
        ("card PR comes twice", [HAND.replace("T:V", "PR")]),
        ("the hand has 17 cards, expected 18", [HAND.replace("EX", "")]),
        ("the hand has 19 cards, expected 18", [HAND + " A1"]),
        ("the hand has 0 cards, expected 18", [""]),
        ("the hand has 18 cards, expected 24", [HAND, "--players", 3]),
        ("the hand has 18 cards, expected 15", [HAND, "--players", 5]),
        ("Invalid value for '--players': 6", [HAND, "--players", 6]),
        ("Invalid value for '--players': 'four'", [HAND, "--players", "four"]),
        ("--dealer: seat 4 is not 0…3", [HAND, "--dealer", 4]),
        ("--dealer: seat -1 is not 0…3", [HAND, "--dealer", -1]),
        ("the hand is a Petit sec", [PETIT_SEC]),
        ("--call: no card is called at 4 players", [HAND, "--call", "PR"]),
        ("--call: KD may not be called", [HANDS[5], "--players", 5, "--call", "KD"]),
        ("--call: unknown card 'XX'", [HANDS[5], "--players", 5, "--call", "XX"]),
        ("Invalid value for '--worlds': 0", [HAND, "--worlds", 0]),
        ("--precision: 0.0 is not between 0 and 1", [HAND, "--precision", 0]),
        ("--precision: nan is no number", [HAND, "--precision", "nan"]),
        ("--time: -1.0 is not above 0", [HAND, "--time", -1]),
        ("--time: nan is no number", [HAND, "--time", "nan", "--worlds", 3]),
        ("--auction, word 2: bid: 'foo' is not one of", [HAND, "--auction", "pass,foo"]),
        ("--auction, word 2: bid: 'prise' is not higher", [HAND, "--auction", "garde,prise"]),
        ("--auction: 4 bids leave nothing", [HAND, "--auction", "pass,pass,pass,pass"]),
        (
            "Invalid value for '--jobs': 0 is neither a number of jobs",
            [HAND, "--jobs", 0, "--worlds", 60],
        ),
        ("Invalid value for '--method': 'slow'", [HAND, "--method", "slow"]),
        ("Invalid value for '--rules'", [HAND, "--rules", "house"]),
        ("Missing argument 'HAND'", []),
        ("the hand has 19 cards, expected 18", [HAND, "A1"]),
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
    code = "from tarot_sim.cli.__main__ import run\nassert run(['chances', 'A21']) == 2"
    assert [] == loaded(code, "numpy", "joblib", "tarot_sim.estimation._evaluate")


# --- the model of play ----------------------------------------------------------------


@pytest.mark.parametrize("players", [3, 4, 5])
def test_json_at_a_table(players: int, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("chances", HANDS[players], *QUICK, "--players", players, "--json")
    table = Answer(capsys, *asked, "--model", "table").json
    seers = Answer(capsys, *asked).json
    assert table["model"] == "table"
    assert seers["model"] == "double_dummy"
    for name, row in table["contracts"].items():
        assert row["p_make_double_dummy"] == seers["contracts"][name]["p_make"]
        assert seers["contracts"][name]["p_make_double_dummy"] == row["p_make_double_dummy"]


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ("at table", "open cards", "bots play them that see their own cards only")),
        ("fr", ("table", "découvert", "des robots qui ne voient que leur jeu")),
    ],
)
def test_both_figures_for_people(
    language: str, words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    answer = Answer(capsys, "chances", HAND, *QUICK, "--model", "table", "--lang", language)
    printed = answer.out + answer.err
    for word in words:
        assert word in printed
    assert max(map(len, printed.splitlines())) <= 80


def test_the_model_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("chances", HAND, *QUICK, "--json", "--model")
    for words, model in (("À la table", "table"), ("open-cards", "double_dummy")):
        assert Answer(capsys, *asked, words).json["model"] == model
    refused = Answer(capsys, *asked, "people")
    assert refused.code == 2
    assert "people" in refused.err


# --- progress -------------------------------------------------------------------------


def errors_on_a_terminal(*extra: str, **variables: str) -> str:
    """Return what is written to a standard error that is a terminal."""
    asked = ("chances", HAND, "--worlds", 200, "--method", "fast", *extra)
    return on_terminal("stderr", *asked, **variables)


def test_progress_is_for_terminals_only(capsys: pytest.CaptureFixture[str]) -> None:
    assert "dealing worlds" in errors_on_a_terminal()
    assert "tirage des mondes" in errors_on_a_terminal("--lang", "fr")
    assert errors_on_a_terminal("--quiet") == ""
    assert "dealing worlds" not in Answer(capsys, "chances", HAND, *QUICK).err


def test_nothing_of_the_progress_is_coloured_without_colours() -> None:
    colour = re.compile(r"\x1b\[[\d;]*m")
    assert colour.search(errors_on_a_terminal())
    for written in (errors_on_a_terminal("--no-color"), errors_on_a_terminal(NO_COLOR="1")):
        assert "dealing worlds" in written
        assert not [code for code in colour.findall(written) if code != "\x1b[0m"], written
