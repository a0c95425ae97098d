"""Hold the ends of the scale against exact answers: sweeps, the Petit au bout, and the score.

Thirty hands at each table, from ones that win every trick to ones that win none; of some the
dog is known, of some the auction. In the first worlds of each the deal is answered as well as
can be:

* *proved*: a camp wins every trick, and the Petit au bout with it or not
  (`tarot_sim.solver._sweep`, and the solver where that ends without an answer);
* *wide*: neither does, and a search with wide lists of moves comes to an end: near the truth,
  no proof;
* *open*: neither.

The answers are kept in ``truth/chelems.jsonl``: a second run only estimates. Printed is for each
hand and contract the taker's score in the answered worlds, as it is, as the judge had it when
it did not look at the ends of the scale, and as it is judged; the same of the chelems and of
the Petit au bout; and how many of the judge's 95 % intervals hold the truth, given the luck
that the judged chances themselves leave.

    python -m benchmarks.calibration.chelems
    python -m benchmarks.calibration.chelems --players 4 --worlds 12
"""

from __future__ import annotations

import argparse
import json
import zlib
from dataclasses import dataclass, replace
from functools import partial
from math import hypot, sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from joblib import Parallel, delayed

from tarot_sim.cards import CARDS, Hand
from tarot_sim.estimation._evaluate import Evaluator
from tarot_sim.estimation.chunks import CHUNK, sample_contract
from tarot_sim.estimation.ends import Ends
from tarot_sim.estimation.figures import estimate_score
from tarot_sim.estimation.intervals import Z95
from tarot_sim.estimation.judge import Judge, margins_of
from tarot_sim.estimation.plan import Plan, Stream, draw_worlds, leaders
from tarot_sim.rules import NEED, Rules
from tarot_sim.rules.auction import callable_cards
from tarot_sim.rules.scoring import CHELEMS, per_defender
from tarot_sim.solver.objectives import CHELEM, CHELEM_THRESHOLD, VALUE
from tarot_sim.solver.widths import ALL_MOVES, Widths
from tarot_sim.worlds._sampler import sample_worlds
from tarot_sim.worlds.bidding_model import read_auction
from tarot_sim.worlds.contract_deals import TAKER, contract_deals, dogs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tarot_sim.cards import Card
    from tarot_sim.estimation.sample import Sample
    from tarot_sim.rules import Camp, Contract
    from tarot_sim.worlds.batch import Deals

