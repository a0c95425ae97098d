"""The double-dummy search as a Python object that keeps its table across calls."""

from libc.stdint cimport int16_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport free, malloc

from tarot_sim._core cimport Position
from tarot_sim._rules cimport State
from tarot_sim._search cimport (
    Search,
    UNBOUNDED,
    WIDE,
    final_value,
    search_clock,
    search_close_in,
    search_limit,
    search_open,
    search_raise,
    search_value,
    search_window,
    value_bounds,
)
from tarot_sim._table cimport LEAST_TABLE, Table, table_clear, table_close, table_open

import numpy as np

from tarot_sim.errors import PositionError

#: Memory of a solver's table unless the caller says otherwise.
DEFAULT_TABLE_BYTES = 64 << 20

cdef enum:
    # Goals stay far inside the table's 16 bits.
    LARGEST = 4000


cdef class Objective:
    """What the attack maximises, as numbers for the search.

    The value of a finished deal is the attack's half points − ``need[bouts]`` +
    ``extra[3·(petit_au_bout + 1) + chelem + 1]``.

    Parameters
    ----------
    need
        Four numbers that do not grow, in half points, by the attack's bouts.
    extra
        Nine numbers, in half points.
    """

    def __init__(self, need=(0, 0, 0, 0), extra=(0,) * 9):
        cdef int item
        if len(need) != 4 or len(extra) != 9:
            raise PositionError("objective: expected 4 needs and 9 extras")
        if any(abs(number) > LARGEST for number in (*need, *extra)):
            raise PositionError(f"objective: a number is beyond ±{LARGEST}")
        if any(left < right for left, right in zip(need, need[1:])):
            raise PositionError("objective: the need may not grow with the bouts")
        for item in range(4):
            self.goal.need[item] = need[item]
        for item in range(9):
            self.goal.extra[item] = extra[item]
        self.goal.no_extra = not any(extra)


