"""``tarot-sim odds``: exact chances against all deals counted one by one, and sampled ones."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb
from pathlib import Path
from typing import Any

import pytest

from tarot_sim.cards import Card, Hand
from tarot_sim.deals.dealing import Draws
from tarot_sim.deals.patterns import Pattern, deal_matching
from tarot_sim.rules import Rules
from tests.commands import DOGS, HANDS, Answer

#: All of a hand's and a dog's cards that are not asked about are alike, so placing a few marked
#: cards in all ways counts all deals.
PLACES = {3: (24, 24), 4: (18, 18, 18), 5: (15, 15, 15, 15)}


def placings(marked: int, capacities: tuple[int, ...]) -> dict[tuple[int, ...], int]:
    """Return in how many deals marked cards are in which places, by the cards' places."""
    found: dict[tuple[int, ...], int] = {(): 1}
    for _ in range(marked):
        more: dict[tuple[int, ...], int] = {}
        for places, ways in found.items():
            for place, capacity in enumerate(capacities):
                left = capacity - places.count(place)
                if left:
                    more[(*places, place)] = ways * left
        found = more
    return found


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("seen", [False, True])
def test_counted_one_by_one(players: int, seen: bool, capsys: pytest.CaptureFixture[str]) -> None:
    """Where the marked cards may be: every chance is that of all ways to place them."""
    options: list[object] = ["--players", players]
    capacities = PLACES[players]
    hands = len(capacities)
    if seen:
        options += ["--dog", DOGS[players]]
    else:
        capacities = (*capacities, 6 if players < 5 else 3)
    # Who has the Petit knows that nobody else has it sec: no deal is cancelled.
    hand = Hand(HANDS[players])
    hand = hand - Hand([hand.trumps.mask.bit_length() - 1]) | Hand("A1")
    known = hand | Hand(DOGS[players])
    asked = [card for card in Hand("A:20 P:V C:9,8 K:3 T:D") if card not in known]
    arguments = ("odds", str(hand), *options, "--cards", Hand(asked), "--json")
    found = Answer(capsys, *arguments).json
    ways = placings(len(asked), capacities)
    total = sum(ways.values())
    splits: Counter[tuple[int, ...]] = Counter()
    in_dog: Counter[int] = Counter()
    for places, number in ways.items():
        counts = [places.count(place) for place in range(hands)]
        splits[tuple(sorted(counts, reverse=True))] += number
        in_dog[len(asked) - sum(counts)] += number
    assert found["together"]["missing"] == len(asked)
    for row in found["together"]["splits"]:
        expected = Fraction(splits.pop(tuple(row["split"])), total)
        assert row["p"] == pytest.approx(float(expected), rel=1e-12)
    assert not splits
    for count, chance in found["together"]["dog"].items():
        expected = Fraction(in_dog[int(count)], total)
        assert chance == pytest.approx(float(expected), rel=1e-12)
    for row in found["cards"]:
        assert row["p_hand"] == pytest.approx(capacities[0] / sum(capacities), rel=1e-12)
        assert row["p_others"] == pytest.approx(row["p_hand"] * hands, rel=1e-12)


def brute(hand_size: int, hidden: int, marked: int) -> Fraction:
    """Return the chance that a hand has all marked cards, its subsets counted one by one."""
    hands = combinations(range(hidden), hand_size)
    having = sum(set(range(marked)) <= set(cards) for cards in hands)
    return Fraction(having, comb(hidden, hand_size))


def test_formula_of_the_counts() -> None:
    """The placings above are those of all subsets: a small pack, dealt in every way."""
    ways = placings(2, (3, 3, 2))
    together = sum(number for places, number in ways.items() if places == (0, 0))
    assert brute(3, 8, 2) == Fraction(together, sum(ways.values()))


@pytest.mark.parametrize("seen", [False, True])
def test_the_partner(seen: bool, capsys: pytest.CaptureFixture[str]) -> None:
    """Who has the called card has another one too: counted, and among sampled deals."""
    options: list[object] = ["--dog", DOGS[5]] if seen else []
    arguments = ("odds", HANDS[5], "--players", 5, *options, "--call", "TR", "--json")
    found = Answer(capsys, *arguments, "--cards", "A1 TR A2 A21 A3").json
    assert "TR" == found["called"]
    rows = {row["card"]: row for row in found["cards"]}
    hidden = 78 - 15 - 3 * seen
    expected = Fraction(60, hidden) * Fraction(14, hidden - 1)
    # No Petit sec is dealt: that moves the trumps a little, the Roi hardly.
    assert rows["A2"]["p_partner"] == pytest.approx(float(expected), rel=0.03)
    assert rows["TR"]["p_partner"] == pytest.approx(60 / hidden, rel=0.01)
    assert 0 == rows["A21"]["p_partner"]
    assert "hand" == rows["A21"]["seen"]
    assert ("dog" if seen else None) == rows["A3"]["seen"]
    draws, rules = Draws(3), Rules(players=5)
    patterns, dog = {0: Pattern.parse(HANDS[5])}, DOGS[5] if seen else None
    number, both = 4000, Counter[str]()
    for _ in range(number):
        hands, _, _ = deal_matching(rules, draws, patterns, dog)
        for name in rows:
            both[name] += any({Card("TR"), Card(name)} <= set(hand) for hand in hands[1:])
    for name, row in rows.items():
        mean = number * row["p_partner"]
        assert abs(both[name] - mean) <= 4.5 * mean**0.5 + 0.5, name


