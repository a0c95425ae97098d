from tarot_sim._core import Position
from tarot_sim.rules import CAMPS as CAMPS
from tarot_sim.rules import Camp

MOST_SWEEP_NODES: int

def can_sweep(
    position: Position, camp: Camp, node_limit: int, petit_au_bout: bool = False
) -> tuple[bool | None, int]: ...
