"""The play of the cards: state, legal cards, the trick's winner and what it brings.

All half points of the attack are counted trick by trick, the Excuse's exchange
included; what can only be known at the end (a camp that wins no trick, the Petit au
bout) waits in the state for `settle`.
"""

from libc.stdint cimport int16_t, uint8_t, uint32_t, uint64_t

from tarot_sim._bits cimport highest64
from tarot_sim._cards cimport (
    ATOUT_21_BIT,
    BOUT_21,
    BOUT_EXCUSE,
    BOUT_PETIT,
    CODE_21,
    CODE_EXCUSE,
    CODE_PETIT,
    Cards,
    EXCUSE_BIT,
    HALF_POINTS,
    LANE,
    LANES,
    MOST_PLAYERS,
    NO_SUIT,
    NUMBERED,
    PETIT_BIT,
    PIPS,
    PLAIN_CARDS,
    SUIT_CARDS,
    TRUMPS,
    code_of_card,
)

cdef enum:
    NOBODY = 255  # no seat
    # Half points that the Excuse brings its camp: its own less the pip given for it.
    EXCUSE_NET = 8
    # Camps as bits of `State.won` and `State.debt`.
    DEFENCE = 1
    ATTACK = 2
    # `State.options`
    KEEP_EXCUSE = 1     # a camp that wins no trick keeps its Excuse
    EXCUSE_CHANGES = 2  # in the last trick it goes to the other camp, whoever wins

cdef struct State:
    Cards hands[MOST_PLAYERS]
    uint8_t trick[MOST_PLAYERS]      # codes on the table, in order of play
    uint8_t players
    uint8_t attack        # the attack's seats, a bit each
    uint8_t options
    uint8_t leader        # of the trick on the table
    uint8_t to_move
    uint8_t count         # cards on the table
    uint8_t tricks_left   # the one on the table included
    uint8_t led           # 0…3, TRUMPS or NO_SUIT
    uint8_t high          # highest numbered trump on the table, 0 for none
    uint8_t winner        # seat that wins the trick so far
    uint8_t best          # strength of the winning card, see `strength`
    uint8_t excuse_seat   # who played the Excuse to this trick, or NOBODY
    uint8_t table_bouts   # BOUT_* among the cards on the table
    uint8_t bouts         # BOUT_* that the attack has
    uint8_t won           # camps that have won a trick
    uint8_t debt          # camp whose Excuse fell in a trick of the other camp
    uint8_t petit_before_last  # camp that took the Petit in the second-last trick
    uint8_t excuse_won_last    # the Excuse won the last trick (chelem)
    signed char petit_au_bout  # +1 attack, -1 defence
    uint8_t banned_suit   # suit that may not be led to the first trick, or NO_SUIT
    uint8_t called        # code of the called card, which may be
    int16_t table_points  # half points on the table
    int16_t live_points   # half points in all hands
    int16_t attack_points


cdef inline void start_play(
    State* state, int players, int tricks, int leader, int called
) noexcept nogil:
    """Set what follows before the first lead, in a state that is 0 but for hands and camps.

    `called` is the public number of a card whose suit may not be led now, or beyond the
    suits where none is.
    """
    state.players = players
    state.tricks_left = tricks
    state.leader = leader
    state.to_move = leader
    state.winner = leader
    state.led = NO_SUIT
    state.excuse_seat = NOBODY
    state.banned_suit = NO_SUIT
    if called < PLAIN_CARDS:
        state.banned_suit = called // SUIT_CARDS
        state.called = code_of_card(called)


cdef inline uint8_t camp_of(const State* state, int seat) noexcept nogil:
    return ATTACK if state.attack >> seat & 1 else DEFENCE


cdef inline int chelem_of(const State* state) noexcept nogil:
    """Return which camp has won all tricks: +1 the attack, −1 the defence, 0 neither."""
    if state.won == ATTACK:
        return 1
    return -1 if state.won == DEFENCE else 0


