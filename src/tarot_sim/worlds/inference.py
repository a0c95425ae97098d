"""What the hidden cards may be, for a seat in the middle of a deal.

Every world is as likely as any other that agrees with all that the seat has seen: who played
what, voids and trumps not held, poignées, the dog, the écart's trumps, the call; and that no
hand was a Petit sec. What bids and plays make likely comes after, as weights.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from tarot_sim.cards import EXCUSE, PETIT
from tarot_sim.errors import OptionError, RecordError
from tarot_sim.worlds._assignment import Assignment

if TYPE_CHECKING:
    from numpy.random import BitGenerator
    from numpy.typing import NDArray

    from tarot_sim.deals.view import View

_NUMBERED: Final = slice(PETIT + 1, EXCUSE + 1)  # all that may stand beside the Petit
#: Worlds drawn at a time until as many as are wanted have no Petit sec.
_MOST_ROUNDS: Final = 10_000


class Worlds:
    """The worlds that a view allows, ready to be drawn from.

    Parameters
    ----------
    view
        What the seat knows, in the play of the cards.

    Raises
    ------
    RecordError
        If no world agrees with the view.

    Examples
    --------
    >>> import numpy as np
    >>> from tarot_sim.cards import Hand
    >>> from tarot_sim.deals.view import View
    >>> from tarot_sim.rules import Rules
    >>> hand = Hand("A:21,16,12,9,6,2 P:R,D,6,3 C:V,8,1 K:R,4 T:V,9,5")
    >>> view = View(rules=Rules(), seat=0, dealer=3, hand=hand, phase="play", taker=1,
    ...     contract="garde_sans")
    >>> worlds = Worlds(view).draw(2, np.random.PCG64DXSM(1))
    >>> [int((row == 4).sum()) for row in worlds]
    [6, 6]
    """

    def __init__(self, view: View) -> None:
        self.view = view
        players = view.players
        allowed = np.zeros(78, np.uint8)
        for card, places in view.allowed.items():
            if not places:
                raise RecordError(f"view: {card} can be nowhere")
            allowed[card] = places
        row = np.full(78, players, np.uint8)
        for seat, cards in enumerate(view.played):
            row[list(cards)] = seat
        row[list(view.holding)] = view.seat
        self._row = row
        try:
            self._assignment = Assignment(allowed, view.capacities)
        except OptionError as error:
            raise RecordError(f"view: no cards of the others agree with it ({error})") from None

    @property
    def ways(self) -> float:
        """How many worlds there are, those with a Petit sec included."""
        return float(self._assignment.ways)

    def draw(self, n: int, bit_generator: BitGenerator) -> NDArray[np.uint8]:
        """Draw worlds, each as likely as any other.

        Parameters
        ----------
        n
            How many.
        bit_generator
            Where the random bits come from.

        Returns
        -------
        numpy.ndarray
            uint8 (n, 78): the seat that held each card at the first trick, played ones
            included; the number of players for the écart or the dog.

        Raises
        ------
        RecordError
            If hardly any world is without a Petit sec.
        """
        worlds = self._assignment.draw(n, bit_generator, self._row)
        if self.view.rules.petit_sec != "cancel":
            return worlds
        for _ in range(_MOST_ROUNDS):
            again = np.flatnonzero(self._petits_secs(worlds))
            if not again.size:
                return worlds
            worlds[again] = self._assignment.draw(again.size, bit_generator, self._row)
        raise RecordError("view: hardly any cards of the others are without a Petit sec")

    def _petits_secs(self, worlds: NDArray[np.uint8]) -> NDArray[np.bool_]:
        """Tell in which worlds a hand was dealt the Petit and no other trump or the Excuse."""
        view = self.view
        dealt = worlds
        if view.takes_dog and view.taker is not None and view.dog is not None:
            dealt = np.where(worlds == view.players, np.uint8(view.taker), worlds)
            dealt[:, list(view.dog)] = view.players
        holder = dealt[:, PETIT]
        others = (dealt[:, _NUMBERED] == holder[:, None]).any(axis=1)
        alone: NDArray[np.bool_] = (holder < view.players) & ~others
        return alone
