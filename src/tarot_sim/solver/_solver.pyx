"""The double-dummy search as a Python object that keeps its table across calls."""

from libc.stdint cimport int16_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc

from tarot_sim._bits cimport highest32, highest64
from tarot_sim._cards cimport (
    CODE_EXCUSE,
    Cards,
    HALF_POINTS,
    MOST_CARDS,
    PACK,
    card_of_code,
    code_of_card,
)
from tarot_sim._core cimport Position
from tarot_sim._rules cimport (
    EXCUSE_NET,
    State,
    cards_in_play,
    legal_cards,
    next_equivalent,
    play_code,
)
from tarot_sim._signals cimport check_signals
from tarot_sim.solver._search cimport (
    ALL_MOVES,
    ObjectiveNumbers,
    Search,
    UNBOUNDED,
    final_value,
    make_widths,
    policy_card,
    search_bracket,
    search_clock,
    search_init,
    search_limit,
    search_raise,
    search_value,
    search_window,
    value_bounds,
)
from tarot_sim.solver._table cimport LEAST_TABLE, Table, table_clear, table_close, table_open

import numpy as np

from tarot_sim.arguments import MOST_ROWS, instance_of, integer, some, whole_number
from tarot_sim.errors import OptionError, PositionError
from tarot_sim.notation import shown
from tarot_sim.solver.limit import Limit

#: What a search of many positions answers, a row each: sound bounds in half points, whether
#: the question was answered, and the positions searched.
MANY_DTYPE = np.dtype(
    [("lower", np.int16), ("upper", np.int16), ("exact", np.bool_), ("nodes", np.int64)]
)

#: Memory of a solver's table unless the caller says otherwise.
DEFAULT_TABLE_BYTES = 64 << 20

cdef enum:
    # Objectives stay far inside the table's 16 bits.
    LARGEST = 4000
    # Codes of cards are below this.
    CODES = 86
    # With fewer cards a narrow search saves less than it takes.
    WORTH_A_NARROW_SEARCH = 8
    # Between looks for signals, some 20 ms; and what setting up a search takes as long as.
    NODES_AT_A_TIME = 200000
    NODES_OF_A_POSITION = 10


cdef packed struct ManyRow:
    # An item of an array of MANY_DTYPE.
    int16_t lower
    int16_t upper
    uint8_t exact
    int64_t nodes

assert MANY_DTYPE.itemsize == sizeof(ManyRow)


cdef struct SearchLimit:
    # A `Limit`.
    uint64_t nodes  # 0 for none
    double seconds  # below 0 for none


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


cdef inline int discard_order(int code) noexcept nogil:
    """Order cards of one value by what a player would part with first."""
    if code < 64:
        return 32 * HALF_POINTS[code] + (code & 15) + 1
    return 32 * HALF_POINTS[code] + (0 if code == CODE_EXCUSE else code - 64)


cdef void sort_to_discard(Runs* runs) noexcept nogil:
    """Put first what a player would part with first; `run_of` is not true afterwards."""
    cdef int place, other, code
    # Stable: cards of one rank in this order stay as they are found.
    for place in range(1, runs.count):
        code = runs.lowest[place]
        other = place
        while other and discard_order(runs.lowest[other - 1]) > discard_order(code):
            runs.lowest[other] = runs.lowest[other - 1]
            other -= 1
        runs.lowest[other] = code


cdef void static_bounds(
    const State* state, const ObjectiveNumbers* objective, int* lower, int* upper
) noexcept nogil:
    """Bound the value without any search."""
    cdef int petit, chelem, least = LARGEST, most = -LARGEST
    if state.tricks_left == 0:
        lower[0] = upper[0] = final_value(state, objective)
    elif state.count == 0 and state.tricks_left > 1:
        value_bounds(state, objective, lower, upper)
    else:
        # In the middle of a trick and in the last one the short proofs do not hold. The
        # Excuse may move its half points twice: out of its trick, and in `settle`.
        for petit in range(3):
            for chelem in range(3):
                least = min(least, objective.extra[petit][chelem])
                most = max(most, objective.extra[petit][chelem])
        lower[0] = state.attack_points - 2 * EXCUSE_NET - objective.need[0] + least
        upper[0] = (
            state.attack_points + state.table_points + state.live_points + 2 * EXCUSE_NET
            - objective.need[3] + most
        )


