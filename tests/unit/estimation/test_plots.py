"""Pictures of chances, without a display."""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tarot_sim import messages
from tarot_sim.errors import TarotError
from tarot_sim.estimation.answers import Chances
from tarot_sim.estimation.chunks import CHUNK
from tarot_sim.estimation.figures import estimate_p_make
from tarot_sim.estimation.hand_chances import chances
from tarot_sim.estimation.intervals import interval
from tarot_sim.estimation.judge import Method
from tarot_sim.estimation.plots import PlotError, convergence, plot_chances, save
from tarot_sim.rules import CONTRACTS
from tests.commands import HANDS, loaded

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

figures = pytest.importorskip("matplotlib.figure")

RUBBISH = "A:4,3 P:10,9,8,7,6 C:8,7,6,5,4 K:9,8,7 T:V,8,7"
PLAYERS = pytest.mark.parametrize("players", [3, 4, 5])
NAMES = ("Garde", "Garde sans", "Garde contre")


@cache
def answer(players: int = 4, worlds: int = 150, method: Method = "fast") -> Chances:
    return chances(HANDS[players], players=players, worlds=worlds, method=method, n_jobs=1)


def legend(axes: Axes) -> list[str]:
    found = axes.get_legend()
    assert found is not None
    return [text.get_text() for text in found.get_texts()]


def stairs(axes: Axes) -> list[tuple[Any, Any]]:
    """Return the shares and the edges of each contract's distribution."""
    patches: list[Any] = list(axes.patches)
    return [(patch.get_data().values, patch.get_data().edges) for patch in patches]


def points_of(line: Line2D) -> tuple[list[float], list[float]]:
    return np.asarray(line.get_xdata()).tolist(), np.asarray(line.get_ydata()).tolist()


@PLAYERS
def test_a_picture(players: int) -> None:
    figure = plot_chances(answer(players))
    assert type(figure) is figures.Figure
    points, settling = figure.axes
    for axes in (points, settling):
        assert axes.get_xlabel()
        assert "%" in axes.get_ylabel()
    assert HANDS[players] == points.get_title()
    assert "95 %" in settling.get_title()
    rows = [answer(players).contracts[contract] for contract in CONTRACTS[1:]]
    expected = [f"{name}: {100 * row.p_make:.0f} %" for name, row in zip(NAMES, rows, strict=True)]
    assert expected == legend(points)
    assert list(NAMES) == legend(settling)
    colours = [line.get_color() for line in settling.lines]
    assert 3 == len(set(colours))
    # The border between failed and made.
    assert any(np.array_equal(np.unique(line.get_xdata()), [0]) for line in points.lines)
    assert any("failed" in text.get_text() for text in points.texts)


@PLAYERS
def test_the_distribution_of_points(players: int) -> None:
    """Each contract has 100 % of its worlds, and its chance to the right of the border."""
    points = plot_chances(answer(players)).axes[0]
    for (shares, edges), contract in zip(stairs(points), CONTRACTS[1:], strict=True):
        assert 100 == pytest.approx(shares.sum())
        assert 0 in edges
        p_make = answer(players).trials[contract].p_make.mean()
        assert 100 * p_make == pytest.approx(shares[edges[:-1] >= 0].sum())


def test_points_beyond_the_scale_are_shown_at_its_end() -> None:
    found = chances(RUBBISH, worlds=50, method="fast", n_jobs=1)
    for shares, _ in stairs(plot_chances(found).axes[0]):
        assert 100 == pytest.approx(shares.sum())


@pytest.mark.parametrize("method", ["fast", "cascade"])
def test_convergence(method: Method) -> None:
    """It ends at the chance of the table, and at the table's interval."""
    found = answer(4, 150, method)
    for contract, trial in found.trials.items():
        steps, shares, lows, highs = convergence(trial)
        assert [CHUNK, 2 * CHUNK, 3 * CHUNK] == steps.tolist()
        row = found.contracts[contract]
        assert row.p_make == pytest.approx(shares[-1])
        assert row.ci95 == pytest.approx((lows[-1], highs[-1]))
        # What the sampling leaves of it shrinks; the judgement's own error does not.
        assert estimate_p_make(trial).se < estimate_p_make(trial.first(CHUNK)).se
        for place, step in enumerate(steps.tolist()):
            makes = estimate_p_make(trial.first(step))
            assert makes.probability == pytest.approx(shares[place])
            assert interval(makes.probability, makes.error) == pytest.approx(
                (lows[place], highs[place])
            )


