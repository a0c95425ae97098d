"""One contract in some worlds: samples are pooled, and say what worlds score."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from tarot_sim.estimation.calibration import calibration
from tarot_sim.estimation.chunks import run_chunk
from tarot_sim.estimation.sample import JUDGED, Sample, pool
from tarot_sim.rules import CONTRACTS, Contract
from tests.reference.scoring import per_defender, scores
from tests.some_deals import plan_of
from tests.some_ends import assert_same, ends_of

PLAYERS = pytest.mark.parametrize("players", [3, 4, 5])


# --- pooling --------------------------------------------------------------------------


def numbered_sample(first: int, exact: int, judged: int, forecast: int) -> Sample:
    """Return a sample whose figures are the numbers of its worlds."""
    every = np.arange(first, first + forecast, dtype=np.float64)
    whole = every.astype(np.int64)
    return Sample(
        contract="garde",
        players=4,
        controls=np.column_stack([every, every + 0.25, every + 0.5]),
        p_make=every[:judged],
        fitted=every[:judged],
        bouts=whole[:judged],
        ends=ends_of(every[:judged].tolist()),
        multipliers=whole[:judged],
        bonus=whole[:judged],
        exact=every[:exact],
        proved=every[:exact] % 2 == 1,
        doubts=calibration().doubts(4, "garde"),
    )


def test_pooled_samples_keep_each_world_together() -> None:
    samples = [
        numbered_sample(0, 2, 5, 9),
        numbered_sample(100, 0, 3, 3),
        numbered_sample(200, 4, 4, 10),
        numbered_sample(300, 1, 6, 8),
    ]
    whole = pool(samples)
    assert [0, 1, 200, 201, 202, 203, 300] == whole.exact.tolist()
    assert (whole.exact % 2 == 1).tolist() == whole.proved.tolist()
    rest = [2, 3, 4, 100, 101, 102, 301, 302, 303, 304, 305]
    assert [*whole.exact.tolist(), *rest] == whole.p_make.tolist()
    for name in {*JUDGED} - {"ends"}:
        assert whole.p_make.tolist() == getattr(whole, name).tolist()
    assert whole.p_make.tolist() == whole.ends.petits.tolist()
    # The judged worlds come first among the control variates, too.
    assert whole.p_make.tolist() == whole.controls[: len(whole.p_make), 0].tolist()
    every = sorted(number for sample in samples for number in sample.controls[:, 0].tolist())
    assert every == sorted(whole.controls[:, 0].tolist())
    assert (whole.controls[:, 2] - whole.controls[:, 0] == 0.5).all()


def test_one_sample_pooled_is_itself() -> None:
    for sample in (numbered_sample(7, 3, 5, 9), run_chunk(plan_of(5), 0, 50).samples["garde"]):
        assert_same(sample, pool([sample]))


def test_the_first_worlds_of_a_sample() -> None:
    sample = numbered_sample(0, 4, 8, 20)
    for n in (1, 3, 4, 6, 8):
        first = sample.first(n)
        for name in {*JUDGED} - {"ends"}:
            assert list(range(n)) == getattr(first, name).tolist()
        assert list(range(n)) == first.ends.petits.tolist()
        assert list(range(min(n, 4))) == first.exact.tolist()
        assert min(n, 4) == len(first.proved)
        assert np.array_equal(sample.controls, first.controls)


# --- scores ---------------------------------------------------------------------------


def sure_sample(contract: Contract, players: int, rows: Iterable[tuple[int, ...]]) -> Sample:
    """Return worlds of which all is known: margin, bouts, Petit, chelem, multipliers, bonus."""
    table = np.array(list(rows))
    margins = table[:, 0].astype(np.float64)
    p_make = (margins >= 0).astype(np.float64)
    return Sample(
        contract=contract,
        players=players,
        controls=np.column_stack([p_make, margins, margins]),
        p_make=p_make,
        fitted=margins,
        bouts=table[:, 1],
        ends=ends_of(table[:, 2].tolist(), table[:, 3].tolist(), table[:, 0].tolist()),
        multipliers=table[:, 4],
        bonus=table[:, 5],
        exact=np.zeros(0),
        proved=np.zeros(0, np.bool_),
        doubts=calibration().doubts(players, contract),
    )


def taker_score(
    contract: Contract, players: int, row: tuple[int, ...], partner: bool, shown: bool
) -> int:
    """Return the score of the published rules."""
    margin, bouts, petit, chelem, _, bonus = row
    level = {0: [], 20: ["simple"], 30: ["double"], 40: ["triple"]}[bonus if shown else 0]
    points = (56, 51, 41, 36)[bouts] + Fraction(margin, 2)
    value = per_defender(
        contract, points, bouts, petit_au_bout=petit, chelem=chelem, poignees=level
    )
    return scores(players, value, partner=partner)["taker"]


#: Far from the border: what a margin near it means is another question.
ROWS = [
    (90, 3, 0, 0), (92, 1, 1, 0), (100, 2, 0, 0), (110, 3, 1, 1), (88, 2, -1, 0),
    (-84, 0, 0, 0), (-90, 1, -1, 0), (-86, 1, 1, 0), (-112, 0, 0, -1),
]  # fmt: skip


@pytest.mark.parametrize(("players", "partner"), [(3, False), (4, False), (5, True), (5, False)])
@pytest.mark.parametrize("contract", CONTRACTS)
@pytest.mark.parametrize("bonus", [0, 20, 40])
def test_scores_where_all_is_known(
    players: int, partner: bool, contract: Contract, bonus: int
) -> None:
    multipliers = 2 if partner else players - 1
    rows = [(*row, multipliers, bonus) for row in ROWS]
    made = [row for row in rows if row[0] >= 0]
    for some, shown in ((made, True), (rows, True), ([row for row in rows if row[0] < 0], False)):
        sample = sure_sample(contract, players, some)
        assert (shown and bonus > 0) == sample.shows_poignee
        expected = [taker_score(contract, players, row, partner, shown) for row in some]
        # At 3 and 5 players a quarter of a point stands for the half points rounded.
        extra = 0.0 if players == 4 else 0.25
        factor = {"prise": 1, "garde": 2, "garde_sans": 4, "garde_contre": 6}[contract]
        # A sweep's margin is known, and rounded as it is.
        rounding = [
            extra * factor * multipliers * (1 if row[0] >= 0 else -1) * (row[3] == 0)
            for row in some
        ]
        found = sample.scores - np.array(rounding)
        assert expected == pytest.approx(found.tolist(), abs=0.01)
        won = [multipliers * bonus * (1 if row[0] >= 0 else -1) for row in some]
        assert won == pytest.approx(sample.poignees.tolist())


def test_scores_after_an_exact_search() -> None:
    """A world that was thought lost and is made, one the other way round, and one left open."""
    rows = [(-60, 2, 0, 0, 2, 20), (60, 2, 1, 0, 4, 20), (60, 2, 0, 0, 2, 20)]
    sample = replace(
        sure_sample("garde", 5, rows),
        exact=np.array([1.0, 0.0, 1.0]), proved=np.array([True, True, False]),
    )  # fmt: skip
    assert sample.shows_poignee
    # Far on the other side of the border the margin is next to it: about 0, or −1 half point.
    made, failed, same = sample.exact_scores.tolist()
    assert 2 * (2 * 25.25 + 20) <= made < 2 * (2 * 30 + 20)
    assert 4 * (-2 * 30 + 20 - 20) < failed <= 4 * (-2 * 25.75 + 20 - 20)
    assert same == pytest.approx(sample.scores[2], abs=0.1)
    changed = [made - sample.scores[0], sample.scores[1] - failed]
    assert changed == pytest.approx(sample.stakes(2).tolist(), abs=0.1)
    hidden = replace(sample, bonus=np.zeros(3, np.int64))
    assert made - 2 * 20 == pytest.approx(hidden.exact_scores[0])


def test_half_points_are_a_quarter_of_a_point_on_average() -> None:
    """Of equally many margins with and without a half point, all rounded away from zero."""
    margins = [*range(80, 180), *range(-180, -80)]
    rows = [(margin, 2, 0, 0, 2, 0) for margin in margins]
    for some in (rows[:100], rows[100:]):
        sample = sure_sample("garde", 3, some)
        expected = np.mean([taker_score("garde", 3, row, False, False) for row in some])
        assert expected == pytest.approx(sample.scores.mean(), abs=0.01)


@pytest.mark.parametrize("contract", CONTRACTS)
def test_the_spread_where_all_is_known(contract: Contract) -> None:
    """Far from the border the spread is around the margin, and each score a possible one."""
    rows = [(*row, 3, 20) for row in ROWS]
    sample = sure_sample(contract, 4, rows)
    values, weights = sample.score_spread()
    points, chances = sample.points_spread()
    # Eight margins with the Petit au bout, the same without, and two sweeps.
    assert (len(rows), 18) == values.shape == weights.shape
    assert (len(rows), 10) == points.shape == chances.shape
    assert [1.0] * len(rows) == pytest.approx(weights.sum(axis=1).tolist())
    folded = np.column_stack([weights[:, :8] + weights[:, 8:16], weights[:, 16:]])
    assert folded == pytest.approx(chances)
    for row, found, weight, margins in zip(rows, values, weights, points, strict=True):
        made, petit, chelem = row[0] >= 0, row[2], row[3]
        for place in np.flatnonzero(weight):
            margin = round(2 * margins[place - 8 if place >= 8 else place])
            known = (margin, row[1], petit, chelem, *row[4:])
            assert taker_score(contract, 4, known, False, sample.shows_poignee) == found[place]
            assert (margin >= 0) == made
        if chelem:
            assert np.flatnonzero(weight).tolist() == [16 if chelem > 0 else 17]
        else:
            assert len(np.flatnonzero(weight)) == 4


@PLAYERS
def test_points(players: int) -> None:
    """Without a sweep the bouts are those of the line; a sweep has points of its own."""
    sample = run_chunk(plan_of(players), 0, 50).samples["garde"]
    for bouts, margin, points, chelems in zip(
        sample.bouts, sample.margins, sample.points, sample.chelems, strict=True
    ):
        if not chelems.any():
            assert (56, 51, 41, 36)[bouts] + margin / 2 == pytest.approx(points)
    swept = replace(
        sample,
        p_make=np.array([0.0, 1.0] * 25),
        ends=replace(sample.ends, sweeps=np.array([[0.0, 1.0], [1.0, 0.0]] * 25)),
    )
    assert (2 * swept.points).tolist() == [
        float(row[1 - number % 2]) for number, row in enumerate(swept.ends.sweep_points)
    ]
