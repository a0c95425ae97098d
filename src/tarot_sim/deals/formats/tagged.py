"""Tagged text: a deal to be read and written by people, in the manner of bridge's PBN.

::

    [Tarot "1"]
    [Players "4"]
    [Dealer "3"]
    [Deal "18"]
    0    A:20,16,9,EX P:R,D,5 …
    1    …
    2    …
    3    …
    dog  A:3 C:9,8 …
    [Taker "0"]
    [Contract "garde"]
    [Discard "C:9,8 K:4,3,2,1"]
    [Poignee "0 simple"]
    [Play "0"]
    PR P3 P10 A5
    …
    *

A deal begins with ``[Tarot]`` (the version) or else with ``[Players]``. The lines after
``[Deal]`` (how many cards a hand has) are the hands by seat and the dog, those after
``[Play]`` (the seat that leads) the tricks, each in the order of play; an asterisk may end
them. ``[Auction "pass, prise"]``, ``[Called]``, ``[Chelem "announced"]``, ``[Misere "2 trumps"]``,
``[Rules "petit_sec=off"]`` and, for an ending, ``[Leader]``, ``[Partner]``,
``[AttackPoints]``, ``[AttackBouts]`` and ``[Swept]`` say the rest of the record. A semicolon
begins a comment to the end of the line; a tag that is not known is ignored with a warning,
or refused where it looks like one misspelt.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from tarot_sim.cards import parse_cards
from tarot_sim.deals.deal import Deal
from tarot_sim.deals.faults import record_faults
from tarot_sim.deals.fields import Faults, rule_options
from tarot_sim.deals.formats.record import MakeDeal
from tarot_sim.errors import RecordError, TarotError, named, raise_all, remark
from tarot_sim.notation import shown as quoted
from tarot_sim.rules import Rules
from tarot_sim.rules.auction import split_bids
from tarot_sim.rules.scoring import card_points, parse_points

VERSION: Final = "1"

_TAG: Final = re.compile(r'\[\s*([A-Za-z]\w{0,40})\s+"([^"]*)"\s*\]')
#: Tags whose value is a record's field as it is: the field, and how to read the value.
_FIELDS: Final = {
    "Players": ("players", int),
    "Dealer": ("dealer", int),
    "Taker": ("taker", int),
    "Contract": ("contract", str),
    "Called": ("called", str),
    "Discard": ("discard", str),
    "Leader": ("leader", int),
    "Partner": ("partner", int),
    "Swept": ("swept", str),
}
#: The others, and the fields that are read from them or from the lines under them.
_FIELDS_OF_SPECIAL: Final[dict[str, tuple[str, ...]]] = {
    "Tarot": (),
    "Deal": ("hands", "dog"),
    "Auction": ("auction",),
    "Chelem": ("chelem",),
    "Poignee": ("poignees",),
    "Misere": ("miseres",),
    "Play": ("plays",),
    "AttackPoints": ("attack_points",),
    "AttackBouts": ("attack_bouts",),
    "Rules": ("rules",),
}


def recognises(text: str) -> bool:
    """Tell whether the first line that is no comment is a tag."""
    for _, line in _lines(text):
        return _TAG.match(line) is not None
    return False


def loads(text: str, *, rules: Rules | None = None, make: MakeDeal = Deal.from_dict) -> list[Deal]:
    """Return the deals of a text.

    Raises
    ------
    RecordError
        If a line is neither tag nor section; the message starts with its number.
    TarotError
        If a deal is wrong; where there are several the message starts with the line
        on which it begins.

    Examples
    --------
    >>> deal = Deal.random(rng=1)
    >>> loads(dumps([deal])) == [deal]
    True
    """
    faults = Faults()
    records = list(_records(text, faults))
    if faults and not records:
        raise faults[0]  # it is no tagged text at all
    if faults:
        for _, record, unread in records:
            faults += map(RecordError, record_faults(record, rules, unread=unread))
        raise_all(faults)
    if not records:
        raise RecordError("record: empty, expected tags")
    deals = []
    for start, record, _ in records:
        try:
            deals.append(make(record, rules=rules))
        except TarotError as error:
            if len(records) == 1:
                raise
            raise named(f"line {start}", error) from None
    return deals


def dumps(deals: Iterable[Deal]) -> str:
    """Return the deals as tagged text, an empty line between two."""
    return "\n".join(_format(deal) for deal in deals)


def _format(deal: Deal) -> str:
    lines = [f'[Tarot "{VERSION}"]', f'[Players "{deal.players}"]']
    if deal.dealer is not None:
        lines.append(f'[Dealer "{deal.dealer}"]')
    lines.append(f'[Deal "{len(deal.hands[0])}"]')
    lines += [f"{seat:<5}{hand}" for seat, hand in enumerate(deal.hands)]
    if deal.dog:
        lines.append(f"dog  {deal.dog}")
    tags = [
        ("Auction", ", ".join(deal.auction) or None),
        ("Taker", deal.taker),
        ("Contract", deal.contract),
        ("Called", deal.called),
        ("Discard", deal.discard),
        ("Chelem", "announced" if deal.chelem else None),
        *(("Poignee", f"{poignee.seat} {poignee.level}") for poignee in deal.poignees),
        *(("Misere", f"{misere.seat} {misere.kind}") for misere in deal.miseres),
        ("Leader", deal.leader),
        ("Partner", deal.partner),
        (
            "AttackPoints",
            card_points(deal.attack_half_points) if deal.is_ending else None,
        ),
        ("AttackBouts", " ".join(card.name for card in deal.attack_bouts) or None),
        ("Swept", deal.swept),
        (
            "Rules",
            " ".join(f"{k}={v}" for k, v in rule_options(deal.rules).items()) or None,
        ),
    ]
    lines += [f'[{name} "{value}"]' for name, value in tags if value is not None]
    if deal.plays:
        lines.append(f'[Play "{deal.first_leader}"]')
        for start in range(0, len(deal.plays), deal.players):
            trick = deal.plays[start : start + deal.players]
            lines.append(" ".join(card.name for card in trick))
        lines.append("*")
    return "\n".join(lines) + "\n"


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines that say something, with their numbers, comments taken off."""
    for number, line in enumerate(text.splitlines(), 1):
        content = line.partition(";")[0].strip()
        if content:
            yield number, content


