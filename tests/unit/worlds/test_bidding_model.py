"""What bids tell: the law of levels, of bids, and of the worlds behind them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from math import exp
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import chi2_contingency

from tarot_sim.cards import FULL_PACK, Hand
from tarot_sim.errors import BidError, HandError
from tarot_sim.rules import CONTRACTS, Rules
from tarot_sim.rules.auction import BIDS, Auction
from tarot_sim.rules.chavey import chavey_bid, chavey_count
from tarot_sim.worlds._counts import chavey_counts
from tarot_sim.worlds._sampler import sample_worlds
from tarot_sim.worlds.bidding_model import (
    SOFTNESS,
    THRESHOLDS,
    BiddingModel,
    bids_left,
    end_auctions,
    read_auction,
    sample_worlds_given,
    uniforms,
)
from tests.laws import LEAST_P_VALUE

PLAYERS = pytest.mark.parametrize("players", [3, 4, 5])

#: Low thresholds, so that bids are frequent; of 4 players only.
KEEN = BiddingModel(thresholds=((4, (24, 36, 50, 62)),), softness=3.0)
#: The same without any doubt, since half a point decides.
STRICT = BiddingModel(thresholds=KEEN.thresholds, softness=0.02)

HAND = Hand("A:19,14,8,5,1 P:R,D,6 C:C,10,4 K:R,4,3 T:V,9,6,2", size=18)
#: Leaves five trumps, the Petit among them: many deals have a Petit sec.
WITHOUT_PETIT = Hand("A:21,20,19,18,17,16,15,14,13,12,11,10,9,8,7,6,EX P:R", size=18)

Counts = NDArray[np.int16]
Worlds = NDArray[np.uint8]


def bits(seed: int) -> np.random.PCG64DXSM:
    return np.random.PCG64DXSM(seed)


def random_counts(players: int, n: int, seed: int) -> Counts:
    """Return counts of any size, the second of each hand never below the first."""
    rng = np.random.default_rng(seed)
    counts = rng.integers(0, 120, (n, players, 2))
    counts[..., 1] = counts[..., 0] + rng.integers(0, 20, (n, players))
    return counts.astype(np.int16)


def random_auction(rng: Random, players: int) -> Auction:
    """Return the start of an auction in which every legal bid is as likely."""
    auction = Auction(rng.randrange(players), Rules(players=players))
    for _ in range(rng.randint(0, players)):
        auction.bid(rng.choice(auction.legal_bids()))
    return auction


# --- the slow reference ---------------------------------------------------------------


def slow_reached(total: int, without_dog: int, model: BiddingModel, players: int) -> list[float]:
    """Return how likely a hand would go up to a pass, a Prise… at least."""
    reached = [1.0]
    thresholds = dict(model.thresholds)[players]
    for contract, threshold in zip(CONTRACTS, thresholds, strict=True):
        count = total if contract in ("prise", "garde") else without_dog
        odds = exp((count - threshold + 0.5) / model.softness)
        reached.append(min(reached[-1], odds / (1 + odds)))
    return reached


def slow_levels(total: int, without_dog: int, model: BiddingModel, players: int) -> list[float]:
    reached = [*slow_reached(total, without_dog, model, players), 0.0]
    return [reached[place] - reached[place + 1] for place in range(5)]


def strict_level(total: int, without_dog: int) -> int:
    """Return the place in `BIDS` up to which `STRICT` goes with every hand of these counts."""
    prise, garde, garde_sans, garde_contre = STRICT.thresholds[0][1]
    if total < prise:
        return 0
    if total < garde:
        return 1
    return 2 + (without_dog >= garde_sans) + (without_dog >= garde_contre)


def slow_likelihood(
    counts: Sequence[Sequence[int]], auction: Auction, own_seat: int, model: BiddingModel
) -> float:
    """Return how likely the others say what they said, one after the other."""
    likelihood, highest = 1.0, 0
    for seat, bid in auction.history:
        total, without_dog = counts[seat]
        levels = slow_levels(total, without_dog, model, auction.rules.players)
        likely = dict.fromkeys(BIDS, 0.0)
        for level, chance in enumerate(levels):
            likely[BIDS[level] if level > highest else "pass"] += chance
        if seat != own_seat:
            likelihood *= likely[bid]
        highest = max(highest, BIDS.index(bid))
    return likelihood


def slow_worlds(
    hand: Hand, auction: Auction, n: int, rng: Random, model: BiddingModel
) -> list[list[Hand]]:
    """Return hands by seat, then the dog, as a player on seat 0 may expect them.

    The pack is shuffled until nobody has a Petit sec, and the deal is kept as often as
    the hands would bid so.
    """
    hidden = list(FULL_PACK - hand)
    rules, found = auction.rules, list[list[Hand]]()
    while len(found) < n:
        rng.shuffle(hidden)
        ends = [seat * rules.hand_size for seat in range(rules.players)]
        places = [Hand(hidden[i : i + rules.hand_size]) for i in ends]
        if any(place.is_petit_sec() for place in places[:-1]):
            continue
        counts = [chavey_count(place) for place in (hand, *places[:-1])]
        totals = [(count.total, count.total_without_dog) for count in counts]
        if rng.random() < slow_likelihood(totals, auction, 0, model):
            found.append([hand, *places])
    return found


def hands_of(worlds: Worlds, players: int) -> list[list[Hand]]:
    """Return worlds as hands by seat, then the dog."""
    return [
        [Hand(np.flatnonzero(world == place).tolist()) for place in range(players + 1)]
        for world in worlds
    ]


def same_law(one: Iterable[Hashable], two: Iterable[Hashable]) -> float:
    """Return how likely two samples of one law differ as much, by chi-square."""
    first, second = Counter(one), Counter(two)
    cells: list[list[int]] = []
    rest = [0, 0]
    for value in first | second:
        pair = [first[value], second[value]]
        if sum(pair) < 25:
            rest = [rest[0] + pair[0], rest[1] + pair[1]]
        else:
            cells.append(pair)
    if sum(rest) >= 25:
        cells.append(rest)
    assert len(cells) > 2, "too few values to tell anything"
    return float(chi2_contingency(np.array(cells).T).pvalue)


# --- levels ---------------------------------------------------------------------------


@PLAYERS
def test_levels(players: int) -> None:
    model = BiddingModel()
    counts = random_counts(1, 500, players)[:, 0]
    levels = model.levels(counts, players)
    assert levels.shape == (500, 5)
    assert (levels >= 0).all()
    assert np.ones(500) == pytest.approx(levels.sum(axis=1), abs=1e-12)
    for (total, without_dog), row in zip(counts.tolist(), levels, strict=True):
        assert slow_levels(total, without_dog, model, players) == pytest.approx(row, abs=1e-12)


def test_levels_of_another_model() -> None:
    counts = random_counts(1, 300, 8)[:, 0]
    for (total, without_dog), row in zip(counts.tolist(), KEEN.levels(counts, 4), strict=True):
        assert slow_levels(total, without_dog, KEEN, 4) == pytest.approx(row, abs=1e-12)


@PLAYERS
def test_a_better_hand_goes_up_as_far_at_least(players: int) -> None:
    counts = np.repeat(np.arange(130, dtype=np.int16), 2).reshape(-1, 2)
    levels = BiddingModel().levels(counts, players)
    at_least = levels[:, ::-1].cumsum(axis=1)[:, ::-1]
    assert (np.diff(at_least, axis=0) >= -1e-12).all()
    assert (np.diff(at_least[:, 1], axis=0)[:80] > 0).all()
    assert levels[0, 0] > 0.99
    assert levels[-1, 4] > 0.99


@PLAYERS
def test_the_thresholds_are_at_the_half(players: int) -> None:
    """A count of the threshold is as likely to bid as one below it is to stay away."""
    for place, threshold in enumerate(THRESHOLDS[players], 1):
        counts = np.array([[threshold - 1] * 2, [threshold] * 2], np.int16)
        below, reached = BiddingModel().levels(counts, players)[:, place:].sum(axis=1)
        assert 1 == pytest.approx(below + reached)
        assert below < 0.5 < reached
        odds = reached / (1 - reached), below / (1 - below)
        assert exp(1 / SOFTNESS) == pytest.approx(odds[0] / odds[1])


def test_short_suits_count_without_the_dog_only() -> None:
    model = BiddingModel()
    plain, short = model.levels(np.array([[60, 60], [60, 90]], np.int16), 4)
    assert plain[0] == pytest.approx(short[0])
    assert plain[1] == pytest.approx(short[1])
    assert plain[4] < 1e-3
    # Who would play without the dog would play with it.
    assert short[2] == pytest.approx(0, abs=1e-3)
    assert 1 - short[:2].sum() == pytest.approx(short[3:].sum(), abs=1e-3)


def test_the_default_is_what_players_are_taught() -> None:
    """Of four players the most likely level is that of `chavey_bid`, at each count."""
    counts = np.repeat(np.arange(30, 100, dtype=np.int16), 2).reshape(-1, 2)
    found = BiddingModel(softness=0.5).levels(counts, 4).argmax(axis=1)
    assert [chavey_bid(count) for count in range(30, 100)] == [BIDS[place] for place in found]


def test_a_tiny_softness_is_no_doubt() -> None:
    counts = [(0, 0), (23, 300), (24, 24), (35, 300), (36, 49), (36, 50), (90, 61), (50, 62)]
    found = STRICT.levels(np.array(counts, np.int16), 4)
    assert [strict_level(*count) for count in counts] == found.argmax(axis=1).tolist()
    assert np.ones(8) == pytest.approx(found.max(axis=1), abs=1e-9)


# --- the likelihood of bids -----------------------------------------------------------


@PLAYERS
def test_likelihood(players: int) -> None:
    rng = Random(players)
    model = BiddingModel(softness=6.0)
    for seed in range(40):
        auction = random_auction(rng, players)
        own_seat = rng.randrange(players)
        counts = random_counts(players, 20, seed)
        found = model.likelihood(counts, auction, own_seat)
        assert found.shape == (20,)
        for row, likely in zip(counts.tolist(), found, strict=True):
            expected = slow_likelihood(row, auction, own_seat, model)
            assert expected == pytest.approx(likely, rel=1e-9, abs=1e-15)


@PLAYERS
def test_all_auctions_together_are_certain(players: int) -> None:
    """Given the hands, the chances of everything that may be said sum to 1."""
    counts = random_counts(players, 30, 40 + players)
    ends = [Auction(0, Rules(players=players))]
    for _ in range(players):
        longer = []
        for auction in ends:
            for bid in auction.legal_bids():
                other = auction.copy()
                other.bid(bid)
                longer.append(other)
        ends = longer
    model = BiddingModel(softness=8.0)
    # Nobody is at a seat that is not at the table: everybody's bids count.
    together = sum(model.likelihood(counts, auction, -1) for auction in ends)
    assert np.ones(30) == pytest.approx(together)


def test_ones_own_bids_say_nothing_but_bind_the_others() -> None:
    counts = random_counts(4, 50, 5)
    auction = read_auction(["garde", "pass"], Rules(), dealer=3)
    levels = BiddingModel().levels(counts[:, 1], 4)
    found = BiddingModel().likelihood(counts, auction, 0)
    assert levels[:, :3].sum(axis=1) == pytest.approx(found)
    counts[:, 0] = 0
    assert found == pytest.approx(BiddingModel().likelihood(counts, auction, 0))


# --- read_auction ---------------------------------------------------------------------


@pytest.mark.parametrize("bids", ["pass,prise", "Passe, une petite", " pass , prise, ", "p,petite"])
def test_an_auction_may_be_one_text(bids: str) -> None:
    auction = read_auction(bids, Rules())
    assert ["pass", "prise"] == [bid for _, bid in auction.history]
    assert () == read_auction(" ", Rules()).history


@PLAYERS
def test_the_dealer_is_inferred(players: int) -> None:
    rules = Rules(players=players)
    for own_seat in range(players):
        for spoken in range(players):
            auction = read_auction(["pass"] * spoken, rules, own_seat=own_seat)
            assert own_seat == auction.to_speak
            assert spoken == len(auction.history)
            assert rules == auction.rules


@PLAYERS
def test_the_dealer_is_given(players: int) -> None:
    rules = Rules(players=players)
    words = ["pass", "prise", "garde_sans", "pass", "pass"][:players]
    for dealer in range(players):
        auction = read_auction(words, rules, dealer, own_seat=1)
        assert dealer == auction.dealer
        assert auction.is_over
        assert [(dealer + 1 + turn) % players for turn in range(players)] == [
            seat for seat, _ in auction.history
        ]
        assert ((dealer + 3) % players, "garde_sans") == (auction.taker, auction.contract)


def test_bids_in_words() -> None:
    words = ["Passe", " p ", "Garde Sans", "garde-contre", "PASS"]
    auction = read_auction(words, Rules(players=5), dealer=4)
    assert ["pass", "pass", "garde_sans", "garde_contre", "pass"] == [
        bid for _, bid in auction.history
    ]


@pytest.mark.parametrize(
    ("message", "words", "dealer"),
    [
        (r"auction, word 1: bid: 'pli' is not one of pass, prise, garde", ["pli"], None),
        (r"auction, word 2: bid: '' is not one of", ["pass", ""], None),
        (r"auction, word 3: bid: 'gard' is not one of", ["pass", "prise", "gard"], None),
        (r"auction, word 2: bid: 'prise' is not higher than prise", ["prise", "prise"], None),
        (
            r"auction, word 3: bid: 'garde' is not higher than garde_sans",
            ["pass", "garde sans", "garde"],
            None,
        ),
        (r"auction, word 5: bid: 'pass' comes after the auction is over", ["pass"] * 5, 0),
        (r"auction: 4 bids leave nothing to say: 4 players speak once each", ["passe"] * 4, None),
        (r"dealer: 4 is not a seat of 0…3", ["pass"], 4),
        (r"dealer: -1 is not a seat of 0…3", [], -1),
    ],
)
def test_bad_auctions(message: str, words: list[str], dealer: int | None) -> None:
    with pytest.raises(BidError, match=message):
        read_auction(words, Rules(), dealer)


def test_bids_left() -> None:
    rules = Rules()
    assert CONTRACTS == bids_left(read_auction([], rules))
    assert CONTRACTS == bids_left(read_auction(["pass", "pass"], rules))
    assert CONTRACTS[1:] == bids_left(read_auction(["prise", "pass"], rules))
    assert ("garde_contre",) == bids_left(read_auction(["garde", "garde_sans"], rules))
    assert () == bids_left(read_auction(["garde_contre"], rules))
    # Once all have spoken nobody may bid.
    assert () == bids_left(read_auction(["pass"] * 4, rules, dealer=0))
    assert () == bids_left(read_auction(["pass", "prise", "pass", "garde"], rules, dealer=0))


# --- uniforms -------------------------------------------------------------------------


def test_uniforms() -> None:
    found = uniforms(bits(5), 20_000)
    assert found.shape == (20_000,)
    assert ((found >= 0) & (found < 1)).all()
    assert abs(found.mean() - 0.5) < 4 * (1 / 12 / 20_000) ** 0.5
    assert 1 / 12 == pytest.approx(found.var(), rel=0.05)
    assert np.array_equal(found[:50], uniforms(bits(5), 50))
    # They are the numbers that numpy draws.
    assert np.array_equal(found, np.random.Generator(bits(5)).random(20_000))
    assert uniforms(bits(5), 0).shape == (0,)


# --- worlds that fit an auction -------------------------------------------------------

N = 3_000

AUCTIONS = {
    "others": read_auction(["pass", "prise", "pass"], Rules(), dealer=0),
    "own too": read_auction(["prise", "pass", "garde", "pass"], Rules(), dealer=3),
}


@pytest.mark.parametrize("name", AUCTIONS)
def test_the_law_of_worlds(name: str) -> None:
    """Trumps and counts of every place are as in deals that were shuffled and bid."""
    auction = AUCTIONS[name]
    slow = slow_worlds(HAND, auction, N, Random(2), KEEN)
    found = hands_of(sample_worlds_given(HAND, 0, auction, N, bits(3), KEEN), 4)
    for place in (1, 2, 3, 4):
        trumps = [[len(world[place].trumps) for world in worlds] for worlds in (slow, found)]
        assert same_law(*trumps) > LEAST_P_VALUE, place
        counts = [
            [chavey_count(world[place]).total // 4 for world in worlds] for worlds in (slow, found)
        ]
        assert same_law(*counts) > LEAST_P_VALUE, place


@pytest.mark.parametrize("name", AUCTIONS)
def test_the_law_tells_worlds_that_forget_the_auction(name: str) -> None:
    """The comparison above would find the fault, and a lower bidder's place as well."""
    auction = AUCTIONS[name]
    found = hands_of(sample_worlds_given(HAND, 0, auction, N, bits(3), KEEN), 4)
    uniform = hands_of(sample_worlds(HAND, 0, Rules(), N, bits(4)), 4)
    for place in (1, 2, 3):
        counts = [
            [chavey_count(world[place]).total // 4 for world in worlds]
            for worlds in (uniform, found)
        ]
        assert same_law(*counts) < 1e-9


@pytest.mark.parametrize("name", AUCTIONS)
def test_the_means_of_worlds(name: str) -> None:
    """Means are those of uniform worlds that weigh as much as their bids are likely."""
    auction, n = AUCTIONS[name], 200_000
    uniform = chavey_counts(sample_worlds(HAND, 0, Rules(), n, bits(9)), 4)
    weights = KEEN.likelihood(uniform, auction, 0)
    weights /= weights.mean()
    found = chavey_counts(sample_worlds_given(HAND, 0, auction, n // 4, bits(10), KEEN), 4)
    for seat in (1, 2, 3):
        expected = (weights * uniform[:, seat, 0]).mean()
        # Of a ratio of two means, and of the mean of what was found.
        away = weights * (uniform[:, seat, 0] - expected)
        spread = (away.var() / n + found[:, seat, 0].var() / (n // 4)) ** 0.5
        assert abs(expected - found[:, seat, 0].mean()) < 4 * spread, seat


def test_without_softness_bids_are_facts() -> None:
    """Worlds are those of the uniform ones in which all hands reach what was bid, no more."""
    auction = read_auction(["pass", "prise", "garde"], Rules(), dealer=0)
    worlds = sample_worlds_given(HAND, 0, auction, 1_000, bits(7), STRICT)
    hands = hands_of(worlds, 4)
    for world in hands:
        counts = [chavey_count(place) for place in world[1:4]]
        assert [0, 1, 2] == [strict_level(count.total, count.total_without_dog) for count in counts]
    uniform = sample_worlds(HAND, 0, Rules(), 40_000, bits(8))
    fits = [
        [0, 1, 2] == [strict_level(*count) for count in row[1:]]
        for row in chavey_counts(uniform, 4).tolist()
    ]
    expected = hands_of(uniform[np.array(fits)], 4)
    assert len(expected) > 500
    for place in (1, 2, 3, 4):
        trumps = [[len(world[place].trumps) for world in worlds] for worlds in (hands, expected)]
        assert same_law(*trumps) > LEAST_P_VALUE, place


@PLAYERS
def test_worlds_are_complete(players: int) -> None:
    rules = Rules(players=players)
    seat = players - 1
    hand = Hand([*HAND, *FULL_PACK - HAND][: rules.hand_size])
    auction = read_auction(["pass", "prise"], rules, own_seat=seat)
    worlds = sample_worlds_given(hand, seat, auction, 300, bits(players))
    assert worlds.shape == (300, 78)
    assert worlds.dtype == np.uint8
    assert len(np.unique(worlds, axis=0)) == 300
    for world in hands_of(worlds, players):
        assert hand == world[seat]
        sizes = [rules.hand_size] * players + [rules.dog_size]
        assert sizes == [len(place) for place in world]


def test_no_dealt_hand_is_a_petit_sec() -> None:
    auction = read_auction(["pass", "pass", "pass"], Rules())
    worlds = hands_of(sample_worlds_given(WITHOUT_PETIT, 0, auction, 1_000, bits(1)), 4)
    assert not any(place.is_petit_sec() for world in worlds for place in world[:4])
    off = read_auction(["pass", "pass", "pass"], Rules(petit_sec="off"))
    dealt = hands_of(sample_worlds_given(WITHOUT_PETIT, 0, off, 1_000, bits(1)), 4)
    assert sum(place.is_petit_sec() for world in dealt for place in world[:4]) > 50


def test_before_the_first_bid_nothing_is_known() -> None:
    for seat in range(4):
        auction = read_auction([], Rules(), own_seat=seat)
        found = sample_worlds_given(HAND, seat, auction, 100, bits(6))
        assert np.array_equal(sample_worlds(HAND, seat, Rules(), 100, bits(6)), found)


def test_seeds_reproduce() -> None:
    auction = AUCTIONS["others"]
    found = sample_worlds_given(HAND, 0, auction, 200, bits(7))
    assert np.array_equal(found, sample_worlds_given(HAND, 0, auction, 200, bits(7)))
    assert np.array_equal(found[:30], sample_worlds_given(HAND, 0, auction, 30, bits(7)))
    assert not np.array_equal(found, sample_worlds_given(HAND, 0, auction, 200, bits(8)))


def test_no_worlds() -> None:
    found = sample_worlds_given(HAND, 0, AUCTIONS["others"], 0, bits(1))
    assert found.shape == (0, 78)
    assert found.dtype == np.uint8


def test_a_bid_that_no_hand_makes() -> None:
    """The search for a world ends."""
    model = BiddingModel(thresholds=((4, (300, 310, 320, 330)),))
    with pytest.raises(BidError, match=r"^auction: none of the hands that these cards leave"):
        sample_worlds_given(HAND, 0, read_auction(["prise"], Rules()), 1, bits(1), model)


def test_a_hand_that_is_not_dealt() -> None:
    with pytest.raises(HandError, match="17 cards, expected 18"):
        sample_worlds_given(HAND - Hand("A1"), 0, AUCTIONS["others"], 1, bits(1))


# --- the end of an auction ------------------------------------------------------------


def slow_end(
    auction: Auction, counts: Sequence[Sequence[int]], chance: Sequence[float], model: BiddingModel
) -> tuple[int, int]:
    """Let everybody draw his level and say it where it is a higher bid."""
    left = auction.copy()
    while (seat := left.to_speak) is not None:
        total, without_dog = counts[seat]
        reached = slow_reached(total, without_dog, model, auction.rules.players)
        level = max(place for place in range(5) if place == 0 or chance[seat] >= 1 - reached[place])
        left.bid(BIDS[level] if BIDS[level] in left.legal_bids() else "pass")
    if left.taker is None or left.contract is None:
        return -1, 0
    return left.taker, BIDS.index(left.contract)


@PLAYERS
def test_end_auctions(players: int) -> None:
    rng = Random(players)
    model = BiddingModel(softness=12.0)
    seen: Counter[int] = Counter()
    for seed in range(30):
        auction = random_auction(rng, players)
        counts = random_counts(players, 40, 100 + seed) // 2
        chance = np.random.default_rng(seed).random((40, players))
        takers, contracts = end_auctions(auction, counts, chance, model)
        assert takers.dtype == contracts.dtype == np.int8
        for row in range(40):
            expected = slow_end(auction, counts[row].tolist(), chance[row].tolist(), model)
            assert expected == (takers[row], contracts[row])
        seen.update(contracts.tolist())
    assert all(seen[place] > 10 for place in range(5)), seen


def test_the_law_of_ended_auctions() -> None:
    """Each end is as frequent as the likelihoods of the auctions that lead to it say."""
    n = 20_000
    counts = np.repeat(random_counts(4, 1, 3) // 2, n, axis=0)
    model = BiddingModel(softness=12.0)
    start = read_auction(["pass", "prise"], Rules(), dealer=1)
    chance = np.random.default_rng(1).random((n, 4))
    takers, contracts = end_auctions(start, counts, chance, model)
    whole = model.likelihood(counts[:1], start, -1)[0]
    expected: Counter[tuple[int, int]] = Counter()
    for first in start.legal_bids():
        after = start.copy()
        after.bid(first)
        for second in after.legal_bids():
            end = after.copy()
            end.bid(second)
            likely = model.likelihood(counts[:1], end, -1)[0] / whole
            assert end.taker is not None
            assert end.contract is not None
            expected[end.taker, BIDS.index(end.contract)] += likely
    seen = Counter(zip(takers.tolist(), contracts.tolist(), strict=True))
    assert set(seen) <= set(expected)
    for key, likely in expected.items():
        spread = (n * likely * (1 - likely)) ** 0.5
        assert abs(seen[key] - n * likely) < 4.5 * spread + 1, key


@pytest.mark.parametrize(
    ("words", "end"),
    [
        (["pass"] * 4, (-1, 0)),
        (["pass", "garde", "pass", "pass"], (2, 2)),
        (["prise", "garde", "garde_sans", "garde_contre"], (0, 4)),
    ],
)
def test_an_auction_that_is_over_stays(words: list[str], end: tuple[int, int]) -> None:
    auction = read_auction(words, Rules(), dealer=0)
    counts = np.full((7, 4, 2), 110, np.int16)
    takers, contracts = end_auctions(auction, counts, np.full((7, 4), 0.999))
    assert [end] * 7 == list(zip(takers.tolist(), contracts.tolist(), strict=True))


def test_no_auctions() -> None:
    empty = np.empty((0, 4, 2), np.int16)
    takers, contracts = end_auctions(read_auction([], Rules()), empty, np.empty((0, 4)))
    assert ((0,), (0,)) == (takers.shape, contracts.shape)
