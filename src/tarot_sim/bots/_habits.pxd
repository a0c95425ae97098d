"""How a player of habits values each card, seeing the own cards and the table alone.

For every legal card the chance that the own camp wins the trick is reckoned from the cards
that are still out and what the others have shown, and the card's *traits* are weighed: a sum
of traits times weights. Of cards that are equal to the mover one is looked at.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from tarot_sim._bits cimport highest32, highest64, lowest64, popcount32, popcount64
from tarot_sim._cards cimport (
    CODE_21,
    CODE_EXCUSE,
    CODE_PETIT,
    Cards,
    EXCUSE_BIT,
    HALF_POINTS,
    LANE,
    LANES,
    MOST_CARDS,
    MOST_PLAYERS,
    NO_SUIT,
    NUMBERED,
    PETIT_BIT,
    TRUMPS,
    add_code,
)
from tarot_sim._rules cimport NOBODY, State, legal_cards, lowest_of_runs
from tarot_sim.bots._seen cimport NO_CODE, Seen

cdef enum:
    # Of each block of weights; `tarot_sim.bots.habits` names them.
    TRAITS = 48
    # Blocks: taker, partner, defender, each leading and not.
    BLOCKS = 6
    ROLE_TAKER = 0
    ROLE_PARTNER = 1
    ROLE_DEFENDER = 2
    STEPS = 64  # of the table of chances

cdef extern from *:
    """
    #ifndef TAROT_SIM_HABITS_H
    #define TAROT_SIM_HABITS_H
    /* ts_none[i][n]: chance that none of n cards is in a hand that holds i/64 of the hidden
       cards; filled when a module is loaded. */
    static float ts_none[65][24];
    __attribute__((constructor)) static void ts_fill_none(void) {
        for (int share = 0; share <= 64; share++) {
            float chance = 1.0f;
            for (int n = 0; n < 24; n++) {
                ts_none[share][n] = chance;
                chance *= 1.0f - share / 64.0f;
            }
        }
    }
    #endif
    """
    float NONE "ts_none"[65][24]
    # A literal is a double, and so is all that is reckoned with it.
    const float ONE "1.0f"

cdef struct Eyes:
    # What the mover sees and reckons before looking at single cards.
    Cards own
    Cards unseen                   # in other hands, or discarded by another
    int out[5]                     # unseen cards of each suit; trumps without the Excuse
    int held[5]                    # own ones
    const float* none[MOST_PLAYERS]   # row of NONE of each other seat
    float friend[MOST_PLAYERS]     # chance that the seat is in the mover's camp
    float any_trump[MOST_PLAYERS]  # chance that the seat holds a trump
    float lacks[MOST_PLAYERS]      # chance that it holds no card of `suit`
    int suit                       # the suit led, or the one that is looked at for a lead
    int role
    int seat

cdef struct Choice:
    # The cards that were looked at, one of each run of equals: its lowest.
    int count
    int best                       # place of the card of the highest value
    uint8_t codes[MOST_CARDS]
    float values[MOST_CARDS]


cdef inline int role_of(const State* state, const Seen* seen, int seat) noexcept nogil:
    if seat == seen.taker:
        return ROLE_TAKER
    return ROLE_PARTNER if state.attack >> seat & 1 else ROLE_DEFENDER


cdef inline void look_at_cards(Eyes* eyes, const State* state, const Seen* seen) noexcept nogil:
    """Tell the own cards from those that are out."""
    cdef int seat = state.to_move
    cdef const Cards* own = &state.hands[seat]
    eyes.seat = seat
    eyes.own = own[0]
    eyes.role = role_of(state, seen, seat)
    eyes.unseen.suits = LANES & ~(own.suits | seen.played.suits)
    eyes.unseen.trumps = 0x3FFFFF & ~(own.trumps | seen.played.trumps)
    if seat == seen.taker:
        eyes.unseen.suits &= ~seen.discard.suits
        eyes.unseen.trumps &= ~seen.discard.trumps


cdef inline void look_at_others(Eyes* eyes, const State* state, const Seen* seen) noexcept nogil:
    """Reckon what the others may hold, and who is a friend."""
    cdef int seat = state.to_move, other, suit, hidden, all_out, candidates, share = 64, _place
    cdef int to_come, before = -1
    cdef bint excuse_out
    cdef float chance
    cdef const Cards* own = &eyes.own
    all_out = 0
    for suit in range(4):
        eyes.out[suit] = popcount64(eyes.unseen.suits & LANE[suit])
        eyes.held[suit] = popcount64(own.suits & LANE[suit])
        all_out += eyes.out[suit]
    eyes.out[TRUMPS] = popcount32(eyes.unseen.trumps & <uint32_t>NUMBERED)
    eyes.held[TRUMPS] = popcount32(own.trumps & <uint32_t>NUMBERED)
    all_out += eyes.out[TRUMPS]
    excuse_out = eyes.unseen.trumps & EXCUSE_BIT
    all_out += excuse_out
    eyes.suit = NO_SUIT
    # Who has played to the trick will not beat a card.
    to_come = state.players - state.count - 1
    other = seat
    for _place in range(to_come):
        other = other + 1 if other + 1 < state.players else 0
        hidden = all_out
        if seen.voids[other]:
            for suit in range(5):
                if seen.voids[other] >> suit & 1:
                    hidden -= eyes.out[suit]
        if hidden != before:
            before = hidden
            share = (state.tricks_left << 6) // hidden if hidden > 0 else 64
        eyes.none[other] = NONE[share if share < 64 else 64]
        eyes.any_trump[other] = beats_with_trump(eyes, seen, other, 0)
    # Who is a friend?
    if seen.open:
        # All know the camps; before a called card is seen, a taker alone looks like this too.
        for other in range(state.players):
            eyes.friend[other] = (state.attack >> other & 1) == (state.attack >> seat & 1)
        return
    if eyes.role == ROLE_PARTNER or holds(own, seen.called):
        for other in range(state.players):
            eyes.friend[other] = 0
        if seat != seen.taker:
            eyes.friend[seen.taker] = 1
        eyes.friend[seat] = 1
        return
    candidates = 0
    suit = seen.called >> 4
    for other in range(state.players):
        if other != seat and other != seen.taker and not seen.voids[other] >> suit & 1:
            candidates += 1
    chance = ONE / candidates if candidates else 0
    for other in range(state.players):
        if other == seen.taker:
            eyes.friend[other] = 0
        elif seen.voids[other] >> suit & 1:
            eyes.friend[other] = eyes.role != ROLE_TAKER
        else:
            eyes.friend[other] = chance if eyes.role == ROLE_TAKER else ONE - chance
    eyes.friend[seat] = 1


cdef inline bint holds(const Cards* cards, int code) noexcept nogil:
    if code < 64:
        return cards.suits >> code & 1
    return cards.trumps >> (code - 64) & 1 if code != NO_CODE else False


cdef inline float beats_with_trump(
    const Eyes* eyes, const Seen* seen, int seat, int above
) noexcept nogil:
    """Return the chance that a seat holds a trump above one."""
    cdef uint32_t trumps
    if seen.voids[seat] >> TRUMPS & 1 or seen.ceiling[seat] <= above:
        return 0
    trumps = eyes.unseen.trumps & ((<uint32_t>2 << seen.ceiling[seat]) - 1)
    return ONE - eyes.none[seat][popcount32(trumps >> (above + 1))]


cdef inline float is_void(const Eyes* eyes, const Seen* seen, int seat, int suit) noexcept nogil:
    if seen.voids[seat] >> suit & 1:
        return 1
    return eyes.none[seat][eyes.out[suit]]


cdef inline void look_at_suit(
    Eyes* eyes, const Seen* seen, const State* state, int suit
) noexcept nogil:
    """Reckon who of those to come lacks a suit."""
    cdef int seat = eyes.seat, _place
    if suit == eyes.suit or suit == TRUMPS:
        return
    eyes.suit = suit
    for _place in range(state.players - state.count - 1):
        seat = seat + 1 if seat + 1 < state.players else 0
        eyes.lacks[seat] = is_void(eyes, seen, seat, suit)


cdef inline float beats(
    const Eyes* eyes, const Seen* seen, int seat, int led, int code, int higher
) noexcept nogil:
    """Return the chance that a seat can beat `code` in a trick to which `led` was led.

    `higher` cards of the suit are out above a plain card.
    """
    cdef float lacks
    if led == TRUMPS:
        return beats_with_trump(eyes, seen, seat, code - 64)
    lacks = eyes.lacks[seat]
    if code >= 64:
        return lacks * beats_with_trump(eyes, seen, seat, code - 64)
    if lacks >= 1:
        return eyes.any_trump[seat]
    return ONE - eyes.none[seat][higher] + lacks * eyes.any_trump[seat]


cdef inline float wins(
    Eyes* eyes, const Seen* seen, const State* state, int led, int code, float ours,
    float retakes,
) noexcept nogil:
    """Return the chance that the own camp wins the trick.

    `code` is the best card so far and `ours` the chance that it is the own camp's; those who
    are still to play come after. Opponents who can beat do, friends do at a rate of `retakes`
    where the trick is lost.
    """
    cdef int left = state.players - state.count - 1, seat = state.to_move, _place, higher = 0
    cdef float can, friend
    if left == 0:
        return ours
    look_at_suit(eyes, seen, state, led)
    if code < 64:
        higher = popcount64(eyes.unseen.suits & LANE[led] & ~((<uint64_t>2 << code) - 1))
    for _place in range(left):
        seat = seat + 1 if seat + 1 < state.players else 0
        can = beats(eyes, seen, seat, led, code, higher)
        friend = eyes.friend[seat]
        ours = (ONE - friend) * ours * (ONE - can) + friend * (ours + (ONE - ours) * retakes * can)
    return ours


# Traits of leads, by their place in a block of weights.
cdef enum:
    LEAD_WON_POINTS = 0      # chance to win the trick times the card's half points
    LEAD_LOST_POINTS
    LEAD_WINS
    LEAD_MASTER              # a suit's highest card that is left, or the highest trump
    LEAD_LENGTH              # own cards of the suit
    LEAD_OUT                 # unseen ones
    LEAD_SINGLETON           # the own last card of a suit, with trumps in hand
    LEAD_TAKER_RUFFS         # chance that the taker ruffs
    LEAD_FRIEND_RUFFS
    LEAD_FOE_RUFFS           # that another opponent does
    LEAD_FRIENDS_SUIT        # a friend led it before
    LEAD_FOES_SUIT
    LEAD_OWN_SUIT
    LEAD_HONOUR              # an honour that is no master
    LEAD_UNDER_ROI           # a low card from a suit with the Roi
    LEAD_RANK
    LEAD_TRUMP
    LEAD_TRUMP_SURPLUS       # own trumps beyond what the longest other hand has on average
    LEAD_TRUMP_RANK
    LEAD_TRUMP_MASTER
    LEAD_TRUMP_HUNTS         # chance to win while the Petit is out
    LEAD_PETIT
    LEAD_21
    LEAD_TRUMPS_OUT
    LEAD_EXCUSE
    LEAD_EXCUSE_LATE
    LEAD_CALLED_SUIT         # before the called card has been seen
    LEAD_TRUMP_EARLY
    LEAD_MASTER_LATE
    LEAD_LENGTH_OUT          # own length times cards out: a long suit that can be set up
    LEAD_THROUGH_TAKER       # the taker plays right after
    LEAD_TO_TAKER            # the taker plays last
    LEAD_TRUMP_FOES          # a trump while some opponent may hold one
    LEAD_TRUMP_FRIENDS_OUT   # a trump where no opponent of the camp has any left

# Traits of cards that follow.
cdef enum:
    PLAY_WON_POINTS = 0
    PLAY_LOST_POINTS
    PLAY_WON_TABLE           # chance to win the trick times the half points that lie there
    PLAY_WINS
    PLAY_MASTER              # a suit's master that does not win this trick
    PLAY_RANK
    PLAY_TRUMP_RANK
    PLAY_RUFF
    PLAY_TRUMPS_HELD         # a trump, times how many are held
    PLAY_TRUMP_MASTER
    PLAY_21
    PLAY_PETIT
    PLAY_PETIT_WINS
    PLAY_OVERTAKES_FRIEND
    PLAY_VOIDS               # the last card of its suit, with trumps in hand
    PLAY_LENGTH              # discards: own cards of the suit
    PLAY_BARES_ROI
    PLAY_DISCARDS_HONOUR
    PLAY_DISCARDS_MASTER
    PLAY_DISCARD_OUT         # unseen cards of the suit
    PLAY_EXCUSE
    PLAY_EXCUSE_TABLE        # the Excuse, times what the trick would bring
    PLAY_EXCUSE_EARLY
    PLAY_EXCUSE_LAST         # its last chance to be kept
    PLAY_PETIT_LATE
    PLAY_HOLDS_LAST          # a master trump kept for the last trick
    PLAY_FRIEND_WINS_POINTS  # chance to win without being the highest, times half points
    PLAY_BEATS               # the highest card so far
    PLAY_BEATS_LAST          # by the last to play
    PLAY_TRUMP_ABOVE         # trumps out above the card
    PLAY_PETIT_OUT           # a trump that beats, while the Petit may still fall to it
    PLAY_HONOUR_UNSURE       # an honour that beats for the moment


cdef inline void add(
    const float* weights, float* traits, float* value, int trait, float size
) noexcept nogil:
    value[0] += weights[trait] * size
    if traits != NULL:
        traits[trait] += size


cdef inline float value_led_suit(
    Eyes* eyes, const Seen* seen, const State* state, const float* weights, int suit,
    float* traits,
) noexcept nogil:
    """Value to lead a suit, or trumps, whatever the card."""
    cdef float value = 0, friendly = 0, hostile = 0, ruffs, surplus
    cdef int other = eyes.seat, _place
    cdef uint32_t led_by = seen.led[suit]
    if led_by:
        for other in range(state.players):
            if led_by >> other & 1:
                if other == eyes.seat:
                    add(weights, traits, &value, LEAD_OWN_SUIT, 1)
                elif eyes.friend[other] > 0.5:
                    add(weights, traits, &value, LEAD_FRIENDS_SUIT, 1)
                else:
                    add(weights, traits, &value, LEAD_FOES_SUIT, 1)
    other = eyes.seat
    if suit == TRUMPS:
        add(weights, traits, &value, LEAD_TRUMP, 1)
        surplus = eyes.held[TRUMPS] - <float>1.35 * eyes.out[TRUMPS] / (state.players - 1)
        add(weights, traits, &value, LEAD_TRUMP_SURPLUS, surplus)
        add(weights, traits, &value, LEAD_TRUMPS_OUT, eyes.out[TRUMPS] * <float>0.1)
        add(weights, traits, &value, LEAD_TRUMP_EARLY, state.tricks_left * <float>0.0625)
        ruffs = 1
        for _place in range(state.players - state.count - 1):
            other = other + 1 if other + 1 < state.players else 0
            if not seen.voids[other] >> TRUMPS & 1:
                ruffs *= ONE - (ONE - eyes.friend[other]) * (
                    ONE - eyes.none[other][eyes.out[TRUMPS]]
                )
        add(weights, traits, &value, LEAD_TRUMP_FOES, ONE - ruffs)
        add(weights, traits, &value, LEAD_TRUMP_FRIENDS_OUT, ruffs)
        return value
    look_at_suit(eyes, seen, state, suit)
    add(weights, traits, &value, LEAD_LENGTH, eyes.held[suit] * <float>0.25)
    add(weights, traits, &value, LEAD_OUT, eyes.out[suit] * <float>0.125)
    add(weights, traits, &value, LEAD_LENGTH_OUT, eyes.held[suit] * eyes.out[suit] * <float>0.05)
    add(weights, traits, &value, LEAD_SINGLETON, eyes.held[suit] == 1 and eyes.held[TRUMPS] > 0)
    if not seen.open and suit == seen.called >> 4:
        add(weights, traits, &value, LEAD_CALLED_SUIT, 1)
    for _place in range(state.players - state.count - 1):
        other = other + 1 if other + 1 < state.players else 0
        ruffs = eyes.lacks[other] * eyes.any_trump[other]
        if other == seen.taker:
            add(weights, traits, &value, LEAD_TAKER_RUFFS, ruffs)
        elif eyes.friend[other] > 0.5:
            friendly += ruffs
        else:
            hostile += ruffs
    add(weights, traits, &value, LEAD_FRIEND_RUFFS, friendly)
    add(weights, traits, &value, LEAD_FOE_RUFFS, hostile)
    if eyes.seat != seen.taker:
        other = seen.taker - eyes.seat if seen.taker > eyes.seat else (
            seen.taker - eyes.seat + state.players
        )
        add(weights, traits, &value, LEAD_THROUGH_TAKER, other == 1)
        add(weights, traits, &value, LEAD_TO_TAKER, other == state.players - 1)
    return value


cdef inline float value_led_card(
    Eyes* eyes, const Seen* seen, const State* state, const float* weights, int code,
    float* traits,
) noexcept nogil:
    """Value a card to lead, beyond what its suit is worth."""
    cdef float value = 0, p, points = HALF_POINTS[code]
    cdef int suit = code >> 4 if code < 64 else TRUMPS
    cdef bint master
    p = wins(eyes, seen, state, suit, code, 1, <float>0.3)
    add(weights, traits, &value, LEAD_WON_POINTS, p * points)
    add(weights, traits, &value, LEAD_LOST_POINTS, (ONE - p) * points)
    add(weights, traits, &value, LEAD_WINS, p)
    if suit == TRUMPS:
        add(weights, traits, &value, LEAD_TRUMP_RANK, (code - 64) * <float>0.05)
        add(weights, traits, &value, LEAD_TRUMP_MASTER, eyes.unseen.trumps >> (code - 63) == 0)
        if eyes.unseen.trumps & PETIT_BIT:
            add(weights, traits, &value, LEAD_TRUMP_HUNTS, p)
        if code == CODE_PETIT:
            add(weights, traits, &value, LEAD_PETIT, 1)
        if code == CODE_21:
            add(weights, traits, &value, LEAD_21, 1)
        return value
    master = (eyes.unseen.suits & LANE[suit] & ~((<uint64_t>2 << code) - 1)) == 0
    if master:
        add(weights, traits, &value, LEAD_MASTER, 1)
        add(weights, traits, &value, LEAD_MASTER_LATE, ONE / state.tricks_left)
    add(weights, traits, &value, LEAD_RANK, (code & 15) * <float>0.07)
    if points > 1:
        if not master:
            add(weights, traits, &value, LEAD_HONOUR, 1)
    elif eyes.own.suits >> (16 * suit + 13) & 1:
        add(weights, traits, &value, LEAD_UNDER_ROI, 1)
    return value


cdef inline float value_led_excuse(
    const State* state, const float* weights, float* traits
) noexcept nogil:
    cdef float value = 0
    add(weights, traits, &value, LEAD_EXCUSE, 1)
    add(weights, traits, &value, LEAD_EXCUSE_LATE, state.tricks_left == 2)
    return value


cdef inline void value_leads(
    Eyes* eyes, const Seen* seen, const State* state, const float* weights, Choice* choice,
    float* traits,
) noexcept nogil:
    """Value every card that may be led."""
    cdef int place, code, suit, before = NO_SUIT
    cdef float of_suit = 0
    cdef float* row = NULL
    for place in range(choice.count):
        code = choice.codes[place]
        if traits != NULL:
            row = traits + place * TRAITS
        if code == CODE_EXCUSE:
            choice.values[place] = value_led_excuse(state, weights, row)
            continue
        suit = code >> 4 if code < 64 else TRUMPS
        # Cards of a suit follow each other; each has its own row of traits.
        if suit != before or row != NULL:
            of_suit = value_led_suit(eyes, seen, state, weights, suit, row)
            before = suit
        choice.values[place] = of_suit + value_led_card(eyes, seen, state, weights, code, row)


cdef inline float value_play(
    Eyes* eyes, const Seen* seen, const State* state, const float* weights, int code,
    float ours, float stands, float* traits,
) noexcept nogil:
    """Value a card in a trick that was led to.

    `ours` is the chance that the card that wins so far is the own camp's, `stands` that the
    camp wins the trick if the mover does not.
    """
    cdef float value = 0, p, points = HALF_POINTS[code]
    cdef int suit, above, last = state.count == state.players - 1
    cdef bint beating, master
    if code == CODE_EXCUSE:
        add(weights, traits, &value, PLAY_EXCUSE, 1)
        add(weights, traits, &value, PLAY_EXCUSE_TABLE, stands * state.table_points)
        add(weights, traits, &value, PLAY_EXCUSE_EARLY, state.tricks_left * <float>0.0625)
        add(weights, traits, &value, PLAY_EXCUSE_LAST, state.tricks_left == 2)
        return value
    suit = code >> 4 if code < 64 else TRUMPS
    beating = code - 64 > state.high if suit == TRUMPS else (
        suit == state.led and state.high == 0 and (code & 15) + 1 > state.best
    )
    p = wins(eyes, seen, state, state.led, code, 1, <float>0.3) if beating else stands
    add(weights, traits, &value, PLAY_WON_POINTS, p * points)
    add(weights, traits, &value, PLAY_LOST_POINTS, (ONE - p) * points)
    add(weights, traits, &value, PLAY_WON_TABLE, p * state.table_points)
    add(weights, traits, &value, PLAY_WINS, p)
    if beating:
        add(weights, traits, &value, PLAY_BEATS, 1)
        add(weights, traits, &value, PLAY_OVERTAKES_FRIEND, ours)
        if last:
            add(weights, traits, &value, PLAY_BEATS_LAST, 1)
        elif points > 1:
            add(weights, traits, &value, PLAY_HONOUR_UNSURE, ONE - p)
    else:
        add(weights, traits, &value, PLAY_FRIEND_WINS_POINTS, p * points)
    if suit == TRUMPS:
        above = popcount32(eyes.unseen.trumps >> (code - 64 + 1))
        add(weights, traits, &value, PLAY_TRUMP_RANK, (code - 64) * <float>0.05)
        add(weights, traits, &value, PLAY_TRUMP_ABOVE, above * <float>0.1)
        add(weights, traits, &value, PLAY_TRUMPS_HELD, eyes.held[TRUMPS] * <float>0.1)
        if state.led != TRUMPS:
            add(weights, traits, &value, PLAY_RUFF, 1)
        if above == 0:
            add(weights, traits, &value, PLAY_TRUMP_MASTER, 1)
            add(weights, traits, &value, PLAY_HOLDS_LAST, state.tricks_left < 4)
        if code == CODE_21:
            add(weights, traits, &value, PLAY_21, 1)
        elif code == CODE_PETIT:
            add(weights, traits, &value, PLAY_PETIT, 1)
            add(weights, traits, &value, PLAY_PETIT_WINS, p)
            add(weights, traits, &value, PLAY_PETIT_LATE, state.tricks_left < 4)
        elif beating and eyes.unseen.trumps & PETIT_BIT and not last:
            add(weights, traits, &value, PLAY_PETIT_OUT, p)
        return value
    master = (eyes.unseen.suits & LANE[suit] & ~((<uint64_t>2 << code) - 1)) == 0
    add(weights, traits, &value, PLAY_RANK, (code & 15) * <float>0.07)
    if master:
        add(weights, traits, &value, PLAY_MASTER, ONE - p)
    if eyes.held[suit] == 1 and eyes.held[TRUMPS] > 0:
        add(weights, traits, &value, PLAY_VOIDS, 1)
    if eyes.held[suit] == 2 and eyes.own.suits >> (16 * suit + 13) & 1 and code & 15 != 13:
        add(weights, traits, &value, PLAY_BARES_ROI, 1)
    if suit != state.led:
        add(weights, traits, &value, PLAY_LENGTH, eyes.held[suit] * <float>0.25)
        add(weights, traits, &value, PLAY_DISCARD_OUT, eyes.out[suit] * <float>0.125)
        add(weights, traits, &value, PLAY_DISCARDS_HONOUR, points > 1)
        add(weights, traits, &value, PLAY_DISCARDS_MASTER, master)
    return value


cdef inline int next_card(Cards* cards) noexcept nogil:
    """Take the highest card out of a set; −1 if there is none."""
    cdef int code
    if cards.trumps:
        code = highest32(cards.trumps)
        cards.trumps ^= <uint32_t>1 << code
        return code + 64
    if cards.suits:
        code = highest64(cards.suits)
        cards.suits ^= <uint64_t>1 << code
        return code
    return -1


cdef inline void list_choices(
    const Eyes* eyes, const State* state, Choice* choice
) noexcept nogil:
    """List one card, the lowest, of each run of legal cards that are equal to the mover."""
    cdef Cards left, live = eyes.unseen
    cdef int code, place
    live.suits |= eyes.own.suits
    live.trumps |= eyes.own.trumps
    for place in range(state.count):
        add_code(&live, state.trick[place])
    left = lowest_of_runs(legal_cards(state), live)
    choice.count = 0
    choice.best = 0
    while True:
        code = next_card(&left)
        if code < 0:
            return
        choice.codes[choice.count] = code
        choice.count += 1


cdef inline int choose_card(
    const State* state, const Seen* seen, const float* habits, Choice* choice, float* traits
) noexcept nogil:
    """Value the legal cards and return the code of the best.

    Parameters: `habits` are BLOCKS × TRAITS weights; `traits`, where it is not NULL, takes a
    row of TRAITS for each card of `choice` (and must be all 0 before).
    """
    cdef Eyes eyes
    cdef int place, led
    cdef float ours = 0, stands = 0
    cdef const float* weights
    look_at_cards(&eyes, state, seen)
    list_choices(&eyes, state, choice)
    if choice.count == 1 and traits == NULL:
        choice.values[0] = 0
        return choice.codes[0]
    look_at_others(&eyes, state, seen)
    led = state.led != NO_SUIT
    weights = habits + (2 * eyes.role + led) * TRAITS
    if led:
        ours = eyes.friend[state.winner]
        stands = wins(
            &eyes, seen, state, state.led,
            state.best if state.best >= 64 else (state.led << 4) + state.best - 1, ours, <float>0.3,
        )
        for place in range(choice.count):
            choice.values[place] = value_play(
                &eyes, seen, state, weights, choice.codes[place], ours, stands,
                traits + place * TRAITS if traits != NULL else NULL,
            )
    else:
        value_leads(&eyes, seen, state, weights, choice, traits)
    for place in range(1, choice.count):
        if choice.values[place] > choice.values[choice.best]:
            choice.best = place
    return choice.codes[choice.best]
