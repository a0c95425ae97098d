from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from typing_extensions import disjoint_base

from tarot_sim._core import OUTCOME_DTYPE as OUTCOME_DTYPE
from tarot_sim._core import RESULT_DTYPE as RESULT_DTYPE
from tarot_sim._solver import Objective
from tarot_sim.rules import CONTRACTS as CONTRACTS
from tarot_sim.rules import Contract, Rules

DEFAULT_TABLE_BYTES: int

@dataclass(frozen=True, slots=True)
class Deals:
    rules: Rules
    owners: npt.NDArray[np.uint8]
    attack: npt.NDArray[np.uint8]
    leader: npt.NDArray[np.uint8]
    half_points: npt.NDArray[np.int16]
    bouts: npt.NDArray[np.uint8]
    called: npt.NDArray[np.uint8]
    contract: Contract = ...
    def __post_init__(self) -> None: ...
    def __len__(self) -> int: ...
    def __getitem__(self, rows: slice | npt.NDArray[Any]) -> Deals: ...

@disjoint_base
class Evaluator:
    def __new__(cls, table_bytes: int = ...) -> Self: ...
    def reaches(
        self,
        deals: Deals,
        objective: Objective,
        thresholds: int | Sequence[int],
        widths: Sequence[int],
        node_limit: int,
    ) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int64]]: ...
    def values(
        self,
        deals: Deals,
        objective: Objective,
        guesses: npt.NDArray[np.int16],
        widths: Sequence[int],
        node_limit: int,
    ) -> tuple[npt.NDArray[np.void], npt.NDArray[np.int16], npt.NDArray[np.int64]]: ...
    def policy(self, deals: Deals) -> npt.NDArray[np.void]: ...
