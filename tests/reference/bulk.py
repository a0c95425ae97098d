"""The rules of the auction, the écart, the poignée and the play, for many deals at a time.

As plain as arrays allow: a step a card, with a count a suit and hand. Cards are numbers as in
the engine: suit × 14 + rank, trump n is 55 + n, the Excuse is 77.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

EXCUSE = 77
PETIT, ATOUT_21 = 56, 76
SIZES = {3: (24, 6), 4: (18, 6), 5: (15, 3)}
POIGNEES = {3: (13, 15, 18), 4: (10, 13, 15), 5: (8, 10, 13)}
NONE = 255


def faults_of_auction(bids: Array, dealers: Array, taker: Array, level: Array) -> Array:
    """Tell of each deal whether a bid was too low, or another than the highest bidder takes."""
    n, players = bids.shape
    rows = np.arange(n)
    wrong: Array = np.zeros(n, bool)
    highest: Array = np.zeros(n, int)
    bidder: Array = np.full(n, -1)
    for turn in range(1, players + 1):
        seat: Array = (dealers + turn) % players
        bid = bids[rows, seat].astype(int)
        wrong |= (bid > 0) & (bid <= highest)
        bidder = np.where(bid > highest, seat, bidder)
        highest = np.maximum(highest, bid)
    wrong |= (taker != bidder) | (level != highest)
    return wrong


def faults_of_call(worlds: Array, taker: Array, called: Array) -> Array:
    """Five players: tell whether a card was called that may not be; Rois come first."""
    wrong: Array = np.zeros(len(worlds), bool)
    held = worlds == taker[:, None]
    allowed = np.ones(len(worlds), bool)  # whether all higher ranks are held
    for rank in (13, 12, 11, 10):
        rung = [14 * suit + rank for suit in range(4)]
        mine = held[:, rung].all(axis=1)
        here = np.isin(called, rung)
        wrong |= here & (~allowed | mine & (rank > 10))
        allowed &= mine
    wrong |= ~np.isin(called % 14, (10, 11, 12, 13)) | (called >= 56)
    return wrong


def faults_of_discard(worlds: Array, owners: Array, taker: Array, players: int) -> Array:
    """Tell whether an écart holds what it may not, or another hand has changed."""
    size = SIZES[players][1]
    both = (worlds == taker[:, None]) | (worlds == players)
    discard = owners == players
    wrong: Array = (discard & ~both).any(axis=1) | (discard.sum(axis=1) != size)
    wrong |= ((owners != worlds) & ~both).any(axis=1)
    wrong |= (both & ~discard & (owners != taker[:, None])).any(axis=1)
    rois = discard[:, [13, 27, 41, 55]].any(axis=1)
    bouts = discard[:, [PETIT, ATOUT_21, EXCUSE]].any(axis=1)
    plain = both[:, :56].sum(axis=1) - both[:, [13, 27, 41, 55]].sum(axis=1)
    trumps = discard[:, 56:77].sum(axis=1)
    wrong |= rois | bouts | (trumps != np.maximum(0, size - plain))
    return wrong


def faults_of_poignee(owners: Array, discard: Array, taker: Array, level: Array) -> Array:
    """Tell whether the taker shows trumps that are not there; `discard`: the écart counts."""
    players = int(owners.max())
    mine = (owners == taker[:, None]) | (discard[:, None] & (owners == players))
    trumps = mine[:, 56:78].sum(axis=1)
    wrong: Array = trumps < np.array([0, *POIGNEES[players]])[level]
    return wrong


def faults_of_play(owners: Array, plays: Array, leaders: Array, called: Array) -> Array:
    """Tell whether a card was played out of turn or against a duty, or is missing.

    Parameters: owners (n, 78) when the play begins, plays (n, cards), leaders (n,), called (n,)
    with 255 where no card is called.
    """
    n = len(owners)
    players = int(owners.max())
    tricks = SIZES[players][0]
    rows = np.arange(n)
    wrong: Array = np.zeros(n, bool)
    suit_of = np.minimum(np.arange(78) // 14, 4)  # 4 for trumps; the Excuse's is not asked
    counts = np.zeros((n, players, 5), int)
    top = np.zeros((n, players, 78), bool)
    for player in range(players):
        top[:, player] = owners == player
        for suit in range(5):
            cards = np.flatnonzero((suit_of == suit) & (np.arange(78) != EXCUSE))
            counts[:, player, suit] = top[:, player][:, cards].sum(axis=1)
    leader = leaders.astype(int)
    for trick in range(tricks):
        led = np.full(n, -1)
        high, best, winner = np.zeros(n, int), np.full(n, -1), leader.copy()
        for place in range(players):
            seat: Array = (leader + place) % players
            card = plays[:, trick * players + place].astype(int)
            wrong |= ~top[rows, seat, card]
            top[rows, seat, card] = False
            suit, excuse = suit_of[card], card == EXCUSE
            trump = (suit == 4) & ~excuse
            number = np.where(trump, card - 55, 0)
            if trick == 0:
                opens = (led < 0) & ~excuse & (place == 0) & (called < 56)
                wrong |= opens & (suit == called // 14) & (card != called)
            # The duties, with the hand as it was before the card.
            mine = counts[rows, seat]
            has_led = np.where(led >= 0, mine[rows, np.maximum(led, 0)] > 0, False)
            follows = ~excuse & (led >= 0)
            wrong |= follows & (led < 4) & has_led & (suit != led)
            must_trump = follows & ((led == 4) | ~has_led) & (mine[:, 4] > 0)
            wrong |= must_trump & ~trump
            # Who can go over the highest trump has to.
            held = top[rows, seat]
            above = (np.arange(56, 77)[None] - 55 > high[:, None]) & held[:, 56:77]
            wrong |= must_trump & trump & (number <= high) & above.any(axis=1)
            counts[rows, seat, suit] -= ~excuse
            led = np.where((led < 0) & ~excuse, suit, led)
            over = trump & (number > high)
            beats = ~trump & ~excuse & (suit == led) & (high == 0) & (card > best)
            winner = np.where(over | beats, seat, winner)
            best = np.where(beats, card, best)
            high = np.maximum(high, number)
        leader = winner
    wrong |= top.any(axis=(1, 2))
    return wrong
