"""What a seat knows: all of it, nothing else, and never what is not so."""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass
from random import Random
from typing import Any

import pytest

from tarot_sim.cards import Card, Hand
from tarot_sim.deals.game import Game
from tarot_sim.deals.view import View
from tarot_sim.deals.view_records import view_of_record
from tarot_sim.errors import RecordError
from tarot_sim.rules import Rules
from tests.games import random_game

TABLES = pytest.mark.parametrize("players", [3, 4, 5])


@TABLES
def test_it_agrees_with_the_table(players: int) -> None:
    random = Random(players)
    for _ in range(150):
        game = random_game(players, random)
        for seat in range(players):
            view = View.of(game, seat)
            assert (view.to_move, view.trick) == (game.to_move, game.trick)
            assert (view.holding, view.showable) == (game.hands[seat], game.showable(seat))
            if seat == game.to_move:
                assert view.legal_cards() == game.legal_cards()
                assert view.legal_poignees() == game.legal_poignees()
            else:
                assert view.legal_cards() == []


@TABLES
def test_the_truth_is_among_what_it_allows(players: int) -> None:
    random = Random(10 + players)
    for _ in range(150):
        game = random_game(players, random)
        for seat in range(players):
            view = View.of(game, seat)
            for card, places in view.allowed.items():
                holder = next((s for s in range(players) if card in game.hands[s]), players)
                assert places >> holder & 1, (card, view)
            assert sum(view.capacities) == len(view.unseen)


def names_in(value: object) -> set[Card]:
    """Return all cards that an object holds, however deep."""
    if isinstance(value, Card):
        return {value}
    if isinstance(value, Hand):
        return set(value)
    if isinstance(value, (tuple, list)):
        return set().union(*map(names_in, value)) if value else set()
    if is_dataclass(value) and not isinstance(value, type):
        return set().union(*(names_in(getattr(value, f.name)) for f in fields(value)))
    return set()


@TABLES
def test_it_holds_no_card_that_the_seat_has_not_seen(players: int) -> None:
    random = Random(20 + players)
    for _ in range(60):
        game = random_game(players, random)
        for seat in range(players):
            view = View.of(game, seat)
            seen = set(game.dealt[seat]) | set(game.plays) | set(game.shown_trumps)
            seen |= set(game.dog) if game.takes_dog else set()
            seen |= {game.called} if game.called is not None else set()
            for poignee in game.poignees:
                seen |= set(poignee.cards or ())
            assert names_in(view) <= seen


@TABLES
def test_before_the_dog_is_shown_it_is_not_there(players: int) -> None:
    game = random_game(players, Random(1), plays=0)
    fresh = Game(game.dealt, game.dog, dealer=game.dealer, rules=game.rules)
    view = View.of(fresh, 1)
    assert (view.phase, view.dog, view.taker) == ("auction", None, None)
    assert view.to_move == (game.dealer + 1) % players


def onlooker(**known: Any) -> View:
    """Return the view of seat 0, which has dealt, of a Garde sans of seat 1."""
    hand = Hand("P:R,D,C,V,10,9 C:R,D,C,V,10,9 K:R,D,C,V,10,9")
    return View(
        rules=Rules(), seat=0, dealer=0, hand=hand, phase="play", taker=1,
        contract="garde_sans", **known,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("plays", "voids", "ceilings"),
    [
        # Seat 1 leads Pique, seat 2 discards: neither Pique nor trump.
        ("P1 C1", {2: {0, 4}}, {}),
        ("P1 A5", {2: {0}}, {}),
        # Seat 3 undertrumps: nothing above the 5.
        ("P1 A5 A3", {2: {0}, 3: {0}}, {3: 4}),
        ("A7 A5", {}, {2: 6}),
        ("A7 A9", {}, {}),
        ("A7 P3", {2: {4}}, {}),
        # The Excuse shows nothing, and who plays after it leads.
        ("P1 EX", {}, {}),
        ("EX P1 C3", {3: {0, 4}}, {}),
    ],
)
def test_what_the_play_shows(
    plays: str, voids: dict[int, set[int]], ceilings: dict[int, int]
) -> None:
    """Of four players, seat 0 has dealt and looks on."""
    view = onlooker(
        plays=tuple(map(Card.parse, plays.split())),
    )
    assert [set(shown) for shown in view.voids] == [voids.get(seat, set()) for seat in range(4)]
    assert list(view.ceilings) == [ceilings.get(seat, 21) for seat in range(4)]


def test_the_excuse_in_a_poignee_tells_all_trumps() -> None:
    """Who shows it has no other trump than those beside it."""
    shown = Hand("A:21,20,19,18,17,16,15,14,13,EX")
    from tarot_sim.deals.deal import Poignee

    view = onlooker(
        poignees=(Poignee(1, "simple", shown),),
    )
    for card, places in view.allowed.items():
        if card in shown:
            assert places == 0b10
        elif card.suit == 4:
            assert not places & 0b10


@TABLES
def test_records_with_nulls(players: int) -> None:
    random = Random(30 + players)
    for _ in range(60):
        game = random_game(players, random)
        for seat in range(players):
            record = game.to_record()
            view = View.of(game, seat)
            full = view_of_record(record, seat)
            record["hands"] = [h if s == seat else None for s, h in enumerate(record["hands"])]
            if not game.takes_dog:
                record["dog"] = None
            if seat != game.taker and not game.shown_trumps:
                record["discard"] = None
            hidden = view_of_record(record, seat)
            assert hidden == full
            # A record does not keep the bids.
            assert (hidden.allowed, hidden.holding) == (view.allowed, view.holding)


def record(**changes: object) -> dict[str, object]:
    hand = "A:20,18,15,13,9,6,1,EX P:R,V,7 C:D,C,4,2 K:R,8 T:5"
    return {"players": 4, "dealer": 3, "hands": [hand, None, None, None], **changes}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"hands": [None] * 4}, "hands[0]: missing"),
        ({"hands": [None] * 3}, "hands: 3 hands, expected 4"),
        ({"hands": "A:1"}, "hands: expected a list"),
        ({"players": 6}, "players: 6"),
        ({"dealer": None}, "dealer: missing"),
        ({"dealer": 4}, "dealer: 4"),
        ({"auction": ["pass"] * 4}, "auction: all have passed"),
        ({"auction": ["garde", "garde"]}, "auction: bid: 'garde' is not higher"),
        ({"taker": 0}, "contract: taker and contract go together"),
        ({"plays": ["PR"]}, "taker: missing"),
        ({"taker": 0, "contract": "garde"}, "dog: missing"),
        ({"taker": 1, "contract": "garde_sans", "plays": ["A21"]}, "plays[0]: seat 0 cannot play"),
        ({"taker": 1, "contract": "garde_sans", "plays": ["PR", "PR"]}, "plays[1]: PR has been"),
        ({"taker": 1, "contract": "garde_sans", "plays": ["PR", "K8"]}, "plays[1]: seat 1 cannot"),
        ({"leader": 1}, "leader: an ending"),
    ],
)
def test_records_that_are_wrong(changes: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match="^" + re.escape(message)):
        view_of_record(record(**changes), 0)


def test_only_the_taker_knows_the_ecart() -> None:
    view = View.of(random_game(4, Random(2), plays=0), 0)
    with pytest.raises(RecordError, match="discard: seat 0 does not see"):
        View(
            rules=view.rules,
            seat=0,
            dealer=0,
            hand=view.hand,
            phase="play",
            taker=1,
            contract="garde",
            discard=Hand("P:1,2,3,4,5,6"),
        )
