"""What an argument may be, and what each hostile value has to come to there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from types import SimpleNamespace
from typing import Any, Final

import numpy as np

from tarot_sim._core import Position
from tarot_sim.cards import Hand
from tarot_sim.rules import Rules
from tests.hostile.values import (
    EMPTY,
    JUNK,
    LONG,
    NUMBERS,
    LyingInt,
    Maker,
    array_forms,
    boom,
    capsule,
    integer_forms,
    liar,
    lookalike,
    not_integers,
    pretender,
    two_faced,
)

#: The errors that tell a caller of a wrong argument; `TarotError` is a ValueError.
PROPER: Final = (TypeError, ValueError)


@dataclass(frozen=True, slots=True)
class Same:
    """The value may be refused; else it has to come to what `honest` comes to.

    With `must` it may not be refused.
    """

    honest: Maker
    must: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    """A verdict without more to it."""

    name: str


#: An error has to be raised.
REFUSED: Final = Verdict("refused")
#: Any answer will do, as will an error.
ANYTHING: Final = Verdict("anything")

Meaning = Same | Verdict


@dataclass(frozen=True, slots=True)
class Case:
    """A hostile value and what it has to come to."""

    make: Maker
    means: Meaning = REFUSED


@dataclass(frozen=True, slots=True)
class Kind:
    """What an argument may be: one good value, and what becomes of each other one."""

    good: Maker
    cases: Mapping[str, Case] = field(default_factory=dict)

    def but(self, means: Meaning, *names: str) -> Kind:
        """Return the same kind where these values mean something else."""
        return replace(
            self,
            cases={**self.cases, **{name: Case(self.cases[name].make, means) for name in names}},
        )

    def without(self, *names: str) -> Kind:
        """Return the same kind without some values."""
        return replace(
            self, cases={name: case for name, case in self.cases.items() if name not in names}
        )

    def also(self, more: Mapping[str, Maker], means: Meaning = REFUSED) -> Kind:
        """Return the same kind with more values."""
        return replace(
            self, cases={**self.cases, **{name: Case(make, means) for name, make in more.items()}}
        )

    def optional(self) -> Kind:
        """Return the same kind where None is a value."""
        return self.but(ANYTHING, "none")


def kind(good: Maker) -> Kind:
    """Return a kind of which all that is universally hostile is refused."""
    return Kind(good, {name: Case(make) for name, make in JUNK.items()})


def hand(good: str) -> Kind:
    """Return a `Hand` and nothing else, though what names the same cards may do as well."""
    return cards(good, sized=True, must=False)


def anything(good: Maker) -> Kind:
    """Return a kind that takes all, such as what is only stored."""
    return Kind(good, {name: Case(make, ANYTHING) for name, make in JUNK.items()})


def choice(good: Maker, *others: str) -> Kind:
    """Return a kind of a few values, of which `others` are universal ones."""
    return kind(good).but(ANYTHING, *others)


def integer(good: int, low: float, high: float, *, must: bool = False, few: bool = False) -> Kind:
    """Return the integers from `low` to `high`.

    With `must` those of numpy may not be refused; with `few` fewer of them are tried.
    """
    fine = [name for name, number in NUMBERS.items() if low <= number <= high]
    forms = integer_forms(good)
    if few:
        forms = {name: forms[name] for name in ("int64", "uint8", "indexed") if name in forms}
    return (
        kind(lambda: good)
        .but(ANYTHING, *fine)
        .also(forms, Same(lambda: good, must))
        .also(not_integers(good))
        .also(_two_faces(good), Same(lambda: good))
    )


def _two_faces(good: int) -> dict[str, Maker]:
    return {
        "lying good": lambda: LyingInt(good),
        "then 200": lambda: two_faced(good, 200),
        "then -1": lambda: two_faced(good, -1),
        "then 2^63": lambda: two_faced(good, 2**63),
    }


def number(good: float, low: float, high: float) -> Kind:
    """Return the real numbers from `low` to `high`, of any type."""
    real: dict[str, float] = {
        **NUMBERS, "float": 1.0, "half": 1.5, "inf": np.inf, "-inf": -np.inf, "1e308": 1e308,
        "np float": 1.0, "decimal": 1.0, "fraction": 1.0, "float only": 1.0,
    }  # fmt: skip
    fine = [name for name, value in real.items() if low <= value <= high]
    return kind(lambda: good).but(ANYTHING, *fine)


def flag(good: bool) -> Kind:
    """Return a truth: any object has one."""
    return anything(lambda: good)


def text(good: str, *fine: str) -> Kind:
    """Return a text that is read; some of the universal ones may be understood."""
    return kind(lambda: good).but(ANYTHING, *fine)


def card(good: int, allowed: Callable[[int], bool], *, must: bool = True) -> Kind:
    """Return a card by its number or its name, if `allowed`."""
    fine = [name for name, one in NUMBERS.items() if allowed(one)]
    return (
        kind(lambda: good)
        .but(ANYTHING, *fine, "evil text")
        .also(integer_forms(good), Same(lambda: good, must))
        .also(not_integers(good))
        .also({"78": lambda: 78, "256": lambda: 256 + good, "2^32": lambda: 2**32 + good})
        .also(_two_faces(good), Same(lambda: good))
    )


def cards(good: str, *, sized: bool, must: bool = True) -> Kind:
    """Return a set of cards as text, hand or numbers; of one number of cards, or any."""
    hand = Hand(good)
    numbers = [int(one) for one in hand]
    same = Same(lambda: Hand(good), must)
    wrong: dict[str, Maker] = {
        "bytes of it": lambda: good.encode(),
        "twice": lambda: [*numbers, numbers[0]],
        "78 in it": lambda: [*numbers[1:], 78],
        "-1 in it": lambda: [*numbers[1:], -1],
        "2^32 more": lambda: [numbers[0] + 2**32, *numbers[1:]],
        "floats": lambda: [float(one) for one in numbers],
        "float array of it": lambda: np.array(numbers, float),
        "halves": lambda: [one + 0.5 for one in numbers],
        "nested": lambda: [numbers],
        "array of texts": lambda: np.array(["A21"]),
        "bool array": lambda: np.ones(78, bool),
        "lying ints": lambda: [LyingInt(1000 + one) for one in numbers],
        "lookalike": lambda: lookalike(hand),
        "frozen open": lambda: _opened_hand(2**200),
        "negative mask": lambda: _opened_hand(-1),
    }
    found = kind(lambda: Hand(good)).also(array_forms(numbers), same).also(wrong)
    found = found.but(REFUSED, "none")
    honest: dict[str, Maker] = {
        "its text": lambda: str(hand),
        "subclass": lambda: type("Mine", (Hand,), {})(hand),
        "pretender": lambda: pretender(hand),
    }
    found = found.also({name: honest[name] for name in ("its text", "subclass")}, same)
    found = found.also({"pretender": honest["pretender"]}, Same(lambda: Hand(good)))
    if not sized:
        found = found.but(Same(Hand), *EMPTY)
        found = found.but(ANYTHING, "array", "text array")
    return found


def _opened_hand(mask: int) -> Hand:
    hand = Hand()
    object.__setattr__(hand, "mask", mask)
    return hand


def mask(good: str, *, low: int = 1, high: int = 0) -> Kind:
    """Return a set of cards as a hand or an integer; other integers from `low` to `high`."""
    hand = Hand(good)
    fine = [name for name, one in NUMBERS.items() if low <= one <= high]
    wrong: dict[str, Maker] = {
        "2^78 more": lambda: hand.mask + 2**78,
        "negative": lambda: -hand.mask,
        "as float": lambda: float(hand.mask),
        "lookalike": lambda: _without_index(hand),
        "frozen open": lambda: _opened_hand(hand.mask | 1 << 90),
        "frozen as text": lambda: _opened_hand("x"),  # type: ignore[arg-type]
        "frozen as none": lambda: _opened_hand(None),  # type: ignore[arg-type]
    }
    same: dict[str, Maker] = {
        "its integer": lambda: hand.mask,
        "subclass": lambda: type("Mine", (Hand,), {})(hand),
        "lying mask": lambda: LyingInt(hand.mask),
        "indexed": lambda: liar(__index__=lambda _: hand.mask),
        "then all": lambda: two_faced(hand.mask, 2**78 - 1),
        "then 2^80": lambda: two_faced(hand.mask, 2**80),
    }
    return (
        kind(lambda: Hand(good))
        .but(ANYTHING, *fine)
        .also(wrong)
        .also(same, Same(lambda: Hand(good)))
    )


def _without_index(hand: Hand) -> Any:
    return lookalike(hand)


def rules(good: Maker) -> Kind:
    """Return a table; all that only looks like one is refused."""
    table: Rules = good()
    wrong: dict[str, Maker] = {
        "lookalike": lambda: lookalike(table),
        "seven players": lambda: SimpleNamespace(**_facts(table) | {"players": 7}),
        "no players": lambda: SimpleNamespace(**_facts(table) | {"players": 0}),
        "frozen open": lambda: _opened_rules(table, players=7),
        "frozen as text": lambda: _opened_rules(table, players="4"),
        "its class": lambda: Rules,
        "its dict": lambda: _facts(table),
        "name": lambda: "fft",
    }
    doubtful: dict[str, Maker] = {
        "pretender": lambda: pretender(table),
        "thirty cards": lambda: type("Mine", (Rules,), {"hand_size": 30, "dog_size": 60})(
            players=table.players
        ),
        "hand size raises": lambda: type("Mine", (Rules,), {"hand_size": property(boom)})(
            players=table.players
        ),
        "subclass": lambda: type("Mine", (Rules,), {})(players=table.players),
        "option open": lambda: _opened_rules(table, excuse_last="never"),
        "option is none": lambda: _opened_rules(table, petit_sec=None),
    }
    found = kind(good).also(wrong).also(doubtful, Same(good))
    return found.but(ANYTHING, "hand size raises", "option open", "option is none")


def _facts(table: Rules) -> dict[str, Any]:
    return {name: getattr(table, name) for name in dir(table) if not name.startswith("_")}


def _opened_rules(table: Rules, **options: Any) -> Rules:
    opened = replace(table)
    for name, value in options.items():
        object.__setattr__(opened, name, value)
    return opened


def native(good: Maker) -> Kind:
    """Return an object of a native class: only it and its subclasses are accepted."""
    cls: Any = type(good())
    return (
        kind(good)
        .also(
            {
                "lookalike": lambda: lookalike(good()),
                "pretender": lambda: pretender(good()),
                "its class": lambda: cls,
            }
        )
        .also({"never set up": lambda: cls.__new__(cls)}, ANYTHING)
    )


def position(good: Maker) -> Kind:
    """Return a position; none of a foreign class."""

    def subclass() -> Any:
        mine: Any = type("Mine", (Position,), {"hands": (), "to_move": 99, "players": 7})
        start = good()
        while start.plays:
            start.undo()
        options = {
            name: getattr(start, name)
            for name in ("attack", "leader", "rules", "attack_half_points", "attack_bouts", "won")
        }
        return mine(start.hands, called=start.called, **options)

    return native(good).also({"lying subclass": subclass}, Same(good))


def generator(good: Maker) -> Kind:
    """Return a bit generator of numpy; a seed or a `Generator` may be one day."""
    later = [name for name, one in NUMBERS.items() if one >= 0]
    fake: dict[str, Maker] = {
        "lookalike": lambda: lookalike(good()),
        "no capsule": lambda: liar(lock=good().lock),
        "capsule is none": lambda: liar(lock=good().lock, capsule=None),
        "capsule is text": lambda: liar(lock=good().lock, capsule="BitGenerator"),
        "capsule of another name": lambda: liar(lock=good().lock, capsule=capsule(b"Generator")),
        "capsule without a name": lambda: liar(lock=good().lock, capsule=capsule(b"")),
        "capsule of nothing": lambda: liar(lock=good().lock, capsule=capsule(b"BitGenerator")),
        "capsule raises": lambda: liar(lock=good().lock, capsule=property(boom)),
        "no lock": lambda: liar(capsule=good().capsule),
        "lock is none": lambda: liar(capsule=good().capsule, lock=None),
        "lock raises": lambda: liar(capsule=good().capsule, lock=property(boom)),
        "random module": lambda: __import__("random").Random(1),
        "old state": lambda: np.random.RandomState(1),
    }
    other: dict[str, Maker] = {
        "subclass": lambda: type("Mine", (np.random.PCG64DXSM,), {})(1),
        "MT19937": lambda: np.random.MT19937(1),
        "Philox": lambda: np.random.Philox(1),
        "SFC64": lambda: np.random.SFC64(1),
        "Generator": lambda: np.random.default_rng(1),
        "SeedSequence": lambda: np.random.SeedSequence(1),
    }
    return kind(good).but(ANYTHING, "none", *later).also(fake).also(other, ANYTHING)


def seed(good: int, *, few: bool = False) -> Kind:
    """Return whatever begins a stream of random numbers."""
    found = integer(good, 0, np.inf, few=few)
    sequences = ("list", "tuple", "empty array", "array", "list of 2^64", "array 2-d")
    streams = generator(lambda: np.random.PCG64DXSM(good))
    more = {name: case for name, case in streams.cases.items() if name not in JUNK}
    found = replace(found, cases={**found.cases, **more})
    return found.but(ANYTHING, "none", "as list", "as array", "old state", "lookalike", *sequences)


def items(
    good: Callable[[], list[Any]], wrong: Iterable[tuple[str, Any]] = (), *, empty: bool = False
) -> Kind:
    """Return a sequence: other containers of it, and `wrong` ones in place of the first item."""
    found = kind(lambda: list(good()))
    forms: dict[str, Maker] = {
        "as tuple": lambda: tuple(good()),
        "as iterator": lambda: iter(good()),
        "as object array": lambda: _object_array(good()),
    }
    broken: dict[str, Maker] = {
        f"{name} in it": partial(_first_replaced, make, good)
        for name, make in JUNK.items()
        if name not in ("nested", "recursive", "long list")
    }
    found = found.also(forms, Same(good)).also(broken)
    found = found.also({name: partial(_itself, value) for name, value in wrong})
    return found.but(ANYTHING, *EMPTY) if empty else found


def _first_replaced(make: Maker, good: Callable[[], list[Any]]) -> list[Any]:
    return [make(), *good()[1:]]


def _itself(value: Any) -> Any:
    return value


def _object_array(values: list[Any]) -> Any:
    array = np.empty(len(values), object)
    for place, value in enumerate(values):
        array[place] = value
    return array


def array(good: Callable[[], Any]) -> Kind:
    """Return an array of one type and shape; layouts of the same numbers have to be alike."""
    sample = good()

    def strided() -> Any:
        wide = np.zeros((*sample.shape[:-1], 2 * sample.shape[-1]), sample.dtype)
        wide[..., ::2] = good()
        return wide[..., ::2]

    def frozen() -> Any:
        one = good()
        one.setflags(write=False)
        return one

    def unaligned() -> Any:
        raw = np.zeros(sample.nbytes + 1, np.uint8)
        view = raw[1:].view(sample.dtype).reshape(sample.shape)
        view[...] = good()
        return view

    layouts: dict[str, Maker] = {
        "strided": strided,
        "Fortran": lambda: np.asfortranarray(good()),
        "backwards": lambda: np.ascontiguousarray(good()[::-1])[::-1],
        "read-only": frozen,
        "unaligned": unaligned,
        "subclass": lambda: good().view(type("Mine", (np.ndarray,), {})),
        "lying subclass": lambda: good().view(
            type("Mine", (np.ndarray,), {"__len__": lambda _: 10**6, "max": lambda *_: 0})
        ),
    }
    wrong: dict[str, Maker] = {
        "float64": lambda: good().astype(float),
        "other endian": lambda: good().astype(">i8"),
        "objects": lambda: good().astype(object),
        "bool": lambda: good().astype(bool) if good().dtype != bool else good().astype(np.int8),
        "one axis more": lambda: good()[None],
        "no axis": lambda: np.zeros((), sample.dtype),
        "one too many": lambda: np.concatenate([good()] * 2, axis=-1),
        "one too few": lambda: good()[..., 1:],
        "as list": lambda: good().tolist(),
        "as bytes": lambda: good().tobytes(),
        "lookalike": lambda: lookalike(good()),
    }
    found = kind(good).also(layouts, Same(good)).also(wrong)
    return found.but(ANYTHING, "lookalike")


def mapping(good: Callable[[], dict[str, Any]]) -> Kind:
    """Return a JSON object with one field at a time replaced."""
    fields = {
        f"{name}={value}": (lambda name=name, make=make: good() | {name: make()})
        for name in good()
        for value, make in JUNK.items()
        if value not in ("breaking")
    }
    found = kind(good).also(fields, ANYTHING)
    return found.also(
        {
            "keys no text": lambda: {1: 2, None: 3},
            "key raises": lambda: {liar(__hash__=lambda _: 1, __str__=boom, __eq__=boom): 1},
            "long key": lambda: good() | {"é" * LONG: 1},
            "get raises": lambda: type("Mine", (dict,), {"get": boom})(good()),
        },
        ANYTHING,
    )
