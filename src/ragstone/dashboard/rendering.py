"""From a template and what it shows to a page. All that a template writes is escaped, and printable: it is hostile."""

from functools import cache
from typing import Any, Protocol

from fastapi import Request
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from starlette.responses import HTMLResponse, Response

from ragstone.dashboard.assets import address
from ragstone.dashboard.views.filters import heights, in_words, spaced
from ragstone.reports.numbers import count, dollars, duration, percent, score
from ragstone.reports.printable import one_line, printable


class HasRange(Protocol):
    """Whatever goes from a least to a most."""

    @property
    def least(self) -> float: ...
    @property
    def most(self) -> float: ...


def _span(ends: HasRange, unit: str = "") -> str:
    """Return `120 to 180`, or one number where both ends read alike."""
    shown = dollars if unit == "dollars" else "{:,.0f}".format
    least, most = shown(ends.least), shown(ends.most)
    return least if least == most else f"{least} to {most}"


_FILTERS = {
    "heights": heights,
    "in_words": in_words,
    "spaced": spaced,
    "span": _span,
    "count": count,
    "dollars": dollars,
    "duration": duration,
    "one_line": one_line,
    "percent": percent,
    "score": score,
}


def view(request: Request, template: str, status: int = 200, /, **shown: Any) -> Response:  # noqa: ANN401  (any value)
    """Return a page made of a template.

    Args:
        request: what was asked; a template knows its path.
        template: the file in `templates/`.
        status: of the answer.
        shown: the template's values.
    """
    return HTMLResponse(drawn(template, path=request.url.path, **shown), status)


def drawn(template: str, /, **shown: Any) -> str:  # noqa: ANN401  (any value)
    """Return what a template makes of values."""
    return _templates().get_template(template).render(**shown)


def part(template: str, macro: str, /, *shown: Any, **named: Any) -> str:  # noqa: ANN401  (any value)
    """Return what one macro of a template makes of values."""
    return str(getattr(_templates().get_template(template).module, macro)(*shown, **named))


@cache
def _templates() -> Environment:
    templates = Environment(
        loader=PackageLoader("ragstone.dashboard"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_harmless,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    filters: dict[str, Any] = templates.filters  # pyright: ignore[reportAssignmentType]  (whatever a filter may be)
    filters.update(_FILTERS)
    names: dict[str, Any] = templates.globals  # pyright: ignore[reportAssignmentType]  (likewise)
    names["asset"] = address
    return templates


def _harmless(value: Any) -> Any:  # noqa: ANN401  (whatever a template shows)
    """Return a text without control characters; markup is ours."""
    if isinstance(value, str) and not isinstance(value, Markup):
        return printable(value)
    return "" if value is None else value
