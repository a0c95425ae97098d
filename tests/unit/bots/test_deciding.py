"""The hidden cards on which a choice turns."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from tarot_sim.bots.deciding import deciding_fact
from tarot_sim.bots.worlds_seen import draw_owners
from tarot_sim.deals.view import View
from tests.games import random_game

TABLES = pytest.mark.parametrize("players", [3, 4, 5])


def some_view(players: int, seed: int) -> View:
    random = Random(seed)
    while True:
        game = random_game(players, random, plays=2 * players, poignees=0)
        if game.phase == "play" and game.to_move is not None and game.to_move != game.taker:
            return View.of(game, game.to_move)


@TABLES
def test_the_fact_that_was_planted_is_found(players: int) -> None:
    rng = np.random.default_rng(players)
    view = some_view(players, players)
    owners = draw_owners(view, 400, rng)
    card = next(c for c in view.unseen if c.name[1:] in ("R", "D") and c < 56)
    shares = [(owners[:, card] == seat).mean() for seat in range(players)]
    seat = max((s for s in range(players) if s != view.seat), key=lambda s: shares[s])
    holds = owners[:, card] == seat
    assert 0.05 < holds.mean() < 0.95
    gains = np.where(holds, 40.0, -10.0) + 20 * rng.standard_normal(400)
    fact = deciding_fact(view, owners, gains)
    assert fact is not None
    assert (fact.seat, fact.card, fact.suit) == (seat, card, None)
    assert fact.share == pytest.approx(holds.mean())
    assert fact.gain == pytest.approx(gains[holds].mean())
    assert fact.otherwise == pytest.approx(gains[~holds].mean())


def test_a_void_that_was_planted_is_found() -> None:
    rng = np.random.default_rng(1)
    for seed in range(200):
        view = some_view(4, seed)
        owners = draw_owners(view, 600, rng)
        for suit in range(4):
            cards = [c for c in view.unseen if c < 56 and c // 14 == suit]
            for seat in range(4):
                if not cards or seat == view.seat or suit in view.voids[seat]:
                    continue
                lacks = ~(owners[:, cards] == seat).any(axis=1)
                if not 0.15 < lacks.mean() < 0.85:
                    continue
                gains = np.where(lacks, 30.0, 0.0) + 5 * rng.standard_normal(600)
                fact = deciding_fact(view, owners, gains)
                assert fact is not None
                assert (fact.seat, fact.card, fact.suit) == (seat, None, suit)
                return
    raise AssertionError("no view in which a void is open")


@TABLES
def test_noise_decides_nothing(players: int) -> None:
    rng = np.random.default_rng(10 + players)
    view = some_view(players, players)
    owners = draw_owners(view, 200, rng)
    found = [
        deciding_fact(view, owners, rng.standard_normal(len(owners))) is not None for _ in range(40)
    ]
    assert sum(found) <= 6


def test_equal_gains_decide_nothing() -> None:
    view = some_view(4, 1)
    owners = draw_owners(view, 100, np.random.default_rng(1))
    assert deciding_fact(view, owners, np.zeros(100)) is None
