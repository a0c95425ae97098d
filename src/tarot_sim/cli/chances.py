"""``tarot-sim chances``: success and expected score of every contract from a hand."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import click

from tarot_sim.cards import Card, Hand
from tarot_sim.cli.common import (
    Output,
    output_options,
    players_option,
    rules_option,
    seed_option,
    signed,
)
from tarot_sim.cli.messages import text
from tarot_sim.rules import Rules

if TYPE_CHECKING:
    from tarot_sim.chances import Chances

_NAMES: Final = {
    "prise": "Prise",
    "garde": "Garde",
    "garde_sans": "Garde sans",
    "garde_contre": "Garde contre",
}


@click.command("chances", help=text("chances.help"))
@click.argument("hand", metavar="HAND")
@players_option
@click.option("--worlds", type=click.IntRange(min=1), help=text("chances.worlds"))
@click.option("--precision", type=float, help=text("chances.precision"))
@click.option("--time", "seconds", type=float, help=text("chances.time"))
@click.option("--method", type=click.Choice(["fast", "cascade"]), help=text("chances.method"))
@click.option("--dealer", type=int, help=text("chances.dealer"))
@click.option("--call", "called", metavar="CARD", help=text("chances.call"))
@click.option("--jobs", type=int, default=-1, help=text("option.jobs"))
@seed_option
@rules_option
@output_options
def command(
    hand: str,
    players: int,
    worlds: int | None,
    precision: float | None,
    seconds: float | None,
    method: Any,
    dealer: int | None,
    called: str | None,
    jobs: int,
    seed: int | None,
    rules: Rules | None,
    out: Output,
) -> None:
    """Print what a hand is worth."""
    table = (rules or Rules()).with_players(players)
    # A wrong hand is told before numpy is loaded.
    cards = Hand(hand, size=table.hand_size)
    card = None if called is None else Card.parse(called)

    from tarot_sim.chances import DEFAULT_WORLDS, MOST_WORLDS, chances

    if worlds is None:
        worlds = DEFAULT_WORLDS if precision is None and seconds is None else MOST_WORLDS
    with _progress(out) as progress:
        answer = chances(
            cards,
            rules=table,
            worlds=worlds,
            precision=precision,
            seconds=seconds,
            method=method or "cascade",
            dealer=dealer,
            called=card,
            seed=seed or 0,
            n_jobs=jobs,
            progress=progress,
        )
    if out.json:
        out.document(answer.to_dict())
    else:
        _show(answer, out)


def _show(answer: Chances, out: Output) -> None:
    out.line(out.hand(answer.hand))
    if answer.called is not None:
        alone = answer.called in answer.hand
        out.line(text("chances.alone" if alone else "chances.called", card=out.card(answer.called)))
    out.line()
    header = (
        text("chances.contract"),
        " " + text("chances.made"),
        " " + text("chances.interval"),
        " " + text("chances.mean"),
        " " + text("chances.error"),
        " " + text("chances.points"),
    )
    rows = [
        (
            _NAMES[contract],
            f"{100 * row.p_make:.1f} %",
            f"{100 * row.ci95[0]:.1f} – {100 * row.ci95[1]:.1f} %",
            signed(round(row.mean_score)),
            f"± {row.se_score:.0f}",
            f"{row.mean_points:.1f}",
        )
        for contract, row in answer.contracts.items()
    ]
    out.table(header, rows)
    out.line()
    if answer.advice == "pass":
        out.line(text("chances.pass"))
    else:
        score = signed(round(answer.contracts[answer.advice].mean_score))
        out.line(text("chances.bid", contract=_NAMES[answer.advice], score=score))
    out.note(text("chances.model", worlds=answer.worlds, seconds=f"{answer.seconds:.1f}"))


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
