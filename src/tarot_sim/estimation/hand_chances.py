"""What a hand is worth: success and expected score of every contract.

Worlds that the player cannot tell apart are dealt; in each of them one écart is chosen
from hand and dog alone. All worlds get a cheap forecast, some of them are searched, and
with the method ``exact`` some of these exactly; each level corrects the one below
(`tarot_sim.estimation.chunks`, `tarot_sim.estimation.regression`).

The model is *double dummy*: everybody plays as if all cards were in view.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from functools import partial
from math import hypot, sqrt
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np

from tarot_sim.cards import Card, Hand
from tarot_sim.errors import BidError, RulesError
from tarot_sim.estimation.chunks import (
    CHUNK,
    FORECASTS,
    GROUPS,
    Plan,
    Trial,
    beside,
    bit_generator,
    check_run,
    draw_worlds,
    joined,
    leaders,
    run_chunk,
    run_trial,
)
from tarot_sim.estimation.figures import estimate_gain, estimate_makes, estimate_score
from tarot_sim.estimation.intervals import interval
from tarot_sim.estimation.judge import METHODS, Method
from tarot_sim.estimation.reasons import Reasons, find_reasons
from tarot_sim.estimation.regression import Estimate, regression_estimate
from tarot_sim.estimation.spread import quantiles
from tarot_sim.parallel import in_threads
from tarot_sim.rules import CONTRACTS, Contract, Rules, table_of
from tarot_sim.rules.auction import BIDS, Auction, callable_cards
from tarot_sim.worlds._counts import chavey_counts
from tarot_sim.worlds.bidding_model import bids_left, end_auctions, read_auction, uniforms
from tarot_sim.worlds.contract_deals import TAKER

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

#: Half of a 95 % interval, the sampling alone, at which the work ends by default.
DEFAULT_PRECISION: Final = 0.02
#: Worlds judged at most where a precision or a time is to end the work.
MOST_WORLDS: Final = 100_000
#: Worlds on which the cards that may be called are compared.
PILOT_WORLDS: Final = 100
#: Worlds in which it is followed up what a pass leads to.
PASS_WORLDS: Final = 400
#: With so much time worlds are searched exactly too; with less they would be too few.
EXACT_SECONDS: Final = 30.0
#: Where no more precision is asked for, a world gets less search.
FAST_PRECISION: Final = 0.04
#: Levels of the quantiles of the score.
QUANTILES: Final = (0.05, 0.25, 0.5, 0.75, 0.95)

Stop = Literal["precision", "worlds", "time"]


@dataclass(frozen=True, slots=True)
class ContractChances:
    """What one contract promises.

    Attributes
    ----------
    p_make
        Probability that the contract is made.
    se
        Its standard error by the sampling of worlds, and of those that are searched exactly.
    ci95
        Its 95 % interval, with what the judgement of worlds may be off by.
    mean_score
        Expected score of the taker; Petit au bout, chelem and a poignée that is worth
        showing included.
    se_score
        Its standard error, by the sampling of worlds.
    error_score
        The same with what the judgement of worlds may be off by.
    mean_points
        Expected card points of the attack.
    mean_defender
        Expected score of each defender.
    mean_partner
        Expected score of the partner, in the worlds where there is one; None without any.
    score_quantiles
        Quantiles of the score: 5, 25, 50, 75 and 95 %.
    p_loss
        Probability that the score is below 0.
    petit_au_bout
        How often the attack takes the last trick with the Petit, less how often the
        defence does.
    chelem
        How often the attack wins every trick, less how often the defence does.
    poignee
        What the taker's poignées add to the expected score; 0 where they are better
        not shown.
    proved
        Share of the worlds searched exactly that were settled; 0 where none was.
    worlds
        Worlds judged.
    """

    p_make: float
    se: float
    ci95: tuple[float, float]
    mean_score: float
    se_score: float
    error_score: float
    mean_points: float
    mean_defender: float
    mean_partner: float | None
    score_quantiles: tuple[float, ...]
    p_loss: float
    petit_au_bout: float
    chelem: float
    poignee: float
    proved: float
    worlds: int


@dataclass(frozen=True, slots=True)
class Decision:
    """The best bid and how sure it is.

    Attributes
    ----------
    best
        The bid with the highest expected score.
    second
        The next one.
    gain
        By how much, on the same worlds.
    se
        Its standard error, by the sampling of worlds.
    error
        The same with what the judgement of worlds may be off by.
    """

    best: Contract | Literal["pass"]
    second: Contract | Literal["pass"]
    gain: float
    se: float
    error: float


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
        How worlds were judged. Exact searches correct the chances and the expected scores;
        the quantiles, `p_loss`, points and poignées stay those of the judge.
    worlds
        How many worlds were, for the contract that needed most.
    forecasts
        How many worlds got a forecast, the judged ones among them.
    contracts
        By contract, from Prise up.
    pass_score
        Expected score of a pass, by what the others bid after it; None without an auction.
    decision
        The best bid that is still possible.
    reasons
        What the chances hang on.
    called
        Five players: the card called.
    dealer
        The dealer's seat, the player's own being 0; None if every seat deals in turn.
    auction
        What was said so far; None if nothing is known.
    stopped
        What ended the work.
    seed
        Seed of the worlds.
    seconds
        Wall time.
    trials
        By contract, the worlds behind the figures.
    """

    hand: Hand
    players: int
    method: Method
    worlds: int
    forecasts: int
    contracts: dict[Contract, ContractChances]
    pass_score: Estimate | None
    decision: Decision
    reasons: Reasons
    called: Card | None
    dealer: int | None
    auction: tuple[str, ...] | None
    stopped: Stop
    seed: int
    seconds: float = field(compare=False)
    trials: dict[Contract, Trial] = field(compare=False, repr=False)

    @property
    def advice(self) -> Contract | Literal["pass"]:
        """The bid with the highest expected score."""
        return self.decision.best

    def to_dict(self) -> dict[str, Any]:
        """Return the answer with the keys of the command line's JSON."""
        return {
            "hand": str(self.hand),
            "players": self.players,
            "method": self.method,
            "model": "double_dummy",
            "worlds": self.worlds,
            "forecasts": self.forecasts,
            "contracts": {
                name: {
                    "p_make": row.p_make,
                    "se": row.se,
                    "ci95": list(row.ci95),
                    "mean_score": row.mean_score,
                    "mean_points": row.mean_points,
                    "mean_defender": row.mean_defender,
                    "mean_partner": row.mean_partner,
                    "se_score": row.se_score,
                    "error_score": row.error_score,
                    "score_quantiles": list(row.score_quantiles),
                    "p_loss": row.p_loss,
                    "petit_au_bout": row.petit_au_bout,
                    "chelem": row.chelem,
                    "poignee": row.poignee,
                    "proved": row.proved,
                    "worlds": row.worlds,
                }
                for name, row in self.contracts.items()
            },
            "pass": None
            if self.pass_score is None
            else {"mean_score": self.pass_score.mean, "se_score": self.pass_score.se},
            "advice": self.advice,
            "decision": {
                "best": self.decision.best,
                "second": self.decision.second,
                "gain": self.decision.gain,
                "se": self.decision.se,
                "error": self.decision.error,
            },
            "reasons": self.reasons.to_dict(),
            "called": None if self.called is None else self.called.name,
            "dealer": self.dealer,
            "auction": None if self.auction is None else list(self.auction),
            "stopped": self.stopped,
            "seed": self.seed,
            "seconds": self.seconds,
        }


