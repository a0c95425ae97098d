"""What becomes of deals at a table: habits played out, and what a fit reads from them."""

from __future__ import annotations

import json
import re
from importlib.resources import files

import numpy as np
import pytest
from numpy.typing import NDArray

import tarot_sim as ts
from tarot_sim.bots.whole_deals import LEVELS, play_taken
from tarot_sim.cards import CARDS
from tarot_sim.errors import OptionError
from tarot_sim.estimation.calibration import CalibrationError
from tarot_sim.estimation.judge import Evidence, Judge, margins_of
from tarot_sim.estimation.plan import MODELS
from tarot_sim.estimation.table_play import (
    FORMAT,
    TableFit,
    ends_evidence,
    expect_table_play,
    habit_results,
    table_evidence,
    table_fit,
)
from tarot_sim.rules import Contract, Rules
from tarot_sim.worlds._sampler import sample_worlds
from tarot_sim.worlds.batch import Deals
from tarot_sim.worlds.contract_deals import contract_deals

DOCUMENT = json.loads(files("tarot_sim.estimation").joinpath("table_play.json").read_text("utf-8"))
TABLES = pytest.mark.parametrize("players", [3, 4, 5])
HANDS = {
    3: "A:21,19,16,14,11,10,8,7,5,1 P:R,D,6,5,2 C:C,10,4 K:R,4,3 T:V,9,8",
    4: "A:21,14,11,8,5,1 P:R,D,6 C:C,10,4 K:R,4,3 T:V,9,8",
    5: "A:21,14,11,8,5,1 P:R,D,6 C:C,10 K:4,3 T:V,9",
}


def worlds_of(players: int, n: int = 200) -> NDArray[np.uint8]:
    rules = Rules(players=players)
    bits = np.random.default_rng(players).bit_generator
    return sample_worlds(ts.Hand(HANDS[players]), 0, rules, n, bits)


def deals_of(
    players: int, contract: Contract, worlds: NDArray[np.uint8]
) -> tuple[Deals, int | None]:
    called = 41 if players == 5 else None
    leaders = (np.arange(len(worlds)) % players).astype(np.uint8)
    rules = Rules(players=players)
    card = None if called is None else CARDS[called]
    return contract_deals(worlds, rules, contract, leaders, called=card), called


@TABLES
@pytest.mark.parametrize("contract", ["garde", "garde_sans", "garde_contre"])
def test_habits_play_the_same_deal_as_in_whole_deals(players: int, contract: Contract) -> None:
    worlds = worlds_of(players)
    deals, called = deals_of(players, contract, worlds)
    taken = play_taken(
        worlds,
        np.zeros(len(worlds), np.int64),
        np.full(len(worlds), LEVELS[contract]),
        deals.leader,
        deals.rules,
        called=None if called is None else CARDS[called],
    )
    assert (habit_results(deals, worlds, called) == taken.results).all()


@TABLES
def test_what_is_expected_is_possible(players: int) -> None:
    worlds = worlds_of(players)
    contracts: tuple[Contract, ...] = ("garde", "garde_contre")
    for contract in contracts:
        deals, called = deals_of(players, contract, worlds)
        found = expect_table_play(deals, worlds, Judge("fast").forecast(deals), called)
        assert ((found.p_make > 0) & (found.p_make < 1)).all()
        assert ((found.bouts >= 0) & (found.bouts <= 3)).all()
        assert ((found.ends.sweeps >= 0) & (found.ends.sweeps <= 1)).all()
        assert (abs(found.ends.petits) <= 1).all()
        # What habits make is made by others more often than what they lose.
        made = margins_of(habit_results(deals, worlds, called)) >= 0
        if made.any() and not made.all():
            assert found.p_make[made].mean() > found.p_make[~made].mean()


def test_it_is_read_once() -> None:
    assert table_fit(4) is table_fit(4)


