from __future__ import annotations

import json
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tarot_sim.errors import ScoreError
from tarot_sim.rules import CONTRACTS
from tarot_sim.rules.announcements import chelem_name
from tarot_sim.rules.scoring import CHELEMS, card_points, parse_points, score, score_half_points
from tests.reference import scoring as reference

VECTORS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[2] / "golden" / "scores.json").read_text()
)


@pytest.mark.parametrize("vector", VECTORS, ids=[vector["id"] for vector in VECTORS])
def test_published_examples(vector: dict[str, Any]) -> None:
    expected = vector["scores"]
    result = score(
        players=vector["players"],
        contract=vector["contract"],
        points=vector["points"],
        bouts=vector["bouts"],
        petit_au_bout=vector["petit_au_bout"],
        poignees=vector["poignees"],
        chelem=vector["chelem"],
    )
    assert vector["per_defender"] == result.per_defender
    assert expected["taker"] == result.taker
    assert expected["defender"] == result.defender
    assert expected.get("partner") == result.partner


CAMPS: dict[int, Any] = {-1: "defence", 0: None, 1: "attack"}


def per_defender(**fields: Any) -> int:
    return score(**fields).per_defender


# Case 5: the Excuse and the Petit lost in the last trick leave one bout.
def test_one_bout_garde_sans() -> None:
    result = score(contract="garde_sans", points=67, bouts=1, petit_au_bout="defence")
    assert (25 + 16) * 4 - 40 == result.per_defender
    # The published figure counts the Petit au bout for nobody.
    assert 492 == score(contract="garde_sans", points=67, bouts=1).taker


# Case 9: the sign of the Petit au bout when the contract fails, or is made exactly.
@pytest.mark.parametrize(
    ("expected", "points", "bouts", "petit_au_bout"),
    [
        (-31, 40, 0, "attack"),
        (-51, 40, 0, "defence"),
        (35, 41, 2, "attack"),
        (15, 41, 2, "defence"),
    ],
)
def test_petit_au_bout_is_apart_from_the_contract(
    expected: int, points: int, bouts: int, petit_au_bout: Any
) -> None:
    assert expected == per_defender(
        contract="prise", points=points, bouts=bouts, petit_au_bout=petit_au_bout
    )


# Case 10: a poignée goes to the camp that wins the contract, whoever showed it.
def test_poignee_goes_to_the_winners() -> None:
    assert 92 == per_defender(contract="garde", points=52, bouts=2, poignees=["simple"])
    assert -92 == per_defender(contract="garde", points=30, bouts=2, poignees=["simple"])
    assert 112 == per_defender(contract="garde", points=52, bouts=2, poignees=["simple"] * 2)


# Case 11: only the Petit au bout takes the coefficient.
@pytest.mark.parametrize(
    ("expected", "extra"),
    [
        (150, {}),
        (150 + 60, {"petit_au_bout": "attack"}),
        (150 + 20, {"poignees": ["simple"]}),
        (150 + 30, {"poignees": ["double"]}),
        (150 + 40, {"poignees": ["triple"]}),
        (150 - 200, {"chelem": "announced_failed"}),
    ],
)
def test_what_is_multiplied(expected: int, extra: dict[str, Any]) -> None:
    assert expected == per_defender(contract="garde_contre", points=41, bouts=2, **extra)


# Case 12: every chelem, the defence's included.
@pytest.mark.parametrize(
    ("expected", "points", "bouts", "chelem"),
    [
        (2 * 80 + 200, 91, 3, "made"),
        (2 * 80 + 400, 91, 3, "announced_made"),
        (2 * 77 - 200, 88, 3, "announced_failed"),
        (-2 * 72 - 200, 9, 0, "by_defence"),
        (-2 * 81 - 200, 0, 0, "by_defence"),
        (-2 * 72 - 400, 9, 0, "announced_by_defence"),
    ],
)
def test_chelem(expected: int, points: int, bouts: int, chelem: Any) -> None:
    assert expected == per_defender(contract="garde", points=points, bouts=bouts, chelem=chelem)


# Case 13: half points are not cut.
@pytest.mark.parametrize("players", [3, 5])
def test_half_points_go_to_the_winning_side(players: int) -> None:
    up = score(players=players, contract="prise", points=41.5, bouts=2)
    down = score(players=players, contract="prise", points=40.5, bouts=2)
    assert (True, 1, 26) == (up.made, up.difference, up.per_defender)
    assert (False, 1, -26) == (down.made, down.difference, down.per_defender)


# Case 14: two thirds for the taker, one third for the partner; four times alone.
def test_shares_at_five() -> None:
    together = score(players=5, contract="garde", points=49, bouts=2)
    alone = score(players=5, contract="garde", points=49, bouts=2, alone=True)
    assert (132, 66, -66) == (together.taker, together.partner, together.defender)
    assert (264, None, -66) == (alone.taker, alone.partner, alone.defender)
    assert (-66, 66, -66, 132, -66) == together.by_seat(5, 3, 1)
    assert (-66, -66, -66, 264, -66) == alone.by_seat(5, 3)


