"""The double-dummy search as a Python object that keeps its table across calls."""

from libc.stdint cimport int16_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc

from tarot_sim._bits cimport highest32, highest64
from tarot_sim._cards cimport CODE_EXCUSE, Cards, HALF_POINTS, card_of_code, code_of_card
from tarot_sim._core cimport Position
from tarot_sim._rules cimport (
    State,
    cards_in_play,
    legal_cards,
    next_equivalent,
    play_code,
)
from tarot_sim.solver._search cimport (
    Goal,
    Search,
    WIDE,
    final_value,
    policy_card,
    search_clock,
    search_close_in,
    search_limit,
    search_open,
    search_raise,
    search_value,
    search_window,
    value_bounds,
)
from tarot_sim.solver._table cimport LEAST_TABLE, Table, table_clear, table_close, table_open

import numpy as np

from tarot_sim.errors import PositionError

#: Memory of a solver's table unless the caller says otherwise.
DEFAULT_TABLE_BYTES = 64 << 20

cdef enum:
    # Goals stay far inside the table's 16 bits.
    LARGEST = 4000
    # A hand's cards, and so its runs, at most: three hands of a pack.
    MOST_CARDS = 26
    # Codes of cards are below this.
    CODES = 86
    # With fewer cards a narrow search saves less than it takes.
    WORTH_A_NARROW_SEARCH = 8


cdef struct Runs:
    # The legal cards in runs of equivalent ones.
    int count
    uint8_t lowest[MOST_CARDS]  # each run's
    uint8_t run_of[CODES]       # of each legal card


cdef void find_runs(const State* state, Runs* runs) noexcept nogil:
    cdef Cards legal = legal_cards(state), live = cards_in_play(state), left = legal
    cdef int code, lower
    runs.count = 0
    while left.trumps or left.suits:
        lower = 64 + highest32(left.trumps) if left.trumps else highest64(left.suits)
        while lower >= 0:
            code = lower
            if code < 64:
                left.suits ^= <uint64_t>1 << code
            else:
                left.trumps ^= <uint32_t>1 << (code - 64)
            runs.run_of[code] = runs.count
            lower = next_equivalent(legal, live, code)
        runs.lowest[runs.count] = code
        runs.count += 1


cdef inline int dearness(int code) noexcept nogil:
    """Order cards of one value by what a player would part with first."""
    if code < 64:
        return 32 * HALF_POINTS[code] + (code & 15) + 1
    return 32 * HALF_POINTS[code] + (0 if code == CODE_EXCUSE else code - 64)


cdef void static_bounds(
    const State* state, const Goal* goal, int* lower, int* upper
) noexcept nogil:
    """Bound the value without any search."""
    cdef int item, least = LARGEST, most = -LARGEST
    if state.tricks_left == 0:
        lower[0] = upper[0] = final_value(state, goal)
    elif state.count == 0 and state.tricks_left > 1:
        value_bounds(state, goal, lower, upper)
    else:
        # In the middle of a trick and in the last one the short proofs do not hold. The
        # Excuse may move its 8 half points twice: out of its trick, and in `settle`.
        for item in range(9):
            least = min(least, goal.extra[item])
            most = max(most, goal.extra[item])
        lower[0] = state.attack_points - 16 - goal.need[0] + least
        upper[0] = (
            state.attack_points + state.table_points + state.live_points + 16
            - goal.need[3] + most
        )


cdef void set_widths(
    uint8_t* widths, int defence_lead, int defence_reply, int attack_lead, int attack_reply
) noexcept nogil:
    widths[0] = defence_lead
    widths[1] = defence_reply
    widths[2] = attack_lead
    widths[3] = attack_reply


cdef void exact_value(Search* search, const State* state, int* lower, int* upper) noexcept nogil:
    """Narrow bounds to the value, without a budget.

    It pays to look first where the value is, and rather above it than below: that a value
    is out of reach is proved more cheaply than that it can be had. The rule-based policy
    and the middle of the bounds are both too high as a rule. Halfway between them begins a
    search that is narrow, most of all for the defence, and what it finds is the first guess.
    """
    cdef Search narrow
    cdef State played = state[0]
    cdef uint8_t widths[4]
    cdef int low = lower[0], high = upper[0], guess
    if low >= high:
        return
    while played.tricks_left:
        play_code(&played, policy_card(&played))
    guess = (final_value(&played, search.goal) + ((low + high) >> 1)) >> 1
    if state.tricks_left >= WORTH_A_NARROW_SEARCH:
        set_widths(widths, 2, 1, 2, 2)
        search_open(&narrow, search.table, search.goal, state, widths)
        narrow.cancelled = search.cancelled
        guess = search_value(&narrow, state, guess, &low, &high)
        search.nodes += narrow.nodes
        if narrow.stopped:
            search.stopped = True
            search.error = narrow.error
            return
    search_value(search, state, guess, lower, upper)


