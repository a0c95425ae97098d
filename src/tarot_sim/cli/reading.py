"""How deals are read from files, and answered one by one."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar

from tarot_sim.errors import RecordError, TarotError, field

if TYPE_CHECKING:
    from tarot_sim.cli.output import Output
    from tarot_sim.deals.deal import Deal
    from tarot_sim.rules import Rules

Answer = TypeVar("Answer")


class InputError(TarotError):
    """A file that cannot be read, or that holds something else than is asked for."""


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


def read_lines(file: str) -> Iterator[str]:
    """Yield the lines of a file, or of standard input for ``-``, as soon as they are there.

    Raises
    ------
    InputError
        If it cannot be read.
    RecordError
        At a line that is not UTF-8.
    """
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


def _open(file: str) -> AbstractContextManager[BinaryIO]:
    if file == "-":
        return nullcontext(sys.stdin.buffer)
    try:
        return open(file, "rb")
    except (OSError, ValueError) as error:  # ValueError: a null byte in the name
        reason = error.strerror if isinstance(error, OSError) else error
        raise InputError(f"{file}: {reason}") from None


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
        for number, deal in iter_lines(read_lines(file), rules=rules):
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
