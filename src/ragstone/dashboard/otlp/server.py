"""The receiver as a server: uvicorn in a thread, beside the pages or beside a watch."""

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterable, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from threading import Event, Thread
from typing import Self

import uvicorn
from fastapi import FastAPI
from prometheus_client import Metric
from prometheus_client.metrics_core import CounterMetricFamily
from prometheus_client.registry import Collector
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route

from ragstone.dashboard.monitoring import RequestFigures, monitoring_routes, new_registry
from ragstone.dashboard.otlp.intake import Intake
from ragstone.dashboard.rendering import add_error_answers
from ragstone.dashboard.routes import feedback
from ragstone.dashboard.security.access import Access
from ragstone.dashboard.security.auth import MEGABYTE, AuthMiddleware
from ragstone.dashboard.security.connections import server_config
from ragstone.dashboard.security.credentials import Credentials
from ragstone.dashboard.services.feedback import FeedbackIntake
from ragstone.errors import BadOption

_LOG = logging.getLogger("ragstone.receiver")

PORT = 4318  # the default port of OTLP over HTTP
_MAX_BODY_BYTES = 32 * MEGABYTE
_MAX_BODIES_BYTES = 256 * MEGABYTE  # bytes of all request bodies in memory, compressed
_LARGE_BYTES = 1 << 20
_MAX_SMALL, _MAX_LARGE = 16, 1  # requests up to a mebibyte, and larger ones, that are handled at once
_SHUTDOWN_SECONDS = 5


class _BodyDropped(Exception):  # noqa: N818  (reads as what happened)
    """A body was dropped because others needed its place."""


@dataclass(eq=False, slots=True)
class _HeldBody:
    """The body of one request; its deadline ends the request when the body is dropped."""

    content: bytearray = field(default_factory=bytearray)
    deadline: asyncio.Timeout = field(default_factory=lambda: asyncio.timeout(None))
    is_dropped: bool = False


class _BodyLimit:
    """Limits the bodies of all requests of a server together, of which the largest gives way; used in one event loop.

    A sender that stalls in the middle of its body keeps what it has sent in memory, but no slot. When the limit is
    reached, the largest body is dropped and its sender is told to repeat the request. So small requests are received
    whatever others do.
    """

    def __init__(self, most: int) -> None:
        """Hold at most `most` bytes."""
        self._most = most
        self._size = 0
        self._held: set[_HeldBody] = set()

    @asynccontextmanager
    async def hold(self, chunks: AsyncIterable[bytes]) -> AsyncGenerator[bytearray]:
        """Read a body, and hold it until the end of the block.

        Raises:
            _BodyDropped: it was dropped while it was read, or in the block.
        """
        held = _HeldBody()
        self._held.add(held)
        try:
            async with held.deadline:
                async for chunk in chunks:
                    self._add(held, chunk)
                yield held.content
        except TimeoutError:
            if held.is_dropped:
                raise _BodyDropped from None
            raise
        finally:
            self._held.discard(held)
            self._size -= 0 if held.is_dropped else len(held.content)

    def _add(self, held: _HeldBody, chunk: bytes) -> None:
        held.content += chunk
        self._size += len(chunk)
        while self._size > self._most:
            largest = max(self._held, key=lambda body: 0 if body.is_dropped else len(body.content))
            self._size -= len(largest.content)
            largest.is_dropped = True
            if largest is held:
                raise _BodyDropped
            largest.content = bytearray()
            largest.deadline.reschedule(asyncio.get_running_loop().time())


def receiver_app(intake: Intake, credentials: Credentials) -> Starlette:
    """Return the application: `POST /v1/traces`, `/v1/logs` and `/api/feedback`, `GET /status`, and for operators."""
    receiving = _Receiving(intake)
    routes = tuple(
        Route(f"/v1/{signal}", partial(receiving.answer, signal), methods=["POST"])
        for signal in ("traces", "logs")
    )

    async def status(request: Request) -> Response:
        del request
        return JSONResponse(await asyncio.to_thread(intake.status))

    registry = new_registry(intake.queue)
    registry.register(_IntakeFigures(intake))
    others = (Route("/status", status), *monitoring_routes(intake.queue, registry))
    app = Starlette(routes=[*routes, *others, Mount("/api", _feedback_app(intake.feedback))])
    access = Access.to(credentials, intake.tokens, intake.audit_log)
    app.add_middleware(
        AuthMiddleware, access=access, larger={route.path: _MAX_BODY_BYTES for route in routes}
    )
    app.add_middleware(RequestFigures, registry=registry, paths=[route.path for route in (*routes, *others)])
    return app