FILE: Final = Path(__file__).parent / "truth" / "chelems.jsonl"
HANDS: Final = 30
WORLDS: Final = 6
SEED: Final = 7
#: Every so many hands one has a dog that is seen, and one an auction that was heard.
DOG_EVERY, AUCTION_EVERY = 7, 11
CONTRACTS: Final[tuple[Contract, ...]] = ("garde", "garde_contre")
#: Cards played in a search for a sweep, nodes of the solver's, and of the wide search.
SWEEP_NODES: Final = 300_000
CHELEM_NODES: Final = 1_500_000
WIDE_NODES: Final = 1_500_000
WIDE: Final = Widths(3, 2, 3, 2)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a deal comes to, in half points, +1 attack and −1 defence.

    `kind` is proved, wide or open; `sweeps` tells whether the attack, and whether the defence, wins
    every trick, and `led` whether the attack does if the taker leads, None where that is open.
    """

    players: int
    hand: int
    contract: Contract
    world: int
    deal: int
    kind: str
    margin: int
    petit_au_bout: int
    chelem: int
    sweeps: tuple[bool | None, bool | None]
    led: bool | None


def tilted_hands(players: int, number: int = HANDS, seed: int = SEED) -> Iterator[Hand]:
    """Yield so many hands from the strongest to the weakest.

    Each is drawn with odds that grow, or fall, with what a card is worth in the play.
    """
    rng = np.random.default_rng(seed + players)
    size = Rules(players=players).hand_size
    for tilt in np.linspace(1.5, -1.5, number):
        odds = np.sign(tilt) * abs(tilt) ** 1.5 * _WORTH
        while True:
            # The largest of these are a draw without replacement by the odds.
            hand = Hand(np.argsort(-(odds + rng.gumbel(size=78)))[:size].tolist())
            if not hand.is_petit_sec():
                break
        yield hand


def _worth() -> list[float]:
    plain = {1: 5.0, 2: 3.2, 3: 2.0, 4: 1.2}
    top = {21: 8.0, 20: 6.5, 19: 5.5, 18: 5.0, 17: 4.5, 16: 4.2, 15: 4.0, 1: 4.0}
    worth = []
    for card in CARDS:
        if card < 56:
            worth.append(plain.get(14 - card % 14, 0.06 * (card % 14 + 1)))
        elif card < 77:
            worth.append(top.get(card - 55, 1.2 + 0.17 * (card - 55)))
        else:
            worth.append(6.0)
    return worth


_WORTH: Final = np.array(_worth())


def plans(players: int) -> Iterator[Plan]:
    """Yield what is asked of each hand."""
    rules = Rules(players=players)
    for number, hand in enumerate(tilted_hands(players)):
        plan = Plan(hand, rules, number, "cascade", called=call_of(hand, rules))
        if number % DOG_EVERY == DOG_EVERY - 1:
            bits = np.random.PCG64DXSM(number)
            plan = replace(plan, dog=dogs(sample_worlds(hand, TAKER, rules, 1, bits), rules)[0])
        elif number % AUCTION_EVERY == AUCTION_EVERY - 1:
            plan = replace(plan, auction=read_auction(["pass"], rules, None))
        yield plan


def call_of(hand: Hand, rules: Rules) -> Card | None:
    """Return the first card that may be called and is not held, at five players."""
    if rules.players != 5:
        return None
    cards = callable_cards(hand, rules)
    return next((card for card in cards if card not in hand), cards[0])


def deals_of(plan: Plan, contract: Contract, worlds: int) -> Deals:
    """Return the first worlds of a plan as deals."""
    drawn = draw_worlds(plan, CHUNK, Stream.WORLDS, 0)
    seats = leaders(plan, 0, CHUNK)
    deals = contract_deals(drawn, plan.rules, contract, seats, called=plan.called)
    return deals[np.arange(worlds)]


def answered(evaluator: Evaluator, deals: Deals, players: int, hand: int) -> list[Answer]:
    """Answer deals as well as can be."""
    guesses = margins_of(evaluator.policy(deals)).astype(np.int16)
    found = []
    for row in range(len(deals)):
        one = deals[np.array([row])]
        up, down = sweeps(evaluator, one, "attack"), sweeps(evaluator, one, "defence")
        led = sweeps(evaluator, replace(one, leader=np.zeros(1, np.uint8)), "attack")
        kind, margin, petit, chelem = "open", 0, 0, 0
        if up or down:
            camp: Camp = "attack" if up else "defence"
            chelem = 1 if up else -1
            last = evaluator.sweeps(one, camp, SWEEP_NODES, petit_au_bout=True)[0]
            bouts = int(one.bouts[0]).bit_count()
            margin = int(one.half_points[0])
            if up:
                played = np.flatnonzero(one.owners[0] < players)
                margin += Hand(played.tolist()).half_points
                bouts += sum(int(one.owners[0, bout] < players) for bout in (56, 76, 77))
            margin -= NEED[bouts]
            petit = chelem * int(last)
            kind = "proved" if last >= 0 else "open"
        elif up is False and down is False:
            results, bounds, _ = evaluator.values(
                one, VALUE, guesses[row : row + 1], WIDE, WIDE_NODES
            )
            margin, petit = int(margins_of(results)[0]), int(results["petit_au_bout"][0])
            kind = "wide" if bounds[0, 0] == bounds[0, 1] else "open"
        found.append(
            Answer(
                players,
                hand,
                deals.contract,
                row,
                checksum(one),
                kind,
                margin,
                petit,
                chelem,
                (up, down),
                led,
            )
        )
    return found


def sweeps(evaluator: Evaluator, deal: Deals, camp: Camp) -> bool | None:
    """Tell whether a camp wins every trick; None where that stays open."""
    answer = int(evaluator.sweeps(deal, camp, SWEEP_NODES)[0])
    if answer < 0:
        # Each camp's moves cut: where it wins all the same that is a proof.
        cut: dict[Camp, Widths] = {
            "attack": Widths(3, 2, 255, 255),
            "defence": Widths(255, 255, 3, 2),
        }
        other: Camp = "defence" if camp == "attack" else "attack"
        for widths, proves in ((cut[camp], True), (cut[other], False), (ALL_MOVES, None)):
            verdict = int(
                evaluator.reaches(deal, CHELEM, CHELEM_THRESHOLD[camp], widths, CHELEM_NODES)[0][0]
            )
            swept = bool(verdict == (camp == "attack"))
            if verdict >= 0 and proves in (None, swept):
                return swept
    return None if answer < 0 else bool(answer)


def checksum(deal: Deals) -> int:
    """Return a number that changes with a deal."""
    return zlib.crc32(deal.owners.tobytes() + bytes([int(deal.leader[0])]))


def load() -> dict[tuple[int, int, str, int, int], Answer]:
    """Return the answers that are kept."""
    if not FILE.exists():
        return {}
    rows = [read(line) for line in FILE.read_text().splitlines()]
    return {(row.players, row.hand, row.contract, row.world, row.deal): row for row in rows}


def read(line: str) -> Answer:
    """Return the answer of a line."""
    fields = json.loads(line)
    return Answer(**(fields | {"sweeps": tuple(fields["sweeps"])}))


def line_of(answer: Answer) -> str:
    """Return the line of an answer."""
    return json.dumps({name: getattr(answer, name) for name in Answer.__slots__}) + "\n"


def collect(players: int, worlds: int, jobs: int) -> list[Answer]:
    """Return the answers of a table, and keep those that are new."""
    known = load()
    answers: list[Answer] = []
    todo: list[tuple[int, Deals]] = []
    for hand, plan in enumerate(plans(players)):
        for contract in CONTRACTS:
            deals = deals_of(plan, contract, worlds)
            for row in range(worlds):
                one = deals[np.array([row])]
                answer = known.get((players, hand, contract, row, checksum(one)))
                if answer is None:
                    todo.append((hand, deals))
                    break
                answers.append(answer)
    with FILE.open("a") as out:
        for found in Parallel(n_jobs=jobs, prefer="threads", return_as="generator")(
            delayed(partial(_answered, players))(hand, deals) for hand, deals in todo
        ):
            for answer in found:
                fresh = (answer.players, answer.hand, answer.contract, answer.world, answer.deal)
                if fresh not in known:
                    out.write(line_of(answer))
                    answers.append(answer)
            out.flush()
    return answers


def _answered(players: int, hand: int, deals: Deals) -> list[Answer]:
    return answered(Evaluator(1 << 26), deals, players, hand)


def without_ends(sample: Sample, judge: Judge, deals: Deals) -> Sample:
    """Return a sample as it was before the ends of the scale were looked at."""
    outcomes = judge.judge(deals).outcomes
    n = len(deals)
    wide = np.tile(np.array([1000, -1000], np.int64), (n, 1))
    ends = Ends(
        np.zeros((n, 2)), np.zeros(n), wide, wide, np.zeros((n, 2)),
        outcomes["petit_au_bout"].astype(np.float64),
    )  # fmt: skip
    return replace(sample, ends=ends)


@dataclass(frozen=True, slots=True)
class Comparison:
    """What the judge says of the answered worlds of a hand beside what is true of them.

    Pairs are what is true and what is judged; `score_before` and `petit_before` are of the judge
    that did not look at the ends of the scale, `error` is the judge's standard error, the luck that
    its chances leave included.
    """

    worlds: int
    score: tuple[float, float]
    score_before: float
    error: float
    attack_sweeps: tuple[float, float]
    defence_sweeps: tuple[float, float]
    petit: tuple[float, float]
    petit_before: float
    margin: tuple[float, float]

    @property
    def off(self) -> float:
        """How far the judge's score is above the true one."""
        return self.score[1] - self.score[0]

    @property
    def holds(self) -> bool:
        """Whether the judge's 95 % interval holds the true score."""
        return abs(self.off) <= Z95 * self.error


