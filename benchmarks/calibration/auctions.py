"""Worlds behind hard auctions: how many effective ones a second, by which way.

* Rejection: uniform worlds a second, times how likely one of them is kept.
* Weights: the same worlds, each as heavy as its bids are likely; their effective number is
  (Σw)² / Σw², and is said too high where the heaviest have not been met.
* Annealing: independent worlds of one weight, so that all count. How much of the beginning is
  left after walks of various lengths: the greatest difference to walks eight times as long as
  the package's, among the mean counts and trumps of all who have spoken, in standard errors.

    python -m benchmarks.calibration.auctions
"""

from __future__ import annotations

import argparse
import time
from itertools import islice
from typing import TYPE_CHECKING, Final

import numpy as np

from tarot_sim.cards import PETIT, Hand
from tarot_sim.rules import Rules
from tarot_sim.worlds._counts import chavey_counts
from tarot_sim.worlds._sampler import sample_worlds
from tarot_sim.worlds.annealing import LAST_STEPS, STEPS, annealed_worlds
from tarot_sim.worlds.bidding_model import BiddingModel, read_auction

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tarot_sim.rules.auction import Auction

_BOUTS: Final = "A:21,20,1,EX P:R,D,V C:R,10,9 K:R,3,2 T:8,7,6,5,4"
_WEAK: Final = "A:9,8,7,6 P:10,9,8 C:C,10,9,5 K:8,3,2 T:8,7,6,5"
_BOUTS_3: Final = "A:21,20,19,1,EX P:R,D,V,9,8 C:R,10,9,4,2 K:R,D,3,2 T:8,7,6,5,4"
_BOUTS_5: Final = "A:21,20,1,EX P:R,D,V C:R,10,9 K:R,3,2 T:8,7"
#: Players, hand, what was said before.
AUCTIONS: Final = (
    (4, _BOUTS, "garde_sans"),
    (4, _BOUTS, "garde_contre"),
    (4, "A:21,20,19,18,17,16,10,1,EX P:R,D,V C:R,D,10 K:R,3 T:8", "pass,garde_contre"),
    (4, _BOUTS, "garde,garde_sans"),
    (4, _BOUTS, "garde_sans,garde_contre"),
    (4, _BOUTS, "garde,garde_sans,garde_contre"),
    (4, _WEAK, "prise,garde,garde_sans"),
    (4, _WEAK, "pass,pass,garde_contre"),
    (4, "A:21,19,16,14,11,8,5,1,EX P:R,D,6 C:C,10 K:R,4 T:V,9", "pass,garde"),
    (3, _BOUTS_3, "garde_sans"),
    (3, _BOUTS_3, "garde,garde_contre"),
    (5, _BOUTS_5, "pass,garde_sans"),
    (5, _BOUTS_5, "garde_contre,pass,pass,pass"),
    (5, _BOUTS_5, "prise,garde,garde_sans,garde_contre"),
    (4, _BOUTS, "garde"),
    (4, _BOUTS, "pass,prise"),
)


def main() -> None:
    """Print a line for each auction and way, and how far walks of various lengths come."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--uniform", type=int, default=400_000, help="uniform worlds drawn")
    parser.add_argument("--worlds", type=int, default=4_000, help="worlds that walk")
    options = parser.parse_args()
    for players, cards, bids in AUCTIONS:
        rules = Rules(players=players)
        auction = read_auction(bids.split(","), rules)
        hand = Hand(cards, size=rules.hand_size)
        acceptance, effective, speed = uniform_worlds(hand, auction, options.uniform)
        print(
            f"{players} players, {hand}, {bids}: of uniform worlds {acceptance:.1e} are kept, "
            f"{acceptance * speed:.2g} a second; with weights {effective * speed:.0f} a second",
            flush=True,
        )
        far = walked(hand, auction, options.worlds, 8)[0]
        for share in (0.1, 0.2, 0.4, 1.0):
            figures, rate = walked(hand, auction, options.worlds, share)
            print(
                f"  annealing, {share:.1f} of the steps: {rate:.0f} a second, "
                f"at most {most_apart(figures, far):.1f} standard errors away",
                flush=True,
            )


def uniform_worlds(hand: Hand, auction: Auction, n: int) -> tuple[float, float, float]:
    """Return the mean weight, the effective share, and how many are drawn a second of CPU time."""
    players, model = auction.rules.players, BiddingModel()
    source = np.random.PCG64DXSM(1)
    weights = []
    started = time.process_time()
    for _ in range(-(-n // 4096)):
        worlds = sample_worlds(hand, 0, auction.rules, 4096, source)
        weights.append(model.likelihood(chavey_counts(worlds, players), auction, 0))
    speed = 4096 * len(weights) / (time.process_time() - started)
    weight = np.concatenate(weights)
    effective = weight.sum() ** 2 / (weight**2).sum() / len(weight)
    return float(weight.mean()), float(effective), speed


def walked(hand: Hand, auction: Auction, n: int, share: float) -> tuple[NDArray[np.float64], float]:
    """Walk so much of the steps; return figures of each world, and worlds a second of CPU time."""
    steps = (round(share * STEPS), round(share * LAST_STEPS))
    source = np.random.PCG64DXSM(round(10 * share))
    started = time.process_time()
    blocks = annealed_worlds(hand, 0, auction, BiddingModel(), source, steps=steps)
    worlds = np.concatenate(list(islice(blocks, n // 50)))
    rate = len(worlds) / (time.process_time() - started)
    spoken = [seat for seat, _ in auction.history]
    counts = chavey_counts(worlds, auction.rules.players)[:, spoken].reshape(len(worlds), -1)
    trumps = [(worlds[:, PETIT:] == seat).sum(axis=1) for seat in spoken]
    return np.column_stack([counts, *trumps]).astype(np.float64), rate


def most_apart(one: NDArray[np.float64], two: NDArray[np.float64]) -> float:
    """Return the greatest difference of two means, in its standard errors."""
    errors = np.sqrt(one.var(axis=0) / len(one) + two.var(axis=0) / len(two))
    return float(np.max(np.abs(one.mean(axis=0) - two.mean(axis=0)) / errors))


if __name__ == "__main__":
    main()
