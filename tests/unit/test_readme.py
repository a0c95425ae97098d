"""What the READMEs show is what the commands print, and what they link to is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.readme import FILES, ROOT, Example, all_examples, cut, kept, run

EXAMPLES = list(all_examples())
PAGES = [*FILES, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", ROOT / "tests" / "README.md"]


@pytest.mark.parametrize("example", EXAMPLES, ids=[example.command[:40] for example in EXAMPLES])
def test_answer(example: Example) -> None:
    assert example.shown == cut(run(example.command), kept(example.shown))


def test_every_command_is_shown() -> None:
    commands = set(re.findall(r"^  (\w+)  ", run("tarot-sim --help"), re.MULTILINE))
    shown = {name for example in EXAMPLES for name in re.findall(r"tarot-sim (\w+)", example[0])}
    assert commands == shown


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_to_files(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target
