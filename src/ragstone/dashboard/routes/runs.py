"""The list of runs, latest first, with trends."""

from datetime import UTC, date, datetime
from typing import Annotated, Any, Literal
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Form, Query, Request
from pydantic import AfterValidator, BaseModel, BeforeValidator, Field
from starlette.responses import RedirectResponse, Response

from ragstone.dashboard.context import ContextDep
from ragstone.dashboard.rendering import view
from ragstone.dashboard.routes.results import delete_runs
from ragstone.dashboard.security.access import TrailDep
from ragstone.dashboard.services.run_feed import etag
from ragstone.dashboard.views.runs import RunSummary, line_headline, run_columns, run_summary
from ragstone.dashboard.views.trend import metric_trends
from ragstone.store import RunQuery

router = APIRouter()
PAGE = 50
_MAX_TREND_RUNS = 200


def _clamp_day(day: date | None) -> date | None:
    """Clamp a day to the years 1970 to 2999, so that it has a day after it in every time zone."""
    return day and min(max(day, date(1970, 1, 1)), date(2999, 12, 31))


Day = Annotated[date | None, BeforeValidator(lambda value: value or None), AfterValidator(_clamp_day)]
Text = Annotated[str, Field(default="", max_length=200)]


class RunFilter(BaseModel, frozen=True, extra="ignore"):
    """Filter of runs; empty fields match every run.

    Attributes:
        text: part of the id, name, dataset or judge.
        metric: part of the title or spec of a metric it measured.
        since: the first day on which it began; `until` the last.
        columns: specs of the metrics that the list shows; empty: those that the most runs have.
    """

    text: Text = ""
    tag: Text = ""
    judge: Text = ""
    metric: Text = ""
    since: Day = None
    until: Day = None
    state: Literal["", "running", "silent", "complete", "incomplete"] = ""
    columns: Annotated[list[str], Field(max_length=60)] = []
    page: int = Field(default=1, ge=1, le=1_000_000)

    def query(self, size: int, page: int | None = None) -> RunQuery:
        """Return the query of the store."""
        fields = self.model_dump(exclude={"page", "columns"})
        return RunQuery(**fields, limit=size, offset=((page or self.page) - 1) * size)

    def link(self, **changed: Any) -> str:  # noqa: ANN401  (fields)
        """Return the query string of the same list with something changed."""
        values = {**self.model_dump(exclude_defaults=True, mode="json"), **changed}
        kept = {name: value for name, value in values.items() if value not in ("", None, [])}
        return f"?{urlencode(kept, doseq=True)}"

    @property
    def filtered(self) -> bool:
        """Whether some runs are left out."""
        return bool(self.model_dump(exclude_defaults=True, exclude={"page", "columns"}))


class RunListPage(BaseModel, frozen=True):
    """One page of runs, the latest first; `count` is how many there are on all pages."""

    count: int
    runs: list[RunSummary]


async def _run_filter(run_filter: Annotated[RunFilter, Query()]) -> RunFilter:
    return run_filter


RunFilterDep = Annotated[RunFilter, Depends(_run_filter)]


@router.get("/", include_in_schema=False)
def page(request: Request, run_filter: RunFilterDep, ctx: ContextDep) -> Response:
    """Show the list."""
    seen = etag(ctx.store.change_marker())
    history = ctx.store.history(run_filter.query(PAGE))
    recent = ctx.store.history(run_filter.query(_MAX_TREND_RUNS, page=1)).lines
    shown = [
        (line, run_summary(line, ctx.uploads.name_of(line.dataset)), line_headline(line))
        for line in history.lines
    ]
    return view(
        request,
        "runs.html",
        runs=shown,
        columns=run_columns([line.metrics for line in history.lines], run_filter.columns),
        changes=ctx.run_changes.of_list(history.lines),
        count=history.count,
        pages=max(1, -(-history.count // PAGE)),
        run_filter=run_filter,
        trends=metric_trends(recent, ctx.uploads.name_of, ctx.store.question_ends(recent)),
        where=ctx.store.where,
        seen=seen,
        this_year=datetime.now(UTC).year,
    )


@router.post("/runs/delete", include_in_schema=False)
def delete(ctx: ContextDep, trail: TrailDep, runs: Annotated[list[str], Form()]) -> Response:
    """Remove runs for good."""
    delete_runs(runs, ctx, trail)
    return RedirectResponse("/", 303)


@router.get("/api/runs", tags=["runs"])
def runs(
    run_filter: RunFilterDep, ctx: ContextDep, size: Annotated[int, Query(ge=1, le=500)] = 50
) -> RunListPage:
    """Return the runs that match the filter, the latest first."""
    history = ctx.store.history(run_filter.query(size))
    return RunListPage(
        count=history.count,
        runs=[run_summary(line, ctx.uploads.name_of(line.dataset)) for line in history.lines],
    )
