"""What a hand's chances hang on, from the forecasts of many worlds.

A reason splits the worlds in two by something that the player cannot see, a card in the
dog or a holding of the defence, and says how the chance differs. The dogs are also grouped by
their trumps, bouts and Rois.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np

from tarot_sim.cards import BOUTS_MASK, EXCUSE, SUIT_MASKS, Hand
from tarot_sim.notation import TRUMP
from tarot_sim.rules.chavey import ChaveyCount, chavey_count
from tarot_sim.worlds._counts import FEATURES

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
    # A defender's Petit with at most two trumps beside it: see `world_features`.
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

    def to_dict(self) -> dict[str, Any]:
        """Return the reason as it stands in JSON."""
        return {
            "kind": self.kind,
            "least": self.least,
            "share": self.share,
            "p_make": self.p_make,
            "p_otherwise": self.p_otherwise,
        }


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

    def to_dict(self) -> dict[str, Any]:
        """Return the kind as it stands in JSON."""
        return {
            "trumps": self.trumps,
            "bouts": self.bouts,
            "rois": self.rois,
            "share": self.share,
            "p_make": self.p_make,
        }


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

    def to_dict(self) -> dict[str, Any]:
        """Return what the dog brings as it stands in JSON."""
        return {
            "helps": self.helps,
            "best": self.best.to_dict(),
            "worst": self.worst.to_dict(),
        }


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
            "splits": [split.to_dict() for split in self.splits],
            "dogs": None if self.dogs is None else self.dogs.to_dict(),
        }


def find_reasons(
    hand: Hand, features: NDArray[np.int16], forecasts: NDArray[np.float64], p_make: float
) -> Reasons:
    """Find what the chance of a Garde hangs on.

    Parameters
    ----------
    hand
        The hand as dealt.
    features
        Shape (N, 16), from `world_features` with the dog in the taker's hand.
    forecasts
        Shape (N,): forecast of the Garde in each world.
    p_make
        The chance of the Garde, with which the forecasts are brought into accord.
    """
    makes = shifted(forecasts, p_make)
    found = []
    for kind, (name, borders) in _SPLITS.items():
        column = features[:, FEATURES.index(name)]
        best: Reason | None = None
        weight = 0.0
        for least in borders:
            there = column >= least
            share = float(there.mean())
            if not _LEAST_SHARE <= share <= 1 - _LEAST_SHARE:
                continue
            here, else_ = float(makes[there].mean()), float(makes[~there].mean())
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
        dogs=_dogs(features, makes),
    )


def _dogs(features: NDArray[np.int16], makes: NDArray[np.float64]) -> Dogs | None:
    """Group the dogs and compare their chances."""
    counts = np.column_stack(
        [np.minimum(features[:, FEATURES.index(name)], most) for name, most in _MOST_IN_DOG.items()]
    )
    kinds, group = np.unique(counts, axis=0, return_inverse=True)
    group = group.ravel()
    shares = np.bincount(group) / len(makes)
    chances = np.bincount(group, makes) / np.bincount(group)
    frequent = [
        DogKind(trumps, bouts, rois, share, p_make)
        for (trumps, bouts, rois), share, p_make in zip(
            kinds.tolist(), shares.tolist(), chances.tolist(), strict=True
        )
        if share >= max(_LEAST_SHARE, _LEAST_WORLDS / len(makes))
    ]
    if not frequent:
        return None
    best = max(frequent, key=lambda kind: kind.p_make)
    worst = min(frequent, key=lambda kind: kind.p_make)
    if best.p_make - worst.p_make < _LEAST_EFFECT:
        return None
    return Dogs(float(shares[chances > makes.mean()].sum()), best, worst)


def shifted(chances: NDArray[np.float64], mean: float) -> NDArray[np.float64]:
    """Move the logits of chances by one number, so that their mean is the given one.

    Examples
    --------
    >>> import numpy as np
    >>> round(float(shifted(np.array([0.2, 0.4]), 0.5).mean()), 6)
    0.5
    """
    if not 0 < mean < 1:
        return np.full(len(chances), mean)
    inside = np.clip(chances, 1e-12, 1 - 1e-12)
    logits = np.log(inside / (1 - inside))
    low, high = -60.0, 60.0
    for _ in range(60):
        middle = (low + high) / 2
        if (1 / (1 + np.exp(-(logits + middle)))).mean() < mean:
            low = middle
        else:
            high = middle
    moved: NDArray[np.float64] = 1 / (1 + np.exp(-(logits + high)))
    return moved
