"""What callers pass, read once: plain integers, names, objects of a class, arrays of one's own.

Whatever is checked here is no more what the caller holds: an integer of any type is a plain one
afterwards, an array is a copy that nobody else can change. Errors begin with the argument's name.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from math import inf, isnan
from operator import index
from typing import TYPE_CHECKING, Any, Final, SupportsFloat, SupportsIndex, TypeVar

from tarot_sim.errors import OptionError, TarotError
from tarot_sim.notation import shown

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray

_T = TypeVar("_T")

#: More rows than any memory holds.
MOST_ROWS: Final = 1 << 40


def integer(name: str, value: object, error: type[TarotError] = OptionError) -> int:
    """Return an integer of any type as a plain one.

    Raises
    ------
    OptionError
        Or `error`: if it is no integer.

    Examples
    --------
    >>> integer("seed", True)
    1
    """
    try:
        return index(value)  # type: ignore[arg-type]  # of whatever is passed
    except TypeError:
        raise error(f"{name}: {shown(value)} is no integer") from None


def real(name: str, value: object) -> float:
    """Return a number of any type as a float.

    Raises
    ------
    OptionError
        If it is no number, as NaN says of itself.
    """
    is_real = isinstance(value, SupportsFloat | SupportsIndex) and not isinstance(value, bool)
    # An array of one number is a number to `float` alone.
    if not is_real or getattr(value, "shape", ()) != ():
        raise OptionError(f"{name}: {shown(value)} is no number")
    try:
        number = float(value)  # type: ignore[arg-type]  # a number, as was just seen
        if isnan(number):
            raise OptionError(f"{name}: {shown(value)} is no number")
        return number
    except OverflowError:  # an integer of hundreds of digits
        return inf if index(value) > 0 else -inf  # type: ignore[arg-type]


def whole_number(
    name: str,
    value: object,
    least: int,
    most: int = MOST_ROWS,
    error: type[TarotError] = OptionError,
) -> int:
    """Return an argument as a plain integer within limits.

    Raises
    ------
    OptionError
        Or `error`: if it is no integer, or beyond the limits.

    Examples
    --------
    >>> whole_number("n", 3, 0)
    3
    """
    number = integer(name, value, error)
    if number < least:
        reason = "is negative" if least == 0 else f"is less than {least}"
        raise error(f"{name}: {shown(number)} {reason}")
    if number > most:
        raise error(f"{name}: {shown(number)} is more than {most}")
    return number


def seat_number(
    name: str, value: object, players: int, error: type[TarotError] = OptionError
) -> int:
    """Return a seat of the table as a plain integer.

    Raises
    ------
    OptionError
        Or `error`: if it is none.
    """
    number = integer(name, value, error)
    if not 0 <= number < players:
        raise error(f"{name}: {shown(number)} is not a seat of 0…{players - 1}")
    return number


def one_of(
    name: str, value: object, allowed: Collection[str], error: type[TarotError] = OptionError
) -> str:
    """Return a word that has to be one of a few.

    Raises
    ------
    OptionError
        Or `error`: if it is none of them.

    Examples
    --------
    >>> one_of("camp", "attack", ("attack", "defence"))
    'attack'
    """
    if not isinstance(value, str) or value not in allowed:
        raise error(f"{name}: {shown(value)} is not one of {', '.join(allowed)}")
    return value


def instance_of(name: str, value: object, cls: type[_T]) -> _T:
    """Return an object that has to be of a class: looking like it does not do.

    Raises
    ------
    OptionError
        If it is not.
    """
    # By its type: what an object says of its class is its own affair.
    if not issubclass(type(value), cls):
        raise OptionError(f"{name}: {shown(value)} is no {cls.__name__}")
    return value  # type: ignore[return-value]


def some(name: str, values: Iterable[_T], error: type[TarotError] = OptionError) -> list[_T]:
    """Return a list of the items of something that has to have some: no text, no number.

    Raises
    ------
    OptionError
        Or `error`: if it is no such thing.
    """
    if isinstance(values, (str, bytes, bytearray, memoryview)) or not isinstance(values, Iterable):
        raise error(f"{name}: {shown(values)} is no list")
    return list(values)


def in_order(name: str, values: Iterable[_T], error: type[TarotError] = OptionError) -> list[_T]:
    """Return a list of the items of something that has them in an order: no set, no mapping.

    Raises
    ------
    OptionError
        Or `error`: if it is no such thing.
    """
    if isinstance(values, Set | Mapping):
        raise error(f"{name}: {shown(values)} is no list")
    return some(name, values, error)


def own_array(
    name: str, values: object, dtype: DTypeLike, shape: Sequence[int | None]
) -> NDArray[Any]:
    """Return a copy of an array, contiguous, of exactly this type and shape.

    Parameters
    ----------
    name
        The argument's.
    values
        What has to be such an array, of whatever layout.
    dtype
        Its type.
    shape
        Its shape, None where any length will do.

    Raises
    ------
    OptionError
        If it is none.

    Examples
    --------
    >>> import numpy as np
    >>> own_array("attack", np.ones((2, 3), np.uint8)[:, 1], np.uint8, (2,))
    array([1, 1], dtype=uint8)
    """
    import numpy as np

    expected = np.dtype(dtype)
    copied = np.array(values, order="C") if issubclass(type(values), np.ndarray) else None
    if (
        copied is None
        or copied.dtype != expected
        or copied.ndim != len(shape)
        or any(
            length not in (None, found) for length, found in zip(shape, copied.shape, strict=True)
        )
    ):
        lengths = ", ".join("n" if length is None else str(length) for length in shape)
        only = "," if len(shape) == 1 else ""
        raise OptionError(f"{name}: expected an array of {expected.name}, shape ({lengths}{only})")
    return copied
