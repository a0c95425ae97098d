"""``tarot-sim solve``: what a position is worth with all hands in view."""

from __future__ import annotations

from typing import Any

import click

from tarot_sim.cli.common import (
    Output,
    answer_deals,
    file_argument,
    jsonl_option,
    output_options,
    rules_option,
    signed,
)
from tarot_sim.deals.deal import Deal
from tarot_sim.errors import RecordError
from tarot_sim.messages import text
from tarot_sim.rules import Rules


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
@click.option("--all", "every_card", is_flag=True, help=text("solve.all"))
@click.option("--line", is_flag=True, help=text("solve.line_option"))
@click.option("--chelem", is_flag=True, help=text("solve.chelem_option"))
@click.option("--time", "seconds", type=click.FloatRange(min=0), help=text("solve.time"))
@click.option("--nodes", type=click.IntRange(min=0), help=text("solve.nodes"))
@jsonl_option
@rules_option
@output_options
def command(
    file: str,
    objective: Any,
    make_only: bool,
    every_card: bool,
    line: bool,
    chelem: bool,
    seconds: float | None,
    nodes: int | None,
    jsonl: bool,
    rules: Rules | None,
    out: Output,
) -> None:
    """Solve the deals of a file."""
    from tarot_sim.solver._solver import Solver
    from tarot_sim.solver.objectives import Stakes
    from tarot_sim.solver.solving import Solution, solve

    solver = Solver()

    def answer(deal: Deal) -> Solution:
        stakes = None
        if objective == "score":
            if deal.contract is None:
                raise RecordError("contract: missing, and the objective is a score")
            stakes = Stakes(
                deal.contract, tuple(shown.level for shown in deal.poignees), deal.chelem
            )
        return solve(
            deal.position(),
            objective,
            stakes=stakes,
            make_only=make_only,
            cards=every_card,
            line=line,
            chelem=chelem,
            nodes=nodes,
            seconds=seconds,
            solver=solver,
        )

    def show(_deal: Deal, solution: Solution) -> None:
        shown = solution.to_dict()
        if not make_only:
            low, high = shown["bounds"]
            if shown["value"] is None:
                if objective != "points":
                    low, high = signed(low), signed(high)
                out.line(text(f"solve.{objective}_open", low=low, high=high))
            elif objective == "points":
                out.line(text("solve.points", value=low))
            else:
                out.line(text(f"solve.{objective}", value=signed(low)))
        key = {True: "made", False: "fails", None: "open"}[solution.make]
        out.line(text(f"solve.{key}"))
        for camp, possible in (solution.chelem or {}).items():
            answer = {True: "possible", False: "impossible", None: "undecided"}[possible]
            out.line(text(f"solve.chelem_{camp}", answer=text(f"solve.{answer}")))
        if solution.best is not None:
            out.line(text("solve.best", card=out.card(solution.best)))
        if solution.cards is not None:
            out.table(
                (text("solve.card"), " " + text("solve.value")),
                [(out.card(card), str(shown["cards"][card.name])) for card in solution.cards],
            )
        if solution.line is not None:
            out.line(text("solve.line", cards=out.cards(solution.line)))
        out.note(text("solve.effort", nodes=solution.nodes, seconds=f"{solution.seconds:.2f}"))

    answer_deals(file, out, answer, jsonl=jsonl, rules=rules, document=Solution.to_dict, show=show)
