"""The objective, for the native modules that search for one."""

from tarot_sim.solver._search cimport Goal

cdef class Objective:
    cdef Goal goal
