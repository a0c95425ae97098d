"""The écart that the rule chooses, and the candidates that are compared with it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest

from tarot_sim.cards import Card, Hand
from tarot_sim.errors import BidError, OptionError
from tarot_sim.estimation._evaluate import Evaluator
from tarot_sim.rules import Rules
from tarot_sim.rules.discard import (
    count_discards,
    discardable,
    iter_discards,
    legal_discard_reason,
    trumps_to_discard,
)
from tarot_sim.solver.objectives import MARGIN
from tarot_sim.solver.widths import ALL_MOVES
from tarot_sim.worlds._discard import take_dogs
from tarot_sim.worlds.batch import NO_CALL
from tarot_sim.worlds.contract_deals import contract_deals
from tarot_sim.worlds.discards import (
    RULE,
    DiscardWeights,
    canonical_discard,
    choose_discard,
    count_canonical,
    discard_by,
    discard_candidates,
    iter_canonical,
    neighbours,
    random_discard,
    rule_discards,
)
from tests.ecarts import STUCK, random_cards

FOUR = Rules()
ROIS = (13, 27, 41, 55)
GAPPED = Hand("A:21,20,18,16,15,13,11,10,8,7,6,4,3,2,EX P:R,3,2 C:R,5,4 K:R T:R,6", size=24)
#: Its trumps with gaps below, of which one stands for each row of neighbours.
GAPS = ("A20", "A18", "A15", "A13", "A10", "A6", "A2")
CARDS = Hand("A:21,20,9,1,EX P:R,D,5,4,3 C:C,10,8 K:R,9,7,6,2 T:V,9,4,3,2,1", size=24)
PLAYERS = pytest.mark.parametrize("players", [3, 4, 5])


def called_at(players: int, random: Random) -> Card | None:
    return Card(random.choice(ROIS)) if players == 5 else None


def random_weights(random: Random) -> DiscardWeights:
    """Return weights, small whole numbers so that ties are frequent."""
    numbers = [random.randint(-4, 8) for _ in range(12)]
    return DiscardWeights(
        points=random.choice((0, 0.5, 1)),
        voids=(numbers[0], numbers[1], numbers[2]),
        rois=(numbers[3], numbers[4], numbers[5]),
        dame=numbers[6],
        called_void=numbers[7],
        per_suit=(numbers[8], numbers[9], numbers[10], numbers[11]),
    )


# --- one écart ------------------------------------------------------------------------


def slow_chain(held: list[str], protected: bool) -> list[str]:
    """Return the names of a suit's ranks but the Roi as they are discarded."""
    last = ["D"] if protected else []
    ranks = ["D", "C", "V", *map(str, range(1, 11))]
    return [rank for rank in [*(rank for rank in ranks if rank not in last), *last] if rank in held]


def slow_worth(
    suit: str, gone: int, held: list[str], called: bool, weights: DiscardWeights
) -> float:
    """Return what it is worth to discard so many cards of a suit, from its names."""
    own = "R" in held
    chain = slow_chain(held, own or called)
    out, left = chain[:gone], chain[gone:]
    worth = weights.per_suit["PCKT".index(suit)] * gone
    worth += weights.points * sum({"D": 7, "C": 5, "V": 3}.get(rank, 1) for rank in out)
    losers = len(left) - ((own or called) and "D" in left)
    shape = weights.rois if own or called else weights.voids
    if called and not own and not left:
        return worth - weights.called_void - (weights.dame if "D" in out else 0)
    if losers < 3:
        worth += shape[losers]
    if (own or called) and "D" in out:
        worth -= weights.dame
    return worth


def slow_best(cards: Hand, weights: DiscardWeights, rules: Rules, called: Card | None) -> float:
    """Return the worth of the best écart, every division of the cards among the suits tried."""
    names = [card.name for card in cards]
    suits = {suit: [name[1:] for name in names if name[0] == suit] for suit in "PCKT"}
    partner = {suit: called is not None and called.name == f"{suit}R" for suit in suits}
    worths = [
        [
            slow_worth(suit, gone, held, partner[suit] and "R" not in held, weights)
            for gone in range(len([rank for rank in held if rank != "R"]) + 1)
        ]
        for suit, held in suits.items()
    ]
    return max(
        sum(worth[gone] for worth, gone in zip(worths, counts, strict=True))
        for counts in product(*(range(min(len(worth), 7)) for worth in worths))
        if sum(counts) == rules.dog_size
    )


