"""The table of theorems: what is proved of positions, found again wherever it holds.

An entry is kept in the most general form that its proof allows (partition search):

* Trumps and the Excuse, the lengths of all suits in all hands and the lead are the
  *base key*; they have to be the same.
* Of the suit cards only the numbers between the proof's lines matter, see `_proof.pxd`.
* What the cards are worth need not be the same. Let position X be proved to bring the
  attack at least L, and let Y differ from it in honours only. Match each hand's cards of
  a suit in order of rank. Were Y's cards worth what X's are, the proof would hold; giving
  them their own values back takes from the attack, whatever is played, no more than the
  sum by which X's cards outvalue Y's, since each card is won once. So Y brings at least
  L − that sum; and for an upper bound the other way round.

Places of cards are relative to the cards that are live.
"""

from libc.stdint cimport int16_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset

from tarot_sim._bits cimport extract64, lowest64, popcount32, popcount64
from tarot_sim.solver._bounds cimport Layout
from tarot_sim._cards cimport ATOUT_21_BIT, EXCUSE_BIT, HONOURS, MOST_PLAYERS, PETIT_BIT
from tarot_sim.solver._proof cimport Proof
from tarot_sim._rules cimport State

cdef extern from *:
    """
    #ifndef TAROT_SIM_TABLE_H
    #define TAROT_SIM_TABLE_H
    #include <stdint.h>
    #include <stdlib.h>
    #if defined(__linux__)
    #include <sys/mman.h>
    #endif
    #define TS_LARGE_TABLE ((uint64_t)128 << 20)
    /* Zeroed memory. A large table is read all over the place: huge pages spare most of
       the misses of the address cache. A small one should not touch more than it uses. */
    static void *ts_allocate(uint64_t bytes) {
    #if defined(__linux__)
        if (bytes >= TS_LARGE_TABLE) {
            void *block = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
            if (block == MAP_FAILED) return NULL;
            madvise(block, bytes, MADV_HUGEPAGE);
            return block;
        }
    #endif
        return calloc(bytes, 1);
    }
    static void ts_release(void *block, uint64_t bytes) {
    #if defined(__linux__)
        if (bytes >= TS_LARGE_TABLE) {
            if (block) munmap(block, bytes);
            return;
        }
    #endif
        free(block);
    }
    /* Fold of the 128-bit product: both halves depend on all bits of both factors. */
    static inline uint64_t ts_fold(uint64_t a, uint64_t b) {
        unsigned __int128 product = (unsigned __int128)a * b;
        return (uint64_t)product ^ (uint64_t)(product >> 64);
    }
    /* Half points by which the first of two hands' honours in one suit, four bits each,
       outvalue the second's. Both hands have as many cards of the suit; card by card from
       the top, only those count that are worth more. Each step of value (2 half points)
       is counted by the cards that reach it. */
    static uint8_t ts_excess[256];
    __attribute__((constructor)) static void ts_fill_excess(void) {
        for (int first = 0; first < 16; first++)
            for (int second = 0; second < 16; second++)
                for (int least = 0; least < 4; least++) {
                    int more = __builtin_popcount(first >> least)
                        - __builtin_popcount(second >> least);
                    if (more > 0) ts_excess[first << 4 | second] += 2 * more;
                }
    }
    #define TS_MIX_A 0x9E3779B97F4A7C15u
    #define TS_MIX_B 0xD6E8FEB86659FD93u
    #define TS_MIX_C 0xA0761D6478BD642Fu
    #define TS_MIX_D 0xE7037ED1A0B428DBu
    #endif
    """
    void* allocate "ts_allocate"(uint64_t bytes) noexcept nogil
    void release "ts_release"(void* block, uint64_t bytes) noexcept nogil
    uint64_t fold "ts_fold"(uint64_t a, uint64_t b) noexcept nogil
    const uint8_t EXCESS "ts_excess"[256]
    const uint64_t MIX_A "TS_MIX_A"
    const uint64_t MIX_B "TS_MIX_B"
    const uint64_t MIX_C "TS_MIX_C"
    const uint64_t MIX_D "TS_MIX_D"

cdef enum:
    BUCKET = 4           # chains
    LEAST_TABLE = 1024   # bytes

cdef struct Entry:
    # A theorem, one cache line.
    # Each seat's suit cards among the live ones; the last seat's follow.
    uint64_t places[MOST_PLAYERS - 1]
    uint64_t suit_lines  # places that the proof's lines lie below
    uint32_t trump_lines
    uint32_t next        # of the same base key; 0 ends the chain
    uint16_t honours[MOST_PLAYERS]  # each seat's honours, four bits a suit
    int16_t bound        # on value − attack's half points so far
    uint8_t is_upper
    uint8_t best         # relative card: suit and place among the live ones

cdef struct Chain:
    # The theorems of one base key.
    uint64_t check       # 64 bits of the key's hash that do not address it
    uint32_t first       # entry
    uint32_t age

cdef struct Table:
    Entry* entries       # entry 0 is not used
    Chain* chains        # four a bucket, one cache line
    void* block
    uint64_t size        # of the block, in bytes
    uint64_t buckets     # a power of two
    uint32_t capacity    # entries
    uint32_t used
    uint32_t age         # chains of another age are empty

cdef struct TTKey:
    # A position at the start of a trick as the table sees it.
    uint64_t hash        # of the base key
    uint64_t check
    uint64_t places[MOST_PLAYERS - 1]
    uint16_t honours[MOST_PLAYERS]
    int others           # seats but the last


