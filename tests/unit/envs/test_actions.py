from __future__ import annotations

from random import Random

import numpy as np
import pytest

from tarot_sim.cards import CARD_NAMES
from tarot_sim.envs.actions import (
    ACTION_NAMES,
    N_ACTIONS,
    action_mask,
    action_number,
    bits_of,
    checked_action,
)
from tarot_sim.errors import OptionError


def test_numbers_and_names() -> None:
    assert 87 == N_ACTIONS == len(ACTION_NAMES)
    assert CARD_NAMES == ACTION_NAMES[:78]
    assert ("pass", "prise", "garde", "garde_sans", "garde_contre") == ACTION_NAMES[78:83]
    assert ("chelem", "poignee_simple", "poignee_double", "poignee_triple") == ACTION_NAMES[83:]
    assert list(range(87)) == [action_number(name) for name in ACTION_NAMES]


def test_masks_are_sets() -> None:
    random = Random(1)
    for _ in range(200):
        chosen = random.sample(range(N_ACTIONS), random.randrange(N_ACTIONS + 1))
        mask = action_mask(bits_of(chosen))
        assert mask.dtype == np.int8
        assert (N_ACTIONS,) == mask.shape
        assert sorted(chosen) == np.flatnonzero(mask).tolist()
        mask[:] = 1  # it is one's own


@pytest.mark.parametrize("action", [5, np.int32(5), np.int64(5), np.uint8(5)])
def test_any_integer_is_an_action(action: int) -> None:
    assert 5 == checked_action(action)


@pytest.mark.parametrize(
    ("action", "message"),
    [
        (87, "action: 87 is not 0…86"),
        (-1, "action: -1 is not 0…86"),
        (1 << 90, f"action: {1 << 90} is not 0…86"),
        ("A21", "action: 'A21' is not the number of one"),
        (1.0, "action: 1.0 is not the number of one"),
        (None, "action: NoneType is not the number of one"),
    ],
)
def test_what_is_no_action(action: int, message: str) -> None:
    with pytest.raises(OptionError) as error:
        checked_action(action)
    assert message == str(error.value)


def test_what_is_no_name() -> None:
    with pytest.raises(OptionError, match=r"^action: 'A22' is the name of none$"):
        action_number("A22")
