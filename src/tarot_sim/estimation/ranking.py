"""The taker's choices before the play: which cards to discard, which card to call.

Candidates are compared on the same worlds. The weaker ones are left out round by round,
and the last few are judged on worlds that played no part in choosing them, so that the best
figure is hardly the luckiest: only one of these few is chosen by them.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

import numpy as np

from tarot_sim.cards import Card, Hand
from tarot_sim.errors import BidError, HandError, RulesError
from tarot_sim.estimation.calibration import DISCARD_CORRELATION
from tarot_sim.estimation.chunks import (
    CHUNK,
    FORECASTS,
    Plan,
    bit_generator,
    check_run,
    draw_worlds,
    leaders,
    run_trial,
)
from tarot_sim.estimation.figures import estimate_gain, estimate_makes, estimate_score
from tarot_sim.estimation.hand_chances import compare_calls
from tarot_sim.estimation.intervals import interval
from tarot_sim.estimation.regression import Estimate
from tarot_sim.parallel import in_threads
from tarot_sim.rules import Rules, table_of
from tarot_sim.rules.auction import callable_cards
from tarot_sim.worlds.discards import choose_discard, discard_candidates, neighbours

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tarot_sim.estimation.chunks import Trial
    from tarot_sim.estimation.judge import Method

Choice = TypeVar("Choice", Hand, Card)

#: Écarts that are compared in the first round, unless the caller says otherwise. One half are
#: those of rules and of random choosers, the other half differ by a card from the best of these.
CANDIDATES: Final = 54
_PARENTS: Final = 4
#: What the best is behind itself.
_NOTHING: Final = Estimate(0.0, 0.0, 0.0)
#: Worlds of the last round, unless the caller says otherwise.
DEFAULT_WORLDS: Final = 300
#: The rounds before it: worlds, search, and how many candidates are left after each.
_ROUNDS: Final[tuple[tuple[int, Method, int], ...]] = ((60, "fast", 8), (100, "cascade", 4))


@dataclass(frozen=True, slots=True)
class Candidate(Generic[Choice]):
    """An écart, or a card to call, and what a Garde with it promises.

    Attributes
    ----------
    choice
        The cards discarded, or the card called.
    p_make
        Probability that the contract is made.
    se_make
        Its standard error by the sampling of worlds.
    ci95
        Its 95 % interval, with what the judgement of worlds may be off by.
    mean_score
        Expected score of the taker.
    se
        Its standard error by the sampling of worlds.
    error
        The same with what the judgement of worlds may be off by.
    behind
        How far the expected score is below that of the best choice on the same worlds. Of
        those that were left out early it may be negative: they looked better on fewer worlds.
        Of the last few it never is, as the best is chosen by it: even where they are all
        alike it is not 0 but of the size of its standard error.
    se_behind
        Its standard error by the sampling of worlds, from a regression of the differences:
        less than the two scores have together.
    error_behind
        The same with what the judgement of worlds may be off by. Its errors for two écarts
        of the same cards go together for the most part (`DISCARD_CORRELATION`); for two
        calls, with other partners, they are taken to have nothing in common.
    worlds
        Worlds that it was judged on; eight times as many had a forecast.
    """

    choice: Choice
    p_make: float
    se_make: float
    ci95: tuple[float, float]
    mean_score: float
    se: float
    error: float
    behind: float
    se_behind: float
    error_behind: float
    worlds: int


@dataclass(frozen=True, slots=True)
class Ranking(Generic[Choice]):
    """Candidates, the best first.

    Attributes
    ----------
    hand
        The hand as dealt.
    dog
        The dog; None where it is not seen.
    players
        Players at the table.
    candidates
        Those that were judged longest come first, by expected score.
    seed
        Seed of the worlds.
    seconds
        Wall time.
    """

    hand: Hand
    dog: Hand | None
    players: int
    candidates: tuple[Candidate[Choice], ...]
    seed: int
    seconds: float = field(compare=False)

    @property
    def best(self) -> Choice:
        """The choice with the highest expected score."""
        return self.candidates[0].choice

    def to_dict(self) -> dict[str, Any]:
        """Return the answer with the keys of the command line's JSON."""
        key = "card" if self.dog is None else "discard"
        return {
            "hand": str(self.hand),
            **({} if self.dog is None else {"dog": str(self.dog)}),
            "players": self.players,
            "model": "double_dummy",
            "best": str(self.best),
            "candidates": [
                {
                    key: str(row.choice),
                    "p_make": row.p_make,
                    "mean_score": row.mean_score,
                    "se": row.se,
                    "se_make": row.se_make,
                    "ci95": list(row.ci95),
                    "error": row.error,
                    "behind": row.behind,
                    "se_behind": row.se_behind,
                    "error_behind": row.error_behind,
                    "worlds": row.worlds,
                }
                for row in self.candidates
            ],
            "seed": self.seed,
            "seconds": self.seconds,
        }


