from collections.abc import Sequence
from typing import Self

import numpy as np
from numpy.random import BitGenerator
from numpy.typing import NDArray
from typing_extensions import disjoint_base

@disjoint_base
class Assignment:
    def __new__(cls, allowed: NDArray[np.uint8], capacities: Sequence[int]) -> Self: ...
    @property
    def ways(self) -> float: ...
    @property
    def branches(self) -> int: ...
    def draw(
        self, n: int, bit_generator: BitGenerator, row: NDArray[np.uint8] | None = ...
    ) -> NDArray[np.uint8]: ...
