from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tarot_sim.cards import CARDS, Card, Hand
from tarot_sim.deals import formats
from tarot_sim.deals.deal import Deal, Poignee
from tarot_sim.deals.formats import record, tagged, tarotclub
from tarot_sim.errors import (
    CardError,
    HandError,
    IllegalPlayError,
    RecordError,
    RecordWarning,
    TarotError,
)
from tarot_sim.rules import Rules
from tests.golden.refresh import FOLDER

DEALS = [
    Deal.from_dict(json.loads(file.read_text(encoding="utf-8"))["record"])
    for file in sorted(FOLDER.glob("*.json"))
]
PLAYED = [deal for deal in DEALS if deal.is_played_out and not deal.is_ending]

#: A deal as a TarotClub test wrote it, five players.
DEAL_FILE = """{
    "Dog":"13-C;11-T;13-H",
    "East":"03-S;02-C;12-D;16-T;01-C;17-T;04-D;14-H;08-S;06-D;02-S;15-T;05-D;13-S;01-S",
    "Fifth":"02-H;08-H;18-T;03-C;05-T;04-T;02-T;04-C;13-T;14-D;06-H;03-T;08-C;02-D;10-H",
    "FirstPlayer":"Nowhere",
    "North":"03-D;04-S;10-C;07-C;14-C;09-C;07-S;10-T;19-T;08-D;11-S;09-T;09-H;10-S;07-D",
    "South":"05-C;00-T;12-S;04-H;07-T;01-H;14-T;06-C;11-C;08-T;12-C;06-S;10-D;05-H;11-D",
    "West":"12-T;14-S;09-S;12-H;05-S;20-T;21-T;07-H;09-D;01-D;03-H;06-T;01-T;11-H;13-D",
    "version":"3"
    }
"""


def wrong(call: Callable[[], object], error: type[TarotError], message: str) -> None:
    """Assert that a call raises this very error with one line that starts like this."""
    with pytest.raises(error) as caught:
        call()
    assert type(caught.value) is error
    assert str(caught.value).startswith(message), str(caught.value)
    assert "\n" not in str(caught.value)


class TestChoice:
    @pytest.mark.parametrize("name", ["record", "tagged"])
    def test_everything_comes_back(self, name: str) -> None:
        text = formats.dump(DEALS, name)
        assert formats.recognise(text) == name
        assert formats.load(text) == DEALS
        for deal in DEALS:
            one = formats.dump([deal], name)
            assert formats.recognise(one) == name
            assert formats.load(one, name) == [deal]

    def test_rules(self) -> None:
        for name in ("record", "tagged"):
            text = formats.dump(DEALS[:2], name)
            rules = Rules(excuse_last="changes_camp")
            deals = formats.load(text, rules=rules)
            assert [deal.rules for deal in deals] == [
                rules.with_players(deal.players) for deal in deals
            ]

    def test_unknown_format(self) -> None:
        wrong(lambda: formats.load("", "pbn"), RecordError, "format: 'pbn' is not one of record, ")
        wrong(lambda: formats.dump([], "pbn"), RecordError, "format: 'pbn' is not one of record, ")

    def test_anything_else_is_a_record(self) -> None:
        assert formats.recognise("hello") == "record"
        wrong(lambda: formats.load("hello"), RecordError, "record: not JSON at column 1")
        wrong(lambda: formats.load(" \n"), RecordError, "record: empty, expected JSON")


class TestRecord:
    text = record.dumps(DEALS[:3])

    def test_one_object_a_line(self) -> None:
        assert len(self.text.splitlines()) == 3
        assert record.loads(self.text) == DEALS[:3]
        assert list(record.iter_lines(self.text.splitlines())) == list(enumerate(DEALS[:3], 1))

    def test_one_object_over_several_lines(self) -> None:
        assert record.loads(json.dumps(DEALS[0].to_dict(), indent=2)) == DEALS[:1]

    def test_array(self) -> None:
        assert record.loads(json.dumps([deal.to_dict() for deal in DEALS])) == DEALS
        wrong(lambda: record.loads("[]"), RecordError, "record: the array holds no deal")
        wrong(lambda: record.loads("[{}]"), RecordError, "deal 0: players: missing")

    def test_empty_lines_are_skipped(self) -> None:
        lines = self.text.splitlines()
        spaced = [lines[0], "", "  ", lines[1]]
        assert [number for number, _ in record.iter_lines(spaced)] == [1, 4]

    def test_wrong_line(self) -> None:
        lines = self.text.splitlines()
        for bad, message in (
            ("{", "line 2: record: not JSON at column 2: "),
            ("3", "line 2: record: expected a JSON object, not a number"),
            ('{"players": 4}', "line 2: hands: missing"),
            ('{"taker": 1, "taker": 2}', "line 2: taker: comes twice in one object"),
            ('{"players": NaN}', "line 2: record: NaN is no number of JSON"),
            ('{"players": 1' + "0" * 5000 + "}", "line 2: record: a number is too long"),
            ("[" * 100_000, "line 2: record: nested too deeply"),
        ):
            text = "\n".join([lines[0], bad, lines[2]])
            wrong(lambda text=text: record.loads(text), RecordError, message)  # type: ignore[misc]
            answers = record.iter_lines(text.splitlines())
            assert next(answers) == (1, DEALS[0])
            wrong(lambda answers=answers: next(answers), RecordError, message)  # type: ignore[misc]

    def test_wrong_document(self) -> None:
        wrong(lambda: record.loads('{\n"a": 1,\n}'), RecordError, "record: not JSON at line 3")
        wrong(lambda: record.loads("null"), RecordError, "record: expected a JSON object, not null")


