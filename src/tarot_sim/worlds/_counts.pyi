from typing import Any

import numpy as np
from numpy.typing import NDArray

COUNTS_DTYPE: np.dtype[np.void]

def world_counts(
    worlds: NDArray[np.uint8],
    taker: int,
    attack: NDArray[np.uint8],
    players: int,
    takes_dog: bool,
) -> NDArray[Any]: ...
def chavey_counts(worlds: NDArray[np.uint8], players: int) -> NDArray[np.int16]: ...
