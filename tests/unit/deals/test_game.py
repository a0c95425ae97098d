from __future__ import annotations

import copy
import json
from fractions import Fraction
from itertools import islice
from random import Random
from typing import Any

import pytest

from tarot_sim.cards import FULL_PACK, Card, Hand
from tarot_sim.deals.deal import Deal
from tarot_sim.deals.game import Game
from tarot_sim.deals.replaying import replay
from tarot_sim.errors import BidError, HandError, IllegalPlayError
from tarot_sim.rules import CONTRACTS, Contract, Rules
from tarot_sim.rules.discard import iter_discards
from tarot_sim.worlds.discards import choose_discard
from tests.reference import rules as reference
from tests.reference import scoring as reference_scoring


def game_with(*hands: str, dog: str = "", dealer: int = 3, rules: Rules | None = None) -> Game:
    """Return a game in which the first seats and the dog hold at least these cards.

    What is missing is dealt from the pack, the low cards first; a taker at seat 0 speaks
    first if the dealer is the last seat.
    """
    table = Rules() if rules is None else rules
    fixed = [Hand(cards) for cards in hands] + [Hand()] * (table.players - len(hands))
    sizes = [table.hand_size] * table.players + [table.dog_size]
    groups = [*fixed, Hand(dog)]
    rest = list(FULL_PACK)
    for group in groups:
        rest = [card for card in rest if card not in group]
    for place, size in enumerate(sizes):
        wanted = size - len(groups[place])
        groups[place] |= Hand(rest[:wanted])
        rest = rest[wanted:]
    return Game(groups[:-1], groups[-1], dealer=dealer, rules=table)


def take(game: Game, contract: Contract, called: str | None = None) -> None:
    """Let seat 0 take, call and discard by the rule."""
    while game.phase == "auction":
        game.bid(contract if game.to_move == 0 else "pass")
    if game.phase == "call":
        game.call(called or game.callable_cards()[0])
    if game.phase == "discard":
        game.discard(choose_discard(game.hands[0], game.rules, called=game.called))


def play_out(game: Game, random: Random | None = None) -> None:
    """Play the highest legal card each time, or any."""
    while game.phase == "play":
        legal = game.legal_cards()
        game.play(legal[-1] if random is None else random.choice(legal))


#: Every trick: the trumps from the top, then the Roi, Dame and Cavalier of a suit.
SWEEP = "A:21,20,19,18,17,16,15,14,13,12,11,10,9,8,7,6 P:R,D"


# --- the phases -----------------------------------------------------------------------


def test_phases_at_four() -> None:
    game = game_with(SWEEP)
    assert ("auction", 0) == (game.phase, game.to_move)
    game.bid("garde")
    game.bid("pass")
    game.bid("pass")
    assert (None, None, ()) == (game.taker, game.contract, game.attack)  # the dealer may speak
    game.bid("pass")
    assert ("discard", 0) == (game.phase, game.to_move)
    assert (0, "garde", (0,)) == (game.taker, game.contract, game.attack)
    assert 24 == len(game.hands[0])
    game.discard(choose_discard(game.hands[0], game.rules))
    assert ("play", 0, True) == (game.phase, game.to_move, game.may_announce_chelem())
    play_out(game)
    assert ("over", "played", None) == (game.phase, game.outcome, game.to_move)
    assert game.score is not None
    assert game.scores is not None
    assert 0 == sum(game.scores)


@pytest.mark.parametrize("contract", ["garde_sans", "garde_contre"])
def test_no_discard_without_the_dog(contract: Contract) -> None:
    game = game_with(SWEEP)
    take(game, contract)
    assert "play" == game.phase
    assert not game.takes_dog
    assert game.discarded is None
    assert game.dealt == game.hands


def test_all_pass() -> None:
    game = game_with(SWEEP)
    for _ in range(4):
        game.bid("pass")
    assert ("over", "passed", None, None) == (game.phase, game.outcome, game.to_move, game.scores)


