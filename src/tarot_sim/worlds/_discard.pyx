"""The écart that suits a taste best, by the array.

A taste is a vector of `TASTE` weights, all in half points. What an écart is worth is a sum
over the suits, so the best one is a knapsack over the four of them.
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

import numpy as np

from tarot_sim.errors import BidError, PositionError

#: What each weight of a taste is for: see `tarot_sim.worlds.discards.Taste`.
TASTE = (
    "points",
    "void_0", "void_1", "void_2",
    "roi_0", "roi_1", "roi_2",
    "dame",
    "called_void",
    "piques", "coeurs", "carreaux", "trefles",
)  # fmt: skip

cdef enum:
    W_POINTS = 0
    W_VOIDS = 1
    W_ROIS = 4
    W_DAME = 7
    W_CALLED_VOID = 8
    W_SUITS = 9
    N_TASTE = 13
    MOST = 6  # cards of an écart
    ROI = 13
    DAME = 12
    VALET = 10
    PLAIN = 0x1FFF  # a suit without its Roi
    NO_CARD = 255  # nothing called

assert len(TASTE) == N_TASTE


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
    uint32_t lane, bint called, const double* taste, double per_card,
    double* worths, uint32_t* masks,
) noexcept nogil:
    """Find what discarding 0, 1, 2… cards of a suit is worth, and which; return the most.

    In the suit of a called Roi the partner's Roi protects as well as an own one.
    """
    cdef int order[13]
    cdef bint roi = lane >> ROI & 1, protected = roi or called
    cdef int count = order_of_suit(lane, protected, order), number, losers = count
    cdef const double* shape = taste + (W_ROIS if protected else W_VOIDS)
    cdef double points = 0
    if protected and lane >> DAME & 1:
        losers -= 1  # the Dame beside a Roi is none
    worths[0] = shape[losers] if losers < 3 else 0
    masks[0] = 0
    for number in range(1, min(count, MOST) + 1):
        masks[number] = masks[number - 1] | <uint32_t>1 << order[number - 1]
        points += taste[W_POINTS] * HALF_POINTS[order[number - 1]] + per_card
        losers -= 1
        worths[number] = points
        if losers < 3:
            worths[number] += shape[losers if losers > 0 else 0]
        if losers < 0:
            worths[number] -= taste[W_DAME]
    if called and count <= MOST:  # then the own Roi is not there
        worths[count] -= taste[W_CALLED_VOID] + shape[0]
    return min(count, MOST)


cdef bint choose(
    const Cards* held, int size, int called_suit, const double* taste, Cards* discard
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
            <uint32_t>(held.suits >> 16 * suit) & 0x3FFF, suit == called_suit, taste,
            taste[W_SUITS + suit], worths, masks,
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


def take_dogs(worlds, int taker, int players, int size, int called, taste):
    """Give the taker of each world the dog and discard what suits a taste best.

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
    taste : numpy.ndarray
        float64, a weight for each of `TASTE`.

    Returns
    -------
    tuple of numpy.ndarray
        uint8, shape (n, 78): the worlds after the écart, whose cards carry the number of
        players; int16, shape (n,): half points of each écart.

    Raises
    ------
    BidError
        If a taker's cards are too few for an écart.
    PositionError
        If an array is of another shape, or a number out of range.
    """
    cdef uint8_t[:, ::1] owners
    cdef const double[::1] weights
    cdef int16_t[::1] points
    cdef Py_ssize_t row, n, wrong = -1
    cdef int card, owner, code
    cdef Cards held, discard
    if worlds.dtype != np.uint8:
        raise PositionError(f"worlds: {worlds.dtype}, expected uint8")
    dealt = np.array(worlds, order="C")  # a copy
    wishes = np.ascontiguousarray(taste, np.float64)
    if dealt.ndim != 2 or dealt.shape[1] != 78:
        raise PositionError(f"worlds: shape {dealt.shape}, expected (n, 78)")
    if wishes.shape != (N_TASTE,):
        raise PositionError(f"taste: shape {wishes.shape}, expected ({N_TASTE},)")
    if not np.isfinite(wishes).all():
        raise PositionError("taste: a weight is not a finite number")
    if not 2 <= players <= 5:
        raise PositionError(f"players: {players} is not 2…5")
    if not 0 <= taker < players:
        raise PositionError(f"taker: seat {taker} is not 0…{players - 1}")
    if not 1 <= size <= MOST:
        raise PositionError(f"size: {size} is not 1…{MOST}")
    if not 0 <= called < 78 and called != NO_CARD:
        raise PositionError(f"called: {called} is not the number of a card")
    n = dealt.shape[0]
    result = np.zeros(n, np.int16)
    owners, weights, points = dealt, wishes, result
    with nogil:
        for row in range(n):
            memset(&held, 0, sizeof(Cards))
            for card in range(78):
                owner = owners[row, card]
                if owner == taker or owner == players:
                    add_code(&held, code_of_card(card))
                    owners[row, card] = <uint8_t>taker
            if not choose(&held, size, partners_suit(&held, called), &weights[0], &discard):
                wrong = row
                break
            while discard.suits or discard.trumps:
                if discard.suits:
                    code = lowest64(discard.suits)
                    discard.suits &= discard.suits - 1
                else:
                    code = 16 * TRUMPS + lowest32(discard.trumps)
                    discard.trumps &= discard.trumps - 1
                owners[row, card_of_code(code)] = <uint8_t>players
                points[row] += HALF_POINTS[code]
    if wrong >= 0:
        raise BidError(f"discard: fewer than {size} cards may be discarded")
    return dealt, result
