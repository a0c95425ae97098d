"""One deal: the hands, who takes with which contract, and the cards played.

A `Deal` is what a record holds (schema 1): a whole deal from the first card on, or an
*ending*, the last tricks of one with the points so far. It is frozen and always
consistent: whatever contradicts itself is refused where it is made.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, Final, Literal

from tarot_sim.arguments import instance_of, integer, some
from tarot_sim.cards import BOUTS_MASK, CARDS, Card, Hand
from tarot_sim.deals.checks import check_deal, check_playable
from tarot_sim.deals.dealing import Draws, collect, deal_physical, deal_uniform
from tarot_sim.deals.fields import SCHEMA, parse_record, rule_options
from tarot_sim.deals.plays import play_cards
from tarot_sim.errors import RecordError
from tarot_sim.errors import field as in_field
from tarot_sim.notation import shown
from tarot_sim.notebook import cards_html, table_html, text_html
from tarot_sim.rules import Contract, Rules, checked_rules, player_count, table_of
from tarot_sim.rules.scoring import card_points
from tarot_sim.rules.table import Bid, MisereKind, PoigneeLevel

if TYPE_CHECKING:
    from tarot_sim._core import Position
    from tarot_sim.deals.dealing import Randomness

# Frozen values, so they may be shared as defaults.
_NO_CARDS: Final = Hand()
_DEFAULT_RULES: Final = Rules()


@dataclass(frozen=True, slots=True)
class Poignee:
    """A poignée shown.

    Attributes
    ----------
    seat
        Who shows it.
    level
        ``simple``, ``double`` or ``triple``.
    cards
        The cards shown; None where a record does not tell.
    """

    seat: int
    level: PoigneeLevel
    cards: Hand | None = None


@dataclass(frozen=True, slots=True)
class Misere:
    """A misère shown, where that is a house rule.

    Attributes
    ----------
    seat
        Who shows it.
    kind
        ``trumps``: a hand without trumps and Excuse; ``courts``: without court cards.
    """

    seat: int
    kind: MisereKind


@dataclass(frozen=True, slots=True)
class Deal:
    """A whole deal, or an ending.

    Parameters
    ----------
    players
        3, 4 or 5.
    dealer
        The dealer's seat; may be None in an ending.
    hands
        The hands as dealt, by seat; in an ending what is left of them.
    dog
        The dog as dealt; empty in an ending.
    taker, contract
        None where nobody has taken, or where it is not known yet.
    called
        Five players: the card that the taker called.
    discard
        The écart, in a Prise or Garde.
    chelem
        Whether the taker announced a chelem, and so leads to the first trick.
    poignees
        The poignées shown.
    miseres
        The misères shown, by a house rule.
    auction
        The bids from the dealer's right, as far as they were made or are known.
    plays
        The cards in the order of play, all of them or the first few.
    leader
        An ending: the seat that leads. None makes it a whole deal.
    partner
        An ending of five players in which the called card has been played: the
        partner's seat (the taker's own if the taker is alone).
    attack_half_points, attack_bouts
        An ending: what lies in the attack's pile, its écart or dog included.
    swept
        An ending: the camp that has won every trick so far, if one has.
    rules
        The options of the game; the number of players is the deal's own.

    Raises
    ------
    RecordError, HandError, CardError, BidError, RulesError
        If a field is wrong or contradicts another; the message starts with its name.
    IllegalPlayError
        If a card could not be played: names the card, the seat, the ply and the reason.

    Examples
    --------
    >>> deal = Deal.random(players=4, rng=1)
    >>> [len(hand) for hand in deal.hands], len(deal.dog)
    ([18, 18, 18, 18], 6)
    """

    players: int
    dealer: int | None
    hands: tuple[Hand, ...]
    dog: Hand = _NO_CARDS
    taker: int | None = None
    contract: Contract | None = None
    called: Card | None = None
    discard: Hand | None = None
    chelem: bool = False
    poignees: tuple[Poignee, ...] = ()
    plays: tuple[Card, ...] = ()
    leader: int | None = None
    partner: int | None = None
    attack_half_points: int = 0
    attack_bouts: Hand = _NO_CARDS
    swept: Literal["attack", "defence"] | None = None
    rules: Rules = _DEFAULT_RULES
    miseres: tuple[Misere, ...] = ()
    auction: tuple[Bid, ...] = ()
    #: The position after the last card of `plays`, once it has been reached.
    _end: Position | None = field(default=None, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        for name, value in _plain_fields(self):
            object.__setattr__(self, name, value)
        if self.rules.players != self.players:
            object.__setattr__(self, "rules", self.rules.with_players(self.players))
        check_deal(self)
        if self.plays:
            self.position()

    def __getstate__(self) -> dict[str, Any]:
        """Leave the position out: it follows from the rest."""
        return {name.name: getattr(self, name.name) for name in fields(self) if name.init}

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            object.__setattr__(self, name, value)
        object.__setattr__(self, "_end", None)

    @classmethod
    def random(
        cls,
        players: int | None = None,
        rng: Randomness = None,
        rules: Rules | None = None,
        *,
        dealer: int | None = None,
        seed: Randomness = None,
    ) -> Deal:
        """Return a uniformly random deal; a Petit sec is dealt again.

        Parameters
        ----------
        players
            3, 4 or 5; by default as in `rules`, else 4.
        rng
            A seed, a numpy `Generator` or `BitGenerator` (which moves on), `dealing.Draws`,
            or None for fresh entropy. The deal is a function of the generator's raw stream.
            It may be given as `seed` as well, the name that it has elsewhere.
        rules
            The options: ``petit_sec="off"`` keeps a deal with a Petit sec.
        dealer
            The dealer's seat; drawn as well if None.
        seed
            Another name for `rng`.

        Examples
        --------
        >>> Deal.random(players=5, seed=7) == Deal.random(players=5, seed=7)
        True
        """
        table = table_of(players, rules)
        hands, dog, dealer = deal_uniform(table, Draws.of(rng, seed), dealer)
        return cls(table.players, dealer, hands, dog, rules=table)

    @classmethod
    def physical(
        cls,
        players: int | None = None,
        rng: Randomness = None,
        rules: Rules | None = None,
        *,
        dealer: int | None = None,
        riffles: int = 3,
        pack: Sequence[int] | None = None,
        seed: Randomness = None,
    ) -> Deal:
        """Return a deal as at home: a pack of old tricks, badly shuffled, cut and dealt.

        Parameters
        ----------
        players, rng, rules, dealer, seed
            As in `random`.
        riffles
            Riffle shuffles of the Gilbert-Shannon-Reeds model; 0 is a mere cut, as some
            tables have it. About nine would be needed for a random pack.
        pack
            The 78 cards from the top down, as they were collected (see
            `collected_pack`); by default those of a deal played at random.

        Examples
        --------
        >>> Deal.physical(players=3, rng=1, riffles=1).players
        3
        """
        table = table_of(players, rules)
        hands, dog, dealer = deal_physical(table, Draws.of(rng, seed), dealer, riffles, pack)
        return cls(table.players, dealer, hands, dog, rules=table)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], *, rules: Rules | None = None) -> Deal:
        """Return the deal of a record, a JSON object of schema 1.

        Parameters
        ----------
        data
            The object. A null is as good as an absent key. Unknown keys are ignored with
            a `RecordWarning`, or refused where they look like a known one misspelt.
        rules
            The options to use; by default those under the record's key ``rules``.

        Raises
        ------
        RecordError, HandError, CardError, BidError, RulesError, IllegalPlayError
            As `Deal` itself.

        Examples
        --------
        >>> deal = Deal.random(rng=1)
        >>> Deal.from_dict(deal.to_dict()) == deal
        True
        """
        arguments = parse_record(data, rules)
        arguments["poignees"] = tuple(Poignee(*shown) for shown in arguments["poignees"])
        arguments["miseres"] = tuple(Misere(*shown) for shown in arguments["miseres"])
        return cls(**arguments)

    def to_dict(self) -> dict[str, Any]:
        """Return the record, ready for JSON, its keys in the documented order.

        The key ``rules`` appears only with options that are not the default.
        """
        record: dict[str, Any] = {"schema": SCHEMA, "players": self.players}
        if self.dealer is not None:
            record["dealer"] = self.dealer
        record["hands"] = [str(hand) for hand in self.hands]
        if not self.is_ending:
            record["dog"] = str(self.dog)
        if self.auction:
            record["auction"] = list(self.auction)
        record["taker"] = self.taker
        record["contract"] = self.contract
        record["called"] = None if self.called is None else self.called.name
        if not self.is_ending:
            record["discard"] = None if self.discard is None else str(self.discard)
        record["chelem"] = self.chelem
        record["poignees"] = [
            {"seat": poignee.seat, "level": poignee.level}
            | ({} if poignee.cards is None else {"cards": str(poignee.cards)})
            for poignee in self.poignees
        ]
        if self.miseres:
            record["miseres"] = [
                {"seat": misere.seat, "kind": misere.kind} for misere in self.miseres
            ]
        record["plays"] = [card.name for card in self.plays]
        if self.is_ending:
            record["leader"] = self.leader
            if self.partner is not None:
                record["partner"] = self.partner
            record["attack_points"] = card_points(self.attack_half_points)
            record["attack_bouts"] = [card.name for card in self.attack_bouts]
            if self.swept is not None:
                record["swept"] = self.swept
        options = rule_options(self.rules)
        if options:
            record["rules"] = options
        return record

    def __str__(self) -> str:
        """Return the hands, a seat a line, and what is known of the contract."""
        seats = [f"{seat}  {hand}" for seat, hand in enumerate(self.hands)]
        return "\n".join([*seats, *(f"{name}: {value}" for name, value in self._described())])

    def _repr_html_(self) -> str:
        rows = [[f"seat {seat}", cards_html(hand.pretty)] for seat, hand in enumerate(self.hands)]
        for name, value in self._described():
            shown = cards_html(value.pretty) if isinstance(value, (Card, Hand)) else None
            rows.append([name, text_html(value) if shown is None else shown])
        return table_html([], rows)

    def _described(self) -> Iterator[tuple[str, object]]:
        """Yield what a person is told besides the hands: a name and a value each."""
        if not self.is_ending:
            yield "dog", self.dog
        if self.dealer is not None:
            yield "dealer", self.dealer
        if self.taker is not None:
            yield "taker", self.taker
        if self.contract is not None:
            yield "contract", self.contract
        if self.called is not None:
            yield "called", self.called
        if self.discard is not None:
            yield "discard", self.discard
        if self.is_ending:
            yield "leader", self.leader
            yield "attack points", card_points(self.attack_half_points)
        if self.plays:
            yield "cards played", len(self.plays)

    @property
    def is_ending(self) -> bool:
        """Whether these are the last tricks of a deal, not a whole one."""
        return self.leader is not None

    @property
    def is_played_out(self) -> bool:
        """Whether every card has been played."""
        return len(self.plays) == self.players * len(self.hands[0])

    @property
    def first_leader(self) -> int:
        """The seat that leads to the first trick of the record."""
        if self.leader is not None:
            return self.leader
        if self.chelem and self.taker is not None:
            return self.taker
        return ((self.dealer or 0) + 1) % self.players

    @property
    def associate(self) -> int | None:
        """The partner's seat, or None where the taker is alone, as in 3 and 4 players."""
        if self.called is None or self.partner is not None:
            seat = self.partner
        else:
            seat = self.holder(self.called)
        return None if seat == self.taker else seat

    @property
    def attack(self) -> tuple[int, ...]:
        """The attack's seats, the taker first.

        Raises
        ------
        RecordError
            If there is no taker.
        """
        if self.taker is None:
            raise RecordError("taker: missing, without a taker there is no attack")
        return (self.taker,) if self.associate is None else (self.taker, self.associate)

    def holder(self, card: int) -> int | None:
        """Return the seat whose hand, as recorded, has `card`; None if none has."""
        return next((seat for seat, hand in enumerate(self.hands) if card in hand), None)

    def play_hands(self) -> tuple[Hand, ...]:
        """Return the hands that are played: the taker's after the écart.

        Raises
        ------
        RecordError
            If the record lacks the taker, the contract or the écart.
        """
        check_playable(self)
        if self.discard is None or self.taker is None:
            return self.hands
        hands = list(self.hands)
        hands[self.taker] = (hands[self.taker] | self.dog) - self.discard
        return tuple(hands)

    def position(self, ply: int | None = None) -> Position:
        """Return the position after the first `ply` cards, by default after all.

        Raises
        ------
        RecordError
            If the record lacks what the play depends on, or has fewer cards than `ply`.
        IllegalPlayError
            If a card of the record could not be played.

        Examples
        --------
        >>> from dataclasses import replace
        >>> deal = replace(Deal.random(rng=1), taker=0, contract="garde_sans")
        >>> deal.position().tricks_left
        18
        """
        from tarot_sim._core import Position

        if ply is not None:
            ply = integer("ply", ply, RecordError)
            if not 0 <= ply <= len(self.plays):
                raise RecordError(f"plays: {len(self.plays)} cards, there is no ply {shown(ply)}")
        whole = ply is None or ply == len(self.plays)
        if whole and self._end is not None:
            return self._end.copy()
        half_points, bouts = self._attack_start()
        won = (
            (self.swept != "defence", self.swept != "attack") if self.is_ending else (False, False)
        )
        position = Position(
            self.play_hands(),
            attack=self.attack,
            leader=self.first_leader,
            rules=self.rules,
            called=None if self.is_ending else self.called,
            attack_half_points=half_points,
            attack_bouts=bouts,
            won=won,
        )
        play_cards(position, self.plays[:ply])
        if whole:
            object.__setattr__(self, "_end", position.copy())
        return position

    def _attack_start(self) -> tuple[int, Hand]:
        """Return the half points and the bouts that the attack has before the play."""
        if self.is_ending:
            return self.attack_half_points, self.attack_bouts
        if self.contract == "garde_contre":
            return 0, Hand()
        pile = self.dog if self.discard is None else self.discard
        return pile.half_points, Hand.from_mask(pile.mask & BOUTS_MASK)


