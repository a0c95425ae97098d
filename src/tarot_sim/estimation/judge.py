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
from tarot_sim.estimation.calibration import Stage, calibration
from tarot_sim.estimation.ends import Ends, judge_ends
from tarot_sim.rules import NEED
from tarot_sim.solver.objectives import MARGIN, VALUE
from tarot_sim.solver.widths import ALL_MOVES, Widths
from tarot_sim.worlds._counts import world_counts
from tarot_sim.worlds.contract_deals import TAKER
from tarot_sim.worlds.logits import logistic

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
        The fit that reads the evidence.
    thresholds
        Margins asked for by narrow windows, in half points.
    nodes
        Limit of each of these windows.
    exact_nodes
        Limit of an exact zero window.
    exact_worlds
        How many of the worlds of a chunk get one.
    """

    stage: Stage
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
#: Raised by one when a column of the evidence keeps its name and changes its meaning: what was
#: fitted before is then refused.
EVIDENCE_VERSION: Final = 1
#: The counts of `COUNTS_DTYPE` that say something of the deal that is played; the others are of
#: the cards that are not.
_PLAYED: Final = (
    "trumps",
    "highest_trumps",
    "longest_defender",
    "second_longest",
    "defence_unbeaten",
    "attack_unbeaten",
    "petit_hunted",
    "defence_half_points",
    "masters",
    "rois_ruffed",
    "losers",
    "tenaces",
)


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a fit reads of deals: named columns, a row a deal.

    Attributes
    ----------
    names
        The k names; their order has no meaning.
    values
        float64 (n, k).
    """

    names: tuple[str, ...]
    values: NDArray[np.float64]

    @classmethod
    def of(cls, columns: dict[str, NDArray[Any]]) -> Evidence:
        """Put columns together, each of shape (n,)."""
        return cls(
            tuple(columns), np.column_stack(list(columns.values())).astype(np.float64, copy=False)
        )

    def __getitem__(self, rows: slice) -> Evidence:
        """Return the evidence of some of the deals."""
        return Evidence(self.names, self.values[rows])

    def __or__(self, other: Evidence) -> Evidence:
        """Return the columns of both, of the same deals."""
        return Evidence(self.names + other.names, np.column_stack([self.values, other.values]))


@dataclass(frozen=True, slots=True)
class Forecast:
    """What is expected of each deal without search; a row a deal.

    Attributes
    ----------
    p_make
        Probability that the contract is made.
    margins
        Expected half points of the attack above its need.
    outcomes
        `RESULT_DTYPE`: how the policy's play-out ends.
    evidence
        Counts and play-out, see `evidence_of`.
    """

    p_make: NDArray[np.float64]
    margins: NDArray[np.float64]
    outcomes: NDArray[Any]
    evidence: Evidence

    def __getitem__(self, rows: slice) -> Forecast:
        """Return the forecast of some of the deals."""
        return Forecast(
            self.p_make[rows], self.margins[rows], self.outcomes[rows], self.evidence[rows]
        )


