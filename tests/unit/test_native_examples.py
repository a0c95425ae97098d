"""The examples in the docstrings of the native modules, which pytest does not collect."""

from __future__ import annotations

import doctest
from importlib import import_module
from pathlib import Path

import pytest

import tarot_sim

SOURCES = Path(tarot_sim.__path__[0]).glob("_*.so")
MODULES = sorted({source.name.partition(".")[0] for source in SOURCES})


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    failed, _ = doctest.testmod(import_module(f"tarot_sim.{name}"))
    assert failed == 0


def test_there_are_examples() -> None:
    assert "_core" in MODULES
    assert doctest.testmod(import_module("tarot_sim._core")).attempted > 0
