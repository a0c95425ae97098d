"""What a hand is worth: success and expected score of every contract.

Worlds that the player cannot tell apart are dealt; in each of them one écart is chosen
from hand and dog alone. All worlds get a forecast, some of them are searched, and
with the method ``exact`` some of these exactly; each fidelity corrects the one below
(`tarot_sim.estimation.chunks`, `tarot_sim.estimation.regression`).

Two models of play stand side by side: *double dummy*, where everybody plays as if all cards were
in view, and *at a table*, where bots play that see their own cards only
(`tarot_sim.estimation.table_play`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tarot_sim.cards import Card, Hand
from tarot_sim.estimation.answers import Chances, contract_chances, decide, samples_of
from tarot_sim.estimation.calls import best_call
from tarot_sim.estimation.chunks import FORECASTS, forecasts_of
from tarot_sim.estimation.passing import estimate_pass
from tarot_sim.estimation.plan import checked_plan
from tarot_sim.estimation.reasons import find_reasons, reasons_of_hand
from tarot_sim.estimation.regression import Estimate
from tarot_sim.estimation.stopping import Stopping, StoppingRule
from tarot_sim.rules import Rules, table_of
from tarot_sim.worlds.bidding_model import bids_left

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tarot_sim.estimation.judge import Method
    from tarot_sim.estimation.plan import Model
    from tarot_sim.randomness import Randomness

#: With so much time worlds are searched exactly too; with less they would be too few.
EXACT_SECONDS: Final = 30.0
#: Where no more precision is asked for, a world gets less search.
FAST_PRECISION: Final = 0.04


def chances(
    hand: Hand | str,
    *,
    players: int | None = None,
    rules: Rules | None = None,
    worlds: int | None = None,
    precision: float | None = None,
    seconds: float | None = None,
    method: Method | None = None,
    dealer: int | None = None,
    auction: str | Sequence[str] | None = None,
    called: Card | str | None = None,
    model: Model = "double_dummy",
    seed: Randomness = 0,
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
        At most how many worlds are judged, 3 or more.
    precision
        Stop as soon as the sampling of worlds leaves every probability at most ± this
        (95 %); 0.02 unless `worlds` or `seconds` is given.
    seconds
        Stop after this much time (two chunks are judged at the least; the number of worlds
        then depends on the machine).
    method
        ``"fast"``, ``"cascade"`` or ``"exact"``: how much search a world gets. By default
        ``"cascade"``; ``"exact"`` from thirty seconds on, ``"fast"`` where a precision of 0.04 or
        more is asked for.
    dealer
        The dealer's seat, the player's own being 0 and the right-hand neighbour's 1: it
        decides who leads. By default every seat deals in turn.
    auction
        What was said so far, the first of it from the dealer's right, as bids or as one text
        with commas: hidden hands are as likely as it makes them, and only what may still be bid
        is looked at. Without a `dealer` the player is next to speak.
    called
        Five players: the card to call; by default the one with the best expected score.
    model
        Whose play the figures are of: ``"double_dummy"``, where everybody plays as if all cards
        were in view, or ``"table"``, where four bots that see their own cards only play, those of
        this version of the package; a human table is promised by neither. What the other
        model says of the chances stands beside.
    seed
        Seed of the worlds: 0 unless given, so that the same question has the same answer. It is
        the same for every `n_jobs`. A numpy generator, or None for
        fresh entropy, gives a seed that the answer tells.
    n_jobs
        Threads, as joblib counts them: −1 for all cores.
    progress
        Called with the worlds done and the worlds planned at most.

    Returns
    -------
    Chances
        Scores are the taker's; card points are the attack's.

    Raises
    ------
    HandError
        If the hand is not one of the table's size, or a Petit sec.
    RulesError, BidError
        If the table, the dealer, a bid or the call is none that can be.
    OptionError
        If one of the other options is not one of those above.

    Examples
    --------
    >>> answer = chances(
    ...     "A:21,19,16,14,11,8,5,1,EX P:R,D,6 C:C,10 K:R,4 T:V,9", worlds=100, n_jobs=1)
    >>> answer.contracts["garde"].p_make > 0.9
    True
    """
    stopping = Stopping(StoppingRule(worlds, precision, seconds))
    rules = table_of(players, rules)
    hand = Hand(hand, size=rules.hand_size)
    method = _method_for(precision, seconds) if method is None else method
    plan = checked_plan(
        hand, rules, seed=seed, n_jobs=n_jobs, method=method,
        dealer=dealer, auction=auction, called=called, model=model,
    )  # fmt: skip
    heard = plan.auction
    allowed = rules.contracts if heard is None else bids_left(heard)
    if rules.players == 5 and called is None and allowed:
        plan = replace(plan, called=best_call(plan, n_jobs))
    stopping.run(plan, n_jobs, progress, allowed)
    chunks = stopping.chunks
    samples = {contract: samples_of(chunks, contract, model) for contract in allowed}
    rows = {
        contract: contract_chances(sample, samples_of(chunks, contract))
        for contract, sample in samples.items()
    }
    pass_score = None if heard is None else estimate_pass(plan, heard)
    reasons = reasons_of_hand(hand)
    if allowed:
        least = "garde" if "garde" in allowed else allowed[0]
        reasons = find_reasons(hand, *forecasts_of(chunks, least, model), rows[least].p_make, least)
    return Chances(
        hand=hand,
        players=rules.players,
        method=plan.method,
        model=model,
        worlds=stopping.worlds,
        forecasts=len(chunks) * FORECASTS,
        contracts=rows,
        pass_score=pass_score,
        decision=decide(chunks, rows, allowed, pass_score or Estimate(0.0, 0.0), model),
        reasons=reasons,
        called=plan.called,
        dealer=plan.known_dealer,
        auction=None if heard is None else tuple(bid for _, bid in heard.history),
        stopped=stopping.reason,
        seed=plan.seed,
        seconds=stopping.seconds,
        trials=samples,
        house=rules.house,
    )


def _method_for(precision: float | None, seconds: float | None) -> Method:
    """Return how much search a world gets unless the caller says."""
    if seconds is not None and seconds >= EXACT_SECONDS:
        return "exact"
    return "fast" if precision is not None and precision >= FAST_PRECISION else "cascade"
