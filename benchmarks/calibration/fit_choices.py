"""Fit the weights of players of habits to what a search finds: policy iteration.

Whole deals are played by habits, some cards at random so that odd positions come up. In each
position the search values every card over worlds that the mover's view allows, and what habits
see in each card is noted. Then weights are sought with which the card that habits choose is
worth most, by those values; of several fits the one stays that brings its camp most on whole
deals. Last, one seat plays them among the weights that they began with, on other deals.

    python -m benchmarks.calibration.fit_choices --players 4 --deals 4000 --write

goes on from the weights that are shipped and writes ``src/tarot_sim/bots/habits.json`` if they
win by more than two standard errors for the seats that the new weights are for.
"""

from __future__ import annotations

import argparse
import datetime
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray

from benchmarks.calibration.fit_habits import FILE
from benchmarks.players import bid_out
from tarot_sim.bots._rollouts import habit_card, habit_traits
from tarot_sim.bots.habits import habits, named
from tarot_sim.bots.search_bot import SearchBot
from tarot_sim.bots.whole_deals import play_whole_deals
from tarot_sim.cards import CARDS
from tarot_sim.deals.deal import Deal
from tarot_sim.deals.view import View
from tarot_sim.rules import NEED, Rules

Floats = NDArray[np.float64]

#: Cards at random, of those that are played.
RANDOM: Final = 0.1
BLOCKS, WIDTH = 6, 48
#: Cards of a decision at most.
MOST: Final = 24
#: Decisions of a step of a fit.
BATCH: Final = 1024
#: Fits that are tried for each block: (heat, first step).
VARIANTS: Final = ((0.5, 0.02), (0.5, 0.05), (2.0, 0.02), (1.0, 0.05))
_NEEDS: Final = np.array(NEED)


@dataclass(frozen=True, slots=True)
class Decisions:
    """Decisions: which block of weights is asked, traits (n, 24, 48), values (n, 24).

    A value is the mean soft score of the mover's camp, in half points, less the decision's
    highest; −inf where there is no card.
    """

    block: NDArray[np.int64]
    traits: NDArray[np.float32]
    values: Floats

    def __getitem__(self, rows: Any) -> Decisions:
        return Decisions(self.block[rows], self.traits[rows], self.values[rows])


def observe(players: int, seeds: range, worlds: int) -> list[tuple[int, Any, Any]]:
    """Play deals and value the cards of every decision; (block, traits, values) of each."""
    rules = Rules(players=players)
    weights = habits(rules)
    rows = []
    for seed in seeds:
        rng = np.random.default_rng(seed)
        bot = SearchBot(rng, worlds=worlds)
        game = bid_out(Deal.random(rules=rules, rng=rng), rules)
        while game.phase == "play":
            assert game.to_move is not None
            view = View.of(game, game.to_move)
            chosen, values = habit_card(view, weights)
            if len(values) > 1:
                cards, worth = bot.card_values(view, weights)
                known, block, traits = habit_traits(view)
                assert cards == known
                rows.append((block, traits, worth))
                if rng.random() < RANDOM:
                    chosen = int(rng.choice(cards))
            game.play(CARDS[chosen])
    return rows


def gather(players: int, deals: int, worlds: int, jobs: int, seed: int) -> Decisions:
    """Return the decisions of so many deals."""
    chunks = [range(seed + first, seed + min(first + 25, deals)) for first in range(0, deals, 25)]
    parts = Parallel(n_jobs=jobs)(delayed(observe)(players, chunk, worlds) for chunk in chunks)
    rows = [row for part in parts for row in part]
    block = np.array([row[0] for row in rows])
    traits = np.zeros((len(rows), MOST, WIDTH), np.float32)
    values = np.full((len(rows), MOST), -np.inf)
    for place, (_, some, worth) in enumerate(rows):
        traits[place, : len(some)] = some
        values[place, : len(worth)] = worth - worth.max()
    return Decisions(block, traits, values)


def regret(decisions: Decisions, weights: NDArray[np.float32]) -> Floats:
    """Return what the choice of the weights is worth less than the best, a decision each."""
    there = np.isfinite(decisions.values)
    given = np.einsum("nkt,nt->nk", decisions.traits, weights[decisions.block])
    chosen = np.where(there, given, -np.inf).argmax(axis=1)
    lost: Floats = -decisions.values[np.arange(len(chosen)), chosen]
    return lost


