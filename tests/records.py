"""Records that tests start from, and how to change and to play them."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any

from tarot_sim.deals.deal import Deal
from tarot_sim.deals.dealing import Draws

Record = dict[str, Any]

#: Seat 0 takes, and discards the dog as it is.
FOUR: Record = {
    "schema": 1,
    "players": 4,
    "dealer": 3,
    "hands": [
        "A:21,20,19,18,17,16,15,14,13,12 P:R,D,C,V C:R,D K:R T:R",
        "A:11,10,9 P:10,9,8,7,6 C:C,V,10,9,8 K:D,C,V T:D,C",
        "A:8,7,6 P:5,4,3,2,1 C:7,6,5,4,3 K:10,9,8 T:V,10",
        "A:5,4,3,2,1,EX C:2,1 K:7,6,5,4,3 T:9,8,7,6,5",
    ],
    "dog": "K:2,1 T:4,3,2,1",
    "taker": 0,
    "contract": "garde",
    "called": None,
    "discard": "K:2,1 T:4,3,2,1",
    "chelem": False,
    "poignees": [{"seat": 0, "level": "simple"}],
    "plays": ["PR", "P10", "P5", "A5"],
}
FIVE: Record = {
    "players": 5,
    "dealer": 4,
    "hands": [
        "A:21,20,19,18,17,16,15,14 P:R,D C:R,D K:D,C T:D",
        "A:13,12,11 P:C,V,10,9 C:C,V,10,9 K:R T:C,V,10",
        "A:10,9,8 P:8,7,6,5 C:8,7,6,5 K:V T:9,8,7",
        "A:7,6,5 P:4,3,2,1 C:4,3,2,1 K:10 T:6,5,4",
        "A:4,3,2,1,EX K:9,8,7,6,5,4,3 T:3,2,1",
    ],
    "dog": "K:2,1 T:R",
    "taker": 0,
    "contract": "garde_sans",
    "called": "KR",
}
ENDING: Record = {
    "players": 4,
    "hands": ["A21 PR", "PD P2", "A3 CR", "P1 C2"],
    "leader": 1,
    "taker": 0,
    "contract": "garde",
    "attack_points": 30.5,
    "attack_bouts": ["A1"],
}


def changed(record: Record, **fields: Any) -> Record:
    """Return a copy of a record with some fields set."""
    return copy.deepcopy(record) | fields


def played(deal: Deal, seed: int) -> Deal:
    """Return the deal with all cards played at random."""
    draws, position = Draws(seed), deal.position()
    while not position.is_over:
        legal = position.legal_cards()
        position.play(legal[draws.below(len(legal))])
    return replace(deal, plays=position.plays)
