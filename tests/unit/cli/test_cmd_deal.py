"""``tarot-sim deal``: records, seeds, the Petit sec, conditions."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tarot_sim.cards import Hand
from tarot_sim.deals.conditions import FEATURES, Condition
from tarot_sim.deals.deal import Deal
from tarot_sim.deals.endings import random_ending
from tarot_sim.deals.patterns import Pattern
from tarot_sim.messages import LANGUAGES
from tarot_sim.solver.solving import solve
from tarot_sim.worlds.holdings import odds
from tests.commands import DOGS, HANDS, Answer
from tests.laws import LEAST_P_VALUE, p_value


def deals_of(out: str) -> list[Deal]:
    return [Deal.from_dict(json.loads(line)) for line in out.splitlines()]


def test_records(capsys: pytest.CaptureFixture[str]) -> None:
    answer = Answer(capsys, "deal", "-n", 3, "--seed", 1, "--players", 5)
    records = [json.loads(line) for line in answer.out.splitlines()]
    assert [next(iter(record)) for record in records] == ["schema"] * 3
    deals = [Deal.from_dict(record) for record in records]
    assert [deal.players for deal in deals] == [5, 5, 5]
    assert len({deal.hands for deal in deals}) == 3
    assert deals[0] == Deal.random(5, rng=1)
    assert answer.err == ""


def test_fewer_are_a_prefix(capsys: pytest.CaptureFixture[str]) -> None:
    for physical in ([], ["--physical", "--riffles", 1]):
        many = Answer(capsys, "deal", "-n", 4, "--seed", 2, *physical).out
        few = Answer(capsys, "deal", "-n", 2, "--seed", 2, *physical).out
        assert many.startswith(few)


def test_seed_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    answer = Answer(capsys, "deal")
    match = re.fullmatch(r"seed (\d+)\n", answer.err)
    assert match
    assert Answer(capsys, "deal", "--seed", match[1]).out == answer.out
    assert Answer(capsys, "deal", "--quiet").err == ""


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    one = Answer(capsys, "deal", "--seed", 1, "--json").json
    assert Deal.from_dict(one) == Deal.random(rng=1)
    document = Answer(capsys, "deal", "-n", 2, "--seed", 1, "--json").json
    assert document["deals"][0] == one
    assert Answer(capsys, "deal", "-n", 0, "--seed", 1).out == ""


def test_petit_sec(capsys: pytest.CaptureFixture[str]) -> None:
    options = ("deal", "-n", 600, "--players", 5, "--seed", 1, "--petit-sec")
    for choice, some in (("off", True), ("cancel", False)):
        records = map(json.loads, Answer(capsys, *options, choice).out.splitlines())
        hands = [hand for record in records for hand in Deal.from_dict(record).hands]
        assert any(hand.is_petit_sec() for hand in hands) == some


def test_can_be_played_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = json.loads(Answer(capsys, "deal", "--seed", 1).out)
    path = tmp_path / "deal.json"
    path.write_text(json.dumps(record), encoding="utf-8")
    Answer(capsys, "legal", path).is_error("taker: missing")
    record |= {"taker": 0, "contract": "garde_sans"}
    path.write_text(json.dumps(record), encoding="utf-8")
    assert len(Answer(capsys, "legal", path, "--json").json["legal"]) == 18


# --- cards that are given ---------------------------------------------------------------


def test_cards_that_are_given(capsys: pytest.CaptureFixture[str]) -> None:
    pattern, dog = "A:21,16,x,x,x,EX P:R,D,x", "K:x A:1"
    options = ("deal", "-n", 20, "--seed", 1, "--hand", pattern, "--dog", dog)
    answer = Answer(capsys, *options)
    deals = deals_of(answer.out)
    assert 20 == len({deal.hands for deal in deals})
    assert all(Pattern.parse(pattern).fits(deal.hands[0]) for deal in deals)
    assert all(Pattern.parse(dog).fits(deal.dog) for deal in deals)
    assert answer.out.startswith(Answer(capsys, *options[:1], *options[3:]).out)
    bare = Answer(
        capsys, "deal", "--hand", *pattern.split(), "-n", 20, "--dog", *dog.split(), "--seed", 1
    )
    assert answer.out == bare.out
    whole = (HANDS[5], "--hand", "-", "--hand", "C:R", "--dog", DOGS[5], "--players", 5)
    (deal,) = deals_of(Answer(capsys, "deal", "--seed", 1, "--hand", *whole).out)
    assert (Hand(HANDS[5]), Hand(DOGS[5])) == (deal.hands[0], deal.dog)
    assert "CR" in deal.hands[2]
    assert deals_of(Answer(capsys, "deal", "--seed", 1, "--hand", "-").out)[0] == Deal.random(rng=1)


def test_all_deals_that_fit_are_as_likely(capsys: pytest.CaptureFixture[str]) -> None:
    """Against the exact law of `odds`: how the trumps of the others lie."""
    answer = Answer(capsys, "deal", "-n", 3000, "--seed", 2, "--hand", HANDS[4], "--dog", DOGS[4])
    law = odds(HANDS[4], dog=DOGS[4]).suit("A").splits
    splits = [
        tuple(sorted((len(hand.trumps) for hand in deal.hands[1:]), reverse=True))
        for deal in deals_of(answer.out)
    ]
    assert p_value(splits, law) > LEAST_P_VALUE


def test_given_cards_and_a_condition(capsys: pytest.CaptureFixture[str]) -> None:
    options = ("--hand", "A:21,1,x,x", "--condition", "trumps==6", "--seed", 1, "-n", 5)
    for deal in deals_of(Answer(capsys, "deal", *options).out):
        assert 6 == len(deal.hands[0].trumps)
        assert {"A21", "A1"} <= set(map(str, deal.hands[0]))


@pytest.mark.parametrize("players", [3, 4, 5])
def test_endings(players: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ("deal", "-n", 6, "--seed", 1, "--players", players, "--cards", 4)
    answer = Answer(capsys, *options)
    deals = deals_of(answer.out)
    assert all(deal.is_ending and len(deal.hands[0]) == 4 for deal in deals)
    assert random_ending(4, players=players, rng=1) == deals[0]
    path = tmp_path / "endings.jsonl"
    path.write_text(answer.out, "utf-8")
    for name in ("solve", "replay", "legal"):
        answers = Answer(capsys, name, path, "--jsonl")
        assert (0, 6) == (answers.code, answers.out.count("\n")), answers.err
    values = [
        json.loads(line)["value"]
        for line in Answer(capsys, "solve", path, "--jsonl").out.splitlines()
    ]
    half_points = [solve(deal).value for deal in deals]
    assert [value / 2 for value in half_points if value is not None] == values
    assert 2 == len(Answer(capsys, *options[:1], "-n", 2, *options[3:], "--json").json["deals"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--cards", 18], "--cards: 18 is not 1…17, as an ending has"),
        (["--cards", 0], "Invalid value for '--cards'"),
        (["--cards", 3, "--hand", "A:21"], "--hand does not go with --cards"),
        (["--cards", 3, "--condition", "bouts"], "--condition does not go with --cards"),
        (["--cards", 3, "--physical"], "--cards does not go with --physical"),
        (["--dog", "A:21", "--physical"], "--dog does not go with --physical"),
        (["--hand", "A:22"], "--hand: unknown card '22' at character 3"),
        (["--hand", "x"], "--hand: small card 'x' at character 1: of which suit?"),
        (["--dog", "A:2,3,4,5,6,7,x"], "dog: 7 cards, expected 6 at most"),
        (["--hand", "A:21", "--dog", "A:21"], "dog: card A21 comes twice"),
        (["--hand", "A:21"] + 4 * ["--hand", "A:2"], "--hand: 4 is not a seat"),
        (["--hand", "P:" + 11 * "x"], "--hand: P: 11 small cards, there are 10"),
    ],
)
def test_given_cards_that_are_refused(
    arguments: list[object], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = Answer(capsys, "deal", "--seed", 1, *arguments)
    assert (2, "", 1) == (answer.code, answer.out, answer.err.count("\n"))
    assert (
        answer.err.removeprefix("tarot-sim: error: ")
        .removeprefix("--")
        .startswith(message.removeprefix("--"))
    )


# --- conditions -----------------------------------------------------------------------


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize(
    "expression", ["bouts>=2", "1.trumps>=7", "dog.rois==1", "voids and points>12.5 or not P"]
)
def test_deals_meet_the_condition(
    players: int, expression: str, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ("--players", players, "--seed", 1, "--condition", expression)
    answer = Answer(capsys, "deal", "-n", 10, *options)
    assert answer.code == 0
    deals = deals_of(answer.out)
    assert len(deals) == 10
    assert all(map(Condition(expression, players).holds, deals))
    assert not any(hand.is_petit_sec() for deal in deals for hand in deal.hands)
    assert answer.out == Answer(capsys, "deal", "-n", 10, *options).out
    assert answer.out.startswith(Answer(capsys, "deal", "-n", 3, *options).out)


@pytest.mark.parametrize("extra", [(), ("--physical", "--riffles", 1)], ids=["", "physical"])
def test_they_are_the_deals_of_the_seed_that_meet_it(
    extra: tuple[object, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    options = ("deal", "--seed", 4, *extra)
    all_deals = deals_of(Answer(capsys, *options, "-n", 60).out)
    met = list(filter(Condition("bouts>=2").holds, all_deals))
    answer = Answer(capsys, *options, "-n", len(met), "--condition", "bouts>=2")
    assert deals_of(answer.out) == met
    drawn = all_deals.index(met[-1]) + 1
    assert answer.err == f"{len(met)} of {drawn} deals meet the condition\n"


def test_a_petit_sec_is_found_where_it_is_played(capsys: pytest.CaptureFixture[str]) -> None:
    condition = "petit and trumps==1 and not excuse"
    options = ("deal", "--players", 5, "--seed", 1, "--tries", 5_000, "--condition", condition)
    (deal,) = deals_of(Answer(capsys, *options, "--petit-sec", "off").out)
    assert deal.hands[0].is_petit_sec()
    Answer(capsys, *options).is_error("--condition: none of 5,000 deals meets ")


def test_several_conditions_must_all_hold(capsys: pytest.CaptureFixture[str]) -> None:
    start = ("deal", "-n", 5, "--seed", 2, "--condition")
    both = Answer(capsys, *start, "bouts>=1", "--condition", "dog.bouts>=1 or dog.rois")
    one = Answer(capsys, *start, "bouts>=1 and (dog.bouts>=1 or dog.rois)")
    assert both.out == one.out


def test_notes_are_on_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    start = ("deal", "--seed", 1, "--condition", "bouts")
    assert Answer(capsys, *start, "--quiet").err == ""
    assert Answer(capsys, "deal", "--seed", 1).err == ""
    assert "donnes sur" in Answer(capsys, *start, "--lang", "fr").err
    assert len(Answer(capsys, *start, "--json").json["hands"]) == 4
    assert len(Answer(capsys, *start, "-n", 3, "--json").json["deals"]) == 3


def test_errors_name_the_token(capsys: pytest.CaptureFixture[str]) -> None:
    start = ("deal", "--seed", 1, "--condition")
    Answer(capsys, *start, "bouts>=").is_error("--condition: the end at character 8: expected a f")
    Answer(capsys, *start, "bouts", "--condition", "trump>2").is_error(
        "--condition: 'trump' at character 1: no feature, they are trumps, "
    )
    Answer(capsys, *start, "4.bouts").is_error("--condition: '4.bouts' at character 1: '4' is")
    assert Answer(capsys, *start, "4.bouts", "--players", 5).code == 0
    Answer(capsys, *start, "bouts", "--tries", 0).is_error("Invalid value for '--tries'")


def test_a_rare_condition_is_given_up(capsys: pytest.CaptureFixture[str]) -> None:
    options = ("deal", "--seed", 1, "--condition", "trumps>=15", "--tries", 900)
    Answer(capsys, *options).is_error(
        "--condition: none of 900 deals meets 'trumps>=15', likely rarer than 1 in 300\n"
    )


def test_deals_found_before_the_tries_ran_out_are_kept(capsys: pytest.CaptureFixture[str]) -> None:
    answer = Answer(
        capsys, "deal", "-n", 1000, "--seed", 1, "--condition", "trumps>=7", "--tries", 12
    )
    assert answer.code == 2
    assert len(answer.out.splitlines()) >= 2
    assert all(len(deal.hands[0].trumps) >= 7 for deal in deals_of(answer.out))
    assert answer.err.startswith(
        "tarot-sim: error: --condition: none of 12 deals meets 'trumps>=7'"
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_names_every_feature(language: str, capsys: pytest.CaptureFixture[str]) -> None:
    help_text = " ".join(Answer(capsys, "deal", "--help", "--lang", language).out.split())
    words = help_text.replace(",", " ").split()
    assert set(FEATURES) <= set(words)
    assert "--condition EXPR" in help_text
    assert "--tries" in help_text
