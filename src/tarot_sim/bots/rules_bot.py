"""A solid player of habits: counts, discards and plays by fixed rules, and samples nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tarot_sim.bots._rollouts import habit_card
from tarot_sim.bots.habits import habits, thresholds
from tarot_sim.bots.player import Announcement, Decision, Option
from tarot_sim.cards import CARDS, Card
from tarot_sim.rules import CONTRACTS
from tarot_sim.rules.chavey import chavey_count
from tarot_sim.worlds.discards import choose_discard

if TYPE_CHECKING:
    from numpy.random import Generator

    from tarot_sim.cards import Hand
    from tarot_sim.deals.view import View
    from tarot_sim.rules.table import Bid

#: Contracts that leave the dog aside, for which short suits count.
_WITHOUT_DOG: Final = ("garde_sans", "garde_contre")


class RulesBot:
    """Plays by habits, seeing its own cards and the table alone.

    The bid goes by Chavey's count against the table's thresholds, the écart by the rule of
    `choose_discard`, the card by weighed traits (`tarot_sim.bots.habits`). The same view
    brings the same choice.

    Parameters
    ----------
    rng
        Not used; every bot takes one.
    """

    name: Final = "rules"

    def __init__(self, rng: Generator | None = None) -> None:
        pass

    def bid(self, view: View) -> Decision[Bid]:
        """Bid the highest contract that the count is enough for."""
        count = chavey_count(view.hand)
        limits = thresholds(view.rules)
        legal = view.legal_bids()
        enough: list[Bid] = [
            contract
            for contract in CONTRACTS
            if contract in legal
            and limits[contract]
            <= (count.total_without_dog if contract in _WITHOUT_DOG else count.total)
        ]
        return Decision(enough[-1] if enough else "pass", tuple(map(Option, legal)))

    def call(self, view: View) -> Decision[Card]:
        """Call the card of the suit in which most cards are held, of those that are not."""
        options = view.callable_cards()
        return Decision(choose_call(view.hand, options), tuple(map(Option, options)))

    def discard(self, view: View) -> Decision[Hand]:
        """Discard by the rule."""
        chosen = choose_discard(view.start, view.rules, called=view.called)
        return Decision(chosen, (Option(chosen),))

    def announce(self, view: View) -> Announcement:
        """Show a poignée as the taker; a defender's would tell too much."""
        levels = view.legal_poignees()
        return Announcement(poignee=levels[-1] if levels and view.is_taker else None)

    def play(self, view: View) -> Decision[Card]:
        """Play the card of the highest value by habits."""
        best, values = habit_card(view, habits(view.rules))
        options = tuple(
            Option(CARDS[card], value)
            for card, value in sorted(values.items(), key=lambda item: -item[1])
        )
        return Decision(CARDS[best], options)


def choose_call(hand: Hand, options: list[Card]) -> Card:
    """Return the card that is called by habit: of a long suit, and one that is not held."""
    return max(options, key=lambda card: _call_worth(hand, card))


def _call_worth(hand: Hand, card: Card) -> tuple[bool, int, int]:
    suit = hand.suit(card // 14)
    return (card not in hand, len(suit), int(suit.half_points))
