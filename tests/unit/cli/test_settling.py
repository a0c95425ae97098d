"""A score told part by part: the parts sum to it."""

from __future__ import annotations

from random import Random

import pytest

from tarot_sim.cli.settling import payments, settlement_lines
from tests.games import random_game


@pytest.mark.parametrize("players", [3, 4, 5])
def test_the_parts_sum_to_the_score(players: int) -> None:
    random, kinds = Random(players), set()
    for _ in range(200):
        game = random_game(players, random, plays=players * {3: 24, 4: 18, 5: 15}[players])
        assert game.score is not None
        parts = payments(game)
        kinds |= set(parts)
        assert sum(parts.values()) == game.score.per_defender
        *_, last = settlement_lines(game)
        assert str(abs(game.score.per_defender)) in last
    assert kinds >= {"contract", "petit_au_bout"}
