"""Judging whole deals fast: who wins, and by how much, double dummy.

Every deal gets a probability that it is made, which a logistic fit to exact answers
(`tarot_sim.estimation.calibration`) reads from three kinds of evidence: counts of the cards, one
play-out by the policy, and narrow zero windows around the need. Only what an exact search
has proved counts as 0 or 1. The margin is a linear fit of the same kind.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np

from tarot_sim.cards import EXCUSE, PETIT, VINGT_ET_UN
from tarot_sim.estimation._evaluate import Evaluator
from tarot_sim.estimation.calibration import MADE, MARGINS
from tarot_sim.rules import NEED
from tarot_sim.solver.objectives import MARGIN, VALUE
from tarot_sim.solver.widths import ALL_MOVES, Widths
from tarot_sim.worlds._counts import world_features
from tarot_sim.worlds.contract_deals import TAKER

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tarot_sim.rules import Contract
    from tarot_sim.worlds.batch import Deals

Method = Literal["fast", "cascade", "exact"]


@dataclass(frozen=True, slots=True)
class Effort:
    """How much search a deal gets.

    Attributes
    ----------
    stage
        The fit of `MADE` that reads the evidence.
    thresholds
        Margins asked for by narrow windows, in half points.
    nodes
        Limit of each of these windows.
    exact_nodes
        Limit of an exact zero window.
    exact_worlds
        How many of the worlds of a chunk get one.
    """

    stage: Literal["fast", "cascade"]
    thresholds: tuple[int, ...]
    nodes: int
    exact_nodes: int = 0
    exact_worlds: int = 0


METHODS: Final[dict[Method, Effort]] = {
    "fast": Effort("fast", (0,), 2_000),
    "cascade": Effort("cascade", (0, 8, -8), 8_000),
    "exact": Effort("cascade", (0, 8, -8), 8_000, 1_000_000, 10),
}

#: Moves that the narrow windows try, and the search for a line.
WINDOW_WIDTHS: Final = Widths(2, 2, 2, 2)
_LINE_WIDTHS: Final = Widths(attack_lead=1, attack_reply=1, defence_lead=2, defence_reply=1)
_LINE_NODES: Final = 20_000
#: What the Petit au bout is worth beside a point of margin, in half points.
_PETIT_AU_BOUT: Final = 20
#: Bytes of the tables of the two kinds of search.
NARROW_TABLE: Final = 1 << 22
EXACT_TABLE: Final = 1 << 27

#: `tarot_sim.rules.NEED` as an array, by the number of bouts.
NEEDS: Final = np.array(NEED, np.int32)
_BOUTS: Final = (PETIT, VINGT_ET_UN, EXCUSE)
_WITHOUT_DOG: Final[tuple[Contract, ...]] = ("garde_sans", "garde_contre")
# Columns of `world_features` that say something of the deal that is played; the others
# count the cards that are not.
_PLAYED: Final = slice(4, None)


@dataclass(frozen=True, slots=True)
class Forecast:
    """What is expected of each deal without search; a row a deal.

    Attributes
    ----------
    makes
        Probability that the contract is made.
    margins
        Expected half points of the attack above its need.
    outcomes
        `RESULT_DTYPE`: how the policy's play-out ends.
    evidence
        Counts and play-out, see `evidence_of`.
    """

    makes: NDArray[np.float64]
    margins: NDArray[np.float64]
    outcomes: NDArray[Any]
    evidence: NDArray[np.float64]

    def __getitem__(self, rows: slice) -> Forecast:
        """Return the forecast of some of the deals."""
        return Forecast(
            self.makes[rows], self.margins[rows], self.outcomes[rows], self.evidence[rows]
        )


@dataclass(frozen=True, slots=True)
class Judgement:
    """What is expected of each deal after some search; a row a deal.

    Attributes
    ----------
    makes
        Probability that the contract is made, never 0 or 1.
    margins
        Expected half points of the attack above its need.
    outcomes
        `RESULT_DTYPE`: the end of a narrow search's line, for bouts, Petit and chelem.
    """

    makes: NDArray[np.float64]
    margins: NDArray[np.float64]
    outcomes: NDArray[Any]


class Judge:
    """Judges deals, with the tables of its searches; one a thread.

    Parameters
    ----------
    method
        How much search a deal gets.
    """

    def __init__(self, method: Method = "cascade") -> None:
        self.method: Method = method
        self._narrow = Evaluator(NARROW_TABLE)
        self._exact = Evaluator(EXACT_TABLE) if METHODS[method].exact_nodes else None

    def forecast(self, deals: Deals, taker: int = TAKER) -> Forecast:
        """Expect what the cards and one play-out tell.

        Parameters
        ----------
        deals
            What to judge, each by itself.
        taker
            The taker's seat.
        """
        outcomes = self._narrow.policy(deals)
        evidence = evidence_of(deals, outcomes, taker)
        players = deals.rules.players
        return Forecast(
            makes=_logistic(evidence, MADE["forecast"][players]),
            margins=evidence @ np.array(MARGINS["forecast"][players]),
            outcomes=outcomes,
            evidence=evidence,
        )

    def judge(
        self, deals: Deals, forecast: Forecast | None = None, taker: int = TAKER
    ) -> Judgement:
        """Search as much as the method says.

        Parameters
        ----------
        deals
            What to judge, each by itself.
        forecast
            That of the same deals, where it is known.
        taker
            The taker's seat.
        """
        if forecast is None:
            forecast = self.forecast(deals, taker)
        players, effort = deals.rules.players, METHODS[self.method]
        more, outcomes = search_evidence(self._narrow, deals, forecast.outcomes, effort)
        evidence = np.column_stack([forecast.evidence, more])
        makes = _logistic(evidence, MADE[effort.stage][players])
        margins = evidence @ np.array(MARGINS[effort.stage][players])
        return Judgement(makes, margins, outcomes)

    def prove(
        self, deals: Deals, makes: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Search exactly, within the method's budget.

        Parameters
        ----------
        deals
            What to settle, each by itself.
        makes
            Their probabilities, which the deals that stay open keep.

        Returns
        -------
        tuple of numpy.ndarray
            Probabilities, 0 or 1 where the search ended; whether it did.
        """
        if self._exact is None:
            return makes, np.zeros(len(deals), np.bool_)
        limit = METHODS[self.method].exact_nodes
        answers, _ = self._exact.reaches(deals, MARGIN, 0, ALL_MOVES, limit)
        proved = answers >= 0
        return np.where(proved, answers, makes), proved


