"""What makes a deal consistent: every field alone, then against the others.

Each check yields one line that starts with the field at fault, one for each fault. The first
of them keeps a `Deal` from being made (`check_deal`); `check_playable` asks for what only the
play of the cards needs.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from tarot_sim.cards import BOUTS_MASK, EXCUSE, FULL_MASK, Hand
from tarot_sim.errors import BidError, CardError, HandError, RecordError, TarotError
from tarot_sim.notation import TRUMP, shown
from tarot_sim.rules import DOG_CONTRACTS, POIGNEES, TOTAL_HALF_POINTS
from tarot_sim.rules.announcements import (
    MISERES,
    misere_reason,
    poignee_levels,
    poignee_reason,
    poignee_size,
)
from tarot_sim.rules.auction import Auction, callable_cards
from tarot_sim.rules.discard import legal_discard_reason
from tarot_sim.rules.scoring import card_points

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tarot_sim.deals.deal import Deal, Poignee

_MISSING_SHOWN: Final = 6  # a longer list of missing cards helps nobody


def check_deal(deal: Deal) -> None:
    """Raise an error unless the deal's fields are right and agree.

    Whether the cards may be played as they were is left to the engine.
    """
    for faults in (faults_of_record, faults_of_table):
        for fault in faults(deal):
            raise fault


def faults_of_record(deal: Deal) -> Iterator[TarotError]:
    """Yield what makes a deal one that cannot be played, by the fields that are wrong."""
    if len(deal.hands) != deal.players:
        yield RecordError(f"hands: {len(deal.hands)} hands, expected {deal.players}")
        return
    yield from _seats(deal)
    yield from _no_card_twice(deal)
    yield from (_ending if deal.is_ending else _whole)(deal)
    yield from _auction(deal)
    yield from _takers_fields(deal)
    yield from _discard(deal)
    yield from _poignees(deal)
    yield from _miseres(deal)
    cards = deal.players * len(deal.hands[0])
    if len(deal.plays) > cards:
        yield RecordError(f"plays: {len(deal.plays)} cards, but {cards} are played in all")


def faults_of_table(deal: Deal) -> Iterator[TarotError]:
    """Yield what the players did that is not allowed, before the first card.

    The deal has to be one that can be played, by `faults_of_record`.
    """
    yield from _call(deal)
    yield from _discarded(deal)
    yield from _poignees_shown(deal)
    yield from _miseres_shown(deal)
    yield from _petit_sec(deal)


def check_playable(deal: Deal) -> None:
    """Raise an error unless the deal says all that the play of the cards depends on."""
    if deal.taker is None:
        raise RecordError("taker: missing, without a taker no card is played")
    if deal.is_ending:
        return
    if deal.contract is None:
        raise RecordError("contract: missing, without a contract no card is played")
    if deal.contract in DOG_CONTRACTS and deal.discard is None:
        raise RecordError(f"discard: missing, the contract is {deal.contract}")
    if deal.players == 5 and deal.called is None:
        raise RecordError("called: missing, at 5 players the taker calls a card")


def _seats(deal: Deal) -> Iterator[TarotError]:
    for name in ("dealer", "taker", "leader", "partner"):
        seat = getattr(deal, name)
        if seat is not None and not 0 <= seat < deal.players:
            yield RecordError(f"{name}: {shown(seat)} is not a seat, they are 0…{deal.players - 1}")


def _no_card_twice(deal: Deal) -> Iterator[TarotError]:
    seen = 0
    groups = [
        *((f"hands[{seat}]", hand) for seat, hand in enumerate(deal.hands)),
        ("dog", deal.dog),
        ("attack_bouts", deal.attack_bouts),
    ]
    for name, cards in groups:
        if cards.mask & seen:
            card = min(Hand.from_mask(cards.mask & seen))
            first = next(other for other, held in groups if card in held)
            yield HandError(f"{name}: card {card} comes twice, it is in {first} already")
        seen |= cards.mask


def _whole(deal: Deal) -> Iterator[TarotError]:
    """Check what a deal from the first card on has: 78 cards, a dealer, no past."""
    sizes = {len(hand) for hand in deal.hands}
    if not deal.dog and len(sizes) == 1 and max(sizes) < deal.rules.hand_size:
        yield RecordError(
            f"leader: missing, hands of {max(sizes)} cards are an ending, which says who leads"
        )
        return
    missing = FULL_MASK & ~deal.dog.mask
    for hand in deal.hands:
        missing &= ~hand.mask
    lost = Hand.from_mask(missing)
    note = f"; missing: {lost}" if 0 < len(lost) <= _MISSING_SHOWN else ""
    for seat, hand in enumerate(deal.hands):
        if len(hand) != deal.rules.hand_size:
            expected = deal.rules.hand_size
            yield HandError(f"hands[{seat}]: {len(hand)} cards, expected {expected}{note}")
    if len(deal.dog) != deal.rules.dog_size:
        yield HandError(f"dog: {len(deal.dog)} cards, expected {deal.rules.dog_size}{note}")
    if deal.dealer is None:
        yield RecordError("dealer: missing, the seat to the dealer's right begins")
    for name, given in (
        ("partner", deal.partner is not None),
        ("attack_points", deal.attack_half_points != 0),
        ("attack_bouts", bool(deal.attack_bouts)),
        ("swept", deal.swept is not None),
    ):
        if given:
            yield RecordError(f"{name}: belongs to an ending only")


def _ending(deal: Deal) -> Iterator[TarotError]:
    """Check what an ending has: short hands of one size, a taker, points so far."""
    if deal.dog:
        yield RecordError("dog: an ending has none, its cards are in the piles")
    if deal.discard is not None:
        yield RecordError("discard: an ending has none, its cards are in the piles")
    size = Counter(len(hand) for hand in deal.hands).most_common(1)[0][0]
    for seat, hand in enumerate(deal.hands):
        if len(hand) != size:
            yield HandError(f"hands[{seat}]: {len(hand)} cards, expected {size} as in the others")
    if not 0 < size < deal.rules.hand_size:
        yield HandError(
            f"hands: {size} cards each, an ending has 1…{deal.rules.hand_size - 1} "
            "(a whole deal has no leader, but a dealer and a dog)"
        )
    if deal.taker is None:
        yield RecordError("taker: missing, an ending says who is the attack")
    if deal.swept not in (None, "attack", "defence"):
        yield RecordError(f"swept: {shown(deal.swept)} is not attack or defence")
    for card in Hand.from_mask(deal.attack_bouts.mask & ~BOUTS_MASK):
        yield CardError(f"attack_bouts: {card} is not a bout")
    gone = TOTAL_HALF_POINTS - sum(hand.half_points for hand in deal.hands)
    if not 0 <= deal.attack_half_points <= gone:
        yield RecordError(
            f"attack_points: {shown(card_points(deal.attack_half_points))} is not "
            f"0…{card_points(gone)}, which the cards that have been played are worth"
        )


def _auction(deal: Deal) -> Iterator[TarotError]:
    """Check that the bids could be made, and once all have spoken, that they are the contract's."""
    if not deal.auction:
        return
    if deal.dealer is None or not 0 <= deal.dealer < deal.players:
        if deal.dealer is None:
            yield RecordError("dealer: missing, but auction is given")
        return
    auction = Auction(deal.dealer, deal.rules)
    for place, bid in enumerate(deal.auction):
        try:
            auction.bid(bid)
        except BidError as error:
            yield RecordError(f"auction[{place}]: {error}")
            return
    if auction.is_over and deal.taker is not None:
        if auction.taker != deal.taker:
            yield RecordError(f"taker: {deal.taker}, but by the auction it is {auction.taker}")
        elif deal.contract not in (None, auction.contract):
            contract = deal.contract
            yield RecordError(f"contract: {contract}, but by the auction it is {auction.contract}")


