"""The messages of all errors about input, read off the source: braces stand for values.

A message that is put together from alternatives (a conditional expression, a local variable
of one) is each of them. The name of a field before the message is taken off, as it is when a
message is translated.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path
from typing import Final

import tarot_sim
from tarot_sim.messages.errors import without_fields

PACKAGE: Final = Path(tarot_sim.__path__[0])
#: Errors of Python itself are not about input, and nobody but a programmer sees them.
_FOREIGN: Final = {
    "AssertionError", "AttributeError", "IndexError", "KeyError", "MemoryError", "OSError",
    "OverflowError", "RuntimeError", "TypeError", "ValueError",
}  # fmt: skip
#: What makes an error besides the classes: methods, and click's way to fail.
_MAKERS: Final = {"_error", "fail", "remark", "BadParameter"}
#: Functions that return what is wrong as text.
_REASONS: Final = re.compile(r"reason|why|fault")
_NATIVE_ERROR: Final = re.compile(r"\b[A-Z]\w*Error\(")
_NATIVE_REASON: Final = re.compile(
    r"^( *)(?:def|cdef [\w ]*?) ?(\w*(?:reason|why)\w*)\(.*?:\n(.*?)(?=^\1\S|\Z)", re.M | re.S
)
#: A local name that is given text.
_NATIVE_LOCAL: Final = re.compile(r'^ +(\w+) = (f?".*)$', re.MULTILINE)

_Function = ast.FunctionDef | ast.AsyncFunctionDef


@cache
def templates() -> dict[str, str]:
    """Return every message that has words of its own, and a place where it is raised."""
    found: dict[str, str] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        for node, template in _of_module(ast.parse(path.read_text("utf-8"))):
            found.setdefault(template, f"{path.relative_to(PACKAGE)}:{node.lineno}")
    for path in sorted(PACKAGE.rglob("*.pyx")):
        for template in _of_native(path.read_text("utf-8")):
            found.setdefault(template, str(path.relative_to(PACKAGE)))
    cut = {without_fields(template)[1]: where for template, where in found.items()}
    return {
        template: where for template, where in cut.items() if re.search(r"[^\W\d_]{2}", template)
    }


def constants() -> set[str]:
    """Return every piece of text in the Python sources, without the braces of its values."""
    found: set[str] = set()
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.add(node.value)
    return found


def _of_module(tree: ast.Module) -> Iterator[tuple[ast.expr, str]]:
    """Yield the messages that a module makes, with where."""
    functions = [node for node in ast.walk(tree) if isinstance(node, _Function)]
    constants = {
        target.id: node.value
        for node in tree.body
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name)
    }
    inside = {id(node): function for function in functions for node in ast.walk(function)}
    for node in ast.walk(tree):
        function = inside.get(id(node))
        if isinstance(node, ast.Call) and node.args and _makes_error(node.func):
            # A helper is given the token at fault before the words.
            helps = isinstance(node.func, ast.Name) and node.func.id == "_error"
            expression = node.args[1] if helps else node.args[0]
            if isinstance(expression, ast.Name):
                expression = constants.get(expression.id, expression)
        elif (
            isinstance(node, ast.Return)
            and node.value is not None
            and function is not None
            and _REASONS.search(function.name)
        ):
            expression = node.value
        else:
            continue
        for template in _alternatives(expression, function):
            yield expression, template


def _makes_error(function: ast.expr) -> bool:
    name = function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")
    return name in _MAKERS or name == "error" or (name.endswith("Error") and name not in _FOREIGN)


def _alternatives(node: ast.expr, function: _Function | None) -> list[str]:
    """Return what an expression may say, braces for what it does not tell."""
    if isinstance(node, ast.Constant):
        return [node.value] if isinstance(node.value, str) else ["{}"]
    if isinstance(node, ast.JoinedStr):
        parts = [_alternatives(part, function) for part in node.values]
        return ["".join(choice) for choice in product(*parts)]
    if isinstance(node, ast.FormattedValue):
        return _alternatives(node.value, function)
    if isinstance(node, ast.IfExp):
        return _alternatives(node.body, function) + _alternatives(node.orelse, function)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        sides = (_alternatives(node.left, function), _alternatives(node.right, function))
        if sides == (["{}"], ["{}"]):
            return ["{}"]  # a sum of numbers
        return ["".join(choice) for choice in product(*sides)]
    if isinstance(node, ast.Name) and function is not None:
        values = _values_of(node.id, function)
        if all(isinstance(value, (ast.Constant, ast.JoinedStr, ast.IfExp)) for value in values):
            return [text for value in values for text in _alternatives(value, function)] or ["{}"]
    return ["{}"]


def _values_of(name: str, function: _Function) -> list[ast.expr]:
    """Return what is assigned to a local name; nothing if it gets its value in another way."""
    stores = 0
    found = []
    for part in ast.walk(function):
        if isinstance(part, ast.Name) and part.id == name and isinstance(part.ctx, ast.Store):
            stores += 1
        elif isinstance(part, ast.Assign) and list(map(ast.unparse, part.targets)) == [name]:
            found.append(part.value)
    return found if stores == len(found) else []


def _of_native(source: str) -> Iterator[str]:
    """Yield the messages of a native module, whose errors are written as Python writes them."""
    for match in _NATIVE_ERROR.finditer(source):
        if match.group()[:-1] not in _FOREIGN:
            start = source.rfind("def ", 0, match.start())
            local = _NATIVE_LOCAL.findall(source, max(start, 0), match.start())
            yield from _alternatives_of_text(_argument(source, match.end()), local)
    for match in _NATIVE_REASON.finditer(source):
        for line in re.findall(r"return (f?\".*)", match[3]):
            yield from _alternatives_of_text(line, [])


def _alternatives_of_text(expression: str, local: list[tuple[str, str]]) -> list[str]:
    """Return what an expression may say; `local` is the text that is assigned before it."""
    lines = [f"    {name} = {value}" for name, value in local]
    tree = ast.parse("\n".join(["def native():", *lines, f"    ({expression})"]))
    function = tree.body[0]
    assert isinstance(function, ast.FunctionDef)
    said = function.body[-1]
    assert isinstance(said, ast.Expr)
    return _alternatives(said.value, function)


def _argument(source: str, start: int) -> str:
    """Return what is in the parentheses that have been opened before `start`."""
    depth, place, quoted = 1, start, False
    while depth:
        sign = source[place]
        if sign == '"':
            quoted = not quoted
        elif not quoted:
            depth += {"(": 1, ")": -1}.get(sign, 0)
        place += 1
    return source[start : place - 1]
