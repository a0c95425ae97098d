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
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final, TypeVar

import click

from tarot_sim import messages
from tarot_sim.cli.output import Output, shows_symbols
from tarot_sim.cli.values import (
    HALF_POINTS_NAMES,
    HOUSE_NAMES,
    MODEL_NAMES,
    RULES_NAMES,
    Count,
    Named,
)
from tarot_sim.errors import OptionError, RulesError, TarotError, field
from tarot_sim.messages import text
from tarot_sim.rules import Rules
from tarot_sim.rules.table import HOUSE

Decorated = TypeVar("Decorated", bound=Callable[..., Any])


def in_option_names(error: TarotError, command: click.Command) -> TarotError:
    """Return an error about an argument of the library as one about the command's option.

    The parameters of a command have the names of the arguments that they are handed to:
    ``seconds: …`` is told of ``--time``. Where deals are read, what is wrong with one of
    their fields is not about an option, though it may have its name.
    """
    options = {name: param.opts[-1] for param in command.params for name in _names_of(param)}
    reads_deals = any(param.name == "file" and param.required for param in command.params)
    match = re.match(r"(\w+)(?=: |, word )", str(error))
    if match is None or match[1] not in options:
        return error
    if reads_deals and not isinstance(error, OptionError):
        return error
    return type(error)(options[match[1]] + str(error)[match.end() :])


def _names_of(param: click.Parameter) -> list[str]:
    """Return how the library may call what a parameter is for."""
    if not isinstance(param, click.Option):
        return []
    flags = [flag.lstrip("-").replace("-", "_") for flag in param.opts]
    return [*flags, *filter(None, [param.name])]


#: Options whose cards need no quotes, where they are written in groups.
_CARDS_OPTIONS: Final = ("--hand", "--dog", "--cards", "--ecart")


class CardsCommand(click.Command):
    """A command with options for cards, which need no quotes: ``--dog A:3 P:2 C:7``.

    The words behind such an option belong to it, up to the next option. One with a space in
    it was in quotes: it stands for itself, and so do those behind it.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Join the words of such options, then parse as ever."""
        joined: list[str] = []
        open_option = False
        for word in args:
            if open_option and joined[-1] not in _CARDS_OPTIONS:
                if _is_group(word):
                    joined[-1] += f" {word}"
                    continue
                open_option = False
            elif open_option:
                open_option = _is_group(word)
            if word in _CARDS_OPTIONS:
                open_option = True
            joined.append(word)
        return super().parse_args(ctx, joined)


def _is_group(word: str) -> bool:
    """Tell whether a word may be cards without quotes."""
    return not word.startswith("-") and not any(map(str.isspace, word))


def output_options(command: Decorated) -> Decorated:
    """Add ``--json --quiet --no-color --lang``; the command gets ``out``, an `Output`."""

    @functools.wraps(command)
    def with_output(*, as_json: bool, quiet: bool, no_color: bool, **values: Any) -> Any:
        plain = no_color or bool(os.environ.get("NO_COLOR"))
        pretty = not plain and shows_symbols()
        out = Output(json=as_json, quiet=quiet, pretty=pretty, no_color=plain)
        return command(out=out, **values)

    options = (
        click.option("--json", "as_json", is_flag=True, help=text("option.json")),
        click.option("--quiet", "-q", is_flag=True, help=text("option.quiet")),
        click.option("--no-color", is_flag=True, help=text("option.no_color")),
        lang_option,
        help_option,
    )
    decorated: Any = with_output
    for option in reversed(options):
        decorated = option(decorated)
    return decorated  # type: ignore[no-any-return]  # click's decorators keep the function


def help_option(command: Decorated) -> Decorated:
    """Add ``--help`` in the language in use; click's own speaks English."""
    return click.help_option("-h", "--help", help=text("option.help"))(command)


