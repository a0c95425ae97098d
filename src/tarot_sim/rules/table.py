"""What depends on the number of players, and the options of the game.

The defaults are the rules that the project documents; `Rules.fft` is the preset
that follows the text of the French federation (FFT, 1 July 2012) where that text
says otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cache
from typing import Final, Literal

from tarot_sim.arguments import instance_of, integer, one_of
from tarot_sim.errors import RulesError, TarotError
from tarot_sim.notation import shown

Contract = Literal["prise", "pousse", "garde", "garde_sans", "garde_contre"]
Camp = Literal["attack", "defence"]
#: What a player may say in the auction.
Bid = Literal["pass"] | Contract
PoigneeLevel = Literal["simple", "double", "triple"]
#: A hand without trumps, or without court cards; a house rule pays for showing it.
MisereKind = Literal["trumps", "courts"]
#: What came of a chelem.
Chelem = Literal["made", "announced_made", "announced_failed", "by_defence", "announced_by_defence"]

#: The two camps, the taker's first.
CAMPS: Final[tuple[Camp, Camp]] = ("attack", "defence")
#: Which camp a sign in a result means.
CAMP_OF_SIGN: Final[dict[int, Camp | None]] = {1: "attack", 0: None, -1: "defence"}

#: Contracts from the lowest to the highest bid; a house rule adds the Pousse, see `Rules`.
CONTRACTS: Final[tuple[Contract, ...]] = ("prise", "garde", "garde_sans", "garde_contre")

#: All that a table may have, and those in which the taker takes the dog.
ALL_CONTRACTS: Final[tuple[Contract, ...]] = (
    "prise",
    "pousse",
    "garde",
    "garde_sans",
    "garde_contre",
)
DOG_CONTRACTS: Final[tuple[Contract, ...]] = ("prise", "pousse", "garde")

#: What a contract multiplies.
COEFFICIENTS: Final[dict[Contract, int]] = {
    "prise": 1,
    "garde": 2,
    "garde_sans": 4,
    "garde_contre": 6,
}

#: Card points that the attack needs, by the number of its bouts.
TARGETS: Final[tuple[int, int, int, int]] = (56, 51, 41, 36)

#: The same in half points.
NEED: Final[tuple[int, int, int, int]] = (112, 102, 82, 72)

#: Names of the poignées and what each is worth to every defender.
POIGNEES: Final[dict[str, int]] = {"simple": 20, "double": 30, "triple": 40}

#: Card points of the whole pack, in half points.
TOTAL_HALF_POINTS: Final = 182

_HAND_SIZE: Final = {3: 24, 4: 18, 5: 15}
_DOG_SIZE: Final = {3: 6, 4: 6, 5: 3}
_PACKET: Final = {3: 4, 4: 3, 5: 3}
_POIGNEE_TRUMPS: Final = {3: (13, 15, 18), 4: (10, 13, 15), 5: (8, 10, 13)}

#: The house rules: options that are no rule of the federation's and touch the score alone. The
#: values are what an option has where it is named without one.
HOUSE: Final[dict[str, int | str]] = {
    "poignee_bonus": "20/40/60",
    "poignee_sizes": "10/13/15",
    "half_points": "down",
    "rounding": 10,
    "misere": 20,
    "pousse": "1/2/4/8/16",
}
_FFT_BONUS: Final = "20/30/40"
#: How many numbers, and the greatest.
_MOST_CHARACTERS: Final = 40
_ROWS: Final = {"poignee_bonus": (3, 1000), "poignee_sizes": (3, 22), "pousse": (5, 100)}


@dataclass(frozen=True, slots=True)
class Rules:
    """The table: how many play, and which of the open questions are settled how.

    Parameters
    ----------
    players
        3, 4 or 5.
    petit_sec
        ``"cancel"``: a deal in which a dealt hand's only numbered trump is the Petit,
        without the Excuse, is dealt again. ``"off"``: it is played.
    excuse_last
        Who keeps an Excuse that falls in the last trick when its own camp wins it:
        ``"trick_winner"`` (it stays) or ``"changes_camp"`` (FFT).
    excuse_no_trick
        An Excuse played by a camp that wins no trick: ``"lose"`` (it goes to the other
        camp, with its bout) or ``"keep"`` (FFT: worth 4 to its camp, half a point to
        the other).
    must_call_lower
        Five players: with all four Rois a Dame must be called (and so on down).
        ``False`` (FFT): a Roi of one's own may be called all the same.
    poignee_bonus
        House rule: what a simple, a double and a triple poignée are worth, as ``"20/40/60"``.
    poignee_sizes
        House rule: how many trumps each of them shows, as ``"10/13/15"``; by default the
        federation's numbers for the table.
    half_points
        House rule: half a point above or below the target is dropped (``"down"``) or counts
        as one (``"up"``).
    rounding
        House rule: points above or below the target count to the nearest 5 or 10 (halfway:
        up); 1 counts each.
    misere
        House rule: what showing a hand without trumps, or one without court cards, is worth
        to each defender; it goes to the camp that wins the contract, as a poignée does. 0: not
        played.
    pousse
        House rule: the Pousse is bid between Prise and Garde and is played as they are, and
        these are the coefficients of the five contracts, as ``"1/2/4/8/16"``. Empty: not played.

    Raises
    ------
    RulesError
        If a value is none of these.

    Examples
    --------
    >>> Rules(players=5).hand_size, Rules(players=5).dog_size
    (15, 3)
    >>> Rules.fft().excuse_no_trick
    'keep'
    """

    players: int = 4
    petit_sec: Literal["cancel", "off"] = "cancel"
    excuse_last: Literal["trick_winner", "changes_camp"] = "trick_winner"
    excuse_no_trick: Literal["lose", "keep"] = "lose"
    must_call_lower: bool = True
    poignee_bonus: str = _FFT_BONUS
    poignee_sizes: str = ""
    half_points: Literal["up", "down"] = "up"
    rounding: int = 1
    misere: int = 0
    pousse: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "players", player_count(self.players))
        for field, allowed in (
            ("petit_sec", ("cancel", "off")),
            ("excuse_last", ("trick_winner", "changes_camp")),
            ("excuse_no_trick", ("lose", "keep")),
            ("half_points", ("up", "down")),
        ):
            one_of(field, getattr(self, field), allowed, RulesError)
        if not isinstance(self.must_call_lower, bool):
            value = shown(self.must_call_lower)
            raise RulesError(f"must_call_lower: {value} is not one of True, False")
        for name, (length, most) in _ROWS.items():
            object.__setattr__(self, name, _row(name, getattr(self, name), length, most))
        for name, allowed_numbers in (("rounding", (1, 5, 10)), ("misere", range(1001))):
            number = _number(name, getattr(self, name))
            if number not in allowed_numbers:
                named = ("0…1000",) if name == "misere" else ("1", "5", "10")
                raise RulesError(
                    f"{name}: {shown(getattr(self, name))} is not one of {', '.join(named)}"
                )
            object.__setattr__(self, name, number)

    @classmethod
    def fft(cls, players: int = 4) -> Rules:
        """Return the preset that follows the federation's text in every option."""
        return cls(
            players=players,
            excuse_last="changes_camp",
            excuse_no_trick="keep",
            must_call_lower=False,
        )

    @classmethod
    def named(cls, name: str, players: int = 4) -> Rules:
        """Return the preset called `name`: ``default`` or ``fft``."""
        if one_of("rules", name, ("default", "fft"), RulesError) == "fft":
            return cls.fft(players)
        return cls(players=players)

    @property
    def house(self) -> dict[str, int | str]:
        """The house rules that are on, by name.

        Examples
        --------
        >>> Rules(misere=10).house, Rules.fft().house
        ({'misere': 10}, {})
        """
        defaults = {option.name: option.default for option in fields(self)}
        return {
            name: getattr(self, name) for name in HOUSE if getattr(self, name) != defaults[name]
        }

    @property
    def contracts(self) -> tuple[Contract, ...]:
        """The contracts that may be bid, from the lowest."""
        return ALL_CONTRACTS if self.pousse else CONTRACTS

    @property
    def coefficients(self) -> dict[Contract, int]:
        """What each contract multiplies."""
        if not self.pousse:
            return COEFFICIENTS
        return dict(zip(ALL_CONTRACTS, _numbers(self.pousse), strict=True))

    @property
    def poignee_values(self) -> dict[PoigneeLevel, int]:
        """What each poignée is worth to every defender."""
        simple, double, triple = _numbers(self.poignee_bonus)
        return {"simple": simple, "double": double, "triple": triple}

    def with_players(self, players: int) -> Rules:
        """Return the same options at a table of another size."""
        return replace(self, players=players)

    @property
    def hand_size(self) -> int:
        """Cards in a dealt hand, which is the number of tricks."""
        return _HAND_SIZE[self.players]

    @property
    def dog_size(self) -> int:
        """Cards in the dog, which is the number that the taker discards."""
        return _DOG_SIZE[self.players]

    @property
    def packet(self) -> int:
        """Cards dealt at a time."""
        return _PACKET[self.players]

    @property
    def poignee_trumps(self) -> tuple[int, int, int]:
        """Trumps that a simple, a double and a triple poignée show."""
        if not self.poignee_sizes:
            return _POIGNEE_TRUMPS[self.players]
        simple, double, triple = _numbers(self.poignee_sizes)
        return simple, double, triple


