import numpy as np
from numpy.typing import NDArray

TASTE: tuple[str, ...]

def take_dogs(
    worlds: NDArray[np.uint8],
    taker: int,
    players: int,
    size: int,
    called: int,
    taste: NDArray[np.float64],
) -> tuple[NDArray[np.uint8], NDArray[np.int16]]: ...
