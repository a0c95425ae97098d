"""Fit the weights of players of habits, by climbing in self-play.

The strongest of the dealt hands takes a Garde; everybody plays by the same weights, each seeing
the own cards. A few weights of one block are changed at random; the change stays if the camp
whose block it is does better on the same deals, by more than chance. So each camp gets better
against the other's best. What is climbed on is the soft score of the attack.

    python -m benchmarks.calibration.fit_habits --players 4 --seconds 420 --write

goes on from the weights that are shipped (``--fresh``: from weights of common sense), prints
the gain of each role over where it began, on deals that it was not fitted on, and writes
``src/tarot_sim/bots/habits.json``. How many changes are tried depends on the machine's speed, so
a fit is not repeated to the last digit.
"""

from __future__ import annotations

import argparse
import datetime
import json
import time
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

import tarot_sim
from tarot_sim.bots._playing import play_deals
from tarot_sim.bots.habits import LEAD_TRAITS, PLAY_TRAITS, ROLES, habits, named, weights_of
from tarot_sim.bots.whole_deals import habit_calls
from tarot_sim.cards import CARDS
from tarot_sim.rules import NEED, Rules
from tarot_sim.worlds._counts import chavey_counts
from tarot_sim.worlds.batch import Deals
from tarot_sim.worlds.contract_deals import contract_deals

FILE: Final = Path(tarot_sim.__file__).parent / "bots" / "habits.json"
POOLS, DEALS, TEST_DEALS = 8, 6000, 8000
_NEEDS: Final = np.array(NEED)

#: Where a fit begins: roughly what players say.
SENSE: Final[dict[str, dict[str, float]]] = {
    "lead": {
        "won_points": 1, "lost_points": -1, "wins": 1, "master": 1, "length": 0.5, "out": 0.2,
        "singleton": 0.5, "friend_ruffs": 2, "foe_ruffs": -2, "friends_suit": 1,
        "foes_suit": -0.5, "honour": -2, "under_roi": -0.5, "rank": -0.3, "trump_rank": -1,
        "trump_master": 0.5, "petit": -8, "21": -4, "excuse": -6, "excuse_late": 14,
    },
    "play": {
        "won_points": 1, "lost_points": -1, "won_table": 1, "wins": 0.5, "master": -1.5,
        "rank": -0.3, "trump_rank": -1.2, "ruff": -0.5, "trump_master": -1, "petit": -1.5,
        "petit_wins": 5, "overtakes_friend": -1, "voids": 1, "length": -0.5, "bares_roi": -2,
        "discards_master": -3, "excuse": -2, "excuse_table": -1, "excuse_early": -1,
        "excuse_last": 20, "21": -3,
    },
}  # fmt: skip
#: What the camps differ in.
ATTACK: Final = {"trump": -1, "trump_surplus": 0.8, "trump_hunts": 2, "called_suit": 1.5}
DEFENCE: Final = {
    "trump": -6, "trump_surplus": 0.1, "trump_hunts": 0.5, "called_suit": -1, "taker_ruffs": 2,
}  # fmt: skip


def sense() -> NDArray[np.float32]:
    """Return the weights of common sense."""
    table: dict[str, Any] = {}
    for role in ROLES:
        lead = SENSE["lead"] | (DEFENCE if role == "defender" else ATTACK)
        table[role] = {
            "lead": {trait: lead.get(trait, 0) for trait in LEAD_TRAITS},
            "play": {trait: SENSE["play"].get(trait, 0) for trait in PLAY_TRAITS},
        }
    return weights_of(table)


