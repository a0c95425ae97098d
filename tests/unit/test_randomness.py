"""Random numbers: one way to say where they come from, at every door that draws."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.random import MT19937, PCG64DXSM, Generator, RandomState, SeedSequence, default_rng

import tarot_sim as ts
from tarot_sim.deals.dealing import Draws
from tarot_sim.deals.endings import random_ending
from tarot_sim.errors import OptionError
from tarot_sim.randomness import bit_generator_of, seed_number
from tests.commands import DOGS, HANDS

DEAL = ts.Deal.random(rng=1)
POSITION = ts.Position(DEAL.hands, attack=[0], leader=0)
FIVE = ts.Rules(players=5)


def _ranked(hand: str, **options: Any) -> Any:
    return ts.rank_calls(hand, worlds=3, n_jobs=1, **options).seed


#: Everything that draws: what it gives for a seed, as something that can be compared.
DOORS: dict[str, Callable[[Any], Any]] = {
    "random_playouts": lambda seed: ts.random_playouts(POSITION, 5, seed=seed).tolist(),
    "sample_worlds": lambda seed: ts.sample_worlds(
        ts.Hand(HANDS[4]), 0, ts.Rules(), 5, seed=seed
    ).tolist(),
    "Deal.random": lambda seed: ts.Deal.random(seed=seed),
    "Deal.physical": lambda seed: ts.Deal.physical(seed=seed),
    "random_ending": lambda seed: random_ending(3, seed=seed),
    "Match": lambda seed: ts.Match(n_deals=1, seed=seed).deal().dealt,
    "chances": lambda seed: (
        ts.chances(HANDS[4], worlds=50, method="fast", n_jobs=1, seed=seed).seed
    ),
    "rank_discards": lambda seed: (
        ts.rank_discards(HANDS[4], DOGS[4], worlds=3, candidates=2, n_jobs=1, seed=seed).seed
    ),
    "rank_calls": lambda seed: _ranked(HANDS[5], seed=seed),
}
#: The same under the older names.
OLDER: dict[str, Callable[[Any], Any]] = {
    "random_playouts": lambda rng: ts.random_playouts(POSITION, 5, rng).tolist(),
    "sample_worlds": lambda rng: ts.sample_worlds(
        ts.Hand(HANDS[4]), 0, ts.Rules(), 5, bit_generator=rng
    ).tolist(),
    "Deal.random": lambda rng: ts.Deal.random(rng=rng),
    "Deal.physical": lambda rng: ts.Deal.physical(rng=rng),
    "random_ending": lambda rng: random_ending(3, rng=rng),
    "Match": lambda rng: ts.Match(n_deals=1, rng=rng).deal().dealt,
}
#: One stream said in many ways.
SAME: dict[str, Callable[[], Any]] = {
    "numpy integer": lambda: np.uint8(7),
    "SeedSequence": lambda: SeedSequence(7),
    "BitGenerator": lambda: PCG64DXSM(7),
    "Generator": lambda: Generator(PCG64DXSM(7)),
}


@pytest.mark.parametrize("door", DOORS)
def test_every_way_to_say_it(door: str) -> None:
    """A seed, a numpy integer, a seed sequence, a generator: the same stream, the same answer."""
    ask = DOORS[door]
    only_seed = door in ("chances", "rank_discards", "rank_calls")
    expected = ask(7)
    for name, make in SAME.items():
        if not only_seed or name == "numpy integer":
            assert expected == ask(make()), name
        else:  # of a stream a seed is drawn, which the answer tells
            assert ask(make()) == ask(make()), name
    assert ask(None) != ask(None)
    generator = default_rng(1)
    assert ask(generator) != ask(generator), "a generator moves on"
    assert ask(MT19937(1)) == ask(Generator(MT19937(1)))


@pytest.mark.parametrize("door", OLDER)
def test_older_names(door: str) -> None:
    assert DOORS[door](7) == OLDER[door](7) == OLDER[door](PCG64DXSM(7))


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("seed", [-1, 1.5, True, "1", b"1", [1], RandomState(1), object(), np.nan])
def test_what_is_no_seed(door: str, seed: object) -> None:
    with pytest.raises(OptionError, match=r"^seed: "):
        DOORS[door](seed)


def test_given_twice() -> None:
    for ask in (
        lambda: ts.Deal.random(rng=1, seed=1),
        lambda: ts.Match(n_deals=1, rng=1, seed=1),
        lambda: ts.random_playouts(POSITION, 1, 1, seed=1),
        lambda: ts.sample_worlds(ts.Hand(HANDS[4]), 0, ts.Rules(), 1, 1, seed=1),
    ):
        with pytest.raises(OptionError, match=r"^seed: given twice"):
            ask()


def test_draws_go_on() -> None:
    draws = Draws(3)
    assert ts.Deal.random(seed=draws) != ts.Deal.random(seed=draws)


def test_numbers() -> None:
    assert 2**70 == seed_number(2**70)
    assert seed_number(PCG64DXSM(1)) == int(bit_generator_of(1).random_raw())
    assert seed_number(None) != seed_number(None)
