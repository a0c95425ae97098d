"""``tarot-sim deal``: random deals as records."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Literal

import click

from tarot_sim.cli.options import (
    CardsCommand,
    output_options,
    players_option,
    rules_option,
    seed_option,
)
from tarot_sim.cli.output import Output
from tarot_sim.cli.values import PETIT_SEC_NAMES, Count, Named
from tarot_sim.deals.conditions import DEFAULT_TRIES, Condition, deal_until
from tarot_sim.deals.deal import Deal
from tarot_sim.deals.dealing import Dealt, Draws, deal_physical, deal_uniform
from tarot_sim.deals.endings import random_ending
from tarot_sim.deals.patterns import Pattern, deal_matching
from tarot_sim.errors import field
from tarot_sim.messages import text
from tarot_sim.rules import Rules

_SEED_BITS = 32  # short enough to be typed again


@click.command("deal", cls=CardsCommand, help=text("deal.help"))
@click.option(
    "-n",
    "number",
    type=Count(min=0),
    default=1,
    show_default=True,
    help=text("deal.number"),
)
@click.option("--hand", "hands", metavar="CARDS", multiple=True, help=text("deal.hand"))
@click.option("--dog", metavar="CARDS", help=text("deal.dog"))
@click.option("--cards", type=Count(min=1), help=text("deal.cards"))
@players_option
@seed_option(default=None)
@click.option(
    "--petit-sec",
    type=Named(PETIT_SEC_NAMES),
    default=None,
    help=text("deal.petit_sec"),
)
@click.option("--condition", "wanted", metavar="EXPR", multiple=True, help=text("deal.condition"))
@click.option(
    "--tries",
    type=Count(min=1),
    default=DEFAULT_TRIES,
    show_default=True,
    help=text("deal.tries"),
)
@click.option("--physical", is_flag=True, help=text("deal.physical"))
@click.option(
    "--riffles",
    type=Count(min=0),
    default=3,
    show_default=True,
    help=text("deal.riffles"),
)
@rules_option
@output_options
def command(
    number: int,
    hands: tuple[str, ...],
    dog: str | None,
    cards: int | None,
    players: int,
    seed: int | None,
    petit_sec: Literal["cancel", "off"] | None,
    wanted: tuple[str, ...],
    tries: int,
    physical: bool,
    riffles: int,
    rules: Rules | None,
    out: Output,
) -> None:
    """Print random deals."""
    _check_together(
        {"--hand": hands, "--dog": dog, "--condition": wanted}, {"--cards": cards is not None}
    )
    _check_together({"--hand": hands, "--dog": dog}, {"--physical": physical})
    _check_together({"--cards": cards is not None}, {"--physical": physical})
    table = (rules or Rules()).with_players(players)
    if petit_sec is not None:
        table = replace(table, petit_sec=petit_sec)
    conditions = [Condition(expression, players) for expression in wanted]
    with field("hand"):
        patterns = dict(enumerate(map(Pattern.parse, hands)))
    with field("dog"):
        dog_pattern = None if dog is None else Pattern.parse(dog)
    if seed is None:
        seed = secrets.randbits(_SEED_BITS)
        out.note(text("deal.seed", seed=seed))
    draws = Draws(seed)
    records: Iterator[dict[str, Any]]
    if cards is not None:
        ending = partial(random_ending, cards, rules=table, rng=draws)
        records = (ending().to_dict() for _ in range(number))
    else:
        draw: Callable[[], Dealt] = partial(deal_uniform, table, draws)
        if physical:
            draw = partial(deal_physical, table, draws, riffles=riffles)
        elif hands or dog is not None:
            draw = partial(deal_matching, table, draws, patterns, dog_pattern)
        records = _records(number, table, draw, conditions, tries, out)
    if out.json and number != 1:
        out.document({"deals": list(records)})
        return
    for record in records:
        out.document(record)


def _check_together(first: Mapping[str, object], second: Mapping[str, object]) -> None:
    """Refuse options of which some of the first kind and some of the second were given."""
    for one, given in first.items():
        for other, given_too in second.items():
            if given and given_too:
                raise click.UsageError(f"{one} does not go with {other}")


def _records(
    number: int,
    table: Rules,
    draw: Callable[[], Dealt],
    conditions: Sequence[Condition],
    tries: int,
    out: Output,
) -> Iterator[dict[str, Any]]:
    """Yield the records of deals that meet the conditions, then tell how many do."""
    drawn = 0
    for _ in range(number):
        (hands, dog, dealer), count = deal_until(conditions, draw, tries)
        drawn += count
        yield Deal(table.players, dealer, hands, dog, rules=table).to_dict()
    if conditions:
        out.note(text("deal.met", number=number, drawn=drawn))
