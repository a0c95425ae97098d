"""What a proof about a position relies on, in its most general form.

A *line* lies just below a card: the proof relies on how many cards of that suit, from
that one up, each hand has, cards of the trick on the table included. Between two lines
the order of the cards plays no part. So a proof holds of every position that differs
only in the order of the cards within such blocks: in each block, match each hand's cards
in order of rank.

Why this is enough, if lines are drawn by these rules:

* A trick's winner, where other cards of its suit fell: a line just below it. The others
  lie in lower blocks, so the same hand wins, whatever the order in the blocks. (A line
  further down, between it and the next card, would not do: see the runs below.)
* The highest trump on the table is always in the same block. A player who may play what
  lies above it may so in the other position as well if there is a line between; see
  `require_legal` and `require_forbidden`.
* One card stands for a run of equivalent ones, the lowest. Playing a higher one leaves
  the same position with the run's other cards one place lower: lines inside of a run
  whose other cards were not tried are copied one card down.
* A move need not be tried where it leads to a position of which the proof of another
  move's failure holds: a card of the same block, of the same value. (Of another value:
  see `dominated`.)

Suits and trumps are words of bits as in `Cards`; trumps are named by their number.
"""

from libc.stdint cimport uint32_t, uint64_t

from tarot_sim._bits cimport highest32, highest64, lowest32, lowest64
from tarot_sim._cards cimport (
    ATOUT_21_BIT,
    EXCUSE_BIT,
    HALF_POINTS,
    HONOURS,
    LANE,
    NO_SUIT,
    PETIT_BIT,
    PIPS,
)
from tarot_sim.solver._order cimport Moves
from tarot_sim._rules cimport State, strength

cdef struct Proof:
    uint64_t suits       # lines, each as the bit of the card that it lies below
    uint32_t trumps


cdef inline uint32_t trumps_between(int low, int high) noexcept nogil:
    """Return the bits of the trumps above `low`, `high` included."""
    return (<uint32_t>2 << high) - (<uint32_t>2 << low)


cdef inline void require_winner(Proof* proof, const State* state, int code) noexcept nogil:
    """Add what makes the winner of the trick that `code` completes win it."""
    cdef int rank = strength(code, state.led), top = state.best, second = rank, place, other
    if rank > top:
        top = rank
        second = 0
    for place in range(state.count):
        other = strength(state.trick[place], state.led)
        if second < other < top:
            second = other
    if top > 64:
        if second > 64:
            proof.trumps |= <uint32_t>1 << (top - 64)
    elif second:
        proof.suits |= <uint64_t>1 << (state.led * 16 + top - 1)


cdef inline void require_legal(
    Proof* proof, const State* state, uint32_t trumps, int code
) noexcept nogil:
    """Add what makes `code` legal, a trump that settles the node of a player who must trump.

    `trumps` are all that they have, without the Excuse.
    """
    if trumps & (trumps - 1):
        # They go over those on the table; or they cannot: all of theirs lie below the highest.
        proof.trumps |= <uint32_t>1 << max(<int>state.high, code - 64)


cdef inline void require_forbidden(
    Proof* proof, const State* state, uint32_t trumps
) noexcept nogil:
    """Add what forbids the trumps that were not tried, as too low.

    They lie below the highest on the table, and one that the player has lies above. Where
    they can only go under, or only over, no other trump is legal anywhere.
    """
    cdef uint32_t above = trumps >> (state.high + 1) << (state.high + 1)
    if above == 0 or above == trumps:
        return
    proof.trumps |= <uint32_t>1 << state.high
    if not proof.trumps & trumps_between(lowest32(above) - 1, highest32(above)):
        proof.trumps |= above & -above


cdef inline uint64_t copy_down(
    uint64_t lines, uint64_t own, uint64_t live, int lowest, uint64_t above
) noexcept nogil:
    """Copy the lines inside the run of cards of which `lowest` is the lowest.

    `above` are the cards above it that could be of its run, suit and value given.
    """
    cdef uint64_t run, foreign, inside
    if not lines & above:
        return lines
    run = own & above
    foreign = live & ~own & above
    if foreign:
        run &= (foreign & -foreign) - 1
    inside = lines & run
    run |= <uint64_t>1 << lowest
    while inside:
        lines |= <uint64_t>1 << highest64(run & ((inside & -inside) - 1))
        inside &= inside - 1
    return lines


