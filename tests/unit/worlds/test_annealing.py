"""Worlds by exchanges: their law against counting, against rejection, and that they are worlds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import combinations, islice
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import chi2_contingency

from tarot_sim.cards import FULL_PACK, PETIT, Card, Hand
from tarot_sim.errors import BidError, OptionError
from tarot_sim.rules import Rules
from tarot_sim.rules.auction import BIDS, Auction
from tarot_sim.rules.chavey import chavey_count
from tarot_sim.rules.table import Bid
from tarot_sim.worlds import bidding_model
from tarot_sim.worlds._annealing import SHORT_SUITS, TOTALS, anneal_worlds
from tarot_sim.worlds._counts import chavey_counts
from tarot_sim.worlds._sampler import sample_worlds
from tarot_sim.worlds.annealing import annealed_worlds, fit_tables
from tarot_sim.worlds.bidding_model import (
    LEAST_KEPT,
    BiddingModel,
    read_auction,
    sample_worlds_given,
    uniforms,
)
from tests.laws import LEAST_P_VALUE, p_value
from tests.reference.bids import hand_kinds

Worlds = NDArray[np.uint8]

PLAYERS = pytest.mark.parametrize("players", [3, 4, 5])
#: All three bouts, so that a strong bid of another is next to impossible.
BOUTS = {
    3: "A:21,20,19,1,EX P:R,D,V,9,8 C:R,10,9,4,2 K:R,D,3,2 T:8,7,6,5,4",
    4: "A:21,20,1,EX P:R,D,V C:R,10,9 K:R,3,2 T:8,7,6,5,4",
    5: "A:21,20,1,EX P:R,D,V C:R,10,9 K:R,3,2 T:8,7",
}
#: Leaves five trumps, the Petit among them: many deals have a Petit sec.
WITHOUT_PETIT = Hand("A:21,20,19,18,17,16,15,14,13,12,11,10,9,8,7,6,EX P:R", size=18)
#: Low thresholds, so that rejection finds worlds as well.
KEEN = BiddingModel(
    thresholds=((3, (40, 54, 66, 80)), (4, (24, 36, 50, 62)), (5, (18, 28, 40, 50))), softness=3.0
)


def bits(seed: int) -> np.random.PCG64DXSM:
    return np.random.PCG64DXSM(seed)


def first(
    n: int,
    hand: Hand,
    auction: Auction,
    model: BiddingModel,
    seed: int,
    dog: Hand | None = None,
    steps: tuple[int, int] | None = None,
) -> Worlds:
    """Return the first annealed worlds as seat 0 sees them."""
    more = {} if steps is None else {"steps": steps}
    blocks = annealed_worlds(hand, 0, auction, model, bits(seed), dog, **more)
    found = np.concatenate(list(islice(blocks, -(-n // 50))))[:n]
    assert len(found) == n
    return found


def rejected(
    n: int,
    hand: Hand,
    auction: Auction,
    model: BiddingModel,
    seed: int,
    dog: Hand | None = None,
    batch: int = 5_000,
) -> Worlds:
    """Return worlds that are uniform but for what the bids make of them."""
    source, missing = bits(seed), n
    kept: list[Worlds] = []
    while missing > 0:
        worlds = sample_worlds(hand, 0, auction.rules, batch, source, dog)
        counts = chavey_counts(worlds, auction.rules.players)
        likely = model.likelihood(counts, auction, 0)
        kept.append(worlds[uniforms(source, batch) < likely])
        missing -= len(kept[-1])
    return np.concatenate(kept)[:n]


def same_owners(one: Worlds, two: Worlds) -> float:
    """Return the least p-value of all cards, times their number, that their owners agree."""
    least = 1.0
    for card in range(78):
        table = np.array([np.bincount(w[:, card], minlength=6) for w in (one, two)])
        table = table[:, table.sum(axis=0) > 0]
        if table.shape[1] > 1:
            least = min(least, float(chi2_contingency(table).pvalue))
    return least * 78


# --- the law of one bidder's hand, by counting ------------------------------------------


def test_the_reference_counts_as_the_package_does() -> None:
    """All hands of five of these cards one by one."""
    cards = Hand("A:21,17,16,8,1,EX P:R,D,V,4 C:D,C,7")
    expected: Counter[tuple[int, int]] = Counter()
    for held in combinations(cards, 6):
        count = chavey_count(Hand(held))
        expected[count.total, count.short_suits] += 1
    assert expected == hand_kinds([card.name for card in cards], 6)


def ways_to_bid(hidden: Iterable[Card], bid: Bid, rules: Rules) -> dict[tuple[int, int], float]:
    """Return how many hands there are by their counts, times how likely they bid so at first."""
    ways = hand_kinds([card.name for card in hidden], rules.hand_size)
    counts = np.array(list(ways), np.int16)
    counts[:, 1] += counts[:, 0]
    said = BiddingModel().said(counts, bid, 0, rules.players)
    return {kind: ways[kind] * like for kind, like in zip(ways, said.tolist(), strict=True)}


def law_holds(worlds: Worlds, seat: int, ways: dict[tuple[int, int], float], players: int) -> float:
    """Return the p-value of a seat's counts and short suits."""
    counts = chavey_counts(worlds, players)[:, seat].tolist()
    whole = sum(ways.values())
    law = {kind: like / whole for kind, like in ways.items()}
    return p_value([(total, more - total) for total, more in counts], law)


