"""``tarot-sim deal``: random deals as records."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Literal

import click

from tarot_sim.cli.options import output_options, players_option, rules_option, seed_option
from tarot_sim.cli.output import Output
from tarot_sim.deals.conditions import DEFAULT_TRIES, Condition, deal_until
from tarot_sim.deals.deal import Deal
from tarot_sim.deals.dealing import Dealt, Draws, deal_physical, deal_uniform
from tarot_sim.messages import text
from tarot_sim.rules import Rules

_SEED_BITS = 32  # short enough to be typed again


@click.command("deal", help=text("deal.help"))
@click.option(
    "-n",
    "number",
    type=click.IntRange(min=0),
    default=1,
    show_default=True,
    help=text("deal.number"),
)
@players_option
@seed_option(default=None)
@click.option(
    "--petit-sec",
    type=click.Choice(("cancel", "off")),
    default=None,
    help=text("deal.petit_sec"),
)
@click.option("--condition", "wanted", metavar="EXPR", multiple=True, help=text("deal.condition"))
@click.option(
    "--tries",
    type=click.IntRange(min=1),
    default=DEFAULT_TRIES,
    show_default=True,
    help=text("deal.tries"),
)
@click.option("--physical", is_flag=True, help=text("deal.physical"))
@click.option(
    "--riffles",
    type=click.IntRange(min=0),
    default=3,
    show_default=True,
    help=text("deal.riffles"),
)
@rules_option
@output_options
def command(
    number: int,
    players: int,
    seed: int | None,
    petit_sec: Literal["cancel", "off"] | None,
    wanted: tuple[str, ...],
    tries: int,
    physical: bool,
    riffles: int,
    rules: Rules | None,
    out: Output,
) -> None:
    """Print random deals."""
    table = (rules or Rules()).with_players(players)
    if petit_sec is not None:
        table = replace(table, petit_sec=petit_sec)
    conditions = [Condition(expression, players) for expression in wanted]
    if seed is None:
        seed = secrets.randbits(_SEED_BITS)
        out.note(text("deal.seed", seed=seed))
    draws = Draws(seed)
    draw: Callable[[], Dealt] = (
        partial(deal_physical, table, draws, riffles=riffles)
        if physical
        else partial(deal_uniform, table, draws)
    )
    records = _records(number, table, draw, conditions, tries, out)
    if out.json and number != 1:
        out.document({"deals": list(records)})
        return
    for record in records:
        out.document(record)


def _records(
    number: int,
    table: Rules,
    draw: Callable[[], Dealt],
    conditions: Sequence[Condition],
    tries: int,
    out: Output,
) -> Iterator[dict[str, Any]]:
    """Yield the records of deals that meet the conditions, then tell how many do."""
    drawn = 0
    for _ in range(number):
        (hands, dog, dealer), count = deal_until(conditions, draw, tries)
        drawn += count
        yield Deal(table.players, dealer, hands, dog, rules=table).to_dict()
    if conditions:
        out.note(text("deal.met", number=number, drawn=drawn))
