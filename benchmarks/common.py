"""Deals that the benchmarks share, each a function of the players and a seed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tarot_sim import Card, Deal, Hand, Position, Rules
from tarot_sim.deals.dealing import Draws
from tarot_sim.worlds.discards import EVEN, discard_by

if TYPE_CHECKING:
    pass

PLAYERS = (3, 4, 5)


def stored_discard(cards: Hand, rules: Rules, called: Card | None = None) -> Hand:
    """Return the écart of stored worlds for hand and dog together.

    It is that of the rule when they were made, so that they can be dealt again.
    """
    return discard_by(EVEN, cards, rules, called)


def first_position(players: int, seed: int) -> Position:
    """Return the start of the play of a random deal: seat 0 attacks, the dog lies apart.

    At five players seat 2 is the partner.
    """
    deal = Deal.random(players=players, rng=seed)
    attack = [0, 2] if players == 5 else [0]
    return Position(deal.hands, attack=attack, leader=1)


def played_deal(players: int, seed: int) -> Deal:
    """Return a Garde sans in which every card was played at random."""
    draws = Draws(seed)
    deal = Deal.random(players=players, rng=seed)
    called = None
    if players == 5:
        # A Roi that the taker lacks, or the taker's own where there is no other.
        rois = [card for card in deal.hands[1] | deal.hands[2] | deal.hands[3] if card.rank == 14]
        called = rois[0]
    deal = replace(deal, taker=0, contract="garde_sans", called=called)
    position = deal.position()
    while not position.is_over:
        legal = position.legal_cards()
        position.play(legal[draws.below(len(legal))])
    return replace(deal, plays=position.plays)
