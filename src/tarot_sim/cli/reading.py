"""How deals and hands are read, one or many, and how many are answered line by line."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar

from tarot_sim.errors import RecordError, TarotError, remarks
from tarot_sim.parallel import in_threads_as_they_come

if TYPE_CHECKING:
    from tarot_sim.cli.output import Output
    from tarot_sim.deals.deal import Deal
    from tarot_sim.rules import Rules

Answer = TypeVar("Answer")
#: A line of a file, and its number from 1.
Line = tuple[int, bytes]


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


def read_lines(file: str) -> Iterator[Line]:
    """Yield the lines of a file, or of standard input for ``-``, as soon as they are there.

    Raises
    ------
    InputError
        If it cannot be read.
    """
    with _open(file) as stream:
        try:
            yield from enumerate(stream, 1)
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


# --- many lines -------------------------------------------------------------------------


def answer_lines(
    file: str, out: Output, ask: Callable[[str], Mapping[str, Any]], *, n_jobs: int = 1
) -> None:
    """Answer each line of a file with a JSON document, in order, as soon as it is there.

    A line that is wrong gets a document with its number and the error, and the lines after
    it are answered all the same. Empty lines are skipped.

    Parameters
    ----------
    file
        A path, or ``-``.
    out
        Where the documents go.
    ask
        Returns the document for a line. It is called in several threads.
    n_jobs
        Lines at a time, as joblib counts them.

    Raises
    ------
    InputError
        In the end, if a line was wrong: about the first of them.
    """
    bad, first = 0, ""
    lines = read_lines(file)
    answers = in_threads_as_they_come(n_jobs, lines, lambda line: _answered(line, ask))
    for number, document, faults in answers:
        if faults:
            bad += 1
            first = first or f"line {number}: {faults[0]}"
            document = {"line": number, "error": faults[0]}
            if len(faults) > 1:
                document["faults"] = faults
        if document is not None:
            out.document(document)
    if bad > 1:
        raise InputError(f"{first} (and {bad - 1} more)")
    if bad:
        raise InputError(first)


def _answered(
    line: Line, ask: Callable[[str], Mapping[str, Any]]
) -> tuple[int, Mapping[str, Any] | None, list[str]]:
    """Return a line's number, its answer if it is not empty, all that is wrong with it."""
    number, data = line
    try:
        try:
            text = data.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError:
            raise RecordError("not UTF-8 text") from None
        return number, ask(text) if text.strip() else None, []
    except TarotError as error:
        return number, None, [str(error), *error.more]


# --- deals ------------------------------------------------------------------------------


def read_deals(
    file: str, *, name: str | None = None, rules: Rules | None = None, faulty: bool = False
) -> list[Deal]:
    """Return the deals of a file in the format `name`, by default whichever it is in.

    With `faulty` they are for `replay_with_faults`.
    """
    from tarot_sim.deals import formats
    from tarot_sim.deals.faults import checked_deal, playable_deal

    make = playable_deal if faulty else checked_deal
    return formats.load(read_text(file), name, rules=rules, make=make)


def read_deal(file: str, *, rules: Rules | None = None, faulty: bool = False) -> Deal:
    """Return the only deal of a file.

    Raises
    ------
    InputError
        If the file has several.
    TarotError
        If the deal is wrong.
    """
    deals = read_deals(file, rules=rules, faulty=faulty)
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
    n_jobs: int = 1,
    faulty: bool = False,
) -> None:
    """Answer the deal of a file, or with `jsonl` each line of it by `answer_lines`.

    Parameters
    ----------
    file, out, jsonl, rules, n_jobs
        What the command was given.
    answer
        Works on a deal.
    document
        Turns an answer into its JSON document.
    show
        Prints an answer for people.
    faulty
        Whether deals may be those that were played against the rules, see
        `tarot_sim.deals.faults`.

    Raises
    ------
    TarotError
        If a deal is wrong.
    """
    from tarot_sim.deals import formats
    from tarot_sim.deals.faults import checked_deal, playable_deal

    if jsonl:

        def ask(line: str) -> Mapping[str, Any]:
            make = playable_deal if faulty else checked_deal
            with remarks() as noted:
                deal = formats.load_line(line, rules=rules, make=make)
            return _with_remarks(document(answer(deal)), deal, noted)

        answer_lines(file, out, ask, n_jobs=n_jobs)
        return
    with remarks() as noted:
        deal = read_deal(file, rules=rules, faulty=faulty)
    answered_deal = answer(deal)
    if out.json:
        out.document(_with_remarks(document(answered_deal), deal, noted))
    else:
        show(deal, answered_deal)
        out.house(deal.rules.house)


def _with_remarks(document: Mapping[str, Any], deal: Deal, noted: list[str]) -> Mapping[str, Any]:
    """Return a document that says too what was ignored or assumed, and which house rules hold."""
    more = {"house": deal.rules.house, "remarks": noted}
    return {**document, **{key: value for key, value in more.items() if value}}
