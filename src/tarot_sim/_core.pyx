"""The bitboard engine: positions, play and undo, perft, random play-outs."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memset

from tarot_sim._bits cimport lowest32, lowest64, popcount32, popcount64, select64
from tarot_sim._cards cimport (
    BOUT_21,
    BOUT_BONUS,
    BOUT_EXCUSE,
    BOUT_PETIT,
    Cards,
    NO_SUIT,
    PACK,
    PLAIN_CARDS,
    SUIT_CARDS,
    TOTAL,
    TRUMPS,
    card_of_code,
    code_of_card,
)
from tarot_sim._draws cimport Draws, below, lock_of, open_draws
from tarot_sim._signals cimport check_signals
from tarot_sim._rules cimport (
    ATTACK,
    DEFENCE,
    EXCUSE_CHANGES,
    EXCUSE_NET,
    KEEP_EXCUSE,
    State,
    cards_in_play,
    chelem_of,
    legal_cards,
    next_equivalent,
    play_code,
    start_play,
)

from dataclasses import dataclass
from operator import index

import numpy as np

from tarot_sim.arguments import whole_number
from tarot_sim.cards import BOUTS_MASK, CARDS, EXCUSE, FULL_MASK, PETIT, VINGT_ET_UN, Card, Hand
from tarot_sim.errors import CardError, IllegalPlayError, PositionError
from tarot_sim.notation import shown
from tarot_sim.randomness import bit_generator_of
from tarot_sim.rules import Rules, checked_rules

#: What play-outs bring, a row each, as in `Result`.
RESULT_DTYPE = np.dtype(
    [
        ("attack_half_points", np.int16),
        ("bouts", np.int8),
        ("petit_au_bout", np.int8),
        ("chelem", np.int8),
    ],
    align=True,
)
assert RESULT_DTYPE.itemsize == sizeof(ResultRow)


@dataclass(frozen=True, slots=True)
class Result:
    """What a played-out position brought.

    Attributes
    ----------
    attack_half_points
        The attack's card points, in half points, the Excuse settled.
    bouts
        How many bouts lie in the attack's pile.
    petit_au_bout
        +1 for the attack, −1 for the defence, 0 for none.
    chelem
        +1 if the attack won every trick, −1 if the defence did, else 0.
    """

    attack_half_points: int
    bouts: int
    petit_au_bout: int
    chelem: int

    @property
    def defence_half_points(self):
        """The defence's card points, in half points: the rest of 182."""
        return TOTAL - self.attack_half_points


cdef Cards cards_of_mask(object mask):
    """Return the engine's set for a public one of 78 bits (checked before)."""
    cdef uint64_t low = mask & ((<uint64_t>1 << PLAIN_CARDS) - 1)
    cdef uint32_t high = mask >> PLAIN_CARDS
    cdef Cards cards
    cards.suits = (
        (low & 0x3FFF)
        | (low >> SUIT_CARDS & 0x3FFF) << 16
        | (low >> 2 * SUIT_CARDS & 0x3FFF) << 32
        | (low >> 3 * SUIT_CARDS & 0x3FFF) << 48
    )
    cards.trumps = (high & 0x1FFFFF) << 1 | high >> 21
    return cards


cdef object mask_of_cards(Cards cards):
    """Return the public set of an engine's set."""
    cdef uint64_t low = (
        (cards.suits & 0x3FFF)
        | (cards.suits >> 16 & 0x3FFF) << SUIT_CARDS
        | (cards.suits >> 32 & 0x3FFF) << 2 * SUIT_CARDS
        | (cards.suits >> 48 & 0x3FFF) << 3 * SUIT_CARDS
    )
    cdef uint64_t high = (cards.trumps >> 1) | <uint64_t>(cards.trumps & 1) << 21
    return low if high == 0 else int(low) | int(high) << PLAIN_CARDS


cdef int options_of(rules) except -1:
    """Return a table's options as the bits of `State.options`."""
    return (KEEP_EXCUSE if rules.excuse_no_trick == "keep" else 0) | (
        EXCUSE_CHANGES if rules.excuse_last == "changes_camp" else 0
    )


