"""The écart of the highest worth by given weights, by the array.

All weights are in half points. What an écart is worth is a sum over the suits, so the best one
is a knapsack over the four of them.
"""

from libc.stdint cimport int16_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from tarot_sim._bits cimport lowest32, lowest64, popcount32
from tarot_sim._cards cimport (
    ATOUT_21_BIT,
    Cards,
    EXCUSE_BIT,
    HALF_POINTS,
    PETIT_BIT,
    TRUMPS,
    add_code,
    card_of_code,
    code_of_card,
)
from tarot_sim._signals cimport check_signals

import numpy as np

from tarot_sim.arguments import integer, own_array
from tarot_sim.errors import BidError, OptionError
from tarot_sim.notation import shown


cdef packed struct Weights:
    # The same as `WEIGHTS_DTYPE`, for views of its arrays.
    double points
    double voids[3]
    double rois[3]
    double dame
    double called_void
    double per_suit[4]


#: What each weight is for: see `tarot_sim.worlds.discards.DiscardWeights`.
WEIGHTS_DTYPE = np.dtype(
    [
        ("points", np.float64),
        ("voids", np.float64, 3),
        ("rois", np.float64, 3),
        ("dame", np.float64),
        ("called_void", np.float64),
        ("per_suit", np.float64, 4),
    ]
)

cdef enum:
    MOST = 6  # cards of an écart
    ROI = 13
    DAME = 12
    VALET = 10
    PLAIN = 0x1FFF  # a suit without its Roi
    NO_CARD = 255  # nothing called

cdef inline int order_of_suit(uint32_t lane, bint protected, int* order) noexcept nogil:
    """List the cards of a suit but the Roi as they are discarded; return how many.

    The honours go first, then the pips from below; a Dame that a Roi protects goes last.
    """
    cdef int count = 0, bit
    for bit in range(DAME, VALET - 1, -1):
        if lane >> bit & 1 and not (bit == DAME and protected):
            order[count] = bit
            count += 1
    for bit in range(VALET):
        if lane >> bit & 1:
            order[count] = bit
            count += 1
    if protected and lane >> DAME & 1:
        order[count] = DAME
        count += 1
    return count


cdef int choices_of_suit(
    uint32_t lane, bint called, const Weights* weights, double per_card,
    double* worths, uint32_t* masks,
) noexcept nogil:
    """Find what discarding 0, 1, 2… cards of a suit is worth, and which; return the most.

    In the suit of a called Roi the partner's Roi protects as well as an own one.
    """
    cdef int order[13]
    cdef bint roi = lane >> ROI & 1, protected = roi or called
    cdef int count = order_of_suit(lane, protected, order), number, losers = count
    cdef double[3] shape
    cdef double points = 0
    for number in range(3):
        shape[number] = weights.rois[number] if protected else weights.voids[number]
    if protected and lane >> DAME & 1:
        losers -= 1  # the Dame beside a Roi is none
    worths[0] = shape[losers] if losers < 3 else 0
    masks[0] = 0
    for number in range(1, min(count, MOST) + 1):
        masks[number] = masks[number - 1] | <uint32_t>1 << order[number - 1]
        points += weights.points * HALF_POINTS[order[number - 1]] + per_card
        losers -= 1
        worths[number] = points
        if losers < 3:
            worths[number] += shape[losers if losers > 0 else 0]
        if losers < 0:
            worths[number] -= weights.dame
    if called and count <= MOST:  # then the own Roi is not there
        worths[count] -= weights.called_void + shape[0]
    return min(count, MOST)


