"""Which card to call at five players, by the expected score of a Garde."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from tarot_sim.cards import Card, Hand
from tarot_sim.errors import BidError
from tarot_sim.estimation.chunks import CHUNK, FORECASTS, sample_contract
from tarot_sim.estimation.plan import Model, Plan, Stream, checked_plan, draw_worlds, leaders
from tarot_sim.estimation.ranking import (
    DEFAULT_WORLDS,
    Ranking,
    best_first,
    candidates_of,
    check_worlds,
)
from tarot_sim.parallel import in_threads
from tarot_sim.rules import Rules, checked_rules
from tarot_sim.rules.auction import callable_cards

if TYPE_CHECKING:
    from tarot_sim.estimation.sample import Sample
    from tarot_sim.randomness import Randomness

#: Worlds on which the card to call is chosen where it is not what is asked.
PILOT_WORLDS: Final = 100


def rank_calls(
    hand: Hand | str,
    *,
    rules: Rules | None = None,
    worlds: int = DEFAULT_WORLDS,
    dealer: int | None = None,
    model: Model = "double_dummy",
    seed: Randomness = 0,
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
    model
        Whose play the scores are of: ``"double_dummy"``, players who see all cards, or
        ``"table"``, bots that see their own (`tarot_sim.estimation.table_play`).
    seed
        Seed of the worlds, 0 unless given. The same seed gives the same answer for every
        `n_jobs`. A numpy generator, or None for fresh entropy, gives a seed that the answer tells.
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
        If the table, the dealer or the call is none that can be.
    OptionError
        If one of the other options is not one of those above.

    Examples
    --------
    >>> ranking = rank_calls(
    ...     "A:21,16,14,11,8,5,1 P:R,D,6 C:C,10 K:4 T:V,9", worlds=50, n_jobs=1)
    >>> [candidate.choice.name for candidate in ranking.candidates][-1]
    'PR'
    """
    started = time.monotonic()
    rules = Rules(players=5) if rules is None else checked_rules(rules)
    if rules.players != 5:
        raise BidError(f"call: no card is called at {rules.players} players")
    hand = Hand(hand, size=rules.hand_size)
    worlds = check_worlds(worlds)
    plan = checked_plan(hand, rules, seed=seed, n_jobs=n_jobs, dealer=dealer, model=model)
    samples = compare_calls(plan, worlds, n_jobs)
    best = samples[best_first(samples)[0]]
    return Ranking(
        hand=hand,
        dog=None,
        players=5,
        candidates=tuple(candidates_of(samples, best).values()),
        model=model,
        seed=plan.seed,
        seconds=time.monotonic() - started,
        house=plan.rules.house,
    )


def best_call(plan: Plan, n_jobs: int) -> Card:
    """Return the card to call, judged on worlds that are not used again."""
    calls = calls_of(plan)
    if len(calls) == 1:
        return calls[0]
    return best_first(compare_calls(plan, PILOT_WORLDS, n_jobs))[0]


def calls_of(plan: Plan) -> list[Card]:
    """Return the cards worth comparing: of those in hand only one, they all mean alone."""
    choices = callable_cards(plan.hand, plan.rules)
    held = [card for card in choices if card in plan.hand]
    return [card for card in choices if card not in plan.hand] + held[:1]


def compare_calls(plan: Plan, worlds: int, n_jobs: int) -> dict[Card, Sample]:
    """Judge a Garde with each card that may be called, on worlds that are the same for all."""
    calls = calls_of(plan)
    found = in_threads(n_jobs, [partial(_sample_of_call, plan, card, worlds) for card in calls])
    return dict(zip(calls, found, strict=True))


def _sample_of_call(plan: Plan, called: Card, n: int) -> Sample:
    """Judge a Garde with this call in `n` worlds."""
    asked = replace(plan, called=called)
    forecasts = n * FORECASTS // CHUNK
    dealt = draw_worlds(plan, forecasts, Stream.CALLS)
    return sample_contract(asked, dealt, leaders(plan, 0, forecasts), "garde", n)["garde"]
