"""TarotClub's JSON files: a deal to be played, and a deal that was played.

TarotClub is a free program for French Tarot (github.com/belegar/tarotclub, whose engine
is also at github.com/tarotclub/tarotclub-core). What its sources write and accept, as
read there (``DealFile.cpp``, later ``DealGenerator.cpp``; ``Deal.cpp``, later
``TarotContext.cpp``; ``Card.cpp``, ``Common.cpp``); both documents have version ``"3"``:

* A *card* is two digits, a dash and a suit: 01…14 with S, H, D, C (11 the Valet, 14 the
  Roi), 01…21 with T for the trumps, ``00-T`` the Excuse. A set or a trick is cards
  joined by semicolons, the empty string if none.
* The *places* South, East, North, West, Fifth are the seats 0…4 and run counter-clockwise,
  as ours do; the dealer's next place leads. Nowhere means none.
* The *deal file* (a deal to be played): one object with ``version``, ``FirstPlayer`` (a
  place), ``Dog`` and one key for each of the five places, empty where nobody sits. Its
  tests write Nowhere as the first player, which its own reader refuses; here South leads
  then.
* The *deal log* (a deal that was played): ``version``, ``deal_info`` and ``tricks``.
  ``deal_info`` has ``number_of_players``, ``taker`` (a place), ``contract`` (Pass, Take,
  Guard, Guard without, Guard against), ``slam`` (whether announced), ``first_trick_lead``
  (a place), ``dog`` as it was dealt, ``attack_handle`` and ``defense_handle`` (the trumps
  of the last poignée that each camp showed). ``tricks`` has one string a trick, its cards
  in the order of play, and empty strings for tricks that were not played. The hands are
  not there, nor is the écart: the reader takes the cards that were not played for it.

What follows for the mapping:

* Hands are rebuilt from the tricks, so only a log that is complete can be read.
* Some versions write no dog. In a Garde sans or contre it is what was not played. In a Prise
  or Garde that is the écart, and we take it that the taker discarded the dog as it came: the
  score is the same whatever they exchanged. Only if the taker could not have had the hand
  that is left (a Petit sec, or a call that was not theirs to make) a card of it is taken to
  come from the dog. A remark says so. A deal file without a dog has the cards of no hand.
* Some write a comma too many before a closing brace or bracket, which is overlooked here, and
  only here, with a remark.
* The dealer is the place before ``first_trick_lead``. With an announced chelem that is
  the place before the taker, and the true dealer is lost; nothing else depends on it.
* A poignée's seat is the one that had its cards; the number of cards gives the level.
  One a camp can be written, with the highest trumps that make it.
* A log of five players does not say which card was called. We write it under
  ``deal_info`` as ``called``, a key that TarotClub ignores, and need it to read one.
* A deal with every card played becomes a log, one without plays a deal file: there taker,
  contract, écart and announcements have no place. Endings and deals cut short have no
  form at all, and options of the rules have no place.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from tarot_sim.cards import CARDS, EXCUSE, FULL_MASK, Card, Hand
from tarot_sim.deals.deal import Deal, Poignee
from tarot_sim.deals.faults import record_faults
from tarot_sim.deals.fields import Faults, rule_options
from tarot_sim.deals.formats import record
from tarot_sim.deals.formats.record import MakeDeal
from tarot_sim.errors import CardError, HandError, RecordError, field, raise_all, remark
from tarot_sim.notation import shown as quoted
from tarot_sim.rules import Contract, Rules
from tarot_sim.rules.announcements import LEVELS, default_poignee
from tarot_sim.rules.auction import callable_cards

PLACES: Final = ("South", "East", "North", "West", "Fifth")
VERSION: Final = "3"

_CONTRACTS: Final[dict[str, Contract]] = {
    "Take": "prise",
    "Guard": "garde",
    "Guard without": "garde_sans",
    "Guard against": "garde_contre",
}
_SUITS: Final = "SHDC"
#: A string, or a comma with nothing but space between it and the bracket that it stands before.
_COMMA_TOO_MANY: Final = re.compile(r'("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])')
#: The fields of a record that are read from each of TarotClub's.
_FIELDS: Final[dict[str, tuple[str, ...]]] = {
    "taker": ("taker",),
    "first_trick_lead": ("dealer",),
    "contract": ("contract", "discard"),
    "called": ("called",),
    "slam": ("chelem",),
    "attack_handle": ("poignees",),
    "defense_handle": ("poignees",),
    "dog": ("dog", "hands", "discard"),
}


def _card_name(card: Card) -> str:
    if card == EXCUSE:
        return "00-T"
    return f"{card.rank:02d}-{(_SUITS + 'T')[card.suit]}"


_BY_NAME: Final = {_card_name(card): card for card in CARDS}


def recognises(text: str) -> bool:
    """Tell whether a text is one of TarotClub's documents, or a line each."""
    head = text.lstrip()
    if not head.startswith("{"):
        return False
    for part in (text, record.first_line(text)):
        try:
            value = record.parse_json(_without_commas(part))
        except RecordError:
            continue
        return is_document(value)
    return False


