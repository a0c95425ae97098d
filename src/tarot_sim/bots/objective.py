"""What the result of a deal is worth: the taker's score, and a soft score to choose cards by.

The soft score is mostly the margin, with the contract's worth spread around its border, so
that a world that is lost or won by much still tells cards apart.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tarot_sim.cards import Hand
from tarot_sim.rules import NEED
from tarot_sim.rules.scoring import CHELEMS, per_defender, shown_bonus
from tarot_sim.rules.table import ALL_CONTRACTS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tarot_sim.deals.view import View
    from tarot_sim.rules import Contract, Rules

_NEEDS: Final = np.array(NEED, np.int64)
#: Half points over which the contract's worth is spread.
_SPREAD: Final = 15.0
#: What is won with a Garde beyond the margin, in half points: twice 25 points, either way.
_CONTRACT: Final = 100.0
_PETIT: Final = 20.0
#: What is paid where the attack wins every trick, where neither camp does, where the defence does.
_UNANNOUNCED: Final = (CHELEMS["made"], 0, CHELEMS["by_defence"])
_ANNOUNCED: Final = (
    CHELEMS["announced_made"],
    CHELEMS["announced_failed"],
    CHELEMS["announced_by_defence"],
)
#: How many defenders' payments a taker keeps; at five players another goes to the partner.
_SHARES: Final = {3: 2, 4: 3, 5: 2}
#: How many seats a mask has.
_BITS: Final = np.array([mask.bit_count() for mask in range(32)])


def margins(results: NDArray[Any]) -> NDArray[np.int64]:
    """Return by how many half points the attack has more than it needs."""
    found: NDArray[np.int64] = results["attack_half_points"] - _NEEDS[results["bouts"]]
    return found


def made(results: NDArray[Any]) -> NDArray[np.bool_]:
    """Tell in which deals the contract is made."""
    return margins(results) >= 0


def _shown(view: View) -> int:
    return shown_bonus([poignee.level for poignee in view.poignees], (), view.rules)


def seat_scores(
    results: NDArray[Any],
    seat: int,
    rules: Rules,
    taker: NDArray[np.int64],
    level: NDArray[np.int64],
    attack: NDArray[np.uint8],
    *,
    poignee: NDArray[np.uint8] | None = None,
) -> NDArray[np.float64]:
    """Return what a seat scores in deals with several takers and contracts.

    Parameters
    ----------
    results
        Of `RESULT_DTYPE`, shape (n,).
    seat
        The seat.
    rules
        The table.
    taker, level, attack
        As of `tarot_sim.bots.beforehand.play_auctions`; nobody scores where nobody takes.
    poignee
        uint8 (n,): the level that is shown, 1 to 3, or 0; by default none is.
    """
    paid = _payments(results, rules, level, poignee)
    return _shares(seat, rules, taker, attack) * paid


def table_scores(
    results: NDArray[Any],
    rules: Rules,
    taker: NDArray[np.int64],
    level: NDArray[np.int64],
    attack: NDArray[np.uint8],
    poignee: NDArray[np.uint8],
) -> NDArray[np.int64]:
    """Return what every seat scores, int64 (n, players); see `seat_scores`."""
    paid = _payments(results, rules, level, poignee)
    seats = [_shares(seat, rules, taker, attack) * paid for seat in range(rules.players)]
    return np.stack(seats, axis=1).astype(np.int64)


def _payments(
    results: NDArray[Any],
    rules: Rules,
    level: NDArray[np.int64],
    poignee: NDArray[np.uint8] | None,
) -> NDArray[np.float64]:
    """Return what each defender pays, 0 where nobody takes; (n,)."""
    bonus = np.array([0, *rules.poignee_values.values()])
    paid = np.zeros(len(results))
    for number, contract in enumerate(ALL_CONTRACTS, 1):
        rows = np.flatnonzero(level == number)
        if rows.size:
            shown = 0 if poignee is None else bonus[poignee[rows]]
            paid[rows] = _paid(results[rows], contract, rules, shown=shown)
    return paid


def _shares(
    seat: int, rules: Rules, taker: NDArray[np.int64], attack: NDArray[np.uint8]
) -> NDArray[np.int64]:
    """Return how many payments a seat gets."""
    allies = _BITS[attack]
    # The taker takes from every defender what the partner does not get.
    share = np.where(taker == seat, rules.players - allies - (allies == 2), 1)
    return np.where(attack >> seat & 1, share, -1)


def scores(results: NDArray[Any], view: View) -> NDArray[np.float64]:
    """Return the taker's score; at five players that of a taker with a partner.

    Parameters
    ----------
    results
        Of `RESULT_DTYPE`, any shape.
    view
        What is played, and what was announced.
    """
    assert view.contract is not None
    shown, announced = _shown(view), view.chelem
    paid = _paid(results, view.contract, view.rules, shown=shown, announced=announced)
    return paid * _SHARES[view.players]


def own_share(view: View) -> float:
    """Return what a seat gets of one point of `scores`, as far as it knows its camp.

    A defender at four players gets −1/3.
    """
    payments = _SHARES[view.players]
    if view.is_taker:
        alone = view.called is not None and view.called in (view.hand | (view.dog or Hand()))
        return (payments + 2 * alone) / payments
    partner = view.called is not None and view.called in view.hand
    return (1 if partner else -1) / payments


def _paid(
    results: NDArray[Any],
    contract: Contract,
    rules: Rules,
    *,
    shown: Any = 0,
    announced: bool = False,
) -> NDArray[np.float64]:
    """Return what each defender pays, in points."""
    paid = per_defender(
        margins(results),
        contract,
        petit_au_bout=results["petit_au_bout"].astype(np.int64),
        poignees=shown,
        chelem=_chelems(results, announced),
        rules=rules,
    )
    return paid.astype(np.float64)


def _chelems(results: NDArray[Any], announced: bool) -> NDArray[np.int64]:
    """Return what is paid for the chelem."""
    found: NDArray[np.int64] = np.choose(
        1 - results["chelem"], _ANNOUNCED if announced else _UNANNOUNCED
    )
    return found


def soft_scores(results: NDArray[Any], view: View) -> NDArray[np.float64]:
    """Return the soft score of the attack, in half points.

    Parameters
    ----------
    results
        Of `RESULT_DTYPE`, any shape.
    view
        What is played, and what was announced.
    """
    assert view.contract is not None
    scale = 2.0 / view.rules.coefficients[view.contract]
    margin = margins(results)
    worth = _CONTRACT + 2 * scale * _shown(view)
    soft: NDArray[np.float64] = margin + worth / (1 + np.exp(-margin / _SPREAD))
    soft += _PETIT * results["petit_au_bout"]
    soft += scale * _chelems(results, view.chelem)
    return soft
