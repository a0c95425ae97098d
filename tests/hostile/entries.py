"""Every door of the package: how to get there, and what each argument of it may be.

A test compares the names and arguments with those that there are, so that nothing new is left
out. An entry is named by its class and method; what follows a ``#`` tells apart two ways in.
"""

from __future__ import annotations

from typing import Final

from tests.hostile import doors_bots, doors_core, doors_deals, doors_worlds
from tests.hostile.honest import Entry

ENTRIES: Final[dict[str, Entry]] = {
    **doors_core.CARDS,
    **doors_core.POSITIONS_AND_PLAYOUTS,
    **doors_core.SEARCHES,
    **doors_deals.RULES,
    **doors_deals.DEALS,
    **doors_worlds.WORLDS_AND_BATCHES,
    **doors_worlds.ESTIMATES,
    **doors_bots.BOTS,
}
