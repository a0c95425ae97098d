from __future__ import annotations

import pickle
from dataclasses import replace

import pytest

from tarot_sim.cards import Card, Hand
from tarot_sim.deals.deal import Deal
from tarot_sim.errors import CardError, IllegalPlayError, RecordError, RecordWarning
from tarot_sim.rules import CONTRACTS, Contract, Rules
from tests.records import ENDING, FIVE, FOUR, Record, changed, played


class TestRecord:
    @pytest.mark.parametrize("record", [FOUR, FIVE, ENDING], ids=["four", "five", "ending"])
    def test_comes_back(self, record: Record) -> None:
        deal = Deal.from_dict(record)
        assert Deal.from_dict(deal.to_dict()) == deal

    def test_keys_in_order(self) -> None:
        assert list(Deal.from_dict(FOUR).to_dict().items()) == list(FOUR.items())

    def test_random_deals_come_back(self) -> None:
        for seed in range(30):
            deal = Deal.random(3 + seed % 3, rng=seed)
            assert Deal.from_dict(deal.to_dict()) == deal

    def test_ending(self) -> None:
        deal = Deal.from_dict(ENDING)
        assert deal.is_ending
        assert deal.attack_half_points == 61
        record = deal.to_dict()
        assert record["attack_points"] == 30.5
        assert record["attack_bouts"] == ["A1"]
        assert "dog" not in record
        assert "discard" not in record
        assert "swept" not in record

    def test_null_is_absent(self) -> None:
        nulls = dict.fromkeys(
            ("leader", "partner", "attack_points", "attack_bouts", "swept", "rules", "called")
        )
        assert Deal.from_dict(FOUR | nulls) == Deal.from_dict(FOUR)

    def test_other_keys_are_ignored_with_a_warning(self) -> None:
        with pytest.warns(RecordWarning, match=r"^(name|club): unknown field, ignored$") as said:
            assert Deal.from_dict(FOUR | {"name": "x", "club": []}) == Deal.from_dict(FOUR)
        assert ["name", "club"] == [str(one.message).partition(":")[0] for one in said]
        shown = {"seat": 0, "level": "simple", "by": "hand"}
        with pytest.warns(RecordWarning, match=r"^by: unknown field"):
            Deal.from_dict(FOUR | {"poignees": [shown]})
        with pytest.raises(
            RecordError, match=r"^poignees\[0\]: levl: unknown field, did you mean l"
        ):
            Deal.from_dict(FOUR | {"poignees": [{"seat": 0, "levl": "simple"}]})

    def test_rules(self) -> None:
        fft = Deal.from_dict(FOUR | {"rules": "fft"})
        assert fft.rules == Rules.fft(4)
        assert Deal.from_dict(fft.to_dict()) == fft
        off = Deal.from_dict(FOUR | {"rules": {"petit_sec": "off"}})
        assert off.to_dict()["rules"] == {"petit_sec": "off"}
        assert Deal.from_dict(off.to_dict(), rules=Rules.fft(4)).rules == Rules.fft(4)
        assert Deal.from_dict(FIVE, rules=Rules.fft(3)).rules == Rules.fft(5)

    def test_pickle_and_hash(self) -> None:
        deal = Deal.from_dict(FOUR)
        assert pickle.loads(pickle.dumps(deal)) == deal
        assert hash(deal) == hash(Deal.from_dict(FOUR))


class TestAttack:
    def test_partner_holds_the_called_card(self) -> None:
        deal = Deal.from_dict(FIVE)
        assert deal.associate == 1
        assert deal.attack == (0, 1)

    @pytest.mark.parametrize("called", ["PR", "TR"], ids=["own hand", "dog"])
    def test_alone(self, called: str) -> None:
        deal = Deal.from_dict(changed(FIVE, called=called))
        assert deal.associate is None
        assert deal.attack == (0,)

    def test_ending(self) -> None:
        record = {"players": 5, "hands": ["A21", "KR", "P1", "P2", "P3"], "leader": 0, "taker": 0}
        assert Deal.from_dict(record).attack == (0,)
        assert Deal.from_dict(record | {"called": "KR"}).attack == (0, 1)
        assert Deal.from_dict(record | {"called": "CR", "partner": 3}).attack == (0, 3)
        assert Deal.from_dict(record | {"called": "CR", "partner": 0}).attack == (0,)
        assert Deal.from_dict(record | {"partner": 4}).attack == (0, 4)
        with pytest.raises(RecordError, match="called: CR is in no hand, so the ending needs"):
            Deal.from_dict(record | {"called": "CR"})
        with pytest.raises(RecordError, match=r"partner: 2, but KR is in hands\[1\]"):
            Deal.from_dict(record | {"called": "KR", "partner": 2})
        with pytest.raises(CardError, match="called: A21 is no Roi"):
            Deal.from_dict(record | {"called": "A21"})
        with pytest.raises(RecordError, match="partner: only at 5 players"):
            Deal.from_dict(changed(ENDING, partner=1))

    def test_without_a_taker(self) -> None:
        deal = Deal.random(rng=1)
        for ask in (lambda: deal.attack, deal.play_hands, deal.position):
            with pytest.raises(RecordError, match="taker: missing"):
                ask()

    def test_four_rois_call_lower(self) -> None:
        hands = [
            "A:21,20,19,18,17,16,15,14 P:R,D C:R,D K:R T:R,D",
            *FIVE["hands"][1:],
        ]
        hands[1] = hands[1].replace("K:R", "K:D")
        hands[2] = hands[2].replace("K:V", "K:C")
        record = changed(FIVE, hands=hands, dog="K:V,2,1", called="KR")
        with pytest.raises(RecordError, match="called: KR may not be called, only one of PD"):
            Deal.from_dict(record)
        assert Deal.from_dict(changed(record, called="KD")).attack == (0, 1)
        assert Deal.from_dict(record, rules=Rules.fft(5)).attack == (0,)


