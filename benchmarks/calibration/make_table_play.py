"""Let four players play what a hand takes, over and over: what chances at a table are fitted to.

Hands from weak to strong take a contract in worlds that they cannot tell apart; every seat is a
bot that sees its own cards only, from the call and the écart on. Each file in the folder
``table_play`` holds, a line a hand, the worlds and how they ended: the margin in half points, the
Petit au bout, the chelem. Hands that are there are not played again.

    python -m benchmarks.calibration.make_table_play --players 4 --hands 400 --worlds 10
    python -m benchmarks.calibration.make_table_play --players 4 --hands 24 --worlds 400 --kind test
    python -m benchmarks.calibration.make_table_play --players 4 --hands 60 --worlds 8 --kind ends
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray

from benchmarks.calibration.chelems import tilted_hands
from tarot_sim.arena.tables import step
from tarot_sim.bots import make
from tarot_sim.cards import Hand
from tarot_sim.deals.game import Game
from tarot_sim.rules import NEED, Contract, Rules
from tarot_sim.worlds._counts import chavey_counts
from tarot_sim.worlds._sampler import sample_worlds
from tarot_sim.worlds.batch import NO_CALL

FOLDER: Final = Path(__file__).with_name("table_play")
#: How often a contract is taken, and how often by the strongest hand of a deal: the others are
#: of a seat at random.
CONTRACTS: Final[dict[Contract, float]] = {
    "prise": 0.1, "garde": 0.5, "garde_sans": 0.2, "garde_contre": 0.2,
}  # fmt: skip
STRONGEST: Final = 0.75
#: What hands are played for, and the seed of each kind: to fit, to test the fit, and hands that win
#: nearly all tricks or none, which random deals hardly ever have.
KINDS: Final = {"fit": 15, "test": 16, "ends": 18}
#: Hands of the last kind at most.
MOST_ENDS: Final = 60
Kind = Literal["fit", "test", "ends"]


def file_of(players: int, bot: str, kind: Kind) -> Path:
    """Return where the hands of a table are kept."""
    name = bot.replace(":", "-").replace(",", "-").replace("=", "")
    return FOLDER / f"{kind}-{players}-{name}.jsonl"


def question(players: int, number: int, kind: Kind) -> tuple[Hand, Contract, np.random.Generator]:
    """Return the hand of a number, what it takes, and where its worlds come from."""
    rng = np.random.default_rng([KINDS[kind], players, number])
    rules = Rules(players=players)
    names = list(CONTRACTS)
    if kind == "ends":
        hand = ends_hand(players, number)
        return hand, names[int(rng.integers(len(names)))], rng
    pack = np.repeat(
        np.arange(players + 1, dtype=np.uint8), [rules.hand_size] * players + [rules.dog_size]
    )
    while True:
        world = rng.permuted(pack)
        counts = chavey_counts(world[None], players)[0, :, 0]
        best = rng.random() < STRONGEST
        seat = int(counts.argmax()) if best else int(rng.integers(players))
        hand = Hand(np.flatnonzero(world == seat).tolist())
        contract = names[int(rng.choice(len(names), p=list(CONTRACTS.values())))]
        if not hand.is_petit_sec():
            return hand, contract, rng


@cache
def _ends_hands(players: int, hands: int) -> tuple[Hand, ...]:
    return tuple(tilted_hands(players, hands, KINDS["ends"]))


def ends_hand(players: int, number: int) -> Hand:
    """Return a hand of which all tricks are won, or none, or nearly."""
    return _ends_hands(players, MOST_ENDS)[number]


def play(world: Any, dealer: int, contract: Contract, rules: Rules, bot: str, seed: Any) -> Game:
    """Let bots play a world that seat 0 takes."""
    seats = range(rules.players)
    hands = [Hand(np.flatnonzero(world == seat).tolist()) for seat in seats]
    dog = Hand(np.flatnonzero(world == rules.players).tolist())
    game = Game(hands, dog, dealer=dealer, rules=rules)
    while game.phase == "auction":
        game.bid(contract if game.to_move == 0 else "pass")
    bots = [make(bot, np.random.default_rng([*seed, seat])) for seat in seats]
    while game.phase != "over":
        step(game, bots)
    return game


def worlds_of(
    players: int, number: int, n: int, kind: Kind
) -> tuple[Hand, Contract, NDArray[np.uint8], NDArray[np.int64]]:
    """Return the hand of a number, what it takes, `n` worlds of it and who deals in them.

    The hand is seat 0's; worlds are uint8 (n, 78), the first ones the same for every `n`.
    """
    hand, contract, rng = question(players, number, kind)
    rules = Rules(players=players)
    dealt = [sample_worlds(hand, 0, rules, 1, rng.bit_generator)[0] for _ in range(n)]
    return hand, contract, np.stack(dealt), np.arange(n) % players


def play_hand(players: int, number: int, worlds: int, bot: str, kind: Kind) -> dict[str, Any]:
    """Return the line of a hand: a list with an entry for each world under each key."""
    rules = Rules(players=players)
    hand, contract, dealt, dealers = worlds_of(players, number, worlds, kind)
    line: dict[str, Any] = {"number": number, "hand": str(hand), "contract": contract}
    rows = []
    for place, (world, dealer) in enumerate(zip(dealt, dealers.tolist(), strict=True)):
        game = play(world, dealer, contract, rules, bot, (KINDS[kind], number, place))
        assert game.position is not None
        assert game.score is not None
        result = game.position.result()
        rows.append(
            {
                "called": NO_CALL if game.called is None else int(game.called),
                "margin": int(result.attack_half_points - NEED[result.bouts]),
                "petit": int(result.petit_au_bout),
                "chelem": int(result.chelem),
                "score": game.score.taker,
            }
        )
    return line | {key: [row[key] for row in rows] for key in rows[0]}


def lines(path: Path) -> list[dict[str, Any]]:
    """Return what a file holds so far."""
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def main() -> None:
    """Play the hands that are missing."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--players", type=int, default=4, choices=(3, 4, 5))
    parser.add_argument("--hands", type=int, default=400)
    parser.add_argument("--worlds", type=int, default=10)
    parser.add_argument("--bot", default="search")
    parser.add_argument("--kind", default="fit", choices=tuple(KINDS), help="no fit may see a test")
    parser.add_argument("--jobs", type=int, default=-1)
    given = parser.parse_args()
    path = file_of(given.players, given.bot, given.kind)
    present = {line["number"] for line in lines(path)}
    missing = [number for number in range(given.hands) if number not in present]
    started = time.time()
    found: Iterator[dict[str, Any]] = Parallel(n_jobs=given.jobs, return_as="generator")(
        delayed(play_hand)(given.players, number, given.worlds, given.bot, given.kind)
        for number in missing
    )
    FOLDER.mkdir(exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        for line in found:
            print(json.dumps(line, separators=(",", ":")), file=file, flush=True)
    print(f"{len(missing)} hands in {time.time() - started:.0f} s")


if __name__ == "__main__":
    main()
