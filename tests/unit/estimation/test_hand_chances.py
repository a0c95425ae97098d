"""Chances of the contracts: what depends on what, and figures that make sense."""

from __future__ import annotations

import sys
from dataclasses import replace
from math import hypot, sqrt
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tarot_sim.cards import Card, Hand
from tarot_sim.errors import BidError, HandError, OptionError, RulesError, TarotError
from tarot_sim.estimation.answers import Chances
from tarot_sim.estimation.chunks import CHUNK, FORECASTS
from tarot_sim.estimation.figures import estimate_p_make
from tarot_sim.estimation.hand_chances import chances
from tarot_sim.estimation.judge import METHODS, Judge
from tarot_sim.estimation.plan import Plan, Stream, draw_worlds, leaders
from tarot_sim.rules import CONTRACTS, TARGETS, Contract, Rules
from tarot_sim.rules.auction import callable_cards
from tarot_sim.solver._solver import Objective, Solver
from tarot_sim.worlds._counts import chavey_counts
from tarot_sim.worlds.batch import Deals
from tarot_sim.worlds.bidding_model import read_auction, sample_worlds_given
from tarot_sim.worlds.contract_deals import contract_deals
from tests.some_chances import FAIR, MONSTERS, RUBBISH, answer

PLAYERS = pytest.mark.parametrize("players", [3, 4, 5])
HANDS = pytest.mark.parametrize(
    "hands", [MONSTERS, FAIR, RUBBISH], ids=["monster", "fair", "rubbish"]
)


def probabilities(result: Chances) -> dict[Contract, float]:
    return {contract: row.p_make for contract, row in result.contracts.items()}


# --- figures that make sense ----------------------------------------------------------


@PLAYERS
def test_a_monster_makes_everything(players: int) -> None:
    result = answer(MONSTERS[players], players)
    for contract, chance in probabilities(result).items():
        assert chance > (0.9 if contract in ("prise", "garde") else 0.7)
    assert result.advice in ("garde_sans", "garde_contre")
    points = [row.mean_points for row in result.contracts.values()]
    assert min(points) > 45


@PLAYERS
def test_rubbish_passes(players: int) -> None:
    result = answer(RUBBISH[players], players)
    assert max(probabilities(result).values()) < 0.2
    assert result.advice == "pass"
    assert max(row.mean_score for row in result.contracts.values()) < 0


@PLAYERS
def test_better_hands_are_worth_more(players: int) -> None:
    results = [answer(hands[players], players) for hands in (RUBBISH, FAIR, MONSTERS)]
    for contract in CONTRACTS:
        chances_of = [result.contracts[contract].p_make for result in results]
        assert chances_of == sorted(chances_of)
        scores = [result.contracts[contract].mean_score for result in results]
        assert scores == sorted(scores)


@PLAYERS
@pytest.mark.parametrize("hands", [FAIR, RUBBISH], ids=["fair", "rubbish"])
def test_the_dog_helps(players: int, hands: dict[int, str]) -> None:
    """Garde ≥ Garde sans ≥ Garde contre: the worlds are the same, the attack has less."""
    prise, garde, sans, contre = probabilities(answer(hands[players], players)).values()
    assert prise == garde
    assert garde >= sans - 0.05
    assert sans >= contre - 0.05
    rows = answer(hands[players], players).contracts
    assert rows["garde_sans"].mean_points > rows["garde_contre"].mean_points


def test_dearer_contracts_have_larger_scores() -> None:
    rows = answer(RUBBISH[4]).contracts
    assert rows["garde"].mean_score == pytest.approx(2 * rows["prise"].mean_score, rel=0.5)
    assert rows["garde_contre"].mean_score < rows["garde_sans"].mean_score < 2 * -60


def test_more_worlds_narrow_the_interval() -> None:
    few, many = answer(FAIR[4]), answer(FAIR[4], worlds=200)
    for contract in CONTRACTS:
        if contract in ("prise", "garde"):  # without the dog the judge's error is most of it
            spans = [high - low for low, high in (r.contracts[contract].ci95 for r in (few, many))]
            assert spans[1] < spans[0]
        assert many.contracts[contract].se < 0.7 * few.contracts[contract].se
        assert many.contracts[contract].se_score < 0.7 * few.contracts[contract].se_score


