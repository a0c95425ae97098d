"""Many positions solved in one call."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from tarot_sim.arguments import one_of, some
from tarot_sim.parallel import in_threads, thread_count
from tarot_sim.solver._solver import DEFAULT_TABLE_BYTES, Solver
from tarot_sim.solver.limit import Limit
from tarot_sim.solver.objectives import MARGIN, POINTS
from tarot_sim.solver.positions import Solvable, position_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


def solve_many(
    positions: Sequence[Solvable],
    objective: Literal["points", "margin"] = "margin",
    *,
    threshold: int | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
    n_jobs: int = 1,
    table_bytes: int = DEFAULT_TABLE_BYTES,
) -> NDArray[Any]:
    """Solve many positions; the GIL is released.

    Parameters
    ----------
    positions
        Of any deals, or deals and games that stand there; positions of one deal
        that stand together share more of the table.
    objective
        ``"points"`` or ``"margin"``.
    threshold
        Only find out whether each value reaches this many half points (0 of the margin:
        whether the contract is made); by default every value is found.
    nodes, seconds
        Limits of each position; without one every answer is exact and the same for
        every `n_jobs`.
    n_jobs
        Threads, as joblib counts them, each with a table of `table_bytes`.

    Returns
    -------
    numpy.ndarray
        Shape (n,), with the fields lower and upper (int16), sound bounds in half points;
        exact (bool), whether the question was answered; and nodes (int64), the positions
        searched.

    Raises
    ------
    OptionError
        If the objective is neither, a limit is negative, or a table too small.

    Examples
    --------
    >>> from tarot_sim import Hand, Position
    >>> position = Position(
    ...     [Hand("A21 PR"), Hand("PD P2"), Hand("A3 CR"), Hand("P1 C2")],
    ...     attack=[0], leader=0, won=(True, True))
    >>> solve_many([position, position], "points")["lower"]
    array([38, 38], dtype=int16)
    """
    one_of("objective", objective, ("points", "margin"))
    numbers = MARGIN if objective == "margin" else POINTS
    limit = Limit(nodes, seconds)
    asked = some("positions", positions)
    held = [position_of(what, f"positions[{i}]") for i, what in enumerate(asked)]

    def part(first: int, last: int) -> NDArray[Any]:
        return Solver(table_bytes).many(held[first:last], numbers, threshold, limit=limit)

    # A few parts a thread, so that a hard one does not hold up the others.
    parts = min(len(held), 4 * thread_count(n_jobs)) if n_jobs != 1 else 1
    edges = [len(held) * number // max(1, parts) for number in range(parts + 1)]
    calls = [partial(part, first, last) for first, last in pairwise(edges)]
    found = list(in_threads(n_jobs, calls))
    return np.concatenate(found) if found else part(0, 0)
