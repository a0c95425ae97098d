"""What the cards that were played have shown to everybody, kept along with the play.

A seat that does not follow holds no more of the suit; one that then plays no trump holds
none, and one that plays too low a trump holds none above. The Excuse shows nothing.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from tarot_sim._cards cimport (
    CODE_EXCUSE,
    Cards,
    MOST_PLAYERS,
    NO_SUIT,
    PACK,
    TRUMPS,
    add_code,
    code_of_card,
)
from tarot_sim._rules cimport NOBODY, State

cdef enum:
    HIGHEST_TRUMP = 21
    # `Seen.called` where no card is called.
    NO_CODE = 255

cdef struct Seen:
    Cards played                    # by anybody, those on the table included
    Cards discard                   # the écart, which the taker alone looks at
    uint8_t voids[MOST_PLAYERS]     # a bit a suit that the seat does not hold; trumps are TRUMPS
    uint8_t ceiling[MOST_PLAYERS]   # the highest trump that the seat may hold
    uint8_t led[MOST_PLAYERS]       # by suit and trumps: which seats led it, a bit each
    uint8_t taker
    uint8_t called                  # code of the called card, or NO_CODE
    uint8_t partner                 # the seat that all know to be the partner, or NOBODY
    uint8_t open                    # whether all know who is in the attack


cdef inline void start_seen(Seen* seen, int taker, int called, const Cards* discard) noexcept nogil:
    """Set what is known before the first card; `called` is a code or NO_CODE.

    The caller sets `open` where a called card lies in a dog that was shown.
    """
    cdef int seat
    memset(seen, 0, sizeof(Seen))
    for seat in range(MOST_PLAYERS):
        seen.ceiling[seat] = HIGHEST_TRUMP
    seen.taker = taker
    seen.called = called
    seen.partner = NOBODY
    seen.open = called == NO_CODE
    seen.discard = discard[0]


cdef inline void see_card(Seen* seen, const State* state, int code) noexcept nogil:
    """Take in the card that the player to move is about to play."""
    cdef int seat = state.to_move
    add_code(&seen.played, code)
    if code == CODE_EXCUSE:
        return
    if code == seen.called:
        seen.open = True
        if seat != seen.taker:
            seen.partner = seat
    if state.led == NO_SUIT:
        seen.led[code >> 4 if code < 64 else TRUMPS] |= 1 << seat
        return
    if code < 64:
        if code >> 4 == state.led:
            return
        # Neither the suit nor a trump.
        seen.voids[seat] |= 1 << TRUMPS
        if state.led != TRUMPS:
            seen.voids[seat] |= 1 << state.led
        return
    if state.led != TRUMPS:
        seen.voids[seat] |= 1 << state.led
    if code - 64 < state.high and state.high - 1 < seen.ceiling[seat]:
        seen.ceiling[seat] = state.high - 1


cdef inline void put_aside(const uint8_t* owners, int players, Cards* aside) noexcept nogil:
    """Add the cards of no hand; `owners` are the seats of the 78 cards."""
    cdef int card
    for card in range(PACK):
        if owners[card] == players:
            add_code(aside, code_of_card(card))
