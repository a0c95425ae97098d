from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tarot_sim.cards import Card, Hand, parse_cards
from tarot_sim.errors import BidError
from tarot_sim.rules import CONTRACTS, Rules
from tarot_sim.rules.auction import BIDS, Auction, callable_cards, check_call, partner_seat
from tarot_sim.rules.chavey import ChaveyCount, chavey_bid, chavey_count
from tarot_sim.rules.table import Bid
from tests.reference import dealing as reference
from tests.some_deals import CALLED, MIDDLING

FIVE = Rules(players=5)


def auction_of(*bids: Bid, dealer: int = 3, players: int = 4) -> Auction:
    auction = Auction(dealer, Rules(players=players))
    for bid in bids:
        auction.bid(bid)
    return auction


def test_auction_goes_round_once_from_the_dealers_right() -> None:
    auction = auction_of("pass", "prise", dealer=1)
    assert ((2, "pass"), (3, "prise")) == auction.history
    assert 0 == auction.to_speak
    assert ("pass", "garde", "garde_sans", "garde_contre") == auction.legal_bids()
    auction.bid("garde")
    auction.bid("pass")
    assert auction.is_over
    assert auction.to_speak is None
    assert () == auction.legal_bids()
    assert (0, "garde") == (auction.taker, auction.contract)
    with pytest.raises(BidError, match="after the auction is over"):
        auction.bid("pass")


def test_all_pass() -> None:
    auction = auction_of("pass", "pass", "pass", players=3, dealer=0)
    assert auction.is_over
    assert (None, None) == (auction.taker, auction.contract)


def test_only_passes_after_a_garde_contre() -> None:
    assert ("pass",) == auction_of("garde_contre").legal_bids()


@pytest.mark.parametrize("bid", ["prise", "garde"])
def test_bids_go_strictly_up(bid: Bid) -> None:
    auction = auction_of("garde")
    with pytest.raises(BidError, match=rf"^bid: '{bid}' is not higher than garde$"):
        auction.bid(bid)
    assert 1 == len(auction.history)


def test_strange_bids() -> None:
    with pytest.raises(BidError, match=r"^bid: 'belote' is not one of pass, prise"):
        Auction(3).bid("belote")
    with pytest.raises(BidError, match=r"^dealer: 4 is not a seat of 0…3"):
        Auction(4)


def test_copies_part() -> None:
    auction = auction_of("prise")
    copy = auction.copy()
    copy.bid("garde")
    assert (1, "garde") == (copy.taker, copy.contract)
    assert (0, "prise") == (auction.taker, auction.contract)
    assert 1 == auction.to_speak


@given(st.integers(3, 5), st.data())
def test_every_auction_ends_with_the_highest_bid(players: int, data: st.DataObject) -> None:
    auction = Auction(data.draw(st.integers(0, players - 1)), Rules(players=players))
    while not auction.is_over:
        auction.bid(data.draw(st.sampled_from(auction.legal_bids())))
    named = [(BIDS.index(bid), seat) for seat, bid in auction.history if bid != "pass"]
    assert sorted(set(named)) == named
    highest = max(named, default=None)
    if highest is None:
        assert auction.taker is None
    else:
        assert (BIDS[highest[0]], highest[1]) == (auction.contract, auction.taker)
        assert auction.contract in CONTRACTS


@pytest.mark.parametrize(
    ("ranks", "hand"),
    [
        ("R", "P:R C:R K:R"),
        ("D", "P:R C:R K:R T:R"),
        ("D", "P:R,D C:R,D K:R,D T:R"),
        ("C", "P:R,D C:R,D K:R,D T:R,D"),
        ("V", "P:R,D,C,V C:R,D,C,V K:R,D,C,V T:R,D,C"),
    ],
)
def test_callable_cards(ranks: str, hand: str) -> None:
    expected = [Card.parse(suit + ranks) for suit in "PCKT"]
    assert expected == callable_cards(Hand(hand), FIVE)
    # The FFT text: with all the Rois a lower card may be called, a Roi still may.
    ladder = "RDCV"[: "RDCV".index(ranks) + 1]
    free = [Card.parse(suit + rank) for rank in ladder for suit in "PCKT"]
    assert free == callable_cards(Hand(hand), Rules.fft(5))


@given(
    st.sets(
        st.sampled_from([*range(10, 14), *range(24, 28), *range(38, 42), *range(52, 56)]),
        max_size=15,
    )
)
def test_callable_cards_are_the_references(honours: set[int]) -> None:
    hand = Hand(honours)
    names = [card.name for card in hand]
    for rules in (FIVE, Rules.fft(5)):
        expected = reference.callable_cards(names, must_call_lower=rules.must_call_lower)
        assert expected == [card.name for card in callable_cards(hand, rules)]


def test_no_call_at_other_tables() -> None:
    with pytest.raises(BidError, match=r"^call: no card is called at 4 players"):
        callable_cards(Hand(), Rules())


