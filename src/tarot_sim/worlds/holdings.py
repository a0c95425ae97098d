"""Who holds what: the table questions of players, answered by counting.

How do the missing Cœurs split, does the Roi pass the first round, is the 21 in the dog, how
often has a hand a poignée? `odds` knows a player's hand, the dog, or nothing, and answers with
fractions: nothing is sampled, and a Petit sec is dealt again as the rules say.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Any, Final, Literal, SupportsIndex

from tarot_sim.arguments import integer, some
from tarot_sim.cards import (
    BOUTS_MASK,
    EXCUSE,
    PETIT,
    ROIS_MASK,
    SUIT_MASKS,
    Card,
    Hand,
)
from tarot_sim.errors import BidError, CardError, HandError
from tarot_sim.notation import SUIT_LETTERS, TRUMP, fold, shown, suit_named
from tarot_sim.rules import POIGNEES, Rules, table_of
from tarot_sim.rules.auction import check_call
from tarot_sim.rules.scoring import card_points
from tarot_sim.worlds.hidden_cards import HiddenCards, unseen

#: How likely a number of cards (or of something) is. What cannot be is left out.
Law = dict[int, Fraction]

_BOUTS: Final = Hand.from_mask(BOUTS_MASK)
_ROIS: Final = Hand.from_mask(ROIS_MASK)
_TRUMPS: Final = Hand.from_mask(SUIT_MASKS[TRUMP])
_TRUMPS_AND_EXCUSE: Final = Hand.from_mask(SUIT_MASKS[TRUMP] | 1 << EXCUSE)
#: The trumps and the suits, as `Odds.to_dict` lists them.
_LETTERS: Final = "A" + SUIT_LETTERS


def at_least(law: Law, least: int) -> Fraction:
    """Return the chance of `least` or more.

    Examples
    --------
    >>> at_least({0: Fraction(1, 2), 1: Fraction(1, 3), 2: Fraction(1, 6)}, 1)
    Fraction(1, 2)
    """
    return sum((chance for count, chance in law.items() if count >= least), Fraction(0))


def mean_and_sd(law: Law) -> tuple[float, float]:
    """Return the mean of a law and its standard deviation."""
    mean = sum((count * chance for count, chance in law.items()), Fraction(0))
    square = sum((count * count * chance for count, chance in law.items()), Fraction(0))
    return float(mean), sqrt(square - mean * mean)


@dataclass(frozen=True, slots=True)
class SplitOdds:
    """How some hidden cards, say the missing ones of a suit, may lie.

    Attributes
    ----------
    cards
        The hidden cards among those asked about.
    splits
        The chance of each split over the other hands, the longest first: ``(4, 3, 1)``. What is
        missing in a split is in the dog.
    hand
        How many of the cards one given other hand has.
    dog
        How many the dog has; where it has been seen, none.
    """

    cards: Hand
    splits: dict[tuple[int, ...], Fraction]
    hand: Law
    dog: Law

    @property
    def longest(self) -> Law:
        """How many of the cards the hand that has most of them has."""
        law: Law = {}
        for split, chance in self.splits.items():
            law[split[0]] = law.get(split[0], Fraction(0)) + chance
        return dict(sorted(law.items()))

    @property
    def p_void(self) -> Fraction:
        """One given other hand has none of the cards."""
        return self.hand.get(0, Fraction(0))

    @property
    def p_singleton(self) -> Fraction:
        """One given other hand has exactly one."""
        return self.hand.get(1, Fraction(0))

    @property
    def p_no_void(self) -> Fraction:
        """Every other hand has one at least: the Roi of the suit passes the first round."""
        return sum((chance for split, chance in self.splits.items() if split[-1]), Fraction(0))

    @property
    def p_any_void(self) -> Fraction:
        """One of the other hands, or more, has none."""
        return 1 - self.p_no_void

    @property
    def p_any_singleton(self) -> Fraction:
        """One of the other hands, or more, has exactly one."""
        return sum((chance for split, chance in self.splits.items() if 1 in split), Fraction(0))

    @property
    def p_together(self) -> Fraction:
        """One of the other hands has them all."""
        return self.longest.get(len(self.cards), Fraction(0))

    def to_dict(self) -> dict[str, Any]:
        """Return the answer with the keys of the command line's JSON, the likeliest first."""
        count = len(self.cards)
        return {
            "missing": count,
            "cards": str(self.cards),
            "splits": [
                {"split": list(split), "dog": count - sum(split), "p": float(chance)}
                for split, chance in sorted(self.splits.items(), key=lambda item: -item[1])
            ],
            "longest": _floats(self.longest),
            "hand": _floats(self.hand),
            "dog": _floats(self.dog),
            "p_void": float(self.p_void),
            "p_singleton": float(self.p_singleton),
            "p_no_void": float(self.p_no_void),
            "p_any_void": float(self.p_any_void),
            "p_any_singleton": float(self.p_any_singleton),
            "p_together": float(self.p_together),
        }


