"""Can a camp win every trick, and the Petit au bout with them? A search of its own.

The camp on lead is looked at first: a leader who draws all trumps and holds nothing but
winners needs no search; a player of the other camp with a trump that cannot be beaten ends
it. Between the two, every card of the other camp and every card of the own one is tried.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from tarot_sim._bits cimport highest32, highest64, lowest32, lowest64, popcount32, popcount64
from tarot_sim._cards cimport (
    CODE_EXCUSE,
    Cards,
    EXCUSE_BIT,
    LANE,
    LANES,
    NO_SUIT,
    NUMBERED,
    PETIT_BIT,
)
from tarot_sim._core cimport Position
from tarot_sim._rules cimport (
    ATTACK,
    DEFENCE,
    State,
    cards_in_play,
    legal_cards,
    play_code,
    strength,
)
from tarot_sim.solver._table cimport MIX_A, MIX_B, MIX_C, MIX_D, fold

from tarot_sim.arguments import one_of, whole_number
from tarot_sim.errors import OptionError, PositionError
from tarot_sim.notation import shown
from tarot_sim.rules import CAMPS

#: A search of so many cards takes some tens of milliseconds: no look at signals is needed.
MOST_SWEEP_NODES = 1_000_000

cdef enum:
    YES = 1
    NO = 0
    OPEN = -1


cdef int sweep_search(
    Sweep* sweep, Memo* memo, const State* state, int camp, bint petit, uint64_t node_limit
) noexcept nogil:
    """Tell whether `camp` can win every trick that is left, the one on the table included.

    `petit` asks for the Petit au bout besides. Returns 1 yes, 0 no, −1 where the limit
    ended the search.
    """
    cdef uint8_t all_seats = (1 << state.players) - 1
    sweep.memo = memo
    sweep.nodes = 0
    sweep.node_limit = node_limit
    sweep.seats = state.attack if camp == ATTACK else all_seats & ~state.attack
    sweep.petit = petit
    sweep.salt = fold(MIX_A ^ (sweep.seats | petit << 8 | state.players << 16), MIX_B)
    memset(memo, 0, sizeof(Memo))
    if state.won & (ATTACK | DEFENCE) & ~camp:
        return NO
    return walk(sweep, state, cards_in_play(state)) if state.count else trick(sweep, state)


cdef inline void other_cards(const State* state, int seat, Cards* others) noexcept nogil:
    """Put the cards in all hands but one together."""
    cdef int other
    others.suits = 0
    others.trumps = 0
    for other in range(state.players):
        if other != seat:
            others.suits |= state.hands[other].suits
            others.trumps |= state.hands[other].trumps
    others.trumps &= <uint32_t>NUMBERED


cdef inline bint sure(
    const Sweep* sweep, const State* state, int leader, Cards own, Cards others
) noexcept nogil:
    """Tell whether a player who leads with `own` in hand wins all tricks by cashing.

    Enough master trumps to draw all others' trumps, and in every suit either nothing but
    masters or as many as any other hand has cards: these go first. The leader's Excuse is
    kept for the last trick, which it wins (rules, section 7.3). An Excuse elsewhere saves its
    holder from following once. Fewer cards in the other hands would make no difference.
    """
    cdef int seat, suit, longest = 0, length, most, top
    cdef uint32_t numbered = own.trumps & <uint32_t>NUMBERED, masters = numbered
    cdef uint64_t lane, rest, winners
    if sweep.petit and not numbered & PETIT_BIT:
        return False
    if others.trumps:
        top = highest32(others.trumps) + 1
        masters = numbered >> top << top
    for seat in range(state.players):
        if seat != leader and state.hands[seat].trumps & <uint32_t>NUMBERED:
            length = popcount32(state.hands[seat].trumps)
            if length > longest:
                longest = length
    if popcount32(masters) < longest and (masters != numbered or own.suits):
        return False
    for suit in range(4):
        lane = own.suits & LANE[suit]
        rest = others.suits & LANE[suit]
        if lane == 0 or rest == 0:
            continue
        top = highest64(rest) + 1
        winners = lane >> top << top
        if winners == lane:
            continue
        most = 0
        for seat in range(state.players):
            if seat == leader:
                continue
            length = popcount64(state.hands[seat].suits & LANE[suit])
            if length and state.hands[seat].trumps & EXCUSE_BIT:
                length += 1
            if length > most:
                most = length
        if popcount64(winners) < most:
            return False
    return True


cdef inline bint sure_after(const Sweep* sweep, const State* state) noexcept nogil:
    """Tell whether a player of the camp wins the trick on the table, and all tricks after it.

    Whatever is played before: they have a trump above all others', or follow to a suit that
    nobody can ruff with a card above all others'.
    """
    cdef int seat = state.to_move, other, top, _left
    cdef Cards own, others
    cdef uint64_t lane, rest
    cdef uint32_t numbered
    cdef bint ruffed
    for _left in range(state.players - state.count):
        if sweep.seats >> seat & 1:
            own = state.hands[seat]
            other_cards(state, seat, &others)
            lane = own.suits & LANE[state.led]
            numbered = own.trumps & <uint32_t>NUMBERED
            if lane:
                rest = others.suits & LANE[state.led]
                top = highest64(rest) + 1 if rest else state.led << 4
                if not state.high and (state.led << 4) + state.best > top:
                    top = (state.led << 4) + state.best
                lane = lane >> top << top
                ruffed = state.high != 0
                for other in range(state.players):
                    if other != seat and not state.hands[other].suits & LANE[state.led]:
                        ruffed |= (
                            state.hands[other].trumps & <uint32_t>NUMBERED != 0
                            and to_play(state, other)
                        )
                if lane and not ruffed:
                    own.suits ^= lane & -lane
                    if sure(sweep, state, seat, own, others):
                        return True
            elif numbered:
                top = highest32(others.trumps) + 1 if others.trumps else 1
                if state.high >= top:
                    top = state.high + 1
                numbered = numbered >> top << top
                if sweep.petit:
                    numbered &= ~<uint32_t>PETIT_BIT
                if numbered:
                    own.trumps ^= numbered & -numbered
                    if sure(sweep, state, seat, own, others):
                        return True
        seat = seat + 1 if seat + 1 < state.players else 0
    return False


cdef inline bint to_play(const State* state, int seat) noexcept nogil:
    """Tell whether a seat has not played to the trick on the table."""
    return (seat - state.to_move + state.players) % state.players < state.players - state.count


cdef inline bint lost(const Sweep* sweep, const State* state) noexcept nogil:
    """Tell whether the others are sure of a trick, or the Petit au bout is gone.

    A trump loses its trick only to a higher one, and each of the camp's can beat only one.
    The camp's Excuse may win the last trick, and so spare it one trump.
    """
    cdef uint32_t own = 0, against, all_trumps = 0
    cdef int seat, needed, spared
    for seat in range(state.players):
        all_trumps |= state.hands[seat].trumps
        if sweep.seats >> seat & 1:
            own |= state.hands[seat].trumps
    if sweep.petit and not all_trumps & PETIT_BIT:
        return True
    spared = own & EXCUSE_BIT
    own &= <uint32_t>NUMBERED
    for seat in range(state.players):
        if sweep.seats >> seat & 1:
            continue
        against = state.hands[seat].trumps & <uint32_t>NUMBERED
        needed = 0
        while against:
            # The highest that is left must find a higher one, each its own.
            needed += 1
            if popcount32(own >> highest32(against)) + spared < needed:
                return True
            against ^= <uint32_t>1 << highest32(against)
    return False


cdef inline uint64_t key_of(const Sweep* sweep, const State* state) noexcept nogil:
    cdef uint64_t key = sweep.salt ^ (state.leader | state.petit_before_last << 8)
    cdef int seat
    for seat in range(state.players):
        key = fold(key ^ MIX_C ^ state.hands[seat].suits, MIX_D ^ state.hands[seat].trumps)
    return key


cdef int trick(Sweep* sweep, const State* state) noexcept nogil:
    """Answer at the start of a trick."""
    cdef uint64_t key
    cdef uint64_t* slot
    cdef int answer
    cdef Cards live = cards_in_play(state), others
    if state.tricks_left > 1:
        if lost(sweep, state):
            return NO
        if sweep.seats >> state.leader & 1 and state.banned_suit == NO_SUIT:
            other_cards(state, state.leader, &others)
            if sure(sweep, state, state.leader, state.hands[state.leader], others):
                return YES
    key = key_of(sweep, state) | 1
    slot = &sweep.memo.keys[(key >> 32) & (MEMO_SIZE - 1)]
    if slot[0] | 1 == key:
        return slot[0] & 1
    answer = walk(sweep, state, live)
    if answer != OPEN:
        slot[0] = key if answer == YES else key ^ 1
    return answer


cdef int after(Sweep* sweep, const State* state, int code, Cards live) noexcept nogil:
    """Answer after a card."""
    cdef State child = state[0]
    cdef bint ends = state.count == state.players - 1
    sweep.nodes += 1
    play_code(&child, code)
    if not ends:
        return walk(sweep, &child, live)
    if not sweep.seats >> child.leader & 1:
        return NO
    if child.tricks_left:
        return trick(sweep, &child)
    return not sweep.petit or child.petit_au_bout != 0


cdef int walk(Sweep* sweep, const State* state, Cards live) noexcept nogil:
    """Try every card: one of the camp's has to do, none of the others' may upset it.

    `live` are all cards of the trick's start. Of equivalent cards one is tried.
    """
    cdef uint8_t codes[24]
    cdef int count, place, answer
    cdef bint ours = sweep.seats >> state.to_move & 1, seen_open = False
    if sweep.nodes >= sweep.node_limit:
        return OPEN
    if state.led != NO_SUIT and state.tricks_left > 2 and sure_after(sweep, state):
        return YES
    count = list_cards(sweep, state, live, ours, codes)
    for place in range(count):
        answer = after(sweep, state, codes[place], live)
        if answer == OPEN:
            seen_open = True
        elif (answer == YES) == ours:
            return answer
    return OPEN if seen_open else NO if ours else YES


cdef int list_cards(
    const Sweep* sweep, const State* state, Cards live, bint ours, uint8_t* codes
) noexcept nogil:
    """List one of each run of cards without another hand's between them.

    Those that lead the trick so far come first: of the camp's own the highest leads and the
    lowest that win, of the others' the highest.
    """
    cdef Cards legal = legal_cards(state)
    cdef uint64_t suits = legal.suits, lane
    cdef uint32_t trumps = legal.trumps & <uint32_t>NUMBERED
    cdef int code, front = 0, rest = 0
    cdef uint8_t[24] losers
    cdef bint from_below = ours and state.count
    suits &= ~(((suits << 1) + (~live.suits & <uint64_t>LANES)) & live.suits & <uint64_t>LANES)
    trumps &= ~(
        (((trumps & ~<uint32_t>PETIT_BIT) << 1) + (~live.trumps & <uint32_t>NUMBERED))
        & live.trumps
    ) | PETIT_BIT
    while trumps:
        code = lowest32(trumps) if from_below else highest32(trumps)
        trumps ^= <uint32_t>1 << code
        code += 64
        if strength(code, state.led) > state.best or state.count == 0:
            codes[front] = code
            front += 1
        else:
            losers[rest] = code
            rest += 1
    while suits:
        lane = suits & LANE[lowest64(suits) >> 4]
        suits ^= lane
        while lane:
            code = lowest64(lane) if from_below else highest64(lane)
            lane ^= <uint64_t>1 << code
            if state.count == 0 or strength(code, state.led) > state.best:
                codes[front] = code
                front += 1
            else:
                losers[rest] = code
                rest += 1
    for code in range(rest):
        codes[front] = losers[code]
        front += 1
    if legal.trumps & EXCUSE_BIT:
        codes[front] = CODE_EXCUSE
        front += 1
    return front


cdef int camp_bit(camp) except -1:
    """Return a camp by its name, as in `State.won`."""
    return ATTACK if one_of("camp", camp, CAMPS) == "attack" else DEFENCE


def can_sweep(position, camp, node_limit, petit_au_bout=False):
    """Tell whether a camp can win every trick that is left, having lost none.

    Parameters
    ----------
    position : Position
        Any point of the play but its end; it is not changed.
    camp : {"attack", "defence"}
        Which camp.
    node_limit : int
        Cards played in the search at most, up to `MOST_SWEEP_NODES`.
    petit_au_bout : bool
        Whether it is to win the Petit au bout too.

    Returns
    -------
    answer : bool or None
        None where the limit ended the search.
    nodes : int
        Cards played.

    Raises
    ------
    OptionError
        If an argument is not one of those above.
    PositionError
        If the position is over.
    """
    cdef Position start
    cdef Sweep sweep
    cdef Memo memo
    cdef uint64_t limit = whole_number("node_limit", node_limit, 0, MOST_SWEEP_NODES)
    cdef bint petit = petit_au_bout
    cdef int answer, seats = camp_bit(camp)
    if not isinstance(position, Position):
        raise OptionError(f"position: {shown(position)} is no Position")
    start = position.copy()
    if not start.state.tricks_left:
        raise PositionError("position: every card has been played")
    with nogil:
        answer = sweep_search(&sweep, &memo, &start.state, seats, petit, limit)
    return None if answer == OPEN else answer == YES, sweep.nodes
