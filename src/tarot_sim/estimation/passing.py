"""What a pass brings: the others bid on, and the player scores beside another taker."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, Final

import numpy as np

from tarot_sim.cards import CARDS, ROIS_MASK, Card
from tarot_sim.estimation.chunks import judge_of_thread
from tarot_sim.estimation.plan import Stream, bit_generator, draw_worlds, leaders
from tarot_sim.estimation.regression import Estimate
from tarot_sim.estimation.sample import expected_points, payoff_multipliers
from tarot_sim.rules.auction import BIDS
from tarot_sim.rules.scoring import defender_loss
from tarot_sim.worlds._counts import chavey_counts
from tarot_sim.worlds.bidding_model import end_auctions, uniforms
from tarot_sim.worlds.contract_deals import TAKER, contract_deals

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tarot_sim.estimation.plan import Plan
    from tarot_sim.rules import Contract
    from tarot_sim.rules.auction import Auction

#: Worlds in which it is followed up what a pass leads to.
PASS_WORLDS: Final = 400
_ROIS: Final = [card for card in range(56) if ROIS_MASK >> card & 1]


def estimate_pass(plan: Plan, auction: Auction) -> Estimate:
    """Return what the player wins by a pass, in the deals that then are played."""
    players = plan.rules.players
    after = auction.copy()
    after.bid("pass")
    worlds = draw_worlds(plan, PASS_WORLDS, Stream.PASS_WORLDS)
    chance = uniforms(bit_generator(plan.seed, Stream.PASS_BIDS), PASS_WORLDS * players)
    takers, contracts = end_auctions(
        after, chavey_counts(worlds, players), chance.reshape(PASS_WORLDS, players)
    )
    scores = np.zeros(PASS_WORLDS)
    lead = leaders(plan, 0, PASS_WORLDS)
    for taker in range(1, players):
        for place, contract in enumerate(BIDS):
            rows = np.flatnonzero((takers == taker) & (contracts == place))
            if contract == "pass" or not len(rows):
                continue
            scores[rows] = scores_if_taken(plan, worlds[rows], lead[rows], contract, taker)
    return Estimate(float(scores.mean()), float(scores.std(ddof=1)) / sqrt(PASS_WORLDS))


def scores_if_taken(
    plan: Plan,
    worlds: NDArray[np.uint8],
    first_leaders: NDArray[np.uint8],
    contract: Contract,
    taker: int,
) -> NDArray[np.float64]:
    """Return the player's expected score where another seat takes.

    The écart is made from the taker's cards, which differ by the world; at five players they
    call the first Roi that they lack. Judged by the forecast alone, or at a table.

    Parameters
    ----------
    plan
        What is asked.
    worlds
        uint8 (n, 78).
    first_leaders
        uint8 (n,): who leads to the first trick.
    contract
        What is played.
    taker
        The taker's seat.

    Returns
    -------
    numpy.ndarray
        float64 (n,).
    """
    calls = _calls(worlds, taker) if plan.rules.players == 5 else [None] * len(worlds)
    scores = np.zeros(len(worlds))
    for called in dict.fromkeys(calls):
        rows = np.array([row for row, card in enumerate(calls) if card == called])
        deals = contract_deals(
            worlds[rows], plan.rules, contract, first_leaders[rows], taker=taker, called=called
        )
        forecast = judge_of_thread(plan.method).forecast(deals, taker)
        p_make, margins = forecast.p_make, forecast.margins
        if plan.model == "table":
            from tarot_sim.estimation.table_play import expect_table_play

            play = expect_table_play(deals, worlds[rows], forecast, called, taker)
            p_make, margins = play.p_make, play.margins
        points = expected_points(p_make, margins, plan.rules)
        loss = defender_loss(2 * p_make - 1, points, contract, 0, 0, 0, plan.rules)
        scores[rows] = payoff_multipliers(deals, taker, TAKER) * loss
    return scores


def _calls(worlds: NDArray[np.uint8], taker: int) -> list[Card | None]:
    """Return what the taker of each world calls: a Roi, or a Dame if they hold all four."""
    return [
        next((CARDS[roi] for roi in _ROIS if row[roi] != taker), CARDS[_ROIS[0] - 1])
        for row in worlds
    ]
