"""``python -m tests.hostile``: writes the table of known faults as they are now.

With names of families, only shows what went wrong there.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterable
from typing import Final

from tests.hostile.known import FILE, MANY
from tests.hostile.running import Fault, Server, families

_HEAD: Final = """\
# What is known to go wrong with hostile calls: place, kind of fault and, behind the colon, the
# values with which it happens. A line that holds no more has to go: the tests fail where less
# goes wrong than is written here, as where more does. The kinds of faults:
#
# accepted    an answer where an error was due
# wrong       another answer than that of the honest value which the hostile one stands for
# refused     an error where the value has to be understood
# changed     an object is no more what it was before the call that was refused
# long        an error whose text is longer than 300 characters
# quadratic   four times the input takes more than eight times as long
# hang        more than 2 s of processor
# crash       the end of the process
# leak        memory that does not come back
# exit 1      what the command line should have called bad input
# lines       bad input that is not told in one line
# any other   the class of an error that is neither TypeError nor ValueError (of records, and on
#             the command line: no TarotError)
#
# `python -m tests.hostile` writes this file.

"""
#: Values that a line lists at most.
_MOST: Final = 12


def _report(faults: Iterable[tuple[str, str, Fault]]) -> None:
    for where, value, fault in faults:
        print(f"{where} {fault.what}: {value}: {fault.more}")


def _table(faults: Iterable[tuple[str, str, Fault]]) -> str:
    lines: dict[str, list[str]] = defaultdict(list)
    for where, value, fault in faults:
        lines[f"{where} {fault.what}"].append(value)
    return "".join(f"{key}: {_values(values)}\n" for key, values in lines.items())


def _values(values: list[str]) -> str:
    return MANY if len(values) > _MOST else "; ".join(values)


def main() -> None:
    """Run the families that are named, or write the table of all."""
    names = sys.argv[1:]
    server = Server()
    calls, faults = 0, []
    for family in names or families():
        before = server.cpu
        number, found = server.run(family)
        calls += number
        faults += found
        shown = f"{family}: {number} calls, {len(found)} faults, {server.cpu - before:.1f} s"
        print(shown, file=sys.stderr, flush=True)
    server.close()
    if names:
        _report(faults)
    else:
        FILE.write_text(_HEAD + _table(faults), encoding="utf-8")
    print(f"{calls} calls, {len(faults)} faults", file=sys.stderr)


if __name__ == "__main__":
    main()
