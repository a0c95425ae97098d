"""Dealt cards against exact laws, and these against the published figures.

Each figure, in per cent as it was published, is first computed from its formula; then
deals of the package are compared with the same formula.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb, sqrt

import pytest

from tarot_sim.cards import BOUTS_MASK, EXCUSE, FULL_PACK, ROIS_MASK, SUIT_MASKS, Hand
from tarot_sim.deals.dealing import Draws, deal_uniform
from tarot_sim.notation import TRUMP
from tarot_sim.rules import Rules
from tests.laws import LEAST_P_VALUE, hypergeometric, p_value

PACK = 78
TRUMPS = Hand.from_mask(SUIT_MASKS[TRUMP])
TRUMPS_AND_EXCUSE = Hand.from_mask(SUIT_MASKS[TRUMP] | 1 << EXCUSE)
BOUTS = Hand.from_mask(BOUTS_MASK)
ROIS = Hand.from_mask(ROIS_MASK)
HONOURS = Hand.from_mask(ROIS_MASK | ROIS_MASK >> 1 | ROIS_MASK >> 2 | ROIS_MASK >> 3)
SUITS = tuple(Hand.from_mask(mask) for mask in SUIT_MASKS[:TRUMP])

TABLE = {players: Rules(players=players, petit_sec="off") for players in (3, 4, 5)}

Law = dict[int, Fraction]
Shape = tuple[int, ...]


def published(figures: str, chances: list[Fraction]) -> None:
    """Assert that chances in per cent are the figures, to the digits printed.

    Some figures were rounded twice, so that they are off by a little more than a half of
    their last digit.
    """
    for figure, chance in zip(figures.split(), chances, strict=True):
        unit = Fraction(1, 10 ** len(figure.partition(".")[2]))
        assert abs(Fraction(figure) - 100 * chance) < Fraction(55, 100) * unit, float(chance)


def at_least(law: Law, least: int) -> Fraction:
    return sum((chance for count, chance in law.items() if count >= least), Fraction(0))


def mean_and_sd(law: Law) -> tuple[float, float]:
    mean = sum(count * chance for count, chance in law.items())
    square = sum(count * count * chance for count, chance in law.items())
    return float(mean), sqrt(float(square - mean * mean))


# --- formulas -------------------------------------------------------------------------


def dealt(marked: Hand, cards: int) -> Law:
    """Return how many of the marked cards are among `cards` drawn from the pack."""
    return hypergeometric(len(marked), PACK, cards)


def none_of(marked: Hand, cards: int) -> Fraction:
    return dealt(marked, cards)[0]


@cache
def shape_law(cards: int) -> dict[Shape, Fraction]:
    """Return how likely a hand has these lengths of the four suits."""
    lengths = range(min(14, cards) + 1)
    return {
        shape: Fraction(
            comb(22, cards - sum(shape))
            * comb(14, shape[0])
            * comb(14, shape[1])
            * comb(14, shape[2])
            * comb(14, shape[3]),
            comb(PACK, cards),
        )
        for shape in product(lengths, repeat=4)
        if cards - 22 <= sum(shape) <= cards
    }


def shape_chance(cards: int, wanted: Callable[[Shape], bool]) -> Fraction:
    return sum((p for shape, p in shape_law(cards).items() if wanted(shape)), Fraction(0))


@cache
def points_law(cards: int) -> Law:
    """Return how likely so many cards have 0, 1, 2… half points."""
    ways: list[dict[int, int]] = [{0: 1}] + [{} for _ in range(cards)]
    for card in FULL_PACK:
        for taken in range(cards, 0, -1):
            for value, count in ways[taken - 1].items():
                value += card.half_points
                ways[taken][value] = ways[taken].get(value, 0) + count
    whole = comb(PACK, cards)
    return {value: Fraction(count, whole) for value, count in ways[cards].items()}


def petit_sec(players: int) -> Fraction:
    """Return the chance of one hand: the Petit, and the rest from the 56 suit cards."""
    size = TABLE[players].hand_size
    return Fraction(comb(56, size - 1), comb(PACK, size))


def splits(missing: int, hands: int, size: int) -> dict[tuple[int, ...], Fraction]:
    """Return how the missing cards of a suit lie among hands that hold all unknown cards."""
    whole = Fraction(1, comb(hands * size, missing))
    left: dict[tuple[int, ...], int] = {(): 1}
    for _ in range(hands):
        left = {
            (*split, count): ways * comb(size, count)
            for split, ways in left.items()
            for count in range(missing - sum(split) + 1)
        }
    return {split: ways * whole for split, ways in left.items() if sum(split) == missing}


# --- the published figures ------------------------------------------------------------


def test_bouts() -> None:
    published("44.9813 41.8792 12.0669 1.0726", [*dealt(BOUTS, 18).values()])
    published("32.6042 45.1443 19.5909 2.6605", [*dealt(BOUTS, 24).values()])
    published("78.3953 20.1588 1.4196 0.0263", [*dealt(BOUTS, 6).values()])


def test_trumps() -> None:
    law = dealt(TRUMPS, 18)
    published(
        "0.1460 1.3796 5.7203 13.8014 21.6650 23.4376 18.0556 10.0932 4.1339 1.2440 "
        "0.2742 0.0439 0.0050 0.0004",
        [law[count] for count in range(14)],
    )
    assert ("4.846", "1.661") == tuple(f"{value:.3f}" for value in mean_and_sd(law))
    law = dealt(TRUMPS_AND_EXCUSE, 18)
    published(
        "0.0999 1.0142 4.5261 11.7751 19.9757 23.4134 19.5998 11.9466 5.3565 1.7728 "
        "0.4321 0.0770 0.0099 0.0009",
        [law[count] for count in range(14)],
    )
    assert ("5.077", "1.685") == tuple(f"{value:.3f}" for value in mean_and_sd(law))


def test_petit_sec_and_poignees() -> None:
    published("0.0461 0.1844", [petit_sec(4), 4 * petit_sec(4)])
    # A poignée with the Excuse in it: so many trumps, the Excuse among them.
    law = dealt(TRUMPS_AND_EXCUSE, 18)
    published("0.5199", [at_least(law, 10)])
    # Some print 0.00096 for the double poignée, which is one too many in the last digit.
    published("0.00095", [at_least(law, 13)])


def test_hands_without() -> None:
    published("0.0999", [none_of(TRUMPS_AND_EXCUSE, 18)])
    published("0.8699 0.3046", [none_of(HONOURS, 18), none_of(HONOURS | BOUTS, 18)])


def test_rois() -> None:
    published("34.186 43.182 18.985 3.432 0.2145", [*dealt(ROIS, 18).values()])
    published("72.124 25.087 2.688 0.101 0.0011", [*dealt(ROIS, 6).values()])


def test_suits() -> None:
    law = dealt(SUITS[0], 18)
    published(
        "1.694 9.085 20.914 27.316 22.536 12.373 4.640 1.201 0.214 0.026",
        [law[count] for count in range(10)],
    )
    published(
        "6.727 39.601 63.271 23.781 5.762",
        [
            shape_chance(18, lambda shape: 0 in shape),
            shape_chance(18, lambda shape: min(shape) <= 1),
            shape_chance(18, lambda shape: max(shape) >= 5),
            shape_chance(18, lambda shape: max(shape) >= 6),
            shape_chance(18, lambda shape: max(shape) >= 7),
        ],
    )


def test_card_points() -> None:
    for figures, cards in (("21.000 4.897", 18), ("28.000 5.364", 24), ("7.000 3.097", 6)):
        assert figures.split() == [f"{value / 2:.3f}" for value in mean_and_sd(points_law(cards))]
    published("21.406", [at_least(points_law(6), 20)])


def test_a_roi_passes() -> None:
    """No defender is void in a suit of which the taker has 1…11 cards."""
    chances = []
    for held in range(1, 12):
        law = splits(14 - held, 3, 18)
        chances.append(sum((p for split, p in law.items() if 0 not in split), Fraction(0)))
    published("99.37 98.91 98.12 96.81 94.69 91.29 85.91 77.59 65.05 47.02 23.51", chances)


@pytest.mark.parametrize(
    ("figures", "missing", "lengths"),
    [("69.2 27.9 2.9", 4, (2, 3, 4)), ("29.4 49.3 17.6 3.4", 8, (3, 4, 5, 6))],
)
def test_longest_of_three_defenders(figures: str, missing: int, lengths: tuple[int, ...]) -> None:
    law = splits(missing, 3, 18)
    published(
        figures,
        [
            sum((p for split, p in law.items() if max(split) == length), Fraction(0))
            for length in lengths
        ],
    )


def test_the_dog_seen_from_a_hand() -> None:
    law = hypergeometric(22 - 6, 60, 6)
    published("14.1 34.7 32.5 14.8 3.4 0.4", [law[count] for count in range(6)])
    published("64.9 72.5 80.8 90.0", [hypergeometric(4 - held, 60, 6)[0] for held in range(4)])


def test_three_players() -> None:
    published("32.604 45.144 19.591 2.661", [*dealt(BOUTS, 24).values()])
    law = dealt(TRUMPS_AND_EXCUSE, 24)
    published("0.1099 0.0018", [at_least(law, 13), at_least(law, 15)])
    published("0.0040", [petit_sec(3)])


def test_five_players() -> None:
    published("52.199 38.508 8.695 0.598", [*dealt(BOUTS, 15).values()])
    law = dealt(TRUMPS_AND_EXCUSE, 15)
    published("2.1305 0.0629", [at_least(law, 8), at_least(law, 10)])
    published("0.1329 0.6645", [petit_sec(5), 5 * petit_sec(5)])


# --- dealt hands ----------------------------------------------------------------------

N = 30_000


@cache
def deals(players: int) -> tuple[tuple[tuple[Hand, ...], Hand], ...]:
    """Return the hands and the dog of so many deals."""
    draws = Draws(players)
    return tuple(deal_uniform(TABLE[players], draws, 0)[:2] for _ in range(N))


@cache
def samples(players: int) -> tuple[tuple[Hand, Hand], ...]:
    """Return one hand and the dog of each deal; the hand is each seat's in turn."""
    return tuple((hands[n % players], dog) for n, (hands, dog) in enumerate(deals(players)))


