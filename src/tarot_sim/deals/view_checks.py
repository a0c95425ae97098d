"""What makes a view consistent, for views that are made by hand: each field, then the play.

A `Game` hands out views that are right; what a caller puts together is held against the rules
before anything, native code above all, relies on it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from tarot_sim.arguments import in_order, instance_of, one_of, seat_number
from tarot_sim.cards import BOUTS_MASK, CARDS, PETIT, SUIT_MASKS, Card, Hand
from tarot_sim.deals.deal import Poignee
from tarot_sim.errors import RecordError
from tarot_sim.errors import field as in_field
from tarot_sim.notation import TRUMP
from tarot_sim.rules import DOG_CONTRACTS
from tarot_sim.rules.announcements import LEVELS
from tarot_sim.rules.auction import Auction
from tarot_sim.rules.discard import legal_discard_reason
from tarot_sim.rules.table import checked_rules

if TYPE_CHECKING:
    from tarot_sim.deals.view import View
    from tarot_sim.rules import Rules

_ORDINARY_TRUMPS: Final = SUIT_MASKS[TRUMP] & ~BOUTS_MASK
_PHASES: Final = ("auction", "call", "discard", "play")
_LOWEST_CALLED: Final = 10  # the Valet's place in its suit


def plain_fields(view: View) -> dict[str, Any]:
    """Return the fields of a view as plain values of their own.

    Raises
    ------
    TarotError
        If one is not of its type or contradicts another; the message begins with its name.
    """
    rules = checked_rules(view.rules)
    seat = seat_number("seat", view.seat, rules.players, RecordError)
    dealer = seat_number("dealer", view.dealer, rules.players, RecordError)
    phase = one_of("phase", view.phase, _PHASES, RecordError)
    hand = _cards("hand", view.hand, rules.hand_size)
    auction = _auction(view, rules, dealer)
    taker, contract = _taken(view, rules, phase, auction)
    called = _called(view, rules, phase)
    dog = None if view.dog is None else _cards("dog", view.dog, rules.dog_size)
    if dog is not None and (phase in ("auction", "call") or contract not in DOG_CONTRACTS):
        raise RecordError("dog: nobody has seen it")
    if dog is not None and dog & hand:
        raise RecordError(f"dog: {next(iter(dog & hand))} is in the hand")
    shown = _cards("shown_trumps", view.shown_trumps)
    if shown.mask & ~_ORDINARY_TRUMPS:
        raise RecordError("shown_trumps: not trumps that may be discarded")
    return {
        "rules": rules,
        "seat": seat,
        "dealer": dealer,
        "hand": hand,
        "phase": phase,
        "auction": tuple(bid for _, bid in auction.history),
        "taker": taker,
        "contract": contract,
        "called": called,
        "dog": dog,
        "discard": _discard(view, seat, taker, hand, dog),
        "shown_trumps": shown,
        "chelem": instance_of("chelem", view.chelem, bool),
        "poignees": _poignees(view, rules),
        "plays": _plays(view, rules, phase),
    }


def check_play(view: View) -> None:
    """Raise unless the seat played its own cards, and the others none of them.

    Raises
    ------
    RecordError
        If not; names the first card at fault.
    """
    own = view.start if view.discard is None else view.start | view.discard
    for place, (seat, card) in enumerate(pair for trick in view.tricks for pair in trick):
        if (seat == view.seat) != (card in view.start) or (card in own and seat != view.seat):
            raise RecordError(f"plays[{place}]: {card} is not a card of seat {seat}")


def _cards(name: str, cards: Hand, size: int | None = None) -> Hand:
    found = Hand(instance_of(name, cards, Hand))
    if size is not None and len(found) != size:
        raise RecordError(f"{name}: {len(found)} cards, expected {size}")
    return found


def _auction(view: View, rules: Rules, dealer: int) -> Auction:
    auction = Auction(dealer, rules)
    for place, bid in enumerate(in_order("auction", view.auction, RecordError)):
        with in_field(f"auction[{place}]"):
            auction.bid(bid)
    return auction


def _taken(view: View, rules: Rules, phase: str, auction: Auction) -> tuple[int | None, str | None]:
    if phase == "auction":
        if view.taker is not None or view.contract is not None or auction.is_over:
            raise RecordError("phase: the auction is over")
        return None, None
    taker = seat_number("taker", view.taker, rules.players, RecordError)
    contract = one_of("contract", view.contract, rules.contracts, RecordError)
    if phase == "call" and rules.players != 5:
        raise RecordError(f"phase: no card is called at {rules.players} players")
    if phase == "discard" and contract not in DOG_CONTRACTS:
        raise RecordError(f"phase: there is no discard in a {contract}")
    if auction.is_over and (auction.taker, auction.contract) != (taker, contract):
        raise RecordError("taker: the auction says otherwise")
    return taker, contract


def _called(view: View, rules: Rules, phase: str) -> Card | None:
    if view.called is None:
        if rules.players == 5 and phase in ("discard", "play"):
            raise RecordError("called: no card at five players")
        return None
    with in_field("called"):
        called = CARDS[Card(view.called)]
    if rules.players != 5 or phase in ("auction", "call"):
        raise RecordError("called: no card is called yet, or at this table")
    if called >= PETIT or called % 14 < _LOWEST_CALLED:
        raise RecordError(f"called: {called} may not be called")
    return called


def _discard(view: View, seat: int, taker: int | None, hand: Hand, dog: Hand | None) -> Hand | None:
    if view.discard is None:
        return None
    if seat != taker:
        raise RecordError(f"discard: seat {seat} does not see the taker's")
    if dog is None or view.phase != "play":
        raise RecordError("discard: there is none without a dog that was shown")
    discard = _cards("discard", view.discard)
    reason = legal_discard_reason(hand | dog, discard, checked_rules(view.rules))
    if reason is not None:
        raise RecordError(reason)
    return discard


def _poignees(view: View, rules: Rules) -> tuple[Poignee, ...]:
    found = []
    for place, given in enumerate(in_order("poignees", view.poignees, RecordError)):
        name = f"poignees[{place}]"
        poignee = instance_of(name, given, Poignee)
        one_of(f"{name}.level", poignee.level, LEVELS, RecordError)
        seat = seat_number(f"{name}.seat", poignee.seat, rules.players, RecordError)
        cards = None if poignee.cards is None else _cards(f"{name}.cards", poignee.cards)
        found.append(replace(poignee, seat=seat, cards=cards))
    return tuple(found)


def _plays(view: View, rules: Rules, phase: str) -> tuple[Card, ...]:
    plays = []
    for place, card in enumerate(in_order("plays", view.plays, RecordError)):
        with in_field(f"plays[{place}]"):
            plays.append(CARDS[Card(card)])
            if place >= rules.players * rules.hand_size - 1:
                raise RecordError(f"plays[{place}]: the deal is over")
    if plays and phase != "play":
        raise RecordError(f"plays: cards in the phase {phase}")
    for place, card in enumerate(plays):
        if card in plays[:place]:
            raise RecordError(f"plays[{place}]: card {card} comes twice")
    return tuple(plays)
