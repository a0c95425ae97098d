"""What can be counted of worlds without play, by the array.

A world is a row of 78 bytes: the seat that each card was dealt to, or the number of
players for the dog.
"""

from libc.stdint cimport int16_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from tarot_sim._bits cimport highest64, popcount32, popcount64
from tarot_sim.solver._bounds cimport suit_points, unbeaten
from tarot_sim._cards cimport (
    ATOUT_21_BIT,
    CAVALIERS,
    Cards,
    DAMES,
    EXCUSE_BIT,
    LANE,
    NUMBERED,
    PETIT_BIT,
    ROIS,
    VALETS,
    add_code,
    code_of_card,
)

import numpy as np

from tarot_sim.errors import PositionError

#: Names of the columns of `world_features`.
FEATURES = (
    "dog_trumps",
    "dog_bouts",
    "dog_half_points",
    "dog_rois",
    "trumps",
    "highest_trumps",
    "longest_defender",
    "second_longest",
    "defence_unbeaten",
    "attack_unbeaten",
    "petit_hunted",
    "defence_half_points",
    "masters",
    "rois_ruffed",
    "losers",
    "tenaces",
)
cdef enum:
    HIGH_TRUMPS = 0x3F0000  # 16…21
    N_FEATURES = 16


cdef inline void read_world(const uint8_t* owner, int players, Cards* places) noexcept nogil:
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


cdef void count_features(
    const Cards* places, int players, int taker, uint8_t attack, bint takes_dog, int16_t* out
) noexcept nogil:
    cdef Cards own = places[taker], dog = places[players], camp
    cdef uint32_t defence = 0, line
    cdef uint64_t lane, theirs, winners, all_suits = 0
    cdef int seat, suit, longest = 0, second = 0, count, best = 0, top, shortest, petit = 0
    cdef int masters = 0, ruffed = 0, losers = 0, points = 0, tenaces = 0, length
    if takes_dog:
        own.suits |= dog.suits
        own.trumps |= dog.trumps
    camp = own
    for seat in range(players):
        if attack >> seat & 1:
            camp.suits |= places[seat].suits
            camp.trumps |= places[seat].trumps
            continue
        defence |= places[seat].trumps & <uint32_t>NUMBERED
        all_suits |= places[seat].suits
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
    for seat in range(players):
        if attack >> seat & 1:
            continue
        count = unbeaten(
            places[seat].trumps & <uint32_t>NUMBERED, camp.trumps & <uint32_t>NUMBERED, &line
        )
        if count > best:
            best = count
    for suit in range(4):
        lane = own.suits & LANE[suit]
        if not lane:
            continue
        theirs = all_suits & LANE[suit]
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
    out[0] = popcount32(dog.trumps & <uint32_t>NUMBERED)
    out[1] = popcount32(dog.trumps & <uint32_t>(EXCUSE_BIT | PETIT_BIT | ATOUT_21_BIT))
    out[2] = half_points(dog)
    out[3] = popcount64(dog.suits & ROIS)
    out[4] = popcount32(camp.trumps & <uint32_t>NUMBERED)
    out[5] = popcount32(camp.trumps & <uint32_t>HIGH_TRUMPS)
    out[6] = longest
    out[7] = second
    out[8] = best
    out[9] = unbeaten(own.trumps & <uint32_t>NUMBERED, defence, &line)
    out[10] = petit
    out[11] = points
    out[12] = masters
    out[13] = ruffed
    out[14] = losers
    out[15] = tenaces


def world_features(worlds, int taker, attack, int players, bint takes_dog):
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
        int16 (n, 16), the columns of `FEATURES`.
    """
    check_worlds(worlds, players)
    if attack.dtype != np.uint8 or attack.shape != (len(worlds),):
        raise PositionError(f"attack: expected an array of uint8, shape ({len(worlds)},)")
    cdef const uint8_t[:, ::1] owner = np.ascontiguousarray(worlds)
    cdef const uint8_t[::1] camp = np.ascontiguousarray(attack)
    cdef Py_ssize_t row, rows = owner.shape[0]
    if not 0 <= taker < players:
        raise PositionError(f"taker: {taker} is not a seat of 0…{players - 1}")
    features = np.empty((rows, N_FEATURES), np.int16)
    cdef int16_t[:, ::1] out = features
    cdef Cards[6] places
    with nogil:
        for row in range(rows):
            read_world(&owner[row, 0], players, places)
            count_features(places, players, taker, camp[row], takes_dog, &out[row, 0])
    return features


cdef inline void count_chavey(Cards hand, int16_t* out) noexcept nogil:
    """Count as `tarot_sim.rules.auction.chavey_count`: all but short suits, then all."""
    cdef int trumps = popcount32(hand.trumps), total = 0, short_suits = 0, suit, length
    cdef uint32_t high = hand.trumps & <uint32_t>HIGH_TRUMPS
    cdef uint64_t lane
    if hand.trumps & ATOUT_21_BIT:
        total += 10
    if hand.trumps & EXCUSE_BIT:
        total += 8
    if hand.trumps & PETIT_BIT and trumps >= 5:
        total += 5 if trumps == 5 else 7 if trumps == 6 else 9
    if trumps > 4:
        total += 2 * trumps
    total += 2 * popcount32(high) + popcount32(high & (high << 1 | high >> 1))
    for suit in range(4):
        lane = hand.suits & LANE[suit]
        length = popcount64(lane)
        if lane & ROIS:
            total += 10 if lane & DAMES else 6
        elif lane & DAMES:
            total += 3
        total += 2 * (lane & CAVALIERS != 0) + (lane & VALETS != 0)
        if length >= 5:
            total += 5 if length == 5 else 7 if length == 6 else 9
        if length < 2:
            short_suits += 6 - 3 * length
    out[0] = total
    out[1] = total + short_suits


def chavey_counts(worlds, int players):
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
    check_worlds(worlds, players)
    cdef const uint8_t[:, ::1] owner = np.ascontiguousarray(worlds)
    cdef Py_ssize_t row, rows = owner.shape[0]
    cdef int seat
    counts = np.empty((rows, players, 2), np.int16)
    cdef int16_t[:, :, ::1] out = counts
    cdef Cards[6] places
    with nogil:
        for row in range(rows):
            read_world(&owner[row, 0], players, places)
            for seat in range(players):
                count_chavey(places[seat], &out[row, seat, 0])
    return counts


cdef int check_worlds(worlds, int players) except -1:
    if worlds.dtype != np.uint8 or worlds.ndim != 2 or worlds.shape[1] != 78:
        raise PositionError("worlds: expected an array of uint8, shape (n, 78)")
    if not 3 <= players <= 5:
        raise PositionError(f"players: {players} is not 3, 4 or 5")
    if worlds.shape[0] and int(worlds.max()) > players:
        raise PositionError(f"worlds: {worlds.max()} is no place at {players} players")
    return 0
