"""The engine's number of legal sequences from every position of the corpus."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from tarot_sim.deals.deal import Deal
from tests.commands import Answer
from tests.perft.refresh import CARDS, FILE, counts

CORPUS: list[dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))

#: Sequences that the oracle counts in some hundredths of a second.
FEW = 3000


def name(entry: dict[str, Any]) -> str:
    return f"{CORPUS.index(entry)}-{entry['record']['players']}"


@pytest.mark.parametrize("entry", CORPUS, ids=name)
def test_the_engine_counts_the_same(entry: dict[str, Any]) -> None:
    position = Deal.from_dict(entry["record"]).position()
    for depth, nodes in enumerate(entry["nodes"], 1):
        assert nodes == position.perft(depth), entry["about"]
    assert len(position.plays) == len(entry["record"]["plays"])


@pytest.mark.parametrize("entry", CORPUS, ids=name)
def test_the_counts_are_the_oracles(entry: dict[str, Any]) -> None:
    few = [nodes for nodes in entry["nodes"] if nodes <= FEW][:6]
    assert counts(entry["record"], len(few)) == few


def test_the_command_counts_the_same(capsys: pytest.CaptureFixture[str], tmp_path: Any) -> None:
    file = tmp_path / "deal.json"
    for entry in CORPUS[::9]:
        file.write_text(json.dumps(entry["record"]), encoding="utf-8")
        depth = len(entry["nodes"])
        answer = Answer(capsys, "perft", file, "--depth", depth, "--json").json
        assert {"schema": 1, "depth": depth, "nodes": entry["nodes"][-1]} == answer


def test_the_corpus_is_complete() -> None:
    kinds = Counter((entry["about"], entry["record"]["players"]) for entry in CORPUS)
    every = {about for about, players in kinds if players < 5}
    assert len(every) == 7
    assert all(kinds[about, players] >= 2 for about in every for players in (3, 4, 5))
    assert len({about for about, _ in kinds}) == 10
    for entry in CORPUS:
        record, nodes = entry["record"], entry["nodes"]
        if "leader" in record:  # endings are counted to their end
            players = record["players"]
            assert players * CARDS[players] == len(nodes) + len(record["plays"])
