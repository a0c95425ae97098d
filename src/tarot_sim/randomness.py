"""Where random numbers come from: said in one way wherever something is drawn."""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING, TypeAlias

from tarot_sim.errors import OptionError
from tarot_sim.notation import shown

if TYPE_CHECKING:
    from numpy.random import BitGenerator, Generator, SeedSequence

    #: A seed; a numpy `Generator` or `BitGenerator`, which moves on; or None for fresh entropy.
    Randomness: TypeAlias = int | SeedSequence | Generator | BitGenerator | None


def bit_generator_of(seed: Randomness, other: Randomness = None) -> BitGenerator:
    """Return the bit generator that is meant.

    Parameters
    ----------
    seed
        A seed for `numpy.random.PCG64DXSM`, an integer or a `SeedSequence`; a `Generator` or a
        `BitGenerator`; None for fresh entropy.
    other
        The same under an older name of the argument; one of the two may be given.

    Raises
    ------
    OptionError
        If it is none of these, the seed is negative, or both are given.

    Examples
    --------
    >>> from numpy.random import PCG64DXSM, default_rng
    >>> int(bit_generator_of(1).random_raw()) == int(PCG64DXSM(1).random_raw())
    True
    >>> generator = default_rng(1)
    >>> bit_generator_of(generator) is generator.bit_generator
    True
    """
    from numpy.random import PCG64DXSM, BitGenerator, Generator, SeedSequence

    given = _one_of(seed, other)
    if isinstance(given, BitGenerator):
        return given
    if isinstance(given, Generator):
        return given.bit_generator
    if given is None or isinstance(given, SeedSequence):
        return PCG64DXSM(given)
    return PCG64DXSM(seed_number(given))


def seed_number(seed: Randomness) -> int:
    """Return a seed as a number; of a generator the next 64 bits are taken.

    Raises
    ------
    OptionError
        If it is no integer, no generator and not None, or negative.

    Examples
    --------
    >>> from numpy.random import PCG64DXSM
    >>> seed_number(7), seed_number(PCG64DXSM(1)) == int(PCG64DXSM(1).random_raw())
    (7, True)
    """
    try:
        number = None if isinstance(seed, bool) else index(seed)  # type: ignore[arg-type]
    except TypeError:
        number = None
    if number is not None:
        if number < 0:
            raise OptionError(f"seed: {shown(number)} is negative")
        return number
    from numpy.random import BitGenerator, Generator, SeedSequence

    if seed is not None and not isinstance(seed, (BitGenerator, Generator, SeedSequence)):
        raise OptionError(f"seed: {shown(seed)} is no integer, numpy generator or None")
    return int(bit_generator_of(seed).random_raw())


def _one_of(seed: Randomness, other: Randomness) -> Randomness:
    if seed is not None and other is not None:
        raise OptionError("seed: given twice")
    return other if seed is None else seed
