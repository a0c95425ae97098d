"""Conditions on dealt hands, and deals that meet them.

A condition is read by a grammar (below; lark parses it) into one expression that is asked of a
single deal, as sets of cards, or of many at once, as arrays: a feature is then an array with a
number for each deal. All numbers are kept doubled, so that half points are whole.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, SupportsIndex

from tarot_sim.arguments import instance_of, own_array, some
from tarot_sim.cards import (
    BOUTS_MASK,
    EXCUSE,
    HALF_POINTS,
    PACK,
    PETIT,
    ROIS_MASK,
    SUIT_MASKS,
    VINGT_ET_UN,
    Card,
    Hand,
)
from tarot_sim.errors import CardError, OptionError, TarotError
from tarot_sim.notation import SUIT_LETTERS, TRUMP, fold, shown
from tarot_sim.rules import player_count
from tarot_sim.rules.chavey import chavey_count, chavey_totals

if TYPE_CHECKING:
    import numpy as np
    from lark import Lark, Token
    from numpy.typing import NDArray

    from tarot_sim.deals.deal import Deal
    from tarot_sim.deals.dealing import Dealt

#: Deals drawn at most for one that is wanted.
DEFAULT_TRIES: Final = 1_000_000

#: From the loosest to the tightest binding. A chain such as ``5 <= trumps <= 7`` means both of
#: its parts, and a feature by itself that it is not 0.
GRAMMAR: Final = r"""
    condition: either
    ?either: both (_OR both)*
    ?both: negation (_AND negation)*
    ?negation: comparison
        | NOT+ comparison -> negated
    ?comparison: sum (COMPARISON sum)*
    ?sum: term (SIGN term)*
    ?term: NUMBER -> number
        | NAME -> feature
        | _LEFT either _RIGHT

    _OR.2: /(or|ou)(?![\w.])/i
    _AND.2: /(and|et)(?![\w.])/i
    NOT.2: /(not|non|pas)(?![\w.])/i
    NAME.1: /(\w+\.)?[^\W\d]\w*/
    NUMBER: /\d+([.,]\d+)?/
    COMPARISON: /[<>=!]=|[<>]/
    SIGN: /[+-]/
    _LEFT: "("
    _RIGHT: ")"
    %ignore /\s+/
