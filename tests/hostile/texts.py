"""Hostile texts: records of all formats, and what makes reading them slow."""

from __future__ import annotations

import contextlib
import copy
import json
import math
import time
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, Final

from tarot_sim.cards import Hand, parse_cards
from tarot_sim.deals import formats
from tarot_sim.deals.conditions import Condition
from tarot_sim.deals.deal import Deal
from tarot_sim.deals.formats import record, tagged, tarotclub
from tarot_sim.deals.replaying import replay
from tarot_sim.errors import TarotError
from tests import records
from tests.hostile.running import Call, Fault, improper
from tests.hostile.values import LONG

Check = Callable[[], Fault | None]


def text_calls() -> Iterator[Call]:
    """Yield all calls with hostile texts."""
    yield from _field_calls()
    yield from _text_calls()
    yield from _growth_calls()


# ---------------------------------------------------------------------------
# Fields of records

_NESTED: Final = "[" * 3000 + "]" * 3000

#: JSON in place of a field.
JUNK: Final[dict[str, str]] = {
    "null": "null", "true": "true", "false": "false", "0": "0", "-1": "-1", "1": "1", "7": "7",
    "2^31": str(2**31), "2^63": str(2**63), "2^64": str(2**64), "400 digits": "9" * 400,
    "5000 digits": "9" * 5000, "half": "0.5", "0.0": "0.0", "1e308": "1e308", "-1e308": "-1e308",
    "1e400": "1e400", "1e-400": "1e-400", "400 decimals": "0." + "3" * 400, "NaN": "NaN",
    "Infinity": "Infinity", "empty text": '""', "text": '"x"', "card": '"A21"', "bout": '"A1"',
    "number text": '"1"', "long text": f'"{"é" * LONG}"', "long hand": f'"{"A21," * LONG}"',
    "null text": '"\\u0000"', "surrogate": '"\\ud800"', "list": "[]", "list of list": "[[]]",
    "list of text": '["x"]', "list of null": "[null]", "list of 0": "[0]",
    "card twice": '["PR","PR"]',
    "cards": '["A21"]', "long list": "[" + ",".join(["0"] * 10_000) + "]", "object": "{}",
    "object of a": '{"a": 1}', "seat": '{"seat": 0, "level": "simple"}', "nested": _NESTED,
    "long key": f'{{"{"é" * LONG}": 1}}',
}  # fmt: skip

_BASES: Final = {"four": records.FOUR, "five": records.FIVE, "ending": records.ENDING}
#: Fields that a base does not have.
_MORE: Final[dict[str, dict[str, Any]]] = {
    "four": {"rules": {"petit_sec": "off"}, "leader": None, "partner": None, "swept": None,
             "attack_points": 0, "attack_bouts": []},
    "five": {"poignees": [], "chelem": False, "schema": 1, "plays": []},
    "ending": {"swept": "attack", "partner": None, "dealer": 0, "dog": "", "discard": None,
               "plays": ["PD"], "poignees": [], "called": None, "chelem": False},
}  # fmt: skip


def _settled(deals: list[Deal]) -> None:
    """Do with deals what the commands do."""
    for deal in deals:
        assert Deal.from_dict(json.loads(json.dumps(deal.to_dict()))) == deal
        with contextlib.suppress(TarotError):
            replay(deal).to_dict()
        with contextlib.suppress(TarotError):
            deal.position().legal_cards()
        for name in formats.FORMATS:
            with contextlib.suppress(TarotError):
                formats.dump([deal], name)


def _loaded(text: str) -> Fault | None:
    try:
        _settled(formats.load(text))
    except Exception as error:
        return improper(error, (TarotError,))
    return None


