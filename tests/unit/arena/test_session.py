"""A person's deal against bots: turns, events, undo, hints; nobody sees what they should not."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from tarot_sim.arena.session import Session, names_by_seat
from tarot_sim.cards import CARDS, Hand
from tarot_sim.deals.deal import Deal
from tarot_sim.deals.game import Game
from tarot_sim.deals.replaying import replay
from tarot_sim.errors import BidError, IllegalPlayError, OptionError
from tarot_sim.rules import CONTRACTS
from tarot_sim.rules.discard import iter_discards
from tests.ecarts import STUCK
from tests.persons import do, options_of, played, session_of

TABLES = pytest.mark.parametrize("players", [3, 4, 5])


@TABLES
def test_whole_sessions(players: int) -> None:
    """Each deal ends, its record replays to its scores, and events tell all of it once."""
    outcomes = Counter[str]()
    for seed in range(25):
        session = session_of(players, seed)
        events = played(session, Random(seed))
        game = session.game
        outcomes[str(game.outcome)] += 1
        told = Counter(event.kind for event in events)
        assert told["bid"] == players
        assert told["over"] == 1
        if game.outcome == "passed":
            continue
        assert [e.value for e in events if e.kind == "play"] == list(game.plays)
        assert told["trick"] == game.rules.hand_size
        assert told["contract"] == 1
        assert told["call"] == (players == 5)
        assert told["dog"] == told["discard"] == game.takes_dog
        assert told["poignee"] == len(game.poignees)
        assert told["chelem"] == game.chelem_announced
        assert sum(e.value for e in events if e.kind == "trick") == sum(
            card.half_points for card in game.plays
        )
        answer = replay(Deal.from_dict(session.record()))
        assert answer.scores == game.scores
        winners = [e.seat for e in events if e.kind == "trick"]
        assert winners == [trick.winner for trick in answer.tricks]
    assert outcomes["played"] > 10


@TABLES
def test_undo_leaves_no_trace(players: int) -> None:
    """A session with decisions taken back is one in which only the others were ever taken."""
    for seed in range(12):
        session = session_of(players, seed, "search:worlds=2" if seed < 2 else "rules")
        played(session, Random(seed), undo=0.3)
        straight = session_of(players, seed, "search:worlds=2" if seed < 2 else "rules")
        for choice in session.choices:
            list(straight.advance())
            assert straight.turn == choice.turn
            assert straight.view == choice.view
            do(straight, choice.chosen)
        list(straight.advance())
        assert straight.record() == session.record()


@TABLES
def test_undo_is_the_inverse_of_each_decision(players: int) -> None:
    random = Random(players)
    session = session_of(players, 3)
    while True:
        list(session.advance())
        if session.is_over:
            break
        before = session.record(), session.turn, session.view, session.announcements()
        chosen = random.choice(options_of(session))
        do(session, chosen)
        list(session.advance())
        undone = session.undo()
        assert undone is not None
        assert undone.chosen == chosen
        after = session.record(), session.turn, session.view, session.announcements()
        assert after == before
        do(session, chosen)
    while session.undo() is not None:
        pass
    assert session.choices == ()
    assert session.undo() is None


def test_what_a_person_may_announce_is_asked_once() -> None:
    """The chelem of a taker before the first card, whoever leads; the poignée before their own."""
    hands = _hands("A:21,20,19,18,17,16,15,14,13,12,11,10 P:R,D,C,V,10,9")
    session = Session(Game(hands, _dog(hands), dealer=1), 0, ["rules"])
    list(session.advance())
    session.bid("garde_sans")
    list(session.advance())
    assert (session.turn, session.announcements()) == ("announce", ("chelem",))
    session.announce(None)
    list(session.advance())
    assert session.game.trick, "seat 2 leads before the person's poignée"
    assert session.announcements() == ("simple",)
    session.announce("simple")
    assert session.announcements() == ()
    assert [poignee.seat for poignee in session.game.poignees] == [0]
    session.undo()
    assert session.announcements() == ("simple",)
    session.undo()
    assert session.announcements() == ("chelem",)
    assert [event.kind for event in session.announce("chelem")] == ["chelem"]
    assert session.turn == "announce", "who leads may show the poignée now"
    assert session.announcements() == ("simple",)


def _hands(first: str) -> list[Hand]:
    """Return hands of four players of whom the first has these cards."""
    own = Hand(first)
    rest = list(Hand.from_mask((1 << 78) - 1) - own)
    others = [Hand(rest[place::3][:18]) for place in range(3)]
    return [own, *others]


def _dog(hands: list[Hand]) -> Hand:
    mask = (1 << 78) - 1
    for hand in hands:
        mask &= ~hand.mask
    return Hand.from_mask(mask)


def test_a_hint_knows_no_hidden_card() -> None:
    """The same hand among other hands gets the same hint."""
    hands = _hands("A:21,20,15,12,9,6,3,EX P:R,D,7 C:R,10,5 K:9,4 T:V,8")
    dog = _dog(hands)
    hints = []
    for order in ((0, 1, 2, 3), (0, 3, 1, 2)):
        game = Game([hands[seat] for seat in order], dog, dealer=3)
        session = Session(game, 0, ["random"], seed=5)
        list(session.advance())
        hints.append(session.hint())
    assert hints[0] == hints[1]


def test_a_hint_costs_nothing_and_changes_nothing() -> None:
    asked, unasked = session_of(4, 2), session_of(4, 2)
    for session in (asked, unasked):
        for _ in range(6):
            list(session.advance())
            if session is asked:
                advice = session.hint()
                assert session.hint() == advice
                if advice.phase != "announce":
                    assert advice.decision.best is not None
            do(session, options_of(session)[-1])
    assert asked.record() == unasked.record()


def test_what_is_not_allowed_changes_nothing() -> None:
    session = session_of(4, 1)
    list(session.advance())
    before = session.record()
    with pytest.raises(BidError, match="play: it is not the time"):
        session.play(min(session.view.hand))
    with pytest.raises(BidError):
        session.bid("belote")  # type: ignore[arg-type]
    with pytest.raises(BidError, match="announcement: 'chelem' is not one of"):
        session.announce("chelem")
    assert session.record() == before
    assert session.choices == ()


@TABLES
def test_why_a_card_is_illegal(players: int) -> None:
    """The word says what the engine's message says."""
    words = {
        "must_follow": "must follow suit",
        "must_trump": "must play a trump",
        "must_overtrump": "must play a trump above",
        "called_suit": "the called suit may not be led",
    }
    seen = set()
    for seed in range(15):
        session, random = session_of(players, seed), Random(seed)
        while True:
            list(session.advance())
            if session.is_over:
                break
            if session.turn == "play":
                view = session.view
                for card in view.holding - Hand(view.legal_cards()):
                    word = session.refusal(card)
                    seen.add(word)
                    with pytest.raises(IllegalPlayError, match=words[word]) as error:
                        session.play(card)
                    if word == "must_trump":
                        assert "above" not in str(error.value)
            do(session, random.choice(options_of(session)))
    assert seen >= {"must_follow", "must_trump", "must_overtrump"}


