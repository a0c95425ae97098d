"""What may be chosen and on what a choice turns, as people are told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tarot_sim.cards import Card, Hand
from tarot_sim.cli.output import Output, decimals, signed
from tarot_sim.messages import text

if TYPE_CHECKING:
    from tarot_sim.bots.player import Decision


def option_shown(option: object, out: Output) -> str:
    """Return a bid, a card or an écart as it is written."""
    if isinstance(option, Card):
        return out.card(option)
    if isinstance(option, Hand):
        return out.hand(option)
    return text("bid.pass" if option == "pass" else f"contract.{option}")


def fact_line(decision: Decision[Any], out: Output, share: float = 1.0) -> str:
    """Say on which hidden cards a choice turns; gains are told as this share of the camp's."""
    fact = decision.deciding
    assert fact is not None
    key = "advise.deciding_card" if fact.card is not None else "advise.deciding_void"
    return text(
        key,
        best=option_shown(decision.best, out),
        rival=option_shown(decision.rival, out),
        seat=fact.seat,
        card="" if fact.card is None else out.card(fact.card),
        suit="" if fact.suit is None else text(f"suit.{'pckta'[fact.suit]}"),
        share=decimals(100 * fact.share),
        gain=signed(round(fact.gain * share)),
        otherwise=signed(round(fact.otherwise * share)),
    )
