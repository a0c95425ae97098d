"""Conditions: what they mean, what they refuse, and the deals that meet them."""

from __future__ import annotations

import contextlib
import pickle
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tarot_sim.cards import CARDS, Hand
from tarot_sim.deals import conditions
from tarot_sim.deals.conditions import FEATURES, Condition, ConditionError, deal_until
from tarot_sim.deals.deal import Deal
from tarot_sim.deals.dealing import Dealt, Draws, deal_uniform
from tarot_sim.errors import OptionError, RulesError, TarotError
from tarot_sim.rules import Rules
from tarot_sim.rules.chavey import chavey_count
from tests.laws import LEAST_P_VALUE, hypergeometric, p_value
from tests.records import ENDING

HANDS = (
    Hand("A:21,20,8,EX P:R,C,5 C:R,D K:7,6,5,4,2,1 T:V,3,2", size=18),
    Hand("A:1,2,3,4,5,6,7 P:D C:C T:R,D,C,10,9,8,7,6,5", size=18),
    Hand("A:19,18 P:V,10,9,8,7,6,4,3,2,1 C:V K:R,D,C,V,10", size=18),
    Hand("A:17,16,15,14,13,12,11,10,9 C:10,9,8,7,6,5,4,3 T:4", size=18),
)
DOG = Hand("C:1,2 K:3,8,9 T:1", size=6)


def holds(text: str) -> bool:
    return Condition(text).holds_for(HANDS, DOG)


# --- what is asked about --------------------------------------------------------------


VALUES = [
    (3, "trumps"),  # the Excuse is none
    (7, "1.trumps"),
    (0, "dog.trumps"),
    (2, "bouts"),
    (1, "1.bouts"),
    (31, "points"),  # 2 bouts, 2 Rois, a Dame, a Cavalier, a Valet, 11 × 0.5
    (3, "dog.points"),
    (2, "rois"),
    (1, "2.rois"),
    (1, "dames"),
    (5, "honours"),
    (5, "1.honours"),
    (0, "voids"),
    (1, "1.voids"),
    (2, "3.voids"),
    (0, "singletons"),
    (2, "1.singletons"),
    (6, "longest"),
    (10, "2.longest"),
    (3, "P"),
    (2, "C"),
    (6, "K"),
    (3, "T"),
    (10, "2.P"),
    (8, "3.C"),
    (3, "dog.K"),
    (9, "1.T"),
    (0, "petit"),
    (1, "1.petit"),
    (1, "vingtetun"),
    (0, "2.vingtetun"),
    (1, "excuse"),
    (0, "3.excuse"),
    (1, "PR"),
    (0, "1.PR"),
    (1, "dog.K8"),
    (1, "A20"),
    (1, "EX"),
]


@pytest.mark.parametrize(("value", "feature"), VALUES)
def test_features(value: int, feature: str) -> None:
    assert holds(f"{feature} == {value}")
    assert holds(feature) == (value != 0)
    assert holds(f"not {feature}") == (value == 0)


def test_chavey_is_the_count() -> None:
    for seat, hand in enumerate(HANDS):
        assert holds(f"{seat}.chavey == {chavey_count(hand).total}")


def test_every_feature_is_tested() -> None:
    tested = {feature.rpartition(".")[2] for _, feature in VALUES}
    assert set(FEATURES) <= tested | {"chavey"}


@given(st.integers(0, 2**32), st.sampled_from((3, 4, 5)))
def test_points_are_card_points(seed: int, players: int) -> None:
    deal = Deal.random(players, rng=seed)
    for seat, hand in enumerate(deal.hands):
        points = hand.half_points / 2
        assert Condition(f"{seat}.points == {points}", players).holds(deal)
        assert not Condition(f"{seat}.points > {points}", players).holds(deal)
        assert Condition(f"{seat}.points - 0.5 < {points}", players).holds(deal)


