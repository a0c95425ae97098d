"""Fast judgements of whole deals, by the array: narrow searches and policy play-outs.

A *narrow* search tries only the first few moves of each list; widths that favour
neither camp make its errors even out over many deals. It proves nothing by itself.
"""

from libc.stdint cimport int8_t, int16_t, int64_t, uint64_t

from tarot_sim._cards cimport Cards, PACK, code_of_card
from tarot_sim._core cimport Position, ResultRow, write_result
from tarot_sim._rules cimport State, legal_cards, play_code
from tarot_sim._signals cimport check_signals
from tarot_sim.solver._search cimport (
    Search,
    UNBOUNDED,
    Widths,
    make_widths,
    policy_card,
    principal_variation,
    search_init,
    search_limit,
    search_raise,
    search_value,
    search_window,
    value_bounds,
)
from tarot_sim.solver._solver cimport Objective, open_table, static_bounds
from tarot_sim.solver._sweep cimport Memo, Sweep, camp_bit, sweep_search
from tarot_sim.solver._table cimport Table, table_clear, table_close
from tarot_sim.worlds._block cimport _Batch

from typing import SupportsIndex

import numpy as np

from tarot_sim._core import RESULT_DTYPE
from tarot_sim.arguments import instance_of, some, whole_number
from tarot_sim.errors import OptionError
from tarot_sim.solver._sweep import MOST_SWEEP_NODES
from tarot_sim.solver.widths import Widths as MoveWidths

#: Memory of an evaluator's table unless the caller says otherwise: part of what a judgement
#: depends on.
EVALUATOR_TABLE_BYTES = 16 << 20

cdef enum:
    NODES_AT_A_TIME = 200000  # some 20 ms between looks for signals
    NODES_OF_A_DEAL = 50      # that its preparation and a play-out take as long as


