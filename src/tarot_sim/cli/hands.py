"""Questions about a hand: read from the arguments, from standard input or from a file of many.

A question is a hand, for an écart a dog with it, and what else a line may say of the table.
It is written as the cards alone (hand and dog on two lines, or with ``|`` between them), as
a JSON string, or as a JSON object whose keys are those of the options. An ``x`` in the hand is a
small card: it is drawn, by the seed, and the answer says so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from os.path import isfile
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

import click

from tarot_sim.cards import Card, Hand
from tarot_sim.cli.reading import InputError, answer_lines, read_text
from tarot_sim.errors import HandError, RecordError, field
from tarot_sim.messages import text
from tarot_sim.rules import Rules

if TYPE_CHECKING:
    from tarot_sim.cli.output import Output

#: What a line may say besides hand and dog: the key, its type for people, its type.
_KEYS: Final[dict[str, tuple[str, tuple[type, ...]]]] = {
    "players": ("an integer", (int,)),
    "dealer": ("an integer", (int,)),
    "seed": ("an integer", (int,)),
    "called": ("a string", (str,)),
    "auction": ("a string or an array of strings", (str, list)),
    "include": ("an array of strings", (list,)),
    "dog": ("a string", (str,)),
    "cards": ("a string", (str,)),
}


class Answered(Protocol):
    """An answer that has a JSON document; `house` names the house rules, if it follows any."""

    def to_dict(self) -> dict[str, Any]:
        """Return the document."""


AnAnswer = TypeVar("AnAnswer", bound=Answered)


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked of a hand.

    Attributes
    ----------
    hand, dog
        The cards as they are written; no dog where none is seen.
    options
        What else was said, by the keys of the command's options.
    """

    hand: str
    dog: str | None
    options: Mapping[str, Any]


def answer_hands(
    words: Sequence[str],
    out: Output,
    answer: Callable[[Asked, int], AnAnswer],
    show: Callable[[AnAnswer], None],
    *,
    options: Mapping[str, Any],
    keys: Sequence[str],
    jsonl: bool,
    n_jobs: int,
    with_dog: bool = False,
    without_hand: bool = False,
) -> None:
    """Answer the question of the arguments, or with `jsonl` each line of a file.

    Parameters
    ----------
    words
        The arguments: a hand in groups that need no quotes, hand and dog, ``-``, or a file.
    out, jsonl, n_jobs
        What the command was given.
    answer
        Works on a question with so many threads.
    show
        Prints an answer for people.
    options
        What the command was given; a line may say otherwise.
    keys
        Which keys of `options` a line may have.
    with_dog
        Whether a dog is needed.
    without_hand
        Whether something may be asked without a hand too; then it is empty text.
    """
    if jsonl:
        file = _file(words)

        def ask(line: str) -> Mapping[str, Any]:
            asked = _read(line, options, keys, with_dog, without_hand)
            asked, drawn = (asked, None) if without_hand else _with_small_cards(asked)
            return _document(answer(asked, 1), drawn)

        answer_lines(file, out, ask, n_jobs=n_jobs)
        return
    if without_hand and not words:
        asked = Asked("", None, options)
    else:
        asked = _of_words(words, options, keys, with_dog, without_hand)
    asked, drawn = (asked, None) if without_hand else _with_small_cards(asked)
    answered = answer(asked, n_jobs)
    if out.json:
        out.document(_document(answered, drawn))
        return
    if drawn is not None:
        out.line(text("hands.drawn", pattern=drawn.pattern, cards=out.hand(drawn.cards)))
    show(answered)
    out.house(getattr(answered, "house", {}))


@dataclass(frozen=True, slots=True)
class _Drawn:
    """The small cards of a hand that are not named, ``x``, as they were drawn."""

    pattern: str
    cards: Hand


def _with_small_cards(asked: Asked) -> tuple[Asked, _Drawn | None]:
    """Return the question with small cards drawn for every ``x`` of the hand, by the seed."""
    if "x" not in asked.hand.lower().replace("ex", ""):
        return asked, None
    from tarot_sim.deals.dealing import Draws
    from tarot_sim.deals.patterns import SMALL_MASKS, Pattern

    pattern = Pattern.parse(asked.hand)
    seen = pattern.named
    if asked.dog is not None:
        with field("dog"):
            seen |= Hand(asked.dog)
    draws = Draws(asked.options["seed"])
    cards: list[int] = []
    for mask, count in zip(SMALL_MASKS, pattern.small, strict=True):
        cards += draws.shuffled(list(Hand.from_mask(mask) - seen))[:count]
    drawn = Hand(cards)
    whole = replace(asked, hand=str(pattern.named | drawn))
    return whole, _Drawn(str(pattern), drawn)


