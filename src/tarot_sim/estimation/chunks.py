"""Chunks of worlds, dealt and judged for every contract: what the chances are made of.

A chunk depends on the plan and its number alone. All of its worlds are the same for every
contract (common random numbers); all get a forecast, the first of them a judgement, and
the first of those an exact search where the method asks for it.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tarot_sim.cards import COURTS_MASK, EXCUSE, SUIT_MASKS
from tarot_sim.estimation.calibration import calibration
from tarot_sim.estimation.ends import stretched
from tarot_sim.estimation.judge import METHODS, Judge
from tarot_sim.estimation.plan import Stream, draw_worlds, leaders
from tarot_sim.estimation.sample import Sample, payoff_multipliers
from tarot_sim.notation import TRUMP
from tarot_sim.rules import DOG_CONTRACTS, Contract
from tarot_sim.worlds._counts import world_counts
from tarot_sim.worlds.contract_deals import TAKER, attack_of, contract_deals
from tarot_sim.worlds.logits import logit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from tarot_sim.estimation.judge import Forecast, Method
    from tarot_sim.estimation.plan import Model, Plan
    from tarot_sim.worlds.batch import Deals

#: Worlds of a chunk that are judged, and those that get a forecast, the former among them.
CHUNK: Final = 50
FORECASTS: Final = 400

#: Contracts whose deals are the same share one judgement.
GROUPS: Final[dict[Contract, tuple[Contract, ...]]] = {
    "garde": ("prise", "pousse", "garde"),
    "garde_sans": ("garde_sans",),
    "garde_contre": ("garde_contre",),
}
_TRUMPS: Final = [card for card in range(78) if (SUIT_MASKS[TRUMP] | 1 << EXCUSE) >> card & 1]
_COURTS: Final = [card for card in range(78) if COURTS_MASK >> card & 1]
_local = threading.local()


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some worlds and what was found in them.

    Attributes
    ----------
    counts
        `COUNTS_DTYPE` (N,): what can be counted of each world, see `run_chunk`.
    samples
        The contracts that were judged, in these N worlds.
    played
        The same as they are played at a table; empty unless the plan asks for that.
    """

    counts: NDArray[Any]
    samples: dict[Contract, Sample]
    played: dict[Contract, Sample]

    def of(self, model: Model) -> dict[Contract, Sample]:
        """Return the samples of a model of play."""
        return self.played if model == "table" else self.samples


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
    judged: int = CHUNK,
) -> Chunk:
    """Deal the chunk of this number, give so many of its worlds a forecast and judge the first.

    Contracts with the same deals as one of `contracts` are in the chunk too. The worlds are
    counted with the dog in the taker's hand if a Prise or a Garde is among them.
    """
    worlds = draw_worlds(plan, forecasts, Stream.WORLDS, number)
    attack = attack_of(worlds, plan.rules, TAKER, plan.called)
    first_leaders = leaders(plan, number * CHUNK, forecasts)
    samples: dict[Contract, Sample] = {}
    played: dict[Contract, Sample] = {}
    for contract in contracts:
        deals, forecast = _forecast(plan, worlds, first_leaders, contract)
        samples.update(_judged(plan, deals, forecast, contract, judged))
        if plan.model == "table":
            played.update(_played(plan, worlds, deals, forecast, contract))
    takes_dog = "garde" in samples
    counts = world_counts(worlds, TAKER, attack, plan.rules.players, takes_dog)
    return Chunk(counts, samples, played)


def forecasts_of(
    chunks: Sequence[Chunk], contract: Contract, model: Model = "double_dummy"
) -> tuple[NDArray[Any], NDArray[np.float64]]:
    """Return what was counted and forecast in the chunks that have a contract.

    Parameters
    ----------
    chunks
        The worlds.
    contract
        What is asked about.
    model
        Whose play it is.

    Returns
    -------
    tuple of numpy.ndarray
        `COUNTS_DTYPE` (N,) and float64 (N,): the counts of each world, and the forecast of the
        probability that the contract is made.
    """
    found = [chunk for chunk in chunks if contract in chunk.samples]
    return (
        np.concatenate([chunk.counts for chunk in found]),
        np.concatenate([chunk.of(model)[contract].controls[:, 0] for chunk in found]),
    )