def is_document(value: object) -> bool:
    """Tell whether a value of JSON is one of TarotClub's documents."""
    return isinstance(value, dict) and ("deal_info" in value or "FirstPlayer" in value)


def loads(text: str, *, rules: Rules | None = None, make: MakeDeal = Deal.from_dict) -> list[Deal]:
    """Return the deals of a text: one document, or one a line.

    Raises
    ------
    RecordError, HandError, CardError, IllegalPlayError
        If a document is wrong; the message starts with TarotClub's name of the field, or with
        the record's where two of them contradict each other.
    """
    try:
        document = _document(text)
    except RecordError:
        lines = [line for line in text.splitlines() if line.strip()]
        if len(lines) < 2 or not lines[0].strip().endswith("}"):
            raise
    else:
        return [parse(document, rules=rules, make=make)]
    deals = []
    for number, line in enumerate(lines, 1):
        with field(f"line {number}"):
            deals.append(parse(_document(line), rules=rules, make=make))
    return deals


def _document(text: str) -> Any:
    """Return the value of a JSON document, in which there may be commas too many."""
    try:
        return record.parse_json(text)
    except RecordError:
        sound = _without_commas(text)
        if sound == text:
            raise
        value = record.parse_json(sound)
        remark("record: a comma before a closing bracket is too many for JSON, overlooked")
        return value


def _without_commas(text: str) -> str:
    """Return a text without the commas before a closing bracket, strings left alone."""
    return _COMMA_TOO_MANY.sub(lambda match: match[1] or "", text)


def dumps(deals: Iterable[Deal]) -> str:
    """Return one deal as TarotClub indents it, several as one document a line.

    Raises
    ------
    RecordError
        If a deal has no form in TarotClub; see the module.
    """
    documents = [build(deal) for deal in deals]
    if len(documents) == 1:
        return json.dumps(documents[0], indent=4, sort_keys=True) + "\n"
    return "".join(json.dumps(document, sort_keys=True) + "\n" for document in documents)


def losses(deal: Deal) -> tuple[str, ...]:
    """Return the fields of a deal that its document cannot hold."""
    given = {
        "dealer": bool(deal.plays) and deal.first_leader != ((deal.dealer or 0) + 1) % deal.players,
        "rules": bool(rule_options(deal.rules)),
    }
    if not deal.plays:
        given |= {
            "taker": deal.taker is not None,
            "contract": deal.contract is not None,
            "called": deal.called is not None,
            "discard": deal.discard is not None,
            "chelem": deal.chelem,
            "poignees": bool(deal.poignees),
        }
    given |= {"miseres": bool(deal.miseres), "auction": bool(deal.auction)}
    return tuple(name for name, is_given in given.items() if is_given)


