"""What a hand is worth: success and expected score of every contract.

Worlds that the player cannot tell apart are dealt; in each of them one écart is chosen
from hand and dog alone, and a narrow double-dummy search judges the deal. A world that
the search leaves open counts with a probability, never as made or failed.

The model is *double dummy*: everybody plays as if all cards were in view.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field, replace
from functools import partial
from math import sqrt
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar

import numpy as np

from tarot_sim._evaluate import Evaluator
from tarot_sim._sampler import sample_worlds
from tarot_sim.bidding import callable_cards
from tarot_sim.cards import Card, Hand
from tarot_sim.errors import BidError, RulesError
from tarot_sim.intervals import wilson
from tarot_sim.judge import METHODS, NEED, Judgement, Method, judge
from tarot_sim.rules import COEFFICIENTS, CONTRACTS, Contract, Rules
from tarot_sim.worlds import TAKER, contract_deals

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from tarot_sim._evaluate import Deals

#: Worlds dealt unless the caller says otherwise: ±4 points at most.
DEFAULT_WORLDS: Final = 600
#: Worlds dealt at most where a precision or a time is to end the work.
MOST_WORLDS: Final = 100_000
#: Worlds dealt at a time. A chunk depends on the seed and its number alone.
CHUNK: Final = 50
#: Worlds on which the cards that may be called are compared.
PILOT_WORLDS: Final = 60

# Contracts whose deals are the same share one search.
_GROUPS: Final[dict[Contract, tuple[Contract, ...]]] = {
    "garde": ("prise", "garde"),
    "garde_sans": ("garde_sans",),
    "garde_contre": ("garde_contre",),
}

_T = TypeVar("_T")
_local = threading.local()


@dataclass(frozen=True, slots=True)
class ContractChances:
    """What one contract promises.

    Attributes
    ----------
    p_make
        Probability that the contract is made.
    ci95
        Its 95 % interval.
    mean_score
        Expected score of the taker, Petit au bout and chelem included.
    se_score
        Its standard error.
    mean_points
        Expected card points of the attack.
    """

    p_make: float
    ci95: tuple[float, float]
    mean_score: float
    se_score: float
    mean_points: float


@dataclass(frozen=True, slots=True)
class Chances:
    """Chances of every contract from one hand.

    Attributes
    ----------
    hand
        The hand as dealt.
    players
        Players at the table.
    method
        How a world was judged.
    worlds
        How many worlds were.
    contracts
        By contract, from Prise up.
    advice
        The contract with the best expected score, or ``"pass"`` if none is above 0.
    called
        Five players: the card called.
    dealer
        The dealer's seat, the player's own being 0; None if every seat deals in turn.
    seed
        Seed of the worlds.
    seconds
        Wall time.
    """

    hand: Hand
    players: int
    method: Method
    worlds: int
    contracts: dict[Contract, ContractChances]
    advice: Contract | Literal["pass"]
    called: Card | None
    dealer: int | None
    seed: int
    seconds: float = field(compare=False)

    def to_dict(self) -> dict[str, Any]:
        """Return the answer with the keys of the command line's JSON."""
        return {
            "hand": str(self.hand),
            "players": self.players,
            "method": self.method,
            "model": "double_dummy",
            "worlds": self.worlds,
            "contracts": {
                name: {
                    "p_make": row.p_make,
                    "ci95": list(row.ci95),
                    "mean_score": row.mean_score,
                    "mean_points": row.mean_points,
                    "se_score": row.se_score,
                }
                for name, row in self.contracts.items()
            },
            "advice": self.advice,
            "called": None if self.called is None else self.called.name,
            "dealer": self.dealer,
            "seed": self.seed,
            "seconds": self.seconds,
        }


@dataclass(frozen=True, slots=True)
class _Plan:
    """All that the answer depends on."""

    hand: Hand
    rules: Rules
    seed: int
    dealer: int | None
    called: Card | None
    method: Method


@dataclass(slots=True)
class _Tally:
    """What the worlds of one contract brought so far."""

    makes: list[NDArray[np.float64]] = field(default_factory=list)
    scores: list[NDArray[np.float64]] = field(default_factory=list)
    points: list[NDArray[np.float64]] = field(default_factory=list)

    def add(self, part: _Part) -> None:
        self.makes.append(part.makes)
        self.scores.append(part.scores)
        self.points.append(part.points)

    def interval(self) -> tuple[float, float]:
        makes = np.concatenate(self.makes)
        return wilson(float(makes.mean()), len(makes))

    def summary(self) -> ContractChances:
        makes, scores = np.concatenate(self.makes), np.concatenate(self.scores)
        points = float(np.concatenate(self.points).mean())
        return ContractChances(
            p_make=float(makes.mean()),
            ci95=self.interval(),
            mean_score=float(scores.mean()),
            se_score=float(scores.std(ddof=1)) / sqrt(len(scores)),
            mean_points=min(91.0, max(0.0, points)),
        )