cdef bint choose(
    const Cards* held, int size, int called_suit, const Weights* weights, Cards* discard
) noexcept nogil:
    """Choose the écart of the highest worth; return False if too few cards may be discarded."""
    cdef double worths[MOST + 1]
    cdef uint32_t masks[MOST + 1]
    cdef double best[5][MOST + 1]
    cdef uint64_t chosen[5][MOST + 1]
    cdef bint known[5][MOST + 1]
    cdef uint32_t trumps
    cdef int suit, so_far, extra, _extra, most, plain = 0
    cdef double worth
    discard.suits = 0
    discard.trumps = 0
    for suit in range(4):
        plain += popcount32(<uint32_t>(held.suits >> 16 * suit) & PLAIN)
        discard.suits |= held.suits & <uint64_t>PLAIN << 16 * suit
    if plain < size:
        # All plain cards, and the lowest trumps that are no bouts.
        trumps = held.trumps & ~<uint32_t>(EXCUSE_BIT | PETIT_BIT | ATOUT_21_BIT)
        if plain + popcount32(trumps) < size:
            return False
        for _extra in range(size - plain):
            discard.trumps |= trumps & (~trumps + 1)
            trumps &= trumps - 1
        return True
    memset(known, 0, sizeof(known))
    known[0][0] = True
    best[0][0] = 0
    chosen[0][0] = 0
    for suit in range(4):
        most = choices_of_suit(
            <uint32_t>(held.suits >> 16 * suit) & 0x3FFF, suit == called_suit, weights,
            weights.per_suit[suit], worths, masks,
        )
        for so_far in range(size + 1):
            if not known[suit][so_far]:
                continue
            for extra in range(min(most, size - so_far) + 1):
                worth = best[suit][so_far] + worths[extra]
                # On a tie the first found stays: equal hands have equal écarts.
                if not known[suit + 1][so_far + extra] or worth > best[suit + 1][so_far + extra]:
                    known[suit + 1][so_far + extra] = True
                    best[suit + 1][so_far + extra] = worth
                    chosen[suit + 1][so_far + extra] = (
                        chosen[suit][so_far] | <uint64_t>masks[extra] << 16 * suit
                    )
    discard.suits = chosen[4][size]
    return True


cdef inline int partners_suit(const Cards* held, int called) noexcept nogil:
    """Return the suit in which the partner is known to hold the Roi, or -1."""
    if called >= 56 or called % 14 != ROI or held.suits >> code_of_card(called) & 1:
        return -1
    return called // 14


def take_dogs(worlds, taker, players, size, called, weights):
    """Give the taker of each world the dog and discard what is worth most.

    The écart is a function of hand and dog alone: the taker does not see the defence.

    Parameters
    ----------
    worlds : numpy.ndarray
        uint8, shape (n, 78): the seat of each card, or the number of players for the dog.
    taker : int
        The taker's seat.
    players : int
        Number of players; 2 where the others need not be told apart.
    size : int
        Cards to discard.
    called : int
        Number of the called card, 255 without one. A Roi that the taker lacks protects its
        suit.
    weights : numpy.ndarray
        `WEIGHTS_DTYPE`, one of it: what an écart is worth.

    Returns
    -------
    tuple of numpy.ndarray
        uint8, shape (n, 78): the worlds after the écart, whose cards carry the number of
        players; int16, shape (n,): half points of each écart.

    Raises
    ------
    BidError
        If a taker's cards are too few for an écart.
    OptionError
        If an array is of another shape, or a number out of range.
    """
    cdef uint8_t[:, ::1] owners
    cdef const Weights[::1] wishes
    cdef int16_t[::1] points
    cdef Py_ssize_t row, n, wrong = -1
    cdef int card, owner, code
    cdef Cards held, discard
    cdef int table = within("players", players, 2, 5)
    cdef int own = within("taker", taker, 0, table - 1)
    cdef int number = within("size", size, 1, MOST)
    cdef int call = within("called", called, 0, NO_CARD)
    if 78 <= call < NO_CARD:
        raise OptionError(f"called: {call} is not the number of a card")
    dealt = own_array("worlds", worlds, np.uint8, (None, 78))
    asked = own_array("weights", weights, WEIGHTS_DTYPE, (1,))
    if not np.isfinite(asked.view(np.float64)).all():
        raise OptionError("weights: one is not a finite number")
    n = dealt.shape[0]
    result = np.zeros(n, np.int16)
    owners, wishes, points = dealt, asked, result
    with nogil:
        for row in range(n):
            if row & 0x3FFF == 0x3FFF:  # some 20 ms
                check_signals()
            memset(&held, 0, sizeof(Cards))
            for card in range(78):
                owner = owners[row, card]
                if owner == own or owner == table:
                    add_code(&held, code_of_card(card))
                    owners[row, card] = <uint8_t>own
            if not choose(&held, number, partners_suit(&held, call), &wishes[0], &discard):
                wrong = row
                break
            while discard.suits or discard.trumps:
                if discard.suits:
                    code = lowest64(discard.suits)
                    discard.suits &= discard.suits - 1
                else:
                    code = 16 * TRUMPS + lowest32(discard.trumps)
                    discard.trumps &= discard.trumps - 1
                owners[row, card_of_code(code)] = <uint8_t>table
                points[row] += HALF_POINTS[code]
    if wrong >= 0:
        raise BidError(f"discard: fewer than {number} cards may be discarded")
    return dealt, result


cdef int within(str name, value, int least, int most) except -1:
    number = integer(name, value)
    if not least <= number <= most:
        raise OptionError(f"{name}: {shown(number)} is not {least}…{most}")
    return number
