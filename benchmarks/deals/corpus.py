"""Positions with stored answers: one JSON object a line, each enough by itself.

What a file's name means, how its positions were made and what the keys are is told in
README.md beside this file.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from tarot_sim._core import Position
from tarot_sim.cards import Hand
from tarot_sim.rules import TARGETS, TOTAL_HALF_POINTS, Rules
from tarot_sim.solver._solver import Objective

FOLDER: Final = Path(__file__).parent
NEED: Final = tuple(2 * target for target in TARGETS)
MARGIN: Final = Objective(NEED)
#: Bounds that every margin keeps, in half points.
WIDEST: Final = (-NEED[0], TOTAL_HALF_POINTS - NEED[3])


class Contradiction(Exception):
    """A search and a stored answer cannot both be right."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A position and what is proved of its double-dummy margin.

    Attributes
    ----------
    name
        Kind, players, cards a hand, number.
    position
        The start of a trick, under the default rules and no call.
    bounds
        Sound bounds of the margin, in half points; equal when it is known.
    nodes
        Positions that the last search for made or not has visited, from an empty table;
        it tells the hard ones and is no answer.
    """

    name: str
    position: Position
    bounds: tuple[int, int] = WIDEST
    nodes: int = 0

    @property
    def margin(self) -> int | None:
        """The margin in half points, None where it is open."""
        return self.bounds[0] if self.bounds[0] == self.bounds[1] else None

    @property
    def make(self) -> bool | None:
        """Whether the contract is made, None where that is open."""
        return True if self.bounds[0] >= 0 else False if self.bounds[1] < 0 else None

    def narrowed(self, low: int, high: int) -> Stored:
        """Return the same with what a search has proved; nothing stored is lost.

        Raises
        ------
        Contradiction
            If no margin keeps both the stored bounds and the new ones.
        """
        both = max(low, self.bounds[0]), min(high, self.bounds[1])
        if both[0] > both[1]:
            raise Contradiction(
                f"{self.name}: stored {self.bounds}, searched {(low, high)}, in half points"
            )
        return replace(self, bounds=both)

    def to_dict(self) -> dict[str, Any]:
        """Return the line's object; what is open is left out."""
        position = self.position
        line: dict[str, Any] = {
            "name": self.name,
            "hands": [str(hand) for hand in position.hands],
            "attack": list(position.attack),
            "leader": position.leader,
            "attack_half_points": position.attack_half_points,
            "attack_bouts": str(position.attack_bouts),
            "won": list(position.won),
        }
        if self.make is not None:
            line["make"] = self.make
        if self.margin is not None:
            line["margin"] = self.margin
        elif self.bounds != WIDEST:
            line["bounds"] = list(self.bounds)
        if self.nodes:
            line["nodes"] = self.nodes
        return line

    @classmethod
    def from_dict(cls, line: dict[str, Any]) -> Stored:
        """Rebuild a position; a line whose answers contradict each other is an error."""
        position = Position(
            [Hand(hand) for hand in line["hands"]],
            attack=line["attack"],
            leader=line["leader"],
            rules=Rules(players=len(line["hands"])),
            attack_half_points=line["attack_half_points"],
            attack_bouts=Hand(line["attack_bouts"]),
            won=tuple(line["won"]),
        )
        low, high = line.get("bounds", WIDEST)
        if "margin" in line:
            low = high = line["margin"]
        stored = cls(line["name"], position, (low, high), line.get("nodes", 0))
        if stored.make is not line.get("make") or low > high:
            raise Contradiction(f"{stored.name}: the line's own answers contradict each other")
        return stored


def names() -> list[str]:
    """Return the names of the corpora that are there."""
    return sorted(path.stem for path in FOLDER.glob("*.jsonl"))


def load(name: str, folder: Path = FOLDER) -> list[Stored]:
    """Read a corpus."""
    text = (folder / f"{name}.jsonl").read_text(encoding="utf-8")
    return [Stored.from_dict(json.loads(line)) for line in text.splitlines()]


def save(name: str, corpus: list[Stored], folder: Path = FOLDER) -> None:
    """Write a corpus whole, so that an interruption leaves the old file or the new one."""
    lines = [json.dumps(stored.to_dict(), ensure_ascii=False) for stored in corpus]
    scratch = folder / f"{name}.jsonl.new"
    scratch.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    scratch.replace(folder / f"{name}.jsonl")
