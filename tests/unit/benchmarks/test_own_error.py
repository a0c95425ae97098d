"""The error that more worlds do not cure is found again where it was put in."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from benchmarks.calibration.own_error import likeliest_shift, own_error, shift_likelihood


def simulated(shift: float, hands: int = 400, worlds: int = 40) -> list[NDArray[Any]]:
    """Return chances whose logits are off by so much a hand, what happened, and the hands."""
    rng = np.random.default_rng(11)
    logits = rng.normal(size=(hands, 1)) * 2 + rng.normal(size=(hands, worlds)) * 3
    off = rng.normal(size=(hands, 1)) * shift
    made = rng.random((hands, worlds)) < 1 / (1 + np.exp(-logits))
    return [
        1 / (1 + np.exp(-logits - off)).ravel(),
        made.astype(np.int64).ravel(),
        np.repeat(np.arange(hands), worlds),
    ]


@pytest.mark.parametrize("shift", [0.4, 1.0])
def test_it_is_found_again(shift: float) -> None:
    found = own_error(*simulated(shift))
    assert found.likeliest == pytest.approx(shift, rel=0.2)
    assert found.low < found.likeliest < found.high
    assert found.hands == 400


def test_luck_alone_is_no_error() -> None:
    found = own_error(*simulated(0.0))
    assert found.low == 0
    assert found.high < 0.3


def test_sources_add_up() -> None:
    p_make, truth, hand_of = simulated(0.6)
    parts = [
        shift_likelihood(p_make[rows], truth[rows], hand_of[rows])
        for rows in (hand_of < 100, hand_of >= 100)
    ]
    both = likeliest_shift(parts[0][0] + parts[1][0], parts[0][1] + parts[1][1])
    assert both == own_error(p_make, truth, hand_of)


def test_worlds_without_an_answer_do_not_count() -> None:
    p_make, truth, hand_of = simulated(0.5, hands=30)
    some = np.arange(len(p_make)) % 3 > 0
    hidden = np.where(some, truth, -1)
    assert own_error(p_make, hidden, hand_of) == own_error(p_make[some], truth[some], hand_of[some])
    assert str(own_error(p_make, np.full_like(truth, -1), hand_of)) == "no hand tells a shift"
