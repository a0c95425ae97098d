"""How fast the double-dummy solver is, on random deals of every size.

The strongest of the dealt hands (by Chavey's count) takes a Garde and discards by the
rule; the dealer's right-hand neighbour leads. For fewer cards than a whole hand, cards
are played at random first and both camps are taken to have won a trick.

    python -m benchmarks.bench_solver --cards 14 --deals 50 --seconds 60
"""

from __future__ import annotations

import argparse
import time
from typing import TYPE_CHECKING

import numpy as np

from tarot_sim._solver import Objective, Solver
from tarot_sim.bench import random_position
from tarot_sim.rules import TARGETS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

MARGIN = Objective([2 * target for target in TARGETS])


def timings(
    players: int, cards: int, deals: int, seconds: float, value: bool, table_bytes: int
) -> Iterator[tuple[float, int, bool]]:
    """Yield processor time, nodes and whether it finished, deal by deal, tables cold."""
    solver = Solver(table_bytes)
    for seed in range(deals):
        position = random_position(players, cards, seed)
        solver.clear()
        start = time.process_time()
        if value:
            low, high, nodes = solver.value(position, MARGIN, seconds=seconds)
            done = low == high
        else:
            answer, nodes = solver.at_least(position, MARGIN, 0, seconds=seconds)
            done = answer is not None
        yield time.process_time() - start, nodes, done


def report(
    name: str, took: NDArray[np.float64], nodes: NDArray[np.int64], done: NDArray[np.bool_]
) -> None:
    """Print percentiles; deals that did not finish stand at their limit."""
    quantiles = np.quantile(took, [0.5, 0.8, 0.9, 0.99])
    shares = " ".join(
        f"{limit:g} s: {(done & (took <= limit)).mean():.0%}" for limit in (0.1, 2, 10, 60)
    )
    print(
        f"{name}: {done.sum()} of {len(took)} finished; mean {took.mean():.5f} s, "
        f"median {quantiles[0]:.5f}, 80 % {quantiles[1]:.5f}, 90 % {quantiles[2]:.4f}, "
        f"99 % {quantiles[3]:.4f}, worst {took.max():.3f}; "
        f"within {shares}; {nodes.sum() / max(took.sum(), 1e-9) / 1e6:.1f} M nodes/s, "
        f"{nodes.sum()} nodes",
        flush=True,
    )


def main() -> None:
    """Measure what the options ask for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--cards", type=int, nargs="+", default=[8, 10, 12, 14])
    parser.add_argument("--deals", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=60.0, help="limit of each deal")
    parser.add_argument("--value", action="store_true", help="also the exact margin")
    parser.add_argument("--megabytes", type=int, default=1024, help="of the table")
    options = parser.parse_args()
    for cards in options.cards:
        for value in (False, True) if options.value else (False,):
            rows = list(
                timings(
                    options.players, cards, options.deals, options.seconds, value,
                    options.megabytes << 20,
                )
            )  # fmt: skip
            took, nodes, done = (np.array(column) for column in zip(*rows, strict=True))
            kind = "value" if value else "make"
            report(f"{options.players} players, {cards} cards, {kind}", took, nodes, done)


if __name__ == "__main__":
    main()
