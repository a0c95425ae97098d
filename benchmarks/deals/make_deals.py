"""Make the corpora in benchmarks/deals, and prove what is still open of their answers.

A corpus that is not there yet is generated; the positions of one that is there stay what
they are. Every search starts from an empty table and knows nothing of the stored answer:
what it proves narrows that, and a contradiction stops the script. Files are written after
every position, so that an interruption loses nothing.

    python -m benchmarks.deals.make_deals --seconds 60
    python -m benchmarks.deals.make_deals random-4-14 --confirm --seconds 10
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np

from benchmarks.common import stored_discard
from benchmarks.deals.corpus import FOLDER, MARGIN, Contradiction, Stored, load, save
from tarot_sim._core import Position
from tarot_sim.bench import random_position
from tarot_sim.cards import Hand
from tarot_sim.rules import Rules
from tarot_sim.solver._plain import plain_value
from tarot_sim.solver._solver import Solver
from tarot_sim.solver.limit import Limit
from tarot_sim.worlds._sampler import sample_worlds
from tarot_sim.worlds.contract_deals import TAKER, contract_deals

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

#: Players, cards a hand, and how many random positions.
RANDOM: Final = (
    (4, 6, 60),
    (4, 8, 60),
    (4, 10, 60),
    (4, 12, 40),
    (4, 14, 40),
    (4, 16, 40),
    (4, 18, 200),
    (5, 13, 40),
    (3, 16, 40),
)

#: Hands that are worth a Garde and fail at times, and how many worlds of each.
HANDS: Final = (
    "A:20,18,15,13,9,6,1,EX P:R,V,7 C:D,C,4,2 K:R,8 T:5",
    "A:21,17,14,10,8,3,2 P:R,D,5 C:R,9,6 K:V,3 T:D,10,1",
    "A:21,19,12,11,7,5,4,EX P:D,9,8,3 C:R,C K:10,6 T:V,2",
)
WORLDS: Final = 20

#: Corpora from which the hard ones are taken, and how many of each.
HARD_FROM: Final = (
    "random-4-12", "random-4-14", "random-4-16", "random-4-18",
    "random-5-13", "random-3-16", "worlds-4-18",
)  # fmt: skip
HARD: Final = 8

#: Cards in all hands together up to which plain alpha-beta confirms the margin.
PLAIN_CARDS: Final = 32


def random_positions(players: int, cards: int, count: int) -> Iterator[Position]:
    """Yield endings of random deals, or whole ones; the seeds are 0, 1, …."""
    for seed in range(count):
        yield random_position(players, cards, seed)


def world_positions() -> Iterator[Position]:
    """Yield whole deals in which the hidden cards of a Garde's taker are sampled."""
    rules = Rules()
    for number, text in enumerate(HANDS):
        hand = Hand(text)
        worlds = sample_worlds(hand, TAKER, rules, WORLDS, np.random.PCG64DXSM(number))
        leaders = (np.arange(WORLDS) % rules.players).astype(np.uint8)
        deals = contract_deals(
            worlds, rules, "garde", leaders, discard=partial(stored_discard, rules=rules)
        )
        for row in range(WORLDS):
            yield deals.position(row)


def generators() -> dict[str, Iterator[Position]]:
    """Return what makes each corpus, by its name."""
    made = {
        f"random-{players}-{cards:02}": random_positions(players, cards, count)
        for players, cards, count in RANDOM
    }
    return made | {"worlds-4-18": world_positions()}


def answered(stored: Stored, solver: Solver, seconds: float) -> Stored:
    """Return a position with what two searches prove, of make and of the margin."""
    position = stored.position
    solver.clear()
    make, nodes = solver.at_least(position, MARGIN, 0, limit=Limit(seconds=seconds))
    if make is not None:
        stored = stored.narrowed(*((0, stored.bounds[1]) if make else (stored.bounds[0], -1)))
    solver.clear()
    low, high, _ = solver.value(position, MARGIN, limit=Limit(seconds=seconds))
    stored = stored.narrowed(low, high)
    if stored.margin is not None and position.players * position.tricks_left <= PLAIN_CARDS:
        truth = plain_value(position, MARGIN)
        stored = stored.narrowed(truth, truth)
    return replace(stored, nodes=nodes)


def complete(name: str, solver: Solver, seconds: float, confirm: bool, folder: Path) -> None:
    """Generate a corpus that is not there, and search for what is open."""
    if not (folder / f"{name}.jsonl").exists():
        made = enumerate(generators()[name])
        save(name, [Stored(f"{name}-{number:03}", position) for number, position in made], folder)
    corpus = load(name, folder)
    for row, stored in enumerate(corpus):
        if confirm or stored.margin is None:
            corpus[row] = answered(stored, solver, seconds)
            save(name, corpus, folder)
    known = sum(stored.make is not None for stored in corpus)
    exact = sum(stored.margin is not None for stored in corpus)
    print(f"{name}: {len(corpus)} positions, {known} make or not, {exact} margins", flush=True)


def hardest(folder: Path) -> list[Stored]:
    """Return those of each larger corpus that took most nodes, the open ones first."""
    chosen: list[Stored] = []
    for name in HARD_FROM:
        corpus = load(name, folder)
        corpus.sort(key=lambda stored: (stored.make is not None, -stored.nodes))
        chosen += sorted(corpus[:HARD], key=lambda stored: stored.name)
    return chosen


def main() -> None:
    """Complete the corpora that are named, then choose the hard ones anew."""
    corpora = list(generators())
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", default=corpora, help="corpora; all by default")
    parser.add_argument("--seconds", type=float, default=10.0, help="of each of two searches")
    parser.add_argument("--confirm", action="store_true", help="search for known answers too")
    parser.add_argument("--megabytes", type=int, default=1024, help="of the table")
    options = parser.parse_args()
    if unknown := set(options.names) - set(corpora):
        parser.error(f"no such corpus: {', '.join(sorted(unknown))}")
    solver = Solver(options.megabytes << 20)
    try:
        for name in options.names:
            complete(name, solver, options.seconds, options.confirm, FOLDER)
    except Contradiction as error:
        sys.exit(f"contradiction: {error}")
    finally:
        # After an interruption too, so that it agrees with what the others have now.
        if all((FOLDER / f"{name}.jsonl").exists() for name in HARD_FROM):
            save("hard", hardest(FOLDER))


if __name__ == "__main__":
    main()