def compare(
    plan: Plan, contract: Contract, answers: list[Answer], judge: Judge
) -> Comparison | None:
    """Compare the judge's figures of the answered worlds of a hand; None if none is answered."""
    some = sorted(
        (answer for answer in answers if answer.kind != "open"), key=lambda answer: answer.world
    )
    if not some:
        return None
    rows = np.array([answer.world for answer in some])
    drawn = draw_worlds(plan, CHUNK, Stream.WORLDS, 0)
    seats = leaders(plan, 0, CHUNK)
    few = sample_contract(plan, drawn[rows], seats[rows], contract, len(rows))[contract]
    deals = contract_deals(drawn, plan.rules, contract, seats, called=plan.called)[rows]
    before = without_ends(few, judge, deals)
    truth = [
        multiplier
        * per_defender(
            answer.margin,
            contract,
            petit_au_bout=answer.petit_au_bout,
            poignees=int(bonus) if few.shows_poignee else 0,
            chelem={1: CHELEMS["made"], 0: 0, -1: CHELEMS["by_defence"]}[answer.chelem],
        )
        for answer, multiplier, bonus in zip(some, few.multipliers, few.bonus, strict=True)
    ]
    chelem = np.array([answer.chelem for answer in some])
    attack, defence = few.chelems.mean(axis=0)
    return Comparison(
        worlds=len(some),
        score=(float(np.mean(truth)), float(few.scores.mean())),
        score_before=float(before.scores.mean()),
        error=hypot(estimate_score(few).model_error, sqrt(luck_of(few)) / len(rows)),
        attack_sweeps=(float((chelem == 1).mean()), float(attack)),
        defence_sweeps=(float((chelem == -1).mean()), float(defence)),
        petit=(
            float(np.mean([answer.petit_au_bout for answer in some])),
            float(few.petit_au_bout.mean()),
        ),
        petit_before=float(before.petit_au_bout.mean()),
        margin=(float(np.mean([answer.margin for answer in some])), float(few.margins.mean())),
    )


