"""What users get: the queue, each metric with its interval and history, alarms, the worst and the drawn traces."""

from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Path, Query, Request
from pydantic import BaseModel, ConfigDict
from starlette.responses import Response

from ragstone.dashboard.context import AppContext, ContextDep
from ragstone.dashboard.rendering import view
from ragstone.dashboard.services.run_feed import etag
from ragstone.dashboard.views.feedback import trace_feedback
from ragstone.dashboard.views.test_set import offer_trace
from ragstone.dashboard.views.trace import trace_case, trace_view
from ragstone.dashboard.views.watch import metric_title, moment, stretch, watch_cards
from ragstone.store.queue.overview import read_marker, read_trace
from ragstone.store.write.rows import storable_text
from ragstone.traces.options import NAMED, TraceOptions
from ragstone.watch.anchor import JudgeHealth, read_health
from ragstone.watch.drift import QuestionDrift, read_drift
from ragstone.watch.feedback import feedback_agreement, feedback_figures
from ragstone.watch.overview import watch_names, watch_overview
from ragstone.watch.plan import WatchPlan

router = APIRouter()
_NOTHING_NEW = 204

Name = Annotated[str, Query(max_length=100, description="Name of the watch; the latest where none is given.")]
TraceId = Annotated[str, Path(max_length=64, description="Id of the trace.")]


class WatchedMetric(BaseModel):
    """A metric in the window of a watch.

    Attributes:
        metric: its spec.
        mean: of the scores of the judge of all traces; null where there are none.
        low: lower end of its 95 % interval; null where they are too few to say.
        high: upper end.
        judged: traces with such a score.
        unmeasured: traces whose score failed or was skipped.
        sample: what the dearer judge would have said of all of them; null without one.
        drawn: traces that it got.
        people: which share of all of them people would have called good; null where they said nothing.
        people_low: lower end of its 95 % interval; null where their verdicts are too few to say.
        people_high: upper end.
        human_verdicts: test cases that people judged.
    """

    model_config = ConfigDict(frozen=True)

    metric: str
    mean: float | None
    low: float | None
    high: float | None
    judged: int
    unmeasured: int
    sample: float | None
    drawn: int
    people: float | None = None
    people_low: float | None = None
    people_high: float | None = None
    human_verdicts: int = 0


class WatchedAlarm(BaseModel):
    """An alarm of a watch.

    Attributes:
        metric: of which metric.
        below: the mean that is good enough.
        status: `ok` or `alarm`.
        changed: when it last changed, seconds since 1970; null where it never did.
        reason: what the scores were then.
    """

    model_config = ConfigDict(frozen=True)

    metric: str
    below: float
    status: str
    changed: float | None
    reason: str


class WatchedFeedback(BaseModel):
    """What people said under one name in the window of a watch.

    Attributes:
        name: what they judged.
        mean: of thumbs (up is 1, down is 0) and scores; null where they gave neither.
        low: lower end of its 95 % interval; null where it is too little to say.
        high: upper end.
        n: thumbs and scores.
        up: thumbs up.
        down: thumbs down.
    """

    model_config = ConfigDict(frozen=True)

    name: str
    mean: float | None
    low: float | None
    high: float | None
    n: int
    up: int
    down: int


class WatchedJudge(BaseModel):
    """The judge of all traces, as the last check against people's labels found it.

    Attributes:
        judge: its name.
        metric: spec of the metric that the labels are about.
        status: `ok`, or `alarm` where it has changed.
        agreement: share of the cases on which judge and people agree.
        low: lower end of its 95 % interval.
        high: upper end.
        n: cases that could be judged.
        failed: cases that could not.
        before: the share at the first check.
        better: cases on which they agree now and did not then.
        worse: cases on which they agreed then and do not now.
        checked: when, seconds since 1970.
    """

    model_config = ConfigDict(frozen=True)

    judge: str
    metric: str
    status: str
    agreement: float
    low: float
    high: float
    n: int
    failed: int
    before: float
    better: int
    worse: int
    checked: float


