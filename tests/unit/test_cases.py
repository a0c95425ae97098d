"""Real faults and questions of other programs for this game, and where each is tested.

`CASES` is the list: what went wrong elsewhere, and the tests that hold it off. Those of
this file have the number of their case in their name.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any, Final

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tarot_sim
from tarot_sim._core import Position, random_playouts
from tarot_sim.cards import FULL_PACK, Card, Hand
from tarot_sim.deals.deal import Deal
from tarot_sim.deals.replaying import replay
from tarot_sim.errors import IllegalPlayError, ScoreError
from tarot_sim.estimation._evaluate import Evaluator
from tarot_sim.rules import TARGETS, TOTAL_HALF_POINTS, Rules
from tarot_sim.rules.scoring import score
from tarot_sim.solver._solver import Objective, Solver
from tarot_sim.solver.objectives import Stakes
from tarot_sim.solver.solving import solve, solve_cards
from tarot_sim.worlds._sampler import sample_worlds
from tarot_sim.worlds.contract_deals import contract_deals
from tests.endings import position_of
from tests.records import played
from tests.reference import generate, minimax

TESTS: Final = Path(__file__).parents[1]

#: What each case is about, and the tests elsewhere that are about it too.
CASES: Final[dict[int, tuple[str, tuple[str, ...]]]] = {
    1: ("with no trump but the Excuse any card may be discarded", ("reference::test_legal_cards",)),
    2: ("the Excuse is always legal", ("reference::test_legal_cards", "core::test_whole_deals")),
    3: ("the duty to go over holds when trumps are led", ("reference::test_legal_cards",)),
    4: (
        "the Excuse may be played to the last trick",
        ("deals/replaying::test_excuse_lost_in_the_last_trick",),
    ),
    5: (
        "the Excuse and the Petit lost in the last trick leave one bout",
        (
            "rules/scoring::test_one_bout_garde_sans",
            "deals/replaying::test_excuse_lost_in_the_last_trick",
        ),
    ),
    6: ("nobody has four bouts", ("rules/scoring::test_impossible_results",)),
    7: ("attack and defence have 91 points together", ("deals/replaying::test_promises",)),
    8: (
        "half a point is given only when the other side won the Excuse",
        ("reference::test_excuse_in_a_trick_of_the_own_camp",),
    ),
    9: (
        "the sign of the Petit au bout",
        ("rules/scoring::test_petit_au_bout_is_apart_from_the_contract",),
    ),
    10: (
        "a poignée goes to the winners of the contract",
        (
            "rules/scoring::test_poignee_goes_to_the_winners",
            "deals/replaying::test_poignee_goes_to_who_wins_the_contract",
            "deals/game::test_poignee_of_a_defender",
        ),
    ),
    11: (
        "only the Petit au bout takes the coefficient",
        ("rules/scoring::test_what_is_multiplied",),
    ),
    12: (
        "a chelem of the defence counts",
        (
            "rules/scoring::test_chelem",
            "deals/game::test_chelem_by_the_defence",
            "rules/announcements::test_chelem",
        ),
    ),
    13: (
        "half points go to the winning side",
        (
            "rules/scoring::test_half_points_go_to_the_winning_side",
            "deals/replaying::test_halves_at_three",
        ),
    ),
    14: (
        "two thirds for the taker, one for the partner",
        (
            "rules/scoring::test_shares_at_five",
            "deals/game::test_call",
            "deals/replaying::test_alone_at_five",
        ),
    ),
    15: ("impossible results are refused", ("rules/scoring::test_impossible_results",)),
    16: (
        "four Rois, 15 trumps, 5 plain cards: one trump is discarded and shown",
        (
            "rules/discard::test_forced_trump",
            "deals/game::test_the_game_is_never_stuck_on_the_discard",
        ),
    ),
    17: ("every chooser's écart is legal", ("worlds/discards::test_choices_are_legal",)),
    18: (
        "a poignée with a trump of the dog; the Excuse stands in for no trump held",
        (
            "rules/announcements::test_trumps_of_the_dog_count",
            "rules/announcements::test_excuse_certifies_that_no_other_trump_is_held",
            "deals/game::test_poignee_with_a_trump_of_the_dog",
        ),
    ),
    19: (
        "a Petit sec is no deal, and a fixed hand that is one is refused",
        (
            "deals/game::test_petit_sec",
            "deals/match::test_petit_sec_moves_the_deal_on",
            "worlds/sampler::test_a_petit_sec_of_ones_own_is_refused",
            "estimation/hand_chances::test_a_petit_sec_is_not_played",
        ),
    ),
    20: (
        "worlds are complete and can be played out",
        ("worlds/sampler::test_worlds_are_complete",),
    ),
    21: (
        "constraints hold for the player they are about",
        (
            "worlds/sampler::test_worlds_are_complete",
            "worlds/sampler::test_no_dealt_hand_is_a_petit_sec",
        ),
    ),
    22: (
        "the sampler does not hand over the hidden cards",
        (
            "worlds/sampler::test_hidden_hands_are_not_handed_over",
            "worlds/sampler::test_owners_of_pairs",
        ),
    ),
    23: ("the last cards are played exactly", ("solver/solver::test_the_oracle_agrees",)),
    24: ("no state is shared", ("solver/solver::test_threads_with_a_solver_each",)),
    25: (
        "a cold table and a warm one give the same answer",
        (
            "solver/solver::test_a_warm_table_changes_nothing",
            "estimation/evaluate::test_order_and_batches_do_not_matter",
        ),
    ),
    26: ("there is one native build, or a clear error", ()),
    27: (
        "lines can be had, equivalent cards are listed",
        ("core::test_equivalent_cards_have_equal_values",),
    ),
    28: (
        "a chelem against the holder of the Excuse, both ways",
        ("deals/replaying::test_camp_without_a_trick",),
    ),
    29: (
        "the Excuse in the last trick won by its camp, both ways",
        ("deals/replaying::test_excuse_in_the_own_camps_last_trick",),
    ),
}


@pytest.mark.parametrize("number", CASES)
def test_every_case_has_its_tests(number: int) -> None:
    here = re.findall(rf"^def test_case_{number}_", Path(__file__).read_text("utf-8"), re.MULTILINE)
    elsewhere = CASES[number][1]
    assert here or elsewhere
    for name in elsewhere:
        module, _, test = name.partition("::")
        room, _, file = module.rpartition("/")
        source = (TESTS / "unit" / room / f"test_{file}.py").read_text("utf-8")
        assert re.search(rf"^ *def {test}\(", source, re.MULTILINE), name


def test_no_case_is_missing() -> None:
    assert list(CASES) == list(range(1, 30))


# --- legal cards ----------------------------------------------------------------------


def position(*hands: str, attack: tuple[int, ...] = (0,), leader: int = 0, **more: Any) -> Position:
    return Position(list(map(Hand, hands)), attack=attack, leader=leader, **more)


def after(start: Position, plays: str) -> Position:
    for card in plays.split():
        start.play(card)
    return start


def facing(plays: str, hand: str) -> Position:
    """Return the position in which `hand` answers these plays; all others hold Trèfles."""
    cards, size = plays.split(), len(hand.split())
    trefles = [f"T{rank}" for rank in range(1, 11)]
    hands = [" ".join([card, *(trefles.pop() for _ in range(size - 1))]) for card in cards]
    hands.append(hand)
    while len(hands) < 3:
        hands.append(" ".join(trefles.pop() for _ in range(size)))
    return after(position(*hands), plays)


def legal(start: Position) -> str:
    return " ".join(map(str, start.legal_cards()))


@pytest.mark.parametrize("plays", ["P5", "P5 A3", "A3", "EX P5"])
def test_case_1_a_lone_excuse_leaves_the_choice(plays: str) -> None:
    hand = "C2 K3 EX" if "EX" not in plays else "C2 K3 C4"
    assert legal(facing(plays, hand)) == " ".join(sorted(hand.split(), key=Card.parse))


@pytest.mark.parametrize(
    ("expected", "plays", "hand"),
    [
        ("P2 P3 EX", "P5", "P2 P3 A9 EX"),  # following suit
        ("A2 A9 EX", "P5", "A2 A9 C3 EX"),  # ruffing
        ("A9 EX", "P5 A3", "A2 A9 C3 EX"),  # ruffing higher
        ("A1 A2 EX", "P5 A3", "A1 A2 C3 EX"),  # ruffing, but not able to go higher
        ("A9 EX", "A5", "A2 A9 C3 EX"),  # following trumps
        ("C3 C4 EX", "P5", "C3 C4 EX"),  # discarding
    ],
)
def test_case_2_the_excuse_is_always_legal(expected: str, plays: str, hand: str) -> None:
    start = facing(plays, hand)
    assert legal(start) == expected
    start.play("EX")


@pytest.mark.parametrize(
    ("expected", "plays"),
    [
        ("A7 A9", "A5"),  # above the trump that was led
        ("A9", "A5 A8"),  # above the highest in the trick, whoever played it
        ("A2 A7 A9", "A5 A10"),  # none is higher: any of them
        ("A2 A7 A9", "EX A1"),  # after an Excuse the second card leads
    ],
)
def test_case_3_trumps_are_overtaken_when_led(expected: str, plays: str) -> None:
    start = facing(plays, "A2 A7 A9 PR")
    assert legal(start) == expected
    for card in {"A2", "A7", "A9", "PR"} - set(expected.split()):
        with pytest.raises(IllegalPlayError, match=f"card {card}: seat .* must play a trump"):
            start.play(card)


def test_case_4_the_excuse_may_be_the_last_card() -> None:
    start = position("P2 P3", "PR EX", "P5 P6", "P7 P8", won=(True, True))
    assert legal(after(start, "P2")) == "PR EX"
    assert legal(after(start, "PR P5 P7")) == "EX"
    assert after(start, "EX P6 P8 P3").is_over


# --- Excuse and counting --------------------------------------------------------------


def test_case_5_one_bout_is_left() -> None:
    """Taker's Excuse and Petit fall to the defence in the last trick but one and the last."""
    start = position("EX", "A21", "P3", "P4", attack_half_points=134, attack_bouts=Hand("A1"),
                     won=(True, True))  # fmt: skip
    result = after(start, "EX A21 P3 P4").result()
    assert (result.attack_half_points, result.bouts) == (134, 1)
    assert score(contract="garde_sans", points=67, bouts=1).taker == 492