def _field_calls() -> Iterator[Call]:
    for base, honest in _BASES.items():
        whole: dict[str, Any] = honest | _MORE[base]
        yield Call(f"Records.{base}", "honest", _honest_record(honest))
        for name, junk in replaced(honest, whole):
            where, _, value = name.partition("=")
            yield Call(f"Records.{base}.{where}", value, _text_check(junk))
    played = records.played(Deal.from_dict(records.changed(records.FOUR, plays=[])), 1)
    log, file = tarotclub.build(played), tarotclub.build(Deal.random(rng=1))
    for base, document in {"log": log, "file": file, "info": log["deal_info"]}.items():
        for name, junk in replaced(document, document):
            where, _, value = name.partition("=")
            text = (
                json.dumps(log | {"deal_info": "@"}).replace('"@"', junk)
                if base == "info"
                else junk
            )
            yield Call(f"TarotClub.{base}.{where}", value, _text_check(text))


def replaced(honest: dict[str, Any], whole: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield documents with one field, or one item of one, replaced by each junk."""
    for field, value in whole.items():
        for name, junk in JUNK.items():
            yield f"{field}={name}", json.dumps(honest | {field: "@"}).replace('"@"', junk)
        if isinstance(value, list) and value:
            for name, junk in JUNK.items():
                document = json.dumps(honest | {field: ["@", *value[1:]]}).replace('"@"', junk)
                yield f"{field}[0]={name}", document
                if isinstance(value[0], dict):
                    for key in value[0]:
                        item = copy.deepcopy(value)
                        item[0][key] = "@"
                        document = json.dumps(honest | {field: item}).replace('"@"', junk)
                        yield f"{field}[0].{key}={name}", document


def _text_check(text: str) -> Check:
    return lambda: _loaded(text)


def _honest_record(honest: dict[str, Any]) -> Check:
    def check() -> Fault | None:
        _settled([Deal.from_dict(honest)])
        return None

    return check


# ---------------------------------------------------------------------------
# Whole texts

_ALPHABET: Final = '0123456789{}[]",:;-.=* \n\t\r\x00ARDCVPKTEX\ud800é♠\u2028\ufeff'


def _texts() -> dict[str, str]:
    deal = records.played(Deal.from_dict(records.changed(records.FOUR, plays=[])), 1)
    return {
        "record": record.dumps([Deal.from_dict(records.FOUR)]),
        "ending": record.dumps([Deal.from_dict(records.ENDING)]),
        "tagged": tagged.dumps([Deal.from_dict(records.FOUR), Deal.from_dict(records.ENDING)]),
        "log": tarotclub.dumps([deal]),
        "file": tarotclub.dumps([Deal.random(rng=1)]),
    }


def _text_calls() -> Iterator[Call]:
    for name, text in _texts().items():
        yield Call(f"Texts.{name}", "honest", _honest_text(text))
        for seed in range(12):
            yield Call(f"Texts.{name}", f"mutated {seed}", _mutated(text, seed))
        for place, mutant in enumerate(_line_mutants(text)):
            yield Call(f"Texts.{name}", f"line {place}", _text_check(mutant))
    for name, text in {
        "empty": "", "spaces": " \n", "null": "\0", "bom": "\ufeff{}", "brace": "{", "list": "[]",
        "nested": "[" * 100_000, "nested objects": '{"a":' * 100_000, "number": "9" * 5000,
        "tag": "[", "tags": '[Players "4"]' * 1000, "tag without value": "[Players]",
        "long tag": f'[Players "{"4" * LONG}"]', "long name": f'[{"P" * LONG} "4"]',
        "comment": ";" * LONG, "one word": "x", "surrogate": "\ud800", "lines": "\n" * LONG,
        "two documents": '{"players": 4}\n{"players": 4}', "text": '"x"', "null value": "null",
        "log without": '{"deal_info": null}', "log list": '{"deal_info": []}',
        "file without": '{"FirstPlayer": null}', "version": '{"version": [], "deal_info": {}}',
        "hashless": '{"version": "3", "deal_info": {"contract": []}}',
        "played": '[Play "0"]\nPR', "section first": "0  A21",
    }.items():  # fmt: skip
        yield Call("Texts.whole", name, _text_check(text))


def _honest_text(text: str) -> Check:
    def check() -> Fault | None:
        _settled(formats.load(text))
        return None

    return check


def _mutated(text: str, seed: int) -> Check:
    """Change a text in a few places, many times."""

    def check() -> Fault | None:
        rng = Random(seed)
        for _ in range(25):
            changed = list(text)
            for _ in range(rng.choice((1, 1, 2, 5, 20))):
                place = rng.randrange(len(changed))
                end = place + rng.choice((0, 1, 1, 2, 10))
                changed[place:end] = rng.choices(_ALPHABET, k=rng.choice((0, 1, 1, 3)))
                changed = changed or [" "]
            found = _loaded("".join(changed))
            if found is not None:
                return Fault(found.what, f"{found.more} ({''.join(changed)!r:.200})")
        return None

    return check


def _line_mutants(text: str) -> Iterator[str]:
    lines = text.splitlines(keepends=True)
    if len(lines) < 5:
        return
    for place in range(len(lines)):
        yield "".join(lines[:place] + lines[place + 1 :])
        yield "".join(lines[: place + 1] + lines[place:])
        yield "".join([*lines[:place], *lines[place : place + 2][::-1], *lines[place + 2 :]])
        yield "".join(lines[:place])


# ---------------------------------------------------------------------------
# Time that grows with the input

#: Beyond this four times the input takes more than four times as long, even on a busy machine.
_MOST_GROWTH: Final = 8.0
#: What takes less is no trouble, seconds.
_AT_ONCE: Final = 0.02


def _doubled_key(n: int, twice: int = 0) -> str:
    return "{" + ",".join(f'"k{number}": 0' for number in range(n)) + f', "k{twice}": 0}}'


_ONE: Final = json.dumps(records.ENDING)


def _with(field: str, value: Any) -> str:
    return json.dumps(records.FOUR | {field: value})


_GROWTH: Final[dict[str, tuple[int, Callable[[int], Callable[[], Any]]]]] = {
    "doubled key": (750, lambda n: _reads(_doubled_key(n))),
    "key doubled last": (750, lambda n: _reads(_doubled_key(n, n - 1))),
    "unknown keys": (750, lambda n: _reads(
        json.dumps(records.FOUR | {f"k{number}": 0 for number in range(n)}))),
    "long unknown key": (5_000, lambda n: _reads(_with("players" * n, 1))),
    "headers of a hand": (5_000, lambda n: lambda: Hand("A:" * n)),
    "headers, spaced": (5_000, lambda n: lambda: Hand("A: " * n)),
    "headers of cards": (5_000, lambda n: lambda: parse_cards("A:" * n)),
    "headers in a record": (5_000, lambda n: _reads(_with("dog", "A:" * n))),
    "voids": (5_000, lambda n: lambda: Hand("A:-," * n)),
    "colons": (5_000, lambda n: lambda: Hand(":" * n)),
    "one word": (12_500, lambda n: lambda: Hand("x" * n)),
    "spaces": (12_500, lambda n: lambda: Hand(" " * n)),
    "cards": (1_250, lambda n: lambda: parse_cards("PR,P10 A21 " * n)),
    "nested lists": (12_500, lambda n: _reads("[" * n)),
    "nested objects": (5_000, lambda n: _reads('{"a":' * n)),
    "list of lists": (1_250, lambda n: _reads("[" + ",".join(["[[]]"] * n) + "]")),
    "digits": (25_000, lambda n: _reads(_with("players", 0).replace(": 0", ": " + "9" * n))),
    "digits of points": (25_000, lambda n: _reads('{"attack_points": 0.' + "3" * n + "}")),
    "plays": (750, lambda n: _reads(_with("plays", ["PR"] * n))),
    "unknown plays": (750, lambda n: _reads(_with("plays", ["x"] * n))),
    "hands": (750, lambda n: _reads(_with("hands", ["A21"] * n))),
    "poignees": (750, lambda n: _reads(_with("poignees", [{"seat": 0, "level": "simple"}] * n))),
    "lines of records": (300, lambda n: _reads('{"players": 4}\n' * n)),
    "empty lines": (5_000, lambda n: _reads("\n" * n + "{}")),
    "lines, the last broken": (50, lambda n: _reads((_ONE + "\n") * n + "{")),
    "array of records": (50, lambda n: _reads("[" + ",".join([_ONE] * n) + "]")),
    "tagged deals": (50, lambda n: _reads(tagged.dumps([Deal.from_dict(records.ENDING)] * n))),
    "tags": (750, lambda n: _reads('[Tarot "1"]\n' + "\n".join(f'[X{k} "1"]' for k in range(n)))),
    "comments": (1_250, lambda n: _reads("; x\n" * n)),
    "tagged plays": (750, lambda n: _reads('[Players "4"]\n[Play "0"]\n' + "PR P10\n" * n)),
    "tagged hands": (750, lambda n: _reads(
        '[Players "4"]\n[Deal "18"]\n' + "".join(f"{k} A21\n" for k in range(n)))),
    "tricks of a log": (750, lambda n: _reads(json.dumps({
        "version": "3", "deal_info": {"number_of_players": 4, "contract": "Guard",
        "taker": "South", "first_trick_lead": "South"}, "tricks": ["01-S"] * n}))),
    "cards of a trick": (750, lambda n: _reads(json.dumps({
        "version": "3", "deal_info": {"number_of_players": 4, "contract": "Guard",
        "taker": "South", "first_trick_lead": "South"},
        "tricks": [";".join(["01-S"] * n)] + [""] * 17}))),
    "documents of TarotClub": (300, lambda n: _reads('{"version": "3", "FirstPlayer": ""}\n' * n)),
    "sum of a condition": (500, lambda n: lambda: Condition("trumps" + "+1" * n + ">3")),
    "not of a condition": (1_250, lambda n: lambda: Condition("not " * n + "petit")),
    "or of a condition": (500, lambda n: lambda: Condition(" or ".join(["petit"] * n))),
    "comparisons of a condition": (500, lambda n: lambda: Condition("1<" * n + "trumps")),
    "parentheses of a condition": (5_000, lambda n: lambda: Condition("(" * n)),
    "digits of a condition": (12_500, lambda n: lambda: Condition("trumps>" + "9" * n)),
    "word of a condition": (12_500, lambda n: lambda: Condition("x" * n)),
    "spaces of a condition": (5_000, lambda n: lambda: Condition(" " * n + "petit")),
}  # fmt: skip


def _reads(text: str) -> Callable[[], Any]:
    return lambda: formats.load(text)


def _growth_calls() -> Iterator[Call]:
    for name, (n, make) in _GROWTH.items():
        yield Call("Growth.time()", name, _growth(n, make), 4.0)


def _growth(n: int, make: Callable[[int], Callable[[], Any]]) -> Check:
    def check() -> Fault | None:
        short, found = _seconds(make(n))
        if found is not None:
            return found
        long, found = _seconds(make(4 * n))
        if found is not None or long < _AT_ONCE:
            return found
        if long < _MOST_GROWTH * short:
            return None
        # Once more, if something else was at work meanwhile.
        short = max(short, _seconds(make(n))[0])
        long = min(long, _seconds(make(4 * n))[0])
        if long < _MOST_GROWTH * short:
            return None
        return Fault("quadratic", f"{short:.3f} s, {long:.3f} s")

    return check


def _seconds(call: Callable[[], Any]) -> tuple[float, Fault | None]:
    """Return the processor's time for a call, the least of three unless it is long."""
    best = math.inf
    for _ in range(3):
        started = time.process_time()
        try:
            call()
        except Exception as error:
            found = improper(error, (TarotError,))
            if found is not None:
                return 0.0, found
        best = min(best, time.process_time() - started)
        if best > 0.1:
            break
    return best, None
