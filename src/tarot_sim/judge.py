"""Judging whole deals fast: who wins, and by how much, double dummy.

A narrow zero window gives the verdict. A deal that it leaves open within its budget gets
a probability fitted to wide searches, never 0 or 1; and every deal gets the margin that
a wider search is expected to find.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np

from tarot_sim._solver import Objective
from tarot_sim.calibration import MARGIN_FIT, OPEN_WORLD
from tarot_sim.rules import TARGETS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tarot_sim._evaluate import Deals, Evaluator

Method = Literal["fast", "cascade"]

#: Nodes that each method spends on a world before it counts as open.
METHODS: Final[dict[Method, int]] = {"fast": 1_500, "cascade": 8_000}

#: Moves that the verdict's search tries, by players: attack on lead and in reply, defence
#: on lead and in reply. Those that favour neither camp on average, against wide searches.
VERDICT_WIDTHS: Final = {3: (2, 2, 2, 2), 4: (2, 1, 2, 2), 5: (2, 2, 2, 2)}
# The narrower ones favour the attack, which the calibration takes out.
_VALUE_WIDTHS: Final = (2, 1, 2, 1)
_NARROWEST_WIDTHS: Final = (1, 1, 2, 1)
_AGAINST_WIDTHS: Final = (1, 1, 3, 1)
_VALUE_NODES: Final = 20_000
#: How far from the need an open deal is asked about again, in half points.
_NEARBY: Final = 20
_TRUMPS_AND_EXCUSE: Final = slice(56, 78)
#: What the Petit au bout is worth beside a point of margin, in half points.
_PETIT_AU_BOUT: Final = 20

NEED: Final = np.array([2 * target for target in TARGETS], np.int32)
MARGIN: Final = Objective([2 * target for target in TARGETS])
VALUE: Final = Objective(
    [2 * target for target in TARGETS],
    [side * _PETIT_AU_BOUT for side in (-1, 0, 1) for _ in range(3)],
)


@dataclass(frozen=True, slots=True)
class Judgement:
    """What is expected of each deal; a row a deal.

    Attributes
    ----------
    verdicts
        1 made, 0 not, −1 where the search left it open.
    makes
        Probability that the contract is made: the verdict, or a fitted one.
    margins
        Expected half points of the attack above its need, on the verdict's side of 0.
    outcomes
        `RESULT_DTYPE`: the end of a narrow search's line, for bouts, Petit and chelem.
    """

    verdicts: NDArray[np.int8]
    makes: NDArray[np.float64]
    margins: NDArray[np.float64]
    outcomes: NDArray[Any]


def judge(evaluator: Evaluator, deals: Deals, method: Method) -> Judgement:
    """Judge deals, each by itself.

    Parameters
    ----------
    evaluator
        Searches; its table is overwritten.
    deals
        What to judge.
    method
        How much search a deal gets.
    """
    players, nodes = deals.rules.players, METHODS[method]
    outcomes, cheap = cheap_margins(evaluator, deals)
    verdicts, _ = evaluator.reaches(deals, MARGIN, 0, VERDICT_WIDTHS[players], nodes)
    makes = verdicts.astype(np.float64)
    rows = np.flatnonzero(verdicts < 0)
    if len(rows):
        few = [margins[rows] for margins in cheap]
        logits = open_features(evaluator, deals[rows], few, nodes) @ np.array(
            OPEN_WORLD[method][players]
        )
        makes[rows] = 1 / (1 + np.exp(-logits))
    return Judgement(verdicts, makes, _agree(_calibrated(players, cheap), verdicts), outcomes)


def margins_of(outcomes: NDArray[Any]) -> NDArray[np.int32]:
    """Return the attack's half points minus what its bouts need."""
    margins: NDArray[np.int32] = outcomes["attack_half_points"] - NEED[outcomes["bouts"]]
    return margins


def cheap_margins(
    evaluator: Evaluator, deals: Deals
) -> tuple[NDArray[Any], list[NDArray[np.int32]]]:
    """Return the narrow search's outcomes and three cheap margins, in half points.

    The margins (attack's half points − its need) are those of the narrow search, of an
    even narrower one, and of one play-out by the policy.
    """
    policy = evaluator.policy(deals)
    guesses = margins_of(policy) + _PETIT_AU_BOUT * policy["petit_au_bout"].astype(np.int32)
    outcomes, narrowest = (
        evaluator.values(deals, VALUE, guesses.astype(np.int16), widths, _VALUE_NODES)[0]
        for widths in (_VALUE_WIDTHS, _NARROWEST_WIDTHS)
    )
    return outcomes, [margins_of(outcomes), margins_of(narrowest), margins_of(policy)]


def _calibrated(players: int, cheap: list[NDArray[np.int32]]) -> NDArray[np.float64]:
    """Return the margin that a wider search is expected to find."""
    base, *slopes = MARGIN_FIT[players]
    result: NDArray[np.float64] = base + np.array(slopes) @ np.stack(cheap)
    return result


def open_features(
    evaluator: Evaluator, deals: Deals, cheap: list[NDArray[np.int32]], nodes: int
) -> NDArray[np.float64]:
    """Return what tells how likely a deal is made that the verdict's search left open.

    Parameters
    ----------
    deals
        Open deals.
    cheap
        Their `cheap_margins`.
    nodes
        The verdict's budget.

    Returns
    -------
    numpy.ndarray
        Shape (n, 7): 1; the narrowest margin and one against three leads of the defence,
        in half points; the attack's trumps; its Excuse (0 or 1); whether ten points more
        surely fail (0 or 1); whether ten points less are surely made.
    """
    guesses = cheap[1].astype(np.int16)
    against, _, _ = evaluator.values(deals, VALUE, guesses, _AGAINST_WIDTHS, _VALUE_NODES)
    more, less = (
        evaluator.reaches(deals, MARGIN, threshold, VERDICT_WIDTHS[deals.rules.players], nodes)[0]
        for threshold in (_NEARBY, -_NEARBY)
    )
    holders = deals.owners[:, _TRUMPS_AND_EXCUSE]
    playing = holders < deals.rules.players
    ours = playing & (deals.attack[:, None] >> np.where(playing, holders, 0) & 1 == 1)
    return np.stack(
        [
            np.ones(len(deals)),
            cheap[1],
            margins_of(against),
            ours[:, :-1].sum(axis=1),
            ours[:, -1],
            more == 0,
            less == 1,
        ],
        axis=1,
    )


def _agree(margins: NDArray[np.float64], verdicts: NDArray[np.int8]) -> NDArray[np.float64]:
    """Move margins to the side of 0 that the verdict names."""
    result: NDArray[np.float64] = np.where(
        verdicts == 1,
        np.maximum(margins, 0),
        np.where(verdicts == 0, np.minimum(margins, -1), margins),
    )
    return result
