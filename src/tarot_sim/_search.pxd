"""Zero-window alpha-beta over the play of the cards, with a table of theorems.

The value of a finished deal is ``attack's half points − need[bouts] +
extra[Petit au bout][chelem]``: every objective is a choice of these numbers (see
`Goal`). The attack maximises it.
"""

from cpython.ref cimport PyObject
from libc.stdint cimport int16_t, uint8_t, uint16_t, uint32_t, uint64_t

from tarot_sim._bits cimport popcount32
from tarot_sim._rules cimport ATTACK, DEFENCE, State

cdef enum:
    UNBOUNDED = 16000    # beyond every value
    WIDE = 255           # a width that cuts no list of moves
    LEAST_TABLE = 1024   # bytes
    LEAD = 0
    REPLY = 1

cdef struct Goal:
    int16_t need[4]      # half points needed, by the attack's bouts
    int16_t extra[9]     # 3·(Petit au bout + 1) + chelem + 1
    bint no_extra        # all of these are 0

cdef struct Entry:
    # A theorem: every position with the same base key, whose cards at the deciding
    # places belong to the same seats, has this bound (see _search.pyx).
    uint64_t places[4]   # each seat's suit cards (but the last's) among the live ones
    uint64_t deciding    # places whose owners the proof used
    uint16_t honours[5]  # each seat's honours, four bits a suit
    int16_t bound        # on value − attack's half points so far
    uint8_t is_upper
    uint8_t best         # relative card: suit and place among the live ones
    uint32_t next        # of the same base key; 0 ends the chain

cdef struct Head:
    uint64_t check       # 64 bits of the base key's hash that do not address it
    uint32_t first       # entry
    uint32_t age

cdef struct Table:
    Entry* entries       # entry 0 is not used
    Head* heads          # four a bucket, one cache line
    void* block
    uint64_t buckets     # a power of two
    uint32_t capacity    # entries
    uint32_t used
    uint32_t age         # heads of another age are empty

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
cdef void table_clear(Table* table) noexcept nogil
cdef void search_open(
    Search* search, Table* table, const Goal* goal, const State* state, const uint8_t* widths
) noexcept nogil
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
