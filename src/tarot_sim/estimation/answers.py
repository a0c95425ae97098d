"""What is answered about a hand: every contract, the best bid, and what they are made of.

Two kinds of error stand side by side. That *by the sampling* comes from having looked at some
of the worlds only, and more worlds make it smaller. The *model error* is what the judge of the
worlds may be off by for this hand in all of them (`tarot_sim.estimation.calibration`): it stays.
An interval, and whatever is called ``error``, holds both.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import hypot
from typing import TYPE_CHECKING, Any, Final, Literal

from tarot_sim.cards import Card, Hand
from tarot_sim.estimation.figures import estimate_gain, estimate_p_make, estimate_score
from tarot_sim.estimation.json_records import json_record
from tarot_sim.estimation.reasons import Reasons
from tarot_sim.estimation.regression import Estimate, regression_estimate
from tarot_sim.estimation.sample import Sample, pool
from tarot_sim.estimation.spread import quantiles
from tarot_sim.notebook import cards_html, table_html

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tarot_sim.estimation.chunks import Chunk
    from tarot_sim.estimation.judge import Method
    from tarot_sim.estimation.plan import Model
    from tarot_sim.estimation.stopping import Stop
    from tarot_sim.rules import Contract

#: Levels of the quantiles of the score.
QUANTILES: Final = (0.05, 0.25, 0.5, 0.75, 0.95)


@dataclass(frozen=True, slots=True)
class ContractChances:
    """What one contract promises.

    Attributes
    ----------
    p_make
        Probability that the contract is made.
    p_make_double_dummy
        The same if everybody played as if all cards were in view.
    se
        Standard error of `p_make` by the sampling of worlds, and of those that are searched
        exactly. (In a `Candidate` it is called ``se_make``, and ``se`` is that of the score.) Near
        0 and 1 errors lie to one side: there `ci95` is the interval to use, or, for
        the sampling alone, `tarot_sim.estimation.intervals.interval` of `p_make` and this.
    ci95
        95 % interval of `p_make`, by the sampling and the model error together.
    mean_score
        Expected score of the taker; Petit au bout, chelem and a poignée that is worth
        showing included.
    se_score
        Standard error of `mean_score` by the sampling of worlds.
    error_score
        Standard error of `mean_score` by the sampling and the model error together.
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
    p_chelem, p_chelem_defence
        Probability that the attack, and that the defence, wins every trick.
    announce_chelem
        Whether the chelem is better announced, whatever the dog.
    announce_gain
        What its announcement adds to the expected score, below 0 where it costs.
    poignee
        What the taker's poignées add to the expected score; 0 where they are better
        not shown.
    proved
        Share of the worlds searched exactly that were settled; 0 where none was.
    worlds
        Worlds judged.
    """

    # In the order of the keys in JSON.
    p_make: float
    p_make_double_dummy: float
    se: float
    ci95: tuple[float, float]
    mean_score: float
    mean_points: float
    mean_defender: float
    mean_partner: float | None
    se_score: float
    error_score: float
    score_quantiles: tuple[float, ...]
    p_loss: float
    petit_au_bout: float
    chelem: float
    p_chelem: float
    p_chelem_defence: float
    announce_chelem: bool
    announce_gain: float
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
        By how much the expected score of `best` is above that of `second`, on the same worlds.
    se
        Standard error of `gain` by the sampling of worlds.
    error
        Standard error of `gain` by the sampling and the model error together.
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
    model
        Whose play it is, ``"double_dummy"`` or ``"table"``.
    method
        How worlds were judged. Exact searches correct the chances and the expected scores;
        the quantiles, `p_loss`, points and poignées stay those of the judge.
    worlds
        How many worlds were, for the contract that needed most.
    forecasts
        How many worlds got a forecast, the judged ones among them.
    contracts
        By contract that may be bid, from the lowest up; none after a Garde contre.
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
        By contract, the worlds behind the figures: a `tarot_sim.estimation.sample.Sample` each.
    house
        The house rules that the scores follow, by name.
    """

    hand: Hand
    players: int
    method: Method
    model: Model
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
    trials: dict[Contract, Sample] = field(compare=False, repr=False)
    house: dict[str, int | str] = field(default_factory=dict)

    @property
    def advice(self) -> Contract | Literal["pass"]:
        """The bid with the highest expected score."""
        return self.decision.best

    def __str__(self) -> str:
        """Return the hand, and on a line each contract: how often it is made, what it brings."""
        lines = [str(self.hand)]
        for contract, row in self.contracts.items():
            made, score = f"{100 * row.p_make:.1f} %", f"{row.mean_score:+.0f}"
            lines.append(f"{contract:12}  {made:>7}  {score:>5} ± {row.error_score:.0f}")
        return "\n".join([*lines, f"bid: {self.advice}"])

    def _repr_html_(self) -> str:
        rows = [
            [
                contract,
                f"{100 * row.p_make:.1f} %",
                f"{100 * row.ci95[0]:.1f} – {100 * row.ci95[1]:.1f} %",
                f"{row.mean_score:+.0f}",
                f"± {row.error_score:.0f}",
                f"{row.mean_points:.1f}",
            ]
            for contract, row in self.contracts.items()
        ]
        header = ["contract", "made", "95 % interval", "score", "error", "points"]
        hand = cards_html(self.hand.pretty)
        return f"<p>{hand}</p>{table_html(header, rows)}<p>bid: {self.advice}</p>"

    def to_dict(self) -> dict[str, Any]:
        """Return the answer with the keys of the command line's JSON."""
        return {
            "hand": str(self.hand),
            "players": self.players,
            "method": self.method,
            "model": self.model,
            "worlds": self.worlds,
            "forecasts": self.forecasts,
            "contracts": {name: json_record(row) for name, row in self.contracts.items()},
            "pass": None
            if self.pass_score is None
            else {"mean_score": self.pass_score.mean, "se_score": self.pass_score.se},
            "advice": self.advice,
            "decision": json_record(self.decision),
            "reasons": self.reasons.to_dict(),
            "called": None if self.called is None else self.called.name,
            "dealer": self.dealer,
            "auction": None if self.auction is None else list(self.auction),
            "stopped": self.stopped,
            "seed": self.seed,
            "seconds": self.seconds,
            **({"house": self.house} if self.house else {}),
        }


