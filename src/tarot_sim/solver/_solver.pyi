from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from typing_extensions import disjoint_base

from tarot_sim._core import Position
from tarot_sim.arguments import MOST_ROWS as MOST_ROWS
from tarot_sim.notation import shown as shown
from tarot_sim.solver.limit import Limit

MANY_DTYPE: np.dtype[np.void]
DEFAULT_TABLE_BYTES: int

@disjoint_base
class Objective:
    def __new__(cls, need: Sequence[int] = ..., extra: Sequence[Sequence[int]] = ...) -> Self: ...

@disjoint_base
class Solver:
    @property
    def table_bytes(self) -> int: ...
    def __new__(cls, table_bytes: int = ...) -> Self: ...
    def clear(self) -> None: ...
    def bounds(self, position: Position, objective: Objective) -> tuple[int, int]: ...
    def value(
        self,
        position: Position,
        objective: Objective,
        lower: int | None = None,
        upper: int | None = None,
        guess: int | None = None,
        *,
        limit: Limit | None = None,
    ) -> tuple[int, int, int]: ...
    def at_least(
        self,
        position: Position,
        objective: Objective,
        threshold: int,
        *,
        limit: Limit | None = None,
    ) -> tuple[bool | None, int]: ...
    def cards(
        self,
        position: Position,
        objective: Objective,
        lower: int | None = None,
        upper: int | None = None,
        *,
        limit: Limit | None = None,
    ) -> tuple[list[tuple[int, int, int]], int]: ...
    def keeping_card(
        self,
        position: Position,
        objective: Objective,
        threshold: int,
        *,
        limit: Limit | None = None,
    ) -> tuple[int | None, int]: ...
    def many(
        self,
        positions: Sequence[Position],
        objective: Objective,
        threshold: int | None = None,
        *,
        limit: Limit | None = None,
    ) -> NDArray[Any]: ...
