"""Deals that fit patterns: what a pattern means, and that all deals that fit are as likely."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from tarot_sim.cards import FULL_PACK, PETIT, Hand
from tarot_sim.deals.dealing import Draws, deal_uniform
from tarot_sim.deals.patterns import Pattern, _below, deal_matching
from tarot_sim.errors import CardError, HandError, RecordError, TarotError
from tarot_sim.rules import Rules
from tests.laws import LEAST_P_VALUE, p_value

#: The small cards by group.
SMALL = [
    *([f"{letter}{rank}" for rank in range(1, 11)] for letter in "PCKT"),
    [f"A{rank}" for rank in range(2, 21)],
]


class TestPattern:
    @pytest.mark.parametrize(
        ("text", "named", "small"),
        [
            ("A:21,16,x,x,x,EX P:R,D,x", "A:21,16,EX P:R,D", (1, 0, 0, 0, 3)),
            ("a:X,21,xx k:x,r", "A:21 K:R", (0, 0, 1, 0, 3)),
            ("Pxx PR ax EX ♥x", "EX PR", (2, 1, 0, 0, 1)),
            ("P:x T:x P:x", "", (2, 0, 0, 1, 0)),
            ("Pique: Roi x Trèfle x x", "P:R", (1, 0, 0, 2, 0)),
            ("", "", (0, 0, 0, 0, 0)),
            ("P:10,9,x", "P:10,9", (1, 0, 0, 0, 0)),
        ],
    )
    def test_parse(self, text: str, named: str, small: tuple[int, ...]) -> None:
        pattern = Pattern.parse(text)
        expected = Hand(named)
        assert (expected, small) == (pattern.named, pattern.small)
        assert Pattern.parse(str(pattern)) == pattern
        assert len(pattern) == len(expected) + sum(small)

    def test_str(self) -> None:
        assert "A:21,16,x,x,EX P:R,x T:10" == str(Pattern.parse("T10 Px EX A:xx,16,21 PR"))

    @pytest.mark.parametrize(
        ("text", "error", "message"),
        [
            ("P:R,y", CardError, "unknown card 'y' at character 5"),
            ("x", CardError, "small card 'x' at character 1: of which suit"),
            ("Px CX x PR", CardError, "small card 'x' at character 7: of which suit"),
            ("P:Kx", CardError, "small card 'Kx' at character 3: of which suit"),
            ("P:x,tx", CardError, "small card 'tx' at character 5: of which suit"),
            ("P:R,R", HandError, "card PR comes twice"),
            ("P:10,9,xxxxxxxxx", HandError, "P: 9 small cards, there are 8 beside those"),
            ("A:20,1," + "x" * 19, HandError, "A: 19 small cards, there are 18 beside those"),
        ],
    )
    def test_errors(self, text: str, error: type[TarotError], message: str) -> None:
        with pytest.raises(error, match=message):
            Pattern.parse(text)

    def test_a_hand_has_no_small_cards(self) -> None:
        with pytest.raises(CardError, match="unknown card 'x'"):
            Hand("P:R,x")

    @pytest.mark.parametrize(
        ("pattern", "hand", "fits"),
        [
            ("P:R,x C:x", "P:R,10,V C:1", True),
            ("P:R,x C:x", "P:R,10,9,8 C:1", True),
            ("P:R,x C:x", "P:R,10,V C:V", False),  # a Valet is not small
            ("P:R,x C:x", "P:D,10,9 C:1", False),
            ("P:R,10,x C:x", "P:R,10 C:1", False),  # the 10 is named, so it is no x
            ("P:R,10,x C:x", "P:R,10,2 C:1", True),
        ],
    )
    def test_fits(self, pattern: str, hand: str, fits: bool) -> None:
        assert fits == Pattern.parse(pattern).fits(Hand(hand))

    def test_trumps(self) -> None:
        assert Pattern.parse("A:x").fits(Hand("A2"))
        assert Pattern.parse("A:x").fits(Hand("A20"))
        assert not Pattern.parse("A:x").fits(Hand("A:21,1,EX"))


def every_deal(cards: Hand, sizes: Sequence[int]) -> Iterator[tuple[Hand, ...]]:
    """Yield all ways to deal cards to places of these sizes."""
    if not sizes:
        yield ()
        return
    for first in combinations(cards, sizes[0]):
        hand = Hand(first)
        for others in every_deal(cards - hand, sizes[1:]):
            yield (hand, *others)


def wanted(hand: Hand, text: str) -> bool:
    """Tell whether a hand fits a pattern in which every x has its suit before it, slowly."""
    words = text.split()
    named = [word for word in words if not word.endswith("x")]
    if not set(named) <= {card.name for card in hand}:
        return False
    return all(
        words.count(suit[0][0] + "x")
        <= sum(card.name in suit and card.name not in named for card in hand)
        for suit in SMALL
    )


#: Each with the cards that are open; all others are given to the hands and the dog by name, as
#: many as leave the open places. The patterns are for what remains.
CASES: Any = [
    pytest.param("P1 P2 P3 PR C1 C2 A5 A6", (2, 2, 2, 0, 2), {0: "Px", 1: "Ax"}, id="partial"),
    pytest.param("P1 P2 P3 PR C1 C2 A5 A6", (2, 2, 2, 0, 2), {0: "Px Cx", 4: "Ax"}, id="whole"),
    pytest.param("P1 P2 P3 P4 C1 C2 C3 A5", (4, 2, 2, 0, 0), {0: "Px Px", 1: "Cx"}, id="no others"),
    pytest.param("P1 P2 P3 C1 C2 K1 K2 T1", (3, 3, 2, 0, 0), {0: "Px", 1: "Px", 2: "Px"}, id="row"),
    pytest.param(
        "P1 P2 C1 C2 A5 A6 A21 PV", (2, 3, 3, 0, 0), {0: "Px", 1: "Cx", 2: "Ax"}, id="no pool"
    ),
    pytest.param("A1 A2 A3 EX P1 P2 C1", (3, 2, 2, 0, 0), {0: "Ax"}, id="bouts"),
    pytest.param("P1 P2 P3 P4 A3 PR PD", (3, 1, 1, 0, 2), {0: "Px PR", 1: "Px"}, id="named"),
]


def holders(open_cards: Hand, places: Sequence[int]) -> tuple[dict[int, str], list[Hand]]:
    """Give all but the open cards to four hands and the dog, as many as leave these places."""
    rest = list(FULL_PACK - open_cards)
    # The trumps first: then no hand can have the Petit alone unless a case is about that.
    rest.sort(reverse=True)
    held = []
    for size, free in zip((18, 18, 18, 18, 6), places, strict=True):
        held.append(Hand(rest[: size - free]))
        rest = rest[size - free :]
    assert not rest
    return {place: str(hand) for place, hand in enumerate(held)}, held


@pytest.mark.parametrize(("cards", "places", "patterns"), CASES)
def test_all_deals_that_fit_are_as_likely(
    cards: str, places: tuple[int, ...], patterns: Mapping[int, str]
) -> None:
    open_cards = Hand(cards)
    texts, held = holders(open_cards, places)
    possible = [
        deal
        for deal in every_deal(open_cards, places)
        if all(wanted(deal[place], text) for place, text in patterns.items())
    ]
    assert len(possible) > 10
    given = {place: f"{patterns.get(place, '')} {texts[place]}" for place in range(5)}
    dog = given.pop(4)
    rules, draws = Rules(petit_sec="off"), Draws(7)
    seen: Counter[tuple[Hand, ...]] = Counter()
    for _ in range(12 * len(possible)):
        hands, dealt_dog, _ = deal_matching(rules, draws, given, dog, dealer=0)
        seen[tuple(a - b for a, b in zip((*hands, dealt_dog), held, strict=True))] += 1
    law = dict.fromkeys(possible, Fraction(1, len(possible)))
    assert p_value(seen, law) > LEAST_P_VALUE


class TestPetitSec:
    #: Seat 0 has suits alone so far and the dog nothing; the Petit and one more trump are open.
    OPEN = Hand("A1 A2 PR PD P1 P2")

    def given(self) -> tuple[dict[int, str], list[Hand]]:
        rest = list(FULL_PACK - self.OPEN)
        sizes = (16, 16, 18, 18, 4)
        held = []
        for size in sizes:
            held.append(Hand(rest[:size]))
            rest = rest[size:]
        assert not rest
        return {seat: str(hand) for seat, hand in enumerate(held)}, held

    def test_cancelled_deals_are_left_out(self) -> None:
        texts, held = self.given()
        dog = texts.pop(4)
        possible = [
            deal
            for deal in every_deal(self.OPEN, (2, 2, 0, 0, 2))
            if not any((a | b).is_petit_sec() for a, b in zip(deal[:4], held[:4], strict=True))
        ]
        draws = Draws(3)
        seen: Counter[tuple[Hand, ...]] = Counter()
        for _ in range(3000):
            hands, dealt, _ = deal_matching(Rules(), draws, texts, dog)
            seen[tuple(a - b for a, b in zip((*hands, dealt), held, strict=True))] += 1
        assert 0 < len(possible) < 90
        law = dict.fromkeys(possible, Fraction(1, len(possible)))
        assert p_value(seen, law) > LEAST_P_VALUE

    PLAIN = "P:R,D,C,V,10,9,8,7,6,5,4,3,2,1 C:R,D,C"

    @pytest.mark.parametrize(
        ("hands", "dog"),
        [
            ({0: f"A:1 {PLAIN}"}, None),
            ({0: "A:1 P:R,D,C,V,xxxxxxxxxx C:xxx"}, None),
            (
                # One card is open, and no trump is left for it.
                {
                    0: "A:1 P:R,D,C,V,xxxxxxxxxx C:xx",
                    1: "A:21,20,19,18,17,16,15,14,13,12,11,10,9,8,7,6,5,4",
                    2: "A:3,2,EX",
                },
                None,
            ),
            # The Petit can only be where it is sec: the other hands and the dog are full.
            (
                {
                    0: PLAIN,
                    1: "A:21,20,19,18,17,16,15,14,13,12,11,10,9,8,7,6,5,4",
                    2: "A:3,2,EX C:V,10,9,8,7,6,5,4,3,2,1 K:R,D,C,V",
                    3: "K:10,9,8,7,6,5,4,3,2,1 T:R,D,C,V,10,9,8,7",
                },
                "T:6,5,4,3,2,1",
            ),
        ],
    )
    def test_nothing_else_is_possible(self, hands: dict[int, str], dog: str | None) -> None:
        with pytest.raises(HandError, match=r"^hands: every deal that fits has a Petit sec and is"):
            deal_matching(Rules(), Draws(1), hands, dog)
        dealt = deal_matching(Rules(petit_sec="off"), Draws(1), hands, dog)[0]
        assert any(hand.is_petit_sec() for hand in dealt)

    @pytest.mark.parametrize(
        ("hands", "dog"),
        [
            ({0: "A:1 P:R,D,C,V,xxxxxxxxxx C:xx"}, None),
            ({0: "A:1,x P:R,D,C,V,xxxxxxxxxx C:xx"}, None),
            ({0: "A:1,EX P:R,D,C,V,xxxxxxxxxx C:xx"}, None),
            ({0: PLAIN, 1: "A:21,20,19,18,17,16,15,14,13,12,11,10,9,8,7,6,5,4"}, None),
            ({0: PLAIN, 1: "A:21,20,19,18,17,16,15,14,13,12,11,10,9,8,7,6,5,4"}, "A:3,2"),
        ],
    )
    def test_something_is(self, hands: dict[int, str], dog: str | None) -> None:
        draws = Draws(1)
        for _ in range(20):
            dealt = deal_matching(Rules(), draws, hands, dog)[0]
            assert not any(hand.is_petit_sec() for hand in dealt)


@pytest.mark.parametrize("players", [3, 4, 5])
def test_many_patterns(players: int) -> None:
    """Every place wants small cards of every suit; the whole pack is dealt."""
    rules, draws = Rules(players=players), Draws(players)
    hands = dict.fromkeys(range(players), "P:x C:x K:x T:x A:xx")
    for _ in range(50):
        dealt, dog, dealer = deal_matching(rules, draws, hands, "P:x T:x")
        assert [rules.hand_size] * players == [len(hand) for hand in dealt]
        assert FULL_PACK.mask == dog.mask + sum(hand.mask for hand in dealt)
        assert Pattern.parse("P:x T:x").fits(dog)
        assert all(Pattern.parse(hands[seat]).fits(hand) for seat, hand in enumerate(dealt))
        assert dealer in range(players)


def test_against_rejection() -> None:
    """A pattern that many hands fit: where the Petit is, how long the suits are."""
    pattern = Pattern.parse("A:xxx P:x C:xx")
    rules, draws = Rules(), Draws(11)
    slow: list[tuple[tuple[Hand, ...], Hand]] = []
    while len(slow) < 3000:
        hands, dog, _ = deal_uniform(rules, draws, 0)
        if pattern.fits(hands[2]):
            slow.append((hands, dog))
    fast = [deal_matching(rules, draws, {2: pattern}, dealer=0) for _ in range(3000)]

    def features(hands: Sequence[Hand], dog: Hand) -> Iterator[tuple[str, int]]:
        for suit in range(5):
            yield f"length {suit}", len(hands[2].suit(suit))
            yield f"other's length {suit}", len(hands[0].suit(suit))
        yield "petit", next((seat for seat, h in enumerate(hands) if PETIT in h), 4)
        yield "dog", len(dog.trumps)

    by_feature: dict[str, list[list[int]]] = {}
    for side, deals in enumerate((slow, [deal[:2] for deal in fast])):
        for deal in deals:
            for name, value in features(*deal):
                by_feature.setdefault(name, [[], []])[side].append(value)
    for name, (one, other) in by_feature.items():
        # Two samples of one size: each is Poisson about the mean of both, bin by bin.
        counts = [Counter(one), Counter(other)]
        values = [v for v in counts[0] | counts[1] if counts[0][v] + counts[1][v] >= 20]
        statistic = sum(
            (counts[0][v] - counts[1][v]) ** 2 / (counts[0][v] + counts[1][v]) for v in values
        )
        # Chi-square of at most 15 degrees of freedom is above 50 once in 100,000 times.
        assert statistic < 50, name


class TestStream:
    def test_no_pattern_is_a_plain_deal(self) -> None:
        assert deal_uniform(Rules(), Draws(1)) == deal_matching(Rules(), Draws(1), {})
        assert deal_uniform(Rules(), Draws(1)) == deal_matching(Rules(), Draws(1), {2: ""}, "")

    def test_is_frozen(self) -> None:
        hands, dog, dealer = deal_matching(Rules(), Draws(1), {1: "A:21,xx P:R", 3: "P:x"}, "EX")
        assert "A:21,13,10 P:R,V,9,8,7,6 C:V,1 K:R,D,V,5,4,2 T:10" == str(hands[1])
        assert ("A:4,EX C:10,5 T:R,2", 0) == (str(dog), dealer)

    def test_generators_move_on(self) -> None:
        draws = Draws(np.random.PCG64DXSM(4))
        deals = [deal_matching(Rules(), draws, {0: "A:x"}) for _ in range(3)]
        again = Draws(4)
        assert deals == [deal_matching(Rules(), again, {0: "A:x"}) for _ in range(3)]
        assert deals[0] != deals[1]

    def test_hands_and_patterns_are_taken_as_well(self) -> None:
        hand = Hand("A:21,20 P:R")
        texts = deal_matching(Rules(), Draws(2), {0: str(hand)}, "C:x")
        assert texts == deal_matching(Rules(), Draws(2), {0: hand}, Pattern.parse("C:x"))


class TestImpossible:
    @pytest.mark.parametrize(
        ("hands", "dog", "error", "message"),
        [
            ({4: "PR"}, None, RecordError, r"hands: 4 is not a seat, they are 0…3"),
            ({0: "PR", 2: "PR"}, None, HandError, r"hands\[2\]: card PR comes twice, it is in ha"),
            ({1: "PR"}, "PR", HandError, r"dog: card PR comes twice, it is in hands\[1\] already"),
            ({1: "P:xxxxxxx C:xxxxxxx K:xxxxx"}, None, HandError, r"hands\[1\]: 19 cards, expec"),
            ({}, "P:xxxxxxx", HandError, r"dog: 7 cards, expected 6 at most"),
            (
                {0: "P:xxxxx", 1: "P:xxxx,10"},
                "P:x",
                HandError,
                "P: the patterns want 10 small cards, there are 9 beside those that are named",
            ),
            ({0: "P:R,y"}, None, CardError, r"hands\[0\]: unknown card 'y' at character 5"),
            ({}, "x", CardError, r"dog: small card 'x' at character 1: of which suit"),
        ],
    )
    def test_is_refused_in_one_line(
        self, hands: dict[int, str], dog: str | None, error: type[TarotError], message: str
    ) -> None:
        with pytest.raises(error, match=message) as caught:
            deal_matching(Rules(), Draws(1), hands, dog)
        assert "\n" not in str(caught.value)


def test_large_numbers_are_uniform() -> None:
    draws, bound = Draws(5), 3 << 64
    thirds = Counter(_below(draws, bound) >> 64 for _ in range(3000))
    assert p_value(thirds, dict.fromkeys(range(3), Fraction(1, 3))) > LEAST_P_VALUE
