from __future__ import annotations

import numpy as np
import pytest

from tarot_sim.cards import Card, Hand
from tarot_sim.rules import Rules
from tarot_sim.rules.discard import legal_discard_reason, trumps_to_discard
from tarot_sim.worlds.discards import choose_discard, discard_candidates

pytestmark = pytest.mark.slow

ROIS = (13, 27, 41, 55)


# Case 17: every chooser's écart is legal on 100,000 hands.
@pytest.mark.parametrize("players", [3, 4, 5])
def test_choices_are_legal(players: int) -> None:
    rules = Rules(players=players)
    rng = np.random.default_rng(players)
    size = rules.hand_size + rules.dog_size
    forced = 0
    for number in range(100_000):
        # Half the hands are drawn with weights that make trumps and Rois crowd them.
        keys = rng.random(78)
        if number % 2:
            keys[56:] *= rng.random()
            keys[list(ROIS)] *= rng.random()
        cards = Hand(np.argsort(keys)[:size].tolist())
        called = Card(ROIS[number % 4]) if players == 5 else None
        assert (
            legal_discard_reason(cards, choose_discard(cards, rules, called=called), rules) is None
        )
        forced += trumps_to_discard(cards, rules) > 0
        if number % 50 == 0:
            for discard in discard_candidates(cards, rules, 10, rng, called=called):
                assert legal_discard_reason(cards, discard, rules) is None
    assert forced > 100
