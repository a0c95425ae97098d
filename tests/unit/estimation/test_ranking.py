"""Rankings: candidates in order, and how they are told."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tarot_sim.cards import Card, Hand
from tarot_sim.errors import OptionError
from tarot_sim.estimation.chunks import run_chunk
from tarot_sim.estimation.figures import estimate_gain, estimate_score
from tarot_sim.estimation.ranking import (
    Candidate,
    Ranking,
    best_first,
    candidates_of,
    check_worlds,
)
from tests.some_chances import FAIR as HANDS
from tests.some_deals import plan_of


def candidate(name: str, score: float) -> Candidate[Card]:
    return Candidate(
        choice=Card.parse(name), p_make=0.5, se_make=0.1, ci95=(0.3, 0.7), mean_score=score,
        se=1.0, error=2.0, behind=12.0 - score, se_behind=1.0, error_behind=2.0, worlds=10,
        p_chelem=0.75, p_chelem_defence=0.0, announce_chelem=True, announce_gain=150.0,
    )  # fmt: skip


def test_the_best_is_the_first() -> None:
    rows = candidate("PR", 12.0), candidate("TR", -3.0)
    ranking = Ranking(Hand(HANDS[5]), None, 5, rows, 0, 1.5)
    assert Card.parse("PR") == ranking.best
    # The time that it took is no part of an answer.
    assert ranking == Ranking(Hand(HANDS[5]), None, 5, rows, 0, 0.25)
    assert np.isfinite(ranking.to_dict()["seconds"])


def test_what_is_told_of_a_candidate() -> None:
    ranking = Ranking(Hand(HANDS[5]), None, 5, (candidate("PR", 12.0),), 3, 1.5)
    assert {
        "hand": HANDS[5], "players": 5, "model": "double_dummy", "best": "PR", "seed": 3,
        "seconds": 1.5,
        "candidates": [
            {
                "card": "PR", "p_make": 0.5, "mean_score": 12.0, "se": 1.0, "se_make": 0.1,
                "ci95": [0.3, 0.7], "error": 2.0, "behind": 0.0, "se_behind": 1.0,
                "error_behind": 2.0, "worlds": 10, "p_chelem": 0.75, "p_chelem_defence": 0.0,
                "announce_chelem": True, "announce_gain": 150.0,
            }
        ],
    } == ranking.to_dict()  # fmt: skip
    dog = Hand("A:3 C:9 K:8")
    both = replace(ranking, dog=dog).to_dict()
    assert (str(dog), "PR") == (both["dog"], both["candidates"][0]["discard"])


def test_candidates_come_in_order_and_are_behind_the_best() -> None:
    chunk = run_chunk(plan_of(), 0, 60)
    samples = {
        Card.parse("PR"): chunk.samples["garde_contre"],
        Card.parse("CR"): chunk.samples["garde"],
        Card.parse("KR"): chunk.samples["garde_sans"],
    }
    scores = {card: estimate_score(sample).mean for card, sample in samples.items()}
    order = best_first(samples)
    assert sorted(samples, key=lambda card: -scores[card]) == order
    best = samples[order[0]]
    rows = candidates_of(samples, best, 0.5)
    assert order == list(rows)
    for card, row in rows.items():
        assert (card, scores[card], 50) == (row.choice, row.mean_score, row.worlds)
        assert scores[order[0]] - scores[card] == row.behind
        gain = estimate_gain(best, samples[card], 0.5)
        expected = (gain.se, gain.error) if card != order[0] else (0, 0)
        assert expected == (row.se_behind, row.error_behind)


def test_two_worlds_have_no_standard_error() -> None:
    check_worlds(3)
    with pytest.raises(OptionError, match=r"^worlds: 2 is less than 3"):
        check_worlds(2)
