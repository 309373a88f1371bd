"""The report as one HTML file without external resources, in light or dark, with no script but its own."""

import re
from typing import IO

from ragstone.reports.html.cards import cards
from ragstone.reports.html.case import case_html
from ragstone.reports.html.document import page, resource, style_sheet
from ragstone.reports.html.markup import Markup, element, trusted
from ragstone.reports.html.markup import fragment as markup_fragment
from ragstone.reports.html.repeats import repeats_section
from ragstone.reports.numbers import count
from ragstone.reports.report import Report
from ragstone.reports.view.failures import ErrorGroup
from ragstone.reports.view.report_view import ReportView, dataset_name, report_view, title, usage_figures

_MAX_CASES = 1000
_MAX_NOTEBOOK_CASES = 5
_MAX_REJECTED_ROWS = 20


def render(report: Report) -> str:
    """Return the report as a page."""
    return page(f"{title(report)} · ragstone", _content(report, _MAX_CASES), resource("page.js"))


def fragment(report: Report) -> str:
    """Return the report as a notebook shows it: the figures and the worst cases, no script."""
    return markup_fragment(
        element("style", trusted(style_sheet())), _content(report, _MAX_NOTEBOOK_CASES, all_cases=False)
    )


def write(report: Report, file: IO[bytes]) -> None:
    """Write a report."""
    file.write(render(report).encode())


def _content(report: Report, max_cases: int, *, all_cases: bool = True) -> Markup:
    view = report_view(report)
    return element(
        "div",
        _header(report, view),
        cards(view.metrics),
        repeats_section(view.repeats),
        _notes(report, view),
        _errors(view),
        _cases(view, max_cases, all_cases=all_cases),
        element("footer", element("p", " · ".join(usage_figures(report)))),
        class_="ragstone",
    )


def _header(report: Report, view: ReportView) -> Markup:
    sign, style = {True: ("✓", "supported"), False: ("✗", "contradicted"), None: ("⚠", "unmeasured")}[
        view.passed
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
            "p", element("b", sign, class_=style), " ", element("strong", view.verdict), class_="verdict"
        ),
        element("p", "judge ", element("b", plan.judge), " · ", " · ".join(facts), class_="quiet"),
        element("p", view.judge_accuracy, class_="quiet") if view.judge_accuracy else None,
    )


def _notes(report: Report, view: ReportView) -> Markup | None:
    rows = [f"Not read: {row}" for row in report.rejected[:_MAX_REJECTED_ROWS]]
    if len(report.rejected) > len(rows):
        rows.append(f"and {count(len(report.rejected) - len(rows), 'other row')} not read")
    notes = [element("li", note, dir="auto") for note in (*view.notes, *rows)]
    return (
        element("section", element("h2", "notes"), element("ul", *notes), class_="notes") if notes else None
    )


def _errors(view: ReportView) -> Markup | None:
    if not view.errors:
        return None
    heading = f"not measured: {count(view.not_measured, 'result')}, not in the means"
    return element(
        "section", element("h2", heading), element("ul", *map(_error, view.errors)), class_="notes"
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


def _cases(view: ReportView, max_cases: int, *, all_cases: bool) -> Markup | None:
    shown = (view.cases if all_cases else view.worst)[:max_cases]
    if not shown:
        return None
    omitted = len(view.cases) - len(shown)
    remark = f"{count(omitted, 'other case')} not shown: write JSON lines to see all" if omitted else None
    heads = [element("span", _breakable(name), class_="cell", title=name) for name in view.labels.values()]
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
        element("h2", "worst first" if view.worst else "all cases", class_="cases-title"),
        titles,
        *(case_html(item, view.labels) for item in shown),
        element("p", remark, class_="quiet") if remark else None,
        class_="cases",
    )


def _breakable(name: str) -> str:
    """Return a metric's name with blanks between its words, so that a narrow column can break it there."""
    return re.sub(r"(?<=[a-z])(?=[A-Z(])|(?<=[_=])", " ", name)
