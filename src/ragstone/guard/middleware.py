"""The guard as ASGI middleware: it buffers a response until it is judged, and replaces it if it is blocked."""

import json
from collections.abc import Awaitable, Callable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from ragstone.case import TestCase
from ragstone.guard.check import Guard, GuardDecision

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
AsgiApp = Callable[[Scope, Receive, Send], Awaitable[None]]

_MAX_BODY_BYTES = 1 << 20
_SUCCESS_STATUSES = range(200, 300)
_UNBUFFERABLE = ("http.response.pathsend", "http.response.zerocopysend")
_REFUSAL: Mapping[str, Any] = {"detail": "The answer was withheld: it did not pass a check."}


@dataclass(frozen=True, slots=True)
class GuardedExchange:
    """A request and the response that is to be judged.

    Attributes:
        path: the request's path.
        request: its body.
        response: the response's body.
    """

    path: str
    request: bytes
    response: bytes

    @property
    def question(self) -> Any:  # noqa: ANN401  (any JSON)
        """The request's body, decoded as JSON."""
        return json.loads(self.request)

    @property
    def answer(self) -> Any:  # noqa: ANN401  (any JSON)
        """The response's body, decoded as JSON."""
        return json.loads(self.response)


CaseReader = Callable[[GuardedExchange], TestCase | None]
"""Returns the test case of a request and its response; None if the response is not to be judged."""


class GuardMiddleware:
    """Wraps an ASGI application, such as one of FastAPI, Starlette or Django.

    Every successful response under `paths` is buffered until it is judged; a streamed response is no longer streamed.
    A response larger than `max_body` is not judged: it is passed on or replaced as soon as it exceeds the limit.
    The header `ragstone-guard` holds the outcome. WebSockets are not judged.
    """

    def __init__(
        self,
        app: AsgiApp,
        *,
        guard: Guard,
        read: CaseReader,
        paths: Sequence[str] = ("/",),
        refusal: Mapping[str, Any] = _REFUSAL,
        refusal_status: int = 503,
        max_body: int = _MAX_BODY_BYTES,
    ) -> None:
        """Wrap `app`.

        Args:
            app: the application.
            guard: the guard that decides.
            read: returns the test case of a request and its response.
            paths: path prefixes whose responses are judged.
            refusal: JSON that is sent instead of a blocked answer.
            refusal_status: its HTTP status.
            max_body: bytes of a request or response that are buffered; larger ones are not measured.
        """
        self._app = app
        self._guard = guard
        self._read = read
        self._paths = tuple(paths)
        self._refusal = json.dumps(refusal).encode()
        self._refusal_status = refusal_status
        self._max_bytes = max_body

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http" or not scope["path"].startswith(self._paths):
            await self._app(scope, receive, send)
            return
        extensions = cast("Mapping[str, Any]", scope.get("extensions") or {})
        supported = {name: value for name, value in extensions.items() if name not in _UNBUFFERABLE}
        buffer = _Buffer(self._max_bytes, self._guard, send, self._refuse)
        await self._app({**scope, "extensions": supported}, buffer.receiving(receive), buffer.send)
        if buffer.is_kept:
            await buffer.release(await self._decide(scope["path"], buffer))

    async def _decide(self, path: str, buffer: "_Buffer") -> GuardDecision | None:
        """Return the decision on a buffered response; None if it is not to be judged."""
        try:
            case = self._read(GuardedExchange(path, bytes(buffer.request), bytes(buffer.response)))
        except Exception:  # noqa: BLE001  (what it cannot read is not measured, whatever it raises)
            return self._guard.decide_unmeasured()
        return None if case is None else await self._guard.acheck(case)

    async def _refuse(self, send: Send, decision: GuardDecision) -> None:
        length = str(len(self._refusal)).encode()
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", length),
            *_guard_header(decision),
        ]
        await send({"type": "http.response.start", "status": self._refusal_status, "headers": headers})
        await send({"type": "http.response.body", "body": self._refusal})


def _guard_header(decision: GuardDecision) -> list[tuple[bytes, bytes]]:
    return [(b"ragstone-guard", decision.outcome.replace("_", "-").encode())]


class _Buffer:
    """Buffers request and response until there is a decision, or until the response is known not to be judged."""

    def __init__(
        self, limit: int, guard: Guard, send: Send, refuse: Callable[[Send, GuardDecision], Awaitable[None]]
    ) -> None:
        self._max_bytes = limit
        self._guard = guard
        self._send = send
        self._refuse = refuse
        self._messages: list[Message] = []
        self._status = 0
        self._is_too_large = False
        self._is_forwarding = False
        self.request = bytearray()
        self.response = bytearray()
        self.is_kept = True

    def receiving(self, receive: Receive) -> Receive:
        """Return a `receive` that stores the request's body as it passes it on."""

        async def receive_and_store() -> Message:
            message = await receive()
            if message["type"] == "http.request":
                self._add(self.request, message.get("body", b""))
            return message

        return receive_and_store

    async def send(self, message: Message) -> None:
        """Buffer a message of the response; after the decision, pass it on or drop it."""
        if not self.is_kept:
            if self._is_forwarding:
                await self._send(message)
            return
        self._messages.append(message)
        if message["type"] == "http.response.start":
            self._status = int(message["status"])
        elif message["type"] == "http.response.body":
            self._add(self.response, message.get("body", b""))
        if self._status and self._status not in _SUCCESS_STATUSES:
            await self.release(None)
        elif self._status and self._is_too_large:
            await self.release(self._guard.decide_unmeasured())

    async def release(self, decision: GuardDecision | None) -> None:
        """Send the buffered messages, and later ones at once; or send the refusal and drop the rest.

        Args:
            decision: None for a response that is not judged.
        """
        messages, self._messages = self._messages, []
        self.is_kept = False
        self._is_forwarding = decision is None or decision.allowed
        if decision is not None and not decision.allowed:
            await self._refuse(self._send, decision)
            return
        for message in messages:
            if decision is not None and message["type"] == "http.response.start":
                headers = [*message.get("headers", ()), *_guard_header(decision)]
                await self._send({**message, "headers": headers})
            else:
                await self._send(message)

    def _add(self, buffer: bytearray, body: bytes) -> None:
        if len(buffer) + len(body) > self._max_bytes:
            self._is_too_large = True
            buffer.clear()
        elif not self._is_too_large:
            buffer += body
