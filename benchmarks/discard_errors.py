"""How the judge's errors for the écarts of one dog go together, and what a better one would find.

Several écarts of each dog of `compare_discards`, the best by the judge and some others, are
judged on common worlds by the judge and by its reference, which stands for the truth. The
shift that makes the judge's logits right is in part the same for all écarts of the dog and in
part each écart's own; variances are products of what two halves of the worlds say, so that the
luck of the worlds is not taken for a shift. The écart chosen by the reference on one half is
judged by it on the other: what choosing could gain if the judge were the reference.

    python -m benchmarks.discard_errors --dogs 40
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from math import sqrt
from typing import Final

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray

from benchmarks.compare_discards import RULES, SEED, always, hands_and_dogs, reference
from tarot_sim._evaluate import Evaluator
from tarot_sim._sampler import sample_worlds
from tarot_sim.cards import Hand
from tarot_sim.choices import rank_discards
from tarot_sim.discard_choice import choose_discard
from tarot_sim.judge import Judge
from tarot_sim.worlds import TAKER, contract_deals

Figures = NDArray[np.float64]

WORLDS: Final = 300
#: Écarts of a dog: the best by the judge, and some of the others.
BEST, OTHERS = 6, 4
EXACT_NODES: Final = 10_000
#: Times that the worlds are halved.
HALVES: Final = 20
#: Standard deviation that shifts are expected to have: the less the worlds say, the more it holds.
PRIOR: Final = 2.0
#: Dogs with which this share of the judge's worlds is made tell nothing of shifts.
OPEN: Final = (0.03, 0.97)


@dataclass(frozen=True)
class Compared:
    """Écarts of one dog; row 0 is the rule's.

    Attributes
    ----------
    before
        Shape (k,): expected score by the search that proposed them, on other worlds.
    judged, made
        Shape (k, n): each world by the judge and by the reference.
    """

    before: Figures
    judged: Figures
    made: Figures


def compared(number: int, hand: Hand, dog: Hand) -> Compared:
    """Judge écarts of a dog."""
    ranking = rank_discards(hand, dog, seed=number, n_jobs=1).candidates
    rule = choose_discard(hand | dog, RULES)
    rng = np.random.default_rng(number)
    places = [*range(min(BEST, len(ranking)))]
    places += (BEST + rng.permutation(max(0, len(ranking) - BEST)))[:OTHERS].tolist()
    rows = [row for row in ranking if row.choice == rule]
    rows += [ranking[place] for place in places if ranking[place].choice != rule]
    bits = np.random.PCG64DXSM(np.random.SeedSequence(SEED, spawn_key=(number, 9)))
    worlds = sample_worlds(hand, TAKER, RULES, WORLDS, bits, dog)
    leaders = (np.arange(WORLDS) % RULES.players).astype(np.uint8)
    table, judge = Evaluator(1 << 26), Judge("cascade")
    judged, made = [], []
    for row in rows:
        deals = contract_deals(worlds, RULES, "garde", leaders, discard=always(row.choice))
        judged.append(judge.judge(deals).makes)
        made.append(reference(deals, judged[-1], table, EXACT_NODES)[0])
    # Behind the best on the same worlds: the scores themselves are of different rounds.
    return Compared(-np.array([row.behind for row in rows]), np.array(judged), np.array(made))


def shift(judged: Figures, made: Figures) -> float:
    """Return what is to be added to the logits, the likeliest with `PRIOR`."""
    logits, found = np.log(judged / (1 - judged)), 0.0
    for _ in range(50):
        chances = 1 / (1 + np.exp(-logits - found))
        slope = (made - chances).sum() - found / PRIOR**2
        found += float(np.clip(slope / ((chances * (1 - chances)).sum() + PRIOR**-2), -1, 1))
    return found


def halves(dog: Compared, rng: np.random.Generator) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the worlds of two halves."""
    order = rng.permutation(dog.made.shape[1])
    return order[: len(order) // 2], order[len(order) // 2 :]


def shifts(dog: Compared, rng: np.random.Generator) -> tuple[float, float]:
    """Return the variances of the écarts' own shifts and of the one that they share."""
    own, shared = [], []
    for _ in range(HALVES):
        one, two = (
            np.array([shift(p[half], y[half]) for p, y in zip(dog.judged, dog.made, strict=True)])
            for half in halves(dog, rng)
        )
        own.append((one - one.mean()) @ (two - two.mean()) / (len(one) - 1))
        shared.append(one.mean() * two.mean() - own[-1] / len(one))
    return float(np.mean(own)), float(np.mean(shared))


def gains(dog: Compared, rng: np.random.Generator) -> tuple[float, float]:
    """Return what is gained over the rule by the reference: chosen by the judge, and by itself."""
    judge, itself = [], []
    best = int(np.argmax(dog.before))
    for _ in range(HALVES):
        one, two = halves(dog, rng)
        # The reference corrects what the judge expects of all worlds: less luck than alone.
        seen = dog.judged.mean(axis=1) + (dog.made - dog.judged)[:, one].mean(axis=1)
        gain = dog.made[:, two].mean(axis=1) - dog.made[0, two].mean()
        judge.append(gain[best])
        itself.append(gain[int(np.argmax(seen))])
    return float(np.mean(judge)), float(np.mean(itself))


def main() -> None:
    """Compare, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dogs", type=int, default=40)
    parser.add_argument("--middle", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    found = Parallel(n_jobs=options.jobs, prefer="threads")(
        delayed(compared)(*item) for item in hands_and_dogs(options.dogs, options.middle)
    )
    rng = np.random.default_rng(SEED)
    told = [dog for dog in found if OPEN[0] < dog.judged.mean() < OPEN[1]]
    own, shared = np.array([shifts(dog, rng) for dog in told]).T
    print(
        f"{len(told)} of {len(found)} dogs: shift of each écart {sqrt(max(0, own.mean())):.2f}, "
        f"shared {sqrt(max(0, shared.mean())):.2f}, "
        f"correlation {shared.mean() / (own + shared).mean():.2f}"
    )
    pairs = np.array([gains(dog, rng) for dog in found])
    for name, gain in (
        ("by the judge", pairs[:, 0]),
        ("by the reference", pairs[:, 1]),
        ("more by the reference", pairs[:, 1] - pairs[:, 0]),
    ):
        se = gain.std(ddof=1) / sqrt(len(gain))
        print(f"gain in P over the rule, chosen {name}: {gain.mean():+.4f} ± {se:.4f}")


if __name__ == "__main__":
    main()
