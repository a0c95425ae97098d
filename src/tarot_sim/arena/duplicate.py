"""Duplicate matches: what a seat gains when one bot plays it instead of another.

Each deal is played with B in all seats, and once for every seat with A in it; and the other way
round, with A in all seats but one. The gain of a seat is the difference of its scores, so the
luck of the deal cancels. A deal's result depends on the match's plan and the deal's number
alone: not on the number of jobs, and not on what was played before.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np

from tarot_sim.arena.tables import play_game
from tarot_sim.bots import make
from tarot_sim.deals.deal import Deal
from tarot_sim.errors import OptionError
from tarot_sim.rules import Rules

if TYPE_CHECKING:
    from tarot_sim.deals.game import Game

Role = Literal["taker", "partner", "defence"]
ROLES: Final[tuple[Role, ...]] = ("taker", "partner", "defence")

#: Streams of a deal's random bits: the cards, and the bots of each table.
_CARDS, _BOTS = 0, 1


@dataclass(frozen=True, slots=True)
class Plan:
    """What is played: everything that a result depends on.

    Attributes
    ----------
    a, b
        Names of the bots.
    rules
        The table.
    seed
        Where the deals and the bots' choices come from.
    fields
        Against which others the seats are compared: ``b`` (one seat of A among B's), ``a`` (one
        of B among A's), or both.
    """

    a: str
    b: str
    rules: Rules
    seed: int
    fields: tuple[Literal["a", "b"], ...] = ("b", "a")

    def __post_init__(self) -> None:
        for name in (self.a, self.b):
            make(name, 0)
        if self.seed < 0:
            raise OptionError(f"seed: {self.seed} is not 0 or more")


@dataclass(frozen=True, slots=True)
class DealResult:
    """What one deal brought.

    Attributes
    ----------
    number
        The deal's number.
    gains
        What each seat gains, in points, a row for each field; the role it had with A.
    records
        The deals as played, for `replay`.
    """

    number: int
    gains: tuple[tuple[tuple[float, Role | None], ...], ...]
    records: tuple[dict[str, Any], ...]

    @property
    def mean(self) -> float:
        """The mean gain of a seat."""
        gains = [gain for row in self.gains for gain, _ in row]
        return sum(gains) / len(gains)


def play_deal(plan: Plan, number: int) -> DealResult:
    """Play one deal of a match at all its tables.

    Parameters
    ----------
    plan
        The match.
    number
        The deal's number; the same brings the same result.
    """
    players = plan.rules.players
    cards = np.random.Generator(np.random.PCG64DXSM(_seed(plan, number, _CARDS)))
    deal = Deal.random(rules=plan.rules, rng=cards)
    names = {"a": plan.a, "b": plan.b}
    played: dict[tuple[str, ...], Game] = {}

    def table(seats: Sequence[Literal["a", "b"]]) -> Game:
        key = tuple(seats)
        if key not in played:
            bots = [
                make(
                    names[who],
                    np.random.PCG64DXSM(_seed(plan, number, _BOTS, seat, "ab".index(who))),
                )
                for seat, who in enumerate(seats)
            ]
            played[key] = play_game(deal, bots)
        return played[key]

    gains = []
    for field in plan.fields:
        row = []
        for seat in range(players):
            with_a, with_b = [[field] * players for _ in range(2)]
            with_a[seat], with_b[seat] = "a", "b"
            first, second = table(with_a), table(with_b)
            row.append((float(_score(first, seat) - _score(second, seat)), _role(first, seat)))
        gains.append(tuple(row))
    return DealResult(number, tuple(gains), tuple(game.to_record() for game in played.values()))


def _seed(plan: Plan, *path: int) -> np.random.SeedSequence:
    return np.random.SeedSequence(plan.seed, spawn_key=path)


def _score(game: Game, seat: int) -> int:
    return 0 if game.scores is None else game.scores[seat]


def _role(game: Game, seat: int) -> Role | None:
    if game.outcome != "played":
        return None
    if seat == game.taker:
        return "taker"
    return "partner" if seat == game.partner else "defence"


def finite(number: float) -> float | None:
    """Return a number; None for an infinite one, which JSON does not have."""
    return number if math.isfinite(number) else None


@dataclass(frozen=True, slots=True)
class Gain:
    """A mean gain, in points a deal, with its standard error and the number behind it."""

    mean: float
    se: float
    n: int

    @classmethod
    def of(cls, values: Sequence[float]) -> Gain:
        """Return the mean of independent values."""
        n = len(values)
        if n == 0:
            return cls(0.0, math.inf, 0)
        mean = math.fsum(values) / n
        if n == 1:
            return cls(mean, math.inf, 1)
        return cls(mean, math.sqrt(math.fsum((x - mean) ** 2 for x in values) / (n - 1) / n), n)


@dataclass(frozen=True, slots=True)
class Pair:
    """How A did against B."""

    a: str
    b: str
    gain: Gain
    roles: dict[Role, Gain]

    @classmethod
    def of(cls, plan: Plan, results: Sequence[DealResult]) -> Pair:
        """Return the gains of a match; deals are what is independent, not seats."""
        by_role: dict[Role, list[float]] = {role: [] for role in ROLES}
        for result in results:
            found: dict[Role, list[float]] = {}
            for row in result.gains:
                for gain, role in row:
                    if role is not None:
                        found.setdefault(role, []).append(gain)
            for role, gains in found.items():
                by_role[role].append(sum(gains) / len(gains))
        roles = {role: Gain.of(gains) for role, gains in by_role.items() if gains}
        return cls(plan.a, plan.b, Gain.of([result.mean for result in results]), roles)

    def to_dict(self) -> dict[str, Any]:
        """Return the pair as `tarot-sim arena --json` has it."""
        return {
            "a": self.a,
            "b": self.b,
            "deals": self.gain.n,
            "mean": self.gain.mean,
            "se": finite(self.gain.se),
            "roles": {
                role: {"mean": gain.mean, "se": finite(gain.se), "n": gain.n}
                for role, gain in self.roles.items()
            },
        }


@dataclass(frozen=True, slots=True)
class Rating:
    """A bot's strength, in points a deal against the mean of the bots; its standard error."""

    bot: str
    mean: float
    se: float

    def to_dict(self) -> dict[str, Any]:
        """Return the rating as `tarot-sim arena --json` has it."""
        return {"bot": self.bot, "mean": self.mean, "se": finite(self.se)}


def ratings(bots: Sequence[str], pairs: Sequence[Pair]) -> list[Rating]:
    """Return the ratings that the pairs' gains fit best, the strongest first.

    A pair's gain is the difference of two ratings, which sum to 0; a pair counts by its
    precision. Where one deal was played nothing is known of it, and all pairs count alike.
    """
    rows = np.zeros((len(pairs), len(bots)))
    gains = np.array([pair.gain.mean for pair in pairs])
    # A pair without any spread counts as one of a hundredth of a point.
    errors = np.array([max(pair.gain.se, 0.01) for pair in pairs])
    for row, pair in zip(rows, pairs, strict=True):
        row[bots.index(pair.a)], row[bots.index(pair.b)] = 1, -1
    known = bool(np.isfinite(errors).all())
    weights = 1 / errors**2 if known else np.ones(len(pairs))
    normal = rows.T @ (weights[:, None] * rows) + np.ones((len(bots), len(bots)))
    inverse = np.linalg.inv(normal)
    means = inverse @ (rows.T @ (weights * gains))
    # The constraint's own part is no uncertainty of the ratings.
    spread = np.sqrt(np.clip(np.diag(inverse) - 1 / len(bots) ** 2, 0, None))
    if not known:
        spread[:] = np.inf
    order = np.argsort(-means, kind="stable")
    return [Rating(bots[i], float(means[i]), float(spread[i])) for i in order]


def enough(results: Sequence[DealResult], precision: float | None) -> bool:
    """Tell whether the gain's standard error is as small as is wanted."""
    if precision is None or len(results) < _FEWEST:
        return False
    return Gain.of([result.mean for result in results]).se <= precision


#: No stop before so many deals: a spread that few deals show may be too small by far.
_FEWEST: Final = 100


def pairs_of(bots: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield every pair of a round robin once."""
    for place, a in enumerate(bots):
        for b in bots[place + 1 :]:
            yield a, b
