"""What is known to go wrong with hostile calls: the table in ``known.txt``."""

from __future__ import annotations

from pathlib import Path
from typing import Final

FILE: Final = Path(__file__).with_name("known.txt")
#: In place of the values: so many that they are not listed.
MANY: Final = "many"


def _lines() -> dict[str, str]:
    lines = FILE.read_text("utf-8").splitlines()
    pairs = (line.split(": ", 1) for line in lines if line and not line.startswith("#"))
    return {pair[0]: pair[1] for pair in pairs}


#: By place and kind of fault, the values with which it happens, apart by semicolons.
KNOWN: Final[dict[str, str]] = _lines()