@dataclass(frozen=True, slots=True)
class CardOdds:
    """Where one card may be.

    Attributes
    ----------
    card
        The card.
    seen
        Where it has been seen, so that there is nothing to ask; None while it is hidden.
    p_dog
        It is in the dog.
    p_hand
        One given other player has it.
    p_others
        Any of the other players has it.
    p_partner
        The player with the called card has it; None where no card was called.
    """

    card: Card
    seen: Literal["hand", "dog"] | None
    p_dog: Fraction
    p_hand: Fraction
    p_others: Fraction
    p_partner: Fraction | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the answer with the keys of the command line's JSON."""
        answer = {
            "card": self.card.name,
            "seen": self.seen,
            "p_dog": float(self.p_dog),
            "p_hand": float(self.p_hand),
            "p_others": float(self.p_others),
        }
        if self.p_partner is not None:
            answer["p_partner"] = float(self.p_partner)
        return answer


@dataclass(frozen=True, slots=True)
class HandOdds:
    """What a hand that is not known, or the dog, may have.

    Attributes
    ----------
    size
        Cards it has.
    bouts, trumps, trumps_and_excuse, rois
        How many of these; a trump is a numbered one but in `trumps_and_excuse`.
    half_points
        What it is worth, in half points.
    voids
        How many of the four suits are missing.
    shortest, longest
        Length of its shortest and its longest suit, trumps aside.
    poignees
        The chance that it has a poignée, by its level, the Excuse used where it may be; a
        double one is a simple one as well.
    """

    size: int
    bouts: Law
    trumps: Law
    trumps_and_excuse: Law
    rois: Law
    half_points: Law
    voids: Law
    shortest: Law
    longest: Law
    poignees: dict[str, Fraction]

    def to_dict(self) -> dict[str, Any]:
        """Return the answer with the keys of the command line's JSON."""
        mean, sd = mean_and_sd(self.half_points)
        counts = ("bouts", "trumps", "trumps_and_excuse", "rois", "voids", "shortest", "longest")
        return {
            "size": self.size,
            **{name: _floats(getattr(self, name)) for name in counts},
            "points": {
                str(card_points(half_points)): float(chance)
                for half_points, chance in self.half_points.items()
            },
            "mean_points": mean / 2,
            "sd_points": sd / 2,
            "poignees": {level: float(chance) for level, chance in self.poignees.items()},
        }


