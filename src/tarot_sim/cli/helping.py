"""Help in the language in use: what click says by itself, which it says in English only."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

import click

from tarot_sim import messages
from tarot_sim.messages import text

#: What values are called, in French.
_METAVARS: Final = {
    "INTEGER": "ENTIER",
    "NUMBER": "NOMBRE",
    "TEXT": "TEXTE",
    "FILE": "FICHIER",
    "CARD": "CARTE",
    "CARDS": "CARTES",
    "BIDS": "ENCHÈRES",
    "HAND": "MAIN",
    "DOG": "CHIEN",
    "NAME": "NOM",
    "VALUE": "VALEUR",
}
_METAVAR: Final = re.compile(rf"\b({'|'.join(sorted(_METAVARS, key=len, reverse=True))})\b")
#: What click writes behind the help of an option, in brackets.
_EXTRA: Final = re.compile(r"(?<=  )\[([^\[\]]*)\]$")


class _Formatter(click.HelpFormatter):
    """A formatter that says in French what click says in English."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """Write the line of the usage."""
        args = args.replace("[OPTIONS]", text("help.option_list"))
        args = args.replace("COMMAND [ARGS]...", text("help.command"))
        super().write_usage(prog, _in_french(args), text("help.usage"))

    def write_heading(self, heading: str) -> None:
        """Write a heading."""
        super().write_heading(text("help.options") if heading == "Options" else heading)

    def write_dl(
        self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2
    ) -> None:
        """Write options, or commands, with what is said of each."""
        said = [(_in_french(name), _extra_in_french(what)) for name, what in rows]
        super().write_dl(said, col_max, col_spacing)


class HelpContext(click.Context):
    """The context of every command."""

    formatter_class = _Formatter


def _in_french(names: str) -> str:
    """Return names of options with those of their values."""
    if messages.language() != "fr":
        return names
    return _METAVAR.sub(lambda match: _METAVARS[match[1]], names)


def _extra_in_french(what: str) -> str:
    if messages.language() != "fr":
        return what
    return _EXTRA.sub(lambda match: f"[{' ; '.join(map(_part, match[1].split('; ')))}]", what)


def _part(part: str) -> str:
    name, _, value = part.partition(": ")
    if name == "default":
        return text("help.default", value=value)
    return text("help.required") if part == "required" else part