def parse(document: Any, *, rules: Rules | None = None, make: MakeDeal = Deal.from_dict) -> Deal:
    """Return the deal of one document, a deal file or a deal log.

    Examples
    --------
    >>> parse(build(Deal.random(players=5, rng=1))).players
    5
    """
    if not isinstance(document, Mapping):
        raise RecordError("record: expected a JSON object")
    faults = Faults()
    with faults.noted():
        if document.get("version") != VERSION:
            raise RecordError(f"version: {quoted(document.get('version'))} is not {VERSION!r}")
    read = _log_record if "deal_info" in document else _deal_file_record
    found = read(document, rules, faults)
    if faults:
        names = {str(fault).partition(":")[0] for fault in faults}
        unread = {field for name in names for field in _FIELDS.get(name, ())}
        if "hands" in found:
            faults += map(RecordError, record_faults(found, rules, unread=unread))
        raise_all(faults)
    return make(found, rules=rules)


def build(deal: Deal) -> dict[str, Any]:
    """Return the document for one deal: a log if it is played out, else a deal file."""
    if deal.is_ending:
        raise RecordError("leader: TarotClub has no form for an ending")
    if not deal.plays:
        hands = [_join(hand) for hand in deal.hands] + [""] * (5 - deal.players)
        return {
            "version": VERSION,
            "FirstPlayer": PLACES[((deal.dealer or 0) + 1) % deal.players],
            "Dog": _join(deal.dog),
            **dict(zip(PLACES, hands, strict=True)),
        }
    if not deal.is_played_out:
        raise RecordError("plays: cut short, TarotClub has a form for whole deals only")
    return _build_log(deal)


def _deal_file_record(
    document: Mapping[str, Any], rules: Rules | None, faults: Faults
) -> dict[str, Any]:
    hands = [Hand()] * 5
    before = len(faults)
    for seat, name in enumerate(PLACES):
        with faults.noted():
            hands[seat] = _set(document, name)
            if not hands[seat] and seat < 3:
                raise HandError(f"{name}: no cards, expected a hand")
    if len(faults) > before:
        return {}
    if hands[4] and not hands[3]:
        with faults.noted():
            raise HandError("West: no cards, but Fifth has a hand")
    players = 3 + bool(hands[3]) + bool(hands[4])
    found: dict[str, Any] = {"players": players, "hands": [str(hand) for hand in hands[:players]]}
    with faults.noted():
        first = _place(document, "FirstPlayer", players)
        found["dealer"] = ((0 if first is None else first) - 1) % players
    with faults.noted("Dog"):
        dog = Hand(_split(document.get("Dog", "")))
        rest = Hand.from_mask(FULL_MASK & ~sum({hand.mask for hand in hands}))
        size = Rules(players=players).dog_size
        if not dog and len(rest) == size and sum(map(len, hands)) + size == len(CARDS):
            remark("Dog: not there, taken to be the cards that are in no hand")
            dog = rest
        found["dog"] = str(dog)
    return found


