"""What the game allows and pays outside of the play of the cards, as functions."""

from tarot_sim.rules.table import (
    COEFFICIENTS,
    CONTRACTS,
    POIGNEES,
    TARGETS,
    TOTAL_HALF_POINTS,
    Contract,
    Rules,
    table_of,
)

__all__ = [
    "COEFFICIENTS",
    "CONTRACTS",
    "POIGNEES",
    "TARGETS",
    "TOTAL_HALF_POINTS",
    "Contract",
    "Rules",
    "table_of",
]
