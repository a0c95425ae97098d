"""``tarot-sim arena``: duplicate matches between bots."""

from __future__ import annotations

import math
import time
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tarot_sim.cli.options import jobs_option, output_options, players_option, seed_option
from tarot_sim.cli.output import Output, decimals
from tarot_sim.cli.progress import ticking
from tarot_sim.cli.values import Count, Decimal
from tarot_sim.errors import OptionError
from tarot_sim.messages import text
from tarot_sim.rules import Rules

if TYPE_CHECKING:
    from tarot_sim.arena.duplicate import Gain


@click.command("arena", help=text("arena.help"))
@click.argument("bots", nargs=-1, required=True, metavar="BOT BOT…")
@players_option
@click.option(
    "--deals", type=Count(min=1), default=200, show_default=True, help=text("arena.deals")
)
@click.option("--precision", type=Decimal(min=0), help=text("arena.precision"))
@click.option("--out", "folder", type=click.Path(path_type=Path), help=text("arena.out"))
@seed_option()
@jobs_option
@output_options
def command(
    bots: tuple[str, ...],
    players: int,
    deals: int,
    precision: float | None,
    folder: Path | None,
    seed: int,
    n_jobs: int,
    out: Output,
) -> None:
    """Play every pair of bots on the same deals."""
    from tarot_sim.arena.duplicate import Plan, ratings
    from tarot_sim.arena.running import run_round_robin

    if len(bots) < 2:
        raise OptionError("bots: one bot, expected two or more")
    if len(set(bots)) < len(bots):
        raise OptionError("bots: one is named twice")
    rules = Rules(players=players)
    started = time.monotonic()
    done = 0

    def line(seconds: float) -> str:
        return text("arena.progress", deals=done, seconds=decimals(seconds, 0))

    def progress(count: int) -> None:
        nonlocal done
        done = count

    with ticking(line) if out.shows_progress else nullcontext():
        pairs = run_round_robin(
            bots,
            lambda a, b: Plan(a, b, rules, seed),
            deals,
            precision=precision,
            n_jobs=n_jobs,
            folder=folder,
            progress=progress,
        )
    rated = ratings(bots, pairs)
    seconds = time.monotonic() - started
    if out.json:
        out.document(
            {
                "players": players,
                "deals": deals,
                "pairs": [pair.to_dict() for pair in pairs],
                "ratings": [rating.to_dict() for rating in rated],
                "seconds": seconds,
            }
        )
        return
    for pair in pairs:
        out.line(text("arena.pair", a=pair.a, b=pair.b, deals=pair.gain.n, gain=_gain(pair.gain)))
        for role, gain in pair.roles.items():
            out.line("  " + text(f"arena.{role}", gain=_gain(gain), deals=gain.n))
    if len(bots) > 2:
        out.line()
        out.table(
            (text("arena.bot"), " " + text("arena.rating")),
            [(r.bot, f"{_signed(r.mean)} ± {_spread(r.se)}") for r in rated],
        )
    out.note(text("arena.effort", seconds=decimals(seconds)))


def _gain(gain: Gain) -> str:
    return f"{_signed(gain.mean)} ± {_spread(gain.se)}"


def _spread(se: float) -> str:
    return decimals(se) if math.isfinite(se) else "?"


def _signed(number: float) -> str:
    return ("+" if number >= 0 else "−") + decimals(abs(number))
