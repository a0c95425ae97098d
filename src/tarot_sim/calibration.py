"""Fitted numbers, each with the command that made it."""

from typing import Final

#: How likely a deal is made that the verdict's search left open, by method and players:
#: weights of `tarot_sim.judge.open_features` in the logit. Fitted by
#: ``python -m benchmarks.fit_open_worlds PLAYERS`` to wide searches (at 3 players with
#: ``--hands 70``, at 5 with ``--hands 120``).
OPEN_WORLD: Final[dict[str, dict[int, tuple[float, ...]]]] = {
    "fast": {
        3: (-4.6581, 0.1255, 0.0589, 0.5306, 0.4667, -1.0462, 1.4694),
        4: (-3.7427, 0.0387, 0.0735, 0.4829, 1.7073, -1.0818, 1.6843),
        5: (-1.0357, 0.0616, 0.0538, 0.3039, 0.144, -1.6729, 0.713),
    },
    "cascade": {
        3: (-4.1446, 0.1139, 0.0504, 0.5459, 0.1014, -1.5123, 1.6809),
        4: (-3.4829, 0.0302, 0.063, 0.4281, 1.5446, -0.7446, 1.7179),
        5: (-0.2161, 0.0463, 0.0407, 0.2344, -0.3341, -1.5811, 0.8642),
    },
}

#: The margin that the verdict's search is expected to find, in half points: a constant
#: plus multiples of the margins of the narrow search, the narrowest one and the policy's
#: play-out. Fitted by the same command.
MARGIN_FIT: Final[dict[int, tuple[float, float, float, float]]] = {
    3: (-2.4296, 0.4457, 0.255, 0.2681),
    4: (-4.667, 0.3429, 0.5418, 0.1054),
    5: (1.9336, 0.7042, 0.1973, 0.1174),
}
