"""Zero-window alpha-beta over the play of the cards, with a table of theorems.

The value of a finished deal is ``attack's half points − need[bouts] +
extra[Petit au bout][chelem]``: every objective is a choice of these numbers (see
`Goal`). The attack maximises it.
"""

from cpython.ref cimport PyObject
from libc.stdint cimport int16_t, uint8_t, uint64_t

from tarot_sim._bits cimport popcount32
from tarot_sim._rules cimport ATTACK, DEFENCE, State
from tarot_sim.solver._table cimport Table

cdef enum:
    UNBOUNDED = 16000    # beyond every value
    WIDE = 255           # a width that cuts no list of moves
    LEAD = 0
    REPLY = 1

cdef struct Goal:
    int16_t need[4]      # half points needed, by the attack's bouts
    int16_t extra[9]     # 3·(Petit au bout + 1) + chelem + 1
    bint no_extra        # all of these are 0

cdef struct Search:
    Table* table
    const Goal* goal
    uint64_t salt        # goal, attack, options and widths: tells their entries apart
    uint8_t widths[4]    # moves tried: defence lead, reply, attack lead, reply
    uint64_t nodes
    uint64_t node_limit  # see search_limit
    uint64_t looked_at   # nodes when the clock and the signals were last looked at
    uint64_t look_at     # nodes at which to look for limits again
    double deadline      # in seconds of the monotonic clock, 0 for none
    const uint8_t* cancelled  # not 0 once another thread wants an end; or NULL
    bint stopped         # a limit or a signal; the value returned is meaningless
    PyObject* error      # raised by a signal's handler meanwhile; see search_raise

cdef void search_open(
    Search* search, Table* table, const Goal* goal, const State* state, const uint8_t* widths
) noexcept nogil
cdef void search_limit(Search* search, uint64_t nodes) noexcept nogil
cdef int search_window(Search* search, const State* state, int beta) noexcept nogil
cdef int search_value(
    Search* search, const State* state, int guess, int* lower, int* upper
) noexcept nogil
cdef void search_close_in(
    Search* search, const State* state, int* lower, int* upper
) noexcept nogil
cdef void value_bounds(
    const State* state, const Goal* goal, int* lower, int* upper
) noexcept nogil
cdef void search_line(Search* search, State* state, int value) noexcept nogil
cdef double search_clock() noexcept nogil
cdef int search_raise(Search* search) except -1
cdef int policy_card(const State* state) noexcept nogil


cdef inline int final_value(const State* state, const Goal* goal) noexcept nogil:
    """Return the value of a finished deal."""
    cdef int chelem = 1
    if state.won == ATTACK:
        chelem = 2
    elif state.won == DEFENCE:
        chelem = 0
    return (
        state.attack_points
        - goal.need[popcount32(state.bouts)]
        + goal.extra[3 * (state.petit_au_bout + 1) + chelem]
    )
