"""Which écart wins at a table: that of open cards, that of the table's fit, or the fixed rule's.

Hands that bid a Garde by habits get a dog; each écart is chosen for hand and dog, and played out
on the same worlds by bots that see their own cards only.

    python -m benchmarks.calibration.discards_at_table --players 4 --dogs 60 --worlds 30
"""

from __future__ import annotations

import argparse
from itertools import combinations
from typing import Any, Final

import numpy as np
from joblib import Parallel, delayed

from tarot_sim.arena.tables import step
from tarot_sim.bots import make
from tarot_sim.bots.whole_deals import LEVELS, bid_levels
from tarot_sim.cards import Hand
from tarot_sim.deals.game import Game
from tarot_sim.estimation.discards import rank_discards
from tarot_sim.rules import NEED, Rules
from tarot_sim.worlds._sampler import sample_worlds
from tarot_sim.worlds.discards import choose_discard

CHOICES: Final = ("double_dummy", "table", "rule")


def play(world: Any, dealer: int, discard: Hand, rules: Rules, bot: str, seed: int) -> list[int]:
    """Return margin and score of a Garde that seat 0 takes with this écart."""
    hands = [Hand(np.flatnonzero(world == seat).tolist()) for seat in range(rules.players)]
    dog = Hand(np.flatnonzero(world == rules.players).tolist())
    game = Game(hands, dog, dealer=dealer, rules=rules)
    while game.phase == "auction":
        game.bid("garde" if game.to_move == 0 else "pass")
    game.discard(discard)
    bots = [make(bot, np.random.default_rng([seed, seat])) for seat in range(rules.players)]
    while game.phase != "over":
        step(game, bots)
    assert game.position is not None
    assert game.score is not None
    result = game.position.result()
    return [int(result.attack_half_points - NEED[result.bouts]), game.score.taker]


def compare(players: int, number: int, worlds: int, bot: str) -> list[list[list[int]]] | None:
    """Return margin and score by choice and world of a dog; None if nobody bids a Garde."""
    rules, rng = Rules(players=players), np.random.default_rng([17, players, number])
    pack = np.repeat(
        np.arange(players + 1, dtype=np.uint8), [rules.hand_size] * players + [rules.dog_size]
    )
    world = rng.permuted(pack)
    bids = bid_levels(world[None], rules)[0]
    seat = int(bids.argmax())
    if bids[seat] < LEVELS["garde"]:
        return None
    hand = Hand(np.flatnonzero(world == seat).tolist())
    dog = Hand(np.flatnonzero(world == players).tolist())
    chosen = {
        "double_dummy": rank_discards(hand, dog, rules=rules, n_jobs=1).best,
        "table": rank_discards(hand, dog, rules=rules, model="table", n_jobs=1).best,
        "rule": choose_discard(hand | dog, rules),
    }
    dealt = sample_worlds(hand, 0, rules, worlds, rng.bit_generator, dog)
    known: dict[Hand, list[list[int]]] = {}
    for discard in chosen.values():
        if discard not in known:
            known[discard] = [
                play(row, place % players, discard, rules, bot, place)
                for place, row in enumerate(dealt)
            ]
    return [known[chosen[name]] for name in CHOICES]


def main() -> None:
    """Print what each choice brings more than each other."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--players", type=int, default=4, choices=(3, 4))
    parser.add_argument("--dogs", type=int, default=60)
    parser.add_argument("--worlds", type=int, default=30)
    parser.add_argument("--bot", default="search")
    parser.add_argument("--jobs", type=int, default=-1)
    given = parser.parse_args()
    found = Parallel(n_jobs=given.jobs)(
        delayed(compare)(given.players, number, given.worlds, given.bot)
        for number in range(given.dogs)
    )
    rows = np.array([row for row in found if row is not None])
    print(f"{len(rows)} dogs, {given.worlds} worlds each")
    for at, name in enumerate(CHOICES):
        made, score = (rows[:, at, :, 0] >= 0).mean(), rows[:, at, :, 1].mean()
        print(f"{name}: made {made:.4f}, score {score:+.1f}")
    for one, two in combinations(range(len(CHOICES)), 2):
        gain = (rows[:, one] - rows[:, two]).mean(axis=1)
        made = ((rows[:, one, :, 0] >= 0) * 1.0 - (rows[:, two, :, 0] >= 0)).mean(axis=1)
        se = len(rows) ** -0.5
        print(
            f"{CHOICES[one]} less {CHOICES[two]}: made {made.mean():+.4f} ± "
            f"{made.std(ddof=1) * se:.4f}, score {gain[:, 1].mean():+.1f} ± "
            f"{gain[:, 1].std(ddof=1) * se:.1f}, half points {gain[:, 0].mean():+.2f} ± "
            f"{gain[:, 0].std(ddof=1) * se:.2f}; the same {(made == 0).mean():.2f}"
        )


if __name__ == "__main__":
    main()
