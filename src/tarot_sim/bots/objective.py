"""What a result of a deal is worth to a player: a soft score of the attack.

Mostly the margin, with the contract's worth spread around its border, so that a world that is
lost or won by much still tells cards apart.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tarot_sim.rules import COEFFICIENTS, NEED

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tarot_sim.rules import Contract

_NEEDS: Final = np.array(NEED, np.float64)
#: Half points over which the contract's worth is spread.
_SPREAD: Final = 15.0
#: What making the contract is worth, in half points of a Garde: twice 25 points, twice.
_CONTRACT: Final = 100.0
_PETIT: Final = 20.0


def soft_scores(
    results: NDArray[Any], contract: Contract, *, poignees: int = 0, chelem: bool = False
) -> NDArray[np.float64]:
    """Return the soft score of the attack, in half points.

    Parameters
    ----------
    results
        Of `RESULT_DTYPE`, any shape.
    contract
        What is played.
    poignees
        Points of the poignées shown, which go to the camp that wins.
    chelem
        Whether a chelem was announced.
    """
    scale = 2.0 / COEFFICIENTS[contract]
    margins = results["attack_half_points"] - _NEEDS[results["bouts"]]
    worth = _CONTRACT + 2 * scale * poignees
    scores: NDArray[np.float64] = margins + worth / (1 + np.exp(-margins / _SPREAD))
    scores += _PETIT * results["petit_au_bout"]
    swept = results["chelem"]
    if chelem:
        scores += scale * np.where(swept > 0, 400.0, -200.0)
    if swept.any():
        scores += scale * 200.0 * np.where(swept > 0, 0.0 if chelem else 1.0, swept)
    return scores