def test_case_6_the_excuse_is_not_added_twice() -> None:
    start = position(
        "EX P2", "P3 P4", "P5 P6", "P7 PR",
        attack_half_points=100, attack_bouts=Hand("A21 A1"), won=(True, True),
    )  # fmt: skip
    result = after(start, "EX P3 P5 PR P7 P2 P4 P6").result()
    assert (result.attack_half_points, result.bouts) == (108, 3)
    with pytest.raises(ScoreError, match="bouts: 4"):
        score(contract="garde", points=91, bouts=4)


@given(st.integers(0, 2**32), st.sampled_from((3, 4, 5)))
def test_case_7_points_and_bouts_are_all_somebodys(seed: int, players: int) -> None:
    """Tricks counted by hand differ from the settlement by an Excuse at the most."""
    random = Random(seed)
    start = position_of(generate.random_deal(random, players))
    counted = start.attack_half_points
    while not start.is_over:
        trick = []
        for _ in range(players):
            trick.append(random.choice(start.legal_cards()))
            start.play(trick[-1])
        if start.leader in start.attack:
            counted += Hand(trick).half_points
    result = start.result()
    assert result.attack_half_points + result.defence_half_points == TOTAL_HALF_POINTS
    assert result.attack_half_points - counted in (-8, 0, 8)
    assert 0 <= result.bouts <= 3
    if players == 4:
        assert result.attack_half_points % 2 == 0