def _takers_fields(deal: Deal) -> Iterator[TarotError]:
    contracts = deal.rules.contracts
    if deal.contract == "pousse" and not deal.rules.pousse:
        yield RecordError(f"contract: {deal.contract!r} is bid by a house rule only")
    elif deal.contract is not None and deal.contract not in contracts:
        yield RecordError(f"contract: {shown(deal.contract)} is not one of {', '.join(contracts)}")
    for name, given in (
        ("contract", deal.contract is not None),
        ("called", deal.called is not None),
        ("discard", deal.discard is not None),
        ("chelem", deal.chelem),
        ("plays", bool(deal.plays)),
    ):
        # An ending without a taker has been told already.
        if given and deal.taker is None and not deal.is_ending:
            yield RecordError(f"taker: missing, but {name} is given")
            return


def _call(deal: Deal) -> Iterator[TarotError]:
    if deal.players != 5:
        for name, given in (("called", deal.called), ("partner", deal.partner)):
            if given is not None:
                yield RecordError(f"{name}: only at 5 players, there are {deal.players}")
        return
    if deal.called is None or deal.taker is None:
        return
    if not deal.is_ending:
        allowed = callable_cards(deal.hands[deal.taker], deal.rules)
        if deal.called not in allowed:
            names = " ".join(card.name for card in allowed)
            yield RecordError(f"called: {deal.called} may not be called, only one of {names}")
        return
    if deal.called.suit >= TRUMP or deal.called.rank < 11:
        yield CardError(f"called: {deal.called} is no Roi, Dame, Cavalier or Valet")
        return
    holder = deal.holder(deal.called)
    if holder is None and deal.partner is None:
        yield RecordError(
            f"called: {deal.called} is in no hand, so the ending needs partner "
            "(the taker's own seat if the taker is alone)"
        )
    if holder is not None and deal.partner not in (None, holder):
        yield RecordError(f"partner: {deal.partner}, but {deal.called} is in hands[{holder}]")


