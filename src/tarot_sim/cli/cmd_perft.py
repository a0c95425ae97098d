"""``tarot-sim perft``: the number of legal sequences of cards from a position."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import click

from tarot_sim.cli.options import file_argument, jsonl_option, output_options, rules_option
from tarot_sim.cli.output import Output
from tarot_sim.cli.reading import answer_deals
from tarot_sim.deals.deal import Deal
from tarot_sim.messages import text
from tarot_sim.rules import Rules

if TYPE_CHECKING:
    from tarot_sim._core import Position

#: Cards that the engine counts at one go: Ctrl-C waits until it has, some hundredths of
#: a second.
_AT_ONE_GO: Final = 5


@click.command("perft", help=text("perft.help"))
@file_argument
@click.option("--depth", type=click.IntRange(min=0), required=True, help=text("perft.depth"))
@jsonl_option
@rules_option
@output_options
def command(file: str, depth: int, jsonl: bool, rules: Rules | None, out: Output) -> None:
    """Count legal sequences in the deals of a file."""

    def count(deal: Deal) -> dict[str, Any]:
        return {"depth": depth, "nodes": _count(deal.position(), depth)}

    def show(_deal: Deal, answer: dict[str, Any]) -> None:
        out.line(text("perft.nodes", **answer))

    answer_deals(file, out, count, jsonl=jsonl, rules=rules, document=dict, show=show)


def _count(position: Position, depth: int) -> int:
    """Return what `Position.perft` does, in pieces."""
    if depth <= _AT_ONE_GO or position.is_over:
        return position.perft(depth)
    nodes = 0
    for card in position.legal_cards():
        position.play(card)
        nodes += _count(position, depth - 1)
        position.undo()
    return nodes
