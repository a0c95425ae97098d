"""What bids tell about the hands behind them.

A player's *level* is the highest contract that they would take with their hand. It is drawn
from the hand's Chavey count: they would go up to a contract at least with a probability
that rises softly around the count's published threshold. They say their level where it is
higher than the bids before theirs, and else they pass.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from tarot_sim.errors import BidError
from tarot_sim.rules import CONTRACTS, Contract
from tarot_sim.rules.auction import BIDS, Auction, Bid
from tarot_sim.worlds._counts import chavey_counts
from tarot_sim.worlds._sampler import sample_worlds
from tarot_sim.worlds.logits import logistic

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from tarot_sim.cards import Hand
    from tarot_sim.rules import Rules

#: Counts from which each contract is bid, by players. Those of 4 players are Chavey's; the
#: others are as rare: somebody at the table reaches them as often.
THRESHOLDS: Final[dict[int, tuple[int, int, int, int]]] = {
    3: (57, 73, 85, 95),
    4: (40, 56, 71, 81),
    5: (32, 48, 65, 75),
}
#: How many points of the count the odds of a bid take to change by a factor e.
SOFTNESS: Final = 2.5
#: Worlds drawn at most for each one that is wanted.
MOST_TRIES: Final = 40_000
_BATCH: Final = 4096
# The contracts that are played without the dog count short suits too.
_COUNT_OF: Final = (0, 0, 1, 1)


@dataclass(frozen=True, slots=True)
class BiddingModel:
    """Bids from Chavey's count with soft thresholds.

    Attributes
    ----------
    thresholds
        By players: the count at which each contract is bid half of the time.
    softness
        Points of the count by which the odds change by a factor e.
    """

    thresholds: tuple[tuple[int, tuple[int, int, int, int]], ...] = tuple(THRESHOLDS.items())
    softness: float = SOFTNESS

    def levels(self, counts: NDArray[np.int16], players: int) -> NDArray[np.float64]:
        """Return how likely each level is.

        Parameters
        ----------
        counts
            Shape (n, 2): both counts of each hand, as from `chavey_counts`.
        players
            Players at the table.

        Returns
        -------
        numpy.ndarray
            Shape (n, 5), the columns of `BIDS`; rows sum to 1.
        """
        thresholds = dict(self.thresholds)[players]
        reached = np.ones((len(counts), 6))
        reached[:, 5] = 0
        for place, threshold in enumerate(thresholds):
            # Half a point below the count itself, which is whole.
            excess = (counts[:, _COUNT_OF[place]] - (threshold - 0.5)) / self.softness
            reached[:, place + 1] = logistic(excess)
        # Who would take a contract would take every lower one too.
        reached = np.minimum.accumulate(reached, axis=1)
        levels: NDArray[np.float64] = reached[:, :-1] - reached[:, 1:]
        return levels

    def likelihood(
        self, counts: NDArray[np.int16], auction: Auction, own_seat: int
    ) -> NDArray[np.float64]:
        """Return how likely the others' bids are, given everybody's hand.

        Parameters
        ----------
        counts
            Shape (n, players, 2), from `chavey_counts`.
        auction
            What was said.
        own_seat
            The seat whose bids say nothing new.

        Returns
        -------
        numpy.ndarray
            float64 (n,): probabilities.
        """
        players = auction.rules.players
        weights = np.ones(len(counts))
        highest = 0
        for seat, bid in auction.history:
            place = BIDS.index(bid)
            if seat != own_seat:
                levels = self.levels(counts[:, seat], players)
                if bid == "pass":
                    weights *= levels[:, : highest + 1].sum(axis=1)
                else:
                    weights *= levels[:, place]
            highest = max(highest, place)
        return weights


def read_auction(
    bids: Sequence[str], rules: Rules, dealer: int | None = None, own_seat: int = 0
) -> Auction:
    """Return the auction of these bids, the first of them from the dealer's right.

    Parameters
    ----------
    bids
        What was said so far, in order.
    rules
        The table.
    dealer
        The dealer's seat; without it, the player of `own_seat` is the next to speak.
    own_seat
        The seat of the player who asks.

    Raises
    ------
    BidError
        If a bid is not possible where it stands.

    Examples
    --------
    >>> from tarot_sim.rules import Rules
    >>> auction = read_auction(["pass", "prise"], Rules())
    >>> auction.dealer, auction.to_speak, auction.contract
    (1, 0, 'prise')
    """
    players = rules.players
    if dealer is None:
        if len(bids) >= players:
            raise BidError(f"auction: {len(bids)} bids leave nothing to say; name the dealer")
        dealer = (own_seat - 1 - len(bids)) % players
    auction = Auction(dealer, rules)
    for place, bid in enumerate(bids):
        try:
            auction.bid(_bid_named(bid))
        except BidError as error:
            raise BidError(f"auction, word {place + 1}: {error}") from None
    return auction


def _bid_named(text: str) -> Bid:
    name = text.strip().lower().replace(" ", "_").replace("-", "_")
    if name in ("passe", "p"):
        name = "pass"
    for bid in BIDS:
        if name == bid:
            return bid
    raise BidError(f"bid: {text!r} is not one of {', '.join(BIDS)}")


def bids_left(auction: Auction) -> tuple[Contract, ...]:
    """Return the contracts that are above what was bid."""
    if auction.contract is None:
        return CONTRACTS
    return CONTRACTS[CONTRACTS.index(auction.contract) + 1 :]


def uniforms(bit_generator: np.random.PCG64DXSM, n: int) -> NDArray[np.float64]:
    """Return numbers in [0, 1) from the raw stream, which numpy keeps stable; float64 (n,)."""
    bits = bit_generator.random_raw(n) >> np.uint64(11)
    result: NDArray[np.float64] = bits.astype(np.float64) * 2.0**-53
    return result


def sample_worlds_given(
    hand: Hand,
    seat: int,
    auction: Auction,
    n: int,
    bit_generator: np.random.PCG64DXSM,
    model: BiddingModel | None = None,
) -> NDArray[np.uint8]:
    """Deal the cards that a player does not see, as likely as the auction makes them.

    Worlds are drawn uniformly, and each is kept with the probability of the others' bids
    (rejection: what is kept has exactly the wanted law).

    Parameters
    ----------
    hand, seat, n, bit_generator
        As for `tarot_sim.sample_worlds`.
    auction
        What was said so far.
    model
        How hands bid; the default model unless given.

    Returns
    -------
    numpy.ndarray
        uint8 (n, 78), as from `tarot_sim.sample_worlds`.

    Raises
    ------
    BidError
        If the auction is so rare that not enough of very many worlds fit it.
    """
    rules = auction.rules
    model = BiddingModel() if model is None else model
    found: list[NDArray[np.uint8]] = []
    missing, tried = n, 0
    while missing > 0:
        worlds = sample_worlds(hand, seat, rules, _BATCH, bit_generator)
        weights = model.likelihood(chavey_counts(worlds, rules.players), auction, seat)
        chance = uniforms(bit_generator, _BATCH)
        kept = worlds[chance < weights][:missing]
        found.append(kept)
        missing -= len(kept)
        tried += _BATCH
        if tried >= MOST_TRIES * n and missing:
            raise BidError(f"auction: {n - missing} of {tried} worlds fit it, {n} are needed")
    return np.concatenate(found) if found else np.empty((0, 78), np.uint8)


def end_auctions(
    auction: Auction,
    counts: NDArray[np.int16],
    chance: NDArray[np.float64],
    model: BiddingModel | None = None,
) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    """Let those who have not spoken yet bid as their hands make them.

    Parameters
    ----------
    auction
        What was said so far.
    counts
        Shape (n, players, 2), from `chavey_counts`.
    chance
        Shape (n, players): uniform in [0, 1), what each level is drawn with.

    Returns
    -------
    tuple of numpy.ndarray
        int8 (n,): the taker's seat, −1 where all have passed; int8 (n,): the contract's
        place in `BIDS`.
    """
    model = BiddingModel() if model is None else model
    players = auction.rules.players
    highest = 0 if auction.contract is None else BIDS.index(auction.contract)
    takers = np.full(len(counts), -1 if auction.taker is None else auction.taker, np.int8)
    contracts = np.full(len(counts), highest, np.int8)
    for turn in range(len(auction.history), players):
        seat = (auction.dealer + 1 + turn) % players
        levels = model.levels(counts[:, seat], players).cumsum(axis=1)
        said = (chance[:, seat, None] >= levels[:, :-1]).sum(axis=1)
        higher = said > contracts
        takers[higher] = seat
        contracts[higher] = said[higher]
    return takers, contracts