def test_partner() -> None:
    hands = [Hand("PR"), Hand("CR"), Hand("KR"), Hand("A21"), Hand("A1")]
    called = Card.parse("KR")
    assert 2 == partner_seat(hands, Hand("TR"), 0, called)
    assert partner_seat(hands, Hand("TR"), 2, called) is None  # one's own card
    assert partner_seat(hands, Hand("TR"), 0, Card.parse("TR")) is None  # in the dog
    with pytest.raises(BidError, match=r"^call: TD is in no hand"):
        partner_seat(hands, Hand("TR"), 0, Card.parse("TD"))


# Published examples of the count, item by item.
@pytest.mark.parametrize(
    ("count", "bid", "hand"),
    [
        (
            ChaveyCount(10 + 7 + 8, 12, 4, 6 + 2 + 1 + 3 + 2, 5, 0),
            "garde",
            "A:21,19,12,6,1,EX C:R,C,10,8,1 K:V,8 T:D,C,7 P:6,4",
        ),
        (
            ChaveyCount(0, 14, 4, 16, 0, 0),
            "pass",
            "A:20,18,14,13,9,8,6 C:R,10,5,4 K:R,D T:8,7 P:8,7,5",
        ),
        (
            ChaveyCount(18, 16, 8 + 3, 10 + 6, 7, 6 + 3),
            "garde_sans",
            "A:21,20,19,16,14,12,8,EX C:R,D,8,5,4,2 K:R T:9,8,3",
        ),
    ],
)
def test_chavey_examples(count: ChaveyCount, bid: Bid, hand: str) -> None:
    assert count == chavey_count(Hand(hand, size=18))
    assert bid == chavey_count(Hand(hand)).bid


def test_chavey_totals() -> None:
    assert 60 == chavey_count(Hand("A:21,19,12,6,1,EX C:R,C,10,8,1 K:V,8 T:D,C,7 P:6,4")).total
    assert 34 == chavey_count(Hand("A:20,18,14,13,9,8,6 C:R,10,5,4 K:R,D T:8,7 P:8,7,5")).total
    strong = chavey_count(Hand("A:21,20,19,16,14,12,8,EX C:R,D,8,5,4,2 K:R T:9,8,3"))
    assert (68, 77) == (strong.total, strong.total_without_dog)


@pytest.mark.parametrize(
    ("expected", "trumps"),
    [(0, "1"), (0, "1,2,3,4"), (5, "1,2,3,4,5"), (7, "1,2,3,4,5,6"), (9, "1,2,3,4,5,6,7")],
)
def test_chavey_petit_in_company(expected: int, trumps: str) -> None:
    assert expected == chavey_count(Hand("A:" + trumps)).bouts
    # The Excuse is a trump of the company.
    if "4" in trumps and trumps != "1,2,3,4,5,6,7":
        longer = chavey_count(Hand(f"A:{trumps},EX"))
        assert 8 + {0: 5, 5: 7, 7: 9}[expected] == longer.bouts


@pytest.mark.parametrize(
    ("expected", "trumps"),
    [
        (0, "15"),
        (2, "16"),
        (6, "16,17"),
        (4, "16,18"),
        (11, "16,19,20,21"),
        (18, "16,17,18,19,20,21"),
    ],
)
def test_chavey_high_trumps(expected: int, trumps: str) -> None:
    assert expected == chavey_count(parse_hand(trumps)).high_trumps


def parse_hand(trumps: str) -> Hand:
    return Hand(parse_cards("A:" + trumps))


def test_chavey_suits() -> None:
    assert 0 == chavey_count(Hand("A:2,3,4,5")).trumps
    assert 10 == chavey_count(Hand("A:2,3,4,5,EX")).trumps
    assert (13, 9, 18) == (
        (count := chavey_count(Hand("P:R,D,C,V,6,5,4,3,2"))).honours,
        count.long_suits,
        count.short_suits,
    )
    assert 2 * 6 + 3 == chavey_count(Hand("P:2 C:2,3")).short_suits
    assert (6, 3, 2, 1) == tuple(chavey_count(Hand("P" + rank)).honours for rank in "RDCV")


@pytest.mark.parametrize(
    ("bid", "low", "high"),
    [
        ("pass", 0, 39),
        ("prise", 40, 55),
        ("garde", 56, 70),
        ("garde_sans", 71, 80),
        ("garde_contre", 81, 120),
    ],
)
def test_chavey_thresholds(bid: Bid, low: int, high: int) -> None:
    assert {bid} == {chavey_bid(count) for count in range(low, high + 1)}


def test_short_suits_do_not_make_a_garde() -> None:
    assert "prise" == chavey_bid(ChaveyCount(18, 12, 4, 16, 5, 15))  # 55, and 70 with them
    assert "garde_sans" == chavey_bid(ChaveyCount(18, 12, 4, 16, 5, 16))


def test_calls_that_are_not_allowed() -> None:
    rules = Rules(players=5)
    check_call(Card.parse("PR"), MIDDLING[5], rules)
    for name in ("KD", "A21"):
        with pytest.raises(BidError, match=f"^called: {name} may not be called with this hand"):
            check_call(Card.parse(name), MIDDLING[5], rules)
    with pytest.raises(BidError, match=r"^called: no card is called at 3 players"):
        check_call(CALLED, MIDDLING[3], Rules(players=3))