class TestPosition:
    def test_hands_after_the_ecart(self) -> None:
        deal = Deal.from_dict(changed(FOUR, discard="K:2,1 T:4,3,2 PD", plays=[]))
        assert deal.play_hands()[0] == Hand(deal.hands[0] - Hand("PD") | Hand("T1"))
        assert deal.play_hands()[1:] == deal.hands[1:]
        assert deal.position().attack_half_points == Hand("K:2,1 T:4,3,2 PD").half_points

    @pytest.mark.parametrize("contract", CONTRACTS)
    def test_what_the_attack_has_before_the_play(self, contract: Contract) -> None:
        hands = [FOUR["hands"][0], *FOUR["hands"][1:3], FOUR["hands"][3].replace(",EX", "") + " T4"]
        record = changed(FOUR, hands=hands, dog="EX K:2,1 T:3,2,1", plays=[], contract=contract)
        discard = "PD K:2,1 T:3,2,1" if contract in ("prise", "garde") else None
        position = Deal.from_dict(changed(record, discard=discard)).position()
        expected = {"prise": 12, "garde": 12, "garde_sans": 14, "garde_contre": 0}[contract]
        assert position.attack_half_points == expected
        bouts = Hand("EX") if contract == "garde_sans" else Hand()
        assert position.attack_bouts == bouts
        assert position.won == (False, False)

    def test_leader(self) -> None:
        assert Deal.from_dict(FOUR).first_leader == 0
        assert Deal.from_dict(changed(FOUR, dealer=0, plays=[])).first_leader == 1
        chelem = Deal.from_dict(changed(FOUR, dealer=0, chelem=True))
        assert chelem.first_leader == 0
        assert chelem.position(0).leader == 0
        assert Deal.from_dict(ENDING).position().leader == 1

    def test_ply(self) -> None:
        deal = Deal.from_dict(FOUR)
        assert deal.position(0).plays == ()
        assert deal.position(2).plays == (Card.parse("PR"), Card.parse("P10"))
        assert deal.position().to_move == 3  # a trump has won the trick
        for ply in (-1, 5):
            with pytest.raises(RecordError, match=f"plays: 4 cards, there is no ply {ply}"):
                deal.position(ply)

    def test_called_suit_is_not_led_first(self) -> None:
        with pytest.raises(IllegalPlayError, match=r"plays\[0\]: seat 0 cannot play KD: the call"):
            Deal.from_dict(changed(FIVE, plays=["KD"]))
        deal = Deal.from_dict(changed(FIVE, plays=["EX", "KD"], dealer=3))
        assert deal.position().to_move == 1

    def test_ending(self) -> None:
        for swept, won in (
            (None, (True, True)),
            ("attack", (True, False)),
            ("defence", (False, True)),
        ):
            position = Deal.from_dict(changed(ENDING, swept=swept)).position()
            assert position.won == won
            assert position.attack_half_points == 61
            assert position.attack_bouts == Hand("A1")
            assert position.attack == (0,)

    @pytest.mark.parametrize("players", [3, 4, 5])
    def test_an_ending_goes_on_as_the_whole_deal(self, players: int) -> None:
        for seed in range(20):
            deal = Deal.random(players, rng=seed)
            called = None
            if players == 5:
                called = next(card for card in Hand("PR CR KR TR") if card not in deal.hands[1])
            whole = played(replace(deal, taker=1, contract="garde_sans", called=called), seed)
            ply = len(whole.plays) - 4 * players
            start = whole.position(ply)
            attack_won, defence_won = start.won
            ending = Deal(
                players,
                None,
                start.hands,
                taker=1,
                contract="garde_sans",
                called=called,
                partner=1 if whole.associate is None and players == 5 else whole.associate,
                plays=whole.plays[ply:],
                leader=start.leader,
                attack_half_points=start.attack_half_points,
                attack_bouts=start.attack_bouts,
                swept=None if attack_won and defence_won else "attack" if attack_won else "defence",
            )
            assert ending.position().result() == whole.position().result()
            assert Deal.from_dict(ending.to_dict()) == ending
