"""A point count that says what to bid, as French players are taught it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, SupportsIndex

from tarot_sim.arguments import integer
from tarot_sim.cards import EXCUSE, PETIT, SUIT_MASKS, VINGT_ET_UN, Hand
from tarot_sim.notation import TRUMP
from tarot_sim.rules.table import Bid

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class ChaveyCount:
    """The items of `chavey_count`, in its own points.

    Attributes
    ----------
    bouts
        The 21, the Excuse and a Petit in company.
    trumps
        Two for each trump, bouts included, from five on.
    high_trumps
        The trumps from the 16 up, and their sequences.
    honours
        Rois, Dames, Cavaliers and Valets.
    long_suits
        Suits of five cards and more.
    short_suits
        Voids and singletons, which count for a Garde sans or contre only.
    """

    bouts: int
    trumps: int
    high_trumps: int
    honours: int
    long_suits: int
    short_suits: int

    @property
    def total(self) -> int:
        """The count for a Prise or a Garde: all but the short suits."""
        return self.bouts + self.trumps + self.high_trumps + self.honours + self.long_suits

    @property
    def total_without_dog(self) -> int:
        """The count for a Garde sans or contre, in which short suits stay short."""
        return self.total + self.short_suits

    @property
    def bid(self) -> Bid:
        """What the count says to bid."""
        return chavey_bid(self)


_TRUMPS_MASK: Final = SUIT_MASKS[TRUMP] | 1 << EXCUSE


def chavey_count(hand: SupportsIndex) -> ChaveyCount:
    """Count a hand as dealt the way French players are taught to.

    The count was made for four players and is published in N. Chavey, *Le jeu de
    tarot* (Hatier, 1986). The Excuse counts as a trump; a suit longer than seven
    counts as one of seven.

    Examples
    --------
    >>> from tarot_sim.cards import Hand
    >>> chavey_count(Hand("A:21,19,12,6,1,EX C:R,C,10,8,1 K:V,8 T:D,C,7 P:6,4")).total
    60
    """
    held = Hand.from_mask(hand).mask
    n_trumps = (held & _TRUMPS_MASK).bit_count()
    bouts = 10 * (held >> VINGT_ET_UN & 1) + 8 * (held >> EXCUSE & 1)
    if held >> PETIT & 1:
        bouts += {5: 5, 6: 7}.get(n_trumps, 9 if n_trumps > 6 else 0)
    high = held >> PETIT + 15 & 0b111111  # 16…21
    in_sequence = high & (high << 1 | high >> 1)
    lanes = [held >> 14 * suit & 0x3FFF for suit in range(4)]
    lengths = [lane.bit_count() for lane in lanes]
    return ChaveyCount(
        bouts=bouts,
        trumps=2 * n_trumps if n_trumps > 4 else 0,
        high_trumps=2 * high.bit_count() + in_sequence.bit_count(),
        honours=sum(
            (0, 3, 6, 10)[lane >> 12] + 2 * (lane >> 11 & 1) + (lane >> 10 & 1) for lane in lanes
        ),
        long_suits=sum((5, 7, 9)[min(length, 7) - 5] for length in lengths if length >= 5),
        short_suits=6 * lengths.count(0) + 3 * lengths.count(1),
    )


def chavey_totals(rows: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Count many hands at once: `ChaveyCount.total` of each.

    Parameters
    ----------
    rows
        Shape (n, 78): which cards each hand holds.

    Returns
    -------
    numpy.ndarray
        Shape (n,).
    """
    import numpy as np

    suits = rows[:, : 4 * 14].reshape(len(rows), 4, 14)
    high = rows[:, PETIT + 15 : VINGT_ET_UN + 1]  # 16…21
    trumps = rows[:, PETIT : VINGT_ET_UN + 1].sum(axis=1) + rows[:, EXCUSE]
    beside = np.zeros_like(high)
    beside[:, 1:] = high[:, :-1]
    beside[:, :-1] |= high[:, 1:]
    petit = np.select([trumps > 6, trumps == 6, trumps == 5], [9, 7, 5], 0)
    lengths = np.minimum(suits.sum(axis=2), 7)
    valets, cavaliers, dames, rois = (suits[:, :, rank] for rank in (10, 11, 12, 13))
    total: NDArray[np.int64] = (
        10 * rows[:, VINGT_ET_UN]
        + 8 * rows[:, EXCUSE]
        + petit * rows[:, PETIT]
        + np.where(trumps > 4, 2 * trumps, 0)
        + 2 * high.sum(axis=1)
        + (high & beside).sum(axis=1)
        + (6 * rois + 3 * dames + (rois & dames) + 2 * cavaliers + 1 * valets).sum(axis=1)
        + np.where(lengths >= 5, 2 * lengths - 5, 0).sum(axis=1)
    )
    return total


def chavey_bid(count: ChaveyCount | int) -> Bid:
    """Return the bid for a count: 40 Prise, 56 Garde, 71 Garde sans, 81 Garde contre.

    Parameters
    ----------
    count
        What `chavey_count` gave, whose short suits then count towards the contracts
        without the dog only; or a plain number.

    Examples
    --------
    >>> chavey_bid(39), chavey_bid(56), chavey_bid(81)
    ('pass', 'garde', 'garde_contre')
    """
    if isinstance(count, ChaveyCount):
        total, total_without_dog = count.total, count.total_without_dog
    else:
        total = total_without_dog = integer("count", count)
    if total_without_dog > 80:
        return "garde_contre"
    if total_without_dog > 70:
        return "garde_sans"
    if total > 55:
        return "garde"
    return "prise" if total > 39 else "pass"
