"""Many whole deals as arrays, which the native code judges by the thousand."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tarot_sim.arguments import integer, one_of
from tarot_sim.cards import EXCUSE, PACK, PETIT, VINGT_ET_UN, Hand
from tarot_sim.errors import OptionError
from tarot_sim.rules import Contract, Rules, checked_rules
from tarot_sim.rules.table import ALL_CONTRACTS
from tarot_sim.worlds._block import pack_deals

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tarot_sim._core import Position

#: The bouts in the order of the bits of `Deals.bouts`.
_BOUTS: Final = (PETIT, VINGT_ET_UN, EXCUSE)
#: In place of a called card, where none is called.
NO_CALL: Final = 255


@dataclass(frozen=True, slots=True)
class Deals:
    """Whole deals ready for the play, as arrays of its own that nobody can write to.

    Attributes
    ----------
    rules
        The table.
    owners
        uint8 (n, 78): the seat that holds each card, or the number of players for a
        card that is not played (the dog or the écart).
    attack
        uint8 (n,): the attack's seats, a bit each.
    leader
        uint8 (n,): who leads the first trick.
    half_points
        int16 (n,): what the attack has before the first trick.
    bouts
        uint8 (n,): bouts of the attack that are not played: 1 Petit, 2 the 21, 4 Excuse.
    called
        uint8 (n,): the called card, whose suit may not be led to the first trick, or 255.
    contract
        What all of them are played at: a Garde unless given. It tells what the cards that are
        not played are, the taker's écart or a dog; the searches do not ask.

    Raises
    ------
    OptionError
        If an array is of another type or shape.
    PositionError
        If a row is no deal.
    """

    rules: Rules
    owners: NDArray[np.uint8]
    attack: NDArray[np.uint8]
    leader: NDArray[np.uint8]
    half_points: NDArray[np.int16]
    bouts: NDArray[np.uint8]
    called: NDArray[np.uint8]
    contract: Contract = "garde"

    #: All columns in one piece of memory: what native code reads, and what the arrays look into.
    _block: bytes = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        rules = checked_rules(self.rules)
        one_of("contract", self.contract, ALL_CONTRACTS)
        block = pack_deals(
            self.owners, self.attack, self.leader, self.half_points, self.bouts, self.called,
            rules.players, rules.hand_size,
        )  # fmt: skip
        rows = len(block) // (PACK + 6)
        owners = np.frombuffer(block, np.uint8, PACK * rows).reshape(rows, PACK)
        columns = {
            name: np.frombuffer(block, np.uint8, rows, (PACK + 2 + place) * rows)
            for place, name in enumerate(("attack", "leader", "bouts", "called"))
        }
        points = np.frombuffer(block, np.int16, rows, PACK * rows)
        for name, value in (
            ("rules", rules), ("_block", block), ("owners", owners), ("half_points", points),
            *columns.items(),
        ):  # fmt: skip
            object.__setattr__(self, name, value)

    def __reduce__(self) -> tuple[object, ...]:
        names = (column.name for column in fields(self) if column.init)
        return Deals, tuple(getattr(self, name) for name in names)

    def __len__(self) -> int:
        return len(self.owners)

    def __getitem__(self, rows: slice | NDArray[Any]) -> Deals:
        """Return some of the deals."""
        if isinstance(rows, (int, np.integer)):
            raise OptionError("rows: one deal alone is no batch, ask `position` for it")
        return Deals(
            self.rules,
            self.owners[rows],
            self.attack[rows],
            self.leader[rows],
            self.half_points[rows],
            self.bouts[rows],
            self.called[rows],
            self.contract,
        )

    def position(self, row: int) -> Position:
        """Return the start of the play of one deal."""
        from tarot_sim._core import Position

        row = range(len(self))[integer("row", row)]
        seats = range(self.rules.players)
        attack, called = int(self.attack[row]), int(self.called[row])
        return Position(
            [Hand(np.flatnonzero(self.owners[row] == seat).tolist()) for seat in seats],
            attack=[seat for seat in seats if attack >> seat & 1],
            leader=int(self.leader[row]),
            rules=self.rules,
            called=None if called == NO_CALL else called,
            attack_half_points=int(self.half_points[row]),
            attack_bouts=Hand(
                [bout for bit, bout in enumerate(_BOUTS) if self.bouts[row] >> bit & 1]
            ),
        )
