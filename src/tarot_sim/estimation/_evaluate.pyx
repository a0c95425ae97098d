"""Fast judgements of whole deals, by the array: narrow searches and policy play-outs.

A *narrow* search tries only the first few moves of each list; widths that favour
neither camp make its errors even out over many deals. It proves nothing by itself.
"""

from libc.stdint cimport int8_t, int16_t, int64_t, uint8_t, uint64_t
from libc.string cimport memset

from tarot_sim._cards cimport HALF_POINTS, NO_SUIT, add_code, code_of_card
from tarot_sim._rules cimport (
    EXCUSE_CHANGES,
    KEEP_EXCUSE,
    NOBODY,
    State,
    play_code,
)
from tarot_sim.solver._search cimport (
    Search,
    policy_card,
    search_limit,
    search_line,
    search_open,
    search_raise,
    search_value,
    search_window,
    value_bounds,
)
from tarot_sim.solver._table cimport LEAST_TABLE, Table, table_clear, table_close, table_open
from tarot_sim._core cimport Outcome, store
from tarot_sim.solver._solver cimport Objective

import numpy as np

from tarot_sim._core import RESULT_DTYPE, OUTCOME_DTYPE
from tarot_sim.errors import PositionError

#: Memory of an evaluator's table; part of what a judgement depends on.
DEFAULT_TABLE_BYTES = 1 << 24


cdef void load(
    State* state,
    const uint8_t* owner,
    int players,
    int size,
    int options,
    uint8_t attack,
    uint8_t leader,
    int16_t half_points,
    uint8_t bouts,
    uint8_t called,
) noexcept nogil:
    cdef int card
    memset(state, 0, sizeof(State))
    for card in range(78):
        if owner[card] < players:
            add_code(&state.hands[owner[card]], code_of_card(card))
            state.live_points += HALF_POINTS[code_of_card(card)]
    state.players = players
    state.attack = attack
    state.options = options
    state.leader = leader
    state.to_move = leader
    state.winner = leader
    state.tricks_left = size
    state.led = NO_SUIT
    state.excuse_seat = NOBODY
    state.bouts = bouts
    state.attack_points = half_points
    state.banned_suit = NO_SUIT
    if called < 56:
        state.banned_suit = called // 14
        state.called = code_of_card(called)


