"""What arrives at a server: requests, connections, calls in flight; and what makes it refuse one."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any


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
    raw: bytes = b""

    @property
    def text(self) -> str:
        return json.dumps(self.body, ensure_ascii=False)


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
