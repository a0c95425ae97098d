"""Matches run in processes, kept in a folder and gone on with."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Generator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tarot_sim.arena.duplicate import DealResult, Pair, Plan, enough, pairs_of, play_deal
from tarot_sim.errors import OptionError

if TYPE_CHECKING:
    from typing import TextIO

#: Deals of a task; the sequential stop looks after each, in their order.
CHUNK: Final = 10


def run_match(
    plan: Plan,
    deals: int,
    *,
    precision: float | None = None,
    n_jobs: int = 1,
    folder: Path | None = None,
    progress: Callable[[int], None] | None = None,
) -> Pair:
    """Play a match.

    Parameters
    ----------
    plan
        Who plays whom.
    deals
        How many deals at most.
    precision
        Standard error of the gain, in points a deal, at which it ends.
    n_jobs
        Processes, as joblib counts them; the result is the same for any number.
    folder
        Where each deal is kept as soon as it is played, with its records; what is there
        already is not played again.
    progress
        Told the number of deals played.

    Raises
    ------
    OptionError
        If the folder holds another match, or an argument is out of range.
    """
    if deals < 1:
        raise OptionError(f"deals: {deals} is not 1 or more")
    if precision is not None and not precision > 0:
        raise OptionError(f"precision: {precision} is not more than 0")
    store = None if folder is None else Store(folder, plan)
    present = {} if store is None else store.load(deals)
    results: list[DealResult] = []
    chunks = [range(start, min(start + CHUNK, deals)) for start in range(0, deals, CHUNK)]
    missing = [chunk for chunk in chunks if any(number not in present for number in chunk)]
    played = _played(plan, missing, present, n_jobs)
    try:
        with store.opened() if store is not None else nullcontext() as out:
            for chunk in chunks:
                if any(number not in present for number in chunk):
                    for result in next(played):
                        if result.number not in present:
                            present[result.number] = result
                            if out is not None:
                                write_result(out, result)
                results += [present[number] for number in chunk]
                if progress is not None:
                    progress(len(results))
                if enough(results, precision):
                    break
    finally:
        played.close()
    return Pair.of(plan, results)


def _played(
    plan: Plan,
    chunks: Sequence[range],
    present: dict[int, DealResult],
    n_jobs: int,
) -> Generator[list[DealResult], None, None]:
    """Yield the deals of each chunk that are not there, in order."""
    wanted = [[number for number in chunk if number not in present] for chunk in chunks]
    if n_jobs == 1 or len(wanted) < 2:
        for numbers in wanted:
            yield [play_deal(plan, number) for number in numbers]
        return
    from joblib import Parallel, delayed

    yield from Parallel(n_jobs=n_jobs, return_as="generator")(
        delayed(_play_chunk)(plan, numbers) for numbers in wanted
    )


def _play_chunk(plan: Plan, numbers: Sequence[int]) -> list[DealResult]:
    return [play_deal(plan, number) for number in numbers]


@dataclass(frozen=True, slots=True)
class Store:
    """A folder with one file a match: its plan in the first line, then a deal a line.

    Records of the deals are beside it as JSON Lines, which ``tarot-sim replay --jsonl`` reads.
    """

    folder: Path
    plan: Plan

    @property
    def _file(self) -> Path:
        return self.folder / f"{_safe(self.plan.a)}--{_safe(self.plan.b)}.jsonl"

    def load(self, deals: int) -> dict[int, DealResult]:
        """Return the deals that are there, of those that are asked for."""
        if not self._file.exists():
            return {}
        lines = self._file.read_text("utf-8").splitlines()
        if not lines or json.loads(lines[0]) != self._head():
            raise OptionError(f"out: {self._file} holds another match")
        found = {}
        for line in lines[1:]:
            try:
                row = json.loads(line)
            except ValueError:
                continue  # cut short where the disk was full or the work was stopped
            gains = tuple(tuple((g, r) for g, r in seats) for seats in row["gains"])
            if row["number"] < deals:
                found[row["number"]] = DealResult(row["number"], gains, tuple(row["records"]))
        return found

    def opened(self) -> TextIO:
        """Return the file, open to be added to."""
        self.folder.mkdir(parents=True, exist_ok=True)
        new = not self._file.exists()
        ends_badly = not new and not self._file.read_bytes().endswith(b"\n")
        stream = self._file.open("a", encoding="utf-8")
        if new:
            stream.write(json.dumps(self._head()) + "\n")
        elif ends_badly:
            stream.write("\n")
        stream.flush()
        return stream

    def _head(self) -> dict[str, Any]:
        from dataclasses import asdict

        plan = asdict(self.plan)
        return {"schema": 1, **json.loads(json.dumps(plan))}


def write_result(stream: TextIO, result: DealResult) -> None:
    """Write a deal and see to it that it is on the disk."""
    row = {"number": result.number, "gains": result.gains, "records": result.records}
    stream.write(json.dumps(row) + "\n")
    stream.flush()
    os.fsync(stream.fileno())


def _safe(name: str) -> str:
    return "".join(c if c.isalnum() or c in "-._" else "_" for c in name)


def run_round_robin(
    bots: Sequence[str], make_plan: Callable[[str, str], Plan], deals: int, **options: Any
) -> list[Pair]:
    """Play every pair of bots."""
    return [run_match(make_plan(a, b), deals, **options) for a, b in pairs_of(bots)]
