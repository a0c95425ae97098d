import numpy as np
import numpy.typing as npt

from tarot_sim.cards import Hand
from tarot_sim.randomness import Randomness
from tarot_sim.rules import Rules

def sample_worlds(
    hand: Hand,
    seat: int,
    rules: Rules,
    n: int,
    bit_generator: Randomness = None,
    dog: Hand | None = None,
    *,
    seed: Randomness = None,
) -> npt.NDArray[np.uint8]: ...
