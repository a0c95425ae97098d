"""No call crashes, hangs, lies or says too much, whatever it is handed."""

from __future__ import annotations

import ast
import importlib
import inspect
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

import tarot_sim
from tarot_sim.cli.__main__ import COMMANDS
from tests.hostile.entries import ENTRIES
from tests.hostile.known import KNOWN, MANY
from tests.hostile.lines import LINES
from tests.hostile.running import Server, families, family_of

PACKAGE: Final = Path(str(tarot_sim.__file__)).parent
#: Methods with two underscores that take an argument and are no part of what dataclasses make.
OPERATORS: Final = (
    "__contains__", "__eq__", "__lt__", "__or__", "__and__", "__sub__", "__getitem__",
    "__deepcopy__",
)  # fmt: skip
#: Families in which two threads race for a fault, which happens in most runs only.
RACES: Final = ("Threads",)


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    running = Server()
    yield running
    running.close()


@pytest.mark.parametrize("family", families())
def test_hostile_calls(server: Server, family: str) -> None:
    calls, faults = server.run(family)
    assert calls > 0
    known = {key: values for key, values in KNOWN.items() if family_of(key) == family}
    found: dict[str, list[str]] = defaultdict(list)
    more = {}
    for where, value, fault in faults:
        found[f"{where} {fault.what}"].append(value)
        more[f"{where} {fault.what}: {value}"] = fault.more
    new = [
        f"{key}: {value}: {more[f'{key}: {value}']}"
        for key, values in found.items()
        for value in values
        if known.get(key) != MANY and value not in known.get(key, "").split("; ")
    ]
    assert new == [], "new faults"
    if family not in RACES:
        mended = [
            f"{key}: {value}"
            for key, values in known.items()
            for value in ([MANY] if values == MANY else values.split("; "))
            if (not found[key] if value == MANY else value not in found[key])
        ]
        assert mended == [], "no faults any more: take them out of tests/hostile/known.txt"
    if known:
        pytest.xfail(f"{len(faults)} of {calls} calls, see tests/hostile/known.txt")


def test_every_known_fault_is_of_a_family() -> None:
    assert {family_of(key) for key in KNOWN} <= set(families())


def _modules() -> list[str]:
    files = sorted(PACKAGE.rglob("*.pyx"))
    return [".".join((*file.relative_to(PACKAGE).with_suffix("").parts,)) for file in files]


def _stub_arguments(module: str) -> dict[str, list[str]]:
    """Return the arguments of a native module's constructors by its stub: they tell none."""
    stub = (PACKAGE / Path(*module.split("."))).with_suffix(".pyi")
    return {
        node.name: [argument.arg for argument in (*call.args.args, *call.args.kwonlyargs)][1:]
        for node in ast.parse(stub.read_text("utf-8")).body
        if isinstance(node, ast.ClassDef)
        for call in node.body
        if isinstance(call, ast.FunctionDef) and call.name in ("__init__", "__new__")
    }


def _arguments(function: Any) -> list[str]:
    return [name for name in inspect.signature(function).parameters if name != "self"]


def _methods(cls: Any) -> Iterator[tuple[str, list[str]]]:
    for name, member in vars(cls).items():
        if name.startswith("_") and name not in OPERATORS:
            continue
        if name == "__eq__" and hasattr(cls, "__dataclass_fields__"):
            continue
        if isinstance(member, (classmethod, staticmethod)) or (
            callable(member) and not inspect.isclass(member)
        ):
            arguments = _arguments(getattr(cls, name))
            if arguments:
                yield f"{cls.__qualname__}.{name}", arguments


def _doors() -> dict[str, list[str]]:
    """Return the public callables that take arguments, and which these are."""
    doors: dict[str, list[str]] = {}
    stubs: dict[str, list[str]] = {}
    objects = [getattr(tarot_sim, name) for name in tarot_sim.__all__]
    for name in _modules():
        module = importlib.import_module(f"tarot_sim.{name}")
        stubs |= _stub_arguments(name)
        objects += [
            member
            for name, member in vars(module).items()
            if not name.startswith("_") and getattr(member, "__module__", "") == module.__name__
        ]
    objects.append(importlib.import_module("tarot_sim.worlds.batch").Deals)
    for member in objects:
        if inspect.isclass(member) and not issubclass(member, Exception):
            name = member.__qualname__
            doors[name] = stubs[name] if name in stubs else _constructor(member)
            doors |= dict(_methods(member))
        elif inspect.isroutine(member) or type(member).__name__ == "cython_function_or_method":
            doors[member.__qualname__] = _arguments(member)
    return {name: arguments for name, arguments in doors.items() if arguments}


def _constructor(cls: Any) -> list[str]:
    return ["value"] if issubclass(cls, int) else _arguments(cls)


def test_every_door_has_its_hostile_calls() -> None:
    """What is new among the public names, or an argument of it, needs an entry."""
    covered: dict[str, set[str]] = defaultdict(set)
    for name, entry in ENTRIES.items():
        covered[name.partition("#")[0]] |= set(entry.kinds)
    assert {name: set(arguments) for name, arguments in _doors().items()} == dict(covered)


def test_every_command_has_its_hostile_calls() -> None:
    assert set(COMMANDS) == set(LINES)
