"""Work that takes long, and what comes of Ctrl-C in the middle of it.

Each piece of work runs in a process of its own, which gets the signal at a random moment; the
processor's time counts as well as the clock's, so that a busy machine is not taken for a deaf
program.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Final

import pytest

from tests import records
from tests.commands import command

#: Seconds after which Ctrl-C has to have ended all work, on a machine that does nothing else.
DUE: Final = 0.2
#: Seconds at which a test fails: other processes run beside it.
BOUND: Final = 0.5
#: Seconds after which the process is killed.
PATIENCE: Final = 6.0


@dataclass(frozen=True, slots=True)
class Delay:
    """What came of one Ctrl-C.

    Attributes
    ----------
    moment
        Seconds of work before the signal.
    wall, cpu
        Seconds from the signal to the end of the process, by the clock and of the processor;
        infinite where it had to be killed.
    fault
        What else was wrong: an exit code, something on standard error, a solver that is stuck.
    """

    moment: float
    wall: float
    cpu: float
    fault: str = ""

    @property
    def deaf(self) -> bool:
        """Whether it took too long."""
        return min(self.wall, self.cpu) > BOUND


# ---------------------------------------------------------------------------
# Work in Python

_START: Final = """
import sys
from dataclasses import replace
from itertools import count
import numpy as np
import tarot_sim as ts
from tarot_sim.cards import Hand
from tarot_sim.solver._solver import Solver, Objective
from tarot_sim.solver.objectives import MARGIN, Stakes
from tarot_sim.solver.widths import Widths
from tarot_sim.estimation._evaluate import Evaluator
from tarot_sim.worlds.contract_deals import contract_deals
HAND = "A:21,19,16,14,11,8,5,1,EX P:R,D,6 C:C,10 K:R,4 T:V,9"
HAND_5 = "A:21,16,14,11,8,5,1 P:R,D,6 C:C,10 K:4 T:V,9"
DOG = "A:3 P:2 C:7,1 K:8 T:4"
HARD = "A:21,14,11,8,5,1 P:R,D,6,4 C:C,10,3 K:D,4,2 T:V,9"
rules = ts.Rules()
deal = replace(ts.Deal.random(rng=5), taker=0, contract="garde_sans")
position = deal.position()
solver = Solver()
evaluator = Evaluator()
def worlds(n):
    few = ts.sample_worlds(Hand(HAND), 0, rules, 1000, np.random.PCG64DXSM(1))
    return np.tile(few, (n // 1000, 1))
def batch(n):
    return contract_deals(worlds(n), rules, "garde_sans", np.zeros(n // 1000 * 1000, np.uint8))
def ready():
    print("ready", flush=True)
"""
_TRY: Final = """
ready()
try:
    for _ in count():
        WORK
except KeyboardInterrupt:
    print("interrupted", flush=True)
except BaseException as error:
    print(repr(error), flush=True)
AFTER
print("usable", flush=True)
"""


@dataclass(frozen=True, slots=True)
class Work:
    """Something that takes long: a preparation, what is done over and over, a look afterwards."""

    work: str
    prepare: str = ""
    after: str = ""


_POSITION_AFTER: Final = "assert position.plays == () and position.tricks_left == 18"
_SOLVER: Final = (
    "end = ts.Position([Hand('A21'), Hand('PD'), Hand('A3'), Hand('P1')], attack=[0], leader=0)\n"
    "low, high, _ = solver.value(end, MARGIN)\n"
    "assert low == high\n" + _POSITION_AFTER
)
_EVALUATOR: Final = "assert len(evaluator.policy(batch(1000))) == 1000"

PYTHON: Final[dict[str, Work]] = {
    "perft": Work("position.perft(40)", after=_POSITION_AFTER),
    "random_playouts": Work(
        "ts.random_playouts(position, 60_000_000, bits)",
        "bits = np.random.PCG64DXSM(1)",
        "assert bits.lock.acquire(blocking=False)",
    ),
    "solve": Work("ts.solve(position, solver=solver)", after=_SOLVER),
    "solve, score": Work(
        "ts.solve(position, 'score', stakes=Stakes('garde'), solver=solver)", after=_SOLVER
    ),
    "solve, cards and line": Work(
        "ts.solve(position, cards=True, line=True, chelem=True, solver=solver)", after=_SOLVER
    ),
    "solve, nodes": Work("ts.solve(position, nodes=10**12, solver=solver)", after=_SOLVER),
    "solve, seconds": Work("ts.solve(position, seconds=1e6, solver=solver)", after=_SOLVER),
    "solve_cards": Work("ts.solve_cards(position, solver=solver)", after=_SOLVER),
    "can_make": Work("ts.can_make(position); Solver().value(position, MARGIN)", after=_SOLVER),
    "can_chelem": Work(
        "ts.can_chelem(strong); solver.value(strong, MARGIN)",
        "hands = [ts.Hand('A:21,20,19,18,17,16,15,14,13,EX P:R,D,C C:R,D K:R,D T:R'),\n"
        "  *(ts.Hand(hand) for hand in ('A:12,11,10 P:V,10,9,8,7 C:C,V,10,9 K:C,V,10 T:D,C,V',\n"
        "  'A:9,8,7,6 P:6,5,4,3 C:8,7,6 K:9,8,7 T:10,9,8,7', 'A:5,4,3,2,1 P:2,1 C:5,4,3 K:6,5,4,3 "
        "T:6,5,4,3'))]\n"
        "strong = ts.Position(hands, attack=[0], leader=1)",
    ),
    "solve_many": Work("ts.solve_many([position] * 8)", after=_POSITION_AFTER),
    "solve_many, two jobs": Work("ts.solve_many([position] * 8, n_jobs=2)", after=_POSITION_AFTER),
    "solve_many, threshold": Work(
        "ts.solve_many([position] * 100_000, threshold=0)", after=_POSITION_AFTER
    ),
    "solve_many, short ones": Work(
        "ts.solve_many(ends)",
        "ends = [ts.Position([Hand('A21 PR'), Hand('PD P2'), Hand('A3 CR'), Hand('P1 C2')],\n"
        "  attack=[0], leader=0, won=(True, True))] * 1_000_000",
    ),
    "Solver.clear": Work("big.clear()", "big = Solver(1 << 30)"),
    "Solver.value": Work("solver.value(position, MARGIN)", after=_SOLVER),
    "Solver.cards": Work("solver.cards(position, MARGIN)", after=_SOLVER),
    "Solver.at_least": Work(
        "solver.at_least(position, Objective(extra=[[0, 1, 2], [3, 4, 5], [6, 7, 8]]), 95)",
        after=_SOLVER,
    ),
    "Solver.keeping_card": Work("solver.keeping_card(position, MARGIN, -20)", after=_SOLVER),
    "plain_value": Work(
        "plain_value(position, MARGIN)", "from tarot_sim.solver._plain import plain_value"
    ),
    "plain_card_values": Work(
        "plain_card_values(position, MARGIN)",
        "from tarot_sim.solver._plain import plain_card_values",
    ),
    "sample_worlds": Work(
        "ts.sample_worlds(Hand(HAND), 0, rules, 2_000_000, bits)",
        "bits = np.random.PCG64DXSM(1)",
        "assert bits.lock.acquire(blocking=False)",
    ),
    "sample_worlds_given": Work(
        "sample_worlds_given(Hand(HAND), 0, heard, 300_000, bits)",
        "from tarot_sim.worlds.bidding_model import read_auction, sample_worlds_given\n"
        "bits = np.random.PCG64DXSM(1)\nheard = read_auction(['prise'], rules, None)",
    ),
    "world_counts": Work(
        "world_counts(rows, 0, camps, 4, True)",
        "from tarot_sim.worlds._counts import world_counts\n"
        "rows = worlds(4_000_000)\ncamps = np.ones(len(rows), np.uint8)",
    ),
    "chavey_counts": Work(
        "chavey_counts(rows, 4)",
        "from tarot_sim.worlds._counts import chavey_counts\nrows = worlds(4_000_000)",
    ),
    "take_dogs": Work(
        "take_dogs(rows, 0, 4, 6, 255, RULE.array)",
        "from tarot_sim.worlds._discard import take_dogs\n"
        "from tarot_sim.worlds.discards import RULE\nrows = worlds(2_000_000)",
    ),
    "anneal_worlds": Work(
        "anneal_worlds(rows, 0, 4, [1, 2], fits, [200, 2000], bits, False)",
        "from tarot_sim.worlds._annealing import SHORT_SUITS, TOTALS, anneal_worlds\n"
        "rows, bits = worlds(20_000), np.random.PCG64DXSM(1)\n"
        "fits = np.ones((2, 2, TOTALS, SHORT_SUITS))",
        "assert bits.lock.acquire(blocking=False)",
    ),
    "anneal_worlds, many steps": Work(
        "anneal_worlds(rows, 0, 4, [1], fits, [10**9], bits, False)",
        "from tarot_sim.worlds._annealing import SHORT_SUITS, TOTALS, anneal_worlds\n"
        "rows, bits = worlds(1000), np.random.PCG64DXSM(1)\n"
        "fits = np.ones((1, 1, TOTALS, SHORT_SUITS))",
    ),
    "can_sweep": Work(
        "can_sweep(position, 'attack', 10**6)", "from tarot_sim.solver._sweep import can_sweep"
    ),
    "odds": Work("ts.odds(HAND).to_dict()"),
    "Condition.mask": Work(
        "strong.mask(rows)", "rows, strong = worlds(500_000), ts.Condition('trumps>=10')"
    ),
    "choose_discard": Work("ts.choose_discard(Hand(HAND) | Hand(DOG), rules)"),
    "discard_candidates": Work(
        "discard_candidates(Hand(HARD) | Hand('A:3 P:2 C:7,1 K:8 T:4'), rules, 10**6, rng)",
        "from tarot_sim.worlds.discards import discard_candidates\nrng = np.random.default_rng(1)",
    ),
    "contract_deals": Work("batch(1_000_000)"),
    "Evaluator.policy": Work("evaluator.policy(deals)", "deals = batch(200_000)", _EVALUATOR),
    "Evaluator.reaches": Work(
        "evaluator.reaches(deals, MARGIN, [0, 10], Widths(3, 3, 3, 2), 10**9)",
        "deals = batch(100_000)",
        _EVALUATOR,
    ),
    "Evaluator.values": Work(
        "evaluator.values(deals, MARGIN, np.zeros(len(deals), np.int16), Widths(3, 2, 3, 2),"
        " 10**9)",
        "deals = batch(100_000)",
        _EVALUATOR,
    ),
    "Evaluator.reaches, few nodes": Work(
        "evaluator.reaches(deals, MARGIN, [0, 10], Widths(1, 1, 1, 1), 1)",
        "deals = batch(400_000)",
        _EVALUATOR,
    ),
    "Evaluator.sweeps": Work(
        "evaluator.sweeps(deals, 'attack', 1000)", "deals = batch(400_000)", _EVALUATOR
    ),
    "Evaluator, large table": Work(
        "big.reaches(deals, MARGIN, 0, Widths(1, 1, 1, 1), 10)",
        "big = Evaluator(1 << 29)\ndeals = batch(2000)",
    ),
    "chances, one job": Work("ts.chances(HARD, worlds=100_000, n_jobs=1)"),
    "chances, two jobs": Work("ts.chances(HARD, worlds=100_000, n_jobs=2)"),
    "chances, exact": Work("ts.chances(HARD, worlds=100_000, method='exact', n_jobs=2)"),
    "chances, auction": Work(
        "ts.chances(HARD, auction=['prise'], worlds=100_000, n_jobs=2)"
    ),
    "chances, five": Work("ts.chances(HAND_5, players=5, worlds=100_000, n_jobs=2)"),
    "rank_discards, one job": Work("ts.rank_discards(HARD, DOG2, worlds=20_000, n_jobs=1)",
                                   "DOG2 = 'A:3 P:2 C:7,1 K:8 T:4'"),
    "rank_discards, two jobs": Work("ts.rank_discards(HARD, DOG2, worlds=20_000, n_jobs=2)",
                                    "DOG2 = 'A:3 P:2 C:7,1 K:8 T:4'"),
    "rank_calls, one job": Work("ts.rank_calls(HAND_5, worlds=20_000, n_jobs=1)"),
    "rank_calls, two jobs": Work("ts.rank_calls(HAND_5, worlds=20_000, n_jobs=2)"),
    "deals of a rare condition": Work(
        "deal_until(rare, draw)",
        "from tarot_sim.deals.conditions import deal_until\n"
        "from tarot_sim.deals.dealing import Draws, deal_uniform\ndraws = Draws(1)\n"
        "rare = [ts.Condition('trumps>=17')]\ndraw = lambda: deal_uniform(rules, draws)",
    ),
    "play_deals": Work(
        "play_deals(deals, np.zeros(len(deals), np.uint8), weights)",
        "from tarot_sim.bots._playing import play_deals\nfrom tarot_sim.bots.habits import habits\n"
        "deals, weights = batch(100_000), np.repeat(habits(rules)[None], 4, axis=0)",
    ),
    "Begun.values": Work(
        "begun.values(habits(rules))",
        "from tarot_sim.bots._rollouts import Begun\nfrom tarot_sim.bots.habits import habits\n"
        "begun = Begun(batch(1000)[np.zeros(100_000, np.int64)], 0, [])",
    ),
    "Begun.likelihoods": Work(
        "begun.likelihoods(habits(rules), 0, 0.3, 0.7, 1.0)",
        "from tarot_sim.bots._rollouts import Begun\nfrom tarot_sim.bots.habits import habits\n"
        "begun = Begun(batch(300_000), 0, [])",
    ),
    "Assignment.draw": Work(
        "cards.draw(5_000_000, bits)",
        "from tarot_sim.worlds._assignment import Assignment\n"
        "allowed = np.zeros(78, np.uint8)\nallowed[:60] = 15\n"
        "cards, bits = Assignment(allowed, [15] * 4), np.random.PCG64DXSM(1)",
        "assert bits.lock.acquire(blocking=False)",
    ),
    "bots": Work(
        "make('search:worlds=2000', 1).bid(view)",
        "from tarot_sim.bots import make\nfrom tarot_sim.deals.view import View\n"
        "game = ts.Match(n_deals=1, rng=1).deal()\nview = View.of(game, game.to_move)",
    ),
    "Deal.random": Work("ts.Deal.random(rng=1)"),
    "Deal.physical": Work("ts.Deal.physical(rng=1, riffles=100_000)"),
    "matches": Work(
        "play()",
        "def play():\n"
        "  match = ts.Match(n_deals=1000, rng=1)\n"
        "  while not match.is_over:\n"
        "    game = match.deal()\n"
        "    if game.phase == 'auction':\n"
        "      for bid in ('prise', 'pass', 'pass', 'pass'): game.bid(bid)\n"
        "      game.discard(ts.choose_discard(game.hands[game.taker], game.rules))\n"
        "      while game.phase == 'play': game.play(game.legal_cards()[-1])\n"
        "    match.settle(game)",
    ),
    "benchmark": Work("measure()", "from tarot_sim.bench import measure"),
}  # fmt: skip


def program(work: Work) -> str:
    """Return the program that says it is ready, works, and says what ended it."""
    loop = _TRY.replace("WORK", work.work).replace("AFTER", work.after)
    return f"{_START}\n{work.prepare}\n{loop}"


def interrupt_python(work: Work, moment: float) -> Delay:
    """Interrupt work in Python after so many seconds of it."""
    process = _start([sys.executable, "-c", program(work)])
    try:
        assert process.stdout is not None
        first = process.stdout.readline()
        if first != "ready\n":
            return Delay(moment, 0, 0, f"not ready: {_rest(process)}")
        _work(process, moment)
        wall, cpu, code = _interrupt(process)
        if code is None:
            return Delay(moment, wall, cpu)
        said, wrong = process.stdout.read(), _rest(process)
    finally:
        process.kill()
        process.communicate()
    fault = ""
    if said != "interrupted\nusable\n" or code != 0 or wrong:
        fault = f"exit code {code}, {said.strip()!r}, {wrong[-200:]!r}"
    return Delay(moment, wall, cpu, fault)


# ---------------------------------------------------------------------------
# Commands

_HARD: Final = "A:21,14,11,8,5,1 P:R,D,6,4 C:C,10,3 K:D,4,2 T:V,9"
_HAND_5: Final = "A:21,16,14,11,8,5,1 P:R,D,6 C:C,10 K:4 T:V,9"

#: Files in place of words in capitals.
FILES: Final = ("WHOLE", "VIEW", "HANDS", "MANY", "RESULTS", "ENDINGS", "TAGGED")
COMMANDS: Final[dict[str, list[str]]] = {
    "chances": ["chances", _HARD, "--worlds", "100000"],
    "chances, one job": ["chances", _HARD, "--worlds", "100000", "--jobs", "1"],
    "chances, two jobs": ["chances", _HARD, "--worlds", "100000", "--jobs", "2", "--json"],
    "chances, exact": ["chances", _HARD, "--time", "1000"],
    "chances, auction": ["chances", _HARD, "--auction", "garde_sans", "--worlds", "100000"],
    "chances --jsonl": ["chances", "HANDS", "--jsonl", "--worlds", "50"],
    "discard": ["discard", _HARD, "A:3 P:2 C:7,1 K:8 T:4", "--worlds", "20000"],
    "discard, one job": [
        "discard", _HARD, "A:3 P:2 C:7,1 K:8 T:4", "--worlds", "20000", "--jobs", "1"
    ],
    "call": ["call", _HAND_5, "--worlds", "20000"],
    "solve": ["solve", "WHOLE"],
    "solve --all --line": ["solve", "WHOLE", "--all", "--line"],
    "solve score": ["solve", "WHOLE", "--objective", "score"],
    "solve --chelem": ["solve", "WHOLE", "--chelem"],
    "solve --time": ["solve", "WHOLE", "--time", "100000"],
    "solve --jsonl": ["solve", "MANY", "--jsonl", "--nodes", "1000"],
    "solve --jsonl, two jobs": ["solve", "MANY", "--jsonl", "--nodes", "1000", "--jobs", "2"],
    "replay --jsonl": ["replay", "MANY", "--jsonl"],
    "replay -": ["replay", "-"],
    "legal --jsonl": ["legal", "ENDINGS", "--jsonl"],
    "score --jsonl": ["score", "RESULTS", "--jsonl"],
    "perft": ["perft", "WHOLE", "--depth", "40"],
    "perft --jsonl": ["perft", "ENDINGS", "--depth", "8", "--jsonl"],
    "deal": ["deal", "-n", "10000000"],
    "deal --json": ["deal", "-n", "10000000", "--json"],
    "deal --condition": ["deal", "-n", "1", "--condition", "trumps>=17"],
    "deal --physical": ["deal", "-n", "10000000", "--physical"],
    "convert": ["convert", "MANY", "--to", "tagged"],
    "convert tagged": ["convert", "TAGGED", "--to", "record"],
    "bench": ["bench"],
    "play": ["play", "--bots", "search:worlds=20000", "--seed", "1", "--dealer", "0"],
    "advise": ["advise", "VIEW", "--worlds", "50000"],
    "arena": ["arena", "search", "rules", "--deals", "10000", "--jobs", "1"],
    "arena, two jobs": ["arena", "search", "rules", "--deals", "10000", "--jobs", "2"],
}  # fmt: skip


def write_files(folder: Path, *, lines: int = 20_000) -> None:
    """Write the files that the commands work on."""
    from tarot_sim.deals.deal import Deal
    from tarot_sim.deals.formats import tagged

    whole = Deal.random(rng=5).to_dict() | {"taker": 0, "contract": "garde_sans"}
    (folder / "WHOLE").write_text(json.dumps(whole))
    seen = {"players": 4, "dealer": 3, "hands": [_HARD, None, None, None], "auction": []}
    (folder / "VIEW").write_text(json.dumps(seen))
    played = records.played(Deal.from_dict(records.changed(records.FOUR, plays=[])), 1)
    contents = {
        "HANDS": _HARD,
        "MANY": json.dumps(played.to_dict()),
        "ENDINGS": json.dumps(records.ENDING),
        "RESULTS": json.dumps({"contract": "garde", "points": 49, "bouts": 2}),
    }
    for name, line in contents.items():
        count = 10 * lines if name == "RESULTS" else lines
        (folder / name).write_text((line + "\n") * count)
    (folder / "TAGGED").write_text(tagged.dumps([played]) * (lines // 4))


def interrupt_command(arguments: list[str], folder: Path, moment: float) -> Delay:
    """Interrupt a command after so many seconds of processor."""
    given = [str(folder / word) if word in FILES else word for word in arguments]
    process = _start(command(*given), quiet=True)
    try:
        _work(process, moment)
        if process.poll() is not None:
            return Delay(moment, 0, 0, f"over before the signal: {_rest(process)[-200:]}")
        wall, cpu, code = _interrupt(process)
        if code is None:
            return Delay(moment, wall, cpu)
        wrong = _rest(process)
    finally:
        process.kill()
        process.communicate()
    fault = (
        "" if code == 130 and "Traceback" not in wrong else f"exit code {code}, {wrong[-300:]!r}"
    )
    return Delay(moment, wall, cpu, fault)


# ---------------------------------------------------------------------------
# Processes


def _start(arguments: list[str], *, quiet: bool = False) -> subprocess.Popen[str]:
    # A shell that runs tests in the background lets them ignore the signal.
    listen = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    return subprocess.Popen(
        arguments,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL if quiet else subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=listen,
        env=os.environ | {"NO_COLOR": "1", "PYTHONIOENCODING": "utf-8"},
    )


def _work(process: subprocess.Popen[str], moment: float) -> None:
    """Wait until a process has worked for so long, or does nothing any more."""
    begun, latest = _cpu(process.pid), time.monotonic() + 10 * moment + 3
    while _cpu(process.pid) - begun < moment and time.monotonic() < latest:
        time.sleep(0.01)
        if process.poll() is not None:
            return


def _interrupt(process: subprocess.Popen[str]) -> tuple[float, float, int | None]:
    """Send Ctrl-C; return the seconds until the end, by clock and processor, and the exit code."""
    cpu, begun = _cpu(process.pid), time.monotonic()
    process.send_signal(signal.SIGINT)
    last = cpu
    while process.poll() is None:
        if time.monotonic() - begun > PATIENCE and last - cpu > PATIENCE / 3:
            return float("inf"), float("inf"), None
        if time.monotonic() - begun > 5 * PATIENCE:
            return float("inf"), float("inf"), None
        time.sleep(0.002)
        last = max(last, _cpu(process.pid))
    return time.monotonic() - begun, last - cpu, process.returncode


def _rest(process: subprocess.Popen[str]) -> str:
    return process.stderr.read() if process.stderr is not None else ""


_TICKS: Final = os.sysconf("SC_CLK_TCK")


def _cpu(pid: int) -> float:
    """Return the seconds of processor that a process has used; 0 where it is gone."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / _TICKS


def moments(seed: int, count: int, first: float, last: float) -> Iterator[float]:
    """Yield random seconds of work, the same for a seed."""
    rng = Random(seed)
    for _ in range(count):
        yield rng.uniform(first, last)


@contextmanager
def table(title: str) -> Iterator[list[tuple[str, Delay]]]:
    """Collect delays and print them, the longest last."""
    rows: list[tuple[str, Delay]] = []
    yield rows
    print(f"\n{title}: seconds until the end after Ctrl-C (clock, processor)")
    for name, delay in sorted(rows, key=lambda row: min(row[1].wall, row[1].cpu)):
        times = f"{delay.wall:6.3f} {delay.cpu:6.2f}  after {delay.moment:.2f}"
        print(f"  {name:28} {times} {delay.fault}")


#: What is known to be deaf, or to end badly, and how.
KNOWN: Final[dict[str, str]] = {}


def judge(name: str, delays: list[Delay]) -> None:
    """Fail where Ctrl-C did not end work in time and well, if that is not known; or is over."""
    faults = [delay.fault for delay in delays if delay.fault]
    slowest = max(min(delay.wall, delay.cpu) for delay in delays)
    if name not in KNOWN:
        assert faults == []
        assert slowest <= BOUND
        return
    assert faults or slowest > BOUND, "no fault any more: take it out of KNOWN"
    pytest.xfail(KNOWN[name])
