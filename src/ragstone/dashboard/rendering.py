"""Render templates, also for errors. All that a template writes is escaped and made printable: texts may be hostile."""

import re
from collections.abc import Sequence
from functools import cache
from typing import Any
from urllib.parse import parse_qsl

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, JSONResponse, Response

from ragstone.dashboard.assets import address
from ragstone.dashboard.security.permissions import may
from ragstone.dashboard.services.figures_cache import MetricSnapshot
from ragstone.errors import NotInStore, UsageError
from ragstone.findings.numbers import count, dollars, duration, percent, score
from ragstone.findings.printable import ending, one_line, printable
from ragstone.findings.view import figure_text
from ragstone.show.document import Document, Section
from ragstone.show.labels import label_bar, part_signs
from ragstone.show.render import html, svg
from ragstone.stats.shares import Shares

_MAX_HEIGHT, _MIN_HEIGHT = 34.0, 2.0


def heights(histogram: list[int]) -> list[float]:
    """Return the heights of a histogram's bars: the fullest fills the drawing, none with a score is invisible."""
    highest = max(histogram, default=0) or 1
    return [
        max(_MIN_HEIGHT, round(_MAX_HEIGHT * count / highest, 1)) if count else 0.0 for count in histogram
    ]


def in_words(gauge: MetricSnapshot) -> str:
    """Return a description of the drawing of a metric in words."""
    summary, figures = gauge.summary, gauge.figures
    if not summary.n:
        return f"{gauge.label}: nothing measured yet"
    if summary.low is None:
        return f"{gauge.label}: labels without scores"
    rule = figure_text.rule_text(figures.threshold, higher_is_better=figures.higher_is_better)
    return (
        f"{gauge.label}: mean {figure_text.mean_text(summary)}, {figure_text.interval_text(summary)}, {rule}"
    )


def spaced(name: str) -> str:
    """Return a metric's name with blanks between its words, so that a narrow column can break it there.

    Options can be broken too, without a visible change: a zero-width space follows `_`, `=`, `,` and `(`.
    """
    return re.sub(r"(?<=[_=,(])", "\N{ZERO WIDTH SPACE}", re.sub(r"(?<=[a-z])(?=[A-Z(])", " ", name))


def named(sentence: str) -> str:
    """Return a sentence with blanks between the words of the names of metrics in it."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", sentence)


def breakable(name: str) -> Markup:
    """Return a metric's name that can be broken between its words, before its options and within them."""
    pieces = re.split(r"(?<=[a-z])(?=[A-Z(])|(?<=[_=,])", printable(name))
    return Markup("<wbr>").join(map(escape, pieces))


def unbroken(text: str) -> str:
    """Return a text with a no-break space before its per-cent signs, so that they stay with their numbers."""
    return text.replace(" %", "\N{NO-BREAK SPACE}%")


def _percent(share: float) -> str:
    return unbroken(percent(share))


def _level(share: float) -> str:
    """Return a level such as 0.001 in percent, with all of its digits."""
    return unbroken(f"{100 * share:.3g} %")


def _parameters(query: str) -> list[tuple[str, str]]:
    return parse_qsl(query.removeprefix("?"))


def _blocks(document: Document) -> Markup:
    return Markup(html.blocks(document.blocks))  # noqa: S704  (escaped by its builder)


def _section(section: Section) -> Markup:
    return Markup(html.blocks((section,)))  # noqa: S704  (escaped by its builder)


def _whole(shares: Shares, name: str) -> Markup:
    return Markup(svg.bar(label_bar(shares, name)))  # noqa: S704  (escaped by its builder)


def _facts(document: Document) -> Markup:
    """Return the title and the facts of a document on one line."""
    parts = [span for each in (document.title, *document.facts) for span in (*html.spans(each), " · ")][:-1]
    return Markup(html.fragment(*parts))  # noqa: S704  (escaped by its builder)


_FIGURE_TEXTS = (
    "counts",
    "interval_text",
    "mean_text",
    "pass_text",
    "rule_text",
    "share_interval_text",
    "share_text",
)
_FILTERS = {
    **{name: getattr(figure_text, name) for name in _FIGURE_TEXTS},
    "blocks": _blocks,
    "section": _section,
    "whole": _whole,
    "signs": part_signs,
    "facts": _facts,
    "heights": heights,
    "in_words": in_words,
    "breakable": breakable,
    "spaced": spaced,
    "parameters": _parameters,
    "count": count,
    "dollars": dollars,
    "duration": duration,
    "ending": ending,
    "named": named,
    "one_line": one_line,
    "percent": _percent,
    "level": _level,
    "unbroken": unbroken,
    "score": score,
}


def view(request: Request, template: str, status: int = 200, /, **shown: Any) -> Response:  # noqa: ANN401  (any value)
    """Return a page rendered from a template of `templates/`.

    Its path, who makes the request (`me`) and how many alarms are on are values of the template too.
    """
    shared = {"me": request.state.actor, "alarms": request.app.state.ctx.alarms(), "path": request.url.path}
    return HTMLResponse(drawn(template, **{**shared, **shown}), status)


def drawn(template: str, /, **shown: Any) -> str:  # noqa: ANN401  (any value)
    """Return a template rendered with values."""
    return _environment().get_template(template).render(**shown)


def part(template: str, macro: str, /, *shown: Any, **named: Any) -> str:  # noqa: ANN401  (any value)
    """Return one macro of a template rendered with values."""
    return str(getattr(_environment().get_template(template).module, macro)(*shown, **named))


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("ragstone.dashboard"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_printable_value,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    tables: Any = environment  # jinja2 does not say what its tables of filters and globals hold
    tables.filters.update(_FILTERS)
    tables.globals["asset"] = address
    tables.globals["may"] = may
    return environment


def _printable_value(value: Any) -> Any:  # noqa: ANN401  (whatever a template shows)
    """Return a text without control characters; markup is trusted."""
    if isinstance(value, str) and not isinstance(value, Markup):
        return printable(value)
    return "" if value is None else value


class ErrorResponse(BaseModel):
    """The error of a request."""

    detail: str


def add_error_answers(app: FastAPI) -> None:
    """Register the handlers of HTTP errors, usage errors and validation errors with an application."""
    for kind in (HTTPException, UsageError, RequestValidationError):
        app.add_exception_handler(kind, _error)


def _error(request: Request, error: Exception) -> Response:
    """Respond to an error. An invalid field is named, but never its value: some cannot be written as JSON."""
    if isinstance(error, HTTPException):
        return _error_response(request, error.status_code, str(error.detail))
    if isinstance(error, RequestValidationError):
        problems: Sequence[Any] = error.errors()
        messages = [f"{'.'.join(map(str, problem['loc']))}: {problem['msg']}" for problem in problems]
        return _error_response(request, 422, "; ".join(messages))
    return _error_response(request, 404 if isinstance(error, NotInStore) else 400, str(error))


def _error_response(request: Request, status: int, message: str) -> Response:
    """Return an error response: JSON under `/api`, otherwise a page."""
    if request.url.path.startswith("/api"):
        return JSONResponse({"detail": printable(message)}, status)
    return view(request, "wrong.html", status, why=message, status=status)
