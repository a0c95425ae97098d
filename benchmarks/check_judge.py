"""Hold the chances of random hands against wide searches of the same worlds.

For each hand and contract, the mean probability that `tarot_sim.judge` gives is compared
with the share of worlds in which a wide zero window makes the contract (where that does
not end either, the world counts with its probability on both sides).

    python -m benchmarks.check_judge 4 --hands 25 --worlds 60
"""

from __future__ import annotations

import argparse

import numpy as np

from benchmarks.fit_open_worlds import TRUTH_WIDTHS, deals
from tarot_sim._evaluate import Evaluator
from tarot_sim.judge import MARGIN, METHODS, judge
from tarot_sim.rules import Rules

TRUTH_NODES = 3_000_000
#: The seed of hands that the fits have not seen.
SEED = 999


def main() -> None:
    """Judge, search widely, print the differences."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("players", type=int)
    parser.add_argument("--hands", type=int, default=25)
    parser.add_argument("--worlds", type=int, default=60)
    options = parser.parse_args()
    rules = Rules(players=options.players)
    batches = list(deals(rules, options.hands, options.worlds, SEED))
    evaluator, wide = Evaluator(), Evaluator(1 << 27)
    truths = [
        wide.reaches(batch, MARGIN, 0, TRUTH_WIDTHS[rules.players], TRUTH_NODES)[0]
        for batch in batches
    ]
    unknown = np.mean(np.concatenate(truths) < 0)
    print(
        f"{rules.players} players: {len(batches)} hands and contracts of {options.worlds} "
        f"worlds, {unknown:.3f} of them without a truth"
    )
    for method in METHODS:
        errors, means, agree = [], [], []
        for batch, truth in zip(batches, truths, strict=True):
            makes = judge(evaluator, batch, method).makes
            known = truth >= 0
            errors.append(float(makes.mean() - np.where(known, truth, makes).mean()))
            means.append(float(makes.mean()))
            agree.append(float(((makes > 0.5) == truth)[known].mean()))
        size, mean = np.abs(errors), np.array(means)
        open_hands = (mean > 0.15) & (mean < 0.85)
        print(
            f"{method}: bias {np.mean(errors):+.4f}, mean absolute error {size.mean():.4f}, "
            f"worst {size.max():.3f}; of the {open_hands.sum()} between .15 and .85 "
            f"{size[open_hands].mean():.4f}; worlds on the right side {np.mean(agree):.4f}"
        )


if __name__ == "__main__":
    main()