# ---------------------------------------------------------------------------
# From trials to figures


def _row(trial: Trial) -> ContractChances:
    n = len(trial.makes)
    few = trial.forecasts[:n]
    makes = estimate_makes(trial)
    score = estimate_score(trial)
    points = regression_estimate(trial.points, few, trial.forecasts)
    loss = estimate_score(trial, trial.shares.astype(np.float64)).mean
    scores, weights = trial.score_spread()
    return ContractChances(
        p_make=makes.chance,
        se=makes.se,
        ci95=interval(makes.chance, makes.error),
        mean_score=score.mean,
        se_score=score.se,
        error_score=score.error,
        mean_points=min(91.0, max(0.0, points.mean)),
        mean_defender=-loss,
        mean_partner=_partner_score(trial, score.mean, loss),
        score_quantiles=quantiles(scores, weights, QUANTILES),
        p_loss=float(weights[scores < 0].sum() / weights.sum()),
        petit_au_bout=float(trial.petit_au_bout.mean()),
        chelem=float(trial.chelem.mean()),
        poignee=float(trial.poignees.mean()) if trial.shows_poignee else 0.0,
        proved=float(trial.proved.mean()) if trial.proved.size else 0.0,
        worlds=n,
    )


def _partner_score(trial: Trial, score: float, loss: float) -> float | None:
    """Return what a partner is expected to win, where the taker has one.

    `score` and `loss` are what the taker is expected to win and a defender to lose. With a
    partner the taker wins twice what each defender loses, alone four times.
    """
    paired = trial.has_partner
    if not paired.any():
        return None
    return (4 * loss - score) / 2 / float(paired.mean())


