"""The fields of a deal record (schema 1), read from JSON with their types checked.

Whether the fields agree is for `deal_checks`; a null is as good as an absent key.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import fields, replace
from typing import Any, Final

from tarot_sim.cards import Card, Hand
from tarot_sim.errors import RecordError, TarotError, field, named, remark
from tarot_sim.notation import shown
from tarot_sim.rules import TOTAL_HALF_POINTS, Rules
from tarot_sim.rules.names import BID_NAMES, CAMP_NAMES, CONTRACT_NAMES, MISERE_NAMES, POIGNEE_NAMES
from tarot_sim.rules.scoring import parse_points

SCHEMA: Final = 1

_MOST_SHOWN: Final = 40
_KEYS: Final = (
    "schema",
    "players",
    "dealer",
    "hands",
    "dog",
    "auction",
    "taker",
    "contract",
    "called",
    "discard",
    "chelem",
    "poignees",
    "miseres",
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
            raise RecordError(f"rules: {shown(name)} is not one of {', '.join(sorted(known))}")
    with field("rules"):
        return replace(Rules(players=players), **value)


class Faults(list[TarotError]):
    """What is wrong with a record: a list that goes on where an error would be raised.

    Examples
    --------
    >>> faults = Faults()
    >>> with faults.noted("dog"):
    ...     raise RecordError("missing")
    >>> faults
    [RecordError('dog: missing')]
    """

    @contextmanager
    def noted(self, name: str | None = None) -> Iterator[None]:
        """Note an error that is raised inside, with the field's name before it if one is given."""
        try:
            yield
        except TarotError as error:
            self.append(error if name is None else named(name, error))


class _Raised(Faults):
    """The first fault is raised."""

    @contextmanager
    def noted(self, name: str | None = None) -> Iterator[None]:
        with nullcontext() if name is None else field(name):
            yield


def parse_record(
    data: Mapping[str, Any], rules: Rules | None, faults: Faults | None = None
) -> dict[str, Any]:
    """Return the arguments of `Deal` that a record means, types and names checked.

    The poignées are seat, level and cards. With `faults` all errors are noted there, and the
    fields that have one are left out, as are all where the number of players is not known.
    """
    noted = (_Raised() if faults is None else faults).noted
    if not isinstance(data, Mapping):
        with noted():
            raise RecordError(f"record: expected a JSON object, not {_kind(data)}")
        return {}
    with noted():
        check_keys(data, _KEYS)
        if data.get("schema", SCHEMA) != SCHEMA or isinstance(data.get("schema"), bool):
            raise RecordError(f"schema: {shown(data['schema'])} is not known, expected {SCHEMA}")
    found: dict[str, Any] = {}
    with noted():
        found["players"] = _players(data)
    if "players" not in found:
        return found
    with noted():
        given = data.get("rules")
        found["rules"] = parse_rules(given, found["players"]) if rules is None else rules
    with noted():
        if data.get("hands") is None:
            raise RecordError("hands: missing")
        if not isinstance(data["hands"], list):
            kind = _kind(data["hands"])
            raise RecordError(f"hands: expected an array of strings, not {kind}")
        hands: list[Hand] = []
        for seat, cards in enumerate(data["hands"]):
            with noted(f"hands[{seat}]"):
                if not isinstance(cards, str):
                    raise RecordError(f"expected a string, not {_kind(cards)}")
                hands.append(Hand(cards))
        if len(hands) == len(data["hands"]):
            found["hands"] = tuple(hands)
    for name, read in _READERS.items():
        with noted():
            found[name] = read(data)
    return found


def check_keys(data: Mapping[str, Any], known: Sequence[str]) -> None:
    """Refuse a key that is a known one misspelt, and warn of any other that is not known.

    What is ignored might have been meant to change the answer.
    """
    for key in data:
        if key in known:
            continue
        from difflib import get_close_matches

        name = str(key)[:_MOST_SHOWN]
        for meant in get_close_matches(name, known, n=1, cutoff=0.8):
            raise RecordError(f"{name}: unknown field, did you mean {meant}?")
        remark(f"{name}: unknown field, ignored")


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


