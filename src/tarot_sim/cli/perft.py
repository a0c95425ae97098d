"""``tarot-sim perft``: the number of legal sequences of cards from a position."""

from __future__ import annotations

from typing import Any

import click

from tarot_sim.cli.common import (
    Output,
    answer_deals,
    file_argument,
    jsonl_option,
    output_options,
    rules_option,
)
from tarot_sim.cli.messages import text
from tarot_sim.deal import Deal
from tarot_sim.rules import Rules


@click.command("perft", help=text("perft.help"))
@file_argument
@click.option("--depth", type=click.IntRange(min=0), required=True, help=text("perft.depth"))
@jsonl_option
@rules_option
@output_options
def command(file: str, depth: int, jsonl: bool, rules: Rules | None, out: Output) -> None:
    """Count legal sequences in the deals of a file."""

    def count(deal: Deal) -> dict[str, Any]:
        return {"depth": depth, "nodes": deal.position().perft(depth)}

    def show(_deal: Deal, answer: dict[str, Any]) -> None:
        out.line(text("perft.nodes", **answer))

    answer_deals(file, out, count, jsonl=jsonl, rules=rules, document=dict, show=show)
