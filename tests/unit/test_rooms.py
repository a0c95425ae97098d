"""The rooms of the package: what the layers of import-linter do not see.

It reads Python alone; here are the ``import`` and ``cimport`` of the native modules and of
their stubs, who imports the engine, and the names that modules must not have.
"""

from __future__ import annotations

import inspect
import re
import tomllib
from pathlib import Path

import pytest

import tarot_sim

PACKAGE = Path(tarot_sim.__path__[0])
_CONFIG = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))
_LAYERS: list[str] = _CONFIG["tool"]["importlinter"]["contracts"][0]["layers"]
_RULES = _LAYERS.index("rules")
#: The floor of each room or module at the top, from the highest down. The engine, which is not
#: Python, stands on the rules.
LAYERS = {
    name: floor
    for floor, names in enumerate([*_LAYERS[:_RULES], "_core", *_LAYERS[_RULES:]])
    for name in names.split(" | ")
}
#: Headers at the top with the words of the game and nothing else: any room may use them.
SHARED = {"_bits", "_cards", "_draws", "_rules", "_signals"}
FILES = sorted(
    file
    for file in PACKAGE.rglob("*.p*")
    if file.suffix in {".py", ".pyx", ".pxd", ".pyi"} and file != PACKAGE / "__init__.py"
)
_IMPORT = re.compile(
    r"^\s*from\s+tarot_sim\.([\w.]+)\s+c?import|^\s*c?import\s+tarot_sim\.([\w.]+)", re.MULTILINE
)


def upward(source: str, text: str) -> list[str]:
    """Return the modules of higher rooms, or of other rooms of its floor, that one imports."""
    own = source.partition(".")[0]
    found = []
    for match in _IMPORT.finditer(text):
        target = match[1] or match[2]
        other = target.partition(".")[0]
        if other in SHARED or other == own:
            continue
        if own in SHARED and other == "parallel":  # it stops native loops
            continue
        if own in SHARED or LAYERS[other] <= LAYERS[own]:
            found.append(target)
    return found


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.relative_to(PACKAGE).as_posix())
def test_no_module_looks_upward(file: Path) -> None:
    source = ".".join(file.relative_to(PACKAGE).with_suffix("").parts)
    assert upward(source, file.read_text("utf-8")) == []


@pytest.mark.parametrize(
    ("source", "line", "found"),
    [
        ("solver._search", "from tarot_sim.worlds._counts cimport count", ["worlds._counts"]),
        ("solver._search", "cimport tarot_sim.estimation._evaluate", ["estimation._evaluate"]),
        ("_core", "from tarot_sim.solver._table cimport (", ["solver._table"]),
        ("_rules", "from tarot_sim._core cimport Position", ["_core"]),
        ("rules.auction", "from tarot_sim._core import Position", ["_core"]),
        ("deals.deal", "    from tarot_sim.solver.solving import solve", ["solver.solving"]),
        ("_core", "from tarot_sim._rules cimport State", []),
        ("worlds._counts", "from tarot_sim.solver._bounds cimport unbeaten", []),
        ("solver._table", "from tarot_sim.solver._proof cimport Proof", []),
    ],
)
def test_an_upward_import_is_found(source: str, line: str, found: list[str]) -> None:
    assert found == upward(source, line)


def test_no_module_has_the_name_of_a_public_function() -> None:
    functions = {name for name in tarot_sim.__all__ if inspect.isroutine(getattr(tarot_sim, name))}
    modules = {Path(part).stem for file in FILES for part in file.relative_to(PACKAGE).parts}
    assert functions & modules == set()
