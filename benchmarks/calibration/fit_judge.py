"""Fit the numbers of `tarot_sim.estimation.calibration` to exact answers.

Hands of every strength that might bid take a Garde, the stronger ones in turn a contract
without the dog too; further hands take only such contracts. Worlds of each are searched
exactly within a budget of nodes. A wide zero window stands in for the rest: to leave out what stays
open would leave out the strong hands, since to be made takes long to prove. Fitted are, from
the evidence of `tarot_sim.estimation.judge`:

* the logit that a deal is made, where that is known;
* the margin, to the value of a search as wide as the windows of the judge: exact margins of
  whole deals are too dear.

The answers are kept in ``build/judge-PLAYERS.jsonl``: a second run only fits. With ``--write``
the fits go into ``calibration.json``, each column with its name; without it they are printed.

    python -m benchmarks.calibration.fit_judge 4
    python -m benchmarks.calibration.fit_judge 4 --write
"""

from __future__ import annotations

import argparse
import json
import subprocess
from datetime import date
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np
from joblib import Parallel, delayed
from scipy.optimize import minimize

from benchmarks.calibration.own_error import own_error
from benchmarks.common import stored_discard
from tarot_sim.cards import Hand
from tarot_sim.estimation import calibration
from tarot_sim.estimation._evaluate import Evaluator
from tarot_sim.estimation.calibration import Stage
from tarot_sim.estimation.judge import (
    EVIDENCE_VERSION,
    METHODS,
    NARROW_TABLE,
    WINDOW_WIDTHS,
    Evidence,
    evidence_of,
    margins_of,
    search_evidence,
)
from tarot_sim.rules import Contract, Rules
from tarot_sim.rules.auction import callable_cards
from tarot_sim.rules.chavey import chavey_count
from tarot_sim.solver._solver import Solver
from tarot_sim.solver.limit import Limit
from tarot_sim.solver.objectives import MARGIN, VALUE
from tarot_sim.solver.widths import Widths
from tarot_sim.worlds._sampler import sample_worlds
from tarot_sim.worlds.batch import Deals
from tarot_sim.worlds.contract_deals import TAKER, contract_deals

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

FOLDER: Final = Path(__file__).parent.parent / "build"
#: Chavey's counts between which hands are drawn: below they pass, above all is made.
COUNTS: Final = {3: (55, 98), 4: (38, 86), 5: (16, 64)}
#: From this count on hands take the contracts without the dog too.
WITHOUT_DOG: Final = {3: 80, 4: 60, 5: 40}
SEEDS: Final = {3: 773, 4: 777, 5: 775}
HANDS: Final = {3: 120, 4: 240, 5: 240}
#: Further hands, which take a contract without the dog, and the least count of these.
MORE_HANDS: Final = {3: 40, 4: 120, 5: 60}
MORE_FROM: Final = {3: 64, 4: 46, 5: 24}
WORLDS: Final = 8
#: Nodes of an exact answer, and of a margin.
MAKE_NODES: Final = {3: 3_000_000, 4: 6_000_000, 5: 4_000_000}
MARGIN_NODES: Final = 600_000
#: What stands in for an exact answer.
WIDE: Final = {3: Widths(3, 2, 3, 2), 4: Widths(3, 2, 4, 2), 5: Widths(3, 2, 3, 2)}
WIDE_NODES: Final = 2_000_000
RIDGE: Final = 2.0
#: What the package is shipped with.
SHIPPED: Final = Path(calibration.__file__).with_suffix(".json")


def hands(players: int) -> Iterator[tuple[int, Hand, Contract]]:
    """Yield the number, the cards and the contract of each hand."""
    rng = np.random.default_rng(SEEDS[players])
    rules = Rules(players=players)
    for number in range(HANDS[players] + MORE_HANDS[players]):
        more = number >= HANDS[players]
        low, high = COUNTS[players]
        low = MORE_FROM[players] if more else low
        # Multiples of the golden section spread evenly.
        wanted = low + (high - low) * (number * 0.618034 % 1)
        while True:
            hand = Hand(rng.permutation(78)[: rules.hand_size].tolist())
            if abs(chavey_count(hand).total - wanted) <= 1 and not hand.is_petit_sec():
                break
        contracts: tuple[Contract, ...] = ("garde", "garde_sans", "garde_contre")
        place = number % 3 if wanted >= WITHOUT_DOG[players] else 0
        yield number, hand, contracts[1 + number % 2 if more else place]


