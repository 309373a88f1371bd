"""Where a call goes, and the headers it carries."""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from ragstone.providers.batches.api import BatchApi


@dataclass(frozen=True, slots=True)
class Endpoint:
    """The URL of a kind of call, with its headers.

    Attributes:
        provider: the vendor, for messages.
        model: the model, for messages.
        url: the full URL; its query may hold a key and is not shown.
        headers: headers of each call; never shown.
        secrets: texts that no message may show.
        batches: the vendor's batch API for such calls, None if it has none.
        max_reply: most bytes of a response, decompressed.
    """

    provider: str
    model: str
    url: str = field(repr=False)
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False, hash=False)
    secrets: tuple[str, ...] = field(default=(), repr=False)
    batches: BatchApi | None = field(default=None, repr=False, compare=False)
    max_reply: int = field(default=16 * 2**20, repr=False, compare=False)


_EXTRA_HEADERS: ContextVar[Mapping[str, str]] = ContextVar("ragstone_carried")


@contextmanager
def sending_headers(headers: Mapping[str, str]) -> Generator[None]:
    """Add `headers` to every call made inside the block, such as trace headers."""
    token = _EXTRA_HEADERS.set(headers)
    try:
        yield
    finally:
        _EXTRA_HEADERS.reset(token)


def extra_headers() -> Mapping[str, str]:
    """Return the headers that `sending_headers` adds here."""
    return _EXTRA_HEADERS.get({})
