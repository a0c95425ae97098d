"""How fits get into the file that the package is shipped with."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from benchmarks.calibration import fit_judge
from tarot_sim.estimation.calibration import Calibration, calibration
from tarot_sim.estimation.judge import EVIDENCE_VERSION


def test_weights_have_names_and_four_digits() -> None:
    weights = np.array([1.23456, -0.000123456, 12345.6])
    assert {"a": 1.235, "b": -0.0001235, "c": 12350.0} == fit_judge.named(("a", "b", "c"), weights)


def test_a_fit_takes_the_place_of_the_one_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = json.loads(fit_judge.SHIPPED.read_text("utf-8"))
    file = tmp_path / "calibration.json"
    file.write_text(json.dumps(before), "utf-8")
    monkeypatch.setattr(fit_judge, "SHIPPED", file)
    today = {"command": "again", "date": "2026-12-01", "commit": "0123456"}
    monkeypatch.setattr(fit_judge, "made_by", lambda _players: dict(today))
    fits = [fit for fit in before["fits"] if fit["players"] == 4]
    new = [fit | {"p_make": dict.fromkeys(fit["p_make"], 1.0)} for fit in fits]
    fit_judge.write(4, new, 8.123)
    after = json.loads(file.read_text("utf-8"))
    assert 8.12 == Calibration(after).margin_sd[4]
    assert {"date": "2026-12-01", "commit": "0123456"}.items() <= after["margin_sd"][
        "made_by"
    ].items()
    names = tuple(fits[0]["p_make"])
    found = Calibration(after).weights("forecast", 4, names, EVIDENCE_VERSION)
    assert {1.0} == set(found.p_make.tolist())
    assert [fits[0]["margin"][name] for name in names] == found.margin.tolist()
    # The other tables keep theirs, in their order.
    assert [fit["players"] for fit in before["fits"]] == [fit["players"] for fit in after["fits"]]
    for one, two in zip(before["fits"], after["fits"], strict=True):
        assert (one == two) == (one["players"] != 4)
    assert calibration().margin_sd[5] == Calibration(after).margin_sd[5]
