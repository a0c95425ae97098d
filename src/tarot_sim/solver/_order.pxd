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
    Cards,
    EXCUSE_BIT,
    HALF_POINTS,
    LANE,
    LANES,
    MOST_CARDS,
    MOST_PLAYERS,
    NO_SUIT,
    NUMBERED,
    PETIT_BIT,
    PIPS,
    TRUMPS,
)
from tarot_sim._rules cimport State, legal_cards, strength

cdef extern from *:
    """
    #ifndef TAROT_SIM_ORDER_H
    #define TAROT_SIM_ORDER_H
    #include <stdint.h>
    /* The prospects of a move, each with weights of its own. */
    enum {
        /* A reply with the Excuse: the own camp wins the trick all the same, or not. */
        TS_EXCUSE_SPARED,
        TS_EXCUSE_LATE,
        /* The 21 on a trick that a partner is sure of. */
        TS_PARTNER_HAS_IT_21,
        /* A reply in a suit. */
        TS_PARTNER_HAS_IT,    /* a partner is sure of the trick */
        TS_WINS,              /* the card does, surely */
        TS_PARTNER_TAKES_IT,  /* the own camp has the trick, a later partner is sure of it */
        TS_CONTESTED,         /* the own camp has it, an opponent can take it */
        TS_PARTNER_RETAKES,   /* a later partner is sure of it */
        TS_LOST,
        /* A reply with a trump, in the order of those in a suit. */
        TS_TRUMP_PARTNER_HAS_IT,
        TS_TRUMP_WINS,
        TS_TRUMP_PARTNER_TAKES_IT,
        TS_TRUMP_CONTESTED,
        TS_TRUMP_PARTNER_RETAKES,
        TS_TRUMP_LOST,
        /* A lead. */
        TS_EXCUSE_LED,
        TS_TRUMP_MASTER,      /* no opponent can beat it now */
        TS_TRUMP_TO_PARTNER,
        TS_TRUMP_LOSER,
        TS_SUIT_MASTER,
        TS_SUIT_TO_PARTNER,
        TS_SUIT_LOSER,
        TS_SUIT_LOSER_RUFFED, /* an opponent is void and has trumps */
        TS_KINDS
    };
    typedef struct {
        int16_t base;
        int16_t points;       /* per half point of the card */
        int16_t rank;         /* per rank of the card */
        union {
            int16_t table;    /* of a reply: per half point on the table */
            int16_t length;   /* of a lead: per card held in its suit */
        };
    } ts_weight;
    /* What is alike in all orders, in the two narrow ones, and in the two of proofs. */
    #define TS_ANY_ORDER \
        [TS_EXCUSE_SPARED] = {-120, 0, 0, {0}}, \
        [TS_PARTNER_HAS_IT_21] = {-80, 0, 0, {0}}, \
        [TS_PARTNER_HAS_IT] = {400, 20, -4, {0}}, \
        [TS_WINS] = {400, 20, 0, {.table = 16}}, \
        [TS_PARTNER_TAKES_IT] = {160, 12, -4, {0}}, \
        [TS_PARTNER_RETAKES] = {200, 16, -1, {0}}, \
        [TS_LOST] = {0, -20, -4, {0}}, \
        [TS_TRUMP_PARTNER_HAS_IT] = {144, 20, -4, {0}}, \
        [TS_TRUMP_PARTNER_TAKES_IT] = {-96, 12, -4, {0}}, \
        [TS_TRUMP_PARTNER_RETAKES] = {136, 16, -1, {0}}, \
        [TS_TRUMP_LOST] = {0, -20, -4, {0}}, \
        [TS_EXCUSE_LED] = {-240, 0, 0, {0}}, \
        [TS_TRUMP_TO_PARTNER] = {120, 12, -4, {0}}, \
        [TS_SUIT_MASTER] = {480, 24, 0, {0}}
    #define TS_NARROW_ORDER TS_ANY_ORDER, \
        [TS_EXCUSE_LATE] = {-56, 0, 0, {.table = -4}}, \
        [TS_CONTESTED] = {80, -20, -1, {0}}, \
        [TS_TRUMP_WINS] = {240, 20, -4, {.table = 16}}, \
        [TS_TRUMP_CONTESTED] = {16, -20, -1, {0}}, \
        [TS_SUIT_TO_PARTNER] = {280, 8, -2, {0}}
    #define TS_PROOF_ORDER TS_ANY_ORDER, \
        [TS_EXCUSE_LATE] = {80, 0, 0, {.table = -4}}, \
        [TS_CONTESTED] = {-160, -20, 1, {0}}, \
        [TS_TRUMP_WINS] = {240, 20, -12, {.table = 16}}, \
        [TS_TRUMP_CONTESTED] = {-96, -20, 1, {0}}, \
        [TS_SUIT_TO_PARTNER] = {280, 8, 0, {0}}
    /* The defence's weights, then the attack's. */
    static const ts_weight ts_narrow_order[2][TS_KINDS] = {
        {
            TS_NARROW_ORDER,
            [TS_TRUMP_MASTER] = {40, 16, 0, {0}},
            [TS_TRUMP_LOSER] = {-100, -24, -4, {0}},
            [TS_SUIT_LOSER] = {120, -20, -2, {.length = 4}},
            [TS_SUIT_LOSER_RUFFED] = {192, -20, -2, {.length = 4}},
        }, {
            TS_NARROW_ORDER,
            [TS_TRUMP_MASTER] = {268, 16, 0, {0}},
            [TS_TRUMP_LOSER] = {0, -24, -4, {0}},
            [TS_SUIT_LOSER] = {80, -20, -2, {.length = 16}},
            [TS_SUIT_LOSER_RUFFED] = {116, -20, -2, {.length = 16}},
        },
    };
    static const ts_weight ts_proof_order[2][TS_KINDS] = {
        {
            TS_PROOF_ORDER,
            [TS_TRUMP_MASTER] = {40, 16, 0, {0}},
            [TS_TRUMP_LOSER] = {-20, -24, 4, {0}},
            [TS_SUIT_LOSER] = {-80, -20, -2, {.length = 4}},
            [TS_SUIT_LOSER_RUFFED] = {-8, -20, -2, {.length = 4}},
        }, {
            TS_PROOF_ORDER,
            [TS_TRUMP_MASTER] = {268, 16, 0, {0}},
            [TS_TRUMP_LOSER] = {0, -24, 4, {0}},
            [TS_SUIT_LOSER] = {320, -20, -2, {.length = 16}},
            [TS_SUIT_LOSER_RUFFED] = {320, -20, -2, {.length = 16}},
        },
    };
    static inline const ts_weight *ts_order(int proofs, int attacks) {
        return proofs ? ts_proof_order[attacks] : ts_narrow_order[attacks];
    }
    #endif
    """
    ctypedef struct Weight "ts_weight":
        int16_t base
        int16_t points
        int16_t rank
        int16_t table
        int16_t length
    const Weight* order "ts_order"(bint proofs, bint attacks) noexcept nogil
    const int EXCUSE_SPARED "TS_EXCUSE_SPARED"
    const int EXCUSE_LATE "TS_EXCUSE_LATE"
    const int PARTNER_HAS_IT_21 "TS_PARTNER_HAS_IT_21"
    const int PARTNER_HAS_IT "TS_PARTNER_HAS_IT"
    const int WINS "TS_WINS"
    const int PARTNER_TAKES_IT "TS_PARTNER_TAKES_IT"
    const int CONTESTED "TS_CONTESTED"
    const int PARTNER_RETAKES "TS_PARTNER_RETAKES"
    const int LOST "TS_LOST"
    const int TRUMP_PARTNER_HAS_IT "TS_TRUMP_PARTNER_HAS_IT"
    const int EXCUSE_LED "TS_EXCUSE_LED"
    const int TRUMP_MASTER "TS_TRUMP_MASTER"
    const int TRUMP_TO_PARTNER "TS_TRUMP_TO_PARTNER"
    const int TRUMP_LOSER "TS_TRUMP_LOSER"
    const int SUIT_MASTER "TS_SUIT_MASTER"
    const int SUIT_TO_PARTNER "TS_SUIT_TO_PARTNER"
    const int SUIT_LOSER "TS_SUIT_LOSER"
    const int SUIT_LOSER_RUFFED "TS_SUIT_LOSER_RUFFED"

