"""What an operator asks the page and the receiver of traces; the routes are the same for both.

/healthz   the process answers; for liveness probes. Needs no token and reads nothing.
/readyz    the store answers too, else status 503; for readiness probes. Needs no token.
/metrics   figures in the text format of Prometheus; needs the token as every other path
"""

import asyncio
import time
from collections.abc import Collection, Iterator

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Metric, ProcessCollector
from prometheus_client.exposition import choose_encoder
from prometheus_client.metrics_core import GaugeMetricFamily
from prometheus_client.registry import Collector
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ragstone import __version__
from ragstone.store.queue.trace_queue import TraceQueue
from ragstone.store.queue.watch_state import read_health
from ragstone.store.schema.connect import DATABASE_ERRORS
from ragstone.watch.delivery import alarm_values, score_gauges
from ragstone.watch.feedback import feedback_figures
from ragstone.watch.overview import watch_plans
from ragstone.watch.window import window_figures

HEALTH, READY = "/healthz", "/readyz"
_READY_SECONDS = 1.0  # an answer is reused: requests without a token must not keep a database busy
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "DELETE"})
_LABELS = ("method", "route")

_SCORES = {
    "ragstone_watch_score_mean": "Mean score of a metric in the window of a watch.",
    "ragstone_watch_score_low": "Lower end of the 95 % interval of the mean score.",
    "ragstone_watch_score_high": "Upper end of the 95 % interval of the mean score.",
    "ragstone_watch_feedback_mean": "Mean feedback of users in the window of a watch.",
    "ragstone_watch_feedback_low": "Lower end of the 95 % interval of the mean feedback.",
    "ragstone_watch_feedback_high": "Upper end of the 95 % interval of the mean feedback.",
}


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
    asking, asked, is_ready = asyncio.Lock(), float("-inf"), False

    async def health(_: Request) -> Response:
        return PlainTextResponse("ok\n")

    async def ready(_: Request) -> Response:
        """Return status 200 or 503; the body names neither the database nor its error."""
        nonlocal asked, is_ready
        async with asking:
            if time.monotonic() - asked > _READY_SECONDS:
                is_ready = await asyncio.to_thread(queue.is_reachable)
                asked = time.monotonic()
        if is_ready:
            return PlainTextResponse("ok\n")
        return PlainTextResponse("the store does not answer\n", 503)

    async def metrics(request: Request) -> Response:
        encode, content_type = choose_encoder(request.headers.get("accept", ""))
        return Response(await asyncio.to_thread(encode, registry), headers={"Content-Type": content_type})

    return [Route(HEALTH, health), Route(READY, ready), Route("/metrics", metrics)]


class RequestFigures:
    """Middleware outside of all others, so that refused requests count too.

    The label `route` is the pattern of the path, so that it has few values. It is empty where no route was looked for,
    as in a request without the token, and where there is none.
    """

    def __init__(self, app: ASGIApp, *, registry: CollectorRegistry, paths: Collection[str]) -> None:
        """Count what `app` answers, in `registry`; `paths` are those of routes that are not FastAPI's."""
        self._app = app
        self._paths = frozenset(paths)
        self._requests = Counter(
            "ragstone_http_requests", "Requests that were answered.", [*_LABELS, "code"], registry=registry
        )
        self._seconds = Histogram(
            "ragstone_http_request_duration_seconds",
            "Seconds until an answer began; a stream may last longer.",
            _LABELS,
            registry=registry,
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, and count it once its answer begins."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = time.perf_counter()

        async def send_and_count(message: Message) -> None:
            if message["type"] == "http.response.start":
                method = scope["method"] if scope["method"] in _METHODS else "other"
                route = self._route(scope)
                self._requests.labels(method, route, str(message["status"])).inc()
                self._seconds.labels(method, route).observe(time.perf_counter() - started)
            await send(message)

        await self._app(scope, receive, send_and_count)

    def _route(self, scope: Scope) -> str:
        if scope["path"] in self._paths:
            return scope["path"]
        return getattr(scope.get("route"), "path", "")  # FastAPI sets it, Starlette only in later versions


class StoreFigures(Collector):
    """The figures of a store: its queue of traces, and its watches with their scores, alarms and processes.

    They are read when they are asked for, so each server of a store tells the same. While its database fails, only
    `ragstone_store_up` is told, as 0.
    """

    def __init__(self, queue: TraceQueue) -> None:
        self._queue = queue

    def collect(self) -> Iterator[Metric]:
        """Yield each figure."""
        traces = GaugeMetricFamily("ragstone_traces", "Traces in the store, by state.", labels=["state"])
        try:
            counts = self._queue.counts()
            for state in ("waiting", "judged", "dead"):
                traces.add_metric([state], getattr(counts, state))
            size = "Size of the traces that wait to be judged."
            waiting = GaugeMetricFamily("ragstone_traces_waiting_bytes", size, counts.waiting_bytes)
            found = [traces, waiting, *_watch_figures(self._queue)]
        except DATABASE_ERRORS:
            found = []
        up = float(bool(found))
        yield GaugeMetricFamily("ragstone_store_up", "1 if the database of the store answers, else 0.", up)
        yield from found


def _watch_figures(queue: TraceQueue) -> Iterator[Metric]:
    alarms = GaugeMetricFamily("ragstone_watch_alarm", "1 while an alarm is on.", labels=["watch", "alarm"])
    processes = GaugeMetricFamily(
        "ragstone_watch_processes",
        "Processes of a watch: alive, or silent, which have ended without saying so.",
        labels=["watch", "state"],
    )
    failing = GaugeMetricFamily(
        "ragstone_watch_failing_tasks", "Tasks that fail in the processes of a watch.", labels=["watch"]
    )
    scores: dict[str, GaugeMetricFamily] = {
        name: GaugeMetricFamily(name, text, labels=["watch", "metric"]) for name, text in _SCORES.items()
    }
    for plan in watch_plans(queue):
        for alarm, is_on in alarm_values(queue, plan).items():
            alarms.add_metric([plan.name, alarm], float(is_on))
        health = read_health(queue.engine, plan.name)
        silent = sum(process.is_silent(time.time()) for process in health)
        processes.add_metric([plan.name, "alive"], len(health) - silent)
        processes.add_metric([plan.name, "silent"], silent)
        failing.add_metric([plan.name], sum(len(process.failing) for process in health))
        for gauge in score_gauges(plan, window_figures(queue, plan), feedback_figures(queue, plan)):
            labels = [plan.name, gauge.attributes["gen_ai.evaluation.name"]]
            scores[gauge.name.replace(".", "_")].add_metric(labels, gauge.value)
    yield from (alarms, processes, failing, *scores.values())
