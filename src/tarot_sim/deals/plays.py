"""The cards of a record, played one after the other through the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tarot_sim.cards import Hand
from tarot_sim.errors import IllegalPlayError, TarotError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tarot_sim._core import Position
    from tarot_sim.cards import Card


def play_cards(
    position: Position,
    cards: Sequence[Card],
    start: int = 0,
    faults: list[TarotError] | None = None,
) -> None:
    """Play the cards of a record.

    Parameters
    ----------
    position
        The position before them; it moves on.
    cards
        In the order of play.
    start
        How many cards of the record come before them.
    faults
        Where cards are noted that were none of the legal ones; they are played all the same,
        as they were at the table. Without it the first of them is raised.

    Raises
    ------
    IllegalPlayError
        If a card may not be played, or is not held: its place, trick, seat, and why.
    """
    for place, card in enumerate(cards, start):
        try:
            position.play(card)
        except IllegalPlayError as error:
            seat = position.to_move
            reason = str(error).removeprefix(f"card {card}: ").removeprefix(f"seat {seat} ")
            trick, legal = place // position.players + 1, Hand(position.legal_cards())
            fault = IllegalPlayError(
                f"plays[{place}]: seat {seat} cannot play {card}: {reason} "
                f"(trick {trick}, legal: {legal})"
            )
            if faults is None or seat is None or card not in position.hand(seat):
                raise fault from None
            faults.append(fault)
            position.play_against_the_rules(card)
