from collections.abc import Sequence
from typing import Self

import numpy as np
import numpy.typing as npt
from typing_extensions import disjoint_base

from tarot_sim._core import RESULT_DTYPE as RESULT_DTYPE
from tarot_sim._core import Position
from tarot_sim.rules import Camp
from tarot_sim.solver._solver import Objective
from tarot_sim.solver._sweep import MOST_SWEEP_NODES as MOST_SWEEP_NODES
from tarot_sim.solver.widths import Widths
from tarot_sim.worlds.batch import Deals

EVALUATOR_TABLE_BYTES: int

@disjoint_base
class Evaluator:
    def __new__(cls, table_bytes: int = ...) -> Self: ...
    def reaches(
        self,
        deals: Deals,
        objective: Objective,
        thresholds: int | Sequence[int],
        widths: Widths,
        node_limit: int,
    ) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int64]]: ...
    def values(
        self,
        deals: Deals,
        objective: Objective,
        guesses: npt.NDArray[np.int16],
        widths: Widths,
        node_limit: int,
    ) -> tuple[npt.NDArray[np.void], npt.NDArray[np.int16], npt.NDArray[np.int64]]: ...
    def sweeps(
        self, deals: Deals, camp: Camp, node_limit: int, petit_au_bout: bool = ...
    ) -> npt.NDArray[np.int8]: ...
    def cards(
        self, position: Position, objective: Objective, widths: Widths, node_limit: int
    ) -> tuple[list[tuple[int, int, int]], int]: ...
    def policy(self, deals: Deals) -> npt.NDArray[np.void]: ...
