"""How many moves a search tries."""

from __future__ import annotations

import pytest

from tarot_sim.errors import OptionError
from tarot_sim.solver.widths import ALL_MOVES, Widths


@pytest.mark.parametrize("widths", [(0, 1, 1, 1), (1, 1, 256, 1), (1, -1, 1, 1), (1, 1, 1, 300)])
def test_a_width_out_of_range(widths: tuple[int, int, int, int]) -> None:
    with pytest.raises(OptionError, match=r"widths: .* is not 1…255"):
        Widths(*widths)


def test_the_order_is_attack_then_defence_lead_then_reply() -> None:
    named = Widths(attack_lead=1, attack_reply=2, defence_lead=3, defence_reply=4)
    assert named == Widths(1, 2, 3, 4)
    assert ALL_MOVES == Widths(255, 255, 255, 255)
