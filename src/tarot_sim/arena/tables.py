"""One deal played by bots, from the first bid to the score."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tarot_sim.deals.game import Game
from tarot_sim.deals.view import View

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tarot_sim.bots.player import Bot
    from tarot_sim.deals.deal import Deal


def play_game(deal: Deal, bots: Sequence[Bot]) -> Game:
    """Let bots play a deal.

    Parameters
    ----------
    deal
        As dealt, without bids and plays.
    bots
        One for each seat; each is shown the view of its seat alone.

    Returns
    -------
    Game
        Over: played, or passed by all.
    """
    assert deal.dealer is not None
    game = Game(deal.hands, deal.dog, dealer=deal.dealer, rules=deal.rules)
    while game.phase != "over":
        step(game, bots)
    return game


def step(game: Game, bots: Sequence[Bot]) -> None:
    """Let the bot who acts next act once."""
    seat = game.to_move
    assert seat is not None
    bot, view = bots[seat], View.of(game, seat)
    if game.phase == "auction":
        game.bid(bot.bid(view).best)
    elif game.phase == "call":
        game.call(bot.call(view).best)
    elif game.phase == "discard":
        game.discard(bot.discard(view).best)
    else:
        if not game.plays and not game.chelem_announced:
            ask_for_chelem(game, bots)
            if game.to_move != seat:
                return
        if game.legal_poignees():
            level = bot.announce(view).poignee
            if level is not None:
                game.show_poignee(level)
                view = View.of(game, seat)
        game.play(bot.play(view).best)


def ask_for_chelem(game: Game, bots: Sequence[Bot]) -> None:
    """Ask the taker, who may announce a chelem before the first card and then leads."""
    taker = game.taker
    assert taker is not None
    if game.may_announce_chelem() and bots[taker].announce(View.of(game, taker)).chelem:
        game.announce_chelem()
