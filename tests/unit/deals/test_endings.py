from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from tarot_sim.cards import Hand
from tarot_sim.deals.deal import Deal
from tarot_sim.deals.dealing import Draws
from tarot_sim.deals.endings import ending_at, random_ending
from tarot_sim.errors import OptionError, RulesError
from tarot_sim.rules import Rules
from tarot_sim.rules.auction import callable_cards
from tarot_sim.rules.chavey import chavey_count
from tarot_sim.rules.discard import discardable
from tarot_sim.solver.solving import solve
from tests.reference import dealing as reference
from tests.reference import minimax
from tests.reference import rules as oracle

PLAYERS = pytest.mark.parametrize("players", [3, 4, 5])


@PLAYERS
def test_record(players: int) -> None:
    for seed in range(30):
        ending = random_ending(1 + seed % 6, players=players, rng=seed)
        assert ending == Deal.from_dict(ending.to_dict())
        assert ending.is_ending
        assert {1 + seed % 6} == {len(hand) for hand in ending.hands}
        assert "garde" == ending.contract
        assert (ending.called is None) == (players != 5)
        # All that lies outside of the hands has been shared out.
        outside = 182 - sum(hand.half_points for hand in ending.hands)
        assert 0 <= ending.attack_half_points <= outside


@PLAYERS
def test_is_solved_as_by_the_oracle(players: int) -> None:
    """The oracle plays the whole deal; what is left of it is worth what the record is."""
    rng = Random(f"endings {players}")
    for _ in range(8):
        deal = garde(players, rng)
        position, state = deal.position(), reference_state(deal)
        while position.tricks_left > 2 or position.trick:
            card = rng.choice(position.legal_cards())
            position.play(card)
            state = oracle.play(state, card.name)
        ending = ending_at(deal, position).position()
        assert minimax.alpha_beta(state, minimax.points) == solve(ending, "points").value
        assert minimax.alpha_beta(state, minimax.margin) == solve(ending, "margin").value


def reference_state(deal: Deal) -> oracle.State:
    """Return the oracle's state before the first card of a Garde."""
    assert deal.discard is not None
    return oracle.whole_deal(
        oracle.Table(
            deal.players,
            frozenset(deal.attack),
            called=None if deal.called is None else deal.called.name,
        ),
        [[card.name for card in hand] for hand in deal.play_hands()],
        [card.name for card in deal.discard],
        "attack",
        deal.first_leader,
    )


@PLAYERS
def test_goes_on_as_the_deal_would(players: int) -> None:
    """From every trick on the record leads to the result of the deal itself, sweeps as well."""
    rng = Random(players)
    kinds: Counter[str | None] = Counter()
    for _ in range(60):
        deal = garde(players, rng)
        position = deal.position()
        for cards in range(deal.rules.hand_size - 1, 0, -1):
            while position.tricks_left > cards or position.trick:
                position.play(rng.choice(position.legal_cards()))
            ending = ending_at(deal, position)
            assert ending.attack == deal.attack
            kinds[ending.swept] += 1
            onward, again = position.copy(), Deal.from_dict(ending.to_dict()).position()
            while not onward.is_over:
                card = rng.choice(onward.legal_cards())
                assert onward.legal_cards() == again.legal_cards()
                onward.play(card)
                again.play(card)
            assert onward.result() == again.result()
    assert {"attack", "defence", None} == set(kinds)


def garde(players: int, rng: Random) -> Deal:
    """Return a deal that any seat has taken, with any écart and call."""
    deal = Deal.random(players, rng=rng.getrandbits(32))
    taker = rng.randrange(players)
    fixed, free = discardable(deal.hands[taker] | deal.dog, deal.rules)
    discard = fixed | Hand(rng.sample(list(free), deal.rules.dog_size - len(fixed)))
    called = None
    if players == 5:
        called = rng.choice(callable_cards(deal.hands[taker], deal.rules))
    return replace(deal, taker=taker, contract="garde", discard=discard, called=called)


@PLAYERS
def test_who_takes_and_what_is_discarded(players: int) -> None:
    asked = []

    def discard(cards: Hand, rules: Rules, *, called: int | None = None) -> Hand:
        fixed, free = discardable(cards, rules)
        chosen = fixed | Hand(list(free)[: rules.dog_size - len(fixed)])
        asked.append((cards, called, chosen))
        return chosen

    for seed in range(20):
        table = Rules(players=players)
        ending = random_ending(4, rules=table, rng=seed, discard=discard)
        cards, called, chosen = asked[-1]
        assert called == ending.called
        assert table.hand_size + table.dog_size == len(cards)
        names = [card.name for card in cards]
        assert reference.is_legal_ecart(names, [c.name for c in chosen], table.dog_size)
        # The strongest hand as dealt is the taker's.
        deal = Deal.random(rules=table, rng=seed)
        counts = [chavey_count(hand).total for hand in deal.hands]
        assert max(counts) == counts[ending.taker or 0]
        assert deal.hands[ending.taker or 0] | deal.dog == cards
        if players == 5:
            assert called not in deal.hands[ending.taker or 0]
            assert called in callable_cards(deal.hands[ending.taker or 0], table)


def test_seeds_and_rules() -> None:
    assert random_ending(5, rng=3) == random_ending(5, rng=3)
    assert random_ending(5, rng=3) != random_ending(5, rng=4)
    assert random_ending(5, rng=np.random.PCG64DXSM(3)) == random_ending(5, rng=3)
    draws = Draws(3)
    assert random_ending(5, rng=draws) == random_ending(5, rng=3)
    assert random_ending(5, rng=draws) != random_ending(5, rng=3)
    fft = random_ending(5, rng=3, rules=Rules.fft(5), dealer=4)
    assert (Rules.fft(5), 4) == (fft.rules, fft.dealer)


@pytest.mark.parametrize("cards", [0, 18, -1])
def test_errors(cards: int) -> None:
    with pytest.raises(OptionError, match=f"cards: {cards} is not 1…17, as an ending has"):
        random_ending(cards)


def test_no_such_table() -> None:
    with pytest.raises(RulesError, match="players: 6"):
        random_ending(3, players=6)
