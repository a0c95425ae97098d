"""Exact laws of dealt cards, and how to compare counts with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from math import comb
from typing import TypeVar

from scipy.stats import chi2

Value = TypeVar("Value", bound=Hashable)

#: A right sampler is refused once in 100,000 tests; whether a seed is never changes.
LEAST_P_VALUE = 1e-5
#: Cells in which fewer are expected are pooled.
_LEAST_EXPECTED = 5


def hypergeometric(marked: int, pack: int, drawn: int) -> dict[int, Fraction]:
    """Return the chances of 0, 1, 2… marked cards among those drawn from a pack."""
    return {
        k: Fraction(comb(marked, k) * comb(pack - marked, drawn - k), comb(pack, drawn))
        for k in range(min(marked, drawn) + 1)
    }


def p_value(
    values: Iterable[Value] | Mapping[Value, int], law: Mapping[Value, Fraction | float]
) -> float:
    """Return how likely values at least as far from `law` are, by Pearson's chi-square.

    A mapping tells how often each value was seen.
    """
    observed: Counter[Value] = Counter(values)
    strange = [value for value in observed if observed[value] and not law.get(value)]
    assert not strange, f"{strange} cannot be"
    assert abs(float(sum(law.values())) - 1) < 1e-9
    n = observed.total()
    pooled_seen, pooled_expected = 0, 0.0
    cells: list[tuple[int, float]] = []
    for value in sorted(law, key=law.__getitem__):
        pooled_seen += observed[value]
        pooled_expected += float(law[value]) * n
        if pooled_expected >= _LEAST_EXPECTED:
            cells.append((pooled_seen, pooled_expected))
            pooled_seen, pooled_expected = 0, 0.0
    assert len(cells) > 1, "too few values to tell anything"
    statistic = sum((seen - expected) ** 2 / expected for seen, expected in cells)
    return float(chi2.sf(statistic, len(cells) - 1))


def published(figures: str, chances: Sequence[Fraction]) -> None:
    """Assert that chances in per cent are the figures, to the digits printed.

    Some figures were rounded twice, so that they are off by a little more than a half of
    their last digit.
    """
    for figure, chance in zip(figures.split(), chances, strict=True):
        unit = Fraction(1, 10 ** len(figure.partition(".")[2]))
        assert abs(Fraction(figure) - 100 * chance) < Fraction(55, 100) * unit, float(chance)
