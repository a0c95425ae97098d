"""A whole deal, step by step: auction, call, écart, announcements, play, score.

`Game` sees every card: it is the table, not a player. What it accepts is legal, and
what it has accepted cannot be taken back.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from operator import index
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex

from tarot_sim.arguments import one_of, seat_number, some
from tarot_sim.cards import CARDS, EXCUSE, Card, Hand
from tarot_sim.deals.deal import Deal, Misere, Poignee
from tarot_sim.deals.settlement import Settlement, settle
from tarot_sim.errors import BidError, HandError, IllegalPlayError
from tarot_sim.rules import DOG_CONTRACTS, Contract, Rules, checked_rules
from tarot_sim.rules.announcements import (
    MISERES,
    check_poignee,
    default_poignee,
    misere_reason,
    poignee_levels,
)
from tarot_sim.rules.auction import Auction, callable_cards
from tarot_sim.rules.discard import check_discard, shown_trumps
from tarot_sim.rules.names import MISERE_NAMES
from tarot_sim.rules.scoring import Score
from tarot_sim.rules.table import Bid, MisereKind, PoigneeLevel

if TYPE_CHECKING:
    from tarot_sim._core import Position
    from tarot_sim.deals.view import View

Phase = Literal["auction", "call", "discard", "play", "over"]

#: How a deal ended: with a score, because all passed, or because of a Petit sec.
Outcome = Literal["played", "passed", "petit_sec"]


class Game:
    """One deal, from the dealt hands to the score.

    The phases are ``"auction"``, ``"call"`` (five players), ``"discard"`` (Prise and
    Garde), ``"play"`` and ``"over"``; `to_move` is who acts next, and each method says
    in which phase it belongs.

    Parameters
    ----------
    hands
        The hands as dealt, by seat.
    dog
        The dog.
    dealer
        Seat of the dealer; the auction and the play begin at the dealer's right.
    rules
        The table and its options; the default ones for as many players as hands.

    Raises
    ------
    HandError
        If these are not the 78 cards, or not dealt as the table deals them.
    BidError
        If `dealer` is no seat.

    Examples
    --------
    >>> from tarot_sim.cards import FULL_PACK
    >>> pack = list(FULL_PACK)
    >>> game = Game([Hand(pack[seat:72:4]) for seat in range(4)], Hand(pack[72:]), dealer=3)
    >>> game.phase, game.to_move
    ('auction', 0)
    """

    __slots__ = ("_deal", "_outcome", "_phase", "_position", "_settlement", "auction")

    auction: Auction

    def __init__(
        self,
        hands: Sequence[SupportsIndex],
        dog: SupportsIndex,
        *,
        dealer: int,
        rules: Rules | None = None,
    ) -> None:
        hands = some("hands", hands, HandError)
        rules = None if rules is None else checked_rules(rules)
        if len(hands) not in ((3, 4, 5) if rules is None else (rules.players,)):
            expected = "3, 4 or 5" if rules is None else rules.players
            raise HandError(f"hands: {len(hands)} hands, expected {expected}")
        rules = Rules(players=len(hands)) if rules is None else rules
        self.auction = Auction(dealer, rules)
        #: All that has happened before the play of the cards.
        self._deal = Deal(
            players=rules.players,
            dealer=self.auction.dealer,
            hands=tuple(Hand.from_mask(index(hand)) for hand in hands),
            dog=Hand.from_mask(index(dog)),
            rules=rules,
        )
        self._position: Position | None = None
        self._settlement: Settlement | None = None
        self._outcome: Outcome | None = None
        self._phase: Phase = "auction"
        if rules.petit_sec == "cancel" and any(hand.is_petit_sec() for hand in self.dealt):
            self._phase, self._outcome = "over", "petit_sec"

    # What has happened so far

    @property
    def deal(self) -> Deal:
        """The record of the deal so far."""
        plays = self.plays
        return replace(self._deal, plays=plays) if plays else self._deal

    @property
    def rules(self) -> Rules:
        """The table."""
        return self._deal.rules

    @property
    def dealer(self) -> int:
        """Seat of the dealer."""
        return self.auction.dealer

    @property
    def dealt(self) -> tuple[Hand, ...]:
        """The hands as dealt, by seat."""
        return self._deal.hands

    @property
    def dog(self) -> Hand:
        """The dog."""
        return self._deal.dog

    @property
    def phase(self) -> Phase:
        """What is done next."""
        return self._phase

    @property
    def outcome(self) -> Outcome | None:
        """How the deal ended, None until it is over; only ``"played"`` has a score."""
        return self._outcome

    @property
    def players(self) -> int:
        """Number of players."""
        return self.rules.players

    @property
    def to_move(self) -> int | None:
        """Seat of the player who acts next, None when the deal is over."""
        if self._phase == "auction":
            return self.auction.to_speak
        if self._position is not None:
            return self._position.to_move
        return self.taker

    @property
    def taker(self) -> int | None:
        """Seat of the taker, None until the auction is over."""
        return self.auction.taker if self.auction.is_over else None

    @property
    def contract(self) -> Contract | None:
        """The contract, None until the auction is over."""
        return self.auction.contract if self.auction.is_over else None

    @property
    def called(self) -> Card | None:
        """Five players: the called card."""
        return self._deal.called

    @property
    def partner(self) -> int | None:
        """Five players: seat of the taker's partner, None for a taker who is alone.

        The table knows it as soon as a card is called, the players do not.
        """
        return self._deal.associate if self._deal.called is not None else None

    @property
    def attack(self) -> tuple[int, ...]:
        """The seats of the attack; none until there is a taker."""
        return tuple(seat for seat in (self.taker, self.partner) if seat is not None)

    @property
    def takes_dog(self) -> bool:
        """Whether the contract shows the dog to all and gives it to the taker."""
        return self.contract in DOG_CONTRACTS

    @property
    def discarded(self) -> Hand | None:
        """The écart, None until it is made; only the taker may know all of it."""
        return self._deal.discard

    @property
    def shown_trumps(self) -> Hand:
        """The trumps of the écart, which the taker has shown to all."""
        return Hand() if self.discarded is None else shown_trumps(self.discarded)

    @property
    def chelem_announced(self) -> bool:
        """Whether the taker has announced a chelem."""
        return self._deal.chelem

    @property
    def poignees(self) -> tuple[Poignee, ...]:
        """The poignées shown so far."""
        return self._deal.poignees

    @property
    def miseres(self) -> tuple[Misere, ...]:
        """The misères shown so far, by a house rule."""
        return self._deal.miseres

    @property
    def position(self) -> Position | None:
        """A copy of the position in the play of the cards, None before the play."""
        return None if self._position is None else self._position.copy()

    @property
    def hands(self) -> tuple[Hand, ...]:
        """What each player holds now; with the dog while the taker discards."""
        if self._position is not None:
            return self._position.hands
        hands = list(self.dealt)
        if self._phase == "discard" and self.taker is not None:
            hands[self.taker] |= self.dog
        return tuple(hands)

    @property
    def trick(self) -> tuple[tuple[int, Card], ...]:
        """The cards on the table as (seat, card), in the order they were played."""
        return () if self._position is None else self._position.trick

    @property
    def plays(self) -> tuple[Card, ...]:
        """Every card played so far, in order."""
        return () if self._position is None else self._position.plays

    @property
    def score(self) -> Score | None:
        """The score, None until every card is played."""
        return None if self._settlement is None else self._settlement.score

    @property
    def scores(self) -> tuple[int, ...] | None:
        """The score by seat, None until every card is played."""
        return None if self._settlement is None else self._settlement.scores

    # What may be done next

    def legal_bids(self) -> tuple[Bid, ...]:
        """Return what the player to speak may say; nothing outside of the auction."""
        return self.auction.legal_bids() if self._phase == "auction" else ()

    def callable_cards(self) -> list[Card]:
        """Return the cards that the taker may call; nothing outside of the call."""
        if self._phase != "call" or self.taker is None:
            return []
        return callable_cards(self.dealt[self.taker], self.rules)

    def legal_cards(self) -> list[Card]:
        """Return the cards that the player to move may play; nothing outside of the play."""
        if self._phase != "play" or self._position is None:
            return []
        return self._position.legal_cards()

    def may_announce_chelem(self) -> bool:
        """Tell whether the taker may announce a chelem now: before the first card."""
        return self._phase == "play" and not self.plays and not self._deal.chelem

    def legal_poignees(self) -> tuple[PoigneeLevel, ...]:
        """Return the poignées that the player to move may show now, the lowest first."""
        seat = self.to_move
        if self._phase != "play" or seat is None or not self._may_still_show(seat):
            return ()
        held = self.showable(seat)
        return poignee_levels(len(held.trumps), EXCUSE in held, self.rules)

    def showable(self, seat: int) -> Hand:
        """Return the cards among which `seat`'s poignée is: for the taker with the écart."""
        seat = seat_number("seat", seat, self.players)
        held = self.hands[seat]
        if seat == self.taker and self.discarded is not None:
            held |= self.discarded
        return held

    # Doing it

    def bid(self, bid: Bid) -> None:
        """Auction: let the player to speak pass or name a contract.

        Raises
        ------
        BidError
            If it is not the time, or the bid is not allowed.
        """
        self._expect("auction", "bid")
        self.auction.bid(bid)
        if not self.auction.is_over:
            return
        if self.auction.taker is None:
            self._phase, self._outcome = "over", "passed"
            return
        self._deal = replace(self._deal, taker=self.taker, contract=self.contract)
        if self.players == 5:
            self._phase = "call"
        else:
            self._turn_dog()

    def call(self, card: int | str) -> None:
        """Call, five players: name the card whose holder is the taker's partner.

        Raises
        ------
        BidError
            If it is not the time, or the card may not be called.
        CardError
            If `card` names no card.
        """
        self._expect("call", "call")
        called = _card(card)
        allowed = self.callable_cards()
        if called not in allowed:
            names = ", ".join(map(str, allowed))
            raise BidError(f"call: {called} may not be called, only {names}")
        self._deal = replace(self._deal, called=called)
        self._turn_dog()

    def discard(self, cards: Hand | str | Iterable[int]) -> None:
        """Discard, Prise and Garde: make the écart from the taker's hand and the dog.

        Raises
        ------
        BidError
            If it is not the time, or the écart is not legal; the message names the card.
        CardError, HandError
            If `cards` are no set of cards.
        """
        taker = self._expect("discard", "discard")
        discarded = Hand(cards)
        check_discard(self.dealt[taker] | self.dog, discarded, self.rules)
        self._deal = replace(self._deal, discard=discarded)
        self._start_play()

    def announce_chelem(self) -> None:
        """Play, before the first card: let the taker announce a chelem, and so lead.

        Raises
        ------
        BidError
            If it is not the time.
        """
        self._expect("play", "chelem")
        if self._deal.chelem:
            raise BidError("chelem: it has been announced already")
        if self.plays:
            raise BidError(f"chelem: it is announced before the first card, {self.plays[0]}")
        self._deal = replace(self._deal, chelem=True)
        self._start_play()

    def show_poignee(
        self, level: PoigneeLevel, cards: Hand | str | Iterable[int] | None = None
    ) -> Poignee:
        """Play, before one's first card: let the player to move show a poignée.

        Parameters
        ----------
        level
            ``"simple"``, ``"double"`` or ``"triple"``.
        cards
            What is shown; by default the highest trumps.

        Raises
        ------
        BidError
            If it is not the time, or the cards are no such poignée.
        CardError, HandError
            If `cards` are no set of cards.
        """
        self._expect("play", "poignee")
        seat = self._seat_to_move()
        if not self._may_still_show(seat):
            raise BidError(f"poignee: seat {seat} has shown one or has played a card already")
        held = self.showable(seat)
        shown = default_poignee(held, level, self.rules) if cards is None else Hand(cards)
        check_poignee(held, shown, level, self.rules)
        poignee = Poignee(seat, level, shown)
        self._deal = replace(self._deal, poignees=(*self._deal.poignees, poignee))
        return poignee

    def legal_miseres(self) -> tuple[MisereKind, ...]:
        """Return the misères that the player to move may show now, by a house rule."""
        seat = self.to_move
        in_time = self._phase == "play" and len(self.plays) < self.players
        if seat is None or not in_time or not self.rules.misere:
            return ()
        held = self._had(seat)
        return tuple(
            kind
            for kind in MISERES
            if Misere(seat, kind) not in self.miseres and misere_reason(held, kind) is None
        )

    def show_misere(self, kind: MisereKind) -> Misere:
        """Play, before one's first card, by a house rule: let the player to move show a misère.

        Parameters
        ----------
        kind
            ``"trumps"`` or ``"courts"``: what the hand is without.

        Raises
        ------
        BidError
            If it is not the time, or the hand is no such misère.
        """
        self._expect("play", "misere")
        seat = self._seat_to_move()
        kind = MISERE_NAMES.get(kind)
        one_of("misere", kind, MISERES, BidError)
        if not self.rules.misere:
            raise BidError("misere: shown by a house rule only")
        reason = misere_reason(self._had(seat), kind)
        if reason is not None:
            raise BidError(reason)
        if kind not in self.legal_miseres():
            raise BidError(f"misere: seat {seat} has shown it or has played a card already")
        misere = Misere(seat, kind)
        self._deal = replace(self._deal, miseres=(*self.miseres, misere))
        return misere

    def _had(self, seat: int) -> Hand:
        """Return all that a seat has had in hand: for the taker with the dog."""
        takes = seat == self.taker and self.takes_dog
        return self.dealt[seat] | self.dog if takes else self.dealt[seat]

    def play(self, card: int | str) -> None:
        """Play: let the player to move play `card`, its number or its name.

        Raises
        ------
        IllegalPlayError
            If it is not the time, or the card may not be played; the message names the
            card and the reason.
        CardError
            If `card` names no card.
        """
        if self._phase != "play" or self._position is None:
            raise IllegalPlayError(
                f"card {_card(card)}: no card is played, the phase is {self._phase}"
            )
        self._position.play(card)
        if self._position.is_over:
            self._settlement = settle(self._deal, self._position)
            self._phase, self._outcome = "over", "played"

    def view(self, seat: int) -> View:
        """Return what a seat knows now, and nothing else.

        Raises
        ------
        RecordError
            If the deal is over, or there is no such seat.
        """
        from tarot_sim.deals.view import View

        return View.of(self, seat)

    def to_record(self) -> dict[str, Any]:
        """Return the deal so far as a deal record (schema 1), ready for JSON.

        Options of the game that are not the default are under the key ``rules``.
        """
        return self.deal.to_dict()

    def copy(self) -> Game:
        """Return a game that goes on from here on its own."""
        other = Game.__new__(Game)
        for name in self.__slots__:
            setattr(other, name, getattr(self, name))
        other.auction = self.auction.copy()
        other._position = self.position
        return other

    __copy__ = copy

    def __repr__(self) -> str:
        return (
            f"<Game of {self.players}: {self._phase}, to move {self.to_move}, "
            f"taker {self.taker}, {self.contract}, {len(self.plays)} cards played>"
        )

    def _expect(self, phase: Phase, field: str) -> int:
        """Raise unless it is the time for `field`; return the seat to move."""
        if self._phase != phase:
            raise BidError(f"{field}: it is not the time, the phase is {self._phase}")
        return self._seat_to_move()

    def _seat_to_move(self) -> int:
        seat = self.to_move
        if seat is None:
            raise BidError("the deal is over")
        return seat

    def _may_still_show(self, seat: int) -> bool:
        # Nobody plays twice in the first trick, so whoever is to move in it has not played.
        return len(self.plays) < self.players and all(seat != one.seat for one in self.poignees)

    def _turn_dog(self) -> None:
        if self.takes_dog:
            self._phase = "discard"
        else:
            self._start_play()

    def _start_play(self) -> None:
        self._position = self._deal.position()
        self._phase = "play"


def _card(card: int | str) -> Card:
    return CARDS[Card(card)]
