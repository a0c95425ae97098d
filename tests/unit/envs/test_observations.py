"""What a learner is shown: all that its seat knows, and nothing else."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tarot_sim.cards import HALF_POINTS, Hand
from tarot_sim.deals.game import Game
from tarot_sim.deals.view import View
from tarot_sim.envs.actions import ACTION_NAMES, action_number
from tarot_sim.envs.observations import PHASES, highest, layout, planes, size
from tarot_sim.envs.table import Table
from tarot_sim.errors import IllegalPlayError, TarotError
from tarot_sim.rules import CONTRACTS, Rules
from tarot_sim.rules.announcements import LEVELS
from tarot_sim.rules.auction import BIDS
from tests.tables import Mirror, actions_of, some_action, some_deal


def test_the_planes_follow_each_other() -> None:
    for players in (3, 4, 5):
        place = 0
        for plane in layout(players).values():
            assert place == plane.start
            place = plane.stop
        assert place == size(players) == len(highest(players))
        batch = np.zeros((7, 2, size(players)), np.uint8)
        assert (7, 2, players, 78) == planes(batch, players)["played"].shape


# --- all that the seat knows ---------------------------------------------------------


def expected(mirror: Mirror, seat: int) -> dict[str, NDArray[np.uint8]]:
    """Return the planes of a seat by its `View` of the game."""
    game, table = mirror.game, mirror.table
    view, n = View.of(game, seat), game.players
    found = {name: np.zeros(plane.shape, np.uint8) for name, plane in layout(n).items()}

    def relative(other: int) -> int:
        return (other - seat) % n

    aside = [int(card) for card in actions_of(table._discard)] if seat == view.taker else []
    if game.phase == "discard" and seat == view.taker:
        found["hand"][[card for card in view.start if card not in aside]] = 1
    else:
        found["hand"][list(view.holding)] = 1
    found["discard"][aside] = 1
    found["dog"][list(view.dog or ())] = 1
    found["shown_trumps"][list(view.shown_trumps)] = 1
    if view.called is not None:
        found["called"][view.called] = 1
    for number, trick in enumerate(view.tricks, 1):
        for player, card in trick:
            found["played"][relative(player), card] = 1
            found["trick_of"][card] = number
    for player, card in view.trick:
        found["table"][relative(player), card] = 1
    for shown in view.poignees:
        found["poignee_cards"][relative(shown.seat), list(shown.cards or ())] = 1
        found["poignee"][relative(shown.seat), LEVELS.index(shown.level)] = 1
    for player in range(n):
        found["voids"][relative(player), list(view.voids[player])] = 1
        found["ceiling"][relative(player)] = view.ceilings[player]
    for turn, bid in enumerate(view.auction):
        found["bids"][relative(view.dealer + 1 + turn), BIDS.index(bid)] = 1
    found["dealer"][relative(view.dealer)] = 1
    if view.taker is not None and view.contract is not None:
        found["taker"][relative(view.taker)] = 1
        found["contract"][CONTRACTS.index(view.contract)] = 1
    holder = known_holder(view)
    if holder is not None:
        found["partner"][n if holder in (view.taker, -1) else relative(holder)] = 1
    found["chelem"][0] = view.chelem
    asked = table.phase == "announce" and table.seat == seat
    found["phase"][PHASES.index("announce" if asked else view.phase)] = 1
    found["to_move"][relative(seat if asked else view.to_move)] = 1
    complete = [trick for trick in view.tricks if len(trick) == n]
    for trick, after in zip(complete, [*view.tricks[1:], None], strict=False):
        winner = view.to_move if after is None else after[0][0]
        found["tricks"][relative(winner)] += 1
        found["half_points"][relative(winner)] += sum(HALF_POINTS[card] for _, card in trick)
    found["trick"][0] = len(complete)
    leads = view.trick[0][0] if view.trick else view.to_move if view.plays else view.first_leader
    found["leader"][relative(leads)] = 1
    return found


def known_holder(view: View) -> int | None:
    """Return whose the called card was if the seat knows it: −1 the dog's, None if not."""
    if view.called is None:
        return None
    if view.called in view.hand:
        return view.seat
    if view.dog is not None and view.called in view.dog:
        return -1
    return next((s for s in range(view.players) if view.called in view.played[s]), None)