def test_what_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    for players, hand in HANDS.items():
        for extra in ([], ["--dog", DOGS[players]], ["--lang", "fr"]):
            answer = Answer(capsys, "odds", hand, "--players", players, *extra)
            assert answer.code == 0, answer.err
            assert answer.out.startswith(f"{hand}\n")
            assert "%" in answer.out
            assert ("au chien" if "fr" in extra else "in the dog") in answer.out or extra
    nobody = Answer(capsys, "odds")
    assert "78 cards are hidden: 4 hands of 18, 6 in the dog" in nobody.out
    assert "bouts    0: 45.0 % · 1: 41.9 % · 2: 12.1 % · 3: 1.1 %" in nobody.out


def test_small_chances_are_not_none(capsys: pytest.CaptureFixture[str]) -> None:
    """What may be is never shown as 0 %, nor as 100 %."""
    answer = Answer(capsys, "odds", "--cards", "A:21,20,19,18,17,1,EX P:R,V C:R K:R")
    one_hand, dog = (line for line in answer.out.splitlines() if "at least: " in line)
    assert dog.endswith("5: 0.01 % · 6: < 0.01 %")
    assert ": 1: 100 % · 2: 100 % · 3: 99.80 % · 4: " in one_hand
    assert one_hand.endswith(" · 11: < 0.01 %")


def test_hands_without_quotes(capsys: pytest.CaptureFixture[str]) -> None:
    quoted = Answer(capsys, "odds", HANDS[4], "--dog", DOGS[4], "--cards", "A1 P:C,V", "--json")
    bare = Answer(
        capsys, "odds", *HANDS[4].split(), "--cards", "A1", "P:C,V", "--json",
        "--dog", *DOGS[4].split(),
    )  # fmt: skip
    before = Answer(
        capsys, "odds", "--dog", DOGS[4], *HANDS[4].split(), "--json", "--cards", "A1", "P:C,V"
    )
    assert quoted.json == bare.json == before.json


def test_files_of_hands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines: list[dict[str, Any]] = [
        {"hand": HANDS[4]},
        {"hand": HANDS[5], "players": 5, "dog": DOGS[5], "called": "TR", "cards": "A1"},
        {"players": 3},
        {"hand": HANDS[4], "dog": "A:3"},
        {"hand": HANDS[4], "seed": 1},
    ]
    path = tmp_path / "hands.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    answer = Answer(capsys, "odds", path, "--jsonl")
    answer.is_error("line 4: dog: 1 cards, expected 6 (and 1 more)", answered=5)
    first, second, third, *_ = map(json.loads, answer.out.splitlines())
    assert Answer(capsys, "odds", HANDS[4], "--json").json == first
    options = ("--dog", DOGS[5], "--call", "TR", "--cards", "A1", "--players", 5)
    assert Answer(capsys, "odds", HANDS[5], *options, "--json").json == second
    assert (3, None) == (third["players"], third["hand"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--dog", "A:3"], "--dog: 1 cards, expected 6"),
        (["A:3"], "the hand has 1 cards, expected 18"),
        (["--cards", "A22"], "--cards: unknown card 'A22' at character 1"),
        (["--cards", "A21 A21"], "--cards: card A21 comes twice"),
        (["--call", "TR"], "--call: a card is called with a hand, there is none"),
        ([HANDS[4], "--call", "TR"], "--call: no card is called at 4 players"),
        ([HANDS[5], "--players", 5, "--call", "KD"], "--call: KD may not be called with"),
        ([HANDS[4], "--dog", "A:4,3 P:2 C:7 K:9 T:D"], "dog: K9 is in the hand too"),
        (["A:1 P:R,D,C,V,10,9,8,7,6,5,4,3,2,1 C:R,D,C"], "the hand is a Petit sec"),
    ],
)
def test_what_is_refused(
    arguments: list[object], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = Answer(capsys, "odds", *arguments)
    assert answer.err.startswith(("tarot-sim: error: " + message, "tarot-sim: error: --" + message))
    assert (2, "", 1) == (answer.code, answer.out, answer.err.count("\n"))


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("seen", ["nothing", "hand", "dog"])
def test_it_fits_in_eighty_columns(
    seen: str, players: int, language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    hand = () if seen == "nothing" else (HANDS[players],)
    dog = ("--dog", DOGS[players]) if seen == "dog" else ()
    answer = Answer(capsys, "odds", *hand, *dog, "--players", players, "--lang", language)
    assert answer.code == 0
    assert max(map(len, answer.out.splitlines())) <= 80
