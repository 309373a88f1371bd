"""The report in a terminal, on one page: the verdict and the metrics, the worst cases, the usage.

The content is the same at 60 and at 200 columns, in a pipe, without colours, and in ASCII.
"""

import sys
from collections.abc import Iterator
from datetime import UTC
from io import StringIO
from shutil import get_terminal_size
from typing import cast

from rich.console import Console, RenderableType
from rich.text import Text

from ragstone.reports.console.glyphs import Glyphs, glyphs_for
from ragstone.reports.console.metric_table import metrics_table
from ragstone.reports.console.repeats import repeats_section
from ragstone.reports.console.styles import (
    NOT_MEASURED,
    QUIET,
    STRONG,
    indented,
    joined,
    plain_console,
    print_parts,
    status_mark,
    styled,
    text_width,
    untrusted,
)
from ragstone.reports.console.worst_cases import worst_case
from ragstone.reports.fingerprint import drafted_test_set
from ragstone.reports.numbers import count
from ragstone.reports.report import Report
from ragstone.reports.view.failures import ErrorGroup
from ragstone.reports.view.report_view import ReportView, dataset_name, report_view, title, usage_figures
from ragstone.status import Status

MOST_CASES = 5
_MAX_ERROR_GROUPS, _MAX_REJECTED_ROWS = 8, 5


def show(report: Report, console: Console, *, cases: int | None = MOST_CASES) -> None:
    """Print a report.

    Args:
        report: the report of a run.
        console: the console to print on, made without markup, emoji and highlighting; see `plain_console`.
        cases: how many of the worst cases are shown; None for all.
    """
    print_parts(console, _parts(report, text_width(console), glyphs_for(console.encoding), cases))


def render_summary(report: Report) -> str:
    """Return the verdict and the table of metrics as text without colours, as wide as the terminal allows."""
    glyphs = glyphs_for(sys.stdout.encoding or "ascii")
    console = plain_console(StringIO(), width=get_terminal_size((100, 24)).columns)
    width, view = text_width(console), report_view(report)
    print_parts(
        console,
        [
            *_header(report, view, glyphs, width),
            *metrics_table(view.metrics, width, glyphs),
            *_closing(report, view, glyphs),
        ],
    )
    return cast("StringIO", console.file).getvalue().rstrip("\n")


def _parts(report: Report, width: int, glyphs: Glyphs, cases: int | None) -> Iterator[RenderableType]:
    view = report_view(report)
    yield from _header(report, view, glyphs, width)
    yield from metrics_table(view.metrics, width, glyphs)
    yield from repeats_section(view.repeats, glyphs, cases)
    yield from _worst(view, glyphs, cases)
    yield from _errors(view, glyphs)
    yield from _notes(report, view, glyphs)
    yield from _closing(report, view, glyphs)


def _header(report: Report, view: ReportView, glyphs: Glyphs, width: int) -> Iterator[RenderableType]:
    plan, dot = report.run.plan, f" {glyphs.separator} "
    head = joined("RUN  ", untrusted(title(report), glyphs, 80, STRONG), " ")
    yield joined(head, styled(glyphs.line * max(0, width - head.cell_len), QUIET))
    cases = count(len(report.cases), "case")
    yield joined(
        "judge ",
        untrusted(plan.judge, glyphs, 80, STRONG),
        dot,
        untrusted(dataset_name(report), glyphs, 80),
        dot,
        cases,
    )
    when = report.run.started.astimezone(UTC)
    test_set = drafted_test_set(report.cases)
    drafted = f"{dot}test set {test_set}" if test_set else ""
    yield styled(f"{when:%Y-%m-%d %H:%M} UTC{dot}{report.run.id}{drafted}", QUIET)
    if view.judge_accuracy:
        yield styled(view.judge_accuracy, QUIET)
    yield ""


def _worst(view: ReportView, glyphs: Glyphs, max_cases: int | None) -> Iterator[RenderableType]:
    if not view.worst:
        return
    shown = view.worst[:max_cases]
    total = count(len(view.worst), "case")
    remark = "" if len(shown) == len(view.worst) else f"  {len(shown)} of {total} that missed a threshold"
    yield joined(styled("WORST FIRST", STRONG), styled(remark, QUIET), "\n")
    for item in shown:
        yield worst_case(item, view.labels, glyphs)


def _errors(view: ReportView, glyphs: Glyphs) -> Iterator[RenderableType]:
    if not view.errors:
        return
    yield joined(
        styled("NOT MEASURED", STRONG),
        styled(f"  {count(view.not_measured, 'result')}, not in the means", QUIET),
        "\n",
    )
    for group in view.errors[:_MAX_ERROR_GROUPS]:
        yield indented(_error(group, glyphs), 2)
    if len(view.errors) > _MAX_ERROR_GROUPS:
        yield indented(styled(f"and {len(view.errors) - _MAX_ERROR_GROUPS} other kinds", QUIET), 2)
    yield ""


def _error(group: ErrorGroup, glyphs: Glyphs) -> Text:
    times = "x" if glyphs.ascii else "\N{MULTIPLICATION SIGN}"
    metrics = ", ".join(f"{name} {number}" for name, number in group.metrics)
    return joined(
        status_mark("not_measured", glyphs),
        f" {group.count:,} {times} ",
        untrusted(group.kind, glyphs, 60, STRONG),
        "  ",
        untrusted(group.message, glyphs, 400),
        styled("  (", NOT_MEASURED),
        untrusted(metrics, glyphs, 200, NOT_MEASURED),
        styled(f"; first in case {group.first})", NOT_MEASURED),
    )


def _notes(report: Report, view: ReportView, glyphs: Glyphs) -> Iterator[RenderableType]:
    rejected = report.rejected[:_MAX_REJECTED_ROWS]
    if not view.notes and not rejected:
        return
    yield styled("NOTES\n", STRONG)
    for note in view.notes:
        yield indented(joined(f"{glyphs.dash} ", untrusted(note, glyphs, 400)), 2)
    for row in rejected:
        yield indented(
            joined(status_mark("not_measured", glyphs), " not read: ", untrusted(row, glyphs, 400)), 2
        )
    if len(report.rejected) > len(rejected):
        omitted = count(len(report.rejected) - len(rejected), "other row")
        yield indented(styled(f"and {omitted} not read", QUIET), 2)
    yield ""


def _closing(report: Report, view: ReportView, glyphs: Glyphs) -> Iterator[RenderableType]:
    statuses: dict[bool | None, Status] = {True: "passed", False: "missed", None: "not_measured"}
    yield joined(status_mark(statuses[view.passed], glyphs), " ", styled(view.verdict, STRONG))
    yield styled(f" {glyphs.separator} ".join(usage_figures(report)), QUIET)
