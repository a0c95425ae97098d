"""What a person at the table is shown: who does what, their hand, the hint, the end of a deal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tarot_sim.bots.objective import own_share
from tarot_sim.cards import EXCUSE, Card
from tarot_sim.cli.choices import fact_line, option_shown
from tarot_sim.cli.output import Output, decimals, plain, signed
from tarot_sim.cli.settling import settlement_lines
from tarot_sim.cli.table_words import BIDS, name_of_bid
from tarot_sim.messages import text
from tarot_sim.rules.announcements import default_poignee, poignee_size
from tarot_sim.rules.discard import trumps_to_discard
from tarot_sim.rules.scoring import card_points

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from tarot_sim.arena.happenings import Event
    from tarot_sim.arena.review import Review, Verdict
    from tarot_sim.arena.session import Session
    from tarot_sim.bots.advising import Advice
    from tarot_sim.bots.player import Option
    from tarot_sim.deals.replaying import Trick
    from tarot_sim.rules.table import Bid

#: Cards of a hand in a line: 16 of five characters fit behind the name of the suit.
_IN_A_LINE: Final = 12
_SUITS: Final = "pckta"
#: Options of a hint, decisions of a review that are shown.
_FEW: Final = 4
_WORST: Final = 5
#: Decisions that cost less are as good as the advisor's.
_LITTLE: Final = 0.5
_WIDTH: Final = 24
#: What stays with who plays the Excuse: its half points but for a card given for it.
EXCUSE_KEPT: Final = 8


class TableTalk:
    """Tells one session's table, a plain line at a time.

    Parameters
    ----------
    session
        What is told.
    out
        Where the lines go.
    """

    def __init__(self, session: Session, out: Output) -> None:
        self._session = session
        self._out = out
        self._headed = 0

    # Who does what

    def event(self, event: Event) -> None:
        """Tell of something that happens."""
        tell = getattr(self, f"_{event.kind}")
        tell(event)

    def name(self, seat: int, *, role: bool = True) -> str:
        """Return who sits there, with what is known of their role."""
        own = seat == self._session.seat
        name = text("play.you") if own else text("play.seat", seat=seat)
        known = self._role(seat) if role else ""
        return f"{name} ({known})" if known else name

    def _role(self, seat: int) -> str:
        game = self._session.game
        if seat == game.taker:
            return text("play.taker")
        if game.called is not None and seat == self._known_partner():
            return text("play.partner")
        return ""

    def _known_partner(self) -> int | None:
        """Return the partner's seat, as far as the person knows it."""
        game, seat = self._session.game, self._session.seat
        played = game.called is not None and game.called in game.plays
        if played or game.partner == seat:
            return game.partner
        return None

    def _line(self, seat: int, what: str) -> None:
        self._out.line(f"  {self.name(seat):{_WIDTH}}{what}")

    def _bid(self, event: Event) -> None:
        assert event.seat is not None
        self._line(event.seat, name_of_bid(event.value))

    def _contract(self, event: Event) -> None:
        assert event.seat is not None
        own = event.seat == self._session.seat
        contract = text(f"contract.{event.value}")
        key = "play.you_take" if own else "play.takes"
        self._out.line(text(key, seat=event.seat, contract=contract))

    def _call(self, event: Event) -> None:
        assert event.seat is not None
        self._line(event.seat, text("play.calls", card=self._out.card(event.value)))
        session = self._session
        if event.seat != session.seat and session.game.partner == session.seat:
            self._out.line(text("play.you_are_partner"))

    def _dog(self, event: Event) -> None:
        self._out.line(text("play.dog", cards=self._out.hand(event.value)))

    def _discard(self, event: Event) -> None:
        assert event.seat is not None
        if event.seat != self._session.seat:
            self._line(event.seat, text("play.has_discarded"))
        if event.value:
            self._out.line(text("play.shown_trumps", cards=self._out.hand(event.value)))

    def _chelem(self, event: Event) -> None:
        assert event.seat is not None
        self._line(event.seat, text("play.announces_chelem"))

    def _poignee(self, event: Event) -> None:
        shown = event.value
        level = text(f"poignee.{shown.level}")
        self._line(shown.seat, text("play.shows_poignee", level=level))
        if shown.cards is not None:
            self._out.line(f"    {self._out.hand(shown.cards)}")

    def _play(self, event: Event) -> None:
        assert event.seat is not None
        session = self._session
        tricks = session.tricks
        number = next(n for n, trick in enumerate(tricks, 1) if event.value in trick.cards)
        if event.value == tricks[number - 1].cards[0]:
            self.trick_heading(number)
        self._line(event.seat, self._out.card(event.value))

    def _trick(self, event: Event) -> None:
        whole = [trick for trick in self._session.tricks if trick.winner is not None]
        self._won(whole[-1])

    def _won(self, trick: Trick) -> None:
        """Tell who has won a trick."""
        assert trick.winner is not None
        key = "play.you_win" if trick.winner == self._session.seat else "play.wins"
        points = plain(card_points(_half_points(trick)))
        self._out.line(text(key, name=self.name(trick.winner), points=points))

    def _over(self, event: Event) -> None:
        if event.value == "passed":
            self._out.line(text("play.all_passed"))

    def trick_heading(self, number: int, *, again: bool = False) -> None:
        """Begin a trick; nothing if that has been told, unless it is to be told again."""
        if number == self._headed and not again:
            return
        self._headed = number
        self._out.line()
        size = self._session.game.rules.hand_size
        self._out.line(text("play.trick", number=number, tricks=size))

    # What lies on the table

    def situation(self) -> None:
        """Tell again what has to be known for the decision: the bids, or the trick."""
        session, game = self._session, self._session.game
        if game.phase == "auction":
            for seat, bid in game.auction.history:
                self._line(seat, name_of_bid(bid))
            return
        self.contract()
        if game.phase == "discard":
            self.dog()
            return
        if game.phase != "play":
            return
        players, played = game.players, len(game.plays)
        if not played and session.turn == "announce":
            return
        self.trick_heading(played // players + 1, again=True)
        if played % players:
            for seat, card in session.view.trick:
                self._line(seat, self._out.card(card))

    def contract(self) -> None:
        """Tell who plays what, with which called card; nothing while the auction lasts."""
        game = self._session.game
        if game.taker is None:
            return
        line = text(
            "play.contract",
            contract=text(f"contract.{game.contract}"),
            taker=self.name(game.taker, role=False),
        )
        if game.called is not None:
            line += text("play.contract_called", card=self._out.card(game.called))
        if game.chelem_announced:
            line += text("play.contract_chelem")
        self._out.line(line)

    def dog(self) -> None:
        """Show the dog, where the person has seen it."""
        session = self._session
        dog = None if session.is_over else session.view.dog
        if dog is None:
            self._out.line(text("play.dog_hidden"))
        else:
            self._out.line(text("play.dog", cards=self._out.hand(dog)))

    def last_trick(self) -> None:
        """Show the last full trick."""
        whole = [trick for trick in self._session.tricks if trick.winner is not None]
        if not whole:
            self._out.line(text("play.no_trick"))
            return
        trick, players = whole[-1], self._session.game.players
        self._out.line(text("play.last_trick", number=len(whole)))
        for place, card in enumerate(trick.cards):
            self._line((trick.leader + place) % players, self._out.card(card))
        self._won(trick)

    # The person's cards

    def discardable(self) -> None:
        """Show the person's cards with the dog, in brackets those that the écart may have."""
        session = self._session
        cards, rules = session.view.start, session.game.rules
        trumps = trumps_to_discard(cards, rules)
        key = "play.hand_with_trumps" if trumps else "play.hand_discardable"
        self.hand(session.may_go(), text(key, count=trumps))

    def hand(self, legal: Collection[Card] | None = None, heading: str | None = None) -> None:
        """Show the person's cards by suits; in brackets the legal ones, if not all are."""
        session = self._session
        cards = session.view.start if session.game.phase == "discard" else session.view.holding
        marks = legal is not None and len(legal) < len(cards)
        if heading is None and session.game.phase == "play":
            key = "play.hand_in_play_marked" if marks else "play.hand_in_play"
            heading = text(key, count=len(session.still_out().trumps))
        self._out.line(heading or text("play.hand"))
        for suit in (4, 0, 1, 2, 3):
            held = sorted((c for c in cards if c.suit == suit), reverse=True)
            if suit == 4 and EXCUSE in cards:
                held.append(next(c for c in cards if c == EXCUSE))
            cells = [self._cell(card, marks and card in (legal or ())) for card in held]
            name = text(f"suit.{_SUITS[suit]}")
            for start in range(0, len(cells), _IN_A_LINE):
                row = "".join(cells[start : start + _IN_A_LINE])
                self._out.line(f"  {name if start == 0 else '':9}{row}".rstrip())

    def _cell(self, card: Card, marked: bool) -> str:
        name = card.pretty if self._out.pretty else card.name
        cell = f"[{name}]" if marked else f" {name} "
        padded = f"{cell:5}"
        return padded.replace(name, self._out.card(card)) if self._out.pretty else padded

    def bids(self, legal: Sequence[Bid]) -> str:
        """Return the bids that may be said, with their numbers."""
        named = [f"{n} {name_of_bid(bid)}" for n, bid in enumerate(BIDS) if bid in legal]
        return ", ".join(named)

    def calls(self, cards: Sequence[Card]) -> str:
        """Return the cards that may be called, with their numbers."""
        return ", ".join(f"{n} {self._out.card(card)}" for n, card in enumerate(cards, 1))

    def announcements(self, offered: Sequence[str]) -> None:
        """Tell what may be announced."""
        view = self._session.view
        for number, name in enumerate(offered, 1):
            if name == "chelem":
                self._out.line(text("play.offer_chelem", number=number))
                continue
            size = poignee_size(name, view.rules)  # type: ignore[arg-type]  # a level
            cards = default_poignee(view.showable, name, view.rules)  # type: ignore[arg-type]
            level = text(f"poignee.{name}")
            self._out.line(text("play.offer_poignee", number=number, level=level, count=size))
            self._out.line(f"       {self._out.hand(cards)}")

    # Advice

    def hint(self, advice: Advice) -> None:
        """Say what the advisor would do, with its best options."""
        out, decision = self._out, advice.decision
        if advice.phase == "announce":
            named = [text(f"play.announce_{name}") for name in _announced(advice)]
            key = "play.hint_announce" if named else "play.hint_nothing"
            out.line(text(key, what=", ".join(named)))
            return
        out.line(text(f"play.hint_{advice.phase}", best=self.shown(decision.best)))
        if decision.reason:
            out.line(text(f"advise.reason_{decision.reason}"))
        share = 1.0 if advice.phase in ("bid", "call") else own_share(self._session.view)
        if decision.deciding is not None:
            out.line(fact_line(decision, out, abs(share)))
        if not any(option.mean_score is not None for option in decision.options):
            return
        header = (
            text("advise.option"),
            " " + text("advise.made"),
            " " + text("play.your_score"),
            " " + text("advise.error"),
            " " + text("advise.behind"),
        )
        out.table(header, [self._option(option, share) for option in decision.options[:_FEW]])

    def _option(self, option: Option[Any], share: float) -> tuple[str, ...]:
        made = "" if option.p_make is None else f"{decimals(100 * option.p_make, 0)} %"
        score = "" if option.mean_score is None else signed(round(option.mean_score * share))
        error = "" if option.se is None else f"± {decimals(option.se * abs(share), 0)}"
        behind = decimals((option.behind or 0.0) * abs(share))
        return (self.shown(option.option), made, score, error, behind.replace("-0.0", "0.0"))

    def shown(self, what: object) -> str:
        """Return a bid, a card or an écart as it is written."""
        return option_shown(what, self._out)

    # The end of a deal

    def points(self) -> None:
        """Show what each seat has won in tricks so far: what all could count."""
        session = self._session
        players = session.game.players
        won, half_points = [0] * players, [0] * players
        for trick in session.tricks:
            if trick.winner is None:
                continue
            won[trick.winner] += 1
            half_points[trick.winner] += _half_points(trick)
            if EXCUSE in trick.cards:
                owner = (trick.leader + trick.cards.index(EXCUSE)) % players
                half_points[owner] += EXCUSE_KEPT
        rows = [
            [text("play.tricks_won"), *map(str, won)],
            [text("play.points_won"), *(plain(card_points(n)) for n in half_points)],
        ]
        self._out.table([text("play.in_this_deal"), *self.seats()], rows)

    def still_out(self) -> None:
        """Show which of the cards that players count have not been seen yet."""
        cards = self._session.still_out()
        if not cards:
            self._out.line(text("play.nothing_out"))
            return
        self._out.line(text("play.still_out"))
        self._out.line(f"  {self._out.hand(cards)}")

    def seats(self) -> list[str]:
        """Return the names of the seats as the heads of columns."""
        players = self._session.game.players
        return [" " + self.name(seat, role=False) for seat in range(players)]

    def result(self) -> None:
        """Tell how the deal has ended, and what everybody scores."""
        session, out = self._session, self._out
        game = session.game
        assert game.scores is not None
        out.line()
        for line in settlement_lines(game):
            out.line(line)
        if game.players == 5 and game.partner is None:
            out.line(text("play.shares_alone"))
        elif game.players == 5:
            assert game.partner is not None
            out.line(text("play.shares", partner=self.name(game.partner, role=False)))
        aside = game.dog if game.discarded is None else game.discarded
        key = "play.dog_was" if game.discarded is None else "play.discard_was"
        out.line(text(key, cards=out.hand(aside)))
        out.table([text("replay.seat"), *self.seats()], [
            [text("replay.score"), *map(signed, game.scores)]
        ])  # fmt: skip

    def review(self, found: Review) -> None:
        """Tell what the person's decisions have cost."""
        out, verdicts = self._out, found.verdicts
        if not verdicts:
            return
        out.line()
        same = sum(verdict.agrees for verdict in verdicts)
        out.line(text("play.review", count=len(verdicts), same=same))
        out.line(text("play.lost", lost=decimals(found.lost), error=decimals(found.error)))
        worst = [verdict for verdict in found.worst(_WORST) if verdict.lost >= _LITTLE]
        if not worst:
            out.line(text("play.nothing_lost"))
            return
        header = [
            text("play.when"), text("play.done"), text("play.better"), " " + text("play.cost"),
            " " + text("advise.error"),
        ]  # fmt: skip
        out.table(header, [self._verdict(verdict) for verdict in worst])
        out.line(text("play.review_note"))

    def _verdict(self, verdict: Verdict) -> tuple[str, ...]:
        turn = verdict.choice.turn
        when = text(f"play.when_{turn}", number=verdict.trick)
        return (
            when,
            self.shown(verdict.choice.chosen),
            self.shown(verdict.better),
            decimals(verdict.lost),
            f"± {decimals(verdict.error)}",
        )


def _half_points(trick: Trick) -> int:
    """Return the half points that a trick brings, an Excuse kept by who played it."""
    kept = EXCUSE_KEPT if EXCUSE in trick.cards else 0
    return sum(card.half_points for card in trick.cards) - kept


def _announced(advice: Advice) -> list[str]:
    found = [] if advice.poignee is None else [advice.poignee]
    return [*found, "chelem"] if advice.chelem else found
