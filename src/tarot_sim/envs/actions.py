"""The actions of the environment, by number.

=======  ===================================================================
number   action
=======  ===================================================================
0 … 77   a card by its number: called, put into the écart, or played
78       pass; before one's first card: announce nothing
79 … 82  bid Prise, Garde, Garde sans, Garde contre
83       announce a chelem
84 … 86  show a simple, double, triple poignée, the highest trumps of it
=======  ===================================================================

What a card does is told by the phase. Sets of actions are integers with one bit an action.
"""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING, Final, SupportsIndex

import numpy as np

from tarot_sim.cards import CARD_NAMES, PACK
from tarot_sim.errors import OptionError
from tarot_sim.notation import shown
from tarot_sim.rules.announcements import LEVELS
from tarot_sim.rules.auction import BIDS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

PASS: Final = PACK
CHELEM: Final = PASS + len(BIDS)
POIGNEES: Final = CHELEM + 1  #: the lowest poignée
N_ACTIONS: Final = POIGNEES + len(LEVELS)

#: The name of each action.
ACTION_NAMES: Final[tuple[str, ...]] = (
    *CARD_NAMES,
    *BIDS,
    "chelem",
    *(f"poignee_{level}" for level in LEVELS),
)
_NUMBERS: Final = {name: number for number, name in enumerate(ACTION_NAMES)}
#: The eight bits of every byte, the lowest first, a byte each.
_BITS: Final = tuple(bytes(byte >> bit & 1 for bit in range(8)) for byte in range(256))
_BYTES: Final = (N_ACTIONS + 7) // 8


def action_number(name: str) -> int:
    """Return the action of a name: a card's, ``pass``, a contract, ``chelem``, ``poignee_simple``.

    Raises
    ------
    OptionError
        If there is no such action.

    Examples
    --------
    >>> action_number("A21"), action_number("garde"), ACTION_NAMES[84]
    (76, 80, 'poignee_simple')
    """
    if name not in _NUMBERS:
        raise OptionError(f"action: {shown(name)} is the name of none")
    return _NUMBERS[name]


def checked_action(action: SupportsIndex) -> int:
    """Return an action as a Python integer, whatever kind of integer it is.

    Raises
    ------
    OptionError
        If it is none of the numbers.
    """
    try:
        number = index(action)
    except TypeError:
        raise OptionError(f"action: {shown(action)} is not the number of one") from None
    if not 0 <= number < N_ACTIONS:
        raise OptionError(f"action: {shown(number)} is not 0…{N_ACTIONS - 1}")
    return number


def bits_of(actions: Iterable[int]) -> int:
    """Return the set of some actions."""
    bits = 0
    for action in actions:
        bits |= 1 << action
    return bits


def action_mask(actions: int) -> NDArray[np.int8]:
    """Return a set of actions as learners want it: int8 (87,), 1 for each that is in it.

    Examples
    --------
    >>> action_mask(bits_of([0, 80])).nonzero()[0].tolist()
    [0, 80]
    """
    parts = bytearray().join([_BITS[byte] for byte in actions.to_bytes(_BYTES, "little")])
    return np.frombuffer(parts, np.int8, N_ACTIONS)
