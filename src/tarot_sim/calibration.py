"""Fitted numbers, each with the command that made it."""

from typing import Final

#: How likely a deal is made that the verdict's search left open, by method and players:
#: weights of `tarot_sim.judge.open_features` in the logit. Fitted by
#: ``python -m benchmarks.fit_open_worlds PLAYERS`` to wide searches.
OPEN_WORLD: Final[dict[str, dict[int, tuple[float, ...]]]] = {
    "fast": {
        3: (-3.7665, 0.0974, 0.0561, 0.3859, 1.0335, -0.8709, 1.2535),
        4: (-3.7427, 0.0387, 0.0735, 0.4829, 1.7073, -1.0818, 1.6843),
        5: (0.018, 0.0291, 0.0563, 0.1891, 0.9831, -1.2988, 1.0335),
    },
    "cascade": {
        3: (-3.8313, 0.0796, 0.0559, 0.3944, 0.8453, -0.807, 1.5303),
        4: (-3.4829, 0.0302, 0.063, 0.4281, 1.5446, -0.7446, 1.7179),
        5: (0.3468, 0.034, 0.0384, 0.1849, 1.0341, -1.7547, 1.3614),
    },
}

#: The margin that the verdict's search is expected to find, in half points: a constant
#: plus multiples of the margins of the narrow search, the narrowest one and the policy's
#: play-out. Fitted by the same command.
MARGIN_FIT: Final[dict[int, tuple[float, float, float, float]]] = {
    3: (-5.037, 0.4588, 0.3483, 0.1628),
    4: (-4.667, 0.3429, 0.5418, 0.1054),
    5: (-4.6939, 0.6245, 0.3895, 0.0037),
}
