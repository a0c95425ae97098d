"""What a hand's chances hang on: the best split of the worlds by each fact."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tarot_sim.cards import Hand
from tarot_sim.estimation.reasons import DogKind, Dogs, Reason, Reasons, find_reasons, shifted
from tarot_sim.rules import Rules
from tarot_sim.rules.chavey import chavey_count
from tarot_sim.worlds._counts import COUNTS_DTYPE, world_counts
from tarot_sim.worlds._sampler import sample_worlds

HAND = Hand("A:20,19,14,8,5 P:R,D,6 C:C,10,4 K:R,4,3 T:V,9,2,1", size=18)
#: The fact that each kind of reason looks at, and the borders that are possible.
KINDS = {
    "dog_bout": ("dog_bouts", [1]),
    "dog_trumps": ("dog_trumps", [1, 2, 3]),
    "dog_roi": ("dog_rois", [1]),
    "long_trumps": ("longest_defender", [4, 5, 6, 7, 8, 9, 10]),
    "roi_ruffed": ("rois_ruffed", [1, 2]),
    "petit_alone": ("petit_hunted", [5]),
}

Figures = NDArray[np.float64]
Counts = NDArray[Any]


def facts(n: int, **columns: Any) -> Counts:
    """Return counts of n worlds that are 0 but for these columns."""
    counts = np.zeros(n, COUNTS_DTYPE)
    for name, values in columns.items():
        counts[name] = values
    return counts


def reasons_of(counts: Counts, makes: Figures) -> tuple[Reason, ...]:
    """Return the splits where the forecasts are right on average."""
    return find_reasons(HAND, counts, makes, float(makes.mean())).splits


def random_case(seed: int) -> tuple[Counts, Figures]:
    """Return facts of real worlds, and chances that follow some of them."""
    rng = np.random.default_rng(seed)
    worlds = sample_worlds(HAND, 0, Rules(), 400, np.random.PCG64DXSM(seed))
    counts = world_counts(worlds, 0, np.full(400, 1, np.uint8), 4, True)
    some = [counts[name] for name in (COUNTS_DTYPE.names or ())[:8]]
    odds = np.column_stack(some) @ rng.normal(0, 0.4, 8)
    odds += rng.normal(0, 0.3, 400) - odds.mean()
    return counts, 1 / (1 + np.exp(-odds))


# --- one fact at a time ---------------------------------------------------------------


@pytest.mark.parametrize("kind", list(KINDS))
def test_a_fact_that_the_chance_hangs_on(kind: str) -> None:
    name, borders = KINDS[kind]
    for least in borders:
        column = np.array([least - 1, least, least + 1, least - 1] * 10)
        makes = np.where(column >= least, 0.9, 0.5)
        (reason,) = reasons_of(facts(40, **{name: column}), makes)
        assert (kind, least) == (reason.kind, reason.least)
        figures = {"share": 0.5, "p_make": 0.9, "p_otherwise": 0.5}
        found = {name: getattr(reason, name) for name in figures}
        assert figures == pytest.approx(found, abs=1e-6)
        # It may speak against the hand as well.
        (against,) = reasons_of(facts(40, **{name: column}), 1.4 - makes)
        assert (0.5, 0.9) == pytest.approx((against.p_make, against.p_otherwise), abs=1e-6)


@pytest.mark.parametrize(
    "name", sorted(set(COUNTS_DTYPE.names or ()) - {name for name, _ in KINDS.values()})
)
def test_other_facts_are_no_reasons(name: str) -> None:
    column = np.arange(40)
    assert () == reasons_of(facts(40, **{name: column}), np.linspace(0.1, 0.9, 40))


def test_small_effects_are_no_reasons() -> None:
    column = np.array([0, 1] * 50)
    for effect, count in ((0.02, 0), (0.029, 0), (0.031, 1), (0.2, 1)):
        makes = np.where(column == 1, 0.5 + effect, 0.5)
        assert count == len(reasons_of(facts(100, dog_bouts=column), makes)), effect


@pytest.mark.parametrize(("there", "count"), [(0, 0), (2, 0), (3, 1), (50, 1), (97, 1), (98, 0)])
def test_what_is_nearly_always_or_never_so_is_no_reason(there: int, count: int) -> None:
    column = np.arange(100) < there
    makes = np.where(column, 0.9, 0.4)
    assert count == len(reasons_of(facts(100, dog_rois=column), makes))


def test_the_border_that_explains_most() -> None:
    """Not the one with the largest difference, which is on few worlds."""
    column = np.repeat([0, 1, 2, 3], [40, 40, 15, 5])
    makes = np.repeat([0.3, 0.7, 0.72, 0.9], [40, 40, 15, 5])
    (reason,) = reasons_of(facts(100, dog_trumps=column), makes)
    assert (1, 0.6) == (reason.least, reason.share)
    makes = np.repeat([0.3, 0.31, 0.8, 0.8], [40, 40, 15, 5])
    (reason,) = reasons_of(facts(100, dog_trumps=column), makes)
    assert (2, 0.2) == (reason.least, reason.share)


def test_the_greatest_effect_comes_first() -> None:
    bouts = np.array([0, 0, 0, 1] * 25)
    rois = np.array([0, 1] * 50)
    ruffed = np.repeat([0, 1], 50)
    makes = 0.3 + 0.1 * bouts + 0.2 * rois + 0.05 * ruffed
    counts = facts(100, dog_bouts=bouts, dog_rois=rois, rois_ruffed=ruffed)
    assert ["dog_roi", "dog_bout", "roi_ruffed"] == [r.kind for r in reasons_of(counts, makes)]


# --- all together ---------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_real_worlds(seed: int) -> None:
    """Every split is what it says, none is missing, and none would be better."""
    counts, makes = random_case(seed)
    splits = reasons_of(counts, makes)
    found = {split.kind: split for split in splits}
    assert len(found) == len(splits)
    weights = []
    for kind, (name, borders) in KINDS.items():
        column = counts[name]
        best: tuple[float, int, float, float, float] | None = None
        for least in borders:
            here = [p for p, value in zip(makes, column, strict=True) if value >= least]
            away = [p for p, value in zip(makes, column, strict=True) if value < least]
            share = len(here) / len(makes)
            if not 0.03 <= share <= 0.97:
                continue
            one, two = sum(here) / len(here), sum(away) / len(away)
            case = (share * (1 - share) * abs(one - two), least, share, one, two)
            best = case if best is None or case[0] > best[0] else best
        if best is None or abs(best[3] - best[4]) < 0.03:
            assert kind not in {split.kind for split in splits}
            continue
        split = next(split for split in splits if split.kind == kind)
        assert best[1] == split.least
        assert best[2:] == pytest.approx((split.share, split.p_make, split.p_otherwise), abs=1e-6)
        whole = split.share * split.p_make + (1 - split.share) * split.p_otherwise
        assert makes.mean() == pytest.approx(whole, abs=1e-6)
    for split in splits:
        effect = abs(split.p_make - split.p_otherwise)
        weights.append(split.share * (1 - split.share) * effect)
    assert all(one >= two for one, two in pairwise(weights))


def test_forecasts_are_brought_into_accord_with_the_chance() -> None:
    column = np.array([0, 1] * 50)
    forecasts = np.where(column == 1, 0.8, 0.6)
    counts = facts(100, dog_bouts=column)
    before: Reason | None = None
    for p_make in (0.3, 0.7, 0.85):
        (reason,) = find_reasons(HAND, counts, forecasts, p_make).splits
        assert p_make == pytest.approx((reason.p_make + reason.p_otherwise) / 2, abs=1e-6)
        assert reason.p_make > reason.p_otherwise
        if before is not None:
            assert reason.p_make > before.p_make
            assert reason.p_otherwise > before.p_otherwise
        before = reason
    for sure in (0.0, 1.0):
        assert () == find_reasons(HAND, counts, forecasts, sure).splits


@pytest.mark.parametrize("mean", [1e-4, 0.05, 0.5, 0.93, 0.9999])
def test_shifted_chances(mean: float) -> None:
    """All odds change by one factor, so that the order stays."""
    chances = np.random.default_rng(2).uniform(0.02, 0.98, 50)
    moved = shifted(chances, mean)
    assert mean == pytest.approx(moved.mean(), abs=1e-9)
    factors = moved / (1 - moved) / (chances / (1 - chances))
    assert np.full(50, factors[0]) == pytest.approx(factors, rel=1e-6)


def test_chances_shifted_to_what_is_sure() -> None:
    chances = np.array([0.0, 0.2, 1.0])
    assert [0.0] * 3 == shifted(chances, 0.0).tolist()
    assert [1.0] * 3 == shifted(chances, 1.0).tolist()
    assert np.isfinite(shifted(chances, 0.4)).all()
    assert chances == pytest.approx(shifted(chances, float(chances.mean())), abs=1e-4)


# --- the hand -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "trumps", "bouts"),
    [
        ("A:20,19,14,8,5 P:R,D,6 C:C,10,4 K:R,4,3 T:V,9,2,1", 5, 0),
        ("A:21,1,EX P:R,D,6 C:C,10,4 K:R,4,3 T:V,9,8,7,2,1", 3, 3),
        ("A:20,19,18,17,EX P:R,D,6 C:C,10,4 K:R,4,3 T:V,9,2,1", 5, 1),
        ("P:R,D,C,V,10,9 C:R,D,C,V,10,9 K:R,D,C,V,10,9", 0, 0),
    ],
)
def test_what_is_held(hand: str, trumps: int, bouts: int) -> None:
    held = Hand(hand, size=18)
    reasons = find_reasons(held, facts(10), np.full(10, 0.5), 0.5)
    assert (trumps, bouts) == (reasons.trumps, reasons.bouts)
    assert chavey_count(held) == reasons.chavey
    assert () == reasons.splits


def slow_dogs(counts: Counts, makes: Figures) -> dict[tuple[int, ...], tuple[float, float]]:
    """Return share and chance of every kind of dog."""
    kinds: dict[tuple[int, ...], list[float]] = {}
    columns = (counts[name].tolist() for name in ("dog_trumps", "dog_bouts", "dog_rois"))
    for trumps, bouts, rois, make in zip(*columns, makes.tolist(), strict=True):
        kinds.setdefault((min(trumps, 3), min(bouts, 1), min(rois, 1)), []).append(make)
    return {
        kind: (len(found) / len(makes), sum(found) / len(found)) for kind, found in kinds.items()
    }


@pytest.mark.parametrize("seed", range(5))
def test_best_and_worst_dogs(seed: int) -> None:
    counts, makes = random_case(seed)
    mean = 0.3 + 0.1 * seed  # not that of the forecasts, which are moved to it
    dogs = find_reasons(HAND, counts, makes, mean).dogs
    assert dogs is not None
    kinds = slow_dogs(counts, shifted(makes, mean))
    helps = sum(share for share, chance in kinds.values() if chance > mean)
    assert helps == pytest.approx(dogs.helps, abs=1e-6)
    frequent = {kind: figures for kind, figures in kinds.items() if figures[0] >= 0.1}
    for found, pick in ((dogs.best, max), (dogs.worst, min)):
        kind = pick(frequent, key=lambda kind: frequent[kind][1])
        assert kind == (found.trumps, found.bouts, found.rois)
        assert frequent[kind] == pytest.approx((found.share, found.p_make), abs=1e-6)


def test_dogs_that_make_no_difference() -> None:
    counts = facts(100, dog_trumps=np.arange(100) % 4)
    assert find_reasons(HAND, counts, np.full(100, 0.4), 0.4).dogs is None
    # Rare dogs are no best or worst ones, however good.
    rare = facts(100, dog_bouts=np.arange(100) < 2)
    assert find_reasons(HAND, rare, np.where(np.arange(100) < 2, 0.9, 0.4), 0.41).dogs is None
    few = facts(1500, dog_bouts=np.arange(1500) < 46)  # not rare, but hardly 40 worlds
    for n, known in ((39, False), (45, True)):
        some = few[46 - n :]
        chance = np.where(np.arange(len(some)) < n, 0.9, 0.4)
        dogs = find_reasons(HAND, some[: 40 * n // 2], chance[: 40 * n // 2], 0.41).dogs
        assert known == (dogs is not None)
    split = facts(100, dog_trumps=np.arange(100) % 2)
    dogs = find_reasons(HAND, split, np.where(np.arange(100) % 2, 0.9, 0.4), 0.65).dogs
    assert dogs is not None
    assert (0.5, 1, 0) == (dogs.helps, dogs.best.trumps, dogs.worst.trumps)


def test_dictionary() -> None:
    reason = Reason("long_trumps", 6, 0.25, 0.4, 0.7)
    best, worst = DogKind(2, 1, 0, 0.05, 0.9), DogKind(0, 0, 0, 0.25, 0.2)
    dogs = Dogs(0.4, best, worst)
    found = Reasons(8, 2, chavey_count(HAND), (reason,), dogs).to_dict()
    split = {
        "kind": "long_trumps", "least": 6, "share": 0.25, "p_make": 0.4, "p_otherwise": 0.7,
    }  # fmt: skip
    count = chavey_count(HAND)
    expected = {
        "trumps": 8, "bouts": 2, "chavey": count.total, "chavey_bid": count.bid, "splits": [split],
        "dogs": {
            "helps": 0.4,
            "best": {"trumps": 2, "bouts": 1, "rois": 0, "share": 0.05, "p_make": 0.9},
            "worst": {"trumps": 0, "bouts": 0, "rois": 0, "share": 0.25, "p_make": 0.2},
        },
    }  # fmt: skip
    assert expected == found
    counts, makes = random_case(1)
    real = find_reasons(HAND, counts, makes, 0.6).to_dict()
    assert real["splits"]
    assert real["dogs"] is not None
    assert real == json.loads(json.dumps(real, allow_nan=False))
