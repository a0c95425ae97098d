"""What can be wrong with what a caller passes in.

Every error is a ``ValueError`` whose message is one line that names the card,
hand or field at fault: the command line prints it as it is.
"""

from collections.abc import Iterator
from contextlib import contextmanager


class TarotError(ValueError):
    """Base of all errors about input."""


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
    """Something in a record that is ignored."""


@contextmanager
def field(name: str) -> Iterator[None]:
    """Put the field's name before the message of any error raised inside."""
    try:
        yield
    except TarotError as error:
        raise type(error)(f"{name}: {error}") from None