cdef void exact_value(Search* search, const State* state, int* lower, int* upper) noexcept nogil:
    """Narrow bounds to the value, without a limit.

    It pays to look first where the value is, and rather above it than below: that a value
    is out of reach is proved more cheaply than that it can be had. The rule-based policy
    and the middle of the bounds are both too high as a rule. Halfway between them begins a
    search that is narrow, most of all for the defence, and what it finds is the first guess.
    """
    cdef Search narrow
    cdef State played = state[0]
    cdef int low = lower[0], high = upper[0], guess
    if low >= high:
        return
    while played.tricks_left:
        play_code(&played, policy_card(&played))
    guess = (final_value(&played, search.objective) + ((low + high) >> 1)) >> 1
    if state.tricks_left >= WORTH_A_NARROW_SEARCH:
        search_init(&narrow, search.table, search.objective, state, make_widths(2, 2, 2, 1))
        guess = search_value(&narrow, state, guess, &low, &high)
        search.nodes += narrow.nodes
        if narrow.stopped:
            search.stopped = True
            search.error = narrow.error
            return
    search_value(search, state, guess, lower, upper)


cdef void search_bounds(
    Search* search, const State* state, bint window, int beta, int* lower, int* upper
) noexcept nogil:
    """Narrow sound bounds as far as the limits go: to the value, or only to a side of `beta`."""
    cdef int value
    if window:
        if lower[0] < beta <= upper[0]:
            value = search_window(search, state, beta)
            if search.stopped:
                return
            if value >= beta:
                lower[0] = value
            else:
                upper[0] = value
    elif search.node_limit or search.deadline > 0:
        search_bracket(search, state, lower, upper)
    else:
        exact_value(search, state, lower, upper)


