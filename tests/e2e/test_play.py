"""A person at a real terminal: a whole deal with hints, undo, the review, and its record."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import subprocess
import termios
from pathlib import Path
from typing import Any, Final

import pytest

from tarot_sim.deals.deal import Deal
from tests.commands import call, command, environment

#: What the command ends a question with.
PROMPTS: Final = {
    "en": rb"(?:Your bid|You call|Your .cart|You announce|Your card)[^\n]*: $",
    "fr": rb"(?:Votre ench.re|Vous appelez|Votre .cart|Vous annoncez|Votre carte)[^\n]* : $",
}


class Terminal:
    """The command under a pseudo-terminal; what is typed waits for the question."""

    def __init__(self, language: str, *options: object) -> None:
        self._parent, child = pty.openpty()
        self._prompt = re.compile(
            PROMPTS[language].replace(b" .", b" ..").replace(b"h.re", b"h..re")
        )
        self.process = subprocess.Popen(
            command("play", "--lang", language, *options),
            env=environment(TERM="xterm"),
            stdin=child,
            stdout=child,
            stderr=child,
            start_new_session=True,
            preexec_fn=_take_terminal,
        )
        os.close(child)
        self.seen = b""

    def until_asked(self) -> str | None:
        """Return what is printed up to the next question; None at the end."""
        part = b""
        while True:
            if not select.select([self._parent], [], [], 60)[0]:
                raise TimeoutError(self.seen[-2000:].decode())
            try:
                read = os.read(self._parent, 65536)
            except OSError:  # the other end has closed
                read = b""
            self.seen += read
            part += read
            if not read:
                return None
            if self._prompt.search(part):
                return part.decode()

    def type(self, line: str) -> None:
        os.write(self._parent, line.encode() + b"\n")

    def key(self, character: bytes) -> None:
        os.write(self._parent, character)

    def text(self) -> str:
        return re.sub(r"\x1b\[[0-9;]*m", "", self.seen.decode()).replace("\r\n", "\n")

    def close(self) -> int:
        code = self.process.wait(timeout=60)
        os.close(self._parent)
        return code


def _take_terminal() -> None:
    """Make the pseudo-terminal the one that Ctrl-C comes from."""
    import fcntl

    signal.signal(signal.SIGINT, signal.default_int_handler)
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def cards_in_brackets(text: str) -> list[str]:
    return re.findall(r"\[([^\]\s]+)\]", re.sub(r"\x1b\[[0-9;]*m", "", text))


@pytest.mark.parametrize(("language", "players"), [("en", 4), ("fr", 5), ("en", 3)])
def test_a_whole_deal_at_a_terminal(language: str, players: int, tmp_path: Path) -> None:
    words = {
        "en": ("hint", "undo", "last", "score", "follow", "Your last decision", "Review: "),
        "fr": ("conseil", "annuler", "dernier", "score", "suivre", "Votre dernière", "Bilan : "),
    }
    hint, undo, last, score, follow, undone, review = words[language]
    file = tmp_path / "deal.json"
    terminal = Terminal(
        language, "--players", players, "--seed", 12, "--bots", "search:worlds=4", "--record", file
    )
    asked, decided = terminal.until_asked(), 0
    while asked is not None:
        decided += 1
        if decided % 4 == 1:
            terminal.type(hint)
            assert re.search(r"Hint: |Conseil : ", terminal.until_asked() or "")
        if decided % 5 == 2:
            terminal.type("belote")
            assert re.search(r"^\? .belote|\? . ?belote", terminal.until_asked() or "", re.M)
        if decided == 6:
            terminal.type(undo)
            assert undone in (terminal.until_asked() or "")
            terminal.type(follow)
            assert terminal.until_asked()
        if decided == 8:
            terminal.type(last)
            assert re.search(r"(Trick|Pli) \d+, ", terminal.until_asked() or "")
            terminal.type(score)
            terminal.until_asked()
        legal = cards_in_brackets(asked)
        # A card that the hand shows as legal, with the suit's symbol, is one that may be typed.
        terminal.type(legal[-1] if legal and decided % 2 else follow)
        asked = terminal.until_asked()
    assert terminal.close() == 0
    text = terminal.text()
    assert text.count(review) == 1
    assert re.search("♠|♥|♦|♣", text)
    assert [line for line in text.splitlines() if len(line) > 80 and str(file) not in line] == []
    deal = Deal.from_dict(json.loads(file.read_text("utf-8")))
    assert deal.is_played_out
    replayed = call("replay", file, "--json")
    assert replayed.returncode == 0
    scores: dict[str, Any] = json.loads(replayed.stdout)
    told = re.findall(r"^(?:score|marque)((?: +[+-]?\d+)+)$", text, re.M)[-1].split()
    assert [int(word) for word in told] == scores["scores"]


@pytest.mark.parametrize(("key", "code"), [(b"\x03", 130), (b"\x04", 0)])
def test_ctrl_c_and_ctrl_d_keep_the_deal(key: bytes, code: int, tmp_path: Path) -> None:
    file = tmp_path / "deal.json"
    terminal = Terminal("en", "--seed", 5, "--bots", "rules", "--record", file)
    for _ in range(6):
        assert terminal.until_asked() is not None
        terminal.type("follow")
    assert terminal.until_asked() is not None
    terminal.key(key)
    while terminal.until_asked() is not None:
        pass
    assert terminal.close() == code
    assert "Traceback" not in terminal.text()
    record = json.loads(file.read_text("utf-8"))
    assert len(record["plays"]) >= 16
    replayed = call("replay", file)
    assert replayed.returncode == 0
    assert "not played out" in replayed.stdout