@pytest.mark.parametrize("hand", [HANDS[4], RUBBISH], ids=["good", "rubbish"])
def test_the_intervals_drawn_are_those_of_the_table(hand: str) -> None:
    found = chances(hand, worlds=150, method="fast", n_jobs=1)
    settling = plot_chances(found).axes[1]
    bands: list[Any] = list(settling.collections)
    for band, contract in zip(bands, CONTRACTS[1:], strict=True):
        _, _, lows, highs = convergence(found.trials[contract])
        corners = band.get_paths()[0].vertices
        ends = corners[corners[:, 0] == found.worlds][:, 1]
        low, high = found.contracts[contract].ci95
        assert (100 * low, 100 * high) == pytest.approx((ends.min(), ends.max()))
        limits = 100 * np.concatenate([lows, highs])
        assert (limits.min(), limits.max()) == pytest.approx(
            (corners[:, 1].min(), corners[:, 1].max())
        )
        assert 0 <= limits.min() <= limits.max() <= 100


@PLAYERS
def test_the_picture_shows_the_convergence(players: int) -> None:
    settling = plot_chances(answer(players)).axes[1]
    for line, contract in zip(settling.lines, CONTRACTS[1:], strict=True):
        steps, shares, _, _ = convergence(answer(players).trials[contract])
        x, y = points_of(line)
        assert steps.tolist() == x
        assert (100 * shares).tolist() == pytest.approx(y)
    assert 3 == len(settling.collections)  # the intervals
    low, high = settling.get_ylim()
    assert low <= 0
    assert high >= 100


def test_a_french_picture() -> None:
    messages.use("fr")
    try:
        points, settling = plot_chances(answer()).axes
    finally:
        messages.use("en")
    assert ["chuté | réussi"] == [text.get_text() for text in points.texts]
    assert "mondes, %" == points.get_ylabel()
    assert points.get_xlabel().startswith("points au-delà")
    assert ("mondes jugés", "réussite, %") == (settling.get_xlabel(), settling.get_ylabel())
    assert "intervalle à 95 %, à cartes découvertes" == settling.get_title()
    assert list(NAMES) == [label.partition(" :")[0] for label in legend(points)]


@pytest.mark.parametrize(
    ("ending", "start"),
    [("png", b"\x89PNG\r\n\x1a\n"), ("svg", b"<?xml"), ("pdf", b"%PDF")],
)
def test_files(ending: str, start: bytes, tmp_path: Path) -> None:
    path = tmp_path / f"chances.{ending}"
    save(plot_chances(answer()), path)
    assert path.read_bytes().startswith(start)
    save(plot_chances(answer()), str(path))  # an old one is written over
    assert path.read_bytes().startswith(start)


def test_files_that_cannot_be_written(tmp_path: Path) -> None:
    figure = plot_chances(answer())
    for name in ("chances.xyz", "nowhere/chances.png"):
        path = tmp_path / name
        with pytest.raises(PlotError, match=r"^plot: .*chances\.") as caught:
            save(figure, path)
        assert isinstance(caught.value, TarotError)
        assert not path.exists()


def test_without_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(PlotError, match=r"^plot: needs matplotlib, pip install"):
        plot_chances(answer())


def test_no_display_is_looked_for(tmp_path: Path) -> None:
    """Neither pyplot nor a window's library is loaded; the module itself loads nothing."""
    code = (
        "from tarot_sim.estimation.hand_chances import chances\n"
        "from tarot_sim.estimation.plots import plot_chances, save\n"
        "assert 'matplotlib' not in sys.modules\n"
        f"answer = chances({HANDS[4]!r}, worlds=50, method='fast', n_jobs=1)\n"
        f"save(plot_chances(answer), {str(tmp_path / 'one.png')!r})"
    )
    assert [] == loaded(code, "matplotlib.pyplot", "tkinter", "PyQt5", "gi")
    assert (tmp_path / "one.png").exists()


def test_an_answer_is_not_changed() -> None:
    found = answer()
    before = replace(found)
    plot_chances(found)
    assert before == found
    for contract, trial in before.trials.items():
        assert np.array_equal(trial.p_make, found.trials[contract].p_make)
