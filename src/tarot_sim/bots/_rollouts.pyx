"""A deal begun goes on in many worlds: what each card leads to, and how likely the plays were.

In each world every seat plays by habits on its own cards, so that nobody profits from what
they could not know.
"""

from libc.math cimport INFINITY, log
from libc.stdint cimport uint8_t
from libc.string cimport memset

from tarot_sim._cards cimport (
    Cards,
    MOST_CARDS,
    NO_SUIT,
    PACK,
    add_code,
    card_of_code,
    code_of_card,
)
from tarot_sim._core cimport ResultRow, write_result
from tarot_sim._rules cimport State, legal_cards, next_equivalent, play_code, start_play
from tarot_sim._signals cimport check_signals
from tarot_sim.bots._habits cimport (
    BLOCKS,
    Choice,
    Eyes,
    TRAITS,
    choose_card,
    look_at_cards,
)
from tarot_sim.bots._seen cimport NO_CODE, Seen, put_aside, see_card, start_seen
from tarot_sim.worlds._block cimport _Batch

import numpy as np

from tarot_sim._core import RESULT_DTYPE
from tarot_sim.arguments import (
    in_order,
    instance_of,
    own_array,
    real,
    seat_number,
    whole_number,
)
from tarot_sim.deals.view import View
from tarot_sim.errors import OptionError
from tarot_sim.notation import shown
from tarot_sim.rules import DOG_CONTRACTS, checked_rules

cdef enum:
    NO_CALL = 255
    ROWS_AT_A_TIME = 64


