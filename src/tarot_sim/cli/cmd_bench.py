"""``tarot-sim bench``: the node signature and the speeds of this machine."""

from __future__ import annotations

import click

from tarot_sim.cli.options import output_options
from tarot_sim.cli.output import Output
from tarot_sim.messages import text


@click.command("bench", help=text("bench.help"))
@output_options
def command(out: Output) -> None:
    """Measure and print."""
    from tarot_sim.bench import measure

    speeds = measure()
    if out.json:
        out.document(speeds.to_dict())
        return
    out.line(text("bench.nodes", nodes=speeds.nodes))
    for players, ns in speeds.playout_ns_per_card.items():
        out.line(text("bench.playout", players=players, ns=f"{ns:.1f}"))
    out.line(text("bench.policy", rate=f"{speeds.policy_deals_per_s:,.0f}"))
    for cards, times in speeds.solve.items():
        out.line(
            text(
                "bench.solve",
                cards=cards,
                make=f"{times['make_ms']:.3f}",
                value=f"{times['value_ms']:.3f}",
            )
        )
