from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tarot_sim.deals.deal import Deal, Poignee
from tarot_sim.errors import (
    CardError,
    HandError,
    IllegalPlayError,
    RecordError,
    RulesError,
    TarotError,
)
from tarot_sim.rules import Rules
from tests.records import ENDING, FIVE, FOUR, Record, changed


def hand_with(seat: int, cards: str, record: Record = FOUR) -> Record:
    """Return a record in which a seat has another hand."""
    hands = list(record["hands"])
    hands[seat] = cards
    return changed(record, hands=hands)


def without(record: Record, *names: str) -> Record:
    return {key: value for key, value in record.items() if key not in names}


WRONG: list[tuple[Record, type[TarotError], str]] = [
    # Types and names.
    (changed(FOUR, schema=2), RecordError, "schema: 2 is not known, expected 1"),
    (changed(FOUR, schema=True), RecordError, "schema: True is not known, expected 1"),
    (without(FOUR, "players"), RecordError, "players: missing"),
    (changed(FOUR, players=6), RulesError, "players: 6 is not 3, 4 or 5"),
    (changed(FOUR, players="4"), RecordError, "players: expected an integer, not a string"),
    (changed(FOUR, players=4.0), RecordError, "players: expected an integer, not 4.0"),
    (changed(FOUR, players=True), RecordError, "players: expected an integer, not a boolean"),
    (changed(FOUR, players=3), RecordError, "hands: 4 hands, expected 3"),
    (without(FOUR, "hands"), RecordError, "hands: missing"),
    (changed(FOUR, hands="x"), RecordError, "hands: expected an array of strings, not a string"),
    (changed(FOUR, hands=[1] * 4), RecordError, "hands[0]: expected a string, not a number"),
    (changed(FOUR, hands=[]), RecordError, "hands: 0 hands, expected 4"),
    (changed(FOUR, dog=["K2"]), RecordError, "dog: expected a string, not an array"),
    (changed(FOUR, dealer="3"), RecordError, "dealer: expected an integer, not a string"),
    (changed(FOUR, dealer=4), RecordError, "dealer: 4 is not a seat, they are 0…3"),
    (changed(FOUR, dealer=None), RecordError, "dealer: missing"),
    (changed(FOUR, taker=-1), RecordError, "taker: -1 is not a seat, they are 0…3"),
    (changed(FOUR, contract="belote"), RecordError, "contract: 'belote' is not one of prise, "),
    (changed(FOUR, contract=1), RecordError, "contract: expected a string, not a number"),
    (changed(FOUR, chelem=1), RecordError, "chelem: expected true or false, not a number"),
    (changed(FOUR, chelem="no"), RecordError, "chelem: expected true or false, not a string"),
    (changed(FOUR, plays="PR"), RecordError, "plays: expected an array, not a string"),
    (changed(FOUR, plays=[3]), RecordError, "plays[0]: expected the name of a card, not a number"),
    (changed(FOUR, plays=["PR", "XX"]), CardError, "plays[1]: unknown card 'XX'"),
    (changed(FOUR, discrad=None), RecordError, "discrad: unknown field, did you mean discard?"),
    (changed(FOUR, rules=1), RecordError, "rules: expected the name of a preset or an object"),
    (changed(FOUR, rules="x"), RulesError, "rules: 'x' is not one of default, fft"),
    (changed(FOUR, rules={"x": 1}), RecordError, "rules: 'x' is not one of excuse_last, "),
    (changed(FOUR, rules={"petit_sec": 1}), RulesError, "rules: petit_sec: 1 is not one of"),
    # Cards.
    (hand_with(1, "A:99"), CardError, "hands[1]: unknown card '99' at character 3"),
    (hand_with(2, FOUR["hands"][2] + " T10"), HandError, "hands[2]: card T10 comes twice"),
    (
        hand_with(2, FOUR["hands"][2].replace("T:V", "T:R")),
        HandError,
        "hands[2]: card TR comes twice, it is in hands[0] already",
    ),
    (
        hand_with(2, FOUR["hands"][2].removesuffix(",10")),
        HandError,
        "hands[2]: 17 cards, expected 18; missing: T:10",
    ),
    (changed(FOUR, dog="K:2,1 T:4,3"), HandError, "dog: 4 cards, expected 6; missing: T:2,1"),
    (changed(FOUR, dog="K:2,1 T:4,3,2,R"), HandError, "dog: card TR comes twice, it is in hands"),
    (changed(FOUR, dog="K:2,1 T:4,3,2,?"), CardError, "dog: unknown card '?' at character"),
    (without(FOUR, "dog"), HandError, "dog: 0 cards, expected 6; missing: K:2,1 T:4,3,2,1"),
    # Taker, contract, écart.
    (changed(FOUR, taker=None), RecordError, "taker: missing, but contract is given"),
    (changed(FOUR, contract=None), RecordError, "contract: missing, but discard is given"),
    (
        changed(FOUR, contract="garde_sans"),
        RecordError,
        "discard: the contract is garde_sans, nobody takes the dog",
    ),
    (changed(FOUR, contract="garde_contre"), RecordError, "discard: the contract is garde_contre"),
    (changed(FOUR, discard=None), RecordError, "discard: missing, the contract is garde"),
    (changed(FOUR, discard=3), RecordError, "discard: expected a string, not a number"),
    (changed(FOUR, discard="K:2,1 T:4,3,2"), RecordError, "discard: 5 cards, expected 6"),
    (changed(FOUR, discard="K:2,1 T:4,3,2,R"), RecordError, "discard: TR is a Roi, which is never"),
    (changed(FOUR, discard="K:2,1 T:4,3,2 A21"), RecordError, "discard: A21 is a bout, which is"),
    (changed(FOUR, discard="K:2,1 T:4,3,2 A12"), RecordError, "discard: A12 is a trump, no trump"),
    (changed(FOUR, discard="K:2,1 T:4,3,2,9"), RecordError, "discard: T9 is neither in the hand"),
    (changed(FOUR, discard="K:2,1 T:4,3,2,2"), HandError, "discard: card T2 comes twice"),
    # Announcements.
    (changed(FOUR, poignees={}), RecordError, "poignees: expected an array, not an object"),
    (changed(FOUR, poignees=[0]), RecordError, "poignees[0]: expected an object with seat and"),
    (changed(FOUR, poignees=[{"seat": 0}]), RecordError, "poignees[0]: level: missing"),
    (
        changed(FOUR, poignees=[{"seat": 7, "level": "simple"}]),
        RecordError,
        "poignees[0]: 7 is not a seat, they are 0…3",
    ),
    (
        changed(FOUR, poignees=[{"seat": 0, "level": "grand"}]),
        RecordError,
        "poignees[0]: 'grand' is not one of simple, double, triple",
    ),
    (
        changed(FOUR, poignees=[{"seat": 0, "level": "simple"}] * 2),
        RecordError,
        "poignees[1]: seat 0 has shown one already",
    ),
    (
        changed(FOUR, poignees=[{"seat": 0, "level": "double"}]),
        RecordError,
        "poignees[0]: a double shows 13 trumps, seat 0 has 10",
    ),
    (
        changed(FOUR, poignees=[{"seat": 3, "level": "simple"}]),
        RecordError,
        "poignees[0]: a simple shows 10 trumps, seat 3 has 5 and the Excuse",
    ),
    (
        changed(FOUR, poignees=[{"seat": 0, "level": "simple", "cards": "A:21"}]),
        RecordError,
        "poignees[0]: poignee: ",
    ),
    (
        changed(FOUR, poignees=[{"seat": 0, "level": "simple", "cards": "A:22"}]),
        CardError,
        "poignees[0]: cards: unknown card '22'",
    ),
    # The called card.
    (changed(FOUR, called="CR"), RecordError, "called: only at 5 players, there are 4"),
    (changed(FOUR, partner=1), RecordError, "partner: belongs to an ending only"),
    (changed(FIVE, called="CD"), RecordError, "called: CD may not be called, only one of PR CR KR"),
    (changed(FIVE, called="X"), CardError, "called: unknown card 'X'"),
    (changed(FIVE, called=3), RecordError, "called: expected a string, not a number"),
    (
        changed(FIVE, called=None, plays=["A21"]),
        RecordError,
        "called: missing, at 5 players the taker calls a card",
    ),
    # Endings.
    (changed(ENDING, dog="K:2,1 T:4,3,2,1"), RecordError, "dog: an ending has none"),
    (changed(ENDING, discard="K2"), RecordError, "discard: an ending has none"),
    (without(ENDING, "leader"), RecordError, "leader: missing, hands of 2 cards are an ending"),
    (changed(ENDING, leader=4), RecordError, "leader: 4 is not a seat, they are 0…3"),
    (without(ENDING, "taker", "contract"), RecordError, "taker: missing, an ending says who"),
    (hand_with(2, "A3", ENDING), HandError, "hands[2]: 1 cards, expected 2 as in the others"),
    (hand_with(2, "A3 PR", ENDING), HandError, "hands[2]: card PR comes twice, it is in hands[0]"),
    (changed(ENDING, hands=[""] * 4), HandError, "hands: 0 cards each, an ending has 1…17"),
    (
        changed(without(FOUR, "dog", "discard"), leader=0),
        HandError,
        "hands: 18 cards each, an ending has 1…17",
    ),
    (changed(ENDING, attack_points="9"), RecordError, "attack_points: expected a number, not a"),
    (changed(ENDING, attack_points=True), RecordError, "attack_points: expected a number, not a"),
    (changed(ENDING, attack_points=float("nan")), RecordError, "attack_points: expected a number"),
    (changed(ENDING, attack_points=1.2), RecordError, "attack_points: 1.2 is not a multiple of"),
    (changed(ENDING, attack_points=-1), RecordError, "attack_points: -1 is not 0…72"),
    (changed(ENDING, attack_points=72.5), RecordError, "attack_points: 72.5 is not 0…72"),
    (changed(ENDING, attack_bouts="A1"), RecordError, "attack_bouts: expected an array, not a str"),
    (changed(ENDING, attack_bouts=["A2"]), CardError, "attack_bouts: A2 is not a bout"),
    (changed(ENDING, attack_bouts=["A0"]), CardError, "attack_bouts[0]: unknown card 'A0'"),
    (changed(ENDING, attack_bouts=["A1", "A1"]), HandError, "attack_bouts: card A1 comes twice"),
    (
        changed(ENDING, attack_bouts=["A21"]),
        HandError,
        "attack_bouts: card A21 comes twice, it is in hands[0] already",
    ),
    (changed(ENDING, swept="nobody"), RecordError, "swept: 'nobody' is not attack or defence"),
    (changed(FOUR, attack_points=3), RecordError, "attack_points: belongs to an ending only"),
    (changed(FOUR, attack_bouts=["A1"]), HandError, "attack_bouts: card A1 comes twice"),
    (changed(FOUR, swept="attack"), RecordError, "swept: belongs to an ending only"),
    # Plays.
    (
        changed(FOUR, plays=["PR", "P10", "P5", "C2"]),
        IllegalPlayError,
        "plays[3]: seat 3 cannot play C2: must play a trump (trick 1, legal: A:",
    ),
    (
        changed(FOUR, plays=["PR", "C9"]),
        IllegalPlayError,
        "plays[1]: seat 1 cannot play C9: must follow suit",
    ),
    (
        changed(FOUR, plays=["PR", "PR"]),
        IllegalPlayError,
        "plays[1]: seat 1 cannot play PR: does not hold it",
    ),
    (changed(FOUR, plays=["PR"] * 73), RecordError, "plays: 73 cards, but 72 are played in all"),
    (changed(FOUR, taker=None, contract=None, discard=None), RecordError, "taker: missing, but"),
    (
        changed(FOUR, contract=None, discard=None),
        RecordError,
        "contract: missing, without a contract no card is played",
    ),
    (
        changed(ENDING, plays=["PD", "CR"]),
        IllegalPlayError,
        "plays[1]: seat 2 cannot play CR: must play a trump",
    ),
]