def margins_of(outcomes: NDArray[Any]) -> NDArray[np.int32]:
    """Return the attack's half points minus what its bouts need."""
    margins: NDArray[np.int32] = outcomes["attack_half_points"] - NEEDS[outcomes["bouts"]]
    return margins


def evidence_of(deals: Deals, policy: NDArray[Any], taker: int) -> NDArray[np.float64]:
    """Return what is known of deals without search.

    Parameters
    ----------
    deals
        Whole deals.
    policy
        How the policy's play-outs of them end.
    taker
        The taker's seat.

    Returns
    -------
    numpy.ndarray
        Shape (n, 20 + players): 1; the twelve counts of `world_features` from the trumps on;
        the half points and the number of bouts that the attack has before the play; what it
        needs with all bouts that it holds, in half points; whether it is a Garde sans, and a
        Garde contre: a hand without an écart is not the same with the same counts; who leads,
        from the taker's right on (a column a seat, none for the last); the play-out's margin
        and two bounded forms of it.
    """
    players = deals.rules.players
    counts = world_features(deals.owners, taker, deals.attack, players, False)[:, _PLAYED]
    holders = deals.owners[:, _BOUTS]
    held = deals.attack[:, None] >> np.minimum(holders, 7) & 1
    outside = deals.bouts[:, None] >> np.arange(3) & 1
    leads = (deals.leader.astype(np.int64)[:, None] - taker) % players == np.arange(1, players)
    return np.column_stack(
        [
            np.ones(len(deals)),
            counts,
            deals.half_points,
            outside.sum(axis=1),
            NEEDS[(held | outside).sum(axis=1)],
            *(np.full(len(deals), deals.contract == contract) for contract in _WITHOUT_DOG),
            leads,
            *_forms(margins_of(policy)),
        ]
    )


def search_evidence(
    evaluator: Evaluator, deals: Deals, policy: NDArray[Any], effort: Effort
) -> tuple[NDArray[np.float64], NDArray[Any]]:
    """Return what narrow searches add to the evidence, and the line of one of them.

    Returns
    -------
    tuple of numpy.ndarray
        Shape (n, 3 + 2 × thresholds): the margin of a narrow search's line in the same
        forms as the play-out's, then for each threshold whether a window says yes, and
        whether it says no; `RESULT_DTYPE` (n,), that line's end.
    """
    guesses = margins_of(policy) + _PETIT_AU_BOUT * policy["petit_au_bout"].astype(np.int32)
    outcomes, _, _ = evaluator.values(
        deals, VALUE, guesses.astype(np.int16), _LINE_WIDTHS, _LINE_NODES
    )
    answers, _ = evaluator.reaches(deals, MARGIN, effort.thresholds, WINDOW_WIDTHS, effort.nodes)
    sides = np.stack([answers == 1, answers == 0], axis=2).reshape(
        len(deals), 2 * len(effort.thresholds)
    )
    return np.column_stack([*_forms(margins_of(outcomes)), sides]), outcomes


def _forms(margins: NDArray[np.int32]) -> tuple[NDArray[np.float64], ...]:
    """Return margins as they are, and bounded at two scales: what is clear adds nothing."""
    return margins.astype(np.float64), np.tanh(margins / 15), np.tanh(margins / 50)


def _logistic(evidence: NDArray[np.float64], weights: tuple[float, ...]) -> NDArray[np.float64]:
    result: NDArray[np.float64] = 1 / (1 + np.exp(-np.clip(evidence @ np.array(weights), -30, 30)))
    return result
