"""The search on tens of thousands of endings, against the oracle and against a plain one.

The oracle shares nothing with the engine, but takes a second for five cards at four
players. The plain search has the engine's rules, which other tests compare with the
oracle's, but none of what a search goes wrong by: bounds, equivalence of cards, a table
whose entries hold for more than one position. Faults of that kind show once in tens of
thousands of endings.
"""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from tarot_sim.rules import CONTRACTS
from tarot_sim.solver._solver import Solver
from tarot_sim.solver.objectives import OBJECTIVES, ObjectiveName, Stakes
from tarot_sim.solver.solving import can_make, solve, solve_cards
from tests.agreement import compare as compare_with_plain
from tests.agreement import endings, report
from tests.endings import first_lead, position_of
from tests.reference import generate, minimax, rules

#: Endings by players and cards a hand: what the oracle does in a minute at each table.
AGAINST_THE_ORACLE = {
    3: {1: 50, 2: 100, 3: 350, 4: 250, 5: 100},
    4: {1: 50, 2: 150, 3: 450, 4: 150, 5: 10},
    5: {1: 50, 2: 250, 3: 400, 4: 70, 5: 12},
}
#: From here on the oracle is asked for one objective, and not for every card; and at five
#: players, where it may take minutes, only when some of the first trick is played.
DEAR = {3: 6, 4: 5, 5: 5}

#: The same for the plain search: about a minute in all.
AGAINST_THE_PLAIN = {
    3: {3: 5000, 4: 8000, 5: 10000},
    4: {3: 5000, 4: 8000, 5: 8000},
    5: {3: 5000, 4: 8000, 5: 6000},
}
SMALL_TABLE = 64 << 10

PLAYERS = pytest.mark.parametrize("players", [3, 4, 5])


def random_state(rng: Random, players: int, cards: int) -> tuple[rules.State, list[str]]:
    """Return an ending, and cards played from it: none, or some of the first tricks."""
    kind = rng.random()
    if players == 5 and kind < 0.15:
        start = first_lead(rng, cards)
    else:
        make = generate.random_small_deal if kind < 0.35 else generate.random_ending
        camp = generate.any_camp(rng, players) if rng.random() < 0.2 else None
        start = make(rng, players, cards, attack=camp, trumps=0.5, special=0.6)
    if players == 5 and cards >= DEAR[5]:
        return start, generate.random_plays(rng, start, rng.randint(2, 4))[1]
    if rng.random() < 0.6:
        return start, []
    return start, generate.random_mid_trick(rng, start)[1]


def after(state: rules.State, plays: list[str]) -> rules.State:
    for card in plays:
        state = rules.play(state, card)
    return state


def compare(rng: Random, solver: Solver, players: int, cards: int) -> Counter[str]:
    """Ask one ending of the oracle and of the solver; return what was compared."""
    start, plays = random_state(rng, players, cards)
    state, position = after(start, plays), position_of(start, plays)
    stakes = Stakes(
        rng.choice(CONTRACTS),
        rng.choice(((), (), ("simple",), ("double", "simple"))),
        rng.random() < 0.2,
    )
    attackers = len(start.table.attack)
    meanings: dict[ObjectiveName, minimax.Objective] = {
        "points": minimax.points,
        "margin": minimax.margin,
    }
    if attackers == 1 or (players == 5 and attackers == 2):
        meanings["score"] = minimax.score(
            players,
            stakes.contract,
            partner=attackers == 2,
            poignees=stakes.poignees,
            chelem_announced=stakes.chelem_announced,
        )
    dear = cards >= DEAR[players]
    asked = [rng.choice(list(meanings))] if dear else list(meanings)
    all_cards = not dear and rng.random() < 0.3
    seen = Counter({"endings": 1, "in the middle of a trick": bool(state.trick)})
    seen["called cards"] += position.called is not None
    for objective in asked:
        meaning = meanings[objective]
        expected = minimax.alpha_beta(state, meaning)
        solution = solve(position, objective, stakes=stakes, line=True, solver=solver)
        assert (solution.value, solution.bounds) == (expected, (expected, expected)), start
        assert solution.line is not None
        end = after(state, [card.name for card in solution.line])
        assert expected == meaning(rules.settle(end)), start
        seen[f"values of {objective}"] += 1
        if objective == "margin":
            assert can_make(position, solver=solver) is (expected >= 0), start
            assert solution.make is (expected >= 0), start
            seen["contracts made or not"] += 1
        if all_cards:
            values = solve_cards(position, objective, stakes=stakes, solver=solver)
            by_name = {card.name: value for card, value in values.items()}
            assert minimax.card_values(state, meaning) == by_name, start
            seen["values of cards"] += len(values)
    return seen


@pytest.mark.slow
@PLAYERS
def test_the_oracle_agrees(players: int, capsys: pytest.CaptureFixture[str]) -> None:
    rng = Random(f"endings {players}")
    # A small table that is full of other endings, as in long use.
    solver = Solver(SMALL_TABLE)
    seen: Counter[str] = Counter()
    for cards, count in AGAINST_THE_ORACLE[players].items():
        for _ in range(count):
            seen += compare(rng, solver, players, cards)
    report(capsys, f"{players} players against the oracle", seen)
    assert seen["endings"] == sum(AGAINST_THE_ORACLE[players].values())
    for objective in OBJECTIVES:
        assert seen[f"values of {objective}"] > 400
    assert seen["values of cards"] > 1000
    assert seen["in the middle of a trick"] > 100
    assert players < 5 or seen["called cards"] > 30


@pytest.mark.slow
@PLAYERS
def test_the_plain_search_agrees(players: int, capsys: pytest.CaptureFixture[str]) -> None:
    rng = Random(f"plain endings {players}")
    solvers = [Solver(1 << 10), Solver(SMALL_TABLE), Solver()]
    seen: Counter[str] = Counter()
    for cards, count in AGAINST_THE_PLAIN[players].items():
        positions = endings(rng, players, cards, count)
        seen += compare_with_plain(rng, solvers, positions, every_card=1, score=0.2)
        seen[f"of {cards} cards"] += count
    report(capsys, f"{players} players against the plain search", seen)
    assert seen["endings with every card"] == sum(AGAINST_THE_PLAIN[players].values())
    assert seen["in the middle of a trick"] > 1000
    assert seen["scores"] > 1000
    assert players < 5 or seen["called cards"] > 500
