"""How far the chances of a hand are off for reasons that more worlds do not cure.

A hand's worlds resemble one another, so the judge may be wrong about all of them in the same
direction. That is taken for a shift δ which the logits of its worlds share: a world of
probability p moves by δ p(1 − p), one that is clear hardly at all.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Fewest worlds of a hand.
LEAST: Final = 4
_TRIED: Final = np.arange(0, 3, 0.01)
# Below this the luck of few worlds that are all but sure is no measure.
_LEAST_LUCK: Final = 1e-5


@dataclass(frozen=True, slots=True)
class Shift:
    """The standard deviation over hands of the shift that the logits of a hand share.

    Attributes
    ----------
    likeliest
        The likeliest.
    low, high
        Where the logarithm of the likelihood has lost 1.353: it is below, or above, with a
        probability of 5 % each.
    hands
        How many hands tell.
    """

    likeliest: float
    low: float
    high: float
    hands: int

    def __str__(self) -> str:
        """Return it in words."""
        if not self.hands:
            return "no hand tells a shift"
        found = f"{self.likeliest:.2f} ({self.low:.2f} … {self.high:.2f})"
        return f"shift of {self.hands} hands {found}"


def shift_likelihood(
    p_make: NDArray[np.float64], truth: NDArray[np.int64], hand_of: NDArray[np.int64]
) -> tuple[NDArray[np.float64], int]:
    """Return the logarithm of the likelihood of every shift that is tried, and the hands.

    A hand's mean error has the variance that its probabilities lead to expect if they are
    true, and that of the shift.

    Parameters
    ----------
    p_make
        Shape (n,): the judge's probability of each world.
    truth
        Shape (n,): 1 made, 0 failed, −1 unknown.
    hand_of
        Shape (n,): the number of its hand.
    """
    likelihood, hands = np.zeros(len(_TRIED)), 0
    for number in np.unique(hand_of):
        rows = (hand_of == number) & (truth >= 0)
        if rows.sum() < LEAST:
            continue
        open_ = float((p_make[rows] * (1 - p_make[rows])).mean())
        error = float((p_make[rows] - truth[rows]).mean())
        variance = open_ / rows.sum() + _LEAST_LUCK + (_TRIED * open_) ** 2
        likelihood += -np.log(variance) / 2 - error**2 / variance / 2
        hands += 1
    return likelihood, hands


def likeliest_shift(likelihood: NDArray[np.float64], hands: int) -> Shift:
    """Return the shift that a likelihood tells; those of several sources may be added."""
    near = _TRIED[likelihood >= likelihood.max() - 1.353]
    return Shift(float(_TRIED[likelihood.argmax()]), float(near.min()), float(near.max()), hands)


def own_error(
    p_make: NDArray[np.float64], truth: NDArray[np.int64], hand_of: NDArray[np.int64]
) -> Shift:
    """Return the shift that worlds of known truth tell; parameters as `shift_likelihood`."""
    return likeliest_shift(*shift_likelihood(p_make, truth, hand_of))
