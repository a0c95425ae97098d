"""The yardstick for the double-dummy search: an alpha-beta short enough to be read.

It has the rules in common with that search and nothing else: no bound, relevance,
tolerance, order or equivalence of cards, no relative rank, and a table of whole positions.
"""

from libc.stdint cimport int16_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcmp, memset

from tarot_sim._bits cimport highest32, highest64, popcount32
from tarot_sim._cards cimport Cards, MOST_PLAYERS, code_of_card
from tarot_sim._core cimport Position
from tarot_sim._signals cimport check_signals
from tarot_sim._rules cimport State, chelem_of, legal_cards, play_code
from tarot_sim.solver._search cimport ObjectiveNumbers, UNBOUNDED
from tarot_sim.solver._solver cimport Objective

cdef enum:
    MOST_PLACE_BITS = 20  # of a place in the table
    NODES_AT_A_TIME = 100000  # some 10 ms between looks for signals
    STOPPED = -32000  # beyond every value

# A position before the first card of a trick. The cards that are gone follow from those
# that are held, the attack and the options are the same in a whole search, and a ban on
# the first lead is the root's alone, which no other position has as many cards as.
cdef struct Key:
    uint64_t suits[MOST_PLAYERS]
    uint32_t trumps[MOST_PLAYERS]
    uint8_t leader
    uint8_t bouts
    uint8_t won
    uint8_t owed  # `debt`, and `petit_before_last` two bits higher

# Bounds of what the attack still gains. Its points so far are no part of the key, since
# they are added to the value of each line as they are; its bouts are, as the need is that
# of all of them together.
cdef struct Entry:
    Key key  # no cards where the place is free
    int16_t lower
    int16_t upper

cdef struct Plain:
    ObjectiveNumbers objective
    Entry* entries
    uint64_t mask
    uint64_t nodes


cdef int finished(const Plain* plain, const State* state) noexcept nogil:
    return (
        state.attack_points
        - plain.objective.need[popcount32(state.bouts)]
        + plain.objective.extra[state.petit_au_bout + 1][chelem_of(state) + 1]
    )


cdef Entry* lookup(const Plain* plain, const State* state) noexcept nogil:
    """Return the place of a position in the table, made its own if it was another's."""
    cdef Key key
    cdef Entry* entry
    cdef uint64_t hash = 0
    cdef int seat
    memset(&key, 0, sizeof(Key))
    for seat in range(state.players):
        key.suits[seat] = state.hands[seat].suits
        key.trumps[seat] = state.hands[seat].trumps
        hash = (hash ^ key.suits[seat]) * <uint64_t>0x9E3779B97F4A7C15
        hash = (hash ^ hash >> 29 ^ key.trumps[seat]) * <uint64_t>0xBF58476D1CE4E5B9
        hash ^= hash >> 32
    key.leader = state.leader
    key.bouts = state.bouts
    key.won = state.won
    key.owed = state.debt | state.petit_before_last << 2
    hash ^= key.leader | key.bouts << 3 | key.won << 6 | key.owed << 8
    hash *= <uint64_t>0x94D049BB133111EB
    entry = &plain.entries[hash >> 32 & plain.mask]
    if memcmp(&entry.key, &key, sizeof(Key)) != 0:
        entry.key = key
        entry.lower = -UNBOUNDED
        entry.upper = UNBOUNDED
    return entry


