"""``tarot-sim solve``: what a position is worth with all hands in view."""

from __future__ import annotations

import math
import threading
import time
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import click

from tarot_sim.cli.options import (
    file_argument,
    jobs_option,
    jsonl_option,
    output_options,
    rules_option,
)
from tarot_sim.cli.output import Output, decimals, plain, signed
from tarot_sim.cli.progress import ticking
from tarot_sim.cli.reading import answer_deals
from tarot_sim.cli.values import OBJECTIVE_NAMES, Count, Decimal, Named
from tarot_sim.deals.deal import Deal
from tarot_sim.errors import RecordError
from tarot_sim.messages import text
from tarot_sim.rules import Rules

if TYPE_CHECKING:
    from collections.abc import Callable

    from tarot_sim.solver.objectives import ObjectiveName, Stakes
    from tarot_sim.solver.solving import Solution

#: Nodes of the first search that is shown, a fraction of a second, and what they grow by.
_FIRST_NODES: Final = 100_000
_GROWTH: Final = 3


@click.command("solve", help=text("solve.help"))
@file_argument
@click.option(
    "--objective",
    type=Named(OBJECTIVE_NAMES),
    default="margin",
    show_default=True,
    help=text("solve.objective"),
)
@click.option("--make", "make_only", is_flag=True, help=text("solve.make"))
@click.option("--all", "cards", is_flag=True, help=text("solve.all"))
@click.option("--line", is_flag=True, help=text("solve.line_option"))
@click.option("--chelem", is_flag=True, help=text("solve.chelem_option"))
@click.option("--time", "seconds", type=Decimal(min=0), help=text("solve.time"))
@click.option("--nodes", type=Count(min=0), help=text("solve.nodes"))
@jsonl_option
@jobs_option
@rules_option
@output_options
def command(
    file: str,
    objective: ObjectiveName,
    make_only: bool,
    jsonl: bool,
    n_jobs: int,
    rules: Rules | None,
    out: Output,
    **question: Any,
) -> None:
    """Solve the deals of a file."""
    from tarot_sim.solver._solver import Solver
    from tarot_sim.solver.solving import Solution, solve

    if make_only and (question["cards"] or question["line"]):
        raise click.UsageError("--make is a question of yes or no: not with --all or --line")
    budgeted = question["nodes"] is not None or question["seconds"] is not None
    patient = not (budgeted or jsonl) and out.shows_progress
    #: A table for each thread; deals of a thread that are alike share more of it.
    of_thread = threading.local()

    def answer(deal: Deal) -> Solution:
        stakes = _stakes(deal) if objective == "score" else None
        if not hasattr(of_thread, "solver"):
            of_thread.solver = Solver()
        ask = partial(
            solve,
            deal.position(),
            objective,
            stakes=stakes,
            make_only=make_only,
            solver=of_thread.solver,
            **question,
        )
        return _in_view(ask) if patient else ask()

    def show(_deal: Deal, solution: Solution) -> None:
        if not make_only:
            _show_value(solution, out)
        _show_contract(solution, out)
        _show_play(solution, out)
        out.note(text("solve.effort", nodes=solution.nodes, seconds=decimals(solution.seconds, 2)))

    answer_deals(
        file,
        out,
        answer,
        jsonl=jsonl,
        rules=rules,
        document=Solution.to_dict,
        show=show,
        n_jobs=n_jobs,
    )


def _in_view(ask: Callable[..., Solution]) -> Solution:
    """Ask with more and more nodes until the answer is exact, and show how far it is.

    The solver's table is kept from one to the next, so little is searched twice.
    """
    nodes, limit = 0, _FIRST_NODES
    bounds: tuple[float, float] | None = None

    def line(seconds: float) -> str:
        low, high = bounds or (-math.inf, math.inf)
        return text(
            "solve.progress",
            low="?" if bounds is None else plain(low),
            high="?" if bounds is None else plain(high),
            nodes=decimals(nodes, 0),
            seconds=decimals(seconds, 0),
        )

    started = time.monotonic()
    with ticking(line):
        while True:
            solution = ask(nodes=limit)
            nodes += solution.nodes
            low, high = solution.to_dict()["bounds"]
            bounds = (low, high) if bounds is None else (max(low, bounds[0]), min(high, bounds[1]))
            if solution.exact:
                return replace(solution, nodes=nodes, seconds=time.monotonic() - started)
            limit *= _GROWTH


def _stakes(deal: Deal) -> Stakes:
    """Return what the score of a deal hangs on besides the play."""
    from tarot_sim.solver.objectives import Stakes

    if deal.contract is None:
        raise RecordError("contract: missing, and the objective is a score")
    return Stakes(
        deal.contract,
        tuple(shown.level for shown in deal.poignees),
        deal.chelem,
        tuple(shown.kind for shown in deal.miseres),
        deal.rules,
    )


def _show_value(solution: Solution, out: Output) -> None:
    """Say the value in card points or as a score, or between which two it is."""
    objective = solution.objective
    low, high = solution.to_dict()["bounds"]
    low, high = map(plain if objective == "points" else signed, (low, high))
    if solution.value is None:
        out.line(text(f"solve.{objective}_open", low=low, high=high))
    else:
        out.line(text(f"solve.{objective}", value=low))


def _show_contract(solution: Solution, out: Output) -> None:
    """Say whether the contract is made, and each camp's chelem if that was asked for."""
    key = {True: "made", False: "fails", None: "open"}[solution.make]
    out.line(text(f"solve.{key}"))
    for camp, possible in (solution.chelem or {}).items():
        answer = {True: "possible", False: "impossible", None: "undecided"}[possible]
        out.line(text(f"solve.chelem_{camp}", answer=text(f"solve.{answer}")))


def _show_play(solution: Solution, out: Output) -> None:
    """Show the best card, and every card and a best line if that was asked for."""
    if solution.best is not None:
        out.line(text("solve.best", card=out.card(solution.best)))
    if solution.cards is not None:
        values = solution.to_dict()["cards"]
        out.table(
            (text("solve.card"), " " + text("solve.value")),
            [(out.card(card), plain(values[card.name])) for card in solution.cards],
        )
    if solution.line is not None:
        out.line(text("solve.line", cards=out.cards(solution.line)))
