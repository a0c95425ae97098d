"""What every test of the command line starts from: English, no colours, files of deals."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tarot_sim import messages
from tarot_sim.estimation import discards
from tests.commands import VARIABLES
from tests.golden.refresh import contents


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Keep the tester's language and colours out of the tests."""
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    yield
    messages.use("en")


@pytest.fixture
def few_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let écarts be compared on few worlds, in rounds as they are on many."""
    monkeypatch.setattr(discards, "_ROUNDS", ((6, "fast", 6), (8, "cascade", 3)))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return a file with one record."""
    path = tmp_path / "deal.json"
    path.write_text(json.dumps(contents()["random-4-garde"]["record"]), encoding="utf-8")
    return path


@pytest.fixture
def lines(tmp_path: Path) -> Path:
    """Return a file with every golden record on a line."""
    path = tmp_path / "deals.jsonl"
    text = "".join(json.dumps(content["record"]) + "\n" for content in contents().values())
    path.write_text(text, encoding="utf-8")
    return path