cdef int search(Plain* plain, const State* state, int beta) except? STOPPED nogil:
    """Return a lower bound of the value that is at least `beta`, or an upper one below."""
    cdef State child
    cdef Cards legal
    cdef Entry* entry
    cdef int value, best, code
    cdef bint attacks = state.attack >> state.to_move & 1
    # In the last trick nobody has a choice.
    cdef bint tabled = state.count == 0 and state.tricks_left > 1
    plain.nodes += 1
    if plain.nodes % NODES_AT_A_TIME == 0:
        check_signals()
    if state.tricks_left == 0:
        return finished(plain, state)
    if tabled:
        entry = lookup(plain, state)
        if entry.lower + state.attack_points >= beta:
            return entry.lower + state.attack_points
        if entry.upper + state.attack_points < beta:
            return entry.upper + state.attack_points
    best = -UNBOUNDED if attacks else UNBOUNDED
    legal = legal_cards(state)
    while (legal.suits or legal.trumps) and (best < beta) == attacks:
        if legal.suits:
            code = highest64(legal.suits)
            legal.suits ^= <uint64_t>1 << code
        else:
            code = highest32(legal.trumps)
            legal.trumps ^= <uint32_t>1 << code
            code += 64
        child = state[0]
        play_code(&child, code)
        value = search(plain, &child, beta)
        if (value > best) == attacks:
            best = value
    if tabled:
        # The positions below may have taken the place meanwhile.
        entry = lookup(plain, state)
        if best >= beta:
            entry.lower = best - state.attack_points
        else:
            entry.upper = best - state.attack_points
    return best


cdef int exact(Plain* plain, const State* state, int guess) except? STOPPED nogil:
    """Return the value, by windows that follow what the last one has found."""
    cdef int lower = -UNBOUNDED, upper = UNBOUNDED, beta, value = guess
    while lower < upper:
        beta = value + 1 if value == lower else value
        value = search(plain, state, beta)
        if value >= beta:
            lower = value
        else:
            upper = value
    return value


cdef int opened(Plain* plain, const State* state, Objective objective) except -1:
    cdef int cards = state.players * state.tricks_left
    plain.nodes = 0
    plain.objective = objective.numbers
    plain.mask = (<uint64_t>1 << min(MOST_PLACE_BITS, 3 + cards // 2)) - 1
    plain.entries = <Entry*>calloc(plain.mask + 1, sizeof(Entry))
    if plain.entries == NULL:
        raise MemoryError
    return 0


def plain_value(Position position not None, Objective objective not None):
    """Return the value of a position by a slow search, for checking the solver.

    Parameters
    ----------
    position : Position
        Any point of the play. Ten cards a hand take seconds.
    objective : Objective
        What the attack maximises.

    Returns
    -------
    int
        In half points.

    Raises
    ------
    MemoryError
        If there is no room for the table, at most 72 MiB.

    Examples
    --------
    >>> from tarot_sim import Hand
    >>> from tarot_sim._core import Position
    >>> from tarot_sim.solver._solver import Objective
    >>> position = Position(
    ...     [Hand("A21 PR"), Hand("PD P2"), Hand("A3 CR"), Hand("P1 C2")],
    ...     attack=[0], leader=0, won=(True, True))
    >>> plain_value(position, Objective())
    38
    >>> plain_card_values(position, Objective())
    {Card('PR'): 20, Card('A21'): 38}
    """
    cdef Plain plain
    cdef State state = position.state  # its own copy: another thread may play on
    cdef int value
    opened(&plain, &state, objective)
    try:
        with nogil:
            value = exact(&plain, &state, state.attack_points)
    finally:
        free(plain.entries)
    return value


def plain_card_values(Position position not None, Objective objective not None):
    """Return the value of every legal card, each searched for itself; see `plain_value`.

    Parameters
    ----------
    position : Position
        Any point of the play.
    objective : Objective
        What the attack maximises.

    Returns
    -------
    dict of Card to int
        In half points.
    """
    cdef Plain plain
    cdef State child, state
    cdef int value
    values = {}
    position = position.copy()  # its own: another thread may play on
    state = position.state
    value = state.attack_points
    opened(&plain, &state, objective)
    try:
        for card in position.legal_cards():
            child = state
            play_code(&child, code_of_card(card))
            with nogil:
                value = exact(&plain, &child, value)
            values[card] = value
    finally:
        free(plain.entries)
    return values
