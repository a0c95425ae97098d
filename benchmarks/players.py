"""How strong a player is, by role: the card play alone, on deals that players of habits bid.

In each deal players of habits bid, call and discard. Then the cards are played twice, with A
and with B in the seats of a role, everybody else being a player of the field; the same deals
for all. Gains are those of the seats' camp: half points of margin, what each defender pays, in
points, and the share of contracts that are made; ± is a standard error.

    python -m benchmarks.players search --deals 1000
    python -m benchmarks.players search:worlds=10 search:worlds=100 --role taker --players 3
    python -m benchmarks.players search seer --field search:worlds=10 --deals 300
    python -m benchmarks.players search:likelihood=off search:discard=off search:guard=0

Two more players than bots have, as measuring devices: ``seer`` sees all cards and plays by the
double-dummy value (lists of 2/1–2/2 moves before the ninth last card, exact after), and
``prophet`` sees all cards and knows how players of habits will play them: it plays each card
out once with the true hands. ``pimc`` is a search whose worlds are valued double dummy
(1/1–2/1) instead of being played out by habits; ``plain`` has other habits, of common sense.
"""

from __future__ import annotations

import argparse
import time
from typing import Any, Final

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray

from benchmarks.calibration.fit_habits import sense
from tarot_sim._core import Position
from tarot_sim.arena.tables import step
from tarot_sim.bots import make
from tarot_sim.bots._rollouts import Begun, habit_card
from tarot_sim.bots.habits import habits
from tarot_sim.bots.objective import soft_scores
from tarot_sim.bots.player import Decision
from tarot_sim.bots.rules_bot import RulesBot
from tarot_sim.bots.search_bot import SearchBot
from tarot_sim.bots.worlds_seen import deals_of, draw_owners, sees_call
from tarot_sim.cards import CARDS, Card
from tarot_sim.deals.deal import Deal
from tarot_sim.deals.game import Game
from tarot_sim.deals.view import View
from tarot_sim.estimation._evaluate import Evaluator
from tarot_sim.rules import NEED, Rules
from tarot_sim.solver._solver import Objective, Solver
from tarot_sim.solver.limit import Limit
from tarot_sim.solver.widths import Widths

#: The margin, with what the Petit au bout is worth in half points of a Garde.
_VALUE: Final = Objective(list(NEED), [[-20] * 3, [0] * 3, [20] * 3])
_SEER: Final = Widths(attack_lead=2, attack_reply=1, defence_lead=2, defence_reply=2)
_PIMC: Final = Widths(attack_lead=1, attack_reply=1, defence_lead=2, defence_reply=1)
ROLES: Final = ("taker", "partner", "one", "all")


class Seer:
    """Plays by the double-dummy value of the cards as they lie."""

    def __init__(self) -> None:
        self._rules = RulesBot()
        self._evaluator, self._solver = Evaluator(16 << 20), Solver(64 << 20)

    def card(self, game: Game) -> Card:
        position = game.position
        assert position is not None
        assert position.to_move is not None
        habit = self._rules.play(View.of(game, position.to_move)).best
        if position.tricks_left > 9:
            rows, _ = self._evaluator.cards(position, _VALUE, _SEER, 300_000)
        else:
            rows, _ = self._solver.cards(position, _VALUE, limit=Limit(nodes=5_000_000))
        sign = 1 if position.to_move in position.attack else -1
        values = {card: sign * (low + high) for card, low, high in rows}
        best = max(values.values())
        # Of cards that are worth the same, the one that habits play.
        return habit if values[habit] == best else CARDS[max(values, key=lambda c: values[c])]


class Prophet:
    """Plays what does best when all others go on by habits, with the cards as they lie."""

    def card(self, game: Game) -> Card:
        seat = game.to_move
        assert seat is not None
        view = View.of(game, seat)
        soft_sign = 1 if seat in game.attack else -1
        owners = np.full((1, 78), game.players, np.uint8)
        for player, hand in enumerate(game.hands):
            owners[0, list(hand)] = player
        for player, played in enumerate(view.played):
            owners[0, list(played)] = player
        begun = Begun(deals_of(view, owners), view.taker, view.plays, sees_call(view))
        cards, habit, results = begun.values(habits(view.rules))
        soft = soft_sign * soft_scores(results, view)[:, 0]
        return CARDS[cards[habit if soft[habit] == soft.max() else int(soft.argmax())]]


class Plain:
    """Plays by weights of common sense, as nobody has fitted them: other habits."""

    def card(self, game: Game) -> Card:
        seat = game.to_move
        assert seat is not None
        return CARDS[habit_card(View.of(game, seat), sense())[0]]


