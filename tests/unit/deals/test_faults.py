"""All that is wrong with a record, and what a deal came to that was played against the rules."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from tarot_sim._core import Position
from tarot_sim.cards import Hand
from tarot_sim.deals.deal import Deal
from tarot_sim.deals.faults import (
    FaultyRecordError,
    checked_deal,
    playable_deal,
    record_faults,
    replay_with_faults,
)
from tarot_sim.deals.replaying import replay
from tarot_sim.errors import IllegalPlayError, TarotError
from tarot_sim.rules import CONTRACTS, Rules
from tests.golden.refresh import contents
from tests.records import ENDING, FIVE, FOUR, Record, changed, played
from tests.reference import rules as reference

RECORDS = {name: content["record"] for name, content in contents().items()}


def first_error(record: Record) -> str:
    """Return what `Deal.from_dict` raises."""
    with pytest.raises(TarotError) as caught:
        Deal.from_dict(record)
    return str(caught.value)


# --- all faults -------------------------------------------------------------------------

WRONG: list[tuple[Record, list[str]]] = [
    (
        changed(FOUR, contract="belote", taker=4, dealer=-1),
        [
            "dealer: -1 is not a seat, they are 0…3",
            "taker: 4 is not a seat, they are 0…3",
            "contract: 'belote' is not one of prise, garde, ",
        ],
    ),
    (
        changed(FOUR, players="4", schema=2),
        ["schema: 2 is not known, expected 1", "players: expected an integer, not a string"],
    ),
    (
        changed(FOUR, dealer="0", taker=9, dog="XX", discard=7),
        [
            "dealer: expected an integer, not a string",
            "dog: unknown card 'XX' at character 1",
            "discard: expected a string, not a number",
            "taker: 9 is not a seat, they are 0…3",
        ],
    ),
    (
        changed(FOUR, hands=["A22", 3, *FOUR["hands"][2:]], plays=["PR", "XX"]),
        [
            "hands[0]: unknown card 'A22' at character 1",
            "hands[1]: expected a string, not a number",
            "plays[1]: unknown card 'XX'",
        ],
    ),
    (
        changed(FOUR, hands=[*FOUR["hands"][:3], FOUR["hands"][3] + " PR"], swept="attack"),
        [
            "hands[3]: card PR comes twice, it is in hands[0] already",
            "hands[3]: 19 cards, expected 18",
            "swept: belongs to an ending only",
        ],
    ),
    (
        changed(
            FOUR,
            discard="K:R,2 T:4,3,2,1",
            poignees=[{"seat": 1, "level": "simple"}, {"seat": 1, "level": "double"}],
            plays=["PR", "C9", "P5", "C1"],
        ),
        [
            "discard: KR is a Roi, which is never discarded",
            "poignees[0]: a simple shows 10 trumps, seat 1 has 3",
            "poignees[1]: seat 1 has shown one already",
            "poignees[1]: a double shows 13 trumps, seat 1 has 3",
            "plays[1]: seat 1 cannot play C9: must follow suit (trick 1, legal: P:10,9,8,7,6)",
            "plays[3]: seat 3 cannot play C1: must play a trump (trick 1, legal: A:5,4,3,2,1,EX)",
        ],
    ),
    (
        changed(FIVE, called="PD", discard="KR", plays=["P1"]),
        ["discard: the contract is garde_sans, nobody takes the dog"],
    ),
    (
        changed(FIVE, called="PD", plays=["P1"]),
        [
            "called: PD may not be called, only one of PR ",
            "plays[0]: seat 0 cannot play P1: does not hold it",
        ],
    ),
    (
        changed(ENDING, attack_points=90, attack_bouts=["A2"], dog="A4", partner=1),
        [
            "dog: an ending has none, its cards are in the piles",
            "attack_bouts: A2 is not a bout",
            "attack_points: 90 is not 0…72, ",
        ],
    ),
    (changed(FOUR, hands=None), ["hands: missing"]),
]


@pytest.mark.parametrize(("record", "expected"), WRONG, ids=[wrong[0] for _, wrong in WRONG])
def test_all_faults_are_found(record: Record, expected: list[str]) -> None:
    found = record_faults(record)
    assert len(expected) == len(found), found
    for start, fault in zip(expected, found, strict=True):
        assert fault.startswith(start), fault
    assert first_error(record) == found[0]
    with pytest.raises(FaultyRecordError) as caught:
        checked_deal(record)
    assert found == (str(caught.value), *caught.value.more)


@pytest.mark.parametrize("record", RECORDS.values(), ids=RECORDS)
def test_a_right_record_has_none(record: Record) -> None:
    deal = Deal.from_dict(record)
    assert () == record_faults(record)
    assert deal == checked_deal(record)
    if deal.taker is not None:
        answer = replay_with_faults(playable_deal(record))
        assert (replay(deal), ()) == (answer.replay, answer.faults)
        assert replay(deal).to_dict() | {"faults": []} == answer.to_dict()


@pytest.mark.parametrize("data", [None, [], "x", 7])
def test_what_is_no_record(data: Any) -> None:
    assert ("record: expected a JSON object, not ",) == tuple(
        fault.partition("not ")[0] + "not " for fault in record_faults(data)
    )


def test_faults_in_any_combination() -> None:
    """Whatever fields are spoilt together: the first fault is the error, nothing else is raised."""
    rng = Random(7)
    spoilt: list[Any] = [None, -1, 9, "x", [], {}, True, 1e300, "A1", ["A1"], [["A1"]], "garde"]
    keys = [*FOUR, "leader", "partner", "attack_points", "attack_bouts", "swept", "rules"]
    seen = 0
    for _ in range(1500):
        base = rng.choice((FOUR, FIVE, ENDING))
        record = changed(base, **{rng.choice(keys): rng.choice(spoilt) for _ in range(3)})
        found = record_faults(record)
        assert len(found) == len(set(found)), found
        if found:
            assert first_error(record) in found, record
            seen += len(found) > 1
        else:
            Deal.from_dict(record)
    assert seen > 500


# --- against the rules ------------------------------------------------------------------


def revoked(players: int, seed: int) -> Iterator[tuple[Deal, tuple[Any, ...]]]:
    """Yield deals with cards played at random out of the hands, legal or not."""
    rng = Random(seed)
    for number in range(60):
        rules = Rules(players=players) if number % 2 else Rules.fft(players)
        deal = replace(Deal.random(rng=rng.getrandbits(30), rules=rules), taker=0)
        deal = replace(deal, contract=CONTRACTS[2 + number % 2], called=None)
        if players == 5:
            deal = next(_with_call(deal))
        hands = [list(hand) for hand in deal.hands]
        yield deal, (rng, hands)


def _with_call(deal: Deal) -> Iterator[Deal]:
    for card in ("PR", "CR", "KR", "TR", "PD", "CD", "KD", "TD"):
        try:
            yield Deal.from_dict(deal.to_dict() | {"called": card})
        except TarotError:
            continue


@pytest.mark.parametrize("players", [3, 4, 5])
def test_revokes_are_settled_as_the_reference_does(players: int) -> None:
    """It takes any card of a hand; where tricks are won and points counted it has no say."""
    for deal, (rng, hands) in revoked(players, players):
        table = reference.Table(
            players=players,
            attack=frozenset(deal.attack),
            excuse_last=deal.rules.excuse_last,
            excuse_no_trick=deal.rules.excuse_no_trick,
            called=None if deal.called is None else deal.called.name,
        )
        state = reference.whole_deal(
            table,
            [[card.name for card in hand] for hand in hands],
            [card.name for card in deal.dog],
            "defence" if deal.contract == "garde_contre" else "attack",
            deal.first_leader,
        )
        plays: list[str] = []
        illegal = []
        while not reference.is_over(state):
            hand = state.hands[reference.to_move(state)]
            legal = reference.legal(state)
            # Seldom against the rules, and seldom the Excuse in the end.
            card = rng.choice(legal if rng.random() < 0.8 else list(hand))
            if card not in legal:
                illegal.append(len(plays))
            plays.append(card)
            state = reference.play(state, card)
        expected = reference.settle(state)
        record = deal.to_dict() | {"plays": plays}
        answer = replay_with_faults(playable_deal(record))
        assert illegal == [int(fault[6:].partition("]")[0]) for fault in answer.faults]
        found = answer.replay
        assert expected.attack_half_points == found.attack_half_points
        assert len(expected.attack_bouts) == found.bouts
        assert {1: "attack", 0: None, -1: "defence"}[expected.petit_au_bout] == found.petit_au_bout
        assert [trick.winner for trick in state.tricks] == [trick.winner for trick in found.tricks]
        assert found.scores is not None
        assert 0 == sum(found.scores)
        if illegal:
            assert answer.faults == record_faults(record)
            assert first_error(record) == answer.faults[0]


def test_what_was_against_the_rules_before_the_play() -> None:
    record = changed(FOUR, discard="K:R,2 T:4,3,2,1", plays=[])
    whole = played(Deal.from_dict(changed(FOUR, plays=[])), 3)
    answer = replay_with_faults(playable_deal(record))
    assert ("discard: KR is a Roi, which is never discarded",) == answer.faults
    shown = changed(whole.to_dict(), poignees=[{"seat": 1, "level": "simple"}])
    answer = replay_with_faults(playable_deal(shown))
    assert ("poignees[0]: a simple shows 10 trumps, seat 1 has 3",) == answer.faults
    assert replay(whole).scores == answer.replay.scores  # one simple poignée in both


def test_a_card_that_was_not_held_cannot_be_played() -> None:
    record = changed(FOUR, plays=["PR", "PR"])
    with pytest.raises(IllegalPlayError, match=r"^plays\[1\]: seat 1 cannot play PR: does"):
        replay_with_faults(playable_deal(record))
    with pytest.raises(FaultyRecordError) as caught:
        playable_deal(changed(FOUR, taker=7, discard="K:2"))
    assert ("discard: 1 cards, expected 6",) == caught.value.more or caught.value.more == ()


def test_positions_play_against_the_rules() -> None:
    position = Position(
        [Hand("PR P2"), Hand("P3 A1"), Hand("C1 C2")], attack=[0], leader=0, won=(True, True)
    )
    position.play("PR")
    with pytest.raises(IllegalPlayError, match="must follow suit"):
        position.play("A1")
    position.play_against_the_rules("A1")
    assert "C1" in position.hand(2)
    position.play_against_the_rules("C1")
    assert 1 == position.leader
    assert "C1" == position.undo().name
    for card in ("PR", "P3"):
        with pytest.raises(IllegalPlayError, match="seat 2 does not hold it"):
            position.play_against_the_rules(card)


def test_faults_are_ready_for_json() -> None:
    record = changed(FOUR, plays=["PR", "C9"])
    document = replay_with_faults(playable_deal(record)).to_dict()
    assert document == json.loads(json.dumps(document))
    assert ["plays[1]"] == [fault.partition(":")[0] for fault in document["faults"]]
