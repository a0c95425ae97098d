"""Zero-window alpha-beta over the play of the cards, with a transposition table.

Positions are looked up at the start of a trick, with ranks relative to the cards that
are still live: which pips remain does not matter, only their order. Values are kept
relative to the half points that the attack has, so that equal endings reached with
different scores meet.
"""

from cpython.exc cimport PyErr_CheckSignals
from cpython.ref cimport Py_DECREF, Py_INCREF, PyObject
from libc.stdint cimport int16_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from tarot_sim._bits cimport (
    extract64,
    highest64,
    lowest32,
    lowest64,
    popcount32,
    popcount64,
    select64,
    unlikely,
)
from tarot_sim._cards cimport (
    ATOUT_21_BIT,
    BOUT_21,
    BOUT_EXCUSE,
    BOUT_PETIT,
    CAVALIERS,
    Cards,
    DAMES,
    EXCUSE_BIT,
    HALF_POINTS,
    LANE,
    PETIT_BIT,
    ROIS,
    VALETS,
)
from tarot_sim._order cimport Moves, add_moves
from tarot_sim._rules cimport (
    ATTACK,
    DEFENCE,
    State,
    cards_in_play,
    legal_cards,
    play_code,
)

cdef extern from *:
    """
    #include <time.h>
    static double ts_monotonic(void) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        return now.tv_sec + 1e-9 * now.tv_nsec;
    }
    /* Fold of the 128-bit product: both halves depend on all bits of both factors. */
    static inline uint64_t ts_fold(uint64_t a, uint64_t b) {
        unsigned __int128 product = (unsigned __int128)a * b;
        return (uint64_t)product ^ (uint64_t)(product >> 64);
    }
    """
    double monotonic "ts_monotonic"() noexcept nogil
    uint64_t fold "ts_fold"(uint64_t a, uint64_t b) noexcept nogil


cdef enum:
    BUCKET = 4
    NO_CARD = 255
    CHECK_EVERY = 0x3FFFF  # nodes between looks at the clock, about 20 ms

cdef uint64_t MIX_A = 0x9E3779B97F4A7C15
cdef uint64_t MIX_B = 0xD6E8FEB86659FD93
cdef uint64_t MIX_C = 0xA0761D6478BD642F
cdef uint64_t MIX_D = 0xE7037ED1A0B428DB


# ---------------------------------------------------------------------------
# The table


cdef bint table_open(Table* table, uint64_t bytes) noexcept nogil:
    """Allocate the largest table of at most `bytes` (at least one bucket)."""
    cdef uint64_t buckets = 1
    while buckets * 2 * BUCKET * sizeof(Entry) <= bytes:
        buckets *= 2
    # One line more, to start on a cache line.
    table.block = calloc(buckets * BUCKET * sizeof(Entry) + 64, 1)
    if table.block == NULL:
        return False
    table.entries = <Entry*>((<uint64_t>table.block + 63) & ~<uint64_t>63)
    table.buckets = buckets
    table.age = 1
    table.only_current = False
    return True


cdef void table_close(Table* table) noexcept nogil:
    free(table.block)
    table.block = NULL
    table.entries = NULL


cdef void table_new_age(Table* table) noexcept nogil:
    """Let all entries be overwritten first; they stay usable."""
    table.age += 1
    if table.age == 0:
        table_clear(table)


cdef void table_clear(Table* table) noexcept nogil:
    memset(table.entries, 0, table.buckets * BUCKET * sizeof(Entry))
    table.age = 1


cdef inline bint is_open(const Table* table, const Entry* entry) noexcept nogil:
    """Tell whether an entry may be read."""
    return entry.age == table.age or (entry.age and not table.only_current)


cdef inline Entry* table_find(Table* table, uint64_t place, uint64_t check) noexcept nogil:
    cdef Entry* bucket = table.entries + (place & (table.buckets - 1)) * BUCKET
    cdef int slot
    for slot in range(BUCKET):
        if bucket[slot].check == check and is_open(table, &bucket[slot]):
            return &bucket[slot]
    return NULL


cdef inline void table_store(
    Table* table, uint64_t place, uint64_t check, int lower, int upper, int best, int tricks_left
) noexcept nogil:
    cdef Entry* bucket = table.entries + (place & (table.buckets - 1)) * BUCKET
    cdef Entry* entry = NULL
    cdef int slot, worth, least = 0x7FFFFFFF
    for slot in range(BUCKET):
        if bucket[slot].check == check and is_open(table, &bucket[slot]):
            entry = &bucket[slot]
            # The newest bound wins where the two kinds are kept apart.
            if lower > entry.lower:
                entry.lower = lower
            if upper < entry.upper:
                entry.upper = upper
            if best != NO_CARD:
                entry.best = best
            entry.age = table.age
            return
        # Entries of another age go first, then those with the fewest tricks below them.
        worth = bucket[slot].tricks_left + (256 if bucket[slot].age == table.age else 0)
        if bucket[slot].age == 0:
            worth = -1
        if worth < least:
            least = worth
            entry = &bucket[slot]
    entry.check = check
    entry.lower = lower
    entry.upper = upper
    entry.best = best
    entry.tricks_left = tricks_left
    entry.age = table.age


