"""House rules against the reference; off, they change nothing; named wherever they are on."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from tarot_sim.cards import Hand
from tarot_sim.deals import formats
from tarot_sim.deals.deal import Deal, Misere
from tarot_sim.deals.game import Game
from tarot_sim.deals.replaying import replay
from tarot_sim.errors import BidError, RecordError, RulesError, ScoreError, TarotError
from tarot_sim.estimation.hand_chances import chances
from tarot_sim.rules import CONTRACTS, Rules
from tarot_sim.rules.auction import Auction
from tarot_sim.rules.scoring import per_defender, score
from tarot_sim.rules.table import ALL_CONTRACTS, HOUSE
from tarot_sim.solver.objectives import Stakes
from tarot_sim.solver.solving import solve
from tests.commands import FEW_WORLDS, HANDS, Answer, discard_of
from tests.records import FOUR, changed, played
from tests.reference import house as reference
from tests.reference.scoring import per_defender as todays

#: House rules as the code has them, and as the reference has.
SETTINGS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({}, {}),
    ({"poignee_bonus": "20/40/60"}, {"bonus": (20, 40, 60)}),
    ({"half_points": "down"}, {"half_points": "down"}),
    ({"rounding": 5}, {"rounding": 5}),
    ({"rounding": 10, "half_points": "down"}, {"rounding": 10, "half_points": "down"}),
    ({"misere": 10}, {"misere": 10}),
    ({"pousse": "1/2/4/8/16"}, {"pousse": (1, 2, 4, 8, 16)}),
    (
        {"pousse": "1/2/3/4/6", "misere": 20, "rounding": 5, "poignee_bonus": "10/20/30"},
        {"pousse": (1, 2, 3, 4, 6), "misere": 20, "rounding": 5, "bonus": (10, 20, 30)},
    ),
]
ENDS = {
    None: (0, False),
    "made": (1, False),
    "announced_made": (1, True),
    "announced_failed": (0, True),
    "by_defence": (-1, False),
    "announced_by_defence": (-1, True),
}


@pytest.mark.parametrize(("options", "expected"), SETTINGS)
def test_scores_are_the_references(options: dict[str, Any], expected: dict[str, Any]) -> None:
    rng = Random(str(options))
    rules = Rules(**options)
    for _ in range(2000):
        players = rng.choice((3, 4, 5))
        half_points = rng.randrange(183) // (2 if players == 4 else 1) * (2 if players == 4 else 1)
        bouts = rng.randrange(4)
        contract = rng.choice(rules.contracts)
        poignees = rng.choices(("simple", "double", "triple"), k=rng.randrange(3))
        miseres = rng.choices(("trumps", "courts"), k=rng.randrange(3) if rules.misere else 0)
        petit = rng.choice((None, "attack", "defence"))
        chelem = rng.choice([*ENDS])
        alone = players == 5 and rng.random() < 0.5
        result: dict[str, Any] = {
            "petit_au_bout": petit, "poignees": poignees, "chelem": chelem, "miseres": miseres,
        }  # fmt: skip
        found = score(
            players=players, contract=contract, points=Fraction(half_points, 2), bouts=bouts,
            alone=alone, check=False, rules=rules, **result,
        )  # fmt: skip
        swept, announced = ENDS[chelem]
        value = reference.per_defender(
            contract, Fraction(half_points, 2), bouts,
            petit_au_bout={None: 0, "attack": 1, "defence": -1}[petit], poignees=poignees,
            miseres=len(miseres), chelem=swept, chelem_announced=announced, **expected,
        )  # fmt: skip
        assert found.per_defender == value
        partner = None if players != 5 or alone else 1
        assert sum(found.by_seat(players, 0, partner)) == 0
        if not options:
            assert value == todays(
                contract, Fraction(half_points, 2), bouts,
                petit_au_bout={None: 0, "attack": 1, "defence": -1}[petit], poignees=poignees,
                chelem=swept, chelem_announced=announced,
            )  # fmt: skip


@pytest.mark.parametrize(("options", "expected"), SETTINGS)
def test_arrays_as_numbers(options: dict[str, Any], expected: dict[str, Any]) -> None:
    rules = Rules(**options)
    margins = np.arange(-112, 111)
    for contract in rules.contracts:
        found = per_defender(margins, contract, rules=rules)
        # Of 56 card points: no bout, and the margin above it.
        assert found.tolist() == [
            reference.per_defender(contract, 56 + Fraction(int(margin), 2), 0, **expected)
            for margin in margins
        ]


def test_what_a_rule_may_be() -> None:
    assert Rules(poignee_bonus=[20, 40, 60]) == Rules(poignee_bonus="20/40/60")  # type: ignore[arg-type]
    assert Rules(misere="10") == Rules(misere=10)  # type: ignore[arg-type]
    assert Rules().house == Rules.fft().house == {}
    assert Rules(**HOUSE).house == HOUSE  # type: ignore[arg-type]
    assert Rules(players=5, poignee_sizes="8/10/12").poignee_trumps == (8, 10, 12)
    wrong: dict[str, tuple[Any, ...]] = {
        "poignee_bonus": ("", "20/30", "30/20/40", "a/b/c", "20/30/99999", None, "-1/2/3"),
        "poignee_sizes": ("10/13", "10/10/13", "10/13/23", 7, "0/1/2"),
        "half_points": ("nearest", None, 1),
        "rounding": (0, 2, "x", None, 5.5),
        "misere": (-1, "x", 10**9, None),
        "pousse": ("2", "1/2/3/4", "16/8/4/2/1", True),
    }
    for name, values in wrong.items():
        for value in values:
            with pytest.raises(RulesError, match=f"^{name}: "):
                Rules(**{name: value})


def test_off_nothing_is_known_of_them() -> None:
    with pytest.raises(ScoreError, match="contract: 'pousse' is bid by a house rule only"):
        score(contract="pousse", points=41, bouts=2)
    with pytest.raises(ScoreError, match="miseres: shown by a house rule only"):
        score(contract="garde", points=41, bouts=2, miseres=["trumps"])
    auction = Auction(3)
    assert auction.legal_bids() == ("pass", *CONTRACTS)
    with pytest.raises(BidError, match="bid: 'pousse' is bid by a house rule only"):
        auction.bid("pousse")
    for fields in ({"contract": "pousse"}, {"miseres": [{"seat": 1, "kind": "trumps"}]}):
        with pytest.raises(RecordError, match="by a house rule only"):
            Deal.from_dict(changed(FOUR, plays=[], **fields))


def test_a_pousse_is_bid_between_prise_and_garde() -> None:
    auction = Auction(3, Rules(pousse="1/2/4/8/16"))
    assert auction.legal_bids() == ("pass", *ALL_CONTRACTS)
    for bid in ("petite", "Pousse"):
        auction.bid(bid)
    assert auction.legal_bids() == ("pass", "garde", "garde_sans", "garde_contre")
    assert (auction.taker, auction.contract) == (1, "pousse")


# --- deals ------------------------------------------------------------------------------

#: Seat 2 has neither trumps nor court cards.
SHOWN = changed(
    FOUR,
    hands=[
        "A:21,20,19,18,17,16,15,14,13,12 P:R,D,C,V C:R,D K:R T:R",
        "A:11,10,9,8,7,6 P:10,9 C:C,V K:D,C,V T:D,C,V C:10 K:10",
        "P:8,7,6,5,4,3,2,1 C:9,8,7,6,5 K:9,8,7,6,5",
        "A:5,4,3,2,1,EX C:4,3,2,1 K:4,3 T:10,9,8,7,6,5",
    ],
    contract="pousse",
    miseres=[{"seat": 2, "kind": "trumps"}, {"seat": 2, "kind": "courts"}],
    plays=[],
    rules={"pousse": "1/2/4/8/16", "misere": 10, "poignee_bonus": [20, 40, 60]},
)


def test_records_carry_them() -> None:
    deal = played(Deal.from_dict(SHOWN), 1)
    assert deal.miseres == (Misere(2, "trumps"), Misere(2, "courts"))
    for name in ("record", "tagged"):
        assert formats.load(formats.dump([deal], name)) == [deal]
    answer = replay(deal)
    assert answer.bouts is not None
    petit = {None: 0, "attack": 1, "defence": -1}[answer.petit_au_bout]
    assert answer.per_defender == reference.per_defender(
        "pousse", Fraction(answer.attack_half_points, 2), answer.bouts, petit_au_bout=petit,
        poignees=["simple"], miseres=2, misere=10, bonus=(20, 40, 60), pousse=(1, 2, 4, 8, 16),
    )  # fmt: skip
    assert sum(answer.scores or (1,)) == 0


def test_wrong_miseres() -> None:
    for shown, message in (
        ([{"seat": 1, "kind": "trumps"}], "miseres[0]: misere: A6 is held"),
        ([{"seat": 3, "kind": "trumps"}], "miseres[0]: misere: A1 is held"),
        ([{"seat": 4, "kind": "trumps"}], "miseres[0]: 4 is not a seat, they are 0…3"),
        ([{"seat": 2, "kind": "belote"}], "miseres[0]: 'belote' is not one of trumps, courts"),
        ([{"seat": 2, "kind": "tête"}] * 2, "miseres[1]: seat 2 has shown it already"),
        ([{"seat": 2}], "miseres[0]: kind: missing"),
        ([7], "miseres[0]: expected an object with seat and kind"),
    ):
        with pytest.raises(TarotError) as caught:
            Deal.from_dict(changed(SHOWN, miseres=shown))
        assert str(caught.value).startswith(message)


def test_a_game_with_them() -> None:
    rules = Rules(misere=10, pousse="1/2/4/8/16")
    record = changed(SHOWN)
    game = Game(
        [Hand(hand) for hand in record["hands"]], Hand(record["dog"]), dealer=3, rules=rules
    )
    for bid in ("pousse", "pass", "pass", "pass"):
        game.bid(bid)
    assert game.takes_dog
    game.discard(record["discard"])
    rng = Random(1)
    shown = []
    own = {2: ("trumps", "courts"), 3: ("courts",)}
    while game.phase == "play":
        kinds = game.legal_miseres()
        assert kinds == (own.get(game.to_move or 0, ()) if len(game.plays) < 4 else ())
        for kind in kinds:
            shown.append(game.show_misere(kind))
            with pytest.raises(BidError, match="has shown it"):
                game.show_misere(kind)
        game.play(rng.choice(game.legal_cards()))
    assert [(misere.seat, misere.kind) for misere in shown] == [
        (2, "trumps"),
        (2, "courts"),
        (3, "courts"),
    ]
    assert game.scores == replay(Deal.from_dict(game.to_record())).scores
    assert game.to_record()["miseres"][:2] == SHOWN["miseres"]


# --- search and estimates ---------------------------------------------------------------


@pytest.mark.parametrize(("options", "expected"), SETTINGS)
def test_solved_scores(options: dict[str, Any], expected: dict[str, Any]) -> None:
    """The best of all plays, each settled by the reference."""
    rules = Rules(**options)
    deal = played(Deal.from_dict(changed(FOUR, plays=[], rules=options)), 3)
    contract = rules.contracts[1]
    miseres = ("courts",) if rules.misere else ()
    stakes = Stakes(contract, ("simple",), miseres=miseres, rules=rules)

    def value(position: Any) -> int:
        if position.is_over:
            end = position.result()
            return 3 * reference.per_defender(
                contract, Fraction(end.attack_half_points, 2), end.bouts,
                petit_au_bout=end.petit_au_bout, chelem=end.chelem, poignees=["simple"],
                miseres=len(miseres), **expected,
            )  # fmt: skip
        best = max if position.to_move == 0 else min
        values = []
        for card in position.legal_cards():
            position.play(card)
            values.append(value(position))
            position.undo()
        return best(values)

    position = deal.position(72 - 12)
    assert solve(position, "score", stakes=stakes).value == value(position)


def test_chances_follow_them() -> None:
    hand = HANDS[4]
    few: dict[str, Any] = {"worlds": 20, "n_jobs": 1, "seed": 1}
    off = chances(hand, **few)
    on = chances(hand, rules=Rules(pousse="1/2/4/8/16"), **few)
    assert on.house == {"pousse": "1/2/4/8/16"}
    assert "house" not in off.to_dict()
    assert tuple(on.contracts) == ALL_CONTRACTS
    assert on.contracts["prise"].mean_score == pytest.approx(off.contracts["prise"].mean_score)
    # The same deals at twice the coefficient: off, a Garde is worth what a Pousse is here.
    assert on.contracts["pousse"].mean_score == pytest.approx(off.contracts["garde"].mean_score)
    assert on.contracts["pousse"].p_make == off.contracts["garde"].p_make
    higher = chances(hand, rules=Rules(poignee_bonus="20/40/400"), **few)
    assert higher.contracts["garde"].p_make == off.contracts["garde"].p_make


def test_chances_count_ones_own_poignee_and_misere() -> None:
    hand = "A:21,20,19,18,17,16,15,14,13,12,11,1,EX P:10,9 C:8,7 K:6"
    few: dict[str, Any] = {"worlds": 20, "n_jobs": 1, "seed": 1}
    off = chances(hand, **few).contracts["garde_sans"]
    for rules, more in (
        (Rules(poignee_bonus="20/70/90"), 40),  # thirteen trumps: a double
        (Rules(misere=30), 30),
        (Rules(misere=30, poignee_bonus="20/70/90"), 70),
    ):
        on = chances(hand, rules=rules, **few).contracts["garde_sans"]
        # What is shown goes to the winner.
        assert on.mean_score - off.mean_score == pytest.approx(
            3 * more * (2 * off.p_make - 1), abs=3
        )


# --- the command line -------------------------------------------------------------------


def test_named_in_every_output(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "deal.json"
    deal = played(Deal.from_dict(SHOWN), 1)
    path.write_text(json.dumps(replace(deal, plays=deal.plays[:64]).to_dict()), encoding="utf-8")
    named = {"poignee_bonus": "20/40/60", "misere": 10, "pousse": "1/2/4/8/16"}
    for command in (("replay", path), ("solve", path, "--objective", "score"), ("legal", path)):
        assert Answer(capsys, *command, "--json").json["house"] == named
        assert Answer(capsys, *command, "--jsonl").json["house"] == named
        line = "house rules: poignee_bonus=20/40/60, misere=10, pousse=1/2/4/8/16"
        assert line in Answer(capsys, *command).out.splitlines()
    option = ("--house", "misère=10")
    marks = ("score", "--contract", "garde", "--points", 49, "--bouts", 2)
    questions: tuple[tuple[object, ...], ...] = (
        marks,
        ("chances", HANDS[4], *FEW_WORLDS),
        discard_of(4),
        ("call", HANDS[5], *FEW_WORLDS),
    )
    for question in questions:
        assert "house" not in Answer(capsys, *question, "--json").json
        assert Answer(capsys, *question, *option, "--json").json["house"] == {"misere": 10}
        assert "house rules: misere=10" in Answer(capsys, *question, *option).out
        french = Answer(capsys, *question, *option, "--lang", "fr").out
        assert "règles maison : misere=10" in french
    deals = Answer(capsys, "deal", "--seed", 1, *option).json
    assert deals["rules"] == {"misere": 10}


@pytest.mark.parametrize(
    ("written", "name", "value"),
    [(name, name, value) for name, value in HOUSE.items()]
    + [
        ("arrondi=5", "rounding", 5),
        ("Demi-points=bas", "half_points", "down"),
        ("poignées=20/40/60", "poignee_bonus", "20/40/60"),
        ("pousse=1/2/3/4/6", "pousse", "1/2/3/4/6"),
    ],
)
def test_how_they_are_written(
    written: str, name: str, value: int | str, capsys: pytest.CaptureFixture[str]
) -> None:
    marks = ("score", "--contract", "garde", "--points", 49, "--bouts", 2, "--json")
    assert Answer(capsys, *marks, "--house", written).json["house"] == {name: value}
    Answer(capsys, *marks, "--house", written, "--rules", "fft").is_error(
        f"--house: the preset fft has no house rules, {name} is one"
    )


def test_marks_of_a_pousse_and_of_miseres(capsys: pytest.CaptureFixture[str]) -> None:
    marks = ("score", "--contract", "Pousse", "--points", 49, "--bouts", 2, "--misere", "tête")
    found = Answer(capsys, *marks, "--house", "pousse", "--house", "misere=10", "--json").json
    assert found["per_defender"] == 2 * 33 + 10
    Answer(capsys, *marks, "--house", "misere").is_error("--contract: 'pousse' is bid by a house")
    Answer(capsys, *marks, "--house", "pousse").is_error("--misere: shown by a house rule only")
    Answer(capsys, *marks, "--house", "belote").is_error("--house: 'belote' is not one of poignee")
    Answer(capsys, *marks, "--house", "misere=x").is_error("--house: misere: 'x' is no integer")
