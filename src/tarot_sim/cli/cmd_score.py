"""``tarot-sim score``: the marks of a result, without its cards."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import click

from tarot_sim.cli.options import jsonl_option, output_options, players_option
from tarot_sim.cli.output import Output, signed
from tarot_sim.cli.reading import read_lines
from tarot_sim.errors import ScoreError, field
from tarot_sim.messages import text
from tarot_sim.rules import CONTRACTS, POIGNEES
from tarot_sim.rules.scoring import CHELEMS, Score, score

_NEEDED = ("contract", "points", "bouts")
_FIELDS = ("players", *_NEEDED, "petit_au_bout", "poignees", "chelem", "alone")


@click.command("score", help=text("score.help"))
@click.argument("file", metavar="[FILE]", required=False)
@players_option
@click.option("--contract", type=click.Choice(CONTRACTS))
@click.option("--points", help=text("score.points"))
@click.option("--bouts", type=int, help=text("score.bouts"))
@click.option(
    "--petit-au-bout",
    type=click.Choice(("attack", "defence")),
    help=text("score.petit"),
)
@click.option(
    "--poignee",
    "poignees",
    type=click.Choice(tuple(POIGNEES)),
    multiple=True,
    help=text("score.poignee"),
)
@click.option(
    "--chelem",
    type=click.Choice(tuple(CHELEMS)),
    metavar="NAME",  # the names in a row would be wider than a page
    help=text("score.chelem", names=", ".join(CHELEMS)),
)
@click.option("--alone", is_flag=True, help=text("score.alone"))
@jsonl_option
@output_options
def command(file: str | None, jsonl: bool, out: Output, **result: Any) -> None:
    """Print the score of a result, or with ``--jsonl`` those of the lines of a file."""
    if jsonl:
        if file is None:
            raise click.UsageError("Missing argument 'FILE'.")
        _score_lines(file, out)
        return
    if file is not None:
        raise click.UsageError(f"Got unexpected extra argument ({file}); FILE goes with --jsonl")
    for name in _NEEDED:
        if result[name] is None:
            raise click.UsageError(f"Missing option '--{name}'.")
    answer = score(**result)
    if out.json:
        out.document(_document(answer))
    else:
        _show(answer, out)


def _show(answer: Score, out: Output) -> None:
    key = "score.made" if answer.made else "score.failed"
    out.line(text(key, target=answer.target, difference=answer.difference))
    out.line(text("score.taker", score=signed(answer.taker)))
    if answer.partner is not None:
        out.line(text("score.partner", score=signed(answer.partner)))
    out.line(text("score.defender", score=signed(answer.defender)))


def _document(answer: Score) -> dict[str, Any]:
    fields = asdict(answer)
    scores = {role: fields.pop(role) for role in ("taker", "partner", "defender")}
    return {**fields, "scores": scores}


def _score_lines(file: str, out: Output) -> None:
    """Print the score of each line, a result with the options' names or a played deal."""
    from tarot_sim.deals.formats.record import parse_json

    for number, line in enumerate(read_lines(file), 1):
        if not line.strip():
            continue
        with field(f"line {number}"):
            answer = _score_of(parse_json(line))
        out.document(_document(answer))


def _score_of(result: Any) -> Score:
    if not isinstance(result, dict):
        raise ScoreError("expected an object")
    if "hands" in result:
        return _played_score(result)
    for name in _NEEDED:
        if name not in result:
            raise ScoreError(f"{name}: missing")
    return score(**{name: result[name] for name in _FIELDS if name in result})


def _played_score(record: dict[str, Any]) -> Score:
    from tarot_sim.deals.deal import Deal
    from tarot_sim.deals.replaying import replay

    answer = replay(Deal.from_dict(record)).score
    if answer is None:
        raise ScoreError("plays: the deal is not played out under a contract")
    return answer
