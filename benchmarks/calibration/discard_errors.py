"""How the judge's errors for the écarts of one dog go together, and what a better one would find.

Several écarts of each dog of `compare_discards`, the best by the judge and some others, are
judged on common worlds by the judge and by its reference, which stands for the truth. The
shift that makes the judge's logits right is in part the same for all écarts of the dog and in
part each écart's own; variances are products of what two halves of the worlds say, so that the
luck of the worlds is not taken for a shift. The écart chosen by the reference on one half is
judged by it on the other: what choosing could gain if the judge were the reference.

    python -m benchmarks.calibration.discard_errors --dogs 40
    python -m benchmarks.calibration.discard_errors --dogs 8 --coverage

With ``--coverage`` many short runs of two écarts are held against one long run: how often
intervals of the sampling hold the chance, the score, and by how much one is behind.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, replace
from math import sqrt
from typing import Final

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray

from benchmarks.calibration.compare_discards import RULES, SEED, always, hands_and_dogs, reference
from tarot_sim.cards import Hand
from tarot_sim.estimation._evaluate import Evaluator
from tarot_sim.estimation.chunks import CHUNK, FORECASTS, sample_contract
from tarot_sim.estimation.discards import rank_discards
from tarot_sim.estimation.figures import estimate_gain, estimate_p_make, estimate_score
from tarot_sim.estimation.intervals import Z95, interval
from tarot_sim.estimation.judge import Judge
from tarot_sim.estimation.plan import Plan, Stream, draw_worlds, leaders
from tarot_sim.estimation.sample import JUDGED, Sample
from tarot_sim.worlds._sampler import sample_worlds
from tarot_sim.worlds.contract_deals import TAKER, contract_deals
from tarot_sim.worlds.discards import choose_discard, rule_discards

Figures = NDArray[np.float64]

WORLDS: Final = 300
#: Worlds that the judge sees beside them.
FURTHER: Final = 600
#: Écarts of a dog: the best by the judge, and some of the others.
BEST, OTHERS = 6, 4
EXACT_NODES: Final = 10_000
#: Worlds of a long run and of the short ones that are held against it.
LONG, SHORT = 6000, 100
#: Times that the worlds are halved.
HALVES: Final = 20
#: Standard deviation that shifts are expected to have: the less the worlds say, the more it holds.
PRIOR: Final = 2.0
#: Dogs with which this share of the judge's worlds is made tell nothing of shifts.
OPEN: Final = (0.03, 0.97)


@dataclass(frozen=True)
class Judged:
    """Écarts of one dog; row 0 is the rule's.

    Attributes
    ----------
    best
        The row of the écart that the search chose.
    expected
        Shape (k,): the judge's mean over further worlds.
    judged, made
        Shape (k, n): each world by the judge and by the reference.
    """

    best: int
    expected: Figures
    judged: Figures
    made: Figures


def judged_dog(number: int, hand: Hand, dog: Hand) -> Judged:
    """Judge écarts of a dog."""
    ranking = rank_discards(hand, dog, seed=number, n_jobs=1).candidates
    rule = choose_discard(hand | dog, RULES)
    rng = np.random.default_rng(number)
    places = [*range(min(BEST, len(ranking)))]
    places += (BEST + rng.permutation(max(0, len(ranking) - BEST)))[:OTHERS].tolist()
    rows = [row for row in ranking if row.choice == rule]
    rows += [ranking[place] for place in places if ranking[place].choice != rule]
    bits = np.random.PCG64DXSM(np.random.SeedSequence(SEED, spawn_key=(number, 9)))
    worlds = sample_worlds(hand, TAKER, RULES, WORLDS + FURTHER, bits, dog)
    leaders = (np.arange(len(worlds)) % RULES.players).astype(np.uint8)
    table, judge = Evaluator(1 << 26), Judge("cascade")
    expected, judged, made = [], [], []
    for row in rows:
        deals = contract_deals(worlds, RULES, "garde", leaders, discard=always(row.choice))
        p_make = judge.judge(deals).p_make
        expected.append(p_make[WORLDS:].mean())
        judged.append(p_make[:WORLDS])
        made.append(reference(deals[:WORLDS], judged[-1], table, EXACT_NODES)[0])
    best = [row.choice for row in rows].index(ranking[0].choice)
    return Judged(best, np.array(expected), np.array(judged), np.array(made))


def shift(judged: Figures, made: Figures) -> float:
    """Return what is to be added to the logits, the likeliest with `PRIOR`."""
    logits, found = np.log(judged / (1 - judged)), 0.0
    for _ in range(50):
        chances = 1 / (1 + np.exp(-logits - found))
        slope = (made - chances).sum() - found / PRIOR**2
        found += float(np.clip(slope / ((chances * (1 - chances)).sum() + PRIOR**-2), -1, 1))
    return found


def halves(dog: Judged, rng: np.random.Generator) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the worlds of two halves."""
    order = rng.permutation(dog.made.shape[1])
    return order[: len(order) // 2], order[len(order) // 2 :]


def shifts(dog: Judged, rng: np.random.Generator) -> tuple[float, float]:
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


def gains(dog: Judged, rng: np.random.Generator) -> tuple[float, float]:
    """Return what is gained over the rule by the reference: chosen by the judge, and by itself."""
    by_judge, by_reference = [], []
    for _ in range(HALVES):
        one, two = halves(dog, rng)
        # The reference corrects what the judge expects of further worlds: less luck than alone.
        seen = dog.expected + (dog.made - dog.judged)[:, one].mean(axis=1)
        gain = dog.made[:, two].mean(axis=1) - dog.made[0, two].mean()
        by_judge.append(gain[dog.best])
        by_reference.append(gain[int(np.argmax(seen))])
    return float(np.mean(by_judge)), float(np.mean(by_reference))


def coverage(number: int, hand: Hand, dog: Hand) -> list[tuple[bool, bool, bool, float, float]]:
    """Return for each short run what its intervals hold, and how its errors shrank.

    The last two are the standard errors of the score and of the difference, each as a share of
    that of the plain mean of as many worlds.
    """
    rules = list(dict.fromkeys(rule_discards(hand | dog, RULES)))[:2]
    plan = Plan(hand, RULES, SEED + number, "cascade", dog=dog)
    ratio = FORECASTS // CHUNK
    worlds = draw_worlds(plan, ratio * LONG, Stream.WORLDS)
    seats = leaders(plan, 0, len(worlds))
    one, *others = (
        sample_contract(replace(plan, discard=always(discard)), worlds, seats, "garde", LONG)[
            "garde"
        ]
        for discard in rules
    )
    if not others:
        return []
    two, found = others[0], []
    truth = one.p_make.mean(), one.scores.mean(), (one.scores - two.scores).mean()
    for first in range(0, LONG, SHORT):
        rows = np.arange(first, first + SHORT)
        more = np.arange(LONG + first * (ratio - 1), LONG + (first + SHORT) * (ratio - 1))
        short, other = (part_of(sample, rows, np.append(rows, more)) for sample in (one, two))
        p_make, score = estimate_p_make(short), estimate_score(short)
        behind = score.mean - estimate_score(other).mean
        gain = estimate_gain(short, other)
        low, high = interval(p_make.probability, p_make.se)
        plain = (short.scores - other.scores).std(ddof=1) / sqrt(SHORT)
        found.append(
            (
                bool(low <= truth[0] <= high),
                bool(abs(score.mean - truth[1]) <= Z95 * score.se),
                bool(abs(behind - truth[2]) <= Z95 * gain.se),
                score.se / (float(short.scores.std(ddof=1)) / sqrt(SHORT)),
                gain.se / float(plain),
            )
        )
    return found


def part_of(sample: Sample, judged: NDArray[np.intp], forecasts: NDArray[np.intp]) -> Sample:
    """Return a sample of some worlds."""
    fields = {name: getattr(sample, name)[judged] for name in JUDGED}
    return replace(sample, controls=sample.controls[forecasts], **fields)


def main() -> None:
    """Compare, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dogs", type=int, default=40)
    parser.add_argument("--middle", action="store_true")
    parser.add_argument("--coverage", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    if options.coverage:
        parts = Parallel(n_jobs=options.jobs, prefer="threads")(
            delayed(coverage)(*item) for item in hands_and_dogs(options.dogs, True)
        )
        runs = np.array([run for part in parts for run in part])
        print(
            f"{len(runs)} runs of {SHORT} worlds on {sum(map(bool, parts))} open dogs: intervals "
            "hold the chance {:.3f}, the score {:.3f}, how far behind {:.3f}; standard error of a "
            "score {:.2f} of the plain one, of a difference {:.2f}".format(*runs.mean(axis=0))
        )
        return
    found = Parallel(n_jobs=options.jobs, prefer="threads")(
        delayed(judged_dog)(*item) for item in hands_and_dogs(options.dogs, options.middle)
    )
    rng = np.random.default_rng(SEED)
    open_dogs = [
        dog for dog in found if len(dog.made) > 1 and OPEN[0] < dog.judged.mean() < OPEN[1]
    ]
    if len(open_dogs) > 1:
        own, shared = np.array([shifts(dog, rng) for dog in open_dogs]).T
        means = [f"{sqrt(max(0, part.mean())):.2f}" for part in (own, shared)]
        errors = [f"{part.std(ddof=1) / sqrt(len(part)):.3f}" for part in (own, shared)]
        print(
            f"{len(open_dogs)} open dogs of {len(found)}: shift of each écart {means[0]} (variance "
            f"± {errors[0]}), shared {means[1]} (± {errors[1]}), "
            f"correlation {shared.mean() / (own + shared).mean():.2f}"
        )
    pairs = np.array([gains(dog, rng) for dog in found])
    for name, gain in (
        ("chosen by the judge", pairs[:, 0]),
        ("chosen by the reference", pairs[:, 1]),
        ("what the reference adds", pairs[:, 1] - pairs[:, 0]),
    ):
        se = gain.std(ddof=1) / sqrt(len(gain))
        print(f"gain in P over the rule, {name}: {gain.mean():+.4f} ± {se:.4f}")


if __name__ == "__main__":
    main()
