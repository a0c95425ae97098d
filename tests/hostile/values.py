"""Values that no honest caller passes, by name; each is made afresh for every call.

Left out is what costs more than it is worth to tell: texts whose own methods lie, objects that
are equal to everything, iterators and lengths without an end.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import Any, Final

import numpy as np

Maker = Callable[[], Any]


class Boom(Exception):
    """What hostile objects raise themselves: it may come through."""


def boom(*_: object, **__: object) -> Any:
    """Do what no special method should."""
    raise Boom("a hostile object")


def liar(**methods: Any) -> Any:
    """Return an object of a class of its own with these methods and attributes."""
    return type("Liar", (), methods)()


def indexed(number: int) -> Any:
    """Return an object that is no number but has one as its index."""
    return liar(__index__=lambda _: number)


def two_faced(number: int, other: int) -> Any:
    """Return an object whose index is `number` when it is asked first, and then `other`."""
    asked = iter([number])
    return liar(__index__=lambda _: next(asked, other))


def lookalike(honest: object) -> Any:
    """Return an object of a foreign class with the public attributes of `honest`."""
    names = [name for name in dir(honest) if not name.startswith("_")]
    return liar(**{name: _attribute(honest, name) for name in names})


def pretender(honest: object) -> Any:
    """Return the same, which says that it is of the class of `honest`."""
    names = [name for name in dir(honest) if not name.startswith("_")]
    methods = {name: _attribute(honest, name) for name in names}
    return liar(**methods, __class__=property(lambda _: type(honest)))


def _attribute(honest: object, name: str) -> Any:
    try:
        value = getattr(honest, name)
    except Exception:  # a property that does not hold now
        return None
    return staticmethod(value) if callable(value) else value


class LyingInt(int):
    """A number that is within whatever bounds it is compared with."""

    def __lt__(self, other: object) -> bool:
        return True

    __le__ = __gt__ = __ge__ = __lt__


def _nested(depth: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return value


def _changing() -> Iterator[int]:
    """Yield numbers until somebody asks too often."""
    yield from (1, 2, 3)
    raise Boom("in the middle")


def _recursive() -> list[Any]:
    value: list[Any] = []
    value.append(value)
    return value


def capsule(name: bytes) -> Any:
    """Return a capsule of this name around memory that is no generator."""
    make = ctypes.pythonapi.PyCapsule_New
    make.restype, make.argtypes = (
        ctypes.py_object,
        [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p],
    )
    return make(ctypes.addressof(_NO_GENERATOR), name, None)


_NO_GENERATOR: Final = (ctypes.c_uint64 * 16)()

#: Far too long for an error to repeat it.
LONG: Final = 100_000

#: Handed to every argument of every entry.
JUNK: Final[dict[str, Maker]] = {
    "none": lambda: None,
    "object": object,
    "ellipsis": lambda: ...,
    "class": lambda: int,
    "module": lambda: math,
    "function": lambda: boom,
    "true": lambda: True,
    "minus": lambda: -1,
    "2^31": lambda: 2**31,
    "2^63": lambda: 2**63,
    "2^64-1": lambda: 2**64 - 1,
    "-2^63-1": lambda: -(2**63) - 1,
    "400 digits": lambda: 10**400,
    "5000 digits": lambda: 10**5000,
    "lying int": lambda: LyingInt(1000),
    "float": lambda: 1.0,
    "half": lambda: 1.5,
    "nan": lambda: math.nan,
    "inf": lambda: math.inf,
    "-inf": lambda: -math.inf,
    "1e308": lambda: 1e308,
    "complex": lambda: 1j,
    "decimal": lambda: Decimal(1),
    "fraction": lambda: Fraction(1),
    "empty text": lambda: "",
    "text": lambda: "x",
    "number text": lambda: "1",
    "long text": lambda: "é" * LONG,
    "null text": lambda: "\0",
    "surrogate": lambda: "\ud800",
    "bytes": lambda: b"A:21",
    "bytearray": lambda: bytearray(b"PR"),
    "memoryview": lambda: memoryview(b"PR"),
    "np int": lambda: np.int64(1),
    "np bool": lambda: np.True_,
    "np float": lambda: np.float64(1),
    "np nan": lambda: np.float64("nan"),
    "np text": lambda: np.str_("x"),
    "np void": lambda: np.zeros((), "i2,i1")[()],
    "0-d": lambda: np.array(1),
    "array": lambda: np.array([1]),
    "empty array": lambda: np.zeros(0, np.int64),
    "float array": lambda: np.array([1.0, math.nan]),
    "object array": lambda: np.array([None, object()]),
    "text array": lambda: np.array(["x"]),
    "array 2-d": lambda: np.zeros((2, 78), np.int64),
    "list": list,
    "list of none": lambda: [None],
    "list of -1": lambda: [-1],
    "list of 2^64": lambda: [2**64],
    "list of text": lambda: ["x"],
    "list of half": lambda: [1.5],
    "long list": lambda: ["x"] * LONG,
    "recursive": _recursive,
    "nested": lambda: _nested(3000),
    "tuple": tuple,
    "dict": dict,
    "set": set,
    "generator": lambda: iter(()),
    "breaking": _changing,
    "index raises": lambda: liar(__index__=boom),
    "index is text": lambda: liar(__index__=lambda _: "1"),
    "index one": lambda: indexed(1),
    "index 2^80": lambda: indexed(2**80),
    "int only": lambda: liar(__int__=lambda _: 1),
    "float only": lambda: liar(__float__=lambda _: 1.0),
    "len raises": lambda: liar(__len__=boom, __getitem__=boom, __iter__=boom),
    "iter raises": lambda: liar(__iter__=boom),
    "iter is none": lambda: liar(__iter__=lambda _: None),
    "eq raises": lambda: liar(__eq__=boom, __hash__=lambda _: 1),
    "hash raises": lambda: liar(__hash__=boom),
    "bool raises": lambda: liar(__bool__=boom),
    "repr raises": lambda: liar(__repr__=boom),
    "long repr": lambda: liar(__repr__=lambda _: "é" * LONG),
    "repr is none": lambda: liar(__repr__=lambda _: None),
    "attributes raise": lambda: liar(__getattr__=boom),
    "attributes are none": lambda: liar(__getattr__=lambda _, __: None),
}  # fmt: skip

#: Those that stand for an integer, and for which.
NUMBERS: Final[dict[str, int]] = {
    "true": 1,
    "minus": -1,
    "2^31": 2**31,
    "2^63": 2**63,
    "2^64-1": 2**64 - 1,
    "-2^63-1": -(2**63) - 1,
    "400 digits": 10**400,
    "5000 digits": 10**5000,
    "lying int": 1000,
    "np int": 1,
    "np bool": 1,
    "0-d": 1,
    "index one": 1,
    "index 2^80": 2**80,
}

#: Those without any item.
EMPTY: Final = ("empty text", "empty array", "list", "tuple", "dict", "set", "generator")


def integer_forms(number: int) -> dict[str, Maker]:
    """Return honest forms of an integer: of every type of numpy that it fits, and others."""
    kinds = (np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64)
    forms: dict[str, Maker] = {
        kind.__name__: partial(kind, number)
        for kind in kinds
        if np.iinfo(kind).min <= number <= np.iinfo(kind).max
    }
    if "int64" in forms:
        forms["0-d of it"] = lambda: np.array(number)
    forms["indexed"] = lambda: indexed(number)
    return forms


def not_integers(number: int) -> dict[str, Maker]:
    """Return what is as large as an integer but none."""
    return {
        "as float": lambda: float(number),
        "as np float": lambda: np.float64(number),
        "and a half": lambda: number + 0.5,
        "as decimal": lambda: Decimal(number),
        "as fraction": lambda: Fraction(number),
        "as complex": lambda: complex(number),
        "as text": lambda: str(number),
        "as bytes": lambda: str(number).encode(),
        "as array": lambda: np.array([number]),
        "as list": lambda: [number],
    }


def array_forms(cards: list[int]) -> Mapping[str, Maker]:
    """Return cards' numbers as every array and container that holds them."""
    kinds = (np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64)
    forms: dict[str, Maker] = {
        f"{kind.__name__} array": partial(np.array, cards, kind) for kind in kinds
    }
    spread = [number for card in cards for number in (card, -1)]
    return forms | {
        "strided": lambda: np.array(spread)[::2],
        "reversed": lambda: np.array(cards)[::-1],
        "big-endian": lambda: np.array(cards, ">i8"),
        "object array of it": lambda: np.array(cards, object),
        "read-only": lambda: _read_only(np.array(cards)),
        "np ints": lambda: [np.int64(card) for card in cards],
        "np bytes": lambda: [np.uint8(card) for card in cards],
        "indexed": lambda: [indexed(card) for card in cards],
        "tuple of it": lambda: tuple(cards),
        "set of it": lambda: set(cards),
        "iterator": lambda: iter(cards),
    }


def _read_only(array: Any) -> Any:
    array.setflags(write=False)
    return array