cdef uint8_t bouts_of_mask(object mask):
    return (
        (BOUT_PETIT if mask >> PETIT & 1 else 0)
        | (BOUT_21 if mask >> VINGT_ET_UN & 1 else 0)
        | (BOUT_EXCUSE if mask >> EXCUSE & 1 else 0)
    )


cdef class Position:
    """A position in the play of the cards, with every hand in view.

    Parameters
    ----------
    hands : iterable of Hand or int
        The cards of each seat, as `Hand` or masks of 78 bits; all of one size, which is
        the number of tricks that are left.
    attack : iterable of int
        The seats of the attack: the taker, and at five players the partner if any.
        (Any set of seats will do.)
    leader : int
        The seat that leads.
    rules : Rules, optional
        The table and its options; the default rules for as many players as hands.
    called : Card or int, optional
        The called card, only for the very first trick of a deal with five players: its
        suit may not be led to it (but the card itself may).
    attack_half_points : int
        What the attack has already, in half points: the écart or the dog, and the
        tricks before this position with the Excuse's exchange. An Excuse that lies with
        a camp without a trick, while the other has won some, was played and is owed.
    attack_bouts : Hand or int
        The bouts that the attack has already, as a hand or a mask.
    won : tuple of bool
        Whether the attack, and whether the defence, has won a trick so far.

    Raises
    ------
    PositionError
        If the arguments contradict each other; the message names the field.
    OptionError
        If `rules` is no `Rules`.

    Examples
    --------
    >>> from tarot_sim import Hand
    >>> position = Position(
    ...     [Hand("A21 PR"), Hand("PD P2"), Hand("A3 CR"), Hand("P1 C2")],
    ...     attack=[0], leader=1, won=(True, True))
    >>> position.play("PD")
    >>> position.legal_cards()
    [Card('A3')]
    """

    def __cinit__(self):
        self.history = NULL
        self.capacity = 0
        self.played = 0

    def __dealloc__(self):
        free(self.history)

    def __init__(
        self,
        hands,
        *,
        attack,
        leader,
        rules=None,
        called=None,
        attack_half_points=0,
        attack_bouts=0,
        won=(False, False),
    ):
        cdef State* state = &self.state
        cdef int seat
        masks = [index(hand) for hand in hands]
        players = len(masks)
        rules = _checked_rules(rules, players)
        seen = _checked_hands(masks, rules)
        seats = [_seat("attack", number, players) for number in attack]
        first = _seat("leader", leader, players)
        _check_attack(seats, players)
        bouts, points = index(attack_bouts), index(attack_half_points)
        in_hands = Hand.from_mask(seen).half_points
        _check_attack_has(points, bouts, seen, in_hands)
        call = _called_card(called, players)
        try:
            attack_won, defence_won = won
        except (TypeError, ValueError):
            raise PositionError(f"won: {shown(won)} is not (attack, defence)") from None
        memset(state, 0, sizeof(State))
        for seat, mask in enumerate(masks):
            state.hands[seat] = cards_of_mask(mask)
        state.attack = sum(1 << seat_number for seat_number in seats)
        state.options = options_of(rules)
        state.bouts = bouts_of_mask(bouts)
        state.won = (ATTACK if attack_won else 0) | (DEFENCE if defence_won else 0)
        state.attack_points = points
        state.live_points = in_hands
        start_play(
            state, players, masks[0].bit_count(), first,
            call,
        )
        # One camp has won all so far and the Excuse has been played: if it is with the
        # other camp, it fell in a trick of the sweeping camp and is still owed.
        if state.won in (ATTACK, DEFENCE) and not seen >> EXCUSE & 1:
            owner = ATTACK if state.bouts & BOUT_EXCUSE else DEFENCE
            if owner != state.won:
                state.debt = owner
        self.rules = rules
        self.played = 0

    cdef int _push(self) except -1:
        cdef State* grown
        if self.played == self.capacity:
            grown = <State*>realloc(self.history, (self.capacity + 20) * sizeof(State))
            if grown == NULL:
                raise MemoryError
            self.history = grown
            self.capacity += 20
        self.history[self.played] = self.state
        self.played += 1
        return 0

    @property
    def players(self):
        """Number of players."""
        return self.state.players

    @property
    def attack(self):
        """The attack's seats."""
        return tuple(seat for seat in range(self.state.players) if self.state.attack >> seat & 1)

    @property
    def leader(self):
        """The seat that led the trick on the table, or that leads next.

        After the last trick: the seat that won it.
        """
        return self.state.leader

    @property
    def to_move(self):
        """The seat that plays next; None when all is played."""
        return self.state.to_move if self.state.tricks_left else None

    @property
    def tricks_left(self):
        """Tricks still to be won, the one on the table included."""
        return self.state.tricks_left

    @property
    def is_over(self):
        """Whether all cards are played."""
        return self.state.tricks_left == 0

    @property
    def attack_half_points(self):
        """The attack's half points so far, each Excuse exchanged as it fell."""
        return self.state.attack_points

    @property
    def won(self):
        """Whether the attack, and whether the defence, has won a trick so far."""
        return bool(self.state.won & ATTACK), bool(self.state.won & DEFENCE)

    def hand(self, seat):
        """Return the cards that `seat` still holds.

        Raises
        ------
        OptionError
            If there is no such seat.
        """
        number = whole_number("seat", seat, 0, self.state.players - 1)
        return Hand.from_mask(mask_of_cards(self.state.hands[<int>number]))

    @property
    def hands(self):
        """The cards that each seat still holds."""
        # Of one moment: another thread may play on.
        cdef State state = self.state
        return tuple(
            [Hand.from_mask(mask_of_cards(state.hands[seat])) for seat in range(state.players)]
        )

    @property
    def trick(self):
        """The cards on the table as (seat, card), in the order they were played."""
        cdef State state = self.state
        return tuple([
            ((state.leader + place) % state.players, CARDS[card_of_code(state.trick[place])])
            for place in range(state.count)
        ])

    @property
    def plays(self):
        """The cards played since this position was set up."""
        return tuple(CARDS[self.moves[ply]] for ply in range(self.played))

    def legal_mask(self):
        """Return the legal cards of the player to move as a mask of 78 bits."""
        if self.state.tricks_left == 0:
            return 0
        return mask_of_cards(legal_cards(&self.state))

    def legal_cards(self):
        """Return the legal cards of the player to move, lowest number first.

        Returns
        -------
        list of Card
            Empty only when all is played.
        """
        return list(Hand.from_mask(self.legal_mask()))

    def equivalent_cards(self):
        """Return the legal cards in runs that play exactly alike.

        Two cards of one hand are equivalent if they have the same value and no card of
        another hand or of the table lies between them.

        Returns
        -------
        list of list of Card
            Each run from its highest card down.
        """
        cdef Cards legal, live
        cdef int code, lower
        if self.state.tricks_left == 0:
            return []
        legal = legal_cards(&self.state)
        live = cards_in_play(&self.state)
        runs = []
        seen = set()
        for card in reversed(self.legal_cards()):
            if card in seen:
                continue
            run = [card]
            code = code_of_card(card)
            while True:
                lower = next_equivalent(legal, live, code)
                if lower < 0:
                    break
                run.append(CARDS[card_of_code(lower)])
                code = lower
            seen.update(run)
            runs.append(run)
        return runs

    def play(self, card):
        """Play a card for the player to move.

        Parameters
        ----------
        card : Card, int or str
            Its number or its name.

        Raises
        ------
        IllegalPlayError
            If the card may not be played; the message says why.
        """
        if not isinstance(card, str):
            index(card)  # what is no integer is a TypeError
        try:
            card = Card(card)
        except CardError as error:
            if isinstance(card, str):
                raise
            raise IllegalPlayError(str(error)) from None
        if self.state.tricks_left == 0:
            raise IllegalPlayError(f"card {CARDS[card]}: all cards are played")
        if not self.legal_mask() >> card & 1:
            raise IllegalPlayError(f"card {CARDS[card]}: {self._why_illegal(card)}")
        self._play_held(card)

    def play_against_the_rules(self, card):
        """Play a card that is held, though it may be none of the legal ones.

        For records of tables where somebody revoked: all that follows is as if the card had
        been legal. Such a position cannot be pickled.

        Parameters
        ----------
        card : Card, int or str
            Its number or its name.

        Raises
        ------
        IllegalPlayError
            If the player to move does not hold it, or all cards are played.
        """
        card = Card(card)
        if self.state.tricks_left == 0 or card not in self.hand(self.state.to_move):
            self.play(card)  # which says why not
        self._play_held(card)

    cdef int _play_held(self, int card) except -1:
        self._push()
        self.moves[self.played - 1] = card
        play_code(&self.state, code_of_card(card))
        return 0

    def _why_illegal(self, card):
        seat = self.state.to_move
        if card not in self.hand(seat):
            return f"seat {seat} does not hold it"
        if self.state.led == NO_SUIT:
            return "the called suit may not be led to the first trick"
        if self.hand(seat).suit(self.state.led) and self.state.led != TRUMPS:
            return f"seat {seat} must follow suit"
        if card >= PLAIN_CARDS and card != EXCUSE:
            return f"seat {seat} must play a trump above {self.state.high}"
        return f"seat {seat} must play a trump"

    def undo(self):
        """Take back the last card played and return it.

        Returns
        -------
        Card

        Raises
        ------
        IllegalPlayError
            If none was played since the position was set up.
        """
        if self.played == 0:
            raise IllegalPlayError("undo: no card was played from this position")
        self.played -= 1
        self.state = self.history[self.played]
        return CARDS[self.moves[self.played]]

    def copy(self):
        """Return an independent copy, with its plays."""
        cdef Position twin = Position.__new__(Position)
        cdef int ply
        twin.rules = self.rules
        for ply in range(self.played):
            twin.state = self.history[ply]
            twin._push()
            twin.moves[ply] = self.moves[ply]
        twin.state = self.state
        return twin

    __copy__ = copy

    def __deepcopy__(self, memo):
        return self.copy()

    def __reduce__(self):
        start = self.copy()
        while start.plays:
            start.undo()
        options = {
            "attack": start.attack,
            "leader": start.leader,
            "rules": self.rules,
            "attack_half_points": start.attack_half_points,
            "attack_bouts": start.attack_bouts,
            "won": start.won,
            "called": start.called,
        }
        return _rebuild, (start.hands, options, self.plays)

    def key(self):
        """Return all that what may follow depends on, as a value that can be hashed.

        Returns
        -------
        tuple
            The same for two positions exactly where they are equal. (A position moves on, so
            it has no hash of its own.)
        """
        return (
            self.hands, self.trick, self.leader, self.attack, self.rules, self.attack_half_points,
            self.attack_bouts, self.called, self.won,
            self.state.debt, self.state.petit_au_bout, self.state.petit_before_last,
        )

    def __eq__(self, other):
        if not isinstance(other, Position):
            return NotImplemented
        return self.key() == (<Position>other).key()

    def __repr__(self):
        hands = ", ".join(repr(str(hand)) for hand in self.hands)
        return (
            f"<Position {hands}; trick {[str(card) for _, card in self.trick]}, "
            f"to move {self.to_move}, attack {self.attack}>"
        )

    @property
    def attack_bouts(self):
        """The bouts that the attack has so far."""
        cdef uint8_t bouts = self.state.bouts
        return Hand.from_mask(
            (1 << PETIT if bouts & BOUT_PETIT else 0)
            | (1 << VINGT_ET_UN if bouts & BOUT_21 else 0)
            | (1 << EXCUSE if bouts & BOUT_EXCUSE else 0)
        )

    @property
    def called(self):
        """The called card while its suit may not be led, else None."""
        if self.state.banned_suit == NO_SUIT:
            return None
        return CARDS[card_of_code(self.state.called)]

    def result(self):
        """Return what the whole play brought.

        Returns
        -------
        Result

        Raises
        ------
        PositionError
            If cards are left.
        """
        if self.state.tricks_left:
            raise PositionError(f"result: {self.state.tricks_left} tricks are left to play")
        return Result(
            self.state.attack_points,
            popcount32(self.state.bouts),
            self.state.petit_au_bout,
            chelem_of(&self.state),
        )

    def perft(self, depth):
        """Return the number of legal sequences of cards.

        Parameters
        ----------
        depth : int
            Cards of each; as many as are left where these are fewer.

        Returns
        -------
        int

        Raises
        ------
        OptionError
            If `depth` is negative.
        """
        # Its own copy: another thread may play on.
        cdef State state = self.state
        cdef uint64_t nodes, counted = 0
        cdef int plies = min(whole_number("depth", depth, 0), PACK)
        with nogil:
            nodes = count_sequences(&state, plies, &counted)
        return nodes