@pytest.mark.parametrize(
    ("players", "hand", "bid"),
    [
        *((players, hand, bid) for players, hand in BOUTS.items() for bid in BIDS[3:]),
        (4, "A:21,19,16,14,11,8,5,1,EX P:R,D,6 C:C,10 K:R,4 T:V,9", "garde"),
        (4, "A:9,8,7,6 P:10,9,8 C:C,10,9,5 K:8,3,2 T:8,7,6,5", "garde_contre"),
        (3, "A:9,8,7,6,5,4 P:10,9,8,7,6,5 C:10,9,8,7,6,5 K:8,7,3,2 T:8,7", "pass"),
    ],
)
def test_the_law_of_a_bidders_hand(players: int, hand: str, bid: Bid) -> None:
    """Counts, short suits and single cards are as frequent as counting all hands says."""
    rules = Rules(players=players, petit_sec="off")
    held, seat = Hand(hand, size=rules.hand_size), players - 1
    hidden = FULL_PACK - held
    ways = ways_to_bid(hidden, bid, rules)
    worlds = first(4_000, held, read_auction([bid], rules), BiddingModel(), 1)
    assert law_holds(worlds, seat, ways, players) > LEAST_P_VALUE
    # A card that is not the bidder's is anybody's else.
    rest = dict.fromkeys(range(1, seat), rules.hand_size) | {players: rules.dog_size}
    for name in ("TR", "A19", "A2"):
        card = Card.parse(name)
        if card not in hidden:
            continue
        without = ways_to_bid([other for other in hidden if other != card], bid, rules)
        chance = sum(without.values()) / sum(ways.values())
        owners = {place: chance * many / sum(rest.values()) for place, many in rest.items()}
        owners[seat] = 1 - chance
        assert p_value(worlds[:, card].tolist(), owners) > LEAST_P_VALUE, name


def test_the_law_tells_a_walk_that_is_too_short() -> None:
    """The comparison above would find worlds that are still on their way."""
    rules, hand = Rules(petit_sec="off"), Hand(BOUTS[4])
    ways = ways_to_bid(FULL_PACK - hand, "garde_contre", rules)
    auction = read_auction(["garde_contre"], rules)
    worlds = first(5_000, hand, auction, BiddingModel(), 1, steps=(10, 80))
    assert law_holds(worlds, 3, ways, 4) < 1e-9


# --- the law of whole worlds ------------------------------------------------------------


