"""A model's server on a real TCP socket, in a thread with its own loop, for sync and async tests alike.

One request runs: record → check what was sent (the vendor's rules) → the planned fault, if any → the
script's answer → the vendor's wire. A vendor is a subclass that knows its routes, rules and shapes; all
else stands here.
"""

import asyncio
import json
import socket
import struct
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Self

from aiohttp import web
from tests.servers._prefix_cache import PrefixCache
from tests.servers.faults import Fault, FaultPlan, Finish, dumped
from tests.servers.script import Ask, Script, ScriptError

_START_SECONDS = 10.0
_FOREVER = 3600.0
SCRIPT_STATUS = 422


class WireError(Exception):
    """A request that the vendor would refuse: status, words, and what its error shape wants besides."""

    def __init__(self, status: int, message: str, **details: Any) -> None:
        super().__init__(message)
        self.status, self.message, self.details = status, message, details


@dataclass(frozen=True)
class Recorded:
    """One request as it arrived."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: Any
    at: float
    connection: tuple[str, int]

    @property
    def text(self) -> str:
        return json.dumps(self.body, ensure_ascii=False)


@dataclass(frozen=True)
class Said:
    """What the model says to one question: the answer, its text, how it ended."""

    answer: Mapping[str, Any]
    text: str
    finish: Finish = "stop"
    as_text: bool = False


class _Struck(Exception):  # noqa: N818 - not an error of the server: it leads from the planned fault to its delivery
    def __init__(self, fault: Fault, ask: Ask | None = None, said: Said | None = None) -> None:
        super().__init__(fault.name)
        self.fault, self.ask, self.said = fault, ask, said


@dataclass
class Traffic:
    """What the server saw; written by the server's thread, read by the test."""

    requests: list[Recorded] = field(default_factory=list)
    statuses: list[int] = field(default_factory=list)
    connections: set[tuple[str, int]] = field(default_factory=set)
    in_flight: int = 0
    peak_in_flight: int = 0

    @contextmanager
    def one(self) -> Iterator[None]:
        self.in_flight += 1
        self.peak_in_flight = max(self.peak_in_flight, self.in_flight)
        try:
            yield
        finally:
            self.in_flight -= 1


