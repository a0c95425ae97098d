"""What can be wrong with what a caller passes in.

Every error is a ``ValueError`` whose message is one line that names the card,
hand or field at fault: the command line prints it as it is.
"""

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NoReturn


class TarotError(ValueError):
    """Base of all errors about input.

    Attributes
    ----------
    more
        What else is wrong with the same input, a message each.
    """

    more: tuple[str, ...] = ()


class OptionError(TarotError):
    """An argument that says how to do something, not what the cards are: its value is wrong."""


class CardError(TarotError):
    """A token that names no card, or a card that cannot be where it is."""


class HandError(TarotError):
    """A set of cards with a duplicate, or of the wrong size."""


class RulesError(TarotError):
    """A table (number of players, option) that the game does not know."""


class RecordError(TarotError):
    """A deal record that is malformed or contradicts itself."""


class IllegalPlayError(TarotError):
    """A card that may not be played now."""


class BidError(TarotError):
    """A bid, call, écart or announcement that is not allowed."""


class ScoreError(TarotError):
    """A result that no deal can have."""


class PositionError(TarotError):
    """A position that no deal can reach."""


class RecordWarning(UserWarning):
    """Something in a record that is ignored, or that had to be assumed."""


#: Where remarks are noted besides, in the thread that asks for it.
_noted: ContextVar[list[str] | None] = ContextVar("noted", default=None)


def remark(message: str) -> None:
    """Warn of something in a record that is ignored or assumed."""
    noted = _noted.get()
    if noted is not None:
        noted.append(message)
    warnings.warn(message, RecordWarning, stacklevel=3)


@contextmanager
def remarks() -> Iterator[list[str]]:
    """Note the remarks that are made inside, in this thread."""
    noted: list[str] = []
    token = _noted.set(noted)
    try:
        yield noted
    finally:
        _noted.reset(token)


@contextmanager
def field(name: str) -> Iterator[None]:
    """Put the field's name before the message of any error raised inside."""
    try:
        yield
    except TarotError as error:
        raise named(name, error) from None


def named(name: str, error: TarotError) -> TarotError:
    """Return an error with a field's name before its message, and before what else is wrong.

    Examples
    --------
    >>> named("dog", HandError("5 cards, expected 6"))
    HandError('dog: 5 cards, expected 6')
    """
    found = type(error)(f"{name}: {error}")
    found.more = tuple(f"{name}: {message}" for message in error.more)
    return found


def raise_all(faults: Sequence[TarotError]) -> NoReturn:
    """Raise the first of some errors, of which there is one at least, with the others."""
    first, *others = faults
    messages = [*first.more]
    for other in others:
        messages += [str(other), *other.more]
    first.more = tuple(messages)
    raise first
