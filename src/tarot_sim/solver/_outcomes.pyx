"""What may still become of a deal: who wins every trick, the Petit au bout, the margins.

Nothing is searched: the cards that are left and the tricks that were won tell what is out of
the question. With it a score can be bounded where no more than the margin is.
"""

from libc.stdint cimport uint8_t

from tarot_sim._bits cimport popcount32
from tarot_sim._cards cimport (
    ATOUT_21_BIT,
    BOUT_21,
    BOUT_EXCUSE,
    BOUT_PETIT,
    Cards,
    EXCUSE_BIT,
    PETIT_BIT,
)
from tarot_sim._core cimport Position
from tarot_sim._rules cimport (
    ATTACK,
    DEFENCE,
    EXCUSE_NET,
    KEEP_EXCUSE,
    State,
    cards_in_play,
)

from tarot_sim.errors import OptionError
from tarot_sim.notation import shown
from tarot_sim.rules import NEED


cdef struct Pile:
    # What the attack has at the end.
    int half_points
    uint8_t bouts


cdef inline Pile pile(int half_points, int bouts) noexcept nogil:
    cdef Pile result
    result.half_points = half_points
    result.bouts = bouts
    return result


cdef void piles(const State* state, int chelem, Pile* least, Pile* most) noexcept nogil:
    """Bound what the attack has at the end if `chelem` becomes of the deal.

    A camp without a trick loses an Excuse that it had kept, unless the options let it have
    that; under them an Excuse that is still to be played may change its camp. Whoever wins a
    trick wins a half point for each of its cards at the least, also where an Excuse of
    the other camp is in it and goes back.
    """
    cdef Cards live = cards_in_play(state)
    cdef int all_points = state.attack_points + state.table_points + state.live_points
    cdef int all_bouts = state.bouts
    cdef bint loses = state.debt and not state.options & KEEP_EXCUSE
    cdef bint unsettled = live.trumps & EXCUSE_BIT and state.options
    if live.trumps & PETIT_BIT:
        all_bouts |= BOUT_PETIT
    if live.trumps & ATOUT_21_BIT:
        all_bouts |= BOUT_21
    if live.trumps & EXCUSE_BIT:
        all_bouts |= BOUT_EXCUSE
    if chelem > 0:
        if loses and state.debt == DEFENCE:
            all_points += EXCUSE_NET
            all_bouts |= BOUT_EXCUSE
        most[0] = pile(all_points, all_bouts)
        least[0] = most[0]
        if unsettled:
            least[0] = pile(all_points - EXCUSE_NET, all_bouts & ~BOUT_EXCUSE)
    elif chelem < 0:
        least[0] = pile(state.attack_points, state.bouts)
        if loses and state.debt == ATTACK:
            least[0] = pile(state.attack_points - EXCUSE_NET, state.bouts & ~BOUT_EXCUSE)
        most[0] = least[0]
        if unsettled:
            most[0] = pile(least.half_points + EXCUSE_NET, least.bouts | BOUT_EXCUSE)
    else:
        least[0] = pile(state.attack_points, state.bouts)
        most[0] = pile(all_points, all_bouts)
        if not state.won & ATTACK:
            least.half_points += state.players
        if not state.won & DEFENCE:
            most.half_points -= state.players


def outcomes(position):
    """Return what may become of a deal, a row for each chelem and Petit au bout.

    Parameters
    ----------
    position : Position
        Any point of the play that is not its end.

    Returns
    -------
    list of tuple of int
        (chelem, petit_au_bout, least margin, most, least points, most): +1 the attack, −1 the
        defence, 0 neither; half points of the attack above its need, and half points. Whatever
        is played ends in one of the rows, within its bounds.

    Raises
    ------
    OptionError
        If that is no Position.
    """
    cdef State state
    cdef Pile least, most
    cdef int chelem, petit
    cdef bint last, petit_open
    cdef Cards live
    if not isinstance(position, Position):
        raise OptionError(f"position: {shown(position)} is no Position")
    state = (<Position>position).state
    live = cards_in_play(&state)
    last = state.tricks_left == 1
    petit_open = live.trumps & PETIT_BIT or (last and state.petit_before_last)
    rows = []
    for chelem in (-1, 0, 1):
        if chelem and state.won & (DEFENCE if chelem > 0 else ATTACK):
            continue
        if not chelem and last and not state.won:
            continue
        piles(&state, chelem, &least, &most)
        low = least.half_points - NEED[popcount32(least.bouts)]
        high = most.half_points - NEED[popcount32(most.bouts)]
        for petit in (-1, 0, 1):
            # Who wins every trick loses no Petit in the last.
            if petit and (not petit_open or petit == -chelem):
                continue
            if not petit and last and live.trumps & PETIT_BIT:
                continue
            rows.append((chelem, petit, low, high, least.half_points, most.half_points))
    return rows
