from tarot_sim._core import Position
from tarot_sim.notation import shown as shown
from tarot_sim.rules import NEED as NEED

def outcomes(position: Position) -> list[tuple[int, int, int, int, int, int]]: ...