def test_methods_agree() -> None:
    """As far as they say that they are off."""
    fast, cascade = answer(FAIR[4], worlds=100), answer(FAIR[4], worlds=100, method="cascade")
    assert cascade.method == "cascade"
    for contract in CONTRACTS:
        one, two = fast.contracts[contract], cascade.contracts[contract]
        # A 95 % interval is about four standard errors wide.
        error = hypot(*(high - low for low, high in (one.ci95, two.ci95))) / 4
        assert abs(one.p_make - two.p_make) < 3 * error
        assert abs(one.p_make - two.p_make) < 0.2


# --- exact searches -------------------------------------------------------------------

EXACT_HANDS = {3: FAIR[3], 4: FAIR[4], 5: FAIR[5]}
MARGIN = Objective([2 * target for target in TARGETS])


@PLAYERS
def test_proved_worlds_are_what_the_solver_says(players: int) -> None:
    hand, number = FAIR[players], METHODS["exact"].exact_worlds
    called = Card.parse("TR") if players == 5 else None
    result = answer(hand, players, method="exact", called=called)
    rules = Rules(players=players)
    plan = Plan(Hand(hand), rules, 0, "exact", called=called)
    worlds = draw_worlds(plan, FORECASTS, Stream.WORLDS, 0)
    first = leaders(plan, 0, FORECASTS)
    solver, forecasts = Solver(), Judge("fast")
    settled = 0
    for contract in CONTRACTS[1:]:
        sample, row = result.trials[contract], result.contracts[contract]
        deals = contract_deals(worlds, rules, contract, first, called=called)
        # These are the worlds of the answer.
        assert forecasts.forecast(deals).p_make == pytest.approx(sample.controls[:, 0])
        assert sample.exact.shape == sample.proved.shape == (number,)
        assert sample.proved.mean() == pytest.approx(row.proved)
        assert (sample.p_make > 0).all()
        assert (sample.p_make < 1).all()
        for place in range(number):
            if not sample.proved[place]:
                assert sample.p_make[place] == sample.exact[place]
                continue
            made, _ = solver.at_least(deals.position(place), MARGIN, 0)
            assert made is not None
            assert made == (sample.exact[place] == 1)
            assert sample.exact[place] in (0, 1)
            settled += 1
    assert settled >= 3


@pytest.mark.parametrize("answers", [0.0, 1.0])
def test_ten_proofs_that_agree_leave_a_doubt(answers: float) -> None:
    """Ten deals that all are made may well come from a chance of nine in ten."""
    sample = answer(FAIR[4]).trials["garde" if answers else "garde_contre"]
    before = estimate_p_make(sample)
    assert 0.02 < before.mean < 0.98
    proofs = replace(sample, exact=np.full(10, answers), proved=np.full(10, True))
    found = estimate_p_make(proofs)
    assert found.se > 0.005
    assert abs(before.mean - found.mean) < 4 * sqrt(before.se**2 + found.se**2)


def test_exact_answers_do_not_depend_on_the_jobs() -> None:
    expected = answer(MONSTERS[4], worlds=100, method="exact")
    for n_jobs in (2, -1):
        assert expected == answer(MONSTERS[4], worlds=100, method="exact", n_jobs=n_jobs)
    for sample in expected.trials.values():
        assert sample.exact.tolist() == [1.0] * 20


Asked = list[tuple[Contract, NDArray[np.uint8], NDArray[np.uint8]]]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Asked:
    """Return a list that fills with contract, worlds and leaders of the deals judged."""
    calls: Asked = []

    def spy(
        worlds: NDArray[np.uint8],
        rules: Rules,
        contract: Contract,
        leaders: NDArray[np.uint8],
        **more: Any,
    ) -> Deals:
        calls.append((contract, worlds, leaders))
        return contract_deals(worlds, rules, contract, leaders, **more)

    monkeypatch.setattr(sys.modules["tarot_sim.estimation.chunks"], "contract_deals", spy)
    return calls


