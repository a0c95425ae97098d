"""What a seat may know, at length: worlds against every way, decisions against other cards."""

from __future__ import annotations

import pytest

from tests.unit.bots.test_bots import check_hidden_cards
from tests.unit.worlds.test_inference import check_uniform

pytestmark = pytest.mark.slow
TABLES = pytest.mark.parametrize("players", [3, 4, 5])


@TABLES
def test_worlds_of_many_views(players: int) -> None:
    """The truth is among them, each is there, and all are as likely."""
    check_uniform(players, 170, 500 + players)
    print(f"\n{players} players: 170 views, every world as likely, 0 differences")


@TABLES
@pytest.mark.parametrize(("name", "decisions"), [("rules", 3400), ("search:worlds=10", 170)])
def test_decisions_with_other_hidden_cards(players: int, name: str, decisions: int) -> None:
    check_hidden_cards(players, name, decisions, 700 + players)
    print(f"\n{players} players, {name}: {decisions} decisions, 0 differences")
