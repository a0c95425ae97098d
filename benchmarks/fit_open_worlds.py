"""Fit the numbers of `tarot_sim.calibration` to wide searches.

For random hands of every strength that might bid, and for the deals that a Garde and a
Garde sans lead to, two things are fitted:

* the logit that a deal is made which the verdict's search leaves open, to the
  `open_features` (truth: one zero window of a wider search that ended);
* the margin itself, to three cheap margins of two narrow searches and of a play-out
  (truth: the value of the verdict's search where it ended).

    python -m benchmarks.fit_open_worlds 4
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.optimize import minimize

from tarot_sim._evaluate import Evaluator
from tarot_sim._sampler import sample_worlds
from tarot_sim.bidding import callable_cards, chavey_count
from tarot_sim.cards import Hand
from tarot_sim.judge import (
    MARGIN,
    METHODS,
    VALUE,
    VERDICT_WIDTHS,
    Method,
    cheap_margins,
    margins_of,
    open_features,
)
from tarot_sim.rules import Rules
from tarot_sim.worlds import contract_deals

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from tarot_sim._evaluate import Deals

# Hands below the first count pass, above the second every contract is made.
COUNTS = {3: (55, 130), 4: (38, 85), 5: (33, 80)}
TRUTH_WIDTHS = {3: (3, 2, 3, 2), 4: (2, 2, 3, 2), 5: (3, 2, 3, 2)}
TRUTH_NODES = 2_000_000
VALUE_NODES = 600_000
PRIOR = 1e-3  # ridge on the weights of standardised features
VALUES_EACH = 5  # deals of a hand and contract whose value is searched


def hands(rules: Rules, rng: np.random.Generator) -> Iterator[Hand]:
    """Yield random hands whose Chavey count is in the range of the table."""
    low, high = COUNTS[rules.players]
    while True:
        hand = Hand(rng.permutation(78)[: rules.hand_size].tolist())
        if not hand.is_petit_sec() and low <= chavey_count(hand).total <= high:
            yield hand


def deals(rules: Rules, n_hands: int, n_worlds: int, seed: int = 0) -> Iterator[Deals]:
    """Yield the deals of each hand and contract, the same for the same seed."""
    entropy = [rules.players, seed] if seed else [rules.players]
    rng = np.random.default_rng(entropy)
    leaders = (np.arange(n_worlds) % rules.players).astype(np.uint8)
    for number, hand in zip(range(n_hands), hands(rules, rng), strict=False):
        bits = np.random.PCG64DXSM(np.random.SeedSequence(entropy, spawn_key=(number,)))
        worlds = sample_worlds(hand, 0, rules, n_worlds, bits)
        called = None
        if rules.players == 5:
            others = [card for card in callable_cards(hand, rules) if card not in hand]
            called = others[number % len(others)]
        for contract in ("garde", "garde_sans"):
            yield contract_deals(hand, worlds, rules, contract, leaders, called=called)


def logit_fit(features: NDArray[Any], made: NDArray[Any]) -> NDArray[Any]:
    """Return the coefficients of a logistic regression, the constant first."""
    sign = 2 * made - 1

    def loss(weights: NDArray[Any]) -> float:
        misfit = float(np.mean(np.log1p(np.exp(-sign * (features @ weights)))))
        return misfit + PRIOR * float(np.sum((weights * features.std(axis=0)) ** 2))

    return np.asarray(minimize(loss, np.zeros(features.shape[1])).x)


def main() -> None:
    """Collect, fit, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("players", type=int)
    parser.add_argument("--hands", type=int, default=150)
    parser.add_argument("--worlds", type=int, default=30)
    options = parser.parse_args()
    rules = Rules(players=options.players)
    evaluator, wide = Evaluator(), Evaluator(1 << 27)
    batches = list(deals(rules, options.hands, options.worlds))
    for method in METHODS:
        fit_open(method, options.players, batches, evaluator, wide)
    fit_margin(options.players, batches, evaluator, wide)


def fit_open(
    method: Method, players: int, batches: list[Deals], evaluator: Evaluator, wide: Evaluator
) -> None:
    """Fit the logit of open deals to what a wider search finds."""
    rows_of_features, rows_of_truth = [], []
    judged = closed = without_truth = 0
    nodes = METHODS[method]
    for batch in batches:
        _, cheap = cheap_margins(evaluator, batch)
        verdicts, _ = evaluator.reaches(batch, MARGIN, 0, VERDICT_WIDTHS[players], nodes)
        judged += len(batch)
        closed += int((verdicts >= 0).sum())
        rows = np.flatnonzero(verdicts < 0)
        truth, _ = wide.reaches(batch[rows], MARGIN, 0, TRUTH_WIDTHS[players], TRUTH_NODES)
        without_truth += int((truth < 0).sum())
        rows, truth = rows[truth >= 0], truth[truth >= 0]
        if len(rows):
            few = [margins[rows] for margins in cheap]
            rows_of_features.append(open_features(evaluator, batch[rows], few, nodes))
            rows_of_truth.append(truth)
    features, made = np.concatenate(rows_of_features), np.concatenate(rows_of_truth)
    weights = logit_fit(features, made)
    guess = features @ weights > 0
    print(f"{method}: {judged} deals, {closed / judged:.3f} closed by the verdict's search")
    print(f"{len(made)} open ones with a truth, {without_truth} without; {made.mean():.3f} made")
    print(f"OPEN_WORLD {method} {players}: {tuple(np.round(weights, 4).tolist())}")
    print(f"right side of one half: {(guess == made).mean():.3f}", flush=True)


def fit_margin(players: int, batches: list[Deals], evaluator: Evaluator, wide: Evaluator) -> None:
    """Fit the margin to the value that the verdict's search finds where it ends."""
    rows_of_features, rows_of_truth = [], []
    for batch in batches:
        some = batch[:VALUES_EACH]
        _, cheap = cheap_margins(evaluator, some)
        best, bounds, _ = wide.values(
            some, VALUE, cheap[0].astype(np.int16), VERDICT_WIDTHS[players], VALUE_NODES
        )
        ended = bounds[:, 0] == bounds[:, 1]
        rows_of_features.append(np.stack([np.ones(len(some)), *cheap], axis=1)[ended])
        rows_of_truth.append(margins_of(best)[ended])
    features, margins = np.concatenate(rows_of_features), np.concatenate(rows_of_truth)
    weights = np.linalg.lstsq(features, margins, rcond=None)[0]
    error = features @ weights - margins
    print(f"MARGIN_FIT {players}: {tuple(round(float(weight), 4) for weight in weights)}")
    print(
        f"{len(margins)} values; error {np.abs(error).mean():.2f} half points, "
        f"of the narrow search {np.abs(features[:, 1] - margins).mean():.2f}, "
        f"its bias {(features[:, 1] - margins).mean():+.2f}"
    )


if __name__ == "__main__":
    main()