# --- what was bid ---------------------------------------------------------------------

BIDS_BEFORE = ("pass", "prise")


def test_an_auction_changes_the_worlds(asked: Asked) -> None:
    """Who has bid holds more than others do."""
    options: dict[str, Any] = {"worlds": 50, "method": "fast", "n_jobs": 1}
    result = chances(FAIR[4], auction=BIDS_BEFORE, **options)
    assert (result.auction, result.dealer) == (BIDS_BEFORE, 1)
    with_bids = next(worlds for contract, worlds, _ in asked if contract == "garde")
    asked.clear()
    without = chances(FAIR[4], dealer=1, **options)
    plain = next(worlds for contract, worlds, _ in asked if contract == "garde")
    counts, before = (chavey_counts(worlds, 4)[:, :, 0] for worlds in (with_bids, plain))
    assert counts[:, 3].mean() > before[:, 3].mean() + 5  # seat 3 has said prise
    assert counts[:, 2].mean() < before[:, 2].mean()  # seat 2 has passed
    assert (counts[:, 0] == before[:, 0]).all()  # the own hand
    assert result.contracts != without.contracts
    assert result.contracts["garde_sans"].p_make < without.contracts["garde_sans"].p_make


def test_the_bids_say_who_deals(asked: Asked) -> None:
    """Without a dealer the player speaks next; with the same dealer nothing changes."""
    for bids, dealer in (((), 3), (("pass",), 2), (("pass",) * 2, 1), (("pass",) * 3, 0)):
        asked.clear()
        found = answer(FAIR[4], auction=bids)
        assert (found.dealer, found.auction) == (dealer, bids)
        assert found == answer(FAIR[4], auction=bids, dealer=dealer)
        for contract, _, first in asked:
            if contract == "garde":
                assert (first == (dealer + 1) % 4).all()
    # No bid yet tells nothing: the same as to know the dealer alone.
    assert answer(FAIR[4], auction=()).contracts == answer(FAIR[4], dealer=3).contracts


def test_bids_in_any_form() -> None:
    expected = answer(RUBBISH[4], auction=("pass", "garde_sans"))
    assert ("pass", "garde_sans") == expected.auction
    for bids in ((" Passe", "GARDE SANS"), ("p", "garde-sans ")):
        assert expected == answer(RUBBISH[4], auction=bids)


@PLAYERS
def test_what_a_pass_is_worth(players: int) -> None:
    """The player speaks last, so that a pass leaves the deal to the bidder before him."""
    bids = ("pass",) * (players - 2) + ("garde",)
    called = Card.parse("TR") if players == 5 else None
    result = answer(FAIR[players], players, auction=bids, called=called)
    assert result.pass_score is not None
    assert result.to_dict()["pass"] == {
        "mean_score": result.pass_score.mean,
        "se_score": result.pass_score.se,
    }
    rules, taker = Rules(players=players), players - 1
    auction = read_auction(bids, rules)
    assert auction.taker == taker
    worlds = sample_worlds_given(Hand(FAIR[players]), 0, auction, 200, np.random.PCG64DXSM(12))
    scores = []
    judge = Judge("fast")
    for world in worlds:
        first = np.array([(auction.dealer + 1) % players], np.uint8)
        call = None
        if players == 5:
            rois = (Card.parse(name) for name in ("PR", "CR", "KR", "TR"))
            call = next(roi for roi in rois if world[roi] != taker)
        deal = contract_deals(world[None], rules, "garde", first, taker=taker, called=call)
        forecast = judge.forecast(deal, taker)
        loss = 2 * (25 * (2 * forecast.p_make[0] - 1) + forecast.margins[0] / 2)
        scores.append(loss if deal.attack[0] & 1 else -loss)
    mean, se = np.mean(scores), np.std(scores, ddof=1) / sqrt(len(scores))
    assert abs(mean - result.pass_score.mean) < 4 * sqrt(se**2 + result.pass_score.se**2)
    assert 0.4 * se < result.pass_score.se < 1.1 * se  # twice as many worlds


