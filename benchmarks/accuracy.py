"""How far the chances can be trusted: held against exact answers, and against themselves.

* Judgement: each method on the stored worlds of `benchmarks.make_truth`, with the dog open
  and with the dog fixed.
* Sampling: how often the intervals of short runs hold a long run's value, and by how much
  the forecasts of many worlds reduce the variance at equal cost.

    make accuracy
    python -m benchmarks.accuracy --only judgement
"""

from __future__ import annotations

import argparse
import time
from math import sqrt
from typing import TYPE_CHECKING, Final

import numpy as np
from joblib import Parallel, delayed

from benchmarks.make_truth import NAMES, deals_of, hands, load
from tarot_sim.chances import chances, estimate_makes
from tarot_sim.intervals import wilson
from tarot_sim.judge import METHODS, Judge, Method
from tarot_sim.rules import Rules
from tarot_sim.trials import CHUNK, GROUPS, Plan, joined, run_chunk

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tarot_sim.rules import Contract
    from tarot_sim.trials import Trial

#: Runs whose intervals are counted, their worlds, and those of the run that they should hold.
SHORT_RUNS: Final = 200
SHORT_WORLDS: Final = 150
LONG_WORLDS: Final = 6000
#: Every sixth of the stored hands is asked for coverage.
COVERAGE_STEP: Final = 6
#: Hands and chunks of the comparison with plain sampling.
VARIANCE_HANDS: Final = 20
VARIANCE_CHUNKS: Final = 12
WIDTH_WORLDS: Final = (100, 200, 400, 800, 1600)


def judgement(method: Method, name: str) -> None:
    """Print a method's errors on a file of stored worlds."""
    worlds = load(name)
    deals = deals_of(worlds)
    hand = np.array([world.hand for world in worlds])
    truth = np.array([-1 if world.made is None else int(world.made) for world in worlds])
    known = truth >= 0
    started = time.process_time()
    judge = Judge(method)
    makes = judge.judge(deals).makes
    judged = time.process_time() - started
    proved = np.zeros(len(deals), np.bool_)
    if METHODS[method].exact_nodes:
        makes, proved = judge.prove(deals, makes)
    seconds = time.process_time() - started
    wrong = int((proved & known & (makes != truth)).sum())
    rows = [known & (hand == number) for number in np.unique(hand)]
    rows = [row for row in rows if row.sum() > 1]
    errors = np.array([float((makes - truth)[row].mean()) for row in rows])
    noise = float(np.mean([(makes - truth)[row].var(ddof=1) / row.sum() for row in rows]))
    sizes = np.array([row.sum() for row in rows])
    luck = np.array([float((makes * (1 - makes))[row].mean()) for row in rows]) / sizes
    share = (np.array([float(truth[row].sum()) for row in rows]) + 0.5) / (sizes + 1)
    own, most = own_error(errors, luck, share)
    middle = np.array([0.1 < truth[row].mean() < 0.9 for row in rows])
    print(
        f"{name}, {method}: {known.mean():.3f} of {len(worlds)} worlds proved in the file; "
        f"agreement {((makes > 0.5) == truth)[known].mean():.4f}, "
        f"bias {errors.mean():+.4f} ± {sqrt(noise / len(rows)):.4f}, "
        f"mean absolute error of a hand {np.abs(errors).mean():.4f}, "
        f"worst {np.abs(errors).max():.3f}; "
        f"{middle.sum()} hands between .1 and .9: {np.abs(errors[middle]).mean():.4f}, "
        f"error of a hand that its worlds' luck does not explain, at a chance of one half: "
        f"likeliest {own:.4f}, "
        f"with 95 % confidence at most {most:.4f}; "
        f"{1e3 * judged / len(deals):.2f} ms a world judged, {1e3 * seconds / len(deals):.2f} with "
        f"proofs of {proved.mean():.3f}, {wrong} of them wrong",
        flush=True,
    )


def own_error(
    errors: NDArray[np.float64], luck: NDArray[np.float64], share: NDArray[np.float64]
) -> tuple[float, float]:
    """Return how far hands are off beyond luck: the likeliest root mean square, and the most.

    It holds the bias, and is taken to shrink with √(p(1 − p)). The second figure is where the
    logarithm of the likelihood has lost 1.353: it is higher with a probability of 5 %.

    Parameters
    ----------
    errors, luck, share
        Of each hand: the mean error, the variance of it that the probabilities of its few
        worlds lead to expect if they are true, and the share made.
    """
    tried = np.arange(0, 0.3, 0.0005)
    variance = luck[:, None] + 1e-6 + tried**2 * 4 * (share * (1 - share))[:, None]
    likelihood = (-np.log(variance) / 2 - errors[:, None] ** 2 / variance / 2).sum(axis=0)
    return (
        float(tried[likelihood.argmax()]),
        float(tried[likelihood > likelihood.max() - 1.353].max()),
    )


def coverage(jobs: int) -> None:
    """Print how often short runs' intervals hold the long run's value."""
    held: dict[str, list[bool]] = {"sampling": [], "whole": []}
    for number, hand in enumerate(hands()):
        if number % COVERAGE_STEP:
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
                spread = found.p_make * (1 - found.p_make)
                low, high = wilson(found.p_make, spread / max(found.se, 1e-9) ** 2)
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
            trial = joined([trials[contract] for trials, _, _ in both])
            found = estimate_makes(trial)
            if not 0.02 < found.mean < 0.98:
                continue
            ratio = (found.se / found.plain_se) ** 2 * scheme / plain
            ratios.append(ratio)
            print(
                f"variance, hand {number}, {contract}: P {found.mean:.3f}, standard error "
                f"{found.se:.4f} against {found.plain_se:.4f}, at equal cost {ratio:.3f}",
                flush=True,
            )
    print(
        f"variance at equal cost: mean ratio {np.mean(ratios):.3f}, median {np.median(ratios):.3f} "
        f"of {len(ratios)} contracts"
    )


def _timed_chunk(plan: Plan, number: int) -> tuple[dict[Contract, Trial], float, float]:
    """Return a chunk, and the seconds that it took with its forecasts and without them."""
    started = time.thread_time()
    trials, _ = run_chunk(plan, number)
    scheme = time.thread_time() - started
    started = time.thread_time()
    run_chunk(plan, number, forecasts=CHUNK)
    return trials, scheme, time.thread_time() - started


def widths(jobs: int) -> None:
    """Print the time that each method takes for intervals of a width."""
    hand = list(hands())[9]
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
        for name in NAMES:
            for method in METHODS:
                judgement(method, name)
    if options.only in (None, "variance"):
        variance(options.jobs)
    if options.only in (None, "widths"):
        widths(options.jobs)
    if options.only in (None, "coverage"):
        coverage(options.jobs)


if __name__ == "__main__":
    main()