cdef inline Cards legal_of(uint64_t suits, uint32_t trumps, int led, int high) noexcept nogil:
    """Return the legal cards of a hand (rules, section 7.1)."""
    cdef Cards legal
    cdef uint64_t lane = suits & LANE[led]
    cdef uint32_t numbered = trumps & <uint32_t>NUMBERED
    cdef uint32_t above
    if led == NO_SUIT:
        legal.suits = suits
        legal.trumps = trumps
    elif lane:
        legal.suits = lane
        legal.trumps = trumps & <uint32_t>EXCUSE_BIT
    elif numbered:
        above = numbered >> (high + 1) << (high + 1)
        legal.suits = 0
        legal.trumps = (above if above else numbered) | (trumps & <uint32_t>EXCUSE_BIT)
    else:
        legal.suits = suits
        legal.trumps = trumps
    return legal


cdef inline Cards legal_cards(const State* state) noexcept nogil:
    """Return the legal cards of the player to move, the first lead's ban included."""
    cdef const Cards* hand = &state.hands[state.to_move]
    cdef Cards legal = legal_of(hand.suits, hand.trumps, state.led, state.high)
    cdef uint64_t banned
    if state.banned_suit != NO_SUIT and state.count == 0:
        banned = LANE[state.banned_suit] & ~(<uint64_t>1 << state.called)
        # A dealt hand always holds something else; a set-up hand might not.
        if (legal.suits & ~banned) | legal.trumps:
            legal.suits &= ~banned
    return legal


cdef inline int strength(int code, int led) noexcept nogil:
    """Return how high a card ranks in a trick: 0 if it cannot win."""
    if code >= 64:
        return code if code > CODE_EXCUSE else 0
    return (code & 15) + 1 if code >> 4 == led else 0


cdef inline void end_trick(State* state) noexcept nogil:
    """Give the full trick on the table to its winner and clear the table."""
    cdef uint8_t winner_camp, owner
    cdef int to_attack
    cdef uint8_t bouts_to_attack
    if (
        state.tricks_left == 1
        and state.excuse_seat == state.leader
        and not state.won & (3 ^ camp_of(state, state.leader))
    ):
        state.winner = state.leader
        state.excuse_won_last = 1
    winner_camp = camp_of(state, state.winner)
    to_attack = state.table_points if winner_camp == ATTACK else 0
    bouts_to_attack = state.table_bouts if winner_camp == ATTACK else 0
    if state.excuse_seat != NOBODY:
        owner = camp_of(state, state.excuse_seat)
        if state.tricks_left > 1:
            if owner != winner_camp:
                to_attack += EXCUSE_NET if owner == ATTACK else -EXCUSE_NET
                bouts_to_attack ^= BOUT_EXCUSE
                state.debt = owner
        elif (
            owner == winner_camp
            and state.options & EXCUSE_CHANGES
            and not state.excuse_won_last
        ):
            to_attack += -EXCUSE_NET if owner == ATTACK else EXCUSE_NET
            bouts_to_attack ^= BOUT_EXCUSE
    if state.table_bouts & BOUT_PETIT:
        if state.tricks_left == 1:
            state.petit_au_bout = 1 if winner_camp == ATTACK else -1
        elif state.tricks_left == 2:
            state.petit_before_last = winner_camp
    state.attack_points += to_attack
    state.bouts |= bouts_to_attack
    state.won |= winner_camp
    state.tricks_left -= 1
    state.leader = state.winner
    state.to_move = state.winner
    state.count = 0
    state.led = NO_SUIT
    state.high = 0
    state.best = 0
    state.excuse_seat = NOBODY
    state.table_bouts = 0
    state.table_points = 0
    state.banned_suit = NO_SUIT


cdef inline void settle(State* state) noexcept nogil:
    """Settle what waits for the end of the deal; call once, after the last trick."""
    if state.debt and not state.won & state.debt and not state.options & KEEP_EXCUSE:
        state.attack_points += -EXCUSE_NET if state.debt == ATTACK else EXCUSE_NET
        state.bouts ^= BOUT_EXCUSE
    # Only the sweeping camp can have won both of the last two tricks with the Excuse.
    if state.excuse_won_last and state.petit_before_last:
        state.petit_au_bout = 1 if state.petit_before_last == ATTACK else -1


