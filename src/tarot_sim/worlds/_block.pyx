"""Whole deals in one piece of memory that nobody can write to, and the check of them.

The piece is a `bytes` object: arrays look into it, native code reads it. What has been checked
of it stays true.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from libc.stdint cimport int16_t, uint8_t
from libc.string cimport memset

from tarot_sim._cards cimport HALF_POINTS, PACK, add_code, code_of_card
from tarot_sim._core cimport options_of
from tarot_sim._rules cimport State, start_play

import numpy as np

from tarot_sim.arguments import instance_of, whole_number
from tarot_sim.errors import OptionError, PositionError
from tarot_sim.rules import checked_rules

cdef enum:
    ROW = PACK + 6       # bytes of a deal
    CARD_PETIT = 56
    CARD_21 = 76
    CARD_EXCUSE = 77
    NO_CALL = 255


cdef Block layout(const char* memory, Py_ssize_t rows) noexcept:
    cdef Block block
    cdef const uint8_t* start = <const uint8_t*>memory
    block.rows = rows
    block.owners = start
    block.half_points = <const int16_t*>(start + PACK * rows)
    block.attack = start + (PACK + 2) * rows
    block.leader = block.attack + rows
    block.bouts = block.leader + rows
    block.called = block.bouts + rows
    return block


cdef int open_block(Block* block, object data, int players, int size) except -1:
    """Look into a piece of memory; every row is checked, whoever has made it.

    Raises
    ------
    OptionError
        If it is none.
    PositionError
        If a row is no deal of `players` hands of `size` cards; the message names the column.
    """
    cdef Py_ssize_t row
    if type(data) is not bytes or PyBytes_GET_SIZE(data) % ROW:
        raise OptionError("deals: never set up")
    block[0] = layout(PyBytes_AS_STRING(data), PyBytes_GET_SIZE(data) // ROW)
    for row in range(block.rows):
        check_row(block, row, players, size)
    return 0


cdef int check_row(const Block* block, Py_ssize_t row, int players, int size) except -1:
    cdef const uint8_t* owner = block.owners + row * PACK
    cdef uint8_t called = block.called[row]
    cdef int card, seat, most = 0, outside
    cdef int[6] held
    for seat in range(6):
        held[seat] = 0
    for card in range(PACK):
        if owner[card] > players:
            raise PositionError(f"owners: {owner[card]} is no place at {players} players")
        held[owner[card]] += 1
        if owner[card] == players:
            most += HALF_POINTS[code_of_card(card)]
    for seat in range(players):
        if held[seat] != size:
            raise PositionError(f"owners: seat {seat} does not hold {size} cards in every row")
    if block.leader[row] >= players:
        raise PositionError(f"leader: seat {block.leader[row]}")
    if not 0 < block.attack[row] < (1 << players) - 1:
        raise PositionError("attack: neither nobody nor everybody")
    # All that is not played may be the attack's, and no bout that is played.
    if not 0 <= block.half_points[row] <= most:
        raise PositionError("half_points: not those of cards that are not played, in every row")
    outside = (
        (owner[CARD_PETIT] == players)
        | (owner[CARD_21] == players) << 1
        | (owner[CARD_EXCUSE] == players) << 2
    )
    if block.bouts[row] & ~outside:
        raise PositionError("bouts: not of cards that are not played, in every row")
    if called != NO_CALL and (called >= CARD_PETIT or players != 5):
        raise PositionError("called: not a card of a suit, called at 5 players, in every row")
    return 0


cdef const uint8_t[:] column(str name, object values, Py_ssize_t rows) except *:
    cdef const uint8_t[:] found
    if issubclass(type(values), np.ndarray):
        try:
            found = values
        except ValueError:  # of another type or number of axes
            pass
        else:
            if found.shape[0] == rows:
                return found
    raise OptionError(f"{name}: expected an array of uint8, shape ({rows},)")


def pack_deals(owners, attack, leader, half_points, bouts, called, players, size):
    """Return the columns of `Deals` as one piece of memory, copied and checked.

    Parameters
    ----------
    owners : numpy.ndarray
        uint8 (n, 78).
    attack, leader, bouts, called : numpy.ndarray
        uint8 (n,).
    half_points : numpy.ndarray
        int16 (n,).
    players : int
        Players at the table.
    size : int
        Cards of a hand.

    Returns
    -------
    bytes
        The owners, then the half points, then the other columns in their order, row by row.

    Raises
    ------
    OptionError
        If an array is of another type or shape.
    PositionError
        If a row is no deal.
    """
    cdef const uint8_t[:, :] places
    cdef const int16_t[:] points
    cdef const uint8_t[:] camps, leaders, outside, calls
    cdef Py_ssize_t row, rows = -1
    cdef int card, table = whole_number("players", players, 3, 5)
    cdef int cards = whole_number("size", size, 1, PACK)
    cdef Block block
    cdef uint8_t* memory
    if issubclass(type(owners), np.ndarray):
        try:
            places = owners
        except ValueError:
            pass
        else:
            rows = places.shape[0] if places.shape[1] == PACK else -1
    if rows < 0:
        raise OptionError("owners: expected an array of uint8, shape (n, 78)")
    camps = column("attack", attack, rows)
    leaders = column("leader", leader, rows)
    outside = column("bouts", bouts, rows)
    calls = column("called", called, rows)
    points = None
    if issubclass(type(half_points), np.ndarray):
        try:
            # The numbers of a column of records may lie at any address.
            points = np.require(half_points, requirements="A")
        except ValueError:
            pass
    if points is None or points.shape[0] != rows:
        raise OptionError(f"half_points: expected an array of int16, shape ({rows},)")
    data = PyBytes_FromStringAndSize(NULL, ROW * rows)
    block = layout(PyBytes_AS_STRING(data), rows)
    memory = <uint8_t*>PyBytes_AS_STRING(data)
    for row in range(rows):
        for card in range(PACK):
            memory[PACK * row + card] = places[row, card]
        (<int16_t*>block.half_points)[row] = points[row]
        (<uint8_t*>block.attack)[row] = camps[row]
        (<uint8_t*>block.leader)[row] = leaders[row]
        (<uint8_t*>block.bouts)[row] = outside[row]
        (<uint8_t*>block.called)[row] = calls[row]
    open_block(&block, data, table, cards)
    return data


cdef class _Batch:
    """The arrays of `Deals`, to read deals from without the GIL.

    Parameters
    ----------
    deals : Deals
        The deals.
    """

    def __cinit__(self, deals):
        from tarot_sim.worlds.batch import Deals  # which imports this module

        rules = checked_rules(instance_of("deals", deals, Deals).rules)
        self.data = deals._block
        self.players = rules.players
        self.tricks = rules.hand_size
        self.options = options_of(rules)
        # Checked once more: though a batch is frozen, whoever wants to can put something else
        # into it.
        open_block(&self.block, self.data, self.players, self.tricks)
        self.rows = self.block.rows

    cdef void read(self, Py_ssize_t row, State* state) noexcept nogil:
        """Set a state to the start of the play of one deal."""
        cdef const Block* block = &self.block
        cdef const uint8_t* owner = block.owners + PACK * row
        cdef int card, code
        memset(state, 0, sizeof(State))
        for card in range(PACK):
            if owner[card] < self.players:
                code = code_of_card(card)
                add_code(&state.hands[owner[card]], code)
                state.live_points += HALF_POINTS[code]
        state.attack = block.attack[row]
        state.options = self.options
        state.bouts = block.bouts[row]
        state.attack_points = block.half_points[row]
        start_play(state, self.players, self.tricks, block.leader[row], block.called[row])
