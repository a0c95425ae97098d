"""One contract in some worlds: what was found in each, at every level of search."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tarot_sim.estimation.ends import Ends
from tarot_sim.estimation.judge import NEEDS
from tarot_sim.estimation.spread import mean_margins, spread_margins, spread_weights
from tarot_sim.rules import Rules
from tarot_sim.rules.scoring import CHELEMS, defender_loss, per_defender, rounded_points

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from tarot_sim.estimation.calibration import Doubts
    from tarot_sim.rules import Contract
    from tarot_sim.worlds.batch import Deals

#: Fields of a sample with a row for each judged world.
JUDGED: Final = (
    "p_make", "fitted", "bouts", "ends", "multipliers", "bonus",
)  # fmt: skip

_MADE: Final = CHELEMS["made"]
_BY_DEFENCE: Final = CHELEMS["by_defence"]
_FEDERATION: Final = Rules()


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
    bouts
        Shape (n,): bouts that the attack is expected to have where neither camp wins all tricks.
    ends
        n deals: who may win every trick, and the Petit au bout.
    multipliers
        Shape (n,): how many times a defender's loss the taker wins.
    bonus
        Shape (n,): what the best poignée of the taker's cards is worth to each defender.
    exact
        Shape (m,): probability that the contract is made after an exact search: 0 or 1 where
        it came to an end, else as judged.
    proved
        Shape (m,): whether that search came to an end.
    doubts
        How far off all of that may be.
    rules
        Whose house rules the scores follow.
    """

    contract: Contract
    players: int
    controls: NDArray[np.float64]
    p_make: NDArray[np.float64]
    fitted: NDArray[np.float64]
    bouts: NDArray[np.int64]
    ends: Ends
    multipliers: NDArray[np.int64]
    bonus: NDArray[np.int64]
    exact: NDArray[np.float64]
    proved: NDArray[np.bool_]
    doubts: Doubts
    rules: Rules = _FEDERATION

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
        return self._scores(self.p_make)

    @property
    def exact_scores(self) -> NDArray[np.float64]:
        """Expected score of the taker after an exact search; shape (m,)."""
        return self._scores(self.exact)

    def stakes(self, n: int) -> NDArray[np.float64]:
        """Return how far made scores above failed in each of the first `n` worlds; shape (n,)."""
        return self._scores(np.ones(n)) - self._scores(np.zeros(n))

    @property
    def margins(self) -> NDArray[np.float64]:
        """Half points above the need that are expected; shape (n,)."""
        parts = self.parts(self.p_make)
        return parts.mean(parts.margins, *self.ends.sweep_margins.T)

    @property
    def points(self) -> NDArray[np.float64]:
        """Expected card points of the attack; shape (n,)."""
        parts = self.parts(self.p_make)
        half_points = NEEDS[self.bouts] + parts.margins
        return parts.mean(half_points, *self.ends.sweep_points.T) / 2

    @property
    def petit_au_bout(self) -> NDArray[np.float64]:
        """How likely the attack wins the Petit au bout, less how likely the defence; (n,)."""
        return self.parts(self.p_make).mean(self.ends.petits, *self.ends.sweep_petits.T)

    @property
    def chelems(self) -> NDArray[np.float64]:
        """Probability that the attack, and that the defence, wins every trick; shape (n, 2)."""
        return self.ends.within(self.p_make)[:, :2]

    @property
    def announcing(self) -> NDArray[np.float64]:
        """What the taker's announcement of the chelem adds to the score; shape (n,).

        Who announces leads. With the same probability p of a chelem either way it is 400 p − 200
        for each defender: worth it from one half on.
        """
        parts = self.parts(self.p_make)
        ordinary, attack, defence = self.losses(parts)
        chance = parts.weights[:, 0]
        others = 1 - chance
        # What a deal is worth where the attack loses a trick.
        short = (parts.weights[:, 2] * ordinary + parts.weights[:, 1] * defence) / np.where(
            others > 0, others, 1
        )
        short = np.where(others > 0, short, ordinary)
        made = attack + CHELEMS["announced_made"] - CHELEMS["made"]
        failed = short + CHELEMS["announced_failed"]
        led = np.minimum(np.maximum(self.ends.led, 0), np.maximum(self.p_make, chance))
        result: NDArray[np.float64] = self.multipliers * (
            led * made + (1 - led) * failed - chance * attack - others * short
        )
        return result

    def parts(self, p_make: NDArray[np.float64]) -> Parts:
        """Return how the first worlds end if these were their probabilities, as many."""
        few = self.first(len(p_make))
        weights = few.ends.within(p_make)
        rest = weights[:, 2]
        inside = (p_make - weights[:, 0]) / np.where(rest > 0, rest, 1)
        inside = np.clip(np.where(rest > 0, inside, p_make), 0, 1)
        margins = mean_margins(inside, few.fitted, self.doubts.margin_sd)
        return Parts(weights, inside, few.ends.inside(margins, self.players))

    def _scores(self, p_make: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the scores of the first worlds if these were their probabilities, as many."""
        few, parts = self.first(len(p_make)), self.parts(p_make)
        return few.multipliers * parts.mean(*few.losses(parts, self.shows_poignee))

    def losses(
        self, parts: Parts, shows_poignee: bool | None = None
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Return what a defender loses in deals that are not swept, and by a sweep of either camp.

        Parameters
        ----------
        parts
            How the n worlds end.
        shows_poignee
            Whether a poignée is shown; as `shows_poignee` has it unless given.

        Returns
        -------
        tuple of numpy.ndarray
            Expected losses of deals that neither camp sweeps, that the attack does, and that
            the defence does; shape (n,) each.
        """
        shown = self.shows_poignee if shows_poignee is None else shows_poignee
        bonus = self.bonus if shown else 0
        ordinary: NDArray[np.float64] = defender_loss(
            2 * parts.p_make - 1,
            expected_points(parts.p_make, parts.margins, self.rules.with_players(self.players)),
            self.contract,
            self.ends.petits,
            bonus,
            0,
            self.rules,
        )
        attack, defence = (
            per_defender(
                self.ends.sweep_margins[:, camp],
                self.contract,
                petit_au_bout=self.ends.sweep_petits[:, camp],
                poignees=bonus,
                chelem=chelem,
                rules=self.rules,
            ).astype(np.float64)
            for camp, chelem in enumerate((_MADE, _BY_DEFENCE))
        )
        return ordinary, attack, defence

    @property
    def has_partner(self) -> NDArray[np.bool_]:
        """Whether the taker has a partner; shape (n,)."""
        result: NDArray[np.bool_] = self.multipliers < self.players - 1
        return result

    def first(self, n: int) -> Sample:
        """Return the sample of the first `n` judged worlds, with all control variates."""
        judged: dict[str, Any] = {name: getattr(self, name)[:n] for name in JUDGED}
        return replace(self, exact=self.exact[:n], proved=self.proved[:n], **judged)

    def score_spread(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return scores that each world may bring, and their probabilities; shape (n, 18).

        Those of `spread_margins`, first with the Petit au bout and then without, where neither
        camp wins all tricks; then both sweeps'.
        """
        margins, weights = self._spread()
        few, swept = margins[:, :-2], margins[:, -2:]
        last = np.sign(self.ends.petits)[:, None] * np.ones(few.shape)
        chance = abs(self.ends.petits)[:, None]
        worth = per_defender(
            np.column_stack([few, few, swept]).astype(np.int64),
            self.contract,
            petit_au_bout=np.column_stack([last, 0 * last, self.ends.sweep_petits]),
            poignees=self.bonus[:, None] if self.shows_poignee else 0,
            chelem=np.array([0] * 2 * few.shape[1] + [_MADE, _BY_DEFENCE]),
            rules=self.rules,
        )
        scores: NDArray[np.float64] = (self.multipliers[:, None] * worth).astype(np.float64)
        ordinary = weights[:, :-2]
        return scores, np.column_stack(
            [ordinary * chance, ordinary * (1 - chance), weights[:, -2:]]
        )

    def points_spread(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return what each world may bring above the need, in card points; shape (n, 10)."""
        margins, weights = self._spread()
        return margins / 2, weights

    def _spread(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return margins that each world may bring, and their probabilities; shape (n, 10).

        Those of `spread_margins`, where neither camp wins all tricks, then both sweeps'.
        """
        parts = self.parts(self.p_make)
        margins = self.ends.inside(
            spread_margins(parts.p_make, self.fitted, self.doubts.margin_sd), self.players
        )
        ordinary = spread_weights(parts.p_make) * parts.weights[:, 2:]
        return (
            np.column_stack([np.rint(margins), self.ends.sweep_margins]),
            np.column_stack([ordinary, parts.weights[:, :2]]),
        )


@dataclass(frozen=True, slots=True)
class Parts:
    """Worlds by how they end: swept by a camp or not; a row a world.

    Attributes
    ----------
    weights
        Shape (n, 3): probability that the attack wins all tricks, that the defence does, that
        neither does.
    p_make
        Shape (n,): probability that the contract is made where neither does.
    margins
        Shape (n,): half points above the need that are expected where neither does.
    """

    weights: NDArray[np.float64]
    p_make: NDArray[np.float64]
    margins: NDArray[np.float64]

    def mean(
        self, ordinary: NDArray[Any], attack: NDArray[Any], defence: NDArray[Any]
    ) -> NDArray[np.float64]:
        """Return the mean of a figure of the worlds that are not swept, and of the others."""
        figures = np.column_stack([attack, defence, ordinary])
        result: NDArray[np.float64] = (self.weights * figures).sum(axis=1)
        return result


def pool(samples: Sequence[Sample]) -> Sample:
    """Return one sample of the worlds of several, of one contract and one table.

    Those of the highest fidelity come first, so that the rows of every array are still the first
    of the worlds.
    """
    sizes = [(len(part.exact), len(part.p_make), len(part.controls)) for part in samples]

    def rows(name: str, lowest: int) -> Any:
        """Join a field that all worlds of this fidelity and of higher ones have."""
        parts = []
        for level in range(lowest + 1):
            for sample, size in zip(samples, sizes, strict=True):
                parts.append(getattr(sample, name)[size[level - 1] if level else 0 : size[level]])
        return Ends.concatenate(parts) if name == "ends" else np.concatenate(parts)

    judged: dict[str, Any] = {name: rows(name, 1) for name in JUDGED}
    return replace(
        samples[0],
        controls=rows("controls", 2),
        exact=rows("exact", 0),
        proved=rows("proved", 0),
        **judged,
    )


def expected_points(
    p_make: NDArray[np.float64], margins: NDArray[np.float64], rules: Rules
) -> NDArray[np.float64]:
    """Return the card points above the target that the score is expected to count.

    Parameters
    ----------
    p_make
        Shape (n,): probability that the contract is made.
    margins
        Shape (n,): expected half points above the need.
    rules
        The table.

    Returns
    -------
    numpy.ndarray
        Shape (n,).
    """
    # At 3 and 5 players every other margin has half a point. As the margins vary far more than
    # what they are rounded to, all that may be left over are as likely.
    left = np.arange(0, 2 * rules.rounding, 2 if rules.players == 4 else 1)
    rounding = float((rounded_points(left, rules) - left / 2).mean())
    return margins / 2 + rounding * (2 * p_make - 1)


def payoff_multipliers(deals: Deals, taker: int, seat: int | None = None) -> NDArray[np.int64]:
    """Return how many times a defender's loss a seat wins, the taker's unless given; shape (n,)."""
    alone = deals.attack == 1 << taker
    defenders = deals.rules.players - 1
    if seat is None or seat == taker:
        return np.where(alone, defenders, defenders - 2).astype(np.int64)
    return np.where(deals.attack >> seat & 1 == 1, 1, -1).astype(np.int64)
