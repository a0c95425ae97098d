"""Whole deals in batches: what single bots do from their views, nothing that is not allowed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tarot_sim.arena.tables import play_game
from tarot_sim.bots.habits import habits
from tarot_sim.bots.rules_bot import RulesBot, choose_call
from tarot_sim.bots.whole_deals import LEVELS, WholeDeals, habit_calls, play_whole_deals
from tarot_sim.cards import CARDS, Hand
from tarot_sim.deals.conditions import Condition
from tarot_sim.deals.deal import Deal
from tarot_sim.errors import OptionError
from tarot_sim.rules import DOG_CONTRACTS, Rules
from tarot_sim.rules.announcements import LEVELS as POIGNEES
from tarot_sim.rules.auction import callable_cards
from tarot_sim.rules.table import ALL_CONTRACTS
from tests.reference import bulk

Worlds = NDArray[np.uint8]
TABLES = pytest.mark.parametrize("players", [3, 4, 5])


def world_of(deal: Deal) -> Worlds:
    world = np.full(78, deal.rules.players, np.uint8)
    for seat, hand in enumerate(deal.hands):
        world[list(hand)] = seat
    return world


def random_worlds(rules: Rules, n: int, seed: int) -> Worlds:
    """Return worlds at random, those with a Petit sec left out."""
    sizes = [rules.hand_size] * rules.players + [rules.dog_size]
    pack = np.repeat(np.arange(rules.players + 1, dtype=np.uint8), sizes)
    worlds = np.random.default_rng(seed).permuted(np.tile(pack, (n, 1)), axis=1)
    petit, excuse = worlds[:, 56], worlds[:, 77]
    alone = (worlds[:, 57:77] == petit[:, None]).sum(axis=1) == 0
    sec = alone & (petit != excuse) & (petit < rules.players)
    kept: Worlds = worlds[~sec]
    return kept


def compare(rules: Rules, deals: list[Deal]) -> WholeDeals:
    """Hold a batch against games of four `RulesBot`s; return the batch."""
    worlds = np.stack([world_of(deal) for deal in deals])
    dealers = np.array([deal.dealer for deal in deals], np.int64)
    whole = play_whole_deals(worlds, dealers, rules, plays=True)
    plays = whole.taken.plays
    assert plays is not None
    for row, deal in enumerate(deals):
        game = play_game(deal, [RulesBot() for _ in range(rules.players)])
        said = dict(game.auction.history)
        assert whole.bids[row].tolist() == [LEVELS[said[seat]] for seat in range(rules.players)]
        if game.outcome != "played":
            assert (whole.taker[row], whole.level[row]) == (-1, 0)
            assert not whole.scores[row].any()
            continue
        assert whole.taker[row] == game.taker
        assert ALL_CONTRACTS[whole.level[row] - 1] == game.contract
        assert whole.taken.called[row] == (255 if game.called is None else game.called)
        if game.contract in DOG_CONTRACTS:
            aside = np.flatnonzero(whole.taken.owners[row] == rules.players)
            assert Hand(aside.tolist()) == game.discarded
        shown = [poignee.level for poignee in game.poignees]
        level = whole.taken.poignee[row]
        assert shown == ([POIGNEES[level - 1]] if level else [])
        assert plays[row].tolist() == [int(card) for card in game.plays]
        assert game.scores is not None
        assert whole.scores[row].tolist() == list(game.scores)
    return whole


def deal_of(rules: Rules, world: Worlds) -> Deal:
    hands = tuple(Hand(np.flatnonzero(world == seat).tolist()) for seat in range(rules.players + 1))
    return Deal(players=rules.players, hands=hands[:-1], dog=hands[-1], dealer=0, rules=rules)


@TABLES
def test_they_do_what_single_bots_do(players: int) -> None:
    rules = Rules(players=players)
    whole = compare(rules, [Deal.random(rules=rules, rng=seed) for seed in range(60)])
    assert set(np.unique(whole.level)) >= {LEVELS["garde"]}


def test_what_is_rare_is_done_alike() -> None:
    """A called card that lies in the dog; all four Rois; Gardes without the dog; poignées."""
    rules = Rules(players=5)
    worlds = random_worlds(rules, 60_000, 5)
    deals = []
    for text, n in (("1.rois==4", 5), ("1.trumps>=11", 5), ("dog.rois>=1 and 1.trumps>=6", 40)):
        rows = np.flatnonzero(Condition(text, players=5).mask(worlds))[:n]
        assert len(rows) == n
        deals += [deal_of(rules, worlds[row]) for row in rows]
    whole = compare(rules, deals)
    worlds = np.stack([world_of(deal) for deal in deals])
    dog = (whole.taken.called < 78) & (worlds[np.arange(len(whole)), whole.taken.called % 78] == 5)
    assert dog.sum() > 3
    assert (whole.taken.poignee > 0).sum() > 3
    assert (whole.level >= LEVELS["garde_sans"]).sum() > 3


@TABLES
def test_nothing_is_against_the_rules(players: int) -> None:
    check_rules(players, 4000, seed=players)


def check_rules(players: int, n: int, seed: int) -> int:
    """Hold whole deals against the plain rules; return how many there were."""
    rules = Rules(players=players)
    worlds = random_worlds(rules, n, seed)
    dealers = np.arange(len(worlds)) % players
    whole = play_whole_deals(worlds, dealers, rules, plays=True)
    wrong = bulk.faults_of_auction(whole.bids, dealers, whole.taker, whole.level)
    assert not wrong.any()
    rows = np.flatnonzero(whole.taker >= 0)
    taker, called = whole.taker[rows], whole.taken.called[rows]
    owners, plays = whole.taken.owners[rows], whole.taken.plays
    assert plays is not None
    if players == 5:
        assert not bulk.faults_of_call(worlds[rows], taker, called).any()
    else:
        assert (called == 255).all()
    dogs = np.isin(whole.level[rows], [LEVELS[contract] for contract in DOG_CONTRACTS])
    wrong = bulk.faults_of_discard(worlds[rows][dogs], owners[dogs], taker[dogs], players)
    assert not wrong.any()
    assert (owners[~dogs] == worlds[rows][~dogs]).all()
    assert not bulk.faults_of_poignee(owners, dogs, taker, whole.taken.poignee[rows]).any()
    leaders = (dealers[rows] + 1) % players
    assert not bulk.faults_of_play(owners, plays[rows], leaders, called).any()
    assert not whole.scores.sum(axis=1).any()
    return len(worlds)


def test_the_plain_rules_find_faults() -> None:
    """What they are held against would not let everything pass."""
    rules = Rules(players=4)
    worlds = random_worlds(rules, 400, 7)
    dealers = np.zeros(len(worlds), np.int64)
    whole = play_whole_deals(worlds, dealers, rules, plays=True)
    rows = np.flatnonzero((whole.taker >= 0) & (whole.level <= LEVELS["garde"]))
    plays, owners = whole.taken.plays, whole.taken.owners[rows]
    assert plays is not None
    swapped = plays[rows]
    swapped[:, [4, 8]] = swapped[:, [8, 4]]  # a card of the second trick and one of the third
    called = np.full(len(rows), 255)
    leaders = (dealers[rows] + 1) % 4
    assert bulk.faults_of_play(owners, swapped, leaders, called).mean() > 0.7
    assert bulk.faults_of_auction(whole.bids, dealers, whole.taker, whole.level + 1).all()
    dealt = worlds[rows]
    assert bulk.faults_of_discard(dealt, dealt, whole.taker[rows], 4).mean() > 0.5
    assert (
        bulk.faults_of_poignee(
            owners, np.ones(len(rows), bool), whole.taker[rows], np.full(len(rows), 3)
        ).mean()
        > 0.9
    )


def test_calls_of_hands_with_all_rois() -> None:
    """They call a Dame, or a Cavalier with all Dames too."""
    world = np.full((1, 78), 5, np.uint8)
    world[0, [13, 27, 41, 55, 12, 26, 40, 54]] = 0
    called = habit_calls(world, np.array([0]))
    assert CARDS[called[0]].name in {"PC", "CC", "KC", "TC"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"worlds": np.zeros((2, 77), np.uint8)}, "worlds: expected an array"),
        ({"dealers": np.array([4, 0])}, "dealers: expected a seat for each deal"),
        ({"dealers": np.array([0])}, "dealers: expected an array"),
        ({"levels": np.zeros((2, 3), np.int64)}, "levels: expected an array"),
        ({"levels": np.full((2, 4), 6)}, "levels: expected a bid for each seat"),
    ],
)
def test_arguments_that_mean_nothing(arguments: dict[str, Any], message: str) -> None:
    good = {"worlds": random_worlds(Rules(), 8, 1)[:2], "dealers": np.array([0, 1])}
    with pytest.raises(OptionError, match=message):
        play_whole_deals(**(good | arguments), rules=Rules())


def test_the_bids_may_be_given() -> None:
    """Nobody bids, or one seat alone: who does takes."""
    rules = Rules()
    worlds = random_worlds(rules, 50, 4)
    dealers, levels = np.zeros(len(worlds), np.int64), np.zeros((len(worlds), 4), np.int64)
    assert (play_whole_deals(worlds, dealers, rules, levels=levels).taker == -1).all()
    levels[:, 2] = LEVELS["prise"]
    whole = play_whole_deals(worlds, dealers, rules, levels=levels)
    assert (whole.taker == 2).all()
    assert (whole.level == LEVELS["prise"]).all()


def test_the_seats_may_play_by_other_habits() -> None:
    """Weights of nothing in one seat change what it plays, and nobody's bids."""
    rules = Rules()
    worlds, dealers = random_worlds(rules, 300, 3), np.zeros(300, np.int64)
    dealers = dealers[: len(worlds)]
    weights = np.repeat(habits(rules)[None], 4, axis=0)
    plain = play_whole_deals(worlds, dealers, rules)
    same = play_whole_deals(worlds, dealers, rules, weights=weights)
    weights[2] = 0
    other = play_whole_deals(worlds, dealers, rules, weights=weights)
    assert (plain.scores == same.scores).all()
    assert (plain.bids == other.bids).all()
    assert other.scores[:, 2].mean() < plain.scores[:, 2].mean()


def test_calls_are_those_of_the_bot_with_all_four_rois_too() -> None:
    rules, rng = Rules(players=5), np.random.default_rng(5)
    pack = np.repeat(np.arange(6, dtype=np.uint8), [15] * 5 + [3])
    worlds = rng.permuted(np.tile(pack, (900, 1)), axis=1)
    for place, row in enumerate(worlds):
        # A third with four Rois, a third with the Dames of two or all suits as well.
        dames = [] if place % 3 < 2 else ([12, 26] if place % 2 else [12, 26, 40, 54])
        for card in [13, 27, 41, 55, *dames] if place % 3 else []:
            if row[card]:
                other = next(c for c in np.flatnonzero(row == 0) if c % 14 < 11 or c >= 56)
                row[card], row[other] = 0, row[card]
    found = habit_calls(worlds, np.zeros(len(worlds), np.int64))
    for row, card in zip(worlds, found, strict=True):
        hand = Hand(np.flatnonzero(row == 0).tolist())
        assert card == choose_call(hand, callable_cards(hand, rules))