PLAYERS = pytest.mark.parametrize("players", [3, 4, 5])
MARKED = pytest.mark.parametrize(
    "marked",
    [
        pytest.param(BOUTS, id="bouts"),
        pytest.param(TRUMPS, id="trumps"),
        pytest.param(TRUMPS_AND_EXCUSE, id="trumps and Excuse"),
        pytest.param(ROIS, id="rois"),
        pytest.param(HONOURS, id="honours"),
        pytest.param(HONOURS | BOUTS, id="honours and bouts"),
        *(pytest.param(suit, id=f"suit {number}") for number, suit in enumerate(SUITS)),
    ],
)


@PLAYERS
@MARKED
def test_counts_of_dealt_cards(players: int, marked: Hand) -> None:
    rules = TABLE[players]
    in_hand = [(hand.mask & marked.mask).bit_count() for hand, _ in samples(players)]
    in_dog = [(dog.mask & marked.mask).bit_count() for _, dog in samples(players)]
    both = [sum(counts) for counts in zip(in_hand, in_dog, strict=True)]
    for counts, cards in (
        (in_hand, rules.hand_size),
        (in_dog, rules.dog_size),
        (both, rules.hand_size + rules.dog_size),
    ):
        assert p_value(counts, dealt(marked, cards)) > LEAST_P_VALUE