class JudgeServer(ABC):
    """A vendor's server; use it as a context manager. `script` and `faults` may be changed while it runs."""

    vendor: str

    def __init__(self, script: Script | None = None, *, latency: float = 0.0) -> None:
        self.script = script if script is not None else Script()
        self.faults = FaultPlan()
        self.traffic = Traffic()
        self.latency = latency
        self.prefixes = PrefixCache()
        self.complaints: list[str] = []
        self._port = 0
        self._started = threading.Event()
        self._failure: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name=f"{self.vendor} server", daemon=True)

    # What a vendor is.
    @abstractmethod
    def routes(self) -> Mapping[str, Callable[[Recorded], Awaitable[tuple[Any, Mapping[str, str]]]]]:
        """POST paths (aiohttp patterns) and what answers them: a JSON payload and headers."""

    @abstractmethod
    def error(self, status: int, message: str, **details: Any) -> Mapping[str, Any]:
        """The vendor's error shape."""

    @property
    @abstractmethod
    def base_url(self) -> str:
        """What a user would put where the vendor's base URL goes."""

    # What a test reads.
    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    @property
    def requests(self) -> list[Recorded]:
        return self.traffic.requests

    @property
    def bodies(self) -> list[Any]:
        return [request.body for request in self.traffic.requests]

    @property
    def prompts(self) -> list[str]:
        return [ask.text for ask in self.asked]

    @property
    def asked(self) -> list[Ask]:
        return list(self._asked)

    @property
    def connections(self) -> int:
        return len(self.traffic.connections)

    @property
    def peak_in_flight(self) -> int:
        return self.traffic.peak_in_flight

    def __enter__(self) -> Self:
        self._asked: list[Ask] = []
        self._thread.start()
        if not self._started.wait(_START_SECONDS):
            raise TimeoutError(f"the {self.vendor} server did not start within {_START_SECONDS:g} s")
        if self._failure is not None:
            raise self._failure
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(_START_SECONDS)
        if self._thread.is_alive():
            raise TimeoutError(f"the {self.vendor} server did not stop within {_START_SECONDS:g} s")

    # How it runs.
    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except BaseException as error:  # noqa: BLE001 - handed to the thread that starts the server
            self._failure = error
        finally:
            self._started.set()

    async def _serve(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        app = web.Application(client_max_size=64 * 2**20)
        for path, handler in self.routes().items():
            app.router.add_post(path, self._door(handler))
        app.router.add_route("*", "/{anything:.*}", self._door(self._no_such_path))
        runner = web.AppRunner(app, access_log=None, handler_cancellation=True, shutdown_timeout=0.1)
        await runner.setup()
        try:
            site = web.TCPSite(runner, "127.0.0.1", 0)
            await site.start()
            self._port = runner.addresses[0][1]
            self._started.set()
            await self._stop.wait()
        finally:
            await runner.cleanup()

    async def _no_such_path(self, recorded: Recorded) -> tuple[Any, Mapping[str, str]]:
        raise WireError(404, f"Invalid URL ({recorded.method} {recorded.path})")

    def _door(self, handler: Callable[..., Any]) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
        async def handle(request: web.Request) -> web.StreamResponse:
            with self.traffic.one():
                try:
                    recorded = await self._record(request)
                    payload, headers = await handler(recorded)
                except WireError as error:
                    return self._refusal(error)
                except ScriptError as error:
                    self.complaints.append(str(error))
                    return self._refusal(WireError(SCRIPT_STATUS, f"test script: {error}"))
                except _Struck as struck:
                    return await self._strike(request, struck)
                self.traffic.statuses.append(200)
                return web.json_response(payload, headers={**self.headers(), **headers}, dumps=dumped)

        return handle

    def headers(self) -> Mapping[str, str]:
        """Headers of every answer."""
        return {}

    async def _record(self, request: web.Request) -> Recorded:
        raw = await request.read()
        peer = request.transport.get_extra_info("peername") if request.transport else ("gone", 0)
        try:
            body = json.loads(raw) if raw else None
        except ValueError:
            body = raw.decode(errors="replace")
        recorded = Recorded(
            request.method,
            request.path,
            dict(request.query),
            dict(request.headers),
            body,
            time.monotonic(),
            peer[:2],
        )
        self.traffic.requests.append(recorded)
        self.traffic.connections.add(peer[:2])
        if request.method == "POST" and request.content_type != "application/json":
            raise WireError(
                415, f"Unsupported content type {request.content_type!r}; send 'application/json'."
            )
        if request.method == "POST" and not isinstance(body, dict):
            raise WireError(
                400, "We could not parse the JSON body of your request. The API expects a JSON object."
            )
        return recorded

    def _refusal(self, error: WireError) -> web.Response:
        self.traffic.statuses.append(error.status)
        payload = self.error(error.status, error.message, **error.details)
        return web.json_response(payload, status=error.status, headers=self.headers())

    # What a vendor's handler calls.
    async def say(self, ask: Ask) -> Said:
        """Think for `latency`, then answer by the script; a planned fault strikes or spoils the answer.

        Raises:
            ScriptError: The script has no valid answer.
        """
        ask = replace(ask, number=len(self._asked) + 1)
        self._asked.append(ask)
        fault = self.faults.pick(ask.text)
        if self.latency:
            await asyncio.sleep(self.latency)
        if fault is not None and (fault.status is not None or fault.delivery in {"reset", "stall"}):
            raise _Struck(fault, ask)
        said = _spoilt(self.script.answer(ask), fault)
        if fault is not None and (fault.delivery == "truncated" or fault.content_type is not None):
            raise _Struck(fault, ask, said)
        return said

    async def strike_other(self, text: str) -> None:
        """Let planned faults strike a call that has no script: an embedding."""
        fault = self.faults.pick(text)
        if self.latency:
            await asyncio.sleep(self.latency)
        if fault is not None and (fault.status is not None or fault.delivery in {"reset", "stall"}):
            raise _Struck(fault)

    @abstractmethod
    def payload(self, ask: Ask, said: Said) -> Any:
        """The vendor's answer shape."""

    async def _strike(self, request: web.Request, struck: _Struck) -> web.StreamResponse:
        fault = struck.fault
        if fault.delivery == "stall":
            await self._until_gone()
        if fault.delivery == "reset":
            _reset(request)
            await self._until_gone()
        if fault.status is not None and fault.body is None:
            refusal = self._refusal(WireError(fault.status, fault.message))
            refusal.headers.update(fault.headers())
            return refusal
        body = fault.body if fault.body is not None else dumped(self.payload(struck.ask, struck.said))
        if fault.delivery == "truncated":
            return await self._truncated(request, body.encode())
        self.traffic.statuses.append(fault.status or 200)
        return web.Response(text=body, status=fault.status or 200, content_type=fault.content_type)

    async def _until_gone(self) -> None:
        self.traffic.statuses.append(0)
        await asyncio.wait_for(self._stop.wait(), _FOREVER)
        raise asyncio.CancelledError

    async def _truncated(self, request: web.Request, body: bytes) -> web.StreamResponse:
        self.traffic.statuses.append(200)
        response = web.StreamResponse(headers={"Content-Type": "application/json"})
        response.content_length = len(body)
        await response.prepare(request)
        await response.write(body[: len(body) // 2])
        if request.transport is not None:
            request.transport.close()
        return response


def _spoilt(answer: dict[str, Any], fault: Fault | None) -> Said:
    if fault is None:
        return Said(answer, dumped(answer))
    if fault.answer is not None:
        answer = fault.answer(answer)
    text = dumped(answer)
    return Said(
        answer, fault.text(text) if fault.text else text, fault.finish, as_text=fault.text is not None
    )


def _reset(request: web.Request) -> None:
    """Close with RST: a lingering time of zero throws away what is unsent."""
    if request.transport is None:
        return
    connection = request.transport.get_extra_info("socket")
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    request.transport.abort()