@dataclass(frozen=True, slots=True)
class Odds:
    """All that may be asked of the hidden cards; made by `odds`.

    Attributes
    ----------
    hand
        The player's cards as dealt, if they are known.
    dog
        The dog, if it has been seen.
    rules
        The table.
    hidden
        The law of the other cards.

    Examples
    --------
    A taker with four Piques and the Roi: how do the ten others lie, does the Roi pass?

    >>> hand = "A:21,16,12,9,6,2,EX P:R,D,6,3 C:V,8 K:R,4 T:V,9,5"
    >>> piques = odds(hand, dog="C:7 K:3,2 T:10,2,1").suit("P")
    >>> [f"{split}: {float(chance):.3f}" for split, chance in piques.splits.items()][-3:]
    ['(5, 3, 2): 0.268', '(4, 4, 2): 0.180', '(4, 3, 3): 0.256']
    >>> f"{float(piques.p_no_void):.3f}"
    '0.968'
    """

    hand: Hand | None
    dog: Hand | None
    rules: Rules
    hidden: HiddenCards

    @property
    def p_petit_sec(self) -> Fraction:
        """How likely the shuffle gives a hidden hand the Petit sec, whatever the rules say.

        Where such a deal is cancelled, all other chances are those of the deals that are
        played; this one says how far they are at most from those of the mere shuffle.
        """
        return Fraction(self.hidden.seats * self.hidden.petit_sec_deals, self.hidden.all_deals)

    def split(self, cards: str | Hand | Iterable[SupportsIndex | str]) -> SplitOdds:
        """Return how the hidden ones among `cards` lie.

        Examples
        --------
        Are the 21 and the Excuse in the dog, or in one hand?

        >>> bouts = odds().split("A21,EX")
        >>> f"{float(bouts.dog[2]):.4f} {float(bouts.p_together):.4f}"
        '0.0050 0.2037'
        """
        hidden = Hand(cards) & self.hidden.cards
        return SplitOdds(
            hidden,
            self.hidden.splits(hidden),
            self.hidden.count(hidden, seat=True),
            self.hidden.count(hidden, dog=True),
        )

    def suit(self, suit: int | str) -> SplitOdds:
        """Return how the missing cards of a suit lie, or the missing numbered trumps.

        Parameters
        ----------
        suit
            0…3 or ``P``, ``C``, ``K``, ``T``; 4 or ``A`` for the trumps. For the trumps with
            the Excuse ask `split`.

        Raises
        ------
        CardError
            If there is no such suit.
        """
        return self.split(Hand.from_mask(SUIT_MASKS[_suit_number(suit)]))

    def card(
        self, card: SupportsIndex | str, *, called: SupportsIndex | str | None = None
    ) -> CardOdds:
        """Return where a card may be.

        Parameters
        ----------
        card
            The card.
        called
            Five players: the card that the player calls. Who has it is the partner; in the
            dog or in the player's own hand it makes no partner.

        Raises
        ------
        CardError
            If there is no such card.
        BidError
            If the player may not call that card, or their hand is not known.

        Examples
        --------
        >>> petit = odds("A:21,16,12,9,6,2,EX P:R,D,6,3 C:V,8 K:R,4 T:V,9,5").card("A1")
        >>> f"{float(petit.p_dog):.4f} {float(petit.p_others):.4f}"
        '0.1004 0.8996'
        """
        one = Card(card)
        p_partner = None if called is None else self._p_partner(one, Card(called))
        places: tuple[tuple[Literal["hand", "dog"], Hand | None], ...] = (
            ("hand", self.hand),
            ("dog", self.dog),
        )
        none = Fraction(0)
        for place, cards in places:
            if cards is not None and one in cards:
                return CardOdds(one, place, none, none, none, p_partner)
        law = self.split(Hand([one]))
        p_dog = law.dog.get(1, Fraction(0))
        return CardOdds(one, None, p_dog, law.p_singleton, 1 - p_dog, p_partner)

    def _p_partner(self, card: Card, called: Card) -> Fraction:
        """Return the chance that one other hand has both a card and the called one."""
        if self.hand is None:
            raise BidError("called: a card is called with a hand, there is none")
        check_call(called, self.hand, self.rules)
        both = Hand({card, called})
        if both & self.hidden.cards != both:
            return Fraction(0)
        return self.split(both).p_together

    def other_hand(self) -> HandOdds:
        """Return what one given other player may have; without a known hand, a random hand."""
        return self._hand_odds(Hand(), seat=True)

    def hidden_dog(self) -> HandOdds:
        """Return what the dog may have.

        Raises
        ------
        HandError
            If it has been seen.
        """
        if self.dog is not None:
            raise HandError("dog: it has been seen, there is nothing to ask")
        return self._hand_odds(Hand(), dog=True)

    def with_dog(self) -> HandOdds:
        """Return what the player's hand and the dog may have together, before the écart.

        Without a known hand, what a random hand and the dog may have.
        """
        if self.hand is None:
            return self._hand_odds(self.dog or Hand(), seat=True, dog=True)
        return self._hand_odds(self.hand | (self.dog or Hand()), dog=True)

    def any_poignee(self) -> dict[str, Fraction]:
        """Return the chance that one or more of the other hands has a poignée, by its level."""
        longest = self.split(_TRUMPS_AND_EXCUSE).longest
        return self._poignees(longest)

    def to_dict(
        self,
        suits: Sequence[int | str] = _LETTERS,
        cards: str | Hand | Iterable[SupportsIndex | str] = (),
        called: SupportsIndex | str | None = None,
    ) -> dict[str, Any]:
        """Return the answer with the keys of the command line's JSON.

        Parameters
        ----------
        suits
            The suits whose splits are told: all, and the trumps, by default.
        cards
            Cards whose places are told, each by itself and all of them together.
        called
            Five players: the card that the player calls.

        Returns
        -------
        dict
            Chances as floats, 0…1. A law is an object whose keys are the numbers, as text.

            ``players, hand, dog, petit_sec``
                What was asked; hand and dog may be null, ``petit_sec`` is the rule.
            ``p_petit_sec``
                `p_petit_sec`.
            ``hands``
                How many hands are hidden.
            ``suits``
                By letter, see `SplitOdds.to_dict`.
            ``other_hand``, ``dog_cards``, ``with_dog``
                See `HandOdds.to_dict`; ``dog_cards`` is null where the dog has been seen.
            ``any_poignee``
                By level.
            ``cards``, ``together``
                Only where cards are asked about: a list, see `CardOdds.to_dict`, and how the
                hidden ones of them lie, see `SplitOdds.to_dict`.
            ``called``
                Only where a card was called: its name.
        """
        asked = Hand(cards)
        letters = {_LETTERS[(_suit_number(suit) + 1) % 5]: suit for suit in some("suits", suits)}
        answer: dict[str, Any] = {
            "players": self.rules.players,
            "hand": None if self.hand is None else str(self.hand),
            "dog": None if self.dog is None else str(self.dog),
            "petit_sec": self.rules.petit_sec,
            "p_petit_sec": float(self.p_petit_sec),
            "hands": self.hidden.seats,
            "suits": {letter: self.suit(suit).to_dict() for letter, suit in letters.items()},
            "other_hand": self.other_hand().to_dict(),
            "dog_cards": None if self.dog is not None else self.hidden_dog().to_dict(),
            "with_dog": self.with_dog().to_dict(),
            "any_poignee": {name: float(chance) for name, chance in self.any_poignee().items()},
        }
        if asked:
            answer["cards"] = [self.card(card, called=called).to_dict() for card in asked]
            answer["together"] = self.split(asked).to_dict()
        if called is not None:
            answer["called"] = Card(called).name
        return answer

    def _hand_odds(self, held: Hand, *, seat: bool = False, dog: bool = False) -> HandOdds:
        """Return what cards that are known and some that are hidden have together."""
        hidden = self.hidden
        lengths = [len(held.suit(suit)) for suit in range(TRUMP)]

        def count(cards: Hand) -> Law:
            more = len(held & cards)
            return hidden.total(
                lambda card: card in cards, seat=seat, dog=dog, name=lambda total: total + more
            )

        def shape(hidden_lengths: tuple[int, ...]) -> tuple[int, int, int]:
            both = [sum(pair) for pair in zip(lengths, hidden_lengths, strict=True)]
            return both.count(0), min(both), max(both)

        shapes = hidden.lengths(shape, seat=seat, dog=dog)
        trumps_and_excuse = count(_TRUMPS_AND_EXCUSE)
        points = hidden.half_points(seat=seat, dog=dog)
        return HandOdds(
            size=len(held) + hidden.hand_size * seat + hidden.dog_size * dog,
            bouts=count(_BOUTS),
            trumps=count(_TRUMPS),
            trumps_and_excuse=trumps_and_excuse,
            rois=count(_ROIS),
            half_points={held.half_points + more: chance for more, chance in points.items()},
            voids=_marginal(shapes, 0),
            shortest=_marginal(shapes, 1),
            longest=_marginal(shapes, 2),
            poignees=self._poignees(trumps_and_excuse),
        )

    def _poignees(self, trumps_and_excuse: Law) -> dict[str, Fraction]:
        sizes = self.rules.poignee_trumps
        return {
            level: at_least(trumps_and_excuse, size)
            for level, size in zip(POIGNEES, sizes, strict=True)
        }


