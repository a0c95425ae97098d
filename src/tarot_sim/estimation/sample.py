"""One contract in some worlds: what was found in each, at every level of search."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tarot_sim.estimation.judge import NEEDS
from tarot_sim.estimation.spread import mean_margins, spread_margins, spread_weights
from tarot_sim.rules.scoring import CHELEMS, defender_loss, per_defender

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from tarot_sim.rules import Contract
    from tarot_sim.worlds.batch import Deals

#: Fields of a sample with a row for each judged world.
JUDGED: Final = (
    "p_make", "fitted", "margins", "bouts", "petit_au_bout", "chelem", "multipliers", "bonus",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Sample:
    """One contract in some worlds; a row a world.

    All N worlds have a forecast, the first n of them a judgement, and the first m of these an
    exact search: three fidelities, each of which corrects the one below
    (`tarot_sim.estimation.regression`).

    Attributes
    ----------
    contract
        The contract.
    players
        Players at the table.
    controls
        Shape (N, 6): control variates, from the forecast: the probability that the contract is
        made, its square and its logit, the expected margin, and two bounded forms of it.
    p_make
        Shape (n,): probability that the contract is made, as judged.
    fitted
        Shape (n,): half points above the need, as fitted.
    margins
        Shape (n,): half points above the need that `p_make` and `fitted` together lead to
        expect, see `tarot_sim.estimation.spread`.
    bouts
        Shape (n,): bouts that the attack is expected to have.
    petit_au_bout, chelem
        Shape (n,): +1 attack, −1 defence, else 0.
    multipliers
        Shape (n,): how many times a defender's loss the taker wins.
    bonus
        Shape (n,): what the best poignée of the taker's cards is worth to each defender.
    exact
        Shape (m,): probability that the contract is made after an exact search: 0 or 1 where
        it came to an end, else as judged.
    proved
        Shape (m,): whether that search came to an end.
    """

    contract: Contract
    players: int
    controls: NDArray[np.float64]
    p_make: NDArray[np.float64]
    fitted: NDArray[np.float64]
    margins: NDArray[np.float64]
    bouts: NDArray[np.int64]
    petit_au_bout: NDArray[np.int64]
    chelem: NDArray[np.int64]
    multipliers: NDArray[np.int64]
    bonus: NDArray[np.int64]
    exact: NDArray[np.float64]
    proved: NDArray[np.bool_]

    @property
    def poignees(self) -> NDArray[np.float64]:
        """What a poignée shown adds to the expected score; shape (n,)."""
        result: NDArray[np.float64] = self.multipliers * self.bonus * (2 * self.p_make - 1)
        return result

    @property
    def shows_poignee(self) -> bool:
        """Whether a poignée, if there is one, is better shown: the winner gets it."""
        return float(self.poignees.mean()) > 0

    @property
    def scores(self) -> NDArray[np.float64]:
        """Expected score of the taker; shape (n,)."""
        return self._scores(self.p_make, self.margins, self.shows_poignee)

    @property
    def exact_scores(self) -> NDArray[np.float64]:
        """Expected score of the taker after an exact search; shape (m,)."""
        return self._scores_if(self.exact)

    def stakes(self, n: int) -> NDArray[np.float64]:
        """Return how far made scores above failed in each of the first `n` worlds; shape (n,)."""
        return self._scores_if(np.ones(n)) - self._scores_if(np.zeros(n))

    def _scores_if(self, p_make: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the scores of the first worlds if these were their probabilities, as many."""
        few = self.first(len(p_make))
        margins = mean_margins(p_make, few.fitted, self.players)
        return few._scores(p_make, margins, self.shows_poignee)

    def _scores(
        self, p_make: NDArray[np.float64], margins: NDArray[np.float64], shows_poignee: bool
    ) -> NDArray[np.float64]:
        """Return the taker's expected scores with these probabilities and margins; shape (n,)."""
        result: NDArray[np.float64] = self.multipliers * defender_loss(
            2 * p_make - 1,
            expected_points(p_make, margins, self.players),
            self.contract,
            self.petit_au_bout,
            self.bonus if shows_poignee else 0,
            CHELEMS["made"] * self.chelem,
        )
        return result

    @property
    def has_partner(self) -> NDArray[np.bool_]:
        """Whether the taker has a partner; shape (n,)."""
        result: NDArray[np.bool_] = self.multipliers < self.players - 1
        return result

    @property
    def points(self) -> NDArray[np.float64]:
        """Expected card points of the attack; shape (n,)."""
        result: NDArray[np.float64] = (NEEDS[self.bouts] + self.margins) / 2
        return result

    def first(self, n: int) -> Sample:
        """Return the sample of the first `n` judged worlds, with all control variates."""
        judged: dict[str, Any] = {name: getattr(self, name)[:n] for name in JUDGED}
        return replace(self, exact=self.exact[:n], proved=self.proved[:n], **judged)

    def score_spread(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return scores that each world may bring, and their probabilities; shape (n, 8)."""
        margins = np.rint(spread_margins(self.p_make, self.fitted, self.players))
        worth = per_defender(
            margins.astype(np.int64),
            self.contract,
            petit_au_bout=self.petit_au_bout[:, None],
            poignees=self.bonus[:, None] if self.shows_poignee else 0,
            chelem=CHELEMS["made"] * self.chelem[:, None],
        )
        scores: NDArray[np.float64] = (self.multipliers[:, None] * worth).astype(np.float64)
        return scores, spread_weights(self.p_make)

    def points_spread(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return what each world may bring above the need, in card points; shape (n, 8)."""
        margins = np.rint(spread_margins(self.p_make, self.fitted, self.players)) / 2
        return margins, spread_weights(self.p_make)


def pool(samples: Sequence[Sample]) -> Sample:
    """Return one sample of the worlds of several, of one contract and one table.

    Those of the highest fidelity come first, so that the rows of every array are still the first
    of the worlds.
    """
    sizes = [(len(part.exact), len(part.p_make), len(part.controls)) for part in samples]

    def rows(name: str, lowest: int) -> NDArray[Any]:
        """Join a field that all worlds of this fidelity and of higher ones have."""
        parts = []
        for level in range(lowest + 1):
            for sample, size in zip(samples, sizes, strict=True):
                parts.append(getattr(sample, name)[size[level - 1] if level else 0 : size[level]])
        return np.concatenate(parts)

    judged: dict[str, Any] = {name: rows(name, 1) for name in JUDGED}
    return replace(
        samples[0],
        controls=rows("controls", 2),
        exact=rows("exact", 0),
        proved=rows("proved", 0),
        **judged,
    )


def expected_points(
    p_make: NDArray[np.float64], margins: NDArray[np.float64], players: int
) -> NDArray[np.float64]:
    """Return the card points above the target that the score is expected to count.

    Parameters
    ----------
    p_make
        Shape (n,): probability that the contract is made.
    margins
        Shape (n,): expected half points above the need.
    players
        Players at the table.

    Returns
    -------
    numpy.ndarray
        Shape (n,).
    """
    # At 3 and 5 players every other margin has half a point, rounded away from zero.
    rounding = 0.0 if players == 4 else 0.25
    return margins / 2 + rounding * (2 * p_make - 1)


def payoff_multipliers(deals: Deals, taker: int, seat: int | None = None) -> NDArray[np.int64]:
    """Return how many times a defender's loss a seat wins, the taker's unless given; shape (n,)."""
    alone = deals.attack == 1 << taker
    defenders = deals.rules.players - 1
    if seat is None or seat == taker:
        return np.where(alone, defenders, defenders - 2).astype(np.int64)
    return np.where(deals.attack >> seat & 1 == 1, 1, -1).astype(np.int64)