@pytest.mark.parametrize("players", [3, 4, 5])
def test_it_is_what_the_view_tells(players: int) -> None:
    random, rules = Random(players), Rules(players=players)
    top = highest(players)
    for number in range(10):
        trumps = random.choice(rules.poignee_trumps) if number % 2 else 0
        mirror = Mirror(rules, some_deal(rules, random, trumps))
        while mirror.game.phase != "over":
            for seat in range(players):
                observation = mirror.table.sheets.observation(seat)
                assert (observation <= top).all()
                for name, plane in expected(mirror, seat).items():
                    got = planes(observation, players)[name]
                    assert np.array_equal(plane, got), (name, seat, mirror.table.phase)
            mirror.act(some_action(mirror.table, random))


def test_an_observation_is_ones_own() -> None:
    table = Table(Rules(), some_deal(Rules(), Random(1)))
    before = table.sheets.observation(0)
    before[:] = 9
    assert not (table.sheets.observation(0) == 9).any()


# --- nothing else --------------------------------------------------------------------

Event = tuple[int, str, int]  # who, in which phase, did what


def replayed(rules: Rules, dealt: Any, events: list[Event], swap: dict[int, int]) -> Table:
    """Return a table where the hidden cards are others, but the same is seen to happen.

    Raises
    ------
    TarotError
        If it could not have happened so.
    """
    hands, dog, dealer = dealt

    def moved(cards: Hand) -> Hand:
        return Hand([swap.get(card, card) for card in cards])

    table = Table(rules, (tuple(map(moved, hands)), moved(dog), dealer))
    for seat, phase, action in events:
        if phase == "announce" and table.phase == "play" and ACTION_NAMES[action] == "pass":
            continue  # here there is nothing to ask for
        if table.phase == "announce" and phase != "announce":
            table.act(action_number("pass"))  # here there is something, and it is not done
        if (table.seat, table.phase) != (seat, phase):
            raise IllegalPlayError("something else")
        table.act(swap.get(action, action) if phase == "discard" else action)
    return table


def hidden_cards(game: Game, seat: int) -> list[int]:
    """Return the cards that the seat has not seen."""
    view = View.of(game, seat)
    seen = view.hand.mask | view.shown_trumps.mask | (0 if view.dog is None else view.dog.mask)
    for card in view.plays:
        seen |= 1 << card
    for shown in view.poignees:
        seen |= Hand(shown.cards or ()).mask
    return [card for card in range(78) if not seen >> card & 1]


@pytest.mark.parametrize("players", [3, 4, 5])
def test_hidden_cards_make_no_difference(players: int) -> None:
    """However the cards lie that a seat cannot see, it is shown the same and may do the same."""
    random, rules = Random(players), Rules(players=players)
    compared: dict[str, int] = dict.fromkeys((*PHASES, "other's announce"), 0)
    for number in range(40):
        trumps = rules.poignee_trumps[0] if number % 2 else 0
        dealt = some_deal(rules, random, trumps)
        mirror = Mirror(rules, dealt)
        table, events = mirror.table, list[Event]()
        end = random.randrange(100)
        while mirror.game.phase != "over":
            if len(events) % 8 == end % 8 or table.phase in ("call", "announce"):
                compare(mirror, dealt, events, random, compared)
            action = some_action(table, random)
            events.append((table.seat, table.phase, action))
            mirror.act(action)
    if players != 5:
        assert 0 == compared.pop("call")
    assert min(compared.values()) > 0, compared
    assert sum(compared.values()) > 500, compared


def compare(
    mirror: Mirror, dealt: Any, events: list[Event], random: Random, compared: dict[str, int]
) -> None:
    table = mirror.table
    for seat in range(mirror.game.players):
        hidden = hidden_cards(mirror.game, seat)
        for count in (2, 2, 3, len(hidden)):
            if len(hidden) < max(count, 2):
                continue
            some = random.sample(hidden, count)
            swap = dict(zip(some, [*some[1:], some[0]], strict=True))
            try:
                other = replayed(table.rules, dealt, events, swap)
            except TarotError:
                continue
            if View.of(mirror.game, seat).poignees != other.deal.poignees:
                continue  # other cards were shown
            own = table.sheets.observation(seat)
            assert np.array_equal(own, other.sheets.observation(seat)), (seat, table.phase)
            if seat == table.seat and "announce" in (table.phase, other.phase):
                assert table.phase == other.phase
            if seat == table.seat:
                assert table.legal == other.legal
                compared[table.phase] += 1
            elif table.phase != other.phase:
                compared["other's announce"] += 1
