"""Fit what `tarot_sim.estimation.ends` goes by to answers of `benchmarks.calibration.chelems`.

Other hands than those that the fits are held against later, drawn alike. Fitted are the logits
of a sweep that no proof settles and of the Petit au bout, and what the linear fit of the
margins lacks at the ends of the scale; measured is what is left of the margins for a hand as a
whole. The answers are kept in ``build/chelems-PLAYERS.jsonl``: a second run only fits. With
``--write`` the fits go into ``calibration.json``.

    python -m benchmarks.calibration.fit_chelems --write
"""

from __future__ import annotations

import argparse
import json
import subprocess
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from joblib import Parallel, delayed
from scipy.optimize import minimize

from benchmarks.calibration.chelems import (
    CONTRACTS,
    Answer,
    answered,
    call_of,
    line_of,
    read,
    tilted_hands,
)
from benchmarks.calibration.fit_judge import FOLDER, SHIPPED
from tarot_sim.estimation._evaluate import Evaluator
from tarot_sim.estimation.ends import (
    PLAUSIBLE,
    attack_evidence,
    defence_evidence,
    evidence_of_ends,
    petit_evidence,
)
from tarot_sim.estimation.judge import NARROW_TABLE, Judge
from tarot_sim.rules import Rules
from tarot_sim.worlds._sampler import sample_worlds
from tarot_sim.worlds.contract_deals import TAKER, contract_deals

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tarot_sim.worlds.batch import Deals

HANDS: Final = 60
WORLDS: Final = 8
SEED: Final = 11
#: Knots of what the margins lack, in half points; between those in the middle nothing is added.
KNOTS: Final = (-110, -70, -40, -15, 15, 40, 70, 110)
MIDDLE: Final = (-15, 15)
#: Least weight of the fits' priors: a flat logit, and nothing to add.
RIDGE: Final = 0.2
KNOT_RIDGE: Final = 2.0
#: What the logits of a hand's worlds are off by together: so that the intervals of
#: `benchmarks.calibration.chelems` hold.
LOGIT_ERRORS: Final = {"petit_logit": 1.5, "sweep_logit": 1.5}


def deals_of_hands(players: int) -> list[Deals]:
    """Return the worlds of every hand and contract."""
    rules = Rules(players=players)
    leaders = (np.arange(WORLDS) % players).astype(np.uint8)
    found = []
    for number, hand in enumerate(tilted_hands(players, HANDS, SEED)):
        bits = np.random.PCG64DXSM(number)
        worlds = sample_worlds(hand, TAKER, rules, WORLDS, bits)
        call = call_of(hand, rules)
        for contract in CONTRACTS:
            found.append(contract_deals(worlds, rules, contract, leaders, called=call))
    return found