def _document(answered: Answered, drawn: _Drawn | None) -> dict[str, Any]:
    """Return the JSON document of an answer, with the pattern if the hand was one."""
    document = answered.to_dict()
    if drawn is None:
        return document
    return document | {"pattern": drawn.pattern, "drawn": str(drawn.cards)}


def sized_hand(cards: str, rules: Rules) -> Hand:
    """Return a hand of the table's size."""
    return Hand(cards, size=rules.hand_size)


def sized_dog(cards: str, rules: Rules) -> Hand:
    """Return a dog of the table's size; what is wrong with it is told of the dog."""
    with field("dog"):
        dog = Hand(cards)
        if len(dog) != rules.dog_size:
            raise HandError(f"{len(dog)} cards, expected {rules.dog_size}")
    return dog


def card_named(name: str | None) -> Card | None:
    """Return the card called, if one is."""
    if name is None:
        return None
    with field("called"):
        return Card.parse(name)


def _file(words: Sequence[str]) -> str:
    if not words:
        raise click.UsageError("Missing argument 'FILE'.")
    if len(words) > 1:
        raise click.UsageError("--jsonl takes one file, or - for standard input")
    return words[0]


def _of_words(
    words: Sequence[str],
    options: Mapping[str, Any],
    keys: Sequence[str],
    with_dog: bool,
    without_hand: bool,
) -> Asked:
    if not words:
        raise click.UsageError("Missing argument 'HAND'.")
    if len(words) == 1 and words[0] != "-" and isfile(words[0]):
        raise InputError(
            f"{words[0]}: a file; --jsonl answers each of its lines, - reads standard input"
        )
    if list(words) == ["-"]:
        return _read(read_text("-"), options, keys, with_dog, without_hand)
    if not with_dog:
        return Asked(" ".join(words), None, options)
    if len(words) == 1:
        raise click.UsageError("Missing argument 'DOG'.")
    if len(words) > 2:
        raise click.UsageError(
            "HAND and DOG are two arguments, each in quotes: "
            'discard "A:21,19,EX P:R,D …" "A:3 P:2 …"'
        )
    return Asked(words[0], words[1], options)


def _read(
    line: str,
    options: Mapping[str, Any],
    keys: Sequence[str],
    with_dog: bool,
    without_hand: bool,
) -> Asked:
    """Return the question that a text is."""
    from tarot_sim.deals.formats.record import parse_json

    line = line.strip()
    value: Any = parse_json(line) if line[:1] in ('"', "{", "[") else line
    if isinstance(value, str):
        parts = [part.strip() for part in value.replace("\n", "|" if with_dog else " ").split("|")]
        parts = list(filter(None, parts))
        value = dict(zip(("hand", "dog"), parts, strict=False))
        if len(parts) > 1 + with_dog:
            raise InputError(f"{len(parts)} hands, expected one (--jsonl answers each line)")
    if not isinstance(value, dict):
        raise RecordError("expected a hand, or an object with one")
    said = {key: item for key, item in value.items() if item is not None}
    cards = ("hand", "dog") if with_dog else ("hand",)
    for key, item in said.items():
        _check(key, item, cards, keys)
    for key in cards:
        if key not in said and not without_hand:
            raise RecordError(f"{key}: missing")
    more = {key: item for key, item in said.items() if key not in cards}
    dog = said.get("dog") if with_dog else None
    return Asked(said.get("hand", ""), dog, {**options, **more})


def _check(key: str, item: object, cards: Sequence[str], keys: Sequence[str]) -> None:
    """Refuse a key that is not known, or whose value is of another type."""
    if key not in (*cards, *keys):
        raise RecordError(f"{key}: unknown field, there are {', '.join((*cards, *keys))}")
    name, types = ("a string", (str,)) if key in cards else _KEYS[key]
    texts = not isinstance(item, list) or all(isinstance(part, str) for part in item)
    if not isinstance(item, types) or isinstance(item, bool) or not texts:
        raise RecordError(f"{key}: expected {name}")
