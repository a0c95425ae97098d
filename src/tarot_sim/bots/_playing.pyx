"""Whole deals played by players of habits, by the array, each seeing the own cards only."""

from libc.stdint cimport uint8_t

from tarot_sim._cards cimport Cards, PACK, card_of_code, code_of_card
from tarot_sim._core cimport ResultRow, write_result
from tarot_sim._rules cimport State, play_code
from tarot_sim._signals cimport check_signals
from tarot_sim.bots._habits cimport BLOCKS, Choice, TRAITS, choose_card
from tarot_sim.bots._seen cimport NO_CODE, Seen, put_aside, see_card, start_seen
from tarot_sim.worlds._block cimport _Batch

import numpy as np

from tarot_sim._core import RESULT_DTYPE
from tarot_sim.arguments import own_array
from tarot_sim.errors import OptionError
from tarot_sim.rules import DOG_CONTRACTS

#: Shape of a player's weights.
HABITS_SHAPE = (BLOCKS, TRAITS)

cdef enum:
    NO_CALL = 255
    DEALS_AT_A_TIME = 512  # some 10 ms between looks for signals


def play_deals(deals, taker, habits, *, open_call=None, plays=False):
    """Play deals out by habits, every seat seeing its own cards only.

    Parameters
    ----------
    deals : Deals
        What to play.
    taker : numpy.ndarray
        uint8 (n,): the taker's seat.
    habits : numpy.ndarray
        float32 (players, 6, 48): the weights of each seat.
    open_call : numpy.ndarray, optional
        bool (n,): whether all have seen the called card before the first trick: it lay in the
        dog. By default nobody has.
    plays : bool
        Whether the cards are wanted.

    Returns
    -------
    results : numpy.ndarray
        `RESULT_DTYPE` (n,).
    cards : numpy.ndarray or None
        uint8 (n, cards): what was played, in order.
    """
    cdef _Batch batch = _Batch(deals)
    cdef bint takes_dog = deals.contract in DOG_CONTRACTS
    cdef int players = batch.players
    cdef Py_ssize_t row, rows = batch.rows, ply
    cdef const uint8_t* called = batch.block.called
    seats = own_array("taker", taker, np.uint8, (rows,))
    if rows and int(seats.max()) >= players:
        raise OptionError("taker: expected a seat for each deal")
    cdef const uint8_t[::1] takers = seats
    cdef const uint8_t[::1] opened = (
        np.zeros(rows, np.uint8)
        if open_call is None
        else own_array("open_call", open_call, np.bool_, (rows,)).view(np.uint8)
    )
    cdef const float[:, :, ::1] weights = own_array(
        "habits", habits, np.float32, (players, BLOCKS, TRAITS)
    )
    results = np.zeros(rows, RESULT_DTYPE)
    cdef ResultRow[::1] result = results
    cdef bint keep = plays
    cards = np.zeros((rows, players * batch.tricks), np.uint8) if keep else None
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
            batch.read(row, &state)
            aside.suits = 0
            aside.trumps = 0
            if takes_dog:
                put_aside(&batch.block.owners[PACK * row], players, &aside)
            start_seen(
                &seen, takers[row],
                code_of_card(called[row]) if called[row] != NO_CALL else NO_CODE, &aside,
            )
            if opened[row]:
                seen.open = True
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
