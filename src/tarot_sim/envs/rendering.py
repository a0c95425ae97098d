"""A deal in an environment as people read it, with all hands in view."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tarot_sim.cards import CARDS
from tarot_sim.messages import text

if TYPE_CHECKING:
    from tarot_sim.envs.table import Table


def rendered(table: Table) -> str:
    """Return what happens at a table, in the language in use.

    Examples
    --------
    >>> from tarot_sim import Deal, Rules
    >>> from tarot_sim.envs.table import Table
    >>> deal = Deal.random(rng=1, dealer=3)
    >>> print(rendered(Table(Rules(), (deal.hands, deal.dog, 3))).splitlines()[-1])
    to move: seat 0
    """
    deal = table.deal
    lines = [
        text("env.bid", seat=seat, bid=text("bid.pass" if bid == "pass" else f"contract.{bid}"))
        for seat, bid in table.auction.history
    ]
    if deal.taker is not None:
        contract = text(f"contract.{deal.contract}")
        lines = [text("replay.contract", contract=contract, taker=deal.taker)]
    if deal.called is not None:
        lines[-1] += text("env.called", card=deal.called)
    if deal.chelem:
        lines.append(text("env.chelem"))
    for shown in deal.poignees:
        level = text(f"poignee.{shown.level}")
        lines.append(text("replay.poignee", seat=shown.seat, level=level))
    lines += [text("env.hand", seat=seat, cards=hand) for seat, hand in enumerate(table.hands)]
    if deal.discard is not None:
        lines.append(text("env.discard", cards=deal.discard))
    elif table.phase != "discard":
        lines.append(text("env.dog", cards=deal.dog))
    if table.trick:
        cards = " ".join(CARDS[card].name for _, card in table.trick)
        lines.append(text("legal.trick", cards=cards))
    if table.scores is None:
        lines.append(text("legal.player", seat=table.seat))
    else:
        scores = " ".join(f"{score:+d}" for score in table.scores)
        lines.append(text("env.scores", scores=scores))
    return "\n".join(lines) + "\n"
