"""Random deals and endings for the tests, each from a seeded `random.Random`."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

from tests.reference.dealing import callable_cards, is_petit_sec
from tests.reference.deck import BOUTS, DECK, EXCUSE, PLAIN_SUITS, ROIS, SUIT, TRUMP, bouts, total
from tests.reference.rules import (
    DOG_SIZE,
    HAND_SIZE,
    Camp,
    State,
    Table,
    ending,
    is_over,
    legal,
    play,
    whole_deal,
)

EXCUSE_LAST = ("trick_winner", "changes_camp")
EXCUSE_NO_TRICK = ("lose", "keep")
ALL_OPTIONS: tuple[dict[str, Any], ...] = tuple(
    {"excuse_last": last, "excuse_no_trick": no_trick}
    for last in EXCUSE_LAST
    for no_trick in EXCUSE_NO_TRICK
)


def random_options(rng: Random) -> dict[str, Any]:
    """Return one setting of the options that the play depends on."""
    return dict(rng.choice(ALL_OPTIONS))


def random_camp(rng: Random, players: int) -> list[int]:
    """Return the seats of an attack: one, and at five players one or two."""
    return sorted(rng.sample(range(players), rng.choice((1, 2)) if players == 5 else 1))


def any_camp(rng: Random, players: int) -> list[int]:
    """Return any seats as an attack, whether the game knows such a camp or not."""
    return sorted(rng.sample(range(players), rng.randint(1, players - 1)))


def random_hands(rng: Random, players: int) -> tuple[list[list[str]], list[str]]:
    """Return dealt hands and the dog; no hand is a Petit sec."""
    while True:
        pack = list(DECK)
        rng.shuffle(pack)
        size = HAND_SIZE[players]
        hands = [pack[seat * size : (seat + 1) * size] for seat in range(players)]
        if not any(map(is_petit_sec, hands)):
            return hands, pack[players * size :]


def random_ecart(rng: Random, hand_and_dog: list[str], size: int) -> list[str]:
    """Return a legal écart: plain cards while there are enough, else trumps as well."""
    plain = [card for card in hand_and_dog if SUIT[card] in PLAIN_SUITS and card not in ROIS]
    trumps = [card for card in hand_and_dog if SUIT[card] == TRUMP and card not in BOUTS]
    if len(plain) >= size:
        return rng.sample(plain, size)
    return plain + rng.sample(trumps, size - len(plain))


def random_deal(rng: Random, players: int, **options: Any) -> State:
    """Return a deal before its first card, with a random taker, contract, écart and call."""
    hands, dog = random_hands(rng, players)
    taker = rng.randrange(players)
    contract = rng.choice(("prise", "garde", "garde_sans", "garde_contre"))
    called = rng.choice(callable_cards(hands[taker])) if players == 5 else None
    aside = dog
    if contract in ("prise", "garde"):
        together = hands[taker] + dog
        aside = random_ecart(rng, together, DOG_SIZE[players])
        hands[taker] = [card for card in together if card not in aside]
    attack = {taker, *(seat for seat in range(players) if called in hands[seat])}
    table = Table(players, frozenset(attack), called=called, **(options or random_options(rng)))
    to: Camp = "defence" if contract == "garde_contre" else "attack"
    return whole_deal(table, hands, aside, to, leader=rng.randrange(players))


def random_ending(
    rng: Random,
    players: int,
    cards: int,
    *,
    special: float = 0.5,
    trumps: float = 0.3,
    attack: list[int] | None = None,
    **options: Any,
) -> State:
    """Return a state with `cards` cards a hand, before the first card of a trick.

    The cards that are gone were taken by one camp or the other, trick by trick, and
    an écart or a dog lies with the attack or (as after a Garde contre) the defence:
    so points, bouts and who has won a trick agree, and 4-player piles are whole. One
    time in four a camp has won all tricks so far.

    Parameters
    ----------
    special
        For each of the bouts, the chance that it is put among the cards still held.
    trumps
        The chance that trumps and honours are made more frequent than in the pack.
    attack
        Seats of the attack; random if not given.
    options
        ``excuse_last`` and ``excuse_no_trick``; random if not given.
    """
    assert 0 < cards < HAND_SIZE[players]
    pack = list(DECK)
    rng.shuffle(pack)
    if rng.random() < trumps:
        pack.sort(key=lambda card: rng.random() / (3 if SUIT[card] == TRUMP else 1))
    for bout in BOUTS:
        if rng.random() < special:
            pack.remove(bout)
            pack.insert(0, bout)
    held, gone = pack[: players * cards], pack[players * cards :]
    rng.shuffle(held)
    rng.shuffle(gone)

    tricks = HAND_SIZE[players] - cards
    attack_tricks = rng.choice((0, tricks, *[rng.randint(0, tricks) for _ in range(6)]))
    won = (attack_tricks > 0, attack_tricks < tricks)
    pile_size = attack_tricks * players + (DOG_SIZE[players] if rng.random() < 0.75 else 0)
    if EXCUSE in gone and won != (True, True):
        points, attack_bouts = _swept_so_far(rng, gone, pile_size, attack_swept=won[0])
    else:
        points, attack_bouts = total(gone[:pile_size]), bouts(gone[:pile_size])
    return ending(
        players=players,
        hands=[held[seat * cards : (seat + 1) * cards] for seat in range(players)],
        attack=random_camp(rng, players) if attack is None else attack,
        leader=rng.randrange(players),
        attack_half_points=points,
        attack_bouts=attack_bouts,
        won=won,
        **(options or random_options(rng)),
    )


def _swept_so_far(
    rng: Random, gone: list[str], pile_size: int, *, attack_swept: bool
) -> tuple[int, tuple[str, ...]]:
    """Return the attack's half points and bouts if one camp won all tricks, the Excuse's too.

    The Excuse was played by that camp, or by the other, which has it as a debt.
    """
    others = [card for card in gone if card != EXCUSE]
    pile = others[: pile_size - 1] if attack_swept else others[:pile_size]
    in_debt = rng.random() < 0.5
    if attack_swept and in_debt:
        return total(pile) + 1, bouts(pile)
    if not attack_swept and in_debt:
        return total(pile) + 8, bouts([*pile, EXCUSE])
    if attack_swept:
        return total([*pile, EXCUSE]), bouts([*pile, EXCUSE])
    return total(pile), bouts(pile)


def random_small_deal(rng: Random, players: int, cards: int, **settings: Any) -> State:
    """Return an ending in which nobody has won a trick yet: every trick still counts."""
    state = random_ending(rng, players, cards, **settings)
    table = replace(state.table, attack_won=False, defence_won=False, excuse_owed=None)
    return state._replace(table=table)


def random_plays(rng: Random, state: State, count: int) -> tuple[State, list[str]]:
    """Return the state after `count` random legal cards (fewer at the end), and the cards."""
    plays: list[str] = []
    while len(plays) < count and not is_over(state):
        plays.append(rng.choice(legal(state)))
        state = play(state, plays[-1])
    return state, plays


def random_mid_trick(rng: Random, state: State) -> tuple[State, list[str]]:
    """Return a state somewhere in the first tricks from `state`, and the cards that led there."""
    players = state.table.players
    longest = max(0, players * len(state.hands[0]) - 1)
    return random_plays(rng, state, rng.randint(0, min(2 * players, longest)))
