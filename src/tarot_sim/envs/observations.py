"""What a learner is shown: planes of small numbers, from what its seat knows and nothing else.

An observation is one vector of uint8; `layout` tells where each plane lies in it, and `planes`
cuts it up. Seats are counted from the own one: 0 is oneself, 1 the neighbour to the right, who
bids and plays next. With n players and 78 cards in the order of their numbers:

================  ========  =================================================================
plane             shape     what it holds
================  ========  =================================================================
hand              78        the cards that one holds; with the dog while one discards
dog               78        the dog, once it has been shown to all
discard           78        the own écart, also while it is being made
shown_trumps      78        the trumps of the écart, which all have seen
called            78        the called card
played            n × 78    what each seat has played
trick_of          78        the number of the trick, from 1, that a card was played to
table             n × 78    the cards on the table
poignee_cards     n × 78    the cards that each seat has shown in a poignée
poignee           n × 3     the level of the poignée that it has shown
voids             n × 5     the suits that it has shown to hold no more, trumps last
ceiling           n         the highest trump that it may hold, for it has gone under a higher one
bids              n × 5     what it has said: pass, Prise, Garde, Garde sans, Garde contre
dealer            n         who deals
taker             n         who has taken
contract          4         Prise, Garde, Garde sans, Garde contre
partner           n + 1     five players: the taker's partner, where one knows; last: there is none
chelem            1         a chelem has been announced
phase             5         auction, call, discard, announce, play
to_move           n         who acts next
leader            n         who leads the trick on the table
tricks            n         tricks won
half_points       n         the half points in these tricks, no Excuse exchanged
trick             1         tricks played
================  ========  =================================================================

All but trick_of, ceiling, tricks, half_points and trick are 0 or 1. Who is asked for an
announcement sees that phase; for the others it is the play already, for that somebody may show
a poignée is not for them to know.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import prod
from typing import TYPE_CHECKING, Final

import numpy as np

from tarot_sim.cards import EXCUSE, HALF_POINTS, PACK, PETIT, Hand
from tarot_sim.notation import TRUMP
from tarot_sim.rules import TOTAL_HALF_POINTS, Rules
from tarot_sim.rules.announcements import LEVELS
from tarot_sim.rules.auction import BIDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

PHASES: Final = ("auction", "call", "discard", "announce", "play")
_SUITS: Final = 5
_HIGHEST: Final = 21


@dataclass(frozen=True, slots=True)
class Plane:
    """Where a part of the observation lies.

    Attributes
    ----------
    start
        Its first place.
    shape
        Its shape, rows of seats first.
    high
        The highest value that it holds.
    """

    start: int
    shape: tuple[int, ...]
    high: int

    @property
    def stop(self) -> int:
        """The place after its last."""
        return self.start + prod(self.shape)


@cache
def layout(players: int) -> dict[str, Plane]:
    """Return the planes of an observation by name, in their order.

    Examples
    --------
    >>> layout(4)["table"]
    Plane(start=780, shape=(4, 78), high=1)
    """
    n, tricks = players, Rules(players=players).hand_size
    shapes: dict[str, tuple[tuple[int, ...], int]] = {
        "hand": ((PACK,), 1),
        "dog": ((PACK,), 1),
        "discard": ((PACK,), 1),
        "shown_trumps": ((PACK,), 1),
        "called": ((PACK,), 1),
        "played": ((n, PACK), 1),
        "trick_of": ((PACK,), tricks),
        "table": ((n, PACK), 1),
        "poignee_cards": ((n, PACK), 1),
        "poignee": ((n, len(LEVELS)), 1),
        "voids": ((n, _SUITS), 1),
        "ceiling": ((n,), _HIGHEST),
        "bids": ((n, len(BIDS)), 1),
        "dealer": ((n,), 1),
        "taker": ((n,), 1),
        "contract": ((len(BIDS) - 1,), 1),
        "partner": ((n + 1,), 1),
        "chelem": ((1,), 1),
        "phase": ((len(PHASES),), 1),
        "to_move": ((n,), 1),
        "leader": ((n,), 1),
        "tricks": ((n,), tricks),
        "half_points": ((n,), TOTAL_HALF_POINTS),
        "trick": ((1,), tricks),
    }
    found, start = {}, 0
    for name, (shape, high) in shapes.items():
        found[name] = Plane(start, shape, high)
        start = found[name].stop
    return found


def size(players: int) -> int:
    """Return the length of an observation.

    Examples
    --------
    >>> size(3), size(4), size(5)
    (1245, 1500, 1755)
    """
    return list(layout(players).values())[-1].stop


def highest(players: int) -> NDArray[np.uint8]:
    """Return the highest value of each place of an observation."""
    planes_of = layout(players).values()
    return np.concatenate([np.full(prod(p.shape), p.high, np.uint8) for p in planes_of])


def planes(observation: NDArray[np.uint8], players: int) -> dict[str, NDArray[np.uint8]]:
    """Return the planes of an observation by name, as views of it.

    Parameters
    ----------
    observation
        uint8 (…, `size`): one observation, or a batch.
    players
        3, 4 or 5.
    """
    return {
        name: observation[..., plane.start : plane.stop].reshape(
            *observation.shape[:-1], *plane.shape
        )
        for name, plane in layout(players).items()
    }


class Sheets:
    """The observations of all seats, kept up to date as things happen.

    Each seat has a sheet that is written on when something happens that it sees. So a step
    costs a few bytes of each sheet, and an observation is a copy.

    Parameters
    ----------
    players
        3, 4 or 5.
    """

    __slots__ = (
        "_at",
        "_empty",
        "_high",
        "_led",
        "_no_cards",
        "_on_table",
        "_own",
        "_players",
        "_relative",
        "_rows",
        "_trick",
    )

    def __init__(self, players: int) -> None:
        self._players = players
        at = {name: plane.start for name, plane in layout(players).items()}
        self._at: dict[str, int] = at
        empty = bytearray(size(players))
        for seat in range(players):
            empty[at["ceiling"] + seat] = _HIGHEST
        self._empty = bytes(empty)
        self._no_cards = bytes(players * PACK)
        #: For each seat: what it is to each viewer.
        self._relative = tuple(
            tuple((seat - viewer) % players for viewer in range(players)) for seat in range(players)
        )
        self._rows: list[bytearray] = []
        self._own: tuple[int, ...] = ()
        self._on_table: list[int] = []
        self._led, self._high, self._trick = -1, 0, 0

    def observation(self, seat: int) -> NDArray[np.uint8]:
        """Return what a seat sees, in an array of its own."""
        return np.frombuffer(bytearray(self._rows[seat]), np.uint8)

    # What happens

    def deal(self, hands: Sequence[Hand], dealer: int) -> None:
        """Begin anew with dealt hands."""
        self._rows = [bytearray(self._empty) for _ in range(self._players)]
        self._own = tuple(hand.mask for hand in hands)
        self._on_table = []
        self._led, self._high, self._trick = -1, 0, 0
        for row, hand in zip(self._rows, hands, strict=True):
            start = self._at["hand"]
            for card in hand:
                row[start + card] = 1
        self._mark("dealer", dealer)

    def bid(self, seat: int, bid: int) -> None:
        """Write down what a seat has said: its place in `BIDS`."""
        self._mark("bids", seat, bid, len(BIDS))

    def take(self, taker: int, level: int) -> None:
        """Write down who has taken, with the contract of a place in `CONTRACTS`."""
        self._mark("taker", taker)
        self._all(self._at["contract"] + level)

    def call(self, taker: int, card: int) -> None:
        """Write down the called card; its holder knows what that means."""
        self._all(self._at["called"] + card)
        for viewer, row in enumerate(self._rows):
            if self._own[viewer] >> card & 1:
                row[self._at["partner"] + (self._players if viewer == taker else 0)] = 1

    def show_dog(self, dog: Hand, taker: int, called: int | None) -> None:
        """Turn the dog, which the taker takes up; with the called card in it nobody helps."""
        for card in dog:
            self._all(self._at["dog"] + card)
            self._rows[taker][self._at["hand"] + card] = 1
        if called is not None and called in dog:
            self._all(self._at["partner"] + self._players)

    def put_aside(self, taker: int, card: int) -> None:
        """Put a card of the taker's into the écart, which nobody else sees."""
        row = self._rows[taker]
        row[self._at["hand"] + card] = 0
        row[self._at["discard"] + card] = 1

    def show_trumps(self, trumps: Hand) -> None:
        """Show the trumps of a full écart to all."""
        for card in trumps:
            self._all(self._at["shown_trumps"] + card)

    def announce_chelem(self) -> None:
        """Write down that a chelem is announced."""
        self._all(self._at["chelem"])

    def show_poignee(self, seat: int, level: int, cards: Hand) -> None:
        """Show a poignée, of the level of a place in `LEVELS`."""
        self._mark("poignee", seat, level, len(LEVELS))
        for card in cards:
            self._mark("poignee_cards", seat, card, PACK)

    def play(self, seat: int, card: int, following: int | None) -> None:
        """Play a card to the trick, after which a seat acts; None where the trick is full."""
        at = self._at
        self._rows[seat][at["hand"] + card] = 0
        played, table, trick_of = at["played"] + card, at["table"] + card, at["trick_of"] + card
        number, to_move = self._trick + 1, at["to_move"]
        if following is None:
            following = seat
        for row, relative, after in zip(
            self._rows, self._relative[seat], self._relative[following], strict=True
        ):
            place = PACK * relative
            row[played + place] = 1
            row[table + place] = 1
            row[trick_of] = number
            row[to_move + relative] = 0
            row[to_move + after] = 1
        self._on_table.append(card)
        if card != EXCUSE:
            self._read(seat, card)

    def tell_partner(self, seat: int, taker: int) -> None:
        """Write down whose the called card was, which all have seen fall."""
        if seat == taker:
            self._all(self._at["partner"] + self._players)
        else:
            self._mark("partner", seat)

    def win(self, seat: int) -> None:
        """Let a seat win the full trick, so that the table is empty and the seat leads."""
        at, players = self._at, self._players
        tricks, points, trick = at["tricks"], at["half_points"], at["trick"]
        leader, to_move, table = at["leader"], at["to_move"], at["table"]
        worth = sum([HALF_POINTS[card] for card in self._on_table])
        nothing = self._no_cards
        for row, relative in zip(self._rows, self._relative[seat], strict=True):
            row[table : table + len(nothing)] = nothing
            row[tricks + relative] += 1
            row[points + relative] += worth
            row[trick] += 1
            row[leader : leader + players] = row[to_move : to_move + players] = _ONE[players][
                relative
            ]
        self._on_table = []
        self._led, self._high = -1, 0
        self._trick += 1

    def lead(self, seat: int) -> None:
        """Write down who leads the trick."""
        self._only("leader", seat)

    def turn(self, seat: int, phase: int | None = None) -> None:
        """Write down who acts next, and the phase where it changes: a place in `PHASES`."""
        self._only("to_move", seat)
        if phase is not None:
            start = self._at["phase"]
            ones = bytearray(len(PHASES))
            ones[phase] = 1
            for row in self._rows:
                row[start : start + len(PHASES)] = ones

    def ask(self, seat: int, phase: int) -> None:
        """Let a seat alone know that it is asked, in a phase that it alone sees."""
        row, at = self._rows[seat], self._at
        row[at["to_move"] : at["to_move"] + self._players] = bytes([1] + [0] * (self._players - 1))
        ones = bytearray(len(PHASES))
        ones[phase] = 1
        row[at["phase"] : at["phase"] + len(PHASES)] = ones

    # How it is written down

    def _all(self, place: int) -> None:
        for row in self._rows:
            row[place] = 1

    def _mark(self, name: str, seat: int, column: int = 0, width: int = 1) -> None:
        """Set one place of a seat's row in a plane, on every sheet."""
        start = self._at[name] + column
        for row, relative in zip(self._rows, self._relative[seat], strict=True):
            row[start + width * relative] = 1

    def _only(self, name: str, seat: int) -> None:
        """Let a plane of one place a seat have 1 at one seat and 0 at the others."""
        start, players = self._at[name], self._players
        for row, relative in zip(self._rows, self._relative[seat], strict=True):
            row[start : start + players] = _ONE[players][relative]

    def _read(self, seat: int, card: int) -> None:
        """Take in what a card tells of its player's hand."""
        suit = card // 14 if card < PETIT else TRUMP
        if self._led < 0:
            self._led = suit
        elif suit != self._led:
            self._mark("voids", seat, self._led, _SUITS)
            if suit != TRUMP:
                self._mark("voids", seat, TRUMP, _SUITS)
        if suit == TRUMP:
            trump = card - PETIT + 1
            if trump > self._high:
                self._high = trump
            else:
                start = self._at["ceiling"]
                for row, relative in zip(self._rows, self._relative[seat], strict=True):
                    row[start + relative] = min(row[start + relative], self._high - 1)


#: By number of players and by seat: that seat alone.
_ONE: Final = {
    players: tuple(bytes(seat == place for place in range(players)) for seat in range(players))
    for players in (3, 4, 5)
}
