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
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from tarot_sim.cards import CARDS, EXCUSE, FULL_MASK, Card, Hand
from tarot_sim.deals.deal import Deal, Poignee
from tarot_sim.deals.fields import rule_options
from tarot_sim.deals.formats import record
from tarot_sim.deals.formats.record import MakeDeal
from tarot_sim.errors import CardError, HandError, RecordError, field
from tarot_sim.notation import shown as quoted
from tarot_sim.rules import Contract, Rules
from tarot_sim.rules.announcements import LEVELS, default_poignee

PLACES: Final = ("South", "East", "North", "West", "Fifth")
VERSION: Final = "3"

_CONTRACTS: Final[dict[str, Contract]] = {
    "Take": "prise",
    "Guard": "garde",
    "Guard without": "garde_sans",
    "Guard against": "garde_contre",
}
_SUITS: Final = "SHDC"


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
            value = record.parse_json(part)
        except RecordError:
            continue
        return isinstance(value, dict) and ("deal_info" in value or "FirstPlayer" in value)
    return False


def loads(text: str, *, rules: Rules | None = None, make: MakeDeal = Deal.from_dict) -> list[Deal]:
    """Return the deals of a text: one document, or one a line; `make` has no part in it.

    Raises
    ------
    RecordError, HandError, CardError, IllegalPlayError
        If a document is wrong; the message starts with TarotClub's name of the field.
    """
    try:
        return [parse(record.parse_json(text), rules=rules)]
    except RecordError:
        lines = [line for line in text.splitlines() if line.strip()]
        if len(lines) < 2 or not lines[0].strip().endswith("}"):
            raise
    deals = []
    for number, line in enumerate(lines, 1):
        with field(f"line {number}"):
            deals.append(parse(record.parse_json(line), rules=rules))
    return deals


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
    return tuple(name for name, is_given in given.items() if is_given)


def parse(document: Any, *, rules: Rules | None = None) -> Deal:
    """Return the deal of one document, a deal file or a deal log.

    Examples
    --------
    >>> parse(build(Deal.random(players=5, rng=1))).players
    5
    """
    if not isinstance(document, Mapping):
        raise RecordError("record: expected a JSON object")
    if document.get("version") != VERSION:
        raise RecordError(f"version: {quoted(document.get('version'))} is not {VERSION!r}")
    if "deal_info" in document:
        return _parse_log(document, rules)
    return _parse_deal_file(document, rules)


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


def _parse_deal_file(document: Mapping[str, Any], rules: Rules | None) -> Deal:
    hands = []
    for name in PLACES:
        cards = _set(document, name)
        if cards:
            hands.append(cards)
        elif len(hands) < 3:
            raise HandError(f"{name}: no cards, expected a hand")
    if len(hands) == 4 and not document.get("West"):
        raise HandError("West: no cards, but Fifth has a hand")
    first = _place(document, "FirstPlayer", len(hands))
    dealer = (0 if first is None else first) - 1
    return Deal(
        len(hands),
        dealer % len(hands),
        tuple(hands),
        _set(document, "Dog"),
        rules=rules or Rules(players=len(hands)),
    )


def _parse_log(document: Mapping[str, Any], rules: Rules | None) -> Deal:
    info = document["deal_info"]
    if not isinstance(info, Mapping):
        raise RecordError("deal_info: expected an object")
    players = info.get("number_of_players")
    if type(players) is not int:
        raise RecordError(f"number_of_players: {quoted(players)} is not 3, 4 or 5")
    rules = Rules(players=players) if rules is None else rules.with_players(players)
    name = info.get("contract")
    if not isinstance(name, str) or name not in _CONTRACTS:
        raise RecordError(f"contract: {quoted(name)} is not one of {', '.join(_CONTRACTS)}")
    contract = _CONTRACTS[name]
    taker, leader = (
        _place(info, "taker", players),
        _place(info, "first_trick_lead", players),
    )
    if taker is None or leader is None:
        raise RecordError(f"{'taker' if taker is None else 'first_trick_lead'}: missing")
    slam = info.get("slam", False)
    if not isinstance(slam, bool):
        raise RecordError(f"slam: {quoted(slam)} is not true or false")
    called = _called(info, players)
    dog = _set(info, "dog")
    plays, hands = _deal_out_again(document.get("tricks"), rules, leader)
    aside = Hand.from_mask(FULL_MASK & ~sum(hand.mask for hand in hands))
    discard = aside if contract in ("prise", "garde") else None
    if discard is not None:
        hands[taker] = (hands[taker] | discard) - dog
    elif aside != dog:
        raise HandError(f"dog: {dog} was dealt, but the cards that were not played are {aside}")
    poignees = []
    for key in ("attack_handle", "defense_handle"):
        shown = _set(info, key)
        if shown:
            with field(key):
                poignees.append(_poignee(shown, hands, taker, dog, discard, rules))
    return Deal(
        players,
        (leader - 1) % players,
        tuple(hands),
        dog,
        taker=taker,
        contract=contract,
        called=called,
        discard=discard,
        chelem=slam,
        poignees=tuple(poignees),
        plays=tuple(plays),
        rules=rules,
    )


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


def _deal_out_again(tricks: Any, rules: Rules, leader: int) -> tuple[list[Card], list[Hand]]:
    """Return the plays, and the hands from which they came."""
    if not isinstance(tricks, list) or len(tricks) != rules.hand_size:
        raise RecordError(f"tricks: expected an array of {rules.hand_size} strings")
    plays: list[Card] = []
    hands = [0] * rules.players
    for number, text in enumerate(tricks):
        with field(f"tricks[{number}]"):
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


def _poignee(
    shown: Hand,
    hands: Sequence[Hand],
    taker: int,
    dog: Hand,
    discard: Hand | None,
    rules: Rules,
) -> Poignee:
    levels = dict(zip(rules.poignee_trumps, LEVELS, strict=True))
    if len(shown) not in levels:
        sizes = ", ".join(map(str, levels))
        raise HandError(f"{len(shown)} cards, expected one of {sizes} at {rules.players} players")
    for seat, hand in enumerate(hands):
        cards = hand | dog if seat == taker and discard is not None else hand
        if not shown - cards:
            return Poignee(seat, levels[len(shown)])
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
