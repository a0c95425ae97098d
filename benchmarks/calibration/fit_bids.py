"""Fit the counts from which players of habits bid: where bidding begins to pay.

On random deals each seat bids by the thresholds that are shipped, but for one seat, which once
passes whatever it holds and once bids a contract whatever it holds, if it may. Its mean score
by its count, smoothed, tells from which count on each contract brings more than a pass and
more than the contract below it, by more than a standard error; that is the new threshold, and
it is tried again among players who bid by it.

    python -m benchmarks.calibration.fit_bids --write
"""

from __future__ import annotations

import argparse
import json
from typing import Final

import numpy as np
from numpy.typing import NDArray

from benchmarks.calibration.fit_choices import random_worlds
from benchmarks.calibration.fit_habits import FILE
from tarot_sim.bots.habits import thresholds
from tarot_sim.bots.whole_deals import LEVELS, bid_levels, play_whole_deals
from tarot_sim.rules import DOG_CONTRACTS, Contract, Rules
from tarot_sim.worlds._counts import chavey_counts

CONTRACTS: Final[tuple[Contract, ...]] = ("prise", "garde", "garde_sans", "garde_contre")
#: By count: sums of gains, of their squares, and how many there are.
Curve = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]
#: Counts are smoothed over so many to each side.
WIDTH: Final = 3


def scores(
    rules: Rules, worlds: NDArray[np.uint8], dealers: NDArray[np.int64], levels: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return what every seat scores when all bid these levels; (n, players)."""
    return play_whole_deals(worlds, dealers, rules, levels=levels).scores


def curves(rules: Rules, limits: dict[str, int], n: int, seed: int) -> dict[str, Curve]:
    """Return of each contract the gain over a pass by count."""
    worlds = random_worlds(rules, n, seed)
    dealers = np.arange(len(worlds)) % rules.players
    counts = chavey_counts(worlds, rules.players)
    levels = bid_levels(worlds, rules, limits)
    seat = (np.arange(len(worlds)) // rules.players) % rules.players
    rows = np.arange(len(worlds))
    found: dict[str, Curve] = {}
    passed = levels.copy()
    passed[rows, seat] = 0
    without = scores(rules, worlds, dealers, passed)[rows, seat]
    for contract in CONTRACTS:
        bid = levels.copy()
        bid[rows, seat] = LEVELS[contract]
        gain = scores(rules, worlds, dealers, bid)[rows, seat] - without
        column = counts[rows, seat, 0 if contract in DOG_CONTRACTS else 1].astype(int)
        found[contract] = summed(column, gain)
    return found


def smoothed(curve: Curve) -> NDArray[np.float64]:
    """Return the mean by count, over some to each side, less its standard error."""
    kernel = np.ones(2 * WIDTH + 1)
    sums, squares, number = (np.convolve(column, kernel, "same") for column in curve)
    number = np.maximum(number, 1)
    spread = np.sqrt(np.maximum(squares / number - (sums / number) ** 2, 0) / number)
    mean: NDArray[np.float64] = sums / number - spread
    return mean


def summed(column: NDArray[np.int64], gain: NDArray[np.int64]) -> Curve:
    """Return by count the sum of the gains, that of their squares, and their number."""
    place = np.clip(column, 0, 159)
    return (
        np.bincount(place, gain.astype(float), 160).astype(float),
        np.bincount(place, gain.astype(float) ** 2, 160).astype(float),
        np.bincount(place, minlength=160).astype(float),
    )


def crossing(gain: NDArray[np.float64], number: NDArray[np.float64]) -> int:
    """Return the lowest count from which the gain stays above 0, where counts are common."""
    common = np.flatnonzero(np.convolve(number, np.ones(2 * WIDTH + 1), "same") >= 200)
    below = [count for count in common.tolist() if gain[count] <= 0]
    return (max(below) if below else int(common[0]) - 1) + 1


def fit(rules: Rules, limits: dict[str, int], n: int, seed: int) -> dict[str, int]:
    """Return better thresholds."""
    found = curves(rules, limits, n, seed)
    means = {name: smoothed(curve) for name, curve in found.items()}
    numbers = {name: number for name, (_, _, number) in found.items()}
    new = {
        "prise": crossing(means["prise"], numbers["prise"]),
        "garde": crossing(
            np.minimum(means["garde"] - means["prise"], means["garde"]), numbers["garde"]
        ),
    }
    new["prise"] = min(new["prise"], new["garde"])
    # The counts of the contracts without the dog are others, so they are held against the
    # Garde of the same deals on the average.
    for contract, lower in (("garde_sans", "garde"), ("garde_contre", "garde_sans")):
        new[contract] = max(
            crossing(gain_over(rules, limits, contract, lower, n, seed), numbers[contract]),
            new[lower],
        )
    return new


def gain_over(
    rules: Rules, limits: dict[str, int], contract: str, lower: str, n: int, seed: int
) -> NDArray[np.float64]:
    """Return the gain of a contract over a lower one, by the count without the dog."""
    worlds = random_worlds(rules, n, seed)
    dealers = np.arange(len(worlds)) % rules.players
    counts = chavey_counts(worlds, rules.players)
    levels = bid_levels(worlds, rules, limits)
    rows = np.arange(len(worlds))
    seat = (rows // rules.players) % rules.players
    found = []
    for name in (contract, lower):
        bid = levels.copy()
        bid[rows, seat] = LEVELS[name]
        found.append(scores(rules, worlds, dealers, bid)[rows, seat])
    return smoothed(summed(counts[rows, seat, 1].astype(int), found[0] - found[1]))


def main() -> None:
    """Fit each table, try the thresholds, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--players", type=int, action="append", choices=(3, 4, 5))
    parser.add_argument("--deals", type=int, default=200_000)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    document = json.loads(FILE.read_text("utf-8"))
    for players in given.players or (3, 4, 5):
        rules = Rules(players=players)
        old = dict(thresholds(rules))
        new = old
        for number in range(given.rounds):
            new = fit(rules, new, given.deals, number)
        worlds = random_worlds(rules, given.deals, 77)
        dealers = np.arange(len(worlds)) % players
        rows = np.arange(len(worlds))
        seat = (rows // players) % players
        among = bid_levels(worlds, rules, old)
        before = scores(rules, worlds, dealers, among)[rows, seat]
        among[rows, seat] = bid_levels(worlds, rules, new)[rows, seat]
        gain = scores(rules, worlds, dealers, among)[rows, seat] - before
        mean, se = gain.mean(), gain.std() / len(gain) ** 0.5
        print(f"{players} players: {old} -> {new}: {mean:+.2f} ± {se:.2f} points a deal and seat")
        if mean > 2 * se:
            document["bids"][str(players)] = new
    if given.write:
        FILE.write_text(json.dumps(document, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
