"""Each card played out in the same worlds; cards that are clearly behind are dropped early."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tarot_sim._core import RESULT_DTYPE
from tarot_sim.bots.objective import soft_scores

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from tarot_sim.bots._rollouts import Begun
    from tarot_sim.deals.view import View

#: Cards that are so many standard errors behind the best are dropped, looked at after these
#: parts of the worlds, but not before so many of them.
_CLEARLY: Final = 2.5
_LOOKS: Final = (0.25, 0.5)
_FEWEST: Final = 40


class PlayOuts:
    """What each card of a seat leads to, in one world after another.

    Parameters
    ----------
    view
        The seat's, whose turn it is.
    weights
        float32 (6, 48): how all play on.
    drops
        Whether cards are dropped.

    Attributes
    ----------
    cards
        One of each run that is equal to the seat.
    habit
        The place among them of the card that habits choose.
    worlds
        int64 (cards,): in how many worlds each was played out, the first ones.
    results
        `RESULT_DTYPE` (cards, n): all 0 where it was not.
    soft
        float64 (cards, n): the soft score of the own camp, 0 where it was not.
    """

    def __init__(self, view: View, weights: NDArray[np.float32], *, drops: bool) -> None:
        self.cards: list[int] = []
        self.habit = 0
        self.worlds = np.zeros(0, np.int64)
        self.results: NDArray[Any] = np.zeros((0, 0), RESULT_DTYPE)
        self.soft = np.zeros((0, 0))
        self._view = view
        self._weights = weights
        self._sign = 1 if view.in_attack else -1
        self._drops = drops
        self._left: NDArray[np.intp] = np.zeros(0, np.intp)

    @property
    def is_settled(self) -> bool:
        """Whether all cards but one have been dropped."""
        return len(self._left) == 1

    def add(self, begun: Begun) -> None:
        """Play the cards that are left out in more worlds."""
        first = 0
        if self.cards and self._drops:
            self._drop()
        for last in self._looks(begun.rows):
            if not self.cards:
                self.cards, self.habit, results = begun.values(self._weights, last=last)
                self._left = np.arange(len(self.cards))
                self.worlds = np.zeros(len(self.cards), np.int64)
            elif self.is_settled:
                return
            else:
                cards = [self.cards[place] for place in self._left]
                _, _, results = begun.values(self._weights, cards=cards, first=first, last=last)
            self._take(results)
            if last < begun.rows:
                self._drop()
            first = last

    def _take(self, results: NDArray[Any]) -> None:
        """Take in the results of the cards that are left in further worlds."""
        soft = self._sign * soft_scores(results, self._view)
        if len(self._left) < len(self.cards):
            results, soft = self._spread(results), self._spread(soft)
        self.worlds[self._left] += soft.shape[1]
        if self.soft.size:
            results = np.concatenate([self.results, results], axis=1)
            soft = np.concatenate([self.soft, soft], axis=1)
        self.results, self.soft = results, soft

    def _spread(self, rows: NDArray[Any]) -> NDArray[Any]:
        """Return rows of the cards that are left with rows of 0 for the others."""
        full = np.zeros((len(self.cards), rows.shape[1]), rows.dtype)
        full[self._left] = rows
        return full

    def _looks(self, rows: int) -> Iterator[int]:
        if self._drops:
            yield from (n for n in (int(part * rows) for part in _LOOKS) if n >= _FEWEST)
        yield rows

    def _drop(self) -> None:
        """Drop what is clearly behind the best."""
        soft = self.soft[self._left]
        n = soft.shape[1]
        behind = soft[int(soft.mean(axis=1).argmax())] - soft
        near = behind.mean(axis=1) <= _CLEARLY * behind.std(axis=1, ddof=1) / math.sqrt(n)
        self._left = self._left[near]

    def means(self, figures: NDArray[np.float64], leader: int) -> NDArray[np.float64]:
        """Return the mean of a figure for each card, in all worlds.

        Of cards that were dropped it is the mean of one that was not, plus what lay between
        the two in the worlds where both were played out.

        Parameters
        ----------
        figures
            float64 (cards, n).
        leader
            The place of a card that was not dropped.
        """
        n = int(self.worlds[leader])
        behind = figures[leader] - figures
        behind *= np.arange(figures.shape[1]) < self.worlds[:, None]
        found: NDArray[np.float64] = figures[leader, :n].mean() - behind.sum(axis=1) / self.worlds
        return found
