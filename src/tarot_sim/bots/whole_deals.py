"""Whole deals by players of habits, thousands at a time: bids, calls, écarts, poignées, play.

Every seat does what `tarot_sim.bots.rules_bot.RulesBot` does with the same cards, seeing its
own hand and what is public, a column of deals at a time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tarot_sim._core import RESULT_DTYPE
from tarot_sim.arguments import own_array
from tarot_sim.bots._playing import play_deals
from tarot_sim.bots.habits import habits as shipped_habits
from tarot_sim.bots.habits import thresholds
from tarot_sim.bots.objective import table_scores
from tarot_sim.cards import CARDS, EXCUSE, Hand
from tarot_sim.errors import OptionError
from tarot_sim.rules import DOG_CONTRACTS
from tarot_sim.rules.table import ALL_CONTRACTS, Rules, checked_rules
from tarot_sim.worlds._counts import chavey_counts
from tarot_sim.worlds.batch import NO_CALL
from tarot_sim.worlds.contract_deals import contract_deals

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from tarot_sim.cards import Card

#: The level of each bid.
LEVELS: Final[dict[str, int]] = {"pass": 0, **{name: i + 1 for i, name in enumerate(ALL_CONTRACTS)}}
_ROIS: Final = np.array([13, 27, 41, 55])
_TRUMPS: Final = slice(56, 77)
_SUIT_CARDS: Final = 56
#: A card that is held is called last: more than any suit is worth.
_HELD: Final = 10_000


def _call_worth() -> NDArray[np.float32]:
    """Return what each card adds to calling in its suit, float32 (56, 4).

    As `choose_call` does it: long, then rich. 100 is more than the half points of a suit; all
    sums are exact.
    """
    worth = np.zeros((4, 14, 4), np.float32)
    for suit in range(4):
        worth[suit, :, suit] = 100 + np.array([1] * 10 + [3, 5, 7, 9])
    return worth.reshape(_SUIT_CARDS, 4)


_CALL_WORTH: Final = _call_worth()


@dataclass(frozen=True, slots=True)
class TakenDeals:
    """Deals that were taken and played, a row each; a row that nobody took stays empty.

    Attributes
    ----------
    called
        uint8 (n,): the called card, 255 for none.
    results
        `RESULT_DTYPE` (n,).
    attack
        uint8 (n,): the attack's seats, a bit each.
    poignee
        uint8 (n,): the level that the taker shows, 1 to 3; 0 for none.
    owners
        uint8 (n, 78): who holds each card when the play begins, the number of players for the
        cards that are not played.
    plays
        uint8 (n, cards): what was played, in order; None where it was not asked for.
    """

    called: NDArray[np.uint8]
    results: NDArray[Any]
    attack: NDArray[np.uint8]
    poignee: NDArray[np.uint8]
    owners: NDArray[np.uint8]
    plays: NDArray[np.uint8] | None


@dataclass(frozen=True, slots=True)
class WholeDeals:
    """Deals from the first bid to the score, a row each.

    Attributes
    ----------
    rules
        The table.
    bids
        uint8 (n, players): what each seat says in its turn, by seat, as in `LEVELS`.
    taker
        int64 (n,): −1 where all pass.
    level
        int64 (n,): the contract, as in `LEVELS`; 0 where all pass.
    taken
        What became of them.
    scores
        int64 (n, players): points by seat, which sum to 0.
    """

    rules: Rules
    bids: NDArray[np.uint8]
    taker: NDArray[np.int64]
    level: NDArray[np.int64]
    taken: TakenDeals
    scores: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.taker)


def bid_levels(
    worlds: NDArray[np.uint8], rules: Rules, limits: Mapping[str, int] | None = None
) -> NDArray[np.int64]:
    """Return how high each seat would bid by its count in each world.

    Parameters
    ----------
    worlds
        uint8 (n, 78): hands as dealt, the number of players for the dog.
    rules
        The table.
    limits
        The count from which each contract is bid; by default the shipped ones.

    Returns
    -------
    numpy.ndarray
        int64 (n, players): 0 pass, else as in `LEVELS`. Nobody bids a Pousse.
    """
    counts = chavey_counts(worlds, rules.players)
    levels = np.zeros(counts.shape[:2], np.int64)
    for contract, limit in (thresholds(rules) if limits is None else limits).items():
        column = counts[:, :, 0 if contract in DOG_CONTRACTS else 1]
        levels[column >= limit] = LEVELS[contract]
    return levels


def hold_auctions(
    levels: NDArray[np.int64], dealers: NDArray[np.int64]
) -> tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.int64]]:
    """Let every seat bid once, from the dealer's right, if it would go higher.

    Parameters
    ----------
    levels
        From `bid_levels`.
    dealers
        (n,): the dealer's seat.

    Returns
    -------
    bids, taker, level : numpy.ndarray
        See `WholeDeals`.
    """
    n, players = levels.shape
    rows = np.arange(n)
    bids = np.zeros((n, players), np.uint8)
    taker, highest = np.full(n, -1), np.zeros(n, np.int64)
    for turn in range(1, players + 1):
        seat = (dealers + turn) % players
        said = levels[rows, seat]
        higher = said > highest
        bids[rows[higher], seat[higher]] = said[higher]
        taker[higher], highest[higher] = seat[higher], said[higher]
    return bids, taker, highest


def habit_calls(worlds: NDArray[np.uint8], takers: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the card that a taker of habits calls in each world at five players.

    Parameters
    ----------
    worlds
        uint8 (n, 78): hands as dealt.
    takers
        (n,): the taker's seat.
    """
    held = worlds == takers[:, None]
    worth = held[:, :_SUIT_CARDS].astype(np.float32) @ _CALL_WORTH
    called, rows = np.zeros(len(worlds), np.int64), np.arange(len(worlds))
    # Who holds all four Rois calls a Dame, and so on; nobody holds four of each.
    for rank in range(4):
        cards = _ROIS - rank
        own = held[rows[:, None], cards]
        called[rows] = cards[(worth[rows] - _HELD * own).argmax(axis=1)]
        rows = rows[own.all(axis=1)]
        if not rows.size:
            break
    return called


