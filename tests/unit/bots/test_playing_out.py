"""Cards played out in common worlds, with and without dropping those that are behind."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from tarot_sim.bots._rollouts import Begun
from tarot_sim.bots.habits import habits
from tarot_sim.bots.playing_out import PlayOuts
from tarot_sim.bots.worlds_seen import deals_of, draw_owners, sees_call
from tarot_sim.deals.view import View
from tarot_sim.errors import OptionError
from tests.games import random_game

TABLES = pytest.mark.parametrize("players", [3, 4, 5])


def views(players: int, n: int) -> list[View]:
    """Return views of seats that have a choice."""
    random = Random(players)
    found: list[View] = []
    while len(found) < n:
        game = random_game(players, random)
        if game.to_move is not None:
            view = View.of(game, game.to_move)
            if len(view.legal_cards()) > 3:
                found.append(view)
    return found


def begun(view: View, rows: int, seed: int = 1) -> Begun:
    owners = draw_owners(view, rows, np.random.default_rng(seed))
    return Begun(deals_of(view, owners), view.taker, view.plays, sees_call(view))


@TABLES
def test_the_cards_that_are_left_do_as_well_as_without_dropping(players: int) -> None:
    dropped = 0
    for view in views(players, 12):
        weights = habits(view.rules)
        whole, some = (PlayOuts(view, weights, drops=drops) for drops in (False, True))
        for seed in (1, 2):
            whole.add(begun(view, 160, seed))
            some.add(begun(view, 160, seed))
        assert whole.cards == some.cards
        assert whole.habit == some.habit
        assert whole.worlds.tolist() == [320] * len(whole.cards)
        for place, n in enumerate(some.worlds.tolist()):
            assert (some.results[place, :n] == whole.results[place, :n]).all()
            assert (some.soft[place, :n] == whole.soft[place, :n]).all()
            assert not some.soft[place, n:].any()
        n = int(some.worlds.max())
        leader = int(np.where(some.worlds == n, some.soft.sum(axis=1), -np.inf).argmax())
        means = some.means(some.soft, leader)
        assert means[leader] == pytest.approx(some.soft[leader].mean())
        for place in np.flatnonzero(some.worlds < n).tolist():
            both = int(some.worlds[place])
            behind = (some.soft[leader, :both] - some.soft[place, :both]).mean()
            assert means[leader] - means[place] == pytest.approx(behind)
            dropped += 1
        # What is left out early is not what the whole would have chosen, but for luck.
        best = int(whole.soft[:, :n].mean(axis=1).argmax())
        assert whole.soft[leader].mean() > whole.soft[best].mean() - 3
    assert dropped > 5


def test_some_cards_in_some_worlds_are_a_part_of_all() -> None:
    for view in views(4, 5):
        weights, these = habits(view.rules), begun(view, 30)
        cards, chosen, results = these.values(weights)
        some = cards[1:]
        found, place, part = these.values(weights, cards=some, first=7, last=20)
        assert found == some
        assert place == (chosen - 1 if chosen else -1)
        assert (part == results[1:, 7:20]).all()


def test_what_cannot_be_played_out_is_refused() -> None:
    view = views(4, 1)[0]
    weights, these = habits(view.rules), begun(view, 3)
    other = next(card for card in range(78) if card not in view.legal_cards())
    with pytest.raises(OptionError, match="is not legal in world 0"):
        these.values(weights, cards=[other])
    with pytest.raises(OptionError, match="cards: 78 is more than 77"):
        these.values(weights, cards=[78])
    with pytest.raises(OptionError, match="last: 4 is more than 3"):
        these.values(weights, last=4)
    with pytest.raises(OptionError, match="first: 3 is more than 2"):
        these.values(weights, first=3)
