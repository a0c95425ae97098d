"""A million whole deals by players of habits at each table, held against the plain rules."""

from __future__ import annotations

import pytest

from tests.unit.bots.test_whole_deals import check_rules

pytestmark = pytest.mark.slow

DEALS = 1_000_000
_ROWS = 50_000


@pytest.mark.parametrize("players", [3, 4, 5])
def test_a_million_deals(players: int) -> None:
    done, seed = 0, 1000 * players
    while done < DEALS:
        done += check_rules(players, _ROWS, seed)
        seed += 1
    print(f"\n{players} players: {done} whole deals, 0 faults")
