"""The table of numbered actions does what a `Game` does."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from tarot_sim.cards import Hand
from tarot_sim.deals.deal import Deal
from tarot_sim.deals.replaying import replay
from tarot_sim.envs.actions import ACTION_NAMES, action_number, bits_of
from tarot_sim.envs.table import Table
from tarot_sim.errors import IllegalPlayError, RecordError
from tarot_sim.rules import Rules
from tarot_sim.rules.discard import iter_discards
from tests.tables import Mirror, actions_of, some_action, some_deal

DEALS = 100
TABLES = [rules for players in (3, 4, 5) for rules in (Rules(players=players), Rules.fft(players))]


@pytest.mark.parametrize("rules", TABLES, ids=str)
def test_random_deals_go_as_in_a_game(rules: Rules) -> None:
    random = Random(rules.players)
    seen: Counter[str] = Counter()
    for number in range(DEALS):
        trumps = random.choice((0, *rules.poignee_trumps)) if number % 2 else 0
        mirror = Mirror(rules, some_deal(rules, random, trumps))
        table, game = mirror.table, mirror.game
        while table.phase != "over":
            legal = actions_of(table.legal)
            if table.phase != "discard":
                assert mirror.legal == {ACTION_NAMES[action] for action in legal}
            if table.phase == "play" and len(game.plays) < rules.players:
                assert table.seat in mirror.asked or not game.legal_poignees()
            if mirror.asked or table.phase != "announce":
                assert table.seat == game.to_move
            if table.phase != "discard":
                assert [hand.mask for hand in game.hands] == [hand.mask for hand in table.hands]
            assert game.trick == table.trick
            action = some_action(table, random)
            seen[f"{table.phase} {action if action > 77 else 'card'}"] += 1
            mirror.act(action)
        assert "over" == game.phase
        assert table.legal == 0
        assert table.scores is not None
        assert 0 == sum(table.scores)
        assert (game.scores or (0,) * rules.players) == table.scores
        assert game.deal == table.deal
        assert Deal.from_dict(table.deal.to_dict()) == table.deal
        if game.scores is not None:
            assert replay(table.deal).scores == table.scores
    bids = {f"auction {action}" for action in range(78, 83)}
    announced = {f"announce {action}" for action in (78, 83, 84, 85, 86)}
    assert seen.keys() == bids | announced | {"discard card", "play card"} | (
        {"call card"} if rules.players == 5 else set()
    )


@pytest.mark.parametrize("trumps", [0, 13])
def test_every_discard_and_no_other_can_be_made(trumps: int) -> None:
    """Card by card exactly the legal écarts can be completed, forced trumps included."""
    rules, random = Rules(players=5), Random(1)
    for _ in range(30):
        table = Table(rules, some_deal(rules, random, trumps))
        taker = max(range(5), key=lambda seat: len(table.hands[seat].trumps))
        while table.phase == "auction":
            table.act(action_number("garde" if table.seat == taker else "pass"))
        table.act(random.choice(actions_of(table.legal)))
        every = {hand.mask for hand in iter_discards(table.hands[taker], rules)}
        chosen = 0
        while table.phase == "discard":
            fitting = [discard for discard in every if not chosen & ~discard]
            expected = 0
            for discard in fitting:
                expected |= discard & ~chosen
            assert expected == table.legal
            card = random.choice(actions_of(table.legal))
            chosen |= 1 << card
            table.act(card)
        assert chosen in every


def test_all_pass() -> None:
    table = Table(Rules(), some_deal(Rules(), Random(1)))
    for _ in range(4):
        assert table.scores is None
        table.act(action_number("pass"))
    assert ("over", 0, (0, 0, 0, 0)) == (table.phase, table.legal, table.scores)


def test_what_is_not_legal() -> None:
    table = Table(Rules(), some_deal(Rules(), Random(1)))
    table.act(action_number("garde"))
    for name in ("prise", "garde", "chelem", "A21", "poignee_simple"):
        before = table.legal
        with pytest.raises(IllegalPlayError) as error:
            table.act(action_number(name))
        assert f"action {name}: it is not legal, the phase is auction" == str(error.value)
        assert before == table.legal
    names = ("pass", "garde_sans", "garde_contre")
    assert bits_of(map(action_number, names)) == table.legal


def test_a_petit_sec_is_no_deal() -> None:
    rules = Rules(players=4)
    hands, dog, _ = some_deal(rules, Random(1))
    pack = [card for hand in (*hands, dog) for card in hand]
    plain = [card for card in pack if card < 56]
    trumps = [card for card in pack if 56 < card]
    sec = [Hand([56, *plain[:17]])]
    rest = [*trumps, *plain[17:]]
    dealt = (*sec, *(Hand(rest[start : start + 18]) for start in (0, 18, 36))), Hand(rest[54:]), 0
    with pytest.raises(RecordError, match=r"^hands\[0\]: the Petit is sec"):
        Table(rules, dealt)
    assert "auction" == Table(Rules(petit_sec="off"), dealt).phase