@dataclass(frozen=True, slots=True)
class Judgement:
    """What is expected of each deal after some search; a row a deal.

    Attributes
    ----------
    p_make
        Probability that the contract is made, never 0 or 1.
    margins
        Expected half points of the attack above its need.
    outcomes
        `RESULT_DTYPE`: the end of a narrow search's line, for the bouts.
    ends
        Who may win every trick, and the Petit au bout.
    """

    p_make: NDArray[np.float64]
    margins: NDArray[np.float64]
    outcomes: NDArray[Any]
    ends: Ends


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
        p_make, margins = _read(evidence, "forecast", deals.rules.players)
        return Forecast(p_make, margins, outcomes, evidence)

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
        effort = METHODS[self.method]
        more, outcomes = search_evidence(self._narrow, deals, forecast.outcomes, effort)
        p_make, margins = _read(forecast.evidence | more, effort.stage, deals.rules.players)
        ends = judge_ends(self._narrow, deals, [forecast.outcomes, outcomes], margins, taker)
        return Judgement(p_make, margins, outcomes, ends)

    def prove(
        self, deals: Deals, p_make: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Search exactly, within the method's budget.

        Parameters
        ----------
        deals
            What to settle, each by itself.
        p_make
            Shape (n,): their probabilities, which the deals that stay open keep.

        Returns
        -------
        tuple of numpy.ndarray
            float64 (n,): probabilities, 0 or 1 where the search ended; bool (n,): whether it did.
        """
        if self._exact is None:
            return p_make, np.zeros(len(deals), np.bool_)
        limit = METHODS[self.method].exact_nodes
        answers, _ = self._exact.reaches(deals, MARGIN, 0, ALL_MOVES, limit)
        proved = answers >= 0
        return np.where(proved, answers, p_make), proved


def margins_of(outcomes: NDArray[Any]) -> NDArray[np.int32]:
    """Return the attack's half points minus what its bouts need; `RESULT_DTYPE` (n,) to (n,)."""
    margins: NDArray[np.int32] = outcomes["attack_half_points"] - NEEDS[outcomes["bouts"]]
    return margins


def evidence_of(deals: Deals, policy: NDArray[Any], taker: int) -> Evidence:
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
    Evidence
        20 + players columns: ``constant``, which is 1; twelve of `COUNTS_DTYPE`; what the attack
        has before the play, ``attack_half_points`` and ``bouts_before``; ``need``, with all
        bouts that it holds, in half points; whether it is a ``garde_sans`` or a
        ``garde_contre``: a hand without an écart is not the same with the same counts; who
        leads, ``leader_1`` being the taker's right-hand neighbour (none for the taker); the
        play-out's margin and two bounded forms of it.
    """
    players = deals.rules.players
    counts = world_counts(deals.owners, taker, deals.attack, players, False)
    holders = deals.owners[:, _BOUTS]
    held = deals.attack[:, None] >> np.minimum(holders, 7) & 1
    outside = deals.bouts[:, None] >> np.arange(3) & 1
    leads = (deals.leader.astype(np.int64) - taker) % players
    columns: dict[str, NDArray[Any]] = {"constant": np.ones(len(deals))}
    columns |= {name: counts[name] for name in _PLAYED}
    columns["attack_half_points"] = deals.half_points
    columns["bouts_before"] = outside.sum(axis=1)
    columns["need"] = NEEDS[(held | outside).sum(axis=1)]
    for contract in _WITHOUT_DOG:
        columns[contract] = np.full(len(deals), deals.contract == contract)
    for seat in range(1, players):
        columns[f"leader_{seat}"] = leads == seat
    return Evidence.of(columns | forms("policy_margin", margins_of(policy)))


def search_evidence(
    evaluator: Evaluator, deals: Deals, policy: NDArray[Any], effort: Effort
) -> tuple[Evidence, NDArray[Any]]:
    """Return what narrow searches add to the evidence, and the line of one of them.

    Parameters
    ----------
    evaluator
        What searches.
    deals
        Whole deals.
    policy
        How the policy's play-outs of them end.
    effort
        How much search.

    Returns
    -------
    tuple
        `Evidence` with 3 + 2 × thresholds columns: the margin of a narrow search's line in the
        same forms as the play-out's, then for each threshold whether a window says yes,
        ``at_least_8``, and whether it says no, ``below_8``; `RESULT_DTYPE` (n,), that line's end.
    """
    guesses = margins_of(policy) + _PETIT_AU_BOUT * policy["petit_au_bout"].astype(np.int32)
    outcomes, _, _ = evaluator.values(
        deals, VALUE, guesses.astype(np.int16), _LINE_WIDTHS, _LINE_NODES
    )
    answers, _ = evaluator.reaches(deals, MARGIN, effort.thresholds, WINDOW_WIDTHS, effort.nodes)
    columns = forms("line_margin", margins_of(outcomes))
    for threshold, answer in zip(effort.thresholds, answers.T, strict=True):
        columns[f"at_least_{threshold}"] = answer == 1
        columns[f"below_{threshold}"] = answer == 0
    return Evidence.of(columns), outcomes


def forms(name: str, margins: NDArray[np.int32]) -> dict[str, NDArray[Any]]:
    """Return margins as they are, and bounded at two scales: what is clear adds nothing."""
    return {
        name: margins,
        f"{name}_within_15": np.tanh(margins / 15),
        f"{name}_within_50": np.tanh(margins / 50),
    }


def _read(
    evidence: Evidence, stage: Stage, players: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return what a fit says: the probability that each deal is made and its margin, (n,) each."""
    fit = calibration().weights(stage, players, evidence.names, EVIDENCE_VERSION)
    return logistic(evidence.values @ fit.p_make), evidence.values @ fit.margin
