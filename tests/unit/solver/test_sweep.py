"""Whether a camp can win every trick, and the Petit au bout: held against trying everything."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from tarot_sim import Hand, Position, Rules
from tarot_sim.cards import Card
from tarot_sim.errors import OptionError, PositionError
from tarot_sim.rules import CAMPS, Camp
from tarot_sim.solver._sweep import MOST_SWEEP_NODES, can_sweep
from tests.endings import position_of
from tests.reference import generate

PLAYERS = pytest.mark.parametrize("players", [3, 4, 5])


def sweeps(position: Position, camp: Camp, petit: bool) -> bool:
    """Tell by trying everything whether a camp wins all tricks, and the Petit au bout too."""
    sign = 1 if camp == "attack" else -1
    if position.is_over:
        result = position.result()
        return result.chelem == sign and (not petit or result.petit_au_bout == sign)
    helps = (position.to_move in position.attack) == (camp == "attack")
    for card in position.legal_cards():
        position.play(card)
        found = sweeps(position, camp, petit)
        position.undo()
        if found == helps:
            return found
    return not helps


def strong_ending(rng: Random, players: int) -> Position:
    """Return a start of a trick at which a camp has most of the high cards and won all so far."""
    size = rng.choice({3: (2, 3, 4), 4: (2, 3, 3), 5: (2, 3)}[players])
    pack = [Card(card) for card in rng.sample(range(77), players * size)]
    for name in ("EX", "A1"):
        card = Card.parse(name)
        if rng.random() < 0.6 and card not in pack:
            pack[rng.randrange(len(pack))] = card
    pack.sort(key=lambda card: card.rank + 20 * (card >= 56) + 30 * rng.random(), reverse=True)
    strong = rng.choice(CAMPS)
    hands = [Hand(pack[seat * size : (seat + 1) * size]) for seat in range(players)]
    first = range(rng.choice((1, 1, players // 2)))
    attack = [*first] if strong == "attack" else [*range(len(first), players)]
    return Position(
        hands,
        attack=attack,
        leader=rng.choice((0, rng.randrange(players))),
        rules=Rules(players=players, excuse_no_trick=rng.choice(("lose", "keep"))),
        attack_half_points=60,
        won=rng.choice(((strong == "attack", strong == "defence"), (False, False), (True, True))),
    )


@PLAYERS
@pytest.mark.parametrize("petit", [False, True])
def test_a_sweep_is_found_by_trying_everything(players: int, petit: bool) -> None:
    rng = Random(f"sweep {players} {petit}")
    found = {camp: [0, 0] for camp in CAMPS}
    for _ in range(400):
        position = strong_ending(rng, players)
        before = position.plays
        for camp in CAMPS:
            expected = sweeps(position, camp, petit)
            answer, nodes = can_sweep(position, camp, MOST_SWEEP_NODES, petit_au_bout=petit)
            assert answer is expected, (position, camp)
            assert nodes >= 0
            found[camp][expected] += 1
        assert position.plays == before
    assert min(map(min, found.values())) > (2 if petit else 20)


@PLAYERS
def test_a_sweep_goes_on(players: int) -> None:
    """Along a line that is played the answers stay those of trying everything."""
    rng = Random(f"sweep line {players}")
    for _ in range(60):
        position = strong_ending(rng, players)
        while position.tricks_left > 1:
            for _ in range(players):
                position.play(rng.choice(position.legal_cards()))
            for camp in CAMPS:
                for petit in (False, True):
                    assert can_sweep(position, camp, MOST_SWEEP_NODES, petit)[0] is sweeps(
                        position, camp, petit
                    )


def whole(hand: str, others: tuple[str, ...], **options: Any) -> Position:
    """Return a whole deal in which the first seat attacks."""
    defaults: dict[str, Any] = {"attack": [0], "leader": 1}
    return Position([Hand(hand), *map(Hand, others)], **(defaults | options))


WINNERS = "A:21,20,19,18,17,16,15,14,13,12,11,10,9,8,7,6,1,EX"
OTHERS = (
    "A:5,4 P:R,D,C,V,10,9 C:10,9,8 K:10,9,8,7 T:3,2,1",
    "A:3 P:8,7,6,5 C:R,D,C,V,7,6 K:R,D T:R,D,C,V,10",
    "A:2 P:4,3,2,1 C:5,4,3,2,1 K:C,V,6,5 T:9,8,7,6",
)


@pytest.mark.parametrize("leader", range(4))
def test_winners_are_counted_not_searched(leader: int) -> None:
    """Eighteen winners: whoever leads, a few cards suffice."""
    position = whole(WINNERS, OTHERS, leader=leader)
    for petit in (False, True):
        answer, nodes = can_sweep(position, "attack", 1_000, petit)
        assert (answer, nodes < 100) == (True, True)
    assert can_sweep(position, "defence", 1_000)[0] is False


def test_a_trump_that_cannot_be_beaten_ends_it() -> None:
    position = whole(
        "A:20,19,18,17,16,15,14,13,12,11,10,9,8,7,6,1 P:R C:R",
        (
            "A:21,5,4,EX P:D,C,V,10,9 C:10,9,8 K:10,9,8,7 T:3,2",
            "A:3 P:8,7,6,5 C:D,C,V,7,6 K:R,D T:R,D,C,V,10,1",
            "A:2 P:4,3,2,1 C:5,4,3,2,1 K:C,V,6,5 T:9,8,7,6",
        ),
    )
    assert can_sweep(position, "attack", 1_000) == (False, 0)


def test_a_hand_without_anything_is_swept() -> None:
    """No trump, and of each suit that the defence holds nothing but its lowest cards."""
    position = whole(
        "P:R,D,C,V,10,9,8,7,6,5,4,3,2,1 C:4,3,2,1",
        (
            "A:21,20,19,18,17,16 C:R,D,C K:R,D,C,V T:R,D,C,V,10",
            "A:15,14,13,12,11,10,9 C:V,10,9 K:10,9,8,7 T:9,8,7,6",
            "A:8,7,6,5,4,3,2,1,EX C:8,7,6 K:6,5,4 T:5,4,3",
        ),
    )
    assert can_sweep(position, "attack", 1_000)[0] is False
    assert can_sweep(position, "defence", 100_000)[0] in (True, None)


def test_the_excuse_is_kept_for_the_last_trick() -> None:
    last = Position(
        [Hand("A21 EX"), Hand("PD P2"), Hand("A3 CR"), Hand("P1 C2")],
        attack=[0], leader=0, won=(True, False),
    )  # fmt: skip
    assert can_sweep(last, "attack", 100)[0] is True
    # With the Petit before it that is a Petit au bout (rules, section 7.5).
    petit = Position(
        [Hand("A1 EX"), Hand("PD P2"), Hand("K3 CR"), Hand("P1 C2")],
        attack=[0], leader=0, won=(True, False),
    )  # fmt: skip
    assert can_sweep(petit, "attack", 100, petit_au_bout=True)[0] is True
    lost = Position(
        [Hand("A1 EX"), Hand("PD P2"), Hand("K3 CR"), Hand("P1 C2")],
        attack=[0], leader=0, won=(True, True),
    )  # fmt: skip
    assert can_sweep(lost, "attack", 100)[0] is False


def test_the_limit_leaves_it_open() -> None:
    position = position_of(generate.random_deal(Random("whole 0"), 4))
    answers = [can_sweep(position, camp, 0)[0] for camp in CAMPS]
    assert None in answers or answers == [False, False]


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ((None, "attack", 10), "position"),
        (("position", "taker", 10), "camp"),
        (("position", "attack", -1), "node_limit"),
        (("position", "attack", MOST_SWEEP_NODES + 1), "node_limit"),
        (("position", "attack", 1.5), "node_limit"),
    ],
)
def test_wrong_arguments(arguments: tuple[Any, ...], field: str) -> None:
    position = whole(WINNERS, OTHERS)
    given: list[Any] = [position if argument == "position" else argument for argument in arguments]
    with pytest.raises(OptionError, match=field):
        can_sweep(*given)


@PLAYERS
def test_the_middle_of_a_trick_is_answered_too(players: int) -> None:
    rng = Random(f"sweep middle {players}")
    found = {False: 0, True: 0}
    for _ in range(120):
        position = strong_ending(rng, players)
        for _ in range(rng.randrange(1, players)):
            position.play(rng.choice(position.legal_cards()))
        for camp in CAMPS:
            for petit in (False, True):
                expected = sweeps(position, camp, petit)
                assert can_sweep(position, camp, MOST_SWEEP_NODES, petit)[0] is expected
                found[expected] += 1
    assert min(found.values()) > 30
    winners = whole(WINNERS, OTHERS)
    winners.play("P9")
    assert can_sweep(winners, "attack", 1_000)[0] is True


def test_the_end_has_no_answer() -> None:
    position = Position([Hand("A21"), Hand("PD"), Hand("A3")], attack=[0], leader=0)
    for card in ("A21", "PD", "A3"):
        position.play(card)
    with pytest.raises(PositionError, match="every card has been played"):
        can_sweep(position, "attack", 10)
