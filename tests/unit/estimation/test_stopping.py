"""When the work stops: by the precision, the worlds or the time."""

from __future__ import annotations

import time

import pytest

from tarot_sim.cards import Hand
from tarot_sim.errors import OptionError
from tarot_sim.estimation.chunks import CHUNK, FORECASTS
from tarot_sim.estimation.hand_chances import EXACT_SECONDS, FAST_PRECISION, chances
from tarot_sim.estimation.plan import Plan
from tarot_sim.estimation.stopping import (
    DEFAULT_PRECISION,
    MOST_WORLDS,
    Stopping,
    StoppingRule,
)
from tarot_sim.rules import Rules
from tests.some_chances import FAIR, RUBBISH, answer, half_width


@pytest.mark.parametrize(
    ("message", "rule"),
    [
        ("worlds: 0 is less than 3", {"worlds": 0}),
        ("precision: 1.0 is not between 0 and 1", {"precision": 1.0}),
        ("precision: nan is no number", {"precision": float("nan")}),
        ("seconds: 0 is not above 0", {"seconds": 0}),
        ("seconds: nan is no number", {"seconds": float("nan")}),
    ],
)
def test_rules_that_mean_nothing(message: str, rule: dict[str, float]) -> None:
    with pytest.raises(OptionError, match=f"^{message}"):
        StoppingRule(**rule)  # type: ignore[arg-type]


def test_without_a_rule_the_precision_is_one() -> None:
    assert DEFAULT_PRECISION == StoppingRule().half_width
    assert StoppingRule(worlds=100).half_width is None
    assert StoppingRule(seconds=1.0).half_width is None
    assert 0.1 == StoppingRule(worlds=100, precision=0.1).half_width


def test_chunks_are_planned() -> None:
    for worlds, planned in ((3, 1), (50, 1), (51, 2), (None, MOST_WORLDS // CHUNK)):
        stopping = Stopping(StoppingRule(worlds=worlds))
        assert (planned, [], "worlds") == (stopping.planned, stopping.chunks, stopping.reason)


def test_what_is_not_asked_about_is_not_judged() -> None:
    plan = Plan(Hand(RUBBISH[4]), Rules(), 0, "fast")
    some = Stopping(StoppingRule(worlds=100))
    some.run(plan, 1, contracts=("garde_sans", "garde_contre"))
    assert [{"garde_sans", "garde_contre"}] * 2 == [{*chunk.samples} for chunk in some.chunks]
    none = Stopping(StoppingRule(worlds=100))
    none.run(plan, 1, contracts=())
    assert (0, [], "bids") == (none.planned, none.chunks, none.reason)


def test_all_contracts_are_judged_until_one_is_precise() -> None:
    stopping = Stopping(StoppingRule(worlds=500))
    stopping.run(Plan(Hand(RUBBISH[4]), Rules(), 0, "fast"), 1)
    assert (10, 10, "worlds") == (len(stopping.chunks), stopping.planned, stopping.reason)
    assert all(len(chunk.samples) == 4 for chunk in stopping.chunks)
    rough = Stopping(StoppingRule(worlds=500, precision=0.2))
    rough.run(Plan(Hand(RUBBISH[4]), Rules(), 0, "fast"), 1)
    assert (1, 1, "precision") == (len(rough.chunks), rough.planned, rough.reason)


def test_precision_stops() -> None:
    result = answer(FAIR[4], worlds=5_000, precision=0.02)
    assert result.stopped == "precision"
    assert 100 <= result.worlds < 5_000
    assert result.forecasts == result.worlds // CHUNK * FORECASTS
    assert all(half_width(row) <= 0.02 for row in result.contracts.values())
    assert result == answer(FAIR[4], worlds=5_000, precision=0.02, n_jobs=2)
    # One chunk less would not have done.
    before = answer(FAIR[4], worlds=result.worlds - 50)
    assert any(half_width(row) > 0.02 for row in before.contracts.values())
    # Contracts that are precise after a wave of chunks are left alone.
    assert len({row.worlds for row in result.contracts.values()}) > 1
    for contract, row in result.contracts.items():
        assert row.worlds <= result.worlds
        assert row == answer(FAIR[4], worlds=row.worlds).contracts[contract]


def test_defaults() -> None:
    """Without any limit the precision is one, and the search is neither least nor most."""
    assert DEFAULT_PRECISION == 0.02
    found = chances(RUBBISH[4], n_jobs=1)
    assert (found.method, found.stopped) == ("cascade", "precision")
    assert found == answer(RUBBISH[4], worlds=None, precision=0.02, method="cascade")
    rough = answer(RUBBISH[4], worlds=None, precision=FAST_PRECISION, method=None)
    assert (rough.method, rough.stopped) == ("fast", "precision")
    # A number of worlds is kept to, however precise the figures are before.
    many = answer(RUBBISH[4], worlds=found.worlds + 100, method=None)
    assert (many.worlds, many.stopped) == (found.worlds + 100, "worlds")


def test_with_much_time_worlds_are_searched_exactly() -> None:
    for seconds, method in ((EXACT_SECONDS - 0.1, "cascade"), (EXACT_SECONDS, "exact")):
        found = answer(RUBBISH[4], seconds=seconds, method=None)
        assert (found.method, found.stopped) == (method, "worlds")
    assert answer(RUBBISH[4], seconds=EXACT_SECONDS, method="fast").method == "fast"


def test_precision_does_not_ask_for_more_than_the_worlds() -> None:
    found = answer(FAIR[4], worlds=100, precision=0.001)
    assert (found.worlds, found.stopped) == (100, "worlds")


def test_time_stops() -> None:
    started = time.monotonic()
    result = answer(FAIR[4], worlds=1_000_000, seconds=0.2)
    assert 100 <= result.worlds < 1_000_000
    assert result.stopped == "time"
    assert time.monotonic() - started < 60
    assert result.contracts == answer(FAIR[4], worlds=result.worlds).contracts


def test_progress() -> None:
    seen: list[tuple[int, int]] = []
    for n_jobs in (1, 2):
        seen.clear()
        chances(
            FAIR[4],
            worlds=250,
            method="fast",
            n_jobs=n_jobs,
            progress=lambda done, planned: seen.append((done, planned)),
        )
        assert seen == [(done, 250) for done in (50, 100, 150, 200, 250)]


def test_an_error_of_progress_comes_through() -> None:
    def stop(_done: int, _planned: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        chances(FAIR[4], worlds=50, method="fast", n_jobs=1, progress=stop)
    assert chances(FAIR[4], worlds=50, method="fast", n_jobs=1) == answer(FAIR[4])
