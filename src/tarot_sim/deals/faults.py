"""What is wrong with a record, all of it; and what a deal came to all the same.

A `Deal` is always consistent, so a record that is not makes none: the first error is raised.
Who has to mend a record wants to know them all, and a deal in which somebody revoked, showed a
poignée too high or discarded what may not be discarded was played to its end and has a score.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import MISSING, dataclass, fields
from typing import Any

from tarot_sim.deals.checks import faults_of_record, faults_of_table
from tarot_sim.deals.deal import Deal, Misere, Poignee
from tarot_sim.deals.fields import Faults, parse_record
from tarot_sim.deals.plays import play_cards
from tarot_sim.deals.replaying import Replay, replay_cards
from tarot_sim.errors import RecordError, TarotError
from tarot_sim.rules import Rules


class FaultyRecordError(RecordError):
    """A record with faults: the message is the first of them.

    Attributes
    ----------
    more
        The others.
    """

    def __init__(self, message: str, more: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.more = more


@dataclass(frozen=True, slots=True)
class FaultyReplay:
    """A deal that was played against the rules, and what it came to.

    Attributes
    ----------
    replay
        What the cards came to, every one of them as it was played.
    faults
        What was against the rules.
    """

    replay: Replay
    faults: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the answer of ``replay --faults``, ready for JSON."""
        return self.replay.to_dict() | {"faults": list(self.faults)}


def record_faults(
    data: Mapping[str, Any], rules: Rules | None = None, *, unread: Collection[str] = ()
) -> tuple[str, ...]:
    """Return all that is wrong with a record, the error that `Deal.from_dict` raises first.

    The cards played are looked at as far as they can be: where all before them is right, and
    up to one that the player did not hold.

    Parameters
    ----------
    data
        The record.
    rules
        The options to use; by default those under the record's key ``rules``.
    unread
        Fields that are known to be wrong, of which nothing is said.

    Examples
    --------
    >>> record_faults({"players": 4, "hands": ["A21", "PR"], "contract": "belote", "taker": 4})
    ('hands: 2 hands, expected 4',)
    >>> record_faults({"players": "four", "schema": 2})
    ('schema: 2 is not known, expected 1', 'players: expected an integer, not a string')
    """
    faults = Faults()
    arguments = parse_record(data, rules, faults)
    faults[:] = [fault for fault in faults if _field_of(fault) not in unread]
    if "players" not in arguments or "hands" not in arguments:
        return tuple(map(str, faults))
    wrong = {*map(_field_of, faults), *unread}
    deal = _unchecked(arguments)
    for fault in faults_of_record(deal):
        # A field that could not be read is as good as absent, which may be another fault.
        if _field_of(fault) not in wrong:
            faults.append(fault)
    if not faults and not unread:
        faults.extend(faults_of_table(deal))
        with faults.noted():
            if deal.plays:
                play_cards(deal.position(0), deal.plays, faults=faults)
    return tuple(map(str, faults))


def checked_deal(data: Mapping[str, Any], *, rules: Rules | None = None) -> Deal:
    """Return the deal of a record as `Deal.from_dict` does, or raise all that is wrong with it.

    Raises
    ------
    FaultyRecordError
        With every fault.
    """
    try:
        return Deal.from_dict(data, rules=rules)
    except TarotError as error:
        first, *more = record_faults(data, rules) or [str(error)]
        raise FaultyRecordError(first, tuple(more)) from None


def playable_deal(data: Mapping[str, Any], *, rules: Rules | None = None) -> Deal:
    """Return the deal of a record, whatever the players did against the rules.

    It is for `replay_with_faults` alone: other functions take it that deals are right.

    Raises
    ------
    FaultyRecordError
        If it cannot be played.
    """
    deal = _unchecked(parse_record(data, rules))
    for _ in faults_of_record(deal):
        faults = record_faults(data, rules)
        raise FaultyRecordError(faults[0], faults[1:])
    return deal


def replay_with_faults(deal: Deal) -> FaultyReplay:
    """Play a deal's cards, legal or not, settle it, and name what was against the rules.

    A card that was not legal is played as it was, and the trick is won as if it had been. What
    such a deal should be worth is for the players to say: rules of clubs differ.

    Parameters
    ----------
    deal
        From `playable_deal`, or any other.

    Raises
    ------
    RecordError, IllegalPlayError
        If it lacks what the play depends on, or somebody played a card that they did not hold.
    """
    faults = Faults(faults_of_table(deal))
    answer = replay_cards(deal, faults)
    return FaultyReplay(answer, tuple(map(str, faults)))


def _field_of(fault: TarotError) -> str:
    return str(fault).partition(":")[0].partition("[")[0]


def _unchecked(arguments: Mapping[str, Any]) -> Deal:
    """Return a deal that has not been checked; what is not given is as if it were absent."""
    defaults = {
        item.name: None if item.default is MISSING else item.default
        for item in fields(Deal)
        if item.init
    }
    given = {**defaults, "rules": Rules(players=arguments["players"]), **arguments}
    given["poignees"] = tuple(Poignee(*shown) for shown in given["poignees"])
    given["miseres"] = tuple(Misere(*shown) for shown in given["miseres"])
    given["rules"] = given["rules"].with_players(given["players"])
    deal = Deal.__new__(Deal)
    deal.__setstate__(given)
    return deal
