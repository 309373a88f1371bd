"""The report in a terminal: is it good enough, where does it fail, what did it take; in that order, on one page.

It reads the same on 60 columns and on 200, in a pipe, without colours, and where only ASCII can be shown.
"""

from collections.abc import Iterator
from datetime import UTC

from rich.console import Console, RenderableType
from rich.text import Text

from ragstone.reports._digest import Digest, dataset_name, digest, title
from ragstone.reports._failures import ErrorGroup
from ragstone.reports._figures import count
from ragstone.reports._glyphs import Glyphs, glyphs_for
from ragstone.reports._ink import NOT_MEASURED, QUIET, STRONG, foreign, indented, ink, line, status_mark
from ragstone.reports._repeats_section import repeats_section
from ragstone.reports._report import Report
from ragstone.reports._scoreboard import scoreboard
from ragstone.reports._sheet import put, width_of
from ragstone.reports._showcase import showcase
from ragstone.reports._spent import spent

MOST_CASES = 5
_MOST_ERRORS, _MOST_ROWS = 8, 5


def show(report: Report, console: Console, *, cases: int | None = MOST_CASES) -> None:
    """Print a report.

    Args:
        report: what a run found out.
        console: where to; made without markup, emoji and highlighting, see `console_on`.
        cases: how many of the worst cases are shown; None for all.
    """
    put(console, _parts(report, width_of(console), glyphs_for(console.encoding), cases))


def _parts(report: Report, width: int, glyphs: Glyphs, cases: int | None) -> Iterator[RenderableType]:
    found = digest(report)
    yield from _header(report, glyphs, width)
    yield from scoreboard(found.metrics, width, glyphs)
    yield from repeats_section(found.repeats, glyphs, cases)
    yield from _worst(found, glyphs, cases)
    yield from _errors(found, glyphs)
    yield from _notes(report, found, glyphs)
    yield from _closing(report, found, glyphs)


def _header(report: Report, glyphs: Glyphs, width: int) -> Iterator[RenderableType]:
    plan, dot = report.run.plan, f" {glyphs.separator} "
    head = line("RUN  ", foreign(title(report), glyphs, 80, STRONG), " ")
    yield line(head, ink(glyphs.line * max(0, width - head.cell_len), QUIET))
    cases = count(len(report.cases), "case")
    yield line(
        "judge ",
        foreign(plan.judge, glyphs, 80, STRONG),
        dot,
        foreign(dataset_name(report), glyphs, 80),
        dot,
        cases,
    )
    when = report.run.started.astimezone(UTC)
    yield ink(f"{when:%Y-%m-%d %H:%M} UTC{dot}{report.run.id}", QUIET)
    yield ""


def _worst(found: Digest, glyphs: Glyphs, most: int | None) -> Iterator[RenderableType]:
    if not found.worst:
        return
    shown = found.worst[:most]
    total = count(len(found.worst), "case")
    which = (
        "" if len(shown) == len(found.worst) else f"  {len(shown)} of {total} with something below the mark"
    )
    yield line(ink("WORST FIRST", STRONG), ink(which, QUIET), "\n")
    for item in shown:
        yield showcase(item, found.labels, glyphs)


def _errors(found: Digest, glyphs: Glyphs) -> Iterator[RenderableType]:
    if not found.errors:
        return
    yield line(
        ink("NOT MEASURED", STRONG), ink(f"  {count(found.failed, 'failure')}, in no mean", QUIET), "\n"
    )
    for group in found.errors[:_MOST_ERRORS]:
        yield indented(_error(group, glyphs), 2)
    if len(found.errors) > _MOST_ERRORS:
        yield indented(ink(f"and {len(found.errors) - _MOST_ERRORS} other kinds", QUIET), 2)
    yield ""


def _error(group: ErrorGroup, glyphs: Glyphs) -> Text:
    times = "x" if glyphs.ascii else "\N{MULTIPLICATION SIGN}"
    metrics = ", ".join(f"{name} {number}" for name, number in group.metrics)
    return line(
        status_mark("ERROR", glyphs),
        f" {group.count:,} {times} ",
        foreign(group.kind, glyphs, 60, STRONG),
        "  ",
        foreign(group.message, glyphs, 400),
        ink("  (", NOT_MEASURED),
        foreign(metrics, glyphs, 200, NOT_MEASURED),
        ink(f"; first in case {group.first})", NOT_MEASURED),
    )


def _notes(report: Report, found: Digest, glyphs: Glyphs) -> Iterator[RenderableType]:
    rejected = report.rejected[:_MOST_ROWS]
    if not found.notes and not rejected:
        return
    yield ink("NOTES\n", STRONG)
    for note in found.notes:
        yield indented(line(f"{glyphs.dash} ", foreign(note, glyphs, 400)), 2)
    for row in rejected:
        yield indented(line(status_mark("ERROR", glyphs), " not read: ", foreign(row, glyphs, 400)), 2)
    if len(report.rejected) > len(rejected):
        more = count(len(report.rejected) - len(rejected), "other row")
        yield indented(ink(f"and {more} not read", QUIET), 2)
    yield ""


def _closing(report: Report, found: Digest, glyphs: Glyphs) -> Iterator[RenderableType]:
    status = {True: "PASS", False: "FAIL", None: "ERROR"}[found.passed]
    yield line(status_mark(status, glyphs), " ", ink(found.verdict, STRONG))
    yield ink(f" {glyphs.separator} ".join(spent(report)), QUIET)
