"""How a score comes about, in a few lines: what each defender pays, and for what."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tarot_sim.cli.output import plain, signed
from tarot_sim.deals.replaying import replay
from tarot_sim.messages import text
from tarot_sim.rules.scoring import BASE, CHELEMS, PETIT_AU_BOUT, card_points

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tarot_sim.deals.game import Game


def settlement_lines(game: Game) -> Iterator[str]:
    """Yield the lines that tell how a game that was played out is settled."""
    end, contract = replay(game.deal), game.contract
    score = end.score
    assert score is not None
    assert contract is not None
    yield text(
        "play.result" if score.made else "play.result_down",
        contract=text(f"contract.{contract}"),
        points=plain(card_points(end.attack_half_points)),
        bouts=end.bouts,
        target=score.target,
        difference=score.difference,
    )
    for key, value in payments(game).items():
        if key == "contract":
            coefficient = game.rules.coefficients[contract]
            difference = abs(value) // coefficient - BASE
            yield text(
                "play.pays_contract",
                base=BASE,
                difference=difference,
                coefficient=coefficient,
                value=signed(value),
            )
        else:
            yield text(f"play.pays_{key}", value=signed(value))
    key = "play.pays" if score.per_defender >= 0 else "play.gets"
    yield text(key, value=abs(score.per_defender))


def payments(game: Game) -> dict[str, int]:
    """Return what each defender pays to the attack, by what it is for; all sum to the score.

    ``contract``, then of ``petit_au_bout``, ``poignees`` and ``chelem`` what there was.
    """
    end, contract = replay(game.deal), game.contract
    score = end.score
    assert score is not None
    assert contract is not None
    sign = 1 if score.made else -1
    coefficient = game.rules.coefficients[contract]
    found = {"contract": sign * (BASE + score.difference) * coefficient}
    if end.petit_au_bout is not None:
        camp = 1 if end.petit_au_bout == "attack" else -1
        found["petit_au_bout"] = camp * PETIT_AU_BOUT * coefficient
    if game.poignees:
        values = game.rules.poignee_values
        found["poignees"] = sign * sum(values[poignee.level] for poignee in game.poignees)
    if end.chelem is not None:
        found["chelem"] = CHELEMS[end.chelem]
    return found
