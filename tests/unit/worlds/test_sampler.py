"""Worlds: complete, consistent, and exactly as likely as they should be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from itertools import pairwise
from math import comb, factorial, prod
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tarot_sim.cards import EXCUSE, FULL_PACK, PETIT, ROIS_MASK, SUIT_MASKS, Card, Hand
from tarot_sim.deals.dealing import Draws
from tarot_sim.errors import HandError, OptionError
from tarot_sim.notation import TRUMP
from tarot_sim.rules import Rules
from tarot_sim.worlds._sampler import sample_worlds
from tests.laws import LEAST_P_VALUE, hypergeometric, p_value

PLAYERS = pytest.mark.parametrize("players", [3, 4, 5])

#: A hand for each table with the Petit: no other hand can then be a Petit sec.
WITH_PETIT = {
    3: Hand("A:20,17,13,9,6,2,1,EX P:R,10,8,3 C:D,C,7,2 K:9,6,5,1 T:V,10,9,4", size=24),
    4: Hand("A:21,19,14,8,5,1 P:R,D,6 C:C,10,4 K:R,4,3 T:V,9,2", size=18),
    5: Hand("A:21,16,12,3,1 P:R,9,6 C:10,4 K:V,3,1 T:D,9", size=15),
}
#: Hands that leave few trumps, the Petit among them: many deals are a Petit sec.
WITHOUT_PETIT = {
    3: Hand("A:21,20,19,18,17,16,15,14,13,12,11,10,9,8,7,6,5,EX P:R,9,6 C:10,4 T:R", size=24),
    4: Hand("A:21,20,19,18,17,16,15,14,13,12,11,10,9,8,7,6,EX P:R", size=18),
    5: Hand("A:21,20,19,18,17,16,15,14,13,12,11,10,9,8,EX", size=15),
}
OFF = {players: Rules(players=players, petit_sec="off") for players in (3, 4, 5)}

_TRUMPS_MASK = SUIT_MASKS[TRUMP]

Worlds = NDArray[np.uint8]


def sample(hand: Hand, seat: int, rules: Rules, n: int, seed: int | Sequence[int] = 1) -> Worlds:
    return sample_worlds(hand, seat, rules, n, np.random.PCG64DXSM(seed))


def sizes_of(rules: Rules, seat: int) -> dict[int, int]:
    """Return how many hidden cards each place has: the other seats, then the dog."""
    places = {other: rules.hand_size for other in range(rules.players) if other != seat}
    return places | {rules.players: rules.dog_size}


# --- the exact law --------------------------------------------------------------------


def ways(hidden: Hand, sizes: Mapping[int, int], where: Mapping[int, int], *, legal: bool) -> int:
    """Return in how many ways the hidden cards can be dealt, some of them to given places.

    With `legal` the deals with a Petit sec, where the last place is the dog, do not count.
    The Petit sec of two hands exclude each other, so that their numbers can be summed.
    """
    left = {place: size - sum(w == place for w in where.values()) for place, size in sizes.items()}
    if min(left.values()) < 0:
        return 0
    count = _multinomial(list(left.values()))
    if not legal or PETIT not in hidden:
        return count
    dog = max(sizes)
    strong = Hand.from_mask(_TRUMPS_MASK | 1 << EXCUSE) - Hand([PETIT])
    plain_left = sum(card not in where and card not in strong for card in hidden - Hand([PETIT]))
    for place in sizes:
        if place == dog or where.get(PETIT, place) != place:
            continue
        if any(card in strong and w == place for card, w in where.items()):
            continue
        plain = left[place] - (PETIT not in where)
        if plain >= 0:
            others = [size for other, size in left.items() if other != place]
            count -= comb(plain_left, plain) * _multinomial(others)
    return count


def _multinomial(sizes: list[int]) -> int:
    return factorial(sum(sizes)) // prod(map(factorial, sizes))


def owner_law(
    hand: Hand, seat: int, rules: Rules, cards: tuple[int, ...]
) -> dict[tuple[int, ...], Fraction]:
    """Return how likely the hidden cards named lie at the places of each key."""
    hidden, sizes = FULL_PACK - hand, sizes_of(rules, seat)
    keys: list[tuple[int, ...]] = [()]
    for _ in cards:
        keys = [(*key, place) for key in keys for place in sizes]
    legal = rules.petit_sec == "cancel"
    whole = ways(hidden, sizes, {}, legal=legal)
    return {
        key: Fraction(ways(hidden, sizes, dict(zip(cards, key, strict=True)), legal=legal), whole)
        for key in keys
    }


def count_law(hand: Hand, seat: int, rules: Rules, marked: Hand, place: int) -> dict[int, Fraction]:
    """Return how likely a place has 0, 1, 2… of the marked cards."""
    hidden, sizes = FULL_PACK - hand, sizes_of(rules, seat)
    size, n = sizes[place], len(hidden)
    marked = marked & hidden
    law = hypergeometric(len(marked), n, size)
    if rules.petit_sec == "off" or PETIT not in hidden:
        return law
    strong = hidden & Hand.from_mask(_TRUMPS_MASK | 1 << EXCUSE)
    plain = hidden - strong
    petit = int(PETIT in marked)
    excluded = Fraction(0)
    for holder in list(sizes)[:-1]:
        drawn = sizes[holder] - 1
        chance = Fraction(comb(len(plain), drawn), comb(n, sizes[holder]))
        excluded += chance
        for dealt, part in hypergeometric(len(marked & plain), len(plain), drawn).items():
            if holder == place:
                law[dealt + petit] -= chance * part
                continue
            left = len(marked) - petit - dealt
            for count, share in hypergeometric(left, n - sizes[holder], size).items():
                law[count] -= chance * part * share
    return {count: chance / (1 - excluded) for count, chance in law.items()}


@PLAYERS
def test_the_two_laws_agree(players: int) -> None:
    """A card is at a place as often as the place has one of the set of this one card."""
    rules, hand = Rules(players=players), WITHOUT_PETIT[players]
    for card in (PETIT, EXCUSE, Card.parse("A3"), Card.parse("CR")):
        if card in hand:
            continue
        law = owner_law(hand, 0, rules, (card,))
        assert 1 == sum(law.values())
        for (place,), chance in law.items():
            assert chance == count_law(hand, 0, rules, Hand([card]), place)[1]


# --- shape and promises ---------------------------------------------------------------


def assert_complete(worlds: Worlds, hand: Hand, seat: int, rules: Rules) -> None:
    own = [card in hand for card in range(78)]
    assert (worlds[:, own] == seat).all()
    assert (worlds[:, [not held for held in own]] != seat).all()
    assert int(worlds.max(initial=0)) <= rules.players
    for place, size in sizes_of(rules, seat).items():
        assert ((worlds == place).sum(axis=1) == size).all()


def petit_sec_hands(worlds: Worlds, rules: Rules) -> int:
    """Count the dealt hands that are a Petit sec."""
    return sum(
        Hand(np.flatnonzero(world == seat).tolist()).is_petit_sec()
        for world in worlds
        for seat in range(rules.players)
    )


@PLAYERS
@pytest.mark.parametrize("petit_sec", ["cancel", "off"])
def test_worlds_are_complete(players: int, petit_sec: Any) -> None:
    rules = Rules(players=players, petit_sec=petit_sec)
    for hand in (WITH_PETIT[players], WITHOUT_PETIT[players]):
        for seat in range(players):
            worlds = sample(hand, seat, rules, 200, seat)
            assert worlds.shape == (200, 78)
            assert worlds.dtype == np.uint8
            assert_complete(worlds, hand, seat, rules)


@given(st.integers(0, 2**64), st.integers(3, 5), st.data())
def test_any_dealt_hand(seed: int, players: int, data: st.DataObject) -> None:
    rules, seat = Rules(players=players), data.draw(st.integers(0, players - 1))
    draws = Draws(seed)
    hand = Hand(draws.shuffled(range(78))[: rules.hand_size])
    if hand.is_petit_sec():
        return
    worlds = sample(hand, seat, rules, 3, seed)
    assert_complete(worlds, hand, seat, rules)
    assert petit_sec_hands(worlds, rules) == 0


def test_no_worlds() -> None:
    assert sample(WITH_PETIT[4], 0, Rules(), 0).shape == (0, 78)


def test_seeds_reproduce() -> None:
    hand, rules = WITHOUT_PETIT[4], Rules()
    worlds = sample(hand, 1, rules, 50, 7)
    assert np.array_equal(worlds, sample(hand, 1, rules, 50, 7))
    assert np.array_equal(worlds[:20], sample(hand, 1, rules, 20, 7))
    assert not np.array_equal(worlds, sample(hand, 1, rules, 50, 8))


def test_the_generator_moves_on() -> None:
    generator = np.random.PCG64DXSM(7)
    first, second = (sample_worlds(WITH_PETIT[4], 0, Rules(), 20, generator) for _ in range(2))
    assert not np.array_equal(first, second)


def test_the_stream_is_frozen() -> None:
    worlds = sample(WITH_PETIT[4], 0, Rules(), 2, 1)
    dogs = [str(Hand(np.flatnonzero(world == 4).tolist())) for world in worlds]
    assert dogs == ["A:10 P:10 C:D,6 T:D,4", "A:4 P:V C:2,1 K:10,1"]


@pytest.mark.parametrize(
    "generator", [np.random.SFC64, np.random.Philox, np.random.MT19937, np.random.PCG64]
)
def test_any_bit_generator_will_do(generator: type[np.random.BitGenerator]) -> None:
    worlds = sample_worlds(WITH_PETIT[4], 2, Rules(), 500, generator(3))
    assert_complete(worlds, WITH_PETIT[4], 2, Rules())
    assert len(np.unique(worlds, axis=0)) == 500


def test_threads_do_not_disturb_each_other() -> None:
    hand, rules = WITHOUT_PETIT[5], Rules(players=5)
    expected = [sample(hand, 0, rules, 5_000, seed) for seed in range(4)]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda seed: sample(hand, 0, rules, 5_000, seed), range(4)))
    assert all(map(np.array_equal, expected, found))


# --- the Petit sec --------------------------------------------------------------------


@PLAYERS
def test_no_dealt_hand_is_a_petit_sec(players: int) -> None:
    hand = WITHOUT_PETIT[players]
    assert petit_sec_hands(sample(hand, 0, Rules(players=players), 2_000), OFF[players]) == 0
    seen = petit_sec_hands(sample(hand, 0, OFF[players], 2_000), OFF[players])
    law = ways(FULL_PACK - hand, sizes := sizes_of(OFF[players], 0), {}, legal=True)
    expected = 1 - law / ways(FULL_PACK - hand, sizes, {}, legal=False)
    assert expected > 0.15
    assert abs(seen / 2_000 - expected) < 4 * (expected * (1 - expected) / 2_000) ** 0.5


def test_a_petit_that_nobody_can_hold_lies_in_the_dog() -> None:
    hand = Hand([*range(PETIT + 1, 78), *Hand("P:R,9,6")], size=24)
    for seat in range(3):
        assert (sample(hand, seat, Rules(players=3), 500)[:, PETIT] == 3).all()


# Case 19: the player's own Petit sec is refused, or the search for a deal never ends.
def test_a_petit_sec_of_ones_own_is_refused() -> None:
    hand = Hand("A:1 P:R,D,C,V,10,9,8,7,6,5,4,3,2,1 C:R,D,C", size=18)
    with pytest.raises(HandError, match=r"Petit sec .*A1"):
        sample(hand, 0, Rules(), 1)
    assert_complete(sample(hand, 0, OFF[4], 10), hand, 0, OFF[4])
    with_excuse = Hand("A:1,EX P:R,D,C,V,10,9,8,7,6,5,4,3,2,1 C:R,D", size=18)
    assert_complete(sample(with_excuse, 0, Rules(), 10), with_excuse, 0, Rules())


# --- bad arguments --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("message", "error", "hand", "seat", "n"),
    [
        ("17 cards, expected 18", HandError, WITH_PETIT[4] - Hand("A21"), 0, 1),
        ("24 cards, expected 18", HandError, WITH_PETIT[3], 0, 1),
        ("seat: -1", OptionError, WITH_PETIT[4], -1, 1),
        ("seat: 4", OptionError, WITH_PETIT[4], 4, 1),
        ("n: -1", OptionError, WITH_PETIT[4], 0, -1),
    ],
)
def test_errors(message: str, error: type[Exception], hand: Hand, seat: int, n: int) -> None:
    with pytest.raises(error, match=message):
        sample(hand, seat, Rules(), n)


# --- comparison with the law ----------------------------------------------------------

N = 50_000

LAW_CASES = pytest.mark.parametrize(
    ("players", "seat", "hands", "petit_sec"),
    [
        pytest.param(players, seat, hands, petit_sec, id=f"{players}-seat{seat}-{name}-{petit_sec}")
        for players in (3, 4, 5)
        for seat, name, hands, petit_sec in (
            (0, "with", WITH_PETIT, "cancel"),
            (players - 1, "without", WITHOUT_PETIT, "cancel"),
            (1, "without", WITHOUT_PETIT, "off"),
        )
    ],
)


@LAW_CASES
def test_counts(players: int, seat: int, hands: dict[int, Hand], petit_sec: Any) -> None:
    """Trumps, bouts, Rois and a suit, in the dog and in every hidden hand."""
    rules, hand = Rules(players=players, petit_sec=petit_sec), hands[players]
    worlds = sample(hand, seat, rules, N, [players, seat])
    for marked in (
        Hand.from_mask(_TRUMPS_MASK),
        Hand.from_mask(_TRUMPS_MASK | 1 << EXCUSE),
        Hand("A21 A1 EX"),
        Hand.from_mask(ROIS_MASK),
        Hand.from_mask(SUIT_MASKS[1]),
        Hand.from_mask(SUIT_MASKS[3]),
    ):
        for place in sizes_of(rules, seat):
            law = count_law(hand, seat, rules, marked, place)
            if sum(chance > 0 for chance in law.values()) < 2:
                continue
            seen = (worlds[:, list(marked)] == place).sum(axis=1)
            assert p_value(seen.tolist(), law) > LEAST_P_VALUE, (str(marked), place)


@LAW_CASES
def test_owners_of_cards(players: int, seat: int, hands: dict[int, Hand], petit_sec: Any) -> None:
    rules, hand = Rules(players=players, petit_sec=petit_sec), hands[players]
    worlds = sample(hand, seat, rules, N, [players, seat, 1])
    for card in FULL_PACK - hand:
        law = owner_law(hand, seat, rules, (card,))
        counts = np.bincount(worlds[:, card], minlength=6)
        seen = {key: int(counts[key[0]]) for key in law}
        assert p_value(seen, law) > LEAST_P_VALUE, card


@LAW_CASES
def test_owners_of_pairs(players: int, seat: int, hands: dict[int, Hand], petit_sec: Any) -> None:
    """Pairs that lie side by side in the pack, and pairs with the Petit."""
    rules, hand = Rules(players=players, petit_sec=petit_sec), hands[players]
    worlds = sample(hand, seat, rules, N, [players, seat, 2])
    hidden = list(FULL_PACK - hand)
    pairs = list(pairwise(hidden))
    if PETIT in hidden:
        pairs += [(PETIT, card) for card in hidden if card != PETIT]
    for pair in pairs:
        law = owner_law(hand, seat, rules, pair)
        counts = np.bincount(8 * worlds[:, pair[0]] + worlds[:, pair[1]], minlength=64)
        seen = {key: int(counts[8 * key[0] + key[1]]) for key in law}
        assert p_value(seen, law) > LEAST_P_VALUE, pair


def test_the_law_tells_a_sampler_that_forgets_the_petit_sec() -> None:
    """The comparison above would find the fault."""
    worlds = sample(WITHOUT_PETIT[4], 0, OFF[4], N)
    law = owner_law(WITHOUT_PETIT[4], 0, Rules(), (PETIT,))
    assert p_value([(place,) for place in worlds[:, PETIT].tolist()], law) < 1e-9


# Case 22: hidden hands vary, and are right no more often than chance.
@PLAYERS
def test_hidden_hands_are_not_handed_over(players: int) -> None:
    rules = Rules(players=players)
    truth = sample(WITH_PETIT[players], 0, rules, 1, 99)[0]
    worlds = sample(WITH_PETIT[players], 0, rules, N, 5)
    assert len(np.unique(worlds, axis=0)) == N
    hidden = truth != 0
    sizes = list(sizes_of(rules, 0).values())
    right = (worlds[:, hidden] == truth[hidden]).sum(axis=1)
    expected = sum(size * size for size in sizes) / sum(sizes)
    assert abs(right.mean() - expected) < 4 * right.std() / N**0.5
    assert right.max() < hidden.sum()