@TABLES
def test_numbers_tell_where_they_come_from(players: int) -> None:
    made_by = DOCUMENT["tables"][str(players)]["made_by"]
    assert "python -m benchmarks.calibration.fit_table_play" in made_by["command"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", made_by["date"])
    assert re.fullmatch(r"[0-9a-f]{7,}", made_by["commit"])
    assert made_by["bot"] == "search"
    assert made_by["worlds"] >= 1000


@TABLES
def test_weights_go_by_the_names_of_the_columns(players: int) -> None:
    worlds = worlds_of(players, 20)
    deals, called = deals_of(players, "garde", worlds)
    forecast = Judge("fast").forecast(deals)
    results = habit_results(deals, worlds, called)
    parts = ends_evidence(deals, results, forecast.margins)
    parts |= dict.fromkeys(("p_make", "margin"), table_evidence(forecast, results))
    fits = DOCUMENT["tables"][str(players)]["fits"]
    assert set(fits) == set(parts)
    for name, evidence in parts.items():
        found = table_fit(players).read(name, evidence)
        rows = zip(*(evidence.values[:, at] for at in range(len(evidence.names))), strict=True)
        slow = [
            sum(
                fits[name][column] * value
                for column, value in zip(evidence.names, row, strict=True)
            )
            for row in rows
        ]
        assert found == pytest.approx(slow)
        turned = Evidence(evidence.names[::-1], evidence.values[:, ::-1])
        assert table_fit(players).read(name, turned) == pytest.approx(slow)


def test_other_numbers_are_refused() -> None:
    with pytest.raises(CalibrationError, match=f"format 9, expected {FORMAT}"):
        TableFit(DOCUMENT | {"format": 9}, 4)
    few = Evidence(("constant", "moon"), np.ones((2, 2)))
    with pytest.raises(CalibrationError, match=r"other columns: .*moon"):
        table_fit(4).read("petit", few)


@TABLES
def test_chances_at_a_table(players: int) -> None:
    called = "KR" if players == 5 else None
    found, seen = (
        ts.chances(HANDS[players], players=players, worlds=100, called=called, model=model)
        for model in MODELS
    )
    assert (found.model, seen.model) == ("table", "double_dummy")
    for contract, row in found.contracts.items():
        other = seen.contracts[contract]
        assert row.p_make_double_dummy == other.p_make == other.p_make_double_dummy
        assert row.ci95[0] <= row.p_make <= row.ci95[1]
        assert 0 <= row.mean_points <= 91
        assert row.worlds == found.forecasts
    # Those who see their own cards only lose more of what a defence of seers would win.
    if players == 4:
        assert found.contracts["garde"].p_make > seen.contracts["garde"].p_make
    document = found.to_dict()
    assert document["model"] == "table"
    assert document["contracts"]["garde"]["p_make_double_dummy"] == row_of(seen)


def row_of(found: ts.Chances) -> float:
    return found.contracts["garde"].p_make


def test_the_number_of_jobs_changes_nothing() -> None:
    one, two = (ts.chances(HANDS[4], model="table", worlds=150, n_jobs=jobs) for jobs in (1, 2))
    assert one == two


def test_better_hands_are_worth_more() -> None:
    weak = "A:14,11,8,5 P:R,D,6 C:C,10,4,2 K:R,4,3 T:V,9,8,7"
    strong = "A:21,20,19,14,11,8,5,1 P:R,D,6 C:R,10,4 K:R,4,3 T:V"
    rows = [
        ts.chances(hand, model="table", worlds=100).contracts for hand in (weak, HANDS[4], strong)
    ]
    for contract in rows[0]:
        made = [row[contract].p_make for row in rows]
        score = [row[contract].mean_score for row in rows]
        assert made == sorted(made)
        assert score == sorted(score)
    assert rows[0]["garde"].p_make < 0.5 < 0.9 < rows[2]["garde"].p_make


def test_the_model_is_one_of_two() -> None:
    with pytest.raises(OptionError, match="model: 'tables' is not one of table, double_dummy"):
        ts.chances(HANDS[4], model="tables")  # type: ignore[arg-type]
