"""Choose among the habits of several rounds those that do well against all of the others.

Each round of `fit_choices` answers the habits of the round before, and may be weak against older
ones. Here the attack of each round, and the means of two, play the defence of each, on the same
whole deals; the attack is taken whose worst result is best, and the defence likewise.

    python -m benchmarks.calibration.choose_habits --players 4 old.json older.json --write

Files are former states of ``src/tarot_sim/bots/habits.json``, whose present one takes part.
"""

from __future__ import annotations

import argparse
import json
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.calibration.fit_choices import Camps
from benchmarks.calibration.fit_habits import FILE
from tarot_sim.bots.habits import named, weights_of
from tarot_sim.rules import Rules


def main() -> None:
    """Play every attack against every defence, choose, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--players", type=int, default=4, choices=(3, 4, 5))
    parser.add_argument("--deals", type=int, default=20_000)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    known: dict[str, NDArray[np.float32]] = {}
    for file in (*given.files, FILE):
        weights = weights_of(json.loads(file.read_text("utf-8"))["weights"][str(given.players)])
        if not any(np.array_equal(weights, other) for other in known.values()):
            known[f"{len(known)}"] = weights
    means: dict[str, NDArray[np.float32]] = {
        f"{one}+{two}": ((known[one] + known[two]) / 2).astype(np.float32)
        for one, two in combinations(known, 2)
    }
    names = [*known, *means]
    candidates = known | means
    camps = Camps(Rules(players=given.players), given.deals, 11)
    table = np.zeros((len(names), len(names)))
    for row, attack in enumerate(names):
        for column, defence in enumerate(names):
            mixed = candidates[attack].copy()
            mixed[4:] = candidates[defence][4:]
            table[row, column] = camps.soft(mixed).mean()
    print("mean soft score of the attack, half points: attacks in rows, defences in columns")
    print("      " + " ".join(f"{name:>6}" for name in names))
    for name, line in zip(names, table, strict=True):
        print(f"{name:>6}" + " ".join(f"{value:6.2f}" for value in line))
    best, firmest = int(table.min(axis=1).argmax()), int(table.max(axis=0).argmin())
    print(f"attack {names[best]}: {table[best].min():.2f} at worst")
    print(f"defence {names[firmest]}: {table[:, firmest].max():.2f} at worst")
    if given.write:
        chosen = candidates[names[best]].copy()
        chosen[4:] = candidates[names[firmest]][4:]
        document = json.loads(FILE.read_text("utf-8"))
        document["weights"][str(given.players)] = named(chosen)
        FILE.write_text(json.dumps(document, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
