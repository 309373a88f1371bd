"""Print the table of figures, whole or in part.

    python -m benchmarks                        every section
    python -m benchmarks startup throughput     these sections
    python -m benchmarks --markdown             for a document

Every row is a ratio of two things measured in the same run.
"""

import argparse
import os
import platform
import sys
import time
from collections.abc import Sequence

from rich.console import Console

from benchmarks.measure import Setting
from benchmarks.sections import SECTIONS, NotHere, section
from benchmarks.table import Part, markdown, terminal


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; with `--check` returns 1 where a target is missed."""
    options = _options(arguments)
    setting = Setting(
        cases=options.cases,
        rounds=options.rounds,
        repeats=options.repeats,
        in_flight=options.in_flight,
        large=options.large,
        million=options.million,
    )
    begin, load = time.monotonic(), os.getloadavg()[0]
    parts = [measure(name, setting) for name in options.sections or SECTIONS]
    caption = (
        f"{setting.cases} test cases, {setting.in_flight} calls in flight, {os.cpu_count()} cores shared with the "
        f"server, Python {platform.python_version()}, {time.monotonic() - begin:.0f} s in all, load average "
        f"{load:.1f} before and {os.getloadavg()[0]:.1f} after. Ratio: ragstone / what stands beside it."
    )
    if options.markdown:
        print(markdown(parts, caption))
    else:
        Console(width=None if sys.stdout.isatty() else 130).print(terminal(parts, caption))
    return int(options.check and any(row.met is False for part in parts for row in part.rows))


def measure(name: str, setting: Setting) -> Part:
    """Measure one section."""
    module = section(name)
    print(f"measuring {name} …", file=sys.stderr)
    try:
        return Part(module.TITLE, tuple(module.rows(setting)))
    except NotHere as reason:
        return Part(module.TITLE, (), str(reason))


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=f"of {', '.join(SECTIONS)}")
    parser.add_argument("--markdown", action="store_true", help="print Markdown")
    parser.add_argument("--check", action="store_true", help="exit with 1 where a target is missed")
    parser.add_argument("--cases", type=int, default=Setting.cases)
    parser.add_argument("--rounds", type=int, default=Setting.rounds, help="runs of each program, in turn")
    parser.add_argument("--repeats", type=int, default=Setting.repeats, help="starts of each command")
    parser.add_argument("--in-flight", type=int, default=Setting.in_flight)
    parser.add_argument(
        "--large", type=int, default=Setting.large, help="test cases of a large run that is kept"
    )
    parser.add_argument(
        "--million", action="store_true", help="a run of a million too, with its memory's curve"
    )
    options = parser.parse_args(arguments)
    unknown = [name for name in options.sections if name not in SECTIONS]
    if unknown:
        parser.error(f"there is no section {unknown[0]!r}: write {', '.join(SECTIONS)}")
    return options


if __name__ == "__main__":
    sys.exit(main())