def test_everything_at_its_time() -> None:
    game = game_with(SWEEP)
    with pytest.raises(BidError, match=r"^discard: it is not the time, the phase is auction"):
        game.discard("P1")
    with pytest.raises(BidError, match=r"^chelem: it is not the time"):
        game.announce_chelem()
    with pytest.raises(BidError, match=r"^poignee: it is not the time"):
        game.show_poignee("simple")
    with pytest.raises(BidError, match=r"^call: it is not the time"):
        game.call("PR")
    with pytest.raises(
        IllegalPlayError, match=r"^card PR: no card is played, the phase is auction"
    ):
        game.play("PR")
    assert ([], [], ()) == (game.legal_cards(), game.callable_cards(), game.legal_poignees())
    take(game, "garde")
    with pytest.raises(BidError, match=r"^bid: it is not the time, the phase is play"):
        game.bid("pass")
    with pytest.raises(IllegalPlayError, match="PV"):
        game.play("PV")
    assert () == game.legal_bids()
    play_out(game)
    with pytest.raises(IllegalPlayError, match="the phase is over"):
        game.play("PR")


def test_strange_deals() -> None:
    hands = [Hand(range(seat, 72, 4)) for seat in range(4)]
    dog = Hand(range(72, 78))
    Game(hands, dog, dealer=0)
    for message, arguments in (
        ("hands: 2 hands, expected 3, 4 or 5", (hands[:2], dog)),
        (r"hands\[0\]: 18 cards, expected 24", (hands[:3], dog)),
        ("dog: 5 cards, expected 6", (hands, Hand(range(72, 77)))),
        (r"hands\[1\]: card P1 comes twice", ([hands[0], hands[0], *hands[2:]], dog)),
    ):
        with pytest.raises(HandError, match=message):
            Game(*arguments, dealer=0)
    with pytest.raises(HandError, match="hands: 4 hands, expected 5"):
        Game(hands, dog, dealer=0, rules=Rules(players=5))
    with pytest.raises(BidError, match="dealer: 4"):
        Game(hands, dog, dealer=4)


def test_copies_part() -> None:
    game = game_with(SWEEP)
    take(game, "garde")
    twin = copy.copy(game)
    play_out(twin)
    assert "over" == twin.phase
    assert ("play", ()) == (game.phase, game.plays)
    game.play(game.legal_cards()[0])
    position = game.position
    assert position is not None
    position.play(position.legal_cards()[0])
    assert 1 == len(game.plays)  # what the position does is not the game's


# --- the dog and the écart ------------------------------------------------------------


# Case 16: four Rois, 15 trumps, five plain cards: one ordinary trump must go.
def test_the_game_is_never_stuck_on_the_discard() -> None:
    game = game_with(
        "A:21,20,19,18,17,16,15,14,13,12,11,10 P:R C:R K:R T:R P:2,3", dog="A:9,8,7 C:4,5 T:6"
    )
    for _ in range(4):
        game.bid("garde" if game.to_move == 0 else "pass")
    with pytest.raises(BidError, match="A8 is a trump"):
        game.discard("A:9,8 P:2,3 C:4,5")
    game.discard("A:9 P:2,3 C:4,5 T:6")
    assert Hand("A:9") == game.shown_trumps
    assert 18 == len(game.hands[0])


def test_the_dog_counts_by_contract() -> None:
    dog = "A:21,1 P:R,D C:R,D"
    points: dict[Contract, int | None] = {}
    for contract in CONTRACTS:
        game = game_with("A:20,19,18,17,16,15,14", dog=dog)
        take(game, contract)
        position = game.position
        assert position is not None
        points[contract] = position.attack_half_points
    assert 9 * 4 + 7 * 2 == points["garde_sans"]
    assert 0 == points["garde_contre"]
    assert points["prise"] == points["garde"] != 0


# --- announcements --------------------------------------------------------------------


# Case 18: nine trumps and one from the dog make a poignée.
def test_poignee_with_a_trump_of_the_dog() -> None:
    game = game_with("A:20,19,18,17,16,15,14,13,12", dog="A:2 C:R P:R K:R T:R CD")
    take(game, "garde")
    assert ("simple",) == game.legal_poignees()
    shown = game.show_poignee("simple")
    assert (0, "simple") == (shown.seat, shown.level)
    assert Hand("A:20,19,18,17,16,15,14,13,12,2") == shown.cards
    with pytest.raises(BidError, match="has shown one or has played"):
        game.show_poignee("simple")


