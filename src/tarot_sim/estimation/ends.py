"""The ends of the scale: deals in which a camp wins every trick, and the Petit au bout.

A judge's margin is fitted to all deals, and a narrow search plays for neither. So deals in
which a play-out leaves the other camp with next to nothing are asked whether they are swept:
most are answered by proof (`tarot_sim.solver._sweep`), the rest get a probability that was fitted
to exact answers. A swept deal's margin is known without search, and the margin of all others
is between the two sweeps'.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tarot_sim.cards import EXCUSE, HALF_POINTS, PETIT, VINGT_ET_UN
from tarot_sim.estimation.calibration import calibration
from tarot_sim.rules import NEED
from tarot_sim.solver.objectives import CHELEM, CHELEM_THRESHOLD
from tarot_sim.solver.widths import ALL_MOVES, Widths
from tarot_sim.worlds.contract_deals import TAKER
from tarot_sim.worlds.logits import logistic

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tarot_sim.estimation._evaluate import Evaluator
    from tarot_sim.worlds.batch import Deals

#: By players: half points that the weaker camp wins in a play-out at the most, in deals that may
#: be swept all the same. The attack's own cards are worth more than what it lacks.
PLAUSIBLE: Final = {3: (40, 40), 4: (40, 40), 5: (60, 44)}
#: Cards played in a search for a sweep.
SWEEP_NODES: Final = 4_000
#: Windows that are asked where that ends without an answer. Of the attack's sweep a narrow one
#: tells; of the defence's, one that cuts the attack's moves alone: its no is a proof.
ATTACK_WIDTHS: Final = Widths(attack_lead=2, attack_reply=1, defence_lead=2, defence_reply=1)
DEFENCE_WIDTHS: Final = replace(ALL_MOVES, attack_lead=2, attack_reply=2)
WINDOW_NODES: Final = {"attack": 1_000, "defence": 2_000}
#: No fit is surer than this: a probability is never 0 or 1 unless it is proved.
_SUREST: Final = 0.99
_BOUTS: Final = (PETIT, VINGT_ET_UN, EXCUSE)
_HALF_POINTS: Final = np.array(HALF_POINTS, np.int64)
_NEEDS: Final = np.array(NEED, np.int64)
#: What a camp keeps of an Excuse beyond a pip, where it keeps that without a trick.
_KEPT_EXCUSE: Final = 8


@dataclass(frozen=True, slots=True)
class Ends:
    """What may become of each deal at the ends of the scale; a row a deal.

    Columns of two are those of the attack and of the defence.

    Attributes
    ----------
    sweeps
        float64 (n, 2): probability that the camp wins every trick; 0 and 1 where proved.
    led
        float64 (n,): the same of the attack if the taker leads, as who announces a chelem does.
    sweep_margins
        int64 (n, 2): half points of the attack above its need if the camp does.
    sweep_points
        int64 (n, 2): half points of the attack then.
    sweep_petits
        float64 (n, 2): the Petit au bout expected then, +1 for the attack, −1 for the defence.
    petits
        float64 (n,): the Petit au bout expected where neither camp wins every trick.
    """

    sweeps: NDArray[np.float64]
    led: NDArray[np.float64]
    sweep_margins: NDArray[np.int64]
    sweep_points: NDArray[np.int64]
    sweep_petits: NDArray[np.float64]
    petits: NDArray[np.float64]

    def __getitem__(self, rows: slice) -> Ends:
        """Return the ends of some of the deals."""
        return Ends(*(getattr(self, field.name)[rows] for field in fields(self)))

    @classmethod
    def concatenate(cls, parts: list[Ends]) -> Ends:
        """Return the ends of the deals of several."""
        return cls(
            *(np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(cls))
        )

    def within(self, p_make: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the probabilities of `sweeps` and of neither in accord with `p_make`.

        A swept deal is made, or failed. Shape (n, 3): attack, defence, neither.
        """
        attack = np.minimum(self.sweeps[:, 0], p_make)
        defence = np.minimum(self.sweeps[:, 1], 1 - p_make)
        return np.column_stack([attack, defence, 1 - attack - defence])

    def inside(self, margins: NDArray[np.float64], players: int) -> NDArray[np.float64]:
        """Return margins of deals that are not swept, within what is possible.

        Whoever wins a trick wins a half point for each of its cards at the least. `margins` are
        of shape (n,) or (n, k).
        """
        low = self.sweep_margins[:, 1] + players
        high = self.sweep_margins[:, 0] - players
        if margins.ndim == 2:
            low, high = low[:, None], high[:, None]
        result: NDArray[np.float64] = np.clip(margins, np.minimum(low, high), high)
        return result


