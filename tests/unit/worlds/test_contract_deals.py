"""From worlds to the deals that are played: dog, écart and camps."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tarot_sim.cards import BOUTS_MASK, EXCUSE, PETIT, VINGT_ET_UN, Card, Hand
from tarot_sim.rules import CONTRACTS, Contract, Rules
from tarot_sim.rules.auction import callable_cards
from tarot_sim.rules.discard import iter_discards, legal_discard_reason
from tarot_sim.worlds._sampler import sample_worlds
from tarot_sim.worlds.batch import NO_CALL, Deals
from tarot_sim.worlds.contract_deals import TAKER, contract_deals, dogs
from tarot_sim.worlds.discards import choose_discard

HANDS = {
    3: Hand("A:20,17,13,9,6,2,1,EX P:R,10,8,3 C:D,C,7,2 K:9,6,5,1 T:V,10,9,4", size=24),
    4: Hand("A:20,19,14,8,5 P:R,D,6 C:C,10,4 K:R,4,3 T:V,9,2,1", size=18),
    5: Hand("A:20,16,12,3,2 P:R,9,6 C:10,4 K:V,3,1 T:D,9", size=15),
}
PLAYERS = pytest.mark.parametrize("players", [3, 4, 5])
CALLED = Card.parse("TR")

Worlds = NDArray[np.uint8]


def worlds_of(players: int, n: int = 200, seed: int = 1) -> Worlds:
    return sample_worlds(HANDS[players], 0, Rules(players=players), n, np.random.PCG64DXSM(seed))


def deals_of(
    worlds: Worlds, contract: Contract, players: int, called: Card | None = None, **more: Any
) -> Deals:
    leaders = (np.arange(len(worlds)) % players).astype(np.uint8)
    if called is None and players == 5:
        called = CALLED
    rules = Rules(players=players)
    return contract_deals(worlds, rules, contract, leaders, called=called, **more)


def hand_at(owners: NDArray[np.uint8], place: int) -> Hand:
    return Hand(np.flatnonzero(owners == place).tolist())


@PLAYERS
def test_dogs(players: int) -> None:
    worlds = worlds_of(players)
    found = dogs(worlds, Rules(players=players))
    assert [hand_at(world, players) for world in worlds] == found
    assert dogs(worlds[:0], Rules(players=players)) == []


@PLAYERS
@pytest.mark.parametrize("contract", CONTRACTS)
def test_every_deal_is_whole(players: int, contract: Contract) -> None:
    worlds = worlds_of(players)
    before = worlds.copy()
    deals = deals_of(worlds, contract, players)
    rules = Rules(players=players)
    assert np.array_equal(worlds, before)
    assert len(deals) == len(worlds)
    assert deals.rules == rules
    assert (deals.leader == np.arange(200) % players).all()
    assert (deals.called == (CALLED if players == 5 else NO_CALL)).all()
    for seat in range(players):
        assert ((deals.owners == seat).sum(axis=1) == rules.hand_size).all()
    # Nobody but the taker gets another card than was dealt.
    others = (worlds != TAKER) & (worlds != players)
    assert (deals.owners[others] == worlds[others]).all()


@PLAYERS
@pytest.mark.parametrize("contract", ["prise", "garde"])
def test_ecart(players: int, contract: Contract) -> None:
    rules, worlds = Rules(players=players), worlds_of(players)
    deals = deals_of(worlds, contract, players)
    for row, dog in enumerate(dogs(worlds, rules)):
        full = HANDS[players] | dog
        ecart = hand_at(deals.owners[row], players)
        assert ecart == choose_discard(full, rules, called=CALLED if players == 5 else None)
        assert legal_discard_reason(full, ecart, rules) is None
        assert hand_at(deals.owners[row], TAKER) == full - ecart
        assert deals.half_points[row] == ecart.half_points
        assert deals.bouts[row] == 0


def test_prise_and_garde_are_the_same_deals() -> None:
    prise, garde = (deals_of(worlds_of(4), contract, 4) for contract in ("prise", "garde"))
    for field in ("owners", "attack", "half_points", "bouts"):
        assert np.array_equal(getattr(prise, field), getattr(garde, field))


@PLAYERS
def test_the_ecart_does_not_see_the_defence(players: int) -> None:
    """Worlds with one dog have one écart, wherever the other cards lie."""
    worlds = worlds_of(players, 100)
    moved = worlds.copy()
    for seat in range(1, players):
        moved[worlds == seat] = seat % (players - 1) + 1
    generator = np.random.default_rng(1)
    for row in moved:
        hidden = (row != TAKER) & (row != players)
        row[hidden] = generator.permutation(row[hidden])
    first, second = (deals_of(w, "garde", players) for w in (worlds, moved))
    assert not np.array_equal(first.owners, second.owners)
    assert np.array_equal(first.owners == players, second.owners == players)
    assert np.array_equal(first.half_points, second.half_points)


def test_an_ecart_is_asked_for_once() -> None:
    """It is a function of hand and dog, whatever the others hold."""
    seen: list[Hand] = []

    def discard(cards: Hand) -> Hand:
        seen.append(cards)
        return next(iter_discards(cards, Rules()))

    worlds = worlds_of(4, 3)[[0, 1, 0, 2, 1, 0]]
    worlds[2] = np.array([0, 2, 1, 3, 4])[worlds[2]]
    deals = deals_of(worlds, "garde", 4, discard=discard)
    assert seen == [HANDS[4] | dogs(worlds, Rules())[row] for row in (0, 1, 3)]
    for row, dog in enumerate(dogs(worlds, Rules())):
        cards = HANDS[4] | dog
        ecart = next(iter_discards(cards, Rules()))
        assert hand_at(deals.owners[row], 4) == ecart
        assert hand_at(deals.owners[row], 0) == cards - ecart
        assert deals.half_points[row] == ecart.half_points


def test_an_ecart_of_ones_own() -> None:
    seen: list[Hand] = []

    def discard(cards: Hand) -> Hand:
        seen.append(cards)
        return next(iter_discards(cards, Rules()))

    worlds = worlds_of(4, 20)
    deals = deals_of(worlds, "garde", 4, discard=discard)
    assert seen == [HANDS[4] | dog for dog in dogs(worlds, Rules())]
    for row, cards in enumerate(seen):
        ecart = next(iter_discards(cards, Rules()))
        assert hand_at(deals.owners[row], 4) == ecart
        assert deals.half_points[row] == ecart.half_points


@PLAYERS
def test_garde_sans_counts_the_dog(players: int) -> None:
    worlds = worlds_of(players, 1000)
    deals = deals_of(worlds, "garde_sans", players)
    assert np.array_equal(deals.owners, worlds)
    bits = {PETIT: 1, VINGT_ET_UN: 2, EXCUSE: 4}
    for row, dog in enumerate(dogs(worlds, Rules(players=players))):
        assert deals.half_points[row] == dog.half_points
        assert deals.bouts[row] == sum(bit for bout, bit in bits.items() if bout in dog)
    assert {hand.mask & BOUTS_MASK == 0 for hand in dogs(worlds, Rules(players=players))} == {
        True,
        False,
    }


@PLAYERS
def test_garde_contre_does_not(players: int) -> None:
    worlds = worlds_of(players)
    deals = deals_of(worlds, "garde_contre", players)
    assert np.array_equal(deals.owners, worlds)
    assert not deals.half_points.any()
    assert not deals.bouts.any()


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("contract", CONTRACTS)
def test_the_taker_is_alone_without_a_call(players: int, contract: Contract) -> None:
    assert (deals_of(worlds_of(players), contract, players).attack == 1 << TAKER).all()


@pytest.mark.parametrize("contract", CONTRACTS)
@pytest.mark.parametrize("called", callable_cards(HANDS[5], Rules(players=5)), ids=str)
def test_camps_at_five_players(contract: Contract, called: Card) -> None:
    worlds = worlds_of(5, 500)
    deals = deals_of(worlds, contract, 5, called)
    assert (deals.called == called).all()
    holders = set()
    for row, world in enumerate(worlds):
        holder = int(world[called])
        holders.add(holder)
        partner = 0 if holder in (TAKER, 5) else 1 << holder
        assert deals.attack[row] == 1 << TAKER | partner
    # One's own Roi is played alone; another is anywhere, the dog included.
    assert holders == ({TAKER} if called in HANDS[5] else {1, 2, 3, 4, 5})


def test_a_called_roi_in_the_dog_goes_to_the_taker_alone() -> None:
    worlds = worlds_of(5, 500)
    in_dog = worlds[:, CALLED] == 5
    assert in_dog.any()
    deals = deals_of(worlds, "garde", 5)
    assert (deals.owners[in_dog, CALLED] == TAKER).all()
    assert (deals.attack[in_dog] == 1 << TAKER).all()


def test_no_worlds() -> None:
    for contract in CONTRACTS:
        assert len(deals_of(worlds_of(4)[:0], contract, 4)) == 0