cdef class Solver:
    """An exact double-dummy search with a table of its own.

    The table is kept from call to call, whatever the deal and the objective, so that
    related questions are answered faster; the answers do not depend on it. A solver
    must not be used by two threads at once.

    Parameters
    ----------
    table_bytes
        Upper limit of the table's memory, at least 1024.
    """

    cdef Table table
    cdef readonly uint64_t table_bytes
    cdef bint busy

    def __cinit__(self, table_bytes=DEFAULT_TABLE_BYTES):
        if table_bytes < LEAST_TABLE:
            raise ValueError(f"table_bytes: {table_bytes} is less than {LEAST_TABLE}")
        if not table_open(&self.table, table_bytes):
            raise MemoryError(f"no memory for a table of {table_bytes} bytes")
        self.table_bytes = table_bytes
        self.busy = False

    def __dealloc__(self):
        table_close(&self.table)

    def clear(self):
        """Forget all that the table holds."""
        self._take()
        table_clear(&self.table)
        self.busy = False

    cdef int _take(self) except -1:
        if self.busy:
            raise RuntimeError("this solver is at work in another thread; use one a thread")
        self.busy = True
        return 0

    def bounds(self, Position position not None, Objective objective not None):
        """Return sound (lower, upper) bounds of the value without any search."""
        cdef int lower = -UNBOUNDED, upper = UNBOUNDED
        if position.state.count == 0 and position.state.tricks_left > 1:
            value_bounds(&position.state, &objective.goal, &lower, &upper)
        else:
            # In the middle of a trick and in the last one the short proofs do not hold.
            lower = -(max(objective.goal.need[0], 0) + 182) - LARGEST
            upper = 182 - objective.goal.need[3] + LARGEST
        return lower, upper

    def value(
        self,
        Position position not None,
        Objective objective not None,
        lower=None,
        upper=None,
        guess=None,
        nodes=None,
        seconds=None,
    ):
        """Narrow the value of a position to one number, or as far as the budget goes.

        Parameters
        ----------
        position
            Any point of the play.
        objective
            What the attack maximises.
        lower, upper
            What is known of the value; by default what follows without search.
        guess
            Where to look first, without a budget.
        nodes, seconds
            Budget, none by default. With one the bounds close in from outside, so that
            they are as tight as they can be when it ends.

        Returns
        -------
        tuple of int
            (lower, upper, nodes): sound bounds, equal when the search finished.
        """
        cdef Search search
        cdef int low, high, first
        cdef uint8_t widths[4]
        cdef int item
        if lower is not None and upper is not None and lower > upper:
            raise PositionError(f"lower: {lower} is above upper, {upper}")
        sure_low, sure_high = self.bounds(position, objective)
        low = sure_low if lower is None else max(lower, sure_low)
        high = sure_high if upper is None else min(upper, sure_high)
        first = (low + high) // 2 if guess is None else min(max(guess, low), high)
        for item in range(4):
            widths[item] = WIDE
        self._take()
        try:
            search_open(&search, &self.table, &objective.goal, &position.state, widths)
            self._limit(&search, nodes, seconds)
            with nogil:
                if search.node_limit or search.deadline > 0:
                    search_close_in(&search, &position.state, &low, &high)
                else:
                    search_value(&search, &position.state, first, &low, &high)
        finally:
            self.busy = False
        search_raise(&search)
        return low, high, search.nodes

    def at_least(
        self,
        Position position not None,
        Objective objective not None,
        threshold,
        nodes=None,
        seconds=None,
    ):
        """Tell whether the value is at least `threshold`, by one zero window.

        Returns
        -------
        tuple
            (answer, nodes); the answer is None where the budget ended the search.
        """
        cdef Search search
        cdef int value, beta = threshold
        cdef uint8_t widths[4]
        cdef int item
        for item in range(4):
            widths[item] = WIDE
        self._take()
        try:
            search_open(&search, &self.table, &objective.goal, &position.state, widths)
            self._limit(&search, nodes, seconds)
            with nogil:
                value = search_window(&search, &position.state, beta)
        finally:
            self.busy = False
        search_raise(&search)
        return None if search.stopped else value >= beta, search.nodes

    def many(
        self,
        positions,
        Objective objective not None,
        threshold=None,
        nodes=None,
        seconds=None,
    ):
        """Search many positions in one call, with the GIL released.

        Parameters
        ----------
        positions : sequence of Position
            Of any deals.
        objective
            What the attack maximises.
        threshold : int, optional
            Only find out whether each value reaches it; by default each is narrowed to
            one number.
        nodes, seconds
            Budget of each position.

        Returns
        -------
        tuple of numpy.ndarray
            int16 (n, 2): sound bounds of each value; with a threshold the lower one is at
            least that where the answer is yes, the upper one below it where it is no.
            int64 (n,): nodes.
        """
        cdef Search search
        cdef Position position
        cdef State* states = NULL
        cdef Py_ssize_t row, rows = len(positions)
        cdef int low, high, value, item
        cdef bint window = threshold is not None
        cdef int beta = threshold if window else 0
        cdef double budget = -1
        cdef uint8_t widths[4]
        cdef int16_t[:, ::1] bound
        cdef int64_t[::1] count
        bounds = np.empty((rows, 2), np.int16)
        counts = np.zeros(rows, np.int64)
        bound = bounds
        count = counts
        for item in range(4):
            widths[item] = WIDE
        search.looked_at = 0
        search.node_limit = 0
        search.deadline = 0
        self._limit(&search, nodes, seconds)
        cdef uint64_t limit = search.node_limit
        if seconds is not None:
            budget = seconds
        self._take()
        try:
            states = <State*>malloc(max(1, rows) * sizeof(State))
            if states == NULL:
                raise MemoryError
            for row in range(rows):
                position = positions[row]
                states[row] = position.state
                low, high = self.bounds(position, objective)
                bound[row, 0] = low
                bound[row, 1] = high
            search.error = NULL
            with nogil:
                for row in range(rows):
                    search_open(&search, &self.table, &objective.goal, &states[row], widths)
                    search_limit(&search, limit)
                    if budget >= 0:
                        search.deadline = search_clock() + budget
                    low = bound[row, 0]
                    high = bound[row, 1]
                    if states[row].tricks_left == 0:
                        low = final_value(&states[row], &objective.goal)
                        high = low
                    elif not window and (limit or budget >= 0):
                        search_close_in(&search, &states[row], &low, &high)
                    elif not window:
                        search_value(&search, &states[row], (low + high) >> 1, &low, &high)
                    elif low < beta <= high:
                        value = search_window(&search, &states[row], beta)
                        if not search.stopped:
                            if value >= beta:
                                low = value
                            else:
                                high = value
                    bound[row, 0] = low
                    bound[row, 1] = high
                    count[row] = search.nodes
                    if search.error != NULL:
                        break
        finally:
            free(states)
            self.busy = False
        search_raise(&search)
        return bounds, counts

    cdef int _limit(self, Search* search, nodes, seconds) except -1:
        if nodes is not None:
            if nodes < 0:
                raise PositionError(f"nodes: {nodes} is below 0")
            # At least one node, so that a budget of zero is not "no limit".
            search_limit(search, min(max(1, nodes), 1 << 62))
        if seconds is not None:
            if not seconds >= 0:
                raise PositionError(f"seconds: {seconds} is not 0 or more")
            search.deadline = search_clock() + seconds
        return 0
