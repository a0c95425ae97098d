"""What is asked: a hand, a table, what was heard, a seed; and the worlds that follow from it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from tarot_sim.arguments import integer, one_of
from tarot_sim.cards import Card
from tarot_sim.errors import BidError, RulesError, field
from tarot_sim.estimation.judge import METHODS
from tarot_sim.notation import shown
from tarot_sim.parallel import thread_count
from tarot_sim.randomness import seed_number
from tarot_sim.rules.auction import check_call
from tarot_sim.worlds._sampler import sample_worlds
from tarot_sim.worlds.bidding_model import read_auction, sample_worlds_given
from tarot_sim.worlds.contract_deals import TAKER

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from tarot_sim.cards import Hand
    from tarot_sim.estimation.judge import Method
    from tarot_sim.randomness import Randomness
    from tarot_sim.rules import Rules
    from tarot_sim.rules.auction import Auction


#: Whose play figures are of: of bots that see their own cards only, or of players who see all.
Model = Literal["table", "double_dummy"]
MODELS: Final[tuple[Model, ...]] = ("table", "double_dummy")


class Stream(IntEnum):
    """The independent random streams of a seed.

    The value begins the spawn key of the stream's `numpy.random.SeedSequence`: two uses of one
    stream would be correlated, and another value would change every answer of its seed.
    """

    #: Worlds in which contracts are judged; the number of the chunk follows.
    WORLDS = 0
    #: Worlds on which the cards that may be called are compared.
    CALLS = 1
    #: Worlds in which it is followed up what a pass leads to.
    PASS_WORLDS = 2
    #: What the others bid in these.
    PASS_BIDS = 3
    #: Which écarts are compared.
    DISCARDS = 4
    #: Worlds on which they are; the number of the round follows.
    DISCARD_WORLDS = 5


@dataclass(frozen=True, slots=True)
class Plan:
    """All that the worlds and their judgements depend on.

    Attributes
    ----------
    hand
        The player's cards as dealt, at seat 0.
    rules
        The table.
    seed
        Seed of the worlds.
    method
        How much search a world gets.
    dealer
        The dealer's seat; None if every seat deals in turn.
    auction
        What was said so far; None if nothing is known.
    called
        Five players: the card called.
    dog
        The dog, where it is seen.
    discard
        The écart for hand and dog together; None for the rule of `choose_discard`.
    model
        Whose play the figures are of.
    """

    hand: Hand
    rules: Rules
    seed: int
    method: Method
    dealer: int | None = None
    auction: Auction | None = None
    called: Card | None = None
    dog: Hand | None = None
    discard: Callable[[Hand], Hand] | None = None
    model: Model = "double_dummy"

    @property
    def known_dealer(self) -> int | None:
        """The dealer's seat, by the auction where there is one."""
        return self.dealer if self.auction is None else self.auction.dealer


def checked_plan(
    hand: Hand,
    rules: Rules,
    *,
    seed: Randomness,
    n_jobs: int,
    method: Method = "cascade",
    dealer: int | None = None,
    auction: str | Sequence[str] | None = None,
    called: Card | str | None = None,
    dog: Hand | None = None,
    model: Model = "double_dummy",
) -> Plan:
    """Check what a caller asks for, and return the plan of it.

    Parameters
    ----------
    hand, rules, method, dealer, called, dog, model
        As in `Plan`.
    seed
        A seed, or what one is drawn from, see `randomness.seed_number`.
    n_jobs
        Threads, as joblib counts them.
    auction
        What was said so far; the player has to be the next to speak.

    Raises
    ------
    OptionError, RulesError, BidError
        If one of them cannot be.
    """
    one_of("method", method, METHODS)
    one_of("model", model, MODELS)
    number = seed_number(seed)
    check_run(rules, dealer, n_jobs)
    heard = None if auction is None else read_auction(auction, rules, dealer)
    if heard is not None and heard.to_speak != TAKER:
        turn = "it is over" if heard.is_over else f"seat {heard.to_speak} is to speak, not seat 0"
        raise BidError(f"auction: after these bids {turn}")
    card = None
    if called is not None:
        with field("called"):
            card = Card(called)
        check_call(card, hand, rules)
    return Plan(hand, rules, number, method, dealer, heard, card, dog, model=model)


def check_run(rules: Rules, dealer: int | None, n_jobs: int) -> None:
    """Raise unless worlds can be dealt and judged with these options.

    Raises
    ------
    RulesError
        If `dealer` is no seat of the table.
    OptionError
        If `n_jobs` has no meaning.
    """
    if dealer is not None:
        seat = integer("dealer", dealer, RulesError)
        if not 0 <= seat < rules.players:
            raise RulesError(f"dealer: seat {shown(seat)} is not 0…{rules.players - 1}")
    thread_count(n_jobs)


def bit_generator(seed: int, stream: Stream, *numbers: int) -> np.random.PCG64DXSM:
    """Return the random bits of a stream, or of one of its numbered parts."""
    return np.random.PCG64DXSM(np.random.SeedSequence(seed, spawn_key=(int(stream), *numbers)))


def draw_worlds(plan: Plan, n: int, stream: Stream, *numbers: int) -> NDArray[np.uint8]:
    """Deal worlds that the player cannot tell apart.

    Parameters
    ----------
    plan
        What the player sees and has heard.
    n
        How many worlds.
    stream, numbers
        As for `bit_generator`.

    Returns
    -------
    numpy.ndarray
        uint8 (n, 78), as from `tarot_sim.sample_worlds`.
    """
    bits = bit_generator(plan.seed, stream, *numbers)
    if plan.auction is not None:
        return sample_worlds_given(plan.hand, TAKER, plan.auction, n, bits, dog=plan.dog)
    return sample_worlds(plan.hand, TAKER, plan.rules, n, bits, plan.dog)


def leaders(plan: Plan, first: int, n: int) -> NDArray[np.uint8]:
    """Return who leads to the first trick of each world.

    Parameters
    ----------
    plan
        Who deals.
    first
        Where no dealer is known every seat leads in turn: in the first world the seat of this
        number, counted around the table.
    n
        How many worlds.

    Returns
    -------
    numpy.ndarray
        uint8 (n,): seats.
    """
    players, dealer = plan.rules.players, plan.known_dealer
    if dealer is None:
        return ((np.arange(n) + first) % players).astype(np.uint8)
    return np.full(n, (dealer + 1) % players, np.uint8)
