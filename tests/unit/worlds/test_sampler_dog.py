"""Worlds of a player who has seen the dog."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tarot_sim.cards import EXCUSE, FULL_PACK, PETIT, SUIT_MASKS, Hand
from tarot_sim.deals.dealing import Draws
from tarot_sim.errors import HandError
from tarot_sim.notation import TRUMP
from tarot_sim.rules import Rules
from tarot_sim.worlds._sampler import sample_worlds
from tests.laws import LEAST_P_VALUE, hypergeometric, p_value

PLAYERS = pytest.mark.parametrize("players", [3, 4, 5])

#: A hand and a dog for each table with the Petit in one of them: nobody is a Petit sec.
WITH_PETIT = {
    3: (
        Hand("A:20,17,13,9,6,2,1,EX P:R,10,8,3 C:D,C,7,2 K:9,6,5,1 T:V,10,9,4", size=24),
        Hand("A:16,5 P:D,1 K:R T:2", size=6),
    ),
    4: (
        Hand("A:21,19,14,8,5 P:R,D,6 C:C,10,4 K:R,4,3 T:V,9,6,2", size=18),
        Hand("A:18,7,1 C:R,3 T:5", size=6),
    ),
    5: (
        Hand("A:21,16,12,3,1 P:R,9,6 C:10,4 K:V,3,1 T:D,9", size=15),
        Hand("A:2,EX P:D", size=3),
    ),
}
#: Leaves few trumps, the Petit among them: many deals are a Petit sec.
WITHOUT_PETIT = {
    3: (
        Hand("A:21,20,19,18,17,16,15,14,13,12,11,10,9,8,EX P:R,9,6 C:10,4 T:R,D,C,V", size=24),
        Hand("A:7,6 P:10,3 K:R,1", size=6),
    ),
    4: (
        Hand("A:21,20,19,18,17,16,15,14,13,12,11,10,9 P:R,D,C C:R,D", size=18),
        Hand("A:8,7,6,5 K:R,1", size=6),
    ),
    5: (
        Hand("A:21,20,19,18,17,16,15,14,13,12,11,10,9,8,EX", size=15),
        Hand("A:7,6 T:3", size=3),
    ),
}
BOTH = pytest.mark.parametrize(
    "known", [pytest.param(WITH_PETIT, id="with"), pytest.param(WITHOUT_PETIT, id="without")]
)

TRUMPS = Hand.from_mask(SUIT_MASKS[TRUMP])
STRONG = TRUMPS | Hand([EXCUSE])

Worlds = NDArray[np.uint8]
Known = dict[int, tuple[Hand, Hand]]


def sample(
    known: tuple[Hand, Hand], seat: int, rules: Rules, n: int, seed: int | list[int] = 1
) -> Worlds:
    hand, dog = known
    return sample_worlds(hand, seat, rules, n, np.random.PCG64DXSM(seed), dog)


def assert_complete(worlds: Worlds, known: tuple[Hand, Hand], seat: int, rules: Rules) -> None:
    """Assert that each row has this hand at its seat, this dog, and whole other hands."""
    hand, dog = known
    for world in worlds:
        assert hand == Hand(np.flatnonzero(world == seat).tolist())
        assert dog == Hand(np.flatnonzero(world == rules.players).tolist())
    assert int(worlds.max(initial=0)) <= rules.players
    for other in range(rules.players):
        assert ((worlds == other).sum(axis=1) == rules.hand_size).all()


def petit_sec_hands(worlds: Worlds, players: int) -> int:
    return sum(
        Hand(np.flatnonzero(world == seat).tolist()).is_petit_sec()
        for world in worlds
        for seat in range(players)
    )


# --- shape and promises ---------------------------------------------------------------


@PLAYERS
@BOTH
@pytest.mark.parametrize("petit_sec", ["cancel", "off"])
def test_worlds_are_complete(players: int, known: Known, petit_sec: Any) -> None:
    rules = Rules(players=players, petit_sec=petit_sec)
    for seat in range(players):
        worlds = sample(known[players], seat, rules, 100, seat)
        assert worlds.shape == (100, 78)
        assert worlds.dtype == np.uint8
        assert_complete(worlds, known[players], seat, rules)
        assert len(np.unique(worlds, axis=0)) == 100


@PLAYERS
def test_any_hand_and_dog(players: int) -> None:
    rules, draws = Rules(players=players), Draws(players)
    for turn in range(60):
        pack = draws.shuffled(range(78))
        hand = Hand(pack[: rules.hand_size])
        dog = Hand(pack[rules.hand_size : rules.hand_size + rules.dog_size])
        if hand.is_petit_sec():
            continue
        worlds = sample((hand, dog), turn % players, rules, 5, turn)
        assert_complete(worlds, (hand, dog), turn % players, rules)
        assert petit_sec_hands(worlds, players) == 0


def test_no_worlds() -> None:
    assert sample(WITH_PETIT[4], 0, Rules(), 0).shape == (0, 78)


def test_seeds_reproduce() -> None:
    known, rules = WITHOUT_PETIT[5], Rules(players=5)
    worlds = sample(known, 1, rules, 50, 7)
    assert np.array_equal(worlds, sample(known, 1, rules, 50, 7))
    assert np.array_equal(worlds[:20], sample(known, 1, rules, 20, 7))
    assert not np.array_equal(worlds, sample(known, 1, rules, 50, 8))


def test_no_dog_is_none_seen() -> None:
    hand, _ = WITH_PETIT[4]
    without = sample_worlds(hand, 0, Rules(), 200, np.random.PCG64DXSM(1))
    none = sample_worlds(hand, 0, Rules(), 200, np.random.PCG64DXSM(1), None)
    assert np.array_equal(without, none)
    assert len(np.unique(without == 4, axis=0)) > 190


# --- the law --------------------------------------------------------------------------

N = 20_000


@PLAYERS
@pytest.mark.parametrize("marked", [TRUMPS, STRONG, Hand.from_mask(SUIT_MASKS[2])])
def test_counts(players: int, marked: Hand) -> None:
    """Each of the others has trumps, or Carreaux, as any cards drawn from the hidden ones."""
    rules, seat = Rules(players=players), 1
    hand, dog = WITH_PETIT[players]
    hidden = FULL_PACK - hand - dog
    law = hypergeometric(len(marked & hidden), len(hidden), rules.hand_size)
    worlds = sample(WITH_PETIT[players], seat, rules, N, [players, 1])
    for other in range(players):
        if other != seat:
            seen = (worlds[:, list(marked)] == other).sum(axis=1)
            assert p_value(seen.tolist(), law) > LEAST_P_VALUE, other


@PLAYERS
@BOTH
def test_owners(players: int, known: Known) -> None:
    """Every hidden card is as often at each of the other seats, and pairs of cards too."""
    rules, seat = Rules(players=players, petit_sec="off"), players - 1
    hand, dog = known[players]
    hidden = list(FULL_PACK - hand - dog)
    worlds = sample(known[players], seat, rules, N, [players, 2])
    size, n = rules.hand_size, len(hidden)
    others = range(players - 1)
    single = {other: Fraction(size, n) for other in others}
    pairs = {
        (one, two): Fraction(size * (size - (one == two)), n * (n - 1))
        for one in others
        for two in others
    }
    for card in hidden:
        assert p_value(worlds[:, card].tolist(), single) > LEAST_P_VALUE, card
    for one, two in zip(hidden, hidden[7:], strict=False):
        seen = zip(worlds[:, one].tolist(), worlds[:, two].tolist(), strict=True)
        assert p_value(list(seen), pairs) > LEAST_P_VALUE, (one, two)


def legal_law(known: tuple[Hand, Hand], rules: Rules) -> dict[int, Fraction]:
    """Return how likely another hand has 0, 1, 2… trumps and Excuse, without a Petit sec.

    From all deals those are taken in which this hand, or another of the hidden ones, has
    the Petit and else what is neither trump nor Excuse.
    """
    hidden = FULL_PACK - known[0] - known[1]
    strong, n, size = len(hidden & STRONG), len(hidden), rules.hand_size
    sec = Fraction(comb(n - strong, size - 1), comb(n, size))
    law = hypergeometric(strong, n, size)
    law[1] -= sec
    others = rules.players - 2
    for count, chance in hypergeometric(strong - 1, n - size, size).items():
        law[count] -= others * sec * chance
    return {count: chance / (1 - (others + 1) * sec) for count, chance in law.items()}


@PLAYERS
def test_counts_without_a_petit_sec(players: int) -> None:
    rules, known = Rules(players=players), WITHOUT_PETIT[players]
    worlds = sample(known, 0, rules, N, [players, 3])
    assert petit_sec_hands(worlds[:2_000], players) == 0
    law = legal_law(known, rules)
    for other in range(1, players):
        seen = (worlds[:, list(STRONG)] == other).sum(axis=1)
        assert p_value(seen.tolist(), law) > LEAST_P_VALUE, other
    off = Rules(players=players, petit_sec="off")
    worlds = sample(known, 0, off, N, [players, 3])
    assert petit_sec_hands(worlds[:2_000], players) > 30
    # The comparison above would find a sampler that forgets the Petit sec.
    seen = (worlds[:, list(STRONG)] == 1).sum(axis=1)
    assert p_value(seen.tolist(), law) < 1e-9


def test_the_excuse_goes_with_a_petit_that_has_no_other_company() -> None:
    known = (
        Hand("A:21,20,19,18,17,16,15,14,13,12,11,10,9,8,7,6,5,4", size=18),
        Hand("A:3,2 P:R,D,C,V", size=6),
    )
    worlds = sample(known, 2, Rules(), 3_000)
    assert np.array_equal(worlds[:, PETIT], worlds[:, EXCUSE])
    owners: dict[int, Fraction] = dict.fromkeys((0, 1, 3), Fraction(1, 3))
    assert p_value(worlds[:, PETIT].tolist(), owners) > LEAST_P_VALUE


# --- bad arguments --------------------------------------------------------------------


@PLAYERS
def test_a_dog_that_shares_a_card_with_the_hand(players: int) -> None:
    hand, dog = WITH_PETIT[players]
    shared = Hand([*list(dog)[1:], *Hand("PR")])
    with pytest.raises(HandError, match="dog: PR is in the hand too"):
        sample((hand, shared), 0, Rules(players=players), 1)


@PLAYERS
@pytest.mark.parametrize("more", [-1, 1])
def test_a_dog_of_the_wrong_size(players: int, more: int) -> None:
    rules = Rules(players=players)
    hand, _ = WITH_PETIT[players]
    size = rules.dog_size + more
    dog = Hand(list(FULL_PACK - hand)[:size])
    with pytest.raises(HandError, match=f"{size} cards, expected {rules.dog_size}"):
        sample((hand, dog), 0, rules, 1)
    with pytest.raises(HandError, match=f"0 cards, expected {rules.dog_size}"):
        sample((hand, Hand()), 0, rules, 1)


def test_the_message_names_the_dog() -> None:
    with pytest.raises(HandError) as error:
        sample((WITH_PETIT[4][0], Hand("A2")), 0, Rules(), 1)
    assert "dog" in str(error.value)


@pytest.mark.parametrize(
    ("players", "hand", "dog"),
    [
        (
            3,
            Hand("A:21,20,19,18,17,16,15,14,13,12,11,10,9,8,7,6,5,4,3,2,EX P:R,D,C", size=24),
            Hand("C:R,D,C,V,10,9", size=6),
        ),
        (
            4,
            Hand("A:21,20,19,18,17,16,15,14,13,12,11,10,9,8,7,6,5,EX", size=18),
            Hand("A:4,3,2 P:R,D,C", size=6),
        ),
    ],
)
def test_a_petit_sec_that_cannot_be_avoided(players: int, hand: Hand, dog: Hand) -> None:
    """All trumps but the Petit and the Excuse are seen: whoever has it has nothing else."""
    with pytest.raises(HandError, match="Petit sec"):
        sample((hand, dog), 0, Rules(players=players), 1)
    off = Rules(players=players, petit_sec="off")
    assert_complete(sample((hand, dog), 0, off, 10), (hand, dog), 0, off)