def test_every_world_of_a_small_pack() -> None:
    """Eight hidden cards, any tables: each of the 560 ways is met as often as it is likely.

    In 100 of them each a hand is a Petit with two of the five suit cards.
    """
    own, hidden = 0, Hand("A:17,16,1 P:R,D C:R K:2 T:3")
    start = np.zeros((1, 78), np.uint8)
    start[0, list(hidden)] = [1, 1, 1, 2, 2, 2, 3, 3]
    rng = np.random.default_rng(1)
    fits = rng.uniform(0.02, 1, (2, 2, TOTALS, SHORT_SUITS))
    n = 40_000
    worlds, likely = anneal_worlds(
        np.repeat(start, n, axis=0), own, 3, [2, 1], fits, [5, 150], bits(2), False
    )
    law: dict[tuple[int, ...], float] = {}
    cards = list(hidden)
    for one in combinations(cards, 3):
        for two in combinations([card for card in cards if card not in one], 3):
            if any(Hand(held).is_petit_sec() for held in (one, two)):
                continue
            weight = 1.0
            for place, held in enumerate((two, one)):
                count = chavey_count(Hand(held))
                weight *= fits[1, place, count.total, count.short_suits // 3]
            owners = tuple(1 if card in one else 2 if card in two else 3 for card in cards)
            law[owners] = weight
    assert 560 - 2 * 10 * 10 == len(law)
    whole = sum(law.values())
    found = [tuple(row) for row in worlds[:, cards].tolist()]
    assert p_value(found, {key: value / whole for key, value in law.items()}) > LEAST_P_VALUE
    assert [law[key] for key in found[:200]] == pytest.approx(likely[:200])
    assert (worlds[:, list(FULL_PACK - hidden)] == own).all()


@pytest.mark.parametrize("seen", [False, True], ids=["dog hidden", "dog seen"])
@pytest.mark.parametrize(
    "bids",
    [
        ["pass", "prise"],
        ["prise", "garde"],
        ["pass", "prise", "pass"],
        ["prise", "pass", "pass", "garde"],
    ],
    ids=",".join,
)
@PLAYERS
def test_worlds_are_those_of_rejection(players: int, bids: list[str], seen: bool) -> None:
    """Owners of all cards, and counts of all hands; some bids are the player's own."""
    rules = Rules(players=players)
    bids = bids[:players]
    rng = Random(players)
    pack = list(FULL_PACK - Hand("A1 PR"))
    rng.shuffle(pack)
    hand = Hand(pack[: rules.hand_size])
    dog = Hand(pack[rules.hand_size : rules.hand_size + rules.dog_size]) if seen else None
    # Seat 0 speaks last but one, so that something is known of two others at the least.
    auction = read_auction(bids, rules, dealer=(players - len(bids) + 1) % players)
    n = 2_500
    one = first(n, hand, auction, KEEN, 3, dog)
    two = rejected(n, hand, auction, KEEN, 4, dog)
    assert same_owners(one, two) > LEAST_P_VALUE
    for seat in range(1, players):
        for which in (0, 1):
            counts = [chavey_counts(worlds, players)[:, seat, which] // 5 for worlds in (one, two)]
            table = np.array([np.bincount(count, minlength=40) for count in counts])
            table = table[:, table.sum(axis=0) > 20]
            assert chi2_contingency(table).pvalue > LEAST_P_VALUE, seat


def test_owners_tell_worlds_of_another_auction() -> None:
    hand = Hand(BOUTS[4])
    one, two = (read_auction(bids, Rules()) for bids in (["pass", "prise"], ["prise", "pass"]))
    assert same_owners(first(2_000, hand, one, KEEN, 1), first(2_000, hand, two, KEEN, 1)) < 1e-9


def test_where_the_walk_began_is_forgotten() -> None:
    """Three strong bids: from hands of the opposite order the last stage leads to the same."""
    rules, n = Rules(), 2_000
    hand = Hand("A:9,8,7,6 P:10,9,8 C:C,10,9,5 K:8,3,2 T:8,7,6,5")
    strong = read_auction(["prise", "garde", "garde_contre"], rules)
    fits = fit_tables(BiddingModel(), strong, 0)
    ours = first(n, hand, strong, BiddingModel(), 1)
    swapped = {0: 0, 1: 3, 2: 2, 3: 1, 4: 4}
    wrong = np.vectorize(swapped.__getitem__)(ours).astype(np.uint8)
    assert same_owners(ours, wrong) < 1e-9
    again, _ = anneal_worlds(wrong, 0, 4, [1, 2, 3], fits[None], [2_000], bits(2), False)
    assert same_owners(ours, again) > LEAST_P_VALUE


# --- that they are worlds, for every auction --------------------------------------------


def legal_auctions(players: int, own_seat: int) -> list[Auction]:
    """Return all auctions at the end of which `own_seat` is to speak."""
    found = []
    for before in range(players):
        ends = [Auction((own_seat - 1 - before) % players, Rules(players=players))]
        for _ in range(before):
            longer = []
            for auction in ends:
                for bid in auction.legal_bids():
                    other = auction.copy()
                    other.bid(bid)
                    longer.append(other)
            ends = longer
        found += ends
    return found


@pytest.mark.parametrize("seen", [False, True], ids=["dog hidden", "dog seen"])
@PLAYERS
def test_any_legal_auction_has_worlds(players: int, seen: bool) -> None:
    """From hands of all kinds, with all that is in view where it was, and no Petit sec."""
    rules, rng = Rules(players=players), Random(players)
    auctions = legal_auctions(players, 0)
    for number, auction in enumerate(auctions if players < 5 else rng.sample(auctions, 60)):
        pack = list(FULL_PACK)
        rng.shuffle(pack)
        if number % 3 == 0:  # hands from the best cards, and from the worst
            pack.sort(key=lambda card: (-1) ** number * (card % 14 + 3 * (card >= 56)))
        hand = Hand(pack[: rules.hand_size])
        if hand.is_petit_sec():
            continue
        dog = Hand(pack[-rules.dog_size :]) if seen else None
        worlds = sample_worlds_given(hand, 0, auction, 60, bits(number), dog=dog)
        assert (60, 78) == worlds.shape
        sizes = [rules.hand_size] * players + [rules.dog_size]
        for row in worlds:
            places = [Hand(np.flatnonzero(row == place).tolist()) for place in range(players + 1)]
            assert sizes == [len(place) for place in places]
            assert hand == places[0]
            assert dog is None or dog == places[players]
            assert not any(place.is_petit_sec() for place in places[:players])
        assert len(np.unique(worlds, axis=0)) == 60


def test_no_hand_is_a_petit_sec() -> None:
    worlds = {
        petit_sec: first(
            2_000, WITHOUT_PETIT, read_auction(["garde_contre"], rules), BiddingModel(), 1
        )
        for petit_sec in ("cancel", "off")
        for rules in [Rules(petit_sec=petit_sec)]
    }
    alone = {
        petit_sec: sum(row[PETIT] < 4 and (row[PETIT:] == row[PETIT]).sum() == 1 for row in rows)
        for petit_sec, rows in worlds.items()
    }
    assert alone["cancel"] == 0
    assert alone["off"] > 50


def test_every_seat_may_ask() -> None:
    hand = Hand(BOUTS[4])
    for seat in range(4):
        auction = read_auction(["garde", "garde_contre"], Rules(), own_seat=seat)
        worlds = sample_worlds_given(hand, seat, auction, 100, bits(1))
        assert (worlds[:, list(hand)] == seat).all()
        assert [18] * 4 + [6] == [int((worlds[0] == place).sum()) for place in range(5)]
        counts = chavey_counts(worlds, 4)[..., 1].mean(axis=0)
        assert counts[(seat - 2) % 4] > counts[(seat + 1) % 4] + 5
        assert counts[(seat - 1) % 4] > counts[(seat + 1) % 4] + 5


# --- which way worlds are made, and what it depends on ----------------------------------


def test_ordinary_auctions_are_made_by_rejection(monkeypatch: pytest.MonkeyPatch) -> None:
    """Worlds that stored figures rest on are those that rejection keeps."""
    monkeypatch.setattr(bidding_model, "annealed_worlds", None)
    hand = Hand("A:20,18,15,13,9,6,1,EX P:R,V,7 C:D,C,4,2 K:R,8 T:5")
    for bids in (["pass", "prise"], ["pass"], ["pass"] * 3, ["prise", "pass"]):
        auction = read_auction(bids, Rules())
        found = sample_worlds_given(hand, 0, auction, 400, bits(5))
        kept = rejected(400, hand, auction, BiddingModel(), 5, batch=4096)
        assert np.array_equal(kept, found)


def test_what_rejection_kept_comes_first() -> None:
    hand, auction = Hand(BOUTS[4]), read_auction(["garde"], Rules())
    source = bits(8)
    worlds = sample_worlds(hand, 0, Rules(), 4096, source)
    likely = KEEN.likelihood(chavey_counts(worlds, 4), auction, 0)
    kept = worlds[uniforms(source, 4096) < likely]
    assert 0 < len(kept)
    found = sample_worlds_given(hand, 0, auction, len(kept) + 5, bits(8), KEEN)
    assert np.array_equal(kept, found[: len(kept)])
    assert LEAST_KEPT < 4096 / 100


def test_seeds_reproduce() -> None:
    hand, auction = Hand(BOUTS[4]), read_auction(["garde_sans", "pass"], Rules())
    found = sample_worlds_given(hand, 0, auction, 160, bits(7))
    assert np.array_equal(found, sample_worlds_given(hand, 0, auction, 160, bits(7)))
    for n in (0, 1, 49, 50, 51, 120):
        assert np.array_equal(found[:n], sample_worlds_given(hand, 0, auction, n, bits(7)))
    assert not np.array_equal(found, sample_worlds_given(hand, 0, auction, 160, bits(8)))


def test_bids_that_no_hand_makes() -> None:
    model = BiddingModel(thresholds=((4, (300, 310, 320, 330)),))
    with pytest.raises(BidError, match=r"^auction: none of the hands that these cards leave"):
        sample_worlds_given(Hand(BOUTS[4]), 0, read_auction(["prise"], Rules()), 1, bits(1), model)


def test_wrong_arguments() -> None:
    worlds = sample_worlds(Hand(BOUTS[4]), 0, Rules(), 3, bits(1))
    fits = np.ones((1, 1, TOTALS, SHORT_SUITS))
    for heard in ([], [0], [4], [1, 1], [-1]):
        with pytest.raises(OptionError, match=r"^heard: "):
            anneal_worlds(worlds, 0, 4, heard, fits, [10], bits(1), False)
    shape = r"\(2, 1, 192, 9\)"
    with pytest.raises(OptionError, match=rf"^fits: expected an array of float64, shape {shape}"):
        anneal_worlds(worlds, 0, 4, [1], fits, [10, 10], bits(1), False)
    with pytest.raises(OptionError, match=r"^fits: expected an array of float64"):
        anneal_worlds(worlds, 0, 4, [1], fits[..., :5], [10], bits(1), False)
    with pytest.raises(OptionError, match=r"^players: 6 is more than 5"):
        anneal_worlds(worlds, 0, 6, [1], fits, [10], bits(1), False)
    with pytest.raises(OptionError, match=r"^worlds: expected an array of uint8"):
        anneal_worlds(worlds[:, :5], 0, 4, [1], fits, [10], bits(1), False)
    mixed = worlds.copy()
    mixed[0, :] = 1
    with pytest.raises(OptionError, match=r"^worlds: not all of the same table"):
        anneal_worlds(mixed, 0, 4, [1], fits, [10], bits(1), False)
    with pytest.raises(TypeError, match=r"^bit_generator: "):
        anneal_worlds(worlds, 0, 4, [1], fits, [10], Random(1), False)  # type: ignore[arg-type]
