"""The écart that is searched for, against single rules, on fresh dogs.

Hands that are worth a Garde get a random dog each; `rank_discards` chooses an écart, and so
does each rule. All of them are judged on worlds that no choice has seen: by an exact search
within a budget, what stays open by a wide zero window, and what that leaves open by the
judge's probability.

    python -m benchmarks.calibration.compare_discards --dogs 200
    python -m benchmarks.calibration.compare_discards --dogs 200 --middle

With ``--middle`` only dogs are taken with which a forecast of other worlds leaves it open
whether the rule's écart makes the contract: with most dogs it is made or lost whatever goes.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Final

import numpy as np
from joblib import Parallel, delayed

from tarot_sim.cards import Hand
from tarot_sim.estimation._evaluate import Evaluator
from tarot_sim.estimation.discards import rank_discards
from tarot_sim.estimation.judge import Judge
from tarot_sim.rules import Rules
from tarot_sim.rules.chavey import chavey_count
from tarot_sim.solver.objectives import MARGIN
from tarot_sim.solver.widths import ALL_MOVES, Widths
from tarot_sim.worlds._sampler import sample_worlds
from tarot_sim.worlds.contract_deals import TAKER, contract_deals, dogs
from tarot_sim.worlds.discards import rule_discards

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from tarot_sim.worlds.batch import Deals

SEED: Final = 31
COUNTS: Final = (44, 72)
WORLDS: Final = 40
#: Nodes of the exact search of a world.
EXACT_NODES: Final = 300_000
#: The window that stands in for it.
WIDE: Final = Widths(3, 2, 4, 2)
WIDE_NODES: Final = 1_000_000
RULES: Final = Rules()
#: Worlds of the forecast that tells which dogs are open.
FORECASTS: Final = 400
#: Dogs on which the écart decides: what the best rule makes with them.
MIDDLE: Final = (0.15, 0.85)


def hands_and_dogs(n: int, middle: bool = False) -> Iterator[tuple[int, Hand, Hand]]:
    """Yield a number, a hand of medium strength and a dog; on request those that are open."""
    rng = np.random.default_rng(SEED)
    tried = found = 0
    while found < n:
        hand = Hand(rng.permutation(78)[: RULES.hand_size].tolist())
        if hand.is_petit_sec() or not COUNTS[0] <= chavey_count(hand).total <= COUNTS[1]:
            continue
        bits = np.random.PCG64DXSM(np.random.SeedSequence(SEED, spawn_key=(tried,)))
        dog = dogs(sample_worlds(hand, TAKER, RULES, 1, bits), RULES)[0]
        if not middle or MIDDLE[0] < forecast(tried, hand, dog) < MIDDLE[1]:
            yield tried, hand, dog
            found += 1
        tried += 1


def forecast(number: int, hand: Hand, dog: Hand) -> float:
    """Return P of the rule's écart by the judge's forecast, on worlds of its own."""
    bits = np.random.PCG64DXSM(np.random.SeedSequence(SEED, spawn_key=(number, 2)))
    worlds = sample_worlds(hand, TAKER, RULES, FORECASTS, bits, dog)
    leaders = (np.arange(FORECASTS) % RULES.players).astype(np.uint8)
    return float(
        Judge("fast").forecast(contract_deals(worlds, RULES, "garde", leaders)).p_make.mean()
    )


def reference(
    deals: Deals, p_make: NDArray[np.float64], table: Evaluator, exact_nodes: int = EXACT_NODES
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return whether each deal is made, and whether that is proved.

    What stays open in the wide window too keeps its probability in `p_make`.
    """
    answers, _ = table.reaches(deals, MARGIN, 0, ALL_MOVES, exact_nodes)
    made = np.where(answers >= 0, answers, p_make)
    left = np.flatnonzero(answers < 0)
    if len(left):
        wide, _ = table.reaches(deals[left], MARGIN, 0, WIDE, WIDE_NODES)
        made[left] = np.where(wide >= 0, wide, p_make[left])
    return made, answers >= 0


def always(discard: Hand) -> Callable[[Hand], Hand]:
    """Return a chooser that has one écart only."""
    return lambda _: discard


def judged(number: int, hand: Hand, dog: Hand) -> NDArray[np.float64]:
    """Return P of the chosen écart and of each rule's on fresh worlds, and what is proved."""
    chosen = rank_discards(hand, dog, seed=number, n_jobs=1).best
    bits = np.random.PCG64DXSM(np.random.SeedSequence(SEED, spawn_key=(number, 1)))
    worlds = sample_worlds(hand, TAKER, RULES, WORLDS, bits, dog)
    leaders = (np.arange(WORLDS) % RULES.players).astype(np.uint8)
    table, judge = Evaluator(1 << 27), Judge("cascade")
    known: dict[Hand, tuple[float, float]] = {}
    discards = [chosen, *rule_discards(hand | dog, RULES)]
    for discard in dict.fromkeys(discards):
        deals = contract_deals(worlds, RULES, "garde", leaders, discard=always(discard))
        made, proofs = reference(deals, judge.judge(deals).p_make, table)
        known[discard] = float(made.mean()), float(proofs.mean())
    proved = float(np.mean([share for _, share in known.values()]))
    return np.array([*(known[discard][0] for discard in discards), proved])


def main() -> None:
    """Choose, judge, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dogs", type=int, default=200)
    parser.add_argument("--middle", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    found = np.array(
        Parallel(n_jobs=options.jobs, prefer="threads")(
            delayed(judged)(*item) for item in hands_and_dogs(options.dogs, options.middle)
        )
    )
    rows, proved = found[:, :-1], float(found[:, -1].mean())
    rules = rows[:, 1:].mean(axis=0)
    best = int(np.argmax(rules))
    print(
        f"{len(rows)} dogs, {WORLDS} worlds each, {proved:.3f} of them proved; "
        f"P of the chosen écart {rows[:, 0].mean():.4f}"
    )
    for number, mean in enumerate(rules):
        gain = rows[:, 0] - rows[:, 1 + number]
        se = gain.std(ddof=1) / np.sqrt(len(gain))
        name = f"rule {number}{' (the best)' if number == best else ''}"
        print(f"{name}: P {mean:.4f}, gain {gain.mean():+.4f} ± {se:.4f}")
    middle = (rows[:, 1 + best] > MIDDLE[0]) & (rows[:, 1 + best] < MIDDLE[1])
    gain = (rows[:, 0] - rows[:, 1 + best])[middle]
    if len(gain) < 2:
        return
    se = gain.std(ddof=1) / np.sqrt(len(gain))
    print(
        f"on the {middle.sum()} dogs with which the best rule makes between {MIDDLE[0]} and "
        f"{MIDDLE[1]}: gain {gain.mean():+.4f} ± {se:.4f}"
    )


if __name__ == "__main__":
    main()
