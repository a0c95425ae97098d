"""How a pack becomes hands: uniformly at random, or as cards are dealt at home.

Every draw comes from the raw 64-bit stream of a numpy bit generator, which numpy keeps
stable; the methods of `numpy.random.Generator` may change from release to release.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from tarot_sim.arguments import integer, seat_number, some, whole_number
from tarot_sim.cards import CARDS, Card, Hand
from tarot_sim.errors import HandError, OptionError
from tarot_sim.randomness import bit_generator_of
from tarot_sim.rules import Rules

if TYPE_CHECKING:
    from numpy.random import BitGenerator

    from tarot_sim import randomness

    Randomness: TypeAlias = randomness.Randomness | "Draws"

Dealt = tuple[tuple[Hand, ...], Hand, int]  #: the hands by seat, the dog, the dealer

_PACK: Final = 78
_WORD: Final = 1 << 64
#: Riffles after which a pack is no more random than before, and that take a second or two.
_MOST_RIFFLES: Final = 100_000
_MASK: Final = _WORD - 1
_LEAST_CUT: Final = 4  # a cut leaves so many cards on either side


class Draws:
    """Exactly uniform draws from a bit generator's raw stream.

    Words are fetched by the block, so that a generator handed over moves on by whole
    blocks.

    Parameters
    ----------
    rng
        A seed (for `numpy.random.PCG64DXSM`) or `SeedSequence`, a numpy `Generator` or
        `BitGenerator`, or None for fresh entropy.

    Examples
    --------
    >>> sorted(Draws(1).shuffled(range(5)))
    [0, 1, 2, 3, 4]
    """

    __slots__ = ("_generator", "_words")

    def __init__(self, rng: randomness.Randomness = None) -> None:
        self._generator: BitGenerator = bit_generator_of(rng)
        self._words: list[int] = []

    @classmethod
    def of(cls, rng: Randomness, seed: Randomness = None) -> Draws:
        """Return `rng` itself if it is draws already, else draws from it.

        `seed` is another name of the argument; one of the two may be given.
        """
        if rng is not None and seed is not None:
            raise OptionError("seed: given twice, as rng too")
        given = seed if rng is None else rng
        return given if isinstance(given, cls) else cls(given)  # type: ignore[arg-type]

    def word(self) -> int:
        """Return 64 random bits."""
        if not self._words:
            self._words = self._fetch(_PACK)
        return self._words.pop()

    def _fetch(self, count: int) -> list[int]:
        from numpy.random import MT19937

        if not isinstance(self._generator, MT19937):
            words: list[int] = self._generator.random_raw(count).tolist()
            return words
        # The one generator of numpy whose raw words have 32 bits.
        halves = self._generator.random_raw(2 * count).tolist()
        return [high << 32 | low for high, low in zip(halves[::2], halves[1::2], strict=True)]

    def below(self, bound: int) -> int:
        """Return a number 0…`bound` − 1.

        The high half of word × bound; the few products that would favour some numbers
        are drawn again (D. Lemire, Fast random integer generation in an interval, 2019).
        """
        product = self.word() * bound
        if product & _MASK < bound:
            unfair = _WORD % bound
            while product & _MASK < unfair:
                product = self.word() * bound
        return product >> 64

    def shuffled(self, items: Sequence[int]) -> list[int]:
        """Return the items in uniformly random order."""
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order


def deal_uniform(rules: Rules, draws: Draws, dealer: int | None = None) -> Dealt:
    """Deal a uniformly shuffled pack; where a Petit sec is cancelled, until there is none."""
    dealer = _dealer(dealer, rules, draws)
    size, cards = rules.hand_size, rules.players * rules.hand_size
    while True:
        pack = draws.shuffled(range(_PACK))
        hands = tuple(_hand(pack[start : start + size]) for start in range(0, cards, size))
        if _is_playable(hands, rules):
            return hands, _hand(pack[cards:]), dealer


def deal_physical(
    rules: Rules,
    draws: Draws,
    dealer: int | None = None,
    riffles: int = 3,
    pack: Sequence[int] | None = None,
) -> Dealt:
    """Riffle, cut and deal a pack of collected tricks; see `Deal.physical`."""
    riffles = whole_number("riffles", riffles, 0, _MOST_RIFFLES)
    dealer = _dealer(dealer, rules, draws)
    if pack is None:
        pack = _pack_after_random_play(rules, draws)
    else:
        pack = [integer("pack", card, HandError) for card in some("pack", pack, HandError)]
        if sorted(pack) != list(range(_PACK)):
            raise HandError("pack: expected each of the 78 cards once")
    while True:
        shuffled = list(pack)
        for _ in range(riffles):
            shuffled = riffle(shuffled, draws)
        hands, dog = deal_packets(cut(shuffled, draws), rules, dealer, draws)
        if _is_playable(hands, rules):
            return hands, dog, dealer


def _dealer(dealer: int | None, rules: Rules, draws: Draws) -> int:
    if dealer is None:
        return draws.below(rules.players)
    return seat_number("dealer", dealer, rules.players)


def riffle(pack: Sequence[int], draws: Draws) -> list[int]:
    """Return the pack after one riffle of the Gilbert-Shannon-Reeds model.

    One fair bit a position says from which half its card falls: then the cut is
    binomial and all interleavings of the halves are equally likely, which is the model.
    """
    bits = draws.word() | draws.word() << 64
    from_lower = [bits >> place & 1 for place in range(len(pack))]
    upper, lower = iter(pack), iter(pack[len(pack) - sum(from_lower) :])
    return [next(lower if below else upper) for below in from_lower]


def cut(pack: Sequence[int], draws: Draws) -> list[int]:
    """Return the pack after a cut that leaves a few cards on either side."""
    place = _LEAST_CUT + draws.below(len(pack) - 2 * _LEAST_CUT + 1)
    return [*pack[place:], *pack[:place]]


def deal_packets(
    pack: Sequence[int], rules: Rules, dealer: int, draws: Draws
) -> tuple[tuple[Hand, ...], Hand]:
    """Deal by packets from the top, the first to the dealer's right, then to the right.

    The cards of the dog go one at a time between two packets, at places drawn at random:
    so it never gets the first or the last card of the pack.
    """
    packets = rules.players * rules.hand_size // rules.packet
    after = set(draws.shuffled(range(1, packets))[: rules.dog_size])
    hands: list[list[int]] = [[] for _ in range(rules.players)]
    dog: list[int] = []
    top = 0
    for packet in range(packets):
        if packet in after:
            dog.append(pack[top])
            top += 1
        hands[(dealer + 1 + packet) % rules.players] += pack[top : top + rules.packet]
        top += rules.packet
    return tuple(map(_hand, hands)), _hand(dog)


def collect(
    position: Any, plays: Sequence[int], aside: Hand, defence_has_aside: bool
) -> tuple[Card, ...]:
    """Return the pack as it lies after `plays` from `position`, from the top down.

    Each trick lies face down on its camp's earlier ones, in the order of play; the écart or
    dog, `aside`, lies under the tricks of the camp that it counts for, and the attack's pile
    on the defence's.
    """
    piles: tuple[list[Card], list[Card]] = ([], [])  # the attack's, the defence's; top last
    piles[defence_has_aside].extend(aside)
    for start in range(0, len(plays), position.players):
        trick = [CARDS[card] for card in plays[start : start + position.players]]
        for card in trick:
            position.play(card)
        piles[position.leader not in position.attack].extend(trick)
    return (*reversed(piles[0]), *reversed(piles[1]))


def _pack_after_random_play(rules: Rules, draws: Draws) -> tuple[Card, ...]:
    """Return a pack collected after one attacker and the others have played at random."""
    from tarot_sim._core import Position

    hands, dog, dealer = deal_uniform(rules, draws)
    position = Position(hands, attack=(dealer,), leader=(dealer + 1) % rules.players, rules=rules)
    while not position.is_over:
        legal = position.legal_cards()
        position.play(legal[draws.below(len(legal))])
    plays = position.plays
    for _ in plays:
        position.undo()
    return collect(position, plays, dog, defence_has_aside=False)


def _hand(cards: Sequence[int]) -> Hand:
    mask = 0
    for card in cards:
        mask |= 1 << card
    return Hand.from_mask(mask)


def _is_playable(hands: Sequence[Hand], rules: Rules) -> bool:
    return rules.petit_sec == "off" or not any(hand.is_petit_sec() for hand in hands)
