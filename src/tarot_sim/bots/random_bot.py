"""A player that does anything that is legal, each as likely as any other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from tarot_sim.bots.player import Announcement, Decision, Option
from tarot_sim.cards import Hand
from tarot_sim.rules.discard import discardable

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeVar

    from tarot_sim.cards import Card
    from tarot_sim.deals.view import View
    from tarot_sim.rules.table import Bid

    T = TypeVar("T")

#: How often it passes: else hardly a deal would be left for the last to speak.
_PASSES: Final = 0.8


class RandomBot:
    """Plays at random: what other bots have to beat.

    Parameters
    ----------
    rng
        Where its choices come from.
    """

    name: Final = "random"

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng

    def bid(self, view: View) -> Decision[Bid]:
        """Pass four times in five, else bid anything that may be bid."""
        bids = view.legal_bids()
        if len(bids) == 1 or self._rng.random() < _PASSES:
            return Decision("pass", tuple(map(Option, bids)))
        return self._any(bids[1:])

    def call(self, view: View) -> Decision[Card]:
        """Call any card."""
        return self._any(view.callable_cards())

    def discard(self, view: View) -> Decision[Hand]:
        """Discard any cards."""
        fixed, free = discardable(view.start, view.rules)
        count = view.rules.dog_size - len(fixed)
        chosen = self._rng.choice(len(free), count, replace=False)
        cards = list(free)
        return Decision(fixed | Hand([cards[place] for place in chosen.tolist()]))

    def announce(self, view: View) -> Announcement:
        """Announce nothing."""
        return Announcement()

    def play(self, view: View) -> Decision[Card]:
        """Play any legal card."""
        return self._any(view.legal_cards())

    def _any(self, options: Sequence[T]) -> Decision[T]:
        return Decision(options[int(self._rng.integers(len(options)))], tuple(map(Option, options)))
