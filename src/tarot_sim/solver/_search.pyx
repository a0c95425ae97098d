"""Zero-window alpha-beta over the play of the cards, with a table of theorems.

What a zero window proves is kept with what the proof relies on (`_proof.pxd`), and found
again for every position that it covers (`_table.pxd`).
"""

from cpython.exc cimport PyErr_CheckSignals
from cpython.ref cimport Py_DECREF, Py_INCREF, PyObject
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from tarot_sim._bits cimport (
    deposit64,
    extract64,
    lowest32,
    lowest64,
    popcount32,
    popcount64,
    prefetch,
    select64,
    unlikely,
)
from tarot_sim.solver._bounds cimport BOUT_BITS, Scene, Sure, open_scene, sure_of
from tarot_sim._cards cimport (
    Cards,
    LANE,
    NO_SUIT,
    NUMBERED,
    PETIT_BIT,
)
from tarot_sim.solver._order cimport Moves, add_moves, look_ahead
from tarot_sim.solver._proof cimport (
    Proof,
    compare,
    copy_down_suit,
    copy_down_trumps,
    dominated,
    obey_all,
    obey_one,
    same_trumps,
)
from tarot_sim._rules cimport (
    ATTACK,
    DEFENCE,
    State,
    cards_in_play,
    play_code,
)
from tarot_sim.solver._table cimport (
    Entry,
    Head,
    MIX_A,
    MIX_B,
    MIX_C,
    MIX_D,
    Table,
    View,
    bucket_of,
    find_head,
    fold,
    keep,
    look,
    matches,
    penalty,
)

cdef extern from *:
    """
    #include <time.h>
    static double ts_monotonic(void) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        return now.tv_sec + 1e-9 * now.tv_nsec;
    }
    """
    double monotonic "ts_monotonic"() noexcept nogil


cdef enum:
    FIRST_ROUND = 1000    # nodes of a window in the first round of a budget
    CHECK_EVERY = 200000  # nodes between looks at the clock, about 20 ms


# ---------------------------------------------------------------------------
# Values


cdef struct Frame:
    # A value's bounds are these ± what a camp is sure of among the cards in the hands.
    int floor            # attack's half points + the least extra, less an Excuse owed
    int ceiling          # the same with all cards in the hands, and the most extra
    int bouts            # of the attack, at the least
    int most             # bouts that the attack can have at the most


cdef void extra_bounds(
    const Goal* goal, bint petit_open, int won, int* low, int* high
) noexcept nogil:
    """Bound the goal's extra by what may still become of the Petit and the chelem."""
    cdef int row, column, value
    low[0] = UNBOUNDED
    high[0] = -UNBOUNDED
    for row in range(3):
        if row != 1 and not petit_open:
            continue
        for column in range(3):
            if (column == 0 and won & ATTACK) or (column == 2 and won & DEFENCE):
                continue
            value = goal.extra[3 * row + column]
            low[0] = min(low[0], value)
            high[0] = max(high[0], value)


cdef inline void open_frame(
    const State* state, const Goal* goal, Cards live, Frame* frame
) noexcept nogil:
    cdef int low_extra = 0, high_extra = 0
    if not goal.no_extra:
        extra_bounds(
            goal,
            live.trumps & PETIT_BIT or (state.tricks_left == 1 and state.petit_before_last),
            state.won,
            &low_extra,
            &high_extra,
        )
    frame.floor = state.attack_points + low_extra
    frame.ceiling = state.attack_points + state.live_points + high_extra
    frame.bouts = popcount32(state.bouts)
    frame.most = frame.bouts + popcount32(live.trumps & <uint32_t>BOUT_BITS)
    if state.debt and not state.won & state.debt:
        if state.debt == ATTACK:
            frame.floor -= 8
            frame.bouts -= 1
        else:
            frame.ceiling += 8
            frame.most += 1


cdef void value_bounds(
    const State* state, const Goal* goal, int* lower, int* upper
) noexcept nogil:
    cdef Scene scene
    cdef Frame frame
    cdef Proof proof
    open_scene(state, &scene)
    open_frame(state, goal, scene.live, &frame)
    lower[0] = sure_lower(state, &scene, goal, &frame, -UNBOUNDED, True, &proof)
    upper[0] = sure_upper(state, &scene, goal, &frame, UNBOUNDED, True, &proof)