def collected_pack(deal: Deal) -> tuple[Card, ...]:
    """Return the pack as it lies after a deal: the attack's tricks on the defence's.

    Raises
    ------
    RecordError
        If the deal is an ending, or not played out.
    """
    if deal.is_ending or not deal.is_played_out:
        raise RecordError("plays: only a whole deal that is played out leaves a whole pack")
    aside = deal.dog if deal.discard is None else deal.discard
    return collect(deal.position(0), deal.plays, aside, deal.contract == "garde_contre")


def _plain_fields(deal: Deal) -> Iterator[tuple[str, Any]]:
    """Yield the fields as plain values of their own: whatever integers and lists were given.

    Raises
    ------
    TarotError
        If one is not of its type; the message names the field.
    """
    yield "players", player_count(deal.players)
    yield "rules", checked_rules(deal.rules)
    for name in ("dealer", "taker", "leader", "partner"):
        seat = getattr(deal, name)
        if seat is not None:
            yield name, integer(name, seat, RecordError)
    yield "attack_half_points", integer("attack_points", deal.attack_half_points, RecordError)
    hands = some("hands", deal.hands, RecordError)
    yield (
        "hands",
        tuple(Hand(instance_of(f"hands[{n}]", hand, Hand)) for n, hand in enumerate(hands)),
    )
    for name in ("dog", "discard", "attack_bouts"):
        cards = getattr(deal, name)
        if cards is not None or name != "discard":
            yield name, Hand(instance_of(name, cards, Hand))
    if deal.called is not None:
        with in_field("called"):
            yield "called", CARDS[Card(deal.called)]
    poignees = some("poignees", deal.poignees, RecordError)
    yield "poignees", tuple(_plain_poignee(f"poignees[{n}]", one) for n, one in enumerate(poignees))
    miseres = some("miseres", deal.miseres, RecordError)
    yield "miseres", tuple(_plain_misere(f"miseres[{n}]", one) for n, one in enumerate(miseres))
    bids = some("auction", deal.auction, RecordError)
    yield (
        "auction",
        tuple(instance_of(f"auction[{n}]", bid, str) for n, bid in enumerate(bids)),
    )
    plays = []
    for place, card in enumerate(some("plays", deal.plays, RecordError)):
        with in_field(f"plays[{place}]"):
            plays.append(CARDS[Card(card)])
    yield "plays", tuple(plays)


def _plain_poignee(name: str, poignee: Poignee) -> Poignee:
    instance_of(name, poignee, Poignee)
    if poignee.cards is not None:
        instance_of(f"{name}.cards", poignee.cards, Hand)
    return replace(poignee, seat=integer(name, poignee.seat, RecordError))


def _plain_misere(name: str, misere: Misere) -> Misere:
    instance_of(name, misere, Misere)
    return replace(misere, seat=integer(name, misere.seat, RecordError))
