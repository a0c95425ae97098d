"""Advice: a bot's decision for a view, with what the view shows and what decides."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tarot_sim.bots.player import Decision
from tarot_sim.cards import EXCUSE, PETIT
from tarot_sim.errors import RecordError
from tarot_sim.notation import TRUMP

if TYPE_CHECKING:
    from tarot_sim.bots.player import Bot
    from tarot_sim.deals.view import View


@dataclass(frozen=True, slots=True)
class Advice:
    """What to do, and why.

    Attributes
    ----------
    seat
        Who is advised.
    phase
        ``bid``, ``call``, ``discard`` or ``play``.
    decision
        The bot's decision.
    poignee, chelem
        What it would announce first.
    known
        What the play has shown, by seat.
    """

    seat: int
    phase: str
    decision: Decision[Any]
    poignee: str | None = None
    chelem: bool = False
    known: dict[str, Any] = field(default_factory=dict)


def advise(view: View, bot: Bot) -> Advice:
    """Return a bot's advice to the seat of a view, whose turn it is.

    Raises
    ------
    RecordError
        If it is another's turn.

    Examples
    --------
    >>> import tarot_sim as ts
    >>> from tarot_sim.bots import make
    >>> from tarot_sim.deals.game import Game
    >>> from tarot_sim.deals.view import View
    >>> deal = ts.Deal.random(rng=1, dealer=3)
    >>> game = Game(deal.hands, deal.dog, dealer=deal.dealer)
    >>> advise(View.of(game, 0), make("rules")).phase
    'bid'
    """
    if view.to_move != view.seat:
        raise RecordError(f"seat: it is seat {view.to_move}'s turn, not seat {view.seat}'s")
    if view.phase == "auction":
        return Advice(view.seat, "bid", bot.bid(view))
    if view.phase == "call":
        return Advice(view.seat, "call", bot.call(view))
    if view.phase == "discard":
        return Advice(view.seat, "discard", bot.discard(view))
    announced = bot.announce(view)
    decision = bot.play(view)
    return Advice(
        view.seat, "play", decision, announced.poignee, announced.chelem, shown_by_play(view)
    )


def shown_by_play(view: View) -> dict[str, Any]:
    """Return what the cards played have shown of the others.

    Returns
    -------
    dict
        ``voids``: by seat, the letters of suits it holds no more, A for trumps;
        ``no_trump_above``: by seat, where some of those above are still out;
        ``called_card``: where the called card may be, if that is open.
    """
    letters = "PCKTA"
    known: dict[str, Any] = {"voids": {}, "no_trump_above": {}}
    for seat in range(view.players):
        if seat == view.seat:
            continue
        if view.voids[seat]:
            known["voids"][str(seat)] = [letters[suit] for suit in sorted(view.voids[seat])]
        above = PETIT + view.ceilings[seat]  # the lowest trump that the seat cannot hold
        out = any(above <= card < EXCUSE for card in view.unseen)
        if out and TRUMP not in view.voids[seat]:
            known["no_trump_above"][str(seat)] = view.ceilings[seat]
    if view.called is not None and view.called in view.unseen:
        places = view.allowed[view.called]
        known["called_card"] = [s for s in range(view.players) if places >> s & 1]
    return known
