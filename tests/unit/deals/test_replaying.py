from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from tarot_sim.cards import Hand, parse_cards
from tarot_sim.deals.deal import Deal
from tarot_sim.deals.dealing import Draws
from tarot_sim.deals.replaying import Replay, Trick, replay
from tarot_sim.errors import RecordError
from tarot_sim.rules import CONTRACTS, Rules
from tarot_sim.rules.auction import callable_cards
from tests.golden.refresh import FOLDER


def golden(name: str) -> tuple[Deal, Replay]:
    """Return a golden deal and its replay."""
    record = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))["record"]
    deal = Deal.from_dict(record)
    return deal, replay(deal)


def ending(*hands: str, plays: str, **fields: Any) -> Replay:
    """Replay an ending that seat 0 leads and, unless told otherwise, takes."""
    record = {
        "players": len(hands),
        "hands": list(hands),
        "leader": 0,
        "taker": 0,
        "contract": "garde",
        "plays": plays.split(),
    }
    return replay(Deal.from_dict(record | fields))


def test_chelem_with_the_excuse_last() -> None:
    """Petit au bout in the second-last trick; the Excuse wins the last and all 91 points."""
    _, answer = golden("chelem-excuse-last")
    assert answer.attack_half_points == 182
    assert answer.bouts == 3
    assert answer.petit_au_bout == "attack"
    assert answer.chelem == "announced_made"
    assert answer.tricks[-1].winner == 2
    # (25 + 55) × 4 + 40 for the triple poignée + 10 × 4 + 400
    assert answer.scores == (-800, -800, 2400, -800)


def test_camp_without_a_trick() -> None:
    """The defence wins every trick: by default it has the attack's Excuse as well."""
    deal, answer = golden("chelem-of-the-defence")
    assert deal.discard is not None
    assert answer.attack_half_points == deal.discard.half_points
    assert answer.bouts == 0
    assert answer.chelem == "by_defence"
    assert answer.petit_au_bout == "defence"
    other, kept = golden("chelem-of-the-defence-fft")
    assert other.plays == deal.plays
    assert kept.attack_half_points == answer.attack_half_points + 8
    assert kept.bouts == 1


def test_announced_chelem_of_the_other_camp() -> None:
    deal, answer = golden("chelem-announced-and-lost")
    assert deal.first_leader == deal.taker == 0
    assert answer.tricks[0].leader == 0
    assert answer.chelem == "announced_by_defence"
    # −(25 + 56) × 6 − 10 × 6 − 400, twice for the taker of three
    assert answer.scores == (-1892, 946, 946)


def test_excuse_lost_in_the_last_trick() -> None:
    deal, answer = golden("excuse-lost-last")
    assert deal.taker is not None
    position = deal.position(len(deal.plays) - 4)
    assert position.hand(deal.taker) == Hand("EX")
    # Nothing is paid for it: the attack has what it had before the trick.
    assert answer.attack_half_points == position.attack_half_points
    assert answer.bouts == len(position.attack_bouts)


def test_excuse_in_the_own_camps_last_trick() -> None:
    """By default it stays; under the federation's text it changes camp for 4 points."""
    deal, answer = golden("excuse-last-own-camp")
    other, changed = golden("excuse-last-own-camp-fft")
    assert other.plays == deal.plays
    assert changed.attack_half_points == answer.attack_half_points + 8
    assert (answer.bouts, changed.bouts) == (1, 2)


@pytest.mark.parametrize(
    "name", ["alone-own-roi", "called-in-the-dog-garde", "called-in-the-dog-garde-contre"]
)
def test_alone_at_five(name: str) -> None:
    deal, answer = golden(name)
    assert deal.called is not None
    assert deal.associate is None
    assert answer.scores is not None
    assert answer.per_defender is not None
    assert deal.taker is not None
    assert answer.scores[deal.taker] == 4 * answer.per_defender
    assert answer.scores.count(-answer.per_defender) == 4
    if name.endswith("contre"):
        assert deal.called in deal.dog


@pytest.mark.parametrize(("points", "sign"), [(60, 1), (10, -1)], ids=["made", "down"])
def test_poignee_goes_to_who_wins_the_contract(points: int, sign: int) -> None:
    """Whoever showed it: here the taker, a defender, or both."""

    def per_defender(*levels: tuple[int, str]) -> int | None:
        poignees = [{"seat": seat, "level": level} for seat, level in levels]
        hands = ("PR", "P2", "P3", "P4")
        plays = "PR P2 P3 P4"
        return ending(*hands, plays=plays, attack_points=points, poignees=poignees).per_defender

    bare = per_defender()
    assert bare is not None
    assert per_defender((1, "simple")) == bare + 20 * sign
    assert per_defender((0, "simple")) == bare + 20 * sign
    assert per_defender((0, "double"), (3, "simple")) == bare + 50 * sign


