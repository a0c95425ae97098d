"""A *partie*: a fixed number of deals, the best total wins; and how two scores compare."""

from __future__ import annotations

from dataclasses import dataclass
from math import copysign, sqrt
from typing import TYPE_CHECKING

from tarot_sim.arguments import integer, seat_number
from tarot_sim.deals.dealing import Draws, deal_uniform
from tarot_sim.deals.game import Game
from tarot_sim.errors import OptionError, RecordError
from tarot_sim.notation import shown
from tarot_sim.rules import Rules, checked_rules

if TYPE_CHECKING:
    from tarot_sim.deals.dealing import Randomness


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's place in a match: equal totals share the better rank."""

    rank: int
    seat: int
    total: int


class Match:
    """A match of a fixed number of deals.

    The deal passes to the right after every deal: a played one, four passes or a Petit
    sec. Only played deals count towards the number.

    Parameters
    ----------
    rules
        The table; by default four players.
    n_deals
        How many deals are played.
    dealer
        Seat of the first dealer.
    rng, seed
        A seed, a numpy `Generator` or `BitGenerator`, `Draws`, or None for fresh entropy: where
        the deals come from.

    Raises
    ------
    OptionError
        If `n_deals` is below 1 or `dealer` is no seat.

    Examples
    --------
    >>> match = Match(n_deals=2, rng=1)
    >>> while not match.is_over:
    ...     game = match.deal()
    ...     if game.phase == "auction":
    ...         for bid in ("prise", "pass", "pass", "pass"):
    ...             game.bid(bid)
    ...         from tarot_sim.worlds.discards import choose_discard
    ...         game.discard(choose_discard(game.hands[game.taker], game.rules))
    ...         while game.phase == "play":
    ...             game.play(game.legal_cards()[0])
    ...     match.settle(game)
    >>> len(match.played), sum(match.totals)
    (2, 0)
    """

    __slots__ = ("_cancelled", "_current", "_dealer", "_draws", "_played", "n_deals", "rules")

    def __init__(
        self,
        rules: Rules | None = None,
        *,
        n_deals: int,
        dealer: int = 0,
        rng: Randomness = None,
        seed: Randomness = None,
    ) -> None:
        self.rules = Rules() if rules is None else checked_rules(rules)
        self.n_deals = integer("n_deals", n_deals)
        if self.n_deals < 1:
            raise OptionError(f"n_deals: {shown(self.n_deals)} deals, expected at least 1")
        self._dealer = seat_number("dealer", dealer, self.rules.players)
        self._draws = Draws.of(rng, seed)
        self._played: list[tuple[int, ...]] = []
        self._cancelled = 0
        self._current: Game | None = None

    @property
    def dealer(self) -> int:
        """Seat of the dealer of the deal on the table, or of the next one."""
        return self._dealer

    @property
    def played(self) -> tuple[tuple[int, ...], ...]:
        """The scores by seat of every deal that was played, in order."""
        return tuple(self._played)

    @property
    def cancelled(self) -> int:
        """How many deals ended in four passes or a Petit sec."""
        return self._cancelled

    @property
    def is_over(self) -> bool:
        """Whether all deals are played."""
        return len(self._played) == self.n_deals

    @property
    def totals(self) -> tuple[int, ...]:
        """The running totals by seat; they sum to 0."""
        return tuple(
            sum(scores[seat] for scores in self._played) for seat in range(self.rules.players)
        )

    @property
    def ranking(self) -> tuple[Standing, ...]:
        """The players from the best total down; of equal ones the lower seat comes first."""
        totals = self.totals
        order = sorted(range(len(totals)), key=lambda seat: (-totals[seat], seat))
        return tuple(
            Standing(1 + sum(other > totals[seat] for other in totals), seat, totals[seat])
            for seat in order
        )

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that share the best total; nobody before the match is over."""
        if not self.is_over:
            return ()
        return tuple(standing.seat for standing in self.ranking if standing.rank == 1)

    def deal(self) -> Game:
        """Deal the cards and return the game, which is to be played and settled.

        A Petit sec is dealt like any other hand: the game is over at once.

        Raises
        ------
        RecordError
            If the match is over, or the last game is not settled.
        """
        if self.is_over:
            raise RecordError(f"deal: all {self.n_deals} deals are played")
        if self._current is not None:
            raise RecordError("deal: the game on the table is not settled")
        hands, dog, dealer = deal_uniform(_as_dealt(self.rules), self._draws, self._dealer)
        self._current = Game(hands, dog, dealer=dealer, rules=self.rules)
        return self._current

    def settle(self, game: Game) -> None:
        """Book a game that is over and pass the deal to the right.

        Raises
        ------
        RecordError
            If `game` is not the one on the table, or not over.
        """
        if self._current is None or game is not self._current:
            raise RecordError("settle: this game is not the one on the table")
        if game.phase != "over":
            raise RecordError(f"settle: the game is not over, the phase is {game.phase}")
        if game.scores is None:
            self._cancelled += 1
        else:
            self._played.append(game.scores)
        self._current = None
        self._dealer = (self._dealer + 1) % self.rules.players


def _as_dealt(rules: Rules) -> Rules:
    """Return rules under which a Petit sec is not dealt again behind the dealer's back."""
    return Rules(players=rules.players, petit_sec="off")


def duplicate_points(score: int, other: int) -> float:
    """Return what a score is worth against another one on the same deal.

    The square root keeps the sign of the difference and lets no single deal decide a
    match.

    Examples
    --------
    >>> duplicate_points(82, 66), duplicate_points(-76, 68)
    (4.0, -12.0)
    """
    difference = score - other
    return copysign(sqrt(abs(difference)), difference)
