"""What a hand's chances hang on, from the forecasts of many worlds.

A reason splits the worlds in two by something that the player cannot see, a card in the
dog or a holding of the defence, and says how the chance differs. The dogs are also grouped by
their trumps, bouts and Rois.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np

from tarot_sim.cards import BOUTS_MASK, EXCUSE, SUIT_MASKS, Hand
from tarot_sim.notation import TRUMP
from tarot_sim.rules.chavey import ChaveyCount, chavey_count
from tarot_sim.worlds.logits import logistic, logit

if TYPE_CHECKING:
    from numpy.typing import NDArray

Kind = Literal["dog_bout", "dog_trumps", "dog_roi", "long_trumps", "roi_ruffed", "petit_alone"]

#: What each kind of reason looks at, and the least values that are tried as its border.
_SPLITS: Final[dict[Kind, tuple[str, tuple[int, ...]]]] = {
    "dog_bout": ("dog_bouts", (1,)),
    "dog_trumps": ("dog_trumps", (1, 2, 3)),
    "dog_roi": ("dog_rois", (1,)),
    "long_trumps": ("longest_defender", (4, 5, 6, 7, 8, 9, 10)),
    "roi_ruffed": ("rois_ruffed", (1, 2)),
    # A defender's Petit with at most two trumps beside it: see `COUNTS_DTYPE`.
    "petit_alone": ("petit_hunted", (5,)),
}
#: A split that moves less of the chance, or leaves less on one side, is no reason.
_LEAST_EFFECT: Final = 0.03
_LEAST_SHARE: Final = 0.03
#: Nor is what so few worlds say a best or a worst dog.
_LEAST_WORLDS: Final = 40
#: Dogs with so many trumps, bouts or Rois and those with more are one kind.
_MOST_IN_DOG: Final = {"dog_trumps": 3, "dog_bouts": 1, "dog_rois": 1}


@dataclass(frozen=True, slots=True)
class Reason:
    """One thing that the chance hangs on.

    Attributes
    ----------
    kind
        ``dog_bout``, ``dog_trumps``, ``dog_roi``: the dog brings so many at least;
        ``long_trumps``: a defender holds so many trumps at least; ``roi_ruffed``: so many
        of the Rois held can be ruffed at once; ``petit_alone``: a defender holds the Petit
        with at most two other trumps.
    least
        So many at least.
    share
        How often that is so.
    p_make, p_otherwise
        Chance of a Garde where it is so, and where it is not.
    """

    kind: Kind
    least: int
    share: float
    p_make: float
    p_otherwise: float


@dataclass(frozen=True, slots=True)
class DogKind:
    """Dogs that are alike.

    Attributes
    ----------
    trumps
        Trumps in the dog but the Excuse: 0, 1, 2, or 3 for three and more.
    bouts, rois
        1 if there is one at least, else 0.
    share
        How often the dog is of this kind.
    p_make
        Chance of a Garde then.
    """

    trumps: int
    bouts: int
    rois: int
    share: float
    p_make: float


@dataclass(frozen=True, slots=True)
class Dogs:
    """What the dog brings.

    Attributes
    ----------
    helps
        How often the dog is of a kind with which the chance of a Garde is above its mean.
    best, worst
        The kinds with the highest and the lowest chance, of those that are not rare.
    """

    helps: float
    best: DogKind
    worst: DogKind


@dataclass(frozen=True, slots=True)
class Reasons:
    """What speaks for and against a hand.

    Attributes
    ----------
    trumps
        Trumps held, the Excuse among them.
    bouts
        Bouts held.
    chavey
        Chavey's count, which was made for 4 players.
    splits
        What the chance of a Garde hangs on, the greatest effect first.
    dogs
        What the dog brings; None where the chance hardly differs by the dog.
    """

    trumps: int
    bouts: int
    chavey: ChaveyCount
    splits: tuple[Reason, ...]
    dogs: Dogs | None

    def to_dict(self) -> dict[str, Any]:
        """Return the reasons as they stand in JSON."""
        return {
            "trumps": self.trumps,
            "bouts": self.bouts,
            "chavey": self.chavey.total,
            "chavey_bid": self.chavey.bid,
            "splits": [asdict(split) for split in self.splits],
            "dogs": None if self.dogs is None else asdict(self.dogs),
        }


def find_reasons(
    hand: Hand, counts: NDArray[Any], forecasts: NDArray[np.float64], p_make: float
) -> Reasons:
    """Find what the chance of a Garde hangs on.

    Parameters
    ----------
    hand
        The hand as dealt.
    counts
        `COUNTS_DTYPE` (N,), the dog in the taker's hand.
    forecasts
        Shape (N,): forecast of the probability that a Garde is made, in each world.
    p_make
        That probability over all worlds, with which the forecasts are brought into accord.
    """
    forecasts = shifted(forecasts, p_make)
    found = []
    for kind, (name, borders) in _SPLITS.items():
        column = counts[name]
        best: Reason | None = None
        weight = 0.0
        for least in borders:
            there = column >= least
            share = float(there.mean())
            if not _LEAST_SHARE <= share <= 1 - _LEAST_SHARE:
                continue
            here, else_ = float(forecasts[there].mean()), float(forecasts[~there].mean())
            if share * (1 - share) * abs(here - else_) > weight:
                weight = share * (1 - share) * abs(here - else_)
                best = Reason(kind, least, share, here, else_)
        if best is not None and abs(best.p_make - best.p_otherwise) >= _LEAST_EFFECT:
            found.append((weight, best))
    found.sort(key=lambda item: -item[0])
    held = hand.mask
    return Reasons(
        trumps=(held & (SUIT_MASKS[TRUMP] | 1 << EXCUSE)).bit_count(),
        bouts=(held & BOUTS_MASK).bit_count(),
        chavey=chavey_count(hand),
        splits=tuple(reason for _, reason in found),
        dogs=_dogs(counts, forecasts),
    )


def _dogs(counts: NDArray[Any], forecasts: NDArray[np.float64]) -> Dogs | None:
    """Group the dogs and compare their chances."""
    held = np.column_stack([np.minimum(counts[name], most) for name, most in _MOST_IN_DOG.items()])
    kinds, group = np.unique(held, axis=0, return_inverse=True)
    group = group.ravel()
    shares = np.bincount(group) / len(forecasts)
    chances = np.bincount(group, forecasts) / np.bincount(group)
    frequent = [
        DogKind(trumps, bouts, rois, share, p_make)
        for (trumps, bouts, rois), share, p_make in zip(
            kinds.tolist(), shares.tolist(), chances.tolist(), strict=True
        )
        if share >= max(_LEAST_SHARE, _LEAST_WORLDS / len(forecasts))
    ]
    if not frequent:
        return None
    best = max(frequent, key=lambda kind: kind.p_make)
    worst = min(frequent, key=lambda kind: kind.p_make)
    if best.p_make - worst.p_make < _LEAST_EFFECT:
        return None
    return Dogs(float(shares[chances > forecasts.mean()].sum()), best, worst)


def shifted(chances: NDArray[np.float64], mean: float) -> NDArray[np.float64]:
    """Move the logits of chances by one number, so that their mean is the given one.

    The number has no closed form; the mean rises with it, so that halving finds it.

    Examples
    --------
    >>> import numpy as np
    >>> round(float(shifted(np.array([0.2, 0.4]), 0.5).mean()), 6)
    0.5
    """
    if not 0 < mean < 1:
        return np.full(len(chances), mean)
    logits = logit(chances, 1e-12)
    low, high = -60.0, 60.0
    for _ in range(60):
        middle = (low + high) / 2
        if logistic(logits + middle).mean() < mean:
            low = middle
        else:
            high = middle
    return logistic(logits + high)
