"""Options and arguments that several commands have, as decorators.

A command is a click command named ``command`` in its module::

    @click.command("perft", help=text("perft.help"))
    @file_argument
    @output_options
    def command(file: str, out: Output) -> None:
        position = read_deal(file).position()
        out.document({"nodes": position.perft(1)})

Errors about input are `TarotError`; the entry point prints them.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from typing import Any, Final, TypeVar

import click

from tarot_sim import messages
from tarot_sim.cli.output import Output, shows_symbols
from tarot_sim.messages import text
from tarot_sim.rules import Rules

RULES: Final = ("default", "fft")

Decorated = TypeVar("Decorated", bound=Callable[..., Any])


def output_options(command: Decorated) -> Decorated:
    """Add ``--json --quiet --no-color --lang``; the command gets ``out``, an `Output`."""

    @functools.wraps(command)
    def with_output(*, as_json: bool, quiet: bool, no_color: bool, **values: Any) -> Any:
        pretty = not no_color and not os.environ.get("NO_COLOR") and shows_symbols()
        return command(out=Output(json=as_json, quiet=quiet, pretty=pretty), **values)

    options = (
        click.option("--json", "as_json", is_flag=True, help=text("option.json")),
        click.option("--quiet", "-q", is_flag=True, help=text("option.quiet")),
        click.option("--no-color", is_flag=True, help=text("option.no_color")),
        lang_option,
    )
    decorated: Any = with_output
    for option in reversed(options):
        decorated = option(decorated)
    return decorated  # type: ignore[no-any-return]  # click's decorators keep the function


def lang_option(command: Decorated) -> Decorated:
    """Add ``--lang``, which takes effect by itself."""
    return click.option(
        "--lang",
        type=click.Choice(messages.LANGUAGES),
        is_eager=True,
        expose_value=False,
        callback=_set_language,
        help=text("option.lang"),
    )(command)


def _set_language(_context: click.Context, _option: click.Parameter, value: str | None) -> None:
    if value is not None:
        messages.use(value)


def file_argument(command: Decorated) -> Decorated:
    """Add the argument FILE, a path or ``-``; the command gets ``file``."""
    return click.argument("file", metavar="FILE")(command)


def jsonl_option(command: Decorated) -> Decorated:
    """Add ``--jsonl``; the command gets ``jsonl`` and hands it to `answer_deals`."""
    return click.option("--jsonl", is_flag=True, help=text("option.jsonl"))(command)


def seed_option(*, default: int | None = 0) -> Callable[[Decorated], Decorated]:
    """Add ``--seed``; the command gets ``seed``.

    Without the option that is 0, so that the same question gets the same answer. ``deal``
    alone has None for its default: it then draws a seed, and tells it.
    """
    return click.option(
        "--seed", type=click.IntRange(min=0), default=default, help=text("option.seed")
    )


def jobs_option(command: Decorated) -> Decorated:
    """Add ``--jobs``; the command gets ``n_jobs``, all cores (-1) by default."""
    return click.option("--jobs", "n_jobs", type=int, default=-1, help=text("option.jobs"))(command)


def dealer_option(command: Decorated) -> Decorated:
    """Add ``--dealer``; the command gets ``dealer``, a seat counted from one's own, or None."""
    return click.option("--dealer", type=int, help=text("option.dealer"))(command)


def players_option(command: Decorated) -> Decorated:
    """Add ``--players``; the command gets ``players``, 4 by default."""
    return click.option(
        "--players",
        type=click.IntRange(3, 5),
        default=4,
        show_default=True,
        help=text("option.players"),
    )(command)


def rules_option(command: Decorated) -> Decorated:
    """Add ``--rules``; the command gets ``rules``, a `Rules` or None.

    The number of players of these rules means nothing: a deal knows its own.
    """

    def named(_context: object, _option: object, value: str | None) -> Rules | None:
        return None if value is None else Rules.named(value)

    return click.option(
        "--rules", type=click.Choice(RULES), callback=named, help=text("option.rules")
    )(command)
