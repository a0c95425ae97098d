"""Views from records, in which hands that the seat does not know may be null."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tarot_sim.cards import Card, Hand
from tarot_sim.deals.deal import Poignee
from tarot_sim.deals.fields import parse_rules
from tarot_sim.deals.view import View, ViewPhase, assembled
from tarot_sim.errors import RecordError, field
from tarot_sim.rules import DOG_CONTRACTS
from tarot_sim.rules.auction import Auction
from tarot_sim.rules.discard import check_discard, shown_trumps
from tarot_sim.rules.names import CONTRACT_NAMES, POIGNEE_NAMES

if TYPE_CHECKING:
    from tarot_sim.rules import Contract, Rules
    from tarot_sim.rules.table import Bid


def view_of_record(data: Mapping[str, Any], seat: int | None = None) -> View:
    """Return what a seat knows of the deal of a record.

    Parameters
    ----------
    data
        A deal record. Hands, dog and écart that the seat does not know may be null; what is
        there and the seat may not know is not looked at.
    seat
        Whose view; by default that of who acts next.

    Raises
    ------
    RecordError, HandError, CardError, BidError
        If a field is wrong, or the seat's own hand is missing.

    Examples
    --------
    >>> view = view_of_record({"players": 3, "dealer": 2, "hands": [None, None, None]}, 0)
    Traceback (most recent call last):
    tarot_sim.errors.RecordError: hands[0]: missing, and it is the hand of who is asked
    """
    if not isinstance(data, Mapping):
        raise RecordError("expected an object")
    hands = data.get("hands")
    if not isinstance(hands, Sequence) or isinstance(hands, str):
        raise RecordError("hands: expected a list, null for those that are not known")
    players = data.get("players", len(hands))
    if players not in (3, 4, 5) or isinstance(players, bool):
        raise RecordError(f"players: {players!r} is not 3, 4 or 5")
    if len(hands) != players:
        raise RecordError(f"hands: {len(hands)} hands, expected {players}")
    if data.get("leader") is not None:
        raise RecordError("leader: an ending does not tell what a seat has seen")
    rules = parse_rules(data.get("rules"), players)
    dealer = _seat(data, "dealer", players)
    if dealer is None:
        raise RecordError("dealer: missing")
    auction, taker, contract = _auction(data, dealer, rules)
    called = _called(data, players)
    plays = _plays(data)
    phase = _phase(data, players, taker, contract, called, plays, seat)
    first = seat if seat is not None else _to_act(phase, data, dealer, players, auction, taker)
    if not 0 <= first < players:
        raise RecordError(f"seat: {first} is not 0…{players - 1}")
    view = _view(data, rules, first, dealer, phase, auction, taker, contract, called, plays)
    if seat is None and view.to_move != first:
        return _view(
            data, rules, view.to_move, dealer, phase, auction, taker, contract, called, plays
        )
    return view


def _view(
    data: Mapping[str, Any],
    rules: Rules,
    seat: int,
    dealer: int,
    phase: ViewPhase,
    auction: tuple[Bid, ...],
    taker: int | None,
    contract: Contract | None,
    called: Card | None,
    plays: tuple[Card, ...],
) -> View:
    hand = _hand(data["hands"][seat], f"hands[{seat}]", rules.hand_size)
    if hand is None:
        raise RecordError(f"hands[{seat}]: missing, and it is the hand of who is asked")
    takes_dog = contract in DOG_CONTRACTS
    dog = None
    if takes_dog and phase in ("discard", "play"):
        dog = _hand(data.get("dog"), "dog", rules.dog_size)
        if dog is None:
            raise RecordError("dog: missing, all have seen it")
        if dog & hand:
            raise RecordError(f"dog: {next(iter(dog & hand))} is in the hand too")
    discard = _hand(data.get("discard"), "discard", rules.dog_size) if takes_dog else None
    shown = Hand() if discard is None else shown_trumps(discard)
    if phase == "play" and takes_dog and seat == taker:
        if discard is None:
            raise RecordError("discard: missing, and it is the taker who is asked")
        assert dog is not None
        with field("discard"):
            check_discard(hand | dog, discard, rules)
    if seat != taker or phase != "play":
        discard = None
    view = assembled(
        rules=rules,
        seat=seat,
        dealer=dealer,
        hand=hand,
        phase=phase,
        auction=auction,
        taker=taker,
        contract=contract,
        called=called,
        dog=dog,
        discard=discard,
        shown_trumps=shown if phase == "play" else Hand(),
        chelem=bool(data.get("chelem")),
        poignees=_poignees(data, rules.players),
        plays=plays,
    )
    _check_plays(view)
    return replace(view)  # checked as any that is made by hand


def _check_plays(view: View) -> None:
    """Raise if a card is played twice, or by somebody who cannot have it."""
    seen: set[Card] = set()
    ply = 0
    for trick in view.tricks:
        for seat, card in trick:
            name = f"plays[{ply}]"
            ply += 1
            if card in seen:
                raise RecordError(f"{name}: {card} has been played before")
            seen.add(card)
            if (card in view.start) != (seat == view.seat):
                holder = "it is not in" if seat == view.seat else "it is in"
                raise RecordError(
                    f"{name}: seat {seat} cannot play {card}, {holder} the hand of seat {view.seat}"
                )


def _seat(data: Mapping[str, Any], name: str, players: int) -> int | None:
    value = data.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < players:
        raise RecordError(f"{name}: {value!r} is not a seat of 0…{players - 1}")
    return value


def _hand(value: object, name: str, size: int) -> Hand | None:
    if value is None:
        return None
    if not isinstance(value, str):
        raise RecordError(f"{name}: expected the text of a hand")
    with field(name):
        return Hand(value, size=size)


def _auction(
    data: Mapping[str, Any], dealer: int, rules: Rules
) -> tuple[tuple[Bid, ...], int | None, Contract | None]:
    """Return the bids, and who took with what; each follows from the bids where they are told."""
    taker = _seat(data, "taker", rules.players)
    contract: Contract | None = None
    if data.get("contract") is not None:
        with field("contract"):
            contract = CONTRACT_NAMES.find(data["contract"])
            if contract is None:
                raise RecordError(f"{data['contract']!r} is no contract")
    bids = data.get("auction")
    if bids is None:
        if (taker is None) != (contract is None):
            raise RecordError("contract: taker and contract go together")
        return (), taker, contract
    if not isinstance(bids, Sequence) or isinstance(bids, str):
        raise RecordError("auction: expected a list of bids")
    auction = Auction(dealer, rules)
    with field("auction"):
        for bid in bids:
            auction.bid(bid)
    said = tuple(bid for _, bid in auction.history)
    if not auction.is_over:
        if taker is not None:
            raise RecordError(f"auction: {len(said)} bids, there is a taker already")
        return said, None, None
    if auction.taker is None:
        raise RecordError("auction: all have passed, there is nothing to advise")
    if (taker, contract) not in ((None, None), (auction.taker, auction.contract)):
        raise RecordError("auction: taker and contract are not those of the bids")
    return said, auction.taker, auction.contract


def _called(data: Mapping[str, Any], players: int) -> Card | None:
    value = data.get("called")
    if value is None:
        return None
    if players != 5:
        raise RecordError("called: only at 5 players")
    with field("called"):
        return Card.parse(value)


def _plays(data: Mapping[str, Any]) -> tuple[Card, ...]:
    value = data.get("plays") or []
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise RecordError("plays: expected a list of cards")
    cards = []
    for ply, name in enumerate(value):
        with field(f"plays[{ply}]"):
            cards.append(Card.parse(name))
    return tuple(cards)


def _poignees(data: Mapping[str, Any], players: int) -> tuple[Poignee, ...]:
    found = []
    for place, shown in enumerate(data.get("poignees") or []):
        name = f"poignees[{place}]"
        if not isinstance(shown, Mapping):
            raise RecordError(f"{name}: expected an object")
        seat = _seat(shown, "seat", players)
        level = POIGNEE_NAMES.find(shown.get("level"))
        if seat is None or level is None:
            raise RecordError(f"{name}: expected a seat and a level")
        cards = shown.get("cards")
        with field(name):
            found.append(Poignee(seat, level, None if cards is None else Hand(cards)))
    return tuple(found)


def _phase(
    data: Mapping[str, Any],
    players: int,
    taker: int | None,
    contract: Contract | None,
    called: Card | None,
    plays: tuple[Card, ...],
    seat: int | None,
) -> ViewPhase:
    if taker is None:
        if plays:
            raise RecordError("taker: missing, cards were played")
        return "auction"
    if players == 5 and called is None:
        if plays:
            raise RecordError("called: missing, cards were played")
        return "call"
    undone = contract in DOG_CONTRACTS and data.get("discard") is None and not plays
    if undone and seat in (None, taker):
        return "discard"
    return "play"


def _to_act(
    phase: ViewPhase,
    data: Mapping[str, Any],
    dealer: int,
    players: int,
    auction: tuple[Bid, ...],
    taker: int | None,
) -> int:
    """Return a seat whose hand is known, from which follows who acts."""
    if phase == "auction":
        return (dealer + 1 + len(auction)) % players
    if phase in ("call", "discard"):
        assert taker is not None
        return taker
    known = [seat for seat, hand in enumerate(data["hands"]) if hand is not None]
    if not known:
        raise RecordError("hands: all are null")
    return known[0]
