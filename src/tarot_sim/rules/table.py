"""What depends on the number of players, and the options of the game.

The defaults are the rules that the project documents; `Rules.fft` is the preset
that follows the text of the French federation (FFT, 1 July 2012) where that text
says otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Final, Literal

from tarot_sim.arguments import instance_of, integer, one_of
from tarot_sim.errors import RulesError, TarotError
from tarot_sim.notation import shown

Contract = Literal["prise", "garde", "garde_sans", "garde_contre"]
Camp = Literal["attack", "defence"]
#: What a player may say in the auction.
Bid = Literal["pass"] | Contract
PoigneeLevel = Literal["simple", "double", "triple"]
#: What came of a chelem.
Chelem = Literal["made", "announced_made", "announced_failed", "by_defence", "announced_by_defence"]

#: The two camps, the taker's first.
CAMPS: Final[tuple[Camp, Camp]] = ("attack", "defence")
#: Which camp a sign in a result means.
CAMP_OF_SIGN: Final[dict[int, Camp | None]] = {1: "attack", 0: None, -1: "defence"}

#: Contracts from the lowest to the highest bid.
CONTRACTS: Final[tuple[Contract, ...]] = ("prise", "garde", "garde_sans", "garde_contre")

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

    def __post_init__(self) -> None:
        object.__setattr__(self, "players", player_count(self.players))
        for field, allowed in (
            ("petit_sec", ("cancel", "off")),
            ("excuse_last", ("trick_winner", "changes_camp")),
            ("excuse_no_trick", ("lose", "keep")),
        ):
            one_of(field, getattr(self, field), allowed, RulesError)
        if not isinstance(self.must_call_lower, bool):
            value = shown(self.must_call_lower)
            raise RulesError(f"must_call_lower: {value} is not one of True, False")

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
        return _POIGNEE_TRUMPS[self.players]


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
    return Rules(**{option.name: getattr(own, option.name) for option in fields(Rules)})
