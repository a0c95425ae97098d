"""How often chances near 0 and 1 lie within 1.96 standard errors and within the interval.

The judged worlds of some hands are a population whose mean is known. From it samples are drawn
again and again as `chances` draws worlds, eight forecasts for each world that is judged: of a
fixed size, and until the interval is as narrow as by default. Each is estimated with the worlds
that nobody has met and without them (`tarot_sim.estimation.regression`).

    python -m benchmarks.calibration.ends
    python -m benchmarks.calibration.ends --methods fast --players 3
"""

from __future__ import annotations

import argparse
from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np

from benchmarks.calibration.chelems import call_of
from tarot_sim.cards import Hand
from tarot_sim.estimation.answers import samples_of
from tarot_sim.estimation.chunks import CHUNK, FORECASTS, run_chunk
from tarot_sim.estimation.intervals import Z95
from tarot_sim.estimation.plan import Plan
from tarot_sim.estimation.regression import Estimate, regression_estimate
from tarot_sim.estimation.stopping import DEFAULT_PRECISION
from tarot_sim.parallel import in_threads
from tarot_sim.rules import CONTRACTS, Rules

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from tarot_sim.estimation.judge import Method

#: By players: from hands that make a Garde for sure to such that hardly ever do.
HANDS: Final = {
    3: (
        "A:21,20,18,16,15,13,11,9,6,4,2,EX P:R,D,8 C:R,D,5 K:D,9,4 T:R,7,3",
        "A:21,18,15,13,11,9,6,4,2,EX P:R,D,8,4 C:R,10,5 K:D,9,4,2 T:R,7,3",
        "A:20,13,11,9,6,4,2,EX P:D,8,4,3,2 C:10,5,4 K:D,9,4,2 T:7,5,4,3",
    ),
    4: (
        "A:21,20,19,15,14,13,12,9,6,EX P:5 C:R,V,9,7,6 T:7,3",
        "A:21,20,19,9,7,EX P:R,10 C:R,D,9,1 K:4,3 T:R,V,5,4",
        "A:21,17,16,15,11,6,1,EX P:8,6,5,4 C:9 K:D,V T:V,5,1",
        "A:21,20,14,1,EX P:C,9,8 C:R,V K:D,9,3 T:D,C,V,10,6",
        "A:21,20,16,14,13,11,1 P:C,8 C:V,10,9,8,3,2 T:6,4,3",
    ),
    5: (
        "A:21,20,19,16,14,11,7,4,EX P:R,D,6 C:R,5 K:9",
        "A:21,18,14,11,7,4,EX P:R,D,6 C:10,5 K:9 T:V,8",
        "A:18,14,11,4,2 P:D,6,4 C:10,5,3 K:9,4 T:V,8",
    ),
}
#: Chances beyond these are left out: their few worlds are no population.
EXTREMES: Final = (0.003, 0.997)
#: Borders between chances.
BORDERS: Final = (0.0, 0.01, 0.03, 0.08, 0.2, 0.8, 0.92, 0.97, 0.99, 1.0)
WORLDS: Final = (50, 100, 150, 300)


def main() -> None:
    """Print a table for fixed numbers of worlds, and one for runs that end by the precision."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--chunks", type=int, default=120, help="chunks of a population")
    parser.add_argument("--draws", type=int, default=300, help="samples of a population")
    parser.add_argument("--players", type=int, nargs="+", default=[4, 3, 5])
    parser.add_argument("--methods", nargs="+", default=["cascade", "fast"])
    parser.add_argument("--jobs", type=int, default=-1)
    options = parser.parse_args()
    for method in options.methods:
        hands = [
            population
            for players in options.players
            for population in populations(players, method, options.chunks, options.jobs)
        ]
        print(f"{method}, {len(hands)} hands and contracts")
        tables(hands, options.draws)


def tables(hands: list[tuple[NDArray[np.float64], NDArray[np.float64]]], draws: int) -> None:
    """Print how often the truth of populations is held, for each number of worlds and chance."""
    rng = np.random.default_rng(1)
    for unmet in (False, True):
        held: dict[tuple[int, int], list[tuple[bool, bool, int]]] = {}
        for judged, controls in hands:
            truth = float(judged.mean())
            if not EXTREMES[0] < truth < EXTREMES[1]:
                continue
            place = int(np.searchsorted(BORDERS, truth, side="right")) - 1
            for _ in range(draws):
                for worlds in (*WORLDS, 0):
                    found, n = drawn(judged, controls, worlds, unmet, rng)
                    low, high = found.sampling_ci95
                    near = abs(found.probability - truth) <= Z95 * found.se
                    held.setdefault((worlds, place), []).append((near, low <= truth <= high, n))
        print(f"{'with' if unmet else 'without'} unmet worlds: within 1.96 errors, in the interval")
        for worlds in (*WORLDS, 0):
            print("  " + (f"{worlds} worlds:" if worlds else "to the precision:"), end="")
            for place, border in enumerate(BORDERS[:-1]):
                if (worlds, place) in held:
                    near, inside, size = np.mean(held[worlds, place], axis=0)
                    print(f"  {border}…: {near:.3f} {inside:.3f} ({size:.0f})", end="")
            print(flush=True)


def populations(
    players: int, method: Method, chunks: int, n_jobs: int
) -> Iterator[tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """Yield the judged chances of the worlds of a hand and contract, and their control variates."""
    rules = Rules(players=players)
    for cards in HANDS[players]:
        hand = Hand(cards)
        plan = Plan(hand, rules, 77, method, called=call_of(hand, rules))
        found = list(in_threads(n_jobs, [partial(run_chunk, plan, n) for n in range(chunks)]))
        for contract in CONTRACTS[1:]:  # the deals of a Prise are those of a Garde
            whole = samples_of(found, contract)
            yield whole.p_make, whole.controls[: len(whole.p_make)]


def drawn(
    judged: NDArray[np.float64],
    controls: NDArray[np.float64],
    worlds: int,
    unmet: bool,
    rng: np.random.Generator,
) -> tuple[Estimate, int]:
    """Draw so many worlds, or until the precision is reached; return the estimate and how many."""
    rows = np.empty((0, FORECASTS), np.int64)
    while True:
        rows = np.vstack([rows, rng.integers(0, len(judged), (1, FORECASTS))])
        few = rows[:, :CHUNK].ravel()
        if worlds and len(few) < worlds:
            continue
        many = controls[np.concatenate([few, rows[:, CHUNK:].ravel()])]
        expected = float((many[:, 0] - many[:, 1]).mean()) if unmet else 0.0
        found = regression_estimate(judged[few], controls[few], many, expected)
        low, high = found.sampling_ci95
        if worlds or high - low <= 2 * DEFAULT_PRECISION:
            return found, len(few)


if __name__ == "__main__":
    main()