def make_deals(rules: Rules, n: int, seed: int) -> Deals:
    """Return deals that the hand with the highest count takes in a Garde, as seat 0."""
    rng = np.random.default_rng(seed)
    players = rules.players
    pack = np.repeat(
        np.arange(players + 1, dtype=np.uint8), [rules.hand_size] * players + [rules.dog_size]
    )
    owners = rng.permuted(np.tile(pack, (n, 1)), axis=1)
    taker = chavey_counts(owners, players)[:, :, 0].argmax(axis=1)
    turned = (owners + players - taker[:, None].astype(np.uint8)) % players
    owners = np.where(owners < players, turned, owners).astype(np.uint8)
    leaders = rng.integers(0, players, n).astype(np.uint8)
    called = habit_calls(owners, np.zeros(n, np.int64)) if players == 5 else np.full(n, -1)
    parts = []
    for card in np.unique(called).tolist():
        rows = np.flatnonzero(called == card)
        call = None if card < 0 else CARDS[card]
        parts.append(contract_deals(owners[rows], rules, "garde", leaders[rows], called=call))
    fields = ("owners", "attack", "leader", "half_points", "bouts", "called")
    arrays: list[Any] = [np.concatenate([getattr(p, name) for p in parts]) for name in fields]
    return Deals(rules, *arrays)


def soft(deals: Deals, weights: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return the soft score of the attack, in half points, when all play by the weights."""
    seats = np.repeat(weights[None], deals.rules.players, axis=0)
    results, _ = play_deals(deals, np.zeros(len(deals), np.uint8), seats)
    margin = results["attack_half_points"].astype(float) - _NEEDS[results["bouts"]]
    found: NDArray[np.float64] = margin + 100 / (1 + np.exp(-margin / 15))
    return found + 20.0 * results["petit_au_bout"]


def climb(
    rules: Rules, start: NDArray[np.float32], seconds: float, seed: int
) -> NDArray[np.float32]:
    """Return better weights."""
    rng = np.random.default_rng(seed)
    pools = [make_deals(rules, DEALS, 100 + number) for number in range(POOLS)]
    widths = (len(LEAD_TRAITS), len(PLAY_TRAITS))
    scale = np.maximum(np.abs(sense()), 0.5)
    blocks = [0, 1, 4, 5] + ([2, 3] if rules.players == 5 else [])
    step = dict.fromkeys(blocks, 0.5)
    weights, known = start.copy(), {}
    started, tries = time.monotonic(), 0
    while time.monotonic() - started < seconds:
        tries += 1
        pool, block = tries % POOLS, blocks[tries % len(blocks)]
        some = rng.choice(widths[block % 2], rng.integers(1, 5), replace=False)
        changed = weights.copy()
        changed[block, some] += (
            rng.standard_normal(len(some)) * scale[block, some] * step[block]
        ).astype(np.float32)
        if pool not in known:
            known[pool] = soft(pools[pool], weights)
        gain = (soft(pools[pool], changed) - known[pool]) * (1 if block < 4 else -1)
        if gain.mean() > max(1.2 * gain.std() / len(gain) ** 0.5, 0.02):
            weights, known = changed, {}
            step[block] = min(1.0, step[block] * 1.15)
        else:
            step[block] = max(0.15, step[block] * 0.985)
    print(f"{rules.players} players: {tries} changes tried")
    return weights


def report(rules: Rules, start: NDArray[np.float32], end: NDArray[np.float32]) -> None:
    """Print what each role gains on fresh deals, the others playing by the new weights."""
    deals = make_deals(rules, TEST_DEALS, 7)
    now = soft(deals, end)
    for number, role in enumerate(ROLES):
        old = end.copy()
        old[2 * number : 2 * number + 2] = start[2 * number : 2 * number + 2]
        gain = (now - soft(deals, old)) * (-1 if role == "defender" else 1)
        se = gain.std(ddof=1) / len(gain) ** 0.5
        print(f"  {role}: {gain.mean():+.2f} ± {se:.2f} half points of soft score")


def main() -> None:
    """Fit the tables that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, nargs="+", default=[3, 4, 5])
    parser.add_argument("--seconds", type=float, default=420)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fresh", action="store_true")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    document = json.loads(FILE.read_text("utf-8"))
    for players in arguments.players:
        rules = Rules(players=players)
        start = sense() if arguments.fresh else habits(rules).copy()
        end = climb(rules, start, arguments.seconds, arguments.seed)
        report(rules, start, end)
        document["weights"][str(players)] = named(end)
        if arguments.write:
            document["made_by"]["date"] = datetime.date.today().isoformat()
            FILE.write_text(json.dumps(document, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
