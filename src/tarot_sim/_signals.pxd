"""Ctrl-C in native loops: one way for all of them.

A loop that may take longer than some tens of milliseconds calls `check_signals` every few of
them. In the main thread the handlers of signals run there; in another thread an exception
that was sent to it is raised (see `tarot_sim.parallel`), which only happens in Python code.
"""

from cpython.exc cimport PyErr_CheckSignals


cdef inline int check_signals() except -1 nogil:
    """Raise what a signal's handler raises, or what was sent to this thread."""
    with gil:
        PyErr_CheckSignals()
        from tarot_sim.parallel import breathe

        breathe()
    return 0