def test_where_all_pass_nobody_wins() -> None:
    found = answer(FAIR[4], auction=("pass",) * 3).pass_score
    assert found is not None
    assert (0, 0) == (found.mean, found.se)


@pytest.mark.parametrize(
    ("hand", "bid"),
    [
        (FAIR[4], "prise"),
        (FAIR[4], "garde"),
        (MONSTERS[4], "prise"),
        (RUBBISH[4], "garde_sans"),
        (RUBBISH[4], "garde_contre"),
    ],
)
def test_only_higher_bids_are_advised(hand: str, bid: Contract) -> None:
    assert answer(FAIR[4]).advice == "garde"
    result = answer(hand, auction=(bid,))
    left = CONTRACTS[CONTRACTS.index(bid) + 1 :]
    assert tuple(result.contracts) == CONTRACTS
    assert result.pass_score is not None
    worth = {"pass": result.pass_score.mean}
    worth |= {contract: result.contracts[contract].mean_score for contract in left}
    best, *others = sorted(worth, key=lambda name: -worth[name])
    assert best == result.advice
    if others:
        assert others[0] == result.decision.second
        assert worth[best] - worth[others[0]] == pytest.approx(result.decision.gain)
        assert result.decision.se > 0
    else:
        decision = result.decision
        assert ("pass", 0, 0) == (decision.second, decision.gain, decision.se)


def test_the_gain_over_a_pass_has_the_errors_of_both() -> None:
    result = answer(RUBBISH[4], auction=("prise",))
    assert (result.advice, result.decision.second) == ("pass", "garde")
    assert result.pass_score is not None
    both = sqrt(result.contracts["garde"].se_score ** 2 + result.pass_score.se**2)
    assert both == pytest.approx(result.decision.se)


@pytest.mark.parametrize("players", [3, 5])
def test_auctions_of_other_tables(players: int) -> None:
    called = Card.parse("TR") if players == 5 else None
    options: dict[str, Any] = {"auction": ("pass",), "called": called}
    found = answer(FAIR[players], players, **options)
    assert found.dealer == players - 2
    assert found == answer(FAIR[players], players, **options, n_jobs=2)


@pytest.mark.parametrize(
    ("message", "options"),
    [
        ("auction, word 2: bid: 'gard' is not one of pass, prise", {"auction": ["pass", "gard"]}),
        ("auction, word 1: bid: '' is not one of", {"auction": [""]}),
        ("auction, word 2: bid: 'prise' is not higher than prise", {"auction": ["prise"] * 2}),
        ("auction, word 3: bid: 'prise' is not", {"auction": ["pass", "garde", "prise"]}),
        ("auction: 4 bids leave nothing to say", {"auction": ["pass"] * 4}),
        ("auction, word 5: bid: 'pass' comes after", {"auction": ["pass"] * 5, "dealer": 0}),
        ("dealer: seat 4", {"auction": ["pass"], "dealer": 4}),
    ],
)
def test_wrong_auctions(message: str, options: dict[str, Any]) -> None:
    with pytest.raises(TarotError, match=f"^{message}"):
        chances(FAIR[4], worlds=50, method="fast", n_jobs=1, **options)


# --- what it depends on ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "hand"), [(3, FAIR[3]), (4, FAIR[4]), (5, FAIR[5])], ids=["3", "4", "5"]
)
def test_the_number_of_jobs_changes_nothing(players: int, hand: str) -> None:
    expected = answer(hand, players, worlds=150)
    for n_jobs in (2, -1):
        found = answer(hand, players, worlds=150, n_jobs=n_jobs)
        assert found == expected
        differ = {key for key, value in found.to_dict().items() if value != expected.to_dict()[key]}
        assert differ <= {"seconds"}


def test_seeds() -> None:
    first = answer(FAIR[4], seed=1)
    assert first.seed == 1
    assert first == chances(FAIR[4], worlds=50, method="fast", n_jobs=1, seed=1)
    assert first.contracts != answer(FAIR[4], seed=2).contracts
    assert first.contracts != answer(FAIR[4]).contracts


