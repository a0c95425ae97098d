"""The package's public names, and what importing it costs."""

from __future__ import annotations

import ast
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

import tarot_sim


def run(code: str) -> str:
    """Return what `code` prints in a fresh interpreter."""
    answer = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    return answer.stdout.strip()


@pytest.mark.parametrize("name", tarot_sim.__all__)
def test_every_public_name_is_there(name: str) -> None:
    assert getattr(tarot_sim, name) is not None
    assert name in dir(tarot_sim)


def test_the_imports_for_type_checkers_say_the_same() -> None:
    tree = ast.parse(Path(str(tarot_sim.__file__)).read_text("utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    said = {
        name.asname: f"{node.module}"
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for name in node.names
    }
    homes = {name: f"tarot_sim.{home}" for name, home in tarot_sim._HOMES.items()}
    assert homes | dict.fromkeys(tarot_sim._ROOMS, "tarot_sim") == said


def test_a_star_import_brings_the_public_names() -> None:
    names = "sorted(name for name in globals() if not name.startswith('__'))"
    assert str(sorted(tarot_sim.__all__)) == run(f"from tarot_sim import *; print({names})")


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'tarot_sim' has no attribute 'tarock'"):
        getattr(tarot_sim, "tar" + "ock")


def test_importing_loads_nothing_heavy() -> None:
    heavy = "{'numpy', 'joblib', 'tarot_sim._core', 'click', 'rich'} & set(sys.modules)"
    assert run(f"import sys, tarot_sim; tarot_sim.Hand; print({heavy})") == "set()"


def test_the_version_is_that_of_the_distribution() -> None:
    assert version("tarot_sim") == tarot_sim.__version__
