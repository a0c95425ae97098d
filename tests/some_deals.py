"""Hands of every strength, and what is asked of them: deals to judge, plans."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tarot_sim.cards import EXCUSE, PETIT, VINGT_ET_UN, Card, Hand
from tarot_sim.estimation.plan import Plan
from tarot_sim.rules import Contract, Rules
from tarot_sim.worlds._sampler import sample_worlds
from tarot_sim.worlds.batch import Deals
from tarot_sim.worlds.contract_deals import contract_deals

BOUTS = (PETIT, VINGT_ET_UN, EXCUSE)
CALLED = Card.parse("TR")
STRENGTHS = ("strong", "fair", "hopeless")
#: A strong, a fair and a hopeless hand for each table.
HANDS = {
    3: (
        "A:21,20,19,18,17,16,15,14,13,12,11,1,EX P:R,D,C C:R,D,C K:R,D T:R,D,C",
        "A:20,17,13,9,6,2,1,EX P:R,10,8,3 C:D,C,7,2 K:9,6,5,1 T:V,10,9,4",
        "A:5,3,2 P:10,9,8,7,6,5,1 C:8,7,6,4,3 K:9,8,6,5 T:V,8,7,6,1",
    ),
    4: (
        "A:21,20,19,18,17,16,15,14,13,1,EX P:R,D C:R,D K:R T:R,D",
        "A:20,19,14,8,5 P:R,D,6 C:C,10,4 K:R,4,3 T:V,9,2,1",
        "A:4,3 P:10,9,8,7,6 C:8,7,6,5,4 K:9,8,7 T:V,8,7",
    ),
    5: (
        "A:21,20,19,18,17,16,15,14,1,EX P:R,D C:R,D K:R",
        "A:20,16,12,3,2 P:R,9,6 C:10,4 K:V,3,1 T:D,9",
        "A:4,3 P:10,9,8,7 C:8,7,6,4 K:9,8,7 T:V,8",
    ),
}


@cache
def some_deals(
    players: int,
    contract: Contract = "garde",
    n: int = 10,
    seed: int = 1,
    hands: str = "strong fair hopeless",
) -> Deals:
    """Return n deals of each hand, at five players with the Roi of clubs called."""
    rules = Rules(players=players)
    called = CALLED if players == 5 else None
    parts = []
    for number, (strength, text) in enumerate(zip(STRENGTHS, HANDS[players], strict=True)):
        if strength not in hands.split():
            continue
        hand = Hand(text, size=rules.hand_size)
        generator = np.random.PCG64DXSM([seed, number])
        worlds = sample_worlds(hand, 0, rules, n, generator)
        leaders = ((np.arange(n) + number) % players).astype(np.uint8)
        parts.append(contract_deals(worlds, rules, contract, leaders, called=called))
    arrays: dict[str, NDArray[Any]] = {
        field: np.concatenate([getattr(part, field) for part in parts])
        for field in ("owners", "attack", "leader", "half_points", "bouts", "called")
    }
    return Deals(rules, **arrays, contract=contract)


#: A middling hand for each table.
MIDDLING = {players: Hand(hands[1]) for players, hands in HANDS.items()}


def plan_of(players: int = 4, **more: Any) -> Plan:
    """Return a plan for a middling hand, at five players with the Roi of clubs called."""
    defaults: dict[str, Any] = {"seed": 1, "method": "fast"}
    if players == 5:
        defaults["called"] = CALLED
    return Plan(MIDDLING[players], Rules(players=players), **(defaults | more))