def test_poignee_without_the_dog_is_the_hands() -> None:
    game = game_with("A:20,19,18,17,16,15,14,13,12", dog="A:2 C:R P:R K:R T:R CD")
    take(game, "garde_sans")
    assert () == game.legal_poignees()


# A taker's trump in the own écart counts, and may be shown.
def test_poignee_with_a_trump_of_the_discard() -> None:
    rois = "P:R C:R K:R T:R"
    game = game_with(f"A:13,12,11,10,9,8,7,6,5,4,3,2 {rois} P:2,3", dog="A:14 C:2,3 K:2,3 EX")
    for _ in range(4):
        game.bid("garde" if game.to_move == 0 else "pass")
    game.discard("P:2,3 C:2,3 K:2,3")
    assert ("simple", "double") == game.legal_poignees()
    other = game_with(f"A:13,12,11,10,9,8,7,6,5,4,3,2 {rois} P:2,3", dog="A:14,15,16 C:2,3 EX")
    for _ in range(4):
        other.bid("garde" if other.to_move == 0 else "pass")
    other.discard("P:2,3 C:2,3 A:2,3")
    assert ("simple", "double", "triple") == other.legal_poignees()
    assert 13 == len(other.hands[0].trumps)
    with pytest.raises(BidError, match="the Excuse may not stand in for A2"):
        other.show_poignee("triple", "A:16,15,14,13,12,11,10,9,8,7,6,5,4,3,EX")
    other.show_poignee("triple", "A:16,15,14,13,12,11,10,9,8,7,6,5,4,3,2")


# Case 10: a defender's poignée goes to the camp that wins the contract.
def test_poignee_of_a_defender() -> None:
    def settled(show: bool) -> int:
        game = game_with("PR CR", "A:10,9,8,7,6,5,4,3,2,11", dog="T:2,3,4,5,6,7")
        take(game, "prise")
        game.play(game.legal_cards()[0])
        assert ("simple",) == game.legal_poignees()
        if show:
            game.show_poignee("simple")
        play_out(game)
        assert game.score is not None
        assert not game.score.made
        return game.score.per_defender

    assert settled(True) == settled(False) - 20


def test_poignee_comes_before_ones_first_card() -> None:
    game = game_with("PR CR", "A:10,9,8,7,6,5,4,3,2,11")
    take(game, "prise")
    assert () == game.legal_poignees()
    for _ in range(4):
        game.play(game.legal_cards()[0])
    while game.to_move != 1:
        game.play(game.legal_cards()[0])
    with pytest.raises(BidError, match="seat 1 has shown one or has played"):
        game.show_poignee("simple")


def test_chelem_announced_and_made() -> None:
    # Seat 1 is the dealer's right; the announcer leads all the same.
    game = game_with(SWEEP, dog="P:C,V,10,9,8,7", dealer=0)
    take(game, "garde")
    assert 1 == game.to_move
    assert game.may_announce_chelem()
    game.announce_chelem()
    assert (0, False) == (game.to_move, game.may_announce_chelem())
    with pytest.raises(BidError, match="announced already"):
        game.announce_chelem()
    play_out(game)
    assert game.score is not None
    assert game.score.made
    value = 2 * (25 + game.score.difference)
    assert {value + 400, value + 420} >= {game.score.per_defender}


def test_chelem_is_announced_before_the_first_card() -> None:
    game = game_with(SWEEP)
    take(game, "garde")
    game.play(game.legal_cards()[0])
    with pytest.raises(BidError, match="chelem: it is announced before the first card"):
        game.announce_chelem()


# Case 12: the defence takes all tricks; an announced chelem makes it worse.
@pytest.mark.parametrize(("expected", "announced"), [(-200, False), (-400, True)])
def test_chelem_by_the_defence(expected: int, announced: bool) -> None:
    low = "P:2,3,4,5 C:2,3,4,5 K:2,3,4,5 T:2,3,4,5,6,7"
    game = game_with(low, dog="P:1,6 C:1,6 K:1,6")
    take(game, "prise")
    if announced:
        game.announce_chelem()
    play_out(game)
    assert game.score is not None
    assert not game.score.made
    plain = -(25 + game.score.difference)
    assert game.score.per_defender - expected in (plain, plain - 10)


