"""The routes for operators, the same for the page and for the receiver of traces.

/healthz   the process answers; for liveness probes. Needs no token and reads nothing.
/readyz    the store answers too, else status 503; for readiness probes. Needs no token.
/metrics   figures in the text format of Prometheus; needs the token as every other path
"""

import asyncio
from time import monotonic

from prometheus_client import CollectorRegistry, Gauge, ProcessCollector
from prometheus_client.exposition import choose_encoder
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from ragstone import __version__
from ragstone.dashboard.monitoring.store_figures import StoreFigures
from ragstone.store.queue.trace_queue import TraceQueue

HEALTH, READY = "/healthz", "/readyz"
_READY_SECONDS = 1.0
"""Seconds for which an answer of the store is reused: requests without a token must not keep a database busy."""


def new_registry(queue: TraceQueue) -> CollectorRegistry:
    """Return the figures of a server: those of its process and of its store."""
    registry = CollectorRegistry(auto_describe=False)
    ProcessCollector(registry=registry)
    version = Gauge("ragstone_build_info", "The version that runs here.", ["version"], registry=registry)
    version.labels(__version__).set(1)
    registry.register(StoreFigures(queue))
    return registry


def monitoring_routes(queue: TraceQueue, registry: CollectorRegistry) -> list[Route]:
    """Return the routes of a server on the store of `queue`."""
    readiness = _Readiness(queue)

    async def health(_: Request) -> Response:
        return PlainTextResponse("ok\n")

    async def metrics(request: Request) -> Response:
        encode, content_type = choose_encoder(request.headers.get("accept", ""))
        return Response(await asyncio.to_thread(encode, registry), headers={"Content-Type": content_type})

    return [Route(HEALTH, health), Route(READY, readiness.answer), Route("/metrics", metrics)]


class _Readiness:
    """Whether the store answers, asked at most once a second."""

    def __init__(self, queue: TraceQueue) -> None:
        self._queue = queue
        self._asking = asyncio.Lock()
        self._asked, self._is_ready = float("-inf"), False

    async def answer(self, _: Request) -> Response:
        """Return status 200 or 503; the body names neither the database nor its error."""
        async with self._asking:
            if monotonic() - self._asked > _READY_SECONDS:
                self._is_ready = await asyncio.to_thread(self._queue.is_reachable)
                self._asked = monotonic()
        if self._is_ready:
            return PlainTextResponse("ok\n")
        return PlainTextResponse("the store does not answer\n", 503)
