"""Whole deals played by players of habits, by the array, each seeing the own cards only."""

from libc.stdint cimport int16_t, int32_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from tarot_sim._cards cimport CODE_EXCUSE, Cards, HALF_POINTS, MOST_CARDS, PACK, add_code, card_of_code, code_of_card
from tarot_sim._core cimport ResultRow, options_of, write_result
from tarot_sim._rules cimport State, play_code, start_play
from tarot_sim._signals cimport check_signals
from tarot_sim.bots._habits cimport BLOCKS, Choice, TRAITS, choose_card
from tarot_sim.bots._seen cimport NO_CODE, Seen, see_card, start_seen

import numpy as np

from tarot_sim._core import RESULT_DTYPE
from tarot_sim.arguments import instance_of, own_array
from tarot_sim.errors import OptionError
from tarot_sim.rules import DOG_CONTRACTS
from tarot_sim.worlds.batch import Deals

#: Shape of a player's weights.
HABITS_SHAPE = (BLOCKS, TRAITS)

cdef enum:
    DEALS_AT_A_TIME = 512  # some 10 ms between looks for signals


cdef void read_deal(
    const uint8_t* owners, int players, State* state, Cards* aside
) noexcept nogil:
    """Deal the hands to an empty state; `aside` are the cards of no hand."""
    cdef int card, code, owner
    aside.suits = 0
    aside.trumps = 0
    for card in range(PACK):
        code = code_of_card(card)
        owner = owners[card]
        if owner < players:
            add_code(&state.hands[owner], code)
            state.live_points += HALF_POINTS[code]
        else:
            add_code(aside, code)


def play_deals(deals, taker, habits, *, plays=False):
    """Play deals out by habits, every seat seeing its own cards only.

    Parameters
    ----------
    deals : Deals
        What to play.
    taker : numpy.ndarray
        uint8 (n,): the taker's seat.
    habits : numpy.ndarray
        float32 (players, 6, 48): the weights of each seat.
    plays : bool
        Whether the cards are wanted.

    Returns
    -------
    results : numpy.ndarray
        `RESULT_DTYPE` (n,).
    cards : numpy.ndarray or None
        uint8 (n, cards): what was played, in order.
    """
    deals = instance_of("deals", deals, Deals)
    cdef const uint8_t[:, ::1] owners = np.ascontiguousarray(deals.owners)
    cdef const uint8_t[::1] attack = np.ascontiguousarray(deals.attack)
    cdef const uint8_t[::1] leader = np.ascontiguousarray(deals.leader)
    cdef const int16_t[::1] half_points = np.ascontiguousarray(deals.half_points)
    cdef const uint8_t[::1] bouts = np.ascontiguousarray(deals.bouts)
    cdef const uint8_t[::1] called = np.ascontiguousarray(deals.called)
    cdef int players = deals.rules.players, tricks = deals.rules.hand_size
    cdef int options = options_of(deals.rules)
    cdef bint takes_dog = deals.contract in DOG_CONTRACTS
    cdef Py_ssize_t row, rows = len(deals), ply
    seats = own_array("taker", taker, np.uint8, (rows,))
    if rows and int(seats.max()) >= players:
        raise OptionError("taker: expected a seat for each deal")
    cdef const uint8_t[::1] takers = seats
    cdef const float[:, :, ::1] weights = own_array(
        "habits", habits, np.float32, (players, BLOCKS, TRAITS)
    )
    results = np.zeros(rows, RESULT_DTYPE)
    cdef ResultRow[::1] result = results
    cdef bint keep = plays
    cards = np.zeros((rows, players * tricks), np.uint8) if keep else None
    cdef uint8_t[:, ::1] played = cards
    cdef State state
    cdef Seen seen
    cdef Choice choice
    cdef Cards aside
    cdef int code
    with nogil:
        for row in range(rows):
            if row % DEALS_AT_A_TIME == 0:
                check_signals()
            memset(&state, 0, sizeof(State))
            read_deal(&owners[row, 0], players, &state, &aside)
            state.attack = attack[row]
            state.options = options
            state.bouts = bouts[row]
            state.attack_points = half_points[row]
            start_play(&state, players, tricks, leader[row], called[row])
            if not takes_dog:
                aside.suits = 0
                aside.trumps = 0
            start_seen(
                &seen, takers[row],
                code_of_card(called[row]) if called[row] != 255 else NO_CODE, &aside,
            )
            ply = 0
            while state.tricks_left:
                code = choose_card(
                    &state, &seen, &weights[state.to_move, 0, 0], &choice, NULL
                )
                if keep:
                    played[row, ply] = card_of_code(code)
                    ply += 1
                see_card(&seen, &state, code)
                play_code(&state, code)
            write_result(&state, &result[row])
    return results, cards