cdef inline bint answered(int lower, int upper, bint window, int beta) noexcept nogil:
    """Tell whether bounds answer the question for the value, or for its side of `beta`."""
    if window:
        return lower >= beta or upper < beta
    return lower == upper


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
    left of a limit is shared by the runs that are left.
    """
    cdef State child
    cdef bint attacks = state.attack >> state.to_move & 1
    cdef bint limited = nodes or deadline > 0
    cdef bint reached = False  # whether a card before may be as good as the root
    cdef int place, left
    cdef double now
    for place in range(runs.count):
        left = runs.count - place
        child = state[0]
        play_code(&child, runs.lowest[place])
        static_bounds(&child, search.objective, &lows[place], &highs[place])
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
            if not limited:
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
                    search_bracket(search, &child, &lows[place], &highs[place])
        if highs[place] >= root_low if attacks else lows[place] <= root_high:
            reached = True


cdef class Objective:
    """What the attack maximises, as numbers for the search.

    The value of a finished deal is the attack's half points − ``need[bouts]`` +
    ``extra[petit_au_bout + 1][chelem + 1]``.

    Parameters
    ----------
    need : sequence of int
        Four numbers that do not grow, in half points, by the attack's bouts.
    extra : sequence of sequence of int
        3 × 3 numbers, in half points: a row for the Petit au bout of the defence, of nobody
        and of the attack, each for a chelem of the defence, of nobody and of the attack.

    Raises
    ------
    OptionError
        If there are more or fewer numbers, one is beyond ±4000, or the need grows.
    """

    # Not `__init__`, which could be called again in the middle of a search.
    def __cinit__(self, need=(0, 0, 0, 0), extra=((0, 0, 0), (0, 0, 0), (0, 0, 0))):
        cdef int bouts, petit, chelem
        if len(need) != 4 or len(extra) != 3 or any([len(row) != 3 for row in extra]):
            raise OptionError("objective: expected 4 needs and 3 × 3 extras")
        need = [integer("need", number) for number in some("need", need)]
        extra = [[integer("extra", number) for number in some("extra", row)] for row in extra]
        numbers = [number for row in extra for number in row]
        if any([abs(number) > LARGEST for number in (*need, *numbers)]):
            raise OptionError(f"objective: a number is beyond ±{LARGEST}")
        if any([left < right for left, right in zip(need, need[1:])]):
            raise OptionError("objective: the need may not grow with the bouts")
        for bouts in range(4):
            self.numbers.need[bouts] = need[bouts]
        for petit in range(3):
            for chelem in range(3):
                self.numbers.extra[petit][chelem] = extra[petit][chelem]
        self.numbers.no_extra = not any(numbers)


cdef class Solver:
    """An exact double-dummy search with a table of its own.

    The table is kept from call to call, whatever the deal and the objective, so that
    related questions are answered faster; the answers do not depend on it. A solver
    must not be used by two threads at once.

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
    cdef readonly uint64_t table_bytes
    cdef bint busy

    def __cinit__(self, table_bytes=DEFAULT_TABLE_BYTES):
        self.table_bytes = open_table(&self.table, table_bytes)
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
        """Bound the value of a position without any search.

        Parameters
        ----------
        position : Position
            Any point of the play.
        objective : Objective
            What the attack maximises.

        Returns
        -------
        tuple of int
            (lower, upper): sound bounds, in half points.
        """
        cdef int lower, upper
        static_bounds(&position.state, &objective.numbers, &lower, &upper)
        return lower, upper

    def value(
        self,
        Position position not None,
        Objective objective not None,
        lower=None,
        upper=None,
        guess=None,
        *,
        limit=None,
    ):
        """Narrow the value of a position to one number, or as far as a limit allows.

        Parameters
        ----------
        position : Position
            Any point of the play.
        objective : Objective
            What the attack maximises.
        lower, upper : int, optional
            What is known of the value; by default what follows without search.
        guess : int, optional
            Where to look first, without a limit; by default where a narrow search says.
        limit : Limit, optional
            Where to end. With one the bounds close in from outside, so that they are as
            tight as they can be when it ends the search.

        Returns
        -------
        tuple of int
            (lower, upper, nodes): sound bounds in half points, equal when the search
            finished.

        Raises
        ------
        OptionError
            If `lower` is above `upper`.
        """
        cdef Search search
        cdef State state = position.state  # its own copy: another thread may play on
        cdef int low, high, first = 0
        cdef bint guessed = guess is not None
        known_bounds(&state, objective, lower, upper, &low, &high)
        if guessed:
            first = min(max(value_number("guess", guess), low), high)
        self._start(&search, &state, objective, limit)
        with nogil:
            if guessed and not search.node_limit and search.deadline <= 0:
                search_value(&search, &state, first, &low, &high)
            else:
                search_bounds(&search, &state, False, 0, &low, &high)
        self.busy = False
        search_raise(&search)
        return low, high, search.nodes

    def at_least(
        self,
        Position position not None,
        Objective objective not None,
        threshold,
        *,
        limit=None,
    ):
        """Tell whether the value reaches a threshold, by one zero window.

        Parameters
        ----------
        position : Position
            Any point of the play.
        objective : Objective
            What the attack maximises.
        threshold : int
            In half points.
        limit : Limit, optional
            Where to end.

        Returns
        -------
        answer : bool or None
            None where the limit ended the search.
        nodes : int
            Positions searched.
        """
        cdef Search search
        cdef State state = position.state  # its own copy: another thread may play on
        cdef int value, beta = value_number("threshold", threshold)
        self._start(&search, &state, objective, limit)
        with nogil:
            value = search_window(&search, &state, beta)
        self.busy = False
        search_raise(&search)
        return None if search.stopped else value >= beta, search.nodes

    def cards(
        self,
        Position position not None,
        Objective objective not None,
        lower=None,
        upper=None,
        *,
        limit=None,
    ):
        """Narrow the value of every legal card to one number, or as far as a limit allows.

        Parameters
        ----------
        position : Position
            Any point of the play.
        objective : Objective
            What the attack maximises.
        lower, upper : int, optional
            What is known of the position's own value; by default what follows without
            search.
        limit : Limit, optional
            Where the whole call ends. The position itself takes at most half of it, its
            cards share the rest.

        Returns
        -------
        rows : list of tuple of int
            (card's number, lower, upper), lowest card first, with sound bounds that are
            equal where the search finished.
        nodes : int
            Positions searched.

        Raises
        ------
        OptionError
            If `lower` is above `upper`.
        """
        cdef Search search
        cdef Runs runs
        cdef int[MOST_CARDS] lows
        cdef int[MOST_CARDS] highs
        cdef int low, high, card, code, run
        cdef uint64_t nodes
        cdef double deadline
        cdef Cards legal
        cdef State state = position.state  # its own copy: another thread may play on
        known_bounds(&state, objective, lower, upper, &low, &high)
        if state.tricks_left == 0:
            return [], 0
        self._start(&search, &state, objective, limit)
        nodes = search.node_limit
        deadline = search.deadline
        with nogil:
            find_runs(&state, &runs)
            if not nodes and deadline <= 0:
                exact_value(&search, &state, &low, &high)
            elif low < high and runs.count > 1:
                search_limit(&search, (nodes + 1) >> 1)
                if deadline > 0:
                    search.deadline = (search_clock() + deadline) / 2
                search_bracket(&search, &state, &low, &high)
            search_cards(
                &search, &state, &runs, low, high, nodes, deadline, lows, highs
            )
        self.busy = False
        search_raise(&search)
        rows = []
        legal = legal_cards(&state)
        for card in range(PACK):
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
        *,
        limit=None,
    ):
        """Find the card easiest to part with that stays on the position's side of a threshold.

        Parameters
        ----------
        position : Position
            Any point of the play but its end.
        objective : Objective
            What the attack maximises.
        threshold : int
            In half points. The attack, if it is to move, can reach it; the defence, if it
            is, can keep the value below it.
        limit : Limit, optional
            Where to end.

        Returns
        -------
        card : int or None
            The card's number, None where the limit ended the search.
        nodes : int
            Positions searched.

        Raises
        ------
        PositionError
            If all cards are played.
        """
        cdef Search search
        cdef Runs runs
        cdef State child
        cdef State state = position.state  # its own copy: another thread may play on
        cdef int value, place, found = -1, beta = value_number("threshold", threshold)
        cdef bint attacks = state.attack >> state.to_move & 1
        if state.tricks_left == 0:
            raise PositionError("position: all cards are played")
        self._start(&search, &state, objective, limit)
        with nogil:
            find_runs(&state, &runs)
            sort_to_discard(&runs)
            for place in range(runs.count):
                found = runs.lowest[place]
                if place == runs.count - 1:
                    break  # it must be this one
                child = state
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
        *,
        limit=None,
    ):
        """Search many positions in one call, with the GIL released.

        Parameters
        ----------
        positions : sequence of Position
            Of any deals.
        objective : Objective
            What the attack maximises.
        threshold : int, optional
            Only find out whether each value reaches it; by default each is narrowed to
            one number.
        limit : Limit, optional
            Where the search of each position ends.

        Returns
        -------
        numpy.ndarray
            Of `MANY_DTYPE`, shape (n,). With a threshold the lower bound is at least that
            where the answer is yes, the upper one below it where it is no.
        """
        cdef Search search
        cdef State* states = NULL
        # A list of its own: nothing that changes, or lies about its length.
        positions = some("positions", positions)
        cdef Py_ssize_t row, rows = len(positions)
        cdef int low, high
        cdef bint window = threshold is not None
        cdef int beta = value_number("threshold", threshold) if window else 0
        cdef SearchLimit ends = limit_of(limit)
        cdef uint64_t unchecked = 0
        found = np.zeros(rows, MANY_DTYPE)
        cdef ManyRow[::1] out = found
        self._take()
        try:
            states = states_of(positions)
            search.error = NULL
            with nogil:
                for row in range(rows):
                    static_bounds(&states[row], &objective.numbers, &low, &high)
                    if search.error == NULL:
                        self._search(&search, &states[row], &objective.numbers, ends)
                        search_bounds(&search, &states[row], window, beta, &low, &high)
                        out[row].nodes = search.nodes
                        # A search looks for signals itself, but not the many short ones.
                        unchecked += search.nodes + NODES_OF_A_POSITION
                        if unchecked > NODES_AT_A_TIME:
                            unchecked = 0
                            check_signals()
                    out[row].lower = low
                    out[row].upper = high
                    out[row].exact = answered(low, high, window, beta)
        finally:
            free(states)
            self.busy = False
        search_raise(&search)
        return found

    cdef int _start(
        self, Search* search, const State* state, Objective objective, limit
    ) except -1:
        """Begin a search; until its end, which may not raise, the solver is `busy`."""
        cdef SearchLimit ends = limit_of(limit)
        self._take()
        self._search(search, state, &objective.numbers, ends)
        return 0

    cdef void _search(
        self,
        Search* search,
        const State* state,
        const ObjectiveNumbers* objective,
        SearchLimit limit,
    ) noexcept nogil:
        """Prepare an exact search within a limit that begins now."""
        search_init(
            search, &self.table, objective, state,
            make_widths(ALL_MOVES, ALL_MOVES, ALL_MOVES, ALL_MOVES),
        )
        search_limit(search, limit.nodes)
        if limit.seconds >= 0:
            search.deadline = search_clock() + limit.seconds