cdef class Evaluator:
    """Judges deals one by one, with a table of its own.

    No deal sees what the table holds of another: a judgement depends on its deal alone.

    Parameters
    ----------
    table_bytes
        Upper limit of the table's memory.
    """

    cdef Table table
    cdef bint busy

    def __cinit__(self, table_bytes=DEFAULT_TABLE_BYTES):
        if table_bytes < LEAST_TABLE:
            raise ValueError(f"table_bytes: {table_bytes} is less than {LEAST_TABLE}")
        if not table_open(&self.table, table_bytes):
            raise MemoryError(f"no memory for a table of {table_bytes} bytes")

    def __dealloc__(self):
        table_close(&self.table)

    def reaches(self, deals, Objective objective not None, thresholds, widths, node_limit):
        """Ask of each deal, by zero windows, whether its value reaches each threshold.

        Parameters
        ----------
        deals : Deals
            What to judge.
        objective
            What the attack maximises.
        thresholds : int or sequence of int
            The value asked for; or several, in this order: a deal's later questions profit
            from what was found for its earlier ones.
        widths
            Moves tried by the attack on lead and in reply, by the defence on lead and in
            reply; 255 cuts no list.
        node_limit
            Nodes for each question.

        Returns
        -------
        tuple of numpy.ndarray
            int8 (n,), or with several thresholds (n, thresholds): 1 yes, 0 no, −1 where
            the limit ended the search; int64 (n,): nodes.
        """
        single = isinstance(thresholds, int)
        asked = [thresholds] if single else list(thresholds)
        _, verdicts, nodes = self._judge(deals, objective, asked, None, widths, node_limit)
        return verdicts[:, 0] if single else verdicts, nodes

    def values(self, deals, Objective objective not None, guesses, widths, node_limit):
        """Narrow the value of each deal to one number.

        Parameters
        ----------
        deals, objective, widths, node_limit
            As for `reaches`.
        guesses : numpy.ndarray
            int16 (n,): where to look first.

        Returns
        -------
        tuple of numpy.ndarray
            `RESULT_DTYPE` (n,): what is played along the search's best line; int16 (n, 2):
            the bounds, equal where the search finished; int64 (n,): nodes. The line brings
            that value where no list is cut; on narrow widths it may differ in some deals,
            since what the table knows of a position came from other cuts.
        """
        outcomes, bounds, counts = self._judge(deals, objective, None, guesses, widths, node_limit)
        return outcomes, bounds, counts

    def policy(self, deals):
        """Play each deal out once by the rule-based policy, all hands in view.

        Returns
        -------
        numpy.ndarray
            `RESULT_DTYPE` (n,).
        """
        return self._judge(deals, Objective(), None, None, (1, 1, 1, 1), 1)[0]

    def _judge(self, deals, Objective objective not None, thresholds, guesses, widths, node_limit):
        cdef Py_ssize_t row, rows = len(deals)
        cdef const uint8_t[:, ::1] owners = deals.owners
        cdef const uint8_t[::1] attack = np.ascontiguousarray(deals.attack)
        cdef const uint8_t[::1] leader = np.ascontiguousarray(deals.leader)
        cdef const int16_t[::1] half_points = np.ascontiguousarray(deals.half_points)
        cdef const uint8_t[::1] bouts = np.ascontiguousarray(deals.bouts)
        cdef const uint8_t[::1] called = np.ascontiguousarray(deals.called)
        cdef int players = deals.rules.players, size = deals.rules.hand_size
        cdef int options = options_of(deals.rules)
        cdef bint window = thresholds is not None, policy = thresholds is None and guesses is None
        cdef const int16_t[::1] betas = np.array(thresholds if window else [], np.int16)
        cdef Py_ssize_t question, questions = betas.shape[0]
        cdef int beta
        cdef uint64_t limit = max(1, node_limit)
        cdef uint8_t width[4]
        cdef Search search
        cdef State state
        cdef int low, high, value
        outcomes = np.zeros(0 if window else rows, RESULT_DTYPE)
        cdef Outcome[::1] outcome = outcomes.view(OUTCOME_DTYPE)
        verdicts = np.empty((rows if window else 0, questions), np.int8)
        cdef int8_t[:, ::1] verdict = verdicts
        spans = np.empty((0 if window or policy else rows, 2), np.int16)
        cdef int16_t[:, ::1] span = spans
        counts = np.zeros(rows, np.int64)
        cdef int64_t[::1] count = counts
        cdef const int16_t[::1] guess
        if guesses is not None:
            guess = np.ascontiguousarray(guesses, np.int16)
            if guess.shape[0] != rows:
                raise PositionError(f"guesses: {guess.shape[0]} of them for {rows} deals")
        attack_lead, attack_reply, defence_lead, defence_reply = widths
        for place, number in enumerate((defence_lead, defence_reply, attack_lead, attack_reply)):
            if not 1 <= number <= 255:
                raise PositionError(f"widths: {number} is not 1…255")
            width[<int>place] = number
        if self.busy:
            raise RuntimeError("this evaluator is at work in another thread; use one a thread")
        self.busy = True
        search.error = NULL
        try:
            with nogil:
                for row in range(rows):
                    load(
                        &state, &owners[row, 0], players, size, options, attack[row],
                        leader[row], half_points[row], bouts[row], called[row],
                    )
                    if policy:
                        while state.tricks_left:
                            play_code(&state, policy_card(&state))
                        store(&state, &outcome[row])
                        continue
                    search_open(&search, &self.table, &objective.goal, &state, width)
                    search_limit(&search, limit)
                    table_clear(&self.table)
                    value_bounds(&state, &objective.goal, &low, &high)
                    for question in range(questions):
                        beta = betas[question]
                        if low < beta <= high:
                            search_limit(&search, search.nodes + limit)
                            value = search_window(&search, &state, beta)
                            verdict[row, question] = -1 if search.stopped else value >= beta
                            if search.error != NULL:
                                break
                            search.stopped = False
                        else:
                            verdict[row, question] = low >= beta
                    if not window:
                        value = search_value(&search, &state, guess[row], &low, &high)
                        span[row, 0] = low
                        span[row, 1] = high
                        search_line(&search, &state, value)
                        store(&state, &outcome[row])
                    count[row] = search.nodes
                    if search.error != NULL:
                        break
        finally:
            self.busy = False
        search_raise(&search)
        return (outcomes, spans, counts) if not window else (None, verdicts, counts)


cdef int options_of(rules) except -1:
    return (KEEP_EXCUSE if rules.excuse_no_trick == "keep" else 0) | (
        EXCUSE_CHANGES if rules.excuse_last == "changes_camp" else 0
    )