class TestTagged:
    def test_is_readable(self) -> None:
        deal = replace(DEALS[-1], plays=DEALS[-1].plays[:6])
        text = tagged.dumps([deal])
        lines = text.splitlines()
        assert lines[:3] == [
            '[Tarot "1"]',
            f'[Players "{deal.players}"]',
            f'[Dealer "{deal.dealer}"]',
        ]
        assert lines[4] == f"0    {deal.hands[0]}"
        assert lines[-1] == "*"
        assert max(map(len, lines)) <= 80

    def test_comments_and_other_tags(self) -> None:
        text = tagged.dumps(DEALS[:2])
        text = "; two deals\n" + text.replace("[Dealer", '[Event "Club"]\n[Dealer')
        text = text.replace("\n[Taker", " ; the dog\n\n[Taker")
        assert formats.recognise(text) == "tagged"
        with pytest.warns(RecordWarning, match=r"^\[Event\] is not known, ignored$"):
            assert tagged.loads(text) == DEALS[:2]

    def test_without_version(self) -> None:
        text = tagged.dumps(DEALS[:2]).replace('[Tarot "1"]\n', "")
        assert tagged.loads(text) == DEALS[:2]

    def test_names_of_cards_are_free(self) -> None:
        text = (
            '[Players "4"]\n[Deal "1"]\n0 a21\n1 ♠K\n2 A:1\n3 ex\n[Taker "0"]\n[Leader "0"]\n'
            '[AttackPoints "40,5"]\n[AttackBouts "A1"]\n'
        )
        wrong(lambda: tagged.loads(text), HandError, "attack_bouts: card A1 comes twice")
        deal = tagged.loads(text.replace('[AttackBouts "A1"]', '[Play "0"]\na21 ♠K a1 ex'))[0]
        assert deal.attack_half_points == 81
        assert deal.hands[1] == Hand("PR")
        assert deal.is_played_out

    def test_rules_and_announcements(self) -> None:
        rules = Rules(petit_sec="off", must_call_lower=False)
        deal = replace(DEALS[0], rules=rules, chelem=True, plays=())
        assert tagged.loads(tagged.dumps([deal])) == [deal]

    @pytest.mark.parametrize(
        ("text", "error", "message"),
        [
            ("", RecordError, "record: empty, expected tags"),
            ('[Dealer "1"]', RecordError, "line 1: [Dealer] stands before [Tarot] or [Players]"),
            ('[Tarot "2"]', RecordError, "line 1: [Tarot] '2' is not known, expected '1'"),
            ('[Players "4"]\n[Dealer "x"]', RecordError, "line 2: [Dealer] 'x' is not a number"),
            ('[Players "4"]\nhello', RecordError, "line 2: 'hello' is neither a tag nor in a"),
            (
                '[Players "4"]\n[Deal "1"]\n1 A21',
                RecordError,
                "line 3: '1' is not the next seat, 0",
            ),
            (
                '[Players "4"]\n[Contrat "x"]',
                RecordError,
                "line 2: [Contrat] is not known, did you",
            ),
            ('[Players "4"]\n[Chelem "yes"]', RecordError, "line 2: [Chelem] 'yes' is not 'announ"),
            ('[Players "4"]\n[Rules "fft"]', RecordError, "line 2: [Rules] 'fft' is not of the"),
            ('[Players "4"]\n[Taker "1"]\n[Taker "1"]', RecordError, "line 3: [Taker] comes twice"),
            ('[Players "4"]\n[Play "0"]\nXX', CardError, "line 3: unknown card 'XX'"),
            ('[Players "4"]\n[Deal "1"]\n0 XX', CardError, "hands[0]: unknown card 'XX'"),
            ('[Players "4"]', RecordError, "hands: 0 hands, expected 4"),
        ],
    )
    def test_wrong(self, text: str, error: type[TarotError], message: str) -> None:
        wrong(lambda: tagged.loads(text), error, message)

    def test_second_deal_wrong(self) -> None:
        text = tagged.dumps([DEALS[0]])
        lines = len(text.splitlines())
        wrong(
            lambda: tagged.loads(text + '\n[Players "4"]'),
            RecordError,
            f"line {lines + 2}: hands: 0 hands, expected 4",
        )


