"""Worlds: what the hidden cards may be, for a player at the start of a deal.

A world is a row of 78 bytes: the seat that each card was dealt to, or the number of
players for the dog.
"""

from libc.stdint cimport uint8_t
from libc.string cimport memset

from tarot_sim._draws cimport Draws, below, lock_of, open_draws
from tarot_sim._signals cimport check_signals

import numpy as np

from tarot_sim.arguments import seat_number, whole_number
from tarot_sim.cards import Hand
from tarot_sim.errors import HandError
from tarot_sim.randomness import bit_generator_of
from tarot_sim.rules import checked_rules

cdef enum:
    CARD_PETIT = 56


cdef bint deals_petit_sec(const uint8_t* owner, int players) noexcept nogil:
    """Tell whether the hand with the Petit holds no other trump and no Excuse."""
    cdef int holder = owner[CARD_PETIT], card
    if holder >= players:
        return False
    for card in range(CARD_PETIT + 1, 78):
        if owner[card] == holder:
            return False
    return True


def sample_worlds(hand, seat, rules, n, bit_generator=None, dog=None, *, seed=None):
    """Deal the cards that a player does not see, uniformly, `n` times.

    All ways to deal the other hands and the dog are equally likely, but for those in
    which a hand is a Petit sec (unless the rules play these): they are drawn again.

    Parameters
    ----------
    hand : Hand
        The player's cards as dealt.
    seat : int
        The player's seat.
    rules : Rules
        The table.
    n : int
        Number of worlds.
    bit_generator : int, SeedSequence, Generator, BitGenerator or None
        Where the random bits come from; None is fresh entropy.
    dog : Hand, optional
        The dog, where the player has seen it.
    seed
        Another name for `bit_generator`.

    Returns
    -------
    numpy.ndarray
        uint8, shape (n, 78): the seat of each card, or the number of players for the
        dog.

    Raises
    ------
    HandError
        If the hand is not one that is dealt and played: wrong number of cards, or a
        Petit sec; or if the dog is not one beside this hand.
    OptionError
        If `seat` is none of the table, or `n` is negative.

    Examples
    --------
    >>> from tarot_sim import Rules
    >>> hand = Hand("A:21,19,16,14,11,8,5,1,EX P:R,D,6 C:C,10 K:R,4 T:V,9")
    >>> worlds = sample_worlds(hand, 0, Rules(), 2, seed=1)
    >>> [int((row == 4).sum()) for row in worlds]
    [6, 6]
    """
    rules = checked_rules(rules)
    hand = Hand(hand, size=rules.hand_size)
    cdef int players = rules.players, own = seat_number("seat", seat, rules.players)
    cdef Py_ssize_t row, rows = whole_number("n", n, 0)
    cancel = rules.petit_sec == "cancel"
    if cancel and hand.is_petit_sec():
        raise HandError("the hand is a Petit sec (its only trump is A1): the deal is cancelled")
    if dog is not None:
        dog = Hand(dog)
        if len(dog) != rules.dog_size:
            raise HandError(f"dog: {len(dog)} cards, expected {rules.dog_size}")
        if dog & hand:
            raise HandError(f"dog: {next(iter(dog & hand))} is in the hand too")
    seen = hand if dog is None else hand | dog
    if cancel and dog is not None and CARD_PETIT not in seen:
        if all([card in seen for card in range(CARD_PETIT + 1, 78)]):
            raise HandError("dog: with this hand every deal has a Petit sec and is cancelled")
    cdef Draws draws
    bit_generator = bit_generator_of(seed, bit_generator)
    open_draws(&draws, bit_generator)
    cdef int size = rules.hand_size
    cdef bint no_petit_sec = cancel
    cdef uint8_t hidden[78]
    cdef uint8_t places[78]
    cdef int count = 0, card, place, other
    for card in range(78):
        if card not in seen:
            hidden[count] = card
            count += 1
    # Whose card the i-th of the shuffled pack is.
    place = 0
    for other in range(players):
        if other == own:
            continue
        memset(&places[place], other, size)
        place += size
    while place < count:
        places[place] = players
        place += 1
    worlds = np.full((rows, 78), own, np.uint8)
    if dog is not None:
        worlds[:, list(dog)] = players
    cdef uint8_t[:, ::1] owner = worlds
    cdef int chosen
    cdef uint8_t swap
    with lock_of(bit_generator), nogil:
        for row in range(rows):
            if row & 0x3FFF == 0x3FFF:  # some 10 ms
                check_signals()
            while True:
                for place in range(count - 1, 0, -1):
                    chosen = below(&draws, place + 1)
                    swap = hidden[place]
                    hidden[place] = hidden[chosen]
                    hidden[chosen] = swap
                for place in range(count):
                    owner[row, hidden[place]] = places[place]
                if not no_petit_sec or not deals_petit_sec(&owner[row, 0], players):
                    break
    return worlds
