"""The project's own record: one JSON object a deal, JSON Lines for many.

The object is described at `Deal.from_dict`. A text may hold one object over several
lines, one object a line, or one array of objects.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, Protocol

from tarot_sim.deals.deal import Deal
from tarot_sim.errors import RecordError, TarotError, named
from tarot_sim.rules import Rules

#: What an error shows of a key at most.
_MOST_SHOWN: Final = 40


class MakeDeal(Protocol):
    """A function that makes a deal of a record."""

    def __call__(self, data: Mapping[str, Any], *, rules: Rules | None = None) -> Deal:
        """Return the deal."""
        ...


def recognises(text: str) -> bool:
    """Tell whether a text can be records: whether it is JSON by its first character."""
    return text.lstrip()[:1] in ("{", "[")


def loads(text: str, *, rules: Rules | None = None, make: MakeDeal = Deal.from_dict) -> list[Deal]:
    """Return the deals of a text.

    Raises
    ------
    RecordError
        If it is not JSON, or holds no deal.
    TarotError
        If a deal is wrong; where there are several the message starts with its line
        or its place in the array.

    Examples
    --------
    >>> loads(dumps([Deal.random(rng=1)]))[0].players
    4
    """
    try:
        value = parse_json(text)
    except RecordError:
        # Not one document. Where there are several lines, each may be one.
        if len(text.strip().splitlines()) < 2 or not _is_document(first_line(text)):
            raise
        return [deal for _, deal in iter_lines(text.splitlines(), rules=rules, make=make)]
    if isinstance(value, list):
        deals = []
        for place, item in enumerate(value):
            try:
                deals.append(make(item, rules=rules))
            except TarotError as error:
                raise named(f"deal {place}", error) from None
        if not deals:
            raise RecordError("record: the array holds no deal")
        return deals
    return [make(value, rules=rules)]


def iter_lines(
    lines: Iterable[str], *, rules: Rules | None = None, make: MakeDeal = Deal.from_dict
) -> Iterator[tuple[int, Deal]]:
    """Yield the line number, from 1, and the deal of each line of JSON Lines.

    Empty lines are skipped.

    Raises
    ------
    TarotError
        At the line that is wrong; the message starts with ``line 3: ``.
    """
    for number, line in enumerate(lines, 1):
        if line.isspace() or not line:
            continue
        try:
            deal = make(parse_json(line), rules=rules)
        except TarotError as error:
            raise named(f"line {number}", error) from None
        yield number, deal


def dumps(deals: Iterable[Deal]) -> str:
    """Return the deals as JSON Lines, one object a line."""
    return "".join(json.dumps(deal.to_dict(), ensure_ascii=False) + "\n" for deal in deals)


def parse_json(text: str) -> Any:
    """Return the value of one JSON document; a key that comes twice is refused.

    Raises
    ------
    RecordError
        If the text is not JSON; one line that says where it ends to be.
    """
    try:
        return json.loads(text, object_pairs_hook=_object, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        if not text.strip():
            raise RecordError("record: empty, expected JSON") from None
        line = f"line {error.lineno}, " if "\n" in text.strip() else ""
        raise RecordError(f"record: not JSON at {line}column {error.colno}: {error.msg}") from None
    except RecursionError:
        raise RecordError("record: nested too deeply") from None
    except RecordError:
        raise
    except ValueError:  # an integer of more digits than Python converts
        raise RecordError("record: a number is too long") from None


def first_line(text: str) -> str:
    """Return the first line of a text that is not empty."""
    return text.lstrip().partition("\n")[0]


def _is_document(line: str) -> bool:
    try:
        parse_json(line)
    except RecordError:
        return False
    return True


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        counts = Counter(name for name, _ in pairs)
        twice = next(name for name, count in counts.items() if count > 1)
        raise RecordError(f"{twice[:_MOST_SHOWN]}: comes twice in one object")
    return found


def _no_constant(name: str) -> None:
    raise RecordError(f"record: {name} is no number of JSON")