# --- five players ---------------------------------------------------------------------


def five(dog: str = "") -> Game:
    return game_with(
        "A:21,20,19 C:R",
        "P:R A:2",
        "K:R A:3",
        "A:4",
        "A:5",
        dog=dog,
        dealer=4,
        rules=Rules(players=5),
    )


# Case 14: with a partner, alone by one's own card, alone by the dog.
@pytest.mark.parametrize(("partner", "called"), [(1, "PR"), (2, "KR"), (None, "CR"), (None, "TR")])
@pytest.mark.parametrize("contract", CONTRACTS)
def test_call(partner: int | None, called: str, contract: Contract) -> None:
    game = five(dog="T:R")
    while game.phase == "auction":
        game.bid(contract if game.to_move == 0 else "pass")
    assert ("call", 0) == (game.phase, game.to_move)
    assert [Card.parse(name) for name in ("PR", "CR", "KR", "TR")] == game.callable_cards()
    with pytest.raises(BidError, match=r"^call: PD may not be called, only PR, CR, KR, TR"):
        game.call("PD")
    take(game, contract, called)
    assert partner == game.partner
    assert ((0,) if partner is None else (0, partner)) == game.attack
    play_out(game, Random(5))
    assert game.score is not None
    assert game.scores is not None
    value = game.score.per_defender
    if partner is None:
        assert (4 * value, *[-value] * 4) == game.scores
    else:
        assert (2 * value, value) == (game.scores[0], game.scores[partner])
        assert 3 == game.scores.count(-value)


def test_the_called_suit_is_not_led_to_the_first_trick() -> None:
    game = five()
    take(game, "garde_sans", "PR")
    assert not [card for card in game.legal_cards() if card.suit == 0]
    game.play("CR")
    assert game.called == Card.parse("PR")


# --- against the reference, whole games at random -------------------------------------


def random_game(rules: Rules, random: Random) -> Game:
    while True:
        pack = random.sample(range(78), 78)
        size = rules.hand_size
        hands = [Hand(pack[seat * size : seat * size + size]) for seat in range(rules.players)]
        game = Game(hands, Hand(pack[rules.players * size :]), dealer=0, rules=rules)
        if game.phase == "auction":
            return game


def play_at_random(game: Game, random: Random) -> None:
    taker, contract = random.randrange(game.players), random.choice(CONTRACTS)
    while game.phase == "auction":
        game.bid(contract if game.to_move == taker else "pass")
    if game.phase == "call":
        game.call(random.choice(game.callable_cards()))
    if game.phase == "discard":
        held = game.hands[taker]
        choices = islice(iter_discards(held, game.rules), random.randrange(50), None)
        game.discard(next(choices, choose_discard(held, game.rules)))
    if random.random() < 0.1:
        game.announce_chelem()
    while game.phase == "play":
        levels = game.legal_poignees()
        if levels and random.random() < 0.5:
            game.show_poignee(random.choice(levels))
        game.play(random.choice(game.legal_cards()))


