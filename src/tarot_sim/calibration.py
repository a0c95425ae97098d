"""Fitted numbers, each with the command that made it."""

from typing import Final

#: How likely a deal is made that the verdict's search left open, by method and players:
#: weights of `tarot_sim.chances.open_features` in the logit. Fitted by
#: ``python -m benchmarks.fit_open_worlds PLAYERS`` to wide searches.
OPEN_WORLD: Final[dict[str, dict[int, tuple[float, ...]]]] = {
    method: {
        3: (-0.8433, 0.0527, 0.0739, 0.0, 0.0, 0.0, 0.0),
        4: (-3.0089, 0.0216, 0.0671, 0.3561, 1.5811, -0.6912, 1.4651),
        5: (0.5103, 0.0383, 0.0415, 0.174, 1.1214, -1.528, 1.0859),
    } for method in ("fast", "cascade")
}

#: The margin that the verdict's search is expected to find, in half points: a constant
#: plus multiples of the margins of the narrow search, the narrowest one and the policy's
#: play-out. Fitted by the same command.
MARGIN_FIT: Final[dict[int, tuple[float, float, float, float]]] = {
    3: (-5.0307, 0.4398, 0.3528, 0.1799),
    4: (-4.667, 0.3429, 0.5418, 0.1054),
    5: (-4.6939, 0.6245, 0.3895, 0.0037),
}