def test_fewer_worlds_are_the_first_ones() -> None:
    """A mean over 100 worlds is that over the first 50 and those that follow."""
    half, whole = answer(FAIR[4]), answer(FAIR[4], worlds=100)
    for contract in CONTRACTS:
        rest = 2 * whole.contracts[contract].p_make - half.contracts[contract].p_make
        assert -1e-9 <= rest <= 1 + 1e-9


@pytest.mark.parametrize(("asked", "dealt"), [(1, 50), (50, 50), (51, 100), (120, 150)])
def test_worlds_come_in_chunks(asked: int, dealt: int) -> None:
    assert CHUNK == 50
    assert answer(FAIR[4], worlds=asked).worlds == dealt
    assert answer(FAIR[4], worlds=asked).contracts == answer(FAIR[4], worlds=dealt).contracts


def test_the_hand_in_any_form() -> None:
    hand = Hand(FAIR[4])
    assert chances(hand, worlds=50, method="fast", n_jobs=1) == answer(FAIR[4])
    shuffled = " ".join(card.name for card in reversed(list(hand)))
    assert chances(shuffled, worlds=50, method="fast", n_jobs=1) == answer(FAIR[4])


@PLAYERS
def test_the_dealers_right_hand_neighbour_leads(players: int, asked: Asked) -> None:
    called = Card.parse("TR") if players == 5 else None
    for dealer in range(players):
        asked.clear()
        options: dict[str, Any] = {"worlds": 50, "method": "fast", "n_jobs": 1}
        chances(FAIR[players], players=players, dealer=dealer, called=called, **options)
        assert asked
        for _, _, first in asked:
            assert (first == (dealer + 1) % players).all()
    asked.clear()
    chances(FAIR[players], players=players, called=called, worlds=100, method="fast", n_jobs=1)
    counts = np.bincount(np.concatenate([first for _, _, first in asked]), minlength=players)
    assert len(counts) == players
    assert counts.max() - counts.min() <= 6  # all in turn, in each contract and chunk


def test_contracts_have_the_same_worlds_and_no_world_comes_twice(asked: Asked) -> None:
    chances(FAIR[4], worlds=200, method="fast", n_jobs=1)
    by_contract: dict[Contract, list[NDArray[np.uint8]]] = {}
    for contract, worlds, _ in asked:
        by_contract.setdefault(contract, []).append(worlds)
    assert {"garde", "garde_sans", "garde_contre"} == set(by_contract)
    first, *others = (np.concatenate(worlds) for worlds in by_contract.values())
    for other in others:
        assert np.array_equal(first, other)
    assert len(np.unique(first, axis=0)) == len(first) == 4 * FORECASTS


def test_the_dealer_matters() -> None:
    by_dealer = [answer(FAIR[4], dealer=dealer) for dealer in range(4)]
    assert [result.dealer for result in by_dealer] == [0, 1, 2, 3]
    assert answer(FAIR[4]).dealer is None
    assert len({result.contracts["garde"].mean_score for result in by_dealer}) == 4


def test_rules_reach_the_play() -> None:
    fft = chances(FAIR[4], rules=Rules.fft(), worlds=50, method="fast", n_jobs=1)
    assert fft.contracts["garde"].p_make == pytest.approx(
        answer(FAIR[4]).contracts["garde"].p_make, abs=0.1
    )
    assert chances(FAIR[3], rules=Rules(players=3), worlds=50, n_jobs=1).players == 3


# --- five players ---------------------------------------------------------------------


def test_the_call_that_is_asked_for() -> None:
    results = {
        card: answer(FAIR[5], 5, called=card)
        for card in callable_cards(Hand(FAIR[5]), Rules(players=5))
    }
    for card, result in results.items():
        assert result.called == card
    scores = {card: result.contracts["garde"].mean_score for card, result in results.items()}
    assert len(set(scores.values())) == len(scores)
    # To play alone, by one's own Roi, makes fewer contracts than with a partner.
    alone = results[Card.parse("PR")].contracts["garde"].p_make
    others = [r.contracts["garde"].p_make for c, r in results.items() if c != Card.parse("PR")]
    assert alone < max(others)


