"""Bots: whatever they do is legal, depends on the view and the seed alone, and makes sense."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np
import pytest

from tarot_sim.arena.tables import play_game
from tarot_sim.bots import make
from tarot_sim.bots._rollouts import Begun
from tarot_sim.bots.habits import habits
from tarot_sim.bots.objective import made, margins, own_share, scores, seat_scores, soft_scores
from tarot_sim.bots.search_bot import SearchBot
from tarot_sim.bots.whole_deals import LEVELS
from tarot_sim.bots.worlds_seen import deals_of, draw_owners, sees_call
from tarot_sim.cards import EXCUSE, Hand
from tarot_sim.deals.deal import Deal
from tarot_sim.deals.game import Game
from tarot_sim.deals.view import View
from tarot_sim.errors import OptionError
from tarot_sim.rules import Rules
from tarot_sim.worlds.batch import Deals
from tests.games import random_game

TABLES = pytest.mark.parametrize("players", [3, 4, 5])
BOTS = pytest.mark.parametrize(
    ("name", "deals"), [("random", 30), ("rules", 30), ("search:worlds=4", 3)]
)


@TABLES
@BOTS
def test_whole_deals_are_legal(players: int, name: str, deals: int) -> None:
    """`Game` refuses what is not; the records are taken back."""
    bots = [make(name, seed) for seed in range(players)]
    for seed in range(deals):
        game = play_game(Deal.random(players=players, rng=seed), bots)
        assert game.outcome in ("played", "passed")
        assert Deal.from_dict(game.to_record()).to_dict() == game.to_record()


def hidden_again(game: Game, seat: int, rng: np.random.Generator) -> Game | None:
    """Return the same game with other cards where the seat cannot see, if there is one."""
    view = View.of(game, seat)
    world = draw_owners(view, 1, rng, model_discard=False)[0]
    hands = [Hand(np.flatnonzero(world == s).tolist()) for s in range(game.players)]
    aside = Hand(np.flatnonzero(world == game.players).tolist())
    dealt, dog = list(hands), aside
    assert game.taker is not None
    if game.takes_dog:
        dealt[game.taker] = (hands[game.taker] | aside) - game.dog
        dog = game.dog
    other = Game(dealt, dog, dealer=game.dealer, rules=game.rules)
    for _, bid in game.auction.history:
        other.bid(bid)
    if other.phase == "call":
        if game.called not in other.callable_cards():
            return None
        assert game.called is not None
        other.call(game.called)
    if other.phase == "discard":
        other.discard(aside)
    assert not game.poignees
    for card in game.plays:
        other.play(card)
    return other


@TABLES
@pytest.mark.parametrize(("name", "games"), [("rules", 60), ("search:worlds=4", 12)])
def test_other_hidden_cards_change_nothing(players: int, name: str, games: int) -> None:
    check_hidden_cards(players, name, games, players)


def check_hidden_cards(players: int, name: str, games: int, seed: int) -> None:
    """Hold decisions against those with other hidden cards."""
    random, rng, done = Random(seed), np.random.default_rng(seed), 0
    while done < games:
        game = random_game(players, random, poignees=0)
        seat = game.to_move
        assert seat is not None
        other = hidden_again(game, seat, rng)
        if other is None:
            continue
        done += 1
        assert View.of(other, seat) == View.of(game, seat)
        first, second = (make(name, 1).play(View.of(g, seat)) for g in (game, other))
        assert first == second


def test_names_and_options() -> None:
    assert make("search:worlds=30,guard=0,likelihood=off,discard=off,time=0.5").name == (
        "search:worlds=30,guard=0,likelihood=off,discard=off,time=0.5"
    )
    assert make("strong").name == "search:worlds=160"
    assert [make(name).name for name in ("random", "rules", "search")] == [
        "random", "rules", "search",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("chess", "bot: 'chess' is not one of random, rules, search, strong"),
        ("search:speed=3", "bot: search has no option 'speed', only worlds"),
        ("rules:worlds=3", "bot: rules has no option 'worlds', there are none"),
        ("search:worlds=x", "bot: worlds='x' is not understood"),
        ("search:worlds=1", "worlds: 1 is not 2…100000"),
        ("search:guard=nan", "guard: nan is not 0 or more"),
        ("search:time=0", "time: 0.0 is not more than 0"),
    ],
)
def test_names_that_mean_nothing(name: str, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        make(name)


@TABLES
def test_scores_are_those_of_the_settlement(players: int) -> None:
    """Of the deal as it was, played out by habits."""
    random = Random(40 + players)
    for _ in range(20):
        game = random_game(players, random)
        assert game.to_move is not None
        assert game.taker is not None
        view = View.of(game, game.to_move)
        owners = np.full((1, 78), players, np.uint8)
        for seat, hand in enumerate(Deal.from_dict(game.to_record()).play_hands()):
            owners[0, list(hand)] = seat
        begun = Begun(deals_of(view, owners), view.taker, view.plays, sees_call(view))
        cards, chosen, results = begun.values(habits(view.rules))
        game.play(cards[chosen])
        bot = make("rules")
        while game.phase == "play":
            assert game.to_move is not None
            game.play(bot.play(View.of(game, game.to_move)).best)
        settled = game._settlement
        assert settled is not None
        assert settled.scores is not None
        assert game.score is not None
        result = results[chosen]
        assert bool(made(result)[0]) == settled.made
        if players < 5 or game.partner is not None:
            assert scores(result, view)[0] == game.score.taker
        assert game.contract is not None
        if not view.poignees and not view.chelem:
            level = np.array([LEVELS[game.contract]])
            attack = np.array([sum(1 << seat for seat in game.attack)], np.uint8)
            for seat in range(players):
                found = seat_scores(result, seat, view.rules, np.array([game.taker]), level, attack)
                assert found[0] == settled.scores[seat]


def test_the_soft_score_grows_with_the_margin() -> None:
    from tarot_sim._core import RESULT_DTYPE

    view = View.of(random_game(4, Random(3), plays=0, poignees=0), 0)
    results = np.zeros(183, RESULT_DTYPE)
    results["attack_half_points"] = np.arange(183)
    assert (np.diff(soft_scores(results, view)) > 0).all()
    assert (np.diff(margins(results)) == 1).all()


def test_plays_out_of_habit_make_worlds_less_likely() -> None:
    """Worlds in which habits would have played as was played keep their weight."""
    random, weights = Random(5), habits(Rules())
    game = random_game(4, random, plays=0, poignees=0)
    bot = make("rules")
    while len(game.plays) < 13:
        assert game.to_move is not None
        game.play(bot.play(View.of(game, game.to_move)).best)
    assert game.to_move is not None
    view = View.of(game, game.to_move)
    owners = np.full((1, 78), 4, np.uint8)
    for seat, hand in enumerate(Deal.from_dict(game.to_record()).play_hands()):
        owners[0, list(hand)] = seat
    drawn = np.concatenate([owners, draw_owners(view, 200, np.random.default_rng(1))])
    begun = Begun(deals_of(view, drawn), view.taker, view.plays, sees_call(view))
    logs = begun.likelihoods(weights, view.seat, 0.3, 0.7, 1.0)
    assert logs[0] == 0
    assert logs.max() == 0
    assert logs[1:].mean() < -0.1


def test_the_truth_is_not_seen_more_often_than_chance_has_it() -> None:
    """What a search samples does not depend on the cards that lie hidden."""
    game = random_game(4, Random(9), plays=20, poignees=0)
    assert game.to_move is not None
    view = View.of(game, game.to_move)
    other = hidden_again(game, game.to_move, np.random.default_rng(2))
    assert other is not None
    again = View.of(other, game.to_move)
    first, second = (draw_owners(v, 50, np.random.default_rng(4)) for v in (view, again))
    assert (first == second).all()
    assert replace(view) == again


def test_worlds_in_which_the_mover_holds_another_hand_are_refused() -> None:
    """What is a choice in the first of them may be no card of the others' hands."""
    games = [random_game(4, Random(seed), plays=0, poignees=0) for seed in range(20)]
    deals = []
    for game in games:
        if game.takes_dog:
            assert game.to_move is not None
            view = View.of(game, game.to_move)
            deals.append(deals_of(view, draw_owners(view, 1, np.random.default_rng(1))))
    columns = ("owners", "attack", "leader", "half_points", "bouts", "called")
    arrays: list[Any] = [
        np.concatenate([getattr(deal, name) for deal in deals]) for name in columns
    ]
    mixed = Deals(Rules(), *arrays)
    with pytest.raises(OptionError, match="the card at 0 is not legal in world"):
        Begun(mixed, 0, []).values(habits(Rules()))
    logs = Begun(mixed, 0, [int(deals[0].owners[0].argmin())]).likelihoods(
        habits(Rules()), 0, 0.5, 0.5, 1.0
    )
    assert np.isneginf(logs).any()


