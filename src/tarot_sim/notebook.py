"""Cards and tables as notebooks show them: fragments of HTML, all text in them escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

#: Colours that can be read on white and on black: of the red suits, and of the trumps.
_RED: Final = "#d33"
_BLUE: Final = "#27c"


def text_html(text: object) -> str:
    """Return text that stands in HTML as it is.

    Examples
    --------
    >>> text_html("<b> & co")
    '&lt;b&gt; &amp; co'
    """
    from html import escape  # it loads all names of entities

    return escape(str(text))


def cards_html(names: str) -> str:
    """Return cards, or groups of cards, in the colours of their suits.

    Parameters
    ----------
    names
        As `Card.pretty` and `Hand.pretty` have them: with the suits' symbols.

    Examples
    --------
    >>> cards_html("♥:R,D ♣:8")
    '<span style="color:#d33">♥:R,D</span> ♣:8'
    """
    return " ".join(map(_coloured, names.split())) or "–"


def _coloured(name: str) -> str:
    colour = _RED if name[0] in "♥♦" else _BLUE if name[0] in "AE" else None
    text = text_html(name)
    return text if colour is None else f'<span style="color:{colour}">{text}</span>'


def table_html(
    header: Sequence[str], rows: Iterable[Sequence[str]], caption: str | None = None
) -> str:
    """Return a table; the cells are HTML already, header and caption are text.

    Examples
    --------
    >>> table_html(["a<b"], [["1"]])
    '<table><thead><tr><th>a&lt;b</th></tr></thead><tbody><tr><td>1</td></tr></tbody></table>'
    """
    above = "" if caption is None else f"<caption>{text_html(caption)}</caption>"
    heads = "".join(f"<th>{text_html(name)}</th>" for name in header)
    lines = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    head = f"<thead><tr>{heads}</tr></thead>" if header else ""
    return f"<table>{above}{head}<tbody>{lines}</tbody></table>"
