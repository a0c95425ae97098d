"""``tarot-sim legal``: the legal cards of the player to move."""

from __future__ import annotations

from typing import Any

import click

from tarot_sim.cards import Card, Hand
from tarot_sim.cli.options import file_argument, jsonl_option, output_options, rules_option
from tarot_sim.cli.output import Output
from tarot_sim.cli.reading import answer_deals
from tarot_sim.deals.deal import Deal
from tarot_sim.messages import text
from tarot_sim.rules import Rules


@click.command("legal", help=text("legal.help"))
@file_argument
@jsonl_option
@rules_option
@output_options
def command(file: str, jsonl: bool, rules: Rules | None, out: Output) -> None:
    """Print the legal cards in the deals of a file."""

    def show(_deal: Deal, answer: dict[str, Any]) -> None:
        _show(out, answer)

    answer_deals(file, out, _legal, jsonl=jsonl, rules=rules, document=dict, show=show)


def _legal(deal: Deal) -> dict[str, Any]:
    position = deal.position()
    seat = position.to_move
    return {
        "player": seat,
        "legal": [card.name for card in position.legal_cards()],
        "hand": None if seat is None else str(position.hand(seat)),
        "trick": [card.name for _, card in position.trick],
    }


def _show(out: Output, answer: dict[str, Any]) -> None:
    if answer["player"] is None:
        out.line(text("legal.over"))
        return
    out.line(text("legal.player", seat=answer["player"]))
    if answer["trick"]:
        table = out.cards(map(Card.parse, answer["trick"]))
        out.line(text("legal.trick", cards=table))
    out.line(text("legal.hand", cards=out.hand(Hand(answer["hand"]))))
    out.line(text("legal.legal", cards=out.hand(Hand(" ".join(answer["legal"])))))
