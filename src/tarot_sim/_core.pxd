"""The engine's position, for the native modules that search from it."""

from tarot_sim._rules cimport State

cdef class Position:
    cdef State state
    cdef State* history   # states before each play, oldest first
    cdef int played       # how many
    cdef int capacity
    cdef unsigned char moves[78]   # public numbers of the cards played
    cdef readonly object rules
    cdef int _push(self) except -1