@PLAYERS
def test_no_division_among_the_suits_is_better(players: int) -> None:
    rules, random = Rules(players=players), Random(players)
    for number in range(150):
        cards, called = random_cards(rules, random), called_at(players, random)
        if trumps_to_discard(cards, rules):
            continue
        weights = RULE if number % 3 == 0 else random_weights(random)
        chosen = discard_by(weights, cards, rules, called)
        assert legal_discard_reason(cards, chosen, rules) is None
        worth = 0.0
        for suit in range(4):
            names = [card.name[1:] for card in cards.suit(suit)]
            gone = {card.name[1:] for card in chosen.suit(suit)}
            partner = called is not None and called.suit == suit and called not in cards
            assert gone == set(slow_chain(names, "R" in names or partner)[: len(gone)])
            worth += slow_worth("PCKT"[suit], len(gone), names, partner, weights)
        assert slow_best(cards, weights, rules, called) == pytest.approx(worth)


# Of equals the one is chosen that takes the most from the last suits.
def test_ties() -> None:
    equal = Hand("A:21,20,19,18,17,16,15 P:R,4,3,2,1 C:R,4,3,2,1 K:R,4,3,2,1 EX TR")
    assert Hand("C:2,1 K:4,3,2,1") == choose_discard(equal, FOUR)
    voids = Hand("A:21,20,19,18,17,16,15,14,13,12,EX P:3,2,1 C:3,2,1 K:3,2,1 T:R,3,2,1", size=24)
    assert Hand("C:3,2,1 K:3,2,1") == choose_discard(voids, FOUR)


# --- by the array ---------------------------------------------------------------------


@PLAYERS
def test_worlds_are_treated_one_by_one(players: int) -> None:
    rules, random, rng = Rules(players=players), Random(players), np.random.default_rng(players)
    for taker in range(players):
        called = called_at(players, random)
        sizes = [*[rules.hand_size] * players, rules.dog_size]
        seats = np.repeat(np.arange(players + 1, dtype=np.uint8), sizes)
        worlds = np.stack([rng.permutation(seats) for _ in range(50)])
        before = worlds.copy()
        weights = random_weights(random)
        call = NO_CALL if called is None else called
        owners, points = take_dogs(worlds, taker, players, rules.dog_size, call, weights.array)
        assert np.array_equal(worlds, before)
        for row, world in enumerate(worlds):
            mine = np.flatnonzero((world == taker) | (world == players))
            cards = Hand(mine.tolist())
            chosen = discard_by(weights, cards, rules, called)
            assert chosen == Hand(np.flatnonzero(owners[row] == players).tolist())
            assert cards - chosen == Hand(np.flatnonzero(owners[row] == taker).tolist())
            assert points[row] == chosen.half_points
            others = (world != taker) & (world != players)
            assert np.array_equal(owners[row][others], world[others])


def test_arrays_that_are_refused() -> None:
    world, weights = np.zeros((1, 78), np.uint8), RULE.array
    unknown = replace(RULE, rois=(1.0, np.nan, 0.0)).array
    for change, message in (
        (
            {"worlds": np.zeros(78, np.uint8)},
            r"^worlds: expected an array of uint8, shape \(n, 78\)",
        ),
        ({"worlds": np.zeros((1, 77), np.uint8)}, r"^worlds: expected an array of uint8"),
        ({"worlds": np.zeros((1, 78), np.int64) + 256}, r"^worlds: expected an array of uint8"),
        ({"weights": weights[1:]}, r"^weights: expected an array of"),
        ({"weights": np.ones(13)}, r"^weights: expected an array of"),
        ({"weights": unknown}, r"^weights: one is not a finite number"),
        ({"players": 1}, r"^players: 1 is not 2…5"),
        ({"players": 256}, r"^players: 256"),
        ({"taker": 4}, r"^taker: 4 is not"),
        ({"taker": -1}, r"^taker: -1"),
        ({"size": 0}, r"^size: 0 is not 1…6"),
        ({"size": 7}, r"^size: 7"),
        ({"called": 78}, r"^called: 78 is not the number of a card"),
        ({"called": -1}, r"^called: -1"),
    ):
        asked: dict[str, Any] = {
            "worlds": world, "taker": 0, "players": 4, "size": 6, "called": NO_CALL,
            "weights": weights,
        }  # fmt: skip
        with pytest.raises(OptionError, match=message):
            take_dogs(**(asked | change))
    empty, none = take_dogs(np.zeros((0, 78), np.uint8), 0, 4, 6, NO_CALL, weights)
    assert (0, 78) == empty.shape
    assert (0,) == none.shape
    # Owners that no seat has are nobody's.
    with pytest.raises(BidError, match="fewer than 6 cards"):
        take_dogs(np.full((1, 78), 255, np.uint8), 0, 4, 6, NO_CALL, weights)


# --- the rule -------------------------------------------------------------------------


