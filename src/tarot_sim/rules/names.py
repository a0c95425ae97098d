"""What contracts, bids, camps, poignées and chelems may be called where they are read.

What is printed has one name for each; what is read may be French or English, with accents or
without, in either case, its words joined by spaces, hyphens or underscores, with an article or
the word of its kind: ``Garde sans le chien``, ``une petite``, ``à la défense``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, Generic, TypeVar, overload

from tarot_sim.notation import fold
from tarot_sim.rules.table import ALL_CONTRACTS

if TYPE_CHECKING:
    from tarot_sim.rules.table import Bid, Camp, Chelem, Contract, MisereKind, PoigneeLevel

Name = TypeVar("Name", bound=str)

_WORD: Final = re.compile(r"[^\W_]+")
#: Words that make no difference between two names of a kind.
_FILLERS: Final = frozenset(
    word
    for language in (
        "un une le la les l a au de du des d et par je chien",
        "the an of and by with i dog",
    )
    for word in language.split()
)
#: Longer input is no name; it is not even looked at.
_MOST_CHARACTERS: Final = 100


class Names(Generic[Name]):
    """The names of one kind of thing, and the words that mean each.

    Parameters
    ----------
    words
        By name: what else means it, separated by commas, as `key` leaves it.
    kind
        Words for the kind itself, which may stand beside a name: ``poignée simple``.

    Examples
    --------
    >>> CONTRACT_NAMES.find("Garde sans le chien"), CONTRACT_NAMES.find("belote")
    ('garde_sans', None)
    >>> CONTRACT_NAMES.get("belote")
    'belote'
    """

    __slots__ = ("_kind", "_meanings", "names")

    def __init__(self, words: Mapping[Name, str], kind: str = "") -> None:
        self.names: tuple[Name, ...] = tuple(words)
        self._kind = frozenset(kind.split())
        self._meanings: dict[str, Name] = {}
        for name, others in words.items():
            for word in filter(None, [str(name), *others.split(", ")]):
                key = self.key(word)
                assert self._meanings.setdefault(key, name) == name, key

    def key(self, text: str) -> str:
        """Return the words of a text that tell names apart, a space between two.

        Examples
        --------
        >>> POIGNEE_NAMES.key("la double-Poignée")
        'double'
        """
        words = _WORD.findall(fold(text))
        return " ".join(word for word in words if word not in _FILLERS | self._kind)

    def find(self, text: object) -> Name | None:
        """Return the name that a text means, None if it means none."""
        if not isinstance(text, str) or len(text) > _MOST_CHARACTERS:
            return None
        return self._meanings.get(self.key(text))

    @overload
    def get(self, text: Name) -> Name: ...
    @overload
    def get(self, text: Name | None) -> Name | None: ...
    @overload
    def get(self, text: str) -> str: ...
    @overload
    def get(self, text: object) -> object: ...
    def get(self, text: object) -> object:
        """Return the name that `text` means, `text` itself if none: to be refused by who asks."""
        name = self.find(text)
        return text if name is None else name


_BIDS: Final[dict[Bid, str]] = {
    "pass": "passe, passer, p",
    "prise": "petite, take, small",
    "pousse": "push",
    "garde": "guard",
    "garde_sans": "gardesans, sans, guard without, without",
    "garde_contre": "gardecontre, contre, guard against, against",
}

BID_NAMES: Final[Names[Bid]] = Names(_BIDS)
CONTRACT_NAMES: Final[Names[Contract]] = Names({name: _BIDS[name] for name in ALL_CONTRACTS})
CAMP_NAMES: Final[Names[Camp]] = Names(
    {
        "attack": "attaque, attaquant, attaquants, preneur, taker, attacker, attackers",
        "defence": "defense, defenseur, defenseurs, defender, defenders",
    },
    kind="camp",
)
POIGNEE_NAMES: Final[Names[PoigneeLevel]] = Names(
    {"simple": "single", "double": "", "triple": ""}, kind="poignee"
)
MISERE_NAMES: Final[Names[MisereKind]] = Names(
    {
        "trumps": "atout, atouts, sans atout, sans atouts, trump, no trump, no trumps",
        "courts": "tete, tetes, sans tete, habille, habilles, figure, figures, honneur, honneurs, "
        "court, court card, court cards, no court cards",
    },
    kind="misere",
)
#: The defence cannot announce one, so its chelem needs no more than its name.
CHELEM_NAMES: Final[Names[Chelem]] = Names(
    {
        "made": "fait, reussi, non annonce, fait non annonce, reussi non annonce, not announced",
        "announced_made": "annonce fait, annonce reussi, announced",
        "announced_failed": "annonce non fait, annonce non reussi, annonce chute, annonce rate, "
        "annonce perdu, annonce echoue, announced not made, announced lost",
        "by_defence": "defense, fait defense, reussi defense, made defence",
        "announced_by_defence": "annonce defense, annonce fait defense, annonce reussi defense, "
        "announced made defence",
    },
    kind="chelem slam",
)
#: Yes and no, as they may be said in a line of results.
YES_OR_NO: Final[Names[str]] = Names({"yes": "oui, o, y, vrai, true", "no": "non, n, faux, false"})
