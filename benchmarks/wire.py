"""The part of HTTP/1.1 that a judge's clients use: parsing of requests and writing of responses."""

import asyncio
import re
import socket
import struct
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

_LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*(\d+)", re.IGNORECASE)
_CHUNKED = re.compile(rb"\r\ntransfer-encoding:", re.IGNORECASE)
_CLOSE = re.compile(rb"\r\nconnection:[ \t]*close", re.IGNORECASE)
_AUTHORIZATION = re.compile(rb"\r\nauthorization:[ \t]*Bearer[ \t]+([^\r]*)", re.IGNORECASE)
_REASONS = {200: b"OK", 400: b"Bad Request", 401: b"Unauthorized", 404: b"Not Found", 411: b"Length Required"}


class Head(NamedTuple):
    """The parsed request line and headers of a request."""

    method: bytes
    path: bytes
    key: bytes | None
    length: int | None
    close: bool


@lru_cache(maxsize=4096)
def read_head(head: bytes) -> Head:
    """Parse the lines before a body; cached, as a client repeats the same ones."""
    method, path, _ = head.split(b"\r\n", 1)[0].split(b" ", 2)
    length, key = _LENGTH.search(head), _AUTHORIZATION.search(head)
    chunked = length is None and _CHUNKED.search(head) is not None
    return Head(
        method,
        path.split(b"?", 1)[0],
        key[1] if key else None,
        None if chunked else int(length[1]) if length else 0,
        _CLOSE.search(head) is not None,
    )


class Connection(asyncio.Protocol):
    """One client's connection: `hear` receives the requests, `answer` writes. Clients do not pipeline."""

    def __init__(
        self, hear: Callable[["Connection", Head, bytes], None], on_close: Callable[["Connection"], None]
    ) -> None:
        self._hear, self._on_close = hear, on_close
        self._buffer = b""
        self._closing = False
        self.used = False
        self.transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Store the transport of a new client."""
        self.transport = transport  # type: ignore[assignment]

    def connection_lost(self, exc: Exception | None) -> None:
        """Report the end of the connection."""
        del exc
        self.transport = None
        self._on_close(self)

    def data_received(self, data: bytes) -> None:
        """Parse all complete requests."""
        self._buffer = self._buffer + data if self._buffer else data
        while (end := self._buffer.find(b"\r\n\r\n")) >= 0:
            head = read_head(self._buffer[:end])
            if head.length is None:
                self.answer(411, b'{"error":{"message":"send a Content-Length"}}')
                self.hang_up()
                return
            stop = end + 4 + head.length
            if len(self._buffer) < stop:
                return
            body, self._buffer = self._buffer[end + 4 : stop], self._buffer[stop:]
            self._closing = head.close
            self._hear(self, head, body)

    def answer(self, status: int, body: bytes, extra: bytes = b"") -> None:
        """Send a response, unless the client has disconnected."""
        if self.transport is None:
            return
        head = b"HTTP/1.1 %d %b\r\nContent-Type: application/json\r\nContent-Length: %d\r\n%b\r\n"
        self.transport.write(head % (status, _REASONS.get(status, b"Error"), len(body), extra) + body)
        if self._closing:
            self.transport.close()

    def hang_up(self) -> None:
        """Close the connection normally."""
        if self.transport is not None:
            self.transport.close()

    def reset(self) -> None:
        """Close the connection with RST: a linger time of zero discards unsent data."""
        if self.transport is None:
            return
        connection = self.transport.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.transport.abort()