cdef inline bint table_open(Table* table, uint64_t bytes) noexcept nogil:
    """Allocate a table of at most `bytes` (at least `LEAST_TABLE`)."""
    cdef uint64_t buckets = 1
    while buckets * 2 * BUCKET * (sizeof(Chain) + 2 * sizeof(Entry)) <= bytes:
        buckets *= 2
    table.buckets = buckets
    # One line more, to start on a cache line.
    table.capacity = min(
        <uint64_t>0x7FFFFFFF, (bytes - 64 - buckets * BUCKET * sizeof(Chain)) // sizeof(Entry)
    )
    table.size = buckets * BUCKET * sizeof(Chain) + table.capacity * sizeof(Entry) + 64
    table.block = allocate(table.size)
    if table.block == NULL:
        return False
    table.chains = <Chain*>((<uint64_t>table.block + 63) & ~<uint64_t>63)
    table.entries = <Entry*>(table.chains + buckets * BUCKET)
    table.age = 1
    table.used = 1
    return True


cdef inline void table_close(Table* table) noexcept nogil:
    release(table.block, table.size)
    table.block = NULL


cdef inline void table_clear(Table* table) noexcept nogil:
    """Forget everything, at the cost of a counter."""
    table.used = 1
    table.age += 1
    if table.age == 0:
        memset(table.chains, 0, table.buckets * BUCKET * sizeof(Chain))
        table.age = 1


cdef inline Chain* bucket_of(Table* table, uint64_t hash) noexcept nogil:
    return table.chains + (hash & (table.buckets - 1)) * BUCKET


cdef inline Chain* find_chain(Table* table, uint64_t hash, uint64_t check) noexcept nogil:
    cdef Chain* bucket = bucket_of(table, hash)
    cdef int slot
    for slot in range(BUCKET):
        if bucket[slot].check == check and bucket[slot].age == table.age:
            return &bucket[slot]
    return NULL


cdef inline Chain* make_chain(Table* table, uint64_t hash, uint64_t check) noexcept nogil:
    """Return an empty chain for a base key; where the bucket is full one key is forgotten."""
    cdef Chain* bucket = bucket_of(table, hash)
    cdef int slot
    for slot in range(BUCKET):
        if bucket[slot].age != table.age:
            break
    else:
        slot = hash >> 62
    bucket[slot].check = check
    bucket[slot].first = 0
    bucket[slot].age = table.age
    return &bucket[slot]


cdef inline void make_key(
    uint64_t salt, const State* state, const Layout* layout, TTKey* key
) noexcept nogil:
    """Make the key of a position at the start of a trick.

    The base key holds all that bounds the value but the order of the suit cards and
    which of them are honours: the trumps' order, every seat's length in every suit, who
    leads, and what the tricks so far decide about the settlement.
    """
    cdef uint64_t trumps, facts
    cdef uint64_t hash = salt, check = salt ^ MIX_D
    cdef int seat
    facts = (
        popcount32(layout.live.trumps)
        | state.leader << 5
        | state.won << 8
        | popcount32(state.bouts) << 10
        | <uint64_t>(layout.live.trumps & <uint32_t>(ATOUT_21_BIT | PETIT_BIT | EXCUSE_BIT)) << 12
    )
    if state.debt and not state.won & state.debt:
        facts |= <uint64_t>state.debt << 36
    key.others = state.players - 1
    for seat in range(state.players):
        trumps = extract64(state.hands[seat].trumps, layout.live.trumps) | facts << 22
        hash = fold(hash ^ layout.lengths[seat], trumps ^ MIX_C)
        check = fold(check ^ layout.lengths[seat], trumps ^ MIX_A) + layout.lengths[seat]
        facts = 0
        if seat < key.others:
            key.places[seat] = extract64(state.hands[seat].suits, layout.live.suits)
        key.honours[seat] = extract64(state.hands[seat].suits, HONOURS)
    key.hash = hash
    key.check = check


cdef inline int excess_value(
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
                EXCESS[(ours & 15) << 4 | (theirs & 15)]
                + EXCESS[(ours >> 4 & 15) << 4 | (theirs >> 4 & 15)]
                + EXCESS[(ours >> 8 & 15) << 4 | (theirs >> 8 & 15)]
                + EXCESS[(ours >> 12 & 15) << 4 | (theirs >> 12 & 15)]
            )
    return total


cdef inline bint matches(const Entry* entry, const TTKey* key) noexcept nogil:
    """Tell whether each hand has as many cards between the lines as the entry's."""
    cdef uint64_t lines = entry.suit_lines
    cdef int seat, line
    while lines:
        line = lowest64(lines)
        lines &= lines - 1
        for seat in range(key.others):
            # Whole lanes above are equally long, since the base key is the same.
            if popcount64(entry.places[seat] >> line) != popcount64(key.places[seat] >> line):
                return False
    return True


cdef inline void store(
    Table* table, const TTKey* key, const Proof* proof, int bound, bint is_upper, int best
) noexcept nogil:
    """Add a theorem; a full table is emptied first, which no answer depends on."""
    cdef Chain* chain
    cdef Entry* entry
    cdef int seat
    if table.used >= table.capacity:
        table_clear(table)
    chain = find_chain(table, key.hash, key.check)
    if chain == NULL:
        chain = make_chain(table, key.hash, key.check)
    entry = &table.entries[table.used]
    for seat in range(key.others):
        entry.places[seat] = key.places[seat]
        entry.honours[seat] = key.honours[seat]
    entry.honours[key.others] = key.honours[key.others]
    entry.suit_lines = proof.suits
    entry.trump_lines = proof.trumps
    entry.bound = bound
    entry.is_upper = is_upper
    entry.best = best
    entry.next = chain.first
    chain.first = table.used
    table.used += 1
