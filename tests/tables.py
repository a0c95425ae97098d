"""Deals played at a table of numbered actions and, beside it, as a game; for tests of envs."""

from __future__ import annotations

from random import Random

from tarot_sim.cards import FULL_PACK, Hand
from tarot_sim.deals.dealing import Dealt
from tarot_sim.deals.game import Game
from tarot_sim.envs.actions import ACTION_NAMES, N_ACTIONS, PASS
from tarot_sim.envs.table import Table
from tarot_sim.rules import Rules
from tarot_sim.rules.announcements import LEVELS
from tarot_sim.rules.auction import BIDS


def some_deal(rules: Rules, random: Random, trumps: int = 0) -> Dealt:
    """Return a deal without a Petit sec in which some seat has at least so many trumps."""
    size = rules.hand_size
    while True:
        pack = list(FULL_PACK)
        random.shuffle(pack)
        rich = random.randrange(rules.players)
        pack.sort(key=lambda card: card < 56)
        first, rest = pack[:trumps], pack[trumps:]
        random.shuffle(rest)
        places = [[*first] if seat == rich else [] for seat in range(rules.players)]
        for hand in places:
            hand += [rest.pop() for _ in range(size - len(hand))]
        hands = tuple(map(Hand, places))
        if not any(hand.is_petit_sec() for hand in hands):
            return hands, Hand(rest), random.randrange(rules.players)


def actions_of(bits: int) -> list[int]:
    """Return the actions of a set."""
    return [action for action in range(N_ACTIONS) if bits >> action & 1]


def some_action(table: Table, random: Random) -> int:
    """Return a legal action; two bids in three are a pass, so that low contracts are played."""
    legal = actions_of(table.legal)
    if table.phase == "auction" and random.random() < 2 / 3:
        return PASS
    return random.choice(legal)


class Mirror:
    """A table and a game that the same things happen to.

    Attributes
    ----------
    asked
        Who has been asked for a poignée.
    """

    def __init__(self, rules: Rules, dealt: Dealt) -> None:
        self.table = Table(rules, dealt)
        self.game = Game(dealt[0], dealt[1], dealer=dealt[2], rules=rules)
        self.asked: set[int] = set()
        self._aside: list[int] = []

    @property
    def legal(self) -> set[str]:
        """What the game allows now, by the names of actions."""
        game, table = self.game, self.table
        if game.phase == "auction":
            return set(game.legal_bids())
        if game.phase == "call":
            return {card.name for card in game.callable_cards()}
        if table.phase == "announce":
            if not game.plays and not self.asked:
                return {"pass", "chelem"}
            return {"pass", *(f"poignee_{level}" for level in game.legal_poignees())}
        return {card.name for card in game.legal_cards()}

    def act(self, action: int) -> None:
        """Let it be done at the table and in the game."""
        game, table, name = self.game, self.table, ACTION_NAMES[action]
        phase, seat = table.phase, table.seat
        table.act(action)
        if phase == "auction":
            game.bid(BIDS[BIDS.index(name)])
        elif phase == "call":
            game.call(name)
        elif phase == "discard":
            self._aside.append(action)
            if table.phase != "discard":
                game.discard(self._aside)
        elif phase == "play":
            game.play(name)
        elif name == "chelem":
            game.announce_chelem()
        elif name != "pass":
            game.show_poignee(LEVELS[LEVELS.index(name.removeprefix("poignee_"))])
        if phase == "announce" and not game.plays and not self.asked:
            self.asked.add(-1)  # the taker, for the chelem
        elif phase == "announce":
            self.asked.add(seat)
