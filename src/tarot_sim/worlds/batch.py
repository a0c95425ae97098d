"""Many whole deals as arrays, which the native code judges by the thousand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tarot_sim.arguments import frozen_array, integer, one_of, own_array
from tarot_sim.cards import EXCUSE, HALF_POINTS, PACK, PETIT, VINGT_ET_UN, Hand
from tarot_sim.errors import OptionError, PositionError
from tarot_sim.rules import Contract, Rules, checked_rules
from tarot_sim.rules.table import ALL_CONTRACTS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tarot_sim._core import Position

#: The bouts in the order of the bits of `Deals.bouts`.
_BOUTS: Final = [PETIT, VINGT_ET_UN, EXCUSE]
_HALF_POINTS: Final = np.array(HALF_POINTS, np.int16)
#: The columns of `Deals` beside the owners, and their types.
_COLUMNS: Final[dict[str, type]] = {
    "attack": np.uint8,
    "leader": np.uint8,
    "half_points": np.int16,
    "bouts": np.uint8,
    "called": np.uint8,
}
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

    def __post_init__(self) -> None:
        rules = checked_rules(self.rules)
        owners = own_array("owners", self.owners, np.uint8, (None, PACK))
        rows = (len(owners),)
        columns = {
            name: own_array(name, getattr(self, name), dtype, rows)
            for name, dtype in _COLUMNS.items()
        }
        one_of("contract", self.contract, ALL_CONTRACTS)
        if rows != (0,):
            _check_rows(rules, owners, columns)
        # Nobody can write to what the native code has been promised.
        object.__setattr__(self, "rules", rules)
        for name, column in ({"owners": owners} | columns).items():
            object.__setattr__(self, name, frozen_array(column))

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


def _check_rows(rules: Rules, owners: NDArray[np.uint8], columns: dict[str, NDArray[Any]]) -> None:
    """Raise unless the play of every deal can begin."""
    players, size = rules.players, rules.hand_size
    if int(owners.max()) > players:
        raise PositionError(f"owners: {owners.max()} is no place at {players} players")
    for seat in range(players):
        if not ((owners == seat).sum(axis=1) == size).all():
            raise PositionError(f"owners: seat {seat} does not hold {size} cards in every row")
    if int(columns["leader"].max()) >= players:
        raise PositionError(f"leader: seat {columns['leader'].max()}")
    attack = columns["attack"]
    if not ((attack > 0) & (attack < (1 << players) - 1)).all():
        raise PositionError("attack: neither nobody nor everybody")
    # All that is not played may be the attack's, and no bout that is played.
    aside = owners == players
    half_points, most = columns["half_points"], (aside * _HALF_POINTS).sum(axis=1)
    if not ((half_points >= 0) & (half_points <= most)).all():
        raise PositionError("half_points: not those of cards that are not played, in every row")
    outside = (aside[:, _BOUTS] << np.arange(len(_BOUTS))).sum(axis=1)
    if (columns["bouts"] & ~outside).any():
        raise PositionError("bouts: not of cards that are not played, in every row")
    called = columns["called"]
    if not ((called == NO_CALL) | (called < PETIT) & (players == 5)).all():
        raise PositionError("called: not a card of a suit, called at 5 players, in every row")
