"""The examples in the docstrings of the native modules, which pytest does not collect."""

from __future__ import annotations

import doctest
from importlib import import_module
from pathlib import Path

import pytest

import tarot_sim

SOURCE = Path(tarot_sim.__path__[0]).parent
#: From the sources: a module that was not built is missed rather than passed over.
MODULES = sorted(
    ".".join(file.relative_to(SOURCE).with_suffix("").parts) for file in SOURCE.rglob("*.pyx")
)
#: Those with examples; where one loses its own, this says so.
WITH_EXAMPLES = {
    "tarot_sim._core": 12,
    "tarot_sim.solver._plain": 12,
    "tarot_sim.worlds._sampler": 8,
}


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    failed, attempted = doctest.testmod(import_module(name))
    assert failed == 0
    assert attempted >= WITH_EXAMPLES.get(name, 0)


def test_the_modules_with_examples_are_found() -> None:
    assert set(WITH_EXAMPLES) <= set(MODULES)