# Case 16: exactly one ordinary trump goes, the lowest, with all the plain cards.
def test_forced_trump() -> None:
    assert Hand("A:7 P:2,3 C:4,5 T:6") == choose_discard(STUCK, FOUR)
    # Of trumps that follow on one another one stands for all.
    assert [choose_discard(STUCK, FOUR)] == discard_candidates(
        STUCK, FOUR, 50, np.random.default_rng(1)
    )
    assert {Hand([*Hand("P:2,3 C:4,5 T:6"), Card.parse(name)]) for name in GAPS} == set(
        discard_candidates(GAPPED, FOUR, 50, np.random.default_rng(1))
    )
    assert 5 == len(set(discard_candidates(GAPPED, FOUR, 5, np.random.default_rng(1))))
    five = Hand("A:21,20,19,18,17,16,15,14,13,12,11,10,9,8,1,EX P:R C:R", size=18)
    assert Hand("A:10,9,8") == choose_discard(five, Rules(players=5))
    three = Hand([*range(56, 78), 13, 27, 41, 55, 0, 1, 14, 28], size=30)
    assert Hand("A:3,2 P:2,1 C:1 K:1") == choose_discard(three, Rules(players=3))


# Case 17: every chooser's écart is legal (the slow tests ask 100,000 hands).
@PLAYERS
def test_choices_are_legal(players: int) -> None:
    rules = Rules(players=players)
    random = Random(players)
    rng = np.random.default_rng(players)
    forced = 0
    for number in range(10_000):
        cards = random_cards(rules, random)
        called = called_at(players, random)
        assert (
            legal_discard_reason(cards, choose_discard(cards, rules, called=called), rules) is None
        )
        forced += trumps_to_discard(cards, rules) > 0
        if number % 100 == 0:
            for one in rule_discards(cards, rules, called=called):
                assert legal_discard_reason(cards, one, rules) is None
            candidates = discard_candidates(cards, rules, 12, rng, called=called)
            assert min(12, count_canonical(cards, rules)) == len(candidates) == len(set(candidates))
            assert all(legal_discard_reason(cards, one, rules) is None for one in candidates)
    assert forced > 500


def test_choice_voids_and_saves_points() -> None:
    cards = Hand("A:21,20,16,13,9,7,4,1,EX P:R,D,5,4 C:D,10,3 K:C,7,2 T:R,9,5,4,2", size=24)
    assert Hand("C:D,10,3 K:C,7,2") == choose_discard(cards, FOUR)


def test_choice_keeps_the_dame_of_a_roi() -> None:
    cards = Hand("A:21,20,16,13,9,7,4,1,EX P:R,D,5,4,3,2 C:D,10,3 K:C,7 T:R,D,5,4", size=24)
    assert Hand("PD TD") & choose_discard(cards, FOUR) == Hand()


# At five the partner's Roi takes what is led to it: the taker keeps a card of the suit.
def test_choice_keeps_the_called_suit() -> None:
    five = Rules(players=5)
    cards = Hand("A:21,20,16,13,9,7,EX P:10,5,4 C:R,9,8 K:D,V T:9,4,3", size=18)
    for called in ("PR", "KR", "TR"):
        suit = Card.parse(called).suit
        discard = choose_discard(cards, five, called=Card.parse(called))
        assert (cards - discard).suit(suit)
    # A taker who calls a card of the own hand plays alone: the suit is like another.
    assert choose_discard(cards, five) == choose_discard(cards, five, called=Card.parse("CR"))


def test_candidates_are_repeatable_and_start_with_the_rule() -> None:
    first = discard_candidates(CARDS, FOUR, 20, np.random.default_rng(7))
    assert first == discard_candidates(CARDS, FOUR, 20, np.random.default_rng(7))
    assert choose_discard(CARDS, FOUR) == first[0]
    assert 20 == len(set(first))
    with pytest.raises(OptionError, match=r"^n: 0"):
        discard_candidates(CARDS, FOUR, 0, np.random.default_rng(7))


def always(choice: Hand) -> Callable[[Hand], Hand]:
    """Return a chooser that has one écart only."""
    return lambda _: choice


# --- écarts that come to the same ------------------------------------------------------


@PLAYERS
def test_each_kind_comes_once(players: int) -> None:
    rules, random, counted = Rules(players=players), Random(40 + players), 0
    while counted < 12:
        cards = random_cards(rules, random)
        if count_discards(cards, rules) > 20_000:
            continue
        counted += 1
        kinds = list(iter_canonical(cards, rules))
        assert count_canonical(cards, rules) == len(kinds) == len(set(kinds))
        by_kind: dict[Hand, int] = dict.fromkeys(kinds, 0)
        for discard in iter_discards(cards, rules):
            lowest = canonical_discard(discard, cards)
            by_kind[lowest] += 1
            assert lowest.half_points == discard.half_points
            assert legal_discard_reason(cards, lowest, rules) is None
            assert canonical_discard(lowest, cards) == lowest
        assert min(by_kind.values()) > 0
        for discard in rule_discards(cards, rules):
            assert discard in by_kind


