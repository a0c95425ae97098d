"""How `chances`, `discard` and `call` tell of chelems, and whether to announce one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tarot_sim.cli.output import Output, signed
from tarot_sim.messages import text

if TYPE_CHECKING:
    from tarot_sim.estimation.answers import ContractChances
    from tarot_sim.estimation.ranking import Candidate

#: Chelems that are rarer are not worth a line.
WORTH_A_LINE: Final = 0.05


def show_chelems(row: ContractChances | Candidate[Any], out: Output) -> None:
    """Say whether the chelem is better announced, and how often the defence makes it.

    Nothing where hardly any deal is one.
    """
    if row.announce_chelem or row.p_chelem >= WORTH_A_LINE:
        key = "announce" if row.announce_chelem else "keep_quiet"
        share, gain = round(100 * row.p_chelem), signed(round(row.announce_gain))
        out.line(text(f"chelem.{key}", share=share, gain=gain))
    if row.p_chelem_defence >= WORTH_A_LINE:
        out.line(text("chelem.of_defence", share=round(100 * row.p_chelem_defence)))
