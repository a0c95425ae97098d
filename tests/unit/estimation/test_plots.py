"""Pictures of chances, without a display."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tarot_sim.errors import TarotError
from tarot_sim.estimation.answers import Chances
from tarot_sim.estimation.chunks import CHUNK
from tarot_sim.estimation.figures import estimate_p_make
from tarot_sim.estimation.hand_chances import chances
from tarot_sim.estimation.judge import Method
from tarot_sim.estimation.plots import PlotError, convergence, plot_chances, save
from tarot_sim.rules import CONTRACTS
from tests.commands import command, environment

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

figures = pytest.importorskip("matplotlib.figure")

HANDS = {
    3: "A:21,18,15,13,11,9,6,4,2,EX P:R,D,8,4 C:R,10,5 K:D,9,4,2 T:R,7,3",
    4: "A:21,19,15,12,9,6,3,EX P:R,D,7 C:R,10,5 K:9,4 T:V,8",
    5: "A:21,18,14,11,7,4,EX P:R,D,6 C:10,5 K:9 T:V,8",
}
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
    found = answer(4, 150, method)
    for contract, trial in found.trials.items():
        steps, means, halves = convergence(trial)
        assert [CHUNK, 2 * CHUNK, 3 * CHUNK] == steps.tolist()
        row = found.contracts[contract]
        assert row.p_make == pytest.approx(means[-1])
        assert 1.96 * row.se == pytest.approx(halves[-1])
        assert halves[-1] < halves[0]
        for step, mean in zip(steps.tolist(), means.tolist(), strict=True):
            assert estimate_p_make(trial.first(step)).mean == pytest.approx(mean)


@PLAYERS
def test_the_picture_shows_the_convergence(players: int) -> None:
    settling = plot_chances(answer(players)).axes[1]
    for line, contract in zip(settling.lines, CONTRACTS[1:], strict=True):
        steps, means, _ = convergence(answer(players).trials[contract])
        x, y = points_of(line)
        assert steps.tolist() == x
        assert (100 * means).tolist() == pytest.approx(y)
    assert 3 == len(settling.collections)  # the intervals
    low, high = settling.get_ylim()
    assert low <= 0
    assert high >= 100


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
        "import sys\n"
        "from tarot_sim.estimation.hand_chances import chances\n"
        "from tarot_sim.estimation.plots import plot_chances, save\n"
        "assert 'matplotlib' not in sys.modules\n"
        f"answer = chances({HANDS[4]!r}, worlds=50, method='fast', n_jobs=1)\n"
        f"save(plot_chances(answer), {str(tmp_path / 'one.png')!r})\n"
        "print(sorted({'matplotlib.pyplot', 'tkinter', 'PyQt5', 'gi'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [command()[0], "-c", code],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
        env=environment(),
    )
    assert "[]\n" == done.stdout
    assert (tmp_path / "one.png").exists()


def test_an_answer_is_not_changed() -> None:
    found = answer()
    before = replace(found)
    plot_chances(found)
    assert before == found
    for contract, trial in before.trials.items():
        assert np.array_equal(trial.p_make, found.trials[contract].p_make)
