"""Double-dummy answers: what a position is worth when all hands are in view.

The attack plays for the objective, the defence against it:

* ``points``: the attack's card points at the end;
* ``margin``: these minus what its bouts need, so that the contract is made from 0 up;
* ``score``: the taker's score, with the Petit au bout and the chelem.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from tarot_sim._core import Position
from tarot_sim.arguments import instance_of, one_of
from tarot_sim.cards import CARDS, Card
from tarot_sim.errors import OptionError, RulesError
from tarot_sim.rules import CAMPS, NEED, TOTAL_HALF_POINTS, Camp
from tarot_sim.rules.scoring import card_points
from tarot_sim.solver._solver import Solver
from tarot_sim.solver.limit import Limit
from tarot_sim.solver.objectives import (
    CHELEM,
    CHELEM_THRESHOLD,
    MARGIN,
    OBJECTIVES,
    POINTS,
    ObjectiveName,
    Stakes,
)

if TYPE_CHECKING:
    from tarot_sim._core import Result
    from tarot_sim.solver._solver import Objective


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
        The value; None where a limit ended it first.
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
    chelem
        Whether each camp can win every trick of the deal, None where that is open, if
        asked for.
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
    chelem: dict[Camp, bool | None] | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the answer with the keys of the command line's JSON, in card points."""
        shown = (lambda value: value) if self.objective == "score" else card_points
        document = {
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
        return document if self.chelem is None else document | {"chelem": dict(self.chelem)}


class _LimitReached(Exception):
    """The nodes or the time are used up."""


class _Question:
    """One objective asked of positions of one deal, within one limit."""

    def __init__(
        self,
        solver: Solver,
        name: ObjectiveName,
        stakes: Stakes | None,
        shares: int,
        limit: Limit,
    ) -> None:
        self.solver = solver
        self.name = name
        #: None for the score, of which every threshold is an objective.
        self.objective = {"points": POINTS, "margin": MARGIN}.get(name)
        self.stakes = stakes
        self.shares = shares
        self.searched = 0
        self._nodes = limit.nodes
        self._deadline = None if limit.seconds is None else time.monotonic() + limit.seconds
        self._objectives: dict[int, Objective] = {}

    def _left(self) -> Limit:
        """Return what is left of the limit, of which something has to be."""
        nodes = None if self._nodes is None else self._nodes - self.searched
        seconds = None if self._deadline is None else self._deadline - time.monotonic()
        if (nodes is not None and nodes <= 0) or (seconds is not None and seconds <= 0):
            raise _LimitReached
        return Limit(nodes, seconds)

    def _at_least(self, position: Position, objective: Objective, threshold: int) -> bool:
        answer, nodes = self.solver.at_least(position, objective, threshold, limit=self._left())
        self.searched += nodes
        if answer is None:
            raise _LimitReached
        return answer

    def makes(self, position: Position) -> bool:
        """Tell whether the contract is made."""
        return self._at_least(position, MARGIN, 0)

    def _score_objective(self, threshold: int) -> Objective:
        assert self.stakes is not None
        if threshold not in self._objectives:
            self._objectives[threshold] = self.stakes.objective(threshold)
        return self._objectives[threshold]

    def chelem(self, position: Position, camp: Camp) -> bool:
        """Tell whether a camp can win every trick of the deal."""
        if not _may_sweep(position, camp):
            return False
        reached = self._at_least(position, CHELEM, CHELEM_THRESHOLD[camp])
        return reached == (camp == "attack")

    def keeping_card(self, position: Position, value: int) -> Card:
        """Return a card that keeps a position's `value`, the one easiest to part with."""
        # The attack has to reach the value, the defence to keep the attack from more.
        threshold = value if position.to_move in position.attack else value + 1
        objective = self.objective
        if objective is None:
            objective, threshold = self._score_objective(-(-threshold // self.shares)), 0
        card, nodes = self.solver.keeping_card(position, objective, threshold, limit=self._left())
        self.searched += nodes
        if card is None:
            raise _LimitReached
        return CARDS[card]

    def card_values(self, position: Position, value: int) -> dict[Card, int]:
        """Return the value of every legal card, given the position's own."""
        if self.objective is None:
            return self._card_scores(position, value)
        rows, nodes = self.solver.cards(position, self.objective, value, value, limit=self._left())
        self.searched += nodes
        if any(low != high for _, low, high in rows):
            raise _LimitReached
        return {CARDS[card]: low for card, low, _ in rows}

    def _card_scores(self, position: Position, value: int) -> dict[Card, int]:
        """Search one card of each equivalent run, within the position's own value."""
        attacks = position.to_move in position.attack
        sure = {"high" if attacks else "low": value // self.shares}
        values: dict[Card, int] = {}
        for run in position.equivalent_cards():
            position.play(run[-1])
            try:
                if position.is_over:
                    low = high = value
                else:
                    low, high = self._score_bounds(position, **sure)
            finally:
                position.undo()
            if low != high:
                raise _LimitReached
            values.update(dict.fromkeys(run, low))
        return {card: values[card] for card in sorted(values)}

    def widest(self) -> tuple[int, int]:
        """Return bounds that every position keeps."""
        if self.name == "points":
            return _WIDEST_POINTS
        if self.name == "margin":
            return _WIDEST_MARGIN
        assert self.stakes is not None
        per_defender = self.stakes.per_defender
        return (
            self.shares * min(per_defender(_WIDEST_MARGIN[0], -1, c) for c in (-1, 0, 1)),
            self.shares * max(per_defender(_WIDEST_MARGIN[1], 1, c) for c in (-1, 0, 1)),
        )

    def final_value(self, result: Result) -> int:
        """Return the value of a position that is played out."""
        if self.name == "points":
            return result.attack_half_points
        margin = result.attack_half_points - NEED[result.bouts]
        if self.name == "margin":
            return margin
        assert self.stakes is not None
        return self.shares * self.stakes.per_defender(margin, result.petit_au_bout, result.chelem)

    def bounds(self, position: Position) -> tuple[int, int]:
        """Return the value twice, or what the limit allows to say of it.

        Nothing is lost when it is reached: the bounds so far are returned.
        """
        return self._score_bounds(position) if self.objective is None else self._search(position)

    def _search(self, position: Position) -> tuple[int, int]:
        objective = self.objective or MARGIN
        low, high = _WIDEST_POINTS if objective is POINTS else _WIDEST_MARGIN
        try:
            limit = self._left()
        except _LimitReached:
            return low, high
        low, high, nodes = self.solver.value(position, objective, low, high, limit=limit)
        self.searched += nodes
        return low, high

    def _score_bounds(
        self, position: Position, low: int | None = None, high: int | None = None
    ) -> tuple[int, int]:
        """Bisect the score, beginning at a bound that is known, or near the best margin's.

        `low` and `high`, of which one may be given, are what a defender loses.
        """
        assert self.stakes is not None
        guess = low + 1 if low is not None else high
        ends = [(petit, chelem) for petit in (-1, 0, 1) for chelem in (-1, 0, 1)]
        if low is None:
            low = min(self.stakes.per_defender(_WIDEST_MARGIN[0], *end) for end in ends)
        if high is None:
            high = max(self.stakes.per_defender(_WIDEST_MARGIN[1], *end) for end in ends)
        try:
            if guess is not None and low < high:
                low, high = self._split(position, guess, low, high)
            if low < high:
                least, most = self._search(position)
                if least != most:
                    raise _LimitReached
                # Playing for the margin brings at least this much, whatever else happens.
                guess = self.stakes.per_defender(least, 0, 0)
            step = 1
            while low < high:
                assert guess is not None
                guess = min(max(guess, low + 1), high)
                low, high = self._split(position, guess, low, high)
                # Gallop away from the first guess, then bisect.
                guess += step if low == guess else -step
                step *= 2
                if step > 16:
                    guess = (low + high + 1) // 2
        except _LimitReached:
            pass
        return low * self.shares, high * self.shares

    def _split(self, position: Position, guess: int, low: int, high: int) -> tuple[int, int]:
        if self._at_least(position, self._score_objective(guess), 0):
            return guess, high
        return low, guess - 1


_WIDEST_POINTS: Final = (0, TOTAL_HALF_POINTS)
_WIDEST_MARGIN: Final = (-NEED[0], TOTAL_HALF_POINTS - NEED[3])


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


def _may_sweep(position: Position, camp: Camp) -> bool:
    """Tell whether the other camp is without a trick so far."""
    return not position.won[1 if camp == "attack" else 0]


def _best_card(
    position: Position, question: _Question, value: int, values: dict[Card, int] | None
) -> Card:
    """Return a card that keeps the value, the one easiest to part with."""
    if values is None:
        return question.keeping_card(position, value)
    # Of equivalent cards the lowest; of cards of one value and rank the last in order.
    return min(
        (card for card in reversed(values) if values[card] == value),
        key=lambda card: (card.half_points, card.rank),
    )


def _line(position: Position, question: _Question, value: int) -> tuple[Card, ...]:
    position = position.copy()
    played: list[Card] = []
    while not position.is_over:
        played.append(question.keeping_card(position, value))
        position.play(played[-1])
    return tuple(played)


def solve(
    position: Position,
    objective: ObjectiveName = "margin",
    *,
    stakes: Stakes | None = None,
    make_only: bool = False,
    cards: bool = False,
    line: bool = False,
    chelem: bool = False,
    nodes: int | None = None,
    seconds: float | None = None,
    solver: Solver | None = None,
) -> Solution:
    """Solve a position exactly, or as far as a limit allows.

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
    chelem
        Also find out whether either camp can win every trick; asked first.
    nodes, seconds
        Limits; when one is reached the bounds so far are returned.
    solver
        A solver whose table is reused; a new one by default.

    Returns
    -------
    Solution
        Half points, or the taker's score.

    Raises
    ------
    OptionError
        If the objective is unknown, score is asked for without stakes, or a limit is
        negative.
    RulesError
        If score is asked for an attack that has none.

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
    one_of("objective", objective, OBJECTIVES)
    position = own_position(position)
    if stakes is not None:
        stakes = replace(instance_of("stakes", stakes, Stakes))  # checked once more
    elif objective == "score":
        raise OptionError("objective: a score needs the contract")
    started = time.monotonic()
    shares = _shares(position) if objective == "score" else 1
    limit = Limit(nodes, seconds)
    question = _Question(solver_or_new(solver), objective, stakes, shares, limit)
    found = _Found(question.widest(), dict.fromkeys(CAMPS) if chelem else None)
    if position.is_over:
        _read_end(position, question, found, cards=cards, line=line)
    else:
        try:
            _answer(position, question, found, make_only=make_only, cards=cards, line=line)
            found.exact = True
        except _LimitReached:
            if found.make is None and objective == "margin":
                found.make = _sign(*found.bounds)
    return Solution(
        objective=objective,
        value=found.value,
        bounds=found.bounds,
        make=found.make,
        best=found.best,
        cards=found.cards,
        line=found.line,
        exact=found.exact,
        nodes=question.searched,
        seconds=time.monotonic() - started,
        chelem=found.chelem,
    )


@dataclass(slots=True)
class _Found:
    """What is known so far of the answer to `solve`, with the names of `Solution`."""

    bounds: tuple[int, int]
    chelem: dict[Camp, bool | None] | None
    value: int | None = None
    make: bool | None = None
    best: Card | None = None
    cards: dict[Card, int] | None = None
    line: tuple[Card, ...] | None = None
    exact: bool = False


def _read_end(
    position: Position, question: _Question, found: _Found, *, cards: bool, line: bool
) -> None:
    """Answer for a position that is played out."""
    result = position.result()
    found.value = question.final_value(result)
    found.bounds = found.value, found.value
    found.make = result.attack_half_points >= NEED[result.bouts]
    if cards:
        found.cards = {}
    if line:
        found.line = ()
    if found.chelem is not None:
        found.chelem = {"attack": result.chelem > 0, "defence": result.chelem < 0}
    found.exact = True


def _answer(
    position: Position,
    question: _Question,
    found: _Found,
    *,
    make_only: bool,
    cards: bool,
    line: bool,
) -> None:
    """Find out what is asked for, as far as the limit goes: raises `_LimitReached` there."""
    if found.chelem is not None:
        for camp in CAMPS:
            found.chelem[camp] = question.chelem(position, camp)
    if make_only:
        found.make = question.makes(position)
        return
    found.bounds = question.bounds(position)
    value = found.bounds[0]
    if value != found.bounds[1]:
        raise _LimitReached
    found.value = value
    found.make = value >= 0 if question.name == "margin" else question.makes(position)
    if cards:
        found.cards = question.card_values(position, value)
    found.best = _best_card(position, question, value, found.cards)
    if line:
        found.line = _line(position, question, value)


def own_position(position: Position) -> Position:
    """Return a copy of a caller's position: another thread may play on meanwhile."""
    return Position.copy(instance_of("position", position, Position))


def solver_or_new(solver: Solver | None) -> Solver:
    """Return the solver that a caller gives, a new one by default."""
    return Solver() if solver is None else instance_of("solver", solver, Solver)


def _sign(low: int, high: int) -> bool | None:
    """Tell whether a margin within bounds makes the contract, None where that is open."""
    return True if low >= 0 else False if high < 0 else None


def can_make(
    position: Position,
    *,
    nodes: int | None = None,
    seconds: float | None = None,
    solver: Solver | None = None,
) -> bool | None:
    """Tell whether the contract is made double dummy: one zero window.

    Parameters
    ----------
    position
        Any point of the play; it is not changed.
    nodes, seconds
        Limits, none by default.
    solver
        A solver whose table is reused; a new one by default.

    Returns
    -------
    bool or None
        None where a limit ended the search.

    Raises
    ------
    OptionError
        If a limit is negative.

    Examples
    --------
    >>> from tarot_sim import Hand
    >>> can_make(Position(
    ...     [Hand("A21"), Hand("PD"), Hand("A3"), Hand("P1")], attack=[0], leader=0,
    ...     attack_half_points=84, won=(True, True)))
    True
    """
    return solver_or_new(solver).at_least(position, MARGIN, 0, limit=Limit(nodes, seconds))[0]


def can_chelem(
    position: Position,
    camp: Camp = "attack",
    *,
    nodes: int | None = None,
    seconds: float | None = None,
    solver: Solver | None = None,
) -> bool | None:
    """Tell whether a camp can win every trick double dummy: one zero window.

    The tricks that are won count: once the other camp has one the answer is no. The
    Excuse, led to the last trick, wins it for the camp that has all others.

    Parameters
    ----------
    position
        Any point of the play; it is not changed.
    camp
        ``"attack"`` or ``"defence"``.
    nodes, seconds
        Limits, none by default.
    solver
        A solver whose table is reused; a new one by default.

    Returns
    -------
    bool or None
        None where a limit ended the search.

    Raises
    ------
    OptionError
        If there is no such camp, or a limit is negative.

    Examples
    --------
    >>> from tarot_sim import Hand
    >>> position = Position(
    ...     [Hand("A21 EX"), Hand("PD P2"), Hand("A3 CR"), Hand("P1 C2")],
    ...     attack=[0], leader=0, attack_half_points=100, won=(True, False))
    >>> can_chelem(position), can_chelem(position, "defence")
    (True, False)
    """
    one_of("camp", camp, CAMPS)
    position = own_position(position)
    if not _may_sweep(position, camp):
        return False
    reached, _ = solver_or_new(solver).at_least(
        position, CHELEM, CHELEM_THRESHOLD[camp], limit=Limit(nodes, seconds)
    )
    return None if reached is None else reached == (camp == "attack")


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
    if objective in ("points", "margin"):
        rows, _ = solver_or_new(solver).cards(position, POINTS if objective == "points" else MARGIN)
        return {CARDS[card]: value for card, value, _ in rows}
    values = solve(position, objective, stakes=stakes, cards=True, solver=solver).cards
    assert values is not None
    return values
