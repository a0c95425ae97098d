"""Section 8: the score of a deal from its marks."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction

TARGETS = (56, 51, 41, 36)
COEFFICIENT = {"prise": 1, "garde": 2, "garde_sans": 4, "garde_contre": 6}
POIGNEE = {"simple": 20, "double": 30, "triple": 40}


def chelem_bonus(chelem: int, *, announced: bool) -> int:
    """Return what the chelem brings the taker from each defender (section 6).

    `chelem` is 1 if the attack has won all tricks, -1 if the defence has, 0 if neither.
    """
    if chelem == 1:
        return 400 if announced else 200
    failed = -200 if announced else 0
    return failed - 200 if chelem == -1 else failed


def per_defender(
    contract: str,
    points: Fraction,
    bouts: int,
    *,
    petit_au_bout: int = 0,
    poignees: Iterable[str] = (),
    chelem: int = 0,
    chelem_announced: bool = False,
) -> int:
    """Return V, which each defender loses; `points` are the attack's card points."""
    need = TARGETS[bouts]
    coefficient = COEFFICIENT[contract]
    made = points >= need
    difference = math.ceil(abs(points - need))
    value = (25 + difference) * coefficient + sum(POIGNEE[level] for level in poignees)
    if not made:
        value = -value
    value += petit_au_bout * 10 * coefficient
    return value + chelem_bonus(chelem, announced=chelem_announced)


def scores(players: int, value: int, *, partner: bool) -> dict[str, int]:
    """Return what the taker, the partner and each defender score if V is `value`."""
    if partner:
        assert players == 5
        result = {"taker": 2 * value, "partner": value, "defender": -value}
        assert result["taker"] + result["partner"] + 3 * result["defender"] == 0
    else:
        result = {"taker": (players - 1) * value, "defender": -value}
        assert result["taker"] + (players - 1) * result["defender"] == 0
    return result
