"""How far the chances can be trusted: held against exact answers, and against themselves.

* Judgement: each method on the stored worlds of `benchmarks.calibration.make_truth`, with the
  dog open and with the dog fixed.
* Sampling: how often the intervals of short runs hold a long run's value, and by how much
  the forecasts of many worlds reduce the variance at equal cost.

    make accuracy
    python -m benchmarks.calibration.accuracy --only judgement
"""

from __future__ import annotations

import argparse
import itertools
import time
from math import hypot, sqrt
from typing import TYPE_CHECKING, Final

import numpy as np
from joblib import Parallel, delayed

from benchmarks.calibration.make_truth import FILES, deals_of, hands, load
from benchmarks.calibration.own_error import likeliest_shift, shift_likelihood
from tarot_sim.estimation.calibration import calibration
from tarot_sim.estimation.chunks import CHUNK, GROUPS, run_chunk
from tarot_sim.estimation.figures import estimate_p_make
from tarot_sim.estimation.hand_chances import chances
from tarot_sim.estimation.intervals import interval
from tarot_sim.estimation.judge import METHODS, Judge, Method
from tarot_sim.estimation.plan import Plan
from tarot_sim.estimation.sample import pool
from tarot_sim.rules import Rules

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tarot_sim.estimation.sample import Sample
    from tarot_sim.rules import Contract

#: Runs whose intervals are counted, their worlds, and those of the run that they should hold.
SHORT_RUNS: Final = 200
SHORT_WORLDS: Final = 150
LONG_WORLDS: Final = 6000
#: The stored hands that are asked for coverage.
COVERAGE_HANDS: Final = (0, 6, 12, 18)
#: Hands and chunks of the comparison with plain sampling.
VARIANCE_HANDS: Final = 20
VARIANCE_CHUNKS: Final = 12
#: The stored hand whose intervals are timed.
WIDTH_HAND: Final = 9
WIDTH_WORLDS: Final = (100, 200, 400, 800, 1600)


def judgements() -> None:
    """Print every method's errors on all stored worlds, and what files tell together of a shift."""
    pooled: dict[str, list[tuple[NDArray[np.float64], int]]] = {}
    for name, file in FILES.items():
        for method in METHODS:
            tables = "3 players" if file.players == 3 else "4 and 5 players"
            dog = "with" if file.contract == "garde" else "without"
            key = f"{tables}, {method}, {dog} the dog"
            pooled.setdefault(key, []).append(judgement(method, name))
    for key, sources in pooled.items():
        likelihood = np.sum([source for source, _ in sources], axis=0)
        print(f"{key}: {likeliest_shift(likelihood, sum(hands for _, hands in sources))}")


def judgement(method: Method, name: str) -> tuple[NDArray[np.float64], int]:
    """Print a method's errors on a file of stored worlds, and return what tells a shift."""
    worlds = load(name)
    deals = deals_of(worlds, FILES[name])
    hand = np.array([world.hand for world in worlds])
    truth = np.array([-1 if world.made is None else int(world.made) for world in worlds])
    known = truth >= 0
    started = time.process_time()
    judge = Judge(method)
    p_make = judge.judge(deals).p_make
    judged = time.process_time() - started
    proved = np.zeros(len(deals), np.bool_)
    if METHODS[method].exact_nodes:
        p_make, proved = judge.prove(deals, p_make)
    seconds = time.process_time() - started
    wrong = int((proved & known & (p_make != truth)).sum())
    rows = [known & (hand == number) for number in np.unique(hand)]
    rows = [row for row in rows if row.sum() > 1]
    errors = np.array([float((p_make - truth)[row].mean()) for row in rows])
    noise = float(np.mean([(p_make - truth)[row].var(ddof=1) / row.sum() for row in rows]))
    middle = np.array([0.1 < truth[row].mean() < 0.9 for row in rows])
    shift = calibration().logit_shift(FILES[name].players, FILES[name].contract)
    held = [in_interval(p_make[row], truth[row], shift) for row in rows]
    likelihood = shift_likelihood(p_make, truth, hand)
    print(
        f"{name}, {method}: {known.mean():.3f} of {len(worlds)} worlds proved in the file; "
        f"agreement {((p_make > 0.5) == truth)[known].mean():.4f}, "
        f"bias {errors.mean():+.4f} ± {sqrt(noise / len(rows)):.4f}, "
        f"mean absolute error of a hand {np.abs(errors).mean():.4f}, "
        f"worst {np.abs(errors).max():.3f}; "
        f"{middle.sum()} hands between .1 and .9: {np.abs(errors[middle]).mean():.4f}; "
        f"{likeliest_shift(*likelihood)}, {shift} is allowed for; "
        f"{sum(held)} of {len(held)} intervals hold the truth; "
        f"{1e3 * judged / len(deals):.2f} ms a world judged, {1e3 * seconds / len(deals):.2f} with "
        f"proofs of {proved.mean():.3f}, {wrong} of them wrong",
        flush=True,
    )
    return likelihood


