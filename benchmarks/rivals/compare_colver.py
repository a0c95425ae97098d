"""Random play-outs against colver's, side by side: nanoseconds a card on one thread.

colver (PyPI) is the closest engine to compare with: Belote contrée, four players, card
points, forced overtrump; its deals have 32 cards, ours 72 (75 at five players). Both
choose uniformly among the legal cards and settle every trick; colver returns averages,
`random_playouts` the outcome of every play-out. Each is one batched call on one thread.
The rounds time all of them in turn on every deal, and the ratio is taken within a round.
Time is the processor's, not the clock on the wall: it leaves out what other programs
take on a busy machine.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections.abc import Callable, Iterator
from time import process_time_ns
from typing import Any

import numpy as np

from benchmarks.common import PLAYERS, first_position
from tarot_sim import random_playouts

#: A call that plays a deal out as often as asked, and the cards of one play-out.
Contestant = tuple[Callable[[int], object], int]


def colver_deal(seed: int) -> Contestant:
    """Return colver's play-outs of a random deal: 80 in the first suit by seat 1."""
    import colver

    env = colver.Env.deal(dealer=0, seed=seed)
    env.set_contract(0, 80, 1, 0)
    env.set_phase_playing()
    return env.rollout, 32


def tarot_deal(players: int, seed: int) -> Contestant:
    """Return our play-outs of a random deal."""
    position = first_position(players, seed)
    generator = np.random.PCG64DXSM(seed)
    cards = players * position.tricks_left
    return lambda count: random_playouts(position, count, generator), cards


def nanoseconds_a_card(contestant: Contestant, playouts: int) -> float:
    """Time one batched call."""
    play, cards = contestant
    start = process_time_ns()
    play(playouts)
    return (process_time_ns() - start) / (playouts * cards)


def rounds(deals: int, count: int, playouts: int) -> Iterator[dict[str, float]]:
    """Yield the times of each round on each deal, the order turned each time."""
    field: list[dict[str, Contestant]] = [
        {"colver": colver_deal(seed)}
        | {f"tarot_sim_{players}": tarot_deal(players, seed) for players in PLAYERS}
        for seed in range(deals)
    ]
    for contestants in field:
        for contestant in contestants.values():  # warm-up
            nanoseconds_a_card(contestant, playouts // 10 + 1)
    names = list(field[0])
    for turn in range(count):
        order = names[turn % len(names) :] + names[: turn % len(names)]
        for contestants in field:
            yield {name: nanoseconds_a_card(contestants[name], playouts) for name in order}


def summary(times: list[dict[str, float]]) -> dict[str, Any]:
    """Return median, least and most of each, and how many times as long colver took."""
    answer: dict[str, Any] = {}
    for name in sorted(times[0]):
        own = [row[name] for row in times]
        answer[name] = {
            "ns_per_card": {
                "median": statistics.median(own),
                "min": min(own),
                "max": max(own),
            }
        }
        if name != "colver":
            ratios = [row["colver"] / row[name] for row in times]
            answer[name]["colver_ratio_median"] = statistics.median(ratios)
    return answer


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--deals", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--playouts", type=int, default=20_000, help="in each timed call")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    options = parser.parse_args()
    try:
        times = list(rounds(options.deals, options.rounds, options.playouts))
    except ImportError:
        sys.exit("compare_colver needs colver: pip install --group bench")
    results = summary(times)
    if options.json:
        print(json.dumps({"schema": 1, **vars(options), "results": results}))
        return
    print(
        f"random play-outs, ns a card, one thread: {options.deals} deals, "
        f"{options.rounds} rounds of {options.playouts} play-outs"
    )
    print(f"{'':14}{'median':>8}{'min':>8}{'max':>8}  colver takes … times as long")
    for name, result in results.items():
        figures = result["ns_per_card"]
        ratio = result.get("colver_ratio_median")
        print(
            f"{name:14}{figures['median']:8.1f}{figures['min']:8.1f}{figures['max']:8.1f}"
            + ("" if ratio is None else f"  {ratio:.2f}")
        )


if __name__ == "__main__":
    main()
