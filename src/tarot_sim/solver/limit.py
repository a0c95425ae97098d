"""How long a search may go on."""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import dataclass
from operator import index
from typing import SupportsFloat, SupportsIndex

from tarot_sim.errors import OptionError
from tarot_sim.notation import shown


@dataclass(frozen=True, slots=True)
class Limit:
    """Where a search ends, whichever comes first; without a number it goes on to its answer.

    Attributes
    ----------
    nodes
        Positions searched, None for no limit. At least one is, whatever the limit.
    seconds
        Wall time, None for no limit.

    Raises
    ------
    OptionError
        If a number is negative or none at all.

    Examples
    --------
    >>> Limit(seconds=0.5)
    Limit(nodes=None, seconds=0.5)
    """

    nodes: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        if self.nodes is not None:
            if isinstance(self.nodes, bool) or not isinstance(self.nodes, SupportsIndex):
                raise OptionError(f"nodes: {shown(self.nodes)} is no integer")
            if index(self.nodes) < 0:
                raise OptionError(f"nodes: {shown(self.nodes)} is below 0")
        if self.seconds is not None:
            # Of an array of one number a float may be made too.
            if isinstance(self.seconds, bool | Sized) or not isinstance(
                self.seconds, SupportsFloat
            ):
                raise OptionError(f"seconds: {shown(self.seconds)} is no number")
            # Not a number is not 0 or more either; an endless time is no limit.
            if not self.seconds >= 0:
                raise OptionError(f"seconds: {shown(self.seconds)} is not 0 or more")
