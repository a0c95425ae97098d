"""Chances of the contracts: what depends on what, and figures that make sense."""

from __future__ import annotations

import json
import sys
import time
from dataclasses import asdict
from functools import cache
from math import isfinite
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tarot_sim._evaluate import Deals
from tarot_sim.bidding import callable_cards
from tarot_sim.cards import Card, Hand
from tarot_sim.chances import Chances, chances
from tarot_sim.errors import BidError, HandError, RulesError, TarotError
from tarot_sim.rules import CONTRACTS, Contract, Rules
from tarot_sim.trials import CHUNK
from tarot_sim.worlds import contract_deals

#: Hands that make everything, that are worth a Garde, and that make nothing.
MONSTERS = {
    3: "A:21,20,19,18,17,16,15,14,13,12,11,10,1,EX P:R,D,C C:R,D K:R,D T:R,D,C",
    4: "A:21,20,19,18,17,16,15,14,13,12,1,EX P:R,D C:R K:R T:R,D",
    5: "A:21,20,19,18,17,16,15,14,13,1,EX P:R,D C:R K:R",
}
FAIR = {
    3: "A:21,18,15,13,11,9,6,4,2,EX P:R,D,8,4 C:R,10,5 K:D,9,4,2 T:R,7,3",
    4: "A:21,19,15,12,9,6,3,EX P:R,D,7 C:R,10,5 K:9,4 T:V,8",
    5: "A:21,18,14,11,7,4,EX P:R,D,6 C:10,5 K:9 T:V,8",
}
RUBBISH = {
    3: "A:5,3,2 P:10,9,8,7,6,5,1 C:8,7,6,4,3 K:9,8,6,5 T:V,8,7,6,1",
    4: "A:4,3 P:10,9,8,7,6 C:8,7,6,5,4 K:9,8,7 T:V,8,7",
    5: "A:4,3 P:10,9,8,7 C:8,7,6,4 K:9,8,7 T:V,8",
}
PLAYERS = pytest.mark.parametrize("players", [3, 4, 5])


@cache
def answer(hand: str, players: int = 4, **options: Any) -> Chances:
    """Return quick chances, once for each question."""
    defaults: dict[str, Any] = {"worlds": 50, "method": "fast", "n_jobs": 1}
    return chances(hand, players=players, **(defaults | options))


def probabilities(result: Chances) -> dict[Contract, float]:
    return {contract: row.p_make for contract, row in result.contracts.items()}


# --- what an answer holds -------------------------------------------------------------


@PLAYERS
@pytest.mark.parametrize("hands", [MONSTERS, FAIR, RUBBISH], ids=["monster", "fair", "rubbish"])
def test_figures_are_possible(players: int, hands: dict[int, str]) -> None:
    result = answer(hands[players], players)
    assert result.hand == Hand(hands[players])
    assert (result.players, result.worlds, result.method) == (players, 50, "fast")
    assert tuple(result.contracts) == CONTRACTS
    for row in result.contracts.values():
        assert 0 <= row.p_make <= 1
        low, high = row.ci95
        assert 0 <= low <= row.p_make <= high <= 1
        assert 0 < high - low < 0.3
        assert isfinite(row.mean_score)
        assert 0 <= row.se_score < 100
        assert 0 <= row.mean_points <= 91
    prise, garde = result.contracts["prise"], result.contracts["garde"]
    assert (prise.p_make, prise.mean_points) == (garde.p_make, garde.mean_points)
    assert result.seconds > 0
    assert (result.called is None) == (players != 5)


@PLAYERS
@pytest.mark.parametrize("hands", [MONSTERS, FAIR, RUBBISH], ids=["monster", "fair", "rubbish"])
def test_advice_is_the_best_score(players: int, hands: dict[int, str]) -> None:
    result = answer(hands[players], players)
    scores = {contract: row.mean_score for contract, row in result.contracts.items()}
    best = max(scores.values())
    if result.advice == "pass":
        assert best <= 0
    else:
        assert scores[result.advice] == best > 0


def test_dictionary() -> None:
    result = answer(FAIR[4])
    record = result.to_dict()
    # The keys that are fixed, then those that were added.
    fixed = ["hand", "players", "method", "worlds", "contracts", "advice", "seconds"]
    assert set(fixed) <= set(record)
    assert set(record) - set(fixed) == {"model", "called", "dealer", "seed"}
    assert list(record["contracts"]) == list(CONTRACTS)
    for contract, row in record["contracts"].items():
        assert set(row) == {"p_make", "ci95", "mean_score", "mean_points", "se_score"}
        expected = asdict(result.contracts[contract])
        assert row == expected | {"ci95": list(expected["ci95"])}
    assert (record["hand"], record["players"]) == (FAIR[4], 4)
    assert record["model"] == "double_dummy"
    assert (record["advice"], record["called"], record["seed"]) == (result.advice, None, 0)
    assert json.loads(json.dumps(record, allow_nan=False)) == record
    five = answer(FAIR[5], 5).to_dict()
    assert five["called"] == str(answer(FAIR[5], 5).called)
    assert json.loads(json.dumps(five)) == five


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
        spans = [high - low for low, high in (r.contracts[contract].ci95 for r in (few, many))]
        assert spans[1] < 0.7 * spans[0]
        assert many.contracts[contract].se_score < few.contracts[contract].se_score


