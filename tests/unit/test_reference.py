"""The oracle against positions settled by hand, before anything is measured by it."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reference import dealing, generate, minimax, rules, scoring
from tests.reference.deck import BOUTS, DECK, total
from tests.reference.rules import Settlement, State, Table, ending, play, settle

VECTORS = json.loads((Path(__file__).parents[1] / "golden" / "scores.json").read_text("utf-8"))
SIGN = {"attack": 1, "defence": -1, None: 0}
CHELEM = {None: (0, False), "announced_failed": (0, True)}


def legal_after(trick: str, hand: str) -> set[str]:
    """Return what may be played from `hand` to a trick that seat 0 has led."""
    plays = tuple(enumerate(trick.split()))
    hands: list[tuple[str, ...]] = [("P1",)] * 4
    hands[len(plays)] = tuple(hand.split())
    return set(rules.legal(State(Table(4, frozenset({0})), tuple(hands), 0, plays)))


def final_state(state: State, plays: str) -> State:
    for card in plays.split():
        assert card in rules.legal(state), card
        state = play(state, card)
    assert rules.is_over(state)
    return state


def played_out(plays: str, **position: Any) -> Settlement:
    """Return what an ending comes to; each hand is text."""
    position["hands"] = [hand.split() for hand in position["hands"]]
    position["players"] = len(position["hands"])
    return settle(final_state(ending(**position), plays))


# --- section 1 ------------------------------------------------------------------------


def test_the_pack_has_78_cards_worth_91_points() -> None:
    assert len(set(DECK)) == 78
    assert total(DECK) == 182
    assert total(BOUTS) == 27
    assert [total([card]) for card in ("PR", "CD", "KC", "TV", "P10", "A20")] == [9, 7, 5, 3, 1, 1]


# --- 7.1 ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("trick", "hand", "legal"),
    [
        pytest.param("", "P1 A5 EX", "P1 A5 EX", id="lead"),
        pytest.param("P10", "P1 PR C5 A5", "P1 PR", id="follow suit, no duty to go higher"),
        pytest.param("P10", "P1 C5 A5 EX", "P1 EX", id="the Excuse is legal when following"),
        pytest.param("P10 A4 P2", "P1 A20", "P1", id="follow suit although it is ruffed"),
        pytest.param("P10", "A3 A9 C5", "A3 A9", id="ruff"),
        pytest.param("P10", "A3 C5 EX", "A3 EX", id="the Excuse is legal when ruffing"),
        pytest.param("P10 A8", "A3 A9 A12 C5 EX", "A9 A12 EX", id="overruff"),
        pytest.param("P10 A8", "A3 A7 C5", "A3 A7", id="any lower trump if none is higher"),
        pytest.param("P10 A8", "A3 A7 C5 EX", "A3 A7 EX", id="any lower trump, or the Excuse"),
        pytest.param("P10 A12 A6", "A9 A15", "A15", id="over the highest, not the last trump"),
        pytest.param("P10 A6", "A1 C5", "A1", id="even the Petit"),
        pytest.param("A8", "A3 A9 A12 P5", "A9 A12", id="go over when trumps are led"),
        pytest.param("A8 A10", "A3 A9 A12 P5", "A12", id="over the highest trump led"),
        pytest.param("A8 A10", "A3 A9 P5 EX", "A3 A9 EX", id="lower trumps when trumps are led"),
        pytest.param("A8", "P5 C5", "P5 C5", id="no trump to a trump lead"),
        pytest.param("P10", "C5 K3 EX", "C5 K3 EX", id="the Excuse alone is never forced"),
        pytest.param("A8", "C5 EX", "C5 EX", id="the Excuse is no trump"),
        pytest.param("P10", "C5 KR", "C5 KR", id="discard anything"),
        pytest.param("EX", "P1 C3 A5", "P1 C3 A5", id="the second player is free after an Excuse"),
        pytest.param("EX K5", "K1 A5 C3", "K1", id="then the second card sets the suit"),
        pytest.param("EX A5", "A3 A9 C3", "A9", id="or leads trumps"),
        pytest.param("P5 EX", "P1 C3 A2", "P1", id="a later Excuse changes no suit"),
        pytest.param("P5 A6 EX", "A3 A9 C3", "A9", id="a later Excuse changes no duty"),
        pytest.param("P5", "EX", "EX", id="the Excuse as the last card"),
    ],
)
def test_legal_cards(trick: str, hand: str, legal: str) -> None:
    assert legal_after(trick, hand) == set(legal.split())


def first_lead(called: str, *plays: str) -> set[str]:
    """Return what may be played in the first tricks of three rows of cards."""
    hands = [row.split() for row in ("CD C5 CR", "P3 C4 EX", "CV C6 P2", "C1 C2 C3", "C7 C8 C9")]
    table = Table(5, frozenset({0}), called=called)
    state = State(table, tuple(map(tuple, hands)), leader=1)
    for card in plays:
        state = play(state, card)
    return set(rules.legal(state))


def test_first_lead_of_the_called_suit() -> None:
    assert first_lead("CR") == {"P3", "EX"}
    assert first_lead("C4") == {"P3", "C4", "EX"}  # as if so low a card could be called
    assert first_lead("KR") == {"P3", "C4", "EX"}


def test_only_the_first_card_is_restricted() -> None:
    assert first_lead("CR", "EX") == {"CV", "C6", "P2"}
    assert first_lead("CR", "P3", "P2", "C1", "C7", "CD") == {"C4", "EX"}


# --- 7.2, 7.3 -------------------------------------------------------------------------


def winner(plays: str, **table: Any) -> int:
    """Return who wins a last trick that seat 0 leads; both camps have won one by default."""
    cards = plays.split()
    won = table.pop("won", (True, True))
    position = ending(
        players=len(cards), hands=[[card] for card in cards], leader=0, won=won, **table
    )
    return final_state(position, plays).tricks[0].winner


@pytest.mark.parametrize(
    ("plays", "seat"),
    [
        ("P5 P10 P9 P1", 1),
        ("P5 CR KR TR", 0),
        ("P5 CR P1 P6", 3),
        ("PD PR PC PV", 1),
        ("PR A1 P2 P3", 1),
        ("PR A5 A1 A9", 3),
        ("A5 PR A21 A9", 2),
        ("EX P1 CR KR", 1),
        ("EX P1 CR P2", 3),
        ("P1 EX CR KR", 0),
        ("P1 EX P2", 2),
    ],
)
def test_trick_winner(plays: str, seat: int) -> None:
    assert winner(plays, attack=[0]) == seat


def test_the_excuse_wins_only_when_led_to_the_last_trick_by_a_sweeping_camp() -> None:
    assert winner("EX PR A21 P2", attack=[0], won=(True, False)) == 0
    assert winner("EX PR A21 P2", attack=[1], won=(False, True)) == 0
    assert winner("EX PR A21 P2 P3", attack=[0, 4], won=(True, False)) == 0
    assert winner("EX PR A21 P2", attack=[0], won=(False, True)) == 2
    assert winner("EX PR A21 P2", attack=[1], won=(True, False)) == 2
    assert winner("EX PR A21 P2", attack=[0], won=(True, True)) == 2
    assert winner("PR EX P3 P2 P4", attack=[0, 1], won=(True, False)) == 0


def test_the_excuse_does_not_win_an_earlier_trick() -> None:
    hands = [["EX", "CR"], ["P1", "C2"], ["P2", "C3"], ["P3", "C4"]]
    state = ending(players=4, hands=hands, attack=[0], leader=0, won=(True, False))
    for card in ("EX", "P1", "P2", "P3"):
        state = play(state, card)
    assert state.tricks[0].winner == 3


# --- 7.4 ------------------------------------------------------------------------------

EVERY_OPTION = pytest.mark.parametrize("options", generate.ALL_OPTIONS, ids=str)


@EVERY_OPTION
def test_excuse_in_a_trick_of_the_own_camp(options: dict[str, Any]) -> None:
    result = played_out(
        "PR P2 P3 P4 EX C3 C4 C5 C6 C2",
        hands=["EX C2", "PR C3", "P2 C4", "P3 C5", "P4 C6"],
        attack=[0, 1],
        leader=1,
        **options,
    )
    # Roi, Excuse, three cards of one half point; the second trick is the defence's.
    assert result.attack_half_points == 9 + 9 + 3
    assert result.attack_bouts == ("EX",)


@EVERY_OPTION
def test_excuse_in_a_trick_of_the_other_camp(options: dict[str, Any]) -> None:
    hands = ["EX CR", "PR C3", "P2 C4", "P3 C5"]
    plays = "PR P2 P3 EX C3 C4 C5 CR"
    result = played_out(plays, hands=hands, attack=[0], leader=1, **options)
    assert result.attack_half_points == 8 + 12
    assert result.attack_bouts == ("EX",)
    assert result.defence_half_points == 182 - 20

    result = played_out(plays, hands=hands, attack=[1], leader=1, **options)
    assert result.attack_half_points == 9 + 1 + 1 + 1  # with half a point for the Excuse
    assert result.attack_bouts == ()


@pytest.mark.parametrize(("option", "points", "bouts"), [("lose", 6, ()), ("keep", 14, ("EX",))])
def test_excuse_of_an_attack_without_a_trick(
    option: str, points: int, bouts: tuple[str, ...]
) -> None:
    result = played_out(
        "PR P2 P3 EX CR C4 C5 C2",
        hands=["EX C2", "PR CR", "P2 C4", "P3 C5"],
        attack=[0],
        leader=1,
        attack_half_points=6,
        won=(False, True),
        excuse_no_trick=option,
    )
    assert result.attack_half_points == points
    assert result.attack_bouts == bouts
    assert result.chelem == -1


@pytest.mark.parametrize(("option", "points", "bouts"), [("lose", 40, ("EX",)), ("keep", 32, ())])
def test_excuse_of_a_defence_without_a_trick(
    option: str, points: int, bouts: tuple[str, ...]
) -> None:
    # The attack has nothing before; it wins 9 + 1 + 1 + 9 and 9 + 1 + 1 + 9 half points.
    result = played_out(
        "PR P2 P3 EX CR C4 C5 KR",
        hands=["EX KR", "PR CR", "P2 C4", "P3 C5"],
        attack=[1],
        leader=1,
        won=(True, False),
        excuse_no_trick=option,
    )
    assert result.attack_half_points == points
    assert result.attack_bouts == bouts
    assert result.chelem == 1


@EVERY_OPTION
def test_excuse_in_a_last_trick_of_the_other_camp(options: dict[str, Any]) -> None:
    for won in ((True, True), (False, True)):
        for leader, plays in ((1, "PR P2 P3 EX"), (0, "EX PR P2 P3")):
            result = played_out(
                plays,
                hands=["EX", "PR", "P2", "P3"],
                attack=[0],
                leader=leader,
                attack_half_points=50,
                won=won,
                **options,
            )
            assert result.attack_half_points == 50
            assert result.attack_bouts == ()


@pytest.mark.parametrize(
    ("option", "points", "bouts"), [("trick_winner", 21, ("EX",)), ("changes_camp", 13, ())]
)
def test_excuse_in_a_last_trick_of_the_own_camp(
    option: str, points: int, bouts: tuple[str, ...]
) -> None:
    position: dict[str, Any] = {"leader": 1, "excuse_last": option}
    hands = ["EX", "PR", "P2", "P3", "P4"]
    result = played_out("PR P2 P3 P4 EX", hands=hands, attack=[0, 1], **position)
    assert result.attack_half_points == points
    assert result.attack_bouts == bouts

    result = played_out("PR P2 P3 P4 EX", hands=hands, attack=[2], **position)
    assert result.attack_half_points == 21 - points
    assert result.attack_bouts == (() if bouts else ("EX",))


def test_case_29_four_player_piles_stay_whole() -> None:
    result = played_out(
        "PR P2 P3 EX",
        hands=["EX", "PR", "P2", "P3"],
        attack=[2],
        leader=1,
        excuse_last="changes_camp",
    )
    assert result.attack_half_points == 8
    assert result.attack_bouts == ("EX",)


@EVERY_OPTION
def test_excuse_that_wins_the_last_trick(options: dict[str, Any]) -> None:
    result = played_out(
        "EX PR A21 P3",
        hands=["EX", "PR", "A21", "P3"],
        attack=[0],
        leader=0,
        won=(True, False),
        **options,
    )
    assert result.attack_half_points == 9 + 9 + 9 + 1
    assert result.attack_bouts == ("A21", "EX")
    assert result.chelem == 1


def test_excuse_owed_from_before_the_ending() -> None:
    position: dict[str, Any] = {
        "hands": ["C2", "CR", "C4", "C5"],
        "attack": [0],
        "leader": 1,
        "attack_half_points": 6 + 8,
        "attack_bouts": ["EX"],
        "won": (False, True),
    }
    result = played_out("CR C4 C5 C2", **position)
    assert (result.attack_half_points, result.attack_bouts) == (6, ())
    result = played_out("CR C4 C5 C2", excuse_no_trick="keep", **position)
    assert (result.attack_half_points, result.attack_bouts) == (14, ("EX",))
    position["hands"] = ["CR", "C2", "C4", "C5"]
    result = played_out("C2 C4 C5 CR", **position)
    assert (result.attack_half_points, result.attack_bouts) == (14 + 12, ("EX",))


def test_case_5_excuse_and_petit_lost_in_the_last_trick() -> None:
    result = played_out(
        "A5 A6 EX A1 P2",
        hands=["A1", "P2", "A5", "A6", "EX"],
        attack=[0, 4],
        leader=2,
        attack_half_points=100,
        attack_bouts=["A21"],
    )
    assert result.attack_bouts == ("A21",)
    assert result.petit_au_bout == -1


def sweep(aside_goes_to: rules.Camp, excuse_no_trick: str) -> Settlement:
    """Return case 28: the taker wins all tricks, a defender plays the Excuse to the second."""
    trumps = [f"A{number}" for number in range(21, 3, -1)]
    dog = ["P1", "P2", "P3", "P4", "P5", "P6"]
    rest = [card for card in DECK if card not in (*trumps, *dog, "EX", "A1", "A2", "A3")]
    hands = [trumps, ["EX", "A1", *rest[:16]], ["A2", *rest[16:33]], ["A3", *rest[33:]]]
    table = Table(4, frozenset({0}), excuse_no_trick=excuse_no_trick)  # type: ignore[arg-type]
    state = rules.whole_deal(table, hands, dog, aside_goes_to, leader=0)
    while not rules.is_over(state):
        legal = rules.legal(state)
        now = "EX" in legal and len(state.tricks) == 1
        state = play(state, "EX" if now else next(card for card in legal if card != "EX"))
    assert "EX" in [card for _, card in state.tricks[1].plays]
    return settle(state)


def test_case_28_chelem_against_the_holder_of_the_excuse() -> None:
    everything = sweep("attack", "lose")
    assert everything == Settlement(182, 0, ("A1", "A21", "EX"), 0, 1)
    kept = sweep("attack", "keep")
    assert kept == Settlement(174, 8, ("A1", "A21"), 0, 1)
    assert sweep("defence", "lose").defence_half_points == 6


# --- 7.5 ------------------------------------------------------------------------------


def test_petit_in_the_last_trick() -> None:
    hands = ["A1", "P2", "P3", "P4"]
    position: dict[str, Any] = {"hands": hands, "leader": 1}
    assert played_out("P2 P3 P4 A1", attack=[0], **position).petit_au_bout == 1
    assert played_out("P2 P3 P4 A1", attack=[1], **position).petit_au_bout == -1
    position["hands"] = ["A1", "A2", "P3", "P4"]
    assert played_out("A2 P3 P4 A1", attack=[0], **position).petit_au_bout == -1
    assert played_out("A2 P3 P4 A1", attack=[1], **position).petit_au_bout == 1


def test_petit_in_the_second_last_trick() -> None:
    position: dict[str, Any] = {
        "hands": ["A1 EX", "P2 C2", "P3 C3", "P4 C4"],
        "attack": [0],
        "leader": 0,
    }
    plays = "A1 P2 P3 P4 EX C2 C3 C4"
    assert played_out(plays, won=(True, False), **position).petit_au_bout == 1
    assert played_out(plays, won=(True, True), **position).petit_au_bout == 0
    position["attack"] = [1]
    assert played_out(plays, won=(False, True), **position).petit_au_bout == -1
    position["hands"] = ["A9 EX", "A1 C2", "P3 C3", "P4 C4"]
    plays = "A9 A1 P3 P4 EX C2 C3 C4"
    assert played_out(plays, won=(False, True), **position).petit_au_bout == -1


def test_petit_in_the_last_trick_that_the_excuse_wins() -> None:
    result = played_out(
        "EX A1 P3 P4",
        hands=["EX", "A1", "P3", "P4"],
        attack=[0],
        leader=0,
        won=(True, False),
    )
    assert result == Settlement(20, 162, ("A1", "EX"), 1, 1)


# --- whole deals, piles, counting -----------------------------------------------------


@given(st.randoms(use_true_random=False), st.sampled_from((3, 4, 5)))
def test_a_random_deal_settles(rng: Random, players: int) -> None:
    state = generate.random_deal(rng, players)
    while not rules.is_over(state):
        legal = rules.legal(state)
        assert legal
        assert set(legal) <= set(state.hands[rules.to_move(state)])
        state = play(state, rng.choice(legal))
    result = settle(state)
    assert sorted(state.attack_pile + state.defence_pile) == sorted(DECK)
    assert result.attack_half_points + result.defence_half_points == 182
    assert 9 * len(result.attack_bouts) - 1 <= result.attack_half_points
    if players == 4:
        assert result.attack_half_points % 2 == 0


@given(st.randoms(use_true_random=False), st.sampled_from((3, 4, 5)), st.integers(1, 8))
def test_a_random_ending_settles(rng: Random, players: int, cards: int) -> None:
    state = generate.random_ending(rng, players, cards)
    if players == 4:
        assert state.table.attack_half_points % 2 == 0
    middle, plays = generate.random_mid_trick(rng, state)
    assert len(plays) <= 2 * players
    assert not rules.is_over(middle)
    last, _ = generate.random_plays(rng, middle, 78)
    result = settle(last)
    assert 0 <= result.attack_half_points <= 182
    assert 9 * len(result.attack_bouts) - 1 <= result.attack_half_points


def test_perft() -> None:
    # Three hands of the same suit, two cards each: everything is legal.
    hands = [["P1", "P2"], ["P3", "P4"], ["P5", "P6"]]
    state = ending(players=3, hands=hands, attack=[0], leader=0)
    assert [rules.perft(state, depth) for depth in range(8)] == [1, 2, 4, 8, 8, 8, 8, 8]
    # The leader chooses; who has no Pique must trump, and over the trump before.
    hands = [["P1", "C1"], ["A1", "C2"], ["A2", "P3"]]
    state = ending(players=3, hands=hands, attack=[0], leader=0)
    assert rules.perft(state, 1) == 2
    assert rules.perft(state, 3) == 1 * 1 + 1 * 1
    assert rules.perft(state, 6) == 2


# --- section 8 ------------------------------------------------------------------------


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["id"])
def test_score_vectors(vector: dict[str, Any]) -> None:
    chelem, announced = CHELEM[vector["chelem"]]
    value = scoring.per_defender(
        vector["contract"],
        Fraction(vector["points"]),
        vector["bouts"],
        petit_au_bout=SIGN[vector["petit_au_bout"]],
        poignees=vector["poignees"],
        chelem=chelem,
        chelem_announced=announced,
    )
    assert value == vector["per_defender"]
    partner = "partner" in vector["scores"]
    assert scoring.scores(vector["players"], value, partner=partner) == vector["scores"]


@pytest.mark.parametrize(
    ("expected", "contract", "points", "bouts", "marks"),
    [
        pytest.param(164, "garde_sans", 67, 1, {}, id="case 5"),
        pytest.param(-31, "prise", 40, 0, {"petit_au_bout": 1}, id="case 9, failed"),
        pytest.param(35, "prise", 41, 2, {"petit_au_bout": 1}, id="case 9, made exactly"),
        pytest.param(92, "garde", 52, 2, {"poignees": ["simple"]}, id="case 10"),
        pytest.param(
            282,
            "garde",
            52,
            2,
            {"chelem": 1, "petit_au_bout": -1, "poignees": ["double"]},
            id="case 11",
        ),
        pytest.param(-281, "prise", 0, 0, {"chelem": -1}, id="case 12"),
        pytest.param(26, "prise", Fraction(83, 2), 2, {}, id="case 13"),
        pytest.param(-26, "prise", Fraction(81, 2), 2, {}, id="half a point short"),
        pytest.param(480, "prise", 91, 3, {"chelem": 1, "chelem_announced": True}, id="announced"),
        pytest.param(-481, "prise", 0, 0, {"chelem": -1, "chelem_announced": True}, id="reversed"),
        pytest.param(-123, "prise", 88, 3, {"chelem_announced": True}, id="announced, failed"),
    ],
)
def test_scores(
    expected: int, contract: str, points: Fraction, bouts: int, marks: dict[str, Any]
) -> None:
    assert scoring.per_defender(contract, points, bouts, **marks) == expected


def test_the_shares() -> None:
    assert scoring.scores(3, 10, partner=False) == {"taker": 20, "defender": -10}
    assert scoring.scores(4, 10, partner=False) == {"taker": 30, "defender": -10}
    assert scoring.scores(5, 10, partner=False) == {"taker": 40, "defender": -10}
    assert scoring.scores(5, 10, partner=True) == {"taker": 20, "partner": 10, "defender": -10}


# --- sections 2, 4, 5, 6 --------------------------------------------------------------


def test_petit_sec() -> None:
    assert dealing.is_petit_sec(["A1", "P2"])
    assert not dealing.is_petit_sec(["A1", "EX"])
    assert not dealing.is_petit_sec(["A1", "A2"])
    assert not dealing.is_petit_sec(["A2", "P2"])


def test_callable_cards() -> None:
    rois, dames = ["PR", "CR", "KR", "TR"], ["PD", "CD", "KD", "TD"]
    cavaliers, valets = ["PC", "CC", "KC", "TC"], ["PV", "CV", "KV", "TV"]
    assert dealing.callable_cards(["PR", "CR", "KR"]) == rois
    assert dealing.callable_cards(rois) == dames
    assert dealing.callable_cards(rois + dames) == cavaliers
    assert dealing.callable_cards(rois + dames + cavaliers) == valets
    assert dealing.callable_cards(dames) == rois
    assert dealing.callable_cards(rois, must_call_lower=False) == rois + dames


def test_case_16_ecart_without_enough_plain_cards() -> None:
    plain = ["P1", "P2", "P3", "P4", "P5"]
    trumps = ["A1", *(f"A{number}" for number in range(8, 22))]
    cards = ["PR", "CR", "KR", "TR", *trumps, *plain]
    assert len(cards) == 24
    legal = set(map(frozenset, dealing.legal_ecarts(cards, 6)))
    assert legal == {frozenset([*plain, f"A{number}"]) for number in range(8, 21)}


def test_ecart() -> None:
    cards = ["PR", "A1", "A5", "EX", "P2", "PD", "C3", "C4"]
    assert dealing.is_legal_ecart(cards, ["P2", "PD", "C3"], 3)
    for ecart in (["P2", "PD", "A5"], ["P2", "PD", "PR"], ["P2", "PD", "EX"], ["P2", "PD", "A1"]):
        assert not dealing.is_legal_ecart(cards, ecart, 3)
    assert not dealing.is_legal_ecart(cards, ["P2", "PD"], 3)
    assert not dealing.is_legal_ecart(cards, ["P2", "P2", "PD"], 3)
    assert not dealing.is_legal_ecart(cards, ["P2", "PD", "K1"], 3)
    assert len(list(dealing.legal_ecarts(cards, 3))) == 4


@given(st.randoms(use_true_random=False), st.sampled_from((3, 4, 5)))
def test_random_ecarts_are_legal(rng: Random, players: int) -> None:
    hands, dog = generate.random_hands(rng, players)
    cards = hands[0] + dog
    ecart = generate.random_ecart(rng, cards, len(dog))
    assert dealing.is_legal_ecart(cards, ecart, len(dog))


def test_poignee() -> None:
    nine = [f"A{number}" for number in range(1, 10)]
    ten = [*nine, "A10"]
    assert dealing.is_legal_poignee(4, 0, ten, ten)
    assert dealing.is_legal_poignee(4, 0, [*nine, "EX"], [*nine, "EX"])
    assert not dealing.is_legal_poignee(4, 0, [*ten, "EX"], [*nine, "EX"])
    assert dealing.is_legal_poignee(4, 0, [*ten, "A11"], ten)
    assert not dealing.is_legal_poignee(4, 0, nine, ten)
    assert not dealing.is_legal_poignee(4, 0, [*ten, "A11"], [*ten, "A11"])
    assert not dealing.is_legal_poignee(4, 0, ten, [*nine, "A9"])
    assert not dealing.is_legal_poignee(4, 0, [*nine, "EX"], [*nine, "A10"])
    assert dealing.can_show_poignee(4, 0, 9, excuse=True)
    assert not dealing.can_show_poignee(4, 0, 9, excuse=False)
    assert dealing.can_show_poignee(5, 2, 13, excuse=False)
    assert not dealing.can_show_poignee(3, 0, 11, excuse=True)


# --- minimax --------------------------------------------------------------------------

OBJECTIVES: dict[str, Callable[[int], minimax.Objective]] = {
    "points": lambda players: minimax.points,
    "margin": lambda players: minimax.margin,
    "score": lambda players: minimax.score(
        players, "garde", partner=players == 5, poignees=["simple"], chelem_announced=True
    ),
}


def test_minimax_saves_the_excuse_before_the_last_trick() -> None:
    # Played now the Excuse keeps 8 half points and its bout; kept, it is lost.
    hands = [["EX", "C2"], ["PR", "CR"], ["P2", "C4"], ["P3", "C5"]]
    state = play(play(play(ending(players=4, hands=hands, attack=[0], leader=1), "PR"), "P2"), "P3")
    assert minimax.card_values(state, minimax.points, minimax.minimax) == {"EX": 8, "C2": 0}
    assert minimax.card_values(state, minimax.margin) == {"EX": 8 - 102, "C2": 0 - 112}
    assert minimax.best_line(state, minimax.points)[0] == "EX"


def test_minimax_finds_the_lead_that_catches_the_petit() -> None:
    hands = [["A5", "P2"], ["A1", "C2"], ["K2", "K3"]]
    state = ending(players=3, hands=hands, attack=[0], leader=0)
    # A5 draws the Petit (9 + 1 + 1), then P2 wins too (1 + 1 + 1). With P2 first the
    # Petit trumps it, and A5 only takes the last trick.
    assert minimax.card_values(state, minimax.points) == {"A5": 14, "P2": 3}


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize(("players", "cards"), [(3, 3), (4, 3), (5, 2)])
def test_alpha_beta_is_minimax(players: int, cards: int, objective: str) -> None:
    rng = Random(f"{players} {objective}")
    value = OBJECTIVES[objective](players)
    for number in range(12):
        make = generate.random_small_deal if number % 3 == 0 else generate.random_ending
        state, _ = generate.random_mid_trick(rng, make(rng, players, cards))
        plain = minimax.card_values(state, value, minimax.minimax)
        assert minimax.card_values(state, value) == plain
        best = max if minimax.attack_moves(state) else min
        assert minimax.minimax(state, value) == best(plain.values())
        for card in minimax.best_line(state, value):
            state = play(state, card)
        assert value(settle(state)) == best(plain.values())
