"""``tarot-sim discard``: which cards to discard."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from tarot_sim.cli.chelems import show_chelems
from tarot_sim.cli.hands import Asked, answer_hands, card_named, sized_dog, sized_hand
from tarot_sim.cli.options import (
    CardsCommand,
    dealer_option,
    hand_argument,
    jobs_option,
    model_option,
    output_options,
    players_option,
    rules_option,
    seed_option,
)
from tarot_sim.cli.output import Output
from tarot_sim.cli.ranking import show_ranking
from tarot_sim.cli.values import Count
from tarot_sim.messages import text
from tarot_sim.rules import Rules

if TYPE_CHECKING:
    from tarot_sim.cards import Hand
    from tarot_sim.estimation.ranking import Ranking


@click.command("discard", cls=CardsCommand, help=text("discard.help"))
@hand_argument(metavar="HAND DOG")
@players_option
@click.option("--worlds", type=Count(min=3), help=text("discard.worlds"))
@model_option
@dealer_option
@click.option("--call", "called", metavar="CARD", help=text("discard.called"))
@click.option("--ecart", "include", metavar="CARDS", multiple=True, help=text("discard.include"))
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
    """Print écarts, the best first."""

    def answer(asked: Asked, threads: int) -> Ranking[Hand]:
        question = dict(asked.options)
        table = (rules or Rules()).with_players(question.pop("players"))
        hand, dog = sized_hand(asked.hand, table), sized_dog(asked.dog or "", table)
        called = card_named(question.pop("called"))

        from tarot_sim.estimation.discards import rank_discards
        from tarot_sim.estimation.ranking import DEFAULT_WORLDS

        return rank_discards(
            hand,
            dog,
            rules=table,
            worlds=worlds or DEFAULT_WORLDS,
            called=called,
            n_jobs=threads,
            **question,
        )

    def show(ranking: Ranking[Hand]) -> None:
        show_ranking(ranking, out, text("discard.discard"), out.hand)
        out.line()
        out.line(text("discard.best", cards=out.hand(ranking.best)))
        show_chelems(ranking.candidates[0], out)

    answer_hands(
        words,
        out,
        answer,
        show,
        options=options,
        keys=("players", "dealer", "called", "include", "seed"),
        jsonl=jsonl,
        n_jobs=n_jobs,
        with_dog=True,
    )
