"""From a world to the deal that is played: the dog, the écart, the camps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from tarot_sim.cards import EXCUSE, HALF_POINTS, PETIT, VINGT_ET_UN, Card, Hand
from tarot_sim.rules import DOG_CONTRACTS
from tarot_sim.worlds._discard import take_dogs
from tarot_sim.worlds.batch import NO_CALL, Deals
from tarot_sim.worlds.discards import RULE

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from tarot_sim.rules import Contract, Rules

#: The seat of the player whose hand is asked about.
TAKER: Final = 0

#: The weights of the rule.
_RULE: Final = RULE.array
#: Rows that are looked at in one step, some 20 ms.
_ROWS: Final = 1 << 16
_HALF_POINTS: Final = np.array(HALF_POINTS, np.int16)


def dogs(worlds: NDArray[np.uint8], rules: Rules) -> list[Hand]:
    """Return the dog of each world."""
    rows, cards = np.nonzero(worlds == rules.players)
    found = cards.reshape(len(worlds), rules.dog_size)
    assert rows.size == found.size
    return [Hand(dog) for dog in found.tolist()]


def attack_of(
    worlds: NDArray[np.uint8], rules: Rules, taker: int, called: Card | None
) -> NDArray[np.uint8]:
    """Return the attack's seats in each world, a bit each.

    Parameters
    ----------
    worlds
        uint8 (n, 78).
    rules
        The table.
    taker
        The taker's seat.
    called
        Five players: the called card; who holds it is in the attack.

    Returns
    -------
    numpy.ndarray
        uint8 (n,).
    """
    attack = np.full(len(worlds), 1 << taker, np.uint8)
    if called is not None:
        holder = worlds[:, called]
        partner = holder < rules.players
        attack[partner] |= (1 << holder[partner].astype(np.uint16)).astype(np.uint8)
    return attack


def _discarded(
    worlds: NDArray[np.uint8], rules: Rules, taker: int, discard: Callable[[Hand], Hand]
) -> tuple[NDArray[np.uint8], NDArray[np.int16]]:
    """Return the worlds after the écart that a function chooses, and its half points."""
    owners = worlds.copy()
    half_points = np.zeros(len(worlds), np.int16)
    full = np.nonzero((worlds == taker) | (worlds == rules.players))[1]
    both = full.reshape(len(worlds), rules.hand_size + rules.dog_size)
    # The same cards, the same écart: one call for all worlds of a dog that is seen.
    rows_of: dict[tuple[int, ...], list[int]] = {}
    for row, cards in enumerate(both.tolist()):
        rows_of.setdefault(tuple(cards), []).append(row)
    for held, rows in rows_of.items():
        ecart = discard(Hand(held))
        column = np.array(rows)[:, None]
        owners[column, list(held)] = taker
        owners[column, list(ecart)] = rules.players
        half_points[rows] = ecart.half_points
    return owners, half_points


def contract_deals(
    worlds: NDArray[np.uint8],
    rules: Rules,
    contract: Contract,
    leaders: NDArray[np.uint8],
    *,
    taker: int = TAKER,
    called: Card | None = None,
    discard: Callable[[Hand], Hand] | None = None,
) -> Deals:
    """Return the deals that follow when a player takes `contract`.

    The écart is a function of hand and dog alone: the taker does not see the defence.

    Parameters
    ----------
    worlds
        uint8 (n, 78), from `tarot_sim.sample_worlds`.
    rules
        The table.
    contract
        Prise and Garde lead to the same deals.
    leaders
        uint8 (n,): who leads the first trick of each world.
    taker
        The taker's seat.
    called
        Five players: the called card.
    discard
        The écart for hand and dog together, asked once for each; by default
        `choose_discard`.

    Returns
    -------
    Deals
        One row a world.
    """
    n = len(worlds)
    call = NO_CALL if called is None else called
    half_points = np.zeros(n, np.int16)
    bouts = np.zeros(n, np.uint8)
    attack = attack_of(worlds, rules, taker, called)
    if contract in DOG_CONTRACTS:
        if discard is None:
            owners, half_points = take_dogs(
                worlds, taker, rules.players, rules.dog_size, call, _RULE
            )
        else:
            owners, half_points = _discarded(worlds, rules, taker, discard)
    else:
        owners = worlds.copy()
    if contract == "garde_sans":
        for first in range(0, n, _ROWS):  # Ctrl-C is heard in between
            rows = slice(first, first + _ROWS)
            in_dog = worlds[rows] == rules.players
            half_points[rows] = (in_dog * _HALF_POINTS).sum(axis=1, dtype=np.int16)
            for bit, bout in enumerate((PETIT, VINGT_ET_UN, EXCUSE)):
                bouts[rows] |= in_dog[:, bout].astype(np.uint8) << bit
    return Deals(
        rules=rules,
        owners=owners,
        attack=attack,
        leader=leaders,
        half_points=half_points,
        bouts=bouts,
        called=np.full(n, call, np.uint8),
        contract=contract,
    )
