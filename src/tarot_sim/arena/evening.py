"""Deals one after the other: who deals, what everybody has won so far."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tarot_sim.arena.session import Session, names_by_seat
from tarot_sim.arguments import seat_number
from tarot_sim.deals.dealing import Draws, deal_uniform
from tarot_sim.deals.game import Game
from tarot_sim.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tarot_sim.rules import Rules


class Evening:
    """A person plays deals against the same bots.

    The deal passes to the right after every deal, one that all have passed included; a Petit
    sec is dealt again at once.

    Parameters
    ----------
    rules
        The table.
    seat
        The person's seat.
    bots
        As of `Session`.
    seed
        Where the cards and all choices come from.
    dealer
        Seat of the first dealer; drawn if None.

    Raises
    ------
    OptionError
        If a seat is none of the table's, a bot is not known, or their number is wrong.

    Examples
    --------
    >>> from tarot_sim.rules import Rules
    >>> evening = Evening(Rules(), 0, ["rules"], seed=1, dealer=2)
    >>> evening.next_session().game.dealer, evening.totals
    (2, (0, 0, 0, 0))
    """

    def __init__(
        self,
        rules: Rules,
        seat: int,
        bots: Sequence[str],
        *,
        seed: int = 0,
        dealer: int | None = None,
    ) -> None:
        self.rules = rules
        self.seat = seat_number("seat", seat, rules.players, OptionError)
        names_by_seat(bots, self.seat, rules.players)
        self._bots = tuple(bots)
        self._seed = seed
        self._draws = Draws(seed)
        if dealer is not None:
            dealer = seat_number("dealer", dealer, rules.players, OptionError)
        self._dealer = self._draws.below(rules.players) if dealer is None else dealer
        self._dealt = 0
        self._played: list[tuple[int, ...]] = []

    @property
    def played(self) -> tuple[tuple[int, ...], ...]:
        """The scores by seat of every deal that was played out, in order."""
        return tuple(self._played)

    @property
    def totals(self) -> tuple[int, ...]:
        """The sums of the scores by seat."""
        return tuple(map(sum, zip(*self._played, strict=True))) or (0,) * self.rules.players

    def next_session(self) -> Session:
        """Deal the cards for the next deal; the dealer is the one to the right of the last."""
        dealer = (self._dealer + self._dealt) % self.rules.players
        hands, dog, _ = deal_uniform(self.rules, self._draws, dealer)
        game = Game(hands, dog, dealer=dealer, rules=self.rules)
        self._dealt += 1
        return Session(game, self.seat, self._bots, seed=self._seed, number=self._dealt)

    def book(self, session: Session) -> None:
        """Add the scores of a deal that is over; one that all have passed has none."""
        scores = session.game.scores
        if scores is not None:
            self._played.append(scores)
