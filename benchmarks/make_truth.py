"""Prove which worlds of a hand are made: what the chances are held against.

24 hands across strength, by Chavey's count, take a Garde at 4 players; 60 worlds of each
are searched exactly within a budget of nodes, and what stays open keeps sound bounds of
its margin. In the file ``open-dog`` every world has a dog of its own; in ``fixed-dog``
each hand has one dog, which the taker sees, and one écart; in ``without-dog`` six of the
hands take a Garde sans in 30 worlds (of stronger ones hardly a world can be proved). Worlds
that are stored are not searched again, so an interruption loses nothing.

    python -m benchmarks.make_truth --nodes 50000000
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from joblib import Parallel, delayed

import tarot_sim
from benchmarks.common import position_of
from tarot_sim._evaluate import Deals
from tarot_sim._sampler import sample_worlds
from tarot_sim._solver import Solver
from tarot_sim.bidding import chavey_count
from tarot_sim.cards import Hand
from tarot_sim.discard_choice import NO_CALL
from tarot_sim.judge import MARGIN
from tarot_sim.rules import Rules
from tarot_sim.worlds import TAKER, contract_deals, dogs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tarot_sim.rules import Contract

FOLDER: Final = Path(__file__).parent / "truth"
NAMES: Final = ("open-dog", "fixed-dog", "without-dog")
HANDS: Final = 24
WORLDS: Final = 60
#: The hands that take a Garde sans, and in how many worlds each.
WITHOUT_DOG: Final = range(6, 12)
WITHOUT_DOG_WORLDS: Final = 30
#: Chavey's count of the weakest hand, and the step to the next.
FIRST_COUNT, COUNT_STEP = 40, 2
SEED: Final = 2026
RULES: Final = Rules()
#: Share of a world's budget that is spent on the bounds of an open one.
BOUNDS_SHARE: Final = 0.1


@dataclass(frozen=True, slots=True)
class World:
    """A stored world: a deal, and sound bounds of its margin in half points."""

    hand: int
    number: int
    cards: Hand
    dog: Hand | None
    owners: str
    leader: int
    half_points: int
    bouts: int
    bounds: tuple[int, int]
    nodes: int
    version: str

    @property
    def made(self) -> bool | None:
        """Whether the contract is made, None where that is open."""
        return True if self.bounds[0] >= 0 else False if self.bounds[1] < 0 else None

    def to_json(self) -> str:
        """Return the world's line."""
        fields: dict[str, Any] = {
            "hand": self.hand,
            "world": self.number,
            "cards": str(self.cards),
            "dog": None if self.dog is None else str(self.dog),
            "owners": self.owners,
            "leader": self.leader,
            "half_points": self.half_points,
            "bouts": self.bouts,
            "bounds": list(self.bounds),
            "nodes": self.nodes,
            "version": self.version,
        }
        return json.dumps(fields)


def load(name: str) -> list[World]:
    """Return the stored worlds of a file."""
    path = FOLDER / f"{name}.jsonl"
    if not path.exists():
        return []
    worlds = []
    for line in path.read_text().splitlines():
        row = json.loads(line)
        worlds.append(
            World(
                hand=row["hand"],
                number=row["world"],
                cards=Hand(row["cards"]),
                dog=None if row["dog"] is None else Hand(row["dog"]),
                owners=row["owners"],
                leader=row["leader"],
                half_points=row["half_points"],
                bouts=row["bouts"],
                bounds=tuple(row["bounds"]),
                nodes=row["nodes"],
                version=row["version"],
            )
        )
    return worlds


def deals_of(worlds: list[World]) -> Deals:
    """Return stored worlds as deals, in their order."""
    n = len(worlds)
    owners = np.array([list(map(int, world.owners)) for world in worlds], np.uint8)
    return Deals(
        rules=RULES,
        owners=owners.reshape(n, 78),
        attack=np.full(n, 1 << TAKER, np.uint8),
        leader=np.array([world.leader for world in worlds], np.uint8),
        half_points=np.array([world.half_points for world in worlds], np.int16),
        bouts=np.array([world.bouts for world in worlds], np.uint8),
        called=np.full(n, NO_CALL, np.uint8),
    )


def hands() -> Iterator[Hand]:
    """Yield hands of rising count."""
    rng = np.random.default_rng(SEED)
    for number in range(HANDS):
        count = FIRST_COUNT + COUNT_STEP * number
        while True:
            hand = Hand(rng.permutation(78)[: RULES.hand_size].tolist())
            if count <= chavey_count(hand).total < count + COUNT_STEP and not hand.is_petit_sec():
                yield hand
                break


def planned(name: str) -> Iterator[tuple[int, int, Hand, Hand | None, Deals]]:
    """Yield hand number, world number, hand, dog where it is seen, and a deal of one row."""
    n = WITHOUT_DOG_WORLDS if name == "without-dog" else WORLDS
    leaders = (np.arange(n) % RULES.players).astype(np.uint8)
    for number, hand in enumerate(hands()):
        if name == "without-dog" and number not in WITHOUT_DOG:
            continue
        seed = np.random.SeedSequence(SEED, spawn_key=(number, NAMES.index(name)))
        bits = np.random.PCG64DXSM(seed)
        dog = None
        if name == "fixed-dog":
            dog = dogs(sample_worlds(hand, TAKER, RULES, 1, bits), RULES)[0]
        worlds = sample_worlds(hand, TAKER, RULES, n, bits, dog)
        contract: Contract = "garde_sans" if name == "without-dog" else "garde"
        deals = contract_deals(worlds, RULES, contract, leaders)
        for row in range(n):
            yield number, row, hand, dog, deals[np.array([row])]


def proved(job: tuple[int, int, Hand, Hand | None, Deals], nodes: int) -> World:
    """Search one world."""
    number, row, hand, dog, deals = job
    position = position_of(deals, 0)
    solver = Solver(1 << 30)
    made, used = solver.at_least(position, MARGIN, 0, nodes=nodes)
    low, high = solver.bounds(position, MARGIN)
    if made is None:
        low, high, _ = solver.value(position, MARGIN, nodes=int(nodes * BOUNDS_SHARE))
    elif made:
        low = max(low, 0)
    else:
        high = min(high, -1)
    return World(
        hand=number,
        number=row,
        cards=hand,
        dog=dog,
        owners="".join(map(str, deals.owners[0].tolist())),
        leader=int(deals.leader[0]),
        half_points=int(deals.half_points[0]),
        bouts=int(deals.bouts[0]),
        bounds=(low, high),
        nodes=used,
        version=tarot_sim.__version__,
    )


def main() -> None:
    """Search what is not stored yet."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nodes", type=int, default=50_000_000)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    started = time.monotonic()
    for name in NAMES:
        known = {(world.hand, world.number) for world in load(name)}
        jobs = [job for job in planned(name) if job[:2] not in known]
        FOLDER.mkdir(exist_ok=True)
        with (FOLDER / f"{name}.jsonl").open("a") as out:
            done = Parallel(n_jobs=options.jobs, prefer="threads", return_as="generator")(
                delayed(partial(proved, nodes=options.nodes))(job) for job in jobs
            )
            for world in done:
                out.write(world.to_json() + "\n")
                out.flush()
        worlds = load(name)
        closed = sum(world.made is not None for world in worlds)
        print(
            f"{name}: {closed} of {len(worlds)} worlds proved ({time.monotonic() - started:.0f} s)",
            flush=True,
        )


if __name__ == "__main__":
    main()