def test_the_best_call_is_one_of_those_allowed() -> None:
    result = answer(FAIR[5], 5)
    assert result.called in callable_cards(result.hand, Rules(players=5))
    assert result == answer(FAIR[5], 5, called=None)
    assert result.contracts == answer(FAIR[5], 5, called=result.called).contracts


def test_four_rois_call_a_dame() -> None:
    hand = "A:21,20,18,15,12,9,6,EX P:R,4 C:R,8 K:R T:R,2"
    called = answer(hand, 5).called
    assert called is not None
    assert called.rank == 13
    with pytest.raises(BidError, match="called: PR may not be called"):
        answer(hand, 5, called=Card.parse("PR"))
    fft = chances(
        hand, rules=Rules.fft(5), called=Card.parse("PR"), worlds=50, method="fast", n_jobs=1
    )
    assert fft.called == Card.parse("PR")


# --- bad input ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("message", "error", "options"),
    [
        ("worlds: 0", OptionError, {"worlds": 0}),
        ("worlds: -5", OptionError, {"worlds": -5}),
        ("precision: 0 is not between", OptionError, {"precision": 0}),
        ("precision: 1 is not between", OptionError, {"precision": 1}),
        ("precision: -0.1", OptionError, {"precision": -0.1}),
        ("precision: nan", OptionError, {"precision": float("nan")}),
        ("seconds: 0", OptionError, {"seconds": 0}),
        ("seconds: -1", OptionError, {"seconds": -1}),
        ("seconds: nan", OptionError, {"seconds": float("nan")}),
        ("n_jobs: 0", OptionError, {"n_jobs": 0}),
        ("seed: -1 is negative", OptionError, {"seed": -1}),
        ("method: 'slow' is not one of fast, cascade, exact", OptionError, {"method": "slow"}),
        ("dealer: seat 4 is not 0…3", RulesError, {"dealer": 4}),
        ("dealer: seat -1", RulesError, {"dealer": -1}),
        ("called: no card is called at 4", BidError, {"called": Card.parse("PR")}),
        ("players: 6", RulesError, {"players": 6}),
        ("players: 4, but the rules are for 3", RulesError, {"rules": Rules(players=3)}),
    ],
)
def test_options(message: str, error: type[TarotError], options: dict[str, Any]) -> None:
    with pytest.raises(error, match=f"^{message}"):
        chances(FAIR[4], **{"players": 4, "worlds": 50, "n_jobs": 1} | options)


@PLAYERS
def test_wrong_hands(players: int) -> None:
    size = Rules(players=players).hand_size
    hand = Hand(FAIR[players])
    with pytest.raises(HandError, match=f"{size - 1} cards, expected {size}"):
        chances(hand - Hand("A21"), players=players, worlds=50)
    with pytest.raises(HandError, match=f"{size + 1} cards, expected {size}"):
        chances(hand | Hand("A1"), players=players, worlds=50)
    with pytest.raises(TarotError, match="unknown card 'A22' at character 1"):
        chances("A22 " + FAIR[players], players=players, worlds=50)
    with pytest.raises(HandError, match="card PR comes twice"):
        chances(FAIR[players] + " PR", players=players, worlds=50)


@PLAYERS
def test_a_petit_sec_is_not_played(players: int) -> None:
    size = Rules(players=players).hand_size
    hand = Hand([56, *range(size - 1)])
    assert hand.is_petit_sec()
    with pytest.raises(HandError, match="Petit sec"):
        chances(hand, players=players, worlds=50, n_jobs=1)
    played = Rules(players=players, petit_sec="off")
    assert chances(hand, rules=played, worlds=50, method="fast", n_jobs=1).advice == "pass"


def test_a_call_that_is_not_allowed() -> None:
    with pytest.raises(BidError, match="called: KD may not be called with this hand"):
        chances(FAIR[5], players=5, called=Card.parse("KD"), worlds=50)
