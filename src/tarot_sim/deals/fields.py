"""The fields of a deal record (schema 1), read from JSON with their types checked.

Whether the fields agree is for `deal_checks`; a null is as good as an absent key.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from typing import Any, Final

from tarot_sim.cards import Card, Hand
from tarot_sim.errors import RecordError, field
from tarot_sim.rules import Rules
from tarot_sim.rules.scoring import parse_points

SCHEMA: Final = 1

_KEYS: Final = (
    "schema",
    "players",
    "dealer",
    "hands",
    "dog",
    "taker",
    "contract",
    "called",
    "discard",
    "chelem",
    "poignees",
    "plays",
    "leader",
    "partner",
    "attack_points",
    "attack_bouts",
    "swept",
    "rules",
)


def rule_options(rules: Rules) -> dict[str, Any]:
    """Return the options of `rules` that are not the default, as a record holds them.

    Examples
    --------
    >>> rule_options(Rules(petit_sec="off"))
    {'petit_sec': 'off'}
    """
    default = Rules(players=rules.players)
    names = (option.name for option in fields(Rules) if option.name != "players")
    return {
        name: getattr(rules, name)
        for name in names
        if getattr(rules, name) != getattr(default, name)
    }


def parse_rules(value: object, players: int) -> Rules:
    """Return the rules that a record's key ``rules`` means: a preset or options.

    Examples
    --------
    >>> parse_rules("fft", 4) == Rules.fft(4), parse_rules({"petit_sec": "off"}, 3).petit_sec
    (True, 'off')
    """
    if value is None:
        return Rules(players=players)
    if isinstance(value, str):
        return Rules.named(value, players)
    if not isinstance(value, Mapping):
        raise RecordError("rules: expected the name of a preset or an object of options")
    known = {option.name for option in fields(Rules)} - {"players"}
    for name in value:
        if name not in known:
            raise RecordError(f"rules: {name!r} is not one of {', '.join(sorted(known))}")
    with field("rules"):
        return replace(Rules(players=players), **value)


def parse_record(data: Mapping[str, Any], rules: Rules | None) -> dict[str, Any]:
    """Return the arguments of `Deal` that a record means, types and names checked.

    The poignées are seat, level and cards.
    """
    if not isinstance(data, Mapping):
        raise RecordError(f"record: expected a JSON object, not {_kind(data)}")
    _check_keys(data)
    if data.get("schema", SCHEMA) != SCHEMA or isinstance(data.get("schema"), bool):
        raise RecordError(f"schema: {data['schema']!r} is not known, expected {SCHEMA}")
    players = _integer(data, "players")
    if players is None:
        raise RecordError("players: missing")
    if rules is None:
        rules = parse_rules(data.get("rules"), players)
    if data.get("hands") is None:
        raise RecordError("hands: missing")
    chelem = data.get("chelem")
    if chelem is not None and not isinstance(chelem, bool):
        raise RecordError(f"chelem: expected true or false, not {_kind(chelem)}")
    called = _text(data, "called")
    with field("called"):
        called_card = None if called is None else Card.parse(called)
    discard = _text(data, "discard")
    with field("discard"):
        discarded = None if discard is None else Hand(discard)
    dog_text = _text(data, "dog")
    with field("dog"):
        dog = Hand(dog_text or ())
    bouts = list(_cards(data, "attack_bouts"))
    with field("attack_bouts"):
        attack_bouts = Hand(bouts)
    return {
        "players": players,
        "dealer": _integer(data, "dealer"),
        "hands": tuple(_hands(data["hands"])),
        "dog": dog,
        "taker": _integer(data, "taker"),
        "contract": _text(data, "contract"),
        "called": called_card,
        "discard": discarded,
        "chelem": bool(chelem),
        "poignees": tuple(_poignees(data)),
        "plays": tuple(_cards(data, "plays")),
        "leader": _integer(data, "leader"),
        "partner": _integer(data, "partner"),
        "attack_half_points": _half_points(data),
        "attack_bouts": attack_bouts,
        "swept": _text(data, "swept"),
        "rules": rules,
    }


def _check_keys(data: Mapping[str, Any]) -> None:
    """Refuse a key that is a known one misspelt: ignoring it would change the answer."""
    for key in data:
        if key in _KEYS:
            continue
        from difflib import get_close_matches

        for meant in get_close_matches(str(key), _KEYS, n=1, cutoff=0.8):
            raise RecordError(f"{key}: unknown field, did you mean {meant}?")


def _kind(value: object) -> str:
    """Name a JSON value's type for people."""
    names = {bool: "a boolean", int: "a number", float: "a number", str: "a string"}
    if value is None:
        return "null"
    return names.get(type(value), "an array" if isinstance(value, list) else "an object")


def _integer(data: Mapping[str, Any], name: str) -> int | None:
    value = data.get(name)
    if value is not None and type(value) is not int:
        shown = value if isinstance(value, float) else _kind(value)
        raise RecordError(f"{name}: expected an integer, not {shown}")
    return value


def _text(data: Mapping[str, Any], name: str) -> str | None:
    value = data.get(name)
    if value is not None and not isinstance(value, str):
        raise RecordError(f"{name}: expected a string, not {_kind(value)}")
    return value


def _list(data: Mapping[str, Any], name: str) -> list[Any]:
    value = data.get(name)
    if value is None:
        return []
    if not isinstance(value, list):
        raise RecordError(f"{name}: expected an array, not {_kind(value)}")
    return value


def _cards(data: Mapping[str, Any], name: str) -> Iterable[Card]:
    for place, value in enumerate(_list(data, name)):
        with field(f"{name}[{place}]"):
            if not isinstance(value, str):
                raise RecordError(f"expected the name of a card, not {_kind(value)}")
            yield Card.parse(value)


def _hands(value: object) -> Iterable[Hand]:
    if not isinstance(value, list):
        raise RecordError(f"hands: expected an array of strings, not {_kind(value)}")
    for seat, cards in enumerate(value):
        with field(f"hands[{seat}]"):
            if not isinstance(cards, str):
                raise RecordError(f"expected a string, not {_kind(cards)}")
            yield Hand(cards)


def _poignees(data: Mapping[str, Any]) -> Iterable[tuple[int, str, Hand | None]]:
    for place, value in enumerate(_list(data, "poignees")):
        with field(f"poignees[{place}]"):
            if not isinstance(value, Mapping):
                raise RecordError(f"expected an object with seat and level, not {_kind(value)}")
            seat, level = _integer(value, "seat"), _text(value, "level")
            if seat is None or level is None:
                raise RecordError(f"{'seat' if seat is None else 'level'}: missing")
            cards = _text(value, "cards")
            with field("cards"):
                yield seat, level, None if cards is None else Hand(cards)


def _half_points(data: Mapping[str, Any]) -> int:
    value = data.get("attack_points")
    if value is None:
        return 0
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise RecordError(f"attack_points: expected a number, not {_kind(value)}")
    if 2 * value != int(2 * value):
        raise RecordError(f"attack_points: {value} is not a multiple of 0.5")
    return parse_points(value)
