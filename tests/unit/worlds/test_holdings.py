"""Who holds what: against the figures in print, and against sampled worlds."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest

from tarot_sim.cards import BOUTS_MASK, EXCUSE, HALF_POINTS, ROIS_MASK, SUIT_MASKS, Card, Hand
from tarot_sim.deals.dealing import Draws, deal_uniform
from tarot_sim.errors import CardError, HandError, RulesError
from tarot_sim.notation import TRUMP
from tarot_sim.rules import Rules
from tarot_sim.worlds._sampler import sample_worlds
from tarot_sim.worlds.holdings import CardOdds, Odds, SplitOdds, at_least, mean_and_sd, odds
from tests.laws import LEAST_P_VALUE, p_value, published

TRUMPS_AND_EXCUSE = Hand.from_mask(SUIT_MASKS[TRUMP] | 1 << EXCUSE)
BOUTS = Hand.from_mask(BOUTS_MASK)
ROIS = Hand.from_mask(ROIS_MASK)
HONOURS = Hand.from_mask(ROIS_MASK | ROIS_MASK >> 1 | ROIS_MASK >> 2 | ROIS_MASK >> 3)

NO, SURE = Fraction(0), Fraction(1)

#: Without the Petit, so that the others may have it sec.
HAND = {
    3: "A:21,16,12,9,6,2 P:R,D,6,3 C:V,8,6,5,4,3 K:R,4 T:V,9,8,5,2,1",
    4: "A:21,16,12,9,6,2 P:R,D,6,3 C:V,8,1 K:R,4 T:V,9,5",
    5: "A:21,16,12,9,6 P:R,D,6 C:V,3 K:R,4 T:V,9,5",
}
DOG = {3: "A:8 P:2,1 C:9 K:3,2", 4: "A:8 P:2,1 C:9 K:3,2", 5: "A:8 P:2 K:2"}


@cache
def shuffle(players: int) -> Odds:
    """Return the odds of who has seen nothing, a Petit sec being played."""
    return odds(rules=Rules(players=players, petit_sec="off"))


@cache
def taker(held: int) -> Odds:
    """Return the odds of a taker who has seen the dog and has so many cards of Pique."""
    cards = [*range(held), *range(14, 14 + 24 - held)]
    off = Rules(petit_sec="off")
    return odds(Hand(cards[:18]), dog=Hand(cards[18:]), rules=off)


class TestPublished:
    """Figures in print, which are those of the mere shuffle.

    `tests/unit/worlds/test_statistics.py` computes the same ones from formulas of its own.
    """

    def test_bouts(self) -> None:
        hand, dog = shuffle(4).other_hand(), shuffle(4).hidden_dog()
        published("44.9813 41.8792 12.0669 1.0726", [*hand.bouts.values()])
        published("32.6042 45.1443 19.5909 2.6605", [*shuffle(4).with_dog().bouts.values()])
        published("78.3953 20.1588 1.4196 0.0263", [*dog.bouts.values()])

    def test_trumps(self) -> None:
        hand = shuffle(4).other_hand()
        published(
            "0.1460 1.3796 5.7203 13.8014 21.6650 23.4376 18.0556 10.0932 4.1339 1.2440 "
            "0.2742 0.0439 0.0050 0.0004",
            [hand.trumps[count] for count in range(14)],
        )
        assert ("4.846", "1.661") == tuple(f"{x:.3f}" for x in mean_and_sd(hand.trumps))
        published(
            "0.0999 1.0142 4.5261 11.7751 19.9757 23.4134 19.5998 11.9466 5.3565 1.7728 "
            "0.4321 0.0770 0.0099 0.0009",
            [hand.trumps_and_excuse[count] for count in range(14)],
        )
        assert ("5.077", "1.685") == tuple(f"{x:.3f}" for x in mean_and_sd(hand.trumps_and_excuse))

    def test_petit_sec_and_poignees(self) -> None:
        table = shuffle(4)
        published("0.0461 0.1844", [table.p_petit_sec / 4, table.p_petit_sec])
        poignees = table.other_hand().poignees
        published("0.5199", [poignees["simple"]])
        published("0.00095", [poignees["double"]])

    def test_hands_without(self) -> None:
        hidden = shuffle(4).hidden
        published(
            "0.0999 0.8699 0.3046",
            [
                hidden.count(cards, seat=True)[0]
                for cards in (TRUMPS_AND_EXCUSE, HONOURS, HONOURS | BOUTS)
            ],
        )

    def test_rois(self) -> None:
        hand, dog = shuffle(4).other_hand(), shuffle(4).hidden_dog()
        published("34.186 43.182 18.985 3.432 0.2145", [*hand.rois.values()])
        published("72.124 25.086 2.688 0.101 0.0011", [*dog.rois.values()])

    def test_suits(self) -> None:
        law = shuffle(4).suit("P").hand
        published(
            "1.694 9.085 20.914 27.316 22.536 12.373 4.640 1.201 0.214 0.026",
            [law[count] for count in range(10)],
        )
        hand = shuffle(4).other_hand()
        published(
            "6.727 39.601 63.271 23.781 5.762",
            [
                1 - hand.voids[0],
                hand.shortest[0] + hand.shortest[1],
                *(at_least(hand.longest, least) for least in (5, 6, 7)),
            ],
        )

    def test_card_points(self) -> None:
        table = shuffle(4)
        for figures, cards in (
            ("21.000 4.897", table.other_hand()),
            ("28.000 5.364", table.with_dog()),
            ("7.000 3.097", table.hidden_dog()),
        ):
            law = cards.half_points
            assert figures.split() == [f"{value / 2:.3f}" for value in mean_and_sd(law)]
        published("21.406", [at_least(table.hidden_dog().half_points, 20)])

    def test_a_roi_passes(self) -> None:
        published(
            "99.37 98.91 98.12 96.81 94.69 91.29 85.91 77.59 65.05 47.02 23.51",
            [taker(held).suit("P").p_no_void for held in range(1, 12)],
        )

    @pytest.mark.parametrize(
        ("figures", "held", "lengths"),
        [("69.2 27.9 2.9", 10, (2, 3, 4)), ("29.4 49.3 17.6 3.4", 6, (3, 4, 5, 6))],
    )
    def test_longest_of_three_defenders(
        self, figures: str, held: int, lengths: Sequence[int]
    ) -> None:
        law = taker(held).suit("P").longest
        published(figures, [law[length] for length in lengths])

    def test_the_dog_seen_from_a_hand(self) -> None:
        off = Rules(petit_sec="off")
        six = odds("A:21,16,12,9,6,EX P:R,D,6,3 C:V,8,1 K:R,4 T:V,9,5", rules=off)
        law = six.hidden_dog().trumps_and_excuse
        published("14.1 34.7 32.5 14.8 3.4 0.4", [law[count] for count in range(6)])
        held = [
            odds(Hand([*list(ROIS)[:rois], *range(56, 74 - rois)]), rules=off).hidden_dog().rois
            for rois in range(4)
        ]
        published("64.9 72.5 80.8 90.0", [law[0] for law in held])

    def test_three_players(self) -> None:
        hand = shuffle(3).other_hand()
        published("32.604 45.144 19.591 2.660", [*hand.bouts.values()])
        published("0.1099 0.0018", [hand.poignees["simple"], hand.poignees["double"]])
        published("0.0040", [shuffle(3).p_petit_sec / 3])

    def test_five_players(self) -> None:
        hand = shuffle(5).other_hand()
        published("52.199 38.508 8.695 0.598", [*hand.bouts.values()])
        published("2.1305 0.0629", [hand.poignees["simple"], hand.poignees["double"]])
        published("0.1329 0.6645", [shuffle(5).p_petit_sec / 5, shuffle(5).p_petit_sec])


class TestPetitSec:
    def test_nobody_has_it(self) -> None:
        """Given that the Petit is a hand's only trump, that hand has the Excuse."""
        for players in (3, 4, 5):
            hidden = odds(players=players).hidden
            both = hidden.total(
                lambda card: 32 * (card == 56) + (card in TRUMPS_AND_EXCUSE),
                seat=True,
                name=lambda total: divmod(total, 32),
            )
            assert 0 == both.get((1, 1), 0)
            assert both[(1, 2)] > 0
            assert 1 == sum(both.values())

    def test_how_far_the_shuffle_is_off(self) -> None:
        """No chance moves by more than that of a Petit sec among the deals that are played."""
        played, table = odds(HAND[4]), odds(HAND[4], rules=Rules(petit_sec="off"))
        bound = table.p_petit_sec / (1 - table.p_petit_sec)
        assert played.p_petit_sec == table.p_petit_sec > 0
        for suit in range(5):
            exact, rough = played.suit(suit).splits, table.suit(suit).splits
            assert 0 < max(abs(exact[split] - rough[split]) for split in exact) < bound

    def test_the_petit_seen(self) -> None:
        hand = Hand(HAND[4]) - Hand("A2") | Hand("A1")
        assert 0 == odds(hand).p_petit_sec
        assert odds(hand).suit(0) == odds(hand, rules=Rules(petit_sec="off")).suit(0)


