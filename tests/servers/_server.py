"""A model's server on a real TCP socket: what all vendors have in common.

One request runs: record → check what was sent (the vendor's rules) → the planned fault, if any → the
script's answer → the vendor's wire. A vendor is a subclass that knows its routes, rules and shapes; all
else stands here.
"""

import asyncio
import json
import time
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any, Self

from aiohttp import web
from tests.servers._delivery import Said, Struck, reset, spoilt, truncated
from tests.servers._prefix_cache import PrefixCache
from tests.servers._thread import ThreadedServer
from tests.servers._traffic import Recorded, Traffic, WireError
from tests.servers.faults import FaultPlan, dumped
from tests.servers.script import Ask, Script, ScriptError

_FOREVER = 3600.0
_POLL = 0.01
SCRIPT_STATUS = 422


class JudgeServer(ABC):
    """A vendor's server; use it as a context manager. `script` and `faults` may be changed while it runs."""

    vendor: str
    key: str | None
    """The one key that is accepted; None accepts any."""
    forms: str | None = None
    """The media type of forms, where the vendor takes any."""

    def __init__(self, script: Script | None = None, *, latency: float = 0.0, port: int = 0) -> None:
        self.script = script if script is not None else Script()
        self.faults = FaultPlan()
        self.traffic = Traffic()
        self.latency = latency
        self.most_answers: int | None = None
        """So many calls are answered; later ones wait until it is raised or None. No call is slow by chance then."""
        self.together = 0
        """No call is answered until so many have been in flight at once."""
        self.prefixes = PrefixCache()
        self.complaints: list[str] = []
        self._asked: list[Ask] = []
        self._thread = ThreadedServer(self._app, f"{self.vendor} server", port)

    # What a vendor is.
    @abstractmethod
    def routes(self) -> Mapping[str, Callable[[Recorded], Awaitable[tuple[Any, Mapping[str, str]]]]]:
        """POST paths (aiohttp patterns) and what answers them: a JSON payload and headers."""

    def other_routes(self) -> Mapping[tuple[str, str], Callable[[Recorded], Awaitable[tuple[Any, Any]]]]:
        """Further methods and paths, and what answers them: a payload, bytes where it is not JSON, and headers."""
        return {}

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
        return f"http://127.0.0.1:{self._thread.port}"

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
        self._thread.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._thread.__exit__()

    # How a request runs.
    def _app(self) -> web.Application:
        app = web.Application(client_max_size=300 * 2**20)
        for path, handler in self.routes().items():
            app.router.add_post(path, self._door(handler))
        for (method, path), handler in self.other_routes().items():
            app.router.add_route(method, path, self._door(handler))
        app.router.add_route("*", "/{anything:.*}", self._door(self._no_such_path))
        return app

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
                except Struck as struck:
                    return await self._strike(request, struck)
                self.traffic.statuses.append(200)
                if isinstance(payload, bytes):
                    return web.Response(body=payload, headers={**self.headers(), **headers})
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
            raw,
        )
        self.traffic.requests.append(recorded)
        self.traffic.connections.add(peer[:2])
        if request.method == "POST" and request.content_type == self.forms:
            return recorded
        if request.method == "POST" and raw and request.content_type != "application/json":
            raise WireError(
                415, f"Unsupported content type {request.content_type!r}; send 'application/json'."
            )
        if request.method == "POST" and raw and not isinstance(body, dict):
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
        while self._is_held(ask):  # noqa: ASYNC110  (another thread may set it)
            await asyncio.sleep(_POLL)
        if self.latency:
            await asyncio.sleep(self.latency)
        if fault is not None and (fault.status is not None or fault.delivery in {"reset", "stall"}):
            raise Struck(fault, ask)
        said = spoilt(self.script.answer(ask), fault)
        if fault is not None and (fault.delivery == "truncated" or fault.content_type is not None):
            raise Struck(fault, ask, said)
        return said

    def _is_held(self, ask: Ask) -> bool:
        late = self.most_answers is not None and ask.number > self.most_answers
        return late or self.traffic.peak_in_flight < self.together

    async def strike_other(self, text: str) -> None:
        """Let planned faults strike a call that has no script: an embedding."""
        fault = self.faults.pick(text)
        if self.latency:
            await asyncio.sleep(self.latency)
        if fault is not None and (fault.status is not None or fault.delivery in {"reset", "stall"}):
            raise Struck(fault)

    @abstractmethod
    def payload(self, ask: Ask, said: Said) -> Any:
        """The vendor's answer shape."""

    def _answer_of(self, struck: Struck) -> Any:
        assert struck.ask is not None, "a fault without a body spoils an answer"
        assert struck.said is not None
        return self.payload(struck.ask, struck.said)

    async def _strike(self, request: web.Request, struck: Struck) -> web.StreamResponse:
        fault = struck.fault
        if fault.delivery == "stall":
            await self._until_gone()
        if fault.delivery == "reset":
            reset(request)
            await self._until_gone()
        if fault.status is not None and fault.body is None:
            refusal = self._refusal(WireError(fault.status, fault.message))
            refusal.headers.update(fault.headers())
            return refusal
        body = fault.body if fault.body is not None else dumped(self._answer_of(struck))
        if fault.delivery == "truncated":
            self.traffic.statuses.append(200)
            return await truncated(request, body.encode())
        self.traffic.statuses.append(fault.status or 200)
        return web.Response(text=body, status=fault.status or 200, content_type=fault.content_type)

    async def _until_gone(self) -> None:
        self.traffic.statuses.append(0)
        await asyncio.wait_for(self._thread.stopping.wait(), _FOREVER)
        raise asyncio.CancelledError