def test_what_lies_between_counts() -> None:
    cards = Hand("A:21,20,9,1,EX P:R,D,6,5,3 C:C,10,9 K:R,9,7,6,2 T:V,9,4,3,2,1", size=24)
    for discard, lowest in (
        ("P:6", "P:5"),  # neighbours
        ("P:6,3", "P:5,3"),  # another player has the 4
        ("P:3", "P:3"),
        ("C:10", "C:9"),
        ("C:C", "C:C"),  # worth more
        ("T:4,3", "T:2,1"),
        ("K:9 T:9", "K:9 T:9"),
    ):
        assert Hand(lowest) == canonical_discard(Hand(discard), cards)


@PLAYERS
def test_alike_are_worth_the_same_in_every_world(players: int) -> None:
    """Double dummy, exactly: the margin reaches the same thresholds with both."""
    rules, random, table = Rules(players=players), Random(7 + players), Evaluator(1 << 24)
    settled = 0
    forced = 0
    for number in range(60):
        cards = random_cards(rules, random)
        discard = random_discard(cards, rules, np.random.default_rng(number))
        lowest, called = canonical_discard(discard, cards), called_at(players, random)
        if lowest == discard:
            continue
        forced += trumps_to_discard(cards, rules) > 0
        others = [card for card in range(78) if card not in cards]
        random.shuffle(others)
        world = np.zeros((1, 78), np.uint8)
        world[0, others] = np.repeat(np.arange(1, players), rules.hand_size)
        world[0, list(cards)[: rules.dog_size]] = players
        answers = []
        for one in (discard, lowest):
            deals = contract_deals(
                world, rules, "garde", np.ones(1, np.uint8), called=called, discard=always(one)
            )
            found, _ = table.reaches(deals, MARGIN, (-20, 0, 20), ALL_MOVES, 100_000)
            answers.append(found.ravel().tolist())
        for first, second in zip(*answers, strict=True):
            if first >= 0 and second >= 0:
                assert first == second
                settled += 1
    assert settled > 20
    assert forced > 3


def test_candidates_where_there_are_few_kinds() -> None:
    """All of them come where so many are asked for, and no more."""
    five = Rules(players=5)
    cards = Hand("A:21,20,16,13,9,7,6,5,EX P:R,5,4 C:R,9,8 K:D,V T:9", size=18)
    kinds = set(iter_canonical(cards, five))
    for n in (1, 5, len(kinds) - 1, len(kinds), 10 * len(kinds)):
        found = discard_candidates(cards, five, n, np.random.default_rng(n))
        assert min(n, len(kinds)) == len(found) == len(set(found))
        assert set(found) <= kinds


def test_too_few_cards() -> None:
    with pytest.raises(BidError, match="fewer than 6 cards"):
        choose_discard(Hand("P:R,D,C A:21,2,1"), FOUR)


def test_random_ecarts_are_equally_likely() -> None:
    rng = np.random.default_rng(14)
    found: dict[Hand, int] = {}
    for _ in range(14_000):
        discard = random_discard(STUCK, FOUR, rng)
        found[discard] = found.get(discard, 0) + 1
    assert 14 == len(found)
    assert max(abs(count - 1000) for count in found.values()) < 5 * 1000**0.5


def test_neighbours_and_random_ecarts() -> None:
    rng = np.random.default_rng(3)
    assert [] == neighbours([choose_discard(STUCK, FOUR)], STUCK, FOUR, 10_000, rng)
    for cards in (CARDS, GAPPED):
        first = choose_discard(cards, FOUR)
        near = neighbours([first], cards, FOUR, 10_000, rng)
        assert len(near) == len(set(near))
        free = discardable(cards, FOUR)[1]
        swaps = {
            canonical_discard(Hand((first - Hand([out])) | Hand([instead])), cards)
            for out in first & free
            for instead in free - first
        }
        assert set(near) == swaps - {first}
        for discard in near:
            assert 5 == len(discard & first)
            assert canonical_discard(discard, cards) == discard
            assert legal_discard_reason(cards, discard, FOUR) is None
        few = neighbours([first], cards, FOUR, 5, rng, known=near[:1])
        assert 5 == len(set(few) - set(near[:1]))
        for _ in range(20):
            assert legal_discard_reason(cards, random_discard(cards, FOUR, rng), FOUR) is None
