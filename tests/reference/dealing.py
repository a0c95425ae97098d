"""Sections 2 and 4 to 6: what may be done before the first card is played."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from tests.reference.deck import BOUTS, EXCUSE, PETIT, PLAIN_SUITS, ROIS, SUIT, TRUMP

#: Section 6: trumps that a simple, a double and a triple poignée show.
POIGNEE_TRUMPS = {3: (13, 15, 18), 4: (10, 13, 15), 5: (8, 10, 13)}


def numbered_trumps(cards: Sequence[str]) -> list[str]:
    """Return the numbered trumps among `cards`: the Excuse is none."""
    return [card for card in cards if SUIT[card] == TRUMP]


def is_petit_sec(hand: Sequence[str]) -> bool:
    """Tell whether the Petit is the only numbered trump, without the Excuse (section 2)."""
    return numbered_trumps(hand) == [PETIT] and EXCUSE not in hand


def callable_cards(hand: Sequence[str], *, must_call_lower: bool = True) -> list[str]:
    """Return the cards that the taker may call at five players (section 4)."""
    allowed: list[str] = []
    for rank in ("R", "D", "C", "V"):
        four = [suit + rank for suit in PLAIN_SUITS]
        if not set(four) <= set(hand):
            return allowed + four
        if not must_call_lower:
            allowed += four
    raise AssertionError("no hand of 15 cards has all 16 honours")


def is_legal_ecart(hand_and_dog: Sequence[str], ecart: Sequence[str], size: int) -> bool:
    """Tell whether `ecart` may be discarded: `size` cards of hand and dog (section 5)."""
    if len(ecart) != size or len(set(ecart)) != size or not set(ecart) <= set(hand_and_dog):
        return False
    if any(card in ROIS or card in BOUTS for card in ecart):
        return False
    plain = [card for card in hand_and_dog if SUIT[card] in PLAIN_SUITS and card not in ROIS]
    return len(numbered_trumps(ecart)) == max(0, size - len(plain))


def legal_ecarts(hand_and_dog: Sequence[str], size: int) -> Iterator[tuple[str, ...]]:
    """Yield every legal écart, by trying every choice of `size` cards."""
    for ecart in combinations(hand_and_dog, size):
        if is_legal_ecart(hand_and_dog, ecart, size):
            yield ecart


def can_show_poignee(players: int, level: int, numbered: int, *, excuse: bool) -> bool:
    """Tell whether a hand can show level 0, 1 or 2 with that many numbered trumps."""
    needed = POIGNEE_TRUMPS[players][level]
    return numbered >= needed or (numbered == needed - 1 and excuse)


def is_legal_poignee(players: int, level: int, cards: Sequence[str], shown: Sequence[str]) -> bool:
    """Tell whether `shown` may be shown by who has `cards` (hand and own écart, section 6)."""
    trumps = numbered_trumps(cards)
    if len(shown) != POIGNEE_TRUMPS[players][level] or len(set(shown)) != len(shown):
        return False
    if EXCUSE not in shown:
        return set(shown) <= set(trumps)
    return EXCUSE in cards and set(shown) == {EXCUSE, *trumps}
