"""Prove which worlds of a hand are made: what the chances are held against.

Hands across strength, by Chavey's count, take a contract; worlds of each are searched
exactly within a budget of nodes, and what stays open keeps sound bounds of its margin. What
the files hold is said at `FILES`. Worlds that are stored are not searched again, so an
interruption loses nothing.

    python -m benchmarks.calibration.make_truth --nodes 50000000
"""

from __future__ import annotations

import argparse
import itertools
import json
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from joblib import Parallel, delayed

import tarot_sim
from benchmarks.common import stored_discard
from tarot_sim.cards import Card, Hand
from tarot_sim.rules import Rules
from tarot_sim.rules.auction import callable_cards
from tarot_sim.rules.chavey import chavey_count
from tarot_sim.solver._solver import Solver
from tarot_sim.solver.limit import Limit
from tarot_sim.solver.objectives import MARGIN
from tarot_sim.worlds._sampler import sample_worlds
from tarot_sim.worlds.batch import NO_CALL, Deals
from tarot_sim.worlds.contract_deals import TAKER, contract_deals, dogs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tarot_sim.rules import Contract


@dataclass(frozen=True, slots=True)
class File:
    """What a file of worlds holds.

    Attributes
    ----------
    hands
        Numbers of the hands, see `hands`.
    worlds
        How many of each.
    contract
        What they take.
    players
        At the table.
    seen
        Whether each hand has one dog, which the taker sees, and so one écart.
    """

    hands: range
    worlds: int
    contract: Contract = "garde"
    players: int = 4
    seen: bool = False


FOLDER: Final = Path(__file__).parent / "truth"
#: By name, in an order that the worlds depend on. Of hands without the dog that are stronger
#: than these hardly a world can be proved.
FILES: Final = {
    "open-dog": File(range(24), 60),
    "fixed-dog": File(range(24), 60, seen=True),
    "without-dog": File(range(6, 12), 30, contract="garde_sans"),
    "three-players": File(range(12), 40, players=3),
    "five-players": File(range(12), 40, players=5),
}
#: By players: Chavey's count of the weakest hand, and the step to the next.
COUNTS: Final = {3: (50, 3), 4: (40, 2), 5: (14, 3)}
SEEDS: Final = {3: 2023, 4: 2026, 5: 2025}
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
    called: Card | None
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
            **({} if self.called is None else {"called": self.called.name}),
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
                called=Card.parse(row["called"]) if "called" in row else None,
                bounds=tuple(row["bounds"]),
                nodes=row["nodes"],
                version=row["version"],
            )
        )
    return worlds


def deals_of(worlds: list[World], file: File) -> Deals:
    """Return stored worlds of a file as deals, in their order."""
    players = file.players
    n = len(worlds)
    owners = np.array([list(map(int, world.owners)) for world in worlds], np.uint8)
    owners = owners.reshape(n, 78)
    called = np.array(
        [NO_CALL if world.called is None else world.called for world in worlds], np.uint8
    )
    # A called card in the dog is the taker's, or not played: he is alone.
    holder = np.where(called < 78, owners[np.arange(n), np.minimum(called, 77)], TAKER)
    holder[holder == players] = TAKER
    return Deals(
        rules=Rules(players=players),
        owners=owners,
        attack=(1 << TAKER | 1 << holder.astype(np.int64)).astype(np.uint8),
        leader=np.array([world.leader for world in worlds], np.uint8),
        half_points=np.array([world.half_points for world in worlds], np.int16),
        bouts=np.array([world.bouts for world in worlds], np.uint8),
        called=called,
        contract=file.contract,
    )


def hands(players: int = 4) -> Iterator[Hand]:
    """Yield hands of rising count, without an end."""
    rng, rules = np.random.default_rng(SEEDS[players]), Rules(players=players)
    first, step = COUNTS[players]
    for low in itertools.count(first, step):
        while True:
            hand = Hand(rng.permutation(78)[: rules.hand_size].tolist())
            if low <= chavey_count(hand).total < low + step and not hand.is_petit_sec():
                yield hand
                break


def planned(name: str) -> Iterator[tuple[int, int, Hand, Hand | None, Deals]]:
    """Yield hand number, world number, hand, dog where it is seen, and a deal of one row."""
    asked = FILES[name]
    rules = Rules(players=asked.players)
    leaders = (np.arange(asked.worlds) % rules.players).astype(np.uint8)
    for number, hand in zip(range(asked.hands.stop), hands(asked.players), strict=False):
        if number not in asked.hands:
            continue
        seed = np.random.SeedSequence(
            SEEDS[asked.players], spawn_key=(number, list(FILES).index(name))
        )
        bits = np.random.PCG64DXSM(seed)
        dog = None
        if asked.seen:
            dog = dogs(sample_worlds(hand, TAKER, rules, 1, bits), rules)[0]
        called = None
        if rules.players == 5:
            cards = callable_cards(hand, rules)
            called = next((card for card in cards if card not in hand), cards[0])
        worlds = sample_worlds(hand, TAKER, rules, asked.worlds, bits, dog)
        discard = partial(stored_discard, rules=rules, called=called)
        deals = contract_deals(
            worlds, rules, asked.contract, leaders, called=called, discard=discard
        )
        for row in range(asked.worlds):
            yield number, row, hand, dog, deals[np.array([row])]


def proved(job: tuple[int, int, Hand, Hand | None, Deals], nodes: int) -> World:
    """Search one world."""
    number, row, hand, dog, deals = job
    position = deals.position(0)
    solver = Solver(1 << 30)
    made, used = solver.at_least(position, MARGIN, 0, limit=Limit(nodes=nodes))
    low, high = solver.bounds(position, MARGIN)
    if made is None:
        low, high, _ = solver.value(position, MARGIN, limit=Limit(nodes=int(nodes * BOUNDS_SHARE)))
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
        called=Card(int(deals.called[0])) if deals.called[0] != NO_CALL else None,
        bounds=(low, high),
        nodes=used,
        version=tarot_sim.__version__,
    )


def main() -> None:
    """Search what is not stored yet."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nodes", type=int, default=50_000_000)
    parser.add_argument("--names", nargs="+", choices=tuple(FILES), default=tuple(FILES))
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    started = time.monotonic()
    for name in options.names:
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
