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
from tarot_sim.rules.auction import Auction, level_of, split_bids
from tarot_sim.worlds._counts import chavey_counts
from tarot_sim.worlds._sampler import sample_worlds
from tarot_sim.worlds.annealing import annealed_worlds
from tarot_sim.worlds.logits import logistic

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from tarot_sim.cards import Hand
    from tarot_sim.rules import Contract, Rules
    from tarot_sim.rules.table import Bid

#: Counts from which each contract is bid, by players. Those of 4 players are Chavey's; the
#: others are as rare: somebody at the table reaches them as often.
THRESHOLDS: Final[dict[int, tuple[int, int, int, int]]] = {
    3: (57, 73, 85, 95),
    4: (40, 56, 71, 81),
    5: (32, 48, 65, 75),
}
#: How many points of the count the odds of a bid take to change by a factor e.
SOFTNESS: Final = 2.5
#: Where fewer of a batch of uniform worlds are kept, those that follow are made by annealing,
#: which takes as long as some 250 tries.
LEAST_KEPT: Final = 16
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
            if seat != own_seat:
                weights *= self.said(counts[:, seat], bid, highest, players)
            highest = max(highest, level_of(bid))
        return weights

    def said(
        self, counts: NDArray[np.int16], bid: Bid, highest: int, players: int
    ) -> NDArray[np.float64]:
        """Return how likely each hand is to say this.

        Parameters
        ----------
        counts
            Shape (n, 2): both counts of each hand.
        bid
            What is said.
        highest
            The place in `BIDS` of the highest bid before.
        players
            Players at the table.
        """
        levels = self.levels(counts, players)
        place = level_of(bid)
        # Who passes may have any level up to the highest bid.
        least, most = (0, highest) if bid == "pass" else (place, place)
        said: NDArray[np.float64] = levels[:, least : most + 1].sum(axis=1)
        return said


def read_auction(
    bids: str | Sequence[str], rules: Rules, dealer: int | None = None, own_seat: int = 0
) -> Auction:
    """Return the auction of these bids, the first of them from the dealer's right.

    Parameters
    ----------
    bids
        What was said so far, in order; in one text with commas or spaces between them.
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
    if isinstance(bids, str):
        bids = split_bids(bids)
    if dealer is None:
        if len(bids) >= players:
            raise BidError(
                f"auction: {len(bids)} bids leave nothing to say: {players} players speak once each"
            )
        dealer = (own_seat - 1 - len(bids)) % players
    auction = Auction(dealer, rules)
    for place, bid in enumerate(bids):
        try:
            auction.bid(bid)
        except BidError as error:
            raise BidError(f"auction, word {place + 1}: {error}") from None
    return auction


def bids_left(auction: Auction) -> tuple[Contract, ...]:
    """Return the contracts that the player to speak may bid: none once all have spoken."""
    return tuple(bid for bid in auction.legal_bids() if bid != "pass")


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
    dog: Hand | None = None,
) -> NDArray[np.uint8]:
    """Deal the cards that a player does not see, as likely as the auction makes them.

    Worlds are drawn uniformly, and each is kept with the probability of the others' bids
    (rejection: what is kept has exactly the wanted law). Where this keeps hardly any, the rest
    is made by annealing (`tarot_sim.worlds.annealing`): independent worlds as well, with a law
    that differs from the wanted one by less than can be measured.

    Parameters
    ----------
    hand, seat, n, bit_generator, dog
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
        If no hands that these cards leave make such bids.
    """
    model = BiddingModel() if model is None else model
    found = [np.empty((0, 78), np.uint8)]
    missing = n
    source = _kept_worlds(hand, seat, auction, model, bit_generator, dog)
    while missing > 0:
        found.append(next(source)[:missing])
        missing -= len(found[-1])
    return np.concatenate(found)


def _kept_worlds(
    hand: Hand,
    seat: int,
    auction: Auction,
    model: BiddingModel,
    bit_generator: np.random.PCG64DXSM,
    dog: Hand | None,
) -> Iterator[NDArray[np.uint8]]:
    """Yield what is kept of batches of uniform worlds, and after one that keeps too few others.

    How many are kept tells nothing of which, so that the law is the same by either way.
    """
    players = auction.rules.players
    poor = False
    while not poor:
        worlds = sample_worlds(hand, seat, auction.rules, _BATCH, bit_generator, dog)
        weights = model.likelihood(chavey_counts(worlds, players), auction, seat)
        kept = worlds[uniforms(bit_generator, _BATCH) < weights]
        poor = len(kept) < LEAST_KEPT
        yield kept
    yield from annealed_worlds(hand, seat, auction, model, bit_generator, dog)


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
    highest = 0 if auction.contract is None else level_of(auction.contract)
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