class _Receiving:
    """Answers requests: a slot is taken once the body has come, and large bodies wait for slots of their own."""

    def __init__(self, intake: Intake) -> None:
        self._intake = intake
        self._bodies = _BodyLimit(_MAX_BODIES_BYTES)
        self._small, self._large = asyncio.Semaphore(_MAX_SMALL), asyncio.Semaphore(_MAX_LARGE)

    async def answer(self, signal: str, request: Request) -> Response:
        """Return the response to a request."""
        kind, encoding = (request.headers.get(f"content-{name}", "") for name in ("type", "encoding"))
        try:
            async with self._bodies.hold(request.stream()) as body:
                answer = await self._store(signal, body, kind, encoding)
        except _BodyDropped:
            media_type = kind.partition(";")[0].strip().lower()
            answer = self._intake.retry_later(503, media_type, "Too many requests are open. Retry later.")
        except ClientDisconnect:  # nobody receives a response
            return Response(status_code=400)
        return answer

    async def _store(self, signal: str, body: bytearray, kind: str, encoding: str) -> Response:
        receive = partial(self._intake.receive, signal, body, kind, encoding)
        if len(body) <= _LARGE_BYTES:
            async with self._small:
                answer = await asyncio.to_thread(receive, most=_LARGE_BYTES)
            if answer is not None:
                return answer
        async with self._large:
            answer = await asyncio.to_thread(receive)
        if answer is None:
            raise AssertionError("a request without a lower limit has an answer")
        return answer


class _IntakeFigures(Collector):
    """What a receiver of traces has counted since its start."""

    def __init__(self, intake: Intake) -> None:
        self._intake = intake

    def collect(self) -> Iterator[Metric]:
        """Yield each figure."""
        counts = self._intake.counts()
        for name, text, outcomes in (
            (
                "requests",
                "Requests with spans or log records, by outcome.",
                ("requests", "refused", "failed"),
            ),
            ("records", "Spans and log records, by outcome.", ("stored", "repeated", "left_out")),
        ):
            family = CounterMetricFamily(f"ragstone_receiver_{name}", text, labels=["outcome"])
            for outcome in outcomes:
                family.add_metric(["accepted" if outcome == "requests" else outcome], counts[outcome])
            yield family


def _feedback_app(intake: FeedbackIntake) -> FastAPI:
    """Return an application that accepts feedback but lists none: senders of traces need not read people's comments."""
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    app.state.feedback = intake
    app.include_router(feedback.incoming)
    add_error_answers(app)
    return app


class Receiver:
    """A server in a thread of its own, from `start` to `stop`. If it ends before, it is started again."""

    def __init__(self, intake: Intake, credentials: Credentials, *, host: str, port: int = PORT) -> None:
        """Prepare to listen on `host` and `port`; port 0 selects a free port."""
        self._intake, self._credentials = intake, credentials
        self._host, self._port = host, port
        self._server = self._new_server()
        self._stopping, self._ended = Event(), Event()
        self._thread = Thread(target=self._run_server, name="ragstone-otlp", daemon=True)

    @property
    def port(self) -> int:
        """The port that it listens on."""
        return self._port

    def start(self) -> Self:
        """Listen.

        Raises:
            BadOption: the address is taken, or not this machine's.
        """
        self._thread.start()
        while not self._server.started:
            if self._ended.wait(0.01):
                raise BadOption(
                    f"The server cannot listen on {self._host}:{self._port}: is another receiver running there? "
                    "Give --otlp another port."
                )
        self._port = self._server.servers[0].sockets[0].getsockname()[1]
        return self

    def stop(self) -> None:
        """Finish open requests, then stop."""
        self._stopping.set()
        self._server.should_exit = True
        self._thread.join()

    def _new_server(self) -> uvicorn.Server:
        app = receiver_app(self._intake, self._credentials)
        return uvicorn.Server(
            server_config(app, self._host, self._port, log_level="critical", seconds=_SHUTDOWN_SECONDS)
        )

    def _run_server(self) -> None:
        has_listened = False
        while True:
            with suppress(BaseException):  # also uvicorn's SystemExit, where the address is taken
                self._server.run()
            has_listened = has_listened or self._server.started
            if not has_listened or self._stopping.is_set():
                self._ended.set()
                return
            _LOG.warning("the receiver of traces has ended, and is started again")
            if not self._stopping.wait(1.0):
                self._server = self._new_server()
