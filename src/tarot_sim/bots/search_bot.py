"""A player that samples what the hidden cards may be and plays each card out in all worlds.

In the worlds everybody plays by habits, seeing their own cards only. The card of habits is
kept unless another is better by more than chance would have it.
"""

from __future__ import annotations

import math
import time
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar

import numpy as np

from tarot_sim.bots._rollouts import Begun, habit_card
from tarot_sim.bots.beforehand import dealt_worlds, play_auctions, play_contract
from tarot_sim.bots.deciding import deciding_fact
from tarot_sim.bots.habits import habits
from tarot_sim.bots.objective import made, own_share, scores, seat_scores
from tarot_sim.bots.player import Announcement, Decision, Option
from tarot_sim.bots.playing_out import PlayOuts
from tarot_sim.bots.rules_bot import RulesBot
from tarot_sim.bots.whole_deals import LEVELS
from tarot_sim.bots.worlds_seen import deals_of, draw_owners, sees_call
from tarot_sim.cards import CARDS, PETIT, Card
from tarot_sim.errors import OptionError
from tarot_sim.worlds.contract_deals import attack_of
from tarot_sim.worlds.discards import discard_candidates

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from tarot_sim.cards import Hand
    from tarot_sim.deals.view import View
    from tarot_sim.rules.table import Bid

    #: By option: the seat's score in each world, and how often its contract is made.
    _Values = tuple[NDArray[np.float64], Sequence[float | None]]

T = TypeVar("T")