# Case 15: impossible results are refused with a reason that names the field.
@pytest.mark.parametrize(
    ("field", "fields"),
    [
        ("points: 40.25", {"points": 40.25}),
        ("points: '40.25'", {"points": "40.25"}),
        ("points: 'many'", {"points": "many"}),
        ("points: nan", {"points": float("nan")}),
        ("points: inf", {"points": float("inf")}),
        ("points: True", {"points": True}),
        ("points: None", {"points": None}),
        ("points: -1", {"points": -1}),
        ("points: 92", {"points": 92}),
        ("points: 91.5", {"points": 91.5, "players": 3}),
        ("points: 40.5", {"points": 40.5}),
        ("bouts: -1", {"bouts": -1}),
        ("bouts: 4", {"bouts": 4}),
        ("bouts: 1.5", {"bouts": 1.5}),
        ("bouts: True", {"bouts": True}),
        ("players: 6", {"players": 6}),
        ("players: 4.0", {"players": 4.0}),
        ("contract: 'belote'", {"contract": "belote"}),
        ("contract: list", {"contract": ["garde"]}),
        ("petit_au_bout: 'nobody'", {"petit_au_bout": "nobody"}),
        ("poignees: 'quadruple'", {"poignees": ["quadruple"]}),
        ("poignees: 'simple'", {"poignees": "simple"}),
        ("poignees: simple, double show 23", {"poignees": ["simple", "double"]}),
        ("poignees: simple, simple show 26", {"poignees": ["simple"] * 2, "players": 3}),
        ("poignees: simple, simple, simple show 24", {"poignees": ["simple"] * 3, "players": 5}),
        ("chelem: 'yes'", {"chelem": "yes"}),
        ("alone: only at 5", {"alone": True}),
        ("alone: only at 5", {"alone": True, "players": 3}),
        # Points against bouts.
        ("points: 3 contradicts bouts: 1", {"points": 3, "bouts": 1}),
        ("points: 8 contradicts bouts: 2", {"points": 8, "bouts": 2}),
        ("points: 12 contradicts bouts: 3", {"points": 12, "bouts": 3}),
        ("points: 79 contradicts bouts: 0", {"points": 79, "bouts": 0}),
        ("points: 83 contradicts bouts: 1", {"points": 83, "bouts": 1}),
        ("points: 88 contradicts bouts: 2", {"points": 88, "bouts": 2}),
        # A chelem without the 21, or without all the points.
        ("chelem: 'made'", {"points": 87, "bouts": 3, "chelem": "made"}),
        ("chelem: 'made'", {"points": 82, "bouts": 2, "chelem": "made"}),
        ("chelem: 'made'", {"points": 70, "bouts": 1, "chelem": "made"}),
        ("chelem: 'announced_made'", {"points": 90, "bouts": 3, "chelem": "announced_made"}),
        ("petit_au_bout: 'defence'", {
            "points": 91, "bouts": 3, "chelem": "made", "petit_au_bout": "defence",
        }),
        ("points: 91", {"points": 91, "bouts": 3, "chelem": "announced_failed"}),
        ("points: 90", {"points": 90, "bouts": 3, "chelem": "announced_failed"}),
        # In a Garde contre the dog, three points at least, is the defence's.
        ("chelem: 'made'", {
            "points": 91, "bouts": 3, "chelem": "made", "contract": "garde_contre",
        }),
        ("chelem: 'made'", {
            "points": 60, "bouts": 3, "chelem": "made", "contract": "garde_contre",
        }),
        # Four Dames and two Cavaliers are the dearest écart: 19 points, no bout.
        ("chelem: 'by_defence'", {"points": 20, "bouts": 0, "chelem": "by_defence"}),
        ("chelem: 'by_defence'", {"points": 24, "bouts": 1, "chelem": "by_defence"}),
        ("chelem: 'by_defence'", {"points": 15, "bouts": 2, "chelem": "by_defence"}),
        ("chelem: 'by_defence'", {
            "points": 11, "bouts": 0, "chelem": "by_defence", "players": 5,
        }),
        # The dearest dog with no bout: four Rois, two Dames.
        ("chelem: 'by_defence'", {
            "points": 26, "bouts": 0, "chelem": "by_defence", "contract": "garde_sans",
        }),
        ("chelem: 'announced_by_defence'", {
            "points": 32, "bouts": 3, "chelem": "announced_by_defence", "contract": "garde_sans",
        }),
        ("chelem: 'by_defence'", {
            "points": 1, "bouts": 0, "chelem": "by_defence", "contract": "garde_contre",
        }),
        ("petit_au_bout: 'attack'", {
            "points": 9, "bouts": 0, "chelem": "by_defence", "petit_au_bout": "attack",
        }),
    ],
)  # fmt: skip
def test_impossible_results(field: str, fields: dict[str, Any]) -> None:
    with pytest.raises(ScoreError) as caught:
        score(**dict[str, Any](contract="garde", points=41, bouts=2) | fields)
    message = str(caught.value)
    assert message.startswith(field), message
    assert "\n" not in message


