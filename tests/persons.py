"""Persons who play sessions, for tests: of fixed habits, or at random."""

from __future__ import annotations

from itertools import islice
from random import Random
from typing import Any

from tarot_sim.arena.evening import Evening
from tarot_sim.arena.happenings import Event
from tarot_sim.arena.session import Session
from tarot_sim.rules import Rules
from tarot_sim.rules.discard import iter_discards


def options_of(session: Session) -> list[Any]:
    """Return what the person may do, some of it where that is much."""
    turn, view = session.turn, session.view
    if turn == "bid":
        return list(view.legal_bids())
    if turn == "call":
        return list(view.callable_cards())
    if turn == "discard":
        return list(islice(iter_discards(view.start, view.rules), 50))
    if turn == "announce":
        return [None, *session.announcements()]
    return view.legal_cards()


def do(session: Session, chosen: Any) -> tuple[Event, ...]:
    """Let the person do something."""
    assert session.turn is not None
    events: tuple[Event, ...] = getattr(session, session.turn)(chosen)
    return events


def played(session: Session, random: Random, undo: float = 0.0) -> list[Event]:
    """Play a session to its end at random; return its events, if nothing is taken back."""
    events: list[Event] = []
    while True:
        events += session.advance()
        if session.is_over:
            return events
        if random.random() < undo:
            session.undo()
            continue
        events += do(session, random.choice(options_of(session)))


def session_of(players: int, seed: int, bot: str = "rules", seat: int | None = None) -> Session:
    """Return a session that is not begun."""
    seat = seed % players if seat is None else seat
    return Evening(Rules(players=players), seat, [bot], seed=seed).next_session()
