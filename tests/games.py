"""Games that are played to some point, for tests of what a seat sees then."""

from __future__ import annotations

from random import Random

from tarot_sim.deals.deal import Deal
from tarot_sim.deals.game import Game
from tarot_sim.rules import CONTRACTS, Rules
from tarot_sim.worlds.discards import random_discard


def random_game(
    players: int, random: Random, *, plays: int | None = None, poignees: float = 0.7
) -> Game:
    """Return a game with random bids, call, écart and plays, in the play of the cards.

    Parameters
    ----------
    players
        3, 4 or 5.
    random
        Where everything comes from.
    plays
        Cards played; by default any number, but not all of them.
    poignees
        How often a poignée is shown that may be.
    """
    import numpy as np

    rng = np.random.default_rng(random.randrange(1 << 32))
    rules = Rules(players=players)
    deal = Deal.random(rules=rules, rng=rng)
    game = Game(deal.hands, deal.dog, dealer=deal.dealer or 0, rules=rules)
    taker, contract = random.randrange(players), random.choice(CONTRACTS)
    while game.phase == "auction":
        game.bid(contract if game.to_move == taker else "pass")
    if game.phase == "call":
        game.call(random.choice(game.callable_cards()))
    if game.phase == "discard":
        assert game.taker is not None
        game.discard(random_discard(game.hands[game.taker], rules, rng))
    if plays is None:
        plays = random.randrange(players * rules.hand_size)
    while len(game.plays) < plays:
        if game.legal_poignees() and random.random() < poignees:
            game.show_poignee(random.choice(game.legal_poignees()))
        game.play(random.choice(game.legal_cards()))
    return game
