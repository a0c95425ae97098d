"""Deals from a view: what lies behind the own cards, ready to be played on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from tarot_sim.cards import EXCUSE, HALF_POINTS, PETIT, VINGT_ET_UN
from tarot_sim.worlds._discard import take_dogs
from tarot_sim.worlds.batch import NO_CALL, Deals
from tarot_sim.worlds.contract_deals import attack_of
from tarot_sim.worlds.discards import EVEN, OTHER_RULES, RULE
from tarot_sim.worlds.inference import Worlds

if TYPE_CHECKING:
    from numpy.random import Generator
    from numpy.typing import NDArray

    from tarot_sim.deals.view import View

_HALF_POINTS: Final = np.array(HALF_POINTS, np.int16)
#: Rules by which another's écart is modelled; which of them is drawn for each world.
DISCARD_RULES: Final = tuple(rule.array for rule in (RULE, EVEN, OTHER_RULES[3]))


def draw_owners(
    view: View, n: int, rng: Generator, *, model_discard: bool = True
) -> NDArray[np.uint8]:
    """Draw who held each card at the first trick, with the écart that a taker would make.

    Parameters
    ----------
    view
        What the seat knows, in the play of the cards.
    n
        How many worlds.
    rng
        Where the random bits come from.
    model_discard
        Whether another's écart is chosen by a rule, one of several in each world, as far as that
        agrees with what was seen; else any legal one is as likely.

    Returns
    -------
    numpy.ndarray
        uint8 (n, 78), as of `Worlds.draw`.
    """
    owners = Worlds(view).draw(n, rng.bit_generator)
    if model_discard and view.takes_dog and not view.is_taker and not view.shown_trumps:
        _discard_again(view, owners, rng)
    return owners


def _discard_again(view: View, owners: NDArray[np.uint8], rng: Generator) -> None:
    """Let each world's taker choose the écart by a rule, where the play allows that."""
    taker, players, rules = view.taker, view.players, view.rules
    assert taker is not None
    call = NO_CALL if view.called is None else view.called
    played = list(view.played[taker])
    which = rng.integers(len(DISCARD_RULES), size=len(owners))
    for number, weights in enumerate(DISCARD_RULES):
        rows = np.flatnonzero(which == number)
        if not rows.size:
            continue
        again, _ = take_dogs(owners[rows], taker, players, rules.dog_size, call, weights)
        agrees = (again[:, played] == taker).all(axis=1)
        for suit in range(4):
            if suit in view.voids[taker]:
                lane = [card for card in view.unseen if card // 14 == suit and card < PETIT]
                agrees &= (again[:, lane] != taker).all(axis=1)
        owners[rows[agrees]] = again[agrees]


def deals_of(view: View, owners: NDArray[np.uint8]) -> Deals:
    """Return the deals of these worlds at the first trick.

    Parameters
    ----------
    view
        What the seat knows, in the play of the cards.
    owners
        uint8 (n, 78), from `draw_owners`.
    """
    n = len(owners)
    assert view.taker is not None
    assert view.contract is not None
    half_points = np.zeros(n, np.int16)
    bouts = np.zeros(n, np.uint8)
    if view.contract != "garde_contre":
        aside = owners == view.players
        half_points = (aside @ _HALF_POINTS).astype(np.int16)
        for bit, bout in enumerate((PETIT, VINGT_ET_UN, EXCUSE)):
            bouts |= aside[:, bout].astype(np.uint8) << bit
    return Deals(
        rules=view.rules,
        owners=owners,
        attack=attack_of(owners, view.rules, view.taker, view.called),
        leader=np.full(n, view.first_leader, np.uint8),
        half_points=half_points,
        bouts=bouts,
        called=np.full(n, NO_CALL if view.called is None else view.called, np.uint8),
        contract=view.contract,
    )


def sees_call(view: View) -> bool:
    """Tell whether all have seen the called card before the first trick: in the dog."""
    return view.called is not None and view.dog is not None and view.called in view.dog
