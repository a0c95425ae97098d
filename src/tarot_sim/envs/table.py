"""One deal as a course of numbered actions, from the first bid to the score.

It is the same deal as a `Game`, in smaller steps: the écart is made card by card, and who may
announce something is asked before the card. Nothing is asked where there is no choice, but for
the taker's chelem.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, Literal

from tarot_sim.cards import CARDS, EXCUSE, Hand
from tarot_sim.deals.deal import Deal, Poignee
from tarot_sim.deals.settlement import Settlement, settle
from tarot_sim.envs.actions import (
    ACTION_NAMES,
    CHELEM,
    PASS,
    POIGNEES,
    bits_of,
    checked_action,
)
from tarot_sim.envs.observations import PHASES, Sheets
from tarot_sim.errors import IllegalPlayError, RecordError
from tarot_sim.rules import CONTRACTS
from tarot_sim.rules.announcements import LEVELS, default_poignee, poignee_levels
from tarot_sim.rules.auction import BIDS, Auction, callable_cards
from tarot_sim.rules.discard import discardable, shown_trumps

if TYPE_CHECKING:
    from typing import SupportsIndex

    from tarot_sim._core import Position
    from tarot_sim.deals.dealing import Dealt
    from tarot_sim.rules import Rules

Phase = Literal["auction", "call", "discard", "announce", "play", "over"]

_PHASE: Final = {name: place for place, name in enumerate(PHASES)}
_PASS: Final = 1 << PASS


class Table:
    """A deal that is bid, played and settled by numbered actions.

    Parameters
    ----------
    rules
        The table.
    dealt
        The hands by seat, the dog, the dealer's seat.

    Raises
    ------
    RecordError, HandError
        If they are no deal of this table, or one that a Petit sec cancels.

    Attributes
    ----------
    phase
        ``auction``, ``call``, ``discard``, ``announce``, ``play`` or ``over``.
    seat
        Who acts next.
    legal
        What they may do, as a set of actions; nothing when the deal is over.
    sheets
        What each seat sees.
    """

    __slots__ = (
        "_deal",
        "_discard",
        "_fixed",
        "_free",
        "_free_left",
        "_plays",
        "_poignees",
        "_position",
        "_settlement",
        "auction",
        "legal",
        "phase",
        "rules",
        "seat",
        "sheets",
    )

    def __init__(self, rules: Rules, dealt: Dealt) -> None:
        hands, dog, dealer = dealt
        self.rules = rules
        self._deal = Deal(rules.players, dealer, hands, dog, rules=rules)
        for seat, hand in enumerate(hands):
            if rules.petit_sec == "cancel" and hand.is_petit_sec():
                raise RecordError(f"hands[{seat}]: the Petit is sec, so the deal was cancelled")
        self.auction = Auction(dealer, rules)
        self.sheets = Sheets(rules.players)
        self._position: Position | None = None
        self._settlement: Settlement | None = None
        self._poignees: tuple[Poignee, ...] = ()
        self._discard = self._fixed = self._free = self._free_left = 0
        self._plays = 0
        self.phase: Phase = "auction"
        self.seat = (dealer + 1) % rules.players
        self.sheets.deal(hands, dealer)
        self.sheets.lead(self.seat)
        self.sheets.turn(self.seat, _PHASE["auction"])
        self.legal = self._bids()

    @property
    def scores(self) -> tuple[int, ...] | None:
        """The scores by seat, in points: 0 where all have passed; None until the deal is over."""
        if self.phase != "over":
            return None
        if self._settlement is None or self._settlement.scores is None:
            return (0,) * self.rules.players
        return self._settlement.scores

    @property
    def deal(self) -> Deal:
        """The record of the deal so far."""
        plays = () if self._position is None else self._position.plays
        return replace(self._deal, poignees=self._poignees, plays=plays)

    @property
    def hands(self) -> tuple[Hand, ...]:
        """What each seat holds; the taker with the dog, less what is in the écart so far."""
        if self._position is not None:
            return self._position.hands
        hands = list(self._deal.hands)
        if self.phase in ("discard", "announce") and self._deal.contract in ("prise", "garde"):
            hands[self._taker] = (hands[self._taker] | self._deal.dog) - Hand.from_mask(
                self._discard
            )
        return tuple(hands)

    @property
    def trick(self) -> tuple[tuple[int, int], ...]:
        """The cards on the table as (seat, card), in order."""
        return () if self._position is None else self._position.trick

    def act(self, action: SupportsIndex) -> None:
        """Let the seat to act do something.

        Raises
        ------
        OptionError
            If there is no such action.
        IllegalPlayError
            If it may not be done now.
        """
        number = checked_action(action)
        if not self.legal >> number & 1:
            name = ACTION_NAMES[number]
            raise IllegalPlayError(f"action {name}: it is not legal, the phase is {self.phase}")
        if self.phase == "play":
            self._play(number)
        elif self.phase == "auction":
            self._bid(number - PASS)
        elif self.phase == "discard":
            self._put_aside(number)
        elif self.phase == "announce":
            self._announce(number)
        else:
            self._call(number)

    # Auction, call and écart

    @property
    def _taker(self) -> int:
        assert self._deal.taker is not None
        return self._deal.taker

    def _bids(self) -> int:
        return bits_of(PASS + BIDS.index(bid) for bid in self.auction.legal_bids())

    def _bid(self, place: int) -> None:
        self.auction.bid(BIDS[place])
        self.sheets.bid(self.seat, place)
        speaker = self.auction.to_speak
        if speaker is not None:
            self.seat = speaker
            self.sheets.turn(speaker)
            self.legal = self._bids()
            return
        taker, contract = self.auction.taker, self.auction.contract
        if taker is None or contract is None:
            self.phase, self.legal = "over", 0
            return
        # Checked with all that is still to come when the play begins.
        self._deal = replace(self._deal, taker=taker, contract=contract)
        self.sheets.take(taker, CONTRACTS.index(contract))
        if self.rules.players == 5:
            self._go_to("call", taker, bits_of(callable_cards(self._deal.hands[taker], self.rules)))
        else:
            self._turn_dog()

    def _call(self, card: int) -> None:
        self._deal = replace(self._deal, called=CARDS[card])
        self.sheets.call(self._taker, card)
        self._turn_dog()

    def _turn_dog(self) -> None:
        deal, taker = self._deal, self._taker
        if deal.contract not in ("prise", "garde"):
            self._ask_for_chelem()
            return
        self.sheets.show_dog(deal.dog, taker, deal.called)
        fixed, free = discardable(deal.hands[taker] | deal.dog, self.rules)
        self._fixed, self._free = fixed.mask, free.mask
        self._free_left = self.rules.dog_size - len(fixed)
        self._go_to("discard", taker, fixed.mask | free.mask)

    def _put_aside(self, card: int) -> None:
        bit = 1 << card
        self._discard |= bit
        self.sheets.put_aside(self.seat, card)
        if self._fixed & bit:
            self._fixed ^= bit
        else:
            self._free ^= bit
            self._free_left -= 1
        self.legal = self._fixed | (self._free if self._free_left else 0)
        if not self.legal:
            discard = Hand.from_mask(self._discard)
            self._deal = replace(self._deal, discard=discard)
            self.sheets.show_trumps(shown_trumps(discard))
            self._ask_for_chelem()

    # Announcements

    def _ask_for_chelem(self) -> None:
        self._go_to("play", self._deal.first_leader, 0)
        self._ask(self._taker, _PASS | 1 << CHELEM)

    def _ask_for_poignee(self) -> None:
        """Before a first card: ask for a poignée where one may be shown, else for the card."""
        assert self._position is not None
        held = self._showable()
        levels = poignee_levels(len(held.trumps), EXCUSE in held, self.rules)
        if levels:
            self._ask(self.seat, _PASS | bits_of(POIGNEES + LEVELS.index(one) for one in levels))
        else:
            self._ask_for_card()

    def _ask(self, seat: int, legal: int) -> None:
        self.phase, self.seat, self.legal = "announce", seat, legal
        self.sheets.ask(seat, _PHASE["announce"])

    def _showable(self) -> Hand:
        assert self._position is not None
        held = self._position.hand(self.seat)
        if self.seat == self._taker and self._deal.discard is not None:
            held |= self._deal.discard
        return held

    def _announce(self, action: int) -> None:
        if self._position is None:
            self._start_play(chelem=action == CHELEM)
            return
        if action != PASS:
            place = action - POIGNEES
            level = LEVELS[place]
            cards = default_poignee(self._showable(), level, self.rules)
            self._poignees += (Poignee(self.seat, level, cards),)
            self.sheets.show_poignee(self.seat, place, cards)
        self._ask_for_card()

    # The play

    def _go_to(self, phase: Phase, seat: int, legal: int) -> None:
        self.phase, self.seat, self.legal = phase, seat, legal
        self.sheets.turn(seat, _PHASE[phase])

    def _start_play(self, chelem: bool) -> None:
        if chelem:
            self._deal = replace(self._deal, chelem=True)
            self.sheets.announce_chelem()
        self._position = self._deal.position()
        self.seat = self._deal.first_leader
        self.sheets.lead(self.seat)
        self.sheets.turn(self.seat, _PHASE["play"])
        self._ask_for_poignee()

    def _ask_for_card(self) -> None:
        assert self._position is not None
        self._go_to("play", self.seat, self._position.legal_mask())

    def _play(self, card: int) -> None:
        position, sheets, players = self._position, self.sheets, self.rules.players
        assert position is not None
        seat = self.seat
        position.play(card)
        self._plays += 1
        full = self._plays % players == 0
        if full:
            sheets.play(seat, card, None)
            self.seat = position.leader
            sheets.win(self.seat)
        else:
            self.seat = (seat + 1) % players
            sheets.play(seat, card, self.seat)
        if card == self._deal.called:
            sheets.tell_partner(seat, self._taker)
        if full and position.is_over:
            self._settle()
            return
        if self._plays < players:
            self._ask_for_poignee()
        else:
            self.legal = position.legal_mask()

    def _settle(self) -> None:
        assert self._position is not None
        if self._poignees:
            self._deal = replace(self._deal, poignees=self._poignees)
        self._settlement = settle(self._deal, self._position)
        self.phase, self.legal = "over", 0
