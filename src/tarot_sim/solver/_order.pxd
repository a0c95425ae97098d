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

cdef enum:
    # A reply's prospects, as the columns of the tables of weights.
    EXCUSE_SPARED        # the own camp wins the trick all the same
    EXCUSE_LATE
    PARTNER_HAS_IT_21    # the 21 on a trick that a partner is sure of
    PARTNER_HAS_IT       # a partner is sure of the trick
    WINS                 # the card does, surely
    PARTNER_TAKES_IT     # the own camp has the trick and a later partner is sure of it
    CONTESTED            # the own camp has it, an opponent can take it
    PARTNER_RETAKES      # a later partner is sure of it
    LOST
    # Trumps go on from here in the order of the last six.
    TRUMP_REPLY = 6
    # A lead's.
    EXCUSE_LED = 15
    TRUMP_MASTER         # no opponent can beat it now
    TRUMP_TO_PARTNER
    TRUMP_LOSER
    SUIT_MASTER
    SUIT_TO_PARTNER
    SUIT_LOSER
    SUIT_LOSER_RUFFED    # an opponent is void and has trumps
    KINDS = 23
    LAST_CALL = 10000    # the Excuse in the last trick but one
    FIRST = 20000

cdef extern from *:
    """
    #ifndef TAROT_SIM_ORDER_H
    #define TAROT_SIM_ORDER_H
    #include <stdint.h>
    /* Base, per half point of the card, per rank, and per half point on the table or, of a
       lead, per card held in its suit. */
    typedef struct { int16_t base, points, rank, other; } ts_weight;
    /* The defence's row, then the attack's. */
    static const ts_weight ts_narrow_order[2 * 23] = {
        {-120, 0, 0, 0}, {-56, 0, 0, -4}, {-80, 0, 0, 0}, {400, 20, -4, 0},
        {400, 20, 0, 16}, {160, 12, -4, 0}, {80, -20, -1, 0}, {200, 16, -1, 0},
        {0, -20, -4, 0}, {144, 20, -4, 0}, {240, 20, -4, 16}, {-96, 12, -4, 0},
        {16, -20, -1, 0}, {136, 16, -1, 0}, {0, -20, -4, 0}, {-240, 0, 0, 0},
        {40, 16, 0, 0}, {120, 12, -4, 0}, {-100, -24, -4, 0}, {480, 24, 0, 0},
        {280, 8, -2, 0}, {120, -20, -2, 4}, {192, -20, -2, 4},

        {-120, 0, 0, 0}, {-56, 0, 0, -4}, {-80, 0, 0, 0}, {400, 20, -4, 0},
        {400, 20, 0, 16}, {160, 12, -4, 0}, {80, -20, -1, 0}, {200, 16, -1, 0},
        {0, -20, -4, 0}, {144, 20, -4, 0}, {240, 20, -4, 16}, {-96, 12, -4, 0},
        {16, -20, -1, 0}, {136, 16, -1, 0}, {0, -20, -4, 0}, {-240, 0, 0, 0},
        {268, 16, 0, 0}, {120, 12, -4, 0}, {0, -24, -4, 0}, {480, 24, 0, 0},
        {280, 8, -2, 0}, {80, -20, -2, 16}, {116, -20, -2, 16}
    };
    static const ts_weight ts_proof_order[2 * 23] = {
        {-120, 0, 0, 0}, {80, 0, 0, -4}, {-80, 0, 0, 0}, {400, 20, -4, 0},
        {400, 20, 0, 16}, {160, 12, -4, 0}, {-160, -20, 1, 0}, {200, 16, -1, 0},
        {0, -20, -4, 0}, {144, 20, -4, 0}, {240, 20, -12, 16}, {-96, 12, -4, 0},
        {-96, -20, 1, 0}, {136, 16, -1, 0}, {0, -20, -4, 0}, {-240, 0, 0, 0},
        {40, 16, 0, 0}, {120, 12, -4, 0}, {-20, -24, 4, 0}, {480, 24, 0, 0},
        {280, 8, 0, 0}, {-80, -20, -2, 4}, {-8, -20, -2, 4},

        {-120, 0, 0, 0}, {80, 0, 0, -4}, {-80, 0, 0, 0}, {400, 20, -4, 0},
        {400, 20, 0, 16}, {160, 12, -4, 0}, {-160, -20, 1, 0}, {200, 16, -1, 0},
        {0, -20, -4, 0}, {144, 20, -4, 0}, {240, 20, -12, 16}, {-96, 12, -4, 0},
        {-96, -20, 1, 0}, {136, 16, -1, 0}, {0, -20, -4, 0}, {-240, 0, 0, 0},
        {268, 16, 0, 0}, {120, 12, -4, 0}, {0, -24, 4, 0}, {480, 24, 0, 0},
        {280, 8, 0, 0}, {320, -20, -2, 16}, {320, -20, -2, 16}
    };
    #endif
    """
    ctypedef struct Weight "ts_weight":
        int16_t base
        int16_t points
        int16_t rank
        int16_t other
    const Weight* NARROW_ORDER "ts_narrow_order"
    const Weight* PROOF_ORDER "ts_proof_order"


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


