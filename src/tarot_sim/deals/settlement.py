"""What the cards of a deal that is played out come to: bouts, bonuses, the score."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tarot_sim.rules import CAMP_OF_SIGN, NEED, Camp
from tarot_sim.rules.announcements import chelem_name
from tarot_sim.rules.scoring import Score, score_half_points
from tarot_sim.rules.table import Chelem

if TYPE_CHECKING:
    from tarot_sim._core import Position
    from tarot_sim.deals.deal import Deal


@dataclass(frozen=True, slots=True)
class Settlement:
    """How a deal ended.

    Attributes
    ----------
    attack_half_points
        The attack's card points, in half points, its écart or dog included.
    bouts
        Bouts in the attack's pile.
    made
        Whether the attack has the points that it needs.
    petit_au_bout
        The camp that won the Petit in the last trick, if one did.
    chelem
        As in `tarot_sim.score`; None if there was none.
    score
        The score; None without a contract.
    scores
        The score by seat, which sums to 0; None as `score`.
    """

    attack_half_points: int
    bouts: int
    made: bool
    petit_au_bout: Camp | None
    chelem: Chelem | None
    score: Score | None
    scores: tuple[int, ...] | None


def settle(deal: Deal, position: Position) -> Settlement:
    """Settle a deal.

    Parameters
    ----------
    deal
        Who took with which contract, and what was announced; its plays do not matter.
    position
        The position after its last card.

    Raises
    ------
    PositionError
        If there are cards left to play.
    """
    result = position.result()
    petit_au_bout = CAMP_OF_SIGN[result.petit_au_bout]
    chelem = chelem_name(result.chelem, deal.chelem)
    score = scores = None
    if deal.contract is not None and deal.taker is not None:
        score = score_half_points(
            players=deal.players,
            contract=deal.contract,
            half_points=result.attack_half_points,
            bouts=result.bouts,
            petit_au_bout=petit_au_bout,
            poignees=[poignee.level for poignee in deal.poignees],
            chelem=chelem,
            alone=deal.players == 5 and deal.associate is None,
            miseres=[misere.kind for misere in deal.miseres],
            rules=deal.rules,
        )
        scores = score.by_seat(deal.players, deal.taker, deal.associate)
    return Settlement(
        attack_half_points=result.attack_half_points,
        bouts=result.bouts,
        made=result.attack_half_points >= NEED[result.bouts],
        petit_au_bout=petit_au_bout,
        chelem=chelem,
        score=score,
        scores=scores,
    )
