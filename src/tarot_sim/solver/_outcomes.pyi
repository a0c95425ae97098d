from collections.abc import Sequence

from tarot_sim._core import Position
from tarot_sim.notation import shown as shown

def outcomes(
    position: Position, need: Sequence[int]
) -> list[tuple[int, int, int, int, int, int]]: ...