@given(st.integers(0, 2**32))
def test_a_card_is_where_it_is(seed: int) -> None:
    deal = Deal.random(rng=seed)
    for card in CARDS[seed % 13 :: 13]:
        where = deal.holder(card)
        place = "dog" if where is None else where
        assert Condition(f"{place}.{card.name}").holds(deal)
        everywhere = " + ".join(f"{place}.{card.name}" for place in (0, 1, 2, 3, "dog"))
        assert Condition(everywhere + " == 1").holds(deal)


# --- how it is read -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        (True, "trumps<4"),
        (False, "trumps<3"),
        (True, "trumps<=3"),
        (True, "trumps>=3"),
        (False, "trumps>3"),
        (True, "trumps!=4"),
        (True, "3 == trumps"),
        (True, "2 < trumps < 4"),
        (False, "2 < trumps < 3"),
        (False, "4 < trumps < 9"),
        (True, "1 < bouts <= trumps < 1.trumps"),
        # Not before and, and before or.
        (True, "voids and voids or bouts"),
        (True, "bouts or voids and voids"),
        (False, "(bouts or voids) and voids"),
        (True, "not voids and bouts"),
        (False, "not (not voids and bouts)"),
        (True, "not not bouts"),
        (False, "not bouts == 2"),
        (True, "not bouts or not voids"),
        # Sums before comparisons.
        (True, "bouts + 1.bouts == 3"),
        (True, "trumps + excuse - bouts >= 2"),
        (True, "P + C + 1 == K"),
        (True, "P - C - 1 == voids"),
        (True, "points == 30.5 + 0.5"),
        (True, "points == 30,5 + 0,5"),
        (True, "(bouts >= 2) + (trumps >= 4) + (rois >= 2) >= 2"),
        (True, "((bouts))>=((2))"),
        # Capitals and blanks mean nothing.
        (True, "BOUTS>=2 AND dog.ROIS==0 Or Trumps"),
        (True, "p==3 and pr and ex and DOG.k8"),
        (True, "\tbouts \n>= 2 "),
    ],
)
def test_meaning(expected: bool, text: str) -> None:
    assert expected == holds(text)


NAMES = {"trumps": 3, "bouts": 2, "rois": 2, "longest": 6, "voids": 0}


@st.composite
def comparisons(draw: st.DrawFn) -> str:
    sums = st.lists(st.sampled_from((*NAMES, "1")), min_size=1, max_size=2).map(" + ".join)
    signs = draw(
        st.lists(st.sampled_from(("<", "<=", "==", "!=", ">=", ">")), min_size=1, max_size=2)
    )
    return draw(sums) + "".join(f" {sign} {draw(sums)}" for sign in signs)


EXPRESSIONS = st.recursive(
    comparisons(),
    lambda inner: st.one_of(
        inner.map("not {}".format),
        inner.map("({})".format),
        st.tuples(inner, st.sampled_from(("and", "or")), inner).map(" ".join),
    ),
    max_leaves=8,
)


@given(EXPRESSIONS)
def test_binds_as_python_does(text: str) -> None:
    assert bool(eval(text, {}, dict(NAMES))) == holds(text)


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ("the end at character 1: expected a feature", ""),
        ("the end at character 4: expected a feature", "   "),
        ("the end at character 8: expected a feature", "bouts >"),
        ("the end at character 13: expected a feature", "bouts>=2 and"),
        ("the end at character 4: expected a feature", "not"),
        ("'>' at character 1: expected a feature", "> 2"),
        ("'and' at character 1: expected a feature", "and"),
        ("'>=' at character 10: expected a feature", "bouts >= >= 2"),
        ("')' at character 1: expected a feature", ")"),
        ("'trump' at character 1: no feature, they are trumps, bouts", "trump > 3"),
        ("'dog.A22' at character 11: no feature", "bouts and dog.A22"),
        ("'4.bouts' at character 5: '4' is neither dog nor a seat of 0…3", "not 4.bouts"),
        ("'00.bouts' at character 1: '00' is neither", "00.bouts"),
        ("'x.bouts' at character 1: 'x' is neither dog nor", "x.bouts"),
        ("'=' at character 7: write ==", "bouts = 2"),
        ("'?' at character 6: not understood", "bouts?"),
        ("'&' at character 7: not understood", "bouts && rois"),
        ("'7' at character 1: a number by itself", "7"),
        ("'7' at character 3: a number by itself", "((7))"),
        ("'3' at character 14: a number by itself", "bouts>=2 and 3"),
        ("'0' at character 5: a number by itself", "not 0"),
        ("'2.3' at character 9: not a multiple of 0.5", "points>=2.3"),
        ("'rois' at character 7: expected and, or", "bouts rois"),
        ("'5' at character 8: expected and, or", "trumps 5"),
        ("'rois' at character 11: expected and, or", "trumps > 5rois"),
        ("'trumps5' at character 1: no feature", "trumps5"),
        ("'not' at character 7: expected and, or", "bouts not rois"),
        ("'not' at character 10: expected a feature", "bouts == not rois"),
        ("the end at character 9: expected a parenthesis for the one at character 1", "(bouts>2"),
        ("')' at character 9: expected and, or", "bouts>2 )"),
        ("'(' at character 101: more than 100", "(" * 101 + "bouts" + ")" * 101),
    ],
)
def test_errors_name_the_token_and_its_place(message: str, text: str) -> None:
    with pytest.raises(ConditionError) as error:
        Condition(text)
    assert str(error.value).startswith(f"condition: {message}")
    assert isinstance(error.value, TarotError)
    assert "\n" not in str(error.value)


