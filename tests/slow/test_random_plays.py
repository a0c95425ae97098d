"""The engine and the oracle side by side on a million random cards at each table.

Half of the cards fall in whole deals, the rest in endings, where what happens once in a
thousand deals (a camp without a trick, an Excuse or a Petit in the last tricks) is common.
"""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from tarot_sim._core import Position, Result
from tarot_sim.rules import Rules
from tests.reference import generate, rules
from tests.reference.deck import BIT, DECK, EXCUSE, PETIT, mask

CARDS = 1_000_000
NUMBER = {card: number for number, card in enumerate(DECK)}

#: What has to have come up how often for the comparison to mean anything.
EVENTS = {
    "whole deals": 1000,
    "endings": 1000,
    "chelem of the attack": 100,
    "chelem of the defence": 100,
    "Petit in the last trick": 100,
    "Petit in the trick before an Excuse that wins": 20,
    "Excuse that wins the last trick": 100,
    "Excuse in a last trick of its camp, stays": 100,
    "Excuse in a last trick of its camp, changes": 100,
    "Excuse in a last trick of the other camp": 100,
    "Excuse of a camp without a trick, lost": 100,
    "Excuse of a camp without a trick, kept": 100,
    "Excuse owed from before, lost": 50,
    "Excuse owed from before, kept": 50,
}


def random_start(rng: Random, players: int, *, whole: bool) -> rules.State:
    if whole:
        return generate.random_deal(rng, players)
    camp = generate.any_camp(rng, players) if rng.random() < 0.25 else None
    if rng.random() < 0.3:
        return generate.random_small_deal(rng, players, rng.randint(2, 5), attack=camp)
    return generate.random_ending(rng, players, rng.randint(1, 8), attack=camp)


def compare(rng: Random, state: rules.State) -> tuple[rules.State, int]:
    """Play `state` out in both and return its end and the number of cards."""
    table = state.table
    position = Position(
        **rules.engine_arguments(state),
        rules=Rules(
            players=table.players,
            excuse_last=table.excuse_last,
            excuse_no_trick=table.excuse_no_trick,
        ),
    )
    cards = 0
    while not rules.is_over(state):
        legal = rules.legal(state)
        legal_mask = 0
        for card in legal:
            legal_mask |= BIT[card]
        assert position.to_move == rules.to_move(state), state
        assert position.legal_mask() == legal_mask, state
        card = rng.choice(legal)
        position.play(NUMBER[card])
        state = rules.play(state, card)
        cards += 1
        if not state.trick:
            attack, _, bouts = rules.count(state)
            assert position.leader == state.leader, state
            assert position.attack_half_points == attack, state
            assert position.attack_bouts.mask == mask(bouts), state
    expected = rules.settle(state)
    assert position.result() == Result(
        expected.attack_half_points,
        len(expected.attack_bouts),
        expected.petit_au_bout,
        expected.chelem,
    ), state
    return state, cards


def events(state: rules.State) -> list[str]:
    """Return which of `EVENTS` a finished play is one of."""
    table, last = state.table, state.tricks[-1]
    found = ["whole deals" if len(state.tricks) == rules.HAND_SIZE[table.players] else "endings"]
    chelem = rules.chelem(state)
    if chelem:
        found.append("chelem of the " + ("attack" if chelem == 1 else "defence"))
    if PETIT in [card for _, card in last.plays]:
        found.append("Petit in the last trick")
    if last.plays[0] == (last.winner, EXCUSE):
        found.append("Excuse that wins the last trick")
        if rules.petit_au_bout(state) and PETIT not in [card for _, card in last.plays]:
            found.append("Petit in the trick before an Excuse that wins")
    elif EXCUSE in [card for _, card in last.plays]:
        own = table.camp(next(seat for seat, card in last.plays if card == EXCUSE))
        if table.camp(last.winner) != own:
            found.append("Excuse in a last trick of the other camp")
        else:
            fate = "changes" if table.excuse_last == "changes_camp" else "stays"
            found.append(f"Excuse in a last trick of its camp, {fate}")
    fate = "kept" if table.excuse_no_trick == "keep" else "lost"
    for trick in state.tricks[:-1]:
        for seat, card in trick.plays:
            if card == EXCUSE and not rules.has_won_a_trick(state, table.camp(seat)):
                found.append(f"Excuse of a camp without a trick, {fate}")
    if table.excuse_owed and not rules.has_won_a_trick(state, table.excuse_owed):
        found.append(f"Excuse owed from before, {fate}")
    return found


@pytest.mark.slow
@pytest.mark.parametrize("players", [3, 4, 5])
def test_a_million_random_cards(players: int, capsys: pytest.CaptureFixture[str]) -> None:
    rng = Random(f"random cards {players}")
    seen: Counter[str] = Counter()
    cards = {True: 0, False: 0}
    while sum(cards.values()) < CARDS:
        whole = cards[True] <= cards[False]
        state, count = compare(rng, random_start(rng, players, whole=whole))
        cards[whole] += count
        seen.update(events(state))
    with capsys.disabled():
        print(f"\n{players} players: {sum(cards.values())} cards, {cards[True]} in whole deals")
        for event in EVENTS:
            print(f"  {seen[event]:7} {event}")
    for event, least in EVENTS.items():
        assert seen[event] >= least, event
