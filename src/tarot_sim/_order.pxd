"""Moves to try, the most promising first.

One list serves the exact search (order saves nodes), the narrow searches (only the
first few are tried) and the rule-based policy (the first is played). One card stands
for each run of equivalent cards.

Scores are in an arbitrary unit, about four a half point. Every hand is in view, so
"sure" means: no opponent who is still to play can beat it, given the suits held now.
"""

from libc.stdint cimport int16_t, uint8_t, uint32_t, uint64_t

from tarot_sim._bits cimport highest32, highest64, lowest64, popcount64
from tarot_sim._cards cimport (
    ATOUT_21_BIT,
    CODE_21,
    CODE_EXCUSE,
    CODE_PETIT,
    Cards,
    EXCUSE_BIT,
    HALF_POINTS,
    LANE,
    LANES,
    NO_SUIT,
    NUMBERED,
    PETIT_BIT,
    PIPS,
    TRUMPS,
)
from tarot_sim._rules cimport ATTACK, State, legal_cards, strength

cdef struct Moves:
    int size
    # In the middle of a trick: the strongest answers of those who play later.
    int opponents
    int partners
    uint8_t code[24]
    int16_t score[24]


cdef struct Reach:
    # The strongest answers that the other players can give to a lead in one suit.
    int opponents
    int partners
    int ruffers    # opponents void in it who hold trumps


cdef inline int reach(const Cards* hand, int led) noexcept nogil:
    """Return the highest strength that a hand can put into a trick led in `led`."""
    cdef uint64_t lane = hand.suits & LANE[led]
    cdef uint32_t numbered
    if lane:
        return (highest64(lane) & 15) + 1
    numbered = hand.trumps & <uint32_t>NUMBERED
    return 64 + highest32(numbered) if numbered else 0


cdef inline void look_ahead(const State* state, int led, uint8_t* reaches) noexcept nogil:
    """Note the reach of each player who is still to play in a trick led in `led`.

    It is the same until he plays.
    """
    cdef int seat = state.to_move, left = state.players - 1 - state.count
    while left:
        seat = seat + 1 if seat + 1 < state.players else 0
        reaches[seat] = reach(&state.hands[seat], led)
        left -= 1


cdef inline Reach sum_up(const State* state, const uint8_t* reaches) noexcept nogil:
    """Return the reach of the two camps after the player to move."""
    cdef Reach others
    cdef int seat = state.to_move, left = state.players - 1 - state.count, best
    cdef int camp = state.attack >> seat & 1
    others.opponents = 0
    others.partners = 0
    others.ruffers = 0
    while left:
        seat = seat + 1 if seat + 1 < state.players else 0
        best = reaches[seat]
        if (state.attack >> seat & 1) == camp:
            if best > others.partners:
                others.partners = best
        else:
            if best > others.opponents:
                others.opponents = best
            others.ruffers += best > 64
        left -= 1
    return others


cdef inline uint64_t lowest_of_runs(uint64_t own, uint64_t live) noexcept nogil:
    """Return one of each run of equivalent suit cards, the lowest; all honours.

    `own` are the legal cards of a hand, `live` all cards in hands and on the table.
    """
    cdef uint64_t pips = own & PIPS
    # Each pip moved up one rank and added to the gaps is carried to the next live card.
    return own & ~(((pips << 1) + (~live & LANES)) & PIPS & live)


cdef inline uint32_t lowest_of_trumps(uint32_t own, uint32_t live) noexcept nogil:
    """Return one of each run of equivalent trumps, the lowest; the Petit and the 21."""
    cdef uint32_t middle = own & <uint32_t>(NUMBERED & ~(PETIT_BIT | ATOUT_21_BIT))
    return own & ~(
        ((middle << 1) + (~live & <uint32_t>NUMBERED)) & live & <uint32_t>~ATOUT_21_BIT
    )


cdef inline void insert(Moves* moves, int code, int score) noexcept nogil:
    """Keep the list sorted, the highest score first; equals keep their order."""
    cdef int place = moves.size
    while place and moves.score[place - 1] < score:
        moves.score[place] = moves.score[place - 1]
        moves.code[place] = moves.code[place - 1]
        place -= 1
    moves.score[place] = score
    moves.code[place] = code
    moves.size += 1


