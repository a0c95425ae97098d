"""The engine's position, for the native modules that search from it."""

from libc.stdint cimport int8_t, int16_t

from tarot_sim._rules cimport State

cdef packed struct Outcome:
    int16_t attack_half_points
    int8_t bouts
    int8_t petit_au_bout
    int8_t chelem
    int8_t padding  # an array of RESULT_DTYPE is aligned: six bytes an item

cdef void store(const State* state, Outcome* outcome) noexcept nogil

cdef class Position:
    cdef State state
    cdef State* history   # states before each play, oldest first
    cdef int played       # how many
    cdef int capacity
    cdef unsigned char moves[78]   # public numbers of the cards played
    cdef readonly object rules
    cdef int _push(self) except -1
