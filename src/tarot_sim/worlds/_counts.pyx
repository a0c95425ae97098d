"""What can be counted of worlds without play, by the array.

A world is a row of 78 bytes: the seat that each card was dealt to, or the number of
players for the dog.
"""

from libc.stdint cimport int16_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from tarot_sim._bits cimport highest64, popcount32, popcount64
from tarot_sim._signals cimport check_signals
from tarot_sim.solver._bounds cimport suit_points, unbeaten
from tarot_sim.worlds._chavey cimport HIGH_TRUMPS, count_chavey
from tarot_sim._cards cimport (
    ATOUT_21_BIT,
    Cards,
    DAMES,
    EXCUSE_BIT,
    LANE,
    NUMBERED,
    PETIT_BIT,
    ROIS,
    add_code,
    code_of_card,
)

import numpy as np

from tarot_sim.arguments import own_array, seat_number
from tarot_sim.errors import OptionError
from tarot_sim.rules import player_count


cdef packed struct Counts:
    # The same as `COUNTS_DTYPE`, for views of its arrays.
    int16_t dog_trumps
    int16_t dog_bouts
    int16_t dog_half_points
    int16_t dog_rois
    int16_t trumps
    int16_t highest_trumps
    int16_t longest_defender
    int16_t second_longest
    int16_t defence_unbeaten
    int16_t attack_unbeaten
    int16_t petit_hunted
    int16_t defence_half_points
    int16_t masters
    int16_t rois_ruffed
    int16_t losers
    int16_t tenaces


#: What `world_counts` counts of a world. Trumps are those with a number, without the Excuse:
#:
#: * of the dog ``dog_trumps``, ``dog_bouts``, ``dog_half_points``, ``dog_rois``;
#: * the attack's ``trumps``, and those from 16 up: ``highest_trumps``;
#: * trumps of the ``longest_defender`` and of the ``second_longest``; the most that one
#:   defender has above all of the attack's, ``defence_unbeaten``; those of the taker above all
#:   of the defence's, ``attack_unbeaten``;
#: * ``petit_hunted``: 8 less the trumps of the defender with the Petit, 0 if the attack has it;
#: * ``defence_half_points``, the half points in the defenders' hands;
#: * by suits of the taker, together: ``masters``, cards above all of the defence's; ``losers``,
#:   the others; ``rois_ruffed``, Rois whose suit a defender with trumps lacks; ``tenaces``,
#:   Dames without the Roi, which the defence has.
COUNTS_DTYPE = np.dtype(
    [
        ("dog_trumps", np.int16),
        ("dog_bouts", np.int16),
        ("dog_half_points", np.int16),
        ("dog_rois", np.int16),
        ("trumps", np.int16),
        ("highest_trumps", np.int16),
        ("longest_defender", np.int16),
        ("second_longest", np.int16),
        ("defence_unbeaten", np.int16),
        ("attack_unbeaten", np.int16),
        ("petit_hunted", np.int16),
        ("defence_half_points", np.int16),
        ("masters", np.int16),
        ("rois_ruffed", np.int16),
        ("losers", np.int16),
        ("tenaces", np.int16),
    ]
)


cdef inline void read_world(const uint8_t* owner, Cards* places) noexcept nogil:
    """Turn a row into sets of cards: one a seat, then the dog."""
    cdef int card
    memset(places, 0, 6 * sizeof(Cards))
    for card in range(78):
        add_code(&places[owner[card]], code_of_card(card))


cdef inline int half_points(Cards cards) noexcept nogil:
    return (
        suit_points(cards.suits)
        + popcount32(cards.trumps)
        + 8 * popcount32(cards.trumps & <uint32_t>(EXCUSE_BIT | PETIT_BIT | ATOUT_21_BIT))
    )


cdef inline void count_dog(Cards dog, Counts* counts) noexcept nogil:
    counts.dog_trumps = popcount32(dog.trumps & <uint32_t>NUMBERED)
    counts.dog_bouts = popcount32(
        dog.trumps & <uint32_t>(EXCUSE_BIT | PETIT_BIT | ATOUT_21_BIT)
    )
    counts.dog_half_points = half_points(dog)
    counts.dog_rois = popcount64(dog.suits & ROIS)


cdef inline void count_trumps(
    const Cards* places, int players, uint8_t attack, Cards own, Counts* counts
) noexcept nogil:
    """Count trumps and points of the camps; `own` is what the taker plays with."""
    cdef uint32_t camp = own.trumps, defence = 0, line
    cdef int seat, count, longest = 0, second = 0, petit = 0, points = 0, best = 0
    for seat in range(players):
        if attack >> seat & 1:
            camp |= places[seat].trumps
            continue
        defence |= places[seat].trumps & <uint32_t>NUMBERED
        points += half_points(places[seat])
        count = popcount32(places[seat].trumps & <uint32_t>NUMBERED)
        if count > longest:
            second = longest
            longest = count
        elif count > second:
            second = count
        if places[seat].trumps & PETIT_BIT:
            # The fewer trumps stand before it, the sooner it is caught.
            petit = 8 - count if count < 8 else 0
    camp &= <uint32_t>NUMBERED
    for seat in range(players):
        if attack >> seat & 1:
            continue
        count = unbeaten(places[seat].trumps & <uint32_t>NUMBERED, camp, &line)
        if count > best:
            best = count
    counts.trumps = popcount32(camp)
    counts.highest_trumps = popcount32(camp & <uint32_t>HIGH_TRUMPS)
    counts.longest_defender = longest
    counts.second_longest = second
    counts.defence_unbeaten = best
    counts.attack_unbeaten = unbeaten(own.trumps & <uint32_t>NUMBERED, defence, &line)
    counts.petit_hunted = petit
    counts.defence_half_points = points


