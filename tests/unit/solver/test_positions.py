"""Deals and games may be solved where they stand, like their positions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import tarot_sim as ts
from tarot_sim.errors import OptionError, RecordError
from tarot_sim.rules.discard import discardable

RECORD = json.loads(Path("examples/ending.json").read_text("utf-8"))
DEAL = ts.Deal.from_dict(RECORD)
DOORS: dict[str, Any] = {
    "solve": lambda what: ts.solve(what).value,
    "can_make": ts.can_make,
    "can_chelem": ts.can_chelem,
    "solve_cards": ts.solve_cards,
    "solve_many": lambda what: ts.solve_many([what])["lower"].tolist(),
}


def game_near_the_end() -> ts.Game:
    """Return a game with three tricks left, played by its lowest legal cards."""
    deal = ts.Deal.random(seed=3)
    game = ts.Game(deal.hands, deal.dog, dealer=deal.dealer or 0)
    game.bid("garde")
    for _ in range(3):
        game.bid("pass")
    assert game.taker is not None
    fixed, free = discardable(deal.hands[game.taker] | deal.dog, game.rules)
    game.discard(fixed | ts.Hand(list(free)[: 6 - len(fixed)]))
    while len(game.plays) < 60:
        game.play(game.legal_cards()[0])
    return game


@pytest.mark.parametrize("door", DOORS)
def test_deals_and_games(door: str) -> None:
    ask, game = DOORS[door], game_near_the_end()
    assert ask(DEAL.position()) == ask(DEAL)
    assert ask(game.position) == ask(game)
    assert 60 == len(game.plays), "it is not played on"


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize(
    ("what", "message"),
    [
        (RECORD, r"a record is read by Deal\.from_dict$"),
        (json.dumps(RECORD), r"'.{39}…' is no position, deal or game$"),
        (None, "NoneType is no position"),
        (7, "7 is no position"),
        (ts.Deal, "type is no position"),
        (ts.Hand("A21"), "Hand is no position"),
    ],
    ids=["record", "text", "None", "number", "class", "hand"],
)
def test_what_is_no_position(door: str, what: Any, message: str) -> None:
    with pytest.raises(OptionError, match=r"^positions?(\[0\])?: " + message):
        DOORS[door](what)


def test_what_is_not_in_play() -> None:
    deal = ts.Deal.random(seed=1)
    with pytest.raises(OptionError, match=r"^position: no card may be played in this game yet"):
        ts.solve(ts.Game(deal.hands, deal.dog, dealer=0))
    with pytest.raises(RecordError, match=r"^taker: missing"):
        ts.solve(deal)
