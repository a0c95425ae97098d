"""The values of the legal cards, as a mapping and as a ranking."""

from __future__ import annotations

import copy
import pickle
from random import Random
from typing import Any

import pytest

import tarot_sim as ts
from tarot_sim.solver.card_values import CardValues
from tests.endings import random_position


def test_the_best_is_first() -> None:
    """At every seat, attack or defence: no card is better than the first, by minimax."""
    seen = set()
    rng = Random(5)
    for number in range(40):
        position = random_position(rng, 3 + number % 3, 3)
        values = ts.solve_cards(position)
        assert position.to_move is not None
        attacks = position.to_move in position.attack
        seen.add(attacks)
        best = ts.solve(position).value
        assert best == (max if attacks else min)(values.values()) == next(iter(values.values()))
        assert set(position.legal_cards()) == set(values)
        behind = list(values.behind().values())
        assert 0 == behind[0]
        assert behind == sorted(behind)
    assert {True, False} == seen


@pytest.fixture
def values() -> CardValues:
    return CardValues({ts.Card("PR"): 3, ts.Card("A21"): 38}, "points", attacks=True)


def test_it_is_a_dict(values: CardValues) -> None:
    assert {ts.Card("PR"): 3, ts.Card("A21"): 38} == values
    anything: Any = values
    assert 38 == anything["A21"] == anything[ts.Card("A21")] == anything[76]
    for absent in ("C10", 3, None):
        with pytest.raises(KeyError):
            anything[absent]
    for again in (copy.copy(values), copy.deepcopy(values), pickle.loads(pickle.dumps(values))):
        assert (values, "points", True) == (again, again.objective, again.attacks)


def test_texts(values: CardValues) -> None:
    assert "A21 19, PR 1.5" == str(values)
    defence = CardValues(values, "points", attacks=False)
    assert "PR 1.5, A21 19" == str(defence)
    assert "PR 3, A21 38" == str(CardValues(values, "score", attacks=False))
    assert ts.Card("PR") == defence.best
    empty = CardValues({}, "margin", attacks=True)
    assert ("", None, {}) == (str(empty), empty.best, empty.behind())
    assert "CardValues({'A21': 38, 'PR': 3}, 'points', attacks=True)" == repr(values)
