"""When enough worlds have been judged: chunks are begun in waves until a rule is met."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final, Literal

from tarot_sim.arguments import integer, real
from tarot_sim.errors import OptionError
from tarot_sim.estimation.chunks import CHUNK, GROUPS, Chunk, run_chunk
from tarot_sim.estimation.figures import estimate_p_make
from tarot_sim.estimation.sample import pool
from tarot_sim.notation import shown
from tarot_sim.parallel import in_threads
from tarot_sim.rules import CONTRACTS, Contract

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tarot_sim.estimation.plan import Model, Plan

#: What ended the work; ``bids`` where nothing may be bid, so that there was none.
Stop = Literal["precision", "worlds", "time", "bids"]

#: Half of a 95 % interval, the sampling alone, at which the work ends by default.
DEFAULT_PRECISION: Final = 0.02
#: Worlds judged at most where a precision or a time is to end the work.
MOST_WORLDS: Final = 100_000
#: Worlds judged at least: of fewer nothing can be said of the error.
LEAST_WORLDS: Final = 3
#: Chunks that are begun together, by whether the time is limited. After a wave those contracts
#: are left alone that are as precise as asked for; whether all are is looked at by the chunk.
_WAVE_IN_TIME: Final = 2
_WAVE: Final = 4


@dataclass(frozen=True, slots=True)
class StoppingRule:
    """What ends the work: whichever comes first.

    Attributes
    ----------
    worlds
        At most how many worlds are judged, `LEAST_WORLDS` or more; None for `MOST_WORLDS`.
    precision
        Half of a 95 % interval by the sampling alone, which every chance has to reach; None if
        it does not matter.
    seconds
        Time; None if it does not matter.
    """

    worlds: int | None = None
    precision: float | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        if self.worlds is not None:
            number = integer("worlds", self.worlds)
            if number < LEAST_WORLDS:
                raise OptionError(f"worlds: {shown(number)} is less than {LEAST_WORLDS}")
            object.__setattr__(self, "worlds", number)
        if self.precision is not None and not 0 < real("precision", self.precision) < 1:
            raise OptionError(f"precision: {shown(self.precision)} is not between 0 and 1")
        if self.seconds is not None and not real("seconds", self.seconds) > 0:
            raise OptionError(f"seconds: {shown(self.seconds)} is not above 0")

    @property
    def half_width(self) -> float | None:
        """The precision, which without any rule is `DEFAULT_PRECISION`."""
        unlimited = self.worlds is None and self.precision is None and self.seconds is None
        return DEFAULT_PRECISION if unlimited else self.precision


class Stopping:
    """How far the work has come, and whether a rule ends it.

    Attributes
    ----------
    chunks
        What has been done, in order.
    planned
        How many chunks there will be at most.
    reason
        What ended the work, once it has ended.
    """

    def __init__(self, rule: StoppingRule) -> None:
        self.chunks: list[Chunk] = []
        self._most = MOST_WORLDS if rule.worlds is None else rule.worlds
        self.planned = -(-self._most // CHUNK)
        self.reason: Stop = "worlds"
        self._started = time.monotonic()
        self._half_width = rule.half_width
        self._seconds = rule.seconds
        self._asked: tuple[Contract, ...] = tuple(GROUPS)

    @property
    def worlds(self) -> int:
        """Worlds judged so far; the last chunk that is planned may have fewer than the others."""
        return min(len(self.chunks) * CHUNK, self._most)

    @property
    def seconds(self) -> float:
        """Wall time since the work began."""
        return time.monotonic() - self._started

    def run(
        self,
        plan: Plan,
        n_jobs: int,
        progress: Callable[[int, int], None] | None = None,
        contracts: Sequence[Contract] = CONTRACTS,
    ) -> None:
        """Do chunk after chunk until the rule is met.

        Parameters
        ----------
        plan
            What is asked.
        n_jobs
            Threads.
        progress
            Called with the worlds done and the worlds planned at most.
        contracts
            What is asked about.
        """
        self._asked = tuple(name for name, same in GROUPS.items() if {*same} & {*contracts})
        if not self._asked:
            self.planned, self.reason = 0, "bids"
        for wave in self._waves():
            wide = self._asked
            calls = [
                partial(
                    run_chunk,
                    plan,
                    number,
                    contracts=self._asked,
                    judged=min(CHUNK, self._most - number * CHUNK),
                )
                for number in wave
            ]
            for chunk in in_threads(n_jobs, calls):
                self.chunks.append(chunk)
                if progress is not None:
                    progress(self.worlds, min(self.planned * CHUNK, self._most))
                wide = self._too_wide(plan.model)
                if not wide:
                    self.planned, self.reason = len(self.chunks), "precision"
                    break  # what was begun in the meantime does not count
            # Which contracts are left does not depend on the threads: only waves decide.
            self._asked = wide

    def _waves(self) -> Iterator[range]:
        """Yield the numbers of the chunks that are begun together."""
        size = _WAVE if self._seconds is None else _WAVE_IN_TIME
        while len(self.chunks) < self.planned:
            before = self.seconds
            first = len(self.chunks)
            yield range(first, min(first + size, self.planned))
            # Another wave would take as long as this one.
            if (
                self._seconds is not None
                and len(self.chunks) < self.planned
                and 2 * self.seconds - before >= self._seconds
            ):
                self.reason = "time"
                return

    def _too_wide(self, model: Model) -> tuple[Contract, ...]:
        """Return those of the contracts asked for that need more worlds."""
        if self._half_width is None:
            return self._asked
        found = []
        for contract in self._asked:
            whole = pool([chunk.of(model)[contract] for chunk in self.chunks])
            low, high = estimate_p_make(whole).sampling_ci95
            if (high - low) / 2 > self._half_width:
                found.append(contract)
        return tuple(found)
