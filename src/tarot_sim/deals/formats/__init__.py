"""Files of deals: the project's own record, TarotClub's JSON, tagged text.

A format is a module with `loads` (text to deals), `dumps` (deals to text) and
`recognises`; `load` and `dump` choose among them.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import ModuleType
from typing import Final, cast

from tarot_sim.deals.deal import Deal
from tarot_sim.deals.formats import record, tagged, tarotclub
from tarot_sim.deals.formats.record import MakeDeal
from tarot_sim.errors import RecordError
from tarot_sim.notation import shown
from tarot_sim.rules import Rules

#: The formats by name, in the order in which a text is tried.
FORMATS: Final[dict[str, ModuleType]] = {
    "tagged": tagged,
    "tarotclub": tarotclub,
    "record": record,
}


def recognise(text: str) -> str:
    """Return the name of the format that a text is written in.

    What no other format claims is taken for a record, whose reader says best what is
    wrong with it.

    Examples
    --------
    >>> recognise('[Players "4"]'), recognise('{"players": 4}')
    ('tagged', 'record')
    """
    return next((name for name, module in FORMATS.items() if module.recognises(text)), "record")


def load(
    text: str,
    name: str | None = None,
    *,
    rules: Rules | None = None,
    make: MakeDeal = Deal.from_dict,
) -> list[Deal]:
    """Return the deals of a text.

    Parameters
    ----------
    text
        One deal or several.
    name
        The format: ``record``, ``tarotclub`` or ``tagged``; recognised if None.
    rules
        The options to use; by default those that the text names.
    make
        What makes a deal of a record, for the formats that are read into records.

    Raises
    ------
    RecordError
        If the format is not known or the text is not of it.
    TarotError
        If a deal is wrong; the message names the line where there are several.
    """
    module = _format(recognise(text) if name is None else name)
    return cast("list[Deal]", module.loads(text, rules=rules, make=make))


def load_line(line: str, *, rules: Rules | None = None, make: MakeDeal = Deal.from_dict) -> Deal:
    """Return the deal of a line of JSON: a record, or a document of TarotClub.

    Parameters
    ----------
    line
        One JSON document.
    rules, make
        As in `load`.

    Raises
    ------
    TarotError
        If it is not JSON, or the deal is wrong.
    """
    try:
        value = record.parse_json(line)
    except RecordError:
        if not tarotclub.recognises(line):
            raise
        return tarotclub.loads(line, rules=rules, make=make)[0]
    if tarotclub.is_document(value):
        return tarotclub.parse(value, rules=rules, make=make)
    return make(value, rules=rules)


def dump(deals: Iterable[Deal], name: str) -> str:
    """Return the text of deals in the format `name`.

    Raises
    ------
    RecordError
        If the format cannot hold a deal.
    """
    return cast("str", _format(name).dumps(deals))


def _format(name: str) -> ModuleType:
    if name not in FORMATS:
        raise RecordError(f"format: {shown(name)} is not one of {', '.join(sorted(FORMATS))}")
    return FORMATS[name]
