"""The engine's numbering of the 78 cards, and sets of them in two machine words.

A *code* is 16·suit + rank − 1 for a suit card, 64 + n for the trump n and 64 for the
Excuse. A set is a word of four 16-bit lanes, one a suit, and a word in which bit n is
the trump n and bit 0 the Excuse.
"""

from libc.stdint cimport int16_t, uint8_t, uint32_t, uint64_t

cdef enum:
    NO_SUIT = 5  # nothing led yet
    TRUMPS = 4
    CODE_EXCUSE = 64
    CODE_PETIT = 65
    CODE_21 = 85
    EXCUSE_BIT = 1
    NUMBERED = 0x3FFFFE
    PETIT_BIT = 2
    ATOUT_21_BIT = 0x200000
    TOTAL = 182
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
    #define TS_LANE ((uint64_t)0x3FFF)
    /* The cards of the led suit; none where trumps or nothing was led. */
    static const uint64_t ts_lane[6] = {
        TS_LANE, TS_LANE << 16, TS_LANE << 32, TS_LANE << 48, 0, 0};
    #define TS_LANES ((uint64_t)0x3FFF3FFF3FFF3FFF)
    #define TS_PIPS ((uint64_t)0x03FF03FF03FF03FF)
    #define TS_HP_SUIT 1,1,1,1,1,1,1,1,1,1,3,5,7,9,0,0
    #define TS_NINETEEN_ONES 1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1
    /* Half points of a code: the Excuse, the Petit, the trumps 2…20, the 21. */
    static const uint8_t ts_half_points[96] = {
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
    if card < 56:
        return (card // 14) * 16 + card % 14
    return CODE_EXCUSE if card == 77 else card + 9


cdef inline int card_of_code(int code) noexcept nogil:
    """Return the public card number of an engine code."""
    if code < 64:
        return (code >> 4) * 14 + (code & 15)
    return 77 if code == CODE_EXCUSE else code - 9


cdef inline void add_code(Cards* cards, int code) noexcept nogil:
    if code < 64:
        cards.suits |= <uint64_t>1 << code
    else:
        cards.trumps |= <uint32_t>1 << (code - 64)
