"""The guard as ASGI middleware: it buffers a response until it is judged, and replaces it if it is blocked."""

import json
import zlib
from collections.abc import Awaitable, Callable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

from ragstone.case import TestCase
from ragstone.errors import BadOption
from ragstone.guard.check import Guard, GuardAction, GuardDecision

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
AsgiApp = Callable[[Scope, Receive, Send], Awaitable[None]]

_MAX_BODY_BYTES = 1 << 20
_SUCCESS_STATUSES = range(200, 300)
_UNBUFFERABLE = ("http.response.pathsend", "http.response.zerocopysend")
_WITHHELD = frozenset({b"accept-encoding", b"range", b"if-range", b"te"})
"""Headers of a request with which a client asks for a response that cannot be judged."""

_WINDOW_BITS = {"gzip": 31, "x-gzip": 31, "deflate": 15}
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
    It is sent as soon as it is judged; background tasks of the application go on afterwards.

    The client cannot switch the guard off: the application does not see the headers with which it could ask for a
    compressed or partial response, a compressed response is unpacked for the judge, and what cannot be read is
    withheld, such as a request of more than `max_body`. The header `ragstone-guard` holds the outcome. WebSockets are
    not judged.
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
        oversized: GuardAction = "block",
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
            oversized: the decision on a larger response, as soon as its size is known; a larger request is refused.

        Raises:
            BadOption: `oversized` is neither `allow` nor `block`.
        """
        if oversized not in ("allow", "block"):
            raise BadOption(f"oversized={oversized!r} is not an action: give 'allow' or 'block'.")
        self._app = app
        self._guard = guard
        self._read = read
        self._paths = tuple(paths)
        self._refusal = json.dumps(refusal).encode()
        self._refusal_status = refusal_status
        self._max_bytes = max_body
        self._oversized: GuardAction = oversized

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http" or not _path_of(scope).startswith(self._paths):
            await self._app(scope, receive, send)
            return
        extensions = cast("Mapping[str, Any]", scope.get("extensions") or {})
        supported = {name: value for name, value in extensions.items() if name not in _UNBUFFERABLE}
        headers = [(name, value) for name, value in scope.get("headers", ()) if name.lower() not in _WITHHELD]
        buffer = _Buffer(self._max_bytes, partial(self._decide, _path_of(scope)), send, self._refuse)
        inner = {**scope, "extensions": supported, "headers": headers}
        await self._app(inner, buffer.receiving(receive), buffer.send)

    async def _decide(self, path: str, buffer: "_Buffer") -> GuardDecision | None:
        """Return the decision on a buffered response; None if it is not to be judged."""
        if buffer.request_is_too_large:
            return self._guard.decide_unreadable()
        if buffer.response_is_too_large:
            return self._guard.decide_unreadable(self._oversized)
        try:
            response = _unpacked(bytes(buffer.response), buffer.encoding, self._max_bytes)
            case = self._read(GuardedExchange(path, bytes(buffer.request), response))
        except Exception:  # noqa: BLE001  (whatever it raises, the client may have caused it)
            return self._guard.decide_unreadable()
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


def _path_of(scope: Scope) -> str:
    """Return the path of a request; below the application's own root path, if it is mounted under one."""
    path, root = str(scope["path"]), str(scope.get("root_path") or "")
    return path.removeprefix(root) if path.startswith(f"{root}/") else path


def _unpacked(body: bytes, encoding: str, most: int) -> bytes:
    """Return a body without its compression.

    Raises:
        ValueError: it is compressed in another way, damaged, or too large.
    """
    if encoding in ("", "identity"):
        return body
    if encoding not in _WINDOW_BITS:
        raise ValueError(encoding)
    decompressor = zlib.decompressobj(_WINDOW_BITS[encoding])
    try:
        content = decompressor.decompress(body, most + 1)
    except zlib.error as error:
        raise ValueError(str(error)) from error
    if len(content) > most or not decompressor.eof or decompressor.unused_data:
        raise ValueError("too large, or not one stream")
    return content


class _Buffer:
    """Buffers request and response until there is a decision, or until the response is known not to be judged.

    Attributes:
        request: the request's body.
        response: the response's body.
        encoding: the response's `Content-Encoding`.
        request_is_too_large: whether the request has more than the limit.
        response_is_too_large: likewise.
    """

    def __init__(
        self,
        limit: int,
        decide: "Callable[[_Buffer], Awaitable[GuardDecision | None]]",
        send: Send,
        refuse: Callable[[Send, GuardDecision], Awaitable[None]],
    ) -> None:
        self._max_bytes = limit
        self._decide = decide
        self._send = send
        self._refuse = refuse
        self._messages: list[Message] = []
        self._status = 0
        self._is_kept = True
        self._is_forwarding = False
        self.request = bytearray()
        self.response = bytearray()
        self.encoding = ""
        self.request_is_too_large = False
        self.response_is_too_large = False

    def receiving(self, receive: Receive) -> Receive:
        """Return a `receive` that stores the request's body as it passes it on."""

        async def receive_and_store() -> Message:
            message = await receive()
            if message["type"] == "http.request" and not self.request_is_too_large:
                self.request += message.get("body", b"")
                if len(self.request) > self._max_bytes:
                    self.request_is_too_large = True
                    self.request.clear()
            return message

        return receive_and_store

    async def send(self, message: Message) -> None:
        """Buffer a message of the response until the last one, then decide; pass on or drop those that follow."""
        if not self._is_kept:
            if self._is_forwarding:
                await self._send(message)
            return
        self._messages.append(message)
        if message["type"] == "http.response.start":
            self._status = int(message["status"])
            headers = {name.lower(): value for name, value in message.get("headers", ())}
            self.encoding = headers.get(b"content-encoding", b"").decode("latin-1").strip().lower()
        elif message["type"] == "http.response.body":
            self.response += message.get("body", b"")
            self.response_is_too_large = len(self.response) > self._max_bytes
        is_last = message["type"] == "http.response.body" and not message.get("more_body", False)
        if self._status and self._status not in _SUCCESS_STATUSES:
            await self._release(None)
        elif is_last or self.response_is_too_large:
            await self._release(await self._decide(self))

    async def _release(self, decision: GuardDecision | None) -> None:
        """Send the buffered messages, and later ones at once; or, if that is the decision, the refusal alone."""
        messages, self._messages = self._messages, []
        self._is_kept = False
        self.response.clear()
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
