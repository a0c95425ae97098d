"""The entry point: finds the command, and turns errors into one line and an exit code.

0 done; 1 failure; 2 bad input; 130 stopped by Ctrl-C.
"""

from __future__ import annotations

import importlib
import os
import re
import sys
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final, NoReturn

from tarot_sim import __version__, messages
from tarot_sim.errors import RecordWarning, TarotError
from tarot_sim.messages.errors import translated

try:
    import click
except ImportError:
    sys.exit("tarot-sim: error: the command line needs click: pip install 'tarot_sim[cli]'")

from tarot_sim.cli.helping import HelpContext
from tarot_sim.cli.options import help_option, in_option_names, lang_option

PROGRAM: Final = "tarot-sim"

#: Every command in the order of the help; it is ``command`` in the module ``cmd_NAME``.
COMMANDS: Final = (
    "chances",
    "discard",
    "call",
    "odds",
    "solve",
    "replay",
    "legal",
    "score",
    "perft",
    "deal",
    "bench",
    "convert",
    "advise",
    "arena",
    "play",
)

#: What an error line repeats of a mistake, which may be a megabyte long.
_ENDLESS: Final = re.compile(r"\S{256,}")
_MOST_SHOWN: Final = 40
_MOST_CHARACTERS: Final = 1000

_DONE: Final = 0
_FAILURE: Final = 1
_BAD_INPUT: Final = 2
_INTERRUPTED: Final = 130


class LazyGroup(click.Group):
    """A group that imports a command's module only when the command is called."""

    context_class = HelpContext

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, importing its module."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"tarot_sim.cli.cmd_{cmd_name}")
        command: click.Command = module.command
        command.context_class = HelpContext
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that the arguments name, without importing another."""
        name = args[0]
        command = self.get_command(ctx, name)
        if command is None:
            ctx.fail(f"no such command {name!r}, there are {', '.join(COMMANDS)}")
        return name, command, args[1:]

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; its errors name its own options, not the library's arguments."""
        try:
            return super().invoke(ctx)
        except TarotError as error:
            command = self.get_command(ctx, ctx.invoked_subcommand or "")
            raise (error if command is None else in_option_names(error, command)) from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands without importing them."""
        with formatter.section(messages.text("group.commands")):
            formatter.write_dl([(name, messages.text(f"command.{name}")) for name in COMMANDS])


def _print_version(ctx: click.Context, _option: click.Parameter, value: bool) -> None:
    if value:
        click.echo(f"{PROGRAM} {__version__}")
        ctx.exit()


def make_group() -> click.Group:
    """Return the command line, its help in the language in use."""

    @click.group(
        PROGRAM,
        cls=LazyGroup,
        help=messages.text("group.help"),
        context_settings={
            "help_option_names": ["-h", "--help"],
            "max_content_width": 80,
        },
    )
    @click.option(
        "--version",
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=_print_version,
        help=messages.text("option.version"),
    )
    @lang_option
    @help_option
    def group() -> None:
        pass

    return group


def run(arguments: Sequence[str]) -> int:
    """Run the command line and return its exit code."""
    messages.use(messages.preferred(arguments, os.environ))
    with warnings.catch_warnings():
        warnings.simplefilter("always", RecordWarning)
        warnings.showwarning = _warn_once()
        return _run(arguments)


def _run(arguments: Sequence[str]) -> int:
    try:
        code = make_group().main(list(arguments), prog_name=PROGRAM, standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return _BAD_INPUT
    except (click.Abort, KeyboardInterrupt):
        return _stop(None, _INTERRUPTED)
    except click.ClickException as error:
        return _stop(error.format_message(), _BAD_INPUT)
    except TarotError as error:
        return _stop(str(error), _BAD_INPUT, error.more)
    except BrokenPipeError:
        return _leave_pipe()
    except Exception as error:
        if os.environ.get("TAROT_SIM_DEBUG"):
            raise
        return _stop(f"{type(error).__name__}: {error}", _FAILURE)
    return code if isinstance(code, int) else _DONE


def _stop(message: str | None, code: int, more: Sequence[str] = ()) -> int:
    """Let out the answers that there are, say what is wrong on a line each, return `code`."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        return _leave_pipe()
    if message is not None:
        for key, fault in [("error.line", message), *[("error.more", fault) for fault in more]]:
            said = translated(_abridged(" ".join(fault.split())), messages.language())
            click.echo(messages.text(key, program=PROGRAM, message=said), err=True)
    return code


def _abridged(message: str) -> str:
    """Return a message without the rest of words that no name of a file is as long as."""
    return _ENDLESS.sub(lambda word: word[0][:_MOST_SHOWN] + "…", message)[:_MOST_CHARACTERS]


def _warn_once() -> Callable[..., None]:
    """Return what prints warnings, each of them once, however many deals it is about."""
    printed: set[str] = set()

    def show(message: Warning | str, *_where: object) -> None:
        if str(message) not in printed:
            printed.add(str(message))
            said = translated(_abridged(str(message)), messages.language())
            click.echo(messages.text("error.warning", program=PROGRAM, message=said), err=True)

    return show


def _leave_pipe() -> int:
    """Give up output that nobody reads, so that not even the interpreter's exit complains."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return _FAILURE


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run ``tarot-sim`` and leave the process with its exit code."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal without accents gets question marks rather than an error.
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")
    code = run(sys.argv[1:] if arguments is None else arguments)
    if code in (_FAILURE, _INTERRUPTED):
        # What other threads have begun in native code would hold up the end.
        with suppress(OSError):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)
    sys.exit(code)


if __name__ == "__main__":
    main()
