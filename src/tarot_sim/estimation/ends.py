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
PLAUSIBLE: Final = {3: (40, 48), 4: (40, 44), 5: (60, 44)}
#: Cards played in a search for a sweep. Of the defence's it finds little but what cannot be.
SWEEP_NODES: Final = {"attack": 4_000, "defence": 200}
#: Windows that are asked where that ends without an answer. Of the attack's sweep a narrow one
#: tells; of the defence's, one that cuts the attack's moves alone: its no is a proof.
ATTACK_WIDTHS: Final = Widths(attack_lead=2, attack_reply=1, defence_lead=2, defence_reply=1)
DEFENCE_WIDTHS: Final = replace(ALL_MOVES, attack_lead=2, attack_reply=2)
WINDOW_NODES: Final = 2_000
#: No fit is surer than this: a probability is never 0 or 1 unless it is proved.
_SUREST: Final = 0.99
_BOUTS: Final = (PETIT, VINGT_ET_UN, EXCUSE)
_NUMBERED: Final = slice(PETIT, EXCUSE)
#: More or fewer trumps than any opponent make no more difference.
_SURPLUS: Final = (-4, 5)
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
        float64 (n, 2): probability that the camp wins every trick; 0 and 1 where proved, and 0
        where a play-out leaves the other camp more than `PLAUSIBLE`.
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
            *(
                np.concatenate([getattr(part, field.name) for part in parts])
                for field in fields(cls)
            )
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
    sweep_margins, sweep_points = swept(deals)
    lost, gained = evidence_of_ends(deals, outcomes)
    sweeps, led = np.zeros((n, 2)), np.zeros(n)
    rows = np.flatnonzero(lost <= PLAUSIBLE[players][0])
    if rows.size:
        some, less = deals[rows], lost[rows]
        found = attack_evidence(evaluator, some, less)
        sweeps[rows, 0] = _probabilities("sweep_attack", players, found)
        led[rows] = sweeps[rows, 0]
        other = some.leader != taker  # of the rest it is the same question
        if other.any():
            found = attack_evidence(evaluator, _led_by(some[other], taker), less[other])
            led[rows[other]] = _probabilities("sweep_attack", players, found)
    rows = np.flatnonzero(gained <= PLAUSIBLE[players][1])
    if rows.size:
        found = defence_evidence(evaluator, deals[rows], gained[rows])
        sweeps[rows, 1] = _probabilities("sweep_defence", players, found)
    sides, columns = petit_evidence(deals, margins, taker)
    petits = sides * _read(calibration().ends(players)["petit"], columns)
    # Who wins every trick and holds it plays it last; only a partner may have to play it before.
    kept = np.column_stack([(sides > 0) & ~columns["partner"], -1 * (sides < 0)])
    return Ends(sweeps, led, sweep_margins, sweep_points, kept.astype(np.float64), petits)