def _discard(deal: Deal) -> Iterator[TarotError]:
    """Check that an écart leaves the taker with a hand."""
    if deal.discard is None or deal.taker is None:
        return
    if deal.contract is None:
        yield RecordError("contract: missing, but discard is given")
    elif deal.contract in ("garde_sans", "garde_contre"):
        yield RecordError(f"discard: the contract is {deal.contract}, nobody takes the dog")
    elif deal.taker < len(deal.hands):
        reason = legal_discard_reason(_pool(deal), deal.discard, deal.rules)
        if reason is not None and not _leaves_a_hand(deal):
            yield RecordError(reason)


def _discarded(deal: Deal) -> Iterator[TarotError]:
    """Check that the cards of an écart may be discarded."""
    if deal.discard is not None:
        reason = legal_discard_reason(_pool(deal), deal.discard, deal.rules)
        if reason is not None:
            yield RecordError(reason)


def _pool(deal: Deal) -> Hand:
    return deal.hands[deal.taker or 0] | deal.dog


def _leaves_a_hand(deal: Deal) -> bool:
    assert deal.discard is not None
    return not deal.discard - _pool(deal) and len(deal.discard) == deal.rules.dog_size


def _poignees(deal: Deal) -> Iterator[TarotError]:
    for place, poignee in enumerate(deal.poignees):
        name = f"poignees[{place}]"
        if not 0 <= poignee.seat < deal.players:
            yield RecordError(
                f"{name}: {shown(poignee.seat)} is not a seat, they are 0…{deal.players - 1}"
            )
        if poignee.level not in POIGNEES:
            yield RecordError(f"{name}: {shown(poignee.level)} is not one of {', '.join(POIGNEES)}")


def _miseres(deal: Deal) -> Iterator[TarotError]:
    for place, misere in enumerate(deal.miseres):
        name = f"miseres[{place}]"
        if not 0 <= misere.seat < deal.players:
            yield RecordError(f"{name}: {misere.seat} is not a seat, they are 0…{deal.players - 1}")
        if misere.kind not in MISERES:
            yield RecordError(f"{name}: {misere.kind!r} is not one of {', '.join(MISERES)}")
    if deal.miseres and not deal.rules.misere:
        yield RecordError("miseres: shown by a house rule only")


def _miseres_shown(deal: Deal) -> Iterator[TarotError]:
    for place, misere in enumerate(deal.miseres):
        name = f"miseres[{place}]"
        if misere in deal.miseres[:place]:
            yield RecordError(f"{name}: seat {misere.seat} has shown it already")
        if not deal.is_ending:
            reason = misere_reason(_own_cards(deal, misere.seat), misere.kind)
            if reason is not None:
                yield RecordError(f"{name}: {reason}")


def _own_cards(deal: Deal, seat: int) -> Hand:
    """Return all that a seat has had in hand: for the taker with the dog."""
    takes = seat == deal.taker and deal.contract in DOG_CONTRACTS
    return deal.hands[seat] | deal.dog if takes else deal.hands[seat]


def _poignees_shown(deal: Deal) -> Iterator[TarotError]:
    seats = set()
    for place, poignee in enumerate(deal.poignees):
        name = f"poignees[{place}]"
        if poignee.seat in seats:
            yield RecordError(f"{name}: seat {poignee.seat} has shown one already")
        seats.add(poignee.seat)
        # In an ending the trumps that were shown may be gone.
        if not deal.is_ending:
            yield from _shown(deal, name, poignee)


def _shown(deal: Deal, name: str, poignee: Poignee) -> Iterator[TarotError]:
    seat, level = poignee.seat, poignee.level
    cards = _own_cards(deal, seat)  # what of it lies in the écart counts as well
    trumps, excuse = len(cards.trumps), EXCUSE in cards
    if level not in poignee_levels(trumps, excuse, deal.rules):
        yield RecordError(
            f"{name}: a {level} shows {poignee_size(level, deal.rules)} trumps, "
            f"seat {seat} has {trumps}{' and the Excuse' if excuse else ''}"
        )
    if poignee.cards is not None:
        reason = poignee_reason(cards, poignee.cards, level, deal.rules)
        if reason is not None:
            yield RecordError(f"{name}: {reason}")


def _petit_sec(deal: Deal) -> Iterator[TarotError]:
    """Refuse that a cancelled deal goes on; as it was dealt it may be written down."""
    if deal.is_ending or deal.rules.petit_sec == "off" or deal.contract is None:
        return
    for seat, hand in enumerate(deal.hands):
        if hand.is_petit_sec():
            yield HandError(f"hands[{seat}]: the Petit is sec, so the deal was cancelled")