def play_taken(
    worlds: NDArray[np.uint8],
    takers: NDArray[np.int64],
    levels: NDArray[np.int64],
    leaders: NDArray[np.uint8],
    rules: Rules,
    *,
    called: Card | None = None,
    weights: NDArray[np.float32] | None = None,
    discard: Callable[[Hand], Hand] | None = None,
    plays: bool = False,
) -> TakenDeals:
    """Play worlds out with these takers and contracts.

    Parameters
    ----------
    worlds
        uint8 (n, 78): hands as dealt, the number of players for the dog.
    takers, levels
        (n,) each: who takes, −1 for nobody; how high, as in `LEVELS`.
    leaders
        uint8 (n,): who leads to the first trick.
    rules
        The table.
    called
        Five players: the called card; by default each taker calls by habit.
    weights
        float32 (players, 6, 48): how each seat plays; by default the shipped habits.
    discard
        The taker's écart for hand and dog; by default by the rule of `choose_discard`.
    plays
        Whether the cards are wanted.
    """
    n, players = len(worlds), rules.players
    if weights is None:
        weights = np.repeat(shipped_habits(rules)[None], players, axis=0)
    results, attack = np.zeros(n, RESULT_DTYPE), np.zeros(n, np.uint8)
    poignee, owners = np.zeros(n, np.uint8), worlds.copy()
    cards = np.zeros((n, players * rules.hand_size), np.uint8) if plays else None
    calls = np.full(n, NO_CALL if called is None else called, np.uint8)
    if players == 5 and called is None:
        rows = np.flatnonzero(takers >= 0)
        calls[rows] = habit_calls(worlds[rows], takers[rows])
    keys = ((takers + 1) * (len(LEVELS) + 1) + levels) * (NO_CALL + 1) + calls
    order = np.argsort(keys, kind="stable")
    order = order[takers[order] >= 0]
    for group in np.split(order, np.flatnonzero(np.diff(keys[order])) + 1):
        if not group.size:
            continue
        first = group[0]
        taker, card = int(takers[first]), int(calls[first])
        deals = contract_deals(
            worlds[group],
            rules,
            ALL_CONTRACTS[levels[first] - 1],
            leaders[group],
            taker=taker,
            called=None if card == NO_CALL else CARDS[card],
            discard=discard,
        )
        takes_dog = deals.contract in DOG_CONTRACTS
        # All see a called card that lay in a dog that was shown.
        lies_open = worlds[group, card % 78] == players
        seen = lies_open if takes_dog and card != NO_CALL else None
        results[group], chosen = play_deals(
            deals, np.full(len(group), taker, np.uint8), weights, open_call=seen, plays=plays
        )
        attack[group], owners[group] = deals.attack, deals.owners
        poignee[group] = _poignees(deals.owners, taker, takes_dog, rules)
        if cards is not None and chosen is not None:
            cards[group] = chosen
    return TakenDeals(calls, results, attack, poignee, owners, cards)


