"""The friendly calls against the oracle, and what they promise besides values."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import pytest

from tarot_sim._core import Position
from tarot_sim.cards import Card, Hand
from tarot_sim.errors import OptionError, RulesError
from tarot_sim.rules import CAMPS, CONTRACTS, Rules
from tarot_sim.solver._solver import Solver
from tarot_sim.solver.objectives import OBJECTIVES, Stakes
from tarot_sim.solver.solving import can_chelem, can_make, solve, solve_cards
from tests.endings import OPEN_CHELEM, position_of, random_position
from tests.reference import generate, minimax, rules, scoring

GARDE = Stakes("garde")
KEYS = [
    "objective",
    "value",
    "bounds",
    "make",
    "best",
    "cards",
    "line",
    "exact",
    "nodes",
    "seconds",
]


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


# --- the best card --------------------------------------------------------------------


def ending(hands: str, **settings: Any) -> Position:
    """Return a position of four players in which both camps have a trick."""
    arguments: dict[str, Any] = {
        "attack": [0],
        "leader": 0,
        "won": (True, True),
        "attack_half_points": 60,
    }
    return Position(list(map(Hand, hands.split(" | "))), **(arguments | settings))


def test_of_cards_of_one_value_the_cheapest_is_best() -> None:
    # Whatever seat 0 leads, the defence wins every trick: all lines are worth the same.
    position = ending("P2 PD C3 | A21 A20 A19 | A18 A17 A16 | A15 A14 A13")
    solution = solve(position, "points", cards=True)
    assert solution.cards is not None
    assert {60} == set(solution.cards.values())
    assert solution.best in (Card.parse("P2"), Card.parse("C3"))
    # The same without the values of all cards.
    assert solve(position, "points").best == solution.best


def test_equivalent_cards_have_one_value() -> None:
    rng = Random("equivalent")
    solver = Solver(1 << 20)
    found = 0
    for _ in range(150):
        position = random_position(rng, rng.choice((3, 4)), 4)
        if position.is_over:
            continue
        values = solve_cards(position, "points", solver=solver)
        assert sorted(values) == position.legal_cards()
        for run in position.equivalent_cards():
            assert len({values[card] for card in run}) == 1
            found += len(run) > 1
    assert found > 20


def test_the_best_card_does_not_depend_on_the_table() -> None:
    rng = Random("best")
    solver = Solver(1 << 12)
    for _ in range(60):
        position = random_position(rng, 4, 4)
        for objective in OBJECTIVES[:2]:
            lone = solve(position, objective, line=True)
            for cards in (False, True):
                again = solve(position, objective, cards=cards, line=True, solver=solver)
                assert (lone.best, lone.line, lone.value) == (again.best, again.line, again.value)


# --- made or not ----------------------------------------------------------------------


def test_make_only() -> None:
    rng = Random("make only")
    solver = Solver(1 << 20)
    answers = []
    for _ in range(200):
        position = random_position(rng, rng.choice((3, 4, 5)), 3)
        margin = solve(position, "margin", solver=solver).value
        assert margin is not None
        solution = solve(position, make_only=True, solver=solver)
        assert (margin >= 0, True) == (solution.make, solution.exact)
        if not position.is_over:
            assert (None, None, None, None) == (
                solution.value,
                solution.best,
                solution.cards,
                solution.line,
            )
        assert solution.bounds[0] <= margin <= solution.bounds[1]
        assert can_make(position, solver=solver) is solution.make
        answers.append(solution.make)
    assert {True, False} == set(answers)


def test_budgets() -> None:
    position = position_of(generate.random_deal(Random("whole 0"), 4))
    for objective in OBJECTIVES:
        for nodes, seconds in ((0, None), (500, None), (None, 0), (None, 0.05)):
            solution = solve(
                position,
                objective,
                stakes=GARDE,
                cards=True,
                line=True,
                nodes=nodes,
                seconds=seconds,
            )
            assert not solution.exact
            assert solution.value is None
            assert solution.bounds[0] < solution.bounds[1]
            assert (None, None, None) == (solution.best, solution.cards, solution.line)
            assert nodes is None or solution.nodes <= nodes
    assert can_make(position, nodes=1) is None
    assert solve(position, make_only=True, nodes=1).make is None


def test_bounds_of_a_small_budget_are_sound() -> None:
    rng = Random("sound")
    for _ in range(40):
        start = generate.random_ending(rng, 4, 7)
        position, stakes = position_of(start), Stakes(rng.choice(CONTRACTS))
        if len(position.attack) != 1:
            continue
        for objective in OBJECTIVES:
            value = solve(position, objective, stakes=stakes).value
            assert value is not None
            for nodes in (0, 20, 100, 500):
                solution = solve(position, objective, stakes=stakes, line=True, nodes=nodes)
                assert solution.bounds[0] <= value <= solution.bounds[1]
                assert solution.value in (None, value)
                assert solution.exact is (solution.line is not None)


# --- chelem ---------------------------------------------------------------------------


def sweeps(position: Position, camp: str) -> bool:
    """Tell by trying everything whether a camp can win every trick."""
    if position.is_over:
        return position.result().chelem == (1 if camp == "attack" else -1)
    helps = (position.to_move in position.attack) == (camp == "attack")
    for card in position.legal_cards():
        position.play(card)
        found = sweeps(position, camp)
        position.undo()
        if found == helps:
            return found
    return not helps


def sweeping_position(rng: Random, players: int) -> Position:
    """Return an ending, often in the middle of a trick, in which one camp swept so far.

    Its first seats have the high cards, so that a chelem is in reach; the Excuse is in
    most of them.
    """
    size = rng.choice((1, 2, 2, 3))
    pack = [Card(card) for card in rng.sample(range(77), players * size)]
    if rng.random() < 0.7:
        pack[0] = Card.parse("EX")
    pack.sort(key=lambda card: card.rank + 20 * (card >= 56) + 40 * rng.random(), reverse=True)
    hands = [Hand(" ".join(map(str, pack[n * size : (n + 1) * size]))) for n in range(players)]
    attack = [0] if rng.random() < 0.5 else [*range(1, players)]
    position = Position(
        hands,
        attack=attack if rng.random() < 0.8 else generate.any_camp(rng, players),
        leader=rng.randrange(players),
        rules=Rules(players=players),
        attack_half_points=60,
        won=rng.choice(((True, False), (False, True), (False, False), (True, True))),
    )
    for _ in range(rng.choice((0, 0, rng.randrange(players)))):
        position.play(rng.choice(position.legal_cards()))
    return position


@pytest.mark.parametrize("players", [3, 4, 5])
def test_a_chelem_is_found_by_trying_everything(players: int) -> None:
    rng = Random(f"chelem {players}")
    solver = Solver(1 << 16)
    answers = {camp: [0, 0] for camp in CAMPS}
    for _ in range(400):
        position = sweeping_position(rng, players)
        expected = {camp: sweeps(position, camp) for camp in CAMPS}
        for camp in CAMPS:
            assert can_chelem(position, camp, solver=solver) is expected[camp]
            # A camp whose opponents have a trick was told no; the others were searched.
            answers[camp][expected[camp]] += not position.won[camp == "attack"]
        assert solve(position, make_only=True, chelem=True, solver=solver).chelem == expected
    assert min(map(min, answers.values())) > 40


def test_the_excuse_wins_the_last_trick_of_a_chelem() -> None:
    def last(**settings: Any) -> Position:
        return ending("EX | PD | A3 | P1", **({"won": (True, False)} | settings))

    assert can_chelem(last()) is True
    assert can_chelem(last(), "defence") is False
    # Played second it wins nothing, nor does it for a camp that has lost a trick.
    assert can_chelem(last(leader=3)) is False
    assert can_chelem(last(won=(True, True))) is False
    # The defence's, when the defence has won all.
    swept = {"won": (False, True), "leader": 3}
    assert can_chelem(ending("PD | A3 | P1 | EX", **swept), "defence") is True
    # To be kept for the end: led now it wins nothing.
    two = ending("A21 EX | PD P2 | A3 CR | P1 C2", won=(True, False))
    assert can_chelem(two) is True
    two.play("EX")
    assert can_chelem(two) is False


@pytest.mark.parametrize("players", [3, 4, 5])
def test_a_chelem_that_is_over(players: int) -> None:
    rng = Random(f"chelem over {players}")
    made = dict.fromkeys(CAMPS, 0)
    for _ in range(200):
        position = sweeping_position(rng, players)
        while not position.is_over:
            position.play(rng.choice(position.legal_cards()))
        result = position.result().chelem
        expected = {"attack": result > 0, "defence": result < 0}
        assert solve(position, chelem=True).chelem == expected
        for camp in CAMPS:
            assert can_chelem(position, camp) is expected[camp]
            made[camp] += expected[camp]
    assert min(made.values()) > 10


def test_a_chelem_within_a_budget() -> None:
    position = Position(list(map(Hand, OPEN_CHELEM)), attack=[0], leader=1)
    assert can_chelem(position, nodes=1) is None
    solution = solve(position, make_only=True, chelem=True, nodes=1)
    assert solution.chelem == {"attack": None, "defence": False}
    assert (solution.exact, solution.make) == (False, None)
    camp: Any = "taker"
    with pytest.raises(OptionError, match="camp: 'taker' is not one of attack, defence"):
        can_chelem(position, camp)
    assert solve(position, nodes=1).chelem is None
    assert "chelem" not in solve(position, nodes=1).to_dict()
    assert solution.to_dict()["chelem"] == {"attack": None, "defence": False}


def test_a_chelem_is_proved_at_once() -> None:
    winners = "A:21,20,19,18,17,16,15,14,13,12,11,10,9,8,7,6,1,EX"
    others = (
        "A:5,4 P:R,D,C,V,10,9 C:10,9,8 K:10,9,8,7 T:3,2,1",
        "A:3 P:8,7,6,5 C:R,D,C,V,7,6 K:R,D T:R,D,C,V,10",
        "A:2 P:4,3,2,1 C:5,4,3,2,1 K:C,V,6,5 T:9,8,7,6",
    )
    for leader in range(4):
        position = Position([*map(Hand, (winners, *others))], attack=[0], leader=leader)
        while True:
            for nodes in (0, 1, None):
                assert can_chelem(position, nodes=nodes) is True
                assert can_chelem(position, "defence", nodes=nodes) is False
            assert can_make(position, nodes=0) is True
            stakes = Stakes("garde_sans")
            found = solve(position, "score", stakes=stakes, chelem=True, nodes=0)
            # 88 points, since no dog is there, are 52 above the need; the Petit comes last.
            assert found.value == 3 * (4 * (25 + 52 + 10) + 200)
            assert found.chelem == {"attack": True, "defence": False}
            assert (found.make, found.exact, found.nodes) == (True, False, 0)
            if position.to_move == 0:
                break
            position.play(position.legal_cards()[-1])


# --- over, and errors -----------------------------------------------------------------


@pytest.mark.parametrize("players", [3, 4, 5])
def test_positions_that_are_over(players: int) -> None:
    rng = Random(f"over {players}")
    for _ in range(40):
        start = generate.random_ending(rng, players, 2)
        end, plays = generate.random_plays(rng, start, 2 * players)
        position, settled = position_of(start, plays), rules.settle(end)
        partner = len(start.table.attack) == 2
        meanings = {
            "points": minimax.points,
            "margin": minimax.margin,
            "score": minimax.score(players, "garde", partner=partner),
        }
        for objective in OBJECTIVES:
            solution = solve(position, objective, stakes=Stakes("garde"), cards=True, line=True)
            value = meanings[objective](settled)
            assert (value, (value, value)) == (solution.value, solution.bounds)
            assert (None, {}, ()) == (solution.best, solution.cards, solution.line)
            assert (0, True) == (solution.nodes, solution.exact)
            assert solution.make is (minimax.margin(settled) >= 0)
        assert can_make(position) is (minimax.margin(settled) >= 0)
        assert {} == solve_cards(position)


def test_the_position_is_not_changed() -> None:
    position = random_position(Random("unchanged"), 4, 4)
    before = (position.hands, position.trick, position.plays, position.to_move)
    solve(position, "points", cards=True, line=True)
    assert before == (position.hands, position.trick, position.plays, position.to_move)


def test_errors() -> None:
    position = ending("A21 PR | PD P2 | A3 CR | P1 C2")
    objective: Any = "tricks"
    with pytest.raises(
        OptionError, match="objective: 'tricks' is not one of points, margin, score"
    ):
        solve(position, objective)
    with pytest.raises(OptionError, match="objective: a score needs the contract"):
        solve(position, "score")
    with pytest.raises(RulesError, match="no score is defined for 2 attackers at 4 players"):
        solve(ending("A21 PR | PD P2 | A3 CR | P1 C2", attack=[0, 2]), "score", stakes=GARDE)
    three = Position(
        [Hand(card) for card in ("A21", "A20", "A19", "A18", "A17")],
        attack=[0, 1, 2],
        leader=0,
        rules=Rules(players=5),
        won=(True, True),
    )
    with pytest.raises(RulesError, match="no score is defined for 3 attackers at 5 players"):
        solve(three, "score", stakes=GARDE)
    assert solve(three, "points").exact
    with pytest.raises(OptionError, match="seconds: nan is no number"):
        solve(position, seconds=float("nan"))
    nothing: Any = None
    for call in (solve, can_make, can_chelem):
        with pytest.raises(OptionError, match="position: NoneType is no position"):
            call(nothing)
        with pytest.raises(OptionError, match=r"solver: .* is no Solver"):
            call(position, solver="cold")  # type: ignore[arg-type]
        with pytest.raises(OptionError, match="is no number"):
            call(position, seconds=np.array([1.0]))  # type: ignore[arg-type]


# --- the document ---------------------------------------------------------------------


def test_documents_are_in_card_points() -> None:
    rng = Random("documents")
    for _ in range(30):
        position = position_of(generate.random_ending(rng, 3, 3))
        for objective in OBJECTIVES:
            solution = solve(position, objective, stakes=GARDE, cards=True, line=True)
            document = solution.to_dict()
            assert KEYS == list(document)
            assert solution.value is not None
            assert solution.cards is not None
            assert solution.line is not None
            assert solution.best is not None
            unit = 1 if objective == "score" else 2
            assert document["value"] * unit == solution.value
            assert [bound * unit for bound in document["bounds"]] == list(solution.bounds)
            assert {
                Card.parse(name): value * unit for name, value in document["cards"].items()
            } == (solution.cards)
            assert document["best"] == solution.best.name
            assert document["line"] == [card.name for card in solution.line]
            assert (objective, True) == (document["objective"], document["exact"])


def test_documents_of_what_is_open() -> None:
    position = position_of(generate.random_deal(Random("whole 0"), 4))
    for objective, bounds in zip(OBJECTIVES, ([0, 91], [-56, 55]), strict=False):
        document = solve(position, objective, nodes=0).to_dict()
        assert KEYS == list(document)
        low, high = document["bounds"]
        # Sure tricks and the last of the cards are told without a search.
        assert bounds[0] < low < high < bounds[1]
        for key in ("value", "make", "best", "cards", "line"):
            assert document[key] is None


# --- stakes ---------------------------------------------------------------------------


def test_stakes_are_the_scores_of_the_oracle() -> None:
    rng = Random("stakes")
    for _ in range(2000):
        contract = rng.choice(CONTRACTS)
        poignees = tuple(rng.choices(("simple", "double", "triple"), k=rng.randint(0, 2)))
        announced, margin = rng.random() < 0.3, rng.randint(-112, 110)
        petit, chelem = rng.choice((-1, 0, 1)), rng.choice((-1, 0, 1))
        stakes = Stakes(contract, poignees, announced)
        expected = scoring.per_defender(
            contract,
            Fraction(72 + margin, 2),
            3,
            petit_au_bout=petit,
            poignees=poignees,
            chelem=chelem,
            chelem_announced=announced,
        )
        assert expected == stakes.per_defender(margin, petit, chelem)
