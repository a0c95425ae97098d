"""Exact small random numbers from a numpy bit generator, without the GIL."""

from cpython.pycapsule cimport PyCapsule_GetPointer, PyCapsule_IsValid
from libc.stdint cimport uint32_t, uint64_t
from numpy.random cimport bitgen_t

cdef struct Draws:
    # Sixteen fresh bits a draw, four draws a word of the generator.
    bitgen_t* generator
    uint64_t word
    int left


cdef inline int open_draws(Draws* draws, object bit_generator) except -1:
    """Start drawing; the caller holds the generator's lock (`lock_of`) while it draws."""
    draws.generator = NULL
    from numpy.random import BitGenerator

    # Of what only looks like a generator the memory may be anything.
    capsule = None
    if issubclass(type(bit_generator), BitGenerator):
        capsule = BitGenerator.capsule.__get__(bit_generator)
    if PyCapsule_IsValid(capsule, "BitGenerator"):
        draws.generator = <bitgen_t*>PyCapsule_GetPointer(capsule, "BitGenerator")
    # One that was never set up has no functions.
    if draws.generator == NULL or draws.generator.next_uint64 == NULL:
        raise TypeError("bit_generator: expected a numpy BitGenerator, such as PCG64DXSM(1)")
    draws.word = 0
    draws.left = 0
    return 0


cdef inline object lock_of(object bit_generator):
    """Return the lock of a generator that `open_draws` has accepted."""
    from numpy.random import BitGenerator

    return BitGenerator.lock.__get__(bit_generator)


cdef inline uint32_t below(Draws* draws, uint32_t bound) noexcept nogil:
    """Return an exactly uniform number below `bound` (1…78).

    The high half of 16 random bits times the bound; the few products that would favour
    some numbers are drawn again (D. Lemire, Fast random integer generation, 2019).
    """
    cdef uint32_t product
    while True:
        if draws.left == 0:
            draws.word = draws.generator.next_uint64(draws.generator.state)
            draws.left = 4
        product = <uint32_t>(draws.word & 0xFFFF) * bound
        draws.word >>= 16
        draws.left -= 1
        if (product & 0xFFFF) >= bound or (product & 0xFFFF) >= (0x10000 - bound) % bound:
            return product >> 16
