"""Chavey's count of a hand, inlined wherever worlds are counted or made."""

from libc.stdint cimport int16_t, uint8_t, uint32_t

from tarot_sim._bits cimport popcount32
from tarot_sim._cards cimport Cards

cdef extern from *:
    """
    #ifndef TAROT_SIM_CHAVEY_H
    #define TAROT_SIM_CHAVEY_H
    #include <stdint.h>
    #define TS_NINES 9, 9, 9, 9, 9, 9, 9, 9
    /* By the honours of a suit, a bit each from the Valet up. */
    static const uint8_t ts_chavey_honours[16] = {
        0, 1, 2, 3, 3, 4, 5, 6, 6, 7, 8, 9, 10, 11, 12, 13};
    /* By the cards of a suit. */
    static const uint8_t ts_chavey_long[16] = {0, 0, 0, 0, 0, 5, 7, 9, TS_NINES};
    static const uint8_t ts_chavey_short[16] = {6, 3};
    /* By the trumps of a hand: what the Petit counts. */
    static const uint8_t ts_chavey_petit[23] = {0, 0, 0, 0, 0, 5, 7, TS_NINES, TS_NINES};
    #endif
    """
    const uint8_t CHAVEY_HONOURS "ts_chavey_honours"[16]
    const uint8_t CHAVEY_LONG "ts_chavey_long"[16]
    const uint8_t CHAVEY_SHORT "ts_chavey_short"[16]
    const uint8_t CHAVEY_PETIT "ts_chavey_petit"[23]

cdef enum:
    HIGH_TRUMPS = 0x3F0000  # 16…21


cdef inline void count_chavey(Cards hand, int16_t* out) noexcept nogil:
    """Count as `tarot_sim.rules.chavey.chavey_count`: all but short suits, then all.

    By tables, since what a hand holds is hard for a processor to foresee.
    """
    cdef int trumps = popcount32(hand.trumps), total, short_suits = 0, suit, lane, length
    cdef uint32_t high = hand.trumps & <uint32_t>HIGH_TRUMPS
    total = 8 * (hand.trumps & 1) + 10 * (hand.trumps >> 21 & 1)
    total += CHAVEY_PETIT[trumps] * (hand.trumps >> 1 & 1)
    total += 2 * trumps * (trumps > 4)
    total += 2 * popcount32(high) + popcount32(high & (high << 1 | high >> 1))
    for suit in range(4):
        lane = hand.suits >> 16 * suit & 0x3FFF
        length = popcount32(lane)
        total += CHAVEY_HONOURS[lane >> 10] + CHAVEY_LONG[length]
        short_suits += CHAVEY_SHORT[length]
    out[0] = total
    out[1] = total + short_suits
