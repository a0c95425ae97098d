"""The engine's position, for the native modules that search from it."""

from libc.stdint cimport int8_t, int16_t

from tarot_sim._cards cimport PACK
from tarot_sim._rules cimport State

cdef struct ResultRow:
    # An item of an array of RESULT_DTYPE.
    int16_t attack_half_points
    int8_t bouts
    int8_t petit_au_bout
    int8_t chelem

cdef void write_result(const State* state, ResultRow* row) noexcept nogil
cdef int options_of(object rules) except -1

cdef class Position:
    cdef State state
    cdef State* history   # states before each play, oldest first
    cdef int played       # how many
    cdef int capacity
    cdef unsigned char moves[PACK]   # public numbers of the cards played
    cdef readonly object rules
    cdef int _push(self) except -1