def deals_of_hand(players: int, number: int, hand: Hand, contract: Contract) -> Deals:
    """Return the worlds of a hand."""
    rules = Rules(players=players)
    called = None
    if players == 5:
        others = [card for card in callable_cards(hand, rules) if card not in hand]
        called = others[number % len(others)] if others else callable_cards(hand, rules)[0]
    worlds = sample_worlds(hand, TAKER, rules, WORLDS, np.random.PCG64DXSM(10_000 + number))
    leaders = (np.arange(WORLDS) % players).astype(np.uint8)
    discard = partial(stored_discard, rules=rules, called=called)
    return contract_deals(worlds, rules, contract, leaders, called=called, discard=discard)


def answered(players: int, number: int, hand: Hand, contract: Contract) -> list[dict[str, Any]]:
    """Return what is found of each world of a hand."""
    deals = deals_of_hand(players, number, hand, contract)
    solver, wide, rows = Solver(1 << 29), Evaluator(1 << 27), []
    for row in range(len(deals)):
        position = deals.position(row)
        solver.clear()
        made, nodes = solver.at_least(position, MARGIN, 0, limit=Limit(nodes=MAKE_NODES[players]))
        exact = made is not None
        if made is None:
            one = deals[np.array([row])]
            answer, _ = wide.reaches(one, MARGIN, 0, WIDE[players], WIDE_NODES)
            made = bool(answer[0]) if answer[0] >= 0 else None
        rows.append(
            {
                "hand": number,
                "cards": str(hand),
                "contract": contract,
                "world": row,
                "made": made,
                "exact": exact,
                "nodes": nodes,
            }
        )
    return rows


def collect(players: int, jobs: int) -> list[dict[str, Any]]:
    """Return the answers of all hands, and keep them."""
    path = FOLDER / f"judge-{players}.jsonl"
    known = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    done = {row["hand"] for row in known if row["world"] == WORLDS - 1}
    known = [row for row in known if row["hand"] in done]
    planned = HANDS[players] + MORE_HANDS[players]
    todo = [] if len(done) == planned else list(hands(players))
    todo = [item for item in todo if item[0] not in done]
    FOLDER.mkdir(exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in known))
    with path.open("a") as out:
        for rows in Parallel(n_jobs=jobs, prefer="threads", return_as="generator")(
            delayed(answered)(players, *item) for item in todo
        ):
            out.writelines(json.dumps(row) + "\n" for row in rows)
            out.flush()
            known += rows
    return known


def fit_logit(evidence: NDArray[Any], made: NDArray[Any]) -> NDArray[Any]:
    """Return the weights of a ridge logistic regression, the constant first."""
    scale, sign = _scale(evidence), 2 * made - 1

    def loss(weights: NDArray[Any]) -> tuple[float, NDArray[Any]]:
        logits = sign * (evidence / scale @ weights)
        pull = -sign / (1 + np.exp(logits))
        ridge = RIDGE * np.r_[0, weights[1:]]
        return (
            float(np.logaddexp(0, -logits).sum() + ridge @ weights / 2),
            pull @ (evidence / scale) + ridge,
        )

    weights: NDArray[Any] = minimize(loss, np.zeros(evidence.shape[1]), jac=True).x / scale
    return weights


def fit_margin(evidence: NDArray[Any], margins: NDArray[Any]) -> NDArray[Any]:
    """Return the weights of a ridge linear regression, the constant first."""
    scale = _scale(evidence)
    scaled = evidence / scale
    ridge = RIDGE * np.diag(np.r_[0, np.ones(evidence.shape[1] - 1)])
    weights: NDArray[Any] = np.linalg.solve(scaled.T @ scaled + ridge, scaled.T @ margins) / scale
    return weights


def _scale(evidence: NDArray[Any]) -> NDArray[Any]:
    scale: NDArray[Any] = evidence.std(axis=0)
    scale[scale == 0] = 1
    return scale