def _checked_rules(rules, players):
    """Return the table of a position, by default that of as many players as hands."""
    if rules is None:
        if players not in (3, 4, 5):
            raise PositionError(f"hands: {players} hands, expected 3, 4 or 5")
        return Rules(players=players)
    rules = checked_rules(rules)
    if rules.players != players:
        raise PositionError(f"hands: {players} hands, expected {rules.players}")
    return rules


def _checked_hands(masks, rules):
    """Return the union of hands of one size without a common card."""
    seen = 0
    for seat, mask in enumerate(masks):
        if mask & ~FULL_MASK:
            raise PositionError(f"hands[{seat}]: the mask has bits beyond the 78 cards")
        if mask & seen:
            twice = next(iter(Hand.from_mask(mask & seen)))
            raise PositionError(f"hands[{seat}]: card {twice} comes twice")
        seen |= mask
    size = masks[0].bit_count()
    for seat, mask in enumerate(masks):
        if mask.bit_count() != size:
            raise PositionError(
                f"hands[{seat}]: {mask.bit_count()} cards, but hands[0] has {size}"
            )
    if size > rules.hand_size:
        raise PositionError(f"hands: {size} cards each, at most {rules.hand_size} are dealt")
    return seen


def _seat(name, seat, players):
    number = index(seat)
    if not 0 <= number < players:
        raise PositionError(f"{name}: seat {shown(number)} is not 0…{players - 1}")
    return number