@pytest.mark.parametrize("players", [3, 4, 5])
def test_case_7_replays_add_up(players: int) -> None:
    for seed in range(20):
        deal = Deal.random(players, rng=seed)
        record = deal.to_dict() | {"taker": seed % players, "contract": "garde_sans"}
        if players == 5:
            record["called"] = "PR" if "PR" not in deal.hands[seed % players] else "CR"
        document = replay(played(Deal.from_dict(record), seed)).to_dict()
        assert sum(document["points"].values()) == 91
        assert sum(document["scores"]) == 0


@pytest.mark.parametrize(
    ("attack_gets", "plays"),
    [
        (0, "P2 EX PR P7"),  # a defender's Excuse in a trick of the defence
        (9 + 1 + 1 + 1, "PR EX P5 P7"),  # in one of the attack: half a point for it
        (8, "EX P5 P6 P7"),  # the taker's Excuse in a trick of the defence
    ],
)
def test_case_8_half_a_point_is_given_to_the_other_side_only(attack_gets: int, plays: str) -> None:
    cards = plays.split()
    hands = [f"{card} C{rank}" for rank, card in enumerate(cards, 2)]
    start = after(position(*hands, attack_half_points=40, won=(True, True)), plays)
    assert start.attack_half_points == 40 + attack_gets


