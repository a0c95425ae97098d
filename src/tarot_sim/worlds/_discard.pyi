from typing import Any

import numpy as np
from numpy.typing import NDArray

WEIGHTS_DTYPE: np.dtype[np.void]

def take_dogs(
    worlds: NDArray[np.uint8],
    taker: int,
    players: int,
    size: int,
    called: int,
    weights: NDArray[Any],
) -> tuple[NDArray[np.uint8], NDArray[np.int16]]: ...