def main() -> None:
    """Collect, fit, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("players", type=int)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    players = options.players
    answers = {(row["hand"], row["world"]): row for row in collect(players, options.jobs)}
    evaluator, wide = Evaluator(NARROW_TABLE), Evaluator(1 << 26)
    evidence: dict[Stage, list[Evidence]] = {"forecast": [], "fast": [], "cascade": []}
    methods: tuple[Literal["fast", "cascade"], ...] = ("fast", "cascade")
    made: list[int] = []
    margins: list[float] = []
    numbers: list[int] = []
    asked = {row["hand"]: (row["cards"], row["contract"]) for row in answers.values()}
    for number, (cards, contract) in sorted(asked.items()):
        deals = deals_of_hand(players, number, Hand(cards), contract)
        policy = evaluator.policy(deals)
        base = evidence_of(deals, policy, TAKER)
        evidence["forecast"].append(base)
        for method in methods:
            more, _ = search_evidence(evaluator, deals, policy, METHODS[method])
            evidence[method].append(base | more)
        guesses = margins_of(policy).astype(np.int16)
        ends, bounds, _ = wide.values(deals, VALUE, guesses, WINDOW_WIDTHS, MARGIN_NODES)
        ended = bounds[:, 0] == bounds[:, 1]
        margins += np.where(ended, margins_of(ends), np.nan).tolist()
        for row in range(len(deals)):
            answer = answers[number, row]
            made.append(-1 if answer["made"] is None else int(answer["made"]))
            numbers.append(number)
    truth, values, hand_of = np.array(made), np.array(margins), np.array(numbers)
    known, valued = truth >= 0, ~np.isnan(values)
    garde = np.array([asked[number][1] == "garde" for number in numbers])
    exact = np.mean([answer["exact"] for answer in answers.values()])
    print(
        f"{len(truth)} worlds, {known.mean():.3f} with an answer ({exact:.3f} exact), "
        f"{truth[known].mean():.3f} of them made; {valued.sum()} margins"
    )
    fits, margin_sd = [], 0.0
    for stage, parts in evidence.items():
        rows = np.concatenate([part.values for part in parts])
        tests, errors = np.zeros(len(rows)), np.zeros(len(rows))
        for fold in range(5):
            test = hand_of % 5 == fold
            weights = fit_logit(rows[known & ~test], truth[known & ~test])
            tests[test] = 1 / (1 + np.exp(-rows[test] @ weights))
            slopes = fit_margin(rows[valued & ~test], values[valued & ~test])
            errors[test] = rows[test] @ slopes - values[test]
        print(
            f"{stage}, on hands left out: right side {((tests > 0.5) == truth)[known].mean():.4f}, "
            f"Brier {np.mean((tests - truth)[known] ** 2):.4f}, "
            f"bias {np.mean((tests - truth)[known]):+.4f}; "
            f"margin: error {np.abs(errors[valued]).mean():.2f} half points, standard deviation "
            f"{errors[valued].std():.2f}; "
            f"a Garde: {own_error(tests[garde], truth[garde], hand_of[garde])}; "
            f"without the dog: {own_error(tests[~garde], truth[~garde], hand_of[~garde])}"
        )
        # Of the last stage, ``cascade``: what `calibration.json` holds.
        margin_sd = float(errors[valued].std())
        fits.append(
            {
                "stage": stage,
                "players": players,
                "made_by": made_by(players) | {"hands": len(asked), "worlds": len(truth)},
                "p_make": named(parts[0].names, fit_logit(rows[known], truth[known])),
                "margin": named(parts[0].names, fit_margin(rows[valued], values[valued])),
            }
        )
    if options.write:
        write(players, fits, margin_sd)
    else:
        print(json.dumps(fits, indent=1))


def named(names: tuple[str, ...], weights: NDArray[Any]) -> dict[str, float]:
    """Return weights by the names of their columns, to four digits."""
    return {
        name: float(f"{weight:.4g}") for name, weight in zip(names, weights.tolist(), strict=True)
    }


def made_by(players: int) -> dict[str, Any]:
    """Return how numbers come about that are found now."""
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"],
        capture_output=True, text=True, check=True, cwd=Path(__file__).parent,
    ).stdout.strip()  # fmt: skip
    return {
        "command": f"python -m benchmarks.calibration.fit_judge {players}",
        "date": date.today().isoformat(),
        "commit": commit,
    }


def write(players: int, fits: list[dict[str, Any]], margin_sd: float) -> None:
    """Put the fits of a table in the place of those that the package is shipped with."""
    document = json.loads(SHIPPED.read_text("utf-8"))
    document["evidence_version"] = EVIDENCE_VERSION
    others = [fit for fit in document["fits"] if fit["players"] != players]
    document["fits"] = sorted([*others, *fits], key=lambda fit: int(fit["players"]))
    document["margin_sd"]["values"][str(players)] = round(margin_sd, 2)
    document["margin_sd"]["made_by"] |= {
        key: value for key, value in made_by(players).items() if key != "command"
    }
    SHIPPED.write_text(json.dumps(document, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
