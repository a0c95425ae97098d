"""What one seat knows of a deal, and nothing else.

A `View` is made by a `Game`, or from a record with nothing but what the seat may know; it
never holds another hand, so who is given one cannot look at more than a player would see.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Literal

from tarot_sim.arguments import instance_of, seat_number
from tarot_sim.cards import (
    BOUTS_MASK,
    CARDS,
    EXCUSE,
    FULL_MASK,
    PETIT,
    ROIS_MASK,
    SUIT_MASKS,
    Card,
    Hand,
)
from tarot_sim.deals.game import Game
from tarot_sim.deals.view_checks import check_play, plain_fields
from tarot_sim.errors import RecordError
from tarot_sim.notation import TRUMP
from tarot_sim.rules import DOG_CONTRACTS, Contract, Rules
from tarot_sim.rules.announcements import poignee_levels
from tarot_sim.rules.auction import Auction, callable_cards
from tarot_sim.rules.table import Bid, PoigneeLevel

if TYPE_CHECKING:
    from tarot_sim.deals.deal import Poignee

ViewPhase = Literal["auction", "call", "discard", "play"]

_TRUMPS_MASK: Final = SUIT_MASKS[TRUMP]
_PLAIN_MASK: Final = FULL_MASK & ~(_TRUMPS_MASK | ROIS_MASK | BOUTS_MASK)
_HIGHEST: Final = 21


@dataclass(frozen=True)
class View:
    """What a seat knows.

    Attributes
    ----------
    rules
        The table.
    seat
        Whose view it is.
    dealer
        The dealer's seat.
    hand
        The seat's cards as dealt.
    phase
        What is done next: ``auction``, ``call``, ``discard`` or ``play``.
    auction
        The bids so far, from the dealer's right.
    taker, contract
        None while the auction lasts.
    called
        Five players: the called card.
    dog
        The dog, where it was shown: in a Prise or a Garde once the auction is over.
    discard
        The écart; of the taker's view only.
    shown_trumps
        The trumps of the écart, which all have seen.
    chelem
        Whether the taker announced a chelem.
    poignees
        The poignées shown.
    plays
        The cards in the order of play.

    Raises
    ------
    RecordError
        If it holds what the seat cannot know, or contradicts itself.
    """

    rules: Rules
    seat: int
    dealer: int
    hand: Hand
    phase: ViewPhase
    auction: tuple[Bid, ...] = ()
    taker: int | None = None
    contract: Contract | None = None
    called: Card | None = None
    dog: Hand | None = None
    discard: Hand | None = None
    shown_trumps: Hand = field(default_factory=Hand)
    chelem: bool = False
    poignees: tuple[Poignee, ...] = ()
    plays: tuple[Card, ...] = ()

    def __post_init__(self) -> None:
        for name, value in plain_fields(self).items():
            object.__setattr__(self, name, value)
        check_play(self)

    @classmethod
    def of(cls, game: Game, seat: int) -> View:
        """Return what a seat knows of a game; also reached as `Game.view`.

        Raises
        ------
        RecordError
            If the deal is over, or there is no such seat.
        """
        game = instance_of("game", game, Game)
        if game.phase == "over":
            raise RecordError("view: the deal is over")
        seat = seat_number("seat", seat, game.players, RecordError)
        own = seat == game.taker
        dog_seen = game.takes_dog and game.phase in ("discard", "play")
        return assembled(  # a game is right
            rules=game.rules,
            seat=seat,
            dealer=game.dealer,
            hand=game.dealt[seat],
            phase=game.phase,
            auction=tuple(bid for _, bid in game.auction.history),
            taker=game.taker,
            contract=game.contract,
            called=game.called,
            dog=game.dog if dog_seen else None,
            discard=game.discarded if own else None,
            shown_trumps=game.shown_trumps,
            chelem=game.chelem_announced,
            poignees=game.poignees,
            plays=game.plays,
        )

    # What follows from it

    @property
    def players(self) -> int:
        """Number of players."""
        return self.rules.players

    @property
    def takes_dog(self) -> bool:
        """Whether the contract shows the dog to all and gives it to the taker."""
        return self.contract in DOG_CONTRACTS

    @property
    def is_taker(self) -> bool:
        """Whether the seat is the taker's."""
        return self.seat == self.taker

    @property
    def in_attack(self) -> bool:
        """Whether the seat is in the attack, as it knows itself."""
        return self.is_taker or (self.called is not None and self.called in self.hand)

    @cached_property
    def start(self) -> Hand:
        """The cards that the seat has at the first trick; with the dog before an écart."""
        if not self.is_taker or self.dog is None:
            return self.hand
        both = self.hand | self.dog
        return both if self.discard is None else both - self.discard

    @property
    def first_leader(self) -> int:
        """The seat that leads to the first trick."""
        if self.chelem and self.taker is not None:
            return self.taker
        return (self.dealer + 1) % self.players

    @cached_property
    def tricks(self) -> tuple[tuple[tuple[int, Card], ...], ...]:
        """The tricks as (seat, card), the one on the table last; empty if none is begun."""
        players, leader, tricks = self.players, self.first_leader, []
        for start in range(0, len(self.plays), players):
            cards = self.plays[start : start + players]
            trick = tuple(((leader + place) % players, card) for place, card in enumerate(cards))
            tricks.append(trick)
            if len(trick) == players:
                leader = _winner(trick)
        return tuple(tricks)

    @cached_property
    def trick(self) -> tuple[tuple[int, Card], ...]:
        """The cards on the table as (seat, card), in order."""
        if len(self.plays) % self.players == 0:
            return ()
        return self.tricks[-1]

    @cached_property
    def to_move(self) -> int:
        """Who acts next."""
        if self.phase == "auction":
            return (self.dealer + 1 + len(self.auction)) % self.players
        if self.phase in ("call", "discard"):
            assert self.taker is not None
            return self.taker
        if not self.plays:
            return self.first_leader
        last = self.tricks[-1]
        if len(last) == self.players:
            return _winner(last)
        return (last[-1][0] + 1) % self.players

    @cached_property
    def played(self) -> tuple[Hand, ...]:
        """What each seat has played."""
        masks = [0] * self.players
        for trick in self.tricks:
            for seat, card in trick:
                masks[seat] |= 1 << card
        return tuple(Hand.from_mask(mask) for mask in masks)

    @cached_property
    def holding(self) -> Hand:
        """The cards that the seat holds now."""
        return self.start - self.played[self.seat]

    @property
    def showable(self) -> Hand:
        """The cards among which the seat's poignée is: for the taker with the écart."""
        return self.holding if self.discard is None else self.holding | self.discard

    def may_announce_chelem(self) -> bool:
        """Tell whether the seat may announce a chelem now."""
        return self.phase == "play" and self.is_taker and not self.plays and not self.chelem

    def legal_poignees(self) -> tuple[PoigneeLevel, ...]:
        """Return the poignées that the seat may show now, the lowest first."""
        if self.phase != "play" or self.to_move != self.seat or self.played[self.seat]:
            return ()
        if any(poignee.seat == self.seat for poignee in self.poignees):
            return ()
        held = self.showable
        return poignee_levels(len(held.trumps), EXCUSE in held, self.rules)

    def legal_bids(self) -> tuple[Bid, ...]:
        """Return what the seat may say; nothing when it is not its turn."""
        if self.phase != "auction" or self.to_move != self.seat:
            return ()
        auction = Auction(self.dealer, self.rules)
        for bid in self.auction:
            auction.bid(bid)
        return auction.legal_bids()

    def callable_cards(self) -> list[Card]:
        """Return the cards that the seat may call; nothing when it is not its turn."""
        if self.phase != "call" or not self.is_taker:
            return []
        return callable_cards(self.hand, self.rules)

    def legal_cards(self) -> list[Card]:
        """Return the cards that the seat may play; nothing when it is not its turn."""
        if self.phase != "play" or self.to_move != self.seat:
            return []
        held, trick = self.holding.mask, self.trick
        legal = _legal(held, trick)
        if not trick and not self.plays and self.called is not None and self.called < PETIT:
            banned = SUIT_MASKS[self.called // 14] & ~(1 << self.called)
            legal = legal & ~banned or legal
        return list(Hand.from_mask(legal))

    @cached_property
    def voids(self) -> tuple[frozenset[int], ...]:
        """By seat, the suits that it has shown to hold no more: 0…3, and 4 for trumps."""
        return self._shown[0]

    @cached_property
    def ceilings(self) -> tuple[int, ...]:
        """By seat, the highest trump that it may still hold by what it has shown."""
        return self._shown[1]

    @cached_property
    def _shown(self) -> tuple[tuple[frozenset[int], ...], tuple[int, ...]]:
        voids: list[set[int]] = [set() for _ in range(self.players)]
        ceilings = [_HIGHEST] * self.players
        for trick in self.tricks:
            led: int | None = None
            high = 0
            for seat, card in trick:
                if card == EXCUSE:
                    continue
                suit = card // 14 if card < PETIT else TRUMP
                trump = card - PETIT + 1 if suit == TRUMP else 0
                if led is None:
                    led = suit
                elif suit != led:
                    voids[seat].add(led)
                    if suit != TRUMP:
                        voids[seat].add(TRUMP)
                if suit == TRUMP and trump < high:
                    ceilings[seat] = min(ceilings[seat], high - 1)
                high = max(high, trump)
        return tuple(map(frozenset, voids)), tuple(ceilings)

    @cached_property
    def unseen(self) -> Hand:
        """The cards that may be in more than one place: not held, played, nor discarded here."""
        seen = self.start.mask | sum(1 << card for card in self.plays)
        if self.discard is not None:
            seen |= self.discard.mask
        return Hand.from_mask(FULL_MASK & ~seen)

    @cached_property
    def capacities(self) -> tuple[int, ...]:
        """By seat, how many of `unseen` it holds, and last how many lie aside."""
        size, counts = self.rules.hand_size, []
        for seat in range(self.players):
            counts.append(0 if seat == self.seat else size - len(self.played[seat]))
        aside = 0 if self.discard is not None else self.rules.dog_size
        return (*counts, aside)

    @cached_property
    def allowed(self) -> dict[Card, int]:
        """For each of `unseen` where it may be: a bit a seat, and the next one for aside.

        Aside are the écart, or the dog of a Garde sans or contre. All that the view tells of
        single cards is in it; what it tells of whole hands is that none was a Petit sec.
        """
        if self.phase != "play":
            raise RecordError(f"view: the cards are not played yet, the phase is {self.phase}")
        aside = 1 << self.players
        others = sum(1 << seat for seat in range(self.players) if seat != self.seat)
        result = {}
        for card in self.unseen:
            places = self._holders(card, others)
            if self.capacities[-1] and self._may_lie_aside(card):
                places |= aside
            if self.takes_dog and self.dog is not None and card in self.dog:
                assert self.taker is not None
                places &= aside | 1 << self.taker
            if card in self.shown_trumps:
                places = aside
            result[card] = places
        for poignee in self.poignees:
            self._take_in(poignee, result)
        self._take_in_discard(result)
        self._take_in_call(result)
        return result

    def _holders(self, card: Card, others: int) -> int:
        suit = card // 14 if card < PETIT else TRUMP
        places = others
        if card == EXCUSE:
            return places
        for seat in range(self.players):
            if suit in self.voids[seat] or (
                suit == TRUMP and card - PETIT + 1 > self.ceilings[seat]
            ):
                places &= ~(1 << seat)
        return places

    def _may_lie_aside(self, card: Card) -> bool:
        """Tell whether a card may be in the écart, or in a dog that nobody has seen."""
        if not self.takes_dog:
            return True
        return bool(_PLAIN_MASK >> card & 1) or card in self.shown_trumps

    def _take_in(self, poignee: Poignee, allowed: dict[Card, int]) -> None:
        """Take in a poignée: its cards are its player's, and with the Excuse all their trumps."""
        if poignee.cards is None:
            return
        own = 1 << poignee.seat
        for card in poignee.cards:
            if card in allowed and card not in self.shown_trumps:
                allowed[card] &= own
        if EXCUSE in poignee.cards:
            for card in allowed:
                if PETIT <= card < EXCUSE and card not in poignee.cards:
                    allowed[card] &= ~own

    def _take_in_discard(self, allowed: dict[Card, int]) -> None:
        """Take in that a trump is discarded only by a taker who keeps no card for it."""
        if not self.shown_trumps or self.taker is None or self.is_taker:
            return
        for card in allowed:
            if _PLAIN_MASK >> card & 1:
                allowed[card] &= ~(1 << self.taker)

    def _take_in_call(self, allowed: dict[Card, int]) -> None:
        """Take in that who calls a lower card holds all higher ones of that rank and above."""
        if self.called is None or self.taker is None or self.is_taker:
            return
        for rank in range(self.called % 14 + 1, 14):
            for suit in range(4):
                card = CARDS[14 * suit + rank]
                if card in allowed and not (self.dog is not None and card in self.dog):
                    allowed[card] &= 1 << self.taker | (
                        1 << self.players if self._may_lie_aside(card) and self.takes_dog else 0
                    )


def assembled(**fields: Any) -> View:
    """Return a view of these fields, all of them, which are checked elsewhere."""
    view = object.__new__(View)
    vars(view).update(fields)
    return view


def _winner(trick: tuple[tuple[int, Card], ...]) -> int:
    """Return the seat that wins a full trick, but for an Excuse that wins the last one."""
    led = next((card // 14 for _, card in trick if card != EXCUSE and card < PETIT), None)
    first = next((card for _, card in trick if card != EXCUSE), None)
    if first is not None and first >= PETIT:
        led = None
    trumps = [(card, seat) for seat, card in trick if PETIT <= card < EXCUSE]
    if trumps:
        return max(trumps)[1]
    return max((card, seat) for seat, card in trick if card != EXCUSE and card // 14 == led)[1]


def _legal(held: int, trick: tuple[tuple[int, Card], ...]) -> int:
    """Return the legal cards of a hand as a mask (rules, section 7.1)."""
    led = next((card for _, card in trick if card != EXCUSE), None)
    if led is None:
        return held
    excuse = held & 1 << EXCUSE
    if led < PETIT and held & SUIT_MASKS[led // 14]:
        return held & SUIT_MASKS[led // 14] | excuse
    trumps = held & _TRUMPS_MASK
    if not trumps:
        return held
    high = max((card for _, card in trick if PETIT <= card < EXCUSE), default=PETIT - 1)
    above = trumps >> (high + 1) << (high + 1)
    return (above or trumps) | excuse
