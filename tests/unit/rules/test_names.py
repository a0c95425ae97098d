"""Names as they may be written: French or English, any accents, case and joints."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from tarot_sim.deals.deal import Deal
from tarot_sim.rules import CAMPS, POIGNEES
from tarot_sim.rules.auction import Auction
from tarot_sim.rules.names import (
    BID_NAMES,
    CAMP_NAMES,
    CHELEM_NAMES,
    CONTRACT_NAMES,
    POIGNEE_NAMES,
    YES_OR_NO,
    Names,
)
from tarot_sim.rules.scoring import CHELEMS, score
from tarot_sim.rules.table import ALL_CONTRACTS, Chelem, PoigneeLevel
from tests.golden.refresh import contents

ALL: tuple[Names[Any], ...] = (
    CONTRACT_NAMES,
    BID_NAMES,
    CAMP_NAMES,
    POIGNEE_NAMES,
    CHELEM_NAMES,
    YES_OR_NO,
)


def test_every_name_is_there() -> None:
    assert ALL_CONTRACTS == CONTRACT_NAMES.names
    assert ("pass", *ALL_CONTRACTS) == BID_NAMES.names
    assert CAMPS == CAMP_NAMES.names
    assert tuple(POIGNEES) == get_args(PoigneeLevel) == POIGNEE_NAMES.names
    assert tuple(CHELEMS) == get_args(Chelem) == CHELEM_NAMES.names


@pytest.mark.parametrize(
    ("names", "expected", "texts"),
    [
        (
            CONTRACT_NAMES,
            "prise",
            "prise|Prise|PETITE|une petite|la Petite|small",
        ),
        (CONTRACT_NAMES, "garde", "garde|Garde|une garde|GARDE|guard"),
        (
            CONTRACT_NAMES,
            "garde_sans",
            "garde_sans|garde-sans|Garde sans|GARDE  SANS|garde sans le chien|sans-chien|gardesans",
        ),
        (
            CONTRACT_NAMES,
            "garde_contre",
            "garde_contre|garde-contre|GARDE CONTRE|garde contre le chien|Guard against",
        ),
        (BID_NAMES, "pass", "pass|passe|Passe|je passe|PASS"),
        (BID_NAMES, "garde_sans", "Garde sans le chien"),
        (CAMP_NAMES, "attack", "attack|attaque|Attaque|l'attaque|à l'attaque|le preneur"),
        (CAMP_NAMES, "defence", "defence|défense|Défense|defense|la défense|de\u0301fense"),
        (POIGNEE_NAMES, "simple", "simple|Simple|poignée simple|une simple poignée|single"),
        (POIGNEE_NAMES, "double", "double|DOUBLE|double-poignée"),
        (POIGNEE_NAMES, "triple", "triple|la triple"),
        (CHELEM_NAMES, "made", "made|fait|Réussi|chelem fait|non annoncé"),
        (
            CHELEM_NAMES,
            "announced_made",
            "announced_made|annoncé et fait|Annoncé, réussi|chelem annoncé et réussi",
        ),
        (
            CHELEM_NAMES,
            "announced_failed",
            "announced-failed|annoncé, non fait|annoncé et chuté|Chelem annoncé non réussi",
        ),
        (CHELEM_NAMES, "by_defence", "by_defence|de la défense|fait par la défense"),
        (
            CHELEM_NAMES,
            "announced_by_defence",
            "announced_by_defence|annoncé, fait par la défense",
        ),
        (YES_OR_NO, "yes", "yes|Oui|OUI|y|vrai"),
        (YES_OR_NO, "no", "no|Non|n|faux"),
    ],
)
def test_words(names: Names[Any], expected: str, texts: str) -> None:
    for text in texts.split("|"):
        assert expected == names.find(text), text
        assert expected == names.get(text), text


@pytest.mark.parametrize("names", ALL)
@pytest.mark.parametrize(
    "value", ["", " ", "belote", "garde pour", "le", None, 7, ["garde"], "garde " * 50]
)
def test_what_is_no_name(names: Names[Any], value: Any) -> None:
    assert names.find(value) is None
    assert value is names.get(value)


@pytest.mark.parametrize("names", ALL)
def test_a_name_means_itself(names: Names[Any]) -> None:
    for name in names.names:
        assert name == names.find(name) == names.find(name.upper().replace("_", " - "))


def test_a_word_means_one_thing() -> None:
    with pytest.raises(AssertionError, match=r"^twice$"):
        Names({"a": "twice", "b": "twice"})


# --- where they are read ----------------------------------------------------------------


def test_scores() -> None:
    result: Any = {"points": "49", "bouts": 2}
    expected = score(
        contract="garde_sans",
        petit_au_bout="defence",
        poignees=["simple"],
        chelem="announced_failed",
        **result,
    )
    words: Any = {
        "contract": "Garde sans",
        "petit_au_bout": "défense",
        "poignees": ["Poignée simple"],
        "chelem": "annoncé, non fait",
    }
    assert expected == score(**words, **result)


def test_bids() -> None:
    auction = Auction(3)
    said = ("Passe", "une petite", "GARDE", "garde sans le chien")
    for bid in said:
        auction.bid(bid)
    assert ["pass", "prise", "garde", "garde_sans"] == [bid for _, bid in auction.history]


def test_records() -> None:
    record = contents()["random-4-garde"]["record"]
    shown = [{"seat": seat["seat"], "level": "Simple"} for seat in record["poignees"]]
    deal = Deal.from_dict(record | {"contract": "Garde", "poignees": shown})
    assert "garde" == deal.contract
    ending = contents()["ending"]["record"]
    swept = [Deal.from_dict(ending | {"swept": word}).swept for word in ("Attaque", "attack")]
    assert ["attack", "attack"] == swept
