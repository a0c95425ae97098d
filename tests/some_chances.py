"""Hands that are asked about, and quick answers for them."""

from __future__ import annotations

from functools import cache
from typing import Any

from tarot_sim.estimation.answers import Chances, ContractChances
from tarot_sim.estimation.hand_chances import chances
from tarot_sim.estimation.intervals import interval

#: Hands that make everything, that are worth a Garde, and that make nothing.
MONSTERS = {
    3: "A:21,20,19,18,17,16,15,14,13,12,11,10,1,EX P:R,D,C C:R,D K:R,D T:R,D,C",
    4: "A:21,20,19,18,17,16,15,14,13,12,1,EX P:R,D C:R K:R T:R,D",
    5: "A:21,20,19,18,17,16,15,14,13,1,EX P:R,D C:R K:R",
}
FAIR = {
    3: "A:21,18,15,13,11,9,6,4,2,EX P:R,D,8,4 C:R,10,5 K:D,9,4,2 T:R,7,3",
    4: "A:21,19,15,12,9,6,3,EX P:R,D,7 C:R,10,5 K:9,4 T:V,8",
    5: "A:21,18,14,11,7,4,EX P:R,D,6 C:10,5 K:9 T:V,8",
}
RUBBISH = {
    3: "A:5,3,2 P:10,9,8,7,6,5,1 C:8,7,6,4,3 K:9,8,6,5 T:V,8,7,6,1",
    4: "A:4,3 P:10,9,8,7,6 C:8,7,6,5,4 K:9,8,7 T:V,8,7",
    5: "A:4,3 P:10,9,8,7 C:8,7,6,4 K:9,8,7 T:V,8",
}


@cache
def answer(hand: str, players: int = 4, **options: Any) -> Chances:
    """Return quick chances, once for each question."""
    defaults: dict[str, Any] = {"worlds": 50, "method": "fast", "n_jobs": 1}
    return chances(hand, players=players, **(defaults | options))


def half_width(row: ContractChances) -> float:
    """Return half of the 95 % interval that the sampling alone leaves."""
    low, high = interval(row.p_make, row.se)
    return (high - low) / 2