cdef void search_cards(
    Search* search,
    const State* state,
    const Runs* runs,
    int root_low,
    int root_high,
    uint64_t nodes,
    double deadline,
    int* lows,
    int* highs,
) noexcept nogil:
    """Bound the value that each run leads to, given sound bounds of the root.

    No card brings its player more than the root's value, and one brings as much. What is
    left of a budget is shared by the runs that are left.
    """
    cdef State child
    cdef bint attacks = state.attack >> state.to_move & 1
    cdef bint budget = nodes or deadline > 0
    cdef bint reached = False  # whether a card before may be as good as the root
    cdef int place, left
    cdef double now
    for place in range(runs.count):
        left = runs.count - place
        child = state[0]
        play_code(&child, runs.lowest[place])
        static_bounds(&child, search.goal, &lows[place], &highs[place])
        if attacks:
            highs[place] = min(highs[place], root_high)
        else:
            lows[place] = max(lows[place], root_low)
        if left == 1 and not reached:
            if attacks:
                lows[place] = max(lows[place], root_low)
            else:
                highs[place] = min(highs[place], root_high)
        if lows[place] < highs[place] and search.error == NULL:
            search.stopped = False
            if not budget:
                search_value(
                    search, &child, root_high if attacks else root_low,
                    &lows[place], &highs[place],
                )
            else:
                now = search_clock() if deadline > 0 else 0
                if (not nodes or (nodes - search.nodes) // left > 0) and now <= deadline:
                    search.deadline = now + (deadline - now) / left if deadline > 0 else 0
                    search_limit(search, search.nodes + (nodes - search.nodes) // left
                                 if nodes else 0)
                    search_close_in(search, &child, &lows[place], &highs[place])
        if highs[place] >= root_low if attacks else lows[place] <= root_high:
            reached = True


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
        cdef int lower, upper
        static_bounds(&position.state, &objective.goal, &lower, &upper)
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
            Where to look first, without a budget; by default where a narrow search says.
        nodes, seconds
            Budget, none by default. With one the bounds close in from outside, so that
            they are as tight as they can be when it ends.

        Returns
        -------
        tuple of int
            (lower, upper, nodes): sound bounds, equal when the search finished.
        """
        cdef Search search
        cdef int low, high, first = 0
        cdef bint guessed = guess is not None
        known_bounds(position, objective, lower, upper, &low, &high)
        if guessed:
            first = min(max(guess, low), high)
        self._open(&search, position, objective, nodes, seconds)
        with nogil:
            if search.node_limit or search.deadline > 0:
                search_close_in(&search, &position.state, &low, &high)
            elif guessed:
                search_value(&search, &position.state, first, &low, &high)
            else:
                exact_value(&search, &position.state, &low, &high)
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
        self._open(&search, position, objective, nodes, seconds)
        with nogil:
            value = search_window(&search, &position.state, beta)
        self.busy = False
        search_raise(&search)
        return None if search.stopped else value >= beta, search.nodes

    def cards(
        self,
        Position position not None,
        Objective objective not None,
        lower=None,
        upper=None,
        nodes=None,
        seconds=None,
    ):
        """Narrow the value of every legal card to one number, or as far as the budget goes.

        Parameters
        ----------
        position
            Any point of the play.
        objective
            What the attack maximises.
        lower, upper
            What is known of the position's own value; by default what follows without
            search.
        nodes, seconds
            Budget of the whole call, none by default. The position itself takes at most
            half of it, its cards share the rest.

        Returns
        -------
        tuple
            A list of (card's number, lower, upper), lowest card first, with sound bounds
            that are equal where the search finished; and the nodes.
        """
        cdef Search search
        cdef Runs runs
        cdef int[MOST_CARDS] lows
        cdef int[MOST_CARDS] highs
        cdef int low, high, card, code, run
        cdef uint64_t limit
        cdef double deadline
        cdef Cards legal
        known_bounds(position, objective, lower, upper, &low, &high)
        if position.state.tricks_left == 0:
            return [], 0
        self._open(&search, position, objective, nodes, seconds)
        limit = search.node_limit
        deadline = search.deadline
        with nogil:
            find_runs(&position.state, &runs)
            if not limit and deadline <= 0:
                exact_value(&search, &position.state, &low, &high)
            elif low < high and runs.count > 1:
                search_limit(&search, (limit + 1) >> 1)
                if deadline > 0:
                    search.deadline = (search_clock() + deadline) / 2
                search_close_in(&search, &position.state, &low, &high)
            search_cards(
                &search, &position.state, &runs, low, high, limit, deadline, lows, highs
            )
        self.busy = False
        search_raise(&search)
        rows = []
        legal = legal_cards(&position.state)
        for card in range(78):
            code = code_of_card(card)
            if legal.suits >> code & 1 if code < 64 else legal.trumps >> (code - 64) & 1:
                run = runs.run_of[code]
                rows.append((card, lows[run], highs[run]))
        return rows, search.nodes

    def keeping_card(
        self,
        Position position not None,
        Objective objective not None,
        threshold,
        nodes=None,
        seconds=None,
    ):
        """Find the card easiest to part with that stays on the position's side of a threshold.

        Parameters
        ----------
        position
            Any point of the play but its end.
        objective
            What the attack maximises.
        threshold
            The attack, if it is to move, can reach it; the defence, if it is, can keep
            the value below it.
        nodes, seconds
            Budget, none by default.

        Returns
        -------
        tuple
            (card's number, nodes); the card is None where the budget ended the search.
        """
        cdef Search search
        cdef Runs runs
        cdef State child
        cdef int value, place, other, code, found = -1, beta = threshold
        cdef bint attacks = position.state.attack >> position.state.to_move & 1
        if position.state.tricks_left == 0:
            raise PositionError("position: all cards are played")
        self._open(&search, position, objective, nodes, seconds)
        with nogil:
            find_runs(&position.state, &runs)
            # Stable: cards that are as dear stay as they are found.
            for place in range(1, runs.count):
                code = runs.lowest[place]
                other = place
                while other and dearness(runs.lowest[other - 1]) > dearness(code):
                    runs.lowest[other] = runs.lowest[other - 1]
                    other -= 1
                runs.lowest[other] = code
            for place in range(runs.count):
                found = runs.lowest[place]
                if place == runs.count - 1:
                    break  # it must be this one
                child = position.state
                play_code(&child, found)
                value = search_window(&search, &child, beta)
                if search.stopped or (value >= beta) == attacks:
                    break
        self.busy = False
        search_raise(&search)
        return None if search.stopped else card_of_code(found), search.nodes

    def many(
        self,
        positions,
        Objective objective not None,
        threshold=None,
        nodes=None,
        seconds=None,
        cancelled=None,
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
        cancelled : numpy.ndarray, optional
            uint8 (1,): as soon as another thread makes it 1 the search ends, with what has
            been proved by then. (Signals reach the main thread only.)

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
        cdef int low, high, value
        cdef bint window = threshold is not None
        cdef int beta = threshold if window else 0
        cdef double budget = -1
        cdef uint8_t widths[4]
        cdef int16_t[:, ::1] bound
        cdef int64_t[::1] count
        cdef const uint8_t[::1] flag
        cdef const uint8_t* stop = NULL
        if cancelled is not None:
            flag = cancelled
            if flag.shape[0] != 1:
                raise ValueError("cancelled: expected one number")
            stop = &flag[0]
        bounds = np.empty((rows, 2), np.int16)
        counts = np.zeros(rows, np.int64)
        bound = bounds
        count = counts
        set_widths(widths, WIDE, WIDE, WIDE, WIDE)
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
                static_bounds(&states[row], &objective.goal, &low, &high)
                bound[row, 0] = low
                bound[row, 1] = high
            search.error = NULL
            with nogil:
                for row in range(rows):
                    search_open(&search, &self.table, &objective.goal, &states[row], widths)
                    search_limit(&search, limit)
                    search.cancelled = stop
                    if stop != NULL and stop[0]:
                        break
                    if budget >= 0:
                        search.deadline = search_clock() + budget
                    low = bound[row, 0]
                    high = bound[row, 1]
                    if not window and (limit or budget >= 0):
                        search_close_in(&search, &states[row], &low, &high)
                    elif not window:
                        exact_value(&search, &states[row], &low, &high)
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

    cdef int _open(
        self, Search* search, Position position, Objective objective, nodes, seconds
    ) except -1:
        """Begin a search; until its end, which may not raise, the solver is `busy`."""
        cdef uint8_t widths[4]
        self._take()
        try:
            set_widths(widths, WIDE, WIDE, WIDE, WIDE)
            search_open(search, &self.table, &objective.goal, &position.state, widths)
            self._limit(search, nodes, seconds)
        except BaseException:
            self.busy = False
            raise
        return 0

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


cdef int known_bounds(
    Position position, Objective objective, lower, upper, int* low, int* high
) except -1:
    """Bound a value by what is sure and by what the caller knows."""
    if lower is not None and upper is not None and lower > upper:
        raise PositionError(f"lower: {lower} is above upper, {upper}")
    static_bounds(&position.state, &objective.goal, low, high)
    if lower is not None:
        low[0] = max(<int>lower, low[0])
    if upper is not None:
        high[0] = min(<int>upper, high[0])
    return 0