# --- scoring: what the other files say, in one line each ------------------------------


@pytest.mark.parametrize(
    ("per_defender", "contract", "points", "bouts", "more"),
    [
        pytest.param(-31, "prise", 40, 0, {"petit_au_bout": "attack"}, id="9, failed"),
        pytest.param(35, "prise", 41, 2, {"petit_au_bout": "attack"}, id="9, made exactly"),
        pytest.param(92, "garde", 52, 2, {"poignees": ["simple"]}, id="10"),
        pytest.param(
            4 * (25 + 55 + 10) + 20 + 200,
            "garde_sans",
            91,
            3,
            {"poignees": ["simple"], "petit_au_bout": "attack", "chelem": "made"},
            id="11",
        ),
        pytest.param(-81 - 200, "prise", 0, 0, {"chelem": "by_defence"}, id="12"),
        pytest.param(26, "prise", 41.5, 2, {"players": 5}, id="13"),
    ],
)
def test_case_9_to_13_scores(
    per_defender: int, contract: Any, points: float, bouts: int, more: dict[str, Any]
) -> None:
    result = score(contract=contract, points=points, bouts=bouts, **more)
    assert per_defender == result.per_defender


def test_case_14_two_thirds_and_one_third() -> None:
    result = score(players=5, contract="garde", points=49, bouts=2)
    assert (result.taker, result.partner, result.defender) == (132, 66, -66)


# --- worlds ---------------------------------------------------------------------------

HANDS: Final = {
    3: "A:20,17,13,9,6,2,EX P:R,10,8,3 C:D,C,7,2 K:9,6,5,1 T:V,10,9,4,3",
    4: "A:20,19,14,8,5 P:R,D,6 C:C,10,4 K:R,4,3 T:V,9,2,1",
    5: "A:20,16,12,3,2 P:R,9,6 C:10,4 K:V,3,1 T:D,9",
}
PLAYERS = pytest.mark.parametrize("players", [3, 4, 5])