def test_cut_short() -> None:
    deal, answer = golden("cut-short")
    assert len(deal.plays) == 30
    assert len(answer.tricks) == 8
    assert answer.tricks[-1] == Trick(answer.tricks[-1].leader, deal.plays[28:], None)
    assert not answer.is_over
    document = answer.to_dict()
    assert [document[key] for key in ("bouts", "made", "per_defender", "scores")] == [None] * 4
    settled = sum(card.half_points for card in deal.plays[:28]) + deal.dog.half_points
    assert answer.attack_half_points + answer.defence_half_points == settled


def test_no_plays_yet() -> None:
    deal = replace(Deal.random(rng=1), taker=0, contract="garde_contre")
    answer = replay(deal)
    assert answer.tricks == ()
    assert (answer.attack_half_points, answer.defence_half_points) == (0, deal.dog.half_points)


def test_ending() -> None:
    answer = ending("A21", "PR", "A1", "EX", plays="A21 PR A1 EX", attack_points=40)
    assert answer.tricks == (Trick(0, tuple(parse_cards("A21 PR A1 EX")), 0),)
    assert answer.attack_half_points == 80 + 4 * 9
    assert answer.bouts == 3
    assert answer.made
    assert answer.petit_au_bout == "attack"
    assert answer.scores == (3 * (2 * 47 + 20), *[-(2 * 47 + 20)] * 3)


def test_ending_without_a_contract() -> None:
    answer = ending("A21", "PR", "A1", "EX", plays="A21 PR A1 EX", contract=None)
    assert answer.is_over
    assert answer.made is False  # 18 card points are not the 36 needed
    assert answer.score is None
    assert answer.scores is None
    assert answer.per_defender is None


def test_swept_ending() -> None:
    """A camp that has won every trick wins the last with the Excuse that it leads."""
    fields = {"attack_points": 70, "attack_bouts": ["A21", "A1"]}
    swept = ending("EX", "PR", "CR", "K1", plays="EX PR CR K1", swept="attack", **fields)
    assert swept.chelem == "made"
    assert swept.tricks[-1].winner == 0
    assert swept.attack_half_points == 140 + 28
    assert swept.bouts == 3
    shared = ending("EX", "PR", "CR", "K1", plays="EX PR CR K1", **fields)
    assert shared.chelem is None
    assert shared.tricks[-1].winner == 1
    assert shared.bouts == 2


def test_halves_at_three() -> None:
    """40.5 points for 41 are down 1, 41.5 are made by 1."""
    for points, made, per_defender in ((29, False, -26), (30, True, 26)):
        answer = ending(
            "PR",
            "P2",
            "P3",
            plays="PR P2 P3",
            contract="prise",
            attack_points=points + 6,
            attack_bouts=["A21", "A1"],
        )
        assert answer.to_dict()["points"]["attack"] == points + 11.5
        assert (answer.made, answer.per_defender) == (made, per_defender)


@pytest.mark.parametrize("players", [3, 4, 5])
def test_promises(players: int) -> None:
    """Points sum to 91, scores to 0, four-player piles are whole."""
    draws = Draws(players)
    for seed in range(40):
        rules = Rules.fft(players) if seed % 2 else Rules(players=players)
        deal = Deal.random(rng=draws, rules=rules)
        called = None
        if players == 5:
            called = callable_cards(deal.hands[0], rules)[seed % 4]
        contract = CONTRACTS[2 + seed // 2 % 2]
        deal = replace(deal, taker=0, contract=contract, called=called)
        position = deal.position()
        while not position.is_over:
            legal = position.legal_cards()
            position.play(legal[draws.below(len(legal))])
        answer = replay(replace(deal, plays=position.plays))
        assert answer.attack_half_points + answer.defence_half_points == 182
        assert answer.scores is not None
        assert sum(answer.scores) == 0
        assert len(answer.scores) == players
        assert len(answer.tricks) == rules.hand_size
        if players == 4:
            assert answer.attack_half_points % 2 == 0


def test_document_has_the_keys() -> None:
    _, answer = golden("random-5-garde")
    document = answer.to_dict()
    assert list(document) == [
        "schema",
        "tricks",
        "points",
        "bouts",
        "made",
        "petit_au_bout",
        "chelem",
        "per_defender",
        "scores",
    ]
    assert json.loads(json.dumps(document)) == document
    assert list(document["tricks"][0]) == ["leader", "cards", "winner"]


def test_needs_a_taker() -> None:
    with pytest.raises(RecordError, match="taker: missing"):
        replay(Deal.random(rng=1))