@pytest.mark.parametrize(
    "fields",
    [
        {"points": 4, "bouts": 1},
        {"points": 13, "bouts": 3},
        {"points": 78, "bouts": 0},
        {"points": 91, "bouts": 3, "chelem": "made"},
        {"points": 87, "bouts": 2, "chelem": "announced_made"},  # the Excuse kept
        {"points": 88, "bouts": 3, "chelem": "made", "contract": "garde_contre"},
        {"points": 64, "bouts": 0, "chelem": "made", "contract": "garde_contre"},
        {"points": 89, "bouts": 3, "chelem": "announced_failed"},
        {"points": 19, "bouts": 0, "chelem": "by_defence"},
        {"points": 23, "bouts": 1, "chelem": "by_defence"},
        {"points": 10.5, "bouts": 0, "chelem": "by_defence", "players": 5},
        {"points": 27, "bouts": 3, "chelem": "by_defence", "contract": "garde_sans"},
        {"points": 4, "bouts": 1, "chelem": "by_defence", "contract": "garde_contre"},
        {"points": 41, "bouts": 2, "poignees": ["simple", "simple"]},
        {"points": 41, "bouts": 2, "players": 5, "poignees": ["simple", "double"]},
    ],
)
def test_rare_but_possible_results(fields: dict[str, Any]) -> None:
    score(**dict[str, Any](contract="garde") | fields)


def test_unchecked_results_keep_their_names() -> None:
    assert 34 == score(contract="garde", points=2, bouts=3, check=False).difference
    with pytest.raises(ScoreError, match="contract: 'pass'"):
        score(contract="pass", points=41, bouts=2, check=False)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "points",
    [40.5, "40.5", "40,5", " 40.50 ", Fraction(81, 2), Decimal("40.5"), np.float64(40.5)],
    ids=repr,
)
def test_points_are_understood(points: Any) -> None:
    assert 81 == parse_points(points)


@pytest.mark.parametrize("points", ["", "4 1", "1e1", "82/2", "٤١", "4,5,6", "1" * 5000, b"41", []])
def test_points_are_not_guessed(points: Any) -> None:
    with pytest.raises(ScoreError, match=r"^points: "):
        parse_points(points)


@given(st.integers(0, 182))
def test_points_there_and_back(half_points: int) -> None:
    assert half_points == parse_points(card_points(half_points))
    assert half_points == parse_points(str(card_points(half_points)))


@given(
    players=st.sampled_from([3, 4, 5]),
    contract=st.sampled_from(CONTRACTS),
    half_points=st.integers(0, 182),
    bouts=st.integers(0, 3),
    petit_au_bout=st.sampled_from([None, "attack", "defence"]),
    poignees=st.lists(st.sampled_from(["simple", "double", "triple"]), max_size=2),
    chelem=st.sampled_from([None, *CHELEMS]),
    alone=st.booleans(),
)
def test_scores_sum_to_zero(alone: bool, players: int, **fields: Any) -> None:
    alone = alone and players == 5
    result = score_half_points(players=players, alone=alone, **fields)
    partner = None if result.partner is None else 2
    seats = result.by_seat(players, 0, partner)
    assert 0 == sum(seats)
    assert players == len(seats)
    assert result.made == (fields["half_points"] >= 2 * result.target)


@given(
    contract=st.sampled_from(CONTRACTS),
    half_points=st.integers(0, 182),
    bouts=st.integers(0, 3),
    petit_au_bout=st.sampled_from([-1, 0, 1]),
    poignees=st.lists(st.sampled_from(["simple", "double", "triple"]), max_size=2),
    swept=st.sampled_from([-1, 0, 1]),
    announced=st.booleans(),
)
def test_value_is_the_references(
    contract: Any,
    half_points: int,
    bouts: int,
    petit_au_bout: int,
    poignees: Any,
    swept: int,
    announced: bool,
) -> None:
    expected = reference.per_defender(
        contract,
        Fraction(half_points, 2),
        bouts,
        petit_au_bout=petit_au_bout,
        poignees=poignees,
        chelem=swept,
        chelem_announced=announced,
    )
    assert (
        expected
        == score_half_points(
            contract=contract,
            half_points=half_points,
            bouts=bouts,
            petit_au_bout=CAMPS[petit_au_bout],
            poignees=poignees,
            chelem=chelem_name(swept, announced),
        ).per_defender
    )


def test_by_seat_refuses_wrong_seats() -> None:
    result = score(contract="garde", points=49, bouts=2)
    with pytest.raises(ScoreError, match=r"^taker_seat: 4"):
        result.by_seat(4, 4)
    with pytest.raises(ScoreError, match=r"^partner_seat: 2"):
        result.by_seat(4, 0, 2)
    with pytest.raises(ScoreError, match=r"^players: "):
        result.by_seat(3, 0)
    five = score(players=5, contract="garde", points=49, bouts=2)
    for seat in (None, 3, 5):
        with pytest.raises(ScoreError, match=r"^partner_seat: "):
            five.by_seat(5, 3, seat)