def _half_width(trial: Trial) -> float:
    """Return half of the 95 % interval that the sampling leaves."""
    makes = estimate_makes(trial)
    low, high = interval(makes.chance, makes.se)
    return (high - low) / 2


def _decision(
    parts: dict[Contract, list[Trial]],
    rows: dict[Contract, ContractChances],
    allowed: Sequence[Contract],
    pass_score: Estimate,
) -> Decision:
    """Compare the bids on the same worlds."""
    scores: dict[Contract | Literal["pass"], float] = {"pass": pass_score.mean}
    scores |= {contract: rows[contract].mean_score for contract in allowed}
    # On a tie the lower bid, and pass before any.
    best, *others = sorted(scores, key=lambda bid: -scores[bid])
    if not others:
        return Decision(best, best, 0.0, 0.0, 0.0)
    second = others[0]
    gain = scores[best] - scores[second]
    if best == "pass" or second == "pass":
        other = second if best == "pass" else best
        assert other != "pass"
        se = hypot(rows[other].se_score, pass_score.se)
        error = hypot(rows[other].error_score, pass_score.se)
    else:
        # The chunks that both have: their worlds are the same.
        chunks = min(len(parts[best]), len(parts[second]))
        one, two = joined(parts[best][:chunks]), joined(parts[second][:chunks])
        found = estimate_gain(one, two)
        se, error = found.se, found.error
    return Decision(best, second, gain, se, error)


# ---------------------------------------------------------------------------
# What is asked beside the contracts


def _call_trials(plan: Plan, called: Card, worlds: int) -> Trial:
    """Return a Garde with this call, on worlds that are the same for every call."""
    asked = replace(plan, called=called)
    forecasts = worlds * FORECASTS // CHUNK
    dealt = draw_worlds(plan, forecasts, 1)
    return run_trial(asked, dealt, leaders(plan, 0, forecasts), "garde", worlds)["garde"]


def calls_of(plan: Plan) -> list[Card]:
    """Return the cards worth comparing: of those in hand only one, they all mean alone."""
    choices = callable_cards(plan.hand, plan.rules)
    held = [card for card in choices if card in plan.hand]
    return [card for card in choices if card not in plan.hand] + held[:1]


def compare_calls(plan: Plan, worlds: int, n_jobs: int) -> dict[Card, Trial]:
    """Return a trial of a Garde for each card that may be called."""
    calls = calls_of(plan)
    trials = in_threads(n_jobs, [partial(_call_trials, plan, card, worlds) for card in calls])
    return dict(zip(calls, trials, strict=True))


def _best_call(plan: Plan, n_jobs: int) -> Card:
    """Return the card to call, judged on worlds that are not used again."""
    calls = calls_of(plan)
    if len(calls) == 1:
        return calls[0]
    trials = compare_calls(plan, PILOT_WORLDS, n_jobs)
    return max(calls, key=lambda card: estimate_score(trials[card]).mean)


def _pass_score(plan: Plan, auction: Auction) -> Estimate:
    """Return what a pass is worth: what the player wins in the deals that then are played."""
    players = plan.rules.players
    after = auction.copy()
    after.bid("pass")
    worlds = draw_worlds(plan, PASS_WORLDS, 2)
    chance = uniforms(bit_generator(plan.seed, 3), PASS_WORLDS * players)
    takers, contracts = end_auctions(
        after, chavey_counts(worlds, players), chance.reshape(PASS_WORLDS, players)
    )
    scores = np.zeros(PASS_WORLDS)
    lead = leaders(plan, 0, PASS_WORLDS)
    for taker in range(1, players):
        for place, contract in enumerate(BIDS):
            rows = np.flatnonzero((takers == taker) & (contracts == place))
            if contract == "pass" or not len(rows):
                continue
            scores[rows] = beside(plan, worlds[rows], lead[rows], contract, taker)
    return Estimate(
        float(scores.mean()),
        float(scores.std(ddof=1)) / sqrt(PASS_WORLDS),
        float(scores.std(ddof=1)) / sqrt(PASS_WORLDS),
    )


