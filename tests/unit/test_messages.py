"""The catalogues of what people are told, and the language that is chosen."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

import tarot_sim
from tarot_sim.cli.__main__ import COMMANDS
from tarot_sim.messages import LANGUAGES, catalogue, language, preferred, text, use
from tarot_sim.rules.table import ALL_CONTRACTS
from tests.commands import run_python

PACKAGE = Path(tarot_sim.__path__[0])
KEYS = list(catalogue("en"))


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    yield
    use("en")


def placeholders(message: str) -> set[str]:
    """Return the names in a message's braces; these hold a plain name and nothing else."""
    fields = [field for field in Formatter().parse(message) if field[1] is not None]
    for _, name, layout, conversion in fields:
        assert re.fullmatch(r"[a-z_]+", name or ""), message
        assert (layout, conversion) == ("", None), message
    return {str(field[1]) for field in fields}


# --- catalogues -----------------------------------------------------------------------


@pytest.mark.parametrize("spoken", LANGUAGES)
def test_the_file_of_a_language(spoken: str) -> None:
    """One flat object, each key once, laid out as editors and `json` would."""
    written = (PACKAGE / "messages" / f"{spoken}.json").read_text("utf-8")
    pairs = json.loads(written, object_pairs_hook=list)
    assert KEYS == [key for key, _ in pairs]
    assert len(KEYS) == len(set(KEYS))
    assert written == json.dumps(dict(pairs), indent=2, ensure_ascii=False) + "\n"
    assert max(map(len, written.splitlines())) <= 110
    for key, message in pairs:
        assert re.fullmatch(r"[a-z]+(_[a-z]+)*\.[a-z0-9_]+", key)
        lines = message if isinstance(message, list) else [message]
        assert any(lines), key
        assert all(isinstance(line, str) and "\n" not in line for line in lines), key


def test_the_languages_say_the_same() -> None:
    """Each has every message, in the same order, with the same values in it."""
    for spoken in LANGUAGES:
        assert list(catalogue(spoken)) == KEYS
        for key in KEYS:
            found = catalogue(spoken)[key]
            assert found.strip(), key
            assert placeholders(catalogue("en")[key]) == placeholders(found), key
            # These are parameters of `text`.
            assert placeholders(found).isdisjoint({"key", "language"}), key


def test_every_message_is_used() -> None:
    sources = "".join(
        path.read_text("utf-8") for path in PACKAGE.rglob("*.py") if path.parent.name != "messages"
    )
    for key in KEYS:
        built = f'f"{key.partition(".")[0]}.{{'  # a key whose end is a value
        assert f'"{key}"' in sources or built in sources, key


def test_every_message_that_is_used_is_there() -> None:
    groups = "|".join({key.partition(".")[0] for key in KEYS})
    for path in PACKAGE.rglob("*.py"):
        used = set(re.findall(rf'text\(\s*"((?:{groups})\.\w+)"', path.read_text("utf-8")))
        assert used <= set(KEYS), path


def test_what_is_built_from_names_is_there() -> None:
    """Commands and contracts are looked up by their names, and nothing else is."""
    for start, names in (("command", COMMANDS), ("contract", ALL_CONTRACTS)):
        found = [key.removeprefix(f"{start}.") for key in KEYS if key.startswith(f"{start}.")]
        assert list(names) == found


def test_a_list_is_lines() -> None:
    written = json.loads((PACKAGE / "messages" / "fr.json").read_text("utf-8"))
    assert "\n".join(written["solve.help"]) == catalogue("fr")["solve.help"]
    assert "\n\n" in catalogue("fr")["solve.help"]


def test_a_catalogue_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        catalogue("en")["group.help"] = "x"  # type: ignore[index]


# --- languages ------------------------------------------------------------------------


def test_text_speaks_the_language_in_use() -> None:
    assert ("en", "defence") == (language(), text("camp.defence"))
    use("fr")
    assert ("fr", "défense") == (language(), text("camp.defence"))
    assert "graine 7" == text("deal.seed", seed=7)


def test_two_languages_at_a_time() -> None:
    """A message may name its language, whichever is in use."""
    for used in LANGUAGES:
        use(used)
        assert "seed 7" == text("deal.seed", language="en", seed=7)
        assert "graine 7" == text("deal.seed", language="fr", seed=7)
        assert used == language()


@pytest.mark.parametrize("name", ["de", "", "../messages/en", "EN"])
def test_a_language_that_is_not_there(name: str) -> None:
    with pytest.raises(ValueError, match=r"^language: '.*' is not one of en, fr$"):
        catalogue(name)


def test_only_the_language_that_is_spoken_is_read() -> None:
    code = (
        "from tarot_sim import messages\n"
        "read = lambda: messages.catalogue.cache_info().currsize\n"
        "assert read() == 0\n"
        "messages.use('fr')\n"
        "assert messages.text('camp.attack') == 'attaque'\n"
        "assert read() == 1"
    )
    assert "" == run_python(code)


@pytest.mark.parametrize(
    ("arguments", "variables", "expected"),
    [
        ([], {}, "en"),
        ([], {"LANG": "fr_FR.UTF-8"}, "fr"),
        ([], {"LANG": "fr_CA", "LC_MESSAGES": "en_US"}, "en"),
        ([], {"LANG": "C", "LC_ALL": "fr"}, "fr"),
        ([], {"LC_ALL": "fr_FR", "TAROT_SIM_LANG": "en"}, "en"),
        ([], {"LC_ALL": "", "LANG": "fr"}, "fr"),
        (["replay", "--lang", "fr"], {"LANG": "en"}, "fr"),
        (["--lang=en", "replay"], {"LANG": "fr"}, "en"),
        (["--lang"], {"LANG": "fr"}, "fr"),
    ],
)
def test_the_language_that_is_preferred(
    arguments: list[str], variables: dict[str, str], expected: str
) -> None:
    assert expected == preferred(arguments, variables)
