"""What a pass brings: what the player scores beside another taker."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tarot_sim.cards import Card, Hand
from tarot_sim.estimation.judge import Judge
from tarot_sim.estimation.passing import scores_if_taken
from tarot_sim.estimation.plan import Stream, draw_worlds, leaders
from tarot_sim.rules import Contract
from tarot_sim.worlds.contract_deals import contract_deals
from tests.some_deals import plan_of

PLAYERS = pytest.mark.parametrize("players", [3, 4, 5])


@PLAYERS
@pytest.mark.parametrize("contract", ["garde", "garde_sans"])
def test_beside_another_taker(players: int, contract: Contract) -> None:
    """World by world, the taker calling the first Roi that they lack."""
    plan = replace(plan_of(players), called=None)
    taker = players - 1
    worlds = draw_worlds(plan, 40, Stream.PASS_WORLDS)
    seats = leaders(plan, 0, 40)
    found = scores_if_taken(plan, worlds, seats, contract, taker)
    judge = Judge("fast")
    factor = {"garde": 2, "garde_sans": 4}[contract]
    partners = 0
    for row, world in enumerate(worlds):
        called = None
        if players == 5:
            rois = [Card.parse(name) for name in ("PR", "CR", "KR", "TR")]
            called = next(roi for roi in rois if world[roi] != taker)
        deal = contract_deals(
            world[None], plan.rules, contract, seats[row : row + 1], taker=taker, called=called
        )
        forecast = judge.forecast(deal, taker)
        base = 25 if players == 4 else 25.25
        loss = factor * (base * (2 * forecast.p_make[0] - 1) + forecast.margins[0] / 2)
        helps = called is not None and world[called] == 0
        partners += helps
        assert (loss if helps else -loss) == pytest.approx(found[row])
    assert (partners > 0) == (players == 5)


def test_beside_a_taker_with_four_rois() -> None:
    plan = replace(
        plan_of(5), hand=Hand("A:20,16,12,3,2 P:D,9,6 C:10,4 K:V,3,1 T:D,9"), called=None
    )
    worlds = draw_worlds(plan, 3, Stream.PASS_WORLDS)
    for roi in ("PR", "CR", "KR", "TR"):
        # The taker gets the Roi for a pip of theirs.
        card = Card.parse(roi)
        for world in worlds:
            pip = next(c for c in np.flatnonzero(world == 2) if c % 14 < 10 and c < 56)
            world[pip], world[card] = world[card], 2
    found = scores_if_taken(plan, worlds, leaders(plan, 0, 3), "garde", 2)
    # They call the Dame of spades, which the player holds: they play together.
    called = Card.parse("PD")
    deals = contract_deals(worlds, plan.rules, "garde", leaders(plan, 0, 3), taker=2, called=called)
    assert (deals.attack == 0b101).all()
    forecast = Judge("fast").forecast(deals, 2)
    loss = 2 * (25.25 * (2 * forecast.p_make - 1) + forecast.margins / 2)
    assert loss.tolist() == pytest.approx(found.tolist())