def _check_attack(attack, players):
    if len(set(attack)) != len(attack):
        raise PositionError(f"attack: a seat comes twice in {attack}")
    if not 0 < len(attack) < players:
        raise PositionError(f"attack: {len(attack)} seats, expected 1…{players - 1}")


def _check_attack_has(half_points, bouts, seen, in_hands):
    """Check what the attack has against the cards in hands, `seen`, and their half points."""
    if bouts < 0 or bouts & ~BOUTS_MASK:
        raise PositionError("attack_bouts: more than the Petit, the 21 and the Excuse")
    if bouts & seen:
        held = next(iter(Hand.from_mask(bouts & seen)))
        raise PositionError(f"attack_bouts: {held} is still in a hand")
    least, most = _least(bouts), TOTAL - in_hands - _least(BOUTS_MASK & ~seen & ~bouts)
    if not least <= half_points <= most:
        raise PositionError(
            f"attack_half_points: {shown(half_points)} is not {least}…{most}, as the cards outside "
            "of the hands and the attack's bouts allow"
        )


def _least(bouts):
    """Return the half points that a camp with these bouts has at least."""
    return (1 + BOUT_BONUS) * bouts.bit_count() - (1 + BOUT_BONUS - EXCUSE_NET) * (
        bouts >> EXCUSE & 1
    )


