"""Counts of worlds against the same counts of lists of cards."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from tarot_sim.cards import Hand
from tarot_sim.errors import OptionError
from tarot_sim.rules.chavey import chavey_count
from tarot_sim.worlds._counts import COUNTS_DTYPE, chavey_counts, world_counts
from tests.reference.deck import BOUTS, DECK, PLAIN_SUITS, RANK, ROIS, SUIT, TRUMP, total
from tests.reference.rules import HAND_SIZE

NAMES = COUNTS_DTYPE.names or ()
PLAYERS = pytest.mark.parametrize("players", [3, 4, 5])

Worlds = NDArray[np.uint8]


def random_worlds(players: int, n: int, seed: int) -> Worlds:
    """Return any deals, in two of three of which the suits are not well mixed.

    A Petit sec may be dealt, and hands without trumps and suits in one hand are frequent.
    """
    rng = Random(seed)
    size = HAND_SIZE[players]
    worlds = np.empty((n, 78), np.uint8)
    for row in range(n):
        pull = {suit: rng.choice((0.0, 0.0, 0.5, 1.0)) for suit in (*PLAIN_SUITS, TRUMP, "EX")}
        if row % 3 == 0:
            pull = dict.fromkeys(pull, 0.0)
        where = {suit: rng.random() for suit in pull}
        pack = list(range(78))
        keys = [rng.random() + pull[SUIT[card]] * (where[SUIT[card]] - 0.5) for card in DECK]
        pack.sort(key=keys.__getitem__)
        places = [*range(players)]
        rng.shuffle(places)
        for turn, place in enumerate(places):
            worlds[row, pack[turn * size : (turn + 1) * size]] = place
        worlds[row, pack[players * size :]] = players
    return worlds


# --- the slow reference ---------------------------------------------------------------


def cards_at(world: Sequence[int], place: int) -> list[str]:
    return [card for card, owner in zip(DECK, world, strict=True) if owner == place]


def trumps(cards: Sequence[str]) -> list[int]:
    """Return the ranks of the numbered trumps."""
    return [RANK[card] for card in cards if SUIT[card] == TRUMP]


def never_beaten(own: Sequence[int], others: Sequence[int]) -> int:
    """Return how many trumps win at least: from some rank up, there are so many more."""
    return max(
        0,
        *(
            sum(rank >= least for rank in own) - sum(rank >= least for rank in others)
            for least in range(1, 22)
        ),
    )


def slow_features(
    world: Sequence[int], taker: int, attack: Sequence[int], players: int, *, takes_dog: bool
) -> dict[str, int]:
    dog = cards_at(world, players)
    own = cards_at(world, taker) + (dog if takes_dog else [])
    camp = own + [card for seat in attack if seat != taker for card in cards_at(world, seat)]
    defenders = [cards_at(world, seat) for seat in range(players) if seat not in attack]
    defence = [card for hand in defenders for card in hand]
    lengths = sorted((len(trumps(hand)) for hand in defenders), reverse=True)
    petit = [len(trumps(hand)) for hand in defenders if "A1" in hand]
    masters = losers = ruffed = tenaces = 0
    for suit in PLAIN_SUITS:
        highest = max((RANK[card] for card in defence if SUIT[card] == suit), default=0)
        for card in own:
            if SUIT[card] == suit:
                masters += RANK[card] > highest
                losers += RANK[card] < highest
        ruffed += suit + "R" in own and any(
            trumps(hand) and not any(SUIT[card] == suit for card in hand) for hand in defenders
        )
        tenaces += suit + "D" in own and suit + "R" in defence
    return {
        "dog_trumps": len(trumps(dog)),
        "dog_bouts": len(set(dog) & set(BOUTS)),
        "dog_half_points": total(dog),
        "dog_rois": len(set(dog) & set(ROIS)),
        "trumps": len(trumps(camp)),
        "highest_trumps": sum(rank >= 16 for rank in trumps(camp)),
        "longest_defender": lengths[0],
        "second_longest": lengths[1],
        "defence_unbeaten": max(never_beaten(trumps(hand), trumps(camp)) for hand in defenders),
        "attack_unbeaten": never_beaten(trumps(own), trumps(defence)),
        "petit_hunted": max(0, 8 - petit[0]) if petit else 0,
        "defence_half_points": total(defence),
        "masters": masters,
        "rois_ruffed": ruffed,
        "losers": losers,
        "tenaces": tenaces,
    }


# --- world_counts -------------------------------------------------------------------


@pytest.mark.parametrize("takes_dog", [False, True])
@pytest.mark.parametrize(("players", "partner"), [(3, False), (4, False), (5, False), (5, True)])
def test_features(players: int, partner: bool, takes_dog: bool) -> None:
    rng = Random(players)
    for taker in range(players):
        worlds = random_worlds(players, 60, 10 * players + taker)
        camps = [
            [taker, rng.choice([seat for seat in range(players) if seat != taker])]
            if partner
            else [taker]
            for _ in worlds
        ]
        attack = np.array([sum(1 << seat for seat in camp) for camp in camps], np.uint8)
        found = world_counts(worlds, taker, attack, players, takes_dog)
        assert found.shape == (60,)
        assert found.dtype == COUNTS_DTYPE
        for world, camp, row in zip(worlds.tolist(), camps, found.tolist(), strict=True):
            expected = slow_features(world, taker, camp, players, takes_dog=takes_dog)
            assert expected == dict(zip(NAMES, row, strict=True))


def test_the_worlds_of_these_tests_have_everything() -> None:
    """No column is always the same, and the rare ones are often not 0."""
    worlds = random_worlds(4, 300, 1)
    found = world_counts(worlds, 0, np.ones(300, np.uint8), 4, False)
    for name in NAMES:
        column = found[name]
        assert len(np.unique(column)) > 2, name
        assert (column != 0).sum() > 25, name


HANDS = (
    "A:21,20,19,18,17,16,1,EX P:R,D,5 C:D,3 K:R,2,1 T:9,8",
    "A:15,14,13,12,11,10 C:R,C,V,10,9,8 K:D,C,V T:R,D,C",
    "A:9,8,7 P:C,V,10,9,8,7 C:7,6,5 K:10,9,8 T:V,10,7",
    "A:6,5 P:6,4,3 C:4,2,1 K:7,6,5,4,3 T:6,5,4,3,2",
    "A:4,3,2 P:2,1 T:1",
)


def made_world(hands: Sequence[str]) -> Worlds:
    world = np.full((1, 78), 255, np.uint8)
    for place, cards in enumerate(hands):
        world[0, list(Hand(cards))] = place
    return world


def test_a_world_counted_by_hand() -> None:
    """Both Rois of the taker are master, and that of Pique is ruffed by the second player."""
    row = world_counts(made_world(HANDS), 0, np.array([1], np.uint8), 4, True)[0]
    assert {
        "dog_trumps": 3,
        "dog_bouts": 0,
        "dog_half_points": 6,
        "dog_rois": 0,
        "trumps": 10,
        "highest_trumps": 6,
        "longest_defender": 6,
        "second_longest": 3,
        "defence_unbeaten": 0,
        "attack_unbeaten": 6,
        "petit_hunted": 0,
        "defence_half_points": 106,
        "masters": 3,
        "rois_ruffed": 1,
        "losers": 10,
        "tenaces": 1,
    } == dict(zip(NAMES, row.tolist(), strict=True))


def test_the_same_world_with_another_taker() -> None:
    """The third player takes: of the two hands with the high trumps each is sure of six."""
    row = world_counts(made_world(HANDS), 2, np.array([4], np.uint8), 4, False)[0]
    assert {
        "dog_trumps": 3,
        "dog_bouts": 0,
        "dog_half_points": 6,
        "dog_rois": 0,
        "trumps": 3,
        "highest_trumps": 0,
        "longest_defender": 7,
        "second_longest": 6,
        "defence_unbeaten": 6,
        "attack_unbeaten": 0,
        "petit_hunted": 1,
        "defence_half_points": 182 - 6 - 26,
        "masters": 0,
        "rois_ruffed": 0,
        "losers": 15,
        "tenaces": 0,
    } == dict(zip(NAMES, row.tolist(), strict=True))


def test_the_dog_counts_only_where_it_is_taken() -> None:
    """What is said of the dog and of the defenders' hands is the same; the trumps add up."""
    worlds = random_worlds(4, 100, 3)
    attack = np.full(100, 2, np.uint8)
    left = world_counts(worlds, 1, attack, 4, False)
    taken = world_counts(worlds, 1, attack, 4, True)
    unchanged = [
        "dog_trumps",
        "dog_bouts",
        "dog_half_points",
        "dog_rois",
        "longest_defender",
        "second_longest",
        "petit_hunted",
        "defence_half_points",
    ]
    for name in unchanged:
        assert np.array_equal(left[name], taken[name]), name
    assert np.array_equal(left["trumps"] + left["dog_trumps"], taken["trumps"])