"""
_MOST_NESTED: Final = 100
_NEEDS_LARK: Final = "condition: needs lark, pip install 'tarot_sim[conditions]'"


class ConditionError(TarotError):
    """A condition that cannot be read, or that no deal drawn has met."""


# What is asked about


@dataclass(frozen=True, slots=True)
class _Feature:
    """A number that a set of cards has, twice: of one set, and of the sets of many rows.

    `of_rows` takes bool (n, 78), the cards of each row's set, and gives an integer array (n,).
    """

    of_set: Callable[[int], int]
    of_rows: Callable[[NDArray[np.bool_]], NDArray[Any]]


def _number_of(mask: int) -> _Feature:
    """Return how many cards of `mask` there are."""
    cards = list(Hand.from_mask(mask))
    return _Feature(
        lambda held: 2 * (held & mask).bit_count(),
        lambda rows: 2 * rows[:, cards].sum(axis=1),
    )


def _lengths(held: int) -> list[int]:
    return [(held & mask).bit_count() for mask in SUIT_MASKS[:TRUMP]]


def _lengths_of_rows(rows: NDArray[np.bool_]) -> NDArray[Any]:
    """Return the lengths of the four suits; shape (n, 4)."""
    lengths: NDArray[Any] = rows[:, :56].reshape(len(rows), 4, 14).sum(axis=2)
    return lengths


def _suits_of_length(length: int) -> _Feature:
    return _Feature(
        lambda held: 2 * _lengths(held).count(length),
        lambda rows: 2 * (_lengths_of_rows(rows) == length).sum(axis=1),
    )


def _half_points(held: int) -> int:
    # One half point a card; 8, 6, 4 and 2 more from a bout or a Roi down to a Valet.
    rungs = ((BOUTS_MASK, 8), *((ROIS_MASK >> rung, 8 - 2 * rung) for rung in range(4)))
    return held.bit_count() + sum(more * (held & mask).bit_count() for mask, more in rungs)


def _half_points_of_rows(rows: NDArray[np.bool_]) -> NDArray[Any]:
    import numpy as np

    points: NDArray[Any] = rows @ np.array(HALF_POINTS)
    return points


_FEATURES: Final[dict[str, _Feature]] = {
    "trumps": _number_of(SUIT_MASKS[TRUMP]),
    "bouts": _number_of(BOUTS_MASK),
    "points": _Feature(_half_points, _half_points_of_rows),
    "rois": _number_of(ROIS_MASK),
    "dames": _number_of(ROIS_MASK >> 1),
    "honours": _number_of(ROIS_MASK | ROIS_MASK >> 1 | ROIS_MASK >> 2 | ROIS_MASK >> 3),
    "voids": _suits_of_length(0),
    "singletons": _suits_of_length(1),
    "longest": _Feature(
        lambda held: 2 * max(_lengths(held)),
        lambda rows: 2 * _lengths_of_rows(rows).max(axis=1),
    ),
    **{
        letter.lower(): _number_of(mask)
        for letter, mask in zip(SUIT_LETTERS, SUIT_MASKS, strict=False)
    },
    "petit": _number_of(1 << PETIT),
    "vingtetun": _number_of(1 << VINGT_ET_UN),
    "excuse": _number_of(1 << EXCUSE),
    "chavey": _Feature(
        lambda held: 2 * chavey_count(held).total, lambda rows: 2 * chavey_totals(rows)
    ),
}

#: What else a feature, or the dog, may be called, after `fold`.
_OTHER_NAMES: Final = {
    "atouts": "trumps",
    "honneurs": "honours",
    "habilles": "honours",
    "figures": "honours",
    "chicanes": "voids",
    "coupes": "voids",
    "singlettes": "singletons",
    "longueur": "longest",
    "longue": "longest",
    "vingt_et_un": "vingtetun",
    "pique": "p",
    "piques": "p",
    "coeur": "c",
    "coeurs": "c",
    "carreau": "k",
    "carreaux": "k",
    "trefle": "t",
    "trefles": "t",
    "chien": "dog",
}
#: Names of the features as they are shown.
FEATURES: Final[tuple[str, ...]] = tuple(
    name.upper() if len(name) == 1 else name for name in _FEATURES
)


class _Asked(Protocol):
    """One deal or many: the seats' cards by number, then the dog's."""

    def value(self, feature: _Feature, place: int) -> Any:
        """Return the feature of a place's cards: a number, or an array of one a deal."""


class _OneDeal:
    def __init__(self, places: Sequence[int]) -> None:
        self._places = places

    def value(self, feature: _Feature, place: int) -> int:
        return feature.of_set(self._places[place])


class _ManyDeals:
    def __init__(self, owners: NDArray[np.uint8]) -> None:
        self._owners = owners

    def value(self, feature: _Feature, place: int) -> NDArray[Any]:
        return feature.of_rows(self._owners == place)


# How it is read


class _Part(NamedTuple):
    """A part of an expression.

    `ask` gives a doubled number, or a truth where `is_truth`; of many deals an array of them.
    `bare` is the number that stands for nothing but itself.
    """

    ask: Callable[[_Asked], Any]
    is_truth: bool = False
    bare: Token | None = None

    def truth(self) -> Callable[[_Asked], Any]:
        if self.bare is not None:
            raise _error(self.bare, "a number by itself is no condition")
        return self.ask if self.is_truth else lambda asked: self.ask(asked) != 0

    def number(self) -> Callable[[_Asked], Any]:
        return (lambda asked: 2 * self.ask(asked)) if self.is_truth else self.ask


_COMPARISONS: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "<": operator.lt,
    "<=": operator.le,
    "==": operator.eq,
    "!=": operator.ne,
    ">=": operator.ge,
    ">": operator.gt,
}


def _error(token: Token | None, reason: str, where: int = 0) -> ConditionError:
    if token is None:
        return ConditionError(f"condition: the end at character {where}: {reason}")
    return ConditionError(
        f"condition: {shown(str(token))} at character {(token.start_pos or 0) + 1}: {reason}"
    )


def _all(truths: Iterable[Callable[[_Asked], Any]]) -> Callable[[_Asked], Any]:
    parts = list(truths)

    def ask(asked: _Asked) -> Any:
        result: Any = True
        for part in parts:
            result = result & part(asked)
            if result is False:  # of one deal; no more need be asked
                break
        return result

    return ask


