"""Errors about input in French: what was raised in English is found again and said anew.

Errors are raised in English, by the library as by the command line, with the values that are
wrong in them. ``errors.fr.json`` has a French twin for each, braces for the values in both:
they are told apart by their words, the one with the most of them first. Values stay as they
are, but for quotes, decimals and what is itself a message; the names of fields before a
message (``plays[3]: ``) stay too. The command line translates at its very end, so that nobody
who raises an error needs to think of it.
"""

from __future__ import annotations

import json
import pkgutil
import re
from functools import cache
from typing import Final, NamedTuple

#: What stands before a message: a field of a record, an option, a tag, a line, a deal.
_FIELD: Final = re.compile(
    r"(?:-{0,2}[A-Za-z_][\w.-]*(?:\[[\d{}]+\])*|\[[\w{}]+\]|\{\}"
    r"|line [\d{}]+|deal [\d{}]+|(?:--)?auction, word [\d{}]+): "
)
_IN_FRENCH: Final = (("line ", "ligne "), ("deal ", "donne "), (", word ", ", mot "))
#: Longer messages are not worth the search.
_MOST_CHARACTERS: Final = 4000
#: How many other lines are wrong, behind the message about the first.
_AND_MORE: Final = re.compile(r"(.*) \(and (\d+) more\)", re.DOTALL)
_QUOTED: Final = re.compile(r"'([^']*)'|\"([^\"]*)\"")
_LIST_OF_QUOTED: Final = re.compile(r"'[^']*'(?:, '[^']*')+")
_NUMBER: Final = re.compile(r"[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?|[+-]?\d+\.\d+")
_IN_NUMBERS: Final = str.maketrans({",": " ", ".": ","})


class _Twin(NamedTuple):
    """A message in both languages."""

    pieces: tuple[str, ...]
    french: str

    def values_in(self, message: str) -> tuple[str, ...] | None:
        """Return the values of a message that is this one, None if it is another."""
        if any(piece not in message for piece in self.pieces):
            return None
        match = _pattern(self.pieces).fullmatch(message)
        return None if match is None else match.groups()


def translated(message: str, language: str) -> str:
    """Return an error's message in `language`; what has no twin stays as it is.

    Examples
    --------
    >>> translated("hands: 3 hands, expected 4", "fr")
    'hands : 3 mains, il en faut 4'
    >>> translated("contract: 'belote' is not one of prise, garde", "fr")
    "contract : « belote » n'est pas un nom connu ; il y a : prise, garde"
    """
    if language != "fr":
        return message
    counted = _AND_MORE.fullmatch(message)
    if counted is not None:
        return f"{translated(counted[1], language)} (et {counted[2]} de plus)"
    fields, rest = without_fields(message)
    for strict in (True, False):
        said = _said(rest, strict)
        if said is not None:
            return _fields_in_french(fields) + said
        # A file's name may be anything, colons and spaces included.
        for split in re.finditer(": ", rest):
            said = _said(rest[split.end() :], strict)
            if said is not None:
                return _fields_in_french(fields) + rest[: split.start()] + " : " + said
    return message


def without_fields(message: str) -> tuple[str, str]:
    """Return the names of fields before a message, and the message.

    Examples
    --------
    >>> without_fields("line 3: hands[1]: 17 cards, expected 18")
    ('line 3: hands[1]: ', '17 cards, expected 18')
    """
    place = 0
    while (match := _FIELD.match(message, place)) is not None:
        place = match.end()
    return message[:place], message[place:]


def _fields_in_french(fields: str) -> str:
    for english, french in _IN_FRENCH:
        fields = fields.replace(english, french)
    return fields.replace(": ", " : ")


def _said(message: str, strict: bool) -> str | None:
    """Return a message without fields in French, None if it is not known.

    A value with a colon is rather the beginning of another message: with `strict` it has to be
    one that is known.
    """
    if len(message) > _MOST_CHARACTERS:
        return None
    for twin in _twins():
        values = twin.values_in(message)
        if values is None:
            continue
        said = [_value(value) for value in values]
        known = all(new != old or ": " not in old for new, old in zip(said, values, strict=True))
        if known or not strict:
            return twin.french.format(*said)
    return None


def _value(value: str) -> str:
    """Return a value as it stands in a French sentence."""
    if _LIST_OF_QUOTED.fullmatch(value):
        return value.replace("'", "")
    quoted = _QUOTED.fullmatch(value)
    if quoted is not None:
        return f"« {quoted[1] if quoted[2] is None else quoted[2]} »"
    if _NUMBER.fullmatch(value):
        return value.translate(_IN_NUMBERS)
    # What was wrong with one part is often said inside of another message.
    return translated(value, "fr") if " " in value else value


@cache
def _twins() -> tuple[_Twin, ...]:
    """Return all messages, those with the most words of their own first."""
    data = pkgutil.get_data(__name__, "errors.fr.json")
    assert data is not None  # files are what the package is loaded from
    groups: dict[str, dict[str, str]] = json.loads(data)
    twins = [
        _Twin(tuple(english.split("{}")), french)
        for group in groups.values()
        for english, french in group.items()
    ]
    return tuple(sorted(twins, key=lambda twin: -sum(map(len, twin.pieces))))


@cache
def _pattern(pieces: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("(.*?)".join(map(re.escape, pieces)), re.DOTALL)