class WatchedTopic(BaseModel):
    """A topic of users' questions of which the share changed.

    Attributes:
        words: what it is about.
        before: its share in the time before.
        now: its share in the window.
        p_value: of no change, corrected for the number of topics.
    """

    model_config = ConfigDict(frozen=True, from_attributes=True)

    words: list[str]
    before: float
    now: float
    p_value: float


class WatchedCoverage(BaseModel):
    """How much of what users ask the test set covers.

    Attributes:
        share: of the window's questions.
        low: lower end of its 95 % interval.
        high: upper end.
        n: questions that were looked at.
        missing: the largest topics that are not covered: their words, and how many questions they have.
    """

    model_config = ConfigDict(frozen=True, from_attributes=True)

    share: float
    low: float
    high: float
    n: int
    missing: list[tuple[list[str], int]]


class WatchedDrift(BaseModel):
    """What the last check of users' questions said.

    Attributes:
        status: `ok`, or `alarm` where they have changed.
        p_value: of the questions being as before; null where there are too few to say.
        n: questions of the window that were looked at.
        before: questions of the time before that were looked at.
        topics: those whose share changed clearly.
        coverage: of the test set; null without one.
        at: when it was made, seconds since 1970.
    """

    model_config = ConfigDict(frozen=True, from_attributes=True)

    status: str
    p_value: float | None
    n: int
    before: int
    topics: list[WatchedTopic]
    coverage: WatchedCoverage | None
    at: float


class WatchFigures(BaseModel):
    """What a watch knows.

    Attributes:
        name: of the watch.
        waiting: traces that are not judged yet.
        judged: traces that were judged, and whose text is kept.
        dead: traces that were given up.
        window: seconds that the figures look back.
        metrics: the metrics.
        alarms: the alarms.
        feedback: what people said.
        judge: the health of the judge; null without an anchor set, or before its first check.
        drift: of users' questions; null where it is not checked, or before the first check.
    """

    model_config = ConfigDict(frozen=True)

    name: str
    waiting: int
    judged: int
    dead: int
    window: float
    metrics: list[WatchedMetric]
    alarms: list[WatchedAlarm]
    feedback: list[WatchedFeedback]
    judge: WatchedJudge | None
    drift: WatchedDrift | None


@router.get("/watch", include_in_schema=False)
def page(request: Request, ctx: ContextDep, name: Name = "") -> Response:
    """Show a watch."""
    return view(request, "watch.html", **_shown(ctx, name))


@router.get("/watch/live", include_in_schema=False)
def live(request: Request, ctx: ContextDep, name: Name = "", seen: str = "") -> Response:
    """Show what has changed since the page was `seen`, into it; nothing where nothing has."""
    chosen = _chosen(ctx, name)
    if chosen is None or etag(read_marker(ctx.store.traces.engine, chosen)) == seen:
        return Response(status_code=_NOTHING_NEW)
    return view(request, "_watch.html", **_shown(ctx, chosen))


@router.get("/watch/traces/{trace_id}", include_in_schema=False)
def trace_page(request: Request, ctx: ContextDep, trace_id: TraceId) -> Response:
    """Show the spans of a trace, and which passages its model saw."""
    found = read_trace(ctx.store.traces.engine, storable_text(trace_id))
    if found is None:
        raise HTTPException(404, f"There is no trace {trace_id!r}, or what was kept of it was deleted.")
    shown = trace_view(found, TraceOptions())
    said = trace_feedback(ctx.store.traces, found)
    return view(
        request,
        "trace.html",
        trace=found,
        shown=shown,
        said=said,
        offer=offer_trace(ctx, found.trace_id, trace_case(found, TraceOptions())[0]),
        added=None,
        received=moment(found.received),
        moment=moment,
    )


