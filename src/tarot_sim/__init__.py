"""tarot_sim: an engine for French Tarot (jeu de tarot), the 78-card game.

Every public name is imported when it is first asked for: ``import tarot_sim`` itself
loads neither numpy nor the native modules.

Examples
--------
>>> import tarot_sim as ts
>>> ts.score(contract="garde", points=49, bouts=2).taker
198
"""

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tarot_sim import bots as bots
    from tarot_sim._core import Position as Position
    from tarot_sim._core import Result as Result
    from tarot_sim._core import random_playouts as random_playouts
    from tarot_sim.bots.advising import best_card as best_card
    from tarot_sim.cards import FULL_PACK as FULL_PACK
    from tarot_sim.cards import Card as Card
    from tarot_sim.cards import Hand as Hand
    from tarot_sim.cards import parse_cards as parse_cards
    from tarot_sim.deals.conditions import Condition as Condition
    from tarot_sim.deals.conditions import ConditionError as ConditionError
    from tarot_sim.deals.deal import Deal as Deal
    from tarot_sim.deals.deal import Poignee as Poignee
    from tarot_sim.deals.game import Game as Game
    from tarot_sim.deals.match import Match as Match
    from tarot_sim.deals.replaying import Replay as Replay
    from tarot_sim.deals.replaying import replay as replay
    from tarot_sim.deals.view import View as View
    from tarot_sim.errors import BidError as BidError
    from tarot_sim.errors import CardError as CardError
    from tarot_sim.errors import HandError as HandError
    from tarot_sim.errors import IllegalPlayError as IllegalPlayError
    from tarot_sim.errors import PositionError as PositionError
    from tarot_sim.errors import RecordError as RecordError
    from tarot_sim.errors import RulesError as RulesError
    from tarot_sim.errors import ScoreError as ScoreError
    from tarot_sim.errors import TarotError as TarotError
    from tarot_sim.estimation.answers import Chances as Chances
    from tarot_sim.estimation.answers import ContractChances as ContractChances
    from tarot_sim.estimation.calls import rank_calls as rank_calls
    from tarot_sim.estimation.discards import rank_discards as rank_discards
    from tarot_sim.estimation.hand_chances import chances as chances
    from tarot_sim.estimation.ranking import Ranking as Ranking
    from tarot_sim.rules.auction import Auction as Auction
    from tarot_sim.rules.chavey import chavey_bid as chavey_bid
    from tarot_sim.rules.chavey import chavey_count as chavey_count
    from tarot_sim.rules.scoring import Score as Score
    from tarot_sim.rules.scoring import score as score
    from tarot_sim.rules.table import CONTRACTS as CONTRACTS
    from tarot_sim.rules.table import Contract as Contract
    from tarot_sim.rules.table import Rules as Rules
    from tarot_sim.solver.many import solve_many as solve_many
    from tarot_sim.solver.objectives import Stakes as Stakes
    from tarot_sim.solver.solving import Solution as Solution
    from tarot_sim.solver.solving import can_chelem as can_chelem
    from tarot_sim.solver.solving import can_make as can_make
    from tarot_sim.solver.solving import solve as solve
    from tarot_sim.solver.solving import solve_cards as solve_cards
    from tarot_sim.worlds._sampler import sample_worlds as sample_worlds
    from tarot_sim.worlds.discards import choose_discard as choose_discard
    from tarot_sim.worlds.holdings import Odds as Odds
    from tarot_sim.worlds.holdings import odds as odds

__version__ = "0.1.0"

#: Where each public name lives; the imports above say the same to type checkers. No module
#: or package may have the name of one of them: importing it would hide the name.
_HOMES: Final = {
    name: module
    for module, names in {
        "_core": "Position Result random_playouts",
        "bots.advising": "best_card",
        "cards": "FULL_PACK Card Hand parse_cards",
        "deals.conditions": "Condition ConditionError",
        "deals.deal": "Deal Poignee",
        "deals.game": "Game",
        "deals.match": "Match",
        "deals.replaying": "Replay replay",
        "deals.view": "View",
        "errors": "BidError CardError HandError IllegalPlayError PositionError RecordError "
        "RulesError ScoreError TarotError",
        "estimation.answers": "Chances ContractChances",
        "estimation.calls": "rank_calls",
        "estimation.discards": "rank_discards",
        "estimation.hand_chances": "chances",
        "estimation.ranking": "Ranking",
        "rules.auction": "Auction",
        "rules.chavey": "chavey_bid chavey_count",
        "rules.scoring": "Score score",
        "rules.table": "CONTRACTS Contract Rules",
        "solver.many": "solve_many",
        "solver.objectives": "Stakes",
        "solver.solving": "Solution can_chelem can_make solve solve_cards",
        "worlds._sampler": "sample_worlds",
        "worlds.discards": "choose_discard",
        "worlds.holdings": "Odds odds",
    }.items()
    for name in names.split()
}

#: Packages that are reached as attributes, too.
_ROOMS: Final = ("bots",)

__all__ = sorted([*_HOMES, *_ROOMS])


if not TYPE_CHECKING:  # there it would make any name an object

    def __getattr__(name: str) -> object:
        if name in _ROOMS:
            return import_module(f"{__name__}.{name}")
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
