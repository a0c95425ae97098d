"""Write the golden deals again: whole records with what their replay comes to.

Run ``python -m tests.golden.refresh`` from the top after a change that is meant to alter
them, and read the difference. Each file has the record, the expected answer of ``replay``
and a line that says what it is about.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tarot_sim.cards import CARDS, EXCUSE, FULL_PACK, ROIS_MASK, Card, Hand
from tarot_sim.deals.deal import Deal, Poignee
from tarot_sim.deals.dealing import Draws
from tarot_sim.deals.replaying import replay
from tarot_sim.rules import CONTRACTS, Rules
from tarot_sim.rules.announcements import LEVELS, poignee_levels
from tarot_sim.rules.auction import callable_cards
from tarot_sim.rules.discard import count_discards, iter_discards

if TYPE_CHECKING:
    from tarot_sim._core import Position

FOLDER = Path(__file__).parent / "deals"
SEED = 78

Choice = Callable[["Position"], Card]


def contents() -> dict[str, Any]:
    """Return what the golden files hold, by their names."""
    return {
        file.stem: json.loads(file.read_text(encoding="utf-8"))
        for file in sorted(FOLDER.glob("*.json"))
    }


def golden() -> Iterator[tuple[str, str]]:
    """Yield the name and the text of every golden file."""
    for name, about, deal in (*random_deals(), *odd_deals()):
        yield f"{name}.json", _format(about, deal)


def random_deals() -> Iterator[tuple[str, str, Deal]]:
    """Yield a deal of each contract and number of players, played at random."""
    for players in (3, 4, 5):
        for contract in CONTRACTS:
            draws = Draws(SEED * 100 + players * 10 + CONTRACTS.index(contract))
            rules = Rules.fft(players) if draws.below(2) else Rules(players=players)
            deal = Deal.random(rng=draws, rules=rules)
            taker = draws.below(players)
            called = None
            if players == 5:
                called = _any(callable_cards(deal.hands[taker], rules), draws)
            deal = replace(deal, taker=taker, called=called)
            deal = replace(deal, contract=contract, discard=_discard(deal, draws, contract))
            deal = replace(deal, poignees=_poignees(deal))
            yield f"random-{players}-{contract}", "played at random", play_out(deal, _at(draws))


def odd_deals() -> Iterator[tuple[str, str, Deal]]:
    """Yield the deals that programs get wrong."""
    yield _chelem_with_the_excuse_last()
    yield _chelem_of_the_defence("chelem-of-the-defence", Rules(players=3))
    yield _chelem_of_the_defence("chelem-of-the-defence-fft", Rules.fft(3))
    yield _chelem_announced_and_lost()
    yield _excuse_lost_in_the_last_trick()
    yield _excuse_kept_by_its_camp("excuse-last-own-camp", Rules(players=4))
    yield _excuse_kept_by_its_camp("excuse-last-own-camp-fft", Rules.fft(4))
    yield _alone_with_the_own_roi()
    yield _called_card_in_the_dog("called-in-the-dog-garde", "garde")
    yield _called_card_in_the_dog("called-in-the-dog-garde-contre", "garde_contre")
    whole = _excuse_lost_in_the_last_trick()[2]
    yield "cut-short", "the same deal, cut short in a trick", replace(whole, plays=whole.plays[:30])
    yield _an_ending(whole)


def play_out(deal: Deal, choose: Choice) -> Deal:
    """Return the deal with all its cards played as `choose` does."""
    position = deal.position()
    while not position.is_over:
        position.play(choose(position))
    return replace(deal, plays=position.plays)


def _at(draws: Draws) -> Choice:
    return lambda position: _any(position.legal_cards(), draws)


def _any(cards: list[Card], draws: Draws) -> Card:
    return cards[draws.below(len(cards))]


def _dearest_trump(position: Position) -> Card:
    """Lead trumps from above, then whatever is high; follow as low as may be."""
    legal = position.legal_cards()
    if position.trick:
        return min(legal, key=lambda card: (card.half_points, card.rank))
    plain = [card for card in legal if card != EXCUSE] or legal
    return max(plain, key=lambda card: (card.suit == 4, card.rank))


def _rois_then_trumps(position: Position) -> Card:
    """Lead Rois before trumps from above, the Excuse when it is led to first."""
    legal = position.legal_cards()
    if EXCUSE in legal:
        return EXCUSE
    if position.trick:
        return min(legal, key=lambda card: (card.half_points, card.rank))
    return max(legal, key=lambda card: (card.suit < 4, card.rank))


def _holding_the_excuse(draws: Draws) -> Choice:
    """Play at random, but the Excuse only when it is the last card."""

    def choose(position: Position) -> Card:
        legal = position.legal_cards()
        return _any([card for card in legal if card != EXCUSE] or legal, draws)

    return choose


def _discard(deal: Deal, draws: Draws, contract: str) -> Hand | None:
    if contract not in ("prise", "garde") or deal.taker is None:
        return None
    pool = deal.hands[deal.taker] | deal.dog
    place = draws.below(count_discards(pool, deal.rules))
    return next(one for i, one in enumerate(iter_discards(pool, deal.rules)) if i == place)


def _poignees(deal: Deal) -> tuple[Poignee, ...]:
    """Return the highest poignée of every seat that has one, from the dealt hand."""
    found = []
    for seat, hand in enumerate(deal.hands):
        levels = poignee_levels(len(hand.trumps), EXCUSE in hand, deal.rules)
        if levels:
            found.append(Poignee(seat, levels[-1]))
    return tuple(found)


def _deal_rest(hands: list[Hand], rules: Rules) -> tuple[tuple[Hand, ...], Hand]:
    """Return the hands filled up from what is left of the pack, and the dog.

    One card goes to each in turn, from the highest: nobody gets all of anything.
    """
    rest = [card for card in reversed(CARDS) if not any(card in hand for hand in hands)]
    dog = Hand()
    while rest:
        for seat, hand in enumerate(hands):
            if len(hand) < rules.hand_size:
                hands[seat] |= Hand([rest.pop(0)])
        if len(dog) < rules.dog_size:
            dog |= Hand([rest.pop()])
    return tuple(hands), dog


def _chelem_with_the_excuse_last() -> tuple[str, str, Deal]:
    rules = Rules(players=4)
    taker = Hand("A:21,20,19,18,17,16,15,14,13,12,11,10,9,8,7,6,1,EX")
    hands, dog = _deal_rest([Hand(), Hand(), taker, Hand()], rules)
    deal = Deal(
        4,
        0,
        hands,
        dog,
        taker=2,
        contract="garde_sans",
        chelem=True,
        poignees=(Poignee(2, LEVELS[2]),),
    )
    about = "the announced chelem: Petit in the second-last trick, Excuse wins the last"
    return "chelem-excuse-last", about, play_out(deal, _dearest_trump)


def _sweeping_defender(rules: Rules) -> Deal:
    """Return a deal of three in which seat 1 has every trump, and the taker the Excuse."""
    trumps = FULL_PACK.trumps | Hand("PR CR KR")
    hands, dog = _deal_rest([Hand("EX TR"), trumps, Hand()], rules)
    return Deal(3, 0, hands, dog, rules=rules)


def _chelem_of_the_defence(name: str, rules: Rules) -> tuple[str, str, Deal]:
    deal = _sweeping_defender(rules)
    pool = deal.hands[0] | deal.dog
    discard = max(iter_discards(pool, rules), key=lambda cards: (cards.half_points, cards))
    deal = replace(deal, taker=0, contract="garde", discard=discard)
    about = "an attack without a trick: who keeps its Excuse depends on the rules"
    return name, about, play_out(deal, _rois_then_trumps)


def _chelem_announced_and_lost() -> tuple[str, str, Deal]:
    deal = replace(
        _sweeping_defender(Rules(players=3)), taker=0, contract="garde_contre", chelem=True
    )
    about = "an announced chelem of which the defence wins every trick; the Excuse is led"
    return "chelem-announced-and-lost", about, play_out(deal, _rois_then_trumps)


def _searched(
    rules: Rules, wanted: Callable[[Deal], bool], make: Callable[[Deal, Draws], Deal | None]
) -> Deal:
    """Return the first deal that `make` makes of a random one and that is `wanted`."""
    draws = Draws(SEED)
    while True:
        deal = make(Deal.random(rng=draws, rules=rules), draws)
        if deal is not None and wanted(deal):
            return deal


def _excuse_last(deal: Deal, draws: Draws) -> Deal | None:
    """Return the deal played with the Excuse held back by an attacker."""
    if deal.holder(EXCUSE) is None:
        return None
    deal = replace(deal, taker=deal.holder(EXCUSE), contract="garde_sans")
    return play_out(deal, _holding_the_excuse(draws))


def _excuse_lost_in_the_last_trick() -> tuple[str, str, Deal]:
    def wanted(deal: Deal) -> bool:
        answer = replay(deal)
        return answer.tricks[-1].winner != deal.taker and answer.chelem is None

    deal = _searched(Rules(players=4), wanted, _excuse_last)
    about = "the taker's Excuse falls in the last trick, which the defence wins"
    return "excuse-lost-last", about, deal


def _excuse_kept_by_its_camp(name: str, rules: Rules) -> tuple[str, str, Deal]:
    def make(deal: Deal, draws: Draws) -> Deal | None:
        holder = deal.holder(EXCUSE)
        if holder is None:
            return None
        deal = replace(deal, taker=(holder + 1) % deal.players, contract="garde_sans")
        return play_out(deal, _holding_the_excuse(draws))

    def wanted(deal: Deal) -> bool:
        trick = replay(deal).tricks[-1]
        holder = deal.holder(EXCUSE)
        return EXCUSE in trick.cards and trick.winner not in (holder, deal.taker)

    about = "a defender's Excuse falls in the last trick, which another defender wins"
    return name, about, _searched(rules, wanted, make)


def _alone_with_the_own_roi() -> tuple[str, str, Deal]:
    def make(deal: Deal, draws: Draws) -> Deal | None:
        taker = draws.below(5)
        own = Hand.from_mask(deal.hands[taker].mask & ROIS_MASK)
        if not 0 < len(own) < 4:
            return None
        deal = replace(deal, taker=taker, called=min(own))
        deal = replace(deal, contract="garde", discard=_discard(deal, draws, "garde"))
        return play_out(deal, _at(draws))

    deal = _searched(Rules(players=5), lambda deal: True, make)
    return "alone-own-roi", "a taker who calls a Roi of the own hand: one against four", deal


def _called_card_in_the_dog(name: str, contract: Any) -> tuple[str, str, Deal]:
    def make(deal: Deal, draws: Draws) -> Deal | None:
        taker = draws.below(5)
        rois = Hand.from_mask(deal.dog.mask & ROIS_MASK)
        if not rois:
            return None
        deal = replace(deal, taker=taker, called=min(rois))
        deal = replace(deal, contract=contract, discard=_discard(deal, draws, contract))
        return play_out(deal, _at(draws))

    deal = _searched(Rules(players=5), lambda deal: True, make)
    return name, "the called card lies in the dog: one against four", deal


def _an_ending(whole: Deal) -> tuple[str, str, Deal]:
    """Return the last five tricks of a whole deal as a record of their own."""
    ply = len(whole.plays) - 5 * whole.players
    position = whole.position(ply)
    deal = Deal(
        whole.players,
        whole.dealer,
        position.hands,
        taker=whole.taker,
        contract=whole.contract,
        plays=whole.plays[ply:],
        leader=position.leader,
        attack_half_points=position.attack_half_points,
        attack_bouts=position.attack_bouts,
    )
    return "ending", "the last tricks of the deal whose Excuse is lost", deal


def _format(about: str, deal: Deal) -> str:
    """Return the file's text, one field a line and one trick a line, for good diffs."""
    sections = [f'  "about": {json.dumps(about)}']
    for name, fields in (("record", deal.to_dict()), ("replay", replay(deal).to_dict())):
        lines = [f'    "{key}": {_value(key, value)}' for key, value in fields.items()]
        sections.append(f'  "{name}": {{\n' + ",\n".join(lines) + "\n  }")
    return "{\n" + ",\n".join(sections) + "\n}\n"


def _value(key: str, value: Any) -> str:
    if key not in ("hands", "tricks") or not value:
        return json.dumps(value)
    return "[\n" + ",\n".join(f"      {json.dumps(item)}" for item in value) + "\n    ]"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for file in FOLDER.glob("*.json"):
        file.unlink()
    for name, text in golden():
        (FOLDER / name).write_text(text, encoding="utf-8")
        print(name)
