"""Worlds that fit what was said, where hardly any uniform one does.

A world walks: again and again two hidden cards of different places may change them, by the
rule of Metropolis (N. Metropolis et al., J. Chem. Phys. 21 (1953)), so that in the long run a
world is met as often as its hands are likely to have bid so. The walk goes through stages,
each more demanding than the one before (S. Kirkpatrick, C. Gelatt and M. Vecchi, Optimization
by simulated annealing, Science 220 (1983)), and stays for long in the last, whose law it takes.
"""

from libc.stdint cimport int16_t, int32_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from tarot_sim._cards cimport Cards, PETIT_BIT, add_code, card_of_code, code_of_card
from tarot_sim._draws cimport Draws, below, lock_of, open_draws
from tarot_sim._signals cimport check_signals
from tarot_sim.worlds._chavey cimport count_chavey

import numpy as np

from tarot_sim.arguments import own_array, seat_number, some, whole_number
from tarot_sim.errors import OptionError

cdef enum:
    N_TOTALS = 192
    N_SHORT = 9
    N_FITS = N_TOTALS * N_SHORT
    MOST_STEPS = 1 << 30
    STEPS_AT_A_TIME = 200000  # some 20 ms between looks for signals
#: What a table of fits is looked up with: Chavey's count without short suits, 177 at most (bouts
#: 27, other items of trumps 62, each suit 22), and a third of that of short suits, 8 at most.
TOTALS = N_TOTALS
SHORT_SUITS = N_SHORT

cdef struct Walk:
    # Slots are what the hidden cards lie in. Those of one place follow each other; the places
    # that have been heard come first.
    int slots
    int heard_slots
    int places
    int heard             # places that have been heard
    int place_of[78]      # by slot
    uint8_t codes[78]     # by slot: the card in it
    int first[6]          # by place: its first slot
    int size[6]
    int owner[6]          # by place: the seat, or the number of players for the dog
    bint dealt[6]         # by place: whether it is a hand, which may be no Petit sec
    Cards hands[6]
    double fits[6]


cdef inline void replace(Cards* cards, int out, int into) noexcept nogil:
    if out < 64:
        cards.suits ^= <uint64_t>1 << out
    else:
        cards.trumps ^= <uint32_t>1 << (out - 64)
    add_code(cards, into)


