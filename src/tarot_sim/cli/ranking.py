"""How `discard` and `call` show their rankings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tarot_sim.cli.output import Output, decimals, signed
from tarot_sim.messages import text

if TYPE_CHECKING:
    from collections.abc import Callable

    from tarot_sim.estimation.ranking import Choice, Ranking


#: Candidates in the table; JSON has all.
SHOWN: Final = 10
#: What stands behind a candidate that was asked for.
_MARK: Final = " *"


def show_ranking(
    ranking: Ranking[Choice], out: Output, header: str, name: Callable[[Choice], str]
) -> None:
    """Print a ranking, the best ones and those asked for; `header` names its first column."""
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
                name(row.choice) + (_MARK if row.choice in ranking.asked else ""),
                f"{decimals(100 * row.p_make)} %",
                f"{decimals(100 * row.ci95[0])} – {decimals(100 * row.ci95[1])} %",
                signed(round(row.mean_score)),
                "" if row.choice == ranking.best else str(round(row.behind)),
                "" if row.choice == ranking.best else f"± {row.error_behind:.0f}",
                str(row.worlds),
            )
            for place, row in enumerate(ranking.candidates)
            if place < SHOWN or row.choice in ranking.asked
        ],
    )
    if ranking.asked:
        out.line(text("choices.asked", mark=_MARK.strip()))
    key = "choices.model_table" if ranking.model == "table" else "choices.model"
    out.note(text(key, seconds=decimals(ranking.seconds)))