def _log_record(document: Mapping[str, Any], rules: Rules | None, faults: Faults) -> dict[str, Any]:
    """Return the record that a log means, as far as it can be read; what is wrong is noted."""
    info = document["deal_info"]
    if not isinstance(info, Mapping):
        with faults.noted():
            raise RecordError("deal_info: expected an object")
        return {}
    players = info.get("number_of_players")
    with faults.noted():
        if type(players) is not int or players not in (3, 4, 5):
            raise RecordError(f"number_of_players: {quoted(players)} is not 3, 4 or 5")
    if players not in (3, 4, 5):
        return {}
    table = Rules(players=players) if rules is None else rules.with_players(players)
    found: dict[str, Any] = {"players": players}
    with faults.noted():
        found["contract"] = _contract(info)
    for key, name in (("taker", "taker"), ("leader", "first_trick_lead")):
        with faults.noted():
            found[key] = _place(info, name, players)
            if found[key] is None:
                raise RecordError(f"{name}: missing")
    with faults.noted():
        found["chelem"] = _slam(info)
    with faults.noted():
        found["called"] = _called(info, players)
    dog = Hand()
    with faults.noted():
        dog = _set(info, "dog")
    shown: dict[str, Hand] = {}
    for name in ("attack_handle", "defense_handle"):
        with faults.noted():
            shown[name] = _set(info, name)
    leader = found.pop("leader", None)
    before = len(faults)
    plays, hands = _deal_out_again(document.get("tricks"), table, leader or 0, faults)
    if len(faults) > before or leader is None:
        return {}
    found["dealer"] = (leader - 1) % players
    found["plays"] = [card.name for card in plays]
    taker, contract = found.get("taker"), found.get("contract")
    if (faults and not {"taker", "contract", "called"} <= found.keys()) or taker is None:
        return {}
    aside = Hand.from_mask(FULL_MASK & ~sum(hand.mask for hand in hands))
    takes = contract in ("prise", "garde")
    if takes:
        found["discard"] = str(aside)
    if not info.get("dog"):
        dog = _dog_not_written(hands[taker], aside, found["called"], table) if takes else aside
        remark(
            "dog: not in the log, taken to be the cards that were not played"
            + (", which the taker discarded" if takes else "")
        )
    if takes:
        hands[taker] = (hands[taker] | aside) - dog
    elif aside != dog:
        with faults.noted():
            raise HandError(f"dog: {dog} was dealt, but the cards that were not played are {aside}")
    found["hands"], found["dog"] = [str(hand) for hand in hands], str(dog)
    found["called"] = None if found["called"] is None else found["called"].name
    found["poignees"] = []
    for name, cards in shown.items():
        with faults.noted(name):
            if cards:
                all_cards = [
                    hand | dog if takes and seat == taker else hand
                    for seat, hand in enumerate(hands)
                ]
                found["poignees"].append(_poignee(cards, all_cards, table))
    return found


def _dog_not_written(played: Hand, discard: Hand, called: Card | None, rules: Rules) -> Hand:
    """Return a dog that the taker may have had, whose hand after the écart is `played`.

    It is the écart itself, but for cards that must have been in the other of the two: of a
    Petit sec the Petit lay in the dog, and of a call that `callable_cards` does not allow
    the card itself did, or the higher ones were held that were discarded later.
    """
    out, into = Hand(), Hand()
    if played.is_petit_sec():
        out = played.trumps
    if called is not None and called not in callable_cards(played, rules):
        if called in played:
            out |= Hand([called])
        into = Hand([card for card in discard if card.suit < 4 and card.rank > called.rank])
    # As many cards go one way as the other: the cheapest for what is not asked for.
    cheap = sorted(played - out, key=lambda card: card.half_points)
    out |= Hand(cheap[: max(0, len(into) - len(out))])
    into |= Hand(list(discard - into)[: max(0, len(out) - len(into))])
    return (discard - into) | out


def _contract(info: Mapping[str, Any]) -> Contract:
    name = info.get("contract")
    if not isinstance(name, str) or name not in _CONTRACTS:
        raise RecordError(f"contract: {quoted(name)} is not one of {', '.join(_CONTRACTS)}")
    return _CONTRACTS[name]


def _slam(info: Mapping[str, Any]) -> bool:
    slam = info.get("slam", False)
    if not isinstance(slam, bool):
        raise RecordError(f"slam: {quoted(slam)} is not true or false")
    return slam


def _called(info: Mapping[str, Any], players: int) -> Card | None:
    name = info.get("called")
    if players != 5:
        return None
    if name is None:
        raise RecordError(
            "called: missing; TarotClub's log of five players does not have it, "
            'so add "called": "14-S" (or another card) to deal_info'
        )
    with field("called"):
        return _card(name)


def _deal_out_again(
    tricks: Any, rules: Rules, leader: int, faults: Faults
) -> tuple[list[Card], list[Hand]]:
    """Return the plays, and the hands from which they came; what is wrong is noted."""
    plays: list[Card] = []
    hands = [0] * rules.players
    texts = tricks if isinstance(tricks, list) else []
    with faults.noted():
        if len(texts) != rules.hand_size:
            raise RecordError(f"tricks: expected an array of {rules.hand_size} strings")
    for number, text in enumerate(texts):
        with faults.noted(f"tricks[{number}]"):
            cards = _split(text)
            if len(cards) != rules.players:
                raise RecordError(
                    f"{len(cards)} cards, expected {rules.players} (the hands of a deal that "
                    "was cut short cannot be rebuilt)"
                )
            for place, card in enumerate(cards):
                if card in plays:
                    raise HandError(f"card {_card_name(card)} comes twice")
                plays.append(card)
                hands[(leader + place) % rules.players] |= 1 << card
            leader = (leader + _winner(cards)) % rules.players
    return plays, [Hand.from_mask(mask) for mask in hands]


