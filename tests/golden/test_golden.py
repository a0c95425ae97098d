from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tarot_sim.deals.deal import Deal
from tarot_sim.deals.replaying import Replay, replay
from tests.golden.refresh import FOLDER, golden
from tests.reference import rules as reference

FILES = sorted(FOLDER.glob("*.json"))
CAMPS = {None: 0, "attack": 1, "defence": -1}


def load(file: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return content


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_replay(file: Path) -> None:
    content = load(file)
    assert replay(Deal.from_dict(content["record"])).to_dict() == content["replay"]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_record_comes_back(file: Path) -> None:
    record = load(file)["record"]
    assert list(Deal.from_dict(record).to_dict().items()) == list(record.items())


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_reference_agrees(file: Path) -> None:
    deal = Deal.from_dict(load(file)["record"])
    if deal.is_ending or not deal.is_played_out:
        pytest.skip("the reference settles whole deals")
    answer = replay(deal)
    settled = reference.settle(reference_state(deal))
    assert (
        settled.attack_half_points,
        settled.defence_half_points,
        len(settled.attack_bouts),
        settled.petit_au_bout,
        settled.chelem,
    ) == (
        answer.attack_half_points,
        answer.defence_half_points,
        answer.bouts,
        CAMPS[answer.petit_au_bout],
        swept(answer),
    )


def reference_state(deal: Deal) -> reference.State:
    """Return the reference's last state of a deal, each card checked to be legal."""
    table = reference.Table(
        deal.players,
        frozenset(deal.attack),
        deal.rules.excuse_last,
        deal.rules.excuse_no_trick,
        called=None if deal.called is None else deal.called.name,
    )
    aside = deal.dog if deal.discard is None else deal.discard
    state = reference.whole_deal(
        table,
        [[card.name for card in hand] for hand in deal.play_hands()],
        [card.name for card in aside],
        "defence" if deal.contract == "garde_contre" else "attack",
        deal.first_leader,
    )
    for card in deal.plays:
        assert card.name in reference.legal(state)
        state = reference.play(state, card.name)
    return state


def swept(answer: Replay) -> int:
    """Return +1 if a chelem was the attack's, −1 if the defence's, else 0."""
    if answer.chelem in ("made", "announced_made"):
        return 1
    return -1 if answer.chelem in ("by_defence", "announced_by_defence") else 0


def test_files_are_fresh() -> None:
    """The script makes the files that are there: its random stream has not moved."""
    assert dict(golden()) == {file.name: file.read_text(encoding="utf-8") for file in FILES}
