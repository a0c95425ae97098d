from __future__ import annotations

import io
import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import pytest

from tarot_sim import __version__, messages
from tarot_sim.cli.__main__ import COMMANDS, make_group, run
from tarot_sim.cli.output import Output, signed
from tarot_sim.deals import formats
from tarot_sim.deals.deal import Deal
from tarot_sim.rules import Rules
from tests.golden.refresh import FOLDER

CONTENTS = {
    file.stem: json.loads(file.read_text(encoding="utf-8"))
    for file in sorted(FOLDER.glob("*.json"))
}
SOURCE = Path(__file__).parents[3] / "src"


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Keep the tester's language and colours out of the tests."""
    for name in ("TAROT_SIM_LANG", "LC_ALL", "LC_MESSAGES", "LANG", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    yield
    messages.use("en")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return a file with one record."""
    path = tmp_path / "deal.json"
    path.write_text(json.dumps(CONTENTS["random-4-garde"]["record"]), encoding="utf-8")
    return path


@pytest.fixture
def lines(tmp_path: Path) -> Path:
    """Return a file with every golden record on a line."""
    path = tmp_path / "deals.jsonl"
    text = "".join(json.dumps(content["record"]) + "\n" for content in CONTENTS.values())
    path.write_text(text, encoding="utf-8")
    return path


class Answer:
    """Exit code and output of a call in this process."""

    def __init__(self, capsys: pytest.CaptureFixture[str], *arguments: object) -> None:
        self.code = run([str(argument) for argument in arguments])
        self.out, self.err = capsys.readouterr()

    @property
    def json(self) -> Any:
        assert self.code == 0, self.err
        assert self.out.count("\n") == 1
        document = json.loads(self.out)
        assert next(iter(document.items())) == ("schema", 1)
        return document

    def is_error(self, message: str, code: int = 2) -> None:
        """Assert that the only line on standard error is this error."""
        assert self.code == code
        assert self.err.endswith("\n")
        assert self.err.count("\n") == 1
        assert self.err.startswith(f"tarot-sim: error: {message}"), self.err


def call(*arguments: object, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run the command line in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "tarot_sim.cli", *map(str, arguments)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
        check=False,
        env=environment(options.pop("env", {})),
        **options,
    )


def environment(extra: dict[str, str]) -> dict[str, str]:
    path = os.pathsep.join(filter(None, (str(SOURCE), os.environ.get("PYTHONPATH"))))
    return os.environ | {"PYTHONPATH": path} | extra


class TestReplay:
    @pytest.mark.parametrize("name", list(CONTENTS))
    def test_json(self, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        path = tmp_path / "deal.json"
        path.write_text(json.dumps(CONTENTS[name]["record"]), encoding="utf-8")
        assert Answer(capsys, "replay", path, "--json").json == CONTENTS[name]["replay"]

    @pytest.mark.parametrize("name", list(CONTENTS))
    @pytest.mark.parametrize("language", messages.LANGUAGES)
    def test_for_people(
        self, name: str, language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        path = tmp_path / "deal.json"
        path.write_text(json.dumps(CONTENTS[name]["record"]), encoding="utf-8")
        answer = Answer(capsys, "replay", path, "--lang", language)
        assert answer.code == 0
        assert answer.err == ""
        assert max(map(len, answer.out.splitlines())) <= 80
        expected = CONTENTS[name]["replay"]
        shown = [" ".join(trick["cards"]) in answer.out for trick in expected["tricks"]]
        assert all(shown)
        for score in expected["scores"] or ():
            assert signed(score) in answer.out

    def test_text(self, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
        out = Answer(capsys, "replay", file).out.splitlines()
        assert out[0] == "Garde, taker: seat 2"
        assert out[1] == "trick  leader  cards in order of play  winner"
        assert out[-4:-2] == ["attack 29, defence 62", "bouts: 1, needed: 51, down 22"]
        assert out[-2:] == ["seat     0    1     2    3", "score  +94  +94  -282  +94"]

    def test_lines(self, lines: Path, capsys: pytest.CaptureFixture[str]) -> None:
        answer = Answer(capsys, "replay", "--jsonl", lines)
        assert answer.code == 0
        answers = [json.loads(line) for line in answer.out.splitlines()]
        assert answers == [content["replay"] for content in CONTENTS.values()]

    def test_bad_line(self, lines: Path, capsys: pytest.CaptureFixture[str]) -> None:
        good = lines.read_text(encoding="utf-8").splitlines()
        for bad, message in (
            ("{}", "line 3: players: missing"),
            ("{", "line 3: record: not JSON"),
            (json.dumps(Deal.random(rng=1).to_dict()), "line 3: taker: missing"),
        ):
            lines.write_text("\n".join([*good[:2], bad, *good[3:]]), encoding="utf-8")
            answer = Answer(capsys, "replay", "--jsonl", lines)
            answer.is_error(message)
            assert len(answer.out.splitlines()) == 2

    def test_standard_input(
        self, file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        for extra in ([], ["--jsonl"]):
            stream = io.TextIOWrapper(io.BytesIO(b"\xef\xbb\xbf" + file.read_bytes()))
            monkeypatch.setattr(sys, "stdin", stream)
            answer = Answer(capsys, "replay", "-", "--json", *extra)
            assert answer.json == CONTENTS["random-4-garde"]["replay"]

    @pytest.mark.parametrize("name", ["tarotclub", "tagged"])
    def test_other_formats(
        self, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        deal = Deal.from_dict(CONTENTS["random-4-garde"]["record"])
        path = tmp_path / "deal"
        path.write_text(formats.dump([deal], name), encoding="utf-8")
        assert Answer(capsys, "replay", path, "--json").json == CONTENTS["random-4-garde"]["replay"]

    def test_rules(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        path = tmp_path / "deal.json"
        path.write_text(json.dumps(CONTENTS["excuse-last-own-camp"]["record"]), encoding="utf-8")
        fft = Answer(capsys, "replay", path, "--json", "--rules", "fft").json
        assert fft == CONTENTS["excuse-last-own-camp-fft"]["replay"]


class TestLegal:
    def test_json(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        path = tmp_path / "deal.json"
        record = {
            "players": 4,
            "hands": ["A21 PR", "PD P2", "A3 CR", "P1 C2"],
            "leader": 1,
            "taker": 0,
            "plays": ["PD"],
        }
        path.write_text(json.dumps(record), encoding="utf-8")
        document = Answer(capsys, "legal", path, "--json").json
        assert document["player"] == 2
        assert document["legal"] == ["A3"]
        assert document["hand"] == "A:3 C:R"
        assert document["trick"] == ["PD"]
        out = Answer(capsys, "legal", path).out.splitlines()
        assert out == ["to move: seat 2", "on the table: PD", "hand:  A:3 C:R", "legal: A:3"]

    def test_over(self, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
        document = Answer(capsys, "legal", file, "--json").json
        assert document["player"] is None
        assert document["legal"] == []
        assert Answer(capsys, "legal", file).out == "every card has been played\n"

    def test_lines(self, lines: Path, capsys: pytest.CaptureFixture[str]) -> None:
        answer = Answer(capsys, "legal", lines, "--jsonl")
        assert len(answer.out.splitlines()) == len(CONTENTS)


class TestScore:
    garde = ("score", "--contract", "garde", "--points", "49", "--bouts", "2")

    def test_json(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert Answer(capsys, *self.garde, "--json").json == {
            "schema": 1,
            "target": 41,
            "made": True,
            "difference": 8,
            "per_defender": 66,
            "scores": {"taker": 198, "partner": None, "defender": -66},
        }

    def test_everything(self, capsys: pytest.CaptureFixture[str]) -> None:
        more = ("--players", 5, "--petit-au-bout", "attack", "--poignee", "simple", "--poignee")
        answer = Answer(capsys, *self.garde, *more, "double", "--json").json
        assert answer["per_defender"] == 66 + 50 + 20
        assert answer["scores"] == {"taker": 272, "partner": 136, "defender": -136}
        alone = Answer(capsys, *self.garde, "--players", 5, "--alone", "--json").json
        assert alone["scores"] == {"taker": 264, "partner": None, "defender": -66}
        failed = Answer(capsys, *self.garde, "--chelem", "announced_failed", "--json").json
        assert failed["per_defender"] == 66 - 200

    def test_vectors(self, capsys: pytest.CaptureFixture[str]) -> None:
        vectors = json.loads((FOLDER.parent / "scores.json").read_text(encoding="utf-8"))
        for vector in vectors:
            options = [f"--{name}={vector[name]}" for name in ("players", "contract", "points")]
            options.append(f"--bouts={vector['bouts']}")
            options += [f"--poignee={name}" for name in vector["poignees"]]
            for name in ("petit_au_bout", "chelem"):
                if vector[name] is not None:
                    options.append(f"--{name.replace('_', '-')}={vector[name]}")
            if vector["players"] == 5 and "partner" not in vector["scores"]:
                options.append("--alone")
            answer = Answer(capsys, "score", "--json", *options).json
            assert answer["per_defender"] == vector["per_defender"], vector["id"]
            assert vector["scores"].items() <= answer["scores"].items(), vector["id"]

    def test_for_people(self, capsys: pytest.CaptureFixture[str]) -> None:
        out = Answer(capsys, *self.garde).out
        assert out == "needed: 41, made by 8\ntaker +198\neach defender -66\n"
        french = Answer(capsys, "--lang", "fr", *self.garde, "--players", "5").out
        assert french.splitlines()[0] == "il faut 41, fait de 8"
        assert "associé +66" in french

    def test_halves(self, capsys: pytest.CaptureFixture[str]) -> None:
        for points in ("40.5", "40,5"):
            options = ("--contract", "prise", "--points", points, "--bouts", 2, "--players", 3)
            assert Answer(capsys, "score", *options, "--json").json["per_defender"] == -26

    def test_impossible(self, capsys: pytest.CaptureFixture[str]) -> None:
        start = ("score", "--contract", "garde")
        Answer(capsys, *start, "--points", 92, "--bouts", 2).is_error("points: 92 is outside 0…91")
        Answer(capsys, *start, "--points", 49, "--bouts", 4).is_error("bouts: 4 is not one of")
        Answer(capsys, *start, "--points", "x", "--bouts", 2).is_error("points: 'x' is not a numb")
        Answer(capsys, *self.garde, "--alone").is_error("alone: only at 5 players")

    def test_imports_nothing_heavy(self) -> None:
        code = (
            "import sys\nfrom tarot_sim.cli.__main__ import run\n"
            f"assert run({list(self.garde)}) == 0\n"
            "print(sorted({'numpy', 'joblib', 'rich', 'tarot_sim._core'} & set(sys.modules)))"
        )
        done = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
            env=environment({}),
        )
        assert done.stdout.splitlines()[-1] == "[]"


class TestPerft:
    record: ClassVar[dict[str, Any]] = {
        "players": 3,
        "hands": ["A21 PR", "P2 C2", "P3 K3"],
        "leader": 0,
        "taker": 0,
    }

    def test(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        path = tmp_path / "deal.json"
        path.write_text(json.dumps(self.record), encoding="utf-8")
        # A21 is led: 2 × 2 answers; PR is led: both must follow suit.
        for depth, nodes in ((0, 1), (1, 2), (2, 3), (3, 5), (6, 5), (9, 5)):
            document = Answer(capsys, "perft", path, "--depth", depth, "--json").json
            assert document == {"schema": 1, "depth": depth, "nodes": nodes}
        assert Answer(capsys, "perft", path, "--depth", 3).out == "sequences of 3 cards: 5\n"

    def test_in_pieces(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        path = tmp_path / "deal.json"
        record = CONTENTS["random-3-garde"]["record"]
        path.write_text(json.dumps(record | {"plays": record["plays"][:-12]}), encoding="utf-8")
        position = Deal.from_dict(record).position(len(record["plays"]) - 12)
        for depth in (6, 8, 12, 13):
            document = Answer(capsys, "perft", path, "--depth", depth, "--json").json
            assert document["nodes"] == position.perft(depth)

    def test_depth(self, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
        Answer(capsys, "perft", file).is_error("Missing option '--depth'.")
        Answer(capsys, "perft", file, "--depth", -1).is_error("Invalid value for '--depth'")


class TestDeal:
    def test_records(self, capsys: pytest.CaptureFixture[str]) -> None:
        answer = Answer(capsys, "deal", "-n", 3, "--seed", 1, "--players", 5)
        records = [json.loads(line) for line in answer.out.splitlines()]
        assert [next(iter(record)) for record in records] == ["schema"] * 3
        deals = [Deal.from_dict(record) for record in records]
        assert [deal.players for deal in deals] == [5, 5, 5]
        assert len({deal.hands for deal in deals}) == 3
        assert deals[0] == Deal.random(5, rng=1)
        assert answer.err == ""

    def test_fewer_are_a_prefix(self, capsys: pytest.CaptureFixture[str]) -> None:
        for physical in ([], ["--physical", "--riffles", 1]):
            many = Answer(capsys, "deal", "-n", 4, "--seed", 2, *physical).out
            few = Answer(capsys, "deal", "-n", 2, "--seed", 2, *physical).out
            assert many.startswith(few)

    def test_seed_is_told(self, capsys: pytest.CaptureFixture[str]) -> None:
        answer = Answer(capsys, "deal")
        match = re.fullmatch(r"seed (\d+)\n", answer.err)
        assert match
        assert Answer(capsys, "deal", "--seed", match[1]).out == answer.out
        assert Answer(capsys, "deal", "--quiet").err == ""

    def test_json(self, capsys: pytest.CaptureFixture[str]) -> None:
        one = Answer(capsys, "deal", "--seed", 1, "--json").json
        assert Deal.from_dict(one) == Deal.random(rng=1)
        document = Answer(capsys, "deal", "-n", 2, "--seed", 1, "--json").json
        assert document["deals"][0] == one
        assert Answer(capsys, "deal", "-n", 0, "--seed", 1).out == ""

    def test_petit_sec(self, capsys: pytest.CaptureFixture[str]) -> None:
        options = ("deal", "-n", 600, "--players", 5, "--seed", 1, "--petit-sec")
        for choice, some in (("off", True), ("cancel", False)):
            records = map(json.loads, Answer(capsys, *options, choice).out.splitlines())
            hands = [hand for record in records for hand in Deal.from_dict(record).hands]
            assert any(hand.is_petit_sec() for hand in hands) == some

    def test_can_be_played_on(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        record = json.loads(Answer(capsys, "deal", "--seed", 1).out)
        path = tmp_path / "deal.json"
        path.write_text(json.dumps(record), encoding="utf-8")
        Answer(capsys, "legal", path).is_error("taker: missing")
        record |= {"taker": 0, "contract": "garde_sans"}
        path.write_text(json.dumps(record), encoding="utf-8")
        assert len(Answer(capsys, "legal", path, "--json").json["legal"]) == 18


class TestConvert:
    @pytest.mark.parametrize("to", ["record", "tagged"])
    def test_all_deals(self, to: str, lines: Path, capsys: pytest.CaptureFixture[str]) -> None:
        answer = Answer(capsys, "convert", lines, "--to", to)
        assert answer.code == 0
        assert formats.load(answer.out) == formats.load(lines.read_text(encoding="utf-8"))

    def test_there_and_back(
        self, file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        club = tmp_path / "club.json"
        club.write_text(Answer(capsys, "convert", file, "--to", "tarotclub").out, encoding="utf-8")
        assert json.loads(club.read_text(encoding="utf-8"))["version"] == "3"
        back = Answer(capsys, "convert", club, "--to", "record")
        assert json.loads(back.out) == CONTENTS["random-4-garde"]["record"]
        Answer(capsys, "convert", club, "--to", "record", "--from", "tagged").is_error("line 1: ")

    def test_losses_are_told(
        self, file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        deal = replace(Deal.from_dict(CONTENTS["random-4-garde"]["record"]), plays=())
        file.write_text(formats.dump([deal], "record"), encoding="utf-8")
        answer = Answer(capsys, "convert", file, "--to", "tarotclub")
        assert answer.err == "deal 1: TarotClub has no place for taker, contract, discard\n"
        assert Answer(capsys, "convert", file, "--to", "tarotclub", "--quiet").err == ""

    @pytest.mark.parametrize("to", ["record", "tagged", "tarotclub"])
    def test_json(self, to: str, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
        document = Answer(capsys, "convert", file, "--to", to, "--json").json
        assert document["format"] == to
        assert len(document["deals"]) == 1
        text = document["deals"][0]
        text = text if to == "tagged" else json.dumps(text)
        assert formats.load(text) == [Deal.from_dict(CONTENTS["random-4-garde"]["record"])]

    def test_impossible(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        path = tmp_path / "deal.json"
        path.write_text(json.dumps(CONTENTS["ending"]["record"]), encoding="utf-8")
        Answer(capsys, "convert", path, "--to", "tarotclub").is_error("leader: TarotClub has no")
        Answer(capsys, "convert", path).is_error("Missing option '--to'.")


class TestErrors:
    @pytest.mark.parametrize("command", ["replay", "legal", "perft", "convert"])
    @pytest.mark.parametrize("extra", [[], ["--jsonl"]], ids=["", "jsonl"])
    def test_files(
        self, command: str, extra: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        options = {"perft": ["--depth", "1"], "convert": ["--to", "record"]}.get(command, [])
        if command == "convert" and extra:
            pytest.skip("convert reads whole files")
        missing = tmp_path / "missing"
        answer = Answer(capsys, command, missing, *options, *extra)
        answer.is_error(f"{missing}: No such file or directory")
        Answer(capsys, command, tmp_path, *options, *extra).is_error(f"{tmp_path}: Is a directory")
        binary = tmp_path / "binary"
        binary.write_bytes(b"\xff\xfe\x00")
        answer = Answer(capsys, command, binary, *options, *extra)
        answer.is_error("line 1: not UTF-8" if extra else f"{binary}: not UTF-8 text")

    def test_record(self, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
        record = CONTENTS["random-4-garde"]["record"]
        hands = [*record["hands"][:3], record["hands"][0]]
        file.write_text(json.dumps(record | {"hands": hands}), encoding="utf-8")
        Answer(capsys, "replay", file, "--json").is_error("hands[3]: card ")

    def test_several_deals(self, lines: Path, capsys: pytest.CaptureFixture[str]) -> None:
        answer = Answer(capsys, "replay", lines)
        answer.is_error(f"{lines}: {len(CONTENTS)} deals, expected one (--jsonl answers each line)")

    def test_usage(self, capsys: pytest.CaptureFixture[str]) -> None:
        Answer(capsys, "repla").is_error("no such command 'repla', there are ")
        Answer(capsys, "replay").is_error("Missing argument 'FILE'.")
        Answer(capsys, "--nope").is_error("No such option")
        Answer(capsys, "replay", "--lang", "de", "-").is_error("Invalid value for '--lang': 'de'")
        Answer(capsys, "score", "--contract", "petite").is_error("Invalid value for '--contract'")

    def test_nothing_asked(self, capsys: pytest.CaptureFixture[str]) -> None:
        answer = Answer(capsys)
        assert answer.code == 2
        assert answer.out == ""
        assert "Usage: tarot-sim" in answer.err

    def test_failure(
        self, file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        def fail(_deal: Deal) -> None:
            raise OverflowError("too\nmuch")

        monkeypatch.setattr(Deal, "position", fail)
        Answer(capsys, "legal", file).is_error("OverflowError: too much", code=1)
        monkeypatch.setenv("TAROT_SIM_DEBUG", "1")
        with pytest.raises(OverflowError):
            run(["legal", str(file)])

    def test_interrupt(
        self, file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        def stop(_deal: Deal) -> None:
            raise KeyboardInterrupt

        monkeypatch.setattr(Deal, "position", stop)
        answer = Answer(capsys, "legal", file)
        assert answer.code == 130
        assert answer.err.strip() == ""

    def test_ctrl_c(self, tmp_path: Path) -> None:
        output = tmp_path / "out"
        with output.open("wb") as stream:
            process = subprocess.Popen(
                [sys.executable, "-m", "tarot_sim.cli", "deal", "-n", "100000000", "--seed", "1"],
                stdout=stream,
                stderr=subprocess.PIPE,
                env=environment({}),
            )
            deadline = time.monotonic() + 30
            while not output.stat().st_size and time.monotonic() < deadline:
                time.sleep(0.02)
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=30)
        assert process.returncode == 130
        assert err.strip() == b""
        assert output.read_bytes().endswith(b"\n")

    def test_broken_pipe(self) -> None:
        process = subprocess.Popen(
            [sys.executable, "-m", "tarot_sim.cli", "deal", "-n", "100000", "--seed", "1"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment({}),
        )
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith(b'{"schema": 1')
        process.stdout.close()
        assert process.stderr.read() == b""
        process.stderr.close()
        assert process.wait(timeout=30) == 1


class TestLanguages:
    def test_json_is_not_translated(self, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
        answer = Answer(capsys, "replay", file, "--json", "--lang", "fr")
        assert answer.json == CONTENTS["random-4-garde"]["replay"]

    @pytest.mark.parametrize("command", list(COMMANDS))
    def test_french_help(self, command: str) -> None:
        done = call(command, "--help", env={"TAROT_SIM_LANG": "fr"})
        assert done.returncode == 0
        assert "Langue de l'affichage." in done.stdout
        assert max(map(len, done.stdout.splitlines())) <= 80

    def test_terminal_without_unicode(self) -> None:
        start = ("score", "--contract", "garde", "--points", "92", "--bouts", "2")
        done = call(*start, env={"PYTHONIOENCODING": "latin-1"})
        assert done.returncode == 2
        assert done.stderr == "tarot-sim: error: points: 92 is outside 0?91\n"


class TestHelp:
    def test_lists_the_commands(self, capsys: pytest.CaptureFixture[str]) -> None:
        answer = Answer(capsys, "--help")
        assert answer.code == 0
        for name in COMMANDS:
            english = messages.text(f"command.{name}")
            assert re.search(rf"^  {name} +{re.escape(english)}$", answer.out, re.MULTILINE)

    @pytest.mark.parametrize("command", list(COMMANDS))
    def test_of_a_command(self, command: str, capsys: pytest.CaptureFixture[str]) -> None:
        answer = Answer(capsys, command, "-h")
        assert answer.code == 0
        assert answer.out.startswith(f"Usage: tarot-sim {command} ")

    def test_version(self, capsys: pytest.CaptureFixture[str]) -> None:
        answer = Answer(capsys, "--version")
        assert answer.code == 0
        assert answer.out == f"tarot-sim {__version__}\n"

    def test_group_has_every_command(self) -> None:
        group = make_group()
        for name in COMMANDS:
            command = group.get_command(None, name)  # type: ignore[arg-type]
            assert command is not None
            assert command.name == name


class TestOutput:
    def test_document(self, capsys: pytest.CaptureFixture[str]) -> None:
        Output().document({"a": 1, "schema": 7})
        assert capsys.readouterr().out == '{"schema": 1, "a": 1}\n'

    def test_notes_are_talk(self, capsys: pytest.CaptureFixture[str]) -> None:
        Output().note("busy")
        Output(quiet=True).note("busy")
        captured = capsys.readouterr()
        assert (captured.out, captured.err) == ("", "busy\n")

    def test_table(self, capsys: pytest.CaptureFixture[str]) -> None:
        Output().table(["name", " number"], [["x", "1"], ["longer", "23"]])
        assert capsys.readouterr().out == "name    number\nx            1\nlonger      23\n"

    def test_names_of_cards(self) -> None:
        deal = Deal.from_dict(CONTENTS["random-4-garde"]["record"])
        hand = deal.hands[0]
        assert Output().hand(hand) == str(hand)
        shown = re.sub(r"\x1b\[\d+m", "", Output(pretty=True).hand(hand))
        assert shown == hand.pretty

    @pytest.mark.parametrize("extra", [[], ["--no-color"]], ids=["colour", "plain"])
    def test_terminal(self, file: Path, extra: list[str]) -> None:
        """On a terminal that can show them the suits are symbols."""
        parent, child = pty.openpty()
        process = subprocess.Popen(
            [sys.executable, "-m", "tarot_sim.cli", "replay", str(file), *extra],
            stdout=child,
            env=environment({"PYTHONIOENCODING": "utf-8"}),
        )
        os.close(child)
        output = b""
        while True:
            try:
                part = os.read(parent, 65536)
            except OSError:  # the other end has closed
                break
            if not part:
                break
            output += part
        os.close(parent)
        assert process.wait(timeout=30) == 0
        text = output.decode()
        assert ("♠" in text) == (not extra)
        assert ("\x1b[31m♥" in text) == (not extra)

    def test_signed(self) -> None:
        assert [signed(n) for n in (12, -3, 0)] == ["+12", "-3", "0"]


def test_rules_of_a_record_are_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    deal = replace(Deal.random(rng=1), rules=Rules.fft(4))
    path = tmp_path / "deal.json"
    path.write_text(formats.dump([deal], "record"), encoding="utf-8")
    assert json.loads(Answer(capsys, "convert", path, "--to", "record").out) == deal.to_dict()


def test_score_of_json_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    vectors = json.loads(Path("tests/golden/scores.json").read_text(encoding="utf-8"))
    file = tmp_path / "results.jsonl"
    file.write_text("\n".join(map(json.dumps, vectors)), encoding="utf-8")
    assert run(["score", str(file), "--jsonl"]) == 0
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [vector["per_defender"] for vector in vectors] == [
        answer["per_defender"] for answer in answers
    ]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "line 2: record: not JSON at column "),
        ("[]", "line 2: expected an object"),
        ('{"contract": "garde", "points": 40}', "line 2: bouts: missing"),
        ('{"contract": "garde", "points": 95, "bouts": 2}', "line 2: points: 95 is outside"),
        ('{"hands": []}', "line 2: players: missing"),
        ('{"contract": "garde", "points": 40, "bouts": 2, "points": 4}', "line 2: points: comes"),
        ('{"contract": "garde", "points": NaN, "bouts": 2}', "line 2: record: NaN is no number"),
        ('{"contract": "garde", "points": 49, "bouts": -Infinity}', "line 2: record: -Infinity"),
    ],
)
def test_a_wrong_line_is_named(
    line: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "results.jsonl"
    file.write_text(
        f'{{"contract": "garde", "points": 49, "bouts": 2}}\n{line}\n', encoding="utf-8"
    )
    assert run(["score", str(file), "--jsonl"]) == 2
    captured = capsys.readouterr()
    assert len(captured.out.splitlines()) == 1
    assert message in captured.err
    assert len(captured.err.splitlines()) == 1
