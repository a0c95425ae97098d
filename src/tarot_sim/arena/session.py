"""A person plays a deal against bots: whose turn it is, what they do, and taking it back.

A `Session` speaks and prints nothing: what has happened comes out as events, what the person
does goes in as methods, so a terminal and a page can drive the same one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Literal

from numpy.random import SeedSequence

from tarot_sim.arena.happenings import Event, events_between, tricks_of
from tarot_sim.arena.tables import ask_for_chelem, step
from tarot_sim.arguments import one_of, seat_number
from tarot_sim.bots import make
from tarot_sim.bots.advising import Advice, advise
from tarot_sim.bots.player import Decision
from tarot_sim.cards import EXCUSE, PETIT, ROIS_MASK, SUIT_MASKS, Hand
from tarot_sim.deals.view import View
from tarot_sim.errors import BidError, OptionError
from tarot_sim.notation import TRUMP
from tarot_sim.rules.discard import discardable

if TYPE_CHECKING:
    from tarot_sim.bots.player import Bot
    from tarot_sim.cards import Card
    from tarot_sim.deals.game import Game
    from tarot_sim.deals.replaying import Trick
    from tarot_sim.rules.table import Bid

Turn = Literal["bid", "call", "discard", "announce", "play"]

#: Who gives hints, and judges what was done.
ADVISOR: Final = "search:worlds=400"
_TURNS: Final[dict[str, Turn]] = {
    "auction": "bid", "call": "call", "discard": "discard", "play": "play",
}  # fmt: skip
_PHASES: Final = tuple(_TURNS)
#: What players count: trumps, the Excuse, Rois.
_COUNTED_MASK: Final = SUIT_MASKS[TRUMP] | 1 << EXCUSE | ROIS_MASK


@dataclass(frozen=True, slots=True)
class Choice:
    """A decision of the person.

    Attributes
    ----------
    turn
        What was to be decided: ``bid``, ``call``, ``discard``, ``announce`` or ``play``.
    view
        What the person knew.
    chosen
        What they did: a bid, a card, an écart; of ``announce`` what was announced, or None.
    """

    turn: Turn
    view: View
    chosen: Any


class Session:
    """One deal of a person against bots.

    Call `advance` until it yields nothing more: then it is the person's `turn`, or the deal is
    over. A bot's choice depends on the seed and on what has happened before, not on what was
    taken back.

    Parameters
    ----------
    game
        The deal, of which a copy is played.
    seat
        The person's seat.
    bots
        Names of the bots of the other seats, the lowest seat first; one name is for all.
    seed
        Where the choices of the bots and of the advisor come from.
    number
        Which deal of an evening it is: its choices come from random numbers of their own.

    Raises
    ------
    OptionError
        If the seat is none of the table's, a bot is not known, or their number is wrong.

    Examples
    --------
    >>> import tarot_sim as ts
    >>> from tarot_sim.deals.game import Game
    >>> deal = ts.Deal.random(seed=1, dealer=3)
    >>> session = Session(Game(deal.hands, deal.dog, dealer=3), 1, ["rules"])
    >>> [(event.kind, event.seat) for event in session.advance()], session.turn
    ([('bid', 0)], 'bid')
    """

    def __init__(
        self, game: Game, seat: int, bots: Sequence[str], *, seed: int = 0, number: int = 0
    ) -> None:
        self.seat = seat_number("seat", seat, game.players, OptionError)
        self._game = game.copy()
        self._seed = seed
        self._number = number
        self._names = names_by_seat(bots, self.seat, game.players)
        self._settled: frozenset[str] = frozenset()
        self._past: list[tuple[Game, frozenset[str], Choice]] = []

    @property
    def game(self) -> Game:
        """A copy of the table, with all cards in view: for a record, or when all is over."""
        return self._game.copy()

    @property
    def names(self) -> tuple[str | None, ...]:
        """By seat the bot's name, None for the person."""
        return self._names

    @property
    def is_over(self) -> bool:
        """Whether the deal is over."""
        return self._game.phase == "over"

    @property
    def view(self) -> View:
        """What the person knows.

        Raises
        ------
        RecordError
            If the deal is over.
        """
        return View.of(self._game, self.seat)

    @property
    def turn(self) -> Turn | None:
        """What the person has to decide; None while it is another's turn, or all is over."""
        if self.announcements():
            return "announce"
        if self._game.to_move != self.seat:
            return None
        return _TURNS.get(self._game.phase)

    @property
    def tricks(self) -> tuple[Trick, ...]:
        """The tricks so far, the one on the table last."""
        return tricks_of(self._game)

    def record(self) -> dict[str, Any]:
        """Return the deal so far as a deal record (schema 1), its auction included."""
        bids = tuple(bid for _, bid in self._game.auction.history)
        return replace(self._game.deal, auction=bids).to_dict()

    @property
    def choices(self) -> tuple[Choice, ...]:
        """What the person has decided so far."""
        return tuple(choice for *_, choice in self._past)

    def announcements(self) -> tuple[str, ...]:
        """Return what the person may announce now and has not been asked about.

        Levels of a poignée, and ``chelem``: of the taker before the first card, whoever leads.
        """
        game, seat = self._game, self.seat
        if game.phase != "play" or len(game.plays) >= game.players:
            return ()
        found: tuple[str, ...] = ()
        if "poignee" not in self._settled and game.to_move == seat:
            found = tuple(game.legal_poignees())
        if "chelem" not in self._settled and game.taker == seat and game.may_announce_chelem():
            found = (*found, "chelem")
        return found

    def may_go(self) -> Hand:
        """Return the cards that may be in the person's écart; none if it is not their turn."""
        if self.turn != "discard":
            return Hand()
        fixed, free = discardable(self.view.start, self._game.rules)
        return fixed | free

    def still_out(self) -> Hand:
        """Return the trumps, the Excuse and the Rois that others have yet to play.

        As far as the person can tell: some may lie in a dog that nobody has seen.
        """
        view = self.view
        return Hand.from_mask((view.unseen.mask & ~view.shown_trumps.mask) & _COUNTED_MASK)

    # The others

    def advance(self) -> Iterator[Event]:
        """Let the bots act until it is the person's turn; yield what happens as it does."""
        while not self.is_over and self.turn is None:
            before = self._game.copy()
            step(self._game, self._bots())
            yield from events_between(before, self._game)
        # Where the person leads to a bot's contract, that bot announces first.
        game = self._game
        if game.phase == "play" and not game.plays and game.taker != self.seat:
            before = game.copy()
            ask_for_chelem(game, self._bots())
            if game.chelem_announced and not before.chelem_announced:
                yield from events_between(before, game)
                yield from self.advance()

    def _bots(self) -> list[Bot]:
        # In the person's place is one that says nothing where the taker is asked for a chelem.
        view = View.of(self._game, self.seat)
        return [
            make(name or "rules", self.random(view, seat)) for seat, name in enumerate(self._names)
        ]

    def random(self, view: View, who: int | Literal["advisor", "judge"]) -> SeedSequence:
        """Return the random numbers of a seat, or of another who looks on, for a decision."""
        if isinstance(who, str):
            who = view.players + ("advisor", "judge").index(who)
        made = len(view.auction) + len(view.plays)
        phase = _PHASES.index(view.phase)
        return SeedSequence(self._seed, spawn_key=(self._number, who, phase, made))

    # The person

    def bid(self, bid: Bid) -> tuple[Event, ...]:
        """Let the person pass or name a contract; return what happened.

        Raises
        ------
        BidError
            If it is not the time, or the bid is not allowed.
        """
        return self._act("bid", bid)

    def call(self, card: Card) -> tuple[Event, ...]:
        """Five players: let the person call a card; return what happened.

        Raises
        ------
        BidError
            If it is not the time, or the card may not be called.
        """
        return self._act("call", card)

    def discard(self, cards: Hand) -> tuple[Event, ...]:
        """Let the person make the écart; return what happened.

        Raises
        ------
        BidError
            If it is not the time, or the écart is not legal; the message names the card.
        """
        return self._act("discard", cards)

    def play(self, card: Card) -> tuple[Event, ...]:
        """Let the person play a card; return what happened.

        Raises
        ------
        IllegalPlayError
            If the card may not be played; the message says why.
        BidError
            If it is not the time.
        """
        return self._act("play", card)

    def announce(self, what: str | None) -> tuple[Event, ...]:
        """Let the person announce one of `announcements`, or nothing more; return what happened.

        Raises
        ------
        BidError
            If it is not the time, or this may not be announced.
        """
        offered = self.announcements()
        if what is not None:
            one_of("announcement", what, offered, BidError)
        return self._act("announce", what)

    def _act(self, turn: Turn, chosen: Any) -> tuple[Event, ...]:
        if self.turn != turn:
            raise BidError(f"{turn}: it is not the time for it")
        before, settled = self._game.copy(), self._settled
        choice = Choice(turn, self.view, chosen)
        if turn == "announce":
            self._announce(chosen)
        else:
            getattr(self._game, turn)(chosen)
        self._past.append((before, settled, choice))
        return tuple(events_between(before, self._game))

    def _announce(self, what: str | None) -> None:
        offered = self.announcements()
        if what is None:
            self._settled |= {"chelem" if name == "chelem" else "poignee" for name in offered}
        elif what == "chelem":
            self._game.announce_chelem()
        else:
            self._game.show_poignee(what)  # type: ignore[arg-type]  # one of those offered

    def undo(self) -> Choice | None:
        """Take the person's last decision back, and all that followed; return it.

        None if they have not decided anything yet.
        """
        if not self._past:
            return None
        self._game, self._settled, choice = self._past.pop()
        return choice

    def refusal(self, card: Card) -> str:
        """Return why a card that the person holds is refused: a word.

        ``must_follow`` suit, ``must_trump``, ``must_overtrump``, or ``called_suit``, which the
        first trick may not be led in.
        """
        view = self.view
        led = next((other for _, other in view.trick if other != EXCUSE), None)
        if led is None:
            return "called_suit"
        if led < PETIT and any(held.suit == led.suit for held in view.holding):
            return "must_follow"
        return "must_overtrump" if card.suit == TRUMP else "must_trump"

    def hint(self) -> Advice:
        """Return what the advisor would do, from what the person knows.

        Raises
        ------
        BidError
            If it is not the person's turn.
        """
        if self.turn is None:
            raise BidError("hint: it is not your turn")
        bot = self.advisor(self.view)
        if self.turn == "announce":
            said = bot.announce(self.view)
            return Advice(self.seat, "announce", Decision(said), said.poignee, said.chelem)
        return advise(self.view, bot)

    def advisor(self, view: View) -> Bot:
        """Return who gives hints, for what the person decides with this view."""
        return make(ADVISOR, self.random(view, "advisor"))


def names_by_seat(bots: Sequence[str], seat: int, players: int) -> tuple[str | None, ...]:
    """Return the bots' names by seat, None for the person's.

    Raises
    ------
    OptionError
        If their number is wrong, or one is not known.

    Examples
    --------
    >>> names_by_seat(["rules"], 1, 3)
    ('rules', None, 'rules')
    """
    others = players - 1
    if len(bots) not in (1, others):
        raise OptionError(f"bots: {len(bots)} names, expected 1 or {others}")
    for name in bots:
        make(name)
    names: list[str | None] = [*bots] if len(bots) == others else [*bots] * others
    names.insert(seat, None)
    return tuple(names)
