"""What a ranking of écarts or of calls is: candidates, judged on the same worlds."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from tarot_sim.arguments import whole_number
from tarot_sim.cards import Card, Hand
from tarot_sim.estimation.figures import estimate_gain, estimate_p_make, estimate_score
from tarot_sim.estimation.json_records import json_record
from tarot_sim.estimation.regression import Estimate
from tarot_sim.notebook import cards_html, table_html

if TYPE_CHECKING:
    from collections.abc import Callable

    from tarot_sim.estimation.plan import Model
    from tarot_sim.estimation.sample import Sample

Choice = TypeVar("Choice", Hand, Card)

#: Worlds of the last round, unless the caller says otherwise.
DEFAULT_WORLDS: Final = 300
#: Worlds of the last round at most: eight times as many are held in memory.
MOST_WORLDS: Final = 1_000_000
#: What the best is behind itself.
_NOTHING: Final = Estimate(0.0, 0.0)


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
        Standard error of `p_make` by the sampling of worlds. (In a `ContractChances` it is
        called ``se``.)
    ci95
        95 % interval of `p_make`, by the sampling and the model error together
        (`tarot_sim.estimation.answers`).
    mean_score
        Expected score of the taker.
    se
        Standard error of `mean_score` by the sampling of worlds.
    error
        Standard error of `mean_score` by the sampling and the model error together.
    behind
        How far the expected score is below that of the best choice on the same worlds. Of
        those that were left out early it may be negative: they looked better on fewer worlds.
        Of the last few it never is, as the best is chosen by it: even where they are all
        alike it is not 0 but of the size of its standard error.
    se_behind
        Standard error of `behind` by the sampling of worlds, from a regression of the
        differences: less than the two scores have together.
    error_behind
        Standard error of `behind` by the sampling and the model error together. The model errors
        of two écarts of the same cards go together for the most part
        (`tarot_sim.estimation.calibration`); those of two calls, with other partners, are
        taken to have nothing in common.
    p_chelem, p_chelem_defence
        Probability that the attack, and that the defence, wins every trick.
    announce_chelem
        Whether the chelem is better announced.
    announce_gain
        What its announcement adds to the expected score, below 0 where it costs.
    worlds
        Worlds that it was judged on. With open cards eight times as many had a forecast.
    """

    # In the order of the keys in JSON.
    choice: Choice
    p_make: float
    mean_score: float
    se: float
    se_make: float
    ci95: tuple[float, float]
    error: float
    behind: float
    se_behind: float
    error_behind: float
    p_chelem: float
    p_chelem_defence: float
    announce_chelem: bool
    announce_gain: float
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
    asked
        Choices that the caller wanted among the candidates.
    house
        The house rules that the scores follow, by name.
    model
        Whose play it is, ``"double_dummy"`` or ``"table"``.
    """

    hand: Hand
    dog: Hand | None
    players: int
    candidates: tuple[Candidate[Choice], ...]
    seed: int
    seconds: float = field(compare=False)
    asked: tuple[Choice, ...] = ()
    house: dict[str, int | str] = field(default_factory=dict)
    model: Model = "double_dummy"

    @property
    def best(self) -> Choice:
        """The choice with the highest expected score."""
        return self.candidates[0].choice

    def __str__(self) -> str:
        """Return a line for each candidate: how often it makes a Garde, what it brings."""
        return "\n".join("  ".join(row) for row in self._rows(str))

    def _repr_html_(self) -> str:
        rows = self._rows(lambda choice: cards_html(choice.pretty))
        return table_html(["choice", "made", "score", "behind"], rows)

    def _rows(self, name: Callable[[Choice], str]) -> list[list[str]]:
        return [
            [
                name(row.choice),
                f"{100 * row.p_make:.1f} %",
                f"{row.mean_score:+.0f}",
                "" if row.choice == self.best else f"{row.behind:.0f} ± {row.error_behind:.0f}",
            ]
            for row in self.candidates
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the answer with the keys of the command line's JSON."""
        key = "card" if self.dog is None else "discard"
        return {
            "hand": str(self.hand),
            **({} if self.dog is None else {"dog": str(self.dog)}),
            "players": self.players,
            "model": self.model,
            "best": str(self.best),
            "candidates": [
                {key: str(row.choice)}
                | json_record(row, but="choice")
                | ({"asked": True} if row.choice in self.asked else {})
                for row in self.candidates
            ],
            "seed": self.seed,
            "seconds": self.seconds,
            **({"house": self.house} if self.house else {}),
        }


def best_first(samples: dict[Choice, Sample]) -> list[Choice]:
    """Return the choices, the one with the highest expected score first."""
    scores = {choice: estimate_score(sample).mean for choice, sample in samples.items()}
    return sorted(scores, key=lambda choice: -scores[choice])


def candidates_of(
    samples: dict[Choice, Sample], best: Sample, correlation: float = 0.0
) -> dict[Choice, Candidate[Choice]]:
    """Return what each choice promises, the best first.

    Parameters
    ----------
    samples
        A Garde with each choice, all in the same worlds.
    best
        A Garde with the best choice, in the same worlds too.
    correlation
        Correlation of the model errors of two choices.
    """
    rows = {}
    top = estimate_score(best).mean
    for choice in best_first(samples):
        sample = samples[choice]
        p_make, score = estimate_p_make(sample), estimate_score(sample)
        gain = _NOTHING if sample is best else estimate_gain(best, sample, correlation)
        p_chelem, p_chelem_defence = sample.chelems.mean(axis=0).tolist()
        announce_gain = float(sample.announcing.mean())
        rows[choice] = Candidate(
            choice=choice,
            p_make=p_make.probability,
            se_make=p_make.se,
            ci95=p_make.ci95,
            mean_score=score.mean,
            se=score.se,
            error=score.error,
            behind=top - score.mean,
            se_behind=gain.se,
            error_behind=gain.error,
            p_chelem=p_chelem,
            p_chelem_defence=p_chelem_defence,
            announce_chelem=announce_gain > 0,
            announce_gain=announce_gain,
            worlds=len(sample.p_make),
        )
    return rows


def check_worlds(worlds: int) -> int:
    """Return how many worlds a ranking is to be made on.

    Raises
    ------
    OptionError
        If so few worlds have no standard error, or all of them would not be held in memory.
    """
    return whole_number("worlds", worlds, 3, MOST_WORLDS)