cdef uint64_t open_table(Table* table, object table_bytes) except 0:
    """Allocate a table of at most so many bytes; return how many were asked for."""
    cdef uint64_t size = whole_number("table_bytes", table_bytes, LEAST_TABLE)
    if not table_open(table, size):
        raise OptionError(f"table_bytes: there is no memory for a table of {size} bytes")
    return size


cdef SearchLimit limit_of(object limit) except *:
    cdef SearchLimit ends
    ends.nodes = 0
    ends.seconds = -1
    if limit is None:
        return ends
    instance_of("limit", limit, Limit)
    limit = Limit(limit.nodes, limit.seconds)  # checked once more, whatever was put into it
    if limit.nodes is not None:
        # At least one node, so that a limit of zero is not "none".
        ends.nodes = min(max(1, limit.nodes), 1 << 62)
    if limit.seconds is not None:
        ends.seconds = limit.seconds
    return ends


cdef State* states_of(object positions) except NULL:
    """Return a copy of each position's state, which the caller frees."""
    cdef Py_ssize_t row, rows = len(positions)
    cdef State* states = <State*>malloc(max(1, rows) * sizeof(State))
    cdef Position position
    if states == NULL:
        raise MemoryError
    try:
        for row in range(rows):
            if not isinstance(positions[row], Position):
                raise TypeError(f"positions[{row}]: {shown(positions[row])} is no Position")
            position = positions[row]
            states[row] = position.state
    except BaseException:
        free(states)
        raise
    return states


cdef int value_number(str name, object value) except? -1:
    """Return a threshold or bound; beyond every value one is as good as another."""
    return max(-UNBOUNDED, min(UNBOUNDED, whole_number(name, value, -MOST_ROWS)))


cdef int known_bounds(
    const State* state, Objective objective, lower, upper, int* low, int* high
) except -1:
    """Bound a value by what is sure and by what the caller knows."""
    static_bounds(state, &objective.numbers, low, high)
    if lower is not None:
        low[0] = max(value_number("lower", lower), low[0])
    if upper is not None:
        high[0] = min(value_number("upper", upper), high[0])
    if lower is not None and upper is not None and lower > upper:
        raise OptionError(f"lower: {lower} is above upper, {upper}")
    if low[0] > high[0]:
        known = f"lower: {lower} is above" if lower is not None else f"upper: {upper} is below"
        raise OptionError(f"{known} every value of the position")
    return 0
