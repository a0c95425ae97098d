"""Rankings of calls: what is compared, and in which order."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest

from tarot_sim.cards import Card, Hand
from tarot_sim.errors import BidError, HandError, OptionError, RulesError, TarotError
from tarot_sim.estimation.calls import rank_calls
from tarot_sim.estimation.ranking import Ranking
from tarot_sim.rules import Rules
from tarot_sim.rules.auction import callable_cards
from tests.some_chances import FAIR as HANDS


@cache
def calls(**options: Any) -> Ranking[Card]:
    return rank_calls(HANDS[5], **({"worlds": 40, "n_jobs": 1} | options))


def test_a_ranking_of_calls() -> None:
    ranking = calls()
    assert (Hand(HANDS[5]), None, 5) == (ranking.hand, ranking.dog, ranking.players)
    found = [row.choice for row in ranking.candidates]
    assert {"PR", "CR", "KR", "TR"} == {card.name for card in found}
    assert found[0] == ranking.best
    assert {40} == {row.worlds for row in ranking.candidates}
    scores = [row.mean_score for row in ranking.candidates]
    assert scores == sorted(scores, reverse=True)
    # The own Roi means alone, against four.
    assert Card.parse("PR") == found[-1]
    assert ranking.candidates[-1].p_make < ranking.candidates[0].p_make
    for row in ranking.candidates:
        assert 0 < row.p_make < 1
        assert 0 < row.se_make < 0.15
        assert row.se > 0


def test_how_far_behind_calls_are() -> None:
    ranking = calls()
    best, *others = ranking.candidates
    assert (0, 0, 0) == (best.behind, best.se_behind, best.error_behind)
    for row in ranking.candidates:
        assert row.ci95[0] < row.p_make < row.ci95[1]
        assert row.se <= row.error
    for row in others:
        assert row.behind == best.mean_score - row.mean_score >= 0
        assert 0 < row.se_behind < row.error_behind
        # Nothing is known of what the judge's errors for two calls have in common.
        own = [candidate.error**2 - candidate.se**2 for candidate in (best, row)]
        assert sum(own) == pytest.approx(row.error_behind**2 - row.se_behind**2)


def test_of_the_cards_in_hand_one_is_enough() -> None:
    rules = Rules(players=5)
    hand = Hand("A:21,18,14,11,7,4,EX P:R,D,6 C:R,5 K:R T:V,8")
    ranking = rank_calls(hand, worlds=10, n_jobs=1)
    assert 4 == len(callable_cards(hand, rules))
    found = {row.choice for row in ranking.candidates}
    assert Card.parse("TR") in found
    assert 2 == len(found)
    assert 1 == sum(card in hand for card in found)


def test_four_rois_call_a_dame() -> None:
    hand = "A:21,20,18,15,12,9,6,EX P:R,4 C:R,8 K:R T:R,2"
    ranking = rank_calls(hand, worlds=10, n_jobs=1)
    assert {"PD", "CD", "KD", "TD"} == {row.choice.name for row in ranking.candidates}
    fft = rank_calls(hand, rules=Rules.fft(5), worlds=10, n_jobs=1)
    assert 5 == len(fft.candidates)
    assert 1 == sum(row.choice in Hand(hand) for row in fft.candidates)


def test_seeds_and_jobs_of_calls() -> None:
    assert calls() == calls(n_jobs=2) == calls(n_jobs=-1)
    assert calls().candidates != calls(seed=1).candidates
    assert calls(dealer=1).candidates != calls(dealer=3).candidates


def test_the_dictionary_of_calls() -> None:
    document = calls().to_dict()
    assert "dog" not in document
    assert (calls().best.name, HANDS[5], 5) == tuple(
        document[k] for k in ("best", "hand", "players")
    )
    for row, entry in zip(calls().candidates, document["candidates"], strict=True):
        assert {
            "card", "p_make", "mean_score", "se", "se_make", "worlds",
            "ci95", "error", "behind", "se_behind", "error_behind",
            "p_chelem", "p_chelem_defence", "announce_chelem", "announce_gain",
        } == set(entry)  # fmt: skip
        assert (row.choice.name, row.p_make) == (entry["card"], entry["p_make"])
        assert (row.mean_score, row.se) == (entry["mean_score"], entry["se"])
    assert document == json.loads(json.dumps(document, allow_nan=False))


@pytest.mark.parametrize(
    ("message", "error", "options"),
    [
        ("the hand has 18 cards, expected 15", HandError, {"hand": HANDS[4]}),
        ("call: no card is called at 4 players", BidError, {"rules": Rules()}),
        ("worlds: 2 is less than 3", OptionError, {"worlds": 2}),
        ("dealer: seat 5 is not 0…4", RulesError, {"dealer": 5}),
        ("seed: -1 is negative", OptionError, {"seed": -1}),
        ("n_jobs: 0", OptionError, {"n_jobs": 0}),
    ],
)
def test_wrong_options_of_calls(
    message: str, error: type[TarotError], options: dict[str, Any]
) -> None:
    defaults: dict[str, Any] = {"hand": HANDS[5], "worlds": 10, "n_jobs": 1}
    with pytest.raises(error, match=message):
        rank_calls(**(defaults | options))
