"""How fast the double-dummy solver is: percentiles, worst deals, memory, by size of deal.

One core, tables cold for every deal, processor time (limits are of the clock on the
wall). Deals are those of `tarot_sim.bench.random_position`, or a corpus in
benchmarks/deals, whose answers are checked. Where made or not stays open, the margin is
searched for from scratch: its bounds are sound, their width says how much is known.

    python -m benchmarks.bench_solver
    python -m benchmarks.bench_solver --cards 18 --deals 200 --seconds 60 --bounds 10
    python -m benchmarks.bench_solver --corpus hard --json hard-times.jsonl
"""

from __future__ import annotations

import argparse
import json
import math
import resource
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from benchmarks.deals.corpus import MARGIN, WIDEST, Contradiction, Stored, load, names
from tarot_sim.bench import random_position
from tarot_sim.solver._solver import Solver
from tarot_sim.solver.limit import Limit

if TYPE_CHECKING:
    from collections.abc import Iterator

#: What is asked when no size is given: players, cards a hand, whether the margin too.
LINES: Final = (
    (4, 8, True),
    (4, 10, True),
    (4, 12, True),
    (4, 14, True),
    (4, 18, False),
    (3, 16, True),
    (5, 13, True),
)
PERCENTILES: Final = (50, 80, 90, 92, 99)
LIMITS: Final = (0.1, 2, 10, 60)
#: A deal that takes longer is hard.
HARD_SECONDS: Final = 1.0
BATCH: Final = 20


@dataclass(frozen=True, slots=True)
class Row:
    """What one search of one deal took and found.

    Attributes
    ----------
    title, deal
        The line of the report, and the number of the deal in it.
    seconds, nodes, done
        Processor time and visited positions; whether it finished.
    low, high
        Sound bounds of the margin in half points: made is from 0 up.
    """

    title: str
    deal: int
    seconds: float
    nodes: int
    done: bool
    low: int
    high: int


class Bench:
    """A solver with the options of the command line."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.solver = Solver(options.megabytes << 20)
        self.limit = Limit(seconds=None if options.seconds == math.inf else options.seconds)

    def row(self, title: str, number: int, deal: Stored, value: bool) -> Row:
        """Search one deal; what contradicts the stored answer is an error."""
        position, (low, high) = deal.position, WIDEST
        self.solver.clear()
        start = time.process_time()
        if value:
            low, high, nodes = self.solver.value(position, MARGIN, limit=self.limit)
            done = low == high
        else:
            make, nodes = self.solver.at_least(position, MARGIN, 0, limit=self.limit)
            done = make is not None
        took = time.process_time() - start
        if not value and done:
            low, high = (0, high) if make else (low, -1)
        elif not value and self.options.bounds:
            self.solver.clear()
            limit = Limit(seconds=self.options.bounds)
            low, high, _ = self.solver.value(position, MARGIN, limit=limit)
        deal.narrowed(low, high)
        return Row(title, number, took, nodes, done, low, high)

    def line(self, title: str, deals: Iterator[Stored], value: bool) -> None:
        """Search deal after deal, with a summary of every batch and one of all."""
        first = self.options.from_deal
        rows = [row for row in self.earlier(title) if row.deal < first]
        for number, deal in enumerate(deals):
            if number < first:
                continue
            rows.append(self.row(title, number, deal, value))
            if self.options.json:
                with self.options.json.open("a", encoding="utf-8") as file:
                    print(json.dumps(asdict(rows[-1])), file=file)
            if len(rows) % BATCH == 0:
                print(f"  to deal {number}: {brief(rows[-BATCH:])}", flush=True)
        if rows:
            report(title, rows, self.options.seconds)

    def earlier(self, title: str) -> list[Row]:
        """Return the rows of an interrupted run, from its file."""
        path = self.options.json
        if not self.options.from_deal or path is None or not path.exists():
            return []
        found = (Row(**json.loads(text)) for text in path.read_text("utf-8").splitlines())
        # Of a deal that was searched twice the last row counts.
        return list({row.deal: row for row in found if row.title == title}.values())


def brief(rows: list[Row]) -> str:
    """Return one batch in a few words."""
    took = [row.seconds for row in rows]
    done = sum(row.done for row in rows)
    return f"{done} of {len(rows)} finished, median {np.median(took):.5f} s, worst {max(took):.3f}"


def report(title: str, rows: list[Row], limit: float) -> None:
    """Print all of a line; deals that did not finish stand at their limit."""
    took = np.array([row.seconds for row in rows])
    nodes = np.array([row.nodes for row in rows])
    done = np.array([row.done for row in rows])
    hard = took > HARD_SECONDS
    # The limit is wall time, of which a busy machine gives only a part.
    stand = np.where(done, took, np.maximum(took, limit))
    percentiles = ", ".join(
        f"{share} % {seconds:.5f}"
        for share, seconds in zip(PERCENTILES, np.percentile(stand, PERCENTILES), strict=True)
    )
    shares = ", ".join(f"{s:g} s {(done & (took <= s)).mean():.1%}" for s in LIMITS if s <= limit)
    print(f"{title}: {done.sum()} of {len(rows)} finished")
    print(f"  seconds: mean {stand.mean():.5f}, {percentiles}, worst {stand.max():.3f}")
    print(f"  finished within: {shares or '–'}")
    print(
        f"  nodes: {nodes.sum()}, {rate(nodes, took)} M/s; "
        f"{hard.sum()} deals over {HARD_SECONDS:g} s {rate(nodes[hard], took[hard])} M/s"
    )
    widths = [row.high - row.low for row in rows if not row.done and (row.low, row.high) != WIDEST]
    if widths:
        print(
            f"  margins of {len(widths)} open ones: width of the bounds in points, "
            f"median {np.median(widths) / 2:.1f}, widest {max(widths) / 2:.1f}"
        )
    print(f"  peak memory so far: {peak_megabytes():.0f} MB", flush=True)


def rate(nodes: np.typing.NDArray[np.int64], took: np.typing.NDArray[np.float64]) -> str:
    """Return millions of nodes a second."""
    return f"{nodes.sum() / took.sum() / 1e6:.2f}" if took.sum() > 0 else "–"


def peak_megabytes() -> float:
    """Return the most memory that this process has held."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / (1 << 20)


