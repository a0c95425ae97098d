"""The positions in benchmarks/deals are legal, and the answers of the small ones hold."""

import json
from pathlib import Path

import pytest

from benchmarks.deals.corpus import FOLDER, MARGIN, Contradiction, Stored, load, names, save
from benchmarks.deals.make_deals import HARD, HARD_FROM, complete, generators, hardest
from tarot_sim.solver._solver import Solver

SMALL = ("random-4-06", "random-4-08")


def lines(name: str) -> list[str]:
    return (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()


def test_every_generated_corpus_is_there() -> None:
    assert {*generators(), "hard"} == set(names())


@pytest.mark.parametrize("name", names())
def test_positions_are_legal(name: str) -> None:
    """`Position` refuses cards held twice, points and bouts that cannot be, and the like."""
    corpus = load(name)
    assert len(corpus) == len({stored.name for stored in corpus}) > 0
    for stored in corpus:
        kind, players, cards, _ = stored.name.split("-")
        assert name in ("hard", f"{kind}-{players}-{cards}")
        position = stored.position
        assert (int(players), int(cards)) == (position.players, position.tricks_left)
        assert not position.trick
        assert position.legal_cards()


@pytest.mark.parametrize("name", names())
def test_reading_loses_nothing(name: str) -> None:
    for line, stored in zip(lines(name), load(name), strict=True):
        assert json.loads(line) == stored.to_dict()


@pytest.mark.parametrize("name", SMALL)
def test_the_solver_gives_the_stored_answers(name: str) -> None:
    solver = Solver()
    for stored in load(name):
        assert stored.margin is not None, stored.name
        low, high, _ = solver.value(stored.position, MARGIN)
        assert (stored.margin, stored.margin) == (low, high), stored.name
        assert stored.make is solver.at_least(stored.position, MARGIN, 0)[0], stored.name


def test_the_hard_ones_are_the_others() -> None:
    assert lines("hard") == [json.dumps(s.to_dict(), ensure_ascii=False) for s in hardest(FOLDER)]
    assert HARD * len(HARD_FROM) == len(lines("hard"))


def test_answers_are_narrowed_and_never_changed() -> None:
    stored = Stored("ending", load(SMALL[0])[0].position, (-20, 31))
    assert (None, None) == (stored.make, stored.margin)
    assert (0, 31) == stored.narrowed(0, 40).bounds
    assert (-20, -1) == stored.narrowed(-90, -1).bounds
    assert -7 == stored.narrowed(-7, -7).margin
    with pytest.raises(Contradiction, match=r"ending: stored \(-20, 31\), searched \(32, 40\)"):
        stored.narrowed(32, 40)


def test_a_line_against_itself() -> None:
    line = load(SMALL[0])[0].to_dict()
    with pytest.raises(Contradiction, match="own answers"):
        Stored.from_dict({**line, "make": not line["make"]})


def test_a_wrong_answer_stops_the_script(tmp_path: Path) -> None:
    """One margin is right, one open, one wrong by half a point."""
    right, other, wrong = load(SMALL[0])[:3]
    assert wrong.margin is not None
    spoilt = Stored(wrong.name, wrong.position, (wrong.margin + 1, wrong.margin + 1))
    corpus = [right, Stored(other.name, other.position), spoilt]
    save("three", corpus, tmp_path)
    complete("three", Solver(), 5, confirm=False, folder=tmp_path)
    assert [right.margin, other.margin, spoilt.margin] == [
        stored.margin for stored in load("three", tmp_path)
    ]
    with pytest.raises(Contradiction, match=wrong.name):
        complete("three", Solver(), 5, confirm=True, folder=tmp_path)
    assert (
        load("three", tmp_path)[2] == spoilt or load("three", tmp_path)[2].bounds == spoilt.bounds
    )


def test_a_missing_corpus_is_generated_as_it_was(tmp_path: Path) -> None:
    """The stored positions are those that the generators make."""
    for name in ("random-4-06", "worlds-4-18"):
        made = list(generators()[name])
        for stored, position in zip(load(name), made, strict=True):
            again = Stored(stored.name, position, stored.bounds, stored.nodes)
            assert stored.to_dict() == again.to_dict()
