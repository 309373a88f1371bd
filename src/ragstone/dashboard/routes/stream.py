"""The event stream: what is new in a run, as it comes. A page gets drawings, a script the same figures as JSON."""

import json
from collections.abc import AsyncIterator, Callable
from typing import Annotated

from fastapi import APIRouter, Header, Query
from starlette.concurrency import run_in_threadpool
from starlette.responses import StreamingResponse

from ragstone.dashboard.context import AppContext, ContextDep
from ragstone.dashboard.dataset_names import dataset_name
from ragstone.dashboard.rendering import drawn, part
from ragstone.dashboard.routes.offers import Responses
from ragstone.dashboard.routes.run import behind, head
from ragstone.dashboard.schemas.runs import case_row, run_figures
from ragstone.dashboard.services.figures_cache import FiguresCacheDep
from ragstone.dashboard.services.run_feed import RunFeed, RunFeedDep, RunUpdate
from ragstone.dashboard.services.run_manager import RunManager, RunManagerDep
from ragstone.dashboard.views.case_filter import CaseFilter
from ragstone.store import StoredRun

router = APIRouter()
_HEADERS = {"X-Accel-Buffering": "no"}
_STREAM: Responses = {
    200: {
        "content": {"text/event-stream": {"schema": {"type": "string"}}},
        "description": "server-sent events",
    }
}
Since = Annotated[int, Query(ge=0, le=2**53, description="number of the last change that is known already")]
LastEvent = Annotated[str, Header(max_length=40, include_in_schema=False)]


class Events(StreamingResponse):
    """Server-sent events."""

    media_type = "text/event-stream"


@router.get("/runs/{run}/live", include_in_schema=False)
async def page(  # noqa: PLR0917  (as FastAPI hands them in)
    run: str,
    ctx: ContextDep,
    run_manager: RunManagerDep,
    gauges: FiguresCacheDep,
    live: RunFeedDep,
    since: Since = 0,
    last_event_id: LastEvent = "",
) -> Events:
    """Stream drawings of what is new, for the run's page."""
    stored = await run_in_threadpool(ctx.store.find, run)
    return _events(
        live, stored, _start(since, last_event_id), lambda news: _drawn(news, ctx, run_manager, gauges)
    )


@router.get("/api/runs/{run}/stream", tags=["runs"], response_class=Events, responses=_STREAM)
async def stream(
    run: str, ctx: ContextDep, live: RunFeedDep, since: Since = 0, last_event_id: LastEvent = ""
) -> Events:
    """Stream what is new in a run, also one that goes on in another process.

    Each event `news` holds as JSON the run with its figures, the test cases that have changed since the last event,
    and `whole`: true where more has changed than is told, so that `/api/runs/{run}/results` is to be read anew.
    Its id is the number of the last change: `Last-Event-ID` or `since` go on from there.
    """
    stored = await run_in_threadpool(ctx.store.find, run)
    name = dataset_name(stored.run.plan.dataset, ctx.folder)
    return _events(live, stored, _start(since, last_event_id), lambda news: _told(news, name))


@router.get("/live", include_in_schema=False)
async def runs(live: RunFeedDep, seen: str = "") -> Events:
    """Stream that the list of runs has changed since it was `seen`."""

    async def events() -> AsyncIterator[str]:
        async for changed in live.runs(seen):
            yield "event: runs\ndata: \n\n" if changed else ": nothing new\n\n"

    return Events(events(), headers=_HEADERS)


def _events(live: RunFeed, stored: StoredRun, since: int, write: Callable[[RunUpdate], str]) -> Events:
    async def events() -> AsyncIterator[str]:
        yield "retry: 1000\n\n"
        async for news in live.follow(stored, since):
            if news is None:
                yield ": nothing new\n\n"
            else:
                yield f"event: news\nid: {news.serial}\ndata: {await _once(news, write)}\n\n"
        if not live.over:
            yield "event: gone\ndata: \n\n"

    return Events(events(), headers=_HEADERS)


async def _once(news: RunUpdate, write: Callable[[RunUpdate], str]) -> str:
    """Return what `write` makes of news, made once for all who have seen as much before."""
    key = f"{write.__qualname__} after {news.since}"
    async with news.drawing:
        if key not in news.drawn:
            news.drawn[key] = await run_in_threadpool(write, news)
    return news.drawn[key]


def _start(since: int, last_event_id: str) -> int:
    return int(last_event_id) if last_event_id.isdecimal() and len(last_event_id) < 17 else since  # noqa: PLR2004


def _drawn(news: RunUpdate, ctx: AppContext, run_manager: RunManager, gauges: FiguresCacheDep) -> str:
    """Return news as the page takes them: head and cards are drawn once for all viewers, and so is each row."""
    if "frame" not in news.drawn:
        shown = {**head(news.reading, ctx, run_manager), **behind(news.reading, CaseFilter(), ctx, gauges)}
        shown["latency"] = news.reading.figures.latency_ms
        names = {"head": "_run_head.html", "cards": "_cards.html", "sums": "_sums.html"}
        frame = {name: drawn(template, **shown) for name, template in names.items()}
        frame |= {"serial": news.serial, "columns": len(news.reading.gauges) + 3}  # type: ignore[dict-item]
        news.drawn["frame"] = json.dumps(frame)[:-1]
    rows = ", ".join(_row(news, place) for place in range(len(news.rows)))
    return f'{news.drawn["frame"]}, "whole": {json.dumps(news.whole)}, "rows": [{rows}]}}'


def _row(news: RunUpdate, place: int) -> str:
    row = news.rows[place]
    key = f"row {row.line.case_index} {row.serial}"
    if key not in news.drawn:
        run = news.reading.stored.run.id
        html = part("_rows.html", "row", run, row.line, row.why, news.reading.gauges, "?sort=recent", True)
        news.drawn[key] = json.dumps([row.line.case_index, html])
    return news.drawn[key]


def _told(news: RunUpdate, dataset: str | None) -> str:
    """Return news as a script takes them."""
    specs = [*news.reading.stored.run.plan.metrics]
    cases = [case_row(row.line, row.why, specs).model_dump(mode="json") for row in news.rows]
    run = run_figures(news.reading, dataset).model_dump(mode="json")
    return json.dumps({"run": run, "cases": cases, "whole": news.whole})
