"""What the game allows and pays outside of the play of the cards, as functions."""

from tarot_sim.rules.table import (
    CAMP_OF_SIGN,
    CAMPS,
    COEFFICIENTS,
    CONTRACTS,
    DOG_CONTRACTS,
    NEED,
    POIGNEES,
    TARGETS,
    TOTAL_HALF_POINTS,
    Camp,
    Contract,
    Rules,
    checked_rules,
    player_count,
    table_of,
)

__all__ = [
    "CAMPS",
    "CAMP_OF_SIGN",
    "COEFFICIENTS",
    "CONTRACTS",
    "DOG_CONTRACTS",
    "NEED",
    "POIGNEES",
    "TARGETS",
    "TOTAL_HALF_POINTS",
    "Camp",
    "Contract",
    "Rules",
    "checked_rules",
    "player_count",
    "table_of",
]
