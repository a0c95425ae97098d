"""What is asked: the checks of it, its random streams, and the worlds that follow."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest

from tarot_sim.cards import FULL_PACK, Hand
from tarot_sim.errors import BidError, OptionError, RulesError, TarotError
from tarot_sim.estimation.plan import (
    Plan,
    Stream,
    bit_generator,
    checked_plan,
    draw_worlds,
    leaders,
)
from tarot_sim.rules import Rules
from tarot_sim.worlds._sampler import sample_worlds
from tarot_sim.worlds.bidding_model import read_auction
from tests.some_deals import CALLED, MIDDLING, plan_of

PLAYERS = pytest.mark.parametrize("players", [3, 4, 5])
NUMBERS = [str(number) for number in range(1, 22)]


# --- streams --------------------------------------------------------------------------


def test_every_stream_has_a_number_of_its_own() -> None:
    """These numbers are part of every answer: another one is another answer of its seed."""
    assert {
        "WORLDS": 0, "CALLS": 1, "PASS_WORLDS": 2, "PASS_BIDS": 3, "DISCARDS": 4,
        "DISCARD_WORLDS": 5,
    } == {stream.name: stream.value for stream in Stream}  # fmt: skip


def test_streams_are_independent() -> None:
    keys = [(stream, *numbers) for stream in Stream for numbers in ((), (0,), (1,))]
    drawn = [bit_generator(1, *key).random_raw(50) for key in keys]
    again = [bit_generator(1, *key).random_raw(50) for key in keys]
    assert np.array_equal(drawn, again)
    for one, two in combinations(drawn, 2):
        assert not set(one.tolist()) & set(two.tolist())


# --- what is asked --------------------------------------------------------------------


def test_a_plan_is_what_was_asked_for() -> None:
    hand, rules, dog = MIDDLING[4], Rules(), Hand("A:21,3 P:2 C:V K:8 T:10")
    found = checked_plan(hand, rules, seed=3, n_jobs=1, method="exact", dealer=2, dog=dog)
    assert Plan(hand, rules, 3, "exact", 2, None, None, dog) == found
    assert 2 == found.known_dealer
    heard = checked_plan(hand, rules, seed=3, n_jobs=-1, auction=["pass", "prise"])
    assert heard.auction is not None
    assert ("prise", 1, 1) == (heard.auction.contract, heard.auction.dealer, heard.known_dealer)
    assert ("cascade", None, None) == (heard.method, heard.dealer, heard.called)


@pytest.mark.parametrize(
    ("message", "error", "options"),
    [
        ("method: 'slow' is not one of fast, cascade, exact", OptionError, {"method": "slow"}),
        ("seed: -1 is negative", OptionError, {"seed": -1}),
        ("n_jobs: 0 is neither a number", OptionError, {"n_jobs": 0}),
        ("dealer: seat 4 is not 0…3", RulesError, {"dealer": 4}),
        ("dealer: seat -1 is not", RulesError, {"dealer": -1}),
        ("called: no card is called at 4 players", BidError, {"called": CALLED}),
        (
            "auction: after these bids it is over",
            BidError,
            {"auction": ["pass"] * 4, "dealer": 0},
        ),
        (
            "auction: after these bids seat 2 is to speak, not seat 0",
            BidError,
            {"auction": ["pass"], "dealer": 0},
        ),
    ],
)
def test_plans_that_cannot_be(
    message: str, error: type[TarotError], options: dict[str, Any]
) -> None:
    asked: dict[str, Any] = {"seed": 0, "n_jobs": 1} | options
    with pytest.raises(error, match=f"^{message}"):
        checked_plan(MIDDLING[4], Rules(), **asked)


# --- what worlds are drawn ------------------------------------------------------------


@PLAYERS
def test_worlds(players: int) -> None:
    plan = plan_of(players)
    worlds = draw_worlds(plan, 100, Stream.WORLDS, 0)
    assert (100, 78) == worlds.shape
    assert (worlds[:, list(plan.hand)] == 0).all()
    assert len(np.unique(worlds, axis=0)) == 100
    assert np.array_equal(worlds, draw_worlds(plan, 100, Stream.WORLDS, 0))
    for stream, *numbers in ((Stream.WORLDS, 1), (Stream.WORLDS,), (Stream.CALLS, 0)):
        assert not np.array_equal(worlds, draw_worlds(plan, 100, stream, *numbers))
    bits = np.random.PCG64DXSM(np.random.SeedSequence(1, spawn_key=(0, 0)))
    expected = sample_worlds(plan.hand, 0, plan.rules, 100, bits)
    assert np.array_equal(expected, worlds)


def test_a_dog_that_is_seen() -> None:
    dog = Hand("A:21,3 P:2 C:V K:8 T:10")
    worlds = draw_worlds(plan_of(dog=dog), 50, Stream.WORLDS)
    assert (worlds[:, list(dog)] == 4).all()
    assert ((worlds == 4).sum(axis=1) == 6).all()


def test_the_dog_that_is_seen_stays_where_it_is_after_bids() -> None:
    dog = Hand([*(FULL_PACK - plan_of().hand)][:6])
    auction = read_auction(["pass", "garde_contre"], Rules())
    for heard in (None, auction):
        worlds = draw_worlds(plan_of(auction=heard, dog=dog), 60, Stream.WORLDS)
        assert (worlds[:, list(dog)] == 4).all()


def test_an_auction_chooses_the_worlds() -> None:
    rules = Rules()
    auction = read_auction(["garde"], rules)
    trumps = list(Hand("A:" + ",".join(NUMBERS)))
    given, plain = (
        draw_worlds(plan_of(auction=heard), 200, Stream.WORLDS) for heard in (auction, None)
    )
    assert (given[:, list(MIDDLING[4])] == 0).all()
    bidder = (auction.dealer + 1) % 4
    held = [(worlds[:, trumps] == bidder).sum(axis=1).mean() for worlds in (given, plain)]
    assert held[0] > held[1] + 1


@PLAYERS
def test_leaders(players: int) -> None:
    rules = Rules(players=players)
    for dealer in range(players):
        expected = [(dealer + 1) % players] * 7
        assert expected == leaders(plan_of(players, dealer=dealer), 9, 7).tolist()
        auction = read_auction([], rules, dealer)
        assert expected == leaders(plan_of(players, auction=auction), 0, 7).tolist()
    turns = leaders(plan_of(players), 0, 4 * players)
    assert turns.dtype == np.uint8
    assert list(range(players)) * 4 == turns.tolist()
    assert np.array_equal(turns[3:], leaders(plan_of(players), 3, 4 * players - 3))