def random_deals(players: int, cards: int, count: int) -> Iterator[Stored]:
    """Yield random deals of the seeds 0, 1, …, of which nothing is known."""
    for seed in range(count):
        yield Stored(f"seed {seed}", random_position(players, cards, seed))


def main() -> None:
    """Measure what the options ask for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--players", type=int, default=4, help="with --cards")
    parser.add_argument("--cards", type=int, nargs="+", help="a hand; by default a choice of sizes")
    parser.add_argument("--corpus", choices=names(), help="deals with answers, instead of random")
    parser.add_argument("--deals", type=int, default=20, help="of each random line")
    parser.add_argument("--from-deal", type=int, default=0, metavar="N",
                        help="go on there; the deals before it are read from --json")  # fmt: skip
    parser.add_argument("--seconds", type=float, default=2.0, help="limit of each search, or inf")
    parser.add_argument("--bounds", type=float, default=2.0,
                        help="seconds for the margin where made or not is open, or 0")  # fmt: skip
    parser.add_argument("--value", action="store_true", help="the margin too; see --cards")
    parser.add_argument("--json", type=Path, metavar="FILE", help="append a line for each search")
    parser.add_argument("--megabytes", type=int, default=1024, help="of the table")
    options = parser.parse_args()
    bench = Bench(options)
    lines = [(options.players, cards, options.value) for cards in options.cards or ()] or LINES
    try:
        if options.corpus:
            for value in (False, True)[: 1 + options.value]:
                title = f"{options.corpus}, {'margin' if value else 'made or not'}"
                bench.line(title, iter(load(options.corpus)), value)
            return
        for players, cards, both in lines:
            for value in (False, True)[: 1 + both]:
                title = f"{players} players, {cards} cards, {'margin' if value else 'made or not'}"
                bench.line(title, random_deals(players, cards, options.deals), value)
    except Contradiction as error:
        sys.exit(f"contradiction: {error}")


if __name__ == "__main__":
    main()
