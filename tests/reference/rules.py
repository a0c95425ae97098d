"""Section 7: legal cards, who wins a trick, whose the Excuse is, what a deal comes to.

A `Table` is what stays the same during the play, a `State` is where the cards lie.
`play` moves one card and returns the next state: from the hand to the trick, and a
full trick to the pile of the camp that won it. Who owns the Excuse is settled from
the finished tricks: an Excuse in a pile may still have to change places.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from tests.reference.deck import BOUTS, DECK, EXCUSE, PETIT, RANK, SUIT, TRUMP, bouts, mask, total

Camp = Literal["attack", "defence"]
Play = tuple[int, str]  # seat, card

#: Section 2: cards in a dealt hand, which is the number of tricks, and in the dog.
HAND_SIZE = {3: 24, 4: 18, 5: 15}
DOG_SIZE = {3: 6, 4: 6, 5: 3}

ALL_HALF_POINTS = 182


def opponents(camp: Camp) -> Camp:
    """Return the other camp."""
    return "defence" if camp == "attack" else "attack"


@dataclass(frozen=True)
class Table:
    """What does not change while the cards are played.

    Parameters
    ----------
    players
        3, 4 or 5.
    attack
        Seats of the attack: the taker, and the partner if there is one.
    excuse_last, excuse_no_trick
        The options of section 10.
    called
        The called card, if the first card of the deal has not been played.
    attack_half_points, attack_bouts, defence_half_points
        What the camps have from before the first state and not as cards in a pile.
    attack_won, defence_won
        Whether the camp had won a trick before the first state.
    excuse_owed
        The camp that had, before the first state, played the Excuse to a trick of the
        other camp without having won a trick itself: it has it as a debt.
    """

    players: int
    attack: frozenset[int]
    excuse_last: Literal["trick_winner", "changes_camp"] = "trick_winner"
    excuse_no_trick: Literal["lose", "keep"] = "lose"
    called: str | None = None
    attack_half_points: int = 0
    attack_bouts: tuple[str, ...] = ()
    defence_half_points: int = 0
    attack_won: bool = False
    defence_won: bool = False
    excuse_owed: Camp | None = None

    def camp(self, seat: int) -> Camp:
        """Return the camp of `seat`."""
        return "attack" if seat in self.attack else "defence"


class Trick(NamedTuple):
    """A finished trick."""

    plays: tuple[Play, ...]
    winner: int


class State(NamedTuple):
    """Where the cards lie: in the hands, on the table, in the two piles."""

    table: Table
    hands: tuple[tuple[str, ...], ...]
    leader: int
    trick: tuple[Play, ...] = ()
    attack_pile: tuple[str, ...] = ()
    defence_pile: tuple[str, ...] = ()
    tricks: tuple[Trick, ...] = ()


class Settlement(NamedTuple):
    """What a played deal comes to: ``+1`` is for the attack, ``-1`` for the defence."""

    attack_half_points: int
    defence_half_points: int
    attack_bouts: tuple[str, ...]
    petit_au_bout: int
    chelem: int


# --- first states ---------------------------------------------------------------------


def whole_deal(
    table: Table,
    hands: Sequence[Sequence[str]],
    aside: Sequence[str],
    aside_goes_to: Camp,
    leader: int,
) -> State:
    """Return the state before the first card of a deal.

    `aside` is the écart or the untouched dog. It goes to the attack's pile, but to the
    defence's in a Garde contre (section 3).
    """
    assert len(hands) == table.players
    assert all(len(hand) == HAND_SIZE[table.players] for hand in hands)
    assert sorted([*(card for hand in hands for card in hand), *aside]) == sorted(DECK)
    return State(
        table,
        tuple(tuple(hand) for hand in hands),
        leader,
        attack_pile=tuple(aside) if aside_goes_to == "attack" else (),
        defence_pile=tuple(aside) if aside_goes_to == "defence" else (),
    )


def ending(
    *,
    players: int,
    hands: Sequence[Sequence[str]],
    attack: Sequence[int],
    leader: int,
    attack_half_points: int = 0,
    attack_bouts: Sequence[str] = (),
    won: tuple[bool, bool] = (True, True),
    excuse_last: Literal["trick_winner", "changes_camp"] = "trick_winner",
    excuse_no_trick: Literal["lose", "keep"] = "lose",
) -> State:
    """Return a state with cards gone: all that is not the attack's is the defence's.

    `won` tells whether the attack and the defence have won a trick before. An Excuse
    that is gone, and not with the camp that has won all tricks so far, is taken to have
    been played (not to come from a dog): its camp owes it.
    """
    cards = [card for hand in hands for card in hand]
    assert len(hands) == players
    assert len({len(hand) for hand in hands}) == 1
    assert len(set(cards)) == len(cards)
    assert set(attack_bouts) <= set(BOUTS) - set(cards)
    holder: Camp = "attack" if EXCUSE in attack_bouts else "defence"
    others_swept = won == ((False, True) if holder == "attack" else (True, False))
    table = Table(
        players,
        frozenset(attack),
        excuse_last,
        excuse_no_trick,
        attack_half_points=attack_half_points,
        attack_bouts=tuple(attack_bouts),
        defence_half_points=ALL_HALF_POINTS - attack_half_points - total(cards),
        attack_won=won[0],
        defence_won=won[1],
        excuse_owed=holder if others_swept and EXCUSE not in cards else None,
    )
    return State(table, tuple(tuple(hand) for hand in hands), leader)


# --- play -----------------------------------------------------------------------------


def is_over(state: State) -> bool:
    """Tell whether every card has been played."""
    return not any(state.hands)


def to_move(state: State) -> int:
    """Return the seat that plays the next card."""
    return (state.leader + len(state.trick)) % state.table.players


def is_first_card(state: State) -> bool:
    """Tell whether no card has been played yet."""
    return not state.trick and not state.tricks


def led_suit(trick: Sequence[Play]) -> str | None:
    """Return the suit of the first card that is not the Excuse; ``A`` when trumps are led."""
    for _, card in trick:
        if card != EXCUSE:
            return SUIT[card]
    return None


def highest_trump(trick: Sequence[Play]) -> int:
    """Return the highest numbered trump in the trick, 0 if there is none."""
    return max([0, *(RANK[card] for _, card in trick if SUIT[card] == TRUMP)])


def legal(state: State) -> list[str]:
    """Return the cards that may be played (7.1, and 4.4 for the first card of a deal)."""
    hand = state.hands[to_move(state)]
    excuse = [card for card in hand if card == EXCUSE]
    trumps = [card for card in hand if SUIT[card] == TRUMP]
    called = state.table.called
    led = led_suit(state.trick)

    if called is not None and is_first_card(state):
        allowed = [card for card in hand if card == called or SUIT[card] != SUIT[called]]
        return allowed or list(hand)  # a dealt hand has always something else
    if led is None:
        return list(hand)
    if led != TRUMP:
        same_suit = [card for card in hand if SUIT[card] == led]
        if same_suit:
            return same_suit + excuse
    if trumps:
        highest = highest_trump(state.trick)
        higher = [card for card in trumps if RANK[card] > highest]
        return (higher or trumps) + excuse
    return list(hand)


def play(state: State, card: str) -> State:
    """Return the state after `card`, which must be one of the legal ones."""
    seat = to_move(state)
    hand = list(state.hands[seat])
    hand.remove(card)
    hands = (*state.hands[:seat], tuple(hand), *state.hands[seat + 1 :])
    trick = (*state.trick, (seat, card))
    state = state._replace(hands=hands, trick=trick)
    return state if len(trick) < state.table.players else _take_trick(state)


def _take_trick(state: State) -> State:
    winner = trick_winner(state)
    cards = tuple(card for _, card in state.trick)
    attack = state.table.camp(winner) == "attack"
    return State(
        state.table,
        state.hands,
        leader=winner,
        attack_pile=state.attack_pile + cards if attack else state.attack_pile,
        defence_pile=state.defence_pile + cards if not attack else state.defence_pile,
        tricks=(*state.tricks, Trick(state.trick, winner)),
    )


def trick_winner(state: State) -> int:
    """Return the seat that wins the full trick on the table (7.2, 7.3)."""
    trick = state.trick
    if is_over(state) and _excuse_wins_last_trick(state):
        return state.leader
    trumps = [play for play in trick if SUIT[play[1]] == TRUMP]
    led = led_suit(trick)
    contenders = trumps or [play for play in trick if SUIT[play[1]] == led]
    return max(contenders, key=lambda play: RANK[play[1]])[0]


def _excuse_wins_last_trick(state: State) -> bool:
    """7.3: the Excuse is led by a camp against which no trick has been won."""
    leader, card = state.trick[0]
    return card == EXCUSE and not has_won_a_trick(state, opponents(state.table.camp(leader)))


def has_won_a_trick(state: State, camp: Camp) -> bool:
    """Tell whether `camp` has won a trick, before the first state or since."""
    table = state.table
    before = table.attack_won if camp == "attack" else table.defence_won
    return before or any(table.camp(trick.winner) == camp for trick in state.tricks)


# --- settlement -----------------------------------------------------------------------


def settle(state: State) -> Settlement:
    """Return what the played deal comes to (7.4, 7.5)."""
    assert is_over(state)
    attack, defence, attack_bouts = count(state)
    assert attack + defence == ALL_HALF_POINTS
    if state.table.players == 4:
        assert (attack - state.table.attack_half_points) % 2 == 0
    return Settlement(attack, defence, attack_bouts, petit_au_bout(state), chelem(state))


def count(state: State) -> tuple[int, int, tuple[str, ...]]:
    """Return both camps' half points and the attack's bouts, from the finished tricks.

    Before the end, an Excuse is exchanged as soon as its trick is taken, as a debt if its
    camp has no trick yet; only the end shows whether that camp has to give it up after all.
    """
    table = state.table
    piles, received = _settle_excuse(state)
    attack_bouts = {*table.attack_bouts, *bouts(piles["attack"])}
    if _debt_is_due(state):
        attack_bouts ^= {EXCUSE}
    return (
        table.attack_half_points + total(piles["attack"]) + received["attack"],
        table.defence_half_points + total(piles["defence"]) + received["defence"],
        tuple(sorted(attack_bouts)),
    )


def _settle_excuse(state: State) -> tuple[dict[Camp, list[str]], dict[Camp, int]]:
    """Return the piles with the Excuse where it belongs, and the half points received for it.

    An Excuse from the dog lies where it belongs; one that was played lies with the camp
    that won its trick. When it moves from there, half a point moves the other way.
    """
    piles: dict[Camp, list[str]] = {
        "attack": list(state.attack_pile),
        "defence": list(state.defence_pile),
    }
    received: dict[Camp, int] = {"attack": 0, "defence": 0}
    for trick in state.tricks:
        for seat, card in trick.plays:
            if card == EXCUSE:
                taken_by = state.table.camp(trick.winner)
                owner = excuse_owner(state, trick, state.table.camp(seat))
                if owner != taken_by:
                    piles[taken_by].remove(EXCUSE)
                    piles[owner].append(EXCUSE)
                    received[taken_by] += 1
                    received[owner] -= 1
    if _debt_is_due(state):
        debtor = state.table.excuse_owed
        assert debtor is not None
        received[debtor] -= 8  # what it had got: the Excuse less half a point
        received[opponents(debtor)] += 8
    return piles, received


def _debt_is_due(state: State) -> bool:
    """Tell whether an Excuse from before the first state has to be given up at the end."""
    owed = state.table.excuse_owed
    return (
        owed is not None
        and is_over(state)
        and not has_won_a_trick(state, owed)
        and state.table.excuse_no_trick == "lose"
    )


def excuse_owner(state: State, trick: Trick, own: Camp) -> Camp:
    """Return whose the Excuse is that the camp `own` has played to `trick` (table in 7.4)."""
    other = opponents(own)
    won_by_own = state.table.camp(trick.winner) == own
    in_last_trick = is_over(state) and trick is state.tricks[-1]

    if in_last_trick:
        if not won_by_own:
            return other
        if trick.plays[0] == (trick.winner, EXCUSE):  # 7.3: it has won the trick itself
            return own
        return other if state.table.excuse_last == "changes_camp" else own
    if is_over(state) and not has_won_a_trick(state, own):
        return own if state.table.excuse_no_trick == "keep" else other
    return own


def petit_au_bout(state: State) -> int:
    """Return who has the Petit au bout (7.5)."""
    counted = list(state.tricks[-1:])
    if counted and counted[0].plays[0] == (counted[0].winner, EXCUSE):  # 7.3
        counted = list(state.tricks[-2:])
    for trick in counted:
        if PETIT in [card for _, card in trick.plays]:
            return 1 if state.table.camp(trick.winner) == "attack" else -1
    return 0


def chelem(state: State) -> int:
    """Return which camp has won all tricks."""
    attack, defence = has_won_a_trick(state, "attack"), has_won_a_trick(state, "defence")
    return int(attack and not defence) - int(defence and not attack)


# --- counting -------------------------------------------------------------------------


def perft(state: State, depth: int) -> int:
    """Return how many legal sequences of `depth` cards there are, or of all that are left."""
    if depth == 0 or is_over(state):
        return 1
    return sum(perft(play(state, card), depth - 1) for card in legal(state))


def engine_arguments(state: State) -> dict[str, Any]:
    """Return a state in which nothing was played as plain numbers, for an engine.

    Cards are numbered by their place in `DECK`, sets of cards are bit masks.
    """
    assert is_first_card(state)
    table = state.table
    return {
        "hands": [mask(hand) for hand in state.hands],
        "attack": sorted(table.attack),
        "leader": state.leader,
        "called": None if table.called is None else DECK.index(table.called),
        "attack_half_points": table.attack_half_points + total(state.attack_pile),
        "attack_bouts": mask((*table.attack_bouts, *bouts(state.attack_pile))),
        "won": (table.attack_won, table.defence_won),
    }