cdef enum:
    # Scores above all others: the Excuse in the last trick but one, the table's best move.
    LAST_CALL = 10000
    TT_MOVE = 20000


cdef struct Moves:
    int size
    # In the middle of a trick: the strongest answers of those who play later.
    int opponents
    int partners
    uint8_t code[MOST_CARDS]
    int16_t score[MOST_CARDS]


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


cdef inline void fill_reaches(const State* state, int led, uint8_t* reaches) noexcept nogil:
    """Note the reach of each player who is still to play in a trick led in `led`.

    It is the same until they play.
    """
    cdef int seat = state.to_move, left = state.players - 1 - state.count
    while left:
        seat = seat + 1 if seat + 1 < state.players else 0
        reaches[seat] = reach(&state.hands[seat], led)
        left -= 1


cdef inline Reach reach_of_camps(const State* state, const uint8_t* reaches) noexcept nogil:
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


cdef inline int worth(const Weight* weight, int points, int rank) noexcept nogil:
    return weight.base + weight.points * points + weight.rank * rank


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
        return worth(&weights[kind], points, 0) + weights[kind].table * state.table_points
    if wins or mine:
        if best > later.opponents:
            if wins:
                kind = WINS
            elif code == CODE_21:
                return weights[PARTNER_HAS_IT_21].base
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
        kind += TRUMP_PARTNER_HAS_IT - PARTNER_HAS_IT
        rank = code - 64
    return worth(&weights[kind], points, rank) + weights[kind].table * state.table_points


