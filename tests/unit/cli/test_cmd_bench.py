"""``tarot-sim bench``: the signature and speeds, as JSON and for people."""

from __future__ import annotations

import json

import pytest

from tarot_sim import messages
from tests.commands import Answer
from tests.unit.test_bench import SIGNATURE


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    document = Answer(capsys, "bench", "--json").json
    assert document["nodes"] == SIGNATURE
    assert set(document["playout_ns_per_card"]) == {"3", "4", "5"}
    assert document["policy_deals_per_s"] > 0
    assert all(set(times) == {"make_ms", "value_ms"} for times in document["solve"].values())
    assert json.loads(json.dumps(document)) == document


@pytest.mark.parametrize("language", messages.LANGUAGES)
def test_for_people(language: str, capsys: pytest.CaptureFixture[str]) -> None:
    lines = Answer(capsys, "bench", "--lang", language).out.splitlines()
    nodes = messages.text("bench.nodes", language=language, nodes=SIGNATURE)
    assert [nodes] == lines[:1]
    # Three tables, the policy, and at least one size of deals for the solver.
    assert len(lines) > 5
    assert max(map(len, lines)) <= 80