cdef class Evaluator:
    """Judges deals one by one, with a table of its own.

    No deal sees what the table holds of another: a judgement depends on its deal alone.

    Parameters
    ----------
    table_bytes : int
        Upper limit of the table's memory, at least 1024.

    Raises
    ------
    OptionError
        If that is less.
    MemoryError
        If there is no room for the table.
    """

    cdef Table table
    cdef bint busy

    def __cinit__(self, table_bytes=EVALUATOR_TABLE_BYTES):
        open_table(&self.table, table_bytes)

    def __dealloc__(self):
        table_close(&self.table)

    def reaches(self, deals, Objective objective not None, thresholds, widths, node_limit):
        """Ask of each deal, by zero windows, whether its value reaches each threshold.

        Parameters
        ----------
        deals : Deals
            What to judge.
        objective : Objective
            What the attack maximises.
        thresholds : int or sequence of int
            The value asked for; or several, in this order: a deal's later questions profit
            from what was found for its earlier ones.
        widths : Widths
            How many moves each camp tries.
        node_limit : int
            Nodes for each question, at least one.

        Returns
        -------
        verdicts : numpy.ndarray
            int8 (n,), or with several thresholds (n, thresholds): 1 yes, 0 no, −1 where
            the limit ended the search.
        nodes : numpy.ndarray
            int64 (n,).
        """
        cdef _Batch batch = _Batch(deals)
        cdef Widths moves = widths_of(widths)
        cdef bint single = isinstance(thresholds, SupportsIndex)
        cdef const int16_t[::1] betas = np.array(
            [
                whole_number("thresholds", number, -UNBOUNDED, UNBOUNDED)
                for number in ([thresholds] if single else some("thresholds", thresholds))
            ],
            np.int16,
        )
        cdef uint64_t limit = whole_number("node_limit", node_limit, 0) or 1
        cdef uint64_t unchecked = 0
        cdef Search search
        cdef State state
        cdef Py_ssize_t row
        verdicts = np.empty((batch.rows, betas.shape[0]), np.int8)
        counts = np.zeros(batch.rows, np.int64)
        cdef int8_t[:, ::1] verdict = verdicts
        cdef int64_t[::1] count = counts
        search.error = NULL
        self._take()
        try:
            with nogil:
                for row in range(batch.rows):
                    batch.read(row, &state)
                    self._start(&search, &state, objective, moves)
                    ask_windows(&search, &state, betas, limit, verdict[row])
                    count[row] = search.nodes
                    if search.error != NULL:
                        break
                    # A search looks for signals itself, but not the many short ones.
                    unchecked += search.nodes + NODES_OF_A_DEAL
                    if unchecked > NODES_AT_A_TIME:
                        unchecked = 0
                        check_signals()
        finally:
            self.busy = False
        search_raise(&search)
        return verdicts[:, 0] if single else verdicts, counts

    def values(self, deals, Objective objective not None, guesses, widths, node_limit):
        """Narrow the value of each deal to one number.

        Parameters
        ----------
        deals : Deals
            What to judge.
        objective : Objective
            What the attack maximises.
        guesses : numpy.ndarray
            int16 (n,): where to look first.
        widths : Widths
            How many moves each camp tries.
        node_limit : int
            Nodes for each deal, at least one.

        Returns
        -------
        results : numpy.ndarray
            `RESULT_DTYPE` (n,): what is played along the principal variation. It brings the
            value where no list is cut; on narrow widths it may differ in some deals, since
            what the table knows of a position came from other cuts.
        bounds : numpy.ndarray
            int16 (n, 2): the value's, equal where the search finished.
        nodes : numpy.ndarray
            int64 (n,).

        Raises
        ------
        OptionError
            If there are more or fewer guesses than deals.
        """
        cdef _Batch batch = _Batch(deals)
        cdef Widths moves = widths_of(widths)
        cdef const int16_t[::1] guess = checked_guesses(guesses, batch.rows)
        cdef uint64_t limit = whole_number("node_limit", node_limit, 0) or 1
        cdef uint64_t unchecked = 0
        cdef Search search
        cdef State state
        cdef Py_ssize_t row
        cdef int low, high, value
        results = np.zeros(batch.rows, RESULT_DTYPE)
        bounds = np.empty((batch.rows, 2), np.int16)
        counts = np.zeros(batch.rows, np.int64)
        cdef ResultRow[::1] result = results
        cdef int16_t[:, ::1] bound = bounds
        cdef int64_t[::1] count = counts
        search.error = NULL
        self._take()
        try:
            with nogil:
                for row in range(batch.rows):
                    batch.read(row, &state)
                    self._start(&search, &state, objective, moves)
                    search_limit(&search, limit)
                    value_bounds(&state, &objective.numbers, &low, &high)
                    value = search_value(&search, &state, guess[row], &low, &high)
                    bound[row, 0] = low
                    bound[row, 1] = high
                    principal_variation(&search, &state, value)
                    write_result(&state, &result[row])
                    count[row] = search.nodes
                    if search.error != NULL:
                        break
                    unchecked += search.nodes + NODES_OF_A_DEAL
                    if unchecked > NODES_AT_A_TIME:
                        unchecked = 0
                        check_signals()
        finally:
            self.busy = False
        search_raise(&search)
        return results, bounds, counts

    def cards(self, Position position not None, Objective objective not None, widths, node_limit):
        """Narrow the value of every legal card of a position, from any point of the play.

        Parameters
        ----------
        position : Position
            Where it is somebody's turn.
        objective : Objective
            What the attack maximises.
        widths : Widths
            How many moves each camp tries after the card.
        node_limit : int
            Nodes for each card, at least one.

        Returns
        -------
        rows : list of tuple of int
            (card's number, lower, upper), lowest card first; equal where the search finished.
        nodes : int
        """
        cdef Widths moves = widths_of(widths)
        cdef uint64_t limit = whole_number("node_limit", node_limit, 0) or 1
        cdef Search search
        cdef State state = position.state, child  # its own copy: another thread may play on
        cdef Cards legal = legal_cards(&state)
        cdef int card, code, low = 0, high = 0, value = state.attack_points
        rows = []
        search.error = NULL
        self._take()
        try:
            self._start(&search, &state, objective, moves)
            for card in range(PACK):
                code = code_of_card(card)
                if not (legal.suits >> code & 1 if code < 64 else legal.trumps >> (code - 64) & 1):
                    continue
                with nogil:
                    child = state
                    play_code(&child, code)
                    static_bounds(&child, &objective.numbers, &low, &high)
                    search_limit(&search, search.nodes + limit)
                    search.stopped = False
                    value = search_value(&search, &child, value, &low, &high)
                if search.error != NULL:
                    break
                rows.append((card, low, high))
        finally:
            self.busy = False
        search_raise(&search)
        return rows, search.nodes

    def policy(self, deals):
        """Play each deal out once by the rule-based policy, all hands in view.

        Parameters
        ----------
        deals : Deals
            What to play.

        Returns
        -------
        numpy.ndarray
            `RESULT_DTYPE` (n,).
        """
        cdef _Batch batch = _Batch(deals)
        cdef State state
        cdef Py_ssize_t row
        results = np.zeros(batch.rows, RESULT_DTYPE)
        cdef ResultRow[::1] result = results
        with nogil:
            for row in range(batch.rows):
                if row & 0xFFF == 0xFFF:  # some 20 ms
                    check_signals()
                batch.read(row, &state)
                while state.tricks_left:
                    play_code(&state, policy_card(&state))
                write_result(&state, &result[row])
        return results

    def sweeps(self, deals, camp, node_limit, petit_au_bout=False):
        """Ask of each deal whether a camp can win every trick.

        Parameters
        ----------
        deals : Deals
            What to judge.
        camp : {"attack", "defence"}
            Which camp.
        node_limit : int
            Cards played in each search at most, up to `MOST_SWEEP_NODES`.
        petit_au_bout : bool
            Whether it is to win the Petit au bout too.

        Returns
        -------
        numpy.ndarray
            int8 (n,): 1 yes, 0 no, −1 where the limit ended the search.
        """
        cdef _Batch batch = _Batch(deals)
        cdef uint64_t limit = whole_number("node_limit", node_limit, 0, MOST_SWEEP_NODES)
        cdef uint64_t unchecked = 0
        cdef bint petit = petit_au_bout
        cdef int seats = camp_bit(camp)
        cdef Sweep sweep
        cdef Memo memo
        cdef State state
        cdef Py_ssize_t row
        answers = np.empty(batch.rows, np.int8)
        cdef int8_t[::1] answer = answers
        with nogil:
            for row in range(batch.rows):
                batch.read(row, &state)
                answer[row] = sweep_search(&sweep, &memo, &state, seats, petit, limit)
                unchecked += sweep.nodes + NODES_OF_A_DEAL
                if unchecked > NODES_AT_A_TIME:
                    unchecked = 0
                    check_signals()
        return answers

    cdef int _take(self) except -1:
        if self.busy:
            raise RuntimeError("this evaluator is at work in another thread; use one a thread")
        self.busy = True
        return 0

    cdef void _start(
        self, Search* search, const State* state, Objective objective, Widths widths
    ) noexcept nogil:
        """Prepare the search of one deal, from an empty table."""
        search_init(search, &self.table, &objective.numbers, state, widths)
        table_clear(&self.table)