N = 20_000


def share(worlds: Any, cards: Hand, places: Sequence[int]) -> Any:
    """Return how many of the cards are in each place, shape (worlds, places)."""
    marked = worlds[:, list(cards)]
    return np.stack([(marked == place).sum(axis=1) for place in places], axis=1)


@pytest.mark.parametrize("seen", [False, True], ids=["hidden dog", "dog seen"])
@pytest.mark.parametrize("players", [3, 4, 5])
class TestSampledWorlds:
    @pytest.fixture
    def table(self, players: int, seen: bool) -> Odds:
        return odds(HAND[players], dog=DOG[players] if seen else None, players=players)

    @pytest.fixture
    def worlds(self, table: Odds) -> Any:
        assert table.hand is not None
        seed = np.random.PCG64DXSM(table.rules.players)
        return sample_worlds(table.hand, 0, table.rules, N, seed, table.dog)

    def test_splits(self, table: Odds, worlds: Any, players: int) -> None:
        sets = [Hand.from_mask(mask) for mask in SUIT_MASKS]
        for cards in (*sets, TRUMPS_AND_EXCUSE, Hand("A20,EX"), Hand("A1 PV PC")):
            law = table.split(cards)
            others = share(worlds, law.cards, range(1, players))
            splits = [tuple(sorted(row, reverse=True)) for row in others.tolist()]
            assert p_value(splits, law.splits) > LEAST_P_VALUE
            assert p_value(others[:, 0].tolist(), law.hand) > LEAST_P_VALUE
            if table.dog is None:
                in_dog = share(worlds, law.cards, [players])[:, 0].tolist()
                assert p_value(in_dog, law.dog) > LEAST_P_VALUE
            else:
                assert {0: 1} == law.dog
            for name, seen in (
                ("p_any_void", (others == 0).any(axis=1)),
                ("p_no_void", (others > 0).all(axis=1)),
                ("p_any_singleton", (others == 1).any(axis=1)),
                ("p_singleton", others[:, 1] == 1),
                ("p_together", (others == len(law.cards)).any(axis=1)),
            ):
                expected = N * float(getattr(law, name))
                assert abs(seen.sum() - expected) < 4.5 * expected**0.5 + 2, name

    def test_hands(self, table: Odds, worlds: Any, players: int) -> None:
        assert table.hand is not None
        hand = table.other_hand()
        both = table.with_dog()
        for law, place, held in (
            (hand, worlds == 1, 0),
            (both, (worlds == 0) | (worlds == players), len(table.hand)),
        ):
            if held and table.dog is not None:
                assert all(len(getattr(law, name)) == 1 for name in ("bouts", "half_points"))
                continue
            assert law.size == place[0].sum()
            points = (place * np.array(HALF_POINTS)).sum(axis=1)
            assert p_value(points.tolist(), law.half_points) > LEAST_P_VALUE
            for name, cards in (("trumps_and_excuse", TRUMPS_AND_EXCUSE), ("rois", ROIS)):
                seen = place[:, list(cards)].sum(axis=1).tolist()
                assert p_value(seen, getattr(law, name)) > LEAST_P_VALUE
            suits = place[:, :56].reshape(-1, 4, 14).sum(axis=2)
            for name, lengths in (
                ("voids", (suits == 0).sum(axis=1)),
                ("shortest", suits.min(axis=1)),
                ("longest", suits.max(axis=1)),
            ):
                chances = getattr(law, name)
                if len(chances) > 1:
                    assert p_value(lengths.tolist(), chances) > LEAST_P_VALUE

    def test_poignees(self, table: Odds, worlds: Any, players: int) -> None:
        most = share(worlds, TRUMPS_AND_EXCUSE, range(1, players))
        size = table.rules.poignee_trumps[0]
        for chance, seen in (
            (table.other_hand().poignees["simple"], most[:, 0] >= size),
            (table.any_poignee()["simple"], (most >= size).any(axis=1)),
        ):
            expected = float(chance) * N
            assert abs(seen.sum() - expected) < 4.5 * expected**0.5 + 1