def _called_card(called, players):
    """Return the number of the called card, `PACK` if there is none."""
    if called is None:
        return PACK
    card = index(called)
    if not 0 <= card < PLAIN_CARDS:
        raise PositionError(f"called: {shown(card)} is no suit card")
    if players != 5:
        raise PositionError(f"called: no card is called at {players} players")
    return card


def _rebuild(hands, options, plays):
    position = Position(hands, **options)
    for card in plays:
        position.play(card)
    return position


cdef uint64_t count_sequences(const State* state, int depth, uint64_t* counted) except 0 nogil:
    """Count the legal sequences; `counted` are those of the last plies, for Ctrl-C."""
    cdef Cards legal
    cdef State child
    cdef uint64_t nodes = 0
    if depth == 0 or state.tricks_left == 0:
        return 1
    legal = legal_cards(state)
    if depth == 1:
        counted[0] += 1
        if counted[0] & 0x1FFFFF == 0:  # some 20 ms
            check_signals()
        return popcount64(legal.suits) + popcount32(legal.trumps)
    while legal.suits:
        child = state[0]
        play_code(&child, lowest64(legal.suits))
        nodes += count_sequences(&child, depth - 1, counted)
        legal.suits &= legal.suits - 1
    while legal.trumps:
        child = state[0]
        play_code(&child, 64 + lowest32(legal.trumps))
        nodes += count_sequences(&child, depth - 1, counted)
        legal.trumps &= legal.trumps - 1
    return nodes