def _players(data: Mapping[str, Any]) -> int:
    players = _integer(data, "players")
    if players is None:
        raise RecordError("players: missing")
    return Rules(players=players).players  # which refuses other tables


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


def _chelem(data: Mapping[str, Any]) -> bool:
    chelem = data.get("chelem")
    if chelem is not None and not isinstance(chelem, bool):
        raise RecordError(f"chelem: expected true or false, not {_kind(chelem)}")
    return bool(chelem)


def _card(data: Mapping[str, Any], name: str) -> Card | None:
    text = _text(data, name)
    with field(name):
        return None if text is None else Card.parse(text)


def _hand(data: Mapping[str, Any], name: str) -> Hand | None:
    text = _text(data, name)
    with field(name):
        return None if text is None else Hand(text)


def _bouts(data: Mapping[str, Any]) -> Hand:
    bouts = list(_cards(data, "attack_bouts"))
    with field("attack_bouts"):
        return Hand(bouts)


def _poignees(data: Mapping[str, Any]) -> Iterable[tuple[int, str, Hand | None]]:
    for place, value in enumerate(_list(data, "poignees")):
        with field(f"poignees[{place}]"):
            if not isinstance(value, Mapping):
                raise RecordError(f"expected an object with seat and level, not {_kind(value)}")
            check_keys(value, ("seat", "level", "cards"))
            seat, level = _integer(value, "seat"), _text(value, "level")
            if seat is None or level is None:
                raise RecordError(f"{'seat' if seat is None else 'level'}: missing")
            cards = _text(value, "cards")
            with field("cards"):
                yield seat, POIGNEE_NAMES.get(level), None if cards is None else Hand(cards)


def _miseres(data: Mapping[str, Any]) -> Iterable[tuple[int, str]]:
    for place, value in enumerate(_list(data, "miseres")):
        with field(f"miseres[{place}]"):
            if not isinstance(value, Mapping):
                raise RecordError(f"expected an object with seat and kind, not {_kind(value)}")
            check_keys(value, ("seat", "kind"))
            seat, kind = _integer(value, "seat"), _text(value, "kind")
            if seat is None or kind is None:
                raise RecordError(f"{'seat' if seat is None else 'kind'}: missing")
            yield seat, MISERE_NAMES.get(kind)


def _auction(data: Mapping[str, Any]) -> Iterable[Any]:
    for place, value in enumerate(_list(data, "auction")):
        if not isinstance(value, str):
            raise RecordError(f"auction[{place}]: expected a string, not {_kind(value)}")
        yield BID_NAMES.get(value)


def _half_points(data: Mapping[str, Any]) -> int:
    value = data.get("attack_points")
    if value is None:
        return 0
    if (
        isinstance(value, bool)
        or not isinstance(value, int | float)
        or (isinstance(value, float) and not math.isfinite(value))
    ):
        raise RecordError(f"attack_points: expected a number, not {_kind(value)}")
    if abs(value) > TOTAL_HALF_POINTS:
        raise RecordError(f"attack_points: {shown(value)} is not 0…{TOTAL_HALF_POINTS // 2}")
    if 2 * value != int(2 * value):
        raise RecordError(f"attack_points: {value} is not a multiple of 0.5")
    return parse_points(value)


#: How each argument of `Deal` but the hands is read.
_READERS: Final[dict[str, Callable[[Mapping[str, Any]], Any]]] = {
    "dealer": lambda data: _integer(data, "dealer"),
    "dog": lambda data: _hand(data, "dog") or Hand(),
    "auction": lambda data: tuple(_auction(data)),
    "taker": lambda data: _integer(data, "taker"),
    "contract": lambda data: CONTRACT_NAMES.get(_text(data, "contract")),
    "called": lambda data: _card(data, "called"),
    "discard": lambda data: _hand(data, "discard"),
    "chelem": _chelem,
    "poignees": lambda data: tuple(_poignees(data)),
    "miseres": lambda data: tuple(_miseres(data)),
    "plays": lambda data: tuple(_cards(data, "plays")),
    "leader": lambda data: _integer(data, "leader"),
    "partner": lambda data: _integer(data, "partner"),
    "attack_half_points": _half_points,
    "attack_bouts": _bouts,
    "swept": lambda data: CAMP_NAMES.get(_text(data, "swept")),
}
