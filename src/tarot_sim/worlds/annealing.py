"""Worlds behind bids that hardly any uniform world would make.

Each world is the end of a walk of its own, so that worlds are independent of each other and as
many as they seem: no weights, nothing drawn twice. What is left of where the walk began has
been measured against laws found by counting: after 1000 proposals no difference is seen in
20,000 worlds, and it falls by a factor e in about 200 more (`benchmarks.calibration.auctions`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from tarot_sim.errors import BidError
from tarot_sim.rules.auction import level_of
from tarot_sim.worlds._annealing import SHORT_SUITS, TOTALS, anneal_worlds
from tarot_sim.worlds._sampler import sample_worlds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from tarot_sim.cards import Hand
    from tarot_sim.rules.auction import Auction
    from tarot_sim.worlds.bidding_model import BiddingModel

#: Exchanges proposed in a stage on the way, and in the last, under the model itself.
STEPS: Final = 200
LAST_STEPS: Final = 2000
#: The softness of the first stage, and how much of it is left in the next. A count that is
#: 100 below what was bid still tells there which exchanges lead up.
FIRST_SOFTNESS: Final = 20.0
COOLING: Final = 0.6
# Worlds that walk in one call.
_BLOCK: Final = 50


def annealed_worlds(
    hand: Hand,
    seat: int,
    auction: Auction,
    model: BiddingModel,
    bit_generator: np.random.PCG64DXSM,
    dog: Hand | None = None,
    steps: tuple[int, int] = (STEPS, LAST_STEPS),
) -> Iterator[NDArray[np.uint8]]:
    """Yield worlds as likely as the others' bids make them, some at a time, without end.

    Parameters
    ----------
    hand, seat, bit_generator, dog
        As for `tarot_sim.sample_worlds`.
    auction
        What was said so far, not by this seat alone.
    model
        How hands bid.
    steps
        Exchanges proposed in each stage but the last, and in the last.

    Raises
    ------
    BidError
        If no world is found in which these bids can be at all.
    """
    rules = auction.rules
    stages = _softnesses(model)
    heard = [place for place, _ in auction.history if place != seat]
    fits = np.stack([fit_tables(replace(model, softness=s), auction, seat) for s in stages])
    counts = [steps[0]] * (len(stages) - 1) + [steps[1]]
    petit_sec = rules.petit_sec != "cancel"
    while True:
        # Whole blocks, so that fewer worlds of a seed are the first of more.
        starts = sample_worlds(hand, seat, rules, _BLOCK, bit_generator, dog)
        worlds, likelihood = anneal_worlds(
            starts, seat, rules.players, heard, fits, counts, bit_generator, petit_sec, dog
        )
        possible = worlds[likelihood > 0]
        if not len(possible):
            raise BidError("auction: none of the hands that these cards leave bids so")
        yield possible


def fit_tables(model: BiddingModel, auction: Auction, own_seat: int) -> NDArray[np.float64]:
    """Return how likely each of the others is to say what they said, by the counts of a hand.

    Parameters
    ----------
    model
        How hands bid.
    auction
        What was said so far.
    own_seat
        The seat whose bids say nothing new.

    Returns
    -------
    numpy.ndarray
        Shape (seats, TOTALS, SHORT_SUITS): in the order of the auction, by Chavey's count
        without short suits and by a third of what these count.
    """
    totals, thirds = np.divmod(np.arange(TOTALS * SHORT_SUITS), SHORT_SUITS)
    counts = np.stack([totals, totals + 3 * thirds], axis=1).astype(np.int16)
    tables, highest = [], 0
    for seat, bid in auction.history:
        if seat != own_seat:
            said = model.said(counts, bid, highest, auction.rules.players)
            tables.append(said.reshape(TOTALS, SHORT_SUITS))
        highest = max(highest, level_of(bid))
    return np.stack(tables)


def _softnesses(model: BiddingModel) -> list[float]:
    """Return the softness of every stage, the model's own the last."""
    stages, softness = [], FIRST_SOFTNESS
    while softness > model.softness:
        stages.append(softness)
        softness *= COOLING
    return [*stages, model.softness]
