from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

import numpy as np
import pytest

from tarot_sim.cards import CARDS, FULL_MASK, PETIT
from tarot_sim.deals.deal import Deal, collected_pack
from tarot_sim.deals.dealing import Draws, cut, deal_packets, riffle
from tarot_sim.errors import HandError, OptionError, RecordError, RulesError
from tarot_sim.rules import Rules
from tests.records import ENDING, FOUR, changed, played

#: Chi-square is above with probability 1e-4, by the degrees of freedom.
UNLIKELY = {3: 21.1, 6: 27.9, 23: 57.1}


def chi_square(observed: Iterable[int], expected: Iterable[float]) -> float:
    return sum((o - e) ** 2 / e for o, e in zip(observed, expected, strict=True))


class TestRandom:
    @pytest.mark.parametrize("players", [3, 4, 5])
    def test_deals_the_whole_pack(self, players: int) -> None:
        rules = Rules(players=players)
        deal = Deal.random(players, rng=1)
        assert [len(hand) for hand in deal.hands] == [rules.hand_size] * players
        assert len(deal.dog) == rules.dog_size
        assert sum(hand.mask for hand in deal.hands) + deal.dog.mask == FULL_MASK
        assert deal.taker is None
        assert deal.rules == rules

    def test_stream_is_frozen(self) -> None:
        deal = Deal.random(rng=1)
        assert deal.dealer == 0
        assert str(deal.dog) == "P:10,8 K:R,8,5 T:7"

    def test_same_seed_same_deal(self) -> None:
        assert Deal.random(rng=5) == Deal.random(rng=5)
        assert Deal.random(rng=5) != Deal.random(rng=6)
        assert Deal.random() != Deal.random()

    def test_generators_move_on(self) -> None:
        generator = np.random.Generator(np.random.PCG64DXSM(5))
        first, second = Deal.random(rng=generator), Deal.random(rng=generator)
        assert first == Deal.random(rng=5)
        assert second != first
        assert Deal.random(rng=np.random.PCG64DXSM(5)) == first

    def test_generator_of_32_bits(self) -> None:
        words = Draws(np.random.MT19937(1))
        twin = np.random.MT19937(1).random_raw(2)
        expected = [words.word() for _ in range(78)][-1]  # a block is handed out from its end
        assert expected == int(twin[0]) << 32 | int(twin[1])

    def test_dealer_and_rules(self) -> None:
        rules = Rules(players=5, petit_sec="off")
        assert Deal.random(rng=1, rules=rules).rules == rules
        assert rules == Deal.random(5, rng=1, rules=rules).rules
        with pytest.raises(RulesError, match="players: 3, but the rules are for 5"):
            Deal.random(3, rng=1, rules=rules)
        assert {Deal.random(3, rng=seed).dealer for seed in range(20)} == {0, 1, 2}
        assert Deal.random(rng=1, dealer=2).dealer == 2
        with pytest.raises(OptionError, match="dealer: 4 is not a seat"):
            Deal.random(rng=1, dealer=4)
        with pytest.raises(RulesError, match="players"):
            Deal.random(6)

    def test_petit_sec_is_dealt_again(self) -> None:
        rules = Rules(players=5, petit_sec="off")
        seeds = [
            seed
            for seed in range(300)
            if any(hand.is_petit_sec() for hand in Deal.random(rng=seed, rules=rules).hands)
        ]
        assert seeds
        for seed in seeds:
            assert not any(hand.is_petit_sec() for hand in Deal.random(5, rng=seed).hands)

    def test_petit_is_anywhere(self) -> None:
        draws, rules = Draws(11), Rules(players=3, petit_sec="off")
        places = Counter(
            Deal.random(rng=draws, rules=rules, dealer=0).holder(PETIT) for _ in range(2000)
        )
        observed = [places[0], places[1], places[2], places[None]]
        assert chi_square(observed, [2000 * n / 78 for n in (24, 24, 24, 6)]) < UNLIKELY[3]


