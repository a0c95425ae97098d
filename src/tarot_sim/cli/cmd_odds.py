"""``tarot-sim odds``: who holds what, by exact counting."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

import click

from tarot_sim.cards import BOUTS_MASK, ROIS_MASK, Card, Hand
from tarot_sim.cli.hands import Asked, answer_hands, card_named, sized_dog, sized_hand
from tarot_sim.cli.options import (
    CardsCommand,
    hand_argument,
    jobs_option,
    output_options,
    players_option,
    rules_option,
)
from tarot_sim.cli.output import Output, decimals
from tarot_sim.errors import field
from tarot_sim.messages import text
from tarot_sim.notation import SUIT_LETTERS
from tarot_sim.rules import Rules

if TYPE_CHECKING:
    from tarot_sim.worlds.holdings import HandOdds, Law, Odds

#: What is told of where nothing else is asked about.
_BOUTS_AND_ROIS: Final = Hand.from_mask(BOUTS_MASK | ROIS_MASK)
_LETTERS: Final = "A" + SUIT_LETTERS
#: The splits of a suit that are shown; JSON has all.
_SPLITS: Final = 3
#: Columns that a line of counts may have, and how far the ones below it stand in.
_WIDTH: Final = 80
_INDENT: Final = " " * 11
#: Numbers of cards as likely as this and less are not shown; JSON has all.
_LEAST: Final = Fraction(1, 2000)


@dataclass(frozen=True, slots=True)
class _Answer:
    """The odds, and which cards were asked about, if any were."""

    odds: Odds
    asked: Hand | None
    called: Card | None

    @property
    def cards(self) -> Hand:
        """The cards that are told of."""
        if self.asked is not None:
            return self.asked
        called = Hand() if self.called is None else Hand([self.called])
        return _BOUTS_AND_ROIS & self.odds.hidden.cards | called

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON document."""
        return self.odds.to_dict(cards=self.cards, called=self.called)


@click.command("odds", cls=CardsCommand, help=text("odds.help"))
@hand_argument(metavar="[HAND]")
@players_option
@click.option("--dog", metavar="CARDS", help=text("odds.dog"))
@click.option("--cards", metavar="CARDS", help=text("odds.cards"))
@click.option("--call", "called", metavar="CARD", help=text("odds.call"))
@jobs_option
@rules_option
@output_options
def command(
    words: tuple[str, ...],
    jsonl: bool,
    n_jobs: int,
    rules: Rules | None,
    out: Output,
    **options: Any,
) -> None:
    """Print how the cards that a player does not see may lie."""

    def answer(asked: Asked, _threads: int) -> _Answer:
        question = dict(asked.options)
        table = (rules or Rules()).with_players(question["players"])
        hand = sized_hand(asked.hand, table) if asked.hand else None
        dog = None if question["dog"] is None else sized_dog(question["dog"], table)
        called = card_named(question["called"])
        with field("cards"):
            cards = None if question["cards"] is None else Hand(question["cards"])

        from tarot_sim.worlds.holdings import odds

        found = odds(hand, dog=dog, rules=table)
        if called is not None:
            found.card(called, called=called)  # refuses one that may not be called
        return _Answer(found, cards, called)

    def show(found: _Answer) -> None:
        _show(found, out)

    answer_hands(
        words,
        out,
        answer,
        show,
        options=options,
        keys=("players", "dog", "cards", "called"),
        jsonl=jsonl,
        n_jobs=n_jobs,
        without_hand=True,
    )


def _show(answer: _Answer, out: Output) -> None:
    odds = answer.odds
    for seen in (odds.hand, odds.dog):
        if seen is not None:
            out.line(out.hand(seen))
    hidden = odds.hidden
    out.line(
        text(
            "odds.hidden" if odds.dog is None else "odds.hidden_hands",
            cards=len(hidden.cards),
            hands=hidden.seats,
            size=hidden.hand_size,
            dog=hidden.dog_size,
        )
    )
    out.line()
    _show_suits(odds, out)
    if answer.cards:
        out.line()
        _show_cards(answer, out)
    if answer.asked is not None:
        _show_together(odds, answer.asked, out)
    out.line()
    _show_counts(odds, out)
    if hidden.petit_sec_deals and hidden.cancel:
        out.note(text("odds.petit_sec", chance=_percent(odds.p_petit_sec)))


