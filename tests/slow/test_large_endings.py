"""The search on endings of six to ten cards, against the plain one.

From some cards on a table holds more of other endings than of the one that is asked for,
and what a proof has used of one is read off many others.
"""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from tarot_sim.solver._solver import Solver
from tests.agreement import compare, endings, report

#: Endings by players and cards a hand, and the shares of them that are asked for the value
#: of every card and for the score: what the plain search does in two minutes a table.
ENDINGS = {
    3: {6: (26000, 0.5, 0.1), 7: (8000, 0.3, 0.1), 8: (2000, 0.2, 0.05)},
    4: {6: (10500, 0.3, 0.1), 7: (900, 0.2, 0.05), 8: (60, 0.1, 0.05)},
    5: {6: (3000, 0.2, 0.1), 7: (80, 0.1, 0.05)},
}
#: At four and five players the plain search takes minutes for some of these.
LARGEST = {9: (320, 0.1, 0.05), 10: (6, 0, 0)}
#: From here on a small table makes the search itself slow.
LARGE = 8

Sizes = dict[int, tuple[int, float, float]]


def check(players: int, sizes: Sizes, capsys: pytest.CaptureFixture[str]) -> None:
    rng = Random(f"large endings {players} {min(sizes)}")
    small, large = Solver(64 << 10), Solver()
    seen: Counter[str] = Counter()
    for cards, (count, every_card, score) in sizes.items():
        positions = endings(rng, players, cards, count)
        solvers = [small, large] if cards < LARGE else [large]
        seen += compare(rng, solvers, positions, every_card=every_card, score=score)
        seen[f"of {cards} cards"] += count
    report(capsys, f"{players} players against the plain search", seen)
    assert seen["endings"] == sum(count for count, _, _ in sizes.values())


@pytest.mark.slow
@pytest.mark.parametrize("players", ENDINGS)
def test_six_to_eight_cards(players: int, capsys: pytest.CaptureFixture[str]) -> None:
    check(players, ENDINGS[players], capsys)


@pytest.mark.slow
def test_nine_and_ten_cards(capsys: pytest.CaptureFixture[str]) -> None:
    check(3, LARGEST, capsys)
