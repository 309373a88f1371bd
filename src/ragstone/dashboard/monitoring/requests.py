"""Counts the requests of a server, and measures the time until each answer begins."""

from collections.abc import Collection
from time import perf_counter

from prometheus_client import CollectorRegistry, Counter, Histogram
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "DELETE"})
_LABELS = ("method", "route")


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
        started = perf_counter()

        async def send_and_count(message: Message) -> None:
            if message["type"] == "http.response.start":
                method = scope["method"] if scope["method"] in _METHODS else "other"
                route = self._route(scope)
                self._requests.labels(method, route, str(message["status"])).inc()
                self._seconds.labels(method, route).observe(perf_counter() - started)
            await send(message)

        await self._app(scope, receive, send_and_count)

    def _route(self, scope: Scope) -> str:
        if scope["path"] in self._paths:
            return scope["path"]
        return getattr(scope.get("route"), "path", "")  # FastAPI sets it, Starlette only in later versions