def _show_suits(odds: Odds, out: Output) -> None:
    splits = text("odds.splits" if odds.dog is not None else "odds.splits_and_dog")
    header = [text("odds.suit"), " " + text("odds.missing"), splits]
    header += [" " + text("odds.all_have"), " " + text("odds.any_singleton")]
    if odds.dog is None:
        header.append(" " + text("odds.none_in_dog"))
    rows = []
    for letter in _LETTERS:
        law = odds.suit(letter)
        if not law.cards:
            continue
        # With the dog in them they are longer, and each less likely.
        shown = _SPLITS if odds.dog is not None else _SPLITS - 1
        likely = sorted(law.splits.items(), key=lambda item: -item[1])[:shown]
        missing = len(law.cards)
        named = [f"{_split(split, missing)} {_percent(chance)}" for split, chance in likely]
        row = [letter, str(missing), ", ".join(named)]
        row += [_percent(law.p_no_void), _percent(law.p_any_singleton)]
        if odds.dog is None:
            row.append(_percent(law.dog.get(0, Fraction(0))))
        rows.append(row)
    out.table(header, rows)


def _split(split: tuple[int, ...], missing: int) -> str:
    """Return a split as people write it; what is in the dog comes behind a plus."""
    in_dog = missing - sum(split)
    return "-".join(map(str, split)) + (f"+{in_dog}" if in_dog else "")


def _show_cards(answer: _Answer, out: Output) -> None:
    odds, called = answer.odds, answer.called
    header = [text("odds.card")]
    if odds.dog is None:
        header.append(" " + text("odds.in_dog"))
    header += [" " + text("odds.each_other"), " " + text("odds.any_other")]
    if called is not None:
        header.append(" " + text("odds.partner"))
    rows = []
    for card in reversed(list(answer.cards)):
        law = odds.card(card, called=called)
        if law.seen is not None:
            chances = [text(f"seen_card.{law.seen}")]
        else:
            chances = [_percent(law.p_hand), _percent(law.p_others)]
            if odds.dog is None:
                chances.insert(0, _percent(law.p_dog))
            if law.p_partner is not None:
                chances.append(_percent(law.p_partner))
        rows.append([out.card(card), *chances, *[""] * (len(header) - 1 - len(chances))])
    out.table(header, rows)


def _show_together(odds: Odds, asked: Hand, out: Output) -> None:
    """Say how many of the cards one hand has at least, and the dog."""
    law = odds.split(asked)
    if len(law.cards) < 2:
        return
    cards = out.hand(law.cards)
    out.line(text("odds.one_hand", cards=cards, chances=_at_least(law.longest)))
    if odds.dog is None:
        out.line(text("odds.the_dog", cards=cards, chances=_at_least(law.dog)))


def _at_least(law: Law) -> str:
    from tarot_sim.worlds.holdings import at_least

    return " · ".join(
        text("odds.count", count=count, chance=_percent(at_least(law, count)))
        for count in range(1, max(law) + 1)
    )


def _show_counts(odds: Odds, out: Output) -> None:
    """Say what one other hand, and the dog, may have."""
    hand = odds.other_hand()
    out.line(text("odds.a_hand" if odds.hand is None else "odds.other_hand", size=hand.size))
    _show_laws(hand, out)
    _show_long("  " + text("odds.voids", chances=_exactly(hand.voids)), out)
    poignee = odds.any_poignee()["simple"]
    if poignee:
        out.line("  " + text("odds.poignee", chance=_percent(poignee)))
    if odds.dog is None:
        dog = odds.hidden_dog()
        out.line(text("odds.dog_holds", size=dog.size))
        _show_laws(dog, out)


def _show_laws(holding: HandOdds, out: Output) -> None:
    from tarot_sim.worlds.holdings import mean_and_sd

    for key, law in (
        ("odds.bouts", holding.bouts),
        ("odds.rois", holding.rois),
        ("odds.trumps", holding.trumps_and_excuse),
    ):
        _show_long("  " + text(key, chances=_exactly(law)), out)
    mean, sd = (value / 2 for value in mean_and_sd(holding.half_points))
    out.line("  " + text("odds.points", mean=decimals(mean), sd=decimals(sd)))


def _show_long(line: str, out: Output) -> None:
    """Print a line of counts over as many lines as it needs, broken between two of them."""
    first, *others = line.split(" · ")
    for count in others:
        # A line that goes on ends in a dot.
        if len(first + " · " + count + " ·") > _WIDTH:
            out.line(first + " ·")
            first = _INDENT + count
        else:
            first += " · " + count
    out.line(first)


def _exactly(law: Law) -> str:
    return " · ".join(
        text("odds.count", count=count, chance=_percent(chance))
        for count, chance in law.items()
        if chance > _LEAST
    )


def _percent(chance: Fraction) -> str:
    """Return a chance in per cent: what may be is never shown as 0, nor as 100."""
    if chance in (0, 1):
        return f"{100 * chance} %"
    percent = float(100 * chance)
    if percent < 0.005:
        return f"< {decimals(0.01, 2)} %"
    if percent >= 99.995:
        return f"> {decimals(99.99, 2)} %"
    return f"{decimals(percent, 1 if 0.95 <= percent < 99.05 else 2)} %"