def fit_block(train: Decisions, start: Floats, steps: int, heat: float, rate: float) -> Floats:
    """Return weights of a block whose soft choice is worth most; Adam on random batches.

    The odds of a card grow with its value by the weights, over `heat` half points e-fold; `rate`
    is the first step, in half points for each standard deviation of a trait. The mean of the
    second half of the steps is returned.
    """
    rng = np.random.default_rng(1)
    most = int(np.isfinite(train.values).sum(axis=1).max())
    there = np.isfinite(train.values[:, :most])
    values = np.where(there, train.values[:, :most], 0).astype(np.float32)
    # In units in which each trait spreads by 1 within decisions.
    traits = train.traits[:, :most]
    means = (traits * there[:, :, None]).sum(1, keepdims=True) / there.sum(1)[:, None, None]
    centred = np.where(there[:, :, None], traits - means, 0)
    scale = np.sqrt((centred.astype(np.float64) ** 2).sum((0, 1)) / there.sum())
    used = scale > 1e-6
    scale = np.where(used, scale, 1)
    scaled = (centred / scale).astype(np.float32)
    weights = start * scale
    first, second, average = np.zeros(WIDTH), np.zeros(WIDTH), np.zeros(WIDTH)
    for step in range(1, steps + 1):
        rows = rng.integers(0, len(values), BATCH)
        part = scaled[rows]
        given = np.where(there[rows], part @ weights.astype(np.float32), -np.inf) / heat
        odds = np.exp(given - given.max(axis=1, keepdims=True))
        odds /= odds.sum(axis=1, keepdims=True)
        worth = (odds * values[rows]).sum(axis=1, keepdims=True)
        gradient = np.einsum("nk,nkt->t", odds * (values[rows] - worth), part) / BATCH / heat
        first = 0.9 * first + 0.1 * gradient
        second = 0.999 * second + 0.001 * gradient**2
        size = rate * min(1.0, 2 * (1 - step / (steps + 1)))
        move = first / (1 - 0.9**step) / (np.sqrt(second / (1 - 0.999**step)) + 1e-9)
        weights = np.where(used, weights + size * move, weights)
        if step > steps // 2:
            average += weights
    return average / (steps - steps // 2) / scale


class Camps:
    """What a camp gains on whole deals by other weights; the bids stay as they are."""

    def __init__(self, rules: Rules, n: int, seed: int) -> None:
        self.rules = rules
        self.worlds = random_worlds(rules, n, seed)
        self.dealers = np.arange(len(self.worlds)) % rules.players

    def soft(self, weights: NDArray[np.float32]) -> Floats:
        """Return the attack's soft score of each deal that is taken, in half points."""
        seats = np.repeat(weights[None], self.rules.players, axis=0)
        deals = play_whole_deals(self.worlds, self.dealers, self.rules, weights=seats)
        results = deals.taken.results[deals.taker >= 0]
        margin = results["attack_half_points"].astype(float) - _NEEDS[results["bouts"]]
        found: Floats = margin + 100 / (1 + np.exp(-margin / 15)) + 20.0 * results["petit_au_bout"]
        return found


def choose(
    camps: Camps, old: NDArray[np.float32], variants: dict[int, list[Floats]]
) -> NDArray[np.float32]:
    """Take the variant of each block that brings its camp most, if any beyond chance."""
    weights = old.copy()
    for block, tried in variants.items():
        known = camps.soft(weights)
        best, most = None, 0.0
        for fitted in tried:
            for part in (0.5, 1.0):
                changed = weights.copy()
                changed[block] += part * (fitted - old[block]).astype(np.float32)
                gain = (camps.soft(changed) - known) * (1 if block < 4 else -1)
                mean, se = gain.mean(), gain.std() / len(gain) ** 0.5
                if mean > max(2 * se, most):
                    best, most = changed, mean
        print(f"block {block}: its camp gains {most:.2f} half points of soft score")
        weights = weights if best is None else best
    return weights


def random_worlds(rules: Rules, n: int, seed: int) -> NDArray[np.uint8]:
    """Return hands at random without a Petit sec."""
    sizes = [rules.hand_size] * rules.players + [rules.dog_size]
    pack = np.repeat(np.arange(rules.players + 1, dtype=np.uint8), sizes)
    worlds = np.random.default_rng(seed).permuted(np.tile(pack, (n, 1)), axis=1)
    petit = worlds[:, 56]
    alone = (worlds[:, 57:78] == petit[:, None]).sum(axis=1) == 0
    kept: NDArray[np.uint8] = worlds[~(alone & (petit < rules.players))]
    return kept


def gains(
    rules: Rules, new: NDArray[np.float32], old: NDArray[np.float32], n: int, seed: int
) -> dict[str, tuple[float, float]]:
    """Return what one seat gains by the new weights among the old, points a deal, by role."""
    worlds = random_worlds(rules, n, seed)
    dealers = np.arange(len(worlds)) % rules.players
    before = play_whole_deals(
        worlds, dealers, rules, weights=np.repeat(old[None], rules.players, axis=0)
    )
    gained = np.zeros((len(worlds), rules.players))
    for seat in range(rules.players):
        weights = np.repeat(old[None], rules.players, axis=0)
        weights[seat] = new
        after = play_whole_deals(worlds, dealers, rules, weights=weights)
        gained[:, seat] = after.scores[:, seat] - before.scores[:, seat]
    everywhere = np.repeat(np.arange(rules.players)[None], len(worlds), axis=0)
    taken = before.taker[:, None] >= 0
    taking = everywhere == before.taker[:, None]
    attack = before.taken.attack[:, None] >> everywhere & 1 == 1
    roles = {
        "all": np.ones_like(taking),
        "taker": taken & taking,
        "partner": taken & attack & ~taking,
        "defender": taken & ~attack,
    }
    found = {}
    for role, mask in roles.items():
        if mask.any():
            counts = mask.sum(axis=1)
            sums = (gained * mask).sum(axis=1)[counts > 0] / counts[counts > 0]
            found[role] = (float(sums.mean()), float(sums.std() / len(sums) ** 0.5))
    return found


def main() -> None:
    """Gather, fit, compare, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--players", type=int, default=4, choices=(3, 4, 5))
    parser.add_argument("--deals", type=int, default=4000)
    parser.add_argument("--worlds", type=int, default=40)
    parser.add_argument("--steps", type=int, default=1500)
    parser.add_argument("--jobs", type=int, default=-1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="file for the decisions, read if it is there")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    rules = Rules(players=given.players)
    old = habits(rules).copy()
    if given.keep and given.keep.exists():
        stored = np.load(given.keep)
        decisions = Decisions(stored["block"], stored["traits"], stored["values"])
    else:
        decisions = gather(
            given.players, given.deals, given.worlds, given.jobs, 1_000_000 * given.seed
        )
        if given.keep:
            np.savez(
                given.keep,
                block=decisions.block,
                traits=decisions.traits,
                values=decisions.values,
            )
    n = len(decisions.block)
    held_out = np.arange(n) >= n * 9 // 10  # whole deals at the end
    variants: dict[int, list[Floats]] = {}
    for block in range(BLOCKS):
        rows = decisions.block == block
        if rows.sum() < 1000:
            continue
        train, test = decisions[rows & ~held_out], decisions[rows & held_out]
        before = regret(test, old)
        for heat, rate in VARIANTS:
            fitted = fit_block(train, old[block].astype(np.float64), given.steps, heat, rate)
            new = old.copy()
            new[block] = fitted.astype(np.float32)
            gain = before - regret(test, new)
            print(
                f"block {block}, heat {heat}: {rows.sum()} decisions, regret {before.mean():.3f} "
                f"half points, gain {gain.mean():.3f} ± {gain.std() / len(gain) ** 0.5:.3f}"
            )
            variants.setdefault(block, []).append(fitted)
    new = choose(Camps(rules, 100_000, 7), old, variants)
    found = gains(rules, new, old, 100_000, 99)
    for role, (mean, se) in found.items():
        print(f"{given.players} players, {role}: {mean:+.2f} ± {se:.2f} points a deal")
    if given.write and found["all"][0] > 2 * found["all"][1]:
        document = json.loads(FILE.read_text("utf-8"))
        document["weights"][str(given.players)] = named(new)
        document["made_by"]["date"] = datetime.date.today().isoformat()
        FILE.write_text(json.dumps(document, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
