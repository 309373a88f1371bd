"""Page and API of a watch: queue, metrics with interval and history, alarms, the worst and the sampled traces."""

from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Path, Query, Request
from starlette.responses import Response

from ragstone.dashboard.context import AppContext, ContextDep
from ragstone.dashboard.rendering import view
from ragstone.dashboard.routes.test_set import offer_trace
from ragstone.dashboard.services.run_feed import etag
from ragstone.dashboard.views.trace import trace_feedback, trace_view
from ragstone.dashboard.views.watch import metric_namer, moment, stretch, watch_cards
from ragstone.store.queue.overview import read_marker, read_trace
from ragstone.store.write.rows import storable_text
from ragstone.traces.options import NAMED, TraceOptions
from ragstone.watch.anchor import read_judge_checks
from ragstone.watch.drift import read_drift
from ragstone.watch.feedback import feedback_agreement, feedback_figures
from ragstone.watch.overview import WatchFigures, watch_figures, watch_names, watch_overview

router = APIRouter()
_NO_CONTENT = 204

Name = Annotated[str, Query(max_length=100, description="Name of the watch; by default the latest.")]
Worst = Annotated[
    str, Query(max_length=200, description="Metric, without options, whose worst traces are shown.")
]
TraceId = Annotated[str, Path(max_length=64, description="Id of the trace.")]


@router.get("/watch", include_in_schema=False)
def page(request: Request, ctx: ContextDep, name: Name = "", worst: Worst = "") -> Response:
    """Show a watch."""
    return view(request, "watch.html", **_page_values(ctx, name, worst))


@router.get("/watch/live", include_in_schema=False)
def live(request: Request, ctx: ContextDep, name: Name = "", seen: str = "", worst: Worst = "") -> Response:
    """Show the changed part of the page as a fragment; status 204 if nothing has changed since the state `seen`."""
    chosen = _watch_name(ctx, name)
    if chosen is None or etag(read_marker(ctx.store.traces.engine, chosen)) == seen:
        return Response(status_code=_NO_CONTENT)
    return view(request, "_watch.html", **_page_values(ctx, chosen, worst))


@router.get("/watch/traces/{trace_id}", include_in_schema=False)
def trace_page(request: Request, ctx: ContextDep, trace_id: TraceId) -> Response:
    """Show the spans of a trace, and which passages its model saw."""
    trace = read_trace(ctx.store.traces.engine, storable_text(trace_id))
    if trace is None:
        raise HTTPException(404, f"There is no trace {trace_id!r}, or its data was deleted.")
    shown = trace_view(trace, TraceOptions())
    return view(
        request,
        "trace.html",
        trace=trace,
        shown=shown,
        feedback=trace_feedback(ctx.store.traces, trace),
        offer=offer_trace(ctx, trace.trace_id, shown.case),
        added=None,
        received=moment(trace.received),
        metric_title=metric_namer([score.metric for score in trace.scores]),
        moment=moment,
    )


@router.get("/api/watch", tags=["watch"], responses={404: {"description": "there is no such watch"}})
def figures(ctx: ContextDep, name: Name = "") -> WatchFigures:
    """Return the figures of a watch: its queue, each metric in the window with its interval, and its alarms."""
    chosen = _watch_name(ctx, name)
    return watch_figures(ctx.store.traces, chosen or name)


def _watch_name(ctx: AppContext, name: str) -> str | None:
    return name or next(iter(watch_names(ctx.store.traces)), None)


def _page_values(ctx: AppContext, name: str, worst: str) -> dict[str, Any]:
    """Return the values of the page; without a watch, only the counts of the queue."""
    queue = ctx.store.traces
    chosen = _watch_name(ctx, name)
    shared = {"where": ctx.store.where, "names": watch_names(queue), "chosen": chosen}
    if chosen is None:
        return {**shared, "found": None, "counts": queue.counts()}
    seen = etag(read_marker(queue.engine, chosen))  # before the figures, so that later changes count as new
    overview = watch_overview(queue, chosen, worst_of=worst)
    judge, by = overview.plan.judge, overview.plan.unit.by
    subject = {"trace": "all", "session": "sessions"}.get(by, f"spans called {by[len(NAMED) :]}")
    judges = f"{subject} by {judge.all}" + ("" if judge.sample is None else f", a sample by {judge.sample}")
    return {
        **shared,
        "found": overview,
        "counts": overview.counts,
        "cards": watch_cards(overview),
        "seen": seen,
        "worst_of": worst,
        "moment": moment,
        "metric_title": metric_namer([figures.metric for figures in overview.figures]),
        "stretch": stretch,
        "judges": judges,
        "checks": read_judge_checks(queue, overview.plan),
        "drift": read_drift(queue, overview.plan),
        "feedback": feedback_figures(queue, overview.plan),
        "agreements": feedback_agreement(queue, overview.plan),
    }
