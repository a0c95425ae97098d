"""Write the corpus again: positions as records, with the number of legal sequences.

Run ``python -m tests.perft.refresh`` from the top; nothing should change unless positions
are added. Positions and counts are the oracle's alone: nothing of the package is imported.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any

from tests.reference import generate, rules
from tests.reference.dealing import callable_cards
from tests.reference.deck import DECK, EXCUSE, RANK, SUIT, TRUMP

FILE = Path(__file__).parent / "positions.json"

#: Cards that the oracle plays in a second or so.
DEPTH = 5
CARDS = {3: 5, 4: 4, 5: 3}

Record = dict[str, Any]


def state_of(record: Record) -> rules.State:
    """Return the oracle's state for a record of the corpus."""
    players = record["players"]
    state = rules.State(
        rules.Table(players, frozenset({record["taker"]}), called=record.get("called")),
        tuple(tuple(hand.split()) for hand in record["hands"]),
        record["leader"] if "leader" in record else (record["dealer"] + 1) % players,
    )
    for card in record["plays"]:
        assert card in rules.legal(state)
        state = rules.play(state, card)
    return state


def counts(record: Record, depth: int) -> list[int]:
    """Return the number of sequences of 1, 2, … `depth` cards."""
    state = state_of(record)
    return [rules.perft(state, cards) for cards in range(1, depth + 1)]


def corpus() -> Iterator[dict[str, Any]]:
    """Yield the positions of the corpus with their counts."""
    for players in (3, 4, 5):
        rng = Random(f"perft {players}")
        for _ in range(2):
            yield _counted("a whole deal", _whole(rng, players), DEPTH)
        for _ in range(4):
            start = generate.random_ending(rng, players, CARDS[players], trumps=0.5)
            yield _counted("an ending", _ending(start, []), players * CARDS[players])
        for about, wanted in (
            ("the Excuse was led: the second player is free", _excuse_was_led),
            ("the Excuse was led, the second card has set the suit", _second_set_the_suit),
            ("some trumps are too low", _must_overtrump),
            ("a suit was led, and some trumps are too low to go over a trump", _must_overruff),
            ("no trump is high enough, any of them must be played", _must_undertrump),
        ):
            for _ in range(2):
                start, plays = _searched(rng, players, wanted)
                left = players * CARDS[players] - len(plays)
                yield _counted(about, _ending(start, plays), left)
    rng = Random("perft called")
    yield _counted("the leader has the called card", _called(rng, holds=True), DEPTH)
    yield _counted("the called suit may not be led", _called(rng, holds=False), DEPTH)
    after_excuse = _called(rng, holds=True, excuse=True)
    after_excuse["plays"] = [EXCUSE]
    yield _counted("the called suit is free after an Excuse", after_excuse, DEPTH)


def _counted(about: str, record: Record, depth: int) -> dict[str, Any]:
    return {"about": about, "record": record, "nodes": counts(record, depth)}


def _whole(rng: Random, players: int) -> Record:
    hands, dog = generate.random_hands(rng, players)
    taker = rng.randrange(players)
    record = {
        "players": players,
        "dealer": rng.randrange(players),
        "hands": [_line(hand) for hand in hands],
        "dog": _line(dog),
        "taker": taker,
        "contract": "garde_sans",
        "plays": [],
    }
    if players == 5:
        record["called"] = rng.choice(callable_cards(hands[taker]))
    return record


def _called(rng: Random, *, holds: bool, excuse: bool = False) -> Record:
    """Return a deal whose leader has cards of the called suit."""
    while True:
        record = _whole(rng, 5)
        hand = record["hands"][(record["dealer"] + 1) % 5].split()
        called = record["called"]
        suits = [SUIT[card] for card in hand]
        if SUIT[called] in suits and (called in hand) == holds and (EXCUSE in hand) >= excuse:
            return record


def _ending(start: rules.State, plays: list[str]) -> Record:
    return {
        "players": start.table.players,
        "hands": [_line(hand) for hand in start.hands],
        "leader": start.leader,
        "taker": min(start.table.attack),
        "plays": plays,
    }


def _searched(
    rng: Random, players: int, wanted: Callable[[rules.State], bool]
) -> tuple[rules.State, list[str]]:
    """Return an ending, and cards played from it that lead to a state that is `wanted`."""
    while True:
        start = generate.random_ending(rng, players, CARDS[players], trumps=1)
        state, plays = generate.random_plays(rng, start, rng.randrange(1, players))
        if wanted(state):
            return start, plays


def _excuse_was_led(state: rules.State) -> bool:
    return [card for _, card in state.trick] == [EXCUSE]


def _second_set_the_suit(state: rules.State) -> bool:
    return len(state.trick) == 2 and state.trick[0][1] == EXCUSE


def _trumps(state: rules.State) -> tuple[list[str], list[str]]:
    """Return the trumps of the player to move, and those that may be played."""
    held = [card for card in state.hands[rules.to_move(state)] if SUIT[card] == TRUMP]
    return held, [card for card in rules.legal(state) if SUIT[card] == TRUMP]


def _must_overtrump(state: rules.State) -> bool:
    held, legal = _trumps(state)
    return rules.led_suit(state.trick) == TRUMP and 0 < len(legal) < len(held)


def _must_overruff(state: rules.State) -> bool:
    held, legal = _trumps(state)
    return rules.led_suit(state.trick) != TRUMP and 0 < len(legal) < len(held)


def _must_undertrump(state: rules.State) -> bool:
    held, legal = _trumps(state)
    highest = rules.highest_trump(state.trick)
    return len(held) > 1 and held == legal and max(RANK[card] for card in held) < highest


def _line(cards: Iterable[str]) -> str:
    return " ".join(sorted(cards, key=DECK.index))


def _format(positions: list[dict[str, Any]]) -> str:
    """Return the file's text, one hand and one field a line, for good diffs."""
    return "[\n" + ",\n".join(map(_entry, positions)) + "\n]\n"


def _entry(position: dict[str, Any]) -> str:
    fields = []
    for key, value in position["record"].items():
        text = json.dumps(value)
        if key == "hands":
            text = "[\n" + ",\n".join(f"      {json.dumps(hand)}" for hand in value) + "\n    ]"
        fields.append(f'    "{key}": {text}')
    return (
        f'  {{"about": {json.dumps(position["about"])},\n'
        '  "record": {\n' + ",\n".join(fields) + "\n  },\n"
        f'  "nodes": {json.dumps(position["nodes"])}}}'
    )


if __name__ == "__main__":
    FILE.write_text(_format(list(corpus())), encoding="utf-8")
