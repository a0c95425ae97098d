"""Zero-window alpha-beta over the play of the cards, with a table of theorems.

What a zero window proves is kept with what the proof relies on (`_proof.pxd`), and found
again for every position that it covers (`_table.pxd`).
"""

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
from tarot_sim._cards cimport (
    CODE_21,
    CODE_PETIT,
    Cards,
    LANE,
    MOST_PLAYERS,
    NO_SUIT,
    NUMBERED,
    PETIT_BIT,
    TRUMPS,
)
from tarot_sim._signals cimport check_signals
from tarot_sim._rules cimport (
    ATTACK,
    DEFENCE,
    EXCUSE_NET,
    State,
    cards_in_play,
    play_code,
)
from tarot_sim.solver._bounds cimport (
    ALL_THERE_IS,
    BOUT_BITS,
    Layout,
    SureGain,
    read_layout,
    sure_gain,
)
from tarot_sim.solver._order cimport Moves, fill_reaches, generate_moves
from tarot_sim.solver._proof cimport (
    Proof,
    copy_down_suit,
    copy_down_trumps,
    dominated,
    require_forbidden,
    require_legal,
    require_winner,
    same_trumps,
)
from tarot_sim.solver._table cimport (
    Chain,
    Entry,
    MIX_A,
    MIX_B,
    MIX_C,
    MIX_D,
    TTKey,
    Table,
    bucket_of,
    excess_value,
    find_chain,
    fold,
    make_key,
    matches,
    store,
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
    FIRST_ROUND = 1000    # nodes of a window in the first round of `search_bracket`
    CHECK_EVERY = 200000  # nodes between looks at the clock, about 20 ms


# ---------------------------------------------------------------------------
# Values


cdef struct BaseBounds:
    # A value's bounds are these ± what a camp is sure of among the cards in the hands.
    int floor            # attack's half points + the least extra, less an Excuse owed
    int ceiling          # the same with all cards in the hands, and the most extra
    int least_bouts      # of the attack
    int most_bouts


cdef void extra_bounds(
    const ObjectiveNumbers* objective, bint petit_open, int won, int* low, int* high
) noexcept nogil:
    """Bound the objective's extra by what may still become of the Petit and the chelem."""
    cdef int petit, chelem, value
    low[0] = UNBOUNDED
    high[0] = -UNBOUNDED
    for petit in range(3):
        if petit != 1 and not petit_open:
            continue
        for chelem in range(3):
            if (chelem == 0 and won & ATTACK) or (chelem == 2 and won & DEFENCE):
                continue
            value = objective.extra[petit][chelem]
            low[0] = min(low[0], value)
            high[0] = max(high[0], value)


cdef inline void base_bounds(
    const State* state, const ObjectiveNumbers* objective, Cards live, BaseBounds* base
) noexcept nogil:
    cdef int low_extra = 0, high_extra = 0
    if not objective.no_extra:
        extra_bounds(
            objective,
            live.trumps & PETIT_BIT or (state.tricks_left == 1 and state.petit_before_last),
            state.won,
            &low_extra,
            &high_extra,
        )
    base.floor = state.attack_points + low_extra
    base.ceiling = state.attack_points + state.live_points + high_extra
    base.least_bouts = popcount32(state.bouts)
    base.most_bouts = base.least_bouts + popcount32(live.trumps & <uint32_t>BOUT_BITS)
    if state.debt and not state.won & state.debt:
        if state.debt == ATTACK:
            base.floor -= EXCUSE_NET
            base.least_bouts -= 1
        else:
            base.ceiling += EXCUSE_NET
            base.most_bouts += 1


cdef inline int need_span(
    const ObjectiveNumbers* objective, const BaseBounds* base
) noexcept nogil:
    """Return how much of the need may still depend on the bouts."""
    return objective.need[base.least_bouts] - objective.need[base.most_bouts]


cdef void value_bounds(
    const State* state, const ObjectiveNumbers* objective, int* lower, int* upper
) noexcept nogil:
    cdef Layout layout
    cdef BaseBounds base
    cdef Proof proof
    read_layout(state, &layout)
    base_bounds(state, objective, layout.live, &base)
    lower[0] = lower_bound(state, &layout, objective, &base, -UNBOUNDED, True, &proof)
    upper[0] = upper_bound(state, &layout, objective, &base, UNBOUNDED, True, &proof)


cdef inline int lower_bound(
    const State* state,
    const Layout* layout,
    const ObjectiveNumbers* objective,
    const BaseBounds* base,
    int beta,
    bint cash,
    Proof* proof,
) noexcept nogil:
    """Return a lower bound; a weak one where even the best could not reach `beta`."""
    cdef SureGain gain
    cdef int wanted, plain = base.floor - objective.need[base.least_bouts]
    proof.suits = 0
    proof.trumps = 0
    if (plain >= beta and beta > -UNBOUNDED) or not state.won & ATTACK:
        return plain
    # The Excuse is counted apart, and every bout may lower the need.
    wanted = beta - plain - EXCUSE_NET - need_span(objective, base)
    if beta == -UNBOUNDED:
        wanted = ALL_THERE_IS
    elif wanted < 0:
        wanted = 0
    sure_gain(state, layout, state.attack, wanted, cash, &gain)
    proof[0] = gain.proof
    # need[] falls with the bouts in every objective.
    return base.floor + gain.points - objective.need[base.least_bouts + gain.bouts]


cdef inline int upper_bound(
    const State* state,
    const Layout* layout,
    const ObjectiveNumbers* objective,
    const BaseBounds* base,
    int beta,
    bint cash,
    Proof* proof,
) noexcept nogil:
    """Return an upper bound; a weak one where even the best could not be below `beta`."""
    cdef SureGain gain
    cdef uint8_t seats = ~state.attack & ((1 << state.players) - 1)
    cdef int wanted, plain = base.ceiling - objective.need[base.most_bouts]
    proof.suits = 0
    proof.trumps = 0
    if (plain < beta and beta < UNBOUNDED) or not state.won & DEFENCE:
        return plain
    wanted = plain - beta + 1 - EXCUSE_NET - need_span(objective, base)
    if beta == UNBOUNDED:
        wanted = ALL_THERE_IS
    elif wanted < 0:
        wanted = 0
    sure_gain(state, layout, seats, wanted, cash, &gain)
    proof[0] = gain.proof
    return base.ceiling - gain.points - objective.need[base.most_bouts - gain.bouts]


# ---------------------------------------------------------------------------
# The search


cdef void search_init(
    Search* search,
    Table* table,
    const ObjectiveNumbers* objective,
    const State* state,
    Widths widths,
) noexcept nogil:
    """Prepare a search of `state`'s deal for `objective`; limits are set by the caller."""
    cdef uint64_t salt
    cdef int petit, chelem
    search.table = table
    search.objective = objective
    search.nodes = 0
    search.checked_at = 0
    search_limit(search, 0)
    search.deadline = 0
    search.stopped = False
    search.error = NULL
    salt = fold(
        MIX_A ^ (state.attack | state.options << 8 | state.players << 16), MIX_B
    )
    salt = add_salt(salt, widths.defence.lead, objective.need[0])
    salt = add_salt(salt, widths.defence.reply, objective.need[1])
    salt = add_salt(salt, widths.attack.lead, objective.need[2])
    salt = add_salt(salt, widths.attack.reply, objective.need[3])
    for petit in range(3):
        for chelem in range(3):
            salt = fold(salt ^ MIX_C, MIX_D ^ <uint16_t>objective.extra[petit][chelem])
    search.salt = salt
    search.widths = widths
    search.proof_order = widths.defence.lead == ALL_MOVES


cdef inline uint64_t add_salt(uint64_t salt, int width, int need) noexcept nogil:
    salt = fold(salt ^ MIX_C, MIX_D ^ <uint64_t>width)
    return fold(salt ^ MIX_A, MIX_B ^ <uint16_t>need)


cdef inline int width_of(
    const Search* search, const State* state, const Moves* moves
) noexcept nogil:
    """Return how many of the moves are tried."""
    cdef const CampWidths* camp = &search.widths.defence
    cdef int width
    if state.attack >> state.to_move & 1:
        camp = &search.widths.attack
    width = camp.lead if state.count == 0 else camp.reply
    return width if width < moves.size else moves.size


cdef void search_limit(Search* search, uint64_t nodes) noexcept nogil:
    """Stop when so many nodes have been counted; 0 for no limit."""
    search.node_limit = nodes
    search.check_at = search.checked_at + CHECK_EVERY
    if nodes and nodes < search.check_at:
        search.check_at = nodes


cdef void check_limits(Search* search) noexcept nogil:
    """Stop on a limit, or on a signal for the main thread."""
    if search.node_limit and search.nodes >= search.node_limit:
        search.stopped = True
    if search.nodes >= search.checked_at + CHECK_EVERY:
        search.checked_at = search.nodes
        if search.deadline > 0 and monotonic() >= search.deadline:
            search.stopped = True
        with gil:
            try:
                check_signals()
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


cdef inline bint probe(
    Search* search,
    const State* state,
    const Layout* layout,
    Chain* chain,
    const TTKey* key,
    int beta,
    int* value,
    Proof* proof,
) noexcept nogil:
    """Look in a chain for a theorem that settles the window."""
    cdef Entry* entry
    cdef Entry* before = NULL
    cdef uint32_t link = chain.first
    while link:
        entry = &search.table.entries[link]
        prefetch(&search.table.entries[entry.next])
        value[0] = state.attack_points + entry.bound
        if (value[0] < beta) == entry.is_upper and matches(entry, key):
            if entry.is_upper:
                value[0] += excess_value(key.honours, entry.honours, state.players)
            else:
                value[0] -= excess_value(entry.honours, key.honours, state.players)
            if (value[0] < beta) == entry.is_upper:
                if before != NULL:
                    # What has just been of use is likely to be so again.
                    before.next = entry.next
                    entry.next = chain.first
                    chain.first = link
                proof.suits = deposit64(entry.suit_lines, layout.live.suits)
                proof.trumps = deposit64(entry.trump_lines, layout.live.trumps)
                return True
        before = entry
        link = entry.next
    return False


cdef int search_trick(Search* search, const State* state, int beta, Proof* proof) noexcept nogil:
    """Search a zero window at the start of a trick; see `search_moves`."""
    cdef uint8_t[TRUMPS + 1][MOST_PLAYERS] reaches
    cdef Layout layout
    cdef BaseBounds base
    cdef TTKey key
    cdef Chain* chain = NULL
    cdef int value, tt_move = -1, best_code = -1
    # The first lead under a called card is like nothing else: it is not kept.
    cdef bint tabled = state.banned_suit == NO_SUIT
    search.nodes += 1
    if unlikely(search.nodes >= search.check_at):
        check_limits(search)
        if search.stopped:
            return 0
    if state.tricks_left == 1:
        return last_trick(search, state, proof)
    read_layout(state, &layout)
    base_bounds(state, search.objective, layout.live, &base)
    if tabled:
        make_key(search.salt, state, &layout, &key)
        # It comes while the bounds are computed.
        prefetch(bucket_of(search.table, key.hash))
    value = lower_bound(state, &layout, search.objective, &base, beta, True, proof)
    if value >= beta:
        return value
    if tabled:
        chain = find_chain(search.table, key.hash, key.check)
        if chain != NULL:
            prefetch(&search.table.entries[chain.first])
    value = upper_bound(state, &layout, search.objective, &base, beta, False, proof)
    if value < beta:
        return value
    if chain != NULL:
        if probe(search, state, &layout, chain, &key, beta, &value, proof):
            return value
        tt_move = absolute_card(layout.live, search.table.entries[chain.first].best)
    # What the defence can cash rarely settles a window: not worth its time before.
    value = upper_bound(state, &layout, search.objective, &base, beta, True, proof)
    if value < beta:
        return value
    value = search_moves(search, state, layout.live, beta, tt_move, reaches, proof, &best_code)
    if tabled and not search.stopped:
        store_proof(
            search, &layout, &key, proof, value - state.attack_points, value < beta, best_code
        )
    return value


cdef inline void store_proof(
    Search* search, const Layout* layout, const TTKey* key, const Proof* proof, int bound,
    bint is_upper, int best_code
) noexcept nogil:
    cdef Proof relative
    relative.suits = extract64(proof.suits, layout.live.suits)
    relative.trumps = extract64(proof.trumps, layout.live.trumps)
    store(search.table, key, &relative, bound, is_upper, relative_card(layout.live, best_code))


cdef int search_moves(
    Search* search,
    const State* state,
    Cards live,
    int beta,
    int tt_move,
    uint8_t[MOST_PLAYERS]* reaches,
    Proof* proof,
    int* best_code,
) noexcept nogil:
    """Search a zero window by the moves: is the value at least `beta` or below it?

    Fail-soft: the number returned is a bound of the value on that side. `proof` is set to
    what it relies on, `best_code` to the best move. `live` are the cards in hands and on the
    table, as they are when the trick starts; `tt_move` and `reaches` see `generate_moves`.
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
    # They have to trump, and over those on the table if they can.
    cdef bint obliged = state.high and trumps and not own & LANE[state.led]
    if state.count:
        search.nodes += 1
        if unlikely(search.nodes >= search.check_at):
            check_limits(search)
            if search.stopped:
                return 0
    generate_moves(state, live, &moves, tt_move, reaches, search.proof_order)
    width = width_of(search, state, &moves)
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
            value = search_moves(search, &child, live, beta, -1, reaches, &used, &ignored)
        elif child.tricks_left:
            value = search_trick(search, &child, beta, &used)
        else:
            value = final_value(&child, search.objective)
            used.suits = 0
            used.trumps = 0
        if search.stopped:
            return 0
        if ends_trick:
            require_winner(&used, state, code)
        if (value >= beta) == attacks:
            # One move settles the node.
            proof[0] = used
            if obliged and code > 64:
                require_legal(proof, state, trumps, code)
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
        elif CODE_PETIT < code < CODE_21:
            if place + 1 < width:
                skipped_trumps |= same_trumps(used.trumps, trumps, live.trumps, code - 64)
            used.trumps = copy_down_trumps(used.trumps, trumps, live.trumps, code - 64)
        proof.suits |= used.suits
        proof.trumps |= used.trumps
    if obliged:
        require_forbidden(proof, state, trumps)
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
            require_winner(proof, &child, code)
            play_code(&child, code)
            return final_value(&child, search.objective)
        play_code(&child, code)


cdef int search_window(Search* search, const State* state, int beta) noexcept nogil:
    """Search one zero window from any point of a trick; see `Search.stopped`."""
    cdef uint8_t[TRUMPS + 1][MOST_PLAYERS] reaches
    cdef Proof proof
    cdef int ignored
    if state.tricks_left == 0:
        return final_value(state, search.objective)
    if state.count == 0:
        return search_trick(search, state, beta, &proof)
    if state.led != NO_SUIT:
        fill_reaches(state, state.led, reaches[state.led])
    return search_moves(search, state, cards_in_play(state), beta, -1, reaches, &proof, &ignored)


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


cdef void search_bracket(
    Search* search, const State* state, int* lower, int* upper
) noexcept nogil:
    """Narrow sound bounds from outside, as far as the search's limits go.

    Windows far from the value end soon, those near it may take for ever: so each gets a
    limit of its own, eight times larger in every round. In a round the lower bound is
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
                    or (whole and search.nodes >= whole)
                    or (search.deadline > 0 and monotonic() >= search.deadline)
                ):
                    return
                else:
                    search.stopped = False
                    near = beta - 1 if side == 0 else beta
        each *= 8


cdef inline void moves_of(const State* state, Moves* moves, bint proof_order) noexcept nogil:
    """List the moves of any position."""
    cdef uint8_t[TRUMPS + 1][MOST_PLAYERS] reaches
    if state.led != NO_SUIT:
        fill_reaches(state, state.led, reaches[state.led])
    generate_moves(state, cards_in_play(state), moves, -1, reaches, proof_order)


cdef void principal_variation(Search* search, State* state, int value) noexcept nogil:
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
        moves_of(state, &moves, search.proof_order)
        attacks = state.attack >> state.to_move & 1
        width = width_of(search, state, &moves)
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
    moves_of(state, &moves, False)
    return moves.code[0]
