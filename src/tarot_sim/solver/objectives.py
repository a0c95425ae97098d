"""What the attack may play for: points, margin, chelem, or the score at given stakes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from tarot_sim.arguments import integer, one_of, some, whole_number
from tarot_sim.rules import (
    NEED,
    POIGNEES,
    TOTAL_HALF_POINTS,
    Camp,
    Contract,
    Rules,
    checked_rules,
)
from tarot_sim.rules.announcements import MISERES, chelem_name
from tarot_sim.rules.scoring import CHELEMS, per_defender, shown_bonus
from tarot_sim.rules.table import ALL_CONTRACTS
from tarot_sim.solver._solver import Objective

if TYPE_CHECKING:
    from collections.abc import Sequence


ObjectiveName = Literal["points", "margin", "score"]
OBJECTIVES: Final[tuple[ObjectiveName, ...]] = ("points", "margin", "score")

#: The attack's half points.
POINTS: Final = Objective()
#: Its half points above what its bouts need: at least 0 where the contract is made.
MARGIN: Final = Objective(NEED)
#: Which camp wins every trick, and nothing else: points are between 0 and 182.
CHELEM: Final = Objective(extra=((-1000, 0, 1000),) * 3)
#: The value of `CHELEM` that tells whether a camp wins every trick.
CHELEM_THRESHOLD: Final[dict[Camp, int]] = {"attack": 500, "defence": -500}
#: The Petit au bout, or the chelem: of the defence, of nobody, of the attack.
_SIDES: Final = (-1, 0, 1)
#: What the Petit au bout is worth beside a point of the margin, in half points.
_PETIT_AU_BOUT: Final = 20
#: The margin with the Petit au bout, by which a line of play is chosen.
VALUE: Final = Objective(NEED, [(side * _PETIT_AU_BOUT,) * 3 for side in _SIDES])
#: Beyond every margin: a threshold that is always or never reached.
_BEYOND: Final = 2 * TOTAL_HALF_POINTS
_FEDERATION: Final = Rules()


@dataclass(frozen=True, slots=True)
class Stakes:
    """What a score depends on beside the play.

    Attributes
    ----------
    contract
        The contract.
    poignees
        Names of the poignées shown by either camp.
    chelem_announced
        Whether the taker announced the chelem.
    miseres
        Kinds of the misères shown by either camp, by a house rule.
    rules
        Whose house rules the score follows; none by default.
    """

    contract: Contract
    poignees: Sequence[str] = ()
    chelem_announced: bool = False
    miseres: Sequence[str] = ()
    rules: Rules = _FEDERATION

    def __post_init__(self) -> None:
        one_of("contract", self.contract, ALL_CONTRACTS)
        shown = some("poignees", self.poignees)
        levels = tuple(one_of("poignees", level, POIGNEES) for level in shown)
        object.__setattr__(self, "poignees", levels)
        kinds = tuple(one_of("miseres", kind, MISERES) for kind in some("miseres", self.miseres))
        object.__setattr__(self, "miseres", kinds)
        object.__setattr__(self, "rules", checked_rules(self.rules))

    def per_defender(self, margin: int, petit_au_bout: int, chelem: int) -> int:
        """Return what each defender loses, from a margin in half points.

        `petit_au_bout` and `chelem` are +1 for the attack, −1 for the defence, else 0.
        """
        margin = integer("margin", margin)
        petit_au_bout = whole_number("petit_au_bout", petit_au_bout, -1, 1)
        chelem = whole_number("chelem", chelem, -1, 1)
        name = chelem_name(chelem, self.chelem_announced)
        return per_defender(
            margin,
            self.contract,
            petit_au_bout=petit_au_bout,
            poignees=shown_bonus(self.poignees, self.miseres, self.rules),  # type: ignore[arg-type]
            chelem=0 if name is None else CHELEMS[name],
            rules=self.rules,
        )

    def objective(self, threshold: int) -> Objective:
        """Return an objective of at least 0 exactly where a defender loses `threshold`.

        The score grows with the margin: for each end of the Petit and the chelem there
        is a least margin that suffices.
        """
        threshold = integer("threshold", threshold)
        extra = [
            [-self._least_margin(threshold, petit_au_bout, chelem) for chelem in _SIDES]
            for petit_au_bout in _SIDES
        ]
        return Objective(NEED, extra)

    def _least_margin(self, threshold: int, petit_au_bout: int, chelem: int) -> int:
        low, high = -_BEYOND, _BEYOND
        while low < high:
            middle = (low + high) // 2
            if self.per_defender(middle, petit_au_bout, chelem) >= threshold:
                high = middle
            else:
                low = middle + 1
        return low
