"""Worlds from a view: each that is possible as likely as any other, and no other."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import numpy as np
import pytest

from tarot_sim.cards import EXCUSE, PETIT, Hand
from tarot_sim.deals.view import View
from tarot_sim.errors import IllegalPlayError
from tarot_sim.rules import Rules
from tarot_sim.worlds.inference import Worlds
from tests.games import random_game
from tests.laws import LEAST_P_VALUE, p_value

TABLES = pytest.mark.parametrize("players", [3, 4, 5])


@TABLES
def test_they_agree_with_all_that_was_seen(players: int) -> None:
    """Every card played was legal in each world, every hand has its size, no Petit sec."""
    random = Random(players)
    for number in range(40):
        game = random_game(players, random)
        view = View.of(game, random.randrange(players))
        for row in Worlds(view).draw(5, np.random.PCG64DXSM(number)):
            check_world(view, row)


def check_world(view: View, row: np.ndarray) -> None:
    from tarot_sim._core import Position

    players, size = view.players, view.rules.hand_size
    hands = [Hand(np.flatnonzero(row == seat).tolist()) for seat in range(players)]
    aside = Hand(np.flatnonzero(row == players).tolist())
    assert [len(hand) for hand in hands] == [size] * players
    assert len(aside) == view.rules.dog_size
    assert hands[view.seat] == view.start
    dealt = list(hands)
    if view.takes_dog:
        assert view.dog is not None
        assert view.taker is not None
        both = dealt[view.taker] | aside
        assert view.dog & both == view.dog
        dealt[view.taker] = both - view.dog
        assert {card for card in aside if card.suit == 4} == set(view.shown_trumps)
        assert not any(card % 14 == 13 for card in aside if card < PETIT)
    assert not any(hand.is_petit_sec() for hand in dealt)
    assert view.taker is not None
    position = Position(
        hands,
        attack=[view.taker],
        leader=view.first_leader,
        rules=view.rules,
        called=view.called,
        attack_half_points=0,
    )
    for card in view.plays:
        try:
            position.play(card)
        except IllegalPlayError as error:  # pragma: no cover
            pytest.fail(str(error))
    for poignee in view.poignees:
        assert poignee.cards is not None
        held = hands[poignee.seat]
        if poignee.seat == view.taker:
            held |= aside
        assert poignee.cards - held == Hand()
        if EXCUSE in poignee.cards:
            assert held.trumps - poignee.cards == Hand()


@TABLES
def test_near_the_end_all_are_as_likely(players: int) -> None:
    check_uniform(players, 25, 50 + players)


def check_uniform(players: int, views: int, seed: int) -> None:
    """Hold draws against every way to give the hidden cards out, tried one by one."""
    random, tried = Random(seed), 0
    rules = Rules(players=players)
    while tried < views:
        left = random.choice([1, 2]) if players == 3 else 1
        game = random_game(players, random, plays=players * (rules.hand_size - left))
        view = View.of(game, random.randrange(players))
        ways = every_world(view)
        if not 2 <= len(ways) <= 400:
            continue
        tried += 1
        n = 100 * len(ways)
        drawn = Worlds(view).draw(n, np.random.PCG64DXSM(tried))
        counts = Counter(map(bytes, drawn))
        assert set(counts) == ways
        truth = np.full(78, players, np.uint8)
        for holder, hand in enumerate(game.hands):
            truth[list(hand | view.played[holder])] = holder
        assert bytes(truth) in ways
        assert p_value(counts, dict.fromkeys(ways, 1 / len(ways))) > LEAST_P_VALUE / views


def every_world(view: View) -> set[bytes]:
    """Return every world that agrees with a view, as rows."""
    rows: list[dict[int, int]] = [{}]
    for place, room in enumerate(view.capacities):
        longer = []
        for row in rows:
            rest = [card for card in view.unseen if card not in row]
            may = [card for card in rest if view.allowed[card] >> place & 1]
            for chosen in combinations(may, room):
                longer.append(row | dict.fromkeys(map(int, chosen), place))
            if len(longer) > 20_000:
                return set()
        rows = longer
    base = np.full(78, view.players, np.uint8)
    for seat, cards in enumerate(view.played):
        base[list(cards)] = seat
    base[list(view.holding)] = view.seat
    found = set()
    for row in rows:
        world = base.copy()
        world[list(row)] = list(row.values())
        dealt = world.copy()
        if view.takes_dog:
            assert view.dog is not None
            assert view.taker is not None
            dealt[world == view.players] = view.taker
            dealt[list(view.dog)] = view.players
        holder = dealt[PETIT]
        beside = [card for card in range(PETIT + 1, 78) if dealt[card] == holder]
        if holder == view.players or beside:
            found.add(bytes(world))
    return found


def test_what_the_dog_shows_belongs_to_the_taker() -> None:
    random = Random(7)
    for _ in range(30):
        game = random_game(4, random)
        if not game.takes_dog or game.taker is None:
            continue
        seat = (game.taker + 1) % 4
        view = View.of(game, seat)
        drawn = Worlds(view).draw(20, np.random.PCG64DXSM(1))
        for card in game.dog:
            if card in view.unseen:
                assert set(drawn[:, card].tolist()) <= {game.taker, 4}