def rank_discards(
    hand: Hand | str,
    dog: Hand | str,
    *,
    players: int | None = None,
    rules: Rules | None = None,
    worlds: int = DEFAULT_WORLDS,
    dealer: int | None = None,
    called: Card | None = None,
    candidates: int = CANDIDATES,
    seed: int = 0,
    n_jobs: int = -1,
) -> Ranking[Hand]:
    """Rank écarts for a Garde by the expected score.

    Parameters
    ----------
    hand
        The taker's cards as dealt.
    dog
        The dog that was turned up.
    players, rules
        The table; 4 players with the default rules unless given.
    worlds
        Worlds on which the last écarts are judged.
    dealer
        The dealer's seat, the taker's own being 0; by default every seat deals in turn.
    called
        Five players: the card that was called.
    candidates
        How many écarts are compared in the first round; fewer if there are not so many that
        come to something else.
    seed
        The same seed gives the same answer for every `n_jobs`.
    n_jobs
        Threads, as joblib counts them: −1 for all cores.

    Returns
    -------
    Ranking
        The candidates are legal écarts; the rule's is always among those judged last. Of cards
        that take the same tricks the lowest go: no two candidates come to the same.

    Raises
    ------
    HandError
        If hand or dog are not ones of the table's sizes, or share a card.
    BidError, RulesError
        If an option is not one of those above.

    Examples
    --------
    >>> ranking = rank_discards(
    ...     "A:21,19,16,14,11,8,5,1,EX P:R,D,6 C:C,10 K:R,4 T:V,9",
    ...     "A:3 P:2 C:7,1 K:8 T:4", worlds=50, candidates=5, n_jobs=1)
    >>> len(ranking.candidates), len(ranking.best)
    (5, 6)
    """
    started = time.monotonic()
    rules = table_of(players, rules)
    hand, dog = Hand(hand, size=rules.hand_size), Hand(dog, size=rules.dog_size)
    if hand & dog:
        raise HandError(f"dog: {next(iter(hand & dog))} is in the hand too")
    _check(rules, worlds, dealer, seed, n_jobs)
    if candidates < 1:
        raise RulesError(f"candidates: {candidates} is less than 1")
    if rules.players != 5 and called is not None:
        raise BidError(f"called: no card is called at {rules.players} players")
    if rules.players == 5:
        if called is None:
            raise BidError("called: name the card that was called")
        if called not in callable_cards(hand, rules):
            raise BidError(f"called: {called} may not be called with this hand")
    plan = Plan(hand, rules, seed, "cascade", dealer, called=called, dog=dog)
    rng = np.random.Generator(bit_generator(seed, 4))
    rule = choose_discard(hand | dog, rules, called=called)
    left = discard_candidates(hand | dog, rules, (candidates + 1) // 2, rng, called=called)
    rounds: list[dict[Hand, Trial]] = []
    for number, (n, method, keep) in enumerate((*_ROUNDS, (worlds, "cascade", 0))):
        asked = replace(plan, method=method)
        rounds.append(_compare(asked, left, n, number, n_jobs))
        if number == 0:
            best = _in_order(rounds[0])[:_PARENTS]
            more = neighbours(best, hand | dog, rules, candidates - len(left), rng, set(left))
            rounds[0] |= _compare(asked, more, n, number, n_jobs)
        if keep:
            left = _in_order(rounds[-1])[:keep]
            left += [] if rule in left else [rule]
    rows: dict[Hand, Candidate[Hand]] = {}
    # The best is judged in every round, and so on the same worlds as any other.
    first = _in_order(rounds[-1])[0]
    for trials in reversed(rounds):
        known = {choice: trial for choice, trial in trials.items() if choice not in rows}
        rows |= _candidates(known, trials[first], DISCARD_CORRELATION)
    return Ranking(
        hand=hand,
        dog=dog,
        players=rules.players,
        candidates=tuple(rows.values()),
        seed=seed,
        seconds=time.monotonic() - started,
    )


def rank_calls(
    hand: Hand | str,
    *,
    rules: Rules | None = None,
    worlds: int = DEFAULT_WORLDS,
    dealer: int | None = None,
    seed: int = 0,
    n_jobs: int = -1,
) -> Ranking[Card]:
    """Rank the cards that may be called at five players by the expected score of a Garde.

    Parameters
    ----------
    hand
        The taker's cards as dealt.
    rules
        The table of five.
    worlds
        Worlds on which every call is judged, the same for all.
    dealer
        The dealer's seat, the taker's own being 0; by default every seat deals in turn.
    seed
        The same seed gives the same answer for every `n_jobs`.
    n_jobs
        Threads, as joblib counts them: −1 for all cores.

    Returns
    -------
    Ranking
        Of several callable cards in the own hand one stands for all: they mean alone.

    Raises
    ------
    HandError
        If the hand is not one of the table's size.
    BidError, RulesError
        If an option is not one of those above.

    Examples
    --------
    >>> ranking = rank_calls(
    ...     "A:21,16,14,11,8,5,1 P:R,D,6 C:C,10 K:4 T:V,9", worlds=50, n_jobs=1)
    >>> [candidate.choice.name for candidate in ranking.candidates][-1]
    'PR'
    """
    started = time.monotonic()
    rules = Rules(players=5) if rules is None else rules
    if rules.players != 5:
        raise BidError(f"call: no card is called at {rules.players} players")
    hand = Hand(hand, size=rules.hand_size)
    _check(rules, worlds, dealer, seed, n_jobs)
    plan = Plan(hand, rules, seed, "cascade", dealer)
    trials = compare_calls(plan, worlds, n_jobs)
    best = trials[_in_order(trials)[0]]
    return Ranking(
        hand=hand,
        dog=None,
        players=5,
        candidates=tuple(_candidates(trials, best).values()),
        seed=seed,
        seconds=time.monotonic() - started,
    )


def _compare(
    plan: Plan, choices: Sequence[Hand], n: int, number: int, n_jobs: int
) -> dict[Hand, Trial]:
    """Judge écarts on the same worlds, which differ from round to round."""
    forecasts = n * FORECASTS // CHUNK
    worlds = draw_worlds(plan, forecasts, 5, number)
    seats = leaders(plan, 0, forecasts)

    def judged(choice: Hand) -> Trial:
        asked = replace(plan, discard=lambda _: choice)
        return run_trial(asked, worlds, seats, "garde", n)["garde"]

    trials = in_threads(n_jobs, [partial(judged, choice) for choice in choices])
    return dict(zip(choices, trials, strict=True))


def _in_order(trials: dict[Choice, Trial]) -> list[Choice]:
    """Return the choices, the one with the highest expected score first."""
    scores = {choice: estimate_score(trial).mean for choice, trial in trials.items()}
    return sorted(scores, key=lambda choice: -scores[choice])


def _candidates(
    trials: dict[Choice, Trial], best: Trial, correlation: float = 0.0
) -> dict[Choice, Candidate[Choice]]:
    """Return what each choice promises, in order; `best` is that of the best one.

    `correlation` is that of the judge's errors for two of the choices.
    """
    rows = {}
    top = estimate_score(best).mean
    for choice in _in_order(trials):
        trial = trials[choice]
        makes, score = estimate_makes(trial), estimate_score(trial)
        gain = _NOTHING if trial is best else estimate_gain(best, trial, correlation)
        rows[choice] = Candidate(
            choice=choice,
            p_make=makes.chance,
            se_make=makes.se,
            ci95=interval(makes.chance, makes.error),
            mean_score=score.mean,
            se=score.se,
            error=score.error,
            behind=top - score.mean,
            se_behind=gain.se,
            error_behind=gain.error,
            worlds=len(trial.makes),
        )
    return rows


def _check(rules: Rules, worlds: int, dealer: int | None, seed: int, n_jobs: int) -> None:
    if worlds < 3:
        raise RulesError(f"worlds: {worlds} is less than 3")
    check_run(rules, dealer, seed, n_jobs)