def lang_option(command: Decorated) -> Decorated:
    """Add ``--lang``, which takes effect by itself."""
    return click.option(
        "--lang",
        type=click.Choice(messages.LANGUAGES, case_sensitive=False),
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


def hand_argument(*, metavar: str = "HAND") -> Callable[[Decorated], Decorated]:
    """Add the argument HAND, whose groups need no quotes, and ``--jsonl`` for a file of hands.

    The command gets ``words`` and ``jsonl`` and hands them to `answer_hands`.
    """

    def decorated(command: Decorated) -> Decorated:
        option = click.option("--jsonl", is_flag=True, help=text("option.jsonl_hands"))
        return click.argument("words", nargs=-1, metavar=metavar)(option(command))

    return decorated


def jsonl_option(command: Decorated) -> Decorated:
    """Add ``--jsonl``; the command gets ``jsonl`` and hands it to `answer_deals`."""
    return click.option("--jsonl", is_flag=True, help=text("option.jsonl"))(command)


def seed_option(*, default: int | None = 0) -> Callable[[Decorated], Decorated]:
    """Add ``--seed``; the command gets ``seed``.

    Without the option that is 0, so that the same question gets the same answer. ``deal``
    and ``play`` have None for their default: they then draw a seed, and tell it.
    """
    return click.option("--seed", type=Count(min=0), default=default, help=text("option.seed"))


def jobs_option(command: Decorated) -> Decorated:
    """Add ``--jobs``; the command gets ``n_jobs``, all cores (-1) by default."""

    def checked(_context: object, _option: object, value: int) -> int:
        if value == 0:
            raise click.BadParameter("0 is neither a number of jobs nor -1 for all cores")
        return value

    return click.option(
        "--jobs",
        "n_jobs",
        type=Count(),
        default=-1,
        callback=checked,
        help=text("option.jobs"),
    )(command)


def dealer_option(command: Decorated) -> Decorated:
    """Add ``--dealer``; the command gets ``dealer``, a seat counted from one's own, or None."""
    return click.option("--dealer", type=Count(), help=text("option.dealer"))(command)


def model_option(command: Decorated) -> Decorated:
    """Add ``--model``; the command gets ``model``, double dummy by default."""
    return click.option(
        "--model", type=Named(MODEL_NAMES), default="double_dummy", help=text("chances.whose")
    )(command)


def players_option(command: Decorated) -> Decorated:
    """Add ``--players``; the command gets ``players``, 4 by default."""
    return click.option(
        "--players",
        type=Count(3, 5),
        default=4,
        show_default=True,
        help=text("option.players"),
    )(command)


def rules_option(command: Decorated) -> Decorated:
    """Add ``--rules`` and ``--house``; the command gets ``rules``, a `Rules` or None.

    The number of players of these rules means nothing: a deal knows its own.
    """

    @functools.wraps(command)
    def with_rules(*, rules: str | None, house: tuple[str, ...], **values: Any) -> Any:
        found = None if rules is None else Rules.named(rules)
        options = dict(map(_house_rule, house))
        if options:
            if rules == "fft":
                raise RulesError(
                    f"house: the preset fft has no house rules, {next(iter(options))} is one"
                )
            with field("house"):
                found = replace(found or Rules(), **options)
        return command(rules=found, **values)

    names = ", ".join(HOUSE)
    decorated: Any = click.option(
        "--house", metavar="NAME[=VALUE]", multiple=True, help=text("option.house", names=names)
    )(with_rules)
    decorated = click.option("--rules", type=Named(RULES_NAMES), help=text("option.rules"))(
        decorated
    )
    return decorated  # type: ignore[no-any-return]  # click's decorators keep the function


def _house_rule(word: str) -> tuple[str, Any]:
    """Return the name and the value of a house rule, written ``name=value`` or its name alone."""
    written, equals, value = word.partition("=")
    name = HOUSE_NAMES.find(written)
    if name is None:
        raise RulesError(f"house: {written!r} is not one of {', '.join(HOUSE)}")
    if not equals:
        return name, HOUSE[name]
    return name, HALF_POINTS_NAMES.get(value.strip())