cdef inline int sure_lower(
    const State* state,
    const Scene* scene,
    const Goal* goal,
    const Frame* frame,
    int beta,
    bint cash,
    Proof* proof,
) noexcept nogil:
    """Return a lower bound; a weak one where even the best could not reach `beta`."""
    cdef Sure sure
    cdef int wanted, plain = frame.floor - goal.need[frame.bouts]
    proof.suits = 0
    proof.trumps = 0
    if (plain >= beta and beta > -UNBOUNDED) or not state.won & ATTACK:
        return plain
    # The Excuse is counted apart, and every bout may lower the need.
    wanted = beta - plain - 8 - (goal.need[frame.bouts] - goal.need[frame.most])
    sure_of(state, scene, state.attack, -1 if beta == -UNBOUNDED else max(wanted, 0), cash, &sure)
    proof[0] = sure.proof
    # need[] falls with the bouts in every goal.
    return frame.floor + sure.points - goal.need[frame.bouts + sure.bouts]


cdef inline int sure_upper(
    const State* state,
    const Scene* scene,
    const Goal* goal,
    const Frame* frame,
    int beta,
    bint cash,
    Proof* proof,
) noexcept nogil:
    """Return an upper bound; a weak one where even the best could not be below `beta`."""
    cdef Sure sure
    cdef uint8_t seats = ~state.attack & ((1 << state.players) - 1)
    cdef int wanted, plain = frame.ceiling - goal.need[frame.most]
    proof.suits = 0
    proof.trumps = 0
    if (plain < beta and beta < UNBOUNDED) or not state.won & DEFENCE:
        return plain
    wanted = plain - beta + 1 - 8 - (goal.need[frame.bouts] - goal.need[frame.most])
    sure_of(state, scene, seats, -1 if beta == UNBOUNDED else max(wanted, 0), cash, &sure)
    proof[0] = sure.proof
    return frame.ceiling - sure.points - goal.need[frame.most - sure.bouts]


# ---------------------------------------------------------------------------
# The search


cdef void search_open(
    Search* search, Table* table, const Goal* goal, const State* state, const uint8_t* widths
) noexcept nogil:
    """Prepare a search of `state`'s deal for `goal`; limits are set by the caller."""
    cdef uint64_t salt
    cdef int item
    search.table = table
    search.goal = goal
    search.nodes = 0
    search.looked_at = 0
    search_limit(search, 0)
    search.deadline = 0
    search.cancelled = NULL
    search.stopped = False
    search.error = NULL
    salt = fold(
        MIX_A ^ (state.attack | state.options << 8 | state.players << 16), MIX_B
    )
    for item in range(4):
        search.widths[item] = widths[item]
        salt = fold(salt ^ MIX_C, MIX_D ^ widths[item])
        salt = fold(salt ^ MIX_A, MIX_B ^ <uint16_t>goal.need[item])
    for item in range(9):
        salt = fold(salt ^ MIX_C, MIX_D ^ <uint16_t>goal.extra[item])
    search.salt = salt


cdef void search_limit(Search* search, uint64_t nodes) noexcept nogil:
    """Stop when so many nodes have been counted; 0 for no limit."""
    search.node_limit = nodes
    search.look_at = search.looked_at + CHECK_EVERY
    if nodes and nodes < search.look_at:
        search.look_at = nodes


cdef void look_around(Search* search) noexcept nogil:
    """Stop on a limit, or on a signal for the main thread."""
    if search.node_limit and search.nodes >= search.node_limit:
        search.stopped = True
    if search.nodes >= search.looked_at + CHECK_EVERY:
        search.looked_at = search.nodes
        if search.deadline > 0 and monotonic() >= search.deadline:
            search.stopped = True
        if search.cancelled != NULL and search.cancelled[0]:
            search.stopped = True
        with gil:
            try:
                PyErr_CheckSignals()
            except BaseException as error:
                if search.error == NULL:
                    Py_INCREF(error)
                    search.error = <PyObject*>error
                search.stopped = True
        search_limit(search, search.node_limit)


cdef double search_clock() noexcept nogil:
    """Return the seconds of the clock that deadlines are told in."""
    return monotonic()


cdef int search_raise(Search* search) except -1:
    """Raise what a signal's handler raised during the search, if anything."""
    if search.error != NULL:
        error = <object>search.error
        Py_DECREF(error)
        search.error = NULL
        raise error
    return 0