def sample_contract(
    plan: Plan,
    worlds: NDArray[np.uint8],
    first_leaders: NDArray[np.uint8],
    contract: Contract,
    n: int,
) -> dict[Contract, Sample]:
    """Forecast a contract in all of these worlds and judge it in the first `n`.

    At a table nothing is judged, and all worlds count alike.

    Parameters
    ----------
    plan
        What is asked.
    worlds
        uint8 (N, 78).
    first_leaders
        uint8 (N,): who leads to the first trick.
    contract
        One of `GROUPS`.
    n
        How many worlds are judged.

    Returns
    -------
    dict
        The contract, and every other with the same deals.
    """
    deals, forecast = _forecast(plan, worlds, first_leaders, contract)
    if plan.model == "table":
        return _played(plan, worlds, deals, forecast, contract)
    return _judged(plan, deals, forecast, contract, n)


def _forecast(
    plan: Plan, worlds: NDArray[np.uint8], first_leaders: NDArray[np.uint8], contract: Contract
) -> tuple[Deals, Forecast]:
    """Return the deals that follow when a contract is taken, and what is expected of each."""
    deals = contract_deals(
        worlds, plan.rules, contract, first_leaders, called=plan.called, discard=plan.discard
    )
    return deals, judge_of_thread(plan.method).forecast(deals)


def _judged(
    plan: Plan, deals: Deals, forecast: Forecast, contract: Contract, n: int
) -> dict[Contract, Sample]:
    """Judge the first `n` deals of a contract with open cards."""
    judge = judge_of_thread(plan.method)
    judged = deals[np.arange(n)]
    judgement = judge.judge(judged, forecast[:n])
    m = min(n, METHODS[plan.method].exact_worlds)
    exact, proved = judge.prove(judged[np.arange(m)], judgement.p_make[:m])
    players = plan.rules.players
    return {
        name: Sample(
            contract=name,
            players=players,
            controls=_controls(forecast),
            p_make=judgement.p_make,
            fitted=stretched(judgement.margins, players),
            bouts=judgement.outcomes["bouts"].astype(np.int64),
            ends=judgement.ends,
            multipliers=payoff_multipliers(judged, TAKER),
            bonus=_bonuses(judged),
            rules=plan.rules,
            exact=exact,
            proved=proved,
            doubts=calibration().doubts(players, name),
        )
        for name in GROUPS[contract]
        if name in plan.rules.contracts
    }


def _played(
    plan: Plan, worlds: NDArray[np.uint8], deals: Deals, forecast: Forecast, contract: Contract
) -> dict[Contract, Sample]:
    """Expect how the deals of a contract are played at a table; nothing is searched."""
    # With open cards no bot is needed, and loading them would take time.
    from tarot_sim.estimation.table_play import expect_table_play, table_fit

    play = expect_table_play(deals, worlds, forecast, plan.called)
    nothing = np.zeros(0)
    players = plan.rules.players
    return {
        name: Sample(
            contract=name,
            players=players,
            controls=np.column_stack([play.p_make, play.p_make**2]),
            p_make=play.p_make,
            fitted=play.margins,
            bouts=play.bouts,
            ends=play.ends,
            multipliers=payoff_multipliers(deals, TAKER),
            bonus=_bonuses(deals),
            exact=nothing,
            proved=nothing.astype(np.bool_),
            doubts=table_fit(players).doubts,
            rules=plan.rules,
        )
        for name in GROUPS[contract]
        if name in plan.rules.contracts
    }


def _controls(forecast: Forecast) -> NDArray[np.float64]:
    """Return the control variates of a forecast, see `Sample.controls`; shape (N, 6)."""
    p_make, margins = forecast.p_make, forecast.margins
    return np.column_stack(
        [
            p_make,
            p_make**2,
            logit(p_make, 1e-5),
            margins,
            np.tanh(margins / 20),
            np.tanh(margins / 8),
        ]
    )


def _bonuses(deals: Deals) -> NDArray[np.int64]:
    """Return what the taker's best poignée, and their misères, are worth; shape (n,).

    Trumps in the écart count: they may be shown.
    """
    rules = deals.rules
    own = deals.owners == TAKER
    if deals.contract in DOG_CONTRACTS:
        own |= deals.owners == rules.players
    held = own[:, _TRUMPS].sum(axis=1)
    bonus = np.zeros(len(deals), np.int64)
    for size, worth in zip(rules.poignee_trumps, rules.poignee_values.values(), strict=True):
        bonus[held >= size] = worth
    if rules.misere:
        bonus += rules.misere * ((held == 0) + (own[:, _COURTS].sum(axis=1) == 0).astype(int))
    return bonus
