"""A record played through the rules: who won which trick, what it came to, the score."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tarot_sim.arguments import instance_of
from tarot_sim.cards import Card
from tarot_sim.deals.checks import check_playable
from tarot_sim.deals.deal import Deal
from tarot_sim.deals.fields import SCHEMA
from tarot_sim.deals.plays import play_cards
from tarot_sim.deals.settlement import settle
from tarot_sim.errors import RecordError
from tarot_sim.rules import TOTAL_HALF_POINTS, Camp
from tarot_sim.rules.scoring import Score, card_points
from tarot_sim.rules.table import Chelem

if TYPE_CHECKING:
    from tarot_sim._core import Position
    from tarot_sim.errors import TarotError


@dataclass(frozen=True, slots=True)
class Trick:
    """One trick: who led, the cards in the order of play, who won it.

    `winner` is None for a trick that is not complete.
    """

    leader: int
    cards: tuple[Card, ...]
    winner: int | None


@dataclass(frozen=True, slots=True)
class Replay:
    """What the cards of a record came to.

    Attributes
    ----------
    tricks
        The tricks in order; a last one may be incomplete.
    attack_half_points, defence_half_points
        Card points so far, in half points, the dog or the écart included; 182 in all
        at the end.
    is_over
        Whether every card has been played. Until then, what follows is None.
    bouts
        Bouts in the attack's pile.
    made
        Whether the attack has the points that it needs.
    petit_au_bout
        The camp that won the Petit in the last trick, None also if neither did.
    chelem
        As in `scoring.score`, None also if there was none.
    score
        The score; None also for an ending without a contract.
    scores
        The score by seat, which sums to 0; None as `score`.
    """

    tricks: tuple[Trick, ...]
    attack_half_points: int
    defence_half_points: int
    is_over: bool
    bouts: int | None = None
    made: bool | None = None
    petit_au_bout: Camp | None = None
    chelem: Chelem | None = None
    score: Score | None = None
    scores: tuple[int, ...] | None = None

    @property
    def per_defender(self) -> int | None:
        """What each defender loses; None as `score`."""
        return None if self.score is None else self.score.per_defender

    def to_dict(self) -> dict[str, Any]:
        """Return the answer of ``replay``, ready for JSON, in card points."""
        return {
            "schema": SCHEMA,
            "tricks": [
                {
                    "leader": trick.leader,
                    "cards": [card.name for card in trick.cards],
                    "winner": trick.winner,
                }
                for trick in self.tricks
            ],
            "points": {
                "attack": card_points(self.attack_half_points),
                "defence": card_points(self.defence_half_points),
            },
            "bouts": self.bouts,
            "made": self.made,
            "petit_au_bout": self.petit_au_bout,
            "chelem": self.chelem,
            "per_defender": self.per_defender,
            "scores": None if self.scores is None else list(self.scores),
        }


def replay(deal: Deal) -> Replay:
    """Play a deal's cards through the rules and settle it.

    A record that is cut short gives the tricks and points so far, and None for what is
    still open; one that tells an auction and ends before the play has no tricks.

    Raises
    ------
    RecordError
        If the record lacks what the play depends on (taker, contract, écart…).

    Examples
    --------
    >>> deal = Deal.from_dict({
    ...     "players": 4, "hands": ["A21", "PR", "A1", "EX"], "leader": 0, "taker": 0,
    ...     "contract": "garde", "attack_points": 40})
    >>> answer = replay(deal)
    >>> answer.is_over, answer.attack_half_points
    (False, 80)
    """
    return replay_cards(instance_of("deal", deal, Deal))


def replay_cards(deal: Deal, faults: list[TarotError] | None = None) -> Replay:
    """Do what `replay` does; with `faults`, whatever card was played, see `play_cards`."""
    if _ends_before_the_play(deal):
        return Replay((), 0, 0, is_over=False)
    position = deal.position(0)
    tricks = []
    for start in range(0, len(deal.plays), deal.players):
        leader = position.leader
        cards = deal.plays[start : start + deal.players]
        play_cards(position, cards, start, faults)
        complete = len(cards) == deal.players
        tricks.append(Trick(leader, cards, position.leader if complete else None))
    if not position.is_over:
        attack = position.attack_half_points
        return Replay(tuple(tricks), attack, _settled(position) - attack, is_over=False)
    end = settle(deal, position)
    return Replay(
        tricks=tuple(tricks),
        attack_half_points=end.attack_half_points,
        defence_half_points=TOTAL_HALF_POINTS - end.attack_half_points,
        is_over=True,
        bouts=end.bouts,
        made=end.made,
        petit_au_bout=end.petit_au_bout,
        chelem=end.chelem,
        score=end.score,
        scores=end.scores,
    )


def _ends_before_the_play(deal: Deal) -> bool:
    """Tell whether a deal was left in the auction, or before the call or the écart was made."""
    if not deal.auction or deal.plays:
        return False
    try:
        check_playable(deal)
    except RecordError:
        return True
    return False


def _settled(position: Position) -> int:
    """Return the half points that lie in the camps' piles, the trick on the table apart."""
    held = sum(hand.half_points for hand in position.hands)
    return TOTAL_HALF_POINTS - held - sum(card.half_points for _, card in position.trick)
