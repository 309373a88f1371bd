"""Markdown, fit for a pull request: the figures as a table, the worst cases as a list.

Text under evaluation cannot add formatting, create links or mention people: the special characters of Markdown and HTML
are escaped, and `@name` and `#12` are split by a zero-width space.
"""

import re
from collections.abc import Iterator
from typing import IO

from ragstone.reports.numbers import count, score
from ragstone.reports.printable import one_line
from ragstone.reports.report import Report
from ragstone.reports.view.figure_text import COUNTED, NOTHING, interval_text, mean_text, pass_text, rule_text
from ragstone.reports.view.findings import Finding, findings
from ragstone.reports.view.metric_names import metric_name
from ragstone.reports.view.report_view import (
    CaseView,
    MetricView,
    ReportView,
    dataset_name,
    report_view,
    title,
    usage_figures,
)
from ragstone.result import Result
from ragstone.status import STATUS_WORDS

_MAX_CASES, _MAX_FINDINGS, _MAX_REJECTED_ROWS = 5, 2, 5
_SPECIAL_CHARACTERS = re.compile(r"([\\`*_\[\]<>&|~$])")
_INVISIBLE_BREAK = "\N{ZERO WIDTH SPACE}"
_COLUMNS = ("metric", "mean", "95 % interval", "n", *(STATUS_WORDS[status] for status in COUNTED), "passed")
_ALIGNMENTS = ("---", "--:", "---", "--:", *("--:" for _ in COUNTED), "---")


def render(report: Report) -> str:
    """Return the report as Markdown."""
    return "\n".join(_lines(report, report_view(report)))


def write(report: Report, file: IO[bytes]) -> None:
    """Write a report."""
    file.write(render(report).encode())


def escape(text: str, limit: int = 400) -> str:
    """Return text under evaluation, escaped so that it is displayed literally."""
    safe = _SPECIAL_CHARACTERS.sub(r"\\\1", one_line(text, limit))
    safe = safe.replace("://", r"\://").replace("www.", r"www\.")
    return re.sub(r"@|#(?=\w)", lambda match: match[0] + _INVISIBLE_BREAK, safe)


def _lines(report: Report, view: ReportView) -> Iterator[str]:
    plan = report.run.plan
    sign = {True: "✓", False: "✗", None: "⚠"}[view.passed]
    yield f"## {sign} {escape(title(report))}\n"
    yield f"**{view.verdict}**\n"
    cases = count(len(report.cases), "case")
    yield f"Judge **{escape(plan.judge)}** · {escape(dataset_name(report))} · {cases} · {report.run.id}\n"
    if view.judge_accuracy:
        yield f"<sub>{escape(view.judge_accuracy)}</sub>\n"
    yield from _table(view.metrics)
    yield from _repeats(view)
    yield from _worst(view)
    yield from _errors(view)
    yield from _notes(report, view)
    yield f"<sub>{' · '.join(usage_figures(report))}</sub>\n"


def _table(metrics: tuple[MetricView, ...]) -> Iterator[str]:
    if metrics:
        yield _row(_COLUMNS)
        yield _row(_ALIGNMENTS)
        yield from map(_metric, metrics)
        yield ""


def _row(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(cells)} |"


def _metric(metric: MetricView) -> str:
    summary = metric.summary
    rule = rule_text(metric.threshold, higher_is_better=metric.higher_is_better)
    counts = (f"{summary.n:,}", *(f"{summary.counts[status]:,}" for status in COUNTED))
    passed = pass_text(summary, " to ").replace(" passed", "") or NOTHING
    return _row(
        (f"{escape(metric.name)} ({rule})", mean_text(summary), interval_text(summary), *counts, passed)
    )


def _repeats(view: ReportView) -> Iterator[str]:
    if view.repeats:
        yield f"### Repeats: each measured {view.repeats[0].repeats} times\n"
        for metric in view.repeats:
            yield f"- **{escape(metric.name)}** {metric.verdict}"
            remarks = [metric.spread, *([metric.advice] if metric.advice else [])]
            yield f"  <br>{'; '.join(remarks)}"
            for item in metric.wavering[:_MAX_CASES]:
                listed_scores = " ".join(score(value) for value in item.scores)
                yield f"  - {item.words}: **{item.number:,}** {listed_scores} {escape(item.case.input, 160)}"
        yield ""


def _worst(view: ReportView) -> Iterator[str]:
    shown = view.worst[:_MAX_CASES]
    if shown:
        yield f"### Worst first: {len(shown)} of {count(len(view.worst), 'case')} that missed a threshold\n"
        for item in shown:
            yield f"- **{item.number:,}** {escape(item.case.input, 240)}"
            yield from _case(item, view)
        yield ""


def _case(item: CaseView, view: ReportView) -> Iterator[str]:
    if item.case.actual_output:
        yield f"  <br>{escape(item.case.actual_output, 320)}"
    for result in item.missed:
        value = score(result.score or 0.0, result.threshold)
        yield f"  - ✗ {escape(metric_name(result, view.labels))} **{value}**{_explanation(item, result)}"
    for result in item.undecided:
        yield f"  - ? {escape(metric_name(result, view.labels))} undecided{_explanation(item, result)}"
    for result in item.not_measured:
        yield f"  - ⚠ {escape(metric_name(result, view.labels))} could not be measured"


def _explanation(item: CaseView, result: Result) -> str:
    shown = findings(item.case, result)[:_MAX_FINDINGS]
    if not shown:
        return f": {escape(result.reason)}" if result.reason else ""
    return "".join(f"<br>{_finding(finding)}" for finding in shown)


def _finding(finding: Finding) -> str:
    statement = f" “{escape(finding.statement, 200)}”" if finding.statement else ""
    reason = f": {escape(finding.reason, 300)}" if finding.reason else ""
    if finding.quote is None:
        location = f" (passage {finding.passage})" if finding.passage else ""
        return f"{finding.word}{statement}{location}{reason}"
    quote = f" (passage {finding.passage}: “{escape(finding.quote.span, 200)}”)"
    return f"{finding.word}{statement}{reason}{quote}"


def _errors(view: ReportView) -> Iterator[str]:
    if view.errors:
        yield f"### Not measured: {count(view.not_measured, 'result')}, not in the means\n"
        for group in view.errors:
            metrics = ", ".join(f"{escape(name)} {number}" for name, number in group.metrics)
            message = f"{escape(group.message)} ({metrics}; first in case {group.first})"
            yield f"- {group.count:,} \N{MULTIPLICATION SIGN} **{escape(group.kind)}** {message}"
        yield ""


def _notes(report: Report, view: ReportView) -> Iterator[str]:
    rejected = [f"Not read: {escape(row)}" for row in report.rejected[:_MAX_REJECTED_ROWS]]
    omitted = len(report.rejected) - len(rejected)
    if omitted > 0:
        rejected.append(f"and {count(omitted, 'other row')} not read")
    for note in (*map(escape, view.notes), *rejected):
        yield f"- {note}"
    if view.notes or rejected:
        yield ""
