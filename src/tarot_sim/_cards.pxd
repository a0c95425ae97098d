"""The engine's numbering of the 78 cards, and sets of them in two machine words.

A *code* is 16·suit + rank − 1 for a suit card, 64 + n for the trump n and 64 for the
Excuse. A set is a word of four 16-bit lanes, one a suit, and a word in which bit n is
the trump n and bit 0 the Excuse.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

cdef enum:
    # Cards of the pack, of each suit, and of the four suits together, which come first.
    PACK = 78
    SUIT_CARDS = 14
    PLAIN_CARDS = 56
    # Cards in a hand, at three players, and hands, at the most.
    MOST_CARDS = 24
    MOST_PLAYERS = 5
    NO_SUIT = 5  # nothing led yet
    TRUMPS = 4
    CODE_EXCUSE = 64
    CODE_PETIT = 65
    CODE_21 = 85
    EXCUSE_BIT = 1
    NUMBERED = 0x3FFFFE
    PETIT_BIT = 2
    ATOUT_21_BIT = 0x200000
    # Half points: of the pack, and what a bout is worth beyond a pip.
    TOTAL = 182
    BOUT_BONUS = 8
    # A camp's bouts, as a set.
    BOUT_PETIT = 1
    BOUT_21 = 2
    BOUT_EXCUSE = 4

cdef struct Cards:
    uint64_t suits
    uint32_t trumps

cdef extern from *:
    """
    #ifndef TAROT_SIM_CARDS_H
    #define TAROT_SIM_CARDS_H
    #include <stdint.h>
    /* Every module has all of these tables and uses some. */
    #define TS_TABLE __attribute__((unused)) static const
    #define TS_LANE ((uint64_t)0x3FFF)
    /* The cards of the led suit; none where trumps or nothing was led. */
    TS_TABLE uint64_t ts_lane[6] = {
        TS_LANE, TS_LANE << 16, TS_LANE << 32, TS_LANE << 48, 0, 0};
    #define TS_LANES ((uint64_t)0x3FFF3FFF3FFF3FFF)
    #define TS_PIPS ((uint64_t)0x03FF03FF03FF03FF)
    #define TS_HP_SUIT 1,1,1,1,1,1,1,1,1,1,3,5,7,9,0,0
    #define TS_NINETEEN_ONES 1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1
    /* Half points of a code: the Excuse, the Petit, the trumps 2…20, the 21. */
    TS_TABLE uint8_t ts_half_points[96] = {
        TS_HP_SUIT, TS_HP_SUIT, TS_HP_SUIT, TS_HP_SUIT,
        9, 9, TS_NINETEEN_ONES, 9};
    #define TS_RANKS(r) ((uint64_t)1 << (r) | (uint64_t)1 << (16 + (r)) \
        | (uint64_t)1 << (32 + (r)) | (uint64_t)1 << (48 + (r)))
    #endif
    """
    const uint64_t LANE "ts_lane"[6]
    const uint64_t LANES "TS_LANES"
    const uint64_t PIPS "TS_PIPS"
    const uint64_t HONOURS "(TS_LANES ^ TS_PIPS)"
    const uint8_t HALF_POINTS "ts_half_points"[96]
    const uint64_t VALETS "TS_RANKS(10)"
    const uint64_t CAVALIERS "TS_RANKS(11)"
    const uint64_t DAMES "TS_RANKS(12)"
    const uint64_t ROIS "TS_RANKS(13)"


cdef inline int code_of_card(int card) noexcept nogil:
    """Return the engine's code of the public card number 0…77."""
    if card < PLAIN_CARDS:
        return (card // SUIT_CARDS) * 16 + card % SUIT_CARDS
    return CODE_EXCUSE if card == PACK - 1 else card - PLAIN_CARDS + CODE_PETIT


cdef inline int card_of_code(int code) noexcept nogil:
    """Return the public card number of an engine code."""
    if code < 64:
        return (code >> 4) * SUIT_CARDS + (code & 15)
    return PACK - 1 if code == CODE_EXCUSE else code - CODE_PETIT + PLAIN_CARDS


cdef inline void add_code(Cards* cards, int code) noexcept nogil:
    if code < 64:
        cards.suits |= <uint64_t>1 << code
    else:
        cards.trumps |= <uint32_t>1 << (code - 64)
