"""How `discard` and `call` show their rankings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tarot_sim.cli.output import Output, signed
from tarot_sim.messages import text

if TYPE_CHECKING:
    from collections.abc import Callable

    from tarot_sim.estimation.ranking import Choice, Ranking


#: Candidates in the table; JSON has all.
SHOWN: Final = 10


def show_ranking(
    ranking: Ranking[Choice], out: Output, header: str, name: Callable[[Choice], str]
) -> None:
    """Print a ranking: `header` names its first column."""
    out.line(out.hand(ranking.hand))
    if ranking.dog is not None:
        out.line(out.hand(ranking.dog))
    out.line()
    out.table(
        (
            header,
            " " + text("chances.made"),
            " " + text("choices.interval"),
            " " + text("chances.mean"),
            " " + text("choices.behind"),
            " " + text("chances.error"),
            " " + text("discard.worlds_judged"),
        ),
        [
            (
                name(row.choice),
                f"{100 * row.p_make:.1f} %",
                f"{100 * row.ci95[0]:.1f} – {100 * row.ci95[1]:.1f} %",
                signed(round(row.mean_score)),
                "" if row.choice == ranking.best else str(round(row.behind)),
                "" if row.choice == ranking.best else f"± {row.error_behind:.0f}",
                str(row.worlds),
            )
            for row in ranking.candidates[:SHOWN]
        ],
    )
    out.note(text("choices.model", seconds=f"{ranking.seconds:.1f}"))
