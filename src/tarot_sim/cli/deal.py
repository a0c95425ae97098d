"""``tarot-sim deal``: random deals as records."""

from __future__ import annotations

import secrets
from dataclasses import replace
from typing import Literal

import click

from tarot_sim.cli.common import (
    Output,
    output_options,
    players_option,
    rules_option,
    seed_option,
)
from tarot_sim.cli.messages import text
from tarot_sim.deal import Deal
from tarot_sim.dealing import Draws
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
@seed_option
@click.option(
    "--petit-sec",
    type=click.Choice(("cancel", "off")),
    default=None,
    help=text("deal.petit_sec"),
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
    physical: bool,
    riffles: int,
    rules: Rules | None,
    out: Output,
) -> None:
    """Print random deals."""
    table = (rules or Rules()).with_players(players)
    if petit_sec is not None:
        table = replace(table, petit_sec=petit_sec)
    if seed is None:
        seed = secrets.randbits(_SEED_BITS)
        out.note(text("deal.seed", seed=seed))
    draws = Draws(seed)
    records = (
        (
            Deal.physical(rng=draws, rules=table, riffles=riffles)
            if physical
            else Deal.random(rng=draws, rules=table)
        ).to_dict()
        for _ in range(number)
    )
    if out.json and number != 1:
        out.document({"deals": list(records)})
        return
    for record in records:
        out.document(record)
