"""Fit what players who search make of a deal, from how players of habits play it.

The hands of ``make_table_play`` are judged as `tarot_sim.estimation.table_play` does it; what the
weights of each fit are is found on all of them, how good they are on hands left out. ``--test``
compares the shipped fit with the hands that no fit has seen.

    python -m benchmarks.calibration.fit_table_play --players 4 --write
    python -m benchmarks.calibration.fit_table_play --players 4 --test
"""

from __future__ import annotations

import argparse
import itertools
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

import tarot_sim
from benchmarks.calibration.fit_judge import fit_logit, fit_margin, made_by, named
from benchmarks.calibration.make_table_play import Kind, file_of, lines, worlds_of
from benchmarks.calibration.own_error import Shift
from tarot_sim.cards import CARDS
from tarot_sim.estimation.judge import Evidence, Judge
from tarot_sim.estimation.table_play import (
    FORMAT,
    ends_evidence,
    expect_table_play,
    habit_results,
    table_evidence,
)
from tarot_sim.rules import Rules
from tarot_sim.worlds.batch import NO_CALL
from tarot_sim.worlds.contract_deals import contract_deals
from tarot_sim.worlds.logits import logistic, logit

SHIPPED: Final = Path(tarot_sim.__path__[0]) / "estimation" / "table_play.json"
FOLDS: Final = 10


@dataclass(frozen=True, slots=True)
class Played:
    """Worlds that were played, a row each, and what is known of them beforehand."""

    hand_of: NDArray[np.int64]
    without_dog: NDArray[np.bool_]
    margin: NDArray[np.int64]
    petit: NDArray[np.int64]
    chelem: NDArray[np.int64]
    habit_margin: NDArray[np.int64]
    double_dummy: NDArray[np.float64]
    expected: NDArray[np.float64] | None
    evidence: Evidence
    deals: list[Any]
    results: list[NDArray[Any]]


def load(players: int, bot: str, kinds: Sequence[Kind]) -> Played:
    """Read what was played, and judge the same worlds; those of a test with the shipped fit."""
    rules, judge = Rules(players=players), Judge("fast")
    columns: dict[str, list[Any]] = {
        name: []
        for name in ("hand", "dog", "margin", "petit", "chelem", "habit", "double", "expected")
    }
    evidence, kept, ended = [], [], []
    every = [(kind, line) for kind in kinds for line in lines(file_of(players, bot, kind))]
    for place, (kind, line) in enumerate(every):
        number, n = line["number"], len(line["margin"])
        hand, contract, worlds, dealers = worlds_of(players, number, n, kind)
        assert str(hand) == line["hand"], "worlds are drawn in another way now"
        calls = np.array(line["called"])
        for call in np.unique(calls):
            rows = calls == call
            called = None if call == NO_CALL else CARDS[int(call)]
            leaders = ((dealers[rows] + 1) % players).astype(np.uint8)
            deals = contract_deals(worlds[rows], rules, contract, leaders, called=called)
            forecast = judge.forecast(deals)
            results = habit_results(deals, worlds[rows], called)
            evidence.append(table_evidence(forecast, results))
            if kind == "test":
                found = expect_table_play(deals, worlds[rows], forecast, called)
                columns["expected"] += found.p_make.tolist()
            kept.append(deals)
            ended.append(results)
            columns["hand"] += [place] * len(deals)
            columns["dog"] += [contract in ("garde_sans", "garde_contre")] * len(deals)
            columns["double"] += judge.judge(deals, forecast).p_make.tolist()
            for name in ("margin", "petit", "chelem"):
                columns[name] += np.array(line[name])[rows].tolist()
            columns["habit"] += (
                evidence[-1].values[:, evidence[-1].names.index("habit_margin")].tolist()
            )
    names = evidence[0].names
    return Played(
        np.array(columns["hand"]),
        np.array(columns["dog"]),
        np.array(columns["margin"]),
        np.array(columns["petit"]),
        np.array(columns["chelem"]),
        np.array(columns["habit"]),
        np.array(columns["double"]),
        np.array(columns["expected"]) if "test" in kinds else None,
        Evidence(names, np.concatenate([part.values for part in evidence])),
        kept,
        ended,
    )


