"""``tarot-sim chances``: success and expected score of every contract from a hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from tarot_sim.cards import ROIS_MASK, Hand
from tarot_sim.cli.chelems import show_chelems
from tarot_sim.cli.hands import Asked, answer_hands, card_named, sized_hand
from tarot_sim.cli.options import (
    dealer_option,
    hand_argument,
    jobs_option,
    model_option,
    output_options,
    players_option,
    rules_option,
    seed_option,
)
from tarot_sim.cli.output import Output, decimals, signed
from tarot_sim.cli.values import METHOD_NAMES, Count, Decimal, Named
from tarot_sim.messages import text
from tarot_sim.rules import Rules

if TYPE_CHECKING:
    from tarot_sim.estimation.answers import Chances
    from tarot_sim.estimation.reasons import Dogs
    from tarot_sim.rules.table import Bid


@click.command("chances", help=text("chances.help"))
@hand_argument()
@players_option
@click.option("--worlds", type=Count(min=3), help=text("chances.worlds"))
@click.option("--precision", type=Decimal(), help=text("chances.precision"))
@click.option("--time", "seconds", type=Decimal(), help=text("chances.time"))
@click.option("--method", type=Named(METHOD_NAMES), help=text("chances.method"))
@model_option
@dealer_option
@click.option("--auction", metavar="BIDS", help=text("chances.auction"))
@click.option("--call", "called", metavar="CARD", help=text("chances.call"))
@click.option("--plot", type=click.Path(dir_okay=False), help=text("chances.plot"))
@jobs_option
@seed_option()
@rules_option
@output_options
def command(
    words: tuple[str, ...],
    jsonl: bool,
    n_jobs: int,
    plot: str | None,
    rules: Rules | None,
    out: Output,
    **options: Any,
) -> None:
    """Print what a hand is worth."""

    def answer(asked: Asked, threads: int) -> Chances:
        question = dict(asked.options)
        table = (rules or Rules()).with_players(question.pop("players"))
        # A wrong hand is told before numpy is loaded.
        hand = sized_hand(asked.hand, table)
        called = card_named(question.pop("called"))
        if plot is not None:
            from tarot_sim.estimation.plots import check_plot

            check_plot(plot)
        from tarot_sim.estimation.hand_chances import chances

        with _progress(out, silent=jsonl) as progress:
            found = chances(
                hand, rules=table, called=called, progress=progress, n_jobs=threads, **question
            )
        if plot is not None:
            from tarot_sim.estimation.plots import plot_chances, save

            save(plot_chances(found), plot)
        return found

    def show(found: Chances) -> None:
        _show(found, out)

    if jsonl and plot is not None:
        raise click.UsageError("--plot is for one hand, --jsonl for many")
    keys = ("players", "dealer", "auction", "called", "seed")
    answer_hands(words, out, answer, show, options=options, keys=keys, jsonl=jsonl, n_jobs=n_jobs)


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
    if not answer.contracts:
        return
    out.note(
        text(
            "chances.model_table" if answer.model == "table" else "chances.model",
            worlds=answer.worlds,
            forecasts=answer.forecasts,
            seconds=decimals(answer.seconds),
            stopped=text(f"stopped.{answer.stopped}"),
        )
    )


def _show_contracts(answer: Chances, out: Output) -> None:
    if not answer.contracts:
        out.line(text("chances.nothing_left"))
        return
    at_table = answer.model == "table"
    header = (
        text("chances.contract"),
        " " + text("chances.at_table" if at_table else "chances.made"),
        " " + text("chances.interval_short" if at_table else "chances.interval"),
        " " + text("chances.mean"),
        " " + text("chances.error"),
        " " + text("chances.range_short" if at_table else "chances.range"),
        " " + text("chances.open_cards" if at_table else "chances.points"),
    )
    rows = [
        (
            text(f"contract.{contract}"),
            f"{decimals(100 * row.p_make)} %",
            f"{decimals(100 * row.ci95[0])} – {decimals(100 * row.ci95[1])} %",
            signed(round(row.mean_score)),
            f"± {row.error_score:.0f}",
            f"{signed(round(row.score_quantiles[0]))} … {signed(round(row.score_quantiles[-1]))}",
            f"{decimals(100 * row.p_make_double_dummy)} %"
            if at_table
            else decimals(row.mean_points),
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
        if answer.contracts:
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
    """Say what partner and defenders win, and of chelems.

    Without a partner the taker's score says all of the others'.
    """
    best = answer.decision.best
    contract = answer.reasons.contract if best == "pass" else best
    if contract is None:
        return
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
    show_chelems(row, out)


def _show_reasons(answer: Chances, out: Output) -> None:
    reasons = answer.reasons
    out.line(text("chances.holding", trumps=reasons.trumps, bouts=reasons.bouts))
    if answer.players == 4:
        bid = _name_of_bid(reasons.chavey.bid)
        out.line(text("chances.chavey", count=reasons.chavey.total, bid=bid))
    if reasons.splits:
        out.line(text("chances.hangs_on", contract=text(f"contract.{reasons.contract}")))
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
def _progress(out: Output, *, silent: bool) -> Iterator[Callable[[int, int], None] | None]:
    """Show a bar on standard error, on a terminal only."""
    if silent or not out.shows_progress:
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True, no_color=out.no_color)
    with Progress(console=console, transient=True) as bar:
        task = bar.add_task(text("chances.progress"))

        def progress(done: int, planned: int) -> None:
            bar.update(task, completed=done, total=planned)

        yield progress