@pytest.mark.parametrize(("record", "error", "message"), WRONG, ids=[case[2] for case in WRONG])
def test_wrong_records(record: Record, error: type[TarotError], message: str) -> None:
    with pytest.raises(error) as caught:
        Deal.from_dict(record)
    assert type(caught.value) is error
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("value", [None, 3, "x", [FOUR]])
def test_no_object(value: Any) -> None:
    with pytest.raises(RecordError, match="record: expected a JSON object, not "):
        Deal.from_dict(value)


class TestPetitSec:
    record: Record = changed(
        FOUR,
        hands=[
            FOUR["hands"][0],
            "A:11,10,9,5,4,3,2,EX P:10,9 C:C,V,10 K:D,C,V T:D,C",
            "A:8,7,6 P:5,4,3,2,8 C:7,6,5,4,3 K:10,9,8 T:V,10",
            "A:1 P:7,6,1 C:2,1,9,8 K:7,6,5,4,3 T:9,8,7,6,5",
        ],
        plays=[],
    )

    def test_a_cancelled_deal_may_be_written_down(self) -> None:
        bare = changed(self.record, taker=None, contract=None, discard=None, poignees=[])
        assert Deal.from_dict(bare).hands[3].is_petit_sec()

    def test_but_not_played(self) -> None:
        with pytest.raises(HandError, match=r"hands\[3\]: the Petit is sec"):
            Deal.from_dict(self.record)

    def test_unless_the_option_is_off(self) -> None:
        assert Deal.from_dict(self.record, rules=Rules(petit_sec="off")).taker == 0

    def test_only_the_dealt_hand_counts(self) -> None:
        """A taker whose other trumps would come from the dog had a Petit sec."""
        hands = [self.record["hands"][place] for place in (3, 1, 2, 0)]
        record = changed(self.record, hands=hands, poignees=[])
        with pytest.raises(HandError, match=r"hands\[0\]: the Petit is sec"):
            Deal.from_dict(record)


