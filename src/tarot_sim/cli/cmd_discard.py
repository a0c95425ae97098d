"""``tarot-sim discard``: which cards to discard."""

from __future__ import annotations

from typing import Any

import click

from tarot_sim.cards import Card, Hand
from tarot_sim.cli.options import (
    dealer_option,
    jobs_option,
    output_options,
    players_option,
    rules_option,
    seed_option,
)
from tarot_sim.cli.output import Output
from tarot_sim.cli.ranking import show_ranking
from tarot_sim.messages import text
from tarot_sim.rules import Rules


@click.command("discard", help=text("discard.help"))
@click.argument("hand", metavar="HAND")
@click.argument("dog", metavar="DOG")
@players_option
@click.option("--worlds", type=click.IntRange(min=3), help=text("discard.worlds"))
@dealer_option
@click.option("--call", "called", metavar="CARD", help=text("discard.called"))
@jobs_option
@seed_option()
@rules_option
@output_options
def command(
    hand: str,
    dog: str,
    players: int,
    worlds: int | None,
    called: str | None,
    rules: Rules | None,
    out: Output,
    **question: Any,
) -> None:
    """Print écarts, the best first."""
    table = (rules or Rules()).with_players(players)
    cards, turned = Hand(hand, size=table.hand_size), Hand(dog, size=table.dog_size)
    card = None if called is None else Card.parse(called)

    from tarot_sim.estimation.discards import rank_discards
    from tarot_sim.estimation.ranking import DEFAULT_WORLDS

    ranking = rank_discards(
        cards, turned, rules=table, worlds=worlds or DEFAULT_WORLDS, called=card, **question
    )
    if out.json:
        out.document(ranking.to_dict())
        return
    show_ranking(ranking, out, text("discard.discard"), out.hand)
    out.line()
    out.line(text("discard.best", cards=out.hand(ranking.best)))