@PLAYERS
def test_case_20_every_world_can_be_played_out(players: int) -> None:
    table, hand = Rules(players=players), Hand(HANDS[players])
    worlds = sample_worlds(hand, 0, table, 300, np.random.PCG64DXSM(1))
    for number, world in enumerate(worlds):
        hands = [Hand(np.flatnonzero(world == seat).tolist()) for seat in range(players)]
        dog = Hand(np.flatnonzero(world == players).tolist())
        deal = Deal(players, number % players, tuple(hands), dog)  # refuses what is no deal
        assert Hand([card for held in (*deal.hands, deal.dog) for card in held]) == FULL_PACK
        start = Position(deal.hands, attack=[0], leader=0, rules=table)
        assert len(random_playouts(start, 2, np.random.PCG64DXSM(number))) == 2
    leaders = np.zeros(len(worlds), np.uint8)
    called = Card.parse("KR") if players == 5 else None
    deals = contract_deals(worlds, table, "garde", leaders, called=called)
    assert len(Evaluator().policy(deals)) == len(worlds)


@PLAYERS
def test_case_21_what_is_known_is_kept_for_the_right_player(players: int) -> None:
    """Own cards stay with their holder; no other hand is a Petit sec, at every seat."""
    table, hand = Rules(players=players), Hand(HANDS[players])
    for seat in range(players):
        worlds = sample_worlds(hand, seat, table, 500, np.random.PCG64DXSM(seat))
        assert (worlds[:, list(hand)] == seat).all()
        assert ((worlds == seat).sum(axis=1) == table.hand_size).all()
        for world in worlds:
            for other in range(players):
                assert not Hand(np.flatnonzero(world == other).tolist()).is_petit_sec()


# --- play -----------------------------------------------------------------------------


@pytest.mark.parametrize("players", [3, 4, 5])
def test_case_23_the_last_cards_are_played_exactly(players: int) -> None:
    random = Random(players)
    for _ in range(10):
        state = generate.random_ending(random, players, 3)
        expected = minimax.card_values(state, minimax.margin)
        solution = solve(position_of(state), cards=True)
        assert {str(card): value for card, value in (solution.cards or {}).items()} == expected
        best = max if minimax.attack_moves(state) else min
        assert expected[str(solution.best)] == best(expected.values())


def test_case_23_a_master_is_cashed_before_it_can_be_ruffed_away() -> None:
    start = position("A21 A3 PR", "A5 P2 C2", "P3 C3 K3", "P4 C4 K4", won=(True, True))
    values = solve_cards(start, "points")
    # Its low trump given away first costs the attack a trick.
    assert values[Card.parse("A3")] < values[Card.parse("A21")] == values[Card.parse("PR")]
    assert solve(start, "points").best != Card.parse("A3")


# --- native code ----------------------------------------------------------------------

MARGIN = Objective([2 * target for target in TARGETS])


def some_endings(seed: int, cards: int = 5) -> list[Position]:
    random = Random(seed)
    options = generate.ALL_OPTIONS
    return [
        position_of(
            generate.random_ending(random, 3 + number % 3, cards, **options[number % len(options)])
        )
        for number in range(24)
    ]


def test_case_24_solvers_share_nothing() -> None:
    """Solvers of other tables, rules and objectives at work in turn and at once."""
    endings = some_endings(1)
    alone = [solve(ending).value for ending in endings]
    points = [solve(ending, "points").value for ending in endings]
    solvers = [Solver(), Solver(1 << 16)]
    for ending, margin, total in zip(endings, alone, points, strict=True):
        assert solve(ending, solver=solvers[0]).value == margin
        assert solve(ending, "points", solver=solvers[1]).value == total
    with ThreadPoolExecutor(4) as pool:
        again = list(pool.map(lambda ending: solve(ending, solver=Solver()).value, endings))
    assert again == alone


def test_case_24_two_peers_in_one_process() -> None:
    """Another solver's native library beside ours leaves our answers as they are."""
    colver = pytest.importorskip("colver")
    endings = some_endings(2)
    before = [solve(ending).value for ending in endings]
    assert colver is not None
    assert [solve(ending).value for ending in endings] == before


