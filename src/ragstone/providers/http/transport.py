"""The transport of a run: one HTTP session, one connection pool, one memory of unsupported parameters.

The runner opens it; every provider and embedder used inside finds it, and opens a short-lived one if there is none. So
providers are plain frozen values that can be compared, pickled and sent to another machine.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass, field
from math import inf
from typing import TYPE_CHECKING, Protocol, TypeVar
from urllib.parse import urlsplit

from ragstone.providers.http.endpoint import Endpoint
from ragstone.providers.http.failures import AttemptFailure
from ragstone.providers.http.retry import Overload, Retry, RetryHooks, with_retries
from ragstone.providers.http.server_state import ServerState, Silence

if TYPE_CHECKING:
    from ragstone.providers.http.session import HttpSession

T = TypeVar("T")
DEFAULT_TIMEOUT = 60.0
_MIN_IGNORED = 2
"""Answers that must ignore a feature before the server counts as one that does not support it."""


class RequestRouter(Protocol):
    """Sends requests another way than one by one, such as in batches."""

    async def send(self, transport: "Transport", endpoint: Endpoint, body: bytes) -> bytes | AttemptFailure:
        """Return the body of the answer, or why there is none."""
        ...


@dataclass(frozen=True, eq=False)
class Transport:
    """Sends the calls of a run; bound to the event loop that it was opened on.

    Attributes:
        timeout: seconds for one attempt.
        retry: how often to retry.
        on_overload: called each time a server asks to slow down.
        on_silence: called while a server answers nobody.
        batch_scheduler: sends the calls that may go in batches; None sends each at once.
    """

    timeout: float = DEFAULT_TIMEOUT
    retry: Retry = field(default_factory=Retry)
    on_overload: Callable[[Overload], None] | None = None
    on_silence: Callable[[Silence], None] | None = None
    batch_scheduler: RequestRouter | None = None
    _loop: asyncio.AbstractEventLoop = field(default_factory=asyncio.get_running_loop, repr=False)
    _exit: AsyncExitStack = field(default_factory=AsyncExitStack, repr=False)
    _closed: asyncio.Event = field(default_factory=asyncio.Event, repr=False)
    _sessions: "list[HttpSession]" = field(default_factory=list["HttpSession"], repr=False)
    _servers: dict[str, ServerState] = field(default_factory=dict[str, ServerState], repr=False)
    _unsupported: dict[tuple[str, str], frozenset[str]] = field(
        default_factory=dict[tuple[str, str], frozenset[str]], repr=False
    )
    _ignored: dict[tuple[str, str, str], float] = field(
        default_factory=dict[tuple[str, str, str], float], repr=False
    )

    async def send(self, endpoint: Endpoint, body: bytes, method: str = "POST") -> bytes | AttemptFailure:
        """Return the body of the response to a request, or the failure after all retries."""
        if self.batch_scheduler is not None and endpoint.batches is not None:
            return await self.batch_scheduler.send(self, endpoint, body)
        session = await self._http_session()
        if method == "POST":
            return await self.with_retries(endpoint, lambda: session.post(endpoint, body))
        return await self.with_retries(endpoint, lambda: session.send(endpoint, body, method))

    async def attempt(
        self, endpoint: Endpoint, body: bytes, method: str = "POST", kind: str | None = None
    ) -> bytes | AttemptFailure:
        """Return the body of the response to one request, or the failure; it is not repeated.

        With a media type `kind` it may send or receive a file.
        """
        session = await self._http_session()
        return await session.send(endpoint, body, method, kind)

    def with_retries(
        self, endpoint: Endpoint, attempt: Callable[[], Awaitable[T | AttemptFailure]]
    ) -> Awaitable[T | AttemptFailure]:
        """Return the outcome of `attempt` after all retries."""
        hooks = RetryHooks(self.on_overload, self.on_silence, endpoint.provider, endpoint.model)
        server = self._servers.get(endpoint.url) or self._server_of(endpoint.url)
        return with_retries(attempt, self.retry, hooks, server, endpoint)

    @property
    def silence(self) -> float:
        """Seconds for which servers have answered nobody, so far."""
        return sum(server.total_silence for server in set(self._servers.values()))

    def unsupported_parameters(self, url: str, model: str) -> frozenset[str]:
        """Return the parameters that this server does not support for this model."""
        return self._unsupported.get((url, model), frozenset())

    def mark_unsupported(self, url: str, model: str, parameter: str) -> None:
        """Omit a parameter from further calls."""
        self._unsupported[url, model] = self.unsupported_parameters(url, model) | {parameter}

    def note_support(self, url: str, model: str, feature: str, *, supported: bool) -> None:
        """Note what one answer shows of a feature that a server may ignore.

        The feature counts as unsupported once at least two answers ignored it and none was according to it.
        """
        if supported:
            self._ignored[url, model, feature] = -inf
            return
        ignored = self._ignored[url, model, feature] = self._ignored.get((url, model, feature), 0) + 1
        if ignored >= _MIN_IGNORED:
            self.mark_unsupported(url, model, feature)

    def usable_here(self) -> bool:
        """Return whether this is open, in the event loop that it was opened on."""
        return not self._closed.is_set() and self._loop is asyncio.get_running_loop()

    async def aclose(self) -> None:
        """Close every connection."""
        self._closed.set()
        await self._exit.aclose()

    def _server_of(self, url: str) -> ServerState:
        """Return the state of the server behind a URL, from then on found by the URL too."""
        server = self._servers[url] = self._servers.setdefault(_origin(url), ServerState())
        return server

    async def _http_session(self) -> "HttpSession":
        if not self._sessions:
            # Importing aiohttp takes longer than the rest of ragstone: not every run needs it.
            from ragstone.providers.http.session import open_http_session  # noqa: PLC0415

            self._sessions.append(await self._exit.enter_async_context(open_http_session(self.timeout)))
        return self._sessions[0]


def _origin(url: str) -> str:
    """Return scheme, host and port of a URL; the URL itself where it has none (LiteLLM's models)."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else url


_CURRENT_TRANSPORT: ContextVar[Transport | None] = ContextVar("ragstone_transport", default=None)


@asynccontextmanager
async def open_transport(
    *,
    timeout: float = DEFAULT_TIMEOUT,  # noqa: ASYNC109  (of each attempt, not of this function)
    retry: Retry | None = None,
    on_overload: Callable[[Overload], None] | None = None,
    on_silence: Callable[[Silence], None] | None = None,
    batch_scheduler: RequestRouter | None = None,
) -> AsyncGenerator[Transport]:
    """Open the transport that every provider and embedder used inside shares.

    Args:
        timeout: seconds for one attempt; one that times out is retried once.
        retry: how often to retry.
        on_overload: called each time a server asks to slow down; it must not block.
        on_silence: called while a server answers nobody, and once it answers again; it must not block.
        batch_scheduler: sends the calls that may go in batches.
    """
    transport = Transport(timeout, retry or Retry(), on_overload, on_silence, batch_scheduler)
    token = _CURRENT_TRANSPORT.set(transport)
    try:
        yield transport
    finally:
        _CURRENT_TRANSPORT.reset(token)
        await transport.aclose()


def borrow_transport() -> AbstractAsyncContextManager[Transport]:
    """Return the open transport of this event loop, or open one for the time of the block."""
    transport = current_transport()
    return open_transport() if transport is None else nullcontext(transport)


def current_transport() -> Transport | None:
    """Return the transport that is open here; None if there is none or it belongs to another event loop."""
    transport = _CURRENT_TRANSPORT.get()
    try:
        return transport if transport is not None and transport.usable_here() else None
    except RuntimeError:  # no event loop runs
        return transport


async def post_json(endpoint: Endpoint, body: bytes) -> bytes:
    """Return the body of the response to a POST of JSON, with retries.

    Raises:
        AccessRefused: 401 or 403.
        ProviderError: the server refused, failed or could not be reached.
        TimedOut: no answer in time.
    """
    async with borrow_transport() as transport:
        answer = await transport.send(endpoint, body)
    if isinstance(answer, AttemptFailure):
        raise answer.error()
    return answer
