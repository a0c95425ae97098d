from collections.abc import Sequence
from typing import Self

import numpy as np
from numpy.typing import NDArray
from typing_extensions import disjoint_base

from tarot_sim._core import RESULT_DTYPE as RESULT_DTYPE
from tarot_sim.deals.view import View
from tarot_sim.rules import DOG_CONTRACTS as DOG_CONTRACTS
from tarot_sim.rules import Rules
from tarot_sim.worlds.batch import Deals

@disjoint_base
class Begun:
    rules: Rules
    rows: int
    def __new__(
        cls, deals: Deals, taker: int | None, plays: Sequence[int], open_call: bool = ...
    ) -> Self: ...
    def values(
        self,
        habits: NDArray[np.float32],
        *,
        cards: Sequence[int] | None = ...,
        first: int = ...,
        last: int | None = ...,
    ) -> tuple[list[int], int, NDArray[np.void]]: ...
    def likelihoods(
        self, habits: NDArray[np.float32], seat: int, miss: float, near: float, within: float
    ) -> NDArray[np.float64]: ...

def habit_card(view: View, habits: NDArray[np.float32]) -> tuple[int, dict[int, float]]: ...
def habit_traits(view: View) -> tuple[list[int], int, NDArray[np.float32]]: ...