class Pimc(SearchBot):
    """A search whose worlds are valued double dummy."""

    def __init__(self, rng: np.random.Generator, worlds: int = 20) -> None:
        super().__init__(rng, worlds=worlds)
        self._evaluator = Evaluator(4 << 20)

    def play(self, view: View, *, explain: bool = False) -> Decision[Card]:
        legal = view.legal_cards()
        habit = self._rules.play(view).best
        if len(legal) == 1:
            return Decision(habit)
        columns = [
            self._values(view, world) for world in draw_owners(view, self._worlds, self._rng)
        ]
        values = np.array([[column[card] for column in columns] for card in legal])
        soft = (1 if view.in_attack else -1) * (values + 100 / (1 + np.exp(-values / 15)))
        own = legal.index(habit)
        best = int(soft.mean(axis=1).argmax())
        gain = soft[best] - soft[own]
        if gain.mean() <= gain.std(ddof=1) / len(gain) ** 0.5:
            best = own
        return Decision(legal[best])

    def _values(self, view: View, world: NDArray[np.uint8]) -> dict[int, float]:
        deal = deals_of(view, world[None])
        position: Position = deal.position(0)
        for card in view.plays:
            position.play(card)
        rows, _ = self._evaluator.cards(position, _VALUE, _PIMC, 20_000)
        return {card: (low + high) / 2 for card, low, high in rows}


def player(name: str, seed: Any) -> Any:
    """Return a bot or a device by its name."""
    if name == "seer":
        return Seer()
    if name == "prophet":
        return Prophet()
    if name == "plain":
        return Plain()
    if name == "pimc":
        return Pimc(np.random.default_rng(seed))
    return make(name, np.random.default_rng(seed))


def bid_out(deal: Deal, rules: Rules) -> Game:
    """Let players of habits bid, call and discard."""
    assert deal.dealer is not None
    game = Game(deal.hands, deal.dog, dealer=deal.dealer, rules=rules)
    bots = [RulesBot() for _ in range(rules.players)]
    while game.phase not in ("play", "over"):
        step(game, bots)
    return game


def seats_of(game: Game, role: str, number: int) -> list[int]:
    """Return the seats of a role; of one defender another one in each deal."""
    defenders = [seat for seat in range(game.players) if seat not in game.attack]
    if role == "taker":
        assert game.taker is not None
        return [game.taker]
    if role == "partner":
        return [] if game.partner is None or game.partner == game.taker else [game.partner]
    return defenders if role == "all" else [defenders[number % len(defenders)]]


def play_out(game: Game, names: list[str], seed: int) -> tuple[int, int]:
    """Play the cards; return the margin, in half points, and what each defender pays."""
    game = game.copy()
    bots = [player(name, [seed, seat]) for seat, name in enumerate(names)]
    while game.phase == "play":
        seat = game.to_move
        assert seat is not None
        bot = bots[seat]
        game.play(bot.card(game) if hasattr(bot, "card") else bot.play(View.of(game, seat)).best)
    assert game.position is not None
    assert game.score is not None
    result = game.position.result()
    return int(result.attack_half_points - NEED[result.bouts]), game.score.per_defender


def play_deals(
    players: int, numbers: range, who: list[str], base: str, field: str, roles: list[str]
) -> list[tuple[str, str, int, int, int]]:
    """Return (role, A, gain in half points, in points a defender, in contracts) of deals."""
    rules, rows = Rules(players=players), []
    for number in numbers:
        game = bid_out(Deal.random(rules=rules, rng=np.random.default_rng([7, number])), rules)
        if game.phase != "play":
            continue
        known: dict[tuple[str, ...], tuple[int, int]] = {}
        for role in roles:
            seats = seats_of(game, role, number)
            if not seats:
                continue
            sign = 1 if role in ("taker", "partner") else -1
            for name in who:
                found = []
                for bot in (name, base):
                    names = [bot if seat in seats else field for seat in range(players)]
                    key = tuple(names)
                    if key not in known:
                        known[key] = play_out(game, names, number)
                    found.append(known[key])
                (margin, paid), (before, paid_before) = found
                rows.append(
                    (
                        role,
                        name,
                        sign * (margin - before),
                        sign * (paid - paid_before),
                        sign * (int(margin >= 0) - int(before >= 0)),
                    )
                )
    return rows


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("who", nargs="+", metavar="A")
    parser.add_argument("--base", default="rules", metavar="B")
    parser.add_argument("--field", default="rules")
    parser.add_argument("--players", type=int, default=4, choices=(3, 4, 5))
    parser.add_argument("--deals", type=int, default=300, help="some of them are passed out")
    parser.add_argument("--role", choices=ROLES, action="append")
    parser.add_argument("--jobs", type=int, default=-1)
    given = parser.parse_args()
    started = time.time()
    roles = given.role or [r for r in ROLES if r != "partner" or given.players == 5]
    chunks = [range(first, min(first + 10, given.deals)) for first in range(0, given.deals, 10)]
    parts = Parallel(n_jobs=given.jobs)(
        delayed(play_deals)(given.players, chunk, given.who, given.base, given.field, roles)
        for chunk in chunks
    )
    rows = [row for part in parts for row in part]
    print(f"{given.players} players, instead of {given.base}, among {given.field}:")
    print("| player | role | deals | half points | points a defender | contracts |")
    print("|---|---|---|---|---|---|")
    for name in given.who:
        for role in roles:
            found = np.array([row[2:] for row in rows if row[:2] == (role, name)], float)
            if len(found) < 2:
                continue
            cells = [
                f"{mean:+.{digits}f} ± {se:.{digits}f}"
                for mean, se, digits in zip(
                    found.mean(0), found.std(0) / len(found) ** 0.5, (2, 1, 3), strict=True
                )
            ]
            print(f"| {name} | {role} | {len(found)} | " + " | ".join(cells) + " |")
    print(f"{time.time() - started:.0f} s")


if __name__ == "__main__":
    main()
