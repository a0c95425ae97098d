"""Double-dummy answers: what a position is worth when all hands are in view.

The attack plays for the objective, the defence against it:

* ``points``: the attack's card points at the end;
* ``margin``: these minus what its bouts need, so that the contract is made from 0 up;
* ``score``: the taker's score, with the Petit au bout and the chelem.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Any

from tarot_sim._core import Position
from tarot_sim.arguments import instance_of, one_of
from tarot_sim.cards import CARDS, Card
from tarot_sim.errors import OptionError, RulesError
from tarot_sim.rules import CAMPS, NEED, Camp
from tarot_sim.rules.scoring import card_points
from tarot_sim.solver._solver import Solver
from tarot_sim.solver.card_values import CardValues
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
from tarot_sim.solver.positions import Solvable, position_of
from tarot_sim.solver.question import LimitReached, Question
from tarot_sim.solver.sure_bounds import Sure, sure_of, sweeps


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

    def __str__(self) -> str:
        """Return value, contract and best card in a line, in card points."""
        low, high = (bound if self.objective == "score" else bound / 2 for bound in self.bounds)
        value = f"{low:g}" if self.value is not None else f"{low:g} to {high:g} (open)"
        parts = [f"{self.objective} {value}"]
        if self.make is not None:
            parts.append("made" if self.make else "not made")
        if self.best is not None:
            parts.append(f"best card {self.best}")
        return ", ".join(parts)

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


def _best_card(
    position: Position, question: Question, value: int, values: dict[Card, int] | None
) -> Card:
    """Return a card that keeps the value, the one easiest to part with."""
    if values is None:
        return question.keeping_card(position, value)
    # Of equivalent cards the lowest; of cards of one value and rank the last in order.
    return min(
        (card for card in reversed(values) if values[card] == value),
        key=lambda card: (card.half_points, card.rank),
    )


def _line(position: Position, question: Question, value: int) -> tuple[Card, ...]:
    position = position.copy()
    played: list[Card] = []
    while not position.is_over:
        played.append(question.keeping_card(position, value))
        position.play(played[-1])
    return tuple(played)


def solve(
    position: Solvable,
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
        Any point of the play, or a `Deal` or `Game` that stands there; it is not changed.
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
        Limits; when one is reached the bounds so far are returned. What is proved at once is
        found whatever they are: sure tricks, a chelem by counting winners, and bounds of the
        score from those of the margin.
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
    question = Question(solver_or_new(solver), objective, stakes, shares, limit)
    if position.is_over:
        found = _read_end(position, question, cards=cards, line=line, chelem=chelem)
    else:
        sure = question.sure(position)
        found = _Found(question.sure_bounds(sure), _sign(*sure.margin))
        if chelem:
            found.chelem = dict(sure.chelem)
        try:
            _answer(position, question, found, sure, make_only=make_only, cards=cards, line=line)
            found.exact = True
        except LimitReached:
            pass
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
    make: bool | None
    chelem: dict[Camp, bool | None] | None = None
    value: int | None = None
    best: Card | None = None
    cards: dict[Card, int] | None = None
    line: tuple[Card, ...] | None = None
    exact: bool = False


def _read_end(
    position: Position, question: Question, *, cards: bool, line: bool, chelem: bool
) -> _Found:
    """Answer for a position that is played out."""
    result = position.result()
    value = question.final_value(result)
    return _Found(
        bounds=(value, value),
        make=result.attack_half_points >= NEED[result.bouts],
        chelem={"attack": result.chelem > 0, "defence": result.chelem < 0} if chelem else None,
        value=value,
        cards={} if cards else None,
        line=() if line else None,
        exact=True,
    )


def _answer(
    position: Position,
    question: Question,
    found: _Found,
    sure: Sure,
    *,
    make_only: bool,
    cards: bool,
    line: bool,
) -> None:
    """Find out what is asked for, as far as the limit goes: raises `LimitReached` there."""
    if found.chelem is not None:
        question.chelems(position, found.chelem)
    if make_only:
        if found.make is None:
            found.make = question.makes(position)
        return
    found.bounds, sure = question.bounds(position, sure)
    found.make = _sign(*sure.margin)
    value = found.bounds[0]
    if value != found.bounds[1]:
        raise LimitReached
    found.value = value
    if found.make is None:
        found.make = question.makes(position)
    if cards:
        found.cards = question.card_values(position, value)
    found.best = _best_card(position, question, value, found.cards)
    if line:
        found.line = _line(position, question, value)


def own_position(position: Solvable) -> Position:
    """Return a copy of a caller's position: another thread may play on meanwhile."""
    return Position.copy(position_of(position))


