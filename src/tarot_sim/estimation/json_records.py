"""Answers as they stand in JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


def json_record(answer: DataclassInstance, but: str = "") -> dict[str, Any]:
    """Return the fields of a dataclass, and of those in it, with lists in place of tuples.

    Parameters
    ----------
    answer
        What was found.
    but
        A field that is left out.

    Examples
    --------
    >>> from dataclasses import make_dataclass
    >>> json_record(make_dataclass("Interval", ["limits"])((0.25, 0.5)))
    {'limits': [0.25, 0.5]}
    """
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in asdict(answer).items()
        if name != but
    }
