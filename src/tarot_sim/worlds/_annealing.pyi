from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tarot_sim.cards import Hand

TOTALS: int
SHORT_SUITS: int

def anneal_worlds(
    worlds: NDArray[np.uint8],
    seat: int,
    players: int,
    heard: Sequence[int],
    fits: NDArray[np.float64],
    steps: Sequence[int],
    bit_generator: np.random.BitGenerator,
    petit_sec: bool,
    dog: Hand | None = None,
) -> tuple[NDArray[np.uint8], NDArray[np.float64]]: ...
