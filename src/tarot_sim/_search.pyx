"""Zero-window alpha-beta over the play of the cards, with a table of theorems.

Partition search: what is proved of a position is kept in the most general form that the
proof allows, and found again for every position that it covers.

* Trumps and the Excuse, the lengths of all suits in all hands and the lead are the
  *base key*; they have to be the same.
* Of the suit cards, only the owners of those ranks matter that decided who wins some
  trick of the proof: in each suit, from some rank up (`deciding`). Ranks are relative to
  the cards that are live.
* What the cards are worth need not be the same. Let position X be proved to bring the
  attack at least L, and let Y differ from it in honours only. Match each hand's cards of
  a suit in order of rank. Were Y's cards worth what X's are, the proof would hold; giving
  them their own values back takes from the attack, whatever is played, no more than the
  sum by which X's cards outvalue Y's, since each card is won once. So Y brings at least
  L − that sum; and for an upper bound the other way round.
"""

from cpython.exc cimport PyErr_CheckSignals
from cpython.ref cimport Py_DECREF, Py_INCREF, PyObject
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from tarot_sim._bits cimport (
    deposit64,
    extract64,
    highest64,
    lowest32,
    lowest64,
    popcount32,
    popcount64,
    select64,
    unlikely,
)
from tarot_sim._bounds cimport (
    BOUT_BITS,
    Sure,
    lane_counts,
    suit_points,
    sure_of,
)
from tarot_sim._cards cimport (
    ATOUT_21_BIT,
    Cards,
    EXCUSE_BIT,
    LANE,
    NO_SUIT,
    PETIT_BIT,
)
from tarot_sim._order cimport Moves, add_moves
from tarot_sim._rules cimport (
    ATTACK,
    DEFENCE,
    State,
    cards_in_play,
    play_code,
    strength,
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
    FIRST_ROUND = 1000    # nodes of a window in the first round of a budget
    NO_CARD = 255
    CHECK_EVERY = 0x3FFFF  # nodes between looks at the clock, about 20 ms

cdef uint64_t MIX_A = 0x9E3779B97F4A7C15
cdef uint64_t MIX_B = 0xD6E8FEB86659FD93
cdef uint64_t MIX_C = 0xA0761D6478BD642F
cdef uint64_t MIX_D = 0xE7037ED1A0B428DB

cdef uint64_t LANES = 0x3FFF3FFF3FFF3FFF
cdef uint64_t HONOURS = 0x3C003C003C003C00


# ---------------------------------------------------------------------------
# The table


cdef bint table_open(Table* table, uint64_t bytes) noexcept nogil:
    """Allocate a table of at most `bytes` (at least `LEAST_TABLE`)."""
    cdef uint64_t buckets = 1
    while buckets * 2 * BUCKET * (sizeof(Head) + 2 * sizeof(Entry)) <= bytes:
        buckets *= 2
    table.buckets = buckets
    # One line more, to start on a cache line.
    table.capacity = min(
        <uint64_t>0x7FFFFFFF, (bytes - 64 - buckets * BUCKET * sizeof(Head)) // sizeof(Entry)
    )
    table.block = calloc(
        buckets * BUCKET * sizeof(Head) + table.capacity * sizeof(Entry) + 64, 1
    )
    if table.block == NULL:
        return False
    table.heads = <Head*>((<uint64_t>table.block + 63) & ~<uint64_t>63)
    table.entries = <Entry*>(table.heads + buckets * BUCKET)
    table.age = 1
    table.used = 1
    return True


cdef void table_close(Table* table) noexcept nogil:
    free(table.block)
    table.block = NULL


cdef void table_clear(Table* table) noexcept nogil:
    """Forget everything, at the cost of a counter."""
    table.used = 1
    table.age += 1
    if table.age == 0:
        memset(table.heads, 0, table.buckets * BUCKET * sizeof(Head))
        table.age = 1


cdef inline Head* find_head(Table* table, uint64_t place, uint64_t check) noexcept nogil:
    cdef Head* bucket = table.heads + (place & (table.buckets - 1)) * BUCKET
    cdef int slot
    for slot in range(BUCKET):
        if bucket[slot].check == check and bucket[slot].age == table.age:
            return &bucket[slot]
    return NULL


cdef inline Head* make_head(Table* table, uint64_t place, uint64_t check) noexcept nogil:
    """Return a head for a base key; where the bucket is full one key is forgotten."""
    cdef Head* bucket = table.heads + (place & (table.buckets - 1)) * BUCKET
    cdef int slot
    for slot in range(BUCKET):
        if bucket[slot].age != table.age:
            break
    else:
        slot = place >> 62
    bucket[slot].check = check
    bucket[slot].first = 0
    bucket[slot].age = table.age
    return &bucket[slot]


cdef struct View:
    # A position as the table sees it.
    uint64_t place       # hash of the base key
    uint64_t check
    uint64_t places[4]
    uint16_t honours[5]
    int others           # seats but the last


cdef inline uint64_t fill_up(uint64_t suits) noexcept nogil:
    """Add, in each suit, all ranks above the lowest one."""
    suits |= suits << 1 & LANES
    suits |= suits << 2 & LANES
    suits |= suits << 4 & LANES
    return suits | (suits << 8 & LANES)


cdef inline void look(
    const Search* search, const State* state, Cards live, View* view
) noexcept nogil:
    """Describe a position at the start of a trick.

    The base key holds all that bounds the value but the order of the suit cards and
    which of them are honours: the trumps' order, every seat's length in every suit, who
    leads, and what the tricks so far decide about the settlement.
    """
    cdef uint64_t trumps, facts, lengths
    cdef uint64_t place = search.salt, check = search.salt ^ MIX_D
    cdef int seat
    facts = (
        popcount32(live.trumps)
        | state.leader << 5
        | state.won << 8
        | popcount32(state.bouts) << 10
        | <uint64_t>(live.trumps & <uint32_t>(ATOUT_21_BIT | PETIT_BIT | EXCUSE_BIT)) << 12
    )
    if state.debt and not state.won & state.debt:
        facts |= <uint64_t>state.debt << 36
    view.others = state.players - 1
    for seat in range(state.players):
        lengths = lane_counts(state.hands[seat].suits)
        trumps = extract64(state.hands[seat].trumps, live.trumps) | facts << 22
        place = fold(place ^ lengths, trumps ^ MIX_C)
        check = fold(check ^ lengths, trumps ^ MIX_A) + lengths
        facts = 0
        if seat < view.others:
            view.places[seat] = extract64(state.hands[seat].suits, live.suits)
        view.honours[seat] = extract64(state.hands[seat].suits, HONOURS)
    view.place = place
    view.check = check


cdef uint8_t[256] DEARER  # half points by which the first honours outvalue the second


cdef void fill_dearer() noexcept:
    """Fill the table of penalties for one seat's honours in one suit.

    Both hands have as many cards of the suit; card by card from the top, how much more
    the first one's are worth in all, counting only the cards that are worth more.
    """
    cdef int first, second, least, ahead, behind, total
    for first in range(16):
        for second in range(16):
            total = 0
            # Each step of value (2 half points) is counted by the cards that reach it.
            for least in range(4):
                ahead = popcount32(first >> least)
                behind = popcount32(second >> least)
                total += 2 * max(0, ahead - behind)
            DEARER[first << 4 | second] = total


fill_dearer()


cdef inline int penalty(
    const uint16_t* first, const uint16_t* second, int seats
) noexcept nogil:
    """Return by how much `first` outvalues `second`, seat by seat and card by card."""
    cdef int seat, total = 0
    cdef uint32_t ours, theirs
    for seat in range(seats):
        ours = first[seat]
        theirs = second[seat]
        if ours != theirs:
            total += (
                DEARER[(ours & 15) << 4 | (theirs & 15)]
                + DEARER[(ours >> 4 & 15) << 4 | (theirs >> 4 & 15)]
                + DEARER[(ours >> 8 & 15) << 4 | (theirs >> 8 & 15)]
                + DEARER[(ours >> 12 & 15) << 4 | (theirs >> 12 & 15)]
            )
    return total


cdef inline bint matches(const Entry* entry, const View* view) noexcept nogil:
    cdef uint64_t differ = 0
    cdef int seat
    for seat in range(view.others):
        differ |= entry.places[seat] ^ view.places[seat]
    return differ & entry.deciding == 0


cdef inline void keep(
    Search* search, const View* view, uint64_t deciding, int bound, bint is_upper, int best
) noexcept nogil:
    """Add a theorem; a full table is emptied first, which no answer depends on."""
    cdef Table* table = search.table
    cdef Head* head
    cdef Entry* entry
    cdef int seat
    if table.used >= table.capacity:
        table_clear(table)
    head = find_head(table, view.place, view.check)
    if head == NULL:
        head = make_head(table, view.place, view.check)
    entry = &table.entries[table.used]
    for seat in range(view.others):
        entry.places[seat] = view.places[seat]
        entry.honours[seat] = view.honours[seat]
    entry.honours[view.others] = view.honours[view.others]
    entry.deciding = deciding
    entry.bound = bound
    entry.is_upper = is_upper
    entry.best = best
    entry.next = head.first
    head.first = table.used
    table.used += 1


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


cdef inline int most_sure(const State* state, uint8_t seats) noexcept nogil:
    """Return more half points than `sure_of` can find, at little cost."""
    cdef int seat, longest = 0, trumps, suits = 0
    for seat in range(state.players):
        if seats >> seat & 1:
            trumps = popcount32(state.hands[seat].trumps)
            if trumps > longest:
                longest = trumps
    if seats >> state.leader & 1:
        suits = (
            suit_points(state.hands[state.leader].suits)
            + (state.players - 1) * popcount64(state.hands[state.leader].suits)
        )
    # The Petit, the 21 and the Excuse are worth eight more than other cards.
    return longest * state.players + suits + 24


cdef void value_bounds(
    const State* state, const Goal* goal, int* lower, int* upper
) noexcept nogil:
    cdef Frame frame
    cdef uint64_t deciding
    open_frame(state, goal, cards_in_play(state), &frame)
    lower[0] = sure_lower(state, goal, &frame, -UNBOUNDED, &deciding)
    upper[0] = sure_upper(state, goal, &frame, UNBOUNDED, &deciding)


cdef inline int sure_lower(
    const State* state, const Goal* goal, const Frame* frame, int beta, uint64_t* deciding
) noexcept nogil:
    """Return a lower bound; a weak one where even the best could not reach `beta`."""
    cdef Sure sure
    cdef int wanted, plain = frame.floor - goal.need[frame.bouts]
    deciding[0] = 0
    if plain >= beta and beta > -UNBOUNDED:
        return plain
    if not state.won & ATTACK or (
        frame.floor - goal.need[frame.most] + most_sure(state, state.attack) < beta
    ):
        return plain
    # The Excuse is counted apart, and every bout may lower the need.
    wanted = beta - plain - 8 - (goal.need[frame.bouts] - goal.need[frame.most])
    sure_of(state, state.attack, -1 if beta == -UNBOUNDED else max(wanted, 0), &sure)
    deciding[0] = sure.deciding
    # need[] falls with the bouts in every goal.
    return frame.floor + sure.points - goal.need[frame.bouts + sure.bouts]


cdef inline int sure_upper(
    const State* state, const Goal* goal, const Frame* frame, int beta, uint64_t* deciding
) noexcept nogil:
    """Return an upper bound; a weak one where even the best could not be below `beta`."""
    cdef Sure sure
    cdef uint8_t seats = ~state.attack & ((1 << state.players) - 1)
    cdef int wanted, plain = frame.ceiling - goal.need[frame.most]
    deciding[0] = 0
    if plain < beta and beta < UNBOUNDED:
        return plain
    if not state.won & DEFENCE or (
        frame.ceiling - goal.need[frame.bouts] - most_sure(state, seats) >= beta
    ):
        return plain
    wanted = plain - beta + 1 - 8 - (goal.need[frame.bouts] - goal.need[frame.most])
    sure_of(state, seats, -1 if beta == UNBOUNDED else max(wanted, 0), &sure)
    deciding[0] = sure.deciding
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


cdef inline uint64_t compared(const State* state, int code) noexcept nogil:
    """Return the suit ranks that decide who wins the trick that `code` completes.

    Where a suit card wins over another of its suit: all ranks from the winner's up, so
    that whoever holds the others below it loses just the same.
    """
    cdef int rank = strength(code, state.led), place, followers = 0
    if state.led >= 4 or state.best >= 64 or rank >= 64:
        return 0
    for place in range(state.count):
        followers += state.trick[place] >> 4 == state.led
    followers += code >> 4 == state.led
    if followers < 2:
        return 0
    if state.best > rank:
        rank = state.best
    return LANE[state.led] & ~((<uint64_t>1 << (state.led * 16 + rank - 1)) - 1)


cdef inline uint64_t lower_in_run(
    uint64_t deciding, uint64_t own, uint64_t live, int code
) noexcept nogil:
    """Move a deciding line that falls inside a run of equivalent cards one card down.

    Only the lowest card of a run is searched. The proof for its highest card is the same
    with every card of the run one place lower: the line then lies one run card lower.
    """
    cdef int suit = code >> 4, line, next_lower
    cdef uint64_t lane = LANE[suit], below
    if not deciding & lane:
        return deciding
    line = lowest64(deciding & lane)
    if line <= code:
        return deciding
    # The line is inside the run if the next live card below it is one of the run: no
    # card of another hand lies between it and `code`.
    below = live & lane & ((<uint64_t>1 << line) - 1)
    if not below or (live & ~own & lane & ((<uint64_t>1 << (line + 1)) - (<uint64_t>1 << code))):
        return deciding
    if (line & 15) > 9:
        return deciding
    next_lower = highest64(below)
    return deciding | <uint64_t>1 << next_lower


cdef int walk(
    Search* search, const State* state, Cards live, int beta, uint64_t* deciding
) noexcept nogil:
    """Tell on which side of a zero window the value is: at least `beta` or below it.

    Fail-soft: the number returned is a bound of the value on that side. `deciding` is
    set to the suit ranks, each suit's from some rank up, that the proof relies on. `live`
    are the cards in hands and on the table, looked for anew at the start of a trick.
    """
    cdef Moves moves
    cdef State child
    cdef Head* head
    cdef const Entry* entry
    cdef View view
    cdef Frame frame
    cdef int best, value, place, width, code, base, line
    cdef int best_code = -1, first = -1
    cdef uint32_t link
    cdef uint64_t used, all_used = 0, skipped = 0, lane, own
    cdef bint attacks = state.attack >> state.to_move & 1
    cdef bint boundary = state.count == 0, tabled
    cdef bint ends_trick = state.count == state.players - 1
    deciding[0] = 0
    search.nodes += 1
    if unlikely(search.nodes & CHECK_EVERY == 0 or search.nodes == search.node_limit):
        look_around(search)
    if search.stopped:
        return 0
    if state.tricks_left == 1 and boundary:
        return last_trick(search, state, deciding)
    base = state.attack_points
    # The first lead under a called card is like nothing else: it is not kept.
    tabled = boundary and state.banned_suit == NO_SUIT
    if boundary:
        live = cards_in_play(state)
        open_frame(state, search.goal, live, &frame)
        value = sure_lower(state, search.goal, &frame, beta, deciding)
        if value >= beta:
            return value
        value = sure_upper(state, search.goal, &frame, beta, deciding)
        if value < beta:
            return value
        deciding[0] = 0
    if tabled:
        look(search, state, live, &view)
        head = find_head(search.table, view.place, view.check)
        if head != NULL:
            link = head.first
            first = absolute_card(live, search.table.entries[link].best)
            while link:
                entry = &search.table.entries[link]
                link = entry.next
                value = base + entry.bound
                if entry.is_upper:
                    if value >= beta or not matches(entry, &view):
                        continue
                    value += penalty(view.honours, entry.honours, state.players)
                    if value >= beta:
                        continue
                else:
                    if value < beta or not matches(entry, &view):
                        continue
                    value -= penalty(entry.honours, view.honours, state.players)
                    if value < beta:
                        continue
                deciding[0] = fill_up(deposit64(entry.deciding, live.suits))
                return value
    add_moves(state, live, &moves, first)
    width = search.widths[(2 if attacks else 0) + (LEAD if boundary else REPLY)]
    if width > moves.size:
        width = moves.size
    own = state.hands[state.to_move].suits
    best = -UNBOUNDED if attacks else UNBOUNDED
    for place in range(width):
        code = moves.code[place]
        if code < 64 and skipped >> code & 1:
            continue
        child = state[0]
        play_code(&child, code)
        if child.tricks_left:
            value = walk(search, &child, live, beta, &used)
        else:
            value = final_value(&child, search.goal)
            used = 0
        if search.stopped:
            return 0
        if ends_trick:
            used |= compared(state, code)
        if (value >= beta) == attacks:
            # One move settles the node.
            best = value
            best_code = code
            all_used = used
            break
        if attacks:
            if value > best:
                best = value
                best_code = code
        elif value < best:
            best = value
            best_code = code
        if code < 64:
            used = lower_in_run(used, own, live.suits, code)
            lane = LANE[code >> 4]
            line = lowest64(used & lane) if used & lane else 64
            if code < line:
                skipped |= dominated(state, &child, &moves, code, own, live.suits, line)
        all_used |= used
    all_used = fill_up(all_used)
    deciding[0] = all_used
    if tabled:
        keep(
            search,
            &view,
            extract64(all_used, live.suits),
            best - base,
            best < beta,
            relative_card(live, best_code),
        )
    return best


cdef inline uint64_t dominated(
    const State* state,
    const State* child,
    const Moves* moves,
    int code,
    uint64_t own,
    uint64_t live,
    int line,
) noexcept nogil:
    """Return the cards that fail because `code`, below its suit's deciding line, did.

    Below the line ranks play no part in the proof, so another card of the suit there
    differs by its value only. Pips are all worth the same. Where it is certain which
    camp wins the trick, a dearer card is no better for a player whose opponents win it,
    nor a cheaper one for a player whose camp does: the two cards change places, and the
    difference in value moves once more at the most.
    """
    cdef uint64_t lane = LANE[code >> 4], cards = 0, own_lane = own & lane
    cdef bint pip = (code & 15) < 10
    cdef int camp = state.attack >> state.to_move & 1
    cdef bint mine = (state.attack >> state.winner & 1) == camp
    cdef bint ours = False, theirs = False
    if state.count == state.players - 1:
        ours = (state.attack >> child.leader & 1) == camp
        theirs = not ours
    elif state.led != NO_SUIT:
        ours = mine and state.best > moves.opponents
        theirs = (
            not mine and strength(code, state.led) <= state.best and state.best > moves.partners
        )
    if pip or ours:
        cards = pips_below(own, live, lane, line)
    if ours and not pip:
        cards |= own_lane & HONOURS & ((<uint64_t>1 << code) - 1)
    if theirs:
        own_lane &= HONOURS & ~((<uint64_t>2 << code) - 1)
        cards |= own_lane if line == 64 else own_lane & ((<uint64_t>1 << line) - 1)
    return cards


cdef inline uint64_t pips_below(
    uint64_t own, uint64_t live, uint64_t lane, int line
) noexcept nogil:
    """Return own pips of a suit whose whole equivalent run lies below the `line`."""
    cdef uint64_t pips = own & lane & <uint64_t>0x03FF03FF03FF03FFULL
    cdef int above
    if line == 64:
        return pips
    pips &= (<uint64_t>1 << line) - 1
    # A run that reaches up to the line: its cards are the own ones just below it.
    while pips and own >> line & 1 and (line & 15) < 10:
        above = highest64(live & lane & ((<uint64_t>1 << line) - 1))
        if not pips >> above & 1:
            break
        pips ^= <uint64_t>1 << above
        line = above
    return pips


cdef int last_trick(Search* search, const State* state, uint64_t* deciding) noexcept nogil:
    """Play the last trick, in which nobody has a choice."""
    cdef State child = state[0]
    cdef int code
    while True:
        code = only_card(&child)
        if child.count == child.players - 1:
            deciding[0] = compared(&child, code)
            play_code(&child, code)
            return final_value(&child, search.goal)
        play_code(&child, code)


cdef int search_window(Search* search, const State* state, int beta) noexcept nogil:
    """Search one zero window from any point of a trick; see `Search.stopped`."""
    cdef uint64_t deciding
    if state.tricks_left == 0:
        return final_value(state, search.goal)
    return walk(search, state, cards_in_play(state), beta, &deciding)


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
    cdef uint64_t whole = search.node_limit, each = FIRST_ROUND
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
                search.node_limit = search.nodes + each
                if whole and whole < search.node_limit:
                    search.node_limit = whole
                value = search_window(search, state, beta)
                if not search.stopped:
                    move_bound(value, beta, lower, upper)
                elif (
                    search.error != NULL
                    or (whole and search.nodes >= whole)
                    or (search.deadline > 0 and monotonic() >= search.deadline)
                ):
                    search.node_limit = whole
                    return
                else:
                    search.stopped = False
                    near = beta - 1 if side == 0 else beta
        each *= 8
    search.node_limit = whole


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
    add_moves(state, cards_in_play(state), &moves, -1)
    return moves.code[0]
