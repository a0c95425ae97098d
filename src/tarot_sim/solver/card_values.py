"""What the legal cards bring: a mapping that prints as a ranking."""

from __future__ import annotations

from collections.abc import Mapping

from tarot_sim.cards import Card
from tarot_sim.notebook import cards_html, table_html
from tarot_sim.rules.scoring import card_points
from tarot_sim.solver.objectives import ObjectiveName


class CardValues(dict[Card, int]):
    """The value of every legal card; made by `solve_cards`.

    A dict that may be asked by a card's name as well. Its order is that of the player to move:
    the best first.

    Parameters
    ----------
    values
        By card: half points, or for the objective score the taker's score.
    objective
        What they are values of.
    attacks
        Whether the player to move is of the attack, and so wants much.
    """

    __slots__ = ("attacks", "objective")

    def __init__(
        self, values: Mapping[Card, int], objective: ObjectiveName, *, attacks: bool
    ) -> None:
        sign = -1 if attacks else 1
        super().__init__(sorted(values.items(), key=lambda item: (sign * item[1], item[0])))
        self.objective = objective
        self.attacks = attacks

    def __missing__(self, card: object) -> int:
        if isinstance(card, str) and (named := Card(card)) in self:
            return self[named]
        raise KeyError(card)

    @property
    def best(self) -> Card | None:
        """A card with the best value; None where no card is left."""
        return next(iter(self), None)

    def behind(self) -> dict[Card, int]:
        """Return by how much each card is worse than the best one, none of them negative."""
        best = next(iter(self.values()), 0)
        return {card: abs(value - best) for card, value in self.items()}

    def _shown(self, value: int) -> str:
        return str(value) if self.objective == "score" else f"{card_points(value):g}"

    def __str__(self) -> str:
        """Return the cards with their values, in card points, the best first."""
        return ", ".join(f"{card} {self._shown(value)}" for card, value in self.items())

    def __repr__(self) -> str:
        values = {card.name: value for card, value in self.items()}
        return f"CardValues({values}, {self.objective!r}, attacks={self.attacks})"

    def _repr_html_(self) -> str:
        behind = self.behind()
        rows = [
            [cards_html(card.pretty), self._shown(value), self._shown(behind[card])]
            for card, value in self.items()
        ]
        return table_html(["card", self.objective, "behind"], rows)
