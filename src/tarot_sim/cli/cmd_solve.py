"""``tarot-sim solve``: what a position is worth with all hands in view."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from tarot_sim.cli.options import file_argument, jsonl_option, output_options, rules_option
from tarot_sim.cli.output import Output, signed
from tarot_sim.cli.reading import answer_deals
from tarot_sim.deals.deal import Deal
from tarot_sim.errors import RecordError
from tarot_sim.messages import text
from tarot_sim.rules import Rules

if TYPE_CHECKING:
    from tarot_sim.solver.objectives import ObjectiveName, Stakes
    from tarot_sim.solver.solving import Solution


@click.command("solve", help=text("solve.help"))
@file_argument
@click.option(
    "--objective",
    type=click.Choice(["points", "margin", "score"]),
    default="margin",
    show_default=True,
    help=text("solve.objective"),
)
@click.option("--make", "make_only", is_flag=True, help=text("solve.make"))
@click.option("--all", "cards", is_flag=True, help=text("solve.all"))
@click.option("--line", is_flag=True, help=text("solve.line_option"))
@click.option("--chelem", is_flag=True, help=text("solve.chelem_option"))
@click.option("--time", "seconds", type=click.FloatRange(min=0), help=text("solve.time"))
@click.option("--nodes", type=click.IntRange(min=0), help=text("solve.nodes"))
@jsonl_option
@rules_option
@output_options
def command(
    file: str,
    objective: ObjectiveName,
    make_only: bool,
    jsonl: bool,
    rules: Rules | None,
    out: Output,
    **question: Any,
) -> None:
    """Solve the deals of a file."""
    from tarot_sim.solver._solver import Solver
    from tarot_sim.solver.solving import Solution, solve

    solver = Solver()

    def answer(deal: Deal) -> Solution:
        stakes = _stakes(deal) if objective == "score" else None
        return solve(
            deal.position(),
            objective,
            stakes=stakes,
            make_only=make_only,
            solver=solver,
            **question,
        )

    def show(_deal: Deal, solution: Solution) -> None:
        if not make_only:
            _show_value(solution, out)
        _show_contract(solution, out)
        _show_play(solution, out)
        out.note(text("solve.effort", nodes=solution.nodes, seconds=f"{solution.seconds:.2f}"))

    answer_deals(file, out, answer, jsonl=jsonl, rules=rules, document=Solution.to_dict, show=show)


def _stakes(deal: Deal) -> Stakes:
    """Return what the score of a deal hangs on besides the play."""
    from tarot_sim.solver.objectives import Stakes

    if deal.contract is None:
        raise RecordError("contract: missing, and the objective is a score")
    return Stakes(deal.contract, tuple(shown.level for shown in deal.poignees), deal.chelem)


def _show_value(solution: Solution, out: Output) -> None:
    """Say the value in card points or as a score, or between which two it is."""
    objective = solution.objective
    low, high = solution.to_dict()["bounds"]
    if objective != "points":
        low, high = signed(low), signed(high)
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
            [(out.card(card), str(values[card.name])) for card in solution.cards],
        )
    if solution.line is not None:
        out.line(text("solve.line", cards=out.cards(solution.line)))