def evidence_of_ends(
    deals: Deals, outcomes: list[NDArray[Any]]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the half points that the attack lacks in play-outs, and those that it wins.

    The least of them: see `judge_ends` for the parameters. Shape (n,) each.
    """
    points = swept(deals)[1]
    reached = np.stack([outcome["attack_half_points"] for outcome in outcomes]).astype(np.int64)
    return points[:, 0] - reached.max(axis=0), reached.min(axis=0) - deals.half_points


def swept(deals: Deals) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
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


def attack_evidence(
    evaluator: Evaluator, deals: Deals, lost: NDArray[np.int64]
) -> tuple[NDArray[np.int8], dict[str, NDArray[Any]]]:
    """Ask whether the attack wins every trick.

    Returns
    -------
    answers : numpy.ndarray
        int8 (n,): 1 yes and 0 no, both proved, −1 open.
    columns : dict
        What tells of those that are open, (k,) each: half points that the attack lacks in a
        play-out, and whether a narrow window says yes.
    """
    answers = evaluator.sweeps(deals, "attack", SWEEP_NODES["attack"])
    rows = np.flatnonzero(answers < 0)
    if not rows.size:
        return answers, {}
    threshold = CHELEM_THRESHOLD["attack"]
    seen, _ = evaluator.reaches(deals[rows], CHELEM, threshold, ATTACK_WIDTHS, WINDOW_NODES)
    return answers, {"constant": np.ones(rows.size), "lost": lost[rows], "window": seen == 1}


def defence_evidence(
    evaluator: Evaluator, deals: Deals, gained: NDArray[np.int64]
) -> tuple[NDArray[np.int8], dict[str, NDArray[Any]]]:
    """Ask whether the defence wins every trick; see `attack_evidence`.

    Of the open ones it tells how many half points the attack wins in a play-out, and whether a
    window says yes that cuts moves of the attack.
    """
    answers = evaluator.sweeps(deals, "defence", SWEEP_NODES["defence"])
    rows = np.flatnonzero(answers < 0)
    if not rows.size:
        return answers, {}
    threshold = CHELEM_THRESHOLD["defence"]
    reached, _ = evaluator.reaches(deals[rows], CHELEM, threshold, DEFENCE_WIDTHS, WINDOW_NODES)
    # The attack has only some of its moves: where it wins a trick all the same, that is proved.
    answers[rows[reached == 1]] = 0
    rest = reached != 1
    rows = rows[rest]
    return answers, {
        "constant": np.ones(rows.size), "gained": gained[rows], "window": reached[rest] == 0,
    }  # fmt: skip


def petit_evidence(
    deals: Deals, margins: NDArray[np.float64], taker: int = TAKER
) -> tuple[NDArray[np.int64], dict[str, NDArray[Any]]]:
    """Return who holds the Petit, and what tells whether they win it in the last trick.

    Returns
    -------
    sides : numpy.ndarray
        int64 (n,): +1 where the attack holds it, −1 the defence, 0 where it is not played.
    columns : dict
        Shape (n,) each: the holder's trumps less those of the opponent who has most, within
        limits; the margin that is expected, from the holder's side; whether the holder is the
        taker's partner, whom the taker's own trumps ask for it.
    """
    players, n = deals.rules.players, np.arange(len(deals))
    holder = deals.owners[:, PETIT].astype(np.int64)
    played = holder < players
    seat = np.minimum(holder, players - 1)
    attacks = deals.attack[:, None] >> np.arange(players) & 1 == 1
    held = attacks[n, seat]
    trumps = (deals.owners[:, _NUMBERED, None] == np.arange(players)).sum(axis=1)
    longest = np.where(attacks == held[:, None], 0, trumps).max(axis=1)
    return np.where(held, 1, -1) * played, {
        "constant": np.ones(len(deals)),
        "surplus": np.clip(trumps[n, seat] - longest, *_SURPLUS),
        "ahead": np.where(held, margins, -margins),
        "partner": held & (holder != taker),
    }


def _read(fit: dict[str, float], columns: dict[str, NDArray[Any]]) -> NDArray[np.float64]:
    """Return the probability that a fit reads from its columns."""
    n = len(next(iter(columns.values())))
    total = sum((fit[name] * column for name, column in columns.items()), np.zeros(n))
    return logistic(total)


def _probabilities(
    name: str, players: int, found: tuple[NDArray[np.int8], dict[str, NDArray[Any]]]
) -> NDArray[np.float64]:
    """Return the probability of a sweep from its evidence: 0 or 1 where proved; (n,)."""
    answers, columns = found
    p = answers.astype(np.float64)
    if columns:
        fit = calibration().ends(players)[name]
        p[answers < 0] = np.clip(_read(fit, columns), 1 - _SUREST, _SUREST)
    return p


def stretched(margins: NDArray[np.float64], players: int) -> NDArray[np.float64]:
    """Return expected margins with what a linear fit lacks at the ends of the scale; (n,)."""
    fit = calibration().ends(players)["stretch"]
    knots = sorted((float(margin), more) for margin, more in fit.items())
    at, more = zip(*knots, strict=True)
    result: NDArray[np.float64] = margins + np.interp(margins, at, more)
    return result