#: Worlds that are drawn for each one that is kept where they are weighed by the plays.
_CANDIDATES: Final = 4
#: What a play that habits would not have made takes from a world's weight, and one that they
#: nearly would: other players have other habits.
_MISS: Final = 0.3
_NEAR: Final = 0.7
_NEARLY: Final = 1.0
#: Worlds for a bid, a call or an écart, for each one of a card; écarts that are compared.
_BEFOREHAND: Final = 10
_DISCARDS: Final = 12
#: How often the own camp has to win for a poignée to be shown: it tells the others something.
_SHOWS: Final = 0.6
#: Chelems are looked for with so many trumps, the Excuse included, by players.
_SWEEPING: Final = {3: 16, 4: 13, 5: 11}


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
        """Bid what brings most when the rest of the deal goes by habits."""
        legal = view.legal_bids()
        if len(legal) == 1:
            return Decision(legal[0], (Option(legal[0], behind=0.0),))
        values, chances = self._bid_values(view, legal)
        return self._ranked(legal, legal.index(self._rules.bid(view).best), values, chances)

    def _bid_values(self, view: View, bids: Sequence[Bid]) -> _Values:
        worlds = self._dealt_worlds(view)
        columns, chances = [], []
        for ended in play_auctions(view, worlds, [LEVELS[bid] for bid in bids]):
            columns.append(
                seat_scores(
                    ended.results, view.seat, view.rules, ended.taker, ended.level, ended.attack
                )
            )
            mine = ended.taker == view.seat
            chances.append(float(made(ended.results)[mine].mean()) if mine.any() else None)
        return np.stack(columns), chances

    def call(self, view: View) -> Decision[Card]:
        """Call the card that brings most."""
        options = view.callable_cards()
        values, chances = self._call_values(view, options)
        return self._ranked(options, options.index(self._rules.call(view).best), values, chances)

    def _call_values(self, view: View, cards: Sequence[Card]) -> _Values:
        worlds = self._dealt_worlds(view)
        assert view.contract is not None
        columns, chances = [], []
        for card in cards:
            results = play_contract(view, worlds, view.seat, view.contract, called=card)
            attack = attack_of(worlds, view.rules, view.seat, card)
            everywhere = np.full(len(worlds), 0)
            columns.append(
                seat_scores(
                    results,
                    view.seat,
                    view.rules,
                    everywhere + view.seat,
                    everywhere + LEVELS[view.contract],
                    attack,
                )
            )
            chances.append(float(made(results).mean()))
        return np.stack(columns), chances

    def discard(self, view: View) -> Decision[Hand]:
        """Discard what brings most of the rules' écarts and some others."""
        candidates = discard_candidates(
            view.start, view.rules, _DISCARDS, self._rng, called=view.called
        )
        values, chances = self._discard_values(view, candidates)
        # The rule's comes first.
        return self._ranked(candidates, 0, values, chances)

    def _discard_values(self, view: View, candidates: Sequence[Hand]) -> _Values:
        worlds = self._dealt_worlds(view)
        assert view.contract is not None
        columns, chances = [], []
        for candidate in candidates:
            results = play_contract(
                view,
                worlds,
                view.seat,
                view.contract,
                called=view.called,
                discard=partial(_always, candidate),
            )
            columns.append(scores(results, view))
            chances.append(float(made(results).mean()))
        return np.stack(columns), chances

    def _dealt_worlds(self, view: View) -> NDArray[np.uint8]:
        return dealt_worlds(view, _BEFOREHAND * self._worlds, self._rng)

    def own_scores(self, view: View, options: Sequence[Any]) -> NDArray[np.float64]:
        """Return what the seat of a view scores if it does this or that, in the same worlds.

        Parameters
        ----------
        view
            The seat's, whose turn it is.
        options
            Bids, cards to call, écarts or cards to play, as the phase has them; all legal.

        Returns
        -------
        numpy.ndarray
            float64 (options, worlds): the seat's own score.
        """
        if view.phase == "auction":
            return self._bid_values(view, options)[0]
        if view.phase == "call":
            return self._call_values(view, options)[0]
        if view.phase == "discard":
            return self._discard_values(view, options)[0] * own_share(view)
        played = PlayOuts(view, habits(view.rules), drops=False)
        self._play_out(view, played, habits(view.rules))
        taker = scores(played.results, view) * own_share(view)
        return taker[[played.cards.index(_stands_for(card, played.cards)) for card in options]]

    def _ranked(
        self,
        options: Sequence[T],
        habit: int,
        values: NDArray[np.float64],
        chances: Sequence[float | None],
    ) -> Decision[T]:
        """Return the options by the seat's mean score; the habit stays where it is near."""
        worlds = values.shape[1]
        means = values.mean(axis=1)
        best, reason = int(means.argmax()), "search"
        if best != habit:
            gain = values[best] - values[habit]
            if gain.mean() <= self._guard * gain.std(ddof=1) / math.sqrt(worlds):
                best, reason = habit, "habit"
        order = sorted(range(len(options)), key=lambda place: (place != best, -means[place]))
        return Decision(
            options[best],
            tuple(
                Option(
                    options[place],
                    float(means[place]),
                    chances[place],
                    float(means[place]),
                    float(values[place].std(ddof=1) / math.sqrt(worlds)),
                    float(means[best] - means[place]),
                )
                for place in order
            ),
            worlds,
            reason,
        )

    def announce(self, view: View) -> Announcement:
        """Show a poignée where the own camp wins more often than not; announce sure chelems."""
        levels = view.legal_poignees()
        chelem = view.may_announce_chelem() and _may_sweep(view)
        if not levels and not chelem:
            return Announcement()
        weights = habits(view.rules)
        if chelem:
            led = replace(view, chelem=True)
            begun = Begun(
                deals_of(led, draw_owners(led, _BEFOREHAND * self._worlds, self._rng)),
                led.taker,
                (),
                sees_call(led),
            )
            _, chosen, results = begun.values(weights)
            # Announced it brings 400 or costs 200, instead of 200 or nothing.
            if (results[chosen]["chelem"] > 0).mean() > 0.5 and view.is_taker:
                return Announcement(levels[-1] if levels else None, chelem=True)
        if not levels or view.to_move != view.seat:
            return Announcement()
        owners = draw_owners(view, self._worlds, self._rng, model_discard=self._model_discard)
        begun = Begun(deals_of(view, owners), view.taker, view.plays, sees_call(view))
        _, chosen, results = begun.values(weights)
        wins = made(results[chosen]).mean()
        if not view.in_attack:
            wins = 1 - wins
        return Announcement(poignee=levels[-1] if wins > _SHOWS else None)

    def play(self, view: View, *, explain: bool = False) -> Decision[Card]:
        """Play the card that does best in the worlds that the view allows.

        Parameters
        ----------
        view
            What the seat knows.
        explain
            Whether to look for the hidden cards on which the choice turns.
        """
        legal = view.legal_cards()
        if len(legal) == 1:
            return Decision(legal[0], (Option(legal[0], behind=0.0),), reason="forced")
        weights = habits(view.rules)
        habit, values = habit_card(view, weights)
        if len(values) == 1:
            return Decision(CARDS[habit], (Option(CARDS[habit], behind=0.0),), reason="alike")
        started = time.monotonic()
        played = PlayOuts(view, weights, drops=not explain)
        worlds: list[NDArray[np.uint8]] = []
        while True:
            worlds.append(self._play_out(view, played, weights))
            spent = time.monotonic() - started
            # Another round as long as the last ones has to fit in.
            if (
                played.is_settled
                or self._seconds is None
                or spent * (len(worlds) + 1) / len(worlds) > self._seconds
            ):
                break
        decision, gains = self._decide(view, played)
        if not explain:
            return decision
        return replace(decision, deciding=deciding_fact(view, np.concatenate(worlds), gains))

    def card_values(
        self, view: View, weights: NDArray[np.float32]
    ) -> tuple[list[int], NDArray[np.float64]]:
        """Return the cards, one of each run of equals, and the soft score of each.

        It is the mean over the worlds for the seat's camp, in half points.
        """
        played = PlayOuts(view, weights, drops=False)
        self._play_out(view, played, weights)
        return played.cards, played.soft.mean(axis=1)

    def _play_out(
        self, view: View, played: PlayOuts, weights: NDArray[np.float32]
    ) -> NDArray[np.uint8]:
        """Play cards out in one set of worlds, which is returned."""
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
        played.add(begun)
        return owners

    def _resample(self, weights: NDArray[np.float64], n: int) -> NDArray[np.int64]:
        """Return `n` rows by weight, at even distances: few are drawn twice."""
        marks = (np.arange(n) + self._rng.random()) / n * weights.sum()
        rows = np.searchsorted(np.cumsum(weights), marks)
        kept: NDArray[np.int64] = np.minimum(rows, len(weights) - 1)
        return kept

    def _decide(self, view: View, played: PlayOuts) -> tuple[Decision[Card], NDArray[np.float64]]:
        """Return the decision, and what it brings more than its rival in each world."""
        cards, habit, soft, worlds = played.cards, played.habit, played.soft, played.worlds
        n = int(worlds.max())
        leader = int(np.where(worlds == n, soft.sum(axis=1), -np.inf).argmax())
        best, reason = leader, "search"
        if best != habit:
            both = int(worlds[habit])
            gain = soft[best, :both] - soft[habit, :both]
            if gain.mean() <= self._guard * gain.std(ddof=1) / math.sqrt(both):
                best, reason = habit, "habit"
        taker = scores(played.results, view)
        means = played.means(soft, leader)
        order = sorted(range(len(cards)), key=lambda place: (place != best, -means[place]))
        expected = played.means(taker, leader)
        squares = (taker**2).sum(axis=1) / worlds - (taker.sum(axis=1) / worlds) ** 2
        columns = (
            means,
            played.means(made(played.results).astype(np.float64), leader),
            expected,
            np.sqrt(np.maximum(squares, 0) / (worlds - 1)),
            (1 if view.in_attack else -1) * (expected[best] - expected),
        )
        rows = np.stack(columns, axis=1).tolist()
        options = tuple(Option(CARDS[cards[place]], *rows[place]) for place in order)
        rival = habit if best != habit else order[1]
        decision = Decision(CARDS[cards[best]], options, n, reason, CARDS[cards[rival]])
        return decision, (1 if view.in_attack else -1) * (taker[best] - taker[rival])


def _stands_for(card: Card, cards: Sequence[int]) -> int:
    """Return the card that was played out for one: the lowest of those that are as good."""
    return max(other for other in cards if other <= card and CARDS[other].suit == card.suit)


def _always(discard: Hand, _cards: Hand) -> Hand:
    return discard


def _may_sweep(view: View) -> bool:
    """Tell whether a chelem is worth looking for."""
    return (view.start.mask >> PETIT).bit_count() >= _SWEEPING[view.players]
