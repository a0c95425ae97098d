"""Conditions on dealt hands, and deals that meet them.

The language, from the loosest to the tightest binding::

    condition:   either                      that is no bare number
    either:      both ("or" both)*
    both:        negation ("and" negation)*
    negation:    "not"* comparison
    comparison:  sum (("<" | "<=" | "==" | "!=" | ">=" | ">") sum)*
    sum:         term (("+" | "-") term)*
    term:        NUMBER | [(SEAT | "dog") "."] FEATURE | "(" either ")"

A chain such as ``5 <= trumps <= 7`` means both of its parts, and a feature by itself
that it is not 0. All values are kept doubled, so that half points are whole.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final, SupportsIndex

from tarot_sim.cards import BOUTS_MASK, EXCUSE, PETIT, ROIS_MASK, SUIT_MASKS, VINGT_ET_UN, Card
from tarot_sim.errors import CardError, TarotError
from tarot_sim.notation import SUIT_LETTERS, TRUMP
from tarot_sim.rules import Rules
from tarot_sim.rules.chavey import chavey_count

if TYPE_CHECKING:
    from tarot_sim.deals.deal import Deal
    from tarot_sim.deals.dealing import Dealt

#: Deals drawn at most for one that is wanted.
DEFAULT_TRIES: Final = 1_000_000

#: The hands by seat, then the dog, as sets of cards.
_Places = tuple[int, ...]
#: Twice a number, or twice a truth (0 or 2).
_Value = Callable[[_Places], int]

_DAMES_MASK: Final = ROIS_MASK >> 1
_HONOURS_MASK: Final = ROIS_MASK | ROIS_MASK >> 1 | ROIS_MASK >> 2 | ROIS_MASK >> 3


class ConditionError(TarotError):
    """A condition that cannot be read, or that no deal drawn has met."""


def _lengths(cards: int) -> list[int]:
    return [(cards & mask).bit_count() for mask in SUIT_MASKS[:TRUMP]]


def _half_points(cards: int) -> int:
    # One half point a card; 8, 6, 4 and 2 more from a bout or a Roi down to a Valet.
    rungs = ((BOUTS_MASK, 8), *((ROIS_MASK >> rung, 8 - 2 * rung) for rung in range(4)))
    return cards.bit_count() + sum(more * (cards & mask).bit_count() for mask, more in rungs)


def _number_of(mask: int) -> Callable[[int], int]:
    return lambda cards: 2 * (cards & mask).bit_count()


#: What can be asked of a set of cards, each twice as a whole number.
_FEATURES: Final[dict[str, Callable[[int], int]]] = {
    "trumps": _number_of(SUIT_MASKS[TRUMP]),
    "bouts": _number_of(BOUTS_MASK),
    "points": _half_points,
    "rois": _number_of(ROIS_MASK),
    "dames": _number_of(_DAMES_MASK),
    "honours": _number_of(_HONOURS_MASK),
    "voids": lambda cards: 2 * _lengths(cards).count(0),
    "singletons": lambda cards: 2 * _lengths(cards).count(1),
    "longest": lambda cards: 2 * max(_lengths(cards)),
    **{
        letter.lower(): _number_of(mask)
        for letter, mask in zip(SUIT_LETTERS, SUIT_MASKS, strict=False)
    },
    "petit": _number_of(1 << PETIT),
    "vingtetun": _number_of(1 << VINGT_ET_UN),
    "excuse": _number_of(1 << EXCUSE),
    "chavey": lambda cards: 2 * chavey_count(cards).total,
}

#: Names of the features as they are shown.
FEATURES: Final[tuple[str, ...]] = tuple(
    name.upper() if len(name) == 1 else name for name in _FEATURES
)

_COMPARISONS: Final[dict[str, Callable[[int, int], bool]]] = {
    "<": operator.lt,
    "<=": operator.le,
    "==": operator.eq,
    "!=": operator.ne,
    ">=": operator.ge,
    ">": operator.gt,
}

_TOKEN: Final = re.compile(
    r"(?P<name>(?:\w+\.)?[^\W\d]\w*)|(?P<number>\d+(?:[.,]\d+)?)|(?P<sign>[<>=!]=|[<>()+-])"
)
_MOST_NESTED: Final = 100


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    shown: str
    where: int

    @property
    def text(self) -> str:
        return self.shown.lower()

    def error(self, reason: str) -> ConditionError:
        found = repr(self.shown) if self.shown else "the end"
        return ConditionError(f"condition: {found} at character {self.where}: {reason}")


def _tokens(text: str) -> list[_Token]:
    """Return the tokens of `text`, the last of them its end."""
    tokens: list[_Token] = []
    place = 0
    while place < len(text):
        if text[place].isspace():
            place += 1
            continue
        match = _TOKEN.match(text, place)
        if match is None or match.lastgroup is None:
            hint = "write ==" if text[place] == "=" else "not understood"
            raise _Token("?", text[place], place + 1).error(hint)
        tokens.append(_Token(match.lastgroup, match.group(), place + 1))
        place = match.end()
    return [*tokens, _Token("end", "", len(text) + 1)]


class _Parser:
    """Reads one condition; each method reads the rule of its name."""

    def __init__(self, text: str, players: int) -> None:
        self._tokens = _tokens(text)
        self._place = 0
        self._nested = 0
        self._players = players
        #: The numbers read that stand for themselves so far.
        self._bare: dict[_Value, _Token] = {}

    @property
    def _next(self) -> _Token:
        return self._tokens[self._place]

    def _take(self) -> _Token:
        token = self._next
        self._place += 1
        return token

    def condition(self) -> _Value:
        value = self._truth(self._either())
        if self._next.kind != "end":
            raise self._next.error("expected and, or, a comparison or the end")
        return value

    def _truth(self, value: _Value) -> _Value:
        """Return `value`, which is used as a truth."""
        if value in self._bare:
            raise self._bare[value].error("a number by itself is no condition")
        return value

    def _either(self) -> _Value:
        return self._joined("or", self._both, any)

    def _both(self) -> _Value:
        return self._joined("and", self._negation, all)

    def _joined(
        self, word: str, read: Callable[[], _Value], join: Callable[[Iterable[int]], bool]
    ) -> _Value:
        parts = [read()]
        while self._next.text == word:
            self._take()
            parts.append(read())
        if len(parts) == 1:
            return parts[0]
        parts = list(map(self._truth, parts))
        return lambda places: 2 * join(part(places) for part in parts)

    def _negation(self) -> _Value:
        negated = 0
        while self._next.text == "not":
            self._take()
            negated += 1
        value = self._comparison()
        if not negated:
            return value
        value = self._truth(value)
        wanted = negated % 2 == 0
        return lambda places: 2 * ((value(places) != 0) == wanted)

    def _comparison(self) -> _Value:
        terms, tests = [self._sum()], []
        while self._next.text in _COMPARISONS:
            tests.append(_COMPARISONS[self._take().text])
            terms.append(self._sum())
        if not tests:
            return terms[0]

        def compare(places: _Places) -> int:
            values = [term(places) for term in terms]
            pairs = zip(tests, pairwise(values), strict=True)
            return 2 * all(test(left, right) for test, (left, right) in pairs)

        return compare

    def _sum(self) -> _Value:
        terms, signs = [self._term()], [1]
        while self._next.text in ("+", "-"):
            signs.append(1 if self._take().text == "+" else -1)
            terms.append(self._term())
        if len(terms) == 1:
            return terms[0]
        return lambda places: sum(
            sign * term(places) for sign, term in zip(signs, terms, strict=True)
        )

    def _term(self) -> _Value:
        token = self._take()
        if token.kind == "number":
            return self._number(token)
        if token.kind == "name" and token.text not in ("and", "or", "not"):
            return self._feature(token)
        if token.text != "(":
            raise token.error("expected a feature, a number or a parenthesis")
        self._nested += 1
        if self._nested > _MOST_NESTED:
            raise token.error(f"more than {_MOST_NESTED} parentheses in one another")
        value = self._either()
        if self._next.text != ")":
            raise self._next.error(f"expected a parenthesis for the one at character {token.where}")
        self._take()
        self._nested -= 1
        return value

    def _number(self, token: _Token) -> _Value:
        doubled = 2 * float(token.text.replace(",", "."))
        if not doubled.is_integer():
            raise token.error("not a multiple of 0.5")
        number = int(doubled)

        def value(_places: _Places) -> int:
            return number

        self._bare[value] = token
        return value

    def _feature(self, token: _Token) -> _Value:
        place, dot, name = token.text.rpartition(".")
        where = self._where(token, place) if dot else 0
        feature = _FEATURES.get(name)
        if feature is None:
            try:
                feature = _number_of(1 << Card.parse(name))
            except CardError:
                raise token.error(
                    f"no feature, they are {', '.join(FEATURES)}, and cards such as PR"
                ) from None
        return lambda places: feature(places[where])

    def _where(self, token: _Token, place: str) -> int:
        """Return the place of the seat or dog that a feature is asked of."""
        if place == "dog":
            return self._players
        if place not in map(str, range(self._players)):
            raise token.error(f"{place!r} is neither dog nor a seat of 0…{self._players - 1}")
        return int(place)


class Condition:
    """What dealt hands must be like, such as ``trumps>=7 and dog.rois==0``.

    The features are ``trumps`` (numbered ones), ``bouts``, ``points`` (card points),
    ``rois``, ``dames``, ``honours`` (Roi to Valet), ``voids``, ``singletons``,
    ``longest`` (length of the longest suit), ``P``, ``C``, ``K``, ``T`` (length of the
    suit), ``petit``, ``vingtetun``, ``excuse`` (1 if held), ``chavey`` (the count of
    `tarot_sim.chavey_count`), and every card by its name (1 if held). They are seat 0's,
    unless a seat or the dog is named: ``2.trumps``, ``dog.points``. They are compared by
    ``< <= == != >= >``, added by ``+`` and ``-``, and joined by ``and``, ``or``, ``not``
    and parentheses. Capital and small letters mean the same.

    Parameters
    ----------
    text
        The condition.
    players
        Players of the deals that are asked about.

    Raises
    ------
    ConditionError
        If `text` cannot be read: the message has the token and its place.
    RulesError
        If `players` is not 3, 4 or 5.

    Examples
    --------
    >>> from tarot_sim import Deal, Hand
    >>> strong = Condition("bouts>=2 and (trumps>=7 or 12.5 < points)")
    >>> strong.holds(Deal.random(rng=1))
    False
    >>> hands = [Hand("A21,EX PR PD CR"), Hand(), Hand(), Hand()]
    >>> strong.holds_for(hands, Hand())
    True
    """

    __slots__ = ("_value", "players", "text")

    def __init__(self, text: str, players: int = 4) -> None:
        self.text = text
        self.players = Rules(players=players).players
        self._value = _Parser(text, players).condition()

    def holds(self, deal: Deal) -> bool:
        """Tell whether the hands and the dog of a deal, as dealt, are like this.

        Raises
        ------
        ConditionError
            If the deal is an ending, or one of another number of players.
        """
        if deal.is_ending:
            raise ConditionError("condition: an ending has no dealt hands")
        return self.holds_for(deal.hands, deal.dog)

    def holds_for(self, hands: Sequence[SupportsIndex], dog: SupportsIndex) -> bool:
        """Tell whether hands, by seat, and the dog are like this.

        Raises
        ------
        ConditionError
            If there are more or fewer hands than players.
        """
        if len(hands) != self.players:
            raise ConditionError(
                f"condition: it is one for {self.players} players, there are {len(hands)} hands"
            )
        return self._value((*map(operator.index, hands), operator.index(dog))) != 0

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Condition):
            return NotImplemented
        return (self.text, self.players) == (other.text, other.players)

    def __hash__(self) -> int:
        return hash((self.text, self.players))

    def __repr__(self) -> str:
        return f"Condition({self.text!r}, players={self.players})"

    def __reduce__(self) -> tuple[object, tuple[str, int]]:
        return Condition, (self.text, self.players)


def deal_until(
    conditions: Sequence[Condition], draw: Callable[[], Dealt], tries: int = DEFAULT_TRIES
) -> tuple[Dealt, int]:
    """Draw deals until one meets all conditions.

    Parameters
    ----------
    conditions
        Any number of them; none is met by every deal.
    draw
        Deals once, as `dealing.deal_uniform` does.
    tries
        How often at most.

    Returns
    -------
    tuple
        Hands, dog and dealer of the first deal that meets them, and how many were drawn.

    Raises
    ------
    ConditionError
        If none of so many deals did.

    Examples
    --------
    >>> from tarot_sim.deals.dealing import Draws, deal_uniform
    >>> draws, rules = Draws(1), Rules()
    >>> (hands, dog, dealer), drawn = deal_until(
    ...     [Condition("trumps>=9")], lambda: deal_uniform(rules, draws))
    >>> len(hands[0].trumps) >= 9, drawn > 1
    (True, True)
    """
    for drawn in range(1, tries + 1):
        dealt = draw()
        hands, dog, _ = dealt
        if all(condition.holds_for(hands, dog) for condition in conditions):
            return dealt, drawn
    wanted = " and ".join(repr(condition.text) for condition in conditions)
    # Of n deals none: with 95 % confidence the chance of one is below 3 / n.
    rare = f", likely rarer than 1 in {tries // 3:,}" if tries >= 6 else ""
    raise ConditionError(f"condition: none of {tries:,} deals meets {wanted}{rare}")
