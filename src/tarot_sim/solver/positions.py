"""What may be solved: a position, or what stands at one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol, TypeAlias

from tarot_sim._core import Position
from tarot_sim.errors import OptionError
from tarot_sim.notation import shown


class HasPosition(Protocol):
    """A deal: its position is that after the cards that it has played."""

    @property
    def position(self) -> Callable[[], Position]:
        """Return the position."""


class AtPosition(Protocol):
    """A game in progress; before the play of the cards its position is None."""

    @property
    def position(self) -> Position | None:
        """The position."""


Solvable: TypeAlias = Position | HasPosition | AtPosition


def position_of(what: Solvable, name: str = "position") -> Position:
    """Return the position that is asked about.

    Parameters
    ----------
    what
        A position, a `Deal` with all that the play depends on, or a `Game` in the play of
        the cards.
    name
        What an error calls it.

    Raises
    ------
    OptionError
        If it is none of these, or a game whose play has not begun.
    RecordError
        If the deal lacks what the play depends on.
    """
    # By its type: what an object says of its class is its own affair.
    if issubclass(type(what), Position):
        return what  # type: ignore[return-value]
    found = getattr(what, "position", None)
    if callable(found) and not isinstance(what, type):
        found = found()
    if issubclass(type(found), Position):
        return found  # type: ignore[return-value]
    if hasattr(what, "phase"):
        raise OptionError(f"{name}: no card may be played in this game yet")
    if isinstance(what, Mapping):
        raise OptionError(f"{name}: a record is read by Deal.from_dict")
    raise OptionError(f"{name}: {shown(what)} is no position, deal or game")
