import numpy as np
from numpy.typing import NDArray

FEATURES: tuple[str, ...]

def world_features(
    worlds: NDArray[np.uint8],
    taker: int,
    attack: NDArray[np.uint8],
    players: int,
    takes_dog: bool,
) -> NDArray[np.int16]: ...
def chavey_counts(worlds: NDArray[np.uint8], players: int) -> NDArray[np.int16]: ...
