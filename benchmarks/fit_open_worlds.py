"""Fit the numbers of `tarot_sim.calibration` to wide searches.

For random hands of every strength that might bid, and for the deals that a Garde and a
Garde sans lead to, three cheap margins are taken: of two narrow searches and of a
play-out. Two things are fitted to them:

* the logit that a deal is made which the verdict's search leaves open (truth: one zero
  window of a wider search that ended);
* the margin itself (truth: the value of the verdict's search where it ended).

    python benchmarks/fit_open_worlds.py 4
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
from tarot_sim.chances import MARGIN, METHODS, VALUE, VERDICT_WIDTHS, cheap_margins, margins_of
from tarot_sim.rules import Rules
from tarot_sim.worlds import contract_deals

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from tarot_sim._evaluate import Deals

# Hands below the first count pass, above the second every contract is made.
COUNTS = {3: (55, 130), 4: (38, 85), 5: (33, 80)}
TRUTH_WIDTHS = (2, 2, 3, 2)
TRUTH_NODES = 2_000_000
VALUE_NODES = 600_000
VALUES_EACH = 5  # deals of a hand and contract whose value is searched


def hands(rules: Rules, rng: np.random.Generator) -> Iterator[Hand]:
    """Yield random hands whose Chavey count is in the range of the table."""
    low, high = COUNTS[rules.players]
    while True:
        hand = Hand(rng.permutation(78)[: rules.hand_size].tolist())
        if not hand.is_petit_sec() and low <= chavey_count(hand).total <= high:
            yield hand


def deals(rules: Rules, n_hands: int, n_worlds: int) -> Iterator[Deals]:
    """Yield the deals of each hand and contract."""
    rng = np.random.default_rng(rules.players)
    leaders = (np.arange(n_worlds) % rules.players).astype(np.uint8)
    for number, hand in zip(range(n_hands), hands(rules, rng), strict=False):
        bits = np.random.PCG64DXSM(np.random.SeedSequence(rules.players, spawn_key=(number,)))
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
        return float(np.mean(np.log1p(np.exp(-sign * (features @ weights)))))

    return np.asarray(minimize(loss, np.zeros(features.shape[1])).x)


def main() -> None:
    """Collect, fit, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("players", type=int)
    parser.add_argument("--hands", type=int, default=120)
    parser.add_argument("--worlds", type=int, default=30)
    options = parser.parse_args()
    rules = Rules(players=options.players)
    evaluator, wide = Evaluator(), Evaluator(1 << 27)
    open_rows, made_rows, value_rows, margin_rows = [], [], [], []
    judged = closed = without_truth = 0
    for batch in deals(rules, options.hands, options.worlds):
        outcomes, cheap = cheap_margins(evaluator, batch)
        features = np.stack([np.ones(len(batch)), *cheap], axis=1)
        verdicts, _ = evaluator.reaches(batch, MARGIN, 0, VERDICT_WIDTHS, METHODS["cascade"])
        judged += len(batch)
        closed += int((verdicts >= 0).sum())
        rows = np.flatnonzero(verdicts < 0)
        truth, _ = wide.reaches(batch[rows], MARGIN, 0, TRUTH_WIDTHS, TRUTH_NODES)
        known = truth >= 0
        without_truth += int((~known).sum())
        open_rows.append(features[rows[known]])
        made_rows.append(truth[known])
        some = batch[:VALUES_EACH]
        guesses = margins_of(outcomes[:VALUES_EACH]).astype(np.int16)
        best, bounds, _ = wide.values(some, VALUE, guesses, VERDICT_WIDTHS, VALUE_NODES)
        ended = bounds[:, 0] == bounds[:, 1]
        value_rows.append(features[:VALUES_EACH][ended])
        margin_rows.append(margins_of(best)[ended])
    x, made = np.concatenate(open_rows), np.concatenate(made_rows)
    weights = logit_fit(x, made)
    guess = x @ weights > 0
    print(f"{judged} deals, {closed / judged:.3f} closed by the verdict's search")
    print(f"{len(x)} open ones with a truth, {without_truth} without; {made.mean():.3f} made")
    print(f"OPEN_WORLD {options.players}: {tuple(np.round(weights, 4).tolist())}")
    print(f"right side of one half: {(guess == made).mean():.3f}")
    x, margins = np.concatenate(value_rows), np.concatenate(margin_rows)
    weights = np.linalg.lstsq(x, margins, rcond=None)[0]
    error = x @ weights - margins
    print(f"MARGIN_FIT {options.players}: {tuple(np.round(weights, 4).tolist())}")
    print(
        f"{len(x)} values; error {np.abs(error).mean():.2f} half points, "
        f"of the narrow search {np.abs(x[:, 1] - margins).mean():.2f}, "
        f"its bias {(x[:, 1] - margins).mean():+.2f}"
    )


if __name__ == "__main__":
    main()
