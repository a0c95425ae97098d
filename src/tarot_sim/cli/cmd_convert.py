"""``tarot-sim convert``: deals from one format to another."""

from __future__ import annotations

import json
from typing import Any

import click

from tarot_sim.cli.options import file_argument, output_options, rules_option
from tarot_sim.cli.output import Output
from tarot_sim.cli.reading import read_deals
from tarot_sim.deals import formats
from tarot_sim.deals.formats import tarotclub
from tarot_sim.messages import text
from tarot_sim.rules import Rules

_NAMES = ("record", "tarotclub", "tagged")


@click.command("convert", help=text("convert.help"))
@file_argument
@click.option("--to", type=click.Choice(_NAMES), required=True, help=text("convert.to"))
@click.option("--from", "source", type=click.Choice(_NAMES), help=text("convert.from"))
@rules_option
@output_options
def command(file: str, to: str, source: str | None, rules: Rules | None, out: Output) -> None:
    """Convert the deals of a file."""
    deals = read_deals(file, name=source, rules=rules)
    if out.json:
        converted: list[Any] = [formats.dump([deal], to) for deal in deals]
        if to != "tagged":
            converted = [json.loads(document) for document in converted]
        out.document({"format": to, "deals": converted})
    else:
        click.echo(formats.dump(deals, to), nl=False)
    if to == "tarotclub":
        for number, deal in enumerate(deals, 1):
            lost = ", ".join(tarotclub.losses(deal))
            if lost:
                out.note(text("convert.lost", number=number, format="TarotClub", fields=lost))
