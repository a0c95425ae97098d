"""The values of options as they may be written: names in words, a comma, ``1e6``."""

from __future__ import annotations

import re
from typing import Any, Final

import click

from tarot_sim.rules.names import Names

#: What is named on the command line only; the names of the game are in `rules.names`.
FORMAT_NAMES: Final = Names({"record": "json", "tarotclub": "tarot club", "tagged": "etiquettes"})
METHOD_NAMES: Final = Names({"fast": "rapide", "cascade": "", "exact": "exacte"})
MODEL_NAMES: Final = Names(
    {
        "table": "a la table",
        "double_dummy": "jeu ouvert, open cards, cartes decouvertes, a decouvert",
    }
)
OBJECTIVE_NAMES: Final = Names(
    {"points": "", "margin": "ecart, marge, ecart contrat", "score": "marque"}
)
PETIT_SEC_NAMES: Final = Names({"cancel": "annuler, annule, annulee", "off": "jouer, joue, jouee"})
HALF_POINTS_NAMES: Final = Names({"up": "haut, superieur", "down": "bas, inferieur"})
HOUSE_NAMES: Final = Names(
    {
        "poignee_bonus": "poignees, primes poignees, prime poignee",
        "poignee_sizes": "tailles poignees, taille poignee, atouts poignees",
        "half_points": "demi points, demis points, demis",
        "rounding": "arrondi, arrondir",
        "misere": "miseres",
        "pousse": "push",
    }
)
RULES_NAMES: Final = Names({"default": "defaut, maison", "fft": ""})

#: More zeros than anything can be counted to.
_MOST_ZEROS: Final = 18
_SCIENTIFIC: Final = re.compile(r"([+-]?[0-9]{1,18})(?:[.,]([0-9]{1,18}))?[eE]\+?([0-9]{1,2})")


class Named(click.Choice):  # type: ignore[type-arg]  # not generic in the oldest click
    """A choice among names, which may be written in any of their words."""

    def __init__(self, names: Names[Any]) -> None:
        super().__init__(names.names)
        self._names = names

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the name that a word means."""
        return super().convert(self._names.get(value), param, ctx)


class Decimal(click.FloatRange):
    """A number with a point or a comma."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number."""
        if isinstance(value, str):
            value = value.replace(",", ".")
        return super().convert(value, param, ctx)

    def _describe_range(self) -> str:
        """Return what the help says of the limits: nothing where there are none."""
        return super()._describe_range() if self.min is not None or self.max is not None else ""


class Count(click.IntRange):
    """An integer, which may be written ``1e6`` if it is one."""

    name = "integer"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the integer."""
        match = _SCIENTIFIC.fullmatch(value.strip()) if isinstance(value, str) else None
        if match is not None:
            whole, decimals, exponent = match[1], (match[2] or "").rstrip("0"), int(match[3])
            if len(decimals) <= exponent <= _MOST_ZEROS:
                value = whole + decimals + "0" * (exponent - len(decimals))
        return super().convert(value, param, ctx)

    def _describe_range(self) -> str:
        """Return what the help says of the limits: nothing where there are none."""
        return super()._describe_range() if self.min is not None or self.max is not None else ""
