"""Bit counting and selection on machine words, inlined wherever they are used.

`select64` and `extract64` use BMI2 where the processor has it and runs it fast: the
check is one predictable branch, so one build serves every x86-64-v2 machine.
"""

from libc.stdint cimport uint32_t, uint64_t

cdef extern from *:
    """
    #ifndef TAROT_SIM_BITS_H
    #define TAROT_SIM_BITS_H
    #include <stdint.h>

    /* Every module has all of these and uses some. */
    #define TS_INLINE __attribute__((unused)) static inline

    static int ts_fast_bmi2 = 0;

    #define ts_popcount64(x) __builtin_popcountll(x)
    #define ts_popcount32(x) __builtin_popcount(x)
    /* Undefined for 0, as the builtins are. */
    #define ts_lowest64(x) __builtin_ctzll(x)
    #define ts_lowest32(x) __builtin_ctz(x)
    #define ts_highest64(x) (63 ^ __builtin_clzll(x))
    #define ts_highest32(x) (31 ^ __builtin_clz(x))
    #define ts_likely(x) __builtin_expect(!!(x), 1)
    #define ts_unlikely(x) __builtin_expect(!!(x), 0)
    #define ts_prefetch(p) __builtin_prefetch(p)

    /* Runs when a module is loaded. Zen 1 and 2 have the instructions, but in slow
       microcode. */
    __attribute__((constructor)) static void ts_detect_bmi2(void) {
    #if defined(__x86_64__)
        __builtin_cpu_init();
        ts_fast_bmi2 = __builtin_cpu_supports("bmi2")
            && !__builtin_cpu_is("znver1") && !__builtin_cpu_is("znver2");
    #endif
    }

    /* Index of the k-th set bit (k from 0) of x; x must have more than k bits. */
    TS_INLINE int ts_select64(uint64_t x, unsigned k) {
    #if defined(__x86_64__)
        if (ts_likely(ts_fast_bmi2)) {
            uint64_t one = (uint64_t)1 << k, out;
            __asm__("pdepq %2, %1, %0" : "=r"(out) : "r"(one), "r"(x));
            return __builtin_ctzll(out);
        }
    #endif
        while (k--) x &= x - 1;
        return __builtin_ctzll(x);
    }

    /* The bits of x at the set places of mask, packed downward. */
    TS_INLINE uint64_t ts_extract64(uint64_t x, uint64_t mask) {
    #if defined(__x86_64__)
        if (ts_likely(ts_fast_bmi2)) {
            uint64_t out;
            __asm__("pextq %2, %1, %0" : "=r"(out) : "r"(x), "r"(mask));
            return out;
        }
    #endif
        uint64_t packed = 0;
        for (unsigned place = 0; mask; mask &= mask - 1, place++)
            packed |= (uint64_t)((x & mask & -mask) != 0) << place;
        return packed;
    }

    /* The inverse: the low bits of x moved up to the set places of mask. */
    TS_INLINE uint64_t ts_deposit64(uint64_t x, uint64_t mask) {
    #if defined(__x86_64__)
        if (ts_likely(ts_fast_bmi2)) {
            uint64_t out;
            __asm__("pdepq %2, %1, %0" : "=r"(out) : "r"(x), "r"(mask));
            return out;
        }
    #endif
        uint64_t spread = 0;
        for (; mask; mask &= mask - 1, x >>= 1)
            if (x & 1) spread |= mask & -mask;
        return spread;
    }
    #endif
    """
    int popcount64 "ts_popcount64"(uint64_t x) noexcept nogil
    int popcount32 "ts_popcount32"(uint32_t x) noexcept nogil
    int lowest64 "ts_lowest64"(uint64_t x) noexcept nogil
    int lowest32 "ts_lowest32"(uint32_t x) noexcept nogil
    int highest64 "ts_highest64"(uint64_t x) noexcept nogil
    int highest32 "ts_highest32"(uint32_t x) noexcept nogil
    bint likely "ts_likely"(bint x) noexcept nogil
    bint unlikely "ts_unlikely"(bint x) noexcept nogil
    void prefetch "ts_prefetch"(void* p) noexcept nogil
    int select64 "ts_select64"(uint64_t x, uint32_t k) noexcept nogil
    uint64_t extract64 "ts_extract64"(uint64_t x, uint64_t mask) noexcept nogil
    uint64_t deposit64 "ts_deposit64"(uint64_t x, uint64_t mask) noexcept nogil
