"""How many moves a search tries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tarot_sim.arguments import integer
from tarot_sim.errors import OptionError
from tarot_sim.notation import shown

#: A width that cuts no list of moves.
_EVERY_MOVE: Final = 255


@dataclass(frozen=True, slots=True)
class Widths:
    """How many moves each camp tries, the most promising first: 1…255, which cuts no list.

    Attributes
    ----------
    attack_lead
        Of the attack on lead.
    attack_reply
        Of the attack in reply.
    defence_lead
        Of the defence on lead.
    defence_reply
        Of the defence in reply.

    Raises
    ------
    OptionError
        If a width is not 1…255.
    """

    attack_lead: int
    attack_reply: int
    defence_lead: int
    defence_reply: int

    def __post_init__(self) -> None:
        for name in ("attack_lead", "attack_reply", "defence_lead", "defence_reply"):
            width = integer("widths", getattr(self, name))
            if not 1 <= width <= _EVERY_MOVE:
                raise OptionError(f"widths: {shown(width)} is not 1…{_EVERY_MOVE}")
            object.__setattr__(self, name, width)


#: Widths that cut no list: an exact search.
ALL_MOVES: Final = Widths(_EVERY_MOVE, _EVERY_MOVE, _EVERY_MOVE, _EVERY_MOVE)
