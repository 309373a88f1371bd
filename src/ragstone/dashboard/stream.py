"""The event stream: what is new in a run, as it comes. A page gets drawings, a script the same figures as JSON."""

import json
from collections.abc import AsyncIterator, Callable
from typing import Annotated

from fastapi import APIRouter, Header, Query
from starlette.concurrency import run_in_threadpool
from starlette.responses import StreamingResponse

from ragstone.dashboard._asking import Asking
from ragstone.dashboard._bench import Bench, BenchOf
from ragstone.dashboard._board import Board, BoardOf
from ragstone.dashboard._gauges import GaugesOf
from ragstone.dashboard._live import Live, LiveOf, News
from ragstone.dashboard._naming import dataset_of
from ragstone.dashboard._shapes import case_row, run_figures
from ragstone.dashboard._views import drawn, part
from ragstone.dashboard.offers import Told
from ragstone.dashboard.run import behind, head
from ragstone.store import StoredRun

router = APIRouter()
_HEADERS = {"X-Accel-Buffering": "no"}
_STREAM: Told = {
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
    board: BoardOf,
    bench: BenchOf,
    gauges: GaugesOf,
    live: LiveOf,
    since: Since = 0,
    last_event_id: LastEvent = "",
) -> Events:
    """Stream drawings of what is new, for the run's page."""
    stored = await run_in_threadpool(board.store.find, run)
    return _events(
        live, stored, _start(since, last_event_id), lambda news: _drawn(news, board, bench, gauges)
    )


@router.get("/api/runs/{run}/stream", tags=["runs"], response_class=Events, responses=_STREAM)
async def stream(
    run: str, board: BoardOf, live: LiveOf, since: Since = 0, last_event_id: LastEvent = ""
) -> Events:
    """Stream what is new in a run, also one that goes on in another process.

    Each event `news` holds as JSON the run with its figures, the test cases that have changed since the last event,
    and `whole`: true where more has changed than is told, so that `/api/runs/{run}/results` is to be read anew.
    Its id is the number of the last change: `Last-Event-ID` or `since` go on from there.
    """
    stored = await run_in_threadpool(board.store.find, run)
    name = dataset_of(stored.run.plan.dataset, board.folder)
    return _events(live, stored, _start(since, last_event_id), lambda news: _told(news, name))


@router.get("/live", include_in_schema=False)
async def runs(live: LiveOf, seen: str = "") -> Events:
    """Stream that the list of runs has changed since it was `seen`."""

    async def events() -> AsyncIterator[str]:
        async for changed in live.runs(seen):
            yield "event: runs\ndata: \n\n" if changed else ": nothing new\n\n"

    return Events(events(), headers=_HEADERS)


def _events(live: Live, stored: StoredRun, since: int, write: Callable[[News], str]) -> Events:
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


async def _once(news: News, write: Callable[[News], str]) -> str:
    """Return what `write` makes of news, made once for all who have seen as much before."""
    key = f"{write.__qualname__} after {news.since}"
    async with news.drawing:
        if key not in news.drawn:
            news.drawn[key] = await run_in_threadpool(write, news)
    return news.drawn[key]


def _start(since: int, last_event_id: str) -> int:
    return int(last_event_id) if last_event_id.isdecimal() and len(last_event_id) < 17 else since  # noqa: PLR2004


def _drawn(news: News, board: Board, bench: Bench, gauges: GaugesOf) -> str:
    """Return news as the page takes them: head and cards are drawn once for all viewers, and so is each row."""
    if "frame" not in news.drawn:
        shown = {**head(news.reading, board, bench), **behind(news.reading, Asking(), board, gauges)}
        shown["latency"] = news.reading.figures.latency_ms
        names = {"head": "_run_head.html", "cards": "_cards.html", "sums": "_sums.html"}
        frame = {name: drawn(template, **shown) for name, template in names.items()}
        frame |= {"serial": news.serial, "columns": len(news.reading.gauges) + 3}  # type: ignore[dict-item]
        news.drawn["frame"] = json.dumps(frame)[:-1]
    rows = ", ".join(_row(news, place) for place in range(len(news.rows)))
    return f'{news.drawn["frame"]}, "whole": {json.dumps(news.whole)}, "rows": [{rows}]}}'


def _row(news: News, place: int) -> str:
    row = news.rows[place]
    key = f"row {row.line.case_index} {row.serial}"
    if key not in news.drawn:
        run = news.reading.stored.run.id
        html = part("_rows.html", "row", run, row.line, row.why, news.reading.gauges, "?sort=recent", True)
        news.drawn[key] = json.dumps([row.line.case_index, html])
    return news.drawn[key]


def _told(news: News, dataset: str | None) -> str:
    """Return news as a script takes them."""
    specs = [*news.reading.stored.run.plan.metrics]
    cases = [case_row(row.line, row.why, specs).model_dump(mode="json") for row in news.rows]
    run = run_figures(news.reading, dataset).model_dump(mode="json")
    return json.dumps({"run": run, "cases": cases, "whole": news.whole})