def reference_scores(game: Game) -> tuple[int, tuple[int, ...]]:
    """Return the attack's half points and the scores, by the slow rules."""
    rules, contract, taker = game.rules, game.contract, game.taker
    assert contract is not None
    assert taker is not None
    hands = [[card.name for card in hand] for hand in game.dealt]
    aside = [card.name for card in game.dog]
    if game.discarded is not None:
        aside = [card.name for card in game.discarded]
        pool = game.dealt[taker] | game.dog
        hands[taker] = [card.name for card in pool - game.discarded]
    table = reference.Table(
        rules.players,
        frozenset(game.attack),
        rules.excuse_last,
        rules.excuse_no_trick,
        called=None if game.called is None else game.called.name,
    )
    state = reference.whole_deal(
        table,
        hands,
        aside,
        "defence" if contract == "garde_contre" else "attack",
        taker if game.chelem_announced else 1,
    )
    for card in game.plays:
        assert card.name in reference.legal(state)
        state = reference.play(state, card.name)
    end = reference.settle(state)
    value = reference_scoring.per_defender(
        contract,
        Fraction(end.attack_half_points, 2),
        len(end.attack_bouts),
        petit_au_bout=end.petit_au_bout,
        poignees=[poignee.level for poignee in game.poignees],
        chelem=end.chelem,
        chelem_announced=game.chelem_announced,
    )
    shares = reference_scoring.scores(rules.players, value, partner=game.partner is not None)
    scores = [shares["defender"]] * rules.players
    scores[taker] = shares["taker"]
    if game.partner is not None:
        scores[game.partner] = shares["partner"]
    return end.attack_half_points, tuple(scores)


@pytest.mark.parametrize(
    "rules", [table(players) for table in (Rules, Rules.fft) for players in (3, 4, 5)]
)
def test_whole_games_agree_with_the_reference(rules: Rules) -> None:
    random = Random(2 * rules.players + (rules == Rules.fft(rules.players)))
    for _ in range(60):
        game = random_game(rules, random)
        play_at_random(game, random)
        position = game.position
        assert position is not None
        half_points, scores = reference_scores(game)
        assert half_points == position.result().attack_half_points
        assert scores == game.scores
        if rules.players == 4:
            assert 0 == half_points % 2


@pytest.mark.parametrize("players", [3, 4, 5])
def test_records_replay_to_the_same_score(players: int) -> None:
    random = Random(players)
    for rules in (Rules(players=players), Rules.fft(players)):
        for _ in range(20):
            game = random_game(rules, random)
            play_at_random(game, random)
            record: dict[str, Any] = json.loads(json.dumps(game.to_record()))
            deal = Deal.from_dict(record)
            assert record == deal.to_dict()
            assert game.scores == replay(deal).scores


def test_records_of_unfinished_games() -> None:
    game = game_with(SWEEP)
    assert Deal.from_dict(game.to_record()).taker is None
    take(game, "garde")
    game.play(game.legal_cards()[0])
    record = game.to_record()
    assert (0, "garde", 1) == (record["taker"], record["contract"], len(record["plays"]))
    assert 1 == len(Deal.from_dict(record).plays)


# --- Petit sec ------------------------------------------------------------------------


# Case 19: the deal is cancelled before the bidding, unless the option is off.
def test_petit_sec() -> None:
    low = "A1 P:2,3,4,5 C:2,3,4,5 K:2,3,4,5 T:2,3,4,5,6"
    game = game_with("A:21", low)
    assert ("over", "petit_sec", None) == (game.phase, game.outcome, game.scores)
    assert () == game.legal_bids()
    with pytest.raises(BidError, match="the phase is over"):
        game.bid("pass")
    assert "auction" == game_with("A:21", low, rules=Rules(petit_sec="off")).phase
    # With the Excuse, or with a second trump, it is not one.
    for other in ("EX A1", "A:2,1"):
        held = low.replace("A1", other).replace(",6", "")
        assert "auction" == game_with("A:21", held).phase


# Only the dealt hand counts: the Petit alone after the écart is no Petit sec.
def test_petit_alone_after_the_discard() -> None:
    game = game_with("A1 EX", dog="A:2")
    take(game, "garde")
    assert "play" == game.phase


def test_the_deal_grows_with_the_game() -> None:
    game = game_with(SWEEP)
    seen = [game.deal]
    take(game, "garde")
    seen.append(game.deal)
    game.show_poignee("simple")
    seen.append(game.deal)
    play_out(game)
    assert [None, 0, 0] == [deal.taker for deal in seen]
    assert game.deal.plays == game.plays
    assert game.deal.is_played_out
    for deal in (*seen, game.deal):
        assert deal == Deal.from_dict(deal.to_dict())
    assert "A:21,20,19,18,17,16,15,14,13,12" == game.to_record()["poignees"][0]["cards"]
    again = replay(game.deal)
    assert (game.score, game.scores) == (again.score, again.scores)