@dataclass(frozen=True, slots=True)
class _Part:
    """One contract in one chunk: a row a world."""

    makes: NDArray[np.float64]
    scores: NDArray[np.float64]
    points: NDArray[np.float64]


def _evaluator() -> Evaluator:
    """Return this thread's evaluator."""
    evaluator: Evaluator | None = getattr(_local, "evaluator", None)
    if evaluator is None:
        evaluator = _local.evaluator = Evaluator()
    return evaluator


def _leaders(plan: _Plan, first: int, n: int) -> NDArray[np.uint8]:
    """Return who leads each world; without a dealer every seat in turn."""
    players = plan.rules.players
    if plan.dealer is None:
        return ((np.arange(n) + first) % players).astype(np.uint8)
    return np.full(n, (plan.dealer + 1) % players, np.uint8)


def _shares(deals: Deals, rules: Rules) -> NDArray[np.int32]:
    """Return how many times a defender's loss the taker wins, world by world."""
    alone = deals.attack == 1 << TAKER
    defenders = rules.players - 1
    return np.where(alone, defenders, defenders - 2).astype(np.int32)


def _per_defender(rules: Rules, coefficient: int, judged: Judgement) -> NDArray[np.float64]:
    """Return what each defender loses, by the score's formula with a probable success."""
    # At 3 and 5 players every other margin has half a point, rounded away from zero.
    base = 25 if rules.players == 4 else 25.25
    bonus = 10 * judged.outcomes["petit_au_bout"].astype(np.int32)
    chelem = 200 * judged.outcomes["chelem"].astype(np.int32)
    result: NDArray[np.float64] = (
        coefficient * (base * (2 * judged.makes - 1) + judged.margins / 2 + bonus) + chelem
    )
    return result


def _score(deals: Deals, plan: _Plan, contracts: tuple[Contract, ...]) -> dict[Contract, _Part]:
    """Judge deals that the given contracts share, and score them for each."""
    rules = plan.rules
    judged = judge(_evaluator(), deals, plan.method)
    shares = _shares(deals, rules)
    parts: dict[Contract, _Part] = {}
    for contract in contracts:
        coefficient = COEFFICIENTS[contract]
        scores = shares * _per_defender(rules, coefficient, judged)
        parts[contract] = _Part(
            makes=judged.makes,
            scores=scores,
            points=(NEED[judged.outcomes["bouts"]] + judged.margins) / 2.0,
        )
    return parts


def _bit_generator(seed: int, *key: int) -> np.random.PCG64DXSM:
    return np.random.PCG64DXSM(np.random.SeedSequence(seed, spawn_key=key))


def _chunk(plan: _Plan, number: int) -> dict[Contract, _Part]:
    """Deal and judge the chunk with this number."""
    worlds = sample_worlds(
        plan.hand, TAKER, plan.rules, CHUNK, _bit_generator(plan.seed, 0, number)
    )
    leaders = _leaders(plan, number * CHUNK, CHUNK)
    parts: dict[Contract, _Part] = {}
    for contract, group in _GROUPS.items():
        deals = contract_deals(plan.hand, worlds, plan.rules, contract, leaders, called=plan.called)
        parts.update(_score(deals, plan, group))
    return parts


def _call_score(plan: _Plan, called: Card) -> float:
    """Return the mean score of a Garde with this call on the pilot worlds."""
    worlds = sample_worlds(plan.hand, TAKER, plan.rules, PILOT_WORLDS, _bit_generator(plan.seed, 1))
    leaders = _leaders(plan, 0, PILOT_WORLDS)
    deals = contract_deals(plan.hand, worlds, plan.rules, "garde", leaders, called=called)
    part = _score(deals, replace(plan, called=called), ("garde",))["garde"]
    return float(part.scores.mean())


def _best_call(plan: _Plan, n_jobs: int) -> Card:
    """Return the card to call, judged on worlds that are not used again."""
    choices = callable_cards(plan.hand, plan.rules)
    held = [card for card in choices if card in plan.hand]
    # All cards of one's own hand mean the same: to play alone.
    choices = [card for card in choices if card not in plan.hand] + held[:1]
    if len(choices) == 1:
        return choices[0]
    scores = list(_parallel(n_jobs, [partial(_call_score, plan, card) for card in choices]))
    return choices[int(np.argmax(scores))]


def _parallel(n_jobs: int, calls: list[Callable[[], _T]]) -> Iterator[_T]:
    """Yield the calls' results in their order, each as soon as it is there."""
    if n_jobs == 1 or len(calls) == 1:
        return (call() for call in calls)
    from joblib import Parallel, delayed

    results: Iterator[_T] = Parallel(n_jobs=n_jobs, prefer="threads", return_as="generator")(
        delayed(call)() for call in calls
    )
    return results


#: Chunks that are begun together, with and without a limit of time; the precision is
#: looked at chunk by chunk all the same.
_WAVE_IN_TIME: Final = 4
_WAVE: Final = 12


