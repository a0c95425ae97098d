"""A person's place at the table: what is asked, what is answered, deal after deal."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Final

import click

from tarot_sim.arena.review import Review, review
from tarot_sim.cli.output import signed
from tarot_sim.cli.table_talk import TableTalk
from tarot_sim.cli.table_words import (
    Puzzled,
    announcement_in,
    bid_in,
    call_in,
    card_in,
    cards_in,
    command_named,
    said,
)
from tarot_sim.errors import TarotError
from tarot_sim.messages import text

if TYPE_CHECKING:
    from tarot_sim.arena.evening import Evening
    from tarot_sim.arena.session import Session
    from tarot_sim.cards import Card
    from tarot_sim.cli.keeping import Keeper
    from tarot_sim.cli.output import Output

#: Characters of a line, and of what a script answers at least.
_WIDTH: Final = 80
_SHORT: Final = 5


class Table:
    """Asks the person and tells what happens.

    Parameters
    ----------
    evening
        Where the deals come from.
    out
        Where the lines go.
    keeper
        Where the records are kept.
    """

    def __init__(self, evening: Evening, out: Output, keeper: Keeper) -> None:
        self._evening = evening
        self._out = out
        self._keeper = keeper
        self._session: Session = evening.next_session()
        self._talk = TableTalk(self._session, out)
        self._fresh = True
        self._number = 0

    def play_deal(self) -> tuple[Session, Review | None]:
        """Let the person play a deal, and tell the end of it; not over if they have left."""
        if not self._fresh:
            self._session = self._evening.next_session()
            self._talk = TableTalk(self._session, self._out)
        self._fresh = False
        session = self._session
        self._welcome()
        try:
            stays = self._play()
        finally:
            # Whatever ends it, Ctrl-C as well: the deal so far is kept.
            self._keep()
        if not session.is_over:
            self._out.line(text("play.left"))
            self._keeper.next()
            return session, None
        if session.game.scores is None:
            return session, None
        self._evening.book(session)
        self._keeper.next()
        self._talk.result()
        if len(self._evening.played) > 1:
            self._totals()
        found = review(session) if stays else None
        if found is not None:
            self._talk.review(found)
        return session, found

    def _keep(self) -> None:
        if self._session.game.outcome == "passed":
            self._keeper.drop()
        else:
            self._keeper.keep(self._session.record())

    def _welcome(self) -> None:
        session, talk = self._session, self._talk
        game = session.game
        self._number += 1
        if self._number == 1:
            self._out.line(text("play.commands"))
        self._out.line()
        key = "play.you_deal" if game.dealer == session.seat else "play.deal"
        self._out.line(text(key, number=self._number, dealer=game.dealer, seat=session.seat))
        talk.hand()
        self._out.line(text("play.auction"))

    def _play(self) -> bool:
        """Go on until the deal is over; tell whether it is, or the person has left."""
        session, talk = self._session, self._talk
        while True:
            for event in session.advance():
                talk.event(event)
            if session.is_over:
                return True
            self._keep()
            if not self._decide():
                return False

    def _decide(self) -> bool:
        """Ask until the person has decided, or taken something back; False if they leave."""
        session, talk = self._session, self._talk
        self._show()
        while True:
            line = self._ask()
            name = "quit" if line is None else command_named(line)
            if name == "quit" or line is None:
                return False
            if name == "undo":
                if session.undo() is None:
                    self._out.line(text("play.nothing_to_undo"))
                    continue
                self._out.line(text("play.undone"))
                talk.situation()
                return True
            try:
                if name == "follow":
                    self._follow()
                    return True
                if name is not None:
                    self._command(name)
                    continue
                forced = self._forced()
                if line.strip() or session.turn == "announce":
                    self._do(self._read(line))
                elif forced is not None:
                    self._do(forced)
                else:
                    continue
                return True
            except Puzzled as puzzled:
                self._out.line(text("play.puzzled", message=puzzled))

    # What is asked

    def _show(self) -> None:
        """Show what the decision is about."""
        session, talk = self._session, self._talk
        turn, view = session.turn, session.view
        if turn == "play":
            legal = view.legal_cards()
            if not view.trick:
                talk.trick_heading(len(view.plays) // view.players + 1)
            talk.hand(legal)
        elif turn == "discard":
            talk.discardable()
        elif turn == "announce":
            talk.announcements(session.announcements())

    def _ask(self) -> str | None:
        """Return the line that the person types; None at the end of the input."""
        prompt = self._prompt()
        click.echo(prompt, nl=False, err=self._out.json, color=self._out.pretty)
        sys.stdout.flush()
        line = read_line()
        if line is None or not is_terminal():
            # What a script answers stands behind its question as if it had been typed.
            shown = "" if line is None else "".join(filter(str.isprintable, line))
            self._out.line(shown[: max(_SHORT, _WIDTH - len(click.unstyle(prompt)))])
        return line

    def _prompt(self) -> str:
        session, talk = self._session, self._talk
        turn, view = session.turn, session.view
        if turn == "bid":
            return text("play.ask_bid", bids=talk.bids(view.legal_bids()))
        if turn == "call":
            return text("play.ask_call", cards=talk.calls(view.callable_cards()))
        if turn == "discard":
            return text("play.ask_discard", count=view.rules.dog_size)
        forced = self._forced()
        if forced is not None:
            return text("play.ask_forced", card=self._out.card(forced))
        return text(f"play.ask_{turn}")

    def _forced(self) -> Card | None:
        """Return the only card that may be played, if there is but one."""
        session = self._session
        legal = session.view.legal_cards() if session.turn == "play" else []
        return legal[0] if len(legal) == 1 else None

    # What is answered

    def _read(self, line: str) -> Any:
        """Return what a line says to do."""
        session = self._session
        turn, view = session.turn, session.view
        if turn == "bid":
            return bid_in(line, view.legal_bids())
        if turn == "call":
            return call_in(line, view.callable_cards())
        if turn == "discard":
            return cards_in(line, view.rules.dog_size)
        if turn == "announce":
            return announcement_in(line, session.announcements())
        return self._card(line)

    def _card(self, line: str) -> Card:
        view = self._session.view
        legal = view.legal_cards()
        card = card_in(line, view.holding, legal)
        if card in legal:
            return card
        named = self._out.card(card)
        if card not in view.holding:
            raise Puzzled(text("play.not_held", card=named))
        # What may be played stands in brackets above; why, the engine says.
        raise Puzzled(text(f"play.{self._session.refusal(card)}", card=named))

    def _do(self, chosen: Any) -> None:
        """Do what the person has decided, and tell it as the others see it."""
        session = self._session
        assert session.turn is not None
        try:
            events = getattr(session, session.turn)(chosen)
        except TarotError as error:
            raise Puzzled(said(error)) from None
        for event in events:
            self._talk.event(event)

    def _follow(self) -> None:
        """Do what the hint says."""
        advice = self._session.hint()
        if advice.phase != "announce":
            self._do(advice.decision.best)
            return
        self._do(advice.poignee or ("chelem" if advice.chelem else None))

    def _command(self, name: str) -> None:
        session, talk = self._session, self._talk
        if name == "hint":
            talk.hint(session.hint())
        elif name == "last":
            talk.last_trick()
        elif name == "score":
            talk.contract()
            talk.points()
            talk.still_out()
            if self._evening.played:
                self._totals()
        elif name == "talon":
            talk.dog()
        elif name == "help":
            self._out.line(text("play.help_words"))
            self._out.line(text(f"play.help_{session.turn}"))
        else:
            talk.situation()
            if session.turn == "play":
                talk.hand(session.view.legal_cards())
            elif session.turn == "discard":
                talk.discardable()
            else:
                talk.hand()

    def _totals(self) -> None:
        self._out.line(text("play.totals", deals=len(self._evening.played)))
        totals = [text("replay.score"), *map(signed, self._evening.totals)]
        self._out.table([text("replay.seat"), *self._talk.seats()], [totals])


def read_line() -> str | None:
    """Return a line of standard input without its end; None where there is no more."""
    stream = getattr(sys.stdin, "buffer", None)
    if stream is None:
        return None
    data: bytes = stream.readline()
    return data.decode("utf-8", "replace").rstrip("\r\n") if data else None


def is_terminal() -> bool:
    """Tell whether a person types at a terminal."""
    return bool(sys.stdin.isatty())
