"""What every bot is: a player that is asked for its decisions and shown views alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

if TYPE_CHECKING:
    from tarot_sim.bots.deciding import Deciding
    from tarot_sim.cards import Card, Hand
    from tarot_sim.deals.view import View
    from tarot_sim.rules.table import Bid, PoigneeLevel

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Option(Generic[T]):
    """Something that could be done, and what it is worth.

    Attributes
    ----------
    option
        A bid, a card, an écart.
    value
        What it is worth to the player, in the bot's own measure; None where the bot has none.
    p_make
        Probability that the contract is made.
    mean_score
        The score that is expected: of a card the taker's, which a defender wants low; of a
        bid, a call or an écart the player's own.
    se
        Standard error of `mean_score`.
    behind
        By how much less than the best it is worth to the player, in points; 0 of the best.
    """

    option: T
    value: float | None = None
    p_make: float | None = None
    mean_score: float | None = None
    se: float | None = None
    behind: float | None = None


@dataclass(frozen=True, slots=True)
class Decision(Generic[T]):
    """What a bot does, and what else it looked at.

    Attributes
    ----------
    best
        What it does.
    options
        All that it weighed, the best first.
    worlds
        How many worlds it looked at; 0 for bots that do not.
    reason
        Why, as a key of the messages for people; empty where there is nothing to say.
    rival
        Of a card: the next best, or the usual one where another is played.
    deciding
        On which hidden cards it turns that the card does better or worse than its rival.
    """

    best: T
    options: tuple[Option[T], ...] = ()
    worlds: int = 0
    reason: str = ""
    rival: T | None = None
    deciding: Deciding | None = None


@dataclass(frozen=True, slots=True)
class Announcement:
    """What is announced before the first card: a poignée to show, a chelem."""

    poignee: PoigneeLevel | None = None
    chelem: bool = False


class Bot(Protocol):
    """A player. Each method is called in the phase of its name, with the view of who acts.

    A bot keeps nothing from one call to the next but its random stream.
    """

    @property
    def name(self) -> str:
        """The name with options from which `tarot_sim.bots.make` makes it."""

    def bid(self, view: View) -> Decision[Bid]:
        """Say what to bid."""

    def call(self, view: View) -> Decision[Card]:
        """Five players: say which card to call."""

    def discard(self, view: View) -> Decision[Hand]:
        """Say which écart to make."""

    def announce(self, view: View) -> Announcement:
        """Say what to announce; asked of every player before their first card."""

    def play(self, view: View) -> Decision[Card]:
        """Say which card to play."""
