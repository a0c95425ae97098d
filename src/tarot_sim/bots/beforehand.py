"""What bids, calls and écarts are worth: whole deals played out by habits in sampled worlds.

In each world everybody bids, discards and plays as a player of habits, seeing the own cards.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tarot_sim.bots.whole_deals import LEVELS, bid_levels, play_taken
from tarot_sim.worlds._sampler import sample_worlds

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.random import Generator
    from numpy.typing import NDArray

    from tarot_sim.cards import Card, Hand
    from tarot_sim.deals.view import View
    from tarot_sim.rules import Contract
    from tarot_sim.rules.table import Bid

#: Worlds drawn for each one that is kept where bids are weighed.
_CANDIDATES: Final = 8
#: What a bid that the counts would not have made takes from a world's weight.
_MISS: Final = 0.15


def dealt_worlds(view: View, n: int, rng: Generator) -> NDArray[np.uint8]:
    """Draw the hidden cards of a view before the play, weighed by what was bid.

    Parameters
    ----------
    view
        What the seat knows, in the auction, the call or before the écart.
    n
        How many worlds.
    rng
        Where the random bits come from.

    Returns
    -------
    numpy.ndarray
        uint8 (n, 78): the seat that each card was dealt to, the number of players for the dog.
    """
    rules, seat = view.rules, view.seat
    others = any(bid_seat != seat for bid_seat, _ in _bids(view))
    worlds = sample_worlds(
        view.hand, seat, rules, _CANDIDATES * n if others else n, rng.bit_generator, view.dog
    )
    if not others:
        return worlds
    levels = bid_levels(worlds, rules)
    weights = np.ones(len(worlds))
    highest = 0
    for bidder, bid in _bids(view):
        level = LEVELS[bid]
        if bidder != seat:
            would = np.where(levels[:, bidder] > highest, levels[:, bidder], 0)
            weights[would != level] *= _MISS
        highest = max(highest, level)
    marks = (np.arange(n) + rng.random()) / n * weights.sum()
    rows = np.minimum(np.searchsorted(np.cumsum(weights), marks), len(worlds) - 1)
    kept: NDArray[np.uint8] = worlds[rows]
    return kept


def _bids(view: View) -> list[tuple[int, Bid]]:
    first = view.dealer + 1
    return [((first + turn) % view.players, bid) for turn, bid in enumerate(view.auction)]


def play_contract(
    view: View,
    worlds: NDArray[np.uint8],
    taker: int,
    contract: Contract,
    *,
    called: Card | None = None,
    discard: Callable[[Hand], Hand] | None = None,
) -> NDArray[Any]:
    """Play worlds out in which a seat takes a contract.

    Returns
    -------
    numpy.ndarray
        `RESULT_DTYPE` (n,).
    """
    rows = np.zeros(len(worlds), np.int64)
    leader = (view.dealer + 1) % view.players
    return play_taken(
        worlds,
        rows + taker,
        rows + LEVELS[contract],
        np.full(len(worlds), leader, np.uint8),
        view.rules,
        called=called,
        discard=discard,
    ).results


@dataclass(frozen=True, slots=True)
class Auctioned:
    """What became of worlds after a bid, a row each.

    Attributes
    ----------
    results
        `RESULT_DTYPE` (n,).
    taker, level
        As of `auction_ends`.
    attack
        uint8 (n,): the attack's seats, a bit each; 0 where nobody takes.
    """

    results: NDArray[Any]
    taker: NDArray[np.int64]
    level: NDArray[np.int64]
    attack: NDArray[np.uint8]


def auction_ends(
    view: View, levels: NDArray[np.int64], own: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Let the auction go on by the counts after the seat has bid.

    Parameters
    ----------
    view
        In the auction, the seat's turn.
    levels
        From `bid_levels`.
    own
        The level that the seat bids.

    Returns
    -------
    taker, level : numpy.ndarray
        int64 (n,): who takes, −1 for nobody, and how high.
    """
    n = len(levels)
    taker, highest = np.full(n, -1), np.zeros(n, np.int64)
    for bidder, bid in [*_bids(view), (view.seat, own)]:
        level = LEVELS[bid] if isinstance(bid, str) else bid
        if level:
            taker[:], highest[:] = bidder, level
    spoken = len(view.auction) + 1
    for turn in range(spoken, view.players):
        bidder = (view.dealer + 1 + turn) % view.players
        higher = levels[:, bidder] > highest
        taker[higher], highest[higher] = bidder, levels[higher, bidder]
    return taker, highest


def play_auctions(view: View, worlds: NDArray[np.uint8], bids: Sequence[int]) -> list[Auctioned]:
    """Play worlds out after each bid that the seat might make.

    What comes to the same in a world is played once: another takes it whatever the seat bids,
    or the taker plays with the dog, in a Prise as in a Garde.

    Parameters
    ----------
    view
        In the auction, the seat's turn.
    worlds
        uint8 (n, 78), from `dealt_worlds`.
    bids
        Levels that the seat might bid.
    """
    n, rules = len(worlds), view.rules
    levels = bid_levels(worlds, rules)
    ends = [auction_ends(view, levels, own) for own in bids]
    takers = np.concatenate([taker for taker, _ in ends])
    heights = np.concatenate([level for _, level in ends])
    rows = np.tile(np.arange(n), len(ends))
    # Of the contracts with the dog one stands for all.
    played = np.where((heights > 0) & (heights <= LEVELS["garde"]), LEVELS["garde"], heights)
    keys = (rows * (rules.players + 1) + takers + 1) * len(LEVELS) + played
    _, first, place = np.unique(keys, return_index=True, return_inverse=True)
    taken = play_taken(
        worlds[rows[first]],
        takers[first],
        played[first],
        np.full(len(first), (view.dealer + 1) % view.players, np.uint8),
        rules,
    )
    parts = np.split(place, len(ends))
    return [
        Auctioned(taken.results[part], taker, level, taken.attack[part])
        for part, (taker, level) in zip(parts, ends, strict=True)
    ]