@pytest.mark.parametrize("players", [3, 4, 5])
def test_random_hands(players: int) -> None:
    """Dealt as the rules say, a Petit sec again."""
    table, draws = odds(players=players), Draws(players)
    hands = [deal_uniform(table.rules, draws, 0)[0][0] for _ in range(N)]
    law = table.other_hand()
    assert p_value([len(hand.trumps) for hand in hands], law.trumps) > LEAST_P_VALUE
    assert p_value([hand.bouts for hand in hands], law.bouts) > LEAST_P_VALUE
    assert p_value([hand.half_points for hand in hands], law.half_points) > LEAST_P_VALUE


class TestCards:
    def test_one_card(self) -> None:
        table = odds(HAND[4], rules=Rules(petit_sec="off"))
        card = table.card("A20")
        chances = Fraction(6, 60), Fraction(18, 60), Fraction(54, 60)
        assert CardOdds(Card("A20"), None, *chances) == card
        # A Petit sec is dealt again: it had the Petit in a hand, no other card of the trumps.
        played = odds(HAND[4])
        assert played.card("A1").p_others < Fraction(54, 60) < played.card("A20").p_others

    def test_seen(self) -> None:
        table = odds(HAND[4], dog=DOG[4])
        assert CardOdds(Card("A21"), "hand", NO, NO, NO) == table.card("A21")
        assert CardOdds(Card("A8"), "dog", NO, NO, NO) == table.card("A8")
        assert CardOdds(Card("EX"), None, NO, Fraction(1, 3), SURE) == table.card("EX")

    def test_together(self) -> None:
        table = odds(HAND[4], rules=Rules(petit_sec="off"))
        # Both in one of three hands of 18, of 60 cards; both in the dog.
        both = table.split("A20,EX")
        assert Fraction(3 * 18 * 17, 60 * 59) == both.p_together
        assert Fraction(6 * 5, 60 * 59) == both.dog[2]

    def test_only_the_hidden_ones_count(self) -> None:
        both = odds(HAND[4]).split("A21,EX")
        assert Hand("EX") == both.cards
        nothing = odds(HAND[4]).split("A21")
        assert SplitOdds(Hand(), {(0, 0, 0): SURE}, {0: SURE}, {0: SURE}) == nothing