@PLAYERS
def test_points_of_dealt_cards(players: int) -> None:
    rules = TABLE[players]
    hands, dogs = zip(*samples(players), strict=True)
    assert p_value([h.half_points for h in hands], points_law(rules.hand_size)) > LEAST_P_VALUE
    assert p_value([d.half_points for d in dogs], points_law(rules.dog_size)) > LEAST_P_VALUE


@PLAYERS
def test_shapes_of_dealt_hands(players: int) -> None:
    law = shape_law(TABLE[players].hand_size)
    shapes = [tuple(len(hand & suit) for suit in SUITS) for hand, _ in samples(players)]
    assert p_value(shapes, law) > LEAST_P_VALUE


@PLAYERS
def test_rare_hands(players: int) -> None:
    """Petit sec and poignées: too rare for one sample of hands, so all seats are asked."""
    rules = TABLE[players]
    trumps = dealt(TRUMPS_AND_EXCUSE, rules.hand_size)
    sec = poignees = 0
    for hands, _ in deals(players):
        sec += sum(hand.is_petit_sec() for hand in hands)
        poignees += sum(len(h & TRUMPS_AND_EXCUSE) >= rules.poignee_trumps[0] for h in hands)
    for seen, chance in (
        (sec, petit_sec(players)),
        (poignees, at_least(trumps, rules.poignee_trumps[0])),
    ):
        expected = float(chance) * N * players
        # Two hands of a deal exclude each other rather than not: Poisson's variance will do.
        assert abs(seen - expected) < 4.5 * sqrt(expected) + 1


@PLAYERS
def test_a_hand_tells_nothing_of_the_dog_but_what_is_left(players: int) -> None:
    """Given the trumps of the hand, the dog's follow the hypergeometric law."""
    rules = TABLE[players]
    unknown = PACK - rules.hand_size
    by_trumps: dict[int, list[int]] = {}
    for hand, dog in samples(players):
        held = len(hand & TRUMPS)
        by_trumps.setdefault(held, []).append(len(dog & TRUMPS))
    tested = 0
    for held, counts in by_trumps.items():
        if len(counts) >= 300:
            law = hypergeometric(21 - held, unknown, rules.dog_size)
            assert p_value(counts, law) > LEAST_P_VALUE
            tested += 1
    assert tested >= 6
