"""Pictures of what was computed; needs matplotlib (the extra ``plot``)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from tarot_sim.errors import TarotError
from tarot_sim.estimation.chunks import CHUNK
from tarot_sim.estimation.figures import estimate_p_make
from tarot_sim.estimation.intervals import interval
from tarot_sim.messages import text
from tarot_sim.rules import CONTRACTS

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    from tarot_sim.estimation.answers import Chances
    from tarot_sim.estimation.sample import Sample
    from tarot_sim.rules import Contract

#: Colours that colour-blind people tell apart (Okabe and Ito).
_COLOURS: Final[dict[Contract, str]] = {
    "prise": "#000000",
    "pousse": "#999999",
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
    failed and made. Right: each chance with its 95 % interval, which ends as the answer's
    own, by the number of worlds judged. Labels are in the language in use.

    Parameters
    ----------
    answer
        From `chances`.

    Raises
    ------
    PlotError
        If matplotlib is not there, or nothing may be bid.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise PlotError(_NEEDS_MATPLOTLIB) from None
    if not answer.contracts:
        raise PlotError("plot: nothing may be bid above a Garde contre")
    figure = Figure(figsize=(11, 4.5), layout="constrained")
    points, settling = figure.subplots(1, 2)
    for contract in (name for name in _SHOWN if name in answer.contracts):
        trial, row = answer.trials[contract], answer.contracts[contract]
        values, weights = trial.points_spread()
        share, edges = np.histogram(
            np.clip(values, _BINS[0], _BINS[-1]), bins=_BINS, weights=weights / len(values)
        )
        name = text(f"contract.{contract}")
        label = text("plot.chance", contract=name, made=f"{100 * row.p_make:.0f}")
        points.stairs(100 * share, edges, color=_COLOURS[contract], label=label, linewidth=1.8)
        steps, chances, lows, highs = convergence(trial)
        settling.plot(steps, 100 * chances, color=_COLOURS[contract], label=name)
        settling.fill_between(
            steps, 100 * lows, 100 * highs, color=_COLOURS[contract], alpha=0.15, linewidth=0
        )
    points.axvline(0, color="#555555", linewidth=1)
    points.annotate(
        text("plot.border"), (0, 1), xycoords=("data", "axes fraction"), xytext=(0, -12),
        textcoords="offset points", ha="center", fontsize=8, color="#555555",
    )  # fmt: skip
    points.set(
        xlabel=text("plot.points"),
        ylabel=text("plot.worlds_share"),
        title=str(answer.hand),
    )
    points.title.set_fontsize(9)
    points.legend(frameon=False)
    settling.set(
        xlabel=text("plot.worlds"),
        ylabel=text("plot.made"),
        ylim=(-2, 102),
        title=text("plot.interval"),
    )
    settling.title.set_fontsize(9)
    settling.legend(frameon=False)
    for axes in (points, settling):
        axes.spines[["top", "right"]].set_visible(False)
    return figure


def convergence(
    trial: Sample,
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return how the chance of a contract settles, and its 95 % interval: that of the table.

    Returns
    -------
    steps
        Shape (k,): numbers of worlds judged, the last one that of all.
    chances, lows, highs
        Shape (k,): the chance by so many worlds, and the limits of its interval.
    """
    steps = np.unique([*range(CHUNK, len(trial.p_make), CHUNK), len(trial.p_make)])
    chances, lows, highs = np.empty((3, len(steps)))
    for place, step in enumerate(steps):
        makes = estimate_p_make(trial.first(int(step)))
        chances[place] = makes.probability
        lows[place], highs[place] = interval(makes.probability, makes.error)
    return steps, chances, lows, highs


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
