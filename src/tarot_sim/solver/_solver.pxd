"""Objectives and tables, for the native modules that search with them."""

from libc.stdint cimport uint64_t

from tarot_sim._rules cimport State
from tarot_sim.solver._search cimport ObjectiveNumbers
from tarot_sim.solver._table cimport Table

cdef uint64_t open_table(Table* table, object table_bytes) except 0

cdef class Objective:
    cdef ObjectiveNumbers numbers
cdef void static_bounds(
    const State* state, const ObjectiveNumbers* objective, int* lower, int* upper
) noexcept nogil
