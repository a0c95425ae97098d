"""Many whole deals as arrays, which the native code judges by the thousand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tarot_sim.cards import EXCUSE, PETIT, VINGT_ET_UN, Hand
from tarot_sim.errors import OptionError, PositionError
from tarot_sim.rules import Contract, Rules
from tarot_sim.rules.table import ALL_CONTRACTS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tarot_sim._core import Position

#: The bouts in the order of the bits of `Deals.bouts`.
_BOUTS: Final = (PETIT, VINGT_ET_UN, EXCUSE)
#: In place of a called card, where none is called.
NO_CALL: Final = 255


@dataclass(frozen=True, slots=True)
class Deals:
    """Whole deals ready for the play, as arrays.

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
    """

    rules: Rules
    owners: NDArray[np.uint8]
    attack: NDArray[np.uint8]
    leader: NDArray[np.uint8]
    half_points: NDArray[np.int16]
    bouts: NDArray[np.uint8]
    called: NDArray[np.uint8]
    contract: Contract = "garde"

    def __post_init__(self) -> None:
        rows = self.owners.shape[0]
        size = self.rules.hand_size
        if self.owners.dtype != np.uint8 or self.owners.shape != (rows, 78):
            raise OptionError("owners: expected an array of uint8, shape (n, 78)")
        for field, dtype in (
            ("attack", np.uint8),
            ("leader", np.uint8),
            ("half_points", np.int16),
            ("bouts", np.uint8),
            ("called", np.uint8),
        ):
            array = getattr(self, field)
            if array.dtype != dtype or array.shape != (rows,):
                raise OptionError(
                    f"{field}: expected an array of {dtype.__name__}, shape ({rows},)"
                )
        for seat in range(self.rules.players):
            if rows and not ((self.owners == seat).sum(axis=1) == size).all():
                raise PositionError(f"owners: seat {seat} does not hold {size} cards in every row")
        if rows and int(self.leader.max()) >= self.rules.players:
            raise PositionError(f"leader: seat {self.leader.max()}")
        full = (1 << self.rules.players) - 1
        if rows and not ((self.attack > 0) & (self.attack < full)).all():
            raise PositionError("attack: neither nobody nor everybody")
        if self.contract not in ALL_CONTRACTS:
            raise OptionError(f"contract: {self.contract!r} is none of {', '.join(ALL_CONTRACTS)}")

    def __len__(self) -> int:
        return len(self.owners)

    def __getitem__(self, rows: slice | NDArray[Any]) -> Deals:
        """Return some of the deals."""
        return Deals(
            self.rules,
            np.ascontiguousarray(self.owners[rows]),
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
