"""The file in which deals are kept while they are played: the last line is the one going on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tarot_sim.cli.output import SCHEMA
from tarot_sim.cli.reading import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import TracebackType
    from typing import BinaryIO


class Keeper:
    """Keeps records in a file, a line each, behind those that are there.

    Parameters
    ----------
    file
        Its path; None keeps nothing.

    Raises
    ------
    InputError
        If it cannot be written.
    """

    def __init__(self, file: str | None) -> None:
        self._name = file
        self._stream: BinaryIO | None = None
        self._start = 0
        self._last = b""
        if file is None:
            return
        if file == "-":
            raise InputError(f"{file}: a record needs a file, the table is what is printed")
        try:
            self._stream = open(file, "ab")  # noqa: SIM115  # closed by __exit__
            self._start = self._stream.tell() if Path(file).is_file() else -1
            if self._start > 0 and not Path(file).read_bytes().endswith(b"\n"):
                self._start += self._stream.write(b"\n")
        except (OSError, ValueError) as error:  # ValueError: a null byte in the name
            reason = error.strerror if isinstance(error, OSError) else error
            raise InputError(f"{file}: {reason}") from None

    def __enter__(self) -> Keeper:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self.next()
        if self._stream is not None:
            self._stream.close()

    def keep(self, record: Mapping[str, Any]) -> None:
        """Put the deal that is going on in place of what was kept of it before."""
        self._last = json.dumps({"schema": SCHEMA, **record}, allow_nan=False).encode() + b"\n"
        if self._start >= 0:
            self._write()

    def drop(self) -> None:
        """Forget the deal that was going on: all have passed."""
        self._last = b""
        if self._start >= 0:
            self._write()

    def next(self) -> None:
        """Leave the deal as it is; what is kept next is another one."""
        if self._start < 0:  # a pipe or the like, of which nothing can be taken back
            self._write()
        else:
            self._start += len(self._last)
        self._last = b""

    def _write(self) -> None:
        stream = self._stream
        if stream is None:
            return
        try:
            if self._start >= 0:
                stream.truncate(self._start)
            stream.write(self._last)
            stream.flush()
        except OSError as error:
            raise InputError(f"{self._name}: {error.strerror}") from None
