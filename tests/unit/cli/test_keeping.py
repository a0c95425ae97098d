"""Records kept while a deal goes on: the last line is replaced, those before it stay."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tarot_sim.cli.keeping import Keeper
from tarot_sim.cli.reading import InputError


def lines(file: Path) -> list[int]:
    return [json.loads(line)["n"] for line in file.read_text("utf-8").splitlines()]


def test_the_last_line_is_replaced(tmp_path: Path) -> None:
    file = tmp_path / "deals.jsonl"
    with Keeper(str(file)) as keeper:
        for number in (1, 22222, 3):
            keeper.keep({"n": number})
            assert lines(file) == [number]
        keeper.next()
        keeper.keep({"n": 4})
        assert lines(file) == [3, 4]
        keeper.drop()
        assert lines(file) == [3]
        keeper.keep({"n": 5})
    assert lines(file) == [3, 5]
    with Keeper(str(file)) as keeper:
        keeper.keep({"n": 6})
    assert lines(file) == [3, 5, 6]


def test_a_line_without_an_end_stays_whole(tmp_path: Path) -> None:
    file = tmp_path / "deals.jsonl"
    file.write_text('{"n": 1}', "utf-8")
    with Keeper(str(file)) as keeper:
        keeper.keep({"n": 2})
        keeper.keep({"n": 3})
    assert lines(file) == [1, 3]


def test_a_pipe_gets_each_deal_once() -> None:
    reader, writer = os.pipe()
    with Keeper(f"/dev/fd/{writer}") as keeper:
        for number in (1, 2):
            keeper.keep({"n": number})
        keeper.next()
        keeper.keep({"n": 3})
    os.close(writer)
    with os.fdopen(reader) as stream:
        assert [json.loads(line)["n"] for line in stream] == [2, 3]


def test_no_file_keeps_nothing() -> None:
    with Keeper(None) as keeper:
        keeper.keep({"n": 1})
        keeper.drop()
        keeper.next()


@pytest.mark.parametrize("name", ["", "-", "nowhere/deals.jsonl", ".", "a\0b"])
def test_files_that_cannot_be_written(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError):
        Keeper(name)
