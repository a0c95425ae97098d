"""The écart that is searched for, against single rules, on fresh dogs.

Hands that are worth a Garde get a random dog each; `rank_discards` chooses an écart, and so
does each rule. All of them are judged on worlds that no choice has
seen, by a wide zero window (a world that it leaves open counts with the judge's probability).

    python -m benchmarks.compare_discards --dogs 200
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from joblib import Parallel, delayed

from tarot_sim._evaluate import Evaluator
from tarot_sim._sampler import sample_worlds
from tarot_sim.bidding import chavey_count
from tarot_sim.cards import Hand
from tarot_sim.choices import rank_discards
from tarot_sim.discard_choice import rule_discards
from tarot_sim.judge import MARGIN, Judge
from tarot_sim.rules import Rules
from tarot_sim.worlds import TAKER, contract_deals, dogs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

SEED: Final = 31
COUNTS: Final = (44, 72)
WORLDS: Final = 48
WIDE: Final = (2, 2, 3, 2)
WIDE_NODES: Final = 100_000
RULES: Final = Rules()


def hands_and_dogs(n: int) -> Iterator[tuple[int, Hand, Hand]]:
    """Yield a number, a hand of medium strength and a dog."""
    rng = np.random.default_rng(SEED)
    number = 0
    while number < n:
        hand = Hand(rng.permutation(78)[: RULES.hand_size].tolist())
        if hand.is_petit_sec() or not COUNTS[0] <= chavey_count(hand).total <= COUNTS[1]:
            continue
        bits = np.random.PCG64DXSM(np.random.SeedSequence(SEED, spawn_key=(number,)))
        yield number, hand, dogs(sample_worlds(hand, TAKER, RULES, 1, bits), RULES)[0]
        number += 1


def judged(number: int, hand: Hand, dog: Hand) -> NDArray[np.float64]:
    """Return P of the chosen écart, then of each rule's, on fresh worlds."""
    chosen = rank_discards(hand, dog, seed=number, n_jobs=1).best
    bits = np.random.PCG64DXSM(np.random.SeedSequence(SEED, spawn_key=(number, 1)))
    worlds = sample_worlds(hand, TAKER, RULES, WORLDS, bits, dog)
    leaders = (np.arange(WORLDS) % RULES.players).astype(np.uint8)
    wide, judge = Evaluator(1 << 25), Judge("cascade")
    known: dict[Hand, float] = {}
    result = []
    for discard in [chosen, *rule_discards(hand | dog, RULES)]:
        if discard not in known:

            def always(_: Hand, fixed: Hand = discard) -> Hand:
                return fixed

            deals = contract_deals(worlds, RULES, "garde", leaders, discard=always)
            answers, _ = wide.reaches(deals, MARGIN, 0, WIDE, WIDE_NODES)
            makes: NDArray[Any] = np.where(answers >= 0, answers, judge.judge(deals).makes)
            known[discard] = float(makes.mean())
        result.append(known[discard])
    return np.array(result)


def main() -> None:
    """Choose, judge, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dogs", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    rows = np.array(
        Parallel(n_jobs=options.jobs, prefer="threads")(
            delayed(judged)(*item) for item in hands_and_dogs(options.dogs)
        )
    )
    rules = rows[:, 1:].mean(axis=0)
    best = int(np.argmax(rules))
    print(f"{len(rows)} dogs, {WORLDS} worlds each; P of the chosen écart {rows[:, 0].mean():.4f}")
    for number, mean in enumerate(rules):
        gain = rows[:, 0] - rows[:, 1 + number]
        se = gain.std(ddof=1) / np.sqrt(len(gain))
        name = f"rule {number}{' (the best)' if number == best else ''}"
        print(f"{name}: P {mean:.4f}, gain {gain.mean():+.4f} ± {se:.4f}")


if __name__ == "__main__":
    main()
