"""Bounds of a position's value at the start of a trick, without search.

All of them are statements about what one camp can make sure of; what the defence is
sure of is lost to the attack. They hold for a camp that has won a trick, since only a
camp without one can lose its Excuse early, or see the Excuse win the last trick.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from tarot_sim._bits cimport highest32, highest64, lowest64, popcount32, popcount64
from tarot_sim._cards cimport (
    ATOUT_21_BIT,
    CAVALIERS,
    Cards,
    DAMES,
    EXCUSE_BIT,
    HONOURS,
    LANE,
    NO_SUIT,
    NUMBERED,
    PETIT_BIT,
    ROIS,
    VALETS,
)
from tarot_sim.solver._proof cimport Proof
from tarot_sim._rules cimport State, cards_in_play

cdef enum:
    BOUT_BITS = 0x200003

cdef struct Scene:
    # A position at the start of a trick, as bounds and table see it.
    Cards live            # all cards in the hands
    uint64_t lengths[5]   # suit cards of each hand, a lane a suit
    uint32_t numbered[5]  # trumps of each hand, without the Excuse

cdef struct Sure:
    # What a camp is sure of among the cards in the hands.
    int points           # half points
    int bouts
    Proof proof


cdef inline uint64_t lane_counts(uint64_t suits) noexcept nogil:
    """Count the bits of each 16-bit lane."""
    suits = suits - (suits >> 1 & <uint64_t>0x5555555555555555ULL)
    suits = (suits & <uint64_t>0x3333333333333333ULL) + (
        suits >> 2 & <uint64_t>0x3333333333333333ULL
    )
    suits = (suits + (suits >> 4)) & <uint64_t>0x0F0F0F0F0F0F0F0FULL
    return (suits + (suits >> 8)) & <uint64_t>0x00FF00FF00FF00FFULL


cdef inline void open_scene(const State* state, Scene* scene) noexcept nogil:
    cdef int seat
    scene.live = cards_in_play(state)
    for seat in range(state.players):
        scene.lengths[seat] = lane_counts(state.hands[seat].suits)
        scene.numbered[seat] = state.hands[seat].trumps & <uint32_t>NUMBERED


cdef inline int suit_points(uint64_t suits) noexcept nogil:
    """Return the half points of suit cards."""
    return (
        popcount64(suits)
        + 2 * popcount64(suits & VALETS)
        + 4 * popcount64(suits & CAVALIERS)
        + 6 * popcount64(suits & DAMES)
        + 8 * popcount64(suits & ROIS)
    )


cdef inline int unbeaten(uint32_t own, uint32_t against, uint32_t* line) noexcept nogil:
    """Return how many of a hand's trumps win tricks, whatever is played.

    A trump loses its trick only to a higher one, and each of `against` can beat only
    one: from any rank up, as many win as the hand has more trumps than the others.
    `line` is set to the bit of the rank where this is most, 0 if it is so of all trumps.
    """
    cdef int ahead = 0, winners = 0
    cdef int surplus = popcount32(own) - popcount32(against)
    cdef uint32_t run
    line[0] = 0
    while own:
        # From the top down: own trumps to the next other one, then others to the next own.
        run = own
        if against:
            run = own >> highest32(against) << highest32(against)
        if run:
            ahead += popcount32(run)
            own ^= run
            if ahead > winners:
                winners = ahead
                line[0] = run & -run
            if not own:
                break
        run = against >> highest32(own) << highest32(own)
        ahead -= popcount32(run)
        against ^= run
        if ahead + popcount32(own) <= winners:
            break
    if surplus == winners:
        line[0] = 0
    return winners


cdef inline int cheapest(const State* state, int winner, int tricks) noexcept nogil:
    """Return what the other hands' cards are worth at least in `tricks` tricks.

    Above one half point a card; the Petit is left out.
    """
    cdef int seat, total = 0, need, count
    cdef uint64_t honours
    for seat in range(state.players):
        if seat == winner:
            continue
        honours = state.hands[seat].suits & HONOURS
        need = tricks - state.tricks_left + popcount64(honours)
        if need <= 0:
            continue
        count = popcount64(honours & VALETS)
        total += 2 * min(need, count)
        need -= count
        if need <= 0:
            continue
        count = popcount64(honours & CAVALIERS)
        total += 4 * min(need, count)
        need -= count
        if need <= 0:
            continue
        count = popcount64(honours & DAMES)
        total += 6 * min(need, count)
        need -= count
        if need > 0:
            total += 8 * need
    return total


cdef inline void sure_of(
    const State* state, const Scene* scene, uint8_t seats, int wanted, bint cash, Sure* sure
) noexcept nogil:
    """Find what the camp of `seats`, which has won a trick, is sure of.

    Trumps that nobody can beat are counted first; `cash` asks for the other winners of each
    hand too, unless that brings the `wanted` half points (the Excuse apart) already; a
    negative number asks for all there is.
    """
    cdef int players = state.players, seat, worth, best = 0
    cdef int[5] winners
    cdef uint32_t[5] lines
    cdef uint32_t own, against = 0
    cdef bint holds_excuse = False, holds_21 = False
    sure.bouts = 0
    sure.proof.suits = 0
    sure.proof.trumps = 0
    for seat in range(players):
        if seats >> seat & 1:
            if state.hands[seat].trumps & EXCUSE_BIT:
                holds_excuse = True
            if state.hands[seat].trumps & ATOUT_21_BIT:
                holds_21 = True
        else:
            against |= scene.numbered[seat]
    for seat in range(players):
        if seats >> seat & 1:
            own = scene.numbered[seat]
            winners[seat] = unbeaten(own, against, &lines[seat])
            worth = (
                winners[seat] * players
                + (8 if own & ATOUT_21_BIT else 0)
                + cheapest(state, seat, winners[seat])
            )
            if worth > best:
                best = worth
                sure.proof.trumps = lines[seat]
    sure.points = best
    if cash and state.banned_suit == NO_SUIT and (wanted < 0 or best < wanted):
        for seat in range(players):
            if seats >> seat & 1:
                control(state, scene, seat, winners[seat], lines[seat], against, sure)
    if holds_21:
        # It wins its trick in any case.
        sure.bouts += 1
        if sure.points < players + 8:
            sure.points = players + 8
            sure.bouts = 1
            sure.proof.suits = 0
            sure.proof.trumps = 0
    if holds_excuse and state.tricks_left > 1:
        sure.points += 8
        sure.bouts += 1


cdef inline void control(
    const State* state,
    const Scene* scene,
    int holder,
    int unbeaten_trumps,
    uint32_t unbeaten_line,
    uint32_t against,
    Sure* sure,
) noexcept nogil:
    """Improve on what a camp is sure of by what one hand can cash.

    The leader cashes what nobody else can beat, before losing the lead. Another hand
    waits until it can win a trick with a master trump, or with a suit card that nobody
    ruffs, and keeps one more master trump than it takes to draw the others' trumps; up to
    then it gives away only losers. Of its trumps, `unbeaten_trumps` win against those of the
    other camp, `against`, see `unbeaten`.
    """
    cdef int players = state.players, seat, suit, worth, petit = 0
    cdef bint leads = holder == state.leader
    cdef uint32_t own, numbered, others_trumps = 0, masters, line = 0, lead_line = 0
    cdef uint64_t lane, others, winners, used = 0, counted = 0
    cdef int longest = 0, length, shortest, top, tricks, need_length, extra
    cdef bint draws, capped
    numbered = scene.numbered[holder]
    if not leads and numbered == 0:
        return
    for seat in range(players):
        if seat == holder:
            continue
        own = scene.numbered[seat]
        others_trumps |= own
        # An Excuse beside trumps is one more round until they are drawn.
        length = popcount32(state.hands[seat].trumps) if own else 0
        if length > longest:
            longest = length
    masters = numbered
    if others_trumps:
        masters = numbered >> (highest32(others_trumps) + 1) << (highest32(others_trumps) + 1)
    length = popcount32(masters)
    if leads:
        draws = length >= longest
    else:
        if longest:
            longest += 1
        draws = length >= longest
        # Without that, a trump that is never beaten brings the lead as well, and until
        # then the hand does not have to part with its suit cards.
        if not draws and (
            unbeaten_trumps == 0
            or (against != others_trumps and unbeaten(numbered, others_trumps, &lead_line) == 0)
        ):
            return
    if draws and longest:
        # The lowest of the masters that draw the others' trumps.
        while length > longest:
            masters &= masters - 1
            length -= 1
        line = masters & -masters
    others = scene.live.suits & ~state.hands[holder].suits
    for suit in range(4):
        lane = state.hands[holder].suits & LANE[suit]
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
            if seat == holder:
                continue
            length = scene.lengths[seat] >> (suit * 16) & 0xFF
            # Who still has trumps has to follow, or else would ruff.
            if length < shortest and scene.numbered[seat]:
                shortest = length
            # The Excuse saves its holder from following once.
            if length and state.hands[seat].trumps & EXCUSE_BIT:
                length += 1
            if length > need_length:
                need_length = length
        if not leads and shortest == 0:
            continue
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
    if numbered & ATOUT_21_BIT:
        extra += 8
    if draws:
        tricks += popcount32(numbered)
        # The others' Petit falls too, if it cannot be played before.
        if (numbered | (others_trumps if leads else 0)) & PETIT_BIT:
            extra += 8
            petit = 1
    else:
        tricks += unbeaten_trumps
        line = unbeaten_line | lead_line
    capped = state.hands[holder].trumps & EXCUSE_BIT and tricks > state.tricks_left - 2
    if capped:
        # The Excuse has to be played before the last trick, and gives up the lead.
        tricks = state.tricks_left - 2
        extra = 0
        petit = 0
    worth = tricks * players + extra + cheapest(state, holder, tricks)
    if worth > sure.points or (worth == sure.points and petit > sure.bouts):
        sure.points = worth
        sure.bouts = petit
        sure.proof.trumps = line
        sure.proof.suits = 0
        for suit in range(4):
            if used & LANE[suit]:
                sure.proof.suits |= <uint64_t>1 << lowest64(used & LANE[suit])