def test_case_25_a_null_window_answers_cold_as_warm() -> None:
    warm = Solver()
    for ending in some_endings(3):
        value = solve(ending).value
        assert value is not None
        for threshold in range(value - 6, value + 7, 2):
            answers = {solver.at_least(ending, MARGIN, threshold)[0] for solver in (Solver(), warm)}
            assert answers == {value >= threshold}


def test_case_26_without_the_native_build_there_is_an_error(tmp_path: Path) -> None:
    """No slow Python stands in for a native module that is missing."""
    source = Path(tarot_sim.__path__[0])
    native = {path.name.partition(".")[0] for path in source.rglob("_*.pyx")}
    assert native
    assert not [path for path in source.rglob("_*.py") if path.stem in native]
    without = tmp_path / "tarot_sim"
    shutil.copytree(source, without, ignore=shutil.ignore_patterns("*.so", "*.c", "__pycache__"))
    for arguments, message in (
        (["-c", "import tarot_sim; tarot_sim.Position"], "No module named 'tarot_sim._core'"),
        (["-m", "tarot_sim.cli", "chances", HANDS[4]], "No module named 'tarot_sim."),
    ):
        done = subprocess.run(
            [sys.executable, *arguments],
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
            cwd=tmp_path,
            env={"PYTHONPATH": str(tmp_path), "PATH": ""},
        )
        assert done.returncode == 1
        assert message in done.stderr
        assert done.stdout == ""


@pytest.mark.parametrize("objective", ["points", "margin", "score"])
def test_case_27_the_line_is_to_be_had(objective: Any) -> None:
    stakes = Stakes("garde") if objective == "score" else None
    for ending in some_endings(4, cards=4):
        if objective == "score" and len(ending.attack) != 1:
            continue
        solution = solve(ending, objective, stakes=stakes, line=True)
        assert solution.line is not None
        assert len(solution.line) == ending.players * ending.tricks_left - len(ending.trick)
        for card in solution.line:
            ending.play(card)
        assert ending.is_over
        assert solve(ending, objective, stakes=stakes).value == solution.value


def test_case_27_equivalent_cards_are_in_the_table() -> None:
    runs = 0
    for ending in some_endings(5, cards=4):
        values = solve_cards(ending)
        assert sorted(values) == ending.legal_cards()
        for run in ending.equivalent_cards():
            assert len({values[card] for card in run}) == 1
            runs += len(run) > 1
    assert runs > 5


# --- rules that sources tell differently ----------------------------------------------


@pytest.mark.parametrize(("half_points", "bouts", "option"), [(182, 3, "lose"), (174, 2, "keep")])
def test_case_28_a_chelem_against_the_excuse(half_points: int, bouts: int, option: Any) -> None:
    hands = ("A21 A20", "EX A2", "A3 P2", "A4 P3")
    outside = 182 - sum(Hand(hand).half_points for hand in hands)
    start = position(
        *hands, attack_half_points=outside, attack_bouts=Hand("A1"), won=(True, False),
        rules=Rules(excuse_no_trick=option),
    )  # fmt: skip
    result = after(start, "A21 EX A3 A4 A20 A2 P2 P3").result()
    assert (half_points, bouts) == (result.attack_half_points, result.bouts)
    assert result.chelem == 1


@pytest.mark.parametrize(
    ("half_points", "bouts", "option"), [(100, 0, "trick_winner"), (108, 1, "changes_camp")]
)
def test_case_29_the_excuse_in_the_own_camps_last_trick(
    half_points: int, bouts: int, option: Any
) -> None:
    start = position(
        "P2", "EX", "PR", "P3", attack_half_points=100, won=(True, True),
        rules=Rules(excuse_last=option),
    )  # fmt: skip
    result = after(start, "P2 EX PR P3").result()
    assert (half_points, bouts) == (result.attack_half_points, result.bouts)
    assert result.attack_half_points % 2 == result.defence_half_points % 2 == 0