@given(st.text(alphabet="bouts>=<!()+-.,0129 andorntPK\n_é", max_size=30))
def test_any_text_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(ConditionError):
        holds(text)


def test_long_conditions() -> None:
    assert holds(" and ".join(["bouts>=2"] * 5_000))
    assert holds("not " * 5_000 + "bouts")
    assert holds(" + ".join(["bouts"] * 5_000) + " == 10000")
    assert holds("(" * 100 + "bouts" + ")" * 100)
    with pytest.raises(ConditionError, match="a seat"):
        Condition("9" * 10_000 + ".bouts")
    with pytest.raises(ConditionError, match="multiple"):
        Condition("bouts < " + "9" * 10_000)


# --- many deals at once ---------------------------------------------------------------


def owners_of(deals: Sequence[Deal]) -> NDArray[np.uint8]:
    """Return who was dealt each card: a row a deal, the number of players for the dog."""
    rows = np.full((len(deals), 78), deals[0].players, np.uint8)
    for row, deal in zip(rows, deals, strict=True):
        for seat, hand in enumerate(deal.hands):
            row[list(hand)] = seat
    return rows


@pytest.mark.parametrize("players", [3, 4, 5])
def test_many_deals_are_judged_as_each(players: int) -> None:
    deals = [Deal.random(players, rng=seed) for seed in range(300)]
    owners = owners_of(deals)
    texts = [
        *(
            f"{place}{name} >= {least}"
            for name in FEATURES
            for place, least in (("", 1), ("1.", 3))
        ),
        *(f"dog.{name}" for name in FEATURES),
        *(f"{a}.chavey - {b}.chavey > 5" for a, b in ((0, 1), (2, 0))),
        *(card.name for card in CARDS[::7]),
        "dog.points >= 4.5 and not (bouts or 1.petit) or 2 < trumps <= 5",
        "(bouts >= 2) + (trumps >= 5) + (rois >= 2) >= 2",
        "not not excuse",
        "1 < 2",
    ]
    for text in texts:
        condition = Condition(text, players)
        expected = [condition.holds(deal) for deal in deals]
        assert expected == condition.mask(owners).tolist(), text


@given(EXPRESSIONS)
def test_any_condition_of_many_deals(text: str) -> None:
    condition = Condition(text)
    deal = Deal(4, 0, HANDS, DOG)
    assert [condition.holds(deal)] * 2 == condition.mask(owners_of([deal, deal])).tolist()


@pytest.mark.parametrize(
    ("message", "owners"),
    [
        ("expected an array of uint8", np.zeros((2, 78), np.int64)),
        ("expected an array of uint8", np.zeros((2, 77), np.uint8)),
        ("expected an array of uint8", [[0] * 78]),
        ("5 is no place at 4 players", np.full((2, 78), 5, np.uint8)),
    ],
)
def test_arrays_that_are_no_deals(message: str, owners: Any) -> None:
    with pytest.raises(OptionError, match=f"owners: {message}"):
        Condition("bouts").mask(owners)


