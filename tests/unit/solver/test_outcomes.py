"""What may become of a deal: whatever is played ends in one of the outcomes."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from tarot_sim import Hand, Position
from tarot_sim.errors import OptionError
from tarot_sim.rules import NEED
from tarot_sim.solver._outcomes import outcomes
from tests.endings import position_of
from tests.reference import generate

PLAYERS = pytest.mark.parametrize("players", [3, 4, 5])


def ends(position: Position) -> set[tuple[int, int, int, int]]:
    """Return every end of a position, by trying everything: chelem, Petit, margin, points."""
    if position.is_over:
        result = position.result()
        points = result.attack_half_points
        return {(result.chelem, result.petit_au_bout, points - NEED[result.bouts], points)}
    found = set()
    for card in position.legal_cards():
        position.play(card)
        found |= ends(position)
        position.undo()
    return found


@PLAYERS
def test_every_end_is_in_an_outcome(players: int) -> None:
    rng = Random(f"outcomes {players}")
    swept = 0
    for number in range(300):
        make = generate.random_small_deal if number % 2 else generate.random_ending
        cards = rng.randint(1, 2 if players == 5 else 3)
        state = make(rng, players, cards, trumps=0.6, special=0.7)
        plays = generate.random_mid_trick(rng, state)[1] if rng.random() < 0.5 else []
        position = position_of(state, plays)
        rows = outcomes(position)
        for chelem, petit, margin, points in ends(position):
            swept += chelem != 0
            assert any(
                (row[0], row[1]) == (chelem, petit)
                and row[2] <= margin <= row[3]
                and row[4] <= points <= row[5]
                for row in rows
            ), (position, chelem, petit, margin)
    assert swept > 50


@PLAYERS
def test_every_end_of_a_whole_deal_is_in_an_outcome(players: int) -> None:
    rng = Random(f"outcomes whole {players}")
    for _ in range(20):
        position = position_of(generate.random_deal(rng, players))
        asked = []
        while not position.is_over:
            asked.append(outcomes(position))
            position.play(rng.choice(position.legal_cards()))
        ((chelem, petit, margin, points),) = ends(position)
        for rows in asked:
            assert any(
                row[:2] == (chelem, petit)
                and row[2] <= margin <= row[3]
                and row[4] <= points <= row[5]
                for row in rows
            )


def test_a_sweep_has_one_margin() -> None:
    """Between two sweeps the margins lie that cost a trick, of four half points at the least."""
    position = Position(
        [Hand("A21 PR"), Hand("PD P2"), Hand("A3 CR"), Hand("P1 C2")], attack=[0], leader=0,
        attack_half_points=20,
    )  # fmt: skip
    # 9 + 9, 7 + 1, 1 + 9 and 1 + 1 half points; the 21 is the one bout.
    assert outcomes(position) == [
        (-1, 0, 20 - 112, 20 - 112, 20, 20),
        (0, 0, 24 - 112, 54 - 102, 24, 54),
        (1, 0, 58 - 102, 58 - 102, 58, 58),
    ]


def test_the_last_trick_has_the_petit() -> None:
    position = Position(
        [Hand("A21"), Hand("PD"), Hand("A1"), Hand("P1")], attack=[0], leader=0, won=(True, True)
    )
    assert [row[:2] for row in outcomes(position)] == [(0, -1), (0, 1)]


def test_only_positions_are_looked_at() -> None:
    position: Any = "A21"
    with pytest.raises(OptionError, match="position: 'A21' is no Position"):
        outcomes(position)
