"""How answers are written: JSON documents, or text and tables for people."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import click

from tarot_sim import messages
from tarot_sim.cards import Card, Hand

SCHEMA: Final = 1

_RED: Final = "♥♦"
_FRENCH_NUMBER: Final = str.maketrans({",": " ", ".": ","})


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
    no_color
        Whether nothing at all may have a colour, on either stream.
    """

    json: bool = False
    quiet: bool = False
    pretty: bool = False
    no_color: bool = False

    @property
    def shows_progress(self) -> bool:
        """Whether work may be shown while it goes on: on a terminal, unless quiet."""
        return not self.quiet and sys.stderr.isatty()

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

    def house(self, rules: Mapping[str, int | str]) -> None:
        """Name the house rules that an answer for people follows, if there are any."""
        if rules:
            named = ", ".join(f"{name}={value}" for name, value in rules.items())
            self.line(messages.text("house.rules", rules=named))

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
        # Not by rich: to load its tables takes 25 ms, a fifth of the time of a replay.
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


def shows_symbols() -> bool:
    """Tell whether standard output is a terminal that can show the suits' symbols."""
    encoding = (getattr(sys.stdout, "encoding", None) or "").lower().replace("-", "")
    return sys.stdout.isatty() and encoding == "utf8"


def plain(number: float) -> str:
    """Return card points with their halves as the language in use writes them.

    Examples
    --------
    >>> plain(41), plain(40.5)
    ('41', '40.5')
    """
    return _localised(str(number))


def signed(number: float) -> str:
    """Return a score, or card points with their halves, with its sign.

    Examples
    --------
    >>> signed(66), signed(-40.5), signed(0)
    ('+66', '-40.5', '0')
    """
    return _localised(f"{number:+g}") if number else "0"


def decimals(number: float, places: int = 1) -> str:
    """Return a number with so many decimals, its thousands apart.

    Examples
    --------
    >>> decimals(99.94), decimals(12345, 0)
    ('99.9', '12,345')
    """
    return _localised(f"{number:,.{places}f}")


def _localised(number: str) -> str:
    """Return a number as the language in use has it: in French with a comma."""
    return number.translate(_FRENCH_NUMBER) if messages.language() == "fr" else number
