"""Pictures of what was computed; needs matplotlib (the extra ``plot``)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from tarot_sim.errors import TarotError
from tarot_sim.estimation.chunks import CHUNK
from tarot_sim.estimation.figures import estimate_p_make
from tarot_sim.rules import CONTRACTS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from tarot_sim.estimation.answers import Chances
    from tarot_sim.estimation.sample import Sample
    from tarot_sim.rules import Contract

_NAMES: Final[dict[Contract, str]] = {
    "prise": "Prise",
    "garde": "Garde",
    "garde_sans": "Garde sans",
    "garde_contre": "Garde contre",
}
#: Colours that colour-blind people tell apart (Okabe and Ito).
_COLOURS: Final[dict[Contract, str]] = {
    "prise": "#000000",
    "garde": "#0072B2",
    "garde_sans": "#D55E00",
    "garde_contre": "#009E73",
}
_SHOWN: Final = CONTRACTS[1:]  # the deals of Prise and Garde are the same
_NEEDS_MATPLOTLIB: Final = "plot: needs matplotlib, pip install 'tarot_sim[plot]'"
_BINS: Final = np.arange(-60.0, 61.0, 4.0)


class PlotError(TarotError):
    """A picture that cannot be made."""


def check_plot(path: str | Path) -> None:
    """Raise unless a picture can be written there, before the work for it is done.

    Raises
    ------
    PlotError
        If matplotlib is not there, or the ending is not one that it can write.
    """
    try:
        from matplotlib.backend_bases import FigureCanvasBase
    except ImportError:
        raise PlotError(_NEEDS_MATPLOTLIB) from None
    known = FigureCanvasBase.get_supported_filetypes()
    ending = Path(path).suffix.removeprefix(".").lower()
    if ending not in known:
        raise PlotError(f"plot: {path}: the ending is not one of {', '.join(sorted(known))}")
    if not Path(path).parent.is_dir():
        raise PlotError(f"plot: {path}: there is no folder {Path(path).parent}")


def plot_chances(answer: Chances) -> Figure:
    """Draw the distribution of points and how the chances settle.

    Left: the attack's card points above what its bouts need, with the border between
    failed and made. Right: each chance with its 95 % interval (sampling alone) by the
    number of worlds judged.

    Parameters
    ----------
    answer
        From `chances`.

    Raises
    ------
    PlotError
        If matplotlib is not there.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise PlotError(_NEEDS_MATPLOTLIB) from None
    figure = Figure(figsize=(11, 4.5), layout="constrained")
    points, settling = figure.subplots(1, 2)
    for contract in _SHOWN:
        trial, row = answer.trials[contract], answer.contracts[contract]
        values, weights = trial.points_spread()
        share, edges = np.histogram(
            np.clip(values, _BINS[0], _BINS[-1]), bins=_BINS, weights=weights / len(values)
        )
        label = f"{_NAMES[contract]}: {100 * row.p_make:.0f} %"
        points.stairs(100 * share, edges, color=_COLOURS[contract], label=label, linewidth=1.8)
        steps, means, halves = convergence(trial)
        settling.plot(steps, 100 * means, color=_COLOURS[contract], label=_NAMES[contract])
        settling.fill_between(
            steps,
            100 * np.clip(means - halves, 0, 1),
            100 * np.clip(means + halves, 0, 1),
            color=_COLOURS[contract],
            alpha=0.15,
            linewidth=0,
        )
    points.axvline(0, color="#555555", linewidth=1)
    points.annotate(
        "failed | made", (0, 1), xycoords=("data", "axes fraction"), xytext=(0, -12),
        textcoords="offset points", ha="center", fontsize=8, color="#555555",
    )  # fmt: skip
    points.set(
        xlabel="card points above the need of the attack's bouts",
        ylabel="worlds, %",
        title=str(answer.hand),
    )
    points.title.set_fontsize(9)
    points.legend(frameon=False)
    settling.set(
        xlabel="worlds judged",
        ylabel="made, %",
        ylim=(-2, 102),
        title="95 % interval of the sampling, double dummy",
    )
    settling.title.set_fontsize(9)
    settling.legend(frameon=False)
    for axes in (points, settling):
        axes.spines[["top", "right"]].set_visible(False)
    return figure


def convergence(
    trial: Sample,
) -> tuple[np.ndarray[tuple[int], np.dtype[np.int64]], ...]:
    """Return numbers of worlds, the estimates from so many, and half of their intervals."""
    n = len(trial.p_make)
    steps = np.arange(CHUNK, n + 1, CHUNK)
    found = [estimate_p_make(trial.first(int(step))) for step in steps]
    means = np.array([estimate.mean for estimate in found])
    halves = np.array([1.96 * estimate.se for estimate in found])
    return steps, means, halves


def save(figure: Figure, path: str | Path) -> None:
    """Write a picture; the name's ending says how.

    Raises
    ------
    PlotError
        If the ending is not one that matplotlib can write, or the file cannot be written.
    """
    try:
        figure.savefig(path, dpi=150)
    except (ValueError, OSError) as error:
        raise PlotError(f"plot: {path}: {error}") from None
