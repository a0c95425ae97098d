"""Which hidden cards decide between two choices: where one does better, where the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from tarot_sim.cards import CARDS, EXCUSE, PETIT, SUIT_MASKS, Card
from tarot_sim.notation import TRUMP

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from tarot_sim.deals.view import View

#: Worlds on either side of a fact at least, and standard errors that tell it from chance: of some
#: hundred facts the clearest is taken.
_FEWEST: Final = 5
_CLEAR: Final = 3.5
#: Trumps below are told apart by nobody.
_HIGH_TRUMP: Final = PETIT + 14
_LOWEST_HONOUR: Final = 10


@dataclass(frozen=True, slots=True)
class Deciding:
    """A fact about the hidden cards on which a choice turns.

    Attributes
    ----------
    seat
        Who.
    card
        The card that the seat holds; None where the fact is a void.
    suit
        The suit that the seat lacks, 4 for trumps; None where the fact is a card.
    share
        In which part of the worlds it is so.
    gain, otherwise
        What the choice brings more than its rival where it is so and where it is not, in the
        points of the mover's camp.
    """

    seat: int
    card: Card | None
    suit: int | None
    share: float
    gain: float
    otherwise: float


def deciding_fact(
    view: View, owners: NDArray[np.uint8], gains: NDArray[np.float64]
) -> Deciding | None:
    """Return the fact that the gains of one choice over another depend on most.

    Parameters
    ----------
    view
        What the seat knows.
    owners
        uint8 (n, 78): who held each card at the first trick in each world.
    gains
        (n,): what the choice brings more than its rival in each.

    Returns
    -------
    Deciding or None
        None where nothing stands out from chance.
    """
    n, best, found = len(gains), _CLEAR, None
    for seat, card, suit, holds in _facts(view, owners):
        count = int(holds.sum())
        if not _FEWEST <= count <= n - _FEWEST:
            continue
        on, off = gains[holds], gains[~holds]
        se = np.sqrt(on.var(ddof=1) / len(on) + off.var(ddof=1) / len(off))
        clear = abs(on.mean() - off.mean()) / se if se > 0 else 0.0
        if clear > best:
            best = float(clear)
            found = Deciding(seat, card, suit, count / n, float(on.mean()), float(off.mean()))
    return found


def _facts(
    view: View, owners: NDArray[np.uint8]
) -> Iterator[tuple[int, Card | None, int | None, NDArray[np.bool_]]]:
    """Yield who may hold which telling card, and who may lack a suit; (n,) each."""
    others = [seat for seat in range(view.players) if seat != view.seat]
    unseen = [int(card) for card in view.unseen]
    for number in unseen:
        if number < PETIT and number % 14 < _LOWEST_HONOUR:
            continue
        if PETIT < number < _HIGH_TRUMP:
            continue
        for seat in others:
            yield seat, CARDS[number], None, owners[:, number] == seat
    for suit in range(TRUMP + 1):
        cards = [c for c in unseen if SUIT_MASKS[suit] >> c & 1 and c != EXCUSE]
        if not cards:
            continue
        for seat in others:
            if suit not in view.voids[seat]:
                yield seat, None, suit, ~(owners[:, cards] == seat).any(axis=1)