def _any(truths: Iterable[Callable[[_Asked], Any]]) -> Callable[[_Asked], Any]:
    parts = list(truths)

    def ask(asked: _Asked) -> Any:
        result: Any = False
        for part in parts:
            result = result | part(asked)
            if result is True:
                break
        return result

    return ask


class _Reader:
    """Makes parts of an expression; a method for each rule of the grammar."""

    def __init__(self, players: int) -> None:
        self._players = players

    def condition(self, parts: list[_Part]) -> Callable[[_Asked], Any]:
        return parts[0].truth()

    def either(self, parts: list[_Part]) -> _Part:
        return _Part(_any([part.truth() for part in parts]), is_truth=True)

    def both(self, parts: list[_Part]) -> _Part:
        return _Part(_all([part.truth() for part in parts]), is_truth=True)

    def negated(self, parts: list[Any]) -> _Part:
        truth = parts[-1].truth()
        if len(parts) % 2:  # an even number of times
            return _Part(truth, is_truth=True)
        return _Part(lambda asked: truth(asked) ^ True, is_truth=True)

    def comparison(self, parts: list[Any]) -> _Part:
        numbers = [part.number() for part in parts[::2]]
        tests = [_COMPARISONS[sign] for sign in parts[1::2]]

        def ask(asked: _Asked) -> Any:
            values = [number(asked) for number in numbers]
            pairs = zip(tests, pairwise(values), strict=True)
            result: Any = True
            for test, (left, right) in pairs:
                result = result & test(left, right)
            return result

        return _Part(ask, is_truth=True)

    def sum(self, parts: list[Any]) -> _Part:
        numbers = [part.number() for part in parts[::2]]
        signs = [1, *(1 if sign == "+" else -1 for sign in parts[1::2])]
        return _Part(
            lambda asked: sum(
                sign * number(asked) for sign, number in zip(signs, numbers, strict=True)
            )
        )

    def number(self, tokens: list[Token]) -> _Part:
        token = tokens[0]
        doubled = 2 * float(token.replace(",", "."))
        if not doubled.is_integer():
            raise _error(token, "not a multiple of 0.5")
        number = int(doubled)
        return _Part(lambda _asked: number, bare=token)

    def feature(self, tokens: list[Token]) -> _Part:
        token = tokens[0]
        place, dot, name = fold(token).rpartition(".")
        place, name = _OTHER_NAMES.get(place, place), _OTHER_NAMES.get(name, name)
        where = self._place(token, place) if dot else 0
        feature = _FEATURES.get(name)
        if feature is None:
            try:
                feature = _number_of(1 << Card.parse(name))
            except CardError:
                raise _error(
                    token,
                    "no feature, they are trumps, bouts, points, rois, dames, honours, voids, "
                    "singletons, longest, P, C, K, T, petit, vingtetun, excuse, chavey, and cards "
                    "such as PR",
                ) from None
        return _Part(lambda asked: asked.value(feature, where))

    def _place(self, token: Token, place: str) -> int:
        """Return the place of the seat or dog that a feature is asked of."""
        if place == "dog":
            return self._players
        if place not in map(str, range(self._players)):
            raise _error(
                token, f"{shown(place)} is neither dog nor a seat of 0…{self._players - 1}"
            )
        return int(place)


@cache
def _parser(players: int) -> Lark:
    """Return the parser of the conditions of a table."""
    try:
        from lark import Lark
    except ImportError:
        raise ConditionError(_NEEDS_LARK) from None
    return Lark(
        GRAMMAR, start="condition", parser="lalr", lexer="basic", transformer=_Reader(players)
    )


def _read(text: str, players: int) -> Callable[[_Asked], Any]:
    """Return what a condition asks, or raise an error that names a token and its place."""
    parser = _parser(players)
    from lark import UnexpectedCharacters, UnexpectedToken

    opened: list[Token] = []
    reading = parser.parse_interactive(text)
    try:
        for token in reading.iter_parse():  # each before it is fed
            if token.type == "_LEFT":
                opened.append(token)
                if len(opened) > _MOST_NESTED:
                    raise _error(token, f"more than {_MOST_NESTED} parentheses in one another")
            elif token.type == "_RIGHT" and opened:
                opened.pop()
        ask: Callable[[_Asked], Any] = reading.feed_eof()  # type: ignore[no-untyped-call]
    except UnexpectedCharacters as error:
        place: int = error.pos_in_stream  # type: ignore[assignment]  # lark never leaves it out
        hint = "write ==" if text[place] == "=" else "not understood"
        raise ConditionError(
            f"condition: {shown(text[place])} at character {place + 1}: {hint}"
        ) from None
    except UnexpectedToken as error:
        if "NUMBER" in error.expected:
            reason = "expected a feature, a number or a parenthesis"
        elif opened:
            place = (opened[-1].start_pos or 0) + 1
            reason = f"expected a parenthesis for the one at character {place}"
        else:
            reason = "expected and, or, a comparison or the end"
        found = None if error.token.type == "$END" else error.token
        raise _error(found, reason, len(text) + 1) from None
    return ask


