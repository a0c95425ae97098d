"""The fitted numbers: what is shipped, and what is refused."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from importlib.resources import files
from typing import Any

import numpy as np
import pytest

from tarot_sim.estimation.calibration import Calibration, CalibrationError, Stage, calibration
from tarot_sim.estimation.judge import EVIDENCE_VERSION

DOCUMENT = files("tarot_sim.estimation").joinpath("calibration.json").read_text("utf-8")
STAGES: tuple[Stage, ...] = ("forecast", "fast", "cascade")


def test_it_is_read_once() -> None:
    assert calibration() is calibration()


def test_every_table_and_stage_has_one_fit() -> None:
    found = [(fit["players"], fit["stage"]) for fit in json.loads(DOCUMENT)["fits"]]
    assert [(players, stage) for players in (3, 4, 5) for stage in STAGES] == found


def test_numbers_tell_where_they_come_from() -> None:
    document = json.loads(DOCUMENT)
    others = (document[name] for name in ("margin_sd", "logit_shift", "discard_correlation"))
    for numbers in (*document["fits"], *others):
        made_by = numbers["made_by"]
        assert "python -m benchmarks.calibration." in made_by["command"]
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", made_by["date"])
        assert re.fullmatch(r"[0-9a-f]{7,}", made_by["commit"])
    for fit in document["fits"]:
        assert 8 * fit["made_by"]["hands"] == fit["made_by"]["worlds"]


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("stage", STAGES)
def test_weights_go_by_the_names_of_the_columns(players: int, stage: Stage) -> None:
    (fit,) = (
        fit
        for fit in json.loads(DOCUMENT)["fits"]
        if (fit["players"], fit["stage"]) == (players, stage)
    )
    names = tuple(fit["p_make"])
    assert set(names) == set(fit["margin"])
    for order in (names, names[::-1], tuple(sorted(names))):
        found = calibration().weights(stage, players, order, EVIDENCE_VERSION)
        assert [fit["p_make"][name] for name in order] == found.p_make.tolist()
        assert [fit["margin"][name] for name in order] == found.margin.tolist()
    assert np.isfinite(found.p_make).all()
    assert np.isfinite(found.margin).all()


def test_other_numbers() -> None:
    document = json.loads(DOCUMENT)
    found = calibration()
    assert {3, 4, 5} == set(found.margin_sd)
    assert document["margin_sd"]["values"]["4"] == found.margin_sd[4]
    shifts = document["logit_shift"]["values"]["4"]
    assert shifts["with_dog"] == found.logit_shift(4, "garde") == found.logit_shift(4, "prise")
    assert shifts["without_dog"] == found.logit_shift(4, "garde_sans")
    assert shifts["without_dog"] == found.logit_shift(4, "garde_contre")
    assert 0 < found.discard_correlation < 1


def changed(change: Callable[[dict[str, Any]], object]) -> Calibration:
    document = json.loads(DOCUMENT)
    change(document)
    return Calibration(document)


def test_what_was_fitted_to_other_evidence_is_refused() -> None:
    names = tuple(json.loads(DOCUMENT)["fits"][0]["p_make"])

    def weights(numbers: Calibration, columns: tuple[str, ...], players: int = 3) -> None:
        numbers.weights("forecast", players, columns, EVIDENCE_VERSION)

    weights(calibration(), names)
    with pytest.raises(CalibrationError, match="columns that only one of them has: trumps; fit"):
        weights(calibration(), tuple(name for name in names if name != "trumps"))
    with pytest.raises(CalibrationError, match="only one of them has: leader_3;"):
        weights(calibration(), names, players=4)
    with pytest.raises(CalibrationError, match="margin of the stage forecast at 3 players was"):
        weights(changed(lambda document: document["fits"][0]["margin"].pop("need")), names)
    with pytest.raises(CalibrationError, match=r"evidence of version 0, the judge's is \d+"):
        weights(changed(lambda document: document.update(evidence_version=0)), names)
    with pytest.raises(CalibrationError, match="p_make of the stage forecast at 5 players was"):
        weights(changed(lambda document: document.update(fits=[])), names, players=5)


def test_a_file_of_another_form_is_refused() -> None:
    with pytest.raises(CalibrationError, match=r"^calibration: format 2, expected 1$"):
        changed(lambda document: document.update(format=2))