@pytest.mark.parametrize("players", [3, 4, 5])
def test_own_scores(players: int) -> None:
    """Equal cards score the same in each world, a defender a share of what the taker loses."""
    random = Random(players)
    checked = 0
    for _ in range(30):
        game = random_game(players, random, plays=players * random.randrange(4, 12))
        seat = game.to_move
        assert seat is not None
        view = View.of(game, seat)
        legal = view.legal_cards()
        bot = SearchBot(np.random.default_rng(1), worlds=6)
        own = bot.own_scores(view, legal)
        assert own.shape == (len(legal), 6)
        decision = SearchBot(np.random.default_rng(1), worlds=6).play(view)
        share = own_share(view)
        assert share == pytest.approx(
            {3: -1 / 2, 4: -1 / 3, 5: -1 / 2}[players]
            if seat not in game.attack
            else (1 if seat == game.taker else 1 / 2)
            if players < 5 or game.partner is not None
            else 2
        )
        for option in decision.options:
            if option.mean_score is None:
                continue
            checked += 1
            mean = own[legal.index(option.option)].mean()
            assert mean == pytest.approx(option.mean_score * share)
        for low, high in pairwise(legal):
            if low.suit == high.suit and low + 1 == high and low.half_points == high.half_points:
                assert own[legal.index(low)].tolist() == own[legal.index(high)].tolist()
    assert checked > 20


@TABLES
def test_the_excuse_is_not_kept_for_the_last_trick(players: int) -> None:
    """There it changes hands; a search with few worlds knows that much."""
    rules = Rules(players=players)
    for seed in range(6):
        deal = Deal.random(rules=rules, rng=seed)
        game = play_game(deal, [make("search:worlds=6", seat) for seat in range(players)])
        assert EXCUSE not in game.plays[-players:]
