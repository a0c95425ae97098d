"""Can a camp win every trick, and the Petit au bout with them? A search of its own.

Card points do not matter here, a single trick lost ends a branch, and a hand that can cash
all it holds is found by counting: both ends of the scale cost a fraction of what a search
for points does.
"""

from libc.stdint cimport uint8_t, uint64_t

from tarot_sim._rules cimport State

cdef enum:
    MEMO_SIZE = 4096  # positions that are remembered, a power of 2

cdef struct Memo:
    uint64_t keys[MEMO_SIZE]  # 0 for none; the answer stands in the lowest bit

cdef struct Sweep:
    Memo* memo
    uint64_t salt        # the question: camp, players and the Petit
    uint64_t nodes       # cards played
    uint64_t node_limit
    uint8_t seats        # of the camp that is to win every trick, a bit each
    bint petit           # whether it is to win the Petit au bout too

cdef int sweep_search(
    Sweep* sweep, Memo* memo, const State* state, int camp, bint petit, uint64_t node_limit
) noexcept nogil
cdef int camp_bit(object camp) except -1
