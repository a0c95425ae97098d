"""tarot_sim: an engine for French Tarot (jeu de tarot), the 78-card game.

Every public name is imported when it is first asked for: ``import tarot_sim`` itself
loads neither numpy nor the native modules.

Examples
--------
>>> import tarot_sim as ts
>>> ts.score(contract="garde", points=49, bouts=2).taker
198
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tarot_sim._core import Position, Result, random_playouts
    from tarot_sim._sampler import sample_worlds
    from tarot_sim.bidding import Auction, chavey_bid, chavey_count
    from tarot_sim.cards import FULL_PACK, Card, Hand, parse_cards
    from tarot_sim.chances import Chances, ContractChances, chances
    from tarot_sim.choices import Ranking, rank_calls, rank_discards
    from tarot_sim.conditions import Condition, ConditionError
    from tarot_sim.deal import Deal, Poignee
    from tarot_sim.discard_choice import choose_discard
    from tarot_sim.errors import (
        BidError,
        CardError,
        HandError,
        IllegalPlayError,
        PositionError,
        RecordError,
        RulesError,
        ScoreError,
        TarotError,
    )
    from tarot_sim.game import Game
    from tarot_sim.match import Match
    from tarot_sim.replay import Replay, replay
    from tarot_sim.rules import CONTRACTS, Contract, Rules
    from tarot_sim.scoring import Score, score
    from tarot_sim.solve import (
        Solution,
        Stakes,
        can_chelem,
        can_make,
        solve,
        solve_cards,
        solve_many,
    )

__version__ = "0.1.0"

__all__ = [
    "CONTRACTS",
    "FULL_PACK",
    "Auction",
    "BidError",
    "Card",
    "CardError",
    "Chances",
    "Condition",
    "ConditionError",
    "Contract",
    "ContractChances",
    "Deal",
    "Game",
    "Hand",
    "HandError",
    "IllegalPlayError",
    "Match",
    "Poignee",
    "Position",
    "PositionError",
    "Ranking",
    "RecordError",
    "Replay",
    "Result",
    "Rules",
    "RulesError",
    "Score",
    "ScoreError",
    "Solution",
    "Stakes",
    "TarotError",
    "can_chelem",
    "can_make",
    "chances",
    "chavey_bid",
    "chavey_count",
    "choose_discard",
    "parse_cards",
    "random_playouts",
    "rank_calls",
    "rank_discards",
    "replay",
    "sample_worlds",
    "score",
    "solve",
    "solve_cards",
    "solve_many",
]

#: Where each public name lives; the imports above say the same to type checkers.
_HOMES: Final = {
    name: module
    for module, names in {
        "_core": "Position Result random_playouts",
        "_sampler": "sample_worlds",
        "bidding": "Auction chavey_bid chavey_count",
        "cards": "FULL_PACK Card Hand parse_cards",
        "chances": "Chances ContractChances chances",
        "choices": "Ranking rank_calls rank_discards",
        "conditions": "Condition ConditionError",
        "deal": "Deal Poignee",
        "discard_choice": "choose_discard",
        "errors": "BidError CardError HandError IllegalPlayError PositionError RecordError "
        "RulesError ScoreError TarotError",
        "game": "Game",
        "match": "Match",
        "replay": "Replay replay",
        "rules": "CONTRACTS Contract Rules",
        "scoring": "Score score",
        "solve": "Solution Stakes can_chelem can_make solve solve_cards solve_many",
    }.items()
    for name in names.split()
}


class _Package(ModuleType):
    """A package in which a function is never hidden by the module of the same name.

    The import system binds each submodule to its name here when it is first imported,
    by whomever: ``tarot_sim.replay`` would be a function or a module by turns.
    """

    def __setattr__(self, name: str, value: object) -> None:
        if not (name in _HOMES and isinstance(value, ModuleType)):
            super().__setattr__(name, value)

    def __getattr__(self, name: str) -> object:
        if name not in _HOMES:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        value = getattr(import_module(f"{self.__name__}.{_HOMES[name]}"), name)
        setattr(self, name, value)
        return value

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *__all__})


sys.modules[__name__].__class__ = _Package
