"""``tarot-sim replay``: a record played through the rules and settled."""

from __future__ import annotations

import click

from tarot_sim import messages
from tarot_sim.cli.options import file_argument, jsonl_option, output_options, rules_option
from tarot_sim.cli.output import Output, plain, signed
from tarot_sim.cli.reading import answer_deals
from tarot_sim.deals.deal import Deal
from tarot_sim.deals.replaying import Replay, replay
from tarot_sim.messages import text
from tarot_sim.messages.errors import translated
from tarot_sim.rules import Rules
from tarot_sim.rules.scoring import card_points


@click.command("replay", help=text("replay.help"))
@file_argument
@click.option("--faults", "faulty", is_flag=True, help=text("replay.faults"))
@jsonl_option
@rules_option
@output_options
def command(file: str, faulty: bool, jsonl: bool, rules: Rules | None, out: Output) -> None:
    """Replay the deals of a file."""
    from tarot_sim.deals.faults import FaultyReplay, replay_with_faults

    def show(deal: Deal, answer: Replay) -> None:
        _show(out, deal, answer)

    def show_faulty(deal: Deal, answer: FaultyReplay) -> None:
        _show(out, deal, answer.replay)
        out.line(text("replay.fault" if answer.faults else "replay.no_fault"))
        for fault in answer.faults:
            out.line("  " + translated(fault, messages.language()))

    if faulty:
        answer_deals(
            file,
            out,
            replay_with_faults,
            jsonl=jsonl,
            rules=rules,
            document=FaultyReplay.to_dict,
            show=show_faulty,
            faulty=True,
        )
        return
    answer_deals(file, out, replay, jsonl=jsonl, rules=rules, document=Replay.to_dict, show=show)


def _show(out: Output, deal: Deal, answer: Replay) -> None:
    out.line(_heading(out, deal))
    for poignee in deal.poignees:
        out.line(text("replay.poignee", seat=poignee.seat, level=poignee.level))
    for misere in deal.miseres:
        out.line(text("replay.misere", seat=misere.seat, kind=text(f"misere.{misere.kind}")))
    rows = [
        [
            str(number),
            str(trick.leader),
            out.cards(trick.cards),
            "" if trick.winner is None else str(trick.winner),
        ]
        for number, trick in enumerate(answer.tricks, 1)
    ]
    header = [" " + text("replay.trick"), " " + text("replay.leader")]
    out.table([*header, text("replay.cards"), " " + text("replay.winner")], rows)
    attack, defence = (
        plain(card_points(half_points))
        for half_points in (answer.attack_half_points, answer.defence_half_points)
    )
    out.line(text("replay.points", attack=attack, defence=defence))
    if answer.is_over:
        _show_result(out, answer)
    else:
        out.line(text("replay.open"))


def _heading(out: Output, deal: Deal) -> str:
    if deal.taker is None:
        names = [text("bid.pass" if bid == "pass" else f"contract.{bid}") for bid in deal.auction]
        return text("replay.auction", bids=", ".join(names))
    if deal.contract is None:
        heading = text("replay.no_contract", taker=deal.taker)
    else:
        name = text(f"contract.{deal.contract}")
        heading = text("replay.contract", contract=name, taker=deal.taker)
    if deal.called is None:
        return heading
    card = out.card(deal.called)
    if deal.associate is None:
        return heading + text("replay.alone", card=card)
    return heading + text("replay.called", card=card, seat=deal.associate)


def _show_result(out: Output, answer: Replay) -> None:
    if answer.petit_au_bout is not None:
        out.line(text("replay.petit", camp=text(f"camp.{answer.petit_au_bout}")))
    if answer.chelem is not None:
        out.line(text("replay.chelem", chelem=text(f"chelem.{answer.chelem}")))
    if answer.score is None or answer.scores is None:
        return
    key = "replay.made" if answer.made else "replay.failed"
    score = answer.score
    out.line(text(key, bouts=answer.bouts, target=score.target, difference=score.difference))
    seats = [f" {seat}" for seat in range(len(answer.scores))]
    out.table(
        [text("replay.seat"), *seats],
        [[text("replay.score"), *map(signed, answer.scores)]],
    )
