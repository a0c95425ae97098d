"""``tarot-sim score``: the marks of a result, without its cards."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import click

from tarot_sim.cli.common import Output, output_options, players_option, signed
from tarot_sim.cli.messages import text
from tarot_sim.rules import CONTRACTS, POIGNEES
from tarot_sim.scoring import CHELEMS, score


@click.command("score", help=text("score.help"))
@players_option
@click.option("--contract", type=click.Choice(CONTRACTS), required=True)
@click.option("--points", required=True, help=text("score.points"))
@click.option("--bouts", type=int, required=True, help=text("score.bouts"))
@click.option(
    "--petit-au-bout",
    type=click.Choice(("attack", "defence")),
    help=text("score.petit"),
)
@click.option(
    "--poignee",
    "poignees",
    type=click.Choice(tuple(POIGNEES)),
    multiple=True,
    help=text("score.poignee"),
)
@click.option(
    "--chelem",
    type=click.Choice(tuple(CHELEMS)),
    metavar="NAME",  # the names in a row would be wider than a page
    help=text("score.chelem", names=", ".join(CHELEMS)),
)
@click.option("--alone", is_flag=True, help=text("score.alone"))
@output_options
def command(out: Output, **result: Any) -> None:
    """Print the score of a result."""
    answer = score(**result)
    if out.json:
        fields = asdict(answer)
        scores = {role: fields.pop(role) for role in ("taker", "partner", "defender")}
        out.document({**fields, "scores": scores})
        return
    key = "score.made" if answer.made else "score.failed"
    out.line(text(key, target=answer.target, difference=answer.difference))
    out.line(text("score.taker", score=signed(answer.taker)))
    if answer.partner is not None:
        out.line(text("score.partner", score=signed(answer.partner)))
    out.line(text("score.defender", score=signed(answer.defender)))
