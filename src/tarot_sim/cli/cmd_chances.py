"""``tarot-sim chances``: success and expected score of every contract from a hand."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from tarot_sim.cards import ROIS_MASK, Card, Hand
from tarot_sim.cli.options import (
    dealer_option,
    jobs_option,
    output_options,
    players_option,
    rules_option,
    seed_option,
)
from tarot_sim.cli.output import Output, signed
from tarot_sim.messages import text
from tarot_sim.rules import Rules

if TYPE_CHECKING:
    from tarot_sim.estimation.answers import Chances
    from tarot_sim.estimation.reasons import Dogs
    from tarot_sim.rules import Contract
    from tarot_sim.rules.auction import Bid


@click.command("chances", help=text("chances.help"))
@click.argument("hand", metavar="HAND")
@players_option
@click.option("--worlds", type=click.IntRange(min=1), help=text("chances.worlds"))
@click.option("--precision", type=float, help=text("chances.precision"))
@click.option("--time", "seconds", type=float, help=text("chances.time"))
@click.option(
    "--method", type=click.Choice(["fast", "cascade", "exact"]), help=text("chances.method")
)
@dealer_option
@click.option("--auction", metavar="BIDS", help=text("chances.auction"))
@click.option("--call", "called", metavar="CARD", help=text("chances.call"))
@click.option("--plot", type=click.Path(dir_okay=False), help=text("chances.plot"))
@jobs_option
@seed_option()
@rules_option
@output_options
def command(
    hand: str,
    players: int,
    auction: str | None,
    called: str | None,
    plot: str | None,
    rules: Rules | None,
    out: Output,
    **question: Any,
) -> None:
    """Print what a hand is worth."""
    table = (rules or Rules()).with_players(players)
    # A wrong hand is told before numpy is loaded.
    cards = Hand(hand, size=table.hand_size)
    card = None if called is None else Card.parse(called)
    bids = None if auction is None else _read_bids(auction)

    if plot is not None:
        from tarot_sim.estimation.plots import check_plot

        check_plot(plot)
    from tarot_sim.estimation.hand_chances import chances

    with _progress(out) as progress:
        answer = chances(
            cards, rules=table, auction=bids, called=card, progress=progress, **question
        )
    if plot is not None:
        from tarot_sim.estimation.plots import plot_chances, save

        save(plot_chances(answer), plot)
    if out.json:
        out.document(answer.to_dict())
    else:
        _show(answer, out)


def _read_bids(auction: str) -> list[str]:
    """Return the bids of ``--auction``, as they are written; a comma may end them."""
    bids = auction.strip(" ,")
    return bids.split(",") if bids else []


def _show(answer: Chances, out: Output) -> None:
    out.line(out.hand(answer.hand))
    if answer.called is not None:
        alone = answer.called in answer.hand
        out.line(text("chances.alone" if alone else "chances.called", card=out.card(answer.called)))
    out.line()
    _show_contracts(answer, out)
    out.line()
    _show_decision(answer, out)
    _show_camps(answer, out)
    _show_reasons(answer, out)
    out.note(
        text(
            "chances.model",
            worlds=answer.worlds,
            forecasts=answer.forecasts,
            seconds=f"{answer.seconds:.1f}",
            stopped=text(f"stopped.{answer.stopped}"),
        )
    )


def _show_contracts(answer: Chances, out: Output) -> None:
    header = (
        text("chances.contract"),
        " " + text("chances.made"),
        " " + text("chances.interval"),
        " " + text("chances.mean"),
        " " + text("chances.error"),
        " " + text("chances.range"),
        " " + text("chances.points"),
    )
    rows = [
        (
            text(f"contract.{contract}"),
            f"{100 * row.p_make:.1f} %",
            f"{100 * row.ci95[0]:.1f} – {100 * row.ci95[1]:.1f} %",
            signed(round(row.mean_score)),
            f"± {row.error_score:.0f}",
            f"{signed(round(row.score_quantiles[0]))} … {signed(round(row.score_quantiles[-1]))}",
            f"{row.mean_points:.1f}",
        )
        for contract, row in answer.contracts.items()
    ]
    out.table(header, rows)


def _show_decision(answer: Chances, out: Output) -> None:
    if answer.pass_score is not None:
        out.line(
            text(
                "chances.pass_score",
                score=signed(round(answer.pass_score.mean)),
                error=round(answer.pass_score.se),
            )
        )
    decision = answer.decision
    if decision.best == "pass":
        out.line(text("chances.pass"))
        return
    score = signed(round(answer.contracts[decision.best].mean_score))
    out.line(
        text(
            "chances.bid",
            contract=text(f"contract.{decision.best}"),
            score=score,
            gain=round(decision.gain),
            error=round(decision.error),
            second=_name_of_bid(decision.second),
        )
    )


def _show_camps(answer: Chances, out: Output) -> None:
    """Say what partner and defenders win; without a partner the taker's score says it all."""
    best = answer.decision.best
    contract: Contract = "garde" if best == "pass" else best
    row = answer.contracts[contract]
    if row.mean_partner is not None:
        out.line(
            text(
                "chances.camps",
                contract=text(f"contract.{contract}"),
                partner=signed(round(row.mean_partner)),
                defender=signed(round(row.mean_defender)),
            )
        )


def _show_reasons(answer: Chances, out: Output) -> None:
    reasons = answer.reasons
    out.line(text("chances.holding", trumps=reasons.trumps, bouts=reasons.bouts))
    if answer.players == 4:
        bid = _name_of_bid(reasons.chavey.bid)
        out.line(text("chances.chavey", count=reasons.chavey.total, bid=bid))
    if reasons.splits:
        out.line(text("chances.hangs_on"))
    for reason in reasons.splits:
        out.line(
            "  "
            + text(
                "chances.split",
                what=text(f"reason.{reason.kind}", least=reason.least),
                share=round(100 * reason.share),
                made=round(100 * reason.p_make),
                otherwise=round(100 * reason.p_otherwise),
            )
        )
    if reasons.dogs is not None:
        _show_dogs(reasons.dogs, answer.hand, out)


def _show_dogs(dogs: Dogs, hand: Hand, out: Output) -> None:
    out.line(text("chances.dog_helps", share=round(100 * dogs.helps)))
    rois = (hand.mask & ROIS_MASK).bit_count()
    for which, kind in (("best", dogs.best), ("worst", dogs.worst)):
        # Of what the hand holds already nothing is left to be in the dog.
        brings = [
            text(f"dog_trumps.{kind.trumps}"),
            *([text(f"dog_bouts.{kind.bouts}")] if hand.bouts < 3 else []),
            *([text(f"dog_rois.{kind.rois}")] if rois < 4 else []),
        ]
        out.line(
            text(
                "chances.dog",
                which=text(f"which_dog.{which}"),
                brings=", ".join(brings),
                share=round(100 * kind.share),
                made=round(100 * kind.p_make),
            )
        )


def _name_of_bid(bid: Bid) -> str:
    return text("chances.a_pass" if bid == "pass" else f"contract.{bid}")


@contextmanager
def _progress(out: Output) -> Iterator[Callable[[int, int], None] | None]:
    """Show a bar on standard error, on a terminal only."""
    if out.quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(text("chances.progress"))

        def progress(done: int, planned: int) -> None:
            bar.update(task, completed=done, total=planned)

        yield progress