def test_to_dict() -> None:
    answer = odds(HAND[4]).to_dict(["P", 4], "A21,EX,A1")
    assert ["P", "A"] == list(answer["suits"])
    assert (4, HAND[4], None, "cancel", 3) == tuple(
        answer[key] for key in ("players", "hand", "dog", "petit_sec", "hands")
    )
    pique = answer["suits"]["P"]
    assert 10 == pique["missing"]
    assert {"split", "dog", "p"} == set(pique["splits"][0])
    assert all(sum(row["split"]) + row["dog"] == 10 for row in pique["splits"])
    assert pique["splits"] == sorted(pique["splits"], key=lambda row: -row["p"])
    for law in (pique["longest"], pique["hand"], pique["dog"], answer["dog_cards"]["points"]):
        assert 1 == pytest.approx(sum(law.values()))
    assert ["A1", "A21", "EX"] == [row["card"] for row in answer["cards"]]
    assert "A:1,EX" == answer["together"]["cards"]
    assert 24 == answer["with_dog"]["size"]
    assert {"simple", "double", "triple"} == set(answer["any_poignee"])
    assert odds(HAND[4], dog=DOG[4]).to_dict([])["dog_cards"] is None
    assert "cards" not in odds(HAND[4]).to_dict([])


@pytest.mark.parametrize("players", [3, 4, 5])
def test_without_a_hand(players: int) -> None:
    answer = odds(players=players).to_dict(["T"])
    assert (None, players) == (answer["hand"], answer["hands"])
    assert 14 == answer["suits"]["T"]["missing"]


def test_a_taker_knows_what_the_hand_and_the_dog_have() -> None:
    both = odds(HAND[4], dog=DOG[4]).with_dog()
    assert [{1: SURE}, {7: SURE}] == [both.bouts, both.trumps]
    assert [{2: SURE}, {0: SURE}] == [both.rois, both.voids]


class TestErrors:
    @pytest.mark.parametrize(
        ("hand", "dog", "message"),
        [
            ("A:21", None, "the hand has 1 cards, expected 18"),
            (HAND[4], "A:8", "dog: 1 cards, expected 6"),
            (HAND[4], "A:21,8 P:2,1 K:3,2", "dog: A21 is in the hand too"),
            ("A:1 P:1,2,3,4,5,6,7,8,9 C:1,2,3,4,5,6,7,8", None, "the hand is a Petit sec"),
            (
                "A:21,20,19,18,17,16,15,14,13,12,11,10,9,8,7,6,5,4",
                "A:3,2,EX P:1,2,3",
                "dog: with this hand every deal has a Petit sec and is cancelled",
            ),
        ],
    )
    def test_hands(self, hand: str, dog: str | None, message: str) -> None:
        with pytest.raises(HandError, match=message):
            odds(hand, dog=dog)

    def test_table_and_suit(self) -> None:
        with pytest.raises(RulesError, match="players: 6"):
            odds(players=6)
        for suit in ("X", 5, -1):
            with pytest.raises(CardError, match=r"suit: .* is none of P C K T"):
                odds().suit(suit)
        with pytest.raises(HandError, match="dog: it has been seen"):
            odds(HAND[4], dog=DOG[4]).hidden_dog()
