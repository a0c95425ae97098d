"""Environments for learners, in the form that PettingZoo asks for.

``from tarot_sim.envs import tarot_v0; env = tarot_v0.env(players=4)``. The extra ``rl`` brings
PettingZoo, which nothing else in the package imports; this package itself does not either.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import ModuleType

    from tarot_sim.envs import tarot_v0 as tarot_v0

__all__ = ["tarot_v0"]


if not TYPE_CHECKING:  # there it would make any name a module

    def __getattr__(name: str) -> ModuleType:
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return import_module(f"{__name__}.{name}")
