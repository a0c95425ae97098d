"""A player that samples what the hidden cards may be and plays each card out in all worlds.

In the worlds everybody plays by habits, seeing their own cards only. The card of habits is
kept unless another is better by more than chance would have it.
"""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tarot_sim.bots._rollouts import Begun, habit_card
from tarot_sim.bots.habits import habits
from tarot_sim.bots.objective import made, scores, soft_scores
from tarot_sim.bots.player import Announcement, Decision, Option
from tarot_sim.bots.rules_bot import RulesBot
from tarot_sim.bots.worlds_seen import deals_of, draw_owners, sees_call
from tarot_sim.cards import CARDS, Card
from tarot_sim.errors import OptionError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tarot_sim.cards import Hand
    from tarot_sim.deals.view import View
    from tarot_sim.rules.table import Bid

#: Worlds that are drawn for each one that is kept where they are weighed by the plays.
_CANDIDATES: Final = 4
#: What a play that habits would not have made takes from a world's weight, and one that they
#: nearly would: other players have other habits.
_MISS: Final = 0.3
_NEAR: Final = 0.7
_NEARLY: Final = 1.0


class SearchBot:
    """Samples worlds and plays them out.

    Parameters
    ----------
    rng
        Where its worlds come from.
    worlds
        How many worlds a card is chosen by.
    guard
        By how many standard errors another card has to be better than the one of habits.
    likelihood
        Whether worlds are weighed by how likely the plays were, for defenders.
    model_discard
        Whether defenders model how the taker discards.
    seconds
        Time for a decision: worlds are added while it lasts. None for none.
    """

    def __init__(
        self,
        rng: np.random.Generator,
        *,
        worlds: int = 40,
        guard: float = 1.0,
        likelihood: bool = True,
        model_discard: bool = True,
        seconds: float | None = None,
    ) -> None:
        if not 2 <= worlds <= 100_000:
            raise OptionError(f"worlds: {worlds} is not 2…100000")
        if not (math.isfinite(guard) and guard >= 0):
            raise OptionError(f"guard: {guard} is not 0 or more")
        if seconds is not None and not (math.isfinite(seconds) and seconds > 0):
            raise OptionError(f"time: {seconds} is not more than 0")
        self._rng = rng
        self._rules = RulesBot()
        self._worlds = worlds
        self._guard = guard
        self._likelihood = likelihood
        self._model_discard = model_discard
        self._seconds = seconds

    @property
    def name(self) -> str:
        """The name with the options that are not the default."""
        options = []
        if self._worlds != 40:
            options.append(f"worlds={self._worlds}")
        if self._guard != 1.0:
            options.append(f"guard={self._guard:g}")
        if not self._likelihood:
            options.append("likelihood=off")
        if not self._model_discard:
            options.append("discard=off")
        if self._seconds is not None:
            options.append(f"time={self._seconds:g}")
        return "search" + (":" + ",".join(options) if options else "")

    def bid(self, view: View) -> Decision[Bid]:
        """Bid as a player of habits."""
        return self._rules.bid(view)

    def call(self, view: View) -> Decision[Card]:
        """Call as a player of habits."""
        return self._rules.call(view)

    def discard(self, view: View) -> Decision[Hand]:
        """Discard as a player of habits."""
        return self._rules.discard(view)

    def announce(self, view: View) -> Announcement:
        """Announce as a player of habits."""
        return self._rules.announce(view)

    def play(self, view: View) -> Decision[Card]:
        """Play the card that does best in the worlds that the view allows."""
        legal = view.legal_cards()
        if len(legal) == 1:
            return Decision(legal[0], (Option(legal[0], behind=0.0),))
        weights = habits(view.rules)
        habit, values = habit_card(view, weights)
        if len(values) == 1:
            return Decision(CARDS[habit], (Option(CARDS[habit], behind=0.0),))
        started = time.monotonic()
        parts: list[NDArray[Any]] = []
        while True:
            cards, results = self._play_out(view, weights)
            parts.append(results)
            spent = time.monotonic() - started
            # Another round as long as the last ones has to fit in.
            if self._seconds is None or spent * (len(parts) + 1) / len(parts) > self._seconds:
                break
        return self._decide(view, cards, cards.index(habit), np.concatenate(parts, axis=1))

    def _play_out(
        self, view: View, weights: NDArray[np.float32]
    ) -> tuple[list[int], NDArray[Any]]:
        """Play each card out in one set of worlds."""
        n = self._worlds
        weigh = self._likelihood and not view.is_taker and len(view.plays) >= view.players
        owners = draw_owners(
            view, _CANDIDATES * n if weigh else n, self._rng, model_discard=self._model_discard
        )
        open_call = sees_call(view)
        begun = Begun(deals_of(view, owners), view.taker, view.plays, open_call)
        if weigh:
            logs = begun.likelihoods(weights, view.seat, _MISS, _NEAR, _NEARLY)
            owners = owners[self._resample(np.exp(logs - logs.max()), n)]
            begun = Begun(deals_of(view, owners), view.taker, view.plays, open_call)
        cards, _, results = begun.values(weights)
        return cards, results

    def _resample(self, weights: NDArray[np.float64], n: int) -> NDArray[np.int64]:
        """Return `n` rows by weight, at even distances: few are drawn twice."""
        marks = (np.arange(n) + self._rng.random()) / n * weights.sum()
        rows = np.searchsorted(np.cumsum(weights), marks)
        return np.minimum(rows, len(weights) - 1)

    def _decide(
        self, view: View, cards: list[int], habit: int, results: NDArray[Any]
    ) -> Decision[Card]:
        contract, n = view.contract, results.shape[1]
        assert contract is not None
        sign = 1 if in_attack(view) else -1
        soft = sign * soft_scores(results, view)
        means = soft.mean(axis=1)
        best = int(means.argmax())
        reason = "search"
        if best != habit:
            gain = soft[best] - soft[habit]
            if gain.mean() <= self._guard * gain.std(ddof=1) / math.sqrt(n):
                best, reason = habit, "habit"
        taker = scores(results, view)
        order = sorted(range(len(cards)), key=lambda place: (place != best, -means[place]))
        options = tuple(
            Option(
                CARDS[cards[place]],
                float(means[place]),
                float(made(results)[place].mean()),
                float(taker[place].mean()),
                float(taker[place].std(ddof=1) / math.sqrt(n)),
                float(sign * (taker[best] - taker[place]).mean()),
            )
            for place in order
        )
        return Decision(CARDS[cards[best]], options, n, reason)


def in_attack(view: View) -> bool:
    """Tell whether the seat is in the attack, as it knows itself."""
    return view.is_taker or (view.called is not None and view.called in view.hand)