cdef inline int relative_card(Cards live, int code) noexcept nogil:
    cdef uint64_t lane
    if code >= 64:
        return 64 | popcount32(live.trumps & ((<uint32_t>1 << (code - 64)) - 1))
    lane = live.suits & LANE[code >> 4]
    return (code & 0x30) | popcount64(lane & ((<uint64_t>1 << code) - 1))


cdef inline int absolute_card(Cards live, int relative) noexcept nogil:
    """Return the code of a relative card, or -1 if there is none (any hash is safe)."""
    cdef uint64_t lane
    cdef int place
    if relative & 64:
        place = relative & 63
        if place >= popcount32(live.trumps):
            return -1
        return 64 + select64(live.trumps, place)
    lane = live.suits & LANE[relative >> 4 & 3]
    place = relative & 15
    return select64(lane, place) if place < popcount64(lane) else -1


cdef inline int only_card(const State* state) noexcept nogil:
    """Return the last card of the player to move."""
    cdef const Cards* hand = &state.hands[state.to_move]
    return lowest64(hand.suits) if hand.suits else 64 + lowest32(hand.trumps)


cdef inline bint known(
    Search* search,
    const State* state,
    const Scene* scene,
    Head* head,
    const View* view,
    int beta,
    int* value,
    Proof* proof,
) noexcept nogil:
    """Look for a theorem that settles the window."""
    cdef Entry* entry
    cdef Entry* before = NULL
    cdef uint32_t link = head.first
    while link:
        entry = &search.table.entries[link]
        prefetch(&search.table.entries[entry.next])
        value[0] = state.attack_points + entry.bound
        if (value[0] < beta) == entry.is_upper and matches(entry, view):
            if entry.is_upper:
                value[0] += penalty(view.honours, entry.honours, state.players)
            else:
                value[0] -= penalty(entry.honours, view.honours, state.players)
            if (value[0] < beta) == entry.is_upper:
                if before != NULL:
                    # What has just been of use is likely to be so again.
                    before.next = entry.next
                    entry.next = head.first
                    head.first = link
                proof.suits = deposit64(entry.suit_lines, scene.live.suits)
                proof.trumps = deposit64(entry.trump_lines, scene.live.trumps)
                return True
        before = entry
        link = entry.next
    return False


cdef int lead(Search* search, const State* state, int beta, Proof* proof) noexcept nogil:
    """Tell at the start of a trick on which side of a zero window the value is; see `walk`."""
    cdef uint8_t[5][5] reaches
    cdef Scene scene
    cdef Frame frame
    cdef View view
    cdef Head* head = NULL
    cdef int value, first = -1, best_code = -1
    # The first lead under a called card is like nothing else: it is not kept.
    cdef bint tabled = state.banned_suit == NO_SUIT
    search.nodes += 1
    if unlikely(search.nodes >= search.look_at):
        look_around(search)
        if search.stopped:
            return 0
    if state.tricks_left == 1:
        return last_trick(search, state, proof)
    open_scene(state, &scene)
    open_frame(state, search.goal, scene.live, &frame)
    if tabled:
        look(search.salt, state, &scene, &view)
        # It comes while the bounds are computed.
        prefetch(bucket_of(search.table, view.place))
    value = sure_lower(state, &scene, search.goal, &frame, beta, True, proof)
    if value >= beta:
        return value
    if tabled:
        head = find_head(search.table, view.place, view.check)
        if head != NULL:
            prefetch(&search.table.entries[head.first])
    value = sure_upper(state, &scene, search.goal, &frame, beta, False, proof)
    if value < beta:
        return value
    if head != NULL:
        if known(search, state, &scene, head, &view, beta, &value, proof):
            return value
        first = absolute_card(scene.live, search.table.entries[head.first].best)
    # What the defence can cash rarely settles a window: not worth its time before.
    value = sure_upper(state, &scene, search.goal, &frame, beta, True, proof)
    if value < beta:
        return value
    value = walk(search, state, scene.live, beta, first, reaches, proof, &best_code)
    if tabled and not search.stopped:
        remember(
            search, &scene, &view, proof, value - state.attack_points, value < beta, best_code
        )
    return value


