"""Whole deals in one piece of memory that nobody can write to, and readers of it."""

from libc.stdint cimport int16_t, uint8_t

from tarot_sim._rules cimport State

cdef struct Block:
    # The columns of `Deals`, each a row after the other.
    Py_ssize_t rows
    const uint8_t* owners       # 78 a row
    const int16_t* half_points
    const uint8_t* attack
    const uint8_t* leader
    const uint8_t* bouts
    const uint8_t* called

cdef int open_block(Block* block, object data, int players, int size) except -1

cdef class _Batch:
    """The arrays of `Deals`, to read deals from without the GIL."""

    cdef object data  # what `block` looks into
    cdef Block block
    cdef int players
    cdef int tricks
    cdef int options
    cdef Py_ssize_t rows
    cdef void read(self, Py_ssize_t row, State* state) noexcept nogil