cdef void ask_windows(
    Search* search,
    const State* state,
    const int16_t[::1] betas,
    uint64_t limit,
    int8_t[::1] verdicts,
) noexcept nogil:
    """Find out on which side of each beta the value is, within so many nodes each."""
    cdef int low, high, beta, value
    cdef Py_ssize_t question
    value_bounds(state, search.objective, &low, &high)
    for question in range(betas.shape[0]):
        beta = betas[question]
        if not low < beta <= high:
            verdicts[question] = low >= beta
            continue
        search_limit(search, search.nodes + limit)
        value = search_window(search, state, beta)
        verdicts[question] = -1 if search.stopped else value >= beta
        if search.error != NULL:
            return
        search.stopped = False


cdef object checked_guesses(object guesses, Py_ssize_t rows):
    """Return one guess for each deal, int16."""
    plain = np.array(guesses) if issubclass(type(guesses), np.ndarray) else None
    if plain is None or plain.dtype.kind not in "iu":
        raise OptionError("guesses: expected an array of integers")
    if plain.shape != (rows,):
        raise OptionError(f"guesses: {plain.size} of them for {rows} deals")
    return np.clip(plain, -UNBOUNDED, UNBOUNDED).astype(np.int16)


cdef Widths widths_of(object widths) except *:
    instance_of("widths", widths, MoveWidths)
    own = MoveWidths(  # checked once more: see `_Batch`
        widths.attack_lead, widths.attack_reply, widths.defence_lead, widths.defence_reply
    )
    return make_widths(own.attack_lead, own.attack_reply, own.defence_lead, own.defence_reply)