def test_no_worlds() -> None:
    none = np.empty((0, 78), np.uint8)
    assert world_counts(none, 0, np.empty(0, np.uint8), 4, True).shape == (0,)
    assert chavey_counts(none, 5).shape == (0, 5, 2)


# --- chavey_counts --------------------------------------------------------------------


@PLAYERS
def test_chavey_counts(players: int) -> None:
    worlds = random_worlds(players, 400, 20 + players)
    found = chavey_counts(worlds, players)
    assert found.shape == (400, players, 2)
    assert found.dtype == np.int16
    for world, row in zip(worlds, found.tolist(), strict=True):
        counts = [
            chavey_count(Hand(np.flatnonzero(world == seat).tolist())) for seat in range(players)
        ]
        assert [[count.total, count.total_without_dog] for count in counts] == row


def test_a_hand_counted_by_hand() -> None:
    """The 21, Excuse and Petit; 8 trumps; 16…21 in sequence; Roi and Dame, 2 Rois and Dames."""
    found = chavey_counts(made_world(HANDS), 4)[0].tolist()
    bouts, in_trumps, high, honours = 10 + 8 + 9, 16, 12 + 6, 10 + 3 + 6
    assert [bouts + in_trumps + high + honours] * 2 == found[0]
    # Six trumps below the 16; Roi, Cavalier, Valet; Dame, Cavalier, Valet; Roi, Dame,
    # Cavalier; six Cœurs; no Pique.
    assert [12 + 9 + 6 + 12 + 7, 12 + 9 + 6 + 12 + 7 + 6] == found[1]