class TestTarotClub:
    def test_names(self) -> None:
        names = {card.name: tarotclub._card_name(card) for card in CARDS}
        assert len(set(names.values())) == 78
        expected = {"PR": "14-S", "C1": "01-H", "K10": "10-D", "TV": "11-C", "A21": "21-T"}
        assert expected.items() <= names.items()
        assert names["EX"] == "00-T"

    def test_deal_file(self) -> None:
        (deal,) = formats.load(DEAL_FILE)
        assert deal.players == 5
        assert str(deal.dog) == "A:11 C:D T:D"
        assert str(deal.hands[0]) == "A:14,8,7,EX P:C,6 C:5,4,1 K:V,10 T:C,V,6,5"
        assert deal.first_leader == 0
        built = tarotclub.build(deal)
        assert built["FirstPlayer"] == "South"
        assert tarotclub.parse(built) == deal
        assert {key: set(value.split(";")) for key, value in json.loads(DEAL_FILE).items()} == {
            key: set(value.split(";"))
            for key, value in (built | {"FirstPlayer": "Nowhere"}).items()
        }

    @pytest.mark.parametrize("players", [3, 4, 5])
    def test_deals_come_back(self, players: int) -> None:
        for seed in range(10):
            deal = Deal.random(players, rng=seed)
            document = tarotclub.build(deal)
            assert [document[name] == "" for name in tarotclub.PLACES] == [
                seat >= players for seat in range(5)
            ]
            assert tarotclub.loads(tarotclub.dumps([deal])) == [deal]

    def test_logs_come_back(self) -> None:
        for deal in PLAYED:
            text = tarotclub.dumps([deal])
            assert formats.recognise(text) == "tarotclub"
            (back,) = formats.load(text, rules=deal.rules)
            lost = tarotclub.losses(deal)
            assert replace(back, dealer=deal.dealer) == deal
            assert ("dealer" in lost) == (back.dealer != deal.dealer)
            assert ("rules" in lost) == (deal.rules != Rules(players=deal.players))
            assert set(lost) <= {"dealer", "rules"}

    def test_several_documents(self) -> None:
        deals = [replace(deal, rules=Rules(players=deal.players)) for deal in PLAYED[3:6]]
        text = tarotclub.dumps(deals)
        assert len(text.splitlines()) == 3
        assert formats.recognise(text) == "tarotclub"
        assert [deal.plays for deal in formats.load(text)] == [deal.plays for deal in deals]
        wrong(
            lambda: formats.load(text.replace('"version": "3"', '"version": "2"')),
            RecordError,
            "line 1: version: '2' is not '3'",
        )

    def test_log(self) -> None:
        deal = next(deal for deal in PLAYED if deal.chelem and deal.players == 4)
        document = tarotclub.build(deal)
        info = document["deal_info"]
        assert info["taker"] == info["first_trick_lead"] == "North"
        assert info["contract"] == "Guard without"
        assert info["slam"] is True
        assert set(info["attack_handle"].split(";")) == {f"{n:02d}-T" for n in range(7, 22)}
        assert info["defense_handle"] == ""
        assert len(document["tricks"]) == 18
        assert document["tricks"][-1] == "00-T;14-H;14-D;14-C"

    def test_poignee_with_the_excuse(self) -> None:
        """Nine trumps and the Excuse: shown, it says that there are no others."""
        taker = Hand("A:21,20,19,18,17,16,15,14,13,EX P:10,9,8,7,6,5,4,3")
        rest = iter([card for card in CARDS if card not in taker])
        hands = [taker, *(Hand([next(rest) for _ in range(18)]) for _ in range(3))]
        deal = Deal(4, 3, tuple(hands), Hand(rest), taker=0, contract="garde_sans")
        assert len(tarotclub._shown(deal, Poignee(0, "simple"))) == 10
        assert Card.parse("EX") in tarotclub._shown(deal, Poignee(0, "simple"))

    def test_five_players_need_the_called_card(self) -> None:
        deal = next(deal for deal in PLAYED if deal.players == 5)
        document = tarotclub.build(deal)
        del document["deal_info"]["called"]
        wrong(lambda: tarotclub.parse(document), RecordError, "called: missing; TarotClub's log")

    def test_what_has_no_form(self) -> None:
        cut = next(deal for deal in DEALS if deal.plays and not deal.is_played_out)
        wrong(lambda: tarotclub.dumps([cut]), RecordError, "plays: cut short")
        ending = next(deal for deal in DEALS if deal.is_ending)
        wrong(lambda: tarotclub.dumps([ending]), RecordError, "leader: TarotClub has no form")
        deal = replace(PLAYED[0], plays=())
        assert {"taker", "contract"} <= set(tarotclub.losses(deal))

    def test_one_poignee_a_camp(self) -> None:
        deal = next(deal for deal in PLAYED if deal.players == 4 and deal.poignees)
        twice = replace(deal, poignees=deal.poignees)
        object.__setattr__(twice, "poignees", deal.poignees * 2)
        wrong(lambda: tarotclub.dumps([twice]), RecordError, "poignees: TarotClub keeps one for")

    @pytest.mark.parametrize(
        ("path", "value", "error", "message"),
        [
            ("version", "2", RecordError, "version: '2' is not '3'"),
            ("deal_info", [], RecordError, "deal_info: expected an object"),
            ("deal_info.number_of_players", "4", RecordError, "number_of_players: '4' is not 3, 4"),
            ("deal_info.taker", "Fifth", RecordError, "taker: 'Fifth' is not one of South, East"),
            ("deal_info.taker", "", RecordError, "taker: missing"),
            ("deal_info.first_trick_lead", "Nowhere", RecordError, "first_trick_lead: missing"),
            ("deal_info.contract", "Pass", RecordError, "contract: 'Pass' is not one of Take, "),
            ("deal_info.slam", "no", RecordError, "slam: 'no' is not true or false"),
            ("deal_info.dog", "01-X", CardError, "dog: unknown card '01-X'"),
            ("deal_info.dog", 3, RecordError, "dog: expected cards joined by semicolons, not 3"),
            ("deal_info.dog", "01-S", HandError, "dog: P:1 was dealt, but the cards that were not"),
            (
                "deal_info.attack_handle",
                "21-T",
                HandError,
                "attack_handle: 1 cards, expected one of",
            ),
            ("tricks", [], RecordError, "tricks: expected an array of 18 strings"),
            ("tricks.0", "01-S", RecordError, "tricks[0]: 1 cards, expected 4"),
            ("tricks.0", "", RecordError, "tricks[0]: 0 cards, expected 4"),
            ("tricks.1", "21-T;20-T;19-T;18-T", HandError, "tricks[1]: card 21-T comes twice"),
        ],
    )
    def test_wrong_log(self, path: str, value: Any, error: type[TarotError], message: str) -> None:
        deal = next(deal for deal in PLAYED if deal.chelem and deal.players == 4)
        document = json.loads(tarotclub.dumps([deal]))
        *parents, last = path.split(".")
        place = document
        for name in parents:
            place = place[name]
        place[int(last) if isinstance(place, list) else last] = value
        wrong(lambda: tarotclub.parse(document), error, message)

    def test_illegal_play(self) -> None:
        deal = next(deal for deal in PLAYED if deal.chelem and deal.players == 4)
        document = tarotclub.build(deal)
        document["tricks"][0], document["tricks"][1] = "21-T;01-C;02-T;04-T", "20-T;03-T;05-T;01-D"
        wrong(
            lambda: tarotclub.parse(document), IllegalPlayError, "plays[1]: seat 3 cannot play T1"
        )

    def test_wrong_deal_file(self) -> None:
        document = json.loads(DEAL_FILE)
        for changes, error, message in (
            ({"West": ""}, HandError, "West: no cards, but Fifth has a hand"),
            ({"East": ""}, HandError, "East: no cards, expected a hand"),
            ({"FirstPlayer": "Here"}, RecordError, "FirstPlayer: 'Here' is not one of South, "),
            ({"Dog": "13-C"}, HandError, "dog: 1 cards, expected 3"),
            ({"Dog": "13-C;13-C"}, HandError, "Dog: card TD comes twice"),
        ):
            wrong(lambda bad=document | changes: tarotclub.parse(bad), error, message)  # type: ignore[misc]
        wrong(lambda: tarotclub.parse([]), RecordError, "record: expected a JSON object")
