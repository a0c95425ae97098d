"""What becomes of deals at a table, where everybody sees only their own cards.

Each deal is played once by players of habits (`tarot_sim.bots`), which takes some 10 µs. From how
that ends, and from what is counted and played with open cards, a fit reads what players who
search would make of the same deal: ``table_play.json``, made from deals that such players have
played (``python -m benchmarks.calibration.fit_table_play``).

These players hardly ever win every trick, as habits do not keep the Excuse for the last one: at the
very ends of the scale the figures are theirs, not those of people who see a chelem in their hand.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from os.path import splitext
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tarot_sim.bots._playing import play_deals
from tarot_sim.bots.habits import habits
from tarot_sim.estimation.calibration import CalibrationError, Doubts
from tarot_sim.estimation.ends import Ends, petit_evidence, swept
from tarot_sim.estimation.judge import Evidence, forms, margins_of
from tarot_sim.rules import DOG_CONTRACTS
from tarot_sim.worlds.batch import NO_CALL
from tarot_sim.worlds.contract_deals import TAKER
from tarot_sim.worlds.logits import logistic

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tarot_sim.estimation.judge import Forecast
    from tarot_sim.worlds.batch import Deals

#: The form of the file.
FORMAT: Final = 1
#: Half points that the weaker camp wins by habits, in hundreds: more makes no difference.
_FAR: Final = 1.0


@dataclass(frozen=True, slots=True)
class TablePlay:
    """What is expected of deals at a table; a row a deal.

    Attributes
    ----------
    p_make
        Probability that the contract is made.
    margins
        Expected half points of the attack above its need.
    bouts
        int64 (n,): bouts that the attack is expected to have.
    ends
        Who may win every trick, and the Petit au bout.
    """

    p_make: NDArray[np.float64]
    margins: NDArray[np.float64]
    bouts: NDArray[np.int64]
    ends: Ends


class TableFit:
    """The numbers of one table in ``table_play.json``.

    Parameters
    ----------
    document
        The file.
    players
        Which table.
    """

    def __init__(self, document: dict[str, Any], players: int) -> None:
        if document["format"] != FORMAT:
            raise CalibrationError(f"table_play: format {document['format']}, expected {FORMAT}")
        self._fits: dict[str, dict[str, float]] = document["tables"][str(players)]["fits"]
        self._doubts: dict[str, float] = document["tables"][str(players)]["doubts"]

    def read(self, name: str, evidence: Evidence) -> NDArray[np.float64]:
        """Return what a fit gives to columns of evidence, (n,).

        Raises
        ------
        CalibrationError
            If it was made for other columns.
        """
        fit = self._fits[name]
        if set(fit) != set(evidence.names):
            differ = ", ".join(sorted(set(fit) ^ set(evidence.names)))
            raise CalibrationError(
                f"table_play: {name} was fitted to other columns: {differ}; fit it anew"
            )
        weights = np.array([fit[column] for column in evidence.names])
        found: NDArray[np.float64] = evidence.values @ weights
        return found

    @property
    def doubts(self) -> Doubts:
        """How far off it may be."""
        return Doubts(**self._doubts)


@cache
def table_fit(players: int) -> TableFit:
    """Return what is shipped with the package, read when it is first asked for."""
    with open(f"{splitext(__file__)[0]}.json", encoding="utf-8") as file:
        return TableFit(json.load(file), players)


def habit_results(
    deals: Deals, worlds: NDArray[np.uint8], called: int | None, taker: int = TAKER
) -> NDArray[Any]:
    """Play deals by habits, every seat seeing its own cards only.

    Parameters
    ----------
    deals
        Whole deals.
    worlds
        uint8 (n, 78): the same as dealt. A called card that lies in a dog that is shown is seen
        by all.
    called
        Five players: the called card.
    taker
        The taker's seat.

    Returns
    -------
    numpy.ndarray
        `RESULT_DTYPE` (n,).
    """
    rules, n = deals.rules, len(deals)
    weights = np.repeat(habits(rules)[None], rules.players, axis=0)
    opened = np.zeros(n, np.bool_)
    if called is not None and called != NO_CALL and deals.contract in DOG_CONTRACTS:
        opened = worlds[:, called] == rules.players
    results, _ = play_deals(deals, np.full(n, taker, np.uint8), weights, open_call=opened)
    found: NDArray[Any] = results
    return found


def table_evidence(forecast: Forecast, results: NDArray[Any]) -> Evidence:
    """Return what the fits of chance and margin read.

    Parameters
    ----------
    forecast
        Of the deals.
    results
        From `habit_results`.
    """
    return forecast.evidence | Evidence.of(
        forms("habit_margin", margins_of(results))
        | {
            "habit_petit": results["petit_au_bout"].astype(np.float64),
            "habit_chelem": results["chelem"].astype(np.float64),
        }
    )


def ends_evidence(
    deals: Deals, results: NDArray[Any], margins: NDArray[np.float64], taker: int = TAKER
) -> dict[str, Evidence]:
    """Return what the fits of the ends read: of sweeps by either camp, and of the Petit au bout.

    Parameters
    ----------
    deals
        Whole deals.
    results
        From `habit_results`.
    margins
        float64 (n,): half points above the need that are expected.
    taker
        The taker's seat.
    """
    _, points = swept(deals)
    reached = results["attack_half_points"].astype(np.int64)
    one = np.ones(len(deals))
    sides, columns = petit_evidence(deals, margins, taker)
    found = {}
    for name, sign, left in (
        ("sweep_attack", 1, points[:, 0] - reached),
        ("sweep_defence", -1, reached - points[:, 1]),
    ):
        found[name] = Evidence.of(
            {
                "constant": one,
                "habit": results["chelem"] == sign,
                "left": np.minimum(left / 100, _FAR),
                "margin": np.clip(sign * margins / 100, -_FAR, _FAR),
            }
        )
    found["petit"] = Evidence.of(
        {
            "habit": results["petit_au_bout"].astype(np.float64),
            "side": sides,
            "surplus": sides * columns["surplus"],
            "ahead": sides * np.clip(columns["ahead"] / 100, -_FAR, _FAR),
        }
    )
    return found


def expect_table_play(
    deals: Deals,
    worlds: NDArray[np.uint8],
    forecast: Forecast,
    called: int | None,
    taker: int = TAKER,
) -> TablePlay:
    """Say what players who search would make of deals.

    Parameters
    ----------
    deals, worlds, called, taker
        As for `habit_results`.
    forecast
        Of the deals.
    """
    fit = table_fit(deals.rules.players)
    results = habit_results(deals, worlds, called, taker)
    evidence = table_evidence(forecast, results)
    p_make = logistic(fit.read("p_make", evidence))
    margins = fit.read("margin", evidence)
    found = ends_evidence(deals, results, margins, taker)
    sweeps = np.column_stack(
        [logistic(fit.read(name, found[name])) for name in ("sweep_attack", "sweep_defence")]
    )
    petits = np.clip(fit.read("petit", found["petit"]), -1, 1)
    sides, columns = petit_evidence(deals, margins, taker)
    kept = np.column_stack([(sides > 0) & ~columns["partner"], -1 * (sides < 0)])
    sweep_margins, sweep_points = swept(deals)
    ends = Ends(sweeps, sweeps[:, 0], sweep_margins, sweep_points, kept.astype(np.float64), petits)
    return TablePlay(p_make, margins, results["bouts"].astype(np.int64), ends)
