"""TarotClub's logs as they are found: without a dog, with commas too many, with faults."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tarot_sim.cards import Card, Hand
from tarot_sim.deals import formats
from tarot_sim.deals.deal import Deal
from tarot_sim.deals.faults import playable_deal, replay_with_faults
from tarot_sim.deals.formats import record, tarotclub
from tarot_sim.deals.replaying import replay
from tarot_sim.errors import RecordError, RecordWarning, TarotError
from tarot_sim.rules import Contract, Rules
from tarot_sim.rules.auction import callable_cards
from tests.commands import Answer
from tests.golden.refresh import contents
from tests.records import FIVE, FOUR, changed, played
from tests.reference.generate import random_ecart, random_hands


def a_deal(rng: Random, players: int, contract: Contract) -> Deal:
    """Return a deal played at random, its écart, call and poignée as they may be."""
    hands, dog = random_hands(rng, players)
    taker = rng.randrange(players)
    more: dict[str, Any] = {"taker": taker, "contract": contract}
    together = hands[taker] + dog
    if contract in ("prise", "garde"):
        more["discard"] = " ".join(random_ecart(rng, together, len(dog)))
    if players == 5:
        held = Hand(" ".join(hands[taker]))
        more["called"] = rng.choice(callable_cards(held, Rules(players=5))).name
    data = {
        "players": players,
        "dealer": rng.randrange(players),
        "hands": [" ".join(hand) for hand in hands],
        "dog": " ".join(dog),
        **more,
    }
    return played(Deal.from_dict(data), rng.randrange(10**6))


def without_dog(deal: Deal) -> dict[str, Any]:
    document = tarotclub.build(deal)
    document["deal_info"]["dog"] = ""
    return document


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("contract", ["prise", "garde", "garde_sans", "garde_contre"])
def test_logs_without_a_dog_come_to_the_same(players: int, contract: Contract) -> None:
    rng = Random(f"{players} {contract}")
    for _ in range(25):
        deal = a_deal(rng, players, contract)
        with pytest.warns(RecordWarning, match="dog: not in the log, taken to be"):
            back = tarotclub.parse(without_dog(deal))
        assert replay(back) == replay(deal)
        assert back.plays == deal.plays
        assert back.play_hands() == deal.play_hands()
        if contract in ("garde_sans", "garde_contre"):
            assert replace(back, dealer=deal.dealer) == deal
        else:
            assert back.discard == deal.discard


def test_poignees_and_chelem_are_kept() -> None:
    golden = [Deal.from_dict(content["record"]) for content in contents().values()]
    for deal in golden:
        if deal.is_played_out and not deal.is_ending and deal.rules == Rules(deal.players):
            with pytest.warns(RecordWarning):
                back = tarotclub.parse(without_dog(deal))
            assert replay(back) == replay(deal)
            assert back.poignees == deal.poignees


def test_a_hand_that_is_a_petit_sec_took_the_petit_from_the_dog() -> None:
    """The taker's 18 cards that were played have the Petit for their only trump."""
    own = "P:R,D,C,V C:R,D,C,V K:R,D,C,V T:R,D,C,V,10 K:10"
    dog = "A:1 P:10,9 C:10,9 K:9"
    rest = [card.name for card in map(Card, range(78)) if card not in Hand(own) | Hand(dog)]
    Random(1).shuffle(rest)
    hands = [own, *(" ".join(rest[18 * seat : 18 * seat + 18]) for seat in range(3))]
    petit = changed(FOUR, hands=hands, dog=dog, discard="P:10,9 C:10,9 K:9,10", plays=[])
    petit["poignees"] = []
    deal = played(Deal.from_dict(petit), 3)
    with pytest.warns(RecordWarning):
        back = tarotclub.parse(without_dog(deal))
    assert Card("A1") in back.dog
    assert replay(back) == replay(deal)


def test_a_called_roi_that_lay_in_the_dog() -> None:
    """The taker plays all four Rois, one of which they called: it came with the dog."""
    five = changed(FIVE, contract="garde", discard="K:2,1 T:D", called="TR")
    five["hands"][0] = "A:21,20,19,18,17,16,15,14 P:R,D C:R,D K:R,C T:D"
    five["hands"][1] = five["hands"][1].replace("K:R", "K:D")
    deal = played(Deal.from_dict(five), 5)
    with pytest.warns(RecordWarning):
        back = tarotclub.parse(without_dog(deal))
    assert Card("TR") in back.dog
    assert back.associate is None
    assert replay(back) == replay(deal)


def test_deal_files_without_a_dog() -> None:
    for players in (3, 4, 5):
        deal = Deal.random(players, rng=players)
        document = tarotclub.build(deal) | {"Dog": ""}
        with pytest.warns(RecordWarning, match="Dog: not there"):
            assert tarotclub.parse(document) == deal


# --- commas too many --------------------------------------------------------------------


def with_commas(text: str) -> str:
    """Return JSON with a comma before each closing bracket."""
    return re.sub(r"(?<=[^\s\[{])(\s*[}\]])", r",\1", text)