cdef inline void remember(
    Search* search, const Scene* scene, const View* view, const Proof* proof, int bound,
    bint is_upper, int best_code
) noexcept nogil:
    cdef Proof relative
    relative.suits = extract64(proof.suits, scene.live.suits)
    relative.trumps = extract64(proof.trumps, scene.live.trumps)
    keep(search.table, view, &relative, bound, is_upper, relative_card(scene.live, best_code))


cdef int walk(
    Search* search,
    const State* state,
    Cards live,
    int beta,
    int first,
    uint8_t[5]* reaches,
    Proof* proof,
    int* best_code,
) noexcept nogil:
    """Try the moves of a position: is its value at least `beta` or below it?

    Fail-soft: the number returned is a bound of the value on that side. `proof` is set to
    what it relies on. `live` are the cards in hands and on the table, as they are when
    the trick starts; `reaches` see `add_moves`.
    """
    cdef Moves moves
    cdef State child
    cdef int best, value, place, width, code, ignored, slack
    cdef uint64_t skipped = 0, own = state.hands[state.to_move].suits
    cdef uint32_t skipped_trumps = 0
    cdef uint32_t trumps = state.hands[state.to_move].trumps & <uint32_t>NUMBERED
    cdef Proof used
    cdef bint attacks = state.attack >> state.to_move & 1
    cdef bint ends_trick = state.count == state.players - 1
    # He has to trump, and over those on the table if he can.
    cdef bint obliged = state.high and trumps and not own & LANE[state.led]
    if state.count:
        search.nodes += 1
        if unlikely(search.nodes >= search.look_at):
            look_around(search)
            if search.stopped:
                return 0
    add_moves(state, live, &moves, first, reaches, search.widths[LEAD] == WIDE)
    width = search.widths[(2 if attacks else 0) + (LEAD if state.count == 0 else REPLY)]
    if width > moves.size:
        width = moves.size
    proof.suits = 0
    proof.trumps = 0
    best = -UNBOUNDED if attacks else UNBOUNDED
    for place in range(width):
        code = moves.code[place]
        if code < 64:
            if skipped >> code & 1:
                continue
        elif skipped_trumps >> (code - 64) & 1:
            continue
        child = state[0]
        play_code(&child, code)
        if not ends_trick:
            value = walk(search, &child, live, beta, -1, reaches, &used, &ignored)
        elif child.tricks_left:
            value = lead(search, &child, beta, &used)
        else:
            value = final_value(&child, search.goal)
            used.suits = 0
            used.trumps = 0
        if search.stopped:
            return 0
        if ends_trick:
            compare(&used, state, code)
        if (value >= beta) == attacks:
            # One move settles the node.
            proof[0] = used
            if obliged and code > 64:
                obey_one(proof, state, trumps, code)
            best_code[0] = code
            return value
        if value > best if attacks else value < best:
            best = value
            best_code[0] = code
        if code < 64:
            if place + 1 < width:
                slack = beta - 1 - value if attacks else value - beta
                skipped |= dominated(
                    used.suits, state, &child, &moves, code, own, live.suits, &slack
                )
                best = max(best, value + slack) if attacks else min(best, value - slack)
            used.suits = copy_down_suit(used.suits, own, live.suits, code)
        elif 65 < code < 85:
            if place + 1 < width:
                skipped_trumps |= same_trumps(used.trumps, trumps, live.trumps, code - 64)
            used.trumps = copy_down_trumps(used.trumps, trumps, live.trumps, code - 64)
        proof.suits |= used.suits
        proof.trumps |= used.trumps
    if obliged:
        obey_all(proof, state, trumps)
    return best


cdef int last_trick(Search* search, const State* state, Proof* proof) noexcept nogil:
    """Play the last trick, in which nobody has a choice."""
    cdef State child = state[0]
    cdef int code
    proof.suits = 0
    proof.trumps = 0
    while True:
        code = only_card(&child)
        if child.count == child.players - 1:
            compare(proof, &child, code)
            play_code(&child, code)
            return final_value(&child, search.goal)
        play_code(&child, code)


cdef int search_window(Search* search, const State* state, int beta) noexcept nogil:
    """Search one zero window from any point of a trick; see `Search.stopped`."""
    cdef uint8_t[5][5] reaches
    cdef Proof proof
    cdef int ignored
    if state.tricks_left == 0:
        return final_value(state, search.goal)
    if state.count == 0:
        return lead(search, state, beta, &proof)
    if state.led != NO_SUIT:
        look_ahead(state, state.led, reaches[state.led])
    return walk(search, state, cards_in_play(state), beta, -1, reaches, &proof, &ignored)