cdef inline void play_code(State* state, int code) noexcept nogil:
    """Play a legal card; the last card of a trick ends it, of the deal settles it."""
    cdef Cards* hand = &state.hands[state.to_move]
    cdef int rank = strength(code, state.led)
    if code < 64:
        hand.suits ^= <uint64_t>1 << code
        if state.led == NO_SUIT:
            state.led = code >> 4
            rank = (code & 15) + 1
    else:
        hand.trumps ^= <uint32_t>1 << (code - 64)
        if code == CODE_EXCUSE:
            state.excuse_seat = state.to_move
            state.table_bouts |= BOUT_EXCUSE
        else:
            if state.led == NO_SUIT:
                state.led = TRUMPS
            if code - 64 > state.high:
                state.high = code - 64
            if code == CODE_PETIT:
                state.table_bouts |= BOUT_PETIT
            elif code == CODE_21:
                state.table_bouts |= BOUT_21
    if rank > state.best:
        state.best = rank
        state.winner = state.to_move
    state.table_points += HALF_POINTS[code]
    state.live_points -= HALF_POINTS[code]
    state.trick[state.count] = code
    state.count += 1
    state.to_move = state.to_move + 1 if state.to_move + 1 < state.players else 0
    if state.count == state.players:
        end_trick(state)
        if state.tricks_left == 0:
            settle(state)


cdef inline Cards cards_in_play(const State* state) noexcept nogil:
    """Return the cards in all hands and on the table."""
    cdef Cards live
    cdef int seat, place
    live.suits = 0
    live.trumps = 0
    for seat in range(state.players):
        live.suits |= state.hands[seat].suits
        live.trumps |= state.hands[seat].trumps
    for place in range(state.count):
        if state.trick[place] < 64:
            live.suits |= <uint64_t>1 << state.trick[place]
        else:
            live.trumps |= <uint32_t>1 << (state.trick[place] - 64)
    return live


cdef inline int next_equivalent(Cards legal, Cards live, int code) noexcept nogil:
    """Return the next lower card that plays exactly like `code`, or -1.

    Equivalent: both legal, the same value, and no card of another hand or of the
    table between them (the Petit and the 21 are worth more than other trumps, and the
    Petit is special).
    """
    cdef uint64_t below
    cdef uint32_t trumps
    cdef int lower
    if code < 64:
        below = live.suits & LANE[code >> 4] & ((<uint64_t>1 << code) - 1)
        if below == 0:
            return -1
        lower = highest64(below)
        if not legal.suits >> lower & 1:
            return -1
    else:
        if code == CODE_EXCUSE:
            return -1
        trumps = live.trumps & <uint32_t>NUMBERED & ((<uint32_t>1 << (code - 64)) - 1)
        if trumps == 0:
            return -1
        lower = highest64(trumps)
        if not legal.trumps >> lower & 1:
            return -1
        lower += 64
    if lower == CODE_PETIT or HALF_POINTS[lower] != HALF_POINTS[code]:
        return -1
    return lower


cdef inline Cards lowest_of_runs(Cards legal, Cards live) noexcept nogil:
    """Return the lowest of each run of legal cards that play alike; see `next_equivalent`.

    The cards that are out of the game form holes above a legal card. Adding it to them carries
    to the next card above; where that is legal and worth the same, it is no lowest.
    """
    cdef Cards lowest = legal
    # The two bits above each suit are no holes, so nothing carries from suit to suit.
    cdef uint64_t holes = LANES & ~live.suits
    cdef uint64_t above = legal.suits << 1
    cdef uint64_t reached = (above | holes + (above & holes)) & live.suits
    lowest.suits &= ~(reached & PIPS)
    cdef uint32_t trump_holes = NUMBERED & ~live.trumps
    # The Petit and the Excuse are never alike to another.
    cdef uint32_t trumps_above = (legal.trumps & ~<uint32_t>(PETIT_BIT | EXCUSE_BIT)) << 1
    cdef uint32_t trumps_reached = (
        (trumps_above | trump_holes + (trumps_above & trump_holes)) & live.trumps
    )
    lowest.trumps &= ~(trumps_reached & ~<uint32_t>(ATOUT_21_BIT | PETIT_BIT | EXCUSE_BIT))
    return lowest
