"""Bounds without search, and those of a small budget, against the oracle's values."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from tarot_sim.rules import CAMPS, CONTRACTS
from tarot_sim.solver._solver import Solver
from tarot_sim.solver.objectives import OBJECTIVES, Stakes
from tarot_sim.solver.solving import can_make, solve
from tarot_sim.solver.sure_bounds import sure_of
from tests.endings import position_of
from tests.reference import generate, minimax

PLAYERS = pytest.mark.parametrize("players", [3, 4, 5])


@PLAYERS
def test_bounds_hold_the_value(players: int) -> None:
    """All objectives, with and without tricks won, in the middle of tricks, with any budget."""
    rng = Random(f"sure bounds {players}")
    told = Counter[str]()
    for number in range(150):
        make = generate.random_small_deal if number % 2 else generate.random_ending
        cards = 2 if players == 5 else 3
        start = make(rng, players, cards, trumps=rng.choice((0.3, 0.6, 0.9)), special=0.7)
        state, plays = generate.random_mid_trick(rng, start) if number % 3 else (start, [])
        stakes = Stakes(rng.choice(CONTRACTS), ("simple",) * rng.randint(0, 1), rng.random() < 0.3)
        meanings = {
            "points": minimax.points,
            "margin": minimax.margin,
            "score": minimax.score(
                players,
                stakes.contract,
                partner=len(start.table.attack) == 2,
                poignees=tuple(stakes.poignees),
                chelem_announced=stakes.chelem_announced,
            ),
        }
        values = {name: minimax.alpha_beta(state, meanings[name]) for name in OBJECTIVES}
        position = position_of(start, plays)
        for name in OBJECTIVES:
            for nodes in (0, 1, 5, 30, 300):
                found = solve(position, name, stakes=stakes, nodes=nodes, solver=Solver(1 << 12))
                low, high = found.bounds
                assert low <= values[name] <= high, (position, name, nodes)
                assert found.value in (None, values[name])
                assert found.make in (None, values["margin"] >= 0)
                told[f"{name} {nodes}"] += low == high
        assert can_make(position, nodes=1) in (None, values["margin"] >= 0)
    assert told["score 0"] > 5
    assert told["score 300"] > 100


@PLAYERS
def test_proofs_of_a_chelem_bound_the_score(players: int) -> None:
    """Where one camp has all the high cards: each proof tells of the value."""
    rng = Random(f"sure chelems {players}")
    proved = Counter[bool | None]()
    for _ in range(150):
        start = generate.random_small_deal(rng, players, 2, trumps=0.8, special=0.8)
        position = position_of(start)
        sure = sure_of(position, Solver(1 << 12))
        for camp in CAMPS:
            sign = 1 if camp == "attack" else -1
            swept = minimax.alpha_beta(start, lambda result: 2 * _sign_of(result.chelem))
            answer = sure.chelem[camp]
            proved[answer] += 1
            assert answer in (None, sign * swept > 0)
        margin = minimax.alpha_beta(start, minimax.margin)
        assert sure.margin[0] <= margin <= sure.margin[1]
        points = minimax.alpha_beta(start, minimax.points)
        assert sure.points[0] <= points <= sure.points[1]
    assert proved[True] > 10


def _sign_of(chelem: str | int | None) -> int:
    """Return which camp won every trick of the oracle's settlement."""
    return chelem if isinstance(chelem, int) else {"attack": 1, "defence": -1}.get(chelem or "", 0)


def test_whole_deals_have_bounds_of_their_own() -> None:
    """A search that ends early bounds the score by what it has found of the margin."""
    rng = Random("sure whole")
    decided = 0
    for players in (3, 4, 5):
        for _ in range(6):
            position = position_of(generate.random_deal(rng, players))
            stakes = Stakes("garde")
            least, most = solve(position, "score", stakes=stakes, nodes=0).bounds
            found = solve(position, "score", stakes=stakes, nodes=20_000)
            assert least <= found.bounds[0] <= found.bounds[1] <= most
            if found.make is not None:
                # What a defender wins or loses at least, but for a Petit au bout.
                decided += 1
                low, high = found.bounds
                assert low >= (players - 1) * 30 if found.make and players < 5 else True
                assert found.make or high < 0
    assert decided > 5