def judge_ends(
    evaluator: Evaluator,
    deals: Deals,
    outcomes: list[NDArray[Any]],
    margins: NDArray[np.float64],
    taker: int = TAKER,
) -> Ends:
    """Judge what becomes of deals at the ends of the scale.

    Parameters
    ----------
    evaluator
        What searches.
    deals
        Whole deals.
    outcomes
        Ends of play-outs of them, each `RESULT_DTYPE` (n,).
    margins
        float64 (n,): half points above the need that are expected of each.
    taker
        The taker's seat.
    """
    n, players = len(deals), deals.rules.players
    sweep_margins, sweep_points = _swept(deals)
    reached = np.stack([outcome["attack_half_points"] for outcome in outcomes]).astype(np.int64)
    lost = sweep_points[:, 0] - reached.max(axis=0)
    gained = reached.min(axis=0) - deals.half_points
    sweeps, led = np.zeros((n, 2)), np.zeros(n)
    rows = np.flatnonzero(lost <= PLAUSIBLE[players][0])
    if rows.size:
        some = deals[rows]
        sweeps[rows, 0] = _attack_sweeps(evaluator, some, lost[rows])
        led[rows] = _attack_sweeps(evaluator, _led_by(some, taker), lost[rows])
    rows = np.flatnonzero(gained <= PLAUSIBLE[players][1])
    if rows.size:
        sweeps[rows, 1] = _defence_sweeps(evaluator, deals[rows], gained[rows])
    sweep_petits, petits = _petits(deals, margins, taker)
    return Ends(sweeps, led, sweep_margins, sweep_points, sweep_petits, petits)


def _swept(deals: Deals) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return margins and half points of the attack in swept deals, see `Ends`; (n, 2) each.

    A camp without a trick loses its Excuse too, unless the rules let it keep that.
    """
    played = deals.owners < deals.rules.players
    live = (played * _HALF_POINTS).sum(axis=1)
    outside = (deals.bouts[:, None] >> np.arange(3) & 1).sum(axis=1)
    points = np.column_stack([deals.half_points + live, deals.half_points]).astype(np.int64)
    bouts = np.column_stack([outside + played[:, _BOUTS].sum(axis=1), outside]).astype(np.int64)
    if deals.rules.excuse_no_trick == "keep":
        holder = deals.owners[:, EXCUSE]
        attacks = (deals.attack >> np.minimum(holder, 7) & 1 == 1) & played[:, EXCUSE]
        defends = played[:, EXCUSE] & ~attacks
        kept = np.column_stack([-1 * defends, 1 * attacks])
        points, bouts = points + _KEPT_EXCUSE * kept, bouts + kept
    return points - _NEEDS[bouts], points


def _led_by(deals: Deals, seat: int) -> Deals:
    """Return the same deals with this seat on lead."""
    return replace(deals, leader=np.full(len(deals), seat, np.uint8))


def _attack_sweeps(
    evaluator: Evaluator, deals: Deals, lost: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return the probability that the attack wins every trick, 0 or 1 where proved; (n,)."""
    answers = evaluator.sweeps(deals, "attack", SWEEP_NODES)
    p = answers.astype(np.float64)
    rows = np.flatnonzero(answers < 0)
    if rows.size:
        threshold = CHELEM_THRESHOLD["attack"]
        seen, _ = evaluator.reaches(
            deals[rows], CHELEM, threshold, ATTACK_WIDTHS, WINDOW_NODES["attack"]
        )
        fit = calibration().ends(deals.rules.players)["sweep_attack"]
        logits = fit["constant"] + fit["lost"] * lost[rows] + fit["window"] * (seen == 1)
        p[rows] = np.clip(logistic(logits), 1 - _SUREST, _SUREST)
    return p


def _defence_sweeps(
    evaluator: Evaluator, deals: Deals, gained: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return the probability that the defence wins every trick, 0 where proved; (n,)."""
    threshold = CHELEM_THRESHOLD["defence"]
    seen, _ = evaluator.reaches(
        deals, CHELEM, threshold, DEFENCE_WIDTHS, WINDOW_NODES["defence"]
    )
    fit = calibration().ends(deals.rules.players)["sweep_defence"]
    logits = fit["constant"] + fit["gained"] * gained
    p = np.clip(logistic(logits), 1 - _SUREST, _SUREST)
    result: NDArray[np.float64] = np.where(seen == 0, _SUREST, np.where(seen == 1, 0.0, p))
    return result


def _petits(
    deals: Deals, margins: NDArray[np.float64], taker: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the Petit au bout expected of swept deals and of others, see `Ends`.

    A camp that holds it and is far ahead keeps it for the last trick: with everything in view
    nothing forces it out. A partner of the taker who wins no trick has to part with it.
    """
    holder = deals.owners[:, PETIT]
    played = holder < deals.rules.players
    attacks = played & (deals.attack >> np.minimum(holder, 7) & 1 == 1)
    defends = played & ~attacks
    fit = calibration().ends(deals.rules.players)
    swept = np.column_stack([1.0 * (holder == taker), -1.0 * defends])
    up, down = (
        logistic(fit[name]["constant"] + fit[name]["margin"] * margins)
        for name in ("petit_attack", "petit_defence")
    )
    return swept, np.where(attacks, up, np.where(defends, -down, 0.0))
