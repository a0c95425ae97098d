"""Rankings of écarts: what is compared, on which worlds, and in which order."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from math import hypot
from typing import Any, cast

import numpy as np
import pytest

from tarot_sim.cards import SUIT_MASKS, Card, Hand
from tarot_sim.errors import BidError, CardError, HandError, OptionError, RulesError, TarotError
from tarot_sim.estimation import discards as module
from tarot_sim.estimation import ranking
from tarot_sim.estimation.calibration import calibration
from tarot_sim.estimation.chunks import sample_contract
from tarot_sim.estimation.discards import rank_discards
from tarot_sim.estimation.figures import estimate_gain, estimate_p_make, estimate_score
from tarot_sim.estimation.intervals import interval
from tarot_sim.estimation.judge import Judge, Method
from tarot_sim.estimation.plan import Plan, Stream, draw_worlds, leaders
from tarot_sim.estimation.ranking import Ranking
from tarot_sim.estimation.regression import Estimate
from tarot_sim.estimation.sample import Sample
from tarot_sim.notation import TRUMP
from tarot_sim.rules import Rules
from tarot_sim.rules.discard import count_discards, legal_discard_reason
from tarot_sim.worlds.contract_deals import contract_deals
from tarot_sim.worlds.discards import choose_discard
from tests.some_chances import FAIR as HANDS

DOGS = {3: "A:5 P:3 C:9,2 K:8 T:4", 4: "A:4 P:2 C:7,1 K:8 T:4", 5: "A:3 C:9 K:8"}
#: Nearly nothing but trumps and Rois: some trumps have to go.
STUCK_HAND = "A:21,20,19,18,17,16,15,14,13,12,11,10 P:R,2 C:R,4 K:R T:R"
STUCK_DOG = "A:9,8,7 P:3 C:5 T:6"
CALLED = Card.parse("TR")
PLAYERS = pytest.mark.parametrize("players", [3, 4, 5])
#: Fewer worlds than by default, so that many rankings can be compared.
ROUNDS = ((8, "fast", 6), (10, "cascade", 3))


@pytest.fixture(autouse=True)
def short_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_ROUNDS", ROUNDS)


@cache
def discards(players: int = 4, **options: Any) -> Ranking[Hand]:
    defaults: dict[str, Any] = {"worlds": 20, "candidates": 12, "n_jobs": 1}
    if players == 5:
        defaults["called"] = CALLED
    return rank_discards(HANDS[players], DOGS[players], players=players, **(defaults | options))


def always(choice: Hand) -> Callable[[Hand], Hand]:
    """Return a chooser that has one écart only."""
    return lambda _: choice


# --- écarts ---------------------------------------------------------------------------


@PLAYERS
def test_a_ranking_of_ecarts(players: int) -> None:
    rules = Rules(players=players)
    ranking = discards(players)
    assert (Hand(HANDS[players]), Hand(DOGS[players])) == (ranking.hand, ranking.dog)
    assert (players, 0) == (ranking.players, ranking.seed)
    assert ranking.seconds > 0
    both = ranking.hand | Hand(DOGS[players])
    found = [row.choice for row in ranking.candidates]
    assert 12 == len(found) == len(set(found))
    for discard in found:
        assert legal_discard_reason(both, discard, rules) is None
    assert found[0] == ranking.best
    for row in ranking.candidates:
        assert 0 < row.p_make < 1
        assert 0 < row.se_make < 0.5
        assert 0 < row.se < 500
        assert row.se <= row.error


@PLAYERS
def test_those_judged_longest_come_first(players: int) -> None:
    rows = discards(players).candidates
    order = [(20, 0), (10, 1), (8, 2)]
    rounds = [dict(order)[row.worlds] for row in rows]
    assert rounds == sorted(rounds)
    for number in range(3):
        scores = [
            row.mean_score for row, place in zip(rows, rounds, strict=True) if place == number
        ]
        assert scores == sorted(scores, reverse=True)
    # Three are left, or four where the rule's was not among them; then six, or seven.
    last, before = rounds.count(0), rounds.count(1)
    assert last in (3, 4)
    assert last + before in (6, 7)
    both = Hand(HANDS[players]) | Hand(DOGS[players])
    rule = choose_discard(both, Rules(players=players), called=CALLED if players == 5 else None)
    assert rule in [row.choice for row in rows[:last]]


def test_the_rule_is_judged_to_the_end_however_bad(monkeypatch: pytest.MonkeyPatch) -> None:
    both = Hand(HANDS[4]) | Hand(DOGS[4])
    worst = discards().candidates[-1].choice

    def bad_rule(*_args: Any, **_options: Any) -> Hand:
        return worst

    monkeypatch.setattr(module, "choose_discard", bad_rule)
    found = rank_discards(HANDS[4], DOGS[4], worlds=20, candidates=12, n_jobs=1)
    place = [row.choice for row in found.candidates].index(worst)
    assert 20 == found.candidates[place].worlds
    assert 4 == sum(row.worlds == 20 for row in found.candidates)
    assert found.candidates[3].choice == worst
    assert choose_discard(both, Rules()) != worst


def test_the_figures_are_those_of_the_worlds_of_the_last_round() -> None:
    """The last candidates, judged anew by hand; the écart is the one in the deals."""
    ranking = discards()
    plan = Plan(ranking.hand, Rules(), 0, "cascade", dog=ranking.dog)
    worlds = draw_worlds(plan, 160, Stream.DISCARD_WORLDS, 2)
    assert (worlds[:, list(Hand(DOGS[4]))] == 4).all()
    judge = Judge("cascade")
    for row in ranking.candidates[:3]:
        choice = row.choice
        deals = contract_deals(
            worlds, plan.rules, "garde", leaders(plan, 0, 160), discard=always(choice)
        )
        assert (deals.half_points == choice.half_points).all()
        assert (deals.owners[:, list(choice)] == 4).all()
        sample = sample_contract(
            replace(plan, discard=always(choice)), worlds, leaders(plan, 0, 160), "garde", 20
        )["garde"]
        forecasts = judge.forecast(deals)
        assert np.array_equal(forecasts.p_make, sample.controls[:, 0])
        p_make = judge.judge(deals[np.arange(20)], forecasts[:20]).p_make
        assert np.array_equal(p_make, sample.p_make)
        found = estimate_p_make(sample)
        assert (found.mean, found.se) == (row.p_make, row.se_make)
        assert interval(found.mean, found.error) == row.ci95
        assert row.ci95[0] < row.p_make < row.ci95[1]
        score = estimate_score(sample)
        assert (score.mean, score.se, score.error) == (row.mean_score, row.se, row.error)


@PLAYERS
def test_how_far_behind_is_measured_on_the_same_worlds(players: int) -> None:
    ranking = discards(players, worlds=100)
    best, *others = ranking.candidates
    assert (0, 0, 0) == (best.behind, best.se_behind, best.error_behind)
    plan = Plan(
        ranking.hand, Rules(players=players), 0, "cascade",
        called=CALLED if players == 5 else None, dog=ranking.dog,
    )  # fmt: skip
    rounds = {100: (2, "cascade"), 10: (1, "cascade"), 8: (0, "fast")}
    for row in others:
        number, method = rounds[row.worlds]
        n = row.worlds
        worlds, seats = (
            draw_worlds(plan, 8 * n, Stream.DISCARD_WORLDS, number),
            leaders(plan, 0, 8 * n),
        )
        one, two = (
            sample_contract(
                replace(plan, method=cast("Method", method), discard=always(choice)),
                worlds, seats, "garde", n,
            )["garde"]
            for choice in (best.choice, row.choice)
        )  # fmt: skip
        gain = estimate_gain(one, two, calibration().discard_correlation)
        assert (gain.se, gain.error) == pytest.approx((row.se_behind, row.error_behind))
        assert estimate_score(one).mean - estimate_score(two).mean == pytest.approx(row.behind)
        assert row.se_behind <= row.error_behind
        if n == 100:
            assert row.behind == best.mean_score - row.mean_score >= 0
            # The same worlds, and so less luck than the two figures have together.
            assert row.se_behind < hypot(best.se, row.se)
            assert row.error_behind < hypot(best.error, row.error)


def test_forced_trumps() -> None:
    """All plain cards go, and the ranking is of the trumps beside them."""
    both = Hand(STUCK_HAND) | Hand(STUCK_DOG)
    trumps = Hand.from_mask(SUIT_MASKS[TRUMP])
    ranking = rank_discards(STUCK_HAND, STUCK_DOG, worlds=10, n_jobs=1)
    found = {row.choice for row in ranking.candidates}
    assert count_discards(both, Rules()) == 14
    # The trumps from 20 down to 7 follow on one another: whichever goes, the play is the same.
    assert {Hand("A:7 P:2,3 C:4,5 T:6")} == found
    for discard in found:
        assert legal_discard_reason(both, discard, Rules()) is None
        assert 1 == len(discard & trumps)
        assert Hand("P:2,3 C:4,5 T:6") == discard - trumps


def test_few_candidates() -> None:
    both = Hand(HANDS[4]) | Hand(DOGS[4])
    one = discards(candidates=1)
    assert [choose_discard(both, Rules())] == [row.choice for row in one.candidates]
    two = discards(candidates=2)
    assert [20, 20] == [row.worlds for row in two.candidates]
    # The worlds are the same.
    assert one.candidates[0].mean_score in {row.mean_score for row in two.candidates}


@PLAYERS
def test_seeds_and_jobs(players: int) -> None:
    expected = discards(players)
    for n_jobs in (2, -1):
        assert expected == discards(players, n_jobs=n_jobs)
    assert expected == rank_discards(
        Hand(HANDS[players]), Hand(DOGS[players]), rules=Rules(players=players),
        worlds=20, candidates=12, called=CALLED if players == 5 else None, n_jobs=1,
    )  # fmt: skip
    other = discards(players, seed=1)
    assert 1 == other.seed
    assert other.candidates != expected.candidates


def test_the_dealer_leads_to_other_deals() -> None:
    assert discards(dealer=1).candidates != discards(dealer=3).candidates


def test_the_called_card_matters() -> None:
    with_partner, alone = (discards(5, called=Card.parse(name)) for name in ("TR", "PR"))
    assert with_partner.candidates[0].p_make > alone.candidates[0].p_make


@PLAYERS
def test_the_dictionary_of_ecarts(players: int) -> None:
    ranking = discards(players)
    document = ranking.to_dict()
    assert (HANDS[players], DOGS[players]) == (document["hand"], document["dog"])
    assert (players, "double_dummy", 0) == tuple(document[k] for k in ("players", "model", "seed"))
    assert str(ranking.best) == document["best"]
    for row, entry in zip(ranking.candidates, document["candidates"], strict=True):
        assert entry == {
            "discard": str(row.choice), "p_make": row.p_make, "mean_score": row.mean_score,
            "se": row.se, "se_make": row.se_make, "worlds": row.worlds,
            "ci95": list(row.ci95), "error": row.error, "behind": row.behind,
            "se_behind": row.se_behind, "error_behind": row.error_behind,
            "p_chelem": row.p_chelem, "p_chelem_defence": row.p_chelem_defence,
            "announce_chelem": row.announce_chelem, "announce_gain": row.announce_gain,
        }  # fmt: skip
    assert document == json.loads(json.dumps(document, allow_nan=False))


@pytest.mark.parametrize(
    ("message", "error", "options"),
    [
        ("the hand has 6 cards, expected 18", HandError, {"hand": DOGS[4]}),
        ("dog: 3 cards, expected 6", HandError, {"dog": DOGS[5]}),
        ("dog: A21 is in the hand too", HandError, {"dog": "A:21 P:2 C:7,1 K:8 T:4"}),
        ("unknown card 'A22'", TarotError, {"dog": "A22 P:2 C:7,1 K:8 T:4"}),
        ("worlds: 2 is less than 3", OptionError, {"worlds": 2}),
        ("candidates: 0 is less than 1", OptionError, {"candidates": 0}),
        ("dealer: seat 4 is not 0…3", RulesError, {"dealer": 4}),
        ("dealer: seat -1", RulesError, {"dealer": -1}),
        ("seed: -1 is negative", OptionError, {"seed": -1}),
        ("n_jobs: 0", OptionError, {"n_jobs": 0}),
        ("called: no card is called at 4 players", BidError, {"called": CALLED}),
        ("players: 6", RulesError, {"players": 6}),
        (
            "called: name the card that was called",
            BidError,
            {"hand": HANDS[5], "dog": DOGS[5], "players": 5},
        ),
    ],
)
def test_wrong_options(message: str, error: type[TarotError], options: dict[str, Any]) -> None:
    defaults: dict[str, Any] = {"hand": HANDS[4], "dog": DOGS[4], "worlds": 10, "n_jobs": 1}
    with pytest.raises(error, match=message):
        rank_discards(**(defaults | options))


def test_a_call_that_is_not_allowed() -> None:
    for name in ("KD", "A21"):
        with pytest.raises(BidError, match=f"called: {name} may not be called"):
            discards(5, called=Card.parse(name))


def test_a_choice_that_looked_better_at_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rule's écart is kept whatever it scores, and so may come first in the end."""
    plain = discards()
    last = plain.candidates[-1].choice

    def estimate_of(sample: Sample, per: Any = None) -> Estimate:
        found = estimate_score(sample, per)
        favoured = len(sample.p_make) == 20 and sample.scores.sum() == favourite.scores.sum()
        return replace(found, mean=found.mean + 1e6 * favoured)

    plan = Plan(plain.hand, Rules(), 0, "cascade", dog=plain.dog, discard=always(last))
    favourite = sample_contract(
        plan, draw_worlds(plan, 160, Stream.DISCARD_WORLDS, 2), leaders(plan, 0, 160), "garde", 20
    )["garde"]
    monkeypatch.setattr(module, "choose_discard", lambda *_args, **_options: last)
    monkeypatch.setattr(ranking, "estimate_score", estimate_of)
    found = rank_discards(HANDS[4], DOGS[4], worlds=20, candidates=12, n_jobs=1)
    assert last == found.best
    assert any(row.behind < 0 for row in found.candidates if row.worlds < 20)
    assert all(row.behind > 0 for row in found.candidates[1:] if row.worlds == 20)


