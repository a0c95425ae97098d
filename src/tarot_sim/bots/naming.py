"""Bots by name: ``search``, ``search:worlds=30``, ``search:time=0.1,guard=0``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tarot_sim.arguments import instance_of
from tarot_sim.bots.random_bot import RandomBot
from tarot_sim.bots.rules_bot import RulesBot
from tarot_sim.bots.search_bot import SearchBot
from tarot_sim.errors import OptionError
from tarot_sim.notation import shown
from tarot_sim.randomness import bit_generator_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from tarot_sim.bots.player import Bot


def _whole(text: str) -> int:
    return int(text)


def _switch(text: str) -> bool:
    return {"on": True, "off": False}[text]


#: Of each bot: how it is made, and its options as (argument, how a value is read).
_BOTS: Final[dict[str, tuple[Callable[..., Bot], dict[str, tuple[str, Callable[[str], Any]]]]]] = {
    "random": (RandomBot, {}),
    "rules": (RulesBot, {}),
    "search": (
        SearchBot,
        {
            "worlds": ("worlds", _whole),
            "time": ("seconds", float),
            "guard": ("guard", float),
            "likelihood": ("likelihood", _switch),
            "discard": ("model_discard", _switch),
        },
    ),
    "strong": (SearchBot, {}),
}
#: Worlds of the bot that is called strong.
_STRONG: Final = 160
NAMES: Final = tuple(_BOTS)


def make(name: str, seed: Any = None) -> Bot:
    """Return the bot of a name with options.

    Parameters
    ----------
    name
        ``random``, ``rules``, ``search`` (options ``worlds``, ``time`` in seconds for a card,
        ``guard``, ``likelihood``, ``discard``) or ``strong``, which is a search of 160 worlds.
    seed
        Where its choices come from: a seed, a numpy `Generator` or bit generator, or None for
        fresh entropy.

    Raises
    ------
    OptionError
        If there is no such bot or option, or a value is out of range.

    Examples
    --------
    >>> make("search:worlds=30", seed=1).name
    'search:worlds=30'
    """
    kind, _, rest = instance_of("bot", name, str).partition(":")
    if kind not in _BOTS:
        raise OptionError(f"bot: {shown(kind)} is not one of {', '.join(NAMES)}")
    maker, known = _BOTS[kind]
    arguments: dict[str, Any] = {"worlds": _STRONG} if kind == "strong" else {}
    for part in filter(None, rest.split(",")):
        option, _, value = part.partition("=")
        if option not in known:
            names = f"only {', '.join(known)}" if known else "there are none"
            raise OptionError(f"bot: {kind} has no option {shown(option)}, {names}")
        argument, read = known[option]
        try:
            arguments[argument] = read(value)
        except (ValueError, KeyError):
            raise OptionError(f"bot: {option}={shown(value)} is not understood") from None
    rng = seed if isinstance(seed, np.random.Generator) else None
    return maker(rng or np.random.Generator(bit_generator_of(seed)), **arguments)
