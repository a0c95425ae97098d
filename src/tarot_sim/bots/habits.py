"""The weights by which players of habits choose their cards, a set for each table.

They are in ``habits.json``, with the command that fitted them; what each trait is, is said
where it is reckoned, in ``_habits.pxd``.
"""

from __future__ import annotations

import functools
import json
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tarot_sim.errors import OptionError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tarot_sim.rules import Rules

ROLES: Final = ("taker", "partner", "defender")
LEAD_TRAITS: Final = (
    "won_points",
    "lost_points",
    "wins",
    "master",
    "length",
    "out",
    "singleton",
    "taker_ruffs",
    "friend_ruffs",
    "foe_ruffs",
    "friends_suit",
    "foes_suit",
    "own_suit",
    "honour",
    "under_roi",
    "rank",
    "trump",
    "trump_surplus",
    "trump_rank",
    "trump_master",
    "trump_hunts",
    "petit",
    "21",
    "trumps_out",
    "excuse",
    "excuse_late",
    "called_suit",
    "trump_early",
    "master_late",
    "length_out",
    "through_taker",
    "to_taker",
    "trump_foes",
    "trump_friends_out",
)
PLAY_TRAITS: Final = (
    "won_points",
    "lost_points",
    "won_table",
    "wins",
    "master",
    "rank",
    "trump_rank",
    "ruff",
    "trumps_held",
    "trump_master",
    "21",
    "petit",
    "petit_wins",
    "overtakes_friend",
    "voids",
    "length",
    "bares_roi",
    "discards_honour",
    "discards_master",
    "discard_out",
    "excuse",
    "excuse_table",
    "excuse_early",
    "excuse_last",
    "petit_late",
    "holds_last",
    "friend_wins_points",
    "beats",
    "beats_last",
    "trump_above",
    "petit_out",
    "honour_unsure",
)
#: Columns of a block of weights; those that no trait has are 0.
WIDTH: Final = 48


@functools.cache
def _document() -> dict[str, Any]:
    text = files("tarot_sim.bots").joinpath("habits.json").read_text("utf-8")
    document: dict[str, Any] = json.loads(text)
    return document


def weights_of(table: dict[str, Any]) -> NDArray[np.float32]:
    """Return the weights of one table from their names.

    Parameters
    ----------
    table
        By role and by ``lead`` or ``play``, the weight of each trait.

    Returns
    -------
    numpy.ndarray
        float32 (6, 48): taker, partner, defender, each leading and following.

    Raises
    ------
    OptionError
        If a trait is missing or unknown.
    """
    weights = np.zeros((2 * len(ROLES), WIDTH), np.float32)
    for number, role in enumerate(ROLES):
        for step, (kind, traits) in enumerate((("lead", LEAD_TRAITS), ("play", PLAY_TRAITS))):
            given = table[role][kind]
            if set(given) != set(traits):
                odd = sorted(set(given) ^ set(traits))
                raise OptionError(f"habits: {role}, {kind}: {', '.join(odd)}")
            weights[2 * number + step, : len(traits)] = [given[trait] for trait in traits]
    return weights


def named(weights: NDArray[np.float32]) -> dict[str, Any]:
    """Return weights by the names of their traits: the inverse of `weights_of`."""
    return {
        role: {
            kind: {
                trait: round(float(weight), 4)
                for trait, weight in zip(traits, weights[2 * number + step], strict=False)
            }
            for step, (kind, traits) in enumerate((("lead", LEAD_TRAITS), ("play", PLAY_TRAITS)))
        }
        for number, role in enumerate(ROLES)
    }


@functools.cache
def _weights(players: int) -> NDArray[np.float32]:
    weights = weights_of(_document()["weights"][str(players)])
    weights.flags.writeable = False
    return weights


def habits(rules: Rules) -> NDArray[np.float32]:
    """Return the shipped weights of a table, float32 (6, 48), read-only."""
    return _weights(rules.players)


def thresholds(rules: Rules) -> dict[str, int]:
    """Return the Chavey count from which each contract is bid at a table."""
    found: dict[str, int] = _document()["bids"][str(rules.players)]
    return found
