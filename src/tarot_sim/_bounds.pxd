"""Bounds of a position's value at the start of a trick, without search.

All of them are statements about what one camp can make sure of; what the defence is
sure of is lost to the attack. They hold for a camp that has won a trick, since only a
camp without one can lose its Excuse early, or see the Excuse win the last trick.
"""

from libc.stdint cimport int16_t, uint8_t, uint32_t, uint64_t

from tarot_sim._bits cimport highest32, highest64, lowest64, popcount32, popcount64
from tarot_sim._cards cimport (
    ATOUT_21_BIT,
    CAVALIERS,
    Cards,
    DAMES,
    EXCUSE_BIT,
    LANE,
    NO_SUIT,
    NUMBERED,
    PETIT_BIT,
    ROIS,
    VALETS,
)
from tarot_sim._rules cimport ATTACK, DEFENCE, State

cdef enum:
    BOUT_BITS = 0x200003

cdef struct Sure:
    # What a camp is sure of among the cards in the hands.
    int points           # half points
    int bouts
    uint64_t deciding    # suit ranks that this relies on, each suit's from some rank up


cdef inline uint64_t lane_counts(uint64_t suits) noexcept nogil:
    """Count the bits of each 16-bit lane."""
    suits = suits - (suits >> 1 & <uint64_t>0x5555555555555555ULL)
    suits = (suits & <uint64_t>0x3333333333333333ULL) + (
        suits >> 2 & <uint64_t>0x3333333333333333ULL
    )
    suits = (suits + (suits >> 4)) & <uint64_t>0x0F0F0F0F0F0F0F0FULL
    return (suits + (suits >> 8)) & <uint64_t>0x00FF00FF00FF00FFULL


cdef inline int suit_points(uint64_t suits) noexcept nogil:
    """Return the half points of suit cards."""
    return (
        popcount64(suits)
        + 2 * popcount64(suits & VALETS)
        + 4 * popcount64(suits & CAVALIERS)
        + 6 * popcount64(suits & DAMES)
        + 8 * popcount64(suits & ROIS)
    )


cdef inline int unbeaten(uint32_t own, uint32_t against) noexcept nogil:
    """Return how many of a hand's trumps win tricks, whatever is played.

    A trump loses its trick only to a higher one, and each of `against` can beat only
    one: at least as many win as the largest matching leaves over. Matching from the top
    down, always the lowest higher trump or any, gives the largest.
    """
    cdef uint32_t all_trumps = own | against, top
    cdef int waiting = 0, winners = 0
    if own == 0:
        return 0
    if against == 0:
        return popcount32(own)
    while all_trumps:
        top = <uint32_t>1 << highest32(all_trumps)
        all_trumps ^= top
        if against & top:
            waiting += 1
        elif waiting:
            waiting -= 1
        else:
            winners += 1
    return winners


