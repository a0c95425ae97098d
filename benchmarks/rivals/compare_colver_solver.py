"""Exact values of every root card, ours against colver's, side by side on one thread.

colver (PyPI) is the closest engine to compare with: Belote contrée, four players, 32 cards.
Ours are endings of four players with 32 cards left. The games differ, the question does
not: with all hands in view, what does each legal card of the player on lead bring?

* colver: `Env.solve_scores` of a fresh deal: card points of one camp for every legal card
  (and the marked score of the contract, converted from them). The hand and suit that
  colver itself values most take an 80.
* tarot_sim: `solve_cards` of `tarot_sim.bench.random_position(4, 8, seed)`, in which the
  strongest hand has taken: the margin or the attack's points for every legal card.

Both begin with nothing: our table is cleared before every call, and a second call of
colver's takes as long as the first. The rounds time all of them in turn on every deal.
Time is the processor's: it leaves out what other programs take on a busy machine.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections.abc import Callable, Iterator
from time import process_time
from typing import Any, Final

from tarot_sim.bench import random_position
from tarot_sim.solver._solver import Solver
from tarot_sim.solver.objectives import ObjectiveName
from tarot_sim.solver.solving import solve_cards

CARDS: Final = 8
OURS: Final[tuple[ObjectiveName, ...]] = ("margin", "points")


def colver_deal(seed: int) -> Callable[[], object]:
    """Return colver's question of a random deal."""
    import colver

    env = colver.Env.deal(dealer=0, seed=seed)
    values = [env.evaluate_hand(seat) for seat in range(4)]
    taker = max(range(4), key=lambda seat: float(values[seat]["best_score"]))
    env.set_contract(values[taker]["best_suit"], 80, taker % 2, 0)
    env.set_phase_playing()
    solve: Callable[[], object] = env.solve_scores
    return solve


def tarot_deal(seed: int, objective: ObjectiveName, solver: Solver) -> Callable[[], object]:
    """Return our question of a random ending."""
    position = random_position(4, CARDS, seed)

    def solve() -> object:
        solver.clear()
        return solve_cards(position, objective, solver=solver)

    return solve


def seconds(solve: Callable[[], object]) -> float:
    """Time one call."""
    start = process_time()
    solve()
    return process_time() - start


def rounds(deals: int, count: int) -> Iterator[dict[str, float]]:
    """Yield the times of each deal in each round, the order turned each time."""
    solver = Solver()
    field = [
        {"colver": colver_deal(seed)}
        | {f"tarot_sim {name}": tarot_deal(seed, name, solver) for name in OURS}
        for seed in range(deals)
    ]
    names = list(field[0])
    for solve in field[0].values():  # warm-up
        solve()
    for turn in range(count):
        order = names[turn % len(names) :] + names[: turn % len(names)]
        for contestants in field:
            yield {name: seconds(contestants[name]) for name in order}


def summary(times: list[dict[str, float]], deals: int) -> dict[str, dict[str, Any]]:
    """Return milliseconds of each, and how many times as long colver took in a round."""
    turns = [times[start : start + deals] for start in range(0, len(times), deals)]
    answer: dict[str, dict[str, Any]] = {}
    for name in sorted(times[0]):
        own = [1e3 * row[name] for row in times]
        answer[name] = {
            "ms": {"mean": statistics.mean(own), "median": statistics.median(own), "max": max(own)}
        }
        for kind, average in (("mean", statistics.mean), ("median", statistics.median)):
            answer[name][f"colver_ratio_of_{kind}s"] = [
                average([row["colver"] for row in turn]) / average([row[name] for row in turn])
                for turn in turns
            ]
    return answer


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    options = parser.parse_args()
    try:
        times = list(rounds(options.deals, options.rounds))
    except ImportError:
        sys.exit("compare_colver_solver needs colver: pip install --group bench")
    results = summary(times, options.deals)
    if options.json:
        print(json.dumps({"schema": 1, **vars(options), "results": results}))
        return
    print(
        "exact value of every root card, 32 cards, 4 players, ms of processor time a deal: "
        f"{options.deals} deals, {options.rounds} rounds"
    )
    print(f"{'':18}{'mean':>8}{'median':>8}{'max':>9}  colver takes … times as long (rounds)")
    for name, result in results.items():
        figures = result["ms"]
        ratios = "; ".join(
            f"{kind}s {statistics.median(of):.2f} ({min(of):.2f}–{max(of):.2f})"
            for kind in ("mean", "median")
            for of in [result[f"colver_ratio_of_{kind}s"]]
        )
        print(
            f"{name:18}{figures['mean']:8.2f}{figures['median']:8.2f}{figures['max']:9.2f}"
            + ("" if name == "colver" else f"  {ratios}")
        )


if __name__ == "__main__":
    main()
