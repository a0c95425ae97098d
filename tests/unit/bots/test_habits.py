"""Players of habits: their weights, and that they look at no other hand."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import numpy as np
import pytest

import tarot_sim
from tarot_sim.bots._playing import play_deals
from tarot_sim.bots._rollouts import habit_card, habit_traits
from tarot_sim.bots.habits import (
    LEAD_TRAITS,
    PLAY_TRAITS,
    ROLES,
    WIDTH,
    habits,
    named,
    thresholds,
    weights_of,
)
from tarot_sim.cards import CARDS, Card, Hand
from tarot_sim.deals.view import View
from tarot_sim.errors import OptionError
from tarot_sim.rules import CONTRACTS, Rules
from tarot_sim.worlds.batch import NO_CALL, Deals
from tests.games import random_game

TABLES = pytest.mark.parametrize("players", [3, 4, 5])


@pytest.mark.parametrize(("kind", "traits"), [("LEAD", LEAD_TRAITS), ("PLAY", PLAY_TRAITS)])
def test_traits_have_the_names_of_the_native_code(kind: str, traits: tuple[str, ...]) -> None:
    source = (Path(tarot_sim.__file__).parent / "bots" / "_habits.pxd").read_text("utf-8")
    names = re.findall(rf"^    {kind}_([A-Z0-9_]+)(?: = 0)?(?: .*)?$", source, re.MULTILINE)
    assert [name.lower() for name in names] == list(traits)


@TABLES
def test_weights_by_name_and_back(players: int) -> None:
    weights = habits(Rules(players=players))
    assert weights.shape == (2 * len(ROLES), WIDTH)
    assert not weights.flags.writeable
    assert (weights_of(named(weights)) == weights).all()
    assert list(thresholds(Rules(players=players))) == list(CONTRACTS)


def test_a_trait_too_few_is_named() -> None:
    table = named(habits(Rules()))
    del table["partner"]["lead"]["wins"]
    with pytest.raises(OptionError, match="habits: partner, lead: wins"):
        weights_of(table)


def deal_of(game: object) -> Deals:
    """Return a game before its first card as a batch of one."""
    from tarot_sim.deals.game import Game

    assert isinstance(game, Game)
    assert game.taker is not None
    assert game.contract is not None
    owners = np.full((1, 78), game.players, np.uint8)
    for seat, hand in enumerate(game.hands):
        owners[0, list(hand)] = seat
    position = game.position
    assert position is not None
    return Deals(
        rules=game.rules,
        owners=owners,
        attack=np.array([sum(1 << seat for seat in game.attack)], np.uint8),
        leader=np.array([position.leader], np.uint8),
        half_points=np.array([position.attack_half_points], np.int16),
        bouts=np.zeros(1, np.uint8),
        called=np.array([NO_CALL if game.called is None else game.called], np.uint8),
        contract=game.contract,
    )


@TABLES
def test_from_a_view_alone_they_play_the_same_cards(players: int) -> None:
    """The batch has all hands at its disposal; who has a view has not."""
    random = Random(players)
    weights = habits(Rules(players=players))
    tried = 0
    while tried < 12:
        game = random_game(players, random, plays=0, poignees=0)
        # Where all see the called card in the dog the batch does not know it.
        if game.called is not None and game.called in game.dog:
            continue
        tried += 1
        seats = np.repeat(weights[None], players, axis=0)
        _, cards = play_deals(deal_of(game), np.array([game.taker], np.uint8), seats, plays=True)
        for card in cards[0].tolist():
            assert game.to_move is not None
            assert habit_card(View.of(game, game.to_move), weights)[0] == card
            game.play(CARDS[card])
        assert game.phase == "over"


def view_of(hand: str, plays: str) -> View:
    return View(
        rules=Rules(),
        seat=0,
        dealer=0,
        hand=Hand(hand),
        phase="play",
        taker=1,
        contract="garde_sans",
        plays=tuple(map(Card.parse, plays.split())),
    )


@pytest.mark.parametrize(
    ("hand", "plays", "card"),
    [
        # Last to play, the partner has the trick with the Roi: the Dame goes to it.
        ("P:D,3,2 C:R,9,8,7,6 K:R,9,8,7,6 T:9,8,7,6,5", "P4 PR P5", "PD"),
        # Last to play, the taker's Dame is beaten by the Roi.
        ("P:R,3,2 C:R,9,8,7,6 K:R,9,8,7,6 T:9,8,7,6,5", "PD P4 P5", "PR"),
        # Last to play, the trick is the taker's for good: a low card, not the Cavalier.
        ("P:C,3,2 C:R,9,8,7,6 K:R,9,8,7,6 T:9,8,7,6,5", "PR P4 P5", "P2"),
    ],
)
def test_what_anybody_would_play(hand: str, plays: str, card: str) -> None:
    view = view_of(hand, plays)
    chosen = CARDS[habit_card(view, habits(Rules()))[0]]
    assert chosen.half_points == Card.parse(card).half_points
    assert chosen == Card.parse(card) or chosen.half_points == 1


@TABLES
def test_of_equal_cards_the_lowest_is_looked_at(players: int) -> None:
    """Equal: of a suit, worth the same, and all between them are gone; a bout is like no other."""
    random = Random(10 + players)
    weights = habits(Rules(players=players))
    several = 0
    for _ in range(300):
        game = random_game(players, random, plays=random.randrange(10 * players), poignees=0)
        if game.phase != "play":
            continue
        assert game.to_move is not None
        view = View.of(game, game.to_move)
        gone = {int(card) for card in view.plays} - {int(card) for _, card in game.trick}
        if view.discard is not None:
            gone |= {int(card) for card in view.discard}
        legal = {int(card) for card in view.legal_cards()}
        lowest = []
        for card in sorted(legal):
            below = card - 1
            while below in gone:
                below -= 1
            alike = (
                below in legal
                and card not in (56, 76, 77)
                and below != 56
                and min(below // 14, 4) == min(card // 14, 4)
                and CARDS[below].half_points == CARDS[card].half_points
            )
            if not alike:
                lowest.append(card)
        assert sorted(habit_card(view, weights)[1]) == lowest
        several += len(lowest) < len(legal)
    assert several > 50


@TABLES
def test_values_are_weighed_traits(players: int) -> None:
    random = Random(20 + players)
    weights = habits(Rules(players=players))
    blocks = set()
    for _ in range(200):
        game = random_game(players, random, plays=random.randrange(10 * players), poignees=0)
        if game.phase != "play":
            continue
        assert game.to_move is not None
        view = View.of(game, game.to_move)
        cards, block, traits = habit_traits(view)
        values = habit_card(view, weights)[1]
        assert list(values) == cards
        if len(cards) > 1:  # of a single one nothing is reckoned
            assert traits @ weights[block] == pytest.approx(list(values.values()), abs=1e-3)
            blocks.add(block)
    assert blocks >= {0, 1, 4, 5}