def in_interval(p_make: NDArray[np.float64], truth: NDArray[np.int64], shift: float) -> bool:
    """Return whether the 95 % interval of a hand's mean chance holds the share that is made.

    The worlds are the same, so that luck is only what the chances leave open. Half a world
    more or less does not count: none of 60 made is no contradiction to 0.1 to 0.5 %.
    """
    left = float((p_make * (1 - p_make)).mean())
    low, high = interval(float(p_make.mean()), hypot(sqrt(left / len(p_make)), shift * left))
    half = 0.5 / len(p_make)
    return bool(low - half <= truth.mean() <= high + half)


def coverage(jobs: int) -> None:
    """Print how often short runs' intervals hold the long run's value."""
    held: dict[str, list[bool]] = {"sampling": [], "whole": []}
    for number, hand in zip(range(COVERAGE_HANDS[-1] + 1), hands(), strict=False):
        if number not in COVERAGE_HANDS:
            continue
        long = chances(hand, worlds=LONG_WORLDS, seed=10**6, n_jobs=jobs).contracts
        runs = Parallel(n_jobs=jobs, prefer="threads")(
            delayed(chances)(hand, worlds=SHORT_WORLDS, seed=seed, n_jobs=1)
            for seed in range(SHORT_RUNS)
        )
        for contract, row in long.items():
            if contract == "prise" or not 0.02 < row.p_make < 0.98:
                continue
            inside, whole = [], []
            for run in runs:
                found = run.contracts[contract]
                low, high = interval(found.p_make, found.se)
                inside.append(low <= row.p_make <= high)
                whole.append(found.ci95[0] <= row.p_make <= found.ci95[1])
            held["sampling"] += inside
            held["whole"] += whole
            print(
                f"coverage, hand {number}, {contract}: long run {row.p_make:.4f} ± {row.se:.4f}; "
                f"of {SHORT_RUNS} runs of {SHORT_WORLDS} worlds the sampling's interval holds it "
                f"in {np.mean(inside):.3f}, the whole one in {np.mean(whole):.3f}",
                flush=True,
            )
    print(
        f"coverage: sampling {np.mean(held['sampling']):.4f}, whole {np.mean(held['whole']):.4f} "
        f"of {len(held['whole'])} intervals"
    )


def variance(jobs: int) -> None:
    """Print the variance of the scheme against plain sampling of the same judge at equal cost."""
    ratios: list[float] = []
    for number, hand in zip(range(VARIANCE_HANDS), hands(), strict=False):
        plan = Plan(hand, Rules(), 1, "cascade")
        both = Parallel(n_jobs=jobs, prefer="threads")(
            delayed(_timed_chunk)(plan, chunk) for chunk in range(VARIANCE_CHUNKS)
        )
        scheme = sum(seconds for _, seconds, _ in both)
        plain = sum(seconds for _, _, seconds in both)
        for contract in GROUPS:
            sample = pool([samples[contract] for samples, _, _ in both])
            found = estimate_p_make(sample)
            if not 0.02 < found.mean < 0.98:
                continue
            alone = float(sample.p_make.std(ddof=1)) / sqrt(len(sample.p_make))
            ratio = (found.se / alone) ** 2 * scheme / plain
            ratios.append(ratio)
            print(
                f"variance, hand {number}, {contract}: P {found.mean:.3f}, standard error "
                f"{found.se:.4f} against {alone:.4f}, at equal cost {ratio:.3f}",
                flush=True,
            )
    print(
        f"variance at equal cost: mean ratio {np.mean(ratios):.3f}, median {np.median(ratios):.3f} "
        f"of {len(ratios)} contracts"
    )


def _timed_chunk(plan: Plan, number: int) -> tuple[dict[Contract, Sample], float, float]:
    """Return a chunk, and the seconds that it took with its forecasts and without them."""
    started = time.thread_time()
    samples = run_chunk(plan, number).samples
    scheme = time.thread_time() - started
    started = time.thread_time()
    run_chunk(plan, number, forecasts=CHUNK)
    return samples, scheme, time.thread_time() - started


def widths(jobs: int) -> None:
    """Print the time that each method takes for intervals of a width."""
    hand = next(itertools.islice(hands(), WIDTH_HAND, None))
    for method in METHODS:
        for worlds in WIDTH_WORLDS:
            if method == "exact" and worlds > 400:
                continue
            found = chances(hand, worlds=worlds, method=method, n_jobs=jobs)
            row = found.contracts["garde"]
            half = max(1.96 * other.se for other in found.contracts.values())
            print(
                f"width, {method}, {found.worlds} worlds: {found.seconds:.2f} s, Garde "
                f"{100 * row.p_make:.1f} ± {196 * row.se:.1f} points by sampling, the widest "
                f"contract ± {100 * half:.1f}; with the judgement's error "
                f"{100 * row.ci95[0]:.1f} – {100 * row.ci95[1]:.1f}",
                flush=True,
            )


def main() -> None:
    """Print all, or one part."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", choices=("judgement", "coverage", "variance", "widths"))
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    if options.only in (None, "judgement"):
        judgements()
    if options.only in (None, "variance"):
        variance(options.jobs)
    if options.only in (None, "widths"):
        widths(options.jobs)
    if options.only in (None, "coverage"):
        coverage(options.jobs)


if __name__ == "__main__":
    main()