def _number(name: str, value: object) -> int:
    """Return an integer, which may be written as text."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 10:
        return int(value)
    if isinstance(value, bool):
        raise RulesError(f"{name}: {value} is no integer")
    return integer(name, value, RulesError)


def _row(name: str, value: object, length: int, most: int) -> str:
    """Return numbers with strokes between them, from text or a list of integers."""
    if value == "" and name != "poignee_bonus":
        return ""
    parts: list[object] = []
    if isinstance(value, str):
        words = value[:_MOST_CHARACTERS].split("/")
        parts = [int(word) for word in words if word.isascii() and word.isdigit()]
        parts = parts if len(parts) == len(words) else []
    elif isinstance(value, list | tuple):
        parts = list(value[:_MOST_CHARACTERS])
    numbers = [integer(name, part, RulesError) for part in parts]
    strictly = name == "poignee_sizes"
    right = len(numbers) == length and all(0 < number <= most for number in numbers)
    if not right or numbers != sorted({*numbers} if strictly else numbers):
        raise RulesError(
            f"{name}: {shown(value)} is not {length} numbers that rise, as {HOUSE[name]}"
        )
    return "/".join(map(str, numbers))


@cache
def _numbers(row: str) -> tuple[int, ...]:
    return tuple(map(int, row.split("/")))


def table_of(players: int | None, rules: Rules | None) -> Rules:
    """Return the table that two options name: the rules, or the default ones for `players`.

    Raises
    ------
    RulesError
        If they contradict each other.
    """
    if rules is None:
        return Rules(players=4 if players is None else players)
    rules = checked_rules(rules)
    if players is not None and player_count(players) != rules.players:
        raise RulesError(f"players: {players}, but the rules are for {rules.players}")
    return rules


def player_count(players: object, error: type[TarotError] = RulesError) -> int:
    """Return how many players there are as a plain integer.

    Raises
    ------
    RulesError
        Or `error`: if it is none of 3, 4 and 5.
    """
    number = integer("players", players, error)
    if number not in _HAND_SIZE:
        raise error(f"players: {shown(number)} is not 3, 4 or 5")
    return number


def checked_rules(rules: object) -> Rules:
    """Return a table whose options are sure to be right, whatever was done to `rules`.

    Raises
    ------
    OptionError
        If they are no `Rules`.
    RulesError
        If a frozen value was changed to none that can be.
    """
    own = instance_of("rules", rules, Rules)
    try:
        # Equal to one that was checked: that one is used, whatever the values of `own` are.
        known = _CHECKED.get(own)
    except TypeError:  # a value that has no hash
        known = None
    if known is None:
        known = Rules(**{option.name: getattr(own, option.name) for option in fields(Rules)})
        if len(_CHECKED) < _MOST_CHECKED:
            _CHECKED[known] = known
    return known


#: Tables that were checked, by themselves.
_CHECKED: Final[dict[Rules, Rules]] = {}
_MOST_CHECKED: Final = 1000
