"""What happens at a table, as all who sit there see it: the steps of a deal, one by one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from tarot_sim.deals.replaying import Trick, replay

if TYPE_CHECKING:
    from tarot_sim.deals.game import Game

Kind = Literal[
    "bid", "contract", "call", "dog", "discard", "chelem", "poignee", "play", "trick", "over"
]


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that all at the table see.

    Attributes
    ----------
    kind
        ``bid``, ``contract`` (the auction has a taker), ``call``, ``dog`` (turned up),
        ``discard`` (the écart is made), ``chelem`` (announced), ``poignee`` (shown), ``play``,
        ``trick`` (won) or ``over``.
    seat
        Whose it is: of a ``contract`` and a ``dog`` the taker's; None where it is nobody's.
    value
        The bid, the contract, the called card, the cards of the dog, the trumps of the écart,
        the `Poignee`, the card played; of a ``trick`` its half points; of ``over`` the
        outcome. None of a ``chelem``.
    """

    kind: Kind
    seat: int | None
    value: Any = None


def events_between(before: Game, after: Game) -> Iterator[Event]:
    """Yield what has happened in a game since an earlier copy of it was made."""
    for seat, bid in after.auction.history[len(before.auction.history) :]:
        yield Event("bid", seat, bid)
    taker = after.taker
    if before.taker is None and taker is not None:
        yield Event("contract", taker, after.contract)
    if after.called is not None and before.called is None:
        yield Event("call", taker, after.called)
    shown_before = before.phase in ("discard", "play")
    if after.takes_dog and not shown_before and after.phase in ("discard", "play"):
        yield Event("dog", taker, after.dog)
    if after.discarded is not None and before.discarded is None:
        yield Event("discard", taker, after.shown_trumps)
    if after.chelem_announced and not before.chelem_announced:
        yield Event("chelem", taker)
    for poignee in after.poignees[len(before.poignees) :]:
        yield Event("poignee", poignee.seat, poignee)
    yield from _plays_between(before, after)
    if after.phase == "over" and before.phase != "over":
        yield Event("over", None, after.outcome)


def _plays_between(before: Game, after: Game) -> Iterator[Event]:
    """Yield the cards played, and who won the tricks that they filled."""
    players, first = after.players, len(before.plays)
    if len(after.plays) == first:
        return
    for number, trick in enumerate(tricks_of(after)):
        for place, card in enumerate(trick.cards):
            if number * players + place >= first:
                yield Event("play", (trick.leader + place) % players, card)
        if trick.winner is not None and (number + 1) * players > first:
            yield Event("trick", trick.winner, sum(card.half_points for card in trick.cards))


def tricks_of(game: Game) -> tuple[Trick, ...]:
    """Return the tricks so far, the one on the table last; empty before the play."""
    return replay(game.deal).tricks if game.plays else ()
