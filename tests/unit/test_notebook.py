"""What notebooks show: well-formed fragments with all text escaped, suits in their colours."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

import pytest

import tarot_sim as ts
from tarot_sim.notebook import cards_html, table_html, text_html
from tests.commands import DOGS, HANDS

_FREE = {"br"}


class Fragment(HTMLParser):
    """Reads a fragment: its text, its tags, and whether they are closed in order."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[str] = []
        self.text = ""
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.append(tag)
        if tag not in _FREE:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def shown() -> dict[str, Any]:
    """Return one of everything that a notebook shows."""
    deal = ts.Deal.random(5, seed=1)
    ending = {
        "players": 4, "hands": ["A21 PR", "PD P2", "A3 CR", "P1 C2"], "leader": 1, "taker": 0,
        "contract": "garde", "plays": ["PD"],
    }  # fmt: skip
    position = ts.Deal.from_dict(ending)
    return {
        "card": ts.Card("C10"),
        "hand": ts.Hand(HANDS[4]),
        "empty hand": ts.Hand(),
        "deal": deal,
        "ending": position,
        "chances": ts.chances(HANDS[5], players=5, worlds=50, method="fast", n_jobs=1),
        "discards": ts.rank_discards(HANDS[4], DOGS[4], worlds=3, candidates=3, n_jobs=1),
        "calls": ts.rank_calls(HANDS[5], worlds=3, n_jobs=1),
        "cards": ts.solve_cards(position),
    }


SHOWN = shown()


@pytest.mark.parametrize("name", SHOWN)
def test_fragments(name: str) -> None:
    html = SHOWN[name]._repr_html_()
    fragment = Fragment(html)
    assert {"script", "style", "a"}.isdisjoint(fragment.tags)
    assert fragment.text.strip()


@pytest.mark.parametrize("name", SHOWN)
def test_short_text(name: str) -> None:
    """A line for each thing of which there are many, none of them long."""
    lines = str(SHOWN[name]).splitlines()
    assert len(lines) <= 60
    assert max(map(len, lines), default=0) <= 100


def test_cards() -> None:
    html = ts.Hand("A:21,EX P:R C:D K:10 T:8")._repr_html_()
    assert "A:21,EX ♠:R ♥:D ♦:10 ♣:8" == Fragment(html).text
    assert 3 == html.count("<span")
    assert '<span style="color:#d33">♥:D</span> <span style="color:#d33">♦:10</span> ♣:8' in html
    assert "–" == cards_html("")
    for card in ts.FULL_PACK:
        assert card.pretty == Fragment(card._repr_html_()).text


def test_a_deal_has_all_of_its_cards() -> None:
    deal = SHOWN["deal"]
    text = Fragment(deal._repr_html_()).text
    for hand in (*deal.hands, deal.dog):
        assert hand.pretty in text
        assert str(hand) in str(deal)
    played = str(SHOWN["ending"])
    assert "contract: garde" in played
    assert "cards played: 1" in played


def test_rankings_have_every_candidate_in_order() -> None:
    for name in ("discards", "calls"):
        ranking = SHOWN[name]
        text = Fragment(ranking._repr_html_()).text
        places = [text.index(row.choice.pretty) for row in ranking.candidates]
        assert places == sorted(places)
        assert len(ranking.candidates) == len(str(ranking).splitlines())


@pytest.mark.parametrize("text", ["<script>alert(1)</script>", '"&', "a<b>c", "\0<"])
def test_text_is_escaped(text: str) -> None:
    for html in (
        text_html(text),
        cards_html(text.replace(" ", "")),
        table_html([text], [[text_html(text)]], text),
    ):
        assert "<script" not in html
        assert text.replace("\0", "") in Fragment(html).text.replace("\0", "").replace("\ufffd", "")