def table(players: int, answers: list[Answer]) -> None:
    """Print what the judge says beside what is true."""
    judge = Judge("cascade")
    found = []
    kinds = ", ".join(
        f"{sum(answer.kind == kind for answer in answers)} {kind}"
        for kind in ("proved", "wide", "open")
    )
    print(f"{players} players, {len(answers)} worlds: {kinds}.\n")
    print(
        "| hand | contract | worlds | score | before | judged | chelem | by the defence "
        "| Petit au bout | before | margin, half points |"
    )
    print("|" + "---|" * 11)
    for number, plan in enumerate(plans(players)):
        for contract in CONTRACTS:
            some = [
                answer for answer in answers if (answer.hand, answer.contract) == (number, contract)
            ]
            row = compare(plan, contract, some, judge)
            if row is None:
                continue
            found.append(row)
            note = " dog" if plan.dog else " bids" if plan.auction else ""
            sweeps = (
                "{:.2f} {:.2f}".format(*pair) for pair in (row.attack_sweeps, row.defence_sweeps)
            )
            print(
                f"| {number}{note} | {contract} | {row.worlds} of {len(some)} | {row.score[0]:.0f} "
                f"| {row.score_before:.0f} | {row.score[1]:.0f} ± {row.error:.0f}"
                f"{'' if row.holds else ' **!**'} | {' | '.join(sweeps)} "
                f"| {row.petit[0]:+.2f} {row.petit[1]:+.2f} | {row.petit_before:+.2f} "
                f"| {row.margin[0]:.0f} {row.margin[1]:.0f} |",
                flush=True,
            )
    errors = np.array([row.off for row in found])
    before = np.array([row.score_before - row.score[0] for row in found])
    print(
        f"\n{players} players: intervals that hold the truth {sum(row.holds for row in found)} of "
        f"{len(found)}; mean absolute error {np.abs(errors).mean():.1f}, before "
        f"{np.abs(before).mean():.1f}; largest {np.abs(errors).max():.0f}, before "
        f"{np.abs(before).max():.0f}.\n"
    )


def luck_of(sample: Sample) -> float:
    """Return the variance of the sum of scores that the judged chances leave."""
    scores, weights = sample.score_spread()
    mean = (scores * weights).sum(axis=1, keepdims=True)
    return float((weights * (scores - mean) ** 2).sum())


def main() -> None:
    """Answer what is not kept yet, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--players", type=int, nargs="+", default=[4, 3, 5])
    parser.add_argument("--worlds", type=int, default=WORLDS)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    for players in options.players:
        table(players, collect(players, options.worlds, options.jobs))


if __name__ == "__main__":
    main()