def held_out(
    fit: Any, values: NDArray[np.float64], truth: NDArray[Any], hand_of: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return what a fit says of hands that it was not made from."""
    found = np.zeros(len(truth))
    for fold in range(FOLDS):
        out = hand_of % FOLDS == fold
        found[out] = values[out] @ fit(values[~out], truth[~out])
    return found


def fit_table(played: Played, players: int) -> dict[str, Any]:
    """Return the fits and how far off they are."""
    values, names = played.evidence.values, played.evidence.names
    made = (played.margin >= 0).astype(np.int64)
    fits = {
        "p_make": named(names, fit_logit(values, made)),
        "margin": named(names, fit_margin(values, played.margin)),
    }
    p = logistic(held_out(fit_logit, values, made, played.hand_of))
    margins = held_out(fit_margin, values, played.margin, played.hand_of)
    report(played, p)
    error = margins - played.margin
    print(f"margin: bias {error.mean():+.2f} half points, standard deviation {error.std():.2f}")
    ends: dict[str, list[Evidence]] = {}
    at = 0
    for deals, results in zip(played.deals, played.results, strict=True):
        rows = slice(at, at + len(deals))
        at = rows.stop
        for name, found in ends_evidence(deals, results, margins[rows]).items():
            ends.setdefault(name, []).append(found)
    doubts = {
        "margin_sd": round(float(error.std()), 2),
        "logit_shift": round(shared_shift(p, made, played.hand_of).likeliest, 2),
        "margin": round(spread_of_hands(error, played.hand_of), 2),
    }
    for name, target in (
        ("sweep_attack", played.chelem > 0),
        ("sweep_defence", played.chelem < 0),
        ("petit", played.petit),
    ):
        rows_of = np.concatenate([part.values for part in ends[name]])
        columns = ends[name][0].names
        fit = fit_margin if name == "petit" else fit_logit
        truth = np.asarray(target).astype(np.int64)
        fits[name] = named(columns, fit(rows_of, truth))
        told = held_out(fit, rows_of, truth, played.hand_of)
        if name != "petit":
            told = logistic(told)
        print(
            f"{name}: mean {truth.mean():+.4f}, told {told.mean():+.4f}, explains "
            f"{1 - ((told - truth) ** 2).mean() / max(truth.var(), 1e-9):.3f} of the variance"
        )
    # Too few hands tell these: what the judge's are is taken (`calibration.json`).
    doubts |= {"petit_logit": 1.0, "sweep_logit": 1.0}
    return {
        "made_by": made_by(players)
        | {
            "command": f"python -m benchmarks.calibration.fit_table_play --players {players}",
            "hands": len(np.unique(played.hand_of)),
            "worlds": len(made),
        },
        "fits": fits,
        "doubts": doubts,
    }


def shared_shift(
    p: NDArray[np.float64], made: NDArray[np.int64], hand_of: NDArray[np.int64]
) -> Shift:
    """Return the shift that the logits of a hand's worlds share, by its likelihood.

    The shift is normal, and integrated out. (`own_error` takes the mean error of a hand to be
    normal instead, which of ten worlds that are all but lost it is not.)
    """
    nodes, weights = np.polynomial.hermite_e.hermegauss(41)
    tried = np.arange(0, 2, 0.02)
    logits, signs = logit(p, 1e-6), 2 * made - 1
    likelihood = np.zeros(len(tried))
    hands = np.unique(hand_of)
    for number in hands:
        rows = hand_of == number
        shifted = logits[rows][:, None, None] + tried[None, :, None] * nodes
        found = -np.logaddexp(0, -signs[rows][:, None, None] * shifted).sum(axis=0)
        most = found.max(axis=1, keepdims=True)
        likelihood += most[:, 0] + np.log((np.exp(found - most) * weights).sum(axis=1))
    near = tried[likelihood >= likelihood.max() - 1.353]
    best = float(tried[likelihood.argmax()])
    return Shift(best, float(near.min()), float(near.max()), len(hands))


def spread_of_hands(error: NDArray[np.float64], hand_of: NDArray[np.int64]) -> float:
    """Return the standard deviation over hands of the error that their worlds share."""
    means, noise = [], []
    for number in np.unique(hand_of):
        rows = error[hand_of == number]
        means.append(rows.mean())
        noise.append(rows.var(ddof=1) / len(rows))
    return float(np.sqrt(max(np.var(means) - np.mean(noise), 0.0)))


def report(played: Played, p: NDArray[np.float64]) -> None:
    """Say how good probabilities are, beside those of open cards and of habits."""
    made = played.margin >= 0
    for name, told in (
        ("at the table", p),
        ("double dummy", played.double_dummy),
        ("habits", (played.habit_margin >= 0).astype(float)),
    ):
        clipped = np.clip(told, 0.01, 0.99)
        loss = -np.where(made, np.log(clipped), np.log(1 - clipped)).mean()
        print(
            f"{name}: made {made.mean():.4f}, told {told.mean():.4f}, Brier "
            f"{((told - made) ** 2).mean():.4f}, log loss {loss:.4f}, right side "
            f"{((told > 0.5) == made).mean():.3f}"
        )
    print("reliability at the table: told, made, worlds")
    edges = np.linspace(0, 1, 11)
    for low, high in itertools.pairwise(edges):
        rows = (p >= low) & (p < high + (high == 1))
        if rows.any():
            print(f"  {p[rows].mean():.3f} {made[rows].mean():.3f} {rows.sum()}")
    print(shared_shift(p, made.astype(np.int64), played.hand_of))


def report_hands(played: Played) -> None:
    """Compare what the shipped fit says of each hand with what was played."""
    assert played.expected is not None
    made = played.margin >= 0
    report(played, played.expected)
    errors, seen = [], []
    print("hand: played, told, double dummy, standard error of the first two's difference")
    for number in np.unique(played.hand_of):
        rows = played.hand_of == number
        off = played.expected[rows] - made[rows]
        se = float(off.std(ddof=1) / np.sqrt(rows.sum()))
        errors.append(off.mean())
        seen.append(se)
        print(
            f"  {number}: {made[rows].mean():.3f} {played.expected[rows].mean():.3f} "
            f"{played.double_dummy[rows].mean():.3f} {se:.3f}"
        )
    luck = np.mean(seen) * np.sqrt(2 / np.pi)
    print(
        f"bias {np.mean(errors):+.4f}, mean absolute error {np.abs(errors).mean():.4f}, of which "
        f"{luck:.4f} would be the luck of the worlds"
    )


def main() -> None:
    """Fit, or compare."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--players", type=int, default=4, choices=(3, 4, 5))
    parser.add_argument("--bot", default="search")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--test", action="store_true")
    given = parser.parse_args()
    played = load(given.players, given.bot, ["test"] if given.test else ["fit", "ends"])
    if given.test:
        report_hands(played)
        return
    table = fit_table(played, given.players)
    table["made_by"]["bot"] = given.bot
    if not given.write:
        return
    document: dict[str, Any] = {"format": FORMAT, "tables": {}}
    if SHIPPED.exists():
        document = json.loads(SHIPPED.read_text("utf-8"))
    document["tables"][str(given.players)] = table
    document["tables"] = dict(sorted(document["tables"].items()))
    SHIPPED.write_text(json.dumps(document, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