def contract_chances(sample: Sample, double_dummy: Sample) -> ContractChances:
    """Return what a contract promises by the worlds of a sample.

    Parameters
    ----------
    sample
        The contract, in the model of play that is asked about.
    double_dummy
        The same contract and worlds with open cards.
    """
    n = len(sample.p_make)
    p_make = estimate_p_make(sample)
    score = estimate_score(sample)
    points = regression_estimate(sample.points, sample.controls[:n], sample.controls)
    loss = estimate_score(sample, sample.multipliers.astype(float)).mean
    scores, weights = sample.score_spread()
    p_chelem, p_chelem_defence = sample.chelems.mean(axis=0).tolist()
    announce_gain = float(sample.announcing.mean())
    return ContractChances(
        p_make=p_make.probability,
        p_make_double_dummy=estimate_p_make(double_dummy).probability,
        se=p_make.se,
        ci95=p_make.ci95,
        mean_score=score.mean,
        se_score=score.se,
        error_score=score.error,
        mean_points=min(91.0, max(0.0, points.mean)),
        mean_defender=-loss,
        mean_partner=_partner_score(sample, score.mean, loss),
        score_quantiles=quantiles(scores, weights, QUANTILES),
        p_loss=float(weights[scores < 0].sum() / weights.sum()),
        petit_au_bout=float(sample.petit_au_bout.mean()),
        chelem=p_chelem - p_chelem_defence,
        p_chelem=p_chelem,
        p_chelem_defence=p_chelem_defence,
        announce_chelem=announce_gain > 0,
        announce_gain=announce_gain,
        poignee=float(sample.poignees.mean()) if sample.shows_poignee else 0.0,
        proved=float(sample.proved.mean()) if sample.proved.size else 0.0,
        worlds=n,
    )


def _partner_score(sample: Sample, score: float, loss: float) -> float | None:
    """Return what a partner is expected to win, where the taker has one.

    `score` and `loss` are what the taker is expected to win and a defender to lose. With a
    partner the taker wins twice what each defender loses, alone four times.
    """
    paired = sample.has_partner
    if not paired.any():
        return None
    return (4 * loss - score) / 2 / float(paired.mean())


def samples_of(
    chunks: Sequence[Chunk], contract: Contract, model: Model = "double_dummy"
) -> Sample:
    """Return one sample of a contract, of all chunks that have it."""
    return pool([chunk.of(model)[contract] for chunk in chunks if contract in chunk.samples])


def decide(
    chunks: Sequence[Chunk],
    rows: dict[Contract, ContractChances],
    allowed: Sequence[Contract],
    pass_score: Estimate,
    model: Model = "double_dummy",
) -> Decision:
    """Compare the bids on the same worlds.

    Parameters
    ----------
    chunks
        The worlds.
    rows
        What each contract promises.
    allowed
        Contracts that may be bid.
    pass_score
        What a pass brings.
    model
        Whose play it is.
    """
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
        common = [chunk for chunk in chunks if {best, second} <= chunk.samples.keys()]
        found = estimate_gain(samples_of(common, best, model), samples_of(common, second, model))
        se, error = found.se, found.error
    return Decision(best, second, gain, se, error)
