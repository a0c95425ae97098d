"""Which cards to discard, by the expected score of a Garde.

Candidates are compared on the same worlds. The weaker ones are left out round by round,
and the last few are judged on worlds that played no part in choosing them, so that the best
figure is hardly the luckiest: only one of these few is chosen by them.
"""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np

from tarot_sim.arguments import some, whole_number
from tarot_sim.cards import Card, Hand
from tarot_sim.errors import BidError, HandError, field
from tarot_sim.estimation.calibration import calibration
from tarot_sim.estimation.chunks import CHUNK, FORECASTS, sample_contract
from tarot_sim.estimation.plan import (
    Model,
    Plan,
    Stream,
    bit_generator,
    checked_plan,
    draw_worlds,
    leaders,
)
from tarot_sim.estimation.ranking import (
    DEFAULT_WORLDS,
    Candidate,
    Ranking,
    best_first,
    candidates_of,
    check_worlds,
)
from tarot_sim.parallel import in_threads
from tarot_sim.rules import Rules, table_of
from tarot_sim.rules.discard import legal_discard_reason
from tarot_sim.worlds.discards import choose_discard, discard_candidates, neighbours

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tarot_sim.estimation.judge import Method
    from tarot_sim.estimation.sample import Sample
    from tarot_sim.randomness import Randomness

#: Écarts that are compared in the first round, unless the caller says otherwise. One half are
#: those of rules and of random choosers, the other half differ by a card from the best of these.
CANDIDATES: Final = 54
#: There are hardly more that come to something else.
MOST_CANDIDATES: Final = 1_000_000
_PARENTS: Final = 4
#: The rounds before the last: worlds, search, and how many candidates are left after each.
_ROUNDS: Final[tuple[tuple[int, Method, int], ...]] = ((60, "fast", 8), (100, "cascade", 4))


def rank_discards(
    hand: Hand | str,
    dog: Hand | str,
    *,
    players: int | None = None,
    rules: Rules | None = None,
    worlds: int = DEFAULT_WORLDS,
    dealer: int | None = None,
    called: Card | str | None = None,
    candidates: int = CANDIDATES,
    include: Sequence[Hand | str] = (),
    model: Model = "double_dummy",
    seed: Randomness = 0,
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
    include
        Écarts that are to be among the candidates, and judged to the end: the player's own.
        What the others are worth does not depend on them.
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
        The candidates are legal écarts; the rule's is always among those judged last. Of cards
        that take the same tricks the lowest go: no two candidates come to the same, but for
        those of `include`.

    Raises
    ------
    HandError
        If hand or dog are not ones of the table's sizes, or share a card.
    BidError, RulesError
        If the table, the dealer, the call or an écart of `include` is none that can be.
    OptionError
        If one of the other options is not one of those above.

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
    hand, dog = Hand(hand, size=rules.hand_size), Hand(dog)
    if len(dog) != rules.dog_size:
        raise HandError(f"dog: {len(dog)} cards, expected {rules.dog_size}")
    if hand & dog:
        raise HandError(f"dog: {next(iter(hand & dog))} is in the hand too")
    worlds = check_worlds(worlds)
    candidates = whole_number("candidates", candidates, 1, MOST_CANDIDATES)
    if rules.players == 5 and called is None:
        raise BidError("called: name the card that was called")
    plan = checked_plan(
        hand, rules, seed=seed, n_jobs=n_jobs, dealer=dealer, called=called, dog=dog, model=model
    )
    asked = tuple(_asked(écart, hand | dog, rules) for écart in some("include", include))
    rounds = _rounds(plan, hand | dog, worlds, candidates, asked, n_jobs)
    # The best is judged in every round, and so on the same worlds as any other.
    best = best_first(rounds[-1])[0]
    rows: dict[Hand, Candidate[Hand]] = {}
    for samples in reversed(rounds):
        new = {choice: sample for choice, sample in samples.items() if choice not in rows}
        rows |= candidates_of(new, samples[best], calibration().discard_correlation)
    return Ranking(
        hand=hand,
        dog=dog,
        players=rules.players,
        candidates=tuple(rows.values()),
        model=model,
        seed=plan.seed,
        seconds=time.monotonic() - started,
        asked=asked,
        house=rules.house,
    )


def _asked(cards: Hand | str, pool: Hand, rules: Rules) -> Hand:
    """Return an écart that the caller asks for, which has to be one of hand and dog."""
    with field("include"):
        discard = Hand(cards)
        reason = legal_discard_reason(pool, discard, rules)
        if reason is not None:
            raise BidError(reason.removeprefix("discard: "))
    return discard


def _rounds(
    plan: Plan,
    cards: Hand,
    worlds: int,
    candidates: int,
    asked: Sequence[Hand],
    n_jobs: int,
) -> list[dict[Hand, Sample]]:
    """Judge écarts of these cards round by round; return a Garde with each, by the round.

    The rule's écart and those asked for are judged to the end, whatever they score. Which
    others are does not depend on those asked for.
    """
    rng = np.random.Generator(bit_generator(plan.seed, Stream.DISCARDS))
    rule = choose_discard(cards, plan.rules, called=plan.called)
    left = discard_candidates(cards, plan.rules, (candidates + 1) // 2, rng, called=plan.called)
    rounds: list[dict[Hand, Sample]] = []
    for number, (n, method, keep) in enumerate((*_ROUNDS, (worlds, "cascade", 0))):
        task = replace(plan, method=method)
        judged = _compare(task, left, n, number, n_jobs)
        if number == 0:
            parents = best_first(judged)[:_PARENTS]
            more = neighbours(parents, cards, plan.rules, candidates - len(left), rng, set(left))
            judged |= _compare(task, more, n, number, n_jobs)
        if keep:
            left = best_first(judged)[:keep]
            left += [] if rule in left else [rule]
        rest = [choice for choice in dict.fromkeys(asked) if choice not in judged]
        if rest:
            judged |= _compare(task, rest, n, number, n_jobs)
        rounds.append(judged)
    return rounds


def _compare(
    plan: Plan, choices: Sequence[Hand], n: int, number: int, n_jobs: int
) -> dict[Hand, Sample]:
    """Judge écarts on the same worlds, which differ from round to round."""
    forecasts = n * FORECASTS // CHUNK
    worlds = draw_worlds(plan, forecasts, Stream.DISCARD_WORLDS, number)
    seats = leaders(plan, 0, forecasts)

    def judged(choice: Hand) -> Sample:
        asked = replace(plan, discard=lambda _: choice)
        return sample_contract(asked, worlds, seats, "garde", n)["garde"]

    samples = in_threads(n_jobs, [partial(judged, choice) for choice in choices])
    return dict(zip(choices, samples, strict=True))