cdef inline int worth(const Weight* weight, int points, int rank, int other) noexcept nogil:
    return weight.base + weight.points * points + weight.rank * rank + weight.other * other


cdef inline int score_reply(
    const State* state, int code, const Reach* later, const Weight* weights
) noexcept nogil:
    """Score a reply by the camps' prospects in the trick."""
    cdef int rank = strength(code, state.led), points = HALF_POINTS[code]
    cdef bint mine = (state.attack >> state.winner & 1) == (state.attack >> state.to_move & 1)
    cdef bint wins = rank > state.best
    cdef int best = rank if wins else state.best, kind
    if code == CODE_EXCUSE:
        if state.tricks_left == 2:
            return LAST_CALL
        kind = EXCUSE_LATE
        if (mine and best > later.opponents) or later.partners > later.opponents:
            kind = EXCUSE_SPARED
        return worth(&weights[kind], points, 0, state.table_points)
    if wins or mine:
        if best > later.opponents:
            if wins:
                kind = WINS
            elif code == CODE_21:
                return weights[<int>PARTNER_HAS_IT_21].base
            else:
                kind = PARTNER_HAS_IT
        elif later.partners > later.opponents and later.partners > best:
            kind = PARTNER_TAKES_IT
        else:
            kind = CONTESTED
    elif later.partners > best and later.partners > later.opponents:
        kind = PARTNER_RETAKES
    else:
        kind = LOST
        rank = code & 15
    if code >= 64:
        kind += TRUMP_REPLY
        rank = code - 64
    return worth(&weights[kind], points, rank, state.table_points)


cdef inline int score_lead(
    const State* state, int code, const Reach* others, int own_length, const Weight* weights
) noexcept nogil:
    """Score a lead by who can win the trick."""
    cdef int points = HALF_POINTS[code], kind
    cdef int rank = code if code >= 64 else (code & 15) + 1
    if code == CODE_EXCUSE:
        return LAST_CALL if state.tricks_left == 2 else weights[<int>EXCUSE_LED].base
    if rank > others.opponents:
        kind = TRUMP_MASTER if code >= 64 else SUIT_MASTER
    elif others.partners > others.opponents:
        kind = TRUMP_TO_PARTNER if code >= 64 else SUIT_TO_PARTNER
    elif code >= 64:
        kind = TRUMP_LOSER
    else:
        kind = SUIT_LOSER_RUFFED if others.ruffers else SUIT_LOSER
    if code >= 64:
        rank -= 64
    return worth(&weights[kind], points, rank, own_length)


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
    cdef const Weight* weights = PROOF_ORDER if proves else NARROW_ORDER
    if state.attack >> state.to_move & 1:
        weights += <int>KINDS
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
                score = score_lead(state, code, &others, own_length, weights)
            else:
                score = score_reply(state, code, &others, weights)
            insert(moves, code, FIRST if code == first else score)
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
                score = score_lead(state, code, &others, 0, weights)
            else:
                score = score_reply(state, code, &others, weights)
            insert(moves, code, FIRST if code == first else score)
    if legal.trumps & EXCUSE_BIT:
        if leads:
            score = score_lead(state, CODE_EXCUSE, &others, 0, weights)
        else:
            score = score_reply(state, CODE_EXCUSE, &others, weights)
        insert(moves, CODE_EXCUSE, FIRST if first == CODE_EXCUSE else score)