def chances(
    hand: Hand | str,
    *,
    players: int | None = None,
    rules: Rules | None = None,
    worlds: int = DEFAULT_WORLDS,
    precision: float | None = None,
    seconds: float | None = None,
    method: Method = "cascade",
    dealer: int | None = None,
    called: Card | None = None,
    seed: int = 0,
    n_jobs: int = -1,
    progress: Callable[[int, int], None] | None = None,
) -> Chances:
    """Estimate success and expected score of every contract from a hand.

    Parameters
    ----------
    hand
        The player's cards as dealt.
    players, rules
        The table; 4 players with the default rules unless given.
    worlds
        At most how many worlds are dealt, rounded up to whole chunks of 50.
    precision
        Stop as soon as every interval is at most ± this probability.
    seconds
        Stop after this much time (at least four chunks are judged; the number of worlds
        then depends on the machine).
    method
        ``"cascade"``, or ``"fast"`` with a fifth of its nodes a world.
    dealer
        The dealer's seat, the player's own being 0 and the right-hand neighbour's 1: it
        decides who leads. By default every seat deals in turn.
    called
        Five players: the card to call; by default the one with the best expected score.
    seed
        The same seed gives the same answer for every `n_jobs`.
    n_jobs
        Threads, as joblib counts them: −1 for all cores.
    progress
        Called with the worlds done and the worlds planned.

    Returns
    -------
    Chances
        Scores are the taker's; card points are the attack's.

    Raises
    ------
    HandError
        If the hand is not one of the table's size, or a Petit sec.
    RulesError, BidError
        If an option is not one of those above.

    Examples
    --------
    >>> answer = chances(
    ...     "A:21,19,16,14,11,8,5,1,EX P:R,D,6 C:C,10 K:R,4 T:V,9", worlds=100, n_jobs=1)
    >>> answer.contracts["garde"].p_make > 0.9
    True
    """
    started = time.monotonic()
    rules = _table(players, rules)
    hand = Hand(hand, size=rules.hand_size)
    _check_options(rules, worlds, precision, seconds, method, dealer, called)
    if n_jobs == 0:
        raise RulesError("n_jobs: 0 is neither a number of jobs nor -1 for all cores")
    if seed < 0:
        raise RulesError(f"seed: {seed} is negative")
    plan = _Plan(hand, rules, seed, dealer, called, method)
    if rules.players == 5:
        if called is None:
            plan = replace(plan, called=_best_call(plan, n_jobs))
        elif called not in callable_cards(hand, rules):
            raise BidError(f"called: {called} may not be called with this hand")

    tallies: dict[Contract, _Tally] = {contract: _Tally() for contract in CONTRACTS}
    planned = -(-worlds // CHUNK)
    done = 0
    while done < planned:
        wave = range(done, min(done + (_WAVE if seconds is None else _WAVE_IN_TIME), planned))
        for parts in _parallel(n_jobs, [partial(_chunk, plan, number) for number in wave]):
            if done == planned:
                continue  # begun before the precision was reached: not counted
            for contract, part in parts.items():
                tallies[contract].add(part)
            done += 1
            if progress is not None:
                progress(done * CHUNK, planned * CHUNK)
            if precision is not None and _is_narrow(tallies, precision):
                planned = done
        if seconds is not None and time.monotonic() - started >= seconds:
            break
    rows = {contract: tallies[contract].summary() for contract in CONTRACTS}
    best = max(CONTRACTS, key=lambda contract: rows[contract].mean_score)
    return Chances(
        hand=hand,
        players=rules.players,
        method=method,
        worlds=done * CHUNK,
        contracts=rows,
        advice=best if rows[best].mean_score > 0 else "pass",
        called=plan.called,
        dealer=dealer,
        seed=seed,
        seconds=time.monotonic() - started,
    )


def _is_narrow(tallies: dict[Contract, _Tally], precision: float) -> bool:
    return all(
        high - low <= 2 * precision
        for low, high in (tally.interval() for tally in tallies.values())
    )


def _table(players: int | None, rules: Rules | None) -> Rules:
    if rules is None:
        return Rules(players=4 if players is None else players)
    if players is not None and players != rules.players:
        raise RulesError(f"players: {players}, but the rules are for {rules.players}")
    return rules


def _check_options(
    rules: Rules,
    worlds: int,
    precision: float | None,
    seconds: float | None,
    method: str,
    dealer: int | None,
    called: Card | None,
) -> None:
    if worlds < 1:
        raise RulesError(f"worlds: {worlds} is less than 1")
    if precision is not None and not 0 < precision < 1:
        raise RulesError(f"precision: {precision} is not between 0 and 1")
    if seconds is not None and not seconds > 0:
        raise RulesError(f"seconds: {seconds} is not above 0")
    if method not in METHODS:
        raise RulesError(f"method: {method!r} is not one of {', '.join(METHODS)}")
    if dealer is not None and not 0 <= dealer < rules.players:
        raise RulesError(f"dealer: seat {dealer} is not 0…{rules.players - 1}")
    if called is not None and rules.players != 5:
        raise BidError(f"called: no card is called at {rules.players} players")
