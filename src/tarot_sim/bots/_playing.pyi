from typing import Literal, overload

import numpy as np
from numpy.typing import NDArray

from tarot_sim._core import RESULT_DTYPE as RESULT_DTYPE
from tarot_sim.rules import DOG_CONTRACTS as DOG_CONTRACTS
from tarot_sim.worlds.batch import Deals

HABITS_SHAPE: tuple[int, int]

@overload
def play_deals(
    deals: Deals,
    taker: NDArray[np.integer],
    habits: NDArray[np.float32],
    *,
    open_call: NDArray[np.bool_] | None = ...,
    plays: Literal[True],
) -> tuple[NDArray[np.void], NDArray[np.uint8]]: ...
@overload
def play_deals(
    deals: Deals,
    taker: NDArray[np.integer],
    habits: NDArray[np.float32],
    *,
    open_call: NDArray[np.bool_] | None = ...,
    plays: Literal[False] = ...,
) -> tuple[NDArray[np.void], None]: ...
@overload
def play_deals(
    deals: Deals,
    taker: NDArray[np.integer],
    habits: NDArray[np.float32],
    *,
    open_call: NDArray[np.bool_] | None = ...,
    plays: bool,
) -> tuple[NDArray[np.void], NDArray[np.uint8] | None]: ...
