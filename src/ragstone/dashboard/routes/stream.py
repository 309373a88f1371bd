"""Server-sent events of a run: rendered HTML for its page, the same figures as JSON for scripts."""

import json
from collections.abc import AsyncIterator, Callable
from typing import Annotated

from fastapi import APIRouter, Depends, Header, Query
from starlette.concurrency import run_in_threadpool
from starlette.responses import StreamingResponse

from ragstone.dashboard.context import ActorDep, AppContext, ContextDep, RunDep
from ragstone.dashboard.rendering import drawn, part
from ragstone.dashboard.routes.offers import Responses
from ragstone.dashboard.routes.run import baseline_view, head
from ragstone.dashboard.services.run_feed import RunFeed, RunUpdate
from ragstone.dashboard.views.case_filter import CaseFilter
from ragstone.dashboard.views.runs import case_row, run_figures
from ragstone.store import StoredRun
from ragstone.store.read.audit_log import Actor

router = APIRouter()
_STREAM_HEADERS = {"X-Accel-Buffering": "no"}
_STILL = "event: still\ndata: \n\n"
"""Keep-alive of the pages: they open a stream anew that sends neither news nor this. Scripts get a comment."""

_STREAM_RESPONSES: Responses = {
    200: {
        "content": {"text/event-stream": {"schema": {"type": "string"}}},
        "description": "server-sent events",
    }
}
Since = Annotated[
    int, Query(ge=0, le=2**53, description="number of the last change that the client has received")
]
LastEvent = Annotated[str, Header(max_length=40, include_in_schema=False)]


class Events(StreamingResponse):
    """Server-sent events."""

    media_type = "text/event-stream"


async def _start(since: Since = 0, last_event_id: LastEvent = "") -> int:
    """Return the number of the last change that the client has, also after it has connected again."""
    return int(last_event_id) if last_event_id.isdecimal() and len(last_event_id) < 17 else since  # noqa: PLR2004


StartDep = Annotated[int, Depends(_start)]


@router.get("/runs/{run}/live", include_in_schema=False)
async def page(stored: RunDep, ctx: ContextDep, actor: ActorDep, start: StartDep) -> Events:
    """Stream rendered updates for the run's page."""
    return _events(ctx.run_feed, stored, start, lambda update: _page_json(update, ctx, actor), actor.role)


@router.get("/api/runs/{run}/stream", tags=["runs"], response_class=Events, responses=_STREAM_RESPONSES)
async def stream(stored: RunDep, ctx: ContextDep, start: StartDep) -> Events:
    """Stream the updates of a run, also of one in another process.

    Each event `news` holds as JSON the run with its figures, the test cases that have changed since the last event,
    and `whole`: true where not all changes are included: read `/api/runs/{run}/results` again.
    Its id is the number of the last change: send it as `Last-Event-ID` or `since` to continue from there.
    """
    name, specs = ctx.uploads.name_of(stored.run.plan.dataset), [*stored.run.plan.metrics]

    def write(update: RunUpdate) -> str:
        cases = [case_row(row.line, row.why, specs).model_dump(mode="json") for row in update.rows]
        run = run_figures(update.snapshot, name).model_dump(mode="json")
        return json.dumps({"run": run, "cases": cases, "whole": update.whole})

    return _events(ctx.run_feed, stored, start, write)


@router.get("/live", include_in_schema=False)
async def runs(ctx: ContextDep, seen: str = "") -> Events:
    """Stream an event whenever the list of runs has changed since the state `seen`."""

    async def events() -> AsyncIterator[str]:
        async for changed in ctx.run_feed.runs(seen):
            yield "event: runs\ndata: \n\n" if changed else _STILL

    return Events(events(), headers=_STREAM_HEADERS)


def _events(
    run_feed: RunFeed, stored: StoredRun, since: int, write: Callable[[RunUpdate], str], viewers: str = ""
) -> Events:
    """Return the updates of a run as `write` renders them, once for all `viewers` of the same role."""

    async def events() -> AsyncIterator[str]:
        yield "retry: 1000\n\n"
        async for update in run_feed.follow(stored, since):
            if update is None:
                yield _STILL if viewers else ": nothing new\n\n"
            else:
                yield f"event: news\nid: {update.serial}\ndata: {await _rendered_once(update, write, viewers)}\n\n"
        if not run_feed.closing:
            yield "event: gone\ndata: \n\n"

    return Events(events(), headers=_STREAM_HEADERS)


async def _rendered_once(update: RunUpdate, write: Callable[[RunUpdate], str], viewers: str) -> str:
    """Return an update rendered by `write`, once for all viewers of a role that continue from the same change."""
    key = f"{write.__qualname__} for {viewers} after {update.since}"
    async with update.rendering:
        if key not in update.drawn:
            update.drawn[key] = await run_in_threadpool(write, update)
    return update.drawn[key]


def _page_json(update: RunUpdate, ctx: AppContext, me: Actor) -> str:
    """Return an update for the page: head and cards are rendered once for each role, and each row once for all."""
    frame_key = f"frame for {me.role}"
    if frame_key not in update.drawn:
        values = {**head(update.snapshot, ctx), **baseline_view(update.snapshot, CaseFilter(), ctx)}
        values |= {"latency": update.snapshot.figures.latency_ms, "me": me}
        names = {"head": "_run_head.html", "cards": "_cards.html", "sums": "_sums.html"}
        frame = {name: drawn(template, **values) for name, template in names.items()}
        line = update.snapshot.line
        counts = {"serial": update.serial, "cases": line.cases, "columns": len(update.snapshot.metrics) + 3}
        update.drawn[frame_key] = json.dumps({**frame, **counts})[:-1]
    rows = ", ".join(_row(update, index) for index in range(len(update.rows)))
    return f'{update.drawn[frame_key]}, "whole": {json.dumps(update.whole)}, "rows": [{rows}]}}'


def _row(update: RunUpdate, index: int) -> str:
    row = update.rows[index]
    key = f"row {row.line.case_index} {row.serial}"
    if key not in update.drawn:
        run = update.snapshot.stored.run.id
        html = part(
            "_rows.html", "row", run, row.line, row.why, update.snapshot.metrics, "?sort=recent", True
        )
        update.drawn[key] = json.dumps([row.line.case_index, html])
    return update.drawn[key]