def test_no_deals() -> None:
    assert (0,) == Condition("bouts>=2").mask(np.empty((0, 78), np.uint8)).shape


def test_without_lark_a_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lark", None)
    conditions._parser.cache_clear()
    with pytest.raises(ConditionError, match=r"pip install 'tarot_sim\[conditions\]'"):
        Condition("bouts")


# --- the class ------------------------------------------------------------------------


def test_seats_are_those_of_the_table() -> None:
    assert Condition("4.bouts>=0", 5).holds(Deal.random(5, rng=1))
    assert Condition("dog.voids>=1", 5).holds(Deal.random(5, rng=1))
    with pytest.raises(ConditionError, match="a seat of 0…2"):
        Condition("3.bouts", 3)
    with pytest.raises(RulesError, match="players: 6"):
        Condition("bouts", 6)


def test_deals_that_do_not_fit() -> None:
    with pytest.raises(ConditionError, match="for 4 players, there are 5 hands"):
        Condition("bouts").holds(Deal.random(5, rng=1))
    with pytest.raises(ConditionError, match="an ending has no dealt hands"):
        Condition("bouts").holds(Deal.from_dict(ENDING))


def test_a_taken_deal_is_judged_as_dealt() -> None:
    deal = Deal(4, 0, HANDS, DOG)
    taken = replace(deal, taker=0, contract="garde_sans")
    assert Condition("trumps==3 and dog.K==3").holds(taken)


def test_conditions_are_values() -> None:
    condition = Condition("bouts>=2", 5)
    assert condition == Condition("bouts>=2", 5)
    assert condition != Condition("bouts>=2")
    assert condition != "bouts>=2"
    assert len({condition, Condition("bouts>=2", 5), Condition("bouts", 5)}) == 2
    assert eval(repr(condition)) == condition
    assert pickle.loads(pickle.dumps(condition)) == condition
    assert pickle.loads(pickle.dumps(condition)).holds_for([*HANDS, HANDS[0]], DOG)


# --- deals that meet them -------------------------------------------------------------


def source(seed: int) -> Callable[[], Dealt]:
    draws, rules = Draws(seed), Rules(petit_sec="off")
    return lambda: deal_uniform(rules, draws, 0)


def test_the_deals_are_those_of_the_stream_that_meet_them() -> None:
    conditions = [Condition("bouts>=2"), Condition("1.trumps>=5")]
    draw, again = source(3), source(3)
    stream: list[Dealt] = [again() for _ in range(300)]
    wanted = [dealt for dealt in stream if all(c.holds_for(*dealt[:2]) for c in conditions)]
    drawn = 0
    for expected in wanted:
        dealt, count = deal_until(conditions, draw)
        assert expected == dealt
        drawn += count
    assert wanted[-1] == stream[drawn - 1]


def test_no_condition_is_met_by_the_first() -> None:
    assert deal_until([], source(1), 1) == (source(1)(), 1)


def test_rejection_leaves_the_other_cards_to_chance() -> None:
    """Given the trumps of one hand, those of the dog follow the hypergeometric law."""
    draw, condition = source(9), Condition("trumps==5")
    counts = [len(deal_until([condition], draw)[0][1].trumps) for _ in range(4_000)]
    assert p_value(counts, hypergeometric(16, 60, 6)) > LEAST_P_VALUE


def test_a_rare_condition_says_how_rare() -> None:
    with pytest.raises(ConditionError) as error:
        deal_until([Condition("trumps==18"), Condition("bouts")], source(1), 3_000)
    assert str(error.value) == (
        "condition: none of 3,000 deals meets 'trumps==18' and 'bouts', "
        "likely rarer than 1 in 1,000"
    )
    with pytest.raises(ConditionError, match=r"none of 1 deals meets 'trumps==18'$"):
        deal_until([Condition("trumps==18")], source(1), 1)
