"""What type checkers see of the public names: wrong types here fail `make lint`."""

from __future__ import annotations

from fractions import Fraction
from typing import assert_type

import numpy as np
import numpy.typing as npt

import tarot_sim as ts
from tarot_sim.solver.card_values import CardValues


def test_cards_and_hands() -> None:
    hand = ts.Hand("A:21,EX P:R,D")
    assert_type(hand, ts.Hand)
    assert_type(list(hand), list[ts.Card])
    assert_type(hand.half_points, int)
    assert_type(ts.Card.parse("PR"), ts.Card)
    assert_type(ts.parse_cards("PR CR"), list[ts.Card])


def test_deals_and_positions() -> None:
    deal = ts.Deal.random(players=4, rng=1)
    assert_type(deal, ts.Deal)
    assert_type(deal.hands, tuple[ts.Hand, ...])
    position = ts.Position(deal.hands, attack=[0], leader=0)
    assert_type(position, ts.Position)
    assert_type(position.to_move, int | None)
    assert_type(position.legal_cards(), list[ts.Card])
    assert_type(position.legal_mask(), int)
    assert_type(position.trick, tuple[tuple[int, ts.Card], ...])
    assert_type(position.perft(1), int)
    position.play(position.legal_cards()[0])
    assert_type(position.undo(), ts.Card)
    outcomes = ts.random_playouts(position, 2, np.random.PCG64DXSM(1))
    assert_type(outcomes, npt.NDArray[np.void])


def test_solver_and_chances() -> None:
    deal = ts.Deal.from_dict(
        {"players": 4, "hands": ["A21", "PR", "A1", "EX"], "leader": 0, "taker": 0}
    )
    position = deal.position()
    solution = ts.solve(position)
    assert_type(solution, ts.Solution)
    assert_type(solution.value, int | None)
    assert_type(ts.can_make(position), bool | None)
    assert_type(ts.can_chelem(position, "attack"), bool | None)
    assert_type(ts.solve_cards(position), CardValues)
    answer = ts.chances(
        "A:21,19,16,14,11,8,5,1,EX P:R,D,6 C:C,10 K:R,4 T:V,9", worlds=3, method="fast"
    )
    assert_type(answer, ts.Chances)
    assert_type(answer.contracts, dict[ts.Contract, ts.ContractChances])
    assert_type(answer.contracts["garde"].p_make, float)
    calls = ts.rank_calls("A:21,16,14,11,8,5,1 P:R,D,6 C:C,10 K:4 T:V,9", worlds=3)
    assert_type(calls, ts.Ranking[ts.Card])
    assert_type(calls.best, ts.Card)
    ecarts = ts.rank_discards(
        "A:21,19,16,14,11,8,5,1,EX P:R,D,6 C:C,10 K:R,4 T:V,9",
        "A:3 P:2 C:7,1 K:8 T:4",
        worlds=3,
        candidates=2,
    )
    assert_type(ecarts.best, ts.Hand)


def test_results() -> None:
    score = ts.score(contract="garde", points=49, bouts=2)
    assert_type(score, ts.Score)
    assert_type(score.taker, int)
    assert_type(score.partner, int | None)
    assert_type(score.by_seat(4, taker_seat=0), tuple[int, ...])
    assert_type(ts.CONTRACTS, tuple[ts.Contract, ...])


def test_odds() -> None:
    odds = ts.odds("A:21,16,12,9,6,2,EX P:R,D,6,3 C:V,8 K:R,4 T:V,9,5")
    assert_type(odds, ts.Odds)
    assert_type(odds.suit("P").p_no_void, Fraction)
    assert_type(odds.card("A1").p_dog, Fraction)
    assert_type(odds.other_hand().trumps, dict[int, Fraction])
