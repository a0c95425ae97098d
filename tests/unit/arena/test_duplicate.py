"""Matches: the same for every number of jobs and every interruption; gains as defined."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from tarot_sim.arena.duplicate import Gain, Pair, Plan, Rating, enough, play_deal, ratings
from tarot_sim.arena.running import run_match
from tarot_sim.deals.deal import Deal
from tarot_sim.errors import OptionError
from tarot_sim.rules import Rules

PLAN = Plan("rules", "random", Rules(), 1)


@pytest.mark.parametrize("players", [3, 4, 5])
def test_a_bot_gains_nothing_over_itself(players: int) -> None:
    plan = Plan("rules", "rules", Rules(players=players), 1)
    for number in range(3):
        assert play_deal(plan, number).mean == 0


def test_gains_are_differences_of_scores() -> None:
    result = play_deal(PLAN, 3)
    assert len(result.gains) == 2
    assert len(result.records) == 2 + 4 + 4
    for record in result.records:
        Deal.from_dict(record)
    assert result == play_deal(PLAN, 3)


def test_jobs_and_interruptions_change_nothing(tmp_path: Path) -> None:
    alone = run_match(PLAN, 25)
    assert run_match(PLAN, 25, n_jobs=2) == alone
    run_match(PLAN, 7, folder=tmp_path)
    (file,) = tmp_path.iterdir()
    whole = file.read_text("utf-8")
    file.write_text(whole[:-100], "utf-8")  # the disk was full
    assert run_match(PLAN, 25, folder=tmp_path) == alone
    lines = [json.loads(line) for line in file.read_text("utf-8").splitlines() if _is_json(line)]
    assert sorted(row["number"] for row in lines[1:]) == list(range(25))


def _is_json(line: str) -> bool:
    try:
        json.loads(line)
    except ValueError:
        return False
    return True


def test_a_folder_of_another_match_is_refused(tmp_path: Path) -> None:
    run_match(PLAN, 1, folder=tmp_path)
    with pytest.raises(OptionError, match="holds another match"):
        run_match(Plan("rules", "random", Rules(), 2), 1, folder=tmp_path)


def test_it_stops_when_it_is_precise_enough() -> None:
    pair = run_match(PLAN, 1000, precision=1000.0)
    assert pair.gain.n == 100
    assert enough([play_deal(PLAN, 0)] * 100, 1.0)
    assert not enough([play_deal(PLAN, 0)] * 99, 1.0)


def test_mean_and_error() -> None:
    gain = Gain.of([1.0, 2.0, 3.0, 6.0])
    assert (gain.mean, gain.n) == (3.0, 4)
    assert gain.se == pytest.approx(math.sqrt((4 + 1 + 0 + 9) / 3 / 4))


def test_ratings_of_three() -> None:
    """A is 10 above B, B 20 above C, A 30 above C: +13.3, +3.3, −16.7."""
    pairs = [
        Pair(a, b, Gain(mean, 1.0, 100), {})
        for a, b, mean in (("A", "B", 10.0), ("B", "C", 20.0), ("A", "C", 30.0))
    ]
    rated = ratings(["A", "B", "C"], pairs)
    assert [r.bot for r in rated] == ["A", "B", "C"]
    assert [r.mean for r in rated] == pytest.approx([40 / 3, 10 / 3, -50 / 3])
    # Each difference of two is known twice: directly, and over the third.
    assert [r.se for r in rated] == pytest.approx([math.sqrt(2) / 3] * 3)
    assert isinstance(rated[0], Rating)


def test_ratings_of_one_deal() -> None:
    """Nothing is known of the error of a single deal: the ratings stand, their error does not."""
    pairs = [Pair("A", "B", Gain.of([12.0]), {})]
    rated = ratings(["A", "B"], pairs)
    assert [r.mean for r in rated] == pytest.approx([6.0, -6.0])
    assert [r.to_dict()["se"] for r in rated] == [None, None]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"deals": 0}, "deals: 0 is not 1 or more"),
        ({"deals": 1, "precision": 0.0}, "precision: 0.0 is not more than 0"),
    ],
)
def test_arguments_that_mean_nothing(arguments: dict[str, float], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        run_match(PLAN, **arguments)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="bot: 'x'"):
        Plan("x", "rules", Rules(), 1)
