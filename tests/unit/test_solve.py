"""The friendly calls against the oracle."""

from __future__ import annotations

from random import Random

import pytest

from tarot_sim._core import Position
from tarot_sim._solver import Solver
from tarot_sim.cards import Hand
from tarot_sim.rules import CONTRACTS
from tarot_sim.solve import OBJECTIVES, Stakes, solve
from tests.endings import position_of
from tests.reference import generate, minimax, rules


# The Petit and the 21 have one value, and next to each other in a hand they win the same
# tricks, but only one of them can be au bout.
def test_the_petit_is_not_the_21() -> None:
    position = Position(
        [Hand("TV KC"), Hand("EX KD"), Hand("A1 A21")],
        attack=[1],
        leader=2,
        attack_half_points=140,
        won=(True, False),
    )
    assert len(position.equivalent_cards()) == 2
    stakes = Stakes("garde_contre")
    solution = solve(position, "score", stakes=stakes, cards=True, line=True)
    assert solution.cards is not None
    assert {card.name: value for card, value in solution.cards.items()} == {"A1": 576, "A21": 456}
    assert solution.value == 456
    assert solution.best is not None
    assert solution.best.name == "A21"
    assert solution.line is not None
    assert solution.line[0] == solution.best


@pytest.mark.parametrize("players", [3, 4, 5])
def test_the_oracle_agrees(players: int) -> None:
    rng = Random(f"solve {players}")
    solver = Solver(1 << 20)
    for number in range(60):
        make = generate.random_small_deal if number % 3 == 0 else generate.random_ending
        start = make(rng, players, 3 if players < 5 else 2, trumps=0.6, special=0.7)
        state, plays = generate.random_mid_trick(rng, start) if number % 2 else (start, [])
        contract = rng.choice(CONTRACTS)
        poignees = ("simple",) * rng.randint(0, 1)
        announced = rng.random() < 0.2
        meanings = {
            "points": minimax.points,
            "margin": minimax.margin,
            "score": minimax.score(
                players,
                contract,
                partner=len(start.table.attack) == 2,
                poignees=poignees,
                chelem_announced=announced,
            ),
        }
        position = position_of(start, plays)
        for objective in OBJECTIVES:
            meaning = meanings[objective]
            expected = minimax.card_values(state, meaning)
            best = (max if minimax.attack_moves(state) else min)(expected.values())
            solution = solve(
                position,
                objective,
                stakes=Stakes(contract, poignees, announced),
                cards=True,
                line=True,
                solver=solver,
            )
            assert solution.exact
            assert solution.value == best
            assert solution.bounds == (best, best)
            assert solution.cards is not None
            assert {card.name: value for card, value in solution.cards.items()} == expected
            assert solution.best is not None
            assert expected[solution.best.name] == best
            assert solution.make is (minimax.alpha_beta(state, minimax.margin) >= 0)
            assert solution.line is not None
            assert solution.line[0] == solution.best
            end = state
            for card in solution.line:
                assert card.name in rules.legal(end)
                end = rules.play(end, card.name)
            assert rules.is_over(end)
            assert meaning(rules.settle(end)) == best
