"""What people do in Python with the public names, from a hand to a settled deal."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import tarot_sim as ts
from tarot_sim.cards import VINGT_ET_UN

PLAYERS = pytest.mark.parametrize("players", [3, 4, 5])


@PLAYERS
def test_a_whole_evening(players: int) -> None:
    """A match of a few deals in which every bid is what the chances advise."""
    match = ts.Match(ts.Rules(players=players), n_deals=2, dealer=0, rng=players)
    contracts = []
    while not match.is_over:
        game = match.deal()
        while game.phase == "auction":
            seat = game.to_move
            assert seat is not None
            advice = ts.chances(
                game.hands[seat],
                players=players,
                dealer=(game.dealer - seat) % players,
                worlds=50,
                method="fast",
                n_jobs=1,
            ).advice
            game.bid(advice if advice in game.legal_bids() else "pass")
        if game.phase == "call":
            game.call(game.callable_cards()[0])
        if game.phase == "discard":
            assert game.taker is not None
            game.discard(ts.choose_discard(game.hands[game.taker], game.rules))
        while game.phase == "play":
            game.play(game.legal_cards()[0])
        match.settle(game)
        if game.scores is not None:
            contracts.append(game.contract)
            assert sum(game.scores) == 0
            replayed = ts.replay(ts.Deal.from_dict(game.to_record()))
            assert replayed.to_dict()["scores"] == list(game.scores)
    assert len(contracts) == 2
    assert sum(match.totals) == 0


@PLAYERS
def test_what_the_cards_were_worth(players: int) -> None:
    """A deal is played to its last tricks, then the solver tells who should have won them."""
    deal = ts.Deal.random(players, rng=4)
    called = ts.Card.parse("PR") if players == 5 else None
    deal = replace(deal, taker=0, contract="garde_sans", called=called)
    position = deal.position()
    generator = np.random.default_rng(1)
    while position.tricks_left > 4 or position.trick:
        legal = position.legal_cards()
        position.play(legal[generator.integers(len(legal))])
    solution = ts.solve(position, "points", cards=True, line=True)
    assert solution.value is not None
    assert solution.line is not None
    values = ts.solve_cards(position, "points")
    assert values == solution.cards
    assert ts.can_make(position) == solution.make
    guesses = ts.random_playouts(position, 500, np.random.PCG64DXSM(1))["attack_half_points"]
    best = max if position.to_move in position.attack else min
    assert best(values.values()) == solution.value
    for card in solution.line:
        position.play(card)
    assert position.result().attack_half_points == solution.value
    # What chance plays lies on either side of what best play brings, if it matters at all.
    assert guesses.min() <= solution.value <= guesses.max()


def test_a_study_of_strong_hands() -> None:
    """Among dealt hands the better count has the better chances."""
    draws = np.random.PCG64DXSM(3)
    by_count: list[tuple[int, float]] = []
    while len(by_count) < 12:
        hand = ts.Deal.random(rng=draws).hands[0]
        answer = ts.chances(hand, worlds=50, method="fast", n_jobs=1)
        by_count.append((ts.chavey_count(hand).total, answer.contracts["garde"].p_make))
    counts, makes = np.array(sorted(by_count)).T
    assert np.corrcoef(counts, makes)[0, 1] > 0.5


def test_a_21_more_is_worth_more() -> None:
    hand = ts.Hand("A:19,16,14,11,8,5,EX P:R,D,6 C:C,10,4 K:R,4 T:V,9,2", size=18)
    better = (hand - ts.Hand("A5")) | ts.Hand([VINGT_ET_UN])
    scores = [
        ts.chances(cards, worlds=100, method="fast").contracts["garde"].mean_score
        for cards in (hand, better)
    ]
    assert scores[1] > scores[0] + 50


def test_errors_are_value_errors_that_name_the_fault() -> None:
    for wrong, message in (
        (lambda: ts.Hand("A:22"), "22"),
        (lambda: ts.chances("A21"), "1 cards"),
        (lambda: ts.Rules(players=2), "players: 2"),
        (lambda: ts.score(contract="garde", points=92, bouts=1), "points: 92"),
        (lambda: ts.Deal.from_dict({}), "players"),
        (lambda: ts.Position([1, 2], attack=[0], leader=0), "hands: 2"),
    ):
        with pytest.raises(ts.TarotError, match=message) as error:
            wrong()
        assert isinstance(error.value, ValueError)
