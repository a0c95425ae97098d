"""What the commands share: options, reading deals, and writing answers.

A command is a click command named ``command`` in its module, with the options below as
decorators::

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
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, BinaryIO, Final, TypeVar

import click

from tarot_sim import messages
from tarot_sim.cards import Card, Hand
from tarot_sim.errors import RecordError, TarotError, field
from tarot_sim.messages import text
from tarot_sim.rules import Rules

if TYPE_CHECKING:
    from tarot_sim.deals.deal import Deal

SCHEMA: Final = 1
PROGRAM: Final = "tarot-sim"
RULES: Final = ("default", "fft")

_RED: Final = "♥♦"

Decorated = TypeVar("Decorated", bound=Callable[..., Any])
Answer = TypeVar("Answer")


class InputError(TarotError):
    """A file that cannot be read, or that holds something else than is asked for."""


@dataclass(frozen=True, slots=True)
class Output:
    """How an answer is written; the parameter ``out`` of every command.

    Attributes
    ----------
    json
        Whether the answer is one JSON document rather than text for people.
    quiet
        Whether notes are left out.
    pretty
        Whether cards have colours and suit symbols: on a terminal that can show them.
    """

    json: bool = False
    quiet: bool = False
    pretty: bool = False

    def document(self, answer: Mapping[str, Any]) -> None:
        """Print one JSON document on one line, ``"schema": 1`` first."""
        rest = {key: value for key, value in answer.items() if key != "schema"}
        click.echo(json.dumps({"schema": SCHEMA, **rest}, allow_nan=False))

    def line(self, line: str = "") -> None:
        """Print a line of an answer for people."""
        click.echo(line, color=self.pretty)

    def note(self, note: str) -> None:
        """Say something about the work on standard error, unless quiet."""
        if not self.quiet:
            click.echo(note, err=True)

    def card(self, card: Card) -> str:
        """Return a card's name, with symbol and colour where they can be shown."""
        return self._coloured(card.pretty) if self.pretty else card.name

    def cards(self, cards: Iterable[Card]) -> str:
        """Return the names of cards in their order."""
        return " ".join(map(self.card, cards))

    def hand(self, hand: Hand) -> str:
        """Return a hand in the project's notation, with symbols where they can be shown."""
        return " ".join(map(self._coloured, hand.pretty.split())) if self.pretty else str(hand)

    def table(self, header: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
        """Print rows under a header, in columns as wide as they need to be.

        A column is set to the right if its header begins with a space.
        """
        cells = [[name.strip() for name in header], *map(list, rows)]
        widths = [max(len(click.unstyle(row[i])) for row in cells) for i in range(len(header))]
        for row in cells:
            padded = [
                " " * gap + cell if name.startswith(" ") else cell + " " * gap
                for cell, name, gap in (
                    (cell, name, width - len(click.unstyle(cell)))
                    for cell, name, width in zip(row, header, widths, strict=True)
                )
            ]
            self.line("  ".join(padded).rstrip())

    @staticmethod
    def _coloured(name: str) -> str:
        return click.style(name, fg="red") if name[0] in _RED else name


def _set_language(_context: click.Context, _option: click.Parameter, value: str | None) -> None:
    if value is not None:
        messages.use(value)


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


def output_options(command: Decorated) -> Decorated:
    """Add ``--json --quiet --no-color --lang``; the command gets ``out``, an `Output`."""

    @functools.wraps(command)
    def with_output(*, as_json: bool, quiet: bool, no_color: bool, **values: Any) -> Any:
        pretty = not no_color and not os.environ.get("NO_COLOR") and _shows_symbols()
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


def file_argument(command: Decorated) -> Decorated:
    """Add the argument FILE, a path or ``-``; the command gets ``file``."""
    return click.argument("file", metavar="FILE")(command)


def jsonl_option(command: Decorated) -> Decorated:
    """Add ``--jsonl``; the command gets ``jsonl`` and hands it to `answer_deals`."""
    return click.option("--jsonl", is_flag=True, help=text("option.jsonl"))(command)


def seed_option(command: Decorated) -> Decorated:
    """Add ``--seed``; the command gets ``seed``, None for fresh entropy."""
    return click.option("--seed", type=click.IntRange(min=0), help=text("option.seed"))(command)


def jobs_option(command: Decorated) -> Decorated:
    """Add ``--jobs``; the command gets ``jobs``, 1 by default, as joblib counts them."""
    return click.option("--jobs", type=int, default=1, help=text("option.jobs"))(command)


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


def read_text(file: str) -> str:
    """Return the text of a file, or of standard input for ``-``.

    Raises
    ------
    InputError
        If it cannot be read, or is not UTF-8.
    """
    with _open(file) as stream:
        try:
            return stream.read().decode("utf-8-sig")
        except UnicodeDecodeError:
            raise InputError(f"{file}: not UTF-8 text") from None
        except OSError as error:
            raise InputError(f"{file}: {error.strerror}") from None


def read_deals(file: str, *, name: str | None = None, rules: Rules | None = None) -> list[Deal]:
    """Return the deals of a file in the format `name`, by default whichever it is in."""
    from tarot_sim.deals import formats

    return formats.load(read_text(file), name, rules=rules)


def read_deal(file: str, *, rules: Rules | None = None) -> Deal:
    """Return the only deal of a file.

    Raises
    ------
    InputError
        If the file has several.
    TarotError
        If the deal is wrong.
    """
    deals = read_deals(file, rules=rules)
    if len(deals) > 1:
        raise InputError(f"{file}: {len(deals)} deals, expected one (--jsonl answers each line)")
    return deals[0]


def answer_deals(
    file: str,
    out: Output,
    answer: Callable[[Deal], Answer],
    *,
    jsonl: bool,
    rules: Rules | None,
    document: Callable[[Answer], Mapping[str, Any]],
    show: Callable[[Deal, Answer], None],
) -> None:
    """Answer the deal of a file, or with `jsonl` each line of it, as soon as it is read.

    Parameters
    ----------
    file, out, jsonl, rules
        What the command was given.
    answer
        Works on a deal.
    document
        Turns an answer into its JSON document.
    show
        Prints an answer for people.

    Raises
    ------
    TarotError
        If a deal is wrong; with `jsonl` the message starts with the line's number, and
        the answers to the lines before it have been printed.
    """
    from tarot_sim.deals.formats.record import iter_lines

    if jsonl:
        for number, deal in iter_lines(_lines(file), rules=rules):
            with field(f"line {number}"):
                answered = document(answer(deal))
            out.document(answered)
        return
    deal = read_deal(file, rules=rules)
    answered_deal = answer(deal)
    if out.json:
        out.document(document(answered_deal))
    else:
        show(deal, answered_deal)


def signed(number: float) -> str:
    """Return a score, or card points with their halves, with its sign.

    Examples
    --------
    >>> signed(66), signed(-40.5), signed(0)
    ('+66', '-40.5', '0')
    """
    return f"{number:+g}" if number else "0"


def _open(file: str) -> AbstractContextManager[BinaryIO]:
    if file == "-":
        return nullcontext(sys.stdin.buffer)
    try:
        return open(file, "rb")
    except (OSError, ValueError) as error:  # ValueError: a null byte in the name
        reason = error.strerror if isinstance(error, OSError) else error
        raise InputError(f"{file}: {reason}") from None


def _lines(file: str) -> Iterator[str]:
    with _open(file) as stream:
        number = 0
        while True:
            number += 1
            try:
                line = stream.readline()
                if not line:
                    return
                yield line.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError:
                raise RecordError(f"line {number}: not UTF-8 text") from None
            except OSError as error:
                raise InputError(f"{file}: {error.strerror}") from None


def _shows_symbols() -> bool:
    """Tell whether standard output is a terminal that can show the suits' symbols."""
    encoding = (getattr(sys.stdout, "encoding", None) or "").lower().replace("-", "")
    return sys.stdout.isatty() and encoding == "utf8"