class TestPoignee:
    def test_the_own_ecart_counts(self) -> None:
        """Nine trumps in hand and one in the dog make a poignée, discarded or not."""
        hands = [
            FOUR["hands"][0].replace(",12", "") + " T4",
            *FOUR["hands"][1:],
        ]
        record = changed(FOUR, hands=hands, dog="A12 K:2,1 T:3,2,1", discard="K:2,1 T:4,3,2,1")
        assert Deal.from_dict(record).poignees == (Poignee(0, "simple"),)
        without_dog = changed(record, contract="garde_sans", discard=None, plays=[])
        with pytest.raises(RecordError, match="a simple shows 10 trumps, seat 0 has 9"):
            Deal.from_dict(without_dog)

    def test_not_checked_in_an_ending(self) -> None:
        shown = [{"seat": 1, "level": "triple"}]
        assert Deal.from_dict(changed(ENDING, poignees=shown)).poignees == (Poignee(1, "triple"),)


SCRAPS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 9),
    st.floats(),
    st.text("APCKTRDV:,0123456789EX é", max_size=12),
    st.sampled_from(["A:21,EX", "PR", "garde", "fft", "attack"]),
)
VALUES = st.recursive(
    SCRAPS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["seat", "level", "petit_sec", "x"]), inner, max_size=2)
    ),
    max_leaves=6,
)


@pytest.mark.filterwarnings("ignore::tarot_sim.errors.RecordWarning")
@given(
    st.sampled_from([FOUR, FIVE, ENDING]),
    st.dictionaries(st.sampled_from([*FOUR, *ENDING, "partner", "swept", "rules"]), VALUES),
)
def test_any_fields_are_a_deal_or_refused(record: Record, fields: Record) -> None:
    """Whatever a record holds, the answer is a deal that comes back or one line."""
    try:
        deal = Deal.from_dict(changed(record, **fields))
    except TarotError as error:
        message = str(error)
    else:
        message = "a deal:"
        assert Deal.from_dict(deal.to_dict()) == deal
    assert "\n" not in message
    assert ":" in message
