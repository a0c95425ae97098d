"""Bounds of a position's value at the start of a trick, without search.

All of them are statements about what one camp can make sure of; what the defence is
sure of is lost to the attack. They hold for a camp that has won a trick, since only a
camp without one can lose its Excuse early, or see the Excuse win the last trick.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from tarot_sim._bits cimport highest32, highest64, lowest64, popcount32, popcount64
from tarot_sim._cards cimport (
    ATOUT_21_BIT,
    BOUT_BONUS,
    CAVALIERS,
    Cards,
    DAMES,
    EXCUSE_BIT,
    HONOURS,
    LANE,
    MOST_PLAYERS,
    NO_SUIT,
    NUMBERED,
    PETIT_BIT,
    ROIS,
    VALETS,
)
from tarot_sim.solver._proof cimport Proof
from tarot_sim._rules cimport EXCUSE_NET, State, cards_in_play

cdef enum:
    BOUT_BITS = 0x200003
    ALL_THERE_IS = -1  # in place of wanted half points

cdef struct Layout:
    # A position at the start of a trick, as bounds and table see it.
    Cards live                       # all cards in the hands
    uint64_t lengths[MOST_PLAYERS]   # suit cards of each hand, a lane a suit
    uint32_t numbered[MOST_PLAYERS]  # trumps of each hand, without the Excuse

cdef struct SureGain:
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


cdef inline void read_layout(const State* state, Layout* layout) noexcept nogil:
    cdef int seat
    layout.live = cards_in_play(state)
    for seat in range(state.players):
        layout.lengths[seat] = lane_counts(state.hands[seat].suits)
        layout.numbered[seat] = state.hands[seat].trumps & <uint32_t>NUMBERED


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


cdef struct TrumpPlay:
    # What a hand's trumps do for the suit cards that it cashes.
    bint draws            # its masters draw all other trumps
    uint32_t others       # trumps of all other hands
    uint32_t line         # what that, or getting the lead, relies on

cdef struct Winners:
    # Suit cards that win tricks.
    uint64_t counted
    uint64_t relied_on    # those that the proof draws its lines at


cdef inline bint play_trumps(
    const State* state,
    const Layout* layout,
    int holder,
    int unbeaten_trumps,
    uint32_t against,
    TrumpPlay* play,
) noexcept nogil:
    """Find what the trumps of a hand do; return False if it may never get the lead."""
    cdef bint leads = holder == state.leader
    cdef uint32_t own = layout.numbered[holder], trumps, masters
    cdef int seat, length, longest = 0
    play.others = 0
    play.line = 0
    if not leads and own == 0:
        return False
    for seat in range(state.players):
        if seat == holder:
            continue
        trumps = layout.numbered[seat]
        play.others |= trumps
        # An Excuse beside trumps is one more round until they are drawn.
        length = popcount32(state.hands[seat].trumps) if trumps else 0
        if length > longest:
            longest = length
    masters = own
    if play.others:
        masters = own >> (highest32(play.others) + 1) << (highest32(play.others) + 1)
    length = popcount32(masters)
    if leads:
        play.draws = length >= longest
    else:
        if longest:
            longest += 1
        play.draws = length >= longest
        # Without that, a trump that is never beaten brings the lead as well, and until
        # then the hand does not have to part with its suit cards.
        if not play.draws and (
            unbeaten_trumps == 0
            or (against != play.others and unbeaten(own, play.others, &play.line) == 0)
        ):
            return False
    if play.draws and longest:
        # The lowest of the masters that draw the others' trumps.
        while length > longest:
            masters &= masters - 1
            length -= 1
        play.line = masters & -masters
    return True


cdef inline void suit_winners(
    const State* state,
    const Layout* layout,
    int holder,
    int suit,
    bint draws,
    Winners* found,
) noexcept nogil:
    """Add the cards of one suit that a hand can cash once it has the lead."""
    cdef bint leads = holder == state.leader
    cdef uint64_t lane = state.hands[holder].suits & LANE[suit]
    cdef uint64_t others = layout.live.suits & ~state.hands[holder].suits & LANE[suit]
    cdef uint64_t winners
    cdef int seat, top, length, tricks, shortest = 99, need_length = 0
    if lane == 0:
        return
    top = highest64(others) + 1 if others else 0
    winners = lane >> top << top if top else lane
    if winners == 0:
        return
    tricks = popcount64(winners)
    for seat in range(state.players):
        if seat == holder:
            continue
        length = layout.lengths[seat] >> (suit * 16) & 0xFF
        # Who still has trumps has to follow, or else would ruff.
        if length < shortest and layout.numbered[seat]:
            shortest = length
        # The Excuse saves its holder from following once.
        if length and state.hands[seat].trumps & EXCUSE_BIT:
            length += 1
        if length > need_length:
            need_length = length
    if not leads and shortest == 0:
        return
    if draws:
        if tricks >= need_length:
            # Nobody has a card left when the masters are played: all win.
            while popcount64(winners) > need_length and need_length > 0:
                winners &= winners - 1
            if need_length:
                found.relied_on |= winners
            found.counted |= lane
        else:
            found.relied_on |= winners
            found.counted |= winners
    else:
        # The highest of them, as many as everybody follows to.
        while tricks > shortest:
            winners &= winners - 1
            tricks -= 1
        if winners and top:
            found.relied_on |= winners
        found.counted |= winners


cdef inline void quick_tricks(
    const State* state,
    const Layout* layout,
    int holder,
    int unbeaten_trumps,
    uint32_t unbeaten_line,
    uint32_t against,
    SureGain* gain,
) noexcept nogil:
    """Improve on what a camp is sure of by what one hand can cash.

    The leader cashes what nobody else can beat, before losing the lead. Another hand
    waits until it can win a trick with a master trump, or with a suit card that nobody
    ruffs, and keeps one more master trump than it takes to draw the others' trumps; up to
    then it gives away only losers. Of its trumps, `unbeaten_trumps` win against those of the
    other camp, `against`, see `unbeaten`.
    """
    cdef TrumpPlay play
    cdef Winners found
    cdef uint32_t numbered = layout.numbered[holder]
    cdef int suit, tricks, extra, worth, petit = 0
    if not play_trumps(state, layout, holder, unbeaten_trumps, against, &play):
        return
    found.counted = 0
    found.relied_on = 0
    for suit in range(4):
        suit_winners(state, layout, holder, suit, play.draws, &found)
    tricks = popcount64(found.counted)
    extra = suit_points(found.counted) - tricks
    if numbered & ATOUT_21_BIT:
        extra += BOUT_BONUS
    if play.draws:
        tricks += popcount32(numbered)
        # The others' Petit falls too, if it cannot be played before.
        if (numbered | (play.others if holder == state.leader else 0)) & PETIT_BIT:
            extra += BOUT_BONUS
            petit = 1
    else:
        tricks += unbeaten_trumps
        play.line |= unbeaten_line
    if state.hands[holder].trumps & EXCUSE_BIT and tricks > state.tricks_left - 2:
        # The Excuse has to be played before the last trick, and gives up the lead.
        tricks = state.tricks_left - 2
        extra = 0
        petit = 0
    worth = tricks * state.players + extra + cheapest(state, holder, tricks)
    if worth > gain.points or (worth == gain.points and petit > gain.bouts):
        gain.points = worth
        gain.bouts = petit
        gain.proof.trumps = play.line
        gain.proof.suits = 0
        for suit in range(4):
            if found.relied_on & LANE[suit]:
                gain.proof.suits |= <uint64_t>1 << lowest64(found.relied_on & LANE[suit])


cdef inline void sure_gain(
    const State* state, const Layout* layout, uint8_t seats, int wanted, bint cash, SureGain* gain
) noexcept nogil:
    """Find what the camp of `seats`, which has won a trick, is sure of.

    Trumps that nobody can beat are counted first; `cash` asks for the other winners of each
    hand too, unless that brings the `wanted` half points (the Excuse apart) already; see
    `ALL_THERE_IS`.
    """
    cdef int players = state.players, seat, worth, best = 0
    cdef int[MOST_PLAYERS] winners
    cdef uint32_t[MOST_PLAYERS] lines
    cdef uint32_t own, against = 0
    cdef bint holds_excuse = False, holds_21 = False
    gain.bouts = 0
    gain.proof.suits = 0
    gain.proof.trumps = 0
    for seat in range(players):
        if seats >> seat & 1:
            if state.hands[seat].trumps & EXCUSE_BIT:
                holds_excuse = True
            if state.hands[seat].trumps & ATOUT_21_BIT:
                holds_21 = True
        else:
            against |= layout.numbered[seat]
    for seat in range(players):
        if seats >> seat & 1:
            own = layout.numbered[seat]
            winners[seat] = unbeaten(own, against, &lines[seat])
            worth = (
                winners[seat] * players
                + (BOUT_BONUS if own & ATOUT_21_BIT else 0)
                + cheapest(state, seat, winners[seat])
            )
            if worth > best:
                best = worth
                gain.proof.trumps = lines[seat]
    gain.points = best
    if cash and state.banned_suit == NO_SUIT and (wanted < 0 or best < wanted):
        for seat in range(players):
            if seats >> seat & 1:
                quick_tricks(state, layout, seat, winners[seat], lines[seat], against, gain)
    if holds_21:
        # It wins its trick in any case.
        gain.bouts += 1
        if gain.points < players + BOUT_BONUS:
            gain.points = players + BOUT_BONUS
            gain.bouts = 1
            gain.proof.suits = 0
            gain.proof.trumps = 0
    if holds_excuse and state.tricks_left > 1:
        gain.points += EXCUSE_NET
        gain.bouts += 1