cdef inline double fit_of(Cards hand, const double* table) noexcept nogil:
    """Look up how likely a hand is to have bid so."""
    cdef int16_t[2] counts
    count_chavey(hand, counts)
    return table[counts[0] * N_SHORT + (counts[1] - counts[0]) // 3]


cdef void take_steps(
    Walk* walk, const double* tables, int steps, bint no_petit_sec, Draws* draws
) noexcept nogil:
    """Walk on in one stage; `tables` has a part for each place that has been heard."""
    cdef int place, _step, a, b, one, two, x, y
    cdef Cards left, right
    cdef double fit_left, fit_right, before
    for place in range(walk.heard):
        walk.fits[place] = fit_of(walk.hands[place], tables + place * N_FITS)
    for _step in range(steps):
        # How likely two slots are drawn depends on the slots alone, so that an exchange is
        # proposed as often as its reverse.
        a = below(draws, walk.heard_slots)
        one = walk.place_of[a]
        b = below(draws, walk.slots - walk.size[one])
        if b >= walk.first[one]:
            b += walk.size[one]
        two = walk.place_of[b]
        x, y = walk.codes[a], walk.codes[b]
        left, right = walk.hands[one], walk.hands[two]
        replace(&left, x, y)
        replace(&right, y, x)
        if no_petit_sec and (
            left.trumps == PETIT_BIT or walk.dealt[two] and right.trumps == PETIT_BIT
        ):
            continue
        before = walk.fits[one]
        fit_left = fit_of(left, tables + one * N_FITS)
        fit_right = 1
        if two < walk.heard:
            before *= walk.fits[two]
            fit_right = fit_of(right, tables + two * N_FITS)
        if draws.generator.next_double(draws.generator.state) * before > fit_left * fit_right:
            continue
        walk.hands[one], walk.hands[two] = left, right
        walk.codes[a], walk.codes[b] = y, x
        walk.fits[one] = fit_left
        walk.fits[two] = fit_right


cdef void enter(Walk* walk, const uint8_t* owner) noexcept nogil:
    """Put a world's hidden cards into their slots."""
    cdef int place, card, slot = 0
    memset(walk.hands, 0, sizeof(walk.hands))
    for place in range(walk.places):
        for card in range(78):
            if owner[card] == walk.owner[place]:
                walk.codes[slot] = code_of_card(card)
                add_code(&walk.hands[place], walk.codes[slot])
                slot += 1


def anneal_worlds(
    worlds, seat, players, heard, fits, steps, bit_generator, bint petit_sec, dog=None
):
    """Exchange hidden cards of each world until its hands are as likely to have bid so.

    Parameters
    ----------
    worlds : numpy.ndarray
        uint8 (n, 78): where the walks begin, one a world.
    seat : int
        The seat whose cards are in view.
    players : int
        Players at the table.
    heard : sequence of int
        Other seats, those that have said something.
    fits : numpy.ndarray
        float64 (stages, len(heard), TOTALS, SHORT_SUITS): how likely each of them is to say
        what they have said, by their Chavey's count without short suits and by a third of
        what these count.
    steps : sequence of int
        How many exchanges are proposed in each stage.
    bit_generator : numpy.random.BitGenerator
        Where the random bits come from.
    petit_sec : bool
        Whether a hand may be a Petit sec.
    dog : Hand, optional
        The dog, where it is in view; in all worlds the same.

    Returns
    -------
    tuple of numpy.ndarray
        uint8 (n, 78): the worlds; float64 (n,): how likely all that was said is in each.
    """
    cdef int table = whole_number("players", players, 3, 5)
    cdef int own = seat_number("seat", seat, table)
    order = [seat_number("heard", given, table) for given in some("heard", heard)]
    if not order or own in order or len({*order}) < len(order):
        raise OptionError(f"heard: {order} are not other seats")
    stage_steps = [whole_number("steps", number, 0, MOST_STEPS) for number in some("steps", steps)]
    moved = own_array("worlds", worlds, np.uint8, (None, 78))
    shape = (len(stage_steps), len(order), N_TOTALS, N_SHORT)
    cdef const double[:, :, :, ::1] tables = own_array("fits", fits, np.float64, shape)
    cdef int stage, stages = len(stage_steps), place, slot, other, left, part
    cdef Walk walk
    memset(&walk, 0, sizeof(walk))
    walk.heard = len(order)
    order += [other for other in range(table) if other != own and other not in order]
    if dog is None:
        order.append(table)
    if moved.shape[0]:
        held = (moved[:, :, None] == np.arange(table + 1, dtype=np.uint8)).sum(axis=1)
        sizes = [int(held[0][other]) for other in order]
        # Those that are heard have cards, and others have some to change them for.
        if (
            (held != held[0]).any() or held[0].sum() != 78
            or not all(sizes[:walk.heard]) or max(sizes[:walk.heard]) == sum(sizes)
        ):
            raise OptionError("worlds: not all of the same table")
    cdef Draws draws
    open_draws(&draws, bit_generator)
    likelihoods = np.empty(len(moved))
    cdef uint8_t[:, ::1] owner = moved
    cdef double[::1] likelihood = likelihoods
    cdef const int32_t[::1] counts = np.array(stage_steps, np.int32)
    cdef uint64_t unchecked = 0
    cdef Py_ssize_t row, rows = owner.shape[0]
    if not rows:
        return moved, likelihoods
    walk.places = len(order)
    for place, other in enumerate(order):
        walk.owner[place] = other
        walk.dealt[place] = other < table
        walk.first[place] = walk.slots
        walk.size[place] = held[0][other]
        for slot in range(walk.slots, walk.slots + walk.size[place]):
            walk.place_of[slot] = place
        walk.slots += walk.size[place]
        if place < walk.heard:
            walk.heard_slots = walk.slots
    with lock_of(bit_generator), nogil:
        for row in range(rows):
            enter(&walk, &owner[row, 0])
            for stage in range(stages):
                left = counts[stage]
                while True:
                    part = min(left, STEPS_AT_A_TIME)
                    take_steps(&walk, &tables[stage, 0, 0, 0], part, not petit_sec, &draws)
                    unchecked += part
                    if unchecked >= STEPS_AT_A_TIME:
                        unchecked = 0
                        check_signals()
                    left -= part
                    if not left:
                        break
            likelihood[row] = 1
            for place in range(walk.heard):
                likelihood[row] *= walk.fits[place]
            for slot in range(walk.slots):
                owner[row, card_of_code(walk.codes[slot])] = walk.owner[walk.place_of[slot]]
    return moved, likelihoods
