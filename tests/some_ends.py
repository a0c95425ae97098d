"""What becomes of deals at the ends of the scale, made up; and wholes of arrays compared."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from tarot_sim.estimation.ends import Ends

if TYPE_CHECKING:
    from collections.abc import Sequence

#: A margin that no deal has: sweeps that are out of the question leave all others as they are.
FAR = 1000


def ends_of(
    petits: Sequence[float], chelems: Sequence[int] = (), margins: Sequence[int] = ()
) -> Ends:
    """Return ends of deals of which all is known.

    `petits` is who wins the Petit au bout, `chelems` who wins every trick (nobody unless given),
    with these `margins`.
    """
    n = len(petits)
    petit = np.array(petits, np.float64)
    sides = np.array(chelems or [0] * n)
    swept = np.array(margins or [0] * n)
    attack, defence = sides > 0, sides < 0
    sweep_margins = np.column_stack(
        [np.where(attack, swept, FAR), np.where(defence, swept, -FAR)]
    ).astype(np.int64)
    return Ends(
        sweeps=np.column_stack([attack, defence]).astype(np.float64),
        led=attack.astype(np.float64),
        sweep_margins=sweep_margins,
        sweep_points=sweep_margins + 100,
        sweep_petits=np.column_stack([petit * attack, petit * defence]),
        petits=petit * (sides == 0),
    )


def assert_same(
    one: Any, two: Any, name: str = "", *, rtol: float = 0.0, atol: float = 0.0
) -> None:
    """Compare dataclasses of arrays, and of dataclasses of these, field by field.

    With tolerances, as of `numpy.allclose`, floats need not be the very same.
    """
    assert type(one) is type(two), name
    if is_dataclass(one):
        for field in fields(one):
            parts = getattr(one, field.name), getattr(two, field.name)
            assert_same(*parts, f"{name}.{field.name}", rtol=rtol, atol=atol)
    elif (rtol or atol) and isinstance(one, np.ndarray) and one.dtype == np.float64:
        assert np.allclose(one, two, rtol=rtol, atol=atol), name
    else:
        assert np.array_equal(one, two), name