cdef inline int score_reply(
    const State* state, int code, const Reach* later, bint proves
) noexcept nogil:
    """Score a reply; `proves` see `score_lead`: there the Excuse comes early."""
    cdef int rank = strength(code, state.led)
    cdef int points = HALF_POINTS[code]
    cdef bint mine = (state.attack >> state.winner & 1) == (state.attack >> state.to_move & 1)
    cdef bint wins = rank > state.best
    cdef int best = rank if wins else state.best
    if code == CODE_EXCUSE:
        if state.tricks_left == 2:
            return 600
        if (mine and best > later.opponents) or later.partners > later.opponents:
            return -30
        return (20 if proves else -14) - state.table_points
    if wins or mine:
        if best > later.opponents:
            if not wins:  # a partner's trick: load it, but keep what wins later
                return 100 + 5 * points - rank if code != CODE_21 else -20
            if code >= 64:
                return 60 + 4 * state.table_points + 5 * points - (code - 64)
            return 100 + 4 * state.table_points + 5 * points
        if later.partners > later.opponents and later.partners > best:
            return 40 + 3 * points - rank
        # An opponent can take it, at the price of a higher card.
        return (-40 if proves else 20) - 5 * points - (rank >> 2)
    if later.partners > best and later.partners > later.opponents:
        return 50 + 4 * points - (rank >> 2)
    return -5 * points - (code & 15 if code < 64 else code - 64)


cdef inline int score_lead(
    const State* state, int code, const Reach* others, int own_length, bint proves
) noexcept nogil:
    """Score a lead, where all moves are covered (`proves`) by what keeps proofs small.

    Then the attack leads its suits before its trumps, the defence its trumps before suits.
    """
    cdef int points = HALF_POINTS[code]
    cdef int score, rank = code if code >= 64 else (code & 15) + 1
    cdef bint attacks = state.attack >> state.to_move & 1
    if code == CODE_EXCUSE:
        return 600 if state.tricks_left == 2 else -60
    if code >= 64:
        if rank > others.opponents:
            if attacks:
                return 70 + 4 * points - (0 if code == CODE_21 else 3)
            return 10 + 4 * points
        if others.partners > others.opponents:
            return 30 + 3 * points - (rank - 64)
        return (0 if attacks else -25) - 6 * points - (rank - 64)
    if rank > others.opponents:
        return 120 + 6 * points
    if others.partners > others.opponents:
        return 70 + (2 * points if points > 1 else 0) - (rank >> 1)
    if attacks:
        # Long suits make the defenders' masters and trumps fall.
        score = 20 + 4 * own_length - 5 * points - (rank >> 1)
        return score + 60 if proves else score + 6 * others.ruffers
    score = (18 if others.ruffers else 0) + own_length - 5 * points - (rank >> 1)
    return score - 20 if proves else score + 30


cdef inline void add_moves(
    const State* state, Cards live, Moves* moves, int first, uint8_t[5]* reaches, bint proves
) noexcept nogil:
    """List one card of each equivalent run of the legal cards, sorted.

    `live` are all cards in hands and on the table; `first` (a code, or -1) goes before
    all others if it is among them. `reaches` has a row for each suit that may be led and
    for trumps: they are filled where nothing is led, and else that of the led one is read.
    """
    cdef Cards legal = legal_cards(state)
    cdef Reach others
    cdef uint64_t lane, cards
    cdef uint32_t numbered
    cdef int suit, code, score, own_length
    cdef bint leads = state.led == NO_SUIT
    moves.size = 0
    if not leads:
        others = sum_up(state, reaches[state.led])
        moves.opponents = others.opponents
        moves.partners = others.partners
    cards = lowest_of_runs(legal.suits, live.suits)
    while cards:
        suit = lowest64(cards) >> 4
        lane = cards & LANE[suit]
        cards ^= lane
        if leads:
            look_ahead(state, suit, reaches[suit])
            others = sum_up(state, reaches[suit])
            own_length = popcount64(legal.suits & LANE[suit])
        while lane:
            code = highest64(lane)
            lane ^= <uint64_t>1 << code
            if leads:
                score = score_lead(state, code, &others, own_length, proves)
            else:
                score = score_reply(state, code, &others, proves)
            insert(moves, code, 10000 if code == first else score)
    numbered = lowest_of_trumps(legal.trumps & <uint32_t>NUMBERED, live.trumps)
    if numbered:
        if leads:
            look_ahead(state, TRUMPS, reaches[<int>TRUMPS])
            others = sum_up(state, reaches[<int>TRUMPS])
        while numbered:
            code = highest32(numbered)
            numbered ^= <uint32_t>1 << code
            code += 64
            if leads:
                score = score_lead(state, code, &others, 0, proves)
            else:
                score = score_reply(state, code, &others, proves)
            insert(moves, code, 10000 if code == first else score)
    if legal.trumps & EXCUSE_BIT:
        if leads:
            score = score_lead(state, CODE_EXCUSE, &others, 0, proves)
        else:
            score = score_reply(state, CODE_EXCUSE, &others, proves)
        insert(moves, CODE_EXCUSE, 10000 if first == CODE_EXCUSE else score)