cdef int search_value(
    Search* search, const State* state, int guess, int* lower, int* upper
) noexcept nogil:
    """Narrow `lower` … `upper`, which must hold the value, by zero windows to one number.

    Each window that finishes moves a bound, so that the bounds are sound when the search
    is stopped. Returns the value, or the guess where it stopped.
    """
    cdef int value = guess, beta
    while lower[0] < upper[0]:
        if value < lower[0]:
            value = lower[0]
        if value > upper[0]:
            value = upper[0]
        beta = value + 1 if value == lower[0] else value
        value = search_window(search, state, beta)
        if search.stopped:
            return guess
        move_bound(value, beta, lower, upper)
    return lower[0]


cdef inline void move_bound(int value, int beta, int* lower, int* upper) noexcept nogil:
    """Take in what a window found; a narrow search may contradict what was known."""
    if value < beta:
        upper[0] = value if value > lower[0] else lower[0]
    else:
        lower[0] = value if value < upper[0] else upper[0]


cdef void search_close_in(
    Search* search, const State* state, int* lower, int* upper
) noexcept nogil:
    """Narrow sound bounds from outside, as far as the search's budget goes.

    Windows far from the value end soon, those near it may take for ever: so each gets a
    budget of its own, eight times larger in every round. In a round the lower bound is
    pushed up, then the upper one down, each by bisection toward the nearest window that
    was not answered.
    """
    cdef uint64_t whole = search.node_limit, each = FIRST_ROUND, limit
    cdef int side, beta, near, value
    while lower[0] < upper[0]:
        for side in range(2):
            near = upper[0] if side == 0 else lower[0]
            while lower[0] < upper[0]:
                if side == 0:
                    near = min(near, upper[0])
                    if near <= lower[0]:
                        break
                    # Shifts round down; a C division would round toward zero.
                    beta = (lower[0] + near + 1) >> 1
                else:
                    near = max(near, lower[0])
                    if near >= upper[0]:
                        break
                    beta = ((near + upper[0]) >> 1) + 1
                limit = search.nodes + each
                search_limit(search, min(whole, limit) if whole else limit)
                value = search_window(search, state, beta)
                if not search.stopped:
                    move_bound(value, beta, lower, upper)
                elif (
                    search.error != NULL
                    or (search.cancelled != NULL and search.cancelled[0])
                    or (whole and search.nodes >= whole)
                    or (search.deadline > 0 and monotonic() >= search.deadline)
                ):
                    return
                else:
                    search.stopped = False
                    near = beta - 1 if side == 0 else beta
        each *= 8


cdef inline void list_moves(const State* state, Moves* moves, bint proves) noexcept nogil:
    """List the moves of any position."""
    cdef uint8_t[5][5] reaches
    if state.led != NO_SUIT:
        look_ahead(state, state.led, reaches[state.led])
    add_moves(state, cards_in_play(state), moves, -1, reaches, proves)


cdef void search_line(Search* search, State* state, int value) noexcept nogil:
    """Play `state` to its end along a line that keeps its `value`.

    Where a narrow or stopped search contradicts itself, the first move is played.
    """
    cdef Moves moves
    cdef State child
    cdef int place, width, found
    cdef bint attacks
    while state.tricks_left:
        if state.tricks_left == 1:
            play_code(state, only_card(state))
            continue
        list_moves(state, &moves, search.widths[LEAD] == WIDE)
        attacks = state.attack >> state.to_move & 1
        width = search.widths[(2 if attacks else 0) + (LEAD if state.count == 0 else REPLY)]
        if width > moves.size:
            width = moves.size
        found = 0
        for place in range(width):
            if width == 1:
                break
            child = state[0]
            play_code(&child, moves.code[place])
            if attacks:
                if search_window(search, &child, value) >= value:
                    found = place
                    break
            elif search_window(search, &child, value + 1) <= value:
                found = place
                break
            if search.stopped:
                break
        play_code(state, moves.code[found])


cdef int policy_card(const State* state) noexcept nogil:
    """Return the card that the rule-based policy plays: the first in order."""
    cdef Moves moves
    list_moves(state, &moves, False)
    return moves.code[0]