def _poignees(
    owners: NDArray[np.uint8], taker: int, takes_dog: bool, rules: Rules
) -> NDArray[np.uint8]:
    """Return the highest level that the taker can show; trumps in the own écart count."""
    shown = owners == taker
    if takes_dog:
        shown |= owners == rules.players
    trumps = shown[:, _TRUMPS].sum(axis=1) + shown[:, EXCUSE]
    levels: NDArray[np.intp] = np.searchsorted(rules.poignee_trumps, trumps, side="right")
    return levels.astype(np.uint8)


def play_whole_deals(
    worlds: NDArray[np.uint8],
    dealers: NDArray[np.int64],
    rules: Rules,
    *,
    levels: NDArray[np.int64] | None = None,
    weights: NDArray[np.float32] | None = None,
    plays: bool = False,
) -> WholeDeals:
    """Play whole deals with a player of habits in every seat.

    Parameters
    ----------
    worlds
        uint8 (n, 78): the seat that each card is dealt to, the number of players for the dog.
    dealers
        (n,): the dealer's seat of each.
    rules
        The table.
    levels
        int64 (n, players): how high each seat would bid; by default by its count, as
        `bid_levels` has it.
    weights
        float32 (players, 6, 48): how each seat plays; by default the shipped habits.
    plays
        Whether the cards are wanted.

    Raises
    ------
    OptionError
        If an array is of another type or shape, or a dealer is no seat.

    Examples
    --------
    >>> import numpy as np
    >>> rules = Rules()
    >>> pack = np.repeat(np.arange(5, dtype=np.uint8), [18, 18, 18, 18, 6])
    >>> worlds = np.random.default_rng(1).permuted(np.tile(pack, (1000, 1)), axis=1)
    >>> deals = play_whole_deals(worlds, np.zeros(1000, np.int64), rules)
    >>> int(deals.scores.sum()), deals.scores.shape
    (0, (1000, 4))
    """
    rules = checked_rules(rules)
    worlds = own_array("worlds", worlds, np.uint8, (None, 78))
    dealers = own_array("dealers", dealers, np.int64, (len(worlds),))
    players = rules.players
    if len(dealers) and not 0 <= dealers.min() <= dealers.max() < players:
        raise OptionError("dealers: expected a seat for each deal")
    if levels is None:
        levels = bid_levels(worlds, rules)
    else:
        levels = own_array("levels", levels, np.int64, (len(worlds), players))
        if levels.size and not 0 <= levels.min() <= levels.max() < len(LEVELS):
            raise OptionError("levels: expected a bid for each seat")
    bids, taker, level = hold_auctions(levels, dealers)
    leaders = ((dealers + 1) % players).astype(np.uint8)
    taken = play_taken(worlds, taker, level, leaders, rules, weights=weights, plays=plays)
    scores = table_scores(taken.results, rules, taker, level, taken.attack, taken.poignee)
    return WholeDeals(rules, bids, taker, level, taken, scores)
