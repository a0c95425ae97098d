"""The solver's node signature, and how fast this machine is.

The signature is the number of positions that the solver searches on a fixed list of
deals, each from an empty table. It repeats on every machine: a change of the search
that is not meant to alter what is searched leaves it as it is.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tarot_sim._core import Position, random_playouts
from tarot_sim.cards import Hand
from tarot_sim.deals.deal import Deal
from tarot_sim.estimation._evaluate import Evaluator
from tarot_sim.rules import Rules
from tarot_sim.rules.auction import callable_cards
from tarot_sim.rules.chavey import chavey_count
from tarot_sim.solver._solver import Solver
from tarot_sim.solver.objectives import MARGIN
from tarot_sim.worlds._sampler import sample_worlds
from tarot_sim.worlds.contract_deals import contract_deals
from tarot_sim.worlds.discards import EVEN, discard_by

if TYPE_CHECKING:
    from collections.abc import Callable

#: Players and cards a hand of the signature's deals, and how many of each.
SIGNATURE_DEALS: Final = ((3, 8, 6), (4, 8, 6), (5, 8, 6), (4, 10, 4))

#: Cards a hand of the deals whose solving is timed.
SOLVED_CARDS: Final = (6, 8, 10)
_SOLVED_DEALS: Final = 20
_PLAYOUTS: Final = 100_000
_POLICY_DEALS: Final = 2_000
_HAND: Final = "A:21,19,16,14,11,8,5,1,EX P:R,D,6 C:C,10 K:R,4 T:V,9"


def random_position(players: int, cards: int, seed: int) -> Position:
    """Return a position in which the strongest hand has taken a Garde.

    Strongest is the hand with the highest Chavey count; the écart is that of `EVEN`. For
    fewer cards than a whole hand, cards are played at random first, and both camps are
    taken to have won a trick.

    Parameters
    ----------
    players
        3, 4 or 5.
    cards
        Cards that every hand still holds.
    seed
        The same seed gives the same position.
    """
    rules = Rules(players=players)
    rng = np.random.Generator(np.random.PCG64DXSM([players, cards, seed]))
    deal = Deal.random(rules=rules, rng=rng, dealer=0)
    taker = max(range(players), key=lambda seat: chavey_count(deal.hands[seat]).total)
    called = None
    if players == 5:
        choices = callable_cards(deal.hands[taker], rules)
        called = choices[seed % len(choices)]
    full = deal.hands[taker] | deal.dog
    discard = discard_by(EVEN, full, rules, called)
    hands = list(deal.hands)
    hands[taker] = full - discard
    attack = {taker} | {seat for seat, hand in enumerate(hands) if called in hand}
    position = Position(
        hands,
        attack=sorted(attack),
        leader=1,
        rules=rules,
        called=called,
        attack_half_points=discard.half_points,
    )
    if cards == rules.hand_size:
        return position
    bits = rng.bit_generator
    while position.tricks_left > cards or position.trick:
        legal = position.legal_cards()
        position.play(legal[int(bits.random_raw()) % len(legal)])
    return Position(
        position.hands,
        attack=position.attack,
        leader=position.leader,
        rules=rules,
        attack_half_points=position.attack_half_points,
        attack_bouts=position.attack_bouts,
        won=(True, True),
    )


def signature() -> int:
    """Return the number of positions searched for the exact margins of a fixed list."""
    solver = Solver()
    total = 0
    for players, cards, deals in SIGNATURE_DEALS:
        for seed in range(deals):
            solver.clear()
            total += solver.value(random_position(players, cards, seed), MARGIN)[2]
    return total


@dataclass(frozen=True, slots=True)
class Speeds:
    """What `measure` found, in processor time of one thread.

    Attributes
    ----------
    nodes
        The signature.
    playout_ns_per_card
        Random play-outs, by players.
    policy_deals_per_s
        Whole deals played by the rule-based policy.
    solve
        Mean milliseconds of a make/fail and of an exact margin, by cards a hand.
    """

    nodes: int
    playout_ns_per_card: dict[int, float]
    policy_deals_per_s: float
    solve: dict[int, dict[str, float]]

    def to_dict(self) -> dict[str, Any]:
        """Return the answer with the keys of the command line's JSON."""
        return {
            "nodes": self.nodes,
            "playout_ns_per_card": {str(n): ns for n, ns in self.playout_ns_per_card.items()},
            "policy_deals_per_s": self.policy_deals_per_s,
            "solve": {str(cards): times for cards, times in self.solve.items()},
        }


def _seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def _playout_ns(players: int) -> float:
    position = random_position(players, Rules(players=players).hand_size, 0)
    bits = np.random.PCG64DXSM(1)
    cards = players * position.tricks_left * _PLAYOUTS
    return min(_seconds(lambda: random_playouts(position, _PLAYOUTS, bits)) for _ in range(3)) * (
        1e9 / cards
    )


def _policy_rate() -> float:
    hand, rules = Hand(_HAND), Rules()
    worlds = sample_worlds(hand, 0, rules, _POLICY_DEALS, np.random.PCG64DXSM(1))
    leaders = np.zeros(_POLICY_DEALS, np.uint8)
    deals = contract_deals(worlds, rules, "garde_sans", leaders)
    evaluator = Evaluator()
    return _POLICY_DEALS / min(_seconds(lambda: evaluator.policy(deals)) for _ in range(3))


def _solve_times(cards: int) -> dict[str, float]:
    solver = Solver()
    make = value = 0.0
    for seed in range(_SOLVED_DEALS):
        position = random_position(4, cards, seed)
        solver.clear()
        make += _seconds(lambda at=position: solver.at_least(at, MARGIN, 0))  # type: ignore[misc]
        solver.clear()
        value += _seconds(lambda at=position: solver.value(at, MARGIN))  # type: ignore[misc]
    return {"make_ms": 1e3 * make / _SOLVED_DEALS, "value_ms": 1e3 * value / _SOLVED_DEALS}


def measure() -> Speeds:
    """Take the signature and the speeds; some seconds of one thread."""
    return Speeds(
        nodes=signature(),
        playout_ns_per_card={players: _playout_ns(players) for players in (3, 4, 5)},
        policy_deals_per_s=_policy_rate(),
        solve={cards: _solve_times(cards) for cards in SOLVED_CARDS},
    )