class TestDraws:
    def test_below_is_uniform(self) -> None:
        draws = Draws(3)
        counts = Counter(draws.below(7) for _ in range(7000))
        assert set(counts) == set(range(7))
        assert chi_square(counts.values(), [1000] * 7) < UNLIKELY[6]

    def test_unfair_words_are_drawn_again(self) -> None:
        draws = Draws(1)
        # 2**64 % 3 is 1, so of the words the one whose product has low half 0 is unfair.
        draws._words = [2**64 - 1, 0]
        assert draws.below(3) == 2
        assert draws._words == []

    def test_shuffles_are_uniform(self) -> None:
        draws = Draws(4)
        counts = Counter(tuple(draws.shuffled(range(4))) for _ in range(4800))
        assert len(counts) == 24
        assert chi_square(counts.values(), [200] * 24) < UNLIKELY[23]


class TestPhysical:
    def test_riffle_has_two_rising_sequences(self) -> None:
        draws = Draws(1)
        for _ in range(50):
            shuffled = riffle(range(78), draws)
            assert sorted(shuffled) == list(range(78))
            place = {card: i for i, card in enumerate(shuffled)}
            breaks = sum(place[card] > place[card + 1] for card in range(77))
            assert breaks <= 1

    def test_riffle_is_the_model(self) -> None:
        """Of n cards the unshuffled order has probability (n + 1) / 2**n."""
        draws = Draws(2)
        count = sum(riffle(range(3), draws) == [0, 1, 2] for _ in range(4000))
        assert abs(count / 4000 - 0.5) < 0.035

    def test_cut_keeps_the_cycle(self) -> None:
        draws = Draws(1)
        tops = set()
        for _ in range(500):
            pack = cut(range(78), draws)
            assert pack == [(pack[0] + i) % 78 for i in range(78)]
            tops.add(pack[0])
        assert min(tops) == 4
        assert max(tops) == 74

    @pytest.mark.parametrize("players", [3, 4, 5])
    def test_packets(self, players: int) -> None:
        rules, draws = Rules(players=players), Draws(players)
        for dealer in range(players):
            hands, dog = deal_packets(range(78), rules, dealer, draws)
            assert [len(hand) for hand in hands] == [rules.hand_size] * players
            assert len(dog) == rules.dog_size
            assert 0 not in dog
            assert 77 not in dog
            assert 0 in hands[(dealer + 1) % players]
            assert 77 in hands[dealer]
            # Without a shuffle a packet is a run of cards, never longer than a packet.
            assert not any(card + 1 in dog for card in dog)

    def test_mere_cut_keeps_packets_together(self) -> None:
        rules = Rules(petit_sec="off")
        deal = Deal.physical(rng=1, rules=rules, riffles=0, pack=range(78))
        runs = sum((hand.mask & hand.mask << 1).bit_count() for hand in deal.hands)
        # Each packet of three has two neighbours; the cut breaks at most one packet.
        assert runs >= 47

    def test_default_pack_and_seed(self) -> None:
        for players in (3, 4, 5):
            deal = Deal.physical(players, rng=2)
            assert deal == Deal.physical(players, rng=2)
            assert sum(hand.mask for hand in deal.hands) | deal.dog.mask == FULL_MASK
            assert not any(hand.is_petit_sec() for hand in deal.hands)

    def test_errors(self) -> None:
        with pytest.raises(OptionError, match="riffles: -1 is negative"):
            Deal.physical(rng=1, riffles=-1)
        with pytest.raises(HandError, match="pack: expected each of the 78 cards once"):
            Deal.physical(rng=1, pack=[0] * 78)

    def test_collected_pack(self) -> None:
        deal = Deal.from_dict(changed(FOUR, plays=[]))
        whole = played(deal, 1)
        pack = collected_pack(whole)
        assert sorted(pack) == list(CARDS)
        first = whole.plays[:4]  # the taker's, so it lies next to the écart, face down
        attack = pack[: pack.index(first[0]) + 1]
        assert set(attack[-4:]) == set(first)
        with pytest.raises(RecordError, match="played out"):
            collected_pack(deal)
        with pytest.raises(RecordError, match="played out"):
            collected_pack(Deal.from_dict(ENDING))


@pytest.mark.parametrize("make", [Deal.random, Deal.physical])
def test_seeds_differ(make: Callable[..., Deal]) -> None:
    assert len({make(rng=seed).hands for seed in range(10)}) == 10