cdef class Begun:
    """Deals of one table that were played alike so far, seen by the player to move.

    Parameters
    ----------
    deals : Deals
        A row a world, at the first trick.
    taker : int
        The taker's seat.
    plays : sequence of int
        The cards played so far; legal in every world.
    open_call : bool
        Whether all have seen the called card before the first trick: it lay in the dog.

    Raises
    ------
    OptionError
        If a play is not legal in some world.
    """

    cdef readonly object rules
    cdef _Batch batch
    cdef uint8_t codes[PACK]
    cdef int n_plays
    cdef int players
    cdef int taker
    cdef bint open_call
    cdef bint takes_dog
    cdef readonly Py_ssize_t rows

    def __cinit__(self, deals, taker, plays, open_call=False):
        self.batch = _Batch(deals)
        self.rules = deals.rules
        self.players = self.batch.players
        self.rows = self.batch.rows
        self.takes_dog = deals.contract in DOG_CONTRACTS
        self.open_call = open_call
        self.taker = seat_number("taker", taker, self.players)
        cards = [whole_number("plays", card, 0, PACK - 1) for card in in_order("plays", plays)]
        if len(cards) >= self.players * self.batch.tricks:
            raise OptionError("plays: expected cards, at least one less than there are")
        self.n_plays = len(cards)
        for place, card in enumerate(cards):
            self.codes[place] = code_of_card(card)

    cdef void start(self, Py_ssize_t row, State* state, Seen* seen) noexcept nogil:
        cdef Cards aside
        cdef uint8_t called = self.batch.block.called[row]
        self.batch.read(row, state)
        memset(&aside, 0, sizeof(Cards))
        if self.takes_dog:
            put_aside(&self.batch.block.owners[PACK * row], self.players, &aside)
        start_seen(
            seen, self.taker, code_of_card(called) if called != NO_CALL else NO_CODE, &aside
        )
        if self.open_call:
            seen.open = True

    cdef int play_on(self, State* state, Seen* seen) noexcept nogil:
        """Play what was played; return the place of the first card that is not legal, or −1."""
        cdef int place, code
        for place in range(self.n_plays):
            code = self.codes[place]
            if not is_legal(state, code):
                return place
            see_card(seen, state, code)
            play_code(state, code)
        return -1

    def values(self, habits, *, cards=None, first=0, last=None):
        """Play cards of the player to move out in worlds.

        Parameters
        ----------
        habits : numpy.ndarray
            float32 (6, 48): how all play.
        cards : sequence of int, optional
            Which cards; by default one of each run that is equal to the mover, as in the first
            world.
        first, last : int
            Which worlds, the last of them not included; by default all.

        Returns
        -------
        cards : list of int
            What was played out.
        chosen : int
            The place among them of the card that habits choose, −1 if it is not.
        results : numpy.ndarray
            `RESULT_DTYPE` (cards, worlds).
        """
        cdef const float[:, ::1] weights = _checked_habits(habits)
        cdef State state, child
        cdef Seen seen, later
        cdef Choice choice, mine
        cdef uint8_t codes[PACK]
        cdef Py_ssize_t row, begin, end
        cdef int place, count, code, chosen, wrong = -1
        if self.rows == 0:
            raise OptionError("deals: none")
        end = whole_number("last", self.rows if last is None else last, 1, self.rows)
        begin = whole_number("first", first, 0, end - 1)
        self.start(0, &state, &seen)
        wrong = self.play_on(&state, &seen)
        if wrong >= 0:
            raise OptionError(f"plays: the card at {wrong} is not legal in world 0")
        chosen = card_of_code(choose_card(&state, &seen, &weights[0, 0], &mine, NULL))
        asked = [card_of_code(mine.codes[place]) for place in range(mine.count)]
        if cards is not None:
            given = {
                whole_number("cards", card, 0, PACK - 1): None for card in in_order("cards", cards)
            }
            asked = list(given)
        count = len(asked)
        for place in range(count):
            codes[place] = code_of_card(asked[place])
        results = np.zeros((count, end - begin), RESULT_DTYPE)
        cdef ResultRow[:, ::1] result = results
        with nogil:
            for row in range(begin, end):
                if row % ROWS_AT_A_TIME == ROWS_AT_A_TIME - 1:
                    check_signals()
                self.start(row, &state, &seen)
                wrong = self.play_on(&state, &seen)
                if wrong >= 0:
                    break
                # Where the mover holds another hand, what is a choice in the first world is none.
                for place in range(count):
                    if not is_legal(&state, codes[place]):
                        wrong = self.n_plays
                        break
                    child = state
                    later = seen
                    code = codes[place]
                    see_card(&later, &child, code)
                    play_code(&child, code)
                    while child.tricks_left:
                        code = choose_card(&child, &later, &weights[0, 0], &choice, NULL)
                        see_card(&later, &child, code)
                        play_code(&child, code)
                    write_result(&child, &result[place, row - begin])
                if wrong >= 0:
                    break
        if wrong >= 0:
            raise OptionError(f"plays: the card at {wrong} is not legal in world {row}")
        return asked, asked.index(chosen) if chosen in asked else -1, results

    def likelihoods(self, habits, seat, miss, near, within):
        """Weigh each world by how well the others' plays go with habits there.

        Parameters
        ----------
        habits : numpy.ndarray
            float32 (6, 48).
        seat : int
            Whose plays are not asked about, since that seat knows why.
        miss, near : float
            Factor for a card that habits would not have played, and for one whose value is
            `within` so much of the best.
        within : float
            In the units of the weights.

        Returns
        -------
        numpy.ndarray
            float64 (n,): logarithms; −inf where the plays were not legal.
        """
        cdef const float[:, ::1] weights = _checked_habits(habits)
        cdef State state
        cdef Seen seen
        cdef Choice choice
        cdef Py_ssize_t row
        cdef int place, code, other, own = seat_number("seat", seat, self.players)
        cdef double log_miss = log(_factor("miss", miss)), log_near = log(_factor("near", near))
        cdef double close = real("within", within), total
        found = np.zeros(self.rows)
        cdef double[::1] out = found
        with nogil:
            for row in range(self.rows):
                if row % ROWS_AT_A_TIME == ROWS_AT_A_TIME - 1:
                    check_signals()
                self.start(row, &state, &seen)
                total = 0
                for place in range(self.n_plays):
                    code = self.codes[place]
                    if not is_legal(&state, code):
                        total = -INFINITY  # such plays cannot have been
                        break
                    if state.to_move != own:
                        choose_card(&state, &seen, &weights[0, 0], &choice, NULL)
                        if choice.count > 1:
                            other = place_of(&choice, &state, &seen, code)
                            if other != choice.best and other >= 0:
                                total += (
                                    log_near
                                    if choice.values[other] >= choice.values[choice.best] - close
                                    else log_miss
                                )
                    see_card(&seen, &state, code)
                    play_code(&state, code)
                out[row] = total
        return found


cdef inline bint is_legal(const State* state, int code) noexcept nogil:
    cdef Cards legal = legal_cards(state)
    return legal.suits >> code & 1 if code < 64 else legal.trumps >> (code - 64) & 1


cdef int place_of(
    const Choice* choice, const State* state, const Seen* seen, int code
) noexcept nogil:
    """Return the place of a card, or of the one that stands for it; −1 if there is none."""
    cdef int place, lower = code
    cdef Eyes eyes
    cdef Cards legal, live
    for place in range(choice.count):
        if choice.codes[place] == code:
            return place
    look_at_cards(&eyes, state, seen)
    legal = legal_cards(state)
    live = eyes.unseen
    live.suits |= eyes.own.suits
    live.trumps |= eyes.own.trumps
    for place in range(state.count):
        add_code(&live, state.trick[place])
    while True:
        lower = next_equivalent(legal, live, lower)
        if lower < 0:
            return -1
        for place in range(choice.count):
            if choice.codes[place] == lower:
                return place


