import numpy as np
from numpy.typing import NDArray

def pack_deals(
    owners: NDArray[np.uint8],
    attack: NDArray[np.uint8],
    leader: NDArray[np.uint8],
    half_points: NDArray[np.int16],
    bouts: NDArray[np.uint8],
    called: NDArray[np.uint8],
    players: int,
    size: int,
) -> bytes: ...
