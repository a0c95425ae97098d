"""Bounds of a position's value that need next to no search.

What may become of a deal is listed (`tarot_sim.solver._outcomes`). Whatever a camp is proved to
be able to do leaves some of this list: to win every trick, to keep the other camp from that, to
reach a margin. Its value is then at least as good for that camp as the worst of what is left.
A score is bounded so by bounds of the margin.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, NamedTuple

from tarot_sim.rules import CAMPS, Camp
from tarot_sim.solver._outcomes import outcomes
from tarot_sim.solver._sweep import can_sweep
from tarot_sim.solver.objectives import MARGIN, POINTS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tarot_sim._core import Position
    from tarot_sim.solver._solver import Solver
    from tarot_sim.solver.objectives import Stakes

#: Cards played to prove that a camp wins every trick, or not: a millisecond or two.
SWEEP_NODES: Final = 20_000
#: Which sign each camp's chelem and Petit au bout have.
_SIGNS: Final[dict[Camp, int]] = {"attack": 1, "defence": -1}


class Outcome(NamedTuple):
    """What may become of a deal, in half points; see `tarot_sim.solver._outcomes.outcomes`."""

    chelem: int
    petit_au_bout: int
    least: int
    most: int
    least_points: int
    most_points: int


@dataclass(frozen=True, slots=True)
class Sure:
    """What is proved of a position.

    Attributes
    ----------
    attack, defence
        What each camp can bring about: sets of outcomes of which the camp can see to it that
        one comes. None is empty.
    margin
        Bounds of the margin, in half points.
    points
        Bounds of the attack's half points.
    chelem
        Whether each camp can win every trick; None where that is open.
    """

    attack: tuple[tuple[Outcome, ...], ...]
    defence: tuple[tuple[Outcome, ...], ...]
    margin: tuple[int, int]
    points: tuple[int, int]
    chelem: dict[Camp, bool | None]

    def with_margin(self, low: int, high: int) -> Sure:
        """Return the same with bounds of the margin that a search has found."""
        return replace(self, margin=(max(low, self.margin[0]), min(high, self.margin[1])))

    def scores(self, stakes: Stakes) -> tuple[int, int]:
        """Return bounds of what each defender loses."""
        low, high = self.margin

        def worth(outcome: Outcome, margin: int) -> int:
            return stakes.per_defender(margin, outcome.petit_au_bout, outcome.chelem)

        # Each camp can also see to it that the margin is within its bound.
        everything = self.attack[0]
        least = [
            worth(outcome, max(outcome.least, low)) for outcome in everything if outcome.most >= low
        ]
        most = [
            worth(outcome, min(outcome.most, high))
            for outcome in everything
            if outcome.least <= high
        ]
        return (
            max(
                min(least),
                _best(self.attack, lambda outcome: worth(outcome, outcome.least)),
            ),
            min(
                max(most),
                -_best(self.defence, lambda outcome: -worth(outcome, outcome.most)),
            ),
        )


def sure_of(position: Position, solver: Solver, *, prove: bool = True) -> Sure:
    """Return what is proved of a position that is not over.

    Parameters
    ----------
    position
        Any point of the play but its end; it is not changed.
    solver
        Its bounds that need no search are taken in.
    prove
        Whether to look for proofs that a camp wins every trick, or cannot.
    """
    rows = tuple(Outcome(*row) for row in outcomes(position))
    chelem: dict[Camp, bool | None] = {
        camp: None if any(row.chelem == _SIGNS[camp] for row in rows) else False for camp in CAMPS
    }
    sets: dict[Camp, list[tuple[Outcome, ...]]] = {camp: [rows] for camp in CAMPS}
    if prove:
        for camp, other in zip(CAMPS, reversed(CAMPS), strict=True):
            if chelem[camp] is None:
                chelem[camp] = sweeps(position, camp)
            for petit in (False, True):
                answer = chelem[camp]
                if petit and answer:
                    answer = can_sweep(position, camp, SWEEP_NODES, petit_au_bout=True)[0]
                if answer is not None:
                    meant = [row for row in rows if _is_sweep(row, camp, petit=petit)]
                    rest = [row for row in rows if row not in meant]
                    sets[camp if answer else other].append(tuple(meant if answer else rest))
    attack, defence = (tuple(filter(None, sets[camp])) for camp in CAMPS)
    low, high = solver.bounds(position, MARGIN)
    least, most = solver.bounds(position, POINTS)
    return Sure(
        attack,
        defence,
        (
            max(low, _best(attack, lambda row: row.least)),
            min(high, -_best(defence, lambda row: -row.most)),
        ),
        (
            max(least, _best(attack, lambda row: row.least_points)),
            min(most, -_best(defence, lambda row: -row.most_points)),
        ),
        chelem,
    )


def sweeps(position: Position, camp: Camp) -> bool | None:
    """Tell whether a camp can win every trick, None where a short search does not tell."""
    return can_sweep(position, camp, SWEEP_NODES)[0]


def _is_sweep(row: Outcome, camp: Camp, *, petit: bool) -> bool:
    """Tell whether a camp wins every trick in an outcome, and the Petit au bout if asked for."""
    sign = _SIGNS[camp]
    return row.chelem == sign and (not petit or row.petit_au_bout == sign)


def _best(sets: Iterable[tuple[Outcome, ...]], worth: Callable[[Outcome], int]) -> int:
    """Return the worst of each set, of the best set."""
    return max(min(map(worth, rows)) for rows in sets)