cdef const float[:, ::1] _checked_habits(habits) except *:
    return own_array("habits", habits, np.float32, (BLOCKS, TRAITS))


cdef double _factor(name, value) except -1:
    cdef double factor = real(name, value)
    if not 0 < factor <= 1:
        raise OptionError(f"{name}: {shown(value)} is not above 0 and at most 1")
    return factor


cdef int look_through(view, State* state, Seen* seen) except -1:
    """Set up what a seat sees in its turn."""
    cdef Cards aside
    cdef int code, card
    view = instance_of("view", view, View)
    table = checked_rules(view.rules)
    if view.phase != "play" or view.to_move != view.seat:
        raise OptionError(f"view: it is not seat {view.seat}'s turn to play")
    if len(view.holding) != view.rules.hand_size - len(view.plays) // view.players:
        raise OptionError("view: a card was played that the seat did not hold")
    memset(state, 0, sizeof(State))
    memset(&aside, 0, sizeof(Cards))
    # Whatever was done to a frozen view, nothing is written beyond what there is.
    cdef int players = table.players, seat = seat_number("seat", view.seat, players)
    cdef int taker = seat_number("taker", view.taker, players)
    plays = [whole_number("plays", card, 0, PACK - 1) for card in view.plays]
    if len(plays) >= players * table.hand_size or len(view.start) > table.hand_size:
        raise OptionError("plays: more cards than there are")
    for card in view.start:
        add_code(&state.hands[seat], code_of_card(card))
    if view.discard is not None:
        for card in view.discard:
            add_code(&aside, code_of_card(card))
    called = view.called
    if called is not None:
        called = whole_number("called", called, 0, PACK - 1)
    attack = 1 << taker
    if called is not None:
        if called in view.start:
            attack |= 1 << seat
        for number, cards in enumerate(view.played):
            if called in cards:
                attack |= 1 << number
    state.attack = attack
    start_play(
        state, players, table.hand_size, seat_number("dealer", view.first_leader, players),
        PACK if called is None else called,
    )
    start_seen(seen, taker, NO_CODE if called is None else code_of_card(called), &aside)
    if called is not None and view.dog is not None and called in view.dog:
        seen.open = True
    # The others' hands stay unknown: what they play is put into them first.
    for card in plays:
        code = code_of_card(card)
        if state.to_move != seat:
            add_code(&state.hands[state.to_move], code)
        see_card(seen, state, code)
        play_code(state, code)
    return 0


def habit_card(view, habits):
    """Return the card that habits play, and what they give for each, from a view alone.

    Parameters
    ----------
    view : View
        In the play of the cards, the seat to move's.
    habits : numpy.ndarray
        float32 (6, 48).

    Returns
    -------
    card : int
    values : dict
        By card, one of each run of equals.
    """
    cdef const float[:, ::1] weights = _checked_habits(habits)
    cdef State state
    cdef Seen seen
    cdef Choice choice
    cdef int place, chosen
    look_through(view, &state, &seen)
    chosen = choose_card(&state, &seen, &weights[0, 0], &choice, NULL)
    return card_of_code(chosen), {
        card_of_code(choice.codes[place]): choice.values[place] for place in range(choice.count)
    }


def habit_traits(view):
    """Return what habits see in each card: the traits that their weights are multiplied with.

    Parameters
    ----------
    view : View
        In the play of the cards, the seat to move's.

    Returns
    -------
    cards : list of int
        One of each run of equals.
    block : int
        Which row of the weights they are multiplied with: taker, partner, defender, twice the
        number for a lead and one more for a card that follows.
    traits : numpy.ndarray
        float32 (cards, 48).
    """
    cdef State state
    cdef Seen seen
    cdef Choice choice
    cdef Eyes eyes
    cdef int place
    look_through(view, &state, &seen)
    cdef const float[:, ::1] weights = np.zeros((BLOCKS, TRAITS), np.float32)
    cdef float[:, ::1] rows = np.zeros((MOST_CARDS, TRAITS), np.float32)
    choose_card(&state, &seen, &weights[0, 0], &choice, &rows[0, 0])
    look_at_cards(&eyes, &state, &seen)
    cards = [card_of_code(choice.codes[place]) for place in range(choice.count)]
    block = 2 * eyes.role + (state.led != NO_SUIT)
    return cards, block, np.asarray(rows)[: choice.count].copy()
