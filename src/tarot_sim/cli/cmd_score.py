"""``tarot-sim score``: the marks of a result, without its cards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from functools import partial
from typing import Any

import click

from tarot_sim.cli.options import jsonl_option, output_options, players_option, rules_option
from tarot_sim.cli.output import Output, signed
from tarot_sim.cli.reading import answer_lines
from tarot_sim.cli.values import Count, Named
from tarot_sim.errors import ScoreError, raise_all
from tarot_sim.messages import text
from tarot_sim.rules import Rules
from tarot_sim.rules.names import (
    CAMP_NAMES,
    CHELEM_NAMES,
    CONTRACT_NAMES,
    MISERE_NAMES,
    POIGNEE_NAMES,
    YES_OR_NO,
)
from tarot_sim.rules.scoring import Score, score

_NEEDED = ("contract", "points", "bouts")
_FIELDS = ("players", *_NEEDED, "petit_au_bout", "poignees", "chelem", "alone", "miseres")


@click.command("score", help=text("score.help"))
@click.argument("file", metavar="[FILE]", required=False)
@players_option
@click.option("--contract", type=Named(CONTRACT_NAMES))
@click.option("--points", help=text("score.points"))
@click.option("--bouts", type=Count(), help=text("score.bouts"))
@click.option(
    "--petit-au-bout",
    type=Named(CAMP_NAMES),
    help=text("score.petit"),
)
@click.option(
    "--poignee",
    "poignees",
    type=Named(POIGNEE_NAMES),
    multiple=True,
    help=text("score.poignee"),
)
@click.option(
    "--chelem",
    type=Named(CHELEM_NAMES),
    metavar="NAME",  # the names in a row would be wider than a page
    help=text("score.chelem", names=", ".join(CHELEM_NAMES.names)),
)
@click.option(
    "--misere",
    "miseres",
    type=Named(MISERE_NAMES),
    multiple=True,
    help=text("score.misere"),
)
@click.option("--alone", is_flag=True, help=text("score.alone"))
@jsonl_option
@rules_option
@output_options
def command(file: str | None, jsonl: bool, rules: Rules | None, out: Output, **result: Any) -> None:
    """Print the score of a result, or with ``--jsonl`` those of the lines of a file."""
    if jsonl:
        if file is None:
            raise click.UsageError("Missing argument 'FILE'.")
        answer_lines(file, out, partial(_score_line, rules))
        return
    if file is not None:
        raise click.UsageError(f"Got unexpected extra argument ({file}); FILE goes with --jsonl")
    for name in _NEEDED:
        if result[name] is None:
            raise click.UsageError(f"Missing option '--{name}'.")
    answer = score(**result, rules=rules)
    house = {} if rules is None else rules.house
    if out.json:
        out.document(_document(answer, house))
    else:
        _show(answer, out)
        out.house(house)


def _show(answer: Score, out: Output) -> None:
    key = "score.made" if answer.made else "score.failed"
    out.line(text(key, target=answer.target, difference=answer.difference))
    out.line(text("score.taker", score=signed(answer.taker)))
    if answer.partner is not None:
        out.line(text("score.partner", score=signed(answer.partner)))
    out.line(text("score.defender", score=signed(answer.defender)))


def _document(answer: Score, house: Mapping[str, int | str]) -> dict[str, Any]:
    fields = asdict(answer)
    scores = {role: fields.pop(role) for role in ("taker", "partner", "defender")}
    return {**fields, "scores": scores, **({"house": house} if house else {})}


def _score_line(rules: Rules | None, line: str) -> dict[str, Any]:
    """Return the score of a line, a result with the options' names or a played deal."""
    from tarot_sim.deals.formats.record import parse_json

    result = parse_json(line)
    if isinstance(result, dict) and "hands" in result:
        return _of_deal(result, rules)
    answer = _score_of(result, rules)
    return _document(answer, {} if rules is None else rules.house)


def _score_of(result: Any, rules: Rules | None) -> Score:
    from tarot_sim.deals.fields import check_keys

    if not isinstance(result, dict):
        raise ScoreError("expected an object")
    check_keys(result, ("schema", *_FIELDS))
    missing = [ScoreError(f"{name}: missing") for name in _NEEDED if name not in result]
    if missing:
        raise_all(missing)
    fields = {name: result[name] for name in _FIELDS if name in result}
    alone = YES_OR_NO.find(fields.get("alone"))
    if alone is not None:
        fields["alone"] = alone == "yes"
    return score(**fields, rules=rules)


def _of_deal(record: dict[str, Any], rules: Rules | None) -> dict[str, Any]:
    from tarot_sim.deals.deal import Deal
    from tarot_sim.deals.replaying import replay

    deal = Deal.from_dict(record, rules=rules)
    answer = replay(deal).score
    if answer is None:
        raise ScoreError("plays: the deal is not played out under a contract")
    return _document(answer, deal.rules.house)