def solver_or_new(solver: Solver | None) -> Solver:
    """Return the solver that a caller gives, a new one by default."""
    return Solver() if solver is None else instance_of("solver", solver, Solver)


def _sign(low: int, high: int) -> bool | None:
    """Tell whether a margin within bounds makes the contract, None where that is open."""
    return True if low >= 0 else False if high < 0 else None


def can_make(
    position: Solvable,
    *,
    nodes: int | None = None,
    seconds: float | None = None,
    solver: Solver | None = None,
) -> bool | None:
    """Tell whether the contract is made double dummy: one zero window.

    Parameters
    ----------
    position
        Any point of the play, or a `Deal` or `Game` that stands there; it is not changed.
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
    position = own_position(position)
    limit, solver = Limit(nodes, seconds), solver_or_new(solver)
    if not position.is_over and (nodes is not None or seconds is not None):
        made = _sign(*sure_of(position, solver).margin)
        if made is not None:
            return made
    return solver.at_least(position, MARGIN, 0, limit=limit)[0]


def can_chelem(
    position: Solvable,
    camp: Camp = "attack",
    *,
    nodes: int | None = None,
    seconds: float | None = None,
    solver: Solver | None = None,
) -> bool | None:
    """Tell whether a camp can win every trick double dummy.

    Winners are counted first, whatever the limits are; then it is one zero window. The tricks
    that are won count: once the other camp has one the answer is no. The Excuse, led to the
    last trick, wins it for the camp that has all others.

    Parameters
    ----------
    position
        Any point of the play, or a `Deal` or `Game` that stands there; it is not changed.
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
    limit, solver = Limit(nodes, seconds), solver_or_new(solver)
    if not position.is_over:
        proved = sweeps(position, camp)
        if proved is not None:
            return proved
    reached, _ = solver.at_least(position, CHELEM, CHELEM_THRESHOLD[camp], limit=limit)
    return None if reached is None else reached == (camp == "attack")


def solve_cards(
    position: Solvable,
    objective: ObjectiveName = "margin",
    *,
    stakes: Stakes | None = None,
    solver: Solver | None = None,
) -> CardValues:
    """Return the exact value of every legal card, equivalent ones included.

    Half points for points and margin, the taker's score for score; see `solve`.

    Returns
    -------
    CardValues
        A mapping from card to value, the best for the player to move first.

    Examples
    --------
    >>> from tarot_sim import Hand
    >>> position = Position(
    ...     [Hand("A21 PR"), Hand("PD P2"), Hand("A3 CR"), Hand("P1 C2")],
    ...     attack=[0], leader=0, won=(True, True))
    >>> values = solve_cards(position, "points")
    >>> print(values)
    A21 19, PR 10
    >>> values["A21"], values.best
    (38, Card('A21'))
    """
    position = position_of(position)
    if objective in ("points", "margin"):
        rows, _ = solver_or_new(solver).cards(position, POINTS if objective == "points" else MARGIN)
        values = {CARDS[card]: value for card, value, _ in rows}
    else:
        found = solve(position, objective, stakes=stakes, cards=True, solver=solver).cards
        assert found is not None
        values = found
    return CardValues(values, objective, attacks=position.to_move in position.attack)
