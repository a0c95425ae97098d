"""Double-dummy answers: what a position is worth when all hands are in view.

The attack plays for the objective, the defence against it:

* ``points``: the attack's card points at the end;
* ``margin``: these minus what its bouts need, so that the contract is made from 0 up;
* ``score``: the taker's score, with the Petit au bout and the chelem.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np

from tarot_sim._core import Position
from tarot_sim._solver import DEFAULT_TABLE_BYTES, Objective, Solver
from tarot_sim.errors import RulesError
from tarot_sim.rules import COEFFICIENTS, POIGNEES, TARGETS, TOTAL_HALF_POINTS, Contract
from tarot_sim.scoring import card_points

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from tarot_sim._core import Result
    from tarot_sim.cards import Card

ObjectiveName = Literal["points", "margin", "score"]
OBJECTIVES: Final[tuple[ObjectiveName, ...]] = ("points", "margin", "score")

_NEED: Final = tuple(2 * target for target in TARGETS)
_POINTS: Final = Objective()
_MARGIN: Final = Objective(_NEED)
#: Beyond every margin: a threshold that is always or never reached.
_BEYOND: Final = 2 * TOTAL_HALF_POINTS


@dataclass(frozen=True, slots=True)
class Stakes:
    """What a score depends on beside the play.

    Attributes
    ----------
    contract
        The contract.
    poignees
        Names of the poignées shown by either camp.
    chelem_announced
        Whether the taker announced the chelem.
    """

    contract: Contract
    poignees: Sequence[str] = ()
    chelem_announced: bool = False

    def per_defender(self, margin: int, petit_au_bout: int, chelem: int) -> int:
        """Return what each defender loses, from a margin in half points.

        `petit_au_bout` and `chelem` are +1 for the attack, −1 for the defence, else 0.
        """
        coefficient = COEFFICIENTS[self.contract]
        sign = 1 if margin >= 0 else -1
        bonus = sum(POIGNEES[level] for level in self.poignees)
        score = sign * ((25 + (abs(margin) + 1) // 2) * coefficient + bonus)
        if chelem > 0:
            slam = 400 if self.chelem_announced else 200
        else:
            slam = (-200 if chelem < 0 else 0) - (200 if self.chelem_announced else 0)
        return score + 10 * coefficient * petit_au_bout + slam

    def objective(self, threshold: int) -> Objective:
        """Return an objective of at least 0 exactly where a defender loses `threshold`.

        The score grows with the margin: for each end of the Petit and the chelem there
        is a least margin that suffices.
        """
        extra = [
            -self._least_margin(threshold, petit_au_bout, chelem)
            for petit_au_bout in (-1, 0, 1)
            for chelem in (-1, 0, 1)
        ]
        return Objective(_NEED, extra)

    def _least_margin(self, threshold: int, petit_au_bout: int, chelem: int) -> int:
        low, high = -_BEYOND, _BEYOND
        while low < high:
            middle = (low + high) // 2
            if self.per_defender(middle, petit_au_bout, chelem) >= threshold:
                high = middle
            else:
                low = middle + 1
        return low


@dataclass(frozen=True, slots=True)
class Solution:
    """A double-dummy answer.

    Values are half points for the objectives points and margin, and the taker's score
    for the objective score.

    Attributes
    ----------
    objective
        What the attack played for.
    value
        The value; None where the budget ended first.
    bounds
        Sound bounds; equal when the value is known.
    make
        Whether the contract is made; None where that is open.
    best
        A card with that value, None if no card is left or the value is open.
    cards
        Value of every legal card, equivalent ones included, if asked for.
    line
        A best line of play to the end, if asked for.
    exact
        Whether all that was asked for is known.
    nodes
        Positions searched.
    seconds
        Wall time.
    """

    objective: ObjectiveName
    value: int | None
    bounds: tuple[int, int]
    make: bool | None
    best: Card | None
    cards: dict[Card, int] | None
    line: tuple[Card, ...] | None
    exact: bool
    nodes: int
    seconds: float

    def to_dict(self) -> dict[str, Any]:
        """Return the answer with the keys of the command line's JSON, in card points."""
        shown = (lambda value: value) if self.objective == "score" else card_points
        return {
            "objective": self.objective,
            "value": None if self.value is None else shown(self.value),
            "bounds": [shown(bound) for bound in self.bounds],
            "make": self.make,
            "best": None if self.best is None else self.best.name,
            "cards": None
            if self.cards is None
            else {card.name: shown(value) for card, value in self.cards.items()},
            "line": None if self.line is None else [card.name for card in self.line],
            "exact": self.exact,
            "nodes": self.nodes,
            "seconds": self.seconds,
        }