# --- bad arguments --------------------------------------------------------------------

N = 4
WORLDS = random_worlds(4, N, 9)
ATTACK = np.ones(N, np.uint8)


@pytest.mark.parametrize(
    ("message", "worlds", "players"),
    [
        ("worlds: expected", np.zeros((N, 77), np.uint8), 4),
        ("worlds: expected", np.zeros((N, 79), np.uint8), 4),
        ("worlds: expected", WORLDS[0], 4),
        ("worlds: expected", WORLDS[None], 4),
        ("worlds: expected", WORLDS.astype(np.int16), 4),
        ("worlds: 4 is no place at 3 players", WORLDS, 3),
        ("worlds: 255 is no place at 4 players", made_world(HANDS[:4]), 4),
        ("players: 2 is not", WORLDS, 2),
        ("players: 6 is not", WORLDS, 6),
        ("players: -1 is not", WORLDS, -1),
    ],
)
def test_bad_worlds(message: str, worlds: Worlds, players: int) -> None:
    with pytest.raises(OptionError, match=message):
        chavey_counts(worlds, players)
    with pytest.raises(OptionError, match=message):
        world_counts(worlds, 0, np.ones(len(worlds), np.uint8), players, True)


@pytest.mark.parametrize(
    ("message", "taker", "attack"),
    [
        ("taker: 4 is not a seat of 0…3", 4, ATTACK),
        ("taker: -1 is not a seat", -1, ATTACK),
        ("attack: expected", 0, ATTACK[:3]),
        ("attack: expected", 0, ATTACK[:0]),
        ("attack: ", 0, ATTACK[:, None]),
        ("attack: ", 0, ATTACK.astype(np.int64)),
    ],
)
def test_bad_camps(message: str, taker: int, attack: NDArray[np.uint8]) -> None:
    with pytest.raises(OptionError, match=message):
        world_counts(WORLDS, taker, attack, 4, True)