# ---------------------------------------------------------------------------
# Values


cdef inline int final_value(const State* state, const Goal* goal) noexcept nogil:
    cdef int chelem = 1
    if state.won == ATTACK:
        chelem = 2
    elif state.won == DEFENCE:
        chelem = 0
    return (
        state.attack_points
        - goal.need[popcount32(state.bouts)]
        + goal.extra[3 * (state.petit_au_bout + 1) + chelem]
    )


cdef void value_bounds(
    const State* state, const Goal* goal, int* lower, int* upper
) noexcept nogil:
    """Bound the value at the start of a trick.

    A camp keeps what it has, but for an Excuse that it still owes. Of the cards in the
    hands: the 21 wins any trick, and the Excuse can be played while two tricks are left;
    both facts hold only for a camp that has won a trick (the other case is the chelem
    with the Excuse last, and the Excuse of a camp without a trick). The attack's 21 and
    Excuse are points that it can be sure of, the defence's are lost to it.
    """
    cdef int seat, row, column, value, low_extra = 0, high_extra = 0
    cdef int sure = 0, lost = 0, rest = 0
    cdef int sure_bouts = popcount32(state.bouts), lost_bouts = 0, live_bouts = 0
    cdef uint32_t trumps
    cdef uint64_t suits = 0
    cdef bint petit_open = state.tricks_left == 1 and state.petit_before_last
    cdef bint first = True
    for seat in range(state.players):
        trumps = state.hands[seat].trumps
        suits |= state.hands[seat].suits
        rest += popcount32(trumps)
        if trumps & <uint32_t>(PETIT_BIT | ATOUT_21_BIT | EXCUSE_BIT):
            if trumps & PETIT_BIT:
                petit_open = True
            rest += 8 * popcount32(trumps & <uint32_t>(PETIT_BIT | ATOUT_21_BIT | EXCUSE_BIT))
            live_bouts += popcount32(trumps & <uint32_t>(PETIT_BIT | ATOUT_21_BIT | EXCUSE_BIT))
            if state.attack >> seat & 1:
                if state.won & ATTACK:
                    if trumps & ATOUT_21_BIT:
                        sure += 9
                        sure_bouts += 1
                    if trumps & EXCUSE_BIT and state.tricks_left > 1:
                        sure += 8
                        sure_bouts += 1
            elif state.won & DEFENCE:
                if trumps & ATOUT_21_BIT:
                    lost += 9
                    lost_bouts += 1
                if trumps & EXCUSE_BIT and state.tricks_left > 1:
                    lost += 8
                    lost_bouts += 1
    rest += (
        popcount64(suits)
        + 2 * popcount64(suits & VALETS)
        + 4 * popcount64(suits & CAVALIERS)
        + 6 * popcount64(suits & DAMES)
        + 8 * popcount64(suits & ROIS)
    )
    lower[0] = state.attack_points + sure
    upper[0] = state.attack_points + rest - lost
    live_bouts += popcount32(state.bouts) - lost_bouts
    if state.debt and not state.won & state.debt:
        if state.debt == ATTACK:
            lower[0] -= 8
            sure_bouts -= 1
        else:
            upper[0] += 8
            live_bouts += 1
    # need[] falls with the bouts in every goal.
    lower[0] -= goal.need[sure_bouts]
    upper[0] -= goal.need[live_bouts]
    for row in range(3):
        if row != 1 and not petit_open:
            continue
        for column in range(3):
            if (column == 0 and state.won & ATTACK) or (column == 2 and state.won & DEFENCE):
                continue
            value = goal.extra[3 * row + column]
            if first or value < low_extra:
                low_extra = value
            if first or value > high_extra:
                high_extra = value
            first = False
    lower[0] += low_extra
    upper[0] += high_extra


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
    search.node_limit = 0
    search.deadline = 0
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


cdef void look_around(Search* search) noexcept nogil:
    """Stop on a limit, or on a signal for the main thread."""
    if search.node_limit and search.nodes >= search.node_limit:
        search.stopped = True
    if search.nodes & CHECK_EVERY == 0:
        if search.deadline > 0 and monotonic() >= search.deadline:
            search.stopped = True
        with gil:
            try:
                PyErr_CheckSignals()
            except BaseException as error:
                if search.error == NULL:
                    Py_INCREF(error)
                    search.error = <PyObject*>error
                search.stopped = True


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


