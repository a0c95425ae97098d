"""Where searches end."""

from __future__ import annotations

import math
from typing import Any

import pytest

from tarot_sim.errors import OptionError
from tarot_sim.solver.limit import Limit


def test_by_default_there_is_none() -> None:
    assert (None, None) == (Limit().nodes, Limit().seconds)


@pytest.mark.parametrize("numbers", [{"nodes": 0}, {"seconds": 0}, {"seconds": math.inf}])
def test_what_a_limit_may_be(numbers: dict[str, Any]) -> None:
    assert [*numbers.values()] == [getattr(Limit(**numbers), name) for name in numbers]


@pytest.mark.parametrize(
    ("numbers", "message"),
    [
        ({"nodes": -1}, "nodes: -1 is below 0"),
        ({"seconds": -0.5}, "seconds: -0.5 is not 0 or more"),
        ({"seconds": math.nan}, "seconds: nan is no number"),
    ],
)
def test_what_it_may_not_be(numbers: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError) as caught:
        Limit(**numbers)
    assert message == str(caught.value)