#: Chunks that are begun together, by whether the time is limited. After a wave those contracts
#: are left alone that are as precise as asked for; whether all are is looked at by the chunk.
_WAVE_IN_TIME: Final = 2
_WAVE: Final = 4


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
    auction: Sequence[str] | None = None,
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
        At most how many worlds are judged, rounded up to whole chunks of 50.
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
        What was said so far, the first of it from the dealer's right: hidden hands are as
        likely as these bids make them. Without a `dealer` the player is next to speak.
    called
        Five players: the card to call; by default the one with the best expected score.
    seed
        The same seed gives the same answer for every `n_jobs`.
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
        If an option is not one of those above.

    Examples
    --------
    >>> answer = chances(
    ...     "A:21,19,16,14,11,8,5,1,EX P:R,D,6 C:C,10 K:R,4 T:V,9", worlds=100, n_jobs=1)
    >>> answer.contracts["garde"].p_make > 0.9
    True
    """
    started = time.monotonic()
    rules = table_of(players, rules)
    hand = Hand(hand, size=rules.hand_size)
    if method is None:
        method = _method_for(precision, seconds)
    if precision is None and worlds is None and seconds is None:
        precision = DEFAULT_PRECISION
    most = MOST_WORLDS if worlds is None else worlds
    _check_options(rules, most, precision, seconds, method, called)
    check_run(rules, dealer, seed, n_jobs)
    heard = None if auction is None else read_auction(auction, rules, dealer)
    if heard is not None and heard.to_speak != TAKER:
        turn = "it is over" if heard.is_over else f"seat {heard.to_speak} is to speak, not seat 0"
        raise BidError(f"auction: after these bids {turn}")
    plan = Plan(hand, rules, seed, method, dealer, heard, called)
    if rules.players == 5:
        if called is None:
            plan = replace(plan, called=_best_call(plan, n_jobs))
        elif called not in callable_cards(hand, rules):
            raise BidError(f"called: {called} may not be called with this hand")

    parts: dict[Contract, list[Trial]] = {contract: [] for contract in CONTRACTS}
    features: list[NDArray[np.int16]] = []
    planned = -(-most // CHUNK)
    done = 0
    stopped: Stop = "worlds"
    asked = tuple(GROUPS)
    while done < planned:
        begun = time.monotonic()
        wave = range(done, min(done + (_WAVE if seconds is None else _WAVE_IN_TIME), planned))
        calls = [partial(run_chunk, plan, number, contracts=asked) for number in wave]
        for trials, facts in in_threads(n_jobs, calls):
            for contract, trial in trials.items():
                parts[contract].append(trial)
            features.append(facts)
            done += 1
            if progress is not None:
                progress(done * CHUNK, planned * CHUNK)
            if precision is not None and not _too_wide(parts, asked, precision):
                planned, stopped = done, "precision"
                break  # what was begun in the meantime does not count
        if precision is not None:
            # Which contracts are left does not depend on the threads: only waves decide.
            asked = _too_wide(parts, asked, precision)
        now = time.monotonic()
        # Another wave would take as long as this one.
        if seconds is not None and done < planned and 2 * now - begun - started >= seconds:
            stopped = "time"
            break

    whole = {contract: joined(parts[contract]) for contract in CONTRACTS}
    rows = {contract: _row(whole[contract]) for contract in CONTRACTS}
    pass_score = None if heard is None else _pass_score(plan, heard)
    allowed = CONTRACTS if heard is None else bids_left(heard)
    return Chances(
        hand=hand,
        players=rules.players,
        method=method,
        worlds=done * CHUNK,
        forecasts=done * FORECASTS,
        contracts=rows,
        pass_score=pass_score,
        decision=_decision(parts, rows, allowed, pass_score or Estimate(0.0, 0.0, 0.0)),
        reasons=find_reasons(
            hand,
            np.concatenate(features[: len(parts["garde"])]),
            np.concatenate([trial.forecasts[:, 0] for trial in parts["garde"]]),
            rows["garde"].p_make,
        ),
        called=plan.called,
        dealer=dealer if heard is None else heard.dealer,
        auction=None if heard is None else tuple(bid for _, bid in heard.history),
        stopped=stopped,
        seed=seed,
        seconds=time.monotonic() - started,
        trials=whole,
    )


def _method_for(precision: float | None, seconds: float | None) -> Method:
    if seconds is not None and seconds >= EXACT_SECONDS:
        return "exact"
    return "fast" if precision is not None and precision >= FAST_PRECISION else "cascade"


def _too_wide(
    parts: dict[Contract, list[Trial]], asked: tuple[Contract, ...], precision: float
) -> tuple[Contract, ...]:
    """Return those of the contracts asked for that need more worlds."""
    return tuple(name for name in asked if _half_width(joined(parts[name])) > precision)


def _check_options(
    rules: Rules,
    worlds: int,
    precision: float | None,
    seconds: float | None,
    method: str,
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
    if called is not None and rules.players != 5:
        raise BidError(f"called: no card is called at {rules.players} players")
