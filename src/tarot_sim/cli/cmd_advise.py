"""``tarot-sim advise``: what the player to act should do, from what that seat may know."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Final

import click

from tarot_sim.cards import Card
from tarot_sim.cli.choices import fact_line, option_shown
from tarot_sim.cli.options import file_argument, output_options, seed_option
from tarot_sim.cli.output import Output, decimals, signed
from tarot_sim.cli.reading import read_text
from tarot_sim.cli.values import Count, Decimal
from tarot_sim.messages import text

if TYPE_CHECKING:
    from tarot_sim.bots.advising import Advice
    from tarot_sim.bots.player import Decision, Option


#: Worlds of the search where nothing is said of them.
_WORLDS: Final = 400


@click.command("advise", help=text("advise.help"))
@file_argument
@click.option("--bot", "bot_name", default="search", show_default=True, help=text("advise.bot"))
@click.option("--seat", type=Count(min=0), help=text("advise.seat"))
@click.option("--worlds", type=Count(min=2), help=text("advise.worlds"))
@click.option("--time", "seconds", type=Decimal(min=0), help=text("advise.time"))
@seed_option()
@output_options
def command(
    file: str,
    bot_name: str,
    seat: int | None,
    worlds: int | None,
    seconds: float | None,
    seed: int,
    out: Output,
) -> None:
    """Advise who acts next in the deal of a file."""
    from tarot_sim.bots import make
    from tarot_sim.bots.advising import advise
    from tarot_sim.deals.formats.record import parse_json
    from tarot_sim.deals.view_records import view_of_record

    started = time.monotonic()
    view = view_of_record(parse_json(read_text(file)), seat)
    bot = make(_with_options(bot_name, worlds, seconds), seed)
    advice = advise(view, bot)
    spent = time.monotonic() - started
    if out.json:
        out.document(_document(advice, bot.name, spent))
        return
    _show(advice, out)
    out.note(
        text(
            "advise.effort", worlds=advice.decision.worlds, bot=bot.name, seconds=decimals(spent, 2)
        )
    )


def _with_options(name: str, worlds: int | None, seconds: float | None) -> str:
    """Return the bot's name with the options of the command line in it."""
    options = [
        f"{option}={value:g}"
        for option, value in (("worlds", worlds), ("time", seconds))
        if value is not None
    ]
    if not options and name == "search":
        # Nobody waits for a twentieth of a second, and errors are a third of those of a match.
        options = [f"worlds={_WORLDS}"]
    if not options:
        return name
    return name + ("," if ":" in name else ":") + ",".join(options)


def _name(option: object) -> str:
    return option.name if isinstance(option, Card) else str(option)


def _values(option: Option[Any]) -> dict[str, float | None]:
    return {"p_make": option.p_make, "mean_score": option.mean_score, "se": option.se}


def _document(advice: Advice, bot: str, seconds: float) -> dict[str, Any]:
    decision = advice.decision
    document: dict[str, Any] = {
        "player": advice.seat,
        "phase": advice.phase,
        "best": _name(decision.best),
        "options": [
            {"option": _name(option.option), **_values(option), "behind": option.behind}
            for option in decision.options
        ],
    }
    if advice.phase == "play":
        document["cards"] = {_name(option.option): _values(option) for option in decision.options}
        document["poignee"] = advice.poignee
        document["chelem"] = advice.chelem
        document["known"] = advice.known
    return {
        **document,
        "reason": decision.reason,
        "deciding": _deciding(decision),
        "worlds": decision.worlds,
        "bot": bot,
        "seconds": seconds,
    }


def _deciding(decision: Decision[Any]) -> dict[str, Any] | None:
    fact = decision.deciding
    if fact is None:
        return None
    return {
        "rival": _name(decision.rival),
        "seat": fact.seat,
        "holds": None if fact.card is None else fact.card.name,
        "lacks": None if fact.suit is None else "PCKTA"[fact.suit],
        "share": fact.share,
        "gain": fact.gain,
        "otherwise": fact.otherwise,
    }


def _show(advice: Advice, out: Output) -> None:
    decision = advice.decision
    out.line(
        text(f"advise.{advice.phase}", seat=advice.seat, best=option_shown(decision.best, out))
    )
    if advice.chelem:
        out.line(text("advise.chelem"))
    if advice.poignee is not None:
        out.line(text("advise.poignee", level=text(f"poignee.{advice.poignee}")))
    if decision.reason:
        out.line(text(f"advise.reason_{decision.reason}"))
    if decision.deciding is not None:
        out.line(fact_line(decision, out))
    _show_known(advice.known, out)
    if any(option.mean_score is not None for option in decision.options):
        out.line()
        out.table(
            (
                text("advise.option"),
                " " + text("advise.made"),
                " " + text("advise.score"),
                " " + text("advise.error"),
                " " + text("advise.behind"),
            ),
            [_row(option, out) for option in decision.options],
        )


def _row(option: Option[Any], out: Output) -> tuple[str, ...]:
    made = "" if option.p_make is None else f"{decimals(100 * option.p_make)} %"
    score = "" if option.mean_score is None else signed(round(option.mean_score))
    error = "" if option.se is None else f"± {decimals(option.se, 0)}"
    near = option.behind is None or abs(option.behind) < 0.5
    behind = "" if near else decimals(option.behind or 0, 0)
    return (option_shown(option.option, out), made, score, error, behind)


def _show_known(known: dict[str, Any], out: Output) -> None:
    for seat, suits in known.get("voids", {}).items():
        names = ", ".join(text(f"suit.{letter.lower()}") for letter in suits)
        out.line(text("advise.void", seat=seat, suits=names))
    for seat, highest in known.get("no_trump_above", {}).items():
        out.line(text("advise.ceiling", seat=seat, trump=highest))
