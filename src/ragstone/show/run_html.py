"""The report on a run as one HTML file without external resources, in light or dark, with no script but its own."""

import re
from typing import IO

from ragstone.findings.numbers import count
from ragstone.findings.report import Report
from ragstone.findings.view.report_view import ReportView, report_view, title
from ragstone.show.case_html import case_html
from ragstone.show.render.html import blocks, footer, header, page, resource, style_sheet
from ragstone.show.render.markup import Markup, element, trusted
from ragstone.show.render.markup import fragment as markup_fragment
from ragstone.show.run import errors, figures, head, remarks, repeats

_MAX_CASES, _MAX_NOTEBOOK_CASES, _MAX_UNSETTLED = 1000, 5, 20


def render(report: Report) -> str:
    """Return the report as a page."""
    return page(f"{title(report)} · ragstone", _content(report, _MAX_CASES), resource("page.js"))


def fragment(report: Report) -> str:
    """Return the report as a notebook shows it: the figures and the worst cases, no script."""
    content = _content(report, _MAX_NOTEBOOK_CASES, all_cases=False)
    return markup_fragment(element("style", trusted(style_sheet())), content)


def write(report: Report, file: IO[bytes]) -> None:
    """Write a report."""
    file.write(render(report).encode())


def _content(report: Report, max_cases: int, *, all_cases: bool = True) -> Markup:
    view = report_view(report)
    document, repeated = head(report, view), repeats(view.repeats, _MAX_UNSETTLED)
    return element(
        "div",
        header(document),
        blocks((*figures(report, view), *repeated, *remarks(report, view), *errors(view))),
        _cases(view, max_cases, all_cases=all_cases),
        footer(document),
        class_="ragstone",
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
        element("h2", "Worst first" if view.worst else "All cases", class_="cases-title"),
        titles,
        *(case_html(item, view.labels) for item in shown),
        element("p", remark, class_="quiet") if remark else None,
        class_="cases",
    )


def _breakable(name: str) -> str:
    """Return a metric's name with blanks between its words, so that a narrow column can break it there."""
    return re.sub(r"(?<=[a-z])(?=[A-Z(])|(?<=[_=])", " ", name)