cdef inline uint64_t hash_position(
    const Search* search, const State* state, Cards live, uint64_t* check
) noexcept nogil:
    """Hash all that the value − attack's points depends on, twice."""
    cdef uint64_t suits, trumps, lengths, facts
    cdef uint64_t place = search.salt, second = search.salt ^ MIX_D
    cdef int seat
    lengths = (
        popcount64(live.suits & LANE[0])
        | popcount64(live.suits & LANE[1]) << 4
        | popcount64(live.suits & LANE[2]) << 8
        | <uint64_t>popcount64(live.suits & LANE[3]) << 12
        | <uint64_t>(live.trumps & <uint32_t>(ATOUT_21_BIT | PETIT_BIT | EXCUSE_BIT)) << 16
    )
    facts = (
        state.leader
        | state.won << 4
        | popcount32(state.bouts) << 8
        | state.banned_suit << 12
    )
    if state.banned_suit != 5:
        facts |= <uint64_t>state.called << 48
    if state.debt and not state.won & state.debt:
        facts |= state.debt << 16
    if state.tricks_left == 1:
        facts |= state.petit_before_last << 20
    # The value of the honours that are live is not in their relative rank.
    suits = live.suits & (VALETS | CAVALIERS | DAMES | ROIS)
    place = fold(place ^ suits ^ MIX_A, lengths ^ MIX_B)
    second = fold(second ^ suits ^ MIX_C, lengths ^ MIX_A)
    for seat in range(state.players - 1):
        suits = extract64(state.hands[seat].suits, live.suits)
        trumps = extract64(state.hands[seat].trumps, live.trumps) | facts << 24
        facts = seat
        place = fold(place ^ suits, trumps ^ MIX_C)
        second = fold(second ^ suits, trumps ^ MIX_D) + suits
    check[0] = second
    return place


cdef inline int only_card(const State* state) noexcept nogil:
    """Return the last card of the player to move."""
    cdef const Cards* hand = &state.hands[state.to_move]
    return lowest64(hand.suits) if hand.suits else 64 + lowest32(hand.trumps)


cdef int walk(Search* search, const State* state, int alpha, int beta) noexcept nogil:
    """Return the value, fail-soft: at most alpha if it is, at least beta if it is."""
    cdef Moves moves
    cdef State child
    cdef Cards live
    cdef Entry* entry
    cdef int lower, upper, best = -UNBOUNDED, value, place, width, code
    cdef int best_code = -1, first = -1, base = 0, low_bound = -UNBOUNDED, high_bound = UNBOUNDED
    cdef uint64_t index = 0, check = 0
    cdef bint attacks = state.attack >> state.to_move & 1
    cdef bint boundary = state.count == 0
    if state.tricks_left == 0:
        return final_value(state, search.goal)
    search.nodes += 1
    if unlikely(search.nodes & CHECK_EVERY == 0 or search.nodes == search.node_limit):
        look_around(search)
    if search.stopped:
        return 0
    live = cards_in_play(state)
    if boundary:
        if state.tricks_left == 1:
            child = state[0]
            while child.tricks_left:
                play_code(&child, only_card(&child))
            return final_value(&child, search.goal)
        value_bounds(state, search.goal, &lower, &upper)
        if lower >= beta:
            return lower
        if upper <= alpha:
            return upper
        base = state.attack_points
        index = hash_position(search, state, live, &check)
        entry = table_find(search.table, index, check)
        if entry != NULL:
            low_bound = entry.lower
            high_bound = entry.upper
            if low_bound > -UNBOUNDED and low_bound + base >= beta:
                return low_bound + base
            if high_bound < UNBOUNDED and high_bound + base <= alpha:
                return high_bound + base
            if entry.best != NO_CARD:
                first = absolute_card(live, entry.best)
    add_moves(state, live, &moves, first)
    width = search.widths[(2 if attacks else 0) + (LEAD if boundary else REPLY)]
    if width > moves.size:
        width = moves.size
    if attacks:
        best = -UNBOUNDED
        for place in range(width):
            child = state[0]
            code = moves.code[place]
            play_code(&child, code)
            value = walk(search, &child, alpha if alpha > best else best, beta)
            if search.stopped:
                return 0
            if value > best:
                best = value
                best_code = code
                if best >= beta:
                    break
    else:
        best = UNBOUNDED
        for place in range(width):
            child = state[0]
            code = moves.code[place]
            play_code(&child, code)
            value = walk(search, &child, alpha, beta if beta < best else best)
            if search.stopped:
                return 0
            if value < best:
                best = value
                best_code = code
                if best <= alpha:
                    break
    if boundary:
        table_store(
            search.table,
            index,
            check,
            best - base if best > alpha else -UNBOUNDED,
            best - base if best < beta else UNBOUNDED,
            relative_card(live, best_code),
            state.tricks_left,
        )
    return best


cdef int search_window(Search* search, const State* state, int alpha, int beta) noexcept nogil:
    """Search one window from any point of a trick; see `Search.stopped`."""
    return walk(search, state, alpha, beta)


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
        value = walk(search, state, beta - 1, beta)
        if search.stopped:
            return guess
        if value < beta:
            upper[0] = value if value > lower[0] else lower[0]
        else:
            lower[0] = value if value < upper[0] else upper[0]
    return lower[0]


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
        add_moves(state, cards_in_play(state), &moves, -1)
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
                if walk(search, &child, value - 1, value) >= value:
                    found = place
                    break
            elif walk(search, &child, value, value + 1) <= value:
                found = place
                break
            if search.stopped:
                break
        play_code(state, moves.code[found])


cdef int policy_card(const State* state) noexcept nogil:
    """Return the card that the rule-based policy plays: the first in order."""
    cdef Moves moves
    add_moves(state, cards_in_play(state), &moves, -1)
    return moves.code[0]