def collect(players: int, every: list[Deals], jobs: int) -> list[list[Answer]]:
    """Return the answers of all hands, and keep them."""
    path = FOLDER / f"chelems-{players}.jsonl"
    if path.exists():
        rows = [read(line) for line in path.read_text().splitlines()]
        if len(rows) == WORLDS * len(every):
            return [rows[at : at + WORLDS] for at in range(0, len(rows), WORLDS)]

    def answer(number: int, deals: Deals) -> list[Answer]:
        return answered(Evaluator(1 << 26), deals, players, number // len(CONTRACTS))

    found: list[list[Answer]] = Parallel(n_jobs=jobs, prefer="threads")(
        delayed(answer)(number, deals) for number, deals in enumerate(every)
    )
    FOLDER.mkdir(exist_ok=True)
    path.write_text("".join(line_of(row) for rows in found for row in rows))
    return found


@dataclass
class Rows:
    """Columns of evidence and what is true, put together row by row."""

    columns: list[NDArray[Any]]
    truth: list[NDArray[Any]]
    names: tuple[str, ...] = ()

    def add(self, columns: dict[str, NDArray[Any]], truth: NDArray[Any], keep: Any) -> None:
        """Add the rows to keep."""
        self.names = tuple(columns)
        self.columns.append(np.column_stack(list(columns.values())).astype(float)[keep])
        self.truth.append(np.asarray(truth, float)[keep])

    def fit(self) -> dict[str, float]:
        """Return the weights of a logistic regression, by column."""
        evidence, truth = np.concatenate(self.columns), np.concatenate(self.truth)
        scale = np.maximum(abs(evidence).max(axis=0), 1e-9)

        def loss(weights: NDArray[Any]) -> float:
            logits = (2 * truth - 1) * (evidence / scale @ weights)
            return float(np.logaddexp(0, -logits).sum() + RIDGE * weights @ weights / 2)

        weights = minimize(loss, np.zeros(len(scale))).x / scale
        p = 1 / (1 + np.exp(-evidence @ weights))
        print(
            f"{len(truth)} rows, {truth.mean():.2f} yes; log loss "
            f"{-np.log(np.where(truth > 0, p, 1 - p)).mean():.3f}: "
            + ", ".join(f"{n} {w:.4g}" for n, w in zip(self.names, weights, strict=True))
        )
        return {n: float(f"{w:.4g}") for n, w in zip(self.names, weights, strict=True)}


def fitted(players: int, every: list[Deals], answers: list[list[Answer]]) -> dict[str, Any]:
    """Return the fits of a table."""
    judge, evaluator = Judge("cascade"), Evaluator(NARROW_TABLE)
    attack, defence, petit = Rows([], []), Rows([], []), Rows([], [])
    margins, true_margins, hands = [], [], []
    for deals, rows in zip(every, answers, strict=True):
        forecast = judge.forecast(deals)
        judgement = judge.judge(deals, forecast)
        lost, gained = evidence_of_ends(deals, [forecast.outcomes, judgement.outcomes])
        swept = np.array([[-1 if value is None else value for value in row.sweeps] for row in rows])
        for column, fit, evidence, least, most in (
            (0, attack, attack_evidence, lost, PLAUSIBLE[players][0]),
            (1, defence, defence_evidence, gained, PLAUSIBLE[players][1]),
        ):
            some = np.flatnonzero(least <= most)
            if not some.size:
                continue
            proved, columns = evidence(evaluator, deals[some], least[some])
            if columns:
                truth = swept[some, column][proved < 0]
                fit.add(columns, truth, truth >= 0)
        wide = np.array([row.kind == "wide" for row in rows])
        sides, columns = petit_evidence(deals, judgement.margins)
        last = np.array([row.petit_au_bout for row in rows])
        petit.add(columns, last == sides, wide & (sides != 0))
        margins.append(judgement.margins[wide])
        true_margins.append(np.array([row.margin for row in rows])[wide])
        hands.append(np.array([row.hand for row in rows])[wide])
    fits: dict[str, Any] = {}
    for name, fit in (("sweep_attack", attack), ("sweep_defence", defence), ("petit", petit)):
        print(f"{players} players, {name}: ", end="")
        fits[name] = fit.fit()
    before, truth = np.concatenate(margins), np.concatenate(true_margins)
    fits["stretch"] = stretch(before, truth)
    at = [float(knot) for knot in fits["stretch"]]
    after = before + np.interp(before, at, list(fits["stretch"].values()))
    off = own_deviation(truth - after, np.concatenate(hands))
    print(
        f"{players} players, margins of {len(truth)} worlds: off by "
        f"{np.abs(truth - before).mean():.1f} before and {np.abs(truth - after).mean():.1f} "
        f"after {fits['stretch']}; of a hand as a whole ± {off:.1f}"
    )
    fits["error"] = {"margin": float(f"{off:.2g}"), **LOGIT_ERRORS}
    return fits


def stretch(margins: NDArray[Any], truth: NDArray[Any]) -> dict[str, float]:
    """Return what is added to margins at each knot; nothing in the middle."""
    hats = np.column_stack(
        [np.interp(margins, KNOTS, np.eye(len(KNOTS))[knot]) for knot in range(len(KNOTS))]
    )
    free = [place for place, knot in enumerate(KNOTS) if knot not in MIDDLE]
    used = hats[:, free]
    more = np.linalg.solve(
        used.T @ used + KNOT_RIDGE * np.eye(len(free)), used.T @ (truth - margins)
    )
    found = dict.fromkeys(map(str, KNOTS), 0.0)
    found |= {
        str(KNOTS[place]): round(float(value), 1) for place, value in zip(free, more, strict=True)
    }
    return found


def own_deviation(errors: NDArray[Any], hands: NDArray[Any]) -> float:
    """Return the standard deviation over hands of what all worlds of one are off by."""
    groups = [errors[hands == hand] for hand in np.unique(hands)]
    groups = [group for group in groups if len(group) > 2]
    means = np.array([group.mean() for group in groups])
    noise = np.mean([group.var(ddof=1) / len(group) for group in groups])
    return float(np.sqrt(max(0.0, (means**2).mean() - noise)))


def main() -> None:
    """Fit every table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--players", type=int, nargs="+", default=[3, 4, 5])
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--write", action="store_true", help="into calibration.json")
    options = parser.parse_args()
    document = json.loads(SHIPPED.read_text())
    for players in options.players:
        every = deals_of_hands(players)
        fits = fitted(players, every, collect(players, every, options.jobs))
        document["ends"]["values"][str(players)] = fits
    if options.write:
        commit = subprocess.run(
            ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=True
        ).stdout.strip()
        document["ends"]["made_by"] = {
            "command": "python -m benchmarks.calibration.fit_chelems --write",
            "date": date.today().isoformat(),
            "commit": commit,
            "hands": HANDS,
            "worlds": HANDS * WORLDS * len(CONTRACTS),
        }
        SHIPPED.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
