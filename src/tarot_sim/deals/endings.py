"""Random endings: the last tricks of a deal in which the strongest hand took a Garde."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from tarot_sim.cards import Card, Hand
from tarot_sim.deals.deal import Deal
from tarot_sim.deals.dealing import Draws, deal_uniform
from tarot_sim.errors import OptionError
from tarot_sim.notation import shown
from tarot_sim.rules import Rules, table_of
from tarot_sim.rules.auction import callable_cards
from tarot_sim.rules.chavey import chavey_count
from tarot_sim.rules.discard import discardable

if TYPE_CHECKING:
    from tarot_sim._core import Position
    from tarot_sim.deals.dealing import Randomness


class Discarder(Protocol):
    """What chooses an écart: `tarot_sim.choose_discard` is one."""

    def __call__(self, cards: Hand, rules: Rules, *, called: Card | None = None) -> Hand:
        """Return the écart of a hand and the dog together."""


def random_ending(
    cards: int,
    *,
    players: int | None = None,
    rng: Randomness = None,
    rules: Rules | None = None,
    dealer: int | None = None,
    discard: Discarder | None = None,
    seed: Randomness = None,
) -> Deal:
    """Return an ending of so many cards a hand, the cards before it played at random.

    The cards are dealt uniformly. The hand with the highest count of Chavey takes a Garde; at
    five players it calls a card at random, one that it has not if it may. Then every player
    plays a legal card at random, all of them equally likely.

    Parameters
    ----------
    cards
        Cards that every hand still has, from 1 to one below a whole hand.
    players, rng, rules, dealer, seed
        As in `Deal.random`.
    discard
        What chooses the écart; by default all legal ones are equally likely.

    Returns
    -------
    Deal
        The record: it says who leads, what the attack has, and which camp has won every trick
        if one has.

    Raises
    ------
    OptionError
        If no ending has so many cards.

    Examples
    --------
    >>> ending = random_ending(3, rng=1)
    >>> for hand in ending.hands:
    ...     print(hand)
    P:6 C:10,7
    A:18 K:D,8
    C:C,9 T:3
    A:12 P:1 C:3
    >>> ending.leader, ending.taker, ending.to_dict()["attack_points"]
    (1, 1, 50)
    """
    table = table_of(players, rules)
    if not 0 < cards < table.hand_size:
        raise OptionError(f"cards: {shown(cards)} is not 1…{table.hand_size - 1}, as an ending has")
    draws = Draws.of(rng, seed)
    deal = _garde(table, draws, dealer, discard)
    position = deal.position()
    while position.tricks_left > cards or position.trick:
        legal = position.legal_cards()
        position.play(legal[draws.below(len(legal))])
    return ending_at(deal, position)


def ending_at(deal: Deal, position: Position) -> Deal:
    """Return the ending that a deal has come to.

    Parameters
    ----------
    deal
        The whole deal.
    position
        A position of its play, with an empty table and one trick at least on either side.
    """
    assert deal.taker is not None
    assert not position.trick
    partner = None
    if deal.called is not None and not any(deal.called in hand for hand in position.hands):
        partner = deal.taker if deal.associate is None else deal.associate
    by_attack, by_defence = position.won
    return Deal(
        players=deal.players,
        dealer=deal.dealer,
        hands=position.hands,
        taker=deal.taker,
        contract=deal.contract,
        called=deal.called,
        leader=position.leader,
        partner=partner,
        attack_half_points=position.attack_half_points,
        attack_bouts=position.attack_bouts,
        swept=None if by_attack and by_defence else "attack" if by_attack else "defence",
        rules=deal.rules,
    )


def _garde(rules: Rules, draws: Draws, dealer: int | None, discard: Discarder | None) -> Deal:
    """Deal the cards; the strongest hand takes, calls and discards."""
    hands, dog, dealer = deal_uniform(rules, draws, dealer)
    taker = max(range(rules.players), key=lambda seat: chavey_count(hands[seat]).total)
    called = None
    if rules.players == 5:
        allowed = callable_cards(hands[taker], rules)
        others = [card for card in allowed if card not in hands[taker]]
        called = others[draws.below(len(others))]
    both = hands[taker] | dog
    if discard is None:
        fixed, free = discardable(both, rules)
        chosen = fixed | Hand(draws.shuffled(list(free))[: rules.dog_size - len(fixed)])
    else:
        chosen = discard(both, rules, called=called)
    return Deal(
        players=rules.players,
        dealer=dealer,
        hands=hands,
        dog=dog,
        taker=taker,
        contract="garde",
        called=called,
        discard=chosen,
        rules=rules,
    )