def odds(
    hand: str | Hand | Iterable[SupportsIndex | str] | None = None,
    *,
    dog: str | Hand | Iterable[SupportsIndex | str] | None = None,
    players: int | None = None,
    rules: Rules | None = None,
) -> Odds:
    """Return how the cards that a player does not see may lie.

    Parameters
    ----------
    hand
        The player's cards as dealt; None for who has seen none: then the hidden hands are
        those of all players, and `Odds.other_hand` is a random hand.
    dog
        The dog, where it has been seen.
    players
        3, 4 or 5; by default as in `rules`, else 4.
    rules
        The options. By default a deal with a Petit sec is dealt again, and the chances are
        those of the deals that are played; ``petit_sec="off"`` is the mere shuffle.

    Raises
    ------
    HandError
        If the hand or the dog has a wrong number of cards, they share one, the hand is a Petit
        sec that the rules cancel, or all deals with them are cancelled.
    CardError, RulesError
        If a card or the table is not known.

    Examples
    --------
    >>> table = odds()
    >>> f"{float(table.other_hand().bouts[3]):.4f} {float(table.p_petit_sec):.4f}"
    '0.0107 0.0018'
    """
    table = table_of(players, rules)
    own = None if hand is None else Hand(hand, size=table.hand_size)
    seen = None if dog is None else Hand(dog)
    cancel = table.petit_sec == "cancel"
    if own is not None and cancel and own.is_petit_sec():
        raise HandError(
            f"the hand is a Petit sec (its only trump is {Card(PETIT)}): the deal is cancelled"
        )
    if seen is not None and len(seen) != table.dog_size:
        raise HandError(f"dog: {len(seen)} cards, expected {table.dog_size}")
    if own is not None and seen is not None and own & seen:
        raise HandError(f"dog: {min(own & seen)} is in the hand too")
    hidden = HiddenCards(
        unseen(own or Hand(), seen or Hand()),
        seats=table.players - (own is not None),
        hand_size=table.hand_size,
        dog_size=table.dog_size if seen is None else 0,
        cancel=cancel,
    )
    if not hidden.deals:
        raise HandError("dog: with this hand every deal has a Petit sec and is cancelled")
    return Odds(own, seen, table, hidden)


def _suit_number(suit: int | str) -> int:
    number = suit_named(fold(suit.strip())) if isinstance(suit, str) else integer("suit", suit)
    if number is None or not 0 <= number <= TRUMP:
        raise CardError(f"suit: {shown(suit)} is none of P C K T, A for the trumps")
    return number


def _marginal(law: dict[tuple[int, int, int], Fraction], place: int) -> Law:
    found: Law = {}
    for key, chance in law.items():
        found[key[place]] = found.get(key[place], Fraction(0)) + chance
    return dict(sorted(found.items()))


def _floats(law: Law) -> dict[str, float]:
    return {str(count): float(chance) for count, chance in law.items()}
