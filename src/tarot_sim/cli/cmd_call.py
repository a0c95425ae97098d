"""``tarot-sim call``: which card to call at five players."""

from __future__ import annotations

from typing import Any

import click

from tarot_sim.cards import Hand
from tarot_sim.cli.options import (
    dealer_option,
    jobs_option,
    output_options,
    rules_option,
    seed_option,
)
from tarot_sim.cli.output import Output
from tarot_sim.cli.ranking import show_ranking
from tarot_sim.messages import text
from tarot_sim.rules import Rules


@click.command("call", help=text("call.help"))
@click.argument("hand", metavar="HAND")
@click.option("--worlds", type=click.IntRange(min=3), help=text("call.worlds"))
@dealer_option
@jobs_option
@seed_option()
@rules_option
@output_options
def command(
    hand: str, worlds: int | None, rules: Rules | None, out: Output, **question: Any
) -> None:
    """Print the cards that may be called, the best first."""
    table = (rules or Rules()).with_players(5)
    cards = Hand(hand, size=table.hand_size)

    from tarot_sim.estimation.calls import rank_calls
    from tarot_sim.estimation.ranking import DEFAULT_WORLDS

    ranking = rank_calls(cards, rules=table, worlds=worlds or DEFAULT_WORLDS, **question)
    if out.json:
        out.document(ranking.to_dict())
        return
    show_ranking(ranking, out, text("call.card"), out.card)
    out.line()
    out.line(text("call.best", card=out.card(ranking.best)))