def test_commas_too_many_are_overlooked() -> None:
    deal = a_deal(Random(1), 4, "garde")
    text = tarotclub.dumps([deal])
    for bad in (with_commas(text), with_commas(text).replace("\n", "\n\n")):
        with pytest.raises(RecordError):
            record.parse_json(bad)
        assert formats.recognise(bad) == "tarotclub"
        with pytest.warns(RecordWarning, match="a comma before a closing bracket"):
            (back,) = formats.load(bad)
        assert replay(back) == replay(deal)


def test_commas_in_strings_are_kept() -> None:
    for text in ('{"FirstPlayer": "a,}"}', '{"a": "b\\",]"}', '{"a": ["x,]", 1]}'):
        assert tarotclub._without_commas(text) == text
    assert tarotclub._without_commas('{"a": ["x,]", 1,],\n}') == '{"a": ["x,]", 1]\n}'


def test_other_json_stays_strict(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = json.dumps(contents()["random-4-garde"]["record"])
    for bad in (with_commas(text), text[:-1] + ",}", "[" + text + ",]"):
        with pytest.raises(RecordError, match="not JSON"):
            formats.load(bad)
        path = tmp_path / "deal.json"
        path.write_text(bad, encoding="utf-8")
        Answer(capsys, "replay", path).is_error("record: not JSON at column")
        Answer(capsys, "score", path, "--jsonl").is_error("line 1: record: not JSON", answered=1)


# --- the command line -------------------------------------------------------------------


def test_what_was_assumed_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    deal = a_deal(Random(2), 4, "garde")
    path = tmp_path / "log.json"
    path.write_text(with_commas(json.dumps(without_dog(deal))), encoding="utf-8")
    expected = json.loads(json.dumps(replay(deal).to_dict()))
    assumed = "dog: not in the log, taken to be the cards that were not played"
    said = [
        "record: a comma before a closing bracket is too many for JSON, overlooked",
        assumed + ", which the taker discarded",
    ]
    for more in ((), ("--jsonl",)):
        found = Answer(capsys, "replay", path, "--json", *more)
        assert found.json == expected | {"remarks": said}
        assert found.err.splitlines() == [f"tarot-sim: warning: {line}" for line in said]
    french = Answer(capsys, "replay", path, "--lang", "fr").err
    assert "attention : dog : absent de ce fichier" in french
    assert "une virgule devant un crochet" in french


def test_all_faults_are_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = tarotclub.build(a_deal(Random(3), 4, "garde_sans"))
    document["deal_info"] |= {"taker": "Fifth", "contract": "Belote", "slam": "no"}
    document["tricks"][2] = "01-S;99-H;02-S;03-S"
    path = tmp_path / "log.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    found = Answer(capsys, "replay", path)
    assert found.code == 2
    assert [line.split(": ", 2)[1:] for line in found.err.splitlines()] == [
        ["error", "contract: 'Belote' is not one of Take, Guard, Guard without, Guard against"],
        ["also", "taker: 'Fifth' is not one of South, East, North, West"],
        ["also", "slam: 'no' is not true or false"],
        ["also", "tricks[2]: unknown card '99-H': TarotClub's are 01-S…14-C, 01-T…21-T, 00-T"],
    ]


def test_faults_of_the_log_and_of_the_play_together() -> None:
    """What contradicts the rules is told besides what could not be read."""
    deal = a_deal(Random(4), 4, "garde")
    document = tarotclub.build(deal)
    document["deal_info"]["attack_handle"] = "21-T;20-T"
    document["deal_info"]["dog"] = "14-S;14-H"
    with pytest.raises(TarotError) as caught:
        tarotclub.parse(document)
    messages = [str(caught.value), *caught.value.more]
    assert messages[0].startswith("attack_handle: 2 cards, expected one")
    assert any(message.startswith("dog: 2 cards, expected 6") for message in messages)


def test_replay_with_faults(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A revoke in a log or in tagged text is named, and the deal settled as it was played."""
    rng = Random(1)
    data = FOUR | {"plays": [], "poignees": []}
    position = Deal.from_dict(data).position()
    while not position.is_over:
        seat = position.to_move
        assert seat is not None
        legal = position.legal_cards()
        wrong = [card for card in position.hand(seat) if card not in legal]
        if wrong and 20 <= len(position.plays) < 40:
            position.play_against_the_rules(rng.choice(wrong))
        else:
            position.play(rng.choice(legal))
    faulty = playable_deal(data | {"plays": [card.name for card in position.plays]})
    expected = replay_with_faults(faulty)
    assert len(expected.faults) > 1
    text = {name: formats.dump([faulty], name) for name in ("tarotclub", "tagged")}
    for name, written in text.items():
        path = tmp_path / name
        path.write_text(written, encoding="utf-8")
        found = Answer(capsys, "replay", path, "--faults", "--json").json
        assert found["faults"] == list(expected.faults), name
        assert found["scores"] == list(expected.replay.scores or ())
        refused = Answer(capsys, "replay", path)
        assert refused.code == 2
        assert len(refused.err.splitlines()) == len(expected.faults)