cdef inline void sure_of(
    const State* state, uint8_t seats, int wanted, Sure* sure
) noexcept nogil:
    """Find what the camp of `seats`, which has won a trick, is sure of.

    Hands that cannot bring `wanted` half points (the Excuse apart) are passed over, and
    the rest where that is enough; a negative number asks for all there is.
    """
    cdef int players = state.players, seat, suit, worth, best, petit
    cdef int leader = state.leader
    cdef uint32_t own, against = 0, numbered, others_trumps, masters
    cdef uint64_t lane, others, winners, used, counted
    cdef int longest, length, shortest, top, tricks, tricks_drawn, need_length, extra
    cdef uint64_t lengths[5]
    cdef bint holds_excuse = False, holds_21 = False, draws, capped
    best = 0
    petit = 0
    sure.deciding = 0
    for seat in range(players):
        if seats >> seat & 1:
            if state.hands[seat].trumps & EXCUSE_BIT:
                holds_excuse = True
            if state.hands[seat].trumps & ATOUT_21_BIT:
                holds_21 = True
        else:
            against |= state.hands[seat].trumps & <uint32_t>NUMBERED
    for seat in range(players):
        if seats >> seat & 1:
            own = state.hands[seat].trumps & <uint32_t>NUMBERED
            worth = popcount32(own) * players + 8
            if worth <= best or (wanted >= 0 and worth < wanted):
                continue
            worth = unbeaten(own, against) * players + (8 if own & ATOUT_21_BIT else 0)
            if worth > best:
                best = worth
    if seats >> leader & 1 and state.banned_suit == NO_SUIT and (
        wanted < 0 or best < wanted
    ):
        # The leader cashes what nobody else can beat, before losing the lead.
        numbered = state.hands[leader].trumps & <uint32_t>NUMBERED
        for seat in range(players):
            lengths[seat] = lane_counts(state.hands[seat].suits)
        others = 0
        others_trumps = 0
        longest = 0
        for seat in range(players):
            if seat == leader:
                continue
            others |= state.hands[seat].suits
            own = state.hands[seat].trumps
            others_trumps |= own & <uint32_t>NUMBERED
            # An Excuse beside trumps is one more round until they are drawn.
            length = popcount32(own) if own & <uint32_t>NUMBERED else 0
            if length > longest:
                longest = length
        masters = numbered
        if others_trumps:
            masters = numbered >> (highest32(others_trumps) + 1) << (highest32(others_trumps) + 1)
        draws = popcount32(masters) >= longest
        used = 0
        counted = 0
        for suit in range(4):
            lane = state.hands[leader].suits & LANE[suit]
            if lane == 0:
                continue
            top = highest64(others & LANE[suit]) + 1 if others & LANE[suit] else 0
            winners = lane >> top << top if top else lane
            if winners == 0:
                continue
            tricks = popcount64(winners)
            need_length = 0
            shortest = 99
            for seat in range(players):
                if seat == leader:
                    continue
                length = lengths[seat] >> (suit * 16) & 0xFF
                # Who still has trumps has to follow, or else would ruff.
                if length < shortest and state.hands[seat].trumps & <uint32_t>NUMBERED:
                    shortest = length
                # The Excuse saves its holder from following once.
                if length and state.hands[seat].trumps & EXCUSE_BIT:
                    length += 1
                if length > need_length:
                    need_length = length
            if draws:
                if tricks >= need_length:
                    # Nobody has a card left when the masters are played: all win.
                    while popcount64(winners) > need_length and need_length > 0:
                        winners &= winners - 1
                    if need_length:
                        used |= winners
                    counted |= lane
                else:
                    used |= winners
                    counted |= winners
            else:
                # The highest of them, as many as everybody follows to.
                while tricks > shortest:
                    winners &= winners - 1
                    tricks -= 1
                if winners and top:
                    used |= winners
                counted |= winners
        tricks = popcount64(counted)
        extra = suit_points(counted) - tricks
        if draws:
            tricks += popcount32(numbered)
            extra += 8 if numbered & ATOUT_21_BIT else 0
            extra += 8 if numbered & PETIT_BIT else 0
        else:
            tricks_drawn = unbeaten(numbered, against)
            tricks += tricks_drawn
            extra += 8 if numbered & ATOUT_21_BIT else 0
        capped = (
            state.hands[leader].trumps & EXCUSE_BIT and tricks > state.tricks_left - 2
        )
        if capped:
            # The Excuse has to be played before the last trick, and gives up the lead.
            tricks = state.tricks_left - 2
            extra = 0
        worth = tricks * players + extra
        if worth > best or (worth == best and draws and not capped and numbered & PETIT_BIT):
            best = worth
            if draws and not capped and numbered & PETIT_BIT:
                petit = 1
            for suit in range(4):
                if used & LANE[suit]:
                    sure.deciding |= LANE[suit] & ~(
                        (<uint64_t>1 << lowest64(used & LANE[suit])) - 1
                    )
    sure.points = best
    sure.bouts = petit
    if holds_21:
        # It wins its trick in any case.
        sure.bouts += 1
        if sure.points < players + 8:
            sure.points = players + 8
            sure.bouts = 1
            sure.deciding = 0
    if holds_excuse and state.tricks_left > 1:
        sure.points += 8
        sure.bouts += 1