class _OutOfBudget(Exception):
    """The node or time budget is used up."""


class _Question:
    """One objective asked of positions of one deal, within one budget."""

    def __init__(
        self,
        solver: Solver,
        objective: ObjectiveName,
        stakes: Stakes | None,
        shares: int,
        nodes: int | None,
        seconds: float | None,
    ) -> None:
        self.solver = solver
        self.objective = objective
        self.stakes = stakes
        self.shares = shares
        self.searched = 0
        self._nodes = nodes
        self._deadline = None if seconds is None else time.monotonic() + seconds
        self._objectives: dict[int, Objective] = {}

    def _budget(self) -> dict[str, Any]:
        nodes = None if self._nodes is None else self._nodes - self.searched
        seconds = None if self._deadline is None else self._deadline - time.monotonic()
        if (nodes is not None and nodes <= 0) or (seconds is not None and seconds <= 0):
            raise _OutOfBudget
        return {"nodes": nodes, "seconds": seconds}

    def _at_least(self, position: Position, objective: Objective, threshold: int) -> bool:
        answer, nodes = self.solver.at_least(position, objective, threshold, **self._budget())
        self.searched += nodes
        if answer is None:
            raise _OutOfBudget
        return answer

    def makes(self, position: Position) -> bool:
        """Tell whether the contract is made."""
        return self._at_least(position, _MARGIN, 0)

    def reaches(self, position: Position, value: int) -> bool:
        """Tell whether a position is worth at least `value` to the attack."""
        if self.objective == "score":
            threshold = -(-value // self.shares)
            return self._at_least(position, self._score_objective(threshold), 0)
        return self._at_least(position, _MARGIN if self.objective == "margin" else _POINTS, value)

    def _score_objective(self, threshold: int) -> Objective:
        assert self.stakes is not None
        if threshold not in self._objectives:
            self._objectives[threshold] = self.stakes.objective(threshold)
        return self._objectives[threshold]

    def bounds(self, position: Position, guess: int | None = None) -> tuple[int, int]:
        """Return the value twice, or what the budget allows to say of it.

        Nothing is lost when the budget ends: the bounds so far are returned.
        """
        if self.objective == "score":
            return self._score_bounds(position)
        return self._search(position, _MARGIN if self.objective == "margin" else _POINTS, guess)

    def _search(
        self, position: Position, objective: Objective, guess: int | None
    ) -> tuple[int, int]:
        low, high = _START if objective is _MARGIN else (0, TOTAL_HALF_POINTS)
        try:
            budget = self._budget()
        except _OutOfBudget:
            return low, high
        low, high, nodes = self.solver.value(
            position, objective, lower=low, upper=high, guess=guess, **budget
        )
        self.searched += nodes
        return low, high

    def _score_bounds(self, position: Position) -> tuple[int, int]:
        """Bisect the score, beginning near what the best margin brings."""
        assert self.stakes is not None
        least, most = self._search(position, _MARGIN, None)
        ends = [(petit, chelem) for petit in (-1, 0, 1) for chelem in (-1, 0, 1)]
        low = min(self.stakes.per_defender(_START[0], *end) for end in ends)
        high = max(self.stakes.per_defender(_START[1], *end) for end in ends)
        if least == most:
            # Playing for the margin brings at least this much, whatever else happens.
            guess = self.stakes.per_defender(least, 0, 0)
            step = 1
            try:
                while low < high:
                    guess = min(max(guess, low + 1), high)
                    if self._at_least(position, self._score_objective(guess), 0):
                        low, guess = guess, guess + step
                    else:
                        high, guess = guess - 1, guess - step
                    # Gallop away from the first guess, then bisect.
                    step *= 2
                    if step > 16:
                        guess = (low + high + 1) // 2
            except _OutOfBudget:
                pass
        return low * self.shares, high * self.shares


_START: Final = (-_NEED[0], TOTAL_HALF_POINTS - _NEED[3])


def _shares(position: Position) -> int:
    """Return how many times a defender's loss the taker wins."""
    attackers = len(position.attack)
    if attackers == 1:
        return position.players - 1
    if attackers == 2 and position.players == 5:
        return 2
    raise RulesError(
        f"objective: no score is defined for {attackers} attackers at {position.players} players"
    )


def _final_value(
    result: Result, objective: ObjectiveName, stakes: Stakes | None, shares: int
) -> int:
    if objective == "points":
        return result.attack_half_points
    margin = result.attack_half_points - _NEED[result.bouts]
    if objective == "margin":
        return margin
    assert stakes is not None
    return shares * stakes.per_defender(margin, result.petit_au_bout, result.chelem)


def _sense(card: Card) -> tuple[int, int]:
    """Order cards of one value by what a player would part with first."""
    return card.half_points, card.rank


def _best_card(
    position: Position, question: _Question, value: int, values: dict[Card, int] | None
) -> Card:
    """Return a card that keeps the value, the one easiest to part with."""
    attacks = position.to_move in position.attack
    candidates = sorted((run[-1] for run in position.equivalent_cards()), key=_sense)
    for card in candidates[:-1]:
        if values is not None:
            if values[card] == value:
                return card
            continue
        position.play(card)
        try:
            if position.is_over:
                return card
            if question.reaches(position, value if attacks else value + 1) == attacks:
                return card
        finally:
            position.undo()
    return candidates[-1]


def _card_values(position: Position, question: _Question, value: int) -> dict[Card, int]:
    """Return the value of every legal card; one search for each equivalent run."""
    values: dict[Card, int] = {}
    for run in position.equivalent_cards():
        position.play(run[-1])
        try:
            if position.is_over:
                low = high = _final_value(
                    position.result(), question.objective, question.stakes, question.shares
                )
            else:
                low, high = question.bounds(position, value)
        finally:
            position.undo()
        if low != high:
            raise _OutOfBudget
        values.update(dict.fromkeys(run, low))
    return {card: values[card] for card in sorted(values)}


def _line(position: Position, question: _Question, value: int) -> tuple[Card, ...]:
    played: list[Card] = []
    try:
        while not position.is_over:
            card = _best_card(position, question, value, None)
            position.play(card)
            played.append(card)
    finally:
        for _ in played:
            position.undo()
    return tuple(played)


def solve(
    position: Position,
    objective: ObjectiveName = "margin",
    *,
    stakes: Stakes | None = None,
    make_only: bool = False,
    cards: bool = False,
    line: bool = False,
    nodes: int | None = None,
    seconds: float | None = None,
    solver: Solver | None = None,
) -> Solution:
    """Solve a position exactly, or as far as a budget goes.

    Parameters
    ----------
    position
        Any point of the play; it is not changed.
    objective
        ``"points"``, ``"margin"`` or ``"score"``.
    stakes
        Contract, poignées and announced chelem; the objective score needs them.
    make_only
        Only find out whether the contract is made: one zero window.
    cards
        Also value every legal card.
    line
        Also find a best line of play.
    nodes, seconds
        Budget; when it ends the bounds so far are returned.
    solver
        A solver whose table is reused; a new one by default.

    Returns
    -------
    Solution
        Half points, or the taker's score.

    Raises
    ------
    RulesError
        If the objective is unknown, or score is asked for without stakes or for an
        attack that has none.

    Examples
    --------
    >>> from tarot_sim import Hand
    >>> position = Position(
    ...     [Hand("A21 PR"), Hand("PD P2"), Hand("A3 CR"), Hand("P1 C2")],
    ...     attack=[0], leader=0, won=(True, True))
    >>> solution = solve(position, "points", cards=True)
    >>> solution.value, solution.best
    (38, Card('A21'))
    """
    if objective not in OBJECTIVES:
        raise RulesError(f"objective: {objective!r} is not one of {', '.join(OBJECTIVES)}")
    if objective == "score" and stakes is None:
        raise RulesError("objective: a score needs the contract")
    started = time.monotonic()
    position = position.copy()
    shares = _shares(position) if objective == "score" else 1
    question = _Question(solver or Solver(), objective, stakes, shares, nodes, seconds)
    value: int | None = None
    make: bool | None = None
    best: Card | None = None
    values: dict[Card, int] | None = None
    found: tuple[Card, ...] | None = None
    exact = False
    if position.is_over:
        result = position.result()
        value = _final_value(result, objective, stakes, shares)
        bounds = (value, value)
        make = result.attack_half_points >= _NEED[result.bouts]
        return Solution(
            objective, value, bounds, make, None, {} if cards else None, () if line else None,
            True, 0, time.monotonic() - started,
        )  # fmt: skip
    bounds = _widest(question)
    try:
        if make_only:
            make = question.makes(position)
        else:
            bounds = question.bounds(position)
            if bounds[0] != bounds[1]:
                raise _OutOfBudget
            value = bounds[0]
            make = value >= 0 if objective == "margin" else question.makes(position)
            if cards:
                values = _card_values(position, question, value)
            best = _best_card(position, question, value, values)
            if line:
                found = _line(position, question, value)
        exact = True
    except _OutOfBudget:
        if make is None and objective == "margin":
            make = True if bounds[0] >= 0 else False if bounds[1] < 0 else None
    return Solution(
        objective, value, bounds, make, best, values, found, exact, question.searched,
        time.monotonic() - started,
    )  # fmt: skip


def _widest(question: _Question) -> tuple[int, int]:
    """Return bounds that every position keeps."""
    if question.objective == "points":
        return 0, TOTAL_HALF_POINTS
    if question.objective == "margin":
        return _START
    assert question.stakes is not None
    per_defender: Callable[[int, int, int], int] = question.stakes.per_defender
    return (
        question.shares * min(per_defender(_START[0], -1, c) for c in (-1, 0, 1)),
        question.shares * max(per_defender(_START[1], 1, c) for c in (-1, 0, 1)),
    )


def can_make(
    position: Position,
    *,
    nodes: int | None = None,
    seconds: float | None = None,
    solver: Solver | None = None,
) -> bool | None:
    """Tell whether the contract is made double dummy: one zero window.

    Returns
    -------
    bool or None
        None where the budget ended the search.

    Examples
    --------
    >>> from tarot_sim import Hand
    >>> can_make(Position(
    ...     [Hand("A21"), Hand("PD"), Hand("A3"), Hand("P1")], attack=[0], leader=0,
    ...     attack_half_points=84, won=(True, True)))
    True
    """
    return solve(position, make_only=True, nodes=nodes, seconds=seconds, solver=solver).make


def solve_cards(
    position: Position,
    objective: ObjectiveName = "margin",
    *,
    stakes: Stakes | None = None,
    solver: Solver | None = None,
) -> dict[Card, int]:
    """Return the exact value of every legal card, equivalent ones included.

    Half points for points and margin, the taker's score for score; see `solve`.
    """
    values = solve(position, objective, stakes=stakes, cards=True, solver=solver).cards
    assert values is not None
    return values


MANY_DTYPE: Final = np.dtype(
    [("lower", np.int16), ("upper", np.int16), ("exact", np.bool_), ("nodes", np.int64)]
)


def solve_many(
    positions: Sequence[Position],
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
        Of any deals; positions of one deal that stand together share more of the table.
    objective
        ``"points"`` or ``"margin"``.
    threshold
        Only find out whether each value reaches this many half points (0 of the margin:
        whether the contract is made); by default every value is found.
    nodes, seconds
        Budget of each position; without one every answer is exact and the same for
        every `n_jobs`.
    n_jobs
        Threads, as joblib counts them, each with a table of `table_bytes`.

    Returns
    -------
    numpy.ndarray
        Of `MANY_DTYPE`, shape (n,): sound bounds in half points, whether the question
        was answered, and the positions searched.

    Examples
    --------
    >>> from tarot_sim import Hand
    >>> position = Position(
    ...     [Hand("A21 PR"), Hand("PD P2"), Hand("A3 CR"), Hand("P1 C2")],
    ...     attack=[0], leader=0, won=(True, True))
    >>> solve_many([position, position], "points")["lower"]
    array([38, 38], dtype=int16)
    """
    if objective not in ("points", "margin"):
        raise RulesError(f"objective: {objective!r} is not one of points, margin")
    goal = _MARGIN if objective == "margin" else _POINTS

    def part(first: int, last: int) -> NDArray[Any]:
        bounds, counts = Solver(table_bytes).many(
            positions[first:last], goal, threshold, nodes, seconds
        )
        rows = np.empty(last - first, MANY_DTYPE)
        rows["lower"], rows["upper"] = bounds.T
        if threshold is None:
            rows["exact"] = rows["lower"] == rows["upper"]
        else:
            rows["exact"] = (rows["lower"] >= threshold) | (rows["upper"] < threshold)
        rows["nodes"] = counts
        return rows

    n = len(positions)
    if n_jobs == 1 or n < 2:
        return part(0, n)
    from joblib import Parallel, delayed, effective_n_jobs

    # A few parts a thread, so that a hard one does not hold up the others.
    parts = min(n, 4 * effective_n_jobs(n_jobs))
    edges = [n * number // parts for number in range(parts + 1)]
    return np.concatenate(
        Parallel(n_jobs=n_jobs, prefer="threads")(delayed(part)(*edge) for edge in pairwise(edges))
    )
