"""What a person's decisions in a deal have cost, by what they could see when they took them.

For each decision the advisor says what it would have done; where that is something else, both
are played out in the same worlds, other ones than those it was chosen in. So a choice that was
as good loses nothing on average, and may even win.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tarot_sim.bots.search_bot import SearchBot

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tarot_sim.arena.session import Choice, Session
    from tarot_sim.bots.player import Bot
    from tarot_sim.deals.view import View

#: Worlds in which two cards are compared; of bids, calls and écarts ten times as many.
_WORLDS: Final = 400


@dataclass(frozen=True, slots=True)
class Verdict:
    """A decision, and what the advisor would have done.

    Attributes
    ----------
    choice
        The decision.
    better
        What the advisor would have done; the same where it agrees.
    lost
        How many points the person's own score is expected to be lower than with that; 0
        where it is the same.
    error
        Standard error of `lost`, by the worlds sampled.
    """

    choice: Choice
    better: Any
    lost: float
    error: float

    @property
    def trick(self) -> int | None:
        """The number of the trick from 1; None before the play."""
        view = self.choice.view
        return len(view.plays) // view.players + 1 if self.choice.turn == "play" else None

    @property
    def agrees(self) -> bool:
        """Whether the advisor would have done the same, or what comes to it in every world."""
        return self.lost == 0 and self.error == 0


@dataclass(frozen=True, slots=True)
class Review:
    """What all decisions of a deal have cost.

    Attributes
    ----------
    verdicts
        Of each decision that left a choice, in order.
    """

    verdicts: tuple[Verdict, ...]

    @property
    def lost(self) -> float:
        """Points lost in all."""
        return float(sum(verdict.lost for verdict in self.verdicts))

    @property
    def error(self) -> float:
        """Standard error of `lost`."""
        return sqrt(sum(verdict.error**2 for verdict in self.verdicts))

    def worst(self, count: int) -> tuple[Verdict, ...]:
        """Return the decisions that cost most, the dearest first; none that cost nothing."""
        costly = [verdict for verdict in self.verdicts if verdict.lost > 0]
        return tuple(sorted(costly, key=lambda verdict: -verdict.lost)[:count])


def review(session: Session) -> Review:
    """Judge what the person has decided in a deal, as far as it has gone."""
    return Review(tuple(_verdicts(session)))


def _verdicts(session: Session) -> Iterator[Verdict]:
    for choice in session.choices:
        if choice.turn == "announce" or _is_forced(choice.view):
            continue
        # The same one, with the same random numbers, that a hint came from.
        better = _advised(session.advisor(choice.view), choice)
        if better == choice.chosen:
            yield Verdict(choice, better, 0.0, 0.0)
            continue
        bits = np.random.PCG64DXSM(session.random(choice.view, "judge"))
        judge = SearchBot(np.random.Generator(bits), worlds=_WORLDS)
        theirs, own = judge.own_scores(choice.view, [better, choice.chosen])
        lost = theirs - own
        error = float(lost.std(ddof=1)) / sqrt(len(lost))
        yield Verdict(choice, better, float(lost.mean()), error)


def _advised(advisor: Bot, choice: Choice) -> Any:
    """Return what a hint would have been: of a card, with all cards looked at to the end."""
    if choice.turn == "play" and isinstance(advisor, SearchBot):
        return advisor.play(choice.view, explain=True).best
    return getattr(advisor, choice.turn)(choice.view).best


def _is_forced(view: View) -> bool:
    """Tell whether there was nothing to decide."""
    return len(view.legal_bids() or view.callable_cards() or view.legal_cards()) == 1