cdef inline uint64_t copy_down_suit(
    uint64_t lines, uint64_t own, uint64_t live, int code
) noexcept nogil:
    """Copy the lines inside the run of a suit card, the lowest of it."""
    if code & 15 > 9:
        return lines
    return copy_down(
        lines, own, live, code, LANE[code >> 4] & PIPS & ~((<uint64_t>2 << code) - 1)
    )


cdef inline uint32_t copy_down_trumps(
    uint32_t lines, uint32_t own, uint32_t live, int rank
) noexcept nogil:
    """Copy the lines inside the run of a trump, the lowest of it."""
    return copy_down(lines, own, live, rank, trumps_between(rank, 20))


cdef inline uint64_t block_of(uint64_t lines, uint64_t own, int place) noexcept nogil:
    """Return a suit's own cards between the lines below and above `place`."""
    cdef uint64_t above = lines & ~((<uint64_t>2 << place) - 1), below = lines ^ above
    if below:
        own &= ~((<uint64_t>1 << highest64(below)) - 1)
    if above:
        own &= (above & -above) - 1
    return own


cdef inline uint64_t without_split_run(
    uint64_t block, uint64_t lines, uint64_t own, uint64_t live, int place
) noexcept nogil:
    """Leave out of a block the run that reaches over the line above it.

    One of them stands for the run, but not all of it lies in the block. `own` and `live`
    are cards of that suit that can be in runs.
    """
    cdef uint64_t above = lines & ~((<uint64_t>2 << place) - 1), lower
    above &= -above
    while own & above:
        lower = live & (above - 1)
        if not lower:
            break
        above = <uint64_t>1 << highest64(lower)
        block &= ~above
    return block


cdef inline uint32_t same_trumps(
    uint32_t lines, uint32_t own, uint32_t live, int rank
) noexcept nogil:
    """Return own trumps in the block of the one of `rank`, those of one value and whole runs."""
    own &= ~<uint32_t>(PETIT_BIT | ATOUT_21_BIT | EXCUSE_BIT)
    return without_split_run(block_of(lines, own, rank), lines, own, live, rank)


cdef inline uint64_t dominated(
    uint64_t lines,
    const State* state,
    const State* child,
    const Moves* moves,
    int code,
    uint64_t own,
    uint64_t live,
    int* slack,
) noexcept nogil:
    """Return the cards that fail because `code` did, given the `lines` of that proof.

    In the block of `code` another card differs by its value only: the two cards change
    places, and that difference moves once more at the most. So the other card fails too
    where `code` failed by as much at least, which is the `slack` on entry; it is set to
    what the cards returned need of it. They need nothing where it is certain which camp
    wins the trick: a card worth more is no better for a player whose opponents win it, nor
    one worth less for a player whose camp does.
    """
    cdef uint64_t lane = LANE[code >> 4], block, cards = 0, near
    cdef int spare = slack[0], other, apart
    cdef bint pip = code & 15 < 10
    cdef int camp = state.attack >> state.to_move & 1
    cdef bint mine = (state.attack >> state.winner & 1) == camp
    cdef bint ours = False, theirs = False
    if state.count == state.players - 1:
        ours = (state.attack >> child.leader & 1) == camp
        theirs = not ours
    elif state.led != NO_SUIT:
        ours = mine and state.best > moves.opponents
        theirs = (
            not mine and strength(code, state.led) <= state.best and state.best > moves.partners
        )
    slack[0] = 0
    if not (pip or ours or theirs or spare >= 2):
        return 0
    lines &= lane
    own &= lane
    live &= lane
    block = block_of(lines, own, code)
    apart = HALF_POINTS[code] - 1
    if pip or ours or apart <= spare:
        cards = without_split_run(block & PIPS, lines, own & PIPS, live, code)
        if cards and not ours:
            slack[0] = apart
    if ours and not pip:
        cards |= block & HONOURS & ((<uint64_t>1 << code) - 1)
    if theirs:
        cards |= block & HONOURS & ~((<uint64_t>2 << code) - 1)
    if spare >= 2:
        near = block & HONOURS & ~cards & ~(<uint64_t>1 << code)
        while near:
            other = lowest64(near)
            near &= near - 1
            apart = abs(<int>HALF_POINTS[other] - <int>HALF_POINTS[code])
            if apart <= spare:
                cards |= <uint64_t>1 << other
                if apart > slack[0]:
                    slack[0] = apart
    return cards