class Condition:
    """What dealt hands must be like, such as ``trumps>=7 and dog.rois==0``.

    The features are ``trumps`` (numbered ones), ``bouts``, ``points`` (card points),
    ``rois``, ``dames``, ``honours`` (Roi to Valet), ``voids``, ``singletons``,
    ``longest`` (length of the longest suit), ``P``, ``C``, ``K``, ``T`` (length of the
    suit), ``petit``, ``vingtetun``, ``excuse`` (1 if held), ``chavey`` (the count of
    `tarot_sim.chavey_count`), and every card by its name (1 if held). They are seat 0's,
    unless a seat or the dog is named: ``2.trumps``, ``dog.points``. They are compared by
    ``< <= == != >= >``, added by ``+`` and ``-``, and joined by ``and``, ``or``, ``not``
    and parentheses. Capital and small letters mean the same, and French names are understood:
    ``atouts>=7 et chien.rois==0``.

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

    __slots__ = ("_ask", "players", "text")

    def __init__(self, text: str, players: int = 4) -> None:
        if not isinstance(text, str):
            raise ConditionError(f"condition: expected text, not {shown(text)}")
        self.text = text
        self.players = player_count(players)
        self._ask = _read(text, self.players)

    def holds(self, deal: Deal) -> bool:
        """Tell whether the hands and the dog of a deal, as dealt, are like this.

        Raises
        ------
        ConditionError
            If the deal is an ending, or one of another number of players.
        """
        from tarot_sim.deals.deal import Deal

        if instance_of("deal", deal, Deal).is_ending:
            raise ConditionError("condition: an ending has no dealt hands")
        return self.holds_for(deal.hands, deal.dog)

    def holds_for(self, hands: Sequence[SupportsIndex], dog: SupportsIndex) -> bool:
        """Tell whether hands, by seat, and the dog are like this.

        Raises
        ------
        ConditionError
            If there are more or fewer hands than players.
        """
        hands = some("hands", hands)
        if len(hands) != self.players:
            raise ConditionError(
                f"condition: it is one for {self.players} players, there are {len(hands)} hands"
            )
        places = tuple(Hand.from_mask(cards).mask for cards in (*hands, dog))
        return bool(self._ask(_OneDeal(places)))

    def mask(self, owners: NDArray[np.uint8]) -> NDArray[np.bool_]:
        """Tell which of many deals are like this.

        Parameters
        ----------
        owners
            uint8, shape (n, 78): the seat that each card was dealt to, or the number of
            players for the dog, as from `tarot_sim.sample_worlds`.

        Returns
        -------
        numpy.ndarray
            bool, shape (n,).

        Raises
        ------
        OptionError
            If `owners` is no such array.

        Examples
        --------
        >>> import numpy as np
        >>> from tarot_sim import Hand, Rules, sample_worlds
        >>> hand = Hand("A:21,19,16,14,11,8,5,1,EX P:R,D,6 C:C,10 K:R,4 T:V,9")
        >>> worlds = sample_worlds(hand, 0, Rules(), 1000, np.random.PCG64DXSM(1))
        >>> int(Condition("dog.trumps >= 2").mask(worlds).sum())
        384
        """
        import numpy as np

        owners = own_array("owners", owners, np.uint8, (None, PACK))
        if owners.size and int(owners.max()) > self.players:
            raise OptionError(f"owners: {owners.max()} is no place at {self.players} players")
        # A condition that asks nothing of the cards is the same for all.
        return np.broadcast_to(self._ask(_ManyDeals(owners)), len(owners)).astype(np.bool_)

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
    >>> from tarot_sim import Rules
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
