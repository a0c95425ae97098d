"""What people are told, in English and French: catalogues that everything shares that speaks.

``en.json`` and ``fr.json`` hold the messages by key, the same keys in the same order. A long
one is a list of its lines, an empty line between two paragraphs. Braces are filled in by
`text`.

JSON, names of options and errors about input (which name fields of the data) are not
translated. The command line speaks one language, chosen before its commands are loaded: by
``--lang``, else ``TAROT_SIM_LANG``, else the locale. What speaks to several people at a time
names the language of each message.
"""

from __future__ import annotations

import json
import pkgutil
from collections.abc import Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Final

LANGUAGES: Final = ("en", "fr")

_language = LANGUAGES[0]


@cache
def catalogue(language: str) -> Mapping[str, str]:
    """Return the messages of a language by key; it is read when it is first asked for.

    Raises
    ------
    ValueError
        If there is no such language.

    Examples
    --------
    >>> catalogue("fr")["camp.defence"]
    'défense'
    """
    if language not in LANGUAGES:
        raise ValueError(f"language: {language!r} is not one of {', '.join(LANGUAGES)}")
    # Not importlib.resources: its import takes ten milliseconds, the whole help sixty.
    data = pkgutil.get_data(__name__, f"{language}.json")
    assert data is not None  # files are what the package is loaded from
    messages: dict[str, str | list[str]] = json.loads(data)
    return MappingProxyType(
        {
            key: message if isinstance(message, str) else "\n".join(message)
            for key, message in messages.items()
        }
    )


def use(language: str) -> None:
    """Let `text` speak `language` from now on."""
    global _language
    _language = language


def language() -> str:
    """Return the language in use."""
    return _language


def text(key: str, /, *, language: str | None = None, **values: object) -> str:
    """Return a message, its braces filled in.

    Parameters
    ----------
    key
        Which message.
    language
        By default the language in use.
    **values
        What its braces name.

    Examples
    --------
    >>> text("score.taker", language="fr", score="+66")
    'preneur +66'
    """
    return catalogue(_language if language is None else language)[key].format(**values)


def preferred(arguments: Sequence[str], environment: Mapping[str, str]) -> str:
    """Return the language that arguments and environment ask for.

    The help is made before options are parsed, so the arguments are searched here; a
    language that is not known is left for the option itself to refuse.

    Examples
    --------
    >>> preferred(["--lang=fr"], {}), preferred([], {"LANG": "fr_FR.UTF-8"}), preferred([], {})
    ('fr', 'fr', 'en')
    """
    for place, argument in enumerate(arguments):
        name, equals, value = argument.partition("=")
        if name == "--lang":
            value = value if equals else "".join(arguments[place + 1 : place + 2])
            if value in LANGUAGES:
                return value
    for variable in ("TAROT_SIM_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        if environment.get(variable):
            return "fr" if environment[variable].lower().startswith("fr") else "en"
    return LANGUAGES[0]