@router.get("/api/watch", tags=["watch"], responses={404: {"description": "there is no such watch"}})
def figures(ctx: ContextDep, name: Name = "") -> WatchFigures:
    """Return what a watch knows: its queue, each metric in the window with its interval, and its alarms."""
    chosen = _chosen(ctx, name)
    found = watch_overview(ctx.store.traces, chosen or name)
    return WatchFigures(
        name=found.plan.name,
        waiting=found.counts.waiting,
        judged=found.counts.judged,
        dead=found.counts.dead,
        window=found.plan.window,
        metrics=[
            WatchedMetric(
                metric=one.metric,
                mean=one.mean,
                low=one.interval.low if one.interval else None,
                high=one.interval.high if one.interval else None,
                judged=one.judged,
                unmeasured=one.unmeasured,
                sample=one.sample.value if one.sample else None,
                drawn=one.sample.drawn if one.sample else 0,
                people=one.people.value if one.people else None,
                people_low=one.people.low if one.people else None,
                people_high=one.people.high if one.people else None,
                human_verdicts=one.people.drawn if one.people else 0,
            )
            for one in found.figures
        ],
        alarms=[
            WatchedAlarm(
                metric=one.alarm.metric,
                below=one.alarm.below,
                status=one.status,
                changed=one.changed,
                reason=one.reason,
            )
            for one in found.alarms
        ],
        feedback=[
            WatchedFeedback(
                name=one.name,
                mean=one.mean,
                low=one.interval.low if one.interval else None,
                high=one.interval.high if one.interval else None,
                n=one.n,
                up=one.up,
                down=one.down,
            )
            for one in feedback_figures(ctx.store.traces, found.plan)
        ],
        judge=_judge_out(read_health(ctx.store.traces, found.plan)),
        drift=_drift_out(read_drift(ctx.store.traces, found.plan)),
    )


def _drift_out(drift: QuestionDrift | None) -> WatchedDrift | None:
    return None if drift is None else WatchedDrift.model_validate(drift)


def _judge_out(health: JudgeHealth | None) -> WatchedJudge | None:
    if health is None:
        return None
    return WatchedJudge(
        judge=health.judge,
        metric=health.metric,
        status=health.status,
        agreement=health.share,
        low=health.interval.low,
        high=health.interval.high,
        n=health.n,
        failed=health.failed,
        before=health.before,
        better=health.better,
        worse=health.worse,
        checked=health.at,
    )


def _chosen(ctx: AppContext, name: str) -> str | None:
    return name or next(iter(watch_names(ctx.store.traces)), None)


def _shown(ctx: AppContext, name: str) -> dict[str, Any]:
    """Return what the page shows; where nothing is watched, what fills it."""
    queue = ctx.store.traces
    chosen = _chosen(ctx, name)
    shared = {"where": ctx.store.where, "names": watch_names(queue), "chosen": chosen}
    if chosen is None:
        return {**shared, "found": None, "counts": queue.counts()}
    seen = etag(read_marker(queue.engine, chosen))  # before the figures: what comes meanwhile is new
    found = watch_overview(queue, chosen)
    return {
        **shared,
        "found": found,
        "counts": found.counts,
        "cards": watch_cards(found),
        "seen": seen,
        "moment": moment,
        "metric_title": metric_title,
        "stretch": stretch,
        "judges": _judges(found.plan),
        "health": read_health(queue, found.plan),
        "drift": read_drift(queue, found.plan),
        "said": feedback_figures(queue, found.plan),
        "agreements": feedback_agreement(queue, found.plan),
    }


def _judges(plan: WatchPlan) -> str:
    sample = plan.judge.sample
    what = {"trace": "all", "session": "sessions"}.get(
        plan.unit.by, f"spans called {plan.unit.by[len(NAMED) :]}"
    )
    return f"{what} by {plan.judge.all}" + ("" if sample is None else f", a sample by {sample}")
