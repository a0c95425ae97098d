"""Cards to make an écart from."""

from __future__ import annotations

from random import Random

from tarot_sim.cards import Hand
from tarot_sim.rules import Rules

#: Case 16: four Rois, 15 trumps, five plain cards.
STUCK = Hand("A:21,20,19,18,17,16,15,14,13,12,11,10,9,8,7 P:R,2,3 C:R,4,5 K:R T:R,6", size=24)


def random_cards(rules: Rules, random: Random) -> Hand:
    """Return a hand and dog; one in four has so many trumps that some must go."""
    size = rules.hand_size + rules.dog_size
    if random.random() < 0.75:
        return Hand(random.sample(range(78), size))
    strong = [*range(56, 78), 13, 27, 41, 55]
    most = min(size, len(strong))
    kept = random.sample(strong, random.randint(most - 4, most))
    plain = [card for card in range(56) if card % 14 != 13]
    return Hand(kept + random.sample(plain, size - len(kept)))
