"""Advice: a bot's decision for a view, with what the view shows and what decides."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from tarot_sim.arguments import instance_of
from tarot_sim.bots.player import Decision
from tarot_sim.bots.search_bot import SearchBot
from tarot_sim.cards import EXCUSE, PETIT
from tarot_sim.deals.view import View
from tarot_sim.errors import OptionError, RecordError
from tarot_sim.notation import TRUMP, shown

if TYPE_CHECKING:
    from tarot_sim.bots.player import Bot
    from tarot_sim.cards import Card


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
    decision = bot.play(view, explain=True) if isinstance(bot, SearchBot) else bot.play(view)
    return Advice(
        view.seat, "play", decision, announced.poignee, announced.chelem, shown_by_play(view)
    )


def best_card(view: View, bot: Bot | str = "search", *, seed: Any = None) -> Card:
    """Return the card that a bot plays, from what a seat knows.

    Parameters
    ----------
    view
        In the play of the cards, the seat to move's.
    bot
        A bot or the name of one with options, as of `tarot_sim.bots.make`.
    seed
        Of a named bot: a seed, a numpy `Generator` or bit generator, or None for fresh entropy.

    Raises
    ------
    OptionError
        If there is no such bot, or it is no card's turn.

    Examples
    --------
    >>> import tarot_sim as ts
    >>> hand = ts.Hand("A:21,20,8,1 P:D,3,2 C:R,9,8 K:R,9,8,7 T:9,8,7,6")
    >>> view = ts.View(
    ...     rules=ts.Rules(), seat=0, dealer=0, hand=hand, phase="play", taker=1,
    ...     contract="garde_sans", plays=(ts.Card("P4"), ts.Card("PR"), ts.Card("P5")))
    >>> ts.best_card(view, seed=1)  # the partner has the trick
    Card('PD')
    """
    from tarot_sim.bots.naming import make

    view = replace(instance_of("view", view, View))  # checked once more
    if view.phase != "play" or view.to_move != view.seat:
        raise OptionError(f"view: it is not seat {view.seat}'s turn to play")
    player = make(bot, seed) if isinstance(bot, str) else bot
    if not callable(getattr(player, "play", None)):
        raise OptionError(f"bot: {shown(bot)} is neither a bot nor the name of one")
    return player.play(view).best


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