# ---------------------------------------------------------------------------
# Random play-outs: every player plays each legal card with the same probability.


cdef inline int pick(Cards legal, Draws* draws) noexcept nogil:
    cdef uint32_t suits = popcount64(legal.suits)
    cdef uint32_t choice = below(draws, suits + popcount32(legal.trumps))
    if choice < suits:
        return select64(legal.suits, choice)
    return 64 + select64(legal.trumps, choice - suits)


cdef void play_out(State* state, Draws* draws) noexcept nogil:
    while state.tricks_left:
        play_code(state, pick(legal_cards(state), draws))


cdef void write_result(const State* state, ResultRow* row) noexcept nogil:
    row.attack_half_points = state.attack_points
    row.bouts = popcount32(state.bouts)
    row.petit_au_bout = state.petit_au_bout
    row.chelem = chelem_of(state)


cdef enum:
    ROWS_AT_A_TIME = 1 << 14  # some 20 ms between looks for signals


cdef void play_rows(
    const State* start, Draws* draws, ResultRow* rows, Py_ssize_t count
) noexcept nogil:
    cdef State state
    cdef Py_ssize_t row
    for row in range(count):
        state = start[0]
        play_out(&state, draws)
        write_result(&state, &rows[row])


def random_playouts(Position position not None, n, bit_generator=None, *, seed=None):
    """Play a position out at random `n` times.

    Every legal card of the player to move is equally likely. The result is a function
    of the position and the generator's state.

    Parameters
    ----------
    position : Position
        Where to start; it is not changed.
    n : int
        Number of play-outs.
    bit_generator : int, SeedSequence, Generator, BitGenerator or None
        Where the random bits come from; its lock is held during the call. None is fresh
        entropy.
    seed
        Another name for `bit_generator`.

    Returns
    -------
    numpy.ndarray
        Of `RESULT_DTYPE`, shape (n,): half points and bouts of the attack, Petit au
        bout and chelem as in `Result`.

    Raises
    ------
    OptionError
        If `n` is negative.

    Examples
    --------
    >>> import numpy as np, tarot_sim as ts
    >>> deal = ts.Deal.random(rng=1)
    >>> position = Position(deal.hands, attack=[0], leader=0)
    >>> playouts = random_playouts(position, 3, seed=1)
    >>> bool((playouts == random_playouts(position, 3, np.random.PCG64DXSM(1))).all())
    True
    """
    cdef Draws draws
    cdef State start = position.state  # its own copy: another thread may play on
    cdef Py_ssize_t row = 0, count, rows = whole_number("n", n, 0)
    results = np.zeros(rows, RESULT_DTYPE)
    cdef ResultRow[::1] out = results
    bit_generator = bit_generator_of(seed, bit_generator)
    open_draws(&draws, bit_generator)
    with lock_of(bit_generator), nogil:
        while row < rows:
            count = min(rows - row, ROWS_AT_A_TIME)
            play_rows(&start, &draws, &out[row], count)
            row += count
            check_signals()
    return results