cdef inline int score_lead(
    const State* state, int code, const Reach* others, int own_length, const Weight* weights
) noexcept nogil:
    """Score a lead by who can win the trick."""
    cdef int points = HALF_POINTS[code], kind
    cdef int rank = code if code >= 64 else (code & 15) + 1
    if code == CODE_EXCUSE:
        return LAST_CALL if state.tricks_left == 2 else weights[EXCUSE_LED].base
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
    return worth(&weights[kind], points, rank) + weights[kind].length * own_length


cdef inline void generate_moves(
    const State* state,
    Cards live,
    Moves* moves,
    int tt_move,
    uint8_t[MOST_PLAYERS]* reaches,
    bint proof_order,
) noexcept nogil:
    """List one card of each equivalent run of the legal cards, sorted.

    `live` are all cards in hands and on the table; `tt_move` (a code, or -1), the table's
    best move, goes before all others if it is among them. `reaches` has a row for each suit
    that may be led and for trumps: they are filled where nothing is led, and else that of the
    led one is read.
    """
    cdef Cards legal = legal_cards(state)
    cdef Reach others
    cdef uint64_t lane, cards
    cdef uint32_t numbered
    cdef int suit, code, score, own_length
    cdef bint leads = state.led == NO_SUIT
    cdef const Weight* weights = order(proof_order, state.attack >> state.to_move & 1)
    moves.size = 0
    if not leads:
        others = reach_of_camps(state, reaches[state.led])
        moves.opponents = others.opponents
        moves.partners = others.partners
    cards = lowest_of_runs(legal.suits, live.suits)
    while cards:
        suit = lowest64(cards) >> 4
        lane = cards & LANE[suit]
        cards ^= lane
        if leads:
            fill_reaches(state, suit, reaches[suit])
            others = reach_of_camps(state, reaches[suit])
            own_length = popcount64(legal.suits & LANE[suit])
        while lane:
            code = highest64(lane)
            lane ^= <uint64_t>1 << code
            if leads:
                score = score_lead(state, code, &others, own_length, weights)
            else:
                score = score_reply(state, code, &others, weights)
            insert(moves, code, TT_MOVE if code == tt_move else score)
    numbered = lowest_of_trumps(legal.trumps & <uint32_t>NUMBERED, live.trumps)
    if numbered:
        if leads:
            fill_reaches(state, TRUMPS, reaches[<int>TRUMPS])
            others = reach_of_camps(state, reaches[<int>TRUMPS])
        while numbered:
            code = highest32(numbered)
            numbered ^= <uint32_t>1 << code
            code += 64
            if leads:
                score = score_lead(state, code, &others, 0, weights)
            else:
                score = score_reply(state, code, &others, weights)
            insert(moves, code, TT_MOVE if code == tt_move else score)
    if legal.trumps & EXCUSE_BIT:
        if leads:
            score = score_lead(state, CODE_EXCUSE, &others, 0, weights)
        else:
            score = score_reply(state, CODE_EXCUSE, &others, weights)
        insert(moves, CODE_EXCUSE, TT_MOVE if tt_move == CODE_EXCUSE else score)
