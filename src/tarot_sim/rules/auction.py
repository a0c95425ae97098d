"""The auction, and the call at five players."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import Final, SupportsIndex

from tarot_sim.arguments import seat_number
from tarot_sim.cards import (
    CARD_NAMES,
    CARDS,
    Card,
)
from tarot_sim.errors import BidError
from tarot_sim.notation import shown
from tarot_sim.rules import CONTRACTS, Contract, Rules, checked_rules
from tarot_sim.rules.names import BID_NAMES
from tarot_sim.rules.table import Bid

#: What a player may say, from the lowest to the highest.
BIDS: Final[tuple[Bid, ...]] = ("pass", *CONTRACTS)


#: Words that the longest name of a bid has.
_MOST_WORDS: Final = 4


def split_bids(text: str) -> list[str]:
    """Return the bids of a text, with commas or semicolons between them, else with spaces.

    Where there are spaces alone, as many words as make the name of a bid are one.

    Examples
    --------
    >>> split_bids("passe, Garde sans"), split_bids("passe petite garde sans")
    (['passe', 'Garde sans'], ['passe', 'petite', 'garde sans'])
    """
    text = text.replace(";", ",").strip(" ,")
    if "," in text:
        return [bid.strip() for bid in text.split(",")]
    words, bids = text.split(), []
    while words:
        lengths = range(min(_MOST_WORDS, len(words)), 1, -1)
        count = next((n for n in lengths if BID_NAMES.find(" ".join(words[:n])) is not None), 1)
        bids.append(" ".join(words[:count]))
        words = words[count:]
    return bids


def level_of(bid: Bid) -> int:
    """Return the place of a bid in `BIDS`; a Pousse, which few tables bid, is a better Prise."""
    return BIDS.index("prise" if bid == "pousse" else bid)


class Auction:
    """One round of bids, from the dealer's right-hand neighbour to the dealer.

    Parameters
    ----------
    dealer
        Seat of the dealer.
    rules
        The table; by default four players.

    Raises
    ------
    BidError
        If `dealer` is no seat of the table.

    Examples
    --------
    >>> auction = Auction(dealer=3)
    >>> for bid in ("pass", "prise", "garde", "pass"):
    ...     auction.bid(bid)
    >>> auction.taker, auction.contract, auction.is_over
    (2, 'garde', True)
    """

    __slots__ = ("_bids", "_contract", "_taker", "dealer", "rules")

    def __init__(self, dealer: int, rules: Rules | None = None) -> None:
        self.rules = Rules() if rules is None else checked_rules(rules)
        self.dealer = seat_number("dealer", dealer, self.rules.players, BidError)
        self._bids: list[Bid] = []
        self._taker: int | None = None
        self._contract: Contract | None = None

    @property
    def is_over(self) -> bool:
        """Whether everybody has spoken."""
        return len(self._bids) == self.rules.players

    @property
    def to_speak(self) -> int | None:
        """Seat of the player to speak, None when the auction is over."""
        return None if self.is_over else (self.dealer + 1 + len(self._bids)) % self.rules.players

    @property
    def taker(self) -> int | None:
        """Seat of the highest bidder so far, None if all have passed."""
        return self._taker

    @property
    def contract(self) -> Contract | None:
        """The highest bid so far, None if all have passed."""
        return self._contract

    @property
    def history(self) -> tuple[tuple[int, Bid], ...]:
        """What was said so far, as (seat, bid), in order."""
        first = self.dealer + 1
        players = self.rules.players
        return tuple(((first + turn) % players, bid) for turn, bid in enumerate(self._bids))

    def legal_bids(self) -> tuple[Bid, ...]:
        """Return what the player to speak may say; nothing when the auction is over."""
        if self.is_over:
            return ()
        return ("pass", *self._higher())

    def bid(self, bid: str) -> None:
        """Let the player to speak pass or name a contract, in any of its names.

        Raises
        ------
        BidError
            If the auction is over, or `bid` is no bid or not higher than the last.
        """
        seat = self.to_speak
        if seat is None:
            raise BidError(f"bid: {shown(bid)} comes after the auction is over")
        named = BID_NAMES.find(bid)
        if named is None:
            raise BidError(f"bid: {shown(bid)} is not one of {', '.join(bids_of(self.rules))}")
        if named not in bids_of(self.rules):
            raise BidError(f"bid: {named!r} is bid by a house rule only")
        if named != "pass":
            if named not in self._higher():
                raise BidError(f"bid: {named!r} is not higher than {self._contract}")
            self._taker, self._contract = seat, named
        self._bids.append(named)

    def copy(self) -> Auction:
        """Return an auction that goes on from here on its own."""
        other = Auction(self.dealer, self.rules)
        other._bids = self._bids.copy()
        other._taker, other._contract = self._taker, self._contract
        return other

    def _higher(self) -> tuple[Contract, ...]:
        last = self._contract
        contracts = self.rules.contracts
        return contracts if last is None else contracts[contracts.index(last) + 1 :]


def bids_of(rules: Rules) -> tuple[Bid, ...]:
    """Return what a player may say at a table, from the lowest to the highest."""
    return ("pass", *rules.contracts)


def callable_cards(hand: SupportsIndex, rules: Rules) -> list[Card]:
    """Return the cards that the taker may call at five players, the Rois first.

    Parameters
    ----------
    hand
        The taker's hand as dealt, before the dog is seen.
    rules
        With ``must_call_lower`` the holder of all four Rois must call a Dame, and so on
        down; otherwise such a holder may.

    Raises
    ------
    BidError
        At a table where no card is called.

    Examples
    --------
    >>> from tarot_sim.cards import Hand
    >>> callable_cards(Hand("P:R,D C:R K:R T:R"), Rules(players=5))
    [Card('PD'), Card('CD'), Card('KD'), Card('TD')]
    """
    if rules.players != 5:
        raise BidError(f"call: no card is called at {rules.players} players")
    held = index(hand)
    cards: list[Card] = []
    for rank in (13, 12, 11, 10):
        rung = [CARDS[14 * suit + rank] for suit in range(4)]
        cards = rung if rules.must_call_lower else cards + rung
        if not all(held >> card & 1 for card in rung):
            break
    return cards


def check_call(called: SupportsIndex | str, hand: SupportsIndex, rules: Rules) -> None:
    """Raise a `BidError` unless a taker with this hand, as dealt, may call the card."""
    called = Card(called)
    if rules.players != 5:
        raise BidError(f"called: no card is called at {rules.players} players")
    if called not in callable_cards(hand, rules):
        raise BidError(f"called: {called} may not be called with this hand")


def partner_seat(
    hands: Sequence[SupportsIndex], dog: SupportsIndex, taker: int, called: int
) -> int | None:
    """Return the seat of the called card's holder, None if the taker is alone.

    Parameters
    ----------
    hands
        The hands as dealt, by seat.
    dog
        The dog: with the called card in it the taker is alone as well.

    Raises
    ------
    BidError
        If the called card is nowhere.
    """
    for seat, hand in enumerate(hands):
        if index(hand) >> called & 1:
            return None if seat == taker else seat
    if not index(dog) >> called & 1:
        raise BidError(f"call: {CARD_NAMES[called]} is in no hand and not in the dog")
    return None
