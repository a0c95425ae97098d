"""``tarot-sim play``: a person plays whole deals against bots at the terminal."""

from __future__ import annotations

import secrets
from dataclasses import fields
from typing import TYPE_CHECKING, Any, Final

import click

from tarot_sim.cli.options import output_options, players_option, seed_option
from tarot_sim.cli.output import Output
from tarot_sim.cli.values import Count
from tarot_sim.messages import text

if TYPE_CHECKING:
    from tarot_sim.arena.evening import Evening
    from tarot_sim.arena.review import Review
    from tarot_sim.arena.session import Session

_SEED_BITS: Final = 32  # short enough to be typed again


@click.command("play", help=text("play.help"))
@players_option
@click.option("--seat", type=Count(min=0), default=0, show_default=True, help=text("play.own_seat"))
@click.option(
    "--bots",
    "bot_names",
    metavar="NAME",
    multiple=True,
    default=("search",),
    help=text("play.bots"),
)
@click.option("--dealer", type=Count(min=0), help=text("play.dealer"))
@click.option("--deals", type=Count(min=1), default=1, show_default=True, help=text("play.deals"))
@click.option("--record", metavar="FILE", help=text("play.record"))
@seed_option(default=None)
@output_options
def command(
    players: int,
    seat: int,
    bot_names: tuple[str, ...],
    dealer: int | None,
    deals: int,
    record: str | None,
    seed: int | None,
    out: Output,
) -> None:
    """Play deals with a person at the terminal."""
    from tarot_sim.arena.evening import Evening
    from tarot_sim.cli.keeping import Keeper
    from tarot_sim.cli.table import Table
    from tarot_sim.rules import Rules

    bot_names = tuple(name for names in bot_names for name in _names_in(names))
    drawn = seed is None
    if seed is None:
        seed = secrets.randbits(_SEED_BITS)
    evening = Evening(Rules(players=players), seat, bot_names, seed=seed, dealer=dealer)
    talk = _aside(out) if out.json else out
    with Keeper(record) as keeper:
        if drawn:
            out.note(text("deal.seed", seed=seed))
        table = Table(evening, talk, keeper)
        told = []
        left = False
        while len(evening.played) < deals and not left:
            session, review = table.play_deal()
            left = not session.is_over
            if left or session.game.scores is not None:
                told.append(_told(session, review))
    if record is not None and not out.quiet:
        talk.line(text("play.kept", file=record))
    if out.json:
        out.document(_document(evening, seed, bot_names, told))


def _names_in(names: str) -> list[str]:
    """Return the bots of a list with commas, some of which may stand before a bot's option.

    Examples
    --------
    >>> _names_in("rules,search:worlds=10,time=0.1,random")
    ['rules', 'search:worlds=10,time=0.1', 'random']
    """
    found: list[str] = []
    for part in names.split(","):
        option, equals, _ = part.partition("=")
        if found and equals and ":" not in option:
            found[-1] += f",{part}"
        else:
            found.append(part.strip())
    return found


class _Aside(Output):
    """Talk at the table on standard error, where standard output is for the JSON document."""

    __slots__ = ()

    def line(self, line: str = "") -> None:
        """Print a line."""
        click.echo(line, err=True)


def _aside(out: Output) -> Output:
    values = {field.name: getattr(out, field.name) for field in fields(Output)}
    return _Aside(**{**values, "pretty": False})


def _told(session: Session, review: Review | None) -> dict[str, Any]:
    """Return what the JSON document says of a deal."""
    game = session.game
    told = {"record": session.record(), "scores": None if game.scores is None else [*game.scores]}
    if review is None:
        return {**told, "review": None}
    verdicts = [
        {
            "decision": verdict.choice.turn,
            "trick": verdict.trick,
            "chosen": str(verdict.choice.chosen),
            "better": str(verdict.better),
            "lost": verdict.lost,
            "error": verdict.error,
        }
        for verdict in review.verdicts
    ]
    return {**told, "review": {"lost": review.lost, "error": review.error, "decisions": verdicts}}


def _document(
    evening: Evening, seed: int, bots: tuple[str, ...], told: list[dict[str, Any]]
) -> dict[str, Any]:
    return {
        "players": evening.rules.players,
        "seat": evening.seat,
        "bots": list(bots),
        "seed": seed,
        "deals": told,
        "totals": list(evening.totals),
    }