cdef inline void count_suits(
    const Cards* places, int players, uint8_t attack, uint64_t own, Counts* counts
) noexcept nogil:
    """Count the taker's suits against those of the defence."""
    cdef uint64_t lane, theirs, winners, defence = 0
    cdef int seat, suit, count, length, shortest, top
    cdef int masters = 0, ruffed = 0, losers = 0, tenaces = 0
    for seat in range(players):
        if not attack >> seat & 1:
            defence |= places[seat].suits
    for suit in range(4):
        lane = own & LANE[suit]
        if not lane:
            continue
        theirs = defence & LANE[suit]
        top = highest64(theirs) + 1 if theirs else 0
        winners = lane >> top << top if top else lane
        count = popcount64(winners)
        length = popcount64(lane)
        masters += count
        losers += length - count
        shortest = 99
        for seat in range(players):
            if attack >> seat & 1 or not places[seat].trumps & <uint32_t>NUMBERED:
                continue
            count = popcount64(places[seat].suits & LANE[suit])
            if count < shortest:
                shortest = count
        if lane & ROIS and shortest == 0:
            ruffed += 1
        if theirs & ROIS and lane & DAMES:
            tenaces += 1
    counts.masters = masters
    counts.rois_ruffed = ruffed
    counts.losers = losers
    counts.tenaces = tenaces


cdef inline void count_world(
    const Cards* places, int players, int taker, uint8_t attack, bint takes_dog, Counts* counts
) noexcept nogil:
    cdef Cards own = places[taker]
    if takes_dog:
        own.suits |= places[players].suits
        own.trumps |= places[players].trumps
    count_dog(places[players], counts)
    count_trumps(places, players, attack, own, counts)
    count_suits(places, players, attack, own.suits, counts)


def world_counts(worlds, taker, attack, players, bint takes_dog):
    """Count what the success of a contract depends on, before any search.

    Parameters
    ----------
    worlds : numpy.ndarray
        uint8 (n, 78).
    taker : int
        The taker's seat.
    attack : numpy.ndarray
        uint8 (n,): the attack's seats, a bit each.
    players : int
        Players at the table.
    takes_dog : bool
        Whether the dog goes to the taker.

    Returns
    -------
    numpy.ndarray
        `COUNTS_DTYPE` (n,).

    Raises
    ------
    OptionError
        If an array is of another shape or type, or a number out of range.
    """
    cdef int table = player_count(players, OptionError), seat = seat_number("taker", taker, table)
    cdef const uint8_t[:, ::1] owner = own_worlds(worlds, table)
    cdef Py_ssize_t row, rows = owner.shape[0]
    cdef const uint8_t[::1] camp = own_array("attack", attack, np.uint8, (rows,))
    counts = np.empty(rows, COUNTS_DTYPE)
    cdef Counts[::1] out = counts
    cdef Cards[6] places
    with nogil:
        for row in range(rows):
            if row & 0xFFFF == 0xFFFF:  # some 20 ms
                check_signals()
            read_world(&owner[row, 0], places)
            count_world(places, table, seat, camp[row], takes_dog, &out[row])
    return counts


def chavey_counts(worlds, players):
    """Count every hand as dealt the way French players are taught to.

    Parameters
    ----------
    worlds : numpy.ndarray
        uint8 (n, 78).
    players : int
        Players at the table.

    Returns
    -------
    numpy.ndarray
        int16 (n, players, 2): `ChaveyCount.total` and `ChaveyCount.total_without_dog`.
    """
    cdef int seat, table = player_count(players, OptionError)
    cdef const uint8_t[:, ::1] owner = own_worlds(worlds, table)
    cdef Py_ssize_t row, rows = owner.shape[0]
    counts = np.empty((rows, table, 2), np.int16)
    cdef int16_t[:, :, ::1] out = counts
    cdef Cards[6] places
    with nogil:
        for row in range(rows):
            if row & 0xFFFF == 0xFFFF:  # some 20 ms
                check_signals()
            read_world(&owner[row, 0], places)
            for seat in range(table):
                count_chavey(places[seat], &out[row, seat, 0])
    return counts


cdef object own_worlds(worlds, int players):
    """Return a copy of worlds in which every card has a place."""
    owners = own_array("worlds", worlds, np.uint8, (None, 78))
    if owners.size and int(owners.max()) > players:
        raise OptionError(f"worlds: {owners.max()} is no place at {players} players")
    return owners
