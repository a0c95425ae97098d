from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tarot_sim.deals.game import Game
from tarot_sim.deals.match import Match, Standing, duplicate_points
from tarot_sim.errors import OptionError, RecordError
from tarot_sim.rules import Rules
from tarot_sim.worlds.discards import choose_discard


def play(game: Game, random: Random) -> None:
    """Let a random seat take a Prise (now and then nobody) and play at random."""
    taker = random.randrange(game.players) if random.random() < 0.8 else None
    while game.phase == "auction":
        game.bid("prise" if game.to_move == taker else "pass")
    if game.phase == "call":
        game.call(game.callable_cards()[0])
    if game.phase == "discard" and taker is not None:
        game.discard(choose_discard(game.hands[taker], game.rules))
    while game.phase == "play":
        game.play(random.choice(game.legal_cards()))


@pytest.mark.parametrize("players", [3, 4, 5])
def test_a_match_from_the_first_deal_to_the_ranking(players: int) -> None:
    random = Random(20 + players)  # deals are cancelled at every table
    match = Match(Rules(players=players), n_deals=12, dealer=1, rng=players)
    dealt = 0
    totals = [0] * players
    while not match.is_over:
        # The deal passes on after played, passed and cancelled deals alike.
        assert (1 + dealt) % players == match.dealer
        assert () == match.winners
        game = match.deal()
        assert match.dealer == game.dealer
        play(game, random)
        match.settle(game)
        dealt += 1
        if game.scores is not None:
            totals = [total + score for total, score in zip(totals, game.scores, strict=True)]
        assert tuple(totals) == match.totals
    assert 12 == len(match.played) == dealt - match.cancelled
    assert match.cancelled > 0
    assert 0 == sum(match.totals)
    assert sorted(totals, reverse=True) == [standing.total for standing in match.ranking]
    assert max(totals) == totals[match.winners[0]]
    with pytest.raises(RecordError, match="deal: all 12 deals are played"):
        match.deal()


def settle_with(match: Match, scores: tuple[int, ...] | None) -> None:
    """Book a deal with these scores without playing it."""

    class Played:
        phase = "over"

    game = Played()
    game.scores = scores  # type: ignore[attr-defined]
    match._current = game  # type: ignore[assignment]
    match.settle(game)  # type: ignore[arg-type]


def test_ties_share_the_rank() -> None:
    match = Match(n_deals=2, rng=1)
    settle_with(match, (30, 30, -90, 30))
    settle_with(match, (-20, -20, 60, -20))
    assert (
        Standing(1, 0, 10),
        Standing(1, 1, 10),
        Standing(1, 3, 10),
        Standing(4, 2, -30),
    ) == match.ranking
    assert (0, 1, 3) == match.winners


def test_cancelled_deals_are_not_counted() -> None:
    match = Match(n_deals=1, dealer=3, rng=1)
    settle_with(match, None)
    assert (0, 1, False) == (match.dealer, match.cancelled, match.is_over)
    assert ((), (0, 0, 0, 0)) == (match.played, match.totals)


# Case 19: a Petit sec is no deal, and never the end of the match.
def test_petit_sec_moves_the_deal_on() -> None:
    match = Match(Rules(players=5), n_deals=1, rng=3)
    cancelled = 0
    for number in range(2000):
        game = match.deal()
        assert number % 5 == game.dealer
        if game.outcome == "petit_sec":
            cancelled += 1
        else:
            for _ in range(5):
                game.bid("pass")
        match.settle(game)
    assert 2000 == match.cancelled
    # 0.6645 % of the deals of five: 13 expected, three standard errors are 11.
    assert 3 <= cancelled <= 24
    off = Match(Rules(players=5, petit_sec="off"), n_deals=1, rng=3)
    for _ in range(500):
        game = off.deal()
        assert "auction" == game.phase
        for _ in range(5):
            game.bid("pass")
        off.settle(game)


def test_the_deals_are_the_seeds() -> None:
    first, second, other = (Match(n_deals=3, rng=seed).deal().dealt for seed in (7, 7, 8))
    assert first == second
    assert first != other
    assert first == Match(n_deals=3, rng=np.random.PCG64DXSM(7)).deal().dealt


def test_misuse() -> None:
    with pytest.raises(OptionError, match="n_deals: 0"):
        Match(n_deals=0)
    with pytest.raises(OptionError, match="dealer: 4"):
        Match(n_deals=1, dealer=4)
    match = Match(n_deals=1, rng=1)
    game = match.deal()
    with pytest.raises(RecordError, match="the game on the table is not settled"):
        match.deal()
    with pytest.raises(RecordError, match="the game is not over, the phase is auction"):
        match.settle(game)
    with pytest.raises(RecordError, match="not the one on the table"):
        match.settle(game.copy())


@pytest.mark.parametrize(
    ("expected", "score", "other"), [(4, 82, 66), (12, 68, -76), (-4, 66, 82), (0, 50, 50)]
)
def test_duplicate_points(expected: float, score: int, other: int) -> None:
    assert expected == duplicate_points(score, other)


@given(st.integers(-3000, 3000), st.integers(-3000, 3000))
def test_duplicate_points_are_antisymmetric(score: int, other: int) -> None:
    points = duplicate_points(score, other)
    assert -points == duplicate_points(other, score)
    assert (points > 0) == (score > other)
    assert abs(score - other) == pytest.approx(points**2)
