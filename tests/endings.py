"""Endings and objectives for the tests of the double-dummy search.

What a search keeps of one position it uses for others: that goes wrong, if at all, where
they differ in little. Hence `family`: positions with the same trumps, the same lengths
of every suit in every hand and the same lead, asked of one solver.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any, Literal, get_args

from tarot_sim._core import Position
from tarot_sim.cards import EXCUSE, PETIT, VINGT_ET_UN, Card, Hand
from tarot_sim.notation import TRUMP
from tarot_sim.rules import CONTRACTS, TARGETS, TOTAL_HALF_POINTS, Rules
from tarot_sim.solver._solver import Objective
from tarot_sim.solver.objectives import Stakes
from tests.reference import generate, rules
from tests.reference.deck import PLAIN_SUITS

NEED = tuple(2 * target for target in TARGETS)
BOUTS = (PETIT, VINGT_ET_UN, EXCUSE)

#: The defence cannot win the 21; whether the first seat wins all tricks is no short search.
OPEN_CHELEM = (
    "A:21,20,19,18,17,16,14,11,5,1,EX P:R C:R,D K:R,D T:R,C",
    "A:10 P:C,V,10,7,5,2 C:4,3 K:10,5,4 T:D,9,8,7,5,3",
    "A:15,12,9,8,2 P:8,6,3 C:10,9,8,7,6,5,2 K:1 T:4,1",
    "A:13,7,6,4,3 P:D,9,4 C:V,1 K:C,9,8,7,6,3,2 T:V",
)

_Ranks = Literal["any", "top", "honours"]


def position_of(state: rules.State, plays: Sequence[str] = ()) -> Position:
    """Return the engine's position for the oracle's, after some more plays."""
    table = state.table
    position = Position(
        **rules.engine_arguments(state),
        rules=Rules(
            players=table.players,
            excuse_last=table.excuse_last,
            excuse_no_trick=table.excuse_no_trick,
        ),
    )
    for card in plays:
        position.play(card)
    return position


def random_objective(rng: Random) -> Objective:
    """Return points, margin, a threshold of the score, or numbers that no game has."""
    need: Sequence[int]
    kind = rng.random()
    if kind < 0.2:
        return Objective()
    if kind < 0.4:
        return Objective(NEED)
    if kind < 0.6:
        stakes = Stakes(rng.choice(CONTRACTS), ("simple",) * rng.randint(0, 1), rng.random() < 0.2)
        return stakes.objective(rng.randint(-300, 300))
    if kind < 0.8:
        petit = rng.choice((4, 20, 60))
        return Objective(NEED, [(petit * side,) * 3 for side in (-1, 0, 1)])
    need = sorted((rng.randint(-30, 120) for _ in range(4)), reverse=True)
    return Objective(need, [[rng.randint(-60, 60) for _ in range(3)] for _ in range(3)])


def random_position(rng: Random, players: int, cards: int) -> Position:
    """Return an ending of the oracle's, often in the middle of a trick, with any attack."""
    camp = generate.any_camp(rng, players) if rng.random() < 0.3 else None
    make = generate.random_small_deal if rng.random() < 0.15 else generate.random_ending
    state = make(rng, players, cards, attack=camp, trumps=0.5)
    plays = generate.random_mid_trick(rng, state)[1] if rng.random() < 0.3 else []
    return position_of(state, plays)


def first_lead(rng: Random, cards: int) -> rules.State:
    """Return a state of five players whose next card is the first under a call.

    The called card may be anyone's or gone; its suit is often all that the leader has.
    """
    state = generate.random_small_deal(rng, 5, cards)
    suits = [card[0] for card in state.hands[state.leader] if card[0] in PLAIN_SUITS]
    called = rng.choice(suits or PLAIN_SUITS) + rng.choice("RRDCV")
    return state._replace(table=replace(state.table, called=called))


def family(rng: Random, players: int, cards: int, members: int) -> list[Position]:
    """Return endings that differ in nothing but who holds which rank of a suit.

    Few suits, many trumps and bouts; in one of three a camp has no trick yet, and one
    member in five is in the middle of a trick.
    """
    trumps, lengths, slots = _layout(rng, players, cards)
    gone = [bout for bout in BOUTS if bout not in trumps]
    arguments: dict[str, Any] = {
        "attack": generate.any_camp(rng, players)
        if rng.random() < 0.4
        else generate.random_camp(rng, players),
        "leader": rng.randrange(players),
        "rules": Rules(players=players, **generate.random_options(rng)),
        "won": rng.choice((*[(True, True)] * 6, (True, False), (False, True), (False, False))),
        "attack_bouts": sum(1 << bout for bout in gone if rng.random() < 0.5),
    }
    positions = []
    for _ in range(members):
        hands = _filled(rng, slots, lengths, rng.choice(get_args(_Ranks)))
        # From 27 on, whatever bouts lie in the piles; and no more than lies outside.
        outside = TOTAL_HALF_POINTS - sum(Hand.from_mask(hand).half_points for hand in hands)
        others = 9 * (len(gone) - arguments["attack_bouts"].bit_count())
        points = min(rng.randint(27, 37), outside - others)
        position = Position(hands, attack_half_points=points, **arguments)
        if rng.random() < 0.2:
            for _ in range(rng.randrange(1, 2 * players)):
                if not position.is_over:
                    position.play(rng.choice(position.legal_cards()))
        positions.append(position)
    return positions


def _layout(
    rng: Random, players: int, cards: int
) -> tuple[list[Card], list[int], list[list[Card | int]]]:
    """Return trumps, lengths of the suits, and each hand as trumps and suits' numbers."""
    size = players * cards
    fewest = max(1, -(-(size - 22) // 14))
    used = rng.sample(range(4), max(fewest, rng.choice((1, 1, 2, 2, 3, 4))))
    count = round(size * rng.choice((0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6)))
    count = min(max(count, size - 14 * len(used)), 22, size)
    pack = [Card(card) for card in range(56, 78)]
    rng.shuffle(pack)
    pack.sort(key=lambda card: card not in BOUTS or rng.random() < 0.4)
    trumps = pack[:count]
    lengths = [0] * 4
    while sum(lengths) < size - count:
        suit = rng.choice(used)
        lengths[suit] += lengths[suit] < 14
    items: list[Card | int] = [
        *trumps,
        *(suit for suit in range(TRUMP) for _ in range(lengths[suit])),
    ]
    rng.shuffle(items)
    return trumps, lengths, [items[seat * cards : (seat + 1) * cards] for seat in range(players)]


def _filled(
    rng: Random, slots: list[list[Card | int]], lengths: list[int], ranks: _Ranks
) -> list[int]:
    """Return hands in which the places of each suit have been given to random ranks."""
    cards: list[list[int]] = []
    for suit, length in enumerate(lengths):
        chosen = list(range(14))
        if ranks == "top":
            chosen = chosen[14 - length :]
        elif ranks == "honours":
            chosen.sort(key=lambda rank: rng.random() * (3 if rank < 10 else 1))
        else:
            rng.shuffle(chosen)
        chosen = chosen[:length]
        rng.shuffle(chosen)
        cards.append([14 * suit + rank for rank in chosen])
    return [
        sum(1 << (item if isinstance(item, Card) else cards[item].pop()) for item in hand)
        for hand in slots
    ]
