"""Fitted numbers, each with the command that made it: what ``calibration.json`` holds.

The file names every column of the evidence (`tarot_sim.estimation.judge`) that a weight is for,
so that the order of columns carries no meaning, and tells of each number how it was found.
``python -m benchmarks.calibration.fit_judge PLAYERS --write`` writes the fits anew.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from os.path import splitext
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tarot_sim.rules import Contract

#: What a fit may read: the counts and a play-out, or the searches of a method beside them.
Stage = Literal["forecast", "fast", "cascade"]

#: The form of the file.
FORMAT: Final = 1


class CalibrationError(RuntimeError):
    """The fitted numbers are not those of this version of the judge."""


@dataclass(frozen=True, slots=True)
class Weights:
    """What each column of the evidence counts for.

    Attributes
    ----------
    p_make
        float64 (k,): in the logit that a deal is made.
    margin
        float64 (k,): in half points above the need.
    """

    p_make: NDArray[np.float64]
    margin: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Doubts:
    """How far off what is expected of deals may be.

    Attributes
    ----------
    margin_sd
        Standard deviation of a deal's margin around the expected one, in half points.
    logit_shift
        How far the logits of all worlds of a hand are off together: the standard deviation over
        hands of the shift that more worlds do not cure.
    margin
        The same of the margin, in half points.
    petit_logit, sweep_logit
        The same of the logits of the Petit au bout and of the sweeps.
    """

    margin_sd: float
    logit_shift: float
    margin: float
    petit_logit: float
    sweep_logit: float


class Calibration:
    """The numbers of a document such as ``calibration.json``.

    Attributes
    ----------
    margin_sd
        By players: standard deviation of a deal's margin around the fitted one of the stage
        ``cascade``, in half points.
    discard_correlation
        How the model errors of two écarts of the same hand and dog go together: what the judge
        is off by is the cards' for the most part.
    """

    def __init__(self, document: dict[str, Any]) -> None:
        if document["format"] != FORMAT:
            raise CalibrationError(f"calibration: format {document['format']}, expected {FORMAT}")
        self.margin_sd = {int(n): float(sd) for n, sd in document["margin_sd"]["values"].items()}
        self.discard_correlation = float(document["discard_correlation"]["value"])
        self._shifts = document["logit_shift"]["values"]
        self._ends = document["ends"]["values"]
        self._evidence = document["evidence_version"]
        self._fits = {(fit["stage"], fit["players"]): fit for fit in document["fits"]}
        self._weights: dict[tuple[str, int, tuple[str, ...]], Weights] = {}

    def logit_shift(self, players: int, contract: Contract) -> float:
        """Return how far the logits of all worlds of a hand are off together.

        It is the standard deviation over hands of the shift that more worlds do not cure.
        """
        dog = "without_dog" if contract in ("garde_sans", "garde_contre") else "with_dog"
        return float(self._shifts[str(players)][dog])

    def doubts(self, players: int, contract: Contract) -> Doubts:
        """Return how far off the judge may be."""
        off = self.ends(players)["error"]
        return Doubts(
            self.margin_sd[players],
            self.logit_shift(players, contract),
            off["margin"],
            off["petit_logit"],
            off["sweep_logit"],
        )

    def ends(self, players: int) -> dict[str, dict[str, float]]:
        """Return what `tarot_sim.estimation.ends` goes by, each fit with its terms by name."""
        fits: dict[str, dict[str, float]] = self._ends[str(players)]
        return fits

    def weights(self, stage: Stage, players: int, names: tuple[str, ...], version: int) -> Weights:
        """Return what a fit gives to columns of evidence.

        Parameters
        ----------
        stage, players
            Which fit.
        names
            The k columns.
        version
            Of their meaning.

        Raises
        ------
        CalibrationError
            If the fit was made for other columns or another meaning of them.
        """
        key = stage, players, names
        if key not in self._weights:
            fit = self._fits.get((stage, players), {"p_make": {}, "margin": {}})
            for kind in ("p_make", "margin"):
                if version != self._evidence or set(names) != set(fit[kind]):
                    differ = ", ".join(sorted(set(names) ^ set(fit[kind]))) or "none"
                    raise CalibrationError(
                        f"calibration: {kind} of the stage {stage} at {players} players was fitted "
                        f"to evidence of version {self._evidence}, the judge's is {version}; "
                        f"columns that only one of them has: {differ}; fit it anew"
                    )
            self._weights[key] = Weights(
                *(np.array([fit[kind][name] for name in names]) for kind in ("p_make", "margin"))
            )
        return self._weights[key]


@cache
def calibration() -> Calibration:
    """Return what is shipped with the package, read when it is first asked for."""
    # It lies beside this module; pathlib or importlib.resources would take longer to import than
    # the file to read.
    with open(f"{splitext(__file__)[0]}.json", encoding="utf-8") as file:
        return Calibration(json.load(file))