# --- asked for --------------------------------------------------------------------------


def test_what_is_asked_for_is_judged_as_any_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """To the end, on the same worlds; the others are what they are without it."""
    monkeypatch.setattr(module, "_ROUNDS", ((6, "fast", 6), (8, "cascade", 3)))
    hand, dog = HANDS[4], DOGS[4]
    plain = rank_discards(hand, dog, worlds=12, n_jobs=1)
    worst = plain.candidates[-1].choice
    asked = rank_discards(hand, dog, worlds=12, n_jobs=1, include=[str(worst), plain.best])
    assert (worst, plain.best) == asked.asked
    assert () == plain.asked
    by_choice = {row.choice: row for row in asked.candidates}
    for row in plain.candidates:
        if row.choice not in asked.asked:
            assert row.mean_score == by_choice[row.choice].mean_score
    assert 12 == by_choice[worst].worlds
    # The best is the same one in the same worlds.
    assert plain.candidates[0].mean_score == by_choice[plain.best].mean_score
    with pytest.raises(BidError, match=r"^include: PR is a Roi"):
        rank_discards(hand, dog, include=["P:R,2 C:5 K:9,8 T:4"])


def test_the_call_may_be_text() -> None:
    found, expected = (
        rank_discards(HANDS[5], DOGS[5], players=5, called=called, worlds=3, candidates=3, n_jobs=1)
        for called in ("TR", Card("TR"))
    )
    assert expected == found
    with pytest.raises(CardError, match=r"^called: unknown card 'XX'"):
        rank_discards(HANDS[5], DOGS[5], players=5, called="XX")


def test_a_dog_of_another_size_is_told_as_the_dog() -> None:
    for dog, size in ((DOGS[4] + " A5", 7), ("A:4 P:2 C:7,1 K:8", 5)):
        with pytest.raises(HandError, match=f"^dog: {size} cards, expected 6"):
            rank_discards(HANDS[4], dog)
