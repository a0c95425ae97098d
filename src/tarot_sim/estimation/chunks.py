"""Chunks of worlds, dealt and judged for every contract: what the chances are made of.

A chunk depends on the plan and its number alone. All of its worlds are the same for every
contract (common random numbers); all get a forecast, the first of them a judgement, and
the first of those an exact search where the method asks for it.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tarot_sim.cards import CARDS, EXCUSE, ROIS_MASK, SUIT_MASKS, Card
from tarot_sim.errors import RulesError
from tarot_sim.estimation.judge import METHODS, NEEDS, Judge
from tarot_sim.estimation.spread import mean_margins, spread_margins, spread_weights
from tarot_sim.notation import TRUMP
from tarot_sim.rules import POIGNEES, Contract, Rules
from tarot_sim.rules.scoring import CHELEMS, defender_loss, per_defender
from tarot_sim.worlds._counts import world_features
from tarot_sim.worlds._sampler import sample_worlds
from tarot_sim.worlds.bidding_model import sample_worlds_given
from tarot_sim.worlds.contract_deals import TAKER, attack_of, contract_deals

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from tarot_sim.cards import Hand
    from tarot_sim.estimation.judge import Forecast, Method
    from tarot_sim.rules.auction import Auction
    from tarot_sim.worlds.batch import Deals

#: Worlds of a chunk that are judged, and those that get a forecast, the former among them.
CHUNK: Final = 50
FORECASTS: Final = 400

#: Contracts whose deals are the same share one judgement.
GROUPS: Final[dict[Contract, tuple[Contract, ...]]] = {
    "garde": ("prise", "garde"),
    "garde_sans": ("garde_sans",),
    "garde_contre": ("garde_contre",),
}
_TRUMPS: Final = [card for card in range(78) if (SUIT_MASKS[TRUMP] | 1 << EXCUSE) >> card & 1]
_ROIS: Final = [card for card in range(56) if ROIS_MASK >> card & 1]
#: Fields of a trial with a row for each judged world.
JUDGED: Final = (
    "makes", "fitted", "margins", "bouts", "petit_au_bout", "chelem", "shares", "bonus",
)  # fmt: skip
_local = threading.local()


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


@dataclass(frozen=True, slots=True)
class Trial:
    """One contract in some worlds; a row a world.

    Attributes
    ----------
    forecasts
        Shape (N, 6): cheap figures of every world: the probability that the contract is
        made, its square and its logit, the expected margin, and two bounded forms of it.
    makes
        Shape (n,): probability that it is made, of the first n worlds.
    fitted
        Shape (n,): half points above the need, as fitted.
    margins
        Shape (n,): the same in accord with `makes`, see `tarot_sim.estimation.spread`.
    bouts
        Shape (n,): bouts that the attack is expected to have.
    petit_au_bout, chelem
        Shape (n,): +1 attack, −1 defence, else 0.
    shares
        Shape (n,): how many times a defender's loss the taker wins.
    bonus
        Shape (n,): what the best poignée of the taker's cards is worth to each defender.
    exact
        Shape (m,): the probability after an exact search, of the first m worlds.
    proved
        Shape (m,): whether that search came to an end.
    """

    contract: Contract
    players: int
    forecasts: NDArray[np.float64]
    makes: NDArray[np.float64]
    fitted: NDArray[np.float64]
    margins: NDArray[np.float64]
    bouts: NDArray[np.int64]
    petit_au_bout: NDArray[np.int64]
    chelem: NDArray[np.int64]
    shares: NDArray[np.int64]
    bonus: NDArray[np.int64]
    exact: NDArray[np.float64]
    proved: NDArray[np.bool_]

    @property
    def poignees(self) -> NDArray[np.float64]:
        """What a poignée shown adds to the expected score; shape (n,)."""
        result: NDArray[np.float64] = self.shares * self.bonus * (2 * self.makes - 1)
        return result

    @property
    def shows_poignee(self) -> bool:
        """Whether a poignée, if there is one, is better shown: the winner gets it."""
        return float(self.poignees.mean()) > 0

    @property
    def scores(self) -> NDArray[np.float64]:
        """Expected score of the taker; shape (n,)."""
        return self._scores(self.makes, self.margins, self.shows_poignee)

    @property
    def exact_scores(self) -> NDArray[np.float64]:
        """The same after an exact search, of the first m worlds; shape (m,)."""
        return self._scores_if(self.exact)

    def stakes(self, n: int) -> NDArray[np.float64]:
        """Return what it is worth to make the contract, not to fail, in the first `n` worlds."""
        return self._scores_if(np.ones(n)) - self._scores_if(np.zeros(n))

    def _scores_if(self, makes: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the scores of the first worlds if their probabilities were these."""
        few = self.first(len(makes))
        margins = mean_margins(makes, few.fitted, self.players)
        return few._scores(makes, margins, self.shows_poignee)

    def _scores(
        self, makes: NDArray[np.float64], margins: NDArray[np.float64], shows_poignee: bool
    ) -> NDArray[np.float64]:
        """Return the taker's expected scores with these probabilities and margins."""
        result: NDArray[np.float64] = self.shares * defender_loss(
            2 * makes - 1,
            expected_points(makes, margins, self.players),
            self.contract,
            self.petit_au_bout,
            self.bonus if shows_poignee else 0,
            CHELEMS["made"] * self.chelem,
        )
        return result

    @property
    def has_partner(self) -> NDArray[np.bool_]:
        """Whether the taker has a partner; shape (n,)."""
        result: NDArray[np.bool_] = self.shares < self.players - 1
        return result

    @property
    def points(self) -> NDArray[np.float64]:
        """Expected card points of the attack; shape (n,)."""
        result: NDArray[np.float64] = (NEEDS[self.bouts] + self.margins) / 2
        return result

    def first(self, n: int) -> Trial:
        """Return the trial of the first `n` judged worlds, with all forecasts."""
        judged: dict[str, Any] = {name: getattr(self, name)[:n] for name in JUDGED}
        return replace(self, exact=self.exact[:n], proved=self.proved[:n], **judged)

    def score_spread(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return scores that each world may bring, and their probabilities; shape (n, 8)."""
        margins = np.rint(spread_margins(self.makes, self.fitted, self.players))
        worth = per_defender(
            margins.astype(np.int64),
            self.contract,
            petit_au_bout=self.petit_au_bout[:, None],
            poignees=self.bonus[:, None] if self.shows_poignee else 0,
            chelem=CHELEMS["made"] * self.chelem[:, None],
        )
        scores: NDArray[np.float64] = (self.shares[:, None] * worth).astype(np.float64)
        return scores, spread_weights(self.makes)

    def points_spread(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return what each world may bring above the need, in card points; shape (n, 8)."""
        margins = np.rint(spread_margins(self.makes, self.fitted, self.players)) / 2
        return margins, spread_weights(self.makes)


def check_run(rules: Rules, dealer: int | None, seed: int, n_jobs: int) -> None:
    """Raise a `RulesError` unless worlds can be dealt and judged with these options."""
    if dealer is not None and not 0 <= dealer < rules.players:
        raise RulesError(f"dealer: seat {dealer} is not 0…{rules.players - 1}")
    if seed < 0:
        raise RulesError(f"seed: {seed} is negative")
    if n_jobs == 0:
        raise RulesError("n_jobs: 0 is neither a number of jobs nor -1 for all cores")


def bit_generator(seed: int, *key: int) -> np.random.PCG64DXSM:
    """Return the random bits of one part of the work."""
    return np.random.PCG64DXSM(np.random.SeedSequence(seed, spawn_key=key))


def draw_worlds(plan: Plan, n: int, *key: int) -> NDArray[np.uint8]:
    """Deal worlds that the player cannot tell apart."""
    bits = bit_generator(plan.seed, *key)
    if plan.auction is not None:
        return sample_worlds_given(plan.hand, TAKER, plan.auction, n, bits)
    return sample_worlds(plan.hand, TAKER, plan.rules, n, bits, plan.dog)


def leaders(plan: Plan, first: int, n: int) -> NDArray[np.uint8]:
    """Return who leads each world; without a dealer every seat in turn."""
    players = plan.rules.players
    dealer = plan.auction.dealer if plan.auction is not None else plan.dealer
    if dealer is None:
        return ((np.arange(n) + first) % players).astype(np.uint8)
    return np.full(n, (dealer + 1) % players, np.uint8)


def judge_of_thread(method: Method) -> Judge:
    """Return this thread's judge."""
    judges: dict[Method, Judge] = _local.__dict__.setdefault("judges", {})
    if method not in judges:
        judges[method] = Judge(method)
    return judges[method]


def run_chunk(
    plan: Plan,
    number: int,
    forecasts: int = FORECASTS,
    contracts: tuple[Contract, ...] = tuple(GROUPS),
) -> tuple[dict[Contract, Trial], NDArray[np.int16]]:
    """Deal the chunk of this number, give so many of its worlds a forecast and judge `CHUNK`.

    Returns
    -------
    tuple
        The trial of each contract asked for and of those with the same deals; int16 (N, 16),
        the `world_features` of all worlds with the dog in the taker's hand.
    """
    worlds = draw_worlds(plan, forecasts, 0, number)
    attack = attack_of(worlds, plan.rules, TAKER, plan.called)
    features = world_features(worlds, TAKER, attack, plan.rules.players, True)
    first_leaders = leaders(plan, number * CHUNK, forecasts)
    trials: dict[Contract, Trial] = {}
    for contract in contracts:
        trials.update(run_trial(plan, worlds, first_leaders, contract, CHUNK))
    return trials, features


def run_trial(
    plan: Plan,
    worlds: NDArray[np.uint8],
    first_leaders: NDArray[np.uint8],
    contract: Contract,
    n: int,
) -> dict[Contract, Trial]:
    """Forecast these worlds, judge the first `n`, and return a trial for each contract."""
    deals = contract_deals(
        worlds, plan.rules, contract, first_leaders, called=plan.called, discard=plan.discard
    )
    judge = judge_of_thread(plan.method)
    forecast = judge.forecast(deals)
    judged = deals[np.arange(n)]
    judgement = judge.judge(judged, forecast[:n])
    m = min(n, METHODS[plan.method].exact_worlds)
    exact, proved = judge.prove(judged[np.arange(m)], judgement.makes[:m])
    players = plan.rules.players
    return {
        name: Trial(
            contract=name,
            players=players,
            forecasts=_cheap_figures(forecast),
            makes=judgement.makes,
            fitted=judgement.margins,
            margins=mean_margins(judgement.makes, judgement.margins, players),
            bouts=judgement.outcomes["bouts"].astype(np.int64),
            petit_au_bout=judgement.outcomes["petit_au_bout"].astype(np.int64),
            chelem=judgement.outcomes["chelem"].astype(np.int64),
            shares=_shares(judged, TAKER),
            bonus=_poignees(judged),
            exact=exact,
            proved=proved,
        )
        for name in GROUPS[contract]
    }


def _cheap_figures(forecast: Forecast) -> NDArray[np.float64]:
    """Return what a regression of the dear figures on a forecast goes by."""
    makes, margins = forecast.makes, forecast.margins
    inside = np.clip(makes, 1e-5, 1 - 1e-5)
    return np.column_stack(
        [
            makes,
            makes**2,
            np.log(inside / (1 - inside)),
            margins,
            np.tanh(margins / 20),
            np.tanh(margins / 8),
        ]
    )


def joined(trials: list[Trial]) -> Trial:
    """Return one trial of all worlds, those that were searched most first."""
    sizes = [(len(trial.exact), len(trial.makes), len(trial.forecasts)) for trial in trials]

    def levels(name: str, upto: int) -> NDArray[Any]:
        parts = []
        for level in range(upto + 1):
            for trial, size in zip(trials, sizes, strict=True):
                parts.append(getattr(trial, name)[size[level - 1] if level else 0 : size[level]])
        return np.concatenate(parts)

    judged: dict[str, Any] = {name: levels(name, 1) for name in JUDGED}
    return replace(
        trials[0],
        forecasts=levels("forecasts", 2),
        exact=levels("exact", 0),
        proved=levels("proved", 0),
        **judged,
    )


def beside(
    plan: Plan, worlds: NDArray[np.uint8], seats: NDArray[np.uint8], contract: Contract, taker: int
) -> NDArray[np.float64]:
    """Return the player's expected score in worlds where another takes.

    The écart is made from the taker's cards, which differ by the world; at five players he
    calls the first Roi that he lacks. Judged by the forecast alone.
    """
    calls = _calls(worlds, taker) if plan.rules.players == 5 else [None] * len(worlds)
    scores = np.zeros(len(worlds))
    for called in dict.fromkeys(calls):
        rows = np.array([row for row, card in enumerate(calls) if card == called])
        deals = contract_deals(
            worlds[rows], plan.rules, contract, seats[rows], taker=taker, called=called
        )
        forecast = judge_of_thread(plan.method).forecast(deals, taker)
        points = expected_points(forecast.makes, forecast.margins, plan.rules.players)
        loss = defender_loss(2 * forecast.makes - 1, points, contract, 0, 0, 0)
        scores[rows] = _shares(deals, taker, TAKER) * loss
    return scores


def expected_points(
    makes: NDArray[np.float64], margins: NDArray[np.float64], players: int
) -> NDArray[np.float64]:
    """Return the card points above the target that the score is expected to count; shape (n,).

    Parameters
    ----------
    makes
        Shape (n,): probability that the contract is made.
    margins
        Shape (n,): expected half points above the need.
    players
        Players at the table.
    """
    # At 3 and 5 players every other margin has half a point, rounded away from zero.
    rounding = 0.0 if players == 4 else 0.25
    return margins / 2 + rounding * (2 * makes - 1)


def _calls(worlds: NDArray[np.uint8], taker: int) -> list[Card | None]:
    return [
        next((CARDS[roi] for roi in _ROIS if row[roi] != taker), CARDS[_ROIS[0] - 1])
        for row in worlds
    ]


def _shares(deals: Deals, taker: int, seat: int | None = None) -> NDArray[np.int64]:
    """Return how many times a defender's loss a seat wins, the taker unless given."""
    alone = deals.attack == 1 << taker
    defenders = deals.rules.players - 1
    if seat is None or seat == taker:
        return np.where(alone, defenders, defenders - 2).astype(np.int64)
    return np.where(deals.attack >> seat & 1 == 1, 1, -1).astype(np.int64)


def _poignees(deals: Deals) -> NDArray[np.int64]:
    """Return what the taker's best poignée is worth to each defender: the écart counts too."""
    owners = deals.owners[:, _TRUMPS]
    own = owners == TAKER
    if deals.contract == "garde":
        own |= owners == deals.rules.players
    held = own.sum(axis=1)
    bonus = np.zeros(len(deals), np.int64)
    for size, worth in zip(deals.rules.poignee_trumps, POIGNEES.values(), strict=True):
        bonus[held >= size] = worth
    return bonus
