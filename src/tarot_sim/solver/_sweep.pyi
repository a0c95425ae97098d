from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tarot_sim._core import Position

def sweeps(
    positions: Sequence[Position], attack: bool, petit: bool, node_limit: int
) -> tuple[NDArray[np.int8], NDArray[np.int64]]: ...
