"""The engine against the oracle, and the promises that it keeps by itself."""

from __future__ import annotations

import copy
import math
import pickle
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tarot_sim._core import Position, Result, random_playouts
from tarot_sim.bench import random_position
from tarot_sim.cards import BOUTS_MASK, FULL_MASK, SUIT_MASKS, Card, Hand
from tarot_sim.errors import IllegalPlayError, OptionError, PositionError
from tarot_sim.rules import Rules
from tests.reference import generate, minimax, rules
from tests.reference.deck import BIT, DECK, mask

PLAYERS = pytest.mark.parametrize("players", [3, 4, 5])
OPTIONS = pytest.mark.parametrize(
    "options", generate.ALL_OPTIONS, ids=lambda options: "-".join(options.values())
)

randoms = st.randoms(use_true_random=False)
player_counts = st.sampled_from((3, 4, 5))


def position_of(state: rules.State) -> Position:
    """Return the engine's position for the oracle's, at the start of a trick."""
    table = state.table
    return Position(
        **rules.engine_arguments(state),
        rules=Rules(
            players=table.players,
            excuse_last=table.excuse_last,
            excuse_no_trick=table.excuse_no_trick,
        ),
    )


def check_same(position: Position, state: rules.State) -> None:
    """Compare everything that both can tell about where the play stands."""
    over = rules.is_over(state)
    assert position.is_over == over
    assert position.to_move == (None if over else rules.to_move(state))
    assert position.leader == state.leader
    assert position.tricks_left == max(map(len, state.hands))
    assert [int(hand.mask) for hand in position.hands] == [mask(hand) for hand in state.hands]
    assert [(seat, str(card)) for seat, card in position.trick] == list(state.trick)
    legal = set() if over else set(rules.legal(state))
    assert {str(card) for card in position.legal_cards()} == legal
    assert position.legal_mask() == mask(legal)
    attack, _, bouts = rules.count(state)
    assert position.attack_half_points == attack
    assert position.attack_bouts.mask == mask(bouts)


def check_result(position: Position, state: rules.State) -> None:
    expected = rules.settle(state)
    assert position.result() == Result(
        expected.attack_half_points,
        len(expected.attack_bouts),
        expected.petit_au_bout,
        expected.chelem,
    )
    assert position.result().defence_half_points == expected.defence_half_points
    assert position.attack_bouts.mask == mask(expected.attack_bouts)


def check_random_play(rng: Random, state: rules.State) -> None:
    """Play `state` out at random in both, comparing them before and after each card."""
    position = position_of(state)
    check_same(position, state)
    plays = []
    while not rules.is_over(state):
        card = rng.choice(rules.legal(state))
        plays.append(card)
        position.play(card if rng.random() < 0.5 else DECK.index(card))
        state = rules.play(state, card)
        check_same(position, state)
    assert [str(card) for card in position.plays] == plays
    check_result(position, state)


# --- against the oracle ---------------------------------------------------------------


@PLAYERS
@OPTIONS
def test_whole_deals(players: int, options: dict[str, Any]) -> None:
    rng = Random(f"whole deals {players} {options}")
    for _ in range(10):
        check_random_play(rng, generate.random_deal(rng, players, **options))


@PLAYERS
@OPTIONS
def test_endings(players: int, options: dict[str, Any]) -> None:
    rng = Random(f"endings {players} {options}")
    for _ in range(100):
        camp = generate.any_camp(rng, players) if rng.random() < 0.5 else None
        cards = rng.randint(1, 5)
        check_random_play(rng, generate.random_ending(rng, players, cards, attack=camp, **options))


@PLAYERS
@OPTIONS
def test_small_deals(players: int, options: dict[str, Any]) -> None:
    rng = Random(f"small deals {players} {options}")
    for _ in range(100):
        camp = generate.any_camp(rng, players) if rng.random() < 0.5 else None
        cards = rng.randint(2, 4)
        check_random_play(
            rng, generate.random_small_deal(rng, players, cards, attack=camp, **options)
        )


@given(randoms, player_counts, st.integers(1, 6))
def test_any_ending(rng: Random, players: int, cards: int) -> None:
    check_random_play(rng, generate.random_ending(rng, players, cards))


@given(randoms, st.integers(0, 3))
def test_every_first_lead_at_five_players(rng: Random, plays: int) -> None:
    state = generate.random_deal(rng, 5)
    position = position_of(state)
    assert position.called == Card.parse(state.table.called or "")
    for _ in range(plays):
        check_same(position, state)
        card = rng.choice(rules.legal(state))
        position.play(card)
        state = rules.play(state, card)
    check_same(position, state)