def _winner(cards: Sequence[Card]) -> int:
    """Return the place in the trick of the card that won it.

    This is for who leads to the next one, so an Excuse that wins the last trick of a
    chelem is no concern.
    """
    trumps = [card for card in cards if card.suit == 4]
    if trumps:
        return cards.index(max(trumps))
    led = next(card.suit for card in cards if card != EXCUSE)
    return cards.index(max(card for card in cards if card.suit == led))


def _poignee(shown: Hand, hands: Sequence[Hand], rules: Rules) -> dict[str, Any]:
    """Return the poignée of a record whose cards are `shown`, from all that was each seat's."""
    levels = dict(zip(rules.poignee_trumps, LEVELS, strict=True))
    if len(shown) not in levels:
        sizes = ", ".join(map(str, levels))
        raise HandError(f"{len(shown)} cards, expected one of {sizes} at {rules.players} players")
    for seat, cards in enumerate(hands):
        if not shown - cards:
            return {"seat": seat, "level": levels[len(shown)]}
    raise HandError(f"{_join(shown)} are in no single hand")


def _build_log(deal: Deal) -> dict[str, Any]:
    names = {contract: name for name, contract in _CONTRACTS.items()}
    # A deal with plays has them, or it would not be there.
    assert deal.taker is not None
    assert deal.contract is not None
    handles = {"attack_handle": "", "defense_handle": ""}
    for poignee in deal.poignees:
        key = "attack_handle" if poignee.seat in deal.attack else "defense_handle"
        if handles[key]:
            raise RecordError("poignees: TarotClub keeps one for each camp")
        handles[key] = _join(_shown(deal, poignee))
    if deal.contract not in names:
        raise RecordError(f"contract: TarotClub has no form for {deal.contract}")
    info = {
        "number_of_players": deal.players,
        "taker": PLACES[deal.taker],
        "contract": names[deal.contract],
        "slam": deal.chelem,
        "first_trick_lead": PLACES[deal.first_leader],
        "dog": _join(deal.dog),
        **handles,
    }
    if deal.called is not None:
        info["called"] = _card_name(deal.called)
    tricks = [
        _join(deal.plays[start : start + deal.players])
        for start in range(0, len(deal.plays), deal.players)
    ]
    return {"version": VERSION, "deal_info": info, "tricks": tricks}


def _shown(deal: Deal, poignee: Poignee) -> Hand:
    cards = deal.hands[poignee.seat]
    if poignee.seat == deal.taker and deal.discard is not None:
        cards |= deal.dog  # what of it lies in the écart may be shown as well
    return default_poignee(cards, poignee.level, deal.rules)


def _join(cards: Iterable[Card]) -> str:
    return ";".join(map(_card_name, cards))


def _split(text: Any) -> list[Card]:
    if not isinstance(text, str):
        raise RecordError(f"expected cards joined by semicolons, not {quoted(text)}")
    return [_card(name) for name in text.split(";")] if text else []


def _card(name: Any) -> Card:
    if not isinstance(name, str) or name not in _BY_NAME:
        raise CardError(f"unknown card {quoted(name)}: TarotClub's are 01-S…14-C, 01-T…21-T, 00-T")
    return _BY_NAME[name]


def _set(document: Mapping[str, Any], name: str) -> Hand:
    with field(name):
        return Hand(_split(document.get(name, "")))


def _place(document: Mapping[str, Any], name: str, players: int) -> int | None:
    value = document.get(name)
    if value in (None, "", "Nowhere"):
        return None
    if value not in PLACES[:players]:
        raise RecordError(f"{name}: {quoted(value)} is not one of {', '.join(PLACES[:players])}")
    return PLACES.index(value)
