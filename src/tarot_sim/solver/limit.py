"""How long a search may go on."""

from __future__ import annotations

from dataclasses import dataclass

from tarot_sim.arguments import integer, real
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
            nodes = integer("nodes", self.nodes)
            if isinstance(self.nodes, bool):
                raise OptionError(f"nodes: {shown(self.nodes)} is no integer")
            if nodes < 0:
                raise OptionError(f"nodes: {shown(nodes)} is below 0")
            object.__setattr__(self, "nodes", nodes)
        if self.seconds is not None:
            # Not a number is not 0 or more either; an endless time is no limit.
            seconds = real("seconds", self.seconds)
            if not seconds >= 0:
                raise OptionError(f"seconds: {shown(self.seconds)} is not 0 or more")
            object.__setattr__(self, "seconds", seconds)