@pytest.mark.parametrize(("players", "cards"), [(3, 1), (3, 3), (4, 2), (4, 3), (5, 2)])
def test_perft_of_endings(players: int, cards: int) -> None:
    rng = Random(f"perft {players} {cards}")
    for _ in range(12):
        start = generate.random_ending(rng, players, cards, trumps=0.5)
        state, plays = generate.random_mid_trick(rng, start)
        position = position_of(start)
        for card in plays:
            position.play(card)
        for depth in (0, 1, 2, 3, players + 1, players * cards, 78, 1000):
            assert position.perft(depth) == rules.perft(state, depth), depth


def test_perft_of_deals() -> None:
    rng = Random("perft of deals")
    for players in (3, 4, 5, 5, 5):
        state = generate.random_deal(rng, players)
        for depth in (1, 2, 3, 4):
            assert position_of(state).perft(depth) == rules.perft(state, depth)


# --- random play-outs -----------------------------------------------------------------


def exact_law(state: rules.State) -> dict[tuple[int, int, int, int], Fraction]:
    """Return the chance of each result if every legal card is equally likely."""
    if rules.is_over(state):
        points, _, bouts, petit_au_bout, chelem = rules.settle(state)
        return {(points, len(bouts), petit_au_bout, chelem): Fraction(1)}
    law: dict[tuple[int, int, int, int], Fraction] = {}
    legal = rules.legal(state)
    for card in legal:
        for result, chance in exact_law(rules.play(state, card)).items():
            law[result] = law.get(result, Fraction(0)) + chance / len(legal)
    return law


@PLAYERS
def test_playouts_have_the_exact_law(players: int) -> None:
    rng = Random(f"law {players}")
    rounds = 20_000
    tested = 0
    while tested < 6:
        start = generate.random_ending(rng, players, 3 if players < 5 else 2)
        state, plays = generate.random_mid_trick(rng, start)
        law = exact_law(state)
        if len(law) < 3 or min(law.values()) * rounds < 10:
            continue
        position = position_of(start)
        for card in plays:
            position.play(card)
        results = random_playouts(position, rounds, np.random.PCG64DXSM(tested))
        seen = Counter(map(tuple, results.tolist()))
        assert set(seen) <= set(law)
        chi_square = sum(
            float((seen[result] - chance * rounds) ** 2 / (chance * rounds))
            for result, chance in law.items()
        )
        freedom = len(law) - 1
        # The mean is `freedom` and the variance twice that: less than one in 10,000 is beyond.
        assert chi_square < freedom + 8 * math.sqrt(2 * freedom)
        tested += 1


def test_playouts_depend_on_the_generator_alone() -> None:
    rng = Random("play-outs")
    position = position_of(generate.random_deal(rng, 4))
    first = random_playouts(position, 100, np.random.PCG64DXSM(7))
    again = random_playouts(position, 100, np.random.PCG64DXSM(7))
    other = random_playouts(position, 100, np.random.PCG64DXSM(8))
    assert first.shape == (100,)
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)
    assert position.plays == ()
    assert random_playouts(position, 0, np.random.PCG64DXSM(7)).shape == (0,)
    points = first["attack_half_points"]
    assert (points % 2 == 0).all()
    assert ((points >= 0) & (points <= 182)).all()
    with pytest.raises(OptionError, match="n: -1 is negative"):
        random_playouts(position, -1, np.random.PCG64DXSM(7))


# --- promises of its own --------------------------------------------------------------


def snapshot(position: Position) -> tuple[object, ...]:
    return (
        position.hands,
        position.trick,
        position.leader,
        position.to_move,
        position.tricks_left,
        position.legal_mask(),
        position.attack_half_points,
        position.attack_bouts,
        position.won,
        position.called,
        position.plays,
    )


@given(randoms, player_counts, st.integers(1, 24))
def test_undo_is_the_identity(rng: Random, players: int, cards: int) -> None:
    cards = min(cards, rules.HAND_SIZE[players])
    whole = cards == rules.HAND_SIZE[players]
    position = position_of(
        generate.random_deal(rng, players) if whole else generate.random_ending(rng, players, cards)
    )
    before = []
    while not position.is_over:
        before.append(snapshot(position))
        position.play(rng.choice(position.legal_cards()))
        if rng.random() < 0.2:
            again = position.undo()
            assert snapshot(position) == before[-1]
            position.play(again)
    result = position.result()
    plays = position.plays
    for card, expected in zip(reversed(plays), reversed(before), strict=True):
        assert position.undo() == card
        assert snapshot(position) == expected
    for card in plays:
        position.play(card)
    assert position.result() == result


