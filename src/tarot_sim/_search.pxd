"""Zero-window alpha-beta over the play of the cards, with a transposition table.

The value of a finished deal is ``attack's half points − need[bouts] +
extra[Petit au bout][chelem]``: every objective is a choice of these numbers (see
`Goal`). The attack maximises it.
"""

from cpython.ref cimport PyObject
from libc.stdint cimport int16_t, uint8_t, uint16_t, uint64_t

from tarot_sim._rules cimport State

cdef enum:
    UNBOUNDED = 16000    # beyond every value
    WIDE = 255           # a width that cuts no list of moves
    LEAD = 0
    REPLY = 1

cdef struct Goal:
    int16_t need[4]      # half points needed, by the attack's bouts
    int16_t extra[9]     # 3·(Petit au bout + 1) + chelem + 1

cdef struct Entry:
    uint64_t check       # 64 bits of the position's hash that do not address it
    int16_t lower        # bounds on value − attack's half points so far
    int16_t upper
    uint8_t best         # relative card: suit and place among the live ones
    uint8_t tricks_left
    uint16_t age

cdef struct Table:
    Entry* entries       # four a bucket, one cache line
    void* block
    uint64_t buckets     # a power of two
    uint16_t age
    bint only_current    # entries of earlier ages may not be read

cdef struct Search:
    Table* table
    const Goal* goal
    uint64_t salt        # goal, attack, options and widths: tells their entries apart
    uint8_t widths[4]    # moves tried: defence lead, reply, attack lead, reply
    uint64_t nodes
    uint64_t node_limit
    double deadline      # in seconds of the monotonic clock, 0 for none
    bint stopped         # a limit or a signal; the value returned is meaningless
    PyObject* error      # raised by a signal's handler meanwhile; see search_raise

cdef bint table_open(Table* table, uint64_t bytes) noexcept nogil
cdef void table_close(Table* table) noexcept nogil
cdef void table_new_age(Table* table) noexcept nogil
cdef void table_clear(Table* table) noexcept nogil
cdef void search_open(
    Search* search, Table* table, const Goal* goal, const State* state, const uint8_t* widths
) noexcept nogil
cdef int search_window(Search* search, const State* state, int alpha, int beta) noexcept nogil
cdef int search_value(
    Search* search, const State* state, int guess, int* lower, int* upper
) noexcept nogil
cdef void value_bounds(
    const State* state, const Goal* goal, int* lower, int* upper
) noexcept nogil
cdef void search_line(Search* search, State* state, int value) noexcept nogil
cdef int search_raise(Search* search) except -1
cdef int policy_card(const State* state) noexcept nogil
