"""``tarot-sim call``: which card to call at five players."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from tarot_sim.cli.chelems import show_chelems
from tarot_sim.cli.hands import Asked, answer_hands, sized_hand
from tarot_sim.cli.options import (
    dealer_option,
    hand_argument,
    jobs_option,
    model_option,
    output_options,
    rules_option,
    seed_option,
)
from tarot_sim.cli.output import Output
from tarot_sim.cli.ranking import show_ranking
from tarot_sim.cli.values import Count
from tarot_sim.errors import BidError
from tarot_sim.messages import text
from tarot_sim.rules import Rules

if TYPE_CHECKING:
    from tarot_sim.cards import Card
    from tarot_sim.estimation.ranking import Ranking


@click.command("call", help=text("call.help"))
@hand_argument()
@click.option("--players", type=Count(), default=5, help=text("call.players"))
@click.option("--worlds", type=Count(min=3), help=text("call.worlds"))
@model_option
@dealer_option
@jobs_option
@seed_option()
@rules_option
@output_options
def command(
    words: tuple[str, ...],
    jsonl: bool,
    n_jobs: int,
    worlds: int | None,
    rules: Rules | None,
    out: Output,
    **options: Any,
) -> None:
    """Print the cards that may be called, the best first."""

    def answer(asked: Asked, threads: int) -> Ranking[Card]:
        question = dict(asked.options)
        players = question.pop("players")
        if players != 5:
            raise BidError(f"players: no card is called at {players} players")
        table = (rules or Rules()).with_players(5)
        hand = sized_hand(asked.hand, table)

        from tarot_sim.estimation.calls import rank_calls
        from tarot_sim.estimation.ranking import DEFAULT_WORLDS

        return rank_calls(
            hand, rules=table, worlds=worlds or DEFAULT_WORLDS, n_jobs=threads, **question
        )

    def show(ranking: Ranking[Card]) -> None:
        show_ranking(ranking, out, text("call.card"), out.card)
        out.line()
        out.line(text("call.best", card=out.card(ranking.best)))
        show_chelems(ranking.candidates[0], out)

    keys = ("players", "dealer", "seed")
    answer_hands(words, out, answer, show, options=options, keys=keys, jsonl=jsonl, n_jobs=n_jobs)