#: What players count.
COUNTED = Hand([card for card in CARDS if card.name[0] in "AE" or card.name[1:] == "R"], size=26)


@TABLES
def test_cards_that_are_still_out(players: int) -> None:
    """They are those of the others' hands, and of the dog where nobody has seen it."""
    contracts = set()
    for seed in range(12):
        session, random = session_of(players, seed), Random(seed)
        while True:
            list(session.advance())
            if session.is_over:
                break
            game = session.game
            if game.phase == "play":
                contracts.add(game.contract)
                own = session.view.holding | (session.view.discard or Hand())
                expected = COUNTED - own - Hand(game.plays)
                if game.discarded is not None:
                    expected -= game.discarded
                assert session.still_out() == expected
            do(session, random.choice(options_of(session)))
    assert contracts >= {"garde_sans", "garde_contre"}


@TABLES
def test_cards_that_may_go(players: int) -> None:
    """They are the cards of all legal écarts, and none at any other time."""
    asked = 0
    for seed in range(20):
        session, random = session_of(players, seed, "random", seat=0), Random(seed)
        while not session.is_over and session.game.phase != "play":
            list(session.advance())
            if session.turn is None:
                break
            if session.turn != "discard":
                assert session.may_go() == Hand()
                options = [bid for bid in options_of(session) if bid not in CONTRACTS[2:]]
                do(session, options[-1] if session.turn == "bid" else random.choice(options))
                continue
            asked += 1
            view, found = session.view, Hand()
            if players == 5:
                for ecart in iter_discards(view.start, view.rules):
                    found |= ecart
            else:
                found = Hand([c for c in view.start if c < 56 and c % 14 != 13])
                assert len(found) >= view.rules.dog_size
            assert session.may_go() == found
            break
    assert asked > 2


def test_cards_that_may_go_where_trumps_must() -> None:
    hand = STUCK - Hand("P:2,3 C:4,5 K:R A:7")
    rest = list(Hand.from_mask((1 << 78) - 1) - STUCK)
    hands = [hand, *(Hand(rest[place::3]) for place in range(3))]
    session = Session(Game(hands, STUCK - hand, dealer=3), 0, ["rules"])
    list(session.advance())
    session.bid("garde")
    list(session.advance())
    assert session.turn == "discard", "the bots have no hand to go higher"
    assert session.may_go() == Hand("A:20,19,18,17,16,15,14,13,12,11,10,9,8,7 P:2,3 C:4,5 T:6")


def test_bots_by_seat() -> None:
    assert names_by_seat(["rules", "random"], 1, 3) == ("rules", None, "random")
    assert (
        names_by_seat(["search:worlds=10,time=0.1"], 0, 3)[1:] == ("search:worlds=10,time=0.1",) * 2
    )
    for bots, message in [
        (["rules", "rules"], "bots: 2 names, expected 1 or 3"),
        ([], "bots: 0 names"),
        (["belote"], "bot: 'belote' is not one of"),
    ]:
        with pytest.raises(OptionError, match=message):
            names_by_seat(bots, 0, 4)
