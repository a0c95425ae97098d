"""Objectives and tables, for the native modules that search with them."""

from tarot_sim.solver._search cimport ObjectiveNumbers
from tarot_sim.solver._table cimport Table

cdef int open_table(Table* table, object table_bytes) except -1

cdef class Objective:
    cdef ObjectiveNumbers numbers