def _records(text: str, faults: Faults) -> Iterator[tuple[int, dict[str, Any], set[str]]]:
    """Yield each deal's first line, its record, and the fields that could not be read.

    What is wrong with a line is noted among the faults.
    """
    record: dict[str, Any] = {"hands": []}
    start = 0  # until a deal has begun as it has to
    seen: set[str] = set()
    unread: set[str] = set()
    section = ""
    for number, line in _lines(text):
        match = _TAG.fullmatch(line)
        before = len(faults)
        with faults.noted(f"line {number}"):
            if match is None:
                _read_section(section, line, record)
                continue
            section, value = match.groups()
            begins = section == "Tarot" or (section == "Players" and seen != {"Tarot"})
            if begins:
                if start:
                    yield start, record, unread
                record, start, seen, unread = {"hands": []}, number, set(), set()
            elif not seen:
                seen.add(section)
                raise RecordError(f"[{section}] stands before [Tarot] or [Players]")
            if section in seen and section not in ("Poignee", "Misere"):
                raise RecordError(f"[{section}] comes twice in one deal")
            seen.add(section)
            _read_tag(section, value.strip(), record)
        if len(faults) > before:
            unread.update(_fields_of(section))
    if start:
        yield start, record, unread


def _fields_of(section: str) -> tuple[str, ...]:
    """Return the fields of a record that a tag, or what stands under it, is for."""
    if section in _FIELDS:
        return (_FIELDS[section][0],)
    return _FIELDS_OF_SPECIAL.get(section, ())


def _read_tag(name: str, value: str, record: dict[str, Any]) -> None:
    if name in _FIELDS:
        key, kind = _FIELDS[name]
        record[key] = _integer(name, value) if kind is int else value
    elif name == "Tarot":
        if value != VERSION:
            raise RecordError(f"[Tarot] {quoted(value)} is not known, expected {VERSION!r}")
    elif name == "Deal":
        _integer(name, value)
    elif name == "Chelem":
        if value != "announced":
            raise RecordError(f"[Chelem] {quoted(value)} is not 'announced'")
        record["chelem"] = True
    elif name in ("Poignee", "Misere"):
        key, what = ("poignees", "level") if name == "Poignee" else ("miseres", "kind")
        seat, _, word = value.partition(" ")
        record.setdefault(key, []).append({"seat": _integer(name, seat), what: word.strip()})
    elif name == "Play":
        record["plays"] = []
    elif name == "Auction":
        record["auction"] = split_bids(value)
    elif name == "AttackPoints":
        record["attack_points"] = card_points(parse_points(value))
    elif name == "AttackBouts":
        record["attack_bouts"] = [card.name for card in parse_cards(value)]
    elif name == "Rules":
        record["rules"] = dict(_option(word) for word in value.split())
    else:
        _check_unknown(name)


def _read_section(section: str, line: str, record: dict[str, Any]) -> None:
    if section == "Play":
        if line != "*":
            record.setdefault("plays", []).extend(card.name for card in parse_cards(line))
    elif section == "Deal":
        name, _, cards = line.partition(" ")
        if name == "dog":
            record["dog"] = cards.strip()
        elif name == str(len(record["hands"])):
            record["hands"].append(cards.strip())
        else:
            seat = len(record["hands"])
            raise RecordError(f"{quoted(name)} is not the next seat, {seat}, or dog")
    else:
        raise RecordError(f"{quoted(line)} is neither a tag nor in a section [Deal] or [Play]")


def _option(word: str) -> tuple[str, Any]:
    name, equals, value = word.partition("=")
    if not equals:
        raise RecordError(f"[Rules] {quoted(word)} is not of the form option=value")
    return name, {"True": True, "False": False}.get(value, value)


def _integer(name: str, value: str) -> int:
    if not (value.isascii() and value.isdigit() and len(value) < 10):
        raise RecordError(f"[{name}] {quoted(value)} is not a number")
    return int(value)


def _check_unknown(name: str) -> None:
    """Refuse a tag that is a known one misspelt, and warn of any other."""
    from difflib import get_close_matches

    for meant in get_close_matches(name, (*_FIELDS, *_FIELDS_OF_SPECIAL), n=1, cutoff=0.8):
        raise RecordError(f"[{name}] is not known, did you mean [{meant}]?")
    remark(f"[{name}] is not known, ignored")
