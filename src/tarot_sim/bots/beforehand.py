"""What bids, calls and écarts are worth: whole deals played out by habits in sampled worlds.

In each world everybody bids, discards and plays as a player of habits, seeing the own cards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tarot_sim._core import RESULT_DTYPE
from tarot_sim.bots._playing import play_deals
from tarot_sim.bots.habits import habits, thresholds
from tarot_sim.rules import CONTRACTS, Contract, Rules
from tarot_sim.rules.auction import callable_cards
from tarot_sim.worlds._counts import chavey_counts
from tarot_sim.worlds._sampler import sample_worlds
from tarot_sim.worlds.contract_deals import contract_deals

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.random import Generator
    from numpy.typing import NDArray

    from tarot_sim.cards import Card, Hand
    from tarot_sim.deals.view import View
    from tarot_sim.rules.table import Bid

#: Worlds drawn for each one that is kept where bids are weighed.
_CANDIDATES: Final = 8
#: What a bid that the counts would not have made takes from a world's weight.
_MISS: Final = 0.15
#: The level of each bid.
LEVELS: Final[dict[str, int]] = {"pass": 0, **{name: i + 1 for i, name in enumerate(CONTRACTS)}}


def bid_levels(worlds: NDArray[np.uint8], rules: Rules) -> NDArray[np.int64]:
    """Return how high each seat would bid by its count in each world.

    Parameters
    ----------
    worlds
        uint8 (n, 78): hands as dealt, the number of players for the dog.
    rules
        The table.

    Returns
    -------
    numpy.ndarray
        int64 (n, players): 0 pass, 1 Prise … 4 Garde contre.
    """
    counts = chavey_counts(worlds, rules.players)
    limits = thresholds(rules)
    levels = np.zeros(counts.shape[:2], np.int64)
    for level, contract in enumerate(CONTRACTS, 1):
        column = counts[:, :, 1 if level > 2 else 0]
        levels[column >= limits[contract]] = level
    return levels


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
    leader = (view.dealer + 1) % view.players
    deals = contract_deals(
        worlds,
        view.rules,
        contract,
        np.full(len(worlds), leader, np.uint8),
        taker=taker,
        called=called,
        discard=discard,
    )
    weights = np.repeat(habits(view.rules)[None], view.players, axis=0)
    results, _ = play_deals(deals, np.full(len(worlds), taker, np.uint8), weights)
    return results


def habit_calls(worlds: NDArray[np.uint8], taker: int, rules: Rules) -> NDArray[np.int64]:
    """Return the card that a taker of habits calls in each world."""
    from tarot_sim.bots.rules_bot import choose_call
    from tarot_sim.cards import Hand

    called = np.empty(len(worlds), np.int64)
    known: dict[bytes, int] = {}
    for row, held in enumerate(worlds == taker):
        key = held.tobytes()
        if key not in known:
            hand = Hand(np.flatnonzero(held).tolist())
            known[key] = choose_call(hand, callable_cards(hand, rules))
        called[row] = known[key]
    return called


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


def play_auctions(
    view: View, worlds: NDArray[np.uint8], own: int
) -> tuple[NDArray[Any], NDArray[np.int64], NDArray[np.int64], NDArray[np.uint8]]:
    """Play worlds out after the seat's bid.

    Returns
    -------
    results : numpy.ndarray
        `RESULT_DTYPE` (n,).
    taker, level : numpy.ndarray
        As of `auction_ends`.
    attack : numpy.ndarray
        uint8 (n,): the attack's seats, a bit each; 0 where nobody takes.
    """
    from tarot_sim.cards import CARDS
    from tarot_sim.worlds.contract_deals import attack_of

    taker, level = auction_ends(view, bid_levels(worlds, view.rules), own)
    results = np.zeros(len(worlds), RESULT_DTYPE)
    attack = np.zeros(len(worlds), np.uint8)
    called = np.full(len(worlds), -1)
    for seat in range(view.players):
        rows = np.flatnonzero(taker == seat)
        if view.players == 5 and rows.size:
            called[rows] = habit_calls(worlds[rows], seat, view.rules)
        for number, contract in enumerate(CONTRACTS, 1):
            for card in np.unique(called[rows[level[rows] == number]]).tolist():
                group = rows[(level[rows] == number) & (called[rows] == card)]
                call = None if card < 0 else CARDS[card]
                results[group] = play_contract(view, worlds[group], seat, contract, called=call)
                attack[group] = attack_of(worlds[group], view.rules, seat, call)
    return results, taker, level, attack