@given(randoms, player_counts)
def test_legal_cards_are_held_and_never_none(rng: Random, players: int) -> None:
    position = position_of(generate.random_deal(rng, players))
    while not position.is_over:
        legal = position.legal_mask()
        assert legal
        assert position.to_move is not None
        assert legal & ~position.hand(position.to_move).mask == 0
        assert position.legal_cards() == list(Hand.from_mask(legal))
        position.play(rng.choice(position.legal_cards()))
    assert position.legal_cards() == []
    assert position.legal_mask() == 0


@given(randoms, player_counts, st.integers(1, 8), st.permutations(range(4)))
def test_relabelling_suits_changes_nothing(
    rng: Random, players: int, cards: int, order: list[int]
) -> None:
    def relabelled(card: int) -> int:
        return 14 * order[card // 14] + card % 14 if card < 56 else card

    arguments = rules.engine_arguments(generate.random_ending(rng, players, cards))
    position = Position(**arguments)
    arguments["hands"] = [
        Hand(relabelled(card) for card in Hand.from_mask(hand)) for hand in arguments["hands"]
    ]
    twin = Position(**arguments)
    assert twin.perft(5) == position.perft(5)
    while not position.is_over:
        legal = position.legal_cards()
        assert {relabelled(card) for card in legal} == set(twin.legal_cards())
        card = rng.choice(legal)
        position.play(card)
        twin.play(relabelled(card))
        assert twin.leader == position.leader
        assert twin.attack_half_points == position.attack_half_points
    assert twin.result() == position.result()


@given(randoms, player_counts, st.integers(1, 12))
def test_equivalent_cards_cover_the_legal_ones(rng: Random, players: int, cards: int) -> None:
    state, plays = generate.random_mid_trick(
        rng, start := generate.random_ending(rng, players, cards)
    )
    position = position_of(start)
    for name in plays:
        position.play(name)
    runs = position.equivalent_cards()
    assert sorted(card for run in runs for card in run) == position.legal_cards()
    others = [card for hand in state.hands for card in hand] + [card for _, card in state.trick]
    others = [name for name in others if name not in state.hands[rules.to_move(state)]]
    for run in runs:
        assert run == sorted(run, reverse=True)
        assert len({(card.suit, card.half_points) for card in run}) == 1
        between = {DECK[number] for number in range(min(run), max(run) + 1)}
        assert not between & set(others)
    # No two runs could be one.
    for above, below in pairwise(runs):
        between = {DECK[number] for number in range(below[0], above[-1] + 1)} - {
            str(below[0]),
            str(above[-1]),
        }
        own = set(state.hands[rules.to_move(state)])
        same = (above[0].suit, above[0].half_points) == (below[0].suit, below[0].half_points)
        # The Petit is worth as much as the 21, but it may be au bout.
        assert not same or str(below[0]) == "A1" or between & (set(others) | own)


@PLAYERS
def test_equivalent_cards_have_equal_values(players: int) -> None:
    rng = Random(f"equivalent {players}")
    runs_seen = 0
    while runs_seen < 15:
        start = generate.random_ending(rng, players, 3, trumps=0.6)
        state, plays = generate.random_mid_trick(rng, start)
        position = position_of(start)
        for name in plays:
            position.play(name)
        runs = [run for run in position.equivalent_cards() if len(run) > 1]
        if runs:
            runs_seen += len(runs)
            values = minimax.card_values(state, minimax.margin)
            for run in runs:
                assert len({values[str(card)] for card in run}) == 1


@given(randoms, player_counts)
def test_copies_are_independent(rng: Random, players: int) -> None:
    start = generate.random_ending(rng, players, rng.randint(1, 8))
    position = position_of(start)
    for name in generate.random_mid_trick(rng, start)[1]:
        position.play(name)
    before = snapshot(position)
    for duplicate in (copy.copy, copy.deepcopy, Position.copy, _pickled):
        twin = duplicate(position)
        assert snapshot(twin) == before
        assert twin.rules == position.rules
        while not twin.is_over:
            twin.play(rng.choice(twin.legal_cards()))
        assert snapshot(position) == before
        while twin.plays:
            twin.undo()
        assert twin.hands == position_of(start).hands


def _pickled(position: Position) -> Position:
    twin: Position = pickle.loads(pickle.dumps(position))
    return twin


def test_the_default_rules_are_those_of_as_many_players_as_hands() -> None:
    for players in (3, 4, 5):
        hands = [1 << seat for seat in range(players)]
        position = Position(hands, attack=[0], leader=0)
        assert position.players == players
        assert position.rules == Rules(players=players)
        assert position.attack == (0,)


def test_a_position_without_cards_is_over() -> None:
    position = Position([0, 0, 0, 0], attack=[1], leader=2, attack_half_points=84, won=(True, True))
    assert position.is_over
    assert position.to_move is None
    assert position.legal_cards() == []
    assert position.equivalent_cards() == []
    assert position.perft(3) == 1
    assert position.result() == Result(84, 0, 0, 0)


# --- bad input ------------------------------------------------------------------------

HANDS = ["A21 PR", "PD P2", "A3 CR", "P1 C2"]


def ending_with(**changes: Any) -> Position:
    arguments: dict[str, Any] = {"hands": list(map(Hand, HANDS)), "attack": [0], "leader": 1}
    return Position(**(arguments | changes))


def hands_with(seat: int, cards: object) -> list[object]:
    hands: list[object] = list(map(Hand, HANDS))
    hands[seat] = cards
    return hands


def excuse_owed_by(camp: str) -> dict[str, object]:
    attack = camp == "attack"
    return {"attack_bouts": Hand("EX") if attack else 0, "won": (not attack, attack)}


@pytest.mark.parametrize(
    ("message", "changes"),
    [
        ("hands: 0 hands", {"hands": []}),
        ("hands: 2 hands", {"hands": [Hand("P1"), Hand("P2")]}),
        ("hands: 6 hands", {"hands": [1 << card for card in range(6)]}),
        ("hands: 4 hands, expected 5", {"rules": Rules(players=5)}),
        (r"hands\[2\]: 1 cards", {"hands": hands_with(2, Hand("A3"))}),
        (r"hands\[0\]|hands\[1\]", {"hands": hands_with(0, Hand("A21 PR P3"))}),
        (r"hands\[3\]: card PR", {"hands": hands_with(3, Hand("PR C2"))}),
        (r"hands\[1\]: the mask", {"hands": hands_with(1, 1 << 78 | 1)}),
        (r"hands\[1\]: the mask", {"hands": hands_with(1, -1)}),
        (r"hands\[1\]: the mask", {"hands": hands_with(1, 1 << 1000)}),
        (
            "hands: 19 cards",
            {"hands": [((1 << 19) - 1) << 19 * seat for seat in range(4)]},
        ),
        ("attack: seat 4", {"attack": [4]}),
        ("attack: seat -1", {"attack": [-1]}),
        ("attack: seat 300", {"attack": [300]}),
        ("attack", {"attack": []}),
        ("attack", {"attack": [0, 1, 2, 3]}),
        ("attack: a seat comes twice", {"attack": [1, 1]}),
        ("leader: seat 4", {"leader": 4}),
        ("leader: seat -1", {"leader": -1}),
        ("leader: seat 18446744073709551616", {"leader": 1 << 64}),
        ("attack_bouts", {"attack_bouts": Hand("PR")}),
        ("attack_bouts", {"attack_bouts": -1}),
        ("attack_bouts", {"attack_bouts": 1 << 90}),
        ("attack_bouts: A21", {"attack_bouts": Hand("A21")}),
        ("attack_half_points: -1", {"attack_half_points": -1}),
        ("attack_half_points: 183", {"attack_half_points": 183}),
        ("attack_half_points: 145", {"attack_half_points": 145}),
        ("called: 56", {"called": 56}),
        ("called: 77", {"called": 77}),
        ("called: -1", {"called": -1}),
        ("called", {"called": Card.parse("CR")}),  # at four players nobody is called
        ("won", {"won": ()}),
        ("won", {"won": (True,)}),
        ("won", {"won": [True, False, True]}),
        # The Excuse played by a camp without a trick is owed: 8 half points to give up…
        ("attack_half_points: 7", {"attack_half_points": 7, **excuse_owed_by("attack")}),
        # …or to receive, and then there is not so much outside of the hands.
        ("attack_half_points: 137", {"attack_half_points": 137, **excuse_owed_by("defence")}),
    ],
)
def test_positions_that_are_refused(message: str, changes: dict[str, Any]) -> None:
    assert 182 - sum(Hand(hand).half_points for hand in HANDS) == 144
    with pytest.raises(PositionError, match=message):
        ending_with(**changes)


@pytest.mark.parametrize(
    ("card", "message"),
    [
        ("P2", "card P2: seat 2"),
        ("A21", "card A21: seat 2"),
        ("CR", "card CR: seat 2"),
        (78, "78"),
        (-1, "-1"),
        (1 << 70, "1180591620717411303424"),
    ],
)
def test_plays_that_are_refused(card: int | str, message: str) -> None:
    position = ending_with()
    position.play("PD")
    before = snapshot(position)
    with pytest.raises(IllegalPlayError, match=message):
        position.play(card)
    assert snapshot(position) == before


def test_the_reason_of_a_refusal() -> None:
    hands = list(map(Hand, ["P1 C1 A9", "A3 C2 A7", "P2 C3 A5", "C4 A2 A4"]))
    position = Position(hands, attack=[0], leader=0)
    position.play("P1")
    with pytest.raises(IllegalPlayError, match="card C2: seat 1 must play a trump"):
        position.play("C2")
    position.play("A3")
    with pytest.raises(IllegalPlayError, match="card A5: seat 2 must follow suit"):
        position.play("A5")
    position.play("P2")
    with pytest.raises(IllegalPlayError, match="card A2: seat 3 must play a trump above 3"):
        position.play("A2")


def test_the_called_suit_is_refused_by_name() -> None:
    state = generate.random_deal(Random(5), 5)
    called = Card.parse(state.table.called or "")
    position = position_of(state)
    held = position.hand(position.leader).suit(called.suit)
    card = next(card for card in held if card != called)
    with pytest.raises(IllegalPlayError, match=f"card {card}: the called suit"):
        position.play(card)


def test_play_after_the_end_and_undo_at_the_start() -> None:
    position = ending_with()
    with pytest.raises(IllegalPlayError, match="undo"):
        position.undo()
    with pytest.raises(PositionError, match="2 tricks are left"):
        position.result()
    with pytest.raises(OptionError, match="depth: -1"):
        position.perft(-1)
    while not position.is_over:
        position.play(position.legal_cards()[0])
    with pytest.raises(IllegalPlayError, match="card PR: all cards are played"):
        position.play("PR")
    assert position.perft(10) == 1
    for seat in (-1, 4, 1 << 40):
        with pytest.raises(OptionError, match=f"seat: {seat}"):
            position.hand(seat)


NOTHING: Any = None
A_FLOAT: Any = 1.0

WRONG_TYPES: dict[str, Callable[[], object]] = {
    "hands of names": lambda: ending_with(hands=["A21", "PR", "PD", "P2"]),
    "no hands": lambda: ending_with(hands=None),
    "attack that is one seat": lambda: ending_with(attack=0),
    "leader that is a string": lambda: ending_with(leader="0"),
    "called that is a name": lambda: ending_with(called="CR"),
    "half points that are halves": lambda: ending_with(attack_half_points=1.5),
    "no card": lambda: ending_with().play(NOTHING),
    "card that is a float": lambda: ending_with().play(A_FLOAT),
    "play-outs of nothing": lambda: random_playouts(NOTHING, 1, np.random.PCG64DXSM(1)),
}


@pytest.mark.parametrize("wrong", WRONG_TYPES.values(), ids=WRONG_TYPES.keys())
def test_other_types_are_type_errors(wrong: Callable[[], object]) -> None:
    with pytest.raises(TypeError):
        wrong()


@given(
    st.lists(st.integers(-5, FULL_MASK + 5) | st.sampled_from(SUIT_MASKS), max_size=6),
    st.lists(st.integers(-2, 6), max_size=5),
    st.integers(-2, 6),
    st.none() | st.integers(-1, 80),
    st.integers(-10, 200),
    st.integers(-1, 3) | st.just(BOUTS_MASK),
)
def test_any_numbers_are_refused_or_played(
    hands: list[int],
    attack: list[int],
    leader: int,
    called: int | None,
    points: int,
    bouts: int,
) -> None:
    try:
        position = Position(
            hands,
            attack=attack,
            leader=leader,
            called=called,
            attack_half_points=points,
            attack_bouts=bouts,
        )
    except PositionError:
        return
    while not position.is_over:
        position.play(position.legal_cards()[0])


def test_the_oracle_and_the_engine_number_the_cards_alike() -> None:
    assert [str(Card(number)) for number in range(78)] == list(DECK)
    assert [1 << Card.parse(name) for name in DECK] == list(BIT.values())


# --- equality -------------------------------------------------------------------------


def test_positions_are_equal_where_the_same_may_follow() -> None:
    one, other = random_position(4, 6, 1), random_position(4, 6, 1)
    assert one is not other
    assert one == other
    assert hash(one.key()) == hash(other.key())
    card = one.legal_cards()[0]
    one.play(card)
    assert one != other
    other.play(card)
    assert one == other
    one.undo()
    other.undo()
    assert one == other != random_position(4, 6, 2)
    assert one != "a position"
    with pytest.raises(TypeError, match="unhashable"):
        hash(one)