def test_methods_agree() -> None:
    fast, cascade = answer(FAIR[4], worlds=100), answer(FAIR[4], worlds=100, method="cascade")
    assert cascade.method == "cascade"
    for contract in CONTRACTS:
        assert abs(fast.contracts[contract].p_make - cascade.contracts[contract].p_make) < 0.12


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


Asked = list[tuple[Contract, NDArray[np.uint8], NDArray[np.uint8]]]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Asked:
    """Return a list that fills with contract, worlds and leaders of the deals judged."""
    calls: Asked = []

    def spy(
        hand: Hand,
        worlds: NDArray[np.uint8],
        rules: Rules,
        contract: Contract,
        leaders: NDArray[np.uint8],
        **more: Any,
    ) -> Deals:
        calls.append((contract, worlds, leaders))
        return contract_deals(worlds, rules, contract, leaders, **more)

    # The package has the function under this name, hence the detour to the module.
    monkeypatch.setattr(sys.modules["tarot_sim.chances"], "contract_deals", spy)
    return calls


@PLAYERS
def test_the_dealers_right_hand_neighbour_leads(players: int, asked: Asked) -> None:
    called = Card.parse("TR") if players == 5 else None
    for dealer in range(players):
        asked.clear()
        options: dict[str, Any] = {"worlds": 50, "method": "fast", "n_jobs": 1}
        chances(FAIR[players], players=players, dealer=dealer, called=called, **options)
        assert asked
        for _, _, leaders in asked:
            assert (leaders == (dealer + 1) % players).all()
    asked.clear()
    chances(FAIR[players], players=players, called=called, worlds=100, method="fast", n_jobs=1)
    counts = np.bincount(np.concatenate([leaders for _, _, leaders in asked]), minlength=players)
    assert len(counts) == players
    assert counts.max() - counts.min() <= 3  # all in turn, in each contract


def test_contracts_have_the_same_worlds_and_no_world_comes_twice(asked: Asked) -> None:
    chances(FAIR[4], worlds=200, method="fast", n_jobs=1)
    by_contract: dict[Contract, list[NDArray[np.uint8]]] = {}
    for contract, worlds, _ in asked:
        by_contract.setdefault(contract, []).append(worlds)
    assert {"garde", "garde_sans", "garde_contre"} == set(by_contract)
    first, *others = (np.concatenate(worlds) for worlds in by_contract.values())
    for other in others:
        assert np.array_equal(first, other)
    assert len(np.unique(first, axis=0)) == 200


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


# --- stopping -------------------------------------------------------------------------


def test_precision_stops() -> None:
    result = answer(FAIR[4], worlds=5_000, precision=0.08)
    assert result.worlds < 5_000
    assert all(high - low <= 0.16 for low, high in (r.ci95 for r in result.contracts.values()))
    assert result == answer(FAIR[4], worlds=5_000, precision=0.08, n_jobs=2)
    assert result.worlds >= 100
    # One chunk less would not have done.
    before = answer(FAIR[4], worlds=result.worlds - 50)
    assert any(high - low > 0.16 for low, high in (r.ci95 for r in before.contracts.values()))


def test_precision_does_not_ask_for_more_than_the_worlds() -> None:
    assert answer(FAIR[4], worlds=100, precision=0.001).worlds == 100


def test_time_stops() -> None:
    started = time.monotonic()
    result = answer(FAIR[4], worlds=1_000_000, seconds=0.2)
    assert 50 <= result.worlds < 1_000_000
    assert time.monotonic() - started < 60
    assert result.contracts == answer(FAIR[4], worlds=result.worlds).contracts


def test_progress() -> None:
    seen: list[tuple[int, int]] = []
    for n_jobs in (1, 2):
        seen.clear()
        chances(
            FAIR[4],
            worlds=250,
            method="fast",
            n_jobs=n_jobs,
            progress=lambda done, planned: seen.append((done, planned)),
        )
        assert seen == [(done, 250) for done in (50, 100, 150, 200, 250)]


def test_an_error_of_progress_comes_through() -> None:
    def stop(_done: int, _planned: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        chances(FAIR[4], worlds=50, method="fast", n_jobs=1, progress=stop)
    assert chances(FAIR[4], worlds=50, method="fast", n_jobs=1) == answer(FAIR[4])


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
        ("worlds: 0", RulesError, {"worlds": 0}),
        ("worlds: -5", RulesError, {"worlds": -5}),
        ("precision: 0 is not between", RulesError, {"precision": 0}),
        ("precision: 1 is not between", RulesError, {"precision": 1}),
        ("precision: -0.1", RulesError, {"precision": -0.1}),
        ("precision: nan", RulesError, {"precision": float("nan")}),
        ("seconds: 0", RulesError, {"seconds": 0}),
        ("seconds: -1", RulesError, {"seconds": -1}),
        ("seconds: nan", RulesError, {"seconds": float("nan")}),
        ("n_jobs: 0", RulesError, {"n_jobs": 0}),
        ("method: 'slow' is not one of fast, cascade", RulesError, {"method": "slow"}),
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
