"""Connections that send nothing must not keep others out: they are closed after a while, or when there are too many.

uvicorn waits for the first request of a connection, and for the rest of one, without a limit. A process may open only
so many files, so connections that wait for their sender are closed, the one that has waited longest first, whenever
there are more connections than the limit. Requests that are being answered are never closed.
"""

from contextlib import suppress
from functools import partial
from typing import Any, cast

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

_BACKLOG = 128  # connections that the system accepts before the server does; asyncio takes as many at once
_IDLE_SECONDS = 30.0
_MIN_BYTES_PER_SECOND = 10_000
_MIN_CONNECTIONS, _MAX_CONNECTIONS = 32, 1_000


def server_config(app: ASGIApp, host: str, port: int, *, log_level: str, seconds: int) -> uvicorn.Config:
    """Return the configuration of a server; open requests get `seconds` when it is stopped."""
    return uvicorn.Config(
        app,
        host=host,
        port=port,
        log_level=log_level,
        log_config=None,  # records go to the handlers of the program; without any, to standard error
        server_header=False,
        http=OpenConnections().protocol,
        backlog=_BACKLOG,
        proxy_headers=False,  # X-Forwarded-For must not decide which address a request comes from
        timeout_graceful_shutdown=seconds,
    )


class OpenConnections:
    """The open connections of a server."""

    def __init__(self, most: int | None = None, idle: float = _IDLE_SECONDS) -> None:
        """Allow `most` connections, by default a third of the files it may open; each may wait `idle` seconds."""
        self._most = _connection_limit() if most is None else most
        self._idle = idle
        self._waiting: dict[LimitedProtocol, float] = {}
        self._answering: set[LimitedProtocol] = set()

    @property
    def protocol(self) -> type[H11Protocol]:
        """The option `http` of uvicorn."""
        return cast("type[H11Protocol]", partial(LimitedProtocol, self))

    def wait(self, connection: "LimitedProtocol") -> None:
        """Wait for the sender of a connection; if there are too many, close the one that has waited longest."""
        self.forget(connection)
        connection.received, now = 0, connection.loop.time()
        self._waiting[connection] = now
        connection.loop.call_later(self._idle, self._close_if_idle, connection, now)
        if len(self._waiting) + len(self._answering) > self._most:
            self._close(next(iter(self._waiting)))

    def answer(self, connection: "LimitedProtocol") -> None:
        """Wait no longer for the sender of a connection, since its request has come as a whole."""
        if self._waiting.pop(connection, None) is not None:
            self._answering.add(connection)

    def forget(self, connection: "LimitedProtocol") -> None:
        """Remove a connection."""
        self._waiting.pop(connection, None)
        self._answering.discard(connection)

    def _close_if_idle(self, connection: "LimitedProtocol", since: float) -> None:
        if self._waiting.get(connection) != since:
            return
        allowed = self._idle + connection.received / _MIN_BYTES_PER_SECOND
        remaining = since + allowed - connection.loop.time()
        if remaining > 0:
            connection.loop.call_later(remaining, self._close_if_idle, connection, since)
        else:
            self._close(connection)

    def _close(self, connection: "LimitedProtocol") -> None:
        self.forget(connection)
        connection.transport.abort()


class LimitedProtocol(H11Protocol):
    """A connection that is closed when it waits too long for its sender, or when others need its place.

    Attributes:
        received: bytes that it has sent since its last response.
    """

    def __init__(self, connections: OpenConnections, *args: Any, **options: Any) -> None:  # noqa: ANN401
        super().__init__(*args, **options)
        self.received = 0
        self._open_connections = connections

    def connection_made(self, transport: Any) -> None:  # noqa: ANN401  (asyncio's)
        """Wait for a request."""
        super().connection_made(transport)
        self._open_connections.wait(self)

    def data_received(self, data: bytes) -> None:
        """Take what was sent."""
        self.received += len(data)
        super().data_received(data)
        cycle = cast("Any", self.cycle)
        if cycle is not None and not (cycle.more_body or cycle.response_complete):
            self._open_connections.answer(self)

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        if not self.transport.is_closing():
            self._open_connections.wait(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """Be none of the open connections any more."""
        self._open_connections.forget(self)
        super().connection_lost(exc)


def _connection_limit() -> int:
    files = 3 * _MAX_CONNECTIONS
    with suppress(ImportError):  # Windows has no such limit
        from resource import RLIMIT_NOFILE, getrlimit  # noqa: PLC0415

        files = getrlimit(RLIMIT_NOFILE)[0]
    return max(_MIN_CONNECTIONS, min(files // 3 if files > 0 else _MAX_CONNECTIONS, _MAX_CONNECTIONS))
