"""The report as one HTML file without external resources, in light or dark, with no script but its own."""

import re
from typing import IO

from ragstone.reports.html.cards import cards
from ragstone.reports.html.case import case_html
from ragstone.reports.html.document import page, resource, style_sheet
from ragstone.reports.html.markup import Markup, element, trusted
from ragstone.reports.html.markup import fragment as together
from ragstone.reports.html.repeats import repeats_section
from ragstone.reports.numbers import count
from ragstone.reports.report import Report
from ragstone.reports.view.failures import ErrorGroup
from ragstone.reports.view.report_view import ReportView, dataset_name, report_view, title, usage_figures

_MAX_CASES = 1000
_MAX_IN_NOTEBOOK = 5
_MAX_ROWS = 20


def render(report: Report) -> str:
    """Return the report as a page."""
    return page(f"{title(report)} · ragstone", _content(report, _MAX_CASES), resource("page.js"))


def fragment(report: Report) -> str:
    """Return the report as a notebook shows it: the figures and the worst cases, no script."""
    return together(element("style", trusted(style_sheet())), _content(report, _MAX_IN_NOTEBOOK, whole=False))


def write(report: Report, file: IO[bytes]) -> None:
    """Write a report."""
    file.write(render(report).encode())


def _content(report: Report, most: int, *, whole: bool = True) -> Markup:
    found = report_view(report)
    return element(
        "div",
        _header(report, found),
        cards(found.metrics),
        repeats_section(found.repeats),
        _notes(report, found),
        _errors(found),
        _cases(found, most, whole=whole),
        element("footer", element("p", " · ".join(usage_figures(report)))),
        class_="ragstone",
    )


def _header(report: Report, found: ReportView) -> Markup:
    sign, style = {True: ("✓", "supported"), False: ("✗", "contradicted"), None: ("⚠", "unmeasured")}[
        found.passed
    ]
    plan = report.run.plan
    facts = [
        dataset_name(report),
        count(len(report.cases), "case"),
        f"{report.run.started:%Y-%m-%d %H:%M} UTC",
        report.run.id,
    ]
    return element(
        "header",
        element("h1", title(report), dir="auto"),
        element(
            "p", element("b", sign, class_=style), " ", element("strong", found.verdict), class_="verdict"
        ),
        element("p", "judge ", element("b", plan.judge), " · ", " · ".join(facts), class_="quiet"),
        element("p", found.judge_accuracy, class_="quiet") if found.judge_accuracy else None,
    )


def _notes(report: Report, found: ReportView) -> Markup | None:
    rows = [f"Not read: {row}" for row in report.rejected[:_MAX_ROWS]]
    if len(report.rejected) > len(rows):
        rows.append(f"and {count(len(report.rejected) - len(rows), 'other row')} not read")
    notes = [element("li", note, dir="auto") for note in (*found.notes, *rows)]
    return (
        element("section", element("h2", "notes"), element("ul", *notes), class_="notes") if notes else None
    )


def _errors(found: ReportView) -> Markup | None:
    if not found.errors:
        return None
    heading = f"not measured: {count(found.failed, 'failure')}, not in the means"
    return element(
        "section", element("h2", heading), element("ul", *map(_error, found.errors)), class_="notes"
    )


def _error(group: ErrorGroup) -> Markup:
    metrics = ", ".join(f"{name} {number}" for name, number in group.metrics)
    return element(
        "li",
        element("b", f"⚠ {group.count:,} \N{MULTIPLICATION SIGN} {group.kind}", class_="unmeasured"),
        f" {group.message} ",
        element("span", f"({metrics}; first in case {group.first})", class_="quiet"),
        dir="auto",
    )


def _cases(found: ReportView, most: int, *, whole: bool) -> Markup | None:
    shown = (found.cases if whole else found.worst)[:most]
    if not shown:
        return None
    left = len(found.cases) - len(shown)
    more = f"{count(left, 'other case')} not shown: write JSON lines to see all" if left else None
    heads = [element("span", _in_words(name), class_="cell", title=name) for name in found.labels.values()]
    titles = element(
        "div",
        element("span", "#", class_="number"),
        element("span", "question", class_="question"),
        element("span", *heads, class_="cells"),
        element("span", "why", class_="why"),
        class_="heads",
    )
    return element(
        "section",
        element("h2", "worst first" if found.worst else "all cases", class_="cases-title"),
        titles,
        *(case_html(item, found.labels) for item in shown),
        element("p", more, class_="quiet") if more else None,
        class_="cases",
    )


def _in_words(name: str) -> str:
    """Return a metric's name with blanks between its words, so that a narrow column can break it there."""
    return re.sub(r"(?<=[a-z])(?=[A-Z(])|(?<=[_=])", " ", name)
