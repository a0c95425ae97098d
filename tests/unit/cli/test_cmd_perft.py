"""``tarot-sim perft``: counts, in pieces too."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tarot_sim.deals.deal import Deal
from tests.commands import Answer
from tests.golden.refresh import contents

CONTENTS = contents()


RECORD: dict[str, Any] = {
    "players": 3,
    "hands": ["A21 PR", "P2 C2", "P3 K3"],
    "leader": 0,
    "taker": 0,
}


def test_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "deal.json"
    path.write_text(json.dumps(RECORD), encoding="utf-8")
    # A21 is led: 2 × 2 answers; PR is led: both must follow suit.
    for depth, nodes in ((0, 1), (1, 2), (2, 3), (3, 5), (6, 5), (9, 5)):
        document = Answer(capsys, "perft", path, "--depth", depth, "--json").json
        assert document == {"schema": 1, "depth": depth, "nodes": nodes}
    assert Answer(capsys, "perft", path, "--depth", 3).out == "sequences of 3 cards: 5\n"


def test_in_pieces(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "deal.json"
    record = CONTENTS["random-3-garde"]["record"]
    path.write_text(json.dumps(record | {"plays": record["plays"][:-12]}), encoding="utf-8")
    position = Deal.from_dict(record).position(len(record["plays"]) - 12)
    for depth in (6, 8, 12, 13):
        document = Answer(capsys, "perft", path, "--depth", depth, "--json").json
        assert document["nodes"] == position.perft(depth)


def test_depth(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Answer(capsys, "perft", file).is_error("Missing option '--depth'.")
    Answer(capsys, "perft", file, "--depth", -1).is_error("Invalid value for '--depth'")
