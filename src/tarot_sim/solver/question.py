"""One objective asked of the positions of one deal, within one limit."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from tarot_sim.cards import CARDS, Card
from tarot_sim.rules import CAMPS, NEED, TOTAL_HALF_POINTS, Camp
from tarot_sim.solver.limit import Limit
from tarot_sim.solver.objectives import CHELEM, CHELEM_THRESHOLD, MARGIN, POINTS
from tarot_sim.solver.sure_bounds import sure_of, sweeps

if TYPE_CHECKING:
    from tarot_sim._core import Position, Result
    from tarot_sim.solver._solver import Objective, Solver
    from tarot_sim.solver.objectives import ObjectiveName, Stakes
    from tarot_sim.solver.sure_bounds import Sure

_WIDEST_POINTS: Final = (0, TOTAL_HALF_POINTS)
_WIDEST_MARGIN: Final = (-NEED[0], TOTAL_HALF_POINTS - NEED[3])
#: Nodes of a window of the score in the first round, and how they grow, where the margin is open.
_FIRST_ROUND: Final = 5_000
_GROWTH: Final = 4


class LimitReached(Exception):
    """The nodes or the time are used up."""


class Question:
    """One objective asked of positions of one deal, within one limit.

    Parameters
    ----------
    solver
        What searches.
    name, stakes
        The objective; a score needs the stakes.
    shares
        How many times a defender's loss the taker wins.
    limit
        Where all searches together end.
    """

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
        self.limited = limit.nodes is not None or limit.seconds is not None
        self.searched = 0
        self._nodes = limit.nodes
        self._deadline = None if limit.seconds is None else time.monotonic() + limit.seconds
        self._objectives: dict[int, Objective] = {}

    def _left(self, part: int = 1) -> Limit:
        """Return one of so many parts of what is left of the limit; something has to be."""
        nodes = None if self._nodes is None else self._nodes - self.searched
        seconds = None if self._deadline is None else self._deadline - time.monotonic()
        if (nodes is not None and nodes <= 0) or (seconds is not None and seconds <= 0):
            raise LimitReached
        return Limit(
            None if nodes is None else -(-nodes // part),
            None if seconds is None else seconds / part,
        )

    def _reaches(
        self, position: Position, objective: Objective, threshold: int, most: int | None = None
    ) -> bool | None:
        """Tell whether a threshold is reached; None if that takes more than so many nodes."""
        limit = self._left()
        if most is not None:
            limit = Limit(most if limit.nodes is None else min(most, limit.nodes), limit.seconds)
        answer, nodes = self.solver.at_least(position, objective, threshold, limit=limit)
        self.searched += nodes
        return answer

    def _at_least(self, position: Position, objective: Objective, threshold: int) -> bool:
        answer = self._reaches(position, objective, threshold)
        if answer is None:
            raise LimitReached
        return answer

    def sure(self, position: Position) -> Sure:
        """Return what is proved of a position without a search.

        Proofs of a chelem are looked for where they may be all that there is time for, and where
        the score hangs on them.
        """
        return sure_of(position, self.solver, prove=self.limited or self.name == "score")

    def sure_bounds(self, sure: Sure) -> tuple[int, int]:
        """Return the bounds of the value that are proved."""
        if self.name == "points":
            return sure.points
        if self.name == "margin":
            return sure.margin
        assert self.stakes is not None
        low, high = sure.scores(self.stakes)
        return low * self.shares, high * self.shares

    def makes(self, position: Position) -> bool:
        """Tell whether the contract is made."""
        return self._at_least(position, MARGIN, 0)

    def _score_objective(self, threshold: int) -> Objective:
        assert self.stakes is not None
        if threshold not in self._objectives:
            self._objectives[threshold] = self.stakes.objective(threshold)
        return self._objectives[threshold]

    def chelems(self, position: Position, found: dict[Camp, bool | None]) -> None:
        """Find out whether each camp can win every trick of the deal; proofs come first."""
        for camp in CAMPS:
            if found[camp] is None:
                found[camp] = sweeps(position, camp)
        for camp in CAMPS:
            if found[camp] is None:
                reached = self._at_least(position, CHELEM, CHELEM_THRESHOLD[camp])
                found[camp] = reached == (camp == "attack")

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
            raise LimitReached
        return CARDS[card]

    def card_values(self, position: Position, value: int) -> dict[Card, int]:
        """Return the value of every legal card, given the position's own."""
        if self.objective is None:
            return self._card_scores(position, value)
        rows, nodes = self.solver.cards(position, self.objective, value, value, limit=self._left())
        self.searched += nodes
        if any(low != high for _, low, high in rows):
            raise LimitReached
        return {CARDS[card]: low for card, low, _ in rows}

    def _card_scores(self, position: Position, value: int) -> dict[Card, int]:
        """Search one card of each equivalent run, within the position's own value."""
        attacks = position.to_move in position.attack
        values: dict[Card, int] = {}
        for run in position.equivalent_cards():
            position.play(run[-1])
            try:
                if position.is_over:
                    low = high = value
                else:
                    low, high = self._scores_beside(position, value // self.shares, attacks=attacks)
            finally:
                position.undo()
            if low != high:
                raise LimitReached
            values.update(dict.fromkeys(run, low))
        return {card: values[card] for card in sorted(values)}

    def final_value(self, result: Result) -> int:
        """Return the value of a position that is played out."""
        if self.name == "points":
            return result.attack_half_points
        margin = result.attack_half_points - NEED[result.bouts]
        if self.name == "margin":
            return margin
        assert self.stakes is not None
        return self.shares * self.stakes.per_defender(margin, result.petit_au_bout, result.chelem)

    def bounds(self, position: Position, sure: Sure) -> tuple[tuple[int, int], Sure]:
        """Return the value twice, or what the limit allows to say of it.

        Nothing is lost when it is reached: the bounds so far are returned, and what is
        proved besides.
        """
        if self.name == "margin":
            found = self._search(position, MARGIN, sure.margin)
            return found, sure.with_margin(*found)
        if self.name == "points":
            return self._search(position, POINTS, sure.points), sure
        return self._scores(position, sure)

    def _search(
        self, position: Position, objective: Objective, sure: tuple[int, int], part: int = 1
    ) -> tuple[int, int]:
        """Narrow sure bounds of points or margin within a part of the limit."""
        try:
            limit = self._left(part)
        except LimitReached:
            return sure
        low, high, nodes = self.solver.value(position, objective, *sure, limit=limit)
        self.searched += nodes
        return low, high

    def _scores(self, position: Position, sure: Sure) -> tuple[tuple[int, int], Sure]:
        """Bound the score by bounds of the margin, and then by windows of its own."""
        assert self.stakes is not None
        low, high = sure.scores(self.stakes)
        if low < high:
            # Where there is a limit one half of it is for the windows.
            part = 2 if self.limited else 1
            sure = sure.with_margin(*self._search(position, MARGIN, sure.margin, part))
            low, high = sure.scores(self.stakes)
        least, most = sure.margin
        if least == most:
            # Playing for the margin brings at least this much, whatever else happens.
            guess = self.stakes.per_defender(least, 0, 0)
            low, high = self._gallop(position, guess, low, high)
        else:
            low, high = self._close_in(position, low, high)
        return (low * self.shares, high * self.shares), sure

    def _scores_beside(self, position: Position, value: int, *, attacks: bool) -> tuple[int, int]:
        """Bound the score of a card beside one that a defender loses `value` by.

        Of the attack's none brings more, of the defence's none less.
        """
        assert self.stakes is not None
        ends = [(petit, chelem) for petit in (-1, 0, 1) for chelem in (-1, 0, 1)]
        low = min(self.stakes.per_defender(_WIDEST_MARGIN[0], *end) for end in ends)
        high = max(self.stakes.per_defender(_WIDEST_MARGIN[1], *end) for end in ends)
        low, high = (low, value) if attacks else (value, high)
        try:
            if low < high:
                low, high = self._split(position, value if attacks else value + 1, low, high)
        except LimitReached:
            return low * self.shares, high * self.shares
        if low < high:
            least, most = self._search(position, MARGIN, _WIDEST_MARGIN)
            if least == most:
                guess = self.stakes.per_defender(least, 0, 0)
                low, high = self._gallop(position, guess, low, high)
        return low * self.shares, high * self.shares

    def _gallop(self, position: Position, guess: int, low: int, high: int) -> tuple[int, int]:
        """Bisect a defender's loss, away from a first guess."""
        step = 1
        try:
            while low < high:
                guess = min(max(guess, low + 1), high)
                low, high = self._split(position, guess, low, high)
                guess += step if low == guess else -step
                step *= 2
                if step > 16:
                    guess = (low + high + 1) // 2
        except LimitReached:
            pass
        return low, high

    def _close_in(self, position: Position, low: int, high: int) -> tuple[int, int]:
        """Narrow a defender's loss from outside until the limit is reached.

        Windows far from the value end soon, those near it may take for ever: so each gets a limit
        of its own, larger in every round, and bisection goes toward the nearest that stayed open.
        """
        each = _FIRST_ROUND
        try:
            while low < high:
                near = high
                while low < near:
                    threshold = (low + near + 1) // 2
                    reached = self._reaches_loss(position, threshold, each)
                    if reached:
                        low = threshold
                    elif reached is None:
                        near = threshold - 1
                    else:
                        near = high = threshold - 1
                near = low
                while near < high:
                    threshold = (near + high) // 2 + 1
                    reached = self._reaches_loss(position, threshold, each)
                    if reached is False:
                        high = threshold - 1
                    elif reached is None:
                        near = threshold
                    else:
                        near = low = threshold
                each *= _GROWTH
        except LimitReached:
            pass
        return low, high

    def _reaches_loss(self, position: Position, threshold: int, most: int) -> bool | None:
        return self._reaches(position, self._score_objective(threshold), 0, most)

    def _split(self, position: Position, guess: int, low: int, high: int) -> tuple[int, int]:
        if self._at_least(position, self._score_objective(guess), 0):
            return guess, high
        return low, guess - 1
