"""House rules: what a table may pay otherwise, step by step from the marks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from tests.reference.scoring import COEFFICIENT, POIGNEE, TARGETS, chelem_bonus

HALF = Fraction(1, 2)


def counted(distance: Fraction, half_points: str, rounding: int) -> int:
    """Return the points that count for this many above or below the target."""
    whole = math.ceil(distance) if half_points == "up" else math.floor(distance)
    below = whole - whole % rounding
    above = below + rounding if whole % rounding else below
    return above if above - whole <= whole - below else below


def per_defender(
    contract: str,
    points: Fraction,
    bouts: int,
    *,
    petit_au_bout: int = 0,
    poignees: Sequence[str] = (),
    miseres: int = 0,
    chelem: int = 0,
    chelem_announced: bool = False,
    bonus: Sequence[int] = tuple(POIGNEE.values()),
    half_points: str = "up",
    rounding: int = 1,
    misere: int = 0,
    pousse: Sequence[int] = (),
) -> int:
    """Return what each defender loses; the last six are the house rules."""
    if pousse:
        names = ("prise", "pousse", "garde", "garde_sans", "garde_contre")
        coefficient = pousse[names.index(contract)]
    else:
        coefficient = COEFFICIENT[contract]
    distance = points - TARGETS[bouts]
    value = coefficient * (25 + counted(abs(distance), half_points, rounding))
    for level in poignees:
        value += bonus[("simple", "double", "triple").index(level)]
    value += miseres * misere
    if distance < 0:
        value = -value
    value += 10 * coefficient * petit_au_bout
    return value + chelem_bonus(chelem, announced=chelem_announced)
